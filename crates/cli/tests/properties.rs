//! The programs under tests/properties violate what their first lines say, at the line they say, or nothing.

#[allow(dead_code, reason = "each test uses a part of it")]
mod common;

use common::{foldback, root, stderr};
use std::path::Path;

/// The text behind `// key: ` on the line with that number.
fn header<'t>(text: &'t str, line: usize, key: &str) -> &'t str {
    let prefix = format!("// {key}: ");
    text.lines()
        .nth(line)
        .and_then(|line| line.strip_prefix(&prefix))
        .unwrap_or_else(|| panic!("no line '{prefix}...'"))
}

/// What is wrong with the run, if anything. Leaks are looked for in one heap block chosen at random: hence the seeds.
fn problem(program: &Path, model: &str) -> Option<String> {
    let text = std::fs::read_to_string(program).expect("a program");
    let (property, expected) = (header(&text, 0, "property"), header(&text, 1, "expect"));
    let path = program.to_str().expect("a plain path");
    let mut last = String::new();
    for seed in 0..8 {
        let seed = seed.to_string();
        let output = foldback(["run", "--property", property, "--data-model", model, "--seed", &seed, path]);
        last = stderr(&output);
        let is_seen = last.contains(": error: ");
        let is_right = match expected {
            // Exit codes tell how a run ended: an assumption that does not hold is no violation.
            "ok" => !is_seen,
            "unknown" if output.status.code() == Some(0) => continue,
            "unknown" => output.status.code() == Some(125),
            _ if !is_seen => continue,
            _ => output.status.code() == Some(134),
        };
        if !is_right {
            return Some(format!("{path} ({model}): expected {expected}, got {:?}: {last}", output.status.code()));
        }
        if expected == "unknown" {
            return None;
        }
        if expected != "ok" {
            let words: Vec<&str> = expected.split(' ').collect();
            let [_, part, _, line] = words[..] else {
                return Some(format!("{path}: strange expectation '{expected}'"));
            };
            let first = last.lines().find(|line| line.contains(": error: ")).unwrap_or_default();
            let right = first.contains(&format!(".c:{line}:")) && first.contains(&format!(": error: {part}: "));
            return (!right).then(|| format!("{path} ({model}): expected {expected}, got {first}"));
        }
    }
    (expected != "ok").then(|| format!("{path} ({model}): expected {expected}, got {last}"))
}

#[test]
fn single_executions() {
    let read = std::fs::read_dir(root().join("tests/properties")).expect("the programs");
    let mut programs: Vec<_> = read.map(|entry| entry.expect("a directory entry").path()).collect();
    programs.retain(|path| path.extension().is_some_and(|e| e == "c"));
    programs.sort();
    assert!(programs.len() > 30, "the programs are missing");
    let problems: Vec<String> =
        programs.iter().flat_map(|program| ["lp64", "ilp32"].map(|model| problem(program, model))).flatten().collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
