//! Answers that were given before, for programs that mean the same.
//!
//! What an answer depends on is the automaton that the program becomes, what is asked, and this binary. A proof holds wherever
//! the text stands, so places do not count for it: an edit elsewhere in a file leaves it valid. A counterexample names places.

use crate::load;
use crate::request::Request;
use crate::store::Store;
use report::{Report, Verdict};
use std::io;
use std::path::Path;

/// Where the answer to a request is kept, or will be.
pub struct Kept {
    store: Store,
    /// With all places, and without.
    exact: String,
    anywhere: String,
}

impl Kept {
    /// In a folder; nothing where evidence is asked for that it does not have.
    pub fn of(request: &Request, folder: &Path) -> Option<Kept> {
        let keep = &request.keep;
        if keep.witness.is_some() || keep.certificate || keep.annotated || keep.contracts || keep.harness.is_some() {
            return None;
        }
        let subject = &request.subject;
        // What is wrong with the program will be said by who looks for the answer.
        let program = load::lowered(subject).ok()?;
        let mut asked = format!("{:?} {:?} {:?}", subject.lowering, subject.groups, request.replay);
        asked += if request.plan.accept_unchecked { " unchecked" } else { "" };
        let text = cfa::text::print(&program);
        let binary = this_binary();
        Some(Kept {
            store: Store::at(folder),
            exact: Store::key(&[&binary, &asked, &text]),
            anywhere: Store::key(&[&binary, &asked, &without_places(&text)]),
        })
    }

    /// The answer that was given before.
    pub fn found(&self) -> Option<Report> {
        let read = |key: &str| Report::from_json(&self.store.get(key)?).ok();
        let proved = |report: &Report| matches!(report.result, Verdict::True { .. });
        read(&self.exact).or_else(|| read(&self.anywhere).filter(proved))
    }

    /// Keeps an answer; no answer is none.
    pub fn keep(&self, report: &Report) -> io::Result<()> {
        let key = match report.result {
            Verdict::True { .. } => &self.anywhere,
            Verdict::False { .. } => &self.exact,
            Verdict::Unknown { .. } => return Ok(()),
        };
        self.store.put(key, &report.to_json())
    }
}

/// Its version, and when and how large it was built.
fn this_binary() -> String {
    let known = std::env::current_exe().and_then(|path| path.metadata());
    let built = known.and_then(|known| Ok((known.len(), known.modified()?)));
    format!("{} {built:?}", env!("CARGO_PKG_VERSION"))
}

/// The text of an automaton without the places and the names of files.
fn without_places(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines().filter(|line| !line.starts_with("file ") && !line.trim_start().starts_with(';')) {
        let mut rest = line;
        while let Some(at) = rest.find(" at F") {
            let (before, place) = rest.split_at(at);
            out += before;
            let place = &place[" at ".len()..];
            rest = &place[place.find([' ', ')']).unwrap_or(place.len())..];
        }
        out += rest;
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_do_not_count() {
        let text = |line: u32| {
            format!(
                "file F0 \"a.c\"\nvar x bv32 source \"x\" \"int\" at F0:{line}:3-{line}:9\n  L0 at F0:{line}:1-{line}:2\n    e0 -> L1 assign x := 1:32 site f0 e0 at F0:{line}:1-{line}:2\n"
            )
        };
        assert_eq!(without_places(&text(3)), without_places(&text(14)));
        assert_ne!(without_places(&text(3)), without_places(&text(3).replace("1:32", "2:32")));
        // A text of the program that looks like a place stays.
        let message = "  L1 error assert \"see at F0 or x\" at F0:3:1-3:2\n";
        assert_ne!(without_places(message), without_places(&message.replace("or x", "or y")));
    }
}
