//! `foldback survey SET...`: every program of a task set through the pipeline. Shows what fails, what is unsupported by
//! construct, how long it takes, and whether random executions contradict the expected answers.

use crate::flags::SurveyFlags;
use crate::output::{self, BadInput, Exit};
use crate::settings::Subject;
use cfa::LocKind;
use cfa::interp::{Ending, Limits, Machine, Random};
use cfront::types::DataModel;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use transform::pipeline;
use verifier::load;
use verifier::property;

/// One program of a set, as its index describes it.
struct Task {
    name: String,
    settings: Subject,
    expected: Option<bool>,
}

/// What became of it.
struct Surveyed {
    /// The message where a stage failed.
    failure: Option<String>,
    /// Unsupported constructs in the lowered program, each once.
    unsupported: Vec<String>,
    /// How many random executions reached an error, an unsupported location.
    errors: u64,
    unknowns: u64,
    time: Duration,
    size: String,
}

pub(crate) fn survey(flags: &SurveyFlags) -> Result<Exit, BadInput> {
    let mut tasks = Vec::new();
    for set in &flags.sets {
        tasks.extend(read_index(set)?.into_iter().filter(|task| task.name.contains(&flags.filter)));
    }
    let start = Instant::now();
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, Surveyed)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..flags.jobs.max(1) {
            let worker = || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(task) = tasks.get(index) else { return };
                    let surveyed = guarded(task, flags);
                    results.lock().expect("no worker panics").push((index, surveyed));
                }
            };
            std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, worker).expect("a thread");
        }
    });
    let mut results = results.into_inner().expect("no worker panics");
    results.sort_by_key(|(index, _)| *index);
    Ok(report(&tasks, &results, start.elapsed()))
}

fn report(tasks: &[Task], results: &[(usize, Surveyed)], time: Duration) -> Exit {
    let mut constructs: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut failed, mut wrong, mut hit, mut unsafe_tasks) = (0, 0, 0, 0);
    for (index, result) in results {
        let task = &tasks[*index];
        result.unsupported.iter().for_each(|what| *constructs.entry(what).or_default() += 1);
        if let Some(message) = &result.failure {
            failed += 1;
            output::line(format!("FAILED {}: {}", task.name, message.lines().next().unwrap_or("")));
        }
        if task.expected == Some(true) && result.errors > 0 {
            wrong += 1;
            output::line(format!("WRONG {}: an execution of a safe program reaches the error", task.name));
        }
        if task.expected == Some(false) {
            unsafe_tasks += 1;
            hit += usize::from(result.errors > 0);
        }
        if result.time > Duration::from_secs(1) {
            output::line(format!("SLOW {} {:.1} s {}", task.name, result.time.as_secs_f64(), result.size));
        }
    }
    output::line(format!("{:>6}  unsupported construct (tasks that contain it)", "tasks"));
    let mut constructs: Vec<_> = constructs.into_iter().collect();
    constructs.sort_by_key(|(what, count)| (std::cmp::Reverse(*count), *what));
    for (what, count) in constructs {
        output::line(format!("{count:>6}  {what}"));
    }
    output::line(format!(
        "{} tasks, {failed} failed, {wrong} safe ones reach the error, {hit} of {unsafe_tasks} unsafe ones do, {:.1} s",
        results.len(),
        time.as_secs_f64()
    ));
    if failed + wrong == 0 { Exit::Fine } else { Exit::Violated }
}

/// A panic is a failure of that task alone.
fn guarded(task: &Task, flags: &SurveyFlags) -> Surveyed {
    let start = Instant::now();
    let outcome = std::panic::catch_unwind(|| look_at(task, flags));
    let mut surveyed = outcome.unwrap_or_else(|_| failed("panicked".to_owned()));
    surveyed.time = start.elapsed();
    surveyed
}

fn failed(message: String) -> Surveyed {
    let failure = Some(message);
    Surveyed { failure, unsupported: Vec::new(), errors: 0, unknowns: 0, time: Duration::ZERO, size: String::new() }
}

/// The kind of construct, without what differs from place to place.
fn construct(what: &str) -> String {
    let first_line = what.lines().next().unwrap_or_default();
    first_line.split('"').next().unwrap_or_default().trim().to_owned()
}

fn look_at(task: &Task, flags: &SurveyFlags) -> Surveyed {
    let program = match load::lowered(&task.settings) {
        Ok(program) => program,
        Err(BadInput(message)) => return failed(message),
    };
    let mut unsupported = Vec::new();
    for function in program.functions.values() {
        for location in function.locs.values() {
            if let LocKind::Unsupported(what) = &location.kind {
                unsupported.push(construct(what));
            }
        }
    }
    unsupported.sort();
    unsupported.dedup();
    let mut surveyed = failed(String::new());
    surveyed.failure = None;
    surveyed.unsupported = unsupported;
    let edges: usize = program.functions.values().map(|f| f.edges.len()).sum();
    surveyed.size = format!("{edges} edges");
    if flags.runs > 0 {
        let machine = match Machine::new(&program) {
            Ok(machine) => machine,
            Err(why) => return failed(why.to_string()),
        };
        for seed in 0..flags.runs {
            let limits = Limits { record: false, ..Limits::steps(RUN_STEPS) };
            let outcome = machine.run(&mut Random::new(seed), &limits);
            match outcome.ending {
                Ending::Error(_) if outcome.undefined.is_empty() => surveyed.errors += 1,
                Ending::Unsupported(_) => surveyed.unknowns += 1,
                _ => {}
            }
        }
    }
    if !flags.lower_only {
        let prepared = pipeline::prepare(&program, &load::passes(&task.settings.lowering.properties));
        surveyed.size += &format!(", {} after", prepared.program.main().edges.len());
    }
    surveyed
}

/// A random execution of a survey goes no further.
const RUN_STEPS: u64 = 200_000;

/// The tasks of `set/index.csv`; its columns decide what kind of set it is.
fn read_index(set: &Path) -> Result<Vec<Task>, String> {
    let path = set.join("index.csv");
    let text = std::fs::read_to_string(&path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
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
                .ok_or_else(|| format!("{}: unknown property '{}'", path.display(), column("property")))?
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
        let property_text = String::new();
        let settings = Subject { files, data_model, defines, includes, lowering, property_text, groups: Vec::new() };
        tasks.push(Task { name: name.to_owned(), settings, expected });
    }
    Ok(tasks)
}

/// The lines of `lib/stubs.c` that follow a comment with the word RELEVANT.
fn relevant_lines(set: &Path) -> Vec<(String, u32)> {
    let text = std::fs::read_to_string(set.join("lib/stubs.c")).unwrap_or_default();
    let marked = text.lines().zip(2u32..).filter(|(line, _)| line.contains("RELEVANT"));
    marked.map(|(_, next)| ("lib/stubs.c".to_owned(), next)).collect()
}
