//! `foldback completions`: a script for a shell. It offers names of engines and properties too, which the flags take as any
//! text, so that what is wrong with it is said in our words.

use crate::flags::Flags;
use crate::output;
use clap::builder::PossibleValuesParser;
use clap::{Command, CommandFactory};
use clap_complete::Shell;
use portfolio::PORTFOLIO;

pub(crate) fn print(shell: Shell) {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut with_values(), "foldback", &mut script);
    output::bytes(&script);
}

/// The flags, with the values that a shell can offer.
fn with_values() -> Command {
    let engines: Vec<&str> =
        std::iter::once(PORTFOLIO).chain(engines::ENGINES.iter().map(|engine| engine.name)).collect();
    let properties: Vec<&str> = verifier::property::names().collect();
    Flags::command().mut_subcommands(|command| {
        let values = [("engine", &engines), ("properties", &properties)];
        values.into_iter().fold(command, |command, (flag, values)| {
            let is_known = command.get_arguments().any(|known| known.get_id() == flag);
            match is_known {
                true => command.mut_arg(flag, |known| known.value_parser(PossibleValuesParser::new(values))),
                false => command,
            }
        })
    })
}
