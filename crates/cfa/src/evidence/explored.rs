//! What an exhaustive exploration did, as evidence: a tree of decisions, written down depth first.
//!
//! A path is told by what cannot be read off the program: at every location where some edge has a condition, which edges
//! were followed (the others are claimed to be infeasible); at loop heads, that the path ends because an equal state is
//! explored elsewhere, or that a stretch without inputs was run and where it led. Whoever walks the program along the
//! decisions meets the same questions in the same order, so nothing else is needed: a decision is a letter or two.

use crate::{EdgeInfo, Function, Loc, LocKind, Op};
use base::Id;
use std::fmt::Write;
use term::Store;

/// The tree of an exploration that found no way to a target.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Explored {
    /// For people.
    pub paths: u64,
    /// The loop heads where some path ends at a state that is explored elsewhere.
    pub repeats: Vec<Loc>,
    /// [`Decision`]s in order: a node before its children, children in the order of edges.
    pub decisions: String,
}

/// One thing that an exploration decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// At a location that [`asks`]: the edges that were followed, as a set of their places among the outgoing ones.
    Follow(u64),
    /// At a loop head: an equal state is explored elsewhere.
    Seen,
    /// At a loop head: no inputs and no choices from here to that location, which is the head itself after so many visits, or
    /// another location.
    Run { to: Loc, visits: u64 },
    /// At a loop head: no inputs and no choices from here on, and the execution never ends or gets stuck.
    RunNowhere,
}

/// Whether it has to be decided which edges are followed from a location with these outgoing edges.
pub fn asks<'e>(terms: &Store, mut edges: impl Iterator<Item = &'e EdgeInfo>) -> bool {
    edges.any(|edge| matches!(edge.op, Op::Assume(c) if terms.as_bool_const(c) != Some(true)))
}

/// Whether paths along the edge are followed at all: where the program ends there is nothing to explore.
pub fn is_followed(function: &Function, edge: &EdgeInfo) -> bool {
    !matches!(function.locs[edge.to].kind, LocKind::End(_))
}

impl Decision {
    /// Adds the decision to `text`.
    pub fn write(self, text: &mut String) {
        match self {
            Decision::Follow(edges @ 0..10) => text.push(char::from(b'0' + edges as u8)),
            Decision::Follow(edges) => write!(text, "({edges})").expect("strings can be written to"),
            Decision::Seen => text.push('s'),
            Decision::Run { to, visits } => write!(text, "<{} {visits}>", to.index()).expect("as above"),
            Decision::RunNowhere => text.push('!'),
        }
    }

    /// The first decision of `text`, and the rest; nothing if there is none, or none that makes sense.
    pub fn read(text: &str) -> Option<(Decision, &str)> {
        let first = text.bytes().next()?;
        let within = |close: char| text[1..].split_once(close);
        // As it is written: there is one text for each decision.
        let number = |text: &str| text.parse().ok().filter(|n: &u64| n.to_string() == text);
        Some(match first {
            b'0'..=b'9' => (Decision::Follow(u64::from(first - b'0')), &text[1..]),
            b's' => (Decision::Seen, &text[1..]),
            b'!' => (Decision::RunNowhere, &text[1..]),
            b'(' => {
                let (edges, rest) = within(')')?;
                (Decision::Follow(number(edges).filter(|n| *n >= 10)?), rest)
            }
            b'<' => {
                let (run, rest) = within('>')?;
                let (to, visits) = run.split_once(' ')?;
                let to = u32::try_from(number(to)?).ok()?;
                (Decision::Run { to: Loc::new(to as usize), visits: number(visits)? }, rest)
            }
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_survive_being_written() {
        let all = [
            Decision::Follow(0),
            Decision::Follow(9),
            Decision::Seen,
            Decision::Follow(1 << 63),
            Decision::Run { to: Loc::new(7), visits: 4_194_305 },
            Decision::RunNowhere,
            Decision::Follow(10),
        ];
        let mut text = String::new();
        all.iter().for_each(|decision| decision.write(&mut text));
        let mut rest = text.as_str();
        for decision in all {
            let (read, left) = Decision::read(rest).expect("readable");
            assert_eq!(read, decision);
            rest = left;
        }
        assert!(rest.is_empty());
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            "",
            "x",
            "(",
            "()",
            "(x)",
            "<3>",
            "<3 x>",
            "<99999999999 1>",
            "(99999999999999999999999)",
            "<04 1>",
            "(+12)",
            "é",
        ] {
            assert_eq!(Decision::read(text), None, "{text}");
        }
    }
}
