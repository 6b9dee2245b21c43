//! From files to programs: front end, library models, lowering, and the passes that prepare a program for engines.

use crate::output::BadInput;
use crate::settings::ProgramSettings;
use cfa::{Program, Property};
use cfront::Input;
use transform::slice::LoopPolicy;
use transform::{Aim, inline, memory, simplify, slice};

/// The program in function form.
pub(crate) fn lowered(settings: &ProgramSettings) -> Result<Program, BadInput> {
    let inputs: Vec<Input> = settings.files.iter().cloned().map(Input::Path).collect();
    let options = cfront::Options {
        include_dirs: settings.includes.clone(),
        defines: settings.defines.clone(),
        ..cfront::Options::new(settings.data_model)
    };
    let unit = lower::library::load(&inputs, &options, &settings.lowering.entry)
        .map_err(|failure| BadInput(failure.render()))?;
    cfront::with_big_stack(|| lower::lower(&unit, &settings.lowering)).map_err(|diagnostics| {
        let messages: Vec<String> = diagnostics.iter().map(|d| d.render(&unit.sources)).collect();
        BadInput(messages.join("\n"))
    })
}

/// One function, memory as variables.
pub(crate) fn flat(program: &Program) -> Program {
    let (inlined, _) = inline::inline(program.clone(), &inline::Settings::default());
    memory::flatten_memory(&inlined, &memory::Settings::default())
}

/// Flat, simplified and sliced: toward the targets, or so that infinite runs stay where termination is asked for.
pub(crate) fn prepared(program: &Program, properties: &[Property]) -> Program {
    let termination = properties.contains(&Property::Termination);
    let aim = if termination { Aim::InfiniteRuns } else { Aim::Targets };
    let (simple, _) = simplify::simplify(flat(program), &simplify::Settings::new(aim));
    if termination {
        return simple;
    }
    let (sliced, _) = slice::slice(simple, LoopPolicy::DropBounded);
    simplify::simplify(sliced, &simplify::Settings::new(aim)).0
}

/// Whether the function called `name` is one of the library's models.
pub(crate) fn is_library_model(name: &str) -> bool {
    !lower::library::pick(&[name], &std::collections::BTreeSet::new()).is_empty()
}
