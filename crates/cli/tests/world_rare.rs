//! What another hunt among the features of C that few programs use found: arguments of built-in functions that are evaluated
//! without being looked at, bit-fields without a name, lists that hold both numbers and pointers, streams that end, exchanges that fail, and
//! functions that promise to depend on their arguments.

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
    // Memory orders and the sizes of fortified functions are evaluated, too.
    (
        "assert",
        "int w; int main() { int k = 0, e = 0; char c, b[8]; __atomic_fetch_add(&w, 1, k++); assert(k == 1); __atomic_load_n(&w, k++); \
         __atomic_store_n(&w, 1, k++); assert(k == 3); __atomic_compare_exchange_n(&w, &e, 1, k++, 5, 5); __atomic_thread_fence(k++); \
         assert(k == 5); __atomic_clear(&c, k++); __atomic_test_and_set(&c, k++); assert(k == 7); \
         __builtin___memcpy_chk(b, \"abc\", 4, (k++, 8)); assert(k == 8 && b[2] == 'c'); __sync_fetch_and_add(&w, 1, k++); assert(k == 8); }",
        "true",
    ),
    // What the machine works on at once.
    (
        "assert",
        "struct s { char c[8]; } x; int w; int main() { assert(__atomic_always_lock_free(1, 0) && __atomic_always_lock_free(8, 0)); \
         assert(!__atomic_always_lock_free(3, 0) && !__atomic_always_lock_free(16, 0) && !__atomic_always_lock_free(8, &x)); \
         assert(__atomic_always_lock_free(4, &w) && __atomic_is_lock_free(sizeof w, &w)); }",
        "true",
    ),
    ("assert", "struct s { char c[24]; } x; int main() { assert(__atomic_is_lock_free(sizeof x, &x)); }", "unknown"),
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

/// A stream that gives no more characters is at its end, or failed: also where a compiled program is given what it reads.
const STREAMS: &[(&str, &str, &str)] = &[
    ("assert", "int main() { int c = getchar(); if (c == EOF && !ferror(stdin)) assert(feof(stdin)); }", "!false"),
    ("assert", "int main() { if (getwchar() == WEOF) assert(feof(stdin) || ferror(stdin)); }", "!false"),
    ("assert", "int main() { if (puts(\"a\") < 0) assert(ferror(stdout)); }", "!false"),
    ("assert", "int main() { if (fputs(\"a\", stdout) == EOF) assert(ferror(stdout)); }", "!false"),
    // Commands end with a status of 16 bits, or with -1.
    (
        "assert",
        "int system(const char *); int main() { int r = system(\"true\"); assert(r >= -1 && r < 65536); }",
        "true",
    ),
    ("assert", "int system(const char *); int main() { assert(system(\"true\") != -1); }", "false"),
    ("assert", "int system(const char *); int main() { int r = system((char *)0); assert(r == 0 || r == 1); }", "true"),
    ("assert", "int main() { assert(puts(\"a\") >= 0); }", "false"),
    (
        "assert",
        "int main() { FILE *f = fopen(\"/etc/passwd\", \"r\"); if (!f) return 0; int c = fgetc(f); \
         if (c == EOF) assert(feof(f) || ferror(f)); }",
        "!false",
    ),
    (
        "assert",
        "int main() { while (!feof(stdin)) { int c = fgetc(stdin); assert(c != 'x'); if (c == EOF) break; } }",
        "false",
    ),
];

#[test]
fn streams_end() {
    check_answers("rare-streams", "#include <assert.h>\n#include <stdio.h>\n#include <wchar.h>\n", STREAMS);
}

/// A weak exchange may fail for no reason, a strong one may not.
const WEAK: &[(&str, &str, &str)] = &[
    (
        "assert",
        "int main() { atomic_int a = 0; int e = 0; if (!atomic_compare_exchange_weak(&a, &e, 1)) assert(0); }",
        "!true",
    ),
    (
        "assert",
        "int main() { atomic_int a = 0; int e = 0; if (!atomic_compare_exchange_strong(&a, &e, 1)) assert(0); }",
        "true",
    ),
    (
        "assert",
        "int main() { int a = 0, e = 0, k = 0; if (!__atomic_compare_exchange_n(&a, &e, 1, k++, 5, 5)) assert(k == 1 && e == 0 && a == 0); \
         else assert(k == 1 && a == 1); }",
        "true",
    ),
    (
        "assert",
        "int main() { int a = 0, e = 0, d = 1; if (!__atomic_compare_exchange(&a, &e, &d, 1, 5, 5)) assert(0); }",
        "!true",
    ),
    (
        "assert",
        "int main() { atomic_int a = 0; int e = 0; while (!atomic_compare_exchange_weak(&a, &e, 1)) assert(e == 0); assert(a == 1); }",
        "true",
    ),
];

#[test]
fn weak_exchanges_may_fail() {
    check_answers("rare-weak", "#include <assert.h>\n#include <stdatomic.h>\n", WEAK);
}

const PROMISES: &str = "extern int __VERIFIER_nondet_int(void);\n\
    int f(int) __attribute__((const)); int g(int, char) __attribute__((const)); int p(int *) __attribute__((pure));\n\
    int z(void) __attribute__((pure)); _Bool b(int) __attribute__((const)); void *q(int) __attribute__((const));\n\
    double d(double) __attribute__((const)); float r(void) __attribute__((pure)); struct two { int x; short y; };\n\
    struct two t(int) __attribute__((const)); struct to { int *p; }; struct to w(int) __attribute__((const));\n";

/// Functions without body that are declared `const` give the same for the same arguments; for those declared `pure` nobody knows.
const SAME: &[(&str, &str, &str)] = &[
    (
        "assert",
        "int main() { int x = __VERIFIER_nondet_int(); assert(f(x) == f(x) && g(1, 300) == g(1, 44)); }",
        "true",
    ),
    ("assert", "int main() { int n = f(7); for (int i = 0; i < 100; i++) if (f(7) != n) assert(0); }", "true"),
    ("assert", "int main() { assert(f(3) == f(4)); }", "false"),
    ("assert", "int main() { int a = f(3), c = f(3); assert(a != 7 && c != 8); }", "false"),
    ("assert", "int main() { int x = 1, k = p(&x); x = 2; if (k != p(&x)) assert(0); }", "unknown"),
    ("assert", "int main() { int x = 1, y = 1, k = p(&x); assert(k == p(&y)); }", "false"),
    ("assert", "int main() { int n = z(), m = z(); assert(n != 5); }", "false"),
    ("assert", "int main() { assert(b(2) == b(2)); _Bool v = b(3); assert(v == 0 || v == 1); }", "true"),
    ("assert", "int main() { int *a = q(1), *c = q(2), *d = q(2); if (c != d) assert(0); }", "true"),
    ("assert", "int main() { int *a = q(1), *c = q(2); if (c == a) assert(0); }", "false"),
    ("assert", "int main() { int *a = q(1), *c = q(2), *e = q(1); if (a != e) assert(0); }", "true"),
    // Beyond the last four nobody knows.
    ("assert", "int main() { int *a = q(0); for (int i = 1; i < 6; i++) q(i); if (q(0) != a) assert(0); }", "unknown"),
    ("assert", "int main() { double x = d(1), y = d(2), z = d(1); assert(x == z || x != x); }", "true"),
    ("assert", "int main() { assert(d(1) == d(2)); }", "false"),
    ("assert", "int main() { double x = 1 / d(0.0), y = 1 / d(-0.0); assert(x == y); }", "false"),
    ("assert", "int main() { float x = r(); assert(x == r() || x != x); }", "unknown"),
    ("assert", "int main() { struct two a = t(1), c = t(2), e = t(1); assert(a.x == e.x && a.y == e.y); }", "true"),
    ("assert", "int main() { struct two a = t(1), c = t(2); assert(a.x == c.x); }", "false"),
    ("assert", "int main() { struct to a = w(1), c = w(1); assert(a.p == c.p); }", "!false"),
];

#[test]
fn the_same_for_the_same_arguments() {
    check_answers("rare-same", &format!("{HEAD}{PROMISES}"), SAME);
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
