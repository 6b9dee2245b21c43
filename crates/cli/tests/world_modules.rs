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
