//! Rankings: lexicographic tuples of unsigned numbers that decrease from each loop head to the next.
//!
//! A component is a *family*, a term for each head. One that increases on no piece of the program shrinks what is left to
//! explain to the pieces (in those states) on which it stays the same; families are added until nothing is left. Since
//! machine numbers are bounded, a family needs no lower bound, and one that was added in vain does no harm. Families come
//! from the program: the order of loops, distances in its comparisons, its variables. A counterexample to one family is
//! kept, and refutes others without asking the solver again.

use crate::limits::facts::{MOST_FAMILIES, MOST_NUMBERS};
use crate::settings::Settings;
use cfa::{Loc, Program, Var};
use engine::{Cx, Stop};
use flow::wto::Wto;
use infer::segments::{Comes, Segment};
use smt::Solver;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use term::eval::OrZero;
use term::{Evaluator, Op, Sort, Store, Term, Value};

/// A term for each head; zero where there is none.
type Family = BTreeMap<Loc, Term>;

pub(crate) type Ranking = BTreeMap<Loc, Vec<Term>>;

/// What is left to explain of one piece.
struct Rest<'a> {
    segment: &'a Segment,
    from: Loc,
    /// The states before, and what the components so far leave.
    condition: Term,
}

/// A ranking under the predicates at the heads; `None` if the families do not suffice.
pub(crate) fn ranking(
    program: &Program,
    wto: &Wto,
    segments: &[Segment],
    predicates: &BTreeMap<Loc, Term>,
    atoms: &[Term],
    settings: &Settings,
    cx: &mut Cx,
) -> Result<Option<Ranking>, Stop> {
    let mut solver = cx.solver()?;
    let mut rest = Vec::new();
    for segment in segments.iter().filter(|s| s.comes == Comes::ToHead) {
        let Some(from) = segment.from else { continue };
        let before = predicates.get(&from).copied().unwrap_or_else(|| cx.terms.tt());
        let guard = segment.guard(&mut cx.terms);
        rest.push(Rest { segment, from, condition: cx.terms.and(before, guard) });
    }
    let families = families(program, &mut cx.terms, wto, atoms);
    let mut search = Search { program, rest, models: Vec::new(), chosen: Vec::new(), time: settings.candidate_time };
    search.drop_impossible(cx, solver.as_mut())?;
    let mut untried: Vec<Family> = families;
    loop {
        if search.rest.is_empty() {
            let tuple = |head: Loc, terms: &mut Store| {
                let component = |family: &Family| family.get(&head).copied().unwrap_or_else(|| terms.bv(0, 1));
                search.chosen.iter().map(component).collect::<Vec<Term>>()
            };
            return Ok(Some(wto.heads().map(|head| (head, tuple(head, &mut cx.terms))).collect()));
        }
        let mut left = Vec::new();
        let mut changed = false;
        for family in untried {
            if !search.rest.is_empty() && search.add(cx, solver.as_mut(), &family)? {
                changed = true;
            } else {
                left.push(family);
            }
        }
        if !changed {
            return Ok(None);
        }
        untried = left;
    }
}

struct Search<'a> {
    program: &'a Program,
    rest: Vec<Rest<'a>>,
    /// Assignments under which some piece is left.
    models: Vec<BTreeMap<Term, Value>>,
    chosen: Vec<Family>,
    /// For one question.
    time: Duration,
}

impl Search<'_> {
    /// Adds the family if it never increases on what is left and decreases somewhere.
    fn add(&mut self, cx: &mut Cx, solver: &mut dyn Solver, family: &Family) -> Result<bool, Stop> {
        let mut pairs = Vec::new();
        for rest in &self.rest {
            let (before, after) = values(self.program, &mut cx.terms, family, rest.from, rest.segment);
            let (more, less) = (cx.terms.ult(before, after), cx.terms.ult(after, before));
            pairs.push((more, less));
        }
        if pairs.iter().all(|(_, less)| cx.terms.as_bool_const(*less) == Some(false)) {
            return Ok(false);
        }
        for model in &self.models {
            let mut evaluator = Evaluator::new(OrZero(model));
            for (rest, (more, _)) in self.rest.iter().zip(&pairs) {
                let bad = evaluator.eval(&cx.terms, *more) == Ok(Value::Bool(true))
                    && evaluator.eval(&cx.terms, rest.condition) == Ok(Value::Bool(true));
                if bad {
                    return Ok(false);
                }
            }
        }
        for (rest, (more, _)) in self.rest.iter().zip(&pairs) {
            let asked = [rest.condition, *more];
            match cx.try_sat(solver, &asked, self.time)? {
                Some(false) => {}
                None => return Ok(false),
                Some(true) => {
                    let model = smt::Model::read(solver, &cx.terms, &asked)?;
                    self.models.push(model.iter().map(|(t, v)| (t, v.clone())).collect());
                    return Ok(false);
                }
            }
        }
        // It never increases: does it help?
        let mut helps = false;
        for (rest, (_, less)) in self.rest.iter_mut().zip(&pairs) {
            if cx.terms.as_bool_const(*less) == Some(false) {
                continue;
            }
            if cx.try_sat(solver, &[rest.condition, *less], self.time)? != Some(false) {
                helps = true;
                let same = cx.terms.not(*less);
                rest.condition = cx.terms.and(rest.condition, same);
            }
        }
        if helps {
            self.chosen.push(family.clone());
            self.drop_impossible(cx, solver)?;
        }
        Ok(helps)
    }

    fn drop_impossible(&mut self, cx: &mut Cx, solver: &mut dyn Solver) -> Result<(), Stop> {
        let mut kept = Vec::new();
        for rest in std::mem::take(&mut self.rest) {
            if cx.terms.as_bool_const(rest.condition) == Some(false) {
                continue;
            }
            if cx.try_sat(solver, &[rest.condition], self.time)? != Some(false) {
                kept.push(rest);
            }
        }
        self.rest = kept;
        Ok(())
    }
}

/// A family's values before and after a piece, as numbers of one width.
fn values(program: &Program, terms: &mut Store, family: &Family, from: Loc, segment: &Segment) -> (Term, Term) {
    let before = family.get(&from).copied().unwrap_or_else(|| terms.bv(0, 1));
    let after = match family.get(&segment.to) {
        Some(t) => segment.after(program, terms, *t),
        None => terms.bv(0, 1),
    };
    let width = terms.width(before).max(terms.width(after));
    (terms.zext_to(before, width), terms.zext_to(after, width))
}

fn families(program: &Program, terms: &mut Store, wto: &Wto, atoms: &[Term]) -> Vec<Family> {
    let heads: Vec<Loc> = wto.heads().collect();
    let mut found: Vec<Family> = Vec::new();
    // Loops one after the other; then, inside a loop, its parts in order or in reverse.
    let outermost = |head: Loc| wto.heads_around(head)[0];
    let mut numbers = |number: &dyn Fn(usize, Loc) -> u128| -> Family {
        heads.iter().enumerate().map(|(i, h)| (*h, terms.bv(number(i, *h), 16))).collect()
    };
    if heads.len() > 1 {
        let count = heads.len();
        let place = |head: Loc| heads.iter().position(|h| *h == outermost(head)).unwrap_or(0);
        found.push(numbers(&|_, head| (count - place(head)) as u128));
        found.push(numbers(&|i, _| (count - i) as u128));
        found.push(numbers(&|i, _| i as u128));
    }
    for measure in measures(program, terms, atoms, wto) {
        if heads.len() > 1 {
            // For each loop with those inside it, and by itself.
            for loop_head in &heads {
                let inside = heads.iter().filter(|h| wto.heads_around(**h).contains(loop_head));
                found.push(inside.map(|h| (*h, measure)).collect());
                found.push(Family::from([(*loop_head, measure)]));
            }
        } else {
            found.push(heads.iter().map(|h| (*h, measure)).collect());
        }
    }
    let mut seen = BTreeSet::new();
    found.retain(|f| !f.is_empty() && seen.insert(f.clone()));
    found.truncate(MOST_FAMILIES);
    found
}

/// Unsigned terms that may decrease.
fn measures(program: &Program, terms: &mut Store, atoms: &[Term], wto: &Wto) -> Vec<Term> {
    let mut found = Vec::new();
    for atom in atoms {
        let [a, b] = *terms.args(*atom) else { continue };
        if !matches!(terms.sort(a), Sort::Bv(1..=128)) {
            continue;
        }
        match terms.op(*atom) {
            Op::BvSlt | Op::BvSle => {
                found.push(distance(terms, a, b, true));
                found.push(distance(terms, b, a, true));
            }
            Op::BvUlt | Op::BvUle => {
                found.push(distance(terms, a, b, false));
                found.push(distance(terms, b, a, false));
            }
            Op::Eq => {
                found.extend([terms.sub(a, b), terms.sub(b, a)]);
                found.push(distance(terms, a, b, true));
                found.push(distance(terms, b, a, true));
            }
            _ => {}
        }
    }
    // While the condition holds: the number itself, or how far it is from the largest one.
    for atom in atoms {
        let [a, b] = *terms.args(*atom) else { continue };
        if !matches!(terms.op(*atom), Op::BvSlt | Op::BvSle | Op::BvUlt | Op::BvUle | Op::Eq) {
            continue;
        }
        for t in [a, b]
            .into_iter()
            .filter(|t| program.var_of(*t).is_some() && matches!(terms.sort(*t), Sort::Bv(_)))
            .collect::<Vec<_>>()
        {
            let not = terms.not(*atom);
            let complement = terms.bvnot(t);
            for condition in [*atom, not] {
                for number in [t, complement] {
                    let width = terms.width(t) + 1;
                    let (number, one, zero) = (terms.zext_to(number, width), terms.bv(1, width), terms.bv(0, width));
                    let more = terms.add(number, one);
                    found.push(terms.ite(condition, more, zero));
                }
            }
        }
    }
    let live_at = flow::live_at_heads(program, wto);
    // Variables that loops change, upwards and downwards, as signed and as unsigned numbers.
    let mut changed: Vec<Var> = program
        .main()
        .edges
        .values()
        .filter(|e| wto.reaches(e.from) && !wto.heads_around(e.from).is_empty())
        .flat_map(|e| e.op.written())
        .collect();
    changed.sort_unstable();
    changed.dedup();
    let live: BTreeSet<Var> = wto.heads().flat_map(|head| live_at[head].clone()).collect();
    changed.retain(|v| live.contains(v));
    let numbers: Vec<Term> = changed
        .iter()
        .filter(|v| matches!(program.vars[**v].sort, Sort::Bv(_)))
        .map(|v| program.term(*v))
        .take(MOST_NUMBERS)
        .collect();
    for v in changed.iter().filter(|v| program.vars[**v].sort == Sort::Bool) {
        let t = program.term(*v);
        let number = terms.bool_to_bv(t, 1);
        found.extend([number, terms.bvnot(number)]);
    }
    for &t in &numbers {
        let width = terms.width(t);
        let zero = terms.bv(0, width);
        found.push(distance(terms, zero, t, true));
        found.push(distance(terms, t, zero, true));
        let sign = terms.bv(1 << (width - 1).min(127), width);
        let biased = terms.bvxor(t, sign);
        found.extend([t, terms.bvnot(t), biased, terms.bvnot(biased)]);
    }
    for (i, &a) in numbers.iter().enumerate() {
        for &b in &numbers[i + 1..] {
            if terms.width(a) == terms.width(b) {
                found.push(distance(terms, a, b, true));
                found.push(distance(terms, b, a, true));
                let width = terms.width(a) + 1;
                let (x, y) = (terms.sext_to(a, width), terms.sext_to(b, width));
                let sum = terms.add(x, y);
                let zero = terms.bv(0, width);
                found.push(distance(terms, zero, sum, true));
                found.push(distance(terms, sum, zero, true));
            }
        }
    }
    // All numbers together.
    for width in [8, 16, 32, 64] {
        let alike: Vec<Term> = numbers.iter().copied().filter(|t| terms.width(*t) == width).collect();
        if (3..=6).contains(&alike.len()) {
            let mut sum = terms.bv(0, width + 3);
            for t in alike {
                let wide = terms.sext_to(t, width + 3);
                sum = terms.add(sum, wide);
            }
            let zero = terms.bv(0, width + 3);
            found.push(distance(terms, zero, sum, true));
        }
    }
    let mut seen = BTreeSet::new();
    found.retain(|t| seen.insert(*t));
    found
}

/// How far `a` is below `b`, plus one; zero if it is above.
fn distance(terms: &mut Store, a: Term, b: Term, signed: bool) -> Term {
    let width = terms.width(a) + 2;
    let (a, b) = (terms.resize(a, width, signed), terms.resize(b, width, signed));
    let below = terms.sle(a, b);
    let (difference, one) = (terms.sub(b, a), terms.bv(1, width));
    let (more, zero) = (terms.add(difference, one), terms.bv(0, width));
    terms.ite(below, more, zero)
}
