//! Harnesses of our own for public libraries (`examples/projects/libraries`), where somebody has laid them out.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use crate::common::{foldback, root, stderr, stdout};

#[test]
fn any_text_for_a_parser() {
    if std::env::var_os("FOLDBACK_PROJECTS").is_none() {
        eprintln!("skipped: FOLDBACK_PROJECTS names no folder with projects");
        return;
    }
    let file = root().join("examples/projects/libraries/foldback.toml");
    let output = foldback(["check", "jsmn", "--no-store", "--jobs", "1", "--file", file.to_str().expect("UTF-8")]);
    let said = stdout(&output) + &stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    for name in ["jsmn/memory", "jsmn/overflow"] {
        let line = said.lines().find(|line| line.starts_with(name)).unwrap_or_default();
        assert!(line.contains("ok") && line.contains("true"), "{said}");
    }
}
