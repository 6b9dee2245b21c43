//! Recursion without a bound: contracts of recursive functions, guessed from executions and proved.
//!
//! The program with contracts (`transform::contract`) is proved like any other. A counterexample that breaks a contract costs it
//! the parts that do not hold there, as in Houdini; one that reaches an error of the program says that the contracts do not
//! suffice, and more kinds of them are tried.

use crate::request::Request;
use crate::session::Session;
use cfa::Program;
use engines::guess::contracts::{Kinds, propose};
use interpreter::{InOrder, Limits, Machine, Outcome, State, Watch, Watcher};
use report::Verdict;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::Duration;
use term::{Term, Value};
use transform::Aim;
use transform::contract::{self, Claim, Contract, WithContracts};
use transform::pipeline::{self, prepare};
use validate::{Answer, Violated};

/// Simple contracts first: those that do not suffice show it at once, and more of them make harder questions.
const KINDS: [Kinds; 5] = [
    Kinds { products: false, comparisons: false, cases: false },
    Kinds { products: true, comparisons: false, cases: false },
    Kinds { products: false, comparisons: true, cases: false },
    Kinds { products: false, comparisons: true, cases: true },
    Kinds { products: true, comparisons: true, cases: true },
];

/// Whether the program has recursion that contracts can describe.
pub(crate) fn concerns(program: &Program) -> bool {
    contract::empty_contracts(&mut program.clone()).is_some()
}

/// A proof that the program is safe, whatever the depth of its recursion, within the time (of CPU, from the start).
pub(crate) fn prove(
    program: &Program,
    request: &Request,
    time: Option<Duration>,
    session: &Session<'_>,
) -> Option<Verdict> {
    let mut program = program.clone();
    let mut contracts = contract::empty_contracts(&mut program)?;
    for kinds in KINDS {
        // Some for the next ones.
        let time = session.until(time, 2);
        propose(&mut program, &mut contracts, kinds, &session.budget(time)).ok()?;
        // Each round takes something away from the contracts.
        loop {
            let whole = contract::with_contracts(&program, &contracts);
            let prepared = prepare(&whole.program, &pipeline::Settings::new(Aim::Targets));
            let budget = session.budget(time);
            let answered = session.ask(&whole.program, &prepared, &request.plan, &budget, " with contracts");
            match answered.answer {
                Answer::True(checked) => {
                    let contracts = contracts.iter().map(|c| report::proof::contract(&program, c)).collect();
                    return Some(Verdict::proved_with(&prepared.program, &checked, contracts));
                }
                Answer::False(checked) => match checked.evidence() {
                    Violated::Run(run) if weaken(&whole, &run.outcome, &mut contracts) => {}
                    _ => break,
                },
                Answer::Pending(_) | Answer::Unknown(_) => break,
            }
        }
    }
    None
}

/// Takes from the contract that the run breaks what does not hold there; `false` if it breaks none.
fn weaken(whole: &WithContracts, outcome: &Outcome, contracts: &mut [Contract]) -> bool {
    let Some(claim) = whole.claims.iter().find(|claim| claim.place == outcome.location) else { return false };
    let Some(values) = values_at(whole, outcome, claim) else { return false };
    let contract = &mut contracts[claim.contract];
    let parts = if claim.is_before { &mut contract.before } else { &mut contract.after };
    let count = parts.len();
    parts.retain(|part| term::eval(&whole.program.terms, *part, &values) == Ok(Value::Bool(true)));
    parts.len() < count
}

/// What the contract's variables are when the run breaks it.
fn values_at(whole: &WithContracts, outcome: &Outcome, claim: &Claim) -> Option<BTreeMap<Term, Value>> {
    let watch = Watch { edges: false, locations: vec![claim.place] };
    let machine = Machine::watching(&whole.program, &watch).ok()?;
    let mut look = Look { program: &whole.program, claim, values: None };
    let limits = Limits { record: false, ..Limits::steps(outcome.steps + 1) };
    machine.run_with(&mut InOrder::replay(outcome), &limits, &mut std::io::sink(), Some(&mut look));
    look.values
}

struct Look<'a> {
    program: &'a Program,
    claim: &'a Claim,
    values: Option<BTreeMap<Term, Value>>,
}

impl Watcher for Look<'_> {
    fn location(&mut self, state: &State<'_>, _: cfa::Func, _: cfa::Loc) -> ControlFlow<()> {
        let value = |(name, here): &(cfa::Var, cfa::Var)| Some((self.program.term(*name), state.value(*here)?));
        self.values = self.claim.names.iter().map(value).collect();
        ControlFlow::Break(())
    }
}
