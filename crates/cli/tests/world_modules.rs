//! What an attack with modules as people write them found: padding of initialisers, conversions of floats, functions that end in
//! `longjmp`, `%.*s`, initialisers that call functions, and sorting beside an error.

use crate::common::{Scratch, check_answers, foldback, stdout};

const HEAD: &str = "#include <assert.h>\n#include <setjmp.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
    extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void); extern double __VERIFIER_nondet_double(void);\n";

const TYPES: &str = "struct p { char c; int i; }; struct b { unsigned x : 3; }; union u { char c; int i; };\n\
    union v { struct { int a, b; } s; int c; };\n\
    static int clear(const void *p, int from, int to) { const unsigned char *b = p; for (int i = from; i < to; i++) \
    if (b[i]) return 0; return 1; }\n";

/// Property, program, how the result begins; `!` what it must not be.
const INITIALISERS: &[(&str, &str, &str)] = &[
    // What leaves something out is cleared as a whole, whatever is left out.
    ("assert", "int main() { struct p a = { 1 }; assert(clear(&a, 1, 8)); }", "true"),
    ("assert", "int main() { struct p a = { }; assert(clear(&a, 0, 8)); }", "true"),
    (
        "assert",
        "int main() { struct { struct p a, b; } n = { { 1, 2 }, { 3 } }; assert(clear(&n, 1, 4) && clear(&n, 9, 16)); }",
        "true",
    ),
    ("assert", "int main() { struct p a[3] = { { 1, 2 }, [2] = { 3, 4 } }; assert(clear(&a[2], 1, 4)); }", "true"),
    ("assert", "int main() { struct p a = (struct p) { .c = 1 }; assert(clear(&a, 1, 8)); }", "true"),
    ("assert", "int main() { struct { union u u; int z; } a = { { 1 } }; assert(a.u.i == 1 && a.z == 0); }", "true"),
    ("assert", "int main() { union v a = { 0 }; assert(a.s.b == 0); }", "true"),
    // What leaves nothing out stores nothing beside its members.
    ("assert", "int main() { struct p a = { 1, 2 }; assert(clear(&a, 1, 4)); }", "!true"),
    ("assert", "int main() { struct b a = { 1 }; unsigned char c; memcpy(&c, &a, 1); assert(c >> 3 == 0); }", "!true"),
    ("assert", "int main() { struct { int a : 5, b : 27; } a = { 1, 2 }; assert(a.a == 1 && a.b == 2); }", "true"),
    // Beyond the member that a union is given, compilers differ: no answer without one of them.
    ("assert", "int main() { union u a = { 1 }; assert(a.i == 1); }", "!true"),
    ("assert", "int main() { union v a = { .c = 1 }; assert(a.s.b == 0); }", "!true"),
    ("assert", "int main() { union u a = { .i = 1 }; assert(a.i == 1 && a.c == 1); }", "true"),
    (
        "assert",
        "int main() { struct { struct p p; union u u[2]; } a[2] = { [0 ... 1] = { { 1, 2 }, { { 1 }, { 2 } } } }; \
         assert(a[1].u[1].c == 2); }",
        "true",
    ),
];

#[test]
fn padding_is_what_compilers_leave() {
    check_answers("modules-padding", &format!("{HEAD}{TYPES}"), INITIALISERS);
}

/// Floats that do not fit an integer type, which C leaves undefined, and nothing else.
const CONVERSIONS: &[(&str, &str, &str)] = &[
    (
        "undefined-conversion",
        "int main() { double d = __VERIFIER_nondet_int() * 1e6; return (int)d & 1; }",
        "false(undefined-conversion)",
    ),
    ("undefined-conversion", "int main() { double d = __VERIFIER_nondet_int(); return (int)d & 1; }", "true"),
    ("undefined-conversion", "int main() { int i = 1; i *= 1e10; return i; }", "false(undefined-conversion)"),
    ("undefined-conversion", "int main() { return (int)1e10; }", "false(undefined-conversion)"),
    ("undefined-conversion", "int main() { float f = -0.5f; return (unsigned)f; }", "true"),
    ("undefined-conversion", "int main() { float f = -1.0f; return (unsigned)f; }", "false(undefined-conversion)"),
    (
        "undefined-conversion",
        "int main() { double d = 1e30; _Bool b = d; unsigned char c = 300; return b + c; }",
        "true",
    ),
    (
        "undefined-conversion+conversion",
        "int main() { unsigned char c = __VERIFIER_nondet_int(); return c; }",
        "false(conversion)",
    ),
];

#[test]
fn conversions_of_floats_are_a_property() {
    check_answers("modules-conversions", HEAD, CONVERSIONS);
}

/// What C leaves undefined is in `all`.
#[test]
fn all_asks_about_conversions_of_floats() {
    let scratch = Scratch::new("modules-all");
    let program = "int __VERIFIER_nondet_int(void);\nint main(void) { double d = __VERIFIER_nondet_int() * 1e6; return (int)d & 1; }\n";
    let file = scratch.file("all.c", program);
    let output = foldback(["verify", "-p", "all", "--time-limit", "30s", file.to_str().expect("a path in UTF-8")]);
    let printed = stdout(&output);
    assert!(printed.contains("undefined-conversion: false(undefined-conversion)\n"), "{printed}");
    assert!(printed.contains("confirmed by the compiled program"), "{printed}");
}

/// Unsupported before.
const MODELLED: &[(&str, &str, &str)] = &[
    // What is declared not to return may jump.
    (
        "assert",
        "static jmp_buf env; static _Noreturn void fail(int code) { longjmp(env, code); } \
         int main() { int r = setjmp(env); if (r == 0) fail(3); assert(r == 3); }",
        "true",
    ),
    (
        "assert",
        "static jmp_buf env; static _Noreturn void fail(int code) { if (__VERIFIER_nondet_int()) longjmp(env, code); } \
         int main() { int r = setjmp(env); if (r == 0) fail(3); assert(r == 3); }",
        "unknown(unsupported",
    ),
    // As many characters as the argument before says; all of them if it is negative.
    ("valid-deref", "int main() { char s[3] = \"abc\"; printf(\"%7.*s|\", 3, s); }", "true"),
    ("valid-deref", "int main() { char s[3] = \"abc\"; printf(\"%.*s|\", 4, s); }", "false(valid-deref)"),
    (
        "valid-deref",
        "int main() { char s[3] = \"abc\"; fprintf(stderr, \"%d%*.*s|\", 1, 7, -1, s); }",
        "false(valid-deref)",
    ),
    ("valid-deref", "int main() { char s[3] = \"ab\"; fprintf(stderr, \"%*.*s|\", 7, -1, s); }", "true"),
    (
        "valid-deref",
        "int main() { char s[4] = \"abcd\"; int n = __VERIFIER_nondet_int(); if (n < 0 || n > 4) return 0; printf(\"%.*s\", n, s); }",
        "true",
    ),
];

#[test]
fn jumps_and_formats_are_modelled() {
    check_answers("modules-modelled", HEAD, MODELLED);
}

/// Initialisers are evaluated in any order: what holds in each is proved, what fails in some only where the compiler's is one of these.
const ORDERS: &[(&str, &str, &str)] = &[
    ("assert", "int main() { p = d; struct { unsigned v, l; } h = { rd(), rd() }; assert(h.v + h.l == 3); }", "true"),
    ("assert", "int main() { p = d; struct { unsigned v, l; } h = { rd(), rd() }; assert(h.v == 1); }", "!true"),
    (
        "assert",
        "int main() { p = d; struct { unsigned v, l; } h = { rd(), rd() }; assert(h.v == 2); }",
        "false(assert)",
    ),
    (
        "assert",
        "int main() { p = d; unsigned a[4] = { rd(), 7, rd() }; assert(a[1] == 7 && a[3] == 0 && a[0] + a[2] == 3); }",
        "true",
    ),
    (
        "assert",
        "struct s { unsigned a, b; }; struct s mk(void) { struct s s = { rd(), 5 }; return s; } \
         int main() { p = d; struct { struct s s; unsigned l : 4; } h = { mk(), rd() }; assert(h.s.a + h.l == 3 && h.s.b == 5); }",
        "true",
    ),
    (
        "assert",
        "int main() { p = d; unsigned n = 0; unsigned a[] = { n, rd(), n }; assert(a[0] == 0 && a[1] == 1); }",
        "true",
    ),
];

#[test]
fn initialisers_have_any_order() {
    let head = format!(
        "{HEAD}static const unsigned char *p, d[] = {{ 1, 2, 3 }};\nstatic unsigned rd(void) {{ return *p++; }}\n"
    );
    check_answers("modules-orders", &head, ORDERS);
}

const SORT: &str = "static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }\n\
    struct r { int k, v; }; static int key(const void *a, const void *b) \
    { return ((const struct r *)a)->k - ((const struct r *)b)->k; }\nstatic int map[256];\n";

/// What sorting leaves open matters only where it matters.
const SORTED: &[(&str, &str, &str)] = &[
    (
        "unsigned-overflow",
        "int main() { int w[] = { 3, 1, 2 }; qsort(w, 3, sizeof *w, cmp); unsigned u = __VERIFIER_nondet_uint(); return u - 8u > 9; }",
        "false(unsigned-overflow)",
    ),
    (
        "conversion",
        "int main() { int w[] = { 3, 1, 2 }; qsort(w, 3, sizeof *w, cmp); unsigned char c = __VERIFIER_nondet_uint(); return c; }",
        "false(conversion)",
    ),
    (
        "unsigned-overflow",
        "int main() { struct r w[] = { { 1, 1 }, { 1, 2 } }; qsort(w, 2, sizeof *w, key); unsigned u = 1; \
         return u - w[0].v > 9; }",
        "unknown",
    ),
    (
        "assert",
        "int main() { struct r w[] = { { 1, 1 }, { 1, 2 } }; qsort(w, 2, sizeof *w, key); assert(w[0].v == 1); }",
        "unknown",
    ),
];

#[test]
fn sorting_does_not_hide_errors() {
    check_answers("modules-sorting", &format!("{HEAD}{SORT}"), SORTED);
}

/// Notes say what an answer rests on.
#[test]
fn notes_say_what_is_not_checked() {
    let scratch = Scratch::new("modules-notes");
    let says = |name: &str, program: &str, flags: &[&str], expected: &str| {
        let file = scratch.file(name, program);
        let file = file.to_str().expect("a path in UTF-8");
        let output = foldback([&["verify", file, "--time-limit", "20s"], flags].concat());
        let printed = stdout(&output);
        assert!(printed.contains(expected), "{program}\n{printed}");
    };
    let user = "#include <string.h>\nstruct user { char name[4]; int admin; };\n\
                int main(void) { struct user s = { \"\", 1 }; strcpy(s.name, \"root\"); return s.admin; }\n";
    says("user.c", user, &["-p", "memsafety", "--subobject-bounds"], "strcpy is given a pointer into a struct");
    let counted = "#include <assert.h>\nstatic int n = 3; static const int k = 1;\n\
                   void f(void) { n += k; assert(n == 4); }\nint main(void) { f(); f(); }\n";
    says("counted.c", counted, &["-p", "assert", "--entry", "f"], "'n' has its initial value where f is entered");
}
