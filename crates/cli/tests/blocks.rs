//! Blocks that `alloca` makes in a loop, and variable arrays in one.

use crate::common::check_answers;

const HEAD: &str = "#include <alloca.h>\n#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\n";

/// Property, program, how the result begins; `!` what it must not be.
const ANSWERS: &[(&str, &str, &str)] = &[
    (
        "memsafety",
        "int main(void) { int s = 0; for (int i = 0; i < 5; i++) { int *p = alloca(4); *p = i; s += *p; } return s; }",
        "true",
    ),
    (
        "memsafety",
        "struct n { struct n *next; int v; }; int main(void) { struct n *l = 0; for (int i = 0; i < 3; i++) { \
         struct n *p = alloca(sizeof *p); p->next = l; p->v = i; l = p; } int s = 0; while (l) { s += l->v; l = l->next; } \
         return s; }",
        "true",
    ),
    // Each of the blocks ends with the function, and none before.
    (
        "memsafety",
        "static int *keep; static void f(int k) { for (int i = 0; i < 5; i++) { int *p = alloca(4); *p = i; if (i == k) keep = p; } } \
         int main(void) { f(2); return *keep; }",
        "false(valid-deref)",
    ),
    (
        "memsafety",
        "static int *keep; static int f(int k) { for (int i = 0; i < 5; i++) { int *p = alloca(4); *p = i; if (i == k) keep = p; } \
         return *keep; } int main(void) { int k = __VERIFIER_nondet_int(); return k < 0 || k > 4 ? 0 : f(k); }",
        "true",
    ),
    (
        "memsafety",
        "int main(void) { for (int i = 0; i < 3; i++) { char *p = alloca(i + 1); p[i] = 1; if (i == 2) free(p); } return 0; }",
        "false(valid-free)",
    ),
    (
        "memsafety",
        "int main(void) { for (int i = 0; i < 3; i++) { char *p = alloca(i + 1); p[i + 1] = 1; } return 0; }",
        "false(valid-deref)",
    ),
    ("memsafety", "int main(void) { for (int i = 1; i < 5; i++) { int a[i]; a[i - 1] = i; } return 0; }", "true"),
    (
        "memsafety",
        "int main(void) { int *q = 0; for (int i = 1; i < 5; i++) { int a[i]; a[0] = i; q = a; } return *q; }",
        "false(valid-deref)",
    ),
];

#[test]
fn blocks_in_loops() {
    check_answers("blocks", HEAD, ANSWERS);
}
