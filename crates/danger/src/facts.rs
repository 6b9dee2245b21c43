//! Invariants of a program in which a strategy is followed (or of any program): what the predicates D are made of.
//!
//! Proved at once: intervals, congruences and linear equations by abstract interpretation. Then candidates: equations that
//! hold in the states of a run, the program's own conditions, and *when this condition holds, that one does*. Those that a
//! run or a model of the solver refutes are dropped until the rest is inductive. The first states of a run may be *peeled*:
//! then an invariant need hold only after them, and D lists them.

use crate::runs::{Row, is_number};
use crate::segments::{Comes, Segment};
use cfa::{Loc, Program, Var};
use engine::{Cx, Stop};
use flow::wto::Wto;
use smt::Solver;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use term::eval::OrZero;
use term::{Evaluator, Op, Sort, Store, Term, Value};

/// Predicates by loop head.
pub(crate) type AtHeads = BTreeMap<Loc, Vec<Term>>;

/// What abstract interpretation proves at each head; heads that it finds unreachable are `false`.
pub(crate) fn proved(program: &Program, wto: &Wto, cx: &mut Cx) -> Result<AtHeads, Stop> {
    let budget = cx.budget.clone();
    let Some(analysis) = domain::analyse(program, wto, &mut || budget.check().is_ok()) else {
        budget.check()?;
        return Err(Stop::Timeout);
    };
    let heads: Vec<Loc> = wto.heads().collect();
    let mut facts = AtHeads::new();
    for head in &heads {
        facts.insert(*head, vec![analysis.formula(program, &mut cx.terms, *head)]);
    }
    for (head, equations) in domain::affine::equations(program, &mut cx.terms, &heads, &mut || budget.check().is_ok()) {
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
    pub atoms: &'a [Term],
    pub live: &'a base::Table<Loc, Vec<Var>>,
}

/// One question of the inference.
const QUESTION_TIME: Duration = Duration::from_millis(600);
const MOST_CANDIDATES: usize = 1200;
/// Longer lists are not pruned.
const MOST_PRUNED: usize = 80;
const PRUNING_TIME: Duration = Duration::from_millis(60);
/// Facts that may depend on a condition.
const MOST_FACTS: usize = 100;
const MOST_ATOMS: usize = 24;

impl Inference<'_> {
    pub(crate) fn run(&self, cx: &mut Cx, effort: Effort) -> Result<BTreeMap<Loc, Term>, Stop> {
        let mut candidates = AtHeads::new();
        let mut peeled: BTreeMap<Loc, Term> = BTreeMap::new();
        for &head in self.proved.keys() {
            let none = Vec::new();
            let rows = self.rows.get(&head).unwrap_or(&none);
            let (first, rest) = rows.split_at(effort.peeled.min(rows.len()));
            peeled.insert(head, self.listed(&mut cx.terms, first));
            let mut found = self.candidates(&mut cx.terms, head, rest, effort);
            retain_true(&cx.terms, self.program, rest, &mut found);
            found.truncate(MOST_CANDIDATES);
            candidates.insert(head, found);
        }
        self.weaken(cx, &peeled, &mut candidates)?;
        self.prune(cx, &mut candidates)?;
        Ok(self.predicates(&mut cx.terms, &peeled, &candidates))
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

    /// One of the states, as far as numbers tell.
    fn listed(&self, terms: &mut Store, rows: &[Row]) -> Term {
        let states: Vec<Term> = rows.iter().map(|row| self.state(terms, row)).collect();
        terms.or_all(&states)
    }

    fn state(&self, terms: &mut Store, row: &Row) -> Term {
        let mut parts = Vec::with_capacity(row.len());
        for (var, value) in row.iter().filter(|(_, value)| matches!(value, Value::Bool(_) | Value::Bv(_))) {
            let value = terms.value(value);
            parts.push(terms.eq(self.program.term(*var), value));
        }
        terms.and_all(&parts)
    }

    fn candidates(&self, terms: &mut Store, head: Loc, rows: &[Row], effort: Effort) -> Vec<Term> {
        let live: BTreeSet<Term> = self.live[head].iter().map(|v| self.program.term(*v)).collect();
        let about_live = |terms: &Store, t: &Term| term::walk::free_vars(terms, &[*t]).iter().all(|v| live.contains(v));
        let atoms: Vec<Term> = self.atoms.iter().filter(|t| about_live(terms, t)).copied().take(MOST_ATOMS).collect();
        let mut found = self.equations(terms, head, rows, effort.degree);
        let mut literals = Vec::new();
        for atom in &atoms {
            let negated = terms.not(*atom);
            literals.extend([*atom, negated]);
        }
        found.extend(&literals);
        for atom in &literals {
            found.extend(weaker(terms, *atom));
        }
        found.extend(self.residues(terms, head, rows));
        if effort.templates {
            found.extend(self.templates(terms, head));
        }
        if effort.implications {
            let facts: Vec<Term> = found.iter().copied().take(MOST_FACTS).collect();
            let mut conditions = self.passed(terms, head, &atoms);
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

    /// `x + y = c` and `x - y = c` for the constants of the program and their sums.
    fn templates(&self, terms: &mut Store, head: Loc) -> Vec<Term> {
        let roots: Vec<Term> = self.program.main().edges.values().flat_map(|e| e.op.terms()).collect();
        let mut constants: Vec<Term> =
            term::walk::postorder(terms, &roots).into_iter().filter(|t| terms.as_bv_const(*t).is_some()).collect();
        let single: Vec<Term> = constants.iter().copied().take(6).collect();
        for (i, &a) in single.iter().enumerate() {
            for &b in &single[i..] {
                if terms.sort(a) == terms.sort(b) {
                    constants.push(terms.add(a, b));
                }
            }
        }
        constants.sort_unstable();
        constants.dedup();
        let numbers: Vec<Term> = self.live[head]
            .iter()
            .filter(|v| is_number(self.program.vars[**v].sort))
            .map(|v| self.program.term(*v))
            .take(5)
            .collect();
        let mut found = Vec::new();
        for (i, &x) in numbers.iter().enumerate() {
            for &y in numbers[i + 1..].iter().filter(|y| terms.sort(**y) == terms.sort(x)).collect::<Vec<_>>() {
                let (sum, difference, other) = (terms.add(x, y), terms.sub(x, y), terms.sub(y, x));
                for &c in constants.iter().filter(|c| terms.sort(**c) == terms.sort(x)).collect::<Vec<_>>() {
                    found.extend([terms.eq(sum, c), terms.eq(difference, c), terms.eq(other, c)]);
                }
            }
        }
        found
    }

    /// For arrays that the program asks about at fixed places: whether a variable has passed the place.
    fn passed(&self, terms: &mut Store, head: Loc, atoms: &[Term]) -> Vec<Term> {
        let mut found = Vec::new();
        for t in term::walk::postorder(terms, atoms) {
            let Op::Select = terms.op(t) else { continue };
            let Some(place) = terms.as_bv_const(terms.arg(t, 1)).and_then(term::Bits::to_u128) else { continue };
            for v in self.live[head].iter().filter(|v| is_number(self.program.vars[**v].sort)) {
                let number = self.program.term(*v);
                let place = terms.bv(place, terms.width(number));
                found.push(terms.slt(place, number));
            }
        }
        found
    }

    /// Equations of low degree between the numbers of each width.
    fn equations(&self, terms: &mut Store, head: Loc, rows: &[Row], degree: u32) -> Vec<Term> {
        let mut found = Vec::new();
        if rows.len() < 3 {
            return found;
        }
        for width in [8, 16, 32, 64] {
            let vars: Vec<Var> = self.live[head]
                .iter()
                .copied()
                .filter(|v| self.program.vars[*v].sort == Sort::Bv(width))
                .take(10)
                .collect();
            let value = |row: &Row, var: Var| {
                let (_, value) = row.iter().find(|(v, _)| *v == var)?;
                let Value::Bv(bits) = value else { return None };
                bits.to_i128()
            };
            let points: Option<Vec<Vec<i128>>> =
                rows.iter().map(|row| vars.iter().map(|v| value(row, *v)).collect()).collect();
            let Some(points) = points else { continue };
            let columns: Vec<Term> = vars.iter().map(|v| self.program.term(*v)).collect();
            found.extend(equations_in(terms, width, &columns, &points, degree));
        }
        found
    }

    /// Last bits, and remainders that the program computes.
    fn residues(&self, terms: &mut Store, head: Loc, rows: &[Row]) -> Vec<Term> {
        let mut found = Vec::new();
        let Some(last) = rows.last() else { return found };
        for (var, value) in last.iter().filter(|(v, _)| is_number(self.program.vars[*v].sort)) {
            let Value::Bv(bits) = value else { continue };
            if self.live[head].contains(var) {
                let low = terms.extract(self.program.term(*var), 0, 0);
                for bit in 0..2 {
                    let constant = terms.bv(bit, 1);
                    found.push(terms.eq(low, constant));
                }
                if bits.width() > 1 {
                    let low = terms.extract(self.program.term(*var), 1, 0);
                    let constant = terms.bv_bits(bits.extract(1, 0));
                    found.push(terms.eq(low, constant));
                }
            }
        }
        found
    }

    /// Drops candidates until the rest is inductive.
    fn weaken(&self, cx: &mut Cx, peeled: &BTreeMap<Loc, Term>, candidates: &mut AtHeads) -> Result<(), Stop> {
        let mut solver = cx.solver()?;
        loop {
            let mut changed = false;
            for segment in self.segments.iter().filter(|s| s.comes == Comes::ToHead) {
                while self.drop_refuted(cx, solver.as_mut(), peeled, candidates, segment)? {
                    changed = true;
                }
            }
            if !changed {
                return Ok(());
            }
        }
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
                if cx.try_sat(solver.as_mut(), &asked, PRUNING_TIME)? == Some(false) {
                    found.remove(i);
                }
            }
        }
        Ok(())
    }

    /// Asks whether the candidates hold after a piece; drops those that do not in the answer.
    fn drop_refuted(
        &self,
        cx: &mut Cx,
        solver: &mut dyn Solver,
        peeled: &BTreeMap<Loc, Term>,
        candidates: &mut AtHeads,
        segment: &Segment,
    ) -> Result<bool, Stop> {
        if candidates[&segment.to].is_empty() {
            return Ok(false);
        }
        let before = match segment.from {
            Some(head) => self.predicates(&mut cx.terms, peeled, candidates)[&head],
            None => cx.terms.tt(),
        };
        let listed = segment.after(self.program, &mut cx.terms, peeled[&segment.to]);
        let not_listed = cx.terms.not(listed);
        let after: Vec<Term> =
            candidates[&segment.to].iter().map(|t| segment.after(self.program, &mut cx.terms, *t)).collect();
        let all = cx.terms.and_all(&after);
        let violated = cx.terms.not(all);
        let asked = [before, segment.guard, not_listed, violated];
        let found = candidates.get_mut(&segment.to).expect("asked above");
        match cx.try_sat(solver, &asked, QUESTION_TIME)? {
            Some(false) => Ok(false),
            None => {
                // Too hard: without the products first, then without everything.
                let before = found.len();
                found.retain(|t| !multiplies(&cx.terms, *t));
                if found.len() == before {
                    found.clear();
                }
                Ok(true)
            }
            Some(true) => {
                let model = smt::Model::read(solver, &cx.terms, &asked)?;
                let mut evaluator = Evaluator::new(OrZero(model));
                let mut kept = Vec::new();
                for (t, after) in found.iter().zip(&after) {
                    if evaluator.eval(&cx.terms, *after) == Ok(Value::Bool(true)) {
                        kept.push(*t);
                    }
                }
                if kept.len() == found.len() {
                    // What SMT-LIB leaves open was evaluated otherwise than the solver did.
                    kept.clear();
                }
                *found = kept;
                Ok(true)
            }
        }
    }
}

/// Equations up to a degree between numbers of one width that hold in all the points, a column for each number.
pub(crate) fn equations_in(
    terms: &mut Store,
    width: u32,
    numbers: &[Term],
    points: &[Vec<i128>],
    degree: u32,
) -> Vec<Term> {
    if numbers.is_empty() {
        return Vec::new();
    }
    let points: Vec<Vec<i128>> = points.iter().filter(|p| p.iter().all(|x| x.abs() < 1 << 40)).cloned().collect();
    let most = (points.len() * 3 / 4).min(40);
    let mut found = Vec::new();
    for relation in poly::relations::relations(&points, numbers.len(), degree, most) {
        let parts = relation.iter().map(|(exponents, c)| {
            let factors = exponents.iter().zip(numbers).flat_map(|(e, t)| std::iter::repeat_n(*t, *e as usize));
            (factors.fold(poly::Monomial::one(), |m, t| m.mul(&poly::Monomial::atom(t))), *c)
        });
        let p = poly::Poly::from_parts(width, parts);
        if !p.is_zero() {
            found.push(p.equation(terms));
        }
    }
    found
}

fn multiplies(terms: &Store, t: Term) -> bool {
    term::walk::postorder(terms, &[t]).iter().any(|s| {
        terms.op(*s) == Op::BvMul && terms.args(*s).iter().all(|a| !terms.is_const(*a))
            || matches!(terms.op(*s), Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem)
    })
}

/// Conditions that follow from a comparison.
fn weaker(terms: &mut Store, t: Term) -> Vec<Term> {
    let [a, b] = *terms.args(t) else { return Vec::new() };
    match terms.op(t) {
        Op::BvSlt => vec![terms.sle(a, b)],
        Op::BvUlt => vec![terms.ule(a, b)],
        // What an access at `x` of so many bytes asks: still true when `x` was moved there after it.
        Op::BvUle if terms.op(a) == Op::BvAdd => {
            let [x, y] = *terms.args(a) else { return Vec::new() };
            let number = if terms.is_const(x) { y } else { x };
            if terms.is_const(x) || terms.is_const(y) { vec![terms.ule(number, b)] } else { Vec::new() }
        }
        Op::Eq if matches!(terms.sort(a), Sort::Bv(2..)) => {
            vec![terms.sle(a, b), terms.sle(b, a), terms.ule(a, b), terms.ule(b, a)]
        }
        _ => Vec::new(),
    }
}

/// Keeps what is true in a sample of the states.
fn retain_true(terms: &Store, program: &Program, rows: &[Row], candidates: &mut Vec<Term>) {
    let step = rows.len().div_ceil(24).max(1);
    let last = rows.len().saturating_sub(1);
    for (_, row) in rows.iter().enumerate().filter(|(i, _)| i % step == 0 || *i == last) {
        let state: BTreeMap<Term, Value> = row.iter().map(|(v, value)| (program.term(*v), value.clone())).collect();
        let mut evaluator = Evaluator::new(&state);
        candidates.retain(|t| evaluator.eval(terms, *t) != Ok(Value::Bool(false)));
    }
}
