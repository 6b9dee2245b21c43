//! What the program counts, in order, and what holds of the cells below.
//!
//! - Near a target something is asked of a number or a cell (that it is not the largest, say), on the only way to the target.
//!   What such a condition speaks of, and what is assigned to that, is a *subject*.
//! - A subject is tried to be at most as large as what the loops *count*: variables to which a constant is added. The number of
//!   tokens is below the position in a text, since each takes a byte, and the position is below its length.
//! - What is asked of one cell is tried for all cells *below* an end: a place at which the loop writes. Of a stack whose top goes
//!   up and down, that is all there is on it.
//!
//! All of these are seeds: what one of them wants at the head of an outer loop is drawn back over the loops inside of it.

use super::Candidates;
use crate::AtHeads;
use crate::limits::demands::{ON_THE_WAY, ORDERED};
use cfa::{Loc, Op, Var};
use engine::{Budget, Stop};
use std::collections::{BTreeMap, BTreeSet};
use term::normal::conjuncts;
use term::{Op as TermOp, Sort, Store, Term, walk};

/// What is asked of the cell of an array at some place: a formula about its value.
struct Asked {
    array: Var,
    /// Stands for the value of the cell.
    cell: Term,
    claim: Term,
}

impl Candidates<'_> {
    /// Candidates of order, with what they want at heads before.
    pub fn ordered(&self, terms: &mut Store, budget: &Budget) -> Result<AtHeads, Stop> {
        let conditions = self.ways_to_targets(terms);
        let subjects = self.subjects(&conditions, terms);
        let asked = self.asked_of_cells(&conditions, terms);
        let mut seeds = self.with(AtHeads::new());
        for head in self.wto.heads() {
            budget.check()?;
            let counters = self.counters(head, terms);
            let changed = self.changed(head);
            for formula in self.orders(&subjects, &counters, &changed, terms) {
                Self::add(&mut seeds.found, ORDERED, terms, head, formula);
            }
            for formula in self.cells_below(head, &asked, &counters, terms) {
                Self::add(&mut seeds.found, ORDERED, terms, head, formula);
            }
        }
        if seeds.found.is_empty() {
            return Ok(AtHeads::new());
        }
        seeds.draw_back(terms, budget)?;
        Ok(seeds.all(terms))
    }

    /// For each target what holds on the last part of the way to it, up to where ways meet or loops begin.
    fn ways_to_targets(&self, terms: &mut Store) -> Vec<Vec<Term>> {
        let main = self.program.main();
        let mut into: BTreeMap<Loc, Vec<cfa::Edge>> = BTreeMap::new();
        for (edge, info) in main.edges.iter() {
            into.entry(info.to).or_default().push(edge);
        }
        let mut ways = Vec::new();
        for target in main.locs.ids().filter(|loc| main.locs[*loc].kind.is_target()) {
            for last in into.get(&target).into_iter().flatten() {
                let mut way: Vec<Term> = Vec::new();
                let mut edge = *last;
                for _ in 0..ON_THE_WAY {
                    let info = &main.edges[edge];
                    match &info.op {
                        Op::Assume(condition) => way.extend(conjuncts(terms, *condition)),
                        Op::Assign(pairs) => {
                            let pairs: Vec<(Term, Term)> =
                                pairs.iter().map(|(var, value)| (self.program.term(*var), *value)).collect();
                            for part in &mut way {
                                *part = term::substitute(terms, *part, &pairs);
                            }
                        }
                        _ => break,
                    }
                    let Some([before]) = into.get(&info.from).map(Vec::as_slice) else { break };
                    if self.wto.is_head(info.from) {
                        break;
                    }
                    edge = *before;
                }
                ways.push(way);
            }
        }
        ways
    }

    /// Numbers that conditions speak of, by themselves or as a place in an array, and those that are assigned to them.
    fn subjects(&self, ways: &[Vec<Term>], terms: &Store) -> BTreeSet<Var> {
        let all: Vec<Term> = ways.iter().flatten().copied().collect();
        let is_number = |var: &Var| matches!(self.program.vars[*var].sort, Sort::Bv(_));
        let free = walk::free_vars(terms, &all);
        let mut found: BTreeSet<Var> = free.iter().filter_map(|t| self.program.var_of(*t)).filter(is_number).collect();
        let copies = self.copies();
        loop {
            let more: Vec<Var> =
                copies.iter().filter(|(to, from)| found.contains(to) && !found.contains(from)).map(|c| c.1).collect();
            if more.is_empty() {
                return found;
            }
            found.extend(more);
        }
    }

    /// What single cells are asked for: that those conditions do not all hold that speak of one cell and nothing else.
    fn asked_of_cells(&self, ways: &[Vec<Term>], terms: &mut Store) -> Vec<Asked> {
        let mut found: Vec<Asked> = Vec::new();
        for way in ways {
            let mut of_cell: BTreeMap<Term, Vec<Term>> = BTreeMap::new();
            for part in way {
                let reads: Vec<Term> = walk::postorder(terms, &[*part])
                    .into_iter()
                    .filter(|t| terms.op(*t) == TermOp::Select && self.program.var_of(terms.arg(*t, 0)).is_some())
                    .collect();
                let [read] = reads[..] else { continue };
                of_cell.entry(read).or_default().push(*part);
            }
            for (read, parts) in of_cell {
                let cell = terms.fresh("cell", terms.sort(read));
                let mut wrong: Vec<Term> =
                    parts.into_iter().map(|part| term::substitute(terms, part, &[(read, cell)])).collect();
                wrong.retain(|part| walk::free_vars(terms, &[*part])[..] == [cell]);
                let Some(array) = self.program.var_of(terms.arg(read, 0)) else { continue };
                if wrong.is_empty() {
                    continue;
                }
                let wrong = terms.and_all(&wrong);
                let claim = terms.not(wrong);
                let is_known = |terms: &mut Store, known: &Asked| {
                    known.array == array && term::substitute(terms, known.claim, &[(known.cell, cell)]) == claim
                };
                if !found.iter().any(|known| is_known(terms, known)) {
                    found.push(Asked { array, cell, claim });
                }
            }
        }
        found
    }

    /// Variables to which the loop adds a constant.
    fn counters(&self, head: Loc, terms: &Store) -> BTreeSet<Var> {
        let mut found = BTreeSet::new();
        for info in self.program.main().edges.values().filter(|info| self.is_inside(head, info.from)) {
            let Op::Assign(pairs) = &info.op else { continue };
            for (var, value) in pairs {
                let own = self.program.term(*var);
                let args = terms.args(*value);
                let is_step = terms.op(*value) == TermOp::BvAdd
                    && args.contains(&own)
                    && args.iter().all(|arg| *arg == own || terms.is_const(*arg));
                if is_step {
                    found.insert(*var);
                }
            }
        }
        found
    }

    fn orders(
        &self,
        subjects: &BTreeSet<Var>,
        counters: &BTreeSet<Var>,
        changed: &BTreeSet<Var>,
        terms: &mut Store,
    ) -> Vec<Term> {
        let mut found = Vec::new();
        for small in subjects.iter().filter(|var| changed.contains(var)) {
            for large in counters.iter().filter(|large| *large != small) {
                if self.program.vars[*small].sort != self.program.vars[*large].sort {
                    continue;
                }
                let (small, large) = (self.program.term(*small), self.program.term(*large));
                found.push(terms.ule(small, large));
                found.push(terms.slt(small, large));
            }
        }
        found
    }

    /// What is asked of cells, and their order with what is counted, for the cells below where the loop writes.
    fn cells_below(&self, head: Loc, asked: &[Asked], counters: &BTreeSet<Var>, terms: &mut Store) -> Vec<Term> {
        let mut found = Vec::new();
        let writes = self.writes(head, terms);
        for Asked { array, cell, claim } in asked {
            let mut claims: Vec<Term> = vec![*claim];
            let sort = terms.sort(*cell);
            for counter in counters.iter().filter(|counter| self.program.vars[**counter].sort == sort) {
                claims.push(terms.ule(*cell, self.program.term(*counter)));
            }
            for (_, end) in writes.iter().filter(|(written, _)| written == array) {
                if terms.is_const(*end) {
                    continue;
                }
                let g = terms.fresh("g", terms.sort(*end));
                let read = terms.select(self.program.term(*array), g);
                for claim in &claims {
                    let claim = term::substitute(terms, *claim, &[(*cell, read)]);
                    for below in below(terms, g, *end) {
                        let body = terms.implies(below, claim);
                        found.push(terms.forall(&[g], body));
                    }
                }
            }
        }
        found
    }
}

/// What may be meant by cells below an end. One that is a signed number may be -1, if there are none.
fn below(terms: &mut Store, g: Term, end: Term) -> Vec<Term> {
    let Some(width) = terms.sort(g).bv_width() else { return Vec::new() };
    if !matches!(terms.op(end), TermOp::SignExtend(_)) {
        return vec![terms.ult(g, end)];
    }
    let zero = terms.bv(0, width);
    let starts = terms.sle(zero, g);
    let (before, up_to) = (terms.slt(g, end), terms.sle(g, end));
    vec![terms.and(starts, before), terms.and(starts, up_to)]
}
