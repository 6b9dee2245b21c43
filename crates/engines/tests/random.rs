//! Random execution: what it finds, and that it finds the same each time.

use crate::common::{compiled, cx, task};
use engine::{Engine, Evidence, Task, Trace, Verdict};
use engines::random::RandomExecution;
use std::time::Duration;

/// A lock that opens after the digits 7, 3, 9, 1 in this order; any other digit starts it anew. With `broken` it never does.
fn lock(broken: bool) -> Task {
    let mut text = String::from(
        "  L0
    e0 -> L1 assign s := 0:32
  L1
    e1 -> L2 havoc (d) input \"digit\"
  L2
",
    );
    let digits = [7, 3, 9, 1];
    for (i, digit) in digits.iter().enumerate() {
        text += &format!("    e{} -> L{} assume (and (= s {i}:32) (= d {digit}:32))\n", i + 2, i + 3);
    }
    let wrong = digits
        .iter()
        .enumerate()
        .fold("true".to_owned(), |rest, (i, d)| format!("(and (not (and (= s {i}:32) (= d {d}:32))) {rest})"));
    text += &format!("    e6 -> L0 assume {wrong}\n");
    for i in 0..3 {
        text += &format!("  L{}\n    e{} -> L1 assign s := {}:32\n", i + 3, i + 7, i + 1);
    }
    let last = if broken { "e10 -> L0 assume true" } else { "e10 -> L7 assume true" };
    text += &format!("  L6\n    {last}\n  L7 error unreach-call \"open\"\n  L8 end return\n");
    task("s d: bv32", "L8", &text)
}

fn run(task: &Task, seconds: u64) -> Verdict {
    RandomExecution::default().run(task, &mut cx(task, Duration::from_secs(seconds)))
}

fn trace(verdict: Verdict) -> Trace {
    match verdict {
        Verdict::Unsafe(Evidence::Trace(trace)) => trace,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_covered_leads_to_the_error_and_always_the_same_way() {
    let task = lock(false);
    let found = trace(run(&task, 60));
    assert!(found.inputs.len() >= 4);
    assert_eq!(found.inputs, trace(run(&task, 60)).inputs);
}

#[test]
fn nothing_is_concluded_from_finding_nothing() {
    assert!(matches!(run(&lock(true), 1), Verdict::Unknown(_)));
}

/// Sorting different numbers takes a billion steps; those that are in the wrong order and stay so are found at once, and so are those that wander.
#[test]
fn long_executions_follow_rules() {
    let fill = "static int a[30000]; int i; for (i = 0; i < 30000; i++) a[i] = __VERIFIER_nondet_int();";
    for (name, sort) in [
        (
            "bubble sort, the wrong way round",
            "int swapped = 1; while (swapped) { swapped = 0; for (i = 1; i < 30000; i++) if (a[i - 1] < a[i]) {
               int t = a[i]; a[i] = a[i - 1]; a[i - 1] = t; swapped = 1; } }
             for (i = 1; i < 30000; i++) if (a[i - 1] > a[i]) reach_error();",
        ),
        ("ascending", "for (i = 1; i < 30000; i++) if (a[i] != a[i - 1] + 1) return 0; reach_error();"),
    ] {
        let text = format!(
            "extern void reach_error(void); extern int __VERIFIER_nondet_int(void); int main(void) {{ {fill} {sort} return 0; }}"
        );
        let task = Task::new(compiled(text, cfront::types::DataModel::Ilp32));
        assert_eq!(trace(run(&task, 30)).inputs.len(), 30000, "{name}");
    }
}
