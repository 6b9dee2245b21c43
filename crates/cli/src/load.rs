//! From files to programs: front end, library models, lowering, and the passes that prepare a program for engines.

use crate::input;
use crate::output::BadInput;
use crate::settings::ProgramSettings;
use cfa::Program;

/// The program in function form.
pub(crate) fn lowered(settings: &ProgramSettings) -> Result<Program, BadInput> {
    for file in &settings.files {
        input::check(file)?;
    }
    Err(BadInput("front end missing".into()))
}

/// One function, memory as variables.
pub(crate) fn flat(program: &Program) -> Result<Program, BadInput> {
    Ok(program.clone())
}

/// Simplified and sliced toward its targets.
pub(crate) fn prepared(program: &Program) -> Result<Program, BadInput> {
    Ok(program.clone())
}

/// Whether the function called `name` is one of the library's models.
pub(crate) fn is_library_model(name: &str) -> bool {
    !lower::library::pick(&[name], &std::collections::BTreeSet::new()).is_empty()
}
