//! What engines had told each other when there was no answer.

use crate::model::{CheckStatus, Known, LoopInvariant, Place};
use crate::names::Names;
use crate::proof;
use cfa::{LocKind, Program};
use engine::{Fact, FactKind};
use std::collections::{BTreeMap, BTreeSet};
use validate::Checked;
use validate::checks::Checks;

/// The proven facts about the prepared program, for people.
pub fn known(program: &Program, facts: &[Fact]) -> Known {
    let automaton = engine::board::fingerprint(program);
    let mut known = Known::default();
    let names = Names::of(program);
    let mut seen = BTreeSet::new();
    let mut terms = program.terms.clone();
    for fact in facts.iter().filter(|fact| fact.automaton == automaton) {
        match &fact.kind {
            FactKind::NoErrorWithin { bound } => known.no_error_within = known.no_error_within.max(Some(*bound)),
            FactKind::Invariant { at, formula } if seen.insert((*at, formula)) => {
                let Ok(term) = term::smtlib::parse_term(&mut terms, formula) else { continue };
                if terms.as_bool_const(term) == Some(true) {
                    continue;
                }
                known.invariants.push(proof::invariant(&names, &terms, *at, term));
            }
            FactKind::Invariant { .. } | FactKind::Candidate { .. } => {}
        }
    }
    known.invariants.sort_by_cached_key(|found| (found.place.clone(), said(found), found.text().len()));
    known.invariants.dedup_by(|later, first| (&later.place, said(later)) == (&first.place, said(first)));
    known
}

/// The checks of the flat program, as the user wrote them: one that stands in several copies of a function is proved if all
/// of its copies are.
pub fn checks(flat: &Program, checked: &Checked<Checks>) -> Vec<CheckStatus> {
    let found = checked.evidence();
    let mut all: BTreeMap<(Option<Place>, &str, &str), bool> = BTreeMap::new();
    for (locs, proved) in [(&found.proved, true), (&found.open, false)] {
        for loc in locs {
            let location = &flat.main().locs[*loc];
            let LocKind::Error(violation) = &location.kind else { continue };
            let place = Place::of(&flat.sources, location.span);
            *all.entry((place, violation.property.name(), &violation.message)).or_insert(true) &= proved;
        }
    }
    let status = |((place, property, message), proved): ((Option<Place>, &str, &str), bool)| CheckStatus {
        place,
        property: property.to_owned(),
        message: message.to_owned(),
        proved,
    };
    all.into_iter().map(status).collect()
}

/// The fact for people. What differs only in casts says the same to them.
fn said(found: &LoopInvariant) -> String {
    const CASTS: [&str; 6] =
        ["(int)", "(unsigned int)", "(long long)", "(unsigned long long)", "(__int128)", "(unsigned __int128)"];
    let text = if found.c.is_some() { found.text() } else { found.smtlib.clone() };
    CASTS.iter().fold(text, |text, cast| text.replace(cast, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn casts_say_nothing_new() {
        let found = |c: &str| LoopInvariant {
            place: None,
            function: "main".to_owned(),
            c: Some(c.to_owned()),
            without_c: 0,
            smtlib: String::new(),
        };
        assert_eq!(said(&found("(int)a > 1")), said(&found("a > 1")));
        assert_ne!(said(&found("a > 1")), said(&found("a > 2")));
    }
}
