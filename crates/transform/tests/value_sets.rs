//! What conditions leave of the values of variables, and what is left out because later assumptions end it.

use crate::common::{self, has_error};
use cfa::{LocKind, Op};
use transform::pipeline::Prepared;

fn prepared(body: &str) -> Prepared {
    let text = format!(
        r#"machine lp64 32 32
        file F0 "a.c"
        var c bv8 local f0
        var n bv32 local f0 source "n" "unsigned" at F0:1:1-1:2
        var size bv32 local f0 source "size" "unsigned" at F0:1:3-1:4
        var p bv32 local f0 source "p" "unsigned" at F0:1:5-1:6
        var q bv32 local f0 source "q" "unsigned" at F0:1:7-1:8
        entry f0
        {body}"#
    );
    common::prepared(&text)
}

/// Two values meet, one of them is excluded by an assumption; `another` condition leads to the error before.
fn allocated(assumption: &str, another: &str) -> Prepared {
    prepared(&format!(
        r#"
    function f0 "main" params () entry L0 exit L8
      L0
        e0 -> L1 havoc (c n) input "nondet"
      L1
        e1 -> L2 assume (= c 0:8)
        e2 -> L3 assume (not (= c 0:8))
      L2
        e3 -> L4 assign p := 0:32, size := 0:32
      L3
        e4 -> L4 assign p := 48:32, size := n
      L4
        e5 -> L5 assign q := p
      L5
        e6 -> L6 assume {assumption}
        e7 -> L7 assume {another}
      L6
        e8 -> L7 assume (not (= size n))
        e9 -> L8 assume (= size n)
      L7 error assert "the size"
      L8 end return
    "#
    ))
}

#[test]
fn what_a_later_assumption_ends_is_left_out() {
    // Without the null pointer, `size` is `n` wherever it is asked for.
    assert!(!has_error(&allocated("(not (= q 0:32))", "false").program));
    assert!(!has_error(&allocated("(bvult 10:32 q)", "(= q 7:32)").program));
}

#[test]
fn what_no_assumption_ends_stays() {
    assert!(has_error(&allocated("(not (= q 1:32))", "false").program));
    assert!(has_error(&allocated("(= q 0:32)", "false").program));
    assert!(has_error(&allocated("(bvule q 10:32)", "false").program));
    assert!(has_error(&allocated("(not (= q 0:32))", "(= q 0:32)").program));
    assert!(has_error(&allocated("(not (= q 0:32))", "(= n 7:32)").program));
}

#[test]
fn loops_between_keep_what_goes_through_them() {
    // The null pointer comes to a loop head: facts there are about it, too, so it stays, and the error with it.
    let looped = r#"
    function f0 "main" params () entry L0 exit L7
      L0
        e0 -> L1 havoc (c n) input "nondet"
      L1
        e1 -> L2 assign p := (ite (= c 0:8) 0:32 48:32)
      L2 loop F0:3:1-3:4
        e2 -> L3 assume (bvult 10:32 n)
        e3 -> L4 assume (not (bvult 10:32 n))
      L3
        e4 -> L6 assume (= p 0:32)
        e5 -> L2 havoc (n) input "nondet"
      L4
        e6 -> L5 assume (not (= p 0:32))
      L5
        e7 -> L7 skip
      L6 error assert "null"
      L7 end return
    "#;
    let prepared = prepared(looped);
    assert!(has_error(&prepared.program));
}

#[test]
fn facts_of_loop_heads_are_told() {
    // Two values come to the loop; what is asked inside folds, and the proof on the program before needs both.
    let looped = r#"
    function f0 "main" params () entry L0 exit L9
      L0
        e0 -> L1 havoc (c n) input "nondet"
      L1
        e1 -> L2 assume (= c 0:8)
        e2 -> L3 assume (not (= c 0:8))
      L2
        e3 -> L4 assign p := 16:32
      L3
        e4 -> L4 assign p := 48:32
      L4 loop F0:3:1-3:4
        e5 -> L5 assume (bvult 10:32 n)
        e6 -> L6 assume (not (bvult 10:32 n))
      L5
        e7 -> L4 havoc (n) input "nondet"
        e8 -> L7 assume (= (bvand p 16:32) 0:32)
        e9 -> L8 assume (= n (bvand p 32:32))
      L6
        e10 -> L9 skip
      L7 error assert "a bit"
      L8 error assert "another"
      L9 end return
    "#;
    let prepared = prepared(looped);
    let errors = prepared.program.main().locs.values().filter(|l| matches!(l.kind, LocKind::Error(_))).count();
    assert_eq!(errors, 1, "a bit that both values have: {}", cfa::print(&prepared.program));
    let facts: Vec<String> = prepared
        .restore
        .facts
        .values()
        .flatten()
        .map(|fact| cfa::text::print_term(&prepared.program.terms, *fact))
        .collect();
    assert!(facts.iter().any(|fact| fact.contains("16:32") && fact.contains("48:32")), "{facts:?}");
    assert!(prepared.program.main().edges.values().any(|e| matches!(e.op, Op::Assume(_))));
}
