//! A program executed as it would be compiled: at fixed places, without arguments, with numbers of the machine's C library.

use crate::{JsonInputs, MachineLibrary};
use cfa::Program;
use interpreter::{Inputs, Limits, Machine, Outcome, Output, Random, Unsupported, Zero};
use std::collections::BTreeSet;
use verifier::{BadInput, Subject, load};

/// Where the inputs come from.
#[derive(Clone, Debug)]
pub enum Source {
    /// All are zero, but for what the machine's C library gives (`rand`).
    Zero,
    Random(u64),
    Json(JsonInputs),
}

/// An execution that was made.
pub struct Ran {
    pub program: Program,
    pub outcome: Outcome,
    /// The functions of the machine's C library that computed something.
    pub called: BTreeSet<String>,
}

/// Runs the program; what it prints goes to `out`. The inner error says why it cannot be run.
pub fn run(
    subject: &Subject,
    source: Source,
    limits: &Limits,
    out: &mut dyn Output,
) -> Result<Result<Ran, Unsupported>, BadInput> {
    let mut subject = subject.clone();
    subject.lowering.main_arguments = lower::MainArguments::None;
    subject.lowering.places = lower::Places::Fixed;
    if matches!(source, Source::Zero) {
        subject.lowering.files = lower::Files::Own;
    }
    let program = load::lowered(&subject)?;
    let machine = match Machine::new(&program) {
        Ok(machine) => machine,
        Err(unsupported) => return Ok(Err(unsupported)),
    };
    let (inputs, is_free): (Box<dyn Inputs>, bool) = match source {
        Source::Zero => (Box::new(Zero), true),
        Source::Random(seed) => (Box::new(Random::new(seed)), false),
        Source::Json(values) => (Box::new(values), false),
    };
    let mut inputs = MachineLibrary::new(inputs, is_free);
    let outcome = machine.run_with(&mut inputs, limits, out, None);
    let called = inputs.called;
    drop(machine);
    Ok(Ok(Ran { program, outcome, called }))
}
