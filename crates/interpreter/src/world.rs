//! What code outside of the program knows during a run: the objects whose addresses got out, and all that can be reached
//! through their memory. It changes only these, and pointers that it gives point to these (or to memory of its own).

use super::exec::Run;
use super::inputs::{Ask, Change, Given, Owner, Site};
use super::memory::Memory;
use super::pointers::{Stored, addresses};
use base::Table;
use cfa::{Birth, Op, Origin, Program, Var};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use term::{Bits, Sort, Value};

#[derive(Clone, Debug)]
pub(super) struct World {
    /// Numbers of objects whose addresses got out.
    roots: BTreeSet<u64>,
    /// The last object that was made at a place by a chain of calls.
    born: FxHashMap<Birth, u64>,
    /// Variables whose values end up in addresses.
    addresses: Table<Var, bool>,
}

impl World {
    /// `None` where nothing gets out of the program.
    pub(super) fn new(program: &Program) -> Option<World> {
        let mut edges = program.functions.values().flat_map(|f| f.edges.values());
        edges.any(|e| matches!(e.op, Op::Escape { .. })).then(|| World {
            roots: BTreeSet::new(),
            born: FxHashMap::default(),
            addresses: addresses(program, Stored::IsNot),
        })
    }

    /// Whether the outside can know where the object is.
    fn knows(&self, memory: &Memory, number: u64) -> bool {
        let mut seen = self.roots.clone();
        let mut work: Vec<u64> = seen.iter().copied().collect();
        while let Some(at) = work.pop() {
            if at == number {
                return true;
            }
            for other in memory.pointed_at_by(at) {
                if seen.insert(other) {
                    work.push(other);
                }
            }
        }
        false
    }
}

impl Run<'_> {
    pub(super) fn escape(&mut self, address: u64) {
        let number = self.memory.origin(address);
        if let Some(world) = self.world.as_mut().filter(|_| number != 0) {
            world.roots.insert(number);
        }
    }

    pub(super) fn note_birth(&mut self, site: Site, number: u64) {
        if let Some(world) = &mut self.world {
            world.born.insert((self.stack.clone(), site), number);
        }
    }

    /// A pointer from outside: the inputs may name its object by another number than this run does.
    pub(super) fn relocated(&mut self, site: Site, var: Option<Var>, origin: &Origin, value: Value) -> Value {
        let Some(world) = &self.world else { return value };
        let width = self.machine.program.machine.pointer_bits();
        let from_outside = matches!(origin, Origin::Extern(_) | Origin::Input(_) | Origin::Uninitialised(_));
        if !from_outside || value.sort() != Sort::Bv(width) || !var.is_some_and(|v| world.addresses[v]) {
            return value;
        }
        let Some(address) = value.as_bits().and_then(Bits::to_u64) else { return value };
        let (object, offset) = self.memory.split(address);
        let meant = self.inputs.meant(object).and_then(|birth| world.born.get(&birth).copied());
        let number = meant.unwrap_or(object);
        let is_object = meant.is_some() || self.memory.live(number) && number > self.limits.environment;
        if is_object && !world.knows(&self.memory, number) {
            self.note(site, "a pointer from outside points to an object that nobody there knows of");
        }
        Value::Bv(Bits::new(u128::from(self.memory.address(number) + offset), width))
    }

    /// Code outside of the program runs.
    pub(super) fn disturb(&mut self, site: Site) {
        let (program, origin) = (self.machine.program, Origin::Internal);
        let ask = Ask {
            program,
            func: site.0,
            edge: site.1,
            var: None,
            sort: Sort::Bool,
            origin: &origin,
            object: None,
            stack: &self.stack,
            state: None,
        };
        let changes = self.inputs.changes(&ask);
        let mut made = Vec::new();
        for Change { owner, offset, stride, bytes } in changes {
            let Some(world) = &self.world else { return };
            let number = match &owner {
                Owner::Number(number) => Some(*number),
                Owner::Birth(birth) => world.born.get(birth).copied(),
            };
            let Some(number) = number.filter(|number| self.memory.live(*number)) else { continue };
            let object = self.memory.contents_mut(number);
            let step = if stride == 0 { u64::MAX } else { stride };
            let mut at = offset;
            let mut differs = false;
            while let Some(part) = object.get_mut(at as usize..at as usize + bytes.len()) {
                differs |= *part != bytes[..];
                part.copy_from_slice(&bytes);
                let Some(next) = at.checked_add(step) else { break };
                at = next;
            }
            if differs {
                let world = self.world.as_ref().expect("looked at before");
                if !world.knows(&self.memory, number) {
                    self.note(site, "code outside changes an object that nobody there knows of");
                }
                made.push(Change { owner: Owner::Number(number), offset, stride, bytes });
            }
        }
        if !made.is_empty() {
            self.record(site, None, Given::Changes(made));
        }
    }
}
