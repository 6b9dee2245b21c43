//! Witnesses of small programs, read back.

use cfa::{Program, Property};
use cfront::Input;
use cfront::types::DataModel;
use interpreter::{InOrder, Limits, Machine};
use std::collections::BTreeMap;
use term::{Bits, Store, Term, Value};
use witness::{InputFile, Task};
use yaml_rust2::{Yaml, YamlLoader};

fn lowered(name: &str, text: &str) -> Program {
    let input = Input::Text { name: name.into(), text: text.into() };
    let unit =
        cfront::load(&[input], &cfront::Options::new(DataModel::Ilp32)).unwrap_or_else(|f| panic!("{}", f.render()));
    lower::lower(&unit, &lower::Options::default()).unwrap()
}

fn task(name: &str, text: &str) -> Task {
    Task {
        files: vec![InputFile::new(name, text.as_bytes())],
        specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )\n".into(),
        data_model: "ILP32".into(),
        creation_time: witness::iso8601(0),
        version: witness::Version::V2_0,
    }
}

fn read(text: &str) -> Yaml {
    let documents = YamlLoader::load_from_str(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    documents[0][0].clone()
}

fn position(location: &Yaml) -> (i64, Option<i64>) {
    (location["line"].as_i64().unwrap(), location["column"].as_i64())
}

const BUG: &str = "extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
void reach_error() { __assert_fail(\"0\", \"bug.c\", 3, \"reach_error\"); }
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > 41) {
    if (x == 42) {
      reach_error();
    }
  }
  return 0;
}
";

#[test]
fn violation_of_the_format_description() {
    let program = lowered("bug.c", BUG);
    let machine = Machine::new(&program).unwrap();
    let mut inputs = InOrder::new([Value::Bv(Bits::new(42, 32))]);
    let outcome = machine.run(&mut inputs, &Limits::default());
    let (func, loc) = outcome.location;
    let target = program.functions[func].locs[loc].span;
    let text = witness::violation(&task("bug.c", BUG), &program, &outcome, Property::UnreachCall, target, "main");
    let entry = read(&text.unwrap());
    assert_eq!(entry["entry_type"].as_str(), Some("violation_sequence"));
    let about = &entry["metadata"]["task"];
    let hash = "7359a2b93efd2bd81a17459152a9a1cb3bad278e54ad1a253d73111bcb6efb81";
    assert_eq!(about["input_file_hashes"]["bug.c"].as_str(), Some(hash));
    assert_eq!(entry["metadata"]["format_version"].as_str(), Some("2.0"));
    let segments = entry["content"].as_vec().unwrap();
    assert_eq!(segments.len(), 2);
    let first = &segments[0]["segment"][0]["waypoint"];
    assert_eq!(first["type"].as_str(), Some("function_return"));
    assert_eq!(first["constraint"]["value"].as_str(), Some("\\result == 42"));
    assert_eq!(position(&first["location"]), (6, Some(33)));
    let last = &segments[1]["segment"][0]["waypoint"];
    assert_eq!(last["type"].as_str(), Some("target"));
    assert_eq!(position(&last["location"]), (9, Some(7)));
}

/// The witness for the relation `left <= right` (unsigned) at every loop head of the flat program.
fn with_order(text: &str, left: &str, right: &str) -> Yaml {
    with_relation(text, left, right, |terms, left, right| terms.ule(left, right))
}

/// The witness for a relation of two variables at every loop head of the flat program.
fn with_relation(text: &str, left: &str, right: &str, relation: fn(&mut Store, Term, Term) -> Term) -> Yaml {
    let program = lowered("p.c", text);
    let settings = transform::pipeline::Settings::new(transform::Aim::Targets);
    let flat = transform::pipeline::prepare(&program, &settings).flat;
    let mut terms = flat.terms.clone();
    let mut invariants = BTreeMap::new();
    for (loc, location) in flat.main().locs.iter().filter(|(_, location)| location.loop_span.is_some()) {
        let named = |name: &str| {
            let own = |v: &cfa::Var| {
                let source = flat.source_of(*v).filter(|s| s.name == name);
                source.is_some_and(|s| s.frame == location.frame || s.frame == cfa::Frame::ROOT)
            };
            flat.term(flat.vars.ids().find(own).unwrap_or_else(|| panic!("no {name}")))
        };
        let (left, right) = (named(left), named(right));
        invariants.insert(loc, relation(&mut terms, left, right));
    }
    assert!(!invariants.is_empty());
    let proof = witness::Proof { invariants: Some(&invariants), ..witness::Proof::default() };
    read(&witness::correctness(&task("p.c", text), &flat, &terms, proof))
}

const HEAD: &str = "void reach_error(void);\nunsigned __VERIFIER_nondet_uint(void);\n";

#[test]
fn invariants_in_c() {
    let text = format!(
        "{HEAD}int main(void) {{\n  unsigned n = __VERIFIER_nondet_uint();\n  unsigned i = 0;\n  while (i < n) i++;\n  if (i != n) reach_error();\n}}\n"
    );
    let entry = with_order(&text, "i", "n");
    assert_eq!(entry["entry_type"].as_str(), Some("invariant_set"));
    let invariant = &entry["content"][0]["invariant"];
    assert_eq!(invariant["value"].as_str(), Some("i <= n"));
    assert_eq!(position(&invariant["location"]), (6, Some(3)));
    assert_eq!(invariant["location"]["function"].as_str(), Some("main"));
    assert!(entry["metadata"]["producer"]["description"].is_badvalue());
}

/// Whether a sum of 64 bits overflows is asked with 128: compilers have no such type under ILP32.
#[test]
fn no_type_of_other_machines() {
    let text = format!(
        "{HEAD}int main(void) {{\n  long long n = __VERIFIER_nondet_uint();\n  long long i = 0;\n  while (i < n) i++;\n  if (i != n) reach_error();\n}}\n"
    );
    let entry = with_relation(&text, "i", "i", |terms, i, _| terms.saddo(i, i));
    assert_eq!(entry["content"].as_vec().map(Vec::len), Some(0), "{entry:?}");
    assert!(entry["metadata"]["producer"]["description"].as_str().unwrap().contains("left out"));
}

#[test]
fn members_are_named_as_in_c() {
    let body = "{\n  struct pair s = {0, __VERIFIER_nondet_uint()};\n  while (s.p[1] < s.x) s.p[1]++;\n  while (t[1].x < t[0].x) t[1].x++;\n  if (s.p[1] > s.x || t[1].x > t[0].x) reach_error();\n}\n";
    let text = format!("{HEAD}struct pair {{ unsigned char c; unsigned x, p[2]; }} t[2];\nint main(void) {body}");
    let entry = with_order(&text, "s.p[1]", "s.x");
    assert_eq!(entry["content"][0]["invariant"]["value"].as_str(), Some("s.p[1] <= s.x"));
    assert_eq!(entry["content"].as_vec().map(Vec::len), Some(2));
    let entry = with_order(&text, "t[1].x", "t[0].x");
    assert_eq!(entry["content"][1]["invariant"]["value"].as_str(), Some("t[1].x <= t[0].x"));
}

#[test]
fn loops_that_were_inlined_twice_are_one() {
    let text = format!(
        "{HEAD}unsigned up(unsigned n) {{\n  unsigned i = 0;\n  while (i < n) i++;\n  return i;\n}}\nint main(void) {{\n  unsigned a = up(__VERIFIER_nondet_uint());\n  if (up(a) != a) reach_error();\n}}\n"
    );
    let entry = with_order(&text, "i", "n");
    let content = entry["content"].as_vec().unwrap();
    assert_eq!(content.len(), 1);
    assert_eq!(content[0]["invariant"]["value"].as_str(), Some("i <= n"));
    assert_eq!(content[0]["invariant"]["location"]["function"].as_str(), Some("up"));
}

#[test]
fn names_that_mean_something_else_are_left_out() {
    let text = format!(
        "{HEAD}unsigned i;\nint main(void) {{\n  unsigned n = __VERIFIER_nondet_uint();\n  i = n / 2;\n  {{\n    unsigned i = 0;\n    while (i < n) i++;\n    if (i < n) reach_error();\n  }}\n  if (i > n) reach_error();\n}}\n"
    );
    let entry = with_order(&text, "i", "n");
    assert_eq!(entry["content"].as_vec().map(Vec::len), Some(0));
    assert!(entry["metadata"]["producer"]["description"].as_str().unwrap().contains("left out"));
}
