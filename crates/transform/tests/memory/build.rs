//! Small inlined programs, built edge by edge, and the comparison of a program with its flat form by execution.

use base::{Id, Sources, Span};
use cfa::interp::{Ask, Inputs, Limits, Machine, Outcome, State, Watch, Watcher};
use cfa::{Edge, Func, Function, Loc, LocKind, ObjectKind, Op, Origin, Program, Var, VarKind};
use std::cell::RefCell;
use std::rc::Rc;
use term::{Bits, Sort, Term, Value};

pub(crate) struct Build {
    pub(crate) p: Program,
    f: Function,
    pub(crate) at: Loc,
    inputs: usize,
}

impl Build {
    pub(crate) fn new(model: cfa::DataModel) -> Build {
        let mut p = Program::new(cfa::Machine::new(model), Sources::new());
        p.entry = Func::new(0);
        let f = Function::new("main", Span::nowhere());
        Build { at: f.entry, p, f, inputs: 0 }
    }

    pub(crate) fn var(&mut self, name: &str, sort: Sort) -> Var {
        self.p.add_var(name, sort, VarKind::Local(Func::new(0)), None)
    }

    pub(crate) fn int(&mut self, name: &str) -> Var {
        self.var(name, Sort::Bv(32))
    }

    pub(crate) fn pointer(&mut self, name: &str) -> Var {
        self.var(name, self.p.machine.pointer_sort())
    }

    pub(crate) fn word(&mut self, n: i64) -> Term {
        let bits = self.p.machine.pointer_bits();
        self.p.terms.bv_signed(n.into(), bits)
    }

    pub(crate) fn emit(&mut self, op: Op) {
        let to = self.f.add_loc(Span::nowhere());
        self.edge_to(to, op);
        self.at = to;
    }

    pub(crate) fn edge_to(&mut self, to: Loc, op: Op) {
        self.f.add_edge(self.at, to, op, Span::nowhere());
    }

    pub(crate) fn loc(&mut self) -> Loc {
        self.f.add_loc(Span::nowhere())
    }

    pub(crate) fn set(&mut self, v: Var, t: Term) {
        self.emit(Op::Assign(vec![(v, t)]));
    }

    /// A fresh input in `v`.
    pub(crate) fn input(&mut self, v: Var) {
        self.inputs += 1;
        self.emit(Op::Havoc { vars: vec![v], origin: Origin::Input("nondet".into()) });
    }

    pub(crate) fn alloc(&mut self, name: &str, size: i64, kind: ObjectKind) -> Var {
        let dst = self.pointer(&format!("&{name}"));
        self.alloc_to(dst, name, size, kind);
        dst
    }

    pub(crate) fn alloc_to(&mut self, dst: Var, name: &str, size: i64, kind: ObjectKind) {
        let size = self.word(size);
        self.emit(Op::Alloc { dst, size, kind, name: name.to_owned() });
    }

    /// `base + bytes`
    pub(crate) fn at_offset(&mut self, base: Var, bytes: i64) -> Term {
        let bytes = self.word(bytes);
        let base = self.p.term(base);
        self.p.terms.add(base, bytes)
    }

    /// `base + scale * index + bytes`; the index is a 32-bit variable.
    pub(crate) fn indexed(&mut self, base: Term, index: Term, scale: i64, bytes: i64) -> Term {
        let width = self.p.machine.pointer_bits();
        let index = self.p.terms.resize(index, width, true);
        let (scale, bytes) = (self.word(scale), self.word(bytes));
        let product = self.p.terms.mul(index, scale);
        let sum = self.p.terms.add(product, bytes);
        self.p.terms.add(base, sum)
    }

    pub(crate) fn load(&mut self, dst: Var, addr: Term) {
        let bytes = match self.p.vars[dst].sort {
            Sort::Bv(width) => width / 8,
            Sort::Float(format) => format.width() / 8,
            other => panic!("cannot load {other:?}"),
        };
        self.emit(Op::Load { dst, addr, bytes });
    }

    pub(crate) fn store(&mut self, addr: Term, value: Term) {
        let bytes = match self.p.terms.sort(value) {
            Sort::Bv(width) => width / 8,
            Sort::Float(format) => format.width() / 8,
            other => panic!("cannot store {other:?}"),
        };
        self.emit(Op::Store { addr, value, bytes });
    }

    pub(crate) fn finish(mut self) -> Program {
        let (at, exit) = (self.at, self.f.exit);
        let step = Op::Assume(self.p.terms.tt());
        self.f.add_edge(at, exit, step, Span::nowhere());
        self.f.locs[exit].kind = LocKind::End(cfa::EndKind::Return);
        self.p.functions.push(self.f);
        self.p
    }
}

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
            *self.bits.borrow_mut() = Some(Value::Bv(value.as_float().expect("a float").to_bits()));
        }
        self.end = self.vars.iter().map(|v| state.value(*v)).collect();
    }
}

/// Runs a program on the inputs of a seed: its outcome, and what the variables hold before the last edge.
pub(crate) fn run(program: &Program, seed: u64, vars: &[Var]) -> (Outcome, Vec<Option<Value>>) {
    let bits = Rc::new(RefCell::new(None));
    let machine = Machine::watching(program, &Watch { edges: true, ..Watch::default() }).expect("it can be run");
    let mut inputs = Values { rng: Rng(seed), bits: bits.clone() };
    let mut look = Look { program, bits, vars: vars.to_vec(), end: Vec::new() };
    let outcome = machine.run_with(&mut inputs, &Limits::steps(100_000), &mut std::io::sink(), Some(&mut look));
    (outcome, look.end)
}

/// Runs both forms on the same inputs and compares how they end and what the original's variables hold, unless the
/// original does something undefined. Says whether there was something to compare.
pub(crate) fn same_runs(original: &Program, flat: &Program, seed: u64, vars: &[Var]) -> bool {
    let (expected, values) = run(original, seed, vars);
    if !expected.undefined.is_empty() {
        return false;
    }
    let (actual, flat_values) = run(flat, seed, vars);
    let show = || format!("seed {seed}\n{}\n=====\n{}", cfa::print(original), cfa::print(flat));
    assert_eq!(expected.ending, actual.ending, "{}", show());
    for ((v, a), b) in vars.iter().zip(&values).zip(&flat_values) {
        assert_eq!(a, b, "{} differs, {}", original.name(*v), show());
    }
    true
}

pub(crate) fn flatten(original: &Program) -> Program {
    cfa::assert_sound(original, cfa::Form::Function);
    let flat = transform::memory::flatten_memory(original, &transform::memory::Settings::default());
    cfa::assert_sound(&flat, cfa::Form::Flat);
    flat
}
