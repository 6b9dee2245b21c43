//! Evidence is about what matters: invariants speak of live variables, and a deep error needs no long walk.

#[allow(dead_code, reason = "each test uses a part of it")]
mod common;

use common::{Scratch, verify};
use std::fmt::Write;

const HEAD: &str = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n";

#[test]
fn invariants_speak_of_live_variables() {
    let (mut program, mut calls) = (HEAD.to_owned(), String::new());
    for k in 0..60 {
        writeln!(program, "static int f{k}(int n) {{ int i = 0; while (i < n) i++; return i; }}").expect("text");
        writeln!(calls, "  int r{k} = f{k}(n); assert(r{k} >= 0 && r{k} <= 1000);").expect("text");
    }
    let input = "int n = __VERIFIER_nondet_int(); if (n < 0 || n > 1000) return 0;";
    write!(program, "int main(void) {{ {input}\n{calls} }}\n").expect("text");
    let scratch = Scratch::new("growth");
    let (result, all) = verify(&scratch, &program, "assert", "30s");
    assert_eq!(result, "true", "{all}");
    assert!(all.contains("proved again from the invariants"), "{all}");
    // At the loop of a function nothing is said about the loops before.
    let invariants: Vec<&str> = all.split("loop at ").skip(1).collect();
    assert_eq!(invariants.len(), 60, "{all}");
    assert!(invariants.iter().all(|invariant| invariant.len() < 200), "{all}");
}

#[test]
fn a_deep_error_is_told_with_its_proof() {
    let program = format!(
        "{HEAD}int main(void) {{ unsigned i = 0, s = 0; while (i < 1000000000u) {{ if (__VERIFIER_nondet_int()) s++; i++; }} \
         assert(s < 1000000000u); }}\n"
    );
    let scratch = Scratch::new("growth-deep");
    let (result, all) = verify(&scratch, &program, "assert", "60s");
    assert_eq!(result, "false(assert)", "{all}");
}
