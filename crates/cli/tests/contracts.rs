//! Contracts of functions and loops: what is right is proved, what is wrong is refused, and nothing is assumed without proof.

use crate::common::{Scratch, check_contract as check, foldback, stderr, stdout, verify_contract, verify_with};

const CHECK_F: &[&str] = &["--check-contract", "f"];

#[test]
fn pre_and_postconditions() {
    let clamp = |low: &str, post: &str| {
        format!(
            "int f(int x, int low, int high)\n__CPROVER_requires(low {low} high)\n\
             __CPROVER_ensures(__CPROVER_return_value >= low && __CPROVER_return_value {post} high)\n\
             {{ if (x < low) return low; if (x > high) return high; return x; }}\n"
        )
    };
    check("clamp", &clamp("<=", "<="), CHECK_F, "true", "");
    check("clamp-pre", &clamp("<", "<"), CHECK_F, "false(assert)", "the postcondition of f fails");
    check("clamp-none", &clamp("!=", "<="), CHECK_F, "false(assert)", "the postcondition of f fails");
}

#[test]
fn the_past() {
    let add = |by: &str| {
        format!(
            "struct s {{ int a[4]; int n; }};\nvoid f(struct s *p, int i)\n\
             __CPROVER_requires(__CPROVER_is_fresh(p, sizeof(*p)) && 0 <= i && i < 4 && p->a[i] < 1000)\n\
             __CPROVER_assigns(p->a)\n\
             __CPROVER_ensures(p->a[i] == __CPROVER_old(*p).a[i] + 1 && p->n == __CPROVER_old(p->n))\n\
             {{ p->a[i] {by}; }}\n"
        )
    };
    check("past", &add("+= 1"), CHECK_F, "true", "");
    check("past-wrong", &add("+= 2"), CHECK_F, "false(assert)", "the postcondition of f fails");
}

/// Bit-fields, and unions without pointers, may stand beside the pointers.
#[test]
fn fresh_structs_with_bit_fields_and_pointers() {
    let program = |body: &str| {
        format!(
            "struct s {{ unsigned flag : 3; unsigned other : 5; union {{ int i; char c[4]; }} u; int *data; int n; }};\n\
             int f(struct s *p)\n__CPROVER_requires(__CPROVER_is_fresh(p, sizeof(*p)) && __CPROVER_is_fresh(p->data, 4 * sizeof(int)))\n\
             __CPROVER_requires(p->flag == 3 && p->data[3] == 8)\n__CPROVER_assigns(*p)\n\
             __CPROVER_ensures(p->flag == 4 && __CPROVER_return_value == 8)\n{{ {body} }}\n"
        )
    };
    check("fresh-bits", &program("p->flag++; return p->data[3];"), CHECK_F, "true", "");
    check("fresh-bits-wrong", &program("p->flag += 2; return p->data[3];"), CHECK_F, "false(assert)", "postcondition");
    check("fresh-bits-frame", &program("p->flag++; p->data[0] = 1; return 8;"), CHECK_F, "false(assert)", "changes");
    check("fresh-bits-bound", &program("p->flag++; return p->data[4];"), CHECK_F, "false(valid-deref)", "");
}

#[test]
fn the_frame() {
    let program = |assigns: &str, body: &str| {
        format!(
            "int total; int other;\nvoid f(int *p, int *q, unsigned n)\n\
             __CPROVER_requires(__CPROVER_is_fresh(p, sizeof(int)) && __CPROVER_is_fresh(q, 4 * sizeof(int)) && n < 4)\n\
             __CPROVER_assigns({assigns})\n{{ {body} }}\nvoid touch(void) {{ other = 1; total = 2; }}\n"
        )
    };
    check("frame", &program("*p, total", "*p = 1; total = 3;"), CHECK_F, "true", "");
    check("frame-slice", &program("__CPROVER_object_upto(q, 8)", "q[1] = n;"), CHECK_F, "true", "");
    check(
        "frame-past",
        &program("__CPROVER_object_upto(q, 8)", "q[2] = n;"),
        CHECK_F,
        "false(assert)",
        "does not allow",
    );
    check("frame-if", &program("n == 1: *p", "if (n == 1) *p = 0;"), CHECK_F, "true", "");
    check("frame-if-not", &program("n == 1: *p", "if (n == 2) *p = 0;"), CHECK_F, "false(assert)", "does not allow");
    check("frame-global", &program("*p", "other = n;"), CHECK_F, "false(assert)", "changes other");
    check("frame-whole", &program("__CPROVER_object_whole(q)", "q[3] = n;"), CHECK_F, "true", "");
    check(
        "frame-from",
        &program("__CPROVER_object_from(q + 1)", "q[n] = 3;"),
        CHECK_F,
        "false(assert)",
        "does not allow",
    );
}

#[test]
fn pointers_are_what_the_precondition_says() {
    let program = |requires: &str, body: &str| {
        format!(
            "#include <stddef.h>\nint f(const char *p, char *q, size_t n)\n__CPROVER_requires({requires})\n\
             __CPROVER_assigns(q != NULL: *q)\n{{ {body} }}\n"
        )
    };
    let fresh = "n > 0 && __CPROVER_is_fresh(p, n)";
    check("fresh", &program(fresh, "return p[n - 1];"), CHECK_F, "true", "");
    check("fresh-over", &program(fresh, "return p[n];"), CHECK_F, "false(valid-deref)", "");
    check("fresh-none", &program("n > 0", "return p[0];"), CHECK_F, "false(valid-deref)", "");
    check(
        "fresh-or-null",
        &program("q == NULL || __CPROVER_is_fresh(q, 1)", "if (q) *q = 1; return 0;"),
        CHECK_F,
        "true",
        "",
    );
    check(
        "fresh-or-null-not",
        &program("q == NULL || __CPROVER_is_fresh(q, 1)", "*q = 1; return 0;"),
        CHECK_F,
        "false",
        "",
    );
    // Fresh objects are apart.
    let both = "__CPROVER_is_fresh(p, 1) && __CPROVER_is_fresh(q, 1)";
    let apart = "char c = *p; *q = c + 1; __CPROVER_assert(*p == c, \"apart\"); return 0;";
    check("apart", &program(both, apart), CHECK_F, "true", "");
    // Others may be the same, where that is said.
    let same = "__CPROVER_is_fresh(q, 1) && p == q";
    check("same", &program(same, apart), CHECK_F, "false(assert)", "apart");
    // What could be any pointer is not settled.
    check("any", &program("__CPROVER_is_fresh(q, 1) && p != q", apart), CHECK_F, "unknown", "comparison of pointers");
}

#[test]
fn predicates_are_functions() {
    let program = "#include <stddef.h>\n\
        _Bool valid(const char *p, size_t n) { return (0U < n) & __CPROVER_is_fresh(p, n); }\n\
        _Bool both(const char *p, size_t n, size_t *at) { return valid(p, n) & __CPROVER_is_fresh(at, sizeof(*at)); }\n\
        void f(const char *p, size_t n, size_t *at)\n__CPROVER_requires(both(p, n, at))\n__CPROVER_assigns(*at)\n\
        __CPROVER_ensures(*at < n)\n{ *at = n SLIP; (void) p[*at]; }\n";
    check("predicate", &program.replace("SLIP", "- 1"), CHECK_F, "true", "");
    check("predicate-wrong", &program.replace("SLIP", ""), CHECK_F, "false", "");
}

#[test]
fn calls_by_contract() {
    let program = |argument: &str, after: &str| {
        format!(
            "int other;\nint f(int *p, int n)\n__CPROVER_requires(n > 0 && __CPROVER_is_fresh(p, sizeof(int)))\n\
             __CPROVER_assigns(*p)\n__CPROVER_ensures(*p > n && __CPROVER_return_value == __CPROVER_old(*p));\n\
             int main() {{ int x = 7; other = 3; int r = f(&x, {argument}); __CPROVER_assert({after}, \"after\"); }}\n"
        )
    };
    let use_f: &[&str] = &["--use-contract", "f"];
    check("use", &program("4", "x > 4 && r == 7 && other == 3"), use_f, "true", "replaced by its contract");
    check("use-weak", &program("4", "x == 7"), use_f, "false(assert)", "");
    check("use-pre", &program("0", "1"), use_f, "false(assert)", "the precondition of f fails");
    check("use-all", &program("4", "x > 4"), &["--use-contract", "all"], "true", "");
    check("use-none", &program("4", "1"), &["--use-contract", "g"], "", "no function 'g' has a contract");
    // Arguments that are to be apart.
    let apart = "void f(int *p, int *q)\n__CPROVER_requires(__CPROVER_is_fresh(p, 4) && __CPROVER_is_fresh(q, 4))\n\
        __CPROVER_assigns(*p);\nint main() { int x = 0, y = 0; f(&x, &SECOND); __CPROVER_assert(y == 0, \"y\"); }\n";
    check("use-apart", &apart.replace("SECOND", "y"), use_f, "true", "");
    check("use-same", &apart.replace("SECOND", "x"), use_f, "false(assert)", "the precondition of f fails");
    // Parts of one object are apart if no byte belongs to both.
    let parts = "void f(int *p, int *q)\n__CPROVER_requires(__CPROVER_is_fresh(p, 4) && __CPROVER_is_fresh(q, 4))\n\
        __CPROVER_assigns(*p);\nint main() { int a[2] = {0, 0}; f(a, SECOND); __CPROVER_assert(a[1] CLAIM, \"a\"); }\n";
    let of = |second: &str, claim: &str| parts.replace("SECOND", second).replace("CLAIM", claim);
    check("use-parts", &of("&a[1]", "== 0"), use_f, "true", "");
    check("use-overlap", &of("(int *)((char *)a + 2)", "== 0"), use_f, "false(assert)", "the precondition of f fails");
    check("use-whole", &of("a", "== 0"), use_f, "false(assert)", "the precondition of f fails");
    // A precondition that nobody checks is no licence to assume the rest.
    let (result, said) = {
        let scratch = Scratch::new("contracts-unchecked");
        let file = scratch.file("program.c", program("0", "1").replace("*p > n", "0"));
        let output =
            foldback(["verify", file.to_str().expect("UTF-8"), "--property", "valid-deref", "--use-contract", "f"]);
        (stdout(&output), stderr(&output))
    };
    assert!(!result.contains("RESULT: true"), "{result}{said}");
}

#[test]
fn recursion_by_its_own_contract() {
    let program = |step: &str| {
        format!(
            "unsigned f(unsigned n)\n__CPROVER_requires(n < 1000)\n__CPROVER_ensures(__CPROVER_return_value == 2 * n)\n\
             {{ return n == 0 ? 0 : f(n - 1) + {step}; }}\n"
        )
    };
    check("recursion", &program("2"), CHECK_F, "true", "");
    check("recursion-wrong", &program("3"), CHECK_F, "false(assert)", "the postcondition of f fails");
}

/// The contract that stands for a recursive call leaves open what the function does not.
#[test]
fn contracts_too_weak_for_their_recursion() {
    let program = |ensures: &str, body: &str| {
        format!(
            "int f(int n)\n__CPROVER_requires(n >= 0 && n < 50)\n__CPROVER_ensures({ensures})\n{{ return {body}; }}\n"
        )
    };
    let (at_least, both) =
        ("__CPROVER_return_value >= n", "__CPROVER_return_value >= n && __CPROVER_return_value <= 2500");
    let sum = "n == 0 ? 0 : n + f(n - 1)";
    check("weak", &program(at_least, sum), CHECK_F, "unknown(the contract of f is too weak", "A stronger contract");
    let exact = "__CPROVER_return_value == n * (n + 1) / 2";
    check("strong", &program(exact, sum), CHECK_F, "true", "");
    // There is a violation without what the contract leaves open.
    check("weak-and-wrong", &program(at_least, "n == 0 ? 0 : f(n - 1)"), CHECK_F, "false(assert)", "postcondition");
    check("wrong-at-once", &program(both, "n == 7 ? 3 : n"), CHECK_F, "false(assert)", "postcondition");
}

#[test]
fn globals_have_any_value() {
    let program = "int limit = 10; const int most = 10; static int never = 10;\nvoid set(int x) { limit = x; }\n\
        int f(void)\n__CPROVER_ensures(__CPROVER_return_value == 10) { return NAME; }\n";
    check("global", &program.replace("NAME", "limit"), CHECK_F, "false(assert)", "");
    check("global-const", &program.replace("NAME", "most"), CHECK_F, "true", "");
    check("global-unchanged", &program.replace("NAME", "never"), CHECK_F, "true", "");
}

#[test]
fn loop_contracts() {
    let program = |first: &str, invariant: &str, decreases: &str| {
        format!(
            "unsigned nondet_unsigned();\nint main() {{\n  unsigned n = nondet_unsigned(), i = {first}, s = 0;\n  if (n > 1000) return 0;\n\
             \x20 while (i < n)\n  __CPROVER_assigns(i, s)\n  __CPROVER_loop_invariant({invariant})\n\
             \x20 __CPROVER_decreases({decreases})\n  {{ s += 2; i++; }}\n\
             \x20 __CPROVER_assert(s == 2 * i, \"s\");\n}}\n"
        )
    };
    check("loop", &program("0", "i <= n && s == 2 * i", "n - i"), &[], "true", "");
    check("loop-first", &program("1", "s == 2 * i", "n - i"), &[], "false(assert)", "does not hold at first");
    check("loop-step", &program("0", "s <= 2", "n - i"), &[], "false(assert)", "does not hold after an iteration");
    check("loop-measure", &program("0", "s == 2 * i", "i"), &[], "false(assert)", "does not decrease");
    let entry = "int main() { int x, y = 0; __CPROVER_assume(x > 0 && x < 100);\n\
        do __CPROVER_loop_invariant(x + y == __CPROVER_loop_entry(x) SLIP) __CPROVER_decreases(x) { x--; y++; } while (x > 0); }\n";
    check("loop-entry", &entry.replace("SLIP", ""), &[], "true", "");
    check("loop-entry-wrong", &entry.replace("SLIP", "+ 1"), &[], "false(assert)", "does not hold at first");
    let unknown = "int main() { int i = 0; while (i < 3) __CPROVER_ensures(i) i++; }";
    check("loop-unknown", unknown, &[], "", "'__CPROVER_ensures' in the contract of a loop is not known here");
}

/// What a call wrote is copied to the object that it was given: what its contract says of all cells holds of that one.
#[test]
fn all_cells_by_the_contract_of_a_call() {
    let program = "#define EVERY(p, low, high) __CPROVER_forall { unsigned k; (k < 256) ==> (low <= (p)[k] && (p)[k] < high) }\n\
        #define SAME(p) __CPROVER_forall { unsigned k; (k < 256) ==> ((p)[k] == __CPROVER_old(*(short (*)[256])(p))[k]) }\n\
        int can(void) __CPROVER_ensures(__CPROVER_return_value == 0 || __CPROVER_return_value == 1);\n\
        void reduce(short p[256])\n__CPROVER_requires(__CPROVER_is_fresh(p, 512))\n\
        __CPROVER_assigns(__CPROVER_object_upto(p, 512))\n__CPROVER_ensures(EVERY(p, 0, 3329));\n\
        int f(short p[256])\n__CPROVER_requires(__CPROVER_is_fresh(p, 512))\n\
        __CPROVER_assigns(__CPROVER_object_upto(p, 512))\n\
        __CPROVER_ensures(__CPROVER_return_value == 0 ==> EVERY(p, 0, LIMIT))\n\
        __CPROVER_ensures(__CPROVER_return_value != 0 ==> SAME(p))\n\
        { if (!can()) return -1; reduce(p); return 0; }\n";
    let flags: &[&str] = &["--check-contract", "f", "--use-contract", "reduce", "--use-contract", "can"];
    check("cells", &program.replace("LIMIT", "3329"), flags, "true", "");
}

/// What the precondition says of an array holds of the copy that a loop's invariants speak of, while the array itself changes.
#[test]
fn all_cells_of_an_array_that_changes() {
    let program = "#define ALL(low, high, c) __CPROVER_forall { unsigned k; (low <= k && k < high) ==> (c) }\n\
        #define WHOLE(p) (*(short (*)[256])(p))\n\
        void f(short *r, const short *b)\n\
        __CPROVER_requires(__CPROVER_is_fresh(r, 512)) __CPROVER_requires(__CPROVER_is_fresh(b, 512))\n\
        __CPROVER_requires(ALL(0, 256, r[k] + b[k] <= 32767)) __CPROVER_requires(ALL(0, 256, r[k] + b[k] >= LEAST))\n\
        __CPROVER_assigns(__CPROVER_object_upto(r, 512))\n\
        __CPROVER_ensures(ALL(0, 256, r[k] == __CPROVER_old(WHOLE(r))[k] + b[k]));\n\
        void f(short *r, const short *b) { unsigned i; for (i = 0; i < 256; i++)\n\
        __CPROVER_loop_invariant(i <= 256)\n\
        __CPROVER_loop_invariant(ALL(i, 256, r[k] == __CPROVER_loop_entry(WHOLE(r))[k]))\n\
        __CPROVER_loop_invariant(ALL(0, i, r[k] == __CPROVER_loop_entry(WHOLE(r))[k] + b[k]))\n\
        __CPROVER_decreases(256 - i)\n\
        { r[i] = (short)(r[i] + b[i]); } }\n";
    // By the engine that proves it.
    let by_houdini = &["--check-contract", "f", "--engine", "houdini"];
    check("sum", &program.replace("LEAST", "-32768"), by_houdini, "true", "");
    check("sum-wrong", &program.replace("LEAST", "-32769"), CHECK_F, "false(assert)", "");
}

/// What the end wants of a variable that a loop sets now and then is wanted of it whatever the calls on the way give.
#[test]
fn what_is_wanted_behind_calls_that_may_give_anything() {
    let program = "#define AFTER(now, before) (now >= before && (before < n ? now <= n : now == before))\n\
        _Bool item(const char *text, unsigned long *at, unsigned long n)\n\
        __CPROVER_requires(n > 0 && n < 100000 && __CPROVER_is_fresh(text, n) && __CPROVER_is_fresh(at, sizeof(*at)))\n\
        __CPROVER_assigns(*at)\n\
        __CPROVER_ensures(AFTER(*at, __CPROVER_old(*at)) && (!__CPROVER_return_value || __CPROVER_old(*at) < n));\n\
        void f(const char *text, unsigned long *start, unsigned long n)\n\
        __CPROVER_requires(n > 0 && n < 100000 && __CPROVER_is_fresh(text, n) && __CPROVER_is_fresh(start, sizeof(*start)))\n\
        __CPROVER_assigns(*start)\n\
        __CPROVER_ensures(AFTER(*start, __CPROVER_old(*start)))\n\
        { unsigned long i = *start; while (i < n) {\n\
            if (!item(text, &i, n)) break;\n\
            if (i < n && text[i] != ':') break;\n\
            i++;\n\
            if (OPENS) { *start = i; break; }\n\
            if (!item(text, &i, n)) break;\n\
            *start = i;\n\
            if (i >= n || text[i] != ',') break;\n\
            i++; } }\n";
    let answer = |opens: &str, engine: &str| {
        let flags = ["--check-contract", "f", "--use-contract", "item", "--property", "assert", "--engine", engine];
        verify_with(&Scratch::new("contract-ways"), &program.replace("OPENS", opens), &flags)
    };
    let (result, said) = answer("i < n && text[i] == '{'", "houdini");
    assert_eq!(result, "true", "{said}");
    let (result, said) = answer("text[0] == '{'", "portfolio");
    assert!(result == "false(assert)" && said.contains("the postcondition of f fails"), "{said}");
}

/// What is written only where a pointer is not null is all of the object there.
#[test]
fn a_frame_that_may_be_absent() {
    let program = "void f(const char *s, int *out)\n\
        __CPROVER_requires(__CPROVER_is_fresh(s, 100)) __CPROVER_requires(out == 0 || __CPROVER_is_fresh(out, sizeof(int)))\n\
        __CPROVER_assigns(CONDITION: *out);\n\
        void f(const char *s, int *out) { int n = 0; for (unsigned i = 0; i < 100 && s[i]; i++) n = i; if (out) *out = n; }\n";
    check("frame-null", &program.replace("CONDITION", "out != 0"), CHECK_F, "true", "");
    check("frame-never", &program.replace("CONDITION", "out == 0"), CHECK_F, "false(assert)", "does not allow");
}

/// All pointers are the same, or none are: both cases are looked at.
#[test]
fn pointers_that_are_the_same_or_apart() {
    let program = "void f(char *r, const char *a, const char *b, unsigned n)\n\
        __CPROVER_requires(n <= 100 && n >= 1) __CPROVER_requires(__CPROVER_is_fresh(r, 1))\n\
        __CPROVER_requires(__CPROVER_is_fresh(a, n))\n\
        __CPROVER_requires((a == b && n > 2) || (__CPROVER_is_fresh(b, n) && n < 50))\n\
        __CPROVER_assigns(*r) __CPROVER_ensures(POST)\n\
        { *r = a[n - 1] == b[n - 1] ? 1 : 2; }\n";
    let with = |post: &str| program.replace("POST", post);
    check("either", &with("n > 2 && n < 50 || (*r == 1 ? n > 0 : n < 50)"), CHECK_F, "true", "");
    check("either-same", &with("n > 2 || *r == 2"), CHECK_F, "false(assert)", "the postcondition of f fails");
    check("either-apart", &with("*r == 1"), CHECK_F, "false(assert)", "the postcondition of f fails");
    check("either-long", &with("n < 50"), CHECK_F, "false(assert)", "the postcondition of f fails");
    let twice =
        with("1").replace("__CPROVER_assigns", "__CPROVER_requires(__CPROVER_is_fresh(b, n)) __CPROVER_assigns");
    check("either-twice", &twice, CHECK_F, "unknown", "a pointer that is fresh twice");
}

/// Flags, program, what the result must not begin with, and what is true instead of it or keeps from answering.
const NOT_TRUSTED: &[(&[&str], &str, &str, &str)] = &[
    // A pointer that another is equal to gets its object later.
    (
        CHECK_F,
        "int f(int *p, int *q) __CPROVER_requires(p == q && __CPROVER_is_fresh(q, 4)) __CPROVER_assigns(*q)\n\
         __CPROVER_ensures(__CPROVER_return_value == 5) { *q = 5; *p = 6; return *q; }",
        "true",
        "made equal to it before",
    ),
    (
        CHECK_F,
        "int f(int *p, int *q, int *r) __CPROVER_requires(p == q && q == r && __CPROVER_is_fresh(r, 4))\n\
         __CPROVER_assigns(*r) __CPROVER_ensures(__CPROVER_return_value == 5) { *p = 6; *r = 5; *q = 4; return *r; }",
        "true",
        "",
    ),
    (
        CHECK_F,
        "struct s { int *q; }; int f(int *p, struct s *s) __CPROVER_requires(__CPROVER_is_fresh(s, sizeof *s) && p == s->q\n\
         && __CPROVER_is_fresh(s->q, 4)) __CPROVER_assigns(*s->q) __CPROVER_ensures(__CPROVER_return_value == 5)\n\
         { *s->q = 5; *p = 6; return *s->q; }",
        "true",
        "made equal to it before",
    ),
    // What a precondition says of an object that it does not make.
    (
        CHECK_F,
        "int f(int *p) __CPROVER_requires(__CPROVER_OBJECT_SIZE(p) >= 4) __CPROVER_assigns()\n\
         __CPROVER_ensures(__CPROVER_return_value == 0) { return p != 0; }",
        "true",
        "the size of an object in a precondition",
    ),
    // Part of a value is in the frame: nothing is known of the whole.
    (
        CHECK_F,
        "void f(int *p) __CPROVER_requires(__CPROVER_is_fresh(p, 8)) __CPROVER_assigns(__CPROVER_object_upto(p, 2))\n\
         __CPROVER_ensures(1) { *(char *)p = 1; }",
        "false",
        "part of a value",
    ),
    // What contracts of callees write is changed, too, and so is whatever a function without body can reach.
    (
        &["--check-contract", "f", "--use-contract", "h"],
        "int g; void h(void) __CPROVER_assigns(g) __CPROVER_ensures(g == 1);\n\
         void f(void) __CPROVER_assigns() __CPROVER_ensures(1) { h(); }",
        "true",
        "changes g",
    ),
    (
        &["--check-contract", "f", "--use-contract", "h"],
        "int g = 3; void h(void) __CPROVER_assigns(g) __CPROVER_ensures(g == 1);\n\
         int f(void) __CPROVER_assigns(g) __CPROVER_ensures(__CPROVER_return_value == 3) { int r = g; h(); return r; }",
        "true",
        "the postcondition of f fails",
    ),
    (
        CHECK_F,
        "int g; void ext(void); void f(void) __CPROVER_assigns() __CPROVER_ensures(1) { ext(); }",
        "true",
        "no body and may change anything",
    ),
    (
        CHECK_F,
        "#include <stdlib.h>\nvoid f(int *p, int *q) __CPROVER_requires(__CPROVER_is_fresh(p, 4) && __CPROVER_is_fresh(q, 4))\n\
         __CPROVER_assigns() __CPROVER_frees(p) __CPROVER_ensures(1) { free(q); }",
        "true",
        "frees what a pointer points to",
    ),
    // A contract says nothing of how long a call takes.
    (
        &["--check-contract", "f", "--property", "termination"],
        "int f(int n) __CPROVER_requires(1) __CPROVER_assigns() __CPROVER_ensures(1) { return f(n); }",
        "true",
        "",
    ),
    (
        &["--use-contract", "f", "--property", "termination"],
        "int f(int n) __CPROVER_requires(1) __CPROVER_assigns() __CPROVER_ensures(1) { while (1); return 0; }\n\
         int main(void) { return f(1); }",
        "true",
        "",
    ),
    // An operand that is converted twice is not the quantified variable any more.
    (
        &[],
        "int main(void) { if (__CPROVER_exists { int i; (long)(unsigned)i >= 5L && i < 100 && i == -3 })\n\
         __CPROVER_assert(0, \"\"); }",
        "true",
        "",
    ),
];

#[test]
fn what_contracts_leave_open_is_not_trusted() {
    for (i, (flags, program, wrong, says)) in NOT_TRUSTED.iter().enumerate() {
        let program =
            if program.contains("main(") { (*program).to_owned() } else { format!("{program}\nint main(void) {{}}") };
        let (result, said) = verify_contract(&format!("open-{i}"), &program, flags);
        assert!(!result.starts_with(wrong) && said.contains(says), "not {wrong}, {says}\n{program}\n{said}");
    }
}

#[test]
fn clauses_are_evaluated_as_far_as_c_does() {
    let of_null = "int g[2]; int *f(int c) __CPROVER_requires(1) __CPROVER_assigns()\n\
         __CPROVER_ensures(__CPROVER_return_value == 0 || *__CPROVER_return_value == 0) { g[0] = 0; return c ? g : 0; }";
    check("null-result", &of_null.replace("assigns()", "assigns(g)"), CHECK_F, "true", "");
    let past = "void f(int *p) __CPROVER_requires(p == 0 || __CPROVER_is_fresh(p, sizeof *p)) __CPROVER_assigns(p: *p)\n\
         __CPROVER_ensures(p != 0 ==> *p == (int)(__CPROVER_old(*p) + 1u)) { if (p) *p = (int)(*p + 1u); }";
    check("past-of-null", past, CHECK_F, "true", "");
    check("past-of-null-wrong", &past.replace("(*p + 1u)", "(*p + 2u)"), CHECK_F, "false(assert)", "");
    let guarded = "int a[4]; int nondet_int(void); int main(void) { int *p = nondet_int() ? a : 0;\n\
         if (p) __CPROVER_assert(p && __CPROVER_forall { int i; (0 <= i && i < 4) ==> p[i] == 0 }, \"\");\n\
         __CPROVER_assert(!p || p && __CPROVER_forall { int i; (0 <= i && i < 4) ==> p[i] == 0 }, \"\"); }";
    check("guarded-forall", guarded, &[], "true", "");
}
