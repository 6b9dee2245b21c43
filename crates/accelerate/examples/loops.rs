//! How many loops of a benchmark folder get accelerators (Kroening et al. 2015, table 2).
//! `loops FOLDER [FILTER [NAME=VALUE]...]` reads the folder's index.csv; with a filter each program is shown by itself.
#![allow(clippy::print_stdout)]

use accelerate::{Settings, Skipped, accelerate};
use cfa::{Program, Property};
use cfront::types::DataModel;
use cfront::{Input, Options};
use engine::Budget;
use smt::SolverSettings;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use transform::Aim;
use transform::pipeline;

struct Task {
    name: String,
    files: Vec<PathBuf>,
    front: Options,
    lower: lower::Options,
}

fn tasks(folder: &Path, defines: &[String]) -> Vec<Task> {
    let Ok(index) = std::fs::read_to_string(folder.join("index.csv")) else { return Vec::new() };
    let mut lines = index.lines();
    let header: Vec<&str> = lines.next().unwrap_or("").split(',').collect();
    let mut tasks = Vec::new();
    for line in lines {
        let row: Vec<&str> = line.split(',').collect();
        let get = |name: &str| header.iter().position(|h| *h == name).and_then(|i| row.get(i)).copied().unwrap_or("");
        if get("paper_set") == "no" {
            continue;
        }
        let model = if get("data_model") == "LP64" { DataModel::Lp64 } else { DataModel::Ilp32 };
        let mut front = Options::new(model);
        front.defines = defines.to_vec();
        let properties = match get("property") {
            "unreach-call" => vec![Property::UnreachCall],
            "no-overflow" => vec![Property::NoOverflow],
            "valid-memsafety" => vec![Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack],
            _ => vec![Property::ValidDeref],
        };
        let mut lower = lower::Options { properties, ..lower::Options::default() };
        let mut files = Vec::new();
        if get("input").is_empty() {
            files.push(folder.join(get("path")));
            let marked = get("marked_lines").split_whitespace().filter_map(|n| n.parse().ok());
            lower.only_lines = marked.map(|n| (get("path").to_owned(), n)).collect();
            for linked in get("link_with").split_whitespace() {
                let text = std::fs::read_to_string(folder.join(linked)).unwrap_or_default();
                let relevant = text.lines().zip(2u32..).filter(|(line, _)| line.contains("RELEVANT */"));
                lower.only_lines.extend(relevant.map(|(_, next)| (linked.to_owned(), next)));
                files.push(folder.join(linked));
            }
        } else {
            files.push(folder.join(get("input")));
        }
        let name = [get("task"), get("path")].concat();
        tasks.push(Task { name, files, front, lower });
    }
    tasks
}

fn build(task: &Task) -> Result<Program, String> {
    let inputs: Vec<Input> = task.files.iter().cloned().map(Input::Path).collect();
    let unit = lower::library::load(&inputs, &task.front, &task.lower.entry).map_err(|f| f.render())?;
    cfront::with_big_stack(|| lower::lower(&unit, &task.lower))
        .map_err(|errors| errors.iter().map(|d| d.render(&unit.sources)).collect::<Vec<_>>().join("\n"))
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().unwrap_or_else(|| ".".into()));
    let filter = arguments.next().unwrap_or_default();
    let defines: Vec<String> = arguments.collect();
    let (mut programs, mut with_loops, mut accelerated, mut loops, mut fast, mut paths) = (0, 0, 0, 0, 0, 0);
    let mut skipped = [0; 3];
    for task in tasks(&folder, &defines).iter().filter(|t| t.name.contains(&filter)) {
        let Ok(lowered) = build(task) else { continue };
        let program = pipeline::prepare(&lowered, &pipeline::Settings::new(Aim::Targets)).program;
        let budget = Budget::new(Duration::from_secs(60), u64::MAX);
        let started = Instant::now();
        let Ok(result) = accelerate(&program, &Settings::default(), &SolverSettings::default(), &budget) else {
            continue;
        };
        programs += 1;
        with_loops += usize::from(result.loops > 0);
        accelerated += usize::from(!result.accelerators.is_empty());
        loops += result.loops;
        fast += result.accelerated_loops();
        paths += result.accelerators.len();
        for (_, why) in &result.skipped {
            skipped[match why {
                Skipped::Infeasible => 0,
                Skipped::NoClosedForm => 1,
                Skipped::NotProved => 2,
            }] += 1;
        }
        if !filter.is_empty() {
            let place = |head: cfa::Loc| program.sources.place(program.main().locs[head].span);
            println!(
                "{}: {} of {} loops, {} paths, {:.2} s",
                task.name,
                result.accelerated_loops(),
                result.loops,
                result.accelerators.len(),
                started.elapsed().as_secs_f64()
            );
            for accelerator in &result.accelerators {
                let kind = if accelerator.undefined.is_some() { ", something undefined" } else { "" };
                println!("  {} {}: accelerated{kind}", accelerator.head, place(accelerator.head));
            }
            for (head, why) in &result.skipped {
                println!("  {head} {}: {why:?}", place(*head));
            }
        }
    }
    println!("{programs} programs, {with_loops} with loops, {accelerated} with accelerated loops");
    println!("{loops} loops, {fast} accelerated along {paths} paths");
    let [infeasible, formless, unproved] = skipped;
    println!("other paths: {infeasible} cannot be repeated, {formless} without closed form, {unproved} not proved");
}
