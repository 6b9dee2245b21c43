//! `foldback replay`: runs the inputs of a kept result, of a violation witness or of a hardware model checker's witness, and
//! tells what happens.

use crate::flags::ReplayFlags;
use crate::output::{self, BadInput, Exit};
use crate::run;
use crate::settings::{self, Replay, Subject};
use crate::values::FromFile;
use base::cpu::Deadline;
use cfa::Program;
use confirm::Steer;
use interpreter::{Ending, Inputs, Limits, Machine, Outcome};
use report::{InputKind, Report, Verdict};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use transform::pipeline;
use validate::native::{self, Native};
use validate::replay::Replayed;
use verifier::replay::{NATIVE_TIME, build};
use verifier::{input_files, load, property};
use witness::inject::named_inputs;
use witness::read::Claim;

/// At most so long in the interpreter.
const RUN_TIME: Duration = Duration::from_secs(60);

/// What there is to run: how the program is read, and the values.
struct Evidence {
    asked: Option<property::Asked>,
    data_model: Option<String>,
    values: Values,
}

enum Values {
    /// By function or variable, as C writes them.
    Kept(BTreeMap<String, Vec<String>>),
    Witness(Vec<witness::read::Segment>),
    /// For the system that `cfa --format btor2` writes.
    Btor2(String),
}

pub(crate) fn replay(flags: &ReplayFlags) -> Result<Exit, BadInput> {
    let evidence = read(flags)?;
    let asked = match evidence.asked {
        Some(asked) if flags.program.properties.is_empty() => asked,
        _ => property::read(&flags.program.properties)?,
    };
    let mut settings = settings::subject_for(&flags.program, asked)?;
    if flags.program.data_model.is_none() && evidence.data_model.as_deref() == Some("ILP32") {
        settings.data_model = cfront::types::DataModel::Ilp32;
    }
    let program = load::lowered(&settings)?;
    let limits = Limits { deadline: Some(Deadline::after(RUN_TIME)), ..Limits::default() };
    let mut inputs: Box<dyn Inputs> = match &evidence.values {
        Values::Btor2(text) => {
            let flat = pipeline::prepare(&program, &load::passes(&settings.lowering.properties)).program;
            let trace = btor2::trace(&flat, text).map_err(|why| format!("{}: {why}", flags.evidence.display()))?;
            return Ok(match validate::replay::replay(&program, &flat, &trace, &limits) {
                Replayed::Confirmed { outcome, .. } => {
                    tell(&program, &outcome, &settings, settings::replay(flags.replay))
                }
                Replayed::Missed(how) | Replayed::Astray(how) | Replayed::Undefined(how) => {
                    output::line(format!("RESULT: missed({how})"));
                    Exit::Unknown
                }
                Replayed::TooLong => {
                    output::line("RESULT: unknown(time limit)");
                    Exit::Unknown
                }
            });
        }
        Values::Witness(segments) => Box::new(Steer::new(&named_inputs(&input_files(&settings)?, segments))),
        Values::Kept(by_name) => {
            let list = |values: &Vec<String>| values.iter().cloned().map(Json::String).collect();
            Box::new(FromFile::ByFunction(by_name.iter().map(|(name, values)| (name.clone(), list(values))).collect()))
        }
    };
    let machine = match Machine::new(&program) {
        Ok(machine) => machine,
        Err(unsupported) => {
            output::line(format!("RESULT: unknown(the program cannot be executed: {unsupported})"));
            return Ok(Exit::Unknown);
        }
    };
    let outcome = machine.run(inputs.as_mut(), &limits);
    let exit = tell(&program, &outcome, &settings, settings::replay(flags.replay));
    Ok(exit)
}

fn read(flags: &ReplayFlags) -> Result<Evidence, BadInput> {
    let shown = flags.evidence.display();
    let text = std::fs::read_to_string(&flags.evidence).map_err(|e| format!("cannot read {shown}: {e}"))?;
    if text.trim_start().starts_with('{') {
        let report = Report::from_json(&text).map_err(|why| format!("{shown}: {why}"))?;
        let Verdict::False { counterexample, .. } = &report.result else {
            return Err(BadInput(format!("{shown}: there is no counterexample in it")));
        };
        let mut by_name: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for input in counterexample.inputs.iter().filter(|input| input.kind != InputKind::Approximated) {
            by_name.entry(input.name.clone()).or_default().push(input.value.clone());
        }
        return Ok(Evidence {
            asked: Some(property::read(&report.properties)?),
            data_model: Some(report.data_model),
            values: Values::Kept(by_name),
        });
    }
    if text.trim_start().starts_with("sat") {
        return Ok(Evidence { asked: None, data_model: None, values: Values::Btor2(text) });
    }
    let witness = witness::read::read(&text).map_err(|why| format!("{shown}: {why}"))?;
    let Claim::Violation(segments) = witness.claim else {
        return Err(BadInput(format!("{shown}: a correctness witness has no inputs to run")));
    };
    let asked = witness.specification.as_deref().map(property::from_text).transpose();
    Ok(Evidence {
        asked: asked.map_err(|why| format!("{shown}: {why}"))?,
        data_model: witness.data_model,
        values: Values::Witness(segments),
    })
}

/// What the interpreter saw, then what the compiled program does.
fn tell(program: &Program, outcome: &Outcome, settings: &Subject, replay: Replay) -> Exit {
    let Ending::Error(violation) = &outcome.ending else {
        output::line(format!("interpreter: {}", run::describe(program, outcome)));
        output::line("RESULT: missed(the inputs do not lead to a violation)");
        return Exit::Unknown;
    };
    for undefined in &outcome.undefined {
        let span = program.functions[undefined.func].edges[undefined.edge].span;
        output::line(format!("{}: warning: {}", program.sources.place(span), undefined.message));
    }
    let native = match replay {
        Replay::Interpreter => report::Native::Skipped,
        Replay::Native | Replay::NativeUnsandboxed => {
            let started = Instant::now();
            match native::confirm(program, outcome, violation.property, &build(settings, replay), NATIVE_TIME) {
                Native::Confirmed => report::Native::Confirmed { seconds: started.elapsed().as_secs_f64() },
                Native::Unavailable(reason) | Native::Missed(reason) | Native::NotTheLibrary(reason) => {
                    report::Native::Unavailable { reason }
                }
            }
        }
    };
    let counterexample = report::execution::counterexample(program, outcome, native);
    output::bytes(report::text::render_counterexample(&counterexample, "the property").as_bytes());
    output::line(format!("RESULT: reproduced({})", violation.property.name()));
    Exit::Violated
}
