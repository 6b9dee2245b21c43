//! What values of a type are made of: pointers or not, and which scalars.

use cfront::types::{Ty, Type};
use term::Sort;

use crate::context::Lowering;

/// Scalars of one type in a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaf {
    pub(crate) sort: Sort,
    pub(crate) bytes: u32,
    pub(crate) pointer: bool,
    pub(crate) offset: u64,
    pub(crate) count: u64,
    pub(crate) stride: u64,
}

impl Leaf {
    pub(crate) const BYTE: Leaf = Leaf { sort: Sort::Bv(8), bytes: 1, pointer: false, offset: 0, count: 1, stride: 1 };
}

/// Which parts of a value are asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Parts {
    /// All, and none may be bit-fields.
    Scalars,
    Pointers,
    Cells,
}

impl Lowering<'_> {
    pub(crate) fn has_pointers(&self, ty: Ty) -> bool {
        let types = &self.unit.types;
        match (types.record(ty), types.element(ty)) {
            (Some(id), _) => types.records[id].fields.iter().any(|field| self.has_pointers(field.ty)),
            (None, Some(of)) => self.has_pointers(of),
            (None, None) => types.is_pointer(ty) || matches!(types[ty], Type::VaList),
        }
    }

    /// Whether the type is an array, or has one inside.
    pub(crate) fn has_array(&self, ty: Ty) -> bool {
        let types = &self.unit.types;
        let record = types.record(ty).map(|id| &types.records[id]);
        types.element(ty).is_some() || record.is_some_and(|record| record.fields.iter().any(|f| self.has_array(f.ty)))
    }

    /// Whether values of the type may have addresses in them: pointers, and integers as wide where addresses are made integers.
    pub(crate) fn has_addresses(&self, ty: Ty) -> bool {
        let types = &self.unit.types;
        if let Some(id) = types.record(ty) {
            return types.records[id].fields.iter().any(|field| self.has_addresses(field.ty));
        }
        match types.element(ty) {
            Some(of) => self.has_addresses(of),
            None => self.has_pointers(ty) || self.is_address_like(ty),
        }
    }

    /// Whether it is an integer that holds addresses somewhere in the program.
    fn is_address_like(&self, ty: Ty) -> bool {
        let is_wide = self.sort(ty).and_then(Sort::bv_width) == Some(self.pointer_width());
        is_wide && self.unit.types.is_integer(ty) && !self.holders.is_empty()
    }

    /// The scalars that a value of the type is made of; none where it is not made of scalars that do not overlap.
    pub(crate) fn scalars_of(&self, ty: Ty) -> Option<Vec<Leaf>> {
        self.leaves_of(ty, Parts::Scalars)
    }

    /// The pointers in a value of the type, which may have other parts of any kind beside them; none where they overlap with others.
    pub(crate) fn pointers_of(&self, ty: Ty) -> Option<Vec<Leaf>> {
        self.leaves_of(ty, Parts::Pointers)
    }

    /// The same as [`Self::scalars_of`], with the bytes of bit-fields, which may be in it twice.
    pub(crate) fn cells_of(&self, ty: Ty) -> Option<Vec<Leaf>> {
        self.leaves_of(ty, Parts::Cells)
    }

    fn leaves_of(&self, ty: Ty, parts: Parts) -> Option<Vec<Leaf>> {
        let types = &self.unit.types;
        if parts == Parts::Pointers && !self.has_pointers(ty) {
            return Some(Vec::new());
        }
        if let Some(id) = types.record(ty) {
            let record = &types.records[id];
            let mut found = Vec::new();
            for field in &record.fields {
                if record.is_union || field.bits.is_some() && parts == Parts::Scalars {
                    return None;
                }
                if let Some(bits) = field.bits.filter(|_| parts == Parts::Cells) {
                    let count = (bits.offset % 8 + u64::from(bits.width)).div_ceil(8);
                    found.push(Leaf { offset: field.offset, count, ..Leaf::BYTE });
                    continue;
                }
                found.extend(
                    self.leaves_of(field.ty, parts)?
                        .into_iter()
                        .map(|leaf| Leaf { offset: leaf.offset + field.offset, ..leaf }),
                );
            }
            return Some(found);
        }
        if let Some(of) = types.element(ty) {
            let (all, one) = (types.size_of(ty)?, types.size_of(of)?);
            let count = all.checked_div(one)?;
            let inner = self.leaves_of(of, parts)?;
            return match &inner[..] {
                // Rows of rows are one row.
                [leaf] if leaf.count == 1 || leaf.stride * leaf.count == one => {
                    let stride = if leaf.count == 1 { one } else { leaf.stride };
                    Some(vec![Leaf { count: leaf.count * count, stride, ..*leaf }])
                }
                _ if count <= 16 => {
                    let at = |i: u64| inner.iter().map(move |leaf| Leaf { offset: leaf.offset + i * one, ..*leaf });
                    Some((0..count).flat_map(at).collect())
                }
                _ => None,
            };
        }
        let (bytes, pointer) = (self.storage(ty), types.is_pointer(ty));
        self.sort(ty).map(|sort| vec![Leaf { sort, bytes, pointer, offset: 0, count: 1, stride: bytes.into() }])
    }
}
