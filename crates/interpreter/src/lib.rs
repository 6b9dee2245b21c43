//! The interpreter: executes programs of both forms, fast enough to be everybody's oracle.
//!
//! [`Machine::new`] compiles a program to register code once; [`Machine::run`] executes it with values from an
//! [`Inputs`] and says how it ended, what it was given and where it left defined behaviour. An invalid memory access
//! does not stop a run (where that matters, the program itself branches to an error location before): it reads an
//! arbitrary value or writes nothing, and is noted. In flat form variables start with [`Inputs::initial`] values, in
//! function form with zeros.

mod address;
mod byte_loop;
mod byte_paths;
mod calls;
mod code;
mod compile;
mod effects;
mod exec;
mod expr;
mod fast;
mod float;
pub mod inputs;
mod memory;
mod numbering;
mod pointers;
mod printf;
mod returns;
mod select;
mod value;
mod world;

pub use compile::{Unsupported, Watch};
pub use inputs::{Ask, BySite, Change, Given, InOrder, Inputs, Owner, Random, Site, Zero, frame_path};
pub use printf::FloatText;

use base::Id;
use cfa::evidence::Repeat;
use cfa::{Edge, EndKind, Func, Loc, Program, Stream, Var, Violation};
use code::{Code, GLOBAL_CELL, Place};
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use term::Value;
use value::Heavy;

/// A program ready to run.
pub struct Machine<'p> {
    program: &'p Program,
    code: Code,
    /// The words of a run that has ended, for the next one.
    spare: Mutex<Vec<u64>>,
}

/// Where a run has to stop at the latest.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Edges executed.
    pub steps: u64,
    pub call_depth: usize,
    /// Bytes in objects, in activations, and in what is recorded.
    pub memory: u64,
    pub deadline: Option<base::cpu::Deadline>,
    /// Set by another thread to stop the run.
    pub cancel: Option<Arc<AtomicBool>>,
    /// Whether the outcome lists what the run was given.
    pub record: bool,
    /// So many objects exist before the program starts, of [`ENVIRONMENT_BYTES`] each, with the numbers from 1 on: memory that
    /// pointers from outside may point to. With any of them, the outcome tells where invalid pointers came from.
    pub environment: u64,
    /// Whether an access near address zero ends the run, as it does on machines.
    pub faults: bool,
}

/// No program has memory below this address.
pub(crate) const FIRST_ADDRESS: u64 = 1 << 16;

/// The size of an object of the environment.
pub const ENVIRONMENT_BYTES: u64 = 1 << 16;

/// So many objects does the environment have, where it has any: always as many, so that the program's own ones have the same
/// numbers in every run.
pub const ENVIRONMENT_OBJECTS: u64 = 48;

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            steps: u64::MAX,
            call_depth: 1_000_000,
            memory: 1 << 30,
            deadline: None,
            cancel: None,
            record: true,
            environment: 0,
            faults: false,
        }
    }
}

impl Limits {
    pub fn steps(steps: u64) -> Limits {
        Limits { steps, ..Limits::default() }
    }

    /// The same, with the environment that a run needs to be repeated.
    #[must_use]
    pub fn repeating(self, outcome: &Outcome) -> Limits {
        let environment = if outcome.environment.is_empty() { 0 } else { ENVIRONMENT_OBJECTS };
        Limits { environment, ..self }
    }
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// At an error location.
    Error(Violation),
    /// At a location beyond the model.
    Unsupported(String),
    /// At a bound of the model, or out of object numbers or offsets.
    BoundHit(String),
    /// The program ended.
    End(EndKind),
    /// No edge was enabled.
    Stuck,
    Limit(Limit),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    Steps,
    Time,
    Cancelled,
    CallDepth,
    Memory,
    /// The program's output could not be written.
    Output,
    /// The watcher had seen enough.
    Watcher,
    /// The machine ends programs that access memory near address zero.
    Fault,
}

/// Something that the run was given at an edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recorded {
    pub func: Func,
    pub edge: Edge,
    /// The variable that got the value.
    pub var: Option<Var>,
    pub given: Given,
}

/// Undefined behaviour on an edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Undefined {
    pub func: Func,
    pub edge: Edge,
    pub message: String,
    /// What the pointer of an invalid access may be, the most likely first, if it was asked for ([`Limits::environment`]).
    pub pointers: Vec<Pointer>,
}

/// The pointer of an access: its value and where that came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pointer {
    pub origin: PointerOrigin,
    pub value: u64,
    /// Whether the access lies before what it points to: members of the struct around, say.
    pub before: bool,
}

/// Where a pointer came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PointerOrigin {
    /// The value that [`Inputs::value`] gave when it was asked for the so-manieth time.
    Input(usize),
    /// The memory that it was read from.
    Cell { object: u64, offset: u64 },
}

/// What a run came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    pub ending: Ending,
    /// Where it ended.
    pub location: (Func, Loc),
    /// Calls that were active then, outermost first (function form).
    pub call_path: Vec<Site>,
    /// Edges executed.
    pub steps: u64,
    /// The entry function's result variable.
    pub exit_code: Option<Value>,
    /// What the run was given, in order.
    pub inputs: Vec<Recorded>,
    /// Which of the inputs stand for many: none in a run that was made, some in one that is expected.
    pub repeats: Vec<Repeat>,
    /// What variables held at the start (flat form).
    pub initial: Vec<(Var, Value)>,
    /// First address and first contents of each object of the environment.
    pub environment: Vec<(u64, Vec<u8>)>,
    /// Places with undefined behaviour, each once, the first few.
    pub undefined: Vec<Undefined>,
    /// Object numbers ran out and were reused: a dangling pointer may have been missed.
    pub reused_object_numbers: bool,
}

impl Outcome {
    /// What is expected of a run without inputs that nobody has watched: more steps than anybody counts.
    pub fn unseen(ending: Ending, location: (Func, Loc)) -> Outcome {
        Outcome {
            ending,
            location,
            call_path: Vec::new(),
            steps: u64::MAX,
            exit_code: None,
            inputs: Vec::new(),
            repeats: Vec::new(),
            initial: Vec::new(),
            environment: Vec::new(),
            undefined: Vec::new(),
            reused_object_numbers: false,
        }
    }
}

/// Where the program's output goes. What takes bytes takes standard output, and drops standard error.
pub trait Output {
    fn print(&mut self, stream: Stream, bytes: &[u8]) -> std::io::Result<()>;
}

impl<W: Write> Output for W {
    fn print(&mut self, stream: Stream, bytes: &[u8]) -> std::io::Result<()> {
        match stream {
            Stream::Output => self.write_all(bytes),
            Stream::Error => Ok(()),
        }
    }
}

/// Is told about the run it was made for.
pub trait Watcher {
    /// An edge is about to be executed, if [`Watch::edges`] was asked for.
    fn edge(&mut self, _state: &State<'_>, _func: Func, _edge: Edge) {}

    /// Control is at one of [`Watch::locations`].
    fn location(&mut self, _state: &State<'_>, _func: Func, _loc: Loc) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// The state of a run as a watcher sees it. Locals are those of the current activation.
pub struct State<'s> {
    machine: &'s Machine<'s>,
    words: &'s [u64],
    cells: &'s [Heavy],
    globals: &'s [u64],
    global_cells: &'s [Heavy],
    memory: &'s memory::Memory,
    stack: &'s [Site],
    /// Edges executed so far, up to the last control transfer.
    pub steps: u64,
}

impl State<'_> {
    /// The variable's value. The object tables have none in function form.
    pub fn value(&self, v: Var) -> Option<Value> {
        let sort = self.machine.program.vars[v].sort;
        Some(match self.machine.code.homes[v.index()]? {
            Place::Heavy(cell) if cell & GLOBAL_CELL != 0 => {
                self.global_cells[(cell & !GLOBAL_CELL) as usize].to_value()
            }
            Place::Heavy(cell) => self.cells[cell as usize].to_value(),
            _ => value::from_word(self.word(v)?, sort),
        })
    }

    /// The variable's value as a word, for booleans, bit-vectors up to 64 bits (zero-extended) and the bits of singles and
    /// doubles: the fast way to look.
    pub fn word(&self, v: Var) -> Option<u64> {
        match self.machine.code.homes[v.index()]? {
            Place::Word(reg) => self.words.get(reg as usize).copied(),
            Place::GlobalWord(global) => Some(self.globals[global as usize]),
            Place::Heavy(_) => None,
        }
    }

    /// What an array holds at an index, for arrays of words (flat form).
    pub fn element(&self, array: Var, index: u64) -> Option<u64> {
        let Place::Heavy(cell) = self.machine.code.homes[array.index()]? else { return None };
        let heavy = match cell & GLOBAL_CELL {
            0 => &self.cells[cell as usize],
            _ => &self.global_cells[(cell & !GLOBAL_CELL) as usize],
        };
        match heavy {
            value::Heavy::Words(words) => Some(words.get(index)),
            value::Heavy::Value(_) => None,
        }
    }

    /// Bytes of memory (function form), if they are inside a live object.
    pub fn bytes(&self, address: u64, len: u64) -> Option<&[u8]> {
        self.memory.bytes(address, len).ok()
    }

    /// The active calls, outermost first (function form).
    pub fn call_path(&self) -> &[Site] {
        self.stack
    }
}

/// A state of a flat program in which a run goes on: a watched location of the entry function, and variables with their words
/// (see [`State::word`]). All others hold zero.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    pub location: Loc,
    pub variables: &'a [Var],
    pub words: &'a [u64],
}

impl<'p> Machine<'p> {
    /// Compiles the program. Fails only for what has no execution: quantifiers and uninterpreted functions.
    pub fn new(program: &'p Program) -> Result<Machine<'p>, Unsupported> {
        Machine::watching(program, &Watch::default())
    }

    /// Compiles for runs with a watcher; what is not watched costs nothing.
    pub fn watching(program: &'p Program, watch: &Watch) -> Result<Machine<'p>, Unsupported> {
        Ok(Machine { program, code: compile::compile(program, watch)?, spare: Mutex::default() })
    }

    /// Runs silently: what the program prints is dropped.
    pub fn run(&self, inputs: &mut dyn Inputs, limits: &Limits) -> Outcome {
        self.run_with(inputs, limits, &mut std::io::sink(), None)
    }

    /// Runs with a place for the program's output and with a watcher.
    pub fn run_with<'r>(
        &'r self,
        inputs: &'r mut dyn Inputs,
        limits: &'r Limits,
        out: &'r mut dyn Output,
        watcher: Option<&mut dyn Watcher>,
    ) -> Outcome {
        exec::Run::new(self, inputs, limits, out).run(watcher)
    }

    /// Goes on from a state. The watcher is told of the location at once.
    pub fn run_from<'r>(
        &'r self,
        start: &Start<'_>,
        inputs: &'r mut dyn Inputs,
        limits: &'r Limits,
        watcher: Option<&mut dyn Watcher>,
    ) -> Outcome {
        exec::Run::resumed(self, start, inputs, limits, &mut std::io::sink()).run(watcher)
    }
}
