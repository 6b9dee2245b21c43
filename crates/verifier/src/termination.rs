//! `--property termination`: two questions about two programs, since what C leaves undefined matters in opposite ways.
//!
//! That every execution ends is proved of the program in which arithmetic wraps around. Invalid accesses are ends there,
//! since nobody can say what happens after one; recursive calls return something or jump back
//! ([`transform::inline::Recursion::Chain`]), so there is no bound on their depth. An execution that never ends must be a
//! defined one, so it is looked for in the program whose overflows, undefined shifts and invalid frees are ends, too. The second question is asked between two
//! attempts at the first, a short one and one with all the time that is left.

use crate::decide::with_more_room;
use crate::evidence;
use crate::limits::decide::{FIRST_PART, SECOND_PART};
use crate::load;
use crate::outcome::{Decision, Evidence};
use crate::request::Request;
use crate::session::Session;
use cfa::{AGAIN, OPEN, ORDER, Op, Origin, PLACES, Program, Property};
use engine::{Question, Why};
use portfolio::{Plan, Strategy};
use report::{Native, Verdict};
use std::time::Duration;
use transform::Aim;
use transform::inline::Recursion;
use transform::pipeline::{self, Prepared, prepare};
use validate::{Answer, Pending, Violated};

const OVERFLOWS: &str =
    "the execution that was found never ends, but does what C leaves undefined: a signed overflow, a shift or a free";

pub(crate) fn decide(program: &Program, request: &Request, time: Option<Duration>, session: &Session<'_>) -> Decision {
    let unknown = |verdict| Found { verdict, witness: Evidence::none().witness };
    let answered = |found: Found| {
        let certificate = Err("proofs of termination have no certificates".into());
        let evidence = Evidence { witness: found.witness, certificate, ..Evidence::none() };
        Decision { evidence, ..Decision::bare(found.verdict) }
    };
    if request.subject.lowering.properties.len() > 1 {
        let why = Why::Unsupported("termination is decided by itself, not together with other properties".into());
        return answered(unknown(Verdict::unknown(&why)));
    }
    let with_ends = |ends: &[Property]| {
        let mut changed = request.subject.clone();
        changed.lowering.properties.extend(ends);
        load::lowered(&changed).ok()
    };
    let valid = with_ends(&[Property::ValidDeref]);
    let valid = valid.as_ref().unwrap_or(program);
    let asker = Asker { request, session };

    let mut locations = valid.functions.values().flat_map(|function| function.locs.values());
    if locations.any(|location| lower::is_too_large(&location.kind)) {
        session.observer.phase("preparing");
        let prepare = |program: &Program, _: &Request| prepared_for(program, Question::AlwaysEnds);
        if let Some((program, roomier)) = with_more_room(&prepare(valid, request).program, request, prepare) {
            return decide(&program, &roomier, time, session);
        }
    }
    let end = session.until(time, FIRST_PART);
    let first = match asker.always_ends(valid, end) {
        Ok(found) => return answered(found),
        Err(why) => why,
    };
    let has_more_to_try =
        matches!(first, Why::Timeout | Why::NotChecked { .. } | Why::MayNotEnd { is_all_tried: false, .. });
    let mut whys = vec![first];
    let defined = [Property::NoOverflow, Property::ValidDeref, Property::ValidFree, Property::UndefinedShift];
    if let Some(defined) = with_ends(&defined) {
        let end = if has_more_to_try { session.until(time, SECOND_PART) } else { time };
        match asker.never_ends(&defined, end) {
            Ok(found) => return answered(found),
            Err(why) => {
                let gave_up = matches!(why, Why::GaveUp(_));
                whys.push(why);
                // One that overflows is none, but says what stands in the way.
                if gave_up && !has_more_to_try && asker.never_ends(valid, time).is_ok() {
                    whys.push(Why::GaveUp(OVERFLOWS.to_owned()));
                }
            }
        }
    }
    if has_more_to_try {
        match asker.always_ends(valid, time) {
            Ok(found) => return answered(found),
            Err(why) => whys.push(why),
        }
    }
    if let Some(failed) = whys.iter().find(|why| matches!(why, Why::CheckFailed(_))) {
        session.check_failed(failed);
        return answered(unknown(Verdict::unknown(failed)));
    }
    let cancelled = session.cancellation.is_cancelled().then_some(Why::Cancelled);
    let why = cancelled.or_else(|| most_telling(whys)).expect("at least one question was asked");
    answered(unknown(Verdict::unknown(&why)))
}

/// Of equally telling ones the last; the first is about a proof that every execution ends.
fn most_telling(whys: Vec<Why>) -> Option<Why> {
    let weight = |(i, why): &(usize, Why)| match why {
        // An infinite execution, but for this.
        Why::NotConfirmed(_) => 5,
        Why::NotChecked { .. } => 4,
        // What can be reached, so that more time does not help.
        Why::Unsupported(_) | Why::BoundHit(_) => 3,
        Why::GaveUp(what) if what == OVERFLOWS => 3,
        // Which loop it is, or what else stands in the way.
        Why::MayNotEnd { .. } => 2,
        Why::GaveUp(_) if *i == 0 => 2,
        Why::Timeout | Why::OutOfMemory | Why::Crashed(_) => 1,
        _ => 0,
    };
    whys.into_iter().enumerate().max_by_key(weight).map(|(_, why)| why)
}

/// A verdict, and what others can check it by.
struct Found {
    verdict: Verdict,
    witness: Result<String, String>,
}

struct Asker<'a> {
    request: &'a Request,
    session: &'a Session<'a>,
}

impl Asker<'_> {
    fn always_ends(&self, program: &Program, time: Option<Duration>) -> Result<Found, Why> {
        match self.ask(program, Question::AlwaysEnds, time) {
            (Answer::True(checked), prepared) => Ok(Found {
                verdict: Verdict::proved(&prepared.program, &checked),
                witness: evidence::termination(self.request, &prepared, Some(checked.evidence())),
            }),
            (Answer::Pending(Pending::Proof { proof, why }), prepared) if self.request.plan.accept_unchecked => {
                Ok(Found {
                    verdict: Verdict::accepted(&prepared.program, &proof, &why),
                    witness: evidence::termination(self.request, &prepared, Some(&proof)),
                })
            }
            (Answer::Pending(pending), _) => Err(pending.why()),
            (Answer::Unknown(why), _) => Err(why),
            (other, _) => Err(unexpected(&other)),
        }
    }

    fn never_ends(&self, program: &Program, time: Option<Duration>) -> Result<Found, Why> {
        match self.ask(program, Question::NeverEnds, time) {
            (Answer::False(_), prepared) if let Some(name) = guessed(&prepared.program) => Err(Why::NotConfirmed(
                format!("an execution that never ends was found, but it may depend on {name}, which is not modelled"),
            )),
            (Answer::False(checked), prepared) => {
                let witness = match checked.evidence() {
                    Violated::Danger(found) => evidence::endless(self.request, &prepared, found),
                    Violated::Run(_) => Err("the execution ends".into()),
                };
                Ok(Found { verdict: Verdict::violated(program, &prepared.program, &checked, Native::Skipped), witness })
            }
            (Answer::Unknown(why), _) => Err(why),
            (other, _) => Err(unexpected(&other)),
        }
    }

    fn ask(&self, program: &Program, question: Question, time: Option<Duration>) -> (Answer, Prepared) {
        let Asker { request, session } = self;
        session.observer.phase("preparing");
        let prepared = prepared_for(program, question);
        let plan = Plan { strategy: Strategy::answering(question), question, ..request.plan.clone() };
        let answered = session.ask(program, &prepared, &plan, &session.budget(time), "");
        (answered.answer, prepared)
    }
}

fn prepared_for(program: &Program, question: Question) -> Prepared {
    let mut preparation = pipeline::Settings::new(Aim::InfiniteRuns);
    // Copies that calls share would be loops, for which there is no ranking function that they need.
    let is_chained = question == Question::AlwaysEnds;
    preparation.inline.calls = if is_chained { Recursion::Chain } else { Recursion::Unroll };
    prepare(program, &preparation)
}

/// What is anything in the automaton and something definite when the program runs, if the program uses such a thing: nobody
/// can choose it so that the program never ends.
fn guessed(program: &Program) -> Option<String> {
    program.main().edges.values().find_map(|edge| match &edge.op {
        Op::Havoc { origin: Origin::Extern(name), .. } => {
            let shown = || match name.as_str() {
                PLACES | ORDER | OPEN | AGAIN => name.clone(),
                _ if name.starts_with("__foldback_") => "what a function of the C library returns".to_owned(),
                _ => format!("what {name} gives"),
            };
            let is_definite =
                [PLACES, ORDER, OPEN, AGAIN].contains(&name.as_str()) || lower::library::is_approximated(name);
            is_definite.then(shown)
        }
        _ => None,
    })
}

fn unexpected(answer: &Answer) -> Why {
    Why::GaveUp(format!("{answer} is no answer to this question"))
}
