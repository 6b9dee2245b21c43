//! From cut to cut: from the entry, and from every loop head in any state in which its invariant holds, to the next heads and targets.

use super::{Arrival, Asked, Checker, Failure, TOGETHER, Values};
use crate::bounds;
use crate::conditions::Start;
use crate::limits::recheck::MOST_FOLLOWED;
use crate::needed::Needed;
use crate::segments::{Open, Segments, have_cases};
use cfa::Loc;
use std::collections::{BTreeMap, BTreeSet};
use term::Term;

impl Checker<'_> {
    /// Whether the invariants lead from cut to cut. Every cycle has a head: edges go forward or to one.
    pub(super) fn cuts(&mut self) -> Result<(), Failure> {
        let entry = self.program.main().entry;
        let heads: Vec<Loc> = self.wto.heads().collect();
        let by_cases = have_cases(self.terms, self.invariants);
        let needed = by_cases.then(|| Needed::of(self.program, self.terms, self.wto, self.invariants)).flatten();
        let claimed: Vec<Term> = self.invariants.values().copied().collect();
        let pairs = bounds::pairs(self.terms, &claimed);
        let starts = std::iter::once(entry).chain(heads.into_iter().filter(|head| *head != entry));
        for start in starts {
            let everything = self.terms.bool(true);
            self.start = if start == entry { Start::Entry } else { Start::Head(start) };
            // Whatever is assumed at the entry has to hold in any state.
            if start == entry {
                let assumed = self.invariant(entry, &Values::default());
                let violated = self.terms.not(assumed);
                self.refute(violated, Failure::InvariantViolated(entry))?;
            }
            let segments = Segments {
                program: self.program,
                wto: self.wto,
                successors: &self.successors,
                invariants: self.invariants,
                by_cases,
                needed: needed.as_ref(),
                pairs: &pairs,
                deadline: self.ranges_until,
            };
            let open = match self.asked {
                Asked::Solver(_) | Asked::Checks(..) => segments.open_cases(self.terms, start),
                Asked::Nobody(_) => (!self.deadline.is_over()).then(|| {
                    let invariant = self.invariants.get(&start).copied().unwrap_or(everything);
                    vec![(vec![invariant], segments.everything(self.terms))]
                }),
            };
            let Some(open) = open else {
                return Err(Failure::NoAnswer("time limit".into()));
            };
            for (case, open) in open {
                if self.deadline.is_over() {
                    return Err(Failure::NoAnswer("time limit".into()));
                }
                let here = self.in_case(&case);
                self.cut(start, here, &open)?;
            }
        }
        self.settle()
    }

    /// Any state in which the facts hold. A variable that equals a constant is one, and one that equals a term over others is that
    /// term.
    fn in_case(&mut self, facts: &[Term]) -> Arrival {
        let mut values = Values::default();
        let mut used: BTreeSet<Term> = BTreeSet::new();
        for is_const in [true, false] {
            for fact in facts.iter().filter(|fact| self.terms.op(**fact) == term::Op::Eq) {
                let sides = [self.terms.args(*fact)[0], self.terms.args(*fact)[1]];
                for (side, value) in [(sides[0], sides[1]), (sides[1], sides[0])] {
                    let Some(var) = self.program.var_of(side) else { continue };
                    let parts = term::walk::free_vars(self.terms, &[value]);
                    let is_known =
                        |t: &Term| self.program.var_of(*t).is_none_or(|v| v == var || values.contains_key(&v));
                    if self.terms.is_const(value) != is_const
                        || values.contains_key(&var)
                        || used.contains(&side)
                        || parts.iter().any(is_known)
                    {
                        continue;
                    }
                    used.extend(parts);
                    values.insert(var, value);
                }
            }
        }
        let facts: Vec<Term> = facts.iter().map(|fact| self.read(*fact, &values)).collect();
        Arrival { guard: self.terms.and_all(&facts), full: self.terms.bool(true), values }
    }

    /// Goes along the open edges from a cut to the next ones, and asks what is open there.
    fn cut(&mut self, start: Loc, mut here: Arrival, open: &Open) -> Result<(), Failure> {
        let mut pending: BTreeMap<u32, Vec<Arrival>> = BTreeMap::new();
        let mut at_heads: BTreeMap<Loc, Vec<Arrival>> = BTreeMap::new();
        if self.terms.as_bool_const(here.guard) == Some(false) {
            return Ok(());
        }
        // Where paths meet, guards become conditions of values, and what is quantified would be there many times, to be shown and to be
        // used. It holds on all of them, so it is said once, beside the guards, which begin with nothing.
        let mut assumed = self.terms.tt();
        if self.is_quantified(here.guard) {
            std::mem::swap(&mut assumed, &mut here.guard);
        }
        let mut next = vec![(start, here)];
        while let Some((loc, here)) = next.pop() {
            for (edge, arrival) in self.leave(loc, &here, |edge| open.edges.contains(&edge)) {
                let to = self.program.main().edges[edge].to;
                if self.terms.as_bool_const(arrival.guard) == Some(false) {
                    continue;
                }
                if self.wto.is_head(to) {
                    at_heads.entry(to).or_default().push(arrival);
                } else if self.program.main().locs[to].kind.is_target() {
                    let asked = self.terms.and(assumed, arrival.guard);
                    self.refute(asked, Failure::TargetReachable(to))?;
                } else {
                    pending.entry(self.wto.position(to)).or_default().push(arrival);
                }
            }
            // All that arrives at a location is there before any of it goes on: what it comes from is before it in the order.
            while next.is_empty()
                && let Some((position, arrivals)) = pending.pop_first()
            {
                let loc = self.wto.loc_at(position);
                next.extend(self.ways(assumed, arrivals)?.into_iter().map(|arrival| (loc, arrival)));
            }
        }
        for (head, arrivals) in at_heads {
            for here in self.ways(assumed, arrivals)? {
                self.arrive(head, &here, assumed, &open.heads[&head])?;
            }
        }
        Ok(())
    }

    /// What is claimed at the head holds there.
    fn arrive(&mut self, head: Loc, here: &Arrival, assumed: Term, claimed: &[Term]) -> Result<(), Failure> {
        let mut claimed: Vec<Term> = claimed.iter().map(|t| self.read(*t, &here.values)).collect();
        if !matches!(self.asked, Asked::Nobody(_)) {
            let known = self.terms.and(assumed, here.guard);
            // What is said of variables that nothing changed on the way, of all cells of an array that the loop only reads, say.
            let facts = term::normal::conjuncts(self.terms, known);
            let said: BTreeSet<Term> = facts.iter().copied().collect();
            claimed.retain(|conjunct| !said.contains(conjunct));
            // Each by itself takes a look at all that is known: too much for a hundred lemmas after a long way.
            if claimed.len() * term::walk::postorder(self.terms, &[known]).len() > MOST_FOLLOWED {
                let ranges = bounds::known(self.terms, &facts);
                claimed.retain(|conjunct| {
                    ranges.as_ref().is_some_and(|ranges| ranges.truth(self.terms, *conjunct) != Some(true))
                });
            } else {
                claimed.retain(|conjunct| !self.follows(known, *conjunct));
            }
        }
        // What is quantified, one by one: instances of all together are many.
        let (mut questions, plain): (Vec<Term>, Vec<Term>) = claimed.into_iter().partition(|t| self.is_quantified(*t));
        questions.push(self.terms.and_all(&plain));
        for claimed in questions {
            let violated = self.terms.not(claimed);
            let asked = self.terms.and_all(&[assumed, here.guard, violated]);
            self.refute(asked, Failure::InvariantViolated(head))?;
        }
        Ok(())
    }

    /// The ways to arrive somewhere that are followed further: each by itself where they are few, but for those that ranges exclude,
    /// with what is assumed; else one for all.
    fn ways(&mut self, assumed: Term, arrivals: Vec<Arrival>) -> Result<Vec<Arrival>, Failure> {
        if arrivals.len() > self.apart || self.apart == TOGETHER {
            return Ok(vec![self.merge(arrivals)]);
        }
        if self.deadline.is_over() {
            return Err(Failure::NoAnswer("time limit".into()));
        }
        let known = term::normal::conjuncts(self.terms, assumed);
        let is_possible = |here: &Arrival| {
            let facts = [&known[..], &term::normal::conjuncts(self.terms, here.guard)].concat();
            !bounds::contradict(self.terms, &facts)
        };
        Ok(arrivals.into_iter().filter(is_possible).collect())
    }

    fn is_quantified(&self, t: Term) -> bool {
        term::walk::postorder(self.terms, &[t]).into_iter().any(|t| self.terms.op(t).is_quantifier())
    }

    /// Whether the conjunct follows from the guard without a solver.
    fn follows(&mut self, guard: Term, conjunct: Term) -> bool {
        let violated = self.terms.not(conjunct);
        let asked = self.terms.and(guard, violated);
        bounds::contradict(self.terms, &term::normal::conjuncts(self.terms, asked))
    }
}
