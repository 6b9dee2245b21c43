//! Programs written for CBMC, ESBMC and KLEE, as they are: what the names mean, and that an unknown one is no silence.

use crate::common::{Scratch, foldback, stderr, stdout, verify};

/// Property, program, how the result begins.
const ANSWERS: &[(&str, &str, &str)] = &[
    // Assumptions and assertions.
    ("assert", "int main() { int x; __CPROVER_assume(x > 3 && x < 10); __CPROVER_assert(x > 3, \"more\"); }", "true"),
    (
        "assert",
        "int main() { int x; __CPROVER_assume(x > 3 && x < 10); __CPROVER_assert(x != 7, \"not\"); }",
        "false(assert)",
    ),
    ("assert", "int main() { long x; __CPROVER_assume(x & 0x100000000); __CPROVER_assert(x != 0, \"wide\"); }", "true"),
    ("assert", "int main() { __CPROVER_precondition(0, \"pre\"); }", "false(assert)"),
    ("assert", "int main() { int x; __ESBMC_assume(x == 5); __ESBMC_assert(x == 5, \"five\"); }", "true"),
    ("assert", "int main() { int x; __ESBMC_assume(x >= 5); __ESBMC_assert(x == 5, \"five\"); }", "false(assert)"),
    ("assert", "int main() { __CPROVER_cover(1); __CPROVER_atomic_begin(); __CPROVER_atomic_end(); }", "true"),
    // A failed assertion does not end the execution, KLEE's does.
    (
        "unreach-call",
        "void reach_error(); int main() { __CPROVER_assert(0, \"no\"); reach_error(); }",
        "false(unreach-call)",
    ),
    ("unreach-call", "void reach_error(); int main() { klee_assert(0); reach_error(); }", "true"),
    // Inputs of any type, declared or not; as wide as declared, not as named.
    (
        "assert",
        "_Bool nondet_bool(); int main() { int b = nondet_bool(); __CPROVER_assert(b == 0 || b == 1, \"b\"); }",
        "true",
    ),
    (
        "assert",
        "int nondet_bool(); int main() { int b = nondet_bool(); __CPROVER_assert(b == 0 || b == 1, \"b\"); }",
        "false",
    ),
    (
        "assert",
        "int main() { __ESBMC_assert(nondet_uchar() < 256, \"u\"); __ESBMC_assert(nondet_float() != 0.5f, \"f\"); }",
        "false",
    ),
    (
        "assert",
        "struct s { int a, b; }; struct s nondet_s(); int main() { struct s x = nondet_s(); __CPROVER_assert(x.a != 3 || x.b != 4, \"s\"); }",
        "false",
    ),
    // Memory.
    (
        "assert",
        "#include <stdlib.h>\nint main() { size_t n; __CPROVER_assume(n < 100); char *p = malloc(n); int x, *q = &x;\n\
         __CPROVER_assert(__CPROVER_r_ok(p, n) && !__CPROVER_r_ok(p, n + 1) && __CPROVER_w_ok(q) && !__CPROVER_rw_ok(q + 1), \"ok\");\n\
         __CPROVER_assert(__CPROVER_OBJECT_SIZE(p) == n && __CPROVER_OBJECT_SIZE(q) == 4, \"size\");\n\
         __CPROVER_assert(__CPROVER_POINTER_OFFSET((char *)q + 3) == 3 && __CPROVER_POINTER_OFFSET((char *)q - 1) == -1, \"offset\");\n\
         __CPROVER_assert(__CPROVER_same_object(q, (char *)q + 2) && !__CPROVER_same_object(p, q), \"same\");\n\
         __CPROVER_assert((__CPROVER_POINTER_OBJECT(p) == __CPROVER_POINTER_OBJECT(q)) == 0, \"object\");\n\
         __CPROVER_assert(__CPROVER_DYNAMIC_OBJECT(p) && !__CPROVER_DYNAMIC_OBJECT(q), \"dynamic\"); free(p);\n\
         __CPROVER_assert(!__CPROVER_LIVE_OBJECT(p) && !__CPROVER_r_ok(p, 1) && !__CPROVER_r_ok(0, 0), \"ended\"); }",
        "true",
    ),
    (
        "assert",
        "int main() { int a[3] = {1, 2, 3}; __CPROVER_havoc_slice(a + 1, 4); __CPROVER_assert(a[0] == 1 && a[2] == 3, \"others\"); }",
        "true",
    ),
    (
        "assert",
        "int main() { int a[3] = {1, 2, 3}; __CPROVER_havoc_slice(a + 1, 4); __CPROVER_assert(a[1] == 2, \"it\"); }",
        "false",
    ),
    (
        "assert",
        "int main() { int a[3] = {1, 2, 3}; __CPROVER_havoc_object(a + 1); __CPROVER_assert(a[0] != 7, \"it\"); }",
        "false",
    ),
    ("valid-deref", "int main() { int a[3]; __CPROVER_havoc_slice(a + 1, 12); }", "false(valid-deref)"),
    ("valid-deref", "int main() { int a[3]; __CPROVER_havoc_slice(a + 1, 8); }", "true"),
    ("assert", "int main() { char *p = __CPROVER_allocate(4, 1); __CPROVER_assert(p && !p[3], \"zero\"); }", "true"),
    ("assert", "int main() { char *p = __CPROVER_allocate(4, 0); __CPROVER_assert(!p[3], \"any\"); }", "false"),
    // Quantifiers: assumed, asserted, asked; with bounds of other types, and empty ranges.
    (
        "assert",
        "int a[10]; int main() { __CPROVER_havoc_object(a); __CPROVER_assume(__CPROVER_forall { int i; (0 <= i && i < 10) ==> a[i] == 0 });\n\
         __CPROVER_assert(__CPROVER_forall { unsigned i; i < 10 ==> a[i] >= 0 }, \"all\");\n\
         __CPROVER_assert(__CPROVER_exists { int i; i >= 0 && i < 10 && a[i] == 0 }, \"some\");\n\
         int b = __CPROVER_exists { unsigned long i; i <= 9u && a[i] != 0 }; __CPROVER_assert(!b, \"none\"); }",
        "true",
    ),
    (
        "assert",
        "int a[5]; int main() { int n; __CPROVER_assume(n <= 5); for (int i = 0; i < n; i++) a[i] = i;\n\
         __CPROVER_assert(__CPROVER_forall { int i; (0 <= i && i < n) ==> a[i] < 4 }, \"all\"); }",
        "false(assert)",
    ),
    (
        "assert",
        "int main() { int x; __CPROVER_assume(__CPROVER_exists { int i; x == 2 * i }); __CPROVER_assert(x % 2 == 0, \"even\"); }",
        "true",
    ),
    ("assert", "int main() { __CPROVER_assert(__CPROVER_forall { int i; i + 1 > i }, \"wraps\"); }", "false(assert)"),
    (
        "assert",
        "int main() { __CPROVER_assert(__CPROVER_forall { signed char c; c <= 127 } == 1, \"small\"); }",
        "true",
    ),
    ("assert", "int main() { __CPROVER_assert(!__CPROVER_exists { signed char c; c == 127 }, \"last\"); }", "false"),
    (
        "assert",
        "int main() { int n; __CPROVER_assume(__CPROVER_forall { int i; n != i }); __CPROVER_assert(0, \"x\"); }",
        "unknown(unsupported",
    ),
    (
        "assert",
        "int main() { unsigned long n; __CPROVER_assume(n < 3); __CPROVER_assert((__CPROVER_forall { int i; (0 <= i && i < n) ==> i < 2 }) == 1, \"n\"); }",
        "true",
    ),
    (
        "assert",
        "int main() { int a, b, c; __CPROVER_assert((a ==> b ==> c) == (!a || (!b || c)), \"right\"); }",
        "true",
    ),
    ("assert", "int main() { int a, b; __CPROVER_assert((a ==> b) == (b ==> a), \"not symmetric\"); }", "false"),
    // Functions of which nothing is known.
    (
        "assert",
        "int __CPROVER_uninterpreted_f(int, char *); int main() { int x, y; char c, d; \
         __CPROVER_assert(__CPROVER_uninterpreted_f(x, &c) == __CPROVER_uninterpreted_f(y, &c) || x != y, \"function\"); }",
        "true",
    ),
    (
        "assert",
        "int __CPROVER_uninterpreted_f(int); int main() { int x, y; __CPROVER_assert(__CPROVER_uninterpreted_f(x) == __CPROVER_uninterpreted_f(y), \"any\"); }",
        "false(assert)",
    ),
    // Types, floats, overflows.
    (
        "assert",
        "int main() { unsigned __CPROVER_bitvector[8] a = 255; __CPROVER_bitvector[16] b = -1; a++; __CPROVER_bool t = 7; __CPROVER_size_t n = -1;\n\
         __CPROVER_assert(a == 0 && b < 0 && t == 1 && n > 0 && sizeof n == sizeof(void *), \"types\"); }",
        "true",
    ),
    (
        "assert",
        "int main() { double d = __CPROVER_inf(); float z = 0; __CPROVER_assert(__CPROVER_isinfd(d) && !__CPROVER_isfinited(d) && \
         __CPROVER_isnanf(z / z) && __CPROVER_signd(-d) && __CPROVER_isnormald(1.0), \"floats\"); }",
        "true",
    ),
    (
        "assert",
        "int main() { int m = 2147483647; unsigned u = -1; __CPROVER_assert(__CPROVER_overflow_plus(m, 1) && !__CPROVER_overflow_minus(m, 1) && \
         __CPROVER_overflow_mult(u, 2u) && __CPROVER_overflow_unary_minus(-m - 1) && __CPROVER_equal(m, m), \"overflow\"); }",
        "true",
    ),
    // What is not modelled is no silence.
    ("assert", "int main() { int a[2], b[2]; __CPROVER_array_copy(a, b); }", "unknown(unsupported"),
    ("assert", "int x; int main() { __CPROVER_ASYNC_1: x = 1; __CPROVER_assert(x, \"x\"); }", "unknown(unsupported"),
    ("assert", "int main() { __CPROVER_HIDE: ; __ESBMC_HIDE: ; }", "true"),
    // KLEE.
    (
        "assert",
        "#include <klee/klee.h>\nint main() { int x, a[4]; klee_make_symbolic(&x, sizeof x, \"x\"); klee_make_symbolic(a, sizeof a, \"a\"); \
         klee_assume(x > 3); int r = klee_range(2, 5, \"r\"); klee_assert(x > 3 && r >= 2 && r < 5); if (a[2] == 7) klee_silent_exit(0); klee_assert(a[2] != 7); }",
        "true",
    ),
    (
        "assert",
        "int main() { static int a[3]; klee_make_symbolic(a, sizeof a, \"a\"); klee_assert(a[2] == 0); }",
        "false(assert)",
    ),
    (
        "assert",
        "int main() { if (klee_int(\"i\") == 77) klee_report_error(\"f\", 1, \"seen\", \"k\"); }",
        "false(assert)",
    ),
    // The program's own definitions are the program's.
    (
        "assert",
        "void __CPROVER_assume(int c) { } int main() { __CPROVER_assume(0); __CPROVER_assert(0, \"here\"); }",
        "false(assert)",
    ),
    ("assert", "int klee_frobnicate(int x) { return x; } int main() { klee_assert(klee_frobnicate(1)); }", "true"),
];

#[test]
fn what_the_names_mean() {
    let scratch = Scratch::new("dialects");
    let mut wrong = Vec::new();
    for (property, program, expected) in ANSWERS {
        let (result, all) = verify(&scratch, program, property, "20s");
        if !result.starts_with(expected) {
            wrong.push(format!("{property}: {program}\n  expected {expected}\n{all}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn unknown_names_are_errors_that_name_them() {
    let scratch = Scratch::new("unknown-names");
    for (program, name, tool) in [
        ("int main() { __CPROVER_frobnicate(1); }", "__CPROVER_frobnicate", "CBMC"),
        ("void __ESBMC_frobnicate(int); int main() { __ESBMC_frobnicate(1); }", "__ESBMC_frobnicate", "ESBMC"),
        ("int main() { return klee_frobnicate(); }", "klee_frobnicate", "KLEE"),
        (
            "extern int __CPROVER_rounding_mode; int main() { __CPROVER_rounding_mode = 1; }",
            "__CPROVER_rounding_mode",
            "CBMC",
        ),
        ("int main() { return __CPROVER_malloc_failure_mode; }", "__CPROVER_malloc_failure_mode", ""),
        ("int main() { __CPROVER_bitvector[13] x; }", "__CPROVER_bitvector of 13 bits", ""),
    ] {
        let file = scratch.file("program.c", program);
        let output = foldback([std::ffi::OsStr::new("verify"), file.as_os_str()]);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{program}: {said}");
        assert!(said.contains(name) && said.contains(tool) && said.contains("program.c:1:"), "{program}: {said}");
    }
}

#[test]
fn counterexamples_are_confirmed_by_the_compiled_program() {
    let scratch = Scratch::new("dialects-native");
    let program = "int nondet_int(); unsigned char nondet_byte();\n\
        int main(void) { int x = nondet_int(); __CPROVER_size_t n = 2; __CPROVER_assume(x > 3 && x < 10); unsigned char b = nondet_byte();\n\
        __CPROVER_assert(x != 7 || b != 200, \"not both\"); return n; }";
    let (result, all) = verify(&scratch, program, "assert", "20s");
    assert_eq!(result, "false(assert)", "{all}");
    assert!(!all.contains("not confirmed"), "{all}");
}

#[test]
fn statics_of_other_files_by_the_names_of_goto_cc() {
    let scratch = Scratch::new("file-local");
    let library = scratch.file(
        "my-lib.c",
        "static int limit = 7; static int twice(int x) { return 2 * x; } int use(int x) { return twice(x) + limit; }",
    );
    let harness = scratch.file(
        "harness.c",
        "int __CPROVER_file_local_my_lib_c_twice(int); extern int __CPROVER_file_local_my_lib_c_limit; int use(int);\n\
         int main() { __CPROVER_assert(__CPROVER_file_local_my_lib_c_twice(4) == 8, \"twice\"); __CPROVER_file_local_my_lib_c_limit = 1;\n\
         __CPROVER_assert(use(1) == 3, \"use\"); }",
    );
    let (library, harness) = (library.to_str().expect("UTF-8"), harness.to_str().expect("UTF-8"));
    for files in [[library, harness], [harness, library]] {
        let output = foldback(["verify", files[0], files[1], "-p", "assert", "--time-limit", "20s"]);
        assert!(stdout(&output).ends_with("RESULT: true\n"), "{}{}", stdout(&output), stderr(&output));
    }
}

#[test]
fn stubs_take_the_place_of_bodies_that_are_removed() {
    let scratch = Scratch::new("remove-body");
    let library = scratch.file(
        "lib.c",
        "static int secret(void) { return 1; } int open(void) { return 2; } int sum(void) { return secret() + open(); }",
    );
    let harness = scratch.file("harness.c", "int sum(void); int main() { __CPROVER_assert(sum() == 3, \"sum\"); }");
    let stub = scratch
        .file("stub.c", "int __CPROVER_file_local_lib_c_secret(void) { return 10; } int open(void) { return 20; }");
    let [library, harness, stub] = [&library, &harness, &stub].map(|path| path.to_str().expect("UTF-8").to_owned());
    let verify = |more: &[&str]| {
        let mut words = vec!["verify", &library, &harness, "-p", "assert", "--time-limit", "20s"];
        words.extend(more);
        let output = foldback(words);
        (stdout(&output) + &stderr(&output), output.status.code())
    };
    let (said, _) = verify(&[]);
    assert!(said.ends_with("RESULT: true\n"), "{said}");
    // Two definitions: both places are named.
    let (said, code) = verify(&[&stub]);
    assert_eq!(code, Some(2), "{said}");
    assert!(
        said.contains("redefinition of 'open'") && said.contains("stub.c:1:") && said.contains("lib.c:1:"),
        "{said}"
    );
    // Without a body it returns anything.
    let (said, _) = verify(&["--remove-body", "open"]);
    assert!(said.contains("RESULT: false(assert)"), "{said}");
    let (said, _) =
        verify(&["--remove-body", "open", "--remove-body", "__CPROVER_file_local_lib_c_secret", "--stub", &stub]);
    assert!(said.contains("RESULT: false(assert)"), "{said}");
    std::fs::write(&harness, "int sum(void); int main() { __CPROVER_assert(sum() == 30, \"sum\"); }").expect("a file");
    let (said, _) = verify(&["--only-body", "sum", "--only-body", "main", "--stub", &stub]);
    assert!(said.ends_with("RESULT: true\n"), "{said}");
    let (said, _) = verify(&["--remove-body", "opne"]);
    assert!(said.contains("'opne'"), "{said}");
}

#[test]
fn files_as_other_verifiers_take_them() {
    let scratch = Scratch::new("lenient");
    let empty = scratch.file("empty.c", "");
    let comment = scratch.file("comment.c", "/* nothing */\n");
    let program = scratch.file(
        "program.c",
        "int f(void); int g(void) { return f(); } static int f(void) { return 4; } int main() { __CPROVER_assert(g() == 4, \"f\"); }",
    );
    let words = [&empty, &comment, &program].map(|path| path.to_str().expect("UTF-8").to_owned());
    let output = foldback(["verify", &words[0], &words[1], &words[2], "-p", "assert", "--time-limit", "20s"]);
    let said = stdout(&output) + &stderr(&output);
    assert!(said.contains("RESULT: true") && said.contains("taken as not static"), "{said}");
    let output = foldback(["verify", &words[0], &words[1]]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("is empty"), "{}", stderr(&output));
}
