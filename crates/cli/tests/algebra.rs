//! Certificates of programs with products: shown by algebra, confirmed, and refused once a lemma is changed.

use crate::common::{Scratch, foldback, stderr, stdout};
use std::ffi::OsStr;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

const SQUARES: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n
int main(void) {
  unsigned long long i = 0, s = 0, c = 0;
  while (__VERIFIER_nondet_int()) {
    c += 3 * s + 3 * i + 1;
    s += 2 * i + 1;
    i += 1;
    if (s != i * i || c != i * i * i) reach_error();
  }
  return 0;
}
";

fn run(arguments: &[&OsStr]) -> String {
    let limit = ["--time-limit", "60s"].map(OsStr::new);
    let output = foldback(arguments.iter().copied().chain(limit));
    stdout(&output) + &stderr(&output)
}

/// What a program writes that is given this to read.
fn piped(program: &str, arguments: &[&str], input: &[u8]) -> Vec<u8> {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    child.stdin.take().expect("a pipe").write_all(input).expect("it reads");
    child.wait_with_output().expect("it ends").stdout
}

fn sha256(contents: &[u8]) -> String {
    String::from_utf8_lossy(&piped("sha256sum", &[], contents))[..64].to_owned()
}

#[test]
fn lemmas_are_checked() {
    let scratch = Scratch::new("algebra");
    let file = scratch.file("squares.c", SQUARES);
    let folder = scratch.path("squares.certificate");
    // One engine, so that it is one proof: the portfolio takes the first that is found.
    let words = ["verify", "--property", "unreach-call", "--engine", "danger", "--certificate"].map(OsStr::new);
    let said = run(&[&words[..], &[folder.as_os_str(), file.as_os_str()]].concat());
    assert!(said.contains("RESULT: true") && folder.join("manifest.json").exists(), "{said}");
    let check = |folder: &Path| run(&["check-certificate".as_ref(), folder.as_os_str(), file.as_os_str()]);
    let said = check(&folder);
    assert!(said.contains("RESULT: confirmed") && said.contains("lemmas of algebra checked"), "{said}");
    let manifest = std::fs::read_to_string(folder.join("manifest.json")).expect("a manifest");
    assert!(manifest.contains("\"algebra\"") && manifest.contains("pac_sha256"), "{manifest}");

    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .expect("a folder")
        .map(|entry| entry.expect("a file").file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".pac.gz"))
        .collect();
    names.sort();
    let name = &names[0];
    let packed = std::fs::read(folder.join(name)).expect("a file");
    let text = String::from_utf8(piped("gunzip", &["-c"], &packed)).expect("a text");
    // The hash is told to the manifest: it must be the lemma that is refused.
    let refused = |what: &str, changed: &str| {
        assert_ne!(changed, text, "{what}");
        let told = manifest.replace(&sha256(text.as_bytes()), &sha256(changed.as_bytes()));
        assert_ne!(told, manifest, "{what}");
        std::fs::write(folder.join("manifest.json"), told).expect("written");
        std::fs::write(folder.join(name), piped("gzip", &["-cn"], changed.as_bytes())).expect("written");
        let said = check(&folder);
        assert!(said.contains("RESULT: rejected("), "{what}: {said}");
        said
    };
    let lines: Vec<&str> = text.lines().collect();
    for (i, line) in lines.iter().enumerate() {
        let without = [&lines[..i], &lines[i + 1..]].concat().join("\n") + "\n";
        refused(&format!("without line {i}: {line}"), &without);
    }
    let steps: Vec<usize> = (0..lines.len()).filter(|i| lines[*i].starts_with("step ")).collect();
    for i in steps {
        let digits: Vec<usize> =
            lines[i].char_indices().filter(|(_, c)| c.is_ascii_digit()).map(|(at, _)| at).collect();
        for at in digits.into_iter().step_by(6) {
            let mut line = lines[i].to_owned();
            let other = if &line[at..=at] == "7" { "8" } else { "7" };
            line.replace_range(at..=at, other);
            let changed = [&lines[..i], &[&line[..]], &lines[i + 1..]].concat().join("\n") + "\n";
            let said = refused(&format!("line {i}: {line}"), &changed);
            assert!(said.contains("lemmas of algebra"), "{line}: {said}");
        }
    }
    // A lemma that is not true, with the proof of another; one that says nothing; none at all.
    let first = lines.iter().position(|line| line.starts_with("then ")).expect("a lemma");
    let mut claims = lines.clone();
    claims[first] = "then #x0000000000000000";
    claims[first + 1] = "is #x0000000000000001";
    refused("nothing is one", &(claims.join("\n") + "\n"));
    refused("no lemma", "\n");
    refused("no file of lemmas", "");
}
