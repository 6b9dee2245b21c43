//! The fixpoint: an abstract state for each location, by iteration along the weak topological order.
//!
//! Loops are iterated from the inside out until they are stable (Bourdoncle's recursive strategy). After a few rounds a
//! head is widened: bounds that still move jump to the next constant of the program (or its neighbour), then to the end of
//! the type. Afterwards everything is computed again a few times from the result (narrowing): each pass stays above the
//! least fixpoint because it starts above it.
//!
//! What is known of a variable is kept where it is live. So states are as large as what matters at their location, however
//! long the program, and so are the invariants that are made of them.

use crate::env::Env;
use crate::limits::fixpoint::{NARROWING, PATIENCE};
use crate::range::{Range, fits_signed};
use crate::relation::{Pair, compared_at};
use base::Table;
use cfa::{Edge, Loc, Program, Var};
use flow::wto::Wto;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use term::{Op, Store, Term};

/// What is known at each location; `None` where control never comes.
#[derive(Clone, Debug)]
pub struct Analysis {
    pub at: Table<Loc, Option<Env>>,
}

/// Analyses a flat program. `go_on` is asked now and then; the analysis is given up when it says no.
pub fn analyse(program: &Program, wto: &Wto, go_on: &mut dyn FnMut() -> bool) -> Option<Analysis> {
    let live = flow::live(program, |loc| wto.reaches(loc));
    let live: Table<Loc, BTreeSet<Var>> = live.values().map(|vars| vars.iter().copied().collect()).collect();
    let mut solver = Fixpoint {
        program,
        wto,
        predecessors: program.main().predecessors(),
        at: Table::filled(None, program.main().locs.len()),
        thresholds: thresholds(program),
        pairs: compared_at(program, &live),
        live,
        go_on,
    };
    solver.stabilise()?;
    if !solver.is_stable() {
        return None;
    }
    for _ in 0..NARROWING {
        let stable = solver.at.clone();
        solver.narrow()?;
        // Narrower is sound in any case, but as an invariant it must also be inductive.
        if !solver.is_stable() {
            solver.at = stable;
            break;
        }
    }
    Some(Analysis { at: solver.at })
}

struct Fixpoint<'a> {
    program: &'a Program,
    wto: &'a Wto,
    predecessors: Table<Loc, Vec<Edge>>,
    at: Table<Loc, Option<Env>>,
    /// Sorted constants for each width.
    thresholds: BTreeMap<u32, Vec<u64>>,
    live: Table<Loc, BTreeSet<Var>>,
    /// Where differences are followed, of which variables.
    pairs: Table<Loc, Rc<[Pair]>>,
    go_on: &'a mut dyn FnMut() -> bool,
}

impl Fixpoint<'_> {
    fn stabilise(&mut self) -> Option<()> {
        let order = self.wto.order().to_vec();
        let mut start = 0;
        while start < order.len() {
            start = self.component(&order, start)?;
        }
        Some(())
    }

    /// Stabilises the location at `start`, and the loop it heads if it does. Returns where the order goes on.
    fn component(&mut self, order: &[Loc], start: usize) -> Option<usize> {
        let head = order[start];
        if !self.wto.is_head(head) {
            self.at[head] = self.arriving(head);
            return Some(start + 1);
        }
        let depth = self.wto.heads_around(head).len();
        let inside = |loc: Loc| self.wto.heads_around(loc).get(depth - 1) == Some(&head);
        let end = start + order[start..].iter().take_while(|loc| inside(**loc)).count();
        // The loop is entered anew: what an earlier pass over an outer loop found is a lower bound to start from.
        for round in 0.. {
            if !(self.go_on)() {
                return None;
            }
            // The first round is never skipped: an irreducible loop may be entered beside its head.
            let new = match (&self.at[head], self.arriving(head)) {
                (_, None) if round > 0 => break,
                (old, None) => old.clone(),
                (None, arriving) => arriving,
                (Some(old), Some(arriving)) if old.includes(&arriving) && round > 0 => break,
                (Some(old), Some(arriving)) if round < PATIENCE => Some(old.join(&arriving)),
                (Some(old), Some(arriving)) => {
                    Some(old.widen(&arriving, &|width| self.thresholds.get(&width).cloned().unwrap_or_default()))
                }
            };
            self.at[head] = new;
            let mut next = start + 1;
            while next < end {
                next = self.component(order, next)?;
            }
        }
        Some(end)
    }

    /// One pass downwards: every location from its predecessors.
    fn narrow(&mut self) -> Option<()> {
        for &loc in self.wto.order() {
            if !(self.go_on)() {
                return None;
            }
            self.at[loc] = self.arriving(loc);
        }
        Some(())
    }

    /// Whether nothing arrives anywhere that is not known there.
    fn is_stable(&self) -> bool {
        self.wto.order().iter().all(|loc| match (self.arriving(*loc), &self.at[*loc]) {
            (None, _) => true,
            (Some(arriving), Some(known)) => known.includes(&arriving),
            (Some(_), None) => false,
        })
    }

    /// The union of what comes in over the edges.
    fn arriving(&self, loc: Loc) -> Option<Env> {
        let pairs = &self.pairs[loc];
        let start = (loc == self.program.main().entry).then(|| Env::any(pairs.clone()));
        let edges = self.predecessors[loc].iter().filter_map(|edge| {
            let info = &self.program.main().edges[*edge];
            let after = self.at[info.from].as_ref()?.following(pairs).after(self.program, &info.op)?;
            Some(after.about(&self.live[loc], pairs))
        });
        start.into_iter().chain(edges).reduce(|a, b| a.join(&b))
    }
}

/// The constants of the program by width, with their neighbours: where bounds of loops come to rest.
pub(crate) fn thresholds(program: &Program) -> BTreeMap<u32, Vec<u64>> {
    let mut sets: BTreeMap<u32, BTreeSet<u64>> = BTreeMap::new();
    let roots: Vec<Term> = program.main().edges.values().flat_map(|e| e.op.terms()).collect();
    let mut add = |width: u32, value: u64| {
        let mask = u64::MAX >> (64 - width);
        let set = sets.entry(width).or_default();
        set.extend([value.wrapping_sub(1) & mask, value & mask, value.wrapping_add(1) & mask]);
    };
    for t in term::walk::postorder(&program.terms, &roots) {
        if let Some((width, value)) = small_constant(&program.terms, t) {
            add(width, value);
            // Negated constants stand in subtractions.
            add(width, value.wrapping_neg());
            if let Op::BvConst(_) = program.terms.op(t) {
                for other in [8, 16, 32, 64] {
                    if other != width && (other > width || value >> other == 0) {
                        add(other, value);
                    }
                }
            }
        }
    }
    sets.into_iter().map(|(width, set)| (width, set.into_iter().collect())).collect()
}

fn small_constant(terms: &Store, t: Term) -> Option<(u32, u64)> {
    let bits = terms.as_bv_const(t)?;
    let width = bits.width();
    (width <= 64).then_some((width, bits.to_u128()? as u64))
}

impl Analysis {
    /// What is known at `loc` as a formula; `true` where nothing is, `false` where control never comes.
    pub fn formula(&self, program: &Program, terms: &mut Store, loc: Loc) -> Term {
        let Some(env) = &self.at[loc] else { return terms.bool(false) };
        let facts = facts(program, terms, env);
        terms.and_all(&facts)
    }
}

/// What an abstract state says.
pub(crate) fn facts(program: &Program, terms: &mut Store, env: &Env) -> Vec<Term> {
    let mut facts = Vec::new();
    for (var, known) in env.bools() {
        let t = program.term(var);
        facts.push(if known { t } else { terms.not(t) });
    }
    for (var, range) in env.ranges() {
        within(terms, program.term(var), range, &mut facts);
    }
    for ((x, y), range) in env.differences() {
        let full = Range::full(range.width);
        let known = |var| *env.range(var).unwrap_or(&full);
        apart(terms, (program.term(x), known(x)), (program.term(y), known(y)), range, &mut facts);
    }
    facts
}

/// That `x - y` is in the range. Where nothing wraps it is said by comparisons, as programs do: solvers are faster without
/// the subtraction, and people too.
fn apart(terms: &mut Store, x: (Term, Range), y: (Term, Range), range: &Range, facts: &mut Vec<Term>) {
    let width = range.width;
    if let Some(value) = range.as_constant() {
        let value = terms.bv(u128::from(value), width);
        let sum = terms.add(y.0, value);
        facts.push(terms.eq(x.0, sum));
        return;
    }
    let least = i128::from(x.1.slo) - i128::from(y.1.shi);
    let greatest = i128::from(x.1.shi) - i128::from(y.1.slo);
    let (lo, hi) = (i128::from(range.slo), i128::from(range.shi));
    // `t + by` for a number in `range`, unless it may wrap.
    let moved = |terms: &mut Store, (t, range): (Term, Range), by: i128| {
        let fits = fits_signed(i128::from(range.slo) + by, width) && fits_signed(i128::from(range.shi) + by, width);
        let by = terms.bv_signed(by, width);
        fits.then(|| terms.add(t, by))
    };
    let mut rest = *range;
    if fits_signed(least, width) && fits_signed(greatest, width) {
        let below = moved(terms, y, hi).map(|right| (x.0, right)).or(moved(terms, x, -hi).map(|left| (left, y.0)));
        let above = moved(terms, y, lo).map(|left| (left, x.0)).or(moved(terms, x, -lo).map(|right| (y.0, right)));
        for (bound, implied) in [(below, hi >= greatest), (above, lo <= least)] {
            if let (Some((left, right)), false) = (bound, implied) {
                facts.push(terms.sle(left, right));
            }
        }
        let full = Range::full(width);
        if below.is_some() {
            rest.shi = full.shi;
        }
        if above.is_some() {
            rest.slo = full.slo;
        }
        // What the unsigned view says beyond that is that they differ, if anything.
        if lo >= 0 || hi < 0 {
            (rest.ulo, rest.uhi) = (full.ulo, full.uhi);
        }
    }
    let difference = terms.sub(x.0, y.0);
    within(terms, difference, &rest, facts);
}

/// That `t` is in the range.
fn within(terms: &mut Store, t: Term, range: &Range, facts: &mut Vec<Term>) {
    let full = Range::full(range.width);
    let constant = |terms: &mut Store, value: u64| terms.bv(u128::from(value), range.width);
    if let Some(value) = range.as_constant() {
        let value = constant(terms, value);
        facts.push(terms.eq(t, value));
        return;
    }
    if range.ulo > full.ulo && range.slo < 0 {
        let lo = constant(terms, range.ulo);
        facts.push(terms.ule(lo, t));
    }
    if range.uhi < full.uhi && range.slo < 0 {
        let hi = constant(terms, range.uhi);
        facts.push(terms.ule(t, hi));
    }
    if range.slo > full.slo {
        let lo = terms.bv_signed(i128::from(range.slo), range.width);
        facts.push(terms.sle(lo, t));
    }
    if range.shi < full.shi {
        let hi = terms.bv_signed(i128::from(range.shi), range.width);
        facts.push(terms.sle(t, hi));
    }
    if range.step > 1 {
        let (step, rest) = (constant(terms, range.step), constant(terms, range.rest));
        let remainder = terms.urem(t, step);
        facts.push(terms.eq(remainder, rest));
    }
}
