//! `foldback verify`: prepares the program, asks for a verdict, shows it. Who decides is `quick` for now; engines join there.

use crate::limits;
use crate::load;
use crate::output::{self, BadInput, Exit};
use crate::quick;
use crate::settings::VerifySettings;
use cfa::{Program, Property};

/// The answer, with what a person wants to know about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// No execution violates the properties; why.
    True(String),
    /// The property that an execution violates, and the execution for people to read.
    False(Property, String),
    Unknown(String),
}

pub(crate) fn verify(settings: &VerifySettings) -> Result<Exit, BadInput> {
    limits::enforce(settings.limits);
    let program = load::lowered(&settings.program)?;
    let verdict = quick::decide(&program, &settings.program.lowering.properties);
    show(&program, &verdict);
    Ok(match verdict {
        Verdict::True(_) => Exit::Fine,
        Verdict::False(..) => Exit::Violated,
        Verdict::Unknown(_) => Exit::Unknown,
    })
}

fn show(program: &Program, verdict: &Verdict) {
    for note in &program.notes {
        output::line(note.render(&program.sources));
    }
    match verdict {
        Verdict::True(why) => {
            output::line(why);
            output::line("RESULT: true");
        }
        Verdict::False(property, execution) => {
            output::line(execution);
            output::line(format!("RESULT: false({})", property.name()));
        }
        Verdict::Unknown(why) => output::line(format!("RESULT: unknown({why})")),
    }
}
