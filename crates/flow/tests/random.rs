//! The analyses against their definitions, on random small graphs.

use base::{Id, Span};
use cfa::{Edge, Function, Loc, Op};
use flow::*;

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

fn random_graph(seed: u64) -> (Function, Graph) {
    let mut random = Random(seed);
    let mut f = Function::new("f", Span::nowhere());
    let n = 2 + random.below(9);
    let mut locs = vec![f.entry];
    locs.extend((1..n).map(|_| f.add_loc(Span::nowhere())));
    locs.push(f.exit);
    for from in &locs[..n] {
        for _ in 0..1 + random.below(2) {
            let to = locs[random.below(locs.len())];
            f.add_edge(*from, to, Op::Assign(Vec::new()), Span::nowhere());
        }
    }
    let graph = Graph::of(&f);
    (f, graph)
}

fn reachable_without(graph: &Graph, from: Loc, without: Loc) -> Vec<bool> {
    let mut seen = vec![false; graph.len()];
    let mut stack = vec![from];
    while let Some(l) = stack.pop() {
        if l == without || std::mem::replace(&mut seen[l.index()], true) {
            continue;
        }
        stack.extend(graph.succs(l).iter().map(|e| graph.to(*e)));
    }
    seen
}

#[test]
fn a_location_dominates_what_cannot_be_reached_without_it() {
    for seed in 0..800 {
        let (_, graph) = random_graph(seed);
        let dom = DomTree::dominators(&graph);
        let reached = reachable(&graph, [graph.entry()]);
        for a in graph.locs().filter(|l| reached[*l]) {
            let without = reachable_without(&graph, graph.entry(), a);
            for b in graph.locs().filter(|l| reached[*l]) {
                assert_eq!(dom.dominates(a, b), a == b || !without[b.index()], "seed {seed}: {a} {b}");
            }
        }
    }
}

#[test]
fn postdominators_are_dominators_of_the_reversed_graph() {
    for seed in 0..800 {
        let (f, graph) = random_graph(seed);
        // Only where everything reaches the exit: elsewhere the virtual root is a matter of taste.
        let reached = reachable(&graph, [graph.entry()]);
        let ends = can_reach(&graph, [f.exit]);
        if graph.locs().any(|l| reached[l] && !ends[l]) {
            continue;
        }
        let post = DomTree::postdominators(&graph, |_| false);
        for a in graph.locs().filter(|l| reached[*l]) {
            for b in graph.locs().filter(|l| reached[*l]) {
                let avoids = reachable_without(&graph, b, a)[f.exit.index()];
                assert_eq!(post.dominates(a, b), a == b || !avoids, "seed {seed}: {a} {b}");
            }
        }
    }
}

#[test]
fn draining_yields_control_dependence() {
    for seed in 0..800 {
        let (_, graph) = random_graph(seed);
        let stops = |l: Loc| l.index() % 5 == 3;
        let post = DomTree::postdominators(&graph, stops);
        let pairs = control_dependence(&graph, &post, stops);
        for x in graph.locs() {
            let mut drained = Controllers::new(&graph, &post, stops).drain(x);
            drained.sort_unstable();
            let listed: Vec<Loc> = pairs.iter().filter(|(y, _)| *y == x).map(|(_, u)| *u).collect();
            assert_eq!(drained, listed, "seed {seed}: {x}");
        }
        // Draining everything yields every controller once.
        let mut all = Controllers::new(&graph, &post, stops);
        let mut drained: Vec<Loc> = graph.locs().flat_map(|x| all.drain(x)).collect();
        drained.sort_unstable();
        let mut listed: Vec<Loc> = pairs.iter().map(|(_, u)| *u).collect();
        listed.sort_unstable();
        listed.dedup();
        assert_eq!(drained, listed, "seed {seed}");
    }
}

#[test]
fn every_cycle_passes_a_loop_header_and_loops_nest() {
    for seed in 0..800 {
        let (f, graph) = random_graph(seed);
        let loops = Loops::of(&graph);
        let reached = reachable(&graph, [graph.entry()]);
        // Without the edges into headers nothing runs forever.
        let acyclic = Graph::with_edges(&f, |e| reached[f.edges[e].from] && !loops.is_header(f.edges[e].to));
        assert!(graph.locs().all(|l| !can_run_forever(&acyclic)[l]), "seed {seed}");
        let dom = DomTree::dominators(&graph);
        for (id, l) in loops.loops.iter() {
            assert!(l.body.iter().all(|x| loops.contains(id, *x)));
            let natural = l.body.iter().all(|x| dom.dominates(l.header, *x));
            assert_eq!(natural, l.is_reducible(), "seed {seed}: {}", l.header);
            if let Some(parent) = l.parent {
                assert!(l.body.iter().all(|x| loops.contains(parent, *x) && *x != loops.loops[parent].header));
            }
        }
    }
}

#[test]
fn a_loop_is_endless_where_nothing_else_is_reached_from_it() {
    let mut endless = 0;
    for seed in 0..400 {
        let (_, graph) = random_graph(seed);
        let loops = Loops::of(&graph);
        for target in [None, Some(graph.locs().last().expect("a location"))] {
            let stays = |(id, l): (_, &flow::Loop)| {
                let beyond = l.body.iter().flat_map(|x| graph.succs(*x)).map(|e| graph.to(*e));
                beyond.into_iter().all(|x| loops.contains(id, x) || Some(x) == target)
            };
            let expected = loops.loops.iter().any(stays);
            assert_eq!(loops.has_endless(&graph, |x| Some(x) == target), expected, "seed {seed}");
            endless += u32::from(expected);
        }
    }
    assert!((50..750).contains(&endless), "{endless}");
}

#[test]
fn loop_paths_are_counted_and_listed_alike() {
    for seed in 0..400 {
        let (_, graph) = random_graph(seed);
        let loops = Loops::of(&graph);
        for id in loops.loops.ids() {
            match loop_paths(&graph, &loops, id, 1000) {
                Err(why) => assert_eq!(why, NoPaths::Nested),
                Ok(paths) => {
                    assert_eq!(count_loop_paths(&graph, &loops, id), Ok(paths.len() as u64));
                    for path in paths {
                        let ends = |e: Edge| (graph.from(e), graph.to(e));
                        assert_eq!(ends(path[0]).0, loops.loops[id].header);
                        assert_eq!(ends(path[path.len() - 1]).1, loops.loops[id].header);
                        assert!(path.windows(2).all(|w| ends(w[0]).1 == ends(w[1]).0));
                    }
                }
            }
        }
    }
}
