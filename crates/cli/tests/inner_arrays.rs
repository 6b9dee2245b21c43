//! Structs with an array among other members: the array and the rest are apart, indices that lead out of the array are not
//! believed, and what goes over both is as C says. Members of structs in an array are apart as long as no index wraps around.

use crate::common::check_answers;

const HEAD: &str = "#include <assert.h>\n#include <stdlib.h>\n#include <string.h>\n\
    extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);\n\
    static int between(int lo, int hi) { int k = __VERIFIER_nondet_int(); if (k < lo || k > hi) exit(0); return k; }\n\
    struct command { const char *words[4]; unsigned long count; };\n\
    struct middle { char *before; int cells[4]; char *behind; int last; };\n\
    struct entry { char name[8]; char *value; int used; };\n\
    struct row { int kind; char *at; unsigned short len; };\n\
    struct stack { int top; void *items[16]; int most; };\n\
    struct ring { int data[64]; unsigned long head, tail, count; };\n\
    struct login { char name[8]; int admin; };\n\
    static char x = 3, y = 4;\n\
    static struct middle make(void) { struct middle m; m.before = &x; m.behind = &y; m.last = 9;\
     for (int i = 0; i < 4; i++) m.cells[i] = i; return m; }\n";

/// Property, program, how the result begins.
const ANSWERS: &[(&str, &str, &str)] = &[
    // Words and how many there are.
    (
        "assert",
        "int main() { struct command c; memset(&c, 0, sizeof c); int n = between(0, 6);\
         for (int i = 0; i < n; i++) if (c.count < 4) c.words[c.count++] = i % 2 ? \"a\" : \"bc\";\
         assert(c.count <= 4); unsigned long all = 0; for (unsigned long i = 0; i < c.count; i++) all += strlen(c.words[i]);\
         assert(all <= 8); }",
        "true",
    ),
    (
        "assert",
        "int main() { struct command c; memset(&c, 0, sizeof c); int n = between(0, 6);\
         for (int i = 0; i < n; i++) if (c.count < 4) c.words[c.count++] = i % 2 ? \"a\" : \"bc\";\
         assert(c.count < 4 || c.words[3][0] == 'b'); }",
        "false(assert)",
    ),
    // One word too many lands on the count.
    (
        "assert",
        "int main() { struct command c; c.count = 0; c.words[0] = \"a\"; c.words[between(0, 4)] = \"b\"; assert(c.count == 0); }",
        "!true",
    ),
    (
        "assert",
        "int main() { struct stack s; s.top = 5; s.most = 16; s.items[1] = &x; int k = between(-1, 15); s.items[k] = &y;\
         assert(s.top == 5); }",
        "!true",
    ),
    (
        "assert",
        "int main() { struct stack s; s.top = 0; s.most = 16; while (__VERIFIER_nondet_int())\
         if (__VERIFIER_nondet_int()) { if (s.top < s.most) s.items[s.top++] = &x; } else if (s.top > 0) assert(*(char *)s.items[--s.top] == 3);\
         assert(s.top >= 0 && s.top <= 16); }",
        "!false",
    ),
    (
        "assert",
        "int main() { struct stack s; s.top = 0; s.most = 3; while (__VERIFIER_nondet_int())\
         if (__VERIFIER_nondet_int()) { if (s.top < s.most) { s.items[s.top] = s.top == 2 ? &y : &x; s.top++; } }\
         else if (s.top > 0) assert(*(char *)s.items[--s.top] == 3); }",
        "false(assert)",
    ),
    // Bytes of any number.
    (
        "assert",
        "int main() { struct entry e; e.value = &x; e.used = 7; char from[20]; for (int i = 0; i < 20; i++) from[i] = i;\
         unsigned n = between(0, 8); memcpy(e.name, from, n); assert(e.used == 7 && *e.value == 3 && (n < 3 || e.name[2] == 2)); }",
        "true",
    ),
    (
        "assert",
        "int main() { struct entry e; e.value = &x; e.used = 7; char from[20]; for (int i = 0; i < 20; i++) from[i] = i;\
         memcpy(e.name, from, between(0, 20)); assert(e.used == 7); }",
        "!true",
    ),
    (
        "assert",
        "int main() { struct entry e; e.value = &x; e.used = 7; for (int i = 0; i < 8; i++) e.name[i] = i; int k = between(0, 4);\
         memmove(e.name + k, e.name, 4); assert(e.name[k] == 0 && e.name[k + 3] == 3 && *e.value == 3); }",
        "true",
    ),
    (
        "assert",
        "int main() { struct middle m = make(); m.last = 3; m.cells[between(0, 3)] = 1; int v = 0x01010101;\
         memcpy((char *)m.cells + between(0, 13), &v, 4); assert(m.behind == &y); }",
        "!true",
    ),
    // Whole structs.
    (
        "assert",
        "int main() { struct middle a = make(), b; int k = between(0, 3); a.cells[k] = 77; b = a;\
         assert(b.cells[k] == 77 && *b.before == 3 && *b.behind == 4 && b.last == 9); b.cells[k] = 1; assert(a.cells[k] == 77); }",
        "true",
    ),
    (
        "assert",
        "int main() { struct middle a = make(), b; int k = between(0, 3); a.cells[k] = 77; b = a; assert(b.cells[1] == 1); }",
        "false(assert)",
    ),
    (
        "assert",
        "int main() { struct middle a = make(); int k = between(0, 3); a.cells[k] = 8; memset(&a, 0, sizeof a);\
         assert(!a.before && !a.behind && !a.last && !a.cells[k]); }",
        "true",
    ),
    (
        "assert",
        "int main() { struct middle a = make(); a.cells[between(0, 3)] = 8; memset(&a, 0, 12); assert(a.cells[1] == 1); }",
        "!true",
    ),
    // What nobody has set.
    (
        "assert",
        "int main() { struct middle *a = malloc(sizeof *a); if (!a) return 0; a->before = &x; int k = between(0, 3); a->cells[k] = 4;\
         if (a->cells[(k + 1) % 4] == 12345) assert(a->last != 321); free(a); }",
        "false(assert)",
    ),
    (
        "assert",
        "static struct middle m; int main() { int k = between(0, 3); assert(!m.cells[k] && !m.before && !m.last); m.before = &x;\
         m.cells[k] = 3; assert(*m.before == 3 && !m.last && m.cells[k] == 3); }",
        "true",
    ),
    // Pointers into the array, and over the whole struct.
    (
        "assert",
        "int main() { struct middle m = make(); int *p = &m.cells[2]; *p = 8; assert(m.cells[2] == 8 && m.cells[3] == 3);\
         p[between(0, 3) - 2] = 5; assert(*m.before == 3 && m.last == 9); }",
        "true",
    ),
    (
        "assert",
        "int main() { struct middle m = make(); int *p = &m.cells[2]; p[between(0, 3) - 2] = 5; assert(m.cells[0] == 0); }",
        "false(assert)",
    ),
    (
        "assert",
        "int main() { struct { char name[8]; int n; int l; char *p; } e; e.p = &x; memset(e.name, 0, 8); e.n = 5; e.l = 0;\
         e.name[between(0, 7)] = 0; int s = 0; for (int i = 0; i < 16; i++) s += ((unsigned char *)&e)[i]; assert(s == 0); }",
        "!true",
    ),
    // Arrays of structs are not taken apart.
    (
        "assert",
        "int main() { struct entry t[3]; for (int i = 0; i < 3; i++) { t[i].used = i; t[i].value = t[i].name; memset(t[i].name, i, 8); }\
         int k = between(0, 2); t[k].name[between(0, 7)] = 9; assert(t[k].used == k); }",
        "!false",
    ),
    (
        "assert",
        "int main() { int n = between(1, 3); struct entry *t = malloc(n * sizeof *t); if (!t) return 0;\
         for (int i = 0; i < n; i++) { t[i].value = t[i].name; t[i].used = i; t[i].name[0] = i; }\
         assert(*t[between(0, n - 1)].value != 2); free(t); }",
        "!true",
    ),
    (
        "valid-deref",
        "int main() { struct stack *s = malloc(sizeof *s); if (!s) return 0; s->top = 0; s->most = 16;\
         while (__VERIFIER_nondet_int()) if (s->top < s->most) s->items[s->top++] = s; free(s); }",
        "!false",
    ),
    (
        "valid-deref",
        "int main() { struct stack *s = malloc(sizeof *s); if (!s) return 0; s->top = 0; s->most = 18;\
         for (int i = 0; i < 18; i++) if (s->top < s->most) s->items[s->top++] = s; free(s); }",
        "!true",
    ),
    // Arrays of structs, with indices as wide as a pointer.
    (
        "assert",
        "int main() { unsigned long n = __VERIFIER_nondet_uint() % 10; struct row *s = malloc(n * sizeof *s); if (!s) return 0;\
         for (unsigned long i = 0; i < n; i++) { s[i].len = __VERIFIER_nondet_uint(); s[i].at = &x; s[i].kind = 1; }\
         unsigned long sum = 0; for (unsigned long i = 0; i < n; i++) { sum += s[i].len; *s[i].at = 2; assert(s[i].kind == 1); }\
         assert(sum <= 9 * 65535); }",
        "true",
    ),
    (
        "valid-deref",
        "int main() { unsigned long n = __VERIFIER_nondet_uint() % 10; struct row *s = malloc(n * sizeof *s); if (!s) return 0;\
         for (unsigned long i = 0; i < n; i++) { s[i].len = 3; s[i].at = &x; s[i].kind = 1; }\
         for (unsigned long i = 0; i < n; i++) *s[i].at = s[i].len; }",
        "true",
    ),
    (
        "assert",
        "int main() { unsigned long n = __VERIFIER_nondet_uint() % 10; struct row *s = malloc(n * sizeof *s); if (!s) return 0;\
         for (unsigned long i = 0; i < n; i++) { s[i].len = i * 9000; s[i].at = &x; s[i].kind = 1; }\
         for (unsigned long i = 0; i < n; i++) { *s[i].at = 2; assert(s[i].len <= i * 8999 + 6); } }",
        "false(assert)",
    ),
    // A string's own array, found by one of two calls that may be made in either order.
    (
        "assert",
        "struct string { void *by; unsigned long len; char bytes[]; }; static int looked;\
         static const char *bytes(const struct string *s) { looked++; return s && s->bytes[s->len] == 0 ? s->bytes : 0; }\
         static unsigned long length(const struct string *s) { looked++; return s->len; }\
         static int put(char *to, unsigned long room, const char *from, unsigned long len) {\
         if (!from || len > room) return 0; memcpy(to, from, len); return 1; }\
         int main() { unsigned long n = __VERIFIER_nondet_uint() % 5, room = __VERIFIER_nondet_uint() % 9;\
         struct string *s = malloc(sizeof *s + n + 1); char *to = malloc(room); if (!s || !to) return 0;\
         s->by = &x; s->len = n; s->bytes[n] = 0;\
         if (put(to, room, bytes(s), length(s))) assert(s->len <= room && s->by == &x); }",
        "true",
    ),
    // Without pointers: the members are numbers, though an index could reach them.
    (
        "assert",
        "static int push(struct ring *r, int v) { if (r->count == 64) return 0; r->data[r->tail] = v; r->tail = (r->tail + 1) % 64; r->count++; return 1; }\
         static int pop(struct ring *r) { if (!r->count) return 0; r->head = (r->head + 1) % 64; r->count--; return 1; }\
         int main() { struct ring r; r.head = r.tail = r.count = 0; unsigned long in = 0, out = 0; while (__VERIFIER_nondet_int()) {\
         if (__VERIFIER_nondet_int()) in += push(&r, __VERIFIER_nondet_int()); else out += pop(&r);\
         assert(r.count == in - out && r.count <= 64); } }",
        "true",
    ),
    (
        "assert",
        "static int push(struct ring *r, int v) { if (r->count > 64) return 0; r->data[r->tail] = v; r->tail = (r->tail + 1) % 64; r->count++; return 1; }\
         int main() { struct ring r; r.head = r.tail = r.count = 0; while (__VERIFIER_nondet_int()) {\
         push(&r, __VERIFIER_nondet_int()); assert(r.count <= 64); } }",
        "false(assert)",
    ),
    // An index that reaches them finds them where C has them.
    (
        "assert",
        "int main() { struct login s; s.admin = 0; unsigned i = __VERIFIER_nondet_uint(); if (i >= 12) return 0; s.name[i] = 1; assert(s.admin == 0); }",
        "false(assert)",
    ),
    (
        "assert",
        "int main() { struct login s; s.admin = 0; unsigned i = __VERIFIER_nondet_uint(); if (i >= 12) return 0;\
         while (__VERIFIER_nondet_int()) s.name[i] = 1; assert(s.admin == 0 || i >= 8); }",
        "true",
    ),
    (
        "valid-deref",
        "int main() { struct login s; s.admin = 0; for (int i = 0; i < 9; i++) s.name[i] = 1; int v[1]; v[s.admin] = 0; return v[0]; }",
        "false(valid-deref)",
    ),
    // 24 times this is 8: the row's first member is another row's second.
    (
        "assert",
        "int main() { struct row s[4]; s[0].at = &x; s[0].len = 1; s[0].kind = 0; unsigned long i = 768614336404564651;\
         if (__VERIFIER_nondet_int()) i = 1; s[i].kind = 7; s[i].len = 5; assert(s[0].at == &x); }",
        "!true",
    ),
];

#[test]
fn arrays_in_structs() {
    check_answers("inner_arrays", HEAD, ANSWERS);
}
