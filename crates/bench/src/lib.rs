//! Task sets and how a verifier does on them.
//!
//! The bench uses the `foldback` binary as a user would: a process for each task, limited from outside. [`taskset`] reads
//! what is to be run, [`schedule`] hands it to a [`runner`] (this machine, [`local`], or a cluster, [`slurm`]), [`record`] keeps
//! results in a CSV file from which an interrupted run goes on, [`start`] keeps how it was started, [`score`] counts, [`page`] and [`table`] show.

pub mod local;
pub mod page;
pub mod record;
pub mod runner;
pub mod schedule;
pub mod score;
pub mod slurm;
pub mod start;
pub mod table;
pub mod taskset;

pub use page::Other;
pub use record::Record;
pub use runner::{Item, Limits, Runner};
pub use schedule::{Progress, run};
pub use taskset::Task;
