//! Several properties in one run, each with its verdict: all together first, and where that does not prove them all, each
//! of those that are open by itself, with its share of the CPU time that is left.

use crate::load;
use crate::output::{self, BadInput};
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
    let mut verdicts: Vec<Option<Verdict>> = groups.iter().map(|group| violated(group, &together.verdict)).collect();
    let mut share = FIRST_SHARE;
    loop {
        let open: Vec<usize> = (0..groups.len()).filter(|i| verdicts[*i].as_ref().is_none_or(ran_out)).collect();
        let mut waiting = u32::try_from(open.len()).unwrap_or(u32::MAX);
        for i in &open {
            let time =
                settings.limits.cpu_time.map_or(share, |limit| limit.saturating_sub(session.used(log)) / waiting);
            waiting -= 1;
            session.progress.phase(format!("verifying {}", groups[*i].name));
            let own = alone(settings, &groups[*i], &verdicts);
            let program = load::lowered(&own.program)?;
            verdicts[*i] = Some(decide(&program, &own, Some(session.used(log) + time), session, log).verdict);
        }
        share *= 2;
        let undecided = verdicts.iter().flatten().any(ran_out);
        if !undecided || settings.limits.cpu_time.is_some() || session.interrupt.is_raised() {
            break;
        }
    }
    let verdicts: Vec<Verdict> =
        verdicts.into_iter().map(|v| v.unwrap_or_else(|| Verdict::unknown("cancelled"))).collect();
    let picture = together.picture;
    let whole = Decision { verdict: joined(&verdicts), picture };
    if settings.witness.is_some() && matches!(whole.verdict, Verdict::True { .. }) {
        output::note("no witness is written: the properties were proved separately; ask for one alone");
    }
    Ok(Decided { whole, parts: groups.iter().zip(verdicts).map(|(group, verdict)| group.part(verdict)).collect() })
}

/// The verdict on the group, where that on everything tells.
fn violated(group: &Group, together: &Verdict) -> Option<Verdict> {
    match together {
        Verdict::False { property, .. } if group.properties.iter().any(|p| p.name() == property) => {
            Some(together.clone())
        }
        _ => None,
    }
}

fn ran_out(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unknown { reason, .. } if reason == "time limit")
}

/// The settings for one group. Files that speak of one counterexample are those of the first.
fn alone(settings: &VerifySettings, group: &Group, verdicts: &[Option<Verdict>]) -> VerifySettings {
    let found = verdicts.iter().flatten().any(|verdict| matches!(verdict, Verdict::False { .. }));
    let lowering = lower::Options { properties: group.properties.clone(), ..settings.program.lowering.clone() };
    VerifySettings {
        program: ProgramSettings { lowering, property_text: String::new(), ..settings.program.clone() },
        harness: settings.harness.clone().filter(|_| !found),
        witness: None,
        ..settings.clone()
    }
}

/// False if any is, with the first violation; true if all are; otherwise the first that is open says why.
fn joined(verdicts: &[Verdict]) -> Verdict {
    let first = |wanted: fn(&Verdict) -> bool| verdicts.iter().find(|verdict| wanted(verdict)).cloned();
    first(|verdict| matches!(verdict, Verdict::False { .. }))
        .or_else(|| first(|verdict| matches!(verdict, Verdict::Unknown { .. })))
        .unwrap_or(Verdict::True { proof: Proof::new(Method::Parts, None, None) })
}

impl Group {
    fn part(&self, result: Verdict) -> Part {
        let names = |properties: &[Property]| properties.iter().map(|p| p.name().to_owned()).collect();
        Part { name: self.name.clone(), properties: names(&self.properties), result }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_violation_outweighs_and_a_proof_needs_all() {
        let proved = Verdict::True { proof: Proof::new(Method::Simplified, None, None) };
        let open = Verdict::unknown("time limit");
        assert_eq!(joined(&[proved.clone(), open.clone()]).to_string(), "unknown(time limit)");
        assert_eq!(joined(&[proved.clone(), proved]).to_string(), "true");
        assert!(ran_out(&open) && !ran_out(&Verdict::unknown("unsupported: x")));
    }
}
