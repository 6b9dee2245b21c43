//! The truth about a program: all executions, one for every sequence of inputs.

use cfa::Program;
use interpreter::{Ask, Ending, Inputs, Limits, Machine};
use term::{Bits, Sort, Value};

/// What exhaustive execution says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    Safe,
    Unsafe,
    /// Too many executions, one that does not end, or one beyond the model.
    Unclear,
}

/// At most so many executions, of at most so many steps.
const MAX_RUNS: usize = 300_000;
const MAX_STEPS: u64 = 20_000;

/// Runs the program on all inputs.
pub fn truth(program: &Program) -> Truth {
    let Ok(machine) = Machine::new(program) else { return Truth::Unclear };
    let limits = Limits { record: false, ..Limits::steps(MAX_STEPS) };
    let mut all = Enumeration::default();
    for _ in 0..MAX_RUNS {
        all.position = 0;
        let outcome = machine.run(&mut all, &limits);
        if !outcome.undefined.is_empty() || all.too_wide {
            return Truth::Unclear;
        }
        match outcome.ending {
            Ending::Error(_) => return Truth::Unsafe,
            Ending::End(_) => {}
            _ => return Truth::Unclear,
        }
        if !all.next() {
            return Truth::Safe;
        }
    }
    Truth::Unclear
}

/// The sequence of inputs at hand, counted up like a number with digits of different bases.
#[derive(Default)]
struct Enumeration {
    /// Each digit and its base.
    digits: Vec<(u64, u64)>,
    position: usize,
    too_wide: bool,
}

impl Enumeration {
    /// On to the next sequence; false after the last.
    fn next(&mut self) -> bool {
        self.digits.truncate(self.position);
        while let Some((digit, base)) = self.digits.last_mut() {
            *digit += 1;
            if *digit < *base {
                return true;
            }
            self.digits.pop();
        }
        false
    }
}

impl Inputs for Enumeration {
    fn value(&mut self, ask: &Ask<'_>) -> Value {
        let width = ask.sort.bv_width().unwrap_or(64);
        // Inputs of `_Bool` are eight bits that an assumption or a mask cuts down: all are tried.
        if width > 8 {
            self.too_wide = true;
            return Value::zero(ask.sort);
        }
        if self.position == self.digits.len() {
            self.digits.push((0, 1 << width));
        }
        let digit = self.digits[self.position].0;
        self.position += 1;
        match ask.sort {
            Sort::Bool => Value::Bool(digit != 0),
            _ => Value::Bv(Bits::new(digit.into(), width)),
        }
    }
}
