//! Refuting formulas with products of variables, which solvers cannot: by cases, in the ring of machine integers.
//!
//! A conjunction is split along its disjunctions and conditional values until only literals are left. There, equalities
//! are polynomials modulo `2^w` that are zero; a disequality whose difference reduces to zero by them closes the case.
//! Otherwise the solver is asked about the literals with every product of variables replaced by a fresh variable: what is
//! unsatisfiable then is unsatisfiable. The solver is also asked for equalities that follow from inequalities, for
//! remainders that are zero, and for extensions that do not overflow. Every step only loses information, so that a closed
//! case is a proof; an open one says nothing.
//!
//! Written apart from crate `poly`, which the engines use: two programs that agree.

mod poly;

use crate::limits::ring::{MAX_CASES, MAX_PARTS};
use base::cpu::Deadline;
use poly::{Monomial, Poly, add, add_part, add_rule, combine, reduce, times_atom, to_term};
use std::collections::BTreeMap;
use term::{Op, Sort, Store, Term, normal, walk};

/// Answers whether literals can hold together; `None`: not known.
pub(crate) type Ask<'a> = dyn FnMut(&Store, &[Term]) -> Option<bool> + 'a;

/// Whether `formula` contains what only this module can handle, and nothing that it cannot.
pub(crate) fn concerns(store: &Store, formula: Term) -> bool {
    let parts = walk::postorder(store, &[formula]);
    parts.iter().any(|t| is_product(store, *t)) && !parts.iter().any(|t| store.op(*t).is_quantifier())
}

/// Whether no state satisfies `formula`. `false` means that nothing was found out, until the deadline at least.
pub(crate) fn refutes(store: &mut Store, formula: Term, ask: &mut Ask<'_>, deadline: Deadline) -> bool {
    let formula = normal::nnf(store, formula);
    let mut open = vec![vec![formula]];
    let mut cases = 0;
    while let Some(facts) = open.pop() {
        cases += 1;
        if cases > MAX_CASES || deadline.is_over() {
            return false;
        }
        match split(store, facts) {
            Split::Contradiction => {}
            Split::Cases(more) => open.extend(more),
            Split::Literals(literals) => {
                if !Leaf::new(store, literals).closes(ask) {
                    return false;
                }
            }
        }
    }
    true
}

enum Split {
    Contradiction,
    Cases(Vec<Vec<Term>>),
    Literals(Vec<Term>),
}

fn split(store: &mut Store, mut facts: Vec<Term>) -> Split {
    let mut literals: Vec<Term> = Vec::new();
    let mut choices: Vec<Term> = Vec::new();
    while let Some(fact) = facts.pop() {
        match store.op(fact) {
            Op::True => {}
            Op::False => return Split::Contradiction,
            Op::And => facts.extend(store.args(fact)),
            Op::Or => choices.push(fact),
            _ if !literals.contains(&fact) => literals.push(fact),
            _ => {}
        }
    }
    for literal in &literals {
        if literals.contains(&store.not(*literal)) {
            return Split::Contradiction;
        }
    }
    let all: Vec<Term> = literals.iter().chain(&choices).copied().collect();
    let conditional = |t: &Term| store.op(*t) == Op::Ite && store.sort(*t).bv_width().is_some();
    if let Some(ite) = walk::postorder(store, &literals).into_iter().find(conditional) {
        let condition = store.arg(ite, 0);
        let cases = [true, false].map(|holds| {
            let (value, known) = (store.bool(holds), if holds { condition } else { store.not(condition) });
            let mut facts: Vec<Term> = all.iter().map(|f| term::substitute(store, *f, &[(condition, value)])).collect();
            facts.push(known);
            facts.into_iter().map(|f| normal::nnf(store, f)).collect()
        });
        return Split::Cases(cases.into());
    }
    // What is known settles disjunctions or shortens them; the shortest is split, each case excluding those before it.
    let mut shortest: Option<(Term, Vec<Term>)> = None;
    for choice in choices {
        let mut disjuncts = normal::disjuncts(store, choice);
        if disjuncts.iter().any(|d| literals.contains(d)) {
            continue;
        }
        disjuncts.retain(|d| !literals.contains(&store.not(*d)));
        if shortest.as_ref().is_none_or(|(_, known)| disjuncts.len() < known.len()) {
            shortest = Some((choice, disjuncts));
        }
    }
    let Some((choice, disjuncts)) = shortest else { return Split::Literals(literals) };
    let others: Vec<Term> = all.into_iter().filter(|f| *f != choice).collect();
    let mut cases = Vec::new();
    let mut before = Vec::new();
    for disjunct in disjuncts {
        let mut facts = others.clone();
        facts.push(disjunct);
        facts.extend(&before);
        cases.push(facts);
        let opposite = store.not(disjunct);
        before.push(normal::nnf(store, opposite));
    }
    Split::Cases(cases)
}

/// A conjunction of literals.
struct Leaf<'a> {
    store: &'a mut Store,
    literals: Vec<Term>,
    /// Equalities that the solver found.
    equal: Vec<(Term, Term)>,
    /// The variables that stand for products.
    products: BTreeMap<(u32, Monomial), Term>,
    /// What is known of those variables.
    product_ranges: Vec<Term>,
    /// Extensions that can be taken inside, and whether they keep the sign.
    exact: BTreeMap<Term, bool>,
    /// Constant bounds of signed values that the literals give.
    ranges: BTreeMap<Term, (i128, i128)>,
}

impl<'a> Leaf<'a> {
    fn new(store: &'a mut Store, literals: Vec<Term>) -> Leaf<'a> {
        let mut leaf = Leaf {
            store,
            literals,
            equal: Vec::new(),
            products: BTreeMap::new(),
            product_ranges: Vec::new(),
            exact: BTreeMap::new(),
            ranges: BTreeMap::new(),
        };
        // What one literal says may help another.
        for _ in 0..3 {
            leaf.learn_ranges();
        }
        leaf
    }

    fn learn_ranges(&mut self) {
        for literal in self.literals.clone() {
            let (op, args) = (self.store.op(literal), self.store.args(literal).to_vec());
            let &[a, b] = &args[..] else { continue };
            if self.store.sort(a).bv_width().is_none_or(|w| w > 64) {
                continue;
            }
            let ((alo, ahi), (blo, bhi)) = (self.range(a), self.range(b));
            match op {
                Op::BvSle => self.narrow(&[(a, alo, ahi.min(bhi)), (b, blo.max(alo), bhi)]),
                Op::BvSlt => self.narrow(&[(a, alo, ahi.min(bhi - 1)), (b, blo.max(alo + 1), bhi)]),
                // Below something that is not negative as a signed number, unsigned order is signed order.
                Op::BvUle if blo >= 0 => self.narrow(&[(a, alo.max(0), ahi.min(bhi))]),
                Op::BvUlt if blo >= 0 => self.narrow(&[(a, alo.max(0), ahi.min(bhi - 1))]),
                Op::Eq => self.narrow(&[(a, alo.max(blo), ahi.min(bhi)), (b, alo.max(blo), ahi.min(bhi))]),
                _ => {}
            }
        }
    }

    fn narrow(&mut self, ranges: &[(Term, i128, i128)]) {
        for (t, lo, hi) in ranges {
            self.ranges.insert(*t, (*lo, *hi));
            if let Op::SignExtend(_) = self.store.op(*t) {
                self.ranges.insert(self.store.arg(*t, 0), (*lo, *hi));
            }
        }
    }

    /// Bounds of the signed value.
    fn range(&self, t: Term) -> (i128, i128) {
        let half = 1i128 << (self.store.width(t).min(64) - 1);
        if let Some(c) = self.store.as_bv_const(t).and_then(|c| c.to_i128()) {
            return (c, c);
        }
        let (lo, hi) = self.ranges.get(&t).copied().unwrap_or((-half, half - 1));
        let inner = |i: usize| self.range(self.store.arg(t, i));
        match self.store.op(t) {
            Op::SignExtend(_) => (lo.max(inner(0).0), hi.min(inner(0).1)),
            Op::ZeroExtend(_) if inner(0).0 >= 0 => (lo.max(inner(0).0), hi.min(inner(0).1)),
            Op::ZeroExtend(_) => (lo.max(0), hi.min((1i128 << self.store.width(self.store.arg(t, 0)).min(64)) - 1)),
            _ => (lo, hi),
        }
    }

    fn closes(&mut self, ask: &mut Ask<'_>) -> bool {
        if self.contradicts() {
            return true;
        }
        let facts = self.linear_facts();
        if ask(self.store, &facts) == Some(false) {
            return true;
        }
        self.find_exact_extensions(&facts, ask);
        self.find_equalities(&facts, ask);
        if self.contradicts() {
            return true;
        }
        let facts = self.linear_facts();
        ask(self.store, &facts) == Some(false)
    }

    /// Whether a disequality among the literals denies what the equalities imply.
    fn contradicts(&mut self) -> bool {
        for literal in self.literals.clone() {
            if self.store.op(literal) != Op::Not {
                continue;
            }
            let inner = self.store.arg(literal, 0);
            if self.store.op(inner) != Op::Eq || self.store.sort(self.store.arg(inner, 0)).bv_width().is_none() {
                continue;
            }
            let Some(difference) = self.difference(self.store.arg(inner, 0), self.store.arg(inner, 1)) else {
                continue;
            };
            let mut rules = self.rules(difference.width);
            for equation in self.division_equations(&difference) {
                add_rule(&mut rules, &equation);
            }
            if reduce(&difference, &rules).parts.is_empty() {
                return true;
            }
            combine(&mut rules);
            if reduce(&difference, &rules).parts.is_empty() {
                return true;
            }
        }
        false
    }

    /// Asks which extensions of sums may be taken inside: `(long)(2*y)` is `2*(long)y` where that does not overflow.
    fn find_exact_extensions(&mut self, facts: &[Term], ask: &mut Ask<'_>) {
        for t in walk::postorder(self.store, &self.literals) {
            let signed = match self.store.op(t) {
                Op::SignExtend(_) => true,
                Op::ZeroExtend(_) => false,
                _ => continue,
            };
            let inner = self.store.arg(t, 0);
            if !matches!(self.store.op(inner), Op::BvAdd | Op::BvMul | Op::BvNeg) || concerns(self.store, inner) {
                continue;
            }
            let width = self.store.width(t);
            let Some(p) = self.poly(inner) else { continue };
            let outside = self.extended(&p, width, signed);
            let wide = to_term(self.store, &outside, |_, m| m.1.first().copied());
            let differs = self.store.ne(t, wide);
            let mut question = facts.to_vec();
            question.push(differs);
            if ask(self.store, &question) == Some(false) {
                self.exact.insert(t, signed);
            }
        }
    }

    /// Asks for equalities: between the sides of inequalities, and of remainders with zero.
    fn find_equalities(&mut self, facts: &[Term], ask: &mut Ask<'_>) {
        let mut questions: Vec<(Term, Term)> = Vec::new();
        for t in walk::postorder(self.store, &self.literals) {
            let (op, args) = (self.store.op(t), self.store.args(t).to_vec());
            match (op, &args[..]) {
                (Op::BvSle | Op::BvUle, &[a, b]) => questions.push((a, b)),
                (Op::BvSlt | Op::BvUlt, &[a, b]) => {
                    let one = self.store.bv(1, self.store.width(a));
                    questions.push((self.store.add(a, one), b));
                }
                (Op::BvSrem | Op::BvSdiv, &[a, b]) if self.store.is_const(b) => {
                    let zero = self.store.bv(0, self.store.width(t));
                    questions.push((self.store.srem(a, b), zero));
                }
                (Op::BvUrem | Op::BvUdiv, &[a, b]) if self.store.is_const(b) => {
                    let zero = self.store.bv(0, self.store.width(t));
                    questions.push((self.store.urem(a, b), zero));
                }
                _ => {}
            }
        }
        questions.sort_unstable();
        questions.dedup();
        for (a, b) in questions {
            let equal = self.store.eq(a, b);
            let Some(linear) = self.linear(equal).filter(|t| !self.store.is_const(*t)) else { continue };
            let mut question = facts.to_vec();
            question.push(self.store.not(linear));
            if ask(self.store, &question) == Some(false) {
                self.equal.push((a, b));
            }
        }
    }

    /// The equalities among the literals that speak of this width, as rewrite rules.
    fn rules(&mut self, width: u32) -> Vec<Poly> {
        let mut pairs = self.equal.clone();
        for literal in &self.literals {
            if let (Op::Eq, &[a, b]) = (self.store.op(*literal), self.store.args(*literal)) {
                pairs.push((a, b));
            }
        }
        let mut rules = Vec::new();
        for (a, b) in pairs {
            let Sort::Bv(own) = self.store.sort(a) else { continue };
            let variants = if own == width {
                vec![(a, b)]
            } else if own < width {
                let signed = (self.store.sext_to(a, width), self.store.sext_to(b, width));
                vec![signed, (self.store.zext_to(a, width), self.store.zext_to(b, width))]
            } else {
                vec![(self.store.extract(a, width - 1, 0), self.store.extract(b, width - 1, 0))]
            };
            for (a, b) in variants {
                let Some(zero) = self.difference(a, b) else { continue };
                add_rule(&mut rules, &zero);
                for equation in self.division_equations(&zero) {
                    add_rule(&mut rules, &equation);
                }
            }
        }
        rules
    }

    /// `a = b*(a/b) + a%b` for the quotients and remainders in `p`; true for every `b`.
    fn division_equations(&mut self, p: &Poly) -> Vec<Poly> {
        let atoms: std::collections::BTreeSet<Term> = p.parts.keys().flat_map(|m| m.1.iter().copied()).collect();
        let mut found = Vec::new();
        for atom in atoms {
            let op = self.store.op(atom);
            if !matches!(op, Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem) {
                continue;
            }
            let (a, b) = (self.store.arg(atom, 0), self.store.arg(atom, 1));
            let (quotient, remainder) = if matches!(op, Op::BvUdiv | Op::BvUrem) {
                (self.store.udiv(a, b), self.store.urem(a, b))
            } else {
                (self.store.sdiv(a, b), self.store.srem(a, b))
            };
            let product = self.store.mul(b, quotient);
            let sum = self.store.add(product, remainder);
            found.extend(self.difference(sum, a));
        }
        found
    }

    fn difference(&mut self, a: Term, b: Term) -> Option<Poly> {
        let mut p = self.poly(a)?;
        let q = self.poly(b)?;
        add(&mut p, u128::MAX, &(0, Vec::new()), &q);
        Some(p)
    }

    fn poly(&mut self, t: Term) -> Option<Poly> {
        let mut memo: BTreeMap<Term, Poly> = BTreeMap::new();
        let width = self.store.sort(t).bv_width()?;
        if width > 128 {
            return None;
        }
        for t in walk::postorder(self.store, &[t]) {
            if self.store.sort(t).bv_width().is_some_and(|w| w <= 128) {
                let p = self.step(t, &memo);
                memo.insert(t, p);
            }
        }
        memo.remove(&t)
    }

    fn step(&mut self, t: Term, memo: &BTreeMap<Term, Poly>) -> Poly {
        let args = self.store.args(t).to_vec();
        let width = self.store.width(t);
        let one = (0, Vec::new());
        let mut p = Poly { width, parts: BTreeMap::new() };
        match self.store.op(t) {
            Op::BvConst(_) => {
                let value = self.store.as_bv_const(t).and_then(|c| c.to_u128()).expect("at most 128 bits");
                add_part(&mut p, one, value);
            }
            Op::BvAdd => args.iter().for_each(|a| add(&mut p, 1, &one, &memo[a])),
            Op::BvNeg => add(&mut p, u128::MAX, &one, &memo[&args[0]]),
            Op::BvMul if memo[&args[0]].parts.len() * memo[&args[1]].parts.len() <= MAX_PARTS => {
                for (m, c) in &memo[&args[0]].parts {
                    add(&mut p, *c, m, &memo[&args[1]]);
                }
            }
            Op::Extract { lo: 0, hi } => {
                for (m, c) in &memo[&args[0]].parts {
                    let mut product = Poly { width, parts: BTreeMap::from([(one.clone(), 1)]) };
                    for atom in &m.1 {
                        let low = self.store.extract(*atom, hi, 0);
                        product = times_atom(self.store, &product, low);
                    }
                    add(&mut p, *c, &one, &product);
                }
            }
            Op::SignExtend(_) | Op::ZeroExtend(_) if self.exact.contains_key(&t) => {
                let signed = self.exact[&t];
                p = self.extended(&memo[&args[0]], width, signed);
            }
            _ => add_part(&mut p, (1, vec![t]), 1),
        }
        p
    }

    /// The polynomial with its atoms extended and its coefficients as signed numbers.
    fn extended(&mut self, p: &Poly, width: u32, signed: bool) -> Poly {
        let one = (0, Vec::new());
        let mut wide = Poly { width, parts: BTreeMap::new() };
        for (m, c) in &p.parts {
            let c = ((*c << (128 - p.width)) as i128) >> (128 - p.width);
            let mut product = Poly { width, parts: BTreeMap::from([(one.clone(), 1)]) };
            for atom in &m.1 {
                let atom = if signed { self.store.sext_to(*atom, width) } else { self.store.zext_to(*atom, width) };
                product = times_atom(self.store, &product, atom);
            }
            add(&mut wide, c as u128, &one, &product);
        }
        wide
    }

    /// The literals and equalities with products forgotten.
    fn linear_facts(&mut self) -> Vec<Term> {
        let mut facts = Vec::new();
        for literal in self.literals.clone() {
            facts.extend(self.linear(literal));
        }
        let widths: std::collections::BTreeSet<u32> =
            walk::postorder(self.store, &self.literals).iter().filter_map(|t| self.store.sort(*t).bv_width()).collect();
        for width in widths.into_iter().filter(|w| *w <= 128) {
            for rule in self.rules(width) {
                let rule = self.forget_products(&rule);
                let zero = self.store.bv(0, width);
                facts.push(self.store.eq(rule, zero));
            }
        }
        facts.extend(&self.product_ranges);
        facts
    }

    fn linear(&mut self, formula: Term) -> Option<Term> {
        let args = self.store.args(formula).to_vec();
        let op = self.store.op(formula);
        match op {
            Op::Not => {
                let inner = self.linear(args[0])?;
                Some(self.store.not(inner))
            }
            Op::Eq | Op::BvSlt | Op::BvSle | Op::BvUlt | Op::BvUle if self.store.sort(args[0]).bv_width().is_some() => {
                let (p, q) = (self.poly(args[0])?, self.poly(args[1])?);
                let mut rules = self.rules(p.width);
                if op == Op::Eq {
                    // An equality is among the rules: it must not prove itself.
                    rules.clear();
                }
                let (a, b) = (self.forget_products(&reduce(&p, &rules)), self.forget_products(&reduce(&q, &rules)));
                Some(self.store.mk(op, &[a, b]))
            }
            _ => (!concerns(self.store, formula)).then_some(formula),
        }
    }

    /// The product of the ranges of its factors, where that does not overflow.
    fn bound_product(&mut self, width: u32, m: &Monomial, name: Term) {
        if width > 64 {
            return;
        }
        let (mut lo, mut hi) = (1i128, 1i128);
        for atom in &m.1 {
            let (a, b) = self.range(*atom);
            let corners = [lo.checked_mul(a), lo.checked_mul(b), hi.checked_mul(a), hi.checked_mul(b)];
            let Some(corners) = corners.into_iter().collect::<Option<Vec<i128>>>() else { return };
            (lo, hi) =
                (corners.iter().copied().fold(i128::MAX, i128::min), corners.into_iter().fold(i128::MIN, i128::max));
        }
        let half = 1i128 << (width - 1);
        if lo >= -half && hi < half {
            let (lo, hi) = (self.store.bv_signed(lo, width), self.store.bv_signed(hi, width));
            let range = [self.store.sle(lo, name), self.store.sle(name, hi)];
            self.product_ranges.extend(range);
        }
    }

    fn forget_products(&mut self, p: &Poly) -> Term {
        let mut names = Vec::new();
        for m in p.parts.keys() {
            let is_simple = m.0 == 1 && !concerns(self.store, m.1[0]);
            names.push(if is_simple {
                m.1[0]
            } else if let Some(known) = self.products.get(&(p.width, m.clone())) {
                *known
            } else {
                let fresh = self.store.fresh("product", Sort::Bv(p.width));
                self.products.insert((p.width, m.clone()), fresh);
                self.bound_product(p.width, m, fresh);
                fresh
            });
        }
        let mut names = names.into_iter();
        to_term(self.store, p, |_, _| names.next())
    }
}

/// A product of variables, or a quotient or remainder by a variable.
fn is_product(store: &Store, t: Term) -> bool {
    let args = store.args(t);
    match store.op(t) {
        Op::BvMul | Op::BvSmulo | Op::BvUmulo => args.iter().all(|a| !store.is_const(*a)),
        Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem => !store.is_const(args[1]),
        _ => false,
    }
}
