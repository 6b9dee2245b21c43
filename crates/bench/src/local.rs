//! Runs tasks on this machine: the binary as a process of its own for each, limited from outside.
//!
//! The binary is told its limits and keeps them itself; the system enforces them a little later in case it does not. CPU
//! time and memory are what the system accounts to the process and its children.

use crate::record::{Checked, Record, expected};
use crate::runner::{Event, Item, Limits, Runner, Tell};
use crate::taskset::Task;
use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process_group, prlimit};
use serde::{Deserialize, Serialize};
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use wait4::Wait4;

/// See the module.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Local {
    pub binary: PathBuf,
    pub limits: Limits,
    /// Passed to every run.
    pub arguments: Vec<String>,
    /// Tasks at a time.
    pub jobs: usize,
}

/// The binary gets this much longer to say `unknown` by itself.
const GRACE: Duration = Duration::from_secs(2);

impl Runner for Local {
    fn run(&self, todo: &[Item], tell: Tell<'_>) -> Result<(), String> {
        let next = AtomicUsize::new(0);
        let shared = Mutex::new((tell, Ok(())));
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.max(1) {
                scope.spawn(|| {
                    while let Some(item) = todo.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let record = self.run_one(&item.engine, &item.task);
                        let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
                        let (tell, failed) = &mut *shared;
                        if failed.is_ok() {
                            *failed = tell(Event::Done(record));
                        }
                        if failed.is_err() {
                            return;
                        }
                    }
                });
            }
        });
        shared.into_inner().unwrap_or_else(PoisonError::into_inner).1
    }
}

/// Starting and stopping processes is not counted against an answer.
const SLACK: Duration = Duration::from_millis(500);

/// The exit code by which the binary refuses its input.
const BAD_INPUT: i32 = 2;

/// The text that comes through a pipe. What cannot be read is not there.
fn all_of(pipe: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        let _ = pipe.read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

impl Local {
    fn run_one(&self, engine: &str, task: &Task) -> Record {
        let started = Instant::now();
        let mut record = Record {
            engine: engine.to_owned(),
            task: task.name.clone(),
            expected: expected(task),
            verdict: String::new(),
            cpu_seconds: 0.0,
            wall_seconds: 0.0,
            memory_mb: 0.0,
            checked: None,
            check_seconds: 0.0,
        };
        match self.execute(engine, task) {
            Ok((verdict, cpu, memory, errors)) => {
                if verdict == "true" {
                    (record.checked, record.check_seconds) = check(&errors);
                }
                record.verdict = verdict;
                record.cpu_seconds = cpu.as_secs_f64();
                record.memory_mb = memory as f64 / 1e6;
            }
            Err(error) => record.verdict = format!("crash({error})"),
        }
        record.wall_seconds = started.elapsed().as_secs_f64();
        record
    }

    fn command(&self, engine: &str, task: &Task) -> Command {
        let mut command = Command::new(&self.binary);
        command.arg("verify").args(&task.files);
        command.args(["--property", &task.property, "--data-model", &task.data_model, "--engine", engine]);
        command.args(["--time-limit", &format!("{}ms", self.limits.cpu.as_millis())]);
        command.args(["--memory-limit", &format!("{}B", self.limits.memory_bytes)]);
        // One core a task, unless something else is asked for.
        if !self.arguments.iter().any(|a| a == "--jobs" || a == "-j") {
            command.args(["--jobs", "1"]);
        }
        // Task sets have the competition's convention about functions without body.
        let says = |a: &String| a.starts_with("--externs") || a == "--pure-externs";
        if !task.arguments.iter().chain(&self.arguments).any(says) {
            command.args(["--externs", "arguments"]);
        }
        command.args(&task.arguments).args(&self.arguments);
        // How the answer was checked stands in the result; no file of ours is to be left behind.
        if !self.arguments.iter().any(|a| a.starts_with("--json")) {
            command.args(["--json", "/dev/stderr"]);
        }
        // A group of its own, so that children go with it.
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        command
    }

    /// The verdict, CPU time, memory, and what the run wrote to standard error.
    fn execute(&self, engine: &str, task: &Task) -> Result<(String, Duration, u64, String), String> {
        let mut child = self.command(engine, task).spawn().map_err(|e| format!("cannot start: {e}"))?;
        let pid = Pid::from_child(&child);
        let cpu = (self.limits.cpu + GRACE).as_secs() + 1;
        // Where the system refuses a limit, the wall clock below still holds.
        let _ = prlimit(Some(pid), Resource::Cpu, Rlimit { current: Some(cpu), maximum: Some(cpu + 1) });
        let finished = Arc::new(AtomicBool::new(false));
        let watchdog = self.watch(pid, finished.clone());
        let errors = child.stderr.take();
        let errors = std::thread::spawn(move || all_of(errors));
        let output = all_of(child.stdout.take());
        let usage = child.wait4().map_err(|e| format!("cannot wait: {e}"))?;
        finished.store(true, Ordering::Relaxed);
        watchdog.thread().unpark();
        let _ = watchdog.join();
        let used = usage.rusage.utime + usage.rusage.stime;
        let errors = errors.join().unwrap_or_default();
        let last = output.lines().last().unwrap_or("");
        let verdict = match last.strip_prefix("RESULT: ") {
            // An answer that took longer than allowed is none; a little more is what measuring costs.
            Some(verdict) if used > self.limits.cpu * 11 / 10 + SLACK => format!("timeout({verdict})"),
            Some(verdict) => verdict.to_owned(),
            None if usage.status.code() == Some(BAD_INPUT) => {
                let message = errors.lines().next().unwrap_or_default();
                format!("bad input: {}", message.strip_prefix("error: ").unwrap_or(message))
            }
            None if used >= self.limits.cpu => "timeout".into(),
            None => format!("crash({})", usage.status),
        };
        Ok((verdict, used, usage.rusage.maxrss, errors))
    }

    /// Ends the group when it takes far longer by the clock than it may take of CPU time.
    fn watch(&self, pid: Pid, finished: Arc<AtomicBool>) -> std::thread::JoinHandle<()> {
        // Generous: on a busy machine CPU time comes slowly.
        let deadline = Instant::now() + self.limits.cpu * 10 + Duration::from_secs(30);
        std::thread::spawn(move || {
            while !finished.load(Ordering::Relaxed) {
                let now = Instant::now();
                if now >= deadline {
                    let _ = kill_process_group(pid, Signal::KILL);
                    return;
                }
                std::thread::park_timeout(deadline - now);
            }
        })
    }
}

/// How a proof was checked, and the CPU time of that, from the result that was written among messages.
fn check(errors: &str) -> (Option<Checked>, f64) {
    let begin = if errors.starts_with("{\n") { Some(0) } else { errors.find("\n{\n") };
    let text = begin.map_or("", |begin| &errors[begin..]);
    let result = serde_json::Deserializer::from_str(text).into_iter::<serde_json::Value>().next();
    let result = result.and_then(Result::ok).unwrap_or_default();
    let seconds = result["runs"].as_array().into_iter().flatten().filter_map(|run| run["check_seconds"].as_f64());
    let proof = &result["result"]["proof"];
    // The only execution of a program is one of the program as it is written.
    let is_before = proof["not_proved_again"].is_null() || proof["kind"] == "executed";
    let checked = proof["proved_again_by"].is_string().then_some(match is_before {
        true => Checked::BeforeSimplification,
        false => Checked::AfterSimplification,
    });
    (checked, seconds.fold(0.0, |all, one| all + one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_are_read_from_results() {
        let result = |proof: &str| {
            format!(
                "note: something\n{{\n \"runs\": [{{\"check_seconds\": 0.25}}, {{\"check_seconds\": 0.5}}],\n \
                 \"result\": {{\"verdict\": \"true\", \"proof\": {proof}}}\n}}\nnote: something else\n"
            )
        };
        let before = "{\"kind\": \"invariants\", \"proved_again_by\": \"z3\", \"not_proved_again\": null}";
        assert_eq!(check(&result(before)), (Some(Checked::BeforeSimplification), 0.75));
        let after = "{\"kind\": \"paths\", \"proved_again_by\": \"z3\", \"not_proved_again\": \"too long\"}";
        assert_eq!(check(&result(after)), (Some(Checked::AfterSimplification), 0.75));
        let executed = after.replace("paths", "executed");
        assert_eq!(check(&result(&executed)).0, Some(Checked::BeforeSimplification));
        assert_eq!(check(&result("{\"accepted_unchecked\": true, \"not_proved_again\": \"why\"}")).0, None);
        assert_eq!(check("note: nothing"), (None, 0.0));
    }
}
