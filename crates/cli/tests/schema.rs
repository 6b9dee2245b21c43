//! Results are what docs/result-schema.json says.

use crate::common::json_schema::validate;
use crate::common::{Scratch, foldback, root};
use serde_json::Value;

#[test]
fn results_are_what_the_schema_says() {
    let text = std::fs::read_to_string(root().join("docs/result-schema.json")).expect("the schema");
    let schema: Value = serde_json::from_str(&text).expect("JSON");
    let scratch = Scratch::new("schema");
    let head = "void reach_error(void); int __VERIFIER_nondet_int(void); void *malloc(unsigned long);\n";
    let programs = [
        (
            "proved",
            "int main(void) { int n = __VERIFIER_nondet_int(), i = 0; while (i < n) i++; if (i < 0) reach_error(); }",
            "unreach-call",
            "true",
        ),
        (
            "violated",
            "int main(void) { char *p = malloc(3); p[__VERIFIER_nondet_int() & 3] = 1; }",
            "memsafety",
            "false",
        ),
        (
            "ends",
            "int main(void) { for (unsigned i = 0; i < 10; i++) if (__VERIFIER_nondet_int()) i++; }",
            "termination",
            "true",
        ),
        (
            "open",
            "int main(void) { __asm__(\"what\"); __builtin_longjmp(0, 1); reach_error(); }",
            "unreach-call",
            "unknown",
        ),
    ];
    for (name, program, property, verdict) in programs {
        let file = scratch.file(&format!("{name}.c"), format!("{head}{program}\n"));
        let json = scratch.path(&format!("{name}.json"));
        let arguments = ["verify", "-q", "-p", property, "-p", "assert", "--time-limit", "20s", "--json"];
        foldback([&arguments[..], &[&json.to_string_lossy(), &file.to_string_lossy()]].concat());
        let result: Value = serde_json::from_str(&std::fs::read_to_string(&json).expect("a result")).expect("JSON");
        assert_eq!(result["result"]["verdict"], verdict, "{name}: {result}");
        assert!(result["options"].as_array().is_some_and(|words| words.contains(&"-q".into())), "{result}");
        if let Err(why) = validate(&result, &schema, &schema, name) {
            panic!("{why}");
        }
        let mut wrong = result.clone();
        wrong["result"]["verdict"] = "maybe".into();
        assert!(validate(&wrong, &schema, &schema, name).is_err());
    }
}
