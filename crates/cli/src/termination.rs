//! `--property termination`: asked twice, since what C leaves undefined matters in opposite ways.
//!
//! An execution that never ends must be a defined one, so it is looked for in the program whose overflows and invalid
//! accesses are ends. That every execution ends is proved of the program in which arithmetic wraps around and nothing
//! stops it. Each question is answered only in its own direction.

use crate::load;
use crate::settings::VerifySettings;
use crate::verify::{Decision, Log, Session, check_failed, no_picture};
use cfa::{Program, Property};
use engine::{Question, Why};
use portfolio::{Answer, Plan, Strategy};
use report::{Run, Verdict};
use std::time::Duration;
use transform::Aim;
use transform::pipeline::{self, prepare};

const ENGINE: &str = "danger";

pub(crate) fn decide(
    program: &Program,
    settings: &VerifySettings,
    time: Option<Duration>,
    session: &Session,
    log: &mut Log,
) -> Decision {
    let decision = |verdict| Decision { verdict, picture: no_picture() };
    if settings.program.lowering.properties.len() > 1 {
        return decision(Verdict::unknown("termination is decided by itself, not together with other properties"));
    }
    let mut defined = settings.program.clone();
    defined.lowering.properties.extend([Property::NoOverflow, Property::ValidDeref]);
    let mut unknown = None;
    if let Ok(defined) = load::lowered(&defined) {
        let half = session.left(settings, time, log) / 2;
        match ask(&defined, settings, Some(session.used(log) + half), session, log) {
            (Answer::Danger { proof, checked }, prepared) => {
                let counterexample = report::danger::counterexample(&prepared.program, &proof, &checked);
                let property = Property::Termination.name().to_owned();
                return decision(Verdict::False { property, counterexample });
            }
            (Answer::Unknown(why), _) => unknown = Some(why),
            _ => {}
        }
    }
    decision(match ask(program, settings, time, session, log) {
        (Answer::True { proof, checked }, prepared) => {
            Verdict::True { proof: report::proof::describe(&prepared.program, &proof, &checked) }
        }
        (Answer::Unknown(why), _) => {
            let why = match unknown {
                Some(Why::CheckFailed(what)) => Why::CheckFailed(what),
                _ if session.interrupt.is_raised() => Why::Cancelled,
                _ => why,
            };
            if let Why::CheckFailed(_) = why { check_failed(&why) } else { Verdict::unknown(why) }
        }
        _ => Verdict::unknown("an execution never ends, but only if overflow wraps around or memory is misused"),
    })
}

fn ask(
    program: &Program,
    settings: &VerifySettings,
    time: Option<Duration>,
    session: &Session,
    log: &mut Log,
) -> (Answer, pipeline::Prepared) {
    let budget = session.budget(settings, time, log);
    session.progress.phase("preparing");
    let prepared = prepare(program, &pipeline::Settings::new(Aim::InfiniteRuns));
    session.progress.phase("verifying");
    let strategy = Strategy::named(ENGINE).expect("the engine is in the list");
    let plan = Plan { strategy, question: Question::Termination, ..settings.plan.clone() };
    let answered = portfolio::run(program, &prepared, &plan, &budget, &mut |news| session.progress.hear(news));
    log.runs.extend(answered.runs.into_iter().map(|run| Run {
        engine: run.engine,
        cpu_seconds: run.time.as_secs_f64(),
        said: run.said,
    }));
    (answered.answer, prepared)
}
