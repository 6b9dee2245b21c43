//! What an engine is given: a flat program whose error locations are the property.

use cfa::{LocKind, Program};
use std::sync::Arc;

/// What is asked about a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Question {
    /// Whether an error location can be reached.
    #[default]
    Reach,
    /// Whether every execution ends. Error locations are ends like others.
    AlwaysEnds,
    /// Whether some execution never ends.
    NeverEnds,
}

/// One verification task. The program has the errors of the user's program, no more and no fewer: an engine that works on a
/// coarser one of its own (accelerated loops, one cell for an array) translates what it finds before it answers.
#[derive(Clone, Debug)]
pub struct Task {
    /// In flat form. Its error locations are what must not be reached; reaching an unsupported or bound-hit location makes
    /// the answer unknown.
    pub program: Arc<Program>,
    pub question: Question,
}

impl Task {
    pub fn new(program: Program) -> Task {
        debug_assert!(program.is_flat());
        Task { program: Arc::new(program), question: Question::Reach }
    }

    /// Whether there is an error location.
    pub fn has_errors(&self) -> bool {
        self.program.main().locs.values().any(|l| matches!(l.kind, LocKind::Error(_)))
    }
}
