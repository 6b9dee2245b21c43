//! Programs that make any number of objects (`tests/objects`), with their seeded bugs (`-D BUG`) in the one data model and the other by turns: no bug
//! is proved absent. That proofs are found is asked of the simplest only, with time to spare on any machine.

use portfolio::{Plan, Strategy};
use report::Verdict;
use std::path::{Path, PathBuf};
use std::time::Duration;
use verifier::{Cancellation, Limits, Replay, Request, Subject, Unobserved, property, verify};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/objects")
}

/// What is said of a program by an engine, within so many seconds of CPU.
fn ask(file: PathBuf, is_seeded: bool, model: cfront::types::DataModel, engine: &str, seconds: u64) -> Option<bool> {
    let text = std::fs::read_to_string(&file).expect("a program");
    let names = text.lines().next().and_then(|line| line.strip_prefix("// property: ")).expect("a property");
    let names: Vec<String> = names.split(' ').map(str::to_owned).collect();
    let asked = property::read(&names).expect("properties");
    let defines = if is_seeded { vec!["BUG".to_owned()] } else { Vec::new() };
    let request = Request {
        subject: Subject { defines, data_model: model, ..Subject::new(vec![file], asked) },
        plan: Plan::new(Strategy::named(engine).expect("an engine")),
        replay: Replay::Interpreter,
        limits: Limits { cpu_time: Some(Duration::from_secs(seconds)), ..Limits::default() },
        ..Request::new(Vec::new())
    };
    match verify(&request, &Unobserved, &Cancellation::new()).expect("a program").verdict {
        Verdict::True { .. } => Some(true),
        Verdict::False { .. } => Some(false),
        Verdict::Unknown { .. } => None,
    }
}

fn programs() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder()).expect("tests/objects").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|e| e == "c")).collect();
    files.sort();
    assert!(files.len() >= 10, "only {} programs", files.len());
    files
}

#[test]
fn no_seeded_bug_is_proved_absent() {
    let models = [cfront::types::DataModel::Ilp32, cfront::types::DataModel::Lp64];
    for (file, model) in programs().into_iter().zip(models.into_iter().cycle()) {
        let said = ask(file.clone(), true, model, "houdini", 1);
        assert_ne!(said, Some(true), "{} {model:?}", file.display());
    }
}

#[test]
fn indices_are_within_a_table_of_which_only_the_bytes_are_known() {
    let said = ask(folder().join("table_search.c"), false, cfront::types::DataModel::Lp64, "guess", 600);
    assert_eq!(said, Some(true));
}

#[test]
fn a_list_of_any_length_and_a_buffer_of_any_size_are_proved() {
    for name in ["list_values.c", "buffer.c"] {
        let said = ask(folder().join(name), false, cfront::types::DataModel::Lp64, "houdini", 600);
        assert_eq!(said, Some(true), "{name}");
    }
}
