//! Points-to analysis: which objects each term may point into, at which offsets, and what lies in the cells of objects.
//!
//! Values flow forward along assignments and through terms (an integer used as an index never joins the class of the
//! array). Where two classes of objects meet in one value they are united, after Steensgaard, so each value points into at
//! most one class and the whole is nearly linear. Objects are split into cells by the offsets accessed (`cells.rs`), each
//! with its own contents. The analysis ignores the order of edges: the program is inlined, so activations are apart anyway.

use super::cells::{ClassInfo, Shape};
use super::congruence::Congruence;
use super::guesses::Guesses;
use super::inner_arrays::Inner;
use super::values::{Class, Findings, Pointer, SumKind, Transfer, Value, join};
use base::{Id, Table};
use cfa::{Edge, ObjectKind, Op, Origin, Program, Var};
use flow::graph::Lists;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use term::{Format, Sort, Term};

base::id!(
    /// A term, or the contents of a cell.
    Node,
    "n"
);
base::id!(
    /// An allocation, or a pointer from outside.
    Object,
    "o"
);

/// Where objects come from.
#[derive(Clone, Debug)]
pub(super) struct ObjectInfo {
    pub(super) class: Class,
    pub(super) source: ObjectSource,
}

#[derive(Clone, Debug)]
pub(super) enum ObjectSource {
    /// The objects made by this `Alloc` edge.
    Alloc { edge: Edge, kind: ObjectKind },
    /// Whatever an arbitrary pointer points to: the havoc that made it.
    Unknown { edge: Edge },
}

/// A load or a store.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    pub(super) addr: Term,
    pub(super) width: u32,
    pub(super) format: Option<Format>,
    pub(super) kind: AccessKind,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum AccessKind {
    Load { dst: Term },
    Store { value: Term },
}

/// A `Copy` (`src` present) or a `Fill`.
#[derive(Clone, Debug)]
pub(super) struct Bulk {
    pub(super) dst: Term,
    pub(super) src: Option<Term>,
    pub(super) len: Term,
}

/// Values flow to `to`; `part` of the pointer's bytes only.
#[derive(Clone, Copy)]
struct Flow {
    to: Node,
    part: bool,
}

pub(super) struct PointsTo<'a> {
    pub(super) program: &'a Program,
    pub(super) transfer: Transfer<'a>,
    pub(super) objects: Table<Object, ObjectInfo>,
    pub(super) classes: Table<Class, ClassInfo>,
    pub(super) accesses: Vec<Access>,
    pub(super) bulks: Vec<Bulk>,
    /// Terms that occur in the program, arguments first.
    pub(super) order: Vec<Term>,
    pub(super) values: Vec<Value>,
    /// Terms that must have one class; the others are loose. Indexed by term.
    pub(super) relevant: Vec<bool>,
    /// Cells that accesses read or write.
    pub(super) contents: Vec<Option<Node>>,
    parents: Vec<Node>,
    flows: Vec<Vec<Flow>>,
    users: Lists<Term>,
    accesses_at: Lists<u32>,
    bulks_at: Lists<u32>,
    /// Sums that must not be taken for differences of pointers.
    generic: Vec<bool>,
    /// Sums that are differences of pointers, as is known beforehand.
    distances: BTreeSet<Term>,
    /// Sums that were, with the classes on both sides: asked again at the end.
    pub(super) differences: BTreeMap<Term, (Class, Class)>,
    /// Edges by which addresses get out of the program.
    pub(super) escapes: Vec<Edge>,
    /// Code outside may do anything that it can.
    pub(super) has_world: bool,
    /// The object that stands for all memory that only the outside has, once a pointer from there is used.
    pub(super) outside: Option<Object>,
    /// The flows there are, to add none twice.
    seen: FxHashSet<(Node, Node, bool)>,
    queue: VecDeque<Node>,
    queued: Vec<bool>,
    pub(super) unions: Vec<(Class, Class)>,
    /// Classes whose cells were rearranged, and single shapes that are new: bulk operations follow them.
    pub(super) rearranged: Vec<Class>,
    pub(super) fresh: Vec<(Class, Shape)>,
    /// Where objects are taken apart, and where they should be instead.
    pub(super) guesses: Guesses,
    pub(super) wanted_inner: BTreeMap<Edge, Inner>,
    /// Cells that hold pointers of code outside, beside what the program puts there.
    pub(super) foreign: BTreeSet<Node>,
}

impl<'a> PointsTo<'a> {
    /// Analyses the entry function. Values arrive one after the other: of `p - q` it may be seen late that `q` is a pointer, after
    /// the sum was taken for `p` minus a number. Values are never taken back, so then all is done again, knowing that. The program
    /// also `looks` at these terms, which are in none of its edges any more.
    pub(super) fn analyse(program: &'a Program, guesses: &Guesses, looks: &[Term]) -> PointsTo<'a> {
        let first = PointsTo::prepare(program, &[], guesses, looks).solved();
        let is_late = |t: &Term| !first.generic[t.index()] && first.values[t.index()].class().is_some();
        let late: Vec<Term> = first.differences.keys().copied().filter(is_late).collect();
        if late.is_empty() { first } else { PointsTo::prepare(program, &late, guesses, looks).solved() }
    }

    fn solved(mut self) -> Self {
        loop {
            self.run();
            if !(self.settle_differences()
                | self.doubt_differences()
                | self.adopt_orphans()
                | self.settle_behind_outside()
                | self.settle_foreign()
                | self.settle_exposed()
                | self.settle_world())
            {
                return self;
            }
        }
    }

    fn prepare(program: &'a Program, distances: &[Term], guesses: &Guesses, looks: &[Term]) -> PointsTo<'a> {
        let store = &program.terms;
        let function = program.main();
        let mut roots: Vec<Term> = function.edges.values().flat_map(|e| e.op.terms()).collect();
        roots.extend(program.vars.values().map(|v| v.term));
        roots.extend(looks);
        let order = term::postorder(store, &roots);
        let uses: Vec<(u32, Term)> =
            order.iter().flat_map(|&t| store.args(t).iter().map(move |a| (a.index() as u32, t))).collect();
        let (mut accesses, mut bulks) = (Vec::new(), Vec::new());
        for edge in function.edges.values() {
            match &edge.op {
                Op::Load { dst, addr, bytes } => {
                    let dst = program.term(*dst);
                    let format = store.sort(dst).float_format();
                    accesses.push(Access { addr: *addr, width: *bytes, format, kind: AccessKind::Load { dst } });
                }
                Op::Store { addr, value, bytes } => {
                    let format = store.sort(*value).float_format();
                    let kind = AccessKind::Store { value: *value };
                    accesses.push(Access { addr: *addr, width: *bytes, format, kind });
                }
                Op::Copy { dst, src, len } => bulks.push(Bulk { dst: *dst, src: Some(*src), len: *len }),
                Op::Fill { dst, len, .. } => bulks.push(Bulk { dst: *dst, src: None, len: *len }),
                _ => {}
            }
        }
        let at = |t: Term, i: usize| (t.index() as u32, i as u32);
        let access_pairs: Vec<_> = accesses.iter().enumerate().map(|(i, a)| at(a.addr, i)).collect();
        let bulk_pairs: Vec<_> = bulks
            .iter()
            .enumerate()
            .flat_map(|(i, b)| [Some(b.dst), b.src, Some(b.len)].into_iter().flatten().map(move |t| at(t, i)))
            .collect();
        let count = store.len();
        PointsTo {
            program,
            transfer: Transfer::new(store, &program.machine, &order, &guesses.scaled),
            objects: Table::new(),
            classes: Table::new(),
            contents: vec![None; accesses.len()],
            relevant: super::relevance::relevant(program, looks),
            accesses,
            bulks,
            values: vec![Value::default(); count],
            parents: (0..count).map(Node::new).collect(),
            flows: vec![Vec::new(); count],
            users: Lists::new(count, &uses),
            accesses_at: Lists::new(count, &access_pairs),
            bulks_at: Lists::new(count, &bulk_pairs),
            generic: vec![false; count],
            distances: distances.iter().copied().collect(),
            differences: BTreeMap::new(),
            escapes: super::world::escapes(program),
            has_world: super::world::has_world(program),
            outside: None,
            seen: FxHashSet::default(),
            queue: VecDeque::new(),
            queued: vec![false; count],
            unions: Vec::new(),
            rearranged: Vec::new(),
            fresh: Vec::new(),
            guesses: guesses.clone(),
            wanted_inner: BTreeMap::new(),
            foreign: BTreeSet::new(),
            order,
        }
        .seeded()
    }

    /// Starts from what the edges do by themselves.
    fn seeded(mut self) -> Self {
        let program = self.program;
        let mut written = vec![false; program.vars.len()];
        // Pointers from outside that may all be the same.
        let (shared, mut common) = (super::world::shared_pointers(program), None);
        for (id, edge) in program.main().edges.iter() {
            for v in edge.op.written() {
                written[v.index()] = true;
            }
            match &edge.op {
                Op::Assign(pairs) => {
                    for (v, t) in pairs {
                        self.flow(node(*t), node(program.term(*v)), false);
                    }
                }
                Op::Havoc { vars, origin } => {
                    for v in vars {
                        let value = match origin {
                            Origin::Extern(_) | Origin::Input(_)
                                if is_pointer(program, *v) && self.escapes.is_empty() =>
                            {
                                let value = self.new_object(ObjectSource::Unknown { edge: id });
                                match value.class().filter(|_| shared > 1 && program.vars[*v].raw) {
                                    Some(class) => {
                                        self.unions.push((*common.get_or_insert(class), class));
                                        // One may lead into what another one leads to.
                                        Value::pointer(Pointer::to(class, Congruence::ANY))
                                    }
                                    None => value,
                                }
                            }
                            _ => Value::number(Congruence::ANY),
                        };
                        self.arrive(node(program.term(*v)), value);
                    }
                }
                Op::Alloc { dst, kind, .. } => {
                    let value = self.new_object(ObjectSource::Alloc { edge: id, kind: *kind });
                    self.arrive(node(program.term(*dst)), value);
                }
                Op::Print { dst: Some(v), .. } => {
                    self.arrive(node(program.term(*v)), Value::number(Congruence::ANY));
                }
                _ => {}
            }
        }
        for (v, info) in program.vars.iter() {
            if !written[v.index()] {
                self.arrive(node(info.term), Value::number(Congruence::ANY));
            }
        }
        for i in 0..self.order.len() {
            self.eval(self.order[i]);
        }
        self
    }

    pub(super) fn new_object(&mut self, source: ObjectSource) -> Value {
        let object = self.objects.next_id();
        let class = self.classes.next_id();
        let size = match &source {
            ObjectSource::Alloc { edge, .. } => match &self.program.main().edges[*edge].op {
                Op::Alloc { size, .. } => self.transfer.constant(*size),
                _ => None,
            },
            ObjectSource::Unknown { .. } => None,
        };
        let inner = match &source {
            ObjectSource::Alloc { edge, .. } => self.guesses.at(*edge),
            ObjectSource::Unknown { .. } => Inner::ALL,
        };
        let mut info = ClassInfo::new(class, object, size);
        info.inner = inner;
        self.classes.push(info);
        self.objects.push(ObjectInfo { class, source });
        Value::pointer(Pointer::to(class, Congruence::exact(0)))
    }

    /// The class that `class` has become part of.
    pub(super) fn find(&self, mut class: Class) -> Class {
        while self.classes[class].parent != class {
            class = self.classes[class].parent;
        }
        class
    }

    pub(super) fn find_node(&self, mut node: Node) -> Node {
        while self.parents[node.index()] != node {
            node = self.parents[node.index()];
        }
        node
    }

    /// What is known of a term of the program; nothing of terms made since.
    pub(super) fn value(&self, t: Term) -> Value {
        if t.index() < self.users.len() { self.values[t.index()] } else { Value::default() }
    }

    /// Bits that hold the value of `t` as a signed number.
    pub(super) fn bits_of_known(&self, t: Term) -> u32 {
        if t.index() < self.users.len() { self.transfer.bits(t) } else { 128 }
    }

    /// The number of bytes that a bulk operation moves; `len` may be a literal made since.
    pub(super) fn length_of(&self, len: Term, program: &Program) -> Congruence {
        match super::values::constant(&program.terms, len) {
            Some(bytes) => Congruence::exact(bytes),
            None => self.value(len).number.unwrap_or(Congruence::ANY),
        }
    }

    pub(super) fn users_of(&self, node: usize) -> &[Term] {
        self.users.at(node)
    }

    /// The accesses to this address.
    pub(super) fn accesses_at(&self, address: usize) -> impl Iterator<Item = &Access> {
        self.accesses_at.at(address).iter().map(|index| &self.accesses[*index as usize])
    }

    /// Bulk operations with this term.
    pub(super) fn bulks_at(&self, term: usize) -> impl Iterator<Item = &Bulk> {
        self.bulks_at.at(term).iter().map(|index| &self.bulks[*index as usize])
    }

    /// Whether the variable may point to objects of the class.
    fn leads_to(&self, v: Var, class: Class) -> bool {
        self.value(self.program.term(v)).class().is_some_and(|held| self.find(held) == self.find(class))
    }

    /// Where classes come into play: variables set by allocations, and loads of pointers.
    pub(super) fn sources(&self) -> Vec<(Term, Class)> {
        let mut sources = Vec::new();
        for info in self.objects.values() {
            let (ObjectSource::Alloc { edge, .. } | ObjectSource::Unknown { edge }) = info.source;
            let written = self.program.main().edges[edge].op.written();
            let pointers = written.into_iter().filter(|v| match info.source {
                ObjectSource::Alloc { .. } => true,
                ObjectSource::Unknown { .. } => is_pointer(self.program, *v) && self.leads_to(*v, info.class),
            });
            sources.extend(pointers.map(|v| (self.program.term(v), info.class)));
        }
        for (access, contents) in self.accesses.iter().zip(&self.contents) {
            if let (AccessKind::Load { dst }, Some(contents)) = (access.kind, contents) {
                let value = self.values[self.find_node(*contents).index()];
                sources.extend(value.class().map(|class| (dst, class)));
            }
        }
        sources
    }

    /// Classes that some cell may hold a pointer to.
    pub(super) fn classes_in_memory(&self) -> BTreeSet<Class> {
        let contents = &self.values[self.users.len()..];
        contents.iter().filter_map(|v| v.class()).map(|c| self.find(c)).collect()
    }

    /// The pointer that `t` may be, with its present class.
    pub(super) fn pointer(&self, t: Term) -> Option<Pointer> {
        self.value(t).pointer.map(|p| p.in_class(self.find(p.class)))
    }

    /// Works until nothing changes.
    fn run(&mut self) {
        loop {
            if let Some((a, b)) = self.unions.pop() {
                self.unite(a, b);
            } else if let Some(class) = self.rearranged.pop() {
                self.follow_all(class);
            } else if let Some((class, shape)) = self.fresh.pop() {
                self.follow(class, shape);
            } else if let Some(node) = self.queue.pop_front() {
                self.queued[node.index()] = false;
                self.process(node);
            } else {
                return;
            }
        }
    }

    fn process(&mut self, n: Node) {
        let value = self.values[n.index()];
        if n.index() < self.users.len() {
            for i in 0..self.users.at(n.index()).len() {
                self.eval(self.users.at(n.index())[i]);
            }
            for i in 0..self.accesses_at.at(n.index()).len() {
                self.access(self.accesses_at.at(n.index())[i]);
            }
            for i in 0..self.bulks_at.at(n.index()).len() {
                self.bulk(self.bulks_at.at(n.index())[i]);
            }
        }
        for i in 0..self.flows[n.index()].len() {
            let flow = self.flows[n.index()][i];
            self.send(value, flow);
        }
    }

    fn send(&mut self, value: Value, flow: Flow) {
        let mut found = Findings::default();
        let value = if flow.part { value.as_mangled(&mut found) } else { value };
        self.unions.append(&mut found.met);
        self.arrive(flow.to, value);
    }

    /// Values flow from one node to another from now on.
    pub(super) fn flow(&mut self, from: Node, to: Node, part: bool) {
        let from = self.find_node(from);
        let flow = Flow { to, part };
        if from == self.find_node(to) || !self.seen.insert((from, to, part)) {
            return;
        }
        self.flows[from.index()].push(flow);
        self.send(self.values[from.index()], flow);
    }

    /// One more value for a node.
    pub(super) fn arrive(&mut self, n: Node, value: Value) {
        if self.relevant.get(n.index()) == Some(&false) {
            return;
        }
        let n = self.find_node(n);
        let mut found = Findings::default();
        let old = self.values[n.index()];
        let mut new = join(old, value, &mut found);
        self.unions.append(&mut found.met);
        // The class of a value may have been united with another since: that is no change.
        for (p, q) in [(&mut new.pointer, old.pointer), (&mut new.negated, old.negated)] {
            if let (Some(p), Some(q)) = (p, q) {
                p.class = q.class;
            }
        }
        if new != old {
            self.values[n.index()] = new;
            self.enqueue(n);
        }
    }

    fn enqueue(&mut self, n: Node) {
        if !std::mem::replace(&mut self.queued[n.index()], true) {
            self.queue.push_back(n);
        }
    }

    fn eval(&mut self, t: Term) {
        if self.program.terms.is_var(t) || !self.relevant[t.index()] {
            return;
        }
        let mut found = Findings::default();
        let values = &self.values;
        let kind = match () {
            () if self.generic[t.index()] => SumKind::Any,
            () if self.distances.contains(&t) => SumKind::Distance,
            () => SumKind::Plain,
        };
        let value = self.transfer.eval(t, kind, |a| values[a.index()], &mut found);
        self.unions.append(&mut found.met);
        if let Some((a, b)) = found.difference {
            self.differences.insert(t, (a, b));
        }
        if !value.is_none() {
            self.arrive(node(t), value);
        }
    }

    fn access(&mut self, index: u32) {
        let Access { addr, width, format, kind } = self.accesses[index as usize];
        let Some(p) = self.pointer(addr) else { return };
        let part = self.touched_part(p, width);
        let contents = self.touch(part, p.offset, width, format);
        self.contents[index as usize] = Some(contents);
        let whole = width == self.program.machine.pointer_bytes() && format.is_none();
        match kind {
            AccessKind::Load { dst } => self.flow(contents, node(dst), !whole),
            AccessKind::Store { value } => self.flow(node(value), contents, !whole),
        }
    }

    /// A node for the contents of a new cell: arbitrary numbers to begin with.
    pub(super) fn new_contents(&mut self) -> Node {
        let n = Node::new(self.values.len());
        self.values.push(Value::number(Congruence::ANY));
        self.parents.push(n);
        self.flows.push(Vec::new());
        self.queued.push(false);
        n
    }

    /// The contents of two cells become one.
    pub(super) fn unite_contents(&mut self, a: Node, b: Node) -> Node {
        let (a, b) = (self.find_node(a), self.find_node(b));
        if a == b {
            return a;
        }
        self.parents[b.index()] = a;
        let flows = std::mem::take(&mut self.flows[b.index()]);
        self.flows[a.index()].extend(flows);
        self.arrive(a, self.values[b.index()]);
        self.enqueue(a);
        a
    }

    /// Pointers into different classes were subtracted after all: one class from now on.
    fn settle_differences(&mut self) -> bool {
        let mut changed = false;
        for &(a, b) in self.differences.values() {
            if self.find(a) != self.find(b) {
                self.unions.push((a, b));
                changed = true;
            }
        }
        changed
    }

    /// What was said to be a difference is one only if there are pointers on both sides.
    fn doubt_differences(&mut self) -> bool {
        let doubtful: Vec<Term> =
            self.distances.iter().copied().filter(|t| !self.differences.contains_key(t)).collect();
        for t in &doubtful {
            self.distances.remove(t);
            self.eval(*t);
        }
        !doubtful.is_empty()
    }

    /// Memory that only the outside has holds pointers to more of it. Where objects of the program are one class with such memory, a pointer
    /// that is read there need not be one that the program has put there.
    fn settle_behind_outside(&mut self) -> bool {
        let unknown: Vec<(Class, Edge)> = self
            .objects
            .values()
            .filter_map(|object| match object.source {
                ObjectSource::Unknown { edge } => Some((self.find(object.class), edge)),
                ObjectSource::Alloc { .. } => None,
            })
            .collect();
        let mut outside: BTreeSet<Class> = unknown.iter().map(|(class, _)| *class).collect();
        let mut changed = false;
        for (class, edge) in unknown {
            for contents in self.contents_of(class).collect::<Vec<_>>() {
                let held = self.values[self.find_node(contents).index()].class().map(|held| self.find(held));
                if held.is_some_and(|held| outside.insert(held)) {
                    let value = self.new_object(ObjectSource::Unknown { edge });
                    self.arrive(contents, value);
                    changed = true;
                }
            }
        }
        changed
    }

    /// A variable left uninitialised that is never assigned an address, but is a pointer: give it something to point to.
    fn adopt_orphans(&mut self) -> bool {
        let mut changed = false;
        if !self.escapes.is_empty() || self.accesses.iter().all(|a| self.value(a.addr).pointer.is_some()) {
            return false;
        }
        for (id, edge) in self.program.main().edges.iter() {
            let Op::Havoc { vars, origin: Origin::Uninitialised(_) } = &edge.op else { continue };
            for v in vars {
                let t = self.program.term(*v);
                if self.relevant[t.index()] && is_pointer(self.program, *v) && self.value(t).pointer.is_none() {
                    let value = self.new_object(ObjectSource::Unknown { edge: id });
                    self.arrive(node(t), value);
                    changed = true;
                }
            }
        }
        changed
    }

    /// From now on the sum `t` may be a pointer even where it looks like a difference of pointers.
    pub(super) fn make_generic(&mut self, t: Term) -> bool {
        if std::mem::replace(&mut self.generic[t.index()], true) {
            return false;
        }
        self.eval(t);
        true
    }

    pub(super) fn flows_from(&self, n: Node) -> impl Iterator<Item = Node> + '_ {
        self.flows[n.index()].iter().map(|f| self.find_node(f.to))
    }

    /// The same, and whether only a part of a pointer's bytes goes along.
    pub(super) fn flows_with_parts(&self, n: Node) -> impl Iterator<Item = (Node, bool)> + '_ {
        self.flows[n.index()].iter().map(|f| (self.find_node(f.to), f.part))
    }

    pub(super) fn is_term(&self, n: Node) -> bool {
        n.index() < self.users.len()
    }

    /// Is the term a variable that bytes are loaded into?
    pub(super) fn is_raw(&self, n: Node) -> bool {
        let var = self.program.var_of(Term::new(n.index()));
        var.is_some_and(|v| self.program.vars[v].raw)
    }

    /// The contents of cells that addresses are stored in as a whole, or copied to.
    pub(super) fn cells_with_addresses(&self) -> BTreeSet<Node> {
        let has_class = |n: &usize| self.values[*n].class().is_some();
        let mut work: Vec<Node> = (0..self.users.len()).filter(has_class).map(Node::new).collect();
        let mut found = BTreeSet::new();
        while let Some(n) = work.pop() {
            for (to, part) in self.flows_with_parts(n) {
                if !part && !self.is_term(to) && found.insert(to) {
                    work.push(to);
                }
            }
        }
        found
    }

    /// What a load of so many bytes reads, and the class of the addresses there.
    pub(super) fn loaded_from(&self, addr: Term, bytes: u32) -> Option<(Node, Class)> {
        let accesses = self.accesses.iter().zip(&self.contents);
        let mut loads = accesses.filter(|(access, _)| {
            access.addr == addr && access.width == bytes && matches!(access.kind, AccessKind::Load { .. })
        });
        let contents = self.find_node(loads.find_map(|(_, contents)| *contents)?);
        Some((contents, self.find(self.values[contents.index()].class()?)))
    }

    /// The cells that loads and stores touch, by address, number of bytes and whether it is a load.
    pub(super) fn touched_cells(&self) -> BTreeMap<(Term, u32, bool), Node> {
        let touched = self.accesses.iter().zip(&self.contents).filter_map(|(access, contents)| {
            let is_load = matches!(access.kind, AccessKind::Load { .. });
            Some(((access.addr, access.width, is_load), self.find_node((*contents)?)))
        });
        touched.collect()
    }

    pub(super) fn node_count(&self) -> usize {
        self.values.len()
    }
}

pub(super) fn node(t: Term) -> Node {
    Node::new(t.index())
}

/// Declared as a pointer in the source, or the result of a call of what is.
pub(crate) fn is_pointer(program: &Program, v: Var) -> bool {
    let info = &program.vars[v];
    info.sort == Sort::Bv(program.machine.pointer_bits())
        && (info.pointer || info.source.as_ref().is_some_and(|s| s.pointer))
}
