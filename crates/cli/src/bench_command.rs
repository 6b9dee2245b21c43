//! `foldback bench`: runs task sets, shows progress, writes tables and a page.

use crate::engines;
use crate::flags::BenchFlags;
use crate::output::{self, BadInput, Exit};
use crate::settings;
use bench::record::{Results, Status, read};
use bench::runner::Local;
use bench::{Limits, Record, Task, page, table, taskset};
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::time::Instant;

pub(crate) fn bench(flags: &BenchFlags) -> Result<Exit, BadInput> {
    for engine in &flags.engine {
        engines::check_name(engine)?;
    }
    let tasks = tasks(flags)?;
    let runner = Local {
        binary: std::env::current_exe().map_err(|e| BadInput(format!("cannot find this program: {e}")))?,
        limits: Limits {
            cpu: settings::duration(&flags.time_limit)?,
            memory_bytes: settings::bytes(&flags.memory_limit)?,
        },
        arguments: flags.defines.iter().map(|define| format!("-D{define}")).collect(),
    };
    std::fs::create_dir_all(&flags.out).map_err(|e| BadInput(format!("{}: {e}", flags.out.display())))?;
    let mut results = Results::open(&flags.out.join("results.csv"))?;
    let mut bar = Bar::new(&results.records);
    let mut progress = |record: &Record, finished: usize, total: usize| bar.show(record, finished, total);
    bench::run(&runner, &flags.engine, &tasks, flags.jobs, &mut results, &mut progress)?;
    bar.end();
    report(flags, &tasks, &results.records)
}

fn tasks(flags: &BenchFlags) -> Result<Vec<Task>, BadInput> {
    let mut tasks = Vec::new();
    for set in &flags.sets {
        tasks.extend(taskset::load(set)?);
    }
    tasks.retain(|task| flags.sample.is_none_or(|percent| task.in_sample(percent)));
    tasks.retain(|task| flags.filter.is_empty() || flags.filter.iter().any(|text| task.name.contains(text)));
    if tasks.is_empty() {
        return Err(BadInput("no task is left: see --filter and --sample".into()));
    }
    Ok(tasks)
}

/// Tables on standard output and in the folder; wrong answers first.
fn report(flags: &BenchFlags, tasks: &[Task], records: &[Record]) -> Result<Exit, BadInput> {
    let asked = |r: &&Record| flags.engine.contains(&r.engine) && tasks.iter().any(|t| t.name == r.task);
    let records: Vec<Record> = records.iter().filter(asked).cloned().collect();
    let mut text = table::summary(&records);
    let cross = table::cross_table(&records);
    if !cross.is_empty() {
        text += &format!("\n{cross}");
    }
    for file in &flags.compare {
        text += &format!("\ncompared with {}:\n\n{}", file.display(), table::comparison(&records, &read(file)?));
    }
    let title = format!("foldback: {} tasks, {} CPU each", tasks.len(), flags.time_limit);
    write(&flags.out.join("summary.md"), &text)?;
    write(&flags.out.join("index.html"), &page::html(&title, &records))?;
    let wrong = table::wrong(&records);
    let colour = std::io::stdout().is_terminal();
    for line in &wrong {
        output::line(if colour { format!("\x1b[1;31mWRONG {line}\x1b[0m") } else { format!("WRONG {line}") });
    }
    output::line(text);
    Ok(if wrong.is_empty() { Exit::Fine } else { Exit::Violated })
}

fn write(file: &Path, text: &str) -> Result<(), BadInput> {
    std::fs::write(file, text).map_err(|e| BadInput(format!("{}: {e}", file.display())))
}

/// One line that is written over and over, on a terminal only.
struct Bar {
    visible: bool,
    right: usize,
    wrong: usize,
    open: usize,
    started: Instant,
    /// Done before this run started.
    before: usize,
}

impl Bar {
    fn new(earlier: &[Record]) -> Bar {
        let visible = std::io::stderr().is_terminal();
        let mut bar = Bar { visible, right: 0, wrong: 0, open: 0, started: Instant::now(), before: earlier.len() };
        earlier.iter().for_each(|record| bar.count(record));
        bar
    }

    fn count(&mut self, record: &Record) {
        match record.status() {
            Status::Right => self.right += 1,
            Status::Wrong => self.wrong += 1,
            Status::Open => self.open += 1,
        }
    }

    fn show(&mut self, record: &Record, finished: usize, total: usize) {
        self.count(record);
        if !self.visible {
            return;
        }
        let mut err = std::io::stderr().lock();
        if record.status() == Status::Wrong {
            let _ = writeln!(err, "\r\x1b[K\x1b[1;31mWRONG {} {}\x1b[0m", record.task, record.verdict);
        }
        let done = finished.saturating_sub(self.before).max(1);
        let left = self.started.elapsed().as_secs_f64() / done as f64 * (total - finished) as f64;
        let _ = write!(
            err,
            "\r\x1b[K{finished}/{total}  right {}  open {}  wrong {}  {left:.0} s left  {}",
            self.right, self.open, self.wrong, record.task
        );
        let _ = err.flush();
    }

    fn end(&self) {
        if self.visible {
            let _ = write!(std::io::stderr().lock(), "\r\x1b[K");
        }
    }
}
