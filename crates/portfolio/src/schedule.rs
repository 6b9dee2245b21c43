//! Runs engines in turns, each in its own process, until one has an answer that stands.
//!
//! At most `jobs` workers run at a time, the others are paused. Facts that one publishes are passed on to all. CPU time and
//! memory are counted over all of them together. A verdict is judged here, by code and in a process that the engine never
//! touched; what fails its check is noted, and the others go on.

use crate::features::{Feature, Features};
use crate::limits::schedule::{LAST_PART, LAST_TIME, LOOK_EVERY, MEMORY_EVERY, MOST_REFUSED, SHORTEST_WAIT};
use crate::strategy::{Step, Strategy};
use crate::worker::Worker;
use engine::wire::Message;
use engine::{Board, Budget, Cx, Event, Fact, Task, Verdict, Why};
use engines::EngineInfo;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::Signal;
use smt::SolverSettings;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use transform::pipeline::Prepared;
use validate::judge::{Definedness, Said, judge};
use validate::{Answer, Pending};

/// How a strategy is carried out.
#[derive(Clone, Debug)]
pub struct Plan {
    pub strategy: Strategy,
    /// Engines that run at the same time.
    pub jobs: usize,
    pub solvers: SolverSettings,
    /// Whether a counterexample with undefined behaviour is the end. There is no proof then, and the caller has a program
    /// without such executions to ask about.
    pub until_undefined: bool,
    /// Likewise a proof of an error whose run is too long to see whether it is defined.
    pub until_defined: bool,
    /// Likewise one that rests on where objects lie, and that no run shows.
    pub until_places: bool,
    /// Whether the caller has the program with more of its recursion to ask about, once executions are known to leave this one.
    pub until_limit: bool,
    /// Whether the caller has the program with structs as a whole to ask about, once an index is known to lead out of an array in one.
    pub until_members: bool,
    /// Whether that executions are known to leave what is modelled is the end: the caller has a program to ask about that shows violations sooner.
    pub until_no_proof: bool,
    /// Whether a proof that nobody could prove again is an answer. Otherwise the other engines go on.
    pub accept_unchecked: bool,
    /// What checks may use beyond the budget's end: the caller keeps time for other ways, and a proof that was found is the better one.
    pub more_for_checks: Duration,
    /// Whether contracts of functions are checked or used: then the program says what to prove.
    pub has_contracts: bool,
    /// Whether the program starts elsewhere than in `main`: such programs bound their inputs.
    pub is_harness: bool,
    /// Whether it is known already that there is no proof: some execution leaves what is modelled.
    pub only_violations: bool,
    /// For tests: workers to kill.
    pub faults: Vec<Fault>,
    /// What is asked. Only engine `danger` answers whether everything ends.
    pub question: engine::Question,
}

impl Plan {
    pub fn new(strategy: Strategy) -> Plan {
        Plan {
            strategy,
            jobs: 1,
            solvers: SolverSettings::default(),
            until_undefined: false,
            until_defined: false,
            until_places: false,
            until_limit: false,
            until_members: false,
            until_no_proof: false,
            accept_unchecked: false,
            more_for_checks: Duration::ZERO,
            has_contracts: false,
            is_harness: false,
            only_violations: false,
            faults: Vec::new(),
            question: engine::Question::Reach,
        }
    }
}

/// The named engine's process is killed once it has used so much CPU time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    pub engine: String,
    pub after: Duration,
}

/// What an engine did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    pub engine: String,
    /// CPU time.
    pub time: Duration,
    /// CPU time of the check of its answer, solvers included.
    pub check: Duration,
    /// Its last word, for people.
    pub said: String,
}

impl Run {
    fn new(engine: &str, said: String) -> Run {
        Run { engine: engine.to_owned(), time: Duration::ZERO, check: Duration::ZERO, said }
    }
}

/// What happened on the way to the answer.
#[derive(Clone, Debug)]
pub struct Report {
    pub answer: Answer,
    /// The engines that ran, in the order of their first turn.
    pub runs: Vec<Run>,
    /// What they told each other.
    pub facts: Vec<Fact>,
}

/// What whoever watches is told while engines run.
#[derive(Clone, Copy, Debug)]
pub enum News<'a> {
    /// The engine's turn begins, its first one or another.
    Turn {
        engine: &'a str,
    },
    /// Its turn is over, for now.
    Pause {
        engine: &'a str,
    },
    Event {
        engine: &'a str,
        event: &'a Event,
    },
    /// Something that was not known before.
    Fact(&'a Fact),
    /// It has answered, and this became of it.
    End {
        engine: &'a str,
        said: &'a str,
    },
    /// CPU time of all engines so far.
    Used(Duration),
}
/// The engine whose evidence for a deep error is proved instead of walked.
pub const NEEDS_NO_RUN: &str = "danger";

/// Decides a program. `lowered` is the program as written, `prepared` what the passes made of it; `listener` is told what
/// engines do.
pub fn run(
    lowered: &cfa::Program,
    prepared: &Prepared,
    plan: &Plan,
    budget: &Budget,
    listener: &mut dyn FnMut(News<'_>),
) -> Report {
    let task = Task { question: plan.question, ..Task::new(prepared.program.clone()) };
    let board = Board::new();
    let features = Features::of(&task.program);
    let features = if plan.has_contracts { features.and(Feature::Contracts) } else { features };
    let features = if plan.is_harness { features.and(Feature::Harness) } else { features };
    let features = if plan.only_violations { features.and(Feature::OnlyViolations) } else { features };
    let mut turns = plan.strategy.turns(&features);
    let mut scheduler = Scheduler {
        lowered,
        prepared,
        task: &task,
        plan,
        budget,
        cx: Cx::new(&task, budget.clone(), board.clone(), plan.solvers.clone()),
        board,
        workers: Vec::new(),
        turns: BTreeMap::new(),
        runs: Vec::new(),
        last_events: BTreeMap::new(),
        engines: plan.strategy.engines(&features),
        features,
        spent: Duration::ZERO,
        end: None,
        unknown: None,
        pending: None,
        next: None,
        looked_at_memory: Instant::now(),
        refused: BTreeMap::new(),
    };
    let answer = scheduler.schedule(&mut turns, listener);
    scheduler.stop_all();
    Report { answer, runs: scheduler.runs, facts: scheduler.board.since(0) }
}

struct Scheduler<'a> {
    lowered: &'a cfa::Program,
    prepared: &'a Prepared,
    task: &'a Task,
    plan: &'a Plan,
    budget: &'a Budget,
    cx: Cx,
    board: Board,
    workers: Vec<Worker>,
    /// CPU time at which the turn of each running engine ends.
    turns: BTreeMap<&'static str, Duration>,
    runs: Vec<Run>,
    /// The last event of each engine.
    last_events: BTreeMap<&'static str, Event>,
    features: Features,
    /// All that may get a turn.
    engines: Vec<&'static str>,
    /// CPU time of workers that ended.
    spent: Duration,
    /// CPU time at which the rest ends, once nobody is left who would end by itself.
    end: Option<Duration>,
    /// The best reason so far for having no answer.
    unknown: Option<Why>,
    /// The first proof that nobody could prove again, or a run that takes long.
    pending: Option<Pending>,
    /// Whose turn is before all others.
    next: Option<&'static EngineInfo>,
    looked_at_memory: Instant,
    /// Counterexamples that did not stand.
    refused: BTreeMap<&'static str, u32>,
}

impl Scheduler<'_> {
    fn schedule(&mut self, turns: &mut dyn Iterator<Item = Step>, listener: &mut dyn FnMut(News<'_>)) -> Answer {
        loop {
            if let Err(stop) = self.budget.check() {
                return self.give_up(stop.into());
            }
            let left = self.left();
            if left.is_zero() {
                return self.give_up(Why::Timeout);
            }
            let used = self.used();
            if self.end.is_none() && self.only_endless() {
                self.end = Some(used + (left / LAST_PART).min(LAST_TIME));
            }
            if self.end.is_some_and(|end| used >= end) {
                return self.give_up(Why::GaveUp("no engine has anything more to try".into()));
            }
            listener(News::Used(used));
            while self.workers.iter().filter(|w| w.is_running()).count() < self.plan.jobs.max(1) {
                match self.next_turn(turns, left) {
                    Some(engine) => listener(News::Turn { engine }),
                    None => break,
                }
            }
            if !self.workers.iter().any(Worker::is_running) {
                let why = match self.workers.is_empty() {
                    true => "no engine has anything more to try",
                    false => "the strategy ended",
                };
                return self.give_up(Why::GaveUp(why.into()));
            }
            self.wait();
            if let Some(answer) = self.listen(listener) {
                return answer;
            }
            self.end_turns(listener);
            self.hold_memory();
        }
    }

    /// CPU time left for all together.
    fn left(&mut self) -> Duration {
        self.budget.left().saturating_sub(self.used())
    }

    /// CPU time of all workers.
    fn used(&mut self) -> Duration {
        self.spent + self.workers.iter_mut().map(Worker::cpu).sum::<Duration>()
    }

    /// Whether all engines have given up but those that never do.
    fn only_endless(&self) -> bool {
        let given_up = self.pending.is_some()
            || self.unknown.as_ref().is_some_and(|why| {
                let tried =
                    matches!(why, Why::GaveUp(_) | Why::AfterUndefined(_) | Why::MayBeUndefined | Why::TooLongToRun);
                tried || why.leaves_model() || matches!(why, Why::MayNotEnd { .. })
            });
        let is_over = |name: &str| engines::by_name(name).is_some_and(|engine| engine.endless) || self.has_ended(name);
        given_up && self.engines.iter().all(|name| is_over(name))
    }

    fn has_ended(&self, name: &str) -> bool {
        self.runs.iter().any(|run| run.engine == name && !run.said.is_empty())
    }

    /// Gives the next engine its turn and says which it is; nothing if there is none.
    fn next_turn(&mut self, turns: &mut dyn Iterator<Item = Step>, left: Duration) -> Option<&'static str> {
        // A round without anyone to run is the end.
        let mut skipped = 0;
        let next = self.next.take().map(|engine| (engine, LAST_TIME, true));
        let features = self.features.clone();
        let turns = turns.map(|step| (step.engine, step.time, step.fits(&features)));
        for (engine, time, fits) in next.into_iter().chain(turns) {
            if !fits || self.has_ended(engine.name) || self.turns.contains_key(engine.name) {
                skipped += 1;
                if skipped > 2 * engines::ENGINES.len() + self.runs.len() {
                    return None;
                }
                continue;
            }
            let known = self.workers.iter_mut().find(|w| w.engine.name == engine.name);
            let used = match known {
                Some(worker) => {
                    worker.resume();
                    worker.cpu()
                }
                None => {
                    let budget = self.budget.slice(left);
                    match Worker::start(engine, self.task, &self.board, &budget, &self.plan.solvers) {
                        Ok(worker) => self.workers.push(worker),
                        Err(e) => {
                            let said = format!("could not be started: {e}");
                            self.runs.push(Run::new(engine.name, said));
                            continue;
                        }
                    }
                    self.runs.push(Run::new(engine.name, String::new()));
                    Duration::ZERO
                }
            };
            self.turns.insert(engine.name, used.saturating_add(time));
            return Some(engine.name);
        }
        None
    }

    /// Until a worker says something or a turn may be over.
    fn wait(&mut self) {
        let mut timeout = LOOK_EVERY.min(self.left());
        for worker in self.workers.iter_mut().filter(|w| w.is_running()) {
            let end = self.turns.get(worker.engine.name).copied().unwrap_or_default();
            timeout = timeout.min(end.saturating_sub(worker.cpu()).max(SHORTEST_WAIT));
        }
        let mut sockets: Vec<PollFd<'_>> = self
            .workers
            .iter()
            .map(|w| {
                PollFd::new(w.socket(), if w.wants_to_send() { PollFlags::IN | PollFlags::OUT } else { PollFlags::IN })
            })
            .collect();
        let timeout = rustix::event::Timespec { tv_sec: 0, tv_nsec: timeout.subsec_nanos().max(1).into() };
        // Interrupted or not, everything is looked at next.
        let _ = poll(&mut sockets, Some(&timeout));
    }

    /// Takes in what workers said; an answer if one of them has one that stands.
    fn listen(&mut self, listener: &mut dyn FnMut(News<'_>)) -> Option<Answer> {
        let mut i = 0;
        while i < self.workers.len() {
            let worker = &mut self.workers[i];
            let (name, goes_on) = (worker.engine.name, worker.engine.goes_on);
            worker.flush();
            let news = worker.receive(&mut self.cx.terms);
            let (mut verdicts, mut limit) = (Vec::new(), None);
            for message in news.messages {
                match message {
                    Message::Fact(fact) => {
                        if self.plan.strategy.shares(&fact.kind) && self.board.publish(fact.clone()) {
                            listener(News::Fact(&fact));
                        }
                    }
                    Message::Event(event) => {
                        listener(News::Event { engine: name, event: &event });
                        if let Event::Limit(why) = &event {
                            limit.get_or_insert(why.clone());
                        }
                        if !matches!(event, Event::Detail(_)) {
                            self.last_events.insert(name, event);
                        }
                    }
                    Message::Verdict(said) => verdicts.push(said),
                }
            }
            if let Some(why) = limit {
                let is_awaited =
                    self.plan.until_no_proof || self.plan.until_members && matches!(why, Why::LeavesArray(_));
                let is_end = is_awaited && !verdicts.iter().any(|said| matches!(said, Verdict::Unsafe(_)));
                self.limited(why.clone());
                if is_end {
                    return Some(Answer::Unknown(why));
                }
            }
            let last = match verdicts.last() {
                Some(Verdict::Unsafe(_)) if goes_on && !news.closed => None,
                _ => verdicts.pop(),
            };
            for verdict in verdicts {
                let time = self.workers[i].cpu();
                if let Some(answer) = self.judged(name, time, verdict, listener) {
                    return Some(answer);
                }
                *self.refused.entry(name).or_default() += 1;
            }
            let is_enough = self.refused.get(name).is_some_and(|times| *times >= MOST_REFUSED);
            if last.is_none() && !news.closed && !is_enough {
                // It goes on, and has not said its last word.
                self.runs.iter_mut().filter(|run| run.engine == name).for_each(|run| run.said.clear());
                i += 1;
                continue;
            }
            let mut worker = self.workers.remove(i);
            let time = worker.cpu();
            self.spent += time;
            self.turns.remove(name);
            let was_refused = self.refused.contains_key(name);
            let none_left = || Verdict::Unknown(Why::GaveUp("no other way to the error is found".into()));
            let last = match last {
                // What it has seen of other executions is no proof.
                Some(Verdict::Safe(_)) if was_refused => none_left(),
                Some(last) => last,
                None if news.closed => Verdict::Unknown(Why::Crashed(format!("{name} {}", worker.end()))),
                None => none_left(),
            };
            if let Some(answer) = self.judged(name, time, last, listener) {
                return Some(answer);
            }
        }
        self.pass_on_facts();
        None
    }

    /// Executions leave what is modelled, so that there is no proof: violations are looked for, in a program with more to it only a little longer.
    fn limited(&mut self, why: Why) {
        self.features = self.features.clone().and(Feature::OnlyViolations);
        self.engines = self.plan.strategy.engines(&self.features);
        if self.plan.until_limit && self.end.is_none() && matches!(why, Why::BoundHit(_)) {
            let left = self.left();
            self.end = Some(self.used() + (left / LAST_PART).min(LAST_TIME));
        }
        self.remember(why);
    }

    /// The verdict of an engine that has ended, after its check.
    fn judged(
        &mut self,
        name: &str,
        time: Duration,
        verdict: Verdict,
        listener: &mut dyn FnMut(News<'_>),
    ) -> Option<Answer> {
        listener(News::Event { engine: name, event: &Event::Note(summary(&verdict)) });
        let budget = self.budget.with_time(self.left() + self.plan.more_for_checks);
        // Most verdicts stand: while one is checked, the machine is the checker's.
        self.workers.iter_mut().filter(|w| w.is_running()).for_each(Worker::pause);
        let before = base::cpu::time();
        let definedness = if self.plan.until_defined { Definedness::AskedApart } else { Definedness::Followed };
        let said = Said { prepared: self.prepared, task: self.task, engine: name, budget: &budget, definedness };
        let answer = judge(self.lowered, said, verdict, &mut self.cx);
        if let Some(run) = self.runs.iter_mut().find(|r| r.engine == name) {
            run.time = time;
            run.check += base::cpu::time().saturating_sub(before);
            run.said = answer.to_string();
            listener(News::End { engine: name, said: &run.said });
        }
        match answer {
            Answer::Unknown(why @ Why::AfterUndefined(_)) if self.plan.until_undefined => Some(Answer::Unknown(why)),
            Answer::Unknown(why @ Why::MayBeUndefined) if self.plan.until_defined => Some(Answer::Unknown(why)),
            Answer::Unknown(why @ Why::AssumesPlaces(_)) if self.plan.until_places => Some(Answer::Unknown(why)),
            Answer::Unknown(why @ Why::LeavesArray(_)) if self.plan.until_members => Some(Answer::Unknown(why)),
            Answer::Unknown(why @ (Why::Unsupported(_) | Why::LeavesArray(_)))
                if engines::by_name(name).is_some_and(|e| e.exhaustive) =>
            {
                Some(Answer::Unknown(why))
            }
            Answer::Unknown(why) => {
                if matches!(why, Why::TooLongToRun) {
                    self.ask_for_proof();
                }
                self.remember(why);
                self.go_on();
                None
            }
            // Another engine may find one that is easier to check.
            Answer::Pending(proof @ Pending::Proof { .. }) if !self.plan.accept_unchecked => {
                self.pending.get_or_insert(proof);
                self.go_on();
                None
            }
            // So is a run that takes the compiled program long: a danger invariant needs none.
            Answer::Pending(run) if run.is_long_to_run() => {
                self.pending = Some(run);
                self.ask_for_proof();
                let left = self.left();
                self.end = Some(self.used() + (left / LAST_PART).min(LAST_TIME));
                self.go_on();
                None
            }
            decided => Some(decided),
        }
    }

    /// There is an error that nobody can run to: it is the turn of whoever proves that.
    fn ask_for_proof(&mut self) {
        if self.engines.contains(&NEEDS_NO_RUN) && !self.has_ended(NEEDS_NO_RUN) {
            self.next = engines::by_name(NEEDS_NO_RUN);
            self.turns.clear();
        }
    }

    /// Lets those run whose turn it is.
    fn go_on(&mut self) {
        self.workers.iter_mut().filter(|w| self.turns.contains_key(w.engine.name)).for_each(Worker::resume);
    }

    fn pass_on_facts(&mut self) {
        let Some(known) = self.workers.iter().map(|w| w.facts).min() else { return };
        let facts = self.board.since(known);
        for worker in &mut self.workers {
            for fact in facts.iter().skip(worker.facts - known) {
                if fact.author != worker.engine.name {
                    worker.tell(fact);
                }
            }
            worker.facts = known + facts.len();
        }
    }

    /// Pauses whoever had its time, and does the harm that tests ask for.
    fn end_turns(&mut self, listener: &mut dyn FnMut(News<'_>)) {
        for worker in self.workers.iter_mut().filter(|w| w.is_running()) {
            let (name, cpu) = (worker.engine.name, worker.cpu());
            if self.plan.faults.iter().any(|f| f.engine == name && cpu >= f.after) {
                worker.signal(Signal::KILL);
            }
            if self.turns.get(name).is_some_and(|end| cpu >= *end) {
                worker.pause();
                self.turns.remove(name);
                listener(News::Pause { engine: name });
            }
        }
    }

    /// When all together need too much memory, the largest worker goes.
    fn hold_memory(&mut self) {
        if self.looked_at_memory.elapsed() < MEMORY_EVERY {
            return;
        }
        self.looked_at_memory = Instant::now();
        let sizes: Vec<u64> = self.workers.iter().map(Worker::memory).collect();
        let own = engine::budget::resident_bytes().unwrap_or(0);
        if own + sizes.iter().sum::<u64>() <= self.budget.memory() {
            return;
        }
        let Some(largest) = (0..sizes.len()).max_by_key(|i| sizes[*i]) else { return };
        let mut worker = self.workers.remove(largest);
        let time = worker.cpu();
        self.spent += time;
        self.turns.remove(worker.engine.name);
        if let Some(run) = self.runs.iter_mut().find(|r| r.engine == worker.engine.name) {
            run.time = time;
            run.said = format!("unknown({})", Why::OutOfMemory);
        }
        self.remember(Why::OutOfMemory);
    }

    /// Keeps the reason that tells most.
    fn remember(&mut self, why: Why) {
        let weight = |why: &Why| match why {
            Why::CheckFailed(_) => 7,
            Why::Unsupported(_) | Why::LeavesArray(_) => 6,
            Why::NotChecked { .. } | Why::NotConfirmed(_) | Why::AssumesPlaces(_) | Why::WeakContract(_) => 5,
            Why::AfterUndefined(_) | Why::TooLongToRun => 5,
            Why::BoundHit(_) => 4,
            Why::Crashed(_) => 3,
            Why::OutOfMemory => 2,
            Why::GaveUp(_) | Why::MayNotEnd { .. } | Why::MayBeUndefined | Why::Solver(_) => 1,
            Why::Timeout | Why::Cancelled => 0,
        };
        if self.unknown.as_ref().is_none_or(|known| weight(&why) > weight(known)) {
            self.unknown = Some(why);
        }
    }

    /// A time limit is the reason unless something better is known.
    fn give_up(&mut self, why: Why) -> Answer {
        if let (Some(pending), false) = (self.pending.take(), matches!(why, Why::Cancelled)) {
            return Answer::Pending(pending);
        }
        let better = |known: &Why| {
            let telling = matches!(known, Why::CheckFailed(_) | Why::AfterUndefined(_) | Why::TooLongToRun);
            telling || known.leaves_model() || matches!(why, Why::GaveUp(_))
        };
        Answer::Unknown(self.unknown.take().filter(better).unwrap_or(why))
    }

    fn stop_all(&mut self) {
        for mut worker in std::mem::take(&mut self.workers) {
            if let Some(run) = self.runs.iter_mut().find(|r| r.engine == worker.engine.name) {
                run.time = worker.cpu();
                run.said = match self.last_events.get(worker.engine.name) {
                    Some(Event::Bound(bound)) => format!("stopped after bound {bound}"),
                    Some(Event::Note(note)) => format!("stopped: {note}"),
                    Some(Event::Limit(why)) => format!("stopped: {why}"),
                    Some(Event::Folding(_) | Event::Detail(_)) | None => "stopped".into(),
                };
            }
        }
    }
}

fn summary(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Safe(_) => "says safe".into(),
        Verdict::Unsafe(_) => "says unsafe".into(),
        Verdict::Unknown(why) => format!("unknown: {why}"),
    }
}
