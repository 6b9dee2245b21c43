//! `foldback verify`: prepares the program, asks for a verdict, shows it.

use crate::cfa_command;
use crate::danger_invariant;
use crate::deliver::{self, Evidence};
use crate::explain;
use crate::interrupt::Interrupt;
use crate::limits;
use crate::load;
use crate::output::{self, BadInput, Exit};
use crate::parts::{self, Decided};
use crate::progress::Progress;
use crate::quick::{self, Seen};
use crate::recursion;
use crate::settings::{ProgramSettings, Replay, VerifySettings};
use crate::termination;
use crate::trust;
use crate::walk;
use crate::witness_file;
use cfa::interp::Outcome;
use cfa::{LocKind, Program, Property, Violation};
use engine::{Budget, Event, Why};
use portfolio::News;
use portfolio::judge::{Answer, CheckedProof, Walked, is_after_undefined};
use portfolio::judge_danger::CheckedDanger;
use report::html::Picture;
use report::{Method, Proof, Report, Run, Verdict};
use std::time::{Duration, Instant};
use transform::Aim;
use transform::pipeline::{self, prepare};
use validate::native::{self, Native};

/// At most so long for compiling and running a counterexample.
pub(crate) const NATIVE_TIME: Duration = Duration::from_secs(30);
/// The same for one that only the compiled program is fast enough to walk.
const DEEP_NATIVE_TIME: Duration = Duration::from_secs(120);
/// Whatever the time limit: so long a compiler may need.
const SHORTEST_NATIVE_TIME: Duration = Duration::from_secs(2);

/// So long, at most, recursive programs are unrolled before their recursion is folded.
const FIRST_UNROLLED: Duration = Duration::from_millis(300);

/// For objects that pointers of ILP32 do not reach with the usual share of their bits, in bytes.
const MORE_ROOM: u64 = 60_000_000;

/// Where no limit is given: far away.
const NO_TIME_LIMIT: Duration = Duration::from_secs(1_000_000_000);

/// What goes on around a run: what is told of it, and what may stop it.
pub(crate) struct Session {
    pub(crate) progress: Progress,
    pub(crate) interrupt: Interrupt,
}

impl Session {
    /// Limits hold and signals are heard from now on.
    fn start(settings: &VerifySettings) -> Session {
        let progress = Progress::start(settings.progress, settings.limits.cpu_time);
        let end = |shown: Progress, settings: VerifySettings| {
            move |reason: &str| {
                let report = report(&settings, Verdict::unknown(reason));
                finish(&settings, &shown, &report, &no_picture(), &Evidence::none());
                std::process::exit(i32::from(Exit::Unknown.code()));
            }
        };
        limits::enforce(settings.limits, end(progress.clone(), settings.clone()));
        let cancelled = end(progress.clone(), settings.clone());
        let interrupt = Interrupt::watch(move || cancelled(&Why::Cancelled.to_string()));
        Session { progress, interrupt }
    }

    /// What is left up to `time` of CPU, counted from the start; signals cancel it.
    pub(crate) fn budget(&self, settings: &VerifySettings, time: Option<Duration>, log: &Log) -> Budget {
        let time = time.unwrap_or(NO_TIME_LIMIT).saturating_sub(self.used(log));
        let budget = Budget::new(time, settings.limits.memory_bytes.unwrap_or(u64::MAX));
        self.interrupt.cancels(&budget);
        budget
    }

    /// What is left of `time`.
    pub(crate) fn left(&self, settings: &VerifySettings, time: Option<Duration>, log: &Log) -> Duration {
        self.budget(settings, time, log).left()
    }

    /// CPU time of this process and of the engines that ran.
    pub(crate) fn used(&self, log: &Log) -> Duration {
        limits::cpu_time() + Duration::from_secs_f64(log.runs.iter().map(|run| run.cpu_seconds).sum())
    }
}

/// What is to be told of a run besides its verdict.
#[derive(Default)]
pub(crate) struct Log {
    pub(crate) runs: Vec<Run>,
    pub(crate) notes: Vec<String>,
}

/// A verdict, the automaton that a proof speaks of where someone wants to see it, and what others can check it by.
pub(crate) struct Decision {
    pub(crate) verdict: Verdict,
    pub(crate) picture: Picture,
    pub(crate) evidence: Evidence,
}

impl Decision {
    /// A verdict alone.
    pub(crate) fn bare(verdict: Verdict) -> Decision {
        Decision { verdict, picture: no_picture(), evidence: Evidence::none() }
    }
}

pub(crate) fn verify(settings: &VerifySettings) -> Result<Exit, BadInput> {
    settings.files.check()?;
    let session = Session::start(settings);
    if std::thread::available_parallelism().is_ok_and(|processors| processors.get() > 1) {
        // A proof will be proved again, and there is time for the start while the program is read.
        smt::start_ahead(&smt::Z3Settings::default());
    }
    let mut log = Log::default();
    let decided = load::lowered(&settings.program).and_then(|program| {
        log.notes.extend(program.notes.iter().map(|note| note.render(&program.sources)));
        let decided = match &settings.danger_invariant {
            Some(file) => {
                let whole = danger_invariant::decide(file, settings, &session, &mut log)?;
                Decided { whole, parts: Vec::new() }
            }
            None => parts::decide_all(&program, settings, &session, &mut log)?,
        };
        let budget = session.budget(settings, settings.limits.cpu_time, &log);
        log.notes.extend(trust::notes(&program, &settings.program.lowering, &decided.whole.verdict, &budget));
        Ok(decided)
    });
    session.progress.end();
    let Decided { whole, parts } = decided?;
    let report = Report { notes: log.notes, runs: log.runs, parts, ..report(settings, whole.verdict) };
    finish(settings, &session.progress, &report, &whole.picture, &whole.evidence);
    Ok(explain::exit(&report.result))
}

/// Shows and keeps the result: the end of a verification, from wherever it comes first.
fn finish(settings: &VerifySettings, progress: &Progress, report: &Report, picture: &Picture, evidence: &Evidence) {
    output::last_word();
    progress.end();
    deliver::deliver(report, &settings.files, picture, evidence);
}

/// A result of which nothing but the verdict is known.
fn report(settings: &VerifySettings, result: Verdict) -> Report {
    Report {
        schema: report::SCHEMA.to_owned(),
        files: settings.program.files.iter().map(|file| file.display().to_string()).collect(),
        data_model: data_model(settings).to_owned(),
        properties: settings.program.lowering.properties.iter().map(|p| p.name().to_owned()).collect(),
        notes: Vec::new(),
        runs: Vec::new(),
        parts: Vec::new(),
        result,
    }
}

pub(crate) fn no_picture() -> Picture {
    Picture::Missing("there is no proof".into())
}

pub(crate) fn data_model(settings: &VerifySettings) -> &'static str {
    match settings.program.data_model {
        cfront::types::DataModel::Ilp32 => "ILP32",
        cfront::types::DataModel::Lp64 => "LP64",
    }
}

/// Decides the program within `time` of CPU, counted from the start of this process.
pub(crate) fn decide(
    program: &Program,
    settings: &VerifySettings,
    time: Option<Duration>,
    session: &Session,
    log: &mut Log,
) -> Decision {
    if settings.program.lowering.properties.contains(&Property::Termination) {
        return termination::decide(program, settings, time, session, log);
    }
    let budget = session.budget(settings, time, log);
    session.progress.phase("preparing");
    let prepared = prepare(program, &pipeline::Settings::new(Aim::Targets));
    if let Some((program, roomier)) = with_more_room(&prepared.program, settings) {
        return decide(&program, &roomier, time, session, log);
    }
    let proved = |proof, invariants: Option<&CheckedProof>| {
        let wanted = settings.files.html.is_some() && !session.interrupt.is_raised();
        let picture = if wanted { cfa_command::picture(&prepared.program) } else { no_picture() };
        let witness = witness_file::correctness(settings, &prepared, invariants);
        Decision { verdict: Verdict::True { proof }, picture, evidence: Evidence { witness, ..Evidence::none() } }
    };
    if !prepared.program.main().locs.values().any(|location| location.kind.is_target()) {
        let (proved_again_by, not_proved_again) =
            report::proof::confirmation(&portfolio::judge_simplified(&prepared, &budget));
        return proved(Proof::new(Method::Simplified, proved_again_by, not_proved_again), None);
    }
    match settings.quick.then(|| quick::look(program)).flatten() {
        Some(Seen::Violation(violation, outcome)) => {
            return replayed(program, settings, &violation, &outcome, Walked::Interpreted, None);
        }
        Some(Seen::OnlyExecution(outcome)) => {
            return match executed_again(program, settings, &outcome) {
                Ok(proof) => proved(proof, None),
                Err(why) => Decision::bare(check_failed(&why)),
            };
        }
        None => {}
    }
    session.progress.phase("verifying");
    let lowering = &settings.program.lowering;
    let checks_all = lowering.properties.contains(&Property::ValidDeref) && lowering.only_lines.is_empty();
    let has_stricter = !checks_all && lowering.unchecked == lower::Unchecked::Continues;
    let plan = portfolio::Plan { until_undefined: has_stricter, ..settings.plan.clone() };
    let ask = |budget: &Budget, log: &mut Log| {
        let answered = portfolio::run(program, &prepared, &plan, budget, &mut |news| {
            if let (true, News::Event { engine, event: Event::Folding(lines) }) = (settings.trace_folding, news) {
                lines.lines().for_each(|line| output::note(format!("{engine}: {line}")));
            }
            session.progress.hear(news);
        });
        log.runs.extend(answered.runs.iter().map(|run| Run {
            engine: run.engine.clone(),
            cpu_seconds: run.time.as_secs_f64(),
            said: run.said.clone(),
        }));
        answered
    };
    let mut answered;
    if recursion::concerns(program) {
        // Unrolled, recursion shows its bugs, and what is bounded; then it is folded, then unrolled further.
        let part = (budget.left() / 5).min(FIRST_UNROLLED);
        answered = ask(&budget.slice(part), log);
        if matches!(answered.answer, Answer::Unknown(Why::Timeout | Why::GaveUp(_) | Why::BoundHit(_))) {
            let half = Some(session.used(log) + session.left(settings, time, log) / 2);
            if let Some(proof) = recursion::prove(program, settings, half, session, log) {
                return proved(proof, None);
            }
            answered = ask(&session.budget(settings, time, log), log);
        }
    } else {
        answered = ask(&budget, log);
    }
    match answered.answer {
        Answer::True { proof, checked } => {
            proved(report::proof::describe(&prepared.program, &proof, &checked), Some(&proof))
        }
        Answer::Danger { proof, checked } => {
            let mut counterexample = report::danger::counterexample(&prepared.program, &proof, &checked);
            session.progress.phase("running the counterexample");
            let started = Instant::now();
            match walk::confirm(program, settings, &prepared, &proof) {
                Native::Confirmed => {
                    counterexample.native = report::Native::Confirmed { seconds: started.elapsed().as_secs_f64() };
                }
                _ if native::computes_in_library(program, &native_build(&settings.program)) => {
                    let why = "a danger invariant was found, but the run depends on what the C library computes";
                    return Decision::bare(Verdict::unknown(why));
                }
                Native::Unavailable(why) | Native::NotTheLibrary(why) => {
                    if let report::Native::Unavailable { reason } = &mut counterexample.native {
                        *reason = format!("{reason} ({why})");
                    }
                }
                Native::Missed(how) => {
                    let why = Why::CheckFailed(format!("the danger invariant is proved, but {how}"));
                    return Decision::bare(check_failed(&why));
                }
            }
            let evidence = Evidence {
                witness: witness_file::danger(settings, &prepared, &proof),
                harness: Err(
                    "the counterexample is a danger invariant: it has too many inputs to be written down".into()
                ),
            };
            let property = proof.violation.property.name().to_owned();
            Decision { evidence, ..Decision::bare(Verdict::False { property, counterexample }) }
        }
        Answer::False { violation, outcome, walked, danger, .. } => {
            if !outcome.environment.is_empty() {
                let pointers = outcome.environment.len();
                log.notes.push(format!("note: {pointers} pointers that come from outside are given valid memory"));
            }
            session.progress.phase("running the counterexample");
            let found = danger.as_deref().map(|danger| (&prepared, danger));
            let mut decision = replayed(program, settings, &violation, &outcome, walked, found);
            if let (Some(danger), Verdict::False { counterexample, .. }) = (&danger, &mut decision.verdict) {
                counterexample.danger = report::danger::explain(&prepared.program, danger);
            }
            decision
        }
        Answer::Unknown(why) if has_stricter && is_after_undefined(&why) => {
            let mut stricter = settings.clone();
            stricter.program.lowering.unchecked = lower::Unchecked::Ends;
            match load::lowered(&stricter.program) {
                Ok(program) => decide(&program, &stricter, time, session, log),
                Err(_) => Decision::bare(Verdict::unknown(why)),
            }
        }
        Answer::Unknown(why) => {
            let why = if session.interrupt.is_raised() { Why::Cancelled } else { why };
            if let Why::CheckFailed(_) = why {
                check_failed(&why);
            }
            let known = report::known(&prepared.program, &answered.facts);
            Decision::bare(Verdict::Unknown { reason: why.to_string(), known })
        }
    }
}

/// Where pointers have too few bits for offsets: the program with more of them, if then nothing is out of reach.
fn with_more_room(prepared: &Program, settings: &VerifySettings) -> Option<(Program, VerifySettings)> {
    let too_large = |program: &Program| program.main().locs.values().any(|l| lower::is_too_large(&l.kind));
    let bounded = |program: &Program| program.main().locs.values().any(|l| matches!(l.kind, LocKind::BoundHit(_)));
    let is_narrow = settings.program.data_model == cfront::types::DataModel::Ilp32;
    if !is_narrow || settings.program.lowering.room > 0 || !too_large(prepared) {
        return None;
    }
    let mut roomier = settings.clone();
    roomier.program.lowering.room = MORE_ROOM;
    let program = load::lowered(&roomier.program).ok()?;
    let prepared = prepare(&program, &pipeline::Settings::new(Aim::Targets));
    (!bounded(&prepared.program)).then_some((program, roomier))
}

pub(crate) fn check_failed(why: &Why) -> Verdict {
    output::note(format!("foldback: an engine's answer failed its check, please report this: {why}"));
    Verdict::unknown(why)
}

/// The only execution of a program, run once more as a compiled program: it is all there is to prove.
fn executed_again(program: &Program, settings: &VerifySettings, outcome: &Outcome) -> Result<Proof, Why> {
    let proof = |again, not_again| Proof::new(Method::Executed { steps: outcome.steps }, again, not_again);
    if settings.replay == Replay::Interpreter {
        return Ok(proof(None, Some("the program was not compiled".into())));
    }
    for &property in &settings.program.lowering.properties {
        match native::confirm(program, outcome, property, &native_build(&settings.program), NATIVE_TIME) {
            Native::Confirmed => {
                let how = "the compiled program shows an error that the interpreter does not";
                return Err(Why::CheckFailed(how.into()));
            }
            Native::Missed(_) => {}
            Native::Unavailable(reason) | Native::NotTheLibrary(reason) => return Ok(proof(None, Some(reason))),
        }
    }
    Ok(proof(Some("the compiled program".into()), None))
}

/// A violation that the interpreter has seen, run once more as a compiled program; one that is too deep for the interpreter
/// counts only if the compiled program shows it.
fn replayed(
    program: &Program,
    settings: &VerifySettings,
    violation: &Violation,
    outcome: &Outcome,
    walked: Walked,
    danger: Option<(&pipeline::Prepared, &CheckedDanger)>,
) -> Decision {
    let unknown = |why: String| Decision::bare(Verdict::unknown(why));
    let build = native_build(&settings.program);
    let entry = &settings.program.lowering.entry;
    let compiled = if entry == "main" { Ok(()) } else { Err(format!("the program starts at {entry}, not at main")) };
    let is_run = compiled.is_ok() && settings.replay != Replay::Interpreter;
    if !is_run && native::needs_library(program, outcome, &build) {
        let why = "a counterexample depends on what the C library computes, and was not compiled and run";
        return unknown(why.into());
    }
    let not_run = |why: &str| unknown(format!("a counterexample of {} steps could not be run: {why}", outcome.steps));
    let confirmed = if settings.replay == Replay::Interpreter && walked == Walked::Interpreted {
        report::Native::Skipped
    } else if let Err(reason) = &compiled {
        if walked == Walked::Expected {
            return not_run(reason);
        }
        report::Native::Unavailable { reason: reason.clone() }
    } else {
        let started = Instant::now();
        let time = if walked == Walked::Expected { DEEP_NATIVE_TIME } else { NATIVE_TIME };
        let time = settings.limits.cpu_time.map_or(time, |limit| time.min(limit.max(SHORTEST_NATIVE_TIME)));
        match native::confirm(program, outcome, violation.property, &build, time) {
            Native::Confirmed => report::Native::Confirmed { seconds: started.elapsed().as_secs_f64() },
            Native::Unavailable(reason) if walked == Walked::Expected => return not_run(&reason),
            Native::Unavailable(reason) => report::Native::Unavailable { reason },
            Native::NotTheLibrary(how) => return unknown(how),
            Native::Missed(how) => {
                return Decision::bare(check_failed(&Why::CheckFailed(format!("native replay: {how}"))));
            }
        }
    };
    let evidence = Evidence {
        witness: witness_file::violation(settings, program, outcome, violation.property, danger),
        harness: match &settings.files.harness {
            Some(file) => compiled.map(|()| native::harness(program, outcome, violation.property, &build, file)),
            None => Err("none was asked for".into()),
        },
    };
    let counterexample = report::execution::counterexample(program, outcome, confirmed);
    let property = violation.property.name().to_owned();
    Decision { evidence, ..Decision::bare(Verdict::False { property, counterexample }) }
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
        library: |name| {
            let is_printed = name == "printf" || name.starts_with("__foldback_");
            is_printed || lower::library::is_approximated(name)
        },
    }
}
