//! What comes back: verdicts, what they rest on, and what others can check them by.

use crate::property::Group;
use crate::request::Subject;
use certificate::Certificate;
use cfa::Program;
use engine::Why;
use report::{Part, Report, Run, Verdict};
use witness::Annotated;

/// The answer to a [`crate::Request`].
#[derive(Clone, Debug)]
pub struct Outcome {
    /// On all properties together.
    pub verdict: Verdict,
    /// On each that was asked for, where there are several.
    pub parts: Vec<Part>,
    /// What the answer rests on.
    pub notes: Vec<String>,
    /// What each engine did.
    pub runs: Vec<Run>,
    pub evidence: Evidence,
}

/// What others can check a verdict by, or why there is none.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// The text of a witness.
    pub witness: Result<String, String>,
    /// A proof down to clauses.
    pub certificate: Result<Certificate, String>,
    /// The program's files with the invariants of a proof written in.
    pub annotated: Result<Annotated, String>,
    /// A C file that reproduces the violation.
    pub harness: Result<String, String>,
    /// The automaton that a proof speaks of.
    pub automaton: Option<Box<Program>>,
}

impl Evidence {
    pub fn none() -> Evidence {
        Evidence {
            witness: Err("there is neither a proof nor a counterexample to write down".into()),
            certificate: Err("there is no proof to certify".into()),
            annotated: Err("there is no proof, so there are no invariants to write down".into()),
            harness: Err("there is no counterexample to run".into()),
            automaton: None,
        }
    }
}

impl Outcome {
    /// A verdict of which nothing else is known.
    pub fn bare(verdict: Verdict) -> Outcome {
        let evidence = Evidence::none();
        Outcome { verdict, parts: Vec::new(), notes: Vec::new(), runs: Vec::new(), evidence }
    }

    /// A request that ended before its time, when these parts were decided: the others are open, and `why`.
    pub fn ended(subject: &Subject, decided: &[Part], why: &Why) -> Outcome {
        if !decided.iter().any(|part| !part.result.is_empty()) {
            return Outcome::bare(Verdict::unknown(why));
        }
        let part = |group: &Group| {
            let known = decided.iter().find(|part| part.name == group.name).cloned();
            known.unwrap_or_else(|| group.part(Verdict::unknown(why)))
        };
        let parts: Vec<Part> = subject.groups.iter().map(part).collect();
        Outcome { parts: parts.clone(), ..Outcome::bare(Verdict::joined(&parts)) }
    }

    /// All of it as data, to be shown or kept.
    pub fn report(&self, subject: &Subject) -> Report {
        Report {
            schema: report::SCHEMA.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            options: Vec::new(),
            wall_seconds: 0.0,
            files: subject.files.iter().map(|file| file.display().to_string()).collect(),
            data_model: subject.data_model_name().to_owned(),
            properties: subject.lowering.properties.iter().map(|p| p.name().to_owned()).collect(),
            notes: self.notes.clone(),
            runs: self.runs.clone(),
            parts: self.parts.clone(),
            result: self.verdict.clone(),
        }
    }
}

/// A verdict with its evidence: what a part of a request comes to.
pub(crate) struct Decision {
    pub(crate) verdict: Verdict,
    pub(crate) evidence: Evidence,
}

impl Decision {
    /// A verdict alone.
    pub(crate) fn bare(verdict: Verdict) -> Decision {
        Decision { verdict, evidence: Evidence::none() }
    }
}
