//! Decorators: each is a solver over a solver and does one thing.

mod cache;
mod check_model;
mod cross_check;
mod log;
mod products;
mod renew;
mod slice;
mod timing;

pub use cache::Cache;
pub use check_model::CheckModel;
pub use cross_check::CrossCheck;
pub use log::Log;
pub use products::Products;
pub use renew::Renew;
pub use slice::Slice;
pub use timing::Timing;
