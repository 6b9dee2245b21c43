//! Numbers written over parts of pointers: `*(unsigned char *)&q = 0`, a member of a union that is narrower than the pointer beside
//! it, `memset(&q, 0, 1)`. What is left of the pointer depends on where its object lies on the machine, and our own addresses
//! would tell one convenient story: they have zeros in most bytes. So a word with such damage is no pointer that we
//! know: loading it is unsupported, until all of its bytes have been written again.
//!
//! One word of memory, at an arbitrary address (`$word`), is watched; `$damage` has a bit for each of its bytes that was
//! written since something wrote all of them, and one more for parts of other words, which no further bytes make good.
//! A load at that address is supported only if no bit is set. Since the address is arbitrary, an execution that loads any damaged
//! word leads to that end for one choice of it. A copy of the word may be watched in the place of the original: that is a choice, too.
//!
//! Programs in which no such write can touch a cell that holds addresses pay nothing. Left out are classes whose
//! stride is no multiple of a pointer's size (an array of characters beside the pointer that is indexed by a variable; not a pointer by itself): there every
//! store of a character would be asked about, and the question is that of bounds inside of an object.

use super::encode::{Encoder, Origins};
use super::parts::WHAT;
use super::points_to::{Node, PointsTo};
use cfa::{Edge, Op, Origin, Var, VarKind};
use std::collections::BTreeSet;
use term::{Sort, Term};

/// What has to do with words that may be damaged.
#[derive(Clone, Debug, Default)]
pub(super) struct Damage {
    /// Loads of such words.
    loads: BTreeSet<Edge>,
    /// Stores, fills and copies that may damage them or make them whole.
    writes: BTreeSet<Edge>,
    /// `$word` and `$damage`, once they exist.
    watched: Option<(Var, Var)>,
}

impl Damage {
    pub(super) fn of(points: &PointsTo<'_>) -> Damage {
        let mut damage = Damage::default();
        let cells = damaged_cells(points);
        if cells.is_empty() {
            return damage;
        }
        let touched = points.touched_cells();
        let word = points.program.machine.pointer_bytes();
        for (id, edge) in points.program.main().edges.iter() {
            let is_in = |addr: Term, bytes: u32, load: bool| {
                touched.get(&(addr, bytes, load)).is_some_and(|contents| cells.contains(contents))
            };
            match edge.op {
                Op::Load { addr, bytes, .. } if bytes == word && is_in(addr, bytes, true) => {
                    damage.loads.insert(id);
                }
                Op::Store { addr, bytes, .. } if is_in(addr, bytes, false) => {
                    damage.writes.insert(id);
                }
                Op::Copy { dst, .. } | Op::Fill { dst, .. } => {
                    let class = points.pointer(dst).map(|p| p.class);
                    if class.is_some_and(|class| points.contents_of(class).any(|c| cells.contains(&c))) {
                        damage.writes.insert(id);
                    }
                }
                _ => {}
            }
        }
        if damage.loads.is_empty() { Damage::default() } else { damage }
    }
}

/// Cells that hold addresses and are written in part, and those that they are copied to.
fn damaged_cells(points: &PointsTo<'_>) -> BTreeSet<Node> {
    let written = points.cells_written_in_part();
    if written.is_empty() {
        return BTreeSet::new();
    }
    let with_addresses = points.cells_with_addresses();
    let mut work: Vec<Node> = written.into_iter().filter(|cell| with_addresses.contains(cell)).collect();
    let mut found = BTreeSet::new();
    while let Some(cell) = work.pop() {
        if found.insert(cell) {
            work.extend(points.flows_from(cell).filter(|to| !points.is_term(*to)));
        }
    }
    found
}

impl Encoder<'_> {
    /// At the start no word is damaged.
    pub(super) fn watch_word(&mut self) -> Vec<Op> {
        if self.damage.loads.is_empty() {
            return Vec::new();
        }
        let machine = self.program.machine;
        let entry = self.program.entry;
        let word = self.program.add_var("$word", machine.pointer_sort(), VarKind::Local(entry), None);
        let bits = machine.pointer_bytes() + 1;
        let damage = self.program.add_var("$damage", Sort::Bv(bits), VarKind::Local(entry), None);
        self.damage.watched = Some((word, damage));
        let none = self.program.terms.bv(0, bits);
        vec![Op::Havoc { vars: vec![word], origin: Origin::Internal }, Op::Assign(vec![(damage, none)])]
    }

    /// A load goes on only if what it reads is whole.
    pub(super) fn undamaged(&mut self, id: Edge, addr: Term, at: Origins) -> Origins {
        let Some((word, damage)) = self.damage.watched.filter(|_| self.damage.loads.contains(&id)) else { return at };
        let (word, damage) = (self.program.term(word), self.program.term(damage));
        let terms = &mut self.program.terms;
        let is_watched = terms.eq(addr, word);
        let is_damaged = terms.nonzero(damage);
        let lost = terms.and(is_watched, is_damaged);
        let whole = terms.not(lost);
        self.only_where(whole, WHAT, at)
    }

    /// `len` bytes are written from `dst` on; copied from `src`, if there is one.
    pub(super) fn damaging(&mut self, id: Edge, dst: Term, src: Option<Term>, len: Term, at: Origins) -> Origins {
        let Some((word, damage)) = self.damage.watched.filter(|_| self.damage.writes.contains(&id)) else { return at };
        let bytes = self.program.machine.pointer_bytes();
        let moves = src.map(|_| self.temporary("$moves", Sort::Bv(1)));
        let (len, at_word, old) = (self.rewrite(len), self.program.term(word), self.program.term(damage));
        let terms = &mut self.program.terms;
        let width = terms.width(at_word);
        let len = terms.resize(len, width, false);
        let from = terms.sub(at_word, dst);
        let mut written = terms.ff();
        let mut all = terms.tt();
        let mut bits: Option<Term> = None;
        for k in 0..bytes {
            let k = terms.bv(k.into(), width);
            let relative = terms.add(from, k);
            let is_written = terms.ult(relative, len);
            written = terms.or(written, is_written);
            all = terms.and(all, is_written);
            let bit = terms.bool_to_bv(is_written, 1);
            bits = Some(bits.map_or(bit, |low| terms.concat(bit, low)));
        }
        // Whatever is as long as a word, or was copied, may be a part of another pointer.
        let word_bytes = terms.bv(bytes.into(), width);
        let is_long = terms.ule(word_bytes, len);
        let is_foreign = if src.is_some() { terms.tt() } else { is_long };
        let is_foreign = terms.and(is_foreign, written);
        let foreign = terms.bool_to_bv(is_foreign, 1);
        let bits = terms.concat(foreign, bits.expect("pointers have bytes"));
        let more = terms.bvor(old, bits);
        let full = terms.bv((1 << bytes) - 1, bytes + 1);
        let is_full = terms.eq(more, full);
        let whole = terms.or(all, is_full);
        let none = terms.bv(0, bytes + 1);
        let mut new = terms.ite(whole, none, more);
        let mut assign = Vec::new();
        let mut ops = Vec::new();
        if let (Some(src), Some(moves)) = (src, moves) {
            let is_chosen = self.program.term(moves);
            let terms = &mut self.program.terms;
            let is_chosen = terms.nonzero(is_chosen);
            let inside = terms.sub(at_word, src);
            let rest = terms.sub(len, word_bytes);
            let ends_inside = terms.ule(inside, rest);
            let fits = terms.and(is_long, ends_inside);
            let goes = terms.and(is_chosen, fits);
            let there = terms.add(dst, inside);
            let next = terms.ite(goes, there, at_word);
            new = terms.ite(goes, old, new);
            assign.push((word, next));
            ops.push(Op::Havoc { vars: vec![moves], origin: Origin::Internal });
        }
        assign.push((damage, new));
        ops.push(Op::Assign(assign));
        let next = self.new_loc(at.from);
        self.chain(&Origins { to: next, ..at }, ops);
        Origins { from: next, ..at }
    }
}
