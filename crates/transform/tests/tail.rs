//! Tail calls as jumps: the folded program does what the original does, and has no recursion where all calls come last.

use cfa::Program;
use cfront::types::DataModel;
use cfront::{Input, Options};
use flow::CallGraph;
use interpreter::{Ending, Limits, Machine, Random};

fn lowered(body: &str) -> Program {
    let text = format!("extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n{body}");
    let options = lower::Options::default();
    let input = Input::Text { name: "test.c".to_owned(), text };
    let unit = lower::library::load(&[input], &Options::new(DataModel::Lp64), &options.entry).unwrap();
    cfront::with_big_stack(|| lower::lower(&unit, &options)).unwrap()
}

/// Compares runs; whether recursion is left.
fn is_recursive_after(body: &str) -> bool {
    let original = lowered(body);
    let folded = transform::fold_tail_calls(original.clone());
    assert_eq!(cfa::verify(&folded, cfa::Form::Function), [], "{body}");
    let limits = Limits { steps: 100_000, ..Limits::default() };
    let run = |program: &Program, seed| Machine::new(program).unwrap().run(&mut Random::new(seed), &limits);
    for seed in 0..60 {
        let (before, after) = (run(&original, seed), run(&folded, seed));
        if !matches!(before.ending, Ending::Limit(_)) {
            let given = |outcome: &interpreter::Outcome| {
                outcome.inputs.iter().map(|recorded| recorded.given.clone()).collect::<Vec<_>>()
            };
            assert_eq!((&before.ending, &before.exit_code), (&after.ending, &after.exit_code), "{body}, seed {seed}");
            assert_eq!(given(&before), given(&after), "{body}, seed {seed}");
        }
    }
    let calls = CallGraph::of(&folded);
    folded.functions.ids().any(|f| calls.is_recursive(f))
}

#[test]
fn a_function_that_calls_itself_last_is_a_loop() {
    let sum = "int sum(unsigned char n, int s) { if (n == 0) return s; return sum(n - 1, s + n); }
        int main() { int n = __VERIFIER_nondet_int(); if (sum(n, 0) == 300) reach_error(); return sum(n, 3); }";
    assert!(!is_recursive_after(sum));
    let swapped = "int turn(int a, int b, unsigned char n) { return n ? turn(b, a, n - 1) : a; }
        int main() { return turn(1, 2, __VERIFIER_nondet_int()); }";
    assert!(!is_recursive_after(swapped));
    let nothing_returned = "int g; void down(unsigned char n) { if (n > 0) { int x = n; g++; down(x - 1); } }
        int main() { down(__VERIFIER_nondet_int()); return g; }";
    assert!(!is_recursive_after(nothing_returned));
    let asked = "int f(int n) { int x = __VERIFIER_nondet_int(); if (x > 0 || n > 40) return n; return f(n + 1); }
        int main() { return f(__VERIFIER_nondet_int() & 31); }";
    assert!(!is_recursive_after(asked));
}

#[test]
fn functions_that_call_each_other_last_are_a_loop() {
    let parity = "int even(unsigned char n); int odd(unsigned char n) { if (n == 0) return 0; return even(n - 1); }
        int even(unsigned char n) { if (n == 0) return 1; return odd(n - 1); }
        int main() { int n = __VERIFIER_nondet_int(); return odd(n) * 2 + even(n); }";
    assert!(!is_recursive_after(parity));
    let three =
        "int g; int b(int, int); int c(unsigned char); int a(unsigned char n) { g += 1; return n ? b(n, 7) : g; }
        int b(int n, int by) { g += by; if (g & 1) return a(n - 1); return c(n - 1); }
        int c(unsigned char n) { int x = __VERIFIER_nondet_int(); if (x & 1) return a(n); return n; }
        int main() { return a(__VERIFIER_nondet_int()); }";
    assert!(!is_recursive_after(three));
}

#[test]
fn calls_that_come_earlier_stay() {
    let counted =
        "int f(unsigned char n) { return n ? 1 + f(n - 1) : 0; } int main() { return f(__VERIFIER_nondet_int()); }";
    assert!(is_recursive_after(counted));
    let converted = "int f(unsigned char n) { return n ? (signed char) f(n - 1) : 200; } int main() { return f(__VERIFIER_nondet_int()); }";
    assert!(is_recursive_after(converted));
    // The object has to die after the call, and the callee may look at it.
    let with_object = "int f(unsigned char n, int *up) { int a[2] = {n, *up}; return n ? f(n - 1, a) : *up; }
        int main() { int z = 5; return f(__VERIFIER_nondet_int(), &z); }";
    assert!(is_recursive_after(with_object));
    let one_of_two = "int f(int n) { if (n <= 1) return n; if (n & 1) return f(n - 1); return f(n / 2) + 1; }
        int main() { return f(__VERIFIER_nondet_int() & 1023); }";
    assert!(is_recursive_after(one_of_two));
}
