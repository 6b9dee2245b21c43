//! Where objects lie is ours: far apart, at multiples of large powers of two, in the order of their birth. Elsewhere it is
//! otherwise, so no result may depend on it. What is written as an address made an integer can be compared and subtracted
//! within one object, keeps the bits that the alignment of the pointer's type settles, and can become a pointer again. What
//! else is asked of it may have any result, where that result is no address: the order of two objects, the last bits, a
//! remainder, a part. Other uses are unsupported.

use cfa::{LocKind, Op, Origin, PLACES};
use cfront::hir::{BinaryOp, Expr, ExprKind, UnaryOp};
use cfront::types::{Ty, Type};
use term::{Sort, Term};

use crate::context::Lowering;
use crate::holders::{constant, low_bits};
use crate::options::Places;

const WHAT: &str = "arithmetic on the bits of an address, which depend on where an object lies";
/// Nothing lies so near to the last address: errors as pointers.
const PAGE: u64 = 4096;
/// Nothing lies here or below: null, and what an allocator gives for nothing.
const LOWEST: u64 = 16;

/// What `a op b` takes from the place of an object.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Asked {
    Nothing,
    /// Something, unless both are addresses in one object or both are numbers.
    Distance,
    /// Something, unless both are addresses in one object or one is no address.
    Order,
    /// Something, unless both are the same or one is no address: what differs, bit by bit, between two.
    Difference,
    Bits,
    /// Something, unless the other operand has no more bits than the alignment of the pointer's type leaves free.
    Flags {
        aligned: u64,
        address_first: bool,
    },
    /// Whether it is this number, where one of the two is a number that addresses may be.
    Number,
    /// The same for a number that is computed, and may be anything.
    Computed,
}

/// Results that an operation may have.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Any {
    /// All of its type.
    Value,
    /// These of the last bits.
    Low {
        mask: u128,
    },
    Remainder {
        divisor: u128,
        signed: bool,
    },
    /// The address without these of its last bits: as much of it as before it.
    Rounded {
        cut: u128,
    },
    /// All but the last bits.
    High {
        shift: u32,
        signed: bool,
    },
    /// All of the address or nothing of it, by a mask that is computed; otherwise it may be an address again.
    AllOrNothing,
    /// The same where one of the two is a pointer as it is, and the other the mask.
    Masked {
        mask_first: bool,
    },
    /// It may be an address again.
    Unsupported,
}

/// Bits of masks and remainders that are no addresses.
pub(crate) const LOW: u32 = 16;

impl Lowering<'_> {
    pub(crate) fn place_asked(&self, op: BinaryOp, a: &Expr, b: &Expr) -> Asked {
        use BinaryOp::{Add, BitAnd, BitOr, BitXor, Div, Eq, Ge, Gt, Le, Lt, Mul, Ne, Rem, Shl, Shr, Sub};
        let types = &self.unit.types;
        if matches!(op, Eq | Ne) && self.fun.library_checked.is_none() {
            let is_address = |e: &Expr| constant(e).is_none() && (types.is_pointer(e.ty) || self.is_held(e));
            let asks = |address: &Expr, number: &Expr| self.may_be_address(number) && is_address(address);
            let guesses = |address: &Expr, number: &Expr| self.is_computed(number) && is_address(address);
            return match () {
                () if asks(a, b) || asks(b, a) => Asked::Number,
                () if guesses(a, b) || guesses(b, a) => Asked::Computed,
                () => Asked::Nothing,
            };
        }
        let is_fine = matches!(op, Add | Eq | Ne) || types.is_pointer(a.ty) || types.is_pointer(b.ty);
        if is_fine || self.fun.library_checked.is_some() {
            return Asked::Nothing;
        }
        let (left, right) = (self.aligned_address(a), self.aligned_address(b));
        if matches!(op, BitOr | BitXor) {
            return match (left, right) {
                // All that is known is that equal ones have no difference.
                (Some(_), Some(_)) if op == BitXor => Asked::Difference,
                (Some(aligned), None) => Asked::Flags { aligned: aligned as u64, address_first: true },
                (None, Some(aligned)) => Asked::Flags { aligned: aligned as u64, address_first: false },
                _ => Asked::Nothing,
            };
        }
        let settled = |aligned: u128, mask: u128| mask < aligned || !mask & low_bits(self.pointer_width()) < aligned;
        let (asked, holds) = match op {
            BitAnd => (
                Asked::Bits,
                [(left, b), (right, a)].into_iter().any(|(address, mask)| {
                    address.is_some_and(|aligned| !constant(mask).is_some_and(|mask| settled(aligned, mask)))
                }),
            ),
            Rem => {
                let divides = |aligned: u128| constant(b).is_some_and(|c| c > 0 && aligned.is_multiple_of(c));
                (Asked::Bits, left.is_some_and(|aligned| !divides(aligned)))
            }
            Shl | Shr => (Asked::Bits, left.is_some()),
            Mul | Div => (Asked::Bits, left.is_some() || right.is_some()),
            // A number minus an address is neither.
            Sub if left.is_none() => (Asked::Bits, right.is_some()),
            Sub => (Asked::Distance, right.is_some()),
            Lt | Le | Gt | Ge => (Asked::Order, left.is_some() || right.is_some()),
            Add | BitOr | BitXor | Eq | Ne => (Asked::Nothing, false),
        };
        if holds { asked } else { Asked::Nothing }
    }

    /// The result of an operation on `a` and `b` if it does not depend on where objects lie, and any possible one otherwise.
    pub(crate) fn placeless(&mut self, asked: Asked, any: Any, a: Term, b: Term, exact: Term) -> Term {
        let settled = match asked {
            Asked::Nothing => return exact,
            Asked::Distance if self.terms().width(a) == self.pointer_width() => {
                let (same, left, right) = (self.same_origin(a, b), self.is_number(a), self.is_number(b));
                let both = self.terms().and(left, right);
                self.terms().or(same, both)
            }
            Asked::Difference if self.terms().width(a) == self.pointer_width() => {
                let (left, right) = (self.is_number(a), self.is_number(b));
                let same = self.terms().eq(a, b);
                self.terms().or_all(&[same, left, right])
            }
            Asked::Order | Asked::Computed if self.terms().width(a) == self.pointer_width() => {
                let (same, left, right) = (self.same_origin(a, b), self.is_far_out(a), self.is_far_out(b));
                let either = self.terms().or(left, right);
                let settled = self.terms().or(same, either);
                if self.options.places != Places::Fixed {
                    settled
                } else {
                    let (left, right) = (self.is_number(a), self.is_number(b));
                    let neither = self.terms().and(left, right);
                    self.terms().or(settled, neither)
                }
            }
            Asked::Flags { aligned, address_first } if self.terms().width(a) == self.pointer_width() => {
                let (address, flags) = if address_first { (a, b) } else { (b, a) };
                let (is_number, aligned) = (self.is_number(address), self.word(aligned));
                let is_free = self.terms().ult(flags, aligned);
                self.terms().or(is_number, is_free)
            }
            Asked::Number => {
                let is_number = self.terms().is_const(a);
                self.is_number(if is_number { b } else { a })
            }
            // Integers that may hold addresses hold numbers here.
            _ => {
                let (left, right) = (self.is_number(a), self.is_number(b));
                self.terms().and(left, right)
            }
        };
        if let Any::Masked { mask_first } = any {
            // As a choice, so that it stays a pointer to where it points.
            let (mask, pointer) = if mask_first { (a, b) } else { (b, a) };
            let settled = self.keeps_all_or_nothing(mask);
            let null = self.word(0);
            let terms = self.terms();
            let (takes_all, is_null) = (terms.eq(mask, null), terms.eq(pointer, null));
            let settled = terms.or(settled, is_null);
            let chosen = terms.ite(takes_all, null, pointer);
            return self.settled_or_any(settled, Any::Unsupported, pointer, chosen);
        }
        if any == Any::AllOrNothing {
            let (left, right) = (self.keeps_all_or_nothing(a), self.keeps_all_or_nothing(b));
            let settled = self.terms().or_all(&[settled, left, right]);
            return self.settled_or_any(settled, Any::Unsupported, a, exact);
        }
        let is_mask = self.terms().is_const(a);
        self.settled_or_any(settled, any, if is_mask { b } else { a }, exact)
    }

    /// `x & mask` is `x` or zero.
    fn keeps_all_or_nothing(&mut self, mask: Term) -> Term {
        let width = self.program.terms.width(mask);
        let terms = self.terms();
        let (none, all) = (terms.bv(0, width), terms.bv_signed(-1, width));
        let (none, all) = (terms.eq(mask, none), terms.eq(mask, all));
        terms.or(none, all)
    }

    fn settled_or_any(&mut self, settled: Term, any: Any, address: Term, exact: Term) -> Term {
        let is_settled = self.terms().as_bool_const(settled) == Some(true);
        if is_settled || any == Any::Unsupported || self.options.places == Places::Fixed {
            self.require(settled, LocKind::Unsupported(WHAT.into()));
            return exact;
        }
        let result = self.temp(self.program.terms.sort(exact));
        let (known, open, done) = (self.fresh_loc(), self.fresh_loc(), self.fresh_loc());
        self.split(settled, known, open);
        self.resume(known);
        self.assign(result, exact);
        self.step_to(done);
        self.resume(open);
        let origin = || Origin::Extern(PLACES.to_owned());
        match any {
            Any::Low { mask } => {
                let bits = self.last_bits(address);
                let mask = self.terms().bv(mask, LOW);
                let kept = self.terms().bvand(bits, mask);
                let width = self.program.terms.width(exact);
                let value = self.terms().zext_to(kept, width);
                self.assign(result, value);
            }
            Any::Rounded { cut } => {
                let bits = self.last_bits(address);
                let cut = self.terms().bv(cut, LOW);
                let below = self.terms().bvand(bits, cut);
                let width = self.program.terms.width(exact);
                let below = self.terms().zext_to(below, width);
                let value = self.terms().sub(address, below);
                self.assign(result, value);
            }
            Any::Remainder { divisor, signed } => {
                let follows = !signed && divisor.is_power_of_two();
                let bits = if follows { self.last_bits(address) } else { self.havoc(Sort::Bv(LOW), origin()) };
                let width = self.program.terms.width(exact);
                let terms = self.terms();
                let divisor = terms.bv(divisor, LOW);
                let value = if signed {
                    let rest = terms.srem(bits, divisor);
                    terms.sext_to(rest, width)
                } else {
                    let rest = terms.urem(bits, divisor);
                    terms.zext_to(rest, width)
                };
                self.assign(result, value);
            }
            Any::High { shift, signed } => {
                let width = self.program.terms.width(exact);
                let bits = self.havoc(Sort::Bv(width - shift), origin());
                let terms = self.terms();
                let value = if signed { terms.sext_to(bits, width) } else { terms.zext_to(bits, width) };
                self.assign(result, value);
            }
            Any::Value | Any::AllOrNothing | Any::Masked { .. } | Any::Unsupported => {
                self.emit(Op::Havoc { vars: vec![result], origin: origin() })
            }
        }
        self.continue_at(done);
        self.term(result)
    }

    /// What an operation may give that asks where an object lies.
    pub(crate) fn any_result(&self, op: BinaryOp, a: &Expr, b: &Expr, ty: Ty) -> Any {
        use BinaryOp::{BitAnd, Eq, Ge, Gt, Le, Lt, Ne, Rem, Shr};
        let signed = self.is_signed(ty);
        match (op, constant(a), constant(b)) {
            (Lt | Le | Gt | Ge | Eq | Ne, ..) => Any::Value,
            (BitAnd, Some(mask), None) | (BitAnd, None, Some(mask)) if mask <= low_bits(LOW) => {
                let known = self.aligned_address(a).or_else(|| self.aligned_address(b)).unwrap_or(1);
                Any::Low { mask: mask & !(known - 1) }
            }
            (BitAnd, Some(mask), None) | (BitAnd, None, Some(mask)) if self.cuts_off(mask) <= low_bits(LOW) => {
                Any::Rounded { cut: self.cuts_off(mask) }
            }
            (BitAnd, None, None) => match (self.is_pointer_made_integer(a), self.is_pointer_made_integer(b)) {
                (true, false) => Any::Masked { mask_first: false },
                (false, true) => Any::Masked { mask_first: true },
                _ => Any::AllOrNothing,
            },
            (Rem, None, Some(divisor)) if (1..=low_bits(LOW - 1)).contains(&divisor) => {
                Any::Remainder { divisor, signed }
            }
            (Shr, None, Some(shift)) if (1..u128::from(self.pointer_width())).contains(&shift) => {
                Any::High { shift: shift as u32, signed }
            }
            _ => Any::Unsupported,
        }
    }

    fn is_pointer_made_integer(&self, e: &Expr) -> bool {
        self.is_whole(e) && matches!(&e.kind, ExprKind::Cast(inner) if self.unit.types.is_pointer(inner.ty))
    }

    /// Whether it is a number that an object may lie at.
    fn may_be_address(&self, number: &Expr) -> bool {
        let pointer = self.pointer_width();
        if self.sort(number.ty).and_then(term::Sort::bv_width) != Some(pointer) {
            return false;
        }
        let value = match &number.kind {
            ExprKind::Int(n) => *n,
            ExprKind::Cast(inner) => match (&inner.kind, self.unit.types.int_shape(inner.ty)) {
                // `(void *)-1`
                (ExprKind::Int(n), Some((width, true))) if n >> (width - 1) == 1 => n | !low_bits(width),
                (ExprKind::Int(n), _) => *n,
                _ => return self.may_be_address(inner),
            },
            _ => return false,
        };
        let value = value & low_bits(pointer);
        (u128::from(LOWEST) + 1..low_bits(pointer) - u128::from(PAGE)).contains(&value)
    }

    /// Whether it is a number of the width of addresses that is neither written down nor known to come from one.
    fn is_computed(&self, number: &Expr) -> bool {
        let types = &self.unit.types;
        match &number.kind {
            ExprKind::Cast(inner) if types.is_pointer(number.ty) => {
                types.is_integer(inner.ty) && self.is_computed(inner)
            }
            _ => types.is_integer(number.ty) && constant(number).is_none() && self.aligned_address(number).is_none(),
        }
    }

    /// The bits of an address that a mask leaves out.
    pub(crate) fn cuts_off(&self, mask: u128) -> u128 {
        !mask & low_bits(self.pointer_width())
    }

    fn is_far_out(&mut self, address: Term) -> Term {
        let (page, low) = (self.word(PAGE), self.word(PAGE + LOWEST));
        let moved = self.terms().add(address, page);
        self.terms().ule(moved, low)
    }

    /// Whether the operation turns the bits of an address around.
    pub(crate) fn turns_address(&self, op: UnaryOp, inner: &Expr) -> bool {
        op != UnaryOp::Not && self.is_held(inner) && self.fun.library_checked.is_none()
    }

    /// The value, which must not be an address.
    pub(crate) fn require_number(&mut self, value: Term) {
        let is_number = self.is_number(value);
        self.require(is_number, LocKind::Unsupported(WHAT.into()));
    }

    /// The same for the value of an expression, where that is an integer that may be an address.
    pub(crate) fn require_number_of(&mut self, e: &Expr, value: Term) {
        if self.fun.library_checked.is_none() && self.is_held(e) && self.is_whole(e) {
            self.require_number(value);
        }
    }

    /// Whether an address becomes a wider integer, of which nobody knows any more that it is one.
    pub(crate) fn widens_address(&self, inner: &Expr, whole: &Expr) -> bool {
        let width = |e: &Expr| self.sort(e.ty).and_then(term::Sort::bv_width);
        let pointer = Some(self.pointer_width());
        let is_address = self.unit.types.is_pointer(inner.ty) || self.is_held(inner);
        is_address && width(inner) == pointer && width(whole) > pointer && self.fun.library_checked.is_none()
    }

    /// Whether the conversion leaves a part of an address, or a float of it.
    pub(crate) fn cuts_address(&self, inner: &Expr, whole: &Expr) -> bool {
        let types = &self.unit.types;
        let is_address =
            if types.is_pointer(inner.ty) { constant(inner).is_none() } else { self.aligned_address(inner).is_some() };
        let width = |e: &Expr| self.sort(e.ty).and_then(term::Sort::bv_width);
        let cuts = width(inner) == Some(self.pointer_width()) && width(whole) < Some(self.pointer_width());
        is_address
            && (cuts || types.is_float(whole.ty))
            && !matches!(types[whole.ty], Type::Bool)
            && self.fun.library_checked.is_none()
    }

    /// A part of the value: any, unless the value is no address but a number that was made one.
    pub(crate) fn part_of_address(&mut self, value: Term, part: Term) -> Term {
        let is_number = self.is_number(value);
        self.settled_or_any(is_number, Any::Value, value, part)
    }

    /// Whether the value is no address. A program that just runs asks the objects that there are; a pointer to one that is no
    /// more is indeterminate, and there is none beyond the end of one.
    fn is_number(&mut self, value: Term) -> Term {
        let machine = self.program.machine;
        if self.terms().sort(value) != machine.pointer_sort() {
            return self.terms().tt();
        }
        // Somewhat before an object is not a number either.
        let object = machine.origin_of(self.terms(), value);
        let terms = self.terms();
        let (one, two) = (terms.bv(1, machine.object_bits), terms.bv(2, machine.object_bits));
        let next = terms.add(object, one);
        let is_small = terms.ult(next, two);
        if self.options.places != Places::Fixed {
            return is_small;
        }
        let (is_live, offset, size) = (self.live(value), self.offset_in_object(value), self.size_of_object(value));
        let terms = self.terms();
        let (is_free, is_beyond) = (terms.not(is_live), terms.ult(size, offset));
        terms.or_all(&[is_small, is_free, is_beyond])
    }
}
