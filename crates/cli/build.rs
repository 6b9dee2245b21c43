//! Says which commit the binary is made from, where git knows.

use std::path::Path;
use std::process::Command;

fn main() {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
        Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
    };
    // Every commit adds a line to this file. Elsewhere than in a clone there is none, and nothing to wait for.
    let log =
        git(&["rev-parse", "--path-format=absolute", "--git-path", "logs/HEAD"]).filter(|log| Path::new(log).exists());
    println!("cargo::rerun-if-changed={}", log.as_deref().unwrap_or("build.rs"));
    let commit = git(&["log", "-1", "--format=(%h, %cs)"]).map(|shown| format!(" {shown}")).unwrap_or_default();
    println!("cargo::rustc-env=FOLDBACK_VERSION={}{commit}", env!("CARGO_PKG_VERSION"));
}
