//! Before any engine: a moment of executions with boundary and random inputs.

use cfa::interp::{Ending, Inputs, Limits, Machine, Outcome, Random, Zero};
use cfa::{Op, Origin, Program, Violation};
use std::time::{Duration, Instant};

/// So long the program is executed at random.
const EXECUTE_FOR: Duration = Duration::from_millis(8);
/// The first executions are short, so that a loop that never ends does not use up all the time.
const FIRST_STEPS: u64 = 20_000;

/// A short execution that violates a property, if one turns up.
pub(crate) fn violation(program: &Program) -> Option<(Violation, Outcome)> {
    let machine = Machine::new(program).ok()?;
    let outcome = violating_run(program, &machine)?;
    let Ending::Error(violation) = outcome.ending.clone() else { return None };
    Some((violation, outcome))
}

/// An execution that ends at an error, if one turns up soon.
fn violating_run(program: &Program, machine: &Machine<'_>) -> Option<Outcome> {
    let deadline = Instant::now() + EXECUTE_FOR;
    let mut steps = FIRST_STEPS;
    let mut seed = 0;
    while Instant::now() < deadline {
        let mut inputs: Box<dyn Inputs> = if seed == 0 { Box::new(Zero) } else { Box::new(Random::new(seed)) };
        let limits = Limits { steps, deadline: Some(deadline), record: false, ..Limits::default() };
        let outcome = machine.run(inputs.as_mut(), &limits);
        if matches!(outcome.ending, Ending::Error(_)) {
            // Once more, for the inputs: recording all runs would cost too much.
            let mut inputs: Box<dyn Inputs> = if seed == 0 { Box::new(Zero) } else { Box::new(Random::new(seed)) };
            let outcome = machine.run(inputs.as_mut(), &Limits { steps, ..Limits::default() });
            if is_believable(program, &outcome) {
                return Some(outcome);
            }
        }
        seed += 1;
        if seed % 8 == 0 {
            steps = steps.saturating_mul(2);
        }
    }
    None
}

/// A run that left defined behaviour before its error, or that used values that only approximate what a library function
/// computes, proves nothing.
fn is_believable(program: &Program, outcome: &Outcome) -> bool {
    let approximated = outcome.inputs.iter().any(|recorded| {
        let op = &program.functions[recorded.func].edges[recorded.edge].op;
        matches!(op, Op::Havoc { origin: Origin::Extern(name), .. } if report::execution::is_library_model(name))
    });
    outcome.undefined.is_empty() && !approximated
}
