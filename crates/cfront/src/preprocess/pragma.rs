//! Pragmas. Only few concern us: `pack` (the layout of records), `weak`, `once`, `push_macro` and `pop_macro`, `GCC error`, and `CPROVER check`,
//! by which harnesses say where accesses to memory are not to be checked.

use crate::token::decode;

use super::scan::flag;
use super::*;

/// `#pragma pack`: from which token on members are aligned to at most how many bytes (0: no limit).
pub(super) struct Packing {
    pub(super) limits: Vec<(usize, u64)>,
    stack: Vec<u64>,
}

impl Default for Packing {
    fn default() -> Packing {
        Packing { limits: Vec::new(), stack: vec![0] }
    }
}

impl Packing {
    /// `4`, nothing, `push`, `push, 1`, `pop`: what stands in the brackets of `pack`.
    fn obey(&mut self, words: &str, at_token: usize) {
        let mut current = self.stack.last().copied().unwrap_or(0);
        let mut limit = None;
        for word in words.split(',').map(str::trim) {
            match word {
                "push" => self.stack.push(current),
                "pop" => {
                    if self.stack.len() > 1 {
                        self.stack.pop();
                    }
                    current = self.stack.last().copied().unwrap_or(0);
                }
                "" => limit = Some(0),
                _ => limit = word.parse().ok().or(limit),
            }
        }
        if let (Some(limit), Some(top)) = (limit, self.stack.last_mut()) {
            *top = limit;
        }
        self.limits.push((at_token, self.stack.last().copied().unwrap_or(0)));
    }
}

/// `#pragma CPROVER check`: the tokens among which accesses are not to be checked.
#[derive(Default)]
pub(super) struct Unchecked {
    pub(super) ranges: Vec<(usize, usize)>,
    is_off: bool,
    stack: Vec<bool>,
}

impl Unchecked {
    /// `push`, `pop`, `disable "pointer"`, `enable "pointer"`: what stands behind `check`.
    fn obey(&mut self, what: &str, which: &str, at_token: usize) {
        let is_memory = matches!(which, "pointer" | "bounds");
        let is_off = match what {
            "push" => {
                self.stack.push(self.is_off);
                self.is_off
            }
            "pop" => self.stack.pop().unwrap_or(false),
            "disable" => self.is_off || is_memory,
            "enable" => self.is_off && !is_memory,
            _ => self.is_off,
        };
        match (self.is_off, is_off) {
            (false, true) => self.ranges.push((at_token, usize::MAX)),
            (true, false) => self.ranges.last_mut().expect("it began").1 = at_token,
            _ => {}
        }
        self.is_off = is_off;
    }
}

impl Preprocessor<'_> {
    /// `#pragma …`, up to the end of the line.
    pub(super) fn pragma(&mut self) -> Res<()> {
        let mut tokens = Vec::new();
        loop {
            let token = self.scan()?;
            if token.is_end() {
                return self.obey_pragma(tokens);
            }
            tokens.push(token);
        }
    }

    /// The text of a `_Pragma`.
    pub(super) fn pragma_text(&mut self, pragma: PpToken) -> Res<()> {
        let mut scanner = Scanner::new(pragma.range().start, pragma.range().end, Rc::new([]), false, pragma.at.file);
        let mut tokens = Vec::new();
        let mode = Mode { in_directive: true, angled: false };
        loop {
            match scanner.token(&self.text, self.names, mode) {
                Ok(token) if token.is_end() => return self.obey_pragma(tokens),
                Ok(token) => tokens.push(token.used_at(&pragma)),
                Err(_) => return self.fail(pragma.at, "unterminated comment in _Pragma", "close it with */"),
            }
        }
    }

    fn obey_pragma(&mut self, tokens: Vec<PpToken>) -> Res<()> {
        let Some((&first, rest)) = tokens.split_first() else { return Ok(()) };
        let word = |token: &PpToken| decode(self.spelled(token));
        match word(&first).as_str() {
            "pack" => {
                let expanded = self.expanded(rest)?;
                let text = self.joined(&expanded);
                if let Some(inner) = text.trim().strip_prefix('(') {
                    self.packing.obey(inner.split(')').next().unwrap_or(""), self.tokens.len());
                }
            }
            "CPROVER" if rest.first().map(word).as_deref() == Some("check") => {
                let what = rest.get(1).map(word).unwrap_or_default();
                let which = rest.get(2).map(word).unwrap_or_default();
                self.unchecked.obey(&what, which.trim_matches('"'), self.tokens.len());
            }
            "once" => {
                if let Some(file) = self.files.last().filter(|file| file.from.is_some()) {
                    self.loaded[file.loaded].once = true;
                }
            }
            which @ ("push_macro" | "pop_macro") => {
                let Some(string) = rest.iter().find(|token| token.kind == Kind::Tok(Tok::Str)) else { return Ok(()) };
                let text = builtin::unquote(self.spelled(string));
                let name = self.names.spelling(text.trim_ascii());
                let current = self.macro_named(name).cloned();
                let kept = self.pushed.entry(name).or_default();
                if which == "push_macro" {
                    kept.push(current);
                } else if let Some(value) = kept.pop() {
                    self.set_macro(name, value);
                }
            }
            "GCC" if rest.first().map(word).as_deref() == Some("error") => {
                let text = self.joined(&rest[1..]);
                return self.fail(
                    first.at,
                    format!("#pragma GCC error {text}"),
                    "the program asks not to be read like this",
                );
            }
            "weak" => {
                let says = self.joined(rest);
                let (name, target) = match says.split_once('=') {
                    Some((name, target)) => (name.trim(), Some(target.trim().to_owned())),
                    None => (says.as_str(), None),
                };
                self.weak.push((name.to_owned(), target));
            }
            which @ ("scalar_storage_order" | "ms_struct" | "redefine_extname") => {
                let harmless = ["default", "little-endian", "off", "reset"];
                let says = self.joined(rest);
                if !harmless.contains(&says.as_str()) {
                    let message = format!("'#pragma {which} {says}' changes layout or linkage, which is not modelled");
                    return self.fail(first.at, message, "write attributes at the declarations instead");
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The spellings, with blanks where there were some.
    fn joined(&self, tokens: &[PpToken]) -> String {
        let mut text = String::new();
        for token in tokens.iter().filter(|token| !token.is_padding()) {
            if token.has(flag::SPACE) {
                text.push(' ');
            }
            text.push_str(&decode(self.spelled(token)));
        }
        text.trim().to_owned()
    }
}
