//! Witnesses are what docs/witness-*.schema.json say.

use crate::common::json_schema::validate;
use crate::common::{Scratch, foldback, root};
use serde_json::Value;
use yaml_rust2::{Yaml, YamlLoader};

fn schema(version: &str) -> Value {
    let path = root().join(format!("docs/witness-{version}.schema.json"));
    serde_json::from_str(&std::fs::read_to_string(path).expect("the schema")).expect("JSON")
}

fn json(yaml: &Yaml) -> Value {
    match yaml {
        Yaml::String(text) => Value::from(text.as_str()),
        Yaml::Integer(number) => Value::from(*number),
        Yaml::Boolean(truth) => Value::from(*truth),
        Yaml::Array(items) => Value::Array(items.iter().map(json).collect()),
        Yaml::Hash(map) => {
            let key = |key: &Yaml| key.as_str().expect("keys are strings").to_owned();
            Value::Object(map.iter().map(|(k, v)| (key(k), json(v))).collect())
        }
        other => panic!("{other:?} is not in witnesses"),
    }
}

fn read(text: &str) -> Value {
    json(&YamlLoader::load_from_str(text).expect("YAML")[0])
}

const HEAD: &str = "void reach_error(void); int __VERIFIER_nondet_int(void);\n";

#[test]
fn witnesses_are_what_the_schemas_say() {
    let scratch = Scratch::new("witness-schema");
    let programs = [
        (
            "int main(void) { int n = __VERIFIER_nondet_int(), i = 0; while (i < n) i++; if (i < 0) reach_error(); }",
            "unreach-call",
        ),
        ("int main(void) { if (__VERIFIER_nondet_int() == 7) reach_error(); }", "unreach-call"),
        ("int main(void) { int x = __VERIFIER_nondet_int(); x = x + 1; }", "no-overflow"),
        ("int main(void) { int n = __VERIFIER_nondet_int(), i = 0; while (i < n) i++; }", "termination"),
        ("int main(void) { int x = __VERIFIER_nondet_int(); while (x > 3) __VERIFIER_nondet_int(); }", "termination"),
        (
            "int a[1000]; int main(void) { int n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int(); if (n > 1000) return 0; for (int i = 0; i < n; i++) a[i] = 7; if (0 <= k && k < n && a[k] != 7) reach_error(); }",
            "unreach-call",
        ),
    ];
    for (number, (program, property)) in programs.iter().enumerate() {
        let file = scratch.file(&format!("{number}.c"), format!("{HEAD}{program}\n"));
        for version in ["2.0", "2.1", "2.2"] {
            let witness = scratch.path(&format!("{number}-{version}.yml"));
            let paths = [file.to_string_lossy(), witness.to_string_lossy()];
            let arguments = ["verify", "-q", "-p", property, "--time-limit", "20s", "--witness-format", version];
            foldback([&arguments[..], &["--witness", &paths[1], &paths[0]]].concat());
            if *property == "termination" && version == "2.0" {
                assert!(!witness.exists());
                continue;
            }
            let written = read(&std::fs::read_to_string(&witness).expect("a witness"));
            let (own, name) = (schema(version), format!("{program} {version}"));
            validate(&written, &own, &own, &name).unwrap_or_else(|why| panic!("{why}\n{written:#}"));
            // A version is not another one, and what is missing is missed.
            let other = schema(if version == "2.1" { "2.2" } else { "2.1" });
            assert!(validate(&written, &other, &other, &name).is_err());
            for (key, instead) in [("entry_type", Value::from("loop_invariant")), ("metadata", Value::Null)] {
                let mut wrong = written.clone();
                wrong[0][key] = instead;
                assert!(validate(&wrong, &own, &own, &name).is_err(), "{key}");
            }
        }
    }
}

/// What others write and we read.
#[test]
fn the_schemas_know_what_each_version_has() {
    let entry = |version: &str, kind: &str, content: &str| {
        format!(
            "- entry_type: {kind}\n  metadata:\n    format_version: \"{version}\"\n    uuid: \"x\"\n    creation_time: \"x\"\n    producer: {{name: a, version: \"1\"}}\n    task: {{input_files: [a.c], input_file_hashes: {{a.c: \"00\"}}, specification: \"x\", data_model: LP64, language: C}}\n  content:\n{content}"
        )
    };
    let place = "location: {file_name: a.c, line: 3}";
    let contents = [
        (
            "invariant_set",
            format!("  - invariant: {{type: loop_invariant, value: \"1\", format: c_expression, {place}}}\n"),
            "2.0",
        ),
        (
            "invariant_set",
            format!(
                "  - invariant: {{type: loop_transition_invariant, value: \"1\", format: ext_c_expression, {place}}}\n"
            ),
            "2.1",
        ),
        (
            "invariant_set",
            format!(
                "  - contract: {{type: function_contract, requires: \"1\", ensures: \"1\", format: ext_c_expression, {place}}}\n"
            ),
            "2.1",
        ),
        (
            "violation_sequence",
            format!("  - segment:\n    - waypoint: {{type: target, action: follow, {place}}}\n"),
            "2.0",
        ),
        (
            "violation_sequence",
            format!(
                "  - segment:\n    - waypoint: {{type: branching, action: cycle, constraint: {{value: \"true\"}}, {place}}}\n"
            ),
            "2.1",
        ),
        (
            "violation_sequence",
            format!("  - segment:\n    - waypoint: {{type: target, action: follow, thread_id: 1, {place}}}\n"),
            "2.2",
        ),
        (
            "ghost_instrumentation",
            format!(
                "    ghost_variables:\n    - {{name: g, type: int, scope: global, initial: {{value: \"0\", format: c_expression}}}}\n    ghost_updates:\n    - {{{place}, updates: [{{variable: g, value: \"1\", format: c_expression}}]}}\n"
            ),
            "2.1",
        ),
        (
            "foldback_invariants",
            format!(
                "  - invariant: {{type: loop_invariant, {place}, activation: 0, value: \"true\", ranking: [\"x\"], format: smtlib}}\n"
            ),
            "2.0",
        ),
    ];
    for (kind, content, since) in contents {
        for version in ["2.0", "2.1", "2.2"] {
            let text = entry(version, kind, &content);
            let own = schema(version);
            let fits = validate(&read(&text), &own, &own, kind);
            assert_eq!(fits.is_ok(), version >= since, "{version} {kind}: {fits:?}\n{text}");
        }
    }
}
