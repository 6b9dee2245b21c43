//! The text form of programs: complete, readable, and read back exactly. Its grammar stands at the head of `print.rs`.

mod lex;
mod parse;
mod print;
mod sort;
mod term;

pub use lex::ParseError;
pub use parse::parse;
pub use print::{print, print_annotated};
pub use term::{parse_term, print_term};
