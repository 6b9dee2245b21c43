//! ACSL annotations: what is right is proved, what is wrong is refused, integers are mathematical, and what is not understood is an error
//! at its place.

use crate::common::{Scratch, check_contract as check, verify_with};

const CHECK_F: &[&str] = &["--acsl", "--check-contract", "f"];
const ACSL: &[&str] = &["--acsl"];

#[test]
fn integers_are_mathematical() {
    let program = |ensures: &str, body: &str| {
        format!("/*@ ensures {ensures}; assigns \\nothing; */\nlong f(int x, int y) {{ return {body}; }}\n")
    };
    // In C the first would be false of the largest int, and the second of two large ones.
    check("successor", &program("x + 1 > x", "0"), CHECK_F, "true", "");
    check("sum", &program("\\result == x + y", "(long)x + y"), CHECK_F, "true", "");
    check("sum-wraps", &program("\\result == x + y", "(int)((unsigned)x + (unsigned)y)"), CHECK_F, "false(assert)", "");
    check("wrapped", &program("\\result == (int)(x + y)", "(int)((unsigned)x + (unsigned)y)"), CHECK_F, "true", "");
    // A comparison of signed with unsigned numbers is one of numbers.
    check("signs", &program("-1 < 0u && x - 4294967296 < y", "0"), CHECK_F, "true", "");
    check("shift", &program("\\result == (x >> 1) + (1 << 40)", "(x >> 1) + (1L << 40)"), CHECK_F, "true", "");
    check("bits", &program("\\result == (x & 15) && ~x == -x - 1", "x & 15"), CHECK_F, "true", "");
    check("remainder", &program("\\result == x % 7 - x / -2", "(long)x % 7 - (long)x / -2"), CHECK_F, "true", "");
    check(
        "functions",
        &program("\\result == \\max(\\abs(x), y)", "((x < 0 ? -(long)x : x) > y ? (x < 0 ? -(long)x : x) : y)"),
        CHECK_F,
        "true",
        "",
    );
    check("functions-not", &program("\\result == \\max(x, y)", "x < y ? x : y"), CHECK_F, "false(assert)", "");
}

#[test]
fn what_is_not_exact_is_refused() {
    let program = |ensures: &str| {
        format!("/*@ ensures {ensures}; */\nunsigned long f(unsigned long x, int *p, double d) {{ return x; }}\n")
    };
    let refused = |name: &str, ensures: &str, says: &str| {
        check(name, &program(ensures), CHECK_F, "", says);
        check(name, &program(ensures), CHECK_F, "", "program.c:1:");
    };
    refused("wide", "x * x >= 0", "more than 128 bits");
    refused("zero", "x / x <= 1", "a divisor that may be zero");
    refused("shift-by", "1 << x > 0", "by constants");
    refused("real", "d > 0", "integers and pointers are compared");
    refused("endless", "\\forall integer i; i + 1 > i", "needs bounds");
    refused("half", "\\forall integer i; 0 <= i ==> x >= 0", "needs bounds");
    refused("exists", "\\exists integer i; 0 <= i < 3 ==> i == 1", "needs bounds");
    refused("mixed", "0 < x > 1", "one direction");
    refused("truth", "(x > 0) == (x < 2)", "<==> is meant");
    refused("call", "g(x) == 0", "nothing that ACSL knows");
    refused("old", "\\old(x) == x && \\at(x, Later) == 1", "the label 'Later'");
    refused("unknown", "\\fresh(p, 4)", "'\\fresh' of ACSL is not known");
}

#[test]
fn what_is_not_understood_is_an_error() {
    let refused = |name: &str, program: &str, says: &str| check(name, program, ACSL, "", says);
    refused("clause", "/*@ behavior b: ensures \\true; */ int f(void) { return 0; }", "'behavior'");
    refused("predicate", "/*@ predicate p(int x) = x > 0; */ int main(void) { return 0; }", "'predicate'");
    refused("variable", "/*@ requires \\true; */ int x; int main(void) { return 0; }", "no function");
    refused("place", "int main(void) { int x = /*@ assert 1; */ 3; return x; }", "where none is read");
    refused("loop", "int main(void) { /*@ loop invariant 1; */ int x = 3; return x; }", "no loop");
    refused("end", "int main(void) { return 0; }\n/*@ requires \\true; */\n", "where none is read");
    refused("ghost", "int main(void) { /*@ ghost int x = 1; */ return 0; }", "'ghost'");
    refused("macro", "#define M(x) x\nint main(void) { M(/*@ assert 1; */ 3); return 0; }", "use of a macro");
    refused("two", "/*@ ensures 1; */ int f(void) __CPROVER_ensures(1) { return 0; }", "that has another one");
    refused("semicolon", "int main(void) {\n  //@ assert 1\n  return 0;\n}", "expected ';'");
    // What is skipped is not read.
    check(
        "skipped",
        "#if 0\n//@ nonsense\n#endif\nint main(void) { //@ assert 1 ==> 1;\n return 0; }",
        ACSL,
        "true",
        "",
    );
    let ignored = "int main(void) { //@ assert 0;\n return 0; }";
    check("ignored", ignored, &[], "true", "ACSL annotations are ignored; --acsl uses them");
    check("used", ignored, ACSL, "false(assert)", "assertion fails: 0");
}

#[test]
fn pointers_may_be_equal_unless_they_are_separated() {
    let program = |requires: &str, ensures: &str, body: &str| {
        format!(
            "/*@ requires {requires};\n  @ assigns *a, *b;\n  @ ensures {ensures};\n  @*/\n\
             void f(int *a, int *b) {{ {body} }}\n"
        )
    };
    let both = "\\valid(a) && \\valid(b)";
    let swap = "int t = *a; *a = *b; *b = t;";
    check("swap", &program(both, "*a == \\old(*b) && *b == \\old(*a)", swap), CHECK_F, "true", "");
    check(
        "alias",
        &program(both, "*a == 1", "*a = 1; *b = 2;"),
        CHECK_F,
        "false(assert)",
        "the postcondition of f fails",
    );
    let apart = format!("{both} && \\separated(a, b)");
    check("apart", &program(&apart, "*a == 1", "*a = 1; *b = 2;"), CHECK_F, "true", "");
    // Order means nothing, and neither does the comment's layout.
    let late = "*a > 0 && \\separated(a, b) && \\valid(b) && \\valid(a)";
    check("late", &program(late, "\\old(*a) > 0 && *a == 1", "*a = 1; *b = 2;"), CHECK_F, "true", "");
    check("null", &program("a == \\null && \\valid(b)", "\\true", "*a = 1;"), CHECK_F, "false(valid-deref)", "");
    check(
        "maybe",
        &program("(a != \\null ==> \\valid(a)) && \\valid(b)", "\\true", "if (a) *a = 1;"),
        CHECK_F,
        "true",
        "",
    );
    check(
        "maybe-not",
        &program("(a != \\null ==> \\valid(a)) && \\valid(b)", "\\true", "*a = 1;"),
        CHECK_F,
        "false(valid-deref)",
        "",
    );
    // Rows may overlap in many ways.
    let rows = "\\valid(a + (0..3)) && \\valid(b + (0..3))";
    check("rows", &program(rows, "\\true", "a[3] = b[3];"), CHECK_F, "unknown", "\\separated says otherwise");
    // Of their first elements alone nothing follows.
    let first = format!("{rows} && \\separated(a, b)");
    check("first", &program(&first, "\\true", "a[3] = b[3];"), CHECK_F, "unknown", "\\separated says otherwise");
}

#[test]
fn pointers_may_point_into_variables() {
    let program = |global: &str, requires: &str| {
        format!(
            "{global} int g;\n/*@ requires \\valid(p){requires}; ensures g == 1; */\nvoid f(int *p) {{ g = 1; *p = 2; }}\n"
        )
    };
    check("global", &program("", ""), CHECK_F, "unknown", "may point into 'g'");
    check("global-apart", &program("", " && \\separated(p, &g)"), CHECK_F, "true", "");
    check("hidden", &program("static", ""), CHECK_F, "true", "");
}

#[test]
fn what_may_only_be_read_is_not_written() {
    let program = |valid: &str, body: &str| {
        format!("/*@ requires {valid}(p) && \\valid_read(q); */\nint f(int *p, int *q) {{ {body} }}\n")
    };
    check("read", &program("\\valid_read", "return *p == *q;"), CHECK_F, "true", "");
    check("write", &program("\\valid_read", "*p = 1; return 0;"), CHECK_F, "false(valid-deref)", "constant object");
    check("writable", &program("\\valid", "*p = 1; return 0;"), CHECK_F, "true", "");
    // What is read may change by a write elsewhere.
    let seen = "int x = *q; *p = x + 1u; //@ assert *q == x;\n return 0;";
    check("seen", &program("\\valid", seen), CHECK_F, "false(assert)", "");
    check("unseen", &program("\\valid_read", "int x = *q; //@ assert *q == x;\n return *p;"), CHECK_F, "true", "");
    // Three pointers to the same place.
    let three = "/*@ requires \\valid_read(p) && \\valid_read(q) && \\valid(r); */\nint f(int *p, int *q, int *r) {\n\
                 unsigned x = *p, y = *q; *r = 5; //@ assert *p == (int)x || *q == (int)y || x != y;\n return 0; }\n";
    check("three", three, CHECK_F, "false(assert)", "");
    // A literal is not valid for writing.
    let literal =
        |word: &str| format!("int main(void) {{ char *s = \"abc\"; //@ assert {word}(s + (0..3));\n return 0; }}");
    check("literal", &literal("\\valid"), ACSL, "false(assert)", "");
    check("literal-read", &literal("\\valid_read"), ACSL, "true", "");
}

#[test]
fn quantifiers() {
    let program = |ensures: &str| {
        format!(
            "/*@ requires \\valid(a + (0..n-1)) && 0 <= n <= 4;\n    ensures {ensures};\n    assigns a[0..n-1]; */\n\
             void f(int *a, int n) {{ for (int i = 0; i < n; i++) a[i] = 2 * i; }}\n"
        )
    };
    // The bounds of the first are those of the second.
    check("pairs", &program("\\forall integer i, j; 0 <= i < j < n ==> a[i] < a[j]"), CHECK_F, "true", "");
    check(
        "pairs-not",
        &program("\\forall integer i, j; 0 <= i <= j < n ==> a[i] < a[j]"),
        CHECK_F,
        "false(assert)",
        "",
    );
    check(
        "nested",
        &program("\\forall int i; 0 <= i < n ==> \\exists integer k; -1 < k < 4 && a[i] == 2 * k"),
        CHECK_F,
        "true",
        "",
    );
    check(
        "nested-not",
        &program("\\forall int i; 0 <= i < n ==> \\exists integer k; 0 < k < 4 && a[i] == 2 * k"),
        CHECK_F,
        "false(assert)",
        "",
    );
    check("next", &program("\\forall integer i; 0 <= i < n - 1 ==> a[i + 1] == a[i] + 2"), CHECK_F, "true", "");
}

#[test]
fn validity_is_asked() {
    let program = |last: &str| {
        format!("int main(void) {{ int a[4], n = 4; //@ assert \\valid(a + (0..{last}));\n return a == 0; }}")
    };
    check("rows", &program("n - 1"), ACSL, "true", "");
    check("rows-over", &program("n"), ACSL, "false(assert)", "");
    check("rows-none", &program("-n"), ACSL, "true", "");
    let separated = |q: &str| {
        format!(
            "int main(void) {{ int a[4]; int *p = a, *q = {q}; //@ assert \\separated(p + (0..1), q + (0..1));\n return 0; }}"
        )
    };
    check("separated", &separated("a + 2"), ACSL, "true", "");
    check("overlap", &separated("a + 1"), ACSL, "false(assert)", "");
}

#[test]
fn loops() {
    let program = |invariant: &str, variant: &str, ensures: &str| {
        format!(
            "/*@ requires n < 1000 && \\valid(a + (0 .. n-1));\n    assigns a[0 .. n-1];\n\
             ensures \\forall integer i; 0 <= i < n ==> a[i] {ensures}; */\n\
             void f(int *a, unsigned n, int v) {{\n  unsigned i = 0;\n\
             /*@ loop invariant {invariant} && v == \\at(v, Pre);\n\
             loop invariant \\forall integer k; 0 <= k < i ==> a[k] == v;\n\
             loop assigns i, a[0 .. n-1];\n loop variant {variant}; */\n\
             while (i < n) {{ a[i] = v; i++; }}\n}}\n"
        )
    };
    check("fill", &program("i <= n", "n - i", "== v"), CHECK_F, "true", "");
    check(
        "fill-off-by-one",
        &program("i < n", "n - i", "== v"),
        CHECK_F,
        "false(assert)",
        "the loop invariant does not hold",
    );
    check("fill-wrong", &program("i <= n", "n - i", "!= v"), CHECK_F, "false(assert)", "the postcondition of f fails");
    check("fill-grows", &program("i <= n", "i", "== v"), CHECK_F, "false(assert)", "does not decrease");
    check("fill-negative", &program("i <= n", "-1 - i", "== v"), CHECK_F, "false(assert)", "starts below zero");
    let frame = program("i <= n", "n - i", "== v").replacen("assigns a[0 .. n-1]", "assigns a[0 .. n-2]", 1);
    check("fill-frame", &frame, CHECK_F, "false(assert)", "does not allow");
    let short = program("i <= n", "n - i", "== v").replacen("(0 .. n-1)", "(0 .. n-2)", 1);
    // One property: what is left of the time would go to the other, which has no answer.
    let said = verify_with(&Scratch::new("fill-short"), &short, &[&["--property", "valid-deref"], CHECK_F].concat());
    assert_eq!(said.0, "false(valid-deref)", "{}", said.1);
}

#[test]
fn calls_by_contract() {
    let program = |assigns: &str, argument: &str| {
        format!(
            "/*@ requires \\valid(p) && *p < 100; {assigns} ensures *p == \\old(*p) + 1; */\nvoid next(int *p);\n\
             int main(void) {{ int x = {argument}, y = 7; next(&x); //@ assert x == 4 && y == 7;\n return 0; }}\n"
        )
    };
    let used: &[&str] = &["--acsl", "--use-contract", "all"];
    check("call", &program("assigns *p;", "3"), used, "true", "");
    check("call-pre", &program("assigns *p;", "100"), used, "false(assert)", "the precondition of next fails");
    check("call-post", &program("assigns *p;", "4"), used, "false(assert)", "assertion fails");
    check("call-anything", &program("", "3"), used, "unknown", "does not say what is written");
}

/// Clauses have no order: one that reads `*m` may stand in front of the one that says that it can be read.
#[test]
fn clauses_have_no_order() {
    let before = "/*@ requires (*m > 0 && \\valid(p)) || (*m <= 0 && p == \\null); requires \\valid_read(m); assigns \\nothing;\n\
        ensures \\result == 0 || \\result == 1; */\nint f(char *p, int *m) { return *m > 0; }\n";
    check("before", before, CHECK_F, "unknown", "may overlap");
    let nested = "struct n { struct n *next; int v; };\n\
        /*@ requires \\valid(p->next) && \\valid(p); assigns \\nothing; ensures \\result == 0 || \\result == 1; */\n\
        int f(struct n *p) { return p->next->v == 3; }\n";
    check("nested", nested, CHECK_F, "true", "");
    let wrong = "/*@ requires *m > 0; requires \\valid_read(m); assigns \\nothing; ensures \\result == 0; */\n\
        int f(int *m) { return *m > 0; }\n";
    check("wrong", wrong, CHECK_F, "false(assert)", "");
}

/// That something overlaps cannot be assumed: objects are made apart.
#[test]
fn overlap_is_not_assumed() {
    let program = "/*@ requires \\valid(p) && \\valid(q) && !\\separated(p, q); assigns \\nothing; ensures \\false; */\n\
        int f(int *p, char *q) { return 0; }\n";
    check("overlap", program, CHECK_F, "unknown", "\\separated inside of another formula");
    let apart = "/*@ requires \\valid(p) && \\valid(q) && \\separated(p, q); assigns *p, *q; ensures \\result == 1; */\n\
        int f(int *p, int *q) { *p = 1; *q = 2; return *p; }\n";
    check("apart", apart, CHECK_F, "true", "");
}

/// What a macro's text says would be gone where the macro is used.
#[test]
fn annotations_in_macros_are_errors() {
    let program = "#define CHECKED(e) do { /*@ assert e > 0; */ ; } while (0)\nint main(void) { int x = 0; CHECKED(x); return 0; }\n";
    check("macro", program, ACSL, "", "an ACSL annotation inside of a macro");
    let other = "#define ONE 1 /*@null@*/\nint main(void) { /*@ assert ONE == 1; */ return 0; }\n";
    check("other", other, ACSL, "true", "");
}

/// Nobody checks or uses `loop assigns`, and the answer says so.
#[test]
fn loop_assigns_is_told() {
    let program = "int main(void) {\n int i = 0, n = 0;\n /*@ loop invariant 0 <= i <= 3;\n loop assigns i; */\n\
        while (i < 3) { i++; n = 5; }\n /*@ assert n == 5 || i == 0; */\n return n; }\n";
    check("assigns", program, ACSL, "true", "loop assigns is neither checked nor used");
}
