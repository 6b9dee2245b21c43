//! Bugs behind N iterations, for N up to a thousand million: engine `accel` finds them, and they are run for real.
//!
//! How long it takes is measured in docs/engines/accel.md and not asserted here.

use crate::common::{Scratch, foldback, root, stderr, stdout};
use std::path::{Path, PathBuf};

const DEPTHS: [u64; 2] = [10, 1_000_000_000];
/// Two arrays of a gigabyte: not everyone has the memory that a sanitizer then needs.
const DEPTHS_OF_COPIES: [u64; 2] = [10, 1_000_000];

fn programs() -> Vec<PathBuf> {
    let folder = std::fs::read_dir(root().join("tests/deep")).expect("the programs");
    let mut files: Vec<PathBuf> = folder.map(|entry| entry.expect("readable").path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "c"));
    files.sort();
    files
}

fn is_copy(path: &Path) -> bool {
    path.file_stem().is_some_and(|stem| stem == "copy")
}

/// What is said about a program with its bug at depth `n`.
fn verify(path: &PathBuf, n: u64, more: &[&str]) -> String {
    let property = if is_copy(path) { "valid-deref" } else { "unreach-call" };
    let define = format!("-DN={n}");
    let mut arguments = vec!["verify", "--engine", "accel", "--time-limit", "120s", "--property", property, &define];
    arguments.extend(more);
    let output = foldback(arguments.into_iter().map(std::ffi::OsString::from).chain([path.into()]));
    format!("{}{}", stdout(&output), stderr(&output))
}

#[test]
fn bugs_are_found_at_every_depth() {
    let programs = programs();
    assert_eq!(programs.len(), 12);
    for path in &programs {
        for n in if is_copy(path) { DEPTHS_OF_COPIES } else { DEPTHS } {
            let said = verify(path, n, &[]);
            assert!(said.contains("RESULT: false"), "{} at depth {n}:\n{said}", path.display());
        }
    }
}

#[test]
fn what_nobody_has_run_is_not_reported() {
    // A compiler that fails: the interpreter alone cannot walk so far.
    let path = root().join("tests/deep/counter.c");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_foldback"))
        .args(["verify", "--engine", "accel", "--time-limit", "60s", "-DN=1000000000"])
        .arg(&path)
        .env("CC", "false")
        .output()
        .expect("the binary runs");
    assert!(stdout(&output).contains("RESULT: unknown"), "{}", stdout(&output));
}

#[test]
fn inputs_of_long_runs_are_written_once() {
    let scratch = Scratch::new("deep-inputs");
    let file = scratch.file(
        "program.c",
        "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n\
         int main(void) { unsigned c = 0; for (unsigned i = 0; i < 1000000; i++) if (__VERIFIER_nondet_int() > 0) c++;\n\
         if (c == 1000000) reach_error(); return 0; }\n",
    );
    let kept = scratch.path("kept.json");
    let [file, kept] = [&file, &kept].map(|path| path.to_str().expect("UTF-8"));
    let output = foldback(["verify", "--engine", "accel", "--time-limit", "120s", "--json", kept, file]);
    assert!(stdout(&output).contains("(1000000 times)"), "{}", stdout(&output));
    let result: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(kept).expect("a result")).expect("JSON");
    let inputs = result["result"]["counterexample"]["inputs"].as_array().expect("inputs");
    assert_eq!(inputs.iter().map(|input| input["times"].as_u64().unwrap_or(1)).sum::<u64>(), 1_000_000);
    assert!(inputs.len() < 10, "{}", inputs.len());
    let output = foldback(["replay", kept, file]);
    assert_eq!(stdout(&output).lines().last(), Some("RESULT: reproduced(unreach-call)"), "{}", stderr(&output));
}

/// What engine `danger` says of a program whose run is too long to be seen.
fn proved(name: &str, body: &str) -> String {
    proved_in(name, body, "60s")
}

fn proved_in(name: &str, body: &str, time: &str) -> String {
    let scratch = Scratch::new(name);
    let head = "extern void reach_error(void); extern void *malloc(unsigned long); extern void free(void *);\n\
                extern int __VERIFIER_nondet_int(void); extern int printf(const char *, ...);\n";
    let file = scratch.file("program.c", format!("{head}{body}"));
    let file = file.to_str().expect("UTF-8");
    let output = foldback(["verify", "--engine", "danger", "--data-model", "lp64", "--time-limit", time, file]);
    format!("{}{}", stdout(&output), stderr(&output))
}

#[test]
fn errors_behind_a_thousand_million_accesses_are_proved() {
    for (name, body) in [
        (
            "deep-remainder",
            "int a[8]; int main(void) { for (int i = 0; i < 1000000000; i++) a[i % 8]++; if (a[3] == 125000000) reach_error(); }",
        ),
        (
            "deep-cell",
            "struct part { int n, m; } a[10]; int main(void) { int k = __VERIFIER_nondet_int(); if (k < 0 || k >= 10) return 0;\n\
             for (int i = 0; i < 1000000000; i++) a[k].n++; if (a[3].n == 1000000000) reach_error(); }",
        ),
        (
            "deep-printed",
            "int a[2]; int main(void) { int k = __VERIFIER_nondet_int(); if (k < 0 || k >= 2) return 0;\n\
             for (int i = 0; i < 1000000000; i++) a[k]++; printf(\"%s\\n\", \"done\"); if (a[1] == 1000000000) reach_error(); }",
        ),
    ] {
        let said = proved(name, body);
        assert!(said.contains("RESULT: false(unreach-call)"), "{name}: {said}");
    }
}

/// Programs whose numbers depend on others that take few values, with what they have counted at the end.
const IN_TURNS: [(&str, &str, u64); 5] = [
    (
        "deep-toggled",
        "_Bool on = 0; unsigned c = 0; for (unsigned i = 0; i < 1000000000; i++) { on = !on; if (on) c++; }",
        500_000_000,
    ),
    (
        "deep-turns",
        "struct { unsigned x, y; } s = {0, 0}; for (unsigned i = 0; i < 1000000000; i++) { if (i & 1) s.x++; else s.y++; }\n\
         unsigned c = s.y;",
        500_000_000,
    ),
    (
        "deep-found",
        "struct { int id; unsigned hits; } t[4] = {{1, 0}, {2, 0}, {3, 0}, {4, 0}};\n\
         for (unsigned i = 0; i < 1000000000; i++) for (int k = 0; k < 4; k++) if (t[k].id == 3) t[k].hits++; unsigned c = t[2].hits;",
        1_000_000_000,
    ),
    (
        "deep-walked",
        "struct n { struct n *next; } x = {0}, y = {&x}, z = {&y}; unsigned c = 0;\n\
         for (unsigned i = 0; i < 1000000000; i++) for (struct n *p = &z; p; p = p->next) c++;",
        3_000_000_000,
    ),
    (
        "deep-exchanged",
        "struct n { unsigned c; struct n *next; } x = {0, 0}, y = {0, &x}; x.next = &y; struct n *p = &x;\n\
         for (unsigned i = 0; i < 1000000000; i++) { p->c++; p = p->next; } unsigned c = y.c;",
        500_000_000,
    ),
];

#[test]
fn numbers_that_take_few_values_are_looked_at_value_by_value() {
    for (number, (name, body, count)) in IN_TURNS.into_iter().enumerate() {
        let missed = if number % 2 == 0 { count + 1 } else { count - 1 };
        for (reached, is_right) in [(count, true), (missed, false)] {
            let body = format!("int main(void) {{ {body}\nif (c == {reached}u) reach_error(); return 0; }}");
            let said = if is_right { proved(name, &body) } else { proved_in(name, &body, "3s") };
            assert_eq!(said.contains("RESULT: false(unreach-call)"), is_right, "{name} with {reached}: {said}");
        }
    }
}

#[test]
fn errors_after_something_undefined_are_not_proved() {
    for (name, body) in [
        // Nothing rests on what is written, so that simplification takes it away: half of the writes are outside.
        (
            "outside-later",
            "int a[8]; int main(void) { int n = 0; for (int i = 0; i < 1000000000; i++) { a[i / 500000000 * 8] = 1; n++; }\n\
             if (n == 1000000000) reach_error(); }",
        ),
        (
            "freed-later",
            "int main(void) { int n = 0; int *p = malloc(4); if (!p) return 0;\n\
             for (int i = 0; i < 1000000000; i++) { if (i == 500000000) free(p); *p = i; n++; }\n\
             if (n == 1000000000) reach_error(); }",
        ),
        (
            "freed-twice",
            "int main(void) { int n = 0; int *p = malloc(4); if (!p) return 0;\n\
             for (int i = 0; i < 1000000000; i++) { if (i == 400000000 || i == 500000000) free(p); n++; }\n\
             if (n == 1000000000) reach_error(); }",
        ),
    ] {
        let said = proved_in(name, body, "4s");
        assert!(said.contains("RESULT: unknown"), "{name}: {said}");
    }
}
