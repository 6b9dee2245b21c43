//! The object table: byte vectors under object numbers, as pointers of the machine name them.
//!
//! Numbers are handed out in order and not reused while there are fresh ones, so that a dangling pointer is noticed. When
//! the numbers (or a generous table) run out, the object that has been dead longest gives up its number.

use cfa::Machine;
use std::collections::VecDeque;

/// So many entries before dead objects give up their numbers although there are fresh ones: bounds the table's size.
const TABLE_ENTRIES: usize = 1 << 22;

/// Room of dead objects of up to so many bytes is kept for new ones, by powers of two: functions make and end such objects all the
/// time, which takes less than asking for memory.
const SMALL: usize = 64;
/// So many of each size are kept.
const KEPT: usize = 1024;

/// Emptied room of dead objects: of one byte, of two, of four, and so on.
#[derive(Clone, Default, Debug)]
struct Room([Vec<Vec<u8>>; SMALL.ilog2() as usize + 1]);

impl Room {
    /// So many zero bytes.
    fn take(&mut self, size: usize) -> Vec<u8> {
        if size == 0 || size > SMALL {
            return vec![0; size];
        }
        let class = size.next_power_of_two().ilog2() as usize;
        let mut bytes = self.0[class].pop().unwrap_or_else(|| Vec::with_capacity(1 << class));
        bytes.resize(size, 0);
        bytes
    }

    fn keep(&mut self, mut bytes: Vec<u8>) {
        let room = bytes.capacity();
        if room.is_power_of_two() && room <= SMALL && self.0[room.ilog2() as usize].len() < KEPT {
            bytes.clear();
            self.0[room.ilog2() as usize].push(bytes);
        }
    }
}

#[derive(Clone, Debug)]
struct Object {
    bytes: Vec<u8>,
    live: bool,
    /// From `malloc`: what may be freed.
    heap: bool,
}

/// Why an access failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    Null,
    Dead,
    Bounds,
}

impl Fault {
    pub(crate) fn describe(self) -> &'static str {
        match self {
            Fault::Null => "access through a null or invalid pointer",
            Fault::Dead => "access to an object that is no longer live",
            Fault::Bounds => "access outside the bounds of an object",
        }
    }
}

/// Why there is no new object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NoObject {
    TooLarge,
    NoNumber,
    NoMemory,
}

#[derive(Clone, Debug)]
pub(crate) struct Memory {
    objects: Vec<Object>,
    /// Numbers of dead objects, the longest dead first.
    dead: VecDeque<u32>,
    room: Room,
    offset_bits: u32,
    offset_mask: u64,
    object_count: u64,
    /// Bytes in live objects, and how many there may be.
    used: u64,
    limit: u64,
    pub(crate) reused_numbers: bool,
}

impl Memory {
    pub(crate) fn new(machine: Machine, limit: u64) -> Memory {
        Memory {
            objects: vec![Object { bytes: Vec::new(), live: false, heap: false }],
            dead: VecDeque::new(),
            room: Room::default(),
            offset_bits: machine.offset_bits,
            offset_mask: (1 << machine.offset_bits) - 1,
            object_count: machine.object_count(),
            used: 0,
            limit,
            reused_numbers: false,
        }
    }

    /// The number of an object of `size` zero bytes.
    pub(crate) fn alloc(&mut self, size: u64, heap: bool) -> Result<u64, NoObject> {
        if size > self.offset_mask {
            return Err(NoObject::TooLarge);
        }
        if self.used.saturating_add(size) > self.limit {
            return Err(NoObject::NoMemory);
        }
        let next = self.objects.len();
        let fresh = (next as u64) < self.object_count;
        let number = if fresh && (next < TABLE_ENTRIES || self.dead.is_empty()) {
            let bytes = self.room.take(size as usize);
            self.objects.push(Object { bytes, live: true, heap });
            next
        } else {
            let number = self.dead.pop_front().ok_or(NoObject::NoNumber)? as usize;
            self.reused_numbers = true;
            let bytes = self.room.take(size as usize);
            self.objects[number] = Object { bytes, live: true, heap };
            number
        };
        self.used += size;
        Ok(number as u64)
    }

    /// The bits that addresses have.
    pub(crate) fn address_mask(&self) -> u64 {
        self.offset_mask | (self.object_count - 1) << self.offset_bits
    }

    /// The address of the first byte of an object.
    pub(crate) fn address(&self, number: u64) -> u64 {
        number << self.offset_bits
    }

    /// Object number and offset of an address.
    pub(crate) fn split(&self, address: u64) -> (u64, u64) {
        (address >> self.offset_bits, address & self.offset_mask)
    }

    /// The object that an address was made from: it may be somewhat before it.
    pub(crate) fn origin(&self, address: u64) -> u64 {
        address.wrapping_add((self.offset_mask + 1) >> 4) >> self.offset_bits & (self.object_count - 1)
    }

    /// The live objects that words in the object's memory point to.
    pub(crate) fn pointed_at_by(&self, number: u64) -> Vec<u64> {
        let Some(object) = self.objects.get(number as usize) else { return Vec::new() };
        let width = (self.object_count.trailing_zeros() + self.offset_bits) as usize / 8;
        let words = object.bytes.windows(width).map(|bytes| {
            let mut word = [0; 8];
            word[..width].copy_from_slice(bytes);
            self.origin(u64::from_le_bytes(word))
        });
        words.filter(|number| *number != 0 && self.live(*number)).collect()
    }

    /// The whole contents of a live object.
    pub(crate) fn contents_mut(&mut self, number: u64) -> &mut [u8] {
        &mut self.objects[number as usize].bytes
    }

    /// Ends the life of the object that `address` points into.
    pub(crate) fn end(&mut self, address: u64) -> Result<(), Fault> {
        let number = address >> self.offset_bits;
        let object = self.objects.get_mut(number as usize).filter(|_| number > 0).ok_or(Fault::Null)?;
        if !object.live {
            return Err(Fault::Dead);
        }
        if address & self.offset_mask != 0 {
            return Err(Fault::Bounds);
        }
        object.live = false;
        self.used -= object.bytes.len() as u64;
        self.room.keep(std::mem::take(&mut object.bytes));
        self.dead.push_back(number as u32);
        Ok(())
    }

    /// Whether the address is not into a live object that is not from `malloc`.
    pub(crate) fn may_be_freed(&self, address: u64) -> bool {
        self.objects.get((address >> self.offset_bits) as usize).is_none_or(|object| object.heap || !object.live)
    }

    /// `$size` of an object number.
    pub(crate) fn size(&self, number: u64) -> u64 {
        self.objects.get(number as usize).map_or(0, |object| object.bytes.len() as u64)
    }

    /// `$live` of an object number.
    pub(crate) fn live(&self, number: u64) -> bool {
        self.objects.get(number as usize).is_some_and(|object| object.live)
    }

    /// Why an access that failed did so.
    #[cold]
    pub(crate) fn fault(&self, address: u64) -> Fault {
        let number = address >> self.offset_bits;
        match self.objects.get(number as usize) {
            Some(object) if object.live => Fault::Bounds,
            Some(_) if number > 0 => Fault::Dead,
            _ => Fault::Null,
        }
    }

    #[inline]
    pub(crate) fn bytes(&self, address: u64, len: u64) -> Result<&[u8], Fault> {
        let start = address & self.offset_mask;
        let object = self.objects.get((address >> self.offset_bits) as usize);
        // A dead object has no bytes, so that only an empty range of it would pass.
        match object.and_then(|object| object.bytes.get(start as usize..(start.checked_add(len)?) as usize)) {
            Some(bytes) => Ok(bytes),
            None => Err(self.fault(address)),
        }
    }

    #[inline]
    pub(crate) fn bytes_mut(&mut self, address: u64, len: u64) -> Result<&mut [u8], Fault> {
        let start = (address & self.offset_mask) as usize;
        let number = (address >> self.offset_bits) as usize;
        let end = start.checked_add(len as usize);
        let inside = match (self.objects.get(number), end) {
            (Some(object), Some(end)) => end <= object.bytes.len(),
            _ => false,
        };
        if !inside {
            return Err(self.fault(address));
        }
        Ok(&mut self.objects[number].bytes[start..start + len as usize])
    }

    /// The bytes from an address up to the end of its object: none if that is not live, or the address is outside.
    #[inline]
    pub(crate) fn rest(&self, address: u64) -> &[u8] {
        let (number, offset) = self.split(address);
        let object = self.objects.get(number as usize);
        object.and_then(|object| object.bytes.get(offset as usize..)).unwrap_or_default()
    }

    /// `N` bytes (1, 2, 4 or 8), little-endian. As whole words: a word that is put together in memory from parts keeps the
    /// machine waiting for them.
    #[inline(always)]
    pub(crate) fn read<const N: usize>(&self, address: u64) -> Option<u64> {
        let object = self.objects.get((address >> self.offset_bits) as usize)?;
        let rest = object.bytes.get((address & self.offset_mask) as usize..)?;
        Some(match N {
            1 => *rest.first()? as u64,
            2 => u16::from_le_bytes(*rest.first_chunk()?) as u64,
            4 => u32::from_le_bytes(*rest.first_chunk()?) as u64,
            _ => u64::from_le_bytes(*rest.first_chunk()?),
        })
    }

    #[inline(always)]
    pub(crate) fn write<const N: usize>(&mut self, address: u64, word: u64) -> Option<()> {
        let object = self.objects.get_mut((address >> self.offset_bits) as usize)?;
        let rest = object.bytes.get_mut((address & self.offset_mask) as usize..)?;
        match N {
            1 => *rest.first_mut()? = word as u8,
            2 => *rest.first_chunk_mut()? = (word as u16).to_le_bytes(),
            4 => *rest.first_chunk_mut()? = (word as u32).to_le_bytes(),
            _ => *rest.first_chunk_mut()? = word.to_le_bytes(),
        }
        Some(())
    }

    /// Up to eight bytes, little-endian.
    #[inline]
    pub(crate) fn load(&self, address: u64, len: u64) -> Result<u64, Fault> {
        let word = match len {
            1 => self.read::<1>(address),
            2 => self.read::<2>(address),
            4 => self.read::<4>(address),
            8 => self.read::<8>(address),
            _ => return Ok(self.bytes(address, len)?.iter().rev().fold(0, |value, byte| value << 8 | *byte as u64)),
        };
        word.ok_or_else(|| self.fault(address))
    }

    #[inline]
    pub(crate) fn store(&mut self, address: u64, len: u64, value: u64) -> Result<(), Fault> {
        let written = match len {
            1 => self.write::<1>(address, value),
            2 => self.write::<2>(address, value),
            4 => self.write::<4>(address, value),
            8 => self.write::<8>(address, value),
            _ => {
                self.bytes_mut(address, len)?.copy_from_slice(&value.to_le_bytes()[..len as usize]);
                Some(())
            }
        };
        written.ok_or_else(|| self.fault(address))
    }

    /// `memmove`.
    pub(crate) fn copy(&mut self, dst: u64, src: u64, len: u64) -> Result<(), Fault> {
        if len == 0 {
            return Ok(());
        }
        self.bytes(src, len)?;
        self.bytes_mut(dst, len)?;
        let (from, to) = ((src >> self.offset_bits) as usize, (dst >> self.offset_bits) as usize);
        let (start, target) = ((src & self.offset_mask) as usize, (dst & self.offset_mask) as usize);
        let len = len as usize;
        if from == to {
            self.objects[from].bytes.copy_within(start..start + len, target);
        } else {
            let source = std::mem::take(&mut self.objects[from].bytes);
            self.objects[to].bytes[target..target + len].copy_from_slice(&source[start..start + len]);
            self.objects[from].bytes = source;
        }
        Ok(())
    }

    /// `memset`.
    pub(crate) fn fill(&mut self, dst: u64, byte: u8, len: u64) -> Result<(), Fault> {
        if len > 0 {
            self.bytes_mut(dst, len)?.fill(byte);
        }
        Ok(())
    }

    /// The bytes from `address` up to a zero byte, or the fault of running out of the object before.
    pub(crate) fn c_string(&self, address: u64, most: usize) -> Result<&[u8], Fault> {
        let object = self.objects.get((address >> self.offset_bits) as usize);
        let rest = object.and_then(|object| object.bytes.get((address & self.offset_mask) as usize..));
        let rest = rest.ok_or_else(|| self.fault(address))?;
        match rest.iter().position(|byte| *byte == 0) {
            Some(end) => Ok(&rest[..end.min(most)]),
            None if rest.len() >= most => Ok(&rest[..most]),
            None => Err(self.fault(address)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_of_dead_objects_is_zero_again() {
        let mut memory = Memory::new(Machine::new(cfa::DataModel::Lp64), 1 << 20);
        for (first, second) in [(5, 8), (8, 5), (64, 33), (1, 1), (0, 1), (65, 64), (100, 100)] {
            let number = memory.alloc(first, false).unwrap();
            memory.contents_mut(number).fill(0xff);
            memory.end(memory.address(number)).unwrap();
            assert_eq!(memory.end(memory.address(number)), Err(Fault::Dead));
            let other = memory.alloc(second, false).unwrap();
            assert_ne!(number, other);
            assert_eq!(memory.contents_mut(other), vec![0; second as usize]);
            assert_eq!((memory.size(number), memory.size(other)), (0, second));
            memory.end(memory.address(other)).unwrap();
        }
    }
}
