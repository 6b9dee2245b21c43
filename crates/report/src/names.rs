//! The user's names of variables, for formulas in C.

use cfa::{Program, Var};
use std::collections::{BTreeMap, BTreeSet};
use term::cprint::{CName, print_c};
use term::{Store, Term};

/// How many variables have a name. It is counted once for a program: there may be many formulas.
pub(crate) struct Names<'a> {
    pub(crate) program: &'a Program,
    all: BTreeMap<&'a str, usize>,
    globals: BTreeMap<&'a str, usize>,
}

fn is_global(program: &Program, v: Var) -> bool {
    !program.name(v).contains("::")
}

impl<'a> Names<'a> {
    pub(crate) fn of(program: &'a Program) -> Names<'a> {
        let mut names = Names { program, all: BTreeMap::new(), globals: BTreeMap::new() };
        for var in program.vars.ids() {
            let Some(source) = program.source_of(var) else { continue };
            *names.all.entry(&source.name).or_default() += 1;
            if is_global(program, var) {
                *names.globals.entry(&source.name).or_default() += 1;
            }
        }
        names
    }

    /// By the user's names, for people.
    pub(crate) fn in_c(&self, terms: &Store, formula: Term) -> Option<String> {
        print_c(terms, formula, &self.within(terms, formula))
    }

    /// Whether the name of `var` may mean another one: among the variables that a formula has, or a global.
    fn is_ambiguous(&self, var: Var, vars: &BTreeSet<Var>) -> bool {
        let Some(name) = self.program.source_of(var).map(|source| source.name.as_str()) else { return false };
        let count = |of: &BTreeMap<&str, usize>| of.get(name).copied().unwrap_or(0);
        if is_global(self.program, var) {
            return count(&self.all) > 1;
        }
        let is_other = |v: &Var| *v != var && self.program.source_of(*v).is_some_and(|source| source.name == name);
        count(&self.globals) > 0 || vars.iter().any(is_other)
    }

    /// The names of the variables in a formula. Where a name may mean two, it says whose it is: `main::i`, `::i` for
    /// globals; where that is not enough, it is the automaton's.
    pub(crate) fn within(&self, terms: &Store, formula: Term) -> impl Fn(&Store, Term) -> Option<CName> + use<> {
        let program = self.program;
        let symbols = term::walk::free_vars(terms, &[formula]);
        let vars: BTreeSet<Var> = symbols.into_iter().filter_map(|symbol| program.var_of(symbol)).collect();
        let qualified = |v: Var| {
            let owner = program.name(v).rsplit_once("::").map_or("", |(owner, _)| owner);
            program.source_of(v).map(|source| format!("{owner}::{}", source.name))
        };
        let mut called: BTreeMap<Term, CName> = BTreeMap::new();
        for &var in &vars {
            let Some(source) = program.source_of(var) else { continue };
            let text = if !self.is_ambiguous(var, &vars) {
                source.name.clone()
            } else if vars.iter().all(|v| *v == var || qualified(*v) != qualified(var)) {
                qualified(var).unwrap_or_default()
            } else {
                program.name(var).to_owned()
            };
            let width = program.vars[var].sort.bv_width().unwrap_or(0);
            called.insert(program.term(var), CName { text, signed: source.signed, width });
        }
        for t in term::walk::postorder(terms, &[formula]) {
            // A name that another variable has would say the wrong thing.
            let Some(source) = program.cell(terms, t) else { continue };
            if called.values().all(|name| name.text != source.name) {
                let width = terms.sort(t).bv_width().unwrap_or(0);
                called.insert(t, CName { text: source.name, signed: source.signed, width });
            }
        }
        move |_: &Store, t: Term| called.get(&t).cloned()
    }
}
