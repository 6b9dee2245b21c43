//! Results and witnesses as files: what `explain` shows is what `verify` showed.

use crate::common::{Scratch, foldback, root, stderr, stdout};
use std::ffi::OsString;

fn verified(example: &str, verdict: &str, entry_type: &str) -> String {
    let scratch = Scratch::new(&format!("results-{example}"));
    let (json, witness) = (scratch.path("result.json"), scratch.path("witness.yml"));
    let arguments: [OsString; 10] = [
        "verify".into(),
        "--property".into(),
        "unreach-call+assert".into(),
        root().join("examples").join(example).into(),
        "--json".into(),
        json.clone().into(),
        "--witness".into(),
        witness.clone().into(),
        "--replay".into(),
        "interpreter".into(),
    ];
    let output = foldback(arguments);
    let shown = stdout(&output);
    assert!(shown.ends_with(&format!("RESULT: {verdict}\n")), "{shown}{}", stderr(&output));
    let again = foldback([OsString::from("explain"), json.into()]);
    assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));
    assert_eq!(stdout(&again), shown);
    let written = std::fs::read_to_string(&witness).expect("a witness");
    assert!(written.starts_with(&format!("- entry_type: {entry_type}\n")), "{written}");
    written
}

#[test]
fn a_proof() {
    verified("count.c", "true", "invariant_set");
}

#[test]
fn a_counterexample() {
    let witness = verified("abs_bug.c", "false(assert)", "violation_sequence");
    assert!(witness.contains("type: target"), "{witness}");
}

/// What an earlier run left is not taken for evidence of this one.
#[test]
fn without_an_answer_there_is_no_witness() {
    let scratch = Scratch::new("stale");
    let program = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
                   int main(void) { unsigned i = 0; while (__VERIFIER_nondet_int()) i += 2; if (i == 7) reach_error(); return 0; }\n";
    let file = scratch.file("p.c", program);
    // What somebody else wrote stays.
    let of_ours = "- entry_type: invariant_set\n  metadata:\n  producer:\n      name: \"foldback\"\n";
    for (old, stays) in [(of_ours, false), ("old", true)] {
        let witness = scratch.file("old.yml", old);
        let flags = ["verify", "--engine", "bmc", "--time-limit", "300ms", "--witness"];
        let output = foldback(flags.iter().copied().chain([&*witness.to_string_lossy(), &*file.to_string_lossy()]));
        assert_eq!(output.status.code(), Some(3), "{}", stdout(&output));
        assert!(stderr(&output).contains("old.yml is not written"), "{}", stderr(&output));
        assert_eq!(witness.exists(), stays, "{old}");
    }
}

/// The harness says how to compile and run it, whatever the program's files are called and wherever its inputs come from.
#[test]
fn a_harness_tells_how_to_use_it() {
    let scratch = Scratch::new("harness");
    let program = "extern _Bool __VERIFIER_nondet_bool(void);\nextern void reach_error(void);\n\
                   int main(void) { int x; __asm__ volatile(\"movl $5, %0\" : \"=r\"(x));\n\
                   if (x == 5 && __VERIFIER_nondet_bool() + __VERIFIER_nondet_bool() == 2) reach_error(); return 0; }\n";
    let (file, harness) = (scratch.file("it's a program.c", program), scratch.path("h.c"));
    let flags = ["verify", "--time-limit", "20s", "--harness"];
    let output = foldback(flags.iter().copied().chain([&*harness.to_string_lossy(), &*file.to_string_lossy()]));
    let shown = stdout(&output);
    assert!(shown.ends_with("RESULT: false(unreach-call)\n"), "{shown}");
    assert_eq!(shown.matches("__VERIFIER_nondet_bool() = 1").count(), 2, "truth values are 0 or 1: {shown}");
    let text = std::fs::read_to_string(&harness).expect("a harness");
    let commands: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("     ")).collect();
    let [compile, run] = commands[..] else { panic!("{text}") };
    let shell =
        |command: &str| std::process::Command::new("sh").current_dir(scratch.path("")).args(["-c", command]).status();
    assert!(shell(compile).is_ok_and(|status| status.success()), "{text}");
    assert_eq!(shell(run).ok().and_then(|status| status.code()), Some(77), "{text}");
}

#[test]
fn other_files_are_no_results() {
    let scratch = Scratch::new("no-result");
    let output = foldback([OsString::from("explain"), scratch.file("x.json", "[]").into()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("not a result"), "{}", stderr(&output));
}

/// Pointers from outside may be valid: a counterexample that uses them gets memory for them, also when it is compiled. One
/// that uses the program's own null pointer is none, and of one that nothing sets nothing is said.
#[test]
fn pointers_from_outside_get_memory() {
    let scratch = crate::common::Scratch::new("pointers");
    let program = |pointer: &str| {
        format!(
            "extern void *__VERIFIER_nondet_pointer(void);\nextern int __VERIFIER_nondet_int(void);\n\
             extern void reach_error(void);\nextern void *malloc(unsigned long);\n\
             struct s {{ int a; struct s *next; }};\n\
             int main(void) {{ struct s *list = malloc(sizeof *list); struct s *p = {pointer};\n\
             p->next = p; p->next->next->a = 7;\n\
             if (p->a == 7 && __VERIFIER_nondet_int() == 1234567) reach_error(); return 0; }}\n"
        )
    };
    let verdict = |pointer: &str| {
        let file = scratch.file("p.c", program(pointer));
        crate::common::stdout(&crate::common::foldback([
            "verify",
            "-p",
            "unreach-call",
            "--time-limit",
            "10s",
            &file.to_string_lossy(),
        ]))
    };
    let given = verdict("__VERIFIER_nondet_pointer()");
    assert!(given.contains("RESULT: false(unreach-call)"), "{given}");
    assert!(given.contains("confirmed by the compiled program"), "{given}");
    assert!(given.contains("given valid memory"), "{given}");
    let unset = verdict("list->next");
    assert!(unset.contains("RESULT: unknown(unsupported: a write through a pointer that nothing ever sets"), "{unset}");
    let null = verdict("(struct s *)0");
    assert!(!null.contains("RESULT: false"), "{null}");
}
