//! The arguments of the program as inputs: any strings, shown and given to the compiled program.

use crate::common::{Scratch, check_answers, foldback, stdout, verify};
use std::ffi::OsString;

const HEAD: &str = "#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n";

/// Property, program, how the result begins; `!` what it must not be.
const ANSWERS: &[(&str, &str, &str)] = &[
    ("assert", "int main(int argc, char **argv) { assert(argc < 3); }", "false(assert)"),
    ("assert", "int main(int argc, char **argv) { if (argc <= 3) assert(argv[argc] == NULL); }", "true"),
    ("assert", "int main(int argc, char **argv) { if (argc == 12) assert(argv[10] != 0); }", "true"),
    ("assert", "int main(int argc, char **argv) { if (argc == 12) assert(argv[10][0] != 'x'); }", "false(assert)"),
    (
        "assert",
        "int main(int argc, char **argv) { if (argc > 9) assert(argv[7] != argv[8] && argv[argc] == 0); }",
        "true",
    ),
    // What was looked at stays what it is.
    (
        "assert",
        "int main(int argc, char **argv) { if (argc > 9) { argv[7][0] = 'a'; char c = argv[8][0]; assert(argv[7][0] == 'a'); } }",
        "true",
    ),
    (
        "assert",
        "int main(int argc, char **argv) { if (argc > 9) { argv[5] = \"mine\"; assert(argv[5][0] == 'm'); } }",
        "true",
    ),
    // Copied as bytes, as `memcpy` and `qsort` do.
    (
        "memsafety",
        "int main(int argc, char **argv) { char *c[12]; if (argc != 9) return 1; memcpy(c, argv, sizeof(char *) * 9); return c[6][0]; }",
        "unknown(unsupported",
    ),
    // Further back than two is not modelled.
    (
        "assert",
        "int main(int argc, char **argv) { if (argc > 9) { char c = argv[5][0]; for (int i = 6; i < 9; i++) argv[i][0] = 'x'; \
         assert(argv[5][0] == c); } }",
        "unknown(unsupported",
    ),
    (
        "assert",
        "int main(int argc, char **argv) { for (int i = 1; i < argc; i++) assert(strcmp(argv[i], \"-x\") != 0); }",
        "false(assert)",
    ),
    // The strings share their memory with others.
    (
        "assert",
        "int main(int argc, char **argv) { const char *name = \"default\"; char buf[8] = \"abc\"; \
         if (argc > 1) name = argv[1]; if (argc > 2) name = buf; assert(name[0] != 'z' || name[1] != 'q'); }",
        "false(assert)",
    ),
    (
        "assert",
        "static int ends(char **av) { return av[1] == 0; } int main(int argc, char **argv) { \
         if (argc == 1) assert(ends(argv)); }",
        "true",
    ),
    ("memsafety", "int main(int argc, char **argv) { return argv[1][0]; }", "false(valid-deref)"),
    ("memsafety", "int main(int argc, char **argv) { if (argc != 2) return 1; return argv[1][0]; }", "true"),
    ("memsafety", "int main(int argc, char **argv) { if (argc < 2) return 1; return argv[1][0]; }", "true"),
    (
        "memsafety",
        "int main(int argc, char **argv) { for (int i = 1; i <= argc; i++) if (argv[i][0] == '-') return 1; return 0; }",
        "false(valid-deref)",
    ),
    (
        "memsafety",
        "int main(int argc, char **argv) { if (argc < 4) return argv[argc + 1] != 0; return 0; }",
        "false(valid-deref)",
    ),
    (
        "memsafety",
        "int main(int argc, char **argv) { if (argc != 2) return 1; return argv[1][strlen(argv[1]) + 1]; }",
        "false(valid-deref)",
    ),
    (
        "memsafety",
        "int main(int argc, char **argv) { char *b = malloc(strlen(argv[0])); strcpy(b, argv[0]); free(b); return 0; }",
        "false(valid-deref)",
    ),
    (
        "div-by-zero",
        "int main(int argc, char **argv) { if (argc != 2) return 1; return 10 / atoi(argv[1]); }",
        "false(div-by-zero)",
    ),
    ("memsafety", "int main(int argc, char **argv, char **envp) { return envp[0] != 0; }", "unknown(unsupported"),
];

#[test]
fn answers_are_right() {
    check_answers("world-arguments", HEAD, ANSWERS);
}

/// The counterexample says what the program is to be called with, and the compiled program agrees.
#[test]
fn arguments_are_shown_and_given() {
    let scratch = Scratch::new("world-arguments-shown");
    let program = format!(
        "{HEAD}int main(int argc, char **argv) {{ char name[4]; if (argc != 2 || strncmp(argv[1], \"ab\", 2)) return 1; \
         strcpy(name, argv[1]); return 0; }}\n"
    );
    let (result, said) = verify(&scratch, &program, "memsafety", "60s");
    assert_eq!(result, "false(valid-deref)", "{said}");
    assert!(said.contains("argv[1] = \"ab"), "{said}");
    assert!(said.contains("confirmed by the compiled program"), "{said}");
}

/// With 32 bits, more arguments are possible than offsets of the usual width reach over.
#[test]
fn many_arguments_have_room() {
    let scratch = Scratch::new("world-arguments-ilp32");
    let flags = ["verify", "--property", "valid-deref", "--data-model", "ilp32", "--time-limit", "30s"];
    for (body, expected) in [
        ("if (argc != 2) return 1; return argv[1][0] != 0;", "true"),
        ("if (argc < 2) return 1; return argv[1][0] != 0;", "true"),
        ("if (argc < 300001) return 1; return argv[300001] != 0;", "true"),
        ("if (argc < 300001) return 1; return argv[300002] != 0;", "false(valid-deref)"),
    ] {
        let file = scratch.file("program.c", format!("int main(int argc, char **argv) {{ {body} }}\n"));
        let said = stdout(&foldback(flags.map(OsString::from).into_iter().chain([file.into()])));
        assert!(said.ends_with(&format!("RESULT: {expected}\n")), "{body}: {said}");
    }
}
