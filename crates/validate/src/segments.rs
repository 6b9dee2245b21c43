//! From one cut to the next ones by ranges alone: what a solver need not be asked.
//!
//! Between cuts the automaton has no cycles, so one pass in the weak topological order gives ranges everywhere, edge by
//! edge and joined where edges meet: linear where a formula over all paths is not. What the ranges at the end exclude
//! or imply is settled; the rest is named, with the part of the automaton that leads there.
//!
//! An invariant that has cases (the states of a state machine, say, as a disjunction or as a tree of decisions) is taken case by
//! case: then ranges that differ are kept apart where edges meet, up to a number of them. What a case says beyond ranges (that two
//! variables are equal, say) goes along as it is while its variables do not change. Where a case says that a variable is a choice between others
//! (the phases of a protocol), ranges settle nothing, and all of it is left open: what the variables hold is put in their place there.

use crate::bounds::{Bounds, Pair};
use crate::limits::segments::{FEWEST_CASES, MOST_APART, MOST_CASES, MOST_FACTS, MOST_LOOKS};
use crate::needed::Needed;
use base::cpu::Deadline;
use base::{SharedMap, Table};
use cfa::{Edge, Loc, Op, Program};
use flow::wto::Wto;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use term::normal::conjuncts;
use term::{Store, Term};

/// What ranges leave to be shown, from one cut.
pub(crate) struct Open {
    pub(crate) targets: BTreeSet<Loc>,
    /// Conjuncts of the invariants at the heads that come next.
    pub(crate) heads: BTreeMap<Loc, Vec<Term>>,
    /// The edges on ways there.
    pub(crate) edges: FxHashSet<Edge>,
}

/// Ranges of variables, and what the case where they come from says beyond ranges about variables that have not changed since:
/// each such fact with its variables.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    ranges: Bounds,
    facts: SharedMap<Term, Vec<Term>>,
}

/// States of which some hold, each with where it comes from: one where there are no cases.
#[derive(Default)]
struct States {
    all: Vec<(State, Node)>,
    /// Of all that are kept apart: to see quickly that one is new.
    known: FxHashMap<State, Node>,
}

/// A state at a location.
#[derive(Clone, Copy)]
struct Node(usize);

/// How each node is reached: from others, along edges.
#[derive(Default)]
struct Ways(Vec<Vec<(Node, Edge)>>);

impl Ways {
    fn node(&mut self) -> Node {
        self.0.push(Vec::new());
        Node(self.0.len() - 1)
    }

    /// The edges on ways to these nodes.
    fn edges_to(&self, mut pending: Vec<Node>) -> FxHashSet<Edge> {
        let mut edges = FxHashSet::default();
        let mut seen = vec![false; self.0.len()];
        while let Some(Node(node)) = pending.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                edges.extend(self.0[node].iter().map(|(_, edge)| *edge));
                pending.extend(self.0[node].iter().map(|(from, _)| *from));
            }
        }
        edges
    }
}

/// Where a proof is proved again.
pub(crate) struct Segments<'a> {
    pub(crate) program: &'a Program,
    pub(crate) wto: &'a Wto,
    pub(crate) successors: &'a Table<Loc, Vec<Edge>>,
    pub(crate) invariants: &'a BTreeMap<Loc, Term>,
    /// Whether some invariant has cases.
    pub(crate) by_cases: bool,
    /// Where there are cases: what may be forgotten on the way.
    pub(crate) needed: Option<&'a Needed>,
    /// The variables whose differences the invariants are about.
    pub(crate) pairs: &'a [Pair],
    pub(crate) deadline: Deadline,
}

/// Whether some invariant has cases.
pub(crate) fn have_cases(terms: &Store, invariants: &BTreeMap<Loc, Term>) -> bool {
    invariants.values().any(|invariant| cases(terms, *invariant).is_some())
}

impl Segments<'_> {
    /// All of it, as if ranges settled nothing.
    pub(crate) fn everything(&self, terms: &Store) -> Open {
        let main = self.program.main();
        let claimed = |head: Loc| self.invariants.get(&head).map_or_else(Vec::new, |t| conjuncts(terms, *t));
        Open {
            targets: main.locs.iter().filter(|(_, info)| info.kind.is_target()).map(|(loc, _)| loc).collect(),
            heads: self.wto.heads().map(|head| (head, claimed(head))).collect(),
            edges: main.edges.ids().collect(),
        }
    }

    /// What is open from `start`, in any state in which its invariant holds, if it has one: the facts of each case that ranges do
    /// not settle, and what is to be shown there. Nothing at the deadline.
    pub(crate) fn open_cases(&self, terms: &Store, start: Loc) -> Option<Vec<(Vec<Term>, Open)>> {
        let cases = self.invariants.get(&start).map_or_else(|| vec![Vec::new()], |t| split(terms, *t));
        if cases.len() > 1 && cases.iter().flatten().any(|fact| is_choice(self.program, terms, *fact)) {
            return Some(cases.into_iter().map(|facts| (facts, self.everything(terms))).collect());
        }
        // All at once: cases that meet are followed once.
        let all = self.open_from(
            terms,
            start,
            cases.iter().filter_map(|facts| State::of(terms, facts, self.pairs)).collect(),
        )?;
        if all.edges.is_empty() {
            return Some(Vec::new());
        }
        if let [_] = cases[..] {
            return Some(cases.into_iter().zip([all]).collect());
        }
        let mut open = Vec::new();
        for facts in cases {
            let here = self.open_from(terms, start, State::of(terms, &facts, self.pairs).into_iter().collect())?;
            if !here.edges.is_empty() {
                open.push((facts, here));
            }
        }
        Some(open)
    }

    fn open_from(&self, terms: &Store, start: Loc, states: Vec<State>) -> Option<Open> {
        let Segments { program, wto, successors, invariants, by_cases, needed, deadline, .. } = *self;
        let main = program.main();
        let mut open = Open { targets: BTreeSet::new(), heads: BTreeMap::new(), edges: FxHashSet::default() };
        let mut at_heads: BTreeMap<Loc, States> = BTreeMap::new();
        let mut ways = Ways::default();
        let mut open_ends: Vec<Node> = Vec::new();
        let mut first = States::default();
        for mut state in states {
            if let Some(needed) = needed {
                let matters = |t: Term| program.var_of(t).is_none_or(|var| needed.at(start, var));
                let gone: Vec<Term> = state.variables().into_iter().filter(|t| !matters(*t)).collect();
                state.forget(&gone);
            }
            first.add(state, by_cases, &mut ways);
        }
        let mut pending: BTreeMap<u32, States> = BTreeMap::from([(wto.position(start), first)]);
        while let Some((position, here)) = pending.pop_first() {
            if deadline.is_over() {
                return None;
            }
            for &edge in &successors[wto.loc_at(position)] {
                let info = &main.edges[edge];
                let is_target = main.locs[info.to].kind.is_target();
                for (state, node) in &here.all {
                    let Some(mut after) = state.after(program, terms, &info.op) else { continue };
                    if let Some(needed) = needed {
                        after.forget(needed.ended(edge));
                    }
                    let reached = if wto.is_head(info.to) {
                        at_heads.entry(info.to).or_default().add(after, by_cases, &mut ways)
                    } else if is_target {
                        open.targets.insert(info.to);
                        let end = ways.node();
                        open_ends.push(end);
                        end
                    } else {
                        pending.entry(wto.position(info.to)).or_default().add(after, by_cases, &mut ways)
                    };
                    ways.0[reached.0].push((*node, edge));
                }
            }
        }
        for (head, states) in at_heads {
            let claimed = invariants.get(&head).map_or_else(Vec::new, |t| conjuncts(terms, *t));
            let mut rest: BTreeSet<usize> = BTreeSet::new();
            for (state, node) in &states.all {
                let left = claimed.iter().enumerate().filter(|(_, conjunct)| !state.implies(terms, **conjunct));
                let left: Vec<usize> = left.map(|(index, _)| index).collect();
                rest.extend(&left);
                if !left.is_empty() {
                    open_ends.push(*node);
                }
            }
            if !rest.is_empty() {
                open.heads.insert(head, rest.into_iter().map(|index| claimed[index]).collect());
            }
        }
        open.edges = ways.edges_to(open_ends);
        Some(open)
    }
}

impl State {
    /// What the facts of a case say; nothing if they contradict each other.
    fn of(terms: &Store, facts: &[Term], pairs: &[Pair]) -> Option<State> {
        let mut ranges = Bounds::default();
        ranges.follow(terms, pairs);
        if !facts.iter().all(|fact| ranges.assume(terms, *fact, true)) {
            return None;
        }
        let beyond = facts.iter().flat_map(|fact| conjuncts(terms, *fact)).filter(|fact| !ranges.implies(terms, *fact));
        let facts = beyond.take(MOST_FACTS).map(|fact| (fact, term::walk::free_vars(terms, &[fact]))).collect();
        Some(State { ranges, facts })
    }

    /// After an edge; none if it cannot be taken.
    fn after(&self, program: &Program, terms: &Store, op: &Op) -> Option<State> {
        let mut after = self.clone();
        match op {
            Op::Assume(condition) => {
                let excluded = |fact: &Term| {
                    let is_not = |a: Term, b: Term| terms.op(a) == term::Op::Not && terms.arg(a, 0) == b;
                    is_not(*fact, *condition) || is_not(*condition, *fact)
                };
                if self.facts.keys().any(excluded) || !after.ranges.assume(terms, *condition, true) {
                    return None;
                }
            }
            Op::Assign(pairs) => {
                let pairs: Vec<(Term, Term)> = pairs.iter().map(|(var, t)| (program.term(*var), *t)).collect();
                after.ranges.assign(terms, &pairs);
            }
            op => op.written().into_iter().for_each(|var| after.ranges.forget(program.term(var))),
        }
        if !after.facts.is_empty() {
            let written: Vec<Term> = op.written().into_iter().map(|var| program.term(var)).collect();
            after.forget_facts(&written);
        }
        Some(after)
    }

    /// Nothing is known of the variables any more.
    fn forget(&mut self, vars: &[Term]) {
        vars.iter().for_each(|var| self.ranges.forget(*var));
        self.forget_facts(vars);
    }

    /// What is said beyond ranges of any of the variables does not hold any more.
    fn forget_facts(&mut self, vars: &[Term]) {
        if self.facts.is_empty() {
            return;
        }
        let is_gone = |(_, about): &(&Term, &Vec<Term>)| about.iter().any(|var| vars.contains(var));
        let gone: Vec<Term> = self.facts.iter().filter(is_gone).map(|(fact, _)| *fact).collect();
        gone.iter().for_each(|fact| _ = self.facts.remove(fact));
    }

    /// The variables that something is known about.
    fn variables(&self) -> Vec<Term> {
        self.ranges.variables().chain(self.facts.values().flatten().copied()).collect()
    }

    /// The states of both.
    fn join(&mut self, other: &State) {
        self.ranges.join(&other.ranges);
        if self.facts != other.facts {
            let gone: Vec<Term> = self.facts.keys().filter(|fact| !other.facts.contains_key(*fact)).copied().collect();
            gone.iter().for_each(|fact| _ = self.facts.remove(fact));
        }
    }

    /// Whether the invariant's conjunct holds: nothing of the ranges is left without it.
    fn implies(&self, terms: &Store, conjunct: Term) -> bool {
        self.left(terms, self.ranges.clone(), conjunct, &mut { MOST_LOOKS }).is_empty()
    }

    /// Parts of the ranges that cover all states where the tree of conjunctions and disjunctions does not hold. Ranges that lie
    /// in several cases are taken apart at the borders of the cases. Without looks left, all of it.
    fn left(&self, terms: &Store, mut ranges: Bounds, tree: Term, looks: &mut u32) -> Vec<Bounds> {
        if self.facts.contains_key(&tree) {
            return Vec::new();
        }
        if *looks == 0 {
            return vec![ranges];
        }
        *looks -= 1;
        let args = terms.args(tree);
        match terms.op(tree) {
            term::Op::And => {
                // Most cases are another's, by one of their facts.
                if args.iter().any(|arg| ranges.truth(terms, *arg) == Some(false)) {
                    return vec![ranges];
                }
                let mut rest = Vec::new();
                for arg in args {
                    rest.extend(self.left(terms, ranges.clone(), *arg, looks));
                    if !ranges.assume(terms, *arg, true) {
                        break;
                    }
                }
                rest
            }
            term::Op::Or => args.iter().fold(vec![ranges], |rest, arg| {
                rest.into_iter().flat_map(|ranges| self.left(terms, ranges, *arg, looks)).collect()
            }),
            _ if ranges.implies(terms, tree) => Vec::new(),
            _ => {
                ranges.assume(terms, tree, false);
                vec![ranges]
            }
        }
    }
}

/// Whether the fact says that a variable is a choice between other terms.
fn is_choice(program: &Program, terms: &Store, fact: Term) -> bool {
    let sides = terms.args(fact);
    terms.op(fact) == term::Op::Eq
        && sides.iter().any(|side| program.var_of(*side).is_some())
        && sides.iter().any(|side| terms.op(*side) == term::Op::Ite)
}

/// The cases of an invariant, each as the facts that hold in it; just one where there are few or too many.
fn split(terms: &Store, invariant: Term) -> Vec<Vec<Term>> {
    let mut rest = conjuncts(terms, invariant);
    let Some(tree) = cases(terms, invariant) else { return vec![rest] };
    rest.retain(|conjunct| *conjunct != tree);
    ways(terms, vec![rest], tree)
}

/// Each of the lists of facts, continued in each way through a tree of decisions.
fn ways(terms: &Store, lists: Vec<Vec<Term>>, tree: Term) -> Vec<Vec<Term>> {
    let args = terms.args(tree).iter();
    match terms.op(tree) {
        term::Op::And => args.fold(lists, |lists, arg| ways(terms, lists, *arg)),
        term::Op::Or => args.flat_map(|arg| ways(terms, lists.clone(), *arg)).collect(),
        _ => lists.into_iter().map(|facts| [facts, vec![tree]].concat()).collect(),
    }
}

/// The conjunct that has most cases; nothing where there are few or too many. What is no more than a clause, one of several unlike things
/// that hold, has none: to go through its ways apart multiplies the work, and each of them says less than a case does.
fn cases(terms: &Store, invariant: Term) -> Option<Term> {
    let mut counts = FxHashMap::default();
    let counted = conjuncts(terms, invariant).into_iter().map(|t| (count(terms, t, &mut counts), t));
    let (most, split) = counted.filter(|(_, t)| has_common(terms, *t)).max_by_key(|(n, _)| *n)?;
    (FEWEST_CASES..=MOST_CASES).contains(&most).then_some(split)
}

/// Whether something is said of one variable in all ways to go through conjunctions and disjunctions: of the state of a machine, say.
fn has_common(terms: &Store, tree: Term) -> bool {
    // What is said of in each way, by term, from the leaves up.
    let mut about: FxHashMap<Term, BTreeSet<Term>> = FxHashMap::default();
    let mut pending = vec![(tree, false)];
    while let Some((t, is_second)) = pending.pop() {
        if about.contains_key(&t) {
            continue;
        }
        let is_all = terms.op(t) == term::Op::And;
        if !is_all && terms.op(t) != term::Op::Or {
            about.insert(t, term::walk::free_vars(terms, &[t]).into_iter().collect());
        } else if is_second {
            let mut parts = terms.args(t).iter().map(|arg| &about[arg]);
            let first = parts.next().cloned().unwrap_or_default();
            about.insert(t, parts.fold(first, |sum, part| if is_all { &sum | part } else { &sum & part }));
        } else {
            pending.push((t, true));
            pending.extend(terms.args(t).iter().map(|arg| (*arg, false)));
        }
    }
    !about[&tree].is_empty()
}

/// Of conjunctions and disjunctions, the number of ways to go through them.
fn count(terms: &Store, tree: Term, counts: &mut FxHashMap<Term, u64>) -> u64 {
    if let Some(known) = counts.get(&tree) {
        return *known;
    }
    let args = terms.args(tree).iter();
    let number = match terms.op(tree) {
        term::Op::And => args.fold(1, |n: u64, arg| n.saturating_mul(count(terms, *arg, counts))),
        term::Op::Or => args.fold(0, |n: u64, arg| n.saturating_add(count(terms, *arg, counts))),
        _ => 1,
    };
    counts.insert(tree, number);
    number
}

impl States {
    /// Takes in one more: joined with those that are there, or beside them where there are cases.
    fn add(&mut self, state: State, by_cases: bool, ways: &mut Ways) -> Node {
        if by_cases {
            if let Some(node) = self.known.get(&state) {
                return *node;
            }
            if self.all.len() < MOST_APART {
                let node = ways.node();
                self.known.insert(state.clone(), node);
                self.all.push((state, node));
                return node;
            }
        }
        match self.all.first_mut() {
            Some((first, node)) => {
                first.join(&state);
                *node
            }
            None => {
                let node = ways.node();
                self.all.push((state, node));
                node
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use term::random::Rng;
    use term::{Bits, Op, Sort, Value, eval};

    /// A comparison of `x` or `y` with a constant, or a tree of them.
    fn tree(terms: &mut Store, rng: &mut Rng, vars: &[Term; 2], depth: u32) -> Term {
        if depth == 0 {
            let constant = terms.value(&Value::Bv(Bits::new(rng.below(8) as u128, 3)));
            let op = [Op::Eq, Op::BvUle, Op::BvUlt, Op::BvSle][rng.below(4)];
            let var = vars[rng.below(2)];
            return if rng.below(2) == 0 { terms.mk(op, &[var, constant]) } else { terms.mk(op, &[constant, var]) };
        }
        let parts: Vec<Term> = (0..2 + rng.below(3)).map(|_| tree(terms, rng, vars, depth - 1)).collect();
        if depth.is_multiple_of(2) { terms.or_all(&parts) } else { terms.and_all(&parts) }
    }

    #[test]
    fn a_clause_about_unlike_things_has_no_cases() {
        let mut terms = Store::new();
        let state = terms.var("state", Sort::Bv(8));
        let numbers: Vec<Term> = (0..4).map(|n| terms.bv(n, 8)).collect();
        let machine: Vec<Term> = numbers
            .iter()
            .map(|n| {
                let (at, other) = (terms.eq(state, *n), terms.var("x", Sort::Bv(8)));
                let less = terms.ult(other, *n);
                terms.and(at, less)
            })
            .collect();
        let clause: Vec<Term> =
            ["a", "b", "c", "d"].map(|name| terms.var(name, Sort::Bv(8))).map(|x| terms.ult(x, numbers[1])).to_vec();
        let (machine, clause) = (terms.or_all(&machine), terms.or_all(&clause));
        let both = terms.and(machine, clause);
        assert_eq!(cases(&terms, clause), None);
        assert_eq!(cases(&terms, both), Some(machine));
    }

    #[test]
    fn what_ranges_are_said_to_imply_holds_in_all_their_states() {
        let mut rng = Rng::new(7);
        let (mut implied, mut apart) = (0, 0);
        for _ in 0..3_000 {
            let mut terms = Store::new();
            let vars = [terms.var("x", Sort::Bv(3)), terms.var("y", Sort::Bv(3))];
            let (known, claimed) = (tree(&mut terms, &mut rng, &vars, 1), tree(&mut terms, &mut rng, &vars, 2));
            let Some(state) = State::of(&terms, &[known], &[]) else { continue };
            let is_implied = state.implies(&terms, claimed);
            implied += u32::from(is_implied);
            let in_one = terms.args(claimed).iter().any(|case| state.implies(&terms, *case));
            apart += u32::from(is_implied && !in_one);
            for state in 0..64u128 {
                let values = [(vars[0], state % 8), (vars[1], state / 8)];
                let values: BTreeMap<Term, Value> =
                    values.into_iter().map(|(v, n)| (v, Value::Bv(Bits::new(n, 3)))).collect();
                let holds = |t: Term| eval(&terms, t, &values) == Ok(Value::Bool(true));
                assert!(
                    !is_implied || !holds(known) || holds(claimed),
                    "{}",
                    term::smtlib::print_term(&terms, claimed)
                );
            }
        }
        // Something is decided, also where no case holds in all states.
        assert!(implied > 100 && apart > 10, "{implied} {apart}");
    }
}
