//! Error preconditions: what errors demand of cells, loop by loop, backwards (weakest preconditions of their absence).
//!
//! The error `a[x] != b[x]` of a loop over `x < n` demands `n <= g || a[g] == b[g]`, where `g` is the ghost of `x`. Drawn back over the
//! test `if (same)` to the loop before it, that is `n <= g || !same || a[g] == b[g]`. Which cells have it there is a matter of how
//! far the loop has come: of each precondition there are candidates for the ghosts below its counters, above them, below the limits
//! that the program compares with, and for the cells below the places at which it reads and writes.
//!
//! Needs no data: where flags are set by rare coincidences, or loops are long, runs show little.

use super::add;
use super::case::split;
use crate::limits::guess::{MOST_CANDIDATES, MOST_CLAUSES, MOST_LITERALS, MOST_PLACES};
use cfa::{Loc, Program, Var};
use flow::wto::Wto;
use infer::AtHeads;
use infer::candidates::program::limits;
use infer::sample::Cell;
use infer::segments::Segment;
use std::collections::{BTreeMap, BTreeSet};
use term::{Op, Store, Term, walk};

/// Candidates at all heads. `live` are the variables that may be of use there, `known` is what seems to hold.
pub(super) fn error_preconditions(
    program: &Program,
    wto: &Wto,
    segments: &[Segment],
    cell: &Cell,
    live: &BTreeMap<Loc, Vec<Var>>,
    known: &AtHeads,
    terms: &mut Store,
) -> AtHeads {
    let counters = wto.heads().map(|head| (head, counters(program, wto, segments, cell, head, terms))).collect();
    let mut hunt = Preconditions { program, wto, segments, cell, counters, known, found: Vec::new() };
    hunt.draw_back(terms);
    let places = places(cell, terms);
    let mut candidates = AtHeads::new();
    for (head, clause) in std::mem::take(&mut hunt.found) {
        let precondition = terms.or_all(&clause);
        let mut here = vec![precondition];
        let live: Vec<Var> = live[&head].iter().copied().filter(|var| cell.shows(*var)).collect();
        for beyond in hunt.beyond(head, &live, &places, terms) {
            here.push(terms.or(beyond, precondition));
        }
        add(&mut candidates, terms, head, here);
    }
    candidates.values_mut().for_each(|here| here.truncate(MOST_CANDIDATES));
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

/// The places at which the original reads and writes its arrays.
fn places(cell: &Cell, terms: &Store) -> Vec<Term> {
    let roots: Vec<Term> = cell.original.main().edges.values().flat_map(|e| e.op.terms()).collect();
    let mut found: Vec<Term> = Vec::new();
    for t in walk::postorder(terms, &roots) {
        if !matches!(terms.op(t), Op::Select | Op::Store) {
            continue;
        }
        let place = terms.arg(t, 1);
        if !terms.is_const(place) && !found.contains(&place) {
            found.push(place);
        }
    }
    found.truncate(MOST_PLACES);
    found
}

struct Preconditions<'a> {
    program: &'a Program,
    wto: &'a Wto,
    segments: &'a [Segment],
    cell: &'a Cell,
    counters: BTreeMap<Loc, BTreeSet<Var>>,
    known: &'a AtHeads,
    /// Clauses, in the order in which they were found.
    found: Vec<(Loc, Vec<Term>)>,
}

impl Preconditions<'_> {
    fn draw_back(&mut self, terms: &mut Store) {
        for segment in self.segments.iter().filter(|s| s.comes.is_to_target()) {
            self.precondition(segment, segment.conditions.clone(), terms);
        }
        let mut next = 0;
        while let Some((head, clause)) = self.found.get(next).cloned() {
            next += 1;
            for segment in self.segments.iter().filter(|s| s.to == head) {
                let mut violated = segment.conditions.clone();
                for &literal in &clause {
                    let after = segment.after(self.program, terms, literal);
                    violated.push(terms.not(after));
                }
                self.precondition(segment, violated, terms);
            }
        }
    }

    /// What excludes the conditions at the start of the path, without what tells how far loops have come.
    fn precondition(&mut self, segment: &Segment, conditions: Vec<Term>, terms: &mut Store) {
        let Some(head) = segment.from else { return };
        for case in split(terms, &conditions) {
            let mut clause: Vec<Term> = Vec::new();
            let chosen = self.chosen(terms, head, &case);
            for &(_, ghost) in chosen.iter().filter(|(_, ghost)| terms.is_var(*ghost)).collect::<Vec<_>>() {
                let zero = terms.bv(0, terms.width(ghost));
                clause.push(terms.slt(ghost, zero));
            }
            for literal in case {
                let literal = term::substitute(terms, literal, &chosen);
                if terms.as_bool_const(literal).is_none() && self.says_something(terms, head, literal) {
                    clause.push(terms.not(literal));
                }
            }
            clause.sort_unstable();
            clause.dedup();
            let is_of_cell = walk::free_vars(terms, &clause).iter().any(|v| self.is_content(*v));
            let is_known = self.found.iter().any(|(at, known)| *at == head && *known == clause);
            if is_of_cell && !is_known && clause.len() <= MOST_LITERALS && self.found.len() < MOST_CLAUSES {
                self.found.push((head, clause));
            }
        }
    }

    /// The variables that are said to be what their ghosts are, with these; and those that are known to depend on them.
    fn chosen(&self, terms: &mut Store, head: Loc, literals: &[Term]) -> Vec<(Term, Term)> {
        let mut chosen = Vec::new();
        for literal in literals.iter().filter(|literal| terms.op(**literal) == Op::Eq) {
            let sides = (terms.arg(*literal, 0), terms.arg(*literal, 1));
            for ghost in self.cell.ghosts.iter().map(|ghost| self.program.term(ghost.var)) {
                match sides {
                    (var, other) | (other, var) if other == ghost && self.program.var_of(var).is_some() => {
                        chosen.push((var, ghost));
                    }
                    _ => {}
                }
            }
        }
        let direct = chosen.clone();
        for &fact in
            self.known.get(&head).into_iter().flatten().filter(|fact| terms.op(**fact) == Op::Eq).collect::<Vec<_>>()
        {
            let (var, value) = (terms.arg(fact, 0), terms.arg(fact, 1));
            let told = |v: &Term| direct.iter().any(|(own, _)| own == v);
            if self.program.var_of(var).is_some() && !told(&var) && walk::free_vars(terms, &[value]).iter().all(told) {
                chosen.push((var, term::substitute(terms, value, &direct)));
            }
        }
        chosen
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

    /// Conditions under which loops have not come to the cells, or have left them behind.
    fn beyond(&self, head: Loc, live: &[Var], places: &[Term], terms: &mut Store) -> Vec<Term> {
        let mut found = Vec::new();
        let loops: Vec<Vec<Term>> = self.wto.heads_around(head).iter().map(|h| self.counter_terms(h, live)).collect();
        for ghost in self.cell.ghosts.iter().map(|ghost| self.program.term(ghost.var)) {
            let sort = terms.sort(ghost);
            let fits = |t: &Term| sort.bv_width().is_some() && terms.sort(*t) == sort;
            let counters: Vec<Term> = loops.iter().flatten().copied().filter(fits).collect();
            let live = live.iter().filter(|v| !self.cell.is_ghost(**v) && !self.cell.is_content(**v));
            let mut ends: Vec<Term> = live.map(|v| self.program.term(*v)).filter(fits).collect();
            let width = sort.bv_width().unwrap_or_default();
            ends.extend(limits(self.program, terms, width).into_iter().filter(fits));
            found.extend(ends.into_iter().map(|end| terms.ule(end, ghost)));
            for counter in counters {
                found.push(terms.ule(ghost, counter));
                found.push(terms.ult(ghost, counter));
            }
        }
        let mut indices: Vec<Term> = self.cell.contents.iter().map(|content| content.at).collect();
        indices.sort_unstable();
        indices.dedup();
        for &index in &indices {
            for limit in limits(self.program, terms, terms.width(index)) {
                let index = terms.zext_to(index, terms.width(limit));
                found.push(terms.ule(limit, index));
            }
        }
        for &place in places {
            let is_live = |v: &Term| self.program.var_of(*v).is_some_and(|v| live.contains(&v));
            if !walk::free_vars(terms, &[place]).iter().all(is_live) {
                continue;
            }
            for &index in &indices {
                if terms.sort(index) == terms.sort(place) {
                    found.push(terms.ule(place, index));
                }
            }
        }
        if let [.., outer, inner] = &loops[..] {
            self.row_by_row(outer, inner, terms, &mut found);
        }
        found
    }

    /// Of nested loops: in the rows to come, or further on in this one.
    fn row_by_row(&self, outer: &[Term], inner: &[Term], terms: &mut Store, found: &mut Vec<Term>) {
        let ghosts: Vec<Term> = self.cell.ghosts.iter().map(|ghost| self.program.term(ghost.var)).collect();
        for (&i, &j) in outer.iter().flat_map(|i| inner.iter().map(move |j| (i, j))) {
            for (&row, &column) in ghosts.iter().flat_map(|row| ghosts.iter().map(move |column| (row, column))) {
                let fits = terms.sort(row) == terms.sort(i) && terms.sort(column) == terms.sort(j);
                if row != column && fits && terms.sort(i).bv_width().is_some() && terms.sort(j).bv_width().is_some() {
                    let later = terms.ult(i, row);
                    let same = terms.eq(i, row);
                    let further = terms.ule(j, column);
                    let here = terms.and(same, further);
                    found.push(terms.or(later, here));
                }
            }
        }
    }

    /// The counters of a loop that may be of use where these variables are.
    fn counter_terms(&self, head: &Loc, live: &[Var]) -> Vec<Term> {
        let counters = self.counters[head].iter().filter(|var| live.contains(var) && !self.cell.is_ghost(**var));
        counters.map(|var| self.program.term(*var)).collect()
    }
}
