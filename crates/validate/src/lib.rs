//! Nothing unchecked leaves the tool.
//!
//! [`recheck`] proves a proof again from its invariants, [`danger`] a danger invariant, a recurrence set or termination,
//! sharing nothing with the engines but terms and solvers;
//! [`replay`] runs counterexamples in the interpreter, [`native`] as a compiled program. What fails its check becomes
//! `unknown(check failed: …)`.

pub mod danger;
mod environment;
pub mod follow;
mod instances;
pub mod native;
mod ranks;
mod reads;
pub mod recheck;
pub mod replay;
mod ring;
