//! `foldback verify`: prepares the program, asks for a verdict, shows it.

use crate::explain;
use crate::limits;
use crate::load;
use crate::output::{self, BadInput, Exit};
use crate::quick;
use crate::settings::{ProgramSettings, Replay, VerifySettings};
use crate::trust;
use crate::witness_file;
use cfa::interp::Outcome;
use cfa::{Program, Property, Violation};
use engine::{Budget, Why};
use portfolio::judge::{Answer, Walked};
use report::{Method, Proof, Report, Run, Verdict};
use std::time::{Duration, Instant};
use transform::Aim;
use transform::pipeline::{self, prepare};
use validate::native::{self, Native};

/// At most so long for compiling and running a counterexample.
pub(crate) const NATIVE_TIME: Duration = Duration::from_secs(30);
/// The same for one that only the compiled program is fast enough to walk.
const DEEP_NATIVE_TIME: Duration = Duration::from_secs(120);

/// Where no limit is given: far away.
const NO_TIME_LIMIT: Duration = Duration::from_secs(1_000_000_000);

pub(crate) fn verify(settings: &VerifySettings) -> Result<Exit, BadInput> {
    limits::enforce(settings.limits);
    let program = load::lowered(&settings.program)?;
    let (mut runs, mut notes) = (Vec::new(), Vec::new());
    notes.extend(program.notes.iter().map(|note| note.render(&program.sources)));
    let time = settings.limits.cpu_time.unwrap_or(NO_TIME_LIMIT).saturating_sub(limits::cpu_time());
    let budget = Budget::new(time, settings.limits.memory_bytes.unwrap_or(u64::MAX));
    let result = decide(&program, settings, &budget, &mut runs, &mut notes);
    notes.extend(trust::notes(&program, &result, &budget));
    let report = Report {
        schema: report::SCHEMA.to_owned(),
        files: settings.program.files.iter().map(|file| file.display().to_string()).collect(),
        data_model: data_model(settings).to_owned(),
        properties: settings.program.lowering.properties.iter().map(|p| p.name().to_owned()).collect(),
        notes,
        runs,
        result,
    };
    explain::show(&report);
    if let Some(file) = &settings.json {
        output::keep(file, &report.to_json());
    }
    Ok(explain::exit(&report.result))
}

pub(crate) fn data_model(settings: &VerifySettings) -> &'static str {
    match settings.program.data_model {
        cfront::types::DataModel::Ilp32 => "ILP32",
        cfront::types::DataModel::Lp64 => "LP64",
    }
}

fn unknown(reason: impl ToString) -> Verdict {
    Verdict::Unknown { reason: reason.to_string() }
}

fn decide(
    program: &Program,
    settings: &VerifySettings,
    budget: &Budget,
    runs: &mut Vec<Run>,
    notes: &mut Vec<String>,
) -> Verdict {
    if settings.program.lowering.properties.contains(&Property::Termination) {
        return unknown("no engine decides termination yet");
    }
    let prepared = prepare(program, &pipeline::Settings::new(Aim::Targets));
    if !prepared.program.main().locs.values().any(|location| location.kind.is_target()) {
        witness_file::correctness(settings, &prepared, None);
        let (proved_again_by, not_proved_again) =
            report::proof::confirmation(&portfolio::judge_simplified(&prepared, budget));
        return Verdict::True { proof: Proof { method: Method::Simplified, proved_again_by, not_proved_again } };
    }
    if settings.quick
        && let Some((violation, outcome)) = quick::violation(program)
    {
        return replayed(program, settings, &violation, &outcome, Walked::Interpreted);
    }
    let answered = portfolio::run(program, &prepared, &settings.plan, budget, &mut |_, _| {});
    runs.extend(answered.runs.into_iter().map(|run| Run {
        engine: run.engine,
        cpu_seconds: run.time.as_secs_f64(),
        said: run.said,
    }));
    match answered.answer {
        Answer::True { proof, checked } => {
            witness_file::correctness(settings, &prepared, Some(&proof));
            Verdict::True { proof: report::proof::describe(&prepared.program, &proof, &checked) }
        }
        Answer::False { violation, outcome, walked, .. } => {
            if !outcome.environment.is_empty() {
                let pointers = outcome.environment.len();
                notes.push(format!("note: {pointers} pointers that come from outside are given valid memory"));
            }
            replayed(program, settings, &violation, &outcome, walked)
        }
        Answer::Unknown(why @ Why::CheckFailed(_)) => check_failed(&why),
        Answer::Unknown(why) => unknown(why),
    }
}

fn check_failed(why: &Why) -> Verdict {
    output::note(format!("foldback: an engine's answer failed its check, please report this: {why}"));
    unknown(why)
}

/// A violation that the interpreter has seen, run once more as a compiled program; one that is too deep for the interpreter
/// counts only if the compiled program shows it.
fn replayed(
    program: &Program,
    settings: &VerifySettings,
    violation: &Violation,
    outcome: &Outcome,
    walked: Walked,
) -> Verdict {
    let build = native_build(&settings.program);
    if let Some(file) = &settings.harness {
        output::keep(file, &native::harness(program, outcome, violation.property, &build.error_functions));
    }
    let confirmed = if settings.replay == Replay::Interpreter && walked == Walked::Interpreted {
        report::Native::Skipped
    } else {
        let started = Instant::now();
        let time = if walked == Walked::Expected { DEEP_NATIVE_TIME } else { NATIVE_TIME };
        match native::confirm(program, outcome, violation.property, &build, time) {
            Native::Confirmed => report::Native::Confirmed { seconds: started.elapsed().as_secs_f64() },
            Native::Unavailable(reason) if walked == Walked::Expected => {
                return unknown(format!("a counterexample of {} steps could not be run: {reason}", outcome.steps));
            }
            Native::Unavailable(reason) => report::Native::Unavailable { reason },
            Native::Missed(how) => return check_failed(&Why::CheckFailed(format!("native replay: {how}"))),
        }
    };
    witness_file::violation(settings, program, outcome, violation.property);
    let counterexample = report::execution::counterexample(program, outcome, confirmed);
    Verdict::False { property: violation.property.name().to_owned(), counterexample }
}

pub(crate) fn native_build(program: &ProgramSettings) -> native::Build {
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
