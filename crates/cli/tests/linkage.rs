//! Definitions of one name in several files: as gcc and ld put the program together.

use crate::common::{Scratch, foldback, stderr};
use std::path::PathBuf;
use std::process::Command;

const WEAK_BEFORE: &str = "int f(void) __attribute__((weak)); int f(void) { return 1; }\n";
const WEAK_BEHIND: &str = "int f(void) { return 2; }\nint f(void) __attribute__((weak));\n";
const WEAK: &str = "__attribute__((weak)) int f(); int f(void) { return 3; }\n";
const STRONG: &str = "int f(void) { return 4; }\n";
const ONLY_DECLARED: &str = "int f(void) __attribute__((weak));\n";
const VARIABLE_BEFORE: &str = "extern int v __attribute__((weak)); int v = 5; int f(void) { return v; }\n";
const VARIABLE_BEHIND: &str =
    "int v = 6; extern int v __attribute__((weak)); static int own(void) { return v; } int g(void) { return own(); }\n";
const VARIABLE: &str = "int v = 7; int f(void) { return v; }\n";
const OTHER: &str = "int g(void) { return 20; }\n";
const MAIN: &str = "int f(void); int g(void); int main(void) { return f() + g(); }\n";

/// What the compiled program returns, if it can be linked, and what ours does.
fn results(scratch: &Scratch, files: &[&str]) -> (Option<i32>, Option<i32>, String) {
    let named = |(number, text): (usize, &&str)| scratch.file(&format!("part{number}.c"), text);
    let files: Vec<PathBuf> = files.iter().enumerate().map(named).collect();
    let program = scratch.path("program");
    let built = Command::new("gcc").arg("-w").args(&files).arg("-o").arg(&program).output().expect("gcc runs");
    let native = || Command::new(&program).status().expect("the program runs").code();
    let native = if built.status.success() { native() } else { None };
    let own = foldback(std::iter::once("run".into()).chain(files.iter().map(|file| file.as_os_str().to_owned())));
    (native, own.status.code().filter(|code| *code != 2), stderr(&own))
}

#[test]
fn weak_definitions_give_way_as_the_linker_says() {
    for (number, parts) in [
        [WEAK_BEFORE, STRONG, OTHER],
        [STRONG, WEAK_BEFORE, OTHER],
        [WEAK_BEHIND, STRONG, OTHER],
        [STRONG, WEAK_BEHIND, OTHER],
        [WEAK_BEFORE, WEAK, OTHER],
        [WEAK, WEAK_BEFORE, OTHER],
        [WEAK_BEHIND, WEAK, OTHER],
        [ONLY_DECLARED, WEAK, OTHER],
        [ONLY_DECLARED, STRONG, OTHER],
        [VARIABLE, VARIABLE_BEHIND, "\n"],
        [VARIABLE_BEHIND, VARIABLE, "\n"],
        // These are errors.
        [STRONG, "int f(void) { return 8; }\n", OTHER],
        [WEAK, STRONG, "int f(void) { return 8; } int g(void) { return 20; }\n"],
        ["__attribute__((weak)) int f(void) { return 1; } int f(void) { return 2; }\n", OTHER, "\n"],
        [
            "__attribute__((weak)) int f(void) { return 1; }\n__attribute__((weak)) int f(void) { return 2; }\n",
            OTHER,
            "\n",
        ],
        ["int v = 3; int v = 4; extern int v __attribute__((weak)); int f(void) { return v; }\n", OTHER, "\n"],
    ]
    .into_iter()
    .enumerate()
    {
        let scratch = Scratch::new(&format!("weak-{number}"));
        let (native, own, said) = results(&scratch, &[parts[0], parts[1], parts[2], MAIN]);
        assert_eq!(own, native, "{parts:?}: {said}");
    }
    let scratch = Scratch::new("weak-behind-weak");
    let (native, own, said) = results(&scratch, &[VARIABLE_BEFORE, VARIABLE_BEHIND, MAIN]);
    assert_eq!((native, own), (Some(10), None), "{said}");
    assert!(said.contains("declared weak behind its definition"), "{said}");
}
