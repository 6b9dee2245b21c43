//! Questions by cases: for each value of the last bits of a number, of a truth value, or of a number that has few values.
//!
//! What happens every so many iterations, in turns, or in the states of a machine is a choice between values that nothing else decides. In
//! each case by itself terms fold, and ranges settle most of what is left. That a number has few values is shown by ranges.

use crate::bounds::{self, Bounds};
use crate::limits::value_cases::{FEW_VALUES, MOST_CASES, MOST_LAST_BITS, MOST_SPLITS};
use term::normal::conjuncts;
use term::subst::Substitution;
use term::{Op, Sort, Store, Term, last_bits};

/// The cases that ranges leave open; nothing where there are no cases, or too many. Where each of them is contradictory, so is the whole.
pub(crate) fn open(terms: &mut Store, asked: Term) -> Option<Vec<Term>> {
    let mut open = vec![asked];
    let mut is_split = false;
    for round in 0..MOST_SPLITS {
        let mut next = Vec::new();
        for case in open {
            match split(terms, case, round == 0) {
                Some(cases) => {
                    is_split = true;
                    next.extend(cases.into_iter().filter(|case| !is_contradictory(terms, *case)));
                }
                None => next.push(case),
            }
        }
        open = next;
        if open.len() > MOST_CASES {
            return None;
        }
    }
    is_split.then_some(open)
}

pub(crate) fn is_contradictory(terms: &Store, asked: Term) -> bool {
    terms.as_bool_const(asked) == Some(false) || bounds::contradict(terms, &conjuncts(terms, asked))
}

fn split(terms: &mut Store, asked: Term, may_take_bits: bool) -> Option<Vec<Term>> {
    let facts = conjuncts(terms, asked);
    if let Some(last) = last_bits::taken(terms, &facts, MOST_LAST_BITS).filter(|_| may_take_bits) {
        let zero = terms.bv(0, terms.width(last.number));
        let is_negative = terms.slt(last.number, zero);
        let is_natural = bounds::contradict(terms, &[&facts[..], &[is_negative]].concat());
        let cases = last.cases(terms, is_natural);
        return Some(cases.into_iter().map(|case| case.of(terms, &[asked])[0]).collect());
    }
    let (var, values) = few_values(terms, &facts)?;
    let with = |value: Term| {
        let mut substitution = Substitution::new();
        substitution.insert(terms, var, value);
        substitution.apply(terms, asked)
    };
    Some(values.into_iter().map(with).collect())
}

/// A truth value, or a number that is compared with constants and has few values by the ranges; with all its values.
fn few_values(terms: &mut Store, facts: &[Term]) -> Option<(Term, Vec<Term>)> {
    let mut known = Bounds::default();
    for fact in facts.iter().chain(facts) {
        known.assume(terms, *fact, true);
    }
    for t in term::walk::postorder(terms, facts) {
        if terms.is_var(t) && terms.sort(t) == Sort::Bool {
            return Some((t, vec![terms.ff(), terms.tt()]));
        }
        if terms.op(t) != Op::Eq {
            continue;
        }
        let (a, b) = (terms.arg(t, 0), terms.arg(t, 1));
        let var = if terms.is_const(b) { a } else { b };
        if !terms.is_var(var)
            || !matches!(terms.sort(var), Sort::Bv(1..=64))
            || !(terms.is_const(a) || terms.is_const(b))
        {
            continue;
        }
        let Some((least, most)) = known.numbers(terms, var, false) else { continue };
        if most - least < FEW_VALUES {
            let width = terms.width(var);
            return Some((var, (least..=most).map(|value| terms.bv(value as u128, width)).collect()));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::{Answer, SolverSettings};

    fn is_contradictory_by_cases(text: &str) -> Option<bool> {
        let mut terms = Store::new();
        for (name, sort) in [("i", Sort::Bv(32)), ("st", Sort::Bv(32)), ("c", Sort::Bv(32)), ("on", Sort::Bool)] {
            terms.var(name, sort);
        }
        let asked = term::smtlib::parse_term(&mut terms, text).expect("a formula");
        let mut solver = smt::open(&SolverSettings::default()).expect("Bitwuzla");
        let open = open(&mut terms, asked);
        let refuted = open.map(|cases| cases.iter().all(|case| solver.check(&terms, &[*case]) == Ok(Answer::Unsat)));
        if refuted == Some(true) {
            assert_eq!(solver.check(&terms, &[asked]), Ok(Answer::Unsat), "{text}");
        }
        refuted
    }

    #[test]
    fn what_cases_refute_is_contradictory() {
        // `if (i % 4 == 3) c++` keeps `c = i / 4`, and not `c = (i + 1) / 4`.
        let counts = |shift: &str| {
            format!(
                "(let ((c (bvlshr (bvadd i {shift}) #x00000002))) (and (bvult i #x3b9aca00) (not (= (ite (= (bvurem i #x00000004) #x00000003) \
                 (bvadd c #x00000001) c) (bvlshr (bvadd i {shift} #x00000001) #x00000002)))))"
            )
        };
        assert_eq!(is_contradictory_by_cases(&counts("#x00000000")), Some(true));
        assert_eq!(is_contradictory_by_cases(&counts("#x00000001")), Some(false));
        // Three states in turn.
        let states = |last: &str| {
            format!(
                "(let ((next (ite (= st #x00000000) #x00000001 (ite (= st #x00000001) #x00000002 (ite (= st #x00000002) #x00000000 st))))) \
                 (and (bvule st {last}) (not (bvule next #x00000002))))"
            )
        };
        assert_eq!(is_contradictory_by_cases(&states("#x00000002")), Some(true));
        assert_eq!(is_contradictory_by_cases(&states("#x00000003")), Some(false));
        // Too many values for cases.
        assert_eq!(is_contradictory_by_cases(&states("#x000f0003")), None);
        assert_eq!(
            is_contradictory_by_cases("(= (ite on #x00000001 #x00000002) (ite on #x00000003 #x00000004))"),
            Some(true)
        );
        assert_eq!(
            is_contradictory_by_cases("(= (ite on #x00000001 #x00000002) (ite on #x00000003 #x00000002))"),
            Some(false)
        );
    }
}
