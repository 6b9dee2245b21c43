//! Loops that certainly end: a counter with a constant step runs against a bound that the loop does not change.
//!
//! Only the plainest shape is recognised; saying no is always right. Slicing asks, since it may leave out a loop that
//! computes nothing of interest only if that loop ends: an endless one hides the errors behind it.

use crate::edit::Facts;
use cfa::{Edge, Function, Loc, Op};
use flow::{Def, LoopId, Loops, Site};
use term::normal::conjuncts;
use term::{Bits, Op as TermOp, Store, Term};

/// Whether every execution that enters the loop leaves it or ends, provided that the loops inside it end.
pub(crate) fn certainly_ends(terms: &mut Store, f: &Function, facts: &Facts, loops: &Loops, id: LoopId) -> bool {
    let this = &loops.loops[id];
    if !this.is_reducible() {
        return false;
    }
    let every_round = |l: Loc| {
        loops.innermost(l) == Some(id) && this.back_edges.iter().all(|e| facts.dom.dominates(l, facts.graph.from(*e)))
    };
    // A place that every round passes, and the one condition under which it stays in the loop.
    this.body.iter().filter(|l| every_round(**l)).any(|l| {
        let mut staying = facts.graph.succs(*l).iter().filter(|e| loops.contains(id, facts.graph.to(**e)));
        let (Some(stay), None) = (staying.next(), staying.next()) else { return false };
        let Op::Assume(c) = f.edges[*stay].op else { return false };
        conjuncts(terms, c).into_iter().any(|part| Check { terms, f, facts, loops, id }.runs_out(*stay, part))
    })
}

struct Check<'a> {
    terms: &'a mut Store,
    f: &'a Function,
    facts: &'a Facts,
    loops: &'a Loops,
    id: LoopId,
}

impl Check<'_> {
    /// Whether the condition on edge `at` cannot hold in every round.
    fn runs_out(&mut self, at: Edge, condition: Term) -> bool {
        let (negated, atom) = match self.terms.op(condition) {
            TermOp::Not => (true, self.terms.arg(condition, 0)),
            _ => (false, condition),
        };
        let op = self.terms.op(atom);
        let [a, b] = self.terms.args(atom)[..] else { return false };
        // `small` stays below `large`.
        let (small, large, strict, signed) = match (op, negated) {
            (TermOp::BvSlt, false) => (a, b, true, true),
            (TermOp::BvUlt, false) => (a, b, true, false),
            (TermOp::BvSle, false) => (a, b, false, true),
            (TermOp::BvUle, false) => (a, b, false, false),
            (TermOp::BvSlt, true) => (b, a, false, true),
            (TermOp::BvUlt, true) => (b, a, false, false),
            (TermOp::BvSle, true) => (b, a, true, true),
            (TermOp::BvUle, true) => (b, a, true, false),
            (TermOp::Eq, true) => {
                // An odd step meets every number sooner or later.
                return [(a, b), (b, a)]
                    .into_iter()
                    .any(|(i, n)| self.is_fixed(at, n) && self.step(at, i).is_some_and(|step| step.bit(0)));
            }
            _ => return false,
        };
        self.climbs(at, small, large, strict, signed) || self.sinks(at, large, small, strict, signed)
    }

    /// `i` grows towards `n` and cannot jump over the numbers above `n`.
    fn climbs(&self, at: Edge, i: Term, n: Term, strict: bool, signed: bool) -> bool {
        let Some(step) = self.step(at, i) else { return false };
        if !self.is_fixed(at, n) || step.is_zero() || step.is_negative() {
            return false;
        }
        let max = if signed { Bits::max_signed(step.width()) } else { Bits::ones(step.width()) };
        // The last value that passes is n - 1 (strict) or n; after one more step it must not have wrapped.
        match self.terms.as_bv_const(n) {
            Some(n) => {
                let room = max.sub(n);
                let needed = if strict { step.sub(&Bits::one(step.width())) } else { step };
                needed.ule(&room)
            }
            None => strict && step.is_one(),
        }
    }

    /// The same downward.
    fn sinks(&self, at: Edge, i: Term, n: Term, strict: bool, signed: bool) -> bool {
        let Some(step) = self.step(at, i).map(|s| s.neg()) else { return false };
        if !self.is_fixed(at, n) || step.is_zero() || step.is_negative() {
            return false;
        }
        let min = if signed { Bits::min_signed(step.width()) } else { Bits::zero(step.width()) };
        match self.terms.as_bv_const(n) {
            Some(n) => {
                let room = n.sub(&min);
                let needed = if strict { step.sub(&Bits::one(step.width())) } else { step };
                needed.ule(&room)
            }
            None => strict && step.is_one(),
        }
    }

    /// A constant, or a variable that the loop does not write.
    fn is_fixed(&self, at: Edge, t: Term) -> bool {
        self.terms.is_const(t) || self.version(at, t).is_some_and(|d| !self.made_inside(d))
    }

    /// The version that variable `t` has on the edge.
    fn version(&self, at: Edge, t: Term) -> Option<Def> {
        let reads = self.facts.accesses.reads(at);
        let i = reads.iter().position(|v| self.facts.term(*v) == t)?;
        Some(self.facts.ssa.uses(at)[i])
    }

    fn made_inside(&self, d: Def) -> bool {
        match self.facts.ssa.defs[d].site {
            Site::Entry => false,
            Site::Edge(e) => self.loops.contains(self.id, self.facts.graph.from(e)),
            Site::Join(l, _) => self.loops.contains(self.id, l),
        }
    }

    /// By how much the counter `i` grows in each round, when that is a constant.
    fn step(&self, at: Edge, i: Term) -> Option<Bits> {
        let this = &self.loops.loops[self.id];
        let head = self.version(at, i)?;
        let Site::Join(l, number) = self.facts.ssa.defs[head].site else { return None };
        if l != this.header {
            return None;
        }
        let mut step: Option<Bits> = None;
        for (e, d) in self.facts.ssa.join_args(number).iter().filter(|(e, _)| this.back_edges.contains(e)) {
            let Site::Edge(def) = self.facts.ssa.defs[*d].site else { return None };
            let Op::Assign(pairs) = &self.f.edges[def].op else { return None };
            let rhs = pairs.iter().find(|(v, _)| *v == self.facts.ssa.defs[*d].var)?.1;
            if self.terms.op(rhs) != TermOp::BvAdd || self.version(def, i) != Some(head) {
                return None;
            }
            let added = match self.terms.args(rhs)[..] {
                [x, c] | [c, x] if x == i && self.terms.is_const(c) => self.terms.as_bv_const(c)?.clone(),
                _ => return None,
            };
            if step.as_ref().is_some_and(|s| *s != added) {
                return None;
            }
            debug_assert!(self.loops.contains(self.id, self.facts.graph.from(*e)));
            step = Some(added);
        }
        step
    }
}
