//! Tidying a function after it is built: what cannot be reached goes, and plain steps that only connect locations vanish.

use base::{Id, Table};
use cfa::{EdgeInfo, Function, Loc, LocKind, Op};
use term::Store;

fn is_step(edge: &EdgeInfo, terms: &Store) -> bool {
    matches!(edge.op, Op::Assume(cond) if terms.as_bool_const(cond) == Some(true))
}

/// The same automaton with fewer locations. Loop heads, marked locations, entry and exit stay.
pub(crate) fn compact(mut f: Function, terms: &Store) -> Function {
    let mut out = f.successors();
    // A location whose only way on is a plain step is the location it steps to.
    let mut forward: Table<Loc, Option<Loc>> = Table::filled(None, f.locs.len());
    for loc in f.locs.ids() {
        let plain = f.locs[loc].kind == LocKind::Plain && f.locs[loc].loop_span.is_none();
        if let [only] = out[loc][..]
            && plain
            && loc != f.entry
            && loc != f.exit
            && is_step(&f.edges[only], terms)
            && resolve(&forward, f.edges[only].to) != loc
        {
            forward[loc] = Some(f.edges[only].to);
        }
    }
    for edge in f.edges.values_mut() {
        edge.to = resolve(&forward, edge.to);
    }
    // A location that a loop head (or the entry) steps to, and nothing else leads to, is that location.
    let mut incoming: Table<Loc, u32> = Table::filled(0, f.locs.len());
    let reached = reachable(&f, &out);
    for edge in f.edges.values().filter(|e| reached[e.from]) {
        incoming[edge.to] += 1;
    }
    for loc in f.locs.ids() {
        while let [only] = out[loc][..] {
            let to = f.edges[only].to;
            let mergeable = is_step(&f.edges[only], terms)
                && to != loc
                && to != f.exit
                && to != f.entry
                && incoming[to] == 1
                && f.locs[to].kind == LocKind::Plain
                && (f.locs[to].loop_span.is_none() || f.locs[loc].loop_span.is_none());
            if !mergeable || !reached[loc] {
                break;
            }
            let moved = std::mem::take(&mut out[to]);
            for edge in &moved {
                f.edges[*edge].from = loc;
            }
            if f.locs[loc].loop_span.is_none() {
                f.locs[loc].loop_span = f.locs[to].loop_span;
                f.locs[loc].span = f.locs[to].span;
            }
            f.edges[only].to = to;
            incoming[to] = 0;
            out[loc] = moved;
        }
    }
    rebuild(f, &out)
}

fn resolve(forward: &Table<Loc, Option<Loc>>, mut loc: Loc) -> Loc {
    while let Some(next) = forward[loc] {
        loc = next;
    }
    loc
}

fn reachable(f: &Function, out: &Table<Loc, Vec<cfa::Edge>>) -> Table<Loc, bool> {
    let mut seen = Table::filled(false, f.locs.len());
    let mut todo = vec![f.entry];
    seen[f.entry] = true;
    while let Some(loc) = todo.pop() {
        for edge in &out[loc] {
            let to = f.edges[*edge].to;
            if !seen[to] {
                seen[to] = true;
                todo.push(to);
            }
        }
    }
    seen
}

/// Keeps the reachable part (and the exit), renumbered in the old order.
fn rebuild(f: Function, out: &Table<Loc, Vec<cfa::Edge>>) -> Function {
    let mut keep = reachable(&f, out);
    keep[f.exit] = true;
    keep[f.entry] = true;
    let mut used = Table::filled(false, f.edges.len());
    for loc in f.locs.ids().filter(|l| keep[*l]) {
        for edge in &out[loc] {
            used[*edge] = true;
        }
    }
    let mut number: Table<Loc, Option<Loc>> = Table::filled(None, f.locs.len());
    let mut locs = Table::new();
    for (loc, info) in f.locs.iter().filter(|(loc, _)| keep[*loc]) {
        number[loc] = Some(locs.push(info.clone()));
    }
    let at = |loc: Loc| number[loc].unwrap_or(Loc::new(0));
    let mut edges = Table::new();
    for (id, info) in f.edges.iter() {
        if used[id] {
            edges.push(EdgeInfo { from: at(info.from), to: at(info.to), ..info.clone() });
        }
    }
    let (entry, exit) = (at(f.entry), at(f.exit));
    Function { locs, edges, entry, exit, ..f }
}
