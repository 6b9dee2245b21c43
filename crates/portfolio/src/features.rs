//! A quick look at a program: what strategies may depend on.

use crate::limits::features::LARGE;
use cfa::{Op, Program};
use flow::{Graph, Loops};
use serde::Deserialize;
use std::collections::BTreeSet;
use term::{Op as TermOp, Sort};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Feature {
    Loops,
    NestedLoops,
    /// Some loop is never left but to an error: unwinding does not come to an end.
    EndlessLoops,
    /// Input is taken inside a loop.
    InputInLoops,
    Arrays,
    /// Cells of arrays of characters are compared with constants, in loops.
    Texts,
    Floats,
    /// Products, quotients or remainders of two variables.
    Nonlinear,
    /// More than ten thousand edges.
    Large,
    /// Somebody says what functions do: contracts are checked or used.
    Contracts,
    /// It starts in a function that somebody wrote to call others, and that says what their arguments are.
    Harness,
    /// Executions are known to leave what is modelled, so that there is no proof. The only one that may come to light while engines run.
    OnlyViolations,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Features(BTreeSet<Feature>);

impl Features {
    pub fn of(program: &Program) -> Features {
        let main = program.main();
        let graph = Graph::of(main);
        let loops = Loops::of(&graph);
        let mut found = BTreeSet::new();
        if !loops.is_empty() {
            found.insert(Feature::Loops);
            if loops.has_endless(&graph, |loc| main.locs[loc].kind.is_target()) {
                found.insert(Feature::EndlessLoops);
            }
            if infer::candidates::texts::walks_along_texts(program) {
                found.insert(Feature::Texts);
            }
        }
        if main.edges.len() > LARGE {
            found.insert(Feature::Large);
        }
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack = Vec::new();
        for edge in main.edges.values() {
            if loops.depth(edge.from) > 1 {
                found.insert(Feature::NestedLoops);
            }
            if matches!(edge.op, Op::Havoc { .. }) && loops.depth(edge.from) > 0 {
                found.insert(Feature::InputInLoops);
            }
            stack.extend(edge.op.terms());
        }
        let terms = &program.terms;
        while let Some(t) = stack.pop() {
            if !seen.insert(t) {
                continue;
            }
            stack.extend(terms.args(t));
            match terms.sort(t) {
                Sort::Array(_) => found.insert(Feature::Arrays),
                Sort::Float(_) => found.insert(Feature::Floats),
                _ => false,
            };
            let product = matches!(
                terms.op(t),
                TermOp::BvMul | TermOp::BvUdiv | TermOp::BvUrem | TermOp::BvSdiv | TermOp::BvSrem
            );
            if product && terms.args(t).iter().filter(|a| !terms.is_const(**a)).count() > 1 {
                found.insert(Feature::Nonlinear);
            }
        }
        Features(found)
    }

    /// With a feature that no look at the program shows.
    pub fn and(mut self, feature: Feature) -> Features {
        self.0.insert(feature);
        self
    }

    pub fn has(&self, feature: Feature) -> bool {
        self.0.contains(&feature)
    }
}
