//! Every second of the benchmark tasks beside the repository goes through the whole preparation without a failure, and
//! random executions of those labelled safe never reach the error. Skipped, with a message, where the tasks are not there.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use cfront::types::DataModel;
use interpreter::{Ending, Limits, Machine, Random};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use transform::pipeline;
use verifier::{Subject, load, property};

/// Tasks labelled safe that are not: two characters and a zero make `out` 2, and `outfile[2]` is past the end.
const WRONG_LABELS: [&str; 1] = ["programs/apps/sendmail/CVE-1999-0206/mime_fromqp/mime_fromqp_arr_ok.c"];

/// Random executions of each task, and how far each goes.
const RUNS: u64 = 3;
const RUN_STEPS: u64 = 200_000;
const WORKERS: usize = 2;

/// One program of a set, as its index describes it.
struct Task {
    name: String,
    subject: Subject,
    expected: Option<bool>,
}

fn survey(set: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/tasks").join(set);
    if !path.exists() {
        eprintln!("skipped: no tasks at {}", path.display());
        return;
    }
    let tasks: Vec<Task> = read_index(&path).into_iter().step_by(2).collect();
    let next = AtomicUsize::new(0);
    let problems: Mutex<Vec<String>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            let worker = || {
                while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let looked = std::panic::catch_unwind(|| look_at(task));
                    if let Err(problem) = looked.unwrap_or_else(|_| Err("panicked".to_owned())) {
                        problems.lock().expect("no worker panics").push(format!("{}: {problem}", task.name));
                    }
                }
            };
            std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, worker).expect("a thread");
        }
    });
    let mut problems = problems.into_inner().expect("no worker panics");
    problems.sort();
    assert!(problems.is_empty() && !tasks.is_empty(), "of {} tasks:\n{}", tasks.len(), problems.join("\n"));
}

/// What is wrong with a task, if anything.
fn look_at(task: &Task) -> Result<(), String> {
    let program = load::lowered(&task.subject).map_err(|bad| bad.to_string())?;
    let machine = Machine::new(&program).map_err(|why| why.to_string())?;
    for seed in 0..RUNS {
        let outcome = machine.run(&mut Random::new(seed), &Limits { record: false, ..Limits::steps(RUN_STEPS) });
        let reached = matches!(outcome.ending, Ending::Error(_)) && outcome.undefined.is_empty();
        if reached && task.expected == Some(true) && !WRONG_LABELS.contains(&task.name.as_str()) {
            return Err("an execution of a safe program reaches the error".into());
        }
    }
    pipeline::prepare(&program, &load::passes(&task.subject.lowering.properties));
    Ok(())
}

#[test]
fn svcomp_loops() {
    survey("svcomp-loops");
}

#[test]
fn svcomp_mix() {
    survey("svcomp-mix");
}

#[test]
fn tracer() {
    survey("tracer");
}

#[test]
fn verisec() {
    survey("verisec");
}

/// The tasks of `set/index.csv`; its columns decide what kind of set it is.
fn read_index(set: &Path) -> Vec<Task> {
    let path = set.join("index.csv");
    let text = std::fs::read_to_string(&path).expect("an index");
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let relevant = relevant_lines(set);
    let mut tasks = Vec::new();
    for line in lines.filter(|line| !line.is_empty()) {
        let row: BTreeMap<&str, &str> = header.iter().copied().zip(line.split(',')).collect();
        let column = |name: &str| row.get(name).copied().unwrap_or_default();
        let mut lowering = lower::Options::default();
        let mut defines = Vec::new();
        let mut data_model = DataModel::Ilp32;
        let mut files = Vec::new();
        let mut includes = Vec::new();
        let name = if row.contains_key("task") {
            files.push(set.join(column("input")));
            lowering.properties = property::by_name(column("property"))
                .unwrap_or_else(|| panic!("unknown property '{}'", column("property")))
                .to_vec();
            if column("data_model") == "LP64" {
                data_model = DataModel::Lp64;
            }
            if !column("error_function").is_empty() && !column("error_function").contains('(') {
                lowering.error_functions = vec![column("error_function").to_owned()];
            }
            if column("error_function").contains('(') {
                // TRACER's own files: globals without initialiser are inputs.
                lowering.uninit_globals = lower::UninitGlobals::Nondet;
            }
            column("task")
        } else {
            // VERISEC: memory checks on the marked lines and on those of the stubs that are marked relevant.
            files.push(set.join(column("path")));
            files.extend(column("link_with").split_whitespace().map(|file| set.join(file)));
            lowering.properties = vec![cfa::Property::ValidDeref];
            let marked = column("marked_lines").split_whitespace().filter_map(|n| n.parse().ok());
            lowering.only_lines = marked.map(|n| (column("path").to_owned(), n)).chain(relevant.clone()).collect();
            defines.push("E2BIG=7".to_owned());
            includes.extend(files[0].parent().map(Path::to_path_buf));
            column("path")
        };
        lowering.extern_effects = lower::ExternEffects::Pure;
        let expected = match column("expected") {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        };
        let mut subject = Subject::new(files, property::Asked::default());
        subject.data_model = data_model;
        subject.defines = defines;
        subject.includes = includes;
        subject.lowering = lowering;
        tasks.push(Task { name: name.to_owned(), subject, expected });
    }
    tasks
}

/// The lines of `lib/stubs.c` that follow a comment with the word RELEVANT.
fn relevant_lines(set: &Path) -> Vec<(String, u32)> {
    let text = std::fs::read_to_string(set.join("lib/stubs.c")).unwrap_or_default();
    let marked = text.lines().zip(2u32..).filter(|(line, _)| line.contains("RELEVANT"));
    marked.map(|(_, next)| ("lib/stubs.c".to_owned(), next)).collect()
}
