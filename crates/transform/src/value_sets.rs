//! Variables that hold one of a few constants, and executions that a later assumption ends.
//!
//! A harness says `p = malloc(n); assume(p != 0);`, a function returns one of three codes. Constant propagation sees two values
//! meet and forgets both. Here each variable has, at each location, the set of constants that it may hold, as conditions on the
//! way leave it (conditional constant propagation after Wegman and Zadeck, with sets): `p` is one address after the assumption,
//! and what is asked of it folds.
//!
//! The other way round, an edge is *in vain* if what it leads to before the next loop head is ended by conditions that the
//! values at hand do not meet: the null pointer of such a `malloc`. Leaving out the edge takes away only executions that
//! reach no target and no loop head, so what holds at loop heads is the same; elsewhere it may say less about them than before.

use crate::edit::{Aim, Facts, compact, effects, map_terms};
use crate::limits::value_sets::{COMBINATIONS, EVALUATED_SIZE, MOST_NOTES, ROUNDS, VALUES};
use crate::propagate::HeadFacts;
use crate::restore::{Fate, Restore};
use base::{Id, Table};
use cfa::{Edge, Loc, Op, Program, Var};
use flow::{Liveness, TermVars, reverse_postorder};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use term::normal::conjuncts;
use term::{Op as TermOp, Sort, Store, Term};

/// Constants of one sort, in ascending order of their terms; not empty.
type Set = SmallVec<[Term; VALUES]>;
/// What is known at a location; a variable that is missing may hold anything.
type Known = BTreeMap<Var, Set>;

/// Narrows a flat program in which targets are looked for. `None` where there is nothing to gain.
pub(crate) fn narrow(program: &mut Program) -> Option<Restore> {
    let mut restore = Restore::identity(program);
    let mut changed = false;
    for _ in 0..ROUNDS {
        let Some((facts, fates)) = round(program) else { break };
        restore.extend(program, program.entry, &fates, |l| facts.get(&l).map_or(&[][..], |facts| facts));
        changed = true;
    }
    changed.then_some(restore)
}

/// What later passes find unreachable off the loop heads may be reached, before this one, by executions that are in vain.
pub(crate) fn trust_heads_only(restore: &mut Restore, heads: &BTreeSet<Loc>, entry: cfa::Func) {
    for (l, fate) in restore.fates[entry].iter_mut() {
        if *fate == Fate::Unreachable && !heads.contains(&l) {
            *fate = Fate::Irrelevant;
        }
    }
}

/// Where an edge leads back to.
pub(crate) fn loop_heads(program: &Program) -> BTreeSet<Loc> {
    let graph = flow::Graph::of(program.main());
    let mut position = Table::filled(usize::MAX, graph.len());
    let order = reverse_postorder(&graph);
    order.iter().enumerate().for_each(|(i, l)| position[*l] = i);
    let edges = order.iter().flat_map(|l| graph.succs(*l));
    edges.filter(|e| position[graph.to(**e)] <= position[graph.from(**e)]).map(|e| graph.to(*e)).collect()
}

/// One analysis, and what follows from it: facts at loop heads and what became of locations.
fn round(program: &mut Program) -> Option<(HeadFacts, Table<Loc, Fate>)> {
    let entry = program.entry;
    let mut vars = TermVars::of(program);
    let facts = Facts::of(program, entry, &effects(program), &mut vars);
    let order = reverse_postorder(&facts.graph);
    let heads = loop_heads(program);
    let live = followed_where_live(program, &facts, &mut vars)?;
    let mut terms = std::mem::take(&mut program.terms);
    let mut pass = Pass { program, facts: &facts, live: &live, heads: &heads, vars: &mut vars, used: BTreeSet::new() };
    let known = pass.forwards(&mut terms, &order);
    let in_vain = pass.in_vain(&mut terms, &order, &known);
    let (rewritten, infeasible) = pass.rewritten(&mut terms, &known);
    let used = pass.with_sources(&terms);
    program.terms = terms;
    if rewritten.is_empty() && !infeasible.contains(&true) && !in_vain.contains(&true) {
        return None;
    }
    let mut noted = HeadFacts::new();
    for head in heads {
        for (var, set) in known[head].iter().flatten().filter(|(var, _)| used.contains(*var)) {
            let var = program.term(*var);
            let cases: Vec<Term> = set.iter().map(|value| program.terms.eq(var, *value)).collect();
            noted.entry(head).or_default().push(program.terms.or_all(&cases));
        }
    }
    for (e, op) in rewritten {
        program.functions[entry].edges[e].op = op;
    }
    let removed = |e: Edge| infeasible[e.index()] || in_vain[e.index()];
    let fates = compact(&mut program.functions[entry], Aim::Targets, &removed, Fate::Kept);
    Some((noted, fates))
}

/// The variables that constants flow into, where they are live. `None` where there are none, or too many.
fn followed_where_live(program: &Program, facts: &Facts, vars: &mut TermVars) -> Option<Table<Loc, Vec<Var>>> {
    let mut flows: BTreeMap<Var, Vec<Var>> = BTreeMap::new();
    let mut work: Vec<Var> = Vec::new();
    for edge in program.main().edges.values() {
        let Op::Assign(pairs) = &edge.op else { continue };
        for (v, t) in pairs.iter().filter(|(v, _)| matches!(program.vars[*v].sort, Sort::Bv(_) | Sort::Bool)) {
            if program.terms.is_const(*t) {
                work.push(*v);
            }
            vars.each(&program.terms, &[*t], |source| flows.entry(source).or_default().push(*v));
        }
    }
    let mut followed: BTreeSet<Var> = work.iter().copied().collect();
    while let Some(var) = work.pop() {
        work.extend(flows.get(&var).into_iter().flatten().filter(|v| followed.insert(**v)));
    }
    let mut live: Table<Loc, Vec<Var>> = Table::filled(Vec::new(), facts.graph.len());
    let mut liveness = Liveness::new(&facts.graph, &facts.accesses);
    let mut notes = 0;
    for var in followed {
        let range = liveness.range(var);
        notes += range.len();
        if notes > MOST_NOTES {
            return None;
        }
        range.into_iter().for_each(|l| live[l].push(var));
    }
    (notes > 0).then_some(live)
}

struct Pass<'a> {
    program: &'a Program,
    facts: &'a Facts,
    live: &'a Table<Loc, Vec<Var>>,
    heads: &'a BTreeSet<Loc>,
    vars: &'a mut TermVars,
    /// Variables whose sets something was concluded from.
    used: BTreeSet<Var>,
}

impl Pass<'_> {
    /// What is known at each location; `None` where nobody gets.
    fn forwards(&mut self, terms: &mut Store, order: &[Loc]) -> Table<Loc, Option<Known>> {
        let graph = &self.facts.graph;
        let mut known: Table<Loc, Option<Known>> = Table::filled(None, graph.len());
        known[graph.entry()] = Some(Known::new());
        let mut position = Table::filled(0, graph.len());
        order.iter().enumerate().for_each(|(i, l)| position[*l] = i);
        let mut work = BTreeSet::from([0]);
        while let Some(next) = work.pop_first() {
            let from = order[next];
            for e in graph.succs(from) {
                let to = graph.to(*e);
                let before = known[from].as_ref().expect("reached");
                let Some(after) = self.after(terms, *e, before) else { continue };
                let joined = match &known[to] {
                    None => after,
                    Some(old) => join(old, &after),
                };
                if known[to].as_ref() != Some(&joined) {
                    known[to] = Some(joined);
                    work.insert(position[to]);
                }
            }
        }
        known
    }

    /// What is known after an edge; `None` if it cannot be passed.
    fn after(&mut self, terms: &mut Store, e: Edge, before: &Known) -> Option<Known> {
        let to = self.facts.graph.to(e);
        let mut after = Known::new();
        match &self.program.main().edges[e].op {
            Op::Assume(c) => {
                let met = self.meeting(terms, *c, before)?;
                let kept = |v: &Var| met.get(v).or_else(|| before.get(v)).map(|set| (*v, set.clone()));
                after.extend(self.live[to].iter().filter_map(kept));
            }
            op => {
                let written = op.written();
                let carried = |v: &Var| before.get(v).map(|set| (*v, set.clone()));
                after.extend(self.live[to].iter().filter(|v| !written.contains(v)).filter_map(carried));
                if let Op::Assign(pairs) = op {
                    for (v, t) in pairs {
                        if self.live[to].binary_search(v).is_ok()
                            && let Some(set) = self.values(terms, *t, before, None)
                        {
                            after.insert(*v, set);
                        }
                    }
                }
            }
        }
        Some(after)
    }

    /// What becomes smaller where a condition holds; `None` if it does not.
    fn meeting(&mut self, terms: &mut Store, condition: Term, before: &Known) -> Option<Known> {
        let mut met = Known::new();
        for part in conjuncts(terms, condition) {
            if let (TermOp::Eq, &[a, b]) = (terms.op(part), terms.args(part)) {
                for (side, value) in [(a, b), (b, a)] {
                    if let Some(var) = self.program.var_of(side).filter(|_| terms.is_const(value)) {
                        let possible = before.get(&var).is_none_or(|set| set.contains(&value));
                        if !possible {
                            return None;
                        }
                        met.insert(var, Set::from_slice(&[value]));
                    }
                }
            }
            if self.values(terms, part, before, None).is_some_and(|set| set[..] == [terms.ff()]) {
                return None;
            }
            for (var, left) in self.possible(terms, part, before) {
                let left: Set = match met.get(&var) {
                    Some(others) => left.into_iter().filter(|value| others.contains(value)).collect(),
                    None => left,
                };
                if left.is_empty() {
                    return None;
                }
                met.insert(var, left);
            }
        }
        Some(met)
    }

    /// Of the variables in a condition that have several values, those values with which it can hold, where that is not all.
    fn possible(&mut self, terms: &mut Store, condition: Term, before: &Known) -> Vec<(Var, Set)> {
        let mut found = Vec::new();
        if self.vars.size(terms, condition, EVALUATED_SIZE) >= EVALUATED_SIZE {
            return found;
        }
        for var in self.vars.list(terms, &[condition]) {
            let Some(set) = before.get(&var).filter(|set| set.len() > 1) else { continue };
            let mut left = Set::new();
            for value in set {
                let values = self.values(terms, condition, before, Some((var, *value)));
                if values.is_none_or(|values| values[..] != [terms.ff()]) {
                    left.push(*value);
                }
            }
            if left.len() < set.len() {
                found.push((var, left));
            }
        }
        found
    }

    /// The constants that a term may be, with one variable as given; `None`: anything.
    fn values(&mut self, terms: &mut Store, t: Term, known: &Known, given: Option<(Var, Term)>) -> Option<Set> {
        if self.vars.size(terms, t, EVALUATED_SIZE) >= EVALUATED_SIZE {
            return None;
        }
        Evaluation { program: self.program, known, given, done: FxHashMap::default() }.values(terms, t)
    }

    /// Edges after which no target and no loop head is reached.
    fn in_vain(&mut self, terms: &mut Store, order: &[Loc], known: &Table<Loc, Option<Known>>) -> Vec<bool> {
        let graph = &self.facts.graph;
        let mut in_vain = vec![false; graph.edge_count()];
        // With which values of variables nothing is reached; `None`: with any.
        let mut excluded: Table<Loc, Option<Known>> = Table::filled(Some(Known::new()), graph.len());
        for &l in order.iter().rev() {
            let Some(here) = &known[l] else { continue };
            let mut all: Option<Known> = None;
            for e in graph.succs(l) {
                let before = self.excluded_before(terms, *e, here, excluded[graph.to(*e)].as_ref());
                in_vain[e.index()] = before.is_none();
                all = match (all, before) {
                    (Some(all), Some(more)) => Some(meet(&all, &more)),
                    (all, more) => all.or(more),
                };
            }
            if !self.heads.contains(&l) && !self.program.main().locs[l].kind.is_target() {
                excluded[l] = all;
            }
        }
        in_vain
    }

    /// With which values before an edge nothing is reached, given that of its end.
    fn excluded_before(&mut self, terms: &mut Store, e: Edge, here: &Known, after: Option<&Known>) -> Option<Known> {
        let after = after?;
        let op = &self.program.main().edges[e].op;
        let written = op.written();
        let mut excluded: Known =
            after.iter().filter(|(v, _)| !written.contains(v)).map(|(v, set)| (*v, set.clone())).collect();
        match op {
            Op::Assume(c) => {
                let met = self.meeting(terms, *c, here)?;
                for (var, left) in met {
                    let Some(set) = here.get(&var) else { continue };
                    let gone = set.iter().filter(|value| !left.contains(value));
                    add(&mut excluded, var, gone.copied());
                }
            }
            Op::Assign(pairs) => {
                for (v, t) in pairs {
                    let Some(bad) = after.get(v) else { continue };
                    let within = |set: &Set| set.iter().all(|value| bad.contains(value));
                    if self.values(terms, *t, here, None).is_some_and(|set| within(&set)) {
                        self.used.insert(*v);
                        return None;
                    }
                    for var in self.vars.list(terms, &[*t]) {
                        for value in here.get(&var).into_iter().flatten() {
                            let values = self.values(terms, *t, here, Some((var, *value)));
                            if values.is_some_and(|set| within(&set)) {
                                add(&mut excluded, var, [*value].into_iter());
                            }
                        }
                    }
                }
            }
            _ => {}
        }
        for (var, gone) in &excluded {
            if here.get(var).is_some_and(|set| set.iter().all(|value| gone.contains(value))) {
                self.used.insert(*var);
                return None;
            }
        }
        Some(excluded)
    }

    /// Operations whose terms become smaller, and edges that cannot be passed.
    fn rewritten(&mut self, terms: &mut Store, known: &Table<Loc, Option<Known>>) -> (Vec<(Edge, Op)>, Vec<bool>) {
        let program = self.program;
        let mut rewritten = Vec::new();
        let mut infeasible = vec![false; program.main().edges.len()];
        for (e, edge) in program.main().edges.iter() {
            let Some(here) = &known[edge.from] else { continue };
            if let Op::Assume(c) = edge.op
                && self.meeting(terms, c, here).is_none()
            {
                infeasible[e.index()] = true;
                self.note_used(terms, c, here);
                continue;
            }
            let mut op = edge.op.clone();
            let mut changed = Vec::new();
            let vars = &mut *self.vars;
            map_terms(&mut op, |t| {
                if terms.is_const(t) || vars.size(terms, t, EVALUATED_SIZE) >= EVALUATED_SIZE {
                    return t;
                }
                let mut evaluation = Evaluation { program, known: here, given: None, done: FxHashMap::default() };
                let new = evaluation.rewritten(terms, t, &mut FxHashMap::default());
                if new != t {
                    changed.push(t);
                }
                new
            });
            if !changed.is_empty() {
                changed.into_iter().for_each(|t| self.note_used(terms, t, here));
                rewritten.push((e, op));
            }
        }
        (rewritten, infeasible)
    }

    fn note_used(&mut self, terms: &Store, t: Term, here: &Known) {
        let used = &mut self.used;
        self.vars.each(terms, &[t], |v| {
            if here.contains_key(&v) {
                used.insert(v);
            }
        });
    }

    /// The variables that something was concluded from, with those that their values come from.
    fn with_sources(&mut self, terms: &Store) -> BTreeSet<Var> {
        let mut sources: BTreeMap<Var, Vec<Var>> = BTreeMap::new();
        for edge in self.program.main().edges.values() {
            if let Op::Assign(pairs) = &edge.op {
                for (v, t) in pairs {
                    let list = sources.entry(*v).or_default();
                    self.vars.each(terms, &[*t], |source| list.push(source));
                }
            }
        }
        let mut work: VecDeque<Var> = self.used.iter().copied().collect();
        while let Some(var) = work.pop_front() {
            work.extend(sources.get(&var).into_iter().flatten().filter(|v| self.used.insert(**v)));
        }
        std::mem::take(&mut self.used)
    }
}

/// The values of terms where values of variables are known.
struct Evaluation<'a> {
    program: &'a Program,
    known: &'a Known,
    given: Option<(Var, Term)>,
    done: FxHashMap<Term, Option<Set>>,
}

impl Evaluation<'_> {
    fn values(&mut self, terms: &mut Store, t: Term) -> Option<Set> {
        if terms.is_const(t) {
            return Some(Set::from_slice(&[t]));
        }
        if let Some(var) = self.program.var_of(t) {
            return match self.given {
                Some((given, value)) if given == var => Some(Set::from_slice(&[value])),
                _ => self.known.get(&var).cloned(),
            };
        }
        if !matches!(terms.sort(t), Sort::Bv(_) | Sort::Bool)
            || terms.quantifier(t).is_some()
            || terms.args(t).is_empty()
        {
            return None;
        }
        if let Some(values) = self.done.get(&t) {
            return values.clone();
        }
        let values = self.of_arguments(terms, t);
        self.done.insert(t, values.clone());
        values
    }

    fn of_arguments(&mut self, terms: &mut Store, t: Term) -> Option<Set> {
        let op = terms.op(t);
        let args: SmallVec<[Term; 3]> = terms.args(t).into();
        if op == TermOp::Ite {
            return match self.values(terms, args[0]).as_deref() {
                Some([only]) if *only == terms.tt() => self.values(terms, args[1]),
                Some([only]) if *only == terms.ff() => self.values(terms, args[2]),
                _ => {
                    let (a, b) = (self.values(terms, args[1])?, self.values(terms, args[2])?);
                    union(&a, &b)
                }
            };
        }
        let sets: SmallVec<[Option<Set>; 3]> = args.iter().map(|a| self.values(terms, *a)).collect();
        if matches!(op, TermOp::And | TermOp::Or) {
            let decided = if op == TermOp::And { terms.ff() } else { terms.tt() };
            if sets.iter().flatten().any(|set| set[..] == [decided]) {
                return Some(Set::from_slice(&[decided]));
            }
        }
        let sets: SmallVec<[Set; 3]> = sets.into_iter().collect::<Option<_>>()?;
        let mut rows: Vec<SmallVec<[Term; 3]>> = vec![SmallVec::new()];
        for set in &sets {
            if rows.len() * set.len() > COMBINATIONS {
                return None;
            }
            rows = rows
                .iter()
                .flat_map(|row| set.iter().map(|value| row.iter().copied().chain([*value]).collect()))
                .collect();
        }
        let mut values = Set::new();
        for row in rows {
            let value = terms.mk(op, &row);
            if !terms.is_const(value) {
                return None;
            }
            values = union(&values, &[value])?;
        }
        Some(values)
    }

    /// The term with what is known put in its place.
    fn rewritten(&mut self, terms: &mut Store, t: Term, done: &mut FxHashMap<Term, Term>) -> Term {
        if let Some(new) = done.get(&t) {
            return *new;
        }
        let new = match self.values(terms, t).as_deref() {
            Some([only]) => *only,
            _ if terms.args(t).is_empty() || terms.quantifier(t).is_some() => t,
            _ => {
                let args: SmallVec<[Term; 3]> = terms.args(t).into();
                let new: SmallVec<[Term; 3]> = args.iter().map(|a| self.rewritten(terms, *a, done)).collect();
                if new == args { t } else { terms.mk(terms.op(t), &new) }
            }
        };
        done.insert(t, new);
        new
    }
}

/// Both sets, if that is not too much.
fn union(a: &[Term], b: &[Term]) -> Option<Set> {
    let mut all: Set = a.into();
    all.extend(b.iter().copied().filter(|value| !a.contains(value)));
    all.sort_unstable();
    (all.len() <= VALUES).then_some(all)
}

/// What is known of one or the other.
fn join(a: &Known, b: &Known) -> Known {
    a.iter().filter_map(|(v, set)| Some((*v, union(set, b.get(v)?)?))).collect()
}

/// What is in both.
fn meet(a: &Known, b: &Known) -> Known {
    let common = |v: &Var, set: &Set| -> Set {
        set.iter().copied().filter(|value| b.get(v).is_some_and(|other| other.contains(value))).collect()
    };
    a.iter().map(|(v, set)| (*v, common(v, set))).filter(|(_, set)| !set.is_empty()).collect()
}

fn add(sets: &mut Known, var: Var, values: impl Iterator<Item = Term>) {
    for value in values {
        let set = sets.entry(var).or_default();
        if !set.contains(&value) {
            set.push(value);
        }
    }
}
