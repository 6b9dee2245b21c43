//! Rankings with unknown coefficients: `a x + b y + c [p] + d`, `d` for each loop head, where a number that the program counts may go up
//! for a while in some phase (`[p]` is 1 where a condition of the program holds).
//!
//! Steps that are not explained yet say which coefficients there may be: none may make the sum larger, all or some have to make it
//! smaller. A solver finds small ones, the search for rankings asks about all steps, and a step that it shows where the sum grows
//! is one more to consider (counterexample-guided synthesis; the ranking functions are those of Podelski and Rybalchenko 2004, over machine
//! numbers).

use crate::limits::template::{MOST_CONDITIONS, MOST_NUMBERS, SUM_BITS};
use crate::phases::phases;
use cfa::{Loc, Program, Var};
use engine::{Cx, Stop};
use smt::{Model, Solver};
use std::collections::BTreeMap;
use std::time::Duration;
use term::{Op, Sort, Store, Term, Value};

/// What is added up.
pub(crate) struct Template {
    /// Of the width of sums.
    features: Vec<Term>,
    heads: Vec<Loc>,
    /// So many bits that no sum wraps around.
    width: u32,
}

/// How much each feature loses in a step, and each head.
pub(crate) type Step = Vec<i128>;

/// Which steps the sum has to become smaller in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Smaller {
    InAll,
    InSome,
}

impl Template {
    pub(crate) fn new(
        program: &Program,
        terms: &mut Store,
        heads: &[Loc],
        numbers: &[Var],
        atoms: &[Term],
    ) -> Template {
        let phases = phases(program, numbers);
        let is_number = |v: &&Var| matches!(program.vars[**v].sort, Sort::Bv(2..=64)) && !phases.contains(**v);
        let numbers: Vec<Var> = numbers.iter().filter(is_number).take(MOST_NUMBERS).copied().collect();
        let widest = numbers.iter().filter_map(|v| program.vars[*v].sort.bv_width()).max();
        let width = widest.unwrap_or(1) + SUM_BITS;
        let mut features = Vec::new();
        for &var in &numbers {
            let signed = program.source_of(var).is_some_and(|source| source.signed);
            features.push(terms.resize(program.term(var), width, signed));
        }
        let mut flags = phases.conditions(program, terms);
        for &atom in atoms {
            let is_value = terms.op(atom) == Op::Eq && terms.args(atom).iter().any(|t| terms.is_const(*t));
            // A condition says as much as its negation.
            let negated = terms.not(atom);
            if (is_value || program.var_of(atom).is_some()) && !flags.contains(&atom) && !flags.contains(&negated) {
                flags.push(atom);
            }
        }
        for flag in flags.into_iter().take(MOST_CONDITIONS).filter(|_| widest.is_some()) {
            let (one, zero) = (terms.bv(1, width), terms.bv(0, width));
            features.push(terms.ite(flag, one, zero));
        }
        Template { features, heads: heads.to_vec(), width }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.features.is_empty()
    }

    /// The features before and after a step; `after` says what a term is after it.
    pub(crate) fn before_and_after(&self, mut after: impl FnMut(Term) -> Term) -> Vec<(Term, Term)> {
        self.features.iter().map(|feature| (*feature, after(*feature))).collect()
    }

    /// What a step from a head to a head takes from each feature, by the values of these before and after it.
    pub(crate) fn step(
        &self,
        (from, to): (Loc, Loc),
        pairs: &[(Term, Term)],
        value: impl Fn(Term) -> Option<Value>,
    ) -> Option<Step> {
        let number = |t: Term| match value(t)? {
            Value::Bv(bits) => bits.to_i128(),
            _ => None,
        };
        let mut step = Step::new();
        for (before, after) in pairs {
            step.push(number(*before)? - number(*after)?);
        }
        step.extend(self.heads.iter().map(|head| i128::from(*head == from) - i128::from(*head == to)));
        Some(step)
    }

    /// Small coefficients with which no step makes the sum larger.
    pub(crate) fn coefficients(
        &self,
        steps: &[Step],
        (smaller, largest): (Smaller, i128),
        time: Duration,
        solver: &mut dyn Solver,
        cx: &mut Cx,
    ) -> Result<Option<Vec<i128>>, Stop> {
        let bits = largest.ilog2() + 2;
        let count = self.features.len() + self.heads.len();
        let unknowns: Vec<Term> = (0..count).map(|_| cx.terms.fresh("coefficient", Sort::Bv(bits))).collect();
        let mut asked = Vec::new();
        for &unknown in &unknowns {
            let (least, most) = (cx.terms.bv_signed(-largest, bits), cx.terms.bv_signed(largest, bits));
            asked.extend([cx.terms.sle(least, unknown), cx.terms.sle(unknown, most)]);
        }
        let zero = cx.terms.bv(0, self.width);
        let mut some = Vec::new();
        for step in steps {
            let mut sum = zero;
            for (&unknown, &lost) in unknowns.iter().zip(step).filter(|(_, lost)| **lost != 0) {
                let (unknown, lost) = (cx.terms.sext_to(unknown, self.width), cx.terms.bv_signed(lost, self.width));
                let product = cx.terms.mul(unknown, lost);
                sum = cx.terms.add(sum, product);
            }
            let less = cx.terms.slt(zero, sum);
            some.push(less);
            asked.push(match smaller {
                Smaller::InAll => less,
                Smaller::InSome => cx.terms.sle(zero, sum),
            });
        }
        asked.push(cx.terms.or_all(&some));
        if cx.try_sat(solver, &asked, time)? != Some(true) {
            return Ok(None);
        }
        let model = Model::read(solver, &cx.terms, &asked)?;
        // What no step changes need not be looked at.
        let value = |(i, unknown): (usize, &Term)| match model.get(*unknown) {
            Some(Value::Bv(bits)) if steps.iter().any(|step| step[i] != 0) => bits.to_i128(),
            _ => Some(0),
        };
        Ok(unknowns.iter().enumerate().map(value).collect())
    }

    /// The sum at each head, above zero.
    pub(crate) fn family(&self, terms: &mut Store, coefficients: &[i128]) -> BTreeMap<Loc, Term> {
        let (of_features, of_heads) = coefficients.split_at(self.features.len());
        let mut sum = terms.bv(1 << (self.width - 1), self.width);
        for (&feature, &by) in self.features.iter().zip(of_features).filter(|(_, by)| **by != 0) {
            let (by, zero) = (terms.bv_signed(by, self.width), terms.bv(0, self.width));
            let part = match terms.op(feature) {
                // Of a condition.
                Op::Ite => terms.ite(terms.arg(feature, 0), by, zero),
                _ => terms.mul(by, feature),
            };
            sum = terms.add(sum, part);
        }
        let at = |(head, by): (&Loc, &i128)| {
            let by = terms.bv_signed(*by, self.width);
            (*head, terms.add(sum, by))
        };
        self.heads.iter().zip(of_heads).map(at).collect()
    }
}
