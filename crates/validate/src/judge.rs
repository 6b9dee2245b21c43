//! No verdict leaves unchecked: proofs are proved again, counterexamples are run.

pub mod danger;

use crate::answer::{Answer, Check, Checked, DeepRun, FoundProof, Pending, Run, Violated};
use crate::explore::{Guide, walk};
use crate::limits::judge::{INTERPRETED_STEPS, INTERPRETED_STEPS_WITHOUT_MEMORY, RECHECK_TIME, REPLAY_PART, WALK_TIME};
use crate::opinions::{self, Opinions};
use crate::recheck::{Claim, Failure, recheck_again};
use crate::replay::{Replayed, expected, replay_deep};
use crate::shown::Known;
use base::cpu::Deadline;
use cfa::evidence::{DeepTrace, Evidence, Explored, Proof, Trace};
use cfa::{Loc, Op, Program};
use danger::{judge_danger, judge_ending, judge_endless};
use engine::{Budget, Cx, Question, Task, Verdict, Why};
use flow::{Graph, Loops};
use interpreter::Limits;
use smt::Solver;
use std::collections::BTreeMap;
use std::time::Duration;
use term::{Store, Term};
use transform::pipeline::Prepared;
use transform::restore::without_dead;

/// What the named engine says of a task, and the program that was prepared for it.
#[derive(Clone, Copy)]
pub struct Said<'a> {
    pub prepared: &'a Prepared,
    pub task: &'a Task,
    pub engine: &'a str,
    pub budget: &'a Budget,
    pub definedness: Definedness,
}

/// How it is seen that an error which is proved to be reached is not reached after something undefined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Definedness {
    /// The run is followed as far as can be.
    Followed,
    /// A short run is followed. Otherwise the caller has a program to ask about whose executions end at what is undefined.
    AskedApart,
}

/// Checks a verdict of the named engine on the task's program.
pub fn judge(lowered: &Program, said: Said<'_>, verdict: Verdict, cx: &mut Cx) -> Answer {
    let Said { prepared, task, engine, budget, .. } = said;
    match verdict {
        Verdict::Unknown(why) => Answer::Unknown(why),
        Verdict::Unsafe(Evidence::Trace(trace)) => judge_trace(lowered, task, trace, budget),
        Verdict::Unsafe(Evidence::Deep(deep)) => judge_deep(lowered, task, &deep, budget),
        Verdict::Unsafe(Evidence::Danger(danger)) => judge_danger(lowered, said, danger, cx),
        Verdict::Unsafe(Evidence::Endless(danger)) => judge_endless(said, danger, cx),
        Verdict::Safe(proof) if task.question == Question::AlwaysEnds => judge_ending(said, proof, cx),
        Verdict::Safe(proof) => judge_proof(prepared, task, engine, proof, cx, budget),
    }
}

/// How many edges the program as it is written takes is not known: loops that do not matter are gone from the prepared one.
fn judge_trace(lowered: &Program, task: &Task, trace: Trace, budget: &Budget) -> Answer {
    judge_deep(lowered, task, &DeepTrace { trace, repeats: Vec::new(), steps: 0 }, budget)
}

/// Why a counterexample in which code outside of the program takes part settles nothing.
fn outside(how: &str) -> Why {
    Why::GaveUp(format!("an error depends on what code outside of the program does, and no run shows it: {how}"))
}

fn judge_replayed(replayed: Replayed) -> Answer {
    match replayed {
        Replayed::Confirmed { violation, outcome } => {
            let run = Run { violation, outcome: *outcome, danger: None };
            Answer::False(Checked::new(Violated::Run(run), Check::Interpreted))
        }
        Replayed::Missed(how) => Answer::Unknown(Why::CheckFailed(format!("replay: {how}"))),
        Replayed::Astray(how) => Answer::Unknown(outside(&how)),
        Replayed::Displaced(how) => Answer::Unknown(Why::assumes_places(&how)),
        Replayed::Undefined(what) => Answer::Unknown(Why::AfterUndefined(what)),
        Replayed::TooLong => Answer::Unknown(Why::TooLongToRun),
    }
}

/// The interpreter first, where it can; what is too long for it has to be run by the compiled program.
fn judge_deep(lowered: &Program, task: &Task, deep: &DeepTrace, budget: &Budget) -> Answer {
    let compiled = expected(lowered, &task.program, deep);
    let most = if accesses_memory(lowered) { INTERPRETED_STEPS } else { INTERPRETED_STEPS_WITHOUT_MEMORY };
    let limits = Limits {
        deadline: Some(Deadline::after(budget.left() / REPLAY_PART)),
        cancel: Some(budget.cancel_flag()),
        steps: if compiled.is_some() { most } else { u64::MAX },
        ..Limits::default()
    };
    let replayed = match deep.steps < most {
        true => replay_deep(lowered, &task.program, deep, &limits),
        false => Replayed::TooLong,
    };
    if let (Replayed::TooLong, Some((violation, mut outcome))) = (&replayed, compiled) {
        outcome.steps = outcome.steps.max(most);
        return Answer::Pending(Pending::Run(DeepRun::new(Run { violation, outcome, danger: None })));
    }
    judge_replayed(replayed)
}

fn accesses_memory(lowered: &Program) -> bool {
    let is_access = |op: &Op| !matches!(op, Op::Assume(_) | Op::Assign(_) | Op::Havoc { .. } | Op::Call { .. });
    lowered.functions.values().flat_map(|function| function.edges.values()).any(|edge| is_access(&edge.op))
}

fn judge_proof(prepared: &Prepared, task: &Task, engine: &str, proof: Proof, cx: &mut Cx, budget: &Budget) -> Answer {
    let none = BTreeMap::new();
    let proof = match proof {
        Proof::Invariants { at, k } => Proof::Invariants { at: without_dead(&task.program, &mut cx.terms, &at), k },
        other => other,
    };
    let given = if let Proof::Invariants { at, .. } = &proof { at } else { &none };
    let (lifted, terms) = lifted(prepared, cx.terms.clone(), given);
    let (mut flat, mut simplified) = (Known::of(terms), Known::of(cx.terms.clone()));
    let (before, after) = match &proof {
        Proof::Ranking { .. } => {
            return Answer::Unknown(Why::CheckFailed("a ranking says nothing about what is reached".into()));
        }
        Proof::Invariants { at, k } => (
            Again::Claim(Claim::Inductive { invariants: &lifted, k: *k }),
            Again::Claim(Claim::Inductive { invariants: at, k: *k }),
        ),
        // Decisions and bounds are those of the simplified program.
        Proof::Explored(tree) => (Again::Walk(None), Again::Walk(Some(tree))),
        Proof::Exhausted { bound: 0, .. } => (Again::Walk(None), Again::Walk(None)),
        Proof::Exhausted { bound, .. } => {
            let bound = u32::try_from(*bound).unwrap_or(u32::MAX);
            (Again::Walk(None), Again::Claim(Claim::Exhausted { bound }))
        }
    };
    // Along its own tree an exploration is walked again soonest; whether the program before simplification can be, too, is
    // seen afterwards.
    let along_tree = match after {
        Again::Walk(Some(_)) => Some(prove_again(&task.program, &mut simplified, after, Round::Long, budget)),
        _ => None,
    };
    let mut checked = Err(String::new());
    let mut walk_failed = None;
    let rounds: &[Round] = match before {
        Again::Claim(_) => &[Round::Glance, Round::Short, Round::Long],
        Again::Walk(_) => &[Round::Short, Round::Long],
    };
    for &round in rounds {
        // A walk that did not come to its end does not in twice the time either.
        let again = match walk_failed.take() {
            Some(failure) => Err(failure),
            None => prove_again(&prepared.flat, &mut flat, before, round, budget),
        };
        let before_failed = match again {
            Ok(solver) => {
                checked = Ok(Check::Flat(solver));
                break;
            }
            // An execution of the program itself, whatever became of it later.
            Err(failure) if failure.refutes() && matches!(before, Again::Walk(_)) => return check_failed(&failure),
            Err(failure) => failure,
        };
        // Nothing comes after it in the last round.
        let round_after = if round == Round::Long { Round::Last } else { round };
        let again = || prove_again(&task.program, &mut simplified, after, round_after, budget);
        match along_tree.clone().unwrap_or_else(again) {
            Ok(solver) => {
                checked = Ok(Check::Simplified(solver, before_failed.to_string()));
                break;
            }
            Err(failure) if failure.refutes() => return check_failed(&failure),
            Err(failure) => checked = Err(failure.to_string()),
        }
        if let Again::Walk(_) = after {
            break;
        }
        // Where paths are few, they need no proof; there may be fewer of them after simplification.
        let walked = |program: &Program| {
            let round = match round {
                Round::Long => return None,
                Round::Short if is_endless(program) => return None,
                Round::Short => Round::Aside,
                other => other,
            };
            prove_again(program, &mut Known::of(cx.terms.clone()), Again::Walk(None), round, budget).ok()
        };
        if let Again::Claim(_) = before
            && let Some(solver) = walked(&prepared.flat)
        {
            checked = Ok(Check::Flat(solver));
            break;
        }
        if let Some(solver) = walked(&task.program) {
            checked = Ok(Check::Simplified(solver, before_failed.to_string()));
            break;
        }
        if let Again::Walk(_) = before {
            walk_failed = Some(before_failed);
        }
    }
    let proof = FoundProof { proof, terms: cx.terms.clone(), engine: engine.to_owned() };
    proved(proof, checked)
}

/// `true` if the check went through; otherwise a claim, and why it is no more.
fn proved(proof: FoundProof, checked: Result<Check, String>) -> Answer {
    match checked {
        Ok(by) => Answer::True(Checked::new(proof, by)),
        Err(why) => Answer::Pending(Pending::Proof { proof: Box::new(proof), why }),
    }
}

fn check_failed(failure: &Failure) -> Answer {
    Answer::Unknown(Why::CheckFailed(format!("proof: {failure}")))
}

/// Invariants of the prepared program, in `terms`, as invariants of the flat one: where simplification has not been, its
/// facts are part of the proof. With the store that they live in.
pub fn lifted(prepared: &Prepared, terms: Store, invariants: &BTreeMap<Loc, Term>) -> (BTreeMap<Loc, Term>, Store) {
    let mut program = prepared.program.clone();
    program.terms = terms;
    let lifted = prepared.restore.lift(&mut program, invariants);
    let lifted = without_dead(&prepared.flat, &mut program.terms, &lifted);
    (lifted, program.terms)
}

/// Whether `true` may be said of a program in which simplification left nothing to reach: proved on the program before it.
pub fn judge_simplified(prepared: &Prepared, budget: &Budget) -> Answer {
    let (lifted, terms) = lifted(prepared, prepared.program.terms.clone(), &BTreeMap::new());
    let mut known = Known::of(terms);
    let claim = Claim::Inductive { invariants: &lifted, k: 1 };
    let mut prove = |how, round| prove_again(&prepared.flat, &mut known, how, round, budget);
    let checked = prove(Again::Claim(claim), Round::Short)
        .or_else(|_| prove(Again::Walk(None), Round::Long))
        .or_else(|failure| if failure.refutes() { Err(failure) } else { prove(Again::Claim(claim), Round::Last) });
    if let Err(failure) = &checked
        && failure.refutes()
    {
        // An execution of the program itself, to a target that simplification took away.
        return check_failed(failure);
    }
    let proof = Proof::Invariants { at: BTreeMap::new(), k: 1 };
    let found = FoundProof { proof, terms: known.terms, engine: "simplification".into() };
    proved(found, checked.map(Check::Flat).map_err(|failure| failure.to_string()))
}

/// Whether paths through some loop have no end: those that do not end in the first moment never will.
fn is_endless(program: &Program) -> bool {
    let main = program.main();
    let graph = Graph::of(main);
    Loops::of(&graph).has_endless(&graph, |loc| main.locs[loc].kind.is_target())
}

/// How a proof is proved again.
#[derive(Clone, Copy)]
enum Again<'a> {
    Claim(Claim<'a>),
    /// All paths are walked: along a tree, or as a solver says.
    Walk(Option<&'a Explored>),
}

impl Again<'_> {
    /// So long at most, of what is left. Without a tree there may be far too many paths, and a proof may be too hard to be
    /// proved again here, but not elsewhere; along a tree it takes about as long as the exploration did.
    fn time(self, left: Duration, round: Round) -> Duration {
        match (self, round) {
            (Again::Walk(Some(_)), _) => left * 3 / 4,
            (_, Round::Glance) => (left / 40).min(WALK_TIME),
            (_, Round::Aside) => (left / 10).min(WALK_TIME),
            (Again::Walk(None), _) => (left / 4).min(WALK_TIME),
            (Again::Claim(_), Round::Short) => (left / 10).min(RECHECK_TIME / 2),
            (Again::Claim(_), Round::Long) => (left / 2).min(RECHECK_TIME),
            (Again::Claim(_), Round::Last) => (left * 3 / 4).min(RECHECK_TIME),
        }
    }
}

/// What is easy to prove in one way may be hard in another: each gets a moment, then a short time, before any gets a long one. Every
/// try starts from nothing, so what the earlier rounds use is lost for a hard question: they are short enough that the last round has
/// more than half of the time that there was.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Round {
    /// So short that what is lost by it does not matter: a tenth of the time for all four ways.
    Glance,
    Short,
    /// In the short round, for a way that the evidence is not about.
    Aside,
    Long,
    /// In the long round, for the last way of all; what it leaves is for other engines.
    Last,
}

/// Says by which solvers.
fn prove_again(
    program: &Program,
    known: &mut Known,
    how: Again<'_>,
    round: Round,
    budget: &Budget,
) -> Result<&'static str, Failure> {
    let deadline = Deadline::after(how.time(budget.left(), round));
    let no_solver = |why: smt::Why| Failure::NoAnswer(why.to_string());
    let mut solver = Opinions::until(deadline, budget.cancel_flag()).map_err(no_solver)?;
    let Known { terms, shown } = known;
    match how {
        Again::Claim(claim) => recheck_again(program, terms, shown, claim, &mut solver, deadline)?,
        Again::Walk(Some(tree)) => walk(program, terms, Guide::Tree(tree), &mut solver, deadline)?,
        Again::Walk(None) => {
            let guide = smt::open(&opinions::own()).map_err(no_solver)?;
            let mut guide = smt::layer::Deadline::over(guide, deadline);
            guide.limit(&smt::Limits { time: None, cancel: Some(budget.cancel_flag()) });
            walk(program, terms, Guide::Solver(&mut guide), &mut solver, deadline)?;
        }
    }
    Ok(solver.names())
}

/// The invariants of a proof, for people: by location.
pub fn invariants(proof: &Proof) -> BTreeMap<Loc, Term> {
    match proof {
        Proof::Invariants { at, .. } | Proof::Ranking { at, .. } => at.clone(),
        Proof::Exhausted { .. } | Proof::Explored(_) => BTreeMap::new(),
    }
}
