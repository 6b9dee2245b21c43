//! Witnesses of termination and of infinite executions: ours are confirmed, and what is wrong in one is found.

use crate::common::{Scratch, foldback, stderr, stdout};
use std::path::Path;

const HEAD: &str = "extern int __VERIFIER_nondet_int(void);\nextern unsigned __VERIFIER_nondet_uint(void);\n";

fn run(arguments: &[&str]) -> (String, Option<i32>) {
    let output = foldback(arguments.iter().copied().chain(["--time-limit", "16s"]));
    (stdout(&output) + &stderr(&output), output.status.code())
}

fn last(output: &str) -> &str {
    output.lines().rev().find(|line| line.starts_with("RESULT")).unwrap_or_default()
}

fn shown(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

/// Verifies the program, and gives the witness.
fn written(scratch: &Scratch, program: &str, result: &str) -> String {
    let file = scratch.file("program.c", format!("{HEAD}{program}"));
    let witness = scratch.path("written.yml");
    let (said, _) = run(&["verify", shown(&file), "--property", "termination", "--witness", shown(&witness)]);
    assert_eq!(last(&said), format!("RESULT: {result}"), "{said}");
    std::fs::read_to_string(&witness).expect("a witness")
}

/// What is said of a witness of the program in `scratch`.
fn checked(scratch: &Scratch, text: &str) -> String {
    let witness = scratch.file("witness.yml", text);
    let (said, code) = run(&["check-witness", shown(&witness), shown(&scratch.path("program.c"))]);
    let expected = match last(&said) {
        line if line.starts_with("RESULT: confirmed") => 0,
        line if line.starts_with("RESULT: rejected") => 1,
        "" => 2,
        _ => 3,
    };
    assert_eq!(code, Some(expected), "{said}");
    said
}

/// A witness that somebody else wrote: type, line, expression.
fn theirs(scratch: &Scratch, program: &str, invariants: &[(&str, u32, &str)]) -> String {
    let file = scratch.file("program.c", format!("{HEAD}{program}"));
    let mut text = "- entry_type: invariant_set\n  metadata:\n    format_version: \"2.1\"\n    producer: {name: test}\n    task:\n      specification: \"CHECK( init(main()), LTL(F end) )\"\n      data_model: LP64\n  content:\n".to_owned();
    for (kind, line, value) in invariants {
        let value = value.replace('\\', "\\\\");
        text += &format!(
            "    - invariant: {{type: {kind}, format: ext_c_expression, value: \"{value}\", location: {{file_name: \"{}\", line: {line}}}}}\n",
            file.display()
        );
    }
    text
}

const NESTED: &str = "int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), m = __VERIFIER_nondet_uint();
  for (unsigned i = 0; i < n; i++) {
    unsigned j = m;
    while (j > 0) {
      j--;
    }
  }
  return 0;
}
";

#[test]
fn rankings_are_transition_invariants() {
    let scratch = Scratch::new("nested-ranking");
    let text = written(&scratch, NESTED, "true");
    assert_eq!(text.matches("loop_transition_invariant").count(), 2, "{text}");
    assert!(text.contains("format_version: \"2.1\"") && text.contains("\\\\at(j, AnyPrev)"), "{text}");
    let said = checked(&scratch, &text);
    assert_eq!(last(&said), "RESULT: confirmed", "{said}");
}

#[test]
fn a_ranking_that_does_not_decrease_is_rejected() {
    let scratch = Scratch::new("reversed-ranking");
    let text =
        written(&scratch, "int main(void) { int n = __VERIFIER_nondet_int(), i = 0; while (i < n) i++; }", "true");
    let start = text.find("loop_transition_invariant").and_then(|at| Some(at + text[at..].find("value: \"")? + 8));
    let start = start.expect("a value");
    let end = start + text[start..].find('"').expect("its end");
    let with = |value: String| format!("{}{value}{}", &text[..start], &text[end..]);
    let value = &text[start..end];
    let said = checked(&scratch, &with(format!("!({value})")));
    assert!(last(&said).starts_with("RESULT: rejected(invariant") && said.contains("n = "), "{said}");
    // True, and no reason to end.
    for weak in ["1", "\\\\at(i, AnyPrev) <= i", "\\\\at(n, AnyPrev) == n"] {
        let said = checked(&scratch, &with(weak.to_owned()));
        assert!(last(&said).starts_with("RESULT: insufficient(") && said.contains("itself"), "{said}");
    }
    // Between neighbours it says what it says between any two.
    let said = checked(&scratch, &with("\\\\at(i, LastPrev) < i".to_owned()));
    assert_eq!(last(&said), "RESULT: confirmed", "{said}");
}

#[test]
fn transition_invariants_of_others() {
    let scratch = Scratch::new("others-transitions");
    let counter = "int main(void) {\n  int i = 0;\n  while (i < 1000) {\n    i++;\n  }\n}\n";
    let says = |values: &[&str]| {
        let invariants: Vec<_> = values.iter().map(|value| ("loop_transition_invariant", 5, *value)).collect();
        theirs(&scratch, counter, &invariants)
    };
    for good in ["\\at(i, AnyPrev) < i", "(long long)\\at(i, AnyPrev) + 1LL <= (long long)i", "\\at(i, AnyPrev) != i"] {
        let said = checked(&scratch, &says(&[good]));
        assert_eq!(last(&said), "RESULT: confirmed", "{good}: {said}");
    }
    for bad in ["\\at(i, AnyPrev) + 1 == i", "\\at(i, AnyPrev) > i", "0"] {
        let said = checked(&scratch, &says(&[bad]));
        assert!(last(&said).starts_with("RESULT: rejected("), "{bad}: {said}");
    }
    // What the relation is between signed and unsigned numbers depends on their types.
    let wide = "int main(void) {\n  long long i = -5;\n  while (i < 0) {\n    i++;\n  }\n}\n";
    let said = checked(&scratch, &theirs(&scratch, wide, &[("loop_transition_invariant", 5, "\\at(i, AnyPrev) < i")]));
    assert_eq!(last(&said), "RESULT: confirmed", "{said}");
}

#[test]
fn every_cycle_needs_one() {
    let scratch = Scratch::new("uncovered");
    // The first loop ends, the second one does not.
    let program = "int main(void) {\n  int i = 0;\n  while (i < 9) {\n    i++;\n  }\n  while (i > 0) {\n  }\n}\n";
    let text = theirs(&scratch, program, &[("loop_transition_invariant", 5, "\\at(i, AnyPrev) < i")]);
    let said = checked(&scratch, &text);
    assert!(last(&said).starts_with("RESULT: insufficient(") && said.contains("program.c:8"), "{said}");
    // The inner loop ends, and is entered anew for ever.
    let program = "int main(void) {\n  int i;\n  L: i = 0;\n  while (i < 9) {\n    i++;\n  }\n  goto L;\n}\n";
    let text = theirs(&scratch, program, &[("loop_transition_invariant", 6, "\\at(i, AnyPrev) < i")]);
    let said = checked(&scratch, &text);
    assert!(last(&said).starts_with("RESULT: insufficient("), "{said}");
    // A way round inside of the loop that does not pass its test.
    let program =
        "int main(void) {\n  int i = 0;\n  do {\n    i++;\n    L: if (i == 5) goto L;\n  } while (i < 9);\n}\n";
    let text = theirs(&scratch, program, &[("loop_transition_invariant", 5, "\\at(i, AnyPrev) < i")]);
    let said = checked(&scratch, &text);
    assert!(last(&said).starts_with("RESULT: insufficient("), "{said}");
    // Numbers come back: the counter does not grow for ever.
    let program = "int main(void) {\n  unsigned char i = 0;\n  while (1) {\n    i++;\n  }\n}\n";
    let text = theirs(&scratch, program, &[("loop_transition_invariant", 5, "\\at(i, AnyPrev) < i")]);
    let said = checked(&scratch, &text);
    assert!(last(&said).starts_with("RESULT: rejected("), "{said}");
}

/// The format has no words for recursion: its loops must be covered.
#[test]
fn recursion_needs_no_words() {
    let scratch = Scratch::new("recursive-witness");
    let program = "int f(int n) {
  if (n <= 0) return 0;
  return f(n - 1) + 1;
}
int main(void) {
  int i = f(__VERIFIER_nondet_int());
  while (i < 1000) {
    i++;
  }
}
";
    let text = written(&scratch, program, "true");
    assert_eq!(text.matches("loop_transition_invariant").count(), 1, "{text}");
    let silent = theirs(&scratch, program, &[]) + "    []\n";
    let said = checked(&scratch, &silent);
    assert!(last(&said).starts_with("RESULT: insufficient(") && said.contains("program.c:9"), "{said}");
}

const ENDLESS: &str = "int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = __VERIFIER_nondet_int();
  while (x > 0) {
    x = x + y;
    y = __VERIFIER_nondet_int();
    if (x > 100) x = 50;
  }
  return 0;
}
";

#[test]
fn infinite_executions_go_round() {
    let scratch = Scratch::new("endless-witness");
    let text = written(&scratch, ENDLESS, "false(termination)");
    assert!(text.contains("action: cycle") && !text.contains("type: target"), "{text}");
    let said = checked(&scratch, &text);
    assert_eq!(last(&said), "RESULT: confirmed", "{said}");
    // The cycle is cut; the way there is another; a value in the round leaves it.
    let mutants = [
        text.replace("value: \"true\"", "value: \"false\""),
        text.replacen("\\\\result == 1\"", "\\\\result == -1\"", 1),
        {
            let cycle = text.rfind("\\\\result == 0").expect("an input in the round");
            format!("{}\\\\result == -100{}", &text[..cycle], &text[cycle + "\\\\result == 0".len()..])
        },
    ];
    for mutant in mutants {
        assert_ne!(mutant, text);
        let said = checked(&scratch, &mutant);
        assert!(last(&said).starts_with("RESULT: rejected("), "{said}\n{mutant}");
    }
    let cut = text.replace("action: cycle", "action: follow");
    let said = checked(&scratch, &cut);
    assert!(said.contains("nor does it go round"), "{said}");
}

/// Some execution never ends, but none as the witness says.
#[test]
fn only_what_goes_round_as_it_says() {
    let scratch = Scratch::new("other-round");
    let program = "int main(void) {
  int x = __VERIFIER_nondet_int();
  for (int i = 0; i < 3; i++) {
    x = x > 5 ? 6 : 0;
  }
  while (x > 5) {
  }
}
";
    let text = written(&scratch, program, "false(termination)");
    assert_eq!(last(&checked(&scratch, &text)), "RESULT: confirmed");
    let line = |n: u32| format!("line: {n}\n              column: 3");
    assert!(text.contains(&line(8)), "{text}");
    // The first loop is passed three times, not for ever.
    let said = checked(&scratch, &text.replace(&line(8), &line(5)));
    assert!(!last(&said).starts_with("RESULT: confirmed"), "{said}");
}

#[test]
fn the_format_is_chosen() {
    let scratch = Scratch::new("witness-format");
    let file = scratch.file("program.c", format!(
            "{HEAD}void reach_error(void);\nint main(void) {{ while (__VERIFIER_nondet_int()) {{ }} if (0) reach_error(); }}"
        ));
    let witness = scratch.path("w.yml");
    let ask = |property: &str, format: &str| {
        let arguments = ["verify", shown(&file), "--property", property, "--witness", shown(&witness)];
        let (said, _) = run(&[&arguments[..], &["--witness-format", format]].concat());
        (std::fs::read_to_string(&witness), said)
    };
    for format in ["2.0", "2.1", "2.2"] {
        let (text, said) = ask("unreach-call", format);
        let text = text.expect("a witness");
        assert!(text.contains(&format!("format_version: \"{format}\"")), "{said}{text}");
        let (said, code) = run(&["check-witness", shown(&witness), shown(&file)]);
        assert_eq!((last(&said), code), ("RESULT: confirmed", Some(0)), "{said}");
    }
    let (text, said) = ask("termination", "2.0");
    assert!(text.is_err() && said.contains("2.0 cannot say it"), "{said}");
    let (text, _) = ask("termination", "2.2");
    assert!(text.is_ok_and(|text| text.contains("format_version: \"2.2\"")));
}
