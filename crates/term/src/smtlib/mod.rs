//! SMT-LIB 2.6 in and out: terms, scripts, models.

mod derived;
mod names;
mod parse;
mod print;
mod script;
mod sexpr;

pub use parse::{ParseError, Reader};
pub use print::{Dialect, Printer, print_script, print_term, sort_text, value_text};
pub use script::{Command, Model, parse_model, parse_script, parse_term, parse_values};
