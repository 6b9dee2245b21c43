//! Whether a danger invariant that somebody wrote holds.
//!
//! Its expressions are assignments in the program (see [`witness::danger`]). On the flat program, not simplified, they are
//! read back as terms about the state at the loop's head, and the checker of danger invariants decides; what it finds is
//! told in the program's own words.

use base::Id;
use cfa::evidence::Danger;
use cfa::{Edge, Loc, LocKind, Op, Origin, Program, SourceVar, Var};
use encode::post::step;
use encode::state::{State, evaluate_term};
use engine::{Budget, Why};
use flow::wto::Wto;
use std::collections::BTreeMap;
use term::{Sort, Store, Term, Value};
use transform::Aim;
use transform::pipeline::{Settings, Stage, at_stage};
use validate::danger::{Broken, Failure};
use validate::judge::danger::{Refused, judge_written};
use validate::{Checked, Violated};
use witness::danger::{DangerInvariant, input_variable, invariant_variable, ranking_variable};

/// What became of it.
#[derive(Clone, Debug)]
pub enum DangerFinding {
    /// It holds. The program is flat, and the evidence speaks of it; the interpreter came to the violation in so many steps,
    /// or it is too deep for that.
    Holds {
        program: Box<Program>,
        checked: Checked<Violated>,
        steps: Option<u64>,
    },
    /// A condition is violated: which one, and a state in which it is.
    Fails {
        why: String,
        state: Vec<(SourceVar, Value)>,
    },
    Unknown(Why),
}

/// Decides about the program with the expressions put into it.
pub fn danger(lowered: &Program, said: &DangerInvariant, budget: &Budget) -> DangerFinding {
    let program = at_stage(lowered, Stage::Memory, &Settings::new(Aim::Targets));
    let mut terms = program.terms.clone();
    let danger = match read_back(&program, &mut terms, said) {
        Ok(danger) => danger,
        Err(why) => return DangerFinding::Unknown(Why::NotConfirmed(why)),
    };
    match judge_written(lowered, &program, terms, danger, budget) {
        Ok((checked, steps)) => DangerFinding::Holds { program: Box::new(program), checked, steps },
        Err(Refused::Condition(failure)) => failed(&program, &failure),
        Err(Refused::Other(why)) => DangerFinding::Unknown(why),
    }
}

/// The expressions as terms at heads and edges.
fn read_back(program: &Program, terms: &mut Store, said: &DangerInvariant) -> Result<Danger, String> {
    let wto = Wto::new(program.main());
    let mut danger = Danger::default();
    for (i, known) in said.loops.iter().enumerate() {
        let place = known.location.show();
        let var = variable(program, &invariant_variable(i)).ok_or(format!("the loop at {place} is never reached"))?;
        for (head, predicate) in at_heads(program, terms, &wto, var, &place)? {
            let predicate = if terms.sort(predicate) == Sort::Bool { predicate } else { terms.nonzero(predicate) };
            danger.invariant.insert(head, predicate);
        }
        for j in 0..known.ranking.len() {
            let var = variable(program, &ranking_variable(i, j)).ok_or(format!("the loop at {place} is lost"))?;
            for (head, number) in at_heads(program, terms, &wto, var, &place)? {
                danger.ranking.entry(head).or_default().push(number);
            }
        }
    }
    for (i, input) in said.inputs.iter().enumerate() {
        let place = input.location.show();
        let var = variable(program, &input_variable(i)).ok_or(format!("the call at {place} is never reached"))?;
        for edge in inputs_after(program, &wto, var) {
            let Op::Havoc { vars, .. } = &program.main().edges[edge].op else { continue };
            let chosen = vars.iter().map(|v| converted(terms, program.term(var), program.vars[*v].sort));
            let chosen: Option<Vec<Term>> = chosen.collect();
            danger.choice.insert(edge, chosen.ok_or(format!("the input at {place} is not a number"))?);
        }
    }
    for (name, value) in &said.variables {
        for (edge, info) in program.main().edges.iter() {
            let Op::Havoc { vars, origin: Origin::Uninitialised(own) } = &info.op else { continue };
            if own == name {
                let chosen: Option<Vec<Term>> = vars
                    .iter()
                    .map(|v| match program.vars[*v].sort {
                        Sort::Bv(width) => Some(terms.bv_signed(*value, width)),
                        _ => None,
                    })
                    .collect();
                danger.choice.insert(edge, chosen.ok_or(format!("the variable {name} is not a number"))?);
            }
        }
    }
    Ok(danger)
}

fn variable(program: &Program, name: &str) -> Option<Var> {
    let called = |v: &Var| program.name(*v) == name || program.vars[*v].source.as_ref().is_some_and(|s| s.name == name);
    program.vars.ids().find(called)
}

fn converted(terms: &mut Store, t: Term, sort: Sort) -> Option<Term> {
    match sort {
        Sort::Bv(width) => Some(terms.resize(t, width, true)),
        Sort::Bool => Some(terms.nonzero(t)),
        _ => None,
    }
}

/// The value that the variable gets right after each head of its loop, as a term about the state at the head.
fn at_heads(
    program: &Program,
    terms: &mut Store,
    wto: &Wto,
    var: Var,
    place: &str,
) -> Result<Vec<(Loc, Term)>, String> {
    let main = program.main();
    let mut heads: Vec<Loc> = Vec::new();
    for edge in main.edges.values().filter(|e| wto.reaches(e.from) && e.op.written().contains(&var)) {
        // The initialisation of the variable is outside of all loops.
        if let Some(head) = wto.heads_around(edge.from).last()
            && !heads.contains(head)
        {
            heads.push(*head);
        }
    }
    if heads.is_empty() {
        return Err(format!("there is no loop at {place}, or it is never repeated"));
    }
    let mut found = Vec::new();
    for head in heads {
        let value = value_after(program, terms, wto, head, var)
            .ok_or(format!("the loop at {place} does not test its condition first: that is not supported"))?;
        found.push((head, value));
    }
    Ok(found)
}

/// Follows control from the head to where the variable is assigned. `None` if something else may happen before.
fn value_after(program: &Program, terms: &mut Store, wto: &Wto, head: Loc, var: Var) -> Option<Term> {
    let main = program.main();
    let successors = main.successors();
    let start = (terms.tt(), State::arbitrary(program));
    let mut pending = BTreeMap::from([(wto.position(head), vec![start])]);
    let mut values: Vec<(Term, Term)> = Vec::new();
    while let Some((position, arrivals)) = pending.pop_first() {
        let loc = wto.loc_at(position);
        let mut arrivals = arrivals.into_iter();
        let (mut guard, mut state) = arrivals.next()?;
        for (other, mut next) in arrivals {
            next.merge(terms, other, &state);
            state = next;
            guard = terms.or(guard, other);
        }
        if main.locs[loc].kind != LocKind::Plain || successors[loc].is_empty() {
            return None;
        }
        for &edge in &successors[loc] {
            let info = &main.edges[edge];
            if let Op::Assign(pairs) = &info.op
                && let Some((_, t)) = pairs.iter().find(|(v, _)| *v == var)
            {
                let value = evaluate_term(program, terms, &state, *t);
                values.push((guard, value));
                continue;
            }
            if matches!(info.op, Op::Havoc { .. }) || wto.is_head(info.to) {
                return None;
            }
            let Some(step) = step(program, terms, &state, &info.op) else { continue };
            let guard = terms.and(guard, step.condition);
            pending.entry(wto.position(info.to)).or_default().push((guard, step.state));
        }
    }
    let (_, mut value) = values.pop()?;
    for (guard, other) in values {
        value = terms.ite(guard, other, value);
    }
    Some(value)
}

/// The inputs that are taken right after the variable was assigned.
fn inputs_after(program: &Program, wto: &Wto, var: Var) -> Vec<Edge> {
    let main = program.main();
    let successors = main.successors();
    let mut found = Vec::new();
    let starts = main.edges.values().filter(|e| wto.reaches(e.from) && e.op.written().contains(&var)).map(|e| e.to);
    for start in starts {
        let mut loc = start;
        for _ in 0..main.locs.len() {
            let [edge] = successors[loc][..] else { break };
            if let Op::Havoc { origin: Origin::Input(_) | Origin::Extern(_), .. } = main.edges[edge].op {
                found.push(edge);
                break;
            }
            loc = main.edges[edge].to;
        }
    }
    found.sort_unstable_by_key(|e| e.index());
    found.dedup();
    found
}

/// What is wrong, in the program's words.
fn failed(program: &Program, failure: &Failure) -> DangerFinding {
    let Failure::Violated { broken, from, to, state } = failure else {
        return DangerFinding::Unknown(Why::NotConfirmed(failure.to_string()));
    };
    let main = program.main();
    let place = |loc: Loc| program.sources.place(main.locs[loc].loop_span.unwrap_or(main.locs[loc].span));
    let start =
        if *from == main.entry { "the initial state".to_owned() } else { format!("the loop at {}", place(*from)) };
    let why = match broken {
        Broken::Initial => format!("the loop at {} is first reached outside its invariant", place(*to)),
        Broken::Left => format!("from {start} the loop at {} is reached outside its invariant", place(*to)),
        Broken::NotDecreasing => {
            format!("from {start} to the loop at {} the ranking does not decrease", place(*to))
        }
        Broken::WrongEnd => match &main.locs[*to].kind {
            LocKind::Unsupported(what) => format!("from {start} the execution comes to what is not modelled: {what}"),
            LocKind::BoundHit(what) => format!("from {start} the execution exceeds a bound of the model: {what}"),
            _ => format!("from {start} the execution ends without a violation, at {}", place(*to)),
        },
        Broken::Stuck => format!("from {start} an assumption blocks the execution, at {}", place(*to)),
        Broken::NoPredicate => {
            format!("from {start} the loop at {} is reached, about which nothing is said", place(*to))
        }
    };
    let of_source = |(var, value): &(Var, Value)| Some((program.vars[*var].source.clone()?, value.clone()));
    DangerFinding::Fails { why, state: state.iter().filter_map(of_source).collect() }
}
