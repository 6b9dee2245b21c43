//! From engines to one answer that can be believed.
//!
//! [`schedule`] lets the engines of a [`strategy`] take turns, each in a process of its own; what they say is
//! checked (`validate::judge`) before anyone hears of it.

pub mod features;
mod limits;
pub mod schedule;
pub mod status;
pub mod strategy;
mod worker;

pub use schedule::{Fault, NEEDS_NO_RUN, News, Plan, Report, Run, run};
pub use strategy::{PORTFOLIO, Strategy};
