//! The methods of verification, one module each. Engines do not use one another (what two need is in
//! `encode` or `flow`, or in `generalise` and `products`), except for `bself`, which begins as `bse`, and the combinations
//! `se_bself` and `cells`.

pub mod absint;
pub mod accel;
pub mod bmc;
pub mod bse;
pub mod bself;
pub mod cells;
pub mod explicit;
mod generalise;
pub mod guess;
pub mod houdini;
pub mod kind;
mod limits;
pub mod pdr;
pub mod phases;
mod products;
pub mod random;
pub mod registry;
pub mod se;
pub mod se_bself;

pub use registry::{ENGINES, EngineInfo, answering, by_name};
