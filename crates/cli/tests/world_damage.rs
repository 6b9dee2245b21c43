//! Numbers written over parts of pointers, constants written through pointers, promises of attributes that a program breaks, and
//! memory that is allocated when the program aborts: what compilers and machines make of it is open, so nothing is proved of it.

use crate::common::check_answers;

const HEAD: &str = "#include <assert.h>\n#include <stdlib.h>\n#include <string.h>\n#include <stdint.h>\n\
    extern int __VERIFIER_nondet_int(void); static int x, y;\n";

/// Property, program, how the result begins; `!` what it must not be.
const DAMAGED: &[(&str, &str, &str)] = &[
    ("memsafety", "int main() { int *q = &x; *(unsigned char *)&q = 0; *q = 5; return 0; }", "!true"),
    ("assert", "int main() { int *q = &x; *(unsigned char *)&q = 0; *q = 5; assert(x == 5); }", "!true"),
    ("memsafety", "int main() { int *p = malloc(4), *q = p; memset(&q, 0, 1); free(q); return 0; }", "!true"),
    ("memsafety", "int main() { int *p = malloc(8), *q = p; memset(&q, 0, 2); *q = 1; free(p); return 0; }", "!true"),
    (
        "memsafety",
        "struct { int *p; } s; int main() { s.p = &x; struct { unsigned lo, hi; } h; memcpy(&h, &s, 8); h.lo = 0;\
         memcpy(&s, &h, 8); *s.p = 1; return 0; }",
        "!true",
    ),
    (
        "memsafety",
        "struct __attribute__((packed)) s { int *p; }; int main() { struct s s; s.p = &x; unsigned short *h = (void *)&s;\
         h[0] = 0; *s.p = 1; return 0; }",
        "!true",
    ),
    (
        "assert",
        "int main() { union { int *p; struct { uint64_t a : 12, r : 52; } f; } u; u.p = &x; u.f.a = 0; *u.p = 9;\
         assert(x == 9); }",
        "!true",
    ),
    (
        "assert",
        "int main() { int *a[3] = {&x, &y, &x}; int i = __VERIFIER_nondet_int(); if (i < 0 || i > 2) return 0;\
         ((unsigned short *)&a[i])[1] = 0; *a[i] = 5; assert(x == 5 || y == 5); }",
        "!true",
    ),
    // Not all bytes are new, and the last ones are those that our own numbering would look at.
    (
        "assert",
        "int main() { int *q = &x; unsigned char *c = (void *)&q; for (int i = 1; i < 8; i++) c[i] = 0; assert(q == 0); }",
        "!true",
    ),
    // Beyond the end of an array, into the pointer beside it.
    (
        "assert",
        "struct s { char n[8]; int *p; }; int main() { struct s s; s.p = &x; int i = __VERIFIER_nondet_int();\
         if (i < 0 || i > 15) return 0; s.n[i] = 1; *s.p = 5; assert(x == 5); }",
        "!true",
    ),
    (
        "assert",
        "struct s { short n[3]; struct s *next; int v; }; int main() { struct s *s = malloc(sizeof *s); s->next = s; s->v = 0;\
         int i = __VERIFIER_nondet_int(); if (i < 0 || i > 7) return 0; s->n[i] = 1; s->next->v = 5; assert(s->v == 5); }",
        "!true",
    ),
    (
        "assert",
        "struct s { char n[8]; int *p; }; int main() { struct s s; s.p = &x; int i = __VERIFIER_nondet_int();\
         if (i < 0 || i > 7) return 0; s.n[i] = 1; *s.p = 5; assert(x == 5); }",
        "true",
    ),
    // All bytes are written again, or only those of another word.
    ("memsafety", "int main() { int *q = &x; *(unsigned char *)&q = 0; q = &y; *q = 5; return 0; }", "true"),
    ("memsafety", "int main() { int *q[2] = {&x, &y}; *(unsigned char *)&q[0] = 0; *q[1] = 5; return 0; }", "true"),
    ("assert", "int main() { int *q = &x; memset(&q, 0, sizeof q); assert(q == 0); }", "true"),
    (
        "memsafety",
        "struct v { int tag; union { int i; int *p; } u; }; int main() { struct v v = {0}; v.u.i = 5;\
         if (__VERIFIER_nondet_int()) { v.tag = 1; v.u.p = &x; } if (v.tag) *v.u.p = v.tag; else x = v.u.i; return 0; }",
        "true",
    ),
    (
        "assert",
        "struct v { int tag; union { int i; int *p; } u; }; int main() { struct v v = {1, {.p = &x}}; *v.u.p = 3; v.tag = 0;\
         v.u.i = 5; assert(x == 3); }",
        "true",
    ),
];

#[test]
fn pointers_with_foreign_bytes_are_not_known() {
    check_answers("world-damage", HEAD, DAMAGED);
}

const CONSTANTS: &[(&str, &str, &str)] = &[
    ("assert", "int main() { const int c = 1; int *p = (int *)&c; *p = 2; assert(c == 2); }", "!true"),
    (
        "assert",
        "static const int c = 1; void set(const int *q) { *(int *)q = 2; } int main() { set(&c); assert(c == 2); }",
        "!true",
    ),
    (
        "assert",
        "struct s { int a; char n[8]; }; int main() { const struct s s = {1, \"ab\"}; char *p = strchr(s.n, 'b'); *p = 'c';\
         assert(s.n[1] == 'c'); }",
        "!true",
    ),
    (
        "assert",
        "static const int t[3] = {1, 2, 3}; int main() { memset((void *)t, 0, 4); assert(t[0] == 0); }",
        "!true",
    ),
    // A string literal.
    ("assert", "int main() { char *s = \"abc\"; s[0] = 'x'; assert(s[0] == 'x'); }", "!true"),
    ("assert", "int main() { char *s = \"abc\"; s[0] = 'x'; assert(s[0] == 'a'); }", "!true"),
    (
        "assert",
        "void set(char *s) { strcpy(s, \"y\"); } int main() { char b[4] = \"abc\"; set(__VERIFIER_nondet_int() ? b : \"hij\");\
         assert(x == 0); }",
        "!true",
    ),
    (
        "assert",
        "static char *t[2] = {\"one\", \"two\"}; int main() { memset(t[1], 0, __VERIFIER_nondet_int() ? 1 : 0); assert(x == 0); }",
        "!true",
    ),
    (
        "assert",
        "void set(char *s) { s[0] = 'x'; } int main() { char b[4] = \"abc\"; char *t = \"hij\"; set(b); memset(t, 0, 0);\
         assert(b[0] == 'x' && t[0] == 'h'); }",
        "true",
    ),
    // Another object, which is no constant, and constants that nobody writes.
    (
        "assert",
        "void set(const int *q) { *(int *)q = 2; } int main() { int c = 1; const int d = 5; const int *r = &d; set(&c);\
         assert(c == 2 && *r == 5); }",
        "true",
    ),
    (
        "assert",
        "static const int t[3] = {1, 2, 3}; static int sum(const int *a) { int s = 0; for (int i = 0; i < 3; i++) s += a[i];\
         return s; } int main() { int s = sum(t); char b[2]; *(char *)b = 1; assert(s == 6); }",
        "true",
    ),
    (
        "assert",
        "struct s { int a, b; }; static struct s make(int n) { struct s s = {n, n}; return s; } int main() { for (int i = 0; i < 3; i++)\
         { const struct s s = make(i); int *p = &x; const int *q = &s.a; *(int *)(q == 0 ? q : p) = i; assert(s.a == x); } }",
        "true",
    ),
];

#[test]
fn constants_stay_what_they_are() {
    check_answers("world-constants", HEAD, CONSTANTS);
}

/// Programs that call an error function by another name of it.
const NAMES: &[(&str, &str, &str)] = &[
    (
        "unreach-call",
        "void reach_error(void) { } void other(void) __attribute__((alias(\"reach_error\"))); int main() { other(); }",
        "false(unreach-call)",
    ),
    (
        "unreach-call",
        "void reach_error(void) { } void other(void) __attribute__((alias(\"reach_error\"))); int main() { void (*f)(void) = other;\
         if (f == reach_error) f(); }",
        "false(unreach-call)",
    ),
    (
        "unreach-call",
        "void reach_error(void) { } static void other(void) __attribute__((weakref(\"reach_error\"))); int main() { other(); }",
        "false(unreach-call)",
    ),
    (
        "unreach-call",
        "void work(void) { x = 1; } void reach_error(void) __attribute__((alias(\"work\"))); int main() { work(); }",
        "!true",
    ),
    (
        "unreach-call",
        "void reach_error(void) __asm__(\"other\"); void reach_error(void) { } int main() { reach_error(); }",
        "!true",
    ),
    (
        "unreach-call",
        "void reach_error(void) __asm__(\"other\"); extern void other(void); void reach_error(void) { } int main() { other(); }",
        "!true",
    ),
    (
        "unreach-call",
        "static void mine(void) __asm__(\"reach_error\"); static void mine(void) { } int main() { mine(); }",
        "!true",
    ),
    (
        "unreach-call",
        "void reach_error(void) { } void work(void) { x = 1; } void other(void) __attribute__((alias(\"work\")));\
         int main() { other(); if (x != 1) reach_error(); }",
        "true",
    ),
];

#[test]
fn a_function_is_called_by_any_of_its_names() {
    check_answers("world-names", HEAD, NAMES);
}

const PROMISES: &[(&str, &str, &str)] = &[
    (
        "assert",
        "int g; __attribute__((noinline, const)) int f(int n) { return g + n; } int main() { g = 1; int a = f(0); g = 2;\
         int b = f(0); assert(a == 1 && b == 2); }",
        "!true",
    ),
    (
        "assert",
        "int g; __attribute__((noinline, pure)) int f(int n) { g++; return g + n; } int main() { int a = f(0), b = f(0);\
         assert(a == 1 && b == 2); }",
        "!true",
    ),
    (
        "assert",
        "__attribute__((noinline, nonnull)) int f(int *p) { return p == 0; } int main() { int *p = 0; assert(f(p) == 1); }",
        "!true",
    ),
    (
        "assert",
        "__attribute__((noinline, nonnull(2))) int f(int *p, int *q) { return p == q; } int main() { assert(f(0, &x) == 0); }",
        "true",
    ),
    (
        "assert",
        "__attribute__((noinline, returns_nonnull)) int *f(int *p) { return p; } int main() { assert(f(0) == 0); }",
        "!true",
    ),
    (
        "assert",
        "int g; __attribute__((pure)) int f(const int *p) { int s = 0; for (int i = 0; i < 2; i++) s += p[i]; return s + g; }\
         __attribute__((const, nonnull)) int h(int n) { static const int t[2] = {3, 4}; return t[n & 1]; }\
         int main() { int a[2] = {1, 2}; g = 1; assert(f(a) == 4 && h(1) == 4); }",
        "true",
    ),
];

#[test]
fn promises_are_kept_or_nothing_is_proved() {
    check_answers("world-promises", HEAD, PROMISES);
}

const CLEANUP: &[(&str, &str, &str)] = &[
    ("memcleanup", "int main() { int *p = malloc(4); abort(); }", "false(valid-memcleanup)"),
    ("memcleanup", "int main() { int *p = malloc(4); *p = 1; if (*p) exit(0); free(p); }", "false(valid-memcleanup)"),
    (
        "memcleanup",
        "void __VERIFIER_error(void) __attribute__((noreturn)); int main() { int *p = malloc(4);\
         if (__VERIFIER_nondet_int()) __VERIFIER_error(); free(p); return 0; }",
        "false(valid-memcleanup)",
    ),
    (
        "memcleanup",
        "int main() { int *p = malloc(4); *p = x; assert(*p == 1); free(p); return 0; }",
        "false(valid-memcleanup)",
    ),
    ("memcleanup", "int main() { int *p = malloc(4); free(p); abort(); }", "true"),
    ("memcleanup", "int main() { int *p = malloc(4); *p = x; assert(*p == 0); free(p); return 0; }", "true"),
    (
        "memcleanup",
        "extern void __VERIFIER_assume(int); int main() { int *p = malloc(4); __VERIFIER_assume(0); return 0; }",
        "true",
    ),
    // What the stack points to is not lost.
    ("valid-memtrack", "int main() { int *p = malloc(4); *p = 1; abort(); }", "true"),
];

#[test]
fn an_abort_ends_the_program_too() {
    check_answers("world-cleanup", HEAD, CLEANUP);
}

const BYTES: &[(&str, &str, &str)] = &[
    ("assert", "int main() { _Bool b; *(unsigned char *)&b = 3; int n = b; assert(n == 1); }", "!true"),
    ("assert", "int main() { _Bool b; *(unsigned char *)&b = 3; int n = b; assert(n != 1); }", "!true"),
    ("assert", "int main() { union { _Bool b; unsigned char c; } u; u.c = 2; assert(u.b == 1); }", "!true"),
    ("assert", "void set(void *p) { *(char *)p = 2; } int main() { _Bool b; set(&b); assert(b == 1); }", "!true"),
    ("assert", "int main() { union { _Bool b; unsigned char c; } u; u.c = 1; assert(u.b == 1); }", "true"),
    (
        "assert",
        "struct s { _Bool b; int n; }; int main() { struct s *s = calloc(1, sizeof *s); assert(!s->b); s->b = 7; assert(s->b == 1); }",
        "true",
    ),
    // Memory that only truth values are written to, beside memory of which that is not so.
    (
        "assert",
        "struct s { int n; _Bool b; }; int main() { _Bool c; *(char *)&c = 1; struct s *s = malloc(sizeof *s); s->n = x = __VERIFIER_nondet_int();\
         if (s->b) s->n = 1; else s->n = 2; assert(s->n == 1 || s->n == 2); s->b = x; assert(s->b == (x != 0)); }",
        "true",
    ),
    (
        "assert",
        "struct s { int n; _Bool b; }; int main() { _Bool c; *(char *)&c = 1; struct s s; memset(&s, 1, sizeof s); assert(s.b); }",
        "true",
    ),
    (
        "assert",
        "struct s { int n; _Bool b; }; int main() { _Bool c; *(char *)&c = 1; struct s s; memset(&s, 2, sizeof s); assert(s.b); }",
        "!true",
    ),
    (
        "assert",
        "struct s { int n; _Bool b; }; int main() { struct s s, t; char raw[sizeof s] = {0, 0, 0, 0, 2}; memcpy(&s, raw, sizeof s);\
         t = s; assert(t.b); }",
        "!true",
    ),
    ("assert", "struct s { _Bool a, b; }; int main() { struct s s; *(short *)&s = 0x0201; assert(s.b); }", "!true"),
    (
        "assert",
        "struct s { char c[4]; _Bool b; }; int main() { struct s s; unsigned i = __VERIFIER_nondet_int(); s.b = 1; if (i < 5) ((char *)&s)[i] = 2;\
         assert(s.b); }",
        "!true",
    ),
    (
        "assert",
        "extern void *get(void); struct s { int n; _Bool b; }; int main() { char *p = get(); char *q = p + 4; *q = 2;\
         assert(((struct s *)p)->b); }",
        "!true",
    ),
    ("assert", "extern void fill(char *p); int main() { _Bool b = 0; fill((char *)&b); assert(b || !b); }", "!true"),
    (
        "assert",
        "int main() { long double d; unsigned char c[16]; memset(&d, 0xff, 16); d = 1.0L; memcpy(c, &d, 16);\
         assert(c[12] == 0); }",
        "!true",
    ),
    (
        "assert",
        "int main() { long double d; unsigned char c[16]; memset(&d, 0xff, 16); d = 1.0L; memcpy(c, &d, 16);\
         assert(c[12] == 0xff); }",
        "!true",
    ),
    (
        "assert",
        "int main() { long double d = 1.0L; unsigned char c[16]; memcpy(c, &d, 16); assert(c[9] == 0x3f && c[7] == 0x80); }",
        "true",
    ),
    ("assert", "int main() { char *p = (char *)&x, *n = 0; assert((p - n) % 4096 == 0); }", "!true"),
    ("assert", "int main() { char *p = (char *)&x; assert(p - (char *)0 > 100000); }", "!true"),
    ("assert", "int main() { char *p = 0, *n = 0; assert(p - n == 0); }", "true"),
    ("assert", "struct s { int a, b; }; int main() { assert((char *)&((struct s *)0)->b - (char *)0 == 4); }", "true"),
];

#[test]
fn bytes_that_c_leaves_open_have_no_convenient_value() {
    check_answers("world-bytes", HEAD, BYTES);
}

/// Parts of addresses that are read as members of structs that the program makes of pointers to `void`.
const HIDDEN_PARTS: &[(&str, &str, &str)] = &[
    (
        "assert",
        "struct h { unsigned lo, hi; }; unsigned hi(void *p) { struct h *h = p; return h->hi; }\
         int main() { int *p = &x; assert(hi(&p) < 4096); }",
        "!true",
    ),
    (
        "assert",
        "struct h { unsigned lo, hi; }; struct n { int v; int *p; }; unsigned lo(void *p) { struct h h = *(struct h *)p; return h.lo; }\
         int main() { struct n n = {1, &x}; assert(lo(&n.p) == 0); }",
        "!true",
    ),
    (
        "assert",
        "struct h { unsigned lo; float f; }; float hi(void *p) { return ((struct h *)p)->f; }\
         int main() { int *p = &x; assert(hi(&p) < 1e-42f); }",
        "!true",
    ),
    (
        "assert",
        "struct h { unsigned lo, hi; }; struct n { int *p, *q; }; unsigned hi(void *p, int i) { return ((struct h *)p)[i].hi; }\
         int main() { struct n n = {&x, &y}; int i = __VERIFIER_nondet_int(); if (i < 0 || i > 1) return 0; assert(hi(&n, i) < 9); }",
        "!true",
    ),
    // A copy of the address.
    (
        "assert",
        "struct h { unsigned lo, hi; }; unsigned hi(void *p) { return ((struct h *)p)->hi; } struct n { int v; int *p; };\
         int main() { struct n *a = malloc(16), *b = malloc(16); a->p = &x; *b = *a; free(a); assert(hi(&b->p) < 9); }",
        "!true",
    ),
    // Parts of two addresses, both of which matter.
    (
        "assert",
        "struct h { unsigned lo, hi; }; unsigned lo(void *p) { return ((struct h *)p)->lo; }\
         int main() { void *m = malloc(16); int **p = m; p[0] = &x; p[1] = &y; assert(lo(m) != 16 || lo((char *)m + 8) != 32); }",
        "!true",
    ),
    // Whatever the part is.
    (
        "assert",
        "struct h { unsigned lo, hi; }; unsigned lo(void *p) { return ((struct h *)p)->lo; }\
         int main() { void *m = malloc(8); *(int **)m = &x; unsigned r = lo(m); if (r > 5) r = 5; assert(r <= 5); }",
        "true",
    ),
    // What is read there is a number.
    (
        "assert",
        "struct h { unsigned lo, hi; }; struct n { int tag; void *p; }; unsigned hi(void *p) { struct h *h = p; return h->hi; }\
         int main() { struct n n = {1, &x}; struct h h = {3, 4}; assert(hi(&h) == 4); assert(n.p == &x); }",
        "true",
    ),
    (
        "assert",
        "struct h { unsigned lo, hi; }; unsigned hi(void *p) { return ((struct h *)p)->hi; }\
         int main() { void *m = malloc(8); *(int **)m = &x; *(int **)m = 0; assert(hi(m) == 0); }",
        "true",
    ),
    (
        "assert",
        "struct h { unsigned lo, hi; }; unsigned hi(void *p) { return ((struct h *)p)->hi; } struct n { int *p; struct h h; };\
         int main() { struct n *n = malloc(2 * sizeof *n); int i = __VERIFIER_nondet_int() & 1; n[i].p = &x; n[i].h.hi = 7;\
         void *at = (char *)&n[i] + 8; assert(hi(at) == 7); }",
        "true",
    ),
    (
        "assert",
        "struct h { unsigned lo, hi; }; void set(void *p) { struct h *h = p; h->lo = 1; h->hi = 2; } unsigned hi(void *p) { return ((struct h *)p)->hi; }\
         int main() { void *m = malloc(8); *(int **)m = &x; set(m); assert(hi(m) == 2); }",
        "true",
    ),
];

#[test]
fn parts_of_addresses_are_not_known_however_they_are_reached() {
    check_answers("hidden-parts", HEAD, HIDDEN_PARTS);
}
