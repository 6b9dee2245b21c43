//! What programs state and demand at loop heads.
//!
//! - The *error precondition* of each target that can be reached from a head without meeting another one: the weakest precondition of
//!   not reaching it. That other targets on the way are not reached is left out of it: what is asserted twice holds without.
//! - What a loop that counts by one has *passed*: if every iteration that goes on needs `P(i)`, then `∀g. first ≤ g < i ⇒ P(g)`.
//! - An error precondition on all cells is tried for the cells that the loop has *written*: `∀g. … ⇒ P(a[g])` becomes `∀g. g < i ⇒ P(a[g])`,
//!   where `i` is an index at which the loop writes.
//! - What a loop that counts has *filled*: the cells that it wrote hold what it wrote there (`filled.rs`).
//! - What holds of an array may hold of a copy of it.
//! - What was *copied* may stay the same: `x = y` wherever some edge assigns one to the other.
//! - What an error precondition says of variables that the loop changes ("if it is over") is left out once more: what is wanted of the others
//!   when the loop is over was so all along (*settled*).
//! - What each iteration of a loop that counts up to an end wants is wanted of its *last* one (`last.rs`).
//! - Where all this is not enough, candidates of one head are *drawn back* over the paths from the heads before it, as if not
//!   having them were a target.
//! - What is *ordered* among the things that loops count, and cells below where they write (`ordered.rs`).
//! - What was *stated* on the only way to a head, conditions and assignments, may still hold there; what was assigned where ways
//!   part and meet, under the condition of its way (`stated.rs`).
//! - What holds at a head may hold at all that come later.

mod filled;
mod last;
mod ordered;
mod stated;

use crate::AtHeads;
use crate::limits::demands::{LOOKS, MAX_BEFORE};
use cfa::{Edge, Loc, Op, Program, Var};
use engine::{Budget, Stop};
use flow::wto::Wto;
use std::collections::{BTreeMap, BTreeSet};
use term::normal::{conjuncts, disjuncts};
use term::{Op as TermOp, Sort, Store, Term, walk};

/// How many candidates there are.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Candidates of a head: those that fail in a model are soon gone.
    pub at_head: usize,
    /// So many candidates of a head are drawn back over the paths to it.
    pub drawn: usize,
    /// So much of what is wanted later is tried at all heads before, small formulas first.
    pub all_along: usize,
    /// So much of what was stated before a head is tried at it.
    pub stated: usize,
    /// So many comparisons on some way to a head, of what its loop reads, are tried at it.
    pub limits: usize,
    /// Clauses that a candidate is taken apart into: error preconditions are long, and each says little.
    pub clauses: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { at_head: 300, drawn: 24, all_along: 80, stated: 60, limits: 30, clauses: 64 }
    }
}

pub struct Candidates<'a> {
    program: &'a Program,
    wto: &'a Wto,
    settings: Settings,
    successors: BTreeMap<Loc, Vec<Edge>>,
    found: AtHeads,
    /// Of these, what is wanted there: error preconditions, and what is drawn back.
    wanted: AtHeads,
    /// What holds once a loop is left.
    after: AtHeads,
}

impl<'a> Candidates<'a> {
    pub fn new(
        program: &'a Program,
        wto: &'a Wto,
        settings: Settings,
        terms: &mut Store,
        budget: &Budget,
    ) -> Result<Candidates<'a>, Stop> {
        let mut successors: BTreeMap<Loc, Vec<Edge>> = BTreeMap::new();
        for (edge, info) in program.main().edges.iter() {
            successors.entry(info.from).or_default().push(edge);
        }
        let (found, wanted, after) = (AtHeads::new(), AtHeads::new(), AtHeads::new());
        let mut candidates = Candidates { program, wto, settings, successors, found, wanted, after };
        for head in wto.heads() {
            budget.check()?;
            candidates.preconditions(head, terms);
            candidates.passed(head, terms);
            candidates.written(head, terms);
            candidates.filled(head, terms);
        }
        for head in wto.heads() {
            candidates.settle(head, terms);
        }
        Ok(candidates)
    }

    /// Other candidates of the same program, which are wanted.
    pub fn with(&self, found: AtHeads) -> Candidates<'a> {
        let (wanted, after) = (found.clone(), AtHeads::new());
        Candidates { successors: self.successors.clone(), found, wanted, after, ..*self }
    }

    fn want(&mut self, terms: &Store, head: Loc, formula: Term) {
        for formulas in [&mut self.found, &mut self.wanted] {
            Self::add(formulas, self.settings.at_head, terms, head, formula);
        }
    }

    /// All of them, with what several heads have in common.
    pub fn all(&self, terms: &mut Store) -> AtHeads {
        let mut found = self.found.clone();
        self.copied(&mut found, terms);
        self.hand_on(&mut found, terms);
        self.of_copies(&mut found, terms);
        found
    }

    /// What is wanted at single heads.
    pub fn error_preconditions(&self) -> &AtHeads {
        &self.found
    }

    fn add(formulas: &mut AtHeads, most: usize, terms: &Store, head: Loc, formula: Term) {
        let here = formulas.entry(head).or_default();
        if terms.as_bool_const(formula).is_none() && !here.contains(&formula) && here.len() < most {
            here.push(formula);
        }
    }

    /// The locations from here to the next heads and targets, in order; the first is `head`.
    fn region(&self, head: Loc) -> Vec<Loc> {
        let main = self.program.main();
        let mut seen = BTreeSet::from([head]);
        let mut work = vec![head];
        while let Some(loc) = work.pop() {
            for edge in self.successors.get(&loc).into_iter().flatten() {
                let to = main.edges[*edge].to;
                if !self.wto.is_head(to) && !main.locs[to].kind.is_target() && seen.insert(to) {
                    work.push(to);
                }
            }
        }
        let mut order: Vec<Loc> = seen.into_iter().collect();
        order.sort_by_key(|loc| if *loc == head { 0 } else { self.wto.position(*loc) + 1 });
        order
    }

    fn preconditions(&mut self, head: Loc, terms: &mut Store) {
        let region = self.region(head);
        let main = self.program.main();
        let mut targets: Vec<Loc> = Vec::new();
        for loc in &region {
            for edge in self.successors.get(loc).into_iter().flatten() {
                let to = main.edges[*edge].to;
                if main.locs[to].kind.is_target() && !targets.contains(&to) {
                    targets.push(to);
                }
            }
        }
        for target in targets {
            for precondition in self.precondition(&region, terms, |to| to == target) {
                self.want(terms, head, precondition);
            }
        }
    }

    /// Without what is said of variables that the loop changes: that is how far it has come. Once with what is said of arrays:
    /// cells that a loop writes are others than those that something is wanted of.
    fn settle(&mut self, head: Loc, terms: &mut Store) {
        let changed = self.changed(head);
        let is_array = |var: &Var| matches!(self.program.vars[*var].sort, Sort::Array(_));
        let counting: BTreeSet<Var> = changed.iter().copied().filter(|var| !is_array(var)).collect();
        let formulas = self.wanted.get(&head).cloned().unwrap_or_default();
        for changed in [&changed, &counting] {
            self.settle_at(head, &formulas, changed, terms);
        }
        for wanted in self.of_the_last(head, &formulas, &changed, terms) {
            self.want(terms, head, wanted);
        }
    }

    fn settle_at(&mut self, head: Loc, formulas: &[Term], changed: &BTreeSet<Var>, terms: &mut Store) {
        let program = self.program;
        let is_settled = |terms: &Store, part: Term| {
            let own = walk::free_vars(terms, &[part]);
            !own.iter().any(|t| program.var_of(*t).is_some_and(|v| changed.contains(&v)))
        };
        for formula in formulas.iter().copied() {
            if is_settled(terms, formula) {
                continue;
            }
            for clause in clauses(terms, formula, &is_settled, self.settings.clauses) {
                let settled: Vec<Term> = clause.into_iter().filter(|part| is_settled(terms, *part)).collect();
                if !settled.is_empty() {
                    let settled = terms.or_all(&settled);
                    self.want(terms, head, settled);
                }
            }
        }
    }

    /// What is wanted at a head is wanted of the heads before it; last heads first.
    pub fn draw_back(&mut self, terms: &mut Store, budget: &Budget) -> Result<(), Stop> {
        let mut heads: Vec<Loc> = self.wto.heads().collect();
        heads.sort_by_key(|head| std::cmp::Reverse(self.wto.position(*head)));
        // What is wanted whatever the loop does, on whichever way it is come to, was so all along.
        let mut all_along: Vec<Term> = Vec::new();
        for head in heads {
            budget.check()?;
            for formula in &all_along {
                self.want(terms, head, *formula);
            }
            let region = self.region(head);
            let main = self.program.main();
            let edges = region.iter().flat_map(|loc| self.successors.get(loc).into_iter().flatten());
            let next: BTreeSet<Loc> = edges
                .map(|edge| main.edges[*edge].to)
                .filter(|to| self.wto.is_head(*to) && self.wto.position(*to) > self.wto.position(head))
                .collect();
            for later in next {
                // Small ones first: what is wanted late in a program passes all heads before.
                let mut there = self.wanted.get(&later).cloned().unwrap_or_default();
                there.sort_by_cached_key(|wanted| walk::dag_size(terms, &[*wanted]));
                there.truncate(self.settings.drawn);
                for candidate in there {
                    for formula in self.before(&region, terms, |to| (to == later).then_some(candidate)) {
                        self.want(terms, head, formula);
                    }
                }
            }
            self.settle(head, terms);
            let changed = self.changed(head);
            let is_changed = |t: &Term| self.program.var_of(*t).is_some_and(|v| changed.contains(&v));
            let wanted = self.wanted.get(&head).into_iter().flatten().copied();
            all_along.extend(wanted.filter(|t| !walk::free_vars(terms, &[*t]).iter().any(is_changed)));
            all_along.sort_by_cached_key(|t| (walk::dag_size(terms, &[*t]), *t));
            all_along.dedup();
            all_along.truncate(self.settings.all_along);
        }
        Ok(())
    }

    /// What must hold at the start of the region so that nothing bad is reached, as conjuncts; nothing if it cannot be said.
    fn precondition(&self, region: &[Loc], terms: &mut Store, is_bad: impl Fn(Loc) -> bool) -> Vec<Term> {
        let never = terms.bool(false);
        self.before(region, terms, |to| is_bad(to).then_some(never))
    }

    /// The weakest precondition, as conjuncts, of what is `wanted` where paths leave the region; nothing if it cannot be said.
    fn before(&self, region: &[Loc], terms: &mut Store, wanted: impl Fn(Loc) -> Option<Term>) -> Vec<Term> {
        let is_bad = |to: Loc| wanted(to).is_some();
        let main = self.program.main();
        let mut needs: BTreeMap<Loc, Term> = BTreeMap::new();
        let mut bound: Vec<Term> = Vec::new();
        for loc in region.iter().rev() {
            let edges = self.successors.get(loc).map_or(&[][..], Vec::as_slice);
            // That other targets are not reached from here.
            let safe: Vec<Term> = edges
                .iter()
                .filter(|e| main.locs[main.edges[**e].to].kind.is_target() && !is_bad(main.edges[**e].to))
                .filter_map(|e| if let Op::Assume(wrong) = &main.edges[*e].op { Some(*wrong) } else { None })
                .flat_map(|wrong| {
                    let right = terms.not(wrong);
                    conjuncts(terms, right)
                })
                .collect();
            let (mut parts, mut all) = (Vec::new(), Vec::new());
            for edge in edges {
                let info = &main.edges[*edge];
                let need = match (wanted(info.to), needs.get(&info.to)) {
                    (Some(wanted), _) => wanted,
                    (None, Some(need)) if info.to != region[0] => *need,
                    _ => continue,
                };
                if terms.as_bool_const(need) == Some(true) {
                    continue;
                }
                all.push(need);
                parts.push(match &info.op {
                    Op::Assume(condition) if !safe.is_empty() => {
                        let parts = conjuncts(terms, *condition);
                        let mut others: Vec<Term> = parts.iter().copied().filter(|part| !safe.contains(part)).collect();
                        if others.is_empty() && is_bad(info.to) {
                            others = parts;
                        }
                        let condition = terms.and_all(&others);
                        terms.implies(condition, need)
                    }
                    Op::Assume(condition) => terms.implies(*condition, need),
                    Op::Assign(pairs) => {
                        let pairs: Vec<(Term, Term)> =
                            pairs.iter().map(|(var, value)| (self.program.term(*var), *value)).collect();
                        term::substitute(terms, need, &pairs)
                    }
                    Op::Havoc { vars, .. } => {
                        let mut pairs = Vec::new();
                        for var in vars {
                            let own = self.program.term(*var);
                            if !walk::mentions(terms, need, own) {
                                continue;
                            }
                            let sort = self.program.vars[*var].sort;
                            if !matches!(sort, Sort::Bv(_) | Sort::Bool) {
                                return Vec::new();
                            }
                            let any = terms.fresh("g", sort);
                            bound.push(any);
                            pairs.push((own, any));
                        }
                        term::substitute(terms, need, &pairs)
                    }
                    _ => return Vec::new(),
                });
            }
            // What is wanted whatever is decided here is wanted here.
            let same = all.first().filter(|first| all.len() > 1 && all.iter().all(|need| need == *first)).copied();
            let need = match same.filter(|need| terms.as_bool_const(*need).is_none()) {
                Some(need) => need,
                None => terms.and_all(&parts),
            };
            needs.insert(*loc, need);
        }
        let need = needs[&region[0]];
        conjuncts(terms, need).into_iter().flat_map(|part| self.closed(part, &bound, terms)).collect()
    }

    /// The formula for all values of what was havocked on the way; and as if every way could be taken, whatever these values are, without what
    /// is said of them. Of a value at which nothing is read, only the way depends (it belongs to another quantified assertion): what
    /// is said of it is always left out.
    fn closed(&self, formula: Term, havocked: &[Term], terms: &mut Store) -> Vec<Term> {
        let free = walk::free_vars(terms, &[formula]);
        let bound: Vec<Term> = havocked.iter().copied().filter(|b| free.contains(b)).collect();
        let reads = walk::postorder(terms, &[formula]).into_iter().filter(|t| terms.op(*t) == TermOp::Select);
        let indices: Vec<Term> = reads.map(|t| terms.arg(t, 1)).collect();
        let read_at = walk::free_vars(terms, &indices);
        let (read, idle): (Vec<Term>, Vec<Term>) = bound.iter().copied().partition(|b| read_at.contains(b));
        let mut found = Vec::new();
        if read.is_empty() || idle.is_empty() {
            found.push(terms.forall(&bound, formula));
        }
        let mut ways: Vec<(&[Term], &[Term])> = Vec::new();
        if !bound.is_empty() {
            ways.push((&bound, &[]));
        }
        if !idle.is_empty() && !read.is_empty() {
            ways.push((&idle, &read));
        }
        for (left_out, quantified) in ways {
            let is_left_out = |terms: &Store, part: Term| left_out.iter().any(|b| walk::mentions(terms, part, *b));
            for clause in clauses(terms, formula, &|terms, part| !is_left_out(terms, part), self.settings.clauses) {
                let kept: Vec<Term> = clause.into_iter().filter(|part| !is_left_out(terms, *part)).collect();
                if !kept.is_empty() {
                    let body = terms.or_all(&kept);
                    found.push(terms.forall(quantified, body));
                }
            }
        }
        found.dedup();
        found
    }

    /// Whether it is a location of the loop.
    fn is_inside(&self, head: Loc, loc: Loc) -> bool {
        loc == head || self.wto.heads_around(loc).contains(&head)
    }

    /// Whether all that the loop does to the variable is adding one.
    fn counts_by_one(&self, head: Loc, counter: Var, terms: &mut Store) -> bool {
        let Sort::Bv(width) = self.program.vars[counter].sort else { return false };
        let (at, one) = (self.program.term(counter), terms.bv(1, width));
        let next = terms.add(at, one);
        self.program.main().edges.values().all(|info| match &info.op {
            _ if !self.is_inside(head, info.from) || !self.is_inside(head, info.to) => true,
            Op::Assign(pairs) => pairs.iter().all(|(var, value)| *var != counter || *value == next),
            Op::Havoc { vars, .. } => !vars.contains(&counter),
            _ => true,
        })
    }

    /// Variables that the loop changes.
    fn changed(&self, head: Loc) -> BTreeSet<Var> {
        let mut found = BTreeSet::new();
        for (_, info) in self.program.main().edges.iter() {
            if !self.is_inside(head, info.from) || !self.is_inside(head, info.to) {
                continue;
            }
            match &info.op {
                Op::Assign(pairs) => found.extend(pairs.iter().map(|(var, _)| *var)),
                Op::Havoc { vars, .. } => found.extend(vars),
                _ => {}
            }
        }
        found
    }

    /// What every iteration of a loop that counts has needed.
    fn passed(&mut self, head: Loc, terms: &mut Store) {
        let main = self.program.main();
        let region = self.region(head);
        let goes_on = |to: Loc| to == head;
        let returns: Vec<Edge> = region
            .iter()
            .flat_map(|loc| self.successors.get(loc).into_iter().flatten().copied())
            .filter(|edge| goes_on(main.edges[*edge].to))
            .collect();
        if returns.is_empty() {
            return;
        }
        // An iteration goes on iff it is not so that it cannot.
        let stuck = self.precondition(&region, terms, goes_on);
        if stuck.is_empty() {
            return;
        }
        let stuck = terms.and_all(&stuck);
        let around = terms.not(stuck);
        let around = term::normal::nnf(terms, around);
        let reads = walk::postorder(terms, &[around]).into_iter().any(|t| terms.op(t) == TermOp::Select);
        let quantified = walk::postorder(terms, &[around]).into_iter().any(|t| terms.op(t).is_quantifier());
        if !reads || quantified {
            return;
        }
        let changed = self.changed(head);
        let free = walk::free_vars(terms, &[around]);
        let own: Vec<Var> =
            free.iter().filter_map(|t| self.program.var_of(*t)).filter(|v| changed.contains(v)).collect();
        let [counter] = own[..] else { return };
        let Sort::Bv(width) = self.program.vars[counter].sort else { return };
        let at = self.program.term(counter);
        if !self.counts_by_one(head, counter, terms) {
            return;
        }
        let Some(first) = self.first_value(head, counter, &changed, terms) else { return };
        let g = terms.fresh("g", Sort::Bv(width));
        let here = term::substitute(terms, around, &[(at, g)]);
        let everything = conjuncts(terms, here);
        let starts = terms.ule(first, g);
        let before = terms.ult(g, at);
        let passed = terms.and(starts, before);
        let body = terms.implies(passed, here);
        let invariant = terms.forall(&[g], body);
        Self::add(&mut self.found, self.settings.at_head, terms, head, invariant);
        let ordered = terms.ule(first, at);
        Self::add(&mut self.found, self.settings.at_head, terms, head, ordered);
        // Once it is left: up to where it went on.
        let (limits, rest): (Vec<Term>, Vec<Term>) = everything.into_iter().partition(|c| {
            let array = walk::postorder(terms, &[*c]).into_iter().any(|t| terms.op(t) == TermOp::Select);
            !array && walk::mentions(terms, *c, g)
        });
        let rest = terms.and_all(&rest);
        let mut guard = vec![starts];
        guard.extend(limits);
        let guard = terms.and_all(&guard);
        let body = terms.implies(guard, rest);
        let complete = terms.forall(&[g], body);
        Self::add(&mut self.after, self.settings.at_head, terms, head, complete);
    }

    /// Error preconditions on cells, for those that the loop has come past.
    fn written(&mut self, head: Loc, terms: &mut Store) {
        let writes = self.writes(head, terms);
        for precondition in self.found.get(&head).cloned().unwrap_or_default() {
            let (bound, body) = match terms.quantifier(precondition) {
                Some((bound, body)) if terms.op(precondition) == TermOp::Forall => (bound.to_vec(), body),
                _ => continue,
            };
            let [g] = bound[..] else { continue };
            let cells: Vec<Term> =
                disjuncts(terms, body).into_iter().filter(|part| !self.reads(terms, *part, g).is_empty()).collect();
            let claim = terms.or_all(&cells);
            for (array, index) in self.reads(terms, claim, g) {
                for &(_, end) in writes.iter().filter(|(written, _)| *written == array) {
                    if terms.sort(index) != terms.sort(end) {
                        continue;
                    }
                    let below = terms.ult(index, end);
                    let body = terms.implies(below, claim);
                    let candidate = terms.forall(&[g], body);
                    Self::add(&mut self.found, self.settings.at_head, terms, head, candidate);
                }
            }
        }
    }

    /// Which arrays of the program the formula reads at places that depend on `g`, and where.
    fn reads(&self, terms: &Store, formula: Term, g: Term) -> Vec<(Var, Term)> {
        let mut found = Vec::new();
        for t in walk::postorder(terms, &[formula]) {
            if terms.op(t) == TermOp::Select
                && let Some(array) = self.program.var_of(terms.arg(t, 0))
                && walk::mentions(terms, terms.arg(t, 1), g)
            {
                found.push((array, terms.arg(t, 1)));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Where the loop writes arrays; counters of loops inside are at their first values.
    fn writes(&self, head: Loc, terms: &mut Store) -> Vec<(Var, Term)> {
        let main = self.program.main();
        let mut first: Vec<(Term, Term)> = Vec::new();
        for inner in self.wto.heads().filter(|inner| *inner != head && self.wto.heads_around(*inner).contains(&head)) {
            let changed = self.changed(inner);
            for counter in changed.iter().copied() {
                if let Some(value) = self.first_value(inner, counter, &changed, terms) {
                    first.push((self.program.term(counter), value));
                }
            }
        }
        let mut found = Vec::new();
        for info in main.edges.values() {
            let inside = info.from == head || self.wto.heads_around(info.from).contains(&head);
            let Op::Assign(pairs) = &info.op else { continue };
            for (array, value) in pairs.iter().filter(|_| inside) {
                for t in walk::postorder(terms, &[*value]) {
                    if terms.op(t) == TermOp::Store {
                        let index = terms.arg(t, 1);
                        found.push((*array, term::substitute(terms, index, &first)));
                    }
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// What a counter is when its loop is entered.
    fn first_value(&self, head: Loc, counter: Var, changed: &BTreeSet<Var>, terms: &mut Store) -> Option<Term> {
        let main = self.program.main();
        let mut values: Vec<Term> = Vec::new();
        let entering = |loc: Loc| {
            main.edges.values().filter(move |info| {
                info.to == loc && !self.wto.heads_around(info.from).contains(&head) && info.from != head
            })
        };
        let mut work: Vec<Loc> = vec![head];
        let mut seen = BTreeSet::new();
        while let Some(loc) = work.pop() {
            if !seen.insert(loc) || seen.len() > MAX_BEFORE {
                return None;
            }
            for info in entering(loc) {
                match &info.op {
                    Op::Assign(pairs) if pairs.iter().any(|(var, _)| *var == counter) => {
                        values.extend(pairs.iter().filter(|(var, _)| *var == counter).map(|(_, value)| *value));
                    }
                    _ => work.push(info.from),
                }
            }
        }
        values.dedup();
        let [first] = values[..] else { return None };
        let free = walk::free_vars(terms, &[first]);
        let fixed = free.iter().filter_map(|t| self.program.var_of(*t)).all(|v| !changed.contains(&v));
        fixed.then_some(first)
    }

    /// Variables of which one was assigned to the other, at every head.
    fn copied(&self, found: &mut AtHeads, terms: &mut Store) {
        for (to, from) in self.copies() {
            let equal = terms.eq(self.program.term(to), self.program.term(from));
            for head in self.wto.heads() {
                Self::add(found, self.settings.at_head, terms, head, equal);
            }
        }
    }

    /// What holds at one head is tried at all later ones.
    fn hand_on(&self, found: &mut AtHeads, terms: &Store) {
        let mut heads: Vec<Loc> = self.wto.heads().collect();
        heads.sort_by_key(|head| self.wto.position(*head));
        let own = self.found.clone();
        let own = |earlier: Loc| own.get(&earlier).into_iter().flatten().copied();
        for (i, head) in heads.iter().enumerate() {
            let is_around = |earlier: Loc| self.wto.heads_around(*head).contains(&earlier);
            let over = heads[..i].iter().filter(|earlier| !is_around(**earlier));
            // What loops that are over have found out is what they were there for.
            let complete = over.flat_map(|earlier| self.after.get(earlier).into_iter().flatten().copied());
            for fact in complete.chain(heads[..i].iter().flat_map(|earlier| own(*earlier))) {
                Self::add(found, self.settings.at_head, terms, *head, fact);
            }
        }
    }
}

/// The formula as clauses, parts that are atoms taken whole; as it is where there would be more than so many.
fn clauses(terms: &mut Store, formula: Term, is_atom: &dyn Fn(&Store, Term) -> bool, most: usize) -> Vec<Vec<Term>> {
    Clauses { terms, is_atom, most, looks: LOOKS * most }.of(formula)
}

struct Clauses<'a> {
    terms: &'a mut Store,
    is_atom: &'a dyn Fn(&Store, Term) -> bool,
    most: usize,
    looks: usize,
}

impl Clauses<'_> {
    fn of(&mut self, formula: Term) -> Vec<Vec<Term>> {
        let whole = vec![vec![formula]];
        if self.looks == 0 || (self.is_atom)(self.terms, formula) {
            return whole;
        }
        self.looks -= 1;
        let args = self.terms.args(formula).to_vec();
        match self.terms.op(formula) {
            TermOp::And => self.each(&args),
            TermOp::Or => self.one_of_each(&args).unwrap_or(whole),
            TermOp::Not => {
                let op = self.terms.op(args[0]);
                if !matches!(op, TermOp::And | TermOp::Or) {
                    return whole;
                }
                let parts = self.terms.args(args[0]).to_vec();
                let parts: Vec<Term> = parts.into_iter().map(|part| self.terms.not(part)).collect();
                if op == TermOp::Or { self.each(&parts) } else { self.one_of_each(&parts).unwrap_or(whole) }
            }
            _ => whole,
        }
    }

    fn each(&mut self, parts: &[Term]) -> Vec<Vec<Term>> {
        parts.iter().flat_map(|part| self.of(*part)).collect()
    }

    fn one_of_each(&mut self, parts: &[Term]) -> Option<Vec<Vec<Term>>> {
        let mut all: Vec<Vec<Term>> = vec![Vec::new()];
        for part in parts {
            let clauses = self.of(*part);
            if all.len() * clauses.len() > self.most {
                return None;
            }
            all = all.iter().flat_map(|left| clauses.iter().map(|right| [&left[..], right].concat())).collect();
        }
        Some(all)
    }
}
