//! The search for a strategy: combinations of choices in order of size, each run before it is proved.
//!
//! A run that ends where it should not refutes the combination at once. One that leads to the error when the program's
//! large constants are made small is tried first; those about which runs say nothing wait.

use crate::prove::{Attempt, Wanted};
use crate::runs::{self, Run, STEPS, replaced, run, scaled_down};
use crate::strategy::{Setting, Strategy};
use cfa::interp::{Ending, Limit};
use engine::{Cx, Danger, Stop};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, VecDeque};
use term::subst::Substitution;

/// What runs say about a strategy.
enum Verdict {
    /// It does not lead where it should.
    Refuted,
    /// It does, with small constants at least.
    Promising(Run),
    Open(Run),
    /// It does not with small constants: tried last.
    Unlikely(Run),
}

/// Combinations that are run at most, and those among the open ones that are tried before more are run.
const MOST_COMBINATIONS: usize = 20_000;
const OPEN_AT_ONCE: usize = 6;
const RUNS_AT_ONCE: usize = 150;

pub(crate) struct Search<'a> {
    setting: &'a Setting<'a>,
    small: Option<Substitution>,
    wanted: Wanted,
    queue: BinaryHeap<Reverse<(usize, Vec<usize>)>>,
    seen: BTreeSet<Vec<usize>>,
    open: VecDeque<(Strategy, Run)>,
    unlikely: VecDeque<(Strategy, Run)>,
    tried: usize,
}

impl<'a> Search<'a> {
    pub(crate) fn new(setting: &'a Setting<'a>, cx: &mut Cx, wanted: Wanted) -> Search<'a> {
        let small = if wanted == Wanted::Error { scaled_down(setting.program, &mut cx.terms) } else { None };
        let start = vec![0; setting.choices.slots.len()];
        Search {
            setting,
            small,
            wanted,
            queue: BinaryHeap::from([Reverse((0, start.clone()))]),
            seen: BTreeSet::from([start]),
            open: VecDeque::new(),
            unlikely: VecDeque::new(),
            tried: 0,
        }
    }

    /// A proof with this strategy, if there is one.
    pub(crate) fn consider(&mut self, cx: &mut Cx, strategy: Strategy) -> Result<Option<Danger>, Stop> {
        match self.ask_runs(cx, &strategy) {
            Verdict::Refuted => Ok(None),
            Verdict::Promising(run) | Verdict::Open(run) | Verdict::Unlikely(run) => self.prove(cx, strategy, run),
        }
    }

    /// A proof; `None` when the choices are exhausted.
    pub(crate) fn run(&mut self, cx: &mut Cx) -> Result<Option<Danger>, Stop> {
        loop {
            let mut ran = 0;
            while ran < RUNS_AT_ONCE {
                cx.budget.check()?;
                let Some(strategy) = self.next() else { break };
                ran += 1;
                match self.ask_runs(cx, &strategy) {
                    Verdict::Refuted => {}
                    Verdict::Open(run) => self.open.push_back((strategy, run)),
                    Verdict::Unlikely(run) => self.unlikely.push_back((strategy, run)),
                    Verdict::Promising(run) => {
                        if let Some(danger) = self.prove(cx, strategy, run)? {
                            return Ok(Some(danger));
                        }
                    }
                }
            }
            for _ in 0..OPEN_AT_ONCE {
                let Some((strategy, run)) = self.open.pop_front().or_else(|| self.unlikely_one(ran)) else { break };
                if let Some(danger) = self.prove(cx, strategy, run)? {
                    return Ok(Some(danger));
                }
            }
            if ran == 0 && self.open.is_empty() && self.unlikely.is_empty() {
                return Ok(None);
            }
        }
    }

    /// Only when there is nothing else to run.
    fn unlikely_one(&mut self, ran: usize) -> Option<(Strategy, Run)> {
        if ran == 0 { self.unlikely.pop_front() } else { None }
    }

    /// A strategy whose proof is interrupted is the next to be tried.
    fn prove(&mut self, cx: &mut Cx, strategy: Strategy, run: Run) -> Result<Option<Danger>, Stop> {
        let Setting { program, live, atoms, .. } = self.setting;
        let attempt = Attempt { program, strategy: &strategy, atoms, live, run: &run, wanted: self.wanted };
        let started = engine::budget::cpu_time();
        let found = attempt.prove(cx);
        let time = engine::budget::cpu_time() - started;
        let how = match &found {
            Ok(Some(_)) => "proved",
            Ok(None) => "not proved",
            Err(_) => "interrupted",
        };
        cx.tell(engine::Event::Note(format!("strategy {}: {how} in {time:.0?}", self.tried)));
        if found.is_err() {
            self.open.push_front((strategy, run));
        }
        found
    }

    /// The next combination, by the sum of its places.
    fn next(&mut self) -> Option<Strategy> {
        if self.tried >= MOST_COMBINATIONS {
            return None;
        }
        let Reverse((sum, indices)) = self.queue.pop()?;
        self.tried += 1;
        for slot in 0..indices.len() {
            let mut next = indices.clone();
            next[slot] += 1;
            if next[slot] < self.setting.choices.slots[slot].1.len() && self.seen.insert(next.clone()) {
                self.queue.push(Reverse((sum + 1, next)));
            }
        }
        Some(self.setting.choices.strategy(&indices))
    }

    fn ask_runs(&mut self, cx: &mut Cx, strategy: &Strategy) -> Verdict {
        let followed = strategy.follow(self.setting.program, &cx.terms);
        let Some(real) = run(&followed, &self.setting.wto, &self.setting.live, STEPS) else { return Verdict::Refuted };
        match (&real.ending, self.wanted) {
            (Ending::Error(_), Wanted::Error) => return Verdict::Promising(real),
            (Ending::Limit(Limit::Steps), _) => {}
            (Ending::Limit(Limit::Watcher), Wanted::Forever) => return Verdict::Promising(real),
            _ => return Verdict::Refuted,
        }
        let Some(map) = &mut self.small else { return Verdict::Open(real) };
        let small = replaced(&followed, &mut cx.terms, map);
        match runs::run(&small, &self.setting.wto, &self.setting.live, STEPS).map(|r| r.ending) {
            Some(Ending::Error(_)) => Verdict::Promising(real),
            Some(Ending::Limit(_)) => Verdict::Open(real),
            _ => Verdict::Unlikely(real),
        }
    }
}
