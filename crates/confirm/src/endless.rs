//! Witnesses of executions that never end.
//!
//! First the cycle is run: some execution passes its segments twice, or the witness is rejected. Then the recurrence is proved,
//! in the program in which nothing else can go on for ever: between two rounds only so many loop heads can be passed. Where
//! that fails, the witness may still be rejected because no execution goes round often enough.

use crate::limits::MANY_ROUNDS;
use crate::{Finding, with_errors};
use cfa::{EndKind, Func, Loc, LocKind, Location, Op, Program, Property};
use engine::{Budget, Question};
use transform::Aim;
use transform::pipeline::{Settings, prepare};
use validate::Answer;
use verifier::engines::{ask, ask_whether};
use witness::inject::FUEL;

/// The program in three forms.
#[derive(Clone, Copy, Debug)]
pub struct Rounds<'a> {
    /// The second round violates `Invariant(0)`.
    pub two: &'a Program,
    /// The last of [`MANY_ROUNDS`] does.
    pub many: &'a Program,
    /// Each round gives fuel.
    pub fuelled: &'a Program,
}

/// Decides about what goes round.
pub fn endless(rounds: Rounds<'_>, budget: &Budget) -> Finding {
    match are_possible(rounds.two, &budget.slice(budget.left() / 2)) {
        Ok(true) => {}
        Ok(false) => return rejected("twice"),
        Err(why) => return Finding::Unknown(why),
    }
    let Some(fuelled) = burning(rounds.fuelled) else {
        return Finding::Unknown("the program does not start at a function of its own".into());
    };
    let prepared = prepare(&fuelled, &Settings::new(Aim::InfiniteRuns));
    let share = budget.slice(budget.left() * 3 / 4);
    match ask_whether(&fuelled, &prepared, Question::NeverEnds, &share) {
        Answer::False(_) => Finding::Confirmed {
            how: "an execution goes round twice as the witness says, and it is proved that it can go on so for ever"
                .into(),
            run: None,
        },
        Answer::Unknown(why) => match are_possible(rounds.many, budget) {
            Ok(false) => rejected(&format!("{MANY_ROUNDS} times")),
            _ => Finding::Unknown(format!("the witness can be followed twice around, but for ever? {why}")),
        },
        other => Finding::Unknown(format!("check failed: {other} is no answer to this question")),
    }
}

fn rejected(times: &str) -> Finding {
    Finding::Rejected { why: format!("no execution goes round {times} as the witness says"), run: None }
}

/// Whether some execution goes round so often.
fn are_possible(counted: &Program, budget: &Budget) -> Result<bool, String> {
    let rounds = with_errors(counted, |violation| {
        (!matches!(violation.property, Property::Invariant(_))).then_some(LocKind::End(EndKind::Abort))
    });
    let prepared = prepare(&rounds, &Settings::new(Aim::Targets));
    match ask(&rounds, &prepared, budget) {
        Answer::True(_) => Ok(false),
        Answer::False(_) => Ok(true),
        Answer::Pending(pending) => Err(pending.why().to_string()),
        Answer::Unknown(why) => Err(why.to_string()),
    }
}

/// The program in which every loop head takes fuel, and blocks without.
fn burning(program: &Program) -> Option<Program> {
    let mut program = program.clone();
    let var = program.vars.ids().find(|v| program.name(*v) == FUEL)?;
    let fuel = program.term(var);
    let (zero, one) = (program.terms.bv(0, 32), program.terms.bv(1, 32));
    let empty = program.terms.eq(fuel, zero);
    let some = program.terms.not(empty);
    let less = program.terms.sub(fuel, one);
    let functions: Vec<Func> = program.functions.ids().collect();
    for f in functions {
        let wto = flow::wto::Wto::new(&program.functions[f]);
        let heads: Vec<Loc> = wto.heads().collect();
        let function = &mut program.functions[f];
        for head in heads {
            let location = function.locs[head].clone();
            let plain = Location { kind: LocKind::Plain, loop_span: None, ..location.clone() };
            let burnt = function.locs.push(plain.clone());
            let on = function.locs.push(plain.clone());
            let blocked = function.locs.push(Location { kind: LocKind::End(EndKind::Blocked), ..plain });
            for edge in function.edges.values_mut().filter(|edge| edge.from == head) {
                edge.from = on;
            }
            function.add_edge(head, burnt, Op::Assume(some), location.span);
            function.add_edge(head, blocked, Op::Assume(empty), location.span);
            function.add_edge(burnt, on, Op::Assign(vec![(var, less)]), location.span);
        }
    }
    Some(program)
}
