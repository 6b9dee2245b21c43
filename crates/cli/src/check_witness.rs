//! `foldback check-witness`: reads a witness, has it checked, tells what became of it.

use crate::flags::{CheckWitnessFlags, DataModelFlag};
use crate::output::{self, BadInput, Exit};
use crate::settings::{self, Subject};
use confirm::Finding;
use confirm::check::{Check, check_hashes};
use engine::{Budget, Why};
use std::time::Duration;
use verifier::{cpu_time, property, signals};
use witness::read::{Claim, Witness};

/// What validators get for a witness, where nothing else is said.
const DEFAULT_TIME: Duration = Duration::from_secs(90);

pub(crate) fn check(flags: &CheckWitnessFlags) -> Result<Exit, BadInput> {
    let limits = settings::limits(&flags.limits)?;
    let end = |why: Why| {
        let exit = tell(Finding::Unknown(why.to_string()));
        sandbox::clean_up();
        std::process::exit(i32::from(exit.code()));
    };
    limits.enforce(end);
    let cancellation = signals::watch(move || {
        output::leave_soon();
        end(Why::Cancelled);
    });
    let shown = flags.witness.display();
    let text = base::files::read_text(&flags.witness).map_err(|e| format!("cannot read {shown}: {e}"))?;
    let witness = witness::read::read(&text).map_err(|why| format!("{shown}: {why}"))?;
    let subject = subject(flags, &witness)?;
    check_hashes(&subject, &witness)?;
    output::line(format!("witness: {} of format {}, written by {}", kind(&witness), witness.version, witness.producer));
    if let Some(description) = &witness.description {
        output::line(format!("  it says: {description}"));
    }
    let time = limits.cpu_time.unwrap_or(DEFAULT_TIME).saturating_sub(cpu_time());
    let budget = Budget::new(time, limits.memory_bytes.unwrap_or(u64::MAX));
    cancellation.covers(&budget);
    let check = Check { subject: &subject, replay: settings::replay(flags.replay), budget: &budget };
    let checked = check.witness(&witness)?;
    if let Some(shown) = &checked.shown {
        let text = report::text::render_counterexample(&shown.counterexample, shown.violated);
        output::text(&text);
    }
    Ok(tell(checked.finding))
}

fn kind(witness: &Witness) -> String {
    match &witness.claim {
        Claim::Correctness(said) => format!("correctness, {} invariants,", said.invariants.len()),
        Claim::Violation(segments) => format!("violation, {} segments,", segments.len()),
    }
}

/// The flags, and what they leave open as the witness says.
fn subject(flags: &CheckWitnessFlags, witness: &Witness) -> Result<Subject, BadInput> {
    let asked = match &witness.specification {
        Some(text) if flags.program.properties.is_empty() => {
            property::from_text(text).map_err(|why| format!("the witness's specification: {why}"))?
        }
        _ => property::read(&flags.program.properties)?,
    };
    let subject = settings::subject_about(&flags.program, asked, witness.data_model.as_deref())?;
    let given = flags.program.data_model.map(|model| if model == DataModelFlag::Ilp32 { "ILP32" } else { "LP64" });
    if let (Some(given), Some(said)) = (given, &witness.data_model)
        && given != said
    {
        output::line(format!("note: the witness is about the data model {said}, {given} is checked"));
    }
    Ok(subject)
}

/// The last line, and the exit code.
fn tell(finding: Finding) -> Exit {
    output::claim_end();
    let (line, exit) = match finding {
        Finding::Confirmed { how, .. } => {
            output::line(how);
            ("confirmed".to_owned(), Exit::Fine)
        }
        Finding::Rejected { why, .. } => (format!("rejected({why})"), Exit::Violated),
        Finding::Insufficient(why) => (format!("insufficient({why})"), Exit::Unknown),
        Finding::Unknown(why) => (format!("unknown({why})"), Exit::Unknown),
    };
    output::line(format!("RESULT: {line}"));
    exit
}
