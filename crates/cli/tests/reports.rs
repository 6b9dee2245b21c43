//! Results as pages and for code scanners, from `verify` and from `explain`.

use crate::common::{BUG, PROOF, Scratch, foldback, npm, stderr, stdout};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

const LIMIT: [&str; 2] = ["--time-limit", "20s"];

struct Kept {
    scratch: Scratch,
    html: PathBuf,
    sarif: Value,
    text: String,
}

/// Verifies the program, keeping all forms of the result; the page and the SARIF file are then made again from the JSON.
fn kept(name: &str, program: &str, flags: &[&str]) -> Kept {
    let scratch = Scratch::new(&format!("reports-{name}"));
    let file = scratch.file("program.c", program);
    let path = |name: &str| scratch.path(name).to_string_lossy().into_owned();
    let (json, html, sarif) = (path("r.json"), path("r.html"), path("r.sarif"));
    let files = ["--json", &json, "--html", &html, "--sarif", &sarif];
    let source = file.to_string_lossy();
    let start = ["verify", "--replay", "interpreter", &source];
    let output = foldback(start.into_iter().chain(files).chain(flags.iter().copied()));
    let read = |name: &str| std::fs::read_to_string(name).unwrap_or_else(|e| panic!("{name}: {e}"));
    let first = read(&sarif);
    std::fs::remove_file(&sarif).expect("it was written");
    let again = foldback(["explain", &json, "--html", &path("again.html"), "--sarif", &sarif]);
    assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));
    assert_eq!(stdout(&again), stdout(&output));
    assert_eq!(read(&sarif), first);
    let body = |page: String| page.split("<h2 id=\"h-runs\">").next().unwrap_or_default().to_owned();
    assert_eq!(body(read(&path("again.html"))), body(read(&html)));
    let sarif = serde_json::from_str(&first).expect("SARIF is JSON");
    Kept { html: html.into(), sarif, text: stdout(&output), scratch }
}

fn page(kept: &Kept) -> String {
    let page = std::fs::read_to_string(&kept.html).expect("a page");
    for outside in ["src=", "href=\"http", "@import", "url("] {
        assert!(!page.contains(outside), "the page needs something from outside: {outside}");
    }
    page
}

#[test]
fn a_violation_as_page_and_sarif() {
    let kept = kept("bug", BUG, &LIMIT);
    assert!(kept.text.ends_with("RESULT: false(unreach-call)\n"), "{}", kept.text);
    let page = page(&kept);
    assert!(page.contains("An execution violates unreach-call"), "{page}");
    assert!(page.contains("the loop runs 7 times, n: 0 → 14"), "{page}");
    assert_eq!(page.matches("</script>").count(), 2, "text of the program must not end a script");

    assert_eq!(kept.sarif["version"], "2.1.0");
    let run = &kept.sarif["runs"][0];
    let rules: Vec<&Value> =
        run["tool"]["driver"]["rules"].as_array().expect("rules").iter().map(|r| &r["id"]).collect();
    let usual = ["assert", "unreach-call", "valid-deref", "valid-free", "valid-memtrack", "no-overflow", "div-by-zero"];
    assert_eq!(rules, usual);
    let [result] = &run["results"].as_array().expect("results")[..] else { panic!("{run}") };
    assert_eq!((&result["ruleId"], &result["level"]), (&"unreach-call".into(), &"error".into()));
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["region"]["startLine"], 13);
    assert!(place["artifactLocation"]["uri"].as_str().is_some_and(|uri| uri.ends_with("/program.c")), "{place}");
    let flow = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().expect("a flow");
    let lines: Vec<u64> =
        flow.iter().filter_map(|stop| stop["location"]["physicalLocation"]["region"]["startLine"].as_u64()).collect();
    assert!(lines.contains(&9), "the loop is a step: {lines:?}");
    assert_eq!(lines.last(), Some(&13));
    assert!(result["partialFingerprints"]["foldback/v1"].as_str().is_some_and(|hash| hash.len() == 32));
}

/// Lines that are added above do not make another finding of it.
#[test]
fn fingerprints_do_not_depend_on_line_numbers() {
    let print = |kept: &Kept| {
        let result = &kept.sarif["runs"][0]["results"][0];
        let uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].clone();
        (result["partialFingerprints"]["foldback/v1"].clone(), uri)
    };
    let first = print(&kept("print", BUG, &LIMIT));
    let moved = print(&kept("print", &format!("// A line.\n{BUG}"), &LIMIT));
    assert_eq!(first, moved);
    let other = print(&kept("print", &BUG.replace("reach_error();\n  return", "{ reach_error(); }\n  return"), &LIMIT));
    assert_ne!(first, other);
}

#[test]
fn a_proof_as_page_and_sarif() {
    let kept = kept("proof", PROOF, &["--engine", "absint", "--time-limit", "20s"]);
    assert!(kept.text.ends_with("RESULT: true\n"), "{}", kept.text);
    let page = page(&kept);
    let at_loop =
        page.split("id=\"f0-5\"").nth(1).and_then(|rest| rest.split("id=\"f0-6\"").next()).unwrap_or_default();
    assert!(at_loop.contains("invariant:"), "the invariant stands at its loop: {page}");
    assert!(page.contains("absint"), "{page}");
    assert_eq!(kept.sarif["runs"][0]["results"], serde_json::json!([]));
    assert_eq!(kept.sarif["runs"][0]["properties"]["verdict"], "true");
}

#[test]
fn no_answer_says_what_would_help() {
    let kept = kept("open", PROOF, &["--engine", "bmc", "--time-limit", "200ms"]);
    assert!(kept.text.contains("RESULT: unknown("), "{}", kept.text);
    assert!(page(&kept).contains("What would help"));
    let notes = &kept.sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"];
    assert!(notes[0]["message"]["text"].as_str().is_some_and(|text| text.starts_with("No answer: ")), "{notes}");
}

/// Microsoft's validator of SARIF has nothing to warn of: of a violation, of a proof and of no answer.
#[test]
fn multitool_has_no_warnings() {
    let package = "@microsoft/sarif-multitool-linux";
    let Some(multitool) = npm(&format!("{package}@5.7.0"), &format!("{package}/Sarif.Multitool")) else { return };
    let programs: [(&str, &str, &[&str]); 3] = [
        ("tool-bug", BUG, &LIMIT),
        ("tool-proof", PROOF, &["--engine", "absint", "--time-limit", "20s"]),
        ("tool-open", PROOF, &["--engine", "bmc", "--time-limit", "200ms"]),
    ];
    for (name, program, flags) in programs {
        let kept = kept(name, program, flags);
        let file = kept.scratch.file("result.sarif", kept.sarif.to_string());
        let mut validate = Command::new(&multitool);
        validate.arg("validate").arg(&file).args(["--level", "Error", "Warning", "--rule-kind", "Sarif", "Ghas"]);
        let output = validate.output().expect("it runs");
        let said = stdout(&output) + &stderr(&output);
        assert!(output.status.success() && said.contains("1 files scanned"), "{said}");
        assert!(!said.contains(": warning ") && !said.contains(": error "), "{said}");
    }
}

/// The tree of a proof: leaves that return to the loop's head have a dashed edge to it.
#[test]
fn trees_show_what_subsumes_what() {
    let scratch = Scratch::new("reports-tree");
    let file = scratch.file("program.c", PROOF);
    let output = foldback([Path::new("cfa"), "--proof".as_ref(), "--format".as_ref(), "dot".as_ref(), &file]);
    let tree = stdout(&output);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(tree.starts_with("digraph tree {") && tree.contains("[style=dashed, constraint=false"), "{tree}");
    assert!(stderr(&output).contains("tracer: true"), "{}", stderr(&output));
    let refused = foldback([Path::new("cfa"), "--proof".as_ref(), &file]);
    assert_eq!(refused.status.code(), Some(2), "{}", stdout(&refused));
}

/// What stands in brackets with parentheses behind it is a link in a message of SARIF: neither a text of the program's is one, nor a
/// call of a function in an array.
#[test]
fn messages_are_no_links() {
    let program = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nstatic int id(int x) { return x; }\nint (*f[2])(int) = {id, id};\n\
        int main(void) { int x = __VERIFIER_nondet_int(); int y = f[0](1);\n  assert(f[1](x) != 3 && y && \"[click](https://evil.example)\"); return 0; }\n";
    let kept = kept("links", program, &LIMIT);
    assert!(kept.text.ends_with("RESULT: false(assert)\n"), "{}", kept.text);
    let mut messages = Vec::new();
    messages_in(&kept.sarif, &mut messages);
    assert!(messages.iter().any(|text| text.contains("[click] (https")), "{messages:?}");
    assert!(messages.iter().all(|text| !text.contains("](")), "{messages:?}");
}

fn messages_in(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::Object(members) => members.iter().for_each(|(name, member)| match member["text"].as_str() {
            Some(text) if name == "message" => into.push(text.to_owned()),
            _ => messages_in(member, into),
        }),
        Value::Array(items) => items.iter().for_each(|item| messages_in(item, into)),
        _ => {}
    }
}

/// A proof that is believed and not checked is called so in all forms of a result, the shortest one too.
#[test]
fn what_is_not_checked_is_said_everywhere() {
    let kept = kept("unchecked", PROOF, &LIMIT);
    assert!(kept.text.ends_with("RESULT: true\n"), "{}", kept.text);
    let read = |name: &str| std::fs::read_to_string(kept.scratch.path(name)).expect("a file");
    let mut result: Value = serde_json::from_str(&read("r.json")).expect("JSON");
    let path = |name: &str| kept.scratch.path(name).to_string_lossy().into_owned();
    let said = "this proof was not checked, and is accepted";
    for why in [Value::Null, "it takes too long".into()] {
        let is_proof = |value: &Value| value["proof"].is_object();
        let parts: Vec<String> = result.as_object().expect("an object").keys().cloned().collect();
        let change = |verdict: &mut Value| {
            if is_proof(verdict) {
                verdict["proof"]["proved_again_by"] = Value::Null;
                verdict["proof"]["not_proved_again"] = why.clone();
                verdict["proof"]["accepted_unchecked"] = true.into();
            }
        };
        for part in parts {
            change(&mut result[&part]);
            if let Value::Array(items) = &mut result[&part] {
                items.iter_mut().filter_map(|item| item.get_mut("result")).for_each(change);
            }
        }
        std::fs::write(path("r.json"), result.to_string()).expect("a file");
        for detail in [&[][..], &["-q"], &["-v"]] {
            let (json, html, sarif) = (path("r.json"), path("r.html"), path("r.sarif"));
            let words = [&["explain", &json, "--html", &html, "--sarif", &sarif][..], detail].concat();
            let output = foldback(&words);
            assert!(stdout(&output).contains(said), "{detail:?} {why}: {}{}", stdout(&output), stderr(&output));
        }
        assert!(read("r.html").contains(said) && read("r.sarif").contains(said), "{why}");
    }
}
