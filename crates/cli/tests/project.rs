//! Proofs of a project: made from Makefiles, run side by side, summed up.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use crate::common::{Scratch, foldback, stderr, stdout};
use std::path::{Path, PathBuf};

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// A project with one proof that holds, one that does not, and one without an answer.
fn project(scratch: &Scratch) -> PathBuf {
    std::fs::create_dir_all(scratch.path("proofs")).expect("a folder");
    scratch.file("sum.c", "int helper(int x) { return x + 1; }\nint sum(int a, int b) { return helper(a) + b; }\n");
    scratch.file(
        "proofs/good.c",
        "int sum(int, int); int helper(int x) { __CPROVER_assert(x < 10, \"small\"); return x; }\n\
         void harness(int a) { __CPROVER_assume(a >= 0 && a < LIMIT); __CPROVER_assert(sum(a, 1) == a + 1, \"sum\"); }\n",
    );
    scratch.file("proofs/bad.c", "int sum(int, int); void harness(int a) { sum(a, 1); }\n");
    scratch.file("proofs/open.c", "void harness(void) { int a[2], b[2]; __CPROVER_array_copy(a, b); }\n");
    scratch.file(
        "foldback.toml",
        "properties = [\"assert\", \"no-overflow\"]\ntime-limit = \"20s\"\n\
         [[proof]]\nname = \"sum/good\"\nentry = \"harness\"\nsources = [\"sum.c\"]\nstubs = [\"proofs/good.c\"]\nremove-body = [\"helper\"]\n\
         flags = [\"-DLIMIT=10\"]\n\
         [[proof]]\nname = \"sum/bad\"\nentry = \"harness\"\nsources = [\"sum.c\", \"proofs/bad.c\"]\n\
         [[proof]]\nname = \"open\"\nentry = \"harness\"\nsources = [\"proofs/open.c\"]\n",
    )
}

#[test]
fn proofs_run_and_are_summed_up() {
    let scratch = Scratch::new("project");
    let file = project(&scratch);
    let (sarif, junit) = (scratch.path("all.sarif"), scratch.path("all.xml"));
    let run = |names: &[&str]| {
        let [file, sarif, junit] = [&file, &sarif, &junit].map(|path| path.to_str().expect("UTF-8"));
        let flags = ["--file", file, "--jobs", "2", "--sarif", sarif, "--junit", junit];
        let words: Vec<&str> = std::iter::once("check").chain(names.iter().copied()).chain(flags).collect();
        let output = foldback(words);
        (stdout(&output) + &stderr(&output), output.status.code())
    };
    let (said, code) = run(&[]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("sum/good  ok"), "{said}");
    assert!(said.contains("sum/bad   FAILED") && said.contains("false(no-overflow)"), "{said}");
    assert!(said.contains("open      unknown") && said.contains("__CPROVER_array_copy"), "{said}");
    assert!(said.ends_with("1 of 3 proofs as expected, 1 unknown, 1 failed\n"), "{said}");
    let xml = text(&junit);
    assert!(xml.contains("tests=\"3\" failures=\"1\" errors=\"1\""), "{xml}");
    let merged: serde_json::Value = serde_json::from_str(&text(&sarif)).expect("JSON");
    let runs = merged["runs"].as_array().expect("runs");
    assert_eq!(runs.len(), 1);
    assert_eq!(runs[0]["results"][0]["properties"]["proof"], "sum/bad", "{merged:#}");
    let (said, code) = run(&["sum/good"]);
    assert_eq!(code, Some(0), "{said}");
    let (said, code) = run(&["open"]);
    assert_eq!(code, Some(3), "{said}");
    let (said, code) = run(&["nothing"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("no proof is called 'nothing'"), "{said}");
}

#[test]
fn a_proof_that_cannot_run_is_an_error() {
    let scratch = Scratch::new("project-error");
    let file = scratch.file("foldback.toml", "[[proof]]\nname = \"gone\"\nsources = [\"gone.c\"]\n");
    let output = foldback([std::ffi::OsStr::new("check"), "--file".as_ref(), file.as_os_str()]);
    let said = stdout(&output) + &stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("gone  ERROR") && said.contains("no such file"), "{said}");
    let bad = scratch.file("bad.toml", "[[proof]]\nname = 3\n");
    let output = foldback([std::ffi::OsStr::new("check"), "--file".as_ref(), bad.as_os_str()]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("bad.toml"), "{}", stderr(&output));
}

fn has_make() -> bool {
    let found = std::process::Command::new("make").arg("--version").output().is_ok();
    if !found {
        eprintln!("skipped: there is no make");
    }
    found
}

#[test]
fn proofs_of_makefiles() {
    if !has_make() {
        return;
    }
    let scratch = Scratch::new("import");
    std::fs::create_dir_all(scratch.path("cbmc/proofs/one")).expect("a folder");
    scratch.file(
        "lib.c",
        "#include \"lib.h\"\nstatic int secret(int x) { return x; }\nint use(int x) { return secret(x) + LIMIT; }\n",
    );
    scratch.file("lib.h", "int use(int x);\n");
    scratch.file("cbmc/proofs/Makefile.common", "DEFINES += -DCBMC=1 -DTEXT=\"(1 + 2)\"\nINCLUDES += -I$(SRCDIR)\n");
    scratch.file(
        "cbmc/proofs/one/Makefile",
        "SRCDIR = $(abspath ../../..)\nPROOFDIR = $(abspath .)\nHARNESS_ENTRY = harness\nDEFINES += -DLIMIT=2\n\
         PROOF_SOURCES += $(PROOFDIR)/harness.c\nPROJECT_SOURCES += $(PROOFDIR)/made.c\nCOMPILE_FLAGS += --object-bits 8 -std=gnu90\n\
         REMOVE_FUNCTION_BODY += __CPROVER_file_local_made_c_secret\ninclude ../Makefile.common\n\
         $(PROOFDIR)/made.c: $(SRCDIR)/lib.c\n\tlitani add-job --command \"sed -e 's/LIMIT/(LIMIT \\+ 1)/' $<\" \\\n\t  --stdout-file $@\n",
    );
    scratch.file(
        "cbmc/proofs/one/harness.c",
        "#include \"lib.h\"\nint __CPROVER_file_local_made_c_secret(int x) { return x < 9 ? TEXT : 0; }\n\
         void harness(void) { int x; __CPROVER_assert(use(x) <= 3 + 3, \"bound\"); }\n",
    );
    let proofs = scratch.path("cbmc/proofs");
    let output = foldback([std::ffi::OsStr::new("import"), "cbmc".as_ref(), proofs.as_os_str()]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let file = proofs.join("foldback.toml");
    let written = text(&file);
    for part in
        ["name = \"one\"", "entry = \"harness\"", "\"-I../..\"", "-DTEXT=(1 + 2)", "--malloc-may-fail", "one/harness.c"]
    {
        assert!(written.contains(part), "{part}: {written}");
    }
    assert!(!written.contains("object-bits") && !proofs.join("one/made.c").exists(), "{written}");
    let output = foldback([std::ffi::OsStr::new("check"), "--file".as_ref(), file.as_os_str()]);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    // Nothing is overwritten.
    let output = foldback([std::ffi::OsStr::new("import"), "cbmc".as_ref(), proofs.as_os_str()]);
    assert_eq!(output.status.code(), Some(2));
    let output = foldback([
        std::ffi::OsStr::new("import"),
        "cbmc".as_ref(),
        scratch.path("cbmc/proofs/one/nothing").as_os_str(),
    ]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn functions_of_a_compile_database() {
    let scratch = Scratch::new("import-database");
    // A library of one header.
    scratch.file("half.h", "static inline int half(int x) { return x / 2; }\nint whole(int x) { return x; }\n");
    scratch.file(
        "lib.c",
        "#include \"half.h\"\nstatic int secret(int x) { return x; }\nint good(int x) { return half(secret(x)) + SAFE; }\n\
         int bad(int x) { return x + 1; }\nstruct hidden; int opaque(struct hidden *p) { return p != 0; }\nint any(int n, ...) { return n; }\nint main(void) { return 0; }\n",
    );
    scratch.file("app.cpp", "class A {};\n");
    scratch.file(
        "compile_commands.json",
        format!(
            "[{{\"directory\": {0:?}, \"file\": \"lib.c\", \"command\": \"cc -DSAFE=1 -O2 -c lib.c\"}},\n \
             {{\"directory\": {0:?}, \"file\": \"app.cpp\", \"arguments\": [\"c++\", \"-c\", \"app.cpp\"]}}]",
            scratch.path("").display().to_string()
        ),
    );
    let database = scratch.path("compile_commands.json");
    let import = || foldback(["import".as_ref(), "compile-commands".as_ref(), database.as_os_str()]);
    let output = import();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let notes = stderr(&output);
    assert!(notes.contains("app.cpp is left out") && notes.contains("cannot start at 'any'"), "{notes}");
    let file = scratch.path("foldback.toml");
    let written = text(&file);
    assert!(written.contains("name = \"lib.c/good\"") && written.contains("entry = \"bad\""), "{written}");
    assert!(written.contains("name = \"lib.c/whole\"") && written.contains("entry = \"opaque\""), "{written}");
    assert!(!["secret", "half", "main", "any"].iter().any(|name| written.contains(name)), "{written}");
    let check = |name: &str| foldback(["check".as_ref(), "--file".as_ref(), file.as_os_str(), name.as_ref()]);
    assert_eq!(check("lib.c/good").status.code(), Some(0));
    // x + 1 overflows.
    assert_eq!(check("lib.c/bad").status.code(), Some(1));
    // Nothing is overwritten.
    assert_eq!(import().status.code(), Some(2));
}

/// The harnesses of real projects, where somebody has laid them out, are read from `import` on without an edit.
#[test]
fn harnesses_of_real_projects_are_read() {
    let Some(folder) = std::env::var_os("FOLDBACK_PROJECTS").map(PathBuf::from).filter(|_| has_make()) else {
        eprintln!("skipped: FOLDBACK_PROJECTS names no folder with projects");
        return;
    };
    let scratch = Scratch::new("real-projects");
    for (name, proofs, count) in [
        ("coreJSON-2022", "test/cbmc/proofs", 11),
        ("coreHTTP", "test/cbmc/proofs", 17),
        ("aws-c-common", "verification/cbmc/proofs", 173),
    ] {
        let out = scratch.path(&format!("{name}.toml"));
        let root = folder.join(name).join(proofs);
        let output =
            foldback(["import".as_ref(), "cbmc".as_ref(), root.as_os_str(), "--out".as_ref(), out.as_os_str()]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let mut project = project::Project::read(&out, |_| None).expect("a good file");
        project.time_limit = None;
        assert_eq!(project.proofs.len(), count, "{name}");
        let mut failed = Vec::new();
        for proof in &project.proofs {
            let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_foldback"));
            let output = command
                .arg("cfa")
                .args(project.arguments(proof))
                .arg("--no-source")
                .current_dir(out.parent().expect("a folder"))
                .output();
            let output = output.expect("the binary runs");
            if !output.status.success() {
                failed.push(format!("{}: {}", proof.name, stderr(&output)));
            }
        }
        assert!(failed.is_empty(), "{name}: {} of {count}:\n{}", failed.len(), failed.join("\n"));
    }
}
