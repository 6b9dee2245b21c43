//! `__DATE__` and its like: any text of their form, nothing that happens to suit.

use crate::common::{Scratch, check_answers, foldback, stdout};

const HEAD: &str = "#include <assert.h>\n#include <stdio.h>\n#include <string.h>\n";

const ANSWERS: &[(&str, &str, &str)] = &[
    (
        "assert",
        "int main(void) { assert(sizeof __DATE__ == 12 && sizeof __TIME__ == 9 && __DATE__[3] == ' ' && __TIME__[2] == ':'); }",
        "true",
    ),
    (
        "assert",
        "int main(void) { static char d[] = __DATE__; const char *e = __DATE__; assert(strcmp(d, e) == 0 && strlen(e) == 11); }",
        "true",
    ),
    ("assert", "int main(void) { assert(__TIME__[0] <= '2' && __DATE__[0] != 'B'); }", "true"),
    (
        "assert",
        "int main(void) { int d = (__DATE__[4] == ' ' ? 0 : __DATE__[4] - '0') * 10 + __DATE__[5] - '0'; assert(d >= 1 && d <= 31); \
         if (__DATE__[0] == 'F') assert(d <= 29); int h = (__TIME__[0] - '0') * 10 + __TIME__[1] - '0'; assert(h < 24); \
         assert(__DATE__[7] != '0' && (__DATE__[7] != '1' || __DATE__[8] == '9')); }",
        "true",
    ),
    // Other literals are what they say.
    (
        "assert",
        "int main(void) { assert(__TIME__[0] != 'x' && \"00:00:00\"[7] == '0' && \"Jan  1 1970\"[0] == 'J'); }",
        "true",
    ),
    ("assert", "int main(void) { assert(__DATE__[0] != 'J'); }", "!true"),
    ("assert", "int main(void) { assert(__DATE__[7] == '1'); }", "!true"),
    ("assert", "int main(void) { assert(__DATE__[0] != 'F' || __DATE__[4] != '2' || __DATE__[5] != '9'); }", "!true"),
    ("assert", "int main(void) { char t[] = \"at \" __TIME__; assert(t[3] == '0'); }", "!true"),
    ("assert", "int main(void) { assert(__TIMESTAMP__[0] == 'T'); }", "!true"),
    ("div-by-zero", "int main(void) { return 10 / (__TIME__[7] - '1'); }", "!true"),
];

#[test]
fn nobody_knows_when_it_is_compiled() {
    check_answers("moments", HEAD, ANSWERS);
}

/// A run is as if compiled when 1970 began, as gcc with `SOURCE_DATE_EPOCH=0` has it.
#[test]
fn runs_have_one() {
    let scratch = Scratch::new("moments-run");
    let text =
        format!("{HEAD}int main(void) {{ printf(\"%s|%s|\", __DATE__, __TIME__); printf(\"built \" __DATE__); }}\n");
    let file = scratch.file("m.c", text);
    let output = foldback(["run", file.to_str().expect("UTF-8")]);
    assert_eq!(stdout(&output), "Jan  1 1970|00:00:00|built Jan  1 1970");
}
