//! Verdicts are made here and nowhere else, from evidence that `validate` has checked: the variants of [`Verdict`] cannot be
//! built outside of this crate.

use crate::model::{Counterexample, FunctionContract, Kind, Known, Method, Native, Part, Proof, Verdict};
use crate::{danger, execution, proof};
use cfa::{Program, Property};
use engine::Why;
use validate::execution::OnlyExecution;
use validate::{Check, Checked, FoundProof, Violated};

/// So the reason begins where there is nothing to check.
const NOTHING_TO_CHECK: &str = "nothing to check";

impl Verdict {
    /// `program` is the prepared one, which the proof speaks of.
    pub fn proved(program: &Program, checked: &Checked<FoundProof>) -> Verdict {
        let (proved_again_by, remark) = confirmation(checked.by());
        let proof = Proof::new(proof::method(program, checked.evidence()), proved_again_by, remark);
        Verdict::True { proof }
    }

    /// Proved with contracts that stand for calls.
    pub fn proved_with(program: &Program, checked: &Checked<FoundProof>, contracts: Vec<FunctionContract>) -> Verdict {
        match Verdict::proved(program, checked) {
            Verdict::True { proof } => Verdict::True { proof: Proof { contracts, ..proof } },
            other => other,
        }
    }

    /// Simplification left nothing to reach.
    pub fn simplified(checked: &Checked<FoundProof>) -> Verdict {
        let (proved_again_by, remark) = confirmation(checked.by());
        Verdict::True { proof: Proof::new(Method::Simplified, proved_again_by, remark) }
    }

    /// The only execution ends without an error; `native` says what the compiled program does.
    pub fn executed(checked: &Checked<OnlyExecution>, native: &Native) -> Verdict {
        let method = Method::Executed { steps: checked.evidence().outcome.steps };
        let (by, not) = match native {
            Native::Confirmed { .. } => (Some("the interpreter and by the compiled program".to_owned()), None),
            Native::Unavailable { reason } => (Some("the interpreter".to_owned()), Some(reason.clone())),
            Native::Skipped => (Some("the interpreter".to_owned()), None),
        };
        Verdict::True { proof: Proof::new(method, by, not) }
    }

    /// A proof that nobody could prove again, from a user who wants it all the same.
    pub fn accepted(program: &Program, found: &FoundProof, why: &str) -> Verdict {
        let method = proof::method(program, found);
        let mut proof = Proof::new(method, None, Some(why.to_owned()));
        proof.accepted_unchecked = true;
        Verdict::True { proof }
    }

    /// `lowered` is the program as it was written, `prepared` the one that engines saw.
    pub fn violated(lowered: &Program, prepared: &Program, checked: &Checked<Violated>, native: Native) -> Verdict {
        let violated = checked.evidence();
        let property = violated.violation().property;
        let counterexample = match violated {
            Violated::Run(run) => {
                let mut counterexample = execution::counterexample(lowered, &run.outcome, native);
                if let Some(found) = &run.danger {
                    counterexample.danger = danger::explain(prepared, found);
                }
                counterexample
            }
            Violated::Danger(found) => {
                let native = match native {
                    Native::Confirmed { .. } => native,
                    other => Native::Unavailable { reason: not_run(property, checked.by(), &other) },
                };
                danger::counterexample(prepared, found, native)
            }
        };
        Verdict::False { property: property.name().to_owned(), counterexample }
    }

    /// All hold if each does that there is anything to check for. Nothing if one does not, or if there is none.
    fn all(parts: &[Part]) -> Option<Verdict> {
        let parts: Vec<&Part> = parts.iter().filter(|part| !part.result.is_empty()).collect();
        let is_proved = |part: &Part| matches!(part.result, Verdict::True { .. });
        let is_accepted = |part: &Part| matches!(&part.result, Verdict::True { proof } if proof.accepted_unchecked);
        let mut proof = Proof::new(Method::Parts, None, None);
        proof.accepted_unchecked = parts.iter().copied().any(is_accepted);
        (!parts.is_empty() && parts.iter().copied().all(is_proved)).then_some(Verdict::True { proof })
    }

    /// The program has nothing of the kind that is asked about; `missing` says what.
    pub fn nothing_to_check(missing: &str) -> Verdict {
        let reason = format!("{NOTHING_TO_CHECK}: {missing}");
        Verdict::Unknown { kind: Kind::NothingToCheck, reason, known: Known::default() }
    }

    /// On several properties together: false if any is; true if those are that there is anything to check for; otherwise the
    /// first that is open says why. There is at least one.
    pub fn joined(parts: &[Part]) -> Verdict {
        let first = |found: fn(&Verdict) -> bool| parts.iter().map(|part| &part.result).find(|verdict| found(verdict));
        let violated = first(|verdict| matches!(verdict, Verdict::False { .. }));
        let open = || first(|verdict| matches!(verdict, Verdict::Unknown { .. }) && !verdict.is_empty());
        violated.or_else(open).cloned().or_else(|| Verdict::all(parts)).unwrap_or_else(|| {
            let reasons = parts.iter().filter_map(|part| part.result.missing());
            Verdict::nothing_to_check(&reasons.collect::<Vec<_>>().join(", "))
        })
    }

    /// There was nothing to check.
    pub fn is_empty(&self) -> bool {
        self.missing().is_some()
    }

    /// What the program lacks, where there was nothing to check.
    pub(crate) fn missing(&self) -> Option<&str> {
        match self {
            Verdict::Unknown { kind: Kind::NothingToCheck, reason, .. } => {
                Some(reason.strip_prefix(NOTHING_TO_CHECK).unwrap_or(reason).trim_start_matches(": "))
            }
            _ => None,
        }
    }

    /// No answer, and nothing found out.
    pub fn unknown(why: &Why) -> Verdict {
        Verdict::unknown_but(why, Known::default())
    }

    /// No answer, and what is known.
    pub fn unknown_but(why: &Why, known: Known) -> Verdict {
        Verdict::Unknown { kind: Kind::of(why), reason: in_users_words(&why.to_string()), known }
    }

    pub fn counterexample(&self) -> Option<&Counterexample> {
        match self {
            Verdict::False { counterexample, .. } => Some(counterexample),
            _ => None,
        }
    }
}

/// A reason without the names that our models of the C library have for their parts, and without places in them.
pub fn in_users_words(reason: &str) -> String {
    let mut text = reason.to_owned();
    if let Some(at) = text.find("in __foldback_")
        && let Some(end) = text[at..].find(": ")
    {
        text.replace_range(at..at + end + 2, "");
    }
    let place = format!(" at {}", lower::library::FOLDER);
    if let Some(at) = text.find(&place) {
        let end = text[at + place.len()..].find([' ', ')', ',']).map_or(text.len(), |end| at + place.len() + end);
        text.replace_range(at..end, "");
    }
    text
}

/// Who checked it, and what is to be said about that.
fn confirmation(by: &Check) -> (Option<String>, Option<String>) {
    match by {
        Check::Flat(solver) => (Some((*solver).to_owned()), None),
        Check::Simplified(solver, _) => (Some(format!("{solver}, after simplification")), None),
        Check::Interpreted => (Some("the interpreter".to_owned()), None),
        Check::Compiled => (Some("the compiled program".to_owned()), None),
    }
}

/// Why there is no run of a danger invariant or a recurrence set, and what stands in for it.
fn not_run(property: Property, by: &Check, native: &Native) -> String {
    let (solver, _) = confirmation(by);
    let what = match property {
        Property::Termination => "an infinite execution cannot be run",
        _ => "too long to be run",
    };
    let checked = format!("{what}; the proof was checked again with {}", solver.unwrap_or_default());
    match native {
        Native::Unavailable { reason } if !reason.is_empty() => format!("{checked} ({reason})"),
        _ => checked,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_name_nothing_of_ours() {
        let reason = "unsupported: in __foldback_scan_text: a wide string in formatted input at <library>/scan.c:3:7";
        assert_eq!(in_users_words(reason), "unsupported: a wide string in formatted input");
        let reason = "found true by se, not checked: unsupported: in getenv: a long one at <library>/e.c:3:7 (twice)";
        assert_eq!(in_users_words(reason), "found true by se, not checked: unsupported: in getenv: a long one (twice)");
        let reason = "unsupported: assembly at main.c:3:7";
        assert_eq!(in_users_words(reason), reason);
    }
}
