//! Danger invariants from files, and termination, as the user sees them.

use crate::common::{Scratch, foldback, root, stderr, stdout};
use std::ffi::OsString;

/// What is said about the example with the given danger invariant.
fn crackaddr(scratch: &Scratch, yaml: &str) -> String {
    let file = scratch.file("danger.yml", yaml);
    let arguments: [OsString; 4] =
        ["verify".into(), root().join("examples/crackaddr.c").into(), "--danger-invariant".into(), file.into()];
    let output = foldback(arguments);
    stdout(&output) + &stderr(&output)
}

#[test]
fn written_danger_invariants_are_checked() {
    let scratch = Scratch::new("danger");
    let right = std::fs::read_to_string(root().join("examples/crackaddr.danger.yml")).expect("the example");
    let said = crackaddr(&scratch, &right);
    assert!(said.contains("RESULT: false(unreach-call)"), "{said}");
    let mutants = [
        ("in <= 200", "in <= 100", "is reached outside its invariant"),
        ("200 - in", "in", "ranking does not decrease"),
        ("? '(' : ')'", "? ')' : '('", "is reached outside its invariant"),
        ("out == in", "out == in + 1", "first reached outside its invariant"),
        ("in <= 200 &&", "in <= 1000000 &&", "ends without a violation"),
        ("upperlimit == 190 + in / 2", "upperlimit >= 190", "is reached outside its invariant"),
    ];
    for (from, to, reason) in mutants {
        assert!(right.contains(from), "{from}");
        let said = crackaddr(&scratch, &right.replace(from, to));
        assert!(
            said.contains("RESULT: unknown(the danger invariant does not hold") && said.contains(reason),
            "{to}: {said}"
        );
    }
    let said = crackaddr(&scratch, &right.replace("line: 15", "line: 3"));
    assert!(said.contains("there is no loop"), "{said}");
}

#[test]
fn found_danger_invariants_are_written_and_read_back() {
    let scratch = Scratch::new("danger-witness");
    let source = "extern _Bool __VERIFIER_nondet_bool(void);\nextern void reach_error(void);\nint main() {\n  int x = 0, y = 1;\n  \
                  while (x < 2000000000) {\n    x++;\n    if (__VERIFIER_nondet_bool()) y++;\n  }\n  \
                  if (x == y) reach_error();\n  return 0;\n}\n";
    let file = scratch.file("program.c", source);
    let witness = file.with_file_name("witness.yml");
    let found: [OsString; 6] = [
        "verify".into(),
        "--engine".into(),
        "danger".into(),
        "--witness".into(),
        witness.clone().into(),
        file.clone().into(),
    ];
    let output = foldback(found);
    let said = stdout(&output) + &stderr(&output);
    assert!(said.contains("RESULT: false(unreach-call)"), "{said}");
    let text = std::fs::read_to_string(&witness).expect("the witness");
    for part in ["entry_type: violation_sequence", "type: target", "entry_type: danger_invariant", "ranking:"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let read: [OsString; 4] = ["verify".into(), file.into(), "--danger-invariant".into(), witness.into()];
    let output = foldback(read);
    let said = stdout(&output) + &stderr(&output);
    assert!(said.contains("RESULT: false(unreach-call)"), "{said}");
}

/// The reason names the loops of which nothing is known.
#[test]
fn open_loops_are_named() {
    let scratch = Scratch::new("open-loops");
    let digits = "extern unsigned __VERIFIER_nondet_uint(void);\n\
                  int main() { unsigned n = __VERIFIER_nondet_uint(), i = 0; while (i < 9) i++;\n\
                  while (n >= 10) { unsigned s = 0; while (n) { s += n % 10; n /= 10; } n = s; } return 0; }";
    let last = decided(&scratch, digits, "15s");
    assert!(last.contains("program.c:3:1") && last.contains("may not end") && !last.contains(":2:"), "{last}");
}

fn terminates(scratch: &Scratch, source: &str) -> String {
    decided(scratch, source, "30s")
}

fn decided(scratch: &Scratch, source: &str, time: &str) -> String {
    let file = scratch.file("program.c", source);
    let arguments: [OsString; 6] =
        ["verify".into(), file.into(), "--property".into(), "termination".into(), "--time-limit".into(), time.into()];
    let output = foldback(arguments);
    stdout(&output).lines().last().unwrap_or_default().to_owned()
}

#[test]
fn termination_is_decided() {
    let scratch = Scratch::new("termination");
    let input = "extern int __VERIFIER_nondet_int(void);\n";
    let loops = format!("{input}int main() {{ int n = __VERIFIER_nondet_int(); while (n > 0) n--; return 0; }}");
    assert_eq!(terminates(&scratch, &loops), "RESULT: true");
    let endless = format!(
        "{input}int main() {{ int n = __VERIFIER_nondet_int(); while (n > 0) {{ if (n > 5) n--; }} return 0; }}"
    );
    assert_eq!(terminates(&scratch, &endless), "RESULT: false(termination)");
    assert_eq!(terminates(&scratch, "int main() { while (1) ; }"), "RESULT: false(termination)");
    // Memory is part of the state.
    let memory =
        "int main() { int a[4] = {0, 1, 2, 3}, i = 0; while (a[i] == i) { a[i] = i; i = (i + 1) % 4; } return 0; }";
    assert_eq!(terminates(&scratch, memory), "RESULT: false(termination)");
    // Recursion has no bound in proofs that there is an end.
    let recursive = format!(
        "{input}int f(int m, int n) {{ if (m <= 0) return n + 1; if (n <= 0) return f(m - 1, 1); \
         return f(m - 1, f(m, n - 1)); }} int main() {{ f(__VERIFIER_nondet_int(), __VERIFIER_nondet_int()); return 0; }}"
    );
    assert_eq!(terminates(&scratch, &recursive), "RESULT: true");
    let mutual = format!(
        "{input}int odd(int n); int even(int n) {{ if (n <= 0) return 1; return odd(n - 1); }} \
         int odd(int n) {{ if (n <= 0) return 0; return even(n - 1); }} \
         int main() {{ return even(__VERIFIER_nondet_int()); }}"
    );
    assert_eq!(terminates(&scratch, &mutual), "RESULT: true");
    // A string that ends, or an access outside of it.
    let string = "extern int __VERIFIER_nondet_int(void); extern void *malloc(unsigned long);\n\
                  int main() { int n = __VERIFIER_nondet_int(); if (n < 1) return 0; char *s = malloc(n), *p = s; \
                  s[n - 1] = 0; while (*p++ != 0) ; return 0; }";
    assert_eq!(terminates(&scratch, string), "RESULT: true");
    // A call that comes last is a jump; other recursion that does not end is beyond the model.
    let last = terminates(&scratch, "void f(void) { f(); } int main() { f(); return 0; }");
    assert_eq!(last, "RESULT: false(termination)");
    let recursion = terminates(&scratch, "int f(void) { return 1 + f(); } int main() { f(); return 0; }");
    assert!(recursion.starts_with("RESULT: unknown"), "{recursion}");
    // No measure of ours tells how far these are from their ends: all that they do is looked at.
    let float = "int main() { float x = 0; while (x < 10.0f) x += 0.5f; return 0; }";
    assert_eq!(terminates(&scratch, float), "RESULT: true");
    let generator = "int main() { unsigned char s = 7; while (s != 0) s = s * 5 + 3; return 0; }";
    assert_eq!(terminates(&scratch, generator), "RESULT: true");
    // The next number of a pair is a remainder; a phase in which the number goes up; floats, far from their ends.
    let input =
        format!("{input}extern unsigned __VERIFIER_nondet_uint(void); extern double __VERIFIER_nondet_double(void);\n");
    for body in [
        "unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(); while (b != 0) { unsigned t = a % b; a = b; b = t; }",
        "int n = __VERIFIER_nondet_int(), s = 0; if (n > 100000) return 0; \
         while (n > 0) switch (s) { case 0: s = 1; break; case 1: s = 2; n -= 3; break; case 2: s = 0; n += 2; break; }",
        "int x = __VERIFIER_nondet_int(), d = 1; if (x < 0 || x > 1000) return 0; \
         while (x >= 0 && x <= 1000) { x += d; if (x == 1000) d = -1; }",
        "double x = __VERIFIER_nondet_double(); if (!(x >= -1000 && x <= 1000000)) return 0; while (x > 0.0) x -= 1.0;",
    ] {
        assert_eq!(
            terminates(&scratch, &format!("{input}int main() {{ {body} return 0; }}")),
            "RESULT: true",
            "{body}"
        );
    }
    // These go on: up as often as down, and where a float is so large that one more is no more.
    let up_and_down = "int n = __VERIFIER_nondet_int(), s = 0; if (n < 0 || n > 1000) return 0; \
                       while (n > 0) { if (s & 1) n--; else n++; s++; s &= 1; }";
    for body in [up_and_down, "float x = 0; while (x < 1e9f) x += 1.0f;"] {
        let last = terminates(&scratch, &format!("{input}int main() {{ {body} return 0; }}"));
        assert_eq!(last, "RESULT: false(termination)", "{body}");
    }
    // Only overflow makes this one infinite.
    let wraps = terminates(&scratch, "int main() { int x = 1; while (x != 0) { x = x + 2; } return 0; }");
    assert!(wraps.starts_with("RESULT: unknown"), "{wraps}");
}
