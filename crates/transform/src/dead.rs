//! Assignments whose value nothing observable ever rests on.
//!
//! Needed are the versions that conditions and effects read, and what those are computed from: also `x := x + 1` in a loop
//! goes when nobody else looks at `x`. In function form, globals and results are seen from outside.

use crate::edit::Facts;
use base::Id;
use cfa::{Edge, Func, Op, Program, Var, VarKind};
use flow::{Def, Site, TermVars};

/// Removes dead writes of one function; the graph stays as it is. Says which writes are gone.
pub(crate) fn remove_dead(
    program: &mut Program,
    function: Func,
    facts: &Facts,
    vars: &mut TermVars,
) -> Vec<(Edge, Var)> {
    let needed = needed(program, function, facts, vars);
    let kept = |e: Edge, i: usize| needed[facts.ssa.made(e, i).index()];
    let mut gone = Vec::new();
    for (e, edge) in program.functions[function].edges.iter_mut() {
        let writes = facts.accesses.writes(e);
        if writes.is_empty() || (0..writes.len()).all(|i| kept(e, i)) || !facts.dom.contains(edge.from) {
            continue;
        }
        let mut retain = |i: usize, v: Var| {
            let stays = kept(e, i);
            if !stays {
                gone.push((e, v));
            }
            stays
        };
        match &mut edge.op {
            Op::Assign(pairs) => {
                let mut i = 0;
                pairs.retain(|(v, _)| {
                    i += 1;
                    retain(i - 1, *v)
                });
            }
            Op::Havoc { vars, .. } => {
                let mut i = 0;
                vars.retain(|v| {
                    i += 1;
                    retain(i - 1, *v)
                });
            }
            // Reading memory has no effect; whether the address is valid was checked before.
            Op::Load { dst, .. } => {
                gone.push((e, *dst));
                edge.op = Op::Assign(Vec::new());
            }
            _ => {}
        }
    }
    gone
}

/// Whether an edge does more than change the variables it writes.
fn has_effect(op: &Op) -> bool {
    !matches!(op, Op::Assign(_) | Op::Havoc { .. } | Op::Load { .. })
}

fn needed(program: &Program, function: Func, facts: &Facts, vars: &mut TermVars) -> Vec<bool> {
    let f = &program.functions[function];
    let inlined = program.functions.len() == 1;
    let seen_outside = |v: Var| !inlined && (Some(v) == f.result || !matches!(program.vars[v].kind, VarKind::Local(_)));
    let mut needed = vec![false; facts.ssa.defs.len()];
    let mut work: Vec<Def> = Vec::new();
    let mut need = |d: Def, work: &mut Vec<Def>| {
        if !std::mem::replace(&mut needed[d.index()], true) {
            work.push(d);
        }
    };
    for l in facts.dom.preorder() {
        for e in facts.graph.succs(l) {
            if has_effect(&f.edges[*e].op) {
                facts.ssa.uses(*e).iter().for_each(|d| need(*d, &mut work));
            }
            for (i, v) in facts.accesses.writes(*e).iter().enumerate() {
                if seen_outside(*v) {
                    need(facts.ssa.made(*e, i), &mut work);
                }
            }
        }
    }
    while let Some(d) = work.pop() {
        match facts.ssa.defs[d].site {
            Site::Entry => {}
            Site::Join(_, n) => facts.ssa.join_args(n).iter().for_each(|(_, d)| need(*d, &mut work)),
            Site::Edge(e) => match &f.edges[e].op {
                // Only the right side of this variable.
                Op::Assign(pairs) if pairs.len() > 1 => {
                    let t = pairs.iter().find(|(v, _)| *v == facts.ssa.defs[d].var).expect("written here").1;
                    facts.each_version(vars, &program.terms, e, t, |d| need(d, &mut work));
                }
                _ => facts.ssa.uses(e).iter().for_each(|d| need(*d, &mut work)),
            },
        }
    }
    needed
}
