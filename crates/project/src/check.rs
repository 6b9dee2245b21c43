//! Runs proofs side by side, each as a run of the binary in the folder of the project.

use crate::{Project, Proof};
use std::fs::File;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The note that a run makes when its answer was found before.
pub const STORED: &str = "note: this answer was stored before";

/// What came of a proof.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    pub name: String,
    /// As after `RESULT: `, or what was wrong with the input.
    pub answer: String,
    pub kind: Kind,
    pub wall: Duration,
    /// What the run said, for a reader who asks why.
    pub said: String,
    /// It was found before, and kept.
    pub is_stored: bool,
    /// It is a proof that nobody has checked: `--accept-unchecked`, which a project may say of itself.
    pub is_unchecked: bool,
    /// The file of its page, where pages are kept.
    pub page: Option<String>,
    pub sarif: Option<serde_json::Value>,
}

/// Compared with what is expected.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    AsExpected,
    /// No answer.
    Unknown,
    /// Another answer than expected.
    Different,
    /// It could not be run.
    BadInput,
}

/// How proofs are run.
pub struct Runner<'a> {
    pub binary: &'a Path,
    /// The folder of the project.
    pub folder: &'a Path,
    /// Makes a file without a name, which is gone with this process however that ends: a run's findings go there.
    pub unnamed: fn() -> std::io::Result<File>,
    /// The folder for a page of each proof. Absolute, as runs have another folder.
    pub pages: Option<&'a Path>,
    /// The folder of answers that are kept. Absolute.
    pub store: Option<&'a Path>,
    pub jobs: usize,
    /// How a run says that its proof is not checked.
    pub unchecked: &'a str,
}

/// What is heard of while proofs run.
#[derive(Clone, Copy, Debug)]
pub enum News<'a> {
    Started(&'a Proof),
    Ended(&'a Outcome),
}

impl Runner<'_> {
    /// Runs the proofs; `hear` is told of each. The outcomes are in the order of the proofs.
    pub fn run(&self, project: &Project, proofs: &[&Proof], hear: impl Fn(News<'_>) + Sync) -> Vec<Outcome> {
        let next = AtomicUsize::new(0);
        let outcomes: Mutex<Vec<Option<Outcome>>> = Mutex::new(vec![None; proofs.len()]);
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.clamp(1, proofs.len().max(1)) {
                scope.spawn(|| {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(proof) = proofs.get(index) else { return };
                        hear(News::Started(proof));
                        let outcome = self.one(project, proof);
                        hear(News::Ended(&outcome));
                        if let Ok(mut all) = outcomes.lock() {
                            all[index] = Some(outcome);
                        }
                    }
                });
            }
        });
        outcomes.into_inner().unwrap_or_default().into_iter().flatten().collect()
    }

    fn one(&self, project: &Project, proof: &Proof) -> Outcome {
        let sarif = (self.unnamed)().ok();
        let mut command = Command::new(self.binary);
        let words = project.arguments(proof);
        command.arg("verify").arg("--project-words").arg(words.len().to_string());
        command.args(["--progress", "none", "--jobs", "1"]);
        if let Some(file) = &sarif {
            command.arg("--sarif").arg(format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd()));
        }
        let page = self.pages.map(|folder| (folder, page_name(&proof.name)));
        if let Some((folder, name)) = &page {
            command.arg("--html").arg(folder.join(name));
        }
        if let Some(folder) = self.store {
            command.arg("--store").arg(folder);
        }
        command.args(words).current_dir(self.folder).stdin(Stdio::null());
        base::process::die_with_us(&mut command);
        let started = Instant::now();
        let output = command.output();
        let wall = started.elapsed();
        let (answer, kind, said) = match output {
            Err(e) => (format!("cannot run {}: {e}", self.binary.display()), Kind::BadInput, String::new()),
            Ok(output) => {
                let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
                let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
                let answer = stdout.lines().rev().find_map(|line| line.strip_prefix("RESULT: "));
                // Of a run that did not come to its end, the line may be another text's: a file can be called so.
                let answer = answer.filter(|answer| output.status.code() == exit_code(answer));
                let (answer, kind) = match answer {
                    Some(answer) => (answer.to_owned(), judged(answer, proof.expected.as_deref().unwrap_or("true"))),
                    None => {
                        let first = stderr.lines().find(|line| line.contains("error: ")).or(stderr.lines().next());
                        (first.unwrap_or("it ended without an answer").to_owned(), Kind::BadInput)
                    }
                };
                (answer, kind, stdout + &stderr)
            }
        };
        // The run has opened the file anew, so this end is still at its start.
        let sarif = sarif.and_then(|file| std::io::read_to_string(file).ok());
        let sarif = sarif.and_then(|text| serde_json::from_str(&text).ok());
        // A run that could not start has no page.
        let page = page.filter(|(folder, name)| folder.join(name).is_file()).map(|(_, name)| name);
        let is_stored = said.lines().any(|line| line == STORED);
        let is_unchecked =
            answer == "true" && said.lines().any(|line| line.starts_with(&format!("warning: {}", self.unchecked)));
        Outcome { name: proof.name.clone(), answer, kind, wall, said, is_stored, is_unchecked, page, sarif }
    }
}

/// The files that the proofs of a project's file read, as far as it names them, and the file itself.
pub fn inputs(path: &Path, project: &Project) -> Vec<PathBuf> {
    let folder = crate::file::folder_of(path);
    let words = project.proofs.iter().flat_map(|proof| project.arguments(proof)).map(|word| folder.join(word));
    std::iter::once(path.to_owned()).chain(words.filter(|word| word.is_file())).collect()
}

/// Why pages must not be written into the folder: the project may have brought links to lead them elsewhere.
pub fn pages_problem(folder: &Path, proofs: &[&Proof]) -> Option<String> {
    if folder.is_symlink() {
        return Some(format!("{} is a link: name the folder that it leads to", folder.display()));
    }
    let names = proofs.iter().map(|proof| page_name(&proof.name)).chain(["index.html".to_owned()]);
    names.into_iter().find_map(|name| base::files::page_problem(&folder.join(name)))
}

/// The name of a proof's page: other characters than letters and digits by their numbers, so that no two are the same.
fn page_name(proof: &str) -> String {
    let mut name = String::new();
    // The page that leads to all others has this name.
    if proof == "index" {
        name.push('-');
    }
    for c in proof.chars() {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => name.push(c),
            '/' => name += "--",
            other => name += &format!("-{:x}-", u32::from(other)),
        }
    }
    name + ".html"
}

/// The exit code of a run that gives the answer.
fn exit_code(answer: &str) -> Option<i32> {
    let codes = [("true", 0), ("false", 1), ("unknown", 3)];
    codes.into_iter().find(|(start, _)| answer.starts_with(start)).map(|(_, code)| code)
}

fn judged(answer: &str, expected: &str) -> Kind {
    if answer == expected || answer.starts_with(expected) && !expected.is_empty() {
        Kind::AsExpected
    } else if answer.starts_with("unknown") {
        Kind::Unknown
    } else {
        Kind::Different
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_have_names_of_their_own() {
        assert_eq!(page_name("ring/put_1"), "ring--put_1.html");
        assert_ne!(page_name("a-b"), page_name("a/b"));
        assert_eq!(page_name("../x"), "-2e--2e---x.html");
        assert_eq!(page_name("index"), "-index.html");
    }

    /// A run that dies may have said anything before.
    #[test]
    fn answers_come_with_their_exit_codes() {
        use std::os::unix::fs::PermissionsExt;
        let folder = std::env::temp_dir().join(format!("foldback-exit-codes-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let binary = folder.join("binary");
        let run = |said: &str, end: &str| {
            std::fs::write(&binary, format!("#!/bin/sh\necho 'RESULT: {said}'\n{end}\n")).expect("a script");
            std::fs::set_permissions(&binary, std::fs::Permissions::from_mode(0o755)).expect("rights");
            let unnamed = || Err(std::io::Error::other("none"));
            let runner = Runner {
                binary: &binary,
                folder: &folder,
                unnamed,
                pages: None,
                store: None,
                jobs: 1,
                unchecked: "nobody looked",
            };
            let text = "[[proof]]\nname = \"p\"\nsources = [\"a.c\"]\n";
            let project = Project::parse(text).expect("a project");
            let proofs: Vec<&Proof> = project.proofs.iter().collect();
            runner.run(&project, &proofs, |_| {})[0].clone()
        };
        let unchecked = run("true", "echo; printf 'warning: nobody looked (why)\\nRESULT: true\\n'");
        assert!(unchecked.kind == Kind::AsExpected && unchecked.is_unchecked);
        let run = |said: &str, end: &str| {
            let outcome = run(said, end);
            assert!(!outcome.is_unchecked);
            outcome.kind
        };
        assert_eq!(run("true", "exit 0"), Kind::AsExpected);
        for end in ["exit 1", "exit 3", "exit 134", "kill -9 $$", "kill -11 $$"] {
            assert_eq!(run("true", end), Kind::BadInput, "{end}");
        }
        assert_eq!(run("false(assert)", "exit 1"), Kind::Different);
        assert_eq!(run("unknown(time limit)", "exit 3"), Kind::Unknown);
        let _ = std::fs::remove_dir_all(folder);
    }

    #[test]
    fn answers_against_expectations() {
        assert_eq!(judged("true", "true"), Kind::AsExpected);
        assert_eq!(judged("false(assert)", "false"), Kind::AsExpected);
        assert_eq!(judged("unknown(time limit)", "true"), Kind::Unknown);
        assert_eq!(judged("true", "false"), Kind::Different);
        assert_eq!(judged("true", ""), Kind::Different);
    }
}
