//! Shows what lowering makes of C files: `lowerc [-m32|-m64] [-D..] [--memory] [--overflow] [--print] [--run] FILE...`.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use cfa::Property;
use cfront::Input;
use cfront::types::DataModel;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut model = DataModel::Lp64;
    let mut options = lower::Options { main_arguments: lower::MainArguments::None, ..lower::Options::default() };
    let (mut print, mut run, mut inputs, mut defines) = (false, false, Vec::new(), Vec::new());
    for arg in std::env::args().skip(1) {
        match arg.as_str() {
            "-m32" => model = DataModel::Ilp32,
            "-m64" => model = DataModel::Lp64,
            "--memory" => {
                options.properties = vec![Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack];
            }
            "--overflow" => options.properties = vec![Property::NoOverflow],
            "--print" => print = true,
            "--run" => run = true,
            _ if arg.starts_with("-D") => defines.push(arg[2..].to_owned()),
            _ => inputs.push(Input::Path(arg.into())),
        }
    }
    let front = cfront::Options { defines, ..cfront::Options::new(model) };
    let unit = match lower::library::load(&inputs, &front, &options.entry) {
        Ok(unit) => unit,
        Err(failure) => {
            eprintln!("{}", failure.render());
            return ExitCode::from(2);
        }
    };
    let program = match lower::lower(&unit, &options) {
        Ok(program) => program,
        Err(errors) => {
            errors.iter().for_each(|e| eprintln!("{}", e.render(&unit.sources)));
            return ExitCode::from(2);
        }
    };
    for note in &program.notes {
        eprintln!("{}", note.render(&program.sources));
    }
    if print {
        println!("{}", cfa::print(&program));
    }
    cfa::assert_sound(&program, cfa::Form::Function);
    if run {
        let machine = match cfa::interp::Machine::new(&program) {
            Ok(machine) => machine,
            Err(e) => {
                eprintln!("{e:?}");
                return ExitCode::from(2);
            }
        };
        let limits = cfa::interp::Limits { record: false, ..cfa::interp::Limits::steps(2_000_000_000) };
        let outcome = machine.run_with(&mut cfa::interp::Random::new(1), &limits, &mut std::io::stdout(), None);
        eprintln!("{:?} after {} steps", outcome.ending, outcome.steps);
        for u in &outcome.undefined {
            eprintln!("undefined: {} in {}", u.message, program.functions[u.func].name);
        }
    }
    ExitCode::SUCCESS
}
