//! Before any engine: a few executions, with zeros and with random inputs.

use cfa::interp::{Ask, Ending, Inputs, Limits, Machine, Outcome, Random, Zero};
use cfa::{ObjectKind, Op, Origin, Program, Var, Violation};
use std::time::{Duration, Instant};
use term::{Sort, Value};

/// So many executions at most, of so many edges together: a moment, and always the same ones.
const EXECUTIONS: u64 = 150;
const STEPS: u64 = 150_000;
/// In case that edges are slow.
const EXECUTE_FOR: Duration = Duration::from_millis(20);
/// So long a program that asks for nothing may run: it has one execution, and that is the answer.
const ONLY_EXECUTION: Duration = Duration::from_secs(2);
/// One execution is short, so that a loop that never ends does not use up all of it.
const STEPS_OF_ONE: u64 = 20_000;

/// What executions showed.
pub(crate) enum Seen {
    Violation(Violation, Outcome),
    /// The program has one execution, which ends like this.
    OnlyExecution(Outcome),
}

/// A short execution that violates a property, if one turns up, or the only one if there is only one.
pub(crate) fn look(program: &Program) -> Option<Seen> {
    let machine = Machine::new(program).ok()?;
    let deadline = Instant::now() + EXECUTE_FOR;
    let mut left = STEPS;
    for seed in 0..EXECUTIONS {
        if left == 0 || Instant::now() >= deadline {
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
                if let (Ending::Error(violation), true) = (outcome.ending.clone(), is_believable(program, &outcome)) {
                    return Some(Seen::Violation(violation, outcome));
                }
            }
            _ if !asked => return only_execution(program, &machine),
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

/// What became of the first run, which asked for nothing so far, in the end.
fn only_execution(program: &Program, machine: &Machine<'_>) -> Option<Seen> {
    let limits = Limits { deadline: Some(Instant::now() + ONLY_EXECUTION), ..Limits::default() };
    let (outcome, asked) = execute(machine, 0, &limits);
    match outcome.ending.clone() {
        Ending::Error(violation) if is_believable(program, &outcome) => Some(Seen::Violation(violation, outcome)),
        Ending::End(_) if !asked && outcome.undefined.is_empty() && !uses_memory(program) => {
            Some(Seen::OnlyExecution(outcome))
        }
        _ => None,
    }
}

/// Whether there is anything that a run of the interpreter decides one way and another implementation might decide
/// otherwise: addresses, and what memory holds at first.
fn uses_memory(program: &Program) -> bool {
    let edges = program.functions.values().flat_map(|function| function.edges.values());
    edges.into_iter().any(|edge| {
        !matches!(
            edge.op,
            Op::Assume(_)
                | Op::Assign(_)
                | Op::Havoc { .. }
                | Op::Call { .. }
                | Op::Alloc { kind: ObjectKind::Static | ObjectKind::Function, .. }
        )
    })
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

/// A run that left defined behaviour before its error, or that used values that only approximate what a library function
/// or an instruction computes, proves nothing.
fn is_believable(program: &Program, outcome: &Outcome) -> bool {
    let approximated = outcome.inputs.iter().any(|recorded| {
        let op = &program.functions[recorded.func].edges[recorded.edge].op;
        matches!(op, Op::Havoc { origin: Origin::Extern(name), .. } if lower::library::is_approximated(name))
    });
    outcome.undefined.is_empty() && !approximated
}
