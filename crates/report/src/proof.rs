//! A proof as loops with invariants.

use crate::model::{FunctionContract, LoopInvariant, Method, Place, Proof};
use cfa::{Loc, Program};
use portfolio::Checked;
use portfolio::judge::CheckedProof;
use term::cprint::{CName, print_c};
use term::{Store, Term};
use transform::contract::Contract;

/// The proof, which speaks of the prepared program.
pub fn describe(program: &Program, checked: &CheckedProof, how: &Checked) -> Proof {
    let method = match &checked.proof {
        engine::Proof::Exhausted { bound: 0, explored } => Method::Paths { explored: *explored },
        engine::Proof::Exhausted { bound, .. } => Method::Unwound { bound: *bound },
        engine::Proof::Invariants { at, k } => {
            // A loop that slicing has cut off is never come to in what engines see, but may be in the program.
            let comes_there = |(_, formula): &(&Loc, &Term)| checked.terms.as_bool_const(**formula) != Some(false);
            let invariant = |(&loc, &formula): (&Loc, &Term)| invariant(program, &checked.terms, loc, formula);
            Method::Invariants { k: *k, loops: at.iter().filter(comes_there).map(invariant).collect() }
        }
        engine::Proof::Ranking { at, ranking } => {
            Method::Ranking { loops: crate::danger::loops(program, &checked.terms, at, ranking) }
        }
    };
    let (proved_again_by, not_proved_again) = confirmation(how);
    Proof::new(method, proved_again_by, not_proved_again)
}

/// A contract for people.
pub fn contract(program: &Program, contract: &Contract) -> FunctionContract {
    let text = |formula: &Term| {
        let c = in_c(program, &program.terms, *formula);
        c.unwrap_or_else(|| term::smtlib::print_term(&program.terms, *formula))
    };
    FunctionContract {
        function: program.functions[contract.function].name.clone(),
        requires: contract.before.iter().map(text).collect(),
        ensures: contract.after.iter().map(text).collect(),
    }
}

/// What holds at a location of the prepared program.
pub(crate) fn invariant(program: &Program, terms: &Store, loc: Loc, formula: Term) -> LoopInvariant {
    let location = &program.main().locs[loc];
    LoopInvariant {
        place: Place::of(&program.sources, location.loop_span.unwrap_or(location.span)),
        function: program.frames[location.frame].function.clone(),
        c: in_c(program, terms, formula),
        smtlib: term::smtlib::print_term(terms, formula),
    }
}

/// Who proved it again, or why nobody did.
pub fn confirmation(how: &Checked) -> (Option<String>, Option<String>) {
    match how {
        Checked::Again(solver) => (Some((*solver).to_owned()), None),
        Checked::Simplified(solver, _) => (Some(format!("{solver}, after simplification")), None),
        Checked::Not(why) => (None, Some(why.clone())),
    }
}

/// By the user's names, for people: names of different activations may coincide.
pub(crate) fn in_c(program: &Program, terms: &Store, formula: Term) -> Option<String> {
    let names = |store: &Store, t: Term| {
        let source = program.vars[program.var_of(t)?].source.as_ref()?;
        let width = store.sort(t).bv_width().unwrap_or(0);
        Some(CName { text: source.name.clone(), signed: source.signed, width })
    };
    print_c(terms, formula, &names)
}
