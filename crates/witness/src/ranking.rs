//! Rankings as transition invariants: between an earlier visit of a loop's head and the present one, the tuple has become
//! smaller in lexicographic order.
//!
//! A tuple that decreases from each head to the next, whichever that is, has decreased between any two visits of one head.
//! Components that are the same number at every visit of the head (they order the loops) say nothing there.

use crate::Task;
use crate::correctness::keyword;
use crate::files::Place;
use crate::metadata::location;
use crate::scope::is_nameable;
use crate::yaml::quoted;
use base::Span;
use cfa::{Loc, Program};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use term::cprint::{CName, print_c};
use term::subst::Substitution;
use term::{Store, Term};

/// The items of an `invariant_set`, and whether something is left out. The terms are about a flat program that is not
/// simplified.
pub(crate) fn transition_invariants(
    task: &Task,
    flat: &Program,
    terms: &Store,
    ranking: &BTreeMap<Loc, Vec<Term>>,
) -> (String, bool) {
    let mut left_out = false;
    let mut loops: BTreeMap<Place, (String, Option<String>)> = BTreeMap::new();
    for (head, tuple) in ranking {
        let Some((span, at)) = keyword(task, flat, *head) else {
            left_out = true;
            continue;
        };
        let frame = flat.main().locs[*head].frame;
        let text = decreases(task, flat, terms, *head, span, tuple);
        let function = flat.frames[frame].function.clone();
        let known = loops.entry(at).or_insert_with(|| (function, text.clone()));
        // Activations with other reasons to end.
        if known.1 != text {
            known.1 = None;
        }
    }
    let mut items = String::new();
    for (at, (function, text)) in loops {
        let Some(text) = text else {
            left_out = true;
            continue;
        };
        items += "    - invariant:\n        type: loop_transition_invariant\n";
        items += &location(&at, true, &function, 8);
        let _ = writeln!(items, "        value: {}", quoted(&text));
        items += "        format: ext_c_expression\n";
    }
    (items, left_out)
}

/// The ranking with zero for components that C cannot say at their loops. Whether it still decreases is to be seen.
pub fn sayable(
    task: &Task,
    flat: &Program,
    terms: &mut Store,
    ranking: &BTreeMap<Loc, Vec<Term>>,
) -> BTreeMap<Loc, Vec<Term>> {
    let zero = terms.bv(0, 1);
    let mut out = BTreeMap::new();
    for (head, tuple) in ranking {
        let can_say = |t: &Term| match keyword(task, flat, *head) {
            Some((span, _)) => decreases(task, flat, terms, *head, span, &[*t]).is_some(),
            None => true,
        };
        out.insert(*head, tuple.iter().map(|t| if can_say(t) { *t } else { zero }).collect());
    }
    out
}

/// The present tuple is smaller than the earlier one.
fn decreases(task: &Task, flat: &Program, terms: &Store, head: Loc, keyword: Span, tuple: &[Term]) -> Option<String> {
    let mut terms = terms.clone();
    let mut earlier = BTreeMap::new();
    let mut substitution = Substitution::new();
    for symbol in term::walk::free_vars(&terms, tuple) {
        let before = terms.fresh("earlier", terms.sort(symbol));
        earlier.insert(before, symbol);
        substitution.insert(&terms, symbol, before);
    }
    // Where no component is left, the head is visited once.
    let mut smaller = terms.ff();
    for &now in tuple.iter().rev() {
        let before = substitution.apply(&mut terms, now);
        let (less, same) = (terms.ult(now, before), terms.eq(now, before));
        let later = terms.and(same, smaller);
        smaller = terms.or(less, later);
    }
    let frame = flat.main().locs[head].frame;
    let names = |store: &Store, t: Term| {
        let own = earlier.get(&t).copied().unwrap_or(t);
        let var = flat.var_of(own).filter(|v| is_nameable(flat, *v, frame, keyword))?;
        let source = flat.source_of(var)?;
        let text = if own == t { source.name.clone() } else { format!("\\at({}, AnyPrev)", source.name) };
        Some(CName { text, signed: source.signed, width: store.sort(t).bv_width().unwrap_or(0) })
    };
    // Compilers have no such type there.
    print_c(&terms, smaller, &names).filter(|text| task.data_model != "ILP32" || !text.contains("__int128"))
}
