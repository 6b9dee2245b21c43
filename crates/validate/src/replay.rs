//! Running a counterexample: the interpreter executes the program as the user wrote it (function form, not simplified) on
//! the inputs of the trace, and must end at an error location.
//!
//! Inputs are found by their place in the source program and the chain of calls that led there, so that it does not
//! matter what simplification and slicing removed: inputs that were sliced away cannot influence the error, and are zero.

use crate::environment::run_with_memory;
use cfa::interp::{BySite, Ending, Limits, Machine, Outcome, frame_path};
use cfa::{Op, Origin, Program, Violation};
use engine::Trace;

/// What became of a counterexample.
#[derive(Clone, Debug)]
pub enum Replayed {
    /// The error was reached.
    Confirmed { violation: Violation, outcome: Box<Outcome> },
    /// It was not: where the run went instead.
    Missed(String),
    /// The run does something undefined on the way: whatever follows proves nothing. What and where.
    Undefined(String),
    /// The run was too long to finish here.
    TooLong,
}

/// Runs `lowered` on the inputs of a trace of `flat`, which was made from it.
pub fn replay(lowered: &Program, flat: &Program, trace: &Trace, limits: &Limits) -> Replayed {
    let machine = match Machine::new(lowered) {
        Ok(machine) => machine,
        Err(unsupported) => return Replayed::Missed(format!("the interpreter does not know {}", unsupported.0)),
    };
    let inputs = by_site(flat, trace);
    let mut outcome = machine.run(&mut inputs.clone(), limits);
    if !outcome.undefined.is_empty()
        && let Some(defined) = run_with_memory(lowered, &machine, &inputs, limits)
        && matches!(defined.ending, Ending::Error(_))
    {
        outcome = defined;
    }
    if let Some(first) = outcome.undefined.first() {
        let place = lowered.sources.place(lowered.functions[first.func].edges[first.edge].span);
        return Replayed::Undefined(format!("{} at {place}", first.message));
    }
    match &outcome.ending {
        Ending::Error(violation) => Replayed::Confirmed { violation: violation.clone(), outcome: Box::new(outcome) },
        Ending::Limit(_) => Replayed::TooLong,
        other => {
            let (func, loc) = outcome.location;
            let place = lowered.sources.place(lowered.functions[func].locs[loc].span);
            Replayed::Missed(format!("the run ended at {place}: {other:?}"))
        }
    }
}

/// The trace's inputs by place.
fn by_site(flat: &Program, trace: &Trace) -> BySite {
    let mut inputs = BySite::new();
    let main = flat.main();
    for (edge, values) in &trace.inputs {
        let info = &main.edges[*edge];
        let (Some(site), Op::Havoc { .. }) = (info.site, &info.op) else { continue };
        let path = frame_path(flat, main.locs[info.from].frame);
        if let Op::Havoc { vars, origin: Origin::Uninitialised(_) } = &info.op
            && vars.iter().any(|v| flat.layout.contains_key(v))
        {
            // What an object holds at first: the edge stands for its allocation.
            let mut contents = Vec::new();
            for (part, value) in vars.iter().map(|v| flat.layout.get(v)).zip(values) {
                if let Some(part) = part {
                    part.write(value, &mut contents);
                }
            }
            inputs.push_contents(path, site, contents);
            continue;
        }
        for value in values {
            inputs.push(path.clone(), site, value.clone());
        }
    }
    inputs
}
