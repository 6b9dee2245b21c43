//! The tree of decisions, put down while paths are explored in any order, told depth first in the end.

use crate::limits::se::MOST_LETTERS;
use cfa::Loc;
use cfa::evidence::explored::Decision;
use engine::Explored;
use std::collections::BTreeSet;

/// Where in the tree a path is.
pub(super) type Node = u32;

/// What was decided so far.
pub(super) struct Record {
    nodes: Vec<Decided>,
    repeats: BTreeSet<Loc>,
    letters: usize,
    /// Something could not be put down.
    is_incomplete: bool,
}

/// Decisions in a row, then the branches.
#[derive(Default)]
struct Decided {
    decisions: String,
    branches: Vec<Node>,
}

impl Record {
    /// One path, at the root.
    pub(super) fn new() -> Record {
        Record { nodes: vec![Decided::default()], repeats: BTreeSet::new(), letters: 0, is_incomplete: false }
    }

    pub(super) const ROOT: Node = 0;

    pub(super) fn put(&mut self, at: Node, decision: Decision) {
        if self.is_incomplete {
            return;
        }
        let text = &mut self.nodes[at as usize].decisions;
        let before = text.len();
        decision.write(text);
        self.letters += text.len() - before;
        if self.letters > MOST_LETTERS {
            self.give_up();
        }
    }

    pub(super) fn put_seen(&mut self, at: Node, head: Loc) {
        self.repeats.insert(head);
        self.put(at, Decision::Seen);
    }

    /// From now on nothing is kept.
    pub(super) fn give_up(&mut self) {
        self.is_incomplete = true;
        self.nodes.clear();
    }

    /// The path splits.
    pub(super) fn branch(&mut self, at: Node, count: usize) -> Vec<Node> {
        if self.is_incomplete {
            return vec![at; count];
        }
        let first = self.nodes.len() as Node;
        let branches: Vec<Node> = (first..).take(count).collect();
        self.nodes.resize_with(self.nodes.len() + count, Decided::default);
        self.nodes[at as usize].branches.clone_from(&branches);
        branches
    }

    /// The whole tree, when all paths have ended.
    pub(super) fn explored(&self, paths: u64) -> Option<Explored> {
        if self.is_incomplete {
            return None;
        }
        let mut decisions = String::with_capacity(self.letters);
        let mut stack = vec![Self::ROOT];
        while let Some(node) = stack.pop() {
            let node = &self.nodes[node as usize];
            decisions.push_str(&node.decisions);
            stack.extend(node.branches.iter().rev());
        }
        Some(Explored { paths, repeats: self.repeats.iter().copied().collect(), decisions })
    }
}
