//! Assignments: `=`, compound assignment, `++` and `--`. The place is evaluated once, then the value; the place is read
//! after that, or before it where C leaves that open and it is not the same (see `order`).

use cfa::Property;
use cfront::hir::{BinaryOp, ElemSize, Expr, ExprKind};
use cfront::types::{Ty, Type};
use term::{FloatValue, Sort, Term};

use crate::context::Lowering;
use crate::effects::Effects;
use crate::place::{Memory, Place};

impl Lowering<'_> {
    /// Performs the assignment `e`; gives its value.
    pub(crate) fn assignment(&mut self, e: &Expr) -> Term {
        match &e.kind {
            ExprKind::Assign(place, value) => {
                let (at, value) = self.place_and_value(place, value);
                self.check_writable(place, &at);
                self.write(&at, value, place.ty, place)
            }
            ExprKind::AssignOp { op, place, value, compute } => self.assign_op(*op, place, value, *compute, e),
            ExprKind::AssignPtrAdd { place, index, size, negative } => {
                let effects = Effects::of(index);
                if !(effects.none() && Effects::of(place).none()) {
                    self.refuse_unsequenced_step(place, index);
                }
                let at = self.place(place);
                let at = self.stable_place(at, &effects);
                // The index is evaluated before the pointer is read, so the sum is built from its value.
                let mut sum = Memory::at(self.word(0));
                self.add_index(&mut sum, index, size, *negative);
                sum.base = self.read(&at, place.ty, place);
                self.check_writable(place, &at);
                let value = self.pointer_value(&sum, e);
                self.write_back(&at, value, place.ty)
            }
            ExprKind::IncDec { place, decrement, postfix, size } => {
                self.increment(place, *decrement, *postfix, size.as_ref(), e)
            }
            _ => self.value(e),
        }
    }

    fn assign_op(&mut self, op: BinaryOp, place: &Expr, value: &Expr, compute: Ty, e: &Expr) -> Term {
        let (at, old, right) = self.place_and_values(place, value);
        self.check_writable(place, &at);
        let left = self.convert(old, place.ty, compute);
        let asked = self.place_asked(op, place, value);
        let exact = self.binary(op, left, right, compute, e);
        let any = self.any_result(op, place, value, compute);
        let result = self.placeless(asked, any, left, right, exact);
        let new = self.convert(result, compute, place.ty);
        self.check_conversion(result, compute, new, place.ty, e);
        self.check_bits(&at, new, place.ty, e);
        self.write_back(&at, new, place.ty)
    }

    /// `++`, `--`. A `postfix` one gives the old value.
    pub(crate) fn increment(
        &mut self,
        place: &Expr,
        decrement: bool,
        postfix: bool,
        size: Option<&ElemSize>,
        e: &Expr,
    ) -> Term {
        let at = self.place(place);
        let mut old = self.read(&at, place.ty, place);
        self.check_writable(place, &at);
        if postfix && matches!(at, Place::Scalar(_)) {
            old = self.snapshot(old);
        }
        let ty = place.ty;
        let new = match self.terms().sort(old) {
            Sort::Float(format) => {
                let mut one = FloatValue::one(format);
                if decrement {
                    one = one.neg();
                }
                let one = self.terms().float(one);
                let new = self.rounded(false, |terms, mode| terms.fp_add(mode, old, one));
                self.check_float(new, &[old], e);
                new
            }
            _ if self.unit.types.is_pointer(ty) => {
                let mut sum = Memory::at(old);
                match size {
                    Some(ElemSize::Dynamic(bytes)) => {
                        let (bytes, width) = (self.value(bytes), self.pointer_width());
                        let mut bytes = self.terms().resize(bytes, width, false);
                        if decrement {
                            bytes = self.terms().neg(bytes);
                        }
                        sum.indices.push(crate::place::Index { term: bytes, scale: 1 });
                    }
                    Some(ElemSize::Const(n)) => sum.offset = if decrement { -i128::from(*n) } else { i128::from(*n) },
                    None => sum.offset = if decrement { -1 } else { 1 },
                }
                self.pointer_value(&sum, e)
            }
            Sort::Bv(width) => {
                let bits = match &at {
                    Place::Memory(Memory { bits: Some(bits), .. }) => bits.width,
                    _ => width,
                };
                self.step_integer(old, bits, ty, decrement, e)
            }
            _ => old,
        };
        self.check_bits(&at, new, ty, e);
        let written = self.write_back(&at, new, ty);
        if postfix { old } else { written }
    }

    /// One more or one less than a value that has so many bits (of a bit-field, or all of its type).
    fn step_integer(&mut self, old: Term, bits: u32, ty: Ty, decrement: bool, e: &Expr) -> Term {
        let width = self.terms().width(old);
        // Narrower types are computed in `int`, where one more always fits; wider bit-fields in a type of so many bits.
        let is_narrow = bits < 32;
        if !is_narrow || self.checks_arithmetic(Property::Conversion) && bits == width {
            let (value, one) = (self.terms().extract(old, bits - 1, 0), self.terms().bv(1, bits));
            let overflow = match (decrement, self.is_signed(ty)) {
                (true, true) => self.terms().ssubo(value, one),
                (true, false) => self.terms().usubo(value, one),
                (false, true) => self.terms().saddo(value, one),
                (false, false) => self.terms().uaddo(value, one),
            };
            let is_truth = matches!(self.unit.types[ty], Type::Bool);
            if !is_narrow {
                self.check_overflow(overflow, ty, e);
            } else if !is_truth {
                let fits = self.terms().not(overflow);
                self.require_fit(fits, ty, e, Property::Conversion);
            }
        }
        let one = self.terms().bv(1, width);
        let new = if decrement { self.terms().sub(old, one) } else { self.terms().add(old, one) };
        if matches!(self.unit.types[ty], Type::Bool) {
            let truth = self.truth(new);
            return self.terms().bool_to_bv(truth, width);
        }
        new
    }
}
