//! Recursion is folded: calls that come last are loops, the others keep contracts, and neither hides a bug.

use crate::common::{Scratch, verify};

const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);\n\
    extern void abort(void); void reach_error(void) { abort(); }\n\
    #define check(c) do { if (!(c)) reach_error(); } while (0)\n";

/// Property, program, result, and what the proof mentions.
const PROGRAMS: &[(&str, &str, &str, &str)] = &[
    (
        "unreach-call",
        "int id(int n) { if (n <= 0) return 0; return 1 + id(n - 1); }
         int main() { int n = __VERIFIER_nondet_int(); if (n >= 0) check(id(n) == n); }",
        "true",
        "contract of the function id:",
    ),
    (
        "unreach-call",
        "int id(int n) { if (n <= 0) return 0; if (n == 5000) return 3; return 1 + id(n - 1); }
         int main() { int n = __VERIFIER_nondet_int(); if (n >= 0) check(id(n) == n); }",
        "false(unreach-call)",
        "",
    ),
    (
        "unreach-call",
        "unsigned sum(unsigned n) { return n == 0 ? 0 : n + sum(n - 1); }
         int main() { unsigned n = __VERIFIER_nondet_uint(); check(2 * sum(n) == n * (n + 1)); }",
        "true",
        "ensures \\result * 2u == n + n * n",
    ),
    (
        "unreach-call",
        "int g; void up(int n) { if (n > 0) { g++; up(n - 1); g--; } }
         int main() { g = 5; up(__VERIFIER_nondet_int()); check(g == 5); }",
        "true",
        "ensures g == \\old(g)",
    ),
    (
        "unreach-call",
        "int f(int x) { if (x > 100) return x - 10; return f(f(x + 11)); }
         int main() { int x = __VERIFIER_nondet_int(); int r = f(x); check(r == 91 || x > 101); }",
        "true",
        "contract of the function f:",
    ),
    (
        "unreach-call",
        "int odd(unsigned n); int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
         int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
         int main() { unsigned n = __VERIFIER_nondet_uint(); check(even(n) == 1 - n % 2); }",
        "true",
        "loop at",
    ),
    (
        "unreach-call",
        "int even(unsigned n); int odd(unsigned n) { if (n == 70000) return 1; return n == 0 ? 0 : even(n - 1); }
         int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
         int main() { unsigned n = __VERIFIER_nondet_uint(); if (n < 100000) check(even(n) == 1 - n % 2); }",
        "false(unreach-call)",
        "",
    ),
    // An error inside the recursion, and one that only some depth shows.
    (
        "unreach-call",
        "void f(int n, int m) { check(n + m != 3000); if (n > 0) { f(n - 1, m); f(n - 2, m); } }
         int main() { f(2, __VERIFIER_nondet_int()); }",
        "false(unreach-call)",
        "",
    ),
    (
        "no-overflow",
        "int depth(int n) { if (n <= 0) return 0; return 1 + depth(n - 1); }
         int main() { int n = __VERIFIER_nondet_int(); if (n < 1000000) return depth(n) > 3; }",
        "true",
        "contract of the function depth:",
    ),
    // What is never written stays, also where a contract stands for the call; what a callee writes does not.
    (
        "unreach-call",
        "int k; int f(int n) { if (n <= 0) return 0; return k + f(n - 1); }
         int main() { k = 0; int n = __VERIFIER_nondet_int(); check(f(n) == 0); check(k == 0); }",
        "true",
        "contract of the function f:",
    ),
    (
        "unreach-call",
        "int k; void w(int n) { if (n == 7) k = 4; } int f(int n) { if (n <= 0) return 0; w(n); return 1 + f(n - 1); }
         int main() { k = 3; int n = __VERIFIER_nondet_int(); f(n); check(k == 3); }",
        "false(unreach-call)",
        "",
    ),
];

#[test]
fn recursive_programs_are_answered_right() {
    let scratch = Scratch::new("recursion");
    for (property, program, expected, mentioned) in PROGRAMS {
        let (result, said) = verify(&scratch, &format!("{HEAD}{program}\n"), property, "40s");
        assert_eq!(&result, expected, "{program}\n{said}");
        assert!(said.contains(mentioned), "{program}\n{said}");
    }
}

/// A contract allows any value, and an address that comes from nowhere points at nothing: what is written through it must not be lost.
#[test]
fn addresses_are_no_matter_of_contracts() {
    let scratch = Scratch::new("recursion-addresses");
    let program = "int a[4], b[4], c[4]; unsigned g;
        int *pick(int n, unsigned k, int *q) {
          if (n <= 0) return n == -5 ? b : n == -6 ? c : q;
          int *r = pick(n - 1, k, n == 1000 && k * k * k == 1593359569u ? a : n == 1001 ? b : q); g++; return r;
        }
        int main() {
          int n = __VERIFIER_nondet_int(); int *p = n != 5 ? pick(n, __VERIFIER_nondet_int(), c) : c;
          *p = 5; check(a[0] != 5);
        }";
    let (result, said) = verify(&scratch, &format!("{HEAD}{program}\n"), "unreach-call", "4s");
    assert!(!result.starts_with("true"), "{said}");
}
