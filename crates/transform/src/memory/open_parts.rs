//! Where a program looks at parts of addresses (`parts.rs`), whatever it may see there: in a condition, an index, a length or a
//! size that depends on one, the variables that hold parts are replaced by arbitrary values, chosen right before
//! (`Origin::Extern` named [`PLACES`]).
//!
//! Every execution of the program on some machine is one of the result: choose what that machine shows. Two looks at the same
//! part may differ in the result, so there are more executions in it than machines have; a violation that rests on
//! such a choice has to be shown by the compiled program (`validate::places`).
//!
//! What the points-to analysis concludes from looking stays: a pointer may be rebuilt from what was seen, by branches or
//! through tables (`exposure.rs`), so the terms that were replaced are analysed as if they were still there.

use super::parts::{Look, Looks, Parts};
use super::points_to::PointsTo;
use crate::edit::map_terms;
use cfa::{Edge, EdgeInfo, Loc, Location, Op, Origin, PLACES, Program, Var, VarKind};
use std::collections::BTreeMap;
use term::{Substitution, Term};

/// A program that looks at fewer parts of addresses.
pub(super) struct Open {
    pub(super) program: Program,
    /// What it looked at before.
    pub(super) looks: Vec<Term>,
}

/// An edge and how it looks at parts.
type Looking = (Edge, Look);

/// The program with choices in the place of looks, if there are any that can be replaced.
pub(super) fn with_open_parts(points: &PointsTo<'_>) -> Option<Open> {
    let loose = points.loose();
    let looks = Looks::of(points, &loose);
    let seen = Parts::by(&looks).seen;
    let edges = &points.program.main().edges;
    let mut at: BTreeMap<Loc, Vec<Looking>> = BTreeMap::new();
    let mut looked = Vec::new();
    for id in seen {
        if let Some(look) = looks.looking(&edges[id].op) {
            looked.extend(&look.terms);
            if !matches!(edges[id].op, Op::Assume(_) | Op::Assign(_)) {
                looked.extend(edges[id].op.terms());
            }
            at.entry(edges[id].from).or_default().push((id, look));
        }
    }
    if at.is_empty() {
        return None;
    }
    let mut program = points.program.clone();
    let leaving = program.main().successors();
    for (loc, looking) in at {
        choose_before(&mut program, loc, &looking, &leaving[loc]);
    }
    Some(Open { program, looks: looked })
}

/// Conditions of edges from one location stay disjoint: one choice serves them all.
fn choose_before(program: &mut Program, loc: Loc, looking: &[Looking], leaving: &[Edge]) {
    let entry = program.entry;
    let mut chosen: BTreeMap<Term, Var> = BTreeMap::new();
    let mut choices = Substitution::new();
    for part in looking.iter().flat_map(|(_, look)| &look.parts) {
        if !chosen.contains_key(part) {
            let sort = program.terms.sort(*part);
            let choice = program.add_var("$part", sort, VarKind::Local(entry), None);
            chosen.insert(*part, choice);
            choices.insert(&program.terms, *part, program.term(choice));
        }
    }
    for (id, look) in looking {
        let mut open = Substitution::new();
        for t in &look.terms {
            let whatever = choices.apply(&mut program.terms, *t);
            open.insert(&program.terms, *t, whatever);
        }
        let mut op = program.main().edges[*id].op.clone();
        map_terms(&mut op, |t| open.apply(&mut program.terms, t));
        program.functions[entry].edges[*id].op = op;
    }
    let function = &mut program.functions[entry];
    let EdgeInfo { span, site, .. } = function.edges[looking[0].0].clone();
    let after = function.locs.push(Location { frame: function.locs[loc].frame, ..Location::plain(span) });
    for id in leaving {
        function.edges[*id].from = after;
    }
    let op = Op::Havoc { vars: chosen.into_values().collect(), origin: Origin::Extern(PLACES.to_owned()) };
    function.edges.push(EdgeInfo { from: loc, to: after, op, span, site });
}
