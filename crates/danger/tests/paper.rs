//! The paper's examples.

mod common;

use common::{ask, ending, reaching};
use engine::{Evidence, Proof, Question, Verdict};
use std::time::Duration;

fn figure_1b(guard: &str) -> String {
    format!(
        "int main() {{ int x = 0, y = 1; while (x < {guard}) {{ x++; if (__VERIFIER_nondet_bool()) y++; }} \
         assert(x != y); return 0; }}"
    )
}

#[test]
fn figure_1b_at_any_depth_in_the_same_time() {
    let mut times = Vec::new();
    for guard in ["10", "1000000", "2147483646"] {
        let mut answered = ask(&reaching(&figure_1b(guard)), Question::Reach, 60);
        answered.danger();
        times.push(answered.time);
    }
    let (least, most) = (times.iter().min().unwrap(), times.iter().max().unwrap());
    assert!(*most < least.mul_f64(2.0) + Duration::from_millis(150), "{times:?}");
}

#[test]
fn figure_2a_loops_in_sequence() {
    let source = "int main() { int i, j, k; for (k = 0; k < 100; k++) { if (__VERIFIER_nondet_bool()) j++; } \
                  for (i = 0; i < 1000000; i++) { if (__VERIFIER_nondet_bool()) j++; } assert(i != j); return 0; }";
    ask(&reaching(source), Question::Reach, 60).danger();
}

#[test]
fn figure_2b_has_a_recurrence_set_and_no_danger_invariant() {
    let source = "int main() { int x = 0, y = 1; while (x < 10) { y++; } assert(x < 10); return 0; }";
    let prepared = reaching(source);
    if prepared.program.main().locs.values().any(|l| l.kind.is_target()) {
        let answered = ask(&prepared, Question::Reach, 5);
        assert!(matches!(answered.verdict, Verdict::Unknown(_)), "{:?}", answered.verdict);
    }
    ask(&ending(source), Question::NeverEnds, 20).endless();
}

#[test]
fn example_3() {
    let source = "int main() { int i = __VERIFIER_nondet_int(); while (i <= 10) { if (__VERIFIER_nondet_bool()) i = i + 1; } \
                  assert(i == 10); return 0; }";
    // The error is reached without the loop, too: only from inside is there something to prove.
    let inside = source.replace("int i = __VERIFIER_nondet_int();", "int i = 0;");
    ask(&reaching(&inside), Question::Reach, 60).danger();
    let answered = ask(&reaching(source), Question::Reach, 60);
    assert!(matches!(answered.verdict, Verdict::Unsafe(_)), "{:?}", answered.verdict);
}

#[test]
fn figure_7_nested_loops() {
    let source = "int main() { int i = 11, j = 0; while (j <= i) { j++; i = 0; \
                  while (i <= 10) { if (__VERIFIER_nondet_bool()) i = i + 1; } } assert(j == 11); return 0; }";
    ask(&reaching(source), Question::Reach, 60).danger();
}

#[test]
fn rankings_prove_termination() {
    let sources = [
        "int main() { int i = 0, n = __VERIFIER_nondet_int(); while (i < n) i++; return 0; }",
        "int main() { int i, j, n = __VERIFIER_nondet_int(); for (i = 0; i < n; i++) for (j = 0; j < n; j++) ; return 0; }",
        "int main() { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); \
         while (x > 0 && y > 0) { if (__VERIFIER_nondet_bool()) { x--; y = __VERIFIER_nondet_int(); } else y--; } return 0; }",
    ];
    for source in sources {
        let answered = ask(&ending(source), Question::AlwaysEnds, 20);
        assert!(matches!(answered.verdict, Verdict::Safe(Proof::Ranking { .. })), "{source}: {:?}", answered.verdict);
    }
}

#[test]
fn recurrence_sets_refute_termination() {
    let sources = [
        "int main() { int x = __VERIFIER_nondet_int(); while (x != 0) { x = x - 2; if (x < 0) x = 9; } return 0; }",
        "int main() { unsigned x = 5; while (x > 0) { if (__VERIFIER_nondet_bool()) x--; } return 0; }",
        "int main() { int y = __VERIFIER_nondet_int(); while (y >= 0 && y <= 10) { y = (2*y + 1) / 2; } return 0; }",
        // Each state wants its own input.
        "int main() { int s = 0; while (1) { int i = __VERIFIER_nondet_int(); if (s == 0 && i == 3) s = 1; \
         else if (s == 1 && i == 7) s = 2; else if (s == 2 && i == 3) s = 5; else if (s == 5 && i == 11) s = 1; else return 0; } }",
    ];
    for source in sources {
        let mut answered = ask(&ending(source), Question::NeverEnds, 20);
        assert!(matches!(answered.verdict, Verdict::Unsafe(Evidence::Endless(_))), "{source}: {:?}", answered.verdict);
        answered.endless();
    }
}
