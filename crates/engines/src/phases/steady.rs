//! Whether the phases of a loop come back: then a period of them stands for all that follow.
//!
//! The changed variables but for *counters* are the same functions as a period ago. Counters, which have one value in each phase so far,
//! are followed by evaluation from one sample: their values in each phase of the period, or all above the first one where
//! they do not come back. With those ranges the period is closed if each of its phases leads into the next, the last into
//! the first, and to no target: that is asked, whatever the sample did.

use super::{Closed, Phase, Search, Step, Walk};
use cfa::{LocKind, Var};
use encode::why_unknown;
use engine::{Cx, Stop, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use term::{Bits, Evaluator, Store, Term, Value};

pub(super) enum Outcome {
    /// These phases are not the same.
    Other,
    /// They seem to be, but it is not proved.
    Open,
    Closed(Closed),
    /// A target that the counters lead to, or that nothing can be said.
    Error(Verdict),
}

/// Values of a counter, in both orders.
#[derive(Clone)]
struct Range {
    unsigned: (Bits, Bits),
    signed: (Bits, Bits),
}

impl Range {
    fn of(value: &Bits) -> Range {
        let one = (value.clone(), value.clone());
        Range { unsigned: one.clone(), signed: one }
    }

    fn extend(&mut self, value: &Bits) {
        if value.ult(&self.unsigned.0) {
            self.unsigned.0 = value.clone();
        }
        if self.unsigned.1.ult(value) {
            self.unsigned.1 = value.clone();
        }
        if value.slt(&self.signed.0) {
            self.signed.0 = value.clone();
        }
        if self.signed.1.slt(value) {
            self.signed.1 = value.clone();
        }
    }
}

/// How ranges of counters are said.
#[derive(Clone, Copy)]
enum Bound {
    /// All values that were seen lie between.
    Seen,
    /// From the least one on.
    UnsignedAbove,
    SignedAbove,
}

/// What counters do from a phase on.
struct Followed {
    /// By phase of the period, then by counter.
    ranges: Vec<Vec<Range>>,
    /// Whether they came back.
    is_closed: bool,
}

impl Search<'_, '_> {
    /// Tries to close the period that ends in the last phase.
    pub(super) fn close(&mut self, period: usize, cx: &mut Cx) -> Result<Outcome, Stop> {
        let first = self.phases.len() - 1 - period;
        let window: Vec<Phase> = self.phases[first..].to_vec();
        let (begin, end) = (&window[0], &window[period]);
        if begin.reached != end.reached {
            return Ok(Outcome::Other);
        }
        let counters: Vec<usize> =
            (0..begin.values.len()).filter(|index| begin.values[*index] != end.values[*index]).collect();
        let is_counted =
            |index: &usize| window.iter().all(|phase| cx.terms.as_bv_const(phase.values[*index]).is_some());
        if !counters.iter().all(is_counted) {
            return Ok(Outcome::Other);
        }
        let followed = match self.follow(begin, period, &counters, cx)? {
            Ok(followed) => followed,
            Err(outcome) => return Ok(outcome),
        };
        let bounds: &[Bound] =
            if followed.is_closed { &[Bound::Seen] } else { &[Bound::UnsignedAbove, Bound::SignedAbove] };
        for bound in bounds {
            let ranges: Vec<Vec<Vec<Term>>> =
                followed.ranges.iter().map(|ranges| self.ranges(&counters, ranges, *bound, &mut cx.terms)).collect();
            if self.is_closed(&window[..period], &counters, &ranges, cx)? {
                let cases = (0..period).map(|i| self.case(&window[i], &counters, &ranges[i], &mut cx.terms)).collect();
                return Ok(Outcome::Closed(Closed { cases, first }));
            }
        }
        Ok(Outcome::Open)
    }

    fn var(&self, index: usize) -> Var {
        self.round.changed[index].0
    }

    /// What one sample's counters do.
    fn follow(
        &mut self,
        begin: &Phase,
        period: usize,
        counters: &[usize],
        cx: &mut Cx,
    ) -> Result<Result<Followed, Outcome>, Stop> {
        let program = self.round.program;
        let constants = self.sweeper.sample().clone();
        let mut values = Evaluator::new(term::eval::OrZero(constants.clone()));
        let mut state: BTreeMap<Term, Value> = constants.iter().map(|(var, value)| (var, value.clone())).collect();
        for (var, value) in &self.start.fixed {
            state.extend(cx.terms.as_value(*value).map(|value| (*var, value)));
        }
        if values.eval(&cx.terms, begin.reached) != Ok(Value::Bool(true)) {
            return Ok(Err(Outcome::Other));
        }
        for (index, value) in begin.values.iter().enumerate() {
            let Ok(value) = values.eval(&cx.terms, *value) else { return Ok(Err(Outcome::Other)) };
            state.insert(program.term(self.var(index)), value);
        }
        let mut walk = Walk { round: self.round, state };
        let mut ranges: Vec<Vec<Range>> = Vec::new();
        let mut seen: BTreeSet<Vec<Value>> = BTreeSet::new();
        for step in 0..self.settings.max_followed {
            cx.budget.check()?;
            let now: Vec<Value> = counters.iter().map(|i| walk.state[&program.term(self.var(*i))].clone()).collect();
            if step % period == 0 && !seen.insert(now.clone()) {
                return Ok(Ok(Followed { ranges, is_closed: true }));
            }
            let bits: Option<Vec<&Bits>> = now.iter().map(Value::as_bits).collect();
            let Some(bits) = bits else { return Ok(Err(Outcome::Other)) };
            match ranges.get_mut(step % period) {
                Some(ranges) => ranges.iter_mut().zip(bits).for_each(|(range, value)| range.extend(value)),
                None => ranges.push(bits.into_iter().map(Range::of).collect()),
            }
            match walk.step(&cx.terms) {
                Some(Step::On) => {}
                Some(Step::Target(target)) => {
                    let verdict = match program.main().locs[target].kind {
                        LocKind::Error(_) => self.violated(&constants, target, cx)?,
                        _ => Verdict::Unknown(why_unknown(program, target)),
                    };
                    return Ok(Err(Outcome::Error(verdict)));
                }
                Some(Step::End) | None => return Ok(Err(Outcome::Other)),
            }
        }
        Ok(Ok(Followed { ranges, is_closed: false }))
    }

    /// The facts about each counter.
    fn ranges(&self, counters: &[usize], ranges: &[Range], bound: Bound, terms: &mut Store) -> Vec<Vec<Term>> {
        let mut all = Vec::new();
        for (index, range) in counters.iter().zip(ranges) {
            let var = self.round.program.term(self.var(*index));
            let (low, high) = &range.unsigned;
            let least = terms.bv_bits(low.clone());
            all.push(match bound {
                Bound::Seen if low == high => vec![terms.eq(var, least)],
                Bound::Seen => {
                    let most = terms.bv_bits(high.clone());
                    let [from, to] = [&range.signed.0, &range.signed.1].map(|bits| terms.bv_bits(bits.clone()));
                    vec![terms.ule(least, var), terms.ule(var, most), terms.sle(from, var), terms.sle(var, to)]
                }
                Bound::UnsignedAbove => vec![terms.ule(least, var)],
                Bound::SignedAbove => {
                    let least = terms.bv_bits(range.signed.0.clone());
                    vec![terms.sle(least, var)]
                }
            });
        }
        all
    }

    /// A phase of the period, with its counters by their ranges.
    fn case(&self, phase: &Phase, counters: &[usize], ranges: &[Vec<Term>], terms: &mut Store) -> Vec<Term> {
        let mut facts = term::normal::conjuncts(terms, phase.reached);
        for (index, value) in phase.values.iter().enumerate() {
            match counters.iter().position(|counter| *counter == index) {
                Some(place) => facts.extend(&ranges[place]),
                None => facts.push(terms.eq(self.round.program.term(self.var(index)), *value)),
            }
        }
        facts.retain(|fact| terms.as_bool_const(*fact) != Some(true));
        facts
    }

    /// Whether each phase leads into the next, and to no target.
    fn is_closed(
        &mut self,
        period: &[Phase],
        counters: &[usize],
        ranges: &[Vec<Vec<Term>>],
        cx: &mut Cx,
    ) -> Result<bool, Stop> {
        let round = self.round;
        for (i, phase) in period.iter().enumerate() {
            let next = (i + 1) % period.len();
            let mut values = phase.values.clone();
            for counter in counters {
                values[*counter] = round.program.term(self.var(*counter));
            }
            let mut state = round.from(&cx.terms, &values, &self.start.fixed);
            let mut fails = Vec::new();
            for (_, condition) in &round.targets {
                let condition = state.apply(&mut cx.terms, *condition);
                fails.push(self.sweeper.sweep(condition, cx)?);
            }
            let goes_on = state.apply(&mut cx.terms, round.goes_on);
            let goes_on = self.sweeper.sweep(goes_on, cx)?;
            let mut after = Vec::new();
            for (_, value) in &round.changed {
                let value = state.apply(&mut cx.terms, *value);
                after.push(self.sweeper.sweep(value, cx)?);
            }
            let mut lands = round.from(&cx.terms, &after, &[]);
            for (index, wanted) in period[next].values.iter().enumerate() {
                let fact = match counters.iter().position(|counter| *counter == index) {
                    Some(place) => {
                        let facts = cx.terms.and_all(&ranges[next][place]);
                        lands.apply(&mut cx.terms, facts)
                    }
                    None => self.sweeper.equal(after[index], *wanted, cx),
                };
                let missed = cx.terms.not(fact);
                fails.push(cx.terms.and(goes_on, missed));
            }
            let mut asked: Vec<Term> = ranges[i].concat();
            asked.push(phase.reached);
            asked.push(cx.terms.or_all(&fails));
            if !self.sweeper.refutes(&asked, self.settings.steady_time, cx)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
