//! Why a formula is true in a state: literals over the program's variables from which it follows.
//!
//! A model is one state. What of it matters is read off the formula that it satisfies: of a disjunction one true
//! part, of a conditional term its condition and the branch taken, of a comparison the whole of it. A comparison that
//! speaks of program variables alone becomes a literal as it stands, so that cubes are made of the program's own
//! predicates; a variable that is left over is held to its value from above and from below.

use cfa::Program;
use rustc_hash::FxHashSet;
use smt::Model;
use std::collections::BTreeSet;
use term::eval::OrZero;
use term::{Evaluator, Op, Store, Term, Value};

/// Literals that hold in the model and, with its values of the inputs, make all of `goals` true. `None` where the model does
/// not satisfy the goals as evaluation has it.
pub(super) fn justify(program: &Program, terms: &mut Store, model: &Model, goals: &[Term]) -> Option<Vec<Term>> {
    let mut walk = Justification {
        program,
        values: Evaluator::new(OrZero(model.clone())),
        seen: FxHashSet::default(),
        leaves: BTreeSet::new(),
    };
    for &goal in goals {
        if walk.values.eval(terms, goal).ok()? != Value::Bool(true) {
            return None;
        }
        walk.visit(terms, goal)?;
    }
    let mut cube = BTreeSet::new();
    for leaf in std::mem::take(&mut walk.leaves) {
        let value = walk.values.eval(terms, leaf).ok()?;
        match &value {
            Value::Bool(true) => cube.extend([leaf]),
            Value::Bool(false) => cube.extend([terms.not(leaf)]),
            Value::Bv(_) => {
                let constant = terms.value(&value);
                cube.extend([terms.sle(leaf, constant), terms.sle(constant, leaf)]);
            }
            _ => {
                let constant = terms.value(&value);
                cube.extend([terms.eq(leaf, constant)]);
            }
        }
    }
    Some(cube.into_iter().filter(|literal| terms.as_bool_const(*literal).is_none()).collect())
}

struct Justification<'p> {
    program: &'p Program,
    values: Evaluator<OrZero<Model>>,
    seen: FxHashSet<Term>,
    /// What must stay as it is: predicates, variables and cells of arrays.
    leaves: BTreeSet<Term>,
}

impl Justification<'_> {
    /// Collects what the value of `root` follows from.
    fn visit(&mut self, terms: &mut Store, root: Term) -> Option<()> {
        let mut work = vec![root];
        while let Some(t) = work.pop() {
            if !self.seen.insert(t) {
                continue;
            }
            let args: Vec<Term> = terms.args(t).to_vec();
            match terms.op(t) {
                Op::Var(_) => {
                    if self.program.var_of(t).is_some() {
                        self.leaves.insert(t);
                    }
                }
                op @ (Op::And | Op::Or) => {
                    let decisive = Value::Bool(op == Op::Or);
                    let mut deciding = Vec::new();
                    for &arg in &args {
                        if self.values.eval(terms, arg).ok()? == decisive {
                            deciding.push(arg);
                        }
                    }
                    match deciding.iter().find(|arg| self.seen.contains(arg)).or(deciding.first()) {
                        Some(one) => work.push(*one),
                        None => work.extend(args),
                    }
                }
                Op::Not => work.push(args[0]),
                Op::Ite => {
                    let chosen = self.values.eval(terms, args[0]).ok()? == Value::Bool(true);
                    work.extend([args[0], if chosen { args[1] } else { args[2] }]);
                }
                Op::Select => self.select(terms, t, &mut work)?,
                _ if terms.sort(t) == term::Sort::Bool && is_predicate(self.program, terms, t) => {
                    self.leaves.insert(t);
                }
                _ => work.extend(args),
            }
        }
        Some(())
    }

    /// A cell of an array: the write that it comes from, or the cell of the array as it was.
    fn select(&mut self, terms: &mut Store, t: Term, work: &mut Vec<Term>) -> Option<()> {
        let index = self.values.eval(terms, terms.arg(t, 1)).ok()?;
        work.push(terms.arg(t, 1));
        let mut array = terms.arg(t, 0);
        loop {
            match terms.op(array) {
                Op::Store => {
                    let [base, at, element] = *terms.args(array) else { unreachable!("a store has three arguments") };
                    work.push(at);
                    if self.values.eval(terms, at).ok()? == index {
                        work.push(element);
                        return Some(());
                    }
                    array = base;
                }
                Op::Ite => {
                    let [condition, then, other] = *terms.args(array) else { unreachable!("three arguments") };
                    work.push(condition);
                    let chosen = self.values.eval(terms, condition).ok()? == Value::Bool(true);
                    array = if chosen { then } else { other };
                }
                Op::Var(_) if self.program.var_of(array).is_some() => {
                    let constant = terms.value(&index);
                    let cell = terms.select(array, constant);
                    self.leaves.insert(cell);
                    return Some(());
                }
                _ => {
                    work.push(array);
                    return Some(());
                }
            }
        }
    }
}

/// Whether the comparison speaks of program variables alone, without cases.
pub(super) fn is_predicate(program: &Program, terms: &Store, t: Term) -> bool {
    term::walk::postorder(terms, &[t]).into_iter().all(|part| match terms.op(part) {
        Op::Var(_) => program.var_of(part).is_some() && !matches!(terms.sort(part), term::Sort::Array(_)),
        op => !matches!(op, Op::Ite | Op::Select | Op::Store) && !op.is_quantifier(),
    })
}
