//! Memory behind pointers that nobody set: a counterexample may say what is there, but it stays there, and is there from the
//! start. And objects without end.

use crate::common::{Scratch, check_answers, verify_with};

const HEAD: &str = "#include <stdlib.h>\nextern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n\
    extern void *__VERIFIER_nondet_pointer(void);\n\
    struct inner { int a, b; struct inner *next; }; struct outer { int n; struct inner *in; };\n";

/// Property, program, how the result begins; `!` what it must not be.
const ANSWERS: &[(&str, &str, &str)] = &[
    // What malloc left there may be the address of something.
    (
        "unreach-call",
        "int main() { struct outer *o = malloc(sizeof *o); if (o && o->in && o->in->a == 7) reach_error(); }",
        "false(unreach-call)",
    ),
    (
        "unreach-call",
        "int main() { struct outer *o = malloc(sizeof *o); if (o && o->in && o->in->a == 7 && o->in->b == 9) reach_error(); }",
        "false(unreach-call)",
    ),
    (
        "unreach-call",
        "int main() { struct outer *o = malloc(sizeof *o); if (o && o->in && o->in->next && o->in->next->b == 3) reach_error(); }",
        "false(unreach-call)",
    ),
    // A pointer from outside is no number, wherever it lies, and there are others where it points to.
    (
        "unreach-call",
        "int main() { struct inner i, *a[3]; i.a = 1; for (int j = 0; j < 3; j++) a[j] = __VERIFIER_nondet_pointer(); a[1] = &i;\
         if (a[0] && a[0]->a == 5) reach_error(); }",
        "false(unreach-call)",
    ),
    (
        "unreach-call",
        "int main() { struct inner i, *a[3]; struct outer o, *p; i.a = 1; o.in = &i; p = __VERIFIER_nondet_pointer(); if (__VERIFIER_nondet_int()) p = &o;\
         if (p && p->in->a == 5) reach_error(); }",
        "!true",
    ),
    (
        "unreach-call",
        "int main() { struct inner i; i.a = 1; struct outer *p = __VERIFIER_nondet_pointer(); if (__VERIFIER_nondet_int()) p->in = &i;\
         if (p->in->a == 5) reach_error(); }",
        "!true",
    ),
    // What is around the member that it points to.
    (
        "unreach-call",
        "struct device { struct device *parent; }; struct usb { int state; struct device dev; };\
         int main() { struct device *d = malloc(sizeof *d); struct usb *u = (struct usb *)((char *)d->parent - __builtin_offsetof(struct usb, dev));\
         if (u->state == 7) reach_error(); }",
        "false(unreach-call)",
    ),
    (
        "unreach-call",
        "struct device { struct device *parent; }; struct usb { int state; struct device dev; };\
         int main() { struct device *d = malloc(sizeof *d); if (d->parent->parent == d) {\
         struct usb *u = (struct usb *)((char *)d->parent - __builtin_offsetof(struct usb, dev));\
         if (u->state == 7 && u->dev.parent != d) reach_error(); } }",
        "!false",
    ),
    // It says the same each time.
    (
        "unreach-call",
        "int main() { struct outer *o = malloc(sizeof *o); if (o && o->in && o->in->a == 7) if (o->in->a == 8) reach_error(); }",
        "!false",
    ),
    // Nothing comes to be there after a write, not even of what was there.
    (
        "unreach-call",
        "int main() { struct outer *o = malloc(sizeof *o); if (o && o->in) { o->in->a = 0; if (o->in->a == 5) reach_error(); } }",
        "!false",
    ),
    (
        "unreach-call",
        "int main() { struct outer *o = malloc(sizeof *o); if (o && o->in) { o->in->a = 4; if (o->in->a == 5) reach_error(); } }",
        "!false",
    ),
    // A byte of it is a byte of it.
    (
        "unreach-call",
        "int main() { struct outer *o = malloc(sizeof *o); if (o && o->in) { unsigned char *b = (void *)&o->in->a;\
         if (b[0] == 1 && o->in->a == 2) reach_error(); } }",
        "!false",
    ),
    // Null pointers and those of the program stay what they are.
    (
        "unreach-call",
        "int main() { struct outer o = {1, 0}; if (__VERIFIER_nondet_int()) { int a = o.in->a; if (a == 7) reach_error(); } }",
        "!false",
    ),
    (
        "unreach-call",
        "static struct inner z; int main() { struct outer o = {1, &z}; if (o.in->a == 7) reach_error(); }",
        "true",
    ),
];

#[test]
fn what_is_behind_pointers_that_nobody_set() {
    check_answers("outside-memory", HEAD, ANSWERS);
}

/// Programs in which running out of object numbers is all that is left, and one in which it is not.
const ENDLESS: &[(&str, &str, &str)] = &[
    (
        "unreach-call",
        "int main() { int *p = 0; while (__VERIFIER_nondet_int()) { p = calloc(1, 2024); if (!p) continue; p[3] = 1; } return 0;\
         reach_error(); }",
        "true",
    ),
    (
        "unreach-call",
        "int main() { int n = 0; while (__VERIFIER_nondet_int()) { int *p = calloc(1, 2024); if (p && ++n == 3) reach_error(); } }",
        "false(unreach-call)",
    ),
];

#[test]
fn objects_without_end_and_nothing_to_prove() {
    check_answers("outside-endless", HEAD, ENDLESS);
}

/// What a function without body leaves in a struct need not be what the program puts there.
#[test]
fn pointers_that_are_left_in_a_struct_are_from_outside() {
    let program = format!(
        "{HEAD}void fill(struct outer *);\n\
         int main() {{ struct outer o; struct inner i; i.a = 1; fill(&o); if (__VERIFIER_nondet_int()) o.in = &i;\n\
         if (o.in->a == 5) reach_error(); }}\n"
    );
    let flags = ["-p", "unreach-call", "--externs", "arguments", "--time-limit", "10s"];
    let (result, said) = verify_with(&Scratch::new("left-in-struct"), &program, &flags);
    assert!(!result.starts_with("true"), "{said}");
}

const LEFT: &[(&str, &str)] = &[
    ("struct many s = {{&x, &x, &x}}; leave_many(&s); x = 1; *s.q[1] = 7;", "!true"),
    ("struct both s = {{{&x}, {&x}}}; leave_both(&s); x = 1; *s.in[1].p = 7;", "!true"),
    ("int *a[3] = {&x, &x, &x}; leave_all(a); x = 1; *a[1] = 7;", "!true"),
    ("struct one s[3] = {{&x}, {&x}, {&x}}; leave_one(s); x = 1; *s[2].p = 7;", "!true"),
    ("struct one s[3] = {{&x}, {&x}, {&x}}; leave_one(s + 1); x = 1; *s[0].p = 7;", "!true"),
    // Many pointers share one.
    ("struct lot s; for (int i = 0; i < 100; i++) s.q[i] = &x; leave_lot(&s); x = 1; *s.q[99] = 7;", "!true"),
    // What it was not given it leaves alone.
    ("struct many s = {{&x, &x, &x}}, t = s; leave_many(&s); x = 1; *t.q[1] = 7;", "true"),
];

/// The same of pointers in arrays within a struct, in other structs of the variable, and in arrays of pointers.
#[test]
fn pointers_that_are_left_anywhere_in_a_variable_are_from_outside() {
    let head = "extern void reach_error(void); static int x; struct one { int *p; }; struct many { int *q[3]; int k; };\n\
        struct both { struct one in[2]; int z; }; struct lot { int *q[100]; }; void leave_one(struct one *); void leave_many(struct many *);\n\
        void leave_both(struct both *); void leave_all(int **); void leave_lot(struct lot *);\n";
    let scratch = Scratch::new("left-anywhere");
    for (body, expected) in LEFT {
        let program = format!("{head}int main(void) {{ {body} if (x != 7) reach_error(); return 0; }}\n");
        let flags = ["-p", "unreach-call", "--externs", "arguments", "--time-limit", "20s"];
        let (result, said) = verify_with(&scratch, &program, &flags);
        let is_right =
            expected.strip_prefix('!').map_or(result.starts_with(expected), |never| !result.starts_with(never));
        assert!(is_right, "{body}: {result}\n{said}");
    }
}

/// What functions without body may do to memory; what is declared; the function.
const MIXED: &[(&str, &str, &str)] = &[
    // Bytes that are left where pointers were.
    ("arguments", "void leave(void *);", "int *p = &x; leave(&p); x = 1; if (*p != 1) reach_error();"),
    ("arguments", "void leave(long *);", "int *p = &x; leave((long *)&p); x = 1; if (*p != 1) reach_error();"),
    (
        "arguments",
        "void leave(void *);",
        "struct one *s = malloc(3 * sizeof *s); s[2].p = &x; leave(s); x = 1; if (*s[2].p != 1) reach_error();",
    ),
    (
        "arguments",
        "void leave(int *);",
        "struct one *s = malloc(sizeof *s); s->p = &x; leave(&s->k); x = 1; if (*s->p != 1) reach_error();",
    ),
    // Structs and unions that are returned.
    ("any", "struct one give(void);", "struct one s = {&x, 1}; s = give(); x = 1; if (*s.p != 1) reach_error();"),
    ("pure", "union both give(void);", "int *p = nd() ? give().p : &x; x = 1; if (*p != 1) reach_error();"),
    // Variables of other files, and what lies behind pointers from there.
    (
        "arguments",
        "extern struct one there;",
        "struct one s = {&x, 1}; if (nd()) s = there; x = 1; if (*s.p != 1) reach_error();",
    ),
    (
        "any",
        "struct one *give(void);",
        "int *p = &x; struct one *s = give(); if (nd()) p = s[3].p; x = 1; if (*p != 1) reach_error();",
    ),
    (
        "pure",
        "struct one *give(void);",
        "int *p = &x; struct one *s = give(); if (nd()) p = s[3].p; x = 1; if (*p != 1) reach_error();",
    ),
    // No address of the program gets out: the memory of the outside changes, is the same twice, and keeps what is stored there.
    ("any", "int *give(void);", "int *p = give(); *p = 5; nd(); if (*p != 5) reach_error();"),
    ("any", "int *give(void);", "int *p = give(), *q = give(); *p = 5; *q = 6; if (*p != 5) reach_error();"),
    (
        "any",
        "struct one *give(void); int *other(void);",
        "struct one *s = give(); int *q = other(); s->k = 1; *q = 2; if (s->k != 1) reach_error();",
    ),
    ("any", "int **give(void);", "int **p = give(); *p = &x; x = 1; nd(); if (x != 1) reach_error();"),
    ("any", "int *give(int *) __attribute__((pure));", "int *p = give(&x); x = 1; *p = 5; if (x != 1) reach_error();"),
];

/// Where a pointer is one of the program's own or one that code outside has put into memory, it may be the latter.
#[test]
fn pointers_of_code_outside_are_not_those_of_the_program() {
    let head = "#include <stdlib.h>\nextern void reach_error(void); extern int nd(void); static int x; struct one { int *p; int k; };\n\
        union both { int *p; long l; };\n";
    let scratch = Scratch::new("foreign-pointers");
    for (effects, declared, body) in MIXED {
        let program = format!("{head}{declared}\nint main(void) {{ {body} return 0; }}\n");
        let flags = ["-p", "unreach-call", "--externs", effects, "-e", "kind", "--time-limit", "2s"];
        let (result, said) = verify_with(&scratch, &program, &flags);
        assert!(!result.starts_with("true"), "{declared} {body}: {result}\n{said}");
    }
    // A variable that never holds one of them is left alone.
    let program = format!(
        "{head}void leave(void *);\n\
         int main(void) {{ int *p = &x, *q = &x; leave(&p); x = 1; *q = 2; if (x != 2) reach_error(); return 0; }}\n"
    );
    let (result, said) = verify_with(&scratch, &program, &["-p", "unreach-call", "--externs", "arguments"]);
    assert!(result.starts_with("true"), "{said}");
}

/// Pointers in what the caller of the entry function gives, deeper than they are followed.
#[test]
fn pointers_that_are_not_followed_are_those_of_the_caller() {
    let program = "extern void reach_error(void); extern int nd(void); static int x; union both { int *p; long l; };\n\
        int entry(union both u) { int *p = nd() ? u.p : &x; x = 1; if (*p != 1) reach_error(); return 0; }\n";
    let flags = ["-p", "unreach-call", "--entry", "entry", "--time-limit", "10s"];
    let (result, said) = verify_with(&Scratch::new("not-followed"), program, &flags);
    assert!(!result.starts_with("true"), "{said}");
}
