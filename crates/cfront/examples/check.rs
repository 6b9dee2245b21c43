//! Parses the files given, says what is wrong with them, and how large the tree is:
//! `cargo run -p cfront --example check -- [--ilp32] [-I DIR] [-D MACRO] FILES`.

#![allow(clippy::print_stdout)]

use cfront::types::DataModel;
use cfront::{Input, Options, load};

fn main() {
    let mut options = Options::new(DataModel::Lp64);
    let mut inputs = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--ilp32" => options.model = DataModel::Ilp32,
            "-I" => options.include_dirs.extend(arguments.next().map(Into::into)),
            "-D" => options.defines.extend(arguments.next()),
            path => inputs.push(Input::Path(path.into())),
        }
    }
    match load(&inputs, &options) {
        Ok(unit) => {
            for note in &unit.notes {
                println!("{}", note.render(&unit.sources));
            }
            for problem in cfront::with_big_stack(|| cfront::verify::verify(&unit)) {
                println!("BROKEN {problem}");
            }
            let defined = unit.funcs.values().filter(|f| f.body.is_some()).count();
            println!("{} functions ({defined} defined), {} variables", unit.funcs.len(), unit.vars.len());
        }
        Err(failure) => {
            println!("{}", failure.render());
            std::process::exit(2);
        }
    }
}
