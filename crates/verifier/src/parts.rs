//! Several properties in one run, each with its verdict: all together first, and where that does not prove them all, each
//! of those that are open by itself, with its share of the CPU time that is left.

use crate::decide::decide;
use crate::load::{self, BadInput};
use crate::outcome::{Decision, Evidence};
use crate::property::Group;
use crate::request::{Request, Subject};
use crate::session::Session;
use cfa::{Program, Property};
use report::{Kind, Part, Verdict};
use std::time::Duration;

/// The first share of each where there is no limit; it doubles from round to round.
const FIRST_SHARE: Duration = Duration::from_secs(10);

/// The verdict on everything, and on each part.
pub(crate) struct Decided {
    pub(crate) whole: Decision,
    pub(crate) parts: Vec<Part>,
}

/// `program` is the program with all properties.
pub(crate) fn decide_all(program: &Program, request: &Request, session: &Session<'_>) -> Result<Decided, BadInput> {
    let groups = &request.subject.groups;
    let limit = request.limits.cpu_time;
    if groups.len() < 2 {
        let whole = decide(program, request, limit, session);
        return Ok(Decided { whole, parts: Vec::new() });
    }
    // One proof of everything is the shortest way where there is one.
    let first = limit.map_or(FIRST_SHARE, |limit| limit / 2);
    let together = decide(program, &without_termination(request), Some(first), session);
    let is_proved = matches!(together.verdict, Verdict::True { .. });
    if is_proved && !groups.iter().any(Group::is_termination) {
        let part = |group: &Group| group.part(together.verdict.clone());
        return Ok(Decided { parts: groups.iter().map(part).collect(), whole: together });
    }
    let known = |group: &Group| match is_proved {
        true => (!group.is_termination()).then(|| Decision::bare(together.verdict.clone())),
        false => None,
    };
    let mut decisions: Vec<Option<Decision>> = groups.iter().map(known).collect();
    if let Some(violated) = groups.iter().position(|group| group.is_violated(&together.verdict)) {
        decisions[violated] = Some(together);
    }
    let mut share = FIRST_SHARE;
    loop {
        let is_open = |i: &usize| decisions[*i].as_ref().is_none_or(|decision| ran_out(&decision.verdict));
        let open: Vec<usize> = (0..groups.len()).filter(is_open).collect();
        let mut waiting = u32::try_from(open.len()).unwrap_or(u32::MAX);
        for i in &open {
            let time = limit.map_or(share, |limit| limit.saturating_sub(session.used()) / waiting);
            waiting -= 1;
            session.observer.phase(&format!("verifying {}", groups[*i].name));
            let own = alone(request, &groups[*i]);
            let program = load::lowered(&own.subject)?;
            decisions[*i] = Some(decide(&program, &own, Some(session.used() + time), session));
        }
        share *= 2;
        let undecided = decisions.iter().flatten().any(|decision| ran_out(&decision.verdict));
        if !undecided || limit.is_some() || session.cancellation.is_cancelled() {
            break;
        }
    }
    let decisions: Vec<Decision> = decisions.into_iter().flatten().collect();
    let parts: Vec<Part> =
        groups.iter().zip(&decisions).map(|(group, decision)| group.part(decision.verdict.clone())).collect();
    Ok(Decided { whole: joined(decisions, &parts), parts })
}

fn ran_out(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unknown { kind: Kind::TimeLimit, .. })
}

/// What can be asked about at once: termination is a question of its own.
fn without_termination(request: &Request) -> Request {
    let mut targets = request.clone();
    targets.subject.lowering.properties.retain(|property| *property != Property::Termination);
    targets
}

/// The request for one group.
fn alone(request: &Request, group: &Group) -> Request {
    let lowering = lower::Options { properties: group.properties.clone(), ..request.subject.lowering.clone() };
    Request { subject: Subject { lowering, ..request.subject.clone() }, ..request.clone() }
}

/// False if any is, with the first violation and its evidence; true if all are; otherwise the first that is open says why.
fn joined(decisions: Vec<Decision>, parts: &[Part]) -> Decision {
    let open = decisions.iter().find(|decision| matches!(decision.verdict, Verdict::Unknown { .. }));
    let open = open.map(|decision| decision.verdict.clone());
    let is_violation = |decision: &Decision| matches!(decision.verdict, Verdict::False { .. });
    decisions.into_iter().find(is_violation).unwrap_or_else(|| {
        let apart = "the properties were looked at separately; ask for one alone";
        let (witness, certificate) = (Err(apart.into()), Err(apart.into()));
        let verdict = open.or_else(|| Verdict::all(parts)).expect("a part that is neither open nor violated is proved");
        Decision { verdict, evidence: Evidence { witness, certificate, ..Evidence::none() } }
    })
}

impl Group {
    fn is_termination(&self) -> bool {
        self.properties.contains(&Property::Termination)
    }

    /// Whether a violation that was found is one of this group.
    fn is_violated(&self, verdict: &Verdict) -> bool {
        matches!(verdict, Verdict::False { property, .. } if self.properties.iter().any(|p| p.name() == property))
    }

    fn part(&self, result: Verdict) -> Part {
        let names = |properties: &[Property]| properties.iter().map(|p| p.name().to_owned()).collect();
        Part { name: self.name.clone(), properties: names(&self.properties), result }
    }
}
