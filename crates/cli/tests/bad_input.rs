//! Whatever is wrong with the input gets a message that says so and exit code 2: no panic, no answer.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use crate::common::{Scratch, foldback, stderr, stdout};
use std::ffi::OsString;
use std::path::Path;

fn refused(arguments: &[OsString], expected: &str) {
    let output = foldback(arguments);
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
    assert!(message.contains(expected), "{arguments:?} should say '{expected}': {message}");
    assert!(!message.contains("panicked"), "{message}");
    assert!(!stdout(&output).contains("RESULT: true"), "{arguments:?}");
}

/// All commands that read programs refuse the file.
fn refused_file(path: &Path, expected: &str) {
    for command in ["verify", "run", "cfa"] {
        refused(&[command.into(), path.into()], expected);
    }
}

#[test]
fn missing_files() {
    refused_file(Path::new("does/not/exist.c"), "no such file");
}

#[test]
fn directories() {
    let scratch = Scratch::new("directory");
    refused_file(&scratch.path("."), "is a directory");
}

#[test]
fn empty_files() {
    let scratch = Scratch::new("empty");
    refused_file(&scratch.file("empty.c", ""), "is empty");
    refused_file(&scratch.file("blank.i", "\n\n   \n"), "no C code");
}

#[test]
fn binary_files() {
    let scratch = Scratch::new("binary");
    refused_file(&scratch.file("binary.c", b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0"), "binary file");
    let bytes: Vec<u8> = (0..2000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8 | 1).collect();
    refused_file(&scratch.file("noise.i", bytes), "error");
}

#[test]
fn huge_files() {
    let scratch = Scratch::new("huge");
    let path = scratch.path("huge.c");
    let file = std::fs::File::create(&path).expect("a file for the test");
    file.set_len(100 << 20).expect("a sparse file");
    refused_file(&path, "more than the 64 MB");
}

#[test]
fn what_is_not_c() {
    let scratch = Scratch::new("not-c");
    for (name, text) in [
        ("python.c", "def main():\n    return 0\n"),
        ("prose.c", "Dear Sir or Madam,\nthis is not C.\n"),
        ("unclosed.c", "int main(void) { return 0;\n"),
        ("undeclared.c", "int main(void) { return x; }\n"),
        ("types.c", "struct s { int a; }; int main(void) { struct s s; return s + 1; }\n"),
        ("header.c", "#include \"no_such_header.h\"\nint main(void) { return 0; }\n"),
        ("quotes.i", "char *s = \"unterminated;\nint main(void) { return 0; }\n"),
    ] {
        refused_file(&scratch.file(name, text), "error");
    }
}

#[test]
fn errors_name_their_place() {
    let scratch = Scratch::new("place");
    let path = scratch.file("place.c", "int main(void) {\n  int x = 1;\n  return x +* y;\n}\n");
    refused_file(&path, "place.c:3:");
}

#[test]
fn deep_nesting_is_no_stack_overflow() {
    let scratch = Scratch::new("deep");
    for (name, open, close) in [("parens", "(", ")"), ("not", "!", ""), ("braces", "{", "}"), ("minus", "- ", "")] {
        let (depth, inside) = (100_000, if open == "{" { ";" } else { "1" });
        let body = format!("{}{inside}{}", open.repeat(depth), close.repeat(depth));
        let text = if open == "{" {
            format!("int main(void) {{ {body} return 0; }}\n")
        } else {
            format!("int main(void) {{ return {body}; }}\n")
        };
        let path = scratch.file(&format!("{name}.i"), text);
        let output = foldback([OsString::from("run"), path.into()]);
        assert!(output.status.code().is_some(), "{name}: the program crashed: {}", stderr(&output));
    }
}

#[test]
fn programs_without_main() {
    let scratch = Scratch::new("no-main");
    let path = scratch.file("library.c", "int twice(int x) { return 2 * x; }\n");
    refused_file(&path, "main");
    refused(&["verify".into(), "--entry".into(), "thrice".into(), path.into()], "thrice");
}

#[test]
fn property_files() {
    let scratch = Scratch::new("prp");
    let program = scratch.file("ok.c", "int main(void) { return 0; }\n");
    let verify = |property: OsString, expected: &str| {
        refused(&["verify".into(), "--property".into(), property, program.clone().into()], expected);
    };
    verify("missing.prp".into(), "missing.prp");
    verify(scratch.path(".").into(), "cannot read");
    verify(scratch.file("empty.prp", "").into(), "no property");
    verify(scratch.file("wrong.prp", "CHECK( everything )").into(), "not of the form");
    verify(scratch.file("binary.prp", [0xff, 0xfe, 0x00]).into(), "cannot read");
    verify(scratch.file("race.prp", "CHECK( init(main()), LTL(G ! data-race) )").into(), "not supported");
    verify("happiness".into(), "unknown property");
}

#[test]
fn inputs_of_runs() {
    let scratch = Scratch::new("inputs");
    let program = scratch.file("ok.c", "int main(void) { return 0; }\n");
    let run = |inputs: OsString, expected: &str| {
        refused(&["run".into(), "--inputs".into(), inputs, program.clone().into()], expected);
    };
    run("missing.json".into(), "missing.json");
    run(scratch.file("broken.json", "[1, 2").into(), "not JSON");
    run(scratch.file("strange.json", "[{}]").into(), "not a value");
}

#[test]
fn flags() {
    let scratch = Scratch::new("flags");
    let program = scratch.file("ok.c", "int main(void) { return 0; }\n");
    let verify = |flags: &[&str], expected: &str| {
        let mut arguments: Vec<OsString> = vec!["verify".into(), program.clone().into()];
        arguments.extend(flags.iter().map(Into::into));
        refused(&arguments, expected);
    };
    verify(&["--no-such-flag"], "--no-such-flag");
    verify(&["--data-model", "ilp64"], "ilp64");
    verify(&["--time-limit", "soon"], "soon");
    verify(&["--memory-limit", "lots"], "lots");
    verify(&["--engine", "steam"], "steam");
    verify(&["--only-lines", "x"], "only-lines");
    verify(&["--only-lines", "ok.c:2"], "'ok.c' has no line 2");
    verify(&["--only-lines", "other.c:1"], "no file 'other.c'");
    for kept in ["--json", "--witness", "--html", "--sarif", "--harness"] {
        verify(&[kept, "no/such/folder/x"], "cannot write no/such/folder/x");
        verify(&[kept, "-"], "'-' is no file");
    }
    refused(&["verify".into()], "FILE");
    refused(&["frobnicate".into()], "frobnicate");
    refused(&[], "Usage");
}
