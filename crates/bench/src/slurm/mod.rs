//! Runs tasks on a Slurm cluster.
//!
//! One step, repeated, is all: what has no result and is in no batch that is under way gets submitted, as a job array. The first
//! submission, what a lost node leaves undone, and going on after an interruption are the same case. Results come back as
//! files: each batch appends to its own, so nothing has to be locked across machines, and a batch that was given up for
//! lost but is not dead does no harm. Slurm schedules; nothing of ours stays running on the cluster.
//!
//! In the folder, for each submission (`round`): `plan.json`, the script, the job's number, and for each batch its results and
//! its output.

mod plan;
mod queue;

use crate::local::Local;
use crate::record::{Record, Results, expected, read};
use crate::runner::{Event, Item, Runner, Tell};
use plan::Plan;
use queue::State;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

pub use plan::Earlier;

/// See the module.
#[derive(Clone, Debug)]
pub struct Slurm {
    /// How a node runs a task. The binary and the tasks must be there under the same names.
    pub local: Local,
    /// Where plans and results are kept: on a file system that the nodes share.
    pub folder: PathBuf,
    pub partition: Option<String>,
    pub account: Option<String>,
    /// Batches in an array; else as the expected times suggest.
    pub array_size: Option<usize>,
    pub earlier: Earlier,
}

/// The controller is asked this often at first, and less and less often down to the second.
const LOOK_FIRST: Duration = Duration::from_millis(200);
const LOOK_LAST: Duration = Duration::from_secs(5);

/// What the bench itself needs on a node.
const OWN_MEMORY: u64 = 256 << 20;

/// A run whose batch ends so often without its result (and not because of the node) is given up.
const TRIES: u32 = 3;

/// Ends that say nothing about what was running.
const NO_FAULT: [&str; 3] = ["NODE_FAIL", "PREEMPTED", "BOOT_FAIL"];

type Key = (String, String);

fn key(item: &Item) -> Key {
    (item.engine.clone(), item.task.name.clone())
}

/// A job array that was submitted.
struct Round {
    folder: PathBuf,
    job: String,
    /// The batches that may still deliver.
    open: BTreeMap<usize, Vec<Item>>,
    /// What is open was under way when we last looked: how it ends is news.
    seen: bool,
    /// The controller cannot be asked, and the user knows.
    unanswered: bool,
}

/// A batch that ended with these left over.
struct Lost {
    file: PathBuf,
    end: String,
    left: Vec<Item>,
}

impl Runner for Slurm {
    fn run(&self, todo: &[Item], tell: Tell<'_>) -> Result<(), String> {
        let mut waiting: BTreeMap<Key, &Item> = todo.iter().map(|item| (key(item), item)).collect();
        let mut rounds = self.earlier_rounds(tell)?;
        let mut tries: BTreeMap<Key, u32> = BTreeMap::new();
        let mut pause = LOOK_FIRST;
        loop {
            for round in &mut rounds {
                for lost in round.look(&mut waiting, tell)? {
                    if round.seen {
                        self.judge(&lost, &mut tries, &mut waiting, tell)?;
                    }
                }
                round.seen = true;
            }
            rounds.retain(|round| !round.open.is_empty());
            if waiting.is_empty() {
                return Ok(());
            }
            let under_way: BTreeSet<Key> = rounds.iter().flat_map(|r| r.open.values().flatten()).map(key).collect();
            let undone: Vec<Item> = todo
                .iter()
                .filter(|i| waiting.contains_key(&key(i)) && !under_way.contains(&key(i)))
                .cloned()
                .collect();
            if !undone.is_empty() {
                rounds.push(self.submit(undone, tell)?);
                pause = LOOK_FIRST;
            }
            std::thread::sleep(pause);
            pause = (pause * 6 / 5).min(LOOK_LAST);
        }
    }
}

impl Slurm {
    /// Rounds of an interrupted run, as far as there is something to expect of them.
    fn earlier_rounds(&self, tell: Tell<'_>) -> Result<Vec<Round>, String> {
        let mut rounds = Vec::new();
        for number in 0.. {
            let folder = self.round_folder(number);
            let file = folder.join("plan.json");
            if !file.exists() {
                break;
            }
            let plan = Plan::read(&file)?;
            let job = match std::fs::read_to_string(folder.join("job")) {
                Ok(job) => Some(job.trim().to_owned()),
                // Interrupted between submitting and noting it down.
                Err(_) => queue::find(&plan.name)?,
            };
            let Some(job) = job else { continue };
            tell(Event::Note(format!("goes on with job {job}")))?;
            rounds.push(Round {
                folder,
                job,
                open: plan.batches.into_iter().enumerate().collect(),
                seen: false,
                unanswered: false,
            });
        }
        Ok(rounds)
    }

    fn round_folder(&self, number: usize) -> PathBuf {
        self.folder.join(format!("round-{number}"))
    }

    fn submit(&self, items: Vec<Item>, tell: Tell<'_>) -> Result<Round, String> {
        let number = (0..).find(|n| !self.round_folder(*n).join("plan.json").exists()).unwrap_or(0);
        let folder = self.round_folder(number);
        std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_micros());
        let batches = plan::divide(&items, &self.earlier, self.local.limits, self.array_size);
        let plan = Plan { name: format!("foldback-{now:x}"), local: Local { jobs: 1, ..self.local.clone() }, batches };
        plan.write(&folder.join("plan.json"))?;
        let script = folder.join("batch.sh");
        let text = format!(
            "#!/bin/sh\nexec {} bench-batch {} \"$SLURM_ARRAY_TASK_ID\"\n",
            quoted(&self.local.binary),
            quoted(&folder.join("plan.json"))
        );
        write(&script, &text)?;
        let job = queue::submit(&queue::Request {
            name: &plan.name,
            batches: plan.batches.len(),
            time: plan.longest(),
            memory_bytes: self.local.limits.memory_bytes + OWN_MEMORY,
            partition: self.partition.as_deref(),
            account: self.account.as_deref(),
            script: &script,
            output: &folder.join("%a.log"),
        })?;
        write(&folder.join("job"), &job)?;
        tell(Event::Note(format!("job {job}: {} runs in {} batches", items.len(), plan.batches.len())))?;
        Ok(Round { folder, job, open: plan.batches.into_iter().enumerate().collect(), seen: true, unanswered: false })
    }

    /// What to think of a batch that did not get through. Its runs are still waiting, so they will be submitted again; unless
    /// the user has cancelled it, or the run it was at has brought down too many.
    fn judge(
        &self,
        lost: &Lost,
        tries: &mut BTreeMap<Key, u32>,
        waiting: &mut BTreeMap<Key, &Item>,
        tell: Tell<'_>,
    ) -> Result<(), String> {
        let Lost { file, end, left } = lost;
        if end == "CANCELLED" {
            return Err(format!("the job was cancelled, {} runs before its end (--resume goes on)", waiting.len()));
        }
        tell(Event::Note(format!("lost {} runs ({end}): they are submitted again", left.len())))?;
        let Some(at) = left.first().filter(|_| !NO_FAULT.contains(&end.as_str())) else { return Ok(()) };
        let count = tries.entry(key(at)).or_default();
        *count += 1;
        if *count < TRIES {
            return Ok(());
        }
        if !file.exists() {
            let log = file.with_extension("log");
            return Err(format!("batches do not start on the cluster ({end}): see {}", log.display()));
        }
        waiting.remove(&key(at));
        tell(Event::Done(Record {
            engine: at.engine.clone(),
            task: at.task.name.clone(),
            expected: expected(&at.task),
            verdict: format!("crash(its batch ended {count} times: {end})"),
            cpu_seconds: 0.0,
            wall_seconds: 0.0,
            memory_mb: 0.0,
            checked: None,
            check_seconds: 0.0,
        }))
    }
}

impl Round {
    /// Tells of new results, closes the batches that ended, and returns those that ended early.
    fn look(&mut self, waiting: &mut BTreeMap<Key, &Item>, tell: Tell<'_>) -> Result<Vec<Lost>, String> {
        // First the states, then the results: what a batch wrote before its end is seen.
        let states = match queue::states(&self.job) {
            Ok(states) => Some(states),
            Err(error) if !self.unanswered => {
                tell(Event::Note(format!("{error} (asking again)")))?;
                None
            }
            Err(_) => None,
        };
        self.unanswered = states.is_none();
        let mut lost = Vec::new();
        for (index, items) in std::mem::take(&mut self.open) {
            let file = self.folder.join(format!("{index}.csv"));
            let records = if file.exists() { read(&file)? } else { Vec::new() };
            for record in records {
                if waiting.remove(&(record.engine.clone(), record.task.clone())).is_some() {
                    tell(Event::Done(record))?;
                }
            }
            let left: Vec<Item> = items.iter().filter(|item| waiting.contains_key(&key(item))).cloned().collect();
            if left.is_empty() {
                continue;
            }
            let state = match &states {
                Some(states) => states.get(&index).cloned().unwrap_or(State::Ended("forgotten".into())),
                None => State::Alive,
            };
            match state {
                State::Alive => {
                    self.open.insert(index, items);
                }
                State::Ended(end) => lost.push(Lost { file, end, left }),
            }
        }
        Ok(lost)
    }
}

/// What a node does: the batch's runs that have no result yet, one after the other.
pub fn run_batch(plan_file: &Path, index: usize) -> Result<(), String> {
    let plan = Plan::read(plan_file)?;
    let batch = plan.batches.get(index).ok_or_else(|| format!("there is no batch {index}"))?;
    let mut results = Results::open(&plan_file.with_file_name(format!("{index}.csv")))?;
    let todo: Vec<Item> = batch.iter().filter(|item| !results.has(&item.engine, &item.task.name)).cloned().collect();
    plan.local.run(&todo, &mut |event| match event {
        Event::Done(record) => results.add(record),
        Event::Note(_) => Ok(()),
    })
}

/// A name in a shell script.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', "'\\''"))
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    base::files::write_own(file, text.as_bytes())
}
