//! `foldback verify`: prepares the program, asks for a verdict, shows it.

use crate::engines::PORTFOLIO;
use crate::limits;
use crate::load;
use crate::output::{self, BadInput, Exit};
use crate::proof;
use crate::quick;
use crate::settings::VerifySettings;
use cfa::{Program, Property};
use engine::{Budget, Why};
use portfolio::Checked;
use portfolio::judge::Answer;
use std::time::Duration;
use transform::Aim;
use transform::pipeline::{self, Prepared, prepare};

/// The answer, with what a person wants to know about it.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Verdict {
    /// No execution violates the properties; why.
    True(String),
    /// The property that an execution violates, and the execution for people to read.
    False(Property, String),
    Unknown(String),
}

/// Where no limit is given: far away.
const NO_TIME_LIMIT: Duration = Duration::from_secs(1_000_000_000);

pub(crate) fn verify(settings: &VerifySettings) -> Result<Exit, BadInput> {
    limits::enforce(settings.limits);
    let program = load::lowered(&settings.program)?;
    let verdict = decide(&program, settings);
    show(&program, &verdict);
    Ok(match verdict {
        Verdict::True(_) => Exit::Fine,
        Verdict::False(..) => Exit::Violated,
        Verdict::Unknown(_) => Exit::Unknown,
    })
}

fn decide(program: &Program, settings: &VerifySettings) -> Verdict {
    if settings.program.lowering.properties.contains(&Property::Termination) {
        return Verdict::Unknown("no engine decides termination yet".into());
    }
    let prepared = prepare(program, &pipeline::Settings::new(Aim::Targets));
    if !prepared.program.main().locs.values().any(|location| location.kind.is_target()) {
        return Verdict::True("no error location is left after simplification: nothing remains to be explored".into());
    }
    if settings.engine == PORTFOLIO
        && let Some((property, execution)) = quick::violation(program)
    {
        return Verdict::False(property, execution);
    }
    let time = settings.limits.cpu_time.unwrap_or(NO_TIME_LIMIT).saturating_sub(limits::cpu_time());
    let budget = Budget::new(time, settings.limits.memory_bytes.unwrap_or(u64::MAX));
    let report = portfolio::solve(program, &prepared, &settings.engine, &budget, |_, _| {});
    explain(program, &prepared, report.answer)
}

fn explain(program: &Program, prepared: &Prepared, answer: Answer) -> Verdict {
    match answer {
        Answer::True { proof, checked } => {
            let mut text = proof::describe(&prepared.program, &proof);
            text += &match checked {
                Checked::Again(solver) => format!("proved again from the invariants with {solver}"),
                Checked::Not(why) => format!("note: not proved a second time ({why})"),
            };
            Verdict::True(text)
        }
        Answer::False { violation, outcome, .. } => {
            Verdict::False(violation.property, quick::execution(program, &outcome))
        }
        Answer::Unknown(why @ Why::CheckFailed(_)) => {
            output::note(format!("foldback: an engine's answer failed its check, please report this: {why}"));
            Verdict::Unknown(why.to_string())
        }
        Answer::Unknown(why) => Verdict::Unknown(why.to_string()),
    }
}

fn show(program: &Program, verdict: &Verdict) {
    for note in &program.notes {
        output::line(note.render(&program.sources));
    }
    match verdict {
        Verdict::True(why) => {
            output::line(why);
            output::line("RESULT: true");
        }
        Verdict::False(property, execution) => {
            output::line(execution);
            output::line(format!("RESULT: false({})", property.name()));
        }
        Verdict::Unknown(why) => output::line(format!("RESULT: unknown({why})")),
    }
}
