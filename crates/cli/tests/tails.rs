//! Structs that end in an array: header and array are apart, indices that get before the array are not believed, and what
//! goes over both, or is made of several objects, is as C says.

use crate::common::check_answers;

const HEAD: &str = "#include <assert.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n\
    extern int __VERIFIER_nondet_int(void); extern unsigned long __VERIFIER_nondet_ulong(void);\n\
    extern void __VERIFIER_assume(int);\n\
    struct text { int *by; unsigned long len; char bytes[]; };\n\
    static int someone;\n\
    static struct text *make(unsigned long n) { if (n > 9) exit(0); struct text *t = malloc(sizeof *t + n + 1); if (!t) exit(0);\n\
     t->by = &someone; t->len = n; t->bytes[n] = 0; return t; }\n\
    struct slot { int *key; unsigned long hash; };\n\
    struct table { unsigned long size; int *user; struct slot slots[]; };\n";

/// Property, program, how the result begins.
const ANSWERS: &[(&str, &str, &str)] = &[
    (
        "assert",
        "int main() { struct text *t = make(__VERIFIER_nondet_ulong()); assert(t->bytes[t->len] == 0 && t->by == &someone); }",
        "true",
    ),
    (
        "valid-deref",
        "int main() { struct text *t = make(__VERIFIER_nondet_ulong()); unsigned long i = __VERIFIER_nondet_ulong();\
         if (i <= t->len) t->bytes[i] = 1; return t->bytes[t->len]; }",
        "true",
    ),
    (
        "valid-deref",
        "int main() { struct text *t = make(__VERIFIER_nondet_ulong()); unsigned long i = __VERIFIER_nondet_ulong();\
         if (i <= t->len + 1) t->bytes[i] = 1; return t->len > 3; }",
        "false(valid-deref)",
    ),
    (
        "assert",
        "int main() { struct text *t = make(__VERIFIER_nondet_ulong()); if (t->len > 2) { t->bytes[t->len - 1] = 5;\
         assert(t->bytes[t->len - 1] != 5); } }",
        "false(assert)",
    ),
    // Before the array is the length.
    (
        "assert",
        "int main() { struct text *t = make(3); int i = __VERIFIER_nondet_int(); __VERIFIER_assume(i >= -8 && i < 0);\
         t->bytes[i] = 1; assert(t->len == 3); }",
        "!true",
    ),
    (
        "assert",
        "int main() { struct text *t = make(3); char *p = t->bytes + t->len; for (int i = 0; i < 10; i++) *--p = 1;\
         assert(t->len == 3); }",
        "!true",
    ),
    // What malloc left there.
    (
        "assert",
        "int main() { struct text *t = make(7); if (t->len == 7) assert(t->bytes[t->len - 4] != 42); }",
        "false(assert)",
    ),
    // Several objects that share their arrays, and several that are told apart.
    (
        "assert",
        "int main() { struct text *all[6]; for (int i = 0; i < 6; i++) { all[i] = make(i); all[i]->bytes[0] = i; }\
         unsigned k = __VERIFIER_nondet_ulong() % 6; assert(all[k]->len == k && all[k]->bytes[0] == (char)k); }",
        "!false",
    ),
    (
        "assert",
        "int main() { struct text *all[6]; for (int i = 0; i < 6; i++) { all[i] = make(i); all[i]->bytes[0] = i; }\
         unsigned k = __VERIFIER_nondet_ulong() % 6; assert(all[k]->len != 4); }",
        "!true",
    ),
    (
        "assert",
        "int main() { struct text *a = make(2), *b = make(3); struct text *c = __VERIFIER_nondet_int() ? a : b;\
         c->bytes[c->len - 1] = 9; assert(a->len == 2 && b->len == 3 && c->bytes[c->len - 1] == 9); }",
        "true",
    ),
    (
        "assert",
        "int main() { struct text *a = make(2), *b = make(3); a->bytes[a->len - 1] = b->bytes[b->len - 1] = 0;\
         struct text *c = __VERIFIER_nondet_int() ? a : b; c->bytes[c->len - 1] = 9; assert(a->bytes[1] == 0); }",
        "false(assert)",
    ),
    // Ranges over header and array.
    (
        "assert",
        "int main() { unsigned long n = __VERIFIER_nondet_ulong() % 4 + 1; struct table *t = calloc(1, sizeof *t + n * sizeof(struct slot));\
         if (!t) return 0; t->size = n; unsigned long i = __VERIFIER_nondet_ulong() % n;\
         assert(!t->user && !t->slots[i].key && t->slots[i].hash == 0 && t->size == n); }",
        "true",
    ),
    (
        "assert",
        "int main() { unsigned long n = __VERIFIER_nondet_ulong() % 4 + 1; struct table *t = calloc(1, sizeof *t + n * sizeof(struct slot));\
         if (!t) return 0; t->size = n; unsigned long i = __VERIFIER_nondet_ulong() % n; t->slots[i].hash = 7; t->slots[i].key = &someone;\
         assert(t->slots[n - 1].hash == 0); }",
        "false(assert)",
    ),
    (
        "assert",
        "int main() { unsigned long n = __VERIFIER_nondet_ulong() % 4 + 1; struct table *t = calloc(1, sizeof *t + n * sizeof(struct slot));\
         if (!t) return 0; unsigned long i = __VERIFIER_nondet_ulong() % n; t->slots[i].key = &someone;\
         assert(t->size == 0 && !t->user && t->slots[i].hash == 0 && (n == 1 || !t->slots[(i + 1) % n].key)); }",
        "true",
    ),
    (
        "assert",
        "int main() { unsigned long n = __VERIFIER_nondet_ulong() % 4 + 1; struct table *t = calloc(1, sizeof *t + n * sizeof(struct slot));\
         if (!t) return 0; unsigned long i = __VERIFIER_nondet_ulong() % n; t->slots[i].key = &someone;\
         if (t->size == 0) assert(!t->slots[0].key || t->slots[n - 1].key); }",
        "false(assert)",
    ),
    (
        "assert",
        "int main() { struct text *t = make(5); t->bytes[t->len - 1] = 1; memset(t, 0, __VERIFIER_nondet_ulong() % 22);\
         assert(t->len == 5); }",
        "!true",
    ),
    (
        "assert",
        "int main() { struct text *t = make(5); t->bytes[t->len - 1] = 1; memset(t, 0, 21); assert(t->len != 0 || t->by); }",
        "!true",
    ),
    (
        "assert",
        "int main() { struct text *t = make(5), *u = make(5); t->bytes[t->len - 1] = 1; u->bytes[u->len - 1] = 2;\
         memcpy(u, t, sizeof *t + t->len); assert(u->bytes[4] == 2); }",
        "!true",
    ),
    (
        "assert",
        "int main() { struct text *t = make(5), *u = make(5); t->bytes[t->len - 1] = 1; memcpy(u->bytes, t->bytes, t->len);\
         assert(u->bytes[u->len - 1] == 1 && u->len == 5); }",
        "!false",
    ),
    // A static one begins with zeros.
    (
        "assert",
        "static struct { int *by; unsigned long len; char bytes[8]; } s; int main() { unsigned long i = __VERIFIER_nondet_ulong() % 8;\
         s.len = i; s.bytes[s.len] = 3; s.by = &someone; assert(s.bytes[(i + 1) % 8] == 0 && s.len == i); }",
        "true",
    ),
    (
        "assert",
        "static struct { int *by; unsigned long len; char bytes[8]; } s; int main() { unsigned long i = __VERIFIER_nondet_ulong() % 8;\
         s.len = i; s.bytes[s.len] = 3; s.by = &someone; assert(s.bytes[5] == 0); }",
        "false(assert)",
    ),
    // Back from the array to the header, out of an array in the middle, and what others may have changed.
    (
        "assert",
        "int main() { struct text *t = make(4); char *q = t->bytes + t->len; struct text *u = (struct text*)(q - t->len - offsetof(struct text, bytes)); u->len = 9; assert(t->len == 4); }",
        "!true",
    ),
    (
        "assert",
        "int main() { struct text *t = make(4); char *q = t->bytes + t->len; struct text *u = (struct text*)(q - t->len - offsetof(struct text, bytes)); u->len = 9; assert(u->len == 9 && t->len == 9); }",
        "!false",
    ),
    (
        "valid-deref",
        "int main() { struct text *t = make(__VERIFIER_nondet_ulong()); long i = __VERIFIER_nondet_int(); if (i < (long)t->len) t->bytes[i] = 0; return t->len > 2; }",
        "false(valid-deref)",
    ),
    (
        "assert",
        "struct two { int *p; unsigned long n; unsigned a[4]; unsigned long m; }; int main() { struct two *t = malloc(sizeof *t); if (!t) return 0; t->p = &someone; t->n = 1; t->m = 2; unsigned i = __VERIFIER_nondet_int(); if (i < 6) { t->a[i] = 9; } assert(t->n == 1 && t->m == 2); }",
        "!true",
    ),
    (
        "assert",
        "struct two { int *p; unsigned long n; unsigned a[4]; unsigned long m; }; int main() { struct two *t = malloc(sizeof *t); if (!t) return 0; t->p = &someone; t->n = 1; t->m = 2; unsigned i = __VERIFIER_nondet_int(); if (i < 4) { t->a[i] = 9; } assert(t->n == 1 && t->m == 2); }",
        "true",
    ),
    (
        "assert",
        "void ext(void *); int main() { struct text *t = make(4); ext(t); __VERIFIER_assume(t->len < 4); assert(t->bytes[t->len] == 0); }",
        "!true",
    ),
];

#[test]
fn headers_and_arrays() {
    check_answers("tails", HEAD, ANSWERS);
}
