//! Classes of objects and the cells they are made of.
//!
//! An access at exactly known offsets touches `[lo, lo + width)`. Once some offset of a class is known only modulo `m`, the
//! class gets a *stride* that divides `m`, and all its offsets are taken modulo that stride: an array of structs has the
//! size of a struct as stride, and a shape for each field. Shapes that overlap form one cell with common contents.
//! A bulk copy hands on the shapes of its destination to its source (what is read there must have been copied from
//! here) and the contents the other way; it leaves the two objects in classes of their own.

use super::congruence::{Congruence, gcd};
use super::inner_arrays::Inner;
use super::points_to::{Node, Object, PointsTo};
use super::values::Class;
use crate::limits::memory::MAX_SHAPES;
use base::Id;
use std::collections::BTreeSet;
use term::Format;

/// An accessed stretch of bytes; `width` 0 marks a place where a copied range may begin or end, known modulo `modulus`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Shape {
    pub(super) lo: i64,
    pub(super) width: u32,
    /// Accessed as a float.
    pub(super) format: Option<Format>,
    pub(super) modulus: u64,
}

/// Overlapping shapes `[lo, hi)`.
#[derive(Clone, Copy, Debug)]
struct Cell {
    lo: i64,
    hi: i64,
    contents: Node,
}

#[derive(Clone, Debug)]
pub(super) struct ClassInfo {
    pub(super) parent: Class,
    pub(super) objects: Vec<Object>,
    /// The size of its largest object, if that is known.
    extent: Option<i64>,
    /// 0: all offsets are known exactly.
    pub(super) stride: u64,
    pub(super) shapes: BTreeSet<Shape>,
    cells: Vec<Cell>,
    /// Copies and fills whose destination is here.
    bulks: Vec<u32>,
    /// Where the array is that its objects are taken apart into, and the class of the rest of them (`inner_arrays.rs`).
    pub(super) inner: Inner,
    pub(super) rest: Option<Class>,
    /// It is the rest of this class.
    pub(super) whole: Option<Class>,
}

impl ClassInfo {
    pub(super) fn new(class: Class, object: Object, extent: Option<i64>) -> ClassInfo {
        ClassInfo {
            parent: class,
            objects: vec![object],
            extent,
            stride: 0,
            shapes: BTreeSet::new(),
            cells: Vec::new(),
            bulks: Vec::new(),
            inner: Inner::ALL,
            rest: None,
            whole: None,
        }
    }

    fn residue(&self, lo: i64) -> i64 {
        if self.stride == 0 { lo } else { lo.rem_euclid(self.stride as i64) }
    }

    fn normal(&self, shape: Shape) -> Shape {
        if shape.width > 0 {
            return Shape { lo: self.residue(shape.lo), modulus: 0, ..shape };
        }
        let modulus = gcd(shape.modulus, self.stride);
        let lo = if modulus > 0 { shape.lo.rem_euclid(modulus as i64) } else { shape.lo };
        Shape { lo, modulus, ..shape }
    }

    /// The bytes of a shape: all of them when it reaches over the end of a stride.
    fn extent(&self, shape: &Shape) -> (i64, i64) {
        let hi = shape.lo + shape.width as i64;
        if self.stride > 0 && hi > self.stride as i64 { (0, self.stride as i64) } else { (shape.lo, hi) }
    }
}

impl PointsTo<'_> {
    /// The class of what is in the objects of a class beside the inner array, up to there.
    pub(super) fn new_rest(&mut self, whole: Class, extent: Option<i64>) -> Class {
        let rest = self.classes.next_id();
        let extent = extent.or(self.classes[whole].extent);
        let empty = ClassInfo::new(rest, Object::new(0), extent);
        self.classes.push(ClassInfo { objects: Vec::new(), whole: Some(whole), ..empty })
    }

    /// An access of `width` bytes at `offset`: the contents of its cell.
    pub(super) fn touch(&mut self, class: Class, offset: Congruence, width: u32, format: Option<Format>) -> Node {
        let class = self.find(class);
        if !offset.is_exact() {
            self.restride(class, offset.m);
        }
        let shape = self.classes[class].normal(Shape { lo: offset.r, width, format, modulus: 0 });
        self.add(class, shape);
        self.cell(class, shape)
    }

    fn add(&mut self, class: Class, shape: Shape) {
        if !self.classes[class].shapes.insert(shape) {
            return;
        }
        self.fresh.push((class, shape));
        let info = &self.classes[class];
        if info.stride == 0 && info.shapes.len() > MAX_SHAPES {
            let step = info.shapes.iter().fold(0, |g, s| gcd(g, gcd(s.width as u64, s.lo.unsigned_abs())));
            self.restride(class, step.max(1));
        }
    }

    /// The contents of the cell around `shape`, which may join several cells.
    fn cell(&mut self, class: Class, shape: Shape) -> Node {
        let shape = self.classes[class].normal(shape);
        let (mut lo, mut hi) = self.classes[class].extent(&shape);
        let cells = &self.classes[class].cells;
        let first = cells.partition_point(|c| c.hi <= lo);
        let last = first + cells[first..].partition_point(|c| c.lo < hi);
        if last == first + 1 && cells[first].lo <= lo && hi <= cells[first].hi {
            return self.find_node(cells[first].contents);
        }
        let joined: Vec<Cell> = self.classes[class].cells.drain(first..last).collect();
        let contents = match joined.first() {
            Some(cell) => cell.contents,
            None => self.new_contents(),
        };
        for cell in &joined {
            (lo, hi) = (lo.min(cell.lo), hi.max(cell.hi));
            self.unite_contents(contents, cell.contents);
        }
        self.classes[class].cells.insert(first, Cell { lo, hi, contents });
        self.find_node(contents)
    }

    /// The contents of cells that are no single word, which every access takes whole and no bulk operation cuts.
    pub(super) fn cells_of_several_words(&self) -> Vec<Node> {
        let mut found = Vec::new();
        for (class, info) in self.classes.iter().filter(|(class, info)| info.parent == *class) {
            debug_assert_eq!(self.find(class), class, "parents are their own");
            for cell in &info.cells {
                let is_word = info.shapes.iter().all(|shape| match info.extent(shape) {
                    _ if shape.width == 0 => !cuts(shape, cell),
                    (lo, hi) if hi <= cell.lo || cell.hi <= lo => true,
                    _ => shape.lo == cell.lo && shape.lo + i64::from(shape.width) == cell.hi,
                });
                if !is_word {
                    found.push(self.find_node(cell.contents));
                }
            }
        }
        found
    }

    /// The contents of cells with words as long as a pointer, of which some write may leave bytes as they are; not those of classes with a
    /// stride that is no number of such words (see `damage.rs`).
    pub(super) fn cells_written_in_part(&self) -> Vec<Node> {
        let word = self.program.machine.pointer_bytes();
        let is_word = |shape: &Shape| shape.width == word && shape.format.is_none();
        let stores: BTreeSet<Node> = self
            .touched_cells()
            .into_iter()
            .filter(|((_, width, is_load), _)| !is_load && *width != word)
            .map(|(_, contents)| contents)
            .collect();
        let mut found = Vec::new();
        for (_, info) in self.classes.iter().filter(|(class, info)| info.parent == *class) {
            if !info.stride.is_multiple_of(word.into()) {
                continue;
            }
            for cell in &info.cells {
                let inside = |shape: &&Shape| cell.lo <= shape.lo && shape.lo < cell.hi && shape.width > 0;
                let words: BTreeSet<i64> =
                    info.shapes.iter().filter(inside).filter(|shape| is_word(shape)).map(|shape| shape.lo).collect();
                let is_cut = || info.shapes.iter().any(|shape| shape.width == 0 && cuts(shape, cell));
                let contents = self.find_node(cell.contents);
                if words.len() > 1 || words.len() == 1 && (stores.contains(&contents) || is_cut()) {
                    found.push(contents);
                }
            }
        }
        found
    }

    /// Offsets in the class are from now on known modulo `m` at best.
    pub(super) fn restride(&mut self, class: Class, m: u64) {
        if self.classes[class].whole.is_some() {
            self.refuse_inner(class, Inner::ALL);
        }
        let stride = gcd(self.classes[class].stride, m);
        if stride != self.classes[class].stride {
            self.classes[class].stride = stride;
            self.rearrange(class);
        }
    }

    /// Forms the cells anew after the stride or the shapes have changed.
    fn rearrange(&mut self, class: Class) {
        let info = &mut self.classes[class];
        let old = std::mem::take(&mut info.cells);
        let shapes = std::mem::take(&mut info.shapes);
        info.shapes = shapes.into_iter().map(|s| info.normal(s)).collect();
        for shape in self.classes[class].shapes.clone() {
            if shape.width > 0 {
                self.cell(class, shape);
            }
        }
        for cell in old {
            let width = (cell.hi - cell.lo).min(u32::MAX as i64) as u32;
            let now = self.cell(class, Shape { lo: cell.lo, width, format: None, modulus: 0 });
            self.unite_contents(now, cell.contents);
        }
        self.rearranged.push(class);
    }

    /// Two classes become one.
    pub(super) fn unite(&mut self, a: Class, b: Class) {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return;
        }
        // Into the one with more shapes; of equals into the older one.
        let size = |c: Class| (self.classes[c].shapes.len(), std::cmp::Reverse(c));
        let (into, from) = if size(a) >= size(b) { (a, b) } else { (b, a) };
        self.settle_inner(a, b);
        let empty = ClassInfo::new(into, Object::new(0), None);
        let gone = std::mem::replace(&mut self.classes[from], ClassInfo { objects: Vec::new(), ..empty });
        let info = &mut self.classes[into];
        info.objects.extend(gone.objects);
        info.objects.sort_unstable();
        info.extent = info.extent.zip(gone.extent).map(|(a, b)| a.max(b));
        info.bulks.extend(&gone.bulks);
        info.stride = gcd(info.stride, gone.stride);
        info.shapes.extend(gone.shapes);
        match (info.rest, gone.rest) {
            (Some(a), Some(b)) => self.unions.push((a, b)),
            (a, b) => info.rest = a.or(b),
        }
        let kept = std::mem::take(&mut info.cells);
        self.rearrange(into);
        for cell in kept.into_iter().chain(gone.cells) {
            let width = (cell.hi - cell.lo).min(u32::MAX as i64) as u32;
            let now = self.cell(into, Shape { lo: cell.lo, width, format: None, modulus: 0 });
            self.unite_contents(now, cell.contents);
        }
    }

    /// A bulk operation has new operands.
    pub(super) fn bulk(&mut self, index: u32) {
        let bulk = self.bulks[index as usize].clone();
        let Some(dst) = self.pointer(bulk.dst) else { return };
        let len = self.length(bulk.len);
        let (class, rest) = self.range_parts(dst, len, bulk.src.is_none());
        if !dst.offset.is_exact() {
            self.restride(class, dst.offset.m);
        }
        match rest {
            Some(rest) => {
                self.cut(rest, dst.offset);
                self.cut(class, Congruence::exact(self.classes[class].inner.lo));
            }
            None => self.cut(class, dst.offset),
        }
        self.cut(class, dst.offset.add(len));
        if let Some(src) = bulk.src.and_then(|src| self.pointer(src)) {
            let (class, _) = self.range_parts(src, len, false);
            if !src.offset.is_exact() {
                self.restride(class, src.offset.m);
            }
            self.cut(class, src.offset);
            self.cut(class, src.offset.add(len));
        }
        let class = self.find(class);
        if !self.classes[class].bulks.contains(&index) {
            self.classes[class].bulks.push(index);
        }
        for shape in self.classes[class].shapes.clone() {
            self.mirror(index, class, shape);
        }
    }

    /// The number of bytes a bulk operation moves.
    pub(super) fn length(&self, len: term::Term) -> Congruence {
        self.value(len).number.unwrap_or(Congruence::ANY)
    }

    fn cut(&mut self, class: Class, at: Congruence) {
        let class = self.find(class);
        let shape = self.classes[class].normal(Shape { lo: at.r, width: 0, format: None, modulus: at.m });
        self.add(class, shape);
    }

    pub(super) fn follow_all(&mut self, class: Class) {
        let class = self.find(class);
        for index in self.classes[class].bulks.clone() {
            for shape in self.classes[class].shapes.clone() {
                self.mirror(index, class, shape);
            }
        }
    }

    pub(super) fn follow(&mut self, class: Class, shape: Shape) {
        let class = self.find(class);
        for index in self.classes[class].bulks.clone() {
            self.mirror(index, class, shape);
        }
    }

    /// What is read at `shape` in the destination of a copy was at the corresponding place of its source.
    fn mirror(&mut self, index: u32, class: Class, shape: Shape) {
        let bulk = self.bulks[index as usize].clone();
        let Some(src) = bulk.src.and_then(|src| self.pointer(src)) else { return };
        let Some(dst) = self.pointer(bulk.dst) else { return };
        debug_assert_eq!(dst.class, self.owner_of(class));
        let (from, _) = self.range_parts(src, self.length(bulk.len), false);
        let len = self.length(bulk.len).as_exact();
        let shift = dst.offset.r - src.offset.r;
        if from == class && len.is_none() && self.classes[class].stride == 0 && shift != 0 {
            // A move of unknown length within a class would shift its shapes on and on.
            return self.restride(class, shift.unsigned_abs());
        }
        let shape = self.classes[class].normal(shape);
        let stride = self.classes[class].stride as i64;
        if shape.width == 0 {
            let relative = Congruence::new(shape.lo as i128, shape.modulus as u128).add(dst.offset.neg());
            let relative = if stride > 0 { relative.modulo(stride as u64) } else { relative };
            let inside = |at: i64| at >= 0 && len.is_none_or(|len| at <= len);
            let at = src.offset.add(relative);
            if relative.as_exact().is_none_or(inside) && at.as_exact().is_none_or(|at| self.is_inside(from, at)) {
                self.cut(from, at);
            }
            return;
        }
        let width = shape.width as i64;
        let relative = shape.lo - dst.offset.r;
        if stride > 0 && len.is_none_or(|len| len > stride) {
            // Any number of elements.
            let relative = Congruence::new(relative as i128, stride as u128);
            self.mirror_at(class, shape, from, src.offset.add(relative), shape.width, shape.format);
            return;
        }
        let (first, step) = if stride == 0 { (relative, width.max(1)) } else { (relative.rem_euclid(stride), stride) };
        let mut start = first;
        loop {
            let (lo, hi) = (start.max(0), len.map_or(start + width, |len| len.min(start + width)));
            if lo < hi {
                let format = shape.format.filter(|_| hi - lo == width);
                let offset = src.offset.add(Congruence::exact(lo));
                if offset.as_exact().is_none_or(|at| self.is_inside(from, at)) {
                    self.mirror_at(class, shape, from, offset, (hi - lo) as u32, format);
                }
            }
            start -= step;
            if stride == 0 || start + width <= 0 {
                return;
            }
        }
    }

    /// The contents of all cells of the class.
    pub(super) fn contents_of(&self, class: Class) -> impl Iterator<Item = Node> + '_ {
        let cells = |class: Class| self.classes[class].cells.iter().map(|cell| self.find_node(cell.contents));
        cells(self.find(class)).chain(self.rest_of(class).into_iter().flat_map(cells))
    }

    /// May an object of the class have a byte there?
    fn is_inside(&self, class: Class, at: i64) -> bool {
        at >= 0 && self.classes[self.find(class)].extent.is_none_or(|extent| at <= extent)
    }

    fn mirror_at(
        &mut self,
        class: Class,
        shape: Shape,
        src: Class,
        offset: Congruence,
        width: u32,
        format: Option<Format>,
    ) {
        let from = self.touch(src, offset, width, format);
        // Touching may have changed the stride of this very class.
        let to = self.cell(self.find(class), shape);
        // What is cut off on the way is no pointer any more.
        self.flow(from, to, width < shape.width);
    }
}

/// Whether a bulk operation may start or end inside of the cell.
fn cuts(cut: &Shape, cell: &Cell) -> bool {
    let first = match cut.modulus {
        0 => cut.lo,
        modulus => cell.lo + 1 + (cut.lo - cell.lo - 1).rem_euclid(modulus as i64),
    };
    cell.lo < first && first < cell.hi
}
