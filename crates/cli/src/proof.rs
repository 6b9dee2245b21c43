//! A proof for people: each loop with its invariant in C.

use cfa::{Loc, Program};
use engine::Proof;
use portfolio::judge::CheckedProof;
use term::cprint::{CName, print_c};
use term::{Store, Term};

pub(crate) fn describe(program: &Program, checked: &CheckedProof) -> String {
    match &checked.proof {
        Proof::Exhausted { bound: 0, explored } => format!("all {explored} paths were explored\n"),
        Proof::Exhausted { bound, .. } => {
            format!("every loop ends within {bound} iterations: all executions were explored\n")
        }
        Proof::Invariants { at, k } => {
            let mut text = if *k > 1 { format!("{k}-inductive invariants:\n") } else { "invariants:\n".to_owned() };
            if at.is_empty() {
                text += "  (the property itself)\n";
            }
            for (&loc, &invariant) in at {
                text += &format!("  {}: {}\n", place(program, loc), formula(program, checked, invariant));
            }
            text
        }
    }
}

/// The loop as the user wrote it.
fn place(program: &Program, loc: Loc) -> String {
    let location = &program.main().locs[loc];
    format!("loop at {}", program.sources.place(location.loop_span.unwrap_or(location.span)))
}

/// In C where it can be said so, else as SMT-LIB.
fn formula(program: &Program, checked: &CheckedProof, invariant: Term) -> String {
    let names = |store: &Store, t: Term| {
        let source = program.vars[program.var_of(t)?].source.as_ref()?;
        let width = store.sort(t).bv_width().unwrap_or(0);
        Some(CName { text: source.name.clone(), signed: source.signed, width })
    };
    print_c(&checked.terms, invariant, &names).unwrap_or_else(|| term::smtlib::print_term(&checked.terms, invariant))
}
