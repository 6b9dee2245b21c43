//! Which variables of a program with functions may hold an address, or what was computed from one.
//!
//! Addresses come from allocations and from outside of the program; assignments, calls, results and memory pass them on. Memory is
//! one place here, and the order of statements does not matter. A condition passes no address on, only a choice between values.
//!
//! Whoever replaces code by "any values" needs to know: an address that comes from nowhere points at nothing that the memory pass
//! knows of, so that what is written through it would be lost.

use crate::memory::is_pointer;
use cfa::{Op, Origin, Program, Var};
use std::collections::BTreeSet;
use term::{Sort, Store, Term};

/// The variables, of all functions.
pub(crate) fn holders(program: &Program) -> BTreeSet<Var> {
    let edges = || program.functions.values().flat_map(|function| function.edges.values());
    let escapes = edges().any(|edge| matches!(edge.op, Op::Escape { .. } | Op::Disturb { .. }));
    let mut holders = BTreeSet::new();
    // Code outside of the program may write what it knows wherever it gets to.
    let mut memory = escapes;
    // From a variable, or from memory (`None`), to another.
    let mut flows: Vec<(Option<Var>, Option<Var>)> = Vec::new();
    let mut flow = |value: Term, to: Option<Var>| {
        flows.extend(parts(program, value).into_iter().map(|var| (Some(var), to)));
    };
    for edge in edges() {
        match &edge.op {
            Op::Assign(pairs) => pairs.iter().for_each(|(var, value)| flow(*value, Some(*var))),
            Op::Havoc { vars, origin: Origin::Extern(_) } if escapes => holders.extend(vars),
            Op::Havoc { vars, origin: Origin::Extern(_) | Origin::Input(_) } => {
                holders.extend(vars.iter().filter(|var| is_pointer(program, **var)));
            }
            Op::Alloc { dst, .. } => holders.extend([*dst]),
            Op::Store { value, .. } | Op::Fill { value, .. } => flow(*value, None),
            Op::Call { callee, args, dst } => {
                let called = &program.functions[*callee];
                called.params.iter().zip(args).for_each(|(param, value)| flow(*value, Some(*param)));
                if let (Some(result), Some(dst)) = (called.result, dst) {
                    flow(program.term(result), Some(*dst));
                }
            }
            _ => {}
        }
    }
    for edge in edges() {
        if let Op::Load { dst, .. } = &edge.op {
            flows.push((None, Some(*dst)));
        }
    }
    loop {
        let before = (holders.len(), memory);
        for (from, to) in &flows {
            if from.map_or(memory, |var| holders.contains(&var)) {
                match to {
                    Some(var) => _ = holders.insert(*var),
                    None => memory = true,
                }
            }
        }
        if (holders.len(), memory) == before {
            return holders;
        }
    }
}

/// The variables whose values may be parts of the term's value.
fn parts(program: &Program, value: Term) -> Vec<Var> {
    let store: &Store = &program.terms;
    let (mut seen, mut open, mut out) = (BTreeSet::new(), vec![value], Vec::new());
    while let Some(term) = open.pop() {
        if store.sort(term) == Sort::Bool || !seen.insert(term) {
            continue;
        }
        out.extend(program.var_of(term));
        open.extend(store.args(term));
    }
    out
}
