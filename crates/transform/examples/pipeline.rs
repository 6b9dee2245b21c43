//! The pipeline over C programs: sizes and times of the stages, and random runs of the lowered program compared with runs of
//! the prepared one on the same inputs. `pipeline FOLDER [FILTER]` for all tasks of a benchmark folder.
#![allow(clippy::print_stdout)]

use cfa::{Origin, Program, Property};
use cfront::types::DataModel;
use cfront::{Input, Options};
use interpreter::{Ask, Ending, Inputs, Limits, Machine, Site};
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::Instant;
use term::{Bits, Sort, Value};
use transform::Aim;
use transform::inline::inline;
use transform::memory::flatten_memory;
use transform::pipeline::{Settings, prepare};
use transform::simplify::{self, simplify};
use transform::slice::{LoopPolicy, slice};

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
    cfront::with_big_stack(|| lower::lower(&unit, &task.lower))
        .map_err(|errors| errors.iter().map(|d| d.render(&unit.sources)).collect::<Vec<_>>().join("\n"))
}

/// Inputs that depend on nothing but the place, the chain of calls and how often it was asked.
struct Keyed {
    seed: u64,
    asked: HashMap<(Vec<Site>, Site), u64>,
}

impl Inputs for Keyed {
    fn value(&mut self, ask: &Ask<'_>) -> Value {
        let (Origin::Input(_) | Origin::Extern(_), Sort::Bv(width)) = (ask.origin, ask.sort) else {
            return Value::zero(ask.sort);
        };
        let key = (ask.call_path(), ask.site());
        let mut hasher = std::collections::hash_map::DefaultHasher::new();
        key.hash(&mut hasher);
        let count = self.asked.entry(key).or_default();
        *count += 1;
        (*count, self.seed).hash(&mut hasher);
        let n = hasher.finish();
        let n = if n >> 63 == 0 { n & 7 } else { n };
        Value::Bv(Bits::new(n.into(), width))
    }
}

fn run(program: &Program, seed: u64, steps: u64) -> interpreter::Outcome {
    let machine = Machine::new(program).expect("it can be run");
    machine.run(&mut Keyed { seed, asked: HashMap::new() }, &Limits::steps(steps))
}

/// `Err`: the two differ. `Ok(false)`: nothing to compare.
fn compare(lowered: &Program, prepared: &Program, seed: u64) -> Result<bool, String> {
    let expected = run(lowered, seed, 200_000);
    if !expected.undefined.is_empty() || matches!(expected.ending, Ending::Limit(_)) {
        return Ok(false);
    }
    let actual = run(prepared, seed, 2_000_000);
    let target = |e: &Ending| matches!(e, Ending::Error(_) | Ending::Unsupported(_) | Ending::BoundHit(_));
    match (&expected.ending, &actual.ending) {
        // The model has bounds that the lowered program does not have.
        (_, Ending::BoundHit(_)) => Ok(false),
        (a, b) if target(a) || target(b) => {
            if a == b {
                Ok(true)
            } else {
                Err(format!("{a:?} became {b:?}"))
            }
        }
        (a, Ending::Limit(l)) => Err(format!("{a:?} became an endless run ({l:?})")),
        _ => Ok(true),
    }
}

/// Edges and seconds of each stage.
fn stages(lowered: &Program) -> Vec<(&'static str, usize, f64)> {
    let mut list = Vec::new();
    let mut start = Instant::now();
    let mut note = |name, p: &Program| {
        let edges = p.functions.values().map(|f| f.edges.len()).sum();
        list.push((name, edges, start.elapsed().as_secs_f64()));
        start = Instant::now();
    };
    note("lowered", lowered);
    let settings = simplify::Settings::new(Aim::Targets);
    let (light, _) = simplify(lowered.clone(), &settings);
    note("light", &light);
    let (inlined, _) = inline(light, &Default::default());
    note("inlined", &inlined);
    let flat = flatten_memory(&inlined, &Default::default());
    note("memory", &flat);
    let (simple, _) = simplify(flat, &settings);
    note("simplified", &simple);
    let (sliced, _) = slice(simple, LoopPolicy::DropBounded);
    note("sliced", &sliced);
    let (last, _) = simplify(sliced, &settings);
    note("last", &last);
    list
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let root = PathBuf::from(arguments.first().map_or(".", |a| a));
    let filter = arguments.get(1).cloned().unwrap_or_default();
    let part: usize = arguments.get(2).and_then(|n| n.parse().ok()).unwrap_or(1);
    let (mut count, mut compared, mut wrong, mut failed) = (0, 0, 0, 0);
    let mut total: Vec<(&str, usize, f64)> = Vec::new();
    let mut list: Vec<Task> = Vec::new();
    for set in ["svcomp-loops", "svcomp-mix", "tracer", "verisec"] {
        list.extend(tasks(&root.join(set)));
    }
    list.retain(|t| t.files[0].display().to_string().contains(&filter));
    for task in list.iter().step_by(part) {
        let name = task.files[0].strip_prefix(&root).unwrap_or(&task.files[0]).display().to_string();
        let lowered = match build(task) {
            Ok(program) => program,
            Err(message) => {
                failed += 1;
                println!("FAIL {name}: {}", message.lines().next().unwrap_or(""));
                continue;
            }
        };
        count += 1;
        let Ok(times) = std::panic::catch_unwind(|| stages(&lowered)) else {
            failed += 1;
            println!("PANIC {name}");
            continue;
        };
        if times.iter().any(|t| t.2 > 0.3) || list.len() < 10 {
            let text: Vec<String> = times.iter().map(|(n, e, t)| format!("{n} {e} {:.0} ms", t * 1e3)).collect();
            println!("{name}: {}", text.join(", "));
        }
        total.resize(times.len(), ("", 0, 0.0));
        for (sum, (n, e, t)) in total.iter_mut().zip(&times) {
            *sum = (n, sum.1 + e, sum.2 + t);
        }
        let prepared = prepare(&lowered, &Settings::new(Aim::Targets));
        if prepared.flat.vars.ids().any(|v| prepared.flat.name(v).starts_with("$bits")) {
            continue;
        }
        for seed in 1..=4 {
            match compare(&lowered, &prepared.program, seed) {
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
    println!("{count} programs, {failed} failed, {compared} runs compared, {wrong} wrong");
    for (name, edges, time) in total {
        println!("  {name:10} {edges:9} edges {time:8.2} s");
    }
}
