//! ILP32 has objects of up to 2^31 bytes, which is more than its pointers have room for beside the number of the object: such
//! programs are looked at with pointers of more bits, where nobody sees how many there are.

use crate::common::{Scratch, verify_with};

const HEAD: &str = "#include <stdlib.h>\nint __VERIFIER_nondet_int(void);\nchar __VERIFIER_nondet_char(void);\n";

fn check(name: &str, body: &str, property: &str, expected: &str) {
    let scratch = Scratch::new(name);
    let flags = ["--data-model", "ilp32", "--property", property, "--time-limit", "20s"];
    let (result, said) = verify_with(&scratch, &format!("{HEAD}{body}"), &flags);
    assert!(result.starts_with(expected), "{said}");
}

#[test]
fn objects_of_any_size_are_within_reach() {
    let body = "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 2) n = 2; char *p = malloc(n); if (!p) return 0;\n\
        p[n - 1] = 0; unsigned back = -1; char *q = p + (n - 1); q += back; *q = 1; int d = (p + n) - q; if (d != 2) p[-1] = 0;\n\
        free(p); return 0; }\n";
    check("wide-malloc", body, "memsafety", "true");
}

#[test]
fn far_bugs_are_found() {
    let body = "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 500000000) return 0; int *p = malloc(n * sizeof(int));\n\
        if (!p) return 0; if (n > 300000000) p[n] = 0; free(p); return 0; }\n";
    check("wide-far", body, "memsafety", "false(valid-deref)");
}

#[test]
fn walks_along_texts_of_any_length_end() {
    let body = "static int compare(const char *s, const char *t) { while (*s && *s == *t) { s++; t++; } return *s - *t; }\n\
        int main(void) { int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int(); if (n < 1) n = 1; if (m < 1) m = 1;\n\
        char *s = __builtin_alloca(n), *t = __builtin_alloca(m); for (int i = 0; i < n - 1; i++) s[i] = __VERIFIER_nondet_char();\n\
        s[n - 1] = 0; t[m - 1] = 0; return compare(s, t); }\n";
    check("wide-texts", body, "termination", "true");
}

#[test]
fn pointers_in_memory_have_no_more_bits() {
    let body = "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1) n = 1; char **q = malloc(sizeof *q); if (!q) return 0;\n\
        *q = malloc(n); if (*q) (*q)[n - 1] = 0; free(*q); free(q); return 0; }\n";
    check("wide-memory", body, "memsafety", "unknown(bound hit");
}
