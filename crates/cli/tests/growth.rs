//! Evidence is about what matters: invariants speak of live variables, and a deep error needs no long walk.

use crate::common::{Scratch, foldback, stdout, verify};
use std::ffi::OsString;
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
    // Thousands of millions of iterations, and the proof is there sooner than the compiled program.
    let program = format!(
        "{HEAD}int main(void) {{ int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); \
         if (y >= 5) while (x >= 0) y = y - 1; }}\n"
    );
    let (result, all) = verify(&scratch, &program, "no-overflow", "15s");
    assert_eq!(result, "false(no-overflow)", "{all}");
}

/// From ten iterations to four thousand million the engines need about the same: the interpreter does not walk so far, whoever
/// proves that the error is reached has its turn at once, and inputs that do not matter cost nothing.
#[test]
fn depth_costs_nothing() {
    let bodies = ["i++;", "i++; if (__VERIFIER_nondet_int() == 3) s++;", "i++; s += 2;"];
    let scratch = Scratch::new("growth-depth");
    for body in bodies {
        for depth in ["10u", "4000000000u"] {
            let program = format!(
                "{HEAD}int main(void) {{ unsigned i = 0, s = 0; while (i < {depth}) {{ {body} }} assert(i != {depth}); }}\n"
            );
            let file = scratch.file("deep.c", &program);
            let json = scratch.path("deep.json");
            let arguments =
                ["--property", "assert", "--time-limit", "60s", "--jobs", "1", "--json"].map(OsString::from);
            let all = ["verify".into(), file.into()].into_iter().chain(arguments).chain([json.clone().into()]);
            let output = foldback(all);
            assert!(stdout(&output).ends_with("RESULT: false(assert)\n"), "{program}{}", stdout(&output));
            let text = std::fs::read_to_string(&json).expect("a result");
            let result: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            let runs = result["runs"].as_array().expect("runs").iter();
            let seconds: f64 = runs.filter_map(|run| run["cpu_seconds"].as_f64()).sum();
            // Walking takes twice as long and more on any machine of today, and this some hundredths of a second.
            assert!(seconds < 8.0, "{seconds} s\n{program}{text}");
        }
    }
}
