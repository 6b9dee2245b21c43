//! Counterexamples of programs that start elsewhere than at `main`, and of harnesses as CBMC has them, as compiled programs.

use crate::common::{Scratch, foldback, stderr, stdout};

/// What is said of files; `STUB` in the flags is the path of stub.c, which is given by them.
fn verify(name: &str, files: &[(&str, &str)], flags: &[&str]) -> String {
    let scratch = Scratch::new(name);
    let mut words = vec!["verify".to_owned(), "--time-limit".into(), "30s".into()];
    for (file, text) in files {
        let path = scratch.file(file, text).to_str().expect("a plain path").to_owned();
        words.extend((*file != "stub.c").then_some(path));
    }
    let stub = scratch.path("stub.c").to_str().expect("a plain path").to_owned();
    words.extend(flags.iter().map(|flag| flag.replace("STUB", &stub)));
    let output = foldback(words);
    stdout(&output) + &stderr(&output)
}

fn is_confirmed(name: &str, files: &[(&str, &str)], flags: &[&str], result: &str) {
    let said = verify(name, files, flags);
    assert!(said.contains(&format!("RESULT: false({result})")), "{name}: {said}");
    assert!(said.contains("confirmed by the compiled program"), "{name}: {said}");
}

#[test]
fn arguments_are_given() {
    let program = "#include <assert.h>\n#include <stdbool.h>\nstruct node { short key; const struct node *next; double weight; };\n\
                   typedef struct { int low, high; } range;\n\
                   void f(int x, const struct node *node, range r, bool yes, unsigned char *byte) {\n\
                   if (node && node->next && byte && yes && x == 7 && r.low > r.high && node->next->key == 99 && *byte == 200)\n\
                     assert(node->weight != 2.5);\n}\n\
                   int main(void) { return 0; }\n";
    is_confirmed("entry-arguments", &[("program.c", program)], &["--entry", "f", "-p", "assert"], "assert");
    let program = "int f(int count, int *values) { if (!values) return 0; return *values + count; }\n";
    is_confirmed("entry-overflow", &[("program.c", program)], &["--entry", "f", "-p", "no-overflow"], "no-overflow");
    let program = "int f(int *values) { return values[0]; }\n";
    is_confirmed("entry-null", &[("program.c", program)], &["--entry", "f", "-p", "valid-deref"], "valid-deref");
}

#[test]
fn parameters_are_declared_as_they_are_written() {
    let program = "#include <assert.h>\ntypedef struct { int n; } item;\nstruct hidden;\nstruct pair { char low; int high; };\n\
                   void items(const item a[], item b[2][3]) { assert(!(a && a->n == 7 && b)); }\n\
                   void padded(struct pair p, int *q) { struct pair *r = &p; assert(!(r->low == 9 && q)); }\n\
                   void opaque(struct hidden *p, void *q) { assert(!(p && *(char *)p == 7 && p != q)); }\n";
    for entry in ["items", "padded", "opaque"] {
        let flags = ["--entry", entry, "-p", "assert"];
        is_confirmed("entry-declared", &[("program.c", program)], &flags, "assert");
    }
}

#[test]
fn variables_without_initialiser_are_inputs() {
    let program = "#include <stddef.h>\nstruct pair { int a; char b[3]; };\nvoid (*unused)(int, int);\n\
                   void harness(void) {\n  register int r;\n  int x, y[4], *p;\n  struct pair pair;\n  size_t n;\n  void (*f)(int, int);\n\
                   (void)f; (void)r; p = &x;\n  __CPROVER_assume(n < 4 && *p == 12 && pair.b[2] == 'z');\n\
                   __CPROVER_assert(y[n] + pair.a != 4711, \"sum\");\n}\n";
    is_confirmed("entry-locals", &[("program.c", program)], &["--entry", "harness", "-p", "assert"], "assert");
    let program = "#include <stdlib.h>\n#include <string.h>\nint first(const char *text, size_t size) { return text[size]; }\n\
                   void harness(void) {\n  size_t size;\n  __CPROVER_assume(size > 0 && size <= 16);\n  char *text = malloc(size);\n\
                   __CPROVER_assume(text != NULL);\n  if (text[0] == 'k') first(text, size);\n}\n";
    let flags = ["--entry", "harness", "-p", "valid-deref", "--malloc-may-fail"];
    is_confirmed("entry-heap", &[("program.c", program)], &flags, "valid-deref");
    let program = "#include <stdlib.h>\nvoid harness(void) {\n  int *a = malloc(sizeof(int)), *b = malloc(sizeof(int));\n\
                   if (a) __CPROVER_assert(b != NULL, \"both\");\n}\n";
    let flags = ["--entry", "harness", "-p", "assert", "--malloc-may-fail"];
    is_confirmed("entry-luck", &[("program.c", program)], &flags, "assert");
}

const LIBRARY: &str = "#include <stddef.h>\nstatic int limit = 10;\nstatic int helper(int x);\n\
                       static int helper(int x) { return x & 1; }\nstatic int twice(int x) { return 2 * x; }\n\
                       void log_line(const char *text) { (void)text; for (;;) { } }\n\
                       int use(const int *values, size_t count, int at) {\n  log_line(\"use\");\n\
                       if (!__CPROVER_r_ok(values, count * sizeof(int))) return -1;\n\
                       int index = helper(at) + twice(at);\n  return index <= limit ? values[index] : 0;\n}\n\
                       int main(void) { return use(0, 0, 0); }\n";

/// `static` names by the names that goto-cc gives them, bodies that are removed, stubs in their place.
#[test]
fn linking_is_as_we_do_it() {
    let harness = "#include <stddef.h>\nint use(const int *, size_t, int);\nextern int __CPROVER_file_local_library_c_limit;\n\
                   int __CPROVER_file_local_library_c_twice(int);\nint nondet_int(void);\nint log_calls;\n\
                   void log_line(const char *text) { log_calls++; }\n\
                   int __CPROVER_file_local_library_c_helper(int x) { int y; __CPROVER_assume(y >= 0 && y <= 1); return y; }\n\
                   void harness(void) {\n  int values[8], at = nondet_int();\n\
                   __CPROVER_assume(at >= 0 && at < 4 && __CPROVER_file_local_library_c_limit == 10);\n\
                   __CPROVER_file_local_library_c_limit = 9;\n\
                   if (__CPROVER_file_local_library_c_twice(at) == 6) use(values, 6, at + 1);\n}\n";
    let flags = [
        "--entry",
        "harness",
        "-p",
        "valid-deref",
        "--remove-body",
        "log_line",
        "--remove-body",
        "__CPROVER_file_local_library_c_helper",
        "--stub",
        "STUB",
    ];
    is_confirmed("entry-linking", &[("library.c", LIBRARY), ("stub.c", harness)], &flags, "valid-deref");
    // Without a stub its result is an input.
    let harness = "#include <stddef.h>\nint use(const int *, size_t, int);\n\
                   void harness(void) { int values[4]; use(values, 4, 1); }\n";
    let flags = ["--entry", "harness", "-p", "valid-deref", "--remove-body", "log_line", "--remove-body", "helper"];
    is_confirmed("entry-removed", &[("library.c", LIBRARY), ("harness.c", harness)], &flags, "valid-deref");
}

/// Clauses of contracts say nothing to a compiler.
#[test]
fn clauses_are_left_out() {
    let program = "int sum(int n) __CPROVER_requires(n >= 0) __CPROVER_ensures(__CPROVER_return_value >= n) {\n  int s = 0;\n\
                   for (int i = 0; i < n; i++) __CPROVER_assigns(i, s) __CPROVER_loop_invariant(i >= 0) __CPROVER_decreases(n - i) { s += i; }\n\
                   return s;\n}\n\
                   void harness(void) { int n; __CPROVER_assume(n >= 0 && n < 6); __CPROVER_assert(sum(n) != 6, \"six\"); }\n";
    is_confirmed("entry-clauses", &[("program.c", program)], &["--entry", "harness", "-p", "assert"], "assert");
}

/// `[static N]` promises so many elements, and no more.
#[test]
fn parameters_with_static_bounds_have_elements() {
    let program = "int all(int a[static 4]) { return a[0] == a[3]; }\n\
                   int rows(int a[const static 2][3]) { return a[1][2]; }\n\
                   struct s { int n; struct s *next; };\n\
                   int deep(struct s a[static 2]) { return a[1].next ? a[1].next->n : a[0].n; }\n\
                   int many(char a[static 1000], unsigned i) { return i < 1000 ? a[i] : 0; }\n\
                   int beyond(int a[static 4]) { return a[0] == 7 ? a[4] : 0; }\n\
                   int inner(int (*a[2])(int b[static 4])) { return a[0] != 0; }\n";
    for entry in ["all", "rows", "deep", "many"] {
        let said = verify("entry-static", &[("program.c", program)], &["--entry", entry, "-p", "valid-deref"]);
        assert!(said.ends_with("RESULT: true\n") || said.contains("RESULT: true\n"), "{entry}: {said}");
    }
    let flags = ["--entry", "beyond", "-p", "valid-deref"];
    is_confirmed("entry-static-beyond", &[("program.c", program)], &flags, "valid-deref");
    let flags = ["--entry", "inner", "-p", "valid-deref"];
    is_confirmed("entry-static-inner", &[("program.c", program)], &flags, "valid-deref");
    let equal = "#include <assert.h>\nvoid f(short a[static 3]) { assert(a[2] != 77); }\n";
    is_confirmed("entry-static-value", &[("program.c", equal)], &["--entry", "f", "-p", "assert"], "assert");
}

/// A call with null is undefined there: such an execution is given up.
#[test]
fn null_is_no_array() {
    let program = |argument: &str| {
        format!(
            "#include <assert.h>\nint __VERIFIER_nondet_int(void);\nstatic int f(int a[static 1]) {{ return 1; }}\n\
             int main(void) {{ int x = 3; int *p = __VERIFIER_nondet_int() ? &x : 0; assert(f({argument}) == 1); return 0; }}\n"
        )
    };
    let said = verify("static-null", &[("program.c", &program("p"))], &["-p", "assert"]);
    assert!(said.contains("RESULT: unknown(") && said.contains("[static 1]"), "{said}");
    let said = verify("static-there", &[("program.c", &program("&x"))], &["-p", "assert"]);
    assert!(said.contains("RESULT: true"), "{said}");
}
