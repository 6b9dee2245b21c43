//! Helpers of the tests that run the binary.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

#[allow(dead_code, reason = "not every file of tests reads the repository")]
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub(crate) fn foldback<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> Output {
    Command::new(env!("CARGO_BIN_EXE_foldback")).args(arguments).output().expect("the binary runs")
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// What `verify` says of a program about a property: the result, and all of it.
#[allow(dead_code, reason = "not every file of tests verifies programs")]
pub(crate) fn verify(scratch: &Scratch, program: &str, property: &str, time: &str) -> (String, String) {
    let file = scratch.file("program.c", program);
    let file = file.to_str().expect("a path in UTF-8");
    let output = foldback(["verify", file, "--property", property, "--time-limit", time]);
    let said = stdout(&output);
    let result = said.lines().last().and_then(|line| line.strip_prefix("RESULT: ")).unwrap_or_default().to_owned();
    (result, said + &stderr(&output))
}

/// A directory for one test's files, removed at its end.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str) -> Scratch {
        let dir = std::env::temp_dir().join(format!("foldback-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&dir).expect("a directory for the test");
        Scratch(dir)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, contents).expect("a file for the test");
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
