//! Exploration from the entry, bound by bound: bounded model checking, and the base case and forward condition of
//! k-induction.
//!
//! Each bound adds to the same unwinding and the same solver only what is new. When no loop can go on beyond the bound,
//! everything is explored. An exploration can also be asked whether it meets a [`Preimage`] of an error: an execution then
//! is what leads to a loop head, and what leads on from there.

use crate::limits::bounded::MAX_WAYS;
use crate::preimage::Preimage;
use crate::state::evaluate_term;
use crate::trace::{self, Reading};
use crate::unroll::{Loops, Node, Round, Unroller};
use cfa::evidence::{Evidence, Proof, Trace};
use cfa::{Edge, Lacks, Loc, LocKind, Program};
use engine::{Cx, Event, Stop, Task, Verdict, Why};
use flow::wto::Wto;
use smt::Solver;
use std::collections::BTreeSet;
use std::time::Duration;
use term::Term;

/// An exploration in progress.
pub struct Bounded<'t> {
    task: &'t Task,
    unroller: Unroller<'t>,
    solver: Box<dyn Solver>,
    /// Locations that are not modelled and that some execution reaches.
    unknowns: Vec<Loc>,
    /// Instances of loop heads, where their states are kept.
    heads: Vec<Node>,
    alive: Alive,
}

impl<'t> Bounded<'t> {
    pub fn new(task: &'t Task, wto: &'t Wto, cx: &Cx) -> Result<Bounded<'t>, Stop> {
        let mut unroller = Unroller::new(&task.program, wto, &cx.terms, Loops::Exact);
        unroller.go_past_errors();
        unroller.narrow_inputs();
        Ok(Bounded {
            task,
            unroller,
            solver: cx.solver()?,
            unknowns: Vec::new(),
            heads: Vec::new(),
            alive: Alive::default(),
        })
    }

    /// Keeps the states at loop heads, so that targets can be met there.
    pub fn keep_heads(&mut self) {
        self.unroller.keep_head_states();
    }

    /// Explores up to `bound` visits of each loop head. `None`: no error so far, but some loop goes on.
    pub fn advance(&mut self, bound: u32, cx: &mut Cx) -> Result<Option<Verdict>, Stop> {
        self.advance_towards(bound, &[], Duration::MAX, cx)
    }

    /// As [`Bounded::advance`], and asks whether any state at a loop head is in one of `targets` (which need
    /// [`Bounded::keep_heads`]), for at most `patience`: without an answer the targets are as good as missed.
    pub fn advance_towards(
        &mut self,
        bound: u32,
        targets: &[Preimage],
        patience: Duration,
        cx: &mut Cx,
    ) -> Result<Option<Verdict>, Stop> {
        let budget = cx.budget.clone();
        let round = self.unroller.advance(&mut cx.terms, bound, &budget)?;
        let solver = self.solver.as_mut();
        // What another engine has looked at is not looked at again.
        let errors = if u64::from(bound) <= cx.no_error_within() { &[][..] } else { &round.errors };
        if let Some((error, mut model)) = first_reached(errors, &self.unroller, cx, solver)? {
            let found = trace::from_model(&self.task.program, &cx.terms, &self.unroller, error, &mut model)?;
            return Ok(Some(Verdict::Unsafe(Evidence::Trace(found))));
        }
        if self.unroller.keeps_head_states() {
            self.heads.extend(&round.heads);
        }
        match self.meet(bound, targets, patience, cx)? {
            Some(trace) if matches!(self.task.program.main().locs[trace.target].kind, LocKind::Error(_)) => {
                return Ok(Some(Verdict::Unsafe(Evidence::Trace(trace))));
            }
            not_modelled => self.unknowns.extend(not_modelled.map(|trace| trace.target)),
        }
        let solver = self.solver.as_mut();
        let told = !self.unknowns.is_empty();
        self.unknowns.extend(first_unknown(&round, &self.unroller, cx, solver)?);
        if let (false, Some(loc)) = (told, self.unknowns.first()) {
            cx.tell(Event::Limit(why_unknown(&self.task.program, *loc)));
        }
        self.alive.drop_finished(&mut self.unroller, cx, solver)?;
        if self.unroller.parked_guards().next().is_some() {
            return Ok(None);
        }
        // Everything is explored and no error was found: safe, unless something that is not modelled can be reached.
        Ok(Some(match self.unknown() {
            Some(why) => Verdict::Unknown(why),
            None => {
                Verdict::Safe(Proof::Exhausted { bound: u64::from(bound), explored: self.unroller.nodes.len() as u64 })
            }
        }))
    }

    /// An execution to a loop head that goes on along one of `targets`, if there is one within `bound`.
    pub fn meet(
        &mut self,
        bound: u32,
        targets: &[Preimage],
        patience: Duration,
        cx: &mut Cx,
    ) -> Result<Option<Trace>, Stop> {
        let program = &self.task.program;
        let mut ways: Vec<(Node, &Preimage, Term)> = Vec::new();
        for &node in self.heads.iter().rev() {
            let info = &self.unroller.nodes[node];
            let Some(state) = self.unroller.head_state(node) else { continue };
            let before = info.iterations.last().copied().unwrap_or(0);
            for target in targets.iter().filter(|t| t.at == info.loc) {
                // What lies within the bound as a whole has been looked at.
                if target.visits.is_some_and(|visits| before + visits <= bound) || ways.len() >= MAX_WAYS {
                    continue;
                }
                let inside = evaluate_term(program, &mut cx.terms, state, target.condition);
                let joined = cx.terms.and(info.guard, inside);
                if cx.terms.as_bool_const(joined) != Some(false) {
                    ways.push((node, target, joined));
                }
            }
        }
        let joined: Vec<Term> = ways.iter().map(|way| way.2).collect();
        let any = cx.terms.or_all(&joined);
        let solver = self.solver.as_mut();
        if cx.terms.as_bool_const(any) == Some(false) || cx.try_sat(solver, &[any], patience)? != Some(true) {
            return Ok(None);
        }
        let mut model = Reading::of(&cx.terms, solver, &[any])?;
        for (node, target, joined) in ways {
            if !model.holds(&cx.terms, joined)? {
                continue;
            }
            let mut found = trace::from_model(program, &cx.terms, &self.unroller, node, &mut model)?;
            found.target = target.target;
            found.initial = trace::initial_values(program, &cx.terms, joined, |t| model.value(&cx.terms, t))?;
            for (edge, symbols) in &target.inputs {
                found.inputs.push((*edge, model.values(&cx.terms, symbols)?));
            }
            return Ok(Some(found));
        }
        Err(Stop::Solver("a satisfiable disjunction with no disjunct that holds".into()))
    }

    /// Something that is not modelled and can be reached: as long as there is, nothing can be proved.
    pub fn unknown(&self) -> Option<Why> {
        Some(why_unknown(&self.task.program, *self.unknowns.first()?))
    }
}

/// One error instance that some input reaches, with the model.
fn first_reached<'s>(
    errors: &[Node],
    unroller: &Unroller<'_>,
    cx: &mut Cx,
    solver: &'s mut dyn Solver,
) -> Result<Option<(Node, Reading<'s>)>, Stop> {
    let guards: Vec<Term> = errors.iter().map(|n| unroller.nodes[*n].guard).collect();
    // Questions with products are hard enough one by one. In order: an execution may go past errors.
    let hard = guards.iter().any(|g| smt::algebra::has_products(&cx.terms, *g));
    let asked = if hard { guards } else { vec![cx.terms.or_all(&guards)] };
    let mut reached = None;
    for guard in asked {
        if is_sat(cx, solver, guard)? {
            reached = Some(guard);
            break;
        }
    }
    let Some(asked) = reached else { return Ok(None) };
    let mut model = Reading::of(&cx.terms, solver, &[asked])?;
    for &error in errors {
        if model.holds(&cx.terms, unroller.nodes[error].guard)? {
            return Ok(Some((error, model)));
        }
    }
    Err(Stop::Solver("a satisfiable disjunction with no disjunct that holds".into()))
}

/// An instance of an unsupported or bound-hit location that some input reaches.
fn first_unknown(
    round: &Round,
    unroller: &Unroller<'_>,
    cx: &mut Cx,
    solver: &mut dyn Solver,
) -> Result<Option<Loc>, Stop> {
    for &node in &round.unknowns {
        if is_sat(cx, solver, unroller.nodes[node].guard)? {
            return Ok(Some(unroller.nodes[node].loc));
        }
    }
    Ok(None)
}

/// Which back edges are taken again and again, so that they need not be asked for each time.
#[derive(Default)]
struct Alive {
    edges: BTreeSet<Edge>,
    rounds: u32,
}

impl Alive {
    /// Drops what is parked but cannot be reached: loops that are unwound completely, and paths through them that have
    /// ended. A back edge that was taken before is only asked for now and then; but whether any is taken, always.
    fn drop_finished(&mut self, unroller: &mut Unroller<'_>, cx: &mut Cx, solver: &mut dyn Solver) -> Result<(), Stop> {
        self.rounds += 1;
        let ask_all = self.rounds.is_power_of_two();
        let guards: Vec<Term> = unroller.parked_guards().collect();
        // What is true in the first model found.
        let mut known: Option<Vec<Term>> = None;
        let mut not_asked = Vec::new();
        unroller.retain_parked(|arrival| -> Result<bool, Stop> {
            let (guard, edge) = (arrival.guard, arrival.from.map(|(_, edge)| edge));
            if known.as_ref().is_some_and(|sat| sat.contains(&guard)) {
                self.edges.extend(edge);
                return Ok(true);
            }
            if !ask_all && edge.is_some_and(|edge| self.edges.contains(&edge)) {
                not_asked.push(guard);
                return Ok(true);
            }
            let sat = is_sat(cx, solver, guard)?;
            if sat && known.is_none() {
                known = Some(holding(&guards, guard, cx, solver)?);
            }
            if sat {
                self.edges.extend(edge);
            }
            Ok(sat)
        })?;
        let any = cx.terms.or_all(&not_asked);
        if known.is_none() && !is_sat(cx, solver, any)? {
            unroller.retain_parked(|_| -> Result<bool, Stop> { Ok(false) })?;
        }
        Ok(())
    }
}

/// Those of `guards` that are true in the model that was just found for `asked`.
fn holding(guards: &[Term], asked: Term, cx: &mut Cx, solver: &mut dyn Solver) -> Result<Vec<Term>, Stop> {
    let mut holding = Vec::new();
    if cx.terms.as_bool_const(asked).is_none() {
        let mut model = Reading::of(&cx.terms, solver, guards)?;
        for &guard in guards {
            if model.holds(&cx.terms, guard)? {
                holding.push(guard);
            }
        }
    }
    Ok(holding)
}

fn is_sat(cx: &mut Cx, solver: &mut dyn Solver, t: Term) -> Result<bool, Stop> {
    match cx.terms.as_bool_const(t) {
        Some(known) => Ok(known),
        None => cx.is_sat(solver, &[t]),
    }
}

/// The reason that reaching `loc` gives.
pub fn why_unknown(program: &Program, loc: Loc) -> Why {
    let location = &program.main().locs[loc];
    let place = program.sources.place(location.span);
    match &location.kind {
        LocKind::BoundHit(what) => Why::BoundHit(format!("{what} at {place}")),
        LocKind::Unsupported(what) if what.lacks == Lacks::OtherMembers => {
            Why::LeavesArray(format!("{what} at {place}"))
        }
        LocKind::Unsupported(what) => Why::Unsupported(format!("{what} at {place}")),
        _ => Why::GaveUp(format!("reached {place}")),
    }
}
