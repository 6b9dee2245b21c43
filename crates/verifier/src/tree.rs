//! The tree that symbolic execution with interpolants (engine `tracer`) explores, to be looked at.

use crate::limits::tree::EXPLORING;
use crate::load::{self, BadInput};
use crate::request::Subject;
use engine::{Board, Budget, Cx, Engine, Task, Verdict};
use smt::SolverSettings;
use tracer::Tracer;
use transform::pipeline;

/// A drawing of the tree.
#[derive(Clone, Debug)]
pub struct Tree {
    /// For Graphviz.
    pub dot: String,
    /// In a line: how the exploration ended, and how large the tree is. Nothing of it is checked.
    pub told: String,
}

/// Explores the program for a few seconds.
pub fn explored(subject: &Subject) -> Result<Tree, BadInput> {
    let prepared = pipeline::prepare(&load::lowered(subject)?, &load::passes(&subject.lowering.properties));
    let task = Task::new(prepared.program);
    let mut cx = Cx::new(&task, Budget::new(EXPLORING, u64::MAX), Board::new(), SolverSettings::default());
    let mut tracer = Tracer::default();
    let verdict = tracer.run(&task, &mut cx);
    let too_large = || BadInput::Message(format!("the tree is too large ({})", tracer.statistics()));
    let dot = tracer.dot(&cx.terms).ok_or_else(too_large)?;
    let said = match verdict {
        Verdict::Safe(_) => "true".to_owned(),
        Verdict::Unsafe(_) => "false".to_owned(),
        Verdict::Unknown(why) => format!("unknown ({why})"),
    };
    Ok(Tree { dot, told: format!("{}: {said}; {}", tracer.name(), tracer.statistics()) })
}
