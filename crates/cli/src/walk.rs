//! Walking where a danger invariant leads when that is too far for the interpreter: its choices are put in the place of the
//! calls of input functions, and the program is compiled and run.

use crate::settings::{Replay, VerifySettings};
use crate::verify::native_build;
use crate::witness_file;
use cfa::Program;
use portfolio::judge_danger::CheckedDanger;
use std::path::Path;
use std::time::Duration;
use transform::pipeline::Prepared;
use validate::native::{self, Build, Native};

/// At most so long: about a billion steps. The proof stands without it.
const TIME: Duration = Duration::from_secs(10);

/// What the compiled program comes to.
pub(crate) fn confirm(
    program: &Program,
    settings: &VerifySettings,
    prepared: &Prepared,
    proof: &CheckedDanger,
) -> Native {
    if settings.replay == Replay::Interpreter || settings.program.lowering.entry != "main" {
        return Native::Unavailable("the program was not compiled".into());
    }
    let changed = match witness_file::with_inputs(settings, prepared, proof) {
        Ok(changed) => changed,
        Err(why) => return Native::Unavailable(why),
    };
    let folder = std::env::temp_dir().join(format!("foldback-walk-{}", std::process::id()));
    let native = match written(&folder, native_build(&settings.program), &changed) {
        Ok(build) => native::walk(program, &proof.violation, &build, TIME),
        Err(error) => Native::Unavailable(format!("{}: {error}", folder.display())),
    };
    // A folder left behind in the temporary directory is no reason to fail.
    let _ = std::fs::remove_dir_all(&folder);
    native
}

/// How the changed files are compiled: they find what the original ones include.
fn written(folder: &Path, mut build: Build, changed: &[(String, String)]) -> std::io::Result<Build> {
    std::fs::create_dir_all(folder)?;
    build.includes.extend(build.files.iter().filter_map(|file| Some(file.parent()?.to_owned())));
    build.files.clear();
    for (i, (name, text)) in changed.iter().enumerate() {
        let extension = Path::new(name).extension().unwrap_or_default().to_string_lossy();
        let file = folder.join(format!("program{i}.{extension}"));
        std::fs::write(&file, text)?;
        build.files.push(file);
    }
    Ok(build)
}
