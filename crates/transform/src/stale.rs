//! Variables that are not what the user thinks.
//!
//! Where a write that nothing rests on is taken away, the variable keeps what it held before, until the next write. Nothing
//! rests on that at first; but copies of the older value may then be replaced by the variable, and engines may find relations
//! of it. So the heads of loops remember such variables ([`cfa::Location::stale`]): nobody is told anything about them there.

use crate::limits::stale::MAX_STEPS;
use base::{Id, Table};
use cfa::{Edge, Func, Loc, Program, Var};
use flow::TermVars;
use std::collections::{BTreeMap, BTreeSet};

/// Notes the variables at the heads that their older values come to, now that these writes are gone; and says what is new.
pub(crate) fn mark(program: &mut Program, function: Func, gone: &[(Edge, Var)]) -> BTreeMap<Loc, Vec<Var>> {
    let mut new: BTreeMap<Loc, Vec<Var>> = BTreeMap::new();
    let f = &program.functions[function];
    if gone.is_empty() || f.locs.values().all(|location| location.loop_span.is_none()) {
        return new;
    }
    // Of variables that do not occur any more, nobody says anything.
    let mut occur: BTreeSet<Var> = BTreeSet::new();
    let mut vars = TermVars::of(program);
    for edge in f.edges.values() {
        vars.each(&program.terms, &edge.op.terms(), |v: Var| _ = occur.insert(v));
        occur.extend(edge.op.written());
    }
    let mut starts: BTreeMap<Var, Vec<Loc>> = BTreeMap::new();
    for (e, v) in gone {
        if program.vars[*v].source.is_some() && occur.contains(v) {
            starts.entry(*v).or_default().push(f.edges[*e].to);
        }
    }
    let successors = f.successors();
    let written: Vec<Vec<Var>> = f.edges.values().map(|edge| edge.op.written()).collect();
    // The last variable that each location was seen for.
    let mut seen: Table<Loc, Option<Var>> = Table::filled(None, f.locs.len());
    let mut steps = MAX_STEPS;
    let mut nameless = Vec::new();
    for (var, mut work) in starts {
        if steps == 0 {
            nameless.push(var);
            continue;
        }
        while let Some(l) = work.pop() {
            if seen[l].replace(var) == Some(var) {
                continue;
            }
            steps = steps.saturating_sub(1);
            if f.locs[l].loop_span.is_some() {
                new.entry(l).or_default().push(var);
            }
            let keeps = successors[l].iter().filter(|e| !written[e.index()].contains(&var));
            work.extend(keeps.map(|e| f.edges[*e].to));
        }
    }
    for var in nameless {
        program.vars[var].source = None;
    }
    let f = &mut program.functions[function];
    for (l, vars) in &new {
        let stale = &mut f.locs[*l].stale;
        stale.extend(vars);
        stale.sort_unstable();
        stale.dedup();
    }
    new
}
