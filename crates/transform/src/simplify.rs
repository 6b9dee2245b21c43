//! Simplification that helps every engine: propagation, dead code, merging of edges, in rounds until little changes.
//!
//! Exact: the same targets are reached by the same inputs, in the same loops. Inputs that decide nothing disappear.

use crate::dead::remove_dead;
use crate::edit::{Aim, Facts, compact, effects};
use crate::merge::merge;
use crate::propagate::{HeadFacts, Limits, propagate};
use crate::restore::{Fate, Restore};
use crate::stale;
use base::Id;
use cfa::{Func, Program, Var};
use flow::TermVars;

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    pub aim: Aim,
    pub limits: Limits,
    /// Distinct subterms that a term may have after merging edges.
    pub merged_size: usize,
    pub rounds: usize,
}

impl Settings {
    pub fn new(aim: Aim) -> Settings {
        Settings { aim, limits: Limits::default(), merged_size: 100, rounds: 4 }
    }
}

/// Simplifies every function. Facts for re-proof are recorded once there is one function.
pub fn simplify(mut program: Program, settings: &Settings) -> (Program, Restore) {
    let mentioned_before = mentioned(&program);
    let mut restore = Restore::identity(&program);
    let effects = effects(&program);
    let mut vars = TermVars::of(&program);
    for function in program.functions.ids() {
        // Inside a program of several functions every end may matter to a caller.
        let aim = if program.functions.len() == 1 { settings.aim } else { Aim::All };
        for i in 0..settings.rounds.max(1) {
            // Once writes are gone, a variable may be stale where a copy of its older value is not. Without facts, nobody
            // could tell then what is what.
            let named = settings.limits.named && (i == 0 || program.functions.len() == 1);
            let settings = Settings { limits: Limits { named, ..settings.limits }, ..*settings };
            if !round(&mut program, function, &effects, &mut vars, &settings, aim, &mut restore) {
                break;
            }
        }
    }
    let mentioned_now = mentioned(&program);
    restore.dropped = program.vars.ids().filter(|v| mentioned_before[v.index()] && !mentioned_now[v.index()]).collect();
    (program, restore)
}

/// One round over one function; says whether another may find more.
fn round(
    program: &mut Program,
    function: Func,
    effects: &flow::GlobalEffects,
    vars: &mut TermVars,
    settings: &Settings,
    aim: Aim,
    restore: &mut Restore,
) -> bool {
    let facts = Facts::of(program, function, effects, vars);
    let mut head_facts = HeadFacts::new();
    let wanted = (program.functions.len() == 1).then_some(&mut head_facts);
    let (removed, propagated) = propagate(program, function, &facts, vars, settings.limits, wanted);
    let fates = compact(&mut program.functions[function], aim, &|e| removed[e.index()], Fate::Kept);
    restore.extend(program, function, &fates, |l| head_facts.get(&l).map_or(&[][..], |facts| facts));

    let facts = Facts::of(program, function, effects, vars);
    let died = remove_dead(program, function, &facts, vars);
    restore.extend_stale(function, &stale::mark(program, function, &died));

    let merged = merge(program, function, vars, settings.merged_size);
    let gone = |e: cfa::Edge| merged.removed[e.index()];
    let fates = compact(&mut program.functions[function], aim, &gone, |l| merged.fates[l]);
    restore.extend(program, function, &fates, |_| &[]);
    propagated || !died.is_empty() || merged.changed
}

/// Which variables occur on edges.
pub(crate) fn mentioned(program: &Program) -> Vec<bool> {
    let mut vars = TermVars::of(program);
    let mut seen = vec![false; program.vars.len()];
    for f in program.functions.values() {
        for e in f.edges.values() {
            vars.each(&program.terms, &e.op.terms(), |v: Var| seen[v.index()] = true);
            e.op.written().into_iter().for_each(|v| seen[v.index()] = true);
        }
    }
    seen
}
