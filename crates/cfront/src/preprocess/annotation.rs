//! Annotations: comments that begin with `@`, as ACSL has them. Their tokens go beside those of the program, with macros
//! replaced (as Frama-C does); `parse::acsl` reads them. Where they are not asked for, a note says that there are some.
//!
//! Inside, `@` is white space, names may begin with a backslash, and `0..n` is a number, two dots and a name.

use crate::token::Annotation;

use super::scan::flag;
use super::*;

/// What annotations begin with that are ACSL and not another tool's.
const WORDS: [&[u8]; 17] = [
    b"requires",
    b"ensures",
    b"assigns",
    b"loop",
    b"assert",
    b"check",
    b"admit",
    b"behavior",
    b"terminates",
    b"decreases",
    b"predicate",
    b"logic",
    b"lemma",
    b"axiomatic",
    b"ghost",
    b"inductive",
    b"invariant",
];

/// Those met so far.
#[derive(Default)]
pub(super) struct Annotations {
    /// Not read yet, and whether they stand inside of the use of a macro.
    passed: Vec<(Scanner, bool)>,
    /// By the number of the token that follows.
    read: Vec<(usize, Vec<Token>)>,
    /// It was said that they are ignored.
    noted: bool,
    /// Those in the directive that is read.
    in_directive: Vec<Scanner>,
}

impl Annotations {
    /// Comments between the token just scanned and the one before.
    pub(super) fn pass(&mut self, found: Vec<Scanner>, in_macro: bool) {
        self.passed.extend(found.into_iter().map(|inside| (inside, in_macro)));
    }

    /// Comments in a directive.
    pub(super) fn pass_in_directive(&mut self, found: Vec<Scanner>) {
        self.in_directive.extend(found);
    }

    pub(super) fn tokens(&self) -> impl Iterator<Item = Token> {
        self.read.iter().flat_map(|(_, tokens)| tokens).copied()
    }

    /// All of them, whose tokens are these now.
    pub(super) fn settled(self, tokens: Vec<Token>) -> Vec<Annotation> {
        let mut rest = tokens.into_iter();
        let settle = |(before, own): (usize, Vec<Token>)| Annotation {
            before,
            tokens: rest.by_ref().take(own.len()).collect(),
            is_read: false,
        };
        self.read.into_iter().map(settle).collect()
    }
}

impl Preprocessor<'_> {
    /// Reads the annotations in front of the token that is about to be put out.
    pub(super) fn read_annotations(&mut self) -> Res<()> {
        if self.annotations.passed.is_empty() {
            return Ok(());
        }
        for (mut inside, in_macro) in std::mem::take(&mut self.annotations.passed) {
            let at = inside.here(&self.text, 1);
            if !self.options.acsl {
                self.note_ignored(&inside, at);
                continue;
            }
            if in_macro {
                return self.fail(
                    at,
                    "an ACSL annotation inside of the use of a macro",
                    "put it in front of the statement",
                );
            }
            let (tokens, end) = self.scan_annotation(inside)?;
            let mut own = Vec::new();
            for token in self.expanded(&tokens)? {
                match token.kind {
                    Kind::Padding(_) => {}
                    Kind::Tok(tok) => {
                        let tok = if let Tok::Name(name) = tok { Tok::Name(self.names.meaning(name)) } else { tok };
                        own.push(Token { tok, start: token.start, len: token.len, span: token.at.span() });
                    }
                    _ => return self.stray(token),
                }
            }
            own.push(Token { tok: Tok::Eof, start: end.start, len: 0, span: end.at.span() });
            self.annotations.read.push((self.tokens.len(), own));
        }
        Ok(())
    }

    /// A macro begins: what stood in directives before it is of no interest.
    pub(super) fn forget_annotations(&mut self) {
        self.annotations.in_directive.clear();
    }

    /// What a macro's text has of ACSL would be gone where the macro is used.
    pub(super) fn refuse_annotations(&mut self) -> Res<()> {
        let found = std::mem::take(&mut self.annotations.in_directive);
        let Some(mut inside) = found.into_iter().find(|inside| self.is_acsl(inside)).filter(|_| self.options.acsl)
        else {
            return Ok(());
        };
        let at = inside.here(&self.text, 1);
        self.fail(at, "an ACSL annotation inside of a macro", "put it in front of the statement")
    }

    /// The tokens of an annotation, and its end.
    fn scan_annotation(&mut self, mut inside: Scanner) -> Res<(Vec<PpToken>, PpToken)> {
        let mut tokens: Vec<PpToken> = Vec::new();
        let mut backslash: Option<PpToken> = None;
        loop {
            let mut token = match inside.token(&self.text, self.names, Mode::default()) {
                Ok(token) => token,
                Err(comment) => return self.unterminated(&comment),
            };
            if let Some(before) = backslash.take() {
                if token.name().is_none() || token.start != before.start + 1 {
                    return self.stray(before);
                }
                token = PpToken { start: before.start, len: token.len + 1, flags: before.flags, ..token };
                token.at = At { col: before.at.col, width: token.at.width + 1, ..token.at };
                let name = self.names.spelling(&self.text[token.range()]);
                token.kind = Kind::Tok(Tok::Name(name));
            }
            let text = &self.text[token.range()];
            let follows_dot = tokens.last().is_some_and(|last| last.is(P::Dot) && last.start + 1 == token.start);
            match token.kind {
                Kind::Tok(Tok::Eof) => return Ok((tokens, token)),
                Kind::Other if text == b"@" => {}
                Kind::Other if text == b"\\" => backslash = Some(token),
                // `0..n`
                Kind::Tok(Tok::Number) if text.windows(2).any(|two| two == b"..") => {
                    let number = text.windows(2).position(|two| two == b"..").unwrap_or(0) as u32;
                    if number > 0 {
                        let at = At { width: number, ..token.at };
                        tokens.push(PpToken { len: number, at, ..token });
                    }
                    for dot in [number, number + 1] {
                        let at = At { col: token.at.col + dot, width: 1, ..token.at };
                        let kind = Kind::Tok(Tok::Punct(P::Dot));
                        tokens.push(PpToken { kind, flags: 0, start: token.start + dot, len: 1, at, ..token });
                    }
                    inside.go_on_at(token.start + number + 2);
                }
                // `n..9`
                Kind::Tok(Tok::Number) if follows_dot && text.starts_with(b".") => {
                    let (kind, at) = (Kind::Tok(Tok::Punct(P::Dot)), At { width: 1, ..token.at });
                    tokens.push(PpToken { kind, flags: token.flags & !flag::SPACE, len: 1, at, ..token });
                    inside.go_on_at(token.start + 1);
                }
                _ => tokens.push(token),
            }
        }
    }

    /// Whether it begins as ACSL does.
    fn is_acsl(&self, inside: &Scanner) -> bool {
        let rest = inside.rest(&self.text);
        let blank = |b: &u8| matches!(b, b' ' | b'\t' | b'\r' | b'\n' | b'@');
        let rest = &rest[rest.iter().take_while(|b| blank(b)).count()..];
        let word = &rest[..rest.iter().take_while(|b| b.is_ascii_alphabetic()).count()];
        WORDS.contains(&word)
    }

    /// Says once that ACSL is not looked at.
    fn note_ignored(&mut self, inside: &Scanner, at: At) {
        if !self.annotations.noted && self.is_acsl(inside) {
            self.annotations.noted = true;
            let message = "ACSL annotations are ignored; --acsl uses them";
            self.notes.push(Diagnostic::note(Some(at.span()), message));
        }
    }
}
