//! Rankings: lexicographic tuples of unsigned numbers that decrease from each loop head to the next.
//!
//! A component is a *family*, a term for each head. One that increases on no piece of the program shrinks what is left to
//! explain to the pieces (in those states) on which it stays the same; families are added until nothing is left. Since
//! machine numbers are bounded, a family needs no lower bound, and one that was added in vain does no harm. Families come
//! from the program: the order of loops, and what [`measures`] finds; if these do not suffice, measures that count only where
//! some condition of the program holds, so that each part of an execution may have its own. A counterexample to one family is
//! kept, and refutes others without asking the solver again.

use crate::floats;
use crate::limits::facts::{MOST_FAMILIES, MOST_PIECES};
use crate::limits::template::{COEFFICIENTS, MOST_STEPS};
use crate::measures;
use crate::settings::Settings;
use crate::template::{Smaller, Step, Template};
use cfa::{Loc, Program};
use engine::{Cx, Stop};
use flow::wto::Wto;
use infer::segments::{Comes, Segment};
use smt::Solver;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use term::eval::OrZero;
use term::{Evaluator, Store, Term, Value};

/// A term for each head; zero where there is none.
type Family = BTreeMap<Loc, Term>;

pub(crate) type Ranking = BTreeMap<Loc, Vec<Term>>;

/// The loop heads on the ways that no family explains.
pub(crate) type Open = BTreeSet<Loc>;

/// What is left to explain of one piece.
struct Rest<'a> {
    segment: &'a Segment,
    from: Loc,
    /// The states before, and what the components so far leave.
    condition: Term,
}

/// A ranking under the predicates at the heads, unless the families do not suffice.
pub(crate) fn ranking(
    program: &Program,
    wto: &Wto,
    segments: &[Segment],
    predicates: &BTreeMap<Loc, Term>,
    atoms: &[Term],
    settings: &Settings,
    cx: &mut Cx,
) -> Result<Result<Ranking, Open>, Stop> {
    let mut solver = cx.solver()?;
    let mut rest = Vec::new();
    for segment in segments.iter().filter(|s| s.comes == Comes::ToHead) {
        let Some(from) = segment.from else { continue };
        let before = predicates.get(&from).copied().unwrap_or_else(|| cx.terms.tt());
        let guard = segment.guard(&mut cx.terms);
        rest.push(Rest { segment, from, condition: cx.terms.and(before, guard) });
    }
    let measures = measures::of(program, &mut cx.terms, wto, atoms, segments);
    let heads: Vec<Loc> = wto.heads().collect();
    let numbers = measures::changed_in_loops(program, wto);
    let template = Template::new(program, &mut cx.terms, &heads, &numbers, atoms);
    let mut plain = families(&mut cx.terms, wto, &measures, MOST_FAMILIES);
    // Questions about floats are hard: there are too many conditions for them.
    let floats = floats::measures(program, &mut cx.terms, &numbers);
    plain.extend(families(&mut cx.terms, wto, &floats, MOST_FAMILIES));
    let mut search = Search { program, rest, models: Vec::new(), chosen: Vec::new(), time: settings.candidate_time };
    search.drop_impossible(cx, solver.as_mut())?;
    let mut untried: Vec<Family> = plain;
    let mut has_pieces = false;
    loop {
        if search.rest.is_empty() {
            let tuple = |head: Loc, terms: &mut Store| {
                let component = |family: &Family| family.get(&head).copied().unwrap_or_else(|| terms.bv(0, 1));
                search.chosen.iter().map(component).collect::<Vec<Term>>()
            };
            return Ok(Ok(wto.heads().map(|head| (head, tuple(head, &mut cx.terms))).collect()));
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
        untried = left;
        if changed {
            continue;
        }
        if settings.ranking_by_conditions && search.synthesise(cx, solver.as_mut(), &template)? {
            continue;
        }
        if has_pieces || !settings.ranking_by_conditions {
            return Ok(Err(search.rest.iter().map(|rest| rest.from).collect()));
        }
        has_pieces = true;
        let pieces = measures::where_conditions_hold(&mut cx.terms, &measures, atoms);
        untried.extend(families(&mut cx.terms, wto, &pieces, MOST_PIECES));
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
                    self.learn(cx, solver, &asked)?;
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

    /// Adds a family with coefficients that a solver finds, if there is one that helps.
    fn synthesise(&mut self, cx: &mut Cx, solver: &mut dyn Solver, template: &Template) -> Result<bool, Stop> {
        if template.is_empty() {
            return Ok(false);
        }
        for i in 0..self.rest.len() {
            let condition = self.rest[i].condition;
            if cx.try_sat(solver, &[condition], self.time)? == Some(true) {
                self.learn(cx, solver, &[condition])?;
            }
        }
        let mut steps = self.steps(cx, template);
        for smaller in [Smaller::InAll, Smaller::InSome] {
            for largest in COEFFICIENTS {
                while steps.len() < MOST_STEPS {
                    let Some(coefficients) =
                        template.coefficients(&steps, (smaller, largest), self.time, solver, cx)?
                    else {
                        break;
                    };
                    let family = template.family(&mut cx.terms, &coefficients);
                    if self.add(cx, solver, &family)? {
                        return Ok(true);
                    }
                    let known = steps.len();
                    steps = self.steps(cx, template);
                    if steps.len() == known {
                        break;
                    }
                }
            }
        }
        Ok(false)
    }

    /// The steps of the template that models show, of what is left.
    fn steps(&self, cx: &mut Cx, template: &Template) -> Vec<Step> {
        let mut steps = Vec::new();
        for model in &self.models {
            for rest in &self.rest {
                let value = |terms: &Store, t: Term| Evaluator::new(OrZero(model)).eval(terms, t).ok();
                if value(&cx.terms, rest.condition) != Some(Value::Bool(true)) {
                    continue;
                }
                let pairs = template.before_and_after(|t| rest.segment.after(self.program, &mut cx.terms, t));
                let lost = template.step((rest.from, rest.segment.to), &pairs, |t| value(&cx.terms, t));
                if let Some(step) = lost.filter(|step| !steps.contains(step)) {
                    steps.push(step);
                }
            }
        }
        steps
    }

    /// Keeps the model of what the solver has just found satisfiable.
    fn learn(&mut self, cx: &Cx, solver: &mut dyn Solver, asked: &[Term]) -> Result<(), Stop> {
        let model = smt::Model::read(solver, &cx.terms, asked)?;
        self.models.push(model.iter().map(|(t, v)| (t, v.clone())).collect());
        Ok(())
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

/// The measures, for loops with those inside of them and by themselves, and the order of loops.
fn families(terms: &mut Store, wto: &Wto, measures: &[Term], most: usize) -> Vec<Family> {
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
    for &measure in measures {
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
    found.truncate(most);
    found
}
