//! All tasks with all engines, some at a time.

use crate::record::{Record, Results};
use crate::runner::Runner;
use crate::taskset::Task;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Is told how far the run is.
pub trait Progress {
    fn done(&mut self, record: &Record, finished: usize, total: usize);
}

impl<F: FnMut(&Record, usize, usize)> Progress for F {
    fn done(&mut self, record: &Record, finished: usize, total: usize) {
        self(record, finished, total);
    }
}

/// Runs what `results` does not have yet, `jobs` at a time.
pub fn run(
    runner: &dyn Runner,
    engines: &[String],
    tasks: &[Task],
    jobs: usize,
    results: &mut Results,
    progress: &mut (dyn Progress + Send),
) -> Result<(), String> {
    let todo: Vec<(&str, &Task)> = engines
        .iter()
        .flat_map(|engine| tasks.iter().map(move |task| (engine.as_str(), task)))
        .filter(|(engine, task)| !results.has(engine, &task.name))
        .collect();
    let total = engines.len() * tasks.len();
    let next = AtomicUsize::new(0);
    let shared = Mutex::new((results, progress, total - todo.len(), Ok(())));
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                while let Some((engine, task)) = todo.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let record = runner.run(engine, task);
                    let mut shared = shared.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    let (results, progress, finished, failed) = &mut *shared;
                    *finished += 1;
                    progress.done(&record, *finished, total);
                    if let Err(error) = results.add(record) {
                        *failed = Err(error);
                        return;
                    }
                }
            });
        }
    });
    shared.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).3
}
