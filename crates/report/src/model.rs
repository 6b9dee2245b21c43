//! The model of a result. Every change that a reader could notice needs a new [`SCHEMA`].

use base::source::one_line;
use engine::Why;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Names the form of the JSON file.
pub const SCHEMA: &str = "foldback-result/9";

/// One verification and its result.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct Report {
    pub schema: String,
    /// Of foldback.
    pub version: String,
    /// What was asked for: the words of the command line, where there was one.
    pub options: Vec<String>,
    /// On the clock, from the request to the answer.
    pub wall_seconds: f64,
    /// The program's files, as they were named.
    pub files: Vec<String>,
    /// `ILP32` or `LP64`.
    pub data_model: String,
    /// What was checked, by the names that verdicts use.
    pub properties: Vec<String>,
    /// What the answer rests on: functions without body, say.
    pub notes: Vec<String>,
    /// The engines that ran, in order.
    pub runs: Vec<Run>,
    /// Where several properties were asked for: each with its own verdict.
    pub parts: Vec<Part>,
    /// The verdict on all of them together.
    pub result: Verdict,
}

/// One of several properties, or group of properties, that were asked for.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct Part {
    /// As it was asked for.
    pub name: String,
    pub properties: Vec<String>,
    pub result: Verdict,
}

/// One engine's work.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct Run {
    pub engine: String,
    pub cpu_seconds: f64,
    /// CPU time of the check of its answer.
    pub check_seconds: f64,
    /// What became of its answer.
    pub said: String,
}

#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
#[serde(tag = "verdict", rename_all = "lowercase")]
pub enum Verdict {
    /// Made from checked proofs only: see [`crate::verdict`].
    #[non_exhaustive]
    True { proof: Proof },
    /// Made from checked executions and danger invariants only.
    #[non_exhaustive]
    False { property: String, counterexample: Counterexample },
    /// `reason` says in words what `kind` says for programs.
    Unknown { kind: Kind, reason: String, known: Known },
}

/// Why there is no answer, for programs: the names of [`Why`].
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    TimeLimit,
    MemoryLimit,
    Cancelled,
    Unsupported,
    BoundHit,
    GaveUp,
    MayNotEnd,
    Solver,
    AfterUndefined,
    TooLongToRun,
    NotConfirmed,
    WeakContract,
    NotChecked,
    CheckFailed,
    Crashed,
    /// Of the usual properties, the program has none of that kind.
    NothingToCheck,
}

impl Kind {
    pub fn of(why: &Why) -> Kind {
        match why {
            Why::Timeout => Kind::TimeLimit,
            Why::OutOfMemory => Kind::MemoryLimit,
            Why::Cancelled => Kind::Cancelled,
            Why::Unsupported(_) | Why::LeavesArray(_) => Kind::Unsupported,
            Why::BoundHit(_) => Kind::BoundHit,
            Why::GaveUp(_) | Why::MayBeUndefined => Kind::GaveUp,
            Why::MayNotEnd { .. } => Kind::MayNotEnd,
            Why::Solver(_) => Kind::Solver,
            Why::AfterUndefined(_) => Kind::AfterUndefined,
            Why::TooLongToRun => Kind::TooLongToRun,
            Why::NotConfirmed(_) | Why::AssumesPlaces(_) => Kind::NotConfirmed,
            Why::WeakContract(_) => Kind::WeakContract,
            Why::NotChecked { .. } => Kind::NotChecked,
            Why::CheckFailed(_) => Kind::CheckFailed,
            Why::Crashed(_) => Kind::Crashed,
        }
    }
}

/// What was found out on the way to no answer.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug, Default)]
pub struct Known {
    /// No execution with at most so many iterations of every loop violates the property.
    pub no_error_within: Option<u64>,
    /// Proved on the way.
    pub invariants: Vec<LoopInvariant>,
    /// The checks, and which of them are proved. Empty where none is told apart.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<CheckStatus>,
}

/// What is known of one check: something that must not happen at a place.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct CheckStatus {
    pub place: Option<Place>,
    pub property: String,
    /// What would happen if it failed.
    pub message: String,
    /// No execution fails it, but perhaps one that has failed an open one before. Otherwise it is open.
    pub proved: bool,
}

/// Why no execution violates the property.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct Proof {
    #[serde(flatten)]
    pub method: Method,
    /// What functions were proved to do that are recursive, or called often: the proof rests on it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contracts: Vec<FunctionContract>,
    /// The solver that proved it a second time.
    pub proved_again_by: Option<String>,
    /// Why it was not proved a second time.
    pub not_proved_again: Option<String>,
    /// Nobody has checked it; the user wanted it all the same.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub accepted_unchecked: bool,
}

/// What a function requires of its callers and ensures when it returns, each as far as anything is said of it; in C, with `\old(x)`
/// and `\result` as in ACSL.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct FunctionContract {
    pub function: String,
    pub requires: Vec<String>,
    pub ensures: Vec<String>,
}

impl Proof {
    pub(crate) fn new(method: Method, proved_again_by: Option<String>, not_proved_again: Option<String>) -> Proof {
        Proof { method, contracts: Vec::new(), proved_again_by, not_proved_again, accepted_unchecked: false }
    }
}

#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Method {
    /// Simplifying the program decided all checks.
    Simplified,
    /// The program has one execution, which ends without an error.
    Executed { steps: u64 },
    /// Every path was followed to its end.
    Paths { explored: u64 },
    /// Every loop was unwound to its end.
    Unwound { bound: u64 },
    /// Invariants of loops, together `k`-inductive.
    Invariants { k: u32, loops: Vec<LoopInvariant> },
    /// Every execution ends: numbers at the loops that decrease.
    Ranking { loops: Vec<LoopRanking> },
    /// Each of several properties was proved by itself: see the parts.
    Parts,
}

/// What decreases, in lexicographic order, from one loop head to the next.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct LoopRanking {
    #[serde(flatten)]
    pub known: LoopInvariant,
    pub ranking: Vec<String>,
}

/// What holds whenever a loop's head is reached.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct LoopInvariant {
    /// The loop's keyword; nothing for loops that the program's text does not have.
    pub place: Option<Place>,
    pub function: String,
    /// As a C expression, as far as C can say it.
    pub c: Option<String>,
    /// So many conjuncts have no C form.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub without_c: usize,
    pub smtlib: String,
}

impl LoopInvariant {
    /// For people: what C can say of it.
    pub fn text(&self) -> String {
        match (&self.c, self.without_c) {
            (None, 0 | 1) => "a condition without a C form (--json has it)".to_owned(),
            (None, more) => format!("{more} conditions without a C form (--json has them)"),
            (Some(c), 0) => c.clone(),
            (Some(c), more) => format!("{c} && {more} more without a C form"),
        }
    }
}

fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// Lines and columns count from 1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Debug)]
pub struct Place {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", one_line(&self.file), self.line, self.column)
    }
}

#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct Counterexample {
    /// In the order in which the program asks for them.
    pub inputs: Vec<Input>,
    /// What happens on the way and matters for the violation; loops that are left, or repeated, are one step.
    pub steps: Vec<Step>,
    /// Why there are no steps, or not all.
    pub steps_missing: Option<String>,
    /// Why the violation is surely come to, where a danger invariant or a recurrence set says so: lines for people.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub danger: Vec<String>,
    pub violation: Violation,
    pub native: Native,
}

#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct Input {
    pub place: Option<Place>,
    pub kind: InputKind,
    /// The function that was called, or the variable.
    pub name: String,
    /// As C writes it.
    pub value: String,
    /// What gets the value, if the program has a name for it.
    pub receiver: Option<String>,
    /// The violation depends on it, and no step tells it.
    pub matters: bool,
    /// So many times in a row, where a run is too long to be written out.
    #[serde(default = "once", skip_serializing_if = "is_once")]
    pub times: u64,
}

fn once() -> u64 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_once(times: &u64) -> bool {
    *times == 1
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
pub enum InputKind {
    /// A call of an input function.
    Input,
    /// What the entry function was given, or a part of what it was given the address of.
    Argument,
    /// What a variable without initialiser holds.
    Uninitialised,
    /// The result of a function without body, or what it leaves behind its arguments.
    Extern,
    /// What a variable that no file defines holds.
    Undefined,
    /// The result of a library function that is modelled only roughly.
    Approximated,
}

#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(tag = "step", rename_all = "lowercase")]
pub enum Step {
    Assign {
        place: Option<Place>,
        function: String,
        /// Calls that are active around it.
        depth: usize,
        /// The library function, or function without body, that did it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
        name: String,
        value: String,
        /// The source line at the place.
        line: Option<String>,
    },
    Loop {
        place: Option<Place>,
        function: String,
        depth: usize,
        iterations: u64,
        changes: Vec<Change>,
    },
}

impl Step {
    pub fn place(&self) -> Option<&Place> {
        let (Step::Assign { place, .. } | Step::Loop { place, .. }) = self;
        place.as_ref()
    }
}

/// A variable before and after; `from` is empty where that is not told.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct Change {
    pub name: String,
    pub from: String,
    pub to: String,
}

impl Change {
    /// With an arrow of some form.
    pub(crate) fn show(&self, arrow: &str) -> String {
        let Change { name, from, to } = self;
        if from.is_empty() { format!("{name} = {to}") } else { format!("{name}: {from} {arrow} {to}") }
    }
}

#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct Violation {
    pub place: Option<Place>,
    pub message: String,
    /// The source line at the place.
    pub line: Option<String>,
    /// What the failing condition speaks of.
    pub values: Vec<Value>,
    /// The calls that led there, innermost first.
    pub called_from: Vec<Place>,
    /// Where the object in question was allocated and freed.
    pub related: Vec<Related>,
    /// Of an error of memory: what is around it, where pointers or blocks play a part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<Box<Memory>>,
}

/// Objects where the run ends, and what points to them.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct Memory {
    /// Pointer variables.
    pub pointers: Vec<MemoryCell>,
    pub objects: Vec<MemoryObject>,
    /// So many others are left out.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more: usize,
}

/// A variable, or a block from `malloc`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct MemoryObject {
    /// As the program calls it; blocks are counted: `block 2`.
    pub name: String,
    pub bytes: u64,
    /// Of a block.
    pub allocated: Option<Place>,
    pub is_live: bool,
    /// Where it was freed, or its scope left.
    pub ended: Option<Place>,
    /// The violation is about it.
    pub is_wrong: bool,
    /// What is in it, its first parts at least.
    pub cells: Vec<MemoryCell>,
}

impl MemoryObject {
    /// Its size, and where its life began and ended.
    pub(crate) fn history(&self) -> Vec<String> {
        let at = |place: &Place| format!(" at {}:{}", one_line(&place.file), place.line);
        let mut told = vec![if self.bytes == 1 { "1 byte".to_owned() } else { format!("{} bytes", self.bytes) }];
        told.extend(self.allocated.as_ref().map(|place| format!("allocated{}", at(place))));
        if !self.is_live {
            let how = if self.allocated.is_some() { "freed" } else { "out of scope" };
            told.push(format!("{how}{}", self.ended.as_ref().map(at).unwrap_or_default()));
        }
        told
    }
}

/// A part of memory, or a variable, and what it holds.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct MemoryCell {
    pub name: String,
    pub value: String,
    /// The object that it points to, by its number in the list.
    pub to: Option<usize>,
}

/// What something held.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct Value {
    pub name: String,
    pub value: String,
}

/// A place that explains the violation, and how.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct Related {
    pub place: Place,
    pub text: String,
}

/// What the compiled program says.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
#[serde(tag = "status", rename_all = "lowercase")]
pub enum Native {
    Confirmed {
        seconds: f64,
    },
    /// It could not be tried: why.
    Unavailable {
        reason: String,
    },
    /// It was not asked for.
    Skipped,
}

impl Verdict {
    /// The places that it speaks of, inputs apart.
    fn places(&self) -> Vec<&Place> {
        fn of_loops(loops: &[LoopInvariant]) -> Vec<&Place> {
            loops.iter().filter_map(|found| found.place.as_ref()).collect()
        }
        match self {
            Verdict::True { proof: Proof { method: Method::Invariants { loops, .. }, .. } } => of_loops(loops),
            Verdict::True { proof: Proof { method: Method::Ranking { loops }, .. } } => {
                loops.iter().filter_map(|found| found.known.place.as_ref()).collect()
            }
            Verdict::True { .. } => Vec::new(),
            Verdict::False { counterexample: run, .. } => {
                let related = run.violation.related.iter().map(|related| &related.place);
                let violation = run.violation.place.iter().chain(&run.violation.called_from).chain(related);
                violation.chain(run.steps.iter().filter_map(Step::place)).collect()
            }
            Verdict::Unknown { known, .. } => of_loops(&known.invariants),
        }
    }
}

/// As the last line of the text says it.
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::True { .. } => f.write_str("true"),
            Verdict::False { property, .. } => write!(f, "false({property})"),
            Verdict::Unknown { reason, .. } => write!(f, "unknown({reason})"),
        }
    }
}

impl Place {
    /// Whether it is in a file of the user's, rather than in our models of the C library.
    pub fn is_users(&self) -> bool {
        !self.file.starts_with(lower::library::FOLDER)
    }

    /// Where a span starts; nothing for generated code.
    pub fn of(sources: &base::Sources, span: base::Span) -> Option<Place> {
        let file = sources.file(span.file).filter(|_| !span.is_nowhere())?;
        Some(Place { file: file.name.clone(), line: span.line, column: span.col })
    }
}

impl Report {
    /// The violations that were found, with their properties; of several parts, each.
    pub fn violations(&self) -> Vec<(&str, &Counterexample)> {
        let verdicts: Vec<&Verdict> = if self.parts.is_empty() {
            vec![&self.result]
        } else {
            self.parts.iter().map(|part| &part.result).collect()
        };
        let mut found = Vec::new();
        for verdict in verdicts {
            if let Verdict::False { property, counterexample } = verdict {
                found.push((property.as_str(), counterexample));
            }
        }
        found
    }

    /// The files of the program, then others that the verdict names places in.
    pub fn mentioned_files(&self) -> Vec<&str> {
        let mut files: Vec<&str> = self.files.iter().map(String::as_str).collect();
        let verdicts = std::iter::once(&self.result).chain(self.parts.iter().map(|part| &part.result));
        for place in verdicts.flat_map(Verdict::places) {
            if place.is_users() && !files.contains(&place.file.as_str()) {
                files.push(&place.file);
            }
        }
        files
    }

    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("the model has only what JSON can say") + "\n"
    }

    /// Reads what [`Report::to_json`] wrote. The error is for the user.
    pub fn from_json(text: &str) -> Result<Report, String> {
        let json: serde_json::Value = serde_json::from_str(text).map_err(|e| format!("not JSON: {e}"))?;
        match json.get("schema").and_then(serde_json::Value::as_str) {
            Some(SCHEMA) => serde_json::from_value(json).map_err(|e| format!("not a result of ours: {e}")),
            Some(other) => Err(format!("its schema is '{other}', known is '{SCHEMA}'")),
            None => Err("not a result of ours: it names no schema".into()),
        }
    }
}
