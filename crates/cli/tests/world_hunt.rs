//! What a hunt for wrong answers found: parts of addresses in memory, numbers that are addresses, `setjmp`, sorting and searching,
//! places that overlap, the order of sizes, checks that were not made, and files that disagree.

use crate::common::{Scratch, check_answers, foldback, stdout};

const HEAD: &str = "#include <assert.h>\n#include <setjmp.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
    extern int __VERIFIER_nondet_int(void); extern unsigned long __VERIFIER_nondet_ulong(void);\n";

/// Property, program, how the result begins; `!` what it must not be.
const PARTS: &[(&str, &str, &str)] = &[
    // Bytes of an address are those of our own numbering: nothing may depend on them.
    (
        "assert",
        "int x; union { void *p; unsigned char b[8]; } u; int main() { u.p = &x; assert(u.b[0] == 0); }",
        "!true",
    ),
    ("assert", "int x; int main() { int *p = &x; assert(((unsigned char *)&p)[0] == 0); }", "!true"),
    (
        "assert",
        "int x; int main() { int *p = &x; unsigned long v = 0; ((char *)&v)[0] = ((char *)&p)[0]; assert(v == 0); }",
        "!true",
    ),
    (
        "assert",
        "int x; int main() { int *p = &x; int v = 0; ((char *)&v)[0] = ((char *)&p)[0]; assert(v == 0); }",
        "!true",
    ),
    // The same of addresses that were made integers.
    (
        "assert",
        "int main() { int x; unsigned long u = (unsigned long)&x; unsigned a[2]; memcpy(a, &u, 8); assert(a[0] == 0); }",
        "!true",
    ),
    (
        "assert",
        "int main() { int x; unsigned long u = (unsigned long)&x; unsigned a; memcpy(&a, &u, 4); assert(a == 0); }",
        "!true",
    ),
    (
        "assert",
        "int main() { int x; long l = (long)&x; short s; memcpy(&s, (char *)&l + 2, 2); assert(s == 0); }",
        "!true",
    ),
    (
        "assert",
        "union w { unsigned long u; unsigned w[2]; } w; int main() { int x; w.u = (unsigned long)&x; assert(w.w[0] == 0); }",
        "!true",
    ),
    (
        "assert",
        "struct h { unsigned lo, hi; }; int main() { int x; unsigned long u = (unsigned long)&x; struct h h = *(struct h *)&u; \
         assert(h.lo == 0); }",
        "!true",
    ),
    (
        "assert",
        "int main() { int x; struct { unsigned long lo : 32, hi : 32; } s; s.lo = (unsigned long)&x; assert(s.lo == 0); }",
        "!true",
    ),
    (
        "assert",
        "int main() { unsigned long u = __VERIFIER_nondet_ulong(); unsigned a[2]; memcpy(a, &u, 8); \
         assert((a[0] | (unsigned long)a[1] << 32) == u); }",
        "true",
    ),
    // By way of a pointer to void.
    (
        "assert",
        "unsigned h(const void *k) { const unsigned *w = k; return w[0]; } int x; int main() { int *p = &x; assert(h(&p) == 0); }",
        "!true",
    ),
    (
        "assert",
        "unsigned h(const void *k) { const unsigned *w = k; return w[0]; } int main() { unsigned n[2] = {1, 2}; assert(h(n) == 1); }",
        "true",
    ),
    // Members of members of unions.
    (
        "assert",
        "struct s { int n, z; }; union u { void *p; struct s s; } u; int main() { u.p = &u; struct s x = u.s; assert(x.n == 0); }",
        "!true",
    ),
    (
        "assert",
        "struct s { int n, z; }; union u { void *p; struct s s; } u; int main() { u.p = &u; struct s *q = &u.s; assert(q->n == 0); }",
        "!true",
    ),
    (
        "assert",
        "union u { void *p; int a[2]; } u; int main() { int x[2]; u.p = &u; memcpy(x, u.a, 8); assert(x[0] == 0); }",
        "!true",
    ),
    (
        "assert",
        "struct s { int n, z; }; union u { void *p; struct s s; } u; int main() { u.s.n = 3; struct s x = u.s; assert(x.n == 3); }",
        "true",
    ),
    ("assert", "struct s { int n, z; } x; int main() { *(void **)&x = &x; assert(x.n == 0); }", "!true"),
    ("assert", "int a[2]; int main() { *(void **)a = a; assert(a[0] == 0); }", "!true"),
    ("assert", "struct s { int n, z; } x; int main() { *(long *)&x = 3; assert(x.n == 3); }", "true"),
    // What two addresses differ in.
    (
        "assert",
        "int main() { int *p = malloc(16); unsigned long a = (unsigned long)p; free(p); p = malloc(16); \
         assert((a ^ (unsigned long)p) != 0); }",
        "!true",
    ),
    (
        "assert",
        "int x; int main() { unsigned long a = (unsigned long)&x; assert((a ^ (unsigned long)&x) == 0); }",
        "true",
    ),
    ("assert", "int x, y; int main() { int *p = &x, *q = &y; assert(memcmp(&p, &q, sizeof p) < 0); }", "!true"),
    ("assert", "int x, y; int main() { int *p = &x, *q = &y; assert(memcmp(&p, &q, sizeof p) != 0); }", "!false"),
    (
        "assert",
        "int x; int main() { int *p = &x; unsigned char *s = (void *)&p; unsigned h = 0; \
         for (int i = 0; i < 8; i++) h = h * 31 + s[i]; assert(h != 12345); }",
        "!true",
    ),
    (
        "assert",
        "int x; char t[256]; int main() { int *p = &x; unsigned char *s = (void *)&p; t[0] = 1; assert(t[s[0]] == 1); }",
        "!true",
    ),
    ("assert", "int x; int main() { int *p = &x; unsigned low; memcpy(&low, &p, 4); assert(low == 0); }", "!true"),
    ("assert", "int x; int main() { int *p = &x; unsigned long v = 0; memcpy(&v, &p, 4); assert(v == 0); }", "!true"),
    ("assert", "int x; int main() { int *p = &x; short s[4]; memcpy(s, &p, 8); assert(s[3] == 0); }", "!true"),
    ("assert", "int x; union { void *p; double d; } u; int main() { u.p = &x; assert(u.d < 1.0); }", "!true"),
    (
        "assert",
        "int x; union { int *p; struct { unsigned low : 4, rest : 28; } b; } u; \
         int main() { u.p = &x; assert(u.b.low == 0); }",
        "!true",
    ),
    ("assert", "void f(void) {} int main() { void (*p)(void) = f; assert(*(unsigned char *)&p == 0); }", "!true"),
    ("assert", "int main() { const char *s = \"abc\"; assert(strlen((char *)&s) == 0); }", "!true"),
    // Whoever copies a pointer has it, and what is no address is a number.
    (
        "assert",
        "int x; int main() { int *p = &x, *q; memcpy(&q, &p, sizeof p); *q = 3; assert(x == 3 && q == p); }",
        "true",
    ),
    (
        "memsafety",
        "int x; int main() { int *p = &x, *q; unsigned char *s = (void *)&p, *d = (void *)&q; \
         for (int i = 0; i < 8; i++) d[i] = s[i]; *q = 5; return 0; }",
        "!false",
    ),
    (
        "assert",
        "int x; int main() { int *p = &x, *q; unsigned char *s = (void *)&p, *d = (void *)&q; \
         for (int i = 0; i < 8; i++) d[i] = s[i]; *q = 5; assert(x == 5 && q == p); }",
        "!false",
    ),
    (
        "assert",
        "struct s { int a; int *p; char c[3]; }; int x; int main() { struct s a = { 1, &x, \"ab\" }, b; b = a; *b.p = 7; \
         assert(x == 7 && b.p == &x && b.a == 1 && b.c[1] == 'b'); }",
        "true",
    ),
    ("assert", "int main() { int *p = 0; assert(((unsigned char *)&p)[0] == 0); }", "true"),
    // Numbers that addresses are compared with, and integers in memory that hold them.
    (
        "assert",
        "int x; int main() { unsigned long n = __VERIFIER_nondet_ulong(); \
         if (n == (unsigned long)&x) assert(n < 0x100000000000UL); }",
        "!true",
    ),
    (
        "assert",
        "int x; int main() { unsigned long n = __VERIFIER_nondet_ulong(); \
         if ((int *)n == &x) assert(n < 0x100000000000UL); }",
        "!true",
    ),
    (
        "assert",
        "int x, y; int main() { unsigned long k[2] = { (unsigned long)&x, (unsigned long)&y }; int i; \
         for (i = 0; i < 2; i++) if (k[i] == (unsigned long)&y) break; assert(i == 1); }",
        "true",
    ),
    ("assert", "int x; long b[1]; int main() { int **q = (int **)b; *q = &x; assert(b[0] % 8 == 0); }", "!true"),
    ("assert", "int x; int main() { long v = (long)&x; assert((double)v < 1e6); }", "!true"),
    ("assert", "int x; int main() { long v = (long)&x; v = 5; assert((float)v < 6.0f); }", "true"),
    // Addresses that are read as whole numbers, from memory that nothing shows to hold them.
    (
        "assert",
        "int x; void copy(void *d, void *s) { memcpy(d, s, 8); } \
         int main() { int *p = &x; long b[1]; copy(b, &p); assert((b[0] & 255) == 0); }",
        "!true",
    ),
    (
        "assert",
        "int x; void copy(void *d, void *s) { memcpy(d, s, 8); } \
         int main() { int *p = &x; int b[2]; copy(b, &p); assert(b[0] == 0); }",
        "!true",
    ),
    (
        "assert",
        "struct s { int a, *p; }; struct t { int a; long p; }; int x; \
         int main() { struct s s = { 1, &x }; struct t t; memcpy(&t, &s, sizeof t); assert((t.p & 255) == 0); }",
        "!true",
    ),
    (
        "assert",
        "int x; int main() { int *p = &x; long *b = malloc(8); if (!b) return 0; memcpy(b, &p, 8); \
         assert((b[0] & 255) == 0); }",
        "!true",
    ),
    (
        "assert",
        "int x; int main() { int *p = &x; long b[1]; char *d = (char *)b, *s = (char *)&p; \
         for (int i = 0; i < 8; i++) d[i] = s[i]; assert((b[0] & 255) == 0); }",
        "!true",
    ),
    (
        "assert",
        "int x; int main() { int *p = &x; int b[2]; char *d = (char *)b, *s = (char *)&p; \
         for (int i = 0; i < 8; i++) d[i] = s[i]; assert(b[0] == 0); }",
        "!true",
    ),
    ("assert", "int x; int main() { int *p = &x; char *c = (char *)&p; assert(*(long *)c % 8 == 0); }", "!true"),
    (
        "assert",
        "int x, y; void swap(void *a, void *b, int n) { char t[8]; memcpy(t, a, n); memcpy(a, b, n); memcpy(b, t, n); } \
         int main() { int *p = &x, *q = &y; swap(&p, &q, 8); *p = 1; assert(y == 1 && x == 0); }",
        "true",
    ),
    (
        "assert",
        "void swap(void *a, void *b, int n) { char t[8]; memcpy(t, a, n); memcpy(a, b, n); memcpy(b, t, n); } \
         int main() { long p = 1, q = 2; swap(&p, &q, 8); assert(p == 2 && q == 1); }",
        "true",
    ),
    (
        "assert",
        "struct n { long v; struct n *next; }; int main() { struct n *h = 0; for (int i = 0; i < 3; i++) { \
         struct n *m = malloc(sizeof *m); if (!m) return 0; m->v = i; m->next = h; h = m; } \
         assert(h->v == 2 && h->next->v == 1); }",
        "true",
    ),
    // Compound literals of const types may share storage, others may not.
    ("assert", "int main() { const int *p = (const int[]){1, 2}, *q = (const int[]){1, 2}; assert(p != q); }", "!true"),
    ("assert", "int main() { const int *p = (const int[]){1, 2}, *q = p; assert(p == q); }", "true"),
    ("assert", "int main() { int *p = (int[]){1, 2}, *q = (int[]){1, 2}; assert(p != q); }", "true"),
    (
        "assert",
        "const int *p = &(const int){3}; int main() { const int *q = &(const int){3}; assert(p != q); }",
        "!true",
    ),
    ("assert", "int main() { const char *p = (const char[]){\"ab\"}, *q = \"ab\"; assert(p != q); }", "!true"),
];

const LEFT_OPEN: &[(&str, &str, &str)] = &[
    // A distance in one object as an index into another, and distances of different objects.
    (
        "valid-deref",
        "int main() { char s[4], t[4]; const char *e = s; while (e < s + 3) e++; unsigned long n = e - s; t[n] = 0; t[e - s] = 1; }",
        "true",
    ),
    (
        "valid-deref",
        "int main() { char s[4] = \"abc\"; const char *e = s; while (*e && *e != 'c') e++; char *t = malloc(e - s + 1);\
         if (!t) return 0; t[e - s] = 0; free(t); }",
        "true",
    ),
    (
        "valid-deref",
        "int main() { char s[4] = \"abc\"; const char *e = s; while (*e && *e != 'c') e++; char *t = malloc(e - s);\
         if (!t) return 0; t[e - s] = 0; free(t); }",
        "false(valid-deref)",
    ),
    ("assert", "char s[4], t[4], u[4]; int main() { char *p = u + (t - s); assert(p != t); }", "!true"),
    (
        "assert",
        "char s[4], t[4], u[4]; int main() { u[0] = 1; *(t + (u - s) + (s - t)) = 2; assert(u[0] == 1); }",
        "!true",
    ),
    // Variables that may be in registers have any value after a jump, if they have changed.
    (
        "assert",
        "jmp_buf b; int main() { int n = 0; if (setjmp(b) == 0) { n = 5; longjmp(b, 1); } assert(n == 5); }",
        "!true",
    ),
    (
        "assert",
        "jmp_buf b; int main() { int n = 0; if (setjmp(b) == 0) { n = 5; longjmp(b, 1); } assert(n == 0); }",
        "!true",
    ),
    (
        "assert",
        "jmp_buf b; int main() { int n = 0, *p = &n; if (setjmp(b) == 0) { *p = 5; longjmp(b, 1); } assert(n == 5); }",
        "!true",
    ),
    (
        "assert",
        "jmp_buf b; int main() { volatile int n = 0; int m = 3; if (setjmp(b) == 0) { n = 5; longjmp(b, 1); } \
         assert(n == 5 && m == 3); }",
        "true",
    ),
    // Where calls return to is the same for the same call.
    (
        "assert",
        "void *f(void) { return __builtin_return_address(0); } \
         int main() { void *a[2]; for (int i = 0; i < 2; i++) a[i] = f(); assert(a[0] == a[1]); }",
        "!false",
    ),
    // Where equal items go, which one is found, and how often they are compared.
    (
        "assert",
        "struct k { int k, v; }; int f(const void *a, const void *b) { \
         return ((const struct k *)a)->k - ((const struct k *)b)->k; } \
         int main() { struct k a[2] = { { 0, 2 }, { 0, 3 } }; qsort(a, 2, sizeof *a, f); assert(a[0].v == 2); }",
        "!true",
    ),
    (
        "assert",
        "int f(const void *a, const void *b) { return *(const int *)a - *(const int *)b; } \
         int main() { int a[3] = { 2, 1, 2 }; qsort(a, 3, sizeof *a, f); assert(a[0] == 1 && a[1] == 2 && a[2] == 2); }",
        "true",
    ),
    (
        "assert",
        "int n; int f(const void *a, const void *b) { n++; return *(const int *)a - *(const int *)b; } \
         int main() { int a[3] = { 3, 2, 1 }; qsort(a, 3, sizeof *a, f); assert(n == 3); }",
        "!true",
    ),
    (
        "assert",
        "int f(const void *a, const void *b) { return *(const int *)a - *(const int *)b; } \
         int main() { int a[4] = { 1, 2, 2, 3 }, k = 2; int *p = bsearch(&k, a, 4, sizeof *a, f); assert(p == a + 2); }",
        "!true",
    ),
    (
        "assert",
        "int f(const void *a, const void *b) { return *(const int *)a - *(const int *)b; } \
         int main() { int a[4] = { 1, 2, 2, 3 }, k = 2; int *p = bsearch(&k, a, 4, sizeof *a, f); assert(p && *p == 2); }",
        "true",
    ),
    // Places that overlap.
    ("assert", "int main() { char b[8] = \"abcdef\"; memcpy(b + 1, b, 5); assert(b[5] == 'e'); }", "!true"),
    ("assert", "int main() { char b[8] = \"abcdef\"; memmove(b + 1, b, 5); assert(b[5] == 'e'); }", "true"),
    ("assert", "int main() { char b[8] = \"abcdef\"; memcpy(b + 4, b, 4); assert(b[5] == 'b'); }", "true"),
    ("assert", "int main() { char b[8] = \"abcdef\"; strcpy(b, b + 1); assert(b[0] == 'b'); }", "!true"),
    ("memsafety", "int main() { char b[8] = \"abc\"; sprintf(b, \"%s!\", b); return 0; }", "!true"),
    // The sizes of an array are evaluated in any order.
    (
        "assert",
        "int c; int f(void) { return ++c; } int main() { int a[f()][f()]; assert(sizeof a[0] == 2 * sizeof(int)); }",
        "!true",
    ),
    ("assert", "int main() { int n = 2, m = 3; int a[n][m]; assert(sizeof a == 24 && sizeof a[0] == 12); }", "true"),
];

/// Checks that were not made: in callbacks, in comparisons, of constants, of what the library does.
const CHECKED: &[(&str, &str, &str)] = &[
    ("div-by-zero", "static int cb(int x) { return 10 / x; } void run(int (*)(int)); int main() { run(cb); }", "!true"),
    ("no-overflow", "static int cb(int x) { return x + 1; } void run(int (*)(int)); int main() { run(cb); }", "!true"),
    ("unreach-call", "static int cb(int x) { return x + 1; } void run(int (*)(int)); int main() { run(cb); }", "true"),
    (
        "memsafety",
        "static int a[3]; static int cb(int i) { return a[i]; } void run(int (*)(int)); int main() { run(cb); }",
        "!true",
    ),
    (
        "termination",
        "static int cb(int i) { while (i); return 0; } void run(int (*)(int)); int main() { run(cb); }",
        "!true",
    ),
    ("unreach-call", "void reach_error(void); void run(void (*)(void)); int main() { run(reach_error); }", "!true"),
    (
        "unreach-call",
        "void reach_error(void) {} static void cb(void) { reach_error(); } void run(void (*)(void)); int main() { run(cb); }",
        "!true",
    ),
    (
        "assert",
        "static int g; static void cb(void) { __sync_fetch_and_add(&g, 1); } void run(void (*)(void)); \
         int main() { run(cb); assert(g == 0); }",
        "!true",
    ),
    ("unreach-call", "void reach_error(void) {} int main() { atexit(reach_error); }", "false(unreach-call)"),
    // Which items are compared, and sorting by what is no order.
    (
        "no-overflow",
        "static int by(const void *a, const void *b) { return *(int *)a - *(int *)b; } \
         int main() { int a[4] = {-1500000000, 0, 1000000000, 1100000000}; qsort(a, 4, sizeof *a, by); }",
        "!true",
    ),
    (
        "no-overflow",
        "static int by(const void *a, const void *b) { return *(int *)a - *(int *)b; } \
         int main() { int a[4] = {-15, 0, 10, 11}; qsort(a, 4, sizeof *a, by); }",
        "true",
    ),
    (
        "memsafety",
        "static int by(const void *a, const void *b) { return ((int *)a)[1] - *(int *)b; } \
         int main() { int a[2] = {1, 2}; qsort(a, 2, sizeof *a, by); }",
        "!true",
    ),
    (
        "assert",
        "static int by(const void *a, const void *b) { return (int)(*(unsigned *)a - *(unsigned *)b); } \
         int main() { unsigned a[3] = {0, 0xAAAAAAAA, 0x55555555}; qsort(a, 3, sizeof *a, by); assert(a[0] != 0); }",
        "!true",
    ),
    (
        "assert",
        "static int by(const void *a, const void *b) { int x = *(int *)a, y = *(int *)b; return (x > y) - (x < y); } \
         int main() { int a[3] = {__VERIFIER_nondet_int(), 7, 3}; qsort(a, 3, sizeof *a, by); assert(a[0] <= a[1] && a[1] <= a[2]); }",
        "true",
    ),
    (
        "unreach-call",
        "void reach_error(void) {} static int by(const void *k, const void *b) { if (*(int *)b == 1) reach_error(); \
         return *(int *)k - *(int *)b; } int main() { int a[4] = {1, 2, 3, 4}, k = 4; bsearch(&k, a, 4, sizeof *a, by); }",
        "!true",
    ),
    // Functions of the library.
    (
        "no-overflow",
        "int main() { int x = __VERIFIER_nondet_int(); div_t d = div(x, -1); return d.quot > 0; }",
        "false(no-overflow)",
    ),
    (
        "no-overflow",
        "int main() { long x = __VERIFIER_nondet_int(); ldiv_t d = ldiv(x, -1); return d.quot > 0; }",
        "true",
    ),
    ("memsafety", "int isalpha(int); int main() { return isalpha(-10000); }", "unknown(unsupported"),
    ("memsafety", "int isalpha(int); int main() { return isalpha(getchar()); }", "true"),
    // Constants.
    ("memsafety", "void bzero(void *, size_t); int main() { char *s = \"abc\"; bzero(s, 1); }", "false(valid-deref)"),
    (
        "memsafety",
        "static const int t[3] = {1, 2, 3}; union u { const int *c; int *m; }; int main() { union u v; v.c = t; *v.m = 5; }",
        "false(valid-deref)",
    ),
    (
        "memsafety",
        "#include <stdarg.h>\nstatic void f(int n, ...) { va_list a; va_start(a, n); char *p = va_arg(a, char *); *p = 'x'; va_end(a); } \
         int main() { const char *s = \"abc\"; f(1, s); }",
        "false(valid-deref)",
    ),
    (
        "memsafety",
        "static const int t[3] = {1, 2, 3}; int main() { const int *c = t; int *m; memcpy(&m, &c, sizeof m); *m = 4; }",
        "false(valid-deref)",
    ),
    (
        "memsafety",
        "struct a { const char *p; }; struct b { char *p; }; \
         int main() { struct a x = {\"lit\"}; struct b *y = (struct b *)&x; y->p[0] = 1; }",
        "false(valid-deref)",
    ),
    (
        "memsafety",
        "struct a { const char *p; int n; }; int main() { struct a *x = malloc(sizeof *x); if (!x) return 0; x->p = \"lit\"; \
         x->n = x->p[0]; free(x); }",
        "true",
    ),
    // Constant expressions.
    ("conversion", "int main() { unsigned char x = 300; return x; }", "false(conversion)"),
    ("conversion", "int main() { unsigned char x = 200; long y = -1; return x + (y < 0); }", "true"),
    ("unsigned-overflow", "int main() { unsigned x = 0u - 1u; return x > 3; }", "false(unsigned-overflow)"),
    ("unsigned-overflow", "int main() { unsigned x = 3u - 1u; return x > 3; }", "true"),
    ("float", "int main() { double d = 1e308 * 10; return d > 1; }", "false(float)"),
    ("float", "double e = 1e300 * 10; int main() { double d = 1e300 * 10; return d > e; }", "true"),
    ("no-overflow", "int x = 2147483647 * 2; int main() { return x; }", "!true"),
    ("assert", "int x = 2147483647 * 2; int main() { assert(x == -2); }", "true"),
    ("pointer-overflow", "int a[4]; int *p = &a[6]; int main() { return p != a; }", "!true"),
    ("pointer-overflow", "int a[4]; int *p = &a[4]; int main() { return p != a; }", "true"),
    // Assembler: parts of registers, and registers that are shared.
    (
        "assert",
        "int main() { int o = 0x11223344, a = 0x55667788; __asm__(\"mov %b1,%b0\" : \"+q\"(o) : \"q\"(a)); assert(o == a); }",
        "!true",
    ),
    (
        "assert",
        "int main() { int o = 1, a = 2; __asm__(\"mov %k1,%k0\" : \"+q\"(o) : \"q\"(a)); assert(o == a); }",
        "true",
    ),
    (
        "assert",
        "int main() { int r; __asm__(\"mov %2,%0\\n\\tadd %1,%0\" : \"=r\"(r) : \"r\"(3), \"r\"(4)); assert(r == 7); }",
        "!true",
    ),
    (
        "assert",
        "int main() { int r; __asm__(\"mov %2,%0\\n\\tadd %1,%0\" : \"=&r\"(r) : \"r\"(3), \"r\"(4)); assert(r == 7); }",
        "true",
    ),
    // Constants that are reached by other ways: the elements of an array, an initialiser, another type of function, built-in functions.
    ("valid-deref", "static const int k[2]; int main() { int *p = (int *)&k; *p = 1; }", "false(valid-deref)"),
    ("valid-deref", "static const int k[2][2]; int main() { int *p = (int *)k; *p = 1; }", "false(valid-deref)"),
    ("valid-deref", "int main() { char (*p)[4] = &\"abc\"; (*p)[1] = 'd'; }", "false(valid-deref)"),
    ("valid-deref", "static const int k[4] = {5}; int *p = (int *)k + 1; int main() { *p = 1; }", "false(valid-deref)"),
    (
        "valid-deref",
        "static const int k[4] = {5}; const int *c = k; int **pp = (int **)&c; int main() { **pp = 1; }",
        "false(valid-deref)",
    ),
    ("valid-deref", "int main() { char *s = \"abcd\"; __sync_fetch_and_add(s, 1); }", "false(valid-deref)"),
    ("valid-deref", "int main() { char *s = \"abcd\"; __builtin_add_overflow(1, 2, (int *)s); }", "false(valid-deref)"),
    ("valid-deref", "int main() { char *s = \"abcd\"; __atomic_store_n(s, 'x', 0); }", "false(valid-deref)"),
    ("valid-deref", "int main() { char *s = \"abcd\"; asm(\"movl $1, %0\" : \"=m\"(*(int *)s)); }", "!true"),
    ("valid-deref", "int main() { char *s = \"abcd\"; fread(s, 1, 2, stdin); }", "!true"),
    (
        "valid-deref",
        "static void f(char *s) { s[0] = 'x'; } void (*g)(const char *) = (void (*)(const char *))f;\n\
         int main() { static const char b[] = \"abc\"; g(b); }",
        "false(valid-deref)",
    ),
    (
        "valid-deref",
        "static void f(); int main() { const char *b = \"abc\"; f(b); } static void f(char *s) { s[0] = 'x'; }",
        "false(valid-deref)",
    ),
    (
        "valid-deref",
        "static const int k[2] = {1}; static int f(const int *p) { return *p; } int main() { return f(k); }",
        "true",
    ),
    (
        "assert",
        "int main() { int a[2] = {0}; asm(\"btsl %1,%0\" : \"+m\"(a[0]) : \"r\"(33)); assert(a[1] == 0); }",
        "!true",
    ),
    // What a machine has for the bits of an address is open, also where a function looks at them, and before the object.
    ("assert", "static char x; int main() { assert(__builtin_popcountl((unsigned long)&x) != 9); }", "!true"),
    ("assert", "static char x; int main() { assert(__builtin_ctzl((unsigned long)&x) != 0); }", "!true"),
    ("assert", "static char x; int main() { assert((labs((long)&x) & 1) == 0); }", "!true"),
    (
        "assert",
        "static char x; int main() { char b[40]; sprintf(b, \"%ld\", (long)&x); assert(strtol(b, 0, 10) % 2 == 0); }",
        "!true",
    ),
    (
        "assert",
        "static char x; int main() { unsigned long i = (unsigned long)&x - 16; assert((i & 1) == 0); }",
        "!true",
    ),
    (
        "assert",
        "static char x; int main() { long a = (long)&x; int i = 0; while (a & 1) { i++; a--; } assert(i != 1); }",
        "!true",
    ),
    ("assert", "static char x; int main() { assert(((1 - (unsigned long)&x) & 1) == 1); }", "!true"),
    ("assert", "static char x; int main() { char *a = (char *)((long)&x | 1); assert(a != &x); }", "!true"),
    ("assert", "static char x; int main() { long i = &x - (char *)8; assert((i & 1) == 0); }", "!true"),
    (
        "assert",
        "static int x; int main() { long a = (long)&x | 1; assert(a != (long)&x && (a & 1) == 1 && (int *)(a - 1) == &x); }",
        "!false",
    ),
];

#[test]
fn checks_that_were_not_made() {
    check_answers("hunt-checked", HEAD, CHECKED);
}

#[test]
fn parts_of_addresses() {
    check_answers("hunt-parts", HEAD, PARTS);
}

#[test]
fn what_c_leaves_open() {
    check_answers("hunt-open", HEAD, LEFT_OPEN);
}

/// Files that say other things of a variable, and of a function.
#[test]
fn files_that_disagree() {
    let scratch = Scratch::new("hunt-files");
    let verify = |one: &str, two: &str| {
        let (one, two) = (scratch.file("one.c", one), scratch.file("two.c", two));
        foldback(["verify".to_owned(), one.display().to_string(), two.display().to_string()])
    };
    let said = verify("int x = 1;\n", "#include <assert.h>\nextern float x; int main(void) { assert(x == 1.0f); }\n");
    assert_eq!(said.status.code(), Some(2), "{}", stdout(&said));
    let said = verify(
        "double f(float x) { return x; }\n",
        "#include <assert.h>\ndouble f(); int main(void) { assert(f(1.0f) == 1.0); }\n",
    );
    assert!(stdout(&said).contains("RESULT: unknown(unsupported"), "{}", stdout(&said));
}
