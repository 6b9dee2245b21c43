//! Questions about programs that are not the user's own but made from it: changed for a witness, or asked the other way
//! round. Their answers are checked like all others.

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
