//! Places that speak of the user's files: which files there are, by the names that line markers give them, and which of
//! our loaded lines are theirs. A file without markers is its own text; with markers, lines are laid out as these say.

use base::{Diagnostic, FileId, Id, Sources, Span};
use rustc_hash::FxHashMap;

use crate::token::{Token, decode};

/// A bogus `# 4000000000 "x"` must not make us allocate that many lines.
const MAX_GAP: usize = 100_000;

/// Lines `from..to` of a loaded file are the lines from `line` on of `file`; lines count from 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    pub(super) file: u32,
    pub(super) loaded: usize,
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) line: u32,
}

#[derive(Clone, Default)]
pub(super) struct Places {
    names: Vec<String>,
    numbers: FxHashMap<String, u32>,
    stretches: Vec<Stretch>,
}

impl Places {
    /// The number of the file called `name`.
    pub(super) fn file(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.names.len() as u32;
        self.numbers.insert(name.to_owned(), number);
        self.names.push(name.to_owned());
        number
    }

    pub(super) fn name(&self, file: u32) -> &str {
        &self.names[file as usize]
    }

    pub(super) fn record(&mut self, stretch: Stretch) {
        if stretch.from < stretch.to {
            self.stretches.push(stretch);
        }
    }

    /// Makes the files known that tokens or messages speak of, `main` first, and the spans speak of them.
    /// `text_of` gives the text of a loaded file.
    pub(super) fn settle<'t>(
        &self,
        main: u32,
        tokens: &mut [Token],
        diagnostics: &mut [Diagnostic],
        sources: &mut Sources,
        text_of: impl Fn(usize) -> &'t [u8],
    ) {
        let mut used = vec![false; self.names.len()];
        used[main as usize] = true;
        let spans = tokens.iter().map(|t| t.span).chain(diagnostics.iter().filter_map(|d| d.span));
        spans.for_each(|span| used[span.file.index()] = true);
        let mut texts = self.texts(&used, text_of);
        let mut ids = vec![FileId::new(0); used.len()];
        let order = std::iter::once(main as usize).chain((0..used.len()).filter(|&file| file != main as usize));
        for file in order.filter(|&file| used[file]) {
            ids[file] = sources.intern(&self.names[file], || Some(std::mem::take(&mut texts[file]).join("\n")));
        }
        let real = |span: Span| Span { file: ids[span.file.index()], ..span };
        tokens.iter_mut().for_each(|token| token.span = real(token.span));
        diagnostics.iter_mut().for_each(|diagnostic| diagnostic.span = diagnostic.span.map(real));
    }

    /// The lines of each wanted file.
    fn texts<'t>(&self, wanted: &[bool], text_of: impl Fn(usize) -> &'t [u8]) -> Vec<Vec<String>> {
        let mut texts: Vec<Vec<String>> = vec![Vec::new(); wanted.len()];
        let mut loaded: FxHashMap<usize, Vec<&[u8]>> = FxHashMap::default();
        for stretch in self.stretches.iter().filter(|stretch| wanted[stretch.file as usize]) {
            let real = loaded
                .entry(stretch.loaded)
                .or_insert_with(|| text_of(stretch.loaded).split(|&b| b == b'\n').collect());
            let to = (stretch.to as usize - 1).min(real.len());
            let lines = &mut texts[stretch.file as usize];
            for (offset, line) in real.get(stretch.from as usize - 1..to).unwrap_or_default().iter().enumerate() {
                let index = (stretch.line as usize).saturating_sub(1).saturating_add(offset);
                if index > lines.len() + MAX_GAP {
                    break;
                }
                if lines.len() <= index {
                    lines.resize(index + 1, String::new());
                }
                // Code after a marker that repeats a line number continues that line; the first text seen stands.
                if lines[index].trim().is_empty() {
                    lines[index] = decode(line.strip_suffix(b"\r").unwrap_or(line));
                }
            }
        }
        texts
    }
}
