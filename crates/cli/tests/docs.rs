//! Pages for users are run as they stand: their C files are written, their commands given, and what they print is compared with
//! what the page shows.

use crate::common::{Scratch, root, stderr, stdout};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A fenced block: what comes after the fence, and its lines.
struct Block {
    info: String,
    lines: Vec<String>,
}

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for line in page.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(info), None) => open = Some(Block { info: info.trim().to_owned(), lines: Vec::new() }),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some(block)) => block.lines.push(line.to_owned()),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block is not closed");
    blocks
}

/// Whether `line` is what `shown` says, where `…` stands for anything.
fn is_shown(shown: &str, line: &str) -> bool {
    let mut parts = shown.split('…');
    let mut rest = match parts.next().and_then(|first| line.strip_prefix(first.trim_end())) {
        Some(rest) => rest,
        None => return false,
    };
    let mut open = false;
    for part in parts {
        let Some(at) = rest.find(part.trim()) else { return false };
        rest = &rest[at + part.trim().len()..];
        open = part.is_empty();
    }
    open || rest.trim().is_empty()
}

/// Compares the lines in order; `...` stands for any number of them.
fn compare(shown: &[String], printed: &[&str]) -> Result<(), String> {
    let mut at = 0;
    let mut skips = false;
    for expected in shown {
        if expected.trim() == "..." {
            skips = true;
            continue;
        }
        let found = if skips {
            (at..printed.len()).find(|i| is_shown(expected, printed[*i]))
        } else {
            Some(at).filter(|i| *i < printed.len() && is_shown(expected, printed[*i]))
        };
        at = 1 + found.ok_or_else(|| format!("no '{expected}' in:\n{}", printed.join("\n")))?;
        skips = false;
    }
    if skips || at == printed.len() { Ok(()) } else { Err(format!("not shown: {}", printed[at..].join("\n"))) }
}

fn run(command: &str, scratch: &Scratch) -> Vec<String> {
    let mut words = command.split_whitespace();
    assert_eq!(words.next(), Some("foldback"), "{command}");
    let output = Command::new(env!("CARGO_BIN_EXE_foldback"))
        .args(words)
        .current_dir(scratch.path(""))
        .output()
        .expect("the binary runs");
    (stderr(&output) + &stdout(&output)).lines().map(str::to_owned).collect()
}

fn check(page: &Path) -> usize {
    let name = page.file_stem().expect("a name").to_string_lossy().into_owned();
    let scratch = Scratch::new(&format!("docs-{name}"));
    let text = std::fs::read_to_string(page).expect("a page");
    let mut commands = Vec::new();
    for block in blocks(&text) {
        // What a job gives is among what was tried.
        for line in block.lines.iter().filter(|_| block.info == "yaml") {
            if let Some(at) = line.find("foldback verify") {
                assert!(commands.contains(&line[at..].to_owned()), "{}: {line}", page.display());
            }
        }
        if let Some(file) = block.info.strip_prefix("c ") {
            scratch.file(file, block.lines.join("\n") + "\n");
        }
        if block.info != "console" {
            continue;
        }
        for part in block
            .lines
            .split(|line| line.starts_with("$ "))
            .skip(1)
            .zip(block.lines.iter().filter_map(|line| line.strip_prefix("$ ")))
        {
            let (shown, command) = part;
            let printed = run(command, &scratch);
            let printed: Vec<&str> = printed.iter().map(String::as_str).collect();
            if let Err(difference) = compare(shown, &printed) {
                panic!("{}: {command}: {difference}", page.display());
            }
            commands.push(command.to_owned());
        }
    }
    commands.len()
}

fn page(name: &str) -> PathBuf {
    root().join("docs").join(name)
}

/// The commands that the first page shows, indented, with what they print.
#[test]
fn the_readme_is_true() {
    let scratch = Scratch::new("docs-readme");
    for folder in ["examples", "contrib"] {
        std::os::unix::fs::symlink(root().join(folder), scratch.path(folder)).expect("a link");
    }
    let text = std::fs::read_to_string(root().join("README.md")).expect("the page");
    let mut commands: Vec<(&str, Vec<String>)> = Vec::new();
    let mut is_shown = false;
    for line in text.lines() {
        match (line.strip_prefix("    $ "), line.strip_prefix("    ")) {
            (Some(command), _) => commands.push((command, Vec::new())),
            // How long a compiled run takes is the machine's.
            (None, Some(line)) if is_shown => {
                let line =
                    line.split_once("program (").map_or(line.to_owned(), |(said, _)| format!("{said}program (…"));
                commands.last_mut().expect("a command before").1.push(line);
            }
            _ => {}
        }
        is_shown = line.starts_with("    $ ") || is_shown && line.starts_with("    ");
    }
    for (command, shown) in &commands {
        let command = command.replace("./foldback", env!("CARGO_BIN_EXE_foldback")) + " 2>&1";
        let output = Command::new("bash").args(["-c", &command]).current_dir(scratch.path("")).output().expect("bash");
        let printed = stdout(&output);
        let printed: Vec<&str> = printed.lines().collect();
        if let Err(difference) = compare(shown, &printed) {
            panic!("README.md: {command}: {difference}");
        }
    }
    assert!(commands.len() >= 7, "only {} commands", commands.len());
}

#[test]
fn the_tutorial_is_true() {
    assert!(check(&page("tutorial.md")) >= 4);
}

#[test]
fn what_to_do_about_unknown_is_true() {
    assert!(check(&page("unknown.md")) >= 2);
}

#[test]
fn how_to_write_a_harness_is_true() {
    assert!(check(&page("harnesses.md")) >= 4);
}

#[test]
fn every_property_has_a_page_that_is_true() {
    let mut pages = 0;
    for entry in std::fs::read_dir(page("properties")).expect("the folder") {
        let path = entry.expect("an entry").path();
        if path.file_name().is_some_and(|name| name != "README.md") {
            assert_eq!(check(&path), 2, "{}", path.display());
            pages += 1;
        }
    }
    assert!(pages >= 10, "only {pages} pages");
}

/// Inline code of a page that gives a command of ours.
fn commands(text: &str) -> impl Iterator<Item = &str> {
    let outside = text.split("```").step_by(2);
    outside.flat_map(|part| part.split('`').skip(1).step_by(2)).filter_map(|span| span.strip_prefix("foldback "))
}

#[test]
fn commands_and_flags_on_every_page_exist() {
    let mut pages = vec![root().join("README.md"), root().join("CONTRIBUTING.md"), root().join("SECURITY.md")];
    for folder in ["docs", "docs/engines", "docs/properties"] {
        let files = std::fs::read_dir(root().join(folder)).expect("the folder of pages");
        pages.extend(files.map(|file| file.expect("a page").path()));
    }
    pages.retain(|page| page.extension().is_some_and(|end| end == "md"));
    let mut help: BTreeMap<String, String> = BTreeMap::new();
    for page in pages {
        let text = std::fs::read_to_string(&page).expect("the page");
        for span in commands(&text).filter(|span| span.starts_with(|c: char| c.is_ascii_lowercase())) {
            let mut words = span.split_whitespace();
            let command = words.next().unwrap_or_default();
            let help = help.entry(command.to_owned()).or_insert_with(|| {
                let output = crate::common::foldback([command, "--help"]);
                assert!(output.status.success(), "{}: there is no command `foldback {command}`", page.display());
                stdout(&output)
            });
            for flag in words.take_while(|word| *word != "--").filter(|word| word.starts_with("--")) {
                let flag = flag.split(['=', ',', ')']).next().unwrap_or(flag);
                assert!(help.contains(flag), "{}: `foldback {span}`: there is no {flag}", page.display());
            }
        }
    }
    assert!(help.len() > 8, "few commands are named: {:?}", help.keys());
}

#[test]
fn comparison_tells_differences() {
    let shown = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
    assert!(compare(&shown(&["a", "...", "c"]), &["a", "b", "c"]).is_ok());
    assert!(compare(&shown(&["a", "c"]), &["a", "b", "c"]).is_err());
    assert!(compare(&shown(&["a"]), &["a", "b"]).is_err());
    assert!(compare(&shown(&["took … s"]), &["took 3.2 s"]).is_ok());
    assert!(compare(&shown(&["took … s"]), &["lasted 3.2 s"]).is_err());
    assert!(compare(&shown(&["took …"]), &["took 3.2 s"]).is_ok());
}
