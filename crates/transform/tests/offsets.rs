//! Pointers whose offsets are constant though their objects are not.

use crate::common::{has_error, prepared};
use transform::pipeline::Prepared;

/// A loop that makes objects, sets `p` before it and in it, and asks at its head; nothing else is known of `o` and `n`.
fn looped(before: &str, inside: &str, asked: &str) -> Prepared {
    let text = format!(
        r#"machine lp64 32 32
        file F0 "a.c"
        var c bv8 local f0
        var n bv64 local f0 source "n" "unsigned long" at F0:1:1-1:2
        var o bv32 local f0 source "o" "unsigned" at F0:1:3-1:4
        var p bv64 local f0 source "p" "char *" pointer at F0:1:5-1:6
        var q bv64 local f0 source "q" "char *" pointer at F0:1:7-1:8
        entry f0
        function f0 "main" params () entry L0 exit L7
          L0
            e0 -> L1 havoc (o) input "nondet"
          L1
            e1 -> L2 {before}
          L2 loop F0:3:1-3:4
            e2 -> L3 havoc (c o n) input "nondet"
          L3
            e3 -> L4 assume (= c 0:8)
            e4 -> L5 assume (= c 1:8)
            e5 -> L6 assume {asked}
            e6 -> L7 assume (= c 2:8)
          L4
            e7 -> L5 {inside}
          L5
            e8 -> L2 assign p := (ite (= c 1:8) q p)
          L6 error assert "asked"
          L7 end return
        "#
    );
    prepared(&text)
}

const NULL: &str = "assign p := 0:64, q := 0:64";
const BLOCK: &str = "assign q := (concat o 0:32)";

#[test]
fn what_is_asked_of_an_offset_that_all_assignments_agree_on_is_folded() {
    // Another offset than 0, an element before the object, and the object of an element.
    for asked in [
        "(not (= (extract 31 0 p) 0:32))",
        "(bvult (extract 31 0 (bvadd p 8:64)) 8:32)",
        "(not (= (extract 63 32 (bvadd p 8:64)) (extract 63 32 p)))",
    ] {
        let prepared = looped(NULL, BLOCK, asked);
        assert!(!has_error(&prepared.program), "{asked}: {}", cfa::print(&prepared.program));
    }
}

#[test]
fn what_some_assignment_does_not_keep_is_not_folded() {
    let asked = "(not (= (extract 31 0 p) 0:32))";
    for (before, inside, why) in [
        (NULL, "assign q := (concat o 4:32)", "another offset"),
        (NULL, "assign q := (concat 0:32 o)", "any offset"),
        (NULL, "assign q := (bvadd q 1:64)", "it moves"),
        (NULL, "assign q := n", "any number"),
        ("assign p := 0:64", "assign q := (concat o 0:32)", "read before it is set"),
        ("assign q := 8:64, p := 0:64", BLOCK, "set to something else before"),
    ] {
        assert!(has_error(&looped(before, inside, asked).program), "{why}");
    }
    // A step out of the object leads to the next one.
    let next = "(not (= (extract 63 32 (bvadd p 4294967296:64)) (extract 63 32 p)))";
    assert!(has_error(&looped(NULL, BLOCK, next).program));
}

#[test]
fn loop_heads_are_told_what_was_folded() {
    let prepared = looped(NULL, BLOCK, "(= (extract 63 32 (bvadd p (concat 0:32 (extract 31 0 p)))) 7:32)");
    let facts: Vec<String> = prepared
        .restore
        .facts
        .values()
        .flatten()
        .map(|fact| cfa::text::print_term(&prepared.program.terms, *fact))
        .collect();
    for var in ["p", "q"] {
        let wanted = format!("(extract 31 0 {var})");
        assert!(facts.iter().any(|fact| fact.contains(&wanted)), "{var}: {facts:?}");
    }
}
