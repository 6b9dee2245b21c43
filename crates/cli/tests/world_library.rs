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
    // A handler runs where its signal is raised, and perhaps whenever it comes.
    ("assert", "static void h(int n) {} int main(void) { signal(SIGTERM, h); assert(0); }", "false"),
    (
        "assert",
        "static int got; static void h(int n) { got = n; } int main(void) { signal(SIGTERM, h); assert(!got); }",
        "unknown",
    ),
    (
        "assert",
        "static int got; static void h(int n) { got = n; } \
         int main(void) { signal(SIGUSR1, h); raise(SIGUSR1); assert(got != SIGUSR1); }",
        "false",
    ),
    (
        "assert",
        "static int got; static void h(int n) { got = n; } \
         int main(void) { signal(SIGUSR1, h); raise(SIGUSR1); assert(got == SIGUSR1); }",
        "unknown(unsupported: a signal that is handled and comes from outside",
    ),
    (
        "assert",
        "static int got; static void h(int n) { got++; } int main(void) { struct sigaction a = {.sa_handler = h, .sa_flags = SA_RESETHAND}; \
         sigaction(SIGUSR1, &a, 0); raise(SIGUSR1); assert(got != 1); raise(SIGUSR1); }",
        "false",
    ),
    // It comes without being sent, or is raised where it waits.
    ("assert", "static void h(int n) { assert(0); } int main(void) { signal(SIGABRT, h); abort(); }", "unknown"),
    ("termination", "int main(void) { alarm(1); for (;;) ; }", "unknown"),
    (
        "assert",
        "static void h(int n) { raise(n); } int main(void) { signal(SIGUSR1, h); raise(SIGUSR1); assert(0); }",
        "unknown",
    ),
    (
        "assert",
        "int main(void) { sigset_t s, o; sigfillset(&s); assert(sigprocmask(SIG_SETMASK, &s, 0) == 0); sigprocmask(0, 0, &o); \
         assert(sigismember(&o, SIGINT) && !sigismember(&o, SIGKILL) && !sigismember(&s, 32)); \
         assert(sigprocmask(3, &s, 0) == -1 && errno == EINVAL && pthread_sigmask(3, &s, 0) == EINVAL); }",
        "true",
    ),
    ("assert", "int main(void) { sigset_t o; sigprocmask(0, 0, &o); assert(!sigismember(&o, SIGINT)); }", "false"),
    (
        "assert",
        "int main(void) { sigset_t s; sigemptyset(&s); sigaddset(&s, SIGTERM); sigprocmask(SIG_BLOCK, &s, 0); signal(SIGTERM, SIG_DFL); \
         raise(SIGTERM); assert(0); }",
        "unknown",
    ),
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

const PUSHED_BACK: &[(&str, &str, &str)] = &[
    (
        "assert",
        "int main(void) { int c = getchar(); if (c != EOF) { assert(ungetc(c, stdin) == c); assert(getc(stdin) == c); } }",
        "true",
    ),
    (
        "assert",
        "int main(void) { int c = getchar(); ungetc('x', stdin); assert(!(getchar() == 'x' && c == 'y' && getchar() == 'z')); }",
        "false",
    ),
    ("assert", "int main(void) { char b[4]; ungetc('x', stdin); assert(fgets(b, 3, stdin) && b[0] == 'x'); }", "true"),
    ("assert", "int main(void) { char b[4]; ungetc('x', stdin); fgets(b, 3, stdin); assert(b[1] != 'y'); }", "false"),
    ("assert", "int main(void) { assert(ungetc(EOF, stdin) == EOF); }", "true"),
    (
        "assert",
        "int main(void) { FILE *f = fopen(\"a\", \"r\"); if (!f) return 0; ungetc('x', stdin); assert(fgetc(f) == 'x'); }",
        "false",
    ),
    // Otherwise the stream begins with it.
    ("assert", "int main(void) { int i; ungetc('x', stdin); assert(scanf(\"%d\", &i) != 1); }", "unknown"),
    (
        "assert",
        "int main(void) { char b[2]; ungetc('x', stdin); if (fread(b, 1, 1, stdin)) assert(b[0] == 'x'); }",
        "unknown",
    ),
    // It may not be readable, and have no room for more.
    (
        "assert",
        "int main(void) { FILE *f = fopen(\"a\", \"w\"); if (f) { ungetc('x', f); assert(fgetc(f) == 'x'); } }",
        "unknown",
    ),
    ("assert", "int main(void) { ungetc('x', stdin); assert(ungetc('y', stdin) == 'y'); }", "unknown"),
];

#[test]
fn characters_that_are_pushed_back() {
    check_answers("library-pushed", HEAD, PUSHED_BACK);
}

const ERRORS: &[(&str, &str, &str)] = &[
    ("valid-deref", "int main(void) { char b[40]; strerror_r(3, b, 40); return b[0]; }", "true"),
    (
        "assert",
        "int main(void) { char b[40], *s = strerror_r(-70, b, 40); assert(s == b && !strcmp(b, \"Unknown error -70\")); \
         s = strerror_r(200, b, 9); assert(s == b && !strcmp(b, \"Unknown \")); }",
        "true",
    ),
    ("valid-deref", "int main(void) { char b[17]; strerror_r(-70, b, 40); return 0; }", "false(valid-deref)"),
    ("assert", "int main(void) { char b[40]; assert(strerror_r(3, b, 40) != b); }", "true"),
];

const ERRORS_OF_POSIX: &[(&str, &str, &str)] = &[
    (
        "assert",
        "int main(void) { char b[64]; assert(strerror_r(3, b, 64) == 0 && b[0]); assert(strerror_r(3, b, 1) == ERANGE); }",
        "true",
    ),
    (
        "assert",
        "int main(void) { char b[40]; assert(strerror_r(41, b, 40) == EINVAL && !strcmp(b, \"Unknown error 41\")); }",
        "true",
    ),
    ("assert", "int main(void) { char b[20]; assert(strerror_r(3, b, 20) == 0); }", "!true"),
    ("valid-deref", "int main(void) { char b[5]; strerror_r(3, b, 64); return 0; }", "!true"),
    ("valid-deref", "int main(void) { char b[5]; strerror_r(3, b, 5); return b[4]; }", "true"),
];

#[test]
fn messages_in_buffers() {
    check_answers("library-errors", HEAD, ERRORS);
    let head = "#include <assert.h>\n#include <errno.h>\n#include <string.h>\n";
    check_answers("library-errors-posix", head, ERRORS_OF_POSIX);
}

const CLEANUPS: &[(&str, &str, &str)] = &[(
    "assert",
    "static int n; static void add(void *p) { n += *(int *)p; } int main(void) { int k = 3; pthread_cleanup_push(add, &k); \
     pthread_cleanup_push(add, &k); n++; pthread_cleanup_pop(0); pthread_cleanup_pop(1); assert(n == 4); }",
    "true",
)];

#[test]
fn cleanups_of_threads() {
    check_answers("library-cleanups", &format!("{HEAD}#include <pthread.h>\n"), CLEANUPS);
}

const READY: &[(&str, &str, &str)] = &[
    (
        "assert",
        "int main(void) { struct pollfd p[2] = {{0, POLLIN, 9}, {-1, POLLIN, 9}}; int n = poll(p, 2, 10); \
         if (n >= 0) assert(n <= 1 && !p[1].revents && (n == 1) == (p[0].revents != 0) && !(p[0].revents & POLLOUT)); }",
        "true",
    ),
    (
        "assert",
        "int main(void) { struct pollfd p = {0, POLLIN}; assert(poll(&p, 1, -1) <= 0 || p.revents & POLLIN); }",
        "false",
    ),
    (
        "assert",
        "int main(void) { fd_set r; FD_ZERO(&r); FD_SET(3, &r); struct timeval t = {1, 0}; int n = select(4, &r, 0, 0, &t); \
         assert(n >= -1 && n <= 1 && !FD_ISSET(2, &r) && t.tv_sec <= 1); if (n >= 0) assert((n == 1) == FD_ISSET(3, &r)); }",
        "true",
    ),
    ("assert", "int main(void) { fd_set r; FD_ZERO(&r); FD_SET(3, &r); assert(select(4, &r, 0, 0, 0) < 1); }", "false"),
    ("valid-deref", "int main(void) { struct pollfd p; return poll(&p, 2, 0); }", "false(valid-deref)"),
    // Messages that end the program, or do not.
    ("assert", "int main(void) { errx(3, \"%d\", 4); assert(0); }", "true"),
    ("assert", "int main(void) { warn(\"%s\", \"a\"); assert(0); }", "false"),
    ("assert", "static void f(void) { assert(0); } int main(void) { atexit(f); err(1, 0); }", "false"),
    ("valid-deref", "int main(void) { warnx(\"%s\", (char *)8); return 0; }", "false(valid-deref)"),
    (
        "assert",
        "int main(void) { mtx_t m; cnd_t c; assert(mtx_init(&m, mtx_plain) == thrd_success && mtx_lock(&m) == thrd_success); \
         assert(mtx_trylock(&m) == thrd_busy && cnd_init(&c) == 0 && cnd_signal(&c) == 0 && mtx_unlock(&m) == 0); mtx_init(&m, mtx_recursive); \
         assert(mtx_lock(&m) == 0 && mtx_trylock(&m) == 0 && mtx_init(&m, 9) == thrd_error); }",
        "true",
    ),
];

#[test]
fn descriptors_messages_and_mutexes() {
    let head = format!(
        "{HEAD}#include <err.h>\n#include <poll.h>\n#include <sys/select.h>\n#include <sys/time.h>\n#include <threads.h>\n"
    );
    check_answers("library-ready", &head, READY);
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
