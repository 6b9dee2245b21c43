//! Several properties in one run, each with its verdict: all together first, and where that does not prove them all, each
//! of those that are open by itself, with its share of the CPU time that is left.

use crate::deliver::Evidence;
use crate::load;
use crate::output::BadInput;
use crate::settings::{Group, ProgramSettings, VerifySettings};
use crate::verify::{Decision, Log, Session, decide};
use cfa::{Program, Property};
use report::{Method, Part, Proof, Verdict};
use std::time::Duration;

/// The first share of each where there is no limit; it doubles from round to round.
const FIRST_SHARE: Duration = Duration::from_secs(10);

/// The verdict on everything, and on each part.
pub(crate) struct Decided {
    pub(crate) whole: Decision,
    pub(crate) parts: Vec<Part>,
}

/// `program` is the program with all properties.
pub(crate) fn decide_all(
    program: &Program,
    settings: &VerifySettings,
    session: &Session,
    log: &mut Log,
) -> Result<Decided, BadInput> {
    let groups = &settings.program.groups;
    if groups.len() < 2 {
        let whole = decide(program, settings, settings.limits.cpu_time, session, log);
        return Ok(Decided { whole, parts: Vec::new() });
    }
    let shares = u32::try_from(groups.len()).unwrap_or(u32::MAX).saturating_add(1);
    let first = settings.limits.cpu_time.map_or(FIRST_SHARE, |limit| limit / shares);
    let together = decide(program, settings, Some(first), session, log);
    if let Verdict::True { .. } = &together.verdict {
        let part = |group: &Group| group.part(together.verdict.clone());
        return Ok(Decided { parts: groups.iter().map(part).collect(), whole: together });
    }
    let mut decisions: Vec<Option<Decision>> = groups.iter().map(|_| None).collect();
    if let Some(violated) = groups.iter().position(|group| group.is_violated(&together.verdict)) {
        decisions[violated] = Some(together);
    }
    let mut share = FIRST_SHARE;
    loop {
        let is_open = |i: &usize| decisions[*i].as_ref().is_none_or(|decision| ran_out(&decision.verdict));
        let open: Vec<usize> = (0..groups.len()).filter(is_open).collect();
        let mut waiting = u32::try_from(open.len()).unwrap_or(u32::MAX);
        for i in &open {
            let time =
                settings.limits.cpu_time.map_or(share, |limit| limit.saturating_sub(session.used(log)) / waiting);
            waiting -= 1;
            session.progress.phase(format!("verifying {}", groups[*i].name));
            let own = alone(settings, &groups[*i]);
            let program = load::lowered(&own.program)?;
            decisions[*i] = Some(decide(&program, &own, Some(session.used(log) + time), session, log));
        }
        share *= 2;
        let undecided = decisions.iter().flatten().any(|decision| ran_out(&decision.verdict));
        if !undecided || settings.limits.cpu_time.is_some() || session.interrupt.is_raised() {
            break;
        }
    }
    let decisions: Vec<Decision> = decisions.into_iter().flatten().collect();
    let parts = groups.iter().zip(&decisions).map(|(group, decision)| group.part(decision.verdict.clone())).collect();
    Ok(Decided { whole: joined(decisions), parts })
}

fn ran_out(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unknown { reason, .. } if reason == "time limit")
}

/// The settings for one group.
fn alone(settings: &VerifySettings, group: &Group) -> VerifySettings {
    let lowering = lower::Options { properties: group.properties.clone(), ..settings.program.lowering.clone() };
    VerifySettings { program: ProgramSettings { lowering, ..settings.program.clone() }, ..settings.clone() }
}

/// False if any is, with the first violation and its evidence; true if all are; otherwise the first that is open says why.
fn joined(decisions: Vec<Decision>) -> Decision {
    let open = decisions.iter().find(|decision| matches!(decision.verdict, Verdict::Unknown { .. }));
    let open = open.map(|decision| decision.verdict.clone());
    let is_violation = |decision: &Decision| matches!(decision.verdict, Verdict::False { .. });
    decisions.into_iter().find(is_violation).unwrap_or_else(|| {
        let witness = Err("the properties were looked at separately; ask for one alone".into());
        let proved = Verdict::True { proof: Proof::new(Method::Parts, None, None) };
        Decision { evidence: Evidence { witness, ..Evidence::none() }, ..Decision::bare(open.unwrap_or(proved)) }
    })
}

impl Group {
    /// Whether a violation that was found is one of this group.
    fn is_violated(&self, verdict: &Verdict) -> bool {
        matches!(verdict, Verdict::False { property, .. } if self.properties.iter().any(|p| p.name() == property))
    }

    fn part(&self, result: Verdict) -> Part {
        let names = |properties: &[Property]| properties.iter().map(|p| p.name().to_owned()).collect();
        Part { name: self.name.clone(), properties: names(&self.properties), result }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_needs_all() {
        let proved = Verdict::True { proof: Proof::new(Method::Simplified, None, None) };
        let open = Verdict::unknown("time limit");
        let joined = |verdicts: &[&Verdict]| {
            joined(verdicts.iter().map(|verdict| Decision::bare((*verdict).clone())).collect()).verdict.to_string()
        };
        assert_eq!(joined(&[&proved, &open]), "unknown(time limit)");
        assert_eq!(joined(&[&proved, &proved]), "true");
        assert!(ran_out(&open) && !ran_out(&Verdict::unknown("unsupported: x")));
    }
}
