//! What C leaves open: the order of evaluation, numbers of which only the sign is said, where literals lie, sizes that
//! compilers know.

use crate::common::check_answers;

const HEAD: &str = "#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <wchar.h>\n\
    extern int __VERIFIER_nondet_int(void); extern long __VERIFIER_nondet_long(void);\n\
    int x; int f(void) { return x++; } int one(void) { x = 1; return 0; } int two(void) { x = 2; return 0; }\n\
    int get(void) { return x; } int less(int a, int b) { return a - b; } int sum(int a, int b, int c) { return a + b + c; }\n\
    int digits(int a, int b, int c) { return 100 * a + 10 * b + c; }\n";

/// Property, program, how the result begins; `!` what it must not be.
const ANSWERS: &[(&str, &str, &str)] = &[
    // Operands that both have effects.
    ("assert", "int main() { one() + two(); assert(x == 2); }", "!true"),
    ("assert", "int main() { one() + two(); assert(x == 1); }", "false(assert)"),
    ("assert", "int main() { one() + two(); assert(x == 1 || x == 2); }", "true"),
    ("assert", "int main() { assert(one() + get() == 1); }", "!true"),
    ("assert", "int main() { int y = f() * 10 + f(); assert(y == 1); }", "!true"),
    ("assert", "int main() { int y = f() + f() + f() + f() + f(); assert(y == 10 && x == 5); }", "true"),
    (
        "assert",
        "static int a = 1; static int g(void) { a = 5; return 0; } int (*p)(void) = g; int main() { assert(a + p() == 5); }",
        "!true",
    ),
    // Arguments.
    ("assert", "int main() { assert(less(f(), f()) == 1); }", "!true"),
    ("assert", "int main() { assert(less(f(), f()) == -1); }", "false(assert)"),
    ("assert", "int main() { assert(sum(f(), f(), f()) == 3); }", "true"),
    ("assert", "int main() { assert(digits(f(), f(), f()) == 210); }", "!true"),
    ("assert", "int main() { int i = 1; assert(less(i++, i) == 0); }", "unknown(unsupported"),
    ("assert", "int main() { int i = 1, j = 2; assert(less(i++, j++) == -1 && i == 2); }", "true"),
    (
        "assert",
        "struct s { int v[3]; }; struct s g(void) { struct s s = {{x++, 0, 0}}; return s; } \
         int add(struct s a, struct s b) { return a.v[0] + b.v[0]; } int main() { assert(add(g(), g()) == 1); }",
        "true",
    ),
    // Initialisers, indices, compound assignments.
    ("assert", "int main() { int a[2] = {f(), f()}; assert(a[0] == 0); }", "!true"),
    ("assert", "int main() { int a[2] = {f(), 7}; assert(a[0] == 0 && a[1] == 7); }", "true"),
    ("assert", "int main() { int a[2] = {f(), x}; assert(a[1] == 1); }", "!true"),
    ("assert", "struct s { int a, b; }; int main() { struct s s = (struct s){f(), x}; assert(s.b == 1); }", "!true"),
    ("assert", "int main() { int y = 3; int a[2] = {f(), y}; assert(a[0] == 0 && a[1] == 3); }", "true"),
    (
        "assert",
        "int a[2] = {1, 2}; int *p = a; int g(void) { p = a + 1; return 0; } int main() { assert(p[g()] == 1); }",
        "!true",
    ),
    ("assert", "int g(void) { x = 5; return 0; } int main() { x = 1; x += g(); assert(x == 5); }", "!true"),
    ("assert", "int g(void) { x = 5; return 0; } int main() { x = 1; x += g(); assert(x == 1 || x == 5); }", "true"),
    ("assert", "int main() { int i = 0; i += (i++ ? 0 : 0); assert(i == 1); }", "unknown(unsupported"),
    ("assert", "int main() { int a[3], *p = a; p += (p++, 1); assert(p == a + 1); }", "unknown(unsupported"),
    // Blocks inside of expressions.
    ("assert", "int main() { int y = x + ({ x++; 0; }); assert(y == 0); }", "false(assert)"),
    ("assert", "int main() { int y = x + ({ x++; 0; }); assert(y == 1); }", "!true"),
    ("assert", "int main() { int y = x + ({ x++; 0; }); assert(y == 0 || y == 1); }", "true"),
    ("assert", "int main() { int y = 3, z = y + ({ int t = x; t + 1; }); assert(z == 4); }", "true"),
    ("assert", "int main() { int y = f() + ({ x++; x; }); assert(y == 2); }", "unknown(unsupported"),
    // Blocks and built-in functions that write through pointers.
    ("assert", "int main() { int *p = &x, y = x + ({ *p = 3; 1; }); assert(y == 1); }", "!true"),
    ("assert", "int main() { int *p = &x, y = x + ({ *p = 3; 1; }); assert(y == 1 || y == 4); }", "true"),
    ("assert", "int main() { int *p = &x, y = x + __sync_lock_test_and_set(p, 3); assert(y == 0); }", "!true"),
    ("assert", "int main() { int y = x + __atomic_add_fetch(&x, 3, 0); assert(y == 3 || y == 6); }", "true"),
    ("assert", "int main() { int z = 2, y = z + __atomic_add_fetch(&x, 3, 0); assert(y == 5); }", "true"),
    ("assert", "int main() { int y = less(__builtin_add_overflow(1, 2, &x), x); assert(y == -3); }", "!true"),
    ("assert", "int main() { int y = less(({ x = 3; 1; }), x); assert(y == -2); }", "!true"),
    ("assert", "int main() { int y = less(({ x = 3; 1; }), x); assert(y == -2 || y == 1); }", "true"),
    ("assert", "int main() { int y = digits(x, ({ int t = x; x++; t; }), x); assert(y % 10 < 2 && y < 102); }", "true"),
    ("assert", "int main() { assert(less(({ int t = 1; t; }), ({ int t = 2; t; })) == -1); }", "true"),
    ("assert", "int main() { assert(less(({ x++; x; }), ({ x++; x; })) == 1); }", "unknown(unsupported"),
    ("assert", "int a[5]; int main() { int *p = &x; a[x] = ({ *p = 3; 1; }); assert(a[3] == 1); }", "!true"),
    ("assert", "int a[5]; int main() { int *p = &x; a[x] += ({ *p = 3; 1; }); assert(a[0] + a[3] == 1); }", "!false"),
    ("assert", "int a[5]; int *g(void) { x = 1; return a; } int main() { a[1] = 7; assert(g()[x] == 7); }", "!true"),
    ("assert", "int g(void) { __sync_fetch_and_add(&x, 3); return 1; } int main() { assert(x + g() == 1); }", "!true"),
    (
        "assert",
        "int g(void) { asm(\"movl $3,%0\" : \"=m\"(x)); return 1; } int main() { assert(x + g() == 1); }",
        "!true",
    ),
    (
        "assert",
        "int n; int by(const void *a, const void *b) { __sync_fetch_and_add(&n, 1); return *(int *)a - *(int *)b; } \
         int main() { int a[3] = {3, 2, 1}; qsort(a, 3, sizeof *a, by); assert(n == 3); }",
        "unknown(unsupported",
    ),
    // The place of an assignment calls a function that changes what the value reads.
    ("assert", "int a[3]; int main() { a[f()] = x; assert(a[0] == 1); }", "!true"),
    ("assert", "int a[3]; int main() { a[f()] = x; assert(a[0] == 0); }", "false(assert)"),
    ("assert", "int a[3]; int main() { a[f()] = x; assert(a[0] == 0 || a[0] == 1); }", "true"),
    ("assert", "int a[3]; int main() { a[f()] = f(); assert(a[0] == 1); }", "unknown(unsupported"),
    ("assert", "int a[3]; int main() { a[f()] += x; assert(a[0] == 1); }", "!true"),
    ("assert", "int a[3]; int main() { int y = 7; a[f()] = y; assert(a[0] == 7); }", "true"),
    (
        "assert",
        "struct s { int v; } a[2], s; struct s *g(void) { s.v = 5; return a; } int main() { *g() = s; assert(a[0].v == 5); }",
        "!true",
    ),
    (
        "assert",
        "struct s { int v; } a[2]; struct s *g(void) { return a; } int main() { struct s s = {5}; *g() = s; assert(a[0].v == 5); }",
        "true",
    ),
    (
        "assert",
        "char b[9], *q[1] = {b}; char **g(void) { x = 2; return q; } int main() { *g() += x; assert(q[0] == b + 2); }",
        "!true",
    ),
    // Only the sign of the result of a comparison is said.
    ("assert", "int main() { assert(strcmp(\"c\", \"a\") == 2); }", "!true"),
    ("assert", "int main() { int r = memcmp(\"c\", \"a\", 1); assert(r == 1); }", "!true"),
    ("assert", "int main() { int r = wcscmp(L\"a\", L\"c\"); assert(r == -1); }", "!true"),
    ("assert", "int main() { int r = strncmp(\"c\", \"a\", 1); assert(r > 0); }", "true"),
    ("assert", "int main() { int r = strcmp(\"c\", \"c\"); assert(r == 0); }", "true"),
    ("assert", "int main() { assert(strcmp(\"c\", \"a\") == 7); }", "false(assert)"),
    (
        "assert",
        "int main() { assert(strcmp(\"a\", \"c\") < 0 && !strcmp(\"a\", \"a\") && 0 != memcmp(\"a\", \"b\", 1)); }",
        "true",
    ),
    // Literals may share storage.
    ("assert", "int main() { assert(\"abc\" == \"abc\"); }", "!true"),
    ("assert", "int main() { char *a = \"abc\", *b = \"abc\"; assert(a == b); }", "!true"),
    ("assert", "char *a = \"abc\", *b = \"abc\"; int main() { assert(a == b); }", "!true"),
    ("assert", "int main() { char *a = \"abc\", *b = \"bc\"; assert(a + 1 != b); }", "!true"),
    ("assert", "char *g(void) { return \"abc\"; } int main() { char *a = \"abc\"; assert(a != g()); }", "!true"),
    ("assert", "int main() { char *a = \"abc\", *b = \"bc\"; assert(a != b); }", "true"),
    (
        "assert",
        "int main() { char *a = \"abc\", *b = a, *c = \"xyz\"; assert(a == b && a != c && a + 1 != b); }",
        "true",
    ),
    (
        "assert",
        "int main() { char *a = \"abc\", *p = a, *end = a + 3; int n = 0; while (p != end) { p++; n++; } \
         puts(\"abc\"); assert(n == 3); }",
        "true",
    ),
    // Sizes.
    (
        "assert",
        "struct s { int a; char b[6]; int c; } s; char b[10]; int main() { assert(__builtin_object_size(&s.b[1], 1) == 5 && \
         __builtin_object_size(&b[3], 1) == 7 && __builtin_object_size(&b[3], 0) == 7 && __builtin_object_size(s.b, 1) == 6); }",
        "true",
    ),
    ("assert", "char b[10]; int main() { assert(__builtin_object_size((b + 3), 1) == 7); }", "unknown(unsupported"),
    ("assert", "int m[3][4]; int main() { assert(__builtin_object_size(&m[1][2], 1) == 24); }", "!true"),
    // A pointer that nothing ever sets, in a program that has other numbers from outside.
    (
        "assert",
        "int main() { int y = 1, *p = &y, **h = malloc(sizeof *h); if (!h || __VERIFIER_nondet_long() == 3) return 0; \
         **h = 5; assert(*p == 1); }",
        "unknown(unsupported",
    ),
    (
        "assert",
        "struct n { int v; int *q; }; int main() { int y = 1, *p = &y; struct n s; s.v = (int)__VERIFIER_nondet_long(); \
         *s.q = 7; assert(*p == 1); }",
        "unknown(unsupported",
    ),
];

#[test]
fn answers_are_right() {
    check_answers("world-order", HEAD, ANSWERS);
}
