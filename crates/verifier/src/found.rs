//! Contracts of functions that have none: found, proved, and shown as C (`--show-contracts`).
//!
//! Of each function that the program may call, callees first: the weakest simple precondition under which all that was asked
//! holds inside of it (`precondition`), what it writes, and what holds of its result and of the variables that it writes.
//! That last part comes from executions of the function alone, in any state that the precondition allows (`infer::contracts`); a
//! counterexample is one more of them, which refutes some of it and weakens bounds. What follows from other parts is left out.
//!
//! What is shown was proved as text: the clauses, word for word, are given to the function and checked as `--check-contract`
//! does, by engines and the checker. So nothing here has to be right for what is shown to hold: not how candidates are found, nor
//! how formulas become C. No answer rests on these contracts.

use crate::limits::found::{COMPARING, FUNCTION, MOST_ROUNDS, MOST_SHOWN, NO_LIMIT, QUESTION};
use crate::load::{self, Described};
use crate::precondition::{given, in_contract, weakest, with_contract};
use crate::request::Request;
use crate::session::{Session, Unobserved};
use base::cpu::Deadline;
use cfa::{LocKind, Program, Property, Var};
use cfront::inject::Extent;
use infer::contracts::{Kinds, Sampled};
use portfolio::Plan;
use report::Verdict;
use smt::Solver;
use std::collections::BTreeSet;
use std::time::Duration;
use term::Term;
use term::cprint::{CName, print_c};
use transform::contract::{Contract, about_words};
use transform::pipeline::prepare;
use validate::{Answer, Violated};

/// What is suggested: not products of arguments, which are hard to prove and rarely what is meant.
const KINDS: Kinds = Kinds { products: false, comparisons: true, cases: true };

/// For the user: a contract of each function that one is found for, and which have none.
pub(crate) fn notes(request: &Request, session: &Session<'_>) -> Vec<String> {
    if !request.keep.contracts {
        return Vec::new();
    }
    session.observer.phase("looking for contracts");
    let left = session.left(request.limits.cpu_time) / 2;
    let end = session.used() + if request.limits.cpu_time.is_none() { NO_LIMIT } else { left };
    let (mut found, mut without) = (Vec::new(), Vec::new());
    for function in load::functions(&request.subject) {
        let time = end.saturating_sub(session.used()).min(FUNCTION);
        let search =
            Search { request: alone(request, &function), function: &function, session, end: session.used() + time };
        match (!time.is_zero()).then(|| search.contract()).flatten() {
            Some(contract) => {
                let clauses: Vec<String> = contract.clauses().iter().map(|clause| format!("\n    {clause}")).collect();
                found.push(format!("note: a contract of '{}', found and proved:{}", function.name, clauses.concat()));
            }
            None => without.push(format!("'{}'", function.name)),
        }
    }
    if !without.is_empty() {
        found.push(format!("note: no contract was found in time of {}", without.join(", ")));
    }
    found
}

/// The question about the function by itself.
fn alone(request: &Request, function: &Described) -> Request {
    let mut own = request.clone();
    own.subject.lowering.entry.clone_from(&function.name);
    // Whether memory is freed in the end is a question about programs, and whether calls end is nothing that contracts say.
    let left_out = [Property::ValidMemtrack, Property::ValidMemcleanup, Property::Termination];
    let properties = &mut own.subject.lowering.properties;
    properties.retain(|property| !left_out.contains(property));
    // Where memory is not checked, an access that is not valid is nothing, and whatever is said of what is written holds.
    for needed in [Property::Assert, Property::ValidDeref, Property::ValidFree] {
        if !properties.contains(&needed) {
            properties.push(needed);
        }
    }
    own.subject.groups.clear();
    own.subject.is_usual = false;
    own
}

/// A contract as text.
#[derive(Clone, Default)]
struct Found {
    requires: Vec<String>,
    assigns: Vec<String>,
    ensures: Vec<String>,
}

impl Found {
    fn clauses(&self) -> Vec<String> {
        let requires = self.requires.iter().map(|condition| in_contract(condition));
        let assigns = format!("__CPROVER_assigns({})", self.assigns.join(", "));
        let ensures = self.ensures.iter().map(|condition| format!("__CPROVER_ensures({condition})"));
        requires.chain([assigns]).chain(ensures).collect()
    }
}

/// What is said of a contract.
enum Said {
    Proved,
    /// By an execution that shows a call which was not seen before.
    Refuted,
    Open,
}

/// The search for the contract of one function.
struct Search<'a> {
    /// It starts at the function.
    request: Request,
    function: &'a Described,
    session: &'a Session<'a>,
    /// By the session's CPU time.
    end: Duration,
}

impl Search<'_> {
    fn contract(&self) -> Option<Found> {
        let requires = weakest(&self.request, &self.function.parameters, self.session, self.left()? / 2)?;
        let mut found = Found { requires, assigns: self.function.targets.clone(), ensures: Vec::new() };
        if !self.is_proved(&found) {
            return None;
        }
        let fuller = Found { ensures: self.ensured(&found).unwrap_or_default(), ..found.clone() };
        if !fuller.ensures.is_empty() && self.is_proved(&fuller) {
            found = fuller;
        }
        for i in (0..found.assigns.len()).rev() {
            let mut fewer = found.clone();
            fewer.assigns.remove(i);
            if self.is_proved(&fewer) {
                found = fewer;
            }
        }
        Some(found)
    }

    /// What is left for the function; nothing when the time is over.
    fn left(&self) -> Option<Duration> {
        self.end.checked_sub(self.session.used()).filter(|left| !left.is_zero())
    }

    fn question(&self) -> Option<Duration> {
        Some(self.left()?.min(FUNCTION / QUESTION))
    }

    /// By the door: as `--check-contract` does.
    fn is_proved(&self, found: &Found) -> bool {
        let asked = |time| with_contract(&self.request, (&found.clauses(), Extent::Whole), time, self.session);
        matches!(self.question().and_then(asked), Some(Verdict::True { .. }))
    }

    /// What the function ensures, of the candidates that executions suggest.
    fn ensured(&self, found: &Found) -> Option<Vec<String>> {
        let before: Vec<String> = found.requires.iter().map(|condition| in_contract(condition)).collect();
        let request = given(&self.request, &before, Extent::Precondition, self.question()?);
        let mut program = load::lowered(&request.subject).ok()?;
        let function = program.functions.iter().find(|(_, f)| f.name == self.function.name)?.0;
        let contract = about_words(&mut program, function);
        let budget = self.session.budget(Some(self.session.used() + self.question()?));
        let mut sampled = Sampled::new(&mut program, &contract, &budget).ok()?;
        for _ in 0..MOST_ROUNDS {
            let mut candidates = sampled.candidates(&mut program, &contract, KINDS);
            let names = Names { program: &program, contract: &contract, is_signed: self.function.is_signed };
            candidates.retain(|candidate| names.is_about_the_call(*candidate) && names.in_c(*candidate).is_some());
            candidates.sort_unstable();
            candidates.dedup();
            candidates.sort_by_cached_key(|candidate| term::walk::tree_size(&program.terms, *candidate));
            let chosen = strongest(&program, &candidates);
            let texts: Vec<String> = chosen.iter().filter_map(|c| names.in_c(*c)).collect();
            let asked = Found { ensures: texts, ..found.clone() };
            match self.ask(&asked, &program, &mut sampled)? {
                Said::Proved => return Some(asked.ensures),
                Said::Refuted => {}
                // Nobody knows about all of them: each by itself, then.
                Said::Open => {
                    let is_known =
                        |text: &String| self.is_proved(&Found { ensures: vec![text.clone()], ..found.clone() });
                    return Some(asked.ensures.into_iter().filter(is_known).collect());
                }
            }
        }
        None
    }

    /// Asks the engines; what they prove is not relied on yet. What was sampled speaks of `program`.
    fn ask(&self, found: &Found, program: &Program, sampled: &mut Sampled) -> Option<Said> {
        let time = self.question()?;
        let request = given(&self.request, &found.clauses(), Extent::Whole, time);
        let claimed = load::lowered(&request.subject).ok()?;
        let prepared = prepare(&claimed, &load::targets(&request.subject));
        if !prepared.program.main().locs.values().map(|location| &location.kind).any(LocKind::is_target) {
            return Some(Said::Proved);
        }
        let own = Session::new(&request, &Unobserved, self.session.cancellation);
        let plan = Plan { has_contracts: true, ..request.plan.clone() };
        let answered = own.ask(&claimed, &prepared, &plan, &own.budget(Some(time)), "");
        self.session.spent(&own);
        Some(match answered.answer {
            Answer::True(_) => Said::Proved,
            Answer::False(checked) => match checked.evidence() {
                Violated::Run(run) if sampled.add(program, &claimed, &run.outcome) => Said::Refuted,
                _ => Said::Open,
            },
            Answer::Pending(_) | Answer::Unknown(_) => Said::Open,
        })
    }
}

/// Candidates that all others follow from, short ones first.
fn strongest(program: &Program, candidates: &[Term]) -> Vec<Term> {
    let Ok(solver) = smt::open(&smt::SolverSettings::default()) else { return candidates.to_vec() };
    let mut solver = smt::layer::Deadline::over(solver, Deadline::after(COMPARING));
    let mut terms = program.terms.clone();
    let mut chosen = candidates.to_vec();
    for candidate in candidates.iter().rev() {
        let others: Vec<Term> = chosen.iter().copied().filter(|other| other != candidate).collect();
        let mut facts = others.clone();
        facts.push(terms.not(*candidate));
        if solver.check(&terms, &facts) == Ok(smt::Answer::Unsat) {
            chosen = others;
        }
    }
    chosen.truncate(MOST_SHOWN);
    chosen
}

/// How a contract's variables are called in CBMC's language.
struct Names<'a> {
    program: &'a Program,
    contract: &'a Contract,
    is_signed: bool,
}

impl Names<'_> {
    fn in_c(&self, formula: Term) -> Option<String> {
        let named = |_: &term::Store, t: Term| self.program.var_of(t).and_then(|var| self.name(var));
        print_c(&self.program.terms, formula, &named)
    }

    fn name(&self, var: Var) -> Option<CName> {
        let Contract { params, globals, result, .. } = self.contract;
        let width = self.program.vars[var].sort.bv_width().unwrap_or(0);
        if *result == Some(var) {
            return Some(CName { text: "__CPROVER_return_value".to_owned(), signed: self.is_signed, width });
        }
        let named = |var: Var, text: &dyn Fn(&str) -> String| {
            let source = self.program.vars[var].source.as_ref()?;
            Some(CName { text: text(&source.name), signed: source.signed, width })
        };
        if params.contains(&var) {
            return named(var, &str::to_owned);
        }
        let (now, old) = globals.iter().find(|(now, old)| *now == var || *old == var)?;
        let is_old = *old == var;
        named(*now, &|name| if is_old { format!("__CPROVER_old({name})") } else { name.to_owned() })
    }

    /// Whether it says what the function does, rather than what it is given; that what it never writes stays as it is, is no news.
    fn is_about_the_call(&self, candidate: Term) -> bool {
        let Contract { globals, written, result, .. } = self.contract;
        let symbols = term::walk::free_vars(&self.program.terms, &[candidate]);
        let vars: BTreeSet<Var> = symbols.into_iter().filter_map(|symbol| self.program.var_of(symbol)).collect();
        let stays = |(now, old): &(Var, Var)| vars.contains(old) && !written.contains(now);
        !globals.iter().any(stays) && vars.iter().any(|var| *result == Some(*var) || written.contains(var))
    }
}
