//! A witness as expressions to put into the program.
//!
//! Invariant number `i` becomes a call of `__foldback_invariant_i` where it does not hold, which violates
//! `Property::Invariant(i)`. The segments
//! of a violation become a counter, `__foldback_segment`: passing the waypoint to follow counts on, passing one to avoid
//! ends the execution; what violates the property counts only once the target was come to (`validate` sees to that). So the
//! engines answer both questions without knowing of witnesses.

use crate::contract;
use crate::files::InputFile;
use crate::read::{Correctness, InvariantKind, Location, Segment, Waypoint, WaypointKind};
use crate::transition::{self, Storage};
use cfront::inject::{Injection, Injections, Moment, RESULT};
use std::path::Path;

/// The variable that counts the segments.
pub const SEGMENT: &str = "__foldback_segment";

/// The function that is called where invariant number `index` does not hold.
pub fn invariant_function(index: usize) -> String {
    format!("__foldback_invariant_{index}")
}

/// How the text of an injected expression is called in messages.
pub(crate) fn title(what: &str, location: &Location) -> String {
    format!("{}{what} for {}>", cfront::inject::TITLE, location.show())
}

/// The expression `text` at a place of a witness, for `what` stands there.
pub(crate) fn injection(
    files: &[InputFile],
    at: &Location,
    moment: Moment,
    text: String,
    what: &str,
) -> Result<Injection, String> {
    // Functions of one name, `static` in several files, are numbered where programs are written out.
    let function = at.function.as_ref().map(|name| name.split('#').next().unwrap_or(name).to_owned());
    Ok(Injection { moment, lines: lines(files, at)?, column: at.column, function, text, title: title(what, at) })
}

/// The invariants as checks, and which injection is which invariant's. `storage` has the types that transition invariants
/// need, in their order; `strict` are they not to hold between a state and itself. Injections of nobody need not find their places;
/// those behind the owners are updates of ghost variables, then claims about functions.
pub fn checks(
    files: &[InputFile],
    Correctness { invariants, ghosts, .. }: &Correctness,
    storage: &[Storage],
    strict: bool,
) -> Result<(Injections, Vec<Option<usize>>), String> {
    let mut injections = Injections::default();
    let mut owners = Vec::new();
    let mut storage = storage.iter();
    for (index, invariant) in invariants.iter().enumerate() {
        let moment = match invariant.kind {
            InvariantKind::Loop => Moment::LoopTest,
            InvariantKind::Statement => Moment::Statement,
            InvariantKind::Transition | InvariantKind::StatementTransition => {
                let storage = storage.next().ok_or("the types of a transition invariant are not known")?;
                transition::check(files, index, invariant, storage, strict, &mut injections)?;
                owners.resize(injections.expressions.len(), Some(index));
                if invariant.kind == InvariantKind::Transition {
                    owners.pop();
                    owners.push(None);
                }
                continue;
            }
            InvariantKind::Contract { .. } => {
                injections.claims.push(contract::claim(index, invariant)?);
                continue;
            }
        };
        let value = expression(&invariant.value, &invariant.location)?;
        let function = invariant_function(index);
        injections.prelude += &format!("void {function}(void);\n");
        let text = format!("({value}) ? (void)0 : {function}()");
        injections.expressions.push(injection(files, &invariant.location, moment, text, "invariant")?);
        owners.push(Some(index));
    }
    ghosts.inject(files, &mut injections)?;
    Ok((injections, owners))
}

/// What coming round does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Round {
    /// After so many times it calls invariant function 0.
    Counted(u32),
    /// It gives [`FUEL`] back.
    Fuelled,
}

/// The variable that says how many loop heads may still be passed before the next round is complete.
pub const FUEL: &str = "__foldback_fuel";

/// So many loop heads are passed in a round, at most.
pub const FUEL_OF_A_ROUND: u32 = 10_000;

const ROUNDS: &str = "__foldback_rounds";

/// The segments as a counter. The last injection is the last segment's; where that goes round, `round` says what happens.
pub fn steering(files: &[InputFile], segments: &[Segment], round: Round) -> Result<Injections, String> {
    let again = invariant_function(0);
    let prelude = format!(
        "unsigned {SEGMENT};\nvoid __VERIFIER_assume(int);\nunsigned {ROUNDS};\nunsigned {FUEL} = {FUEL_OF_A_ROUND}u;\nvoid {again}(void);\n"
    );
    let mut injections = Injections { prelude, ..Injections::default() };
    let mut add = |point: &Waypoint, number: usize, then: &str| -> Result<(), String> {
        let (moment, condition) = passing(point)?;
        let text = format!("({SEGMENT} == {number}u && ({condition})) ? (void)({then}) : (void)0");
        injections.expressions.push(injection(files, &point.location, moment, text, "waypoint")?);
        Ok(())
    };
    // Later segments first: a step that ends one must not end the next at the same visit.
    for (number, segment) in segments.iter().enumerate().rev().skip(1) {
        for point in &segment.avoid {
            add(point, number, "__VERIFIER_assume(0)")?;
        }
        add(&segment.follow, number, &format!("{SEGMENT} = {}u", number + 1))?;
    }
    if let Some((number, last)) = segments.iter().enumerate().next_back() {
        for point in &last.avoid {
            add(point, number, "__VERIFIER_assume(0)")?;
        }
        let first = segments.iter().position(|segment| segment.cycle);
        let then = match (first, round) {
            (None, _) => format!("{SEGMENT} = {}u", number + 1),
            (Some(first), Round::Counted(times)) => {
                format!("{SEGMENT} = {first}u, {ROUNDS} = {ROUNDS} + 1u, {ROUNDS} == {times}u ? {again}() : (void)0")
            }
            (Some(first), Round::Fuelled) => format!("{SEGMENT} = {first}u, {FUEL} = {FUEL_OF_A_ROUND}u"),
        };
        add(&last.follow, number, &then)?;
    }
    Ok(injections)
}

/// A value that the witness names for a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedInput {
    /// Where the call's closing parenthesis stands: file and line, by all names of the place.
    pub lines: Vec<(String, u32)>,
    pub column: Option<u32>,
    /// A C constant.
    pub value: String,
}

/// The values that the segments name, in their order.
pub fn named_inputs(files: &[InputFile], segments: &[Segment]) -> Vec<NamedInput> {
    let named = |segment: &Segment| {
        let WaypointKind::FunctionReturn(Some(text)) = &segment.follow.kind else { return None };
        let value = text.trim().strip_prefix("\\result")?.trim_start().strip_prefix("==")?.trim().to_owned();
        let location = &segment.follow.location;
        Some(NamedInput { lines: lines(files, location).ok()?, column: location.column, value })
    };
    segments.iter().filter_map(named).collect()
}

/// When a waypoint is passed.
fn passing(point: &Waypoint) -> Result<(Moment, String), String> {
    let at = &point.location;
    Ok(match &point.kind {
        WaypointKind::Target => (Moment::Statement, "1".to_owned()),
        WaypointKind::Assumption(value) => (Moment::Statement, expression(value, at)?),
        WaypointKind::FunctionEnter => (Moment::Call, "1".to_owned()),
        WaypointKind::FunctionReturn(None) => (Moment::Return, "1".to_owned()),
        WaypointKind::FunctionReturn(Some(value)) => {
            (Moment::Return, expression(&value.replace("\\result", RESULT), at)?)
        }
        WaypointKind::Branching(value) => (
            Moment::Decision,
            match value.trim() {
                "true" => format!("{RESULT} != 0"),
                "false" => format!("{RESULT} == 0"),
                // Which values are none of the cases is not known here.
                "default" => "1".to_owned(),
                case => format!("{RESULT} == ({})", expression(case, at)?),
            },
        ),
    })
}

/// The place by the names that spans may use: as the file is, and as its line markers say.
pub fn lines(files: &[InputFile], location: &Location) -> Result<Vec<(String, u32)>, String> {
    let base = |name: &str| Path::new(name).file_name().map(std::ffi::OsStr::to_owned);
    let mut out = Vec::new();
    for file in files {
        if base(&file.name) == base(&location.file) {
            out.push((file.name.clone(), location.line));
            out.extend(file.marked_at(location.line));
        }
        // A location may already speak as the markers do.
        let speaks = |name: &String| base(name) == base(&location.file) && *name != file.name;
        out.extend(file.marked_names().filter(speaks).map(|name| (name, location.line)));
    }
    out.dedup();
    if out.is_empty() {
        return Err(format!("the witness speaks of the file '{}', which is not one of the program's", location.file));
    }
    Ok(out)
}

/// The text, if it can only be read as one expression without effects.
pub(crate) fn expression(text: &str, at: &Location) -> Result<String, String> {
    let bad = |what: &str| Err(format!("the expression '{text}' at {} {what}", at.show()));
    let mut depth = 0i32;
    let chars: Vec<char> = text.chars().collect();
    let mut word = String::new();
    let mut in_character = false;
    for (i, &c) in chars.iter().enumerate() {
        if c == '\'' {
            in_character = !in_character;
            word.clear();
        }
        if c == '\'' || (in_character && c != '\\') {
            continue;
        }
        let next = chars.get(i + 1).copied().unwrap_or(' ');
        let last = if i > 0 { chars[i - 1] } else { ' ' };
        match c {
            '(' => {
                let is_call = word.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_');
                if is_call && !matches!(word.as_str(), "sizeof" | "_Alignof" | "__alignof__") {
                    return bad("calls a function");
                }
                depth += 1;
            }
            ')' => depth -= 1,
            '{' | '}' | ';' | '"' | '#' => return bad("is not an expression"),
            '\\' => return bad("uses a construct of the extended syntax, which is not supported"),
            '=' if next != '=' && !matches!(last, '=' | '<' | '>' | '!') => return bad("assigns"),
            // `<<=` and `>>=`
            '=' if matches!(last, '<' | '>') && i > 1 && chars[i - 2] == last => return bad("assigns"),
            '+' | '-' if next == c => return bad("assigns"),
            _ => {}
        }
        if depth < 0 {
            return bad("has unbalanced parentheses");
        }
        match c {
            c if c.is_alphanumeric() || c == '_' => {
                if !(last.is_alphanumeric() || last == '_') {
                    word.clear();
                }
                word.push(c);
            }
            c if c.is_whitespace() => {}
            _ => word.clear(),
        }
    }
    if depth != 0 || in_character {
        return bad("has unbalanced parentheses");
    }
    if text.trim().is_empty() {
        return bad("is empty");
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_expressions_without_effects() {
        let at = Location { file: "a.c".into(), line: 1, column: None, function: None };
        for good in
            ["x <= y && a[(int)i] != 3", "sizeof(int) == 4", "-x == - -1", "(x) >= (y)", "p->q == 'c'", "c == ')'"]
        {
            assert_eq!(expression(good, &at).as_deref(), Ok(good));
        }
        for bad in ["x = 3", "x += 1", "x++", "f(x)", "f (x)", "1) || (1", "({ 1; })", "", "x >>= 1", "((x)"] {
            assert!(expression(bad, &at).is_err(), "{bad}");
        }
    }
}
