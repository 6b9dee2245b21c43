//! Several properties in one run, each with its verdict: all together first, and again without one that is violated; where
//! that does not prove them all, each of those that are open by itself, with its share of the CPU time that is left.

use crate::decide::decide;
use crate::limits::decide::FIRST_SHARE;
use crate::load::{self, BadInput};
use crate::outcome::{Decision, Evidence};
use crate::property::Group;
use crate::request::{Request, Subject};
use crate::session::Session;
use crate::trust;
use cfa::{LocKind, Program, Property};
use report::{Kind, Part, Verdict};
use std::collections::BTreeSet;
use std::time::Duration;

/// The part of the time that is kept for looking at each property by itself. Where there are many, none gets far with a share
/// of it that is smaller than what all had together.
fn share_of_the_rest(properties: usize) -> u32 {
    if properties > 2 { 4 } else { 2 }
}

/// The verdict on everything, and on each part.
pub(crate) struct Decided {
    pub(crate) whole: Decision,
    pub(crate) parts: Vec<Part>,
}

/// `program` is the program with all properties, `checked` are those that there is something to check for.
pub(crate) fn decide_all(
    program: &Program,
    checked: &BTreeSet<Property>,
    request: &Request,
    session: &Session<'_>,
) -> Result<Decided, BadInput> {
    if request.subject.groups.len() < 2 {
        let whole = decide_with_invariants(program, request, request.limits.cpu_time, session)?;
        return Ok(Decided { whole, parts: Vec::new() });
    }
    let decisions = request.subject.groups.iter().map(|_| None).collect();
    let mut parts = Parts { request, session, decisions, proof_of_all: None };
    if request.subject.is_usual {
        parts.leave_out_empty(checked);
        if parts.open(|_| true).is_empty() && goes_beyond_the_model(program) {
            // What is not modelled may do anything, unless it is shown that no execution gets there.
            let whole = decide(program, request, request.limits.cpu_time, session);
            if let Verdict::Unknown { .. } = whole.verdict {
                return Ok(Decided { whole, parts: Vec::new() });
            }
        }
    }
    parts.together(program)?;
    parts.alone()?;
    Ok(parts.joined())
}

/// What is decided so far, by group.
struct Parts<'a> {
    request: &'a Request,
    session: &'a Session<'a>,
    decisions: Vec<Option<Decision>>,
    /// One that covers every group in which there is anything to check.
    proof_of_all: Option<Decision>,
}

impl<'a> Parts<'a> {
    fn groups(&self) -> &'a [Group] {
        &self.request.subject.groups
    }

    /// Says that there is nothing to check, of the groups of which that is so.
    fn leave_out_empty(&mut self, checked: &BTreeSet<Property>) {
        for i in 0..self.groups().len() {
            let properties = &self.groups()[i].properties;
            if !properties.iter().any(|property| checked.contains(property)) {
                let missing = trust::missing(properties, &self.request.subject.lowering);
                self.settle(i, Decision::bare(Verdict::nothing_to_check(&missing)));
            }
        }
    }

    /// One proof of everything is the shortest way where there is one. A violation leaves the others open, together.
    fn together(&mut self, program: &Program) -> Result<(), BadInput> {
        // Termination is a question of its own.
        let mut open = self.open(|group| !group.is_termination());
        let mut read;
        let mut program = program;
        let mut is_first = true;
        while open.len() > usize::from(!is_first) {
            let mut request = self.request.clone();
            request.subject.lowering.asks_divisions_apart = asks_divisions(self.request);
            let properties = &mut request.subject.lowering.properties;
            let asked = properties.len();
            properties.retain(|property| open.iter().any(|i| self.groups()[*i].properties.contains(property)));
            // A certificate is about the program with the properties that it names.
            if !is_first || request.keep.certificate && properties.len() < asked {
                read = load::lowered(&request.subject)?;
                program = &read;
            }
            // Alone, it is not one of several ways.
            let is_last = self.open(|_| true).len() == 1;
            let time = match self.request.limits.cpu_time {
                Some(limit) if is_last => Some(limit),
                Some(limit) => {
                    let left = limit.saturating_sub(self.session.used());
                    Some(self.session.used() + left - left / share_of_the_rest(open.len()))
                }
                None if is_last => None,
                None => Some(self.session.used() + FIRST_SHARE),
            };
            request.plan.more_for_checks = match (self.request.limits.cpu_time, time) {
                (Some(limit), Some(time)) => limit.saturating_sub(time) / 2,
                _ => Duration::ZERO,
            };
            let decision = decide(program, &request, time, self.session);
            match &decision.verdict {
                Verdict::True { .. } => {
                    for i in open {
                        self.settle(i, Decision::bare(decision.verdict.clone()));
                    }
                    if is_first && self.open(|_| true).is_empty() {
                        self.proof_of_all = Some(decision);
                    }
                    return Ok(());
                }
                Verdict::False { .. } => {
                    let Some(at) = open.iter().position(|i| self.groups()[*i].is_violated(&decision.verdict)) else {
                        return Ok(());
                    };
                    self.settle(open.remove(at), decision);
                }
                Verdict::Unknown { .. } if is_last => {
                    self.settle(open[0], decision);
                    return Ok(());
                }
                Verdict::Unknown { .. } => return Ok(()),
            }
            is_first = false;
        }
        Ok(())
    }

    /// In rounds where there is no limit.
    fn alone(&mut self) -> Result<(), BadInput> {
        let limit = self.request.limits.cpu_time;
        let mut open = self.open(|_| true);
        let mut share = FIRST_SHARE;
        while !open.is_empty() {
            let mut waiting = u32::try_from(open.len()).unwrap_or(u32::MAX);
            for i in &open {
                let group = &self.groups()[*i];
                let used = self.session.used();
                let time = match limit {
                    Some(limit) => Some(used + limit.saturating_sub(used) / waiting),
                    None if open.len() == 1 => None,
                    None => Some(used + share),
                };
                waiting -= 1;
                self.session.observer.phase(&format!("verifying {}", group.name));
                let own = alone(self.request, group);
                let program = load::lowered(&own.subject)?;
                let decision = decide_with_invariants(&program, &own, time, self.session)?;
                self.settle(*i, decision);
            }
            if limit.is_some() || self.session.cancellation.is_cancelled() {
                break;
            }
            share *= 2;
            open.retain(|i| self.decisions[*i].as_ref().is_some_and(|decision| ran_out(&decision.verdict)));
        }
        Ok(())
    }

    fn open(&self, which: impl Fn(&Group) -> bool) -> Vec<usize> {
        let groups = self.groups();
        (0..groups.len()).filter(|i| self.decisions[*i].is_none() && which(&groups[*i])).collect()
    }

    fn settle(&mut self, i: usize, decision: Decision) {
        let is_open = |decision: &Option<Decision>| decision.as_ref().is_none_or(|d| ran_out(&d.verdict));
        let others = self.decisions.iter().enumerate().any(|(other, decision)| other != i && is_open(decision));
        if others && !ran_out(&decision.verdict) {
            self.session.observer.decided(&self.groups()[i].part(decision.verdict.clone()));
        }
        self.decisions[i] = Some(decision);
    }

    /// With the evidence of the first violation, or of the proof where there is one for everything.
    fn joined(self) -> Decided {
        let decisions: Vec<Decision> = self.decisions.into_iter().flatten().collect();
        let groups = &self.request.subject.groups;
        let parts: Vec<Part> =
            groups.iter().zip(&decisions).map(|(group, decision)| group.part(decision.verdict.clone())).collect();
        let verdict = Verdict::joined(&parts);
        let is_violation = |decision: &Decision| matches!(decision.verdict, Verdict::False { .. });
        let whole = self.proof_of_all.or_else(|| decisions.into_iter().find(is_violation));
        let apart = "the properties were looked at separately; ask for one alone";
        let whole = whole.unwrap_or_else(|| Decision {
            verdict,
            evidence: Evidence {
                witness: Err(apart.into()),
                certificate: Err(apart.into()),
                annotated: Err(apart.into()),
                ..Evidence::none()
            },
        });
        Decided { whole, parts }
    }
}

/// Decides a program in which the user's loop invariants are asserted even if `assert` is not asked for. One that does not
/// hold, or that nobody proves, is then left out: it is no answer to the question.
fn decide_with_invariants(
    program: &Program,
    request: &Request,
    time: Option<Duration>,
    session: &Session<'_>,
) -> Result<Decision, BadInput> {
    let asked = &request.subject.lowering.properties;
    let mut kinds = program.functions.values().flat_map(|f| f.locs.values()).map(|location| &location.kind);
    let has_invariants = kinds.any(|kind| matches!(kind, LocKind::Error(found) if found.property == Property::Assert));
    if asked.contains(&Property::Assert) || !has_invariants {
        return Ok(decide(program, request, time, session));
    }
    let used = session.used();
    let first = time.map_or(FIRST_SHARE, |time| time.saturating_sub(used) / 2);
    let decision = decide(program, request, Some(used + first), session);
    let is_answer = match &decision.verdict {
        Verdict::True { .. } => true,
        Verdict::False { property, .. } => asked.iter().any(|asked| asked.name() == property),
        Verdict::Unknown { .. } => session.cancellation.is_cancelled(),
    };
    if is_answer {
        return Ok(decision);
    }
    if let Verdict::False { .. } = decision.verdict {
        session.note("note: a loop invariant of the program does not hold; --property assert shows why".to_owned());
    }
    let mut without = request.clone();
    without.subject.lowering.contracts.with_invariants = false;
    let program = load::lowered(&without.subject)?;
    Ok(decide(&program, &without, time, session))
}

fn goes_beyond_the_model(program: &Program) -> bool {
    let mut kinds = program.functions.values().flat_map(|f| f.locs.values()).map(|location| &location.kind);
    kinds.any(|kind| matches!(kind, LocKind::Unsupported(_) | LocKind::BoundHit(_)))
}

fn ran_out(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unknown { kind: Kind::TimeLimit, .. })
}

/// Whether there is a verdict about divisions by zero, beside others that then need not speak of them.
fn asks_divisions(request: &Request) -> bool {
    request.subject.lowering.properties.contains(&Property::DivByZero)
}

/// The request for one group.
fn alone(request: &Request, group: &Group) -> Request {
    let mut lowering = lower::Options { properties: group.properties.clone(), ..request.subject.lowering.clone() };
    lowering.contracts.with_invariants &= !group.is_termination();
    lowering.asks_divisions_apart = asks_divisions(request);
    Request { subject: Subject { lowering, ..request.subject.clone() }, ..request.clone() }
}

impl Group {
    fn is_termination(&self) -> bool {
        self.properties.contains(&Property::Termination)
    }

    /// Whether a violation that was found is one of this group.
    fn is_violated(&self, verdict: &Verdict) -> bool {
        matches!(verdict, Verdict::False { property, .. } if self.properties.iter().any(|p| p.name() == property))
    }

    pub(crate) fn part(&self, result: Verdict) -> Part {
        let names = |properties: &[Property]| properties.iter().map(|p| p.name().to_owned()).collect();
        Part { name: self.name.clone(), properties: names(&self.properties), result }
    }
}
