//! Where objects begin, as far as the last bits of addresses tell: unknown, aligned, and the same whenever the program asks.
//!
//! A program that masks addresses, or takes remainders of them by powers of two, gets the last bits of the unknown place at which the object
//! begins, plus the offset into the object. The place is chosen (an `Origin::Extern` named [`PLACES`]) when the program asks for the first time
//! since the object was made, at a multiple of the alignment that it was made with: that of a variable's type and attributes, of a block what
//! was asked for. Two tables by the number of the object hold that; programs that never ask have none.

use base::Id;
use cfa::{ObjectKind, Op, Origin, PLACES, Var};
use cfront::hir::{BinaryOp, Expr, ExprKind, VarId};
use cfront::walk::walk_stmt;
use term::{Sort, Term};

use crate::address::{Asked, LOW};
use crate::context::{Home, Lowering};
use crate::options::Places;

/// The alignment of blocks of `malloc` on x86, by 64 and by 32 bits.
const OF_BLOCKS: u64 = 16;
const OF_PAGES: u64 = 4096;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Bases {
    /// The last bits of the place of each object, where they were asked for.
    places: Var,
    asked: Var,
    /// Which of these bits the alignment leaves open.
    open: Var,
}

impl Lowering<'_> {
    /// Makes the tables if the program asks.
    pub(crate) fn find_bases(&mut self) {
        if self.options.places == Places::Fixed || !self.asks_for_last_bits() {
            return;
        }
        let object = self.program.machine.object_sort();
        let bits = Sort::Bv(LOW);
        let places = self.generated_global("$places", Sort::array(object, bits));
        let asked = self.generated_global("$asked", Sort::array(object, Sort::Bool));
        let open = self.generated_global("$open", Sort::array(object, bits));
        self.bases = Some(Bases { places, asked, open });
    }

    fn asks_for_last_bits(&self) -> bool {
        let unit = self.unit;
        let mut asks = false;
        for id in self.reach.funcs.iter().filter(|id| !self.is_library(**id)) {
            let Some(body) = &unit.funcs[*id].body else { continue };
            walk_stmt(body, &mut |e| asks |= self.asks_here(e));
        }
        asks
    }

    fn asks_here(&self, e: &Expr) -> bool {
        let takes_bits = |op: BinaryOp| matches!(op, BinaryOp::BitAnd | BinaryOp::Rem);
        match &e.kind {
            ExprKind::Binary(op, a, b) => takes_bits(*op) && self.place_asked(*op, a, b) == Asked::Bits,
            ExprKind::AssignOp { op, place, .. } => takes_bits(*op) && self.aligned_address(place).is_some(),
            _ => false,
        }
    }

    /// When the program starts.
    pub(crate) fn start_bases(&mut self) {
        let Some(Bases { places, asked, open }) = self.bases else { return };
        let object = self.program.machine.object_sort();
        let (none, no, all) = (self.terms().bv(0, LOW), self.terms().ff(), self.terms().bv_signed(-1, LOW));
        let (none, no) = (self.terms().const_array(object, none), self.terms().const_array(object, no));
        let all = self.terms().const_array(object, all);
        self.emit(Op::Assign(vec![(places, none), (asked, no), (open, all)]));
    }

    /// An object was made: nobody has asked where it begins, or only where another one of its number did.
    pub(crate) fn forget_place(&mut self, made: Var, kind: ObjectKind) {
        let Some(Bases { asked, .. }) = self.bases else { return };
        let address = self.term(made);
        let (object, before, no) = (self.number_of(address), self.term(asked), self.terms().ff());
        let after = self.terms().store(before, object, no);
        self.emit(Op::Assign(vec![(asked, after)]));
        let align = self.word(if kind == ObjectKind::Heap { OF_BLOCKS } else { 1 });
        self.align_object(address, align);
    }

    /// A variable has its own alignment.
    pub(crate) fn align_variable(&mut self, id: VarId) {
        let unit = self.unit;
        let var = &unit.vars[id];
        if let (Some(_), Some(Home::Object(address))) = (self.bases, self.homes[id.index()]) {
            let of_type = if unit.types.is_complete(var.ty) { unit.types.align_of(var.ty) } else { 1 };
            let (address, align) = (self.term(address), self.word(of_type.max(var.align.unwrap_or(1))));
            self.align_object(address, align);
        }
    }

    /// A block is aligned as it was asked for, and as all blocks are.
    pub(crate) fn align_block(&mut self, block: Term, align: Term) {
        let (one, blocks, null) = (self.word(1), self.word(OF_BLOCKS), self.word(0));
        let terms = self.terms();
        let below = terms.sub(align, one);
        let common = terms.bvand(align, below);
        let (is_power, is_more) = (terms.eq(common, null), terms.ult(blocks, align));
        let counts = terms.and(is_power, is_more);
        let align = terms.ite(counts, align, blocks);
        self.align_object(block, align);
    }

    pub(crate) fn align_to_page(&mut self, block: Term) {
        let align = self.word(OF_PAGES);
        self.align_object(block, align);
    }

    /// `align` is a power of two.
    fn align_object(&mut self, address: Term, align: Term) {
        let Some(Bases { open, .. }) = self.bases else { return };
        let (object, before) = (self.number_of(address), self.term(open));
        let bits = self.terms().neg(align);
        let bits = self.terms().extract(bits, LOW - 1, 0);
        let after = self.terms().store(before, object, bits);
        self.emit(Op::Assign(vec![(open, after)]));
    }

    fn number_of(&mut self, address: Term) -> Term {
        let machine = self.program.machine;
        machine.object_of(self.terms(), address)
    }

    /// The last bits of an address, as they are where the object lies.
    pub(crate) fn last_bits(&mut self, address: Term) -> Term {
        let any = |low: &mut Self| low.havoc(Sort::Bv(LOW), Origin::Extern(PLACES.to_owned()));
        let Some(Bases { places, asked, open }) = self.bases.filter(|_| self.is_as_wide_as_pointers(address)) else {
            return any(self);
        };
        let machine = self.program.machine;
        let object = machine.origin_of(self.terms(), address);
        let object = self.snapshot(object);
        let was_asked = self.term(asked);
        let was_asked = self.terms().select(was_asked, object);
        let is_new = self.terms().not(was_asked);
        self.run_if(is_new, |low| {
            let bits = any(low);
            let (all, before, open) = (low.term(asked), low.term(places), low.term(open));
            let terms = low.terms();
            let open = terms.select(open, object);
            let place = terms.bvand(bits, open);
            let (place, yes) = (terms.store(before, object, place), terms.tt());
            let all = terms.store(all, object, yes);
            low.emit(Op::Assign(vec![(places, place), (asked, all)]));
        });
        let places = self.term(places);
        let terms = self.terms();
        let place = terms.select(places, object);
        let offset = terms.extract(address, LOW - 1, 0);
        terms.add(place, offset)
    }

    fn is_as_wide_as_pointers(&self, address: Term) -> bool {
        self.program.terms.sort(address) == self.program.machine.pointer_sort()
    }
}
