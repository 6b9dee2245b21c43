//! What terms of a program are in a state of a run.

use cfa::Program;
use interpreter::State;
use term::{Store, Term, Value};

/// The state of a run as values of the program's variables.
struct Now<'s>(&'s Program, &'s State<'s>);

impl term::Assignment for Now<'_> {
    fn value(&self, _: &Store, var: Term) -> Option<Value> {
        self.1.value(self.0.var_of(var)?)
    }
}

/// What an address or a length is at the moment.
pub fn word(program: &Program, state: &State<'_>, t: Term) -> Option<u64> {
    if let Some(var) = program.var_of(t) {
        return state.word(var);
    }
    if let Some(bits) = program.terms.as_bv_const(t) {
        return bits.to_u64();
    }
    // What addresses are mostly made of, without a table of values.
    let of = |i: usize| word(program, state, program.terms.arg(t, i));
    let width = |t: Term| program.terms.sort(t).bv_width().filter(|width| *width <= 64);
    let cut = |word: u64, width: u32| word & (u64::MAX >> (64 - width));
    match (program.terms.op(t), width(t)) {
        (term::Op::BvAdd, Some(width)) => return Some(cut(of(0)?.wrapping_add(of(1)?), width)),
        (term::Op::BvMul, Some(width)) => return Some(cut(of(0)?.wrapping_mul(of(1)?), width)),
        (term::Op::BvAnd, Some(_)) => return Some(of(0)? & of(1)?),
        (term::Op::ZeroExtend(_), Some(_)) => return of(0),
        (term::Op::SignExtend(_), Some(all)) => {
            let unused = 64 - width(program.terms.arg(t, 0))?;
            return Some(cut(((of(0)? << unused).cast_signed() >> unused).cast_unsigned(), all));
        }
        _ => {}
    }
    term::eval::eval(&program.terms, t, &Now(program, state)).ok()?.as_bits()?.to_u64()
}
