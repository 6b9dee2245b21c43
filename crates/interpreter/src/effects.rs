//! What edges do beyond computing words: inputs, memory, printing.

use super::code::{Action, Effect, Place};
use super::exec::{Run, state_of};
use super::inputs::{Ask, Given, Site};
use super::memory::{Fault, NoObject};
use super::printf::{Arguments, format};
use super::{ENVIRONMENT_BYTES, FIRST_ADDRESS};
use super::{Ending, Limit, Pointer, Recorded, State, Undefined};
use base::Id;
use cfa::{Edge, Origin, Var};
use term::{Bits, FloatValue, Format, Sort, Value};

/// So many different places with undefined behaviour are remembered.
const UNDEFINED_NOTES: usize = 32;

impl Run<'_> {
    /// Notes undefined behaviour, once for each edge.
    pub(super) fn note(&mut self, site: Site, message: &str) {
        self.note_pointer(site, message, Vec::new());
    }

    /// Notes an invalid access.
    pub(super) fn note_access(&mut self, site: Site, fault: Fault, address: u64) {
        let pointers = self.pointers.as_ref().map(|pointers| pointers.origins(address)).unwrap_or_default();
        self.note_pointer(site, fault.describe(), pointers);
        if self.limits.faults && fault == Fault::Null && address < FIRST_ADDRESS {
            self.faulted = self.faulted.or(Some(site));
        }
    }

    fn note_pointer(&mut self, site: Site, message: &str, pointers: Vec<Pointer>) {
        let known = self.undefined.iter().any(|note| (note.func, note.edge) == site);
        if !known && self.undefined.len() < UNDEFINED_NOTES {
            self.undefined.push(Undefined { func: site.0, edge: site.1, message: message.to_owned(), pointers });
        }
    }

    pub(super) fn record(&mut self, site: Site, var: Option<Var>, given: Given) {
        if self.limits.record {
            self.recorded.push(Recorded { func: site.0, edge: site.1, var, given });
        }
    }

    fn ask(&mut self, site: Site, var: Option<Var>, sort: Sort, origin: &Origin) -> Value {
        let program = self.machine.program;
        let state = state_of!(self, 0);
        let (stack, state) = (&self.stack, Some(&state));
        let ask = Ask { program, func: site.0, edge: site.1, var, sort, origin, object: None, stack, state };
        let value = self.inputs.value(&ask);
        let value = self.relocated(site, var, origin, value);
        if let Some(pointers) = &mut self.pointers {
            pointers.given(var, &value);
        }
        debug_assert_eq!(value.sort(), sort, "an input of the wrong sort");
        if self.limits.record {
            self.record(site, var, Given::Value(value.clone()));
        }
        value
    }

    /// Some value, for what an invalid load reads.
    pub(super) fn arbitrary(&mut self, site: Site, sort: Sort) -> Value {
        self.ask(site, None, sort, &Origin::Internal)
    }

    pub(super) fn effect(&mut self, action: &Action) -> Result<(), Ending> {
        let site = (action.func, action.edge);
        match &action.what {
            Effect::Havoc { places, origin } => {
                for (v, sort, place) in places {
                    let value = self.ask(site, Some(*v), *sort, origin);
                    self.write(*place, value);
                }
            }
            Effect::Load { bytes, addr, dst, sort } => {
                let loaded = self.memory.bytes(self.word(*addr), *bytes as u64).map(|bytes| from_bytes(bytes, *sort));
                let value = match loaded {
                    Ok(value) => self.find(site, self.word(*addr), *sort).unwrap_or(value),
                    Err(fault) => {
                        self.note_access(site, fault, self.word(*addr));
                        self.arbitrary(site, *sort)
                    }
                };
                self.write(*dst, value);
            }
            Effect::Store { bytes, addr, value, sort } => {
                let value = self.read(*value, *sort);
                match self.memory.bytes_mut(self.word(*addr), *bytes as u64) {
                    Ok(bytes) => to_bytes(&value, bytes),
                    Err(fault) => self.note_access(site, fault, self.word(*addr)),
                }
            }
            Effect::Alloc { dst, size, arbitrary, heap } => {
                let number = self.memory.alloc(self.word(*size), *heap).map_err(|none| match none {
                    NoObject::TooLarge => Ending::BoundHit("an object larger than offsets can reach".into()),
                    NoObject::NoNumber => Ending::BoundHit("no object number is left".into()),
                    NoObject::NoMemory => Ending::Limit(Limit::Memory),
                })?;
                self.note_birth(site, number);
                if *arbitrary {
                    self.fill_new(site, number);
                }
                self.set_word(*dst, self.memory.address(number));
            }
            Effect::End { addr, freed } => {
                let address = self.word(*addr);
                if *freed && !self.memory.may_be_freed(address) {
                    self.note(site, "free: not from malloc");
                }
                // `free(NULL)` does nothing.
                if !(*freed && address == 0)
                    && let Err(fault) = self.memory.end(address)
                {
                    let message = match fault {
                        Fault::Dead => "the object is already dead",
                        Fault::Null | Fault::Bounds => "not the start of an object",
                    };
                    self.note(site, &format!("{}: {message}", if *freed { "free" } else { "end of scope" }));
                }
            }
            Effect::Copy { dst, src, len } => {
                let (dst, src, len) = (self.word(*dst), self.word(*src), self.word(*len));
                if let Err(fault) = self.memory.copy(dst, src, len) {
                    let address = if self.memory.bytes(src, len).is_err() { src } else { dst };
                    self.note_access(site, fault, address);
                }
            }
            Effect::Fill { dst, value, sort, len } => {
                let byte = match value {
                    Place::Word(reg) => self.word(*reg) as u8,
                    place => {
                        let value = self.read(*place, *sort);
                        value.as_bits().map_or(0, |bits| bits.extract(7, 0).to_u64().unwrap_or(0) as u8)
                    }
                };
                let (dst, len) = (self.word(*dst), self.word(*len));
                if let Err(fault) = self.memory.fill(dst, byte, len) {
                    self.note_access(site, fault, dst);
                }
            }
            Effect::Escape { addrs } => addrs.iter().for_each(|addr| self.escape(self.word(*addr))),
            Effect::Disturb => self.disturb(site),
            Effect::Print { format: text, args, stream, count } => {
                let printed = self.print(site, self.word(*text), self.word(*args));
                if self.out.print(*stream, &printed).is_err() {
                    return Err(Ending::Limit(Limit::Output));
                }
                if let Some((reg, width)) = count {
                    self.set_word(*reg, printed.len() as u64 & super::value::mask(*width));
                }
            }
        }
        Ok(())
    }

    /// Objects that exist before the program starts.
    pub(super) fn make_environment(&mut self) {
        for _ in 0..self.limits.environment {
            let Ok(number) = self.memory.alloc(ENVIRONMENT_BYTES, true) else { return };
            let (program, origin) = (self.machine.program, Origin::Internal);
            let (func, edge, sort, object) = (program.entry, Edge::new(0), Sort::Bv(8), Some(number));
            let ask =
                Ask { program, func, edge, var: None, sort, origin: &origin, object, stack: &self.stack, state: None };
            let contents = self.memory.contents_mut(number);
            self.inputs.contents(&ask, contents);
            let contents = contents.to_vec();
            self.environment.push((self.memory.address(number), contents));
        }
    }

    /// What is read for the first time from memory of the environment that nothing was written to, if the inputs know better
    /// than the memory: then it has been there from the start. (A write of what was there is not noticed, so that whoever believes the
    /// run has to make it once more, with these contents.)
    pub(super) fn find(&mut self, site: Site, address: u64, sort: Sort) -> Option<Value> {
        let (number, offset) = self.memory.split(address);
        if number == 0 || number > self.limits.environment {
            return None;
        }
        let (program, origin) = (self.machine.program, Origin::Internal);
        let (func, edge, stack) = (site.0, site.1, &self.stack);
        let ask =
            Ask { program, func, edge, var: None, sort, origin: &origin, object: Some(number), stack, state: None };
        let value = self.inputs.found(&ask, offset)?;
        let len = sort.bv_width().map_or(0, |bits| u64::from(bits / 8));
        let (_, first) = self.environment.get_mut(number as usize - 1)?;
        let first = first.get_mut(offset as usize..(offset + len) as usize)?;
        let now = self.memory.bytes_mut(address, len).ok()?;
        let is_first = (address..address + len).fold(len > 0, |first, at| self.found.insert(at) && first);
        if !is_first || *first != *now {
            return None;
        }
        to_bytes(&value, now);
        first.copy_from_slice(now);
        Some(value)
    }

    /// Arbitrary contents for a new object.
    fn fill_new(&mut self, site: Site, number: u64) {
        let origin = Origin::Internal;
        let program = self.machine.program;
        let (sort, object) = (Sort::Bv(8), Some(number));
        let ask = Ask {
            program,
            func: site.0,
            edge: site.1,
            var: None,
            sort,
            origin: &origin,
            object,
            stack: &self.stack,
            state: None,
        };
        let contents = self.memory.contents_mut(number);
        if self.inputs.contents(&ask, contents) && self.limits.record {
            let contents = contents.to_vec();
            self.record(site, None, Given::Contents(contents));
        }
    }

    fn print(&mut self, site: Site, text: u64, args: u64) -> Vec<u8> {
        struct Block<'m> {
            memory: &'m mut super::memory::Memory,
            next: u64,
        }
        impl Arguments for Block<'_> {
            fn slot(&mut self) -> Result<[u8; 16], Fault> {
                let slot = self.memory.bytes(self.next, 16)?.try_into().expect("sixteen bytes");
                self.next = self.next.wrapping_add(16);
                Ok(slot)
            }

            fn string(&mut self, address: u64, most: usize) -> Result<Vec<u8>, Fault> {
                self.memory.c_string(address, most).map(<[u8]>::to_vec)
            }

            fn wide_string(&mut self, mut address: u64, most: usize) -> Result<Vec<u32>, Fault> {
                let mut text = Vec::new();
                while text.len() < most {
                    let unit = self.memory.bytes(address, 4)?.try_into().expect("four bytes");
                    match u32::from_le_bytes(unit) {
                        0 => break,
                        unit => text.push(unit),
                    }
                    address = address.wrapping_add(4);
                }
                Ok(text)
            }

            fn store_count(&mut self, address: u64, bytes: u64, count: u64) -> Result<(), Fault> {
                self.memory.store(address, bytes, count)
            }
        }
        let data_model = self.machine.program.machine.data_model;
        let template = match self.memory.c_string(text, usize::MAX) {
            Ok(template) => template.to_vec(),
            Err(fault) => {
                self.note(site, fault.describe());
                return Vec::new();
            }
        };
        let (printed, fault) = format(&template, &mut Block { memory: &mut self.memory, next: args }, data_model);
        if let Some(fault) = fault {
            self.note(site, &format!("printf: {}", fault.describe()));
        }
        printed
    }
}

/// The value of a sort that these bytes of memory hold, little-endian.
pub(super) fn from_bytes(bytes: &[u8], sort: Sort) -> Value {
    match sort {
        Sort::Float(Format::X87) => Value::Float(x87_from_bytes(bytes)),
        Sort::Float(format) => Value::Float(FloatValue::from_bits(format, &bits_of(bytes))),
        _ => Value::Bv(bits_of(bytes)),
    }
}

fn bits_of(bytes: &[u8]) -> Bits {
    let mut chunks = bytes.rchunks(1).map(|byte| Bits::new(byte[0] as u128, 8));
    let top = chunks.next().expect("at least one byte");
    if bytes.len() <= 16 {
        let word = bytes.iter().rev().fold(0u128, |word, byte| word << 8 | *byte as u128);
        return Bits::new(word, 8 * bytes.len() as u32);
    }
    chunks.fold(top, |high, low| high.concat(&low))
}

/// Writes a value as memory holds it; padding after an x87 value keeps what it was.
pub(super) fn to_bytes(value: &Value, bytes: &mut [u8]) {
    let bits = match value {
        Value::Float(float) if float.format() == Format::X87 => return x87_to_bytes(*float, bytes),
        Value::Float(float) => float.to_bits(),
        Value::Bv(bits) => bits.clone(),
        Value::Bool(_) | Value::Array(_) => unreachable!("not in memory"),
    };
    for (i, byte) in bytes.iter_mut().enumerate() {
        let low = 8 * i as u32;
        *byte = bits.extract(low + 7, low).to_u64().expect("eight bits") as u8;
    }
}

/// The x87 format keeps its leading bit in memory: 64 bits of significand, then exponent and sign.
fn x87_from_bytes(bytes: &[u8]) -> FloatValue {
    let significand = u64::from_le_bytes(bytes[..8].try_into().expect("ten bytes"));
    let top = u16::from_le_bytes([bytes[8], bytes[9]]);
    let (sign, exponent) = ((top >> 15) as u128, (top & 0x7fff) as u128);
    let leading = significand >> 63 == 1;
    let exponent = match (exponent, leading) {
        // A denormal with leading bit counts as the least normal exponent; a normal one without is no number.
        (0, true) => 1,
        (1.., false) => return FloatValue::nan(Format::X87),
        (exponent, _) => exponent,
    };
    let fraction = (significand & (u64::MAX >> 1)) as u128;
    FloatValue::from_bits(Format::X87, &Bits::new(sign << 78 | exponent << 63 | fraction, 79))
}

fn x87_to_bytes(float: FloatValue, bytes: &mut [u8]) {
    let packed = float.to_bits().to_u128().expect("79 bits");
    let exponent = (packed >> 63) as u16 & 0x7fff;
    let sign = (packed >> 78) as u16 & 1;
    let leading = (exponent != 0) as u64;
    let significand = leading << 63 | (packed as u64 & (u64::MAX >> 1));
    bytes[..8].copy_from_slice(&significand.to_le_bytes());
    bytes[8..10].copy_from_slice(&(sign << 15 | exponent).to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::RoundingMode;

    #[test]
    fn x87_values_survive_memory() {
        for text in ["0", "-0", "1", "-1.5", "0.1", "3.6e-4951", "1.18e4932", "1e-4940"] {
            let value = FloatValue::parse(Format::X87, RoundingMode::NearestEven, text).expect("a number");
            let mut bytes = [0xaa; 16];
            to_bytes(&Value::Float(value), &mut bytes);
            assert_eq!(from_bytes(&bytes, Sort::Float(Format::X87)), Value::Float(value), "{text}");
        }
        let mut bytes = [0; 10];
        to_bytes(&Value::Float(FloatValue::one(Format::X87)), &mut bytes);
        assert_eq!(bytes, [0, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0x3f]);
    }

    #[test]
    fn wide_vectors_survive_memory() {
        let bits = Bits::parse("0102030405060708090a0b0c0d0e0f101112", 16, 144).expect("fits");
        let mut bytes = [0; 18];
        to_bytes(&Value::Bv(bits.clone()), &mut bytes);
        assert_eq!(bytes[0], 0x12);
        assert_eq!(from_bytes(&bytes, Sort::Bv(144)), Value::Bv(bits));
    }
}
