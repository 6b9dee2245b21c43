//! `--danger-invariant`: no engine runs; what somebody wrote is checked, and what is wrong with it is told.

use crate::load;
use crate::output::BadInput;
use crate::settings::VerifySettings;
use crate::verify::{Decision, Log, Session};
use crate::witness_file::input_files;
use confirm::DangerFinding;
use report::{Native, Verdict};
use std::path::Path;

pub(crate) fn decide(
    file: &Path,
    settings: &VerifySettings,
    session: &Session,
    log: &mut Log,
) -> Result<Decision, BadInput> {
    let shown = file.display();
    let text = std::fs::read_to_string(file).map_err(|e| format!("cannot read {shown}: {e}"))?;
    let said = witness::danger::read(&text).map_err(|why| format!("{shown}: {why}"))?;
    let injections = witness::danger::injections(&input_files(&settings.program)?, &said)?;
    let (program, found) = load::with_injections(&settings.program, &injections)?;
    if let Some(lost) = found.iter().position(|found| !found) {
        let location = match lost.checked_sub(said.loops.len()) {
            None => format!("loop at {}", said.loops[lost].location.show()),
            Some(input) => format!("call at {}", said.inputs[input].location.show()),
        };
        return Err(BadInput(format!("{shown}: there is no {location}")));
    }
    let budget = session.budget(settings, settings.limits.cpu_time, log);
    let verdict = match confirm::danger(&program, &said, &budget) {
        DangerFinding::Holds { program, proof, checked, steps } => {
            let mut counterexample = report::danger::counterexample(&program, &proof, &checked);
            if let Some(steps) = steps {
                let reason = format!("the interpreter comes to the violation in {steps} steps");
                counterexample.native = Native::Unavailable { reason };
            }
            Verdict::False { property: proof.violation.property.name().to_owned(), counterexample }
        }
        DangerFinding::Fails { why, state } => {
            let values: Vec<String> = state
                .iter()
                .map(|(var, value)| format!("{} = {}", var.name, report::value::show(value, var.signed)))
                .collect();
            if !values.is_empty() {
                log.notes.push(format!("for example with {}", values.join(", ")));
            }
            Verdict::unknown(format!("the danger invariant does not hold: {why}"))
        }
        DangerFinding::Unknown(why) => Verdict::unknown(why),
    };
    Ok(Decision::bare(verdict))
}
