//! Weak topological order (Bourdoncle 1993): the order in which fixpoints and unwindings visit a graph with loops.
//!
//! The order is a sequence of locations and *components*; a component is a loop with its head first, and its rest is
//! again such a sequence. Every edge that does not go forward goes to the head of a component around its source: this
//! holds for irreducible graphs too, where "the" head is the first location of the loop that the search meets.
//!
//! Built by strongly connected components: each component gives up its head, and what is left is ordered again.

use base::Table;
use cfa::{Function, Loc};

#[derive(Clone, Debug)]
pub struct Wto {
    order: Vec<Loc>,
    position: Table<Loc, u32>,
    /// Heads of the components around each location, outermost first; a head's own component is its last.
    around: Table<Loc, Vec<Loc>>,
}

const UNREACHED: u32 = u32::MAX;

impl Wto {
    /// The weak topological order of what the entry reaches.
    pub fn new(function: &Function) -> Wto {
        let mut successors: Table<Loc, Vec<Loc>> = Table::filled(Vec::new(), function.locs.len());
        for edge in function.edges.values() {
            successors[edge.from].push(edge.to);
        }
        let mut search = Search {
            successors,
            scope: Table::filled(0, function.locs.len()),
            number: Table::filled(0, function.locs.len()),
            wto: Wto {
                order: Vec::new(),
                position: Table::filled(UNREACHED, function.locs.len()),
                around: Table::filled(Vec::new(), function.locs.len()),
            },
        };
        search.order(&[function.entry], 0, &mut Vec::new(), &mut 0);
        search.wto
    }

    /// The reachable locations in order.
    pub fn order(&self) -> &[Loc] {
        &self.order
    }

    /// The place of `loc` in the order; [`Wto::reaches`] says whether it has one.
    pub fn position(&self, loc: Loc) -> u32 {
        self.position[loc]
    }

    pub fn reaches(&self, loc: Loc) -> bool {
        self.position[loc] != UNREACHED
    }

    pub fn loc_at(&self, position: u32) -> Loc {
        self.order[position as usize]
    }

    /// Heads of the components around `loc`, outermost first. A head is in its own component.
    pub fn heads_around(&self, loc: Loc) -> &[Loc] {
        &self.around[loc]
    }

    pub fn is_head(&self, loc: Loc) -> bool {
        self.around[loc].last() == Some(&loc)
    }

    /// Whether every loop is entered at its head only.
    pub fn is_reducible(&self, function: &Function) -> bool {
        let beside = |edge: &cfa::EdgeInfo| {
            let (from, to) = (&self.around[edge.from], &self.around[edge.to]);
            to.iter().enumerate().any(|(depth, head)| from.get(depth) != Some(head) && *head != edge.to)
        };
        !function.edges.values().any(|edge| self.reaches(edge.from) && beside(edge))
    }

    /// All heads, in order.
    pub fn heads(&self) -> impl Iterator<Item = Loc> + '_ {
        self.order.iter().copied().filter(|loc| self.is_head(*loc))
    }
}

struct Search {
    successors: Table<Loc, Vec<Loc>>,
    /// The subgraph that a location belongs to at the moment; 0 is the whole graph.
    scope: Table<Loc, u32>,
    number: Table<Loc, u32>,
    wto: Wto,
}

impl Search {
    /// Orders what `starts` reach inside subgraph `scope`. The recursion is as deep as loops nest.
    fn order(&mut self, starts: &[Loc], scope: u32, heads: &mut Vec<Loc>, last_scope: &mut u32) {
        for component in self.components(starts, scope) {
            let head = component[0];
            let is_loop = component.len() > 1 || self.successors[head].contains(&head);
            if is_loop {
                heads.push(head);
            }
            self.wto.position[head] = self.wto.order.len() as u32;
            self.wto.order.push(head);
            self.wto.around[head] = heads.clone();
            if is_loop {
                *last_scope += 1;
                let inner = *last_scope;
                for &loc in &component[1..] {
                    self.scope[loc] = inner;
                }
                let starts: Vec<Loc> = self.successors[head].clone();
                self.order(&starts, inner, heads, last_scope);
                heads.pop();
            }
        }
    }

    /// Strongly connected components in topological order (Tarjan, without recursion). The first location of each is the
    /// one that the search met first.
    fn components(&mut self, starts: &[Loc], scope: u32) -> Vec<Vec<Loc>> {
        const DONE: u32 = u32::MAX;
        let mut components = Vec::new();
        let mut next = 1;
        let mut stack: Vec<Loc> = Vec::new();
        // A location on the path: itself, its next successor to look at, the lowest number it reaches.
        let mut path: Vec<(Loc, usize, u32)> = Vec::new();
        let inside = |search: &Search, loc: Loc| search.scope[loc] == scope && !search.wto.reaches(loc);
        let members: Vec<Loc> = starts.iter().copied().filter(|loc| inside(self, *loc)).collect();
        for &start in &members {
            if self.number[start] != 0 {
                continue;
            }
            path.push((start, 0, next));
            self.number[start] = next;
            next += 1;
            stack.push(start);
            while let Some((loc, index, low)) = path.last_mut() {
                let loc = *loc;
                if let Some(&to) = self.successors[loc].get(*index) {
                    *index += 1;
                    if !inside(self, to) || self.number[to] == DONE {
                        continue;
                    }
                    if self.number[to] == 0 {
                        self.number[to] = next;
                        stack.push(to);
                        path.push((to, 0, next));
                        next += 1;
                    } else {
                        *low = (*low).min(self.number[to]);
                    }
                    continue;
                }
                let low = *low;
                path.pop();
                if let Some((_, _, parent)) = path.last_mut() {
                    *parent = (*parent).min(low);
                }
                if low == self.number[loc] {
                    let from = stack.iter().rposition(|l| *l == loc).expect("it is on the stack");
                    let component = stack.split_off(from);
                    for &member in &component {
                        self.number[member] = DONE;
                    }
                    components.push(component);
                }
            }
        }
        components.reverse();
        // Numbers are used again for the inner orders.
        for component in &components {
            for &loc in component {
                self.number[loc] = 0;
            }
        }
        components
    }
}
