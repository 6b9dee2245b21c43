//! Files that want to harm whoever verifies them, given to the command as a user would. What the sandbox itself holds is
//! tested in `crates/sandbox/tests/hostile.rs`.

#![allow(clippy::print_stderr)]

use crate::common::{Scratch, foldback, stderr, stdout, verify};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Whether compiled programs can be shut in here; if not, that is said.
fn confined() -> bool {
    let doctor = stdout(&foldback(["doctor"]));
    let is_there = |what: &str| doctor.lines().any(|line| line.starts_with("ok") && line.contains(what));
    let there = is_there("sandbox: files") && is_there("sandbox: calls") && is_there("C compiler");
    if !there {
        eprintln!("skipped: {doctor}");
    }
    there
}

/// The program's constructor, which our model does not run, is shut in like the rest.
#[test]
fn a_constructor_does_no_harm() {
    if !confined() {
        return;
    }
    let scratch = Scratch::new("hostile-constructor");
    let secret = scratch.file("secret.txt", "secret");
    let program = format!(
        "#include <assert.h>\nextern int unlink(const char *);\nextern int creat(const char *, unsigned);\n\
         __attribute__((constructor)) static void early(void) {{ unlink(\"{0}\"); creat(\"{0}.new\", 0600); }}\n\
         int main(void) {{ assert(0); return 77; }}\n",
        secret.display()
    );
    let (result, said) = verify(&scratch, &program, "assert", "20s");
    assert!(result.starts_with("false") || result.starts_with("unknown"), "{said}");
    assert_eq!(std::fs::read_to_string(&secret).expect("it is still there"), "secret");
    assert!(!scratch.path("secret.txt.new").exists());
}

/// A program that ends as a harness would, without having violated anything.
#[test]
fn exit_codes_confirm_nothing() {
    let scratch = Scratch::new("hostile-77");
    let program = "#include <assert.h>\nextern double hypot(double, double);\nint main(void) { assert(hypot(3, 4) == 5); return 77; }\n";
    let (result, said) = verify(&scratch, program, "assert", "20s");
    assert!(!result.starts_with("false"), "{said}");
}

/// What stands in other people's files is not shown.
#[test]
fn other_files_are_not_shown() {
    let scratch = Scratch::new("hostile-include");
    let secret = scratch.file("token", "swordfish is the word\n");
    let outside = Scratch::new("hostile-include-program");
    let secret = secret.display();
    let programs = [
        format!("#include \"{secret}\"\nint main(void) {{ return 0; }}\n"),
        format!("#define TEXT(x) #x\nchar s[] = TEXT(\n#include \"{secret}\"\n);\nint main(void) {{ return 0; }}\n"),
        "#include \"../../../../../../../../../../../../../../etc/passwd\"\nint main(void) { return 0; }\n".to_owned(),
    ];
    for program in programs {
        let file = outside.file("program.c", &program);
        let output = foldback([std::ffi::OsStr::new("verify"), file.as_os_str()]);
        let said = stdout(&output) + &stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(!said.contains("swordfish") && !said.contains("root:"), "{said}");
    }
    // A link that was planted among the sources.
    let link = outside.path("planted.c");
    std::os::unix::fs::symlink(scratch.path("token"), &link).expect("a link");
    let output = foldback([std::ffi::OsStr::new("verify"), link.as_os_str()]);
    let said = stdout(&output) + &stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(!said.contains("swordfish"), "{said}");
    // A line that claims to be of another file, on a page that shows its lines.
    let text = format!("#include <assert.h>\nint main(void) {{\n#line 1 \"{secret}\"\n  assert(0);\n  return 0; }}\n");
    let (file, page) = (outside.file("line.c", text), outside.path("page.html"));
    foldback([std::ffi::OsStr::new("verify"), file.as_os_str(), "--html".as_ref(), page.as_os_str()]);
    let page = std::fs::read_to_string(page).expect("a page");
    assert!(!page.contains("swordfish"), "{page}");
    assert!(page.contains("Content-Security-Policy"));
}

/// The processes that stand in `folder`, or run something from it.
fn processes_in(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let places = entries.filter_map(|entry| std::fs::read_link(entry.path().join("cwd")).ok());
    places.map(|place| place.display().to_string()).filter(|place| place.starts_with(folder)).collect()
}

/// We are killed while the compiled program runs: it ends, and its folder goes.
#[test]
fn nothing_is_left_when_we_are_killed() {
    if !confined() {
        return;
    }
    let scratch = Scratch::new("hostile-killed");
    // Too far for the interpreter: the compiled program walks there, and no compiler may shorten its way.
    let program = "#include <assert.h>\nextern unsigned __VERIFIER_nondet_uint(void);\n\
                   int main(void) {\n  volatile unsigned long i = 0;\n  unsigned x = __VERIFIER_nondet_uint();\n\
                     while (i < 90000000000ul) i++;\n  assert(i + x != 90000000007ul);\n  return 0;\n}\n";
    let file = scratch.file("program.c", program);
    let temporary = scratch.path("tmp");
    std::fs::create_dir(&temporary).expect("a folder");
    let mut run = Command::new(env!("CARGO_BIN_EXE_foldback"))
        .arg("verify")
        .arg(&file)
        .env("TMPDIR", &temporary)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary runs");
    let folder = temporary.display().to_string();
    // However slow the machine is; it ends by itself if there is nothing to be seen.
    let until = Instant::now() + Duration::from_secs(300);
    let is_running = || processes_in(&folder).iter().any(|place| place.ends_with("/run"));
    while !is_running() && Instant::now() < until && run.try_wait().is_ok_and(|ended| ended.is_none()) {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(is_running(), "the compiled program was never seen");
    run.kill().expect("it is killed");
    run.wait().expect("it is gone");
    let is_clean = || processes_in(&folder).is_empty() && std::fs::read_dir(&temporary).is_ok_and(|d| d.count() == 0);
    let until = Instant::now() + Duration::from_secs(60);
    while !is_clean() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(is_clean(), "{:?}", processes_in(&folder));
}

/// Engines that are stopped use no CPU time; the clock goes on.
#[test]
fn the_clock_ends_what_is_stopped() {
    let scratch = Scratch::new("hostile-stopped");
    let program = "extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\n\
        int main(void) { unsigned long long n = __VERIFIER_nondet_uint(), x = 0, y = 1, s = 0;\n\
        while (x < n) { x++; y = y * 6364136223846793005ull + 1442695040888963407ull; s += (y >> 33) * (x ^ s); }\n\
        if (s == 123456789012345ull && n > 1000) reach_error(); return 0; }\n";
    let file = scratch.file("program.c", program);
    let began = Instant::now();
    let run = Command::new(env!("CARGO_BIN_EXE_foldback"))
        .arg("verify")
        .arg(&file)
        .args(["--time-limit", "1000s", "--wall-limit", "4s"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary runs");
    std::thread::sleep(Duration::from_secs(1));
    let children = std::fs::read_dir(format!("/proc/{}/task", run.id())).into_iter().flatten().flatten();
    let children = children.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    let children: Vec<String> =
        children.flat_map(|text| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).collect();
    for child in &children {
        let _ = Command::new("kill").args(["-STOP", child]).status();
    }
    let output = run.wait_with_output().expect("it ends");
    assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
    assert_eq!(stdout(&output).lines().last(), Some("RESULT: unknown(time limit)"), "{}", stdout(&output));
    let until = Instant::now() + Duration::from_secs(5);
    let is_left = || children.iter().any(|child| std::path::Path::new(&format!("/proc/{child}/cwd")).exists());
    while is_left() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(!is_left(), "processes are left");
}

/// Texts of programs and names of files do not rule the terminal.
#[test]
fn control_characters_are_spelled_out() {
    let scratch = Scratch::new("hostile-escapes");
    let text = "\x1b]52;c;aGFjaw==\x07\x1b[2J\u{9b}31m\u{202e}";
    let programs = [
        ("assert", format!("#error \"{text}\"\n")),
        ("assert", format!("#include <assert.h>\nint main(void) {{ assert(0 && \"{text}\"); return 0; }}\n")),
        (
            "unreach-call",
            format!("# 1 \"/no/{text}.c\"\nvoid reach_error(void);\nint main(void) {{ reach_error(); return 0; }}\n"),
        ),
    ];
    for (property, program) in programs {
        let (_, said) = verify(&scratch, &program, property, "20s");
        let rules = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(said.contains("\\u{1b}") && !said.contains(rules), "{said:?}");
    }
}

/// A file is called as nobody would call it.
#[test]
fn names_need_not_be_text() {
    use std::os::unix::ffi::OsStringExt;
    let scratch = Scratch::new("hostile-names");
    for name in
        [&b"-o.c"[..], b"a\nb.c", b"\x1b[31m.c", b"not\xffutf8.c", b"a b\"c$(touch x).c", b"x\nRESULT: true\n\rb.c"]
    {
        let file = scratch.path("").join(std::ffi::OsString::from_vec(name.to_vec()));
        std::fs::write(&file, "extern void reach_error(void);\nint main(void) { reach_error(); return 0; }\n")
            .expect("a file");
        let kept = scratch.path("kept.json");
        let output = foldback(["verify".as_ref(), file.as_os_str(), "--json".as_ref(), kept.as_os_str()]);
        assert_eq!(stdout(&output).lines().filter(|line| line.starts_with("RESULT: ")).count(), 1);
        assert_eq!(stdout(&output).lines().last(), Some("RESULT: false(unreach-call)"), "{}", stderr(&output));
        let kept = std::fs::read_to_string(kept).expect("a result");
        serde_json::from_str::<serde_json::Value>(&kept).expect("JSON");
    }
}

/// The compile database of a stranger's project names folders that are not the program's.
#[test]
fn compile_databases_open_no_folders() {
    let secrets = Scratch::new("hostile-database-secrets");
    let secret = secrets.file("token", "swordfish is the word\n");
    let scratch = Scratch::new("hostile-database");
    let file = scratch.file("program.c", "#include \"token\"\nint main(void) { return 0; }\n");
    let folder = secret.parent().expect("a folder").display();
    for arguments in ["\"-I.\"", "\"-iquote\", \".\"", "\"-isystem\", \".\"", "\"-include\", \"token\"", "\"@token\""] {
        let database = format!(
            "[{{\"directory\": \"{folder}\", \"file\": \"{}\", \"arguments\": [\"cc\", {arguments}, \"-c\"]}}]",
            file.display()
        );
        let database = scratch.file("compile_commands.json", &database);
        let output =
            foldback(["verify".as_ref(), file.as_os_str(), "--compile-commands".as_ref(), database.as_os_str()]);
        let said = stdout(&output) + &stderr(&output);
        assert!(!said.contains("swordfish"), "{arguments}: {said}");
    }
}

/// What a stranger's project says of its proofs opens no walls, writes no files and shows none.
#[test]
fn projects_do_no_harm() {
    let secrets = Scratch::new("hostile-project-secrets");
    let secret = secrets.file("token", "swordfish is the word\n").display().to_string();
    let written = secrets.path("written").display().to_string();
    let scratch = Scratch::new("hostile-project");
    scratch.file("a.c", "extern void reach_error(void);\nint main(void) { reach_error(); return 0; }\n");
    let response = scratch.file("response", "--replay native-unsandboxed\n").display().to_string();
    let mut attempts = vec![
        vec!["--replay".to_owned(), "native-unsandboxed".to_owned()],
        vec!["--replay=native-unsandboxed".to_owned()],
        vec![format!("@{response}")],
        vec![format!("@{secret}")],
        vec!["--strategy".to_owned(), secret.clone()],
        vec!["--property".to_owned(), secret.clone()],
        vec!["--compile-commands".to_owned(), secret.clone()],
        vec![secret.clone()],
        vec!["--project-words".to_owned(), "0".to_owned()],
    ];
    for flag in ["harness", "json", "html", "sarif", "witness", "certificate", "annotate", "log-smt", "store"] {
        attempts.push(vec![format!("--{flag}={written}")]);
    }
    for flags in attempts {
        let file = scratch.file(
            "foldback.toml",
            format!("[[proof]]\nname = \"p\"\nsources = [\"a.c\"]\nexpected = \"false\"\nflags = {flags:?}\n"),
        );
        let sarif = scratch.path("all.sarif");
        let output = foldback([
            "check".as_ref(),
            "--no-store".as_ref(),
            "--file".as_ref(),
            file.as_os_str(),
            "--sarif".as_ref(),
            sarif.as_os_str(),
        ]);
        let said = stdout(&output) + &stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{flags:?}: {said}");
        assert!(!said.contains("swordfish") && !secrets.path("written").exists(), "{flags:?}: {said}");
    }
}

/// `check` is killed: its proofs end, and nothing stays.
#[test]
fn nothing_is_left_of_a_project_that_is_killed() {
    let scratch = Scratch::new("hostile-project-killed");
    let folder = scratch.path("project");
    std::fs::create_dir(&folder).expect("a folder");
    let temporary = scratch.path("tmp");
    std::fs::create_dir(&temporary).expect("a folder");
    let program = "extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\n\
        int main(void) { unsigned long long n = __VERIFIER_nondet_uint(), x = 0, y = 1;\n\
        while (x < n) { x++; y = y * 6364136223846793005ull + 1442695040888963407ull; }\n\
        if (y == 123456789012345ull && n > 1000) reach_error(); return 0; }\n";
    std::fs::write(folder.join("a.c"), program).expect("a file");
    std::fs::write(folder.join("foldback.toml"), "[[proof]]\nname = \"p\"\nsources = [\"a.c\"]\n").expect("a file");
    let mut run = Command::new(env!("CARGO_BIN_EXE_foldback"))
        .args(["check", "--no-store", "--file"])
        .arg(folder.join("foldback.toml"))
        .env("TMPDIR", &temporary)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary runs");
    let place = folder.display().to_string();
    let wait = |until: &dyn Fn() -> bool| {
        let end = Instant::now() + Duration::from_secs(30);
        while !until() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(10));
        }
        until()
    };
    assert!(wait(&|| !processes_in(&place).is_empty()), "the proof was never seen");
    run.kill().expect("it is killed");
    run.wait().expect("it is gone");
    let is_clean = || processes_in(&place).is_empty() && std::fs::read_dir(&temporary).is_ok_and(|d| d.count() == 0);
    assert!(wait(&is_clean), "{:?}", processes_in(&place));
}

/// A few lines of a witness that stand for more than there is memory.
#[test]
fn witnesses_are_no_bombs() {
    let scratch = Scratch::new("hostile-witness");
    let file = scratch.file("program.c", "int main(void) { return 0; }\n");
    let lines = (1..60).map(|i| format!("a{i}: &a{i} [*a{0}, *a{0}]\n", i - 1));
    let witness = scratch.file("witness.yml", &("a0: &a0 [x]\n".to_owned() + &lines.collect::<String>()));
    let output = foldback(["check-witness".as_ref(), witness.as_os_str(), file.as_os_str()]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}

/// A kept result of a stranger names files that are none of its program's.
#[test]
fn kept_results_show_no_other_files() {
    let scratch = Scratch::new("hostile-kept");
    let secret = scratch.file("token", "swordfish is the word\n");
    let file =
        scratch.file("program.c", "extern void reach_error(void);\nint main(void) { reach_error(); return 0; }\n");
    let (kept, page) = (scratch.path("kept.json"), scratch.path("kept.html"));
    foldback(["verify".as_ref(), file.as_os_str(), "--json".as_ref(), kept.as_os_str()]);
    let text = std::fs::read_to_string(&kept).expect("a result");
    let name = |path: &std::path::Path| path.display().to_string();
    std::fs::write(&kept, text.replace(&name(&file), &name(&secret))).expect("a file");
    let output = foldback(["explain".as_ref(), kept.as_os_str(), "--html".as_ref(), page.as_os_str()]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let page = std::fs::read_to_string(page).expect("a page");
    assert!(page.contains("token") && !page.contains("swordfish"));
}

/// No file is one of our own, whatever a line marker, an included file or its own name says: there nothing is checked.
#[test]
fn files_are_not_taken_for_ours() {
    let scratch = Scratch::new("hostile-names");
    let program = |marker: &str, name: &str| {
        format!(
            "void ext(void);\n{marker}\nint {name};\nint main() {{ {name} = 0; ext(); int n = 2147483647 + ({name} == 0); \
             if ({name} != 0) __VERIFIER_assert(0); return n; }}\n"
        )
    };
    std::fs::create_dir(scratch.path("<library>")).expect("a folder");
    scratch.file("<library>/inner.h", program("", "y"));
    let files = [
        ("line.c", program("#line 1 \"<library>/stdlib.c\"", "y")),
        ("marker.i", program("# 1 \"<library>/stdlib.c\"", "y")),
        ("prelude.i", program("# 1 \"<prelude>\"", "__foldback_y")),
        ("witness.c", program("#line 1 \"<witness: 1>\"", "y")),
        ("include.c", "#include \"<library>/inner.h\"\n".to_owned()),
        ("<library>/main.c", program("", "y")),
    ];
    for (name, text) in files {
        scratch.file(name, text);
        for property in ["unreach-call", "no-overflow"] {
            let command = ["verify", name, "--property", property, "--time-limit", "20s"];
            let output = Command::new(env!("CARGO_BIN_EXE_foldback"))
                .args(command)
                .current_dir(scratch.path("."))
                .output()
                .expect("foldback runs");
            assert!(!stdout(&output).ends_with("RESULT: true\n"), "{name} {property}\n{}", stdout(&output));
        }
    }
}

/// Nobody but the start of programs calls these, where the program has them: it does other things before `main`, or instead.
#[test]
fn functions_of_the_start_are_not_taken_for_any() {
    let scratch = Scratch::new("hostile-start");
    for name in ["__gmon_start__", "__libc_start_main", "__cxa_finalize", "_ITM_registerTMCloneTable"] {
        let of_start = format!("int g; void {name}(void) {{ g = 1; reach_error(); }}\n");
        let programs = [
            of_start.clone(),
            format!(
                "int g; void other(void) {{ g = 1; reach_error(); }}\nvoid {name}(void) __attribute__((alias(\"other\")));\n"
            ),
            format!("int g; void other(void) __asm__(\"{name}\"); void other(void) {{ g = 1; reach_error(); }}\n"),
        ];
        for of_start in programs {
            let program = format!(
                "extern void reach_error(void);\n{of_start}int main(void) {{ if (g) reach_error(); return 0; }}\n"
            );
            let (result, said) = verify(&scratch, &program, "unreach-call", "20s");
            assert!(result.starts_with("unknown(unsupported") && result.contains(name), "{program}: {said}");
        }
        // Seen by its own file only.
        let own = of_start.replace("void ", "static void ").replace("static void reach", "void reach");
        let program = format!("extern void reach_error(void);\n{own}int main(void) {{ return 0; }}\n");
        let (result, said) = verify(&scratch, &program, "unreach-call", "20s");
        assert_eq!(result, "true", "{program}: {said}");
    }
}

/// The library's functions call what the program defines in the place of others: no model does that.
#[test]
fn the_library_may_call_back() {
    let scratch = Scratch::new("hostile-interposed");
    let own = [
        ("void *malloc(size_t n) { g = 1; at += 16 * ((n + 15) / 16); return buffer + at; }", "printf(\"x\\n\")"),
        ("void free(void *p) { g = 1; }", "FILE *f = fopen(\"x\", \"r\"); if (f) fclose(f)"),
        ("int puts(const char *s) { g = 1; return 0; }", "printf(\"x\\n\")"),
        ("int putchar(int c) { g = 1; return c; }", "printf(\"%c\", 'x')"),
    ];
    for (own, call) in own {
        let program = |own: &str, call: &str| {
            format!(
                "#include <stdio.h>\n#include <stddef.h>\nextern void reach_error(void);\nint g; char buffer[65536]; size_t at;\n{own}\n\
                 int main(void) {{ {call}; if (g) reach_error(); return 0; }}\n"
            )
        };
        let (result, said) = verify(&scratch, &program(own, call), "unreach-call", "20s");
        assert!(
            result.starts_with("unknown(unsupported") && result.contains("may call the program's own"),
            "{own}: {said}"
        );
        // Nobody calls it, or its name is nobody else's.
        let (result, said) = verify(&scratch, &program(own, "at = 1"), "unreach-call", "20s");
        assert_eq!(result, "true", "{own}: {said}");
    }
}
