//! What is believed was checked: programs whose exhaustive exploration was wrong once, or was not looked at again.

use crate::common::{Scratch, verify};

const HEAD: &str = "#include <assert.h>\nextern unsigned __VERIFIER_nondet_uint(void); extern int __VERIFIER_nondet_int(void);\n\
    void reach_error(void);\n";

/// Property, program, result, what else is said.
const ANSWERS: &[(&str, &str, &str, &str)] = &[
    // An array that is too large to be carried back from a concrete stretch.
    (
        "assert",
        "int a[70000], b[300]; int main() { int i; for (i = 0; i < 70000; i++) a[i] = 7; unsigned m = __VERIFIER_nondet_uint();
         for (i = 0; i < 300; i++) b[i] = i * 3; for (i = 1; i < 300; i++) b[i] += b[i - 1];
         if (m == b[299]) assert(a[69999] == 0); }",
        "false(assert)",
        "",
    ),
    (
        "assert",
        "int b[300]; int main() { int i; unsigned m = __VERIFIER_nondet_uint();
         for (i = 0; i < 300; i++) b[i] = i * 3; for (i = 1; i < 300; i++) b[i] += b[i - 1];
         if (m == b[299]) assert(m == 134550); }",
        "true",
        "proved again",
    ),
    // Paths, one by one.
    (
        "unreach-call",
        "int main() { unsigned s = 1, i; for (i = 0; i < 200; i++) { s = s * 1664525u + 1013904223u; if (__VERIFIER_nondet_int() && i % 50 == 7) s ^= 5; }
         if (s == 12345) reach_error(); }",
        "true",
        "proved again",
    ),
    // Hundreds of branches whose sum is bounded.
    (
        "unreach-call",
        "#define I if (__VERIFIER_nondet_int()) s++;
         #define T I I I I I I I I I I
         #define H T T T T T T T T T T
         int main() { int s = 0; H H H if (s > 300) reach_error(); }",
        "true",
        "proved again",
    ),
];

#[test]
fn what_is_believed_was_checked() {
    let scratch = Scratch::new("believed");
    for (property, program, expected, said) in ANSWERS {
        let (result, all) = verify(&scratch, &format!("{HEAD}{program}"), property, "30s");
        assert_eq!(&result, expected, "{program}\n{all}");
        assert!(all.contains(said), "{program}\n{all}");
    }
}
