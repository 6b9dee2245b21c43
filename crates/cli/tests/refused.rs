//! Where there is no proof and counterexamples are refused: engines look for others, also in a program that sees our own addresses.

use crate::common::{Scratch, foldback, stdout};

const HEAD: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n\
    extern long __VERIFIER_nondet_long(void);\n";

/// The last line of what is said of the program, as competitions ask about it.
fn result(name: &str, program: &str, flags: &[&str]) -> String {
    let scratch = Scratch::new(name);
    let file = scratch.file("p.c", format!("{HEAD}{program}\n"));
    let property = scratch.file("p.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    let (file, property) = (file.to_string_lossy(), property.to_string_lossy());
    let usual = ["verify", "--jobs", "1", "--property", &*property, &*file];
    let said = stdout(&foldback(usual.into_iter().chain(flags.iter().copied())));
    said.lines().last().unwrap_or_default().to_owned()
}

/// The first way to the error goes through a number that is no address, and is no way.
#[test]
fn behind_a_counterexample_that_does_not_stand_paths_are_followed_further() {
    let program = "int main(void) { int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int(), s = 0;\n\
        if (i > 0) { int *q = (int *)((__VERIFIER_nondet_long() & 0xffff) + 100000L); if (*q != 3) reach_error(); return 0; }\n\
        for (int k = 0; k < j; k++) s += __VERIFIER_nondet_int() == k;\n";
    let with_another = format!("{program} if (s == 60) reach_error(); return 0; }}");
    assert_eq!(
        result("another-way", &with_another, &["--time-limit", "30s", "--engine", "se"]),
        "RESULT: false(unreach-call)"
    );
    // What is left of the paths is no proof where one was refused.
    let without = format!("{} return 0; }}", program.replace("k < j", "k < 3"));
    let said = result("no-other-way", &without, &["--time-limit", "30s", "--engine", "se"]);
    assert!(said.starts_with("RESULT: unknown("), "{said}");
}

/// Bytes are copied from memory that pointers from outside lead to: all that is read there may be a part of an address for all that the analysis
/// knows, and no condition on it means anything. Where the program sees our own addresses it reads what it was given.
#[test]
fn what_is_read_beside_addresses_is_what_was_given() {
    let head = "void *memcpy(void *, const void *, unsigned long);\n\
        struct packet { struct packet *next; unsigned char *data; unsigned len; };\n\
        struct device { struct packet *queue; int state; unsigned char message[8]; };\n\
        int main(void) { struct device *d; struct packet *p;\n\
        if (__VERIFIER_nondet_int()) memcpy((void *)d->message, (void *)p->data, 4);\n\
        d->queue = p;\n";
    let reached = "if (d->queue->len == 16 && p->data[4] == 8 && d->state == 3) reach_error(); return 0; }";
    assert_eq!(
        result("beside-addresses", &format!("{head}{reached}"), &["--time-limit", "30s"]),
        "RESULT: false(unreach-call)"
    );
}

/// Nothing is proved of the program that sees them, and only what the compiled program shows is believed of it.
#[test]
fn our_own_addresses_show_nothing_by_themselves() {
    let head = "void *memcpy(void *, const void *, unsigned long);\n\
        int x, y; struct box { int *at; } from, to;\n\
        int main(void) { unsigned char parts[sizeof from]; from.at = &x;\n\
        if (__VERIFIER_nondet_int()) memcpy((void *)&to, (void *)&from, 3); else { to.at = &y; }\n\
        memcpy((void *)parts, (void *)&from, sizeof from);\n";
    for condition in
        ["*to.at == 1", "parts[1] == 3 && parts[2] == 77 && parts[3] == 78 && parts[7] == 79", "parts[1] != 0"]
    {
        let program = format!("{head} if ({condition}) reach_error(); return 0; }}");
        let said = result("own-addresses", &program, &["--time-limit", "6s"]);
        assert!(!said.contains("true"), "{condition}: {said}");
        if condition != "parts[1] != 0" {
            assert!(!said.contains("false"), "{condition}: {said}");
        }
    }
}
