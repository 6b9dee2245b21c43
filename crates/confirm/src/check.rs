//! A witness checked against a program: what it says is put into the program, and the questions that this comes to are asked.

use crate::limits::MANY_ROUNDS;
use crate::termination::{Forms, Said};
use crate::{Finding, Rounds, Stated, Steering, Target};
use base::Span;
use cfa::Property;
use cfront::inject::Injections;
use engine::Budget;
use report::Counterexample;
use verifier::{BadInput, Replay, Subject, input_files, load};
use witness::ghost;
use witness::inject::{self, Round};
use witness::read::{Claim, Correctness, Invariant, InvariantKind, Location, Segment, Witness};
use witness::transition;

/// What a witness is checked against, and with.
#[derive(Clone, Copy)]
pub struct Check<'a> {
    pub subject: &'a Subject,
    pub replay: Replay,
    pub budget: &'a Budget,
}

/// What became of a witness, and the execution that shows it.
pub struct Checked {
    pub finding: Finding,
    pub shown: Option<Shown>,
}

/// An execution that violates the property, or something else.
pub struct Shown {
    pub counterexample: Counterexample,
    pub violated: &'static str,
}

impl From<Finding> for Checked {
    fn from(finding: Finding) -> Checked {
        Checked { finding, shown: None }
    }
}

/// A witness of another program says nothing about this one.
pub fn check_hashes(subject: &Subject, witness: &Witness) -> Result<(), BadInput> {
    let files = input_files(subject)?;
    let unknown = |hash: &&(String, String)| !files.iter().any(|file| file.hash.eq_ignore_ascii_case(&hash.1));
    match witness.hashes.iter().find(unknown) {
        Some((name, _)) => Err(BadInput::Message(format!(
            "the witness is about another text of '{name}': the SHA-256 of the file differs"
        ))),
        None => Ok(()),
    }
}

impl Check<'_> {
    /// What is wrong with the input is an error.
    pub fn witness(&self, witness: &Witness) -> Result<Checked, BadInput> {
        let properties = &self.subject.lowering.properties;
        let termination = properties.contains(&Property::Termination);
        if termination && properties.len() > 1 {
            return Err(BadInput::Message("a witness of termination is about nothing else".into()));
        }
        match &witness.claim {
            Claim::Correctness(said) => {
                let said = self.with_functions(said)?;
                // What is said of the last visit may hold of any earlier one.
                if termination && let Some(invariants) = transition::strengthened(&said.invariants)? {
                    let stronger = Correctness { invariants, ..said.clone() };
                    let share = Check { budget: &self.budget.slice(self.budget.left() / 2), ..*self };
                    let checked = share.correctness(&stronger, termination)?;
                    if matches!(checked.finding, Finding::Confirmed { .. }) {
                        return Ok(checked);
                    }
                }
                self.correctness(&said, termination)
            }
            Claim::Violation(segments) if termination => Ok(self.endless(segments)?.into()),
            Claim::Violation(segments) if segments.iter().any(|segment| segment.cycle) => {
                Err(BadInput::Message("the witness goes round for ever, and its property is not termination".into()))
            }
            Claim::Violation(segments) => self.violation(segments),
        }
    }

    /// The same with the names of the functions that contracts are about, where it gives only their places.
    fn with_functions(&self, said: &Correctness) -> Result<Correctness, BadInput> {
        let mut said = said.clone();
        let is_open = |invariant: &&mut Invariant| {
            matches!(invariant.kind, InvariantKind::Contract { .. }) && invariant.location.function.is_none()
        };
        let mut open = said.invariants.iter_mut().filter(is_open).peekable();
        if open.peek().is_some() {
            let program = load::lowered(self.subject)?;
            let files = input_files(self.subject)?;
            for invariant in open {
                let lines = inject::lines(&files, &invariant.location)?;
                let is_there = |span: base::Span| {
                    let file = program.sources.file(span.file).map(|file| file.name.as_str());
                    lines.iter().any(|(name, line)| file == Some(name.as_str()) && span.line == *line)
                };
                let function = program.functions.values().find(|function| is_there(function.span));
                invariant.location.function = function.map(|function| function.name.clone());
            }
        }
        Ok(said)
    }

    fn correctness(&self, said: &Correctness, termination: bool) -> Result<Checked, BadInput> {
        let invariants = &said.invariants;
        let files = input_files(self.subject)?;
        let transitions = transition::all(invariants)?;
        if !termination && let Some((number, _)) = transitions.first() {
            let place = invariants[*number].location.show();
            let why = format!("the transition invariant at {place} is not about termination");
            return Ok(Finding::Unknown(why).into());
        }
        let mut subject = self.subject.clone();
        if termination {
            // Nobody can say what happens after an invalid access: it is an end.
            subject.lowering.properties.push(Property::ValidDeref);
        }
        let probes = transition::probes(&files, said)?;
        let mut storage = Vec::new();
        if !transitions.is_empty() {
            let (program, _) = load::with_injections(&subject, &probes)?;
            for (number, transition) in &transitions {
                match crate::termination::storage(&program, *number, transition.operands.len()) {
                    Ok(types) => storage.push(types),
                    Err(why) => return Ok(Finding::Unknown(why).into()),
                }
            }
        }
        let program = if termination { Some(load::lowered(&subject)?) } else { None };
        let (injections, owners) = inject::checks(&files, said, &storage, false)?;
        let numbers = transitions.iter().map(|(number, _)| *number);
        subject.lowering.invariant_functions = (0..invariants.len())
            .map(inject::invariant_function)
            .chain(numbers.clone().map(transition::repeats_function))
            .collect();
        let (checked, found) = load::with_injections(&subject, &injections)?;
        if let Some(why) = lost(said, &injections, &owners, &found) {
            return Ok(Finding::Rejected { why, run: None }.into());
        }
        let finding = match &program {
            None => crate::correctness(&checked, Stated(&said.extension), self.budget),
            Some(plain) => {
                let (injections, _) = inject::checks(&files, said, &storage, true)?;
                let (strict, _) = load::with_injections(&subject, &injections)?;
                // Visits of a statement are those of one activation only where there is only one.
                let entry = &subject.lowering.entry;
                let is_known = |invariant: &Invariant| {
                    invariant.kind != InvariantKind::StatementTransition
                        || invariant.location.function.as_ref() == Some(entry)
                };
                let said = Said {
                    stated: Stated(&said.extension),
                    invariants: invariants.len(),
                    transitions: numbers.collect(),
                    entries_are_known: owners.iter().zip(&found).all(|(_, found)| found.is_some())
                        && invariants.iter().all(is_known),
                };
                crate::termination(Forms { plain, checked: &checked, strict: &strict }, &said, self.budget)
            }
        };
        let Finding::Rejected { run: Some(run), .. } = &finding else { return Ok(finding.into()) };
        let mut counterexample = report::execution::counterexample(&checked, &run.outcome, report::Native::Skipped);
        let mut violated = "the property";
        if let Property::Invariant(number) = run.violation.property {
            let Invariant { location, value, kind } = &invariants[number as usize];
            let what = if matches!(kind, InvariantKind::Contract { .. }) { "contract" } else { "invariant" };
            counterexample.violation.message = format!("this {what} is false: {}", ghost::as_written(value));
            counterexample.violation.line = None;
            violated = "the invariant";
            let Location { file, line, column, .. } = location.clone();
            counterexample.violation.place = Some(report::Place { file, line, column: column.unwrap_or(1) });
        }
        Ok(Checked { finding, shown: Some(Shown { counterexample, violated }) })
    }

    fn endless(&self, segments: &[Segment]) -> Result<Finding, BadInput> {
        if !segments.iter().any(|segment| segment.cycle) {
            return Ok(Finding::Rejected { why: "it does not say what goes on for ever".into(), run: None });
        }
        let files = input_files(self.subject)?;
        let mut subject = self.subject.clone();
        // An execution that never ends must be a defined one.
        subject.lowering.properties.extend([Property::NoOverflow, Property::ValidDeref]);
        subject.lowering.invariant_functions = vec![inject::invariant_function(0)];
        let load = |round: Round| {
            let injections = inject::steering(&files, segments, round)?;
            let (program, found) = load::with_injections(&subject, &injections)?;
            let lost = found.iter().position(Option::is_none);
            let lost = lost.map(|lost| injections.expressions[lost].title.trim_matches(['<', '>']).to_owned());
            Ok::<_, BadInput>((program, lost))
        };
        let (two, lost) = load(Round::Counted(2))?;
        if let Some(title) = lost {
            return Ok(Finding::Rejected { why: format!("nothing in the program suits the {title}"), run: None });
        }
        let (many, _) = load(Round::Counted(MANY_ROUNDS))?;
        let (fuelled, _) = load(Round::Fuelled)?;
        Ok(crate::endless(Rounds { two: &two, many: &many, fuelled: &fuelled }, self.budget))
    }

    fn violation(&self, segments: &[Segment]) -> Result<Checked, BadInput> {
        let files = input_files(self.subject)?;
        let injections = inject::steering(&files, segments, Round::Counted(1))?;
        let program = load::lowered(self.subject)?;
        let (steered, found) = load::with_injections(self.subject, &injections)?;
        let (Some((&statement, others)), Some(last)) = (found.split_last(), segments.last()) else {
            return Err(BadInput::Message("the witness has no segments".into()));
        };
        if let Some(lost) = others.iter().position(Option::is_none) {
            let title = injections.expressions[lost].title.trim_matches(['<', '>']).to_owned();
            let why = format!("nothing in the program suits the {title}");
            return Ok(Finding::Rejected { why, run: None }.into());
        }
        let steering = Steering {
            segments: segments.len(),
            named: inject::named_inputs(&files, segments),
            target: Target {
                lines: inject::lines(&files, &last.follow.location)?,
                location: last.follow.location.clone(),
                statement,
            },
        };
        let finding = crate::violation(&program, &steered, &steering, self.budget);
        let Finding::Confirmed { run: Some(run), .. } = &finding else { return Ok(finding.into()) };
        let compiled =
            verifier::replay::compiled(&program, &run.outcome, run.violation.property, self.subject, self.replay);
        let native = match compiled {
            Ok(native) => native,
            Err(how) => {
                let why = format!("check failed: the interpreter sees the violation, but {how}");
                return Ok(Finding::Unknown(why).into());
            }
        };
        let counterexample = report::execution::counterexample(&program, &run.outcome, native);
        Ok(Checked { finding, shown: Some(Shown { counterexample, violated: "the property" }) })
    }
}

/// What of the witness has no place in the program.
fn lost(
    said: &Correctness,
    injections: &Injections,
    owners: &[Option<usize>],
    found: &[Option<Span>],
) -> Option<String> {
    let of_invariant = |number: usize| {
        let Invariant { location, kind, .. } = &said.invariants[number];
        let function = location.function.as_ref().map(|name| format!(" in {name}")).unwrap_or_default();
        format!("there is no {} at {}{function}", kind.place(), location.show())
    };
    let (expressions, claims) = found.split_at(injections.expressions.len());
    let (own, updates) = expressions.split_at(owners.len());
    let invariant =
        owners.iter().zip(own).find_map(|(owner, found)| owner.filter(|_| found.is_none())).map(of_invariant);
    let update = said.ghosts.updates.iter().zip(updates).find(|(_, found)| found.is_none());
    let update = update.map(|(update, _)| format!("there is no statement at {}", update.location.show()));
    let claim = injections.claims.iter().zip(claims).find(|(_, found)| found.is_none());
    let claim = claim.map(|(claim, _)| format!("there is no definition of the function '{}'", claim.function));
    invariant.or(update).or(claim)
}
