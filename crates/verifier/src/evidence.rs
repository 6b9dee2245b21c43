//! The answer for other tools: witnesses, and the C file that reproduces a violation.

use crate::decide::About;
use crate::outcome::Evidence;
use crate::replay;
use crate::request::{Request, Subject};
use cfa::Property;
use cfa::evidence::Proof;
use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};
use transform::pipeline::Prepared;
use validate::judge::danger::lifted;
use validate::{FoundDanger, FoundProof, Run, Violated};
use witness::{InputFile, Task};

/// The witness of a proof; without invariants, nothing was left to prove.
pub(crate) fn correctness(
    request: &Request,
    prepared: &Prepared,
    found: Option<&FoundProof>,
) -> Result<String, String> {
    let task = task(request, &request.subject.lowering.properties)?;
    let mut program = prepared.program.clone();
    let (invariants, why_little) = match found.map(|found| (found, &found.proof)) {
        Some((found, Proof::Invariants { at, k })) => {
            // Where simplification has not been, variables are what the user thinks they are.
            program.terms = found.terms.clone();
            let mut lifted = prepared.restore.lift(&mut program, at);
            // A loop that slicing has cut off is never come to in what engines see, but may be in the program.
            lifted.retain(|_, known| program.terms.as_bool_const(*known) != Some(false));
            (lifted, (*k > 1).then(|| format!("the invariants are {k}-inductive")))
        }
        Some((_, Proof::Exhausted { .. } | Proof::Explored(_))) => {
            (BTreeMap::new(), Some("all executions were explored: there are no invariants".to_owned()))
        }
        Some((_, Proof::Ranking { .. })) => (BTreeMap::new(), Some("termination is proved by rankings".to_owned())),
        None => (BTreeMap::new(), None),
    };
    Ok(witness::correctness(&task, &prepared.flat, &program.terms, &invariants, why_little.as_deref()))
}

/// What others can check a violation by.
pub(crate) fn of_violation(about: &About<'_>, violated: &Violated) -> Evidence {
    match violated {
        Violated::Run(run) => Evidence {
            witness: violation(about, run),
            harness: match &about.request.keep.harness {
                Some(file) => replay::harness(about.program, about.request, run, file),
                None => Err("none was asked for".into()),
            },
            ..Evidence::none()
        },
        Violated::Danger(found) => Evidence {
            witness: danger(about, found),
            harness: Err("the counterexample is a danger invariant: it has too many inputs to be written down".into()),
            ..Evidence::none()
        },
    }
}

/// The witness of a run, with the danger invariant that led there if one did.
fn violation(about: &About<'_>, run: &Run) -> Result<String, String> {
    let property = run.violation.property;
    let task = task(about.request, &[property])?;
    let (span, function) = report::execution::user_place(about.program, &run.outcome)
        .ok_or("the violation is at no place of the program's text")?;
    // What a danger invariant says need not be written out.
    let mut outcome = run.outcome.clone();
    if run.danger.is_some() && outcome.inputs.len() > MOST_INPUTS {
        outcome.inputs.truncate(FIRST_INPUTS);
    }
    let text = witness::violation(&task, about.program, &outcome, property, span, function)?;
    let more = run.danger.as_ref().and_then(|found| danger_entry(&task, about, found));
    Ok(text + &more.unwrap_or_default())
}

/// Inputs that are written down where a danger invariant says the same, and those of longer runs.
const MOST_INPUTS: usize = 1_000;
const FIRST_INPUTS: usize = 20;

/// The witness of a danger invariant whose run nobody has made: the first inputs and the target, and what proves it.
fn danger(about: &About<'_>, found: &FoundDanger) -> Result<String, String> {
    let task = task(about.request, &[found.violation.property])?;
    let program = &about.prepared.program;
    let beginning = found.target.ok_or_else(|| "it has several targets".to_owned()).and_then(|target| {
        let inputs = validate::follow::beginning(program, &found.terms, &found.danger, FIRST_INPUTS);
        witness::beginning(&task, program, &inputs, found.violation.property, target)
    });
    let beginning = beginning.unwrap_or_else(|why| {
        about.session.observer.warn(&format!("the witness has no violation_sequence: {why}"));
        String::new()
    });
    Ok(beginning + &danger_entry(&task, about, found).unwrap_or_default())
}

/// The danger invariant in C, where it can be said.
fn danger_entry(task: &Task, about: &About<'_>, found: &FoundDanger) -> Option<String> {
    let prepared = about.prepared;
    let mut program = prepared.program.clone();
    program.terms = found.terms.clone();
    let written = match lifted(prepared, &mut program, &found.danger) {
        Some(lifted) => witness::danger_invariant(task, &prepared.flat, &program.terms, &lifted),
        None => Err("inputs cannot be found again".into()),
    };
    let told = |why| about.session.observer.warn(&format!("the danger invariant is not in the witness: {why}"));
    written.map_err(told).ok()
}

/// The program's files with the inputs of a danger invariant in their places.
pub(crate) fn with_inputs(
    subject: &Subject,
    prepared: &Prepared,
    proof: &FoundDanger,
) -> Result<Vec<(String, String)>, String> {
    let mut program = prepared.program.clone();
    program.terms = proof.terms.clone();
    let lifted = lifted(prepared, &mut program, &proof.danger).ok_or("inputs cannot be found again")?;
    witness::with_inputs(&input_files(subject)?, &prepared.flat, &program.terms, &lifted)
}

/// What the witness is about: the program, and the properties that hold or the one that does not.
fn task(request: &Request, properties: &[Property]) -> Result<Task, String> {
    if !request.keep.witness {
        return Err("none was asked for".into());
    }
    let files = input_files(&request.subject)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    Ok(Task {
        specification: specification(&request.subject, properties, &files),
        files,
        data_model: request.subject.data_model_name().to_owned(),
        creation_time: witness::iso8601(now),
    })
}

/// The program's files as witnesses name them.
pub fn input_files(program: &Subject) -> Result<Vec<InputFile>, String> {
    let read = |path: &std::path::PathBuf| {
        let contents = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(InputFile::new(path.display().to_string(), &contents))
    };
    program.files.iter().map(read).collect()
}

/// The property file's text, or what it would say.
fn specification(program: &Subject, properties: &[Property], files: &[InputFile]) -> String {
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
        Property::UndefinedShift
        | Property::PointerOverflow
        | Property::UnsignedOverflow
        | Property::Conversion
        | Property::Float => check(&format!("G ! {}", property.name())),
        Property::Termination => check("F end"),
        Property::ValidDeref
        | Property::ValidFree
        | Property::ValidMemtrack
        | Property::ValidMemcleanup
        | Property::Invariant(_) => check(&format!("G {}", property.name())),
    };
    let lines: Vec<String> = properties.iter().map(line).collect();
    lines.join("\n")
}
