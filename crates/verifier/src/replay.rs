//! Counterexamples as compiled programs: what the machine's compiler makes of them confirms a violation, or takes it back.

use crate::evidence;
use crate::limits::replay::{DEEP_NATIVE_TIME, NATIVE_TIME, SHORTEST_NATIVE_TIME, WALK_TIME};
use crate::request::{Replay, Request, Subject};
use cfa::{Program, Property, Violation};
use engine::Why;
use interpreter::Outcome;
use report::Native;
use std::path::Path;
use std::time::{Duration, Instant};
use transform::pipeline::Prepared;
use validate::execution::OnlyExecution;
use validate::native::{self, Build, Native as Compiled, Wall};
use validate::places::{self, Rests};
use validate::{Checked, DeepRun, FoundDanger, Run, Violated};

/// A program whose counterexamples are compiled and run.
pub(crate) struct Replays<'a> {
    pub(crate) program: &'a Program,
    pub(crate) prepared: &'a Prepared,
    pub(crate) request: &'a Request,
    /// What the request has left of its CPU time; none where that is not limited.
    pub(crate) left: Option<Duration>,
}

impl Replays<'_> {
    /// What the compiled program says to a violation that was checked; an error takes the violation back.
    pub(crate) fn compiled(&self, checked: &Checked<Violated>) -> Result<Native, Why> {
        match checked.evidence() {
            Violated::Run(run) => self.run(run),
            Violated::Danger(found) => self.danger(found),
        }
    }

    /// A run that is too long for the interpreter: a violation only if the compiled program shows it.
    pub(crate) fn deep(&self, deep: DeepRun) -> Result<(Checked<Violated>, Native), Why> {
        let steps = deep.expected().outcome.steps;
        let not_run =
            |why: &str| Why::NotConfirmed(format!("a counterexample of {steps} steps could not be run: {why}"));
        if let Err(why) = can_compile(self.request) {
            return Err(not_run(&why));
        }
        let started = Instant::now();
        match deep.run(self.program, &build(&self.request.subject, self.request.replay), self.time(DEEP_NATIVE_TIME)) {
            Ok(checked) => Ok((checked, confirmed(started))),
            Err(Compiled::NotTheLibrary(how)) => Err(Why::NotConfirmed(how)),
            Err(Compiled::Missed(how)) => Err(self.missed("native replay: ", &how, self.rests(None))),
            Err(Compiled::Unavailable(why)) => Err(not_run(&why)),
            Err(Compiled::Confirmed) => unreachable!("what is confirmed is checked"),
        }
    }

    /// The same for a run of which it is not known where it leads: within `time`, and silently.
    pub(crate) fn tried(&self, deep: DeepRun, time: Duration) -> Option<(Checked<Violated>, Native)> {
        can_compile(self.request).ok()?;
        let started = Instant::now();
        let build = build(&self.request.subject, self.request.replay);
        deep.run(self.program, &build, self.time(time)).ok().map(|checked| (checked, confirmed(started)))
    }

    fn rests(&self, run: Option<&Outcome>) -> Option<Rests> {
        places::rests(self.program, &self.prepared.flat, run)
    }

    /// What a counterexample is worth that the compiled program was given all of, and does not show: one rule for runs that were made, runs
    /// that nobody made, and proofs that there is one.
    fn missed(&self, whose: &str, how: &str, rests: Option<Rests>) -> Why {
        match rests {
            Some(Rests::OnParts | Rests::OnOrder) => Why::assumes_places(how),
            None => Why::CheckFailed(format!("{whose}{how}")),
        }
    }

    fn run(&self, run: &Run) -> Result<Native, Why> {
        let build = build(&self.request.subject, self.request.replay);
        let compiled = can_compile(self.request);
        let sees_parts = places::are_seen(self.program, &self.prepared.flat, &run.outcome);
        if compiled.is_err() && sees_parts {
            return Err(Why::assumes_places("it was not compiled and run"));
        }
        if compiled.is_err() && native::needs_library(self.program, &run.outcome, &build) {
            let why = "a counterexample depends on what the C library computes, and was not compiled and run";
            return Err(Why::NotConfirmed(why.into()));
        }
        if self.request.replay == Replay::Interpreter {
            return Ok(Native::Skipped);
        }
        if let Err(reason) = compiled {
            return Ok(Native::Unavailable { reason });
        }
        let started = Instant::now();
        match native::confirm(self.program, &run.outcome, run.violation.property, &build, self.time(NATIVE_TIME)) {
            Compiled::Confirmed => Ok(confirmed(started)),
            Compiled::Unavailable(how) if sees_parts => Err(Why::assumes_places(&how)),
            Compiled::NotTheLibrary(how) if native::assumes_places(self.program, &run.outcome) => {
                Err(Why::AssumesPlaces(how))
            }
            Compiled::Unavailable(reason) => Ok(Native::Unavailable { reason }),
            Compiled::NotTheLibrary(how) => Err(Why::NotConfirmed(how)),
            Compiled::Missed(how) => Err(self.missed("native replay: ", &how, self.rests(Some(&run.outcome)))),
        }
    }

    /// Where a danger invariant leads, walked by the compiled program with its choices in the place of the inputs.
    fn danger(&self, found: &FoundDanger) -> Result<Native, Why> {
        let started = Instant::now();
        let native = self.walk(&found.violation, found);
        let rests = self.rests(None);
        match native {
            Compiled::Confirmed => Ok(confirmed(started)),
            _ if rests == Some(Rests::OnParts) => Err(Why::assumes_places("a danger invariant was found")),
            _ if native::computes_in_library(self.program, &build(&self.request.subject, self.request.replay)) => {
                Err(Why::NotConfirmed(
                    "a danger invariant was found, but the run depends on what the C library computes".into(),
                ))
            }
            Compiled::Unavailable(reason) | Compiled::NotTheLibrary(reason) => Ok(Native::Unavailable { reason }),
            Compiled::Missed(how) => Err(self.missed("the danger invariant is proved, but ", &how, rests)),
        }
    }

    fn walk(&self, violation: &Violation, found: &FoundDanger) -> Compiled {
        if let Err(why) = can_compile(self.request) {
            return Compiled::Unavailable(why);
        }
        let changed = match evidence::with_inputs(&self.request.subject, self.prepared, found) {
            Ok(changed) => changed,
            Err(why) => return Compiled::Unavailable(why),
        };
        let changed = changed.into_iter().map(|(_, text)| text).collect();
        let build = Build { changed, ..build(&self.request.subject, self.request.replay) };
        native::walk(self.program, violation, &build, WALK_TIME)
    }

    /// The only execution of a program, run once more as a compiled program: it is all there is to prove.
    pub(crate) fn only_execution(&self, only: &Checked<OnlyExecution>) -> Result<Native, Why> {
        if let Err(reason) = can_compile(self.request) {
            return Ok(Native::Unavailable { reason });
        }
        let started = Instant::now();
        let outcome = &only.evidence().outcome;
        for &property in &self.request.subject.lowering.properties {
            match native::confirm(
                self.program,
                outcome,
                property,
                &build(&self.request.subject, self.request.replay),
                self.time(NATIVE_TIME),
            ) {
                Compiled::Confirmed => {
                    let how = "the compiled program shows an error that the interpreter does not";
                    return Err(Why::CheckFailed(how.into()));
                }
                Compiled::Missed(_) => {}
                Compiled::Unavailable(reason) | Compiled::NotTheLibrary(reason) => {
                    return Ok(Native::Unavailable { reason });
                }
            }
        }
        Ok(confirmed(started))
    }

    /// At most `most`, and no more than the request has left, but for a moment.
    fn time(&self, most: Duration) -> Duration {
        self.left.map_or(most, |left| most.min(left.max(SHORTEST_NATIVE_TIME)))
    }
}

/// What the compiled program says to a violation that the interpreter has run, whoever gave the inputs; an error is what it
/// does instead.
pub fn compiled(
    program: &Program,
    outcome: &Outcome,
    property: Property,
    subject: &Subject,
    replay: Replay,
) -> Result<Native, String> {
    if replay == Replay::Interpreter {
        return Ok(Native::Skipped);
    }
    let started = Instant::now();
    match native::confirm(program, outcome, property, &build(subject, replay), NATIVE_TIME) {
        Compiled::Confirmed => Ok(confirmed(started)),
        Compiled::Unavailable(reason) => Ok(Native::Unavailable { reason }),
        Compiled::Missed(how) | Compiled::NotTheLibrary(how) => Err(how),
    }
}

fn confirmed(started: Instant) -> Native {
    Native::Confirmed { seconds: started.elapsed().as_secs_f64() }
}

/// Whether the program is to be compiled at all, and can be.
fn can_compile(request: &Request) -> Result<(), String> {
    let lowering = &request.subject.lowering;
    match request.replay {
        Replay::Interpreter => Err("the program was not compiled".into()),
        Replay::Native | Replay::NativeUnsandboxed if lowering.contracts.any() => {
            Err("contracts stand in the place of code".into())
        }
        Replay::Native | Replay::NativeUnsandboxed => Ok(()),
    }
}

/// The C file that reproduces a run, to be written to `file`.
pub(crate) fn harness(program: &Program, request: &Request, run: &Run, file: &Path) -> Result<String, String> {
    let entry = &request.subject.lowering.entry;
    if entry != "main" {
        return Err(format!("the program starts at {entry}, not at main"));
    }
    Ok(native::harness(program, &run.outcome, run.violation.property, &build(&request.subject, request.replay), file))
}

/// How the program is compiled.
fn build(subject: &Subject, replay: Replay) -> Build {
    Build {
        files: subject.files.clone(),
        entry: subject.lowering.entry.clone(),
        changed: Vec::new(),
        includes: subject.includes.clone(),
        defines: subject.defines.clone(),
        front: subject.front.clone(),
        flags: subject.compiler_flags.clone(),
        data_model: match subject.data_model {
            cfront::types::DataModel::Ilp32 => cfa::DataModel::Ilp32,
            cfront::types::DataModel::Lp64 => cfa::DataModel::Lp64,
        },
        error_functions: subject.lowering.error_functions.clone(),
        library: |name| {
            let is_printed = name == "printf" || name.starts_with("__foldback_");
            is_printed || lower::library::is_approximated(name)
        },
        wall: if replay == Replay::NativeUnsandboxed { Wall::Open } else { Wall::Confined },
        is_given: lower::library::is_given,
    }
}
