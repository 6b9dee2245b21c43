//! From files to programs: front end, library models, lowering, tail calls as loops, and which passes prepare a program for
//! engines.

use crate::output::BadInput;
use crate::settings::ProgramSettings;
use cfa::{Program, Property};
use cfront::Input;
use cfront::inject::Injections;
use transform::{Aim, pipeline};

/// The program in function form.
pub(crate) fn lowered(settings: &ProgramSettings) -> Result<Program, BadInput> {
    with_injections(settings, &Injections::default()).map(|(program, _)| program)
}

/// The program in function form with expressions put into it, and which of them found their places.
pub(crate) fn with_injections(
    settings: &ProgramSettings,
    injections: &Injections,
) -> Result<(Program, Vec<bool>), BadInput> {
    let inputs: Vec<Input> = settings.files.iter().cloned().map(Input::Path).collect();
    let options = cfront::Options {
        include_dirs: settings.includes.clone(),
        defines: settings.defines.clone(),
        injections: injections.clone(),
        ..cfront::Options::new(settings.data_model)
    };
    let unit = lower::library::load(&inputs, &options, &settings.lowering.entry)
        .map_err(|failure| BadInput(failure.render()))?;
    if let Some(wrong) = settings.lowering.missing_line(&unit.sources) {
        return Err(BadInput(format!("--only-lines: {wrong}")));
    }
    let program = cfront::with_big_stack(|| lower::lower(&unit, &settings.lowering)).map_err(|diagnostics| {
        let messages: Vec<String> = diagnostics.iter().map(|d| d.render(&unit.sources)).collect();
        BadInput(messages.join("\n"))
    })?;
    Ok((transform::fold_tail_calls(program), unit.injected))
}

/// How programs are prepared: toward the targets, or so that infinite runs stay where termination is asked for.
pub(crate) fn passes(properties: &[Property]) -> pipeline::Settings {
    let termination = properties.contains(&Property::Termination);
    pipeline::Settings::new(if termination { Aim::InfiniteRuns } else { Aim::Targets })
}
