//! Files where they should not be: outputs that are inputs, links, pipes and limits where something is written, and what a
//! compile database of a stranger names.

use crate::common::{Scratch, foldback, stderr, stdout};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const PROGRAM: &str = "int main(void) { int i = 0; while (i < 10) i++; return 0; }\n";

fn run_in(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_foldback"));
    command.args(words).current_dir(folder).stdin(Stdio::null()).output().expect("the binary runs")
}

fn said(output: &Output) -> String {
    stdout(output) + &stderr(output)
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

/// Nothing of the program's is written over, and nothing that is not ours is removed.
#[test]
fn outputs_are_no_inputs() {
    let scratch = Scratch::new("outputs-inputs");
    let (source, header) = (scratch.file("s.c", PROGRAM), scratch.file("s.h", "int x;\n"));
    let folder = source.parent().expect("a folder");
    std::os::unix::fs::symlink(&source, folder.join("link")).expect("a link");
    for output in ["--json", "--html", "--sarif", "--witness", "--harness"] {
        for file in ["s.c", "./s.c", "link", "s.h"] {
            let output = run_in(folder, &["verify", "s.c", output, file, "--time-limit", "5s"]);
            assert_eq!(output.status.code(), Some(2), "{}", said(&output));
            assert_eq!((text(&source).as_str(), text(&header).as_str()), (PROGRAM, "int x;\n"), "{}", said(&output));
        }
    }
    let twice = run_in(folder, &["verify", "s.c", "--json", "x", "--sarif", "./x"]);
    assert!(twice.status.code() == Some(2) && said(&twice).contains("twice"), "{}", said(&twice));
    // What is removed, as there is no new one, was a harness.
    let notes = scratch.file("notes", "mine");
    run_in(folder, &["verify", "s.c", "-p", "no-overflow", "--time-limit", "5s", "--harness", "notes"]);
    assert_eq!(text(&notes), "mine");
    let project = "time-limit = \"5s\"\n[[proof]]\nname = \"a\"\nsources = [\"s.c\"]\n";
    let file = scratch.file("foldback.toml", project);
    for (flag, name) in [("--junit", "foldback.toml"), ("--sarif", "s.c")] {
        let output = run_in(folder, &["check", flag, name]);
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        assert_eq!((text(&file).as_str(), text(&source).as_str()), (project, PROGRAM));
    }
}

/// A project may bring links where its pages are written.
#[test]
fn pages_follow_no_links() {
    let scratch = Scratch::new("outputs-pages");
    let outside = scratch.file("precious", "precious");
    scratch.file("t.c", PROGRAM);
    let file = scratch.file("foldback.toml", "time-limit = \"8s\"\n[[proof]]\nname = \"index\"\nsources = [\"t.c\"]\n");
    let folder = file.parent().expect("a folder");
    std::fs::create_dir(folder.join("site")).expect("a folder");
    let link = folder.join("site/-index.html");
    std::os::unix::fs::symlink(&outside, &link).expect("a link");
    let output = run_in(folder, &["check", "--no-store", "--html", "site"]);
    assert_eq!((output.status.code(), text(&outside).as_str()), (Some(2), "precious"), "{}", said(&output));
    std::fs::remove_file(&link).expect("removed");
    let output = run_in(folder, &["check", "--no-store", "--html", "site"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    // The page that leads to the others is none of them, whatever a proof is called.
    assert!(text(&folder.join("site/index.html")).contains("href=\"-index.html\""));
    std::fs::write(&file, "").expect("written");
    let output = run_in(folder, &["check"]);
    assert!(output.status.code() == Some(2) && said(&output).contains("no proofs"), "{}", said(&output));
}

/// Nobody is waited for, where a pipe lies instead of a file.
#[test]
fn pipes_keep_nobody() {
    let scratch = Scratch::new("outputs-pipes");
    let source = scratch.file("m.c", PROGRAM);
    let folder = source.parent().expect("a folder");
    let pipe = |name: &str| {
        assert!(Command::new("mkfifo").arg(folder.join(name)).status().is_ok_and(|status| status.success()));
    };
    let started = Instant::now();
    pipe("out.json");
    let output = run_in(folder, &["verify", "m.c", "--json", "out.json", "--time-limit", "5s"]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    run_in(folder, &["verify", "m.c", "-p", "no-overflow", "--store", "st"]);
    let answers: Vec<_> = std::fs::read_dir(folder.join("st")).expect("a store").flatten().collect();
    assert_eq!(answers.len(), 1);
    std::fs::remove_file(answers[0].path()).expect("removed");
    pipe(answers[0].path().to_str().expect("UTF-8"));
    let output = run_in(folder, &["verify", "m.c", "-p", "no-overflow", "--store", "st"]);
    assert!(stdout(&output).ends_with("RESULT: true\n"), "{}", said(&output));
    assert!(started.elapsed() < Duration::from_secs(60));
}

/// What is read is a plain file: nobody waits for a pipe, and a device is not read to its end.
#[test]
fn inputs_are_files() {
    let scratch = Scratch::new("inputs-files");
    let source = scratch.file("m.c", PROGRAM);
    let folder = source.parent().expect("a folder");
    assert!(Command::new("mkfifo").arg(folder.join("pipe")).status().is_ok_and(|status| status.success()));
    assert!(Command::new("mkfifo").arg(folder.join("pipe.prp")).status().is_ok_and(|status| status.success()));
    let started = Instant::now();
    for file in ["pipe", "/dev/zero", "/dev/tty"] {
        for words in [
            &["verify", file][..],
            &["run", file],
            &["cfa", file],
            &["verify", "m.c", file],
            &["explain", file],
            &["replay", file, "m.c"],
            &["check-witness", file, "m.c"],
            &["run", "m.c", "--inputs", file],
            &["check", "--file", file],
            &["import", "compile-commands", file],
            &["bench", file, "--out", "out"],
        ] {
            let output = run_in(folder, words);
            assert_eq!(output.status.code(), Some(2), "{words:?}: {}", said(&output));
            assert!(!said(&output).contains("panicked"), "{words:?}: {}", said(&output));
        }
    }
    let output = run_in(folder, &["verify", "m.c", "--property", "pipe.prp"]);
    assert!(output.status.code() == Some(2) && said(&output).contains("pipe or a device"), "{}", said(&output));
    assert!(started.elapsed() < Duration::from_secs(60));
}

/// A bench writes over what a bench has written, and through no links.
#[test]
fn benches_write_their_own_files() {
    let scratch = Scratch::new("bench-files");
    let source = scratch.file("m.c", PROGRAM);
    let folder = source.parent().expect("a folder");
    let set = "task,input,property,expected,data_model\nm.c,m.c,no-overflow,true,LP64\n";
    scratch.file("index.csv", set);
    let bench = |out: &str| {
        let words = ["bench", ".", "--engine", "absint", "--time-limit", "5s", "--out", out];
        run_in(folder, &words)
    };
    for name in ["results.csv", "summary.md", "index.html", "start.json"] {
        let own = scratch.file(name, "mine");
        let output = bench(".");
        assert!(output.status.code() == Some(2) && text(&own) == "mine", "{name}: {}", said(&output));
        std::fs::remove_file(own).expect("removed");
    }
    assert_eq!(bench("out").status.code(), Some(0));
    for name in ["results.csv", "summary.md", "index.html"] {
        let (precious, own) = (scratch.file("precious", "precious"), scratch.path(&format!("out/{name}")));
        std::fs::rename(&own, folder.join("kept")).expect("moved");
        std::os::unix::fs::symlink(&precious, &own).expect("a link");
        let output = bench("out");
        assert!(output.status.code() == Some(2) && text(&precious) == "precious", "{name}: {}", said(&output));
        std::fs::rename(folder.join("kept"), &own).expect("moved back");
    }
    assert_eq!(bench("out").status.code(), Some(0));
    let other = scratch.file("out/results.csv", "a,b\n1,2");
    assert!(bench("out").status.code() == Some(2) && text(&other) == "a,b\n1,2");
}

/// A limit of the size of files is no end of the answer.
#[test]
fn files_that_cannot_grow() {
    let scratch = Scratch::new("outputs-limit");
    let source = scratch.file("m.c", PROGRAM);
    let folder = source.parent().expect("a folder");
    for kept in ["--json x.json", "--store st"] {
        let line = format!("ulimit -f 0; exec {} verify m.c -p no-overflow {kept}", env!("CARGO_BIN_EXE_foldback"));
        let output =
            Command::new("sh").args(["-c", &line]).current_dir(folder).env("TMPDIR", folder).output().expect("a shell");
        assert!(output.status.code() == Some(0) && stdout(&output).ends_with("RESULT: true\n"), "{}", said(&output));
    }
    let left = std::fs::read_dir(folder).expect("a folder").flatten();
    let left: Vec<_> = left.filter(|file| file.file_name().to_string_lossy().starts_with("foldback-")).collect();
    assert!(left.is_empty(), "{left:?}");
}

/// A compile database says nothing of files elsewhere.
#[test]
fn databases_name_files_of_the_project() {
    let outside = Scratch::new("outputs-secret");
    let secret = outside.file("shadow", "swordfish:1:2\n");
    let scratch = Scratch::new("outputs-database");
    let elsewhere = secret.parent().expect("a folder").display().to_string();
    scratch.file("own.c", "int own(int x) { return x; }\n");
    let here = scratch.path("own.c").parent().expect("a folder").display().to_string();
    let entries = |command: &str| {
        format!(
            "[{{\"directory\":\"{elsewhere}\",\"file\":\"shadow\",\"command\":\"gcc -c shadow\"}},\
             {{\"directory\":\"{here}\",\"file\":\"own.c\",\"command\":\"gcc -DA=1 -c own.c\"}},\
             {{\"directory\":\"{here}\",\"file\":\"own.c\",\"command\":\"gcc {command} -c own.c\"}}]"
        )
    };
    let database = scratch.file("compile_commands.json", entries("-DA=2"));
    let database = database.to_str().expect("UTF-8");
    let output = foldback(["import", "compile-commands", database]);
    let told = said(&output);
    assert!(output.status.code() == Some(0) && !told.contains("swordfish") && told.contains("own folders"), "{told}");
    assert!(told.contains("in several ways"), "{told}");
    scratch.file("compile_commands.json", entries(&format!("@{elsewhere}/shadow")));
    let output = foldback(["import", "compile-commands", database, "--out", &format!("{here}/other.toml")]);
    assert!(output.status.code() == Some(2) && !said(&output).contains("swordfish"), "{}", said(&output));
    // Nor where the name is asked for.
    scratch.file("compile_commands.json", entries("-DA=1"));
    let output = run_in(Path::new(&here), &["verify", "--compile-commands", "compile_commands.json", "shadow"]);
    assert!(output.status.code() == Some(2) && !said(&output).contains("swordfish"), "{}", said(&output));
}

/// What was done is said when a run is interrupted.
#[test]
fn an_interrupted_check_says_what_is_done() {
    let scratch = Scratch::new("outputs-interrupted");
    scratch.file("fast.c", PROGRAM);
    let endless = "#include <assert.h>\nint main(void) { unsigned long x = 1; for (unsigned long i = 0; i < 1ul << 45; i++) \
                   x = x * 6364136223846793005ul + (x >> 7); assert(x != 12345); return 0; }\n";
    scratch.file("slow.c", endless);
    let proofs = "[[proof]]\nname = \"fast\"\nproperties = [\"no-overflow\"]\nsources = [\"fast.c\"]\n\
                  [[proof]]\nname = \"slow\\nRESULT\"\nproperties = [\"assert\"]\nsources = [\"slow.c\"]\n";
    let file = scratch.file("foldback.toml", proofs);
    let mut command = Command::new(env!("CARGO_BIN_EXE_foldback"));
    command.args(["check", "--no-store", "--jobs", "1"]).current_dir(file.parent().expect("a folder"));
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs");
    std::thread::sleep(Duration::from_secs(6));
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-HUP", &pid]).status().is_ok_and(|status| status.success()));
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    assert!(
        stdout(&output).ends_with("interrupted: 1 of 2 proofs are done; 1 of 1 proofs as expected\n"),
        "{}",
        said(&output)
    );
}
