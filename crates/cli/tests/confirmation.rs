//! What the command says of programs whose counterexamples the compiled program shows, or does not. More of them, nearer to the
//! code: `crates/native/tests/confirm.rs`.

use crate::common::{Scratch, foldback, stdout, verify, verify_with};

#[test]
fn functions_without_body_are_played() {
    let scratch = Scratch::new("confirmation-bodies");
    let programs = [
        "void log_line(int level);\nvoid __VERIFIER_assert(int);\nint main(void) { log_line(3); __VERIFIER_assert(0); return 0; }\n",
        "static void reach_error(void) { }\nint __VERIFIER_nondet_int(void);\nint main(void) { if (__VERIFIER_nondet_int() == 7) reach_error(); return 0; }\n",
        "void assert(int);\nshort sensor(void);\nint main(void) { assert(sensor() != 12); return 0; }\n",
    ];
    for program in programs {
        let file = scratch.file("program.c", program);
        let output = foldback(["verify", file.to_str().expect("a plain path"), "--time-limit", "20s"]);
        let said = stdout(&output);
        assert_eq!(output.status.code(), Some(1), "{said}");
    }
}

/// Both see the same macros: `__OPTIMIZE__` is gcc's, not ours.
#[test]
fn the_compiler_sees_our_macros() {
    let scratch = Scratch::new("confirmation-macros");
    let program = "#include <assert.h>\nint main(void) {\n#ifdef __FOLDBACK__\n  assert(0);\n#else\n  return 0;\n#endif\n  return 0;\n}\n";
    let (result, said) = verify(&scratch, program, "assert", "20s");
    assert_eq!(result, "false(assert)", "{said}");
    assert!(!said.contains("check failed"), "{said}");
}

/// A witness whose input and assertion stand on one line.
#[test]
fn a_witness_of_one_line_is_confirmed() {
    let scratch = Scratch::new("confirmation-line");
    let program = "extern int __VERIFIER_nondet_int(void);\nextern void __assert_fail(const char *, const char *, unsigned, const char *);\n#include <assert.h>\nint main(void) { assert(__VERIFIER_nondet_int() != 1234); return 0; }\n";
    let (file, witness) = (scratch.file("program.c", program), scratch.path("witness.yml"));
    let (file, witness) = (file.to_str().expect("a plain path"), witness.to_str().expect("a plain path"));
    let said = stdout(&foldback(["verify", file, "--time-limit", "20s", "--witness", witness]));
    assert!(said.ends_with("RESULT: false(assert)\n"), "{said}");
    let said = stdout(&foldback(["check-witness", witness, file]));
    assert!(said.ends_with("RESULT: confirmed\n"), "{said}");
}

/// A block that `realloc` leaves in its place keeps what was behind its old contents. The run that says otherwise is possible: the
/// compiled program is given what is new in a block.
#[test]
fn what_realloc_adds_is_given() {
    let scratch = Scratch::new("confirmation-realloc");
    let program = "#include <assert.h>\n#include <stdlib.h>\nint main(void) { char *p = malloc(8); if (!p) return 0; p[7] = 7; p = realloc(p, 4); if (!p) return 0; p = realloc(p, 8);\nif (!p) return 0; assert(p[7] == 7); free(p); return 0; }\n";
    let (result, said) = verify(&scratch, program, "assert", "20s");
    assert!(result.starts_with("false(assert)") && said.contains("confirmed by the compiled program"), "{said}");
    // What a block had stays, however it was made.
    for made in ["malloc(4)", "calloc(1, 4)", "realloc(0, 4)"] {
        let program = format!(
            "#include <assert.h>\n#include <stdlib.h>\nint main(void) {{ char *p = {made}; if (!p) return 0; p[3] = 5; p = realloc(p, 9); if (!p) return 0;\n\
             if (p[3] == 5 && p[8] == 77) assert(p[4] != 3); free(p); return 0; }}\n"
        );
        let (result, said) = verify(&scratch, &program, "assert", "20s");
        assert!(
            result.starts_with("false(assert)") && said.contains("confirmed by the compiled program"),
            "{made}: {said}"
        );
    }
}

/// A program that goes through a null pointer ends there, as the compiled one does.
#[test]
fn a_run_ends_at_a_null_pointer() {
    let scratch = Scratch::new("confirmation-fault");
    for access in [
        "int x = *p; x++;",
        "*p = 1;",
        "((struct { int a[9], b; } *)p)->b = 2;",
        "memset(p, 0, 4);",
        "strlen((char *)p);",
    ] {
        let program = format!(
            "#include <stdio.h>\n#include <string.h>\nint main(void) {{ int *p = 0; printf(\"a\\n\"); {access} printf(\"b\\n\"); return 0; }}\n"
        );
        let file = scratch.file("program.c", program);
        let output = foldback(["run", file.to_str().expect("a plain path")]);
        assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(139), "a\n"), "{access}");
    }
    let file = scratch.file(
        "program.c",
        "#include <string.h>\nint main(void) { char *p = 0; memset(p, 0, 0); return p == 0 ? 3 : 4; }\n",
    );
    assert_eq!(foldback(["run", file.to_str().expect("a plain path")]).status.code(), Some(3));
}

/// The sanitizer of addresses starts in 32-bit programs, too, although their stack may grow.
#[test]
fn wrong_frees_are_confirmed_under_ilp32() {
    let scratch = Scratch::new("confirmation-ilp32");
    let program = "#include <stdlib.h>\nint main(void) { union { void *p; char c[4]; } u; u.p = malloc(37); u.c[1] = 4;\nfree(u.p); return 0; }\n";
    let flags = ["--data-model", "ilp32", "--property", "memsafety", "--time-limit", "20s"];
    let (result, said) = verify_with(&scratch, program, &flags);
    assert!(result == "false(valid-free)" && said.contains("confirmed by the compiled program"), "{said}");
}

/// Where the model ends, the compiled program goes on in some way: that it comes to an error then is no violation.
#[test]
fn runs_beyond_the_model_show_nothing() {
    let scratch = Scratch::new("confirmation-beyond");
    for count in ["5u", "200000000u"] {
        let program = format!(
            "extern void reach_error(void);\nunsigned long long s = 1;\nint main(void) {{\n\
             for (unsigned i = 0; i < {count}; i++) s = s * 6364136223846793005ull + (s >> 7);\n\
             if (s == 12345) goto err;\n__builtin_unreachable();\nerr: reach_error();\n}}\n"
        );
        let (result, said) = verify(&scratch, &program, "unreach-call", "5s");
        assert!(result.starts_with("unknown"), "{said}");
    }
}
