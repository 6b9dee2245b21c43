//! Reading and writing slots: from a place and a width to terms over the variables of its region.
//!
//! Bytes are little-endian. Floats are read from bits with `from_bits`; the other way there is no function (NaN has many
//! encodings), so a store of a float into slots that hold bits takes an arbitrary bit pattern of that value.

use super::address::{Place, Target};
use super::encode::Encoder;
use super::layout::{IndexForm, Parts, Region, Storage};
use base::Id;
use cfa::Var;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use term::{Format, Sort, Store, Term};

/// A parallel assignment in the making: later writes see earlier ones to the same array.
#[derive(Clone, Debug, Default)]
pub(super) struct Updates {
    list: Vec<(Var, Term)>,
    at: FxHashMap<Var, usize>,
}

impl Updates {
    pub(super) fn get(&self, v: Var) -> Option<Term> {
        self.at.get(&v).map(|i| self.list[*i].1)
    }

    pub(super) fn set(&mut self, v: Var, t: Term) {
        match self.at.get(&v) {
            Some(i) => self.list[*i].1 = t,
            None => {
                self.at.insert(v, self.list.len());
                self.list.push((v, t));
            }
        }
    }

    pub(super) fn into_list(self) -> Vec<(Var, Term)> {
        self.list
    }
}

/// A slot that an access covers, in the element `delta` after the one it starts in; `from` bytes into the access.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub(super) slot: usize,
    pub(super) delta: i64,
    pub(super) from: u32,
}

/// The slots of `width` bytes from `residue` on; `None` when nobody accesses these bytes.
pub(super) fn pieces(region: &Region, residue: i64, width: u32) -> Option<Vec<Piece>> {
    let stride = region.stride as i64;
    let mut pieces = Vec::new();
    let mut from = 0;
    while from < width {
        let position = residue + from as i64;
        let (lo, delta) =
            if stride > 0 { (position.rem_euclid(stride), position.div_euclid(stride)) } else { (position, 0) };
        let slot = region.slots.binary_search_by_key(&lo, |s| s.lo).ok()?;
        pieces.push(Piece { slot, delta, from });
        from += region.slots[slot].width;
    }
    (from == width).then_some(pieces)
}

const SEEN: &str = "the analysis has seen every access";

impl Encoder<'_> {
    pub(super) fn region(&self, place: &Place) -> &Rc<Region> {
        self.regions[place.class.index()].as_ref().expect("every class has a region")
    }

    /// The value of `width` bytes at a place: a float of the format, or bits.
    pub(super) fn read(&mut self, place: &Place, width: u32, format: Option<Format>, old: &Updates) -> Term {
        let region = self.region(place);
        let pieces = pieces(region, place.residue, width).expect(SEEN);
        if let ([piece], Some(_)) = (&pieces[..], format)
            && region.slots[piece.slot].format == format
        {
            return self.read_slot(place, *piece, old);
        }
        let mut bits: Option<Term> = None;
        for piece in pieces {
            let part = self.read_slot(place, piece, old);
            bits = Some(bits.map_or(part, |low| self.program.terms.concat(part, low)));
        }
        let bits = bits.expect("an access has bytes");
        match format {
            Some(format) => float_of_bits(&mut self.program.terms, format, bits),
            None => bits,
        }
    }

    /// The index of an element near the place, in arrays of the region.
    fn moved(&mut self, region: &Region, index: Term, delta: i64) -> Term {
        if delta == 0 {
            return index;
        }
        let step = if region.index == IndexForm::Start { region.stride as i64 } else { 1 };
        let width = self.program.terms.width(index);
        let by = self.program.terms.bv_signed((delta * step).into(), width);
        self.program.terms.add(index, by)
    }

    pub(super) fn read_slot(&mut self, place: &Place, piece: Piece, old: &Updates) -> Term {
        let region = self.region(place).clone();
        let sort = region.slots[piece.slot].sort();
        let current = |this: &Self, v: Var| old.get(v).unwrap_or_else(|| this.program.term(v));
        match &region.storage {
            Storage::Shared(arrays) => {
                let array = current(self, arrays[piece.slot]);
                let index = self.moved(&region, place.shared_index.expect("computed for shared regions"), piece.delta);
                self.program.terms.select(array, index)
            }
            Storage::Split(parts) => {
                let mut value: Option<Term> = None;
                for (i, &object) in region.objects.iter().enumerate().rev() {
                    if matches!(place.target, Target::Known(known) if known != object) {
                        continue;
                    }
                    let own = match &parts[i] {
                        Parts::Scalars(vars) => match vars[piece.slot] {
                            Some(v) if piece.delta == 0 => current(self, v),
                            _ => continue,
                        },
                        Parts::Arrays(arrays) => {
                            let array = current(self, arrays[piece.slot]);
                            let index = place.split_index.expect("computed for regions with a stride");
                            let index = self.moved(&region, index, piece.delta);
                            self.program.terms.select(array, index)
                        }
                    };
                    value = Some(match (value, place.target) {
                        (Some(other), Target::Number(number)) => {
                            let k = self.objects.plans[object].number.unwrap_or(0);
                            let is = self.is_number(number, k);
                            self.program.terms.ite(is, own, other)
                        }
                        _ => own,
                    });
                }
                // Outside every object: no execution that the language defines gets here.
                value.unwrap_or_else(|| zero(&mut self.program.terms, sort))
            }
        }
    }

    /// Writes one slot, where `guard` holds.
    pub(super) fn write_slot(
        &mut self,
        place: &Place,
        piece: Piece,
        value: Term,
        guard: Option<Term>,
        updates: &mut Updates,
    ) {
        let region = self.region(place).clone();
        match &region.storage {
            Storage::Shared(arrays) => {
                let var = arrays[piece.slot];
                let old = updates.get(var).unwrap_or_else(|| self.program.term(var));
                let index = self.moved(&region, place.shared_index.expect("computed for shared regions"), piece.delta);
                let new = self.program.terms.store(old, index, value);
                let new = self.guarded(guard, new, old);
                updates.set(var, new);
            }
            Storage::Split(parts) => {
                for (i, &object) in region.objects.iter().enumerate() {
                    if matches!(place.target, Target::Known(known) if known != object) {
                        continue;
                    }
                    let var = match &parts[i] {
                        Parts::Scalars(vars) => match vars[piece.slot] {
                            Some(v) if piece.delta == 0 => v,
                            _ => continue,
                        },
                        Parts::Arrays(arrays) => arrays[piece.slot],
                    };
                    let old = updates.get(var).unwrap_or_else(|| self.program.term(var));
                    let new = match &parts[i] {
                        Parts::Scalars(_) => value,
                        Parts::Arrays(_) => {
                            let index = place.split_index.expect("computed for regions with a stride");
                            let index = self.moved(&region, index, piece.delta);
                            self.program.terms.store(old, index, value)
                        }
                    };
                    let is = match place.target {
                        Target::Number(number) if region.objects.len() > 1 => {
                            let k = self.objects.plans[object].number.unwrap_or(0);
                            Some(self.is_number(number, k))
                        }
                        _ => None,
                    };
                    let new = self.guarded(is, new, old);
                    let new = self.guarded(guard, new, old);
                    updates.set(var, new);
                }
            }
        }
    }

    fn guarded(&mut self, guard: Option<Term>, new: Term, old: Term) -> Term {
        match guard {
            Some(guard) => self.program.terms.ite(guard, new, old),
            None => new,
        }
    }

    /// Writes a value of `width` bytes, given as a float that a slot takes whole, or as bits.
    pub(super) fn write(&mut self, place: &Place, width: u32, value: Term, updates: &mut Updates) {
        let region = self.region(place).clone();
        let pieces = pieces(&region, place.residue, width).expect(SEEN);
        for piece in pieces {
            let slot = region.slots[piece.slot];
            let part = if self.program.terms.sort(value) == slot.sort() {
                value
            } else {
                self.program.terms.extract(value, 8 * (piece.from + slot.width) - 1, 8 * piece.from)
            };
            self.write_slot(place, piece, part, None, updates);
        }
    }

    /// Does one slot at the place hold floats of this format?
    pub(super) fn holds_float(&self, place: &Place, width: u32, format: Format) -> bool {
        let region = self.region(place);
        matches!(pieces(region, place.residue, width).expect(SEEN)[..], [p] if region.slots[p.slot].format == Some(format))
    }
}

/// False, zero, `+0`.
pub(super) fn zero(terms: &mut Store, sort: Sort) -> Term {
    terms.value(&term::Value::zero(sort))
}

/// The float that `bits`, as they lie in memory, stand for.
pub(super) fn float_of_bits(terms: &mut Store, format: Format, bits: Term) -> Term {
    let packed = if format == Format::X87 {
        // The explicit integer bit, and padding above bit 79, are no part of the value.
        let high = terms.extract(bits, 79, 64);
        let low = terms.extract(bits, 62, 0);
        terms.concat(high, low)
    } else if terms.width(bits) > format.width() {
        terms.extract(bits, format.width() - 1, 0)
    } else {
        bits
    };
    terms.fp_from_bits(format, packed)
}

/// Packed bits of a float as they lie in `bytes` bytes of memory.
pub(super) fn bits_in_memory(terms: &mut Store, format: Format, packed: Term, bytes: u32) -> Term {
    let bits = if format == Format::X87 {
        let high = terms.extract(packed, 78, 63);
        let low = terms.extract(packed, 62, 0);
        let exponent = terms.extract(packed, 77, 63);
        let normal = terms.nonzero(exponent);
        let integer = terms.bool_to_bv(normal, 1);
        let significand = terms.concat(integer, low);
        terms.concat(high, significand)
    } else {
        packed
    };
    terms.zext_to(bits, 8 * bytes)
}
