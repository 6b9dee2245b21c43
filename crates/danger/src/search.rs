//! The search for a strategy: combinations of choices in order of size, each run before it is proved.
//!
//! Where the program has large constants, each combination is first run with small ones in their place: one that leads to
//! the error there is proved at once, one that ends elsewhere waits until the others of its batch were tried. A run of the
//! program itself that ends where it should not refutes the combination.

use crate::limits::search::{MANY_STEPS, MOST_COMBINATIONS, OPEN_AT_ONCE, RUNS_AT_ONCE, STEPS};
use crate::prove::{Attempt, Wanted};
use crate::scaled::{replaced, scaled_down};
use crate::strategy::{Problem, Strategy};
use engine::{Cx, Danger, Stop};
use infer::sample::states::{Run, run};
use interpreter::{Ending, Limit};
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
    /// It does not with small constants; it was not run with its own.
    Unlikely,
}

pub(crate) struct Search<'a> {
    problem: &'a Problem<'a>,
    small: Option<Substitution>,
    wanted: Wanted,
    queue: BinaryHeap<Reverse<(usize, Vec<usize>)>>,
    seen: BTreeSet<Vec<usize>>,
    open: VecDeque<(Strategy, Run)>,
    /// Those that do not lead to the error with small constants.
    unlikely: VecDeque<Strategy>,
    /// Those among them about which runs say nothing.
    last: VecDeque<(Strategy, Run)>,
    tried: usize,
}

impl<'a> Search<'a> {
    pub(crate) fn new(problem: &'a Problem<'a>, cx: &mut Cx, wanted: Wanted) -> Search<'a> {
        let small = if wanted == Wanted::Error { scaled_down(problem.program, &mut cx.terms) } else { None };
        let start = vec![0; problem.choices.slots.len()];
        Search {
            problem,
            small,
            wanted,
            queue: BinaryHeap::from([Reverse((0, start.clone()))]),
            seen: BTreeSet::from([start]),
            open: VecDeque::new(),
            unlikely: VecDeque::new(),
            last: VecDeque::new(),
            tried: 0,
        }
    }

    /// A proof with this strategy, if there is one.
    pub(crate) fn consider(&mut self, cx: &mut Cx, strategy: Strategy) -> Result<Option<Danger>, Stop> {
        match self.run_as_it_is(cx, &strategy, MANY_STEPS) {
            Verdict::Promising(run) | Verdict::Open(run) => self.prove(cx, strategy, run),
            Verdict::Refuted | Verdict::Unlikely => Ok(None),
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
                    Verdict::Unlikely => self.unlikely.push_back(strategy),
                    Verdict::Promising(run) => {
                        if let Some(danger) = self.prove(cx, strategy, run)? {
                            return Ok(Some(danger));
                        }
                    }
                }
            }
            for _ in 0..OPEN_AT_ONCE {
                let Some((strategy, run)) = self.open.pop_front() else { break };
                if let Some(danger) = self.prove(cx, strategy, run)? {
                    return Ok(Some(danger));
                }
            }
            while let Some(strategy) = self.unlikely.pop_front() {
                cx.budget.check()?;
                match self.run_as_it_is(cx, &strategy, STEPS) {
                    Verdict::Promising(run) => {
                        if let Some(danger) = self.prove(cx, strategy, run)? {
                            return Ok(Some(danger));
                        }
                    }
                    Verdict::Open(run) => self.last.push_back((strategy, run)),
                    Verdict::Refuted | Verdict::Unlikely => {}
                }
            }
            if ran == 0 && self.open.is_empty() {
                // There is nothing else to run.
                let Some(next) = self.last.pop_front() else { return Ok(None) };
                self.open.push_back(next);
            }
        }
    }

    /// A strategy whose proof is interrupted is the next to be tried.
    fn prove(&mut self, cx: &mut Cx, strategy: Strategy, run: Run) -> Result<Option<Danger>, Stop> {
        let Problem { program, live, atoms, settings, .. } = self.problem;
        let attempt = Attempt { program, strategy: &strategy, atoms, live, run: &run, wanted: self.wanted, settings };
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
            if next[slot] < self.problem.choices.slots[slot].1.len() && self.seen.insert(next.clone()) {
                self.queue.push(Reverse((sum + 1, next)));
            }
        }
        Some(self.problem.choices.strategy(&indices))
    }

    /// With small constants first, where the program has large ones: that tells more, and sooner.
    fn ask_runs(&mut self, cx: &mut Cx, strategy: &Strategy) -> Verdict {
        let Some(map) = &mut self.small else { return self.run_as_it_is(cx, strategy, STEPS) };
        let followed = strategy.follow(self.problem.program, &cx.terms);
        let small = replaced(&followed, &mut cx.terms, map);
        let ending = run(&small, &self.problem.wto, &self.problem.live, STEPS).map(|r| r.ending);
        match ending {
            Some(Ending::Error(_)) => match self.run_as_it_is(cx, strategy, STEPS) {
                Verdict::Open(run) => Verdict::Promising(run),
                other => other,
            },
            Some(Ending::Limit(_)) => self.run_as_it_is(cx, strategy, STEPS),
            _ => Verdict::Unlikely,
        }
    }

    fn run_as_it_is(&self, cx: &Cx, strategy: &Strategy, steps: u64) -> Verdict {
        let followed = strategy.follow(self.problem.program, &cx.terms);
        let Some(run) = run(&followed, &self.problem.wto, &self.problem.live, steps) else { return Verdict::Refuted };
        match (&run.ending, self.wanted) {
            (Ending::Error(_), Wanted::Error) => Verdict::Promising(run),
            (Ending::Limit(Limit::Watcher), Wanted::Forever) => Verdict::Promising(run),
            (Ending::Limit(Limit::Steps), _) => Verdict::Open(run),
            _ => Verdict::Refuted,
        }
    }
}
