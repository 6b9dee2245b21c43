//! Random programs without invalid accesses: flat form and bytes must agree on every run.
//!
//! Objects have 32 bytes. A pointer variable always has so many valid bytes behind it, its *room*; programs only ever
//! store within it. Pointers travel through memory in one step each time, so that nothing overwrites them meanwhile.

use super::build::Build;
use super::compare::{Rng, compare, compare_unbounded, flatten};
use base::Span;
use cfa::{DataModel, Loc, LocKind, ObjectKind, Op, Scalar, Shape, SourceVar, Var};
use std::sync::Arc;
use term::{Format, Sort, Term};

const SIZE: i64 = 32;

struct Gen {
    b: Build,
    rng: Rng,
    objects: Vec<Var>,
    /// Pointer variables, and the bytes that are valid behind each.
    pointers: Vec<(Var, i64)>,
    ints: Vec<Var>,
    floats: Vec<Var>,
    pointer_bytes: i64,
    objects_are: Objects,
}

/// What the types say that objects are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Objects {
    Bytes,
    /// Structs with an array in the middle, where most indices count.
    Structs,
    /// Arrays of two structs, with indices as wide as a pointer.
    Rows,
}

impl Objects {
    /// What the flat form says where it guards the guesses that it makes of such objects.
    fn guard(self) -> &'static str {
        match self {
            Objects::Bytes | Objects::Structs => "leads out of its array",
            Objects::Rows => "wraps around",
        }
    }
}

/// The first byte of the array in each struct, and its size.
const ARRAY: (i64, i64) = (8, 16);

/// The size of each struct in an array of two.
const ROW: i64 = 12;

impl Gen {
    fn new(seed: u64, objects_are: Objects) -> Gen {
        let mut rng = Rng(seed);
        let model = if rng.chance(2) { DataModel::Lp64 } else { DataModel::Ilp32 };
        let mut b = Build::new(model);
        let ints =
            vec![b.int("i"), b.int("j"), b.var("c", Sort::Bv(8)), b.var("s", Sort::Bv(16)), b.var("l", Sort::Bv(64))];
        let floats = vec![b.var("f", Sort::Float(Format::F32)), b.var("d", Sort::Float(Format::F64))];
        let pointer_bytes = b.p.machine.pointer_bytes().into();
        let mut gen_ =
            Gen { b, rng, objects: Vec::new(), pointers: Vec::new(), ints, floats, pointer_bytes, objects_are };
        for v in gen_.ints.clone() {
            gen_.b.input(v);
        }
        for v in gen_.floats.clone() {
            let sort = gen_.b.p.vars[v].sort;
            let zero = gen_.b.p.terms.value(&term::Value::zero(sort));
            gen_.b.set(v, zero);
        }
        for k in 0..2 + gen_.rng.below(4) {
            let kind = [ObjectKind::Static, ObjectKind::Stack, ObjectKind::Heap][gen_.rng.below(3) as usize];
            let o = gen_.alloc(&format!("o{k}"), kind);
            gen_.objects.push(o);
        }
        for k in 0..1 + gen_.rng.below(3) {
            let p = gen_.b.pointer(&format!("p{k}"));
            let rooms: &[i64] = if objects_are == Objects::Rows { &[ROW] } else { &[8, 16, 20, 32] };
            let room = Gen::pick(&mut gen_.rng, rooms);
            let first = gen_.objects[gen_.rng.below(gen_.objects.len() as u64) as usize];
            let t = gen_.b.p.term(first);
            gen_.b.set(p, t);
            gen_.pointers.push((p, room));
        }
        gen_
    }

    fn alloc(&mut self, name: &str, kind: ObjectKind) -> Var {
        let o = self.b.alloc(name, SIZE, kind);
        if self.objects_are == Objects::Structs {
            // struct { long before; char array[16]; long behind; }
            let scalar = |bytes| {
                let ctype = String::new();
                Arc::new(Shape::Scalar(Scalar { bytes, ctype, signed: true, pointer: false, float: false }))
            };
            let array = Shape::Array { stride: 1, count: ARRAY.1 as u64, of: scalar(1) };
            let behind = (ARRAY.0 + ARRAY.1) as u64;
            let members =
                [("before", 0, scalar(8)), ("array", ARRAY.0 as u64, array.into()), ("behind", behind, scalar(8))];
            let members = members.map(|(name, at, shape)| (Some(name.to_owned()), at, shape));
            let name = self.b.p.name(o).to_owned();
            let ctype = "struct s *".to_owned();
            let source =
                SourceVar { name, ctype, signed: false, pointer: true, span: Span::nowhere(), frame: cfa::Frame::ROOT };
            self.b.p.shapes.insert((source.span, source.name.clone()), Shape::Record(members.into()).into());
            self.b.p.vars[o].source = Some(source);
        }
        o
    }

    fn pick<T: Copy>(rng: &mut Rng, list: &[T]) -> T {
        list[rng.below(list.len() as u64) as usize]
    }

    /// An address with `need` valid bytes behind it.
    fn address(&mut self, need: i64) -> Term {
        let roomy: Vec<(Var, i64)> = self.pointers.iter().copied().filter(|p| p.1 >= need).collect();
        let (base, room) = if !roomy.is_empty() && self.rng.chance(2) {
            Self::pick(&mut self.rng, &roomy)
        } else {
            (Self::pick(&mut self.rng, &self.objects), SIZE)
        };
        let in_array = self.objects_are == Objects::Structs && room == SIZE && need <= ARRAY.1 && !self.rng.chance(8);
        let (first, slack) = if in_array { (ARRAY.0, ARRAY.1 - need) } else { (0, room - need) };
        let align = Self::pick(&mut self.rng, &[1, 2, 4, 4, 4, 8, 8]);
        let base = self.b.p.term(base);
        if self.objects_are == Objects::Rows {
            return self.in_rows(base, room, need);
        }
        if self.rng.chance(2) {
            // A variable index: (i & mask) * align + constant
            let mut mask = 1;
            while (2 * mask + 1) * align <= slack {
                mask = 2 * mask + 1;
            }
            if mask * align <= slack {
                let rest = (slack - mask * align) / align;
                let constant = first + self.rng.below(rest as u64 + 1) as i64 * align;
                let i = self.b.p.term(self.ints[self.rng.below(2) as usize]);
                let mask = self.b.p.terms.bv(mask as u128, 32);
                let index = self.b.p.terms.bvand(i, mask);
                return self.b.indexed(base, index, align, constant);
            }
        }
        let align = if self.objects_are == Objects::Structs { 8 } else { align };
        let constant = self.rng.below(((room - need) / align) as u64 + 1) as i64 * align;
        let constant = self.b.word(constant);
        self.b.p.terms.add(base, constant)
    }

    /// A row, or a member of it: words and numbers have their own. Nobody sees of the index how large it is, and sometimes it is so
    /// large that it wraps around, to another member.
    fn in_rows(&mut self, base: Term, room: i64, need: i64) -> Term {
        let member = match need {
            1..4 => 8,
            4 if self.pointer_bytes == 8 => 8,
            4 => 4 * self.rng.below(2) as i64,
            _ => 0,
        };
        let rows = (room - member - need) / ROW + 1;
        if rows < 2 || self.rng.chance(4) {
            let at = self.b.word(self.rng.below(rows as u64) as i64 * ROW + member);
            return self.b.p.terms.add(base, at);
        }
        let width = self.b.p.machine.pointer_bits();
        let index = self.b.p.term(self.ints[4]);
        let terms = &mut self.b.p.terms;
        let index = terms.resize(index, width, false);
        let half = terms.bv((1 << (width - 1)) + 1, width);
        let mut row = terms.udiv(index, half);
        if member + need + 4 <= room && self.rng.chance(8) {
            // 12 times this is 4.
            let third = terms.bv(((1 << (width - 1)) + 1) / 3, width);
            row = terms.mul(row, third);
        }
        let index = self.b.var("row", Sort::Bv(width));
        self.b.set(index, row);
        let row = self.b.p.term(index);
        self.b.indexed(base, row, ROW, member)
    }

    fn width(&self, v: Var) -> i64 {
        match self.b.p.vars[v].sort {
            Sort::Bv(w) => i64::from(w / 8),
            Sort::Float(f) => i64::from(f.width() / 8),
            _ => unreachable!(),
        }
    }

    fn statement(&mut self, depth: u32) {
        match self.rng.below(if depth == 0 { 10 } else { 12 }) {
            0..3 => {
                let v = Self::pick(&mut self.rng, &self.ints);
                let addr = self.address(self.width(v));
                let t = self.b.p.term(v);
                self.b.store(addr, t);
            }
            3..5 => {
                let v = Self::pick(&mut self.rng, &self.ints);
                let addr = self.address(self.width(v));
                self.b.load(v, addr);
            }
            5 => {
                let v = Self::pick(&mut self.rng, &self.floats);
                let addr = self.address(self.width(v));
                if self.rng.chance(2) {
                    let t = self.b.p.term(v);
                    let one = match self.b.p.terms.format(t) {
                        Format::F32 => self.b.p.terms.float_from_f32(1.25),
                        _ => self.b.p.terms.float_from_f64(0.1),
                    };
                    let sum = self.b.p.terms.fp_add(term::RoundingMode::NearestEven, t, one);
                    self.b.store(addr, sum);
                } else {
                    self.b.load(v, addr);
                }
            }
            6 => {
                let (p, room) = Self::pick(&mut self.rng, &self.pointers);
                let addr = self.address(room);
                self.b.set(p, addr);
            }
            7 => self.pointer_through_memory(),
            8 => {
                let len = self.length();
                let (dst, src) = (self.address(len.1), self.address(len.1));
                self.b.emit(Op::Copy { dst, src, len: len.0 });
            }
            9 => {
                let len = self.length();
                let dst = self.address(len.1);
                let c = self.b.p.term(self.ints[2]);
                let zero = self.b.p.terms.bv(0, 8);
                let value = if self.rng.chance(2) { c } else { zero };
                self.b.emit(Op::Fill { dst, value, len: len.0 });
            }
            10 => self.loop_(depth),
            _ => self.scope(depth),
        }
    }

    /// A number of bytes, and the most that it can be.
    fn length(&mut self) -> (Term, i64) {
        let most = Self::pick(&mut self.rng, &[1, 2, 4, 6, 8, 12, 16, 24, 32]);
        if self.rng.chance(2) {
            return (self.b.word(most), most);
        }
        let unit = Self::pick(&mut self.rng, &[1, 4]);
        let mut mask = 0;
        while (2 * mask + 1) * unit <= most {
            mask = 2 * mask + 1;
        }
        let i = self.b.p.term(self.ints[0]);
        let terms = &mut self.b.p.terms;
        let mask = terms.bv(mask as u128, 32);
        let count = terms.bvand(i, mask);
        let count = terms.resize(count, self.b.p.machine.pointer_bits(), false);
        let unit = self.b.word(unit);
        (self.b.p.terms.mul(count, unit), most)
    }

    /// Stores a pointer, perhaps moves its bytes, and loads it again.
    fn pointer_through_memory(&mut self) {
        let bytes = self.pointer_bytes;
        let (q, need) = Self::pick(&mut self.rng, &self.pointers);
        let value = self.address(need);
        let at = self.address(bytes);
        self.b.store(at, value);
        let from = match self.rng.below(4) {
            0 => {
                let to = self.address(bytes);
                let len = self.b.word(bytes);
                self.b.emit(Op::Copy { dst: to, src: at, len });
                to
            }
            1 => {
                // Byte by byte through a variable, to an object of its own.
                let place = self.b.alloc("bytes", bytes, ObjectKind::Stack);
                let c = self.b.var("byte", Sort::Bv(8));
                for k in 0..bytes {
                    let k_word = self.b.word(k);
                    let byte_at = self.b.p.terms.add(at, k_word);
                    self.b.load(c, byte_at);
                    let (to, byte) = (self.b.at_offset(place, k), self.b.p.term(c));
                    self.b.store(to, byte);
                }
                self.b.p.term(place)
            }
            2 => {
                // As an integer that is computed with.
                let n = self.b.var("n", self.b.p.machine.pointer_sort());
                self.b.load(n, at);
                let (t, key) = (self.b.p.term(n), self.b.word(0x55));
                let masked = self.b.p.terms.bvxor(t, key);
                self.b.store(at, masked);
                self.b.load(n, at);
                let t = self.b.p.term(n);
                let plain = self.b.p.terms.bvxor(t, key);
                self.b.store(at, plain);
                at
            }
            _ => at,
        };
        // Leave no trace of it: the two forms number objects differently.
        let loaded = self.b.pointer("loaded");
        self.b.load(loaded, from);
        let (value, len) = (self.b.p.terms.bv(0, 8), self.b.word(bytes));
        for dst in [at, from] {
            self.b.emit(Op::Fill { dst, value, len });
        }
        let loaded = self.b.p.term(loaded);
        self.b.set(q, loaded);
    }

    fn loop_(&mut self, depth: u32) {
        let k = self.b.int("k");
        let zero = self.b.p.terms.bv(0, 32);
        self.b.set(k, zero);
        let count = 1 + self.rng.below(3);
        let count = self.b.p.terms.bv(count.into(), 32);
        let (head, body, after): (Loc, Loc, Loc) = (self.b.loc(), self.b.loc(), self.b.loc());
        let tt = self.b.p.terms.tt();
        self.b.edge_to(head, Op::Assume(tt));
        self.b.at = head;
        let t = self.b.p.term(k);
        let less = self.b.p.terms.ult(t, count);
        let done = self.b.p.terms.not(less);
        self.b.edge_to(body, Op::Assume(less));
        self.b.edge_to(after, Op::Assume(done));
        self.b.at = body;
        let (objects, pointers) = (self.objects.len(), self.pointers.len());
        for _ in 0..1 + self.rng.below(4) {
            self.statement(depth - 1);
        }
        self.objects.truncate(objects);
        self.pointers.truncate(pointers);
        let one = self.b.p.terms.bv(1, 32);
        let more = self.b.p.terms.add(t, one);
        self.b.edge_to(head, Op::Assign(vec![(k, more)]));
        self.b.at = after;
    }

    /// An object that lives for a few statements, and that nobody points to afterwards.
    fn scope(&mut self, depth: u32) {
        let kind = Self::pick(&mut self.rng, &[ObjectKind::Stack, ObjectKind::Heap]);
        let o = self.alloc("local", kind);
        let outer = std::mem::take(&mut self.pointers);
        let outer_objects = self.objects.clone();
        self.objects.push(o);
        let p = self.b.pointer("q");
        let t = self.b.p.term(o);
        self.b.set(p, t);
        self.pointers.push((p, if self.objects_are == Objects::Rows { ROW } else { 16 }));
        for _ in 0..1 + self.rng.below(5) {
            self.statement(depth - 1);
        }
        // Leave a trace of what was in it.
        let at = self.address(4);
        self.b.load(self.ints[1], at);
        self.pointers = outer;
        self.objects = outer_objects;
        let addr = self.b.p.term(o);
        if kind == ObjectKind::Stack {
            self.b.emit(Op::Dead { addr });
        } else if self.rng.chance(2) {
            self.b.emit(Op::Free { addr });
        }
    }

    /// Folds everything there is into `sum`.
    fn finish(mut self) -> (cfa::Program, Vec<Var>) {
        let (sum, part) = (self.b.int("sum"), self.b.int("part"));
        let zero = self.b.p.terms.bv(0, 32);
        self.b.set(sum, zero);
        for o in self.objects.clone() {
            for k in 0..SIZE / 4 {
                let at = self.b.at_offset(o, 4 * k);
                if self.rng.chance(3) {
                    self.b.load(part, at);
                    let (s, t) = (self.b.p.term(sum), self.b.p.term(part));
                    let factor = self.b.p.terms.bv(31, 32);
                    let scaled = self.b.p.terms.mul(s, factor);
                    let next = self.b.p.terms.add(scaled, t);
                    self.b.set(sum, next);
                }
            }
        }
        let mut vars = self.ints.clone();
        vars.extend(&self.floats);
        vars.push(sum);
        let p = self.b.finish();
        (p, vars)
    }
}

/// Says of how many programs some run got through guards of guesses.
fn compare_all(seeds: std::ops::Range<u64>, objects_are: Objects) -> u64 {
    let (mut compared, mut unbounded, mut guarded) = (0, 0, 0);
    let total = seeds.end - seeds.start;
    for seed in seeds {
        let mut gen_ = Gen::new(seed, objects_are);
        let statements = 2 + gen_.rng.below(14);
        for _ in 0..statements {
            gen_.statement(2);
        }
        let (original, vars) = gen_.finish();
        let flat = flatten(&original);
        let without_bound = transform::memory::with_unbounded_objects(&flat);
        let mut some = false;
        for run in 3 * seed..3 * seed + 3 {
            let is_defined = compare(&original, &flat, run, &vars, 100_000).unwrap_or_else(|message| {
                panic!("program {seed}, run {run}: {message}\n{}\n=====\n{}", cfa::print(&original), cfa::print(&flat))
            });
            some |= is_defined;
            if let (true, Some(without_bound)) = (is_defined, &without_bound) {
                unbounded += u64::from(compare_unbounded(&flat, without_bound, run, &vars).unwrap_or_else(|message| {
                    panic!(
                        "program {seed}, run {run}: {message}\n{}\n=====\n{}",
                        cfa::print(&flat),
                        cfa::print(without_bound)
                    )
                }));
            }
        }
        compared += u64::from(some);
        let is_guard = |kind: &LocKind| matches!(kind, LocKind::Unsupported(u) if u.what.contains(objects_are.guard()));
        guarded += u64::from(some && flat.main().locs.values().any(|l| is_guard(&l.kind)));
    }
    assert!(unbounded * 40 > total, "only {unbounded} runs of {total} programs have objects without bound");
    assert!(compared * 2 > total, "only {compared} of {total} programs were free of undefined behaviour");
    guarded
}

fn count() -> u64 {
    std::env::var("FOLDBACK_RANDOM_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(400)
}

#[test]
fn flat_form_agrees_with_bytes() {
    compare_all(0..count(), Objects::Bytes);
}

#[test]
fn flat_form_agrees_with_bytes_where_structs_are_taken_apart() {
    let guarded = compare_all(0..count(), Objects::Structs);
    assert!(guarded * 20 > count(), "only {guarded} of {} programs have structs taken apart", count());
}

#[test]
fn flat_form_agrees_with_bytes_where_indices_are_as_wide_as_pointers() {
    let guarded = compare_all(0..count(), Objects::Rows);
    assert!(guarded * 20 > count(), "only {guarded} of {} programs have indices that must not wrap", count());
}
