//! Inputs worth trying, for each place that reads one: what the value is compared with, and one value besides.
//!
//! The value is followed through copies. A bound of an inequation stands for its two sides, so its neighbours count too.

use base::Table;
use cfa::{Op, Program, Var};
use std::collections::{BTreeMap, BTreeSet};
use term::{Op as TermOp, Sort, Term};

pub(super) struct Alternatives(Table<Var, Vec<u64>>);

impl Alternatives {
    /// At most so many for each, and one besides.
    pub(super) fn of(program: &Program, most: usize) -> Alternatives {
        let compared = compared(program);
        let copies = copies(program);
        let mut found = Table::filled(vec![0], program.vars.len());
        let inputs = program.main().edges.values().filter_map(|edge| match &edge.op {
            Op::Havoc { vars, .. } => Some(vars),
            _ => None,
        });
        for var in inputs.flatten() {
            found[*var] = alternatives(program.vars[*var].sort, reached(*var, &copies), &compared, most);
        }
        Alternatives(found)
    }

    /// At least one.
    pub(super) fn at(&self, var: Var) -> &[u64] {
        &self.0[var]
    }
}

fn alternatives(
    sort: Sort,
    variables: BTreeSet<Var>,
    compared: &BTreeMap<Var, BTreeSet<u64>>,
    most: usize,
) -> Vec<u64> {
    let Sort::Bv(width) = sort else { return vec![0, 1] };
    let mask = u64::MAX >> (64 - width.clamp(1, 64));
    let mut values: BTreeSet<u64> =
        variables.iter().filter_map(|v| compared.get(v)).flatten().map(|c| c & mask).collect();
    if values.is_empty() {
        // Nobody compares it with a constant.
        values.extend([0, 1, 2, mask].map(|c| c & mask));
    }
    let mut values: Vec<u64> = values.into_iter().take(most).collect();
    let other = (0..=mask).find(|c| values.binary_search(c).is_err());
    values.extend(other);
    values
}

/// The variables that get the value by copies alone.
fn reached(var: Var, copies: &BTreeMap<Var, BTreeSet<Var>>) -> BTreeSet<Var> {
    let mut reached = BTreeSet::from([var]);
    let mut work = vec![var];
    while let Some(next) = work.pop().and_then(|v| copies.get(&v)) {
        work.extend(next.iter().filter(|v| reached.insert(**v)));
    }
    reached
}

/// Which variables are assigned the value of each.
fn copies(program: &Program) -> BTreeMap<Var, BTreeSet<Var>> {
    let mut copies: BTreeMap<Var, BTreeSet<Var>> = BTreeMap::new();
    for edge in program.main().edges.values() {
        let Op::Assign(pairs) = &edge.op else { continue };
        for (to, value) in pairs {
            if let Some(from) = variable(program, *value) {
                copies.entry(from).or_default().insert(*to);
            }
        }
    }
    copies
}

/// The variable that a term is, but for its width.
fn variable(program: &Program, mut t: Term) -> Option<Var> {
    while matches!(program.terms.op(t), TermOp::ZeroExtend(_) | TermOp::SignExtend(_) | TermOp::Extract { .. }) {
        t = program.terms.arg(t, 0);
    }
    program.var_of(t)
}

/// The constants that each variable is compared with.
fn compared(program: &Program) -> BTreeMap<Var, BTreeSet<u64>> {
    let roots: Vec<Term> = program.main().edges.values().flat_map(|edge| edge.op.terms()).collect();
    let mut compared: BTreeMap<Var, BTreeSet<u64>> = BTreeMap::new();
    let terms = &program.terms;
    for t in term::walk::postorder(terms, &roots) {
        let is_equation = match terms.op(t) {
            TermOp::Eq => true,
            TermOp::BvUlt | TermOp::BvUle | TermOp::BvSlt | TermOp::BvSle => false,
            _ => continue,
        };
        for (one, other) in [(0, 1), (1, 0)] {
            let Some(var) = variable(program, terms.arg(t, one)) else { continue };
            let Some(constant) = terms.as_bv_const(terms.arg(t, other)).and_then(|c| c.to_u64()) else { continue };
            let values = compared.entry(var).or_default();
            values.insert(constant);
            if !is_equation {
                values.extend([constant.wrapping_sub(1), constant.wrapping_add(1)]);
            }
        }
    }
    compared
}
