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

/// Lines of a program may be said to come from any file of its folder. Nobody waits for a pipe there, and what is too large for a
/// source is none.
#[test]
fn lines_of_no_files() {
    let scratch = Scratch::new("lines-of-pipes");
    let folder = scratch.path("");
    assert!(Command::new("mkfifo").arg(folder.join("pipe.c")).status().is_ok_and(|status| status.success()));
    let huge = std::fs::File::create(folder.join("huge.c")).expect("a file");
    huge.set_len(40 << 30).expect("a file with nothing in it");
    let started = Instant::now();
    for name in ["pipe.c", "huge.c"] {
        let text =
            format!("#include <assert.h>\nint main(void) {{\n#line 1 \"{name}\"\n  assert(0);\n  return 0; }}\n");
        scratch.file("s.c", text);
        let words = ["verify", "s.c", "--html", "s.html", "--time-limit", "5s", "--replay", "interpreter"];
        let output = run_in(&folder, &words);
        assert!(stdout(&output).ends_with("RESULT: false(assert)\n"), "{name}: {}", said(&output));
        assert!(text_of_page(&folder.join("s.html")).contains(name));
    }
    assert!(started.elapsed() < Duration::from_secs(60));
}

fn text_of_page(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a page")
}

/// A signal ends a run also where nobody reads what it says.
#[test]
fn nobody_has_to_read() {
    let scratch = Scratch::new("outputs-unread");
    // More than a pipe holds.
    let long = "a".repeat(40_000);
    let file = scratch.file("s.c", format!("#include <assert.h>\nint main(void) {{ assert(0 && \"{long}\"); }}\n"));
    let kept = scratch.path("kept.json");
    let mut command = Command::new(env!("CARGO_BIN_EXE_foldback"));
    command.arg("verify").arg(file).arg("--json").arg(&kept).args([
        "-p",
        "assert",
        "--time-limit",
        "60s",
        "--replay",
        "interpreter",
    ]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the binary runs");
    // Files come before what is printed.
    let until = Instant::now() + Duration::from_secs(60);
    while text(&kept).is_empty() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(500));
    assert!(child.try_wait().expect("it is ours").is_none(), "it says less than a pipe holds");
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &pid]).status().is_ok_and(|status| status.success()));
    let until = Instant::now() + Duration::from_secs(40);
    while child.try_wait().expect("it is ours").is_none() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    let ended = child.try_wait().expect("it is ours");
    let _ = child.kill();
    assert!(ended.is_some(), "it waits for a reader");
}

/// `*.c` may stand for `@x.c` too: that is a file then, and no list of flags.
#[test]
fn files_are_no_lists_of_flags() {
    let scratch = Scratch::new("outputs-responses");
    let folder = scratch.path("");
    scratch.file("x.c", "--html written s.c\n");
    scratch.file("s.c", PROGRAM);
    let flags = run_in(&folder, &["verify", "@x.c", "-p", "no-overflow", "--time-limit", "5s"]);
    assert!(stdout(&flags).ends_with("RESULT: true\n") && folder.join("written").exists(), "{}", said(&flags));
    std::fs::remove_file(folder.join("written")).expect("it is there");
    scratch.file("@x.c", PROGRAM);
    let output = run_in(&folder, &["verify", "@x.c", "-p", "no-overflow", "--time-limit", "5s"]);
    assert!(stdout(&output).ends_with("RESULT: true\n") && !folder.join("written").exists(), "{}", said(&output));
}

/// Scripts of solvers get new names, and go through no links.
#[test]
fn scripts_of_solvers_are_new_files() {
    let scratch = Scratch::new("outputs-scripts");
    let folder = scratch.path("");
    let source = "extern void reach_error(void); extern unsigned __VERIFIER_nondet_uint(void);\n\
                  int main(void) { unsigned x = __VERIFIER_nondet_uint(); if (x * x == 49) reach_error(); return 0; }\n";
    scratch.file("m.c", source);
    let (precious, own) = (scratch.file("precious", "precious"), folder.join("log/solver-0002.smt2"));
    std::fs::create_dir(folder.join("log")).expect("a folder");
    std::os::unix::fs::symlink(&precious, folder.join("log/solver-0001.smt2")).expect("a link");
    std::os::unix::fs::symlink(folder.join("new"), folder.join("log/solver-0003.smt2")).expect("a link to nothing");
    std::fs::write(&own, "mine").expect("a file");
    let words = ["verify", "m.c", "-p", "unreach-call", "--engine", "bmc", "--log-smt", "log", "--time-limit", "10s"];
    let output = run_in(&folder, &words);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert_eq!((text(&precious).as_str(), text(&own).as_str()), ("precious", "mine"));
    assert!(!folder.join("new").exists());
    let written = std::fs::read_dir(folder.join("log")).expect("a folder").count();
    assert!(written > 3, "{written}: {}", said(&output));
    // A file where the folder should be.
    let words =
        ["verify", "m.c", "-p", "unreach-call", "--engine", "bmc", "--log-smt", "precious", "--time-limit", "10s"];
    let output = run_in(&folder, &words);
    assert!(text(&precious) == "precious" && !said(&output).contains("panicked"), "{}", said(&output));
}

/// What hunts for mistakes writes into a folder of its own, which goes when it is killed.
#[test]
fn fuzzing_leaves_nothing() {
    let scratch = Scratch::new("outputs-fuzz");
    let (folder, temporary) = (scratch.path("work"), scratch.path("tmp"));
    for folder in [&folder, &temporary] {
        std::fs::create_dir(folder).expect("a folder");
    }
    let count = |folder: &Path| std::fs::read_dir(folder).expect("a folder").count();
    let mut command = Command::new(env!("CARGO_BIN_EXE_foldback"));
    command.args(["fuzz", "--engine", "absint", "--seconds", "300"]).current_dir(&folder).env("TMPDIR", &temporary);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the binary runs");
    let until = Instant::now() + Duration::from_secs(60);
    let wait = |is_so: &dyn Fn() -> bool| {
        while !is_so() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(10));
        }
        is_so()
    };
    assert!(wait(&|| count(&temporary) > 0), "it has no folder");
    std::thread::sleep(Duration::from_millis(500));
    child.kill().expect("it is killed");
    child.wait().expect("it is gone");
    assert!(wait(&|| count(&temporary) == 0), "{} are left", count(&temporary));
    assert_eq!(count(&folder), 0, "it wrote where it was started");
}

/// The script of the example for pull requests writes through no links, and repeats no line that its runner would obey.
#[test]
fn the_example_for_pull_requests() {
    let scratch = Scratch::new("outputs-example");
    let folder = scratch.path("");
    let script = crate::common::root().join("contrib/github/verify.sh");
    let run = |words: &[&str]| {
        let mut command = Command::new(&script);
        command.args(words).current_dir(&folder).env("FOLDBACK", env!("CARGO_BIN_EXE_foldback"));
        command.env("FOLDBACK_FLAGS", "--time-limit 5s -p assert").output().expect("the script runs")
    };
    let precious = scratch.file("precious", "precious");
    scratch.file("a.c", PROGRAM);
    std::fs::create_dir(folder.join("out")).expect("a folder");
    for name in ["a.c.txt", "a.c.sarif", "a.c.html"] {
        let link = folder.join("out").join(name);
        std::os::unix::fs::symlink(&precious, &link).expect("a link");
        let output = run(&["out", "a.c"]);
        assert!(!output.status.success() && text(&precious) == "precious", "{name}: {}", said(&output));
        std::fs::remove_file(link).expect("removed");
    }
    std::os::unix::fs::symlink("/tmp", folder.join("elsewhere")).expect("a link");
    assert!(!run(&["elsewhere", "a.c"]).status.success());
    let name = "x\n  ::add-mask::a\n##[error]b.c";
    scratch.file(name, PROGRAM);
    let output = run(&["out", "a.c", name]);
    assert!(stdout(&output).starts_with("a.c: RESULT: "), "{}", said(&output));
    let obeyed = |line: &str| line.trim_start().starts_with("::add-mask") || line.contains("##[");
    assert!(!stdout(&output).lines().any(obeyed), "{}", said(&output));
    // Once more over its own files.
    assert!(stdout(&run(&["out", "a.c"])).starts_with("a.c: RESULT: "));
}

/// Sets of tasks name programs and properties: no flags, and no other files, whose text would stand in the results.
#[test]
fn sets_of_tasks_give_no_flags() {
    let scratch = Scratch::new("bench-hostile");
    let secret = scratch.file("secret", "swordfish is the word\n").display().to_string();
    scratch.file("m.c", "extern void reach_error(void);\nint main(void) { reach_error(); return 0; }\n");
    std::os::unix::fs::symlink(&secret, scratch.path("link.c")).expect("a link");
    std::os::unix::fs::symlink(&secret, scratch.path("link.prp")).expect("a link");
    let folder = scratch.path("");
    let definition = |files: &str, property: &str, data_model: &str| {
        format!(
            "format_version: '2.0'\ninput_files: [{files}]\nproperties:\n  - property_file: {property}\n    expected_verdict: \
             false\noptions: {{language: C, data_model: '{data_model}'}}\n"
        )
    };
    let bench = |set: &str| {
        // What was found before is not asked again.
        let _ = std::fs::remove_dir_all(folder.join("out"));
        run_in(&folder, &["bench", set, "--engine", "bmc", "--time-limit", "5s", "--out", "out"])
    };
    let written = || text(&folder.join("out/results.csv")) + &text(&folder.join("out/summary.md"));
    for (files, property, data_model) in [
        ("'--replay=native-unsandboxed', m.c", "unreach-call.prp", "LP64"),
        ("'--html=written', m.c", "unreach-call.prp", "LP64"),
        ("'@secret', m.c", "unreach-call.prp", "LP64"),
        (&format!("'{secret}'"), "unreach-call.prp", "LP64"),
        ("link.c", "unreach-call.prp", "LP64"),
        ("m.c", &secret, "LP64"),
        ("m.c", "link.prp", "LP64"),
        ("m.c", "unreach-call.prp", "--html=written"),
    ] {
        scratch.file("t.yml", definition(files, property, data_model));
        let output = bench("t.yml");
        let all = said(&output) + &written();
        assert!(!all.contains("swordfish") && !folder.join("written").exists(), "{files} {property}: {all}");
        assert!(!all.contains("false(unreach-call)"), "{files} {property} {data_model}: {all}");
    }
    scratch.file("t.yml", definition("m.c", "unreach-call.prp", "LP64"));
    let output = bench("t.yml");
    assert!(written().contains("false(unreach-call)"), "{}", said(&output) + &written());
    for property in ["--html=written", &secret] {
        scratch.file("index.csv", format!("task,input,property,expected,data_model\nm.c,m.c,{property},false,LP64\n"));
        let output = bench(".");
        assert!(!said(&output).contains("swordfish") && !folder.join("written").exists(), "{}", said(&output));
    }
    std::fs::remove_file(folder.join("index.csv")).expect("removed");
    assert!(Command::new("mkfifo").arg(folder.join("index.csv")).status().is_ok_and(|status| status.success()));
    assert_eq!(bench(".").status.code(), Some(2));
}

/// An engine that crashes leaves no `core`, and what is called so stays what it was.
#[test]
fn crashes_leave_no_files() {
    let scratch = Scratch::new("outputs-core");
    let folder = scratch.path("");
    let program = "extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\n\
        int main(void) { unsigned long long n = __VERIFIER_nondet_uint(), x = 0, y = 1, s = 0;\n\
        while (x < n) { x++; y = y * 6364136223846793005ull + 1442695040888963407ull; s += (y >> 33) * (x ^ s); }\n\
        if (s == 123456789012345ull && n > 1000) reach_error(); return 0; }\n";
    scratch.file("m.c", program);
    let own = scratch.file("core", "mine");
    let line = format!(
        "ulimit -c unlimited; exec {} verify m.c -p unreach-call --time-limit 6s",
        env!("CARGO_BIN_EXE_foldback")
    );
    let mut command = Command::new("sh");
    command.args(["-c", &line]).current_dir(&folder).stdout(Stdio::piped()).stderr(Stdio::null());
    let run = command.spawn().expect("a shell");
    let children = || {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", run.id())).into_iter().flatten().flatten();
        let texts = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
        texts.flat_map(|text| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    let until = Instant::now() + Duration::from_secs(30);
    let mut crashed = 0;
    while crashed < 3 && Instant::now() < until {
        for child in children() {
            crashed +=
                usize::from(Command::new("kill").args(["-SEGV", &child]).status().is_ok_and(|status| status.success()));
        }
        std::thread::sleep(Duration::from_millis(200));
    }
    assert!(crashed > 0, "no engine was seen");
    let output = run.wait_with_output().expect("it ends");
    assert!(stdout(&output).contains("RESULT: unknown"), "{}", stdout(&output));
    let files = std::fs::read_dir(&folder).expect("a folder").count();
    assert_eq!((files, text(&own).as_str()), (2, "mine"));
}
