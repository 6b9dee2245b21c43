//! Candidates from what the program says: its conditions and their neighbours, its constants, the ends of its arrays.

use crate::limits::candidates::{MAX_COMBINED, MAX_CONDITIONS, MAX_CONSTANTS, MAX_FLAGS, MAX_LIMITS};
use crate::sample::states::is_number;
use cfa::{Loc, Op, Program, Var};
use flow::wto::Wto;
use std::collections::{BTreeMap, BTreeSet};
use term::{Bits, Op as TermOp, Sort, Store, Term};

/// What is read anywhere in the program.
pub fn all_terms(program: &Program) -> Vec<Term> {
    program.functions.values().flat_map(|f| f.edges.values()).flat_map(|e| e.op.terms()).collect()
}

/// The comparisons of numbers that occur in the terms.
fn comparisons(store: &Store, roots: &[Term]) -> Vec<Term> {
    let mut found = term::walk::postorder(store, roots);
    found.retain(|t| match store.op(*t) {
        TermOp::BvSlt | TermOp::BvSle | TermOp::BvUlt | TermOp::BvUle => true,
        TermOp::Eq => store.sort(store.arg(*t, 0)).bv_width().is_some(),
        _ => false,
    });
    found
}

/// The comparisons of numbers that the program makes.
pub fn program_conditions(program: &Program, store: &Store) -> Vec<Term> {
    comparisons(store, &all_terms(program))
}

/// Truth values among the live variables, and those that are read at constant places of live tables, each with its opposite: a block lives, or has ended.
pub fn flags(program: &Program, terms: &mut Store, live: &[Var]) -> Vec<Term> {
    let mut found: Vec<Term> =
        live.iter().filter(|var| program.vars[**var].sort == Sort::Bool).map(|var| program.term(*var)).collect();
    for t in term::walk::postorder(terms, &all_terms(program)) {
        let is_flag = terms.op(t) == TermOp::Select && terms.sort(t) == Sort::Bool && terms.is_const(terms.arg(t, 1));
        if is_flag && program.var_of(terms.arg(t, 0)).is_some_and(|table| live.contains(&table)) {
            found.push(t);
        }
    }
    found.truncate(MAX_FLAGS);
    let opposites: Vec<Term> = found.iter().map(|flag| terms.not(*flag)).collect();
    [found, opposites].concat()
}

/// The comparisons and other atomic conditions that the program asks, those near errors first.
pub fn atoms(program: &Program, terms: &Store) -> Vec<Term> {
    let main = program.main();
    let before_target: BTreeSet<Loc> =
        main.edges.values().filter(|e| main.locs[e.to].kind.is_target()).map(|e| e.from).collect();
    let mut roots: Vec<(bool, Term)> = Vec::new();
    for edge in main.edges.values() {
        let near = before_target.contains(&edge.from);
        match &edge.op {
            Op::Assume(c) => roots.push((!near, *c)),
            Op::Assign(pairs) => roots.extend(pairs.iter().map(|(_, t)| (true, *t))),
            _ => {}
        }
    }
    roots.sort_by_key(|(far, _)| *far);
    let roots: Vec<Term> = roots.into_iter().map(|(_, root)| root).collect();
    atomic_conditions(terms, &roots)
}

/// The conditions in the terms that are not made of others.
pub fn atomic_conditions(terms: &Store, roots: &[Term]) -> Vec<Term> {
    let is_atomic = |t: &Term| {
        let connective = matches!(terms.op(*t), TermOp::And | TermOp::Or | TermOp::Not | TermOp::Xor | TermOp::Ite);
        terms.sort(*t) == Sort::Bool && !connective && !term::walk::free_vars(terms, &[*t]).is_empty()
    };
    term::walk::postorder(terms, roots).into_iter().filter(is_atomic).collect()
}

/// The constants of at least so many bits that the program compares with: where loops end.
pub fn limits(program: &Program, store: &Store, width: u32) -> Vec<Term> {
    let mut found: BTreeSet<Term> = BTreeSet::new();
    for t in program_conditions(program, store) {
        for &side in store.args(t) {
            if store.as_bv_const(side).is_some_and(|c| c.width() >= width && c.to_u128().is_some_and(|c| c > 1)) {
                found.insert(side);
            }
        }
    }
    found.into_iter().take(MAX_LIMITS).collect()
}

/// What is nearly a comparison: with equality allowed or with one more, and turned around.
pub fn neighbours(store: &mut Store, condition: Term) -> Vec<Term> {
    let (op, args) = (store.op(condition), store.args(condition).to_vec());
    let (TermOp::BvSlt | TermOp::BvSle | TermOp::BvUlt | TermOp::BvUle, &[a, b]) = (op, &args[..]) else {
        return Vec::new();
    };
    let one = store.bv(1, store.width(a));
    let more = store.add(b, one);
    match op {
        TermOp::BvSlt => vec![store.sle(a, b), store.sle(b, a)],
        TermOp::BvSle => vec![store.sle(a, more), store.sle(b, a)],
        TermOp::BvUlt => vec![store.ule(a, b), store.ule(b, a)],
        _ => vec![store.ule(a, more), store.ule(b, a)],
    }
}

/// Conditions that follow from a comparison.
pub fn weaker(terms: &mut Store, t: Term) -> Vec<Term> {
    let [a, b] = *terms.args(t) else { return Vec::new() };
    match terms.op(t) {
        TermOp::BvSlt => vec![terms.sle(a, b)],
        TermOp::BvUlt => vec![terms.ule(a, b)],
        // What an access at `x` of so many bytes asks: still true when `x` was moved there after it.
        TermOp::BvUle if terms.op(a) == TermOp::BvAdd => {
            let [x, y] = *terms.args(a) else { return Vec::new() };
            let number = if terms.is_const(x) { y } else { x };
            if terms.is_const(x) || terms.is_const(y) { vec![terms.ule(number, b)] } else { Vec::new() }
        }
        TermOp::Eq if matches!(terms.sort(a), Sort::Bv(2..)) => {
            vec![terms.sle(a, b), terms.sle(b, a), terms.ule(a, b), terms.ule(b, a)]
        }
        _ => Vec::new(),
    }
}

/// `x + y = c` and `x - y = c` for the constants of the program and their sums.
pub fn sums(program: &Program, terms: &mut Store, live: &[Var]) -> Vec<Term> {
    let roots: Vec<Term> = program.main().edges.values().flat_map(|e| e.op.terms()).collect();
    let mut constants: Vec<Term> =
        term::walk::postorder(terms, &roots).into_iter().filter(|t| terms.as_bv_const(*t).is_some()).collect();
    let single: Vec<Term> = constants.iter().copied().take(MAX_CONSTANTS).collect();
    for (i, &a) in single.iter().enumerate() {
        for &b in &single[i..] {
            if terms.sort(a) == terms.sort(b) {
                constants.push(terms.add(a, b));
            }
        }
    }
    constants.sort_unstable();
    constants.dedup();
    let numbers: Vec<Term> = live
        .iter()
        .filter(|v| is_number(program.vars[**v].sort))
        .map(|v| program.term(*v))
        .take(MAX_COMBINED)
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
pub fn passed(program: &Program, terms: &mut Store, live: &[Var], atoms: &[Term]) -> Vec<Term> {
    let mut found = Vec::new();
    for t in term::walk::postorder(terms, atoms) {
        let TermOp::Select = terms.op(t) else { continue };
        let Some(place) = terms.as_bv_const(terms.arg(t, 1)).and_then(Bits::to_u128) else { continue };
        for v in live.iter().filter(|v| is_number(program.vars[**v].sort)) {
            let number = program.term(*v);
            let place = terms.bv(place, terms.width(number));
            found.push(terms.slt(place, number));
        }
    }
    found
}

/// Guesses from constants that are written at constant indices, as the ends of strings are: that the element stays what
/// it is, that the array is read no further, and that what counts up, from zero or the constant it is set to, comes no
/// further.
pub fn ends(program: &Program, terms: &mut Store, live: &[Var]) -> Vec<Term> {
    let live: BTreeSet<Var> = live.iter().copied().collect();
    let cells: Vec<_> = constant_cells(program).into_iter().filter(|(array, ..)| live.contains(array)).collect();
    let mut facts = Vec::new();
    for (array, index, element) in &cells {
        let cell = terms.select(program.term(*array), *index);
        facts.push(terms.eq(cell, *element));
        for read in reads(program, *array) {
            let vars = term::walk::free_vars(terms, &[read]);
            if vars.iter().all(|v| program.var_of(*v).is_some_and(|v| live.contains(&v))) {
                let Some(width) = terms.sort(read).bv_width() else { continue };
                let Some(last) = terms.as_bv_const(*index).and_then(|last| last.to_u128()) else { continue };
                let last = terms.bv(last, width);
                facts.push(terms.ule(read, last));
            }
        }
    }
    let starts = starts(program);
    let lasts: BTreeSet<u128> = cells.iter().filter_map(|(_, index, _)| terms.as_bv_const(*index)?.to_u128()).collect();
    for &var in &live {
        let Some(width) = program.vars[var].sort.bv_width().filter(|width| *width > 8) else { continue };
        let mut firsts: BTreeSet<Term> = starts.get(&var).cloned().unwrap_or_default();
        firsts.insert(terms.bv(0, width));
        for first in firsts {
            let steps = terms.sub(program.term(var), first);
            for &last in &lasts {
                let (last, after) = (terms.bv(last, width), terms.bv(last + 1, width));
                facts.extend([terms.ule(steps, last), terms.ule(steps, after)]);
            }
        }
    }
    facts.retain(|fact| terms.as_bool_const(*fact).is_none());
    facts.truncate(MAX_CONDITIONS);
    facts
}

/// Guesses from the comparisons that the program makes where it branches: that they hold at the head, or hold but for one
/// step.
pub fn conditions(program: &Program, wto: &Wto, terms: &mut Store, live: &[Var]) -> Vec<Term> {
    let live: BTreeSet<Term> = live.iter().map(|v| program.term(*v)).collect();
    let asked = program.main().edges.values().filter(|e| matches!(e.op, Op::Assume(_)) && wto.reaches(e.from));
    let asked: Vec<Term> = asked.flat_map(|e| e.op.terms()).collect();
    let mut facts = Vec::new();
    for t in comparisons(&program.terms, &asked) {
        let vars = term::walk::free_vars(terms, &[t]);
        if vars.len() < 2 || !vars.iter().all(|v| live.contains(v)) || facts.len() >= MAX_CONDITIONS {
            continue;
        }
        let (a, b) = (terms.arg(t, 0), terms.arg(t, 1));
        let one = terms.bv(1, terms.width(a));
        let (after_a, after_b) = (terms.add(a, one), terms.add(b, one));
        let unsigned = matches!(terms.op(t), TermOp::BvUlt | TermOp::BvUle);
        facts.push(terms.eq(a, b));
        for (x, y) in [(a, b), (b, a), (a, after_b), (b, after_a)] {
            facts.push(if unsigned { terms.ule(x, y) } else { terms.sle(x, y) });
        }
    }
    facts.retain(|fact| terms.as_bool_const(*fact).is_none());
    facts
}

/// Array elements with constant indices that the program sets to constants.
pub(super) fn constant_cells(program: &Program) -> BTreeSet<(Var, Term, Term)> {
    let terms = &program.terms;
    let mut cells = BTreeSet::new();
    for edge in program.main().edges.values() {
        let Op::Assign(pairs) = &edge.op else { continue };
        for (var, value) in pairs {
            let mut at = *value;
            while terms.op(at) == TermOp::Store {
                let (index, element) = (terms.arg(at, 1), terms.arg(at, 2));
                if terms.as_bv_const(index).is_some() && terms.as_bv_const(element).is_some() {
                    cells.insert((*var, index, element));
                }
                at = terms.arg(at, 0);
            }
        }
    }
    cells
}

/// The indices at which the program reads an array; where only a part of a number is the index, the whole number.
fn reads(program: &Program, array: Var) -> BTreeSet<Term> {
    let terms = &program.terms;
    let roots: Vec<Term> = program.main().edges.values().flat_map(|e| e.op.terms()).collect();
    let mut indices = BTreeSet::new();
    for t in term::walk::postorder(terms, &roots) {
        if terms.op(t) == TermOp::Select && terms.arg(t, 0) == program.term(array) {
            let index = terms.arg(t, 1);
            let is_part = matches!(terms.op(index), TermOp::Extract { lo: 0, .. });
            indices.insert(if is_part { terms.arg(index, 0) } else { index });
        }
    }
    indices
}

/// The constants that scalars are set to.
fn starts(program: &Program) -> BTreeMap<Var, BTreeSet<Term>> {
    let mut starts: BTreeMap<Var, BTreeSet<Term>> = BTreeMap::new();
    for edge in program.main().edges.values() {
        let Op::Assign(pairs) = &edge.op else { continue };
        for (var, value) in pairs.iter().filter(|(_, t)| program.terms.as_bv_const(*t).is_some()) {
            starts.entry(*var).or_default().insert(*value);
        }
    }
    starts
}
