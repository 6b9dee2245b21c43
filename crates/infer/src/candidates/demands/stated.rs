//! What was *stated* on the way to a head and may still hold there: conditions and assignments that all executions pass, what was assigned
//! where ways part and meet, under the condition of its way, and comparisons of what the loop reads.

use super::Candidates;
use cfa::{Edge, Loc, Op, Var};
use flow::{DomTree, Graph};
use std::collections::BTreeSet;
use term::normal::conjuncts;
use term::{Op as TermOp, Sort, Store, Term, walk};

impl Candidates<'_> {
    /// What every execution that comes to a head has passed, of variables that the loop does not change.
    pub fn stated(&mut self, terms: &mut Store) {
        let main = self.program.main();
        let graph = Graph::of(main);
        let dominators = DomTree::dominators(&graph);
        for head in self.wto.heads() {
            let changed = self.changed(head);
            let mut found: Vec<Term> = Vec::new();
            let mut above = dominators.parent(head);
            while let Some(loc) = above.filter(|_| found.len() < self.settings.stated) {
                above = dominators.parent(loc);
                if let [edge] = graph.preds(loc) {
                    found.extend(self.said(&main.edges[*edge].op, terms));
                    continue;
                }
                // Ways that meet: what an edge assigned is so if what led there was.
                for edge in graph.preds(loc) {
                    let assigned = self.said(&main.edges[*edge].op, terms);
                    if assigned.is_empty() || !matches!(main.edges[*edge].op, Op::Assign(_)) {
                        continue;
                    }
                    let mut led = terms.tt();
                    let mut from = main.edges[*edge].from;
                    while Some(from) != above
                        && let [before] = graph.preds(from)
                        && let Op::Assume(condition) = &main.edges[*before].op
                    {
                        led = terms.and(led, *condition);
                        from = main.edges[*before].from;
                    }
                    if Some(from) == above {
                        found.extend(assigned.iter().map(|fact| terms.implies(led, *fact)));
                    }
                }
            }
            let is_fixed = |t: &Term| {
                let free = walk::free_vars(terms, &[*t]);
                !free.iter().any(|t| self.program.var_of(*t).is_some_and(|v| changed.contains(&v)))
            };
            found.retain(is_fixed);
            self.limits(head, &changed, terms, &mut found);
            for fact in found {
                Self::add(&mut self.found, self.settings.at_head, terms, head, fact);
            }
        }
    }

    /// What holds after an edge because of what it does.
    fn said(&self, op: &Op, terms: &mut Store) -> Vec<Term> {
        match op {
            Op::Assume(condition) => conjuncts(terms, *condition),
            Op::Assign(pairs) => {
                let mut found = Vec::new();
                for (var, value) in pairs {
                    let free = walk::free_vars(terms, &[*value]);
                    let is_own = |(var, _): &(Var, Term)| free.contains(&self.program.term(*var));
                    if matches!(terms.sort(*value), Sort::Bv(_)) && !pairs.iter().any(is_own) {
                        found.push(terms.eq(self.program.term(*var), *value));
                    }
                }
                found
            }
            _ => Vec::new(),
        }
    }

    /// Comparisons, on some way, of variables that the loop reads and does not change: a length is limited where memory of that
    /// length was got, and only then the loop is entered.
    fn limits(&self, head: Loc, changed: &BTreeSet<Var>, terms: &mut Store, found: &mut Vec<Term>) {
        let main = self.program.main();
        let (inside, outside): (Vec<Edge>, Vec<Edge>) =
            main.edges.ids().partition(|edge| self.is_inside(head, main.edges[*edge].from));
        let read: Vec<Term> = inside.iter().flat_map(|edge| main.edges[*edge].op.terms()).collect();
        let mut read = walk::free_vars(terms, &read);
        read.retain(|t| self.program.var_of(*t).is_some_and(|v| !changed.contains(&v)));
        let most = found.len() + self.settings.limits;
        for edge in outside {
            let Op::Assume(condition) = &main.edges[edge].op else { continue };
            for part in conjuncts(terms, *condition) {
                let compared = if terms.op(part) == TermOp::Not { terms.arg(part, 0) } else { part };
                let is_comparison = matches!(
                    terms.op(compared),
                    TermOp::BvUlt | TermOp::BvUle | TermOp::BvSlt | TermOp::BvSle | TermOp::Eq
                );
                let of = walk::free_vars(terms, &[part]);
                let is_new = !of.is_empty() && of.iter().all(|t| read.contains(t)) && !found.contains(&part);
                if is_comparison && is_new && found.len() < most {
                    found.push(part);
                }
            }
        }
    }
}
