//! `--witness`: the answer for other tools.

use crate::output;
use crate::settings::{ProgramSettings, VerifySettings};
use crate::verify::data_model;
use cfa::interp::Outcome;
use cfa::{Program, Property};
use engine::Proof;
use portfolio::judge::CheckedProof;
use portfolio::judge_danger::{CheckedDanger, lifted};
use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};
use transform::pipeline::Prepared;
use witness::{InputFile, Task};

/// The witness of a proof; without invariants, nothing was left to prove.
pub(crate) fn correctness(
    settings: &VerifySettings,
    prepared: &Prepared,
    checked: Option<&CheckedProof>,
) -> Result<String, String> {
    let task = task(settings, &settings.program.lowering.properties)?;
    let mut program = prepared.program.clone();
    let (invariants, why_little) = match checked.map(|checked| (checked, &checked.proof)) {
        Some((checked, Proof::Invariants { at, k })) => {
            // Where simplification has not been, variables are what the user thinks they are.
            program.terms = checked.terms.clone();
            let mut lifted = prepared.restore.lift(&mut program, at);
            // A loop that slicing has cut off is never come to in what engines see, but may be in the program.
            lifted.retain(|_, known| program.terms.as_bool_const(*known) != Some(false));
            (lifted, (*k > 1).then(|| format!("the invariants are {k}-inductive")))
        }
        Some((_, Proof::Exhausted { .. })) => {
            (BTreeMap::new(), Some("all executions were explored: there are no invariants".to_owned()))
        }
        Some((_, Proof::Ranking { .. })) => (BTreeMap::new(), Some("termination is proved by rankings".to_owned())),
        None => (BTreeMap::new(), None),
    };
    Ok(witness::correctness(&task, &prepared.flat, &program.terms, &invariants, why_little.as_deref()))
}

/// The witness of a run that the interpreter has made, with the danger invariant that led there if one did.
pub(crate) fn violation(
    settings: &VerifySettings,
    program: &Program,
    outcome: &Outcome,
    property: Property,
    danger: Option<(&Prepared, &CheckedDanger)>,
) -> Result<String, String> {
    let task = task(settings, &[property])?;
    let (span, function) =
        report::execution::user_place(program, outcome).ok_or("the violation is at no place of the program's text")?;
    // What a danger invariant says need not be written out.
    let mut outcome = outcome.clone();
    if danger.is_some() && outcome.inputs.len() > MOST_INPUTS {
        outcome.inputs.truncate(FIRST_INPUTS);
    }
    let text = witness::violation(&task, program, &outcome, property, span, function)?;
    let more = danger.and_then(|(prepared, proof)| danger_entry(&task, prepared, proof));
    Ok(text + &more.unwrap_or_default())
}

/// Inputs that are written down where a danger invariant says the same, and those of longer runs.
const MOST_INPUTS: usize = 1_000;
const FIRST_INPUTS: usize = 20;

/// The witness of a danger invariant whose run nobody has made: the first inputs and the target, and what proves it.
pub(crate) fn danger(settings: &VerifySettings, prepared: &Prepared, proof: &CheckedDanger) -> Result<String, String> {
    let task = task(settings, &[proof.violation.property])?;
    let beginning = proof.target.ok_or_else(|| "it has several targets".to_owned()).and_then(|target| {
        let inputs = validate::follow::beginning(&prepared.program, &proof.terms, &proof.danger, FIRST_INPUTS);
        witness::beginning(&task, &prepared.program, &inputs, proof.violation.property, target)
    });
    let beginning = beginning.unwrap_or_else(|why| {
        output::note(format!("the witness has no violation_sequence: {why}"));
        String::new()
    });
    Ok(beginning + &danger_entry(&task, prepared, proof).unwrap_or_default())
}

/// The danger invariant in C, where it can be said.
fn danger_entry(task: &Task, prepared: &Prepared, proof: &CheckedDanger) -> Option<String> {
    let mut program = prepared.program.clone();
    program.terms = proof.terms.clone();
    let written = match lifted(prepared, &mut program, &proof.danger) {
        Some(lifted) => witness::danger_invariant(task, &prepared.flat, &program.terms, &lifted),
        None => Err("inputs cannot be found again".into()),
    };
    written.map_err(|why| output::note(format!("the danger invariant is not in the witness: {why}"))).ok()
}

/// The program's files with the inputs of a danger invariant in their places.
pub(crate) fn with_inputs(
    settings: &VerifySettings,
    prepared: &Prepared,
    proof: &CheckedDanger,
) -> Result<Vec<(String, String)>, String> {
    let mut program = prepared.program.clone();
    program.terms = proof.terms.clone();
    let lifted = lifted(prepared, &mut program, &proof.danger).ok_or("inputs cannot be found again")?;
    witness::with_inputs(&input_files(&settings.program)?, &prepared.flat, &program.terms, &lifted)
}

/// What the witness is about: the program, and the properties that hold or the one that does not.
fn task(settings: &VerifySettings, properties: &[Property]) -> Result<Task, String> {
    if settings.files.witness.is_none() {
        return Err("none was asked for".into());
    }
    let files = input_files(&settings.program)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    Ok(Task {
        specification: specification(&settings.program, properties, &files),
        files,
        data_model: data_model(settings).to_owned(),
        creation_time: witness::iso8601(now),
    })
}

/// The program's files as witnesses name them.
pub(crate) fn input_files(program: &ProgramSettings) -> Result<Vec<InputFile>, String> {
    let read = |path: &std::path::PathBuf| {
        let contents = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(InputFile::new(path.display().to_string(), &contents))
    };
    program.files.iter().map(read).collect()
}

/// The property file's text, or what it would say.
fn specification(program: &ProgramSettings, properties: &[Property], files: &[InputFile]) -> String {
    if !program.property_text.is_empty() {
        return program.property_text.clone();
    }
    let entry = &program.lowering.entry;
    let check = |formula: &str| format!("CHECK( init({entry}()), LTL({formula}) )");
    let line = |property: &Property| match property {
        Property::UnreachCall => {
            // Of several, the one that the program has.
            let functions = &program.lowering.error_functions;
            let own = functions.iter().find(|name| files.iter().any(|file| file.mentions(name)));
            let function = own.or(functions.first()).map_or("reach_error", String::as_str);
            check(&format!("G ! call({function}())"))
        }
        Property::Assert => check("G assert"),
        Property::NoOverflow => check("G ! overflow"),
        Property::DivByZero => check("G ! div-by-zero"),
        Property::Termination => check("F end"),
        Property::ValidDeref | Property::ValidFree | Property::ValidMemtrack | Property::ValidMemcleanup => {
            check(&format!("G {}", property.name()))
        }
    };
    let lines: Vec<String> = properties.iter().map(line).collect();
    lines.join("\n")
}
