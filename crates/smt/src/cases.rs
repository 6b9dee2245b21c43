//! The cases of a connective: which parts of a formula are true or false where the whole is.

use term::{Op, Sort, Store, Term};

/// The cases in which the connective `term` has this truth value, each with the truth values of its parts. Not a connective:
/// none.
pub(crate) fn connective_cases(terms: &Store, term: Term, truth: bool) -> Option<Vec<Vec<(Term, bool)>>> {
    let op = terms.op(term);
    Some(match (op, terms.args(term)) {
        (Op::True | Op::False, _) if (op == Op::True) == truth => vec![Vec::new()],
        (Op::True | Op::False, _) => Vec::new(),
        (Op::Not, &[a]) => vec![vec![(a, !truth)]],
        (Op::And | Op::Or, &[a, b]) if (op == Op::And) == truth => vec![vec![(a, truth), (b, truth)]],
        (Op::And | Op::Or, &[a, b]) => vec![vec![(a, truth)], vec![(b, truth)]],
        (Op::Xor, &[a, b]) => vec![vec![(a, true), (b, !truth)], vec![(a, false), (b, truth)]],
        (Op::Eq, &[a, b]) if terms.sort(a) == Sort::Bool => {
            vec![vec![(a, true), (b, truth)], vec![(a, false), (b, !truth)]]
        }
        (Op::Ite, &[c, a, b]) => vec![vec![(c, true), (a, truth)], vec![(c, false), (b, truth)]],
        _ => return None,
    })
}
