//! Engines by their names, and questions about programs that are not the user's own but made from it: changed for a witness, or asked the other way
//! round. Their answers are checked like all others.

use crate::near;
use cfa::Program;
use engine::{Budget, Question, Why};
use portfolio::{PORTFOLIO, Plan, Strategy};
use transform::pipeline::Prepared;
use validate::Answer;

/// What all engines together say about a program.
pub fn ask(program: &Program, prepared: &Prepared, budget: &Budget) -> Answer {
    match Strategy::named(PORTFOLIO) {
        Ok(strategy) => portfolio::run(program, prepared, &Plan::new(strategy), budget, &mut |_| {}).answer,
        Err(why) => Answer::Unknown(Why::GaveUp(why)),
    }
}

/// What the engines that can be asked another question say to it.
pub fn ask_whether(program: &Program, prepared: &Prepared, question: Question, budget: &Budget) -> Answer {
    let plan = Plan { question, ..Plan::new(Strategy::answering(question)) };
    portfolio::run(program, prepared, &plan, budget, &mut |_| {}).answer
}

/// The engines that are named, where `all` names every one. The error says which there is not.
pub fn chosen(names: &[String]) -> Result<Vec<String>, String> {
    if names.iter().any(|name| name == "all") {
        return Ok(engines::ENGINES.iter().map(|engine| engine.name.to_owned()).collect());
    }
    names.iter().try_for_each(|name| named(name).map(drop))?;
    Ok(names.to_vec())
}

/// What a name means. The error says which names there are, and which may be meant.
pub fn named(name: &str) -> Result<Strategy, String> {
    let known = || engines::ENGINES.iter().map(|engine| engine.name).chain([PORTFOLIO]);
    Strategy::named(name).map_err(|why| why + &near::hint(name, known()))
}
