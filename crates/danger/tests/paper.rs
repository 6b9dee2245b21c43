//! The paper's examples.

use crate::common::{ask, ending, reaching};
use engine::{Danger, Evidence, Proof, Question, Verdict};
use std::time::Duration;
use validate::danger::Goal;

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
        always_ends(source);
    }
}

fn always_ends(source: &str) {
    let mut answered = ask(&ending(source), Question::AlwaysEnds, 20);
    let Verdict::Safe(Proof::Ranking { at, ranking }) = answered.verdict.clone() else {
        panic!("{source}: {:?}", answered.verdict)
    };
    let claim = Danger { invariant: at, ranking, ..Danger::default() };
    answered.check(&claim, Goal::End).unwrap_or_else(|f| panic!("{source}: {f}"));
}

/// Steps that are larger than one, shifts and quotients, and measures that count only in a part of the execution.
#[test]
fn steps_of_loops_are_measured() {
    for body in [
        // Three is odd: the number gets to the largest one before it comes back.
        "int n = __VERIFIER_nondet_int(); for (int i = 0; i < n; i += 3) ;",
        "int i = __VERIFIER_nondet_int(); while (i != 0) i -= 5;",
        "unsigned i = __VERIFIER_nondet_uint(); while (i) i <<= 1;",
        "int i = __VERIFIER_nondet_int(); while (i) i /= 2;",
        "int up = 1, x = __VERIFIER_nondet_int(); if (x < 0 || x > 100) return 0; \
         while (x >= 0) { if (up) { x++; if (x > 100) up = 0; } else x--; }",
        "int phase = 0, x = __VERIFIER_nondet_int(); if (x < 0 || x > 1000) return 0; while (phase < 2) { \
         if (phase == 0) { x++; if (x >= 2000) phase = 1; } else { x--; if (x <= 0) phase = 2; } }",
        // The one gives what the other takes, in another proportion.
        "int c = __VERIFIER_nondet_int() & 7, n = __VERIFIER_nondet_int() & 15; while (c > 0 && n >= 0 && n < 2000 && c < 2000) { \
         if (n & 1) { c -= 1; n += 10; } else { c += 1; n -= 11; } }",
    ] {
        always_ends(&format!("int main() {{ {body} return 0; }}"));
    }
}

/// Nearly the same, and without end.
#[test]
fn steps_that_miss_are_not_measured() {
    for body in [
        "unsigned n = __VERIFIER_nondet_uint(); for (unsigned i = 0; i < n; i += 4) ;",
        "int i = __VERIFIER_nondet_int(); while (i != 0) i -= 6;",
        "unsigned n = __VERIFIER_nondet_uint(); for (unsigned i = 1; i < n; i <<= 1) ;",
        "unsigned i = __VERIFIER_nondet_uint(); while (i) { i <<= 1; i |= 1; }",
        "int i = __VERIFIER_nondet_int(); while (i) i >>= 1;",
        "int n = __VERIFIER_nondet_int(); for (int i = 0; i <= n; i += 3) ;",
    ] {
        let answered = ask(&ending(&format!("int main() {{ {body} return 0; }}")), Question::AlwaysEnds, 20);
        assert!(matches!(answered.verdict, Verdict::Unknown(_)), "{body}: {:?}", answered.verdict);
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
