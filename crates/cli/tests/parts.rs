//! Programs that look at parts of addresses in memory: whatever they see there, proofs hold; a violation that rests on it is
//! believed only if the compiled program shows it, and pointers that are rebuilt from what was seen still point where they did.

use crate::common::check_answers;

const HEAD: &str = "#include <assert.h>\n#include <stdlib.h>\n#include <string.h>\n\
    extern int __VERIFIER_nondet_int(void); extern unsigned char __VERIFIER_nondet_uchar(void);\n\
    static int x, y;\n";

/// Property, program, how the result begins; `!` what it must not be.
const ANSWERS: &[(&str, &str, &str)] = &[
    // Whatever is seen.
    (
        "assert",
        "int main() { int *p = &x; unsigned char *b = (void *)&p; int n; if (b[0] == 7) n = 1; else n = 2;\
         assert(n == 1 || n == 2); }",
        "true",
    ),
    (
        "assert",
        "int main() { int *p = &x; unsigned char *b = (void *)&p; int a[4] = {0}; a[b[1] & 3] = 1;\
         assert(a[0] + a[1] + a[2] + a[3] == 1); }",
        "true",
    ),
    (
        "assert",
        "int main() { int *p = &x; unsigned char *b = (void *)&p; char a[16] = {0}, c[16]; memset(c, 1, 16);\
         memcpy(a, c, b[0] & 7); assert(a[8] == 0); }",
        "!false",
    ),
    (
        "assert",
        "int main() { int *p = &x; unsigned char *b = (void *)&p; int n = 0;\
         for (int i = 0; i < 8; i++) if (b[i] > 9) n++; assert(n >= 0 && n <= 8); }",
        "true",
    ),
    // Words that are numbers, changed and stored.
    (
        "assert",
        "struct s { unsigned long flags[2]; int *p; }; static struct s s; int main() { unsigned i = __VERIFIER_nondet_uchar() & 1;\
         s.p = &x; unsigned long *w = &s.flags[0]; w[i] |= 4; w[i] &= ~1UL; x = 3; assert(x == 3); }",
        "true",
    ),
    (
        "assert",
        "int main() { int *p = &x; unsigned long *w = (void *)&p; *w |= 1UL << 40; *w ^= 1UL << 41; x = 1; *p = 5;\
         assert(x == 1); }",
        "!true",
    ),
    (
        "assert",
        "int main() { int *p = &x, *q; ((char *)&p)[5] = 0; unsigned long w = *(unsigned long *)&p; *(unsigned long *)&q = w;\
         *q = 1; assert(x == 1); }",
        "!true",
    ),
    (
        "assert",
        "int main() { int *p = &x, *q; ((char *)&p)[5] = 0; unsigned long w = *(unsigned long *)&p; q = (int *)w;\
         *q = 1; assert(x == 1); }",
        "!true",
    ),
    (
        "assert",
        "int main() { int *p = &x; ((char *)&p)[5] = 0; unsigned long w = *(unsigned long *)&p; assert(w != 0); }",
        "!true",
    ),
    (
        "assert",
        "int main() { int *p = &x; ((char *)&p)[5] = 0; unsigned long w = *(unsigned long *)&p; w = w | 1; assert(w & 2); }",
        "!true",
    ),
    // Not what our own numbering shows.
    ("assert", "int main() { int *p = &x; unsigned char *b = (void *)&p; assert(b[5] == 0); }", "!true"),
    ("assert", "int main() { int *p = &x; unsigned char *b = (void *)&p; assert(b[7] != 9); }", "!false"),
    (
        "assert",
        "int main() { int *p = &x; unsigned char *b = (void *)&p; int a[4] = {0}; a[b[1] & 3] = 1; assert(a[0] == 1); }",
        "!true",
    ),
    (
        "assert",
        "int main() { int *p = &x; unsigned char *b = (void *)&p; char a[16] = {0}, c[16]; memset(c, 1, 16);\
         memcpy(a, c, b[1] & 7); assert(a[0] == 0); }",
        "!true",
    ),
    // Two looks at one part see the same.
    (
        "assert",
        "int main() { int *p = &x; unsigned char *b = (void *)&p; int u = b[1] == 3, v = b[1] == 3; assert(u == v); }",
        "!false",
    ),
    // An error that does not depend on it, behind a look.
    (
        "assert",
        "int main() { int *p = &x; unsigned char *b = (void *)&p; if (b[0] == 7) x = 1;\
         if (__VERIFIER_nondet_int() == 4711) assert(0); }",
        "false(assert)",
    ),
    // One that does, and one beside it that does not.
    (
        "assert",
        "int main() { int *p = &x; unsigned char *b = (void *)&p; if (b[7] == 9) assert(0);\
         if (__VERIFIER_nondet_int() == 4711) assert(0); }",
        "!true",
    ),
    // Pointers that are rebuilt bit by bit, by branches, and through a table.
    (
        "assert",
        "int main() { int *p = &x, *q; unsigned char *b = (void *)&p, *d = (void *)&q; q = 0;\
         for (int i = 0; i < 8; i++) for (int k = 0; k < 8; k++) if (b[i] & 1 << k) d[i] |= 1 << k;\
         x = 1; *q = 5; assert(x == 1); }",
        "!true",
    ),
    (
        "assert",
        "int main() { int *p = &x; unsigned char *b = (void *)&p; unsigned long v = 0;\
         for (int i = 0; i < 64; i++) if (b[i / 8] & 1 << i % 8) v += 1ul << i;\
         x = 1; *(int *)v = 5; assert(x == 1); }",
        "!true",
    ),
    (
        "assert",
        "static unsigned char t[256]; int main() { for (int i = 0; i < 256; i++) t[i] = i;\
         int *p = &x, *q; unsigned char *b = (void *)&p, *d = (void *)&q; for (int i = 0; i < 8; i++) d[i] = t[b[i]];\
         x = 1; *q = 5; assert(x == 1); }",
        "!true",
    ),
    // Half of an address.
    ("assert", "int main() { int *p = &x, *q = 0; memcpy(&q, &p, 4); assert(q == 0); }", "!true"),
    // A word that was copied is a pointer.
    ("assert", "int main() { int *p = &x, *q; memcpy(&q, &p, sizeof p); *q = 5; assert(x == 5); }", "true"),
    // Single bytes are none: those of two addresses, or in another order, or computed.
    ("assert", "int main() { int *p = &x, *q = &y; memcpy(&q, &p, 4); x = y = 1; *q = 5; assert(y == 5); }", "!true"),
    (
        "valid-deref",
        "int main() { int *p = &x; unsigned char *b = (void *)&p, t = b[0]; b[0] = b[1]; b[1] = t; *p = 5; return 0; }",
        "!true",
    ),
    (
        "assert",
        "char c[3]; int main() { char *q = &c[1]; *(unsigned char *)&q &= 0xfe; *q = 9; assert(c[0] == 9); }",
        "!true",
    ),
    // What a machine never has is no counterexample either.
    (
        "assert",
        "int main() { int l; int *p = &l; unsigned char *b = (void *)&p; if (__VERIFIER_nondet_int() == 5) assert(b[5] != 0); }",
        "!false",
    ),
    (
        "valid-deref",
        "int main() { int l; int *p = &l; unsigned char *b = (void *)&p; char *a = malloc(b[5] + 1ul); if (a) a[1] = 1; return 0; }",
        "!false",
    ),
    // Sizes of objects.
    (
        "valid-deref",
        "int main() { int *p = &x; unsigned char *b = (void *)&p; char *a = malloc(b[1] + 1ul); if (a) a[0] = 1; return 0; }",
        "!false",
    ),
    (
        "valid-deref",
        "int main() { int *p = &x; unsigned char *b = (void *)&p; char *a = malloc(b[1] + 1ul); if (a) a[1] = 1; return 0; }",
        "!true",
    ),
];

#[test]
fn whatever_is_seen() {
    check_answers("parts", HEAD, ANSWERS);
}
