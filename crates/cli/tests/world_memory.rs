//! What code outside of the program, addresses as numbers, constants and large objects may do: wrong answers that must not come
//! back, and right ones that must stay.

use crate::common::{Scratch, check_answers, foldback, stdout};

const HEAD: &str = "#include <assert.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n\
    extern int __VERIFIER_nondet_int(void); extern unsigned long __VERIFIER_nondet_ulong(void);\n\
    extern void *__VERIFIER_nondet_pointer(void); extern void __VERIFIER_assume(int);\n";

/// Property, program, how the result begins.
const ANSWERS: &[(&str, &str, &str)] = &[
    // Pointers from outside may point to what the outside knows.
    (
        "assert",
        "int x; int *ext(int *p); int main() { int *q = ext(&x); x = 1; *q = 5; assert(x == 1); }",
        "false(assert)",
    ),
    (
        "assert",
        "int *ext(int *p); int main() { int x; int *q = ext(&x); x = 1; *q = 5; assert(x == 1); }",
        "false(assert)",
    ),
    ("assert", "int *ext(int *p); int main() { int x, y = 1; int *q = ext(&x); *q = 5; assert(y == 1); }", "true"),
    ("assert", "static int x; int *ext(void); int main() { int *q = ext(); x = 1; *q = 5; assert(x == 1); }", "true"),
    ("assert", "int x, *p; extern int *q; int main() { p = &x; x = 1; *q = 5; assert(x == 1); }", "!true"),
    (
        "assert",
        "int x; int main() { int *p = &x, *q = __VERIFIER_nondet_pointer(); *p = 1; *q = 5; assert(x == 1); }",
        "!true",
    ),
    (
        "assert",
        "int g; int *nondet_p(void); int main() { int *p = nondet_p(); if (p == &g) { *p = 5; assert(g == 0); } }",
        "false(assert)",
    ),
    // By whatever goes through it.
    (
        "assert",
        "int g; int *get(void); int main() { int *p = get(); if (p) { g = 0; memset(p, 1, 4); assert(g == 0); } }",
        "!true",
    ),
    (
        "assert",
        "int g; int *get(void); int main() { int *p = get(); if (p) { g = 0; __atomic_store_n(p, 5, 0); assert(g == 0); } }",
        "!true",
    ),
    // Whether they are valid is open.
    (
        "assert",
        "int g; int *get(void); int main() { int *p = get(); __CPROVER_assume(__CPROVER_w_ok(p, 4)); *p = 5; assert(g == 0); }",
        "!true",
    ),
    (
        "assert",
        "int *get(void); int main() { int *p = get(); __CPROVER_assume(__CPROVER_r_ok(p, 4)); assert(*p == 0); }",
        "!true",
    ),
    ("valid-deref", "int *get(void); int main() { int *p = get(); return *p; }", "!true"),
    (
        "assert",
        "int *get(void); int main() { int *p = get(); free(0); int *q = malloc(4); if (!q) return 0; *q = 1;\
         assert(__CPROVER_r_ok(q, 4) && !__CPROVER_r_ok(q, 5)); }",
        "true",
    ),
    // Outside may learn an address from a function that it calls.
    (
        "assert",
        "static int g; static int *addr(void) { return &g; } void give(int *(*)(void)); void ext(void);\
         int main() { give(addr); g = 0; ext(); assert(g == 0); }",
        "!true",
    ),
    // Addresses are followed through what integers go through.
    (
        "assert",
        "static char y = 1, x = 2; int main() { volatile int c = 1; long i = c ? (long)&x : 5; assert(!(i & 1)); y++; }",
        "!true",
    ),
    ("assert", "static char y = 1, x = 2; int main() { long i = (0, (long)&x); assert(!(i & 1)); y++; }", "!true"),
    ("assert", "static char y = 1, x = 2; int main() { long j, i = j = (long)&x; assert(!(i & 1)); y++; }", "!true"),
    (
        "assert",
        "static char y = 1, x = 2; int main() { long z = (long)&x, i = z ?: 3; assert(!(i & 1)); y++; }",
        "!true",
    ),
    (
        "assert",
        "static char y = 1, x = 2; int main() { long i = ({ long t = (long)&x; t; }); assert(!(i & 1)); y++; }",
        "!true",
    ),
    ("assert", "static char y = 1, x = 2; int main() { long i = -(long)&x; i = -i; assert(!(i & 1)); y++; }", "!true"),
    ("assert", "static char y = 1, x = 2; int main() { long i = ~(long)&x; i = ~i; assert(!(i & 1)); y++; }", "!true"),
    ("assert", "static char y = 1, x = 2; int main() { long i = &x - (char *)0; assert(!(i & 1)); y++; }", "!true"),
    (
        "assert",
        "static char y = 1, x = 2; int main() { __int128 w = (long)&x; long i = w; assert(!(i & 1)); y++; }",
        "!true",
    ),
    (
        "assert",
        "static char y = 1, x = 2; static long id(long v) { return v; } static long (*fp)(long) = id;\
         int main() { long i = fp((long)&x); assert(!(i & 1)); y++; }",
        "!true",
    ),
    (
        "assert",
        "static char y = 1, x = 2; static long get(char *p) { return (long)p; } static long (*fp)(char *) = get;\
         int main() { long i = fp(&x); assert(!(i & 1)); y++; }",
        "!true",
    ),
    (
        "assert",
        "static char y = 1, x = 2; int main() { long v[2]; long *p = v; if (y) p++; *p = (long)&x; assert(!(v[1] & 1)); y++; }",
        "!true",
    ),
    (
        "assert",
        "int x; int main() { long i = (long)&x, n = __VERIFIER_nondet_int(); assert((n & 1) < 2 && i == (long)&x); }",
        "true",
    ),
    // Where objects lie is open: a proof must hold for all places, a violation must be shown by the machine.
    (
        "assert",
        "int main() { char b[10], *p = b; int s = 0, n = __VERIFIER_nondet_int(); if (n < 0 || n > 10) return 0;\
         while ((uintptr_t)p < (uintptr_t)(b + n)) { p++; s++; } assert(s <= 10); }",
        "true",
    ),
    // Order and distance of blocks, also of one place that allocates many; computed from one pointer they are known.
    (
        "assert",
        "int main() { char *a = 0; while (__VERIFIER_nondet_int()) { char *x = malloc(4); if (!x) return 0;\
         assert(!a || a < x); a = x; } }",
        "!true",
    ),
    (
        "assert",
        "int main() { char *a = 0; for (int i = 0; i < 3; i++) { char *x = malloc(4); if (!x) return 0;\
         assert(!a || x - a > 0); a = x; } }",
        "!true",
    ),
    (
        "assert",
        "struct n { struct n *next; }; int main() { struct n *l = 0; for (int i = 0; i < 3; i++) {\
         struct n *x = malloc(sizeof *x); if (!x) return 0; x->next = l; l = x; } if (l && l->next) assert(l > l->next); }",
        "!true",
    ),
    (
        "assert",
        "int main() { int x = 1, y = 2, *p = &x, *q = &y; long d = p - q; assert(d != 1 && d != -1); }",
        "!true",
    ),
    (
        "assert",
        "int main() { for (int k = 0; k < 3; k++) { char *a = malloc(3), *p = a; if (!a) return 0; a[0] = a[1] = 'x'; a[2] = 0;\
         while (*p) p++; assert(p > a && p - a == 2); } }",
        "true",
    ),
    (
        "assert",
        "struct b { char *p, *end; }; int main() { struct b b[2]; for (int k = 0; k < 2; k++) { b[k].p = malloc(10);\
         if (!b[k].p) return 0; b[k].end = b[k].p + 10; }\
         for (int k = 0; k < 2; k++) assert(b[k].p < b[k].end && b[k].end - b[k].p == 10); }",
        "true",
    ),
    // One past an object another one may begin, however the pointer came to be there.
    ("assert", "int a[2], b[2]; int main() { assert(a + 2 != b); }", "!true"),
    (
        "assert",
        "int a[2], b[2]; int main() { unsigned n = __VERIFIER_nondet_uint() % 3; assert(a + n != b); }",
        "!true",
    ),
    ("assert", "int a[2], b[2]; int main() { int *p = __VERIFIER_nondet_int() ? a + 2 : a; assert(p != b); }", "!true"),
    ("assert", "int a[2], b[2]; int main() { unsigned n = __VERIFIER_nondet_uint() % 2; assert(a + n != b); }", "true"),
    ("assert", "int f(void) { return 1; } int g(void) { return 2; } int main() { assert(f < g); }", "!true"),
    ("assert", "int f(void) { return 1; } int g(void) { return 2; } int main() { assert(f != g); }", "true"),
    ("assert", "int a, b; int main() { assert((uintptr_t)&a < (uintptr_t)&b || (uintptr_t)&a > 3); }", "!false"),
    ("assert", "int a, b; int main() { assert((uintptr_t)&a > (uintptr_t)&b); }", "!true"),
    (
        "assert",
        "int a; int t[64]; int main() { t[((uintptr_t)&a >> 4) % 64] = 1; assert((uintptr_t)&a % 4 == 0); }",
        "true",
    ),
    ("assert", "int main() { char *p = malloc(4); assert(((uintptr_t)p & 1023) != 512); }", "!true"),
    (
        "assert",
        "int x; int main() { uintptr_t u = (uintptr_t)&x; unsigned lo = u, hi = u >> 32; x = 1;\
         int *q = (int *)((uintptr_t)hi << 32 | lo); *q = 5; assert(x == 1); }",
        "!true",
    ),
    // Nobody outside knows of x when q is made.
    (
        "assert",
        "int *ext(void); void f(int *); int main() { int x = 1; int *q = ext(); *q = 5; assert(x == 1); f(&x); }",
        "!false",
    ),
    // What unknown functions change.
    ("assert", "int x; void ext(void); int main() { x = 1; ext(); assert(x == 1); }", "false(assert)"),
    ("assert", "static int x; void ext(void); int main() { x = 1; ext(); assert(x == 1); }", "true"),
    ("assert", "int a[3]; void ext(void); int main() { a[1] = 1; ext(); assert(a[1] == 1); }", "false(assert)"),
    ("assert", "void ext(int *); int main() { int x = 1; ext(&x); assert(x == 1); }", "false(assert)"),
    ("assert", "void ext(const int *); int main() { int x = 1; ext(&x); assert(x == 1); }", "true"),
    ("assert", "void ext(int *); void foo(void); int main() { int x = 1; foo(); assert(x == 1); ext(&x); }", "true"),
    ("assert", "void ext(int **); int main() { int x = 1, *p = &x; ext(&p); assert(x == 1); }", "false(assert)"),
    (
        "assert",
        "struct s { int *p; } g; void ext(void); int main() { static int x = 1; g.p = &x; ext(); assert(x == 1); }",
        "false(assert)",
    ),
    (
        "assert",
        "void keep(int *); void ext(void); int main() { int x = 1; keep(&x); x = 1; ext(); assert(x == 1); }",
        "false(assert)",
    ),
    ("assert", "void ext(int *); int main() { int *p = malloc(8); p[1] = 3; ext(p); assert(p[1] == 3); }", "!true"),
    // Callbacks.
    (
        "assert",
        "static int x; static void cb(void) { x = 2; } void ext(void (*)(void)); int main() { x = 1; ext(cb); assert(x == 1); }",
        "!true",
    ),
    (
        "assert",
        "static int x; static int cb(int a) { return a + 1; } void ext(int (*)(int)); int main() { x = 1; ext(cb); assert(x == 1); }",
        "true",
    ),
    // Results respect their types.
    ("assert", "_Bool ext(void); int main() { _Bool b = ext(); assert(b == 0 || b == 1); }", "true"),
    ("assert", "extern int J[]; int main() { J[0] = 1; assert(J[0] == 1 && &J[0] != 0); }", "true"),
    ("memsafety", "extern int J[]; int main() { J[0] = 1; return 0; }", "unknown"),
    // Addresses as numbers.
    (
        "assert",
        "int main() { unsigned long n = __VERIFIER_nondet_ulong(); __VERIFIER_assume(n < 100); void *r = malloc(n); __VERIFIER_assume((unsigned long)r <= 2012); assert(0); }",
        "!true",
    ),
    ("assert", "int main() { void *p = malloc(4); free(p); void *q = malloc(4); assert(p != q); }", "!true"),
    // The places of objects that have ended are used again, too.
    (
        "assert",
        "int main() { char *p = malloc(4); uintptr_t a = (uintptr_t)p; p = realloc(p, 8); assert((uintptr_t)p == a); }",
        "!unknown(check failed",
    ),
    (
        "assert",
        "uintptr_t f(void) { int x; return (uintptr_t)&x; } int main() { uintptr_t a = f(), b = f(); assert(a == b); }",
        "!unknown(check failed",
    ),
    ("assert", "int main() { void *p = malloc(4), *q = malloc(4); assert(p != q); free(p); free(q); }", "true"),
    (
        "assert",
        "int *f(int x) { int *p = &x; return p; } int main() { int *p = f(1), *q = f(2); assert(p != q); }",
        "!true",
    ),
    ("assert", "int a, b; int main() { int *p = &a + 1, *q = &b; assert(p != q); }", "!true"),
    ("assert", "int a[4]; int main() { int n = 0; for (int *p = a; p != a + 4; p++) n++; assert(n == 4); }", "true"),
    (
        "assert",
        "int main() { char b[32]; unsigned long v = (unsigned long)b; v = (v + 15) & ~15UL; assert(v == (unsigned long)b); }",
        "!true",
    ),
    ("assert", "int main() { char b[32]; unsigned long v = (unsigned long)b; assert(v % 16 == 0); }", "!true"),
    (
        "assert",
        "int main() { char b[32]; unsigned long v = (unsigned long)b; v >>= 4; assert((v << 4) == (unsigned long)b); }",
        "!true",
    ),
    ("assert", "int main() { char b[32]; unsigned long v = (unsigned long)b; assert((int)v == 0); }", "!true"),
    (
        "assert",
        "int main() { int a, b; unsigned long v = (unsigned long)&a, w = (unsigned long)&b; assert(v < w); }",
        "!true",
    ),
    (
        "assert",
        "int main() { int a[4]; unsigned long v = (unsigned long)&a[1], w = (unsigned long)&a[3]; assert(w - v == 8 && v < w); }",
        "true",
    ),
    // Constants.
    ("memsafety", "int main() { char *s = \"abc\"; s[0] = 'x'; return 0; }", "false(valid-deref)"),
    ("memsafety", "int main() { \"abc\"[1] = 'x'; return 0; }", "false(valid-deref)"),
    ("memsafety", "const int c = 3; int main() { int *p = (int *)&c; *p = 4; return 0; }", "false(valid-deref)"),
    ("memsafety", "int main() { strcpy(\"abc\", \"x\"); return 0; }", "false(valid-deref)"),
    (
        "memsafety",
        "int main() { char *s = \"abc\"; char t[] = \"abc\"; t[0] = s[1]; memset(t, 0, 2); return 0; }",
        "true",
    ),
    (
        "memsafety",
        "const int c = 3; int main() { const int *p = &c; int x = *p; int *q = (int *)&x; *q = 4; return 0; }",
        "true",
    ),
    // Large objects.
    (
        "memsafety",
        "int main() { int n = __VERIFIER_nondet_int(); char *p = malloc(n); if (n > 0) p[n - 1] = 1; free(p); return 0; }",
        "true",
    ),
    (
        "memsafety",
        "int main() { int n = __VERIFIER_nondet_int(); char *p = malloc(n); p[0] = 1; free(p); return 0; }",
        "false(valid-deref)",
    ),
    (
        "assert",
        "int main() { int n = __VERIFIER_nondet_int(); char *p = malloc(n); __VERIFIER_assume(n > 0 && n < 100); p[n - 1] = 1; assert(p[n - 1] == 1); }",
        "true",
    ),
    (
        "assert",
        "int main() { unsigned long n = __VERIFIER_nondet_ulong(); char *p = malloc(n); __VERIFIER_assume(n > 0 && n < 100); p[n - 1] = 1; assert(p[n - 1] == 1); }",
        "true",
    ),
    ("assert", "int main() { void *p = calloc(1UL << 40, 1UL << 40); assert(p == 0); }", "true"),
    // What blocks hold at first that share an array, each by its number.
    (
        "assert",
        "int main() { char *p = malloc(3); if (!p) return 0; p = realloc(p, 2); p = realloc(p, 10); assert(p[9] != 55); }",
        "false",
    ),
    (
        "assert",
        "int main() { int *p = malloc(4), *q; if (!p) return 0; *p = 5; q = realloc(p, 8); if (!q) return 0; q = realloc(q, 12); \
         if (q && q[1] == 6 && q[2] == 7) assert(q[0] != 5); }",
        "false",
    ),
    (
        "assert",
        "int main() { int *p = malloc(4), *q; if (!p) return 0; *p = 5; q = realloc(p, 8); if (!q) return 0; q = realloc(q, 12); \
         if (q && q[1] == 6 && q[2] == 7) assert(q[0] == 5); }",
        "true",
    ),
    // What a loop that nothing leaves loses.
    ("valid-memtrack", "int main() { while (1) { int *p = malloc(4); } }", "!true"),
    (
        "valid-memtrack",
        "int *last; int main() { for (;;) { last = malloc(4); if (!last) continue; *last = 1; } }",
        "!true",
    ),
    ("valid-memtrack", "int main() { int *q = malloc(4); while (1) { int *p = malloc(4); free(p); } }", "true"),
    (
        "valid-memtrack",
        "int main() { int *q = malloc(4); while (1) { if (__VERIFIER_nondet_int()) break; } free(q); return 0; }",
        "true",
    ),
    ("assert", "int main() { assert(unsetenv(\"HOME\") == 0); }", "true"),
];

#[test]
fn answers_are_right() {
    check_answers("world-memory", HEAD, ANSWERS);
}

/// Left shifts as C11 has them, and words of C23.
#[test]
fn other_readings_of_c_are_options() {
    let scratch = Scratch::new("world-memory-options");
    let shift = "int main() { int n = __VERIFIER_nondet_int() & 31; return 1 << n; }";
    let far = "int main() { int n = __VERIFIER_nondet_int() & 31; if (n == 31) return 0; return 1 << n; }";
    let auto = "int main() { auto x = 2.5; typeof_unqual(const int) y = 1; y = 2; for (auto i = 0L; i < y; i++) assert(sizeof i == 8); alignas(16) char b[1];\
        assert(x + y == 4.5 && sizeof(true) == 1 && alignof(int) == 4); }";
    for (program, flags, expected) in [
        (shift, &["undefined-shift"][..], "true"),
        (shift, &["undefined-shift", "--strict-shifts"], "false(undefined-shift)"),
        (far, &["undefined-shift", "--strict-shifts"], "true"),
        (auto, &["assert", "-std=c23"], "true"),
    ] {
        let file = scratch.file("program.c", format!("{HEAD}{program}\n"));
        let mut arguments = vec!["verify", file.to_str().expect("a path"), "--property"];
        arguments.extend(flags);
        let said = stdout(&foldback(arguments));
        assert!(said.ends_with(&format!("RESULT: {expected}\n")), "{program} {flags:?}\n{said}");
    }
}

/// An array inside of a struct, as a bound of its own.
#[test]
fn subobject_bounds_are_an_option() {
    let scratch = Scratch::new("world-memory-subobjects");
    let inside = "struct s { int a[4]; int b; } g; int main() { int i = __VERIFIER_nondet_int(); if (i < 0 || i > 4) return 0; g.a[i] = 1; return 0; }";
    let right = "struct s { int a[4]; int b; } g[2]; int main() { int i = __VERIFIER_nondet_int(); if (i < 0 || i > 3) return 0; g[1].a[i] = 1; int *p = g[0].a + 4; return p != 0; }";
    let last = "struct s { int n; char data[1]; }; int main() { struct s *p = malloc(20); p->data[9] = 1; free(p); return 0; }";
    for (program, flags, expected) in [
        (inside, &[][..], "true"),
        (inside, &["--subobject-bounds"], "false(valid-deref)"),
        (right, &["--subobject-bounds"], "true"),
        (last, &["--subobject-bounds"], "true"),
    ] {
        let file = scratch.file("program.c", format!("{HEAD}{program}\n"));
        let mut arguments = vec!["verify", file.to_str().expect("a path"), "--property", "memsafety"];
        arguments.extend(flags);
        let said = stdout(&foldback(arguments));
        assert!(said.ends_with(&format!("RESULT: {expected}\n")), "{program} {flags:?}\n{said}");
    }
}

/// Whoever says so gets the other conventions, and the answer says on what it rests.
#[test]
fn conventions_are_chosen() {
    let scratch = Scratch::new("world-memory-conventions");
    let program = format!(
        "{HEAD}int x; void ext(int *); int main() {{ int y = 1; x = 1; ext(&y); assert(x == 1 && y == 1); }}\n"
    );
    let file = scratch.file("program.c", program);
    let prp = scratch.file("p.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    let run = |flags: &[&str]| {
        let mut arguments = vec!["verify", file.to_str().expect("a path"), "--time-limit", "60s"];
        arguments.extend(flags);
        let said = stdout(&foldback(arguments));
        let result = said.lines().last().and_then(|line| line.strip_prefix("RESULT: ")).unwrap_or_default().to_owned();
        (result, said)
    };
    assert_eq!(run(&["--property", "assert"]).0, "false(assert)");
    assert_eq!(run(&["--property", "assert", "--externs", "arguments"]).0, "false(assert)");
    let (result, said) = run(&["--property", "assert", "--pure-externs"]);
    assert_eq!(result, "true");
    assert!(said.contains("no body for 'ext': assumed to change nothing"), "{said}");
    let said = run(&["--property", prp.to_str().expect("a path")]).1;
    assert!(said.contains("no body for 'ext': assumed to change what its arguments point to"), "{said}");
}

const LAST_BITS: &[(&str, &str, &str)] = &[
    ("assert", "int main() { void *p = aligned_alloc(64, 128); assert(L(p, 63) == 0); }", "true"),
    (
        "assert",
        "int main() { void *p; if (posix_memalign(&p, 4096, 10)) return 0; assert(L(p, 4095) == 0 && L((char *)p + 5, 7) == 5); }",
        "true",
    ),
    ("assert", "int main() { void *p = malloc(9); assert(L(p, 15) == 0); }", "true"),
    ("assert", "int main() { void *p = malloc(9); assert(L(p, 31) == 0); }", "!true"),
    ("assert", "int main() { void *p = aligned_alloc(64, 64); p = realloc(p, 500); assert(L(p, 63) == 0); }", "!true"),
    ("assert", "int main() { _Alignas(64) char b[3]; char *p = b; assert(L(p + 1, 63) == 1); }", "true"),
    ("assert", "int main() { char b[64]; char *p = b; assert(L(p, 3) == 0); }", "!true"),
    (
        "assert",
        "int main() { char b[64]; uintptr_t a = ((uintptr_t)b + 15) & ~(uintptr_t)15; assert(a % 16 == 0); }",
        "true",
    ),
    ("assert", "int main() { char b[40], *p = b; while ((uintptr_t)p % 8) p++; assert(p - b < 8); }", "true"),
    // The same object, and another one of its name or number.
    ("assert", "int main() { char *p = malloc(9); assert(L(p + 1, 15) == ((L(p, 31) + 1) & 15)); }", "true"),
    (
        "assert",
        "int main() { char *p = malloc(40); uintptr_t a = L(p, 127); free(p); p = malloc(40); assert(L(p, 127) == a); }",
        "!true",
    ),
    (
        "assert",
        "int main() { uintptr_t a[2]; for (int i = 0; i < 2; i++) { char *p = malloc(4); a[i] = L(p, 63); } assert(a[0] == a[1]); }",
        "!true",
    ),
    (
        "assert",
        "static int f(int n, uintptr_t o) { char c, *p = &c; if (!n) { assert(L(p, 31) == o); return 0; } return f(n - 1, L(p, 31)); }\n\
         int main() { return f(1, 0); }",
        "!true",
    ),
    (
        "assert",
        "int main() { for (int i = 0; i < 2; i++) { static uintptr_t o; char c, *p = &c; if (i) assert(L(p, 15) == o); o = L(p, 15); } }",
        "!true",
    ),
    ("assert", "extern int *outside(void); int main() { int *p = outside(); assert(L(p, 15) == 0); }", "!true"),
];

/// Where an object begins is unknown, aligned, and the same whenever one asks.
#[test]
fn last_bits_of_addresses() {
    let head =
        "#include <assert.h>\n#include <stdint.h>\n#include <stdlib.h>\n#define L(p, n) ((uintptr_t)(p) & (n))\n";
    check_answers("memory-bits", head, LAST_BITS);
}
