//! The table of `docs/engines/danger.md`: which back end finds a danger invariant for which program, in which CPU time.
//!
//! `cargo run --release -p danger --example measure -- SECONDS BACKEND... [-- FILE...]`, back ends: symbolic, genetic, both.
#![allow(clippy::print_stdout)]

use cfa::Property;
use danger::{BackEnds, DangerInvariants};
use engine::{Board, Budget, Cx, Engine, Event, Evidence, Proof, Task, Verdict};
use smt::SolverSettings;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use transform::Aim;
use transform::pipeline::{Settings, prepare};
use validate::danger::{Goal, check};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let split = arguments.iter().position(|a| a == "--").unwrap_or(arguments.len());
    let seconds: u64 = arguments.first().and_then(|s| s.parse().ok()).unwrap_or(60);
    let back_ends: Vec<&str> = arguments[..split].iter().skip(1).map(String::as_str).collect();
    let mut files: Vec<PathBuf> = arguments.iter().skip(split + 1).map(PathBuf::from).collect();
    if files.is_empty() {
        let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs"));
        files = std::fs::read_dir(folder).expect("the programs").map(|e| e.expect("a program").path()).collect();
        files.sort();
    }
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let mut row = format!("| {name} |");
        for back_end in &back_ends {
            let back_ends = match *back_end {
                "symbolic" => BackEnds::Symbolic,
                "genetic" => BackEnds::Genetic,
                _ => BackEnds::Both,
            };
            row += &format!(" {} |", measured(&file, back_ends, seconds));
        }
        println!("{row}");
    }
}

fn measured(file: &std::path::Path, back_ends: BackEnds, seconds: u64) -> String {
    let options = cfront::Options::new(cfront::types::DataModel::Ilp32);
    let lowering = lower::Options { properties: vec![Property::UnreachCall], ..lower::Options::default() };
    let unit = lower::library::load(&[cfront::Input::Path(file.to_owned())], &options, "main")
        .unwrap_or_else(|e| panic!("{}", e.render()));
    let lowered = lower::lower(&unit, &lowering).unwrap_or_else(|e| panic!("{e:?}"));
    let prepared = prepare(&lowered, &Settings::new(Aim::Targets));
    let task = Task::new(prepared.program);
    let budget = Budget::new(Duration::from_secs(seconds), u64::MAX);
    let mut cx = Cx::new(&task, budget, Board::new(), SolverSettings::default());
    if std::env::var_os("VERBOSE").is_some() {
        cx.listen(|event| {
            if let Event::Note(note) = event {
                println!("  {note}");
            }
        });
    }
    let started = engine::budget::cpu_time();
    let verdict = DangerInvariants { back_ends }.run(&task, &mut cx);
    let time = (engine::budget::cpu_time() - started).as_secs_f64();
    match verdict {
        Verdict::Unsafe(Evidence::Danger(danger)) => {
            if std::env::var_os("VERBOSE").is_some() {
                for (head, t) in &danger.invariant {
                    println!("  {head}: {}", term::smtlib::print_term(&cx.terms, *t));
                }
            }
            let mut solver = smt::open(&SolverSettings::default()).expect("a solver");
            let deadline = Instant::now() + Duration::from_secs(60);
            match check(&task.program, &mut cx.terms, &danger, Goal::Error, solver.as_mut(), deadline) {
                Ok(()) => format!("{time:.2} s"),
                Err(failure) => format!("CHECK FAILED: {failure}"),
            }
        }
        Verdict::Unsafe(_) => format!("trace, {time:.2} s"),
        Verdict::Safe(Proof::Invariants { .. }) => format!("SAFE, {time:.2} s"),
        Verdict::Safe(_) => "SAFE".to_owned(),
        Verdict::Unknown(_) => format!("– ({time:.0} s)"),
    }
}
