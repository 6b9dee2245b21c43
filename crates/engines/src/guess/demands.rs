//! What errors demand of a cell, loop by loop, backwards.
//!
//! The error `a[x] != b[x]` of a loop over `x` demands `a_g == b_g` of the cells to come. Drawn back over the test `if (same)` to
//! the loop before it, that is `!same || a_g == b_g`. Which cells have it there is a matter of how far the loop has come: of
//! each demand there are candidates for the cells below its counters, above them, below the limits that the program
//! compares with, and below the places at which it reads and writes.
//!
//! Needs no data: where flags are set by rare coincidences, or loops are long, runs show little.

use super::candidates::limits;
use super::case::split;
use super::check::Formulas;
use super::segments::Segment;
use super::{Cell, add};
use cfa::{Loc, Program, Var};
use encode::state::evaluate_term;
use flow::wto::Wto;
use std::collections::{BTreeMap, BTreeSet};
use term::{Op, Store, Term, walk};

/// Demands that are drawn back, and literals in each.
const MOST: usize = 60;
const MOST_LITERALS: usize = 4;
/// Places at which arrays are read or written.
const MOST_PLACES: usize = 8;

/// Candidates at all heads. `live` are the variables that may be of use there.
pub(super) fn demands(
    program: &Program,
    wto: &Wto,
    segments: &[Segment],
    cell: &Cell,
    live: &BTreeMap<Loc, Vec<Var>>,
    terms: &mut Store,
) -> Formulas {
    let counters = wto.heads().map(|head| (head, counters(program, wto, segments, cell, head, terms))).collect();
    let mut hunt = Demands { program, wto, segments, cell, counters, found: Vec::new() };
    hunt.draw_back(terms);
    let places = places(cell, terms);
    let mut candidates = Formulas::new();
    for (head, clause) in std::mem::take(&mut hunt.found) {
        let demand = terms.or_all(&clause);
        let mut here = vec![demand];
        for beyond in hunt.beyond(head, &live[&head], &places, terms) {
            here.push(terms.or(beyond, demand));
        }
        add(&mut candidates, terms, head, here);
    }
    candidates
}

/// The variables, other than the cells, that every turn of the loop changes.
fn counters(
    program: &Program,
    wto: &Wto,
    segments: &[Segment],
    cell: &Cell,
    head: Loc,
    terms: &mut Store,
) -> BTreeSet<Var> {
    let inside = |loc: Loc| wto.heads_around(loc).contains(&head);
    let turns: Vec<&Segment> = segments.iter().filter(|s| s.to == head && s.from.is_some_and(inside)).collect();
    let mut found: BTreeSet<Var> = program.vars.ids().filter(|var| !cell.is_content(*var)).collect();
    for turn in &turns {
        found.retain(|var| turn.state.term(terms, *var) != program.term(*var));
    }
    if turns.is_empty() { BTreeSet::new() } else { found }
}

/// The places at which the original reads and writes its arrays, as numbers of their own width where they were cut.
fn places(cell: &Cell, terms: &Store) -> Vec<Term> {
    let roots: Vec<Term> = cell.original.main().edges.values().flat_map(|e| e.op.terms()).collect();
    let mut found: Vec<Term> = Vec::new();
    for t in walk::postorder(terms, &roots) {
        if !matches!(terms.op(t), Op::Select | Op::Store) {
            continue;
        }
        let mut place = terms.arg(t, 1);
        if let Op::Extract { lo: 0, .. } = terms.op(place) {
            place = terms.arg(place, 0);
        }
        if !terms.is_const(place) && !found.contains(&place) {
            found.push(place);
        }
    }
    found.truncate(MOST_PLACES);
    found
}

struct Demands<'a> {
    program: &'a Program,
    wto: &'a Wto,
    segments: &'a [Segment],
    cell: &'a Cell,
    counters: BTreeMap<Loc, BTreeSet<Var>>,
    /// Clauses, in the order in which they were found.
    found: Vec<(Loc, Vec<Term>)>,
}

impl Demands<'_> {
    fn draw_back(&mut self, terms: &mut Store) {
        let main = self.program.main();
        for segment in self.segments.iter().filter(|s| main.locs[s.to].kind.is_target()) {
            self.demand(segment, segment.conditions.clone(), terms);
        }
        let mut next = 0;
        while let Some((head, clause)) = self.found.get(next).cloned() {
            next += 1;
            for segment in self.segments.iter().filter(|s| s.to == head) {
                let mut violated = segment.conditions.clone();
                for &literal in &clause {
                    let after = evaluate_term(self.program, terms, &segment.state, literal);
                    violated.push(terms.not(after));
                }
                self.demand(segment, violated, terms);
            }
        }
    }

    /// What excludes the conditions at the start of the path, without what tells how far loops have come.
    fn demand(&mut self, segment: &Segment, conditions: Vec<Term>, terms: &mut Store) {
        let Some(head) = segment.from else { return };
        for case in split(terms, &conditions) {
            let mut clause: Vec<Term> = Vec::new();
            for literal in case {
                if self.says_something(terms, head, literal) {
                    clause.push(terms.not(literal));
                }
            }
            clause.sort_unstable();
            clause.dedup();
            let is_of_cell = walk::free_vars(terms, &clause).iter().any(|v| self.is_content(*v));
            let is_known = self.found.iter().any(|(at, known)| *at == head && *known == clause);
            if is_of_cell && !is_known && clause.len() <= MOST_LITERALS && self.found.len() < MOST {
                self.found.push((head, clause));
            }
        }
    }

    fn is_content(&self, t: Term) -> bool {
        self.program.var_of(t).is_some_and(|v| self.cell.is_content(v))
    }

    /// Whether the literal speaks of variables of the original only, and of none that counts a loop around the head.
    fn says_something(&self, terms: &Store, head: Loc, literal: Term) -> bool {
        let counts = |var: Var| self.wto.heads_around(head).iter().any(|h| self.counters[h].contains(&var));
        walk::free_vars(terms, &[literal])
            .into_iter()
            .all(|v| self.program.var_of(v).is_some_and(|var| self.cell.shows(var) && !counts(var)))
    }

    /// Conditions under which loops have not come to the cell, or have left it behind.
    fn beyond(&self, head: Loc, live: &[Var], places: &[Term], terms: &mut Store) -> Vec<Term> {
        let index = self.program.term(self.cell.index);
        let width = terms.width(index);
        let is_live = |t: &Term| self.program.var_of(*t).is_some_and(|v| live.contains(&v));
        let counts = |v: &Var| self.wto.heads_around(head).iter().any(|h| self.counters[h].contains(v));
        let mut ends: Vec<(Term, bool)> = Vec::new();
        for var in live.iter().filter(|v| **v != self.cell.index && !self.cell.is_content(**v)) {
            ends.push((self.program.term(*var), counts(var)));
        }
        ends.extend(limits(self.program, terms, width).into_iter().map(|end| (end, false)));
        for &place in places.iter().filter(|place| walk::free_vars(terms, &[**place]).iter().all(is_live)) {
            ends.push((place, true));
        }
        let mut found = Vec::new();
        for (end, moves) in ends {
            let Some(own) = terms.sort(end).bv_width().filter(|own| (width..=64).contains(own)) else { continue };
            let index = terms.zext_to(index, own);
            found.push(terms.ule(end, index));
            if moves {
                found.push(terms.ule(index, end));
                found.push(terms.ult(index, end));
            }
        }
        found
    }
}
