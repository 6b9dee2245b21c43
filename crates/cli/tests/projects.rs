//! Projects as they are: the one among the examples, and what projects' files ask of the front end and of the model.

use crate::common::{Scratch, foldback, root, stderr, stdout};

fn said(output: &std::process::Output) -> String {
    stdout(output) + &stderr(output)
}

#[test]
fn the_example_is_proved() {
    let scratch = Scratch::new("projects-example");
    let file = root().join("examples/projects/ring/foldback.toml");
    let pages = scratch.path("pages");
    let (file, folder) = (file.to_str().expect("UTF-8"), pages.to_str().expect("UTF-8"));
    let output = foldback(["check", "--file", file, "--jobs", "2", "--no-store", "--html", folder]);
    let said = said(&output);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.ends_with("6 of 6 proofs as expected\n"), "{said}");
    let index = std::fs::read_to_string(pages.join("index.html")).expect("an index");
    assert!(index.contains("<a href=\"ring--mistake.html\">ring/mistake</a>"), "{index}");
    let page = std::fs::read_to_string(pages.join("ring--mistake.html")).expect("a page");
    assert!(page.contains("false(valid-deref)"), "{page}");
}

/// The answer on a program that starts at `harness`, and all that was said.
fn answer(scratch: &Scratch, text: &str, flags: &[&str]) -> (String, String) {
    let file = scratch.file("harness.c", text);
    let words = ["verify", "--entry", "harness", "--time-limit", "30s", file.to_str().expect("UTF-8")];
    let output = foldback(words.iter().chain(flags));
    let said = said(&output);
    let result = said.lines().find_map(|line| line.strip_prefix("RESULT: ")).unwrap_or_default().to_owned();
    (result, said)
}

/// goto-cc lets it pass, and so must we: proofs of real projects have it.
#[test]
fn declarations_may_differ_in_qualifiers_of_what_is_pointed_to() {
    let scratch = Scratch::new("projects-qualifiers");
    let text = "unsigned long __CPROVER_uninterpreted_hash(void *);\n\
                unsigned long __CPROVER_uninterpreted_hash(const void *const a);\n\
                void harness(void) { int x; const void *p = &x;\n\
                __CPROVER_assert(__CPROVER_uninterpreted_hash(p) == __CPROVER_uninterpreted_hash(&x), \"same\"); }";
    let (result, said) = answer(&scratch, text, &["--property", "assert"]);
    assert_eq!(result, "true", "{said}");
    assert!(said.contains("harness.c:2:15: note: '__CPROVER_uninterpreted_hash' was declared before"), "{said}");
    let others = [
        "int f(char *); int f(int *);",
        "char *f(void); const char *f(void);",
        "int f(char **); int f(const char **);",
    ];
    for other in others {
        let (result, said) = answer(&scratch, &format!("{other} void harness(void) {{ }}"), &[]);
        assert!(result.is_empty() && said.contains("conflicting types for 'f'"), "{other}: {said}");
    }
}

/// Objects of any size beside pointers that move by any distance: what is too large is not there, the rest is proved.
#[test]
fn objects_of_any_size() {
    let scratch = Scratch::new("projects-sizes");
    let text = "#include <stdlib.h>\n\
        void harness(void) {\n\
          size_t n, i, k; char *p = malloc(n);\n\
          if (!p || i >= n) return;\n\
          char *q = p + k;\n\
          p[i] = 1;\n\
          char *s = p + i;\n\
          __CPROVER_assert(*s == 1, \"stored\");\n\
          __CPROVER_assert(n <= LIMIT, \"small enough\");\n\
        }";
    // Executions where k is large go where pointers cannot follow: no proof, and that is said.
    let (result, said) = answer(&scratch, text, &["--property", "valid-deref", "-DLIMIT=n"]);
    assert!(result.starts_with("unknown(bound hit: a pointer further from its object than offsets reach"), "{said}");
    let moved = text.replace("char *q = p + k;", "if (k > n) return; char *q = p + k;");
    let (result, said) = answer(&scratch, &moved, &["--property", "assert", "--property", "valid-deref", "-DLIMIT=n"]);
    assert_eq!(result, "true", "{said}");
    // More than 4 GB can be had (though nobody runs such an execution); 2^47 bytes can not.
    let (result, said) = answer(&scratch, &moved, &["--property", "assert", "-DLIMIT=0x100000000"]);
    assert_ne!(result, "true", "{said}");
    let (result, said) = answer(&scratch, &moved, &["--property", "assert", "-DLIMIT=0x1000000000000"]);
    assert_eq!(result, "true", "{said}");
}

/// As goto-cc links: the first definition counts, and stubs come first.
#[test]
fn stubs_count_instead_of_other_definitions() {
    let scratch = Scratch::new("projects-stubs");
    let stub = scratch.file("stub.c", "int f(void) { return 1; }\n");
    let second = scratch.file("second.c", "int f(void) { return 2; }\n");
    let (stub, second) = (stub.to_str().expect("UTF-8"), second.to_str().expect("UTF-8"));
    let text = "int f(void); void harness(void) { __CPROVER_assert(f() == 1, \"the first stub\"); }";
    for flags in [["--stub", stub, second], ["--stub", stub, "--stub=second"]] {
        let flags =
            flags.map(|flag| if flag == "--stub=second" { format!("--stub={second}") } else { flag.to_owned() });
        let flags: Vec<&str> = ["--property", "assert"].into_iter().chain(flags.iter().map(String::as_str)).collect();
        let (result, said) = answer(&scratch, text, &flags);
        assert_eq!(result, "true", "{flags:?}: {said}");
        assert!(said.contains("'f' is defined by a stub"), "{said}");
    }
    let (result, said) = answer(&scratch, text, &["--property", "assert", second, stub]);
    assert!(result.is_empty() && said.contains("redefinition of 'f'"), "{said}");
}

#[test]
fn structs_are_compared_by_members() {
    let scratch = Scratch::new("projects-structs");
    let text = |members: &str| {
        format!(
            "struct s {{ {members} }}; void harness(void) {{ struct s a, b; const struct s *p = &b; b.x = a.x; b.y = a.y;\n\
             __CPROVER_assert(a == *p, \"equal\"); b.y++; __CPROVER_assert(a != b, \"one member differs\"); }}"
        )
    };
    let (result, said) = answer(
        &scratch,
        &text("int *x; const long y0; long y;").replace("b.x = a.x", "b = a"),
        &["--property", "assert"],
    );
    assert_eq!(result, "true", "{said}");
    assert!(said.contains("a read-only member is assigned"), "{said}");
    let (result, said) = answer(&scratch, &text("int *x; long y;"), &["--property", "assert"]);
    assert_eq!(result, "true", "{said}");
    // What padding holds is not settled.
    let (result, said) = answer(&scratch, &text("char x; long y;"), &["--property", "assert"]);
    assert!(result.starts_with("unknown(unsupported: a comparison of structs"), "{said}");
}

/// A quantifier over a few values asks for each by itself.
#[test]
fn quantifiers_over_few_values() {
    let scratch = Scratch::new("projects-bytes");
    let text = "struct pair { int a, b; };\n\
        #define IS_ZEROED(o) __CPROVER_forall { int i; (i >= 0 && i < sizeof(o)) ==> ((const unsigned char *)&o)[i] == 0 }\n\
        void harness(void) { struct pair p;\n\
          if (IS_ZEROED(p)) __CPROVER_assert(p.a == 0 && p.b == 0, \"nothing\");\n\
          else __CPROVER_assert(p.a != 0 || p.b CONDITION, \"something\"); }";
    for (condition, expected) in [("!= 0", "true"), ("> 0", "false(assert)")] {
        let flags = ["--property", "assert", "--property", "valid-deref"];
        let (result, said) = answer(&scratch, &text.replace("CONDITION", condition), &flags);
        assert_eq!(result, expected, "{said}");
    }
}

/// Answers are read back where the program means the same, and found anew where it does not.
#[test]
fn answers_are_stored_by_content() {
    let scratch = Scratch::new("projects-store");
    let code = |limit: u32, first: &str| {
        format!("{first}int twice(int x) {{ return x + x; }}\nint id(int x) {{ return x < {limit} ? x : 0; }}\n")
    };
    scratch.file("code.c", code(9, ""));
    scratch.file(
        "twice.c",
        "int twice(int); void h(int x) { if (x > 0 && x < 9) __CPROVER_assert(twice(x) < 18, \"t\"); }\n",
    );
    scratch.file("id.c", "int id(int); void h(int x) { __CPROVER_assert(id(x) < 9, \"small\"); }\n");
    let proof = |name: &str| {
        format!(
            "[[proof]]\nname = \"{name}\"\nentry = \"h\"\nsources = [\"code.c\", \"{name}.c\"]\nproperties = [\"assert\"]\n"
        )
    };
    let file = scratch.file("foldback.toml", proof("twice") + &proof("id"));
    let file = file.to_str().expect("UTF-8");
    let junit = scratch.path("all.xml");
    // How many of the answers were stored before.
    let check = |flags: &[&str], expected: i32| {
        let words = ["check", "--file", file, "--time-limit", "30s", "--junit", junit.to_str().expect("UTF-8")];
        let output = foldback(words.iter().chain(flags));
        assert_eq!(output.status.code(), Some(expected), "{}", said(&output));
        said(&output).matches("(stored)").count()
    };
    assert_eq!(check(&[], 0), 0);
    assert_eq!(check(&[], 0), 2);
    assert_eq!(check(&["--no-store"], 0), 0);
    // A line more changes no meaning.
    scratch.file("code.c", code(9, "\n\n"));
    assert_eq!(check(&[], 0), 2);
    // An edit in one function: the proof of the other is as it was.
    scratch.file("code.c", code(8, ""));
    assert_eq!(check(&[], 0), 1);
    // A mistake is found, and found again.
    scratch.file("code.c", code(10, ""));
    assert_eq!(check(&[], 1), 1);
    assert_eq!(check(&[], 1), 2);
    let folder = scratch.path(".foldback/store");
    let folder = folder.to_str().expect("UTF-8");
    let output = foldback(["store", folder]);
    assert!(stdout(&output).contains(": 4 answers, "), "{}", said(&output));
    let output = foldback(["store", folder, "--clear"]);
    assert!(stdout(&output).contains(": 4 answers removed"), "{}", said(&output));
    assert_eq!(check(&[], 1), 0);
}

/// What is printed to standard error costs what `printf` costs, and its strings are checked.
#[test]
fn messages_to_standard_error() {
    let scratch = Scratch::new("projects-messages");
    let text = "#include <stdio.h>\n#include <stdlib.h>\n\
        void harness(void) { char *text = malloc(3); if (!text) { fprintf(stderr, \"%s, line %d\", \"no memory\", __LINE__); exit(1); }\n\
        text[0] = 'a'; text[1] = 'b'; text[2] = LAST; fprintf(stderr, \"%s\\n\", text); free(text); }";
    let flags = ["--property", "valid-deref", "--malloc-may-fail"];
    let (result, said) = answer(&scratch, text, &[&flags[..], &["-DLAST=0"]].concat());
    assert_eq!(result, "true", "{said}");
    let (result, said) = answer(&scratch, text, &[&flags[..], &["-DLAST=1"]].concat());
    assert_eq!(result, "false(valid-deref)", "{said}");
    // A stream that the program sets is looked at.
    let other = text.replace("char *text", "stderr = 0; char *text");
    let (result, said) = answer(&scratch, &other, &[&flags[..], &["-DLAST=0"]].concat());
    assert_eq!(result, "false(valid-deref)", "{said}");
}

/// Whether an object is all zeros is asked of its members: pointers among them are null or not, wherever objects lie.
#[test]
fn objects_with_pointers_are_zeroed_or_not() {
    let scratch = Scratch::new("projects-zeroed");
    let text = "#include <stdlib.h>\n#include <string.h>\n\
        #define IS_ZEROED(o) __CPROVER_forall { int i; (i >= 0 && i < sizeof(o)) ==> ((const unsigned char *)&o)[i] == 0 }\n\
        struct list { void *owner; size_t size; char tag; int *data; };\n\
        void harness(void) { struct list l; memset(&l, 0, sizeof l);\n\
          __CPROVER_assert(IS_ZEROED(l), \"cleared\");\n\
          l.data = malloc(8); __CPROVER_assume(l.data != 0);\n\
          WRITES\n\
          __CPROVER_assert((IS_ZEROED(l)) == EXPECTED, \"not any more\"); }";
    let cases = [
        ("", "0", "true"),
        ("", "1", "false(assert)"),
        ("free(l.data); l.data = 0;", "1", "true"),
        ("free(l.data); l.data = 0; ((char *)&l)[20] = 1;", "0", "true"),
        ("free(l.data); l.data = 0; l.tag = 1;", "1", "false(assert)"),
    ];
    for (writes, expected, result) in cases {
        let program = text.replace("WRITES", writes).replace("EXPECTED", expected);
        let (found, said) = answer(&scratch, &program, &["--property", "assert", "--property", "valid-deref"]);
        assert_eq!(found, result, "{program}\n{said}");
    }
}

/// A length that is the distance of two pointers is a number, also where one of them may be null in other executions.
#[test]
fn lengths_from_pointers_are_numbers() {
    let scratch = Scratch::new("projects-lengths");
    let text = "#include <stdlib.h>\n_Bool nondet_bool(void);\n\
        struct response { char *buffer; size_t size; char *head; size_t length; };\n\
        void harness(void) { struct response *r = malloc(sizeof *r); if (!r) return;\n\
          r->buffer = malloc(10); if (!r->buffer) return;\n\
          r->size = 10; r->head = nondet_bool() ? NULL : r->buffer; r->length = 0;\n\
          if (r->head != NULL) { r->length = (size_t)(r->buffer + END - r->head); r->head[0] = 1; }\n\
          __CPROVER_assert(r->length < r->size, \"inside\"); }";
    for (end, result) in [("3", "true"), ("10", "false(assert)")] {
        let (found, said) = answer(&scratch, &text.replace("END", end), &["--property", "assert"]);
        assert_eq!(found, result, "{said}");
    }
}

/// A mask of all bits or of none keeps a pointer or takes it away; what others leave of it depends on where objects lie.
#[test]
fn pointers_under_a_mask() {
    let scratch = Scratch::new("projects-masks");
    let text = "#include <stddef.h>\n#include <stdint.h>\n_Bool nondet_bool(void); uintptr_t nondet_mask(void);\n\
        void harness(void) { char a[4] = {1, 2, 3, 4}; char *p = a + 1;\n\
          uintptr_t mask = MASK;\n\
          char *q = (char *)((uintptr_t)p & mask);\n\
          __CPROVER_assert(q == NULL || *q == 2, \"the pointer or nothing\"); }";
    let cases = [
        ("nondet_bool() ? UINTPTR_MAX : 0", "true"),
        ("(uintptr_t)0 - nondet_bool()", "true"),
        ("nondet_mask()", "unknown(unsupported: arithmetic on the bits of an address"),
    ];
    for (mask, result) in cases {
        let flags = ["--property", "assert", "--property", "valid-deref"];
        let (found, said) = answer(&scratch, &text.replace("MASK", mask), &flags);
        assert!(found.starts_with(result), "{mask}: {said}");
    }
}

/// A header's functions and variables, `static` taken away by a macro, are defined once for all files that include it.
#[test]
fn definitions_in_headers_count_once() {
    let scratch = Scratch::new("projects-headers");
    std::fs::create_dir(scratch.path("inner")).expect("a folder");
    scratch.file("inner/common.h", "static int twice(int x) { return 2 * x; }\nstatic const int three = 3;\n");
    let first = scratch.file("first.c", "#include \"inner/common.h\"\nint first(void) { return twice(three); }\n");
    let second = scratch
        .file("inner/second.c", "#include \"../inner/common.h\"\nint second(void) { return twice(three) + 1; }\n");
    let (first, second) = (first.to_str().expect("UTF-8"), second.to_str().expect("UTF-8"));
    let text =
        "int first(void), second(void); void harness(void) { __CPROVER_assert(first() + 1 == second(), \"same\"); }";
    let flags = ["--property", "assert", "-Dstatic=", first, second];
    let (result, said) = answer(&scratch, text, &flags);
    assert_eq!(result, "true", "{said}");
    assert!(said.contains("'twice' is defined here for several files"), "{said}");
    let twice = scratch.file("twice.c", "#include \"inner/common.h\"\n#include \"inner/common.h\"\n");
    let (result, said) = answer(&scratch, text, &[&flags[..], &[twice.to_str().expect("UTF-8")]].concat());
    assert!(result.is_empty() && said.contains("redefinition of 'twice'"), "{said}");
}

/// What a function leaves in a register is not what a file that declares it otherwise reads there.
#[test]
fn functions_of_another_type_in_another_file() {
    let scratch = Scratch::new("projects-types");
    for (text, other, expected) in [
        (
            "long f(); void harness(void) { __CPROVER_assert(f(1) == -1, \"\"); }",
            "int f(int a) { return -a; }",
            "unknown",
        ),
        ("int f(); void harness(void) { __CPROVER_assert(f(1) == -1, \"\"); }", "int f(int a) { return -a; }", "true"),
        (
            "double f(int); void harness(void) { __CPROVER_assert(f(1) == 1, \"\"); }",
            "int f(int a) { return a; }",
            "unknown",
        ),
        (
            "void f(float); void harness(void) { f(1.5f); }",
            "void f(x) float x; { __CPROVER_assert(x != 1.5f, \"\"); }",
            "unknown",
        ),
    ] {
        let other = scratch.file("other.c", other);
        let (result, said) = answer(&scratch, text, &["--property", "assert", other.to_str().expect("UTF-8")]);
        assert!(result.starts_with(expected), "{text}: {said}");
    }
    let other = scratch.file("other.c", "const int x = 3;");
    for text in ["x = 5;", "int *p = &x; *p = 5;"] {
        let text = format!("extern int x; void harness(void) {{ {text} }}");
        let (result, said) = answer(&scratch, &text, &["--property", "memsafety", other.to_str().expect("UTF-8")]);
        assert!(result.starts_with("false"), "{text}: {said}");
    }
}

/// What is shown of memory that was filled is true of the program's memory, not of what lies under the fill.
#[test]
fn what_is_said_of_filled_memory() {
    let scratch = Scratch::new("projects-said");
    let text = "#include <string.h>\nsize_t nondet_size(void);\n\
        void harness(void) { size_t n = nondet_size(), k = (unsigned)nondet_size(), m = nondet_size(), i = 0;\n\
          struct s { int x; int y; } a[200]; __CPROVER_assume(n <= 200 && k < 200);\n\
          a[k].x = 9; a[k].y = 9; a[6].x = 5; memset(a, 0, n * 8);\n\
          while (i < m) i = i + 1;\n\
          __CPROVER_assert(a[6].x == 0 || a[6].x == 5, \"\");\n\
          __CPROVER_assert(a[k].x == 0 || a[k].x == 9 || a[k].x == 5, \"\");\n\
          __CPROVER_assert(a[k].y == 9 || a[k].y == 0, \"\"); }";
    let (result, said) = answer(&scratch, text, &["--property", "assert", "--engine", "kind"]);
    assert_eq!(result, "true", "{said}");
    assert!(!said.contains("a[6].x == 5"), "{said}");
}

/// Of `memcpy` with any length: what was copied is there, and the rest is as it was.
#[test]
fn copies_of_any_length() {
    let scratch = Scratch::new("projects-copies");
    let text = "#include <stdlib.h>\n#include <string.h>\nsize_t nondet_size(void);\n\
        void harness(void) { size_t n = nondet_size(), at = nondet_size(), m = nondet_size();\n\
          __CPROVER_assume(n < 100000 && at <= n && m <= n - at);\n\
          char *a = malloc(m), *b = malloc(n); if (!a || !b) return;\n\
          size_t i = nondet_size(), k = nondet_size();\n\
          __CPROVER_assume(i < m && k < n && (k < at || k >= at + m LESS));\n\
          char before = b[k]; memcpy(b + at, a, m);\n\
          __CPROVER_assert(b[at + i] == a[i], \"copied\"); __CPROVER_assert(b[k] == before, \"not copied\"); }";
    // The engine that proves it; bugs are found by others.
    for (less, engine, result) in [("", "houdini", "true"), ("- 1", "portfolio", "false(assert)")] {
        let flags = ["--property", "assert", "--engine", engine];
        let (found, said) = answer(&scratch, &text.replace("LESS", less), &flags);
        assert_eq!(found, result, "{said}");
    }
}
