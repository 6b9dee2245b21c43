//! From edges that touch memory to edges that assume, assign and havoc.

use super::access::{Updates, bits_in_memory, zero};
use super::address::{Address, Place, Target};
use super::damage::Damage;
use super::equality::Comparisons;
use super::held::Held;
use super::layout::{Parts, Region, Storage};
use super::objects::{Lifetime, Objects};
use super::parts;
use super::points_to::{Object, PointsTo};
use super::relevance::Loose;
use super::scaled::Index;
use super::tables::Tables;
use super::values::Class;
use super::{SeenParts, Settings, out_of_numbers};
use base::{Diagnostic, Id, Table};
use cfa::{
    Edge, EdgeInfo, EndKind, Func, Function, Loc, LocKind, Location, ObjectKind, Op, Origin, Program, Unmodelled, Var,
    VarKind,
};
use flow::graph::Graph;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;
use term::{Format, Sort, Substitution, Term};

/// Accesses below this address are taken for null pointers with a field offset.
const NULL_PAGE: i64 = 4096;
/// What a `long double` has beside padding.
const X87_BITS: u32 = 80;

pub(super) struct Encoder<'a> {
    pub(super) points: &'a PointsTo<'a>,
    pub(super) program: Program,
    pub(super) objects: Objects,
    /// Indexed by class.
    pub(super) regions: Vec<Option<Rc<Region>>>,
    pub(super) tables: Tables,
    pub(super) comparisons: Comparisons,
    pub(super) parts: parts::Parts,
    pub(super) damage: Damage,
    pub(super) held: Held,
    /// The numbers of the string literals that must not be written, by class.
    pub(super) literals: Vec<Vec<Range<u64>>>,
    /// Conditions of which it is known what they are.
    pub(super) settled: BTreeMap<Edge, bool>,
    pub(super) settings: Settings,
    /// The next object number of classes that take theirs at run time. Indexed by class.
    pub(super) next: Vec<Option<Var>>,
    pub(super) lookups: Substitution,
    /// Indices that edges rely on to stay small.
    pub(super) scaled: BTreeMap<Edge, BTreeSet<Index>>,
    /// The graph of the original function.
    pub(super) graph: Graph,
    pub(super) locs: Table<Loc, Location>,
    pub(super) edges: Table<Edge, EdgeInfo>,
    /// Loops over copies and fills: their heads, and what they count by.
    pub(super) bulk_loops: Vec<(Loc, Var)>,
}

/// Where the edges made from one edge of the original go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origins {
    pub(super) from: Loc,
    pub(super) to: Loc,
    pub(super) span: base::Span,
    pub(super) site: Option<(Func, Edge)>,
}

impl<'a> Encoder<'a> {
    pub(super) fn new(
        points: &'a PointsTo<'a>,
        program: Program,
        objects: Objects,
        regions: Vec<Option<Rc<Region>>>,
        tables: Tables,
        comparisons: Comparisons,
        settings: Settings,
    ) -> Encoder<'a> {
        let function = points.program.main();
        Encoder {
            points,
            literals: Encoder::find_literals(points, &objects),
            objects,
            regions,
            tables,
            comparisons,
            parts: parts::Parts::default(),
            damage: Damage::default(),
            held: Held::default(),
            settled: BTreeMap::new(),
            settings,
            next: Vec::new(),
            lookups: Substitution::new(),
            scaled: points.guesses.scaled.of_edges(points.program),
            graph: Graph::of(function),
            locs: function.locs.clone(),
            edges: Table::new(),
            bulk_loops: Vec::new(),
            program,
        }
    }

    /// Encodes the whole function.
    pub(super) fn run(mut self, loose: &[Loose]) -> Program {
        self.lookups = self.table_lookups(loose);
        self.next = self.counters();
        let original = self.points.program;
        let function = original.main();
        let start = self.start(function.entry);
        for (id, edge) in function.edges.iter() {
            let site = edge.site.or(Some((original.entry, id)));
            let at = Origins { from: edge.from, to: edge.to, span: edge.span, site };
            if let Some(holds) = self.settled.get(&id) {
                let condition = self.program.terms.bool(*holds);
                self.chain(&at, vec![Op::Assume(condition)]);
                continue;
            }
            if self.parts.seen.contains(&id) {
                self.stop(&edge.op, parts::WHAT, &at);
                continue;
            }
            match self.safe_comparisons(id) {
                None => self.edge(id, &edge.op, at),
                Some(safe) => {
                    let (op, at) = self.guarded_edge(&edge.op, safe, at);
                    self.edge(id, &op, at);
                }
            }
        }
        self.note_unknown();
        self.note_births();
        let function = Function { entry: start, locs: self.locs, edges: self.edges, ..function.clone() };
        self.program.functions[original.entry] = function;
        super::ranges::in_one_step(self.program, &self.bulk_loops, self.settings.ranges)
    }

    /// The edge is as far as executions are followed.
    fn stop(&mut self, op: &Op, what: Unmodelled, at: &Origins) {
        let end = self.new_end(at.from, LocKind::Unsupported(what));
        // Guards of different edges must stay disjoint.
        let guard = match op {
            Op::Assume(condition) => self.rewrite(*condition),
            _ => self.program.terms.tt(),
        };
        self.add_edge(at.from, end, Op::Assume(guard), at);
    }

    /// One counter for each class that takes object numbers at run time.
    fn counters(&mut self) -> Vec<Option<Var>> {
        let mut counters = Vec::new();
        for class in self.points.classes.ids() {
            let plan = &self.objects.classes[class.index()];
            let counter = (!plan.dynamic.is_empty()).then(|| {
                let name = format!("$next.{}", self.objects.plans[self.points.classes[class].objects[0]].name);
                let sort = self.program.machine.object_sort();
                self.program.add_var(&name, sort, VarKind::Memory, None)
            });
            counters.push(counter);
        }
        counters
    }

    /// The state of memory before anything is allocated. Returns the new entry.
    fn start(&mut self, entry: Loc) -> Loc {
        let (mut havoc, mut updates) = (Vec::new(), Vec::new());
        self.table_start(&mut havoc, &mut updates);
        for class in 0..self.regions.len() {
            if let Some(counter) = self.next[class] {
                let first = self.objects.classes[class].dynamic.start;
                let bits = self.program.machine.object_bits;
                updates.push((counter, self.program.terms.bv(first.into(), bits)));
            }
            let Some(region) = self.regions[class].clone() else { continue };
            let Storage::Shared(arrays) = &region.storage else { continue };
            if self.is_static(&region) {
                let index = region.shared_index(&self.program.machine);
                for (slot, array) in region.slots.iter().zip(arrays) {
                    let zero = zero(&mut self.program.terms, slot.sort());
                    updates.push((*array, self.program.terms.const_array(index, zero)));
                }
            } else {
                havoc.extend(arrays);
            }
        }
        let mut ops = Vec::new();
        if !havoc.is_empty() {
            ops.push(Op::Havoc { vars: havoc, origin: Origin::Internal });
        }
        if !updates.is_empty() {
            ops.push(Op::Assign(updates));
        }
        ops.extend(self.watch_word());
        ops.extend(self.watch_place());
        let mut at = entry;
        for op in ops.into_iter().rev() {
            let before = self.new_loc(entry);
            let edge = EdgeInfo { from: before, to: at, op, span: base::Span::nowhere(), site: None };
            self.edges.push(edge);
            at = before;
        }
        at
    }

    /// All objects of the region start out as zeros.
    fn is_static(&self, region: &Region) -> bool {
        region.objects.iter().all(|o| {
            matches!(
                self.objects.plans[*o].kind,
                Some(ObjectKind::Static | ObjectKind::Literal | ObjectKind::Function | ObjectKind::Callback)
            )
        })
    }

    pub(super) fn new_loc(&mut self, like: Loc) -> Loc {
        let Location { span, frame, .. } = self.locs[like];
        self.locs.push(Location { span, frame, ..Location::plain(span) })
    }

    pub(super) fn new_end(&mut self, like: Loc, kind: LocKind) -> Loc {
        let loc = self.new_loc(like);
        self.locs[loc].kind = kind;
        loc
    }

    pub(super) fn add_edge(&mut self, from: Loc, to: Loc, op: Op, at: &Origins) {
        let op = match op {
            Op::Assign(pairs) if pairs.is_empty() => Op::Assume(self.program.terms.tt()),
            op => op,
        };
        self.edges.push(EdgeInfo { from, to, op, span: at.span, site: at.site });
    }

    /// The operations one after the other.
    pub(super) fn chain(&mut self, at: &Origins, mut ops: Vec<Op>) {
        let last = ops.pop().unwrap_or_else(|| Op::Assume(self.program.terms.tt()));
        let mut here = at.from;
        for op in ops {
            let next = self.new_loc(at.from);
            self.add_edge(here, next, op, at);
            here = next;
        }
        self.add_edge(here, at.to, last, at);
    }

    /// A variable of the encoding's own.
    pub(super) fn temporary(&mut self, name: &str, sort: Sort) -> Var {
        self.program.add_var(name, sort, VarKind::Memory, None)
    }

    /// The term over memory's variables instead of object tables.
    pub(super) fn rewrite(&mut self, t: Term) -> Term {
        if self.lookups.is_empty() { t } else { self.lookups.apply(&mut self.program.terms, t) }
    }

    fn edge(&mut self, id: Edge, op: &Op, at: Origins) {
        let at = self.in_reach(id, at);
        match op {
            Op::Assume(t) => {
                let t = self.rewrite(*t);
                self.chain(&at, vec![Op::Assume(t)]);
            }
            Op::Assign(pairs) => {
                let pairs = pairs.iter().map(|(v, t)| (*v, self.rewrite(*t))).collect();
                self.chain(&at, vec![Op::Assign(pairs)]);
            }
            Op::Havoc { .. } => self.chain(&at, vec![op.clone()]),
            Op::Load { dst, addr, bytes } => {
                let len = self.program.terms.bv((*bytes).into(), self.program.machine.pointer_bits());
                let at = self.in_array(*addr, len, at);
                let at = self.undamaged(id, *addr, at);
                let at = self.no_part(id, *dst, *addr, *bytes, at);
                match self.parts.rebuilt.get(&id).copied() {
                    None => self.load(*dst, *addr, *bytes, &at),
                    Some(class) => {
                        let loaded = self.new_loc(at.from);
                        self.load(*dst, *addr, *bytes, &Origins { to: loaded, ..at });
                        self.only_whole(*dst, class, &Origins { from: loaded, ..at });
                    }
                }
            }
            Op::Store { addr, value, bytes } => {
                let len = self.program.terms.bv((*bytes).into(), self.program.machine.pointer_bits());
                let at = self.in_array(*addr, len, at);
                let at = self.damaging(id, *addr, None, len, at);
                let at = self.holding(id, *addr, *value, *bytes, at);
                let at = self.not_to_literal(*addr, None, at);
                self.store(*addr, *value, *bytes, &at);
            }
            Op::Alloc { dst, size, name, .. } => {
                let object = self.objects.of_edge[id.index()].expect("every allocation has its object");
                self.alloc(object, *dst, *size, name, &at);
            }
            Op::Free { addr } | Op::Dead { addr } => self.end_of_life(*addr, &at),
            Op::Copy { dst, src, len } => {
                let at = self.in_array(*dst, *len, at);
                let at = self.in_array(*src, *len, at);
                let at = self.damaging(id, *dst, Some(*src), *len, at);
                let at = self.overwriting(id, *dst, Some(*src), *len, at);
                let at = self.not_to_literal(*dst, Some(*len), at);
                self.copy(*dst, *src, *len, &at);
            }
            Op::Fill { dst, value, len } => {
                let at = self.in_array(*dst, *len, at);
                let at = self.damaging(id, *dst, None, *len, at);
                let at = self.overwriting(id, *dst, None, *len, at);
                let at = self.not_to_literal(*dst, Some(*len), at);
                self.fill(id, *dst, *value, *len, &at);
            }
            Op::Print { dst, .. } => {
                let op = match dst {
                    Some(v) => Op::Havoc { vars: vec![*v], origin: Origin::Internal },
                    None => Op::Assume(self.program.terms.tt()),
                };
                self.chain(&at, vec![op]);
            }
            // Who may know of what is settled by the analysis.
            Op::Escape { .. } => self.chain(&at, vec![]),
            Op::Disturb { by } => self.disturb(id, by, &at),
            Op::Call { .. } => panic!("calls are inlined before memory is flattened"),
        }
    }

    fn load(&mut self, dst: Var, addr: Term, bytes: u32, at: &Origins) {
        let Some(place) = self.place(Address::of(addr)) else {
            let arbitrary = Op::Havoc { vars: vec![dst], origin: Origin::Internal };
            return self.nowhere(addr, arbitrary, at);
        };
        let format = self.program.vars[dst].sort.float_format();
        let value = self.read(&place, bytes, format, &Updates::default());
        self.chain(at, vec![Op::Assign(vec![(dst, value)])]);
    }

    /// A word that was copied, if it is an address of the class; other words, and what was put together from bytes (no class),
    /// nobody knows.
    fn only_whole(&mut self, pointer: Var, class: Option<Class>, at: &Origins) {
        let machine = self.program.machine;
        let value = self.program.term(pointer);
        let number = machine.origin_of(&mut self.program.terms, value);
        let is_address = match class {
            Some(class) => {
                let member = self.is_member(class, number);
                let set = self.program.terms.nonzero(value);
                let null = self.program.terms.not(set);
                self.program.terms.or(member, null)
            }
            None => self.program.terms.ff(),
        };
        let other = self.program.terms.not(is_address);
        match self.settings.parts {
            SeenParts::Unsupported | SeenParts::OwnAddresses => {
                let end = self.new_end(at.from, LocKind::Unsupported(parts::WHAT));
                self.add_edge(at.from, end, Op::Assume(other), at);
            }
            // What is written through it may be any object's, also of classes that it never points into here: nothing is proved
            // of executions that come by.
            SeenParts::Anything => {
                let (open, chosen) = (self.new_loc(at.from), self.new_loc(at.from));
                self.add_edge(at.from, open, Op::Assume(other), at);
                let followed = self.temporary("$followed", Sort::Bv(1));
                let origin = Origin::Extern(cfa::PLACES.to_owned());
                self.add_edge(open, chosen, Op::Havoc { vars: vec![pointer, followed], origin }, at);
                let followed = self.program.term(followed);
                let is_followed = self.program.terms.nonzero(followed);
                let next = self.only_where(is_followed, parts::WHAT, Origins { from: chosen, ..*at });
                self.chain(&next, vec![]);
            }
        }
        self.add_edge(at.from, at.to, Op::Assume(is_address), at);
    }

    /// An access through what never was an address. At null the program ends (as it does in fact); other numbers are
    /// addresses outside of the program, of devices say: reading gives anything, writing changes nothing known.
    pub(super) fn nowhere(&mut self, addr: Term, otherwise: Op, at: &Origins) {
        let exact = self.points.value(addr).number.and_then(|n| n.as_exact());
        if exact.is_some_and(|n| (0..NULL_PAGE).contains(&n)) {
            let end = self.new_end(at.from, LocKind::End(EndKind::Abort));
            let step = Op::Assume(self.program.terms.tt());
            return self.add_edge(at.from, end, step, at);
        }
        let message = "access through a number that is not known to be the address of anything";
        if self.program.notes.iter().filter(|n| n.message == message).count() < 5 {
            self.program.notes.push(Diagnostic::note(Some(at.span), message));
        }
        self.chain(at, vec![otherwise]);
    }

    fn store(&mut self, addr: Term, value: Term, bytes: u32, at: &Origins) {
        let value = self.rewrite(value);
        let Some(place) = self.place(Address::of(addr)) else {
            let nothing = Op::Assume(self.program.terms.tt());
            // Where all memory is the program's own, a number that nothing is known of may be the address of any of it; and so
            // may one that nothing ever set.
            let is_known = self.points.value(addr).number.is_some_and(|n| n.is_exact());
            if !is_known && (self.points.is_closed() || !self.points.bare_numbers()[addr.index()]) {
                let what = "a write through a pointer that nothing ever sets to an address".to_owned();
                let end = self.new_end(at.from, LocKind::Unsupported(what.into()));
                return self.add_edge(at.from, end, nothing, at);
            }
            return self.nowhere(addr, nothing, at);
        };
        let mut ops = Vec::new();
        let value = match self.program.terms.sort(value) {
            Sort::Float(format) if !self.holds_float(&place, bytes, format) => {
                let packed = self.bits_of(value, &mut ops);
                let bits = bits_in_memory(&mut self.program.terms, format, packed, bytes);
                self.any_padding(bits, format, &mut ops)
            }
            _ => value,
        };
        let mut updates = Updates::default();
        self.write(&place, bytes, value, &mut updates);
        ops.push(Op::Assign(updates.into_list()));
        self.chain(at, ops);
    }

    /// A store leaves open what is in the padding of a `long double`: the machine writes ten bytes, a compiler may write more.
    fn any_padding(&mut self, bits: Term, format: Format, ops: &mut Vec<Op>) -> Term {
        let width = self.program.terms.width(bits);
        if format != Format::X87 || width <= X87_BITS {
            return bits;
        }
        let padding = self.temporary("$padding", Sort::Bv(width - X87_BITS));
        ops.push(Op::Havoc { vars: vec![padding], origin: Origin::Internal });
        let value = self.program.terms.extract(bits, X87_BITS - 1, 0);
        let padding = self.program.term(padding);
        self.program.terms.concat(padding, value)
    }

    /// Packed bits of a float; edges that choose them where no term says it.
    fn bits_of(&mut self, value: Term, ops: &mut Vec<Op>) -> Term {
        let terms = &mut self.program.terms;
        let format = terms.format(value);
        if let Some(float) = terms.as_float_const(value).filter(|f| !f.is_nan()) {
            return terms.bv_bits(float.to_bits());
        }
        if terms.op(value) == term::Op::FpFromBits(format) {
            return terms.arg(value, 0);
        }
        let bits = self.temporary("$bits", Sort::Bv(format.width()));
        let terms = &mut self.program.terms;
        let read = terms.fp_from_bits(format, self.program.vars[bits].term);
        let same = terms.eq(read, value);
        ops.push(Op::Havoc { vars: vec![bits], origin: Origin::Internal });
        ops.push(Op::Assume(same));
        self.program.term(bits)
    }

    fn alloc(&mut self, object: Object, dst: Var, size: Term, name: &str, at: &Origins) {
        let size = self.rewrite(size);
        let plan = self.objects.plans[object].clone();
        let machine = self.program.machine;
        let mut at = *at;
        let mut assign = Vec::new();
        let number = match (plan.number, self.next[plan.class.index()]) {
            (Some(number), _) => self.program.terms.bv(number.into(), machine.object_bits),
            (None, Some(counter)) if plan.lifetime == Lifetime::Many => {
                let end = self.objects.classes[plan.class.index()].dynamic.end;
                let terms = &mut self.program.terms;
                let number = self.program.vars[counter].term;
                let (end, one) = (terms.bv(end.into(), machine.object_bits), terms.bv(1, machine.object_bits));
                let exhausted = terms.eq(number, end);
                let left = terms.not(exhausted);
                let advanced = terms.add(number, one);
                let bound = self.new_end(at.from, out_of_numbers());
                let next = self.new_loc(at.from);
                self.add_edge(at.from, bound, Op::Assume(exhausted), &at);
                self.add_edge(at.from, next, Op::Assume(left), &at);
                at.from = next;
                assign.push((counter, advanced));
                number
            }
            _ => {
                let bound = self.new_end(at.from, out_of_numbers());
                let step = Op::Assume(self.program.terms.tt());
                return self.add_edge(at.from, bound, step, &at);
            }
        };
        let offset = self.program.terms.bv(0, machine.offset_bits);
        let address = self.program.terms.concat(number, offset);
        assign.push((dst, address));
        self.table_birth(object, number, size, &mut assign);
        let mut uninitialised = Vec::new();
        let zeroed = matches!(plan.kind, Some(ObjectKind::Static | ObjectKind::Literal));
        let mut zeros = Vec::new();
        for part in std::iter::once(plan.class).chain(self.points.rest_of(plan.class)) {
            let region = self.regions[part.index()].clone().expect("every class has a region");
            match &region.storage {
                Storage::Split(parts) => {
                    let i = region.objects.iter().position(|o| *o == object).expect("a region knows its objects");
                    let vars: Vec<Var> = match &parts[i] {
                        Parts::Scalars(vars) => vars.iter().copied().flatten().collect(),
                        Parts::Arrays(arrays) => arrays.clone(),
                    };
                    if zeroed {
                        for v in vars {
                            let zero = zero(&mut self.program.terms, self.program.vars[v].sort);
                            assign.push((v, zero));
                        }
                    } else {
                        uninitialised.extend(vars);
                    }
                }
                Storage::Shared(_) if zeroed => {
                    if !self.is_static(&region) && !region.slots.is_empty() {
                        zeros.push((part, region));
                    }
                }
                Storage::Shared(arrays) => {
                    if plan.lifetime == Lifetime::Reused {
                        let index = if region.by_pointer { address } else { number };
                        for (slot, array) in region.slots.iter().zip(arrays) {
                            let v = self.temporary("$fresh", slot.sort());
                            uninitialised.push(v);
                            let (old, v) = (self.program.term(*array), self.program.term(v));
                            assign.push((*array, self.program.terms.store(old, index, v)));
                        }
                    }
                }
            }
        }
        let mut ops = Vec::new();
        if !uninitialised.is_empty() {
            ops.push(Op::Havoc { vars: uninitialised, origin: Origin::Uninitialised(name.to_owned()) });
        }
        ops.push(Op::Assign(assign));
        let last = zeros.pop();
        if last.is_none() {
            return self.chain(&at, ops);
        }
        let mut next = self.new_loc(at.from);
        self.chain(&Origins { to: next, ..at }, ops);
        let zero = |this: &mut Self, (class, region): (Class, Rc<Region>), at: &Origins| {
            let target = Target::Known(object);
            let place = Place { class, residue: 0, target, split_index: None, shared_index: None };
            this.zero_object(&region, place, &plan, at);
        };
        for part in zeros {
            let zeroed = self.new_loc(at.from);
            zero(self, part, &Origins { from: next, to: zeroed, ..at });
            next = zeroed;
        }
        if let Some(part) = last {
            zero(self, part, &Origins { from: next, ..at });
        }
    }

    fn end_of_life(&mut self, addr: Term, at: &Origins) {
        let mut updates = Vec::new();
        if let Some(p) = self.points.pointer(addr) {
            let number = match self.program.var_of(addr).and_then(|v| self.objects.of_var[v.index()]) {
                Some(object) => self.object_number(Target::Known(object)),
                None => {
                    let machine = self.program.machine;
                    machine.object_of(&mut self.program.terms, addr)
                }
            };
            updates = self.table_death(p.class, number);
        }
        let op = if updates.is_empty() { Op::Assume(self.program.terms.tt()) } else { Op::Assign(updates) };
        self.chain(at, vec![op]);
    }

    /// Tells the user about memory behind pointers that come from outside.
    fn note_unknown(&mut self) {
        for (object, plan) in self.objects.plans.iter() {
            let used = !self.points.classes[plan.class].shapes.is_empty();
            if plan.kind.is_none() && used && self.points.outside != Some(object) {
                let edge = &self.points.program.main().edges[plan.edge];
                let origin = match &edge.op {
                    Op::Havoc { origin: Origin::Extern(name) | Origin::Input(name), .. } => {
                        format!("the pointer that '{name}' returns")
                    }
                    Op::Havoc { origin: Origin::Uninitialised(name), .. } => {
                        format!("the uninitialised pointer '{name}'")
                    }
                    _ => format!("the pointer {object}"),
                };
                let message = format!("{origin} is assumed to point to memory that nothing else overlaps");
                if !self.program.notes.iter().any(|n| n.message == message) {
                    self.program.notes.push(Diagnostic::note(Some(edge.span), message));
                }
            }
        }
    }
}
