//! What is asked: a program, what its behaviour is checked for, and how much the answer may cost.

use crate::limits::process::{WALL_MORE, WALL_SHARE};
use crate::property::{self, Asked, Group};
use cfa::Property;
use cfront::types::DataModel;
use portfolio::{PORTFOLIO, Plan, Strategy};
use std::path::PathBuf;
use std::time::Duration;

/// A question for [`crate::verify`].
#[derive(Clone, Debug)]
pub struct Request {
    pub subject: Subject,
    /// Which engines run when, how many side by side, with which solvers.
    pub plan: Plan,
    /// Whether a moment of random executions comes first.
    pub quick: bool,
    /// Whether contracts are looked for that can stand for calls of functions that are called often, before all calls are inlined.
    pub found_contracts: bool,
    pub replay: Replay,
    pub limits: Limits,
    pub keep: Keep,
}

/// A program and what its behaviour is checked for.
#[derive(Clone, Debug)]
pub struct Subject {
    pub files: Vec<PathBuf>,
    pub data_model: DataModel,
    /// Macros: `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Folders of headers.
    pub includes: Vec<PathBuf>,
    /// How files are read and linked, besides.
    pub front: cfront::Options,
    /// The same for a compiler, besides.
    pub compiler_flags: Vec<String>,
    /// The properties, the entry function, and what is assumed of the world around the program.
    pub lowering: lower::Options,
    /// Whether the program sees our own addresses where it looks at parts of addresses: then only violations that the compiled program shows
    /// are believed.
    pub sees_own_addresses: bool,
    /// Whether structs stay whole that could be taken apart at their arrays (`transform::memory::Settings::arrays_apart`).
    pub whole_structs: bool,
    /// The text of the property file, if there is one that says it all.
    pub property_text: String,
    /// The properties as they were asked for: each group gets its verdict.
    pub groups: Vec<Group>,
    /// Nobody asked for them: of a group that the program has nothing to check for, that is said, and no verdict given.
    pub is_usual: bool,
}

/// Who runs a counterexample before it is reported. The interpreter always does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Replay {
    Interpreter,
    /// And the compiled program.
    Native,
    /// And the compiled program, with all the rights of the user.
    NativeUnsandboxed,
}

/// What a run may use up, all together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    pub cpu_time: Option<Duration>,
    pub memory_bytes: Option<u64>,
    /// On the clock at the wall: it goes on when processes are stopped or wait for ever. Held by whoever asks.
    pub wall_time: Option<Duration>,
}

impl Limits {
    /// On the clock, where only CPU time is limited: a busy machine gives each run its share.
    pub fn usual_wall_time(cpu_time: Duration) -> Duration {
        cpu_time * WALL_SHARE + WALL_MORE
    }
}

/// The version of the format that a witness is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum WitnessFormat {
    /// The first one that can say it.
    #[default]
    Least,
    Exactly(witness::Version),
}

/// Evidence that is made only where somebody wants it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Keep {
    /// A witness for other tools, of this version of the format or what the answer needs.
    pub witness: Option<WitnessFormat>,
    /// A certificate of a proof.
    pub certificate: bool,
    /// A copy of the program with the invariants of a proof written in.
    pub annotated: bool,
    /// The C file that reproduces a counterexample, to be written there.
    pub harness: Option<PathBuf>,
    /// The automaton that a proof speaks of.
    pub automaton: bool,
    /// Contracts of functions that have none, as notes.
    pub contracts: bool,
}

impl Request {
    /// The usual properties of the files' program, by all engines, without limits.
    pub fn new(files: Vec<PathBuf>) -> Request {
        let strategy = Strategy::named(PORTFOLIO).expect("the portfolio is a strategy");
        Request {
            subject: Subject::new(files, property::usual()),
            plan: Plan::new(strategy),
            quick: true,
            found_contracts: false,
            replay: Replay::Native,
            limits: Limits::default(),
            keep: Keep::default(),
        }
    }
}

impl Subject {
    /// What was asked of the files' program; without a property, that assertions hold and no error function is called.
    pub fn new(files: Vec<PathBuf>, asked: Asked) -> Subject {
        let Asked { mut properties, error_functions, entry, text, groups, is_from_file, is_usual } = asked;
        if properties.is_empty() {
            properties = vec![Property::UnreachCall, Property::Assert];
        }
        let mut lowering = lower::Options { properties, ..lower::Options::default() };
        if is_from_file {
            // Who states the property in a file takes part in a competition, or does as if.
            lowering.extern_effects = lower::ExternEffects::Arguments;
        }
        if !error_functions.is_empty() {
            lowering.error_functions = error_functions;
        }
        if let Some(entry) = entry {
            lowering.entry = entry;
        }
        Subject {
            files,
            data_model: DataModel::Lp64,
            defines: Vec::new(),
            includes: Vec::new(),
            front: cfront::Options::new(DataModel::Lp64),
            compiler_flags: Vec::new(),
            lowering,
            sees_own_addresses: false,
            whole_structs: false,
            property_text: text,
            groups,
            is_usual,
        }
    }

    /// As results and witnesses name it.
    pub fn data_model_name(&self) -> &'static str {
        match self.data_model {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        }
    }
}
