//! Whether every execution ends: a ranking of all executions or all of them unwound, or a strategy that never comes to an end.

use crate::facts::{Effort, Inference, proved};
use crate::floats;
use crate::lasso::lasso;
use crate::limits::unwinding::MOST_ITERATIONS;
use crate::measures;
use crate::phases::phases;
use crate::prove::Wanted;
use crate::rank::{self, ranking};
use crate::search::Search;
use crate::settings::Settings;
use crate::strategy::Problem;
use cfa::{Loc, Program, Var};
use encode::{Bounded, why_unknown};
use engine::{Cx, Evidence, Proof, Stop, Task, Verdict, Why};
use flow::wto::Wto;
use infer::AtHeads;
use infer::candidates::program;
use infer::segments::{Comes, Decides, Segment, merged};
use std::collections::{BTreeMap, BTreeSet};
use term::Sort;

/// By a ranking; where there is none, by unwinding all loops until nothing is left.
pub(crate) fn always_ends(task: &Task, settings: &Settings, cx: &mut Cx) -> Result<Verdict, Stop> {
    let whole = cx.budget.clone();
    cx.budget = whole.slice(whole.left() - whole.left() / settings.unwinding_part);
    let mut open = None;
    let ranked = ends(&task.program, settings, &mut open, cx);
    cx.budget = whole;
    let is_ranked = match ranked {
        Ok(Some(proof)) => return Ok(Verdict::Safe(proof)),
        Ok(None) => true,
        Err(Stop::Timeout) => cx.budget.check().map(|()| false)?,
        Err(stop) => return Err(stop),
    };
    let whole = cx.budget.clone();
    cx.budget = whole.slice(whole.left() / if is_ranked { settings.unwinding_part } else { 1 });
    let (unwound, beyond) = unwound(task, cx);
    cx.budget = whole;
    let is_unwound = unwound != Err(Stop::Timeout);
    match (unwound, beyond, open) {
        (Ok(Some(proof)), ..) => Ok(Verdict::Safe(proof)),
        (Err(stop), ..) if stop != Stop::Timeout => Err(stop),
        // That is reached, whatever becomes of the loops.
        (_, Some(why), _) => Ok(Verdict::Unknown(why)),
        // More time may help with what stands in the way.
        (_, None, Some(Open::Beyond(_) | Open::Irreducible)) if !is_ranked => Err(Stop::Timeout),
        (_, None, Some(open)) => Ok(Verdict::Unknown(open.why(&task.program, is_ranked && is_unwound))),
        (_, None, None) => Err(Stop::Timeout),
    }
}

/// All executions, unwound as far as they go, if that is not too far; and what of the model's limits they come to.
fn unwound(task: &Task, cx: &mut Cx) -> (Result<Option<Proof>, Stop>, Option<Why>) {
    let ended = Task::new(task.program.with_errors_as_ends());
    let wto = Wto::new(ended.program.main());
    let mut loops = match Bounded::new(&ended, &wto, cx) {
        Ok(loops) => loops,
        Err(stop) => return (Err(stop), None),
    };
    let mut bound = 1;
    let proof = loop {
        match loops.advance(bound, cx) {
            Ok(Some(Verdict::Safe(proof))) => break Ok(Some(proof)),
            Ok(None) if bound < MOST_ITERATIONS => bound = bound.saturating_mul(2),
            Ok(_) => break Ok(None),
            Err(stop) => break Err(stop),
        }
    };
    (proof, loops.unknown())
}

pub(crate) fn never_ends(task: &Task, settings: &Settings, cx: &mut Cx) -> Result<Verdict, Stop> {
    let problem = Problem::new(&task.program, settings, &mut cx.terms);
    let mut search = Search::new(&problem, cx, Wanted::Forever);
    let whole = cx.budget.clone();
    cx.budget = whole.slice(settings.lasso_time.min(whole.left() / settings.lasso_part));
    let back = lasso(&problem, cx);
    cx.budget = whole;
    let found = match back {
        Some(strategy) => search.consider(cx, strategy)?,
        None => None,
    };
    let found = if found.is_some() { found } else { search.run(cx)? };
    Ok(match found {
        Some(danger) => Verdict::Unsafe(Evidence::Endless(danger)),
        None => Verdict::Unknown(Why::GaveUp("no recurrence set among those tried".into())),
    })
}

/// What stands in the way of a proof.
enum Open {
    /// Loops that no ranking explains.
    Loops(rank::Open),
    /// No invariant excludes that this is reached, which is not modelled, or beyond the model's bounds.
    Beyond(Loc),
    /// The automaton's loops are not those of the program.
    Irreducible,
}

impl Open {
    fn why(&self, program: &Program, is_all_tried: bool) -> Why {
        let heads = match self {
            Open::Loops(heads) => heads,
            Open::Beyond(loc) => {
                return Why::GaveUp(format!("nothing was found that excludes this: {}", why_unknown(program, *loc)));
            }
            Open::Irreducible => return Why::GaveUp("a loop with several entries".into()),
        };
        let place = |head: &Loc| {
            let location = &program.main().locs[*head];
            program.sources.place(location.loop_span.unwrap_or(location.span))
        };
        let mut places: Vec<String> = heads.iter().map(place).collect();
        places.dedup();
        let loops = match &places[..] {
            [one] => format!("the loop at {one}"),
            several => format!("the loops at {}", several.join(", ")),
        };
        Why::MayNotEnd { loops, is_all_tried }
    }
}

/// A proof that every execution ends; what stands in the way of one is known before all is tried.
fn ends(program: &Program, settings: &Settings, open: &mut Option<Open>, cx: &mut Cx) -> Result<Option<Proof>, Stop> {
    let settings = &Settings { ranking_by_conditions: true, ..settings.clone() };
    let wto = Wto::new(program.main());
    if !wto.is_reducible(program.main()) {
        *open = Some(Open::Irreducible);
        return Ok(None);
    }
    let known = proved(program, &wto, cx)?;
    let budget = cx.budget.clone();
    let pieces = merged(program, &mut cx.terms, &wto, Decides::Nobody, &budget)?;
    let mut atoms = asked_at_heads(program, &cx.terms, &pieces);
    for atom in program::atoms(program, &cx.terms) {
        if !atoms.contains(&atom) {
            atoms.push(atom);
        }
    }
    let live = flow::live_at_heads(program, &wto);
    for phase in phases(program, &measures::changed_in_loops(program, &wto)).conditions(program, &mut cx.terms) {
        if !atoms.contains(&phase) {
            atoms.push(phase);
        }
    }
    // What is not negative stays so in most loops, and much follows from it.
    let mut conditions = atoms.clone();
    for v in wto.heads().flat_map(|head| live[head].clone()).collect::<BTreeSet<Var>>() {
        if let Sort::Bv(2..) = program.vars[v].sort {
            let number = program.term(v);
            let zero = cx.terms.bv(0, cx.terms.width(number));
            let is_positive = cx.terms.sle(zero, number);
            if !conditions.contains(&is_positive) {
                conditions.push(is_positive);
            }
        }
        if let Some(condition) = floats::not_negative(program, &mut cx.terms, v)
            && !conditions.contains(&condition)
        {
            conditions.push(condition);
        }
    }
    let (rows, cells) = (BTreeMap::new(), BTreeSet::new());
    let inference = Inference {
        program,
        segments: &pieces,
        proved: &known,
        rows: &rows,
        cells: &cells,
        atoms: &conditions,
        live: &live,
        settings,
    };
    for implications in [false, true] {
        let predicates = inference.run(cx, Effort { implications, ..Effort::LEAST })?;
        if let Some(beyond) = leaves(cx, settings, &pieces, &known, &predicates)? {
            open.get_or_insert(Open::Beyond(beyond));
            continue;
        }
        match ranking(program, &wto, &pieces, &predicates, &atoms, settings, cx)? {
            Ok(ranking) => {
                let ff = cx.terms.ff();
                let at = predicates.into_iter().filter(|(_, t)| *t != ff).collect();
                return Ok(Some(Proof::Ranking { at, ranking }));
            }
            Err(heads) => *open = Some(Open::Loops(heads)),
        }
    }
    Ok(None)
}

/// The conditions that decide what happens next, in terms of the state at the head.
fn asked_at_heads(program: &Program, terms: &term::Store, pieces: &[Segment]) -> Vec<term::Term> {
    let of_state = |t: &term::Term| term::walk::free_vars(terms, &[*t]).iter().all(|v| program.var_of(*v).is_some());
    let guards: Vec<term::Term> =
        pieces.iter().filter(|p| p.from.is_some()).flat_map(|p| p.conditions.clone()).collect();
    program::atomic_conditions(terms, &guards).into_iter().filter(of_state).collect()
}

/// Where executions may leave what is modelled.
fn leaves(
    cx: &mut Cx,
    settings: &Settings,
    pieces: &[Segment],
    known: &AtHeads,
    predicates: &BTreeMap<cfa::Loc, term::Term>,
) -> Result<Option<Loc>, Stop> {
    let mut solver = cx.solver()?;
    for piece in pieces.iter().filter(|p| p.comes == Comes::Beyond) {
        let mut asked = piece.conditions.clone();
        if let Some(head) = piece.from {
            asked.push(predicates[&head]);
            asked.extend(&known[&head]);
        }
        if cx.try_sat(solver.as_mut(), &asked, settings.attempt_time)? != Some(false) {
            return Ok(Some(piece.to));
        }
    }
    Ok(None)
}
