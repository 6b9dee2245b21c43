//! The story of folding, for `--trace-folding`: formulas in C where they have a C form.

use super::Folder;
use crate::limits::bself::MAX_SHOWN;
use engine::Event;
use std::fmt::Write;
use term::cprint::{CName, print_c};
use term::{Store, Term};

impl Folder<'_> {
    /// Tells what happens: a title, and formulas with their names in the paper.
    pub(super) fn note(&mut self, title: impl FnOnce() -> String, words: &[(&str, &str)], formulas: &[(&str, Term)]) {
        let mut text = format!("{}{}", "  ".repeat(self.depth as usize), title());
        for (name, word) in words {
            let _ = write!(text, " {name} {word}");
        }
        for (name, formula) in formulas {
            let _ = write!(text, "\n{}  {name}: {}", "  ".repeat(self.depth as usize), self.show(*formula));
        }
        self.cx.tell(Event::Folding(text));
    }

    fn show(&self, formula: Term) -> String {
        let size = term::tree_size(&self.cx.terms, formula);
        if size > MAX_SHOWN {
            return format!("(a formula of {size} nodes)");
        }
        let names = |store: &Store, t: Term| {
            let var = self.program.var_of(t)?;
            let width = store.sort(t).bv_width().unwrap_or(0);
            let source = self.program.vars[var].source.as_ref();
            let text = source.map_or_else(|| self.program.name(var).to_owned(), |s| s.name.clone());
            Some(CName { text, signed: source.is_none_or(|s| s.signed), width })
        };
        let text = print_c(&self.cx.terms, formula, &names);
        text.unwrap_or_else(|| term::smtlib::print_term(&self.cx.terms, formula))
    }
}
