//! Inputs that the solver finds (section 5, the symbolic back end): strategies whose constants are unknown.
//!
//! The enumeration takes constants from the program's text. Here every input is an unknown number `k`, the same whenever it
//! is read. Runs with small numbers in their place give equations between the variables at a loop head and the unknowns,
//! `s = k * i` say; the solver says which numbers lead from there to the error; runs and proofs decide about them as about
//! any other strategy, and numbers that they refuse are not asked for again.

use crate::facts::proved;
use crate::limits::search::STEPS;
use crate::limits::unknowns::{MOST_ANSWERS, MOST_UNKNOWNS, MOST_VARIABLES, ROWS_OF_A_RUN, SAMPLES};
use crate::search::Search;
use crate::strategy::{Problem, Slot, Strategy};
use cfa::Program;
use engine::{Cx, Danger, Stop};
use flow::wto::Wto;
use infer::AtHeads;
use infer::candidates::data::equations_in;
use infer::sample::states::{is_number, run};
use infer::segments::{Comes, Decides, Segment, merged};
use std::collections::BTreeMap;
use term::subst::Substitution;
use term::{Sort, Term, Value};

/// A danger invariant with numbers from the solver, if there is one.
pub(crate) fn solve(problem: &Problem<'_>, search: &mut Search<'_>, cx: &mut Cx) -> Result<Option<Danger>, Stop> {
    let wide = |slot: &Slot| match sort_of(problem, *slot) {
        Sort::Bv(width @ 8..=64) => Some((*slot, width)),
        _ => None,
    };
    let slots: Vec<(Slot, u32)> = problem.choices.slots.iter().filter_map(|(slot, _)| wide(slot)).collect();
    if slots.is_empty() || slots.len() > MOST_UNKNOWNS {
        return Ok(None);
    }
    let unknowns: Vec<Term> = slots.iter().map(|(_, width)| cx.terms.fresh("k", Sort::Bv(*width))).collect();
    let program = problem.program;
    let budget = cx.budget.clone();
    let with_unknowns = strategy(problem, &slots, &unknowns).follow(program, &cx.terms);
    let wto = Wto::new(with_unknowns.main());
    let pieces = merged(&with_unknowns, &mut cx.terms, &wto, Decides::We, &budget)?;
    let known = proved(program, &problem.wto, cx)?;
    let learned = learn(problem, cx, &slots, &unknowns)?;
    let mut solver = cx.solver()?;
    let mut refused = goes_on(&with_unknowns, cx, &pieces);
    let to_error = |piece: &&Segment| piece.comes == Comes::ToError && piece.from.is_some();
    for piece in pieces.iter().filter(to_error) {
        let Some(head) = piece.from else { continue };
        let at_head = [&known, &learned].into_iter().flat_map(|facts| facts.get(&head).into_iter().flatten().copied());
        let at_head: Vec<Term> = at_head.chain(piece.conditions.iter().copied()).collect();
        for _ in 0..MOST_ANSWERS {
            let asked: Vec<Term> = at_head.iter().chain(&refused).copied().collect();
            if cx.try_sat(solver.as_mut(), &asked, problem.settings.unknowns_time)? != Some(true) {
                break;
            }
            let model = smt::Model::read(solver.as_mut(), &cx.terms, &asked)?;
            let mut numbers = Vec::new();
            let mut same = Vec::new();
            for (k, (_, width)) in unknowns.iter().zip(&slots) {
                let value = model.get(*k).cloned().unwrap_or_else(|| Value::zero(Sort::Bv(*width)));
                numbers.push(cx.terms.value(&value));
                same.push(cx.terms.eq(*k, numbers[numbers.len() - 1]));
            }
            if let Some(danger) = search.consider(cx, strategy(problem, &slots, &numbers))? {
                return Ok(Some(danger));
            }
            let same = cx.terms.and_all(&same);
            refused.push(cx.terms.not(same));
        }
    }
    Ok(None)
}

/// What must be true of the unknowns: the first head is reached, and the first way on from it does not end the program.
fn goes_on(program: &Program, cx: &mut Cx, pieces: &[Segment]) -> Vec<Term> {
    let mut conditions = Vec::new();
    for entry in pieces.iter().filter(|p| p.from.is_none()) {
        if matches!(entry.comes, Comes::ToEnd | Comes::Stuck) {
            let guard = entry.guard(&mut cx.terms);
            conditions.push(cx.terms.not(guard));
        }
        let bad = |p: &&Segment| p.from == Some(entry.to) && matches!(p.comes, Comes::ToEnd | Comes::Stuck);
        for ends in pieces.iter().filter(|_| entry.comes == Comes::ToHead).filter(bad) {
            let ends = ends.guard(&mut cx.terms);
            let ends = entry.after(program, &mut cx.terms, ends);
            let guard = entry.guard(&mut cx.terms);
            let both = cx.terms.and(guard, ends);
            conditions.push(cx.terms.not(both));
        }
    }
    // They speak of the state at the entry, the rest of the question of that at a head.
    let mut apart = Substitution::new();
    for var in term::walk::free_vars(&cx.terms, &conditions) {
        if program.var_of(var).is_some() {
            let fresh = cx.terms.fresh("entry", cx.terms.sort(var));
            apart.insert(&cx.terms, var, fresh);
        }
    }
    conditions.into_iter().map(|t| apart.apply(&mut cx.terms, t)).collect()
}

fn sort_of(problem: &Problem<'_>, slot: Slot) -> Sort {
    let program = problem.program;
    match slot {
        Slot::Initial(var) => program.vars[var].sort,
        Slot::Input(edge, i) => program.vars[program.main().edges[edge].op.written()[i]].sort,
    }
}

/// The first choice for every slot but these.
fn strategy(problem: &Problem<'_>, slots: &[(Slot, u32)], chosen: &[Term]) -> Strategy {
    let mut strategy = problem.choices.strategy(&vec![0; problem.choices.slots.len()]);
    for ((slot, _), t) in slots.iter().zip(chosen) {
        strategy.chosen.insert(*slot, *t);
    }
    strategy
}

/// Equations at heads that hold in all runs with small numbers.
fn learn(problem: &Problem<'_>, cx: &mut Cx, slots: &[(Slot, u32)], unknowns: &[Term]) -> Result<AtHeads, Stop> {
    let program = problem.program;
    let mut seen: BTreeMap<cfa::Loc, Vec<BTreeMap<Term, i128>>> = BTreeMap::new();
    for i in 0..SAMPLES.len() {
        cx.budget.check()?;
        let sample = |j: usize| SAMPLES[(i + 3 * j) % SAMPLES.len()];
        let chosen: Vec<Term> =
            slots.iter().enumerate().map(|(j, (_, width))| cx.terms.bv_signed(sample(j), *width)).collect();
        let followed = strategy(problem, slots, &chosen).follow(program, &cx.terms);
        let Some(run) = run(&followed, &problem.wto, &problem.live, STEPS) else { continue };
        for (head, rows) in run.rows {
            for row in rows.iter().take(ROWS_OF_A_RUN) {
                let mut point: BTreeMap<Term, i128> =
                    unknowns.iter().enumerate().map(|(j, k)| (*k, sample(j))).collect();
                for (var, value) in row.iter().filter(|(var, _)| is_number(program.vars[*var].sort)) {
                    let Value::Bv(bits) = value else { continue };
                    point.extend(bits.to_i128().map(|number| (program.term(*var), number)));
                }
                seen.entry(head).or_default().push(point);
            }
        }
    }
    let mut learned = AtHeads::new();
    for (head, points) in seen {
        for width in [8, 16, 32, 64] {
            let numbers = problem.live[head].iter().map(|v| program.term(*v)).filter(|t| has_width(cx, *t, width));
            let mut columns: Vec<Term> = numbers.take(MOST_VARIABLES).collect();
            columns.extend(unknowns.iter().filter(|k| has_width(cx, **k, width)));
            let rows: Vec<Vec<i128>> =
                points.iter().filter_map(|point| columns.iter().map(|t| point.get(t).copied()).collect()).collect();
            learned.entry(head).or_default().extend(equations_in(&mut cx.terms, width, &columns, &rows, 2));
        }
    }
    Ok(learned)
}

fn has_width(cx: &Cx, t: Term, width: u32) -> bool {
    cx.terms.sort(t) == Sort::Bv(width)
}
