//! Addresses as sums: where in which region an access goes, and by what index.
//!
//! `&a + 4·i` becomes element `i` of the array of `a`: the sum is taken apart, the known base contributes a constant, and
//! coefficients are divided by the stride. What is computed modulo the pointer's width stays right modulo the width of the
//! index, because the stride is a power of two there; other strides index by byte offset, or by element
//! where nothing can wrap around ([`IndexForm::Plain`]).

use super::congruence::sign_extended;
use super::encode::Encoder;
use super::layout::{IndexForm, Region};
use super::objects::Objects;
use super::points_to::{Object, PointsTo};
use super::scaled::Index;
use super::values::{Class, constant};
use crate::limits::memory::MAX_ATOMS;
use base::Id;
use std::collections::BTreeSet;
use term::{Op, Store, Term};

/// `Σ coefficient · term + constant`, modulo the width of the terms.
#[derive(Clone, Debug, Default)]
pub(super) struct Sum {
    pub(super) atoms: Vec<(i64, Term)>,
    pub(super) constant: i64,
}

impl Sum {
    /// Takes `t` apart; `None` when it has too many summands.
    pub(super) fn of(store: &Store, t: Term) -> Option<Sum> {
        Sum::down_to(store, t, |_| false)
    }

    /// Takes `t` apart, but not what is to be an atom in it.
    pub(super) fn down_to(store: &Store, whole: Term, is_atom: impl Fn(Term) -> bool) -> Option<Sum> {
        let mut sum = Sum::default();
        let mut work = vec![(1i64, whole)];
        while let Some((k, t)) = work.pop() {
            if sum.atoms.len() + work.len() > MAX_ATOMS {
                return None;
            }
            if t != whole && is_atom(t) {
                sum.atoms.push((k, t));
                continue;
            }
            let args = store.args(t);
            match store.op(t) {
                Op::BvConst(_) => {
                    let c = constant(store, t)?;
                    sum.constant = sum.constant.wrapping_add(k.wrapping_mul(c));
                }
                Op::BvAdd => work.extend([(k, args[1]), (k, args[0])]),
                Op::BvNeg => work.push((k.wrapping_neg(), args[0])),
                Op::BvMul => match constant(store, args[1]) {
                    Some(c) => work.push((k.wrapping_mul(c), args[0])),
                    None => sum.atoms.push((k, t)),
                },
                Op::BvShl => match constant(store, args[1]) {
                    Some(by) if (0..63).contains(&by) => work.push((k.wrapping_mul(1 << by), args[0])),
                    _ => sum.atoms.push((k, t)),
                },
                // The high part counts in units of the low part, which is zero; bits above it do not matter.
                Op::Concat if constant(store, args[1]) == Some(0) && store.width(args[1]) < 63 => {
                    let scale = 1i64 << store.width(args[1]);
                    sum.atoms.push((k.wrapping_mul(scale), args[0]));
                }
                _ => sum.atoms.push((k, t)),
            }
        }
        let width = store.width(whole);
        sum.constant = sign_extended(sum.constant, width);
        for (k, _) in &mut sum.atoms {
            *k = sign_extended(*k, width);
        }
        Some(sum)
    }
}

/// The low `width` bits of `t`; where `t` is narrower, bits that it has no say in.
pub(super) fn low_bits(store: &mut Store, t: Term, width: u32) -> Term {
    let own = store.width(t);
    let inner = match store.op(t) {
        Op::SignExtend(_) | Op::ZeroExtend(_) => Some(store.arg(t, 0)),
        _ => None,
    };
    match (inner, store.op(t)) {
        (Some(inner), Op::SignExtend(_)) => store.resize(inner, width, true),
        (Some(inner), _) => store.resize(inner, width, false),
        _ if own == width => t,
        _ => store.resize(t, width, true),
    }
}

/// Are all accesses to the class constants plus scaled indices without any wrapping? Indexed by class.
pub(super) fn plain_classes(points: &PointsTo<'_>) -> Vec<bool> {
    let mut plain = vec![true; points.classes.len()];
    let store = &points.program.terms;
    let mut check = |t: Term| {
        let Some(p) = points.pointer(t) else { return };
        let stride = points.classes[p.class].stride;
        if stride > 0 && plain[p.class.index()] {
            let near = points.guesses.scaled.indices(store, &[t]);
            plain[p.class.index()] =
                Sum::of(store, t).is_some_and(|sum| is_plain(points, &sum, &near, p.class, stride));
        }
    };
    for access in &points.accesses {
        check(access.addr);
    }
    for bulk in &points.bulks {
        check(bulk.dst);
        if let Some(src) = bulk.src {
            check(src);
        }
    }
    plain
}

/// `near`: what is known to fit into fewer bits than it has.
fn is_plain(points: &PointsTo<'_>, sum: &Sum, near: &BTreeSet<Index>, class: Class, stride: u64) -> bool {
    let mut bases = 0;
    let mut reach: i128 = 0;
    for &(k, t) in &sum.atoms {
        match points.pointer(t) {
            Some(p) => {
                let exact = p.class == class && !p.mangled && p.offset.is_exact();
                if k != 1 || !exact {
                    return false;
                }
                bases += 1;
            }
            None => {
                if k % stride as i64 != 0 || k.unsigned_abs() > 1 << 40 || points.value(t).negated.is_some() {
                    return false;
                }
                let known = near.iter().filter(|index| index.term == t).map(|index| index.bits).min();
                let bits = points.transfer.bits(t).min(known.unwrap_or(64)).min(64);
                reach += i128::from(k).abs() << (bits - 1);
            }
        }
    }
    bases == 1 && reach + i128::from(sum.constant).abs() < 1 << (points.program.machine.pointer_bits() - 2)
}

/// Which object an access goes to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    /// This one, whatever the number in the pointer says.
    Known(Object),
    /// The one with this number.
    Number(Term),
}

/// A place that an access starts at.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// That of the contents: where objects are taken apart, the one of the two.
    pub(super) class: Class,
    /// Offset, modulo the stride if there is one.
    pub(super) residue: i64,
    pub(super) target: Target,
    /// Index of the element in arrays of one object.
    pub(super) split_index: Option<Term>,
    /// Index in arrays of all objects.
    pub(super) shared_index: Option<Term>,
}

/// An address that the analysis knows, moved by `constant` bytes and `scale · counter` bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Address {
    pub(super) base: Term,
    pub(super) constant: i64,
    pub(super) step: Option<(i64, Term)>,
}

impl Address {
    pub(super) fn of(base: Term) -> Address {
        Address { base, constant: 0, step: None }
    }
}

impl Encoder<'_> {
    /// The place that an address names; `None` when it points to no object at all.
    pub(super) fn place(&mut self, address: Address) -> Option<Place> {
        let p = self.points.pointer(address.base)?;
        let class = self.points.part_at(p, address.constant);
        let region = self.regions[class.index()].clone().expect("every class has a region");
        let stride = region.stride as i64;
        let residue = p.offset.r.wrapping_add(address.constant);
        let residue = if stride > 0 { residue.rem_euclid(stride) } else { residue };
        let sum = Sum::of(&self.program.terms, address.base).map(|mut sum| {
            sum.constant = sum.constant.wrapping_add(address.constant);
            sum.atoms.extend(address.step);
            sum
        });
        let target = self.target(&address, sum.as_ref(), &region);
        let mut place = Place { class, residue, target, split_index: None, shared_index: None };
        match region.storage {
            super::layout::Storage::Split(_) if stride > 0 => {
                place.split_index = Some(self.element(&address, sum.as_ref(), p.class, &region, residue));
            }
            super::layout::Storage::Shared(_) => {
                place.shared_index = Some(self.shared_index(&address, sum.as_ref(), &place, &region));
            }
            super::layout::Storage::Split(_) => {}
        }
        Some(place)
    }

    fn target(&mut self, address: &Address, sum: Option<&Sum>, region: &Region) -> Target {
        if let [object] = region.objects[..]
            && self.objects.plans[object].number.is_some()
        {
            return Target::Known(object);
        }
        let mut pointers = sum.into_iter().flat_map(|s| &s.atoms).filter(|(_, t)| self.points.pointer(*t).is_some());
        if let (Some(&(1, base)), None) = (pointers.next(), pointers.next()) {
            if let Some(object) = pinned(&self.objects, &self.program, base) {
                return Target::Known(object);
            }
            // A pointer inside its object names it even before anything is added.
            let limit = 1i64 << self.program.machine.offset_bits.min(62);
            let offset = self.points.pointer(base).and_then(|p| p.offset.as_exact());
            if offset.is_some_and(|o| (0..limit).contains(&o)) {
                let machine = self.program.machine;
                return Target::Number(machine.object_of(&mut self.program.terms, base));
            }
        }
        let address = self.address(address);
        let machine = self.program.machine;
        Target::Number(machine.object_of(&mut self.program.terms, address))
    }

    /// The address as one term.
    pub(super) fn address(&mut self, address: &Address) -> Term {
        let width = self.program.machine.pointer_bits();
        let terms = &mut self.program.terms;
        let constant = terms.bv_signed(address.constant.into(), width);
        let mut sum = terms.add(address.base, constant);
        if let Some((k, t)) = address.step {
            let k = terms.bv_signed(k.into(), width);
            let t = low_bits(terms, t, width);
            let bytes = terms.mul(t, k);
            sum = terms.add(sum, bytes);
        }
        sum
    }

    /// The object number in a pointer-like target.
    pub(super) fn object_number(&mut self, target: Target) -> Term {
        let bits = self.program.machine.object_bits;
        match target {
            Target::Known(o) => self.program.terms.bv(self.objects.plans[o].number.unwrap_or(0).into(), bits),
            Target::Number(t) => t,
        }
    }

    /// The index of the element in arrays of a single object.
    fn element(&mut self, address: &Address, sum: Option<&Sum>, class: Class, region: &Region, residue: i64) -> Term {
        let offset_bits = self.program.machine.offset_bits;
        let (width, stride) = match region.index {
            IndexForm::Bits { shift } => (offset_bits - shift, 1i64 << shift),
            IndexForm::Plain => (32, region.stride as i64),
            IndexForm::Start => (offset_bits, 1),
        };
        if let Some(sum) = sum
            && let Some(index) = self.divided(sum, class, region, residue, width, stride)
        {
            return index;
        }
        let address = self.address(address);
        let terms = &mut self.program.terms;
        match region.index {
            IndexForm::Bits { shift } => terms.extract(address, offset_bits - 1, shift),
            IndexForm::Start | IndexForm::Plain => {
                let offset = terms.extract(address, offset_bits - 1, 0);
                let residue = terms.bv_signed((-residue).into(), offset_bits);
                terms.add(offset, residue)
            }
        }
    }

    /// `(sum - residue) / stride`, term by term.
    fn divided(
        &mut self,
        sum: &Sum,
        class: Class,
        region: &Region,
        residue: i64,
        width: u32,
        stride: i64,
    ) -> Option<Term> {
        let mut constant = sum.constant.wrapping_sub(residue);
        let mut parts: Vec<(i64, Term)> = Vec::new();
        for &(k, t) in &sum.atoms {
            match self.points.pointer(t) {
                Some(p) => {
                    if k != 1 || p.class != class || p.mangled {
                        return None;
                    }
                    match (p.offset.as_exact(), region.index) {
                        (Some(offset), _) => constant = constant.wrapping_add(offset),
                        (None, IndexForm::Bits { shift }) => {
                            constant = constant.wrapping_add(p.offset.r.rem_euclid(stride));
                            let hi = self.program.machine.offset_bits - 1;
                            let part = self.program.terms.extract(t, hi, shift);
                            parts.push((1, part));
                        }
                        (None, _) => {
                            let hi = self.program.machine.offset_bits - 1;
                            let part = self.program.terms.extract(t, hi, 0);
                            parts.push((1, part));
                        }
                    }
                }
                None => {
                    if k % stride != 0 {
                        return None;
                    }
                    let part = low_bits(&mut self.program.terms, t, width);
                    parts.push((k / stride, part));
                }
            }
        }
        if constant % stride != 0 {
            return None;
        }
        let terms = &mut self.program.terms;
        let mut index = terms.bv_signed((constant / stride).into(), width);
        for (k, part) in parts.into_iter().rev() {
            let k = terms.bv_signed(k.into(), width);
            let product = terms.mul(part, k);
            index = terms.add(product, index);
        }
        Some(index)
    }

    fn shared_index(&mut self, address: &Address, sum: Option<&Sum>, place: &Place, region: &Region) -> Term {
        if region.stride == 0 && !region.by_pointer {
            return self.object_number(place.target);
        }
        let machine = self.program.machine;
        match region.index {
            IndexForm::Bits { shift } => {
                if let Target::Known(_) = place.target {
                    let object = self.object_number(place.target);
                    let owner = self.points.owner_of(place.class);
                    let element = self.element(address, sum, owner, region, place.residue);
                    return self.program.terms.concat(object, element);
                }
                let address = self.address(address);
                self.program.terms.extract(address, machine.pointer_bits() - 1, shift)
            }
            IndexForm::Plain | IndexForm::Start => {
                let start = Address { constant: address.constant.wrapping_sub(place.residue), ..*address };
                self.address(&start)
            }
        }
    }
}

/// The object whose address `t` is, always.
fn pinned(objects: &Objects, program: &cfa::Program, t: Term) -> Option<Object> {
    objects.of_var[program.var_of(t)?.index()]
}
