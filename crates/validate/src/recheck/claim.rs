//! Whether a claim is one that the argument of proving again is about: it rests on the order of locations, on edges that assign once, and on
//! invariants over the program's variables.

use super::Failure;
use cfa::{Function, Loc, Op, Program};
use flow::wto::Wto;
use std::collections::BTreeMap;
use term::{Store, Term};

/// Whether the claim is one that the argument above is about.
pub(super) fn check_claim(
    program: &Program,
    terms: &Store,
    wto: &Wto,
    invariants: &BTreeMap<Loc, Term>,
    is_inductive: bool,
) -> Result<(), Failure> {
    check_entry(program.main())?;
    check_assignments(program)?;
    check_order(program.main(), wto)?;
    check_invariants(program, terms, invariants)?;
    if is_inductive && !wto.is_reducible(program.main()) {
        return Err(Failure::NoAnswer("a loop is entered beside its head".into()));
    }
    Ok(())
}

/// No edge leads to where executions begin: nobody would be asked whether it is reached.
fn check_entry(function: &Function) -> Result<(), Failure> {
    match function.locs[function.entry].kind.is_target() {
        true => Err(Failure::TargetReachable(function.entry)),
        false => Ok(()),
    }
}

/// An edge assigns a variable once: what two values of one mean is nowhere said.
fn check_assignments(program: &Program) -> Result<(), Failure> {
    let is_twice = |op: &Op| {
        let mut written = op.written();
        written.sort_unstable();
        written.windows(2).any(|two| two[0] == two[1])
    };
    match program.main().edges.values().any(|edge| is_twice(&edge.op)) {
        true => Err(Failure::NoAnswer("an edge assigns a variable twice".into())),
        false => Ok(()),
    }
}

/// Every edge goes forward in the order, or to the head of a component around its source.
fn check_order(function: &Function, wto: &Wto) -> Result<(), Failure> {
    let backwards = |edge: &&cfa::EdgeInfo| {
        wto.reaches(edge.from)
            && wto.position(edge.to) <= wto.position(edge.from)
            && !(wto.is_head(edge.to) && wto.heads_around(edge.from).contains(&edge.to))
    };
    function.edges.values().find(backwards).map_or(Ok(()), |edge| Err(Failure::BadOrder(edge.to)))
}

fn check_invariants(program: &Program, terms: &Store, invariants: &BTreeMap<Loc, Term>) -> Result<(), Failure> {
    for (&at, invariant) in invariants {
        if let Some(symbol) =
            term::walk::free_vars(terms, &[*invariant]).into_iter().find(|s| program.var_of(*s).is_none())
        {
            return Err(Failure::ForeignSymbol { at, name: terms.symbol_name(symbol).unwrap_or_default().to_owned() });
        }
    }
    Ok(())
}
