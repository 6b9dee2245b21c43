//! The conditions of a program and its invariants, as files. Maker and checker both get them from here.

use crate::algebra;
use crate::formula;
use crate::limits::read::{MAX_BOUND, MAX_CONDITIONS, MAX_DECISIONS};
use crate::manifest::Invariant;
use base::cpu::Deadline;
use base::table::Id;
use bitblast::Blasted;
use cfa::{Loc, LocKind, Program};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use term::smtlib::Dialect;
use term::{Store, Term};
use validate::conditions::{Collected, Condition, Scheme, Start};
use validate::recheck::{self, Failure};

/// The conditions, and the store that they live in.
pub(crate) struct Stated {
    pub(crate) collected: Collected,
    pub(crate) terms: Store,
}

/// One condition as its files say it.
pub(crate) struct Text {
    pub(crate) says: String,
    pub(crate) location: u32,
    pub(crate) place: String,
    pub(crate) smt2: String,
    pub(crate) blasted: Blasted,
    pub(crate) cnf: String,
    /// How many lemmas of algebra are among the clauses, and the steps of their proofs, which are checked.
    pub(crate) lemmas: usize,
    pub(crate) steps: u64,
}

/// States the conditions of the flat program. They are made anew from texts, so that they are the same wherever that is done.
pub(crate) fn state(
    program: &Program,
    invariants: &[Invariant],
    scheme: &Scheme,
    deadline: Deadline,
) -> Result<Stated, Failed> {
    if let Scheme::Induction { k: n } | Scheme::Exhausted { bound: n } = scheme
        && *n > MAX_BOUND
    {
        return Err(Failed::Wrong(format!("loops are unwound more than {MAX_BOUND} times")));
    }
    if let Scheme::Paths(tree) = scheme
        && tree.decisions.len() > MAX_DECISIONS
    {
        return Err(Failed::Wrong(format!("there are more than {MAX_DECISIONS} decisions on its paths")));
    }
    let mut terms = program.terms.clone();
    let mut at: BTreeMap<Loc, Term> = BTreeMap::new();
    for Invariant { location, formula, .. } in invariants {
        let wrong = |why: String| Failed::Wrong(format!("the invariant at L{location}: {why}"));
        if *location as usize >= program.main().locs.len() {
            return Err(wrong("there is no such location".into()));
        }
        let read = formula::read(program, &mut terms, formula).map_err(wrong)?;
        if at.insert(Loc::new(*location as usize), read).is_some() {
            return Err(wrong("there is another one".into()));
        }
    }
    let collected = recheck::conditions(program, &mut terms, &at, scheme, deadline).map_err(|failure| {
        if failure.refutes() { Failed::Wrong(failure.to_string()) } else { Failed::Open(failure.to_string()) }
    })?;
    if collected.conditions.len() > MAX_CONDITIONS {
        return Err(Failed::Open(format!("there are more than {MAX_CONDITIONS} conditions")));
    }
    Ok(Stated { collected, terms })
}

/// Why there are no conditions, no clauses or no proof.
pub(crate) enum Failed {
    /// It is not a proof.
    Wrong(String),
    /// It may be one, but not one that can be handled here.
    Open(String),
}

/// The files of a condition. With lemmas of algebra, as their file has them, products are any values in its clauses, but
/// for what the lemmas say.
pub(crate) fn text(
    program: &Program,
    terms: &Store,
    condition: &Condition,
    algebra: Option<&str>,
    deadline: Deadline,
) -> Result<Text, Failed> {
    let says = says(program, condition);
    let location = about(&condition.denies);
    let smt2 = format!("; {says}\n; unsat is what has to be shown\n{}", script(terms, condition.bad));
    let mut terms = terms.clone();
    let (mut bad, mut lemmas, mut steps, mut note) = (condition.bad, 0, 0, String::new());
    if let Some(text) = algebra {
        let wrong = |why: String| Failed::Wrong(format!("{says}: lemmas of algebra: {why}"));
        let all = algebra::read(program, &mut terms, text).map_err(wrong)?;
        for lemma in &all {
            if deadline.is_over() {
                return Err(Failed::Open("time limit".into()));
            }
            steps += lemma.check(&mut terms).map_err(wrong)?;
        }
        bad = algebra::with_lemmas(&mut terms, bad, &all, true);
        lemmas = all.len();
        note = format!("c products are any values, but for what {lemmas} lemmas of algebra say of them\n");
    }
    let blasted = bitblast::blast(&terms, bad).map_err(|why| Failed::Open(format!("{says}: {why}")))?;
    let cnf = note + &dimacs(&terms, &says, &blasted);
    let (location, place) = (location.index() as u32, place(program, location));
    Ok(Text { location, place, says, smt2, blasted, cnf, lemmas, steps })
}

fn script(terms: &Store, bad: Term) -> String {
    term::smtlib::print_script(terms, &[bad], Dialect::V26)
}

/// With the bits of each variable in comments.
fn dimacs(terms: &Store, says: &str, blasted: &Blasted) -> String {
    let mut text = format!("c {says}\n");
    for (var, bits) in &blasted.inputs {
        let name = terms.symbol_name(*var).unwrap_or_default().replace(char::is_control, "?");
        let _ = write!(text, "c {name} =");
        bits.iter().filter_map(|bit| bit.number()).for_each(|number| _ = write!(text, " {number}"));
        text.push('\n');
    }
    text + &blasted.cnf.write()
}

fn about(denies: &Failure) -> Loc {
    match denies {
        Failure::InvariantViolated(loc)
        | Failure::TargetReachable(loc)
        | Failure::NotExhausted(loc)
        | Failure::Unexplored(loc)
        | Failure::BadOrder(loc)
        | Failure::ForeignSymbol { at: loc, .. } => *loc,
        Failure::NoAnswer(_) | Failure::TooLarge => Loc::new(0),
    }
}

/// Where a location is in the user's files, which may be in another folder elsewhere.
pub(crate) fn place(program: &Program, loc: Loc) -> String {
    let info = &program.main().locs[loc];
    let place = program.sources.place(info.loop_span.unwrap_or(info.span)).replace(char::is_control, "?");
    place.rsplit('/').next().unwrap_or_default().to_owned()
}

/// What a condition shows, in one line.
fn says(program: &Program, condition: &Condition) -> String {
    let at = |loc: Loc| format!("{loc} ({})", place(program, loc));
    let from = match condition.start {
        Start::Entry => "from the entry".to_owned(),
        Start::Head(head) => format!("from the loop head {}, in any state of its invariant,", at(head)),
        Start::Anywhere => "from the last visits of loops".to_owned(),
        Start::Path => "along one path from the entry".to_owned(),
    };
    let loc = about(&condition.denies);
    let shown = match &condition.denies {
        Failure::InvariantViolated(_) => format!("the invariant holds at {}", at(loc)),
        Failure::Unexplored(_) => format!("{} is not come to", at(loc)),
        Failure::NotExhausted(_) => format!("the loop at {} goes on no further", at(loc)),
        _ => match &program.main().locs[loc].kind {
            LocKind::Error(violation) => format!("{} ({}) is not reached", at(loc), violation.property.name()),
            LocKind::Unsupported(what) => format!("{} (not modelled: {what}) is not reached", at(loc)),
            LocKind::BoundHit(what) => format!("{} (bound hit: {what}) is not reached", at(loc)),
            _ => format!("{} is not reached", at(loc)),
        },
    };
    format!("{from} {shown}").replace(char::is_control, "?")
}
