//! Recursion without a bound, and functions that are called often (`--found-contracts`): their contracts, guessed from executions and
//! proved.
//!
//! The program with contracts (`transform::contract`) is proved like any other. A counterexample that breaks a contract costs it
//! the parts that do not hold there, as in Houdini; one that reaches an error of the program says that the contracts do not
//! suffice, and more kinds of them are tried. Where calls need not be replaced, those that the counterexample went through are inlined
//! from then on, as in stratified inlining (Lal, Qadeer and Lahiri 2012). Such a counterexample is never an answer: it may be due to
//! what a contract does not say.

use crate::request::Request;
use crate::session::Session;
use cfa::{Func, Loc, Program};
use infer::contracts::{Kinds, propose};
use infer::{Induction, Refuted, houdini};
use interpreter::{InOrder, Limits, Machine, Outcome, State, Watch, Watcher};
use report::Verdict;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::time::Duration;
use term::{Term, Value};
use transform::Aim;
use transform::contract::{self, Calls, Claim, Contract, WithContracts};
use transform::pipeline::{self, Prepared, prepare};
use validate::{Answer, FoundProof, Violated};

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

/// The same for functions that are called often: simple bounds first, then by cases.
const KINDS_OF_OFTEN_CALLED: [Kinds; 2] = [
    Kinds { products: false, comparisons: true, cases: false },
    Kinds { products: false, comparisons: true, cases: true },
];

/// A proof by contracts.
pub(crate) struct Folded {
    pub(crate) verdict: Verdict,
    /// The program with contracts, as engines see it.
    pub(crate) prepared: Prepared,
    pub(crate) proof: FoundProof,
    /// They speak of variables of `program`, which is the one with recursion.
    pub(crate) contracts: Vec<Contract>,
    /// The calls that keep them.
    pub(crate) calls: Calls,
    pub(crate) program: Program,
}

/// A program to be proved safe, and the time for it (of CPU, from the start).
#[derive(Clone, Copy)]
pub(crate) struct Question<'a> {
    pub(crate) program: &'a Program,
    pub(crate) request: &'a Request,
    pub(crate) time: Option<Duration>,
    pub(crate) session: &'a Session<'a>,
}

impl Question<'_> {
    /// A proof whatever the depth of recursion.
    pub(crate) fn proof(self) -> Option<Folded> {
        let mut program = self.program.clone();
        let mut contracts = contract::empty_contracts(&mut program)?;
        for kinds in KINDS {
            // Some for the next ones.
            let part = self.half();
            propose(&mut program, &mut contracts, kinds, &part.budget()).ok()?;
            // A witness wants contracts that all calls keep.
            let all = self.request.keep.witness.map(|_| Calls::All);
            for calls in all.into_iter().chain([Calls::Recursive]) {
                let proof = Proof::new(Question { program: &program, ..part }, &contracts, calls);
                if let Ok(folded) = proof.folded() {
                    return folded;
                }
            }
        }
        None
    }

    /// A proof in which contracts stand for the calls of functions that are called often.
    pub(crate) fn proof_by_contracts(self) -> Option<Folded> {
        let mut program = self.program.clone();
        let often = contract::often_called(&mut program);
        for kinds in KINDS_OF_OFTEN_CALLED {
            let part = self.half();
            let mut contracts = often.clone();
            propose(&mut program, &mut contracts, kinds, &part.budget()).ok()?;
            // Functions that never returned in an execution are not known at all.
            contracts.retain(|contract| !contract.after.is_empty());
            while !contracts.is_empty() {
                match Proof::new(Question { program: &program, ..part }, &contracts, Calls::Every).folded() {
                    Ok(folded) => return folded,
                    Err(NotEnough { on_the_way }) if on_the_way.is_empty() => break,
                    Err(NotEnough { on_the_way }) => {
                        let mut number = 0..;
                        contracts.retain(|_| number.next().is_some_and(|i| !on_the_way.contains(&i)));
                    }
                }
            }
        }
        None
    }

    /// The same with half of the time that is left.
    fn half(self) -> Self {
        Question { time: self.session.until(self.time, 2), ..self }
    }

    fn budget(&self) -> engine::Budget {
        self.session.budget(self.time)
    }
}

/// What a candidate is about: a contract, by its number, and what holds before a call or after it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Half {
    Before,
    After,
}

/// The contracts do not suffice, or nobody knows.
#[derive(Default)]
struct NotEnough {
    /// Those that a counterexample went through, by their numbers.
    on_the_way: BTreeSet<usize>,
}

/// The program with contracts, as one step of an induction over the depth of calls.
struct Proof<'a> {
    question: Question<'a>,
    contracts: Vec<Contract>,
    calls: Calls,
    /// With the contracts that were asked about last.
    folded: Option<Folded>,
}

impl<'a> Proof<'a> {
    fn new(question: Question<'a>, contracts: &[Contract], calls: Calls) -> Proof<'a> {
        Proof { question, contracts: contracts.to_vec(), calls, folded: None }
    }

    /// The proof with the parts of the contracts that hold.
    fn folded(mut self) -> Result<Option<Folded>, NotEnough> {
        let halves =
            |(i, c): (usize, &Contract)| [((i, Half::Before), c.before.clone()), ((i, Half::After), c.after.clone())];
        let candidates: BTreeMap<_, _> = self.contracts.iter().enumerate().flat_map(halves).collect();
        houdini(&mut self, candidates)?;
        Ok(self.folded)
    }
}

impl Induction for Proof<'_> {
    type At = (usize, Half);
    type Stop = NotEnough;

    fn steps(&self) -> usize {
        1
    }

    fn assumes(&self, _: usize, _: Self::At) -> bool {
        true
    }

    fn refuted(
        &mut self,
        _: usize,
        candidates: &BTreeMap<Self::At, Vec<Term>>,
    ) -> Result<Refuted<Self::At>, NotEnough> {
        for (i, contract) in self.contracts.iter_mut().enumerate() {
            contract.before.clone_from(&candidates[&(i, Half::Before)]);
            contract.after.clone_from(&candidates[&(i, Half::After)]);
        }
        let Question { program, request, session, .. } = self.question;
        let whole = contract::with_contracts(program, &self.contracts, self.calls);
        let prepared = prepare(&whole.program, &pipeline::Settings::new(Aim::Targets));
        let budget = self.question.budget();
        let answered = session.ask(&whole.program, &prepared, &request.plan, &budget, " with contracts");
        match answered.answer {
            Answer::True(checked) => {
                let contracts = self.contracts.iter().map(|c| report::proof::contract(program, c)).collect();
                self.folded = Some(Folded {
                    verdict: Verdict::proved_with(&prepared.program, &checked, contracts),
                    proof: checked.evidence().clone(),
                    contracts: self.contracts.clone(),
                    calls: self.calls,
                    program: program.clone(),
                    prepared,
                });
                Ok(Refuted::all(Vec::new()))
            }
            Answer::False(checked) => match checked.evidence() {
                Violated::Run(run) => broken(&whole, &run.outcome, candidates)
                    .ok_or_else(|| NotEnough { on_the_way: on_the_way(&whole, &run.outcome) }),
                Violated::Danger(_) => Err(NotEnough::default()),
            },
            Answer::Pending(_) | Answer::Unknown(_) => Err(NotEnough::default()),
        }
    }
}

/// The parts of the contract that the run breaks; `None` if it breaks none.
fn broken(
    whole: &WithContracts,
    outcome: &Outcome,
    candidates: &BTreeMap<(usize, Half), Vec<Term>>,
) -> Option<Refuted<(usize, Half)>> {
    let claim = whole.claims.iter().find(|claim| claim.place == outcome.location)?;
    let values = values_at(whole, outcome, claim)?;
    let at = (claim.contract, if claim.is_before { Half::Before } else { Half::After });
    let holds = |part: &Term| term::eval(&whole.program.terms, *part, &values) == Ok(Value::Bool(true));
    let broken: Vec<_> = candidates[&at].iter().filter(|part| !holds(part)).map(|part| (at, *part)).collect();
    (!broken.is_empty()).then(|| Refuted::some(broken))
}

/// What the contract's variables are when the run breaks it.
fn values_at(whole: &WithContracts, outcome: &Outcome, claim: &Claim) -> Option<BTreeMap<Term, Value>> {
    let mut look = Look { program: &whole.program, claim, values: None };
    watch_again(whole, outcome, vec![claim.place], &mut look)?;
    look.values
}

/// The contracts that stood for calls in the run, or that it checks.
fn on_the_way(whole: &WithContracts, outcome: &Outcome) -> BTreeSet<usize> {
    let start = |function: &Func| (*function, whole.program.functions[*function].entry);
    let mut passed = Passed { whole, numbers: BTreeSet::new() };
    watch_again(whole, outcome, whole.standing.iter().flatten().map(start).collect(), &mut passed);
    passed.numbers
}

fn watch_again(
    whole: &WithContracts,
    outcome: &Outcome,
    locations: Vec<(Func, Loc)>,
    watcher: &mut dyn Watcher,
) -> Option<()> {
    let machine = Machine::watching(&whole.program, &Watch { edges: false, locations }).ok()?;
    let limits = Limits { record: false, ..Limits::steps(outcome.steps + 1) }.repeating(outcome);
    machine.run_with(&mut InOrder::replay(outcome), &limits, &mut std::io::sink(), Some(watcher));
    Some(())
}

struct Passed<'a> {
    whole: &'a WithContracts,
    numbers: BTreeSet<usize>,
}

impl Watcher for Passed<'_> {
    fn location(&mut self, _: &State<'_>, function: Func, _: Loc) -> ControlFlow<()> {
        self.numbers.extend(self.whole.standing.iter().position(|pair| pair.contains(&function)));
        ControlFlow::Continue(())
    }
}

struct Look<'a> {
    program: &'a Program,
    claim: &'a Claim,
    values: Option<BTreeMap<Term, Value>>,
}

impl Watcher for Look<'_> {
    fn location(&mut self, state: &State<'_>, _: Func, _: Loc) -> ControlFlow<()> {
        let value = |(name, here): &(cfa::Var, cfa::Var)| Some((self.program.term(*name), state.value(*here)?));
        self.values = self.claim.names.iter().map(value).collect();
        ControlFlow::Break(())
    }
}
