//! Regions: the variables that hold the contents of each class of objects.
//!
//! The shapes of a class cut it into *slots*, stretches of bytes that every access takes whole. Each slot is held by
//! - a scalar for each object, where all offsets are exact (or the object has just one element);
//! - an array for each object, indexed by the element, where the class is made of few objects with fixed numbers;
//! - one array for all objects otherwise, indexed by object number, or by pointer when the class has a stride.

use super::Settings;
use super::cells::Shape;
use super::objects::{Lifetime, ObjectPlan, Objects};
use super::points_to::{Object, PointsTo};
use super::values::Class;
use base::Id;
use cfa::{MemoryPart, Program, SourceVar, Var, VarKind};
use std::collections::BTreeSet;
use std::rc::Rc;
use term::{Format, Sort};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Slot {
    pub(super) lo: i64,
    pub(super) width: u32,
    pub(super) format: Option<Format>,
}

impl Slot {
    pub(super) fn sort(&self) -> Sort {
        self.format.map_or(Sort::Bv(8 * self.width), Sort::Float)
    }
}

/// The memory of one class.
#[derive(Clone, Debug)]
pub(super) struct Region {
    pub(super) stride: u64,
    pub(super) slots: Vec<Slot>,
    pub(super) storage: Storage,
    pub(super) index: IndexForm,
    pub(super) objects: Vec<Object>,
    /// Some pointer comes from outside: shared arrays are indexed by the pointer to the element (or object), all of it.
    pub(super) by_pointer: bool,
}

#[derive(Clone, Debug)]
pub(super) enum Storage {
    /// Variables for each object, parallel to `Region::objects`.
    Split(Vec<Parts>),
    /// An array for each slot.
    Shared(Vec<Var>),
}

/// The variables of one object, one for each slot of the region.
#[derive(Clone, Debug)]
pub(super) enum Parts {
    /// `None`: the object is too small to have that slot.
    Scalars(Vec<Option<Var>>),
    Arrays(Vec<Var>),
}

/// How arrays of a class with stride are indexed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum IndexForm {
    /// By element number in as many bits as offsets leave: the stride is `2^shift`.
    Bits { shift: u32 },
    /// By element number in 32 bits: every access is a constant plus scaled indices that cannot wrap around.
    Plain,
    /// By the offset of the element's first byte.
    Start,
}

impl Region {
    /// The index sort of arrays that belong to one object.
    pub(super) fn split_index(&self, offset_bits: u32) -> Sort {
        match self.index {
            IndexForm::Bits { shift } => Sort::Bv(offset_bits - shift),
            IndexForm::Plain => Sort::Bv(32),
            IndexForm::Start => Sort::Bv(offset_bits),
        }
    }

    /// The index sort of arrays that all objects share.
    pub(super) fn shared_index(&self, machine: &cfa::Machine) -> Sort {
        match self.index {
            _ if self.by_pointer => machine.pointer_sort(),
            _ if self.stride == 0 => machine.object_sort(),
            IndexForm::Bits { shift } => Sort::Bv(machine.pointer_bits() - shift),
            _ => machine.pointer_sort(),
        }
    }
}

/// Cuts the shapes of a class into slots.
pub(super) fn slots(shapes: &BTreeSet<Shape>, stride: u64) -> Vec<Slot> {
    let s = stride as i64;
    let mut covered: Vec<(i64, i64)> = Vec::new();
    let mut marks: BTreeSet<i64> = BTreeSet::new();
    for shape in shapes.iter().filter(|x| x.width > 0) {
        let (lo, hi) = (shape.lo, shape.lo + shape.width as i64);
        marks.insert(lo);
        if stride == 0 {
            marks.insert(hi);
            covered.push((lo, hi));
        } else {
            marks.extend([0, s, hi.rem_euclid(s)]);
            if shape.width as u64 >= stride {
                covered.push((0, s));
            } else if hi > s {
                covered.extend([(lo, s), (0, hi - s)]);
            } else {
                covered.push((lo, hi));
            }
        }
    }
    covered.sort_unstable();
    let mut merged: Vec<(i64, i64)> = Vec::new();
    for (lo, hi) in covered {
        match merged.last_mut() {
            Some(last) if lo <= last.1 => last.1 = last.1.max(hi),
            _ => merged.push((lo, hi)),
        }
    }
    for cut in shapes.iter().filter(|x| x.width == 0) {
        // A place known modulo m lies in every residue of m; in a class with stride, m divides it.
        let step = match (cut.modulus, stride) {
            (0, 0) => {
                marks.insert(cut.lo);
                continue;
            }
            (0, s) => s as i64,
            (m, _) => m as i64,
        };
        for &(lo, hi) in &merged {
            let first = lo + (cut.lo - lo).rem_euclid(step);
            marks.extend((first..hi).step_by(step as usize));
        }
    }
    let marks: Vec<i64> = marks.into_iter().collect();
    let mut slots: Vec<Slot> = marks
        .windows(2)
        .filter(|w| merged.iter().any(|(lo, hi)| *lo <= w[0] && w[1] <= *hi))
        .map(|w| Slot { lo: w[0], width: (w[1] - w[0]) as u32, format: None })
        .collect();
    // A slot holds floats when everyone takes it for one.
    for slot in &mut slots {
        let mut format = None;
        let mut mixed = false;
        for shape in shapes.iter().filter(|x| x.width > 0) {
            let distance = if stride == 0 { slot.lo - shape.lo } else { (slot.lo - shape.lo).rem_euclid(s) };
            if (0..shape.width as i64).contains(&distance) {
                mixed |= distance != 0 || shape.width != slot.width || shape.format.is_none();
                mixed |= format.is_some_and(|f| Some(f) != shape.format);
                format = shape.format;
            }
        }
        slot.format = format.filter(|_| !mixed);
    }
    slots
}

/// Makes the regions, and the variables in them. Indexed by class.
pub(super) fn regions(
    points: &PointsTo<'_>,
    objects: &mut Objects,
    plain: &[bool],
    settings: &Settings,
    program: &mut Program,
) -> Vec<Option<Rc<Region>>> {
    let mut regions: Vec<Option<Rc<Region>>> = vec![None; points.classes.len()];
    let representatives: Vec<Class> = points.classes.ids().filter(|c| points.find(*c) == *c).collect();
    for &class in &representatives {
        let info = &points.classes[class];
        let slots = slots(&info.shapes, info.stride);
        let members = &points.classes[points.owner_of(class)].objects;
        let is_part = !info.inner.is_all() || info.whole.is_some();
        let fixed = members.iter().all(|o| objects.plans[*o].lifetime != Lifetime::Many);
        let split = fixed && members.len() <= settings.split_objects;
        if !split && info.stride > 0 {
            // Making the contents of one object arbitrary would take a loop: a fresh number is arbitrary by itself.
            for &o in members {
                let plan = &mut objects.plans[o];
                if plan.lifetime == Lifetime::Reused {
                    plan.lifetime = Lifetime::Many;
                    if let Some(v) = plan.pinned.take() {
                        objects.of_var[v.index()] = None;
                    }
                }
            }
        }
        let by_pointer = members.iter().any(|o| objects.plans[*o].kind.is_none());
        let index = match info.stride {
            s if plain[class.index()] && split && s > 0 => IndexForm::Plain,
            0 => IndexForm::Start,
            _ if by_pointer => IndexForm::Start,
            s if s.is_power_of_two() && s.trailing_zeros() < points.program.machine.offset_bits => {
                IndexForm::Bits { shift: s.trailing_zeros() }
            }
            _ => IndexForm::Start,
        };
        let mut region = Region {
            stride: info.stride,
            slots,
            storage: Storage::Shared(Vec::new()),
            index,
            objects: members.clone(),
            by_pointer,
        };
        region.storage = if split {
            let parts = members.iter().map(|o| parts(&region, is_part, &objects.plans[*o], program)).collect();
            Storage::Split(parts)
        } else {
            let machine = program.machine;
            let sort = |slot: &Slot| Sort::array(region.shared_index(&machine), slot.sort());
            let name = region.objects.first().map_or("memory", |o| objects.plans[*o].name.as_str());
            let arrays: Vec<Var> = region
                .slots
                .iter()
                .map(|slot| program.add_var(&format!("{name}..{}", at(slot)), sort(slot), VarKind::Memory, None))
                .collect();
            if by_pointer && index == IndexForm::Start {
                note_outside(&region, &arrays, program);
            } else {
                note_shared(&region, &arrays, program);
            }
            Storage::Shared(arrays)
        };
        regions[class.index()] = Some(Rc::new(region));
    }
    regions
}

/// For whoever runs a counterexample: what the arrays say about memory behind pointers from outside.
fn note_outside(region: &Region, arrays: &[Var], program: &mut Program) {
    for (slot, var) in region.slots.iter().zip(arrays) {
        if let Ok(offset) = u64::try_from(slot.lo) {
            let part = MemoryPart { offset, bytes: slot.width, stride: region.stride, by_offset: true, size: None };
            program.outside.insert(*var, part);
        }
    }
}

/// For whoever runs a counterexample: what the arrays say at first about the objects that share them.
fn note_shared(region: &Region, arrays: &[Var], program: &mut Program) {
    for (slot, var) in region.slots.iter().zip(arrays) {
        if let Ok(offset) = u64::try_from(slot.lo) {
            let by_offset = region.index == IndexForm::Start;
            let part = MemoryPart { offset, bytes: slot.width, stride: region.stride, by_offset, size: None };
            program.layout.insert(*var, part);
        }
    }
}

fn at(slot: &Slot) -> String {
    if slot.lo == 0 { String::new() } else { format!("+{}", slot.lo) }
}

/// The variables of one object, or of what it is taken apart into.
fn parts(region: &Region, is_part: bool, plan: &ObjectPlan, program: &mut Program) -> Parts {
    let single = region.stride == 0 || plan.size.is_some_and(|size| size <= region.stride);
    let source = plan.pinned.and_then(|v| program.vars[v].source.clone());
    let machine = program.machine;
    let index = region.split_index(machine.offset_bits);
    let mut make = |slot: &Slot, sort: Sort, whole: bool| {
        let suffix = if whole { String::new() } else { at(slot) };
        let member = source.as_ref().filter(|_| single && !whole).and_then(|s| member(s, slot, program));
        let seen = source.clone().filter(|_| whole).and_then(|s| pointee(s, slot.width, single, &machine));
        let cells = source.clone().filter(|_| !single && seen.is_none());
        let var = program.add_var(&format!("{}{suffix}", plan.name), sort, VarKind::Memory, seen);
        program.members.extend(member.map(|member| (var, member)));
        program.cells.extend(cells.map(|address| (var, address)));
        let stride = if single { 0 } else { region.stride };
        let by_offset = region.index == IndexForm::Start;
        if let Ok(offset) = u64::try_from(slot.lo) {
            let part = MemoryPart { offset, bytes: slot.width, stride, by_offset, size: plan.size };
            program.layout.insert(var, part);
        }
        var
    };
    if single {
        let fits =
            |slot: &Slot| slot.lo >= 0 && plan.size.is_none_or(|size| slot.lo as u64 + slot.width as u64 <= size);
        let scalar = |slot: &Slot| {
            let whole = !is_part && slot.lo == 0 && plan.size == Some(slot.width as u64);
            fits(slot).then(|| make(slot, slot.sort(), whole))
        };
        Parts::Scalars(region.slots.iter().map(scalar).collect())
    } else {
        let whole =
            !is_part && matches!(region.slots[..], [slot] if slot.lo == 0 && u64::from(slot.width) == region.stride);
        Parts::Arrays(region.slots.iter().map(|slot| make(slot, Sort::array(index, slot.sort()), whole)).collect())
    }
}

/// The user's view of a variable, given that of its address: a scalar, or an array whose elements are accessed as declared.
fn pointee(address: SourceVar, width: u32, scalar: bool, machine: &cfa::Machine) -> Option<SourceVar> {
    let name = address.name.strip_prefix('&')?.to_owned();
    let ctype = address.ctype.strip_suffix('*')?.trim_end().to_owned();
    let element = ctype.split('[').next()?.trim_end();
    let fits = match ctype.matches('[').count() {
        0 => scalar && !element.starts_with("struct") && !element.starts_with("union"),
        1 => !scalar && element_bytes(element, machine) == Some(width),
        _ => false,
    };
    let pointer = element.ends_with('*');
    fits.then_some(SourceVar { name, ctype, pointer, ..address })
}

/// The user's view of a part of a variable, given that of its address.
fn member(address: &SourceVar, slot: &Slot, program: &Program) -> Option<SourceVar> {
    program.part_at(address, u64::try_from(slot.lo).ok()?, slot.width, slot.format.is_some())
}

/// The size of a scalar type, by its name.
fn element_bytes(ctype: &str, machine: &cfa::Machine) -> Option<u32> {
    Some(match ctype {
        "char" | "signed char" | "unsigned char" | "_Bool" => 1,
        "short" | "unsigned short" => 2,
        "int" | "unsigned int" | "float" => 4,
        "long" | "unsigned long" => machine.word_bytes(),
        "long long" | "unsigned long long" | "double" => 8,
        pointer if pointer.ends_with('*') => machine.word_bytes(),
        _ => return None,
    })
}
