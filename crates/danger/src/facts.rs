//! Invariants of a program in which a strategy is followed (or of any program): what the predicates D are made of.
//!
//! Proved at once: intervals, congruences and linear equations by abstract interpretation. Then candidates: equations that
//! hold in the states of a run, the program's own conditions, and *when this condition holds, that one does*. Those that a
//! run or a model of the solver refutes are dropped until the rest is inductive. The first states of a run may be *peeled*:
//! then an invariant need hold only after them, and D lists them.

use crate::cases::model;
use crate::limits::facts::{MOST_ATOMS, MOST_CANDIDATES, MOST_FACTS, MOST_PRUNED};
use crate::settings::Settings;
use cfa::{Loc, Program, Var};
use engine::{Cx, Stop};
use flow::wto::Wto;
use infer::candidates::numbers::{self, Cell};
use infer::candidates::{program, quotients, run, state, turns};
use infer::sample::states::Row;
use infer::segments::{Comes, Segment};
use infer::{AtHeads, Induction, Refuted, houdini};
use smt::Solver;
use std::collections::{BTreeMap, BTreeSet};
use term::eval::OrZero;
use term::{Evaluator, Op, Store, Term, Value};

/// What abstract interpretation proves at each head; heads that it finds unreachable are `false`.
pub(crate) fn proved(program: &Program, wto: &Wto, cx: &mut Cx) -> Result<AtHeads, Stop> {
    let budget = cx.budget.clone();
    let Some(mut facts) = infer::intervals(program, wto, &mut cx.terms, &budget) else {
        budget.check()?;
        return Err(Stop::Timeout);
    };
    for (head, equations) in infer::equations(program, wto, &mut cx.terms, &budget) {
        facts.entry(head).or_default().extend(equations);
    }
    Ok(facts)
}

/// What to try.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// States of the run that are listed rather than described.
    pub peeled: usize,
    /// Of the equations that are looked for in the states of the run.
    pub degree: u32,
    /// Whether to try conditions that depend on conditions.
    pub implications: bool,
    /// Whether to try sums and differences of variables that are constants of the program.
    pub templates: bool,
}

impl Effort {
    pub(crate) const LEAST: Effort = Effort { peeled: 0, degree: 1, implications: false, templates: false };
}

/// The predicates at the heads: the conjunction of what is proved and what is inductive among the candidates, or one of the
/// peeled states.
pub(crate) struct Inference<'a> {
    pub program: &'a Program,
    pub segments: &'a [Segment],
    pub proved: &'a AtHeads,
    pub rows: &'a BTreeMap<Loc, Vec<Row>>,
    /// What is looked at in arrays.
    pub cells: &'a BTreeSet<Cell>,
    pub atoms: &'a [Term],
    pub live: &'a base::Table<Loc, Vec<Var>>,
    pub settings: &'a Settings,
}

impl Inference<'_> {
    pub(crate) fn run(&self, cx: &mut Cx, effort: Effort) -> Result<BTreeMap<Loc, Term>, Stop> {
        let mut candidates = AtHeads::new();
        let mut peeled: BTreeMap<Loc, Term> = BTreeMap::new();
        for &head in self.proved.keys() {
            let none = Vec::new();
            let rows = self.rows.get(&head).unwrap_or(&none);
            let (first, rest) = rows.split_at(effort.peeled.min(rows.len()));
            peeled.insert(head, self.listed(&mut cx.terms, head, first));
            let mut found = self.candidates(&mut cx.terms, head, rest, effort);
            run::retain_true(&cx.terms, self.program, rest, &mut found);
            found.truncate(MOST_CANDIDATES);
            candidates.insert(head, found);
        }
        let between_heads = self.segments.iter().filter(|s| s.comes == Comes::ToHead).collect();
        let solver = cx.solver()?;
        let mut steps = Steps { inference: self, peeled: &peeled, between_heads, solver, cx };
        let mut candidates = houdini(&mut steps, candidates)?;
        self.prune(cx, &mut candidates)?;
        Ok(self.predicates(&mut cx.terms, &peeled, &candidates))
    }

    /// One of the states, as far as numbers tell.
    fn listed(&self, terms: &mut Store, head: Loc, rows: &[Row]) -> Term {
        let is_told = |value: &Value| matches!(value, Value::Bool(_) | Value::Bv(_));
        let mut states = Vec::new();
        for row in rows {
            let mut parts = vec![state::state(self.program, terms, row.iter().filter(|(_, value)| is_told(value)))];
            for cell in self.cells.iter().filter(|cell| self.live[head].contains(&cell.array)) {
                let Some(value) = cell.value(row) else { continue };
                let (cell, value) = (cell.term(self.program, terms), terms.value(&value));
                parts.push(terms.eq(cell, value));
            }
            states.push(terms.and_all(&parts));
        }
        terms.or_all(&states)
    }

    fn predicates(&self, terms: &mut Store, peeled: &BTreeMap<Loc, Term>, candidates: &AtHeads) -> BTreeMap<Loc, Term> {
        let mut out = BTreeMap::new();
        for (head, proved) in self.proved {
            let inductive = terms.and_all(&candidates[head]);
            let either = terms.or(peeled[head], inductive);
            let proved = terms.and_all(proved);
            out.insert(*head, terms.and(proved, either));
        }
        out
    }

    fn candidates(&self, terms: &mut Store, head: Loc, rows: &[Row], effort: Effort) -> Vec<Term> {
        let live: BTreeSet<Term> = self.live[head].iter().map(|v| self.program.term(*v)).collect();
        let about_live = |terms: &Store, t: &Term| term::walk::free_vars(terms, &[*t]).iter().all(|v| live.contains(v));
        let atoms: Vec<Term> = self.atoms.iter().filter(|t| about_live(terms, t)).copied().take(MOST_ATOMS).collect();
        let numbers = numbers::numbers(self.program, terms, &self.live[head], self.cells, rows);
        let mut found = run::equations(terms, &numbers, effort.degree);
        found.extend(numbers::flags(self.program, terms, &self.live[head], self.cells, rows));
        let divisions = quotients::divisions(self.program, terms, self.segments, head);
        found.extend(quotients::quotients(terms, &divisions, &numbers));
        found.extend(turns::turns(self.program, terms, &self.live[head], &numbers, rows));
        let mut literals = Vec::new();
        for atom in &atoms {
            let negated = terms.not(*atom);
            literals.extend([*atom, negated]);
        }
        found.extend(&literals);
        for atom in &literals {
            found.extend(program::weaker(terms, *atom));
        }
        found.extend(run::residues(self.program, terms, &self.live[head], rows));
        if effort.templates {
            found.extend(program::sums(self.program, terms, &self.live[head]));
        }
        if effort.implications {
            let facts: Vec<Term> = found.iter().copied().take(MOST_FACTS).collect();
            let mut conditions = program::passed(self.program, terms, &self.live[head], &atoms);
            conditions.extend(&literals);
            for condition in &conditions {
                for fact in &facts {
                    if condition != fact && terms.not(*condition) != *fact {
                        found.push(terms.implies(*condition, *fact));
                    }
                }
            }
        }
        let mut seen = BTreeSet::new();
        found.retain(|t| terms.as_bool_const(*t).is_none() && seen.insert(*t));
        found
    }

    /// Leaves out what follows from the rest, weaker candidates first: predicates are shown to people and proved again.
    fn prune(&self, cx: &mut Cx, candidates: &mut AtHeads) -> Result<(), Stop> {
        let mut solver = cx.solver()?;
        for (head, found) in candidates {
            if found.len() > MOST_PRUNED {
                continue;
            }
            let proved = self.proved[head].clone();
            for i in (0..found.len()).rev() {
                let others = found.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, t)| *t);
                let mut asked: Vec<Term> = proved.iter().copied().chain(others).collect();
                asked.push(cx.terms.not(found[i]));
                if cx.try_sat(solver.as_mut(), &asked, self.settings.pruning_time)? == Some(false) {
                    found.remove(i);
                }
            }
        }
        Ok(())
    }
}

/// The steps between heads under the predicates.
struct Steps<'a, 'c> {
    inference: &'a Inference<'a>,
    peeled: &'a BTreeMap<Loc, Term>,
    between_heads: Vec<&'a Segment>,
    solver: Box<dyn Solver>,
    cx: &'c mut Cx,
}

impl Induction for Steps<'_, '_> {
    type At = Loc;
    type Stop = Stop;

    fn steps(&self) -> usize {
        self.between_heads.len()
    }

    fn assumes(&self, step: usize, at: Loc) -> bool {
        self.between_heads[step].from == Some(at)
    }

    /// Asks whether the candidates hold after a segment, unless it ends in a peeled state; those that do not in the answer are
    /// refuted.
    fn refuted(&mut self, step: usize, candidates: &AtHeads) -> Result<Refuted<Loc>, Stop> {
        let (cx, segment, program) = (&mut *self.cx, self.between_heads[step], self.inference.program);
        let to = segment.to;
        let here = &candidates[&to];
        let refuted = |which: Vec<Term>| Ok(Refuted::some(which.into_iter().map(|t| (to, t)).collect()));
        if here.is_empty() {
            return refuted(Vec::new());
        }
        let before = match segment.from {
            Some(head) => self.inference.predicates(&mut cx.terms, self.peeled, candidates)[&head],
            None => cx.terms.tt(),
        };
        let listed = segment.after(program, &mut cx.terms, self.peeled[&to]);
        let not_listed = cx.terms.not(listed);
        let after: Vec<Term> = here.iter().map(|t| segment.after(program, &mut cx.terms, *t)).collect();
        let all = cx.terms.and_all(&after);
        let violated = cx.terms.not(all);
        let asked = [before, segment.guard(&mut cx.terms), not_listed, violated];
        match model(cx, self.solver.as_mut(), &asked, self.inference.settings.candidate_time)? {
            Some(None) => refuted(Vec::new()),
            None => {
                // Too hard: without the products first, then without everything.
                let products: Vec<Term> = here.iter().copied().filter(|t| multiplies(&cx.terms, *t)).collect();
                refuted(if products.is_empty() { here.clone() } else { products })
            }
            Some(Some(model)) => {
                let mut evaluator = Evaluator::new(OrZero(model));
                let fails = |after: &Term| evaluator.eval(&cx.terms, *after) != Ok(Value::Bool(true));
                let mut fails = after.iter().map(fails).collect::<Vec<bool>>().into_iter();
                let failing: Vec<Term> = here.iter().copied().filter(|_| fails.next() == Some(true)).collect();
                // What SMT-LIB leaves open may be evaluated otherwise than the solver did.
                refuted(if failing.is_empty() { here.clone() } else { failing })
            }
        }
    }
}

fn multiplies(terms: &Store, t: Term) -> bool {
    term::walk::postorder(terms, &[t]).iter().any(|s| {
        terms.op(*s) == Op::BvMul && terms.args(*s).iter().all(|a| !terms.is_const(*a))
            || matches!(terms.op(*s), Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem)
    })
}
