//! Contracts from data: what functions were given and what they returned suggests what they always do.
//!
//! Recursive functions need them (`verifier::recursion`), others are told what they do (`verifier::found`). Nothing here is proved.

use crate::candidates::Guesser;
use crate::candidates::program::program_conditions;
use crate::limits::contracts::{MAX_CANDIDATES, MAX_CASES, RUNS, STEPS_PER_RUN};
use crate::sample::{Guesses, Table, constants};
use cfa::{Func, Loc, Program, Var};
use engine::{Budget, Stop};
use interpreter::{InOrder, Limits, Machine, Outcome, State, Watch, Watcher};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use term::{Sort, Store, Term, Value};
use transform::contract::Contract;

/// What contracts may consist of, besides linear equalities.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kinds {
    pub products: bool,
    pub comparisons: bool,
    /// All of it under conditions that the function asks for, too.
    pub cases: bool,
}

/// Makes the contracts of a program in function form say what holds of all calls seen.
pub fn propose(program: &mut Program, contracts: &mut [Contract], kinds: Kinds, budget: &Budget) -> Result<(), Stop> {
    let seen = watch(program, contracts, budget)?;
    let mut terms = program.terms.clone();
    for (contract, calls) in contracts.iter_mut().zip(&seen) {
        let conditions = own_conditions(program, contract, &mut terms);
        contract.before = suggested(program, &calls.before, Kinds { cases: false, ..kinds }, &conditions, &mut terms);
        contract.after = suggested(program, &calls.after, kinds, &conditions, &mut terms);
    }
    program.terms = terms;
    Ok(())
}

/// The calls of one function as executions show them, and what they suggest of its result. Counterexamples are more of them.
pub struct Sampled {
    calls: Calls,
    conditions: Vec<Term>,
    /// The rows that counterexamples have not added: candidates may be looked at in some of these only.
    sampled: usize,
}

impl Sampled {
    /// Runs the program.
    pub fn new(program: &mut Program, contract: &Contract, budget: &Budget) -> Result<Sampled, Stop> {
        let mut terms = program.terms.clone();
        let conditions = own_conditions(program, contract, &mut terms);
        program.terms = terms;
        let seen = watch(program, std::slice::from_ref(contract), budget)?;
        let calls = seen.into_iter().next().expect("one for each contract");
        Ok(Sampled { sampled: calls.after.rows.len(), calls, conditions })
    }

    /// What holds of all calls so far, for the second half of the contract.
    pub fn candidates(&self, program: &mut Program, contract: &Contract, kinds: Kinds) -> Vec<Term> {
        let mut terms = program.terms.clone();
        let mut found = suggested(program, &self.calls.after, kinds, &self.conditions, &mut terms);
        found.extend(few_values(program, &self.calls.after, contract, &mut terms));
        program.terms = terms;
        let table = &self.calls.after;
        let counterexamples: Vec<_> = table.rows[self.sampled..].iter().map(|row| table.state(program, row)).collect();
        found.retain(|candidate| {
            counterexamples.iter().all(|state| term::eval(&program.terms, *candidate, state) == Ok(Value::Bool(true)))
        });
        found
    }

    /// Adds the calls of an execution of `other`: the same program but for what is claimed of the function. Whether there are new ones.
    pub fn add(&mut self, program: &Program, other: &Program, outcome: &Outcome) -> bool {
        self.added(program, other, outcome).unwrap_or(false)
    }

    fn added(&mut self, program: &Program, other: &Program, outcome: &Outcome) -> Option<bool> {
        let calls = self.calls.in_other(program, other)?;
        let function = &other.functions[calls.function];
        let locations = vec![(calls.function, function.entry), (calls.function, function.exit)];
        let machine = Machine::watching(other, &Watch { edges: false, locations }).ok()?;
        let mut seen = [calls];
        let mut visitor = Visitor { program: other, seen: &mut seen, active: Vec::new() };
        let limits = Limits { record: false, ..Limits::steps(outcome.steps + 1) }.repeating(outcome);
        machine.run_with(&mut InOrder::replay(outcome), &limits, &mut std::io::sink(), Some(&mut visitor));
        let [Calls { after: new, .. }] = seen;
        let known = &mut self.calls.after;
        let before = known.rows.len();
        // However many there are: each takes a candidate away.
        for row in new.rows {
            if known.seen.insert(row.clone()) {
                known.rows.push(row);
            }
        }
        Some(known.rows.len() > before)
    }
}

/// What takes so few values has bounds that the program need not name.
const FEW: usize = 16;

/// The bounds of results, and of variables that are written, that take few values in all rows.
fn few_values(program: &Program, table: &Table, contract: &Contract, terms: &mut Store) -> Vec<Term> {
    let mut found = Vec::new();
    for (index, var) in table.columns.iter().enumerate() {
        let is_written = contract.result == Some(*var) || contract.written.contains(var);
        let values: BTreeSet<u64> = table.rows.iter().map(|row| row[index]).collect();
        let Sort::Bv(width) = program.vars[*var].sort else { continue };
        if !is_written || values.is_empty() || values.len() > FEW {
            continue;
        }
        let signed = program.vars[*var].source.as_ref().is_none_or(|source| source.signed);
        let number = |word: &u64| {
            if signed { i128::from(((word << (64 - width)) as i64) >> (64 - width)) } else { i128::from(*word) }
        };
        let numbers: BTreeSet<i128> = values.iter().map(number).collect();
        let (Some(least), Some(most)) = (numbers.first(), numbers.last()) else { continue };
        let value = program.term(*var);
        let (least, most) = (terms.bv_signed(*least, width), terms.bv_signed(*most, width));
        let bounds = if signed {
            [terms.sle(least, value), terms.sle(value, most)]
        } else {
            [terms.ule(least, value), terms.ule(value, most)]
        };
        found.extend(bounds.into_iter().filter(|bound| terms.as_bool_const(*bound).is_none()));
    }
    found
}

/// The calls of one function.
struct Calls {
    function: Func,
    /// The function's own variables, in the order of the columns: those known at the call, then those known at its end.
    given: Vec<Var>,
    returned: Vec<Var>,
    before: Table,
    after: Table,
}

impl Calls {
    fn new(program: &Program, contract: &Contract) -> Calls {
        let f = &program.functions[contract.function];
        let globals = contract.globals.iter().map(|(now, _)| *now);
        let mut given: Vec<(Var, Var)> =
            f.params.iter().copied().chain(globals.clone()).zip(contract.known_before()).collect();
        let own = f.result.into_iter().chain(globals);
        let mut returned: Vec<(Var, Var)> = own.zip(contract.known_after().split_off(given.len())).collect();
        given.retain(|(own, _)| is_word(program, *own));
        returned.retain(|(own, _)| is_word(program, *own));
        let columns = |pairs: &[(Var, Var)]| pairs.iter().map(|(_, column)| *column).collect::<Vec<Var>>();
        let before = Table { columns: columns(&given), ..Table::default() };
        let after = Table { columns: [columns(&given), columns(&returned)].concat(), ..Table::default() };
        let own = |pairs: Vec<(Var, Var)>| pairs.into_iter().map(|(own, _)| own).collect();
        Calls { function: contract.function, given: own(given), returned: own(returned), before, after }
    }

    /// The same columns, watched in another program that has the function. Its parameters are known by their order, globals by name.
    fn in_other(&self, program: &Program, other: &Program) -> Option<Calls> {
        let here = &program.functions[self.function];
        let (there, function) = other.functions.iter().find(|(_, f)| f.name == here.name)?;
        let twin = |var: &Var| match here.params.iter().position(|param| param == var) {
            Some(position) => function.params.get(position).copied(),
            None if here.result == Some(*var) => function.result,
            None => other.vars.ids().find(|v| other.name(*v) == program.name(*var)),
        };
        let is_same = |(here, there): (&Var, &Var)| program.vars[*here].sort == other.vars[*there].sort;
        let twins = |vars: &[Var]| -> Option<Vec<Var>> {
            let twins: Vec<Var> = vars.iter().map(twin).collect::<Option<_>>()?;
            vars.iter().zip(&twins).all(is_same).then_some(twins)
        };
        let (before, after) = (Table::like(&self.before), Table::like(&self.after));
        Some(Calls { function: there, given: twins(&self.given)?, returned: twins(&self.returned)?, before, after })
    }
}

fn is_word(program: &Program, var: Var) -> bool {
    matches!(program.vars[var].sort, Sort::Bool | Sort::Bv(1..=64))
}

/// Runs the program, and looks at each call of the functions that have a contract.
fn watch(program: &Program, contracts: &[Contract], budget: &Budget) -> Result<Vec<Calls>, Stop> {
    let mut seen: Vec<Calls> = contracts.iter().map(|contract| Calls::new(program, contract)).collect();
    let ends = |contract: &Contract| {
        let f = &program.functions[contract.function];
        [(contract.function, f.entry), (contract.function, f.exit)]
    };
    let locations: Vec<(Func, Loc)> = contracts.iter().flat_map(ends).collect();
    let Ok(machine) = Machine::watching(program, &Watch { edges: false, locations }) else { return Ok(seen) };
    let constants = constants(program);
    for run in 0..RUNS {
        budget.check()?;
        let limits = Limits { cancel: Some(budget.cancel_flag()), record: false, ..Limits::steps(STEPS_PER_RUN) };
        let mut visitor = Visitor { program, seen: &mut seen, active: Vec::new() };
        machine.run_with(&mut Guesses::new(run, &constants), &limits, &mut std::io::sink(), Some(&mut visitor));
    }
    Ok(seen)
}

struct Visitor<'a> {
    program: &'a Program,
    seen: &'a mut [Calls],
    /// The calls that have not returned: their functions, how deep they are, and what they were given.
    active: Vec<(Func, usize, Vec<u64>)>,
}

impl Watcher for Visitor<'_> {
    fn location(&mut self, state: &State<'_>, func: Func, loc: Loc) -> ControlFlow<()> {
        let depth = state.call_path().len();
        let Some(calls) = self.seen.iter_mut().find(|calls| calls.function == func) else {
            return ControlFlow::Continue(());
        };
        let words = |vars: &[Var]| vars.iter().map(|v| state.word(*v)).collect::<Option<Vec<u64>>>();
        let is_active = self.active.last().is_some_and(|(f, d, _)| (*f, *d) == (func, depth));
        if loc == self.program.functions[func].exit {
            if let Some((_, _, given)) = self.active.pop_if(|_| is_active)
                && let Some(returned) = words(&calls.returned)
            {
                calls.after.add([given, returned].concat());
            }
        // Loops may come back to the entry.
        } else if !is_active && let Some(given) = words(&calls.given) {
            calls.before.add(given.clone());
            self.active.push((func, depth, given));
        }
        ControlFlow::Continue(())
    }
}

/// What the function asks of its arguments, as its contract calls them.
fn own_conditions(program: &Program, contract: &Contract, terms: &mut Store) -> Vec<Term> {
    let f = &program.functions[contract.function];
    let names: Vec<(Term, Term)> =
        f.params.iter().zip(&contract.params).map(|(own, name)| (program.term(*own), program.term(*name))).collect();
    let mut found: Vec<Term> = Vec::new();
    for condition in program_conditions(program, terms) {
        let free = term::walk::free_vars(terms, &[condition]);
        if !free.is_empty() && free.iter().all(|v| names.iter().any(|(own, _)| own == v)) {
            let condition = term::substitute(terms, condition, &names);
            let opposite = terms.not(condition);
            if !found.contains(&condition) && !found.contains(&opposite) {
                found.push(condition);
            }
        }
    }
    found.truncate(MAX_CASES);
    found
}

/// What holds in all rows, and what holds in all rows of one case.
fn suggested(program: &Program, table: &Table, kinds: Kinds, conditions: &[Term], terms: &mut Store) -> Vec<Term> {
    let ask = |table: &Table, terms: &mut Store| {
        let guesser = Guesser::new(program, terms, table);
        let mut found = guesser.equalities(terms);
        found.retain(|c| kinds.products || !smt::algebra::has_products(terms, *c));
        if kinds.comparisons {
            found.extend(guesser.conditions(terms, conditions));
            found.extend(guesser.inequalities(terms));
        }
        found
    };
    if table.rows.is_empty() {
        return Vec::new();
    }
    let mut found = ask(table, terms);
    let cases = if kinds.cases { conditions } else { &[] };
    for condition in cases {
        for (case, table) in Guesser::new(program, terms, table).split(terms, *condition) {
            let new: Vec<Term> = ask(&table, terms).into_iter().filter(|c| !found.contains(c) && *c != case).collect();
            found.extend(new.into_iter().map(|c| terms.implies(case, c)));
        }
    }
    found.retain(|c| terms.as_bool_const(*c).is_none());
    found.truncate(MAX_CANDIDATES);
    found
}
