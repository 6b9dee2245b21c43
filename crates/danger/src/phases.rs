//! Variables that are set to few constants and to nothing else: they tell phases of a loop apart.

use crate::limits::facts::MOST_PHASES;
use cfa::{Op, Program, Var};
use std::collections::{BTreeMap, BTreeSet};
use term::{Op as TermOp, Sort, Store, Term};

/// By variable, the constants.
pub(crate) struct Phases(BTreeMap<Var, BTreeSet<Term>>);

/// Among the variables.
pub(crate) fn phases(program: &Program, vars: &[Var]) -> Phases {
    let mut known: BTreeMap<Var, Option<BTreeSet<Term>>> = BTreeMap::new();
    for edge in program.main().edges.values() {
        let Op::Assign(pairs) = &edge.op else {
            known.extend(edge.op.written().into_iter().map(|var| (var, None)));
            continue;
        };
        for (var, value) in pairs {
            let values = known.entry(*var).or_insert_with(|| Some(BTreeSet::new()));
            *values = values.take().and_then(|values| Some(&values | &constants(&program.terms, *value)?));
        }
    }
    let is_phase = |var: &Var| vars.contains(var) && matches!(program.vars[*var].sort, Sort::Bv(_));
    let few = known.into_iter().filter_map(|(var, values)| Some((var, values.filter(|v| v.len() <= MOST_PHASES)?)));
    Phases(few.filter(|(var, _)| is_phase(var)).collect())
}

impl Phases {
    pub(crate) fn contains(&self, var: Var) -> bool {
        self.0.contains_key(&var)
    }

    /// That a variable has one of its values.
    pub(crate) fn conditions(&self, program: &Program, terms: &mut Store) -> Vec<Term> {
        let all = self.0.iter().flat_map(|(var, values)| values.iter().map(|value| (*var, *value)));
        all.map(|(var, value)| terms.eq(program.term(var), value)).collect()
    }
}

/// The constants that a term chooses between; `None` if it may be anything else.
fn constants(terms: &Store, t: Term) -> Option<BTreeSet<Term>> {
    match terms.op(t) {
        TermOp::Ite => Some(&constants(terms, terms.arg(t, 1))? | &constants(terms, terms.arg(t, 2))?),
        _ => terms.is_const(t).then(|| BTreeSet::from([t])),
    }
}
