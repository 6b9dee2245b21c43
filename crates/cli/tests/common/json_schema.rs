//! A small validator of JSON Schema.

use serde_json::Value;

/// The part of JSON Schema that ours uses. The error says where.
pub(crate) fn validate(value: &Value, schema: &Value, whole: &Value, at: &str) -> Result<(), String> {
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
    if schema["minItems"]
        .as_u64()
        .is_some_and(|least| value.as_array().is_some_and(|items| (items.len() as u64) < least))
    {
        return Err(format!("{at}: too few items"));
    }
    if schema["minimum"].as_i64().is_some_and(|least| value.as_i64().is_some_and(|number| number < least)) {
        return Err(format!("{at}: {value} is too small"));
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
