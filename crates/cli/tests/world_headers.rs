//! Headers, layout and linking as the machine has them: wrong answers that must not come back, and right ones that must stay.

use crate::common::{Scratch, check_answers, foldback, stderr, stdout};

const HEAD: &str = "#define _GNU_SOURCE\n#include <assert.h>\n#include <complex.h>\n#include <limits.h>\n#include <math.h>\n\
    #include <poll.h>\n#include <stdatomic.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
    #include <sys/poll.h>\n#include <sys/socket.h>\n#include <sys/stat.h>\n#include <sys/time.h>\n\
    #include <sys/timerfd.h>\n";

/// Property, program, how the result begins; `!` what it must not be.
const ANSWERS: &[(&str, &str, &str)] = &[
    // Macros that a program asks for.
    ("assert", "int main() {\n#if defined __GLIBC__ && __GLIBC_PREREQ(2, 1)\nassert(0);\n#endif\n}", "false(assert)"),
    (
        "assert",
        "int main() {\n#if _POSIX_C_SOURCE >= 200809L && defined _DEFAULT_SOURCE\nassert(0);\n#endif\n}",
        "false(assert)",
    ),
    (
        "assert",
        "int main() {\n#if ATOMIC_INT_LOCK_FREE == 2 && __GCC_ATOMIC_INT_LOCK_FREE == 2\nassert(0);\n#endif\n}",
        "false(assert)",
    ),
    ("assert", "int main() {\n#if defined unix && defined linux\nassert(0);\n#endif\n}", "false(assert)"),
    (
        "assert",
        "int main() {\n#if __WORDSIZE == 64 && __STDC_VERSION__ == 201710L\nassert(0);\n#endif\n}",
        "false(assert)",
    ),
    (
        "memsafety",
        "#ifndef LINE_MAX\n#define LINE_MAX 16\n#endif\nint main() { char *b = malloc(100); if (b) memset(b, 0, LINE_MAX); free(b); }",
        "false(valid-deref)",
    ),
    (
        "memsafety",
        "int main() { char *p = malloc(4);\n#ifndef SOCK_CLOEXEC\nfree(p);\n#endif\n}",
        "false(valid-memtrack)",
    ),
    ("assert", "int main() { assert(!S_ISSOCK(0100644) && S_ISSOCK(0140000)); }", "true"),
    (
        "assert",
        "int main() { struct timeval a = {1, 600000}, r; timeradd(&a, &a, &r); assert(r.tv_sec == 3 && r.tv_usec == 200000); }",
        "true",
    ),
    ("assert", "int main() { double complex z = CMPLX(0.0, -0.0); assert(signbit(cimag(z))); }", "true"),
    ("assert", "int main() { float complex z = 1 + 2 * I; assert(cimagf(conjf(z)) == -2); }", "true"),
    ("assert", "int main() { char *p = strdupa(\"abc\"); assert(!strcmp(p, \"abc\")); }", "true"),
    // What is called without a declaration, and is a macro on every system, is no function that may do anything.
    ("assert", "int main() { assert(IFTODT(0040000) == 4); }", "unknown(unsupported: IFTODT, a macro"),
    // Layout.
    (
        "memsafety",
        "struct s { char c; _Atomic struct { short x, y; } p; }; int main() { struct s *s = malloc(6); if (s) s->p = (__typeof__((void)0, s->p)){1, 2}; free(s); }",
        "false(valid-deref)",
    ),
    (
        "assert",
        "struct { int b : 3; } x; int main() { assert(_Generic(x.b, int: 1, default: 2) == 1); }",
        "false(assert)",
    ),
];

#[test]
fn answers_about_headers() {
    check_answers("world-headers", HEAD, ANSWERS);
}

#[test]
fn strict_standards_leave_the_programs_names_to_it() {
    let scratch = Scratch::new("world-headers-strict");
    let file = scratch.file("p.c", "#include <stdio.h>\nint unix = 1, linux = 2, S_ISSOCK;\nint main(void) {\n#ifdef _DEFAULT_SOURCE\nreturn 1;\n#endif\nreturn 0; }\n");
    let output = foldback(["run", "-std=c11", file.to_str().expect("a path")]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

/// As the linker does, whichever comes first.
#[test]
fn a_weak_variable_gives_way() {
    let scratch = Scratch::new("world-headers-weak");
    let main = "#include <stdio.h>\nint main(void) { printf(\"%d\\n\", v); }\n";
    let weak = scratch.file("weak.c", format!("__attribute__((weak)) int v = 3;\n{main}"));
    let declared =
        scratch.file("declared.c", format!("extern int v __attribute__((weak));\nint v;\nint v = 3;\n{main}"));
    for (other, expected) in
        [("int v = 9;\n", "9"), ("int v;\n", "0"), ("int w;\n", "3"), ("int v __attribute__((weak)) = 3;\n", "3")]
    {
        let strong = scratch.file("strong.c", other);
        for file in [&weak, &declared] {
            for files in [[file, &strong], [&strong, file]] {
                let arguments = std::iter::once("run".into()).chain(files.map(|f| f.clone().into_os_string()));
                let output = foldback(arguments);
                assert_eq!(stdout(&output).trim(), expected, "{other} {}", stderr(&output));
            }
        }
    }
    let twice = scratch.file("twice.c", "int v = 1;\n");
    let strong = scratch.file("strong.c", format!("int v = 9;\n{main}"));
    let output = foldback(["run".into(), twice.into_os_string(), strong.into_os_string()]);
    assert!(stderr(&output).contains("redefinition"), "{}", stderr(&output));
}

#[test]
fn a_run_says_what_it_does_not_know() {
    let scratch = Scratch::new("world-headers-run");
    for (program, printed, said) in [
        (
            "int main(void) { unsigned x = 1; __asm__(\"bswap %0\" : \"+r\"(x)); printf(\"%x\", x); }",
            "",
            "inline assembler",
        ),
        ("int main(void) { printf(\"%Lg\", strtold(\".5\", 0)); }", "", "strtold"),
        ("int main(void) { printf(\"100%%m %m\"); }", "", "errno"),
        ("int main(void) { printf(\"100%%m\"); }", "100%m", "exit code 0"),
        ("int main(void) { return write(1, \"hello\", 5) != 5; }", "hello", "exit code 0"),
        ("int main(void) { errno = 0; strtod(\"4.9e-324\", 0); printf(\"%d\", errno); }", "34", "exit code 0"),
    ] {
        let head = "#include <errno.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n";
        let file = scratch.file("p.c", format!("{head}{program}\n"));
        let output = foldback(["run", file.to_str().expect("a path")]);
        assert_eq!(stdout(&output), printed, "{program}");
        assert!(stderr(&output).contains(said), "{program}\n{}", stderr(&output));
    }
}

/// Offsets of 64 bits where `long` has 32: the types are other ones, and so are the functions.
#[test]
fn large_files_have_their_own_functions() {
    let scratch = Scratch::new("world-headers-large");
    let head = "#include <assert.h>\n#include <sys/stat.h>\n#include <time.h>\n#include <unistd.h>\n";
    for (program, flag, said) in [
        (
            "int main(void) { assert(sizeof(off_t) == 8 && sizeof(struct stat) == 96); }",
            "_FILE_OFFSET_BITS=64",
            "RESULT: true",
        ),
        ("int main(void) { assert(sizeof(off_t) == 4 && sizeof(struct stat) == 88); }", "A=1", "RESULT: true"),
        (
            "int main(void) { assert(lseek(0, 5000000000LL, 0) < 4000000000LL); }",
            "_FILE_OFFSET_BITS=64",
            "RESULT: unknown",
        ),
        ("int main(void) { return time(0) == 0; }", "_TIME_BITS=64", "_TIME_BITS=64"),
    ] {
        let file = scratch.file("p.c", format!("{head}{program}\n"));
        let file = file.to_str().expect("a path");
        let flags =
            ["verify", "--data-model", "ilp32", "--time-limit", "10s", "-D", flag, "-D", "_FILE_OFFSET_BITS=64"];
        let count = if flag.starts_with("_TIME") { flags.len() } else { flags.len() - 2 };
        let output = foldback(flags[..count].iter().copied().chain([file]));
        let all = stdout(&output) + &stderr(&output);
        assert!(all.contains(said), "{program}\n{all}");
    }
}
