//! Parses every task of a benchmark folder and reports failures and the total time:
//! `cargo run --release -p cfront --example corpus -- TASKS [FILTER]`.

#![allow(clippy::print_stdout)]

use std::path::{Path, PathBuf};
use std::time::Instant;

use cfront::types::DataModel;
use cfront::{Input, Options, load};

/// One program of the corpus.
struct Task {
    files: Vec<PathBuf>,
    options: Options,
}

fn column<'a>(header: &[&str], row: &'a [&str], name: &str) -> &'a str {
    header.iter().position(|h| *h == name).and_then(|i| row.get(i)).copied().unwrap_or("")
}

fn tasks(folder: &Path) -> Vec<Task> {
    let Ok(index) = std::fs::read_to_string(folder.join("index.csv")) else { return Vec::new() };
    let mut lines = index.lines();
    let header: Vec<&str> = lines.next().unwrap_or("").split(',').collect();
    lines
        .map(|line| {
            let row: Vec<&str> = line.split(',').collect();
            let model = if column(&header, &row, "data_model") == "LP64" { DataModel::Lp64 } else { DataModel::Ilp32 };
            let mut options = Options::new(model);
            let mut files = Vec::new();
            match column(&header, &row, "input") {
                "" => {
                    files.push(folder.join(column(&header, &row, "path")));
                    files.extend(column(&header, &row, "link_with").split_whitespace().map(|f| folder.join(f)));
                    options.defines = vec!["BASE_SZ=2".to_owned(), "E2BIG=7".to_owned()];
                    options.include_dirs = files[0].parent().map(Path::to_path_buf).into_iter().collect();
                }
                input => files.push(folder.join(input)),
            }
            Task { files, options }
        })
        .collect()
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(root) = arguments.first() else {
        println!("usage: corpus TASKS [FILTER]");
        return;
    };
    let filter = arguments.get(1).map_or("", String::as_str);
    for set in ["svcomp-loops", "svcomp-mix", "tracer", "verisec"] {
        let (mut parsed, mut failed, mut slowest) = (0, 0, (0.0, String::new()));
        let start = Instant::now();
        for task in tasks(&Path::new(root).join(set)) {
            let name = task.files[0].display().to_string();
            if !name.contains(filter) {
                continue;
            }
            let began = Instant::now();
            let inputs: Vec<Input> = task.files.iter().cloned().map(Input::Path).collect();
            match load(&inputs, &task.options) {
                Ok(unit) => {
                    parsed += 1;
                    for problem in cfront::with_big_stack(|| cfront::verify::verify(&unit)) {
                        println!("BROKEN {problem}");
                    }
                }
                Err(failure) => {
                    failed += 1;
                    println!("{}", failure.render());
                }
            }
            let took = began.elapsed().as_secs_f64();
            if took > slowest.0 {
                slowest = (took, name);
            }
        }
        let total = start.elapsed().as_secs_f64();
        println!("{set}: {parsed} parsed, {failed} failed, {total:.2} s (slowest {:.3} s: {})", slowest.0, slowest.1);
    }
}
