//! Typed settings, made once from the flags. What is wrong with a flag is said here, before any work starts.

use crate::deliver::Files;
use crate::flags::{
    DataModelFlag, ExternsFlag, KeptFlags, LimitFlags, ProgramFlags, ProgressFlag, ReplayFlag, UninitGlobalsFlag,
    VerifyFlags, WitnessFormatFlag,
};
use crate::progress::Mode;
use base::quantity::{bytes, duration};
use cfront::types::DataModel;
use portfolio::{Fault, Plan, Strategy};
use project::Build;
use report::live::Live;
use report::text::Detail;
use smt::SolverSettings;
use std::collections::BTreeMap;
use std::path::PathBuf;
use verifier::{Keep, Request, WitnessFormat, property};
pub(crate) use verifier::{Limits, Replay, Subject};

/// A request and how its outcome is shown.
#[derive(Clone, Debug)]
pub(crate) struct VerifySettings {
    pub(crate) request: Request,
    /// Where to keep the result.
    pub(crate) files: Files,
    pub(crate) progress: Mode,
    /// How much is printed.
    pub(crate) detail: Detail,
    /// A danger invariant to check instead of running engines.
    pub(crate) danger_invariant: Option<PathBuf>,
    /// Print the story of loop folding.
    pub(crate) trace_folding: bool,
    /// The folder of answers that are kept.
    pub(crate) store: Option<PathBuf>,
}

pub(crate) fn subject(flags: &ProgramFlags) -> Result<Subject, String> {
    subject_for(flags, property::read(&flags.properties)?)
}

/// With what evidence says of the program, where the flags do not: its properties and its data model.
pub(crate) fn subject_about(
    flags: &ProgramFlags,
    asked: property::Asked,
    data_model: Option<&str>,
) -> Result<Subject, String> {
    let mut subject = subject_for(flags, asked)?;
    if flags.data_model.is_none() && data_model == Some("ILP32") {
        subject.data_model = DataModel::Ilp32;
    }
    Ok(subject)
}

/// With properties from elsewhere than the flags.
pub(crate) fn subject_for(flags: &ProgramFlags, mut asked: property::Asked) -> Result<Subject, String> {
    asked.error_functions.extend(flags.error_functions.iter().cloned());
    if let Some(bad) = asked.error_functions.iter().find(|name| !is_identifier(name)) {
        return Err(format!("'{bad}' is not the name of a function"));
    }
    asked.entry = flags.check_contract.clone().or_else(|| flags.entry.clone()).or(asked.entry);
    let mut subject = Subject::new(Vec::new(), asked);
    if flags.malloc_may_fail {
        subject.lowering.allocation = lower::Allocation::MayFail;
    }
    if flags.uninit_globals == UninitGlobalsFlag::Nondet {
        subject.lowering.uninit_globals = lower::UninitGlobals::Nondet;
    }
    subject.lowering.subobject_bounds = flags.subobject_bounds;
    subject.lowering.strict_shifts = flags.strict_shifts;
    subject.lowering.contracts = lower::Contracts {
        check: flags.check_contract.is_some(),
        unfolds: false,
        used: flags.use_contract.iter().filter(|name| *name != ALL).cloned().collect(),
        use_all: flags.use_contract.iter().any(|name| name == ALL),
        with_invariants: false,
        probes: false,
    };
    match flags.externs {
        _ if flags.pure_externs => subject.lowering.extern_effects = lower::ExternEffects::Pure,
        Some(ExternsFlag::Pure) => subject.lowering.extern_effects = lower::ExternEffects::Pure,
        Some(ExternsFlag::Arguments) => subject.lowering.extern_effects = lower::ExternEffects::Arguments,
        Some(ExternsFlag::Any) => subject.lowering.extern_effects = lower::ExternEffects::Any,
        None => {}
    }
    for text in &flags.only_lines {
        subject.lowering.only_lines.extend(property::lines(text)?);
    }
    read_and_link(flags, &mut subject)?;
    Ok(subject)
}

/// The name that stands for all functions with contracts.
const ALL: &str = "all";

/// How files are read and linked: what flags of compilers, a compile database and ours say.
fn read_and_link(flags: &ProgramFlags, subject: &mut Subject) -> Result<(), String> {
    let build = match &flags.compile_commands {
        Some(database) => Build::from_database(database, &flags.files, &flags.build, flags.data_model.is_some())?,
        None => {
            Build { files: flags.files.clone(), flags: flags.build.clone(), own: BTreeMap::new(), notes: Vec::new() }
        }
    };
    build.notes.iter().for_each(|note| crate::output::note(format!("note: {note}")));
    let asked =
        flags.data_model.map(|model| if model == DataModelFlag::Ilp32 { DataModel::Ilp32 } else { DataModel::Lp64 });
    if let (Some(model), Some(other)) = (asked, flags.build.data_model)
        && model != other
    {
        return Err("--data-model says one size of types, and -m32 or -m64 another".into());
    }
    subject.data_model = asked.or(build.flags.data_model).unwrap_or(DataModel::Lp64);
    let reading = build.flags.reading();
    subject.files = [flags.stub.clone(), build.files].concat();
    subject.defines = [flags.defines.clone(), reading.defines].concat();
    subject.includes = [flags.includes.clone(), reading.include_dirs].concat();
    subject.compiler_flags = build.flags.for_compiler();
    subject.front.acsl = flags.acsl;
    subject.front.undefines = reading.undefines;
    subject.front.forced = reading.forced;
    subject.front.own = build.own.iter().map(|(file, flags)| (file.clone(), flags.reading())).collect();
    subject.front.linking = cfront::Linking {
        remove_bodies: flags.remove_body.clone(),
        only_bodies: flags.only_body.clone(),
        stubs: flags.stub.clone(),
    };
    Ok(())
}

pub(crate) fn limits(flags: &LimitFlags) -> Result<Limits, String> {
    let time = |text: &Option<String>, flag| text.as_deref().map(|text| duration(text, flag)).transpose();
    let cpu_time = time(&flags.time_limit, "--time-limit")?;
    let wall_time = time(&flags.wall_limit, "--wall-limit")?;
    Ok(Limits {
        cpu_time,
        memory_bytes: flags.memory_limit.as_deref().map(bytes).transpose()?,
        wall_time: wall_time.or(cpu_time.map(Limits::usual_wall_time)),
    })
}

pub(crate) fn replay(flag: ReplayFlag) -> Replay {
    match flag {
        ReplayFlag::Interpreter | ReplayFlag::None => Replay::Interpreter,
        ReplayFlag::Native | ReplayFlag::Both => Replay::Native,
        ReplayFlag::NativeUnsandboxed => Replay::NativeUnsandboxed,
    }
}

fn witness_format(flag: Option<WitnessFormatFlag>) -> WitnessFormat {
    match flag {
        None => WitnessFormat::Least,
        Some(WitnessFormatFlag::V2_0) => WitnessFormat::Exactly(witness::Version::V2_0),
        Some(WitnessFormatFlag::V2_1) => WitnessFormat::Exactly(witness::Version::V2_1),
        Some(WitnessFormatFlag::V2_2) => WitnessFormat::Exactly(witness::Version::V2_2),
    }
}

impl VerifySettings {
    pub(crate) fn from_flags(flags: &VerifyFlags) -> Result<VerifySettings, String> {
        let files = Files {
            json: flags.json.clone(),
            witness: flags.witness.clone(),
            certificate: flags.certificate.clone(),
            annotated: flags.annotate.clone(),
            harness: flags.harness.clone(),
            ..files(&flags.kept)
        };
        let usual = flags.program.properties.is_empty() && flags.danger_invariant.is_none();
        let subject = if usual { subject_for(&flags.program, property::usual())? } else { subject(&flags.program)? };
        // A compiler knows nothing of states that contracts allow.
        let replay = if subject.lowering.contracts.any() { Replay::Interpreter } else { replay(flags.replay) };
        let request = Request {
            subject,
            plan: plan(flags)?,
            quick: flags.engine == portfolio::PORTFOLIO,
            found_contracts: flags.found_contracts,
            replay,
            limits: limits(&flags.limits)?,
            keep: Keep {
                witness: files.witness.is_some().then(|| witness_format(flags.witness_format)),
                certificate: files.certificate.is_some(),
                annotated: files.annotated.is_some(),
                harness: files.harness.clone(),
                automaton: files.html.is_some(),
                contracts: flags.show_contracts,
            },
        };
        Ok(VerifySettings {
            request,
            files,
            progress: match flags.progress {
                ProgressFlag::None => Mode::None,
                ProgressFlag::Json => Mode::Json,
                ProgressFlag::Auto if Live::is_visible() && flags.detail.detail() != Detail::Quiet => Mode::Live,
                ProgressFlag::Auto => Mode::None,
            },
            detail: flags.detail.detail(),
            danger_invariant: flags.danger_invariant.clone(),
            trace_folding: flags.trace_folding,
            store: flags.store.clone(),
        })
    }
}

fn is_identifier(name: &str) -> bool {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    !name.is_empty() && name.chars().all(is_letter) && !name.starts_with(|c: char| c.is_ascii_digit())
}

/// Where results go.
pub(crate) fn files(kept: &KeptFlags) -> Files {
    Files { html: kept.html.clone(), sarif: kept.sarif.clone(), ..Files::default() }
}

/// Which engines run when.
fn plan(flags: &VerifyFlags) -> Result<Plan, String> {
    let strategy = match &flags.strategy {
        None => verifier::engines::named(&flags.engine)?,
        Some(_) if flags.engine != "portfolio" => {
            return Err("--strategy says what the portfolio does: it does not go with another --engine".into());
        }
        Some(file) => {
            let text = base::files::read_text(file).map_err(|e| format!("cannot read {}: {e}", file.display()))?;
            Strategy::parse(&text).map_err(|e| format!("{}: {e}", file.display()))?
        }
    };
    let cores = std::thread::available_parallelism();
    let jobs = flags.jobs.or(cores.ok()).map_or(1, std::num::NonZeroUsize::get);
    let faults = flags.inject_fault.iter().map(|text| {
        let (engine, after) = text.split_once('@').ok_or_else(|| format!("'{text}' is not ENGINE@TIME"))?;
        Ok::<Fault, String>(Fault { engine: engine.to_owned(), after: duration(after, "--inject-fault")? })
    });
    let solvers = SolverSettings { log: flags.log_smt.clone(), ..SolverSettings::default() };
    Ok(Plan {
        jobs,
        solvers,
        faults: faults.collect::<Result<_, _>>()?,
        accept_unchecked: flags.accept_unchecked,
        ..Plan::new(strategy)
    })
}
