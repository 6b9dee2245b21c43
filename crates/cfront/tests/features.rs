//! Each file of `tests/c` is accepted under both data models, its tree is sound, and gcc agrees that it is C: the files
//! are full of static assertions, so gcc confirms sizes, values and types.

#![allow(clippy::print_stderr)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use cfront::types::DataModel;
use cfront::{Input, Options, load};

const MODELS: [(DataModel, &str); 2] = [(DataModel::Ilp32, "-m32"), (DataModel::Lp64, "-m64")];

fn files() -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c");
    let mut files: Vec<PathBuf> = std::fs::read_dir(dir)
        .expect("test folder")
        .map(|entry| entry.expect("entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    files.sort();
    files
}

/// What gcc says; None when there is no gcc for this data model. System headers of the machine may lack for -m32.
fn gcc_accepts(path: &Path, flag: &str) -> Option<bool> {
    let run = |file: &Path, arguments: &[&str]| {
        Command::new("gcc")
            .args(arguments)
            .args(["-std=gnu17", "-fsyntax-only", "-w", flag])
            .arg(file)
            .stdin(Stdio::null())
            .output()
            .ok()
    };
    let probe = run(Path::new("-"), &["-x", "c", "-include", "stdio.h", "-include", "pthread.h"])?;
    if !probe.status.success() {
        eprintln!("skipped: no gcc {flag} with headers here");
        return None;
    }
    let output = run(path, &[])?;
    if !output.status.success() {
        eprintln!("{}", String::from_utf8_lossy(&output.stderr));
    }
    Some(output.status.success())
}

#[test]
fn good_files_are_accepted_and_sound() {
    let mut complaints = Vec::new();
    for path in files() {
        for (model, flag) in MODELS {
            let shown = path.display();
            match load(&[Input::Path(path.clone())], &Options::new(model)) {
                Ok(unit) => {
                    let problems = cfront::with_big_stack(|| cfront::verify::verify(&unit));
                    complaints.extend(problems.into_iter().map(|p| format!("{shown} under {model}: {p}")));
                }
                Err(failure) => complaints.push(format!("{shown} under {model}:\n{}", failure.render())),
            }
            if gcc_accepts(&path, flag) == Some(false) {
                complaints.push(format!("gcc rejects {shown} under {model}"));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
