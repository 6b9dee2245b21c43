//! `foldback check-witness`: reads a witness, puts what it says into the program, tells what became of it.

use crate::flags::{CheckWitnessFlags, DataModelFlag};
use crate::interrupt;
use crate::limits;
use crate::output::{self, BadInput, Exit};
use crate::settings::{self, Replay, Subject};
use cfa::{Program, Property};
use confirm::termination::{Forms, Said};
use confirm::{Finding, Run, Steering};
use engine::{Budget, Why};
use std::time::{Duration, Instant};
use validate::native::{self, Native};
use verifier::replay::{NATIVE_TIME, build};
use verifier::{cpu_time, input_files, load, property};
use witness::inject::{self, Round};
use witness::read::{Claim, Invariant, InvariantKind, Location, Segment, Witness};
use witness::transition;

/// What validators get for a witness, where nothing else is said.
const DEFAULT_TIME: Duration = Duration::from_secs(90);

struct Checked<'a> {
    settings: &'a Subject,
    replay: Replay,
    budget: &'a Budget,
}

pub(crate) fn check(flags: &CheckWitnessFlags) -> Result<Exit, BadInput> {
    let limits = settings::limits(&flags.limits)?;
    let end = |why: Why| {
        let exit = tell(Finding::Unknown(why.to_string()));
        sandbox::clean_up();
        std::process::exit(i32::from(exit.code()));
    };
    limits::enforce(limits, end);
    let cancellation = interrupt::watch(move || end(Why::Cancelled));
    let shown = flags.witness.display();
    let text = std::fs::read_to_string(&flags.witness).map_err(|e| format!("cannot read {shown}: {e}"))?;
    let witness = witness::read::read(&text).map_err(|why| format!("{shown}: {why}"))?;
    let settings = subject(flags, &witness)?;
    check_hashes(&settings, &witness)?;
    output::line(format!("witness: {} of format {}, written by {}", kind(&witness), witness.version, witness.producer));
    if let Some(description) = &witness.description {
        output::line(format!("  it says: {description}"));
    }
    let time = limits.cpu_time.unwrap_or(DEFAULT_TIME).saturating_sub(cpu_time());
    let budget = Budget::new(time, limits.memory_bytes.unwrap_or(u64::MAX));
    cancellation.covers(&budget);
    let checked = Checked { settings: &settings, replay: settings::replay(flags.replay), budget: &budget };
    let termination = settings.lowering.properties.contains(&Property::Termination);
    if termination && settings.lowering.properties.len() > 1 {
        return Err(BadInput("a witness of termination is about nothing else".into()));
    }
    let finding = match &witness.claim {
        Claim::Correctness(invariants) => checked.correctness(invariants, termination)?,
        Claim::Violation(segments) if termination => checked.endless(segments)?,
        Claim::Violation(segments) if segments.iter().any(|segment| segment.cycle) => {
            return Err(BadInput("the witness goes round for ever, and its property is not termination".into()));
        }
        Claim::Violation(segments) => checked.violation(segments)?,
    };
    Ok(tell(with_unchecked(finding, &witness.unchecked)))
}

fn kind(witness: &Witness) -> String {
    match &witness.claim {
        Claim::Correctness(invariants) => format!("correctness, {} invariants,", invariants.len()),
        Claim::Violation(segments) => format!("violation, {} segments,", segments.len()),
    }
}

/// The flags, and what they leave open as the witness says.
fn subject(flags: &CheckWitnessFlags, witness: &Witness) -> Result<Subject, BadInput> {
    let asked = match &witness.specification {
        Some(text) if flags.program.properties.is_empty() => {
            property::from_text(text).map_err(|why| format!("the witness's specification: {why}"))?
        }
        _ => property::read(&flags.program.properties)?,
    };
    let mut settings = settings::subject_for(&flags.program, asked)?;
    if flags.program.data_model.is_none() && witness.data_model.as_deref() == Some("ILP32") {
        settings.data_model = cfront::types::DataModel::Ilp32;
    }
    let given = flags.program.data_model.map(|model| if model == DataModelFlag::Ilp32 { "ILP32" } else { "LP64" });
    if let (Some(given), Some(said)) = (given, &witness.data_model)
        && given != said
    {
        output::line(format!("note: the witness is about the data model {said}, {given} is checked"));
    }
    Ok(settings)
}

/// A witness of another program says nothing about this one.
fn check_hashes(settings: &Subject, witness: &Witness) -> Result<(), BadInput> {
    let files = input_files(settings)?;
    let unknown = |hash: &&(String, String)| !files.iter().any(|file| file.hash.eq_ignore_ascii_case(&hash.1));
    match witness.hashes.iter().find(unknown) {
        Some((name, _)) => {
            Err(BadInput(format!("the witness is about another text of '{name}': the SHA-256 of the file differs")))
        }
        None => Ok(()),
    }
}

impl Checked<'_> {
    fn correctness(&self, invariants: &[Invariant], termination: bool) -> Result<Finding, BadInput> {
        let files = input_files(self.settings)?;
        let transitions = transition::all(invariants)?;
        if !termination && let Some((number, _)) = transitions.first() {
            let place = invariants[*number].location.show();
            return Ok(Finding::Unknown(format!("the transition invariant at {place} is not about termination")));
        }
        let mut settings = self.settings.clone();
        if termination {
            // Nobody can say what happens after an invalid access: it is an end.
            settings.lowering.properties.push(Property::ValidDeref);
        }
        let probes = transition::probes(&files, invariants)?;
        let mut storage = Vec::new();
        if !transitions.is_empty() {
            let (program, _) = load::with_injections(&settings, &probes)?;
            for (number, transition) in &transitions {
                match confirm::termination::storage(&program, *number, transition.operands.len()) {
                    Ok(types) => storage.push(types),
                    Err(why) => return Ok(Finding::Unknown(why)),
                }
            }
        }
        let program = if termination { Some(load::lowered(&settings)?) } else { None };
        let (injections, owners) = inject::checks(&files, invariants, &storage, false)?;
        let numbers = transitions.iter().map(|(number, _)| *number);
        settings.lowering.invariant_functions = (0..invariants.len())
            .map(inject::invariant_function)
            .chain(numbers.clone().map(transition::repeats_function))
            .collect();
        let (checked, found) = load::with_injections(&settings, &injections)?;
        let lost = owners.iter().zip(&found).find_map(|(owner, found)| owner.filter(|_| !found));
        if let Some(lost) = lost {
            let Invariant { location, kind, .. } = &invariants[lost];
            let what = if *kind == InvariantKind::Statement { "statement" } else { "loop" };
            return Ok(Finding::Rejected { why: format!("there is no {what} at {}", location.show()), run: None });
        }
        let finding = match &program {
            None => confirm::correctness(&checked, self.budget),
            Some(plain) => {
                let (injections, _) = inject::checks(&files, invariants, &storage, true)?;
                let (strict, _) = load::with_injections(&settings, &injections)?;
                let said = Said {
                    invariants: invariants.len(),
                    transitions: numbers.collect(),
                    entries_are_known: owners.iter().zip(&found).all(|(_, found)| *found),
                };
                confirm::termination(Forms { plain, checked: &checked, strict: &strict }, &said, self.budget)
            }
        };
        if let Finding::Rejected { run: Some(run), .. } = &finding {
            let mut shown = report::execution::counterexample(&checked, &run.outcome, report::Native::Skipped);
            let mut violated = "the property";
            if let Property::Invariant(number) = run.violation.property {
                let Invariant { location, value, .. } = &invariants[number as usize];
                shown.violation.message = format!("this invariant is false: {value}");
                shown.violation.line = None;
                violated = "the invariant";
                let Location { file, line, column, .. } = location.clone();
                shown.violation.place = Some(report::Place { file, line, column: column.unwrap_or(1) });
            }
            show(&shown, violated);
        }
        Ok(finding)
    }

    fn endless(&self, segments: &[Segment]) -> Result<Finding, BadInput> {
        if !segments.iter().any(|segment| segment.cycle) {
            return Ok(Finding::Rejected { why: "it does not say what goes on for ever".into(), run: None });
        }
        let files = input_files(self.settings)?;
        let mut settings = self.settings.clone();
        // An execution that never ends must be a defined one.
        settings.lowering.properties.extend([Property::NoOverflow, Property::ValidDeref]);
        settings.lowering.invariant_functions = vec![inject::invariant_function(0)];
        let load = |round: Round| {
            let injections = inject::steering(&files, segments, round)?;
            let (program, found) = load::with_injections(&settings, &injections)?;
            let lost = found.iter().position(|found| !found);
            let lost = lost.map(|lost| injections.expressions[lost].title.trim_matches(['<', '>']).to_owned());
            Ok::<_, BadInput>((program, lost))
        };
        let (two, lost) = load(Round::Counted(2))?;
        if let Some(title) = lost {
            return Ok(Finding::Rejected { why: format!("nothing in the program suits the {title}"), run: None });
        }
        let (many, _) = load(Round::Counted(confirm::MANY_ROUNDS))?;
        let (fuelled, _) = load(Round::Fuelled)?;
        Ok(confirm::endless(confirm::Rounds { two: &two, many: &many, fuelled: &fuelled }, self.budget))
    }

    fn violation(&self, segments: &[Segment]) -> Result<Finding, BadInput> {
        let files = input_files(self.settings)?;
        let injections = inject::steering(&files, segments, Round::Counted(1))?;
        let program = load::lowered(self.settings)?;
        let (steered, found) = load::with_injections(self.settings, &injections)?;
        let Some((&target_is_statement, others)) = found.split_last() else {
            return Err(BadInput("the witness has no segments".into()));
        };
        if let Some(lost) = others.iter().position(|found| !found) {
            let title = injections.expressions[lost].title.trim_matches(['<', '>']).to_owned();
            return Ok(Finding::Rejected { why: format!("nothing in the program suits the {title}"), run: None });
        }
        let steering = Steering {
            segments: segments.len(),
            named: inject::named_inputs(&files, segments),
            target: injections.expressions.last().map(|target| target.lines.clone()).unwrap_or_default(),
            target_is_statement,
        };
        let finding = confirm::violation(&program, &steered, &steering, self.budget);
        let Finding::Confirmed { run: Some(run), .. } = &finding else { return Ok(finding) };
        let native = self.native(&program, run);
        if let Err(how) = &native {
            let why = format!("check failed: the interpreter sees the violation, but {how}");
            return Ok(Finding::Unknown(why));
        }
        let native = native.unwrap_or(report::Native::Skipped);
        show(&report::execution::counterexample(&program, &run.outcome, native), "the property");
        Ok(finding)
    }

    fn native(&self, program: &Program, run: &Run) -> Result<report::Native, String> {
        if self.replay == Replay::Interpreter {
            return Ok(report::Native::Skipped);
        }
        let started = Instant::now();
        let build = build(self.settings, self.replay);
        match native::confirm(program, &run.outcome, run.violation.property, &build, NATIVE_TIME) {
            Native::Confirmed => Ok(report::Native::Confirmed { seconds: started.elapsed().as_secs_f64() }),
            Native::Unavailable(reason) => Ok(report::Native::Unavailable { reason }),
            Native::Missed(how) | Native::NotTheLibrary(how) => Err(how),
        }
    }
}

fn show(counterexample: &report::Counterexample, violated: &str) {
    output::bytes(report::text::render_counterexample(counterexample, violated).as_bytes());
}

/// What was not looked at cannot be confirmed.
fn with_unchecked(finding: Finding, unchecked: &[String]) -> Finding {
    match finding {
        Finding::Confirmed { how, .. } if !unchecked.is_empty() => {
            Finding::Unknown(format!("{how}; not checked: {}", unchecked.join(", ")))
        }
        other => other,
    }
}

/// The last line, and the exit code.
fn tell(finding: Finding) -> Exit {
    output::claim_end();
    let (line, exit) = match finding {
        Finding::Confirmed { how, .. } => {
            output::line(how);
            ("confirmed".to_owned(), Exit::Fine)
        }
        Finding::Rejected { why, .. } => (format!("rejected({why})"), Exit::Violated),
        Finding::Insufficient(why) => (format!("insufficient({why})"), Exit::Unknown),
        Finding::Unknown(why) => (format!("unknown({why})"), Exit::Unknown),
    };
    output::line(format!("RESULT: {line}"));
    exit
}
