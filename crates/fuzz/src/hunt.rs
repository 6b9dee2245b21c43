//! Every engine on random programs, against the truth. Engines are asked through the same door as users ask ([`verifier`]);
//! the portfolio with all that users get: the quick look, and counterexamples run as compiled programs.

use crate::generate::{self, Source};
use crate::shrink::shrink;
use crate::truth::{Truth, truth};
use cfa::Program;
use portfolio::{PORTFOLIO, Plan, Strategy};
use report::{Kind, Verdict};
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
}

/// CPU time for each engine and program.
const EACH: Duration = Duration::from_secs(2);

/// Runs the engines on programs from `seed` on, until `time` is over or `count` programs are done.
pub fn hunt(engines: &[&str], seed: u64, count: usize, time: Duration) -> Report {
    let started = Instant::now();
    let mut report = Report { right: engines.iter().map(|e| ((*e).to_owned(), 0)).collect(), ..Report::default() };
    let asker = match Asker::new() {
        Ok(asker) => asker,
        Err(error) => {
            let what = format!("a temporary folder: {error}");
            report.faults.push(Fault { seed, engine: "machine".into(), what, program: String::new() });
            return report;
        }
    };
    for seed in (seed..).take(count) {
        if started.elapsed() > time {
            break;
        }
        let source = generate::program(seed);
        let properties = properties(seed);
        let program = match asker.compile(&source, properties) {
            Ok(program) => program,
            Err(message) => {
                report.faults.push(Fault { seed, engine: "front end".into(), what: message, program: source.text() });
                continue;
            }
        };
        let truth = truth(&program);
        report.programs += 1;
        match truth {
            Truth::Safe => report.safe += 1,
            Truth::Unsafe => report.unsafe_ += 1,
            Truth::Unclear => report.unclear += 1,
        }
        for (i, engine) in engines.iter().enumerate() {
            let answer = asker.ask(&source, properties, engine);
            match fault(&answer, truth) {
                Some(what) => {
                    let smaller = shrink(&source, &mut |s| asker.is_faulty(s, properties, engine));
                    report.faults.push(Fault { seed, engine: (*engine).into(), what, program: smaller.text() });
                }
                None if !matches!(answer, Ok(Verdict::Unknown { .. })) => report.right[i].1 += 1,
                None => {}
            }
        }
    }
    report
}

/// What is asked about a program: mostly whether the error is reached, sometimes several properties together.
fn properties(seed: u64) -> &'static [&'static str] {
    match seed % 5 {
        0 => &["unreach-call", "no-overflow"],
        1 => &["unreach-call", "memsafety"],
        _ => &["unreach-call"],
    }
}

/// What is wrong with an answer.
fn fault(answer: &Result<Verdict, String>, truth: Truth) -> Option<String> {
    match (answer, truth) {
        (Err(message), _) => Some(message.clone()),
        (Ok(Verdict::True { .. }), Truth::Unsafe) => Some("says true, but an execution reaches the error".into()),
        (Ok(Verdict::False { .. }), Truth::Safe) => Some("says false, but no execution reaches the error".into()),
        (Ok(Verdict::Unknown { kind: Kind::CheckFailed | Kind::Crashed, reason, .. }), _) => Some(reason.clone()),
        _ => None,
    }
}

/// Asks about programs that it writes into a folder of its own.
struct Asker {
    folder: tempfile::TempDir,
}

impl Asker {
    fn new() -> std::io::Result<Asker> {
        Ok(Asker { folder: tempfile::Builder::new().prefix("foldback-fuzz-").tempdir()? })
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
        verify(&request, &Unobserved, &Cancellation::new())
            .map(|outcome| outcome.verdict)
            .map_err(|bad| bad.to_string())
    }

    fn is_faulty(&self, source: &Source, properties: &[&str], engine: &str) -> bool {
        let compiled = self.compile(source, properties);
        compiled.is_ok_and(|program| fault(&self.ask(source, properties, engine), truth(&program)).is_some())
    }
}
