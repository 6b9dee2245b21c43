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

use std::collections::BTreeMap;
use term::{Op, Sort, Store, Term, normal, walk};

/// Atoms with repetition, sorted, after their number: the order of keys is graded, so rewriting to smaller ones ends.
type Monomial = (usize, Vec<Term>);

/// Coefficients modulo `2^width`, none zero.
#[derive(Clone, PartialEq, Debug)]
struct Poly {
    width: u32,
    parts: BTreeMap<Monomial, u128>,
}

/// Answers whether literals can hold together; `None`: not known.
pub(crate) type Ask<'a> = dyn FnMut(&Store, &[Term]) -> Option<bool> + 'a;

/// Limits of the search: cases, monomials of a polynomial, pairs of equalities combined.
const MAX_CASES: usize = 3000;
const MAX_PARTS: usize = 1500;
const MAX_PAIRS: usize = 80;

/// Whether `formula` contains what only this module can handle.
pub(crate) fn concerns(store: &Store, formula: Term) -> bool {
    walk::postorder(store, &[formula]).into_iter().any(|t| is_product(store, t))
}

/// Whether no state satisfies `formula`. `false` means that nothing was found out.
pub(crate) fn refutes(store: &mut Store, formula: Term, ask: &mut Ask<'_>) -> bool {
    let formula = normal::nnf(store, formula);
    let mut open = vec![vec![formula]];
    let mut cases = 0;
    while let Some(facts) = open.pop() {
        cases += 1;
        if cases > MAX_CASES {
            return false;
        }
        match split(store, facts) {
            Split::Contradiction => {}
            Split::Cases(more) => open.extend(more),
            Split::Literals(literals) => {
                if !(Leaf { store, literals, equal: Vec::new(), products: BTreeMap::new(), exact: BTreeMap::new() })
                    .closes(ask)
                {
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
    /// Extensions that were asked about: whether they can be taken inside.
    exact: BTreeMap<Term, bool>,
}

impl Leaf<'_> {
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
                fresh
            });
        }
        let mut names = names.into_iter();
        to_term(self.store, p, |_, _| names.next())
    }
}

/// `Σ c·name(m)`; the monomial one needs no name.
fn to_term(store: &mut Store, p: &Poly, mut name: impl FnMut(&Store, &Monomial) -> Option<Term>) -> Term {
    let mut sum = store.bv(0, p.width);
    for (m, c) in &p.parts {
        let named = name(store, m);
        let mut part = store.bv(*c, p.width);
        if m.0 > 0 {
            part = store.mul(part, named.expect("a monomial with atoms has a name"));
        }
        sum = store.add(sum, part);
    }
    sum
}

fn times_atom(store: &Store, p: &Poly, atom: Term) -> Poly {
    let mut product = Poly { width: p.width, parts: BTreeMap::new() };
    match store.as_bv_const(atom).and_then(|c| c.to_u128()) {
        Some(c) => add(&mut product, c, &(0, Vec::new()), p),
        None => add(&mut product, 1, &(1, vec![atom]), p),
    }
    product
}

fn times(a: &Monomial, b: &Monomial) -> Monomial {
    let mut atoms: Vec<Term> = a.1.iter().chain(&b.1).copied().collect();
    atoms.sort_unstable();
    (atoms.len(), atoms)
}

/// `a / b`, where `b` divides it.
fn quotient(a: &Monomial, b: &Monomial) -> Option<Monomial> {
    let mut atoms = a.1.clone();
    for atom in &b.1 {
        atoms.remove(atoms.iter().position(|x| x == atom)?);
    }
    Some((atoms.len(), atoms))
}

fn add_part(p: &mut Poly, m: Monomial, c: u128) {
    let mask = u128::MAX >> (128 - p.width);
    let sum = p.parts.remove(&m).unwrap_or(0).wrapping_add(c) & mask;
    if sum != 0 {
        p.parts.insert(m, sum);
    }
}

/// `p + c·m·q`.
fn add(p: &mut Poly, c: u128, m: &Monomial, q: &Poly) {
    for (n, d) in &q.parts {
        add_part(p, times(m, n), c.wrapping_mul(*d));
    }
}

/// Subtracts multiples of rules (which are zero) as long as one of them has a leading term that divides a term of `p`.
fn reduce(p: &Poly, rules: &[Poly]) -> Poly {
    let mut left = p.clone();
    let mut result = Poly { width: p.width, parts: BTreeMap::new() };
    while let Some((m, c)) = left.parts.iter().next_back().map(|(m, c)| (m.clone(), *c)) {
        let step = rules.iter().find_map(|rule| {
            let (lead, d) = rule.parts.iter().next_back()?;
            let factor = divide(c, *d)?;
            Some((rule, quotient(&m, lead)?, factor))
        });
        match step {
            Some((rule, by, factor)) if left.parts.len() < MAX_PARTS => {
                add(&mut left, factor.wrapping_neg(), &by, rule)
            }
            _ => {
                left.parts.remove(&m);
                result.parts.insert(m, c);
            }
        }
    }
    result
}

/// `x` with `x·d = c` modulo `2^128`, if `d` has no more factors 2 than `c`.
fn divide(c: u128, d: u128) -> Option<u128> {
    let twos = d.trailing_zeros();
    if c.trailing_zeros() < twos {
        return None;
    }
    let odd = d >> twos;
    // The inverse of an odd number: each step doubles the number of right bits.
    let mut inverse = 1u128;
    for _ in 0..7 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    Some((c >> twos).wrapping_mul(inverse))
}

/// Adds a polynomial that is zero; rules whose leading term it removes come back reduced.
fn add_rule(rules: &mut Vec<Poly>, zero: &Poly) {
    let mut pending = vec![zero.clone()];
    let mut steps = 0;
    while let Some(p) = pending.pop() {
        let p = reduce(&p, rules);
        steps += 1;
        if p.parts.is_empty() || p.parts.len() > MAX_PARTS || steps > 400 {
            continue;
        }
        let alone = [p];
        let mut i = 0;
        while i < rules.len() {
            let lead = rules[i].parts.iter().next_back().map(|(m, c)| (m.clone(), *c));
            let (m, c) = lead.expect("rules are not zero");
            let only = Poly { width: zero.width, parts: BTreeMap::from([(m.clone(), c)]) };
            if reduce(&only, &alone).parts.contains_key(&m) {
                i += 1;
            } else {
                pending.push(rules.remove(i));
            }
        }
        rules.extend(alone);
    }
}

/// Adds differences of rules that cancel their leading terms.
fn combine(rules: &mut Vec<Poly>) {
    let mut tried: Vec<(Monomial, Monomial)> = Vec::new();
    'again: loop {
        for i in 0..rules.len() {
            for j in i + 1..rules.len() {
                let (Some((m, c)), Some((n, d))) =
                    (rules[i].parts.iter().next_back(), rules[j].parts.iter().next_back())
                else {
                    continue;
                };
                let pair = (m.clone(), n.clone());
                let shared: Vec<Term> = m.1.iter().filter(|a| n.1.contains(a)).copied().collect();
                if shared.is_empty() || tried.contains(&pair) || tried.len() >= MAX_PAIRS {
                    continue;
                }
                let mut lcm = m.clone();
                for atom in &n.1 {
                    let count = |m: &Monomial| m.1.iter().filter(|a| *a == atom).count();
                    if count(&lcm) < count(n) {
                        lcm = times(&lcm, &(1, vec![*atom]));
                    }
                }
                let top = 1u128 << c.trailing_zeros().max(d.trailing_zeros());
                let (Some(x), Some(y)) = (divide(top, *c), divide(top, *d)) else { continue };
                let (Some(by), Some(other)) = (quotient(&lcm, m), quotient(&lcm, n)) else { continue };
                let mut difference = Poly { width: rules[i].width, parts: BTreeMap::new() };
                add(&mut difference, x, &by, &rules[i]);
                add(&mut difference, y.wrapping_neg(), &other, &rules[j]);
                tried.push(pair);
                if !reduce(&difference, rules).parts.is_empty() {
                    add_rule(rules, &difference);
                    continue 'again;
                }
            }
        }
        return;
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
