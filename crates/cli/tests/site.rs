//! The pages under docs make a site: all of them are in its table of contents, and no link leads nowhere.

#[allow(dead_code, reason = "each test uses a part of it")]
mod common;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

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
    let docs = common::root().join("docs");
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
    let root = common::root();
    let mut all = pages(&root.join("docs"));
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
        }
    }
    assert!(count > 100, "only {count} links were looked at");
}
