//! What C leaves undefined or open, as far as no property asks for it: any result or unsupported, never one convenient result.

use crate::common::{Scratch, check_answers, foldback, stdout};

const HEAD: &str = "#include <assert.h>\n#include <stdlib.h>\n\
    extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);\n\
    extern void __VERIFIER_assume(int);\n";

/// Property, program, how the result begins; `!` what it must not be.
const ANSWERS: &[(&str, &str, &str)] = &[
    // An array without elements is undefined, one of a negative length lies over others: neither is a lack of memory.
    ("assert", "int main() { short n = -1; int v[n]; v[0] = 1; return v[0]; }", "unknown(bound hit"),
    ("valid-deref", "int main() { short n = -1; int v[n]; v[0] = 1; return v[0]; }", "false(valid-deref)"),
    (
        "valid-deref",
        "int main() { int n = -3; char *v = __builtin_alloca(n); v[0] = 1; return v[5]; }",
        "false(valid-deref)",
    ),
    ("assert", "int main() { int n = -3; char *v = __builtin_alloca(n); v[0] = 1; return v[5]; }", "unknown(bound hit"),
    (
        "valid-deref",
        "int main() { int n = __VERIFIER_nondet_int(); if (n > 100 || n == 0) return 0; int v[n]; v[0] = 1; return v[0]; }",
        "false(valid-deref)",
    ),
    (
        "valid-deref",
        "int main() { int n = __VERIFIER_nondet_int(); if (n > 100 || n < 0) return 0; char v[n]; return sizeof v; }",
        "true",
    ),
    (
        "valid-deref",
        "int main() { int n = __VERIFIER_nondet_int(); if (n > 100 || n < 1) return 0; int v[n]; v[n - 1] = 1; return v[n - 1]; }",
        "true",
    ),
    ("valid-deref", "static int f(int n, int a[n]) { return n; } int main() { return f(-1, 0); }", "true"),
    // What is larger than any stack is none of these, and no product wraps around.
    ("assert", "int main() { unsigned long k = 1ul << 62; int v[k]; v[0] = 1; assert(0); }", "true"),
    // What is not from malloc cannot be freed: nothing follows from what comes after it.
    ("assert", "int main() { int x = __VERIFIER_nondet_int(); if (x == 3) { free(&x); assert(0); } }", "!false"),
    ("assert", "int g; int main() { int x = __VERIFIER_nondet_int(); if (x == 3) { free(&g); assert(0); } }", "!false"),
    (
        "assert",
        "int main() { int *p = malloc(4), x = __VERIFIER_nondet_int(); if (x == 3) { free(p); assert(0); } }",
        "false",
    ),
    ("termination", "int main() { char *p = malloc(4); free(p); free(p); while (1); }", "!false"),
    ("termination", "int main() { int x = 5; free(&x); while (1); }", "!false"),
    (
        "termination",
        "int main() { unsigned x = __VERIFIER_nondet_uint(), y = 1u << x; while (x > 31); return y; }",
        "!false",
    ),
    // Nobody can choose what the library computes so that a program never ends.
    ("termination", "int getpid(void); int main() { int p = getpid(), q = getpid(); while (p != q); }", "!false"),
    ("termination", "double sin(double); int main() { double d = sin(1.0); while (d < 0.8); }", "!false"),
    ("termination", "int main() { const char *a = \"abc\", *b = \"abc\"; while (a != b); }", "!false"),
    ("termination", "int main() { int x; __asm__(\"movl $5,%0\" : \"=r\"(x)); while (x != 5); }", "!false"),
    ("termination", "int main() { int x = __VERIFIER_nondet_int(); while (x != 5); }", "false"),
    // What `printf` does with other conversions than those of C is not known here.
    (
        "assert",
        "int printf(const char *, ...); int main() { int x = 0; printf(\"abc%1$n\", &x); assert(x == 0); }",
        "!true",
    ),
    (
        "assert",
        "int printf(const char *, ...); int main() { int x = 0; printf(\"abc%In\", &x); assert(x == 0); }",
        "!true",
    ),
    (
        "memsafety",
        "int printf(const char *, ...); int main() { char s[1] = {1}; printf(\"%1$s\", s); return 0; }",
        "!true",
    ),
    (
        "memsafety",
        "int printf(const char *, ...); int main() { int s[1] = {1}; printf(\"%ls\", s); return 0; }",
        "!true",
    ),
    (
        "memsafety",
        "int printf(const char *, ...); int main() { int s[1] = {1}; printf(\"%S\", s); return 0; }",
        "!true",
    ),
    (
        "memsafety",
        "int printf(const char *, ...); int main() { printf(\"%5.2f %-3ld %s %p\", 1.0, 2l, \"a\", \"b\"); return 0; }",
        "true",
    ),
    // An argument that is taken as one of another kind comes from another register.
    (
        "assert",
        "#include <stdarg.h>\nint f(int n, ...) { va_list a; va_start(a, n); int r = va_arg(a, int); va_end(a); return r; } \
         int main() { assert(f(1, 1.0) == 0); }",
        "!true",
    ),
    (
        "assert",
        "#include <stdarg.h>\ndouble f(int n, ...) { va_list a; va_start(a, n); double r = va_arg(a, double); va_end(a); return r; } \
         int main() { assert(f(1, 1l) < 1); }",
        "!true",
    ),
    (
        "assert",
        "#include <stdarg.h>\ndouble f(int n, ...) { va_list a; va_start(a, n); double r = va_arg(a, double); r += va_arg(a, long); \
         r += va_arg(a, long double); r += va_arg(a, unsigned); va_end(a); return r; } \
         int main() { assert(f(1, 1.0, 2l, 8.0l, 16) == 27); }",
        "true",
    ),
    // A write to what is constant may trap, or be overlooked.
    ("assert", "int main() { \"abc\"[0] = 'x'; assert(0); }", "unknown(bound hit"),
    ("assert", "int main() { if (__VERIFIER_nondet_int()) \"abc\"[0] = 'x'; assert(0); }", "false"),
    // What does not fit an integer, and divisions that nobody checks: compilers do not do what the machine does.
    ("assert", "int main() { double d = 1e10; int i = d; assert(i == -2147483647 - 1); }", "!true"),
    ("assert", "int main() { double d = -1; unsigned i = d; assert(i == 4294967295u); }", "!true"),
    ("assert", "int main() { float d = 300; unsigned char i = d; assert(i == 44); }", "!true"),
    ("assert", "int main() { double d = -0.5; unsigned i = d; assert(i == 0); }", "true"),
    ("assert", "int main() { double d = -2147483648.5; int i = d; assert(i < 0); }", "true"),
    (
        "assert",
        "int main() { float d = 16777217; long double e = 18446744073709551615.0L; assert((int)d == 16777216 && (unsigned long)e == -1ul); }",
        "true",
    ),
    ("assert", "int main() { int y = __VERIFIER_nondet_int(); int r = 5 / y; assert(y != 0); }", "unknown"),
    (
        "assert",
        "int main() { int x = __VERIFIER_nondet_int(), y = -1; int r = x / y; assert(x != -2147483647 - 1); }",
        "unknown",
    ),
    ("assert", "int main() { int y = __VERIFIER_nondet_int(); int r = 5 / y; assert(y != 1); }", "false"),
    ("assert", "int main() { int y = __VERIFIER_nondet_int() | 1; int r = 5 / y; assert(y != 0); }", "true"),
    ("no-overflow", "struct s { long a : 40; }; int main() { struct s x = {(1L << 39) - 1}; x.a++; }", "false"),
    ("no-overflow", "struct s { int a : 4; }; int main() { struct s x = {7}; x.a++; }", "true"),
    ("unsigned-overflow", "struct s { unsigned a : 3; }; int main() { struct s x = {0}; x.a--; return x.a; }", "true"),
    // The address of a variable that has ended: gcc returns null.
    ("assert", "static int *f(void) { int x = 5; return &x; } int main() { int *p = f(); assert(p != 0); }", "!true"),
    (
        "assert",
        "static char *f(void) { char b[4] = \"\"; return b + 1; } int main() { char *p = f(); assert(p); }",
        "!true",
    ),
    ("valid-deref", "static int *f(void) { int x = 5; return &x; } int main() { int *p = f(); return *p; }", "false"),
    (
        "assert",
        "static int *f(int *p) { int x = 5; *p = x; return p; } int main() { int y; assert(f(&y) != 0); }",
        "true",
    ),
    // Promises that are broken.
    (
        "assert",
        "static int f(int x) { if (x == 3) __builtin_unreachable(); return 4; } int main() { assert(f(3) == 5); }",
        "unknown",
    ),
    (
        "assert",
        "int main() { int x = __VERIFIER_nondet_int(); if (x == 3) __builtin_unreachable(); assert(x != 3); }",
        "unknown",
    ),
    (
        "assert",
        "int main() { int x = __VERIFIER_nondet_int() & 1; if (x == 3) __builtin_unreachable(); assert(x != 3); }",
        "true",
    ),
    ("assert", "_Noreturn void die(int c) { if (c) exit(1); } int main() { int x = 1; die(0); assert(x); }", "unknown"),
    ("assert", "_Noreturn void die(int c) { exit(c); } int main() { int x = 1; if (!x) die(0); assert(x); }", "true"),
    // Copies between places that overlap.
    (
        "assert",
        "#include <string.h>\nint main() { char b[8] = \"abcdefg\"; char *p = b, *q = b + 1; memcpy(q, p, 4); assert(b[1] == 'a'); }",
        "unknown",
    ),
    (
        "assert",
        "#include <string.h>\nvoid cp(char *d, char *s, int n) { memcpy(d, s, n); } int main() { char b[8] = \"abcdefg\"; cp(b + 1, b, 4); assert(b[1] == 'a'); }",
        "unknown",
    ),
    (
        "assert",
        "#include <string.h>\nvoid cp(char *d, char *s, int n) { memcpy(d, s, n); } int main() { char b[8] = \"abcdefg\"; cp(b + 4, b, 4); assert(b[4] == 'a'); }",
        "true",
    ),
    (
        "assert",
        "#include <string.h>\nvoid cp(char *d, char *s) { strcpy(d, s); } int main() { char b[8] = \"abcdefg\"; cp(b + 1, b + 2); assert(b[1] == 'c'); }",
        "unknown",
    ),
    (
        "assert",
        "#include <string.h>\nvoid cp(char *d, char *s) { strcpy(d, s); } int main() { char b[8] = \"abc\"; cp(b + 4, b); assert(b[4] == 'a'); }",
        "true",
    ),
    (
        "assert",
        "#include <wchar.h>\nvoid cp(wchar_t *d, wchar_t *s) { wcscpy(d, s); } int main() { wchar_t b[8] = L\"abcdefg\"; cp(b + 1, b + 2); assert(b[1] == 'c'); }",
        "unknown",
    ),
    (
        "assert",
        "#include <wchar.h>\nvoid cp(wchar_t *d, wchar_t *s) { wcscpy(d, s); } int main() { wchar_t b[8] = L\"abc\"; cp(b + 4, b); assert(b[4] == 'a'); }",
        "true",
    ),
    (
        "assert",
        "#include <string.h>\nvoid ap(char *d, char *s) { strcat(d, s); } int main() { char b[8] = \"ab\"; ap(b, b + 1); assert(b[2] == 'b'); }",
        "!true",
    ),
    (
        "assert",
        "#include <string.h>\nint main() { char b[8] = \"abcdefg\"; char *p = b, *q = b + 1; memmove(q, p, 4); assert(b[1] == 'a'); }",
        "true",
    ),
    (
        "assert",
        "#include <stdio.h>\nint main() { char b[8] = \"abc\"; char *q = b; sprintf(b, \"%s!\", q); assert(b[3] == '!'); }",
        "!true",
    ),
    // Two null pointers are one.
    (
        "assert",
        "int x, y; int main() { int *p = __VERIFIER_nondet_int() ? &x : 0, *q = __VERIFIER_nondet_int() ? &y : 0; \
        if (!p && !q) __CPROVER_assert(!__CPROVER_same_object(p, q), \"\"); }",
        "false",
    ),
    // Bits of zero, and shifts by too much.
    ("assert", "int main() { unsigned x = 0; assert(__builtin_clz(x) == 32); }", "!true"),
    ("assert", "int main() { unsigned x = 0; assert(__builtin_ctz(x) == 32); }", "!true"),
    ("assert", "int main() { unsigned x = __VERIFIER_nondet_uint(); if (x) assert(__builtin_clz(x) < 32); }", "true"),
    ("assert", "int main() { unsigned x = 0; assert(__builtin_ffs(x) == 0 && __builtin_popcount(x) == 0); }", "true"),
    ("assert", "int main() { int n = 33; int y = 1 << n; assert(y == 2); }", "!true"),
    ("assert", "int main() { int n = 33; int y = 1 << n; assert(y == 0); }", "!true"),
    ("assert", "int main() { assert((1u << 33) == 0); }", "!true"),
    ("assert", "int main() { int n = -1; unsigned y = 8u >> n; assert(y == 0); }", "!true"),
    ("assert", "int main() { int n = 32; unsigned y = 8; y >>= n; assert(y == 8); }", "!true"),
    (
        "assert",
        "int main() { unsigned n = __VERIFIER_nondet_uint(); unsigned y = 1u << (n & 31); assert(y != 0); }",
        "true",
    ),
    ("assert", "int main() { unsigned n = __VERIFIER_nondet_uint(); if (n < 32) assert((1u << n) != 0); }", "true"),
    ("assert", "int main() { long n = 33; assert((1ul << n) == 8589934592ul); }", "true"),
    // A number that an object may lie at.
    ("assert", "int main() { int x; assert(&x != (int *)0x7ffe1234); }", "!true"),
    ("assert", "int main() { int x; assert((unsigned long)&x != 0x7ffe1234); }", "!true"),
    ("assert", "int main() { int x; assert(&x != (int *)-1 && &x != 0); }", "true"),
    ("assert", "int main() { int *p = 0; assert(p != (int *)0x7ffe1234); }", "true"),
    // A variable that is changed and used in one expression.
    ("assert", "int main() { int b[3] = {0}, x = 0; b[x] = (x = 2, 7); assert(b[0] == 7); }", "unknown(unsupported"),
    ("assert", "int main() { int i = 1; i = i++ + ++i; assert(i == 4); }", "unknown(unsupported"),
    ("assert", "int main() { int i = 1; i = i++; assert(i == 1); }", "unknown(unsupported"),
    ("assert", "int main() { int i = 1, y = i++ + i; assert(y == 3); }", "unknown(unsupported"),
    ("assert", "int main() { int a[3] = {0}, i = 0; a[i++] = i; assert(a[0] == 1); }", "unknown(unsupported"),
    ("assert", "int main() { int i = 1; i = (i++, 5); assert(i == 5); }", "true"),
    ("assert", "int main() { int i = 1; i = i && (i = 2) ? 4 : 5; assert(i == 4); }", "true"),
    ("assert", "int f(int x) { return x; } int main() { int i = 1; i = f(i++) + 1; assert(i == 2); }", "true"),
    (
        "assert",
        "int main() { int s[2] = {1, 2}, d[2], *p = s, *q = d; *q++ = *p++; *q++ = *p++; assert(d[1] == 2); }",
        "true",
    ),
    // Functions are called in one order or in the other.
    ("assert", "int x = 1; int f(void) { x = 5; return 0; } int main() { int y = f() + x; assert(y == 5); }", "!true"),
    (
        "assert",
        "int i; int b[2]; int f(void) { i = 1; return 7; } int main() { b[i] = f(); assert(b[0] == 7); }",
        "!true",
    ),
    (
        "assert",
        "int i; int b[2]; int f(void) { i = 1; return 7; } int main() { b[i] = f(); assert(b[0] + b[1] == 7); }",
        "true",
    ),
    // Pointers that nothing sets.
    (
        "assert",
        "int main() { int x = 1, *p = &x; int **h = malloc(sizeof *h); if (!h) return 0; **h = 5; assert(*p == 1); }",
        "!true",
    ),
    // What is not to be changed may lead to what is.
    (
        "assert",
        "struct s { int *p; }; void ext(const struct s *); int main() { int x = 1; struct s s = {&x}; ext(&s); \
         assert(x == 1); }",
        "!true",
    ),
    (
        "assert",
        "struct s { int *p; int n; }; void ext(const struct s *); int main() { int x = 1; struct s s = {&x, 3}; ext(&s); \
         assert(s.n == 3); }",
        "true",
    ),
    // Arguments that are not there.
    (
        "assert",
        "#include <stdarg.h>\nint f(int n, ...) { va_list a; va_start(a, n); int x = va_arg(a, int), y = va_arg(a, int); \
         va_end(a); return x + y; } int main() { assert(f(0, 4) == 4); }",
        "unknown(unsupported",
    ),
    (
        "assert",
        "#include <stdarg.h>\nint f(int n, ...) { va_list a; va_start(a, n); int s = 0; while (n--) s += va_arg(a, int); \
         va_end(a); return s; } int main() { assert(f(3, 1, 2, 3) == 6); }",
        "true",
    ),
    // Numbers of characters, parts of complex numbers, hexadecimal numbers.
    ("assert", "#include <stdio.h>\nint main() { int n = printf(\"abc%d\", 12); if (n >= 0) assert(n == 5); }", "true"),
    (
        "assert",
        "#include <stdio.h>\nint main() { int n = printf(\"%5d\", __VERIFIER_nondet_int()); assert(n < 5); }",
        "!true",
    ),
    (
        "assert",
        "#include <stdio.h>\nint main() { int n = printf(\"%d\", __VERIFIER_nondet_int()); assert(n < 20); }",
        "!false",
    ),
    (
        "assert",
        "#include <complex.h>\nint main() { double complex z = 1.0 + 2.0 * I; \
         assert(creal(z) == 1.0 && cimag(z) == 2.0 && cimag(conj(z)) == -2.0); }",
        "true",
    ),
    ("assert", "int main() { assert(strtod(\"0x1.8p1\", 0) == 3.0 && strtod(\"-0xAp-1z\", 0) == -5.0); }", "true"),
    ("assert", "int main() { char *e; assert(strtod(\"0xz\", &e) == 0 && *e == 'x'); }", "true"),
    // What is declared to change nothing changes nothing.
    ("assert", "int g; int ext(int) __attribute__((pure)); int main() { g = 1; ext(2); assert(g == 1); }", "true"),
    ("assert", "int g; int ext(int *) __attribute__((const)); int main() { g = 1; ext(&g); assert(g == 1); }", "true"),
    ("assert", "int g; int ext(int); int main() { g = 1; ext(2); assert(g == 1); }", "!true"),
    // Each sum of a chain is a pointer, not only the last one.
    (
        "pointer-overflow",
        "int a[3]; int main() { int *q = a + 1, *z = q - 2 + 1; return z == a; }",
        "false(pointer-overflow)",
    ),
    ("pointer-overflow", "int a[3]; int main() { int *q = a + 1, *z = q - 1 + 1; return z == a; }", "true"),
    ("pointer-overflow", "int a[3]; int main() { return (a + 5)[-3]; }", "false(pointer-overflow)"),
    ("pointer-overflow", "int a[3]; int main() { return (&a[5])[-3]; }", "false(pointer-overflow)"),
    ("pointer-overflow", "int a[3]; int main() { return (&a[3])[-3]; }", "true"),
    ("pointer-overflow", "int a[3][2]; int main() { return (a + 5)[-3][1]; }", "false(pointer-overflow)"),
    (
        "pointer-overflow",
        "struct { int x, y[2]; } s[3]; int main() { return (s[5].y - 20)[1]; }",
        "false(pointer-overflow)",
    ),
    ("pointer-overflow", "int a[3], *q = a + 5 - 3; int main() { return *q; }", "!true"),
    ("pointer-overflow", "int a[3], *q = a + 3 - 3; int main() { return *q; }", "true"),
    // What a bit-field does not hold.
    (
        "conversion",
        "struct { unsigned f : 3; } s; int main() { int n = __VERIFIER_nondet_int(); if (n < 0 || n > 8) return 0; s.f = n; }",
        "false(conversion)",
    ),
    (
        "conversion",
        "struct { unsigned f : 3; } s; int main() { int n = __VERIFIER_nondet_int(); if (n < 0 || n > 7) return 0; s.f = n; }",
        "true",
    ),
    ("conversion", "struct { int f : 3; } s; int main() { s.f = 4; }", "false(conversion)"),
    ("conversion", "struct { int f : 3; } s; int main() { s.f = -4; }", "true"),
    ("conversion", "struct { unsigned f : 3; } s; int main() { s.f = 7; s.f++; }", "false(conversion)"),
    ("conversion", "struct { unsigned f : 3; } s; int main() { s.f = 6; s.f += 1; }", "true"),
    ("conversion", "struct { unsigned f : 3; } s; int main() { s.f = 7; s.f += 1; }", "false(conversion)"),
    ("conversion", "int main() { struct { int a : 4; } s = { 8 }; return s.a; }", "false(conversion)"),
    ("conversion", "struct { int a : 4; } s = { 8 }; int main() { return s.a; }", "!true"),
    ("conversion", "struct { _Bool b : 1; } s; int main() { s.b = 8; }", "true"),
    // Shifts in static initialisers, and integers that no float is near.
    ("undefined-shift", "int q = 1 >> 33; int main() { return q; }", "!true"),
    ("undefined-shift", "int q[] = { 1, 1 << -1 }; int main() { return q[1]; }", "!true"),
    ("undefined-shift", "long q = 1L << 40; int main() { return q != 0; }", "true"),
    ("float", "int main() { unsigned __int128 n = ~(unsigned __int128)0; float f = n; return f > 1; }", "false(float)"),
    ("float", "int main() { unsigned long n = -1ul; float f = n; return f > 1; }", "true"),
];

#[test]
fn answers_are_right() {
    check_answers("world-undefined", HEAD, ANSWERS);
}

/// With `--subobject-bounds` each row of an array is an object, and so is the whole.
#[test]
fn rows_of_arrays_are_objects() {
    let scratch = Scratch::new("world-rows");
    let programs = [
        ("int a[2][3]; int main() { int i = 0, j = 3; return a[i][j]; }", false),
        ("int a[2][3]; int main() { int i = 2, j = 0; return a[i][j]; }", false),
        ("struct s { int m[2][3]; int rest[9]; } s; int main() { int i = 2; return s.m[i][0]; }", false),
        ("int a[2][3]; int main() { int i = 1, j = 2; return a[i][j]; }", true),
        ("int a[2][3]; int main() { int s = 0; for (int i = 0; i < 2; i++) s += a[i][i + 1]; return s; }", true),
    ];
    for (program, safe) in programs {
        let file = scratch.file("program.c", program);
        let file = file.to_str().expect("a path in UTF-8");
        let output =
            foldback(["verify", file, "--property", "valid-deref", "--subobject-bounds", "--time-limit", "20s"]);
        let expected = if safe { "RESULT: true\n" } else { "RESULT: false(valid-deref)\n" };
        assert!(stdout(&output).contains(expected), "{program}\n{}", stdout(&output));
    }
}
