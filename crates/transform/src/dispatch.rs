//! Several locations become cases of one: every edge to one of them notes in a new variable which it meant, goes to the
//! common head, and is sent on from there.
//!
//! `reducible` gives the entries of an irreducible loop one head in this way, `flatten` the heads of a nest of loops. An
//! invariant of the common head is one of case `i` once the variable is replaced by `i`.

use crate::restore::{Case, Restore};
use base::{Id, Table};
use cfa::{Function, Loc, LocKind, Location, Op, Program, VarKind};
use flow::{Graph, LoopId, Loops};
use term::Sort;

/// Sends all edges to `members` (two or more locations of the loop `body`) through a new common head.
fn dispatch(program: &mut Program, body: &[Loc], members: &[Loc], name: &str, restore: &mut Restore) {
    let width = usize::BITS - (members.len() - 1).leading_zeros();
    let which = program.add_var(name, Sort::Bv(width), VarKind::Local(program.entry), None);
    let which_term = program.term(which);
    let Program { terms, functions, entry, .. } = program;
    let f = &mut functions[*entry];
    let mut inside = Table::filled(false, f.locs.len());
    body.iter().for_each(|l| inside[*l] = true);
    let first = &f.locs[members[0]];
    let head = f.locs.push(Location { kind: LocKind::Plain, ..first.clone() });
    let mut number: Table<Loc, Option<usize>> = Table::filled(None, f.locs.len());
    let mut values = Vec::new();
    for (i, member) in members.iter().enumerate() {
        number[*member] = Some(i);
        let value = terms.bv(i as u128, width);
        values.push(value);
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
    // Where the choice is noted: apart for edges from inside and from outside, so that the head stays the only way in.
    let mut notes: Vec<[Option<Loc>; 2]> = vec![[None; 2]; members.len()];
    let mut note = |f: &mut Function, i: usize, from_inside: bool| {
        *notes[i][usize::from(from_inside)].get_or_insert_with(|| {
            let Location { span, frame, .. } = f.locs[members[i]];
            let note = f.locs.push(Location { frame, ..Location::plain(span) });
            f.add_edge(note, head, Op::Assign(vec![(which, values[i])]), span);
            note
        })
    };
    for e in f.edges.ids().collect::<Vec<_>>() {
        if let Some(i) = number[f.edges[e].to] {
            let from_inside = inside[f.edges[e].from];
            f.edges[e].to = note(f, i, from_inside);
        }
    }
    if let Some(i) = number[f.entry] {
        f.entry = note(f, i, false);
    }
    for (i, member) in members.iter().enumerate() {
        let condition = terms.eq(which_term, values[i]);
        f.add_edge(head, *member, Op::Assume(condition), f.locs[*member].span);
        // The loop of the source begins at the common head now.
        f.locs[*member].loop_span = None;
    }
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
                found.push((l.body.clone(), entries(&graph, &loops, id)));
            }
            touched[id.index()] = around || !l.is_reducible();
        }
        if found.is_empty() {
            return;
        }
        for (body, members) in found {
            dispatch(program, &body, &members, "$entry", restore);
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
    for (id, members) in heads.into_iter().enumerate().filter(|(_, heads)| heads.len() > 1) {
        dispatch(&mut program, &loops.loops[LoopId::new(id)].body, &members, "$loop", &mut restore);
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
