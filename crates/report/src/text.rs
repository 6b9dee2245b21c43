//! A result as the terminal shows it.

use crate::advice::advice;
use crate::model::{
    CheckStatus, Counterexample, FunctionContract, Input, InputKind, Known, LoopInvariant, LoopRanking, Memory, Method,
    Native, Part, Place, Proof, Report, Step, Verdict, Violation,
};
use std::fmt::Write as _;

/// So many inputs are shown.
const INPUTS: usize = 50;
/// So many steps are shown: the last ones.
const STEPS: usize = 40;

/// So many open checks of an unknown result are shown.
const OPEN_CHECKS: usize = 10;

/// How much is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Detail {
    /// The verdict.
    Quiet,
    #[default]
    Normal,
    /// Also what every engine did.
    Verbose,
}

/// All of it; the last line is the verdict.
pub fn render(report: &Report, detail: Detail) -> String {
    render_rest(report, detail, &[])
}

/// All but the parts of these names, which were shown when they were decided.
pub fn render_rest(report: &Report, detail: Detail, shown: &[String]) -> String {
    let mut text = String::new();
    if detail == Detail::Quiet {
        for part in &report.parts {
            let _ = writeln!(text, "{}", render_summary(part));
        }
        if matches!(&report.result, Verdict::True { proof } if proof.accepted_unchecked) {
            let _ = writeln!(text, "warning: {UNCHECKED}");
        }
        let _ = writeln!(text, "RESULT: {}", report.result);
        return text;
    }
    let notes = report.notes.iter().fold(String::new(), |notes, note| notes + note + "\n");
    match &same(&report.parts)[..] {
        [] => text += &(notes + &render_verdict(&report.result)),
        [parts] => text += &(notes + &render_verdict(&parts[0].result)),
        // Of several, violations come first: they may have been shown before anything else was known.
        several => {
            let rest = several.iter().filter(|parts| !shown.contains(&parts[0].name));
            let (violated, others): (Vec<_>, Vec<_>) =
                rest.partition(|parts| matches!(parts[0].result, Verdict::False { .. }));
            violated.into_iter().for_each(|parts| text += &render_parts(parts));
            text += &notes;
            others.into_iter().for_each(|parts| text += &render_parts(parts));
        }
    }
    if detail == Detail::Verbose {
        for run in &report.runs {
            let _ = writeln!(text, "engine {}, {:.1} s: {}", run.engine, run.cpu_seconds, run.said);
        }
    }
    if let Verdict::Unknown { kind, .. } = &report.result {
        text += "what would help:\n";
        for hint in advice(*kind) {
            let _ = writeln!(text, "  - {hint}");
        }
    }
    for part in &report.parts {
        let _ = writeln!(text, "{}", render_summary(part));
    }
    let _ = writeln!(text, "RESULT: {}", report.result);
    text
}

/// One of several properties, as it is shown among others.
pub fn render_part(part: &Part) -> String {
    render_parts(&[part])
}

fn render_parts(parts: &[&Part]) -> String {
    let names: Vec<&str> = parts.iter().map(|part| part.name.as_str()).collect();
    match render_verdict(&parts[0].result) {
        nothing if nothing.is_empty() => nothing,
        text => format!("-- {}\n{text}", names.join(", ")),
    }
}

/// `memsafety: true`
fn render_summary(part: &Part) -> String {
    match part.result.missing() {
        Some(missing) => format!("{}: nothing to check ({missing})", part.name),
        None => format!("{}: {}", part.name, part.result),
    }
}

/// The parts that there was anything to check for, those with the same result together.
fn same(parts: &[Part]) -> Vec<Vec<&Part>> {
    let mut groups: Vec<Vec<&Part>> = Vec::new();
    for part in parts.iter().filter(|part| !part.result.is_empty()) {
        match groups.iter_mut().find(|group| group[0].result == part.result) {
            Some(group) => group.push(part),
            None => groups.push(vec![part]),
        }
    }
    groups
}

fn render_verdict(verdict: &Verdict) -> String {
    match verdict {
        Verdict::True { proof } => render_proof(proof),
        Verdict::False { counterexample, .. } => render_counterexample(counterexample, "the property"),
        Verdict::Unknown { known, .. } => render_known(known),
    }
}

fn render_known(known: &Known) -> String {
    let mut text = String::new();
    if let Some(bound) = known.no_error_within {
        let times = if bound == 1 { "iteration" } else { "iterations" };
        let _ = writeln!(text, "known so far: no violation within {bound} {times} of every loop");
    }
    for (at, facts) in facts(&known.invariants) {
        let _ = writeln!(text, "known so far: loop at {}: {}", place(at), in_lines(&facts.join(" && ")));
    }
    text + &render_checks(&known.checks)
}

/// What is known at each of the user's loops in C: every conjunct once.
fn facts(invariants: &[LoopInvariant]) -> Vec<(Option<&Place>, Vec<String>)> {
    let mut of_loops: Vec<(Option<&Place>, Vec<String>)> = Vec::new();
    for found in invariants {
        let (Some(at), Some(formula)) = (found.place.as_ref().filter(|at| at.is_users()), &found.c) else { continue };
        if of_loops.last().is_none_or(|(last, _)| *last != Some(at)) {
            of_loops.push((Some(at), Vec::new()));
        }
        let Some((_, facts)) = of_loops.last_mut() else { continue };
        for fact in conjuncts(formula) {
            if !facts.contains(&fact) {
                facts.push(fact);
            }
        }
    }
    of_loops
}

/// How many checks are proved, and which are open.
fn render_checks(checks: &[CheckStatus]) -> String {
    let open: Vec<&CheckStatus> = checks.iter().filter(|check| !check.proved).collect();
    let proved = checks.len() - open.len();
    // Where none is proved there is nothing to tell them apart by.
    if proved == 0 {
        return String::new();
    }
    let mut text = format!("{proved} of {} checks proved, open:\n", checks.len());
    for check in open.iter().take(OPEN_CHECKS) {
        let _ = writeln!(text, "  {}: {}", place(check.place.as_ref()), check.message);
    }
    if open.len() > OPEN_CHECKS {
        let _ = writeln!(text, "  and {} more (--json has them)", open.len() - OPEN_CHECKS);
    }
    text
}

/// What is said of a proof that the user takes on the engine's word.
pub const UNCHECKED: &str = "this proof was not checked, and is accepted because of --accept-unchecked";

fn render_proof(proof: &Proof) -> String {
    let mut text = match &proof.method {
        Method::Simplified => "no check can fail: simplifying the program decides them all\n".to_owned(),
        Method::Executed { steps } => {
            format!("the program asks for nothing: its only execution ends after {steps} steps without an error\n")
        }
        Method::Paths { explored: 1 } => "the only path was explored\n".to_owned(),
        Method::Paths { explored } => format!("all {explored} paths were explored\n"),
        Method::Unwound { bound } => {
            format!("every loop ends within {bound} iterations: all executions were explored\n")
        }
        Method::Parts => String::new(),
        Method::Ranking { loops } => {
            let mut text = "every execution ends:\n".to_owned();
            for LoopRanking { known, ranking } in loops {
                let place = place(known.place.as_ref());
                let _ = writeln!(text, "  loop at {place}: {} decreases", ranking.join(", then "));
                let _ = writeln!(text, "    where {}", in_lines(&known.text()));
            }
            text
        }
        Method::Invariants { k, loops } => {
            let mut text = if *k > 1 { format!("{k}-inductive invariants:\n") } else { "invariants:\n".to_owned() };
            if loops.is_empty() {
                text += "  (the property itself)\n";
            }
            let is_ours = |known: &&LoopInvariant| known.place.as_ref().is_some_and(|at| !at.is_users());
            for known in loops.iter().filter(|known| !is_ours(known)) {
                let _ = writeln!(text, "  loop at {}: {}", place(known.place.as_ref()), in_lines(&known.text()));
            }
            match loops.iter().filter(is_ours).count() {
                0 => {}
                1 => text += "  and one in the C library's functions (--json has it)\n",
                more => {
                    let _ = writeln!(text, "  and {more} in the C library's functions (--json has them)");
                }
            }
            text
        }
    };
    for FunctionContract { function, requires, ensures } in &proof.contracts {
        let _ = writeln!(text, "contract of the function {function}:");
        for (what, parts) in [("requires", requires), ("ensures", ensures)] {
            parts.iter().for_each(|part| {
                let _ = writeln!(text, "  {what} {part}");
            });
        }
    }
    if let Some(solver) = &proof.proved_again_by {
        let how = match proof.method {
            Method::Executed { .. } => "run by",
            Method::Unwound { .. } => "proved again with",
            Method::Paths { explored: 1 } => "proved again by walking it with",
            Method::Paths { .. } => "proved again by walking them with",
            Method::Simplified => "proved again before simplification with",
            _ => "proved again from the invariants with",
        };
        let _ = writeln!(text, "{how} {solver}");
    }
    match (&proof.not_proved_again, proof.accepted_unchecked) {
        (Some(why), true) => {
            let _ = writeln!(text, "warning: {UNCHECKED} ({why})");
        }
        (Some(why), false) => {
            let _ = writeln!(text, "note: not proved a second time ({why})");
        }
        (None, true) => {
            let _ = writeln!(text, "warning: {UNCHECKED}");
        }
        (None, false) => {}
    }
    text
}

/// Longer formulas than this are broken at their conjunctions.
const LINE: usize = 80;
/// So many conjuncts are shown: nobody reads on, and `--json` has them all.
const CONJUNCTS: usize = 12;
/// Of a longer conjunct only the beginning is shown.
const LONGEST: usize = 400;

/// A formula in C, one conjunct to a line where it is long.
fn in_lines(formula: &str) -> String {
    if formula.len() <= LINE {
        return formula.to_owned();
    }
    let mut parts = conjuncts(formula);
    let more = parts.len().saturating_sub(CONJUNCTS);
    parts.truncate(CONJUNCTS);
    let mut parts: Vec<String> = parts.into_iter().map(shortened).collect();
    if more > 0 {
        parts.push(format!("{more} more (--json has them)"));
    }
    if parts.len() == 1 { parts.remove(0) } else { format!("\n       {}", parts.join("\n    && ")) }
}

fn shortened(part: String) -> String {
    let count = part.chars().count();
    if count <= LONGEST {
        return part;
    }
    let beginning: String = part.chars().take(LONGEST).collect();
    format!("{beginning} … ({count} characters; --json has them all)")
}

/// The parts of a conjunction.
fn conjuncts(formula: &str) -> Vec<String> {
    let mut depth = 0;
    let mut parts = vec![String::new()];
    let mut rest = formula;
    while let Some(c) = rest.chars().next() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0
            && let Some(after) = rest.strip_prefix(" && ")
        {
            parts.push(String::new());
            rest = after;
            continue;
        }
        parts.last_mut().expect("there is a part").push(c);
        rest = &rest[c.len_utf8()..];
    }
    parts
}

/// Inputs, steps, and where the run ends.
pub fn render_counterexample(run: &Counterexample, violated: &str) -> String {
    let mut text = String::new();
    for line in &run.danger {
        text += line;
        text += "\n";
    }
    let inputs = told(&run.inputs);
    if !inputs.is_empty() {
        let _ = writeln!(text, "an execution with these inputs violates {violated}:");
    }
    for (at, input) in inputs.iter().take(INPUTS) {
        let _ = writeln!(text, "  {}: {input}", place(*at));
    }
    if inputs.len() > INPUTS {
        let _ = writeln!(text, "  ... and {} more", inputs.len() - INPUTS);
    }
    if !run.steps.is_empty() {
        text += "steps:\n";
        let hidden = run.steps.len().saturating_sub(STEPS);
        if hidden > 0 {
            let _ = writeln!(text, "  ... after {hidden} others");
        }
        for step in &run.steps[hidden..] {
            let _ = writeln!(text, "  {}", render_step(step));
        }
    }
    if let Some(why) = &run.steps_missing {
        let _ = writeln!(text, "note: {why}");
    }
    text += &render_violation(&run.violation);
    match &run.native {
        Native::Confirmed { seconds } => {
            let _ = writeln!(text, "confirmed by the compiled program ({seconds:.2} s)");
        }
        Native::Unavailable { reason } => {
            let _ = writeln!(text, "note: not confirmed by a compiled program: {reason}");
        }
        Native::Skipped => {}
    }
    text
}

/// So many values of one place are shown.
const VALUES: usize = 12;

/// The inputs that matter, in words, with their places; those of one place together.
pub fn told(inputs: &[Input]) -> Vec<(Option<&Place>, String)> {
    let mut groups: Vec<Vec<&Input>> = Vec::new();
    for input in inputs.iter().filter(|input| input.matters) {
        let is_same = |group: &&mut Vec<&Input>| {
            (&group[0].place, &group[0].name, group[0].kind) == (&input.place, &input.name, input.kind)
        };
        match groups.iter_mut().find(is_same) {
            Some(group) => group.push(input),
            None => groups.push(vec![input]),
        }
    }
    groups.iter().map(|group| (group[0].place.as_ref(), told_group(group))).collect()
}

fn told_group(group: &[&Input]) -> String {
    let Input { kind, name, receiver, .. } = group[0];
    let value = |input: &&Input| match input.times {
        1 => input.value.clone(),
        times => format!("{} ({times} times)", input.value),
    };
    let mut values: Vec<String> = group.iter().take(VALUES).map(value).collect();
    if group.len() > VALUES {
        values.push(format!("... ({} values)", group.iter().map(|input| input.times).sum::<u64>()));
    }
    let values = values.join(", ");
    match (kind, receiver) {
        (InputKind::Input, Some(receiver)) => format!("{receiver} = {values}, from {name}()"),
        (InputKind::Input | InputKind::Approximated, _) => format!("{name}() = {values}"),
        (InputKind::Argument, _) => match name.strip_suffix(" != NULL") {
            Some(pointer) if group[0].value == "0" => format!("{pointer} = NULL"),
            Some(pointer) => format!("{pointer} is not NULL"),
            None => format!("{name} = {values}"),
        },
        (InputKind::Uninitialised, _) => format!("{name} = {values}, as nothing was assigned to it"),
        // No name in C: a function that only the caller has.
        (InputKind::Extern, _) if name.contains(' ') => format!("{name} returns {values}"),
        (InputKind::Extern, _) => {
            format!("{name}() = {values}, as it has no body: add the file that defines it, or a stub")
        }
        (InputKind::Undefined, _) => format!("{name} = {values}, as no file defines it"),
    }
}

/// `place: __VERIFIER_nondet_int() = -3`
pub fn render_input(input: &Input) -> String {
    format!("{}: {}", place(input.place.as_ref()), told_group(&[input]))
}

fn render_step(step: &Step) -> String {
    match step {
        Step::Assign { place: at, function, depth, by, name, value, line } => {
            let line = line.as_ref().map(|line| format!("    | {line}")).unwrap_or_default();
            let by = by.as_ref().map(|by| format!("{by} stored ")).unwrap_or_default();
            format!("{}{}: {function}: {by}{name} = {value}{line}", indent(*depth), place(at.as_ref()))
        }
        Step::Loop { place: at, depth, iterations, changes, .. } => {
            let changes: Vec<String> = changes.iter().map(|change| change.show("->")).collect();
            let times = if *iterations == 1 {
                "1 iteration".to_owned()
            } else {
                format!("{} iterations", grouped(*iterations))
            };
            let rest = if changes.is_empty() { String::new() } else { format!(", {}", changes.join(", ")) };
            format!("{}loop at {}: {times}{rest}", indent(*depth), place(at.as_ref()))
        }
    }
}

/// `1,048,576`
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

fn indent(depth: usize) -> String {
    "  ".repeat(depth.min(20))
}

fn render_violation(violation: &Violation) -> String {
    let mut text = format!("{}: error: {}\n", place(violation.place.as_ref()), violation.message);
    if let Some(line) = &violation.line {
        let _ = writeln!(text, "  {line}");
    }
    if !violation.values.is_empty() {
        let values: Vec<String> =
            violation.values.iter().map(|known| format!("{} = {}", known.name, known.value)).collect();
        let _ = writeln!(text, "  where {}", values.join(", "));
    }
    for caller in &violation.called_from {
        let _ = writeln!(text, "  called from {}", place(Some(caller)));
    }
    for related in &violation.related {
        let _ = writeln!(text, "{}: note: {}", place(Some(&related.place)), related.text);
    }
    // A single block is told by the notes above.
    if let Some(memory) = violation.memory.as_ref().filter(|memory| memory.objects.len() > 1) {
        text += "memory then:\n";
        for line in memory_in_words(memory) {
            let _ = writeln!(text, "  {line}");
        }
    }
    text
}

/// A line for the pointers, and one for each object.
pub(crate) fn memory_in_words(memory: &Memory) -> Vec<String> {
    let mut lines = Vec::new();
    if !memory.pointers.is_empty() {
        let pointers = memory.pointers.iter().map(|pointer| format!("{} -> {}", pointer.name, pointer.value));
        lines.push(pointers.collect::<Vec<_>>().join(", "));
    }
    for object in &memory.objects {
        let cells = object.cells.iter().map(|cell| match (cell.name.as_str(), cell.to) {
            ("", _) => cell.value.clone(),
            (name, Some(_)) => format!("{name} -> {}", cell.value),
            (name, None) => format!("{name} = {}", cell.value),
        });
        let cells = cells.collect::<Vec<_>>().join(", ");
        let cells = if cells.is_empty() { cells } else { format!(": {cells}") };
        lines.push(format!("{} ({}){cells}", object.name, object.history().join(", ")));
    }
    if memory.more > 0 {
        lines.push(format!("and {} more", memory.more));
    }
    lines
}

fn place(place: Option<&Place>) -> String {
    match place {
        None => "<generated>".to_owned(),
        Some(at) if !at.is_users() => "in the C library".to_owned(),
        Some(at) => at.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_formulas_have_lines() {
        assert_eq!(in_lines("a && b"), "a && b");
        assert!(in_lines(&"x".repeat(9000)).ends_with("x … (9000 characters; --json has them all)"));
        let long = format!("({} && b) && c", "a".repeat(LINE));
        let lines: Vec<String> = in_lines(&long).lines().map(str::to_owned).collect();
        assert_eq!(lines, [String::new(), format!("       ({} && b)", "a".repeat(LINE)), "    && c".to_owned()]);
        let many = in_lines(&["longer"; 30].join(" && "));
        assert!(many.lines().count() == 14 && many.ends_with("&& 18 more (--json has them)"), "{many}");
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([0, 999, 1000, 1_048_576].map(grouped), ["0", "999", "1,000", "1,048,576"]);
    }
}
