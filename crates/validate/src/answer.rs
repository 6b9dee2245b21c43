//! What leaves this crate: answers whose evidence was checked, and how.
//!
//! "Checked" is a type. A [`Checked`] value can be made only here, so nobody can report a proof that was not proved again or
//! an execution that nobody has made. What could not be checked (in time, or by the interpreter) is [`Pending`]: a claim, and
//! no verdict.

use crate::limits::judge::{MANY_INPUTS, MANY_STEPS};
use crate::native::{self, Build, Native};
use cfa::evidence::{Danger, Proof};
use cfa::{Loc, Program, Violation};
use engine::Why;
use interpreter::Outcome;
use std::fmt;
use std::time::Duration;
use term::Store;

/// What became of an engine's verdict.
#[derive(Clone, Debug)]
pub enum Answer {
    True(Checked<FoundProof>),
    False(Checked<Violated>),
    Pending(Pending),
    Unknown(Why),
}

/// Evidence that was checked.
#[derive(Clone, Debug)]
pub struct Checked<T> {
    evidence: Box<T>,
    by: Check,
}

/// How evidence was checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Check {
    /// Proved again by the named solver on the program as it was before simplification.
    Flat(&'static str),
    /// Proved again, but on the program that simplification left: why not before.
    Simplified(&'static str, String),
    /// The interpreter ran the program as it was written.
    Interpreted,
    /// Only the compiled program is fast enough to make the run, and did.
    Compiled,
}

/// A proof about the prepared program, with the store that its terms live in.
#[derive(Clone, Debug)]
pub struct FoundProof {
    pub proof: Proof,
    pub terms: Store,
    /// Its author.
    pub engine: String,
}

/// Why a property does not hold.
#[derive(Clone, Debug)]
pub enum Violated {
    Run(Run),
    /// Nobody can run there: a danger invariant or a recurrence set.
    Danger(FoundDanger),
}

/// An execution of the program as it was written.
#[derive(Clone, Debug)]
pub struct Run {
    pub violation: Violation,
    pub outcome: Outcome,
    /// The danger invariant that led there, if one did.
    pub danger: Option<Box<FoundDanger>>,
}

/// A danger invariant or a recurrence set on the prepared program, with the store that its terms live in.
#[derive(Clone, Debug)]
pub struct FoundDanger {
    pub danger: Danger,
    pub terms: Store,
    /// Its author.
    pub engine: String,
    /// What is violated.
    pub violation: Violation,
    /// Where, if it is at one place; of what never ends, the last loop.
    pub target: Option<Loc>,
}

/// A claim that nobody has checked.
#[derive(Clone, Debug)]
pub enum Pending {
    /// A proof that could not be proved again: why.
    Proof {
        proof: Box<FoundProof>,
        why: String,
    },
    Run(DeepRun),
}

/// An execution that is too long for the interpreter: what it should come to. It becomes a violation by being run.
#[derive(Clone, Debug)]
pub struct DeepRun(Box<Run>);

impl<T> Checked<T> {
    pub(crate) fn new(evidence: T, by: Check) -> Checked<T> {
        Checked { evidence: Box::new(evidence), by }
    }

    pub fn evidence(&self) -> &T {
        &self.evidence
    }

    pub fn by(&self) -> &Check {
        &self.by
    }

    pub fn into_parts(self) -> (T, Check) {
        (*self.evidence, self.by)
    }
}

impl Violated {
    pub fn violation(&self) -> &Violation {
        match self {
            Violated::Run(run) => &run.violation,
            Violated::Danger(found) => &found.violation,
        }
    }
}

impl Pending {
    /// The reason for having no answer.
    pub fn why(&self) -> Why {
        match self {
            Pending::Proof { proof, why } => Why::NotChecked { engine: proof.engine.clone(), why: why.clone() },
            Pending::Run(_) => Why::TooLongToRun,
        }
    }
}

impl Pending {
    /// Whether the compiled program has to be given inputs, or to run, for so long that somebody may find a proof sooner.
    pub fn is_long_to_run(&self) -> bool {
        match self {
            Pending::Run(DeepRun(run)) => {
                let takes_many = run.outcome.repeats.iter().any(|part| part.len > 0 && part.times > MANY_INPUTS);
                takes_many || run.outcome.steps > MANY_STEPS
            }
            Pending::Proof { .. } => false,
        }
    }
}

impl DeepRun {
    pub(crate) fn new(run: Run) -> DeepRun {
        DeepRun(Box::new(run))
    }

    /// What it should come to.
    pub fn expected(&self) -> &Run {
        &self.0
    }

    /// Compiles the program and runs it, within `time`; what the compiled program comes to instead is no violation.
    pub fn run(self, program: &Program, build: &Build, time: Duration) -> Result<Checked<Violated>, Native> {
        match native::confirm(program, &self.0.outcome, self.0.violation.property, build, time) {
            Native::Confirmed => Ok(Checked::new(Violated::Run(*self.0), Check::Compiled)),
            other => Err(other),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::True(_) => f.write_str("true"),
            Answer::False(violated) => write!(f, "false({})", violated.evidence().violation().property.name()),
            Answer::Pending(pending) => write!(f, "unknown({})", pending.why()),
            Answer::Unknown(why) => write!(f, "unknown({why})"),
        }
    }
}
