//! What the model chose for an execution and nobody kept: which heap block is watched for a leak, which object a rule is about.
//!
//! Evidence names what the environment decided, not these choices, which mean nothing outside of our model. Any value of
//! them gives an execution of the program, and nearly always all but one are left alone. So where the plain run ends
//! without an error, it is made again for each of the choices, with that one taken.

use cfa::Origin;
use interpreter::{Ask, Ending, Inputs, Limits, Machine, Outcome};
use term::{Bits, Sort, Value};

/// Gives what `inputs` gives, and takes one choice of the model.
struct Choosing<I> {
    inputs: I,
    /// How many choices there were so far.
    met: u64,
    /// The one to be taken, counted from 0.
    taken: Option<u64>,
}

impl<I: Inputs> Inputs for Choosing<I> {
    fn value(&mut self, ask: &Ask<'_>) -> Value {
        if *ask.origin != Origin::Internal || ask.var.is_none() {
            return self.inputs.value(ask);
        }
        let is_taken = self.taken == Some(self.met);
        self.met += 1;
        match ask.sort {
            Sort::Bool => Value::Bool(is_taken),
            Sort::Bv(width) if is_taken => Value::Bv(Bits::one(width)),
            sort => Value::zero(sort),
        }
    }
}

/// The run with these inputs: one that violates the property, if some choice leads there within the limits.
pub(crate) fn run<I: Inputs + Clone>(machine: &Machine<'_>, inputs: &I, limits: &Limits) -> Outcome {
    let with = |taken| {
        let mut choosing = Choosing { inputs: inputs.clone(), met: 0, taken };
        let outcome = machine.run(&mut choosing, limits);
        (outcome, choosing.met)
    };
    let (plain, choices) = with(None);
    if !matches!(plain.ending, Ending::End(_)) {
        return plain;
    }
    for number in 0..choices {
        let (outcome, _) = with(Some(number));
        if matches!(outcome.ending, Ending::Error(_) | Ending::Limit(_)) {
            return outcome;
        }
    }
    plain
}
