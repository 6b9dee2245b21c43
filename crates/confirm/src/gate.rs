//! Where a violation counts for a witness: at its target, once the segments before it were passed.
//!
//! A target is the start of a statement, or a place in one (the start of a full expression, or whatever of it the line
//! shows). What violates the property must be of that statement, or of that line, and of the function that is named. What
//! the library finds wrong with a call is at that call: a variable of our own is true while one from the target is made.
//! That memory is never freed shows at the end of the program, which is no statement: the target is the last one before.

use crate::violation::Steering;
use base::Span;
use cfa::{EndKind, Func, Function, Loc, LocKind, Location, Op, Program, Property, Var, VarKind};
use report::ends;
use report::execution::is_users;
use term::{Sort, Term};
use witness::inject::SEGMENT;

/// Where the violation is said to be.
#[derive(Clone, Debug)]
pub struct Target {
    /// File and line, by all their names.
    pub lines: Vec<(String, u32)>,
    pub location: witness::read::Location,
    /// The statement that starts there, without those inside of it: then the last segment is counted like the others.
    pub statement: Option<Span>,
}

/// Why no violation is let through.
pub(crate) enum Closed {
    /// The segments cannot be counted.
    NoCounter,
    /// What is at the target cannot violate the property.
    NoCheck,
}

/// How an error location is reached for the witness.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gate {
    /// It is on the target. Inputs may stand in the target's own statement, which is passed before they are.
    There,
    /// In the library, by a call that is.
    ByCall,
    /// It is the end of the program, after the target.
    Behind,
}

impl Target {
    fn is_on(&self, program: &Program, function: &str, span: Span) -> bool {
        let bare = |name: &str| name.split('#').next().unwrap_or(name).to_owned();
        if self.location.function.as_ref().is_some_and(|named| bare(named) != bare(function)) {
            return false;
        }
        if let Some(statement) = self.statement {
            let at = (span.line, span.col);
            let starts_in = (statement.line, statement.col) <= at && at < (statement.end_line, statement.end_col);
            if span.file == statement.file && starts_in {
                return true;
            }
            // Without a column it may be another one of the line.
            if self.location.column.is_some() {
                return false;
            }
        }
        let file = program.sources.file(span.file).map(|file| file.name.as_str());
        let end = (span.end_line.max(span.line), span.end_col);
        self.lines.iter().any(|(name, line)| {
            // Behind all of it, or where nothing stands, is another place of the line.
            let reaches = self.location.column.is_none_or(|column| {
                let text = program.sources.line(Span { line: *line, ..span });
                let there = text.and_then(|text| text.chars().nth((column as usize).checked_sub(1)?));
                (*line, column) < end && there.is_none_or(|c| !c.is_whitespace()) && (text.is_none() || there.is_some())
            });
            file == Some(name.as_str()) && (span.line..=end.0).contains(line) && reaches
        })
    }

    fn gate(&self, program: &Program, function: &Function, location: &Location) -> Option<Gate> {
        let LocKind::Error(violation) = &location.kind else { return None };
        if self.is_on(program, &function.name, location.span) {
            return Some(Gate::There);
        }
        let is_of_end = matches!(violation.property, Property::ValidMemtrack | Property::ValidMemcleanup);
        if is_of_end && std::ptr::eq(function, &program.functions[program.entry]) {
            let mut ends = ends::functions(program).map(|id| &program.functions[id]);
            let is_last = |function: &Function| {
                let brace = function.locs[function.exit].span;
                let mut spans = ends::edges(function).into_iter().map(|edge| edge.span).chain([brace]);
                spans.any(|span| self.is_on(program, &function.name, span))
            };
            return ends.any(is_last).then_some(Gate::Behind);
        }
        (!is_users(program, location.span)).then_some(Gate::ByCall)
    }
}

/// The program in which only what violates the property at the target, after all segments, is an error.
pub(crate) fn gated(steered: &Program, steering: &Steering) -> Result<Program, Closed> {
    let mut program = steered.clone();
    let target = &steering.target;
    let counter = program.vars.ids().find(|v| program.name(*v) == SEGMENT);
    let counter = match counter {
        Some(counter) => program.term(counter),
        // Nothing counts, and nothing is to be counted.
        None if steering.segments == 1 && target.statement.is_none() => program.terms.bv(0, 32),
        None => return Err(Closed::NoCounter),
    };
    let passed = if target.statement.is_some() { steering.segments } else { steering.segments - 1 };
    let last = program.terms.bv(passed as u128, 32);
    let done = program.terms.eq(counter, last);
    let before = program.terms.bv(steering.segments as u128 - 1, 32);
    let before = program.terms.eq(counter, before);
    let there = program.terms.or(done, before);
    let mut gates: Vec<Vec<(Loc, Option<Gate>)>> = Vec::new();
    for function in program.functions.values() {
        let errors = function.locs.iter().filter(|(_, location)| matches!(location.kind, LocKind::Error(_)));
        gates.push(errors.map(|(loc, location)| (loc, target.gate(&program, function, location))).collect());
    }
    let is_asked = |wanted: Gate| gates.iter().flatten().any(|(_, gate)| *gate == Some(wanted));
    let during = if is_asked(Gate::ByCall) { calls(&mut program, target) } else { None };
    if !is_asked(Gate::There) && !is_asked(Gate::Behind) && during.is_none() {
        return Err(Closed::NoCheck);
    }
    let by_call = match during {
        Some(during) => {
            let during = program.term(during);
            program.terms.and(during, there)
        }
        None => program.terms.ff(),
    };
    let ids: Vec<Func> = program.functions.ids().collect();
    for (id, gates) in ids.into_iter().zip(gates) {
        for (loc, gate) in gates {
            let passed = gate.map(|gate| match gate {
                Gate::There => there,
                Gate::Behind => done,
                Gate::ByCall => by_call,
            });
            open_when(&mut program, id, loc, passed);
        }
    }
    Ok(program)
}

/// Lets executions into an error location where `passed` holds; the others end there.
fn open_when(program: &mut Program, id: Func, loc: Loc, passed: Option<Term>) {
    let open = passed.map(|passed| (passed, program.terms.not(passed)));
    let function = &mut program.functions[id];
    let location = function.locs[loc].clone();
    let blocked = Location { kind: LocKind::End(EndKind::Blocked), ..location.clone() };
    let Some((passed, not_passed)) = open else {
        function.locs[loc] = blocked;
        return;
    };
    function.locs[loc].kind = LocKind::Plain;
    let error = function.locs.push(location.clone());
    let blocked = function.locs.push(blocked);
    function.add_edge(loc, error, Op::Assume(passed), location.span);
    function.add_edge(loc, blocked, Op::Assume(not_passed), location.span);
}

/// A variable that is true while a call from the target is executed; none where there is no such call.
fn calls(program: &mut Program, target: &Target) -> Option<Var> {
    let mut found = Vec::new();
    for (id, function) in program.functions.iter() {
        let is_it = |op: &Op, span| matches!(op, Op::Call { .. }) && target.is_on(program, &function.name, span);
        found.extend(function.edges.iter().filter(|(_, edge)| is_it(&edge.op, edge.span)).map(|(edge, _)| (id, edge)));
    }
    if found.is_empty() {
        return None;
    }
    let during = program.add_var("__foldback_at_target", Sort::Bool, VarKind::Global, None);
    let (no, yes) = (program.terms.ff(), program.terms.tt());
    let entry = program.entry;
    let function = &mut program.functions[entry];
    let span = function.locs[function.entry].span;
    let first = function.add_loc(span);
    let start = std::mem::replace(&mut function.entry, first);
    function.add_edge(first, start, Op::Assign(vec![(during, no)]), span);
    for (id, edge) in found {
        let function = &mut program.functions[id];
        let span = function.edges[edge].span;
        let (set, over) = (function.add_loc(span), function.add_loc(span));
        let from = std::mem::replace(&mut function.edges[edge].from, set);
        let to = std::mem::replace(&mut function.edges[edge].to, over);
        function.add_edge(from, set, Op::Assign(vec![(during, yes)]), span);
        function.add_edge(over, to, Op::Assign(vec![(during, no)]), span);
    }
    Some(during)
}
