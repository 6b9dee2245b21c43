//! `foldback replay`: runs the inputs of evidence that was kept, and tells what happens.

use crate::flags::ReplayFlags;
use crate::output::{self, BadInput, Exit};
use crate::settings;
use execute::replay::{Evidence, Found};
use verifier::property;

pub(crate) fn replay(flags: &ReplayFlags) -> Result<Exit, BadInput> {
    let shown = flags.evidence.display();
    let text = base::files::read_text(&flags.evidence).map_err(|e| format!("cannot read {shown}: {e}"))?;
    let mut evidence = Evidence::read(&text).map_err(|why| format!("{shown}: {why}"))?;
    let asked = match evidence.asked.take() {
        Some(asked) if flags.program.properties.is_empty() => asked,
        _ => property::read(&flags.program.properties)?,
    };
    let subject = settings::subject_about(&flags.program, asked, evidence.data_model.as_deref())?;
    Ok(match evidence.run(&subject, settings::replay(flags.replay))? {
        Found::Reproduced { warnings, violation, counterexample } => {
            warnings.iter().for_each(output::line);
            output::text(&report::text::render_counterexample(&counterexample, "the property"));
            output::line(format!("RESULT: reproduced({})", violation.property.name()));
            Exit::Violated
        }
        Found::NoViolation(how) => {
            output::line(format!("interpreter: {how}"));
            output::line("RESULT: missed(the inputs do not lead to a violation)");
            Exit::Unknown
        }
        Found::Missed(how) => {
            output::line(format!("RESULT: missed({how})"));
            Exit::Unknown
        }
        Found::Unknown(why) => {
            output::line(format!("RESULT: unknown({why})"));
            Exit::Unknown
        }
    })
}
