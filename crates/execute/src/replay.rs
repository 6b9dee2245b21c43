//! The inputs of a kept result, of a violation witness or of a hardware model checker's witness, run again.

use crate::{JsonInputs, choices};
use base::cpu::Deadline;
use cfa::{Program, Property, Violation};
use confirm::Steer;
use interpreter::{Ending, Limit, Limits, Machine, Outcome};
use report::{Counterexample, InputKind, Report, Verdict};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::time::Duration;
use transform::pipeline;
use validate::replay::Replayed;
use verifier::{BadInput, Replay, Subject, input_files, load, property};
use witness::inject::named_inputs;
use witness::read::Claim;

/// At most so long in the interpreter.
const RUN_TIME: Duration = Duration::from_secs(60);
/// And so long where the run is said to have no end: nobody sees that by waiting.
const ENDLESS_TIME: Duration = Duration::from_secs(5);
/// A result is not believed to have more inputs than a run of that time asks for.
const MOST_INPUTS: u64 = 20_000_000;

/// What there is to run: how the program is read, and the values.
pub struct Evidence {
    pub asked: Option<property::Asked>,
    /// As results and witnesses name it.
    pub data_model: Option<String>,
    values: Values,
}

enum Values {
    /// By function or variable, as C writes them.
    Kept(BTreeMap<String, Vec<String>>),
    Witness(Vec<witness::read::Segment>),
    /// None: the result is a proof that there is such an execution, which was too long to be run.
    Proved,
    /// For the system that `cfa --format btor2` writes.
    Btor2(String),
}

/// What the inputs lead to.
pub enum Found {
    Reproduced {
        /// Where the run left defined behaviour.
        warnings: Vec<String>,
        violation: Violation,
        counterexample: Box<Counterexample>,
    },
    /// To no violation; how the run ended.
    NoViolation(String),
    /// Elsewhere than the evidence says.
    Missed(String),
    Unknown(String),
}

impl Evidence {
    /// The error is for the user.
    pub fn read(text: &str) -> Result<Evidence, String> {
        if text.trim_start().starts_with('{') {
            return Evidence::from_result(&Report::from_json(text)?);
        }
        if text.trim_start().starts_with("sat") {
            return Ok(Evidence { asked: None, data_model: None, values: Values::Btor2(text.to_owned()) });
        }
        let witness = witness::read::read(text)?;
        let Claim::Violation(segments) = witness.claim else {
            return Err("a correctness witness has no inputs to run".to_owned());
        };
        Ok(Evidence {
            asked: witness.specification.as_deref().map(property::from_text).transpose()?,
            data_model: witness.data_model,
            values: Values::Witness(segments),
        })
    }

    fn from_result(report: &Report) -> Result<Evidence, String> {
        let Verdict::False { counterexample, .. } = &report.result else {
            return Err("there is no counterexample in it".to_owned());
        };
        let is_proof = counterexample.inputs.is_empty() && !counterexample.danger.is_empty();
        let given = counterexample.inputs.iter().fold(0, |sum: u64, input| sum.saturating_add(input.times));
        if given > MOST_INPUTS {
            return Err(format!("there are {given} inputs in it: too many to be given"));
        }
        let mut by_name: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for input in counterexample.inputs.iter().filter(|input| input.kind != InputKind::Approximated) {
            let again = (0..input.times).map(|_| input.value.clone());
            by_name.entry(input.name.clone()).or_default().extend(again);
        }
        Ok(Evidence {
            asked: Some(property::read(&report.properties)?),
            data_model: Some(report.data_model.clone()),
            values: if is_proof { Values::Proved } else { Values::Kept(by_name) },
        })
    }

    /// Runs the program, in the interpreter and then compiled where that is asked for. The error is about the input.
    pub fn run(&self, subject: &Subject, replay: Replay) -> Result<Found, BadInput> {
        let program = load::lowered(subject)?;
        let is_endless = subject.lowering.properties.contains(&Property::Termination);
        let time = if is_endless { ENDLESS_TIME } else { RUN_TIME };
        let limits = Limits { deadline: Some(Deadline::after(time)), ..Limits::default() };
        let machine = match Machine::new(&program) {
            Ok(machine) => machine,
            Err(unsupported) => {
                return Ok(Found::Unknown(format!("the program cannot be executed: {unsupported}")));
            }
        };
        let outcome = match &self.values {
            Values::Btor2(text) => return through_flat(&program, text, subject, replay, &limits),
            Values::Witness(segments) => {
                choices::run(&machine, &Steer::new(&named_inputs(&input_files(subject)?, segments)), &limits)
            }
            Values::Kept(by_name) => {
                let list = |values: &Vec<String>| values.iter().cloned().map(Json::String).collect();
                let lists = by_name.iter().map(|(name, values)| (name.clone(), list(values)));
                choices::run(&machine, &JsonInputs::ByFunction(lists.collect()), &limits)
            }
            Values::Proved => {
                let why = "the result is a proof that such an execution exists, and names no inputs that could be run";
                return Ok(Found::Unknown(why.to_owned()));
            }
        };
        Ok(found(&program, &outcome, subject, replay))
    }
}

/// A witness of the flat program's transition system.
fn through_flat(
    program: &Program,
    text: &str,
    subject: &Subject,
    replay: Replay,
    limits: &Limits,
) -> Result<Found, BadInput> {
    let flat = pipeline::prepare(program, &load::passes(&subject.lowering.properties)).program;
    let trace = btor2::trace(&flat, text).map_err(|why| format!("the hardware witness: {why}"))?;
    Ok(match validate::replay::replay(program, &flat, &trace, limits) {
        Replayed::Confirmed { outcome, .. } => found(program, &outcome, subject, replay),
        Replayed::Missed(how) | Replayed::Astray(how) | Replayed::Displaced(how) | Replayed::Undefined(how) => {
            Found::Missed(how)
        }
        Replayed::TooLong => Found::Unknown("time limit".to_owned()),
    })
}

/// What the interpreter saw, then what the compiled program does.
fn found(program: &Program, outcome: &Outcome, subject: &Subject, replay: Replay) -> Found {
    let violation = match &outcome.ending {
        Ending::Error(violation) => violation,
        Ending::Limit(Limit::Time) if subject.lowering.properties.contains(&Property::Termination) => {
            let ran = format!("it had not ended after {} steps", outcome.steps);
            return Found::Unknown(format!(
                "{ran}, and that it never ends cannot be seen by running it: 'check-witness' can prove it"
            ));
        }
        Ending::Limit(_) | Ending::Unsupported(_) | Ending::BoundHit(_) => {
            return Found::Unknown(crate::ending::describe(program, outcome));
        }
        Ending::End(_) | Ending::Stuck => return Found::NoViolation(crate::ending::describe(program, outcome)),
    };
    let native = match verifier::replay::compiled(program, outcome, violation.property, subject, replay) {
        Ok(native) => native,
        Err(reason) => report::Native::Unavailable { reason },
    };
    Found::Reproduced {
        warnings: crate::ending::warnings(program, outcome),
        violation: violation.clone(),
        counterexample: Box::new(report::execution::counterexample(program, outcome, native)),
    }
}
