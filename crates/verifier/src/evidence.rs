//! The answer for other tools: witnesses, and the C file that reproduces a violation.

use crate::decide::About;
use crate::limits::evidence::{SAYING_TIME, WALKED_EDGES, WATCHED_EDGES};
use crate::outcome::Evidence;
use crate::recursion::Folded;
use crate::replay;
use crate::request::{Request, Subject, WitnessFormat};
use base::cpu::Deadline;
use cfa::evidence::{Danger, Proof};
use cfa::{Loc, Program, Property};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
use term::{Sort, Store, Term};
use transform::pipeline::Prepared;
use transform::restore::without_stale;
use validate::danger::{Goal, check};
use validate::judge::danger::lifted;
use validate::{FoundDanger, FoundProof, Opinions, Run, Violated};
use witness::{FIRST_INPUTS, InputFile, MOST_INPUTS, Task, Version, WrittenContract};

/// The witness of a proof; without invariants, nothing was left to prove.
pub(crate) fn correctness(
    request: &Request,
    prepared: &Prepared,
    found: Option<&FoundProof>,
    is_checked: bool,
) -> Result<String, String> {
    if let Some(FoundProof { proof: Proof::Ranking { .. }, .. }) = found {
        return termination(request, prepared, found);
    }
    let task = task(request, &request.subject.lowering.properties, Version::V2_0)?;
    Ok(of_invariants(&task, prepared, found, is_checked, &[]))
}

/// The witness of a proof by contracts of recursive functions.
pub(crate) fn with_contracts(request: &Request, folded: &Folded, is_checked: bool) -> Result<String, String> {
    let task = task(request, &request.subject.lowering.properties, Version::V2_1)?;
    let written = |contract| WrittenContract::new(&task.files, &folded.program, contract, folded.calls);
    let contracts: Vec<WrittenContract> = folded.contracts.iter().filter_map(written).collect();
    Ok(of_invariants(&task, &folded.prepared, Some(&folded.proof), is_checked, &contracts))
}

fn of_invariants(
    task: &Task,
    prepared: &Prepared,
    found: Option<&FoundProof>,
    is_checked: bool,
    contracts: &[WrittenContract],
) -> String {
    let mut program = prepared.program.clone();
    let (mut invariants, mut whole) = (BTreeMap::new(), BTreeMap::new());
    let mut remarks: Vec<String> = (!is_checked).then(|| report::text::UNCHECKED.to_owned()).into_iter().collect();
    match found.map(|found| (found, &found.proof)) {
        Some((found, Proof::Invariants { at, k })) => {
            // Where simplification has not been, variables are what the user thinks they are.
            (whole, program.terms) = validate::judge::lifted(prepared, found.terms.clone(), at);
            invariants = prepared.restore.lift(&mut program, at);
            // A loop that slicing has cut off is never come to in what engines see, but may be in the program.
            invariants.retain(|_, known| program.terms.as_bool_const(*known) != Some(false));
            for (at, known) in &mut invariants {
                *known = without_stale(&prepared.flat, &mut program.terms, *at, *known);
            }
            remarks.extend((*k > 1).then(|| format!("the invariants are {k}-inductive")));
        }
        Some((_, Proof::Exhausted { .. } | Proof::Explored(_))) => {
            remarks.push("all executions were explored: there are no invariants".to_owned());
        }
        Some((_, Proof::Ranking { .. })) | None => {}
    }
    let remark = (!remarks.is_empty()).then(|| remarks.join("; "));
    let proof = witness::Proof {
        invariants: Some(&invariants),
        ranking: None,
        whole: Some((&whole, &BTreeMap::new())),
        contracts,
        remark: remark.as_deref(),
    };
    witness::correctness(task, &prepared.flat, &program.terms, proof)
}

/// The witness of a proof that every execution ends.
pub(crate) fn termination(
    request: &Request,
    prepared: &Prepared,
    found: Option<&FoundProof>,
) -> Result<String, String> {
    let task = task(request, &[Property::Termination], Version::V2_1)?;
    let mut program = prepared.program.clone();
    let mut claim = Danger::default();
    let mut whole = Danger::default();
    if let Some(FoundProof { proof: Proof::Ranking { at, ranking }, terms, .. }) = found {
        program.terms = terms.clone();
        let own = Danger { invariant: at.clone(), ranking: ranking.clone(), ..Danger::default() };
        claim = lifted(prepared, &mut program, &own).ok_or("the ranking is not about the program as it was written")?;
        // What the ranking does not need makes the check harder, for us and for others.
        let saying = Saying { prepared, deadline: Deadline::after(SAYING_TIME) };
        let shortly = Saying { deadline: Deadline::after(SAYING_TIME / 2), ..saying };
        claim = shortly.without_products(&mut program, claim);
        whole.clone_from(&claim);
        // Components that need not be said are not, if C cannot say them.
        let ranking = witness::sayable(&task, &prepared.flat, &mut program.terms, &claim.ranking);
        claim = saying.instead(&mut program, claim, ranking).0;
        claim = saying.in_short(&mut program, claim);
        claim.invariant.retain(|_, known| program.terms.as_bool_const(*known).is_none());
    }
    let Danger { invariant, ranking, .. } = claim;
    let proof = witness::Proof {
        invariants: Some(&invariant),
        ranking: Some(&ranking),
        whole: Some((&whole.invariant, &whole.ranking)),
        ..witness::Proof::default()
    };
    Ok(witness::correctness(&task, &prepared.flat, &program.terms, proof))
}

/// Looks for a ranking that is easier to say.
#[derive(Clone, Copy)]
struct Saying<'a> {
    prepared: &'a Prepared,
    deadline: Deadline,
}

impl Saying<'_> {
    /// The claim with another ranking if that decreases, too; and whether it does.
    fn instead(&self, program: &mut Program, claim: Danger, ranking: BTreeMap<Loc, Vec<Term>>) -> (Danger, bool) {
        let other = Danger { ranking, ..claim.clone() };
        if other != claim && self.holds(program, &other) { (other, true) } else { (claim, false) }
    }

    fn holds(&self, program: &mut Program, claim: &Danger) -> bool {
        let Ok(mut solver) = Opinions::until(self.deadline, Arc::default()) else { return false };
        let flat = &self.prepared.flat;
        check(flat, &mut program.terms, claim, Goal::End, &mut solver, self.deadline).is_ok()
    }

    /// The claim without those parts of its invariants in which variables are multiplied, if it holds without them.
    fn without_products(&self, program: &mut Program, claim: Danger) -> Danger {
        let terms = &mut program.terms;
        let mut other = claim.clone();
        for known in other.invariant.values_mut() {
            let parts = term::normal::conjuncts(terms, *known);
            let plain: Vec<Term> = parts.into_iter().filter(|part| !multiplies(terms, *part)).collect();
            *known = terms.and_all(&plain);
        }
        if other != claim && self.holds(program, &other) { other } else { claim }
    }

    /// A variable that grows or shrinks in place of each component for which it will do.
    fn in_short(&self, program: &mut Program, mut claim: Danger) -> Danger {
        let components = claim.ranking.values().map(Vec::len).max().unwrap_or(0);
        for index in 0..components {
            let own: Vec<Term> = claim.ranking.values().filter_map(|tuple| tuple.get(index).copied()).collect();
            let numbers = |t: &Term| matches!(program.terms.sort(*t), Sort::Bv(_));
            let variables: Vec<Term> =
                term::walk::free_vars(&program.terms, &own).into_iter().filter(numbers).collect();
            let is_short =
                |t: &Term| matches!(program.terms.op(*t), term::Op::Var(_)) || program.terms.as_bv_const(*t).is_some();
            if own.iter().all(is_short) {
                continue;
            }
            'found: for variable in variables {
                let width = program.terms.width(variable);
                let sign = program.terms.bv(1u128 << (width - 1).min(127), width);
                let signed = program.terms.bvxor(variable, sign);
                let (up, signed_up) = (program.terms.bvnot(variable), program.terms.bvnot(signed));
                for short in [variable, up, signed, signed_up] {
                    let mut ranking = claim.ranking.clone();
                    for t in ranking.values_mut().filter_map(|tuple| tuple.get_mut(index)) {
                        if program.terms.as_bv_const(*t).is_none() {
                            *t = short;
                        }
                    }
                    let (best, decreases) = self.instead(program, claim, ranking);
                    claim = best;
                    if decreases {
                        break 'found;
                    }
                }
            }
        }
        claim
    }
}

/// Whether variables are multiplied in a formula.
fn multiplies(terms: &Store, formula: Term) -> bool {
    let is_product = |t: &Term| {
        terms.op(*t) == term::Op::BvMul && terms.args(*t).iter().all(|factor| terms.as_bv_const(*factor).is_none())
    };
    term::walk::postorder(terms, &[formula]).iter().any(is_product)
}

/// The witness of an execution that never ends.
pub(crate) fn endless(request: &Request, prepared: &Prepared, found: &FoundDanger) -> Result<String, String> {
    let task = task(request, &[Property::Termination], Version::V2_1)?;
    let walked = validate::follow::first_edges(&prepared.program, &found.terms, &found.danger, WALKED_EDGES);
    witness::endless(&task, &prepared.program, &walked)
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
    let task = task(about.request, &[property], Version::V2_0)?;
    let (span, function) = report::execution::user_place(about.program, &run.outcome)
        .ok_or("the violation is at no place of the program's text")?;
    // At the end of the program there is no statement.
    let is_start = run.outcome.location.0 == about.program.entry;
    let last = is_start.then(|| report::ends::last_statement(about.program, &run.outcome, WATCHED_EDGES)).flatten();
    let (span, function) = last.unwrap_or((span, function));
    // What a danger invariant says need not be written out.
    let mut outcome = run.outcome.clone();
    if run.danger.is_some() && outcome.inputs.len() > MOST_INPUTS {
        outcome.inputs.truncate(FIRST_INPUTS);
    }
    let text = witness::violation(&task, about.program, &outcome, property, span, function)?;
    let more = run.danger.as_ref().and_then(|found| danger_entry(&task, about, found));
    Ok(text + &more.unwrap_or_default())
}

/// The witness of a danger invariant whose run nobody has made: the first inputs and the target, and what proves it.
fn danger(about: &About<'_>, found: &FoundDanger) -> Result<String, String> {
    let task = task(about.request, &[found.violation.property], Version::V2_0)?;
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
/// `least` is the first version of the format that can say it.
fn task(request: &Request, properties: &[Property], least: Version) -> Result<Task, String> {
    let version = match request.keep.witness {
        None => return Err("none was asked for".into()),
        Some(WitnessFormat::Least) => least,
        Some(WitnessFormat::Exactly(version)) if version < least => {
            return Err(format!("the format {} cannot say it; {} can", version.name(), least.name()));
        }
        Some(WitnessFormat::Exactly(version)) => version,
    };
    let files = input_files(&request.subject)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    Ok(Task {
        specification: specification(&request.subject, properties, &files),
        files,
        data_model: request.subject.data_model_name().to_owned(),
        creation_time: witness::iso8601(now),
        version,
    })
}

/// The program's files as witnesses name them.
pub fn input_files(program: &Subject) -> Result<Vec<InputFile>, String> {
    let read = |path: &std::path::PathBuf| {
        let contents = base::files::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
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
        | Property::UndefinedConversion
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
