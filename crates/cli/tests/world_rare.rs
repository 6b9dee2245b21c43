//! What another hunt among the features of C that few programs use found: arguments of built-in functions that are evaluated
//! without being looked at, bit-fields without a name, and lists that hold both numbers and pointers.

use crate::common::check_answers;

const HEAD: &str = "#include <assert.h>\n#include <stdarg.h>\n#include <string.h>\n";

/// Property, program, how the result begins; `!` what it must not be.
const BUILTINS: &[(&str, &str, &str)] = &[
    // The last argument gives a type, and what it does is done.
    ("assert", "int main() { int k = 0; assert(!__builtin_add_overflow_p(1, 2, k++)); assert(k == 1); }", "true"),
    ("assert", "int main() { int k = 0; assert(!__builtin_add_overflow_p(1, 2, k++)); assert(k == 0); }", "false"),
    (
        "assert",
        "int k; int f(void) { k = 5; return 0; } int main() { k = 3; if (__builtin_mul_overflow_p(k, 1 << 30, f())) assert(k == 5); \
         else assert(0); }",
        "true",
    ),
    // The type of a bit-field has just its bits.
    (
        "assert",
        "struct { int b : 4; unsigned c : 4; } s; int main() { assert(__builtin_add_overflow_p(7, 1, s.b)); \
         assert(!__builtin_add_overflow_p(7, 8, s.c)); assert(__builtin_sub_overflow_p(0, 1, s.c)); }",
        "true",
    ),
    (
        "assert",
        "struct { int b : 4; } s; int main() { assert(__builtin_add_overflow_p(7, 1, s.b)); assert(!__builtin_add_overflow_p(7, 0, s.b)); \
         assert(__builtin_mul_overflow_p(3, 3, s.b)); assert(!__builtin_sub_overflow_p(-7, 1, s.b)); }",
        "true",
    ),
];

#[test]
fn arguments_are_evaluated() {
    check_answers("rare-builtins", HEAD, BUILTINS);
}

/// C leaves bit-fields without a name indeterminate after any initialiser; gcc clears them, clang does not.
const UNNAMED: &[(&str, &str, &str)] = &[
    (
        "assert",
        "int main() { struct { unsigned a : 5, : 3, b : 8; } s = { 1, 2 }; unsigned short v; memcpy(&v, &s, 2); assert(v == 0x201); }",
        "unknown",
    ),
    (
        "assert",
        "int main() { struct { unsigned a : 5, : 3, b : 8; } s = { 1, 2 }; unsigned short v; memcpy(&v, &s, 2); assert((v & 0xff1f) == 0x201); \
         assert(s.a == 1 && s.b == 2); }",
        "true",
    ),
    (
        "assert",
        "struct b { unsigned char a : 5, : 3; }; int main() { struct b s[2] = { { 1 }, { 2 } }; unsigned char v[2]; memcpy(v, s, 2); \
         assert(v[1] == 2); }",
        "unknown",
    ),
    // Of static storage they are zero.
    (
        "assert",
        "struct { unsigned a : 5, : 3, b : 8; } s = { 1, 2 }; int main() { unsigned short v; memcpy(&v, &s, 2); assert(v == 0x201); }",
        "true",
    ),
];

#[test]
fn unnamed_bit_fields_are_open() {
    check_answers("rare-unnamed", HEAD, UNNAMED);
}

const PRINT: &str = "static char out[64]; static int at;\n\
    static void put(char c) { if (at < 63) out[at++] = c; out[at] = 0; }\n\
    static void number(long v, int base) { if (v < 0) { put('-'); v = -v; } if (v >= base) number(v / base, base);\n\
      put(\"0123456789abcdef\"[v % base]); }\n\
    static int print(const char *f, ...) { va_list ap; va_start(ap, f); for (; *f; f++) { if (*f != '%') { put(*f); continue; }\n\
      switch (*++f) { case 'd': number(va_arg(ap, int), 10); break; case 'l': number(va_arg(ap, long), 10); break;\n\
      case 's': { const char *s = va_arg(ap, const char *); while (*s) put(*s++); break; } } } va_end(ap); return at; }\n\
    static long word(const char *f, ...) { va_list ap; va_start(ap, f); long r = 0; for (; *f; f++) {\n\
      if (*f == 's') (void)va_arg(ap, char *); else r = va_arg(ap, long); } va_end(ap); return r; }\n";

const LISTS: &[(&str, &str, &str)] = &[
    ("assert", "int main() { print(\"a%d%s%l\", -12, \"xy\", 300L); assert(!strcmp(out, \"a-12xy300\")); }", "true"),
    ("assert", "int main() { print(\"%l%s\", 7L, (char *)0 ? \"\" : \"b\"); assert(out[0] == '8'); }", "false"),
    // A null pointer that is written as a number.
    (
        "assert",
        "int n(int k, ...) { va_list ap; va_start(ap, k); char *p = va_arg(ap, char *); long v = va_arg(ap, long); va_end(ap); \
         return p == 0 && v == 3; } int main() { assert(n(1, 0L, 3L)); }",
        "true",
    ),
    // Addresses that are taken as numbers are not known.
    ("assert", "int main() { int x; assert((unsigned)word(\"l\", &x) == 0); }", "!true"),
    ("assert", "int main() { int x; assert((unsigned)word(\"sl\", \"\", (long)&x) == 0); }", "!true"),
    (
        "assert",
        "union u { void *p; long l; }; int main() { int x; union u u; u.p = &x; assert((unsigned)word(\"sl\", \"\", u.l) == 0); }",
        "!true",
    ),
    (
        "assert",
        "int main() { int x, *p = &x; long l; memcpy(&l, &p, sizeof l); assert((unsigned)word(\"sl\", \"\", l) == 0); }",
        "!true",
    ),
];

#[test]
fn lists_of_numbers_and_pointers() {
    check_answers("rare-lists", &format!("{HEAD}{PRINT}"), LISTS);
}
