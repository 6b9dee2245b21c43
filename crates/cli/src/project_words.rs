//! Words of a command line that a project's file gives (`foldback.toml`): what they must not say.
//!
//! Whoever runs `foldback check`, or opens a file in an editor, need not know the project: it may be a pull request. So its
//! flags say what is proved and how, but they open no wall, write no files, and read none from elsewhere but C.

use crate::flags::{Command, Flags, ReplayFlag, VerifyFlags};
use cfront::input::Project;
use clap::Parser;
use project::CompilerFlags;
use std::path::{Path, PathBuf};

/// `--project-words N` as the first flag of `foldback verify`: the last N words are a project's.
const FLAG: &str = "--project-words";

/// Whether the last words of a command line may stand there, if they are a project's; the error says why not.
pub(crate) fn check(words: &[String]) -> Result<(), String> {
    match words {
        [flag, count, rest @ ..] if flag == FLAG => {
            let start = count.parse().ok().and_then(|count: usize| rest.len().checked_sub(count));
            check_theirs(&rest[start.ok_or_else(|| format!("{FLAG}: there are not so many"))?..])
        }
        _ if words.iter().any(|word| word.starts_with(FLAG)) => Err(format!("{FLAG} comes first")),
        _ => Ok(()),
    }
}

fn check_theirs(words: &[String]) -> Result<(), String> {
    // What such a file says would be shown as names that are not understood.
    if let Some(word) = words.iter().find(|word| word.starts_with('@')) {
        return Err(format!("{word}: the flags of a project stand in its own file"));
    }
    let (_, rest) = CompilerFlags::take(words)?;
    let parsed = Flags::try_parse_from(["foldback", "verify"].into_iter().chain(rest.iter().map(String::as_str)));
    let Command::Verify(flags) = parsed.map_err(|error| error.to_string())?.command else {
        return Err("a project only verifies".into());
    };
    if flags.replay == ReplayFlag::NativeUnsandboxed {
        return Err("--replay native-unsandboxed: a project does not say that its programs may do anything".into());
    }
    if let Some((flag, _)) = written(&flags).into_iter().find(|(_, path)| path.is_some()) {
        return Err(format!("{flag}: a project does not say which files are written"));
    }
    let here = std::env::current_dir().map_err(|e| format!("no current directory: {e}"))?;
    let own = Project::of(&[here.join(project::file::NAME)]);
    let is_elsewhere = |path: &&PathBuf| path.exists() && !own.allows(path);
    let files = read(&flags);
    if let Some(path) = files.iter().find(is_elsewhere) {
        let shown = path.display();
        return Err(format!("{shown}: a project reads only files of its own folders, and files named like C"));
    }
    Ok(())
}

fn written(flags: &VerifyFlags) -> [(&'static str, Option<&Path>); 9] {
    [
        ("--harness", flags.harness.as_deref()),
        ("--json", flags.json.as_deref()),
        ("--html", flags.kept.html.as_deref()),
        ("--sarif", flags.kept.sarif.as_deref()),
        ("--witness", flags.witness.as_deref()),
        ("--certificate", flags.certificate.as_deref()),
        ("--annotate", flags.annotate.as_deref()),
        ("--log-smt", flags.log_smt.as_deref()),
        ("--store", flags.store.as_deref()),
    ]
}

fn read(flags: &VerifyFlags) -> Vec<PathBuf> {
    let program = &flags.program;
    let files = program.files.iter().chain(&program.stub).chain(&program.compile_commands);
    let files = files.chain(&flags.strategy).chain(&flags.danger_invariant).cloned();
    files.chain(program.properties.iter().map(PathBuf::from)).collect()
}
