//! All proofs together: a table for people, in the terminal and as a page, JUnit's XML for CIs, one SARIF run for code scanning (uploads take only few runs).

use crate::check::{Kind, Outcome};
use crate::compile_database::SEVERAL;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// What is done and what is running since when, while proofs run.
pub fn so_far(done: usize, count: usize, running: &[(String, Instant)]) -> Vec<String> {
    let running =
        running.iter().map(|(name, since)| format!("  {}  {:.0} s", shown(name), since.elapsed().as_secs_f64()));
    std::iter::once(format!("{done} of {count} proofs are done")).chain(running).collect()
}

/// A name on one line, whatever is in it.
fn shown(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { c.escape_default().to_string() } else { c.to_string() }).collect()
}

/// What the runs said of files that the compile database compiles in several ways, each once.
pub fn several_ways(outcomes: &[Outcome]) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for line in outcomes.iter().flat_map(|outcome| outcome.said.lines()).filter(|line| line.contains(SEVERAL)) {
        if !found.contains(&line) {
            found.push(line);
        }
    }
    found
}

/// The answer, and whether it is only believed.
fn answer(outcome: &Outcome) -> String {
    let unchecked = if outcome.is_unchecked { UNCHECKED } else { "" };
    format!("{}{unchecked}", outcome.answer)
}

const UNCHECKED: &str = " (accepted without a check)";

/// A line of the table.
pub fn line(outcome: &Outcome, width: usize) -> String {
    let mark = match outcome.kind {
        Kind::AsExpected => "ok",
        Kind::Unknown => "unknown",
        Kind::Different => "FAILED",
        Kind::BadInput => "ERROR",
    };
    let stored = if outcome.is_stored { " (stored)" } else { "" };
    format!(
        "{:width$}  {mark:7}  {:7.1} s  {}{stored}",
        shown(&outcome.name),
        outcome.wall.as_secs_f64(),
        answer(outcome)
    )
}

/// The last line.
pub fn total(outcomes: &[Outcome]) -> String {
    let count = |kind| outcomes.iter().filter(|outcome| outcome.kind == kind).count();
    let mut text = format!("{} of {} proofs as expected", count(Kind::AsExpected), outcomes.len());
    let unchecked = outcomes.iter().filter(|outcome| outcome.is_unchecked).count();
    if unchecked > 0 {
        let _ = write!(text, " ({unchecked} accepted without a check)");
    }
    for (kind, what) in [(Kind::Unknown, "unknown"), (Kind::Different, "failed"), (Kind::BadInput, "not run")] {
        if count(kind) > 0 {
            let _ = write!(text, ", {} {what}", count(kind));
        }
    }
    text
}

/// The last line of a run that a signal has ended.
pub fn interrupted(done: &[Outcome], count: usize) -> String {
    format!("interrupted: {} of {count} proofs are done; {}", done.len(), total(done))
}

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:75rem;padding:0 1rem;color:#222}\
table{border-collapse:collapse;width:100%}th,td{padding:.25rem .7rem;border-bottom:1px solid #ddd;text-align:left}\
td:nth-child(3){text-align:right;white-space:nowrap}.ok{color:#2c7a2c}.unknown{color:#8a6100}.bad{color:#b00020;font-weight:bold}\
@media(prefers-color-scheme:dark){body{background:#181a1b;color:#ddd}a{color:#8ab4f8}.ok{color:#7bc47b}.unknown{color:#e0b04a}.bad{color:#ff6b78}}";

/// The page that leads to the pages of the proofs. It needs nothing else, and runs nothing.
pub fn index(title: &str, outcomes: &[Outcome]) -> String {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" \
         content=\"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{0}</title>\n<style>{STYLE}</style>\n\
         </head>\n<body>\n<h1>{0}</h1>\n<p>{1}</p>\n<table>\n<tr><th>proof</th><th></th><th>time</th><th>answer</th></tr>\n",
        escaped(title),
        escaped(&total(outcomes))
    );
    for outcome in outcomes {
        let (class, mark) = match outcome.kind {
            Kind::AsExpected => ("ok", "as expected"),
            Kind::Unknown => ("unknown", "unknown"),
            Kind::Different => ("bad", "failed"),
            Kind::BadInput => ("bad", "not run"),
        };
        let name = escaped(&outcome.name);
        let name = match &outcome.page {
            Some(file) => format!("<a href=\"{}\">{name}</a>", escaped(file)),
            None => name,
        };
        let _ = writeln!(
            page,
            "<tr><td>{name}</td><td class=\"{class}\">{mark}</td><td>{:.1} s</td><td>{}</td></tr>",
            outcome.wall.as_secs_f64(),
            escaped(&answer(outcome))
        );
    }
    page + "</table>\n</body>\n</html>\n"
}

/// JUnit's XML: a proof without an answer is an error, another answer a failure.
pub fn junit(outcomes: &[Outcome]) -> String {
    let count = |kinds: &[Kind]| outcomes.iter().filter(|outcome| kinds.contains(&outcome.kind)).count();
    let wall: Duration = outcomes.iter().map(|outcome| outcome.wall).sum();
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        text,
        "<testsuite name=\"foldback\" tests=\"{}\" failures=\"{}\" errors=\"{}\" time=\"{:.3}\">",
        outcomes.len(),
        count(&[Kind::Different]),
        count(&[Kind::Unknown, Kind::BadInput]),
        wall.as_secs_f64()
    );
    for outcome in outcomes {
        let (name, time) = (escaped(&outcome.name), outcome.wall.as_secs_f64());
        let element = match outcome.kind {
            Kind::AsExpected => {
                let end = match outcome.is_unchecked {
                    true => format!(">\n    <system-out>true{UNCHECKED}</system-out>\n  </testcase>"),
                    false => "/>".to_owned(),
                };
                let _ = writeln!(text, "  <testcase classname=\"foldback\" name=\"{name}\" time=\"{time:.3}\"{end}");
                continue;
            }
            Kind::Different => "failure",
            Kind::Unknown | Kind::BadInput => "error",
        };
        let _ = writeln!(text, "  <testcase classname=\"foldback\" name=\"{name}\" time=\"{time:.3}\">");
        let (answer, said) = (escaped(&outcome.answer), escaped(&outcome.said));
        let _ = writeln!(text, "    <{element} message=\"{answer}\">{said}</{element}>\n  </testcase>");
    }
    text + "</testsuite>\n"
}

/// Text inside XML; characters that XML does not have are left out.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\n' | '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => out.push(c),
        }
    }
    out
}

/// One SARIF file with one run: the rules, results and notifications of all.
pub fn sarif(outcomes: &[Outcome]) -> Option<String> {
    let mut runs =
        outcomes.iter().filter_map(|outcome| outcome.sarif.as_ref()?["runs"].get(0).map(|run| (outcome, run)));
    let (first, run) = runs.next()?;
    let mut file = first.sarif.clone()?;
    let mut rules: Vec<Value> = Vec::new();
    let (mut results, mut notes, mut artifacts) = (Vec::new(), Vec::new(), Vec::new());
    for (outcome, run) in std::iter::once((first, run)).chain(runs) {
        for rule in list(&run["tool"]["driver"]["rules"]) {
            if !rules.iter().any(|known| known["id"] == rule["id"]) {
                rules.push(rule.clone());
            }
        }
        for result in list(&run["results"]) {
            let mut result = result.clone();
            let index = rules.iter().position(|rule| rule["id"] == result["ruleId"]);
            if let (Some(fields), Some(index)) = (result.as_object_mut(), index) {
                if fields.contains_key("ruleIndex") {
                    fields.insert("ruleIndex".to_owned(), json!(index));
                }
                let properties = fields.entry("properties").or_insert_with(|| json!({}));
                properties["proof"] = json!(outcome.name);
            }
            results.push(result);
        }
        for note in run["invocations"][0]["toolExecutionNotifications"].as_array().into_iter().flatten() {
            let mut note = note.clone();
            let text = note["message"]["text"].as_str().unwrap_or_default();
            note["message"]["text"] = json!(format!("{}: {text}", outcome.name));
            notes.push(note);
        }
        for artifact in list(&run["artifacts"]) {
            if !artifacts.contains(artifact) {
                artifacts.push(artifact.clone());
            }
        }
    }
    let merged = &mut file["runs"][0];
    merged["tool"]["driver"]["rules"] = json!(rules);
    merged["automationDetails"]["id"] = json!("foldback/check/");
    merged["invocations"] = json!([{ "executionSuccessful": true, "toolExecutionNotifications": notes }]);
    merged["artifacts"] = json!(artifacts);
    // Places inside results name files by their numbers in a run's own list; those are other numbers now.
    merged["results"] = json!(results.into_iter().map(without_artifact_indices).collect::<Vec<Value>>());
    let total = total(outcomes);
    merged["properties"] = json!({ "verdict": total });
    serde_json::to_string_pretty(&file).ok().map(|text| text + "\n")
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn without_artifact_indices(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(without_artifact_indices).collect(),
        Value::Object(fields) => {
            let is_place = fields.contains_key("uri");
            let kept = fields.into_iter().filter(|(name, _)| !(is_place && name == "index"));
            Value::Object(kept.map(|(name, value)| (name, without_artifact_indices(value))).collect())
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(name: &str, answer: &str, kind: Kind) -> Outcome {
        let sarif = json!({ "version": "2.1.0", "runs": [{
            "tool": { "driver": { "name": "foldback", "rules": [{ "id": name }, { "id": "assert" }] } },
            "automationDetails": { "id": "x" },
            "results": [{ "ruleId": "assert", "ruleIndex": 1, "at": { "uri": "a.c", "index": 3 } }],
        }]});
        let (name, answer) = (name.to_owned(), answer.to_owned());
        Outcome {
            name,
            answer,
            kind,
            wall: Duration::from_millis(1500),
            said: "a < b & \"c\"\u{7}".to_owned(),
            is_stored: false,
            is_unchecked: false,
            page: Some("page.html".to_owned()),
            sarif: Some(sarif),
        }
    }

    #[test]
    fn junit_has_a_case_for_each_proof() {
        let text =
            junit(&[outcome("good", "true", Kind::AsExpected), outcome("bad", "false(assert)", Kind::Different)]);
        assert!(text.contains("tests=\"2\" failures=\"1\" errors=\"0\" time=\"3.000\""), "{text}");
        assert!(text.contains("<failure message=\"false(assert)\">a &lt; b &amp; &quot;c&quot;</failure>"), "{text}");
    }

    #[test]
    fn sarif_is_one_run() {
        let text =
            sarif(&[outcome("a", "true", Kind::AsExpected), outcome("b", "true", Kind::AsExpected)]).expect("a file");
        let file: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(list(&file["runs"]).len(), 1);
        let run = &file["runs"][0];
        let ids: Vec<&str> =
            list(&run["tool"]["driver"]["rules"]).iter().filter_map(|rule| rule["id"].as_str()).collect();
        assert_eq!(ids, ["a", "assert", "b"]);
        assert_eq!(list(&run["results"]).len(), 2);
        assert_eq!(run["results"][1]["properties"]["proof"], "b");
        assert_eq!(run["results"][1]["at"], json!({ "uri": "a.c" }));
    }

    #[test]
    fn the_index_leads_to_pages() {
        let text = index("<p>", &[outcome("a<b", "unknown(x)", Kind::Unknown)]);
        assert!(text.contains("<h1>&lt;p&gt;</h1>") && text.contains("0 of 1 proofs as expected, 1 unknown"), "{text}");
        assert!(text.contains("<a href=\"page.html\">a&lt;b</a>"), "{text}");
    }

    #[test]
    fn totals() {
        let all = [outcome("a", "true", Kind::AsExpected), outcome("b", "unknown(x)", Kind::Unknown)];
        assert_eq!(total(&all), "1 of 2 proofs as expected, 1 unknown");
        assert_eq!(line(&all[1], 4), "b     unknown      1.5 s  unknown(x)");
        let believed = [Outcome { is_unchecked: true, ..all[0].clone() }];
        for text in [total(&believed), line(&believed[0], 4), junit(&believed), index("p", &believed)] {
            assert!(text.contains("accepted without a check"), "{text}");
        }
    }
}
