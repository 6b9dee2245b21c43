//! Formulas with comparisons as truth values of their own: what is left is quickly asked about.

use rustc_hash::FxHashMap;
use term::{Op, Sort, Store, Term};

/// The truth values that stand for comparisons.
#[derive(Default)]
pub(crate) struct Skeleton {
    known: FxHashMap<Term, Term>,
}

impl Skeleton {
    /// The formula with variables in place of what is not made of formulas.
    pub(crate) fn of(&mut self, terms: &mut Store, formula: Term) -> Term {
        let mut stack = vec![formula];
        while let Some(&top) = stack.last() {
            if self.known.contains_key(&top) {
                stack.pop();
                continue;
            }
            let args = terms.args(top).to_vec();
            let is_structure = matches!(terms.op(top), Op::Not | Op::And | Op::Or | Op::Xor | Op::Ite | Op::Eq)
                && args.iter().all(|arg| terms.sort(*arg) == Sort::Bool);
            if !is_structure {
                let is_plain = matches!(terms.op(top), Op::True | Op::False | Op::Var(_));
                let new = if is_plain { top } else { terms.fresh("atom", Sort::Bool) };
                self.known.insert(top, new);
            } else if let Some(open) = args.iter().find(|arg| !self.known.contains_key(arg)) {
                stack.push(*open);
            } else {
                let args: Vec<Term> = args.iter().map(|arg| self.known[arg]).collect();
                let new = terms.mk(terms.op(top), &args);
                self.known.insert(top, new);
            }
        }
        self.known[&formula]
    }
}
