//! `foldback verify`: prepares the program, asks for a verdict, shows it.

use crate::engines::PORTFOLIO;
use crate::limits;
use crate::load;
use crate::output::{self, BadInput, Exit};
use crate::proof;
use crate::quick;
use crate::settings::{Replay, VerifySettings};
use cfa::interp::Outcome;
use cfa::{Program, Property, Violation};
use engine::{Budget, Why};
use portfolio::Checked;
use portfolio::judge::Answer;
use std::time::{Duration, Instant};
use transform::Aim;
use transform::pipeline::{self, Prepared, prepare};
use validate::native::{self, Native};

/// The answer, with what a person wants to know about it.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Verdict {
    /// No execution violates the properties; why.
    True(String),
    /// The property that an execution violates, and the execution for people to read.
    False(Property, String),
    Unknown(String),
}

/// At most so long for compiling and running a counterexample.
const NATIVE_TIME: Duration = Duration::from_secs(30);

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
        && let Some((violation, outcome)) = quick::violation(program)
    {
        return replayed(program, settings, &violation, &outcome);
    }
    let time = settings.limits.cpu_time.unwrap_or(NO_TIME_LIMIT).saturating_sub(limits::cpu_time());
    let budget = Budget::new(time, settings.limits.memory_bytes.unwrap_or(u64::MAX));
    let report = portfolio::solve(program, &prepared, &settings.engine, &budget, |_, _| {});
    explain(program, &prepared, settings, report.answer)
}

fn explain(program: &Program, prepared: &Prepared, settings: &VerifySettings, answer: Answer) -> Verdict {
    match answer {
        Answer::True { proof, checked } => {
            let mut text = proof::describe(&prepared.program, &proof);
            text += &match checked {
                Checked::Again(solver) => format!("proved again from the invariants with {solver}"),
                Checked::Not(why) => format!("note: not proved a second time ({why})"),
            };
            Verdict::True(text)
        }
        Answer::False { violation, outcome, .. } => replayed(program, settings, &violation, &outcome),
        Answer::Unknown(why @ Why::CheckFailed(_)) => check_failed(&why),
        Answer::Unknown(why) => Verdict::Unknown(why.to_string()),
    }
}

fn check_failed(why: &Why) -> Verdict {
    output::note(format!("foldback: an engine's answer failed its check, please report this: {why}"));
    Verdict::Unknown(why.to_string())
}

/// A violation that the interpreter has seen, run once more as a compiled program.
fn replayed(program: &Program, settings: &VerifySettings, violation: &Violation, outcome: &Outcome) -> Verdict {
    let build = native_build(settings);
    if let Some(file) = &settings.harness {
        let text = native::harness(program, outcome, violation.property, &build.error_functions);
        if let Err(error) = std::fs::write(file, text) {
            output::note(format!("{}: {error}", file.display()));
        }
    }
    let mut text = quick::execution(program, outcome);
    if settings.replay == Replay::Interpreter {
        return Verdict::False(violation.property, text);
    }
    let started = Instant::now();
    let result = native::confirm(program, outcome, violation.property, &build, NATIVE_TIME);
    let took = started.elapsed().as_secs_f64();
    text += &match result {
        Native::Confirmed => format!("\nconfirmed by the compiled program ({took:.2} s)"),
        Native::Unavailable(why) => format!("\nnote: not confirmed by a compiled program: {why}"),
        Native::Missed(how) => return check_failed(&Why::CheckFailed(format!("native replay: {how}"))),
    };
    Verdict::False(violation.property, text)
}

fn native_build(settings: &VerifySettings) -> native::Build {
    let program = &settings.program;
    native::Build {
        files: program.files.clone(),
        includes: program.includes.clone(),
        defines: program.defines.clone(),
        data_model: match program.data_model {
            cfront::types::DataModel::Ilp32 => cfa::DataModel::Ilp32,
            cfront::types::DataModel::Lp64 => cfa::DataModel::Lp64,
        },
        error_functions: program.lowering.error_functions.clone(),
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
