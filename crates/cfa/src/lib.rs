//! Control-flow automata: the program form that every part of foldback speaks.
//!
//! One data structure, [`Program`], in two stages. In *function form* (what `lower` makes) functions call each other and
//! memory is objects of bytes reached by `Load` and `Store`. In *flat form* (what engines work on) there is one function,
//! and its edges only assume, assign and havoc variables; memory has become array-sorted variables.

pub mod dot;
pub mod evidence;
pub mod layout;
pub mod machine;
pub mod program;
pub mod shape;
pub mod text;
pub mod verify;

pub use layout::MemoryPart;
pub use machine::{DataModel, Machine};
pub use program::*;
pub use shape::{Scalar, Shape};
pub use text::{parse, print, print_annotated};
pub use verify::{Form, assert_sound, verify};
