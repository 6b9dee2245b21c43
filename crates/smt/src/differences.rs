//! Contradictions between comparisons of variables, up to constants, before any solver is asked.
//!
//! `x + 1 ≤ y` over bit-vectors is not `x - y ≤ -1`, since the sum may wrap around; but it is for all values of `x` except
//! the last, and for that one the sum is the least number. So a comparison is a choice between a few conjunctions of
//! *differences* `u - v ≤ k` over the integers, and differences contradict each other where they close a cycle of negative
//! weight. Choices are made like a SAT solver does: those with one way left first. Solvers compare bit by bit, and need
//! milliseconds for what takes microseconds here.
//!
//! Anything else in a formula is a variable that can have any value, so what is refuted here is contradictory.

use crate::cases::connective_cases;
use crate::limits::differences::{MAX_CASES, MAX_GOALS, MAX_VARIABLES};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use term::{Op, Sort, Store, Term, walk};
/// No bound is known.
const FREE: i128 = i128::MAX / 4;

/// Whether the conjunction is contradictory for a reason that is seen here. `false` says nothing.
pub fn contradictory(terms: &Store, conjunction: &[Term]) -> bool {
    let Some(nodes) = variables(terms, conjunction) else { return false };
    let size = nodes.len() + 1;
    let mut state = State { size, bounds: vec![FREE; size * size], truths: FxHashMap::default(), pending: Vec::new() };
    for node in 0..size {
        state.bounds[node * size + node] = 0;
    }
    for (&term, &node) in &nodes {
        let range = Range::signed(terms.width(term));
        state.add(Difference { less: node, more: 0, by: range.last() });
        state.add(Difference { less: 0, more: node, by: -range.first });
    }
    let start = conjunction.iter().map(|t| Step::Goal(Goal::Formula(*t, true))).collect();
    !state.take(start) || Search { terms, nodes, cases: 0, goals: 0 }.refutes(state)
}

/// The numbers that `width` bits stand for.
#[derive(Clone, Copy)]
struct Range {
    first: i128,
    size: i128,
}

impl Range {
    fn signed(width: u32) -> Range {
        Range { first: -(1 << (width - 1)), size: 1 << width }
    }

    fn unsigned(width: u32) -> Range {
        Range { first: 0, size: 1 << width }
    }

    fn last(&self) -> i128 {
        self.first + self.size - 1
    }
}

/// A term plus a constant.
#[derive(Clone, Copy, Debug)]
struct Side {
    term: Term,
    add: i128,
}

#[derive(Clone, Copy, Debug)]
enum Relation {
    Less { signed: bool, strict: bool },
    Equal,
    Unequal,
}

/// What is to hold.
#[derive(Clone, Copy, Debug)]
enum Goal {
    Formula(Term, bool),
    Compare(Relation, Side, Side),
}

/// `less - more ≤ by`; the variable with number 0 is zero.
#[derive(Clone, Copy, Debug)]
struct Difference {
    less: usize,
    more: usize,
    by: i128,
}

enum Step {
    Goal(Goal),
    Difference(Difference),
}

type Case = Vec<Step>;

/// What holds so far.
#[derive(Clone)]
struct State {
    size: usize,
    /// The least `k` known with `u - v ≤ k`, closed under addition.
    bounds: Vec<i128>,
    /// Formulas that were goals.
    truths: FxHashMap<Term, bool>,
    pending: Vec<Goal>,
}

impl State {
    fn bound(&self, less: usize, more: usize) -> i128 {
        self.bounds[less * self.size + more]
    }

    fn admits(&self, step: &Step) -> bool {
        match step {
            Step::Goal(Goal::Formula(term, truth)) => self.truths.get(term).is_none_or(|known| known == truth),
            Step::Goal(Goal::Compare(..)) => true,
            Step::Difference(d) if d.less == d.more => d.by >= 0,
            Step::Difference(d) => self.bound(d.more, d.less) + d.by >= 0,
        }
    }

    /// Adds a difference that is admitted.
    fn add(&mut self, d: Difference) {
        if d.less == d.more || d.by >= self.bound(d.less, d.more) {
            return;
        }
        let to: Vec<i128> = (0..self.size).map(|j| self.bound(d.more, j)).collect();
        for i in 0..self.size {
            let from = self.bound(i, d.less);
            for (j, &to) in to.iter().enumerate().filter(|(_, to)| from < FREE && **to < FREE) {
                let bound = &mut self.bounds[i * self.size + j];
                *bound = (*bound).min(from + d.by + to);
            }
        }
    }

    /// Takes the steps; `false` if they contradict what holds.
    fn take(&mut self, case: Case) -> bool {
        case.into_iter().all(|step| {
            let admitted = self.admits(&step);
            match step {
                _ if !admitted => {}
                Step::Goal(Goal::Formula(term, truth)) if self.truths.insert(term, truth).is_some() => {}
                Step::Goal(goal) => self.pending.push(goal),
                Step::Difference(d) => self.add(d),
            }
            admitted
        })
    }
}

struct Search<'a> {
    terms: &'a Store,
    nodes: BTreeMap<Term, usize>,
    cases: u32,
    goals: u32,
}

impl Search<'_> {
    /// Whether the pending goals cannot all be met.
    fn refutes(&mut self, mut state: State) -> bool {
        loop {
            let mut open: Vec<(Goal, usize)> = Vec::new();
            let mut learned = false;
            while let Some(goal) = state.pending.pop() {
                self.goals += 1;
                if self.goals > MAX_GOALS {
                    return false;
                }
                let mut cases = self.cases(goal);
                cases.retain(|case| case.iter().all(|step| state.admits(step)));
                match cases.len() {
                    0 => return true,
                    1 if !state.take(cases.remove(0)) => return true,
                    1 => learned = true,
                    count => open.push((goal, count)),
                }
            }
            let Some(fewest) = (0..open.len()).min_by_key(|i| open[*i].1) else { return false };
            if learned {
                state.pending = open.into_iter().map(|(goal, _)| goal).collect();
                continue;
            }
            let (goal, _) = open.swap_remove(fewest);
            state.pending = open.into_iter().map(|(goal, _)| goal).collect();
            return self.cases(goal).into_iter().all(|case| {
                self.cases += 1;
                let mut next = state.clone();
                self.cases <= MAX_CASES && (!next.take(case) || self.refutes(next))
            });
        }
    }

    /// The ways to meet a goal.
    fn cases(&self, goal: Goal) -> Vec<Case> {
        match goal {
            Goal::Formula(term, truth) => self.formula(term, truth),
            Goal::Compare(relation, left, right) => self.compare(relation, left, right),
        }
    }

    fn formula(&self, term: Term, truth: bool) -> Vec<Case> {
        let args = self.terms.args(term);
        if let Some(cases) = connective_cases(self.terms, term, truth) {
            let goals =
                |case: Vec<(Term, bool)>| case.into_iter().map(|(t, b)| Step::Goal(Goal::Formula(t, b))).collect();
            return cases.into_iter().map(goals).collect();
        }
        match (self.terms.op(term), args) {
            (op, &[a, b]) if is_comparison(self.terms, term) => {
                let (a, b) = (Side { term: a, add: 0 }, Side { term: b, add: 0 });
                let (signed, strict) = (matches!(op, Op::BvSlt | Op::BvSle), matches!(op, Op::BvSlt | Op::BvUlt));
                let goal = match (op, truth) {
                    (Op::Eq, true) => Goal::Compare(Relation::Equal, a, b),
                    (Op::Eq, false) => Goal::Compare(Relation::Unequal, a, b),
                    (_, true) => Goal::Compare(Relation::Less { signed, strict }, a, b),
                    (_, false) => Goal::Compare(Relation::Less { signed, strict: !strict }, b, a),
                };
                vec![vec![Step::Goal(goal)]]
            }
            // Nothing but true or false.
            _ => vec![Vec::new()],
        }
    }

    fn compare(&self, relation: Relation, left: Side, right: Side) -> Vec<Case> {
        let (left, right) = (stripped(self.terms, left), stripped(self.terms, right));
        for (side, other, swapped) in [(left, right, false), (right, left, true)] {
            let (Op::Ite, &[c, a, b]) = (self.terms.op(side.term), self.terms.args(side.term)) else { continue };
            let branch = |truth: bool, term: Term| {
                let side = Side { term, add: side.add };
                let (left, right) = if swapped { (other, side) } else { (side, other) };
                vec![Step::Goal(Goal::Formula(c, truth)), Step::Goal(Goal::Compare(relation, left, right))]
            };
            return vec![branch(true, a), branch(false, b)];
        }
        let width = self.terms.width(left.term);
        match relation {
            Relation::Less { signed, strict } => {
                let range = if signed { Range::signed(width) } else { Range::unsigned(width) };
                let mut cases = Vec::new();
                for (less, low, plus) in self.pieces(left, range) {
                    for (more, high, minus) in self.pieces(right, range) {
                        let by = minus - plus - i128::from(strict);
                        let all = low.iter().chain(&high).copied().chain([Difference { less, more, by }]);
                        cases.push(all.map(Step::Difference).collect());
                    }
                }
                cases
            }
            Relation::Equal | Relation::Unequal => {
                // The difference is one of two numbers.
                let ((a, plus), (b, minus)) = (self.node(left), self.node(right));
                let size = 1i128 << width;
                let high = (minus - plus).rem_euclid(size);
                let low = high - size;
                let between = |from: i128, to: i128| {
                    let below = Step::Difference(Difference { less: a, more: b, by: to });
                    vec![below, Step::Difference(Difference { less: b, more: a, by: -from })]
                };
                match relation {
                    Relation::Equal => vec![between(high, high), between(low, low)],
                    _ => vec![between(-size, low - 1), between(low + 1, high - 1), between(high + 1, size)],
                }
            }
        }
    }

    /// The variable of a side, or zero, and what is added to it.
    fn node(&self, side: Side) -> (usize, i128) {
        match constant(self.terms, side.term) {
            Some(value) => (0, value + side.add),
            None => (self.nodes[&side.term], side.add),
        }
    }

    /// For each part of the variable's range in which the side, taken as a number of `range`, is the variable plus a
    /// constant: the variable, the bounds of the part, and the constant.
    fn pieces(&self, side: Side, range: Range) -> Vec<(usize, Vec<Difference>, i128)> {
        let (node, add) = self.node(side);
        if node == 0 {
            return vec![(0, Vec::new(), range.first + (add - range.first).rem_euclid(range.size))];
        }
        let own = Range::signed(self.terms.width(side.term));
        let mut pieces = Vec::new();
        for turns in -2..=2 {
            let plus = add - turns * own.size;
            let (from, to) = ((range.first - plus).max(own.first), (range.last() - plus).min(own.last()));
            if from > to {
                continue;
            }
            let mut bounds = Vec::new();
            if to < own.last() {
                bounds.push(Difference { less: node, more: 0, by: to });
            }
            if from > own.first {
                bounds.push(Difference { less: 0, more: node, by: -from });
            }
            pieces.push((node, bounds, plus));
        }
        pieces
    }
}

/// Comparisons of at most 64 bits.
fn is_comparison(terms: &Store, term: Term) -> bool {
    matches!(terms.op(term), Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle)
        && terms.sort(terms.arg(term, 0)).bv_width().is_some_and(|width| width <= 64)
}

fn constant(terms: &Store, term: Term) -> Option<i128> {
    terms.as_bv_const(term)?.to_i128()
}

/// The side with constants that are added to its term moved over.
fn stripped(terms: &Store, mut side: Side) -> Side {
    while terms.op(side.term) == Op::BvAdd {
        let (a, b) = (terms.arg(side.term, 0), terms.arg(side.term, 1));
        side = match (constant(terms, a), constant(terms, b)) {
            (Some(add), _) => Side { term: b, add: side.add + add },
            (_, Some(add)) => Side { term: a, add: side.add + add },
            _ => return side,
        };
    }
    side
}

/// The variables that are compared, numbered from 1; `None` if there are too many, or none.
fn variables(terms: &Store, conjunction: &[Term]) -> Option<BTreeMap<Term, usize>> {
    let mut nodes = BTreeMap::new();
    for term in walk::postorder(terms, conjunction) {
        if terms.sort(term) != Sort::Bool || !is_comparison(terms, term) {
            continue;
        }
        let mut sides = vec![terms.arg(term, 0), terms.arg(term, 1)];
        while let Some(side) = sides.pop() {
            let side = stripped(terms, Side { term: side, add: 0 }).term;
            if terms.op(side) == Op::Ite {
                sides.extend([terms.arg(side, 1), terms.arg(side, 2)]);
            } else if constant(terms, side).is_none() {
                let next = nodes.len() + 1;
                nodes.entry(side).or_insert(next);
            }
        }
        if nodes.len() > MAX_VARIABLES {
            return None;
        }
    }
    (!nodes.is_empty()).then_some(nodes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Answer, SolverSettings};

    struct Dice(u64);

    impl Dice {
        fn below(&mut self, n: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % n
        }

        fn side(&mut self, terms: &mut Store, vars: &[Term], depth: u32) -> Term {
            let width = terms.width(vars[0]);
            let add = terms.bv(u128::from(self.below(1 << width)), width);
            match self.below(6) {
                0 => add,
                1 if depth > 0 => {
                    let condition = self.formula(terms, vars, depth - 1);
                    let (a, b) = (self.side(terms, vars, depth - 1), self.side(terms, vars, depth - 1));
                    terms.ite(condition, a, b)
                }
                2 | 3 => vars[self.below(vars.len() as u64) as usize],
                _ => terms.add(vars[self.below(vars.len() as u64) as usize], add),
            }
        }

        fn formula(&mut self, terms: &mut Store, vars: &[Term], depth: u32) -> Term {
            let choice = self.below(if depth == 0 { 5 } else { 10 });
            if choice < 5 {
                let (a, b) = (self.side(terms, vars, depth), self.side(terms, vars, depth));
                return match choice {
                    0 => terms.slt(a, b),
                    1 => terms.sle(a, b),
                    2 => terms.ult(a, b),
                    3 => terms.ule(a, b),
                    _ => terms.eq(a, b),
                };
            }
            let (a, b) = (self.formula(terms, vars, depth - 1), self.formula(terms, vars, depth - 1));
            match choice {
                5 => terms.not(a),
                6 => terms.or(a, b),
                7 => terms.eq(a, b),
                _ => terms.and(a, b),
            }
        }
    }

    /// What is refuted here is refuted by the solver; and nearly everything of this kind that is refuted there is here.
    #[test]
    fn agrees_with_the_solver() {
        let (mut refuted, mut missed) = (0, 0);
        for seed in 0..3000u64 {
            let mut dice = Dice(seed);
            let width = 2 + (seed % 4) as u32;
            let mut terms = Store::new();
            let vars: Vec<Term> = (0..3).map(|i| terms.var(&format!("v{i}"), Sort::Bv(width))).collect();
            let formulas: Vec<Term> = (0..5).map(|_| dice.formula(&mut terms, &vars, 2)).collect();
            let mut solver = crate::open(&SolverSettings::default()).expect("the solver is compiled in");
            let unsat = solver.check(&terms, &formulas).expect("an answer") == Answer::Unsat;
            let here = contradictory(&terms, &formulas);
            assert!(!here || unsat, "seed {seed}: {}", term::smtlib::print_term(&terms, formulas[0]));
            refuted += u32::from(here);
            missed += u32::from(unsat && !here);
        }
        assert!(refuted > 500 && missed * 20 < refuted, "{refuted} refuted, {missed} missed");
    }
}
