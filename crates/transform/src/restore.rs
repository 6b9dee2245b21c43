//! The way back: what a pass did to locations, and which facts it used.
//!
//! An invariant found on the new automaton holds at the old locations that became its location. That is all for tests and
//! traces; a *proof* must also go through on the old automaton, where the pass's own reasoning is not yet done: if it
//! replaced `x` by 5, the old loop still carries `x`, and `x = 5` has to be part of the invariant. So each pass records such
//! facts at the old loop heads in reach of their use. Terms live in the store of the new program, which extends the old one's.

use base::Table;
use cfa::{Func, Loc, Program, Var};
use flow::{Accesses, CallGraph, GlobalEffects, Graph, Liveness, TermVars};
use std::collections::{BTreeMap, BTreeSet};
use term::normal::conjuncts;
use term::{Store, Term};

/// What became of a location of the old program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// It is that location now: control is there in the same states (dead variables aside).
    Kept(Loc),
    /// No execution gets there.
    Unreachable,
    /// No target can be reached from there.
    Irrelevant,
    /// It was the middle of something that is one edge now, or of code that cannot matter.
    Merged,
}

/// An old location that is a new one under a condition: several loop heads share one, told apart by variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    pub new: Loc,
    pub old: Loc,
    /// The variables that the pass added, and the values they have when the new location stands for the old one.
    pub when: Vec<(Var, Term)>,
}

/// What one pass did. Functions keep their number; variables too (new ones come after the old ones).
#[derive(Clone, Debug, Default)]
pub struct Restore {
    pub fates: Table<Func, Table<Loc, Fate>>,
    pub cases: Vec<Case>,
    /// Facts that hold at old locations whenever control is there, and that the pass relied on.
    pub facts: BTreeMap<(Func, Loc), Vec<Term>>,
    /// Variables that hold something else at the new location than they did at the old one: see [`cfa::Location::stale`].
    pub stale: BTreeMap<(Func, Loc), BTreeSet<Var>>,
    /// What such a variable holds at the new location, over variables of the old program.
    pub aliases: BTreeMap<(Func, Loc), BTreeMap<Var, Term>>,
    /// Variables of the old program that the new one no longer mentions.
    pub dropped: Vec<Var>,
    /// Heads of old loops that were left out whole: they change nothing that matters, and they end. A proof on the old
    /// program needs no invariant there, only that variables which such a loop does not write keep their values.
    pub left_out: Vec<(Func, Loc)>,
}

impl Restore {
    /// Everything stayed where it was.
    pub fn identity(program: &Program) -> Restore {
        let fates = program.functions.values().map(|f| f.locs.ids().map(Fate::Kept).collect()).collect();
        Restore { fates, ..Restore::default() }
    }

    pub fn fate(&self, function: Func, old: Loc) -> Fate {
        self.fates[function][old]
    }

    /// For each location of the new function, an old one that it was (the first, where several became one).
    pub fn origins(&self, function: Func, new_len: usize) -> Table<Loc, Option<Loc>> {
        let mut origins = Table::filled(None, new_len);
        for (old, fate) in self.fates[function].iter() {
            if let Fate::Kept(new) = fate
                && origins[*new].is_none()
            {
                origins[*new] = Some(old);
            }
        }
        origins
    }

    /// One record for this pass and a later one on its result. Only the last one may have cases. The terms are those of
    /// `program`.
    pub fn then(mut self, later: Restore, program: &Program) -> Restore {
        assert!(self.cases.is_empty(), "passes that add cases come last");
        let mut left_out = Vec::new();
        for f in later.fates.ids() {
            for (_, head) in later.left_out.iter().filter(|(g, _)| *g == f) {
                let were = self.fates[f].iter().filter(|(_, fate)| **fate == Fate::Kept(*head));
                left_out.extend(were.map(|(old, _)| (f, old)));
            }
            let facts = |l: Loc| later.facts.get(&(f, l)).map_or(&[][..], |facts| facts);
            for (old, fate) in self.fates[f].iter() {
                if let Fate::Kept(middle) = fate {
                    let cases = later.cases.iter().filter(|c| c.old == *middle);
                    self.cases.extend(cases.map(|c| Case { old, ..c.clone() }));
                }
            }
            // What later steps have made stale is so after their facts.
            let mut stale: Vec<(Loc, &BTreeSet<Var>, BTreeMap<Var, Term>)> = Vec::new();
            for (old, fate) in self.fates[f].iter() {
                if let Fate::Kept(middle) = fate
                    && let Some(vars) = later.stale.get(&(f, *middle))
                {
                    stale.push((old, vars, later.aliases.get(&(f, *middle)).cloned().unwrap_or_default()));
                }
            }
            self.extend(program, f, &later.fates[f], facts);
            for (old, vars, mut aliases) in stale {
                aliases.retain(|_, value| !self.mentions_stale(program, (f, old), *value));
                self.note_stale((f, old), vars.iter().copied());
                if !aliases.is_empty() {
                    self.aliases.entry((f, old)).or_default().extend(aliases);
                }
            }
        }
        self.left_out.extend(left_out);
        self.dropped.extend(later.dropped);
        self.dropped.sort_unstable();
        self.dropped.dedup();
        self
    }

    /// Notes that the loop at `head`, a location after `fates`, is left out.
    pub(crate) fn leave_out_loop(&mut self, f: Func, fates: &Table<Loc, Fate>, head: Loc) {
        self.left_out.extend(fates.iter().filter(|(_, fate)| **fate == Fate::Kept(head)).map(|(old, _)| (f, old)));
    }

    /// Adds what a later step did to one function. The facts' terms are those of `program`.
    pub(crate) fn extend<'a>(
        &mut self,
        program: &Program,
        f: Func,
        fates: &Table<Loc, Fate>,
        facts: impl Fn(Loc) -> &'a [Term],
    ) {
        for old in self.fates[f].ids() {
            let Fate::Kept(middle) = self.fates[f][old] else { continue };
            for fact in facts(middle) {
                self.note_fact(program, (f, old), *fact);
            }
            if let Some(mine) = self.facts.get_mut(&(f, old)) {
                mine.sort_unstable();
                mine.dedup();
            }
            self.fates[f][old] = fates[middle];
        }
    }

    /// A fact holds in the old program, too, unless it speaks of variables that were something else there; then it may
    /// say what they are now.
    fn note_fact(&mut self, program: &Program, at: (Func, Loc), fact: Term) {
        if !self.mentions_stale(program, at, fact) {
            self.facts.entry(at).or_default().push(fact);
            return;
        }
        let stale = &self.stale[&at];
        if let (term::Op::Eq, &[a, b]) = (program.terms.op(fact), program.terms.args(fact)) {
            for (side, value) in [(a, b), (b, a)] {
                if let Some(var) = program.var_of(side).filter(|var| stale.contains(var))
                    && !self.mentions_stale(program, at, value)
                {
                    self.aliases.entry(at).or_default().insert(var, value);
                    return;
                }
            }
        }
    }

    fn mentions_stale(&self, program: &Program, at: (Func, Loc), t: Term) -> bool {
        self.stale.get(&at).is_some_and(|stale| {
            let symbols = term::walk::free_vars(&program.terms, &[t]);
            symbols.into_iter().any(|symbol| program.var_of(symbol).is_some_and(|var| stale.contains(&var)))
        })
    }

    fn note_stale(&mut self, at: (Func, Loc), vars: impl Iterator<Item = Var>) {
        for var in vars {
            self.stale.entry(at).or_default().insert(var);
            if let Some(aliases) = self.aliases.get_mut(&at) {
                aliases.remove(&var);
            }
        }
    }

    /// Notes variables that are stale from now on at locations of the function as it is now.
    pub(crate) fn extend_stale(&mut self, f: Func, now: &BTreeMap<Loc, Vec<Var>>) {
        if now.is_empty() {
            return;
        }
        for old in self.fates[f].ids() {
            if let Fate::Kept(middle) = self.fates[f][old]
                && let Some(vars) = now.get(&middle)
            {
                self.note_stale((f, old), vars.iter().copied());
            }
        }
    }

    /// What a formula about the new location says about the old one: what it says of variables that were something else there
    /// is said of what they are, or not at all.
    pub fn faithful(&self, new: &mut Program, old: Loc, formula: Term) -> Term {
        if !self.stale.contains_key(&(new.entry, old)) {
            return formula;
        }
        let parts: Vec<Term> =
            conjuncts(&new.terms, formula).into_iter().filter_map(|part| self.as_before(new, old, part)).collect();
        new.terms.and_all(&parts)
    }

    /// A term about the new location as one about the old one, where variables that were something else there are known.
    pub fn as_before(&self, new: &mut Program, old: Loc, t: Term) -> Option<Term> {
        let at = (new.entry, old);
        let Some(stale) = self.stale.get(&at) else { return Some(t) };
        let mut map: Vec<(Term, Term)> = Vec::new();
        for symbol in term::walk::free_vars(&new.terms, &[t]) {
            if let Some(var) = new.var_of(symbol).filter(|var| stale.contains(var)) {
                map.push((symbol, *self.aliases.get(&at)?.get(&var)?));
            }
        }
        Some(term::substitute(&mut new.terms, t, &map))
    }

    /// Invariants of the entry function, carried from the new program back to the old one: the given ones where their
    /// locations were, with the facts the pass used, and `false` where it found that control never gets.
    pub fn lift(&self, new: &mut Program, invariants: &BTreeMap<Loc, Term>) -> BTreeMap<Loc, Term> {
        let mut lifted: BTreeMap<Loc, Term> = BTreeMap::new();
        for (old, fate) in self.fates[new.entry].iter() {
            match fate {
                Fate::Kept(at) => {
                    if let Some(t) = invariants.get(at) {
                        lifted.insert(old, self.faithful(new, old, *t));
                    }
                }
                Fate::Unreachable => {
                    lifted.insert(old, new.terms.ff());
                }
                Fate::Irrelevant | Fate::Merged => {}
            }
        }
        for Case { new: at, old, when } in &self.cases {
            if let Some(t) = invariants.get(at) {
                let map: Vec<(Term, Term)> = when.iter().map(|(v, value)| (new.term(*v), *value)).collect();
                let told_apart = term::substitute(&mut new.terms, *t, &map);
                lifted.insert(*old, self.faithful(new, *old, told_apart));
            }
        }
        for ((f, old), facts) in &self.facts {
            if *f == new.entry {
                let mut all = lifted.get(old).copied().unwrap_or_else(|| new.terms.tt());
                for t in facts {
                    all = new.terms.and(all, *t);
                }
                lifted.insert(*old, all);
            }
        }
        lifted
    }
}

/// The invariants without what they say about dead variables alone: conjuncts that share no variable with a live one,
/// directly or by way of others. What they say about a state has no bearing on what follows. The terms belong to `terms`,
/// an extension of the program's store.
pub fn without_dead(program: &Program, terms: &mut Store, invariants: &BTreeMap<Loc, Term>) -> BTreeMap<Loc, Term> {
    let calls = CallGraph::of(program);
    let effects = GlobalEffects::of(program, &calls);
    let mut vars = TermVars::of(program);
    let graph = Graph::of(program.main());
    let accesses = Accesses::of(program, program.main(), &effects, &mut vars);
    let mut liveness = Liveness::new(&graph, &accesses);
    // Only what an invariant mentions has a bearing on it, however much else is live there.
    let mut mentions: BTreeMap<Var, Vec<Loc>> = BTreeMap::new();
    for (loc, invariant) in invariants {
        vars.each(terms, &[*invariant], |var| mentions.entry(var).or_default().push(*loc));
    }
    let mut live: BTreeMap<Loc, BTreeSet<Var>> = BTreeMap::new();
    let mut asked = Table::filled(None, program.main().locs.len());
    for (var, locs) in mentions {
        locs.into_iter().for_each(|loc| asked[loc] = Some(var));
        for loc in liveness.range(var).into_iter().filter(|loc| asked[*loc] == Some(var)) {
            live.entry(loc).or_default().insert(var);
        }
    }
    let mut kept = BTreeMap::new();
    for (loc, invariant) in invariants {
        let parts = conjuncts(terms, *invariant);
        let vars_of: Vec<Vec<Var>> = parts.iter().map(|t| vars.list(terms, &[*t])).collect();
        let mut users: BTreeMap<Var, Vec<usize>> = BTreeMap::new();
        for (i, vars) in vars_of.iter().enumerate() {
            vars.iter().for_each(|v| users.entry(*v).or_default().push(i));
        }
        let mut reached = live.remove(loc).unwrap_or_default();
        let mut work: Vec<Var> = reached.iter().copied().collect();
        let mut matters: Vec<bool> = vars_of.iter().map(Vec::is_empty).collect();
        while let Some(var) = work.pop() {
            for &i in users.get(&var).into_iter().flatten() {
                if !std::mem::replace(&mut matters[i], true) {
                    work.extend(vars_of[i].iter().copied().filter(|v| reached.insert(*v)));
                }
            }
        }
        let parts: Vec<Term> = parts.into_iter().zip(matters).filter(|(_, matters)| *matters).map(|(t, _)| t).collect();
        kept.insert(*loc, if parts.len() == vars_of.len() { *invariant } else { terms.and_all(&parts) });
    }
    kept
}

/// Whether a formula at a location of the flat program is about variables that are not what the user thinks there.
pub fn speaks_of_stale(program: &Program, terms: &Store, at: Loc, formula: Term) -> bool {
    let stale = &program.main().locs[at].stale;
    let is_stale = |t: Term| program.var_of(t).is_some_and(|var| stale.contains(&var));
    !stale.is_empty() && term::walk::free_vars(terms, &[formula]).into_iter().any(is_stale)
}

/// What a formula at a location of the flat program says to the user: variables that are not what the user thinks there
/// ([`cfa::Location::stale`]) are replaced by what the formula says they equal, or nothing is said of them. The formula
/// belongs to `terms`, an extension of the program's store.
pub fn without_stale(program: &Program, terms: &mut Store, at: Loc, formula: Term) -> Term {
    if !speaks_of_stale(program, terms, at, formula) {
        return formula;
    }
    let stale = &program.main().locs[at].stale;
    let is_stale = |t: Term| program.var_of(t).is_some_and(|var| stale.contains(&var));
    let mentions = |terms: &Store, t: Term| term::walk::free_vars(terms, &[t]).into_iter().any(is_stale);
    let mut parts = conjuncts(terms, formula);
    loop {
        let equation = parts.iter().find_map(|part| {
            let &[a, b] = terms.args(*part) else { return None };
            let sides = [(a, b), (b, a)].into_iter();
            let defines = |(side, value): &(Term, Term)| is_stale(*side) && !mentions(terms, *value);
            (terms.op(*part) == term::Op::Eq).then(|| sides.clone().find(defines)).flatten()
        });
        let Some((var, value)) = equation else { break };
        parts = parts.into_iter().map(|part| term::substitute(terms, part, &[(var, value)])).collect();
    }
    parts.retain(|part| !mentions(terms, *part));
    terms.and_all(&parts)
}
