//! Copies and fills, too long to be written out or of unknown length, in one step.
//!
//! A loop `for (i = 0; i < n; i++) a[b + i] = v(i)` that memory made of a `memcpy` or `memset`, and that is run at most once, is taken
//! out: it only notes `n`, and whoever reads `a[x]` afterwards looks first whether `x` is in the *range* that it wrote:
//!
//! ```text
//! a[x]        becomes   ite(x - b < n ∧ ¬since[x], v(x - b), a[x])
//! a[x] := e   becomes   a[x] := e, since[x] := true
//! ```
//!
//! `n` is zero until then, and again when all of `a` is given anew. `since` says where `a` was written after the loop; it is
//! left out where nobody writes. What `v` reads is kept as it was at the loop. Ranges lie upon each other in the order in which
//! they are made, which is fixed because none is made in a loop. A copy `c := a` of the whole array has the ranges that `a`
//! has, so there is an `n` and a `since` for each array that a range can come to.
//!
//! This is exact, but for lengths beyond all indices: no object is that large (one that was is a bound hit where it is made), so
//! such a copy leaves its object, which is undefined.

use base::Table;
use cfa::{Edge, EdgeInfo, EndKind, Loc, LocKind, Location, Op, Program, Var, VarKind};
use flow::graph::{Graph, LocSet, reachable};
use flow::wto::Wto;
use std::collections::{BTreeMap, BTreeSet};
use term::{Op as TermOp, Sort, Store, Substitution, Term, walk};

/// A loop of the shape above.
struct Loop {
    head: Loc,
    body: Loc,
    counter: Var,
    /// How often it runs.
    count: Term,
    writes: Vec<Write>,
    /// The edges of the loop: into its body, back, and out of it.
    edges: [Edge; 3],
    /// What comes after it.
    after: LocSet,
}

/// `array[x] = value` where the condition holds and the iteration `when`, which is the one that writes there, is made.
struct Write {
    array: Var,
    x: Term,
    when: Term,
    condition: Term,
    value: Term,
}

/// What a loop wrote to an array, once the loop is gone.
struct Range {
    /// Index of the loop.
    made_by: usize,
    write: Write,
    /// For each array that it can come to: how many iterations wrote it, and where it was written since.
    at: BTreeMap<Var, (Var, Option<Var>)>,
}

/// The program without those of the loops (a head and a counter each) that are of that shape, `most` of them at most.
pub(super) fn in_one_step(mut program: Program, found: &[(Loc, Var)], most: usize) -> Program {
    let wto = Wto::new(program.main());
    let graph = Graph::of(program.main());
    let mut heads: Vec<(Loc, Var)> = found.iter().copied().filter(|(head, _)| wto.reaches(*head)).collect();
    heads.sort_by_key(|(head, _)| wto.position(*head));
    let mut loops: Vec<Loop> =
        heads.into_iter().filter_map(|(head, counter)| shape(&mut program, &graph, head, counter)).collect();
    loops.truncate(most);
    if loops.is_empty() || !arrays_are_only_read_and_written(&program) {
        return program;
    }
    let mut ranges = Vec::new();
    for (made_by, one) in loops.iter_mut().enumerate() {
        let writes = std::mem::take(&mut one.writes);
        ranges.extend(writes.into_iter().map(|write| Range { made_by, write, at: BTreeMap::new() }));
    }
    let mut rewriter = Rewriter { program, loops, ranges };
    rewriter.find_carriers();
    rewriter.run()
}

fn shape(program: &mut Program, graph: &Graph, head: Loc, counter: Var) -> Option<Loop> {
    let main = program.main();
    let (&[a, b], true) = (graph.succs(head), main.locs[head].kind == LocKind::Plain) else { return None };
    let returns = |e: Edge| match graph.succs(graph.to(e)) {
        [back] if graph.to(*back) == head && graph.preds(graph.to(e)).len() == 1 => Some(*back),
        _ => None,
    };
    let (go, stop, back) = match (returns(a), returns(b)) {
        (Some(back), None) => (a, b, back),
        (None, Some(back)) => (b, a, back),
        _ => return None,
    };
    let (Op::Assume(goes_on), Op::Assume(stops)) = (&main.edges[go].op, &main.edges[stop].op) else { return None };
    let (goes_on, stops) = (*goes_on, *stops);
    let Op::Assign(pairs) = main.edges[back].op.clone() else { return None };
    let after = reachable(graph, [graph.to(stop)]);
    if after[head] {
        return None;
    }
    let is_zero = |t: Term| program.terms.as_bv_const(t).is_some_and(|bits| bits.is_zero());
    for start in graph.preds(head).iter().filter(|e| **e != back) {
        let Op::Assign(pairs) = &main.edges[*start].op else { return None };
        pairs.iter().find(|(var, value)| *var == counter && is_zero(*value))?;
    }
    let count = counted(program, counter, &pairs, goes_on, stops)?;
    let changed: BTreeSet<Term> = pairs.iter().map(|(var, _)| program.term(*var)).collect();
    let i = program.term(counter);
    let mut writes = Vec::new();
    for (array, value) in pairs.iter().filter(|(var, _)| *var != counter) {
        let write = written(program, *array, *value, i)?;
        let read = walk::free_vars(&program.terms, &[write.when, write.condition, write.value]);
        if read.iter().any(|var| changed.contains(var)) {
            return None;
        }
        writes.push(write);
    }
    let body = graph.to(go);
    (!walk::free_vars(&program.terms, &[count]).iter().any(|var| changed.contains(var))).then_some(Loop {
        head,
        body,
        counter,
        count,
        writes,
        edges: [go, back, stop],
        after,
    })
}

/// How often a loop runs that counts from zero by one while `i < n`, or `i * 2^k < n`.
fn counted(program: &mut Program, counter: Var, pairs: &[(Var, Term)], goes_on: Term, stops: Term) -> Option<Term> {
    let i = program.term(counter);
    let terms = &mut program.terms;
    let width = terms.width(i);
    let one = terms.bv(1, width);
    let next = terms.add(i, one);
    if !pairs.contains(&(counter, next)) || terms.not(goes_on) != stops {
        return None;
    }
    let (TermOp::BvUlt, &[so_far, end]) = (terms.op(goes_on), terms.args(goes_on)) else { return None };
    if so_far == i {
        return Some(end);
    }
    // One more than the last iteration that starts before the end.
    let shift = (1..8).find(|shift| {
        let stride = terms.bv(1 << shift, width);
        terms.mul(i, stride) == so_far
    })?;
    let stride = terms.bv(1 << shift, width);
    let zero = terms.bv(0, width);
    let last = terms.sub(end, one);
    let last = terms.udiv(last, stride);
    let count = terms.add(last, one);
    let nothing = terms.eq(end, zero);
    Some(terms.ite(nothing, zero, count))
}

/// The one write to an array that an iteration makes, if its index can be solved for the counter.
fn written(program: &mut Program, array: Var, value: Term, i: Term) -> Option<Write> {
    let own = program.term(array);
    let terms = &mut program.terms;
    let mut conditions = Vec::new();
    let mut here = value;
    while terms.op(here) == TermOp::Ite {
        let &[test, yes, no] = terms.args(here) else { unreachable!("three arguments") };
        let (condition, inner) = match (yes == own, no == own) {
            (false, true) => (test, yes),
            (true, false) => (terms.not(test), no),
            _ => return None,
        };
        conditions.push(condition);
        here = inner;
    }
    let (TermOp::Store, &[old, index, value]) = (terms.op(here), terms.args(here)) else { return None };
    if old != own {
        return None;
    }
    let x = terms.fresh("x", terms.sort(index));
    let when = solved(terms, index, i, x)?;
    let then = [(i, when)];
    let condition = terms.and_all(&conditions);
    let condition = term::substitute(terms, condition, &then);
    let value = term::substitute(terms, value, &then);
    Some(Write { array, x, when, condition, value })
}

/// The value of `v` for which the index is `x`: one, as long as there are no more iterations than indices.
fn solved(terms: &mut Store, index: Term, v: Term, x: Term) -> Option<Term> {
    if index == v {
        return Some(x);
    }
    let args = terms.args(index).to_vec();
    match (terms.op(index), &args[..]) {
        (TermOp::BvAdd, &[a, b]) => {
            let (with, without) = match (walk::mentions(terms, a, v), walk::mentions(terms, b, v)) {
                (true, false) => (a, b),
                (false, true) => (b, a),
                _ => return None,
            };
            let rest = terms.sub(x, without);
            solved(terms, with, v, rest)
        }
        (TermOp::Extract { lo: 0, .. }, &[of]) if of == v => Some(terms.zext_to(x, terms.width(of))),
        // The lower bits of a sum are the sum of the lower bits.
        (TermOp::Extract { lo: 0, hi }, &[of]) if terms.op(of) == TermOp::BvAdd => {
            let (a, b) = (terms.arg(of, 0), terms.arg(of, 1));
            let (a_low, b_low) = (terms.extract(a, hi, 0), terms.extract(b, hi, 0));
            let (with, without) = match (walk::mentions(terms, a, v), walk::mentions(terms, b, v)) {
                (true, false) => (a_low, b_low),
                (false, true) => (b_low, a_low),
                _ => return None,
            };
            let rest = terms.sub(x, without);
            solved(terms, with, v, rest)
        }
        _ => None,
    }
}

/// Whether every array in the program is a variable, or made of one by writes and choices, and is read by its elements only.
fn arrays_are_only_read_and_written(program: &Program) -> bool {
    let terms = &program.terms;
    let roots: Vec<Term> = program.main().edges.values().flat_map(|edge| edge.op.terms()).collect();
    let is_array = |t: Term| matches!(terms.sort(t), Sort::Array(_));
    walk::postorder(terms, &roots).into_iter().all(|t| match terms.op(t) {
        TermOp::Store | TermOp::Ite | TermOp::Select | TermOp::ConstArray(_) | TermOp::Var(_) => true,
        op => !op.is_quantifier() && !is_array(t) && !terms.args(t).iter().any(|arg| is_array(*arg)),
    })
}

/// The arrays that a term of array sort is made of.
fn sources(terms: &Store, array: Term, found: &mut BTreeSet<Term>) {
    match (terms.op(array), terms.args(array)) {
        (TermOp::Store, &[old, ..]) => sources(terms, old, found),
        (TermOp::Ite, &[_, yes, no]) => [yes, no].into_iter().for_each(|t| sources(terms, t, found)),
        _ => _ = found.insert(array),
    }
}

struct Rewriter {
    program: Program,
    /// In the order of execution.
    loops: Vec<Loop>,
    ranges: Vec<Range>,
}

impl Rewriter {
    /// Which arrays a range can come to, and whether they are written afterwards.
    fn find_carriers(&mut self) {
        let gone: BTreeSet<Edge> = self.loops.iter().flat_map(|l| l.edges).collect();
        for r in 0..self.ranges.len() {
            let after = &self.loops[self.ranges[r].made_by].after;
            let main = self.program.main();
            let assigned: Vec<(Var, Term)> = main
                .edges
                .iter()
                .filter(|(e, edge)| after[edge.from] && !gone.contains(e))
                .filter_map(|(_, edge)| if let Op::Assign(pairs) = &edge.op { Some(pairs) } else { None })
                .flatten()
                .copied()
                .filter(|(var, _)| matches!(self.program.vars[*var].sort, Sort::Array(_)))
                .collect();
            let mut carriers = BTreeSet::from([self.ranges[r].write.array]);
            let mut is_written = false;
            loop {
                let before = carriers.len();
                for (var, value) in &assigned {
                    let mut from = BTreeSet::new();
                    sources(&self.program.terms, *value, &mut from);
                    if from.iter().filter_map(|t| self.program.var_of(*t)).any(|v| carriers.contains(&v)) {
                        carriers.insert(*var);
                        is_written |= has_store(&self.program.terms, *value);
                    }
                }
                if carriers.len() == before {
                    break;
                }
            }
            for carrier in carriers {
                let (name, sort) = (self.program.name(carrier).to_owned(), self.program.vars[carrier].sort);
                let Sort::Array(array) = sort else { unreachable!("an array") };
                let length = self.program.terms.width(self.ranges[r].write.when);
                let count = self.program.add_var(&format!("$range.{name}"), Sort::Bv(length), VarKind::Memory, None);
                let since = is_written.then(|| {
                    let sort = Sort::array(array.index.into(), Sort::Bool);
                    self.program.add_var(&format!("$since.{name}"), sort, VarKind::Memory, None)
                });
                self.ranges[r].at.insert(carrier, (count, since));
                // What the array holds is no longer what the program's memory holds: nobody must call it by that name.
                self.program.cells.remove(&carrier);
                self.program.vars[carrier].source = None;
            }
        }
    }

    fn run(mut self) -> Program {
        let old = std::mem::replace(&mut self.program.functions[self.program.entry].edges, Table::new());
        let gone: BTreeMap<Edge, usize> =
            self.loops.iter().enumerate().flat_map(|(n, l)| l.edges.map(|edge| (edge, n))).collect();
        // What loops read is settled in the order of execution: ranges that lie below are part of it.
        let mut notes = BTreeMap::new();
        for n in 0..self.loops.len() {
            notes.insert(n, self.noted(n, &old));
        }
        let mut edges: Table<Edge, EdgeInfo> = Table::new();
        let mut locs = std::mem::replace(&mut self.program.functions[self.program.entry].locs, Table::new());
        let entry = self.program.main().entry;
        let first = locs.push(locs[entry].clone());
        locs[first].loop_span = None;
        let counts: Vec<Var> = self.ranges.iter().flat_map(|r| r.at.values()).map(|(count, _)| *count).collect();
        let none = self.zeros(&counts);
        let span = locs[entry].span;
        edges.push(EdgeInfo { from: first, to: entry, op: Op::Assign(none), span, site: None });
        for (id, edge) in old.iter() {
            match gone.get(&id) {
                Some(n) if self.loops[*n].edges[2] == id => {
                    let op = Op::Assign(notes.remove(n).expect("one way out"));
                    edges.push(EdgeInfo { op, ..edge.clone() });
                }
                Some(_) => {}
                None => self.edge(edge, &mut locs, &mut edges),
            }
        }
        for l in &self.loops {
            locs[l.body].kind = LocKind::End(EndKind::Blocked);
            locs[l.head].loop_span = None;
        }
        let function = &mut self.program.functions[self.program.entry];
        (function.entry, function.locs, function.edges) = (first, locs, edges);
        self.program
    }

    /// What is assigned in the place of a loop. Its ranges speak of what they read as it is then.
    fn noted(&mut self, n: usize, edges: &Table<Edge, EdgeInfo>) -> Vec<(Var, Term)> {
        let head = self.loops[n].head;
        let (counter, count) = (self.loops[n].counter, self.loops[n].count);
        let count = self.read(count, head);
        let mut assigned = vec![(counter, count)];
        let written_later: BTreeSet<Var> =
            edges.values().filter(|edge| self.loops[n].after[edge.from]).flat_map(|edge| edge.op.written()).collect();
        let own: BTreeSet<Var> = self
            .ranges
            .iter()
            .flat_map(|r| r.at.values())
            .flat_map(|(count, since)| [Some(*count), *since])
            .flatten()
            .collect();
        let mut kept: BTreeMap<Term, Term> = BTreeMap::new();
        for r in 0..self.ranges.len() {
            if self.ranges[r].made_by != n {
                continue;
            }
            let Write { array, x, when, condition, value } = self.ranges[r].write;
            let now = [when, condition, value].map(|t| self.read(t, head));
            for term in walk::free_vars(&self.program.terms, &now) {
                let Some(var) = self.program.var_of(term) else { continue };
                if (written_later.contains(&var) || own.contains(&var)) && !kept.contains_key(&term) {
                    let sort = self.program.vars[var].sort;
                    let copy = self.program.add_var("$was", sort, VarKind::Memory, None);
                    assigned.push((copy, term));
                    kept.insert(term, self.program.term(copy));
                }
            }
            let pairs: Vec<(Term, Term)> = kept.iter().map(|(from, to)| (*from, *to)).collect();
            let [when, condition, value] = now.map(|t| term::substitute(&mut self.program.terms, t, &pairs));
            self.ranges[r].write = Write { array, x, when, condition, value };
            let (length, since) = self.ranges[r].at[&array];
            assigned.push((length, count));
            if let Some(since) = since {
                let Sort::Array(sort) = self.program.vars[since].sort else { unreachable!("an array") };
                let no = self.program.terms.ff();
                assigned.push((since, self.program.terms.const_array(sort.index.into(), no)));
            }
        }
        assigned
    }

    fn edge(&mut self, edge: &EdgeInfo, locs: &mut Table<Loc, Location>, edges: &mut Table<Edge, EdgeInfo>) {
        let mut edge = edge.clone();
        match &mut edge.op {
            Op::Assume(condition) => *condition = self.read(*condition, edge.from),
            Op::Assign(pairs) => {
                let mut all = Vec::new();
                for (var, value) in pairs.iter() {
                    let value = self.read(*value, edge.from);
                    all.push((*var, value));
                    all.extend(self.carried(*var, value, edge.from));
                }
                *pairs = all;
            }
            Op::Havoc { vars, .. } => {
                let ended: Vec<Var> = self
                    .ranges
                    .iter()
                    .filter(|r| self.loops[r.made_by].after[edge.from])
                    .flat_map(|r| vars.iter().filter_map(|var| r.at.get(var)))
                    .map(|(count, _)| *count)
                    .collect();
                if !ended.is_empty() {
                    let between = locs.push(Location { loop_span: None, ..locs[edge.from].clone() });
                    let op = Op::Assign(self.zeros(&ended));
                    edges.push(EdgeInfo { from: edge.from, to: between, op, span: edge.span, site: edge.site });
                    edge.from = between;
                }
            }
            _ => unreachable!("the program is flat"),
        }
        edges.push(edge);
    }

    /// What becomes of the ranges of an array that is assigned.
    fn carried(&mut self, var: Var, value: Term, at: Loc) -> Vec<(Var, Term)> {
        let mut all = Vec::new();
        for r in 0..self.ranges.len() {
            if !self.loops[self.ranges[r].made_by].after[at] {
                continue;
            }
            let Some((count, since)) = self.ranges[r].at.get(&var).copied() else { continue };
            let counts = self.count_of(r, value);
            all.push((count, counts));
            if let Some(since) = since {
                let written = self.since_of(r, value);
                all.push((since, written));
            }
        }
        all.retain(|(var, value)| self.program.term(*var) != *value);
        all
    }

    /// How much of a range an array has, that is made of others.
    fn count_of(&mut self, r: usize, array: Term) -> Term {
        let args = self.program.terms.args(array).to_vec();
        match (self.program.terms.op(array), &args[..]) {
            (TermOp::Store, &[old, ..]) => self.count_of(r, old),
            (TermOp::Ite, &[test, yes, no]) => {
                let (yes, no) = (self.count_of(r, yes), self.count_of(r, no));
                self.program.terms.ite(test, yes, no)
            }
            _ => match self.program.var_of(array).and_then(|var| self.ranges[r].at.get(&var)) {
                Some((count, _)) => self.program.term(*count),
                None => {
                    let width = self.program.terms.width(self.ranges[r].write.when);
                    self.program.terms.bv(0, width)
                }
            },
        }
    }

    /// Where an array that is made of others was written since a range.
    fn since_of(&mut self, r: usize, array: Term) -> Term {
        let args = self.program.terms.args(array).to_vec();
        match (self.program.terms.op(array), &args[..]) {
            (TermOp::Store, &[old, index, _]) => {
                let old = self.since_of(r, old);
                let yes = self.program.terms.tt();
                self.program.terms.store(old, index, yes)
            }
            (TermOp::Ite, &[test, yes, no]) => {
                let (yes, no) = (self.since_of(r, yes), self.since_of(r, no));
                self.program.terms.ite(test, yes, no)
            }
            _ => match self.program.var_of(array).and_then(|var| self.ranges[r].at.get(&var)) {
                Some((_, since)) => self.program.term(since.expect("all carriers have one, or none")),
                // It has nothing of the range.
                None => {
                    let Sort::Array(sort) = self.program.terms.sort(array) else { unreachable!("an array") };
                    let no = self.program.terms.ff();
                    self.program.terms.const_array(sort.index.into(), no)
                }
            },
        }
    }

    fn zeros(&mut self, vars: &[Var]) -> Vec<(Var, Term)> {
        let program = &mut self.program;
        vars.iter().map(|v| (*v, program.terms.bv(0, program.terms.width(program.vars[*v].term)))).collect()
    }

    /// A term, with what it reads of arrays that have ranges.
    fn read(&mut self, t: Term, at: Loc) -> Term {
        if !self.ranges.iter().any(|r| self.loops[r.made_by].after[at]) {
            return t;
        }
        let mut done = Substitution::new();
        for part in walk::postorder(&self.program.terms, &[t]) {
            if self.program.terms.op(part) != TermOp::Select {
                continue;
            }
            let (array, index) = (self.program.terms.arg(part, 0), self.program.terms.arg(part, 1));
            let (array, index) =
                (done.apply(&mut self.program.terms, array), done.apply(&mut self.program.terms, index));
            let content = self.content(array, index, at);
            done.insert(&self.program.terms, part, content);
        }
        done.apply(&mut self.program.terms, t)
    }

    /// What an array holds, ranges included.
    fn content(&mut self, array: Term, index: Term, at: Loc) -> Term {
        let args = self.program.terms.args(array).to_vec();
        match (self.program.terms.op(array), &args[..]) {
            (TermOp::Store, &[old, stored, value]) => {
                let other = self.content(old, index, at);
                let same = self.program.terms.eq(stored, index);
                self.program.terms.ite(same, value, other)
            }
            (TermOp::Ite, &[test, yes, no]) => {
                let (yes, no) = (self.content(yes, index, at), self.content(no, index, at));
                self.program.terms.ite(test, yes, no)
            }
            _ => {
                let mut content = self.program.terms.select(array, index);
                let Some(var) = self.program.var_of(array) else { return content };
                for r in &self.ranges {
                    let Some((count, since)) = r.at.get(&var).filter(|_| self.loops[r.made_by].after[at]) else {
                        continue;
                    };
                    let Write { x, when, condition, value, .. } = r.write;
                    let terms = &mut self.program.terms;
                    let [when, condition, value] =
                        [when, condition, value].map(|t| term::substitute(terms, t, &[(x, index)]));
                    let count = self.program.vars[*count].term;
                    let mut is_there = vec![terms.ult(when, count), condition];
                    if let Some(since) = since {
                        let written = terms.select(self.program.vars[*since].term, index);
                        is_there.push(terms.not(written));
                    }
                    let is_there = terms.and_all(&is_there);
                    content = terms.ite(is_there, value, content);
                }
                content
            }
        }
    }
}

fn has_store(terms: &Store, array: Term) -> bool {
    match (terms.op(array), terms.args(array)) {
        (TermOp::Store, _) => true,
        (TermOp::Ite, &[_, yes, no]) => has_store(terms, yes) || has_store(terms, no),
        _ => false,
    }
}
