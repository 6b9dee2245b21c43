//! Small inlined programs, built edge by edge.

use base::{Id, Sources, Span};
use cfa::{Func, Function, Loc, LocKind, ObjectKind, Op, Origin, Program, Var, VarKind};
use term::{Sort, Term};

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
