//! One edge backwards: the *existential* pre-image.
//!
//! A state is in the pre-image of `after` when the edge **can** be taken from it into `after`: an assumption is conjoined,
//! an assignment substituted, and a havocked variable is quantified by *there is a value*. This is what backward search for
//! errors needs. It is neither the liberal precondition (assume = implication, havoc = for all), which says that an edge
//! cannot miss `after`, nor the one of danger proofs, where somebody has to name the value.
//!
//! Quantifiers are not written down: a symbol in the result that is no program variable stands for some value. It was
//! made fresh by this edge, so pre-images of different paths never share one; [`mod@crate::eliminate`] removes it where it can.

use crate::eliminate::eliminate;
use cfa::{Op, Program};
use term::subst::Substitution;
use term::{Store, Term};

/// The states from which `op` can be taken into `after`.
pub fn existential_pre(program: &Program, terms: &mut Store, op: &Op, after: Term) -> Term {
    match op {
        Op::Assume(condition) => terms.and(*condition, after),
        Op::Assign(pairs) => {
            let mut values = Substitution::new();
            for (var, t) in pairs {
                values.insert(terms, program.term(*var), *t);
            }
            values.apply(terms, after)
        }
        Op::Havoc { vars, .. } => {
            let mentioned = term::walk::free_vars(terms, &[after]);
            let mut values = Substitution::new();
            let mut symbols = Vec::new();
            for var in vars {
                let t = program.term(*var);
                if mentioned.binary_search(&t).is_ok() {
                    let some = terms.fresh(program.name(*var), program.vars[*var].sort);
                    values.insert(terms, t, some);
                    symbols.push(some);
                }
            }
            let renamed = values.apply(terms, after);
            eliminate(terms, renamed, &symbols)
        }
        _ => unreachable!("engines work on flat programs: {op:?}"),
    }
}

/// The symbols in `formula` that stand for inputs: they are no program variables.
pub fn inputs_in(program: &Program, terms: &Store, formula: Term) -> Vec<Term> {
    let mut free = term::walk::free_vars(terms, &[formula]);
    free.retain(|t| program.var_of(*t).is_none());
    free
}
