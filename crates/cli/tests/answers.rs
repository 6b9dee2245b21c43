//! Answers that were wrong once: small programs with the answer that is right, or one that is not wrong.

use crate::common::{Scratch, foldback, stdout, verify};

const HEAD: &str = "#include <math.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n\
    extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);\n\
    void reach_error(void) { abort(); }\n\
    #define check(c) do { if (!(c)) reach_error(); } while (0)\n";

/// Property, program, how the result begins.
const ANSWERS: &[(&str, &str, &str)] = &[
    // Calls of the error function through pointers.
    ("unreach-call", "int main() { void (*f)() = reach_error; f(); }", "false(unreach-call)"),
    (
        "unreach-call",
        "int main() { void (*t[2])(void) = {abort, reach_error}; unsigned i = __VERIFIER_nondet_uint(); if (i < 2) t[i](); }",
        "false(unreach-call)",
    ),
    // What the library computes is what it computes, not what a model allows.
    ("unreach-call", "int main() { check(pow(2, 3) == 8); }", "true"),
    ("unreach-call", "int main() { check(pow(2.5, 3) == 15.625); }", "unknown"),
    ("unreach-call", "int main() { int u; if (u == 4) check(sin(1.0) > 0.5); }", "unknown"),
    ("unreach-call", "int main() { int x; check(sscanf(\"12\", \"%d\", &x) == 1 && x == 12); }", "true"),
    ("unreach-call", "int main() { check(pow(2, 3) != 8); }", "false(unreach-call)"),
    ("unreach-call", "int main() { double z = -0.0; check(pow(z, -1.0) >= 0); }", "false(unreach-call)"),
    (
        "unreach-call",
        "int main() { printf(\"%d\\n\", 1); check(__VERIFIER_nondet_int() != 77); }",
        "false(unreach-call)",
    ),
    (
        "memsafety",
        "int main() { void *p; if (!posix_memalign(&p, 16, 32)) { ((char *)p)[31] = 1; free(p); } }",
        "true",
    ),
    // Where objects lie is nobody's business; what the compiled program may show is in `world_memory.rs`.
    ("unreach-call", "int main() { int a; if ((uintptr_t)&a % 4) reach_error(); }", "true"),
    ("unreach-call", "int main() { int a, b; if ((uintptr_t)&a - (uintptr_t)&b > 64) reach_error(); }", "unknown"),
    ("unreach-call", "int main() { int a; if ((uintptr_t)&a * 31 % 8 > 1) reach_error(); }", "unknown"),
    (
        "unreach-call",
        "int main() { int a[9], i = __VERIFIER_nondet_int(); if (i < 0 || i > 8) return 0; int *p = a + i; \
         check((uintptr_t)p >= (uintptr_t)a && (uintptr_t)p - (uintptr_t)a == 4ul * i); \
         check(!((uintptr_t)p > -4096ul)); check((int *)(uintptr_t)p == p); }",
        "true",
    ),
    ("unreach-call", "int main() { void *p = (void *)(uintptr_t)70000; check((int)(uintptr_t)p == 70000); }", "true"),
    // Overflows: in the library, and where compilers leave them out.
    ("no-overflow", "int main() { return abs(__VERIFIER_nondet_int()) > 3; }", "false(no-overflow)"),
    ("no-overflow", "int main() { return abs(__VERIFIER_nondet_int() / 2) > 3; }", "true"),
    ("no-overflow", "int main() { int x = __VERIFIER_nondet_int(); return x > 5 || x - 1 > 3; }", "false(no-overflow)"),
    // Runs that a harness has to prepare.
    ("unreach-call", "int main(int argc, char **argv) { check(argc < 3); }", "false(unreach-call)"),
    (
        "unreach-call",
        "void __VERIFIER_nondet_memory(void *, size_t); int main() { int a[2]; __VERIFIER_nondet_memory(a, 8); check(a[1] == 2); }",
        "false(unreach-call)",
    ),
    (
        "unreach-call",
        "int main() { int a[4000000]; a[5] = __VERIFIER_nondet_int(); check(a[5] != 3); }",
        "false(unreach-call)",
    ),
    // A loop that is entered beside its head, and only there at first.
    (
        "unreach-call",
        "int x, pc; void w() { if (pc == 0) goto E; else goto W; E: while (1) { if (x) { pc = 1; return; W:; } x = __VERIFIER_nondet_int() == 42; } }
         int main() { while (1) { w(); if (x == 1) reach_error(); } }",
        "false(unreach-call)",
    ),
    // Pointers to somewhat before an object are harmless, what they point to is not.
    ("memsafety", "int main() { char a[2]; char *p = a; --p; ++p; *p = 0; return 0; }", "true"),
    ("memsafety", "int main() { char a[2]; char *p = a; --p; *p = 0; return 0; }", "false(valid-deref)"),
    ("memsafety", "int main() { char a[10]; char *p = a + 10; while (p >= a) *--p = 0; return 0; }", "false(valid-deref)"),
    // More states than a lasso keeps.
    (
        "termination",
        "int main() { int i = 0, j; while (i < 100) { for (j = 0; j < i; j++); if (j == 50) i -= 2; i++; } return 0; }",
        "",
    ),
    // An error behind the use of a null pointer is none, but there may be another way to it.
    (
        "unreach-call",
        "struct s { int a, b; }; int main() { struct s *p = __VERIFIER_nondet_int() ? malloc(sizeof *p) : 0; \
         int n = 0; while (n < 3 && __VERIFIER_nondet_int()) n++; p->b = n; check(p->b != 2); }",
        "false(unreach-call)",
    ),
    // Assembler that stores where it does not say.
    (
        "unreach-call",
        "int g; int main() { __asm__ volatile(\"movl $5, g(%rip)\"); check(g != 5); }",
        "unknown",
    ),
    (
        "unreach-call",
        "int g; int main() { int *p = &g; __asm__ volatile(\"movl $5, (%0)\" :: \"r\"(p)); check(g != 5); }",
        "unknown",
    ),
    (
        "unreach-call",
        "int main() { int x = 0, y = 5; __asm__(\"\" : \"=r\"(x) : \"0\"(y)); check(x != 5); }",
        "false(unreach-call)",
    ),
    (
        "unreach-call",
        "int main() { int x = 1, y = 5; __asm__(\" \" : [a] \"=r\"(x), [b] \"=r\"(y) : \"[b]\"(x), \"[a]\"(y)); check(x == 5 && y == 1); }",
        "true",
    ),
    // What instructions compute is what they compute.
    ("unreach-call", "int main() { int x = 1; __asm__(\"shll $3, %0\" : \"+r\"(x)); check(x == 8); }", "unknown"),
    ("unreach-call", "int main() { int x = 1; __asm__(\"shll $3, %0\" : \"+r\"(x)); check(x != 8); }", "false(unreach-call)"),
    // Weak symbols are null where nothing defines them.
    (
        "unreach-call",
        "extern int maybe(void) __attribute__((weak)); int main() { if (maybe) return 0; reach_error(); }",
        "unknown",
    ),
    // Bits and counters in assembler.
    (
        "unreach-call",
        "int main() { unsigned long w = 0; int n = __VERIFIER_nondet_int() & 63; \
         __asm__ volatile(\"lock; bts %1,%0\" : \"+m\"(w) : \"Ir\"(n) : \"memory\"); check(w == 1ul << n); }",
        "true",
    ),
    (
        "unreach-call",
        "int main() { unsigned long w[2] = {0}; int n = __VERIFIER_nondet_int() & 127; \
         __asm__ volatile(\"bts %1,%0\" : \"+m\"(w[0]) : \"Ir\"(n) : \"memory\"); check(w[1] == 0 || n >= 64 && w[1] == 1ul << (n - 64)); }",
        "true",
    ),
    // An initialiser that reads its own variable.
    ("unreach-call", "int main() { int x = x; check(x != 3); }", "false(unreach-call)"),
    (
        "unreach-call",
        "int main() { for (int i = 0; i < 2; i++) { int x = x; check(i == 0 || x == 5); x = 5; } }",
        "false(unreach-call)",
    ),
    // Blocks that static memory points to, whatever its type; and blocks that it does not.
    ("valid-memtrack", "char b[8]; int main() { *(int **)b = malloc(4); return 0; }", "unknown"),
    ("valid-memtrack", "char b[8]; int main() { int *p = malloc(4); memcpy(b, &p, sizeof p); return 0; }", "unknown"),
    ("valid-memtrack", "char b[8]; void f(char *t) { *(int **)t = malloc(4); } int main() { f(b); return 0; }", "unknown"),
    ("valid-memtrack", "uintptr_t g; int main() { g = (uintptr_t)malloc(4); return 0; }", "true"),
    ("valid-memtrack", "uintptr_t g; int main() { g = (uintptr_t)malloc(4); g = 7; return 0; }", "false(valid-memtrack)"),
    (
        "valid-memtrack",
        "long g, a[4]; int main() { g = __VERIFIER_nondet_int(); a[1] = g; int *p = malloc(4); *p = 1; return 0; }",
        "false(valid-memtrack)",
    ),
    // Descriptors.
    ("memsafety", "int main() { char b[4]; read(0, b, 5); return 0; }", "false(valid-deref)"),
    ("memsafety", "int main() { char b[4]; write(1, b, 5); return 0; }", "false(valid-deref)"),
    ("memsafety", "int main() { char b[4]; write(1, b, read(0, b, 4) > 2 ? 3 : 1); return 0; }", "true"),
    ("unreach-call", "int main() { char b[4] = {0}; check(read(0, b, 3) <= 3 && b[3] == 0); }", "true"),
    ("unreach-call", "int main() { char b[4] = {0}; check(read(0, b, 3) < 2 || b[1] != 'x'); }", "false(unreach-call)"),
    ("unreach-call", "int send(int); int main() { check(send(3) != 4); }", "false(unreach-call)"),
    // A strategy that reads a variable before the program has assigned it.
    (
        "termination",
        "int main() { unsigned x = __VERIFIER_nondet_uint(); unsigned y = 0; while (x > y) y = !y; }",
        "false(termination)",
    ),
];

#[test]
fn small_programs_are_answered_right() {
    let scratch = Scratch::new("answers");
    for (property, program, expected) in ANSWERS {
        let (result, said) = verify(&scratch, &format!("{HEAD}{program}\n"), property, "5s");
        assert!(result.starts_with(expected), "{program}\n{said}");
        assert!(!result.contains("check failed"), "{program}\n{said}");
    }
}

/// With the usual layout of ILP32 the offsets of pointers end at a megabyte.
#[test]
fn large_objects_are_reached_by_narrow_pointers() {
    let scratch = Scratch::new("large");
    let text = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n\
        int main() { int n = 900; int a[n][n]; int i = __VERIFIER_nondet_int();\n\
        if (i < 0 || i > 899) return 0; a[i][i] = i; if (a[i][i] != i) reach_error(); }\n";
    let file = scratch.file("large.c", text);
    let file = file.to_str().expect("a path in UTF-8");
    let said = stdout(&foldback(["verify", file, "--data-model", "ilp32", "--time-limit", "30s"]));
    assert!(said.ends_with("RESULT: true\n"), "{said}");
}

/// What a loop may change but did not keeps its value when the loop is run by the interpreter.
#[test]
fn concrete_loops_keep_what_they_do_not_change() {
    let scratch = Scratch::new("concrete");
    let text = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n\
        int main() { int flag = 5, i = 0; while (i < 1000) { if (i * i == 5000) flag = 7; i++; }\n\
        int n = __VERIFIER_nondet_int(); if (n * flag == 15) reach_error(); }\n";
    let file = scratch.file("concrete.c", text);
    let file = file.to_str().expect("a path in UTF-8");
    let said = stdout(&foldback(["verify", file, "--engine", "se", "--time-limit", "30s"]));
    assert!(said.ends_with("RESULT: false(unreach-call)\n"), "{said}");
}
