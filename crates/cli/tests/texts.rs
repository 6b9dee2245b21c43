//! Loops along texts, of sizes that nobody unrolls: the last character stays what it is, and where one walk was stopped another one is.
//! By the engine that looks for such invariants; bugs beside them are no proofs, and are found.

use crate::common::{Scratch, foldback, stderr, stdout};

const HEAD: &str =
    "#include <stdlib.h>\nextern unsigned __VERIFIER_nondet_uint(void); extern char __VERIFIER_nondet_char(void);\n";

/// Words between commas go to a buffer, without the blanks around them and without quotes; commas in quotes are none.
const WORDS: &str = "int main(void) { char text[61], word[12]; text[60] = 0;\n\
    int start = 0, i = -1, quoted = 0;\n\
    do { i++;\n\
      switch (text[i]) {\n\
      case '\"': quoted = !quoted; break;\n\
      case ',': if (quoted) break;\n\
      case 0: {\n\
        while (text[start] == ' ' || text[start] == '\\t') start++;\n\
        if (text[start] == '\"') start++;\n\
        int end = i - 1;\n\
        while (0 < end && (text[end] == ' ' || text[end] == '\\t')) end--;\n\
        if (start > end || end - start + 1 >= ROOM) return 1;\n\
        int k; for (k = 0; k <= end - start; k++) word[k] = text[start + k];\n\
        word[k] = 0;\n\
        start = i + 1; } } } while (text[i]);\n\
    return 0; }\n";

/// A text of any length in a block, its first word in another one.
const BLOCKS: &str = "int main(void) { unsigned n = __VERIFIER_nondet_uint(), m = __VERIFIER_nondet_uint();\n\
    if (n < 1 || m < 1 || n > 1000000 || m > 1000000) return 0;\n\
    char *s = malloc(n), *t = malloc(m); if (!s || !t) return 0;\n\
    s[n - 1] = 0;\n\
    unsigned i = 0, j = 0;\n\
    while (s[i] == ' ') i++;\n\
    while (s[i] && s[i] != ',') { if (ROOM < m) t[j++] = s[i]; i++; }\n\
    t[j] = 0; free(s); free(t); return 0; }\n";

/// One walk ends at the last character or at a semicolon, which is written over; another one goes on from there.
const TWICE: &str = "int main(void) { char text[1001]; text[1000] = 0; int i = 0;\n\
    while (text[i] && text[i] != ';') i++;\n\
    WRITE\n\
    int j = i; while (text[j] && text[j] != ';') j++;\n\
    return j; }\n";

/// Blanks at both ends, with pointers, in place.
const STRIP: &str = "int main(void) { char text[1001]; text[1000] = 0; char *start = text, *end, *to = text;\n\
    while (*start == ' ' || *start == '\\t') start++;\n\
    end = start; while (*end) end++;\n\
    while (STOP(end[-1] == ' ' || end[-1] == '\\t')) end--;\n\
    *end = 0;\n\
    while (*start) *to++ = *start++;\n\
    *to = 0; return 0; }\n";

/// With `safe` in place of `hole` it is proved by the engine alone; with `bug` it is not, and all together find an execution.
fn check(name: &str, program: &str, hole: &str, safe: &str, bug: &str) {
    let scratch = Scratch::new(name);
    let said = |filled: &str, engine: &str| {
        let file = scratch.file("program.c", format!("{HEAD}{}", program.replace(hole, filled)));
        let file = file.to_str().expect("UTF-8");
        let output = foldback([
            "verify",
            "--engine",
            engine,
            "--property",
            "valid-deref",
            "--time-limit",
            "60s",
            "--jobs",
            "1",
            file,
        ]);
        let all = stdout(&output);
        let result = all.lines().find_map(|line| line.strip_prefix("RESULT: ")).unwrap_or_default().to_string();
        (result, all + &stderr(&output))
    };
    let (result, all) = said(safe, "houdini");
    assert_eq!(result, "true", "{all}");
    let (result, all) = said(bug, "portfolio");
    assert_eq!(result, "false(valid-deref)", "{all}");
    assert!(all.contains("confirmed by the compiled program"), "{all}");
}

#[test]
fn words_without_blanks_and_quotes() {
    check("texts-words", WORDS, "ROOM", "12", "14");
}

#[test]
fn a_text_in_a_block_of_any_size() {
    check("texts-blocks", BLOCKS, "ROOM", "j + 1", "j");
}

#[test]
fn the_last_character_is_written_over() {
    check("texts-twice", TWICE, "WRITE", "if (text[i]) text[i] = 'x';", "text[i] = 'x';");
}

#[test]
fn blanks_at_both_ends() {
    check("texts-strip", STRIP, "STOP", "end > start && ", "");
}

/// A character of two bytes steps over the end of a text, if one of one byte stands before it: many texts of any length do that, and no
/// solver is asked.
#[test]
fn a_text_of_many_characters_is_run_through() {
    let scratch = Scratch::new("texts-run");
    let program = "int main(void) { char text[100001]; text[100000] = 0; int i = 0;\n\
        while (text[i]) { unsigned char c = text[i]; i++; if (c >= 0xa1 && c <= 0xfe) i++; }\n\
        return i; }\n";
    let file = scratch.file("program.c", program);
    let file = file.to_str().expect("UTF-8");
    let output = foldback([
        "verify",
        "--engine",
        "random",
        "--property",
        "valid-deref",
        "--time-limit",
        "20s",
        "--jobs",
        "1",
        file,
    ]);
    let all = stdout(&output);
    assert!(all.contains("RESULT: false(valid-deref)"), "{all}{}", stderr(&output));
}
