//! `foldback bench`: runs task sets, shows progress, writes tables and a page.

use crate::flags::{BenchFlags, Command, Flags, OnFlag};
use crate::output::{self, BadInput, Exit};
use base::quantity;
use bench::local::Local;
use bench::record::{self, Results, Status, Tally};
use bench::slurm::{Earlier, Slurm};
use bench::start::Start;
use bench::{Limits, Other, Progress, Record, Runner, Task, page, table, taskset};
use clap::Parser;
use report::live::Live;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Instant;

pub(crate) fn bench(flags: BenchFlags) -> Result<Exit, BadInput> {
    let (mut flags, start) = match &flags.resume {
        Some(folder) => (take_up(&Start::read(folder)?, folder)?, None),
        None => (flags, Some(Start::now()?)),
    };
    flags.engine = verifier::engines::chosen(&flags.engine)?;
    let others = flags.compare.iter().map(|file| Other::read(file)).collect::<Result<Vec<Other>, String>>()?;
    let tasks = taskset::chosen(&flags.sets, flags.sample, &flags.filter)?;
    let out = out(&flags)?;
    Start::refuse_others(out)?;
    std::fs::create_dir_all(out).map_err(|e| BadInput::Message(format!("{}: {e}", out.display())))?;
    let mut results = Results::open(&out.join(Start::RESULTS))?;
    if let Some(start) = start {
        if !results.records.is_empty() {
            Conditions::of(&flags)?.check(out)?;
        }
        start.write(out)?;
    }
    let runner = runner(&flags, &results.records, &others)?;
    let mut bar = Bar::new(&results.records);
    bench::run(runner.as_ref(), &flags.engine, &tasks, &mut results, &mut bar)?;
    bar.end();
    report(&flags, &tasks, &results.records, &others)
}

/// What a result depends on besides its task and engine.
#[derive(PartialEq, Eq)]
struct Conditions {
    limits: Limits,
    /// Flags of every run.
    arguments: Vec<String>,
}

impl Conditions {
    fn of(flags: &BenchFlags) -> Result<Conditions, BadInput> {
        let limits = Limits {
            cpu: quantity::duration(&flags.time_limit, "--time-limit")?,
            memory_bytes: quantity::bytes(&flags.memory_limit)?,
        };
        let defines = flags.defines.iter().map(|define| format!("-D{define}"));
        Ok(Conditions { limits, arguments: defines.chain(flags.arguments.clone()).collect() })
    }

    /// Results that are there already must have been made like this.
    fn check(&self, folder: &Path) -> Result<(), BadInput> {
        let Ok(start) = Start::read(folder) else { return Ok(()) };
        if Conditions::of(&started_with(&start)?)? == *self {
            return Ok(());
        }
        Err(BadInput::Message(format!(
            "{} has results that were made with other limits or flags ({}): name another --out",
            folder.display(),
            start.arguments.join(" ")
        )))
    }
}

fn out(flags: &BenchFlags) -> Result<&Path, BadInput> {
    flags.out.as_deref().ok_or_else(|| BadInput::Message("--out is missing".into()))
}

fn absolute(path: &Path) -> Result<PathBuf, BadInput> {
    std::path::absolute(path).map_err(|e| BadInput::Message(format!("{}: {e}", path.display())))
}

/// Puts us where a run was started, with its flags; its results are in `folder` now.
fn take_up(start: &Start, folder: &Path) -> Result<BenchFlags, BadInput> {
    let folder = absolute(folder)?;
    std::env::set_current_dir(&start.directory).map_err(|e| format!("{}: {e}", start.directory.display()))?;
    Ok(BenchFlags { out: Some(folder), ..started_with(start)? })
}

fn started_with(start: &Start) -> Result<BenchFlags, BadInput> {
    match Flags::try_parse_from(&start.arguments).map(|flags| flags.command) {
        Ok(Command::Bench(flags)) => Ok(*flags),
        Ok(_) => Err(BadInput::Message("the run to resume is no bench".into())),
        Err(error) => Err(BadInput::Diagnostics(error.to_string())),
    }
}

fn runner(flags: &BenchFlags, records: &[Record], others: &[Other]) -> Result<Box<dyn Runner>, BadInput> {
    let Conditions { limits, arguments } = Conditions::of(flags)?;
    let local = Local {
        binary: std::env::current_exe().map_err(|e| BadInput::Message(format!("cannot find this program: {e}")))?,
        limits,
        arguments,
        jobs: flags.jobs.get(),
    };
    if flags.on == OnFlag::Local {
        return Ok(Box::new(local));
    }
    let mut earlier = records.to_vec();
    earlier.extend(others.iter().flat_map(|other| other.records.clone()));
    Ok(Box::new(Slurm {
        local,
        folder: absolute(out(flags)?)?.join("slurm"),
        partition: flags.partition.clone(),
        account: flags.account.clone(),
        array_size: flags.array_size.map(|size| size as usize),
        earlier: Earlier::from_records(&earlier),
    }))
}

/// Tables on standard output and in the folder; wrong answers first.
fn report(flags: &BenchFlags, tasks: &[Task], records: &[Record], others: &[Other]) -> Result<Exit, BadInput> {
    let records = record::in_order(records, &flags.engine, tasks);
    let text = table::all(&records, others);
    let title = format!("foldback: {} tasks, {} CPU each", tasks.len(), flags.time_limit);
    write(&out(flags)?.join(Start::SUMMARY), &text)?;
    write(&out(flags)?.join(Start::PAGE), &page::html(&title, &records, others))?;
    let wrong = table::wrong(&records);
    let colour = std::io::stdout().is_terminal();
    for line in &wrong {
        output::line(if colour { format!("\x1b[1;31mWRONG {line}\x1b[0m") } else { format!("WRONG {line}") });
    }
    output::line(text);
    Ok(if wrong.is_empty() { Exit::Fine } else { Exit::Violated })
}

fn write(file: &Path, text: &str) -> Result<(), BadInput> {
    Ok(base::files::write_own(file, text.as_bytes())?)
}

/// One line that is written over and over, on a terminal only.
struct Bar {
    visible: bool,
    live: Live,
    tally: Tally,
    started: Instant,
    /// Done before this run started.
    before: usize,
}

impl Bar {
    fn new(earlier: &[Record]) -> Bar {
        let mut tally = Tally::default();
        earlier.iter().for_each(|record| tally.count(record));
        Bar {
            visible: Live::is_visible(),
            live: Live::default(),
            tally,
            started: Instant::now(),
            before: earlier.len(),
        }
    }

    fn end(&mut self) {
        self.live.wipe();
    }
}

impl Progress for Bar {
    fn done(&mut self, record: &Record, finished: usize, total: usize) {
        self.tally.count(record);
        if !self.visible {
            return;
        }
        if record.status() == Status::Wrong {
            self.live.wipe();
            output::note(format!("\x1b[1;31mWRONG {} {}\x1b[0m", record.task, record.verdict));
        }
        let done = finished.saturating_sub(self.before).max(1);
        let left = self.started.elapsed().as_secs_f64() / done as f64 * (total - finished) as f64;
        self.live.draw(&[format!("{finished}/{total}  {}  {left:.0} s left  {}", self.tally, record.task)]);
    }

    fn note(&mut self, text: &str) {
        self.end();
        output::note(format!("bench: {text}"));
    }
}
