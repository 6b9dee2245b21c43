//! The `foldback` binary: flags in, exit code out.

mod bench_command;
mod cfa_command;
mod check_certificate;
mod check_witness;
mod completions;
mod deliver;
mod doctor;
mod engines;
mod explain;
mod flags;
mod fuzz_command;
mod man;
mod output;
mod progress;
mod project_command;
mod project_words;
mod replay;
mod run;
mod settings;
mod store;
mod verify;

use clap::Parser;
use flags::{Command, Flags};
use output::{BadInput, Exit};
use project::CompilerFlags;
use settings::VerifySettings;
use std::process::ExitCode;
use transform::pipeline::Stage;

/// Deeply nested programs are walked recursively: far more stack than a main thread has, and used only where needed.
const STACK_BYTES: usize = 512 << 20;

/// Half of the time of many runs goes into allocations of the solver, which this one serves faster than the system's (its
/// feature `override` makes it serve C++ too).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let flags = match flags() {
        Ok(flags) => flags,
        Err(message) => {
            output::note(format!("error: {message}"));
            return Exit::BadInput.into();
        }
    };
    verifier::signals::survive_large_files();
    verifier::signals::leave_no_cores();
    let verifying = matches!(flags.command, Command::Verify(_));
    let is_watched = |c: &Command| {
        matches!(c, Command::CheckWitness(_) | Command::CheckCertificate(_) | Command::Fuzz(_) | Command::Check(_))
    };
    if verifying || is_watched(&flags.command) {
        verifier::signals::block();
    }
    let worker = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(move || dispatch(flags.command));
    let result = worker.map(std::thread::JoinHandle::join);
    match result {
        Ok(Ok(Ok(exit))) => exit.into(),
        Ok(Ok(Err(bad))) => {
            output::note(bad.to_string());
            Exit::BadInput.into()
        }
        Ok(Err(_)) => {
            output::note("foldback: internal error (the message above says where): please report it with the program");
            if verifying {
                output::line("RESULT: unknown(internal error)");
            }
            Exit::Unknown.into()
        }
        Err(e) => {
            output::note(format!("foldback: cannot start a thread: {e}"));
            Exit::Unknown.into()
        }
    }
}

/// Our flags, with those of compilers in their place.
fn flags() -> Result<Flags, String> {
    let Ok(words) = std::env::args_os().map(|word| word.into_string()).collect::<Result<Vec<String>, _>>() else {
        let flags = Flags::parse();
        let is_projects = matches!(&flags.command, Command::Verify(flags) if flags.project_words.is_some());
        return if is_projects { Err("names of files must be UTF-8 here".into()) } else { Ok(flags) };
    };
    if !words.get(1).is_some_and(|command| flags::WITH_PROGRAM.contains(&command.as_str())) {
        return Ok(Flags::parse_from(words));
    }
    project_words::check(&words[2..])?;
    let (build, rest) = CompilerFlags::take(&words[2..])?;
    let mut flags = Flags::parse_from(words[..2].iter().chain(&rest));
    if let Some(note) = build.note() {
        output::note(note);
    }
    flags.set_build(build);
    Ok(flags)
}

fn dispatch(command: Command) -> Result<Exit, BadInput> {
    match command {
        Command::Verify(flags) => verify::verify(&VerifySettings::from_flags(&flags)?),
        Command::Run(flags) => run::run(&flags),
        Command::Cfa(flags) => {
            let settings = settings::subject(&flags.program)?;
            if flags.proof {
                return cfa_command::show_tree(&settings, flags.format);
            }
            let stage = Stage::named(&flags.stage).ok_or_else(|| format!("unknown stage '{}'", flags.stage))?;
            cfa_command::show(&settings, stage, flags.format, !flags.no_source)
        }
        Command::CheckWitness(flags) => check_witness::check(&flags),
        Command::CheckCertificate(flags) => check_certificate::check(&flags),
        Command::Replay(flags) => replay::replay(&flags),
        Command::Explain { file, kept, detail } => explain::explain(&file, &settings::files(&kept), detail.detail()),
        Command::Bench(flags) => bench_command::bench(*flags),
        Command::BenchBatch { plan, index } => Ok(bench::slurm::run_batch(&plan, index).map(|()| Exit::Fine)?),
        Command::Fuzz(flags) => fuzz_command::fuzz(&flags),
        Command::Check(flags) => project_command::check(&flags),
        Command::Store { folder, clear } => {
            store::show(&folder.unwrap_or_else(|| verifier::store::FOLDER.into()), clear)?;
            Ok(Exit::Fine)
        }
        Command::Import { from } => project_command::import(&from),
        Command::Lsp { .. } => {
            let binary = std::env::current_exe().map_err(|error| format!("foldback cannot be found: {error}"))?;
            lsp::serve(binary)?;
            Ok(Exit::Fine)
        }
        Command::Engines => {
            engines::list();
            Ok(Exit::Fine)
        }
        Command::Man { folder } => {
            man::write(&folder)?;
            Ok(Exit::Fine)
        }
        Command::Doctor => Ok(doctor::doctor()),
        Command::Completions { shell } => {
            completions::print(shell);
            Ok(Exit::Fine)
        }
    }
}
