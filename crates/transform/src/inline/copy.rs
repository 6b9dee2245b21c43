//! Copies of a function's locals, and of its operations over them.
//!
//! The first copy of a function keeps the function's own variables: names stay short where there is only one.

use super::Origins;
use crate::edit::{map_terms, map_written};
use base::{Id, Table};
use cfa::{Frame, Func, Op, Program, Var};
use rustc_hash::FxHashMap;
use term::Substitution;

pub(super) struct Copier {
    /// Copies made of each function.
    copies: Table<Func, u32>,
    vars: FxHashMap<Var, Var>,
    terms: Substitution,
}

impl Copier {
    pub(super) fn new(functions: usize) -> Copier {
        Copier { copies: Table::filled(0, functions), vars: FxHashMap::default(), terms: Substitution::new() }
    }

    /// Begins a copy: `locals` are the variables that need one.
    pub(super) fn start(
        &mut self,
        program: &mut Program,
        function: Func,
        frame: Frame,
        locals: &[Var],
        origins: &mut Origins,
    ) {
        self.copies[function] += 1;
        let number = self.copies[function];
        self.vars.clear();
        self.terms = Substitution::new();
        for v in locals {
            if number == 1 {
                if let Some(source) = &mut program.vars[*v].source {
                    source.frame = frame;
                }
                continue;
            }
            let info = program.vars[*v].clone();
            let name = format!("{}#{number}", program.name(*v));
            let source = info.source.map(|s| cfa::SourceVar { frame, ..s });
            let copy = program.add_var(&name, info.sort, info.kind, source);
            (program.vars[copy].raw, program.vars[copy].pointer) = (info.raw, info.pointer);
            origins.vars.insert(copy, *v);
            self.vars.insert(*v, copy);
            let (from, to) = (program.term(*v), program.term(copy));
            self.terms.insert(&program.terms, from, to);
        }
    }

    pub(super) fn var(&self, v: Var) -> Var {
        self.vars.get(&v).copied().unwrap_or(v)
    }

    pub(super) fn op(&mut self, program: &mut Program, op: &Op) -> Op {
        let mut op = op.clone();
        if self.vars.is_empty() {
            return op;
        }
        map_terms(&mut op, |t| self.terms.apply(&mut program.terms, t));
        map_written(&mut op, |v| self.var(v));
        debug_assert!(op.written().iter().all(|v| v.index() < program.vars.len()));
        op
    }
}
