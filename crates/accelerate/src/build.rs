//! One accelerator: the edges beside a loop that stand for `n ≥ 1` iterations along one path (Kroening et al. 2015, equation 7).
//!
//! ```text
//! head --havoc n, inputs--> --assume feasible--> [--keep old arrays--> --havoc arrays--> --assume their elements-->] --assign--> head
//! ```
//! *Feasible* says that the path's conditions hold in every iteration. What speaks of scalars is without quantifier and
//! proved by the solver here; conditions on array elements stay under a bounded quantifier and are instantiated when a question
//! is asked (see `narrow`). Inputs inside the loop are the same in every iteration: fewer executions, none that the
//! loop does not have. A variable without closed form that no condition reads becomes undefined (⊥): a counterexample that
//! depends on it is discarded by whoever finds it.

use crate::always::{COUNT, Range};
use crate::arrays::Arrays;
use crate::body::Body;
use crate::closed::{Count, Forms};
use crate::prove::Prover;
use crate::{Accelerator, Skipped};
use cfa::{Edge, Loc, Op, Origin, Program, Var, VarKind};
use engine::Stop;
use smt::Answer;
use std::collections::{BTreeMap, BTreeSet};
use term::{Sort, Store, Substitution, Term};

/// What an accelerator does, in terms over the values at the head, `n` and the inputs' symbols.
pub(crate) struct Plan {
    pub n: Term,
    pub feasible: Term,
    /// Whether `feasible` has a quantifier.
    pub quantified: bool,
    pub scalars: Vec<(Var, Term)>,
    /// Arrays: the index variable, and the element there.
    pub arrays: Vec<(Var, Term, Term)>,
    pub undefined: Vec<Var>,
    pub inputs: Vec<(Edge, Vec<(Var, Term)>)>,
}

impl Plan {
    /// Whether its edges are as any others.
    pub(crate) fn is_plain(&self) -> bool {
        !self.quantified && self.arrays.is_empty() && self.undefined.is_empty()
    }
}

/// Works out what `n` iterations along the path do. `live` are the variables whose values at the head matter.
pub(crate) fn plan(
    program: &Program,
    terms: &mut Store,
    path: &[Edge],
    live: &BTreeSet<Var>,
    prover: &mut Prover<'_>,
) -> Result<Result<Plan, Skipped>, Stop> {
    let Some(mut body) = Body::of(program, terms, path) else { return Ok(Err(Skipped::Infeasible)) };
    body.updates.retain(|v, _| live.contains(v));
    let forms = Forms::find(program, terms, &body, prover)?;
    let arrays = Arrays::find(program, terms, &body, &forms, prover)?;
    let n = terms.fresh("n", Sort::Bv(COUNT));
    let minus_one = terms.bv_signed(-1, COUNT);
    let range = Range { j: terms.fresh("j", Sort::Bv(COUNT)), last: terms.add(n, minus_one) };
    let zero = terms.bv(0, COUNT);
    let some = terms.ult(zero, n);
    let no_wrap = arrays.condition(terms, n);
    let mut feasible = vec![some, no_wrap];
    let (mut scalar, mut claims) = (Vec::new(), Vec::new());
    let mut elements = Vec::new();
    for condition in &body.conditions {
        let Some(moved) = arrays.at(program, terms, &forms, *condition, range.j) else {
            return Ok(Err(Skipped::NoClosedForm));
        };
        if reads_moving_element(terms, moved, range.j) {
            elements.push(moved);
        } else {
            scalar.push(range.always(terms, moved));
            claims.push(moved);
        }
    }
    feasible.extend(&scalar);
    let quantifier_free = terms.and_all(&feasible);
    if !is_valid(terms, range, quantifier_free, &claims, prover)? {
        return Ok(Err(Skipped::NotProved));
    }
    // An accelerator for one iteration at most is of no use.
    let two = terms.bv(2, COUNT);
    let several = terms.ule(two, n);
    if prover.ask(terms, &[quantifier_free, several])? == Some(Answer::Unsat) {
        return Ok(Err(Skipped::Infeasible));
    }
    if !elements.is_empty() {
        let all = terms.and_all(&elements);
        let inside = terms.ule(range.j, range.last);
        let each = terms.implies(inside, all);
        feasible.push(terms.forall(&[range.j], each));
    }
    let count = Count::new(terms, n);
    let mut plan = Plan {
        n,
        feasible: terms.and_all(&feasible),
        quantified: !elements.is_empty(),
        scalars: Vec::new(),
        arrays: Vec::new(),
        undefined: forms.without.iter().chain(&arrays.without).copied().collect(),
        inputs: body.inputs.clone(),
    };
    for &var in forms.of.keys() {
        // n ≥ 1: what a variable held before the loop is gone where it is set anew.
        let value = forms.value(program, terms, var, count);
        let none = terms.eq(n, zero);
        let never = terms.bool(false);
        plan.scalars.push((var, term::substitute(terms, value, &[(none, never)])));
    }
    for var in arrays.written() {
        let Sort::Array(sort) = program.vars[var].sort else { continue };
        let index = terms.fresh("index", sort.index.into());
        let element = arrays.element(program, terms, &forms, var, index, n);
        plan.arrays.push((var, index, element));
    }
    Ok(Ok(plan))
}

/// Whether the condition reads an array at an index that depends on the iteration.
fn reads_moving_element(terms: &Store, condition: Term, j: Term) -> bool {
    term::postorder(terms, &[condition])
        .into_iter()
        .any(|t| terms.op(t) == term::Op::Select && term::walk::mentions(terms, t, j))
}

/// Asks the solver whether the condition without quantifier implies each claim in every iteration.
fn is_valid(
    terms: &mut Store,
    range: Range,
    condition: Term,
    claims: &[Term],
    prover: &mut Prover<'_>,
) -> Result<bool, Stop> {
    if claims.is_empty() {
        return Ok(true);
    }
    if terms.as_bool_const(condition) == Some(false) {
        return Ok(false);
    }
    let inside = terms.ule(range.j, range.last);
    for claim in claims {
        let broken = terms.not(*claim);
        let wrong = terms.and_all(&[condition, inside, broken]);
        if !prover.is_unsat(terms, wrong)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Adds the edges of a plan beside the loop at `head`.
pub(crate) fn add(program: &mut Program, head: Loc, path: Vec<Edge>, plan: &Plan) -> Accelerator {
    let mut map = Substitution::new();
    let n = internal(program, "$n", Sort::Bv(COUNT));
    map.insert(&program.terms, plan.n, program.term(n));
    let mut inputs = Vec::new();
    let mut chosen = vec![n];
    for (edge, symbols) in &plan.inputs {
        let mut vars = Vec::new();
        for (var, symbol) in symbols {
            let name = format!("$input.{}", program.name(*var));
            let constant = internal(program, &name, program.vars[*var].sort);
            map.insert(&program.terms, *symbol, program.term(constant));
            vars.push(constant);
            chosen.push(constant);
        }
        inputs.push((*edge, vars));
    }
    let feasible = map.apply(&mut program.terms, plan.feasible);
    let mut ops = vec![Op::Havoc { vars: chosen, origin: Origin::Internal }, Op::Assume(feasible)];
    let mut olds: BTreeMap<Var, Var> = BTreeMap::new();
    for (var, ..) in &plan.arrays {
        let name = format!("$old.{}", program.name(*var));
        olds.insert(*var, internal(program, &name, program.vars[*var].sort));
    }
    let undefined_at = (!plan.undefined.is_empty()).then(|| {
        ops.push(Op::Havoc { vars: plan.undefined.clone(), origin: Origin::Internal });
        ops.len() - 1
    });
    let mut old_values = map.clone();
    if !olds.is_empty() {
        let keep = olds.iter().map(|(var, old)| (*old, program.term(*var))).collect();
        ops.push(Op::Assign(keep));
        ops.push(Op::Havoc { vars: olds.keys().copied().collect(), origin: Origin::Internal });
        for (var, old) in &olds {
            old_values.insert(&program.terms, program.term(*var), program.term(*old));
        }
        for (var, index, element) in &plan.arrays {
            let element = old_values.apply(&mut program.terms, *element);
            let array = program.term(*var);
            let read = program.terms.select(array, *index);
            let defined = program.terms.eq(read, element);
            ops.push(Op::Assume(program.terms.forall(&[*index], defined)));
        }
    }
    let mut assigned = Vec::new();
    for (var, value) in &plan.scalars {
        assigned.push((*var, old_values.apply(&mut program.terms, *value)));
    }
    ops.push(if assigned.is_empty() { Op::Assume(program.terms.bool(true)) } else { Op::Assign(assigned) });
    let edges = chain(program, head, ops);
    Accelerator {
        head,
        path,
        first: edges[0],
        undefined: undefined_at.map(|at| edges[at]),
        last: *edges.last().expect("a chain is not empty"),
        inputs,
        quantified: plan.quantified || !plan.arrays.is_empty(),
    }
}

fn internal(program: &mut Program, name: &str, sort: Sort) -> Var {
    program.add_var(name, sort, VarKind::Global, None)
}

/// Edges from the head through new locations back to the head.
fn chain(program: &mut Program, head: Loc, ops: Vec<Op>) -> Vec<Edge> {
    let entry = program.entry;
    let main = &mut program.functions[entry];
    let (span, frame) = (main.locs[head].span, main.locs[head].frame);
    let count = ops.len();
    let mut from = head;
    let mut edges = Vec::new();
    for (i, op) in ops.into_iter().enumerate() {
        let to = if i + 1 == count {
            head
        } else {
            let to = main.add_loc(span);
            main.locs[to].frame = frame;
            to
        };
        edges.push(main.add_edge(from, to, op, span));
        from = to;
    }
    edges
}
