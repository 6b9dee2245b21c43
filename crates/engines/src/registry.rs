//! The list of engines: names on the command line and how to make each.

use crate::accel::beside::Beside;
use crate::{absint, accel, bmc, bse, bself, cells, guess, kind, random, se, se_bself};
use engine::Engine;

/// One engine as the command line sees it.
#[derive(Clone, Copy, Debug)]
pub struct EngineInfo {
    pub name: &'static str,
    /// One line for `foldback engines`.
    pub summary: &'static str,
    pub make: fn() -> Box<dyn Engine>,
}

/// Engines that never end by themselves without having found something.
pub const ENDLESS: &[&str] = &["random"];

pub const ENGINES: &[EngineInfo] = &[
    EngineInfo {
        name: "bmc",
        summary: "bounded model checking: unwinds the whole program with merging at joins, bound by bound",
        make: || Box::new(bmc::Bmc::default()),
    },
    EngineInfo {
        name: "kind",
        summary: "k-induction: base case, forward condition and inductive step, bound by bound",
        make: || Box::new(kind::KInduction::new(kind::Settings::kind())),
    },
    EngineInfo {
        name: "bkind",
        summary: "bidirectional k-induction: counterexamples of the step are targets of the base case",
        make: || Box::new(kind::KInduction::new(kind::Settings::bkind())),
    },
    EngineInfo {
        name: "absint",
        summary: "abstract interpretation with intervals and congruences",
        make: || Box::new(absint::Intervals),
    },
    EngineInfo {
        name: "accel",
        summary: "loop acceleration: any number of iterations in one step, explored to small bounds",
        make: || Box::new(accel::Accel::default()),
    },
    EngineInfo {
        name: "accel-bmc",
        summary: "bounded model checking of the program with accelerated loops",
        make: || Box::new(Beside::new("accel-bmc", bmc::Bmc::default())),
    },
    EngineInfo {
        name: "accel-kind",
        summary: "k-induction on the program with accelerated loops",
        make: || Box::new(Beside::new("accel-kind", kind::KInduction::new(kind::Settings::kind()))),
    },
    EngineInfo {
        name: "accel-bkind",
        summary: "bidirectional k-induction on the program with accelerated loops",
        make: || Box::new(Beside::new("accel-bkind", kind::KInduction::new(kind::Settings::bkind()))),
    },
    EngineInfo {
        name: "accel-se",
        summary: "forward symbolic execution of the program with accelerated loops",
        make: || Box::new(Beside::new("accel-se", se::SymbolicExecution::default())),
    },
    EngineInfo {
        name: "guess",
        summary: "invariants guessed from executions and proved, polynomial ones in the ring of machine integers",
        make: || Box::new(guess::Guess::default()),
    },
    EngineInfo {
        name: "cells",
        summary: "invariants of all cells of arrays, from one cell that stands for all",
        make: || Box::new(cells::Cells),
    },
    EngineInfo {
        name: "random",
        summary: "executions with random inputs, led by what they cover: finds bugs, proves nothing",
        make: || Box::new(random::RandomExecution),
    },
    EngineInfo {
        name: "se",
        summary: "forward symbolic execution: explores paths one by one, fast on concrete code",
        make: || Box::new(se::SymbolicExecution::default()),
    },
    EngineInfo {
        name: "bse",
        summary: "backward symbolic execution: from the errors towards the entry, shortest paths first",
        make: || Box::new(bse::BackwardExecution::default()),
    },
    EngineInfo {
        name: "bself",
        summary: "backward symbolic execution with loop folding: infers disjunctive invariants on the way",
        make: || Box::new(bself::LoopFolding::default()),
    },
    EngineInfo {
        name: "se+bself",
        summary: "se for a while, then bself, then se again where it stopped",
        make: || Box::new(se_bself::ForwardAndFolding::default()),
    },
    EngineInfo {
        name: "tracer",
        summary: "unbounded symbolic execution with interpolation: abstracts loops, refines where that is too coarse",
        make: || Box::new(tracer::Tracer::default()),
    },
    EngineInfo {
        name: "iterdeep",
        summary: "iterative deepening with interpolants: what tracer is compared with",
        make: || Box::new(tracer::IterativeDeepening::default()),
    },
    EngineInfo {
        name: "danger",
        summary: "danger invariants: proofs that an error is reached however deep it is; decides termination too",
        make: || Box::new(danger::DangerInvariants::default()),
    },
];

pub fn by_name(name: &str) -> Option<&'static EngineInfo> {
    ENGINES.iter().find(|e| e.name == name)
}
