//! Hash-consed terms over booleans, bit-vectors, IEEE floats and arrays: the one expression language of the verifier.
//!
//! A [`Store`] owns the terms; a [`Term`] is an id into it. Building through the store normalises (see [`rewrite`]), so
//! equal ids mean equal terms. Everything here walks without recursion: terms may be a million levels deep.
//! This crate knows no solver and no program.

pub mod bits;
mod build;
pub mod cprint;
pub mod eval;
pub mod float;
pub mod last_bits;
pub mod normal;
pub mod op;
pub mod random;
pub mod rewrite;
pub mod semantics;
pub mod simplify;
pub mod smtlib;
pub mod sort;
mod store;
pub mod subst;
pub mod value;
pub mod walk;

pub use bits::Bits;
pub use cprint::{CName, NameOf, print_c};
pub use eval::{Assignment, EvalError, Evaluator, eval};
pub use float::FloatValue;
pub use op::{Func, Op, Symbol};
pub use simplify::simplify;
pub use sort::{ArraySort, Format, RoundingMode, Scalar, Sort};
pub use store::{Store, Term};
pub use subst::{Substitution, substitute};
pub use value::{ArrayValue, Value};
pub use walk::{dag_size, free_vars, postorder, tree_size};
