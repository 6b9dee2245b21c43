//! What loops count, in order, and what is below the top of a stack: by the engine that looks for it. Bugs beside them are no proofs.

use crate::common::{Scratch, foldback, stderr, stdout};

const HEAD: &str = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void); extern char __VERIFIER_nondet_char(void);\n\
    extern unsigned __VERIFIER_nondet_uint(void);\n";

/// Brackets go on a stack and come off it again; what lies below the top was pushed, too.
const BRACKETS: &str = "int main(void) { char stack[6]; short top = -1;\n\
    while (__VERIFIER_nondet_int()) { char c = __VERIFIER_nondet_char();\n\
      if (OPENS) { top++; if (top == 6) break; stack[top] = c; }\n\
      else if (top > 0) { top--; assert(stack[top] == '[' || stack[top] == '{'); } }\n\
    return 0; }\n";

/// Each token takes a place of the text at least, so there are fewer tokens than places, and fewer parts of each token.
const TOKENS: &str = "int main(void) { char text[1000]; int size[8]; unsigned length = __VERIFIER_nondet_uint();\n\
    unsigned at = 0, used = 0; int super = -1, count = 0;\n\
    if (length > 1000) return 0;\n\
    while (at < length) {\n\
      if (text[at] == '[') { if (used >= 8) break; count++; size[used] = 0; super = used++; at++; }\n\
      else { unsigned start = at; while (at < length && text[at] != ' ') at++;\n\
             AFTER\n\
             count++; if (super != -1) size[super]++; at++; } }\n\
    return count; }\n";

fn said(scratch: &Scratch, program: &str, property: &str) -> (String, String) {
    said_within(scratch, program, property, "60s")
}

fn said_within(scratch: &Scratch, program: &str, property: &str, time: &str) -> (String, String) {
    let file = scratch.file("program.c", format!("{HEAD}{program}"));
    let file = file.to_str().expect("UTF-8");
    let output =
        foldback(["verify", "--engine", "houdini", "--property", property, "--time-limit", time, "--jobs", "1", file]);
    let all = stdout(&output);
    let result = all.lines().find_map(|line| line.strip_prefix("RESULT: ")).unwrap_or_default().to_string();
    (result, all + &stderr(&output))
}

#[test]
fn what_is_below_the_top_of_a_stack() {
    let scratch = Scratch::new("ordered-stack");
    let (result, all) = said(&scratch, &BRACKETS.replace("OPENS", "c == '[' || c == '{'"), "assert");
    assert_eq!(result, "true", "{all}");
    let (result, all) = said(&scratch, &BRACKETS.replace("OPENS", "c == '[' || c == '{' || c == '('"), "assert");
    assert!(result.starts_with("unknown"), "{all}");
}

#[test]
fn what_is_counted_stays_below_what_is_counted_faster() {
    let scratch = Scratch::new("ordered-counters");
    let (result, all) = said(&scratch, &TOKENS.replace("AFTER", ""), "no-overflow");
    assert_eq!(result, "true", "{all}");
    // An iteration that goes back to where it started may be made for ever.
    let (result, all) = said(&scratch, &TOKENS.replace("AFTER", "at = start - 1;"), "no-overflow");
    assert!(result.starts_with("unknown"), "{all}");
}

/// Parts of a text, each looked at by a loop; where the part ended is forgotten before that.
const PARTS: &str = "void *malloc(unsigned long); extern unsigned long __VERIFIER_nondet_ulong(void);\n\
    int main(void) { unsigned long n = __VERIFIER_nondet_ulong(), at = 0;\n\
    if (n == 0 || n > 1000000) return 0;\n\
    char *text = malloc(n); if (!text) return 0;\n\
    while (at < n) {\n\
      unsigned long end = __VERIFIER_nondet_ulong(), from = at;\n\
      if (end < from + 2 || end > n) break;\n\
      unsigned long length = LENGTH;\n\
      end = __VERIFIER_nondet_ulong(); if (end < at || end > n) break;\n\
      at = end;\n\
      for (unsigned long i = 0; i < length; i++) if (text[from + 1 + i] == 'x') break; }\n\
    return 0; }\n";

#[test]
fn what_each_iteration_wants_is_wanted_of_the_last() {
    let scratch = Scratch::new("ordered-last");
    let (result, all) = said(&scratch, &PARTS.replace("LENGTH", "end - from - 1"), "valid-deref");
    assert_eq!(result, "true", "{all}");
    let (result, all) = said_within(&scratch, &PARTS.replace("LENGTH", "end - from"), "valid-deref", "3s");
    assert!(result.starts_with("unknown"), "{all}");
}

/// Of the candidates that nobody refutes, those are proved that the assertion needs.
#[test]
fn what_no_assertion_needs_is_not_proved() {
    let scratch = Scratch::new("ordered-needed");
    let program = BRACKETS.replace("OPENS", "c == '[' || c == '{'");
    let file = scratch.file("program.c", format!("{HEAD}{program}"));
    let file = file.to_str().expect("UTF-8");
    let how = ["--engine", "houdini", "--property", "assert", "--time-limit", "60s", "--progress", "json"];
    let output = foldback(["verify", file].into_iter().chain(how));
    let notes = stderr(&output);
    let number = |what: &str| -> usize {
        let line = notes.lines().rfind(|line| line.contains(what)).unwrap_or_else(|| panic!("{what}: {notes}"));
        let note = line.split("\"note\":\"").nth(1).expect("a note");
        note.split(' ').next().and_then(|number| number.parse().ok()).expect("a number")
    };
    let (left, proved) = (number("of them are not refuted"), number("of them are proved, and suffice"));
    assert!(0 < proved && proved < left, "{proved} of {left}");
}
