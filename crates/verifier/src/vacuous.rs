//! Whether a proof says anything: where no execution gets to the end of the program, assumptions may exclude them all.

use crate::engines::ask;
use crate::limits::evidence::{RUNS, STEPS};
use cfa::{EndKind, LocKind, Program, Property, Violation};
use engine::Budget;
use interpreter::{Ending, Inputs, Limits, Machine, Random, Zero};
use transform::Aim;
use transform::pipeline::{Settings, prepare};
use validate::Answer;

/// Whether no execution of a safe program ends by itself, in a program that makes assumptions; nothing where that is not
/// known.
pub(crate) fn is_vacuous(program: &Program, budget: &Budget) -> Option<bool> {
    let assumes = |kind: &LocKind| matches!(kind, LocKind::End(EndKind::Blocked | EndKind::Abort));
    if !program.functions.values().flat_map(|f| f.locs.values()).any(|location| assumes(&location.kind)) {
        return Some(false);
    }
    let machine = Machine::new(program).ok()?;
    for seed in 0..RUNS {
        let mut inputs: Box<dyn Inputs> = if seed == 0 { Box::new(Zero) } else { Box::new(Random::new(seed)) };
        let limits = Limits { record: false, ..Limits::steps(STEPS) };
        // A run that goes on was not excluded.
        if matches!(
            machine.run(inputs.as_mut(), &limits).ending,
            Ending::End(EndKind::Return | EndKind::Exit) | Ending::Limit(_)
        ) {
            return Some(false);
        }
    }
    let mut asked = program.clone();
    for location in asked.functions.values_mut().flat_map(|f| f.locs.values_mut()) {
        let end = || Violation { property: Property::UnreachCall, message: "the end is reached".into() };
        match location.kind {
            LocKind::End(EndKind::Return | EndKind::Exit) => location.kind = LocKind::Error(end()),
            LocKind::Error(_) => location.kind = LocKind::End(EndKind::Abort),
            _ => {}
        }
    }
    let prepared = prepare(&asked, &Settings::new(Aim::Targets));
    if !prepared.program.main().locs.values().any(|location| location.kind.is_target()) {
        return Some(true);
    }
    match ask(&asked, &prepared, budget) {
        Answer::True(_) => Some(true),
        Answer::False(_) => Some(false),
        Answer::Pending(_) | Answer::Unknown(_) => None,
    }
}
