//! What must hold of the repository itself.

use crate::common::root;
use std::fs;
use std::path::{Path, PathBuf};

/// Crates with many files of tests link them once (`tests/main.rs`): a file that is not named there would never run.
#[test]
fn every_file_of_tests_is_linked() {
    let mut linked = 0;
    for folder in fs::read_dir(root().join("crates")).expect("the crates") {
        let tests = folder.expect("a crate").path().join("tests");
        let Ok(main) = fs::read_to_string(tests.join("main.rs")) else { continue };
        for file in fs::read_dir(&tests).expect("the tests") {
            let path = file.expect("a file of tests").path();
            let name = path.file_stem().and_then(|name| name.to_str()).expect("a name in UTF-8");
            if path.extension().is_some_and(|end| end == "rs") && name != "main" {
                assert!(
                    main.lines().any(|line| line == format!("mod {name};")),
                    "{} is not in main.rs",
                    path.display()
                );
                linked += 1;
            }
        }
    }
    assert!(linked > 80, "only {linked} files of tests were found");
}

/// A library that is not linked for tests (`test = false` under `[lib]`) would hold tests that never run.
#[test]
fn no_test_is_in_a_library_without_tests() {
    let mut without = 0;
    for folder in fs::read_dir(root().join("crates")).expect("the crates") {
        let folder = folder.expect("a crate").path();
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
        if manifest.split_once("[lib]\n").is_none_or(|(_, lib)| !lib.starts_with("test = false")) {
            continue;
        }
        without += 1;
        for path in sources(&folder.join("src")) {
            let text = fs::read_to_string(&path).expect("a source in UTF-8");
            assert!(!text.contains("#[test]"), "{}: its tests never run", path.display());
        }
    }
    assert!(without > 15, "only {without} libraries without tests were found");
}

/// All files in a folder and those in it.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of sources").map(|entry| entry.expect("a source").path());
    entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

/// Crates that search, check or share out time: how much they do of anything is said in their `limits.rs` (CONTRIBUTING.md).
const STEERED: [&str; 15] = [
    "accelerate",
    "certificate",
    "confirm",
    "danger",
    "domain",
    "encode",
    "engines",
    "infer",
    "poly",
    "portfolio",
    "smt",
    "tracer",
    "transform",
    "validate",
    "verifier",
];

/// The name of the constant that the line declares, if it is one that steers: a time, or a number that is called a limit.
fn steering(line: &str) -> Option<&str> {
    let words = ["MAX", "MOST", "LIMIT", "BUDGET", "STEPS", "ROUNDS", "RUNS", "TIME", "PATIENCE", "EVERY"];
    let line = line.trim_start();
    let line = ["pub(crate) ", "pub(super) ", "pub "].iter().find_map(|shown| line.strip_prefix(shown)).unwrap_or(line);
    let (name, rest) = line.strip_prefix("const ")?.split_once(": ")?;
    let (sort, _) = rest.split_once(" =")?;
    let is_number = ["usize", "u8", "u16", "u32", "u64", "u128", "i32", "i64", "i128", "f64"].contains(&sort);
    let is_limit = name.split('_').any(|word| words.contains(&word));
    (sort.ends_with("Duration") || is_number && is_limit).then_some(name)
}

#[test]
fn what_steers_stands_in_limits() {
    assert_eq!(steering("    pub(crate) const MAX_CASES: usize = 48;"), Some("MAX_CASES"));
    assert_eq!(steering("const GRACE: Duration = Duration::from_millis(120);"), Some("GRACE"));
    assert_eq!(steering("const WIDEST: u32 = 64;"), None);
    let mut gathered = 0;
    for name in STEERED {
        let source = root().join("crates").join(name).join("src");
        for path in sources(&source) {
            let text = fs::read_to_string(&path).expect("a source in UTF-8");
            let (code, _) = text.split_once("#[cfg(test)]\nmod").unwrap_or((&text, ""));
            let found: Vec<&str> = code.lines().filter_map(steering).collect();
            if path == source.join("limits.rs") {
                gathered += found.len();
            } else {
                assert!(found.is_empty(), "{}: {found:?} belong into limits.rs of the crate", path.display());
            }
        }
    }
    assert!(gathered > 100, "only {gathered} limits were found");
}
