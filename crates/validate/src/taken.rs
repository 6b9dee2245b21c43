//! Whether a run takes a part of an address out of memory: bytes of an address that was stored there as a whole, by a load that is no load of
//! that word as a pointer.
//!
//! The memory model asks wherever the analysis of a program cannot exclude it, also where numbers and pointers share a cell that are never at
//! the same place. What a run does there is known: each byte of an address is noted when it is stored, copied or overwritten. A number that
//! looks like an address counts as one.

use crate::now::word;
use cfa::{Edge, Func, Op, Program};
use interpreter::{State, Watcher};
use std::collections::BTreeMap;
use term::Term;

/// Follows a run.
pub(crate) struct Taken<'p> {
    program: &'p Program,
    /// Bytes of memory that are bytes of addresses: by their own address, which word it is and which byte of it.
    bytes: BTreeMap<u64, (u64, u64)>,
    words: u64,
    /// A part was taken, or it cannot be told.
    pub(crate) any: bool,
}

impl<'p> Taken<'p> {
    pub(crate) fn of(program: &'p Program) -> Taken<'p> {
        Taken { program, bytes: BTreeMap::new(), words: 0, any: !can_tell(program) }
    }

    fn clear(&mut self, from: u64, len: u64) {
        let Some(end) = from.checked_add(len) else { return self.any = true };
        let gone: Vec<u64> = self.bytes.range(from..end).map(|(at, _)| *at).collect();
        for at in gone {
            self.bytes.remove(&at);
        }
    }

    fn store(&mut self, at: u64, value: u64, bytes: u32) {
        self.clear(at, bytes.into());
        if value >= self.program.machine.object_limit() {
            self.words += 1;
            self.bytes.extend((0..u64::from(bytes)).map(|i| (at.wrapping_add(i), (self.words, i))));
        }
    }

    fn load(&mut self, at: u64, bytes: u32, is_pointer: bool) {
        let Some(end) = at.checked_add(bytes.into()) else { return self.any = true };
        let mut taken = self.bytes.range(at..end);
        let Some((&first, &(word, 0))) = taken.next() else {
            self.any |= self.bytes.range(at..end).next().is_some();
            return;
        };
        let follow = |i: u64| self.bytes.get(&(at + i)) == Some(&(word, i));
        let is_whole =
            first == at && (0..u64::from(bytes)).all(follow) && bytes == self.program.machine.pointer_bytes();
        self.any |= !is_whole || !is_pointer;
    }

    fn copy(&mut self, to: u64, from: u64, len: u64) {
        let Some(end) = from.checked_add(len) else { return self.any = true };
        let copied: Vec<(u64, (u64, u64))> = self.bytes.range(from..end).map(|(at, byte)| (at - from, *byte)).collect();
        self.clear(to, len);
        self.bytes.extend(copied.into_iter().map(|(offset, byte)| (to.wrapping_add(offset), byte)));
    }
}

impl Watcher for Taken<'_> {
    fn edge(&mut self, state: &State<'_>, func: Func, edge: Edge) {
        if self.any {
            return;
        }
        let program = self.program;
        let now = |t: Term| word(program, state, t);
        match &program.functions[func].edges[edge].op {
            Op::Load { dst, addr, bytes } => {
                let var = &program.vars[*dst];
                match now(*addr) {
                    Some(at) => self.load(at, *bytes, !var.raw && var.sort.bv_width().is_some()),
                    None => self.any = true,
                }
            }
            Op::Store { addr, value, bytes } => {
                // Narrower values, and floats, are no addresses.
                let may_be_address = program.terms.sort(*value) == program.machine.pointer_sort();
                let stored = if may_be_address { now(*value) } else { Some(0) };
                match (now(*addr), stored) {
                    (Some(at), Some(value)) => self.store(at, value, *bytes),
                    _ => self.any = true,
                }
            }
            Op::Copy { dst, src, len } => match (now(*dst), now(*src), now(*len)) {
                (Some(to), Some(from), Some(len)) => self.copy(to, from, len),
                _ => self.any = true,
            },
            Op::Fill { dst, len, .. } => match (now(*dst), now(*len)) {
                (Some(to), Some(len)) => self.clear(to, len),
                _ => self.any = true,
            },
            _ => {}
        }
    }
}

/// Code outside writes what nobody sees.
fn can_tell(program: &Program) -> bool {
    let mut edges = program.functions.values().flat_map(|function| function.edges.values());
    !edges.any(|edge| matches!(edge.op, Op::Disturb { .. } | Op::Escape { .. }))
}
