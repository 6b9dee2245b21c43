//! From engines to one answer that can be believed.
//!
//! [`schedule`] lets the engines of a [`strategy`] take turns, each in a process of its own ([`worker`]); [`judge`] checks
//! what they say before anyone hears of it.

pub mod features;
pub mod judge;
pub mod judge_danger;
pub mod schedule;
pub mod strategy;
mod until;
mod worker;

pub use judge::{Answer, Checked, judge_simplified};
pub use schedule::{Fault, News, Plan, Report, Run, run};
pub use strategy::{PORTFOLIO, Strategy};
