//! Counting: per engine and group, and which engine solves what another does not.

use crate::record::{Record, Status};
use std::collections::{BTreeMap, BTreeSet};

/// Sums over some records.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Sum {
    pub tasks: usize,
    pub safe: usize,
    pub safe_solved: usize,
    pub unsafe_solved: usize,
    pub wrong: usize,
    pub points: i64,
    /// CPU seconds of the solved ones, sorted.
    pub times: Vec<f64>,
}

impl Sum {
    pub fn of<'a>(records: impl IntoIterator<Item = &'a Record>) -> Sum {
        let mut sum = Sum::default();
        for record in records {
            let expects_true = record.expected == "true";
            sum.tasks += 1;
            sum.safe += usize::from(expects_true);
            sum.points += record.points();
            match record.status() {
                Status::Right => {
                    sum.safe_solved += usize::from(expects_true);
                    sum.unsafe_solved += usize::from(!expects_true);
                    sum.times.push(record.cpu_seconds);
                }
                Status::Wrong => sum.wrong += 1,
                Status::Open => {}
            }
        }
        sum.times.sort_by(f64::total_cmp);
        sum
    }

    pub fn solved(&self) -> usize {
        self.safe_solved + self.unsafe_solved
    }

    pub fn percent(&self) -> f64 {
        if self.tasks == 0 { 0.0 } else { 100.0 * self.solved() as f64 / self.tasks as f64 }
    }

    pub fn median(&self) -> Option<f64> {
        self.times.get(self.times.len() / 2).copied()
    }
}

/// The engines in the records, in order of first appearance.
pub fn engines(records: &[Record]) -> Vec<String> {
    let mut engines: Vec<String> = Vec::new();
    for record in records {
        if !engines.contains(&record.engine) {
            engines.push(record.engine.clone());
        }
    }
    engines
}

/// The tasks that each engine solves.
pub fn solved(records: &[Record]) -> BTreeMap<String, BTreeSet<String>> {
    let mut solved: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for record in records {
        let tasks = solved.entry(record.engine.clone()).or_default();
        if record.status() == Status::Right {
            tasks.insert(record.task.clone());
        }
    }
    solved
}

/// For each pair of engines: how many tasks the first solves and the second does not.
pub fn cross(records: &[Record]) -> Vec<Vec<usize>> {
    let (engines, solved) = (engines(records), solved(records));
    let count = |a: &String, b: &String| solved[a].difference(&solved[b]).count();
    engines.iter().map(|a| engines.iter().map(|b| count(a, b)).collect()).collect()
}
