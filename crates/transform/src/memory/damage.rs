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
//! Programs in which no such write can touch a cell that holds addresses pay nothing. Where the stride of a class is no multiple of a
//! pointer's size (an array of characters beside the pointer that is indexed by a variable) all its bytes are one cell: there it
//! is asked of each write whether its offset, as far as that is known, may be in the middle of a word that is accessed as one (not where pointers from
//! outside lead there, too: where these are in their objects nobody knows).

use super::congruence::{Congruence, gcd};
use super::encode::{Encoder, Origins};
use super::parts::{Parts, WHAT};
use super::points_to::{Node, Object, ObjectSource, PointsTo};
use cfa::{Edge, Op, Origin, Var, VarKind};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
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
    pub(super) fn load_count(&self) -> usize {
        self.loads.len()
    }

    pub(super) fn of(points: &PointsTo<'_>, parts: &Parts) -> Damage {
        let mut damage = Damage::default();
        let words = Words::of(points);
        let cells = damaged_cells(points, &words);
        if cells.is_empty() {
            return damage;
        }
        let touched = points.touched_cells();
        let word = points.program.machine.pointer_bytes();
        for (id, edge) in points.program.main().edges.iter() {
            let cell_of = |addr: Term, bytes: u32, load: bool| {
                touched.get(&(addr, bytes, load)).copied().filter(|contents| cells.contains(contents))
            };
            match edge.op {
                Op::Load { addr, bytes, .. }
                    if bytes == word && cell_of(addr, bytes, true).is_some() && !parts.numbers.contains(&id) =>
                {
                    damage.loads.insert(id);
                }
                Op::Store { addr, bytes, .. } => {
                    let cell = cell_of(addr, bytes, false);
                    if cell.is_some_and(|cell| words.are_touched(points, cell, addr, bytes)) {
                        damage.writes.insert(id);
                    }
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

/// Bytes of a word: whether any of them, or all, are among others, and a bit for each.
pub(super) struct Inside {
    pub(super) any: Term,
    pub(super) all: Term,
    pub(super) bits: Term,
}

/// Where words as long as a pointer are accessed, by cell: of classes with a stride that is no multiple of their size.
struct Words(BTreeMap<Node, Vec<Congruence>>);

/// Whether some number of the first set is so much more than some number of the second.
fn may_differ_by(a: Congruence, b: Congruence, by: &Range<i64>) -> bool {
    let difference = a.r - b.r;
    match gcd(a.m, b.m) {
        0 => by.contains(&difference),
        modulus => by.start + (difference - by.start).rem_euclid(modulus as i64) < by.end,
    }
}

impl Words {
    fn of(points: &PointsTo<'_>) -> Words {
        let word = points.program.machine.pointer_bytes();
        let mut words: BTreeMap<Node, Vec<Congruence>> = BTreeMap::new();
        for ((addr, bytes, _), contents) in points.touched_cells() {
            let Some(p) = points.pointer(addr).filter(|_| bytes == word) else { continue };
            let at = words.entry(contents).or_default();
            let info = &points.classes[p.class];
            let is_unknown = |o: &Object| matches!(points.objects[*o].source, ObjectSource::Unknown { .. });
            let is_misfit = !info.stride.is_multiple_of(word.into()) && !info.objects.iter().any(is_unknown);
            if is_misfit && !at.contains(&p.offset) {
                at.push(p.offset);
            }
        }
        words.retain(|_, at| !at.is_empty());
        Words(words)
    }

    /// Whether a write may touch a word of its cell; always, where the cell is another one.
    fn are_touched(&self, points: &PointsTo<'_>, cell: Node, addr: Term, bytes: u32) -> bool {
        let word = i64::from(points.program.machine.pointer_bytes());
        let (Some(at), Some(p)) = (self.0.get(&cell), points.pointer(addr)) else { return true };
        at.iter().any(|at| may_differ_by(p.offset, *at, &(1 - i64::from(bytes)..word)))
    }

    /// The cells in which some write may begin or end in the middle of a word.
    fn written_in_part(&self, points: &PointsTo<'_>) -> Vec<Node> {
        let word = i64::from(points.program.machine.pointer_bytes());
        let middle = 1..word;
        let is_cut = |contents: Node, end: Congruence| {
            self.0.get(&contents).is_some_and(|at| at.iter().any(|at| may_differ_by(end, *at, &middle)))
        };
        let mut found = Vec::new();
        for ((addr, bytes, is_load), contents) in points.touched_cells() {
            let Some(p) = points.pointer(addr).filter(|_| !is_load) else { continue };
            let end = p.offset.add(Congruence::exact(bytes.into()));
            if is_cut(contents, p.offset) || is_cut(contents, end) {
                found.push(contents);
            }
        }
        for edge in points.program.main().edges.values() {
            let (Op::Copy { dst, len, .. } | Op::Fill { dst, len, .. }) = edge.op else { continue };
            let Some(p) = points.pointer(dst) else { continue };
            let end = p.offset.add(points.length(len));
            found.extend(points.contents_of(p.class).filter(|c| is_cut(*c, p.offset) || is_cut(*c, end)));
        }
        found
    }
}

/// Cells that hold addresses and are written in part, and those that they are copied to.
fn damaged_cells(points: &PointsTo<'_>, words: &Words) -> BTreeSet<Node> {
    let mut written = points.cells_written_in_part();
    written.extend(words.written_in_part(points));
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
        let Inside { any: written, all, bits } = self.bytes_inside(at_word, dst, len);
        let terms = &mut self.program.terms;
        let width = terms.width(at_word);
        let len = terms.resize(len, width, false);
        // Whatever is as long as a word, or was copied, may be a part of another pointer.
        let word_bytes = terms.bv(bytes.into(), width);
        let is_long = terms.ule(word_bytes, len);
        let is_foreign = if src.is_some() { terms.tt() } else { is_long };
        let is_foreign = terms.and(is_foreign, written);
        let foreign = terms.bool_to_bv(is_foreign, 1);
        let bits = terms.concat(foreign, bits);
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
        ops.into_iter().fold(at, |at, op| self.before(op, at))
    }

    /// Which bytes of the word at `word` are among the `len` bytes from `start` on.
    pub(super) fn bytes_inside(&mut self, word: Term, start: Term, len: Term) -> Inside {
        let bytes = self.program.machine.pointer_bytes();
        let terms = &mut self.program.terms;
        let width = terms.width(word);
        let len = terms.resize(len, width, false);
        let from = terms.sub(word, start);
        let (mut any, mut all) = (terms.ff(), terms.tt());
        let mut bits: Option<Term> = None;
        for k in 0..bytes {
            let k = terms.bv(k.into(), width);
            let relative = terms.add(from, k);
            let is_inside = terms.ult(relative, len);
            any = terms.or(any, is_inside);
            all = terms.and(all, is_inside);
            let bit = terms.bool_to_bv(is_inside, 1);
            bits = Some(bits.map_or(bit, |low| terms.concat(bit, low)));
        }
        Inside { any, all, bits: bits.expect("pointers have bytes") }
    }

    /// The operation comes first.
    pub(super) fn before(&mut self, op: Op, at: Origins) -> Origins {
        let next = self.new_loc(at.from);
        self.add_edge(at.from, next, op, &at);
        Origins { from: next, ..at }
    }
}
