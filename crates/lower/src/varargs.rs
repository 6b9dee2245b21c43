//! Variable arguments. The caller puts them into a block: a stack object with a slot of 16 bytes for each, the value at
//! the slot's start (of a struct, the address of a copy), its kind at the slot's end. A `va_list` is a pointer to the next slot.
//!
//! A machine passes numbers of different kinds in different registers: an argument that is taken as one of another kind is
//! something else altogether, which is not modelled. In programs that take both pointers and words from their lists, as
//! formatted output does, a pointer that is taken as an integer is not modelled either: a word is no address then.

use cfa::{LocKind, Op};
use cfront::hir::{Expr, ExprKind};
use cfront::types::{FloatKind, Ty, Type};
use term::{Sort, Term};

use crate::call::Arg;
use crate::context::Lowering;
use crate::effects::Effects;
use crate::place::{Memory, Place};

const SLOT: u64 = 16;

/// Where a slot has the kind of its argument. Numbers that fill all of it leave no room for that: they are not taken.
const KIND: u64 = SLOT - 1;

/// The kind of integers.
const NUMBER: u128 = 1;

/// The kind of pointers, where the program takes them from its lists; that of integers otherwise.
const POINTER: u128 = 5;

/// The list of a caller after a function went through it: C leaves it indeterminate. No slot is here.
const SPENT: u64 = 1;

impl Lowering<'_> {
    /// A block with the arguments; null when there are none.
    pub(crate) fn argument_block(&mut self, args: &[Arg<'_>]) -> Term {
        if args.is_empty() {
            return self.word(0);
        }
        let block = self.temp_object(SLOT * args.len() as u64, "$args");
        for (i, arg) in args.iter().enumerate() {
            let addr = self.address(&block.clone().plus((i as u64 * SLOT).into()));
            let bytes = match self.sort(arg.ty) {
                Some(_) => self.storage(arg.ty),
                None => self.program.machine.word_bytes(),
            };
            self.emit(Op::Store { addr, value: arg.term, bytes });
        }
        block.base
    }

    /// The same for a function that takes them one by one: it asks what they are.
    pub(crate) fn block_of_kinds(&mut self, args: &[Arg<'_>]) -> Term {
        let block = self.argument_block(args);
        for (i, arg) in args.iter().enumerate() {
            if let Some(kind) = self.kind(arg.ty) {
                let addr = self.address(&Memory::at(block).plus((i as u64 * SLOT + KIND).into()));
                let value = self.terms().bv(kind, 8);
                self.emit(Op::Store { addr, value, bytes: 1 });
            }
        }
        block
    }

    /// A number for the kind of arguments of a type: how a machine passes them.
    fn kind(&self, ty: Ty) -> Option<u128> {
        match self.sort(ty) {
            Some(_) if self.lists_tell_pointers && self.unit.types.is_pointer(ty) => Some(POINTER),
            Some(Sort::Bv(width)) => (width <= 64).then_some(NUMBER),
            Some(_) if self.storage(ty) <= 8 => Some(2),
            Some(_) => (!matches!(self.unit.types[ty], Type::Float(FloatKind::Float128))).then_some(3),
            None => Some(4),
        }
    }

    /// The argument in the slot must be of the kind that it is taken as.
    fn require_kind(&mut self, slot: Term, ty: Ty) {
        let Some(kind) = self.kind(ty) else {
            return self.unsupported(format!("va_arg of type {}", self.unit.types.show(ty)));
        };
        let distance = self.word(KIND);
        let addr = self.terms().add(slot, distance);
        let dst = self.temp(Sort::Bv(8));
        self.emit(Op::Load { dst, addr, bytes: 1 });
        // A null pointer may have been given as 0, and library functions print addresses as numbers.
        let both = kind == POINTER || kind == NUMBER && self.fun.library_checked.is_some();
        let kinds = if both { vec![NUMBER, POINTER] } else { vec![kind] };
        let found = self.term(dst);
        let terms = self.terms();
        let alike: Vec<Term> = kinds
            .into_iter()
            .map(|kind| {
                let kind = terms.bv(kind, 8);
                terms.eq(found, kind)
            })
            .collect();
        let is_kind = terms.or_all(&alike);
        self.require(is_kind, LocKind::Unsupported("an argument that va_arg takes as one of another kind".into()));
    }

    pub(crate) fn va_start(&mut self, list: &Expr) {
        let Some(block) = self.fun.varargs else {
            self.unsupported("va_start in a function without variable arguments");
            return;
        };
        let place = self.place(list);
        let block = self.term(block);
        self.write(&place, block, list.ty, list);
    }

    /// After a call: lists that it was given are not to be used again before `va_end`.
    pub(crate) fn spend_lists(&mut self, args: &[Arg<'_>]) {
        for arg in args.iter().filter(|arg| matches!(self.unit.types[arg.ty], Type::VaList)) {
            let ExprKind::Load(list) = &arg.expr.kind else { continue };
            if Effects::of(list).none() {
                let (place, spent) = (self.place(list), self.word(SPENT));
                self.write_back(&place, spent, list.ty);
            }
        }
    }

    /// Takes the address of the next slot and moves the list on.
    fn next_slot(&mut self, list: &Expr) -> Term {
        let place = self.place(list);
        let mut slot = self.read(&place, list.ty, list);
        let spent = self.word(SPENT);
        let is_list = self.terms().ult(spent, slot);
        let what = "an argument of a list that has no more, or that a function was given before";
        self.require(is_list, LocKind::Unsupported(what.into()));
        if matches!(place, Place::Scalar(_)) {
            slot = self.snapshot(slot);
        }
        if self.fun.library_checked.is_none() && !self.checks_memory(list.span) {
            let is_there = self.access_is_valid(&Memory::at(slot), SLOT);
            self.require(is_there, LocKind::Unsupported(what.into()));
        }
        let step = self.word(SLOT);
        let next = self.terms().add(slot, step);
        self.write_back(&place, next, list.ty);
        slot
    }

    /// The next argument, a scalar of type `ty`.
    pub(crate) fn va_arg(&mut self, list: &Expr, ty: Ty, e: &Expr) -> Term {
        let slot = self.next_slot(list);
        self.require_kind(slot, ty);
        self.read(&Place::Memory(Memory::at(slot)), ty, e)
    }

    /// The address in the next slot: where a struct argument is.
    pub(crate) fn va_slot(&mut self, list: &Expr, e: &Expr) -> Term {
        let slot = self.next_slot(list);
        self.require_kind(slot, e.ty);
        let memory = Memory::at(slot);
        let bytes = self.program.machine.word_bytes();
        self.check_access(&memory, bytes.into(), e);
        let dst = self.temp(self.program.machine.pointer_sort());
        self.emit(Op::Load { dst, addr: slot, bytes });
        self.term(dst)
    }
}
