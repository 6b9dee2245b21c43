//! The bench on this machine: what it refuses, and what its tables show.

use crate::common::{Scratch, foldback, stderr, stdout};
use std::process::Output;

/// A set of two tasks: a program, and something that is none.
fn bench(scratch: &Scratch, flags: &[&str]) -> Output {
    let folder = scratch.path("set");
    std::fs::create_dir_all(&folder).expect("a folder");
    scratch.file("set/fine.c", "extern void reach_error(void);\nint main(void) { return 0; }\n");
    scratch.file("set/broken.c", "int main(void) { return }\n");
    scratch.file(
        "set/index.csv",
        "task,input,property,expected,data_model\nfine.c,fine.c,unreach-call,true,LP64\nbroken.c,broken.c,unreach-call,true,LP64\n",
    );
    let out = scratch.path("out");
    let start = ["bench", &*folder.to_string_lossy(), "--engine", "se", "--out", &*out.to_string_lossy()];
    foldback(start.iter().chain(flags))
}

#[test]
fn refused_programs_are_seen_in_the_tables() {
    let scratch = Scratch::new("bench-refused");
    let output = bench(&scratch, &["--time-limit", "10s"]);
    let text = stdout(&output);
    assert!(text.contains("set/broken.c: se: bad input: ") && text.contains("expected an expression"), "{text}");
    assert_eq!(text.matches("| set | se | 2 |").count(), 1, "{text}");
    let page = std::fs::read_to_string(scratch.path("out/index.html")).expect("a page");
    assert!(page.contains("came to nothing"), "{page}");
}

#[test]
fn results_of_other_limits_and_flags_are_not_taken() {
    let scratch = Scratch::new("bench-limits");
    assert_eq!(bench(&scratch, &["--time-limit", "10s"]).status.code(), Some(0));
    assert_eq!(bench(&scratch, &["--time-limit", "10000ms", "--jobs", "2"]).status.code(), Some(0), "the same limits");
    for flags in [&["--time-limit", "20s"][..], &["--time-limit", "10s", "--", "--replay", "interpreter"]] {
        let output = bench(&scratch, flags);
        assert_eq!(output.status.code(), Some(2), "{flags:?}: {}", stdout(&output));
        assert!(stderr(&output).contains("other limits or flags"), "{}", stderr(&output));
    }
}

#[test]
fn comparisons_are_on_the_page() {
    let scratch = Scratch::new("bench-compare");
    let other = scratch.file("other.csv", "tool,task,expected,verdict,seconds\npeer,set/fine.c,true,true,1.0\n");
    let output = bench(&scratch, &["--compare", &other.to_string_lossy()]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let page = std::fs::read_to_string(scratch.path("out/index.html")).expect("a page");
    assert!(page.contains("other.csv") && page.contains("<td>peer"), "{page}");
    let wrong = scratch.file("wrong.csv", "name,age\nx,3\n");
    let output = bench(&scratch, &["--compare", &wrong.to_string_lossy()]);
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    assert!(stderr(&output).contains("no column"), "{}", stderr(&output));
    assert_eq!(bench(&scratch, &["--jobs", "0"]).status.code(), Some(2));
}
