//! The pages under docs make a site: all of them are in its table of contents, no link leads nowhere, and mdBook builds it.

#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The pages of a folder and of those in it.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(pages(&path));
        } else if path.extension().is_some_and(|end| end == "md") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Where the links of a page lead, code apart.
fn links(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut is_code = false;
    for line in text.lines() {
        is_code ^= line.starts_with("```");
        if is_code || line.starts_with("    ") {
            continue;
        }
        let prose: String = line.split('`').step_by(2).collect::<Vec<_>>().join("code");
        found.extend(prose.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(to, _)| to.to_owned()));
    }
    found
}

#[test]
fn every_page_is_in_the_table_of_contents() {
    let docs = crate::common::root().join("docs");
    let summary = std::fs::read_to_string(docs.join("SUMMARY.md")).expect("a table of contents");
    let named: Vec<String> = links(&summary);
    let once: BTreeSet<&String> = named.iter().collect();
    assert_eq!(once.len(), named.len(), "a page is named twice");
    for page in pages(&docs) {
        let name = page.strip_prefix(&docs).expect("in the folder").to_string_lossy().into_owned();
        assert!(name == "SUMMARY.md" || once.contains(&name), "docs/SUMMARY.md does not name {name}");
    }
}

#[test]
fn no_link_leads_nowhere() {
    let root = crate::common::root().canonicalize().expect("the repository");
    let docs = root.join("docs");
    let mut all = pages(&docs);
    all.extend(["README.md", "CONTRIBUTING.md", "SECURITY.md"].map(|name| root.join(name)));
    let mut count = 0;
    for page in all {
        for link in links(&std::fs::read_to_string(&page).expect("a page")) {
            let target = link.split('#').next().unwrap_or_default();
            if target.is_empty() || target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            count += 1;
            let path = page.parent().expect("a folder").join(target);
            assert!(path.exists(), "{}: {link} leads nowhere", page.display());
            // What is not in the folder is not on the site: other files of the repository are named, not linked.
            let is_on_site = path.canonicalize().is_ok_and(|path| path.starts_with(&docs));
            assert!(is_on_site || !page.starts_with(&docs), "{}: {link} leads out of docs", page.display());
        }
    }
    assert!(count > 100, "only {count} links were looked at");
}

/// With every page, a search that knows them, and nothing that a link of theirs misses.
#[test]
fn mdbook_builds_it() {
    if !Command::new("mdbook").arg("--version").output().is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: no mdbook (cargo install mdbook)");
        return;
    }
    let scratch = crate::common::Scratch::new("site");
    let docs = crate::common::root().join("docs");
    let site = scratch.path("book");
    let output = Command::new("mdbook").arg("build").arg(&docs).arg("--dest-dir").arg(&site).output().expect("it runs");
    let said = crate::common::stdout(&output) + &crate::common::stderr(&output);
    assert!(output.status.success() && !said.contains("WARN"), "{said}");
    let read = |path: &Path| std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let search = std::fs::read_dir(&site).expect("the site").map(|entry| entry.expect("an entry").path());
    let mut index =
        search.filter(|path| path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"searchindex")));
    let index = read(&index.next().expect("an index to search in"));
    for page in pages(&docs) {
        let name = page.strip_prefix(&docs).expect("in the folder").with_extension("html");
        if name == Path::new("SUMMARY.html") {
            continue;
        }
        let html = read(&site.join(&name));
        assert!(index.contains(&*name.to_string_lossy()), "the search does not know {}", name.display());
        let targets = ["href=\"", "src=\""].into_iter().flat_map(|key| html.split(key).skip(1));
        for target in targets.filter_map(|rest| rest.split('"').next()) {
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            if file.contains(':') {
                continue;
            }
            let path = if file.is_empty() { site.join(&name) } else { site.join(&name).with_file_name("").join(file) };
            assert!(path.exists(), "{}: {target} leads nowhere", name.display());
            let is_page = path.extension().is_some_and(|end| end == "html");
            let has_anchor = || read(&path).contains(&format!("id=\"{anchor}\""));
            assert!(anchor.is_empty() || !is_page || has_anchor(), "{}: no such heading: {target}", name.display());
        }
    }
}
