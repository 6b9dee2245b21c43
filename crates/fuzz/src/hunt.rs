//! Every engine on random programs, against the truth, which two know: the interpreter and the compiled program. Engines are
//! asked through the same door as users ask ([`verifier`]); the portfolio with all that users get: the quick look, and
//! counterexamples run as compiled programs.

use crate::compiled::{self, Compiled};
use crate::generate::{self, Source};
use crate::shrink::shrink;
use crate::truth::{Truth, truth};
use cfa::Program;
use portfolio::{PORTFOLIO, Plan, Strategy};
use report::{Kind, Verdict};
use std::fmt;
use std::time::{Duration, Instant};
use verifier::{Cancellation, Limits, Replay, Request, Subject, Unobserved, load, property, verify};

/// What a hunt found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub programs: usize,
    pub safe: usize,
    pub unsafe_: usize,
    /// Programs whose truth is not known; engines ran on them all the same, for their checks.
    pub unclear: usize,
    /// Programs that were also compiled and run on all inputs, or up to the error.
    pub compiled: usize,
    /// Right answers by engine.
    pub right: Vec<(String, usize)>,
    pub faults: Vec<Fault>,
}

#[derive(Clone, Debug)]
pub struct Fault {
    pub seed: u64,
    pub engine: String,
    pub what: String,
    /// The program, made smaller.
    pub program: String,
    /// When it was found: programs before it, and time since the start.
    pub programs: usize,
    pub after: Duration,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { programs, safe, unsafe_, unclear, compiled, right, faults } = self;
        write!(f, "{programs} programs: {safe} safe, {unsafe_} unsafe, {unclear} unclear; ")?;
        write!(f, "{compiled} compiled and run on all inputs; {} faults", faults.len())?;
        right.iter().try_for_each(|(engine, right)| write!(f, "\n{engine:10} {right} right answers"))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault { seed, engine, what, program, programs, after } = self;
        let after = after.as_secs_f64();
        write!(f, "seed {seed}: {engine}: {what} (after {programs} programs, {after:.0} s)\n{program}")
    }
}

const ONLY_REACH: &[&str] = &["unreach-call"];
/// Who is at fault where interpreter and compiled program differ: the front end, lowering, or the interpreter itself.
const INTERPRETER: &str = "interpreter";
const FRONT_END: &str = "front end";
/// A program is made smaller for so long.
const SHRINKING: Duration = Duration::from_secs(30);
/// CPU time for each engine and program.
const EACH: Duration = Duration::from_secs(2);

/// A hunt ends when one of these is reached.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub programs: usize,
    pub faults: usize,
    pub time: Duration,
}

/// Runs the engines on programs from `seed` on. Faults are told as they are found.
pub fn hunt(
    engines: &[&str],
    seed: u64,
    bounds: &Bounds,
    cancellation: &Cancellation,
    told: &mut dyn FnMut(&Fault),
) -> Result<Report, String> {
    let asker = Asker::new(cancellation).map_err(|error| format!("a temporary folder: {error}"))?;
    let started = Instant::now();
    let mut report = Report { right: engines.iter().map(|e| ((*e).to_owned(), 0)).collect(), ..Report::default() };
    for seed in (seed..).take(bounds.programs) {
        if started.elapsed() > bounds.time || report.faults.len() >= bounds.faults || cancellation.is_cancelled() {
            break;
        }
        let source = asker.sharpened(generate::program(seed), seed);
        let before = report.programs;
        for (who, what) in asker.faults(&source, properties(seed), engines, &mut report) {
            let after = started.elapsed();
            let end = Instant::now() + SHRINKING;
            let is_faulty = &mut |source: &Source| {
                Instant::now() < end && !cancellation.is_cancelled() && asker.is_faulty(source, properties(seed), &who)
            };
            let program = shrink(&source, is_faulty).text();
            let fault = Fault { seed, engine: who, what, program, programs: before, after };
            told(&fault);
            report.faults.push(fault);
        }
    }
    Ok(report)
}

/// What is asked about a program: mostly whether the error is reached, sometimes several properties together.
fn properties(seed: u64) -> &'static [&'static str] {
    match seed % 5 {
        0 => &["unreach-call", "no-overflow"],
        1 => &["unreach-call", "memsafety"],
        _ => ONLY_REACH,
    }
}

/// What is known of a program.
struct Known {
    /// By the interpreter, on all inputs.
    truth: Truth,
    compiled: Compiled,
    /// C allows more than the compiler does.
    is_open: bool,
}

impl Known {
    /// Where the interpreter and the compiled program differ. A compiled program shows calls of the error function only.
    fn difference(&self, properties: &[&str]) -> Option<String> {
        match (self.truth, &self.compiled) {
            (Truth::Safe, Compiled::Reaches(inputs)) => {
                Some(format!("never reaches the error, but the compiled program does with inputs {inputs}"))
            }
            (Truth::Unsafe, Compiled::Never) if properties == ONLY_REACH && !self.is_open => {
                Some("reaches the error, but the compiled program never does".into())
            }
            _ => None,
        }
    }

    /// What is wrong with an answer.
    fn fault(&self, answer: &Result<Verdict, String>, properties: &[&str]) -> Option<String> {
        match (answer, self.truth, &self.compiled) {
            (Err(message), ..) => Some(message.clone()),
            (Ok(Verdict::True { .. }), Truth::Unsafe, _) => {
                Some("says true, but an execution reaches the error".into())
            }
            (Ok(Verdict::True { .. }), _, Compiled::Reaches(inputs)) => {
                Some(format!("says true, but the compiled program reaches the error with inputs {inputs}"))
            }
            (Ok(Verdict::False { .. }), Truth::Safe, _) => {
                Some("says false, but no execution reaches the error".into())
            }
            (Ok(Verdict::False { .. }), _, Compiled::Never) if properties == ONLY_REACH && !self.is_open => {
                Some("says false, but the compiled program never reaches the error".into())
            }
            (Ok(Verdict::Unknown { kind: Kind::CheckFailed | Kind::Crashed, reason, .. }), ..) => Some(reason.clone()),
            _ => None,
        }
    }
}

/// Asks about programs that it writes into a folder of its own.
struct Asker<'a> {
    folder: sandbox::Folder,
    cancellation: &'a Cancellation,
}

impl Asker<'_> {
    fn new(cancellation: &Cancellation) -> std::io::Result<Asker<'_>> {
        Ok(Asker { folder: sandbox::Folder::new()?, cancellation })
    }

    fn subject(&self, source: &Source, properties: &[&str]) -> Result<Subject, String> {
        let file = self.folder.path().join("random.c");
        std::fs::write(&file, source.text()).map_err(|error| format!("{}: {error}", file.display()))?;
        let names: Vec<String> = properties.iter().map(|&name| name.to_owned()).collect();
        let mut subject = Subject::new(vec![file], property::read(&names)?);
        subject.data_model = cfront::types::DataModel::Ilp32;
        Ok(subject)
    }

    fn compile(&self, source: &Source, properties: &[&str]) -> Result<Program, String> {
        load::lowered(&self.subject(source, properties)?).map_err(|bad| bad.to_string())
    }

    fn ask(&self, source: &Source, properties: &[&str], engine: &str) -> Result<Verdict, String> {
        let is_whole = engine == PORTFOLIO;
        let request = Request {
            subject: self.subject(source, properties)?,
            plan: Plan::new(Strategy::named(engine)?),
            quick: is_whole,
            replay: if is_whole { Replay::Native } else { Replay::Interpreter },
            limits: Limits { cpu_time: Some(EACH), ..Limits::default() },
            ..Request::new(Vec::new())
        };
        verify(&request, &Unobserved, self.cancellation).map(|outcome| outcome.verdict).map_err(|bad| bad.to_string())
    }

    fn sharpened(&self, source: Source, seed: u64) -> Source {
        source.sharpened(|source| compiled::noted(source, self.folder.path(), seed))
    }

    fn known(&self, source: &Source, program: &Program) -> Known {
        let compiled = compiled::run(source, self.folder.path());
        let truth = match truth(program) {
            Truth::Safe if source.is_not_enumerated() => Truth::Unclear,
            truth => truth,
        };
        Known { truth, compiled, is_open: source.is_open() }
    }

    /// Who is wrong about a program, and how.
    fn faults(
        &self,
        source: &Source,
        properties: &[&str],
        engines: &[&str],
        report: &mut Report,
    ) -> Vec<(String, String)> {
        let program = match self.compile(source, properties) {
            Ok(program) => program,
            Err(message) => return vec![(FRONT_END.into(), message)],
        };
        let known = self.known(source, &program);
        report.programs += 1;
        match known.truth {
            Truth::Safe => report.safe += 1,
            Truth::Unsafe => report.unsafe_ += 1,
            Truth::Unclear => report.unclear += 1,
        }
        report.compiled += usize::from(known.compiled != Compiled::Unclear);
        if let Some(what) = known.difference(properties) {
            return vec![(INTERPRETER.into(), what)];
        }
        let mut faults = Vec::new();
        for (engine, right) in engines.iter().zip(&mut report.right) {
            if self.cancellation.is_cancelled() {
                break;
            }
            let answer = self.ask(source, properties, engine);
            match known.fault(&answer, properties) {
                Some(what) => faults.push(((*engine).to_owned(), what)),
                None => right.1 += usize::from(!matches!(answer, Ok(Verdict::Unknown { .. }))),
            }
        }
        faults
    }

    /// Whether `who` is wrong about a program, made smaller from one that it was wrong about.
    fn is_faulty(&self, source: &Source, properties: &[&str], who: &str) -> bool {
        let program = self.compile(source, properties);
        match (who, program) {
            (FRONT_END, program) => program.is_err(),
            (_, Err(_)) => false,
            (INTERPRETER, Ok(program)) => self.known(source, &program).difference(properties).is_some(),
            (engine, Ok(program)) => {
                let answer = self.ask(source, properties, engine);
                self.known(source, &program).fault(&answer, properties).is_some()
            }
        }
    }
}
