//! Nothing unchecked leaves the tool.
//!
//! [`judge`] checks an engine's verdict and makes an [`Answer`] of it; only here evidence becomes [`Checked`].
//! [`recheck`] proves a proof again from its invariants, [`explore`] walks an exploration again, [`danger`] checks a danger
//! invariant, a recurrence set or termination,
//! sharing nothing with the engines but terms and solvers;
//! [`replay`] runs counterexamples in the interpreter, [`native`] as a compiled program. What fails its check becomes
//! `unknown(check failed: …)`.

mod answer;
mod bounds;
pub mod checks;
pub mod conditions;
pub mod danger;
mod definitions;
mod differences;
pub mod environment;
pub mod execution;
pub mod explore;
mod factor_cases;
pub mod follow;
mod integers;
pub mod judge;
mod limits;
mod needed;
pub mod now;
mod opinions;
pub mod places;
mod questions;
mod range_allocation;
mod read_over_write;
pub mod recheck;
pub mod replay;
mod ring;
mod segments;
mod shown;
mod taken;
mod value_cases;

pub use native;

pub use answer::{Answer, Check, Checked, DeepRun, FoundDanger, FoundProof, Pending, Run, Violated};
pub use opinions::Opinions;
