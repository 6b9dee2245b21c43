//! Where pointers came from: for runs that depend on pointers from outside of the program.

use super::{ENVIRONMENT_BYTES, Pointer, PointerOrigin};
use base::Table;
use cfa::{Op, Program, Var};
use rustc_hash::FxHashMap;
use term::{Term, Value};

/// So many places are remembered of one value. Null and other small numbers come from many.
const MOST_ORIGINS: usize = 32;

/// For every value of a variable that serves as an address, the places where it was given or read, the last one last. Which of
/// them an invalid pointer was computed from is not known: whoever asks has to try.
#[derive(Clone, Debug)]
pub(super) struct Pointers {
    origins: FxHashMap<u64, Vec<PointerOrigin>>,
    addresses: Table<Var, bool>,
    /// Inputs so far.
    inputs: usize,
    offset_bits: u32,
}

impl Pointers {
    pub(super) fn new(program: &Program) -> Pointers {
        Pointers {
            origins: FxHashMap::default(),
            addresses: addresses(program, Stored::MayBe),
            inputs: 0,
            offset_bits: program.machine.offset_bits,
        }
    }

    /// An input.
    pub(super) fn given(&mut self, var: Option<Var>, value: &Value) {
        if var.is_some_and(|v| self.addresses[v])
            && let Some(word) = value.as_bits().and_then(|bits| bits.to_u64())
        {
            self.note(word, PointerOrigin::Input(self.inputs));
        }
        self.inputs += 1;
    }

    /// A word that was read from memory.
    pub(super) fn loaded(&mut self, op: &Op, address: u64, word: u64) {
        if let Op::Load { dst, .. } = op
            && self.addresses[*dst]
        {
            let (object, offset) = (address >> self.offset_bits, address & ((1 << self.offset_bits) - 1));
            self.note(word, PointerOrigin::Cell { object, offset });
        }
    }

    fn note(&mut self, word: u64, origin: PointerOrigin) {
        let origins = self.origins.entry(word).or_default();
        origins.retain(|known| *known != origin);
        if origins.len() == MOST_ORIGINS {
            origins.remove(0);
        }
        origins.push(origin);
    }

    /// The pointers by which `address` may have been computed, the most likely one first: the nearest value below, then the
    /// nearest above.
    pub(super) fn origins(&self, address: u64) -> Vec<Pointer> {
        let nearest = |before: bool| {
            let mut near = (0..ENVIRONMENT_BYTES).map(|distance| match before {
                true => address.wrapping_add(distance + 1),
                false => address.wrapping_sub(distance),
            });
            near.find_map(|value| self.origins.get(&value).map(|origins| (value, before, origins)))
        };
        let found = [nearest(false), nearest(true)].into_iter().flatten();
        found
            .flat_map(|(value, before, origins)| {
                origins.iter().rev().map(move |origin| Pointer { origin: *origin, value, before })
            })
            .collect()
    }
}

/// Whether what is stored in memory counts as an address: nobody follows where it is loaded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stored {
    MayBe,
    IsNot,
}

/// The variables whose values end up in addresses of memory accesses, by way of assignments, arguments and results.
pub(super) fn addresses(program: &Program, stored: Stored) -> Table<Var, bool> {
    let width = term::Sort::Bv(program.machine.pointer_bits());
    let mut found = Table::filled(false, program.vars.len());
    loop {
        let mut changed = false;
        let mut mark = |found: &mut Table<Var, bool>, t: Term| {
            for var in term::free_vars(&program.terms, &[t]).into_iter().filter_map(|v| program.var_of(v)) {
                if program.vars[var].sort == width && !found[var] {
                    found[var] = true;
                    changed = true;
                }
            }
        };
        for edge in program.functions.values().flat_map(|f| f.edges.values()) {
            match &edge.op {
                Op::Load { addr, .. } | Op::Free { addr, .. } => mark(&mut found, *addr),
                Op::Store { addr, value, .. } => {
                    mark(&mut found, *addr);
                    if stored == Stored::MayBe {
                        mark(&mut found, *value);
                    }
                }
                Op::Fill { dst, .. } => mark(&mut found, *dst),
                Op::Copy { dst, src, .. } => {
                    mark(&mut found, *dst);
                    mark(&mut found, *src);
                }
                Op::Assign(pairs) => {
                    for (var, t) in pairs {
                        if found[*var] {
                            mark(&mut found, *t);
                        }
                    }
                }
                Op::Call { callee, args, dst } => {
                    let callee = &program.functions[*callee];
                    for (param, arg) in callee.params.iter().zip(args) {
                        if found[*param] {
                            mark(&mut found, *arg);
                        }
                    }
                    if let (Some(dst), Some(result)) = (dst, callee.result)
                        && found[*dst]
                    {
                        mark(&mut found, program.term(result));
                    }
                }
                _ => {}
            }
        }
        if !changed {
            return found;
        }
    }
}
