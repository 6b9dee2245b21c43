//! The list of engines: names on the command line and how to make each.
//!
//! A variant of an engine is the engine with a setting, and its name says so: `accel:explorer=bmc`.

use crate::accel::on_accelerated::OnAccelerated;
use crate::{absint, accel, bmc, bse, bself, cells, explicit, guess, houdini, kind, pdr, phases, random, se, se_bself};
use engine::{Engine, Question};
use std::fmt;

/// One engine as the command line and the portfolio see it.
#[derive(Clone, Copy, Debug)]
pub struct EngineInfo {
    pub name: &'static str,
    /// One line for `foldback engines`.
    pub summary: &'static str,
    pub make: fn() -> Box<dyn Engine>,
    /// What it can be asked.
    pub answers: &'static [Question],
    /// Never ends by itself without having found something: there is no use in waiting for it alone.
    pub endless: bool,
    /// When it ends at something that is not modelled, it has followed all other executions to their ends: nobody else finds
    /// more.
    pub exhaustive: bool,
    /// Goes on behind a counterexample when it is run again: where the one that it had does not stand, it may have another.
    pub goes_on: bool,
    /// Kept to be compared with in measurements: the built-in strategy does without it.
    pub for_comparison: bool,
    /// A shorter name of a variant, which `--engine` takes too.
    pub short: Option<&'static str>,
}

impl EngineInfo {
    /// What most engines are: they end, strategies have them, and they say whether an error can be reached.
    const fn new(name: &'static str, summary: &'static str, make: fn() -> Box<dyn Engine>) -> EngineInfo {
        EngineInfo {
            name,
            summary,
            make,
            answers: &[Question::Reach],
            endless: false,
            exhaustive: false,
            goes_on: false,
            for_comparison: false,
            short: None,
        }
    }

    /// An engine with a setting, to be compared with.
    const fn variant(
        name: &'static str,
        short: &'static str,
        summary: &'static str,
        make: fn() -> Box<dyn Engine>,
    ) -> EngineInfo {
        EngineInfo { for_comparison: true, short: Some(short), ..EngineInfo::new(name, summary, make) }
    }
}

/// A line of `foldback engines`.
impl fmt::Display for EngineInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:23} {}", self.name, self.summary)?;
        match self {
            EngineInfo { short: Some(short), .. } => write!(f, " ({short}, for comparison)"),
            EngineInfo { for_comparison: true, .. } => f.write_str(" (for comparison)"),
            EngineInfo { endless: true, .. } => f.write_str(" (never ends without a find)"),
            _ => Ok(()),
        }
    }
}

pub const ENGINES: &[EngineInfo] = &[
    EngineInfo::new(
        "bmc",
        "bounded model checking: unwinds the whole program with merging at joins, bound by bound",
        || Box::new(bmc::Bmc::default()),
    ),
    EngineInfo::new("kind", "k-induction: base case, forward condition and inductive step, bound by bound", || {
        Box::new(kind::KInduction::new(kind::Settings::kind()))
    }),
    EngineInfo::new(
        "bkind",
        "bidirectional k-induction: counterexamples of the step are targets of the base case",
        || Box::new(kind::KInduction::new(kind::Settings::bkind())),
    ),
    EngineInfo::new(
        "pdr",
        "property-directed reachability: frames of lemmas, strengthened backwards from the errors",
        || Box::new(pdr::Pdr::default()),
    ),
    EngineInfo::new(
        "phases",
        "exact phases: what each iteration of a loop without inputs makes of the state, until it comes back",
        || Box::new(phases::Phases::default()),
    ),
    EngineInfo::new("absint", "abstract interpretation with intervals and congruences", || Box::new(absint::Intervals)),
    EngineInfo::new(
        "accel",
        "loop acceleration: any number of iterations in one step, explored to small bounds",
        || Box::new(accel::Accel::default()),
    ),
    EngineInfo::variant(
        "accel:explorer=bmc",
        "accel-bmc",
        "bounded model checking of the program with accelerated loops",
        || Box::new(OnAccelerated::new("accel:explorer=bmc", bmc::Bmc::default())),
    ),
    EngineInfo::variant(
        "accel:explorer=kind",
        "accel-kind",
        "k-induction on the program with accelerated loops",
        || Box::new(OnAccelerated::new("accel:explorer=kind", kind::KInduction::new(kind::Settings::kind()))),
    ),
    EngineInfo::variant(
        "accel:explorer=bkind",
        "accel-bkind",
        "bidirectional k-induction on the program with accelerated loops",
        || Box::new(OnAccelerated::new("accel:explorer=bkind", kind::KInduction::new(kind::Settings::bkind()))),
    ),
    EngineInfo::variant(
        "accel:explorer=se",
        "accel-se",
        "forward symbolic execution of the program with accelerated loops",
        || Box::new(OnAccelerated::new("accel:explorer=se", se::SymbolicExecution::default())),
    ),
    EngineInfo::new(
        "guess",
        "invariants guessed from executions and proved, polynomial ones in the ring of machine integers",
        || Box::new(guess::Guess::default()),
    ),
    EngineInfo::new(
        "houdini",
        "invariants that the program itself states: its assertions, what its loops have looked at",
        || Box::new(houdini::Houdini::default()),
    ),
    EngineInfo::new("cells", "invariants of all cells of arrays, from one cell that stands for all", || {
        Box::new(cells::Cells)
    }),
    EngineInfo {
        endless: true,
        ..EngineInfo::new(
            "random",
            "executions with random inputs, led by what they cover: finds bugs, proves nothing",
            || Box::new(random::RandomExecution::default()),
        )
    },
    EngineInfo::new(
        "explicit",
        "explicit-state search: from all states seen at loop heads, with the inputs that the program tells apart",
        || Box::new(explicit::ExplicitStates::default()),
    ),
    EngineInfo {
        exhaustive: true,
        goes_on: true,
        ..EngineInfo::new("se", "forward symbolic execution: explores paths one by one, fast on concrete code", || {
            Box::new(se::SymbolicExecution::default())
        })
    },
    EngineInfo {
        for_comparison: true,
        ..EngineInfo::new(
            "bse",
            "backward symbolic execution: from the errors towards the entry, shortest paths first",
            || Box::new(bse::BackwardExecution::default()),
        )
    },
    EngineInfo::new(
        "bself",
        "backward symbolic execution with loop folding: infers disjunctive invariants on the way",
        || Box::new(bself::LoopFolding::default()),
    ),
    EngineInfo {
        for_comparison: true,
        ..EngineInfo::new("se+bself", "se for a while, then bself, then se again where it stopped", || {
            Box::new(se_bself::ForwardAndFolding::default())
        })
    },
    EngineInfo::new(
        "tracer",
        "unbounded symbolic execution with interpolation: abstracts loops, refines where that is too coarse",
        || Box::new(tracer::Tracer::default()),
    ),
    EngineInfo::variant(
        "tracer:search=deepening",
        "iterdeep",
        "iterative deepening with interpolants, instead of unbounded paths",
        || Box::new(tracer::IterativeDeepening::default()),
    ),
    EngineInfo {
        answers: &[Question::Reach, Question::AlwaysEnds, Question::NeverEnds],
        ..EngineInfo::new(
            "danger",
            "danger invariants: proofs that an error is reached however deep it is; decides termination too",
            || Box::new(danger::DangerInvariants::default()),
        )
    },
];

/// The engines that can be asked this.
pub fn answering(question: Question) -> impl Iterator<Item = &'static EngineInfo> {
    ENGINES.iter().filter(move |engine| engine.answers.contains(&question))
}

pub fn by_name(name: &str) -> Option<&'static EngineInfo> {
    ENGINES.iter().find(|engine| engine.name == name || engine.short == Some(name))
}
