//! The commands of Slurm that are used: `sbatch`, `squeue`, and `sacct` where there is accounting.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// What a job array asks of the cluster.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Request<'a> {
    pub(super) name: &'a str,
    pub(super) batches: usize,
    /// By the clock, for a batch.
    pub(super) time: Duration,
    pub(super) memory_bytes: u64,
    pub(super) partition: Option<&'a str>,
    pub(super) account: Option<&'a str>,
    pub(super) script: &'a Path,
    /// Where each batch's output goes, `%a` standing for its number.
    pub(super) output: &'a Path,
}

impl Request<'_> {
    fn arguments(&self) -> Vec<String> {
        let mut arguments = vec![
            "--parsable".into(),
            format!("--job-name={}", self.name),
            format!("--array=0-{}", self.batches - 1),
            "--ntasks=1".into(),
            "--cpus-per-task=1".into(),
            format!("--time={}", self.time.as_secs().div_ceil(60).max(1)),
            format!("--mem={}M", self.memory_bytes.div_ceil(1 << 20)),
            // What is lost is submitted again by us, without what was already done.
            "--no-requeue".into(),
            format!("--output={}", self.output.display()),
        ];
        arguments.extend(self.partition.map(|name| format!("--partition={name}")));
        arguments.extend(self.account.map(|name| format!("--account={name}")));
        arguments.push(self.script.display().to_string());
        arguments
    }
}

/// Submits a job array; its number.
pub(super) fn submit(request: &Request<'_>) -> Result<String, String> {
    let reply = call("sbatch", &request.arguments())?;
    // With several clusters: "number;cluster".
    let job = reply.trim().split(';').next().unwrap_or("").to_owned();
    if job.is_empty() { Err(format!("sbatch gave no job number: {reply:?}")) } else { Ok(job) }
}

/// The number of the job of that name, if Slurm knows one.
pub(super) fn find(name: &str) -> Result<Option<String>, String> {
    let arguments = ["--noheader", "--states=all", "--format=%F"].map(str::to_owned);
    let reply = call("squeue", &[&arguments[..], &[format!("--name={name}")]].concat())?;
    Ok(reply.split_whitespace().next().map(str::to_owned))
}

/// Where a batch is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// Waiting or running.
    Alive,
    /// In Slurm's word.
    Ended(String),
}

/// Slurm's words for the end of a job; any other is taken for life.
const ENDS: [&str; 10] = [
    "BOOT_FAIL",
    "CANCELLED",
    "COMPLETED",
    "DEADLINE",
    "FAILED",
    "NODE_FAIL",
    "OUT_OF_MEMORY",
    "PREEMPTED",
    "REVOKED",
    "TIMEOUT",
];

/// The states of a job's batches, as far as Slurm remembers: the controller forgets a job some minutes after its end, then
/// accounting is asked, if there is any.
pub(super) fn states(job: &str) -> Result<BTreeMap<usize, State>, String> {
    let asked = ["--noheader", "--array", "--states=all", "--format=%K|%T"].map(str::to_owned);
    match call("squeue", &[&asked[..], &[format!("--jobs={job}")]].concat()) {
        Ok(reply) if !reply.trim().is_empty() => Ok(parse(&reply)),
        Ok(_) => Ok(accounted(job)),
        Err(error) if error.contains("Invalid job id") => Ok(accounted(job)),
        Err(error) => Err(error),
    }
}

/// What accounting says; nothing where there is none.
fn accounted(job: &str) -> BTreeMap<usize, State> {
    let asked = ["--noheader", "--array", "--allocations", "--parsable2", "--format=JobID,State"].map(str::to_owned);
    let reply = call("sacct", &[&asked[..], &[format!("--jobs={job}")]].concat()).unwrap_or_default();
    let prefix = format!("{job}_");
    parse(&reply.lines().map(|line| line.strip_prefix(&prefix).unwrap_or(line)).collect::<Vec<_>>().join("\n"))
}

/// Lines of `number|WORD`; the word may have an explanation behind it ("CANCELLED by 0").
fn parse(reply: &str) -> BTreeMap<usize, State> {
    let line = |line: &str| {
        let (index, state) = line.trim().split_once('|')?;
        let word = state.split_whitespace().next()?;
        let state = if ENDS.contains(&word) { State::Ended(word.to_owned()) } else { State::Alive };
        Some((index.parse().ok()?, state))
    };
    reply.lines().filter_map(line).collect()
}

fn call(program: &str, arguments: &[String]) -> Result<String, String> {
    let output = Command::new(program).args(arguments).output().map_err(|e| format!("cannot run {program}: {e}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let message = String::from_utf8_lossy(&output.stderr);
    Err(format!("{program}: {}", message.trim().lines().next().unwrap_or("fails without a word")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_read() {
        let states = parse("0|RUNNING\n3|PENDING\n4|CANCELLED by 1000\n5|NODE_FAIL\nN/A|FAILED\n6|SOMETHING_NEW\n");
        let ended = |word: &str| State::Ended(word.into());
        let expected =
            [(0, State::Alive), (3, State::Alive), (4, ended("CANCELLED")), (5, ended("NODE_FAIL")), (6, State::Alive)];
        assert_eq!(states, expected.into());
    }

    #[test]
    fn requests_are_rounded_up() {
        let request = Request {
            name: "n",
            batches: 30,
            time: Duration::from_secs(61),
            memory_bytes: (1 << 20) + 1,
            partition: Some("p"),
            account: None,
            script: Path::new("s"),
            output: Path::new("o"),
        };
        let arguments = request.arguments().join(" ");
        for part in ["--array=0-29", "--time=2", "--mem=2M", "--partition=p"] {
            assert!(arguments.contains(part), "{arguments}");
        }
        assert!(!arguments.contains("--account"));
    }
}
