//! `--property termination`: two questions about two programs, since what C leaves undefined matters in opposite ways.
//!
//! That every execution ends is proved of the program in which arithmetic wraps around. Invalid accesses are ends there,
//! since nobody can say what happens after one; recursive calls return something or jump back
//! ([`transform::inline::Recursion::Chain`]), so there is no bound on their depth. An execution that never ends must be a
//! defined one, so it is looked for in the program whose overflows are ends, too. The second question is asked between two
//! attempts at the first, a short one and one with all the time that is left.

use crate::deliver::Evidence;
use crate::load;
use crate::settings::VerifySettings;
use crate::verify::{Decision, Log, Session, check_failed};
use cfa::{Program, Property};
use engine::{Question, Why};
use portfolio::{Answer, Plan, Strategy};
use report::{Run, Verdict};
use std::time::Duration;
use transform::Aim;
use transform::inline::Recursion;
use transform::pipeline::{self, Prepared, prepare};

const ENGINE: &str = "danger";

/// The parts of the time that is left: for the first attempt at a ranking, for the search for an infinite execution.
const FIRST_PART: u32 = 4;
const SECOND_PART: u32 = 2;

pub(crate) fn decide(
    program: &Program,
    settings: &VerifySettings,
    time: Option<Duration>,
    session: &Session,
    log: &mut Log,
) -> Decision {
    let decision = |verdict| {
        let evidence = Evidence { witness: Err("witnesses of termination are not written".into()), ..Evidence::none() };
        Decision { evidence, ..Decision::bare(verdict) }
    };
    if settings.program.lowering.properties.len() > 1 {
        return decision(Verdict::unknown("termination is decided by itself, not together with other properties"));
    }
    let with_ends = |ends: &[Property]| {
        let mut changed = settings.program.clone();
        changed.lowering.properties.extend(ends);
        load::lowered(&changed).ok()
    };
    let valid = with_ends(&[Property::ValidDeref]);
    let valid = valid.as_ref().unwrap_or(program);
    let until = |part: u32, log: &Log| Some(session.used(log) + session.left(settings, time, log) / part);
    let mut asker = Asker { settings, session, log };

    let end = until(FIRST_PART, asker.log);
    let first = match asker.always_ends(valid, end) {
        Ok(verdict) => return decision(verdict),
        Err(why) => why,
    };
    let has_more_to_try = matches!(first, Why::Timeout);
    let mut unknown = vec![first];
    if let Some(defined) = with_ends(&[Property::NoOverflow, Property::ValidDeref]) {
        let end = if has_more_to_try { until(SECOND_PART, asker.log) } else { time };
        match asker.never_ends(&defined, end) {
            Ok(verdict) => return decision(verdict),
            Err(why) => unknown.push(why),
        }
    }
    if has_more_to_try {
        match asker.always_ends(valid, time) {
            Ok(verdict) => return decision(verdict),
            Err(why) => unknown.push(why),
        }
    }
    if let Some(failed) = unknown.iter().find(|why| matches!(why, Why::CheckFailed(_))) {
        return decision(check_failed(failed));
    }
    let last = if session.interrupt.is_raised() { Some(Why::Cancelled) } else { unknown.pop() };
    decision(Verdict::unknown(last.expect("at least one question was asked")))
}

struct Asker<'a> {
    settings: &'a VerifySettings,
    session: &'a Session,
    log: &'a mut Log,
}

impl Asker<'_> {
    fn always_ends(&mut self, program: &Program, time: Option<Duration>) -> Result<Verdict, Why> {
        match self.ask(program, Question::AlwaysEnds, time) {
            (Answer::True { proof, checked }, prepared) => {
                Ok(Verdict::True { proof: report::proof::describe(&prepared.program, &proof, &checked) })
            }
            (Answer::Unknown(why), _) => Err(why),
            (other, _) => Err(unexpected(&other)),
        }
    }

    fn never_ends(&mut self, program: &Program, time: Option<Duration>) -> Result<Verdict, Why> {
        match self.ask(program, Question::NeverEnds, time) {
            (Answer::Danger { proof, checked }, prepared) => {
                let counterexample = report::danger::counterexample(&prepared.program, &proof, &checked);
                let property = Property::Termination.name().to_owned();
                Ok(Verdict::False { property, counterexample })
            }
            (Answer::Unknown(why), _) => Err(why),
            (other, _) => Err(unexpected(&other)),
        }
    }

    fn ask(&mut self, program: &Program, question: Question, time: Option<Duration>) -> (Answer, Prepared) {
        let Asker { settings, session, log } = self;
        let budget = session.budget(settings, time, log);
        session.progress.phase("preparing");
        let mut preparation = pipeline::Settings::new(Aim::InfiniteRuns);
        if question == Question::AlwaysEnds {
            preparation.inline.calls = Recursion::Chain;
        }
        let prepared = prepare(program, &preparation);
        session.progress.phase("verifying");
        let strategy = Strategy::named(ENGINE).expect("the engine is in the list");
        let plan = Plan { strategy, question, ..settings.plan.clone() };
        let answered = portfolio::run(program, &prepared, &plan, &budget, &mut |news| session.progress.hear(news));
        log.runs.extend(answered.runs.into_iter().map(|run| Run {
            engine: run.engine,
            cpu_seconds: run.time.as_secs_f64(),
            said: run.said,
        }));
        (answered.answer, prepared)
    }
}

fn unexpected(answer: &Answer) -> Why {
    Why::GaveUp(format!("{answer} is no answer to this question"))
}
