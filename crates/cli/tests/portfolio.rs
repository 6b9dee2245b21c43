//! The portfolio as a user runs it: strategies from files, several jobs, and engines that die.

use crate::common::{Scratch, foldback, stderr, stdout};
use portfolio::Strategy;

const SAFE: &str = "extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\n\
    int main(void) { unsigned n = __VERIFIER_nondet_uint(), x = 0, y = 0;\n\
    while (x < n) { x++; y++; } if (x != y) reach_error(); return 0; }\n";

const UNSAFE: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
    int main(void) { int s = 0; for (int i = 0; i < 20; i++) { int x = __VERIFIER_nondet_int();\n\
    if (x > 100000 && x % 4099 == 17) s++; } if (s > 12) reach_error(); return 0; }\n";

/// Whichever engine dies, and whenever: the answer is right or unknown, and it comes.
#[test]
fn killed_engines_never_make_a_wrong_answer() {
    let scratch = Scratch::new("killed");
    let default = Strategy::named(portfolio::PORTFOLIO).expect("the default strategy");
    for (name, text, wrong) in [("safe.c", SAFE, "false"), ("unsafe.c", UNSAFE, "true")] {
        let file = scratch.file(name, text);
        for engine in engines::ENGINES.iter().map(|e| e.name).filter(|name| default.has(name)) {
            for after in ["1ms", "60ms"] {
                let fault = format!("{engine}@{after}");
                let limits = ["verify", "--time-limit", "500ms", "--replay", "interpreter", "--inject-fault"];
                let output = foldback(limits.into_iter().chain([fault.as_str(), &file.to_string_lossy()]));
                let text = stdout(&output);
                let last = text.lines().last().unwrap_or_default();
                assert!(last.starts_with("RESULT: "), "{fault} on {name}: {text}");
                assert!(!last.contains(wrong), "{fault} on {name}: {text}");
            }
        }
    }
}

#[test]
fn a_lone_engine_that_dies_is_named() {
    let scratch = Scratch::new("lone");
    let file = scratch.file("unsafe.c", UNSAFE);
    let output = foldback(["verify", "--engine", "kind", "--inject-fault", "kind@1ms", &file.to_string_lossy()]);
    let text = stdout(&output);
    assert!(text.contains("RESULT: unknown(crashed: kind ended by signal 9"), "{text}");
    assert_eq!(output.status.code(), Some(3));
}

/// Where all others have given up, random executions do not use up all the time.
#[test]
fn what_nobody_models_is_told_soon() {
    let scratch = Scratch::new("unsupported");
    let file = scratch.file(
        "signal.c",
        "#include <signal.h>\nextern void reach_error(void);\nvoid f(int n) { reach_error(); }\n\
         int main(void) { signal(SIGINT, f); return 0; }\n",
    );
    let json = scratch.path("result.json");
    let limits = ["verify", "--time-limit", "20s", "--json"];
    let output = foldback(limits.into_iter().chain([&*json.to_string_lossy(), &*file.to_string_lossy()]));
    let text = stdout(&output);
    assert!(text.contains("RESULT: unknown(unsupported: ") && text.contains("signal"), "{text}");
    let kept = std::fs::read_to_string(&json).expect("the result is kept");
    let result: serde_json::Value = serde_json::from_str(&kept).expect("JSON");
    let seconds = result["runs"].as_array().expect("runs").iter().filter_map(|run| run["cpu_seconds"].as_f64());
    assert!(seconds.sum::<f64>() < 8.0, "{text}");
}

#[test]
fn strategies_are_files() {
    let scratch = Scratch::new("strategies");
    let program = scratch.file("p.c", SAFE);
    let run = |text: &str| {
        let strategy = scratch.file("s.toml", text);
        foldback([
            "verify",
            "--time-limit",
            "10s",
            &program.to_string_lossy(),
            "--strategy",
            &strategy.to_string_lossy(),
        ])
    };
    let slow = run("[[once]]\nengine = \"bmc\"\nseconds = 0.05\n");
    assert!(stdout(&slow).contains("RESULT: unknown("), "{}", stdout(&slow));
    let refused = run("[[once]]\nengine = \"oracle\"\nseconds = 1\n");
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("no engine `oracle`"), "{}", stderr(&refused));
}

/// A program without inputs has one execution, however deep it recurses: running it decides, and the compiled program agrees.
#[test]
fn the_only_execution_decides() {
    let scratch = Scratch::new("only-execution");
    let program = |expected: u32| {
        format!(
            "extern void reach_error(void);\n\
             int fibonacci(int n) {{ return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }}\n\
             int main(void) {{ if (fibonacci(22) != {expected}) reach_error(); return 0; }}\n"
        )
    };
    for (expected, verdict) in [(17711, "RESULT: true"), (17712, "RESULT: false(unreach-call)")] {
        let file = scratch.file(&format!("fibonacci{expected}.c"), program(expected));
        let output = foldback(["verify", "-p", "unreach-call", &file.to_string_lossy()]);
        let said = stdout(&output);
        assert!(said.trim_end().ends_with(verdict), "{said}");
        assert!(
            verdict.contains("false") || said.contains("run by the interpreter and by the compiled program"),
            "{said}"
        );
    }
}
