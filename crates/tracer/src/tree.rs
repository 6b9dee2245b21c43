//! The symbolic execution tree as a picture (Graphviz): solid edges are the program's, dashed ones lead from a leaf to the
//! node that subsumes it, loop heads show their interpolants. What is explored anew is drawn as it was last.

use crate::limits::tree::MOST_NODES;
use base::Table;
use cfa::dot::{escape, operation, shorten};
use cfa::{Edge, Loc, Program};
use std::fmt::Write;
use term::{Store, Term};

base::id!(
    /// A node of the tree.
    Node,
    "n"
);

/// How a path ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Leaf {
    Infeasible,
    End,
    /// Cut by the bound of iterative deepening.
    Cut,
    Target,
    Sibling(Node),
    Ancestor(Node),
}

struct Info {
    loc: Loc,
    from: Option<(Node, Edge)>,
    leaf: Option<Leaf>,
    /// What the subtree needed, at loop heads.
    interpolant: Vec<Term>,
    /// Belongs to an exploration that was given up.
    gone: bool,
}

#[derive(Default)]
pub(crate) struct Tree {
    nodes: Table<Node, Info>,
    too_large: bool,
}

impl Tree {
    /// A new node below `from`.
    pub(crate) fn add(&mut self, loc: Loc, from: Option<(Node, Edge)>, leaf: Option<Leaf>) -> Node {
        self.too_large |= self.nodes.len() >= MOST_NODES;
        if self.too_large {
            return base::Id::new(0);
        }
        self.nodes.push(Info { loc, from, leaf, interpolant: Vec::new(), gone: false })
    }

    pub(crate) fn learn(&mut self, node: Node, interpolant: Vec<Term>) {
        if !self.too_large {
            self.nodes[node].interpolant = interpolant;
        }
    }

    /// The node is explored anew.
    pub(crate) fn forget_below(&mut self, node: Node) {
        // Children come after their parents.
        for id in self.nodes.ids().skip(base::Id::index(node) + 1).collect::<Vec<_>>() {
            self.nodes[id].gone |=
                self.nodes[id].from.is_some_and(|(parent, _)| parent == node || self.nodes[parent].gone);
        }
    }

    /// In the DOT language; `None` if the tree is too large.
    pub(crate) fn dot(&self, program: &Program, terms: &Store) -> Option<String> {
        if self.too_large {
            return None;
        }
        let mut out = String::from(
            "digraph tree {\n  node [shape=box, fontname=\"monospace\", fontsize=10];\n  edge [fontname=\"monospace\", fontsize=9];\n",
        );
        let mut line = |text: String| writeln!(out, "  {text}").expect("to a string");
        for (id, node) in self.nodes.iter().filter(|(_, node)| !node.gone) {
            let place = program.sources.place(program.main().locs[node.loc].span);
            let mut label = format!("{}\n{place}", node.loc);
            for part in &node.interpolant {
                label += &format!("\n{}", shorten(&cfa::text::print_term(terms, *part)));
            }
            let style = match node.leaf {
                Some(Leaf::Infeasible) => ", style=filled, fillcolor=\"#e8e8e8\", fontcolor=\"#909090\"",
                Some(Leaf::Target) => ", style=filled, fillcolor=\"#f4a6a6\"",
                Some(Leaf::Sibling(_) | Leaf::Ancestor(_)) => ", style=dashed",
                Some(Leaf::Cut) => ", style=filled, fillcolor=\"#f4d9a6\"",
                Some(Leaf::End) => ", style=filled, fillcolor=\"#d0d0d0\"",
                None if !node.interpolant.is_empty() => ", style=filled, fillcolor=\"#c5dbf2\"",
                None => "",
            };
            line(format!("{id} [label=\"{}\"{style}];", escape(&label)));
            if let Some((parent, edge)) = node.from {
                let operation = shorten(&operation(program, &program.main().edges[edge].op));
                line(format!("{parent} -> {id} [label=\"{}\"];", escape(&operation)));
            }
            if let Some(Leaf::Sibling(by) | Leaf::Ancestor(by)) = node.leaf
                && !self.nodes[by].gone
            {
                line(format!("{id} -> {by} [style=dashed, constraint=false, color=\"#3060a0\"];"));
            }
        }
        out.push_str("}\n");
        Some(out)
    }
}
