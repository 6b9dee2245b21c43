//! Proofs as CBMC's starter kit writes them: every folder with a Makefile that names a harness is one. make itself says what
//! its variables are; nothing is built.
//!
//! What CBMC 6 checks by itself is what is checked here. Bounds on loops are left out: they are not needed.

use super::{Imported, TIME, absolute, relative};
use crate::words::split;
use crate::{Project, Proof};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const VARIABLES: [&str; 11] = [
    "HARNESS_ENTRY",
    "PROOF_SOURCES",
    "PROJECT_SOURCES",
    "DEFINES",
    "INCLUDES",
    "COMPILE_FLAGS",
    "REMOVE_FUNCTION_BODY",
    "CBMCFLAGS",
    "CHECKFLAGS",
    "CHECK_FUNCTION_CONTRACTS",
    "USE_FUNCTION_CONTRACTS",
];

const PROPERTIES: [&str; 5] = ["assert", "valid-deref", "valid-free", "no-overflow", "div-by-zero"];

/// Where files go that a proof's Makefile would make.
const MADE: &str = ".foldback";

/// The proofs below `root`, for a file in `folder`.
pub fn import(root: &Path, folder: &Path) -> Result<Imported, String> {
    let (root, folder) = (absolute(root)?, absolute(folder)?);
    let mut folders = Vec::new();
    find(&root, &mut folders)?;
    let mut imported = Imported {
        project: Project {
            properties: PROPERTIES.map(str::to_owned).into(),
            time_limit: Some(TIME.to_owned()),
            ..Project::default()
        },
        notes: Vec::new(),
    };
    for proof in folders {
        let Some(variables) = variables(&proof)? else { continue };
        let name = proof.strip_prefix(&root).unwrap_or(&proof).display().to_string();
        imported.project.proofs.push(one(&proof, name, &folder, &variables, &mut imported.notes)?);
    }
    if imported.project.proofs.is_empty() {
        return Err(format!("no folder below {} has a Makefile that names a harness (HARNESS_ENTRY)", root.display()));
    }
    Ok(imported)
}

/// Folders with a Makefile, in order.
fn find(folder: &Path, out: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("cannot read {}: {e}", folder.display()))?;
    let mut folders: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_dir() && !path.is_symlink())
        .filter(|path| path.file_name().is_some_and(|name| !name.to_string_lossy().starts_with('.')))
        .collect();
    folders.sort();
    if folder.join("Makefile").is_file() {
        out.push(folder.to_owned());
    }
    folders.iter().try_for_each(|folder| find(folder, out))
}

fn make(folder: &Path, arguments: &[&str], rules: &str) -> Result<String, String> {
    let mut command = Command::new("make");
    command.args(arguments).current_dir(folder);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|e| format!("cannot run make: {e}"))?;
    if let Some(mut stdin) = child.stdin.take() {
        // make may not read it to its end.
        let _ = stdin.write_all(rules.as_bytes());
    }
    let output = child.wait_with_output().map_err(|e| format!("make: {e}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The variables of a proof's Makefile; none where it is no proof's.
fn variables(folder: &Path) -> Result<Option<BTreeMap<String, String>>, String> {
    let names = VARIABLES.join(" ");
    let rules = format!("foldback-variables: ; @:$(foreach v,{names},$(info foldback:$(v)=$(strip $($(v)))))\n");
    let text = make(folder, &["-s", "-f", "Makefile", "-f", "-", "foldback-variables"], &rules)?;
    let variables: BTreeMap<String, String> = text
        .lines()
        .filter_map(|line| line.strip_prefix("foldback:")?.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let is_proof = variables.get("HARNESS_ENTRY").is_some_and(|entry| !entry.is_empty());
    Ok(is_proof.then_some(variables))
}

fn one(
    proof: &Path,
    name: String,
    folder: &Path,
    variables: &BTreeMap<String, String>,
    notes: &mut Vec<String>,
) -> Result<Proof, String> {
    let words = |variable: &str| {
        let value = variables.get(variable).map_or("", String::as_str);
        split(value).ok_or_else(|| format!("{name}: a quote in {variable} is not closed"))
    };
    let mut files = |variable: &str| -> Result<Vec<String>, String> {
        let mut out = Vec::new();
        for word in words(variable)? {
            let path = proof.join(&word);
            let path = if path.exists() { Some(path) } else { made(proof, &path, &folder.join(MADE).join(&name))? };
            match path {
                // make names no prerequisite twice.
                Some(path) if out.contains(&relative(folder, &path)) => {}
                Some(path) => out.push(relative(folder, &path)),
                None => notes.push(format!("{name}: there is no {word}")),
            }
        }
        Ok(out)
    };
    let (stubs, sources) = (files("PROOF_SOURCES")?, files("PROJECT_SOURCES")?);
    let mut flags = Vec::new();
    for variable in ["DEFINES", "INCLUDES"] {
        flags.extend(words(variable)?);
    }
    flags.extend(of_compiler(words("COMPILE_FLAGS")?));
    let flags = flags.into_iter().map(|flag| match flag.strip_prefix("-I") {
        Some(dir) if !dir.is_empty() => format!("-I{}", relative(folder, &proof.join(dir))),
        _ => flag,
    });
    let mut flags: Vec<String> = flags.collect();
    let checks = [words("CBMCFLAGS")?, words("CHECKFLAGS")?].concat();
    if !checks.iter().any(|flag| flag == "--no-malloc-may-fail") {
        flags.push("--malloc-may-fail".to_owned());
    }
    let mut entry = variables.get("HARNESS_ENTRY").cloned();
    match &words("CHECK_FUNCTION_CONTRACTS")?[..] {
        [] => {}
        // The harness calls the function with anything: so does the check of its contract.
        [function] => {
            entry = None;
            flags.extend(["--check-contract".to_owned(), function.clone()]);
        }
        several => notes.push(format!("{name}: the contracts of {} are checked one at a time", several.join(", "))),
    }
    for function in words("USE_FUNCTION_CONTRACTS")? {
        flags.extend(["--use-contract".to_owned(), function]);
    }
    Ok(Proof { entry, sources, stubs, remove_body: words("REMOVE_FUNCTION_BODY")?, flags, name, ..Proof::default() })
}

/// The flags that a C compiler has, too: goto-cc's own start with two dashes, and some have a value.
fn of_compiler(words: Vec<String>) -> Vec<String> {
    let mut out = Vec::new();
    let mut after_own = false;
    for word in words {
        let is_own = word.starts_with("--");
        if !is_own && (!after_own || word.starts_with('-')) {
            out.push(word);
        }
        after_own = is_own;
    }
    out
}

/// A file that the Makefile would have made by a job that writes it to its standard output: made in `into`.
fn made(proof: &Path, file: &Path, into: &Path) -> Result<Option<PathBuf>, String> {
    let wanted = file.display().to_string();
    let text = make(proof, &["-n", "-f", "Makefile", &wanted], "")?;
    // One command for each line that does not go on.
    for command in text.replace("\\\n", " ").lines().filter_map(split) {
        let after = |flag: &str| command.iter().position(|word| word == flag).and_then(|at| command.get(at + 1));
        let (Some(job), Some(to)) = (after("--command"), after("--stdout-file")) else { continue };
        if *to != wanted {
            continue;
        }
        let output = Command::new("sh").args(["-c", job]).current_dir(proof).stderr(Stdio::null()).output();
        let output = output.map_err(|e| format!("{job}: {e}"))?;
        if !output.status.success() {
            return Err(format!("{wanted}: the command that makes it failed: {job}"));
        }
        let path = into.join(file.file_name().unwrap_or(file.as_os_str()));
        std::fs::create_dir_all(into).map_err(|e| format!("cannot write {}: {e}", into.display()))?;
        base::files::write_own(&path, &output.stdout)?;
        return Ok(Some(path));
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_goto_cc_are_left_out() {
        let words = ["-ansi", "--object-bits", "8", "--x", "-DA"].map(str::to_owned);
        assert_eq!(of_compiler(words.into()), ["-ansi", "-DA"]);
    }
}
