//! A danger invariant that somebody wrote: no engine runs; it is checked, and what is wrong with it is told.

use crate::DangerFinding;
use crate::limits::DEFAULT_TIME;
use engine::{Budget, Why};
use report::{Native, Verdict};
use std::path::Path;
use verifier::{BadInput, Cancellation, Outcome, Request, input_files, load};

/// The verdict on the property that a file with a danger invariant makes.
pub fn decide(file: &Path, request: &Request, cancellation: &Cancellation) -> Result<Outcome, BadInput> {
    let shown = file.display();
    let text = base::files::read_text(file).map_err(|e| format!("cannot read {shown}: {e}"))?;
    let said = witness::danger::read(&text).map_err(|why| format!("{shown}: {why}"))?;
    let injections = witness::danger::injections(&input_files(&request.subject)?, &said)?;
    let (program, found) = load::with_injections(&request.subject, &injections)?;
    if let Some(lost) = found.iter().position(Option::is_none) {
        let location = match lost.checked_sub(said.loops.len()) {
            None => format!("loop at {}", said.loops[lost].location.show()),
            Some(input) => format!("call at {}", said.inputs[input].location.show()),
        };
        return Err(BadInput::Message(format!("{shown}: there is no {location}")));
    }
    let time = request.limits.cpu_time.unwrap_or(DEFAULT_TIME).saturating_sub(verifier::cpu_time());
    let budget = Budget::new(time, request.limits.memory_bytes.unwrap_or(u64::MAX));
    cancellation.covers(&budget);
    let notes = program.notes.iter().map(|note| note.render(&program.sources)).collect();
    let mut outcome = Outcome { notes, ..Outcome::bare(Verdict::unknown(&Why::Timeout)) };
    outcome.verdict = match crate::danger(&program, &said, &budget) {
        DangerFinding::Holds { program: flat, checked, steps } => {
            let native = match steps {
                Some(steps) => {
                    Native::Unavailable { reason: format!("the interpreter comes to the violation in {steps} steps") }
                }
                None => Native::Skipped,
            };
            Verdict::violated(&program, &flat, &checked, native)
        }
        DangerFinding::Fails { why, state } => {
            let values: Vec<String> = state
                .iter()
                .map(|(var, value)| format!("{} = {}", var.name, report::value::show(value, var.signed)))
                .collect();
            if !values.is_empty() {
                outcome.notes.push(format!("for example with {}", values.join(", ")));
            }
            Verdict::unknown(&Why::NotConfirmed(format!("the danger invariant does not hold: {why}")))
        }
        DangerFinding::Unknown(why) => Verdict::unknown(&why),
    };
    Ok(outcome)
}
