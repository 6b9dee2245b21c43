//! Initialisers of locals, and the bytes that any initialiser covers.
//!
//! What an initialiser does not mention is zero. Small gaps are filled by stores of zeros of the right types, which keep
//! memory typed; large ones by filling the object with zero bytes first.
//!
//! C says nothing of padding. Compilers clear the whole object before an initialiser that leaves something out, and store nothing
//! in the padding beside the members of one that does not. Beyond the member that a union is given, compilers differ: gcc clears the
//! object before version 15, and leaves those bytes since. So they do in bit-fields without a name: gcc clears the object, clang does not.

use cfa::{Op, Origin};
use cfront::hir::{Chosen, Expr, ExprKind, Init, InitPart, VarId};
use cfront::types::{BitField, Len, Ty, Type};
use std::collections::BTreeSet;
use term::{Sort, Term};

use crate::context::{Home, Lowering};
use crate::place::{Memory, Place, bit_container};

/// Up to this many zeros are stored one by one.
const SMALL: usize = 32;
/// Padding is looked for, byte by byte, in objects up to this size.
const PADDED: u64 = 4096;
/// Longer strings are copied, not spelled out.
const LONG_STRING: usize = 256;

impl Lowering<'_> {
    /// One past the last byte that the initialiser speaks of: more than the type's size for a flexible array member.
    pub(crate) fn extent(&self, init: &Init) -> u64 {
        match init {
            Init::Value(_) => 0,
            Init::Parts(parts, _) => parts.iter().map(|p| self.part_end(p)).max().unwrap_or(0),
        }
    }

    fn part_end(&self, part: &InitPart) -> u64 {
        match part.bits {
            Some(bits) => (bits.offset + u64::from(bits.width)).div_ceil(8),
            None => {
                let size = self.unit.types.size_of(part.ty).unwrap_or(match &part.value.kind {
                    ExprKind::Str(s) => self.string_size(*s),
                    _ => 0,
                });
                part.offset + size
            }
        }
    }

    /// Gives a local its initial value.
    pub(crate) fn initialise(&mut self, id: VarId, init: &Init) {
        let ty = self.unit.vars[id].ty;
        let target = match self.make_home(id) {
            Home::Scalar(var) => Place::Scalar(var),
            Home::Object(address) => Place::Memory(Memory::object(self.term(address), self.object_size(id))),
        };
        match (init, target) {
            (Init::Value(e), target) if self.sort(ty).is_some() => {
                let value = self.value(e);
                self.write(&target, value, ty, e);
            }
            // `int x = {}`: no parts, so zero.
            (Init::Parts(parts, _), target @ Place::Scalar(_)) => {
                let value = match parts.first() {
                    Some(part) => self.value(&part.value),
                    None => self.dummy(ty),
                };
                let named = parts.first().map(|p| p.value.clone()).unwrap_or(generated_zero(ty));
                self.write(&target, value, ty, &named);
            }
            (Init::Value(e), Place::Memory(memory)) => {
                if let ExprKind::Str(s) = e.kind {
                    let size = self.object_size(id).unwrap_or(0);
                    self.store_string(&memory, s, size);
                } else {
                    self.copy_record(&memory, e, e);
                }
            }
            (Init::Value(_), Place::Scalar(_)) => self.unsupported("an initialiser of this type"),
            (Init::Parts(parts, unions), Place::Memory(memory)) => {
                let size = self.object_size(id).unwrap_or(0);
                self.fill_gaps(&memory, ty, size, (parts, unions));
                let values: Vec<&Expr> = parts.iter().map(|part| &part.value).collect();
                let turns = self.orders(&values, "initialisers").unwrap_or_default();
                for (number, part) in parts.iter().enumerate() {
                    if turns.iter().all(|(_, turn)| *turn != number) {
                        self.store_part(&memory, part, size);
                    }
                }
                for (cond, number) in turns {
                    self.run_if(cond, |low| low.store_part(&memory, &parts[number], size));
                }
            }
        }
    }

    /// What the object has where the parts store nothing.
    fn fill_gaps(&mut self, memory: &Memory, ty: Ty, size: u64, (parts, unions): (&[InitPart], &[Chosen])) {
        let mut given: Vec<(u64, u64)> = parts.iter().map(|part| self.part_bits(part)).collect();
        given.sort_unstable();
        let mut list = List { given, unions, open: Vec::new() };
        if self.is_complete(ty, 0, &mut list) {
            let any = Origin::Extern(crate::UNDEFINED.to_owned());
            for (from, to) in list.open {
                let (start, len) = (self.address(&memory.clone().plus(from.into())), self.word(to - from));
                self.havoc_bytes(start, len, &any);
            }
        } else {
            self.clear(memory, ty, size, parts);
        }
    }

    /// The bits of the object that a part stores.
    fn part_bits(&self, part: &InitPart) -> (u64, u64) {
        match part.bits {
            Some(bits) => (bits.offset, bits.offset + u64::from(bits.width)),
            None => (8 * part.offset, 8 * self.part_end(part)),
        }
    }

    /// Whether the list leaves out no scalar of what has this type at this bit.
    fn is_complete(&self, ty: Ty, at: u64, list: &mut List<'_>) -> bool {
        let types = &self.unit.types;
        let bits = types.size_of(ty).unwrap_or(0) * 8;
        if list.covers(at, at + bits) {
            return true;
        }
        match types[ty] {
            Type::Array(of, Len::Const(n)) => {
                let Some(size) = types.size_of(of) else { return false };
                (0..n).all(|i| self.is_complete(of, at + i * size * 8, list))
            }
            // A flexible array member is no part of the object.
            Type::Array(..) => true,
            Type::Record(id) => {
                let record = &types.records[id];
                let is_given = |number: usize, list: &mut List<'_>| {
                    let field = &record.fields[number];
                    match field.bits {
                        Some(bits) => list.covers(at + bits.offset, at + bits.offset + u64::from(bits.width)),
                        None => self.is_complete(field.ty, at + 8 * field.offset, list),
                    }
                };
                if !record.is_union {
                    let complete = (0..record.fields.len()).all(|number| is_given(number, list));
                    let bytes = |bits: &BitField| {
                        (at + bits.offset) / 8..(at + bits.offset + u64::from(bits.width)).div_ceil(8)
                    };
                    list.open.extend(record.unnamed_bits.iter().map(bytes).map(|bytes| (bytes.start, bytes.end)));
                    return complete;
                }
                // Copies of a range designator are not in the list: any member that may be meant.
                let chosen =
                    list.unions.iter().find(|u| 8 * u.offset == at && u.record == id).map(|u| u.member as usize);
                let complete: Vec<usize> = (0..record.fields.len())
                    .filter(|number| chosen.is_none_or(|chosen| chosen == *number) && is_given(*number, list))
                    .collect();
                let end = |number: &usize| {
                    let field = &record.fields[*number];
                    match field.bits {
                        Some(bits) => (bits.offset + u64::from(bits.width)).div_ceil(8),
                        None => types.size_of(field.ty).unwrap_or(0),
                    }
                };
                let Some(from) = complete.iter().map(end).min() else { return record.fields.is_empty() };
                if from < record.size {
                    list.open.push((at / 8 + from, at / 8 + record.size));
                }
                true
            }
            _ => bits == 0,
        }
    }

    /// Clears the object but for what the parts store.
    fn clear(&mut self, memory: &Memory, ty: Ty, size: u64, parts: &[InitPart]) {
        let has_bits = parts.iter().any(|p| p.bits.is_some());
        let mut leaves = Vec::new();
        if !has_bits && self.leaves(ty, 0, &mut leaves) {
            let given: BTreeSet<u64> =
                parts.iter().flat_map(|p| p.offset..self.part_end(p).max(p.offset + 1).min(p.offset + 4096)).collect();
            let mut padding: BTreeSet<u64> = (0..size.min(PADDED)).filter(|byte| !given.contains(byte)).collect();
            for (offset, ty) in &leaves {
                let end = offset + self.unit.types.size_of(*ty).unwrap_or(0);
                padding.retain(|byte| !(*offset..end).contains(byte));
            }
            leaves.retain(|(offset, _)| !given.contains(offset));
            if leaves.len() + padding.len() <= SMALL && size <= PADDED {
                for offset in padding {
                    self.store_number(memory, offset, 0, 1);
                }
                for (offset, ty) in leaves {
                    let zero = self.dummy(ty);
                    let place = Place::Memory(memory.clone().plus(offset.into()));
                    self.write(&place, zero, ty, &generated_zero(ty));
                }
                return;
            }
        }
        let (dst, len) = (self.address(memory), self.word(size));
        let value = self.terms().bv(0, 8);
        self.emit(Op::Fill { dst, value, len });
    }

    /// The scalars inside the type. False: there are unions, bit-fields or just too many.
    fn leaves(&self, ty: Ty, offset: u64, out: &mut Vec<(u64, Ty)>) -> bool {
        const MANY: usize = 4 * SMALL;
        let types = &self.unit.types;
        match types[ty] {
            Type::Array(of, Len::Const(n)) => {
                let Some(size) = types.size_of(of) else { return false };
                (0..n).all(|i| out.len() < MANY && self.leaves(of, offset + i * size, out))
            }
            Type::Record(id) => {
                let record = &types.records[id];
                !record.is_union
                    && !record.flexible
                    && record.fields.iter().all(|f| f.bits.is_none() && self.leaves(f.ty, offset + f.offset, out))
            }
            _ if self.sort(ty).is_some() => {
                out.push((offset, ty));
                true
            }
            _ => false,
        }
    }

    pub(crate) fn store_part(&mut self, memory: &Memory, part: &InitPart, size: u64) {
        if let Some(bits) = part.bits {
            let declared = self.unit.types.size_of(part.ty).unwrap_or(0);
            let (start, bits) = bit_container(bits, declared, size, self.is_signed(part.ty));
            let place = Place::Memory(Memory { bits: Some(bits), ..memory.clone().plus(start.into()) });
            let mut value = self.value(&part.value);
            if let Some(Sort::Bv(width)) = self.sort(part.ty) {
                value = self.terms().resize(value, width, bits.signed);
            }
            self.write(&place, value, part.ty, &part.value);
            return;
        }
        let at = memory.clone().plus(part.offset.into());
        match &part.value.kind {
            ExprKind::Str(s) if self.unit.types.is_array(part.ty) => {
                let room = self.unit.types.size_of(part.ty).unwrap_or(self.string_size(*s));
                self.store_string(&at, *s, room);
            }
            _ if self.sort(part.ty).is_some() => {
                let value = self.value(&part.value);
                self.write(&Place::Memory(at), value, part.ty, &part.value);
            }
            _ => self.copy_record(&at, &part.value, &part.value),
        }
    }

    /// The elements of a string literal that fit, then zeros to the end of the array of `room` bytes.
    fn store_string(&mut self, memory: &Memory, s: cfront::hir::StrId, room: u64) {
        let unit = self.unit;
        let string = &unit.strings[s];
        let elem = unit.types.size_of(string.elem).unwrap_or(1);
        let count = (room / elem).min(string.units.len() as u64);
        if count as usize > LONG_STRING {
            let src = self.string_address(s);
            let (dst, len) = (self.address(memory), self.word(count * elem));
            self.emit(Op::Copy { dst, src, len });
        } else {
            let characters = self.characters(&string.units, 8 * elem as u32);
            for (i, value) in characters.into_iter().take(count as usize).enumerate() {
                self.store_value(memory, i as u64 * elem, value, elem as u32);
            }
        }
        let rest = room - count * elem;
        if rest > 0 && rest / elem <= SMALL as u64 {
            for i in count..room / elem {
                self.store_number(memory, i * elem, 0, elem as u32);
            }
        } else if rest > 0 {
            let start = self.address(&memory.clone().plus((count * elem).into()));
            let value = self.terms().bv(0, 8);
            let len = self.word(rest);
            self.emit(Op::Fill { dst: start, value, len });
        }
    }

    /// Stores a constant into an object's own bytes.
    pub(crate) fn store_number(&mut self, memory: &Memory, offset: u64, value: u128, bytes: u32) {
        let value = self.terms().bv(value, 8 * bytes);
        self.store_value(memory, offset, value, bytes);
    }

    pub(crate) fn store_value(&mut self, memory: &Memory, offset: u64, value: Term, bytes: u32) {
        let addr = self.address(&memory.clone().plus(offset.into()));
        self.emit(Op::Store { addr, value, bytes });
    }
}

/// What a list of parts gives.
struct List<'a> {
    /// The bits that they store, in order.
    given: Vec<(u64, u64)>,
    unions: &'a [Chosen],
    /// Bytes of unions beyond their members.
    open: Vec<(u64, u64)>,
}

impl List<'_> {
    fn covers(&self, mut from: u64, to: u64) -> bool {
        let first = self.given.partition_point(|(start, _)| *start <= from).saturating_sub(1);
        for (start, end) in &self.given[first.min(self.given.len())..] {
            if from >= to || *start > from {
                break;
            }
            from = from.max(*end);
        }
        from >= to
    }
}

/// An expression to name in messages where the source has none.
fn generated_zero(ty: Ty) -> Expr {
    Expr { kind: ExprKind::Int(0), ty, span: base::Span::nowhere() }
}
