//! What a hunt for wrong answers found: parts of addresses in memory, numbers that are addresses, `setjmp`, sorting and searching,
//! places that overlap, the order of sizes, and files that disagree.

mod common;

use common::{Scratch, check_answers, foldback, stdout};

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
        "true",
    ),
    (
        "assert",
        "int x; int main() { int *p = &x, *q; unsigned char *s = (void *)&p, *d = (void *)&q; \
         for (int i = 0; i < 8; i++) d[i] = s[i]; *q = 5; assert(x == 5 && q == p); }",
        "true",
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
