//! Constants, copies and small expressions go where they are used.
//!
//! A use of `x` is replaced by the right side of `x := e` when every variable of `e` still has, at the use, the version that
//! it had at the assignment: then `e` has the same value. What is left unused by that, `dead` removes. Front ends write
//! `t1 := a[i]; t2 := t1 + 1; x := t2`; engines want `x := a[i] + 1`.

use crate::constants::{Constants, Symbols, constants};
use crate::edit::{Facts, map_terms};
use base::Id;
use cfa::{Edge, Func, Loc, Op, Program, Var};
use flow::{Def, Graph, Liveness, Loops, Site, TermVars, Users, Versions};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use term::Term;

/// Limits on what is substituted, in distinct subterms.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Whether the user's variables are replaced by more than constants.
    pub named: bool,
    /// For an expression used on one edge only.
    pub single_use: usize,
    /// For an expression used on several edges.
    pub shared: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { named: true, single_use: 80, shared: 12 }
    }
}

/// Facts at loop heads.
pub(crate) type HeadFacts = BTreeMap<Loc, Vec<Term>>;

/// The right side of an assignment, with the versions of the variables in it.
struct Rhs {
    term: Term,
    vars: Vec<(Var, Def)>,
    size: usize,
}

/// Rewrites the edges of one function and returns which of them cannot be passed. The graph stays as it is.
/// With `used_facts`, records at loop heads the facts that were used.
pub(crate) fn propagate(
    program: &mut Program,
    function: Func,
    facts: &Facts,
    vars: &mut TermVars,
    limits: Limits,
    used_facts: Option<&mut HeadFacts>,
) -> (Vec<bool>, bool) {
    let users = Users::of(&facts.ssa);
    let known = constants(program, function, facts, &users, &[], &Symbols::default());
    let mut pass = Pass {
        program,
        function,
        facts,
        users: &users,
        known: &known,
        vars,
        limits,
        rhs: (0..facts.ssa.defs.len()).map(|_| None).collect(),
        used: Vec::new(),
        changed: false,
    };
    facts.ssa.walk(&facts.graph, &facts.dom, &facts.accesses, |l, now| {
        if known.is_reached(l) {
            for e in facts.graph.succs(l) {
                pass.edge(*e, now);
            }
        }
    });
    let Pass { used, changed, rhs, .. } = pass;
    if let Some(used_facts) = used_facts {
        record(program, facts, &known, &rhs, used, used_facts);
    }
    let removed: Vec<bool> = program.functions[function].edges.ids().map(|e| !known.is_passable(e)).collect();
    let changed = changed || facts.graph.locs().any(|l| facts.graph.succs(l).iter().any(|e| removed[e.index()]));
    (removed, changed)
}

struct Pass<'a> {
    program: &'a mut Program,
    function: Func,
    facts: &'a Facts,
    users: &'a Users,
    known: &'a Constants,
    vars: &'a mut TermVars,
    limits: Limits,
    rhs: Vec<Option<Rhs>>,
    /// Versions that were replaced, and on which edge.
    used: Vec<(Def, Edge)>,
    changed: bool,
}

impl Pass<'_> {
    fn edge(&mut self, e: Edge, now: &Versions) {
        let mut replaced: Vec<(Term, Term)> = Vec::new();
        for (v, d) in self.facts.accesses.reads(e).iter().zip(self.facts.ssa.uses(e)) {
            if let Some(t) = self.replacement(*v, *d, now) {
                replaced.push((self.program.term(*v), t));
                self.used.push((*d, e));
            }
        }
        let Program { terms, functions, .. } = &mut *self.program;
        let op = &mut functions[self.function].edges[e].op;
        if !replaced.is_empty() {
            let mut substitution = term::Substitution::new();
            for (from, to) in replaced {
                substitution.insert(terms, from, to);
            }
            map_terms(op, |t| substitution.apply(terms, t));
            self.changed = true;
        }
        if let Op::Assign(pairs) = op {
            let limit = self.limits.single_use.max(self.limits.shared) + 1;
            for (i, (_, t)) in pairs.iter().enumerate() {
                let size = self.vars.size(terms, *t, limit);
                if size < limit {
                    let vars = self.vars.list(terms, &[*t]).into_iter().map(|v| (v, now.of(v))).collect();
                    self.rhs[self.facts.ssa.made(e, i).index()] = Some(Rhs { term: *t, vars, size });
                }
            }
        }
    }

    /// What to put for variable `v` in version `d`, if anything.
    fn replacement(&self, v: Var, d: Def, now: &Versions) -> Option<Term> {
        if let Some(t) = self.known.known(d) {
            return Some(t);
        }
        let rhs = self.rhs[d.index()].as_ref()?;
        let program = &*self.program;
        if !self.limits.named && program.vars[v].source.is_some() {
            return None;
        }
        let wanted = if rhs.size == 1 {
            // A copy. The user's variables explain more than ours.
            let named = |v: Var| program.vars[v].source.is_some();
            rhs.vars.iter().all(|(y, _)| named(*y) || !named(v))
        } else {
            let single = self.users.edges(d).len() == 1 && self.users.joins(d).is_empty();
            rhs.size <= if single { self.limits.single_use } else { self.limits.shared }
        };
        (wanted && rhs.vars.iter().all(|(y, version)| now.of(*y) == *version)).then_some(rhs.term)
    }
}

/// Notes `x = e` at every loop head from which a replaced use of `x` is reached before `x` is written.
fn record(
    program: &mut Program,
    facts: &Facts,
    known: &Constants,
    rhs: &[Option<Rhs>],
    mut used: Vec<(Def, Edge)>,
    used_facts: &mut HeadFacts,
) {
    let heads = heads(&facts.graph);
    if heads.iter().all(|h| !h) {
        return;
    }
    // A constant join rests on its arguments being constant; a pruned edge on what its condition reads.
    for n in 0..facts.ssa.join_count() as u32 {
        let args = facts.ssa.join_args(n);
        let rests_on = |e: Edge, d: Def| {
            known.is_passable(e) && known.known(d).is_some() && facts.ssa.defs[d].site != Site::Edge(e)
        };
        used.extend(args.iter().filter(|(e, d)| rests_on(*e, *d)).map(|(e, d)| (*d, *e)));
    }
    let mut by_def: FxHashMap<Def, Vec<Edge>> = FxHashMap::default();
    used.sort_unstable();
    used.dedup();
    for (d, e) in &used {
        by_def.entry(*d).or_default().push(*e);
    }
    used.dedup_by_key(|(d, _)| *d);
    let mut liveness = Liveness::walker(&facts.graph, &facts.accesses);
    for (d, _) in used {
        let v = facts.ssa.defs[d].var;
        let start = if let Site::Join(l, _) = facts.ssa.defs[d].site { Some(l) } else { None };
        let mut reached: Vec<Loc> = liveness.range_of_uses(v, by_def[&d].iter().copied(), start);
        reached.retain(|l| heads[l.index()] && known.is_reached(*l));
        let Some(value) = known.known(d).or_else(|| rhs[d.index()].as_ref().map(|r| r.term)) else { continue };
        if reached.is_empty() {
            continue;
        }
        reached.sort_unstable();
        let x = program.term(v);
        let fact = program.terms.eq(x, value);
        for l in reached {
            used_facts.entry(l).or_default().push(fact);
        }
    }
}

fn heads(graph: &Graph) -> Vec<bool> {
    let mut heads = vec![false; graph.len()];
    for l in Loops::of(graph).loops.values() {
        heads[l.header.index()] = true;
    }
    heads
}
