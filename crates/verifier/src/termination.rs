//! `--property termination`: two questions about two programs, since what C leaves undefined matters in opposite ways.
//!
//! That every execution ends is proved of the program in which arithmetic wraps around. Invalid accesses are ends there,
//! since nobody can say what happens after one; recursive calls return something or jump back
//! ([`transform::inline::Recursion::Chain`]), so there is no bound on their depth. An execution that never ends must be a
//! defined one, so it is looked for in the program whose overflows are ends, too. The second question is asked between two
//! attempts at the first, a short one and one with all the time that is left.

use crate::load;
use crate::outcome::{Decision, Evidence};
use crate::request::Request;
use crate::session::Session;
use cfa::{Program, Property};
use engine::{Question, Why};
use portfolio::{Plan, Strategy};
use report::{Native, Verdict};
use std::time::Duration;
use transform::Aim;
use transform::inline::Recursion;
use transform::pipeline::{self, Prepared, prepare};
use validate::Answer;

/// The parts of the time that is left: for the first attempt at a ranking, for the search for an infinite execution.
const FIRST_PART: u32 = 4;
const SECOND_PART: u32 = 2;

const OVERFLOWS: &str =
    "the execution that was found never ends, but computes a signed overflow, which C leaves undefined";

pub(crate) fn decide(program: &Program, request: &Request, time: Option<Duration>, session: &Session<'_>) -> Decision {
    let decision = |verdict| {
        let evidence = Evidence {
            witness: Err("witnesses of termination are not written".into()),
            certificate: Err("proofs of termination have no certificates".into()),
            ..Evidence::none()
        };
        Decision { evidence, ..Decision::bare(verdict) }
    };
    if request.subject.lowering.properties.len() > 1 {
        let why = Why::Unsupported("termination is decided by itself, not together with other properties".into());
        return decision(Verdict::unknown(&why));
    }
    let with_ends = |ends: &[Property]| {
        let mut changed = request.subject.clone();
        changed.lowering.properties.extend(ends);
        load::lowered(&changed).ok()
    };
    let valid = with_ends(&[Property::ValidDeref]);
    let valid = valid.as_ref().unwrap_or(program);
    let asker = Asker { request, session };

    let end = session.until(time, FIRST_PART);
    let first = match asker.always_ends(valid, end) {
        Ok(verdict) => return decision(verdict),
        Err(why) => why,
    };
    let has_more_to_try = matches!(first, Why::Timeout);
    let mut unknown = vec![first];
    if let Some(defined) = with_ends(&[Property::NoOverflow, Property::ValidDeref]) {
        let end = if has_more_to_try { session.until(time, SECOND_PART) } else { time };
        match asker.never_ends(&defined, end) {
            Ok(verdict) => return decision(verdict),
            Err(why) => {
                let gave_up = matches!(why, Why::GaveUp(_));
                unknown.push(why);
                // One that overflows is none, but says what stands in the way.
                if gave_up && !has_more_to_try && asker.never_ends(valid, time).is_ok() {
                    unknown.push(Why::GaveUp(OVERFLOWS.to_owned()));
                }
            }
        }
    }
    if has_more_to_try {
        match asker.always_ends(valid, time) {
            Ok(verdict) => return decision(verdict),
            Err(why) => unknown.push(why),
        }
    }
    if let Some(failed) = unknown.iter().find(|why| matches!(why, Why::CheckFailed(_))) {
        session.check_failed(failed);
        return decision(Verdict::unknown(failed));
    }
    let last = if session.cancellation.is_cancelled() { Some(Why::Cancelled) } else { unknown.pop() };
    decision(Verdict::unknown(&last.expect("at least one question was asked")))
}

struct Asker<'a> {
    request: &'a Request,
    session: &'a Session<'a>,
}

impl Asker<'_> {
    fn always_ends(&self, program: &Program, time: Option<Duration>) -> Result<Verdict, Why> {
        match self.ask(program, Question::AlwaysEnds, time) {
            (Answer::True(checked), prepared) => Ok(Verdict::proved(&prepared.program, &checked)),
            (Answer::Unknown(why), _) => Err(why),
            (other, _) => Err(unexpected(&other)),
        }
    }

    fn never_ends(&self, program: &Program, time: Option<Duration>) -> Result<Verdict, Why> {
        match self.ask(program, Question::NeverEnds, time) {
            (Answer::False(checked), prepared) => {
                Ok(Verdict::violated(program, &prepared.program, &checked, Native::Skipped))
            }
            (Answer::Unknown(why), _) => Err(why),
            (other, _) => Err(unexpected(&other)),
        }
    }

    fn ask(&self, program: &Program, question: Question, time: Option<Duration>) -> (Answer, Prepared) {
        let Asker { request, session } = self;
        session.observer.phase("preparing");
        let mut preparation = pipeline::Settings::new(Aim::InfiniteRuns);
        if question == Question::AlwaysEnds {
            preparation.inline.calls = Recursion::Chain;
        }
        let prepared = prepare(program, &preparation);
        let plan = Plan { strategy: Strategy::answering(question), question, ..request.plan.clone() };
        let answered = session.ask(program, &prepared, &plan, &session.budget(time), "");
        (answered.answer, prepared)
    }
}

fn unexpected(answer: &Answer) -> Why {
    Why::GaveUp(format!("{answer} is no answer to this question"))
}
