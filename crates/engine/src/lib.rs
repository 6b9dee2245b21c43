//! The one interface of all engines: a [`Task`] goes in, a [`Verdict`] with its evidence comes out.
//!
//! Engines do not know each other, the command line or the reports. What they may touch is in [`Cx`]: their own term
//! store, solvers, a budget, the board on which they share what they learn. Nothing an engine says is believed before
//! crate `validate` has checked it.

pub mod board;
pub mod budget;
pub mod cx;
pub mod task;
pub mod verdict;
pub mod wire;

pub use board::{Board, Fact, FactKind, Link};
pub use budget::{Budget, Stop};
pub use cfa::evidence::{Danger, DeepTrace, Evidence, Explored, Proof, Trace};
pub use cx::{Cx, Event};
pub use task::{Question, Task};
pub use verdict::{Verdict, Why};

/// A method of verification.
///
/// `run` is called once for a task: time slices are the scheduler's, which pauses and resumes the engine's process. (The
/// combination `se+bself` calls `se` twice; that engine says that it goes on where it stopped, others start anew.) An
/// engine checks its budget at least every 100 ms and never panics on a program that passes the verifier.
pub trait Engine {
    /// The name on the command line.
    fn name(&self) -> &'static str;

    fn run(&mut self, task: &Task, cx: &mut Cx) -> Verdict;
}
