//! The list of engines: names on the command line and how to make each.

use crate::{absint, bmc, kind, se};
use engine::Engine;

/// One engine as the command line sees it.
#[derive(Clone, Copy, Debug)]
pub struct EngineInfo {
    pub name: &'static str,
    /// One line for `foldback engines`.
    pub summary: &'static str,
    pub make: fn() -> Box<dyn Engine>,
}

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
        name: "se",
        summary: "forward symbolic execution: explores paths one by one, fast on concrete code",
        make: || Box::new(se::SymbolicExecution::default()),
    },
];

pub fn by_name(name: &str) -> Option<&'static EngineInfo> {
    ENGINES.iter().find(|e| e.name == name)
}
