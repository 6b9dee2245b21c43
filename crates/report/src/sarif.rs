//! A result as SARIF 2.1.0, which code scanners and review pages show: a rule for each property that was checked, a result
//! for each violation with its code flow, and a notification where there is no answer.

use crate::advice::advice;
use crate::model::{Counterexample, Place, Report, Verdict};
use crate::text;
use crate::tour::{self, Kind, Stop};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

/// Readers take no more steps of one flow: the last ones are kept.
const MOST_STOPS: usize = 1000;

/// The file's text.
pub fn render(report: &Report) -> String {
    let rules: Vec<Value> = report.properties.iter().map(|property| rule(property)).collect();
    let results: Vec<Value> =
        report.violations().into_iter().map(|(property, run)| result(report, property, run)).collect();
    let notification = match &report.result {
        Verdict::Unknown { kind, reason, .. } => Some(json!({
            "level": "warning",
            "message": said(&format!("No answer: {reason}. {}", advice(*kind).join(" "))),
        })),
        Verdict::True { proof } if proof.accepted_unchecked => {
            Some(json!({ "level": "warning", "message": { "text": crate::text::UNCHECKED } }))
        }
        _ => None,
    };
    let file = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "foldback",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "informationUri": "urn:foldback:README.md",
                "rules": rules,
            }},
            // Runs on different programs stand beside each other; one on the same program replaces the last.
            "automationDetails": { "id": format!("foldback/{}/", report.files.join(",")) },
            "invocations": [{
                "executionSuccessful": true,
                "toolExecutionNotifications": notification.into_iter().collect::<Vec<_>>(),
            }],
            "artifacts": report.files.iter().map(|file| json!({ "location": { "uri": uri(file) } })).collect::<Vec<_>>(),
            "columnKind": "unicodeCodePoints",
            "results": results,
            "properties": { "verdict": report.result.to_string() },
        }],
    });
    serde_json::to_string_pretty(&file).expect("JSON made of strings and numbers") + "\n"
}

/// The name, what it says, and its number in the Common Weakness Enumeration.
const RULES: [(&str, &str, u32); 15] = [
    ("unreach-call", "The error function is never called.", 617),
    ("assert", "No assertion fails.", 617),
    ("valid-deref", "Memory is accessed only inside of objects that are alive.", 119),
    ("valid-free", "Only allocated memory is freed, and only once.", 415),
    ("valid-memtrack", "Allocated memory stays reachable until it is freed.", 401),
    ("valid-memcleanup", "All allocated memory is freed at the end.", 401),
    ("no-overflow", "Signed arithmetic does not overflow.", 190),
    ("div-by-zero", "Nothing is divided by zero.", 369),
    ("undefined-shift", "Nothing is shifted by a negative number, or by as many bits as it has or more.", 1335),
    ("undefined-conversion", "Floats fit the integer types that they are converted to.", 681),
    ("pointer-overflow", "Pointers stay inside of their objects, or one past the end.", 823),
    ("unsigned-overflow", "Unsigned arithmetic does not wrap around.", 190),
    ("conversion", "Numbers fit the types that they are converted to.", 197),
    ("float", "Floating-point arithmetic gives neither infinity nor NaN.", 682),
    ("termination", "Every execution ends.", 835),
];

fn rule(property: &str) -> Value {
    let known = RULES.iter().find(|(name, _, _)| *name == property);
    let text = known.map_or(property, |(_, text, _)| text);
    let mut tags = vec!["correctness".to_owned()];
    tags.extend(known.map(|(_, _, cwe)| format!("external/cwe/cwe-{cwe:03}")));
    let mut rule = json!({
        "id": property,
        "shortDescription": { "text": text },
        "fullDescription": { "text": format!("{text} foldback found an execution that violates this.") },
        "help": { "text": "Follow the code flow: it is an execution that ends with the violation, with the values on its way. \
                           It was run in an interpreter before it was reported." },
        "defaultConfiguration": { "level": "error" },
        "properties": { "tags": tags, "precision": "very-high", "problem.severity": "error" },
    });
    // A name must not be the id, whatever its letters.
    if property.contains('-') {
        rule["name"] = json!(pascal_case(property));
    }
    rule
}

/// `valid-deref` as `ValidDeref`, as rules are named.
fn pascal_case(name: &str) -> String {
    let mut is_first = true;
    let letters = name.chars().filter_map(|c| {
        let start = std::mem::replace(&mut is_first, c == '-');
        (c != '-').then(|| if start { c.to_ascii_uppercase() } else { c })
    });
    letters.collect()
}

fn result(report: &Report, property: &str, run: &Counterexample) -> Value {
    let stops = tour::stops(run);
    let kept = &stops[stops.len().saturating_sub(MOST_STOPS)..];
    let flow: Vec<Value> = (1..).zip(kept).map(|(order, stop)| flow_location(report, order, stop)).collect();
    let callers = run.violation.called_from.iter().map(|place| (place, "called from here"));
    let related = run.violation.related.iter().map(|related| (&related.place, related.text.as_str())).chain(callers);
    let related: Vec<Value> = (1..)
        .zip(related)
        .map(|(id, (place, text))| {
            let mut related = location(report, Some(place), Some(text));
            related["id"] = json!(id);
            related
        })
        .collect();
    let mut place = location(report, run.violation.place.as_ref(), None);
    if let Some(line) = &run.violation.line {
        place["physicalLocation"]["region"]["snippet"] = json!({ "text": line });
    }
    json!({
        "ruleId": property,
        "ruleIndex": report.properties.iter().position(|known| known == property).unwrap_or(0),
        "kind": "fail",
        "level": "error",
        "message": said(&message(run)),
        "locations": [place],
        "relatedLocations": related,
        "partialFingerprints": { "foldback/v1": fingerprint(property, run) },
        "codeFlows": [{ "threadFlows": [{ "locations": flow }] }],
    })
}

/// A message. `[text](target)` is a link in it, which a program must not put there, nor a call of `handlers[2](1)`: in C
/// the space makes no difference.
fn said(text: &str) -> Value {
    json!({ "text": text.replace("](", "] (") })
}

/// What is violated, with the values of the condition, or with the inputs where there are few.
fn message(run: &Counterexample) -> String {
    let shown = |values: Vec<String>| match values.len() {
        0 => format!("{}.", run.violation.message),
        1..=4 => format!("{}, with {}.", run.violation.message, values.join(", ")),
        more => format!("{}, with {} and {} more.", run.violation.message, values[..4].join(", "), more - 4),
    };
    let values = &run.violation.values;
    if !values.is_empty() {
        return shown(values.iter().map(|known| format!("{} = {}", known.name, known.value)).collect());
    }
    shown(text::told(&run.inputs).into_iter().map(|(_, told)| told).collect())
}

fn flow_location(report: &Report, order: usize, stop: &Stop<'_>) -> Value {
    let text = match stop.function {
        Some(function) => format!("{function}: {}", stop.text),
        None => stop.text.clone(),
    };
    let state: Map<String, Value> =
        stop.sets.iter().map(|(name, value)| ((*name).to_owned(), json!({ "text": value }))).collect();
    json!({
        "executionOrder": order,
        "nestingLevel": stop.depth,
        "importance": if stop.kind == Kind::Violation { "essential" } else { "important" },
        "location": location(report, stop.place, Some(&text)),
        "state": state,
    })
}

/// Generated code has no place: the start of the program's first file stands for it.
fn location(report: &Report, place: Option<&Place>, message: Option<&str>) -> Value {
    let first = report.files.first().map_or("program.c", String::as_str);
    let (file, line, column) =
        place.map_or((first, 1, 1), |place| (place.file.as_str(), place.line.max(1), place.column.max(1)));
    let mut location = json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(file) },
            "region": { "startLine": line, "startColumn": column },
        },
    });
    if let Some(text) = message {
        location["message"] = said(text);
    }
    location
}

/// The same finding keeps it when lines are added elsewhere: it depends on the line's text, not on its number.
fn fingerprint(property: &str, run: &Counterexample) -> String {
    let mut hash = Sha256::new();
    let file = run.violation.place.as_ref().map_or("", |place| place.file.as_str());
    let line: String = run.violation.line.iter().flat_map(|line| line.split_whitespace()).collect::<Vec<_>>().join(" ");
    for part in [property, &uri(file), &line, &run.violation.message] {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// A path as a relative URI reference, or as a file URI where it is absolute.
fn uri(path: &str) -> String {
    let encoded: String = path
        .strip_prefix("./")
        .unwrap_or(path)
        .bytes()
        .map(|byte| match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect();
    if encoded.starts_with('/') { format!("file://{encoded}") } else { encoded }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_have_names() {
        assert_eq!(["assert", "div-by-zero"].map(pascal_case), ["Assert", "DivByZero"]);
    }

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri("./src/a b.c"), "src/a%20b.c");
        assert_eq!(uri("/x/ü.c"), "file:///x/%C3%BC.c");
    }
}
