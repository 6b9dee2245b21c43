//! The bench on a cluster gives what it gives here. Slurm's commands are played by two scripts; `contrib/slurm/test` does the
//! same with Slurm itself.

use crate::common::{Scratch, stderr, stdout};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const TASKS: usize = 9;

/// A task set: loops that run to their end, every third with a wrong assertion.
fn task_set(scratch: &Scratch) -> PathBuf {
    let folder = scratch.path("set");
    std::fs::create_dir_all(&folder).unwrap();
    let mut index = "task,input,property,expected,data_model\n".to_owned();
    for n in 0..TASKS {
        let (expected, last) = if n % 3 == 0 { (false, n + 1) } else { (true, n) };
        let program = format!(
            "extern void reach_error(void);\nint main(void) {{\n  int i = 0;\n  while (i < {n}) i++;\n  if (i != {last}) \
             reach_error();\n}}\n"
        );
        std::fs::write(folder.join(format!("t{n}.c")), program).unwrap();
        index += &format!("t{n}.c,t{n}.c,unreach-call,{expected},LP64\n");
    }
    std::fs::write(folder.join("index.csv"), index).unwrap();
    folder
}

/// The bench with our scripts for Slurm.
fn bench(scratch: &Scratch) -> Command {
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/slurm");
    let path = std::env::var("PATH").unwrap_or_default();
    let fake = scratch.path("fake");
    std::fs::create_dir_all(&fake).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_foldback"));
    command.arg("bench").env("PATH", format!("{}:{path}", scripts.display())).env("SLURM_FAKE", fake);
    command
}

fn start(scratch: &Scratch, on: &[&str], out: &Path) -> Command {
    let mut command = bench(scratch);
    command.arg(task_set(scratch)).args(["--engine", "bmc,se", "--time-limit", "20s", "--memory-limit", "1GB"]);
    command.args(on).arg("--out").arg(out);
    command
}

/// Task, engine and verdict of each line, sorted: times differ from run to run.
fn verdicts(out: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(out.join("results.csv")).unwrap();
    let mut lines: Vec<String> =
        text.lines().skip(1).map(|line| line.split(',').take(4).collect::<Vec<_>>().join(",")).collect();
    lines.sort();
    lines
}

/// A page or table without its numbers.
fn shape(file: &Path) -> String {
    let text = std::fs::read_to_string(file).unwrap();
    let mut shape = String::new();
    for c in text.chars() {
        match c {
            '0'..='9' | '.' if shape.ends_with('#') => {}
            '0'..='9' => shape.push('#'),
            other => shape.push(other),
        }
    }
    shape
}

fn assert_same(cluster: &Path, local: &Path) {
    assert_eq!(verdicts(cluster), verdicts(local));
    assert_eq!(verdicts(cluster).len(), 2 * TASKS);
    for file in ["index.html", "summary.md"] {
        assert_eq!(shape(&cluster.join(file)), shape(&local.join(file)));
    }
}

/// Lines of results that the batches wrote.
fn runs_made(out: &Path) -> usize {
    let rounds = std::fs::read_dir(out.join("slurm")).unwrap().flatten();
    let files = rounds.flat_map(|round| std::fs::read_dir(round.path()).unwrap().flatten());
    let results = files.filter(|file| file.path().extension().is_some_and(|e| e == "csv"));
    results.map(|file| std::fs::read_to_string(file.path()).unwrap().lines().count() - 1).sum()
}

#[test]
fn a_cluster_gives_what_this_machine_gives_and_lost_batches_run_again() {
    let scratch = Scratch::new("slurm");
    let (local, cluster) = (scratch.path("local"), scratch.path("cluster"));
    let output = start(&scratch, &[], &local).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    std::fs::create_dir_all(scratch.path("fake")).unwrap();
    scratch.file("fake/lose", "1");
    let on = ["--on", "slurm", "--array-size", "3", "--partition", "p", "--account", "a"];
    let output = start(&scratch, &on, &cluster).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stderr(&output).contains("lost") && stderr(&output).contains("NODE_FAIL"), "{}", stderr(&output));
    assert!(stdout(&output).contains("| set |"));
    assert_same(&cluster, &local);
}

#[test]
fn an_interrupted_run_goes_on() {
    let scratch = Scratch::new("slurm-resume");
    let (local, cluster) = (scratch.path("local"), scratch.path("cluster"));
    assert!(start(&scratch, &["--jobs", "2"], &local).output().unwrap().status.success());
    let mut first = start(&scratch, &["--on", "slurm", "--array-size", "2"], &cluster);
    let mut first = first.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let waiting_since = Instant::now();
    let job = cluster.join("slurm/round-0/job");
    while !job.exists() && waiting_since.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(10));
    }
    first.kill().unwrap();
    first.wait().unwrap();
    // As if it had been interrupted before the job's number was written down.
    std::fs::remove_file(&job).unwrap();
    let output = bench(&scratch).arg("--resume").arg(&cluster).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stderr(&output).contains("goes on with job 101"), "{}", stderr(&output));
    assert_same(&cluster, &local);
    assert_eq!(runs_made(&cluster), 2 * TASKS, "nothing ran twice");
}

#[test]
fn batches_that_do_not_start_and_cancelled_jobs_are_errors() {
    for (end, message) in [("FAILED", "batches do not start"), ("CANCELLED", "the job was cancelled")] {
        let scratch = Scratch::new(&format!("slurm-{end}"));
        std::fs::create_dir_all(scratch.path("fake")).unwrap();
        scratch.file("fake/end", end);
        let output = start(&scratch, &["--on", "slurm"], &scratch.path("cluster")).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
        assert!(verdicts(&scratch.path("cluster")).is_empty());
    }
}

#[test]
fn there_must_be_something_to_resume() {
    let scratch = Scratch::new("slurm-nothing");
    let output = bench(&scratch).arg("--resume").arg(scratch.path("nothing")).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("no bench was started"), "{}", stderr(&output));
}
