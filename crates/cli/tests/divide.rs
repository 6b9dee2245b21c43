//! One hard check does not lose the easy ones: an unknown result says which checks are proved and which are open.

use crate::common::{Scratch, verify};

const HEAD: &str = "#include <assert.h>
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern int __VERIFIER_nondet_int(void);
";

/// No two factors: nobody proves that soon.
const HARD: &str = "  unsigned long long x = __VERIFIER_nondet_ulonglong(), y = __VERIFIER_nondet_ulonglong();
  if (x < 2 || y < 2 || x >= 4294967296 || y >= 4294967296) return 0;
  assert(x * y != 2305843009213693951ULL);
";

#[test]
fn open_checks_are_told_from_proved_ones() {
    let before = "  int i = 0;\n  while (i < 10) i++;\n  assert(i == 10);\n";
    let after = "  int j = __VERIFIER_nondet_int();\n  while (j > 7) j--;\n  assert(j <= 7);\n";
    let program = format!("{HEAD}int main(void) {{\n{before}{HARD}{after}}}\n");
    let scratch = Scratch::new("divide");
    let (result, all) = verify(&scratch, &program, "assert", "8s");
    assert_eq!(result, "unknown(time limit)", "{all}");
    assert!(all.contains("2 of 3 checks proved, open:\n"), "{all}");
    let open: Vec<&str> = all.lines().filter(|line| line.contains("assertion fails")).collect();
    assert_eq!(open.len(), 1, "{all}");
    assert!(open[0].contains(":10:3: assertion fails: x * y"), "{all}");
}

#[test]
fn behind_a_bound_nothing_is_told() {
    // The recursion may be cut off, and what comes after it has then not been seen.
    let deep = "static int walk(int n, int m) { if (n <= 0) return m; return walk(n - 1, walk(n - 2, m) ^ n); }\n";
    let after = "  int i = 0;\n  while (i < 10) i++;\n  assert(i == 10);\n";
    let program = format!(
        "{HEAD}{deep}int main(void) {{\n  int m = walk(__VERIFIER_nondet_int(), 1);\n{HARD}{after}  return m;\n}}\n"
    );
    let scratch = Scratch::new("divide-bound");
    let (result, all) = verify(&scratch, &program, "assert", "6s");
    assert!(result.starts_with("unknown"), "{all}");
    assert!(!all.contains("checks proved"), "{all}");
}
