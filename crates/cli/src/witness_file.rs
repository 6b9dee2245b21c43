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

/// Keeps the witness of a proof; without one, nothing was left to prove.
pub(crate) fn correctness(settings: &VerifySettings, prepared: &Prepared, checked: Option<&CheckedProof>) {
    let Some(file) = &settings.witness else { return };
    let Some(task) = task(settings) else { return };
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
    let text = witness::correctness(&task, &prepared.flat, &program.terms, &invariants, why_little.as_deref());
    output::keep(file, &text);
}

/// Keeps the witness of a run that the interpreter has made, with the danger invariant that led there if one did.
pub(crate) fn violation(
    settings: &VerifySettings,
    program: &Program,
    outcome: &Outcome,
    property: Property,
    danger: Option<(&Prepared, &CheckedDanger)>,
) {
    let Some(file) = &settings.witness else { return };
    let Some(task) = task(settings) else { return };
    let Some((span, function)) = report::execution::user_place(program, outcome) else {
        output::note("no witness is written: the violation is at no place of the program's text");
        return;
    };
    // What a danger invariant says need not be written out.
    let mut outcome = outcome.clone();
    if danger.is_some() && outcome.inputs.len() > MOST_INPUTS {
        outcome.inputs.truncate(FIRST_INPUTS);
    }
    match witness::violation(&task, program, &outcome, property, span, function) {
        Ok(text) => {
            let more = danger.and_then(|(prepared, proof)| danger_entry(&task, prepared, proof));
            output::keep(file, &(text + &more.unwrap_or_default()));
        }
        Err(why) => output::note(format!("no witness is written: {why}")),
    }
}

/// Inputs that are written down where a danger invariant says the same, and those of longer runs.
const MOST_INPUTS: usize = 1_000;
const FIRST_INPUTS: usize = 20;

/// Keeps the witness of a danger invariant whose run nobody has made: the first inputs and the target, and what proves it.
pub(crate) fn danger(settings: &VerifySettings, prepared: &Prepared, proof: &CheckedDanger) {
    let Some(file) = &settings.witness else { return };
    let Some(task) = task(settings) else { return };
    let beginning = proof.target.ok_or_else(|| "it has several targets".to_owned()).and_then(|target| {
        let inputs = validate::follow::beginning(&prepared.program, &proof.terms, &proof.danger, FIRST_INPUTS);
        witness::beginning(&task, &prepared.program, &inputs, proof.violation.property, target)
    });
    let beginning = beginning.unwrap_or_else(|why| {
        output::note(format!("the witness has no violation_sequence: {why}"));
        String::new()
    });
    output::keep(file, &(beginning + &danger_entry(&task, prepared, proof).unwrap_or_default()));
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

fn task(settings: &VerifySettings) -> Option<Task> {
    let files =
        input_files(&settings.program).map_err(|why| output::note(format!("no witness is written: {why}"))).ok()?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    Some(Task {
        specification: specification(&settings.program, &files),
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

/// The property files' text, or what they would say.
fn specification(program: &ProgramSettings, files: &[InputFile]) -> String {
    if !program.property_text.is_empty() {
        return program.property_text.clone();
    }
    let entry = &program.lowering.entry;
    let check = |formula: &str| format!("CHECK( init({entry}()), LTL({formula}) )");
    let properties = &program.lowering.properties;
    let mut lines = Vec::new();
    for property in properties {
        lines.push(match property {
            Property::UnreachCall => {
                // Of several, the one that the program has.
                let functions = &program.lowering.error_functions;
                let own = functions.iter().find(|name| files.iter().any(|file| file.mentions(name)));
                let function = own.or(functions.first()).map_or("reach_error", String::as_str);
                check(&format!("G ! call({function}())"))
            }
            // Both are checked where nothing is said; other tools know one of them.
            Property::Assert if properties.contains(&Property::UnreachCall) => continue,
            Property::Assert => check("G assert"),
            Property::NoOverflow => check("G ! overflow"),
            Property::DivByZero => check("G ! div-by-zero"),
            Property::Termination => check("F end"),
            Property::ValidDeref | Property::ValidFree | Property::ValidMemtrack | Property::ValidMemcleanup => {
                check(&format!("G {}", property.name()))
            }
        });
    }
    lines.join("\n")
}
