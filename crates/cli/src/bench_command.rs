//! `foldback bench`: runs task sets, shows progress, writes tables and a page.

use crate::engines;
use crate::flags::{BenchFlags, Command, Flags, OnFlag};
use crate::live::Live;
use crate::output::{self, BadInput, Exit};
use crate::settings;
use bench::local::Local;
use bench::page::Other;
use bench::record::{Results, Status, read};
use bench::slurm::{Earlier, Slurm};
use bench::{Limits, Progress, Record, Runner, Task, page, table, taskset};
use clap::Parser;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Instant;

pub(crate) fn bench(flags: BenchFlags) -> Result<Exit, BadInput> {
    let (mut flags, start) = match &flags.resume {
        Some(folder) => (Start::read(folder)?.take_up(folder)?, None),
        None => (flags, Some(Start::now()?)),
    };
    flags.engine = engines::chosen(&flags.engine)?;
    let others = others(&flags)?;
    let tasks = tasks(&flags)?;
    let out = out(&flags)?;
    std::fs::create_dir_all(out).map_err(|e| BadInput(format!("{}: {e}", out.display())))?;
    let mut results = Results::open(&out.join("results.csv"))?;
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

/// What to compare with.
fn others(flags: &BenchFlags) -> Result<Vec<Other>, BadInput> {
    let other = |file: &PathBuf| Ok(Other { name: file.display().to_string(), records: read(file)? });
    flags.compare.iter().map(other).collect()
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
            cpu: settings::duration(&flags.time_limit, "--time-limit")?,
            memory_bytes: settings::bytes(&flags.memory_limit)?,
        };
        let defines = flags.defines.iter().map(|define| format!("-D{define}"));
        Ok(Conditions { limits, arguments: defines.chain(flags.arguments.clone()).collect() })
    }

    /// Results that are there already must have been made like this.
    fn check(&self, folder: &Path) -> Result<(), BadInput> {
        let Ok(start) = Start::read(folder) else { return Ok(()) };
        if Conditions::of(&start.flags()?)? == *self {
            return Ok(());
        }
        Err(BadInput(format!(
            "{} has results that were made with other limits or flags ({}): name another --out",
            folder.display(),
            start.arguments.join(" ")
        )))
    }
}

fn out(flags: &BenchFlags) -> Result<&Path, BadInput> {
    flags.out.as_deref().ok_or_else(|| BadInput("--out is missing".into()))
}

fn absolute(path: &Path) -> Result<PathBuf, BadInput> {
    std::path::absolute(path).map_err(|e| BadInput(format!("{}: {e}", path.display())))
}

/// How a run was started, kept beside its results so that `--resume` can start it again.
#[derive(Serialize, Deserialize)]
struct Start {
    directory: PathBuf,
    arguments: Vec<String>,
}

impl Start {
    const FILE: &str = "start.json";

    fn now() -> Result<Start, BadInput> {
        let directory = std::env::current_dir().map_err(|e| BadInput(format!("no current directory: {e}")))?;
        Ok(Start { directory, arguments: std::env::args().collect() })
    }

    fn write(&self, folder: &Path) -> Result<(), BadInput> {
        let text = serde_json::to_string_pretty(self).map_err(|e| BadInput(e.to_string()))?;
        write(&folder.join(Start::FILE), &(text + "\n"))
    }

    fn read(folder: &Path) -> Result<Start, BadInput> {
        let file = folder.join(Start::FILE);
        let bad = |e: &dyn std::fmt::Display| BadInput(format!("no bench was started in {}: {e}", folder.display()));
        let text = std::fs::read_to_string(&file).map_err(|e| bad(&e))?;
        serde_json::from_str(&text).map_err(|e| bad(&e))
    }

    /// Puts us where the run was started, with its flags; its results are in `folder` now.
    fn take_up(&self, folder: &Path) -> Result<BenchFlags, BadInput> {
        let folder = absolute(folder)?;
        std::env::set_current_dir(&self.directory)
            .map_err(|e| BadInput(format!("{}: {e}", self.directory.display())))?;
        Ok(BenchFlags { out: Some(folder), ..self.flags()? })
    }

    fn flags(&self) -> Result<BenchFlags, BadInput> {
        match Flags::try_parse_from(&self.arguments).map(|flags| flags.command) {
            Ok(Command::Bench(flags)) => Ok(*flags),
            Ok(_) => Err(BadInput("the run to resume is no bench".into())),
            Err(error) => Err(BadInput(error.to_string())),
        }
    }
}

fn runner(flags: &BenchFlags, records: &[Record], others: &[Other]) -> Result<Box<dyn Runner>, BadInput> {
    let Conditions { limits, arguments } = Conditions::of(flags)?;
    let local = Local {
        binary: std::env::current_exe().map_err(|e| BadInput(format!("cannot find this program: {e}")))?,
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
fn report(flags: &BenchFlags, tasks: &[Task], records: &[Record], others: &[Other]) -> Result<Exit, BadInput> {
    let found: BTreeMap<(&str, &str), &Record> =
        records.iter().map(|r| ((r.engine.as_str(), r.task.as_str()), r)).collect();
    // In the order of what was asked for, not of what was done first: the same wherever tasks ran.
    let asked = flags.engine.iter().flat_map(|engine| tasks.iter().map(move |t| (engine.as_str(), t.name.as_str())));
    let records: Vec<Record> = asked.filter_map(|key| found.get(&key).copied().cloned()).collect();
    let mut text = table::summary(&records);
    let cross = table::cross_table(&records);
    if !cross.is_empty() {
        text += &format!("\n{cross}");
    }
    for other in others {
        text += &format!("\ncompared with {}:\n\n{}", other.name, table::comparison(&records, &other.records));
    }
    let failed = table::failed(&records);
    if !failed.is_empty() {
        text += &format!("\nruns that came to nothing:\n\n- {}\n", failed.join("\n- "));
    }
    let title = format!("foldback: {} tasks, {} CPU each", tasks.len(), flags.time_limit);
    write(&out(flags)?.join("summary.md"), &text)?;
    write(&out(flags)?.join("index.html"), &page::html(&title, &records, others))?;
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
    live: Live,
    right: usize,
    wrong: usize,
    open: usize,
    started: Instant,
    /// Done before this run started.
    before: usize,
}

impl Bar {
    fn new(earlier: &[Record]) -> Bar {
        let (visible, live) = (Live::is_visible(), Live::default());
        let mut bar =
            Bar { visible, live, right: 0, wrong: 0, open: 0, started: Instant::now(), before: earlier.len() };
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

    fn end(&mut self) {
        self.live.wipe();
    }
}

impl Progress for Bar {
    fn done(&mut self, record: &Record, finished: usize, total: usize) {
        self.count(record);
        if !self.visible {
            return;
        }
        if record.status() == Status::Wrong {
            self.live.wipe();
            output::note(format!("\x1b[1;31mWRONG {} {}\x1b[0m", record.task, record.verdict));
        }
        let done = finished.saturating_sub(self.before).max(1);
        let left = self.started.elapsed().as_secs_f64() / done as f64 * (total - finished) as f64;
        self.live.draw(&[format!(
            "{finished}/{total}  right {}  open {}  wrong {}  {left:.0} s left  {}",
            self.right, self.open, self.wrong, record.task
        )]);
    }

    fn note(&mut self, text: &str) {
        self.end();
        output::note(format!("bench: {text}"));
    }
}
