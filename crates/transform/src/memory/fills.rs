//! Loops that set a range of memory element by element (a `memset` that a project brings along) as what they are: the loop keeps
//! its checks and stores nothing, and a [`Op::Fill`] stands behind it.
//!
//! A byte stored at an index may be any byte of its object, so that a pointer there may be cut to pieces; a fill of known
//! length is an assignment of whole members. Nothing inside of such a loop looks at memory, and where it is left on the way
//! (a check fails) the execution ends.

use super::address::Sum;
use cfa::{Edge, EdgeInfo, Loc, Location, Op, Program, Var};
use flow::graph::is_end;
use flow::wto::Wto;
use std::collections::{BTreeMap, BTreeSet};
use term::{Op as TermOp, Substitution, Term};

/// `for (i = 0; i < count; i++) base[i] = value;`
struct Filling {
    store: Edge,
    /// Leaves the loop.
    stop: Edge,
    base: Term,
    value: Term,
    count: Term,
    bytes: u32,
}

/// The program with fills behind such loops, if it has any.
pub(super) fn with_fills(program: &Program) -> Option<Program> {
    let wto = Wto::new(program.main());
    let loops = innermost(program.main(), &wto);
    let mut program = program.clone();
    let found: Vec<Filling> = loops.iter().filter_map(|(head, around)| filling(&mut program, *head, around)).collect();
    for Filling { store, stop, base, value, count, bytes } in &found {
        let width = program.machine.pointer_bits();
        let bytes = program.terms.bv((*bytes).into(), width);
        let len = program.terms.mul(*count, bytes);
        let nothing = program.terms.tt();
        let entry = program.entry;
        let function = &mut program.functions[entry];
        let EdgeInfo { span, site, .. } = function.edges[*store].clone();
        function.edges[*store].op = Op::Assume(nothing);
        let (left, to) = (function.edges[*stop].from, function.edges[*stop].to);
        let behind = function.locs.push(Location { frame: function.locs[left].frame, ..Location::plain(span) });
        function.edges[*stop].to = behind;
        let op = Op::Fill { dst: *base, value: *value, len };
        function.edges.push(EdgeInfo { from: behind, to, op, span, site });
    }
    (!found.is_empty()).then_some(program)
}

/// Edges of a loop that has no other in it.
#[derive(Default)]
struct Around {
    inside: Vec<Edge>,
    entering: Vec<Edge>,
}

/// The loops that have no other in them.
fn innermost(main: &cfa::Function, wto: &Wto) -> BTreeMap<Loc, Around> {
    let mut loops: BTreeMap<Loc, Around> = wto.heads().map(|head| (head, Around::default())).collect();
    for head in wto.heads() {
        if let [.., outer, _] = wto.heads_around(head) {
            loops.remove(outer);
        }
    }
    for (id, edge) in main.edges.iter().filter(|(_, edge)| wto.reaches(edge.from)) {
        let around = wto.heads_around(edge.from);
        if let Some(own) = around.last().and_then(|head| loops.get_mut(head)) {
            own.inside.push(id);
        }
        if !around.contains(&edge.to)
            && let Some(entered) = loops.get_mut(&edge.to)
        {
            entered.entering.push(id);
        }
    }
    loops
}

fn filling(program: &mut Program, head: Loc, around: &Around) -> Option<Filling> {
    let main = program.main();
    let inside: Vec<(Edge, &EdgeInfo)> = around.inside.iter().map(|id| (*id, &main.edges[*id])).collect();
    let locs: BTreeSet<Loc> = inside.iter().map(|(_, edge)| edge.from).collect();
    let is_inside = |loc: Loc| locs.contains(&loc);
    // It is left by its condition or for good.
    let ends = |loc: Loc| is_end(&main.locs[loc].kind);
    let (mut store, mut step, mut go_on, mut stop) = (None, None, None, None);
    for (id, edge) in inside.iter().copied() {
        let place = match (&edge.op, is_inside(edge.to)) {
            (Op::Assume(_), true) if edge.from == head => &mut go_on,
            (Op::Assume(_), true) if edge.to != head => continue,
            (Op::Assume(_), false) if ends(edge.to) => continue,
            (Op::Assume(_), false) if edge.from == head => &mut stop,
            (Op::Store { .. }, true) if edge.to != head => &mut store,
            (Op::Assign(pairs), true) if edge.to == head && pairs.len() == 1 => &mut step,
            _ => return None,
        };
        if place.replace(id).is_some() {
            return None;
        }
    }
    let (store, step, go_on, stop) = (store?, step?, go_on?, stop?);
    let Op::Assign(pairs) = &main.edges[step].op else { return None };
    let (counter, next) = pairs[0];
    let Op::Assume(goes_on) = main.edges[go_on].op else { return None };
    let Op::Assume(stops) = main.edges[stop].op else { return None };
    let Op::Store { addr, value, bytes } = main.edges[store].op else { return None };
    let starts = around.entering.iter().map(|id| &main.edges[*id]);
    let is_zero = |program: &Program, t: Term| program.terms.as_bv_const(t).is_some_and(|bits| bits.is_zero());
    for start in starts {
        let Op::Assign(pairs) = &start.op else { return None };
        pairs.iter().find(|(v, t)| *v == counter && is_zero(program, *t))?;
    }
    if !is_on_every_way(main, &inside, main.edges[go_on].to, main.edges[step].from, store) {
        return None;
    }
    counted(program, counter, next, goes_on, stops).and_then(|count| {
        let (base, value) = element(program, counter, addr, value, bytes)?;
        Some(Filling { store, stop, base, value, count, bytes })
    })
}

/// Whether every way through the body goes over the edge.
fn is_on_every_way(main: &cfa::Function, inside: &[(Edge, &EdgeInfo)], from: Loc, to: Loc, over: Edge) -> bool {
    let mut seen = BTreeSet::from([from]);
    let mut work = vec![from];
    while let Some(loc) = work.pop() {
        if loc == to {
            return false;
        }
        let next = inside.iter().filter(|(id, edge)| edge.from == loc && *id != over).map(|(_, edge)| edge.to);
        work.extend(next.filter(|next| !main.locs[*next].kind.is_target() && seen.insert(*next)).collect::<Vec<_>>());
    }
    true
}

/// How often the loop runs that counts up from zero by one.
fn counted(program: &mut Program, counter: Var, next: Term, goes_on: Term, stops: Term) -> Option<Term> {
    let width = program.machine.pointer_bits();
    let i = program.term(counter);
    let terms = &mut program.terms;
    let one = terms.bv(1, terms.sort(i).bv_width()?);
    let is_step = terms.add(i, one) == next && terms.width(i) == width && terms.not(goes_on) == stops;
    match (terms.op(goes_on), terms.args(goes_on)) {
        (TermOp::BvUlt, &[a, count]) if is_step && a == i => Some(count).filter(|count| is_free_of(program, i, *count)),
        _ => None,
    }
}

fn is_free_of(program: &Program, variable: Term, t: Term) -> bool {
    !term::free_vars(&program.terms, &[t]).contains(&variable)
}

/// The address of the first element, and the byte that all are made of.
fn element(program: &mut Program, counter: Var, addr: Term, value: Term, bytes: u32) -> Option<(Term, Term)> {
    let i = program.term(counter);
    let sum = Sum::of(&program.terms, addr)?;
    let (counted, others): (Vec<_>, Vec<_>) = sum.atoms.iter().copied().partition(|(_, t)| *t == i);
    let is_base = |t: Term| is_free_of(program, i, t);
    if counted != [(i64::from(bytes), i)] || !others.iter().all(|(_, t)| is_base(*t)) || !is_base(value) {
        return None;
    }
    let mut at_zero = Substitution::new();
    let zero = program.terms.bv(0, program.terms.width(i));
    at_zero.insert(&program.terms, i, zero);
    let base = at_zero.apply(&mut program.terms, addr);
    let terms = &mut program.terms;
    let bits = terms.sort(value).bv_width()?;
    if bits != 8 * bytes {
        return None;
    }
    let byte = terms.extract(value, 7, 0);
    let parts: Vec<Term> = (0..bytes).map(|k| terms.extract(value, 8 * k + 7, 8 * k)).collect();
    parts.iter().all(|part| *part == byte).then_some((base, byte))
}
