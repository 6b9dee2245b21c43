//! Quantifiers, instance by instance.
//!
//! Invariants of arrays say `∀g. I(g, a[g])`. Solvers take that, but look for instances blindly. Here each quantified formula
//! becomes a boolean `q` that stands for it, and two things are said of it: if `q`, the body holds of the values that matter
//! (`q ⇒ I(t)`), and if not, it fails of some (`q ∨ ¬I(c)` with a fresh `c`, for `∀`). The values that matter are those fresh
//! ones, and those for which an index in the body becomes one at which the rest of the formula reads or writes.
//!
//! Most quantified formulas are needed in one of the two ways: what is only ever said to hold needs no value of which it fails, and what is
//! only said to fail needs no instances. With many facts that is the difference between their number and its square.
//!
//! Whatever satisfies the given formula satisfies the new one: what is said of `q` is true of the quantified formula, and
//! instances are left out only. So refuting the new one refutes both. The reverse is not claimed.

use crate::limits::instances::{MAX_INSTANCES, MOST_COMBINED};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use term::{Op, Sort, Store, Term};

/// The formula without quantifiers. `None`: there are none, or one speaks of what another binds, or there would be too many
/// instances.
pub fn instantiated(terms: &mut Store, formula: Term) -> Option<Term> {
    instantiated_at(terms, formula, Values::All)
}

/// The same with the instances only that are most often needed: what is known of all cells, of the one of which something else is said to
/// fail. Without the others the question has less to compute.
pub fn instantiated_at_witnesses(terms: &mut Store, formula: Term) -> Option<Term> {
    instantiated_at(terms, formula, Values::Witnesses)
}

fn instantiated_at(terms: &mut Store, formula: Term, values: Values) -> Option<Term> {
    // What is said outright needs no name.
    let said = term::normal::conjuncts(terms, formula).into_iter().filter(|t| terms.op(*t) == Op::Forall).collect();
    let (plain, said) = instances(terms, &[formula], &said, &[], values)?;
    Some(terms.and(plain[0], said))
}

/// Of which values quantified formulas have instances.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Values {
    /// Those of which some quantified formula is said to fail.
    Witnesses,
    /// Also those for which an index becomes one that occurs.
    All,
}

/// The same for several formulas that are claimed, all of them or some: each without its quantifiers, and what is said of them.
/// The `chosen` values matter too.
pub fn instantiated_each(terms: &mut Store, formulas: &[Term], chosen: &[Term]) -> Option<(Vec<Term>, Term)> {
    instances(terms, formulas, &BTreeSet::new(), chosen, Values::All)
}

/// `given` are known to hold.
fn instances(
    terms: &mut Store,
    formulas: &[Term],
    given: &BTreeSet<Term>,
    chosen: &[Term],
    values: Values,
) -> Option<(Vec<Term>, Term)> {
    let senses = senses(terms, formulas);
    let mut rules: Vec<Rule> = Vec::new();
    let mut new: FxHashMap<Term, Term> = FxHashMap::default();
    for t in term::walk::postorder(terms, formulas) {
        let args: Vec<Term> = terms.args(t).iter().map(|a| new[a]).collect();
        let built = match (terms.op(t), &args[..]) {
            (Op::Forall | Op::Exists, [bound @ .., body]) => {
                rules.push(Rule::new(terms, t, bound, *body, given.contains(&t), senses[&t]));
                rules[rules.len() - 1].holds
            }
            _ if args == terms.args(t) => t,
            (op, _) => terms.mk(op, &args),
        };
        new.insert(t, built);
    }
    let bound: Vec<Term> = rules.iter().flat_map(|rule| rule.bound.iter().copied()).collect();
    let depends = |rule: &Rule| term::walk::free_vars(terms, &[rule.whole]).iter().any(|v| bound.contains(v));
    if rules.is_empty() || rules.iter().any(depends) {
        return None;
    }
    let plain: Vec<Term> = formulas.iter().map(|formula| new[formula]).collect();
    let indices = indices(terms, &plain);
    let mut facts = Vec::new();
    let mut room = MOST_COMBINED;
    for rule in &rules {
        let is_universal = terms.op(rule.whole) == Op::Forall;
        // An existential is the opposite of a universal.
        let (body, holds) =
            if is_universal { (rule.body, rule.holds) } else { (terms.not(rule.body), terms.not(rule.holds)) };
        if !rule.witness.is_empty() {
            let exception = rule.instance(terms, body, &rule.witness);
            let fails = terms.not(exception);
            facts.push(terms.or(holds, fails));
        }
        if !rule.is_used {
            continue;
        }
        let mut choices: Vec<Vec<Term>> = rules.iter().map(|other| other.witness.clone()).collect();
        choices.push(chosen.to_vec());
        choices.retain(|choice| !choice.is_empty() && rule.fits(terms, choice));
        if values == Values::All {
            let mut witnesses: Vec<Term> = rules.iter().flat_map(|other| other.witness.iter().copied()).collect();
            witnesses.extend(chosen);
            let (whole, combined) = rule.matches(terms, &indices, &witnesses);
            choices.extend(whole);
            let parts = combined.len().saturating_mul(term::walk::dag_size(terms, &[body]));
            if parts <= room {
                room -= parts;
                choices.extend(combined);
            }
        }
        choices.sort_unstable();
        choices.dedup();
        for choice in choices {
            let instance = rule.instance(terms, body, &choice);
            facts.push(terms.implies(holds, instance));
        }
        if facts.len() > MAX_INSTANCES {
            return None;
        }
    }
    let said = terms.and_all(&facts);
    Some((plain, said))
}

/// How a formula is claimed: that it holds, that it fails, or both in different places.
#[derive(Clone, Copy, Default)]
struct Sense {
    holds: bool,
    fails: bool,
}

/// In which sense each boolean part of the formulas, which are claimed, is claimed.
fn senses(terms: &Store, formulas: &[Term]) -> FxHashMap<Term, Sense> {
    let mut found: FxHashMap<Term, Sense> = FxHashMap::default();
    for &formula in formulas {
        found.entry(formula).or_default().holds = true;
    }
    // Whatever mentions a part comes before it.
    for t in term::walk::postorder(terms, formulas).into_iter().rev() {
        let sense = found.get(&t).copied().unwrap_or_default();
        let both = Sense { holds: true, fails: true };
        for (i, arg) in terms.args(t).iter().enumerate() {
            let passed = match terms.op(t) {
                Op::And | Op::Or | Op::Forall | Op::Exists => sense,
                Op::Not => Sense { holds: sense.fails, fails: sense.holds },
                Op::Ite if i > 0 && terms.sort(*arg) == Sort::Bool => sense,
                _ => both,
            };
            let known = found.entry(*arg).or_default();
            *known = Sense { holds: known.holds || passed.holds, fails: known.fails || passed.fails };
        }
    }
    found
}

/// Where the formulas read and write arrays.
fn indices(terms: &Store, formulas: &[Term]) -> Vec<Term> {
    let parts = term::walk::postorder(terms, formulas).into_iter();
    let accesses = parts.filter(|t| matches!(terms.op(*t), Op::Select | Op::Store));
    let mut found: Vec<Term> = accesses.map(|t| terms.arg(t, 1)).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// A quantified formula and what stands for it.
struct Rule {
    whole: Term,
    bound: Vec<Term>,
    /// Without the quantifiers in it.
    body: Term,
    holds: Term,
    /// Values of which the body fails, if it does not hold of all; none if nobody says that it does not. (Of an existential: values
    /// of which it holds.)
    witness: Vec<Term>,
    /// Whether instances matter.
    is_used: bool,
}

impl Rule {
    /// The same formula has the same names in every question, so that solvers see what they know already.
    fn new(terms: &mut Store, whole: Term, bound: &[Term], body: Term, is_given: bool, sense: Sense) -> Rule {
        let holds = if is_given { terms.tt() } else { terms.var(&format!("quantified!{whole}"), Sort::Bool) };
        let (is_used, is_denied) =
            if terms.op(whole) == Op::Forall { (sense.holds, sense.fails) } else { (sense.fails, sense.holds) };
        let denied = if is_given || !is_denied { &[] } else { bound };
        let named = denied.iter().enumerate();
        let witness = named.map(|(i, b)| terms.var(&format!("index!{whole}!{i}"), terms.sort(*b))).collect();
        Rule { whole, bound: bound.to_vec(), body, holds, witness, is_used }
    }

    fn fits(&self, terms: &Store, choice: &[Term]) -> bool {
        let sorts = |all: &[Term]| -> Vec<Sort> { all.iter().map(|t| terms.sort(*t)).collect() };
        sorts(choice) == sorts(&self.bound)
    }

    fn instance(&self, terms: &mut Store, body: Term, choice: &[Term]) -> Term {
        let pairs: Vec<(Term, Term)> = self.bound.iter().copied().zip(choice.iter().copied()).collect();
        term::substitute(terms, body, &pairs)
    }

    /// The choices for which an index in the body is one of these. Where no index has all that is bound, also every combination of
    /// what single indices say, and of the witnesses.
    fn matches(&self, terms: &mut Store, indices: &[Term], witnesses: &[Term]) -> (Vec<Vec<Term>>, Vec<Vec<Term>>) {
        let mut found = Vec::new();
        let mut single: Vec<Vec<Term>> = Vec::new();
        for bound in &self.bound {
            single.push(witnesses.iter().copied().filter(|w| terms.sort(*w) == terms.sort(*bound)).collect());
        }
        let mut is_apart = false;
        for pattern in self::indices(terms, &[self.body]) {
            for &index in indices {
                let mut binding = BTreeMap::new();
                if !self.match_term(terms, pattern, index, &mut binding) || binding.is_empty() {
                    continue;
                }
                is_apart |= binding.len() < self.bound.len();
                found.extend(self.bound.iter().map(|b| binding.get(b).copied()).collect::<Option<Vec<Term>>>());
                for (bound, known) in self.bound.iter().zip(&mut single) {
                    known.extend(binding.get(bound));
                }
            }
        }
        let combined = if is_apart { combinations(&mut single) } else { Vec::new() };
        (found, combined)
    }

    /// Whether the pattern becomes the term if what is bound is replaced.
    fn match_term(&self, terms: &mut Store, pattern: Term, t: Term, binding: &mut BTreeMap<Term, Term>) -> bool {
        // Arrays may have indices of several widths.
        if terms.sort(pattern) != terms.sort(t) {
            return false;
        }
        if self.bound.contains(&pattern) {
            return *binding.entry(pattern).or_insert(t) == t;
        }
        if !self.bound.iter().any(|b| term::walk::mentions(terms, pattern, *b)) {
            return pattern == t;
        }
        let (op, parts) = (terms.op(pattern), terms.args(pattern).to_vec());
        if op == terms.op(t) && parts.len() == terms.args(t).len() {
            let args = terms.args(t).to_vec();
            let before = binding.clone();
            if parts.iter().zip(&args).all(|(part, arg)| self.match_term(terms, *part, *arg, binding)) {
                return true;
            }
            binding.clone_from(&before);
            // Sums and products do not care about the order.
            let mut reversed = parts.iter().zip(args.iter().rev());
            if matches!(op, Op::BvAdd | Op::BvMul)
                && reversed.all(|(part, arg)| self.match_term(terms, *part, *arg, binding))
            {
                return true;
            }
            *binding = before;
        }
        // One summand is what the others leave of the sum.
        if let (Op::BvAdd, &[a, b]) = (op, &parts[..]) {
            let is_open = |t: Term| self.bound.iter().any(|bound| term::walk::mentions(terms, t, *bound));
            return match (is_open(a), is_open(b)) {
                (true, false) => {
                    let rest = terms.sub(t, b);
                    self.match_term(terms, a, rest, binding)
                }
                (false, true) => {
                    let rest = terms.sub(t, a);
                    self.match_term(terms, b, rest, binding)
                }
                _ => false,
            };
        }
        // A multiple of a constant, where that divides all summands.
        if let (Op::BvMul, &[a, b]) = (op, &parts[..]) {
            let (factor, open) = if terms.as_bv_const(a).is_some() { (a, b) } else { (b, a) };
            return terms.as_bv_const(factor).is_some()
                && quotient(terms, t, factor).is_some_and(|part| self.match_term(terms, open, part, binding));
        }
        // The low bits of a number can be any.
        if let Op::Extract { lo: 0, .. } = op {
            let wide = terms.zext_to(t, terms.width(parts[0]));
            return self.match_term(terms, parts[0], wide, binding);
        }
        false
    }
}

/// The sum by the constant, where that divides each of its summands. Of the numbers that are as good modulo a power of two it is the one near
/// zero: indices go a little up or down.
fn quotient(terms: &mut Store, sum: Term, by: Term) -> Option<Term> {
    let args = terms.args(sum).to_vec();
    match (terms.op(sum), &args[..]) {
        (Op::BvAdd, &[a, b]) => {
            let (a, b) = (quotient(terms, a, by)?, quotient(terms, b, by)?);
            Some(terms.add(a, b))
        }
        (Op::BvMul, &[a, b]) => {
            let (factor, other) = if terms.as_bv_const(a).is_some() { (a, b) } else { (b, a) };
            let factor = quotient(terms, factor, by)?;
            Some(terms.mul(factor, other))
        }
        _ if terms.as_bv_const(sum).is_some() => {
            let rest = terms.srem(sum, by);
            let is_whole = terms.as_bv_const(rest).is_some_and(|bits| bits.is_zero());
            is_whole.then(|| terms.sdiv(sum, by))
        }
        _ => None,
    }
}

/// Every choice of one for each; none if there are too many.
fn combinations(each: &mut [Vec<Term>]) -> Vec<Vec<Term>> {
    for one in each.iter_mut() {
        one.sort_unstable();
        one.dedup();
    }
    if each.iter().map(Vec::len).try_fold(1, usize::checked_mul).is_none_or(|all| all > MAX_INSTANCES) {
        return Vec::new();
    }
    let mut found: Vec<Vec<Term>> = vec![Vec::new()];
    for one in each.iter() {
        found = found.iter().flat_map(|so_far| one.iter().map(move |next| [&so_far[..], &[*next]].concat())).collect();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Answer, SolverSettings};

    struct Example {
        s: Store,
        array: Term,
        i: Term,
        g: Term,
    }

    impl Example {
        fn new() -> Example {
            let mut s = Store::new();
            let array = s.var("a", Sort::array(Sort::Bv(8), Sort::Bv(8)));
            let (i, g) = (s.var("i", Sort::Bv(8)), s.var("g", Sort::Bv(8)));
            Example { s, array, i, g }
        }

        /// `∀g. g < end ⇒ array[g] = 42`
        fn filled(&mut self, array: Term, end: Term) -> Term {
            let below = self.s.ult(self.g, end);
            let value = self.s.select(array, self.g);
            let wanted = self.s.bv(42, 8);
            let equal = self.s.eq(value, wanted);
            let body = self.s.implies(below, equal);
            self.s.forall(&[self.g], body)
        }

        /// Also by the fewest instances, which refute nothing more.
        fn is_refuted(&mut self, formula: Term) -> bool {
            let plain = instantiated(&mut self.s, formula).expect("one bound variable");
            let fewest = instantiated_at_witnesses(&mut self.s, formula).expect("one bound variable");
            let mut solver = crate::open(&SolverSettings::default()).unwrap();
            let [is_refuted, is_refuted_by_fewest] =
                [plain, fewest].map(|plain| solver.check(&self.s, &[plain]) == Ok(Answer::Unsat));
            assert!(is_refuted || !is_refuted_by_fewest);
            is_refuted
        }
    }

    #[test]
    fn filling_an_array_cell_by_cell() {
        let mut e = Example::new();
        let before = e.filled(e.array, e.i);
        let (value, one, last) = (e.s.bv(42, 8), e.s.bv(1, 8), e.s.bv(255, 8));
        let written = e.s.store(e.array, e.i, value);
        let next = e.s.add(e.i, one);
        let after = e.filled(written, next);
        let not_after = e.s.not(after);
        let in_range = e.s.ult(e.i, last);
        let step = e.s.and_all(&[before, in_range, not_after]);
        assert!(e.is_refuted(step));
        // With another value written it does not hold any more.
        let other = e.s.bv(7, 8);
        let written = e.s.store(e.array, e.i, other);
        let after = e.filled(written, next);
        let not_after = e.s.not(after);
        let step = e.s.and_all(&[before, in_range, not_after]);
        assert!(!e.is_refuted(step));
    }

    #[test]
    fn arrays_with_indices_of_several_widths() {
        let mut e = Example::new();
        let one = e.s.bv(1, 8);
        let place = e.s.add(e.g, one);
        let cell = e.s.select(e.array, place);
        let zero = e.s.bv(0, 8);
        let empty = e.s.eq(cell, zero);
        let all_empty = e.s.forall(&[e.g], empty);
        let other = e.s.var("b", Sort::array(Sort::Bv(4), Sort::Bv(8)));
        let j = e.s.var("j", Sort::Bv(4));
        let (there, here) = (e.s.select(other, j), e.s.select(e.array, e.i));
        let differs = e.s.ne(there, here);
        let formula = e.s.and(all_empty, differs);
        assert!(!e.is_refuted(formula));
        let there_too = e.s.eq(there, zero);
        let formula = e.s.and(formula, there_too);
        assert!(e.is_refuted(formula));
    }

    #[test]
    fn facts_about_two_cells() {
        let mut e = Example::new();
        let h = e.s.var("h", Sort::Bv(8));
        let j = e.s.var("j", Sort::Bv(8));
        // Sorted: so the cell at i is not above the one at j, if i is before j.
        let (before, low, high) = (e.s.ult(e.g, h), e.s.select(e.array, e.g), e.s.select(e.array, h));
        let ordered = e.s.ule(low, high);
        let body = e.s.implies(before, ordered);
        let sorted = e.s.forall(&[e.g, h], body);
        let (at_i, at_j) = (e.s.select(e.array, e.i), e.s.select(e.array, j));
        let wrong = e.s.ult(at_j, at_i);
        let in_order = e.s.ult(e.i, j);
        let formula = e.s.and_all(&[sorted, in_order, wrong]);
        assert!(e.is_refuted(formula));
        let formula = e.s.and_all(&[sorted, wrong]);
        assert!(!e.is_refuted(formula), "if j is before i, it is so");
    }

    #[test]
    fn elements_of_several_bytes() {
        let mut e = Example::new();
        let j = e.s.var("j", Sort::Bv(8));
        let number = |s: &mut Store, n: u128| s.bv(n, 8);
        let (zero, one, two, four, eight) = {
            let s = &mut e.s;
            (number(s, 0), number(s, 1), number(s, 2), number(s, 4), number(s, 8))
        };
        // Of each of two rows of four elements: the lower byte of `e[g]` is zero, and so is the upper one.
        let mut facts = Vec::new();
        for row in [0, 8] {
            let first = number(&mut e.s, row);
            let twice = e.s.mul(e.g, two);
            let low = e.s.add(twice, first);
            let high = e.s.add(low, one);
            let (low, high) = (e.s.select(e.array, low), e.s.select(e.array, high));
            let element = e.s.concat(high, low);
            let nothing = e.s.bv(0, 16);
            let (in_row, empty) = (e.s.ult(e.g, four), e.s.eq(element, nothing));
            let body = e.s.implies(in_row, empty);
            facts.push(e.s.forall(&[e.g], body));
        }
        // So all of both rows are.
        let (in_rows, in_row) = (e.s.ult(j, two), e.s.ult(e.i, four));
        let (row, place) = (e.s.mul(j, eight), e.s.mul(e.i, two));
        let sum = e.s.add(row, place);
        let index = e.s.add(sum, one);
        let byte = e.s.select(e.array, index);
        let differs = e.s.ne(byte, zero);
        facts.extend([in_row, differs]);
        let formula = e.s.and_all(&facts);
        assert!(!e.is_refuted(formula), "there may be more rows");
        let formula = e.s.and(formula, in_rows);
        assert!(e.is_refuted(formula));
    }

    #[test]
    fn quantifiers_may_be_conditions() {
        let mut e = Example::new();
        let all = e.filled(e.array, e.i);
        let (zero, one) = (e.s.bv(0, 8), e.s.bv(1, 8));
        let chosen = e.s.ite(all, zero, one);
        let read = e.s.select(e.array, zero);
        let wrong = e.s.bv(41, 8);
        // If the first cell is wrong and there is one, not all are right: so one is chosen.
        let facts = [e.s.eq(read, wrong), e.s.ult(zero, e.i), e.s.eq(chosen, zero)];
        let formula = e.s.and_all(&facts);
        assert!(e.is_refuted(formula));
        let facts = [facts[0], e.s.eq(chosen, zero)];
        let formula = e.s.and_all(&facts);
        assert!(!e.is_refuted(formula), "there may be no cell");
        let facts = [e.s.not(all), e.s.eq(e.i, zero)];
        let formula = e.s.and_all(&facts);
        assert!(e.is_refuted(formula), "of no cells everything holds");
    }
}
