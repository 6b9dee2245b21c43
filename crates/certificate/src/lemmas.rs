//! Looking for lemmas of algebra: those that exclude the models which the clauses of a condition still have.
//!
//! With products as variables a condition may have models that it does not have. Each says which equations are true in it;
//! they are polynomials that are zero, and make rewrite rules modulo `2^w` (as in `validate::ring`, but every step is
//! noted). An equation that is false in the model, and reduces to zero by the rules, is a lemma, and so is each sum that the
//! rules make equal to another one which the model gives another value. Then the next model is asked for, until there
//! is none, or nothing is found. What is found is checked by others ([`crate::algebra`]).
//!
//! Sums of words are hard for clauses, too, so the first models are those of the formula's skeleton, in which comparisons are
//! truth values and nothing more ([`Search::lemmas_of_skeleton`]).

use crate::algebra::{Lemma, Premise, Products, Ring};
use crate::limits::lemmas::{MAX_KEPT, MAX_NEW, MAX_PAIRS, MAX_PARTS, MAX_REDUCED, MAX_ROUNDS};
use crate::skeleton::Skeleton;
use base::cpu::Deadline;
use bitblast::Blasted;
use pac::{MAX_WIDTH, Polynomial};
use sat::Outcome;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use term::bits::inverse_of_odd;
use term::eval::{Evaluator, OrZero};
use term::{Bits, Op, Sort, Store, Term, Value};

/// Lemmas by which the condition has no model where products are any values; nothing if they are not found by the deadline. The terms are
/// those of the store that comes with them.
pub(crate) fn find(terms: &Store, bad: Term, deadline: Deadline) -> Option<(Vec<Lemma>, Store)> {
    let mut search = Search::new(terms.clone(), bad);
    let mut lemmas = search.lemmas_of_skeleton(bad, Deadline::after(deadline.left() / 4));
    for _ in 0..MAX_ROUNDS {
        let Search { store, products, .. } = &mut search;
        let asked = products.with_lemmas(store, bad, &lemmas, true);
        let blasted = bitblast::blast(store, asked).ok()?;
        match sat::solve(&blasted.cnf, &mut || deadline.is_over(), MAX_KEPT).ok()? {
            Outcome::Unsat(_) => return Some((lemmas, search.store)),
            Outcome::Stopped => return None,
            Outcome::Sat(values) => {
                let model = model(&search.store, &blasted, &values);
                let new = search.excluding(&model, deadline);
                let before = lemmas.len();
                for lemma in new {
                    if !lemmas.contains(&lemma) {
                        lemmas.push(lemma);
                    }
                }
                if lemmas.len() == before {
                    return None;
                }
            }
        }
    }
    None
}

type Model = BTreeMap<Term, Value>;

fn model(terms: &Store, blasted: &Blasted, values: &[bool]) -> Model {
    let bit = |lit: &bitblast::Lit| match lit.number() {
        Some(number) => values.get(number.unsigned_abs() as usize - 1).copied().unwrap_or(false) == (number > 0),
        None => *lit == bitblast::Lit::TRUE,
    };
    let mut model = Model::new();
    for (var, bits) in &blasted.inputs {
        let number = bits.iter().rev().fold(0u128, |number, lit| number << 1 | u128::from(bit(lit)));
        match terms.sort(*var) {
            Sort::Bool => _ = model.insert(*var, Value::Bool(number == 1)),
            Sort::Bv(width) if width <= 128 => _ = model.insert(*var, Value::Bv(Bits::new(number, width))),
            _ => {}
        }
    }
    model
}

struct Search {
    store: Store,
    products: Products,
    ring: Ring,
    /// Pairs of terms that may be equal, and pay where they are.
    pairs: Vec<(Term, Term)>,
    divisions: Vec<Term>,
    /// The equations of the condition, and sides of its comparisons.
    equations: Vec<(Term, Term)>,
    sides: Vec<Term>,
    /// Conditional values: the condition, the value, and what it is if the condition holds and if not.
    choices: Vec<(Term, Term, [Term; 2])>,
}

impl Search {
    fn new(mut store: Store, bad: Term) -> Search {
        let (mut pairs, mut divisions, mut equations, mut sides) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let is_word = |store: &Store, t: Term| store.sort(t).bv_width().is_some_and(|width| width <= MAX_WIDTH);
        let (mut ring, mut choices) = (Ring::default(), Vec::new());
        for t in term::postorder(&store, &[bad]) {
            let (op, args) = (store.op(t), store.args(t).to_vec());
            match (op, &args[..]) {
                (Op::Eq, &[a, b]) if is_word(&store, a) => {
                    pairs.push((a, b));
                    equations.push((a, b));
                    sides.extend([a, b]);
                }
                (Op::BvUle | Op::BvSle, &[a, b]) => {
                    pairs.push((a, b));
                    sides.extend([a, b]);
                }
                (Op::BvUlt | Op::BvSlt, &[a, b]) => {
                    let one = store.bv(1, store.width(a));
                    let next = store.add(a, one);
                    pairs.extend([(a, b), (next, b)]);
                    sides.extend([a, b]);
                }
                (Op::Ite, &[condition, a, b]) if is_word(&store, t) => {
                    pairs.extend([(t, a), (t, b)]);
                    choices.push((condition, t, [a, b]));
                }
                (Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem, _) => {
                    divisions.push(t);
                    let zero = store.bv(0, store.width(t));
                    pairs.push((t, zero));
                }
                (Op::SignExtend(_) | Op::ZeroExtend(_), &[inner]) if is_word(&store, t) => {
                    pairs.extend(outside(&mut store, &mut ring, t, inner).map(|wide| (t, wide)));
                }
                _ => {}
            }
        }
        pairs.retain(|(a, b)| a != b);
        sides.sort_unstable();
        sides.dedup();
        // What is equal is so when it is extended, too.
        let widths: BTreeSet<u32> = sides.iter().map(|t| store.width(*t)).collect();
        for (a, b) in equations.clone() {
            let own = store.width(a);
            for width in widths.iter().filter(|width| **width > own) {
                let signed = (store.sext_to(a, *width), store.sext_to(b, *width));
                pairs.extend([signed, (store.zext_to(a, *width), store.zext_to(b, *width))]);
            }
        }
        Search { store, products: Products::default(), ring, pairs, divisions, equations, sides, choices }
    }

    /// Lemmas from models in which comparisons are true or false as it pleases.
    fn lemmas_of_skeleton(&mut self, bad: Term, deadline: Deadline) -> Vec<Lemma> {
        let mut skeleton = Skeleton::default();
        let mut asked = vec![skeleton.of(&mut self.store, bad)];
        // What conditional values are.
        for (condition, t, values) in self.choices.clone() {
            let otherwise = self.store.not(condition);
            for (value, unless) in values.into_iter().zip([otherwise, condition]) {
                let equal = self.store.eq(t, value);
                let known = self.store.or(unless, equal);
                asked.push(skeleton.of(&mut self.store, known));
            }
        }
        let mut lemmas: Vec<Lemma> = Vec::new();
        for _ in 0..MAX_ROUNDS {
            let all = self.store.and_all(&asked);
            let Ok(blasted) = bitblast::blast(&self.store, all) else { break };
            let Ok(Outcome::Sat(values)) = sat::solve(&blasted.cnf, &mut || deadline.is_over(), MAX_KEPT) else {
                break;
            };
            let model = model(&self.store, &blasted, &values);
            let mut truth = Evaluator::new(OrZero(&model));
            let mut holds = |store: &mut Store, formula: Term| {
                let plain = skeleton.of(store, formula);
                truth.eval(store, plain) == Ok(Value::Bool(true))
            };
            let (mut equal, mut wrong, mut differently) = (Vec::new(), Vec::new(), Vec::new());
            for (a, b) in self.equations.clone() {
                let equation = self.store.eq(a, b);
                let is_true = holds(&mut self.store, equation);
                (if is_true { &mut equal } else { &mut wrong }).push((a, b));
                differently.push(if is_true { self.store.not(equation) } else { equation });
            }
            for (condition, t, [a, b]) in self.choices.clone() {
                let is_true = holds(&mut self.store, condition);
                equal.push((t, if is_true { a } else { b }));
                differently.push(if is_true { self.store.not(condition) } else { condition });
            }
            let mut new = Vec::new();
            for width in self.widths() {
                let mut rules = self.rules(width, &equal);
                self.equations_shown(&rules, &wrong, &mut new);
                if new.is_empty() {
                    rules.combine(deadline);
                    self.equations_shown(&rules, &wrong, &mut new);
                }
            }
            new.truncate(MAX_NEW);
            new.retain(|lemma| !lemmas.contains(lemma));
            if new.is_empty() {
                // Another model, with other equations or choices.
                let other = self.store.or_all(&differently);
                asked.push(skeleton.of(&mut self.store, other));
            }
            for lemma in new {
                let formula = lemma.formula(&mut self.store);
                asked.push(skeleton.of(&mut self.store, formula));
                lemmas.push(lemma);
            }
        }
        lemmas
    }

    fn widths(&self) -> BTreeSet<u32> {
        self.sides.iter().map(|t| self.store.width(*t)).collect()
    }

    /// What follows from the equalities between words of this width.
    fn rules(&mut self, width: u32, equal: &[(Term, Term)]) -> Rules {
        let mut rules = Rules::new(width);
        let divisions = self.divisions.iter().map(|t| Premise::Division(*t));
        let premises: Vec<Premise> = divisions.chain(equal.iter().map(|(a, b)| Premise::Equal(*a, *b))).collect();
        for premise in premises {
            let (Premise::Equal(t, _) | Premise::Division(t)) = premise;
            if self.store.width(t) == width
                && let Ok(p) = self.ring.premise(&mut self.store, &premise)
            {
                rules.add_given(premise, parts(&p));
            }
        }
        rules
    }

    /// Lemmas that the model violates.
    fn excluding(&mut self, model: &Model, deadline: Deadline) -> Vec<Lemma> {
        let mut values = Evaluator::new(OrZero(model));
        let Search { store, products, .. } = self;
        let mut value = |store: &mut Store, t: Term| {
            let free = products.forget(store, t);
            values.eval(store, free).ok()
        };
        let mut equal: Vec<(Term, Term)> = Vec::new();
        for (a, b) in &self.pairs {
            let (x, y) = (value(store, *a), value(store, *b));
            if x.is_some() && x == y {
                equal.push((*a, *b));
            }
        }
        let mut wrong: Vec<(Term, Term)> = Vec::new();
        for (a, b) in &self.equations {
            if value(store, *a) != value(store, *b) {
                wrong.push((*a, *b));
            }
        }
        let mut found = Vec::new();
        for width in self.widths() {
            let mut rules = self.rules(width, &equal);
            for combined in [false, true] {
                if combined {
                    rules.combine(deadline);
                }
                self.equations_shown(&rules, &wrong, &mut found);
                if found.is_empty() {
                    self.sums_shown(&rules, width, model, &mut found);
                }
                if !found.is_empty() || deadline.is_over() {
                    break;
                }
            }
        }
        found.truncate(MAX_NEW);
        found
    }

    /// Equations that are false and should not be.
    fn equations_shown(&mut self, rules: &Rules, wrong: &[(Term, Term)], found: &mut Vec<Lemma>) {
        for (a, b) in wrong.iter().filter(|(a, _)| self.store.width(*a) == rules.width).copied().collect::<Vec<_>>() {
            let Ok(p) = self.ring.difference(&self.store, a, b) else { continue };
            let (rest, steps) = rules.reduce(parts(&p));
            if rest.is_empty() {
                found.extend(rules.lemma(&mut self.store, &self.ring, (a, b), &steps));
            }
        }
    }

    /// Sums that equal others, which the model denies; and rules.
    fn sums_shown(&mut self, rules: &Rules, width: u32, model: &Model, found: &mut Vec<Lemma>) {
        let mut claims: Vec<(Term, Parts, Vec<Step>)> = Vec::new();
        for side in self.sides.clone().into_iter().filter(|t| self.store.width(*t) == width) {
            let Ok(p) = self.ring.polynomial(&self.store, side) else { continue };
            let (rest, steps) = rules.reduce(parts(&p));
            if !steps.is_empty() {
                claims.push((side, rest, steps));
            }
        }
        let zero = self.store.bv(0, width);
        // Zero, with a rule added, is the rule.
        for rule in &rules.rules {
            claims.push((zero, rule.parts.clone(), vec![Step { id: rule.id, by: (0, Vec::new()), factor: 1 }]));
        }
        let mut values = Evaluator::new(OrZero(model));
        for (t, rest, steps) in claims {
            let factors = |m: &Monomial| m.1.iter().map(|x| self.ring.indeterminates[*x as usize - 1]).collect();
            let is_named = |m: &Monomial| {
                let factors: Vec<Term> = factors(m);
                factors.len() < 2 || self.products.has(width, &factors)
            };
            if !rest.keys().all(is_named) {
                continue;
            }
            let other = to_term(&mut self.store, &self.ring, width, &rest);
            let free = [t, other].map(|t| self.products.forget(&mut self.store, t));
            let [a, b] = free.map(|free| values.eval(&self.store, free).ok());
            if a.is_some() && a != b {
                found.extend(rules.lemma(&mut self.store, &self.ring, (t, other), &steps));
            }
        }
    }
}

/// `(long)(2*y)` as `2*(long)y`: equal where nothing overflows.
fn outside(store: &mut Store, ring: &mut Ring, t: Term, inner: Term) -> Option<Term> {
    if !matches!(store.op(inner), Op::BvAdd | Op::BvMul | Op::BvNeg) {
        return None;
    }
    let (width, own) = (store.width(t), store.width(inner));
    let p = ring.polynomial(store, inner).ok()?;
    let mut sum = store.bv(0, width);
    for (product, c) in p.parts() {
        let c = ((c << (128 - own)) as i128) >> (128 - own);
        let mut part = store.bv((c as u128) & mask(width), width);
        for x in product {
            let atom = ring.indeterminates[*x as usize - 1];
            let is_signed = matches!(store.op(t), Op::SignExtend(_));
            let wide = if is_signed { store.sext_to(atom, width) } else { store.zext_to(atom, width) };
            part = store.mul(part, wide);
        }
        sum = store.add(sum, part);
    }
    Some(sum)
}

fn to_term(store: &mut Store, ring: &Ring, width: u32, p: &Parts) -> Term {
    let mut sum = store.bv(0, width);
    for (m, c) in p {
        let mut part = store.bv(*c, width);
        for x in &m.1 {
            part = store.mul(part, ring.indeterminates[*x as usize - 1]);
        }
        sum = store.add(sum, part);
    }
    sum
}

/// Indeterminates in order, after their number: the order is graded, so rewriting to smaller ones ends.
type Monomial = (usize, Vec<u32>);
type Parts = BTreeMap<Monomial, u128>;

fn parts(p: &Polynomial) -> Parts {
    p.parts().map(|(product, c)| ((product.len(), product.to_vec()), c)).collect()
}

fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

/// `factor·by·p`, where `p` is the polynomial with this number.
#[derive(Clone, Debug)]
struct Step {
    id: usize,
    by: Monomial,
    factor: u128,
}

struct Rule {
    id: usize,
    parts: Parts,
}

impl Rule {
    fn lead(&self) -> (&Monomial, u128) {
        let (m, c) = self.parts.iter().next_back().expect("rules are not zero");
        (m, *c)
    }
}

/// Polynomials that are zero, as rewrite rules, and how they come from the premises.
struct Rules {
    width: u32,
    rules: Vec<Rule>,
    /// Of each polynomial: a premise, or the steps that make it.
    origins: Vec<Result<Premise, Vec<Step>>>,
}

impl Rules {
    fn new(width: u32) -> Rules {
        Rules { width, rules: Vec::new(), origins: Vec::new() }
    }

    fn add_given(&mut self, premise: Premise, parts: Parts) {
        self.origins.push(Ok(premise));
        self.add(Rule { id: self.origins.len() - 1, parts });
    }

    /// `p + c·m·q`
    fn add_multiple(&self, p: &mut Parts, c: u128, m: &Monomial, q: &Parts) {
        for (n, d) in q {
            let mut product = [&m.1[..], &n.1[..]].concat();
            product.sort_unstable();
            let key = (product.len(), product);
            let sum = p.remove(&key).unwrap_or(0).wrapping_add(c.wrapping_mul(*d)) & mask(self.width);
            if sum != 0 {
                p.insert(key, sum);
            }
        }
    }

    /// What is left of `p`, and what was added to it.
    fn reduce(&self, p: Parts) -> (Parts, Vec<Step>) {
        self.reduce_by(p, &self.rules)
    }

    fn reduce_by(&self, mut left: Parts, rules: &[Rule]) -> (Parts, Vec<Step>) {
        let (mut rest, mut steps) = (Parts::new(), Vec::new());
        while let Some((m, c)) = left.pop_last() {
            let fits = rules.iter().find_map(|rule| {
                let (lead, d) = rule.lead();
                Some((rule, quotient(&m, lead)?, divide(c, d, self.width)?))
            });
            match fits {
                Some((rule, by, factor)) if left.len() + rest.len() < MAX_PARTS => {
                    let factor = factor.wrapping_neg() & mask(self.width);
                    left.insert(m, c);
                    self.add_multiple(&mut left, factor, &by, &rule.parts);
                    steps.push(Step { id: rule.id, by, factor });
                }
                _ => _ = rest.insert(m, c),
            }
        }
        (rest, steps)
    }

    /// The polynomial with these steps added, as one of its own.
    fn derive(&mut self, id: Option<usize>, mut steps: Vec<Step>) -> usize {
        if let (Some(id), true) = (id, steps.is_empty()) {
            return id;
        }
        steps.extend(id.map(|id| Step { id, by: (0, Vec::new()), factor: 1 }));
        self.origins.push(Err(steps));
        self.origins.len() - 1
    }

    /// Adds what is zero; rules whose leading term it removes come back reduced.
    fn add(&mut self, rule: Rule) {
        let mut pending = vec![rule];
        let mut count = 0;
        while let Some(rule) = pending.pop() {
            let (parts, steps) = self.reduce(rule.parts);
            count += 1;
            if parts.is_empty() || parts.len() > MAX_PARTS || count > MAX_REDUCED {
                continue;
            }
            let id = self.derive(Some(rule.id), steps);
            let new = Rule { id, parts };
            let (lead, d) = new.lead();
            let falls = |rule: &mut Rule| {
                let (m, c) = rule.lead();
                quotient(m, lead).is_some() && divide(c, d, self.width).is_some()
            };
            pending.extend(self.rules.extract_if(.., falls));
            self.rules.push(new);
        }
    }

    /// Adds differences of rules that cancel their leading terms.
    fn combine(&mut self, deadline: Deadline) {
        let mut tried: BTreeSet<(usize, usize)> = BTreeSet::new();
        'again: while tried.len() < MAX_PAIRS && !deadline.is_over() {
            for i in 0..self.rules.len() {
                for j in i + 1..self.rules.len() {
                    let (a, b) = (&self.rules[i], &self.rules[j]);
                    let ((m, c), (n, d)) = (a.lead(), b.lead());
                    if !m.1.iter().any(|x| n.1.contains(x)) || !tried.insert((a.id, b.id)) {
                        continue;
                    }
                    let mut lcm = m.1.clone();
                    for x in &n.1 {
                        let count = |m: &[u32]| m.iter().filter(|y| *y == x).count();
                        if count(&lcm) < count(&n.1) {
                            lcm.push(*x);
                        }
                    }
                    lcm.sort_unstable();
                    let lcm = (lcm.len(), lcm);
                    let top = 1u128 << c.trailing_zeros().max(d.trailing_zeros());
                    let (Some(x), Some(y)) = (divide(top, c, self.width), divide(top, d, self.width)) else { continue };
                    let (Some(by), Some(other)) = (quotient(&lcm, m), quotient(&lcm, n)) else { continue };
                    let y = y.wrapping_neg() & mask(self.width);
                    let mut difference = Parts::new();
                    self.add_multiple(&mut difference, x, &by, &a.parts);
                    self.add_multiple(&mut difference, y, &other, &b.parts);
                    let mut steps = vec![Step { id: a.id, by, factor: x }, Step { id: b.id, by: other, factor: y }];
                    let (rest, more) = self.reduce(difference);
                    if !rest.is_empty() {
                        steps.extend(more);
                        let id = self.derive(None, steps);
                        self.add(Rule { id, parts: rest });
                        continue 'again;
                    }
                }
            }
            return;
        }
    }

    /// The lemma that the two terms are equal: their difference, with these steps added, is nothing.
    fn lemma(&self, store: &mut Store, ring: &Ring, shown: (Term, Term), steps: &[Step]) -> Option<Lemma> {
        let last: Vec<Step> = steps
            .iter()
            .map(|step| Step { factor: step.factor.wrapping_neg() & mask(self.width), ..step.clone() })
            .collect();
        let mut needed: BTreeSet<usize> = BTreeSet::new();
        let mut work: Vec<usize> = last.iter().map(|step| step.id).collect();
        while let Some(id) = work.pop() {
            if needed.insert(id)
                && let Err(steps) = &self.origins[id]
            {
                work.extend(steps.iter().map(|step| step.id));
            }
        }
        let premises: Vec<(usize, Premise)> =
            needed.iter().filter_map(|id| Some((*id, self.origins[*id].clone().ok()?))).collect();
        // Indeterminates have the numbers that the reader gives them.
        let mut own = Ring::default();
        for (_, premise) in &premises {
            own.premise(store, premise).ok()?;
        }
        own.difference(store, shown.0, shown.1).ok()?;
        let mut numbers: BTreeMap<usize, usize> =
            premises.iter().enumerate().map(|(i, (id, _))| (*id, i + 1)).collect();
        let mut proof = String::new();
        let derived = needed.iter().filter_map(|id| Some((Some(*id), self.origins[*id].as_ref().err()?)));
        for (id, steps) in derived.chain([(None, &last)]) {
            let mut factors: BTreeMap<usize, String> = BTreeMap::new();
            for Step { id, by, factor } in steps {
                let text = factors.entry(numbers[id]).or_default();
                let _ = write!(text, " {factor}");
                for x in &by.1 {
                    let _ = write!(text, "*x{}", own.number_of(ring.indeterminates[*x as usize - 1])?);
                }
            }
            let summands: Vec<String> = factors.iter().map(|(number, factor)| format!("{number}{factor}")).collect();
            let _ = writeln!(proof, "{}", summands.join(" ; "));
            if let Some(id) = id {
                numbers.insert(id, numbers.len() + 1);
            }
        }
        Some(Lemma { premises: premises.into_iter().map(|(_, premise)| premise).collect(), shown, proof })
    }
}

/// `a / b`, where `b` divides it.
fn quotient(a: &Monomial, b: &Monomial) -> Option<Monomial> {
    let mut factors = a.1.clone();
    for x in &b.1 {
        factors.remove(factors.iter().position(|y| y == x)?);
    }
    Some((factors.len(), factors))
}

/// `x` with `x·d = c` modulo `2^width`, if `d` has no more factors 2 than `c`; the smallest such for small `c`.
fn divide(c: u128, d: u128, width: u32) -> Option<u128> {
    let twos = d.trailing_zeros();
    if c.trailing_zeros() < twos {
        return None;
    }
    let c = ((c << (128 - width)) as i128) >> (128 - width);
    Some(((c >> twos) as u128).wrapping_mul(inverse_of_odd(d >> twos)) & mask(width))
}
