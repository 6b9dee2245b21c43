//! From C text to the engine's answer, and its evidence checked.
#![allow(dead_code)]

use cfa::{Program, Property};
use engine::{Board, Budget, Cx, Danger, Engine, Evidence, Question, Task, Verdict};
use smt::SolverSettings;
use std::time::Duration;
use transform::Aim;
use transform::pipeline::{Prepared, Settings, prepare};
use validate::danger::{Failure, Goal, check};

const PRELUDE: &str = "extern int __VERIFIER_nondet_int(void);\nextern unsigned __VERIFIER_nondet_uint(void);\n\
                       extern _Bool __VERIFIER_nondet_bool(void);\nextern void reach_error(void);\n\
                       #define assert(c) do { if (!(c)) reach_error(); } while (0)\n";

pub(crate) fn lowered(source: &str, properties: &[Property]) -> Program {
    lowered_input(cfront::Input::Text { name: "test.c".into(), text: format!("{PRELUDE}{source}") }, properties)
}

fn lowered_input(input: cfront::Input, properties: &[Property]) -> Program {
    let options = cfront::Options::new(cfront::types::DataModel::Ilp32);
    let lowering = lower::Options { properties: properties.to_vec(), ..lower::Options::default() };
    let unit = lower::library::load(&[input], &options, "main").unwrap_or_else(|e| panic!("{}", e.render()));
    lower::lower(&unit, &lowering).unwrap_or_else(|e| panic!("{e:?}"))
}

pub(crate) fn reaching(source: &str) -> Prepared {
    prepare(&lowered(source, &[Property::UnreachCall]), &Settings::new(Aim::Targets))
}

pub(crate) fn prepared_file(file: &std::path::Path) -> Prepared {
    let input = cfront::Input::Path(file.to_owned());
    prepare(&lowered_input(input, &[Property::UnreachCall]), &Settings::new(Aim::Targets))
}

pub(crate) fn ending(source: &str) -> Prepared {
    prepare(&lowered(source, &[Property::Termination]), &Settings::new(Aim::InfiniteRuns))
}

pub(crate) struct Answered {
    pub(crate) verdict: Verdict,
    pub(crate) task: Task,
    pub(crate) cx: Cx,
    pub(crate) time: Duration,
}

pub(crate) fn ask(prepared: &Prepared, question: Question, seconds: u64) -> Answered {
    let task = Task { question, ..Task::new(prepared.program.clone()) };
    let budget = Budget::new(Duration::from_secs(seconds), u64::MAX);
    let mut cx = Cx::new(&task, budget, Board::new(), SolverSettings::default());
    let started = engine::budget::cpu_time();
    let verdict = danger::DangerInvariants::default().run(&task, &mut cx);
    Answered { verdict, task, cx, time: engine::budget::cpu_time() - started }
}

impl Answered {
    /// The danger invariant, after its check.
    pub(crate) fn danger(&mut self) -> Danger {
        let Verdict::Unsafe(Evidence::Danger(danger)) = self.verdict.clone() else { panic!("{:?}", self.verdict) };
        self.check(&danger, Goal::Error).unwrap_or_else(|f| panic!("{f}"));
        danger
    }

    pub(crate) fn endless(&mut self) -> Danger {
        let Verdict::Unsafe(Evidence::Endless(danger)) = self.verdict.clone() else { panic!("{:?}", self.verdict) };
        self.check(&danger, Goal::Forever).unwrap_or_else(|f| panic!("{f}"));
        danger
    }

    pub(crate) fn check(&mut self, danger: &Danger, goal: Goal) -> Result<(), Failure> {
        let settings = SolverSettings { algebra: false, ..SolverSettings::default() };
        let mut solver = smt::open(&settings).expect("a solver");
        let deadline = base::cpu::Deadline::after(Duration::from_secs(60));
        check(&self.task.program, &mut self.cx.terms, danger, goal, solver.as_mut(), deadline)
    }
}
