//! Executions with random inputs, led by what they cover.
//!
//! The interpreter executes a hundred million edges a second: a bug that many inputs show needs no solver. An execution that
//! comes to a new place, or to a known one much more often than any before, is kept, and later executions repeat its inputs
//! with changes, as fuzzers do. It proves nothing.
//!
//! Long loops fill memory with inputs, and what is done with them then may take very long where they are all different (sorting) or
//! depends on all of them (are they ascending?). So there are long executions in which inputs follow simple rules ([`Tail`]).

use base::Table;
use cfa::{Loc, Program, Var};
use engine::{Cx, Engine, Event, Evidence, Stop, Task, Verdict, Why};
use infer::sample::{Guesses, constants, trace_of};
use interpreter::{Ask, Ending, Inputs, Limit, Limits, Machine, Random, State, Watch, Watcher};
use std::ops::ControlFlow;
use term::{Bits, Sort, Value};

#[derive(Default)]
pub struct RandomExecution {
    pub settings: Settings,
}

/// How long executions are, and what is kept of them.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Steps of most executions at first: a loop that never ends is left soon.
    pub short: u64,
    /// After so many executions the short ones may be twice as long.
    pub runs_of_a_length: u64,
    /// One in so many may be long. Long ones get ever longer, but not faster than the time that was spent: there are loops of a
    /// million iterations before some bugs.
    pub long_every: u64,
    /// One in so many long ones is one for each rule that inputs may follow.
    pub rules_every: u64,
    /// Inputs of one execution that are kept: changes to later ones do little.
    pub inputs: usize,
    /// Executions that are kept, in a few megabytes.
    pub kept: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { short: 20_000, runs_of_a_length: 100, long_every: 8, rules_every: 4, inputs: 1 << 12, kept: 4096 }
    }
}

impl Engine for RandomExecution {
    fn name(&self) -> &'static str {
        "random"
    }

    fn run(&mut self, task: &Task, cx: &mut Cx) -> Verdict {
        search(&task.program, self.settings, cx).unwrap_or_else(|stop| Verdict::Unknown(stop.into()))
    }
}

fn search(program: &Program, settings: Settings, cx: &mut Cx) -> Result<Verdict, Stop> {
    let main = program.main();
    let branches = main.successors();
    // Where control goes after a choice: the rest follows from it.
    let choices = main.edges.values().filter(|e| branches[e.from].len() > 1 || main.locs[e.to].kind.is_target());
    let watch = Watch { edges: false, locations: choices.map(|e| (program.entry, e.to)).collect() };
    let Ok(machine) = Machine::watching(program, &watch) else {
        return Ok(Verdict::Unknown(Why::GaveUp("the program cannot be executed".into())));
    };
    let constants = constants(program);
    let count = main.locs.len();
    let mut visits = Visits { now: Table::filled(0, count), places: Vec::new(), before: Table::filled(0, count) };
    let mut kept: Vec<Vec<u64>> = Vec::new();
    let mut dice = Random::new(0x5eed);
    let (mut short, mut long, mut spent) = (settings.short, 2 * settings.short, 0);
    let mut run = 0;
    loop {
        let is_long = run % settings.long_every == settings.long_every - 1;
        // Now and then the long one is one for each rule: they are several, and most errors do not need them.
        let has_rules = is_long && (run / settings.long_every) % settings.rules_every == settings.rules_every - 1;
        let tails = if has_rules { Tail::RULES.map(Some).to_vec() } else { vec![None] };
        let steps = if is_long { long } else { short };
        let most = settings.inputs;
        let mut grows = false;
        for tail in tails {
            cx.budget.check()?;
            // Every third execution is a fresh one.
            let tape = if kept.is_empty() || run % 3 == 0 || tail.is_some() {
                Vec::new()
            } else {
                changed(&kept, settings.inputs, &mut dice, &constants)
            };
            let mut inputs = Tape::new(tape, tail, most, Guesses::new(run, &constants));
            let limits = Limits { cancel: Some(cx.budget.cancel_flag()), record: false, ..Limits::steps(steps) };
            let outcome = machine.run_with(&mut inputs, &limits, &mut std::io::sink(), Some(&mut visits));
            if let Ending::Error(_) = outcome.ending {
                // Once more, for the inputs: recording all runs would cost too much.
                let mut inputs = Tape::new(inputs.given, tail, most, Guesses::new(run, &constants));
                let outcome = machine.run(&mut inputs, &Limits::steps(steps));
                if let Some(trace) = trace_of(program, &outcome) {
                    return Ok(Verdict::Unsafe(Evidence::Trace(trace)));
                }
            }
            let without_inputs = inputs.used.is_empty() && outcome.initial.is_empty();
            if without_inputs && run > Guesses::KINDS && outcome.ending != Ending::Limit(Limit::Steps) {
                return Ok(Verdict::Unknown(Why::GaveUp("the only execution has no error".into())));
            }
            if visits.are_new() && !inputs.used.is_empty() && kept.len() < settings.kept {
                kept.push(inputs.used);
            }
            spent += outcome.steps;
            grows |= is_long && outcome.steps >= long || without_inputs;
            if without_inputs {
                break;
            }
        }
        if grows && long <= spent {
            long *= 2;
            cx.tell(Event::Note(format!("executions of up to {long} steps")));
        }
        run += 1;
        if run % settings.runs_of_a_length == 0 {
            short *= 2;
        }
    }
}

/// How often this execution came to each place, and how often earlier ones did.
struct Visits {
    now: Table<Loc, u32>,
    places: Vec<Loc>,
    /// As powers of two: one bit for each.
    before: Table<Loc, u32>,
}

impl Visits {
    /// Whether the execution did what none before did; the next one starts from nothing.
    fn are_new(&mut self) -> bool {
        let mut new = false;
        for loc in self.places.drain(..) {
            let times = 1 << std::mem::take(&mut self.now[loc]).ilog2();
            new |= self.before[loc] & times == 0;
            self.before[loc] |= times;
        }
        new
    }
}

impl Watcher for Visits {
    fn location(&mut self, _: &State<'_>, _: cfa::Func, loc: Loc) -> ControlFlow<()> {
        if self.now[loc] == 0 {
            self.places.push(loc);
        }
        self.now[loc] = self.now[loc].saturating_add(1);
        ControlFlow::Continue(())
    }
}

/// The inputs of a kept execution with a few changes; mostly of a late one.
fn changed(kept: &[Vec<u64>], most: usize, dice: &mut Random, constants: &[u64]) -> Vec<u64> {
    let below = |dice: &mut Random, n: usize| (dice.next_u64() % n as u64) as usize;
    let recent = if dice.next_u64().is_multiple_of(2) { kept.len().div_ceil(8) } else { kept.len() };
    let mut tape = kept[kept.len() - 1 - below(dice, recent)].clone();
    for _ in 0..=below(dice, 3) {
        let at = below(dice, tape.len().max(1));
        let value = match dice.next_u64() % 4 {
            0 if !constants.is_empty() => constants[below(dice, constants.len())],
            1 => dice.next_u64(),
            _ => dice.next_u64() % 16,
        };
        match dice.next_u64() % 8 {
            // From here on as it comes.
            0 | 1 => tape.truncate(at),
            2 if !tape.is_empty() => {
                tape.remove(at);
            }
            3 => tape.insert(at, value),
            4 => {
                let other = &kept[below(dice, kept.len())];
                let from = below(dice, other.len());
                tape.truncate(at);
                tape.extend(&other[from..]);
                tape.truncate(most);
            }
            _ if !tape.is_empty() => tape[at] = value,
            _ => tape.push(value),
        }
    }
    tape
}

/// How inputs go on: each is the one `period` before it, and so much more. So they are all the same, ascend, descend, or alternate, but for
/// the first ones.
#[derive(Clone, Copy)]
struct Tail {
    /// Fresh inputs before it, a period at least.
    after: usize,
    period: usize,
    step: u64,
}

impl Tail {
    const LONGEST_PERIOD: usize = 3;
    const RULES: [Tail; 5] = [
        Tail { after: 2, period: 1, step: 0 },
        Tail { after: 1, period: 1, step: u64::MAX },
        Tail { after: 1, period: 1, step: 1 },
        Tail { after: 2, period: 2, step: 0 },
        Tail { after: 3, period: 3, step: 0 },
    ];
}

/// Inputs that were given before, then fresh ones.
struct Tape<'a> {
    given: Vec<u64>,
    used: Vec<u64>,
    /// So many are noted down.
    most: usize,
    fresh: Guesses<'a>,
    tail: Option<Tail>,
    /// So many were asked for, and the last of them.
    asked: usize,
    last: [u64; Tail::LONGEST_PERIOD],
}

impl<'a> Tape<'a> {
    fn new(given: Vec<u64>, tail: Option<Tail>, most: usize, fresh: Guesses<'a>) -> Tape<'a> {
        Tape { given, used: Vec::new(), most, fresh, tail, asked: 0, last: [0; Tail::LONGEST_PERIOD] }
    }

    fn word(&mut self, fresh: impl FnOnce(&mut Guesses<'_>) -> u64) -> u64 {
        let word = match (self.given.get(self.asked), self.tail) {
            (Some(word), _) => *word,
            (None, Some(Tail { after, period, step })) if self.asked >= self.given.len() + after => {
                self.last[(self.asked - period) % self.last.len()].wrapping_add(step)
            }
            (None, _) => fresh(&mut self.fresh),
        };
        let place = self.asked % self.last.len();
        self.last[place] = word;
        self.asked += 1;
        if self.used.len() < self.most {
            self.used.push(word);
        }
        word
    }

    fn of_sort(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Bv(width) if width <= 64 => {
                let word = self.word(|fresh| fresh.bits(width) as u64);
                Value::Bv(Bits::new(u128::from(word) & (u128::MAX >> (128 - width)), width))
            }
            other => self.fresh.of_sort(other),
        }
    }
}

impl Inputs for Tape<'_> {
    fn value(&mut self, ask: &Ask<'_>) -> Value {
        self.of_sort(ask.sort)
    }

    fn initial(&mut self, _: Var, sort: Sort) -> Value {
        self.of_sort(sort)
    }

    fn choose(&mut self, count: usize) -> usize {
        let word = self.word(|fresh| fresh.bits(32) as u64);
        (word % count as u64) as usize
    }
}
