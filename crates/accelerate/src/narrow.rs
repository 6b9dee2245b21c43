//! Questions about formulas with accelerators: quantifiers and array symbols are narrowed to finitely many points.
//!
//! - An array that an accelerator has written is a fresh symbol with a definition for all its elements; each read of it is
//!   replaced by the element's definition.
//! - An array with arbitrary contents that a bounded quantifier reads becomes one that differs from a constant at a few places,
//!   which the solver chooses. `∀ j ≤ last. a[i + j] ≠ 0` then is a question about the constant and those places.
//! - The bounded quantifier itself is replaced by a condition that implies it (`always`).
//!
//! A model is a model of the original formula. That there is none says nothing, if something was narrowed.

use crate::always::{COUNT, Range};
use engine::{Cx, Stop};
use rustc_hash::FxHashMap;
use smt::Solver;
use std::collections::BTreeMap;
use term::{ArrayValue, Op, Sort, Store, Term, Value};

/// An array that differs from a constant at a few places.
#[derive(Clone, Debug)]
struct Sparse {
    points: Vec<(Term, Term)>,
    default: Term,
}

/// A solver for formulas with accelerators.
pub struct Narrow {
    solver: Box<dyn Solver>,
    /// At how many places an array may differ.
    places: usize,
    sparse: BTreeMap<Term, Sparse>,
    definitions: FxHashMap<Term, (Term, Term)>,
    done: FxHashMap<Term, Term>,
    reads: FxHashMap<(Term, Term), Term>,
}

impl Narrow {
    pub fn new(cx: &Cx, places: usize) -> Result<Narrow, Stop> {
        Ok(Narrow {
            solver: cx.solver()?,
            places,
            sparse: BTreeMap::new(),
            definitions: FxHashMap::default(),
            done: FxHashMap::default(),
            reads: FxHashMap::default(),
        })
    }

    /// Whether some array was narrowed so far: that there is no model may be due to it.
    pub fn has_narrowed(&self) -> bool {
        !self.sparse.is_empty()
    }

    /// Whether a model was found. `false` only says that there is none among those looked at.
    pub fn is_sat(&mut self, cx: &mut Cx, formula: Term) -> Result<bool, Stop> {
        let narrowed = self.narrow(&mut cx.terms, formula);
        match cx.terms.as_bool_const(narrowed) {
            Some(false) => Ok(false),
            _ => cx.is_sat(self.solver.as_mut(), &[narrowed]),
        }
    }

    /// Whether a formula is true in the model.
    pub fn holds(&mut self, terms: &mut Store, formula: Term) -> Result<bool, Stop> {
        let narrowed = self.narrow(terms, formula);
        Ok(encode::trace::holds(terms, self.solver.as_mut(), narrowed)?)
    }

    /// The value of a symbol in the model.
    pub fn value(&mut self, terms: &mut Store, symbol: Term) -> Result<Value, Stop> {
        let Sort::Array(sort) = terms.sort(symbol) else { return Ok(self.solver.value(terms, symbol)?) };
        if self.definitions.contains_key(&symbol) {
            return Ok(Value::zero(terms.sort(symbol)));
        }
        let Some(sparse) = self.sparse.get(&symbol).cloned() else { return Ok(self.solver.value(terms, symbol)?) };
        let mut value = ArrayValue::new(sort, self.solver.value(terms, sparse.default)?);
        for (index, elem) in sparse.points.iter().rev() {
            value.set(self.solver.value(terms, *index)?, self.solver.value(terms, *elem)?);
        }
        Ok(Value::Array(value.into()))
    }

    /// The formula without quantifiers. What is replaced stays the same for all later formulas.
    fn narrow(&mut self, terms: &mut Store, formula: Term) -> Term {
        let mut fresh = false;
        for t in term::postorder(terms, &[formula]) {
            if let Some((array, index, element)) = definition(terms, t) {
                fresh |= self.definitions.insert(array, (index, element)).is_none();
            }
        }
        if fresh {
            self.forget();
        }
        loop {
            let known = self.sparse.len();
            let narrowed = self.replace(terms, formula);
            if self.sparse.len() == known {
                return narrowed;
            }
            // An array turned out to be read by a quantifier: all its reads have to know.
            self.forget();
        }
    }

    fn forget(&mut self) {
        self.done.clear();
        self.reads.clear();
    }

    fn replace(&mut self, terms: &mut Store, root: Term) -> Term {
        if let Some(done) = self.done.get(&root) {
            return *done;
        }
        for t in term::postorder(terms, &[root]) {
            if self.done.contains_key(&t) {
                continue;
            }
            let args: Vec<Term> = terms.args(t).iter().map(|a| self.done[a]).collect();
            let replaced = match terms.op(t) {
                Op::Select => self.read(terms, args[0], args[1]),
                Op::Forall => self.quantifier(terms, t, &args),
                _ if args.is_empty() => t,
                op => terms.mk(op, &args),
            };
            self.done.insert(t, replaced);
        }
        self.done[&root]
    }

    /// `array[index]`, both replaced already.
    fn read(&mut self, terms: &mut Store, array: Term, index: Term) -> Term {
        if let Some(known) = self.reads.get(&(array, index)) {
            return *known;
        }
        let args: Vec<Term> = terms.args(array).to_vec();
        let element = match terms.op(array) {
            Op::Store => {
                let below = self.read(terms, args[0], index);
                let same = terms.eq(args[1], index);
                terms.ite(same, args[2], below)
            }
            Op::Ite => {
                let (then, otherwise) = (self.read(terms, args[1], index), self.read(terms, args[2], index));
                terms.ite(args[0], then, otherwise)
            }
            _ => {
                if let Some((variable, element)) = self.definitions.get(&array).copied() {
                    let element = self.replace(terms, element);
                    term::substitute(terms, element, &[(variable, index)])
                } else if let Some(sparse) = self.sparse.get(&array) {
                    let mut element = sparse.default;
                    for (at, value) in sparse.points.clone().iter().rev() {
                        let here = terms.eq(index, *at);
                        element = terms.ite(here, *value, element);
                    }
                    element
                } else {
                    terms.select(array, index)
                }
            }
        };
        self.reads.insert((array, index), element);
        element
    }

    fn quantifier(&mut self, terms: &mut Store, t: Term, args: &[Term]) -> Term {
        if definition(terms, t).is_some() {
            return terms.bool(true);
        }
        let Some((range, claim)) = bounded(terms, args) else { return terms.bool(false) };
        // Arrays that are still read at moving places have to become sparse first.
        for read in term::postorder(terms, &[claim]) {
            if terms.op(read) == Op::Select
                && terms.is_var(terms.arg(read, 0))
                && term::walk::mentions(terms, terms.arg(read, 1), range.j)
            {
                let array = terms.arg(read, 0);
                if !self.sparse.contains_key(&array) {
                    let sparse = self.make_sparse(terms, array);
                    self.sparse.insert(array, sparse);
                }
            }
        }
        range.always(terms, claim)
    }

    fn make_sparse(&self, terms: &mut Store, array: Term) -> Sparse {
        let Sort::Array(sort) = terms.sort(array) else { unreachable!("only arrays are read") };
        let (index, elem): (Sort, Sort) = (sort.index.into(), sort.elem.into());
        let points = (0..self.places).map(|_| (terms.fresh("place", index), terms.fresh("elem", elem))).collect();
        Sparse { points, default: terms.fresh("default", elem) }
    }
}

/// `∀ i. a[i] = e`: the array, the variable and the element.
fn definition(terms: &Store, t: Term) -> Option<(Term, Term, Term)> {
    let (bound, body) = terms.quantifier(t)?;
    let &[index] = bound else { return None };
    if terms.op(t) != Op::Forall || terms.op(body) != Op::Eq {
        return None;
    }
    let defines = |read: Term| {
        (terms.op(read) == Op::Select && terms.is_var(terms.arg(read, 0)) && terms.arg(read, 1) == index)
            .then(|| terms.arg(read, 0))
    };
    let (a, b) = (terms.arg(body, 0), terms.arg(body, 1));
    // The array that is defined does not occur in its own definition.
    let fits = |read: Term, element: Term| {
        defines(read).filter(|array| !term::walk::mentions(terms, element, *array)).map(|array| (array, index, element))
    };
    // Of two arrays that are said to be equal the younger one is defined.
    match (fits(a, b), fits(b, a)) {
        (Some(x), Some(y)) => Some(if x.0 > y.0 { x } else { y }),
        (x, y) => x.or(y),
    }
}

/// `∀ j. j ≤ last ⟹ p`: the range and `p`.
fn bounded(terms: &mut Store, args: &[Term]) -> Option<(Range, Term)> {
    let &[j, body] = args else { return None };
    if terms.sort(j) != Sort::Bv(COUNT) {
        return None;
    }
    let mut parts = term::normal::disjuncts(terms, body);
    let mut last = None;
    for (i, part) in parts.iter().enumerate() {
        let negated_zero = terms.op(*part) == Op::Not && {
            let zero = terms.bv(0, COUNT);
            terms.arg(*part, 0) == terms.eq(j, zero)
        };
        if terms.op(*part) == Op::BvUlt && terms.arg(*part, 1) == j {
            last = Some((i, terms.arg(*part, 0)));
        } else if negated_zero {
            last = Some((i, terms.bv(0, COUNT)));
        }
    }
    let (i, last) = last?;
    if term::walk::mentions(terms, last, j) {
        return None;
    }
    parts.remove(i);
    let claim = terms.or_all(&parts);
    Some((Range { j, last }, claim))
}
