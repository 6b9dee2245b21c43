//! A flat automaton as a transition system in the format BTOR2 (Niemetz, Preiner, Wolf, Biere 2018), for hardware model
//! checkers, and the witness that such a checker writes as a trace of ours.
//!
//! One step of the system is one edge of the automaton. The location is a state, `pc`; so is every variable, without an
//! initial value. What an edge leaves arbitrary is read from inputs, one for each variable; where edges do not
//! exclude each other another input, `choice`, says which one is taken. A system that can take no edge stays where it is.
//! Every error is a bad state, and so is whatever is not modelled: if none of them is reachable, no error is.

mod read;
mod write;

pub use read::trace;
pub use write::{Refused, write};

use cfa::{Edge, Loc, Op, Program, Var};

/// The input that gives `var` an arbitrary value.
fn input_name(var: Var) -> String {
    format!("any.{var}")
}

/// The input that chooses between edges.
const CHOICE: &str = "choice";

/// The name of a variable: its own, with what makes it different from others of that name.
fn state_name(program: &Program, var: Var) -> String {
    let plain = |c: char| if c.is_ascii_graphic() && !";#@".contains(c) { c } else { '_' };
    format!("{}.{var}", program.name(var).chars().map(plain).collect::<String>())
}

/// Whether at most one of the edges can be taken in any state, as far as can be seen: a condition and its negation.
fn is_deterministic(program: &Program, edges: &[Edge]) -> bool {
    let op = |edge: &Edge| &program.main().edges[*edge].op;
    let negates = |a: term::Term, b: term::Term| program.terms.op(a) == term::Op::Not && program.terms.args(a)[0] == b;
    match edges {
        [] | [_] => true,
        [a, b] => matches!((op(a), op(b)), (Op::Assume(c), Op::Assume(d)) if negates(*c, *d) || negates(*d, *c)),
        _ => false,
    }
}

/// So many bits number so many things.
fn width_for(count: usize) -> u32 {
    count.next_power_of_two().trailing_zeros().max(1)
}

/// The targets, in the order of their bad states.
fn targets(program: &Program) -> Vec<Loc> {
    program.main().locs.iter().filter(|(_, location)| location.kind.is_target()).map(|(loc, _)| loc).collect()
}
