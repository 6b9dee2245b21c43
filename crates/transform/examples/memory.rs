//! What becomes of memory: inlines and flattens C programs, compares random runs of both forms, and counts regions.
//! `memory [-m32] [--memory] [--print] [--runs N] FILE...` for files, `memory --tasks FOLDER [FILTER] [--runs N]` for
//! all tasks of a benchmark folder.
#![allow(clippy::print_stdout)]

#[path = "../tests/memory/compare.rs"]
#[allow(dead_code)]
mod compare;

use cfa::{Program, Property, VarKind};
use cfront::types::DataModel;
use cfront::{Input, Options};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;
use term::{Scalar, Sort};

struct Task {
    files: Vec<PathBuf>,
    front: Options,
    lower: lower::Options,
}

fn tasks(folder: &Path) -> Vec<Task> {
    let Ok(index) = std::fs::read_to_string(folder.join("index.csv")) else { return Vec::new() };
    let mut lines = index.lines();
    let header: Vec<&str> = lines.next().unwrap_or("").split(',').collect();
    let mut tasks = Vec::new();
    for line in lines {
        let row: Vec<&str> = line.split(',').collect();
        let get = |name: &str| header.iter().position(|h| *h == name).and_then(|i| row.get(i)).copied().unwrap_or("");
        let model = if get("data_model") == "LP64" { DataModel::Lp64 } else { DataModel::Ilp32 };
        let mut front = Options::new(model);
        let properties = match get("property") {
            "unreach-call" | "" => vec![Property::UnreachCall],
            "no-overflow" => vec![Property::NoOverflow],
            "valid-memsafety" => vec![Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack],
            _ => vec![Property::ValidDeref],
        };
        let lower = lower::Options { properties, ..lower::Options::default() };
        let mut files = Vec::new();
        if get("input").is_empty() {
            files.push(folder.join(get("path")));
            files.extend(get("link_with").split_whitespace().map(|f| folder.join(f)));
            front.include_dirs = files[0].parent().map(Path::to_path_buf).into_iter().collect();
            front.defines = vec!["BASE_SZ=2".to_owned(), "E2BIG=7".to_owned()];
        } else {
            files.push(folder.join(get("input")));
        }
        tasks.push(Task { files, front, lower });
    }
    tasks
}

fn build(task: &Task) -> Result<Program, String> {
    let inputs: Vec<Input> = task.files.iter().cloned().map(Input::Path).collect();
    let unit = lower::library::load(&inputs, &task.front, &task.lower.entry).map_err(|f| f.render())?;
    let program = cfront::with_big_stack(|| lower::lower(&unit, &task.lower))
        .map_err(|errors| errors.iter().map(|d| d.render(&unit.sources)).collect::<Vec<_>>().join("\n"))?;
    let settings = transform::inline::Settings { deep_recursion: 8, ..Default::default() };
    Ok(transform::inline::inline(program, &settings).0)
}

/// How many variables of each kind memory became.
fn kinds(original: &Program, flat: &Program) -> BTreeMap<&'static str, usize> {
    let mut kinds = BTreeMap::new();
    for (v, info) in flat.vars.iter().skip(original.vars.len()).filter(|(_, i)| i.kind == VarKind::Memory) {
        let name = flat.name(v);
        let kind = match info.sort {
            _ if name.starts_with("$next") => "counters",
            _ if name.starts_with("$live") || name.starts_with("$size") => "tables",
            _ if name.starts_with('$') => "temporaries",
            Sort::Array(a) if a.elem == Scalar::Bv(8) => "byte arrays",
            Sort::Array(_) => "typed arrays",
            _ => "scalars",
        };
        *kinds.entry(kind).or_default() += 1;
    }
    kinds
}

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut flag = |name: &str| {
        let at = arguments.iter().position(|a| a == name);
        at.map(|i| arguments.remove(i)).is_some()
    };
    let (ilp32, memory, print, survey, runs) =
        (flag("-m32"), flag("--memory"), flag("--print"), flag("--tasks"), flag("--runs"));
    let runs: u64 = if runs { arguments.pop().and_then(|n| n.parse().ok()).unwrap_or(5) } else { 5 };
    let mut list = Vec::new();
    if survey {
        let root = PathBuf::from(&arguments[0]);
        let filter = arguments.get(1).cloned().unwrap_or_default();
        for set in ["svcomp-loops", "svcomp-mix", "tracer", "verisec"] {
            list.extend(
                tasks(&root.join(set)).into_iter().filter(|t| t.files[0].display().to_string().contains(&filter)),
            );
        }
    } else {
        let model = if ilp32 { DataModel::Ilp32 } else { DataModel::Lp64 };
        let mut options = lower::Options { main_arguments: lower::MainArguments::None, ..lower::Options::default() };
        if memory {
            options.properties = vec![Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack];
        }
        let files = arguments.iter().map(PathBuf::from).collect();
        list.push(Task { files, front: Options::new(model), lower: options });
    }
    let mut total: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut time, mut edges, mut count, mut wrong, mut compared) = (0.0, 0, 0, 0, 0);
    for task in &list {
        let name = task.files[0].display().to_string();
        let original = match build(task) {
            Ok(program) => program,
            Err(message) => {
                println!("FAIL {name}: {}", message.lines().next().unwrap_or(""));
                continue;
            }
        };
        let start = Instant::now();
        let flat = transform::memory::flatten_memory(&original, &transform::memory::Settings::default());
        let spent = start.elapsed().as_secs_f64();
        cfa::assert_sound(&flat, cfa::Form::Flat);
        if print {
            println!("{}\n=====\n{}", cfa::print(&original), cfa::print(&flat));
        }
        let here = kinds(&original, &flat);
        for (kind, n) in &here {
            *total.entry(kind).or_default() += n;
        }
        (time, edges, count) = (time + spent, edges + original.main().edges.len(), count + 1);
        if spent > 0.3 || !survey {
            let (before, after) = (original.main().edges.len(), flat.main().edges.len());
            println!("{name}: {before} edges, {after} after, {spent:.3} s, {here:?}");
        }
        let numbers = |v: &cfa::Var| original.vars[*v].source.as_ref().is_some_and(|s| !s.pointer);
        let vars: Vec<cfa::Var> = original.vars.ids().filter(numbers).collect();
        for seed in 0..runs {
            match compare::compare(&original, &flat, seed, &vars, 20_000) {
                Ok(true) => compared += 1,
                Ok(false) => {}
                Err(message) => {
                    wrong += 1;
                    println!("WRONG {name}, seed {seed}: {message}");
                    break;
                }
            }
        }
    }
    println!(
        "{count} programs, {edges} edges in {time:.2} s; {compared} runs compared, {wrong} programs differ; {total:?}"
    );
}
