//! What a function relies on, where a program starts at it and nobody said: the weakest of some simple preconditions under which
//! everything that was asked holds.
//!
//! Guesses are what callers of C functions usually guarantee: a pointer points at one object, at as many elements as a parameter
//! counts, at a short string; objects are separate; numbers are not negative, not huge, not zero, one below another. Each guess is
//! proved as the contract of a function is (`--check-contract`). Of the first that does, what is not needed goes.
//! Where the violation stays under every guess, no plausible caller excuses it.

use crate::limits::precondition::{GUESS_PART, LARGE, MOST_SHAPES, SHARE, STRING_BYTES, USUAL_LIMIT};
use crate::load;
use crate::parts::decide_all;
use crate::request::{Replay, Request};
use crate::session::{Session, Unobserved};
use cfa::Property;
use cfront::inject::{Extent, Given};
use report::Verdict;
use std::time::Duration;

/// A parameter, as far as guesses go.
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Number {
        bits: u32,
        signed: bool,
    },
    Pointer {
        to: Pointee,
    },
    /// Nothing is guessed about it.
    Other,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pointee {
    Bytes,
    Character,
    Object,
}

/// For the user: the precondition that was found, or that none excuses the violation. Nothing where neither is known.
pub(crate) fn note(request: &Request, verdict: &Verdict, session: &Session<'_>) -> Option<String> {
    let lowering = &request.subject.lowering;
    let is_asked = lowering.entry != "main" && !lowering.contracts.any();
    if !is_asked || matches!(verdict, Verdict::True { .. }) || lowering.properties.contains(&Property::Termination) {
        return None;
    }
    let parameters = load::parameters(&request.subject).filter(|parameters| !parameters.is_empty())?;
    session.observer.phase("looking for a precondition");
    let all = request.limits.cpu_time.unwrap_or(USUAL_LIMIT) / SHARE;
    let time = (session.left(request.limits.cpu_time) / 2).min(all);
    let mut guesses = Guesses { request, session, end: session.used() + time, each: all / GUESS_PART, all_fail: None };
    let function = &lowering.entry;
    let how = format!(
        "__CPROVER_requires(...) behind the declarator and --check-contract {function}, or --entry with a function that makes the \
         arguments"
    );
    let all_guessed = parameters.iter().all(|parameter| parameter.kind != Kind::Other);
    match guesses.search(&parameters) {
        Some(clauses) => {
            let clauses: Vec<String> = clauses.iter().map(|clause| format!("\n    {}", in_contract(clause))).collect();
            Some(format!(
                "note: everything holds of '{function}' if its callers guarantee this; do they?{}\n  \
                 Written behind its declarator, --check-contract {function} proves it.",
                clauses.concat()
            ))
        }
        None if all_guessed && guesses.all_fail == Some(true) && matches!(verdict, Verdict::False { .. }) => {
            Some(format!(
                "note: no simple precondition of '{function}' excuses this: it fails also where each pointer leads to memory of its own that \
             nothing lies in front of, and the numbers are small. If callers guarantee something else, say it: {how}"
            ))
        }
        None if matches!(verdict, Verdict::False { .. }) => {
            Some(format!("note: '{function}' gets any arguments here. If callers guarantee more, say it: {how}"))
        }
        None => None,
    }
}

/// The weakest that is found of the function at which the request starts, within the time: its conditions. None if it needs none.
pub(crate) fn weakest(
    request: &Request,
    parameters: &[Parameter],
    session: &Session<'_>,
    time: Duration,
) -> Option<Vec<String>> {
    let mut guesses = Guesses { request, session, end: session.used() + time, each: time / GUESS_PART, all_fail: None };
    if guesses.proves(&[])? { Some(Vec::new()) } else { guesses.search(parameters) }
}

/// What is said of a function that has no contract, if it had this one, within the time.
pub(crate) fn with_contract(
    request: &Request,
    (clauses, extent): (&[String], Extent),
    time: Duration,
    session: &Session<'_>,
) -> Option<Verdict> {
    let request = given(request, clauses, extent, time);
    let own = Session::new(&request, &Unobserved, session.cancellation);
    let (program, checked) = load::lowered_and_listed(&request.subject).ok()?;
    let decided = decide_all(&program, &checked, &request, &own).ok()?;
    session.spent(&own);
    Some(decided.whole.verdict)
}

/// The request to check the contract of its entry function, which has these clauses, each on its line.
pub(crate) fn given(request: &Request, clauses: &[String], extent: Extent, time: Duration) -> Request {
    let mut request = request.clone();
    let function = request.subject.lowering.entry.clone();
    request.subject.front.injections.contract = Some(Given { function, clauses: clauses.join("\n"), extent });
    request.subject.lowering.contracts.check = true;
    request.replay = Replay::Interpreter;
    request.limits.cpu_time = Some(time);
    request.keep = crate::Keep::default();
    request
}

pub(crate) fn in_contract(condition: &str) -> String {
    format!("__CPROVER_requires({condition})")
}

struct Guesses<'a> {
    request: &'a Request,
    session: &'a Session<'a>,
    /// By the session's CPU time.
    end: Duration,
    /// For one guess.
    each: Duration,
    /// Whether there was a violation under every guess so far, if there was a guess.
    all_fail: Option<bool>,
}

impl Guesses<'_> {
    fn search(&mut self, parameters: &[Parameter]) -> Option<Vec<String>> {
        let numbers = about_numbers(parameters);
        let shapes = shapes(parameters);
        for order in std::iter::once(None).chain(orders(parameters).into_iter().map(Some)) {
            for pointers in &shapes {
                let of_numbers: Vec<String> = numbers.iter().chain(&order).cloned().collect();
                if self.proves(&[&of_numbers[..], pointers].concat())? {
                    return Some(self.weakened(of_numbers, pointers.clone()));
                }
            }
        }
        None
    }

    /// What of it is needed: first what is said of numbers goes, then that pointers are not null.
    fn weakened(&mut self, mut numbers: Vec<String>, mut pointers: Vec<String>) -> Vec<String> {
        for i in (0..numbers.len()).rev() {
            let mut fewer = numbers.clone();
            let condition = fewer.remove(i);
            // A count below zero is none, whatever its product with a size is.
            let counts = |count: &str| pointers.iter().any(|shape| shape.contains(&format!(", {count}")));
            let is_sign = condition.strip_suffix(" >= 0").is_some_and(counts);
            if !is_sign && self.proves(&[&fewer[..], &pointers].concat()) == Some(true) {
                numbers = fewer;
            }
        }
        for i in 0..pointers.len() {
            let Some(name) = pointers[i].strip_prefix(FRESH).and_then(|rest| rest.split(',').next()) else { continue };
            let mut weaker = pointers.clone();
            weaker[i] = format!("{name} == 0 || {}", pointers[i]);
            if !pointers[i].contains("&&") && self.proves(&[&numbers[..], &weaker].concat()) == Some(true) {
                pointers = weaker;
            }
        }
        [numbers, pointers].concat()
    }

    /// Whether everything that was asked holds under the conditions; nothing when the time is over.
    fn proves(&mut self, conditions: &[String]) -> Option<bool> {
        let left = self.end.checked_sub(self.session.used())?;
        let clauses: Vec<String> = conditions.iter().map(|condition| in_contract(condition)).collect();
        let asked = (&clauses[..], Extent::Precondition);
        let verdict = with_contract(self.request, asked, left.min(self.each), self.session)?;
        self.all_fail = Some(self.all_fail != Some(false) && matches!(verdict, Verdict::False { .. }));
        Some(matches!(verdict, Verdict::True { .. }))
    }
}

/// Counts and indices.
fn numbers(parameters: &[Parameter]) -> impl Iterator<Item = (&str, u32, bool)> {
    parameters.iter().filter_map(|parameter| match parameter.kind {
        Kind::Number { bits: bits @ 16.., signed } => Some((&parameter.name[..], bits, signed)),
        _ => None,
    })
}

/// That numbers are not negative, not huge, not zero.
fn about_numbers(parameters: &[Parameter]) -> Vec<String> {
    let signs = numbers(parameters).filter(|(_, _, signed)| *signed).map(|(name, ..)| format!("{name} >= 0"));
    let sizes = numbers(parameters).filter(|(_, bits, _)| *bits >= 32).map(|(name, ..)| format!("{name} <= {LARGE}"));
    let others = numbers(parameters).map(|(name, ..)| format!("{name} != 0"));
    signs.chain(sizes).chain(others).collect()
}

/// That one number is below another.
fn orders(parameters: &[Parameter]) -> Vec<String> {
    let pairs = numbers(parameters).flat_map(|(low, ..)| numbers(parameters).map(move |(high, ..)| (low, high)));
    pairs.filter(|(low, high)| low != high).map(|(low, high)| format!("{low} < {high}")).collect()
}

const FRESH: &str = "__CPROVER_is_fresh(";

/// What all pointers may point at, together: first one object each, or one byte where nothing says more.
fn shapes(parameters: &[Parameter]) -> Vec<Vec<String>> {
    let mut all: Vec<Vec<String>> = vec![Vec::new()];
    for parameter in parameters {
        let Kind::Pointer { to } = parameter.kind else { continue };
        let name = &parameter.name;
        let unit = if to == Pointee::Bytes { "" } else { &format!(" * sizeof(*{name})") };
        let mut own = Vec::new();
        if to != Pointee::Bytes {
            own.push(format!("{FRESH}{name}, sizeof(*{name}))"));
        }
        own.extend(numbers(parameters).map(|(count, ..)| format!("{FRESH}{name}, {count}{unit})")));
        if to == Pointee::Character {
            own.push(format!("{FRESH}{name}, {STRING_BYTES}) && {name}[{}] == 0", STRING_BYTES - 1));
        }
        if own.is_empty() {
            own.push(format!("{FRESH}{name}, 1)"));
        }
        let with = |known: &Vec<String>| {
            own.iter().map(|shape| [&known[..], std::slice::from_ref(shape)].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(with).take(MOST_SHAPES).collect();
    }
    all
}
