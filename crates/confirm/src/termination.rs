//! Witnesses of termination: transition invariants.
//!
//! Three things together prove that every execution ends. The transition invariants hold, and none holds between a state
//! and itself: both are checks in the program (see [`witness::transition`]), so that the engines decide. And they cover the
//! program: as long as there are cycles, one of the tests with a transition invariant is passed in each part that control
//! can stay in, and its loop is not entered anew there. An execution that stayed would pass that test again and again, with
//! values that repeat one day, against the invariant; so it leaves the test for good, and what is left has fewer cycles.

use crate::correctness::{Stated, suffices};
use crate::{Finding, Run, with_errors};
use base::Span;
use cfa::{Edge, EndKind, Loc, LocKind, Op, Origin, Program, Property, Var};
use engine::{Budget, Question};
use std::collections::{BTreeMap, BTreeSet};
use term::subst::Substitution;
use term::{Sort, Store, Term};
use transform::Aim;
use transform::inline::Recursion;
use transform::pipeline::{Prepared, Settings, prepare};
use validate::danger::{Goal, check};
use validate::{Answer, Opinions, Violated};
use verifier::engines::{ask, ask_whether};
use witness::transition::{Storage, keep, kept, probe, sign_probe};

/// What the witness says of the program.
#[derive(Clone, Debug)]
pub struct Said<'a> {
    /// In SMT-LIB.
    pub stated: Stated<'a>,
    /// The number of invariants of all kinds.
    pub invariants: usize,
    /// The numbers of the transition invariants among them.
    pub transitions: Vec<usize>,
    /// Whether every loop with a transition invariant is known where it is entered.
    pub entries_are_known: bool,
}

/// The types of a transition invariant's operands, from the program in which they are assigned to probes.
pub fn storage(program: &Program, number: usize, operands: usize) -> Result<Storage, String> {
    let type_of = |j| type_of(program, &probe(number, j), &sign_probe(number, j));
    let unsupported = || "a transition invariant speaks of values that are not numbers of up to 64 bits".to_owned();
    (0..operands).map(|j| type_of(j).ok_or_else(unsupported)).collect()
}

fn type_of(program: &Program, probe: &str, sign: &str) -> Option<&'static str> {
    let terms: &Store = &program.terms;
    // Initial values are set by the entry.
    let assigned = |name: &str| {
        let var = program.vars.ids().find(|v| program.name(*v) == name)?;
        let functions = program.functions.iter().filter(|(f, _)| *f != program.entry);
        functions.flat_map(|(_, f)| f.edges.values()).find_map(|edge| match &edge.op {
            Op::Assign(pairs) => pairs.iter().find(|(v, _)| *v == var).map(|(_, t)| *t),
            _ => None,
        })
    };
    let is_true = |t: Term| {
        let bits = terms.as_bv_const(t).map(|bits| !bits.is_zero());
        bits.or_else(|| terms.as_bool_const(t))
    };
    let value = assigned(probe)?;
    let (width, signed) = match terms.op(value) {
        term::Op::SignExtend(by) => (terms.width(value) - by, true),
        term::Op::ZeroExtend(by) => (terms.width(value) - by, false),
        // A truth value.
        term::Op::Ite => (8, false),
        term::Op::FpToUbv(..) | term::Op::FpToSbv(..) => return None,
        _ => (64, is_true(assigned(sign)?)?),
    };
    Some(match (width, signed) {
        (8, true) => "signed char",
        (1 | 8, false) => "unsigned char",
        (16, true) => "short",
        (16, false) => "unsigned short",
        (32, true) => "int",
        (32, false) => "unsigned int",
        (64, true) => "long long",
        (64, false) => "unsigned long long",
        _ => return None,
    })
}

/// The program in three forms.
#[derive(Clone, Copy, Debug)]
pub struct Forms<'a> {
    /// As it is.
    pub plain: &'a Program,
    /// In which invariants that do not hold are errors.
    pub checked: &'a Program,
    /// In which transition invariants that hold between a state and itself are errors, too.
    pub strict: &'a Program,
}

/// Decides about what was said.
pub fn termination(forms: Forms<'_>, said: &Said<'_>, budget: &Budget) -> Finding {
    let safety = only_invariants(forms.strict);
    if said.invariants > 0 {
        match broken(&safety, &budget.slice(budget.left() * 2 / 3)) {
            Ok(None) => {}
            Ok(Some(violated)) if repeats(said, &violated).is_some() => {
                // Is it true at least?
                let checked = only_invariants(forms.checked);
                return match broken(&checked, &budget.slice(budget.left() / 2)) {
                    Ok(Some(violated)) => violation(forms.checked, said, &violated),
                    _ => violation(forms.strict, said, &violated),
                };
            }
            Ok(Some(violated)) => return violation(forms.strict, said, &violated),
            Err(why) => return Finding::Unknown(why),
        }
    }
    let confirmed = |how: &str| Finding::Confirmed { how: how.to_owned(), run: None };
    let mut settings = Settings::new(Aim::InfiniteRuns);
    settings.inline.calls = Recursion::Chain;
    let left = uncovered(&prepare(&safety, &settings), said);
    if left.is_empty() {
        return confirmed(
            "the invariants hold, and no loop can go on for ever: the transition invariants are well-founded",
        );
    }
    let plain = prepare(forms.plain, &settings);
    if decreases(&plain, said.stated, &budget.slice(budget.left() / 3)) {
        return confirmed("the invariants hold, and no loop can go on for ever: the rankings in SMT-LIB decrease");
    }
    // What is not a loop of the text, witnesses cannot speak of: recursion, and loops of library functions.
    let loops = uncovered(&prepare(&safety, &Settings::new(Aim::InfiniteRuns)), said);
    let ends = matches!(ask_whether(forms.plain, &plain, Question::AlwaysEnds, budget), Answer::True(_));
    let proved = if ends { " (it does)" } else { "" };
    let insufficient = |what: &str| {
        Finding::Insufficient(format!("the invariants hold, but they do not show that {what} ends{proved}"))
    };
    match loops.into_iter().flatten().next() {
        Some(place) => insufficient(&format!("the loop at {place}")),
        None if ends => confirmed(
            "the invariants hold, and so do rankings of ours for what witnesses cannot speak of: recursion, and loops that are not in the text",
        ),
        None => insufficient("recursion, or a loop that is not in the text,"),
    }
}

/// Whether the rankings that the witness states in SMT-LIB decrease from head to head.
fn decreases(prepared: &Prepared, stated: Stated<'_>, budget: &Budget) -> bool {
    let flat = &prepared.flat;
    let mut terms = flat.terms.clone();
    let claim = stated.claim(flat, &mut terms);
    let deadline = budget.deadline();
    let Ok(mut solver) = Opinions::until(deadline, budget.cancel_flag()) else { return false };
    !claim.ranking.is_empty() && check(flat, &mut terms, &claim, Goal::End, &mut solver, deadline).is_ok()
}

fn only_invariants(program: &Program) -> Program {
    with_errors(program, |violation| {
        (!matches!(violation.property, Property::Invariant(_))).then_some(LocKind::End(EndKind::Abort))
    })
}

/// What violates an invariant; the error says why that is not known.
fn broken(safety: &Program, budget: &Budget) -> Result<Option<Violated>, String> {
    let prepared = prepare(safety, &Settings::new(Aim::Targets));
    if suffices(&prepared, &budget.slice(budget.left() / 2)).is_some() {
        return Ok(None);
    }
    match ask(safety, &prepared, budget) {
        Answer::True(_) => Ok(None),
        Answer::False(violated) => Ok(Some(violated.evidence().clone())),
        Answer::Pending(pending) => Err(pending.why().to_string()),
        Answer::Unknown(why) => Err(why.to_string()),
    }
}

/// The number of the transition invariant that holds between a state and itself.
fn repeats(said: &Said<'_>, violated: &Violated) -> Option<usize> {
    let Property::Invariant(number) = violated.violation().property else { return None };
    let transition = (number as usize).checked_sub(said.invariants)?;
    said.transitions.get(transition).copied()
}

fn violation(checked: &Program, said: &Said<'_>, violated: &Violated) -> Finding {
    let Property::Invariant(number) = violated.violation().property else {
        return Finding::Unknown("check failed: another property is violated".into());
    };
    let number = number as usize;
    if let Some(which) = repeats(said, violated) {
        return Finding::Insufficient(format!(
            "invariant {} holds between a state and itself: it does not show that the loop ends",
            which + 1
        ));
    }
    if said.transitions.contains(&number) && (!said.entries_are_known || is_recursive(checked)) {
        let why = "a transition invariant does not hold between all visits of its loop, but where the loop is entered anew is not known";
        return Finding::Unknown(why.into());
    }
    Finding::Rejected { why: format!("invariant {} does not hold", number + 1), run: Run::of(violated) }
}

fn is_recursive(program: &Program) -> bool {
    let calls = flow::callgraph::CallGraph::of(program);
    program.functions.ids().any(|f| calls.is_recursive(f))
}

/// Where control may stay for ever as far as the transition invariants say: places of the text, or nothing where it is not
/// the user's.
fn uncovered(prepared: &Prepared, said: &Said<'_>) -> Vec<Option<String>> {
    let program = &prepared.program;
    let main = program.main();
    let named = |name: String| program.vars.ids().find(|v| program.name(*v) == name);
    // Of each loop: where its test is passed, and where it is entered.
    let mut tests: Vec<(BTreeSet<Edge>, BTreeSet<Edge>)> = Vec::new();
    for number in &said.transitions {
        let Some(kept) = named(kept(*number)) else { continue };
        let keep = keep(*number);
        let asks = |op: &Op| matches!(op, Op::Havoc { origin: Origin::Input(name), .. } if *name == keep);
        let passed = main.edges.iter().filter(|(_, e)| asks(&e.op)).map(|(id, _)| id).collect();
        let entered = main.edges.iter().filter(|(_, e)| forgets(program, &e.op, kept)).map(|(id, _)| id).collect();
        tests.push((passed, entered));
    }
    let reached = flow::wto::Wto::new(main);
    let all: BTreeSet<Edge> = main.edges.iter().filter(|(_, e)| reached.reaches(e.from)).map(|(id, _)| id).collect();
    let mut left = Vec::new();
    let mut pending = vec![all];
    while let Some(edges) = pending.pop() {
        for part in cycles(program, &edges) {
            let helps = |(passed, entered): &&(BTreeSet<Edge>, BTreeSet<Edge>)| {
                !passed.is_disjoint(&part) && entered.is_disjoint(&part)
            };
            match tests.iter().find(helps) {
                Some((passed, _)) => pending.push(part.difference(passed).copied().collect()),
                None => left.push(place(program, &part)),
            }
        }
    }
    left
}

/// Whether a visit that was kept may not be afterwards.
fn forgets(program: &Program, op: &Op, kept: Var) -> bool {
    let Op::Assign(pairs) = op else { return op.written().contains(&kept) };
    pairs.iter().filter(|(v, _)| *v == kept).any(|(_, t)| {
        let mut terms = program.terms.clone();
        let symbol = program.term(kept);
        let set = match terms.sort(symbol) {
            Sort::Bool => terms.tt(),
            Sort::Bv(width) => terms.bv(1, width),
            _ => return true,
        };
        let mut substitution = Substitution::new();
        substitution.insert(&terms, symbol, set);
        let after = substitution.apply(&mut terms, *t);
        after != set
    })
}

/// The strongly connected parts of the graph with these edges that have cycles, by their edges.
fn cycles(program: &Program, edges: &BTreeSet<Edge>) -> Vec<BTreeSet<Edge>> {
    let main = program.main();
    let mut forward: BTreeMap<Loc, Vec<Loc>> = BTreeMap::new();
    let mut backward = forward.clone();
    for edge in edges {
        let info = &main.edges[*edge];
        forward.entry(info.from).or_default().push(info.to);
        backward.entry(info.to).or_default().push(info.from);
    }
    // Kosaraju: in the order in which walks forward end, walks backward find the parts.
    let mut order = Vec::new();
    let mut seen = BTreeSet::new();
    for start in forward.keys() {
        let mut stack = vec![(*start, 0)];
        if !seen.insert(*start) {
            continue;
        }
        while let Some((loc, next)) = stack.pop() {
            match forward.get(&loc).and_then(|to| to.get(next)) {
                Some(to) => {
                    stack.push((loc, next + 1));
                    if seen.insert(*to) {
                        stack.push((*to, 0));
                    }
                }
                None => order.push(loc),
            }
        }
    }
    let mut part: BTreeMap<Loc, usize> = BTreeMap::new();
    for (number, start) in order.iter().rev().enumerate() {
        let mut stack = vec![*start];
        while let Some(loc) = stack.pop() {
            if part.contains_key(&loc) {
                continue;
            }
            part.insert(loc, number);
            stack.extend(backward.get(&loc).into_iter().flatten().filter(|from| !part.contains_key(from)));
        }
    }
    let mut parts: BTreeMap<usize, BTreeSet<Edge>> = BTreeMap::new();
    for edge in edges {
        let info = &main.edges[*edge];
        if part.get(&info.from) == part.get(&info.to) {
            parts.entry(part[&info.from]).or_default().insert(*edge);
        }
    }
    parts.into_values().collect()
}

/// A place of the user's text among the edges, loops' keywords first.
fn place(program: &Program, part: &BTreeSet<Edge>) -> Option<String> {
    let main = program.main();
    let user = |span: Span| {
        let file = program.sources.file(span.file).filter(|_| !span.is_nowhere())?;
        (!file.name.starts_with('<')).then(|| program.sources.place(span).to_string())
    };
    let heads = part.iter().filter_map(|edge| main.locs[main.edges[*edge].to].loop_span);
    heads.chain(part.iter().map(|edge| main.edges[*edge].span)).find_map(user)
}
