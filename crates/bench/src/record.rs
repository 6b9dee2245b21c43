//! One result, and the CSV file that keeps them: a line is written as soon as a task is done, so that an interrupted run
//! goes on where it stopped.

use crate::taskset::Task;
use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{Seek as _, SeekFrom};
use std::path::Path;

/// How a run on a task compares with what is expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    Right,
    Wrong,
    /// No answer, or nothing to compare it with.
    Open,
}

/// How many runs ended how.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tally {
    pub right: usize,
    pub wrong: usize,
    pub open: usize,
}

impl Tally {
    pub fn count(&mut self, record: &Record) {
        match record.status() {
            Status::Right => self.right += 1,
            Status::Wrong => self.wrong += 1,
            Status::Open => self.open += 1,
        }
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "right {}  open {}  wrong {}", self.right, self.open, self.wrong)
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    pub engine: String,
    pub task: String,
    pub expected: String,
    /// `true`, `false(…)`, `unknown(…)`, `timeout`, `bad input: …`, `crash(…)`.
    pub verdict: String,
    pub cpu_seconds: f64,
    pub wall_seconds: f64,
    pub memory_mb: f64,
    /// Of `true`: whether it was proved again on the program before simplification, or on what that left.
    pub checked: Option<Checked>,
    /// CPU seconds of that.
    pub check_seconds: f64,
}

/// On which program a proof was checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Checked {
    BeforeSimplification,
    AfterSimplification,
}

impl Checked {
    fn name(self) -> &'static str {
        match self {
            Checked::BeforeSimplification => "before",
            Checked::AfterSimplification => "after",
        }
    }

    fn named(name: &str) -> Option<Checked> {
        [Checked::BeforeSimplification, Checked::AfterSimplification].into_iter().find(|c| c.name() == name)
    }
}

const COLUMNS: [&str; 9] =
    ["engine", "task", "expected", "verdict", "cpu_seconds", "wall_seconds", "memory_mb", "checked", "check_seconds"];

impl Record {
    pub fn status(&self) -> Status {
        let answer = match self.verdict.to_lowercase() {
            v if v == "true" => "true",
            v if v == "false" || v.starts_with("false(") => "false",
            _ => return Status::Open,
        };
        match self.expected.as_str() {
            "" => Status::Open,
            expected if expected == answer => Status::Right,
            // "false(valid-deref)": the violated part was given too.
            expected if answer == "false" && expected.starts_with("false(") => {
                // A violation of another part than the expected one counts as no answer.
                if self.verdict == expected { Status::Right } else { Status::Open }
            }
            _ => Status::Wrong,
        }
    }

    /// Points by SV-COMP's rules: 2 for a proof, 1 for a bug, -16 and -32 for wrong ones.
    pub fn points(&self) -> i64 {
        let says_true = self.verdict == "true";
        match self.status() {
            Status::Right => 1 + i64::from(says_true),
            Status::Wrong => -16 * (1 + i64::from(says_true)),
            Status::Open => 0,
        }
    }

    /// Whether the run came to nothing: the input was refused, or there was no result.
    pub fn has_failed(&self) -> bool {
        self.verdict.starts_with("bad input") || self.verdict.starts_with("crash(")
    }

    fn key(&self) -> (String, String) {
        (self.engine.clone(), self.task.clone())
    }
}

/// What is expected of a task, as records have it.
pub fn expected(task: &Task) -> String {
    match task.expected {
        Some(true) => "true".into(),
        Some(false) if task.subproperty.is_empty() => "false".into(),
        Some(false) => format!("false({})", task.subproperty),
        None => String::new(),
    }
}

/// Results on disk.
pub struct Results {
    writer: csv::Writer<File>,
    pub records: Vec<Record>,
    done: BTreeSet<(String, String)>,
}

impl Results {
    /// Opens `file`, with what an earlier run left in it. A line that was cut off by an interruption is dropped.
    pub fn open(file: &Path) -> Result<Results, String> {
        let bad = |e: &dyn std::fmt::Display| format!("{}: {e}", file.display());
        let open = base::files::open_own(file).map_err(|e| bad(&e))?;
        if flock(&open, FlockOperation::NonBlockingLockExclusive) == Err(Errno::WOULDBLOCK) {
            return Err(bad(&"another bench is writing there"));
        }
        let text = base::files::read(file).map_err(|e| bad(&e))?;
        let whole = whole_lines(&text);
        if !text.is_empty() && !text.starts_with(COLUMNS[0].as_bytes()) {
            return Err(bad(&"these are no results of a bench"));
        }
        let records = if whole == 0 { Vec::new() } else { read(file)? };
        open.set_len(whole as u64).map_err(|e| bad(&e))?;
        (&open).seek(SeekFrom::End(0)).map_err(|e| bad(&e))?;
        let mut writer = csv::Writer::from_writer(open);
        if whole == 0 {
            writer.write_record(COLUMNS).map_err(|e| bad(&e))?;
            writer.flush().map_err(|e| bad(&e))?;
        }
        let done = records.iter().map(Record::key).collect();
        Ok(Results { writer, records, done })
    }

    pub fn has(&self, engine: &str, task: &str) -> bool {
        self.done.contains(&(engine.to_owned(), task.to_owned()))
    }

    pub fn add(&mut self, record: Record) -> Result<(), String> {
        let row = [
            record.engine.clone(),
            record.task.clone(),
            record.expected.clone(),
            record.verdict.clone(),
            format!("{:.3}", record.cpu_seconds),
            format!("{:.3}", record.wall_seconds),
            format!("{:.1}", record.memory_mb),
            record.checked.map_or(String::new(), |checked| checked.name().to_owned()),
            format!("{:.3}", record.check_seconds),
        ];
        self.writer.write_record(&row).map_err(|e| e.to_string())?;
        self.writer.flush().map_err(|e| e.to_string())?;
        self.done.insert(record.key());
        self.records.push(record);
        Ok(())
    }
}

/// How many of the bytes are whole lines: what follows is being written, or was cut off.
fn whole_lines(bytes: &[u8]) -> usize {
    bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1)
}

/// Reads results: ours, or another tool's with columns tool, task, expected, verdict, seconds. Of ours only whole lines count; a
/// line with too few columns is left out. A file without these columns is an error.
pub fn read(file: &Path) -> Result<Vec<Record>, String> {
    let bad = |e: csv::Error| format!("{}: {e}", file.display());
    let mut bytes = base::files::read(file).map_err(|e| format!("{}: {e}", file.display()))?;
    if bytes.starts_with(COLUMNS.join(",").as_bytes()) {
        bytes.truncate(whole_lines(&bytes));
    }
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(bytes.as_slice());
    let headers = reader.headers().map_err(bad)?.clone();
    let place = |names: &[&str]| headers.iter().position(|h| names.contains(&h));
    let needed: [&[&str]; 5] =
        [&["engine", "tool"], &["task"], &["expected"], &["verdict"], &["cpu_seconds", "seconds"]];
    if let Some(missing) = needed.iter().find(|names| place(names).is_none()) {
        return Err(format!("{}: no results: there is no column '{}'", file.display(), missing.join("' or '")));
    }
    let mut records = Vec::new();
    for row in reader.records() {
        let row = row.map_err(bad)?;
        let column = |names: &[&str]| row.get(place(names)?).map(str::to_owned);
        let seconds = |names: &[&str]| column(names).and_then(|s| s.parse().ok()).unwrap_or(0.0);
        let [Some(engine), Some(task), Some(expected), Some(verdict), Some(_)] = needed.map(column) else { continue };
        records.push(Record {
            engine,
            task,
            expected,
            verdict,
            cpu_seconds: seconds(&["cpu_seconds", "seconds"]),
            wall_seconds: seconds(&["wall_seconds", "seconds"]),
            memory_mb: seconds(&["memory_mb"]),
            checked: column(&["checked"]).and_then(|name| Checked::named(&name)),
            check_seconds: seconds(&["check_seconds"]),
        });
    }
    Ok(records)
}

/// The results that were asked for, in the order of what was asked for, not of what was done first: the same wherever tasks
/// ran.
pub fn in_order(records: &[Record], engines: &[String], tasks: &[Task]) -> Vec<Record> {
    let found: BTreeMap<(&str, &str), &Record> =
        records.iter().map(|r| ((r.engine.as_str(), r.task.as_str()), r)).collect();
    let asked = engines.iter().flat_map(|engine| tasks.iter().map(move |t| (engine.as_str(), t.name.as_str())));
    asked.filter_map(|key| found.get(&key).copied().cloned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(expected: &str, verdict: &str) -> Record {
        Record {
            engine: "e".into(),
            task: "t".into(),
            expected: expected.into(),
            verdict: verdict.into(),
            cpu_seconds: 0.1,
            wall_seconds: 0.2,
            memory_mb: 3.0,
            checked: Some(Checked::AfterSimplification),
            check_seconds: 0.05,
        }
    }

    #[test]
    fn scores_are_those_of_sv_comp() {
        assert_eq!(record("true", "true").points(), 2);
        assert_eq!(record("false", "false(unreach-call)").points(), 1);
        assert_eq!(record("false", "true").points(), -32);
        assert_eq!(record("true", "false(unreach-call)").points(), -16);
        assert_eq!(record("true", "unknown(time limit)").points(), 0);
        assert_eq!(record("false(valid-deref)", "false(valid-deref)").points(), 1);
        assert_eq!(record("false(valid-deref)", "false(valid-free)").status(), Status::Open);
        assert_eq!(record("false(valid-deref)", "true").status(), Status::Wrong);
    }

    #[test]
    fn results_go_on_where_they_stopped() {
        let file = std::env::temp_dir().join(format!("foldback-results-{}.csv", std::process::id()));
        let _ = std::fs::remove_file(&file);
        Results::open(&file).unwrap().add(record("true", "unknown(a, \"b\")")).unwrap();
        // Cut off in the middle of a line.
        let mut text = std::fs::read_to_string(&file).unwrap();
        text += "e,other";
        std::fs::write(&file, &text).unwrap();
        let mut again = Results::open(&file).unwrap();
        assert_eq!(again.records.len(), 1);
        assert!(again.has("e", "t") && !again.has("e", "other"));
        assert!(Results::open(&file).is_err_and(|e| e.contains("another bench")), "two at a time");
        // The next line starts afresh.
        again.add(Record { task: "next".into(), ..record("true", "true") }).unwrap();
        let tasks: Vec<String> = read(&file).unwrap().into_iter().map(|r| r.task).collect();
        assert_eq!(tasks, ["t", "next"]);
        std::fs::remove_file(&file).unwrap();
    }
}
