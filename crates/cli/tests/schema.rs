//! Results are what docs/result-schema.json says.

#[allow(dead_code, reason = "each test uses a part of it")]
mod common;

use common::{Scratch, foldback, root};
use serde_json::Value;

/// The part of JSON Schema that ours uses. The error says where.
fn validate(value: &Value, schema: &Value, whole: &Value, at: &str) -> Result<(), String> {
    if let Some(name) = schema["$ref"].as_str() {
        let target = name.strip_prefix("#/$defs/").expect("a definition");
        return validate(value, &whole["$defs"][target], whole, at);
    }
    for key in ["oneOf", "anyOf"] {
        if let Some(choices) = schema[key].as_array() {
            let tried: Vec<_> = choices.iter().map(|choice| validate(value, choice, whole, at)).collect();
            let fitting = tried.iter().filter(|result| result.is_ok()).count();
            if fitting == 0 || key == "oneOf" && fitting > 1 {
                return Err(format!("{at}: {fitting} choices fit: {tried:?}"));
            }
        }
    }
    if let Some(expected) = schema.get("const")
        && value != expected
    {
        return Err(format!("{at}: {value} is not {expected}"));
    }
    if let Some(choices) = schema["enum"].as_array()
        && !choices.contains(value)
    {
        return Err(format!("{at}: {value} is none of {choices:?}"));
    }
    let fits = match schema["type"].as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("integer") => value.is_u64() || value.is_i64(),
        Some("number") => value.is_number(),
        Some("boolean") => value.is_boolean(),
        Some("null") => value.is_null(),
        Some(other) => return Err(format!("{at}: unknown type {other}")),
        None => true,
    };
    if !fits {
        return Err(format!("{at}: {value} is no {}", schema["type"]));
    }
    for item in value.as_array().into_iter().flatten().filter(|_| schema.get("items").is_some()) {
        validate(item, &schema["items"], whole, &format!("{at}[]"))?;
    }
    let Some(properties) = schema["properties"].as_object() else { return Ok(()) };
    for needed in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if value.get(needed).is_none() {
            return Err(format!("{at}: no '{needed}'"));
        }
    }
    for (key, member) in value.as_object().into_iter().flatten() {
        let Some(schema) = properties.get(key) else { return Err(format!("{at}: '{key}' is not known")) };
        validate(member, schema, whole, &format!("{at}.{key}"))?;
    }
    Ok(())
}

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
