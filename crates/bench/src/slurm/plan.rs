//! What goes to the cluster at once: a job array, each of whose tasks makes a batch of runs.
//!
//! Batches are balanced by how long their runs are expected to take: as long as they took earlier, where that is known.

use crate::local::Local;
use crate::record::Record;
use crate::runner::{Item, Limits};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// An array task should be worth its start, and not so long that losing it hurts.
const WORTH: Duration = Duration::from_secs(600);

/// Slurm's default for the size of an array is 1001.
const MOST_BATCHES: usize = 1000;

/// Beside its CPU time a run waits: for the disk, for its children, for the machine.
const BESIDE: Duration = Duration::from_secs(5);

/// All that a node needs to know.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Plan {
    /// The job's: unique, so that it is found again when we are interrupted while submitting.
    pub(super) name: String,
    pub(super) local: Local,
    pub(super) batches: Vec<Vec<Item>>,
}

impl Plan {
    pub(super) fn read(file: &Path) -> Result<Plan, String> {
        let bad = |e: &dyn std::fmt::Display| format!("{}: {e}", file.display());
        let text = base::files::read_text(file).map_err(|e| bad(&e))?;
        serde_json::from_str(&text).map_err(|e| bad(&e))
    }

    pub(super) fn write(&self, file: &Path) -> Result<(), String> {
        let text = serde_json::to_string(self).map_err(|e| e.to_string())?;
        base::files::write_own(file, text.as_bytes())
    }

    /// No batch takes longer by the clock, if every run gets a processor to itself.
    pub(super) fn longest(&self) -> Duration {
        let most = self.batches.iter().map(Vec::len).max().unwrap_or(0);
        (self.local.limits.cpu + BESIDE) * u32::try_from(most).unwrap_or(u32::MAX)
    }
}

/// How long runs took earlier, in seconds.
#[derive(Clone, Debug, Default)]
pub struct Earlier {
    runs: BTreeMap<(String, String), f64>,
    /// Sum and number of each engine's.
    engines: BTreeMap<String, (f64, f64)>,
}

impl Earlier {
    pub fn from_records<'a>(records: impl IntoIterator<Item = &'a Record>) -> Earlier {
        let mut earlier = Earlier::default();
        for record in records {
            earlier.runs.insert((record.engine.clone(), record.task.clone()), record.wall_seconds);
            let (sum, count) = earlier.engines.entry(record.engine.clone()).or_default();
            *sum += record.wall_seconds;
            *count += 1.0;
        }
        earlier
    }

    /// What to expect: the same run's time, else the engine's mean, else the limit.
    fn expect(&self, item: &Item, limits: Limits) -> f64 {
        let limit = (limits.cpu + BESIDE).as_secs_f64();
        let same = self.runs.get(&(item.engine.clone(), item.task.name.clone())).copied();
        let mean = || self.engines.get(&item.engine).map(|(sum, count)| sum / count);
        same.or_else(mean).unwrap_or(limit).clamp(0.01, limit)
    }
}

/// Divides the items into `size` batches (else as many as take about [`WORTH`] each): the longest first, each to the batch
/// that is the shortest so far.
pub(super) fn divide(items: &[Item], earlier: &Earlier, limits: Limits, size: Option<usize>) -> Vec<Vec<Item>> {
    let mut timed: Vec<(f64, &Item)> = items.iter().map(|item| (earlier.expect(item, limits), item)).collect();
    timed.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let total: f64 = timed.iter().map(|(seconds, _)| seconds).sum();
    let count = size.unwrap_or_else(|| (total / WORTH.as_secs_f64()).ceil() as usize);
    let count = count.min(MOST_BATCHES).min(items.len()).max(1);
    let mut batches: Vec<(f64, Vec<Item>)> = vec![(0.0, Vec::new()); count];
    for (seconds, item) in timed {
        if let Some(shortest) = batches.iter_mut().min_by(|(a, _), (b, _)| a.total_cmp(b)) {
            shortest.0 += seconds;
            shortest.1.push(item.clone());
        }
    }
    batches.into_iter().map(|(_, items)| items).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Task;

    fn item(name: &str) -> Item {
        let task = Task::named(name);
        Item { engine: "e".into(), task }
    }

    fn took(task: &str, seconds: f64) -> Record {
        Record {
            engine: "e".into(),
            task: task.into(),
            expected: String::new(),
            verdict: String::new(),
            cpu_seconds: seconds,
            wall_seconds: seconds,
            memory_mb: 0.0,
            checked: None,
            check_seconds: 0.0,
        }
    }

    const LIMITS: Limits = Limits { cpu: Duration::from_secs(55), memory_bytes: 0 };

    fn names(batches: &[Vec<Item>]) -> Vec<Vec<&str>> {
        batches.iter().map(|batch| batch.iter().map(|item| item.task.name.as_str()).collect()).collect()
    }

    #[test]
    fn batches_are_balanced_by_earlier_times() {
        let items: Vec<Item> = ["a", "b", "c", "d", "e"].map(item).into();
        let records = [took("a", 1.0), took("b", 50.0), took("c", 2.0), took("d", 1.0), took("e", 40.0)];
        let batches = divide(&items, &Earlier::from_records(&records), LIMITS, Some(2));
        assert_eq!(names(&batches), [vec!["b"], vec!["e", "c", "a", "d"]]);
    }

    #[test]
    fn without_earlier_times_runs_are_expected_to_take_their_limit() {
        let items: Vec<Item> = (0..100).map(|n| item(&n.to_string())).collect();
        let batches = divide(&items, &Earlier::default(), LIMITS, None);
        assert_eq!(batches.iter().map(Vec::len).collect::<Vec<_>>(), [10; 10]);
        // Half of them known to be quick: the engine's mean stands for the others.
        let records: Vec<Record> = (0..50).map(|n| took(&n.to_string(), 0.1)).collect();
        assert_eq!(divide(&items, &Earlier::from_records(&records), LIMITS, None).len(), 1);
        // Every run is in exactly one batch, and there is none without a run.
        assert_eq!(divide(&items[..3], &Earlier::default(), LIMITS, Some(1000)).len(), 3);
    }
}
