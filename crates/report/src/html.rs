//! A result as one page that needs nothing else: the verdict, the source with a counterexample to step through or with the
//! invariants at their loops, what the engines did. Made from the model and the sources alone.

mod memory;
mod source;

use crate::advice::advice;
use crate::highlight::escape;
use crate::model::{Counterexample, Known, LoopInvariant, Method, Native, Place, Proof, Report, Verdict};
use crate::text;
use crate::tour::{self, Kind, Stop};
use base::source::SourceFile;
use serde_json::json;
use sha2::{Digest, Sha256};
use source::Listing;
use std::fmt::Write as _;

const STYLE: &str = include_str!("html/page.css");
const SCRIPT: &str = include_str!("html/page.js");

/// What a browser lets the page do: show its own styles, and run its own script, known by its hash. What comes from the
/// program is escaped; should anything slip through, it stays text.
fn content_policy() -> String {
    let script = base64(&Sha256::digest(format!("\n{SCRIPT}").as_bytes()));
    format!(
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{script}'; img-src data:; base-uri 'none'; form-action 'none'"
    )
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for digit in 0..4 {
            let shown = digit <= chunk.len();
            out.push(if shown { char::from(DIGITS[(bits >> (18 - 6 * digit)) as usize & 63]) } else { '=' });
        }
    }
    out
}

/// The page, with a picture of the automaton (SVG) where there is one. Of sources that could not be read there are no lines.
pub fn page(report: &Report, sources: &[SourceFile], picture: Option<&str>) -> String {
    let violations = report.violations();
    let tours: Vec<Vec<Stop<'_>>> = violations.iter().map(|(_, run)| tour::stops(run)).collect();
    let listing = Listing::new(report, sources, &violations);
    let title = format!("foldback: {} {}", report.result, report.files.join(", "));
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"foldback {}\">\n<title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#source\">To the source</a>\n",
        content_policy(),
        env!("CARGO_PKG_VERSION"),
        escape(&title)
    );
    page += &header(report);
    page += "<main>\n";
    page += &parts(report);
    page += &match &report.result {
        Verdict::True { proof } => proof_section(proof),
        Verdict::False { counterexample, .. } => inputs(counterexample),
        Verdict::Unknown { kind, known, .. } => help(*kind, known),
    };
    let alone = if tours.is_empty() { " alone" } else { "" };
    let _ = write!(page, "<div class=\"work{alone}\">\n{}{}</div>\n", stepper(&violations, &tours), listing.render());
    page += &pictures(&violations);
    page += &checks(report, &listing);
    page += &loops(report, &listing);
    page += &runs(report);
    page += &picture.map(automaton).unwrap_or_default();
    page += &notes(report);
    page += "</main>\n";
    if !tours.is_empty() {
        let json: Vec<Vec<serde_json::Value>> =
            tours.iter().map(|stops| stops.iter().map(|stop| stop_json(stop, &listing)).collect()).collect();
        // Inside of a script element only `<` could end it.
        let json = json!(json).to_string().replace('<', "\\u003c");
        let _ = writeln!(page, "<script type=\"application/json\" id=\"tours\">{json}</script>");
        let _ = writeln!(page, "<script>\n{SCRIPT}</script>");
    }
    page + "</body>\n</html>\n"
}

fn header(report: &Report) -> String {
    let what = report.properties.join(", ");
    let (class, headline) = match &report.result {
        Verdict::True { .. } => ("true", format!("No execution violates {what}")),
        Verdict::False { property, .. } => ("false", format!("An execution violates {property}")),
        Verdict::Unknown { reason, .. } => ("unknown", format!("No answer: {reason}")),
    };
    let files: Vec<String> = report.files.iter().map(|file| format!("<code>{}</code>", escape(file))).collect();
    format!(
        "<header>\n<p class=\"tool\">foldback · {}</p>\n<h1><span class=\"badge {class}\">{class}</span> {}</h1>\n\
         <p class=\"quiet\">Checked: {} · {}</p>\n</header>\n",
        files.join(", "),
        escape(&headline),
        escape(&what),
        escape(&report.data_model)
    )
}

/// A line for each of several properties.
fn parts(report: &Report) -> String {
    if report.parts.is_empty() {
        return String::new();
    }
    let mut text = "<section aria-labelledby=\"h-parts\">\n<h2 id=\"h-parts\">Properties</h2>\n<table>\n".to_owned();
    for part in &report.parts {
        let (class, word, rest) = match (&part.result, part.result.missing()) {
            (Verdict::True { .. }, _) => ("true", "true", String::new()),
            (Verdict::False { property, .. }, _) => ("false", "false", property.clone()),
            (Verdict::Unknown { .. }, Some(missing)) => ("nothing", "nothing to check", missing.to_owned()),
            (Verdict::Unknown { reason, .. }, None) => ("unknown", "unknown", reason.clone()),
        };
        let _ = writeln!(
            text,
            "<tr><th scope=\"row\">{}</th><td><span class=\"badge {class}\">{word}</span> {}</td></tr>",
            escape(&part.name),
            escape(&rest)
        );
    }
    text + "</table>\n</section>\n"
}

fn proof_section(proof: &Proof) -> String {
    let how = match &proof.method {
        Method::Simplified => "No check can fail: simplifying the program decides them all.".to_owned(),
        Method::Executed { steps } => {
            format!("The program asks for nothing: its only execution ends after {steps} steps without an error.")
        }
        Method::Paths { explored: 1 } => "The only path was followed to its end.".to_owned(),
        Method::Paths { explored } => format!("All {explored} paths were followed to their ends."),
        Method::Unwound { bound } => {
            format!("Every loop ends within {bound} iterations: all executions were explored.")
        }
        Method::Invariants { loops, .. } if loops.is_empty() => "The property itself is inductive.".to_owned(),
        Method::Invariants { k: 1, .. } => {
            "The invariants shown at the loops hold whenever control is there, and exclude every error.".to_owned()
        }
        Method::Invariants { k, .. } => {
            format!("The invariants shown at the loops are together {k}-inductive, and exclude every error.")
        }
        Method::Ranking { loops } => {
            let each = loops
                .iter()
                .map(|l| format!("{}: {} decreases", place(l.known.place.as_ref()), l.ranking.join(", then ")));
            format!("Every execution ends. {}", each.collect::<Vec<String>>().join("; "))
        }
        Method::Parts => "Each property was proved by itself.".to_owned(),
    };
    let again = match (&proof.proved_again_by, &proof.not_proved_again) {
        (Some(solver), _) => format!(" Proved a second time with {solver}."),
        (None, Some(why)) if proof.accepted_unchecked => format!(" Warning: {} ({why}).", crate::text::UNCHECKED),
        (None, Some(why)) => format!(" Not proved a second time: {why}."),
        (None, None) if proof.accepted_unchecked => format!(" Warning: {}.", crate::text::UNCHECKED),
        (None, None) => String::new(),
    };
    section("proof", "Why it holds", &format!("<p>{}</p>\n", escape(&(how + &again))))
}

/// What the program was given, and whether the compiled program agrees.
fn inputs(run: &Counterexample) -> String {
    let mut out = String::new();
    if !run.danger.is_empty() {
        let _ = writeln!(out, "<pre>{}</pre>", escape(&run.danger.join("\n")));
    }
    let inputs = text::told(&run.inputs);
    if run.inputs.is_empty() && run.danger.is_empty() {
        out += "<p>No input is needed: every execution does.</p>\n";
    } else if !inputs.is_empty() {
        let _ = write!(
            out,
            "<details{}><summary>{} with which it happens</summary>\n<div class=\"wide\"><table>\n\
             <tr><th scope=\"col\">input</th><th scope=\"col\">place</th></tr>\n",
            if inputs.len() <= 8 { " open" } else { "" },
            if inputs.len() == 1 { "The input" } else { "The inputs" }
        );
        for (at, told) in inputs {
            let _ = writeln!(out, "<tr><td><code>{}</code></td><td>{}</td></tr>", escape(&told), escape(&place(at)));
        }
        out += "</table></div></details>\n";
    }
    let native = match &run.native {
        Native::Confirmed { seconds } => format!("Confirmed by the compiled program ({seconds:.2} s)."),
        Native::Unavailable { reason } => format!("Not confirmed by a compiled program: {reason}."),
        Native::Skipped => "Confirmed by the interpreter.".to_owned(),
    };
    let _ = writeln!(out, "<p class=\"quiet\">{}</p>", escape(&native));
    if let Some(why) = &run.steps_missing {
        let _ = writeln!(out, "<p class=\"quiet\">{}</p>", escape(why));
    }
    section("inputs", "How it happens", &out)
}

fn help(kind: crate::Kind, known: &Known) -> String {
    let so_far = known.no_error_within.map(|bound| {
        let times = if bound == 1 { "iteration" } else { "iterations" };
        format!("<p>Known so far: no execution with at most {bound} {times} of every loop violates anything.</p>\n")
    });
    let items: Vec<String> = advice(kind).iter().map(|text| format!("<li>{}</li>\n", escape(text))).collect();
    let content = format!("{}<ul>\n{}</ul>\n", so_far.unwrap_or_default(), items.concat());
    section("help", "What would help", &content)
}

fn section(id: &str, heading: &str, content: &str) -> String {
    format!("<section aria-labelledby=\"h-{id}\">\n<h2 id=\"h-{id}\">{heading}</h2>\n{content}</section>\n")
}

/// The controls, the current step, the variables, all steps. Without scripts the list remains.
fn stepper(violations: &[(&str, &Counterexample)], tours: &[Vec<Stop<'_>>]) -> String {
    if tours.is_empty() {
        return String::new();
    }
    let mut text = "<section class=\"side\" aria-labelledby=\"h-steps\">\n<h2 id=\"h-steps\">Step by step</h2>\n\
                    <div id=\"stepper\" hidden>\n"
        .to_owned();
    if violations.len() > 1 {
        text += "<p><label>Violation of <select id=\"tour\">";
        for (i, (property, _)) in violations.iter().enumerate() {
            let _ = write!(text, "<option value=\"{i}\">{}</option>", escape(property));
        }
        text += "</select></label></p>\n";
    }
    text += "<div class=\"controls\" role=\"group\" aria-label=\"Steps\">\
             <button id=\"first\" type=\"button\" aria-label=\"First step\">«</button>\
             <button id=\"back\" type=\"button\" aria-label=\"Step back\">‹</button>\
             <button id=\"next\" type=\"button\" aria-label=\"Next step\">›</button>\
             <button id=\"last\" type=\"button\" aria-label=\"The violation\">»</button> <span id=\"position\"></span></div>\n\
             <div id=\"now\" class=\"now\" role=\"status\" aria-live=\"polite\"></div>\n\
             <p id=\"calls\" class=\"calls\"></p>\n\
             <table id=\"values\" class=\"values\"><thead><tr><th scope=\"col\">variable</th><th scope=\"col\">in</th>\
             <th scope=\"col\">value</th></tr></thead><tbody></tbody></table>\n\
             <p class=\"keys quiet\"><kbd>←</kbd> <kbd>→</kbd> step, <kbd>Home</kbd> <kbd>End</kbd> to the ends</p>\n</div>\n\
             <details id=\"list\" open><summary>All steps</summary>\n";
    for (i, stops) in tours.iter().enumerate() {
        let _ = writeln!(text, "<ol class=\"steps\" data-tour=\"{i}\">");
        for stop in stops {
            let class = if stop.kind == Kind::Violation { " class=\"violation\"" } else { "" };
            let _ = writeln!(
                text,
                "<li><button type=\"button\"{class}><span class=\"at\">{}</span> {}</button></li>",
                escape(&place_and_function(stop)),
                escape(&stop.text)
            );
        }
        text += "</ol>\n";
    }
    text + "</details>\n</section>\n"
}

/// For the script: files as numbers of the listing.
fn stop_json(stop: &Stop<'_>, listing: &Listing<'_>) -> serde_json::Value {
    let at = stop.place.and_then(|place| Some(json!({ "file": listing.number(&place.file)?, "line": place.line })));
    json!({
        "place": at, "where": place_and_function(stop), "function": stop.function, "depth": stop.depth,
        "text": stop.text, "sets": stop.sets, "kind": stop.kind,
        "callers": stop.callers.iter().map(|caller| place(Some(caller))).collect::<Vec<_>>(),
    })
}

fn place_and_function(stop: &Stop<'_>) -> String {
    let line = stop.place.map(|place| format!("line {}", place.line));
    let function = stop.function.map(|name| format!("in {name}"));
    [line, function].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn runs(report: &Report) -> String {
    if report.runs.is_empty() {
        return section("runs", "Engines", "<p>No engine was needed.</p>\n");
    }
    let longest = report.runs.iter().map(|run| run.cpu_seconds).fold(0.001, f64::max);
    let mut text =
        "<div class=\"wide\"><table>\n<tr><th scope=\"col\">engine</th><th scope=\"col\" class=\"number\">CPU time\
                    </th><th scope=\"col\" style=\"width:30%\">share</th>\
                    <th scope=\"col\">what it said</th></tr>\n"
            .to_owned();
    for run in &report.runs {
        let _ = writeln!(
            text,
            "<tr><th scope=\"row\">{}</th><td class=\"number\">{:.2} s</td><td aria-hidden=\"true\">\
             <span class=\"bar\" style=\"width:{:.1}%\"></span></td><td>{}</td></tr>",
            escape(&run.engine),
            run.cpu_seconds,
            100.0 * run.cpu_seconds / longest,
            escape(&run.said)
        );
    }
    section("runs", "Engines", &(text + "</table></div>\n"))
}

/// Memory where the violations happen.
fn pictures(violations: &[(&str, &Counterexample)]) -> String {
    let mut content = String::new();
    for (property, run) in violations {
        let Some(drawn) = &run.violation.memory else { continue };
        if violations.len() > 1 {
            let _ = writeln!(content, "<h3>{}</h3>", escape(property));
        }
        content += &memory::picture(drawn);
    }
    if content.is_empty() { content } else { section("memory", "Memory then", &content) }
}

fn automaton(svg: &str) -> String {
    // What stands before the element is for files of their own.
    let svg = svg.find("<svg").map_or("", |at| &svg[at..]);
    let content = format!(
        "<details><summary>The program as the engines saw it</summary>\n<div class=\"picture\" tabindex=\"0\" \
         role=\"img\" aria-label=\"The automaton as a graph\">{svg}</div>\n</details>\n"
    );
    section("automaton", "Automaton", &content)
}

/// The verdicts that a report consists of.
fn verdicts(report: &Report) -> Vec<&Verdict> {
    if report.parts.is_empty() { vec![&report.result] } else { report.parts.iter().map(|part| &part.result).collect() }
}

/// What was checked where, as far as the answer tells checks apart: those that fail first, then the open ones.
fn checks(report: &Report, listing: &Listing<'_>) -> String {
    let mut rows: Vec<(u8, &str, Option<&Place>, String)> = Vec::new();
    for verdict in verdicts(report) {
        match verdict {
            Verdict::False { counterexample: Counterexample { violation, .. }, .. } => {
                rows.push((0, "violated", violation.place.as_ref(), violation.message.clone()));
            }
            Verdict::Unknown { known, .. } => {
                for check in &known.checks {
                    let (order, word) = if check.proved { (2, "proved") } else { (1, "open") };
                    rows.push((order, word, check.place.as_ref(), format!("{}: {}", check.property, check.message)));
                }
            }
            Verdict::True { .. } => {}
        }
    }
    rows.sort();
    rows.dedup();
    if rows.is_empty() {
        return String::new();
    }
    let mut table = "<div class=\"wide\"><table>\n".to_owned();
    for (_, word, at, message) in &rows {
        let class = match *word {
            "violated" => "false",
            "proved" => "true",
            _ => "unknown",
        };
        let _ = writeln!(
            table,
            "<tr><td><span class=\"badge {class}\">{word}</span></td><td>{}</td><td>{}</td></tr>",
            link(*at, listing),
            escape(message)
        );
    }
    section("checks", "Checks", &(table + "</table></div>\n"))
}

/// The loops of which something is known, with links to where it stands in the source.
fn loops(report: &Report, listing: &Listing<'_>) -> String {
    let mut found: Vec<(&Place, &str)> = Vec::new();
    for verdict in verdicts(report) {
        let of_ranking = match verdict {
            Verdict::True { proof: Proof { method: Method::Ranking { loops }, .. } } => &loops[..],
            _ => &[],
        };
        let all = invariants(verdict).iter().chain(of_ranking.iter().map(|ranking| &ranking.known));
        let users = all.filter_map(|known| Some((known.place.as_ref().filter(|at| at.is_users())?, &*known.function)));
        found.extend(users);
    }
    found.sort();
    found.dedup();
    if found.is_empty() {
        return String::new();
    }
    let items: Vec<String> = found
        .iter()
        .map(|(at, function)| format!("<li>{} in <code>{}</code></li>\n", link(Some(at), listing), escape(function)))
        .collect();
    section("loops", "Loops with invariants", &format!("<ul>\n{}</ul>\n", items.concat()))
}

/// A place, as a link where its line is on the page.
fn link(at: Option<&Place>, listing: &Listing<'_>) -> String {
    let text = escape(&place(at));
    match at.and_then(|at| listing.anchor(at)) {
        Some(anchor) => format!("<a href=\"#{anchor}\">{text}</a>"),
        None => text,
    }
}

fn notes(report: &Report) -> String {
    if report.notes.is_empty() {
        return String::new();
    }
    let items: Vec<String> = report.notes.iter().map(|note| format!("<li>{}</li>\n", escape(note))).collect();
    section("notes", "What the answer rests on", &format!("<ul>\n{}</ul>\n", items.concat()))
}

fn place(place: Option<&Place>) -> String {
    match place {
        None => "generated".to_owned(),
        Some(at) if !at.is_users() => "in the C library".to_owned(),
        Some(at) => format!("{}:{}", at.file, at.line),
    }
}

/// The invariants of a verdict, whether they prove it or were found on the way.
fn invariants(verdict: &Verdict) -> &[LoopInvariant] {
    match verdict {
        Verdict::True { proof: Proof { method: Method::Invariants { loops, .. }, .. } } => loops,
        Verdict::Unknown { known, .. } => &known.invariants,
        _ => &[],
    }
}
