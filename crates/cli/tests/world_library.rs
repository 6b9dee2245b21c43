//! What a hunt in the models of the C library found: one convenient behaviour in the place of any, and failures that are sure.

use crate::common::{Scratch, check_answers, verify_with};

const HEAD: &str = "#define _GNU_SOURCE\n#include <assert.h>\n#include <errno.h>\n#include <stdint.h>\n#include <stdio.h>\n\
    #include <stdlib.h>\n#include <string.h>\n#include <time.h>\n#include <unistd.h>\n#include <wchar.h>\n";

/// Property, program, how the result begins; `!` what it must not be.
const TEXTS: &[(&str, &str, &str)] = &[
    // There is no string to go on with.
    ("valid-deref", "int main(void) { return strtok(0, \",\") == 0; }", "false(valid-deref)"),
    ("valid-deref", "int main(void) { char *r = 0; return strtok_r(0, \",\", &r) == 0; }", "false(valid-deref)"),
    (
        "valid-deref",
        "int main(void) { char s[] = \"a\"; strtok(s, \",\"); assert(!strtok(0, \",\") && !strtok(0, \",\")); return 0; }",
        "true",
    ),
    // Messages have their own places, or share one.
    ("assert", "int main(void) { char *a = strerror(1), *b = strerror(2); assert(!strcmp(a, b)); }", "!true"),
    ("assert", "int main(void) { char *a = strerror(1), *b = strerror(2); assert(a == b); }", "!true"),
    ("assert", "int main(void) { char *a = strerror(1), *b = strerror(2); assert(a != b); }", "!true"),
    ("assert", "int main(void) { char *a = strerror(1), c = *a; strerror(2); assert(*a == c); }", "!true"),
    ("assert", "int main(void) { char *a = strsignal(1), *b = strsignal(2); assert(!strcmp(a, b)); }", "!true"),
    ("assert", "int main(void) { char *a = strerror(1); assert(a && strlen(a) < 100); }", "true"),
    // Temporary names.
    ("assert", "int main(void) { char b[L_tmpnam]; if (tmpnam(b)) assert(strlen(b) == 19); }", "false"),
    ("assert", "int main(void) { char b[L_tmpnam]; if (tmpnam(b)) assert(strlen(b) < L_tmpnam && *b); }", "true"),
    ("assert", "int main(void) { char t[] = \"abc\"; assert(mkstemp(t) == -1); }", "true"),
    ("assert", "int main(void) { char t[] = \"abcXXXXXY\"; assert(mkstemp(t) == -1 && errno == EINVAL); }", "true"),
    ("assert", "int main(void) { char t[] = \"abcXXXXXX\"; assert(mkstemp(t) == -1); }", "false"),
    // Names in the environment.
    ("assert", "int main(void) { assert(getenv(\"A=B\") == 0 && getenv(\"\") == 0); }", "true"),
    ("assert", "int main(void) { assert(getenv(\"A\") == 0); }", "false"),
    ("assert", "int main(void) { assert(setenv(\"\", \"x\", 1) == -1 && setenv(\"a=\", \"x\", 1) == -1); }", "true"),
    ("assert", "int main(void) { assert(setenv(\"a\", \"x\", 1) == -1); }", "false"),
    // Clocks.
    ("assert", "int main(void) { struct timespec t; assert(clock_gettime(9999, &t) == -1); }", "true"),
    ("assert", "int main(void) { struct timespec t; assert(clock_gettime(CLOCK_REALTIME, &t) == -1); }", "false"),
    // Names of one function.
    ("assert", "int main(void) { int (*p)(FILE *) = getc; assert(p != fgetc); }", "!true"),
    ("assert", "int main(void) { assert((void *)strtol != (void *)strtoll); }", "!true"),
    ("assert", "int main(void) { int (*p)(FILE *) = getc; assert(p != feof && p == getc); }", "true"),
];

const SCANNED: &[(&str, &str, &str)] = &[
    ("assert", "int main(void) { wchar_t w = 0x10000; scanf(\"%lc\", &w); assert(w >= 0x10000); }", "!true"),
    ("valid-deref", "int main(void) { char c; scanf(\"%lc\", (wchar_t *)&c); return 0; }", "!true"),
    // Fewer characters than asked for.
    ("assert", "int main(void) { char b[4] = \"abc\"; if (scanf(\"%3c\", b) == 1) assert(b[2] == 'c'); }", "false"),
    // The input may end before anything is converted.
    ("assert", "int main(void) { assert(scanf(\"abc\") == 0); }", "false"),
    ("assert", "int main(void) { assert(scanf(\"%%\") == 0); }", "false"),
    ("assert", "int main(void) { assert(fscanf(stdin, \" x\") == 0); }", "false"),
    ("assert", "int main(void) { int r = scanf(\"abc\"); assert(r == 0 || r == EOF); }", "true"),
    ("assert", "int main(void) { int x, r = scanf(\"%d,\", &x); assert(r == 0 || r == 1 || r == EOF); }", "true"),
    ("assert", "int main(void) { long x; errno = 0; if (scanf(\"%ld\", &x) == 1) assert(errno == 0); }", "false"),
    // Characters are counted.
    ("assert", "int main(void) { int n = -5, r = scanf(\"%n\", &n); assert(n == 0 && r == 0); }", "true"),
    ("assert", "int main(void) { int n = 0, r = scanf(\"ab%n\", &n); assert(n == 0 || n == 2); }", "true"),
    ("assert", "int main(void) { int x, n = 0; if (scanf(\"%d%n\", &x, &n) == 1) assert(n >= 0); }", "true"),
    (
        "assert",
        "int main(void) { int x, n = 0; if (scanf(\"%d%n\", &x, &n) == 1) assert(x != 12345 || n >= 5); }",
        "true",
    ),
    (
        "assert",
        "int main(void) { int x, n = 0; if (scanf(\"%d%n\", &x, &n) == 1) assert(x != 12345 || n == 5); }",
        "false",
    ),
    (
        "assert",
        "int main(void) { int x, n = -1; if (scanf(\"%d,%n\", &x, &n) == 1) assert(n == -1 || n >= 2); }",
        "true",
    ),
    ("assert", "int main(void) { int x, n = -1; if (scanf(\"%d,%n\", &x, &n) == 1) assert(n >= 2); }", "false"),
    (
        "assert",
        "int main(void) { char b[3]; int x, n; if (scanf(\"%3c%d%n\", b, &x, &n) == 2) assert(n >= 4); }",
        "true",
    ),
    // A width bounds the number.
    ("assert", "int main(void) { int x; if (scanf(\"%2d\", &x) == 1) assert(x >= -9 && x <= 99); }", "true"),
    ("assert", "int main(void) { int x; if (scanf(\"%2d\", &x) == 1) assert(x >= -9 && x < 99); }", "false"),
    ("assert", "int main(void) { unsigned x; if (scanf(\"%2u\", &x) == 1) assert(x < 100); }", "false"),
    ("assert", "int main(void) { unsigned x; if (scanf(\"%2x\", &x) == 1 && (int)x >= 0) assert(x <= 255); }", "true"),
    // A format that is known only when the program runs.
    (
        "assert",
        "int main(void) { const char *f = \"%2d\"; int x; if (scanf(f, &x) == 1) assert(x >= -9 && x <= 99); }",
        "true",
    ),
    (
        "assert",
        "int main(void) { const char *f = \"%2d\"; int x; if (scanf(f, &x) == 1) assert(x >= -9 && x < 99); }",
        "false",
    ),
    // Output by a literal format.
    ("memsafety", "int main(void) { char b[4]; return sprintf(b, \"%d\", 1234); }", "false"),
    ("memsafety", "int main(void) { char b[5]; return sprintf(b, \"%d\", 1234); }", "true"),
    ("memsafety", "int x; int main(void) { char b[4]; return snprintf(b, 4, \"<%d>\", x); }", "true"),
    ("memsafety", "int x; int main(void) { char b[4]; return snprintf(b, 5, \"<%03d>\", x); }", "false"),
    ("assert", "int main(void) { char b[9] = \"ab\"; sprintf(b, \"%s%s\", b, \"c\"); assert(b[0] == 'a'); }", "!true"),
    (
        "assert",
        "int main(void) { char b[9]; int n = snprintf(b, 3, \"%c%cz\", 'x', 'y'); assert(n == 3 && !b[2]); }",
        "true",
    ),
    ("assert", "int main(void) { FILE *f = fopen(\"f\", \"w\"); if (f) assert(fprintf(f, \"%c\", 1) == 1); }", "false"),
    ("memsafety", "char *s; int main(void) { FILE *f = fopen(\"f\", \"w\"); if (f) fprintf(f, \"%s\", s); }", "false"),
    // What is given is what the format asks for.
    ("memsafety", "int main(void) { char b[4]; if (scanf(\"%3s\", b) == 1) return b[0]; return 0; }", "true"),
    ("memsafety", "int main(void) { char b[4]; if (scanf(\"%4s\", b) == 1) return b[0]; return 0; }", "false"),
    ("memsafety", "int main(void) { char b[9]; return sscanf(\"12345678\", \"%8[0-9]\", b) == 1 ? b[7] : 0; }", "true"),
    (
        "memsafety",
        "int main(void) { char b[8]; return sscanf(\"12345678\", \"%8[0-9]\", b) == 1 ? b[7] : 0; }",
        "false",
    ),
    ("memsafety", "int main(void) { short x; return sscanf(\"12\", \"%d\", (int *)&x); }", "false"),
    ("memsafety", "int main(void) { return sscanf(\"12\", \"%d\", (int *)0); }", "false"),
    (
        "assert",
        "int main(void) { int x = 5; if (sscanf(\"z\", \"%d\", &x) != 1) assert(x == 5); else assert(0); }",
        "true",
    ),
    // Ranges that C leaves to the library.
    ("assert", "int main(void) { char b[8]; assert(sscanf(\"z\", \"%[z-a]\", b) != 1); }", "!true"),
    ("assert", "int main(void) { char b[8]; assert(sscanf(\"d\", \"%[a-c-e]\", b) != 1); }", "!true"),
    (
        "assert",
        "int main(void) { char b[8]; assert(sscanf(\"b-]x\", \"%[]a-c-]\", b) == 1 && !strcmp(b, \"b-]\")); }",
        "true",
    ),
];

const STREAMS: &[(&str, &str, &str)] = &[
    // Errors and ends of streams.
    ("assert", "int main(void) { errno = 0; if (getwchar() == WEOF) assert(errno != 0); }", "false"),
    ("assert", "int main(void) { errno = 0; if (fgetwc(stdin) == WEOF) assert(errno == 0); }", "false"),
    ("assert", "int main(void) { errno = 0; if (getwc(stdin) == WEOF) assert(errno != 0); }", "false"),
    ("assert", "int main(void) { wchar_t b[3]; errno = 0; if (!fgetws(b, 3, stdin)) assert(errno != 0); }", "false"),
    ("assert", "int main(void) { errno = 0; if (getw(stdin) == -1) assert(errno == 0); }", "false"),
    ("assert", "int main(void) { char b[4] = \"abc\"; if (!fgets(b, 4, stdin)) assert(b[0] == 'a'); }", "false"),
    ("assert", "int main(void) { char b[5] = \"abcd\"; fgets(b, 4, stdin); assert(b[4] == 0); }", "true"),
    ("assert", "int main(void) { wchar_t b[4] = L\"abc\"; if (!fgetws(b, 4, stdin)) assert(b[0] == L'a'); }", "false"),
    (
        "assert",
        "int main(void) { char *l = 0; size_t n = 0; long r = getline(&l, &n, stdin); if (r < 0) assert(n == 0); }",
        "false",
    ),
    // Streams that work may set errno, what only calls the system does not.
    ("assert", "int main(void) { getchar(); errno = 0; if (!fflush(stdin)) assert(errno == 0); }", "false"),
    ("assert", "int main(void) { errno = 0; if (fopen(\"f\", \"a\")) assert(errno == 0); }", "false"),
    ("assert", "int main(void) { errno = 0; if (!rename(\"f\", \"g\")) assert(errno == 0); }", "true"),
    ("assert", "int main(void) { errno = 0; if (!fopen(\"f\", \"a\")) assert(errno != 0); }", "true"),
    // The place of a stream is used again.
    (
        "assert",
        "int main(void) { FILE *f = fopen(\"a\", \"r\"); if (!f) return 0; uintptr_t a = (uintptr_t)f; fclose(f); \
         FILE *g = fopen(\"a\", \"r\"); if (g) assert(a != (uintptr_t)g); }",
        "!true",
    ),
    (
        "assert",
        "int main(void) { FILE *f = fopen(\"a\", \"r\"), *g = fopen(\"a\", \"r\"); if (f && g) assert(f != g); }",
        "true",
    ),
    // What fails for sure.
    ("assert", "int main(void) { assert(fdopen(-1, \"r\") == 0 && errno == EBADF); }", "true"),
    ("assert", "int main(void) { assert(fdopen(3, \"r\") == 0); }", "false"),
    ("assert", "int main(void) { assert(fseek(stdin, 0, 99) == -1 && errno == EINVAL); }", "true"),
    ("assert", "int main(void) { assert(fseek(stdin, 0, SEEK_END) == -1); }", "false"),
    ("assert", "int main(void) { assert(fopen(\"x\", \"q\") == 0); }", "unknown"),
];

/// Strings from outside are of any length; what a format prints is no part of an address that is printed elsewhere.
const LONG: &[(&str, &str, &str)] = &[
    ("assert", "int main(void) { char *a = getenv(\"A\"); if (a) assert(strlen(a) < 100); }", "false"),
    ("assert", "int main(void) { char *a = getenv(\"A\"), *b = getenv(\"A\"); assert(a == b); }", "true"),
    ("memsafety", "int main(void) { char *p = getenv(\"A\"); return p && *p == '1'; }", "true"),
    (
        "memsafety",
        "int main(void) { char b[16], *p = getenv(\"A\"); if (p) { strncpy(b, p, 15); b[15] = 0; } return 0; }",
        "true",
    ),
    (
        "memsafety",
        "int main(void) { char b[100], *p = getenv(\"A\"); if (p) strcpy(b, p); return 0; }",
        "false(valid-deref)",
    ),
    (
        "memsafety",
        "int main(void) { char b[10], *p = getenv(\"A\"); if (p) sprintf(b, \"%s/x\", p); return 0; }",
        "false(valid-deref)",
    ),
    (
        "memsafety",
        "int main(void) { char b[10], l[30]; if (fgets(l, 30, stdin)) sprintf(b, \"%s/x\", l); return 0; }",
        "false(valid-deref)",
    ),
    ("memsafety", "int main(void) { free(getenv(\"A\")); return 0; }", "false(valid-free)"),
];

#[test]
fn strings_of_any_length() {
    check_answers("library-long", HEAD, LONG);
}

const SIGNALS: &[(&str, &str, &str)] = &[
    ("assert", "int main(void) { signal(SIGPIPE, SIG_IGN); assert(0); }", "false"),
    (
        "assert",
        "int main(void) { signal(SIGPIPE, SIG_IGN); raise(SIGPIPE); assert(signal(SIGPIPE, SIG_DFL) == SIG_IGN); \
         assert(signal(SIGPIPE, SIG_IGN) == SIG_DFL); raise(SIGTERM); }",
        "true",
    ),
    ("assert", "int main(void) { assert(signal(SIGPIPE, SIG_DFL) == SIG_IGN); }", "false"),
    (
        "assert",
        "int main(void) { errno = 0; assert(signal(SIGKILL, SIG_IGN) == SIG_ERR && errno == EINVAL && raise(65) == -1); }",
        "true",
    ),
    ("assert", "int main(void) { signal(SIGTERM, SIG_DFL); raise(SIGTERM); assert(0); }", "true"),
    ("assert", "static void h(int n) {} int main(void) { signal(SIGTERM, h); assert(0); }", "unknown"),
    (
        "assert",
        "int main(void) { struct sigaction a; sigemptyset(&a.sa_mask); sigaddset(&a.sa_mask, 64); assert(sigismember(&a.sa_mask, 64) && \
         !sigismember(&a.sa_mask, 3)); a.sa_handler = SIG_IGN; assert(sigaction(SIGINT, &a, 0) == 0); raise(SIGINT); \
         assert(sigaddset(&a.sa_mask, 65) == -1); }",
        "true",
    ),
    (
        "memsafety",
        "int main(void) { sigset_t *s = malloc(8); if (s) sigemptyset(s); free(s); return 0; }",
        "false(valid-deref)",
    ),
];

#[test]
fn signals_that_are_ignored() {
    check_answers("library-signals", &format!("{HEAD}#include <signal.h>\n"), SIGNALS);
}

const SORTED: &[(&str, &str, &str)] = &[
    (
        "assert",
        "int main(void) { int a = 1, b = 2, *s[] = {&b, &a}; qsort(s, 2, sizeof *s, by_target); assert(s[0] == &a); }",
        "true",
    ),
    (
        "assert",
        "int main(void) { int a = 1, b = 2, *s[] = {&b, &a}; qsort(s, 2, sizeof *s, by_target); assert(s[0] == &b); }",
        "false",
    ),
];

/// Pointers that are sorted stay pointers.
#[test]
fn pointers_are_sorted() {
    let head = "static int by_target(const void *a, const void *b) { return **(int *const *)a - **(int *const *)b; }\n";
    check_answers("library-sorted", &format!("{HEAD}{head}"), SORTED);
}

#[test]
fn texts_and_names() {
    check_answers("library-texts", HEAD, TEXTS);
}

#[test]
fn formatted_input() {
    check_answers("library-scanned", HEAD, SCANNED);
}

#[test]
fn streams() {
    check_answers("library-streams", HEAD, STREAMS);
}

/// What is left behind where there is no memory is undefined.
#[test]
fn asprintf_that_fails() {
    let program = |holds: &str| {
        format!("{HEAD}int main(void) {{ char *p = 0; int n = asprintf(&p, \"%d\", 3); assert({holds}); return 0; }}\n")
    };
    let flags = ["-p", "assert", "--malloc-may-fail", "--time-limit", "60s"];
    let answer = |holds| verify_with(&Scratch::new("library-asprintf"), &program(holds), &flags);
    let (result, said) = answer("n >= 0 || p == 0");
    assert!(!result.starts_with("true"), "{said}");
    let (result, said) = answer("n == -1 || p[0] == '3'");
    assert_eq!(result, "true", "{said}");
}
