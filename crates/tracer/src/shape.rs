//! What is computed once from the automaton: orders, joins, live variables, and what cheap analyses know of loops.

use crate::Settings;
use crate::limits::shape::MAX_EQUATIONS;
use base::Table;
use cfa::{Edge, Loc, Program, Var};
use domain::{affine, analyse};
use engine::{Cx, Stop};
use flow::wto::Wto;
use std::collections::BTreeMap;
use term::Term;

pub(crate) struct Shape {
    /// Edges that stay in the loop first.
    pub(crate) successors: Table<Loc, Vec<Edge>>,
    /// Where several edges meet.
    pub(crate) joins: Table<Loc, bool>,
    pub(crate) live: Table<Loc, Vec<Var>>,
    /// Inductive invariants at loop heads: intervals, congruences, affine equations.
    pub(crate) background: BTreeMap<Loc, Vec<Term>>,
    pub(crate) heads: Vec<Loc>,
}

impl Shape {
    pub(crate) fn new(program: &Program, wto: &Wto, settings: &Settings, cx: &mut Cx) -> Result<Shape, Stop> {
        let main = program.main();
        let mut successors = main.successors();
        for loc in main.locs.ids() {
            let depth = |edge: &Edge| {
                let (from, to) = (wto.heads_around(loc), wto.heads_around(main.edges[*edge].to));
                from.iter().filter(|head| !to.contains(head)).count()
            };
            successors[loc].sort_by_key(depth);
        }
        let mut joins = Table::filled(false, main.locs.len());
        for (loc, edges) in main.predecessors().iter() {
            joins[loc] = edges.len() > 1;
        }
        let live = flow::live_at_heads(program, wto);
        let budget = cx.budget.clone();
        let mut background: BTreeMap<Loc, Vec<Term>> = BTreeMap::new();
        let heads: Vec<Loc> = wto.heads().collect();
        if !settings.analyses {
            return Ok(Shape { successors, joins, live, background, heads });
        }
        if let Some(analysis) = analyse(program, wto, &mut || budget.check().is_ok()) {
            for &head in &heads {
                let known = analysis.formula(program, &mut cx.terms, head);
                let mut facts = term::normal::conjuncts(&cx.terms, known);
                facts.retain(|fact| {
                    let free = term::free_vars(&cx.terms, &[*fact]);
                    free.iter().all(|t| program.var_of(*t).is_some_and(|v| live[head].contains(&v)))
                });
                background.insert(head, facts);
            }
        }
        for (head, equations) in affine::equations(program, &mut cx.terms, &heads, &mut || budget.check().is_ok()) {
            // Each by itself may rest on the others: all or none.
            if equations.len() <= MAX_EQUATIONS {
                background.entry(head).or_default().extend(equations);
            }
        }
        cx.budget.check()?;
        Ok(Shape { successors, joins, live, background, heads })
    }
}
