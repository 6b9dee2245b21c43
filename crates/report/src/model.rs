//! The model of a result. Every change that a reader could notice needs a new [`SCHEMA`].

use serde::{Deserialize, Serialize};

/// Names the form of the JSON file.
pub const SCHEMA: &str = "foldback-result/2";

/// One verification and its result.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct Report {
    pub schema: String,
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
    pub result: Verdict,
}

/// One engine's work.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct Run {
    pub engine: String,
    pub cpu_seconds: f64,
    /// What became of its answer.
    pub said: String,
}

#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
#[serde(tag = "verdict", rename_all = "lowercase")]
pub enum Verdict {
    True { proof: Proof },
    False { property: String, counterexample: Counterexample },
    Unknown { reason: String },
}

/// Why no execution violates the property.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct Proof {
    #[serde(flatten)]
    pub method: Method,
    /// The solver that proved it a second time.
    pub proved_again_by: Option<String>,
    /// Why it was not proved a second time.
    pub not_proved_again: Option<String>,
}

#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Method {
    /// Simplification left no error location.
    Simplified,
    /// Every path was followed to its end.
    Paths { explored: u64 },
    /// Every loop was unwound to its end.
    Unwound { bound: u64 },
    /// Invariants of loops, together `k`-inductive.
    Invariants { k: u32, loops: Vec<LoopInvariant> },
}

/// What holds whenever a loop's head is reached.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct LoopInvariant {
    /// The loop's keyword; nothing for loops that the program's text does not have.
    pub place: Option<Place>,
    pub function: String,
    /// As a C expression, where there is one.
    pub c: Option<String>,
    pub smtlib: String,
}

/// Lines and columns count from 1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Debug)]
pub struct Place {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct Counterexample {
    /// In the order in which the program asks for them.
    pub inputs: Vec<Input>,
    /// What happens on the way and matters for the violation; loops that are left, or repeated, are one step.
    pub steps: Vec<Step>,
    /// Why there are no steps, or not all.
    pub steps_missing: Option<String>,
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
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
pub enum InputKind {
    /// A call of an input function.
    Input,
    /// What a variable without initialiser holds.
    Uninitialised,
    /// The result of a function without body.
    Extern,
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

/// A variable before and after.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct Change {
    pub name: String,
    pub from: String,
    pub to: String,
}

#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
pub struct Violation {
    pub place: Option<Place>,
    pub message: String,
    /// The source line at the place.
    pub line: Option<String>,
    /// The calls that led there, innermost first.
    pub called_from: Vec<Place>,
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

impl Place {
    /// Where a span starts; nothing for generated code.
    pub fn of(sources: &base::Sources, span: base::Span) -> Option<Place> {
        let file = sources.file(span.file).filter(|_| !span.is_nowhere())?;
        Some(Place { file: file.name.clone(), line: span.line, column: span.col })
    }
}

impl Report {
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
