//! What several tests need.

use cfa::Program;
use cfront::types::DataModel;

/// The automaton of a program under LP64, with the usual options.
pub(crate) fn lowered(text: &str) -> Program {
    let unit =
        cfront::load_text(text, &cfront::Options::new(DataModel::Lp64)).unwrap_or_else(|f| panic!("{}", f.render()));
    let program = lower::lower(&unit, &lower::Options::default()).unwrap();
    cfa::assert_sound(&program, cfa::Form::Function);
    program
}
