//! Counterexamples as a person reads them, and results that survive their file.

use cfa::Program;
use cfront::types::DataModel;
use interpreter::{Limits, Machine, Zero};
use report::text::Detail;
use report::{Kind, Native, Report, SCHEMA, Step, Verdict};

/// The verdict on a program whose first execution violates its property.
fn verdict(text: &str) -> Verdict {
    let unit =
        cfront::load_text(text, &cfront::Options::new(DataModel::Lp64)).unwrap_or_else(|f| panic!("{}", f.render()));
    let program: Program = lower::lower(&unit, &lower::Options::default()).unwrap();
    let outcome = Machine::new(&program).unwrap().run(&mut Zero, &Limits::default());
    let checked = validate::execution::violating(&program, &outcome).expect("a violation");
    Verdict::violated(&program, &program, &checked, Native::Confirmed { seconds: 0.25 })
}

fn counterexample(text: &str) -> report::Counterexample {
    verdict(text).counterexample().expect("a violation").clone()
}

fn loops(run: &report::Counterexample) -> Vec<(u32, u64, Vec<String>)> {
    let mut found = Vec::new();
    for step in &run.steps {
        if let Step::Loop { place, iterations, changes, .. } = step {
            let changes = changes.iter().map(|c| format!("{}: {} -> {}", c.name, c.from, c.to)).collect();
            found.push((place.as_ref().unwrap().line, *iterations, changes));
        }
    }
    found
}

const LOOP: &str = "void reach_error(void);
int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int();
  int i = 0;
  while (i < 1000)
    i++;
  int done = i;
  if (n == 0 && done == 1000) reach_error();
}
";

#[test]
fn loops_are_one_step() {
    let run = counterexample(LOOP);
    assert_eq!(run.inputs.len(), 1);
    assert_eq!(run.inputs[0].value, "0");
    assert_eq!(loops(&run), [(6, 1000, vec!["i: 0 -> 1000".to_owned()])]);
    assert!(matches!(run.steps.last(), Some(Step::Assign { name, value, .. }) if name == "done" && value == "1000"));
    assert_eq!(run.violation.place.as_ref().map(|p| p.line), Some(9));
    assert_eq!(run.steps_missing, None);
}

#[test]
fn a_loop_that_is_never_left() {
    let run = counterexample(
        "void reach_error(void);\nint main(void) {\n  int i = 0;\n  while (1) {\n    int twice = 2 * i;\n    if (twice == 20) reach_error();\n    i++;\n  }\n}\n",
    );
    assert_eq!(loops(&run), [(4, 10, vec!["i: 0 -> 10".to_owned()])]);
    assert!(matches!(run.steps.last(), Some(Step::Assign { name, value, .. }) if name == "twice" && value == "20"));
}

#[test]
fn bodies_before_tests_count() {
    let run = counterexample(
        "void reach_error(void);\nint main(void) {\n  int i = 0;\n  do {\n    i++;\n  } while (i < 3);\n  if (i == 3) reach_error();\n}\n",
    );
    assert_eq!(loops(&run), [(4, 3, vec!["i: 0 -> 3".to_owned()])]);
}

fn names(run: &report::Counterexample) -> Vec<String> {
    let shown = |step: &Step| match step {
        Step::Assign { name, value, depth, .. } => format!("{depth} {name} = {value}"),
        Step::Loop { depth, iterations, changes, .. } => {
            let changes: Vec<&str> = changes.iter().map(|c| c.name.as_str()).collect();
            format!("{depth} loop {iterations} {}", changes.join(" "))
        }
    };
    run.steps.iter().map(shown).collect()
}

#[test]
fn only_what_matters_is_shown() {
    let run = counterexample(
        "void reach_error(void);
int unused;
static int twice(int x) {
  int y = 2 * x;
  unused = y + 1;
  return y;
}
int main(void) {
  int a = 3, b = 4, c = 5;
  c = b;
  for (int i = 0; i < 10; i++) unused += b;
  b = 7;
  for (int j = 0; j < 4; j++) a += j;
  int d = twice(a);
  if (c > 100) d = 0;
  if (d == 18) reach_error();
}
",
    );
    let lines: Vec<Option<u32>> = run
        .steps
        .iter()
        .map(|step| match step {
            Step::Assign { place, .. } | Step::Loop { place, .. } => place.as_ref().map(|p| p.line),
        })
        .collect();
    assert_eq!(names(&run), ["0 a = 3", "0 j = 0", "0 loop 4 a j", "1 y = 18", "0 d = 18"], "{lines:?}");
    let line = run.steps.iter().find_map(|step| match step {
        Step::Assign { name, line, .. } if name == "y" => line.clone(),
        _ => None,
    });
    assert_eq!(line.as_deref(), Some("int y = 2 * x;"));
}

#[test]
fn memory_carries_what_matters() {
    let run = counterexample(
        "void reach_error(void);
int main(void) {
  int a[4], x = 1, y = 2, i = 3;
  a[i] = x;
  y = 5;
  if (a[3] == 1) reach_error();
}
",
    );
    assert_eq!(names(&run), ["0 x = 1", "0 i = 3", "0 a[3] = 1"]);
}

#[test]
fn long_loops_are_told_without_what_does_not_matter() {
    let run = counterexample(
        "void reach_error(void);
int main(void) {
  unsigned i = 0, s = 0;
  while (i < 100000) {
    s += i & 3;
    i++;
  }
  if (i == 100000) reach_error();
}
",
    );
    assert_eq!(loops(&run), [(4, 100_000, vec!["i: 0 -> 100000".to_owned()])]);
}

fn whole() -> Report {
    Report {
        schema: SCHEMA.into(),
        version: "1.2.3".into(),
        options: vec!["verify".into(), "a.c".into()],
        wall_seconds: 0.5,
        files: vec!["a.c".into()],
        data_model: "LP64".into(),
        properties: vec!["unreach-call".into()],
        notes: Vec::new(),
        runs: Vec::new(),
        parts: Vec::new(),
        result: verdict(LOOP),
    }
}

#[test]
fn files_are_read_back() {
    let report = whole();
    let again = Report::from_json(&report.to_json()).unwrap();
    assert_eq!(again, report);
    let text = report::text::render(&again, Detail::Normal);
    assert!(text.contains("6:3: 1,000 iterations, i: 0 -> 1000\n"), "{text}");
    assert!(text.contains("confirmed by the compiled program (0.25 s)\n"), "{text}");
    assert!(text.ends_with("RESULT: false(unreach-call)\n"), "{text}");
}

#[test]
fn other_files_are_refused() {
    for (text, expected) in [
        ("hello", "not JSON"),
        ("{}", "no schema"),
        ("{\"schema\": \"foldback-result/0\"}", "foldback-result/0"),
        ("{\"schema\": \"foldback-result/9\"}", "missing field"),
    ] {
        let error = Report::from_json(text).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn variables_that_no_file_defines_are_no_functions() {
    let run = counterexample("void reach_error(void); extern int g;\nint main(void) { if (g == 0) reach_error(); }\n");
    let inputs: Vec<String> = run.inputs.iter().map(report::text::render_input).collect();
    let said: Vec<&str> = inputs.iter().filter_map(|line| line.split_once(": ")).map(|(_, said)| said).collect();
    assert_eq!(said, ["g = 0, as no file defines it"]);
}

#[test]
fn few_facts_are_shown_of_many() {
    let fact = |i: u32| report::LoopInvariant {
        place: Some(report::Place { file: "a.c".to_owned(), line: 3, column: 3 }),
        function: "main".to_owned(),
        c: (i < 20).then(|| format!("x > {i}")),
        without_c: 0,
        smtlib: "(no c form)".to_owned(),
    };
    let known = report::Known { invariants: (0..25).map(fact).collect(), ..report::Known::default() };
    let reason = "time limit".to_owned();
    let report = Report { result: Verdict::Unknown { kind: Kind::TimeLimit, reason, known }, ..whole() };
    let text = report::text::render(&report, Detail::Normal);
    assert_eq!(text.lines().filter(|line| line.contains("x > ")).count(), 12, "{text}");
    assert!(text.contains("8 more (--json has them)"), "{text}");
    assert!(!text.contains("no c form"), "{text}");
}
