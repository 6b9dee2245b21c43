//! Executions as evidence: one that violates a property, and the only one of a program that asks for nothing.

use crate::answer::{Check, Checked, DeepRun, Run, Violated};
use cfa::{LocKind, ObjectKind, Op, Program, Property, Var};
use interpreter::{Ask, Ending, InOrder, Inputs, Limits, Machine, Outcome, Zero};
use rustc_hash::FxHashSet;
use term::{Sort, Term, Value};

/// The only execution that a program has, which ends without an error.
#[derive(Clone, Debug)]
pub struct OnlyExecution {
    pub outcome: Outcome,
}

/// Runs an execution that somebody has seen once more, by its recorded inputs. Nothing if it violates no property, or only
/// after undefined behaviour.
pub fn violating(program: &Program, seen: &Outcome) -> Option<Checked<Violated>> {
    let machine = Machine::new(program).ok()?;
    let outcome = machine.run(&mut InOrder::replay(seen), &Limits::steps(seen.steps + 1).repeating(seen));
    match outcome.ending.clone() {
        Ending::Error(violation) if outcome.undefined.is_empty() => {
            Some(Checked::new(Violated::Run(Run { violation, outcome, danger: None }), Check::Interpreted))
        }
        _ => None,
    }
}

/// The only execution, if the program has just one and it ends within the limits, well defined and without an error. A
/// program that looks at memory has none in this sense: what addresses are and what memory holds at first is not settled by
/// a run of the interpreter. Otherwise, what became of the run, where it was made.
pub fn only(program: &Program, limits: &Limits) -> Result<Checked<OnlyExecution>, Option<Box<Outcome>>> {
    if uses_memory(program) {
        return Err(None);
    }
    let Ok(machine) = Machine::new(program) else { return Err(None) };
    let mut inputs = Noticing { asked: false };
    let outcome = machine.run(&mut inputs, limits);
    let is_settled = matches!(outcome.ending, Ending::End(_)) && !inputs.asked && outcome.undefined.is_empty();
    match is_settled {
        true => Ok(Checked::new(OnlyExecution { outcome }, Check::Interpreted)),
        false => Err(Some(Box::new(outcome))),
    }
}

/// The only execution of a program without inputs as a run that nobody has made, and that should come to its only error:
/// the compiled program shows whether it does.
pub fn unseen(program: &Program) -> Option<DeepRun> {
    let edges = || program.functions.values().flat_map(|function| function.edges.values());
    if uses_memory(program) || edges().any(|edge| matches!(edge.op, Op::Havoc { .. })) {
        return None;
    }
    let locs =
        || program.functions.iter().flat_map(|(func, f)| f.locs.iter().map(move |(loc, l)| ((func, loc), &l.kind)));
    // What the compiled program does there, and behind it, is nobody's word for anything (`__builtin_unreachable()` falls into
    // whatever comes next).
    if locs().any(|(_, kind)| matches!(kind, LocKind::Unsupported(_))) {
        return None;
    }
    let mut errors = locs().filter_map(|(place, kind)| match kind {
        LocKind::Error(violation) => Some((place, violation.clone())),
        _ => None,
    });
    let (location, violation) = errors.next().filter(|_| errors.next().is_none())?;
    if !matches!(violation.property, Property::UnreachCall | Property::Assert) {
        return None;
    }
    let outcome = Outcome::unseen(Ending::Error(violation.clone()), location);
    Some(DeepRun::new(Run { violation, outcome, danger: None }))
}

/// Whether there is anything that a run of the interpreter decides one way and another implementation might decide
/// otherwise: addresses, and what memory holds at first. Functions may be called by their addresses and told apart, nothing
/// more.
fn uses_memory(program: &Program) -> bool {
    let edges = || program.functions.values().flat_map(|function| function.edges.values());
    let mut fixed: FxHashSet<Var> = FxHashSet::default();
    let mut has_functions = false;
    for edge in edges() {
        match &edge.op {
            Op::Assume(_) | Op::Assign(_) | Op::Havoc { .. } | Op::Call { .. } => {}
            Op::Alloc { kind: ObjectKind::Static | ObjectKind::Literal, .. } => fixed.extend(edge.op.written()),
            Op::Alloc { kind: ObjectKind::Function | ObjectKind::Callback, .. } => has_functions = true,
            _ => return true,
        }
    }
    let is_pointer = |t: Term| program.terms.sort(t) == program.machine.pointer_sort();
    let roots: Vec<Term> = edges().flat_map(|edge| edge.op.terms()).collect();
    term::postorder(&program.terms, &roots).into_iter().any(|t| match program.terms.op(t) {
        term::Op::Var(_) => program.var_of(t).is_some_and(|v| fixed.contains(&v)),
        term::Op::Eq | term::Op::Ite | term::Op::BvConst(_) => false,
        _ => has_functions && (is_pointer(t) || program.terms.args(t).iter().any(|a| is_pointer(*a))),
    })
}

/// Zeros, noticing whether anything was asked for.
struct Noticing {
    asked: bool,
}

impl Inputs for Noticing {
    fn value(&mut self, ask: &Ask<'_>) -> Value {
        self.asked = true;
        Zero.value(ask)
    }

    fn initial(&mut self, var: Var, sort: Sort) -> Value {
        self.asked = true;
        Zero.initial(var, sort)
    }

    fn contents(&mut self, ask: &Ask<'_>, bytes: &mut [u8]) -> bool {
        self.asked = true;
        Zero.contents(ask, bytes)
    }

    fn choose(&mut self, count: usize) -> usize {
        self.asked = true;
        Zero.choose(count)
    }
}
