//! The program cut at its loop heads: formulas for what happens from the entry or a head to the next head, target or end.
//!
//! There are two ways to cut. [`paths`] keeps paths apart: along one everything is substitution, so that equalities stay
//! polynomial, but there may be many. [`merged`] has one segment for each place that control comes to next, with conditional
//! values where paths join.

mod merged;
mod paths;

pub use merged::{Decides, merged};
pub use paths::{entry_conditions, paths};

use cfa::{Edge, Function, Loc, LocKind, Program};
use encode::State;
use encode::state::evaluate_term;
use term::{Store, Term};

/// What happens between two cut points.
#[derive(Clone, Debug)]
pub struct Segment {
    /// A loop head, or `None` for the entry.
    pub from: Option<Loc>,
    pub to: Loc,
    pub comes: Comes,
    /// When it happens: conditions over the variables at the start and fresh symbols for inputs.
    pub conditions: Vec<Term>,
    /// The havoc edges on the way with their symbols (of [`paths`] only).
    pub inputs: Vec<(Edge, Vec<Term>)>,
    /// The state at the end.
    pub state: State,
}

/// What a segment leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comes {
    ToHead,
    ToError,
    /// The program ends.
    ToEnd,
    /// To a location that is not modelled, or beyond a bound of the model.
    Beyond,
    /// No edge can be taken.
    Stuck,
}

impl Comes {
    /// What comes of control at a location that is no head; `None` if it goes on.
    fn at(main: &Function, loc: Loc) -> Option<Comes> {
        match &main.locs[loc].kind {
            LocKind::Plain => None,
            LocKind::Error(_) => Some(Comes::ToError),
            LocKind::End(_) => Some(Comes::ToEnd),
            LocKind::Unsupported(_) | LocKind::BoundHit(_) => Some(Comes::Beyond),
        }
    }

    /// Whether proofs have to exclude it.
    pub fn is_to_target(self) -> bool {
        matches!(self, Comes::ToError | Comes::Beyond)
    }
}

impl Segment {
    /// All conditions as one.
    pub fn guard(&self, terms: &mut Store) -> Term {
        terms.and_all(&self.conditions)
    }

    /// The value after the segment of a term about the state there.
    pub fn after(&self, program: &Program, terms: &mut Store, t: Term) -> Term {
        evaluate_term(program, terms, &self.state, t)
    }
}
