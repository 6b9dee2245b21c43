//! Every engine on random programs, against the truth.

use crate::generate::{self, Source};
use crate::shrink::shrink;
use crate::truth::{Truth, truth};
use cfa::Program;
use engine::{Budget, Why};
use portfolio::Plan;
use portfolio::judge::Answer;
use std::time::{Duration, Instant};
use transform::Aim;
use transform::pipeline::{Settings, prepare};

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
    for seed in (seed..).take(count) {
        if started.elapsed() > time {
            break;
        }
        let source = generate::program(seed);
        let program = match compile(&source) {
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
            let answer = ask(&program, engine);
            match fault(&answer, truth) {
                Some(what) => {
                    let smaller = shrink(&source, &mut |s| is_faulty(s, engine));
                    report.faults.push(Fault { seed, engine: (*engine).into(), what, program: smaller.text() });
                }
                None if !matches!(answer, Answer::Unknown(_)) => report.right[i].1 += 1,
                None => {}
            }
        }
    }
    report
}

fn is_faulty(source: &Source, engine: &str) -> bool {
    compile(source).is_ok_and(|program| fault(&ask(&program, engine), truth(&program)).is_some())
}

/// What is wrong with an answer.
fn fault(answer: &Answer, truth: Truth) -> Option<String> {
    match (answer, truth) {
        (Answer::True { .. }, Truth::Unsafe) => Some("says true, but an execution reaches the error".into()),
        (Answer::False { .. } | Answer::Danger { .. }, Truth::Safe) => {
            Some("says false, but no execution reaches the error".into())
        }
        (Answer::Unknown(why @ (Why::CheckFailed(_) | Why::Crashed(_))), _) => Some(why.to_string()),
        _ => None,
    }
}

fn compile(source: &Source) -> Result<Program, String> {
    let options = cfront::Options::new(cfront::types::DataModel::Ilp32);
    let input = cfront::Input::Text { name: "random.c".into(), text: source.text() };
    let lowering = lower::Options::default();
    let unit = lower::library::load(&[input], &options, &lowering.entry).map_err(|failure| failure.render())?;
    lower::lower(&unit, &lowering).map_err(|diagnostics| {
        let messages: Vec<String> = diagnostics.iter().map(|d| d.render(&unit.sources)).collect();
        messages.join("\n")
    })
}

fn ask(program: &Program, engine: &str) -> Answer {
    let prepared = prepare(program, &Settings::new(Aim::Targets));
    let budget = Budget::new(EACH, u64::MAX);
    match portfolio::Strategy::named(engine) {
        Ok(strategy) => portfolio::run(program, &prepared, &Plan::new(strategy), &budget, &mut |_| {}).answer,
        Err(message) => Answer::Unknown(Why::Crashed(message)),
    }
}
