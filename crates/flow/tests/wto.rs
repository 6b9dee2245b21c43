//! Weak topological orders: the defining property, on examples and on random graphs.

use base::{Id, Span};
use cfa::{Function, Loc, Op, Program};
use flow::wto::Wto;

/// A function with the given edges between locations 0, 1, …; 0 is the entry.
fn graph(len: usize, edges: &[(usize, usize)]) -> Function {
    let terms = Program::new(cfa::Machine::new(cfa::DataModel::Lp64), base::Sources::new()).terms;
    let mut function = Function::new("f", Span::nowhere());
    while function.locs.len() < len {
        function.add_loc(Span::nowhere());
    }
    function.entry = Loc::new(0);
    for &(from, to) in edges {
        let op = Op::Assume(terms.bool(true));
        function.add_edge(Loc::new(from), Loc::new(to), op, Span::nowhere());
    }
    function
}

fn order(wto: &Wto) -> Vec<usize> {
    wto.order().iter().map(|l| l.index()).collect()
}

/// The defining property: an edge that does not go forward goes to a head around its source.
fn check(function: &Function) {
    let wto = Wto::new(function);
    for edge in function.edges.values() {
        if wto.reaches(edge.from) && wto.position(edge.to) <= wto.position(edge.from) {
            assert!(wto.is_head(edge.to) && wto.heads_around(edge.from).contains(&edge.to), "{edge:?}");
        }
    }
    // Components are contiguous.
    for head in wto.heads() {
        let inside: Vec<u32> =
            wto.order().iter().filter(|l| wto.heads_around(**l).contains(&head)).map(|l| wto.position(*l)).collect();
        assert_eq!(*inside.last().unwrap() - inside[0] + 1, inside.len() as u32);
        assert_eq!(inside[0], wto.position(head));
    }
}

#[test]
fn nested_loops_and_what_follows() {
    // 0 -> 1 { 2 { 3 } 4 } 5
    let f = graph(7, &[(0, 1), (1, 2), (2, 3), (3, 2), (2, 4), (4, 1), (1, 5)]);
    let wto = Wto::new(&f);
    assert_eq!(order(&wto), [0, 1, 2, 3, 4, 5]);
    assert_eq!(wto.heads_around(Loc::new(3)), [Loc::new(1), Loc::new(2)]);
    assert_eq!(wto.heads_around(Loc::new(4)), [Loc::new(1)]);
    assert!(wto.is_head(Loc::new(2)) && !wto.is_head(Loc::new(4)));
    assert!(!wto.reaches(Loc::new(6)));
    check(&f);
}

#[test]
fn an_irreducible_loop_has_a_head_all_the_same() {
    let f = graph(4, &[(0, 1), (0, 2), (1, 2), (2, 1), (1, 3)]);
    check(&f);
    assert_eq!(Wto::new(&f).heads().count(), 1);
}

#[test]
fn random_graphs_keep_the_property() {
    let mut seed = 7u64;
    let mut random = |n: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % n
    };
    for _ in 0..500 {
        let len = 2 + random(12);
        let edges: Vec<(usize, usize)> = (0..random(30)).map(|_| (random(len), random(len))).collect();
        check(&graph(len, &edges));
    }
}
