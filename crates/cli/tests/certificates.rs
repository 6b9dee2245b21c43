//! Certificates: written for proofs, confirmed from the source on, and refused once anything in them is changed.

use crate::common::{Scratch, foldback, stderr, stdout};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

const DECLARATIONS: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n\
                            extern unsigned __VERIFIER_nondet_uint(void);\n";

/// A body of `main`, and the property.
const PROGRAMS: [(&str, &str, &str); 11] = [
    (
        "count",
        "unreach-call",
        "unsigned n = __VERIFIER_nondet_uint(), i = 0; while (i < n) i++; if (i != n) reach_error();",
    ),
    (
        "parity",
        "unreach-call",
        "unsigned n = __VERIFIER_nondet_uint(), i = 0; while (i < n && i < 1000000) i += 2; if (i % 2) reach_error();",
    ),
    (
        "nested",
        "unreach-call",
        "int s = 0; for (int i = 0; i < 10; i++) for (int j = 0; j < i; j++) { if (j >= i) reach_error(); s++; }",
    ),
    ("straight", "unreach-call", "int x = __VERIFIER_nondet_int(); if (x > 5 && x < 3) reach_error();"),
    (
        "array",
        "unreach-call",
        "int a[4]; int i = __VERIFIER_nondet_int(); if (i < 0 || i > 3) return 0; a[i] = 7; a[(i + 1) % 4] = 8; \
         if (a[i] != 7) reach_error();",
    ),
    (
        "division",
        "unreach-call",
        "unsigned char x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint(); if (y && x / y > x) reach_error();",
    ),
    (
        "relation",
        "unreach-call",
        "unsigned x = 0, y = 0; while (__VERIFIER_nondet_int()) { x++; y += 2; } if (y != 2 * x) reach_error();",
    ),
    ("overflow", "no-overflow", "int i = 0; while (__VERIFIER_nondet_int()) { if (i < 100) i++; else i = 0; }"),
    ("bounds", "memsafety", "int a[10]; for (int i = 0; i < 10; i++) a[i] = i; return a[9];"),
    // An index leads out of its array: the proof is of the program with the struct as a whole.
    (
        "whole",
        "unreach-call",
        "struct { char name[8]; int admin; } s; s.admin = 0; unsigned i = __VERIFIER_nondet_uint(); if (i >= 12) return 0; \
         while (__VERIFIER_nondet_int()) s.name[i] = 1; if (s.admin && i < 8) reach_error();",
    ),
    (
        "state",
        "unreach-call",
        "int s = 0; for (;;) { if (s == 0) s = 1; else if (s == 1) s = 2; else s = 0; if (s > 2) reach_error(); }",
    ),
];

fn program(body: &str) -> String {
    format!("{DECLARATIONS}int main(void) {{\n  {body}\n  return 0;\n}}\n")
}

fn run(arguments: &[&OsStr]) -> (String, Option<i32>) {
    let limit = ["--time-limit", "60s"].map(OsStr::new);
    let output = foldback(arguments.iter().copied().chain(limit));
    (stdout(&output) + &stderr(&output), output.status.code())
}

fn verify(file: &Path, property: &str, folder: &Path) -> (String, Option<i32>) {
    let words = ["verify", "--property", property, "--certificate"].map(OsStr::new);
    run(&[&words[..], &[folder.as_os_str(), file.as_os_str()]].concat())
}

fn check(folder: &Path, file: &Path) -> (String, Option<i32>) {
    run(&["check-certificate".as_ref(), folder.as_os_str(), file.as_os_str()])
}

fn result(said: &str) -> &str {
    said.lines().rev().find_map(|line| line.strip_prefix("RESULT: ")).unwrap_or_default()
}

fn certified(scratch: &Scratch, name: &str, property: &str, body: &str) -> (PathBuf, PathBuf) {
    let file = scratch.file(&format!("{name}.c"), program(body));
    let folder = scratch.path(&format!("{name}.certificate"));
    let (said, code) = verify(&file, property, &folder);
    assert_eq!((result(&said), code), ("true", Some(0)), "{name}: {said}");
    assert!(folder.join("manifest.json").exists(), "{name}: {said}");
    (file, folder)
}

#[test]
fn certificates_are_confirmed() {
    let scratch = Scratch::new("certificates");
    for (name, property, body) in PROGRAMS {
        let (file, folder) = certified(&scratch, name, property, body);
        let (said, code) = check(&folder, &file);
        assert_eq!((result(&said), code), ("confirmed", Some(0)), "{name}: {said}");
        // Other checkers want every proof to come to the empty clause, whatever clauses are given.
        for proof in proofs(&folder) {
            let text = unpacked(&proof);
            let end = text.lines().last().unwrap_or_default();
            assert_eq!(end.split(' ').nth(1), Some("0"), "{}: {end}", proof.display());
        }
        // From another folder, under its own name.
        let moved = scratch.path("moved");
        std::fs::create_dir_all(&moved).expect("a folder");
        let copy = moved.join(file.file_name().expect("a name"));
        std::fs::copy(&file, &copy).expect("a copy");
        let (said, code) = check(&folder, &copy);
        assert_eq!((result(&said), code), ("confirmed", Some(0)), "{name}: {said}");
    }
}

/// The certificate of a program says nothing about one that differs, even where only a constant does.
#[test]
fn another_program_is_not_certified() {
    let scratch = Scratch::new("certificates-other");
    let (name, property, body) = PROGRAMS[0];
    let (_, folder) = certified(&scratch, name, property, body);
    let other = scratch.file("other.c", program(&body.replace("i != n", "i == n")));
    let (said, code) = check(&folder, &other);
    assert!(result(&said).starts_with("rejected(it is about other files"), "{said}");
    assert_eq!(code, Some(1));
    // Nor if the manifest is told the other file's hash.
    let manifest = std::fs::read_to_string(folder.join("manifest.json")).expect("a manifest");
    let hash = manifest.split("\"sha256\": \"").nth(1).map(|rest| &rest[..64]).expect("a hash");
    for (old, new) in [("i++", "i += 2"), ("i != n", "i == n"), ("i < n", "i + 1 < n")] {
        let wrong = scratch.file("count.c", program(&body.replace(old, new)));
        std::fs::write(folder.join("manifest.json"), manifest.replace(hash, &sha256(&wrong))).expect("written");
        let (said, code) = check(&folder, &wrong);
        assert!(result(&said).starts_with("rejected(") && !said.contains("other files"), "{new}: {said}");
        assert_eq!(code, Some(1));
    }
}

fn proofs(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path());
    files.filter(|file| file.to_string_lossy().ends_with(".lrat.gz")).collect()
}

fn unpacked(file: &Path) -> String {
    let output = std::process::Command::new("gzip").arg("-dc").arg(file).output().expect("gzip runs");
    String::from_utf8(output.stdout).expect("text")
}

fn sha256(file: &Path) -> String {
    let output = std::process::Command::new("sha256sum").arg(file).output().expect("sha256sum runs");
    String::from_utf8_lossy(&output.stdout)[..64].to_owned()
}

fn copy_folder(from: &Path, to: &Path) {
    let _ = std::fs::remove_dir_all(to);
    std::fs::create_dir(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder").flatten() {
        std::fs::copy(entry.path(), to.join(entry.file_name())).expect("a copy");
    }
}

#[test]
fn mutants_are_refused() {
    let scratch = Scratch::new("certificates-mutants");
    let (name, property, body) = PROGRAMS[6];
    let (file, folder) = certified(&scratch, name, property, body);
    let manifest = std::fs::read_to_string(folder.join("manifest.json")).expect("a manifest");
    let refused = |what: &str, change: &dyn Fn(&Path)| {
        let mutant = scratch.path("mutant");
        copy_folder(&folder, &mutant);
        change(&mutant);
        let (said, code) = check(&mutant, &file);
        assert_ne!(result(&said), "confirmed", "{what}: {said}");
        assert!(matches!(code, Some(1..=3)) && !said.contains("internal error"), "{what}: {code:?} {said}");
    };
    for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
        let name = entry.file_name();
        let shown = name.to_string_lossy().into_owned();
        let bytes = std::fs::read(entry.path()).expect("a file");
        refused(&format!("{shown} is gone"), &|mutant| std::fs::remove_file(mutant.join(&name)).expect("removed"));
        refused(&format!("{shown} is cut"), &|mutant| {
            std::fs::write(mutant.join(&name), &bytes[..bytes.len() / 2]).expect("written");
        });
        refused(&format!("{shown} is a link"), &|mutant| {
            std::fs::remove_file(mutant.join(&name)).expect("removed");
            std::os::unix::fs::symlink(folder.join(&name), mutant.join(&name)).expect("a link");
        });
        refused(&format!("{shown} is a folder"), &|mutant| {
            std::fs::remove_file(mutant.join(&name)).expect("removed");
            std::fs::create_dir(mutant.join(&name)).expect("a folder");
        });
        for at in [0, bytes.len() / 3, bytes.len() / 2, bytes.len() - 9] {
            let mut changed = bytes.clone();
            changed[at] ^= 0x11;
            refused(&format!("{shown} is changed at {at}"), &|mutant| {
                std::fs::write(mutant.join(&name), &changed).expect("written");
            });
        }
    }
    let invariant = manifest.split("\"formula\": \"").nth(1).and_then(|rest| rest.split('"').next()).expect("one");
    // 32 bits, doubled forty times.
    let doubling = (0..40).rev().fold("(= x39 x39)".to_owned(), |body, i| {
        let before = if i == 0 { "|main::x|".to_owned() } else { format!("x{}", i - 1) };
        format!("(let ((x{i} (concat {before} {before}))) {body})")
    });
    let formulas = [
        "true",
        "false",
        "(= |main::x| |main::y|)",
        "|main::x|",
        "(",
        "",
        "(and)",
        "nothing",
        "(bvadd true true)",
        "(= ((_ zero_extend 4294967295) |main::x|) ((_ zero_extend 4294967295) |main::x|))",
        "(= ((_ extract 5 9) |main::x|) #b1)",
        "(forall ((q (_ BitVec 8))) (= q q))",
        doubling.as_str(),
    ];
    for formula in formulas {
        let changed = manifest.replacen(invariant, formula, 1);
        assert_ne!(changed, manifest);
        refused(formula, &|mutant| std::fs::write(mutant.join("manifest.json"), &changed).expect("written"));
    }
    for (old, new) in [
        ("\"cuts\"", "\"exhausted\", \"bound\": 1"),
        ("\"cuts\"", "\"induction\", \"k\": 4000000000"),
        ("\"cuts\"", "\"paths\", \"decisions\": \"11\", \"repeats\": []"),
        ("\"cuts\"", "\"paths\", \"decisions\": \"s\", \"repeats\": [4000000000]"),
        ("\"version\": 3", "\"version\": 2"),
        ("\"unreach-call\"", "\"no-overflow\""),
        ("\"location\": ", "\"location\": 99"),
        ("reading C", "nothing"),
        ("\"steps\": ", "\"steps\": 1"),
    ] {
        let changed = manifest.replacen(old, new, 1);
        assert_ne!(changed, manifest, "{old}");
        refused(new, &|mutant| std::fs::write(mutant.join("manifest.json"), &changed).expect("written"));
    }
}

/// Without `--property`: those that there is nothing to check for are not in the certificate, nor in the program that it is about.
#[test]
fn the_usual_properties_have_a_certificate() {
    let scratch = Scratch::new("certificates-usual");
    let text = "extern _Bool __VERIFIER_nondet_bool(void);\nextern void reach_error(void);\n\
                int main(void) { int i = 0; while (__VERIFIER_nondet_bool()) { if (i < 100) i += 2; }\n\
                if (i > 100 || i % 2 != 0) reach_error(); return 0; }\n";
    let file = scratch.file("count.c", text);
    let folder = scratch.path("certificate");
    let words: [&OsStr; 4] = ["verify".as_ref(), file.as_ref(), "--certificate".as_ref(), folder.as_ref()];
    let (said, _) = run(&words);
    assert_eq!(result(&said), "true", "{said}");
    let (said, code) = check(&folder, &file);
    assert_eq!((result(&said), code), ("confirmed", Some(0)), "{said}");
}

/// A certificate is about what it says; who asks about something else has to be told.
#[test]
fn what_the_flags_say_is_what_is_checked() {
    let scratch = Scratch::new("certificates-flags");
    let (name, property, body) = PROGRAMS[0];
    let (file, folder) = certified(&scratch, name, property, body);
    for (flag, value, code) in [
        ("--data-model", "lp64", 0),
        ("--data-model", "ilp32", 1),
        ("--property", "unreach-call", 0),
        ("--property", "no-overflow", 1),
    ] {
        let words = ["check-certificate", flag, value].map(OsStr::new);
        let (said, found) = run(&[&words[..], &[folder.as_os_str(), file.as_os_str()]].concat());
        assert_eq!(found, Some(code), "{flag} {value}: {said}");
        assert_eq!(result(&said) == "confirmed", code == 0, "{flag} {value}: {said}");
    }
}

/// What has no certificate has none, and says why; nothing is left in its place.
#[test]
fn what_is_refused_is_refused_with_its_reason() {
    let scratch = Scratch::new("certificates-refused");
    let folder = scratch.path("none");
    let floats = "float x = __VERIFIER_nondet_int(), y = x; while (__VERIFIER_nondet_int()) y = x + 1.0f; \
                  if (y < x) reach_error();";
    let file = scratch.file("floats.c", program(floats));
    let (said, _) = verify(&file, "unreach-call", &folder);
    assert_eq!(result(&said), "true", "{said}");
    assert!(said.contains("is not written: ") && said.contains("has no circuit here"), "{said}");
    assert!(!folder.exists());
    let wrong = scratch.file("wrong.c", program("if (__VERIFIER_nondet_int() == 3) reach_error();"));
    let (said, code) = verify(&wrong, "unreach-call", &folder);
    assert_eq!((result(&said), code), ("false(unreach-call)", Some(1)), "{said}");
    assert!(said.contains("there is no proof to certify") && !folder.exists(), "{said}");
    let ends = scratch.file("ends.c", program("for (int i = 0; i < 9; i++) ;"));
    let (said, _) = verify(&ends, "termination", &folder);
    assert!(said.contains("is not written: ") && !folder.exists(), "{said}");
    // A folder that has something in it is not touched.
    std::fs::create_dir(&folder).expect("a folder");
    std::fs::write(folder.join("mine"), "mine").expect("a file");
    let (said, code) = verify(&ends, "unreach-call", &folder);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("is not empty"), "{said}");
}
