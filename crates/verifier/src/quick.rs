//! Before any engine: a few executions, with zeros and with random inputs.

use crate::decide::{About, Reason};
use crate::limits::quick::{
    CHECKING, COMPILED, DEFINED, EXECUTE_FOR, EXECUTIONS, JUMPING, ONLY_AT_FIRST, ONLY_EXECUTION, STEPS, STEPS_OF_ONE,
};
use crate::outcome::Decision;
use base::cpu::Deadline;
use cfa::{Op, Origin, Program, Var, has_usual_way};
use engine::Why;
use flow::{Graph, Loops};
use interpreter::{Ask, Ending, Given, Inputs, Limits, Machine, Outcome, Random, Zero};
use portfolio::{Plan, Strategy};
use report::Verdict;
use std::time::Duration;
use term::{Sort, Value};
use validate::execution;
use validate::judge::danger::may_be_undefined;
use validate::{Answer, Checked, Pending, Violated};

/// Who comes to what is behind loops without going through them, asked in between: a proof that it is reached needs no run.
const JUMPERS: [&str; 2] = [portfolio::NEEDS_NO_RUN, "accel"];

/// What a moment of executions decides, if it does.
pub(crate) fn look(about: &About<'_>) -> Option<Decision> {
    match executions(about.program)? {
        Seen::Violation(checked) => Some(about.violated(checked)),
        Seen::NothingAsked => only_execution(about),
    }
}

/// What becomes in the end of a program that asked for nothing so far. Where that takes long, whoever jumps over loops may
/// tell sooner.
fn only_execution(about: &About<'_>) -> Option<Decision> {
    // What the prepared program does without a loop, engines see sooner than a long run does.
    let has_loops = !Loops::of(&Graph::of(about.prepared.program.main())).is_empty();
    run_to_end(about, ONLY_AT_FIRST)
        .or_else(|| has_loops.then(|| prove_where_defined(about)).flatten())
        .or_else(|| JUMPERS.into_iter().find_map(|engine| jump(about, engine)))
        .or_else(|| has_loops.then(|| run_compiled(about)).flatten())
        .or_else(|| has_loops.then(|| run_to_end(about, ONLY_EXECUTION)).flatten())
}

fn run_to_end(about: &About<'_>, time: Duration) -> Option<Decision> {
    let limits = || Limits { deadline: Some(Deadline::after(time)), ..Limits::default() };
    let outcome = match execution::only(about.program, &limits()) {
        Ok(only) => {
            return Some(match about.silent_replays().only_execution(&only) {
                Ok(native) => about.proved(Verdict::executed(&only, &native), Reason::Executed),
                Err(why) => about.unknown(&why),
            });
        }
        Err(Some(outcome)) => *outcome,
        Err(None) => execute(&Machine::new(about.program).ok()?, 0, &limits()).0,
    };
    let is_error = matches!(outcome.ending, Ending::Error(_));
    is_error.then(|| believed(about.program, &outcome)).flatten().map(|checked| about.violated(checked))
}

/// Where the compiled program comes to, which is some ten times as fast: an error that it shows is one, its end proves nothing.
fn run_compiled(about: &About<'_>) -> Option<Decision> {
    let (checked, native) = about.silent_replays().tried(execution::unseen(about.program)?, COMPILED)?;
    Some(about.seen(&checked, native))
}

/// A proof that an error is reached holds only where every access on the way is defined: where there are accesses, the program is asked about at once
/// that ends at the others. What is proved of the program as it is would have to be proved of that one, too.
fn prove_where_defined(about: &About<'_>) -> Option<Decision> {
    let is_asked = about.request.plan.strategy.asks(portfolio::NEEDS_NO_RUN, &about.prepared.program);
    let is_open = is_asked && about.may_ask_where_defined() && may_be_undefined(about.program, &about.prepared.program);
    is_open.then(|| about.where_defined_within(Some(about.session.used() + DEFINED))).flatten()
}

/// What the engine says in a moment, if it is one of those that are asked.
fn jump(about: &About<'_>, engine: &str) -> Option<Decision> {
    let About { program, prepared, request, session, .. } = about;
    let is_asked = request.plan.strategy.asks(engine, &prepared.program);
    let strategy = Strategy::named(engine).ok().filter(|_| is_asked)?;
    let plan = Plan {
        strategy,
        until_defined: about.may_ask_where_defined(),
        more_for_checks: CHECKING,
        ..request.plan.clone()
    };
    let budget = session.budget(about.time).slice(JUMPING);
    match session.ask(program, prepared, &plan, &budget, " at first").answer {
        answer @ (Answer::True(_) | Answer::False(_) | Answer::Pending(Pending::Run(_))) => {
            Some(about.concluded(answer))
        }
        Answer::Unknown(Why::MayBeUndefined) if plan.until_defined => about.where_defined(),
        _ => None,
    }
}

/// An execution that violates a property and rests on nothing that is only guessed.
fn believed(program: &Program, outcome: &Outcome) -> Option<Checked<Violated>> {
    if is_guessed(program, outcome) { None } else { execution::violating(program, outcome) }
}

/// What executions showed.
enum Seen {
    Violation(Checked<Violated>),
    /// The first one asked for nothing, as far as it was run: perhaps there is no other.
    NothingAsked,
}

fn executions(program: &Program) -> Option<Seen> {
    let machine = Machine::new(program).ok()?;
    let deadline = Deadline::after(EXECUTE_FOR);
    let mut left = STEPS;
    for seed in 0..EXECUTIONS {
        if left == 0 || deadline.is_over() {
            break;
        }
        let short = Limits { steps: left.min(STEPS_OF_ONE), ..Limits::default() };
        let (outcome, asked) =
            execute(&machine, seed, &Limits { deadline: Some(deadline), record: false, ..short.clone() });
        left = left.saturating_sub(outcome.steps);
        match outcome.ending {
            Ending::Error(_) => {
                // Once more, for the inputs: recording all runs would cost too much.
                let (outcome, _) = execute(&machine, seed, &short);
                if let Some(checked) = believed(program, &outcome) {
                    return Some(Seen::Violation(checked));
                }
            }
            _ if !asked => return Some(Seen::NothingAsked),
            _ => {}
        }
    }
    None
}

/// A run, and whether it asked for anything. The first one gets zeros.
fn execute(machine: &Machine<'_>, seed: u64, limits: &Limits) -> (Outcome, bool) {
    let inner: Box<dyn Inputs> = if seed == 0 { Box::new(Zero) } else { Box::new(Random::new(seed)) };
    let mut inputs = Asked { inner, asked: false };
    let outcome = machine.run(&mut inputs, limits);
    (outcome, inputs.asked)
}

/// Inputs that note whether anything was asked for.
struct Asked {
    inner: Box<dyn Inputs>,
    asked: bool,
}

impl Inputs for Asked {
    fn value(&mut self, ask: &Ask<'_>) -> Value {
        self.asked = true;
        self.inner.value(ask)
    }

    fn initial(&mut self, var: Var, sort: Sort) -> Value {
        self.asked = true;
        self.inner.initial(var, sort)
    }

    fn contents(&mut self, ask: &Ask<'_>, bytes: &mut [u8]) -> bool {
        self.asked = true;
        self.inner.contents(ask, bytes)
    }

    fn choose(&mut self, count: usize) -> usize {
        self.asked = true;
        self.inner.choose(count)
    }
}

/// A run that used values that only approximate what a library function or an instruction computes proves nothing.
fn is_guessed(program: &Program, outcome: &Outcome) -> bool {
    outcome.inputs.iter().any(|recorded| {
        let op = &program.functions[recorded.func].edges[recorded.edge].op;
        let Op::Havoc { origin: Origin::Extern(name), .. } = op else { return false };
        // What is open in the library goes the usual way here; engines tell whether it has to go another one.
        let is_unusual = has_usual_way(name) && !matches!(recorded.given, Given::Value(Value::Bool(false)));
        is_unusual || lower::library::is_approximated(name)
    })
}
