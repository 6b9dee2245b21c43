//! A proof as loops with invariants.

use crate::model::{FunctionContract, LoopInvariant, Method, Place};
use crate::names::Names;
use cfa::{Loc, Program};
use term::cprint::print_c;
use term::{Store, Term};
use transform::contract::Contract;
use validate::FoundProof;

/// How it is proved; the proof speaks of the prepared program.
pub(crate) fn method(program: &Program, checked: &FoundProof) -> Method {
    match &checked.proof {
        cfa::evidence::Proof::Exhausted { bound: 0, explored } => Method::Paths { explored: *explored },
        cfa::evidence::Proof::Explored(explored) => Method::Paths { explored: explored.paths },
        cfa::evidence::Proof::Exhausted { bound, .. } => Method::Unwound { bound: *bound },
        cfa::evidence::Proof::Invariants { at, k } => {
            // A loop that slicing has cut off is never come to in what engines see, but may be in the program.
            // Of a loop about which nothing needs to be known there is nothing to say.
            let comes_there = |(_, formula): &(&Loc, &Term)| checked.terms.as_bool_const(**formula).is_none();
            let names = Names::of(program);
            let invariant = |(&loc, &formula): (&Loc, &Term)| invariant(&names, &checked.terms, loc, formula);
            Method::Invariants { k: *k, loops: at.iter().filter(comes_there).map(invariant).collect() }
        }
        cfa::evidence::Proof::Ranking { at, ranking } => {
            Method::Ranking { loops: crate::danger::loops(program, &checked.terms, at, ranking) }
        }
    }
}

/// A contract for people.
pub fn contract(program: &Program, contract: &Contract) -> FunctionContract {
    let names = Names::of(program);
    let text = |formula: &Term| {
        let c = names.in_c(&program.terms, *formula);
        c.unwrap_or_else(|| term::smtlib::print_term(&program.terms, *formula))
    };
    FunctionContract {
        function: program.functions[contract.function].name.clone(),
        requires: contract.before.iter().map(text).collect(),
        ensures: contract.after.iter().map(text).collect(),
    }
}

/// What holds at a location of the prepared program.
pub(crate) fn invariant(names: &Names<'_>, terms: &Store, loc: Loc, formula: Term) -> LoopInvariant {
    let program = names.program;
    let location = &program.main().locs[loc];
    if transform::restore::speaks_of_stale(program, terms, loc, formula) {
        // Of variables that are not what the user thinks, nothing is said.
        let mut own = terms.clone();
        let faithful = transform::restore::without_stale(program, &mut own, loc, formula);
        if faithful != formula {
            return invariant(names, &own, loc, faithful);
        }
    }
    let names = names.within(terms, formula);
    let parts = term::normal::conjuncts(terms, formula);
    let texts: Vec<String> = parts.iter().filter_map(|part| print_c(terms, *part, &names)).collect();
    let c = match &texts[..] {
        [] => None,
        [one] => Some(one.clone()),
        many => Some(many.iter().map(|text| conjunct(text)).collect::<Vec<_>>().join(" && ")),
    };
    LoopInvariant {
        place: Place::of(&program.sources, location.loop_span.unwrap_or(location.span)),
        function: program.frames[location.frame].function.clone(),
        c,
        without_c: parts.len() - texts.len(),
        smtlib: term::smtlib::print_term(terms, formula),
    }
}

/// A part of a conjunction: what binds less is parenthesised.
fn conjunct(text: &str) -> String {
    if text.contains("||") || text.contains('?') { format!("({text})") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cfront::types::DataModel;

    /// What is printed of the automaton's variables, each at most 9, at the only loop.
    fn printed(text: &str, names: &[&str]) -> LoopInvariant {
        let unit = cfront::load_text(text, &cfront::Options::new(DataModel::Lp64)).expect("a program");
        let program = lower::lower(&unit, &lower::Options::default()).expect("a program");
        let settings = transform::pipeline::Settings::new(transform::Aim::Targets);
        let flat = transform::pipeline::prepare(&program, &settings).flat;
        let mut terms = flat.terms.clone();
        let mut formula = terms.tt();
        for name in names {
            let var = flat.vars.ids().find(|v| flat.name(*v) == *name).unwrap_or_else(|| panic!("no {name}"));
            let nine = terms.bv(9, 32);
            let bound = terms.ule(flat.term(var), nine);
            formula = terms.and(formula, bound);
        }
        let is_loop = |loc: &Loc| flat.main().locs[*loc].loop_span.is_some();
        let head = flat.main().locs.ids().find(is_loop).expect("a loop");
        invariant(&Names::of(&flat), &terms, head, formula)
    }

    #[test]
    fn names_say_whose_they_are() {
        let text = "void reach_error(void); unsigned __VERIFIER_nondet_uint(void); unsigned i;
            int main(void) { i = __VERIFIER_nondet_uint(); for (unsigned i = 0, j = 0; i < 5; i++) j++;
            if (i == 3) reach_error(); }";
        let found = printed(text, &["i", "main::i", "main::j"]);
        let mut parts: Vec<&str> = found.c.as_deref().expect("it has a C form").split(" && ").collect();
        parts.sort_unstable();
        assert_eq!(parts, ["::i < 10", "j < 10", "main::i < 10"]);
    }

    #[test]
    fn parts_without_c_form_take_nothing_else_away() {
        let text = "void reach_error(void); unsigned __VERIFIER_nondet_uint(void); struct pair { unsigned x, y; };
            int main(void) { struct pair s = {0, 0}; while (__VERIFIER_nondet_uint() + s.y != 5) s.x++, s.y += s.x;
            if (s.x == 3) reach_error(); }";
        let found = printed(text, &["main::s", "main::s+4", "$exit_code"]);
        assert_eq!(found.without_c, 1);
        assert!(found.text().ends_with(" && 1 more without a C form"), "{}", found.text());
        let c = found.c.expect("it has a C form");
        assert!(c == "s.x < 10 && s.y < 10" || c == "s.y < 10 && s.x < 10", "{c}");
    }
}
