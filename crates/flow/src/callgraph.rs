//! Who calls whom; strongly connected parts are recursion.

use base::{Id, Table};
use cfa::{Func, Op, Program};

#[derive(Clone, Debug)]
pub struct CallGraph {
    callees: Table<Func, Vec<Func>>,
    components: Vec<Vec<Func>>,
    component_of: Table<Func, usize>,
    recursive: Table<Func, bool>,
}

impl CallGraph {
    pub fn of(program: &Program) -> CallGraph {
        let callees: Table<Func, Vec<Func>> = program
            .functions
            .values()
            .map(|f| {
                let mut list: Vec<Func> = f
                    .edges
                    .values()
                    .filter_map(|e| if let Op::Call { callee, .. } = &e.op { Some(*callee) } else { None })
                    .collect();
                list.sort_unstable();
                list.dedup();
                list
            })
            .collect();
        let components = components(&callees);
        let mut component_of = Table::filled(0, callees.len());
        let mut recursive = Table::filled(false, callees.len());
        for (number, component) in components.iter().enumerate() {
            for f in component {
                component_of[*f] = number;
                recursive[*f] = component.len() > 1 || callees[*f].contains(f);
            }
        }
        CallGraph { callees, components, component_of, recursive }
    }

    /// The functions called from `f`, by ascending id.
    pub fn callees(&self, f: Func) -> &[Func] {
        &self.callees[f]
    }

    /// Groups of mutually recursive functions, callees before callers.
    pub fn bottom_up(&self) -> &[Vec<Func>] {
        &self.components
    }

    /// The functions that `f` is mutually recursive with, itself among them.
    pub fn component(&self, f: Func) -> &[Func] {
        &self.components[self.component_of[f]]
    }

    /// Whether `f` may be active twice at a time.
    pub fn is_recursive(&self, f: Func) -> bool {
        self.recursive[f]
    }

    /// Whether `f` and `g` can each end up calling the other.
    pub fn mutually_recursive(&self, f: Func, g: Func) -> bool {
        self.component_of[f] == self.component_of[g] && self.recursive[f]
    }

    /// Whether functions in other functions' call trees of `root` include `f`.
    pub fn reachable(&self, root: Func) -> Table<Func, bool> {
        let mut seen = Table::filled(false, self.callees.len());
        let mut stack = vec![root];
        seen[root] = true;
        while let Some(f) = stack.pop() {
            for g in &self.callees[f] {
                if !std::mem::replace(&mut seen[*g], true) {
                    stack.push(*g);
                }
            }
        }
        seen
    }
}

/// Tarjan's algorithm, iteratively: components in the order in which they are completed, callees first.
fn components(callees: &Table<Func, Vec<Func>>) -> Vec<Vec<Func>> {
    let n = callees.len();
    let (mut number, mut low, mut open) = (vec![0u32; n], vec![0u32; n], vec![false; n]);
    let mut stack: Vec<Func> = Vec::new();
    let mut count = 0;
    let mut found = Vec::new();
    for root in callees.ids() {
        if number[root.index()] != 0 {
            continue;
        }
        let mut walk = vec![(root, 0usize)];
        while let Some((f, next)) = walk.last_mut() {
            let (f, i) = (*f, f.index());
            if *next == 0 {
                count += 1;
                (number[i], low[i], open[i]) = (count, count, true);
                stack.push(f);
            }
            let callee = callees[f].get(*next).copied();
            *next += 1;
            if let Some(g) = callee {
                if number[g.index()] == 0 {
                    walk.push((g, 0));
                } else if open[g.index()] {
                    low[i] = low[i].min(number[g.index()]);
                }
                continue;
            }
            walk.pop();
            if let Some((above, _)) = walk.last() {
                low[above.index()] = low[above.index()].min(low[i]);
            }
            if low[i] == number[i] {
                let start = stack.iter().rposition(|g| *g == f).expect("a component's root is on the stack");
                let mut component = stack.split_off(start);
                component.iter().for_each(|g| open[g.index()] = false);
                component.sort_unstable();
                found.push(component);
            }
        }
    }
    found
}
