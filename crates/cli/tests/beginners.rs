//! The first things that newcomers try, and what they read then.

use crate::common::{Scratch, stderr, stdout};
use std::process::Command;

struct Said {
    text: String,
    code: Option<i32>,
}

impl Said {
    /// All of these, in this order.
    fn tells(self, parts: &[&str], code: i32) -> Said {
        let mut rest = self.text.as_str();
        for part in parts {
            let at = rest.find(part).unwrap_or_else(|| panic!("no {part:?} there:\n{}", self.text));
            rest = &rest[at + part.len()..];
        }
        assert_eq!(self.code, Some(code), "{}", self.text);
        self
    }

    fn never_says(self, parts: &[&str]) {
        parts.iter().for_each(|part| assert!(!self.text.contains(part), "{part:?} is there:\n{}", self.text));
    }
}

/// Runs `foldback verify` in a folder with these files.
fn verify(name: &str, files: &[(&str, &str)], words: &[&str]) -> Said {
    let scratch = Scratch::new(&format!("beginners-{name}"));
    files.iter().for_each(|(file, text)| drop(scratch.file(file, text)));
    let mut command = Command::new(env!("CARGO_BIN_EXE_foldback"));
    command.arg("verify").args(words).current_dir(scratch.path("."));
    let output = command.output().expect("the binary runs");
    Said { text: stdout(&output) + &stderr(&output), code: output.status.code() }
}

/// What no one should have to read.
const OURS: [&str; 6] = ["__foldback", "<library>", "Some(", "(bv", "panicked", "L1"];

#[test]
fn a_missing_header() {
    let program = [("a.c", "#include \"nowhere.h\"\nint main(void) { return 0; }\n")];
    verify("header", &program, &["a.c"])
        .tells(
            &[
                "a.c:1:2: error: header 'nowhere.h' not found\n",
                "#include \"nowhere.h\"",
                "help: give its directory with -I",
            ],
            2,
        )
        .never_says(&OURS);
}

#[test]
fn a_missing_file() {
    verify("file", &[], &["nowhere.c"])
        .tells(&["error: no such file: 'nowhere.c'\n", "help: check the path and the spelling\n"], 2)
        .never_says(&OURS);
}

#[test]
fn two_files() {
    let files = [
        (
            "main.c",
            "#include <assert.h>\nint twice(int);\nint main(void) {\n  assert(twice(4) == 9);\n  return 0;\n}\n",
        ),
        ("twice.c", "int twice(int x) { return 2 * x; }\n"),
    ];
    verify("two", &files, &["main.c", "twice.c"])
        .tells(
            &["main.c:4:3: error: assert: assertion fails: twice(4) == 9\n", "twice(4) = 8", "RESULT: false(assert)\n"],
            1,
        )
        .never_says(&OURS);
    // Without the second one, what it lacks is named.
    verify("one", &files, &["main.c"])
        .tells(
            &[
                "main.c:4:10: note: no body for 'twice'",
                "twice() = ",
                "add the file that defines it, or a stub\n",
                "where twice(4) = ",
                "RESULT: false(assert)\n",
            ],
            1,
        )
        .never_says(&OURS);
}

#[test]
fn no_main() {
    let program = [("add.c", "int add(int a, int b) { return a + b; }\n")];
    verify("main", &program, &["add.c"])
        .tells(
            &[
                "error: the program does not define the function 'main'\n",
                "help: give the function to start at with --entry\n",
                "help: for example --entry add\n",
            ],
            2,
        )
        .never_says(&OURS);
    verify("entry", &program, &["add.c", "--entry", "add"])
        .tells(
            &[
                "signed integer overflow in a + b",
                "where a = ",
                "no-overflow: false(no-overflow)\n",
                "RESULT: false(no-overflow)\n",
            ],
            1,
        )
        .never_says(&OURS);
}

#[test]
fn pointer_arguments() {
    let program = [("first.c", "int first(const int *p) {\n  return *p;\n}\n")];
    verify("pointer", &program, &["first.c", "--entry", "first"])
        .tells(
            &[
                "starts at 'first' with any arguments",
                "first.c:1:22: p = NULL\n",
                "first.c:2:10: error: valid-deref: *p goes through a null pointer\n",
                "memsafety: false(valid-deref)\n",
            ],
            1,
        )
        .never_says(&OURS);
}

#[test]
fn the_heap() {
    let program = [(
        "copy.c",
        "#include <stdlib.h>\n#include <string.h>\nint main(void) {\n  char *copy = malloc(5);\n  strcpy(copy, \"hello\");\n  free(copy);\n  return 0;\n}\n",
    )];
    verify("heap", &program, &["copy.c"])
        .tells(
            &[
                "copy.c:5:3: error: valid-deref: strcpy(copy, \"hello\") is out of bounds",
                "one past its end",
                "copy.c:4:16: note: allocated here",
            ],
            1,
        )
        .never_says(&OURS);
}

#[test]
fn floats() {
    let program = [(
        "sum.c",
        "#include <assert.h>\nint main(void) {\n  float sum = 0;\n  for (int i = 0; i < 10; i++) sum += 0.1f;\n  assert(sum == 1.0f);\n}\n",
    )];
    verify("floats", &program, &["sum.c"])
        .tells(
            &["assertion fails: sum == 1.0f", "where sum = 1.0000001192092896", "IEEE 754", "RESULT: false(assert)\n"],
            1,
        )
        .never_says(&OURS);
}

#[test]
fn standard_input() {
    let program = [(
        "read.c",
        "#include <stdio.h>\nint main(void) {\n  int k;\n  if (scanf(\"%d\", &k) != 1) return 1;\n  printf(\"%d\\n\", 100 / k);\n  return 0;\n}\n",
    )];
    verify("stdin", &program, &["read.c"])
        .tells(
            &[
                "scanf stored k = 0",
                "read.c:5:",
                "error: div-by-zero: division by zero in 100 / k",
                "where k = 0",
                "div-by-zero: false(div-by-zero)\n",
            ],
            1,
        )
        .never_says(&OURS);
}

#[test]
fn arguments_of_the_program() {
    let program =
        [("share.c", "int main(int argc, char **argv) {\n  int share = 100 / (argc - 1);\n  return share > 100;\n}\n")];
    verify("argv", &program, &["share.c"])
        .tells(
            &[
                "argc = 1\n",
                "share.c:2:3: error: div-by-zero: division by zero in 100 / (argc - 1)\n",
                "where argc = 1\n",
                "div-by-zero: false(div-by-zero)\n",
            ],
            1,
        )
        .never_says(&OURS);
}

#[test]
fn nothing_to_check() {
    let program = [("idle.c", "int main(void) { return 0; }\n")];
    verify("idle", &program, &["idle.c"])
        .tells(
            &[
                "what would help:\n  - Say what should hold: assert(condition), from <assert.h>",
                "assert: nothing to check (no assertion)\n",
                "RESULT: unknown(nothing to check",
            ],
            3,
        )
        .never_says(&OURS);
}

#[test]
fn recursion() {
    let program = [(
        "down.c",
        "#include <assert.h>\nextern unsigned __VERIFIER_nondet_uint(void);\n\
         unsigned down(unsigned n) { return n == 0 ? 0 : down(n - 1); }\n\
         int main(void) { assert(down(__VERIFIER_nondet_uint()) == 0); }\n",
    )];
    verify("recursion", &program, &["down.c"]).tells(&["assert: true\n", "RESULT: true\n"], 0).never_says(&OURS);
}

#[test]
fn assertions_of_each_style() {
    for (style, call) in [
        ("assert.h", "assert(x != 7);"),
        ("verifier", "__VERIFIER_assert(x != 7);"),
        ("cbmc", "__CPROVER_assert(x != 7, \"seven\");"),
        ("function", "if (x == 7) reach_error();"),
    ] {
        let program = format!(
            "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nextern void __VERIFIER_assert(int);\nextern void reach_error(void);\n\
             int main(void) {{\n  int x = __VERIFIER_nondet_int();\n  {call}\n}}\n"
        );
        verify(&format!("style-{style}"), &[("style.c", &program)], &["style.c"])
            .tells(&["x = 7, from __VERIFIER_nondet_int()", "style.c:7:", ": error: ", "RESULT: false("], 1)
            .never_says(&OURS);
    }
}

#[test]
fn all_syntax_errors() {
    let program =
        [("bad.c", "int main(void) {\n  int x = ;\n  x = x + 1\n  return x;\n}\nint other(void) { return 1 +; }\n")];
    verify("syntax", &program, &["bad.c"])
        .tells(&["bad.c:2:11: error: ", "int x = ;", "bad.c:3:12: error: expected ';'", "bad.c:6:29: error: "], 2)
        .never_says(&OURS);
}

/// A loop that is beyond all engines, and little time: what to do is said.
#[test]
fn no_answer() {
    let program = [(
        "hard.c",
        "extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\n\
         int main(void) { unsigned long long n = __VERIFIER_nondet_uint(), x = 0, y = 1, s = 0;\n\
         while (x < n) { x++; y = y * 6364136223846793005ull + 1442695040888963407ull; s += (y >> 33) * (x ^ s); }\n\
         if (s == 123456789012345ull && n > 1000) reach_error(); return 0; }\n",
    )];
    verify("limit", &program, &["hard.c", "--time-limit", "1s"])
        .tells(
            &[
                "what would help:\n  - More time: a larger --time-limit",
                "unreach-call: unknown(time limit)\n",
                "RESULT: unknown(time limit)\n",
            ],
            3,
        )
        .never_says(&OURS);
}
