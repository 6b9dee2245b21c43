//! `foldback verify`: prepares the program, asks for a verdict, shows it.

use crate::explain;
use crate::limits;
use crate::load;
use crate::output::{self, BadInput, Exit};
use crate::quick;
use crate::settings::{Replay, VerifySettings};
use crate::witness_file;
use cfa::interp::Outcome;
use cfa::{Program, Property, Violation};
use engine::{Budget, Event, Why};
use portfolio::judge::Answer;
use report::{Method, Proof, Report, Run, Verdict};
use std::time::{Duration, Instant};
use transform::Aim;
use transform::pipeline::{self, prepare};
use validate::native::{self, Native};

/// At most so long for compiling and running a counterexample.
const NATIVE_TIME: Duration = Duration::from_secs(30);

/// Where no limit is given: far away.
const NO_TIME_LIMIT: Duration = Duration::from_secs(1_000_000_000);

pub(crate) fn verify(settings: &VerifySettings) -> Result<Exit, BadInput> {
    limits::enforce(settings.limits);
    let program = load::lowered(&settings.program)?;
    let (mut runs, mut notes) = (Vec::new(), Vec::new());
    notes.extend(program.notes.iter().map(|note| note.render(&program.sources)));
    let result = decide(&program, settings, &mut runs, &mut notes);
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

fn decide(program: &Program, settings: &VerifySettings, runs: &mut Vec<Run>, notes: &mut Vec<String>) -> Verdict {
    if settings.program.lowering.properties.contains(&Property::Termination) {
        return unknown("no engine decides termination yet");
    }
    let prepared = prepare(program, &pipeline::Settings::new(Aim::Targets));
    let time = settings.limits.cpu_time.unwrap_or(NO_TIME_LIMIT).saturating_sub(limits::cpu_time());
    let budget = Budget::new(time, settings.limits.memory_bytes.unwrap_or(u64::MAX));
    if !prepared.program.main().locs.values().any(|location| location.kind.is_target()) {
        witness_file::correctness(settings, &prepared, None);
        let (proved_again_by, not_proved_again) =
            report::proof::confirmation(&portfolio::judge_simplified(&prepared, &budget));
        return Verdict::True { proof: Proof { method: Method::Simplified, proved_again_by, not_proved_again } };
    }
    if settings.quick
        && let Some((violation, outcome)) = quick::violation(program)
    {
        return replayed(program, settings, &violation, &outcome);
    }
    let trace_folding = settings.trace_folding;
    let mut listener = |engine: &str, event: &Event| {
        if let (true, Event::Folding(lines)) = (trace_folding, event) {
            lines.lines().for_each(|line| output::note(format!("{engine}: {line}")));
        }
    };
    let answered = portfolio::run(program, &prepared, &settings.plan, &budget, &mut listener);
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
        Answer::False { violation, outcome, .. } => {
            if !outcome.environment.is_empty() {
                let pointers = outcome.environment.len();
                notes.push(format!("note: {pointers} pointers that come from outside are given valid memory"));
            }
            replayed(program, settings, &violation, &outcome)
        }
        Answer::Unknown(why @ Why::CheckFailed(_)) => check_failed(&why),
        Answer::Unknown(why) => unknown(why),
    }
}

fn check_failed(why: &Why) -> Verdict {
    output::note(format!("foldback: an engine's answer failed its check, please report this: {why}"));
    unknown(why)
}

/// A violation that the interpreter has seen, run once more as a compiled program.
fn replayed(program: &Program, settings: &VerifySettings, violation: &Violation, outcome: &Outcome) -> Verdict {
    let build = native_build(settings);
    if let Some(file) = &settings.harness {
        output::keep(file, &native::harness(program, outcome, violation.property, &build.error_functions));
    }
    let confirmed = if settings.replay == Replay::Interpreter {
        report::Native::Skipped
    } else {
        let started = Instant::now();
        match native::confirm(program, outcome, violation.property, &build, NATIVE_TIME) {
            Native::Confirmed => report::Native::Confirmed { seconds: started.elapsed().as_secs_f64() },
            Native::Unavailable(reason) => report::Native::Unavailable { reason },
            Native::Missed(how) => return check_failed(&Why::CheckFailed(format!("native replay: {how}"))),
        }
    };
    witness_file::violation(settings, program, outcome, violation.property);
    let counterexample = report::execution::counterexample(program, outcome, confirmed);
    Verdict::False { property: violation.property.name().to_owned(), counterexample }
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
