//! A danger invariant, a recurrence set or a ranking, in words.

use crate::model::{Counterexample, LoopInvariant, LoopRanking, Native, Place, Violation};
use crate::names::Names;
use crate::proof::invariant;
use cfa::{Loc, Op, Origin, Program, Property};
use std::collections::BTreeMap;
use term::{Store, Term};
use validate::FoundDanger;

/// The lines that tell why the violation is surely come to. `program` is the prepared program.
pub(crate) fn explain(program: &Program, proof: &FoundDanger) -> Vec<String> {
    let endless = proof.violation.property == Property::Termination;
    let names = Names::of(program);
    let mut lines = Vec::new();
    lines.push(match endless {
        true => "an execution that never ends, by a recurrence set:".to_owned(),
        false => "an execution that surely comes to the violation, by a danger invariant:".to_owned(),
    });
    for (var, value) in &proof.danger.initial {
        let name = program.vars[*var].source.as_ref().map_or(program.name(*var), |s| &s.name);
        let signed = program.vars[*var].source.as_ref().is_none_or(|s| s.signed);
        lines.push(format!("  {name} starts as {}", crate::value::show(value, signed)));
    }
    for (edge, chosen) in &proof.danger.choice {
        let info = &program.main().edges[*edge];
        let Op::Havoc { origin, .. } = &info.op else { continue };
        let what = match origin {
            Origin::Input(name) | Origin::Extern(name) => format!("{name}() is"),
            Origin::Uninitialised(name) => format!("{name} starts as"),
            Origin::Internal => continue,
        };
        let values: Vec<String> = chosen.iter().map(|t| shown(&names, &proof.terms, *t)).collect();
        lines.push(format!("  {what} {} at {}", values.join(", "), program.sources.place(info.span)));
    }
    for (head, predicate) in &proof.danger.invariant {
        let place = loop_place(program, *head);
        lines.push(format!("  the loop at {place} keeps {}", shown(&names, &proof.terms, *predicate)));
        if let Some(tuple) = proof.danger.ranking.get(head).filter(|_| !endless) {
            let parts = ranking(&names, &proof.terms, tuple);
            if !parts.is_empty() {
                lines.push(format!("    it ends because {} decreases", parts.join(", then ")));
            }
        }
    }
    lines.push(match endless {
        true => "  and is never left".to_owned(),
        false => format!("  then: {}", proof.violation.message),
    });
    lines
}

/// A counterexample that the interpreter cannot run.
pub(crate) fn counterexample(program: &Program, proof: &FoundDanger, native: Native) -> Counterexample {
    let location = proof.target.map(|loc| &program.main().locs[loc]);
    let span = location.map(|l| l.loop_span.unwrap_or(l.span));
    Counterexample {
        inputs: Vec::new(),
        steps: Vec::new(),
        steps_missing: None,
        danger: explain(program, proof),
        violation: Violation {
            place: span.and_then(|span| Place::of(&program.sources, span)),
            message: format!("{}: {}", proof.violation.property.name(), proof.violation.message),
            line: span.and_then(|span| program.sources.line(span)).map(|line| line.trim().to_owned()),
            values: Vec::new(),
            called_from: Vec::new(),
            related: Vec::new(),
            memory: None,
        },
        native,
    }
}

/// The loops of a proof of termination.
pub(crate) fn loops(
    program: &Program,
    terms: &Store,
    at: &BTreeMap<Loc, Term>,
    tuples: &BTreeMap<Loc, Vec<Term>>,
) -> Vec<LoopRanking> {
    let names = Names::of(program);
    let of = |(&loc, &formula): (&Loc, &Term)| {
        let known: LoopInvariant = invariant(&names, terms, loc, formula);
        let tuple = tuples.get(&loc).map_or(Vec::new(), |tuple| ranking(&names, terms, tuple));
        LoopRanking { known, ranking: tuple }
    };
    at.iter().map(of).collect()
}

/// The components that are not constant.
fn ranking(names: &Names<'_>, terms: &Store, tuple: &[Term]) -> Vec<String> {
    tuple.iter().filter(|t| !terms.is_const(**t)).map(|t| shown(names, terms, *t)).collect()
}

fn shown(names: &Names<'_>, terms: &Store, t: Term) -> String {
    names.in_c(terms, t).unwrap_or_else(|| term::smtlib::print_term(terms, t))
}

fn loop_place(program: &Program, head: Loc) -> String {
    let location = &program.main().locs[head];
    program.sources.place(location.loop_span.unwrap_or(location.span))
}
