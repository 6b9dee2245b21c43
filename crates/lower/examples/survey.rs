//! Lowers every task of a benchmark folder: what fails, what is unsupported and how often, how large the automata are.
//! With `--runs N` each is executed N times with random inputs, and errors reached in tasks that are labelled safe are
//! listed: `cargo run --release -p lower --example survey -- TASKS [FILTER] [--runs N]`.
#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use cfa::interp::{Ending, Limits, Machine, Random};
use cfa::{Form, LocKind, Program, Property};
use cfront::types::DataModel;
use cfront::{Input, Options};

struct Task {
    files: Vec<PathBuf>,
    front: Options,
    lower: lower::Options,
    expected: String,
}

fn column<'a>(header: &[&str], row: &'a [&str], name: &str) -> &'a str {
    header.iter().position(|h| *h == name).and_then(|i| row.get(i)).copied().unwrap_or("")
}

fn properties(name: &str) -> Vec<Property> {
    match name {
        "unreach-call" => vec![Property::UnreachCall],
        "no-overflow" => vec![Property::NoOverflow],
        "termination" => vec![Property::Termination],
        "valid-memcleanup" => vec![Property::ValidMemcleanup],
        "valid-memsafety" => vec![Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack],
        _ => vec![Property::ValidDeref],
    }
}

fn tasks(folder: &Path) -> Vec<Task> {
    let Ok(index) = std::fs::read_to_string(folder.join("index.csv")) else { return Vec::new() };
    let mut lines = index.lines();
    let header: Vec<&str> = lines.next().unwrap_or("").split(',').collect();
    lines
        .map(|line| {
            let row: Vec<&str> = line.split(',').collect();
            let get = |name| column(&header, &row, name);
            let model = if get("data_model") == "LP64" { DataModel::Lp64 } else { DataModel::Ilp32 };
            let mut front = Options::new(model);
            let mut lower = lower::Options { properties: properties(get("property")), ..lower::Options::default() };
            let mut files = Vec::new();
            match get("input") {
                "" => {
                    let path = get("path");
                    files.push(folder.join(path));
                    files.extend(get("link_with").split_whitespace().map(|f| folder.join(f)));
                    front.include_dirs = files[0].parent().map(Path::to_path_buf).into_iter().collect();
                    front.defines = vec!["BASE_SZ=2".to_owned(), "E2BIG=7".to_owned()];
                    let marked = get("marked_lines").split_whitespace().filter_map(|n| n.parse().ok());
                    let file = folder.join(path).display().to_string();
                    lower.only_lines = marked.map(|n| (file.clone(), n)).collect();
                    let stubs = std::fs::read_to_string(folder.join("lib/stubs.c")).unwrap_or_default();
                    for (i, line) in stubs.lines().enumerate() {
                        if line.contains("RELEVANT") {
                            // The comment stands above the access.
                            lower.only_lines.push(("lib/stubs.c".to_owned(), i as u32 + 2));
                        }
                    }
                }
                input => files.push(folder.join(input)),
            }
            let error = get("error_function");
            if !error.is_empty() && !error.contains('(') {
                lower.error_functions = vec![error.to_owned()];
            }
            if get("input").contains("tcas") {
                lower.uninit_globals = lower::UninitGlobals::Nondet;
            }
            Task { files, front, lower, expected: get("expected").to_owned() }
        })
        .collect()
}

fn build(task: &Task) -> Result<Program, String> {
    let inputs: Vec<Input> = task.files.iter().cloned().map(Input::Path).collect();
    let unit = lower::library::load(&inputs, &task.front, &task.lower.entry).map_err(|f| f.render())?;
    lower::lower(&unit, &task.lower)
        .map_err(|errors| errors.iter().map(|d| d.render(&unit.sources)).collect::<Vec<_>>().join("\n"))
}

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut runs = 0;
    if let Some(i) = arguments.iter().position(|a| a == "--runs") {
        runs = arguments.get(i + 1).and_then(|n| n.parse().ok()).unwrap_or(10);
        arguments.drain(i..(i + 2).min(arguments.len()));
    }
    let Some(root) = arguments.first() else {
        println!("usage: survey TASKS [FILTER] [--runs N]");
        return;
    };
    let filter = arguments.get(1).cloned().unwrap_or_default();
    let mut unsupported: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut endings: BTreeMap<(String, String), usize> = BTreeMap::new();
    let (mut total, mut failed, mut edges, mut time) = (0, 0, 0, Duration::ZERO);
    for set in ["svcomp-loops", "svcomp-mix", "tracer", "verisec"] {
        for task in tasks(&Path::new(root).join(set)) {
            let name = task.files[0].display().to_string();
            if !name.contains(&filter) {
                continue;
            }
            total += 1;
            let start = Instant::now();
            let program = match build(&task) {
                Ok(program) => program,
                Err(message) => {
                    failed += 1;
                    println!("FAIL {name}: {}", message.lines().next().unwrap_or(""));
                    continue;
                }
            };
            let spent = start.elapsed();
            time += spent;
            if spent > Duration::from_secs(1) {
                println!("SLOW {name}: {spent:?}");
            }
            for problem in cfa::verify(&program, Form::Function).iter().take(3) {
                println!("UNSOUND {name}: {problem}");
            }
            let mut here: BTreeMap<String, usize> = BTreeMap::new();
            for function in program.functions.values() {
                edges += function.edges.len();
                for loc in function.locs.values() {
                    if let LocKind::Unsupported(what) = &loc.kind {
                        *here.entry(what.chars().take(70).collect()).or_default() += 1;
                    }
                }
            }
            for (what, count) in here {
                let entry = unsupported.entry(what).or_default();
                *entry = (entry.0 + 1, entry.1 + count);
            }
            if runs > 0 {
                let worst = execute(&program, runs);
                if worst.starts_with("error") && task.expected == "true" {
                    println!("WRONG {name}: {worst}");
                }
                let kind: String = worst.split(':').take(2).collect::<Vec<_>>().join(":");
                *endings.entry((task.expected.clone(), kind)).or_default() += 1;
            }
        }
    }
    println!("{total} tasks, {failed} failed, {edges} edges, lowered in {time:?}");
    println!("| unsupported | programs | places |\n|---|---:|---:|");
    for (what, (programs, places)) in &unsupported {
        println!("| {what} | {programs} | {places} |");
    }
    for ((expected, ending), count) in &endings {
        println!("expected {expected}: {ending}: {count}");
    }
}

/// The most telling ending of some random runs: an error, else something unsupported, else the last one.
fn execute(program: &Program, runs: u64) -> String {
    let machine = match Machine::new(program) {
        Ok(machine) => machine,
        Err(e) => return format!("no machine: {e:?}"),
    };
    let mut seen = "none".to_owned();
    for seed in 0..runs {
        let deadline = Some(Instant::now() + Duration::from_millis(200));
        let limits = Limits { record: false, deadline, ..Limits::steps(1_000_000) };
        let outcome = machine.run(&mut Random::new(seed), &limits);
        match outcome.ending {
            Ending::Error(v) => return format!("error: {}: {}", v.property.name(), v.message),
            Ending::Unsupported(what) => seen = format!("unsupported: {what}"),
            Ending::BoundHit(what) => seen = format!("bound: {what}"),
            Ending::Stuck => return "stuck".to_owned(),
            Ending::End(kind) if !seen.starts_with("unsupported") => seen = format!("end: {kind:?}"),
            Ending::Limit(limit) if seen == "none" => seen = format!("limit: {limit:?}"),
            Ending::End(_) | Ending::Limit(_) => {}
        }
    }
    seen
}
