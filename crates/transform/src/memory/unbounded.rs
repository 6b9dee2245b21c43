//! Objects without end: the flat program with object numbers so wide that no execution uses them up.
//!
//! A pointer of the machine has room for few object numbers, and a loop that allocates runs out of them: a bound hit, so that no
//! proof is possible. But programs hardly look at the numbers. Here everything that holds a number, alone or as the upper part of a
//! pointer, gets [`NUMBER_BITS`] bits for it, however wide the pointer is in C:
//!
//! - A number `n` that is written in the program (of an object that has a fixed one, or where the numbers of a class begin and
//!   end) becomes `n * 2^k`, so that the order of numbers stays, and there are `2^k` times as many between two of them. The last
//!   number, which belongs to no object, stays the last: pointers to somewhat before null have it.
//! - What is added to a pointer is a signed distance, as it was. Where it leads out of the object, the number that comes out is another
//!   one than it would have been: a bound hit. (Plain numbers may be held by what holds pointers, too: members of a union. They are
//!   told apart by nothing, and count as far as they stay between two multiples of the largest object.)
//!
//! With these numbers the edges that find none left are cut: it would take 2^60 allocations for each number that there was, which is no execution
//! of any machine.
//!
//! Which variables and cells hold numbers is inferred from how they are used (unification, as types are inferred), starting from the
//! counters that numbers are taken from. Whatever else is done with a number than comparing it, indexing by it and moving a
//! pointer by a distance (multiplying it, say, or cutting it into bytes) ends it: `None`.
//!
//! The result has the executions of a machine with that many numbers and no others. It is meant for proofs: what it says
//! about memory (`Program::layout` and its like) is left out, so executions of it cannot be put into the original.

use super::is_out_of_numbers;
use base::Id;
use cfa::{Edge, Function, LocKind, Location, Machine, Op, Program, Var};
use rustc_hash::FxHashMap;
use term::{Bits, Op as TermOp, Scalar, Sort, Store, Term, walk};

/// Bits for object numbers.
const NUMBER_BITS: u32 = 72;

/// See the module. `None` if it has no need, or numbers are used for something else than to name objects.
pub fn with_unbounded_objects(flat: &Program) -> Option<Program> {
    let mut inference = Inference::new(flat);
    inference.take_counters()?;
    for function in flat.functions.values() {
        function.edges.values().try_for_each(|edge| inference.edge(&edge.op))?;
    }
    inference.sums()?;
    inference.is_consistent().then(|| Rewriter::new(inference).program()).flatten()
}

/// A set of values that are used alike: all of them hold numbers of objects, or none.
type Node = usize;

/// Where a term holds numbers of objects.
#[derive(Clone, Copy)]
enum Shape {
    /// A boolean or a float.
    Nothing,
    Scalar(Node),
    Array {
        index: Option<Node>,
        element: Option<Node>,
    },
}

/// A sum whose result holds a number if one of its parts does.
struct Sum {
    whole: Node,
    parts: [Node; 2],
}

struct Inference<'a> {
    flat: &'a Program,
    /// Union-find.
    parents: Vec<Node>,
    /// Holds a number of an object (of representatives).
    is_number: Vec<bool>,
    /// Is used as what cannot hold one.
    is_plain: Vec<bool>,
    shapes: FxHashMap<Term, Shape>,
    /// Constants can be one thing here and another there: by the term that uses it, and as which argument.
    constants: FxHashMap<(Term, usize), Shape>,
    sums: Vec<Sum>,
    counters: Vec<Term>,
}

impl<'a> Inference<'a> {
    fn new(flat: &'a Program) -> Inference<'a> {
        let (parents, is_number, is_plain) = (Vec::new(), Vec::new(), Vec::new());
        let (sums, counters) = (Vec::new(), Vec::new());
        let (shapes, constants) = (FxHashMap::default(), FxHashMap::default());
        Inference { flat, parents, is_number, is_plain, shapes, constants, sums, counters }
    }

    fn terms(&self) -> &'a Store {
        &self.flat.terms
    }

    /// The counters are what edges compare that find no number left.
    fn take_counters(&mut self) -> Option<()> {
        for function in self.flat.functions.values() {
            for edge in function.edges.values().filter(|e| is_out_of_numbers(&function.locs[e.to].kind)) {
                let Op::Assume(condition) = &edge.op else { return None };
                let mut counters = walk::free_vars(self.terms(), &[*condition]).into_iter();
                let (Some(counter), None) = (counters.next(), counters.next()) else { return None };
                let Shape::Scalar(node) = self.shape(counter) else { return None };
                self.is_number[node] = true;
                self.counters.push(counter);
            }
        }
        (!self.counters.is_empty()).then_some(())
    }

    fn node(&mut self) -> Node {
        self.parents.push(self.parents.len());
        self.is_number.push(false);
        self.is_plain.push(false);
        self.parents.len() - 1
    }

    fn fresh(&mut self, sort: Sort) -> Shape {
        match sort {
            Sort::Bv(_) => Shape::Scalar(self.node()),
            Sort::Array(sort) => {
                let mut part = |scalar: Scalar| matches!(Sort::from(scalar), Sort::Bv(_)).then(|| self.node());
                Shape::Array { index: part(sort.index), element: part(sort.elem) }
            }
            _ => Shape::Nothing,
        }
    }

    fn find(&self, mut node: Node) -> Node {
        while self.parents[node] != node {
            node = self.parents[node];
        }
        node
    }

    fn same(&mut self, a: Node, b: Node) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            self.parents[b] = a;
            self.is_number[a] |= self.is_number[b];
            self.is_plain[a] |= self.is_plain[b];
        }
    }

    fn same_shape(&mut self, a: Shape, b: Shape) {
        match (a, b) {
            (Shape::Scalar(a), Shape::Scalar(b)) => self.same(a, b),
            (Shape::Array { index: i, element: e }, Shape::Array { index: j, element: f }) => {
                i.zip(j).into_iter().for_each(|(a, b)| self.same(a, b));
                e.zip(f).into_iter().for_each(|(a, b)| self.same(a, b));
            }
            _ => {}
        }
    }

    fn holds_number(&self, node: Node) -> bool {
        self.is_number[self.find(node)]
    }

    fn plain(&mut self, shape: Shape) {
        let nodes = match shape {
            Shape::Nothing => [None, None],
            Shape::Scalar(node) => [Some(node), None],
            Shape::Array { index, element } => [index, element],
        };
        for node in nodes.into_iter().flatten() {
            let node = self.find(node);
            self.is_plain[node] = true;
        }
    }

    /// Whether a value of so many bits can hold a number: as the upper part of a pointer.
    fn fits(&self, width: u32) -> bool {
        let machine = self.flat.machine;
        (machine.object_bits..=machine.pointer_bits()).contains(&width)
    }

    /// Of a term that is not a constant.
    fn shape(&mut self, t: Term) -> Shape {
        if let Some(shape) = self.shapes.get(&t) {
            return *shape;
        }
        let shape = self.fresh(self.terms().sort(t));
        if let Sort::Bv(width) = self.terms().sort(t)
            && !self.fits(width)
        {
            self.plain(shape);
        }
        self.shapes.insert(t, shape);
        shape
    }

    /// Of an argument.
    fn argument(&mut self, t: Term, i: usize) -> Shape {
        let arg = self.terms().arg(t, i);
        if !is_constant(self.terms(), arg) {
            return self.shape(arg);
        }
        if let Some(shape) = self.constants.get(&(t, i)) {
            return *shape;
        }
        let shape = self.fresh(self.terms().sort(arg));
        self.constants.insert((t, i), shape);
        shape
    }

    fn edge(&mut self, op: &Op) -> Option<()> {
        for t in walk::postorder(self.terms(), &op.terms()) {
            self.term(t)?;
        }
        match op {
            Op::Assume(_) | Op::Havoc { .. } => Some(()),
            Op::Assign(pairs) => {
                let terms = self.terms();
                for (var, value) in pairs.iter().filter(|(_, value)| !is_constant(terms, *value)) {
                    let (var, value) = (self.shape(self.flat.term(*var)), self.shape(*value));
                    self.same_shape(var, value);
                }
                Some(())
            }
            _ => None,
        }
    }

    /// What the operator says about its arguments and its result.
    fn term(&mut self, t: Term) -> Option<()> {
        let terms = self.terms();
        if is_constant(terms, t) || terms.is_var(t) {
            return Some(());
        }
        let arity = terms.args(t).len();
        let machine = self.flat.machine;
        match terms.op(t) {
            TermOp::Not | TermOp::And | TermOp::Or | TermOp::Xor => {}
            TermOp::Ite => {
                let whole = self.shape(t);
                for i in 1..3 {
                    let part = self.argument(t, i);
                    self.same_shape(whole, part);
                }
            }
            TermOp::Eq | TermOp::BvUlt | TermOp::BvUle => {
                let (a, b) = (self.argument(t, 0), self.argument(t, 1));
                self.same_shape(a, b);
            }
            TermOp::Select => {
                let (Shape::Array { index, element }, at) = (self.argument(t, 0), self.argument(t, 1)) else {
                    return None;
                };
                let whole = self.shape(t);
                index.into_iter().for_each(|index| self.same_shape(Shape::Scalar(index), at));
                element.into_iter().for_each(|element| self.same_shape(Shape::Scalar(element), whole));
            }
            TermOp::Store => {
                let (whole, below) = (self.shape(t), self.argument(t, 0));
                self.same_shape(whole, below);
                let (at, value) = (self.argument(t, 1), self.argument(t, 2));
                let Shape::Array { index, element } = whole else { return None };
                index.into_iter().for_each(|index| self.same_shape(Shape::Scalar(index), at));
                element.into_iter().for_each(|element| self.same_shape(Shape::Scalar(element), value));
            }
            TermOp::ConstArray(_) => {
                let (Shape::Array { element, .. }, value) = (self.shape(t), self.argument(t, 0)) else { return None };
                element.into_iter().for_each(|element| self.same_shape(Shape::Scalar(element), value));
            }
            TermOp::Extract { hi, lo } => {
                let (whole, of) = (self.shape(t), self.argument(t, 0));
                let width = terms.width(terms.arg(t, 0));
                let above = width.saturating_sub(machine.object_bits);
                if hi + 1 == width && lo <= above {
                    self.same_shape(whole, of);
                } else {
                    self.plain(whole);
                    if hi >= above {
                        self.plain(of);
                    }
                }
            }
            TermOp::Concat => {
                let (whole, high, low) = (self.shape(t), self.argument(t, 0), self.argument(t, 1));
                self.plain(low);
                if self.fits(terms.width(t)) && self.fits(terms.width(terms.arg(t, 0))) {
                    self.same_shape(whole, high);
                } else {
                    self.plain(whole);
                    self.plain(high);
                }
            }
            TermOp::BvAdd => {
                let (whole, a, b) = (self.shape(t), self.argument(t, 0), self.argument(t, 1));
                let (Shape::Scalar(whole), Shape::Scalar(a), Shape::Scalar(b)) = (whole, a, b) else { return None };
                let is_distance = |i: usize| is_constant(terms, terms.arg(t, i));
                for (i, (own, other)) in [(a, b), (b, a)].into_iter().enumerate() {
                    if is_distance(i) {
                        self.plain(Shape::Scalar(own));
                        self.same(whole, other);
                    }
                }
                self.sums.push(Sum { whole, parts: [a, b] });
            }
            TermOp::BvAnd => {
                let mask = (0..2).find(|i| self.keeps_number(terms.arg(t, *i)));
                match mask {
                    Some(mask) => {
                        let (whole, other) = (self.shape(t), self.argument(t, 1 - mask));
                        let mask = self.argument(t, mask);
                        self.plain(mask);
                        self.same_shape(whole, other);
                    }
                    None => self.all_plain(t, arity),
                }
            }
            TermOp::Apply(_) => return None,
            _ => self.all_plain(t, arity),
        }
        Some(())
    }

    fn all_plain(&mut self, t: Term, arity: usize) {
        let whole = self.shape(t);
        self.plain(whole);
        for i in 0..arity {
            let part = self.argument(t, i);
            self.plain(part);
        }
    }

    /// Whether `x & mask` leaves the number in `x` as it is.
    fn keeps_number(&self, mask: Term) -> bool {
        let terms = self.terms();
        terms.as_bv_const(mask).is_some_and(|mask| {
            let (width, bits) = (mask.width(), self.flat.machine.object_bits);
            width >= bits && mask.extract(width - 1, width - bits) == Bits::ones(bits)
        })
    }

    /// One part of a sum holds the number, the other is a distance.
    fn sums(&mut self) -> Option<()> {
        let sums = std::mem::take(&mut self.sums);
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for Sum { whole, parts: [a, b] } in &sums {
                let before = self.holds_number(*whole);
                match (self.holds_number(*a), self.holds_number(*b)) {
                    (true, true) => return None,
                    (false, false) => continue,
                    (true, false) => {
                        self.plain(Shape::Scalar(*b));
                        self.same(*whole, *a);
                    }
                    (false, true) => {
                        self.plain(Shape::Scalar(*a));
                        self.same(*whole, *b);
                    }
                }
                changed |= !before;
            }
        }
        let is_from_nowhere = |Sum { whole, parts }: &Sum| {
            self.holds_number(*whole) && !parts.iter().any(|part| self.holds_number(*part))
        };
        (!sums.iter().any(is_from_nowhere)).then_some(())
    }

    fn is_consistent(&self) -> bool {
        let conflicts = |node: Node| self.is_number[node] && self.is_plain[node];
        !(0..self.parents.len()).any(|node| self.parents[node] == node && conflicts(node))
    }
}

/// A constant, or an array that holds one everywhere.
fn is_constant(terms: &Store, t: Term) -> bool {
    terms.is_const(t) || matches!(terms.op(t), TermOp::ConstArray(_)) && terms.is_const(terms.arg(t, 0))
}

struct Rewriter<'a> {
    known: Inference<'a>,
    new: Program,
    rewritten: FxHashMap<Term, Term>,
}

impl<'a> Rewriter<'a> {
    fn new(known: Inference<'a>) -> Rewriter<'a> {
        let machine = Machine { object_bits: NUMBER_BITS, ..known.flat.machine };
        let new = Program::new(machine, known.flat.sources.clone());
        Rewriter { known, new, rewritten: FxHashMap::default() }
    }

    fn extra(&self) -> u32 {
        NUMBER_BITS - self.known.flat.machine.object_bits
    }

    fn program(mut self) -> Option<Program> {
        let flat = self.known.flat;
        for (var, info) in flat.vars.iter() {
            let is_used = self.known.shapes.contains_key(&info.term);
            let shape = self.known.shape(info.term);
            let sort = self.sort(info.sort, shape);
            let is_new = sort != info.sort;
            if var.index() < self.new.vars.len() {
                // The tables of the function form.
                if is_used || self.new.name(var) != flat.name(var) {
                    return None;
                }
            } else {
                let source = info.source.clone().filter(|_| !is_new);
                if self.new.add_var(flat.name(var), sort, info.kind, source) != var {
                    return None;
                }
                self.new.vars[var].raw = info.raw;
            }
        }
        for (_, function) in flat.functions.iter() {
            let mut function: Function = function.clone();
            let ends: Vec<bool> =
                function.edges.values().map(|e| is_out_of_numbers(&function.locs[e.to].kind)).collect();
            for (edge, is_end) in function.edges.ids().collect::<Vec<_>>().into_iter().zip(ends) {
                let op = function.edges[edge].op.clone();
                function.edges[edge].op = if is_end { Op::Assume(self.new.terms.ff()) } else { self.op(&op)? };
                let stays = self.stays_in_objects(&op)?;
                if self.new.terms.as_bool_const(stays) != Some(true) {
                    self.guard(&mut function, edge, stays);
                }
            }
            self.new.functions.push(function);
        }
        self.new.entry = flat.entry;
        self.new.frames.clone_from(&flat.frames);
        self.new.notes.clone_from(&flat.notes);
        Some(self.new)
    }

    /// Whether the sums that an operation makes lead to the object that they start from. Those that it takes apart at once do
    /// not matter: they ask for the object.
    fn stays_in_objects(&mut self, op: &Op) -> Option<Term> {
        let old = &self.known.flat.terms;
        let mut sums = op.terms();
        for t in walk::postorder(old, &op.terms()) {
            if !matches!(old.op(t), TermOp::Extract { .. }) {
                sums.extend(old.args(t));
            }
        }
        sums.sort_unstable();
        sums.dedup();
        let mut checks = Vec::new();
        for sum in sums.into_iter().filter(|t| old.op(*t) == TermOp::BvAdd) {
            let holds_number =
                |this: &mut Self, shape: Shape| matches!(shape, Shape::Scalar(node) if this.known.holds_number(node));
            let shape = self.known.shape(sum);
            if !holds_number(self, shape) {
                continue;
            }
            let mut start = None;
            for i in 0..2 {
                let shape = self.known.argument(sum, i);
                if holds_number(self, shape) {
                    start = Some(old.arg(sum, i));
                }
            }
            let start = start?;
            let machine = self.known.flat.machine;
            let below = old.width(sum) - machine.object_bits;
            if below == 0 {
                // The next number.
                self.known.counters.contains(&start).then_some(())?;
                continue;
            }
            let width = old.width(sum) + self.extra();
            let gap = (1u128 << machine.offset_bits) - u128::from(machine.object_limit());
            let gap = self.new.terms.bv(gap >> (machine.offset_bits - below), width);
            let (from, to) = (self.value(start, shape)?, self.term(sum)?);
            let mut origin = |t: Term| {
                let inside = self.new.terms.add(t, gap);
                self.new.terms.extract(inside, width - 1, below)
            };
            let (from, to) = (origin(from), origin(to));
            checks.push(self.new.terms.eq(from, to));
        }
        Some(self.new.terms.and_all(&checks))
    }

    /// The edge is taken only where the condition holds; otherwise it is a bound hit.
    fn guard(&mut self, function: &mut Function, edge: Edge, condition: Term) {
        let (from, span) = (function.edges[edge].from, function.edges[edge].span);
        let plain = Location { frame: function.locs[from].frame, ..Location::plain(span) };
        let beyond = LocKind::BoundHit("a pointer moves out of its object".to_owned());
        let between = function.locs.push(plain.clone());
        let bound = function.locs.push(Location { kind: beyond, ..plain });
        let violated = self.new.terms.not(condition);
        function.edges[edge].from = between;
        function.add_edge(from, between, Op::Assume(condition), span);
        function.add_edge(from, bound, Op::Assume(violated), span);
    }

    fn op(&mut self, op: &Op) -> Option<Op> {
        Some(match op {
            Op::Assume(condition) => Op::Assume(self.term(*condition)?),
            Op::Assign(pairs) => {
                let mut new: Vec<(Var, Term)> = Vec::new();
                for &(var, value) in pairs {
                    let shape = self.known.shape(self.known.flat.term(var));
                    new.push((var, self.value(value, shape)?));
                }
                Op::Assign(new)
            }
            Op::Havoc { .. } => op.clone(),
            _ => return None,
        })
    }

    fn sort(&self, sort: Sort, shape: Shape) -> Sort {
        match (sort, shape) {
            (Sort::Bv(width), Shape::Scalar(node)) if self.known.holds_number(node) => Sort::Bv(width + self.extra()),
            (Sort::Array(sort), Shape::Array { index, element }) => {
                let part = |sort: Scalar, node: Option<Node>| {
                    node.map_or(Sort::from(sort), |node| self.sort(Sort::from(sort), Shape::Scalar(node)))
                };
                Sort::array(part(sort.index, index), part(sort.elem, element))
            }
            _ => sort,
        }
    }

    fn term(&mut self, t: Term) -> Option<Term> {
        let old = &self.known.flat.terms;
        for part in walk::postorder(old, &[t]) {
            if self.rewritten.contains_key(&part) || is_constant(old, part) && old.sort(part) != Sort::Bool {
                continue;
            }
            let new = self.one(part)?;
            self.rewritten.insert(part, new);
        }
        self.rewritten.get(&t).copied()
    }

    /// A term, where this is known of it.
    fn value(&mut self, t: Term, shape: Shape) -> Option<Term> {
        let old = &self.known.flat.terms;
        if !is_constant(old, t) || old.sort(t) == Sort::Bool {
            return self.term(t);
        }
        match (old.op(t), shape) {
            (TermOp::ConstArray(_), Shape::Array { element, .. }) => {
                let Sort::Array(sort) = self.sort(old.sort(t), shape) else { return None };
                let value = self.value(old.arg(t, 0), element.map_or(Shape::Nothing, Shape::Scalar))?;
                Some(self.new.terms.const_array(Sort::from(sort.index), value))
            }
            (_, Shape::Scalar(node)) if self.known.holds_number(node) => self.number(old.as_bv_const(t)?),
            _ => {
                let value = old.as_value(t)?;
                Some(self.new.terms.value(&value))
            }
        }
    }

    /// A number that is written in the program, or a pointer, or its upper part.
    fn number(&mut self, constant: &Bits) -> Option<Term> {
        let machine = self.known.flat.machine;
        let (width, bits) = (constant.width(), machine.object_bits);
        let (value, below) = (constant.to_u128()?, width - bits);
        let (number, rest) = (value >> below, value & ((1 << below) - 1));
        let is_last = number == (1 << bits) - 1;
        // A pointer to before the object of a number: its number is one less than that, whatever that has become.
        if !is_last && rest << (machine.offset_bits - below) >= u128::from(machine.object_limit()) {
            return None;
        }
        let number = if is_last { (1 << NUMBER_BITS) - 1 } else { number << self.extra() };
        Some(self.new.terms.bv(number << below | rest, width + self.extra()))
    }

    fn one(&mut self, t: Term) -> Option<Term> {
        let old = &self.known.flat.terms;
        let op = old.op(t);
        if let TermOp::Var(_) = op {
            let known = self.known.flat.var_of(t).map(|var| self.new.term(var));
            return Some(known.unwrap_or_else(|| {
                let name = old.symbol_name(t).unwrap_or_default();
                self.new.terms.var(name, old.sort(t))
            }));
        }
        let holds_number = match self.known.shape(t) {
            Shape::Scalar(node) => self.known.holds_number(node),
            _ => false,
        };
        let mut args = Vec::new();
        for (i, arg) in old.args(t).iter().enumerate() {
            let shape = self.known.argument(t, i);
            let new = self.value(*arg, shape)?;
            let is_distance = holds_number
                && matches!(op, TermOp::BvAdd | TermOp::BvAnd)
                && matches!(shape, Shape::Scalar(node) if !self.known.holds_number(node));
            let width = old.sort(t).bv_width().unwrap_or_default() + self.extra();
            args.push(if is_distance { self.new.terms.sext_to(new, width) } else { new });
        }
        let extra = self.extra();
        let terms = &mut self.new.terms;
        Some(match op {
            TermOp::Extract { hi, lo } if holds_number => terms.extract(args[0], hi + extra, lo),
            TermOp::ConstArray(_) => {
                let Sort::Array(sort) = self.sort(old.sort(t), self.known.shapes[&t]) else { return None };
                self.new.terms.const_array(Sort::from(sort.index), args[0])
            }
            _ => terms.mk(op, &args),
        })
    }
}
