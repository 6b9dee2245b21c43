//! How long names are known and objects live, and what is evaluated: statements are blocks with or without braces, a block is not
//! left by a jump inside of it, a value has no place of its own, operands of `sizeof` count where their size is variable.

use crate::common::check_answers;

const HEAD: &str = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n";

/// Property, program, how the result begins; `!` what it must not be.
const PROGRAMS: &[(&str, &str, &str)] = &[
    // What is declared in a condition is known no longer behind the statement.
    ("assert", "enum { A = 7 }; int main() { if (sizeof(enum { A = 1 })) ; assert(A == 1); }", "false"),
    ("assert", "enum { A = 7 }; int main() { while (sizeof(enum { A = 1 }) < 1) ; assert(A == 7); }", "true"),
    ("assert", "enum { A = 7 }; int main() { do ; while (sizeof(enum { A = 1 }) < 1); assert(A == 7); }", "true"),
    ("assert", "enum { A = 7 }; int main() { switch (sizeof(enum { A = 1 })) ; assert(A == 7); }", "true"),
    ("assert", "enum { A = 7 }; int main() { for (; sizeof(enum { A = 1 }) < 1;) ; assert(A == 7); }", "true"),
    (
        "assert",
        "enum { A = 7 }; int main() { int x = __VERIFIER_nondet_int(), y = 7; \
         if (x > (int)sizeof(enum { A = 1 })) y = A; else if (x < (int)sizeof(enum { A = 2 })) y = A + 1; \
         assert(y == 1 || y == 3 || y == 7); assert(A == 7); }",
        "true",
    ),
    // Compound literals end with the statement that they are in.
    ("memsafety", "int main() { int *p = 0; if (1) p = (int[]){1}; return *p; }", "false(valid-deref)"),
    ("memsafety", "int main() { int *p = 0; if (0) ; else p = (int[]){1}; return *p; }", "false(valid-deref)"),
    ("memsafety", "int main() { int *p = 0; while (!p) p = (int[]){1}; return *p; }", "false(valid-deref)"),
    ("memsafety", "int main() { int *p = 0; do p = (int[]){1}; while (!p); return *p; }", "false(valid-deref)"),
    (
        "memsafety",
        "int main() { int *p = 0; for (int i = 0; i < 2; i++) p = &(int){i}; return *p; }",
        "false(valid-deref)",
    ),
    ("memsafety", "int main() { int *p = 0; if ((p = (int[]){1})) ; return *p; }", "false(valid-deref)"),
    ("memsafety", "int main() { int *p = 0; switch (1) case 1: p = (int[]){1}; return *p; }", "false(valid-deref)"),
    ("memsafety", "int main() { int *p; for (p = (int[]){1}; *p; *p = 0) ; return *p; }", "false(valid-deref)"),
    ("memsafety", "int main() { int *p; for (p = (int[]){3}; *p; --*p) ; return 0; }", "true"),
    ("memsafety", "int main() { int *p = (int[]){1}; if (1) *p = 2; return *p; }", "true"),
    ("memsafety", "int main() { int *p; if (1) { p = (int[]){1}; *p = 2; } return 0; }", "true"),
    ("memsafety", "int main() { int *p = ({ int *q = (int[]){1}; q; }); return *p; }", "false(valid-deref)"),
    ("memsafety", "int main() { int *p = ({ &(int){1}; }); return *p; }", "false(valid-deref)"),
    (
        "memsafety",
        "#define KEEP(x) ({ __typeof__(x) kept = (x); kept; })\nint main() { int *p = KEEP(&(int){3}); return *p; }",
        "false(valid-deref)",
    ),
    (
        "memsafety",
        "int f(int *p) { return *p; } int main() { return ({ f((int[]){1}) + f(&(int){2}); }) - 3; }",
        "true",
    ),
    (
        "assert",
        "struct s { int a, b; }; int main() { struct s s = ({ (struct s){1, 2}; }); assert(s.a + 1 == s.b); }",
        "true",
    ),
    (
        "assert",
        "struct s { int a, b; }; struct s f(int x) { if (x) return (struct s){1, 2}; else return (struct s){3, 4}; } \
         int main() { struct s s = f(__VERIFIER_nondet_int()); assert(s.a + 1 == s.b); }",
        "true",
    ),
    // Arrays of values belong to temporary objects, which end with the full expression.
    (
        "memsafety",
        "struct s { int a[2]; }; int main() { struct s x = {{1, 2}}, y = x; int *p = (x = y).a; return *p; }",
        "false(valid-deref)",
    ),
    (
        "memsafety",
        "struct s { int a[2]; }; int main() { struct s x = {{1, 2}}; int *p = (0, x).a; return *p; }",
        "false(valid-deref)",
    ),
    ("memsafety", "struct s { int a[2]; }; int main() { struct s x = {{1, 2}}, y = x; return (x = y).a[1]; }", "true"),
    (
        "memsafety",
        "struct s { int a[2]; }; struct s f(void) { struct s x = {{1, 2}}; return x; } \
         int main() { int *p; switch (*(p = f().a)) { case 1: return *p; } return 0; }",
        "false(valid-deref)",
    ),
    (
        "memsafety",
        "struct s { int a[2]; }; struct s f(void) { struct s x = {{1, 2}}; return x; } \
         int main() { switch (f().a[1]) { case 2: return 0; } return 1; }",
        "true",
    ),
    (
        "memsafety",
        "struct s { int a[2]; }; struct s f(void) { struct s x = {{1, 2}}; return x; } \
         int main() { int *p; void *v[] = {&&one}; goto *v[*(p = f().a) - 1]; one: return *p; }",
        "false(valid-deref)",
    ),
    // What is evaluated for its type.
    (
        "assert",
        "int c; int f(void) { return c++; } int main() { int n = 3; int a[n][n]; \
         assert(sizeof a[f()] == 3 * sizeof(int)); assert(c == 1); }",
        "true",
    ),
    (
        "assert",
        "int main() { int n = 7; unsigned long s = sizeof(*(int (*)[n++])0); assert(n == 8 && s == 28); }",
        "true",
    ),
    (
        "assert",
        "int main() { int n = 2; char a[6]; __typeof__((char (*)[n])a) p = (void *)a; assert((char *)(p + 1) == a + 2); }",
        "true",
    ),
    (
        "assert",
        "int c; int f(void) { c++; return 2; } int main() { int a[3]; assert(sizeof a[f()] == 4 && c == 0); }",
        "true",
    ),
    ("assert", "int c; int f(void) { c++; return 2; } int main() { sizeof(int (*)[f()]); assert(c == 1); }", "!true"),
    // A decimal constant is never unsigned by itself.
    ("assert", "int main() { assert(-9223372036854775808 < 0 && 18446744073709551615 > -1); }", "true"),
    (
        "assert",
        "int main() { assert(0xffffffffffffffff > 0 && 9223372036854775807 > -1 && 9223372036854775808u > 0); }",
        "true",
    ),
    ("assert", "int main() { _Bool b; __builtin_memset(&b, 2, 1); int r = b + 0; assert(r == 1 || r == 0); }", "!true"),
    (
        "assert",
        "int main() { _Bool b[4]; __builtin_memset(b, 0, 4); assert(!b[__VERIFIER_nondet_int() & 3]); }",
        "true",
    ),
    // A jump back inside of a block leaves its objects alive; their values are lost at the declaration.
    (
        "memsafety",
        "int main() { int *q = 0; int i = 0; again:; int x; if (q) *q = 5; q = &x; x = 1; if (i++ < 1) goto again; return 0; }",
        "true",
    ),
    (
        "assert",
        "int main() { int *q = 0; int i = 0; again:; int x = 7; if (q) { *q = 5; assert(x == 7); } q = &x; \
         if (i++ < 1) goto again; return 0; }",
        "false",
    ),
    (
        "assert",
        "int main() { int *q = 0; int i = 0; again:; int x = 7; if (q) { assert(q == &x); assert(*q == 7); } q = &x; x = 8; \
         if (i++ < 1) goto again; return 0; }",
        "true",
    ),
    (
        "assert",
        "int main() { int *q = 0; int i = 0; again: if (q) assert(*q == 8); int x; q = &x; x = 8; \
         if (i++ < 1) goto again; return 0; }",
        "true",
    ),
    (
        "assert",
        "int main() { int *q = 0; int i = 0; again:; int x; if (q) assert(*q == 8); q = &x; x = 8; \
         if (i++ < 1) goto again; return 0; }",
        "!true",
    ),
    (
        "memsafety",
        "int main() { int *q = 0; int i = 0; again: if (q) *q = 5; { int x; q = &x; x = 1; if (i++ < 1) goto again; } return 0; }",
        "false(valid-deref)",
    ),
];

#[test]
fn answers_are_right() {
    check_answers("scopes", HEAD, PROGRAMS);
}
