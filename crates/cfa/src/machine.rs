//! The machine that programs run on: data model, and how a pointer packs an object and an offset.
//!
//! A pointer is one bit-vector of the pointer's width: the high `object_bits` name an object, the low `offset_bits` a byte
//! in it. Object 0 is the null object: never live, size 0, so the null pointer is the number 0. An object leaves the last
//! sixteenth of its offsets free, so that one past its end is still a pointer into it, and pointers to somewhat before the next
//! object point at nothing. Running out of objects or offsets is a bound hit, never a wrap.
//!
//! 32 bits are not enough for objects as large as ILP32 allows beside their numbers. Programs that need them, and in which nobody
//! sees how wide a pointer is, have pointers with more bits than in C ([`Machine::wide`]).

use term::{Sort, Store, Term};

/// Widths of the C types (x86): int, long, pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DataModel {
    Ilp32,
    Lp64,
}

/// Even beside the largest objects there are a few others.
const LEAST_OBJECT_BITS: u32 = 6;

/// Pointer layout and data model of one program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Machine {
    pub data_model: DataModel,
    pub object_bits: u32,
    pub offset_bits: u32,
}

impl Machine {
    /// The usual layout: 32 + 32 bits for LP64, 12 + 20 bits for ILP32.
    pub fn new(data_model: DataModel) -> Machine {
        match data_model {
            DataModel::Lp64 => Machine { data_model, object_bits: 32, offset_bits: 32 },
            DataModel::Ilp32 => Machine { data_model, object_bits: 12, offset_bits: 20 },
        }
    }

    /// The layout with just enough offset bits for an object of `bytes` bytes, and never fewer than the usual ones.
    /// `None`: no object of that size fits beside the object numbers.
    pub fn fitting(data_model: DataModel, bytes: u64) -> Option<Machine> {
        let usual = Machine::new(data_model);
        let most = usual.pointer_bits() - LEAST_OBJECT_BITS;
        (usual.offset_bits..=most)
            .map(|offset_bits| Machine { object_bits: usual.pointer_bits() - offset_bits, offset_bits, ..usual })
            .find(|machine| bytes < machine.object_limit())
    }

    /// The layout for all objects that ILP32 has room for, by pointers with more bits than in C. Such a pointer has no
    /// bytes: it is a value of variables, and no part of memory. No C type is as wide.
    pub fn wide() -> Machine {
        Machine { data_model: DataModel::Ilp32, object_bits: 24, offset_bits: 32 }
    }

    /// Whether it is [`Machine::wide`].
    pub fn is_wide(&self) -> bool {
        *self == Machine::wide()
    }

    /// Bits of a pointer in C.
    pub fn word_bits(&self) -> u32 {
        Machine::new(self.data_model).pointer_bits()
    }

    /// Bytes of a pointer in C.
    pub fn word_bytes(&self) -> u32 {
        self.word_bits() / 8
    }

    /// Objects have fewer bytes.
    pub fn object_limit(&self) -> u64 {
        (1 << self.offset_bits) - self.gap()
    }

    /// So far in front of an object there is nothing.
    fn gap(&self) -> u64 {
        1 << self.offset_bits.saturating_sub(4)
    }

    pub fn pointer_bits(&self) -> u32 {
        self.object_bits + self.offset_bits
    }

    /// Whether object numbers have so many bits that they do not run out.
    pub fn is_unbounded(&self) -> bool {
        self.object_bits > 64
    }

    pub fn pointer_bytes(&self) -> u32 {
        self.pointer_bits() / 8
    }

    /// The sort of pointers, sizes and offsets.
    pub fn pointer_sort(&self) -> Sort {
        Sort::Bv(self.pointer_bits())
    }

    pub fn object_sort(&self) -> Sort {
        Sort::Bv(self.object_bits)
    }

    /// How many objects there can be, the null object included.
    pub fn object_count(&self) -> u64 {
        1 << self.object_bits
    }

    /// Object number and offset of a pointer, as a number.
    pub fn parts_of(&self, pointer: u64) -> (u64, u64) {
        (pointer >> self.offset_bits, pointer & ((1 << self.offset_bits) - 1))
    }

    /// The pointer to byte 0 of object number `object`, as a number.
    pub fn address(&self, object: u64) -> u64 {
        object << self.offset_bits
    }

    /// The object number in pointer `p`: its high bits.
    pub fn object_of(&self, terms: &mut Store, p: Term) -> Term {
        terms.extract(p, self.pointer_bits() - 1, self.offset_bits)
    }

    /// The object that `p` was made from: it points into it, past its end, or somewhat before it.
    pub fn origin_of(&self, terms: &mut Store, p: Term) -> Term {
        let gap = terms.bv(self.gap().into(), self.pointer_bits());
        let moved = terms.add(p, gap);
        self.object_of(terms, moved)
    }

    /// For a pointer to before an object: one into it, and where it points itself, as a signed offset.
    pub fn from_before(&self, terms: &mut Store, p: Term) -> (Term, Term) {
        let gap = terms.bv(self.gap().into(), self.pointer_bits());
        let inside = terms.add(p, gap);
        let offset = self.offset_of(terms, inside);
        (inside, terms.sub(offset, gap))
    }

    /// Whether `p` points before the object that it was made from.
    pub fn is_before_object(&self, terms: &mut Store, p: Term) -> Term {
        let limit = terms.bv(self.object_limit().into(), self.pointer_bits());
        let offset = self.offset_of(terms, p);
        terms.ule(limit, offset)
    }

    /// The offset in pointer `p`, zero-extended to the pointer's width.
    pub fn offset_of(&self, terms: &mut Store, p: Term) -> Term {
        let low = terms.extract(p, self.offset_bits - 1, 0);
        terms.zext_to(low, self.pointer_bits())
    }
}
