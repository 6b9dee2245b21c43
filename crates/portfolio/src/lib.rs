//! From engines to one answer that can be believed.
//!
//! [`solve`] runs the chosen engine, or the default sequence of engines, each with its share of the budget; [`judge`] checks
//! what they say before anyone hears of it.

pub mod judge;

use engine::{Board, Budget, Cx, Event, Task, Verdict, Why};
use judge::{Answer, judge};
use smt::SolverSettings;
use std::time::Duration;
use transform::pipeline::Prepared;

pub use judge::Checked;

/// What the default sequence runs: an engine and its share of what is left of the budget, in percent.
const SEQUENCE: &[(&str, u32)] = &[("absint", 20), ("se", 15), ("kind", 60), ("se", 50), ("bmc", 100)];

/// What happened on the way to the answer.
#[derive(Clone, Debug)]
pub struct Report {
    pub answer: Answer,
    /// The engines that ran, how long (CPU), and what each said, for people.
    pub runs: Vec<(String, Duration, String)>,
}

/// Decides a program. `lowered` is the program as written, `prepared` what the passes made of it.
pub fn solve(
    lowered: &cfa::Program,
    prepared: &Prepared,
    engine: &str,
    budget: &Budget,
    mut listener: impl FnMut(&str, &Event) + Clone + 'static,
) -> Report {
    let task = Task::new(prepared.program.clone(), engine::Approx::Exact);
    let board = Board::new();
    let single = [(engine, 100)];
    let sequence: &[(&str, u32)] = if engine == "portfolio" { SEQUENCE } else { &single };
    let mut report = Report { answer: Answer::Unknown(Why::GaveUp("no engine ran".into())), runs: Vec::new() };
    for &(name, percent) in sequence {
        let Some(info) = engines::by_name(name) else { continue };
        let slice = budget.slice(budget.left() * percent / 100);
        let started = engine::budget::cpu_time();
        let mut cx = Cx::new(&task, slice, board.clone(), SolverSettings::default());
        let mut told = listener.clone();
        cx.listen(move |event| told(info.name, event));
        let verdict = (info.make)().run(&task, &mut cx);
        listener(name, &Event::Note(summary(&verdict)));
        let answer = judge(lowered, prepared, &task, verdict, &mut cx, budget);
        let said = answer.to_string();
        report.runs.push((name.to_owned(), engine::budget::cpu_time() - started, said));
        let decided = !matches!(answer, Answer::Unknown(_));
        // A failed check is louder than any later reason to give up.
        let keep = matches!(report.answer, Answer::Unknown(Why::CheckFailed(_)));
        if decided || !keep {
            report.answer = answer;
        }
        if decided || budget.check().is_err() {
            break;
        }
    }
    report
}

fn summary(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Safe(_) => "says safe".into(),
        Verdict::Unsafe(_) => "says unsafe".into(),
        Verdict::Unknown(why) => format!("unknown: {why}"),
    }
}
