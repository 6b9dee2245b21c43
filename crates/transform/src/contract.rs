//! Contracts of functions: a program without recursion, or with fewer calls, that is safe only if the original is.
//!
//! A contract says what holds when a function is called (`before`) and what holds of its arguments and its result when
//! it returns (`after`). In the new program a call from a function to itself, or to one that may call it back, is replaced by
//! the contract: `before` is an assertion, then the result and what the function may write are anything that `after`
//! allows. Beside the original execution there is one for each recursive function: it starts in any state that `before`
//! allows, and `after` is asserted when it returns.
//!
//! If that program is safe so is the original: of the calls that an execution completes, the first one to break its
//! contract had only calls inside that kept theirs, so its body is one of the executions above. With all contracts kept,
//! the code of the innermost active call at an error is one of them, too.
//!
//! The same holds where every call of some functions is replaced, recursive or not ([`Calls::Every`]): then each of their
//! bodies is looked at once, however often it is called. Of the active calls of such functions at an error, from the outermost on, each was
//! made by code that is looked at, which asserts `before`; so the innermost started in a state that its own execution here
//! starts in. The converse fails: an error of the new program may be due to a contract that says too little.
//!
//! Functions that use memory have no contracts: nobody could say what they do to it. Nor have functions that are given addresses, return
//! them or see them in globals: a contract allows any value, and an address from nowhere points at nothing ([`addresses`]).

use crate::addresses;
use crate::limits::contract::{MAX_STEPS, MIN_EDGES};
use base::{Id, Span, Table};
use cfa::{
    EdgeInfo, EndKind, Func, Function, Loc, LocKind, Location, Op, Origin, Program, Property, SourceVar, Var, VarKind,
    Violation,
};
use flow::CallGraph;
use std::collections::{BTreeMap, BTreeSet};
use term::{Sort, Substitution, Term};

/// What is claimed of a recursive function. Formulas speak of variables that exist for this only, and of the globals as they are
/// after the call.
#[derive(Clone, Debug)]
pub struct Contract {
    pub function: Func,
    /// The arguments.
    pub params: Vec<Var>,
    /// The globals that the function may read or write, each with a variable for its value before the call.
    pub globals: Vec<(Var, Var)>,
    /// Those that it may write.
    pub written: BTreeSet<Var>,
    pub result: Option<Var>,
    pub before: Vec<Term>,
    pub after: Vec<Term>,
}

impl Contract {
    /// What `before` may speak of.
    pub fn known_before(&self) -> Vec<Var> {
        self.params.iter().copied().chain(self.globals.iter().map(|(_, before)| *before)).collect()
    }

    /// What `after` may speak of.
    pub fn known_after(&self) -> Vec<Var> {
        let after = self.result.into_iter().chain(self.globals.iter().map(|(now, _)| *now));
        self.known_before().into_iter().chain(after).collect()
    }
}

/// Contracts that say nothing, for all recursive functions; their variables are added to the program. `None` if there is no
/// recursion, or if a recursive function uses memory.
pub fn empty_contracts(program: &mut Program) -> Option<Vec<Contract>> {
    let calls = CallGraph::of(program);
    let recursive: Vec<Func> = program.functions.ids().filter(|f| calls.is_recursive(*f)).collect();
    let mut contracts = Vec::new();
    let holders = if recursive.is_empty() { BTreeSet::new() } else { addresses::holders(program) };
    for &function in &recursive {
        let effects = Effects::of(program, &calls, function);
        if effects.uses_memory || effects.sees(&holders, &program.functions[function]) {
            return None;
        }
        contracts.push(empty(program, function, effects));
    }
    (!contracts.is_empty()).then_some(contracts)
}

/// Contracts that say nothing, for functions that are called from several places and are large enough to matter, and use no memory; their
/// variables are added to the program.
pub fn often_called(program: &mut Program) -> Vec<Contract> {
    let calls = CallGraph::of(program);
    let mut places: BTreeMap<Func, usize> = BTreeMap::new();
    for edge in program.functions.values().flat_map(|f| f.edges.values()) {
        if let Op::Call { callee, .. } = &edge.op {
            *places.entry(*callee).or_default() += 1;
        }
    }
    let entry = program.entry;
    let is_often = |(f, places): (Func, usize)| (places > 1 && f != entry && !calls.reachable(f)[entry]).then_some(f);
    let often: Vec<Func> = places.into_iter().filter_map(is_often).collect();
    let mut contracts = Vec::new();
    let holders = addresses::holders(program);
    for function in often {
        let active = calls.reachable(function);
        let size: usize = program.functions.iter().filter(|(f, _)| active[*f]).map(|(_, f)| f.edges.len()).sum();
        let effects = Effects::of(program, &calls, function);
        let sees = effects.sees(&holders, &program.functions[function]);
        if size >= MIN_EDGES && !effects.uses_memory && !sees {
            contracts.push(empty(program, function, effects));
        }
    }
    contracts
}

/// A contract that says nothing, of any function: of what it and those it calls do to memory, nothing can be said in it. Nobody may rely
/// on such a contract in place of the calls, so it is for those who look at executions only.
pub fn about_words(program: &mut Program, function: Func) -> Contract {
    let effects = Effects::of(program, &CallGraph::of(program), function);
    empty(program, function, effects)
}

fn empty(program: &mut Program, function: Func, effects: Effects) -> Contract {
    let Function { name, params, result, .. } = program.functions[function].clone();
    // Names are those of ACSL.
    let stand_in = |program: &mut Program, var: Var, called: &dyn Fn(&str) -> String| {
        let cfa::VarInfo { sort, source, .. } = program.vars[var].clone();
        let plain = source.as_ref().map_or("", |s| &s.name).to_owned();
        let frame = cfa::Frame::ROOT;
        let source = source.map(|s| SourceVar { name: called(&plain), frame, ..s });
        program.add_var(&format!("{name}::{}", called(&plain)), sort, VarKind::Global, source)
    };
    let params = params.iter().map(|v| stand_in(program, *v, &str::to_owned)).collect();
    let globals = effects.globals.into_iter();
    let globals = globals.map(|v| (v, stand_in(program, v, &|plain| format!("\\old({plain})")))).collect();
    let result = result.map(|v| {
        let returned = stand_in(program, v, &|_| "\\result".to_owned());
        let span = program.functions[function].span;
        let (name, ctype) = ("\\result".to_owned(), String::new());
        let source = SourceVar { name, ctype, signed: true, pointer: false, span, frame: cfa::Frame::ROOT };
        program.vars[returned].source.get_or_insert(source);
        returned
    });
    let (before, after) = (Vec::new(), Vec::new());
    Contract { function, params, globals, written: effects.written, result, before, after }
}

/// What is checked of the recursive functions inside of themselves, as contracts: where a function starts, and where it returns, broken
/// claims are errors of which `is_claim` knows. `None` where there are no contracts, or some condition is not found. Nothing rests on
/// these being the claims: contracts are proved before they are relied on ([`with_contracts`]).
pub fn claimed(program: &mut Program, is_claim: impl Fn(&LocKind) -> bool) -> Option<Vec<Contract>> {
    let mut contracts = empty_contracts(program)?;
    for contract in &mut contracts {
        let f = program.functions[contract.function].clone();
        let mut store = program.terms.clone();
        let next = |loc: Loc| f.edges.values().filter(move |edge| edge.from == loc);
        // From the start to the first decision of the function itself: what variables are in terms of the arguments.
        let mut names = Substitution::new();
        let known =
            f.params.iter().zip(&contract.params).chain(contract.globals.iter().map(|(now, before)| (now, before)));
        let mut values: BTreeMap<Var, Term> = known.map(|(own, name)| (*own, program.term(*name))).collect();
        values.iter().for_each(|(var, value)| names.insert(&store, program.term(*var), *value));
        let (mut at, mut met) = (f.entry, BTreeSet::new());
        while met.insert(at) {
            let (claims, rest): (Vec<&EdgeInfo>, Vec<&EdgeInfo>) =
                next(at).partition(|edge| is_claim(&f.locs[edge.to].kind));
            for edge in claims {
                let Op::Assume(broken) = edge.op else { return None };
                let holds = store.not(broken);
                contract.before.push(names.apply(&mut store, holds));
            }
            let [edge] = rest[..] else { break };
            match &edge.op {
                Op::Assume(_) => {}
                Op::Assign(pairs) => {
                    let new: Vec<(Var, Term)> = pairs.iter().map(|(v, t)| (*v, names.apply(&mut store, *t))).collect();
                    values.extend(new);
                    names = Substitution::new();
                    values.iter().for_each(|(var, value)| names.insert(&store, program.term(*var), *value));
                }
                _ => break,
            }
            at = edge.to;
        }
        // What is remembered is assigned once; so is what stands for the result.
        let mut assigned: BTreeMap<Var, Vec<Term>> = BTreeMap::new();
        for (var, value) in f.edges.values().flat_map(|edge| match &edge.op {
            Op::Assign(pairs) => pairs.clone(),
            _ => Vec::new(),
        }) {
            assigned.entry(var).or_default().push(value);
        }
        let returned = f.result.map(|var| program.term(var));
        let named = contract.result.map(|var| program.term(var));
        for edge in f.edges.values().filter(|edge| is_claim(&f.locs[edge.to].kind) && !met.contains(&edge.from)) {
            let Op::Assume(broken) = edge.op else { return None };
            let mut holds = store.not(broken);
            for _ in 0..MAX_STEPS {
                let free = term::walk::free_vars(&store, &[holds]);
                let mut step = Substitution::new();
                let mut changed = false;
                for symbol in free {
                    let var = program.var_of(symbol)?;
                    let is_local = matches!(program.vars[var].kind, VarKind::Local(_));
                    let value = match (assigned.get(&var).map(Vec::as_slice), values.get(&var)) {
                        _ if Some(symbol) == returned => named,
                        (Some([_]), Some(value)) if is_local => Some(*value),
                        (Some([value]), None) if is_local => Some(*value),
                        _ if is_local => return None,
                        _ => None,
                    };
                    if let Some(value) = value {
                        step.insert(&store, symbol, value);
                        changed = true;
                    }
                }
                holds = step.apply(&mut store, holds);
                if !changed {
                    break;
                }
            }
            contract.after.push(holds);
        }
        program.terms = store;
    }
    Some(contracts)
}

/// What a function and those it calls do beyond their own variables.
struct Effects {
    /// The globals that they read or write, and those that they write.
    globals: BTreeSet<Var>,
    written: BTreeSet<Var>,
    uses_memory: bool,
}

impl Effects {
    fn of(program: &Program, calls: &CallGraph, function: Func) -> Effects {
        let active = calls.reachable(function);
        let mut found = Effects { globals: BTreeSet::new(), written: BTreeSet::new(), uses_memory: false };
        let edges = program.functions.iter().filter(|(f, _)| active[*f]).flat_map(|(_, f)| f.edges.values());
        for edge in edges {
            found.uses_memory |= !edge.op.is_flat() && !matches!(edge.op, Op::Call { .. } | Op::Print { .. });
            let read = term::walk::free_vars(&program.terms, &edge.op.terms());
            let read = read.into_iter().filter_map(|symbol| program.var_of(symbol)).map(|var| (var, false));
            for (var, is_written) in read.chain(edge.op.written().into_iter().map(|var| (var, true))) {
                match program.vars[var].kind {
                    VarKind::Global => {
                        found.globals.insert(var);
                        found.written.extend(is_written.then_some(var));
                    }
                    VarKind::Local(_) => {}
                    // Object tables are memory, too.
                    VarKind::Memory => found.uses_memory = true,
                }
            }
        }
        found
    }

    /// Whether what the contract of the function would speak of, or leave open, is among these.
    fn sees(&self, vars: &BTreeSet<Var>, function: &Function) -> bool {
        let mut own = function.params.iter().chain(&function.result);
        own.any(|var| vars.contains(var)) || !self.globals.is_disjoint(vars)
    }
}

/// A program that is to be proved safe, and where contracts show up in it.
#[derive(Clone, Debug)]
pub struct WithContracts {
    pub program: Program,
    /// One for each error location that means a broken contract.
    pub claims: Vec<Claim>,
    /// Where each contract stands for calls, and where it is checked: by the number of the contract.
    pub standing: Vec<[Func; 2]>,
}

/// An error location that stands for a part of a contract.
#[derive(Clone, Debug)]
pub struct Claim {
    pub place: (Func, Loc),
    /// The number of the contract.
    pub contract: usize,
    /// Whether its first part is broken, or its second.
    pub is_before: bool,
    /// The contract's variables, as the function at hand calls them.
    pub names: Vec<(Var, Var)>,
}

/// Which calls are to be as contracts say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Calls {
    /// Those from a function to itself, or to one that may call it back: all that a proof needs.
    Recursive,
    /// The first ones, too: such contracts make sense to others.
    All,
    /// Every call, wherever it is: its contract stands for it.
    Every,
}

/// The program in which recursive calls, or all, are what their contracts say.
pub fn with_contracts(program: &Program, contracts: &[Contract], asserted: Calls) -> WithContracts {
    let mut built = WithContracts { program: program.clone(), claims: Vec::new(), standing: Vec::new() };
    let calls = CallGraph::of(program);
    let stubs: Vec<Func> = (0..contracts.len()).map(|number| built.stub(number, &contracts[number])).collect();
    for caller in program.functions.ids() {
        for edge in built.program.functions[caller].edges.values_mut() {
            if let Op::Call { callee, .. } = &mut edge.op
                && (asserted == Calls::Every || calls.mutually_recursive(caller, *callee))
                && let Some(number) = contracts.iter().position(|c| c.function == *callee)
            {
                *callee = stubs[number];
            }
        }
    }
    if asserted == Calls::All {
        let firsts: Vec<Func> = (0..contracts.len()).map(|number| built.first(number, &contracts[number])).collect();
        for (caller, f) in
            built.program.functions.iter_mut().filter(|(caller, _)| caller.index() < program.functions.len())
        {
            for edge in f.edges.values_mut() {
                if let Op::Call { callee, .. } = &mut edge.op
                    && let Some(number) = contracts.iter().position(|c| c.function == *callee)
                    && !calls.mutually_recursive(caller, *callee)
                {
                    *callee = firsts[number];
                }
            }
        }
    }
    let checks: Vec<Func> = (0..contracts.len()).map(|number| built.check(number, &contracts[number])).collect();
    built.start_anywhere(&checks);
    built.standing = stubs.into_iter().zip(checks).map(|(stub, check)| [stub, check]).collect();
    built
}

/// A function under construction.
struct Draft {
    function: Function,
    at: Loc,
}

impl Draft {
    fn new(name: String, span: Span) -> Draft {
        let mut locs = Table::new();
        let (entry, exit) = (locs.push(Location::plain(span)), locs.push(Location::plain(span)));
        let function =
            Function { name, params: Vec::new(), result: None, locs, edges: Table::new(), entry, exit, span };
        Draft { function, at: entry }
    }

    fn edge(&mut self, from: Loc, to: Loc, op: Op) {
        let span = self.function.span;
        self.function.edges.push(EdgeInfo { from, to, op, span, site: None });
    }

    /// The next step.
    fn then(&mut self, op: Op) {
        let next = self.function.locs.push(Location::plain(self.function.span));
        self.edge(self.at, next, op);
        self.at = next;
    }

    /// Each of the variables gets any value, by an edge of its own: replay finds values by edges.
    fn anything(&mut self, vars: impl Iterator<Item = Var>) {
        vars.for_each(|var| self.then(Op::Havoc { vars: vec![var], origin: Origin::Internal }));
    }

    /// An error unless the condition holds.
    fn assert(&mut self, program: &mut Program, condition: Term, message: String) -> Loc {
        let violation = Violation { property: Property::Assert, message };
        let error = Location { kind: LocKind::Error(violation), ..Location::plain(self.function.span) };
        let error = self.function.locs.push(error);
        let broken = program.terms.not(condition);
        self.edge(self.at, error, Op::Assume(broken));
        self.then(Op::Assume(condition));
        error
    }

    fn finish(mut self) -> Function {
        let (at, exit) = (self.at, self.function.exit);
        self.edge(at, exit, Op::Assign(Vec::new()));
        self.function
    }
}

/// The contract's own variables in some function.
struct Names {
    params: Vec<Var>,
    result: Option<Var>,
    before: Vec<Var>,
    terms: Substitution,
    all: Vec<(Var, Var)>,
}

impl WithContracts {
    fn names(&mut self, contract: &Contract, function: Func) -> Names {
        let mut names =
            Names { params: Vec::new(), result: None, before: Vec::new(), terms: Substitution::new(), all: Vec::new() };
        let mut local = |var: Var| {
            let cfa::VarInfo { sort, .. } = self.program.vars[var];
            let name = format!("{} in {function}", self.program.name(var));
            let local = self.program.add_var(&name, sort, VarKind::Local(function), None);
            let (from, to) = (self.program.term(var), self.program.term(local));
            names.terms.insert(&self.program.terms, from, to);
            names.all.push((var, local));
            local
        };
        names.params = contract.params.iter().map(|v| local(*v)).collect();
        names.before = contract.globals.iter().map(|(_, before)| local(*before)).collect();
        names.result = contract.result.map(local);
        names.all.extend(contract.globals.iter().map(|(now, _)| (*now, *now)));
        names
    }

    fn all_of(&mut self, formulas: &[Term], names: &mut Names) -> Term {
        let whole = self.program.terms.and_all(formulas);
        names.terms.apply(&mut self.program.terms, whole)
    }

    /// The globals as they are now are those before the call.
    fn remember(&self, contract: &Contract, names: &Names) -> Op {
        let now = contract.globals.iter().map(|(now, _)| self.program.term(*now));
        Op::Assign(names.before.iter().copied().zip(now).collect())
    }

    /// What a call does according to its contract.
    fn stub(&mut self, number: usize, contract: &Contract) -> Func {
        let function = self.program.functions.next_id();
        let called = self.program.functions[contract.function].clone();
        let mut names = self.names(contract, function);
        let mut draft = Draft::new(format!("{} by contract", called.name), called.span);
        draft.then(self.remember(contract, &names));
        let before = self.all_of(&contract.before, &mut names);
        let error = draft.assert(&mut self.program, before, format!("{} is called against its contract", called.name));
        // What nobody writes stays as it is.
        draft.anything(names.result.into_iter().chain(contract.written.iter().copied()));
        draft.then(Op::Assume(self.all_of(&contract.after, &mut names)));
        (draft.function.params, draft.function.result) = (names.params, names.result);
        self.claims.push(Claim { place: (function, error), contract: number, is_before: true, names: names.all });
        self.program.functions.push(draft.finish())
    }

    /// A call from outside: as its contract wants it, and what it does is what it does.
    fn first(&mut self, number: usize, contract: &Contract) -> Func {
        let function = self.program.functions.next_id();
        let called = self.program.functions[contract.function].clone();
        let mut names = self.names(contract, function);
        let mut draft = Draft::new(format!("first {}", called.name), called.span);
        draft.then(self.remember(contract, &names));
        let before = self.all_of(&contract.before, &mut names);
        let error = draft.assert(&mut self.program, before, format!("{} is called against its contract", called.name));
        let args = names.params.iter().map(|v| self.program.term(*v)).collect();
        draft.then(Op::Call { callee: contract.function, args, dst: names.result });
        (draft.function.params, draft.function.result) = (names.params, names.result);
        self.claims.push(Claim { place: (function, error), contract: number, is_before: true, names: names.all });
        self.program.functions.push(draft.finish())
    }

    /// One call in any state that its contract allows.
    fn check(&mut self, number: usize, contract: &Contract) -> Func {
        let function = self.program.functions.next_id();
        let called = self.program.functions[contract.function].clone();
        let mut names = self.names(contract, function);
        let mut draft = Draft::new(format!("contract of {}", called.name), called.span);
        draft.anything(names.params.iter().copied().chain(contract.globals.iter().map(|(now, _)| *now)));
        draft.then(self.remember(contract, &names));
        draft.then(Op::Assume(self.all_of(&contract.before, &mut names)));
        let args = names.params.iter().map(|v| self.program.term(*v)).collect();
        draft.then(Op::Call { callee: contract.function, args, dst: names.result });
        let after = self.all_of(&contract.after, &mut names);
        let error = draft.assert(&mut self.program, after, format!("{} returns against its contract", called.name));
        self.claims.push(Claim { place: (function, error), contract: number, is_before: false, names: names.all });
        self.program.functions.push(draft.finish())
    }

    /// Execution begins as before, or with one of the calls, and ends then.
    fn start_anywhere(&mut self, checks: &[Func]) {
        let entry = self.program.entry;
        let choice = self.program.add_var("$start at", Sort::Bv(32), VarKind::Local(entry), None);
        let chosen = self.program.term(choice);
        let span = self.program.functions[entry].span;
        let plain = Location::plain(span);
        let end = Location { kind: LocKind::End(EndKind::Exit), ..plain.clone() };
        let terms = &mut self.program.terms;
        let mut conditions = Vec::new();
        let mut none = terms.tt();
        for number in 0..checks.len() {
            let number = terms.bv(number as u128, 32);
            let this = terms.eq(chosen, number);
            conditions.push(this);
            let other = terms.not(this);
            none = terms.and(none, other);
        }
        let start = &mut self.program.functions[entry];
        let edge = |start: &mut Function, from, to, op| {
            start.edges.push(EdgeInfo { from, to, op, span, site: None });
        };
        let (first, second, end) =
            (start.locs.push(plain.clone()), start.locs.push(plain.clone()), start.locs.push(end));
        edge(start, first, second, Op::Havoc { vars: vec![choice], origin: Origin::Internal });
        edge(start, second, start.entry, Op::Assume(none));
        for (condition, check) in conditions.into_iter().zip(checks) {
            let called = start.locs.push(plain.clone());
            edge(start, second, called, Op::Assume(condition));
            edge(start, called, end, Op::Call { callee: *check, args: Vec::new(), dst: None });
        }
        start.entry = first;
    }
}
