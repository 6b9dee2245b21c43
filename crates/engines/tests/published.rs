//! What `guess` publishes was proved: facts are evaluated in the states of a run that is longer than any sample.

use crate::common::compiled;
use cfa::{Loc, Program};
use engine::{Board, Budget, Cx, Engine, FactKind, Task};
use engines::guess::Guess;
use flow::wto::Wto;
use interpreter::{InOrder, Limits, Machine, State, Watch, Watcher};
use smt::SolverSettings;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::Duration;
use term::{Bits, Store, Term, Value};

/// `x == 2*i` holds for a million iterations, more than any sample sees, and then fails.
const LATE: &str = "extern unsigned __VERIFIER_nondet_uint(void); extern void reach_error(void);
    int main() { unsigned n = __VERIFIER_nondet_uint(), i = 0, x = 0;
        while (i < n) { i = i + 1; x = x + 2; if (i == 1000003) x = x + 1; }
        if (n < 1000 && x != 2 * n) reach_error(); }";

fn published(mut guess: Guess) -> (Task, Store, Vec<(Loc, Term)>) {
    let task = Task::new(compiled(LATE, cfront::types::DataModel::Lp64));
    let budget = Budget::new(Duration::from_secs(5), u64::MAX);
    let board = Board::new();
    let mut cx = Cx::new(&task, budget, board.clone(), SolverSettings::default());
    guess.run(&task, &mut cx);
    let mut terms = cx.terms;
    let facts = board.since(0).into_iter().filter_map(|fact| match fact.kind {
        FactKind::Invariant { at, formula } => {
            Some((at, term::smtlib::parse_term(&mut terms, &formula).expect("what was printed parses")))
        }
        _ => None,
    });
    let facts = facts.collect();
    (task, terms, facts)
}

/// Evaluates published facts in the states of one long run.
struct Audit<'a> {
    program: &'a Program,
    terms: &'a Store,
    facts: &'a [(Loc, Term)],
    visits: u32,
    lies: Vec<Term>,
}

impl Watcher for Audit<'_> {
    fn location(&mut self, state: &State<'_>, _: cfa::Func, loc: Loc) -> ControlFlow<()> {
        self.visits += 1;
        if self.visits < 1_000_000 {
            return ControlFlow::Continue(());
        }
        let values: BTreeMap<Term, Value> =
            self.program.vars.ids().filter_map(|v| Some((self.program.term(v), state.value(v)?))).collect();
        for (_, fact) in self.facts.iter().filter(|(at, _)| *at == loc) {
            if term::eval(self.terms, *fact, &values) != Ok(Value::Bool(true)) && !self.lies.contains(fact) {
                self.lies.push(*fact);
            }
        }
        ControlFlow::Continue(())
    }
}

fn lies(guess: Guess) -> usize {
    let (task, terms, facts) = published(guess);
    let program = &*task.program;
    let heads: Vec<(cfa::Func, Loc)> = Wto::new(program.main()).heads().map(|head| (program.entry, head)).collect();
    let machine = Machine::watching(program, &Watch { edges: false, locations: heads }).expect("it runs");
    let mut inputs = InOrder::new([Value::Bv(Bits::new(1_000_010, 32))]);
    let mut audit = Audit { program, terms: &terms, facts: &facts, visits: 0, lies: Vec::new() };
    machine.run_with(&mut inputs, &Limits::default(), &mut std::io::sink(), Some(&mut audit));
    assert!(audit.visits > 1_000_005, "the run was to go on, but had {} visits", audit.visits);
    audit.lies.len()
}

#[test]
fn nothing_is_published_unproved() {
    assert_eq!(lies(Guess::default()), 0);
}

/// The mutation: without the proof, the same audit finds lies.
#[test]
fn without_the_proof_lies_are_published() {
    assert!(lies(Guess::lying()) > 0);
}
