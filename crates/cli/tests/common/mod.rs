//! Helpers of the tests that run the binary.

pub(crate) mod json_schema;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

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
pub(crate) fn verify(scratch: &Scratch, program: &str, property: &str, time: &str) -> (String, String) {
    verify_with(scratch, program, &["--property", property, "--time-limit", time])
}

pub(crate) fn verify_with(scratch: &Scratch, program: &str, flags: &[&str]) -> (String, String) {
    let file = scratch.file("program.c", program);
    let output = foldback(["verify", file.to_str().expect("a path in UTF-8")].iter().chain(flags));
    let said = stdout(&output);
    let result = said.lines().last().and_then(|line| line.strip_prefix("RESULT: ")).unwrap_or_default().to_owned();
    (result, said + &stderr(&output))
}

/// The same with the properties that contracts are about.
pub(crate) fn verify_contract(name: &str, program: &str, flags: &[&str]) -> (String, String) {
    let fixed = ["--property", "assert", "--property", "valid-deref", "--time-limit", "60s"];
    verify_with(&Scratch::new(&format!("contract-{name}")), program, &[&fixed, flags].concat())
}

/// The result must begin so, and this must be said.
pub(crate) fn check_contract(name: &str, program: &str, flags: &[&str], expected: &str, says: &str) {
    let (result, said) = verify_contract(name, program, flags);
    assert!(
        result.starts_with(expected) && said.contains(says),
        "{name}: expected {expected}, {says}\n{program}\n{said}"
    );
}

/// A file of a package that npm brings, once; without npm or its registry, the test says that it is skipped.
#[allow(dead_code, clippy::print_stderr, reason = "a skipped test says so; not every file of tests needs packages")]
pub(crate) fn npm(package: &str, file: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(package.replace(['/', '@'], "-"));
    let file = folder.join("node_modules").join(file);
    if !file.exists() {
        let install = ["install", "--silent", "--no-save", "--no-audit", "--no-fund", package, "--prefix"];
        let output = Command::new("npm").args(install).arg(&folder).output();
        if !output.is_ok_and(|output| output.status.success()) || !file.exists() {
            eprintln!("skipped: npm is not there, or cannot bring {package}");
            return None;
        }
    }
    Some(file)
}

/// A bug behind a loop and a call.
pub(crate) const BUG: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int twice(int x) {
  int result = 2 * x;
  return result;
}
int main(void) {
  int n = 0;
  for (int i = 0; i < 7; i++)
    n += 2;
  int doubled = twice(n);
  if (doubled == 28 && \"</script>\"[0] == '<')
    reach_error();
  return 0;
}
";

/// A loop with an invariant.
pub(crate) const PROOF: &str = "extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
int main(void) {
  int i = 0;
  while (__VERIFIER_nondet_bool())
    if (i < 100)
      i += 2;
  if (i > 100)
    reach_error();
  return 0;
}
";

/// Programs (behind a common head) with a property and how the result begins; `!` what it must not begin with.
pub(crate) fn check_answers(name: &str, head: &str, answers: &[(&str, &str, &str)]) {
    let scratch = Scratch::new(name);
    let mut wrong = Vec::new();
    for (property, program, expected) in answers {
        // What is only not to be said, or not known, needs no time to be found.
        let time = if expected.starts_with('!') || *expected == "unknown" { "3s" } else { "60s" };
        let (result, said) = verify(&scratch, &format!("{head}{program}\n"), property, time);
        let right = match expected.strip_prefix('!') {
            Some(never) => !result.is_empty() && !result.starts_with(never),
            None => result.starts_with(expected),
        };
        if !right {
            wrong.push(format!("{property} of {program}\n  expected {expected}, got {result}\n{said}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
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
