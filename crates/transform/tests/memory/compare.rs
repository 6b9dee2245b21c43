//! A program and its flat form, run on the same inputs.

use cfa::{Edge, Func, Loc, LocKind, Op, Origin, Program, Var};
use interpreter::{Ask, Inputs, Limits, Machine, Outcome, State, Watch, Watcher};
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::rc::Rc;
use term::{Bits, Sort, Term, Value};

/// A small generator of random numbers: the same on every machine.
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    pub(crate) fn chance(&mut self, one_in: u64) -> bool {
        self.below(one_in) == 0
    }
}

/// Inputs from a seed; all else is zero, except bits that the next assumption fixes.
struct Values {
    rng: Rng,
    bits: Rc<RefCell<Option<Value>>>,
}

impl Inputs for Values {
    fn value(&mut self, ask: &Ask<'_>) -> Value {
        match ask.origin {
            Origin::Input(_) | Origin::Extern(_) => match ask.sort {
                Sort::Bv(width) => {
                    let n = self.rng.next();
                    let n = if self.rng.chance(2) { n & 7 } else { n };
                    Value::Bv(Bits::new(n.into(), width))
                }
                sort => Value::zero(sort),
            },
            _ => self.bits.borrow_mut().take().unwrap_or_else(|| Value::zero(ask.sort)),
        }
    }
}

/// Finds the bits of a float that is about to be stored as bits, and the values at the end.
struct Look<'p> {
    program: &'p Program,
    bits: Rc<RefCell<Option<Value>>>,
    vars: Vec<Var>,
    end: Vec<Option<Value>>,
    /// The bits of a NaN were stored: any of those that there are.
    stored_nan: bool,
}

impl Watcher for Look<'_> {
    fn edge(&mut self, state: &State<'_>, func: Func, edge: Edge) {
        let function = &self.program.functions[func];
        let edge = &function.edges[edge];
        if let Op::Havoc { vars, origin: Origin::Internal } = &edge.op
            && let [var] = vars[..]
            && self.program.name(var).starts_with("$bits")
        {
            let assume = function.edges.values().find(|e| e.from == edge.to).expect("an assumption follows");
            let Op::Assume(same) = assume.op else { panic!("an assumption follows") };
            let terms = &self.program.terms;
            let own = self.program.term(var);
            let value = terms
                .args(same)
                .iter()
                .copied()
                .find(|t| terms.op(*t) != term::Op::FpFromBits(terms.format(*t)) || terms.arg(*t, 0) != own);
            let value = value.expect("compared with a value");
            let known: std::collections::BTreeMap<Term, Value> = term::free_vars(terms, &[value])
                .into_iter()
                .filter_map(|t| Some((t, state.value(self.program.var_of(t)?)?)))
                .collect();
            let value = term::eval(terms, value, &known).expect("it has a value");
            let float = value.as_float().expect("a float");
            self.stored_nan |= float.is_nan();
            *self.bits.borrow_mut() = Some(Value::Bv(float.to_bits()));
        }
    }

    fn location(&mut self, state: &State<'_>, _: Func, _: Loc) -> ControlFlow<()> {
        self.end = self.vars.iter().map(|v| state.value(*v)).collect();
        ControlFlow::Continue(())
    }
}

/// Runs a program on the inputs of a seed: its outcome, and what the variables hold at the end.
pub(crate) fn run(program: &Program, seed: u64, vars: &[Var], steps: u64) -> (Outcome, Vec<Option<Value>>) {
    let (outcome, look) = observed(program, seed, vars, steps);
    (outcome, look.end)
}

fn observed<'p>(program: &'p Program, seed: u64, vars: &[Var], steps: u64) -> (Outcome, Look<'p>) {
    let bits = Rc::new(RefCell::new(None));
    let ends = program.main().locs.iter().filter(|(_, l)| l.kind != LocKind::Plain).map(|(l, _)| (program.entry, l));
    let edges = program.vars.ids().any(|v| program.name(v).starts_with("$bits"));
    let watch = Watch { edges, locations: ends.collect() };
    let machine = Machine::watching(program, &watch).expect("it can be run");
    let mut inputs = Values { rng: Rng(seed), bits: bits.clone() };
    let mut look = Look { program, bits, vars: vars.to_vec(), end: Vec::new(), stored_nan: false };
    let outcome = machine.run_with(&mut inputs, &Limits::steps(steps), &mut std::io::sink(), Some(&mut look));
    (outcome, look)
}

/// Runs both forms on the same inputs and compares how they end and what the original's variables hold. `Ok(false)`: the
/// original does something undefined, or does not end in so many steps.
pub(crate) fn compare(original: &Program, flat: &Program, seed: u64, vars: &[Var], steps: u64) -> Result<bool, String> {
    let (expected, values) = run(original, seed, vars, steps);
    if !expected.undefined.is_empty() || matches!(expected.ending, interpreter::Ending::Limit(_)) {
        return Ok(false);
    }
    let (actual, look) = observed(flat, seed, vars, 50 * steps);
    if look.stored_nan {
        return Ok(false);
    }
    let flat_values = look.end;
    // Where objects lie is not settled in the flat form: a run of the original lays them in one of many ways.
    // Nor may an index leave its array there, though it stays in the object, or wrap around.
    const GIVEN_UP: [&str; 3] = ["where objects lie", "leads out of its array", "wraps around"];
    let is_given_up = |what: &str| GIVEN_UP.iter().any(|reason| what.contains(reason));
    if matches!(&actual.ending, interpreter::Ending::Unsupported(what) if is_given_up(what)) {
        return Ok(false);
    }
    if expected.ending != actual.ending {
        return Err(format!("ends at {:?}, flat at {:?}", expected.ending, actual.ending));
    }
    for ((v, a), b) in vars.iter().zip(&values).zip(&flat_values) {
        if a != b {
            return Err(format!("{} is {a:?}, flat {b:?}", original.name(*v)));
        }
    }
    Ok(true)
}

/// Runs a flat program and the one whose object numbers do not run out, and compares how they end and what variables hold that
/// are no pointers. `Ok(false)`: the latter has given up on a pointer that leaves its object.
pub(crate) fn compare_unbounded(flat: &Program, unbounded: &Program, seed: u64, vars: &[Var]) -> Result<bool, String> {
    cfa::assert_sound(unbounded, cfa::Form::Flat);
    let (expected, values) = run(flat, seed, vars, 5_000_000);
    let (actual, other_values) = run(unbounded, seed, vars, 10_000_000);
    if matches!(&actual.ending, interpreter::Ending::BoundHit(what) if what.contains("moves out of its object")) {
        return Ok(false);
    }
    if expected.ending != actual.ending {
        return Err(format!("ends at {:?}, without bound at {:?}", expected.ending, actual.ending));
    }
    for ((v, a), b) in vars.iter().zip(&values).zip(&other_values) {
        if a != b && flat.vars[*v].sort == unbounded.vars[*v].sort {
            return Err(format!("{} is {a:?}, without bound {b:?}", flat.name(*v)));
        }
    }
    Ok(true)
}

pub(crate) fn flatten(original: &Program) -> Program {
    cfa::assert_sound(original, cfa::Form::Function);
    let flat = transform::memory::flatten_memory(original, &transform::memory::Settings::default());
    cfa::assert_sound(&flat, cfa::Form::Flat);
    flat
}
