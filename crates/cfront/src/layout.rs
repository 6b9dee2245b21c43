//! Sizes and alignments, and the layout of structs and unions as gcc does it on x86 (System V; `PCC_BITFIELD_TYPE_MATTERS` in gcc's terms).
//!
//! A bit-field goes at the next free bit unless it would then span more alignment units of its declared type than that
//! type has; an unnamed one of width zero moves on to the next unit. On i386, 8-byte members are aligned to 4.
//! `#pragma pack` bounds every alignment that a member has or asks for, and a bit-field has that of its type then, packed or not.

use crate::types::{BitField, DataModel, Field, FloatKind, IntKind, Len, RecordId, Ty, Type, Types};

/// A member as declared. `bits` is the width of a bit-field.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) name: Option<String>,
    pub(crate) ty: Ty,
    pub(crate) bits: Option<u32>,
    /// `aligned(n)` on the member, `_Alignas(n)`. (That of a typedef is in the type.)
    pub(crate) align: Option<u64>,
    pub(crate) packed: bool,
}

/// What the attributes of the record ask for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RecordAttributes {
    pub(crate) packed: bool,
    pub(crate) align: Option<u64>,
    /// `#pragma pack(n)`.
    pub(crate) max_member_align: Option<u64>,
    pub(crate) transparent: bool,
}

/// No object may be this large (gcc refuses more than half of the address space).
pub(crate) fn max_object_size(types: &Types) -> u64 {
    (1 << (types.model().word() * 8 - 1)) - 1
}

impl Types {
    /// Bytes of an object of the type; None when incomplete or variable. As gcc: 1 for `void` and functions.
    pub fn size_of(&self, ty: Ty) -> Option<u64> {
        match self[ty] {
            Type::Void | Type::Bool | Type::Function(_) => Some(1),
            Type::Int(kind) => Some(u64::from(kind.width(self.model())).div_ceil(8).next_power_of_two()),
            Type::Float(kind) => Some(kind.size(self.model())),
            Type::Complex(of) => self.size_of(of).map(|size| 2 * size),
            Type::Pointer(_) => Some(self.model().word()),
            Type::Array(of, Len::Const(n)) => self.size_of(of)?.checked_mul(n),
            Type::Array(..) => None,
            Type::Record(id) => self.records[id].complete.then_some(self.records[id].size),
            Type::Enum(id) => Some(u64::from(self.enums[id].underlying.width(self.model()) / 8)),
            Type::VaList => Some(if self.model() == DataModel::Lp64 { 24 } else { 4 }),
            Type::Vector(_, bytes) => Some(bytes),
        }
    }

    /// Alignment in bytes of an object of its own (`_Alignof` as gcc's `__alignof__` gives it; i386 gives 8 for
    /// `double` and `long long` here although members are aligned to 4, see [`Types::member_align`]).
    pub fn align_of(&self, ty: Ty) -> u64 {
        if ty.is_atomic() {
            return self.atomic_align(ty, self.align_of(ty.without_atomic()));
        }
        if let Some(asked) = ty.asked_align() {
            return asked;
        }
        match self[ty] {
            // That of an atomic element counts where it stands alone only.
            Type::Array(of, _) => self.align_of(of.without_atomic()),
            Type::Record(id) => self.records[id].align.max(1),
            Type::Complex(of) => self.align_of(of),
            Type::Float(kind) => self.float_align(kind),
            Type::VaList => self.model().word(),
            Type::Vector(_, bytes) => bytes.next_power_of_two(),
            _ => self.size_of(ty).unwrap_or(1).max(1),
        }
    }

    /// gcc aligns what one instruction can read, an atomic object of 1, 2, 4, 8 or 16 bytes, to its size at least.
    fn atomic_align(&self, ty: Ty, plain: u64) -> u64 {
        self.size_of(ty).filter(|size| size.is_power_of_two() && *size <= 16).map_or(plain, |size| size.max(plain))
    }

    fn float_align(&self, kind: FloatKind) -> u64 {
        match (kind, self.model()) {
            (FloatKind::LongDouble, DataModel::Ilp32) => 4,
            _ => kind.size(self.model()),
        }
    }

    /// Alignment inside a struct: the i386 ABI caps the 8-byte scalars at 4.
    pub fn member_align(&self, ty: Ty) -> u64 {
        if ty.is_atomic() {
            return self.atomic_align(ty, self.member_align(ty.without_atomic()));
        }
        if let Some(asked) = ty.asked_align() {
            return asked;
        }
        match self[ty] {
            Type::Array(of, _) if of.is_atomic() => self.align_of(ty),
            Type::Array(of, _) => self.member_align(of),
            Type::Record(_) | Type::Vector(..) => self.align_of(ty),
            Type::Float(FloatKind::Float128) | Type::Int(IntKind::Int128 | IntKind::UInt128) => 16,
            _ if self.model() == DataModel::Ilp32 => self.align_of(ty).min(4),
            _ => self.align_of(ty),
        }
    }

    /// Completes the record; `Err` when it is too large.
    pub(crate) fn lay_out(
        &mut self,
        id: RecordId,
        members: Vec<Member>,
        attributes: RecordAttributes,
    ) -> Result<(), String> {
        let is_union = self.records[id].is_union;
        let limit = max_object_size(self).saturating_mul(8);
        let (mut fields, mut unnamed_bits) = (Vec::with_capacity(members.len()), Vec::new());
        let mut align: u64 = 1;
        let mut end_bits: u64 = 0; // of the furthest member
        let mut pos: u64 = 0; // next free bit
        let mut flexible = false;
        let too_large = || "type is too large".to_owned();
        for member in members {
            if is_union {
                pos = 0;
            }
            let packed = member.packed || attributes.packed;
            let natural = self.member_align(member.ty);
            let capped = |a: u64| attributes.max_member_align.map_or(a, |max| a.min(max));
            let size_bits = match member.bits {
                Some(width) => u64::from(width),
                None => self.size_of(member.ty).unwrap_or(0).checked_mul(8).ok_or_else(too_large)?,
            };
            match member.bits {
                Some(0) => {
                    let unit = member.align.unwrap_or(natural).max(natural) * 8;
                    pos = pos.next_multiple_of(unit);
                    if let Some(asked) = member.align {
                        align = align.max(asked);
                    }
                    end_bits = end_bits.max(pos);
                    continue;
                }
                Some(_) => {
                    if let Some(asked) = member.align.map(capped) {
                        pos = pos.next_multiple_of(asked * 8);
                        align = align.max(asked);
                    }
                    let type_bits = self.size_of(member.ty).unwrap_or(4) * 8;
                    let unit = if packed { 8 } else { capped(natural) * 8 };
                    let spans_too_many = (pos % unit + size_bits).div_ceil(unit) > type_bits / unit;
                    if !packed && attributes.max_member_align.is_none() && spans_too_many {
                        pos = pos.next_multiple_of(unit);
                    }
                    if member.name.is_some() {
                        let is_small = packed && attributes.max_member_align.is_none();
                        align = align.max(if is_small { 1 } else { capped(natural) });
                    }
                }
                None => {
                    let base = if packed { 1 } else { natural };
                    let own = capped(member.align.map_or(base, |asked| asked.max(base)));
                    pos = pos.checked_next_multiple_of(own * 8).ok_or_else(too_large)?;
                    align = align.max(own);
                }
            }
            let start = pos;
            pos = pos.checked_add(size_bits).filter(|&p| p <= limit).ok_or_else(too_large)?;
            end_bits = end_bits.max(pos);
            flexible = match self[member.ty] {
                Type::Array(_, Len::Unknown | Len::Const(0)) => true,
                Type::Record(inner) => self.records[inner].flexible,
                _ => false,
            } || (is_union && flexible);
            let bits = member.bits.map(|width| BitField { offset: start, width });
            match bits {
                Some(bits) if member.name.is_none() => unnamed_bits.push(bits),
                _ => fields.push(Field { name: member.name, ty: member.ty, offset: start / 8, bits }),
            }
        }
        if let Some(asked) = attributes.align {
            align = align.max(asked);
        }
        let size = end_bits.div_ceil(8).checked_next_multiple_of(align).ok_or_else(too_large)?;
        let record = &mut self.records[id];
        record.fields = fields;
        record.unnamed_bits = unnamed_bits;
        record.size = size;
        record.align = align;
        record.flexible = flexible;
        record.transparent = attributes.transparent;
        record.complete = true;
        Ok(())
    }
}
