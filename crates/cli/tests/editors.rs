//! The snippets for editors, in the editors where they are installed.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use crate::common::{Scratch, stdout};
use std::path::Path;
use std::process::Command;

const WRONG: &str = "#include <assert.h>\n\nextern int __VERIFIER_nondet_int(void);\n\nint main(void) {\n\
    \x20 int n = __VERIFIER_nondet_int(), i = 0;\n  if (n < 0 || n > 1000)\n    return 0;\n  while (i < n)\n    i++;\n\
    \x20 assert(i == n);\n  assert(n != 700);\n}\n";

/// A search path that begins with the folder of the binary under test.
fn path() -> String {
    let folder = Path::new(env!("CARGO_BIN_EXE_foldback")).parent().expect("a folder");
    format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default())
}

fn here(file: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(file)
}

/// What a program says of its version, if it is installed.
fn version(program: &str) -> Option<String> {
    Command::new(program).arg("--version").output().ok().map(|output| stdout(&output))
}

#[test]
fn neovim_shows_findings_invariants_and_lenses() {
    // `vim.lsp.config` is there since 0.11.
    let minor = version("nvim").and_then(|text| text.split('.').nth(1)?.parse::<u32>().ok());
    if minor.is_none_or(|minor| minor < 11) {
        eprintln!("skipped: no Neovim 0.11 or later");
        return;
    }
    let scratch = Scratch::new("neovim");
    scratch.file("wrong.c", WRONG);
    let mut command = Command::new("nvim");
    command.args(["--headless", "-n", "-u"]).arg(here("../../contrib/editors/foldback.lua"));
    command.arg("-l").arg(here("tests/editors/neovim.lua")).current_dir(scratch.path("."));
    for (variable, folder) in [("XDG_STATE_HOME", "state"), ("XDG_CONFIG_HOME", "config"), ("XDG_DATA_HOME", "data")] {
        command.env(variable, scratch.path(folder));
    }
    let output = command.env("PATH", path()).output().expect("Neovim runs");
    let said = stdout(&output) + &crate::common::stderr(&output);
    assert!(output.status.success() && said.contains("all was seen"), "{said}");
}

#[test]
fn helix_takes_the_snippet() {
    let Some(program) = ["hx", "helix"].into_iter().find(|program| version(program).is_some()) else {
        eprintln!("skipped: no Helix");
        return;
    };
    let scratch = Scratch::new("helix");
    let snippet = std::fs::read_to_string(here("../../contrib/editors/helix.toml")).expect("the snippet");
    std::fs::create_dir_all(scratch.path("helix")).expect("a folder");
    scratch.file("helix/languages.toml", snippet);
    let mut command = Command::new(program);
    command.args(["--health", "c"]).env("XDG_CONFIG_HOME", scratch.path(".")).env("PATH", path());
    let said = stdout(&command.output().expect("Helix runs"));
    let server = said.lines().find(|line| line.contains("foldback: "));
    assert!(server.is_some_and(|line| line.contains(env!("CARGO_BIN_EXE_foldback"))), "{said}");
}
