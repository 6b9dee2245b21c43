//! Several locations become cases of one: every edge to one of them notes in a new variable which it meant, goes to the
//! common head, and is sent on from there.
//!
//! `reducible` gives the entries of an irreducible loop one head in this way, `flatten` the heads of a nest of loops. An
//! invariant of the common head is one of case `i` once the variable is replaced by `i`.

use crate::restore::{Case, Restore};
use base::{Id, Table};
use cfa::{EdgeInfo, Loc, LocKind, Location, Op, Program, VarKind};
use flow::{Graph, LoopId, Loops};
use term::Sort;

/// Sends all edges to `members` (two or more, each only once) through a new common head, which is returned.
fn dispatch(program: &mut Program, members: &[Loc], name: &str, restore: &mut Restore) -> Loc {
    let width = usize::BITS - (members.len() - 1).leading_zeros();
    let which = program.add_var(name, Sort::Bv(width), VarKind::Local(program.entry), None);
    let which_term = program.term(which);
    let Program { terms, functions, entry, .. } = program;
    let f = &mut functions[*entry];
    let first = &f.locs[members[0]];
    let head = f.locs.push(Location { kind: LocKind::Plain, ..first.clone() });
    let mut before: Table<Loc, Option<Loc>> = Table::filled(None, f.locs.len());
    let mut added: Vec<EdgeInfo> = Vec::new();
    for (i, member) in members.iter().enumerate() {
        let Location { span, frame, .. } = f.locs[*member];
        let value = terms.bv(i as u128, width);
        let note = f.locs.push(Location { frame, ..Location::plain(span) });
        before[*member] = Some(note);
        let edge = |from, to, op| EdgeInfo { from, to, op, span, site: None };
        added.push(edge(note, head, Op::Assign(vec![(which, value)])));
        added.push(edge(head, *member, Op::Assume(terms.eq(which_term, value))));
        // A member may itself be a common head that was added before: its cases move on to the new head.
        let mut passed_on = false;
        for case in restore.cases.iter_mut().filter(|c| c.new == *member) {
            case.new = head;
            case.when.push((which, value));
            passed_on = true;
        }
        if !passed_on {
            restore.cases.push(Case { new: head, old: *member, when: vec![(which, value)] });
        }
    }
    for e in f.edges.values_mut() {
        if let Some(note) = before[e.to] {
            e.to = note;
        }
    }
    if let Some(note) = before[f.entry] {
        f.entry = note;
    }
    for e in added {
        f.edges.push(e);
    }
    // The loop of the source begins at the common head now.
    for member in members {
        f.locs[*member].loop_span = None;
    }
    head
}

/// Gives every irreducible loop of a flat program a single head.
pub fn reducible(mut program: Program) -> (Program, Restore) {
    let mut restore = Restore::identity(&program);
    make_reducible(&mut program, &mut restore);
    (program, restore)
}

/// The result keeps all locations and edges under their numbers; new ones come after them.
fn make_reducible(program: &mut Program, restore: &mut Restore) {
    loop {
        let graph = Graph::of(program.main());
        let loops = Loops::of(&graph);
        // Outer loops first; what is inside a loop that is changed now has to wait for the next look.
        let mut touched = vec![false; loops.len()];
        let mut found = Vec::new();
        for (id, l) in loops.loops.iter() {
            let around = l.parent.is_some_and(|p| touched[p.index()]);
            if !around && !l.is_reducible() {
                found.push(entries(&graph, &loops, id));
            }
            touched[id.index()] = around || !l.is_reducible();
        }
        if found.is_empty() {
            return;
        }
        for members in found {
            dispatch(program, &members, "$entry", restore);
        }
    }
}

/// Makes one loop of every nest of loops in a flat program.
pub fn flatten(mut program: Program) -> (Program, Restore) {
    let mut restore = Restore::identity(&program);
    make_reducible(&mut program, &mut restore);
    let loops = Loops::of(&Graph::of(program.main()));
    // The heads of each nest, by its outermost loop. Outer loops have smaller numbers.
    let mut nest: Vec<usize> = Vec::new();
    let mut heads: Vec<Vec<Loc>> = vec![Vec::new(); loops.len()];
    for (id, l) in loops.loops.iter() {
        let root = l.parent.map_or(id.index(), |p| nest[p.index()]);
        nest.push(root);
        heads[root].push(l.header);
    }
    for members in heads.into_iter().filter(|h| h.len() > 1) {
        dispatch(&mut program, &members, "$loop", &mut restore);
    }
    (program, restore)
}

/// The locations by which a loop is entered from outside, its header first.
fn entries(graph: &Graph, loops: &Loops, id: LoopId) -> Vec<Loc> {
    let this = &loops.loops[id];
    let mut members: Vec<Loc> = this.side_entries.iter().map(|e| graph.to(*e)).collect();
    members.sort_unstable();
    members.dedup();
    members.insert(0, this.header);
    members
}
