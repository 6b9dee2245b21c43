//! A `memset` that the program brings along, over structs with pointers: what it sets, what it leaves, and loops that only look
//! like it.

use crate::common::check_answers;

const HEAD: &str = "#include <assert.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n\
    extern int __VERIFIER_nondet_int(void); extern unsigned long __VERIFIER_nondet_ulong(void);\n\
    extern void __VERIFIER_assume(int);\n\
    struct buffer { unsigned long len; char *at; unsigned long cap; int *by; };\n\
    static int someone;\n\
    static void *fill(void *s, int c, unsigned long n) {\n\
      unsigned char *p = s; for (unsigned long i = 0; i < n; i++) p[i] = c & 255; return s; }\n\
    static struct buffer make(void) { struct buffer b = {5, 0, __VERIFIER_nondet_ulong(), &someone}; if (b.cap != 7) exit(0);\n\
      if (__VERIFIER_nondet_int()) b.at = malloc(b.cap); return b; }\n";

/// Property, program, how the result begins.
const ANSWERS: &[(&str, &str, &str)] = &[
    (
        "assert",
        "int main() { struct buffer b = make(); fill(&b, 0, sizeof b); assert(!b.len && !b.at && !b.cap && !b.by); }",
        "true",
    ),
    ("valid-deref", "int main() { struct buffer b = make(); fill(&b, 0, sizeof b); if (b.len) b.by[1] = 1; }", "true"),
    ("assert", "int main() { struct buffer b = make(); fill(&b, 0, sizeof b); assert(b.len == 5); }", "false(assert)"),
    (
        "assert",
        "int main() { struct buffer b = make(); fill(&b, 0, 16); assert(b.cap == 7 && b.by == &someone && !b.len); }",
        "true",
    ),
    (
        "assert",
        "int main() { struct buffer b = make(); fill(&b, 0, 16); assert(b.len == 5 || b.at); }",
        "false(assert)",
    ),
    ("assert", "int main() { struct buffer b = make(); fill(&b, 0, 12); assert(b.cap == 7); }", "!false"),
    ("assert", "int main() { struct buffer b = make(); fill(&b, 0, 12); assert(b.len == 5); }", "!true"),
    (
        "assert",
        "int main() { struct buffer b = make(); fill(&b, 1, sizeof b); assert(b.len == 0x0101010101010101ul); }",
        "true",
    ),
    (
        "assert",
        "int main() { struct buffer b = make(); fill(&b, 0x1ff, sizeof b); assert(b.len != ~0ul); }",
        "false(assert)",
    ),
    ("assert", "int main() { struct buffer b = make(); fill(&b, 0, 0); assert(b.len == 5 && b.cap == 7); }", "true"),
    (
        "assert",
        "int main() { struct buffer b = make(); fill(&b, 0, __VERIFIER_nondet_ulong() % 33); assert(b.cap == 7); }",
        "!true",
    ),
    (
        "valid-deref",
        "int main() { struct buffer b = make(); fill(&b, 0, sizeof b + 1); return b.cap > 3; }",
        "false(valid-deref)",
    ),
    // No fills: what is stored depends on the index, is read, is not all of it, or comes in another order.
    (
        "assert",
        "int main() { struct buffer b = make(); unsigned char *p = (void *)&b; for (unsigned long i = 0; i < 8; i++) p[i] = i;\
         assert(b.len == 0); }",
        "!true",
    ),
    (
        "assert",
        "int main() { struct buffer b = make(); unsigned char *p = (void *)&b; for (unsigned long i = 1; i < 8; i++) p[i] = 0;\
         assert(b.len == 0); }",
        "!true",
    ),
    (
        "assert",
        "int main() { struct buffer b = make(); unsigned char *p = (void *)&b; for (unsigned long i = 0; i < 8; i += 2) p[i] = 255;\
         assert(b.len == ~0ul); }",
        "!true",
    ),
    (
        "assert",
        "int main() { struct buffer b = make(); unsigned char *p = (void *)&b; for (unsigned long i = 0; i < 8; i++) p[2 * i] = 0;\
         assert(b.at != 0 || b.cap == 7); }",
        "!false",
    ),
    (
        "assert",
        "int main() { struct buffer b = make(); unsigned char *p = (void *)&b; unsigned long i;\
         for (i = 0; i < 24; i++) { if (i == 3) break; p[i] = 255; } assert(b.cap == ~0ul); }",
        "!true",
    ),
    (
        "assert",
        "int main() { struct buffer b = make(); unsigned char *p = (void *)&b; for (unsigned long i = 0; i < 24; i++)\
         if (i != 16) p[i] = 255; assert(b.cap == ~0ul); }",
        "!true",
    ),
    (
        "assert",
        "int main() { struct buffer b = make(); unsigned char *p = (void *)&b; for (unsigned long i = 0; i < b.len; i++) p[i] = 0;\
         assert(b.len == 0 && b.cap == 7); }",
        "!false",
    ),
    (
        "assert",
        "int main() { struct buffer b = make(); unsigned long *p = (void *)&b; for (unsigned long i = 0; i < 4; i++) p[i] = 0;\
         assert(!b.len && !b.at && !b.cap); }",
        "true",
    ),
    (
        "assert",
        "int main() { struct buffer b = make(); unsigned long *p = (void *)&b; for (unsigned long i = 0; i < 3; i++) p[i] = 1;\
         assert(b.cap == 0x0101010101010101ul); }",
        "!true",
    ),
];

#[test]
fn loops_that_fill_and_loops_that_do_not() {
    check_answers("fills", HEAD, ANSWERS);
}

/// Where the program says that accesses are not to be checked, an invalid one is no violation, and nothing is proved past it.
#[test]
fn accesses_that_are_not_to_be_checked() {
    const OFF: &str = "#include <stdlib.h>\nint main() { int *p = malloc(sizeof *p); if (!p) return 0; *p = 1; free(p);\n\
        #pragma CPROVER check push\n#pragma CPROVER check disable \"pointer\"\n";
    const ANSWERS: &[(&str, &str, &str)] = &[
        ("valid-deref", "int x = *p;\n#pragma CPROVER check pop\nreturn x; }", "unknown"),
        ("valid-deref", "int x = 0;\n#pragma CPROVER check pop\nx = *p; return x; }", "false(valid-deref)"),
        (
            "valid-deref",
            "int x = 0;\n#pragma CPROVER check enable \"pointer\"\nx = *p; return x; }",
            "false(valid-deref)",
        ),
        ("valid-deref", "int x = 0;\n#pragma CPROVER check pop\nreturn x; }", "true"),
        ("valid-deref", "p = &(int){2}; int x = *p;\n#pragma CPROVER check pop\nreturn x; }", "true"),
    ];
    check_answers("unchecked-accesses", OFF, ANSWERS);
}
