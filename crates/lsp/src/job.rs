//! One verification, as a process: so it can be ended at any moment, and whatever happens to it happens to nobody else.

use crossbeam_channel::Sender;
use report::Report;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What is verified.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Target {
    /// The document that it was asked for.
    pub(crate) document: String,
    /// The function where it starts.
    pub(crate) function: String,
    /// As people see it: the function, or the proof of foldback.toml.
    pub(crate) name: String,
    /// Where the command runs.
    pub(crate) folder: PathBuf,
    /// The command line after `foldback verify`.
    pub(crate) words: Vec<String>,
}

/// What a job tells.
#[derive(Debug)]
pub(crate) enum Event {
    Progress {
        job: u64,
        message: String,
    },
    Done {
        job: u64,
        end: End,
    },
    /// A page is written, or cannot be.
    Page(Result<PathBuf, String>),
}

#[derive(Debug)]
pub(crate) enum End {
    Answer(Box<Report>),
    /// The program is not verified: messages as compilers print them.
    Refused(String),
    Cancelled,
}

/// A verification that runs.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) id: u64,
    pub(crate) target: Target,
    /// Where the result will be.
    pub(crate) result: PathBuf,
    shared: Arc<Shared>,
}

#[derive(Default, Debug)]
struct Shared {
    cancelled: AtomicBool,
    process: Mutex<Option<Pid>>,
}

impl Job {
    /// `binary` is foldback; `result` a file for its answer.
    pub(crate) fn start(binary: &Path, id: u64, target: Target, result: PathBuf, events: Sender<Event>) -> Job {
        let shared = Arc::new(Shared::default());
        let job = Job { id, target, result, shared };
        let mut command = Command::new(binary);
        let words = &job.target.words;
        command.arg("verify").arg("--project-words").arg(words.len().to_string());
        command.args(["--progress", "json", "-q", "--json"]).arg(&job.result).args(words);
        command.current_dir(&job.target.folder);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let (result, shared) = (job.result.clone(), Arc::clone(&job.shared));
        std::thread::spawn(move || {
            let end = run(command, &result, &shared, |message| {
                // Nobody is left to tell at the very end.
                let _ = events.send(Event::Progress { job: id, message });
            });
            let _ = events.send(Event::Done { job: id, end });
        });
        job
    }

    /// It ends soon, and its answer does not count.
    pub(crate) fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::SeqCst);
        if let Some(process) = *self.shared.process.lock().unwrap_or_else(PoisonError::into_inner) {
            // It may have ended by itself.
            let _ = kill_process(process, Signal::TERM);
        }
    }
}

fn run(mut command: Command, result: &Path, shared: &Shared, tell: impl Fn(String)) -> End {
    // This thread waits for it.
    base::process::die_with_us(&mut command);
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return End::Refused(format!("error: foldback cannot be started: {error}")),
    };
    let process = || shared.process.lock().unwrap_or_else(PoisonError::into_inner);
    *process() = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    if shared.cancelled.load(Ordering::SeqCst) {
        let _ = child.kill();
    }
    let mut said = String::new();
    let lines = child.stderr.take().map(BufReader::new).into_iter().flat_map(BufRead::lines);
    for line in lines.map_while(Result::ok) {
        match serde_json::from_str::<Value>(&line) {
            Ok(event) if event.is_object() => event_text(&event).into_iter().for_each(&tell),
            _ => said += &format!("{line}\n"),
        }
    }
    // Afterwards its number may be another's.
    *process() = None;
    let status = child.wait();
    if shared.cancelled.load(Ordering::SeqCst) {
        return End::Cancelled;
    }
    let answer = std::fs::read_to_string(result).map_err(|error| error.to_string());
    match answer.and_then(|text| Report::from_json(&text)) {
        Ok(report) => End::Answer(Box::new(report)),
        Err(_) if !said.is_empty() => End::Refused(said),
        Err(why) => End::Refused(format!("error: foldback gave no answer: {why} ({status:?})")),
    }
}

/// What is worth showing of a line of progress.
fn event_text(event: &Value) -> Option<String> {
    let text = |key: &str| event[key].as_str();
    match text("event")? {
        "phase" => Some(text("phase")?.to_owned()),
        "decided" => Some(format!("{}: {}", text("name")?, text("result")?)),
        "no-error-within" => Some(format!("no violation within {} iterations", event["bound"])),
        _ => None,
    }
}

/// Writes the page of a result.
pub(crate) fn write_page(binary: &Path, folder: &Path, result: &Path, page: &Path) -> Result<(), String> {
    let mut command = Command::new(binary);
    command.arg("explain").arg(result).arg("--html").arg(page).current_dir(folder).stdin(Stdio::null());
    let output = command.output().map_err(|error| format!("foldback cannot be started: {error}"))?;
    if output.status.success() && page.exists() {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).trim().to_owned())
    }
}
