//! Normal forms of formulas: negation normal form, conjuncts, disjuncts, clauses.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::op::Op;
use crate::store::{Store, Term};

/// The terms whose conjunction `t` is: nested conjunctions flattened, each once, in order of first occurrence.
pub fn conjuncts(store: &Store, t: Term) -> Vec<Term> {
    flatten(store, t, Op::And)
}

/// The terms whose disjunction `t` is.
pub fn disjuncts(store: &Store, t: Term) -> Vec<Term> {
    flatten(store, t, Op::Or)
}

/// Two conjunctions as what both say, and what is left of each. `common ∧ (left ∨ right)` is their disjunction: solvers see at once what holds either
/// way, and conditions of paths that meet do not pile up.
pub fn factored(store: &mut Store, a: Term, b: Term) -> (Term, [Term; 2]) {
    let parts = [conjuncts(store, a), conjuncts(store, b)];
    let of_b: FxHashSet<Term> = parts[1].iter().copied().collect();
    let common: Vec<Term> = parts[0].iter().copied().filter(|part| of_b.contains(part)).collect();
    if common.is_empty() {
        return (store.tt(), [a, b]);
    }
    let is_common: FxHashSet<Term> = common.iter().copied().collect();
    let rests = parts.map(|mut parts| {
        parts.retain(|part| !is_common.contains(part));
        store.and_all(&parts)
    });
    (store.and_all(&common), rests)
}

fn flatten(store: &Store, t: Term, op: Op) -> Vec<Term> {
    let mut seen = FxHashSet::default();
    let mut parts = Vec::new();
    let mut stack = vec![t];
    while let Some(t) = stack.pop() {
        if !seen.insert(t) {
            continue;
        }
        if store.op(t) == op {
            stack.extend(store.args(t).iter().rev());
        } else {
            parts.push(t);
        }
    }
    parts
}

/// The negation in negation normal form.
pub fn negate(store: &mut Store, t: Term) -> Term {
    Nnf::default().run(store, t, false)
}

/// Negation normal form: conjunctions and disjunctions over literals, where a literal is an atom or its negation.
/// Negation disappears into comparisons and quantifiers; `xor`, equality and `ite` of formulas are spelled out.
pub fn nnf(store: &mut Store, t: Term) -> Term {
    Nnf::default().run(store, t, true)
}

/// Results so far, by term and whether it stands positively.
#[derive(Default)]
struct Nnf {
    memo: FxHashMap<(Term, bool), Term>,
}

impl Nnf {
    fn run(&mut self, store: &mut Store, root: Term, positive: bool) -> Term {
        let mut stack = vec![(root, positive, false)];
        while let Some((t, positive, ready)) = stack.pop() {
            if self.memo.contains_key(&(t, positive)) {
                continue;
            }
            let needs = needs(store, t, positive);
            if !ready && !needs.is_empty() {
                stack.push((t, positive, true));
                stack.extend(needs.into_iter().map(|(t, positive)| (t, positive, false)));
                continue;
            }
            let result = self.step(store, t, positive);
            self.memo.insert((t, positive), result);
        }
        self.memo[&(root, positive)]
    }

    fn get(&self, t: Term, positive: bool) -> Term {
        self.memo[&(t, positive)]
    }

    /// The result for a term whose needs are met.
    fn step(&self, store: &mut Store, t: Term, positive: bool) -> Term {
        let args = store.args(t).to_vec();
        match (store.op(t), &args[..]) {
            (Op::Not, &[a]) => self.get(a, !positive),
            (op @ (Op::And | Op::Or), &[a, b]) => {
                let op = if (op == Op::And) == positive { Op::And } else { Op::Or };
                store.mk(op, &[self.get(a, positive), self.get(b, positive)])
            }
            (op @ (Op::Xor | Op::Eq), &[a, b]) if store.sort(a).is_bool() => {
                // a = b  is  (a | !b) & (!a | b);  a xor b  is  (a | b) & (!a | !b)
                let equal = (op == Op::Eq) == positive;
                let left = store.or(self.get(a, true), self.get(b, !equal));
                let right = store.or(self.get(a, false), self.get(b, equal));
                store.and(left, right)
            }
            (Op::Ite, &[c, a, b]) if store.sort(t).is_bool() => {
                let then = store.or(self.get(c, false), self.get(a, positive));
                let otherwise = store.or(self.get(c, true), self.get(b, positive));
                store.and(then, otherwise)
            }
            (op @ (Op::Forall | Op::Exists), [bound @ .., body]) => {
                let body = self.get(*body, positive);
                let op = if (op == Op::Forall) == positive { Op::Forall } else { Op::Exists };
                let mut args = bound.to_vec();
                args.push(body);
                store.mk(op, &args)
            }
            _ if positive => t,
            (Op::BvUlt, &[a, b]) => store.ule(b, a),
            (Op::BvUle, &[a, b]) => store.ult(b, a),
            (Op::BvSlt, &[a, b]) => store.sle(b, a),
            (Op::BvSle, &[a, b]) => store.slt(b, a),
            _ => store.not(t),
        }
    }
}

/// Which results the normal form of a term is made of.
fn needs(store: &Store, t: Term, positive: bool) -> Vec<(Term, bool)> {
    let both = |a: Term| [(a, true), (a, false)];
    match (store.op(t), store.args(t)) {
        (Op::Not, &[a]) => vec![(a, !positive)],
        (Op::And | Op::Or, &[a, b]) => vec![(a, positive), (b, positive)],
        (Op::Xor | Op::Eq, &[a, b]) if store.sort(a).is_bool() => [both(a), both(b)].concat(),
        (Op::Ite, &[c, a, b]) if store.sort(t).is_bool() => {
            vec![(c, true), (c, false), (a, positive), (b, positive)]
        }
        (Op::Forall | Op::Exists, [.., body]) => vec![(*body, positive)],
        _ => Vec::new(),
    }
}

/// A disjunction of literals, sorted, each once.
pub type Clause = Vec<Term>;

/// Conjunctive normal form by distribution: the clauses, or `None` when there would be more than `limit`.
/// Tautologies are left out; an empty clause is false; no clauses are true.
pub fn cnf(store: &mut Store, t: Term, limit: usize) -> Option<Vec<Clause>> {
    let t = nnf(store, t);
    clauses(store, t, limit, Op::And)
}

/// Disjunctive normal form by distribution: the cubes, or `None` when there would be more than `limit`.
pub fn dnf(store: &mut Store, t: Term, limit: usize) -> Option<Vec<Clause>> {
    let t = nnf(store, t);
    clauses(store, t, limit, Op::Or)
}

/// Distributes so that `outer` ends up outside.
fn clauses(store: &mut Store, root: Term, limit: usize, outer: Op) -> Option<Vec<Clause>> {
    let inner = if outer == Op::And { Op::Or } else { Op::And };
    // In conjunctive form `true` is no clause and `false` an empty one; dually otherwise.
    let unit = store.bool(outer == Op::And);
    let zero = store.bool(outer != Op::And);
    let mut memo: FxHashMap<Term, Vec<Clause>> = FxHashMap::default();
    let mut stack = vec![(root, false)];
    while let Some((t, ready)) = stack.pop() {
        if memo.contains_key(&t) {
            continue;
        }
        let op = store.op(t);
        if !ready && (op == outer || op == inner) {
            stack.push((t, true));
            stack.extend(store.args(t).iter().map(|&arg| (arg, false)));
            continue;
        }
        let result = if op == outer {
            let mut all: Vec<Clause> = store.args(t).iter().flat_map(|arg| memo[arg].iter().cloned()).collect();
            all.sort_unstable();
            all.dedup();
            all
        } else if op == inner {
            let (left, right) = (memo[&store.arg(t, 0)].clone(), memo[&store.arg(t, 1)].clone());
            if left.len().checked_mul(right.len()).is_none_or(|product| product > limit.saturating_mul(4)) {
                return None;
            }
            product(store, &left, &right)
        } else if t == unit {
            Vec::new()
        } else if t == zero {
            vec![Vec::new()]
        } else {
            vec![vec![t]]
        };
        if result.len() > limit {
            return None;
        }
        memo.insert(t, result);
    }
    memo.remove(&root)
}

/// Every clause of one side joined with every clause of the other; tautologies dropped.
fn product(store: &mut Store, left: &[Clause], right: &[Clause]) -> Vec<Clause> {
    let mut all = Vec::new();
    for a in left {
        for b in right {
            let mut clause: Clause = a.iter().chain(b).copied().collect();
            clause.sort_unstable();
            clause.dedup();
            let tautology = clause.clone().into_iter().any(|literal| {
                let opposite = negate(store, literal);
                clause.binary_search(&opposite).is_ok()
            });
            if !tautology {
                all.push(clause);
            }
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// The formula a list of clauses stands for.
pub fn from_clauses(store: &mut Store, clauses: &[Clause]) -> Term {
    let clauses: Vec<Term> = clauses.iter().map(|clause| store.or_all(clause)).collect();
    store.and_all(&clauses)
}
