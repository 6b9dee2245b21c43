//! Programs whose files, casts or standards see one thing in two ways.

use crate::common::{Scratch, check_contract, foldback, stderr, stdout, verify_with};

/// The result of two files, and all that is said.
fn of_two(name: &str, first: &str, second: &str) -> (String, String) {
    let scratch = Scratch::new(name);
    let (a, b) = (scratch.file("a.c", first), scratch.file("b.c", second));
    let output = foldback([
        "verify",
        a.to_str().expect("UTF-8"),
        b.to_str().expect("UTF-8"),
        "--property",
        "assert",
        "--time-limit",
        "20s",
    ]);
    let said = stdout(&output) + &stderr(&output);
    let result = said.lines().find_map(|line| line.strip_prefix("RESULT: ")).unwrap_or_default().to_owned();
    (result, said)
}

/// A struct is passed by its size and by the kinds of its members: another one is elsewhere.
#[test]
fn structs_of_other_shapes() {
    const HEAD: &str = "#include <assert.h>\n";
    let pairs = [
        (
            "struct S { int a; char b; }; struct S mk(void); int main(void) { struct S s = mk(); assert(s.a == 1); }",
            "struct S { int a; char b, c[40]; }; struct S mk(void) { struct S s = {.a = 1}; return s; }",
            "unknown(unsupported",
        ),
        (
            "struct S { long a; }; int take(struct S); int main(void) { struct S s = {0}; assert(take(s) == 1); }",
            "struct S { double a; }; int take(struct S s) { return s.a == 0; }",
            "unknown(unsupported",
        ),
        (
            "int mk(void); int main(void) { mk(); assert(1); }",
            "struct S { int a[9]; } mk(void) { struct S s = {{0}}; return s; }",
            "unknown(unsupported",
        ),
        (
            "struct S { int a; unsigned char b[3]; char *p; }; struct S mk(struct S); \
             int main(void) { struct S s = {1, {2}, 0}; s = mk(s); assert(s.a == 2 && s.b[0] == 2); }",
            "struct T { int x; signed char y[3]; void *z; }; struct T mk(struct T t) { t.x++; return t; }",
            "true",
        ),
    ];
    for (number, (first, second, expected)) in pairs.into_iter().enumerate() {
        let (result, said) = of_two(&format!("declarations-{number}"), &(HEAD.to_owned() + first), second);
        assert!(result.starts_with(expected), "{first}\n{second}\n{said}");
    }
    let program = "#include <assert.h>\nstruct S { int a, b; }; struct B { int a, b, c[9]; }; \
                   struct B mk(void) { struct B b = {1, 2}; return b; } \
                   int main(void) { struct S s = ((struct S (*)(void))mk)(); assert(s.a == 1); }\n";
    let flags = ["--property", "assert", "--time-limit", "20s"];
    let (result, said) = verify_with(&Scratch::new("declarations-cast"), program, &flags);
    assert!(result.starts_with("unknown(unsupported"), "{said}");
}

/// Decimal constants of C90 may be unsigned; the compiled program says so, too.
#[test]
fn constants_of_c90() {
    let program = "#include <assert.h>\nint main(void) { assert(-2147483648 < 0); return 0; }\n";
    for (standard, expected) in [("-std=c89", "false(assert)"), ("-std=gnu90", "false(assert)"), ("-std=c99", "true")] {
        let flags = ["-m32", standard, "--property", "assert", "--time-limit", "20s"];
        let (result, said) = verify_with(&Scratch::new("declarations-c90"), program, &flags);
        assert_eq!(result, expected, "{said}");
        assert!(!said.contains("check failed"), "{said}");
    }
    let program = "#include <assert.h>\nint main(void) { assert(-9223372036854775808 > 0); return 0; }\n";
    let flags = ["-std=gnu89", "--property", "assert", "--time-limit", "20s"];
    let (result, said) = verify_with(&Scratch::new("declarations-c90-long"), program, &flags);
    assert_eq!(result, "true", "{said}");
}

/// What no file defines is defined for the compiled program, with what the run found there.
#[test]
fn variables_that_nobody_defines() {
    for program in [
        "#include <assert.h>\nextern int g; int main(void) { assert(g == 5); return 0; }\n",
        "#include <assert.h>\nextern int g; int main(void) { assert(g != 77); return 0; }\n",
        "#include <assert.h>\nextern struct s { char c; long l[3]; } g; int main(void) { assert(g.l[2] != 12345 || g.c != 7); return 0; }\n",
    ] {
        let flags = ["--property", "assert", "--time-limit", "20s"];
        let (result, said) = verify_with(&Scratch::new("declarations-extern"), program, &flags);
        assert!(result == "false(assert)" && said.contains("confirmed by the compiled program"), "{said}");
    }
}

/// What contracts exclude is told: no proof is plain that speaks of nothing.
#[test]
fn contracts_that_exclude_everything() {
    let never = "the postcondition of f can never hold here";
    let used = "int f(int x) __CPROVER_requires(x > 0) __CPROVER_assigns() \
                __CPROVER_ensures(__CPROVER_return_value != __CPROVER_return_value);\n\
                int g(int x) __CPROVER_requires(x > 0) __CPROVER_assigns() \
                __CPROVER_ensures(__CPROVER_return_value == 77) { if (x > 5) return f(x); return 77; }\n";
    let flags = ["--check-contract", "g", "--use-contract", "f"];
    check_contract("declarations-used", used, &flags, "true", never);
    let fine = used.replace("!= __CPROVER_return_value)", "== 77)");
    let (result, said) = crate::common::verify_contract("declarations-fine", &fine, &flags);
    assert!(result == "true" && !said.contains("warning"), "{said}");
    let silent = "its postcondition says nothing";
    let endless = "int f(int x) __CPROVER_requires(x > 0) __CPROVER_assigns() __CPROVER_ensures(0) { for (;;); }\n";
    check_contract("declarations-endless", endless, &["--check-contract", "f"], "true", silent);
    let itself = "unsigned f(unsigned n) __CPROVER_requires(1) __CPROVER_assigns() \
                  __CPROVER_ensures(__CPROVER_return_value == 12345) { return f(n); }\n";
    check_contract("declarations-itself", itself, &["--check-contract", "f"], "true", silent);
    let grounded = itself.replace("{ return f(n); }", "{ return n ? f(n - 1) : 12345; }");
    let (result, said) = crate::common::verify_contract("declarations-grounded", &grounded, &["--check-contract", "f"]);
    assert!(result == "true" && !said.contains("warning"), "{said}");
}

/// A location names a function: there must be such a place in it.
#[test]
fn witnesses_name_functions() {
    let scratch = Scratch::new("declarations-witness");
    let program = "#include <assert.h>\nunsigned __VERIFIER_nondet_uint(void);\nint main(void) {\n  \
                   unsigned n = __VERIFIER_nondet_uint(), i = 0, s = 0;\n  if (n > 1000) return 0;\n  \
                   while (i < n) {\n    s += 2;\n    i++;\n  }\n  assert(s == 2 * n);\n  return 0;\n}\n";
    let file = scratch.file("s.c", program);
    let (witness, file) = (scratch.path("w.yml"), file.to_str().expect("UTF-8"));
    let shown = witness.to_str().expect("UTF-8");
    foldback(["verify", file, "--property", "assert", "--witness", shown, "--time-limit", "20s"]);
    let text = std::fs::read_to_string(&witness).expect("a witness");
    assert!(text.contains("function: \"main\""), "{text}");
    let check = || stdout(&foldback(["check-witness", shown, file, "--time-limit", "20s"]));
    assert!(check().contains("confirmed"), "{}", check());
    std::fs::write(&witness, text.replace("function: \"main\"", "function: \"other\"")).expect("written");
    assert!(check().contains("rejected"), "{}", check());
}
