//! The columns of table 1 of Jaffar et al. 2011 for C files, for both engines: nodes, CPU time, restarts. Proofs are proved again.
//! `table [--seconds N] [--uninit-globals-nondet] [--lp64] [--engine tracer|iterdeep] FILE...`
#![allow(clippy::print_stdout)]

use cfa::{Program, Property};
use cfront::Input;
use cfront::types::DataModel;
use engine::{Board, Budget, Cx, Engine, Proof, Task, Verdict};
use smt::SolverSettings;
use std::time::Duration;
use tracer::{IterativeDeepening, Statistics, Tracer};
use transform::Aim;
use transform::pipeline::{Settings, prepare};
use validate::recheck::{Claim, recheck};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (mut seconds, mut model, mut engines) = (60, DataModel::Ilp32, vec!["iterdeep", "tracer"]);
    let mut lowering = lower::Options { properties: vec![Property::UnreachCall], ..lower::Options::default() };
    lowering.extern_effects = lower::ExternEffects::Pure;
    println!(
        "{:50} {:9} {:>8} {:>8} {:>5} {:>7} {:>8}  result",
        "program", "engine", "nodes", "siblings", "heads", "seconds", "restarts"
    );
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--seconds" => seconds = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(seconds),
            "--uninit-globals-nondet" => lowering.uninit_globals = lower::UninitGlobals::Nondet,
            "--lp64" => model = DataModel::Lp64,
            "--engine" => {
                engines =
                    if arguments.next().as_deref() == Some("iterdeep") { vec!["iterdeep"] } else { vec!["tracer"] }
            }
            file => match load(file, model, &lowering) {
                Ok(program) => engines.iter().for_each(|engine| row(file, engine, &program, seconds)),
                Err(why) => println!("{file}: {why}"),
            },
        }
    }
}

fn load(file: &str, model: DataModel, lowering: &lower::Options) -> Result<Program, String> {
    let options = cfront::Options::new(model);
    let unit = lower::library::load(&[Input::Path(file.into())], &options, "main").map_err(|f| f.render())?;
    let lowered = cfront::with_big_stack(|| lower::lower(&unit, lowering)).map_err(|d| format!("{d:?}"))?;
    Ok(prepare(&lowered, &Settings::new(Aim::Targets)).program)
}

fn row(file: &str, name: &str, program: &Program, seconds: u64) {
    let task = Task::new(program.clone());
    let budget = Budget::new(Duration::from_secs(seconds), 8 << 30);
    let mut cx = Cx::new(&task, budget, Board::new(), SolverSettings::default());
    let start = engine::budget::cpu_time();
    let (verdict, counted): (Verdict, Statistics) = if name == "tracer" {
        let mut tracer = Tracer::default();
        (tracer.run(&task, &mut cx), tracer.statistics())
    } else {
        let mut deepening = IterativeDeepening::default();
        (deepening.run(&task, &mut cx), deepening.statistics())
    };
    let took = (engine::budget::cpu_time() - start).as_secs_f64();
    let result = match verdict {
        Verdict::Safe(Proof::Invariants { at, k }) => {
            let mut solver = smt::open(&SolverSettings::default()).expect("the solver is linked in");
            let deadline = base::cpu::Deadline::after(Duration::from_secs(300));
            let mut terms = cx.terms.clone();
            match recheck(program, &mut terms, Claim::Inductive { invariants: &at, k }, solver.as_mut(), deadline) {
                Ok(_) => "true".to_owned(),
                Err(failure) => format!("true, NOT PROVED AGAIN: {failure}"),
            }
        }
        Verdict::Safe(other) => format!("true ({other:?})"),
        Verdict::Unsafe(_) => "false".to_owned(),
        Verdict::Unknown(why) => format!("unknown: {why}"),
    };
    let short = file.rsplit('/').next().unwrap_or(file);
    println!(
        "{short:50} {name:9} {:8} {:8} {:5} {took:7.2} {:8}  {result}",
        counted.nodes, counted.by_sibling, counted.heads, counted.restarts
    );
}
