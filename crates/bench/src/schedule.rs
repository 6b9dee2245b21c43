//! All tasks with all engines: what is left to do goes to the runner, and each result is counted once.

use crate::record::{Record, Results};
use crate::runner::{Event, Item, Runner};
use crate::taskset::Task;

/// Is told how far the run is.
pub trait Progress {
    fn done(&mut self, record: &Record, finished: usize, total: usize);
    fn note(&mut self, text: &str);
}

/// Runs what `results` does not have yet.
pub fn run(
    runner: &dyn Runner,
    engines: &[String],
    tasks: &[Task],
    results: &mut Results,
    progress: &mut (dyn Progress + Send),
) -> Result<(), String> {
    let todo: Vec<Item> = engines
        .iter()
        .flat_map(|engine| tasks.iter().map(|task| Item { engine: engine.clone(), task: task.clone() }))
        .filter(|item| !results.has(&item.engine, &item.task.name))
        .collect();
    let total = engines.len() * tasks.len();
    let mut finished = total - todo.len();
    runner.run(&todo, &mut |event| match event {
        // A batch that was given up for lost may still deliver.
        Event::Done(record) if results.has(&record.engine, &record.task) => Ok(()),
        Event::Done(record) => {
            finished += 1;
            progress.done(&record, finished, total);
            results.add(record)
        }
        Event::Note(text) => {
            progress.note(&text);
            Ok(())
        }
    })
}
