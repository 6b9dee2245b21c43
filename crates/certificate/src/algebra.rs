//! Algebra where clauses would be too many: facts of the ring of machine integers, each with its proof, beside a condition.
//!
//! A product of two words takes thousands of clauses, and a proof about several of them more than anybody has time for. But most of
//! what is needed of products is algebra: that an equation follows from others, whatever the values are. A *lemma* says that, as
//! terms over the condition's variables, with a proof that crate `pac` checks (sums and multiples of what is zero are zero).
//! Lemmas are true of all values, so a condition may be shown with them; and where products are *any* values, but for
//! what lemmas say of them, what has no model then has none. The clauses are those of the condition and its lemmas.
//!
//! Maker and checker both come here. What has to be believed: terms as polynomials ([`Ring`]), products as
//! variables ([`Products`]), and that `a = b·(a/b) + a%b`.

use crate::formula;
use crate::limits::read::{MAX_EXPANDED, MAX_LEMMAS, MAX_WORK};
use cfa::Program;
use pac::{MAX_WIDTH, Polynomial, TooLarge};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use term::{Op, Sort, Store, Term};

/// What a lemma starts from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Premise {
    /// Two terms are equal; the lemma holds where they are.
    Equal(Term, Term),
    /// Dividend, divisor, quotient and remainder of this quotient or remainder go together as they always do.
    Division(Term),
}

/// If the premises hold, two terms are equal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lemma {
    pub(crate) premises: Vec<Premise>,
    pub(crate) shown: (Term, Term),
    /// In the format of `pac`.
    pub(crate) proof: String,
}

/// Whether the formula has products of variables.
pub(crate) fn concerns(terms: &Store, formula: Term) -> bool {
    term::postorder(terms, &[formula]).iter().any(|t| is_product(terms, *t) || has_no_circuit(terms, *t))
}

fn is_product(terms: &Store, t: Term) -> bool {
    terms.op(t) == Op::BvMul && terms.args(t).iter().all(|a| !terms.is_const(*a))
}

/// What becomes any value together with products: divisions by variables, and whether products overflow.
fn has_no_circuit(terms: &Store, t: Term) -> bool {
    match terms.op(t) {
        Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem => !terms.is_const(terms.arg(t, 1)),
        Op::BvSmulo | Op::BvUmulo => terms.args(t).iter().all(|a| !terms.is_const(*a)),
        _ => false,
    }
}

/// Terms as polynomials; what is no sum or product is an indeterminate.
#[derive(Default)]
pub(crate) struct Ring {
    numbers: FxHashMap<Term, u32>,
    pub(crate) indeterminates: Vec<Term>,
}

impl Ring {
    /// The polynomial of a term of at most [`MAX_WIDTH`] bits.
    pub(crate) fn polynomial(&mut self, terms: &Store, t: Term) -> Result<Polynomial, TooLarge> {
        let width = terms.sort(t).bv_width().filter(|width| *width <= MAX_WIDTH).ok_or(TooLarge)?;
        let (one, minus) = (Polynomial::constant(width, 1), Polynomial::constant(width, u128::MAX));
        let mut known: FxHashMap<Term, Polynomial> = FxHashMap::default();
        let mut work = 0usize;
        let mut stack = vec![t];
        while let Some(&top) = stack.last() {
            let args: &[Term] = match terms.op(top) {
                Op::BvAdd | Op::BvNeg | Op::BvNot | Op::BvMul => terms.args(top),
                _ => &[],
            };
            if let Some(open) = args.iter().find(|arg| !known.contains_key(arg)) {
                stack.push(*open);
                continue;
            }
            stack.pop();
            if let (Op::BvMul, [a, b]) = (terms.op(top), args) {
                work = work.saturating_add(known[a].parts().len() * known[b].parts().len());
            }
            if work > MAX_WORK {
                return Err(TooLarge);
            }
            let mut p = Polynomial::zero(width);
            match (terms.op(top), args) {
                (Op::BvAdd, args) => args.iter().try_for_each(|arg| p.add_product(&one, &known[arg]))?,
                (Op::BvNeg, [a]) => p.add_product(&minus, &known[a])?,
                // ~a = -a - 1
                (Op::BvNot, [a]) => {
                    p.add_product(&minus, &known[a])?;
                    p.add_product(&minus, &one)?;
                }
                (Op::BvMul, [a, b]) => p.add_product(&known[a], &known[b])?,
                (Op::BvConst(_), _) => {
                    let value = terms.as_bv_const(top).and_then(|bits| bits.to_u128()).ok_or(TooLarge)?;
                    p = Polynomial::constant(width, value);
                }
                _ => p = Polynomial::indeterminate(width, self.number(top)),
            }
            work += p.parts().len();
            known.insert(top, p);
        }
        known.remove(&t).ok_or(TooLarge)
    }

    fn number(&mut self, t: Term) -> u32 {
        *self.numbers.entry(t).or_insert_with(|| {
            self.indeterminates.push(t);
            self.indeterminates.len() as u32
        })
    }

    /// The number of an indeterminate that was met.
    pub(crate) fn number_of(&self, t: Term) -> Option<u32> {
        self.numbers.get(&t).copied()
    }

    /// `a - b`
    pub(crate) fn difference(&mut self, terms: &Store, a: Term, b: Term) -> Result<Polynomial, TooLarge> {
        let mut p = self.polynomial(terms, a)?;
        let q = self.polynomial(terms, b)?;
        if p.width() != q.width() {
            return Err(TooLarge);
        }
        p.add_product(&Polynomial::constant(q.width(), u128::MAX), &q)?;
        Ok(p)
    }

    /// What a premise says is zero.
    pub(crate) fn premise(&mut self, terms: &mut Store, premise: &Premise) -> Result<Polynomial, TooLarge> {
        match *premise {
            Premise::Equal(a, b) => self.difference(terms, a, b),
            Premise::Division(t) => {
                let &[a, b] = terms.args(t) else { return Err(TooLarge) };
                let (quotient, remainder) = match terms.op(t) {
                    Op::BvUdiv | Op::BvUrem => (terms.udiv(a, b), terms.urem(a, b)),
                    Op::BvSdiv | Op::BvSrem => (terms.sdiv(a, b), terms.srem(a, b)),
                    _ => return Err(TooLarge),
                };
                let product = terms.mul(b, quotient);
                let sum = terms.add(product, remainder);
                self.difference(terms, sum, a)
            }
        }
    }
}

impl Lemma {
    /// Checks the proof; says how many steps it has.
    pub(crate) fn check(&self, terms: &mut Store) -> Result<u64, String> {
        let large = |_| "it speaks of terms that are no polynomials here".to_owned();
        let mut ring = Ring::default();
        let premise = |premise| ring.premise(terms, premise);
        let given = self.premises.iter().map(premise).collect::<Result<Vec<_>, _>>().map_err(large)?;
        let shown = ring.difference(terms, self.shown.0, self.shown.1).map_err(large)?;
        if given.iter().any(|p| p.width() != shown.width()) {
            return Err("it speaks of words of several widths".into());
        }
        pac::check(&given, &shown, &self.proof).map(|checked| checked.steps).map_err(|error| error.to_string())
    }

    /// As a formula, which is true.
    pub(crate) fn formula(&self, terms: &mut Store) -> Term {
        let mut parts = vec![terms.eq(self.shown.0, self.shown.1)];
        for premise in &self.premises {
            if let Premise::Equal(a, b) = *premise {
                parts.push(terms.ne(a, b));
            }
        }
        terms.or_all(&parts)
    }
}

/// The condition with its lemmas; products are any values, if that is asked for.
pub(crate) fn with_lemmas(terms: &mut Store, bad: Term, lemmas: &[Lemma], free_products: bool) -> Term {
    let mut products = Products::default();
    products.with_lemmas(terms, bad, lemmas, free_products)
}

/// Products as variables, the same for the same factors in whatever order and sum.
#[derive(Default)]
pub(crate) struct Products {
    names: BTreeMap<(u32, Vec<Term>), Term>,
    known: FxHashMap<Term, Term>,
    ring: Ring,
}

impl Products {
    pub(crate) fn with_lemmas(&mut self, terms: &mut Store, bad: Term, lemmas: &[Lemma], free: bool) -> Term {
        let mut all = vec![bad];
        all.extend(lemmas.iter().map(|lemma| lemma.formula(terms)));
        let all = terms.and_all(&all);
        if free { self.forget(terms, all) } else { all }
    }

    /// Whether there is a variable for the product of these terms.
    pub(crate) fn has(&self, width: u32, factors: &[Term]) -> bool {
        let mut factors = factors.to_vec();
        factors.sort_unstable();
        self.names.contains_key(&(width, factors))
    }

    /// The term with variables in place of products.
    pub(crate) fn forget(&mut self, terms: &mut Store, root: Term) -> Term {
        for t in term::postorder(terms, &[root]) {
            if self.known.contains_key(&t) {
                continue;
            }
            let new = if has_no_circuit(terms, t) {
                terms.fresh("quotient", terms.sort(t))
            } else if let Some(sum) = self.sum(terms, t) {
                sum
            } else {
                let args: Vec<Term> = terms.args(t).iter().map(|arg| self.known[arg]).collect();
                if args == terms.args(t) { t } else { terms.mk(terms.op(t), &args) }
            };
            self.known.insert(t, new);
        }
        self.known[&root]
    }

    /// A sum with products of variables in it, in terms of their names.
    fn sum(&mut self, terms: &mut Store, t: Term) -> Option<Term> {
        let Sort::Bv(width) = terms.sort(t) else { return None };
        let is_sum = matches!(terms.op(t), Op::BvAdd | Op::BvNeg | Op::BvNot | Op::BvMul);
        if !is_sum || width > MAX_WIDTH {
            return None;
        }
        let p = self.ring.polynomial(terms, t).ok().filter(|p| p.parts().len() <= MAX_EXPANDED);
        let Some(p) = p else {
            return is_product(terms, t).then(|| terms.fresh("product", Sort::Bv(width)));
        };
        if p.parts().all(|(factors, _)| factors.len() < 2) {
            return None;
        }
        let mut sum = terms.bv(0, width);
        for (factors, c) in p.parts() {
            let mut factors: Vec<Term> = factors.iter().map(|x| self.ring.indeterminates[*x as usize - 1]).collect();
            factors.sort_unstable();
            let named = match &factors[..] {
                [] => None,
                [one] => Some(self.known[one]),
                _ => {
                    Some(*self.names.entry((width, factors)).or_insert_with(|| terms.fresh("product", Sort::Bv(width))))
                }
            };
            let mut part = terms.bv(c, width);
            if let Some(named) = named {
                part = terms.mul(part, named);
            }
            sum = terms.add(sum, part);
        }
        Some(sum)
    }
}

/// The lemmas as a file has them.
pub(crate) fn write(terms: &Store, lemmas: &[Lemma]) -> String {
    let show = |t: Term| term::smtlib::print_term(terms, t);
    let mut text = String::new();
    for lemma in lemmas {
        text.push_str("lemma\n");
        for premise in &lemma.premises {
            let _ = match premise {
                Premise::Equal(a, b) => writeln!(text, "if {}\nis {}", show(*a), show(*b)),
                Premise::Division(t) => writeln!(text, "division {}", show(*t)),
            };
        }
        let _ = writeln!(text, "then {}\nis {}", show(lemma.shown.0), show(lemma.shown.1));
        lemma.proof.lines().for_each(|line| _ = writeln!(text, "step {line}"));
    }
    text
}

/// Reads lemmas, over the variables of the store. Nothing is checked of them.
pub(crate) fn read(program: &Program, terms: &mut Store, text: &str) -> Result<Vec<Lemma>, String> {
    let mut lemmas: Vec<Lemma> = Vec::new();
    let mut lines = text.lines().enumerate().peekable();
    while let Some((number, line)) = lines.next() {
        let wrong = |what: &str| format!("line {}: {what}", number + 1);
        if line != "lemma" {
            return Err(wrong("a lemma should begin here"));
        }
        if lemmas.len() == MAX_LEMMAS {
            return Err(wrong("there are too many lemmas"));
        }
        let (mut premises, mut shown, mut proof) = (Vec::new(), None, String::new());
        while let Some((number, line)) = lines.next_if(|(_, line)| *line != "lemma") {
            let wrong = |what: String| format!("line {}: {what}", number + 1);
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            let mut read = |text: &str| formula::read_term(program, terms, text).map_err(wrong);
            match word {
                "if" | "then" if shown.is_none() => {
                    let other = lines.next().and_then(|(_, line)| line.strip_prefix("is "));
                    let (a, b) = (read(rest)?, read(other.ok_or_else(|| wrong("the other side is missing".into()))?)?);
                    if terms.sort(a) != terms.sort(b) {
                        return Err(wrong("the sides are of different sorts".into()));
                    }
                    if word == "if" { premises.push(Premise::Equal(a, b)) } else { shown = Some((a, b)) }
                }
                "division" if shown.is_none() => premises.push(Premise::Division(read(rest)?)),
                "step" if shown.is_some() => {
                    proof.push_str(rest);
                    proof.push('\n');
                }
                _ => return Err(wrong("it is no part of a lemma".into())),
            }
        }
        let shown = shown.ok_or_else(|| wrong("the lemma shows nothing"))?;
        lemmas.push(Lemma { premises, shown, proof });
    }
    Ok(lemmas)
}
