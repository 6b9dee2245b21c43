//! Abstract values of terms: a number, a pointer into a class of objects, or a negated pointer, each with a congruence.
//!
//! The three are alternatives: a value may be a null pointer (number 0) or point somewhere. Addresses come from allocations
//! alone, and every operation hands them on: sums keep the offset, anything else keeps the class and forgets the rest
//! (`mangled`). Only two things shed the class: a difference of two pointers into one class is a number, and so are bits
//! below the object number. Truth values carry nothing; `exposure.rs` deals with programs that rebuild pointers from those.

use super::congruence::{Congruence, sign_extended};
use super::scaled::Scaled;
use base::Id;
use term::{Op, Sort, Store, Term};

base::id!(
    /// A class of objects that some pointer may point to alike.
    Class,
    "C"
);

/// A pointer into an object of `class`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Pointer {
    pub(super) class: Class,
    pub(super) offset: Congruence,
    /// Where the array seems to begin that an inexact offset is in: a guess, that [`super::inner_arrays`] rests on and `encode` guards.
    from: i64,
    /// Not the pointer itself but something computed from it; the offset is `ANY`.
    pub(super) mangled: bool,
}

impl Pointer {
    pub(super) fn to(class: Class, offset: Congruence) -> Pointer {
        Pointer::starting(class, offset, 0)
    }

    fn starting(class: Class, offset: Congruence, from: i64) -> Pointer {
        Pointer { class, offset, from: offset.as_exact().map_or(from, |at| at.max(0)), mangled: false }
    }

    pub(super) fn in_class(self, class: Class) -> Pointer {
        Pointer { class, ..self }
    }

    /// The least offset that it is expected to have.
    pub(super) fn from(&self) -> i64 {
        self.from
    }

    pub(super) fn mangled(class: Class) -> Pointer {
        Pointer { class, offset: Congruence::ANY, from: 0, mangled: true }
    }

    fn moved(self, by: Congruence) -> Pointer {
        if self.mangled {
            return self;
        }
        // An index counts from where its array begins, a member from where its struct does.
        let ahead = by.as_exact().unwrap_or(0).max(0);
        Pointer::starting(self.class, self.offset.add(by), self.from.saturating_add(ahead))
    }
}

/// What a term may be. All `None`: no value has arrived yet.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Value {
    pub(super) number: Option<Congruence>,
    pub(super) pointer: Option<Pointer>,
    /// `-p` for such a pointer `p`; its offset is that of `p`, negated.
    pub(super) negated: Option<Pointer>,
}

impl Value {
    pub(super) fn number(number: Congruence) -> Value {
        Value { number: Some(number), ..Value::default() }
    }

    pub(super) fn pointer(pointer: Pointer) -> Value {
        Value { pointer: Some(pointer), ..Value::default() }
    }

    pub(super) fn is_none(&self) -> bool {
        self.number.is_none() && self.pointer.is_none() && self.negated.is_none()
    }

    /// The class that the value was computed from, if any.
    pub(super) fn class(&self) -> Option<Class> {
        self.pointer.or(self.negated).map(|p| p.class)
    }

    /// As part of something else: the class stays, the offset does not.
    pub(super) fn as_mangled(&self, found: &mut Findings) -> Value {
        if let (Some(p), Some(q)) = (self.pointer, self.negated) {
            found.met.push((p.class, q.class));
        }
        Value {
            number: self.number.map(|_| Congruence::ANY),
            pointer: self.class().map(Pointer::mangled),
            negated: None,
        }
    }
}

/// What evaluating a term found out besides its value.
#[derive(Default)]
pub(super) struct Findings {
    /// Two classes that meet in the term.
    pub(super) met: Vec<(Class, Class)>,
    /// The difference of pointers into these classes was taken to be a number.
    pub(super) difference: Option<(Class, Class)>,
}

/// How a sum is to be read.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum SumKind {
    /// A pointer and a number are a pointer, the difference of two pointers is a number.
    Plain,
    /// It is the difference of two pointers.
    Distance,
    /// It may be a pointer even where it looks like a difference.
    Any,
}

/// Evaluates terms one operator at a time.
pub(super) struct Transfer<'a> {
    pub(super) store: &'a Store,
    pub(super) pointer_bits: u32,
    pub(super) offset_bits: u32,
    /// How many bits each term's value needs as a signed number, and whether it was computed without wrapping.
    magnitudes: Vec<(u8, bool)>,
}

impl<'a> Transfer<'a> {
    /// `order`: the terms that will be evaluated, arguments first.
    /// Some products are taken not to wrap.
    pub(super) fn new(store: &'a Store, machine: &cfa::Machine, order: &[Term], scaled: &Scaled) -> Transfer<'a> {
        let mut transfer = Transfer {
            store,
            pointer_bits: machine.pointer_bits(),
            offset_bits: machine.offset_bits,
            magnitudes: vec![(255, false); store.len()],
        };
        for &t in order {
            transfer.magnitudes[t.index()] =
                scaled.bits(store, t).map_or_else(|| transfer.magnitude_of(t), |bits| (bits as u8, true));
        }
        transfer
    }

    pub(super) fn is_without_wrapping(&self, t: Term) -> bool {
        self.magnitudes[t.index()].1
    }

    fn magnitude_of(&self, t: Term) -> (u8, bool) {
        let Sort::Bv(width) = self.store.sort(t) else { return (255, false) };
        if width > 64 {
            return (255, false);
        }
        let args = self.store.args(t);
        let arg = |i: usize| self.magnitudes[args[i].index()].0 as u32;
        let needed = match self.store.op(t) {
            Op::BvConst(_) => self.constant(t).map_or(width, |c| 65 - (c ^ (c >> 63)).leading_zeros()),
            Op::BvAdd => arg(0).max(arg(1)) + 1,
            Op::BvNeg => arg(0) + 1,
            Op::BvMul => arg(0) + arg(1),
            Op::BvShl => match self.constant(args[1]) {
                Some(by) if by < 64 => arg(0) + by as u32,
                _ => width,
            },
            Op::Ite => arg(1).max(arg(2)),
            Op::SignExtend(_) => arg(0),
            Op::ZeroExtend(by) => width - by + 1,
            Op::BvAnd => match self.constant(args[1]) {
                Some(mask) if mask >= 0 => 65 - mask.leading_zeros(),
                _ => width,
            },
            _ => width,
        };
        (needed.min(width) as u8, needed <= width)
    }

    /// The number of bits that hold the term's value as a signed number.
    pub(super) fn bits(&self, t: Term) -> u32 {
        match self.magnitudes[t.index()].0 {
            255 => self.store.sort(t).bv_width().unwrap_or(255),
            bits => bits as u32,
        }
    }

    /// A literal of at most 64 bits, read as signed.
    pub(super) fn constant(&self, t: Term) -> Option<i64> {
        constant(self.store, t)
    }

    /// The value of `t`, given those of its arguments.
    pub(super) fn eval(&self, t: Term, kind: SumKind, value_of: impl Fn(Term) -> Value, found: &mut Findings) -> Value {
        let op = self.store.op(t);
        let args = self.store.args(t);
        let width = match self.store.sort(t) {
            Sort::Bv(width) if width <= 64 => width,
            Sort::Bv(_) | Sort::Float(_) => return self.mixed(args, value_of, found),
            Sort::Bool | Sort::Array(_) => return Value::default(),
        };
        let arg = |i: usize| value_of(args[i]);
        let nowrap = self.magnitudes[t.index()].1;
        let fit = |c: Congruence| if nowrap { c } else { c.wrapped(width) };
        match op {
            Op::BvConst(_) => Value::number(self.constant(t).map_or(Congruence::ANY, Congruence::exact)),
            Op::Ite => join(arg(1), arg(2), found),
            Op::BvAdd if kind != SumKind::Any => {
                let sum = self.sum(arg(0), arg(1), kind == SumKind::Distance, found);
                Value { number: sum.number.map(fit), ..sum }
            }
            Op::BvNeg => {
                let a = arg(0);
                let flip = |p: Pointer| match p.mangled {
                    true => p,
                    false => Pointer::to(p.class, p.offset.neg()),
                };
                Value {
                    number: a.number.map(|n| fit(n.neg())),
                    pointer: a.negated.map(flip),
                    negated: a.pointer.map(flip),
                }
            }
            Op::BvMul | Op::BvShl if arg(0).class().is_none() && arg(1).class().is_none() => {
                let factor = match op {
                    Op::BvMul => arg(1).number,
                    _ => {
                        self.constant(args[1]).and_then(|by| (0..62).contains(&by).then(|| Congruence::exact(1 << by)))
                    }
                };
                match (arg(0).number, factor) {
                    (Some(a), Some(b)) => Value::number(fit(a.mul(b))),
                    (Some(_), None) if op == Op::BvShl && !arg(1).is_none() => Value::number(Congruence::ANY),
                    _ => Value::default(),
                }
            }
            Op::SignExtend(_) if arg(0).class().is_none() => arg(0),
            Op::ZeroExtend(by) if arg(0).class().is_none() => {
                let from = width - by;
                let extended = |n: Congruence| match n.as_exact() {
                    Some(r) => Congruence::exact(r & ((1i128 << from) - 1) as i64),
                    None => n.wrapped(from),
                };
                Value { number: arg(0).number.map(extended), ..Value::default() }
            }
            Op::Extract { hi, lo } => self.extract(args[0], arg(0), hi, lo, found),
            Op::Concat if arg(0).class().is_none() && arg(1).class().is_none() => {
                let low_width = self.store.width(args[1]);
                match (arg(0).number, arg(1).number) {
                    (Some(high), Some(low)) if low_width < 62 => {
                        let low = match low.as_exact() {
                            Some(r) => Congruence::exact(r & ((1i64 << low_width) - 1)),
                            None => low.wrapped(low_width),
                        };
                        Value::number(high.mul(Congruence::exact(1 << low_width)).add(low))
                    }
                    (Some(_), Some(_)) => Value::number(Congruence::ANY),
                    _ => Value::default(),
                }
            }
            Op::BvAnd | Op::BvOr | Op::BvXor => match self.constant(args[1]) {
                Some(mask) if width == self.pointer_bits || arg(0).class().is_none() => {
                    self.masked(op, arg(0), mask, width, found)
                }
                _ => self.mixed(args, value_of, found),
            },
            Op::Select => Value::number(Congruence::ANY),
            _ => self.mixed(args, value_of, found),
        }
    }

    /// Any function of the arguments.
    fn mixed(&self, args: &[Term], value_of: impl Fn(Term) -> Value, found: &mut Findings) -> Value {
        let mut class = None;
        let mut arrived = true;
        for &a in args {
            let scalar = !matches!(self.store.sort(a), Sort::Bool | Sort::Array(_));
            let value = value_of(a);
            arrived &= !scalar || !value.is_none();
            for other in [value.pointer, value.negated].into_iter().flatten().map(|p| p.class) {
                if let Some(class) = class {
                    found.met.push((class, other));
                }
                class = class.or(Some(other));
            }
        }
        Value { number: arrived.then_some(Congruence::ANY), pointer: class.map(Pointer::mangled), negated: None }
    }

    fn sum(&self, a: Value, b: Value, is_distance: bool, found: &mut Findings) -> Value {
        let mut result = Value { number: a.number.zip(b.number).map(|(x, y)| x.add(y)), ..Value::default() };
        let add = |slot: &mut Value, value: Value, found: &mut Findings| *slot = join(*slot, value, found);
        for (x, y) in [(a, b), (b, a)] {
            if let (Some(p), Some(q)) = (x.pointer, y.negated) {
                // Objects may differ within the class: nothing is known of the difference of their numbers. Should the
                // classes differ in the end, `points_to` unites them.
                add(&mut result, Value::number(Congruence::ANY), found);
                found.difference = Some((p.class, q.class));
                continue;
            }
            // A pointer less a number, or a number less a pointer, is no difference of pointers.
            if is_distance {
                continue;
            }
            if let (Some(p), Some(n)) = (x.pointer, y.number) {
                add(&mut result, Value::pointer(p.moved(n)), found);
            }
            if let (Some(p), Some(n)) = (x.negated, y.number)
                && y.pointer.is_none()
            {
                add(&mut result, Value { negated: Some(p.moved(n)), ..Value::default() }, found);
            }
        }
        for (x, y) in [(a.pointer, b.pointer), (a.negated, b.negated)] {
            if let (Some(p), Some(q)) = (x, y) {
                found.met.push((p.class, q.class));
                add(&mut result, Value::pointer(Pointer::mangled(p.class)), found);
            }
        }
        result
    }

    fn extract(&self, from: Term, value: Value, hi: u32, lo: u32, found: &mut Findings) -> Value {
        let bits = |n: Congruence| -> Congruence {
            match n.as_exact() {
                Some(r) if hi < 64 => Congruence::exact(sign_extended(r >> lo, hi - lo + 1)),
                _ if lo == 0 && self.bits(from) <= hi + 1 => n,
                _ if lo == 0 => n.wrapped(hi + 1),
                _ => n.shifted_right(lo).wrapped(hi - lo + 1),
            }
        };
        let mut result = Value { number: value.number.map(bits), ..Value::default() };
        for p in [value.pointer, value.negated].into_iter().flatten() {
            let below_object = hi < self.offset_bits && self.store.sort(from) == Sort::Bv(self.pointer_bits);
            let part = if below_object && !p.mangled {
                Value::number(p.offset.wrapped(self.offset_bits.min(hi + 1)).shifted_right(lo))
            } else {
                Value::pointer(Pointer::mangled(p.class))
            };
            result = join(result, part, found);
        }
        result
    }

    /// `value op mask` for a literal mask: alignment tricks and tagged pointers keep what they can.
    fn masked(&self, op: Op, value: Value, mask: i64, width: u32, found: &mut Findings) -> Value {
        let low = |c: Congruence| -> Congruence {
            let two = if c.is_exact() { 1 << 62 } else { c.m & c.m.wrapping_neg() };
            let known = match op {
                Op::BvAnd => c.r & mask,
                Op::BvOr => c.r | mask,
                _ => c.r ^ mask,
            };
            if c.is_exact() {
                return Congruence::exact(sign_extended(known, width));
            }
            // Low zeros of an and-mask make the result a multiple, whatever the value.
            let zeros = if op == Op::BvAnd { 1u64 << mask.trailing_zeros().min(61) } else { 1 };
            if zeros > two { Congruence::new(0, zeros as u128) } else { Congruence::new(known as i128, two as u128) }
        };
        let object_mask = !0i64 << self.offset_bits.min(63);
        let keeps_object = match op {
            Op::BvAnd => mask & object_mask == sign_extended(object_mask, width) || mask & object_mask == object_mask,
            _ => mask >= 0 && mask & object_mask == 0,
        };
        let drops_object = op == Op::BvAnd && mask >= 0 && mask & object_mask == 0;
        let mut result = Value { number: value.number.map(low), ..Value::default() };
        if let Some(p) = value.pointer {
            if drops_object && !p.mangled {
                result.number = Some(result.number.map_or(Congruence::ANY, |_| Congruence::ANY));
            } else if keeps_object && !p.mangled {
                result.pointer = Some(Pointer::starting(p.class, low(p.offset), p.from));
            } else {
                result.pointer = Some(Pointer::mangled(p.class));
            }
        }
        if let Some(p) = value.negated {
            result = join(result, Value::pointer(Pointer::mangled(p.class)), found);
        }
        result
    }
}

/// A literal of at most 64 bits, read as signed.
pub(super) fn constant(store: &Store, t: Term) -> Option<i64> {
    let bits = store.as_bv_const(t)?;
    if bits.width() > 64 {
        return None;
    }
    bits.to_i128().and_then(|c| i64::try_from(c).ok())
}

/// Either value. Classes that meet here are one from now on.
pub(super) fn join(a: Value, b: Value, found: &mut Findings) -> Value {
    let mut either = |x: Option<Pointer>, y: Option<Pointer>| match (x, y) {
        (Some(p), Some(q)) => {
            if p.class != q.class {
                found.met.push((p.class, q.class));
            }
            let mangled = p.mangled || q.mangled;
            Some(match mangled {
                true => Pointer::mangled(p.class),
                false => Pointer::starting(p.class, p.offset.join(q.offset), p.from.min(q.from)),
            })
        }
        (p, q) => p.or(q),
    };
    Value {
        pointer: either(a.pointer, b.pointer),
        negated: either(a.negated, b.negated),
        number: match (a.number, b.number) {
            (Some(x), Some(y)) => Some(x.join(y)),
            (x, y) => x.or(y),
        },
    }
}
