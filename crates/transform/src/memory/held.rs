//! Addresses in memory that are read in part where lowering saw nothing of it: as members of a struct that the program makes of a
//! pointer to `void`, say. Lowering marks the loads that by the text of the program may read parts of addresses, and `parts.rs`
//! follows what they read. Others may do so too, wherever narrower numbers and addresses share a cell. Nearly all that do share one
//! because the analysis took different members for one, and read no part of anything. So it is asked when it happens.
//!
//! One word of memory, at an arbitrary address (`$place`), is watched; `$held` has a bit for each of its bytes that is a byte of an
//! address stored there as a whole. A load that takes some of these bytes, and is no load of a word, is unsupported. Since the
//! address is arbitrary, an execution that reads a part of any address leads to that end for one choice of it. A copy of the word
//! may be watched in the place of the original: that is a choice, too.
//!
//! Who proves or looks for errors may take what such a load gives for anything instead (`SeenParts::Anything`). Of an execution that
//! takes several parts, the first one is watched for some choice of the word; from then on every load that may take a part
//! gives anything (`$open`).
//!
//! Programs in which no such load touches a cell that holds addresses pay nothing. Loads of words at other places than the address's
//! own are not asked about.

use super::SeenParts;
use super::encode::{Encoder, Origins};
use super::parts::WHAT;
use super::points_to::{Node, PointsTo};
use cfa::{Edge, Op, Origin, PLACES, Var, VarKind};
use std::collections::BTreeSet;
use term::{Sort, Term};

/// What has to do with words that may hold addresses and are read in part.
#[derive(Clone, Debug, Default)]
pub(super) struct Held {
    loads: BTreeSet<Edge>,
    /// Stores, fills and copies that may change what such words hold.
    writes: BTreeSet<Edge>,
    /// `$place` and `$held`, once they exist.
    watched: Option<(Var, Var)>,
    /// `$open`: a part was taken.
    open: Option<Var>,
}

impl Held {
    pub(super) fn load_count(&self) -> usize {
        self.loads.len()
    }

    pub(super) fn of(points: &PointsTo<'_>) -> Held {
        let program = points.program;
        let word = program.machine.pointer_bytes();
        let with_addresses = points.cells_with_addresses();
        let touched = points.touched_cells();
        let mut held = Held::default();
        let mut cells = BTreeSet::new();
        for (id, edge) in program.main().edges.iter() {
            let Op::Load { dst, addr, bytes } = edge.op else { continue };
            let is_word = bytes == word && program.vars[dst].sort.bv_width().is_some();
            if !is_word
                && !program.vars[dst].raw
                && let Some(cell) = touched.get(&(addr, bytes, true)).filter(|cell| with_addresses.contains(cell))
            {
                held.loads.insert(id);
                cells.insert(*cell);
            }
        }
        if cells.is_empty() {
            return held;
        }
        copied_into(points, &with_addresses, &mut cells);
        for (id, edge) in program.main().edges.iter() {
            let is_write = match edge.op {
                Op::Store { addr, bytes, .. } => {
                    touched.get(&(addr, bytes, false)).is_some_and(|cell| cells.contains(cell))
                }
                Op::Copy { dst, .. } | Op::Fill { dst, .. } => {
                    let class = points.pointer(dst).map(|p| p.class);
                    class.is_some_and(|class| points.contents_of(class).any(|c| cells.contains(&c)))
                }
                _ => false,
            };
            if is_write {
                held.writes.insert(id);
            }
        }
        held
    }
}

/// Adds the cells with addresses that are copied to the cells.
fn copied_into(points: &PointsTo<'_>, with_addresses: &BTreeSet<Node>, cells: &mut BTreeSet<Node>) {
    loop {
        let is_source =
            |cell: &&Node| !cells.contains(*cell) && points.flows_from(**cell).any(|to| cells.contains(&to));
        let sources: Vec<Node> = with_addresses.iter().filter(is_source).copied().collect();
        if sources.is_empty() {
            return;
        }
        cells.extend(sources);
    }
}

impl Encoder<'_> {
    /// At the start the watched word holds no address.
    pub(super) fn watch_place(&mut self) -> Vec<Op> {
        if self.held.loads.is_empty() {
            return Vec::new();
        }
        let (machine, entry) = (self.program.machine, self.program.entry);
        let place = self.program.add_var("$place", machine.pointer_sort(), VarKind::Local(entry), None);
        let held = self.program.add_var("$held", Sort::Bv(machine.pointer_bytes()), VarKind::Local(entry), None);
        self.held.watched = Some((place, held));
        let none = self.program.terms.bv(0, machine.pointer_bytes());
        let mut start = vec![(held, none)];
        if self.settings.parts == SeenParts::Anything {
            let open = self.program.add_var("$open", Sort::Bool, VarKind::Local(entry), None);
            self.held.open = Some(open);
            start.push((open, self.program.terms.ff()));
        }
        vec![Op::Havoc { vars: vec![place], origin: Origin::Internal }, Op::Assign(start)]
    }

    /// A load goes on only if it takes no part of an address; where it does, it gives nothing, or anything.
    pub(super) fn no_part(&mut self, id: Edge, dst: Var, addr: Term, bytes: u32, at: Origins) -> Origins {
        let Some((place, held)) = self.held.watched.filter(|_| self.held.loads.contains(&id)) else { return at };
        let (place, held) = (self.program.term(place), self.program.term(held));
        let len = self.program.terms.bv(bytes.into(), self.program.machine.pointer_bits());
        let read = self.bytes_inside(place, addr, len);
        let terms = &mut self.program.terms;
        let parts = terms.bvand(read.bits, held);
        let takes = terms.nonzero(parts);
        let Some(open) = self.held.open else {
            let takes_none = terms.not(takes);
            return self.only_where(takes_none, WHAT, at);
        };
        let was_open = self.program.term(open);
        let terms = &mut self.program.terms;
        let is_open = terms.or(takes, was_open);
        let (is_closed, opened) = (terms.not(is_open), terms.tt());
        let [anything, given, next] = [(); 3].map(|()| self.new_loc(at.from));
        let origin = Origin::Extern(PLACES.to_owned());
        self.add_edge(at.from, anything, Op::Assume(is_open), &at);
        self.add_edge(anything, given, Op::Havoc { vars: vec![dst], origin }, &at);
        self.add_edge(given, at.to, Op::Assign(vec![(open, opened)]), &at);
        self.add_edge(at.from, next, Op::Assume(is_closed), &at);
        Origins { from: next, ..at }
    }

    /// `value` is stored.
    pub(super) fn holding(&mut self, id: Edge, addr: Term, value: Term, bytes: u32, at: Origins) -> Origins {
        let Some((place, held)) = self.held.watched.filter(|_| self.held.writes.contains(&id)) else { return at };
        let machine = self.program.machine;
        let len = self.program.terms.bv(bytes.into(), machine.pointer_bits());
        let new = self.left_of(place, held, addr, len);
        let known = self.points.value(value);
        // A float is no address: its load was asked about, too.
        let is_word = bytes == machine.pointer_bytes() && self.program.terms.sort(value).bv_width().is_some();
        let new = if is_word && known.class().is_some() {
            let value = self.rewrite(value);
            let is_plain = known.pointer.is_some_and(|p| !p.mangled);
            let number = if is_plain { machine.origin_of(&mut self.program.terms, value) } else { value };
            let place = self.program.term(place);
            let terms = &mut self.program.terms;
            let is_address = terms.nonzero(number);
            let is_here = terms.eq(addr, place);
            let is_held = terms.and(is_address, is_here);
            let (none, all) = (terms.bv(0, machine.pointer_bytes()), terms.bv_signed(-1, machine.pointer_bytes()));
            let whole = terms.ite(is_held, all, none);
            terms.bvor(new, whole)
        } else {
            new
        };
        self.before(Op::Assign(vec![(held, new)]), at)
    }

    /// `len` bytes that are no address are written from `dst` on, or copied from `src`.
    pub(super) fn overwriting(&mut self, id: Edge, dst: Term, src: Option<Term>, len: Term, at: Origins) -> Origins {
        let Some((place, held)) = self.held.watched.filter(|_| self.held.writes.contains(&id)) else { return at };
        let len = self.rewrite(len);
        let left = self.left_of(place, held, dst, len);
        let Some(src) = src else {
            return self.before(Op::Assign(vec![(held, left)]), at);
        };
        let (here, old) = (self.program.term(place), self.program.term(held));
        let taken = self.bytes_inside(here, src, len);
        let terms = &mut self.program.terms;
        // Some of its bytes only: whoever reads them there reads a part.
        let parts = terms.bvand(taken.bits, old);
        let takes = terms.nonzero(parts);
        let none = terms.not(takes);
        let is_whole = terms.or(none, taken.all);
        let at = self.only_where(is_whole, WHAT, at);
        let moves = self.temporary("$carries", Sort::Bv(1));
        let is_chosen = self.program.term(moves);
        let terms = &mut self.program.terms;
        let is_chosen = terms.nonzero(is_chosen);
        let goes = terms.and(is_chosen, taken.all);
        let inside = terms.sub(here, src);
        let there = terms.add(dst, inside);
        let next = terms.ite(goes, there, here);
        let new = terms.ite(goes, old, left);
        let at = self.before(Op::Havoc { vars: vec![moves], origin: Origin::Internal }, at);
        self.before(Op::Assign(vec![(place, next), (held, new)]), at)
    }

    /// What bytes of an address are left of those that are held, where `len` bytes are written from `start` on.
    fn left_of(&mut self, place: Var, held: Var, start: Term, len: Term) -> Term {
        let (place, held) = (self.program.term(place), self.program.term(held));
        let written = self.bytes_inside(place, start, len);
        let terms = &mut self.program.terms;
        let kept = terms.bvnot(written.bits);
        terms.bvand(held, kept)
    }
}
