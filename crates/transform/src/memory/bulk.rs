//! `memcpy`, `memset` and the zeros that statics begin with.
//!
//! At exact offsets every slot of the range is assigned, all at once, under a guard where the length is not constant. A
//! whole object is one assignment of its arrays. Other ranges of arrays are unrolled when short, and become a loop over the
//! elements otherwise. A copy takes what the slots of its destination hold afterwards from the source, slot by slot: the
//! analysis has cut the source accordingly.

use super::access::{Piece, Updates, float_of_bits, pieces, zero};
use super::address::{Address, Place, Sum, Target};
use super::encode::{Encoder, Origins};
use super::layout::{IndexForm, Parts, Region, Slot, Storage};
use super::objects::ObjectPlan;
use super::points_to::Object;
use super::values::Class;
use crate::limits::memory::MAX_ZEROS;
use base::Id;
use cfa::{Edge, Op, Origin, Var};
use term::{Sort, Term};

/// What a bulk operation writes.
#[derive(Clone, Copy)]
enum Source {
    /// Bytes from this address on.
    Memory(Term),
    /// This byte, again and again.
    Byte(Term),
    /// Anything: the source is no memory of the program.
    Anything,
}

/// One slot in the range of a bulk operation: `relative` bytes after its start.
#[derive(Clone, Copy)]
struct Covered {
    piece: Piece,
    relative: i64,
}

impl Encoder<'_> {
    pub(super) fn copy(&mut self, dst: Term, src: Term, len: Term, at: &Origins) {
        let len = self.rewrite(len);
        let Some(place) = self.place(Address::of(dst)) else { return self.bulk_nowhere(dst, len, at) };
        if self.points.pointer(src).is_none() {
            let found = self.new_loc(at.from);
            self.bulk_nowhere(src, len, &Origins { to: found, ..*at });
            return self.bulk(dst, 0, &place, Source::Anything, len, &Origins { from: found, ..*at });
        }
        if let Some(ops) = self.copy_whole(dst, src, len) {
            return self.chain(at, ops);
        }
        self.bulk(dst, 0, &place, Source::Memory(src), len, at);
    }

    pub(super) fn fill(&mut self, edge: Edge, dst: Term, value: Term, len: Term, at: &Origins) {
        let after_alloc = self.fills_new_object(edge, dst, len);
        let len = self.rewrite(len);
        let value = self.rewrite(value);
        let byte = self.program.terms.extract(value, 7, 0);
        let Some(place) = self.place(Address::of(dst)) else { return self.bulk_nowhere(dst, len, at) };
        let (left, at) = self.fill_rest(dst, &place, byte, len, *at);
        if let Some((_, arrays)) = self.whole_object(dst, len, after_alloc) {
            let region =
                self.regions[self.points.owner_of(place.class).index()].clone().expect("every class has a region");
            let index = region.split_index(self.program.machine.offset_bits);
            let mut assign = Vec::new();
            for (slot, array) in region.slots.iter().zip(arrays) {
                let element = self.filled(slot, byte);
                assign.push((array, self.program.terms.const_array(index, element)));
            }
            return self.chain(&at, vec![Op::Assign(assign)]);
        }
        match left {
            None => self.bulk(dst, 0, &place, Source::Byte(byte), len, &at),
            Some((skipped, len)) => {
                let address = Address { constant: skipped, ..Address::of(dst) };
                let place = self.place(address).expect("the rest has a place");
                self.bulk(dst, skipped, &place, Source::Byte(byte), len, &at);
            }
        }
    }

    /// What is filled before an array that objects end in, if it is in a class of its own: it is filled to its end, or the fill is
    /// unsupported. Says how many bytes that were and how many are left, and where it goes on.
    fn fill_rest(
        &mut self,
        dst: Term,
        place: &Place,
        byte: Term,
        len: Term,
        at: Origins,
    ) -> (Option<(i64, Term)>, Origins) {
        let Some(p) = self.points.pointer(dst).filter(|p| self.points.rest_of(p.class) == Some(place.class)) else {
            return (None, at);
        };
        let before = self.points.classes[p.class].inner.lo - p.offset.r;
        if super::values::constant(&self.program.terms, len)
            .is_some_and(|len| before < 0 || (0..=before).contains(&len))
        {
            return (None, at);
        }
        let width = self.program.machine.pointer_bits();
        let bytes = self.program.terms.bv_signed(before.into(), width);
        let is_filled = self.program.terms.ule(bytes, len);
        let at = self.only_where(is_filled, "a memset of unknown length that may end in the middle of a struct", at);
        let filled = self.new_loc(at.from);
        self.bulk(dst, 0, place, Source::Byte(byte), bytes, &Origins { to: filled, ..at });
        let left = self.program.terms.sub(len, bytes);
        (Some((before, left)), Origins { from: filled, ..at })
    }

    /// A range that starts at no object: nothing happens when it is empty, see [`Encoder::nowhere`] otherwise.
    fn bulk_nowhere(&mut self, addr: Term, len: Term, at: &Origins) {
        let terms = &mut self.program.terms;
        let some = terms.nonzero(len);
        let none = terms.not(some);
        if terms.as_bool_const(none) != Some(false) {
            self.add_edge(at.from, at.to, Op::Assume(none), at);
        }
        if self.program.terms.as_bool_const(some) != Some(false) {
            let next = self.new_loc(at.from);
            self.add_edge(at.from, next, Op::Assume(some), at);
            let step = Op::Assume(self.program.terms.tt());
            self.nowhere(addr, step, &Origins { from: next, ..*at });
        }
    }

    /// The object that `[addr, addr + len)` is, from its first byte to its last, when it is kept in arrays of its own.
    fn whole_object(&self, addr: Term, len: Term, just_made: bool) -> Option<(Object, Vec<Var>)> {
        let p = self.points.pointer(addr).filter(|p| p.offset.as_exact() == Some(0))?;
        let region = self.regions[p.class.index()].as_ref()?;
        let (Storage::Split(parts), [object]) = (&region.storage, &region.objects[..]) else { return None };
        let Parts::Arrays(arrays) = &parts[0] else { return None };
        let size = self.objects.plans[*object].size;
        let constant = super::values::constant(&self.program.terms, len).and_then(|l| u64::try_from(l).ok());
        let whole = just_made || (size.is_some() && size == constant);
        whole.then(|| (*object, arrays.clone()))
    }

    /// Does this `Fill` follow the allocation of its target, and fill all of it (`calloc`)?
    fn fills_new_object(&self, edge: Edge, dst: Term, len: Term) -> bool {
        let program = self.points.program;
        let function = program.main();
        let mut loc = function.edges[edge].from;
        for _ in 0..8 {
            let [e] = self.graph.preds(loc) else { return false };
            match &function.edges[*e].op {
                Op::Alloc { dst: var, size, .. } => return program.term(*var) == dst && *size == len,
                Op::Assign(pairs) => {
                    let vars = term::free_vars(&program.terms, &[dst, len]);
                    if pairs.iter().any(|(v, _)| vars.contains(&program.term(*v))) {
                        return false;
                    }
                }
                Op::Assume(_) => {}
                _ => return false,
            }
            loc = function.edges[*e].from;
        }
        false
    }

    fn copy_whole(&mut self, dst: Term, src: Term, len: Term) -> Option<Vec<Op>> {
        let (_, to) = self.whole_object(dst, len, false)?;
        let is_whole = |class: Class| self.points.classes[class].inner.is_all();
        let p = self.points.pointer(src).filter(|p| p.offset.as_exact() == Some(0) && is_whole(p.class))?;
        let source = self.regions[p.class.index()].as_ref()?;
        let dst_class = self.points.pointer(dst).filter(|p| is_whole(p.class))?.class;
        let target = self.regions[dst_class.index()].as_ref()?;
        let same = source.stride == target.stride && source.slots == target.slots && source.index == target.index;
        let (Storage::Split(parts), [object]) = (&source.storage, &source.objects[..]) else { return None };
        let Parts::Arrays(from) = &parts[0] else { return None };
        let enough = self.objects.plans[*object].size >= self.objects.plans[target.objects[0]].size;
        (same && enough).then(|| {
            let assign = to.iter().zip(from).map(|(to, from)| (*to, self.program.term(*from))).collect();
            vec![Op::Assign(assign)]
        })
    }

    /// A slot's value when each of its bytes is `byte`.
    fn filled(&mut self, slot: &Slot, byte: Term) -> Term {
        let terms = &mut self.program.terms;
        let mut bits = byte;
        for _ in 1..slot.width {
            bits = terms.concat(bits, byte);
        }
        match slot.format {
            Some(format) => float_of_bits(terms, format, bits),
            None => bits,
        }
    }

    /// The place is `skipped` bytes behind `dst`.
    fn bulk(&mut self, dst: Term, skipped: i64, place: &Place, source: Source, len: Term, at: &Origins) {
        let region = self.region(place).clone();
        let constant = super::values::constant(&self.program.terms, len).filter(|l| *l >= 0);
        let stride = region.stride as i64;
        let range = |lo: i64, width: u32| -> Option<i64> {
            let relative = lo - place.residue;
            (relative >= 0 && constant.is_none_or(|len| relative + width as i64 <= len)).then_some(relative)
        };
        let mut targets = Vec::new();
        if stride == 0 || self.only_scalars(place, &region) {
            for (i, slot) in region.slots.iter().enumerate() {
                if let Some(relative) = range(slot.lo, slot.width) {
                    targets.push(Covered { piece: Piece { slot: i, delta: 0, from: 0 }, relative });
                }
            }
            return self.assign_slots(place, source, len, constant.is_none(), &targets, at);
        }
        let elements = constant.map(|len| (len + stride - 1) / stride + 1);
        if let Some(elements) = elements
            && elements * region.slots.len() as i64 <= self.settings.unroll as i64
        {
            for delta in 0..elements {
                for (i, slot) in region.slots.iter().enumerate() {
                    if let Some(relative) = range(delta * stride + slot.lo, slot.width) {
                        targets.push(Covered { piece: Piece { slot: i, delta, from: 0 }, relative });
                    }
                }
            }
            return self.assign_slots(place, source, len, false, &targets, at);
        }
        let start = Address { constant: skipped, ..Address::of(dst) };
        self.bulk_loop(start, place, &region, source, len, at);
    }

    /// Is the object known, and kept in scalars although its class has a stride?
    fn only_scalars(&self, place: &Place, region: &Region) -> bool {
        let Storage::Split(parts) = &region.storage else { return false };
        region.objects.iter().zip(parts).all(|(o, parts)| match place.target {
            Target::Known(known) if known != *o => true,
            _ => matches!(parts, Parts::Scalars(_)),
        })
    }

    fn assign_slots(
        &mut self,
        place: &Place,
        source: Source,
        len: Term,
        guarded: bool,
        targets: &[Covered],
        at: &Origins,
    ) {
        let region = self.region(place).clone();
        let mut updates = Updates::default();
        let before = Updates::default();
        let mut inputs = Vec::new();
        for target in targets {
            let slot = region.slots[target.piece.slot];
            let Some(value) = self.source_value(source, target.relative, None, &slot, &before, &mut inputs) else {
                continue;
            };
            let guard = guarded.then(|| self.covered(target.relative + slot.width as i64, None, len));
            self.write_slot(place, target.piece, value, guard, &mut updates);
        }
        let mut ops = Vec::new();
        if !inputs.is_empty() {
            ops.push(Op::Havoc { vars: inputs, origin: Origin::Internal });
        }
        ops.push(Op::Assign(updates.into_list()));
        self.chain(at, ops);
    }

    /// `bytes + step <= len`
    fn covered(&mut self, bytes: i64, step: Option<(i64, Term)>, len: Term) -> Term {
        let width = self.program.machine.pointer_bits();
        let terms = &mut self.program.terms;
        let mut end = terms.bv_signed(bytes.into(), width);
        if let Some((k, i)) = step {
            let k = terms.bv_signed(k.into(), width);
            let done = terms.mul(i, k);
            end = terms.add(done, end);
        }
        terms.ule(end, len)
    }

    /// What the source has for a slot, `relative` bytes (and a step) from its start; `None` outside of its objects. What may
    /// be anything is a variable in `inputs`.
    fn source_value(
        &mut self,
        source: Source,
        relative: i64,
        step: Option<(i64, Term)>,
        slot: &Slot,
        before: &Updates,
        inputs: &mut Vec<Var>,
    ) -> Option<Term> {
        match source {
            Source::Byte(byte) => Some(self.filled(slot, byte)),
            Source::Anything => {
                let input = self.temporary("$any", slot.sort());
                inputs.push(input);
                Some(self.program.term(input))
            }
            Source::Memory(src) => {
                let place =
                    self.place(Address { base: src, constant: relative, step }).expect("the source has a class");
                // Only bytes outside of every object of the source are not there.
                pieces(self.region(&place), place.residue, slot.width)?;
                Some(self.read(&place, slot.width, slot.format, before))
            }
        }
    }

    /// One element of the destination after the other.
    fn bulk_loop(&mut self, start: Address, place: &Place, region: &Region, source: Source, len: Term, at: &Origins) {
        let stride = region.stride as i64;
        let width = self.program.machine.pointer_bits();
        let counter = self.temporary("$i", Sort::Bv(width));
        let i = self.program.term(counter);
        let mut ops = Vec::new();
        // A move within one class reads what was there before.
        let mut before = Updates::default();
        if let Source::Memory(src) = source {
            let class = self.points.pointer(src).expect("the source has a class").class;
            if class == self.points.owner_of(place.class) {
                let mut snapshot = Vec::new();
                for v in region_vars(region) {
                    let copy = self.temporary("$old", self.program.vars[v].sort);
                    snapshot.push((copy, self.program.term(v)));
                    before.set(v, self.program.term(copy));
                }
                ops.push(Op::Assign(snapshot));
            }
        }
        let (zero, one) = (self.program.terms.bv(0, width), self.program.terms.bv(1, width));
        ops.push(Op::Assign(vec![(counter, zero)]));
        let head = self.new_loc(at.from);
        self.locs[head].loop_span = Some(at.span);
        self.bulk_loops.push((head, counter));
        self.chain(&Origins { to: head, ..*at }, ops);
        let go_on = self.goes_on(i, stride, len);
        let stop = self.program.terms.not(go_on);
        let body = self.new_loc(at.from);
        self.add_edge(head, body, Op::Assume(go_on), at);
        self.add_edge(head, at.to, Op::Assume(stop), at);

        let step = Some((stride, i));
        let here = self.place(Address { step, ..start }).expect("the destination has a class");
        let lengths = self.points.length_of(len, &self.program);
        let even = lengths.r.rem_euclid(stride) == 0 && lengths.m.is_multiple_of(region.stride);
        let mut updates = Updates::default();
        let mut inputs = Vec::new();
        for (n, slot) in region.slots.iter().enumerate() {
            let relative = (slot.lo - place.residue).rem_euclid(stride);
            let delta = (place.residue + relative - slot.lo) / stride;
            let Some(value) = self.source_value(source, relative, step, slot, &before, &mut inputs) else { continue };
            let end = relative + slot.width as i64;
            let guard = (!even || end > stride).then(|| self.covered(end, step, len));
            self.write_slot(&here, Piece { slot: n, delta, from: 0 }, value, guard, &mut updates);
        }
        let next = self.program.terms.add(i, one);
        updates.set(counter, next);
        let mut ops = Vec::new();
        if !inputs.is_empty() {
            ops.push(Op::Havoc { vars: inputs, origin: Origin::Internal });
        }
        ops.push(Op::Assign(updates.into_list()));
        self.chain(&Origins { from: body, to: head, ..*at }, ops);
    }

    /// `i * stride < len`, without the multiplication where the length is a multiple that cannot have wrapped around.
    fn goes_on(&mut self, i: Term, stride: i64, len: Term) -> Term {
        let width = self.program.machine.pointer_bits();
        if let Some(bytes) = super::values::constant(&self.program.terms, len).filter(|l| *l >= 0) {
            let count = self.program.terms.bv(((bytes + stride - 1) / stride) as u128, width);
            return self.program.terms.ult(i, count);
        }
        let sum = Sum::of(&self.program.terms, len);
        if let Some(Sum { atoms, constant: 0 }) = sum
            && let [(k, t)] = atoms[..]
            && k == stride
            && self.points.bits_of_known(t) + (64 - k.leading_zeros()) < width
        {
            let count = super::address::low_bits(&mut self.program.terms, t, width);
            return self.program.terms.ult(i, count);
        }
        let terms = &mut self.program.terms;
        let k = terms.bv_signed(stride.into(), width);
        let bytes = terms.mul(i, k);
        terms.ult(bytes, len)
    }

    /// Zeros for a static object in arrays that it shares with others.
    pub(super) fn zero_object(&mut self, region: &Region, mut place: Place, plan: &ObjectPlan, at: &Origins) {
        let machine = self.program.machine;
        let number = self.object_number(place.target);
        let start = self.program.terms.bv(0, machine.offset_bits);
        let address = self.program.terms.concat(number, start);
        place.shared_index = Some(match region.index {
            _ if region.by_pointer => address,
            _ if region.stride == 0 => number,
            IndexForm::Bits { shift } => self.program.terms.extract(address, machine.pointer_bits() - 1, shift),
            IndexForm::Plain | IndexForm::Start => address,
        });
        let size = plan.size.unwrap_or(0);
        let elements = if region.stride == 0 { 1 } else { size.div_ceil(region.stride) };
        let mut updates = Updates::default();
        if elements * region.slots.len() as u64 <= MAX_ZEROS || region.stride == 0 {
            for delta in 0..elements as i64 {
                for (n, slot) in region.slots.iter().enumerate() {
                    let zero = zero(&mut self.program.terms, slot.sort());
                    self.write_slot(&place, Piece { slot: n, delta, from: 0 }, zero, None, &mut updates);
                }
            }
            return self.chain(at, vec![Op::Assign(updates.into_list())]);
        }
        let width = self.program.terms.width(place.shared_index.expect("just set"));
        let counter = self.temporary("$i", Sort::Bv(width));
        let i = self.program.term(counter);
        let step = if region.index == IndexForm::Start { region.stride } else { 1 };
        let terms = &mut self.program.terms;
        let (none, by) = (terms.bv(0, width), terms.bv(step.into(), width));
        let end = terms.bv((elements * step).into(), width);
        let go_on = terms.ult(i, end);
        let stop = terms.not(go_on);
        let next = terms.add(i, by);
        place.shared_index = place.shared_index.map(|index| terms.add(index, i));
        for (n, slot) in region.slots.iter().enumerate() {
            let zero = zero(&mut self.program.terms, slot.sort());
            self.write_slot(&place, Piece { slot: n, delta: 0, from: 0 }, zero, None, &mut updates);
        }
        updates.set(counter, next);
        let head = self.new_loc(at.from);
        let body = self.new_loc(at.from);
        self.add_edge(at.from, head, Op::Assign(vec![(counter, none)]), at);
        self.add_edge(head, body, Op::Assume(go_on), at);
        self.add_edge(head, at.to, Op::Assume(stop), at);
        self.add_edge(body, head, Op::Assign(updates.into_list()), at);
    }
}

/// All variables of a region.
pub(super) fn region_vars(region: &Region) -> Vec<Var> {
    match &region.storage {
        Storage::Shared(arrays) => arrays.clone(),
        Storage::Split(parts) => parts
            .iter()
            .flat_map(|parts| match parts {
                Parts::Scalars(vars) => vars.iter().copied().flatten().collect::<Vec<_>>(),
                Parts::Arrays(arrays) => arrays.clone(),
            })
            .collect(),
    }
}
