//! One case of a proof: a conjunction of literals, seen as equalities in a ring and as linear facts for the solver.
//!
//! The equalities among the literals generate an ideal for each width; a goal `a == b` holds when `a - b` reduces to zero.
//! For everything else the literals are rewritten with the equalities and made linear: products that are left become fresh
//! variables, about which only their range is said. That forgets, so *unsatisfiable* stays a proof, and the solver never
//! sees a wide multiplication.

use crate::limits::guess::{MAX_CASES, MAX_DEGREE, MAX_FIXED, MAX_PAIRS};
use crate::products::has_products;
use poly::{Bounds, Ideal, Monomial, Normaliser, Poly};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use term::{Op, Sort, Store, Term, normal};

pub(super) struct Case {
    literals: Vec<Term>,
    normaliser: Normaliser,
    /// Bit-vector terms known to be equal.
    equalities: Vec<(Term, Term)>,
    ideals: BTreeMap<u32, Ideal>,
    products: FxHashMap<(u32, Monomial), Term>,
    /// What is known of the fresh variables in `products`.
    ranges: Vec<Term>,
}

/// The facts as cases without disjunctions and conditional values. Together they cover all states in which the facts hold.
pub(super) fn split(store: &mut Store, facts: &[Term]) -> Vec<Vec<Term>> {
    let facts: Vec<Term> = facts.iter().rev().map(|f| normal::nnf(store, *f)).collect();
    let mut open = vec![(facts, Vec::new())];
    let mut cases = Vec::new();
    'next: while let Some((mut pending, mut done)) = open.pop() {
        while let Some(fact) = pending.pop() {
            match store.as_bool_const(fact) {
                Some(true) => continue,
                Some(false) => continue 'next,
                None => {}
            }
            let opposite = store.not(fact);
            if done.contains(&opposite) {
                continue 'next;
            }
            let room = open.len() + cases.len() < MAX_CASES;
            match store.op(fact) {
                Op::And => pending.extend(store.args(fact).iter().rev()),
                Op::Or => {
                    // What is known settles the disjunction or shortens it.
                    let mut disjuncts = normal::disjuncts(store, fact);
                    if disjuncts.iter().any(|d| done.contains(d)) {
                        continue;
                    }
                    disjuncts.retain(|d| !done.contains(&store.not(*d)));
                    if disjuncts.len() > 1 && !room {
                        done.push(fact);
                        continue;
                    }
                    // Each case excludes those before it.
                    let mut before = Vec::new();
                    for disjunct in disjuncts {
                        let mut pending = pending.clone();
                        pending.push(disjunct);
                        pending.extend(before.iter().copied());
                        open.push((pending, done.clone()));
                        let opposite = store.not(disjunct);
                        before.push(normal::nnf(store, opposite));
                    }
                    continue 'next;
                }
                _ => match conditional(store, fact).filter(|_| room) {
                    Some(ite) => {
                        let (condition, values) = (store.arg(ite, 0), [store.arg(ite, 1), store.arg(ite, 2)]);
                        let conditions = [condition, store.not(condition)];
                        for (condition, value) in conditions.into_iter().zip(values) {
                            let mut pending = pending.clone();
                            pending.push(term::substitute(store, fact, &[(ite, value)]));
                            pending.push(normal::nnf(store, condition));
                            open.push((pending, done.clone()));
                        }
                        continue 'next;
                    }
                    None if !done.contains(&fact) => done.push(fact),
                    None => {}
                },
            }
        }
        cases.push(done);
    }
    cases
}

/// A conditional bit-vector inside a literal.
fn conditional(store: &Store, literal: Term) -> Option<Term> {
    term::walk::postorder(store, &[literal])
        .into_iter()
        .find(|t| store.op(*t) == Op::Ite && store.sort(*t).bv_width().is_some())
}

impl Case {
    pub(super) fn new(store: &mut Store, literals: Vec<Term>) -> Case {
        let bounds = Bounds::from_literals(store, &literals);
        let mut case = Case {
            normaliser: Normaliser::new(bounds),
            equalities: Vec::new(),
            ideals: BTreeMap::new(),
            products: FxHashMap::default(),
            ranges: Vec::new(),
            literals,
        };
        for literal in &case.literals {
            if let (Op::Eq, &[a, b]) = (store.op(*literal), store.args(*literal))
                && matches!(store.sort(a), Sort::Bv(w) if w <= poly::WIDEST)
            {
                case.equalities.push((a, b));
            }
        }
        case.pinch(store);
        case
    }

    pub(super) fn literals(&self) -> &[Term] {
        &self.literals
    }

    /// `a <= b` and `b <= a` are an equality.
    fn pinch(&mut self, store: &mut Store) {
        // (signed, smaller, larger) with polynomials of both
        let mut orders: Vec<(bool, Term, Term, Poly, Poly)> = Vec::new();
        for literal in self.literals.clone() {
            let (signed, strict) = match store.op(literal) {
                Op::BvSlt => (true, true),
                Op::BvSle => (true, false),
                Op::BvUlt => (false, true),
                Op::BvUle => (false, false),
                _ => continue,
            };
            let (mut a, b) = (store.arg(literal, 0), store.arg(literal, 1));
            if strict {
                // What is smaller than something is not the largest number, so adding one does not wrap.
                let one = store.bv(1, store.width(a));
                a = store.add(a, one);
            }
            let Some(ideal) = self.ideal(store, a) else { continue };
            let (Some(p), Some(q)) = (self.normaliser.poly(store, a), self.normaliser.poly(store, b)) else { continue };
            orders.push((signed, a, b, ideal.reduce(&p), ideal.reduce(&q)));
        }
        let mut found = Vec::new();
        for (i, one) in orders.iter().enumerate() {
            for other in &orders[i + 1..] {
                if one.0 == other.0 && one.3 == other.4 && one.4 == other.3 && one.3.width() == other.3.width() {
                    found.push((one.1, one.2));
                }
            }
        }
        for (a, b) in found {
            self.learn(a, b);
        }
    }

    /// Adds an equality that follows from the literals.
    pub(super) fn learn(&mut self, a: Term, b: Term) {
        self.equalities.push((a, b));
        self.ideals.clear();
    }

    /// The ideal for the width of `t`: equalities of that width, and what others say at it.
    fn ideal(&mut self, store: &mut Store, t: Term) -> Option<Ideal> {
        let width = store.sort(t).bv_width().filter(|w| *w <= poly::WIDEST)?;
        if let Some(ideal) = self.ideals.get(&width) {
            return Some(ideal.clone());
        }
        let mut zeros = Vec::new();
        for (a, b) in self.equalities.clone() {
            let own = store.width(a);
            let pairs = match own.cmp(&width) {
                std::cmp::Ordering::Equal => vec![(a, b)],
                std::cmp::Ordering::Less => vec![
                    (store.sext_to(a, width), store.sext_to(b, width)),
                    (store.zext_to(a, width), store.zext_to(b, width)),
                ],
                std::cmp::Ordering::Greater => vec![(store.extract(a, width - 1, 0), store.extract(b, width - 1, 0))],
            };
            for (a, b) in pairs {
                zeros.extend(self.normaliser.difference(store, a, b));
            }
        }
        let mut ideal = Ideal::new(width);
        for zero in zeros {
            let zero = self.normaliser.primitive(store, &zero);
            ideal.add(&zero);
            for equation in self.normaliser.defining_equations(store, &zero) {
                ideal.add(&equation);
            }
        }
        self.ideals.insert(width, ideal.clone());
        Some(ideal)
    }

    /// Whether the equalities imply `a == b`.
    pub(super) fn proves_equal(&mut self, store: &mut Store, a: Term, b: Term) -> bool {
        let Some(mut ideal) = self.ideal(store, a) else { return false };
        let Some(p) = self.normaliser.difference(store, a, b) else { return false };
        for equation in self.normaliser.defining_equations(store, &p) {
            ideal.add(&equation);
        }
        if self.vanishes(store, &ideal, &p) {
            return true;
        }
        if p.degree() > 1 || ideal.rules().iter().any(|r| r.degree() > 1) {
            ideal.complete(MAX_PAIRS, MAX_DEGREE);
            return self.vanishes(store, &ideal, &p);
        }
        false
    }

    /// In the ideal, or a multiple by a power of two is and the value is too small to have lost bits.
    fn vanishes(&self, store: &Store, ideal: &Ideal, p: &Poly) -> bool {
        let rest = ideal.reduce(p);
        if rest.is_zero() || ideal.is_contradictory() {
            return true;
        }
        (1..=3u32).any(|k| {
            let room = 1i128 << (p.width().saturating_sub(k)).min(126);
            let small =
                |p: &Poly, signed| self.normaliser.value(store, p, signed).is_some_and(|v| v.lo > -room && v.hi < room);
            ideal.contains(&rest.scale(1 << k)) && [p, &rest].into_iter().any(|p| small(p, true) || small(p, false))
        })
    }

    /// Whether the equalities contradict each other or a disequality among the literals.
    pub(super) fn is_refuted(&mut self, store: &mut Store) -> bool {
        for literal in self.literals.clone() {
            if let Op::Not = store.op(literal)
                && let inner = store.arg(literal, 0)
                && let (Op::Eq, &[a, b]) = (store.op(inner), store.args(inner))
                && store.sort(a).bv_width().is_some()
                && self.proves_equal(store, a, b)
            {
                return true;
            }
        }
        self.ideals.values().any(Ideal::is_contradictory)
    }

    /// Remainders by constants and sides of comparisons: terms whose value the solver may know to be fixed.
    pub(super) fn questions(&mut self, store: &mut Store, goals: &[Term]) -> Vec<(Term, Term)> {
        let mut found = Vec::new();
        let mut roots = self.literals.clone();
        roots.extend(goals);
        for t in term::walk::postorder(store, &roots) {
            let (op, args) = (store.op(t), store.args(t).to_vec());
            match (op, &args[..]) {
                (Op::BvSrem | Op::BvUrem | Op::BvSdiv | Op::BvUdiv, &[a, b]) if store.is_const(b) => {
                    let signed = matches!(op, Op::BvSrem | Op::BvSdiv);
                    let remainder = if signed { store.srem(a, b) } else { store.urem(a, b) };
                    let zero = store.bv(0, store.width(t));
                    found.push((remainder, zero));
                }
                _ => {}
            }
        }
        for literal in self.literals.clone() {
            if matches!(store.op(literal), Op::BvSle | Op::BvUle) {
                found.push((store.arg(literal, 0), store.arg(literal, 1)));
            } else if matches!(store.op(literal), Op::BvSlt | Op::BvUlt) {
                let one = store.bv(1, store.width(store.arg(literal, 0)));
                let next = store.add(store.arg(literal, 0), one);
                found.push((next, store.arg(literal, 1)));
            }
        }
        found.sort_unstable();
        found.dedup();
        found.truncate(MAX_FIXED);
        found
    }

    /// The literals for the solver, products forgotten, for questions about `goals`.
    ///
    /// Everything is rewritten with the equalities, so an equality only defines its leading monomial: it is left out where
    /// nothing else mentions that.
    pub(super) fn linear_facts(&mut self, store: &mut Store, goals: &[Term]) -> Vec<Term> {
        let mut facts = Vec::new();
        for literal in self.literals.clone() {
            facts.extend(self.linear(store, literal));
        }
        let asked: Vec<Term> = goals.iter().filter_map(|g| self.linear(store, *g)).collect();
        let roots: Vec<Term> = facts.iter().chain(&asked).copied().collect();
        let mut mentioned: FxHashSet<Term> = term::walk::postorder(store, &roots).into_iter().collect();
        let mut rules: Vec<(Option<Term>, Term)> = Vec::new();
        let equalities = self.equalities.clone();
        let widths: BTreeSet<u32> = equalities.iter().map(|(a, _)| store.width(*a)).collect();
        for width in widths {
            let some = equalities.iter().find(|(a, _)| store.width(*a) == width).map(|(a, _)| *a);
            let Some(ideal) = some.and_then(|t| self.ideal(store, t)) else { continue };
            for rule in ideal.rules() {
                let (lead, c) = rule.leading().expect("rules are not zero");
                let defined = (c & 1 == 1 && lead.degree() > 0).then(|| self.factor(store, width, lead));
                let sum = self.linear_poly(store, rule);
                let zero = store.bv(0, width);
                if defined.is_none() {
                    // `i = 2 * j + 1` in two rules that say which bits are lost: as it was written a solver can put one side for the other.
                    for &(a, b) in &equalities {
                        let written = store.eq(a, b);
                        if store.width(a) == width && !has_products(store, written) && !facts.contains(&written) {
                            facts.push(written);
                        }
                    }
                }
                rules.push((defined, store.eq(sum, zero)));
            }
        }
        loop {
            let used = |(defined, _): &(Option<Term>, Term)| defined.is_none_or(|t| mentioned.contains(&t));
            let Some(next) = rules.iter().position(used) else { return facts };
            let (_, rule) = rules.remove(next);
            mentioned.extend(term::walk::postorder(store, &[rule]));
            facts.push(rule);
        }
    }

    /// What is known of the products that [`Case::linear`] has forgotten so far.
    pub(super) fn product_ranges(&self) -> &[Term] {
        &self.ranges
    }

    /// A formula with products replaced; `None` where that leaves something the solver should not see.
    pub(super) fn linear(&mut self, store: &mut Store, formula: Term) -> Option<Term> {
        let args = store.args(formula).to_vec();
        match (store.op(formula), &args[..]) {
            (Op::Not | Op::And | Op::Or, _) => {
                let args: Vec<Term> = args.iter().map(|a| self.linear(store, *a)).collect::<Option<_>>()?;
                Some(store.mk(store.op(formula), &args))
            }
            (Op::Eq, &[a, b]) if store.sort(a).bv_width().is_some_and(|w| w <= poly::WIDEST) => {
                let ideal = self.ideal(store, a)?;
                let difference = self.normaliser.difference(store, a, b)?;
                let left = self.linear_poly(store, &ideal.reduce(&difference));
                let zero = store.bv(0, store.width(a));
                Some(store.eq(left, zero))
            }
            (op @ (Op::BvSlt | Op::BvSle | Op::BvUlt | Op::BvUle), &[a, b]) => {
                let ideal = self.ideal(store, a)?;
                let (p, q) = (self.normaliser.poly(store, a)?, self.normaliser.poly(store, b)?);
                let a = self.linear_poly(store, &ideal.reduce(&p));
                let b = self.linear_poly(store, &ideal.reduce(&q));
                Some(store.mk(op, &[a, b]))
            }
            _ => (!has_products(store, formula)).then_some(formula),
        }
    }

    fn linear_poly(&mut self, store: &mut Store, p: &Poly) -> Term {
        let width = p.width();
        let mut sum = store.bv(0, width);
        for (m, c) in p.parts() {
            let factor = self.factor(store, width, m);
            let c = store.bv(c, width);
            let part = store.mul(c, factor);
            sum = store.add(sum, part);
        }
        sum
    }

    /// The monomial for the solver.
    fn factor(&mut self, store: &mut Store, width: u32, m: &Monomial) -> Term {
        match m.factors() {
            [] => store.bv(1, width),
            [(atom, 1)] if !has_products(store, *atom) => *atom,
            _ => self.product(store, width, m),
        }
    }

    /// The variable that stands for a product.
    fn product(&mut self, store: &mut Store, width: u32, m: &Monomial) -> Term {
        if let Some(t) = self.products.get(&(width, m.clone())) {
            return *t;
        }
        let fresh = store.fresh("product", Sort::Bv(width));
        self.products.insert((width, m.clone()), fresh);
        let alone = Poly::from_parts(width, [(m.clone(), 1)]);
        if let Some(v) = self.normaliser.value(store, &alone, true)
            && v.within(poly::Interval::signed(width))
        {
            let (lo, hi) = (store.bv_signed(v.lo, width), store.bv_signed(v.hi, width));
            let range = [store.sle(lo, fresh), store.sle(fresh, hi)];
            self.ranges.extend(range);
        } else if let Some(v) = self.normaliser.value(store, &alone, false)
            && v.within(poly::Interval::unsigned(width))
        {
            let (lo, hi) = (store.bv(v.lo as u128, width), store.bv(v.hi as u128, width));
            let range = [store.ule(lo, fresh), store.ule(fresh, hi)];
            self.ranges.extend(range);
        }
        fresh
    }
}
