//! Programs of one shape and growing length: what a verdict costs as the program grows. The figures are in
//! `docs/checking.md`; from one length to the next, ten times as long, at most about ten times as much is wanted.

use divan::Bencher;
use std::fmt::Write;
use std::process::{Command, Stdio};

fn main() {
    divan::main();
}

/// `if (input()) s++;`, n times.
fn ifs(n: u32) -> String {
    let body = "  if (__VERIFIER_nondet_int()) s++;\n".repeat(n as usize);
    format!("int main(void) {{\n  int s = 0;\n{body}  assert(s <= {n});\n}}\n")
}

/// Functions with a loop each, and a check after each call.
fn functions(n: u32) -> String {
    let (mut all, mut calls) = (String::new(), String::new());
    for k in 0..n {
        writeln!(all, "static int f{k}(int n) {{\n  int i = 0;\n  while (i < n) i++;\n  return i;\n}}").expect("text");
        writeln!(calls, "  int r{k} = f{k}(n);\n  assert(r{k} >= 0 && r{k} <= 1000);").expect("text");
    }
    let input = "  int n = __VERIFIER_nondet_int();\n  if (n < 0 || n > 1000) return 0;\n";
    format!("{all}int main(void) {{\n{input}{calls}}}\n")
}

/// Loops in a row.
fn loops(n: u32) -> String {
    let body = "  for (int i = 0; i < 10; i++) s = __VERIFIER_nondet_int() % 5;\n".repeat(n as usize);
    format!("int main(void) {{\n  int s = 0;\n{body}  assert(s < 5);\n}}\n")
}

/// A straight line of assignments.
fn line(n: u32) -> String {
    let mut body = String::new();
    (0..n).for_each(|k| writeln!(body, "  s = s ^ (x + {k});").expect("text"));
    format!("int main(void) {{\n  int x = __VERIFIER_nondet_int(), s = 0;\n{body}  assert(s == s);\n}}\n")
}

/// A loop of so many iterations before the assertion that fails.
fn deep(n: u32) -> String {
    let head = "int main(void) {\n  unsigned i = 0, s = 0;\n";
    let body = format!("  while (i < {n}u) {{\n    if (__VERIFIER_nondet_int()) s++;\n    i++;\n  }}\n");
    format!("{head}{body}  assert(s < {n}u);\n}}\n")
}

fn verdict(bencher: Bencher<'_, '_>, program: &str, expected: i32) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("program.c");
    let text = format!("#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n{program}");
    std::fs::write(&file, text).expect("a file");
    bencher.bench_local(|| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_foldback"));
        command.args(["verify", "--time-limit", "60s"]).arg(&file);
        let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status().expect("a run");
        assert_eq!(status.code(), Some(expected));
    });
}

#[divan::bench(args = [10, 100, 1_000, 10_000], sample_count = 3, sample_size = 1)]
fn ifs_in_a_row(bencher: Bencher<'_, '_>, n: u32) {
    verdict(bencher, &ifs(n), 0);
}

#[divan::bench(args = [10, 100, 1_000], sample_count = 3, sample_size = 1)]
fn functions_with_loops(bencher: Bencher<'_, '_>, n: u32) {
    verdict(bencher, &functions(n), 0);
}

#[divan::bench(args = [10, 100, 1_000], sample_count = 3, sample_size = 1)]
fn loops_in_a_row(bencher: Bencher<'_, '_>, n: u32) {
    verdict(bencher, &loops(n), 0);
}

#[divan::bench(args = [10, 100, 1_000, 10_000], sample_count = 3, sample_size = 1)]
fn straight_line(bencher: Bencher<'_, '_>, n: u32) {
    verdict(bencher, &line(n), 0);
}

#[divan::bench(args = [10, 1_000, 1_000_000, 1_000_000_000], sample_count = 3, sample_size = 1)]
fn deep_counterexample(bencher: Bencher<'_, '_>, n: u32) {
    verdict(bencher, &deep(n), 1);
}
