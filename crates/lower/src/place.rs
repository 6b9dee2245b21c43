//! Places: what an lvalue names, and how it is read and written.
//!
//! A place in memory is kept as *base pointer + constant + scaled indices* until it is used. When the base is a variable
//! of known size, an access is in bounds iff its index is in a constant range: no multiplication, no object table.

use cfa::{Op, Var};
use cfront::hir::{ElemSize, Expr, ExprKind, StrId, Symbol, VarId};
use cfront::types::{BitField, Ty, Type};
use term::{Sort, Term};

use crate::context::{Home, Local, Lowering};
use crate::effects::Effects;

#[derive(Clone, Debug)]
pub(crate) enum Place {
    Scalar(Var),
    Memory(Memory),
}

/// A place in memory.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    /// The pointer that the access goes through.
    pub(crate) base: Term,
    /// `base` is the address of a live object of that many bytes.
    pub(crate) known: Option<u64>,
    /// Bytes from `base`, without the indices.
    pub(crate) offset: i128,
    pub(crate) indices: Vec<Index>,
    pub(crate) bits: Option<BitPlace>,
    /// The arrays inside of others that the place must not leave, where that is asked for.
    pub(crate) members: Vec<Member>,
}

/// An array inside of a struct or of another array, on the way from a base to a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member {
    /// Where it begins: bytes from the base, and so many of the place's indices.
    pub(crate) offset: i128,
    pub(crate) indices: usize,
    pub(crate) size: u64,
}

/// `term * scale` bytes; `term` is pointer-wide.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Index {
    pub(crate) term: Term,
    pub(crate) scale: u64,
}

/// A bit-field inside the `bytes` bytes at the place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BitPlace {
    pub(crate) bytes: u32,
    pub(crate) shift: u32,
    pub(crate) width: u32,
    pub(crate) signed: bool,
}

impl Memory {
    pub(crate) fn at(base: Term) -> Memory {
        Memory { base, known: None, offset: 0, indices: Vec::new(), bits: None, members: Vec::new() }
    }

    pub(crate) fn object(base: Term, size: Option<u64>) -> Memory {
        Memory { known: size, ..Memory::at(base) }
    }

    pub(crate) fn plus(mut self, bytes: i128) -> Memory {
        self.offset += bytes;
        self
    }
}

/// The bytes to access for a bit-field of a declared type of `declared` bytes in a record of `record` bytes: the aligned
/// unit of the declared type where that lies inside the record, else just the bytes that it touches.
pub(crate) fn bit_container(bits: BitField, declared: u64, record: u64, signed: bool) -> (u64, BitPlace) {
    let end = bits.offset + u64::from(bits.width);
    let unit = (bits.offset / 8).checked_div(declared).map(|n| n * declared);
    let (start, bytes) = match unit {
        Some(start) if start + declared <= record && end <= 8 * (start + declared) => (start, declared),
        _ => (bits.offset / 8, end.div_ceil(8) - bits.offset / 8),
    };
    let shift = (bits.offset - 8 * start) as u32;
    (start, BitPlace { bytes: bytes as u32, shift, width: bits.width, signed })
}

impl Lowering<'_> {
    /// Bytes of the variable's object, where constant.
    pub(crate) fn object_size(&self, id: VarId) -> Option<u64> {
        let var = &self.unit.vars[id];
        let size = self.unit.types.size_of(var.ty)?;
        Some(size.max(var.init.as_ref().map_or(0, |init| self.extent(init))))
    }

    pub(crate) fn string_size(&self, id: StrId) -> u64 {
        let string = &self.unit.strings[id];
        string.units.len() as u64 * self.unit.types.size_of(string.elem).unwrap_or(1)
    }

    pub(crate) fn place(&mut self, e: &Expr) -> Place {
        let memory = match &e.kind {
            ExprKind::Var(id) => {
                if self.fun.unmodelled_params.contains(id) {
                    self.unsupported("the environment of the program as a parameter of main");
                }
                if self.fun.argv == Some(*id) {
                    self.require_arguments();
                }
                if self.is_unmodelled_variable(*id) {
                    let name = &self.unit.vars[*id].name;
                    self.unsupported(format!("the library's variable '{name}', which has no model"));
                }
                match self.make_home(*id) {
                    Home::Scalar(var) => return Place::Scalar(var),
                    Home::Object(address) => {
                        self.require_present(Symbol::Var(*id));
                        let var = &self.unit.vars[*id];
                        if var.storage.is_static() && self.object_size(*id).is_none() && self.checks_memory(e.span) {
                            self.unsupported(format!("the size of '{}', which another file defines", var.name));
                        }
                        Memory::object(self.term(address), self.object_size(*id))
                    }
                }
            }
            ExprKind::Str(id) => Memory::object(self.string_address(*id), Some(self.string_size(*id))),
            ExprKind::Func(id) => Memory::at(self.symbol_address(Symbol::Func(*id))),
            ExprKind::Deref(pointer) => {
                self.require_set(pointer);
                let memory = self.memory_at(pointer);
                self.look_at_argument(&memory, e.ty);
                memory
            }
            ExprKind::Field(base, index) => {
                let is_value = matches!(base.kind, ExprKind::Assign(..) | ExprKind::Comma(..));
                let memory = if is_value && self.has_array(e.ty) {
                    // An array of a value: of a temporary object (C11 6.2.4p8), not of what was assigned.
                    let temporary = self.record_temp(base.ty);
                    self.copy_record(&temporary, base, e);
                    temporary
                } else {
                    self.record(base)
                };
                self.keep_temporary(e, &memory);
                self.field(memory, base.ty, *index)
            }
            ExprKind::CompoundLiteral(id, init) => {
                let home = self.make_home(*id);
                self.initialise(*id, init);
                match home {
                    Home::Scalar(var) => return Place::Scalar(var),
                    Home::Object(address) => Memory::object(self.term(address), self.object_size(*id)),
                }
            }
            ExprKind::Unsupported(what) => {
                self.unsupported(what.clone());
                let null = self.word(0);
                Memory::at(null)
            }
            _ => self.record(e),
        };
        Place::Memory(memory)
    }

    /// The place as memory; of a type that is never kept in a plain variable.
    pub(crate) fn memory(&mut self, e: &Expr) -> Memory {
        match self.place(e) {
            Place::Memory(memory) => memory,
            Place::Scalar(_) => {
                self.unsupported("the address of a variable that the front end calls not addressable");
                let null = self.word(0);
                Memory::at(null)
            }
        }
    }

    fn field(&mut self, memory: Memory, record: Ty, index: u32) -> Memory {
        let types = &self.unit.types;
        let Some(id) = types.record(record) else { return memory };
        let field = &types.records[id].fields[index as usize];
        match field.bits {
            None => memory.plus(field.offset.into()),
            Some(bits) => {
                let declared = types.size_of(field.ty).unwrap_or(0);
                let (start, bits) = bit_container(bits, declared, types.records[id].size, self.is_signed(field.ty));
                Memory { bits: Some(bits), ..memory.plus(start.into()) }
            }
        }
    }

    /// What the pointer value `e` points at. Address arithmetic is taken apart, not evaluated.
    pub(crate) fn memory_at(&mut self, e: &Expr) -> Memory {
        match &e.kind {
            ExprKind::PtrAdd { ptr, index, size, negative } => {
                let mut memory = self.memory_at(ptr);
                if is_sum(ptr) {
                    self.check_pointer_arithmetic(&memory, ptr);
                }
                let effects = Effects::of(index);
                if self.fun.library_checked.is_none() && !(effects.none() && Effects::of(ptr).none()) {
                    self.refuse_unsequenced(ptr, index);
                    self.refuse_other_order(ptr, std::iter::once(&**index), "an address and an index");
                }
                memory = self.stable_memory(memory, &effects);
                self.add_index(&mut memory, index, size, *negative);
                memory
            }
            ExprKind::Decay(place) => {
                let memory = self.memory(place);
                self.as_member(memory, place)
            }
            ExprKind::AddrOf(place) => self.memory(place),
            ExprKind::Cast(inner) if matches!(self.unit.types[inner.ty], Type::Pointer(_)) => self.memory_at(inner),
            _ => Memory::at(self.value(e)),
        }
    }

    /// The array that `place` names, as what indices must stay in if it is a member or an element. A last member of at most
    /// one element stands for any number of them.
    fn as_member(&self, mut memory: Memory, place: &Expr) -> Memory {
        let types = &self.unit.types;
        let Some(size) = types.size_of(place.ty).filter(|_| self.options.subobject_bounds) else { return memory };
        let is_bounded = match &place.kind {
            ExprKind::Field(base, index) => types.record(base.ty).is_some_and(|record| {
                let is_last = types.records[record].fields.len() == *index as usize + 1;
                let one = types.element(place.ty).and_then(|element| types.size_of(element)).unwrap_or(0);
                !is_last || size > one
            }),
            kind => matches!(kind, ExprKind::Deref(_)),
        };
        if is_bounded {
            memory.members.push(Member { offset: memory.offset, indices: memory.indices.len(), size });
        }
        memory
    }

    /// Adds `index * size` (or subtracts it).
    pub(crate) fn add_index(&mut self, memory: &mut Memory, index: &Expr, size: &ElemSize, negative: bool) {
        let mut term = self.value(index);
        let (width, c_width) = (self.pointer_width(), self.size_width());
        let signed = self.is_signed(index.ty);
        // An unsigned number that is added may be meant to go back.
        term = self.terms().resize(term, c_width, signed);
        term = self.terms().resize(term, width, true);
        let scale = match size {
            ElemSize::Const(n) => *n,
            ElemSize::Dynamic(size) => {
                let bytes = self.value(size);
                let bytes = self.terms().resize(bytes, width, false);
                term = self.terms().mul(term, bytes);
                1
            }
        };
        if negative {
            term = self.terms().neg(term);
        }
        match self.terms().as_bv_const(term).and_then(|bits| bits.to_i128()) {
            Some(n) if n.unsigned_abs() < 1 << 48 => memory.offset += n * i128::from(scale),
            _ if scale == 0 => {}
            _ => memory.indices.push(Index { term, scale }),
        }
    }

    /// The bytes from the base, as a pointer-wide number.
    pub(crate) fn offset(&mut self, memory: &Memory) -> Term {
        let width = self.pointer_width();
        let mut sum = self.terms().bv_signed(memory.offset, width);
        for index in &memory.indices {
            let scale = self.terms().bv(index.scale.into(), width);
            let bytes = self.terms().mul(index.term, scale);
            sum = self.terms().add(sum, bytes);
        }
        sum
    }

    pub(crate) fn address(&mut self, memory: &Memory) -> Term {
        let offset = self.offset(memory);
        self.terms().add(memory.base, offset)
    }

    /// The place's address as a value of the program: no access, but it must be a pointer that can be kept.
    pub(crate) fn pointer_value(&mut self, memory: &Memory, e: &Expr) -> Term {
        self.check_pointer_arithmetic(memory, e);
        self.check_pointer(memory);
        self.address(memory)
    }

    pub(crate) fn stable_memory(&mut self, mut memory: Memory, effects: &Effects) -> Memory {
        memory.base = self.stable(memory.base, effects);
        for index in &mut memory.indices {
            index.term = self.stable(index.term, effects);
        }
        memory
    }

    pub(crate) fn stable_place(&mut self, place: Place, effects: &Effects) -> Place {
        match place {
            Place::Memory(memory) => Place::Memory(self.stable_memory(memory, effects)),
            scalar => scalar,
        }
    }

    /// The value at the place, of scalar type `ty`. `e` names the place in messages.
    pub(crate) fn read(&mut self, place: &Place, ty: Ty, e: &Expr) -> Term {
        if e.ty.is_volatile() {
            self.note_once("volatile", e.span, "volatile objects are taken to change only as the program says");
        }
        let memory = match place {
            Place::Scalar(var) => return self.term(*var),
            Place::Memory(memory) => memory,
        };
        let Some(sort) = self.sort(ty) else {
            self.unsupported(format!("reading a value of type {}", self.unit.types.show(ty)));
            return self.dummy(ty);
        };
        match memory.bits {
            None => {
                let bytes = self.storage(ty);
                let value = self.load(memory, sort, bytes, e);
                // Arbitrary memory may hold other bytes than 0 and 1.
                if matches!(self.unit.types[ty], Type::Bool) {
                    self.refuse_other_truth(value, e);
                    let truth = self.truth(value);
                    return self.terms().bool_to_bv(truth, 8);
                }
                value
            }
            Some(bits) => {
                let whole = self.load(memory, Sort::Bv(8 * bits.bytes), bits.bytes, e);
                let width = sort.bv_width().unwrap_or(bits.width);
                let terms = self.terms();
                let field = terms.extract(whole, bits.shift + bits.width - 1, bits.shift);
                terms.resize(field, width, bits.signed)
            }
        }
    }

    fn load(&mut self, memory: &Memory, sort: Sort, bytes: u32, e: &Expr) -> Term {
        self.check_access(memory, bytes.into(), e);
        let value = self.load_unchecked(memory, sort, bytes);
        if let Some(dst) = self.program.var_of(value).filter(|_| self.reads_bytes(e)) {
            self.program.vars[dst].raw = true;
        }
        value
    }

    pub(crate) fn load_unchecked(&mut self, memory: &Memory, sort: Sort, bytes: u32) -> Term {
        let addr = self.address(memory);
        let dst = self.temp(sort);
        self.emit(Op::Load { dst, addr, bytes });
        self.term(dst)
    }

    /// Stores a value of type `ty`; gives the value that the place has then.
    pub(crate) fn write(&mut self, place: &Place, value: Term, ty: Ty, e: &Expr) -> Term {
        if let Place::Memory(memory) = place {
            let bytes = memory.bits.map_or_else(|| self.storage(ty), |bits| bits.bytes);
            self.check_access(memory, bytes.into(), e);
            self.check_bits(place, value, ty, e);
        }
        self.write_back(place, value, ty)
    }

    /// Stores into a place that has just been read, and so been checked.
    pub(crate) fn write_back(&mut self, place: &Place, value: Term, ty: Ty) -> Term {
        let memory = match place {
            Place::Scalar(var) => {
                self.assign(*var, value);
                return self.term(*var);
            }
            Place::Memory(memory) => memory,
        };
        let addr = self.address(memory);
        match memory.bits {
            None => {
                let bytes = self.storage(ty);
                self.emit(Op::Store { addr, value, bytes });
                value
            }
            Some(bits) => {
                let old = self.load_unchecked(memory, Sort::Bv(8 * bits.bytes), bits.bytes);
                // What is beside the bit-field may be a part of an address, in a union with a pointer.
                if let Some(var) = self.program.var_of(old) {
                    self.program.vars[var].raw = true;
                }
                let width = self.terms().width(value);
                let mut low = self.terms().extract(value, bits.width - 1, 0);
                if bits.width < width && !self.holders.is_empty() && self.fun.library_checked.is_none() {
                    low = self.part_of_address(value, low);
                }
                let new = insert_bits(self.terms(), old, low, bits.shift);
                self.emit(Op::Store { addr, value: new, bytes: bits.bytes });
                self.terms().resize(low, width, bits.signed)
            }
        }
    }

    /// An object that ends with the scope (or the full expression) it is made in.
    pub(crate) fn temp_object(&mut self, size: u64, name: &str) -> Memory {
        let n = self.fun.temps;
        self.fun.temps += 1;
        let pointer = self.program.machine.pointer_sort();
        let dst = self.local(&format!("&{name}{n}"), pointer);
        self.alloc_stack(dst, size);
        self.fun.live.push(Local::Object(dst, Some(size)));
        Memory::object(self.term(dst), Some(size))
    }

    pub(crate) fn alloc_stack(&mut self, dst: Var, size: u64) {
        let size = self.word(size);
        let name = self.program.name(dst).replacen('&', "", 1);
        self.emit(Op::Alloc { dst, size, kind: cfa::ObjectKind::Stack, name });
    }
}

/// Whether a pointer is the result of arithmetic on pointers, maybe by way of an element or one of its members.
fn is_sum(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::PtrAdd { .. } => true,
        ExprKind::Cast(inner)
        | ExprKind::Deref(inner)
        | ExprKind::AddrOf(inner)
        | ExprKind::Decay(inner)
        | ExprKind::Field(inner, _) => is_sum(inner),
        _ => false,
    }
}

/// `whole` with the bits from `shift` on replaced by `part`.
pub(crate) fn insert_bits(terms: &mut term::Store, whole: Term, part: Term, shift: u32) -> Term {
    let (width, part_width) = (terms.width(whole), terms.width(part));
    let mut new = part;
    if shift > 0 {
        let low = terms.extract(whole, shift - 1, 0);
        new = terms.concat(new, low);
    }
    if shift + part_width < width {
        let high = terms.extract(whole, width - 1, shift + part_width);
        new = terms.concat(high, new);
    }
    new
}
