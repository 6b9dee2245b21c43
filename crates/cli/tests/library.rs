//! The C library: answers about programs that use it, and how `run` treats it.

use crate::common::{Scratch, foldback, stderr, stdout, verify};

const HEAD: &str = "#include <errno.h>\n#include <fenv.h>\n#include <fcntl.h>\n#include <locale.h>\n#include <math.h>\n\
    #include <pthread.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <sys/stat.h>\n#include <time.h>\n\
    #include <unistd.h>\n#include <wchar.h>\n\
    extern int __VERIFIER_nondet_int(void);\n\
    void reach_error(void) { abort(); }\n\
    #define check(c) do { if (!(c)) reach_error(); } while (0)\n";

/// What the body of `main` is, and how the result may begin.
const ANSWERS: &[(&str, &[&str])] = &[
    // Errors that happen outside set errno to something.
    ("errno = 0; FILE *f = fopen(\"cfg\", \"r\"); if (!f && errno == ENOENT) reach_error();", &["false"]),
    ("errno = 0; if (open(\"cfg\", O_RDONLY) < 0) check(errno == 0);", &["false"]),
    ("errno = 0; if (open(\"cfg\", O_RDONLY) < 0) check(errno != 0);", &["true"]),
    ("errno = 0; if (remove(\"cfg\") == -1) check(errno != EACCES);", &["false"]),
    ("errno = 0; if (mkdir(\"d\", 0700) == 0) check(errno == 0);", &["true"]),
    ("char b[4]; errno = 0; if (read(0, b, 4) == -1) check(errno == 0);", &["false"]),
    // Those of mathematics are known.
    ("errno = 0; double x = sqrt(-1.0); check(errno == EDOM && x != x);", &["true"]),
    ("errno = 0; sqrt(4.0); check(errno == 0);", &["true"]),
    ("errno = 0; log(0.0); check(errno == ERANGE);", &["true"]),
    ("errno = 0; fmod(1, 0); check(errno == EDOM);", &["true"]),
    ("errno = 0; acos(2); check(errno == 0);", &["false"]),
    ("errno = 0; check(strtol(\"99999999999999999999\", 0, 10) > 0 && errno == ERANGE);", &["true"]),
    // Contracts.
    ("check(getpid() > 0);", &["true"]),
    ("check(getpid() != 7);", &["false", "unknown"]),
    ("check(getpid() == getpid());", &["true", "unknown"]),
    ("time_t t = 5; check(mktime(localtime(&t)) == 5);", &["unknown"]),
    ("struct stat s; if (stat(\"f\", &s) == 0) check(s.st_size == 0);", &["false"]),
    ("struct stat s; if (stat(\"f\", &s) == 0) check(s.st_size >= 0);", &["true"]),
    ("int r = access(\"f\", R_OK); check(r == 0 || r == -1);", &["true"]),
    // Variables that the library defines.
    ("extern char *optarg; extern int optind; check(optarg == 0 && optind == 1);", &["true"]),
    ("extern char **environ; if (environ[0]) reach_error();", &["unknown"]),
    // Output may fail, and says how much it wrote where it does not.
    ("int n = printf(\"abc\"); check(n < 0 || n == 3);", &["true"]),
    ("int n = printf(\"%d\", 5); check(n < 1000000000);", &["true", "unknown"]),
    ("check(fputs(\"x\", stdout) >= 0);", &["false"]),
    ("check(puts(\"x\") >= 0);", &["false"]),
    ("check(putchar('x') == 'x');", &["false"]),
    ("int n = 0; printf(\"ab%n\", &n); check(n == 2);", &["true"]),
    // Not modelled is not any value.
    ("check(fesetround(FE_UPWARD) != 0);", &["false"]),
    ("check(fegetround() == FE_TONEAREST);", &["true"]),
    ("if (setlocale(LC_ALL, \"de_DE\")) reach_error();", &["unknown"]),
    ("check(atexit(0) == 0);", &["unknown"]),
    ("FILE *f = fmemopen(0, 10, \"w\"); check(f != 0);", &["unknown"]),
    ("if (nice(1) == -1 && errno == 0) reach_error();", &["false"]),
    // Constants.
    ("check(wcslen(L\"four\") == 4 && wcscmp(L\"a\", L\"b\") < 0);", &["true"]),
    ("time_t t = 86400; check(gmtime(&t)->tm_mday == 2);", &["true"]),
    ("check(nextafter(1.0, 2.0) > 1.0);", &["true"]),
    (
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&m); check(pthread_mutex_trylock(&m) == EBUSY);",
        &["true"],
    ),
    (
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&m); pthread_mutex_lock(&m); reach_error();",
        &["true"],
    ),
    // Input.
    ("char b[8]; if (fgets(b, 8, stdin) && atoi(b) == 42) reach_error();", &["false"]),
    ("check(rand() != 77);", &["false"]),
    // The same seed gives the same numbers.
    ("srand(5); int a = rand(); srand(5); check(a == rand());", &["true", "unknown"]),
    ("int a = rand(); srand(1); check(a == rand());", &["true", "unknown"]),
    ("srand(1); int a = rand(); srand(0); check(a == rand());", &["true", "unknown"]),
    ("srand48(1); long a = lrand48(); srand48(1); check(a == lrand48());", &["true", "unknown"]),
    ("srand(5); srand(5); check(rand() != 77);", &["false"]),
    ("unsigned s = 3, t = 3; int a = rand_r(&s), b = rand_r(&t); check(a == b && s == t);", &["true"]),
    // No file has a negative number.
    ("errno = 0; char b[2]; check(read(-1, b, 2) == -1 && errno == EBADF);", &["true"]),
    ("check(fcntl(-1, F_GETFD) == -1);", &["true"]),
    ("check(close(-1) == 0);", &["false"]),
    ("check(close(3) == 0);", &["false"]),
    ("int f = open(\"f\", O_RDONLY); if (f >= 0) check(lseek(f, 0, SEEK_SET) == 0);", &["unknown"]),
    ("int f = dup(5); check(f != 5);", &["true"]),
    ("int f = dup2(1, 7); check(f == 7);", &["false"]),
    ("int f = dup2(1, 7); check(f == 7 || f == -1);", &["true"]),
    ("int p[2]; if (pipe(p) == 0) check(p[0] != p[1] && p[0] >= 0 && p[1] >= 0);", &["true"]),
    // Some clocks never go back.
    (
        "struct timespec a, b; if (!clock_gettime(CLOCK_MONOTONIC, &a) && !clock_gettime(CLOCK_MONOTONIC, &b)) \
         check(b.tv_sec > a.tv_sec || b.tv_sec == a.tv_sec && b.tv_nsec >= a.tv_nsec);",
        &["true"],
    ),
    (
        "struct timespec a, b; if (!clock_gettime(CLOCK_REALTIME, &a) && !clock_gettime(CLOCK_REALTIME, &b)) \
         check(b.tv_sec >= a.tv_sec);",
        &["false"],
    ),
    ("clock_t a = clock(), b = clock(); if (a != -1 && b != -1) check(a <= b);", &["true", "unknown"]),
    // Streams in memory.
    (
        "char b[8] = \"\"; FILE *f = fmemopen(b, 8, \"w\"); if (!f) return 0; check(fputs(\"abc\", f) == 1); \
         check(b[0] == 0 && fclose(f) == 0 && strcmp(b, \"abc\") == 0);",
        &["true"],
    ),
    (
        "char b[8] = \"\"; FILE *f = fmemopen(b, 8, \"w\"); if (!f) return 0; fputs(\"abc\", f); check(b[0] == 'a');",
        &["false"],
    ),
    ("char b[8]; check(fmemopen(b, 8, \"w\") != 0);", &["false"]),
    (
        "char b[8] = \"abcdefg\", t[9] = \"\"; FILE *f = fmemopen(b, 8, \"r\"); if (!f) return 0; \
         check(fread(t, 1, 9, f) == 8 && feof(f) && !ferror(f) && !memcmp(b, t, 8) && fputc('x', f) == -1 && ferror(f));",
        &["true"],
    ),
    (
        "char b[8] = \"abc\"; FILE *f = fmemopen(b, 8, \"r\"); if (!f) return 0; fgetc(f); b[1] = 'x'; \
         check(fgetc(f) == 'b');",
        &["true", "unknown"],
    ),
    // What time zones do.
    ("time_t t = 1705322400; char b[26]; check(ctime_r(&t, b) == b && b[25] == 0 && b[19] == ' ');", &["true"]),
    ("time_t t = 1705322400; char b[26]; check(ctime_r(&t, b) == b && b[0] == 'M');", &["unknown"]),
    ("struct tm *d = getdate(\"5 May\"); check(d ? d->tm_mon < 12 : getdate_err >= 1 && getdate_err <= 8);", &["true"]),
    ("check(getdate(\"5 May\") != 0);", &["false"]),
    ("check(difftime((1L << 53) + 1, 1L << 53) == 1.0);", &["true"]),
    // Keys of the one thread.
    (
        "pthread_key_t k; check(pthread_key_create(&k, 0) == 0 && pthread_getspecific(k) == 0); int x; \
         check(pthread_setspecific(k, &x) == 0 && pthread_getspecific(k) == &x);",
        &["true"],
    ),
    ("pthread_key_t k; pthread_key_create(&k, 0); check(k == 0);", &["unknown"]),
    // A name that is not declared says its type.
    ("double d = __VERIFIER_nondet_double(); check(!(d > 0.25 && d < 0.5));", &["false"]),
];

#[test]
fn answers() {
    let scratch = Scratch::new("library");
    let mut wrong = Vec::new();
    for (body, expected) in ANSWERS {
        let (result, _) = verify(&scratch, &format!("{HEAD}int main(void) {{ {body} }}\n"), "unreach-call", "20s");
        if !expected.iter().any(|answer| result.starts_with(answer)) {
            wrong.push(format!("{body}: {result}, not {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn memory_that_the_library_touches() {
    let scratch = Scratch::new("library-memory");
    let programs = [
        ("int a[2] = {2, 1}; qsort(a, 4, sizeof *a, same);", "false(valid-deref)"),
        ("int a[2] = {2, 1}; qsort(a, 2, sizeof *a, same);", "true"),
        ("wchar_t w[3]; wcscpy(w, L\"abc\");", "false(valid-deref)"),
        ("wchar_t w[4]; wcscpy(w, L\"abc\");", "true"),
        ("struct stat *s = malloc(8); if (s) { stat(\"f\", s); free(s); }", "false(valid-deref)"),
        ("FILE *s = fopen(\"f\", \"r\"); if (s) (void)*s;", "true"),
        ("FILE *s = fopen(\"f\", \"r\"); (void)*s;", "false(valid-deref)"),
        ("char b[2]; FILE *s = fmemopen(b, 4, \"w\"); if (s) { fputs(\"abc\", s); fclose(s); }", "false(valid-deref)"),
        ("char b[4]; FILE *s = fmemopen(b, 4, \"w\"); if (s) { fputs(\"abc\", s); fclose(s); }", "true"),
        ("pthread_key_create(0, 0);", "false(valid-deref)"),
    ];
    for (body, expected) in programs {
        let text = format!(
            "{HEAD}static int same(const void *a, const void *b) {{ return 0; }}\nint main(void) {{ int (*f)(const void *, \
             const void *) = same; {body} return f == 0; }}\n"
        );
        let (result, _) = verify(&scratch, &text, "valid-deref", "20s");
        assert!(result.starts_with(expected), "{body}: {result}, not {expected}");
    }
}

/// The exit code tells how the program ended, and its two streams stay apart.
#[test]
fn runs() {
    let scratch = Scratch::new("library-run");
    let run = |name: &str, body: &str| {
        let program = scratch.file(name, format!("{HEAD}int main(void) {{ {body} }}\n"));
        foldback(["run", program.to_str().expect("a plain path")])
    };
    let output = run("exit.c", "fprintf(stderr, \"to stderr %d\\n\", 5); puts(\"to stdout\"); return 42;");
    assert_eq!(output.status.code(), Some(42));
    assert_eq!(stdout(&output), "to stdout\n");
    assert!(stderr(&output).starts_with("to stderr 5\n"), "{}", stderr(&output));
    assert_eq!(run("abort.c", "abort();").status.code(), Some(134));
    assert_eq!(run("reached.c", "reach_error();").status.code(), Some(134));
    assert_eq!(run("jump.c", "return atexit(0);").status.code(), Some(125));
    let open = run("open.c", "char t[40]; sprintf(t, \"%.3f %g\", sin(1.0), 0.1); puts(t); return rand() < 0;");
    assert_eq!((stdout(&open).as_str(), open.status.code()), ("0.841 0.1\n", Some(0)));
    assert!(stderr(&open).contains("computed by this machine's C library: rand, sin"), "{}", stderr(&open));
}

/// Headers that are not bundled are the machine's, and the answer says so.
#[test]
fn headers_of_the_machine() {
    if !std::path::Path::new("/usr/include/ifaddrs.h").exists() {
        return;
    }
    let scratch = Scratch::new("library-headers");
    let program = scratch.file("p.c", "#include <stdio.h>\n#include <ifaddrs.h>\nint main(void) { struct ifaddrs a; a.ifa_flags = 3; return a.ifa_flags; }\n");
    let output = foldback(["run", program.to_str().expect("a plain path")]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let output = foldback(["verify", program.to_str().expect("a plain path")]);
    assert!(stdout(&output).contains("this machine's own header"), "{}", stdout(&output));
}
