//! `cfa --format btor2` and `replay` of what a hardware model checker answers to it.

use crate::common::{Scratch, foldback, stderr, stdout};

const SAFE_UNLESS_FIVE: &str = "void reach_error(void); int __VERIFIER_nondet_int(void);
int main(void) { int x = __VERIFIER_nondet_int(); if (x == 5) reach_error(); return 0; }
";

#[test]
fn a_witness_for_the_written_system_is_replayed() {
    let scratch = Scratch::new("btor2-five");
    let program = scratch.file("five.c", SAFE_UNLESS_FIVE);
    let program = program.to_str().expect("a path in UTF-8");
    let system = foldback(["cfa", "--property", "unreach-call", "--format", "btor2", program]);
    assert_eq!(system.status.code(), Some(0), "{}", stderr(&system));
    let system = stdout(&system);
    assert!(system.contains("bad "), "{system}");
    let input =
        system.lines().find_map(|line| line.split(' ').find(|word| word.starts_with("any."))).expect("an input");
    for (value, code, says) in [(5, 1, "reproduced(unreach-call)"), (4, 2, "is no error")] {
        let frames: String = (0..8).map(|n| format!("@{n}\n0 {value:032b} {input}@{n}\n1 0 choice@{n}\n")).collect();
        let witness = scratch.file("w.txt", format!("sat\nb0\n#0\n{frames}.\n"));
        let replayed =
            foldback(["replay", "--property", "unreach-call", witness.to_str().expect("a path in UTF-8"), program]);
        let said = stdout(&replayed) + &stderr(&replayed);
        assert_eq!(replayed.status.code(), Some(code), "{said}");
        assert!(said.contains(says), "{said}");
    }
}

#[test]
fn what_btor2_has_not_is_named() {
    let scratch = Scratch::new("btor2-float");
    let program = scratch.file(
        "float.c",
        "void reach_error(void); double __VERIFIER_nondet_double(void);
int main(void) { if (__VERIFIER_nondet_double() > 0.5) reach_error(); return 0; }
",
    );
    let refused = foldback(["cfa", "--format", "btor2", program.to_str().expect("a path in UTF-8")]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("BTOR2 has no floats"), "{}", stderr(&refused));
}
