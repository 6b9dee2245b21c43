//! Every engine on the same small programs, through the door. A wrong answer, a crash or a failed check fails; what is
//! decided is compared with `tests/verify/answers.txt`, where a lost answer is told and a new one too.

#![allow(clippy::print_stdout, reason = "lost and new answers are told")]

use portfolio::{PORTFOLIO, Plan, Strategy};
use report::{Kind, Verdict};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;
use verifier::{Cancellation, Limits, Replay, Request, Subject, Unobserved, property, verify};

/// CPU time for each question: the programs are small.
const EACH: Duration = Duration::from_secs(1);
/// The same where the engine had no answer before: most of these would take all of it, and have none.
const BRIEFLY: Duration = Duration::from_millis(50);

struct Case {
    file: PathBuf,
    property: String,
    expected: bool,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/verify")
}

fn cases() -> Vec<Case> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder())
        .expect("tests/verify")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    let head = |text: &str, key: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix("// ")?.strip_prefix(key)?.strip_prefix(": "));
        line.unwrap_or_else(|| panic!("no {key} in {text}")).to_owned()
    };
    files
        .into_iter()
        .map(|file| {
            let text = std::fs::read_to_string(&file).expect("a program");
            Case { property: head(&text, "property"), expected: head(&text, "expected") == "true", file }
        })
        .collect()
}

fn ask(case: &Case, engine: &str, time: Duration) -> Verdict {
    let asked = property::read(std::slice::from_ref(&case.property)).expect("a property");
    let request = Request {
        subject: Subject::new(vec![case.file.clone()], asked),
        plan: Plan::new(Strategy::named(engine).expect("an engine")),
        quick: engine == PORTFOLIO,
        replay: Replay::Interpreter,
        limits: Limits { cpu_time: Some(time), ..Limits::default() },
        ..Request::new(Vec::new())
    };
    verify(&request, &Unobserved, &Cancellation::new()).expect("a program").verdict
}

#[test]
fn no_engine_answers_wrongly() {
    let cases = cases();
    assert!(cases.len() >= 15, "only {} programs", cases.len());
    let engines: Vec<&str> = engines::ENGINES.iter().map(|engine| engine.name).chain([PORTFOLIO]).collect();
    let kept = folder().join("answers.txt");
    let before = std::fs::read_to_string(&kept).expect("answers.txt");
    let blesses = std::env::var_os("FOLDBACK_BLESS").is_some();
    let mut faults = Vec::new();
    let mut table = String::new();
    for engine in engines {
        let line = before.lines().find_map(|line| line.strip_prefix(engine)?.strip_prefix(": "));
        let known: Vec<&str> = line.unwrap_or_default().split(' ').collect();
        let mut decided = BTreeMap::new();
        for case in &cases {
            let name = case.file.file_stem().expect("a name").to_string_lossy().into_owned();
            let time = if blesses || known.contains(&name.as_str()) { EACH } else { BRIEFLY };
            let said = match ask(case, engine, time) {
                Verdict::True { .. } => Some(true),
                Verdict::False { .. } => Some(false),
                Verdict::Unknown { kind: Kind::CheckFailed | Kind::Crashed, reason, .. } => {
                    faults.push(format!("{engine} on {name}: {reason}"));
                    None
                }
                Verdict::Unknown { .. } => None,
            };
            if said.is_some_and(|said| said != case.expected) {
                faults.push(format!("{engine} on {name}: {said:?}, which is wrong"));
            }
            if said.is_some() {
                decided.insert(name, ());
            }
        }
        let names: Vec<String> = decided.into_keys().collect();
        let _ = writeln!(table, "{engine}: {}", names.join(" "));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    if blesses {
        std::fs::write(&kept, &table).expect("answers.txt is written");
        return;
    }
    // What an engine decides in a second depends on the machine: told, and no failure.
    for (now, before) in table.lines().zip(before.lines()).filter(|(now, before)| now != before) {
        println!("now    {now}\nbefore {before}");
    }
    assert_eq!(table.lines().count(), before.lines().count(), "engines came or went: bless answers.txt");
    let answers = |table: &str| table.split_whitespace().count();
    assert!(2 * answers(&table) > answers(&before), "most answers are lost:\n{table}");
}
