//! Memory for pointers that come from outside of the program.
//!
//! A program may use a pointer that it was given, or that it found in memory nobody initialised, as if it were valid, and so
//! it is for *some* inputs: those where it points to memory. The engines' model assumes such memory, but their inputs have
//! any number for the pointer. So when a run fails at one, the run is repeated with the address of an object of the
//! environment in its place, until it fails no more or the reason is another. The object holds what the model says about
//! the memory behind that number; where the model knows of none (a pointer that was itself read from there), what the trace
//! has read at the first load. In the end the run is made once more with all of that in memory from the start. A run that
//! reaches the error this way is an execution like any other, whatever the model said.

use crate::limits::replay::MOST_RUNS;
use cfa::layout::MemoryPart;
use cfa::{Birth, Edge, Func, Program, Var};
use interpreter::{Ask, Change, InOrder, Inputs, Limits, Machine, Outcome, Pointer, PointerOrigin};
use interpreter::{ENVIRONMENT_BYTES, ENVIRONMENT_OBJECTS};
use term::{Bits, Sort, Value};

/// Runs the program, with memory for the invalid pointers that come from outside. `None` if that does not make the run a
/// defined one.
pub fn run_with_memory<I: Inputs + Clone>(
    program: &Program,
    machine: &Machine<'_>,
    inputs: &I,
    outside: &Outside<'_>,
    limits: &Limits,
) -> Option<Outcome> {
    // Always as many objects, so that others have the same numbers in every run.
    let limits = Limits { environment: ENVIRONMENT_OBJECTS, ..limits.clone() };
    let mut repairs: Vec<Repair> = Vec::new();
    for _ in 0..MOST_RUNS {
        let mut inputs = Repaired { inner: inputs.clone(), repairs: &repairs, asked: 0 };
        let mut outcome = machine.run(&mut inputs, &limits);
        let failed = outcome.undefined.first().map(|first| (first.func, first.edge));
        // Several values may have looked like the pointer: where the run got further, only the last one mattered.
        let before = repairs.len();
        if let Some(last) = repairs.last().map(|r| r.place)
            && failed != Some(last)
        {
            let needed = repairs.len() - 1;
            let mut index = 0;
            repairs.retain(|r| {
                index += 1;
                r.place != last || index > needed
            });
            if repairs.len() < before {
                continue;
            }
        }
        let Some(first) = outcome.undefined.first() else {
            let used = repairs.iter().map(|r| r.object).max().unwrap_or(0);
            outcome.environment.truncate(used as usize);
            return with_that_memory(machine, &outcome, &limits);
        };
        let place = (first.func, first.edge);
        if !repair(&mut repairs, &first.pointers, place, program.machine.offset_bits, outside) {
            return None;
        }
    }
    None
}

/// Makes one more of the pointers valid, or lets one point further into its object where accesses before it fail.
fn repair(
    repairs: &mut Vec<Repair>,
    pointers: &[Pointer],
    place: (Func, Edge),
    offset_bits: u32,
    outside: &Outside<'_>,
) -> bool {
    for Pointer { origin, value, before } in pointers.iter().copied() {
        let known = repairs.iter().position(|r| r.origin == origin);
        let (object, value) = match known.map(|known| &repairs[known]) {
            Some(r) if before && r.offset == 0 => (r.object, r.value),
            // The same place in memory again: the program put the value there itself.
            Some(_) => continue,
            None => match (1..=ENVIRONMENT_OBJECTS).find(|n| repairs.iter().all(|r| r.object != *n)) {
                Some(object) => (object, value),
                None => return false,
            },
        };
        if let Some(known) = known {
            repairs.remove(known);
        }
        let offset = if before { ENVIRONMENT_BYTES / 2 } else { 0 };
        let address = (object << offset_bits) + offset;
        repairs.push(Repair { origin, value, object, offset, address, contents: outside.around(value, offset), place });
        return true;
    }
    false
}

/// The same run once more, with the environment's memory as it has turned out to be: from the start, whoever looks when.
fn with_that_memory(machine: &Machine<'_>, outcome: &Outcome, limits: &Limits) -> Option<Outcome> {
    let mut again = machine.run(&mut InOrder::replay(outcome), limits);
    again.environment.truncate(outcome.environment.len());
    again.undefined.is_empty().then_some(again)
}

/// The model's memory behind pointers from outside: parts of it, and what was in them at first.
#[derive(Default)]
pub struct Outside<'t>(pub(crate) Vec<(&'t MemoryPart, &'t Value)>);

impl Outside<'_> {
    /// What lies around the pointer, from so many bytes before it on.
    fn around(&self, pointer: u64, before: u64) -> Vec<(u64, Vec<u8>)> {
        let mut found = if before > 0 { self.behind(pointer.wrapping_sub(before)) } else { Vec::new() };
        found.extend(self.behind(pointer).into_iter().map(|(offset, bytes)| (before + offset, bytes)));
        found
    }

    /// Different classes of memory may know the same number: what is not zero is more likely to matter.
    fn behind(&self, pointer: u64) -> Vec<(u64, Vec<u8>)> {
        let mut found: Vec<(u64, Vec<u8>)> =
            self.0.iter().flat_map(|(part, value)| part.behind(pointer, ENVIRONMENT_BYTES, value)).collect();
        found.sort_by_key(|(_, bytes)| bytes.iter().any(|b| *b != 0));
        found
    }
}

/// A pointer that is replaced by the address of an object of the environment.
struct Repair {
    origin: PointerOrigin,
    /// What it was before.
    value: u64,
    object: u64,
    /// Where in the object it points to.
    offset: u64,
    address: u64,
    /// What the object holds: bytes by their offsets, the later ones for sure.
    contents: Vec<(u64, Vec<u8>)>,
    /// Where the run failed without it.
    place: (Func, Edge),
}

/// Inputs with the repairs made.
struct Repaired<'r, I> {
    inner: I,
    repairs: &'r [Repair],
    asked: usize,
}

impl<I: Inputs> Inputs for Repaired<'_, I> {
    fn value(&mut self, ask: &Ask<'_>) -> Value {
        let value = self.inner.value(ask);
        let repair = self.repairs.iter().find(|r| r.origin == PointerOrigin::Input(self.asked));
        self.asked += 1;
        match (repair, ask.sort) {
            (Some(repair), Sort::Bv(width)) => Value::Bv(Bits::new(u128::from(repair.address), width)),
            _ => value,
        }
    }

    fn initial(&mut self, var: Var, sort: Sort) -> Value {
        self.inner.initial(var, sort)
    }

    fn contents(&mut self, ask: &Ask<'_>, bytes: &mut [u8]) -> bool {
        let mut given = self.inner.contents(ask, bytes);
        for repair in self.repairs.iter().filter(|r| ask.object == Some(r.object)) {
            for (offset, given) in &repair.contents {
                if let Some(part) = bytes.get_mut(*offset as usize..*offset as usize + given.len()) {
                    part.copy_from_slice(given);
                }
            }
            given = true;
        }
        let width = ask.program.machine.pointer_bits() as usize / 8;
        for repair in self.repairs {
            if let PointerOrigin::Cell { object, offset } = repair.origin
                && ask.object == Some(object)
                && let Some(cell) = bytes.get_mut(offset as usize..offset as usize + width)
            {
                cell.copy_from_slice(&repair.address.to_le_bytes()[..width]);
                given = true;
            }
        }
        given
    }

    /// Where a pointer is repaired, it stays so.
    fn found(&mut self, ask: &Ask<'_>, offset: u64) -> Option<Value> {
        let value = self.inner.found(ask, offset)?;
        let width = u64::from(ask.program.machine.pointer_bits() / 8);
        let len = value.sort().bv_width().map_or(0, |bits| u64::from(bits / 8));
        let is_repaired = self.repairs.iter().any(|repair| match repair.origin {
            PointerOrigin::Cell { object, offset: cell } => {
                ask.object == Some(object) && cell < offset + len && offset < cell + width
            }
            PointerOrigin::Input(_) => false,
        });
        (!is_repaired).then_some(value)
    }

    fn choose(&mut self, count: usize) -> usize {
        self.inner.choose(count)
    }

    fn meant(&self, number: u64) -> Option<Birth> {
        self.inner.meant(number)
    }

    fn changes(&mut self, ask: &Ask<'_>) -> Vec<Change> {
        self.inner.changes(ask)
    }
}
