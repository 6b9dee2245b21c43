//! What memory variables of flat form stand for: bytes of the object that an allocation made.
//!
//! Replay needs it: a counterexample may depend on what uninitialised memory held, and says so in terms of these variables.

use term::{Bits, Format, Value};

/// The part of an object that a variable holds: `bytes` bytes at `offset`; of an array, the same in every element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryPart {
    pub offset: u64,
    pub bytes: u32,
    /// Bytes from one element of the array to the next; 0 for a scalar, and where an array's index is the number of the object.
    pub stride: u64,
    /// The array's index is the offset of the element in bytes, not its number.
    pub by_offset: bool,
    /// Size of the object, where it is known.
    pub size: Option<u64>,
}

/// Contents are given for so many bytes at most.
pub const MAX_BYTES: u64 = 1 << 20;

/// What no entry of an array speaks of is written out so far, where the size of the object is not known.
pub const REACH: u64 = 1 << 12;

impl MemoryPart {
    /// Of an array indexed by pointers: what it says about the memory behind `pointer`, up to `reach` bytes, as bytes by their
    /// distance from there. Values that nobody wrote down come first.
    pub fn behind(&self, pointer: u64, reach: u64, value: &Value) -> Vec<(u64, Vec<u8>)> {
        let Value::Array(array) = value else { return Vec::new() };
        let mut found = vec![(self.offset, bytes_of(array.default_value(), self.bytes))];
        for (index, element) in array.entries() {
            let distance = index.as_bits().and_then(Bits::to_u64).map(|index| index.wrapping_sub(pointer));
            if let Some(distance) = distance.filter(|distance| *distance < reach) {
                found.push((distance + self.offset, bytes_of(element, self.bytes)));
            }
        }
        found
    }

    /// The object's bytes by the variable's value: offset (or the object's number, where that is the index), stride (0: once) and
    /// bytes; what comes later counts.
    pub fn parts(&self, value: &Value) -> Vec<(u64, u64, Vec<u8>)> {
        let Value::Array(array) = value else { return vec![(self.offset, 0, bytes_of(value, self.bytes))] };
        let (start, step) = match self.stride {
            0 => (0, 1),
            _ if self.by_offset => (self.offset, 1),
            stride => (self.offset, stride),
        };
        let mut parts = vec![(self.offset, self.stride, bytes_of(array.default_value(), self.bytes))];
        for (index, element) in array.entries() {
            if let Some(index) = index.as_bits().and_then(Bits::to_u64) {
                let at = index.saturating_mul(step).saturating_add(start);
                parts.push((at, 0, bytes_of(element, self.bytes)));
            }
        }
        parts
    }

    /// Writes the variable's value into the contents of the object, as far as that reaches.
    pub fn write(&self, value: &Value, contents: &mut Vec<u8>) {
        match value {
            Value::Array(array) if self.stride > 0 => {
                let step = if self.by_offset { 1 } else { self.stride };
                let last = array.entries().keys().filter_map(|i| i.as_bits()?.to_u64()).max().unwrap_or(0);
                let reach = last.saturating_mul(step).saturating_add(self.offset + 8);
                let size = self.size.unwrap_or(reach.max(REACH));
                let size = size.min(MAX_BYTES);
                let default = bytes_of(array.default_value(), self.bytes);
                if default.iter().any(|b| *b != 0) {
                    let mut at = self.offset;
                    while at + u64::from(self.bytes) <= size {
                        put(contents, at, &default);
                        at += self.stride;
                    }
                }
                for (index, element) in array.entries() {
                    let Some(index) = index.as_bits().and_then(Bits::to_u64) else { continue };
                    let at = index.saturating_mul(step).saturating_add(self.offset);
                    if at.saturating_add(self.bytes.into()) <= size {
                        put(contents, at, &bytes_of(element, self.bytes));
                    }
                }
            }
            Value::Array(_) => {}
            scalar => put(contents, self.offset, &bytes_of(scalar, self.bytes)),
        }
    }
}

fn put(contents: &mut Vec<u8>, at: u64, bytes: &[u8]) {
    let at = at as usize;
    if contents.len() < at + bytes.len() {
        contents.resize(at + bytes.len(), 0);
    }
    contents[at..at + bytes.len()].copy_from_slice(bytes);
}

/// The bytes of a value as they lie in memory, little-endian.
fn bytes_of(value: &Value, count: u32) -> Vec<u8> {
    let bits = match value {
        Value::Bv(bits) => bits.clone(),
        Value::Float(float) if float.format() == Format::X87 => {
            let packed = float.to_bits();
            let exponent = packed.extract(77, 63);
            let integer = Bits::new(u128::from(!exponent.is_zero()), 1);
            packed.extract(78, 63).concat(&integer.concat(&packed.extract(62, 0)))
        }
        Value::Float(float) => float.to_bits(),
        Value::Bool(b) => Bits::new(u128::from(*b), 8),
        Value::Array(_) => return Vec::new(),
    };
    (0..count)
        .map(|i| {
            let lo = 8 * i;
            if lo + 8 <= bits.width() { bits.extract(lo + 7, lo).to_u64().unwrap_or(0) as u8 } else { 0 }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::{ArraySort, ArrayValue, Scalar};

    #[test]
    fn scalars_and_arrays_become_bytes() {
        let mut contents = Vec::new();
        let scalar = MemoryPart { offset: 4, bytes: 2, stride: 0, by_offset: false, size: Some(8) };
        scalar.write(&Value::Bv(Bits::new(0x1234, 16)), &mut contents);
        assert_eq!(contents, [0, 0, 0, 0, 0x34, 0x12]);

        let sort = ArraySort { index: Scalar::Bv(32), elem: Scalar::Bv(16) };
        let mut array = ArrayValue::new(sort, Value::Bv(Bits::new(7, 16)));
        array.set(Value::Bv(Bits::new(1, 32)), Value::Bv(Bits::new(0x0102, 16)));
        let part = MemoryPart { offset: 0, bytes: 2, stride: 2, by_offset: false, size: Some(6) };
        let mut contents = Vec::new();
        part.write(&Value::Array(std::sync::Arc::new(array)), &mut contents);
        assert_eq!(contents, [7, 0, 2, 1, 7, 0]);
    }
}
