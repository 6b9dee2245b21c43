//! Where objects lie is ours: far apart, at multiples of large powers of two, in the order of their birth. Elsewhere it is
//! otherwise, so no result may depend on it. What is written as an address made an integer can be compared and subtracted
//! within one object, keeps the bits that the alignment of the pointer's type settles, and can become a pointer again. What
//! else is asked of it may have any result, where that result is no address: the order of two objects, the last bits, a
//! remainder, a part. Other uses are unsupported.

use cfa::{LocKind, Op, Origin, PLACES};
use cfront::hir::{BinaryOp, Expr, ExprKind, FuncId, Init, Stmt, StmtKind, UnaryOp, VarId};
use cfront::types::{RecordId, Ty, Type};
use std::collections::BTreeSet;
use term::{Sort, Term};

use crate::context::Lowering;
use crate::options::Places;
use crate::order::root;
use cfront::walk::walk_stmt;

/// Integers that addresses are put into, as far as that is written down: by variable, member and function. Addresses that go
/// into integers through memory of another type are not seen.
#[derive(Debug, Default)]
pub(crate) struct Holders {
    vars: BTreeSet<VarId>,
    fields: BTreeSet<(RecordId, u32)>,
    /// By their results.
    funcs: BTreeSet<FuncId>,
    /// An address went where nobody follows it: every integer that is wide enough may hold it.
    any: bool,
}

impl Holders {
    /// Whether the result of the function may be an address.
    pub(crate) fn gives(&self, id: FuncId) -> bool {
        self.funcs.contains(&id)
    }
}

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
const LOW: u32 = 16;

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
            // Of two addresses nothing is known but how to get one back.
            return match (left, right) {
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
            self.require(settled, LocKind::Unsupported(WHAT.to_owned()));
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
                let bits = self.havoc(Sort::Bv(LOW), origin());
                let mask = self.terms().bv(mask, LOW);
                let kept = self.terms().bvand(bits, mask);
                let width = self.program.terms.width(exact);
                let value = self.terms().zext_to(kept, width);
                self.assign(result, value);
            }
            Any::Rounded { cut } => {
                let bits = self.havoc(Sort::Bv(LOW), origin());
                let cut = self.terms().bv(cut, LOW);
                let below = self.terms().bvand(bits, cut);
                let width = self.program.terms.width(exact);
                let below = self.terms().zext_to(below, width);
                let value = self.terms().sub(address, below);
                self.assign(result, value);
            }
            Any::Remainder { divisor, signed } => {
                let bits = self.havoc(Sort::Bv(LOW), origin());
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
    fn cuts_off(&self, mask: u128) -> u128 {
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
        self.require(is_number, LocKind::Unsupported(WHAT.to_owned()));
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

    /// Finds the integers that addresses are put into.
    pub(crate) fn find_holders(&mut self) {
        let unit = self.unit;
        // A union of a pointer and an integer makes one of the other.
        for (id, record) in unit.types.records.iter().filter(|(_, record)| record.is_union) {
            let pointers = record.fields.iter().any(|field| unit.types.is_pointer(field.ty));
            let is_wide = |ty: Ty| self.sort(ty).and_then(term::Sort::bv_width) == Some(self.pointer_width());
            let fields = record.fields.iter().enumerate().filter(|(_, f)| unit.types.is_integer(f.ty) && is_wide(f.ty));
            let found: Vec<_> = fields.filter(|_| pointers).map(|(index, _)| (id, index as u32)).collect();
            self.holders.fields.extend(found);
        }
        loop {
            let mut found = Vec::new();
            for id in self.reach.funcs.iter().filter(|f| !self.is_library(**f)) {
                let Some(body) = &unit.funcs[*id].body else { continue };
                walk_stmt(body, &mut |e| match &e.kind {
                    ExprKind::Assign(place, value) | ExprKind::AssignOp { place, value, .. } if self.is_held(value) => {
                        let elsewhere = self.is_whole(value).then_some(Holder::Any);
                        found.extend(self.holder(place).or(elsewhere));
                    }
                    ExprKind::CompoundLiteral(var, init) if self.starts_with_address(init) => {
                        found.push(Holder::Var(*var));
                    }
                    ExprKind::Builtin(_, args) | ExprKind::Call { args, .. }
                        if self.is_followed_nowhere(e)
                            && args.iter().any(|arg| self.is_held(arg) && self.is_whole(arg)) =>
                    {
                        found.push(Holder::Any);
                    }
                    ExprKind::StmtExpr { body, .. } => {
                        body.iter().for_each(|s| statements(s, &mut |s| found.extend(self.held_by(s, *id))));
                    }
                    ExprKind::ToUnion(value, _) if self.is_held(value) && self.is_whole(value) => {
                        found.push(Holder::Any);
                    }
                    ExprKind::Call { callee, args } => {
                        if let Some(callee) = crate::call::direct(callee) {
                            if let ("memcpy" | "memmove", [to, from, _]) = (unit.funcs[callee].name.as_str(), &args[..])
                                && named(from)
                                    .is_some_and(|from| unit.types.is_pointer(from.ty) || self.holds_address(from))
                            {
                                found.extend(named(to).and_then(|to| self.holder(to)));
                                found.extend(array(to).map(Holder::Var));
                            }
                            let params = unit.funcs[callee].params.iter().zip(args);
                            found.extend(params.filter(|(_, arg)| self.is_held(arg)).map(|(p, _)| Holder::Var(*p)));
                        } else {
                            // Any function whose address is known.
                            for id in &self.reach.address_taken {
                                let params = unit.funcs[*id].params.iter().zip(args);
                                found.extend(params.filter(|(_, arg)| self.is_held(arg)).map(|(p, _)| Holder::Var(*p)));
                            }
                        }
                    }
                    ExprKind::Cast(_) => found.extend(self.overlaid(e)),
                    _ => {}
                });
                statements(body, &mut |s| found.extend(self.held_by(s, *id)));
            }
            let is_started =
                |id: &&VarId| unit.vars[**id].init.as_ref().is_some_and(|init| self.starts_with_address(init));
            found.extend(self.reach.vars.iter().filter(is_started).map(|id| Holder::Var(*id)));
            let mut changed = false;
            for holder in found {
                changed |= match holder {
                    Holder::Var(id) => self.holders.vars.insert(id),
                    Holder::Field(record, index) => self.holders.fields.insert((record, index)),
                    Holder::Func(id) => self.holders.funcs.insert(id),
                    Holder::Any => !std::mem::replace(&mut self.holders.any, true),
                };
            }
            if !changed {
                return;
            }
        }
    }

    /// What the statement itself, in the function, puts an address into.
    fn held_by(&self, s: &Stmt, func: FuncId) -> Vec<Holder> {
        match &s.kind {
            StmtKind::Decl { var, init: Some(init), .. } if self.starts_with_address(init) => vec![Holder::Var(*var)],
            StmtKind::Return(Some(value)) if self.is_held(value) => vec![Holder::Func(func)],
            StmtKind::Asm(asm) => {
                let is_address = |e: &Expr| self.unit.types.is_pointer(e.ty) || self.is_held(e);
                let outputs = asm.outputs.iter().map(|output| &output.expr);
                match asm.inputs.iter().any(|input| is_address(&input.expr)) {
                    true => outputs.filter_map(|place| self.holder(place)).collect(),
                    false => Vec::new(),
                }
            }
            _ => Vec::new(),
        }
    }

    /// Whether some integer of the variable is an address at first.
    fn starts_with_address(&self, init: &Init) -> bool {
        match init {
            Init::Value(value) => self.is_held(value),
            Init::Parts(parts) => parts.iter().any(|part| self.is_held(&part.value)),
        }
    }

    /// Whether the value is an integer that may be an address.
    fn is_held(&self, value: &Expr) -> bool {
        !self.unit.types.is_pointer(value.ty) && self.aligned_address(value).is_some()
    }

    /// Whether it has as many bits as an address.
    fn is_whole(&self, e: &Expr) -> bool {
        self.sort(e.ty).and_then(term::Sort::bv_width) == Some(self.pointer_width())
    }

    /// The place, as something that holds integers of the width of addresses.
    fn holder(&self, place: &Expr) -> Option<Holder> {
        match &place.kind {
            _ if !self.is_whole(place) || self.unit.types.is_pointer(place.ty) => None,
            ExprKind::Var(id) => Some(Holder::Var(*id)),
            ExprKind::Field(base, index) => self.unit.types.record(base.ty).map(|id| Holder::Field(id, *index)),
            // An array of them.
            ExprKind::Deref(_) => root(place).map(Holder::Var),
            _ => None,
        }
    }

    /// The variable with integers that pointers are written into: `*(int **)a = p`.
    fn overlaid(&self, e: &Expr) -> Option<Holder> {
        let types = &self.unit.types;
        let ExprKind::Cast(inner) = &e.kind else { return None };
        if !types.is_pointer(types.pointee(e.ty)?) || !types.is_integer(types.pointee(inner.ty)?) {
            return None;
        }
        match &inner.kind {
            ExprKind::Decay(array) => root(array).map(Holder::Var),
            ExprKind::AddrOf(place) => self.holder(place),
            _ => None,
        }
    }

    fn holds_address(&self, place: &Expr) -> bool {
        let types = &self.unit.types;
        match self.holder(place) {
            _ if self.holders.any && self.is_whole(place) && types.is_integer(place.ty) => true,
            Some(Holder::Var(id)) => self.holders.vars.contains(&id),
            Some(Holder::Field(record, index)) => self.holders.fields.contains(&(record, index)),
            Some(Holder::Func(_) | Holder::Any) | None => false,
        }
    }

    /// Whether what a call does with its arguments is not looked at: a built-in function, or arguments beyond the parameters.
    fn is_followed_nowhere(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Builtin(..) => true,
            ExprKind::Call { callee, args } => crate::call::direct(callee).is_some_and(|id| {
                let func = &self.unit.funcs[id];
                func.body.is_some() && args.len() > func.params.len() && !self.is_library(id)
            }),
            _ => false,
        }
    }

    /// Whether the place is a pointer that is read as an integer: `*(long *)&p`.
    fn reads_pointer(&self, place: &Expr) -> bool {
        let types = &self.unit.types;
        let ExprKind::Deref(pointer) = &place.kind else { return false };
        let ExprKind::Cast(inner) = &pointer.kind else { return false };
        self.is_whole(place)
            && types.is_integer(place.ty)
            && types.pointee(inner.ty).is_some_and(|to| types.is_pointer(to))
    }

    /// Whether the place is an integer as wide as an address, and nothing that is written down says that it holds one.
    pub(crate) fn is_unknown_word(&self, place: &Expr) -> bool {
        let is_number = self.is_whole(place) && self.unit.types.is_integer(place.ty);
        is_number && !self.holds_address(place) && !self.reads_pointer(place)
    }

    /// If the integer is a pointer's address (or one plus something): the alignment of what the pointer is for.
    fn aligned_address(&self, e: &Expr) -> Option<u128> {
        let types = &self.unit.types;
        match &e.kind {
            // It has become any number there.
            ExprKind::Cast(_) if types.is_float(e.ty) => None,
            ExprKind::Cast(inner) => match types.pointee(inner.ty) {
                // An integer that was made a pointer is an integer.
                Some(_) if matches!(&inner.kind, ExprKind::Int(_)) => None,
                Some(to) => Some(u128::from(types.align_of(to))),
                None => self.aligned_address(inner),
            },
            ExprKind::Load(place) => (self.holds_address(place) || self.reads_pointer(place)).then_some(1),
            // The place of a compound assignment.
            ExprKind::Var(_) | ExprKind::Field(..) => self.holds_address(e).then_some(1),
            ExprKind::Call { callee, .. } => match crate::call::direct(callee) {
                Some(f) => self.holders.funcs.contains(&f).then_some(1),
                None => self.reach.address_taken.iter().any(|f| self.holders.funcs.contains(f)).then_some(1),
            },
            ExprKind::Cond(_, a, b) | ExprKind::Elvis { value: a, other: b } => {
                self.aligned_address(a).or_else(|| self.aligned_address(b)).map(|_| 1)
            }
            ExprKind::Comma(_, value) => self.aligned_address(value),
            ExprKind::Assign(place, value) => {
                self.aligned_address(value).or_else(|| self.holds_address(place).then_some(1))
            }
            ExprKind::AssignOp { place, .. } | ExprKind::IncDec { place, .. } => self.holds_address(place).then_some(1),
            ExprKind::StmtExpr { result: Some(result), .. } => self.aligned_address(result),
            // What is read atomically, or computed.
            ExprKind::Builtin(_, args) => {
                let holds = |arg: &Expr| {
                    self.is_held(arg)
                        || self.unit.types.is_pointer(arg.ty)
                            && (self.holders.any || named(arg).is_some_and(|place| self.holds_address(place)))
                };
                (self.is_whole(e) && types.is_integer(e.ty) && args.iter().any(holds)).then_some(1)
            }
            ExprKind::VaArg(_) => (self.is_whole(e) && self.holders.any && types.is_integer(e.ty)).then_some(1),
            // From a number on, the null pointer above all.
            ExprKind::PtrDiff { right, .. } => constant(right).map(|_| 1),
            // A difference of two is none.
            ExprKind::Binary(BinaryOp::Sub, a, b) => match (self.aligned_address(a), self.aligned_address(b)) {
                (Some(_), None) => Some(1),
                _ => None,
            },
            // Rounded down to a multiple, it is one still.
            ExprKind::Binary(BinaryOp::BitAnd, a, b) => {
                let mask = constant(a).or_else(|| constant(b))?;
                let rounds = self.cuts_off(mask) <= low_bits(LOW);
                self.aligned_address(a).or_else(|| self.aligned_address(b)).filter(|_| rounds).map(|_| 1)
            }
            ExprKind::Binary(BinaryOp::Add | BinaryOp::BitOr | BinaryOp::BitXor, a, b) => {
                self.aligned_address(a).or_else(|| self.aligned_address(b)).map(|_| 1)
            }
            _ => None,
        }
    }
}

/// The place that a pointer is the address of, as it is written.
fn named(pointer: &Expr) -> Option<&Expr> {
    match &pointer.kind {
        ExprKind::Cast(inner) => named(inner),
        ExprKind::AddrOf(place) => Some(place),
        _ => None,
    }
}

/// The array that a pointer is the start of, as it is written.
fn array(pointer: &Expr) -> Option<VarId> {
    match &pointer.kind {
        ExprKind::Cast(inner) | ExprKind::PtrAdd { ptr: inner, .. } => array(inner),
        ExprKind::Decay(array) => root(array),
        _ => None,
    }
}

/// Something that holds integers.
enum Holder {
    Var(VarId),
    Field(RecordId, u32),
    Func(FuncId),
    /// All that can.
    Any,
}

/// Visits every statement.
pub(crate) fn statements<'a>(s: &'a Stmt, visit: &mut dyn FnMut(&'a Stmt)) {
    visit(s);
    match &s.kind {
        StmtKind::Block(body) => body.iter().for_each(|s| statements(s, visit)),
        StmtKind::If { then, other, .. } => {
            statements(then, visit);
            if let Some(other) = other {
                statements(other, visit);
            }
        }
        StmtKind::For { init, body, .. } => {
            init.iter().for_each(|s| statements(s, visit));
            statements(body, visit);
        }
        StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } | StmtKind::Switch { body, .. } => {
            statements(body, visit);
        }
        _ => {}
    }
}

/// The number, where it is written as one.
fn constant(e: &Expr) -> Option<u128> {
    match &e.kind {
        ExprKind::Int(value) => Some(*value),
        ExprKind::Cast(inner) => constant(inner),
        ExprKind::Unary(UnaryOp::BitNot, inner) => constant(inner).map(|value| !value),
        _ => None,
    }
}

fn low_bits(width: u32) -> u128 {
    (1 << width) - 1
}
