//! Correctness witnesses.
//!
//! An invariant that does not hold is an error of the program, beside those of the property. Where all of them are
//! k-inductive together, for a small k and without help, the witness is confirmed: its invariants are true and they
//! suffice. Otherwise the engines decide whether the invariants are true; with what they prove being assumed, the property
//! must be k-inductive, or need no induction at all, or the witness is insufficient.

use crate::limits::ONE_RUN;
use crate::{Finding, Run, with_errors};
use base::cpu::Deadline;
use cfa::evidence::{Danger, Proof};
use cfa::{EndKind, Loc, LocKind, Program, Property, Violation};
use engine::Budget;
use interpreter::Limits;
use smt::SolverSettings;
use std::collections::BTreeMap;
use std::time::Duration;
use term::{Store, Term};
use transform::Aim;
use transform::contract::{Calls, claimed, with_contracts};
use transform::pipeline::{Prepared, Settings, prepare};
use validate::execution;
use validate::judge::judge_simplified;
use validate::recheck::{Claim, recheck};
use validate::{Answer, Opinions, Violated};
use verifier::engines::ask;
use witness::extension::Extension;

/// The inductions that are tried.
const DEPTHS: [u32; 6] = [1, 2, 3, 4, 6, 10];

/// What the witness says in the entry of our own.
#[derive(Clone, Copy, Debug)]
pub struct Stated<'a>(pub &'a [Extension]);

impl Stated<'_> {
    /// As a claim about the flat program, in terms of `terms`. A loop or a variable that is no more is left out: the others may do.
    pub(crate) fn claim(self, flat: &Program, terms: &mut Store) -> Danger {
        let mut claim = Danger::default();
        for stated in self.0 {
            let Extension { value, ranking, .. } = stated;
            let Some(head) = witness::head_of(flat, stated) else { continue };
            let Ok(formula) = certificate::read_quantified(flat, terms, value) else { continue };
            claim.invariant.insert(head, formula);
            let components = ranking.iter().map(|text| certificate::read_term(flat, terms, text));
            if let Ok(components) = components.collect::<Result<Vec<Term>, String>>() {
                claim.ranking.insert(head, components);
            }
        }
        claim
    }
}

/// Decides about the program with the invariants put into it.
pub fn correctness(program: &Program, stated: Stated<'_>, budget: &Budget) -> Finding {
    let limits = Limits { deadline: Some(Deadline::after(ONE_RUN.min(budget.left() / 4))), ..Limits::default() };
    if execution::only(program, &limits).is_ok() {
        let how = "there is one execution, in which the invariants and the property hold";
        return Finding::Confirmed { how: how.into(), run: None };
    }
    let by_contracts = folded(program);
    if let Some(folded) = &by_contracts
        && let Finding::Confirmed { how, .. } = correctness(folded, stated, &budget.slice(budget.left() / 3))
    {
        return Finding::Confirmed { how: format!("recursive calls keep their contracts; {how}"), run: None };
    }
    let prepared = prepare(program, &Settings::new(Aim::Targets));
    // Where nothing is said, all executions were explored: that is for engines.
    let says_nothing =
        !program.functions.values().flat_map(|f| f.locs.values()).any(|location| is_claim(&location.kind));
    let for_engines = if says_nothing { 1 } else { 2 };
    // Nor does induction unroll recursion, and what is said in SMT-LIB is more.
    let for_induction = if says_nothing || by_contracts.is_some() || !stated.0.is_empty() { 10 } else { 4 };
    if let Some(how) = suffices(&prepared, &budget.slice(budget.left() / for_induction)) {
        return Finding::Confirmed { how: format!("the invariants hold and the property follows: {how}"), run: None };
    }
    if suffices_with(&prepared, stated, &budget.slice(budget.left() / 2)) {
        let how = "the invariants hold and the property follows: with those in SMT-LIB they are inductive";
        return Finding::Confirmed { how: how.into(), run: None };
    }
    let share = budget.slice(budget.left() / for_engines);
    match ask(program, &prepared, &share) {
        Answer::False(violated) => rejected(violated.evidence()),
        Answer::True(checked) if matches!(checked.evidence().proof, Proof::Exhausted { .. } | Proof::Explored(_)) => {
            Finding::Confirmed {
                how: "the invariants hold and the property follows: every execution was explored".into(),
                run: None,
            }
        }
        Answer::True(_) => from_true_invariants(program, budget),
        Answer::Pending(pending) => without_property(program, budget, &pending.why().to_string()),
        Answer::Unknown(why) => without_property(program, budget, &why.to_string()),
    }
}

/// The program in which recursive calls are what the claims about functions say, if there are such claims.
fn folded(program: &Program) -> Option<Program> {
    let mut program = program.clone();
    let contracts = claimed(&mut program, is_claim)?;
    let says_something = contracts.iter().any(|contract| !contract.before.is_empty() || !contract.after.is_empty());
    says_something.then(|| with_contracts(&program, &contracts, Calls::Recursive).program)
}

/// Whether what the witness says in SMT-LIB is inductive, with all that is checked in the program, for a small k.
fn suffices_with(prepared: &Prepared, stated: Stated<'_>, budget: &Budget) -> bool {
    let flat = &prepared.flat;
    let mut terms = flat.terms.clone();
    let invariants = stated.claim(flat, &mut terms).invariant;
    !invariants.is_empty() && inductive(flat, &terms, &invariants, budget).is_some()
}

fn rejected(violated: &Violated) -> Finding {
    Finding::Rejected { why: why_rejected(violated.violation()), run: Run::of(violated) }
}

fn why_rejected(violation: &Violation) -> String {
    match violation.property {
        Property::Invariant(number) => format!("invariant {} does not hold", number + 1),
        _ => format!("the property is violated: {}", violation.message),
    }
}

fn is_claim(kind: &LocKind) -> bool {
    matches!(kind, LocKind::Error(violation) if is_invariant(violation))
}

fn is_invariant(violation: &Violation) -> bool {
    matches!(violation.property, Property::Invariant(_))
}

/// The invariants are true: does the property follow from them?
fn from_true_invariants(program: &Program, budget: &Budget) -> Finding {
    let assumed = with_errors(program, |violation| is_invariant(violation).then_some(LocKind::End(EndKind::Blocked)));
    match suffices(&prepare(&assumed, &Settings::new(Aim::Targets)), budget) {
        Some(how) => Finding::Confirmed {
            how: format!("the invariants hold, by further invariants of ours; the property follows from them: {how}"),
            run: None,
        },
        None => Finding::Insufficient(
            "the invariants hold, but the property could not be proved from them alone (it can be, with further invariants)"
                .into(),
        ),
    }
}

/// Nothing is known about invariants and property together: are the invariants at least true?
fn without_property(program: &Program, budget: &Budget, why: &str) -> Finding {
    let invariants =
        with_errors(program, |violation| (!is_invariant(violation)).then_some(LocKind::End(EndKind::Abort)));
    let prepared = prepare(&invariants, &Settings::new(Aim::Targets));
    let hold = Finding::Insufficient(format!(
        "the invariants hold, but the property could not be proved from them, nor otherwise ({why})"
    ));
    if suffices(&prepared, &budget.slice(budget.left() / 4)).is_some() {
        return hold;
    }
    match ask(&invariants, &prepared, budget) {
        Answer::False(violated) => rejected(violated.evidence()),
        Answer::True(_) => hold,
        Answer::Pending(pending) => Finding::Unknown(pending.why().to_string()),
        Answer::Unknown(why) => Finding::Unknown(why.to_string()),
    }
}

/// Whether no target can be reached, by induction without any further invariant; how.
pub(crate) fn suffices(prepared: &Prepared, budget: &Budget) -> Option<String> {
    if !prepared.program.main().locs.values().any(|location| location.kind.is_target()) {
        return match judge_simplified(prepared, budget) {
            Answer::True(_) => Some("simplifying the program decides all checks".into()),
            _ => None,
        };
    }
    inductive(&prepared.program, &prepared.program.terms, &BTreeMap::new(), budget)
}

/// Whether no target can be reached, by induction with these invariants; how.
fn inductive(program: &Program, terms: &Store, invariants: &BTreeMap<Loc, Term>, budget: &Budget) -> Option<String> {
    for k in DEPTHS {
        if budget.left() < Duration::from_millis(20) {
            break;
        }
        if proves(program, terms, Claim::Inductive { invariants, k }, budget) {
            return Some(if k == 1 { "they are inductive".into() } else { format!("they are {k}-inductive") });
        }
    }
    None
}

/// Whether the claim is proved, by the solver of engines or by those of the checker: which is fast, nobody can tell.
fn proves(program: &Program, terms: &Store, claim: Claim<'_>, budget: &Budget) -> bool {
    let share = budget.slice(budget.left() / 3);
    let Ok(mut first) = smt::open(&SolverSettings::default().normalising()) else { return false };
    first.limit(&smt::Limits { time: Some(share.left()), cancel: Some(budget.cancel_flag()) });
    match recheck(program, &mut terms.clone(), claim, first.as_mut(), share.deadline()) {
        Ok(()) => return true,
        Err(failure) if failure.refutes() => return false,
        Err(_) => {}
    }
    let Ok(mut both) = Opinions::until(budget.deadline(), budget.cancel_flag()) else { return false };
    recheck(program, &mut terms.clone(), claim, &mut both, budget.deadline()).is_ok()
}
