//! What it takes to run tasks: this machine ([`crate::local`]) and a cluster ([`crate::slurm`]) both can.

use crate::record::Record;
use crate::taskset::Task;
use serde::{Deserialize, Serialize};
use std::time::Duration;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Limits {
    pub cpu: Duration,
    pub memory_bytes: u64,
}

/// One run to be made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Item {
    pub engine: String,
    pub task: Task,
}

/// What a runner has to tell.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// A run has ended.
    Done(Record),
    /// Something that the user may want to know.
    Note(String),
}

/// Who is told; an error stops the runner.
pub type Tell<'a> = &'a mut (dyn FnMut(Event) -> Result<(), String> + Send);

pub trait Runner {
    /// Makes all runs and tells of each as soon as it has ended, in any order.
    fn run(&self, todo: &[Item], tell: Tell<'_>) -> Result<(), String>;
}
