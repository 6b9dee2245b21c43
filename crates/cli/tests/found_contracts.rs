//! Contracts that are found: what is shown is proved again as part of the program and says what it should, and where contracts
//! stand for calls no bug is hidden by them.

use crate::common::{Scratch, foldback, stderr, stdout};

/// Functions of which executions suggest more than holds, and some that write.
const PROGRAM: &str = "\
extern int __VERIFIER_nondet_int(void);
int g; int t[4];
int clamp(int x) { if (x < 0) return 0; if (x > 100) return 100; return x; }
int count(int n) { int i = 0; while (i < n) i++; return i; }
int sum(int a, int b) { return a + b; }
int rare(int x) { if (x == 123456789) return -1; return x & 7; }
void tick(void) { if (g < 50) g = g + 1; else g = 0; }
void fill(int x) { for (int i = 0; i < 4; i++) t[i] = x; }
int most(const int *a, int n) { int m = 0; for (int i = 0; i < n; i++) if (a[i] > m) m = a[i]; return m; }
void put(int *p, int x) { *p = x; }
int next(void) { static int c; c = (c + 1) & 15; return c; }
int main(void) {
  int x = __VERIFIER_nondet_int(), a[3] = {1, 2, 3};
  g = 7; tick(); fill(1); put(&x, 5);
  return clamp(x) + count(3) + sum(1, 2) + rare(x) + most(a, 3) + next();
}
";

fn said(name: &str, program: &str, flags: &[&str]) -> String {
    let scratch = Scratch::new(&format!("found-{name}"));
    let file = scratch.file("program.c", program);
    let words = ["verify", file.to_str().expect("a plain path"), "--time-limit", "600s"];
    let output = foldback(words.iter().chain(flags));
    stdout(&output) + &stderr(&output)
}

fn result(said: &str) -> &str {
    said.lines().find_map(|line| line.strip_prefix("RESULT: ")).unwrap_or_default()
}

/// The contracts that are shown: functions with their clauses.
fn shown(said: &str) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for line in said.lines() {
        if let Some(rest) = line.strip_prefix("note: a contract of '") {
            found.push((rest.split('\'').next().unwrap_or_default().to_owned(), Vec::new()));
        } else if let (Some(clause), Some((_, clauses))) = (line.strip_prefix("    __CPROVER_"), found.last_mut()) {
            clauses.push(format!("__CPROVER_{clause}"));
        }
    }
    found
}

/// The program with contracts behind the declarators.
fn written_in(program: &str, contracts: &[(String, Vec<String>)]) -> String {
    let mut program = program.to_owned();
    for (function, clauses) in contracts {
        let line =
            program.lines().find(|line| line.contains(&format!(" {function}("))).expect("its definition").to_owned();
        program = program.replace(&line, &line.replacen(") {", &format!(") {} {{", clauses.join(" ")), 1));
    }
    program
}

#[test]
fn what_is_shown_is_proved_and_says_enough_and_not_too_much() {
    let all = said("shown", PROGRAM, &["--show-contracts"]);
    let contracts = shown(&all);
    let names: Vec<&str> = contracts.iter().map(|(name, _)| name.as_str()).collect();
    for function in ["clamp", "count", "sum", "rare", "tick", "fill", "most", "put"] {
        assert!(names.contains(&function), "{function}: {all}");
    }
    // Nobody outside can say what a variable inside of a function is.
    assert!(all.contains("no contract was found in time of 'next'"), "{all}");
    let program = written_in(PROGRAM, &contracts);
    for name in &names {
        let again = said(&format!("again-{name}"), &program, &["--check-contract", name]);
        assert_eq!(result(&again), "true", "{name}: {program}\n{again}");
    }
    // What follows from the contracts alone, and what must not.
    let head = program.split("int main(void)").next().expect("a head");
    let claims = [
        ("int x = __VERIFIER_nondet_int(); int r = clamp(x); assert(0 <= r && r <= 100);", "true"),
        ("int r = clamp(__VERIFIER_nondet_int()); assert(r <= 99);", "false(assert)"),
        ("int n = __VERIFIER_nondet_int(); int r = count(n); assert(r >= 0 && r >= n);", "true"),
        ("int a = 3, b = 4; assert(sum(a, b) == 7);", "true"),
        ("int r = rare(__VERIFIER_nondet_int()); assert(r >= 0);", "false(assert)"),
        ("int r = rare(__VERIFIER_nondet_int()); assert(r <= 7);", "true"),
        ("t[2] = 8; g = 9; clamp(5); assert(t[2] == 8 && g == 9);", "true"),
        ("g = 3; tick(); assert(g == 3);", "false(assert)"),
        ("t[2] = 8; fill(1); assert(t[2] == 8);", "false(assert)"),
        ("g = 3; fill(1); assert(g == 3);", "true"),
        ("int x = 1, y = 2; put(&x, 5); assert(y == 2);", "true"),
        ("int x = 1; put(&x, 5); assert(x == 1);", "false(assert)"),
    ];
    for (number, (claim, expected)) in claims.into_iter().enumerate() {
        let main = format!("#include <assert.h>\n{head}int main(void) {{ {claim} return 0; }}\n");
        let flags = ["--use-contract", "all", "--property", "assert"];
        let answer = said(&format!("claim-{number}"), &main, &flags);
        assert_eq!(result(&answer), expected, "{claim}\n{main}\n{answer}");
    }
}

#[test]
fn contracts_stand_for_calls_and_hide_nothing() {
    let head = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n";
    let loops = "int count(int n) { int i = 0; while (i < n) i++; return i; }\n";
    let many = "  { int n = __VERIFIER_nondet_int(); int r = count(n); assert(r >= 0 && r >= n); }\n".repeat(12);
    let cases = [
        // One loop instead of twelve.
        ("many", format!("{loops}int main(void) {{\n{many}}}\n"), "true", "contract of the function count:"),
        // A contract of any kind is too weak: the calls are inlined.
        (
            "weak",
            "unsigned h(unsigned x) { unsigned r = 0; for (int i = 0; i < 3; i++) r = r * 31 + (x ^ (x >> 3)); return r; }
             int main(void) { assert(h(7) == h(7)); assert(h(1) != h(2)); }"
                .to_owned(),
            "true",
            "",
        ),
        // What executions never show breaks the contract that they suggest.
        (
            "rare",
            "int f(int x) { int r = 0; for (int i = 0; i < 3; i++) r += x & 1; if (x == 99999999) r = 100; return r; }
             int main(void) { int x = __VERIFIER_nondet_int(); assert(f(x) <= 3); assert(f(5) <= 3); }"
                .to_owned(),
            "false(assert)",
            "",
        ),
        // An error inside of a function, which one of its calls comes to.
        (
            "inside",
            "int f(int x) { int r = 0; for (int i = 0; i < 3; i++) r += i; assert(x != 77777777); return r; }
             int main(void) { f(1); f(2); int x = __VERIFIER_nondet_int(); if (x > 5) f(x); }"
                .to_owned(),
            "false(assert)",
            "",
        ),
        // Globals that a callee of the callee writes.
        (
            "globals",
            "int g; void set(int x) { g = x; } void f(int x) { for (int i = 0; i < 3; i++) if (x == 88888888) set(1); }
             int main(void) { f(1); f(__VERIFIER_nondet_int()); assert(g == 0); }"
                .to_owned(),
            "false(assert)",
            "",
        ),
        // A call that does not come back is none that ends in an error.
        (
            "never",
            "void exit(int); int f(int x) { int r = 0; for (int i = 0; i < 3; i++) r++; if (x < 0) exit(0); return x; }
             int main(void) { f(3); int x = __VERIFIER_nondet_int(); int r = f(x); assert(r >= 0); }"
                .to_owned(),
            "true",
            "",
        ),
        // Contracts that stand for calls of one another.
        (
            "nested",
            "int low(int x) { int i = 0; while (i < 5) i++; return x < 0 ? 0 : x; }
             int both(int x) { int r = low(x) > 10 ? 10 : low(x); for (int i = 0; i < 3; i++) r += 0; return r; }
             int main(void) { int x = __VERIFIER_nondet_int(); int a = both(x), b = both(7); assert(a >= 0 && a <= 10 && b <= 10); }"
                .to_owned(),
            "true",
            "",
        ),
    ];
    for (name, program, expected, says) in cases {
        let answer = said(name, &format!("{head}{program}"), &["--found-contracts", "--property", "assert"]);
        assert_eq!(result(&answer), expected, "{name}: {program}\n{answer}");
        assert!(answer.contains(says), "{name}: {program}\n{answer}");
    }
}

/// Addresses that come back from calls, as pointers and as numbers: what is written through them is not lost. And what is said of memory
/// is proved with all accesses checked, whatever was asked.
#[test]
fn addresses_and_memory() {
    let head = "#include <assert.h>\n#include <stdint.h>\nextern int __VERIFIER_nondet_int(void);\nint a, b, c;\n";
    let pick = "for (int i = 0; i < 3; i++) k = k & 0xffffff; if (k == 7777777)";
    let programs = [
        (
            "pointer",
            format!(
                "int *f(int k) {{ {pick} return &a; return &b; }}
                 int main(void) {{ int *p = &c; if (__VERIFIER_nondet_int()) p = f(1); *p = 0; p = &c;
                   if (__VERIFIER_nondet_int()) p = f(__VERIFIER_nondet_int()); *p = 5; assert(a != 5); }}"
            ),
        ),
        (
            "pointer to pointer",
            format!(
                "int *pa = &a, *pb = &b, *pc = &c; int **f(int k) {{ {pick} return &pa; return &pb; }}
                 int main(void) {{ int n = __VERIFIER_nondet_int(); int **p = &pc; if (n > 3) p = f(n ^ 12345);
                   if (n < -3) p = f(n); **p = 5; assert(a != 5); }}"
            ),
        ),
        (
            "number",
            format!(
                "uintptr_t f(int k) {{ {pick} return (uintptr_t)&a; return (uintptr_t)&b; }}
                 int main(void) {{ uintptr_t p = (uintptr_t)&c; int n = __VERIFIER_nondet_int(); if (n > 0) p = f(1);
                   if (n < 17777777) p = f(n ^ 12345); *(int *)p = 5; assert(a != 5); }}"
            ),
        ),
    ];
    for (name, program) in programs {
        let flags = ["--found-contracts", "--property", "assert", "--time-limit", "20s"];
        let answer = said(name, &format!("{head}{program}"), &flags);
        assert!(!result(&answer).starts_with("true"), "{name}: {program}\n{answer}");
    }
    let writes = "struct s { int a; }; void sets(struct s *q, int v) { q->a = v; }\n\
                  int main(void) { struct s x = { 0 }; sets(&x, 1); assert(x.a == 1); }\n";
    let answer = said("writes", &format!("{head}{writes}"), &["--show-contracts", "--property", "assert"]);
    assert!(!answer.contains("__CPROVER_assigns()"), "{answer}");
}
