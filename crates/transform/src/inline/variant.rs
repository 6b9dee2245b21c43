//! What is left of a function when some arguments are known: made once for each combination that occurs.

use crate::constants::{Symbols, constants, evaluate_with};
use crate::edit::Facts;
use base::{Id, Table};
use cfa::{Edge, Func, Function, Loc, Op, Program, Var, VarKind};
use flow::{GlobalEffects, TermVars, Users};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use term::Term;

/// The part of a function that can be reached.
#[derive(Debug)]
pub(super) struct Variant {
    pub locs: Vec<Loc>,
    pub edges: Vec<Edge>,
    /// For each call among the edges, in their order: which arguments are known.
    pub calls: Vec<Vec<Option<Term>>>,
    /// The locals that occur, signature included.
    pub vars: Vec<Var>,
}

pub(super) struct Variants {
    effects: GlobalEffects,
    symbols: Symbols,
    vars: TermVars,
    facts: Table<Func, Option<Rc<(Facts, Users)>>>,
    made: FxHashMap<(Func, Vec<Option<Term>>), Rc<Variant>>,
    entry: Func,
}

impl Variants {
    pub(super) fn new(program: &Program, effects: GlobalEffects, symbols: Symbols, vars: TermVars) -> Variants {
        Variants {
            effects,
            symbols,
            vars,
            facts: Table::filled(None, program.functions.len()),
            made: FxHashMap::default(),
            entry: program.entry,
        }
    }

    /// The globals that a function writes, by itself or by those that it calls.
    pub(super) fn written(&self, function: Func) -> &[Var] {
        self.effects.writes(function)
    }

    /// `known` has an item for each parameter, or none at all.
    pub(super) fn of(
        &mut self,
        program: &mut Program,
        functions: &mut Table<Func, Function>,
        function: Func,
        known: &[Option<Term>],
    ) -> Rc<Variant> {
        let key = (function, known.to_vec());
        if let Some(done) = self.made.get(&key) {
            return done.clone();
        }
        // The analyses speak of a program; the functions come back when they are done.
        program.functions = std::mem::take(functions);
        let variant = Rc::new(self.make(program, function, known));
        *functions = std::mem::take(&mut program.functions);
        self.made.insert(key, variant.clone());
        variant
    }

    fn make(&mut self, program: &mut Program, function: Func, known: &[Option<Term>]) -> Variant {
        if self.facts[function].is_none() {
            let facts = Facts::of(program, function, &self.effects, &mut self.vars);
            let users = Users::of(&facts.ssa);
            self.facts[function] = Some(Rc::new((facts, users)));
        }
        let both = self.facts[function].clone().expect("just made");
        let (facts, users) = &*both;
        let params = &program.functions[function].params;
        let entry: Vec<(Var, Term)> = params.iter().zip(known).filter_map(|(v, t)| t.map(|t| (*v, t))).collect();
        // In the entry function the globals are still being set.
        let nothing = Symbols::default();
        let symbols = if function == self.entry { &nothing } else { &self.symbols };
        let found = constants(program, function, facts, users, &entry, symbols);

        let Program { terms, functions, vars: infos, .. } = program;
        let f = &functions[function];
        let mut variant = Variant { locs: Vec::new(), edges: Vec::new(), calls: Vec::new(), vars: Vec::new() };
        variant.locs = f.locs.ids().filter(|l| found.is_reached(*l) || *l == f.exit).collect();
        variant.edges = f.edges.ids().filter(|e| found.is_passable(*e)).collect();
        for e in &variant.edges {
            if let Op::Call { args, .. } = &f.edges[*e].op {
                let known: Vec<(Term, Term)> = (facts.accesses.reads(*e).iter().zip(facts.ssa.uses(*e)))
                    .filter_map(|(v, d)| found.known(*d).map(|t| (infos[*v].term, t)))
                    .collect();
                let values = args.iter().map(|t| evaluate_with(terms, *t, &known, &self.symbols));
                variant.calls.push(values.collect());
            }
        }
        let accessed =
            variant.edges.iter().flat_map(|e| facts.accesses.reads(*e).iter().chain(facts.accesses.writes(*e)));
        let mut vars: Vec<Var> = accessed.chain(&f.params).chain(&f.result).copied().collect();
        vars.sort_unstable();
        vars.dedup();
        vars.retain(|v| matches!(infos[*v].kind, VarKind::Local(_)));
        variant.vars = vars;
        debug_assert!(function.index() < functions.len());
        variant
    }
}
