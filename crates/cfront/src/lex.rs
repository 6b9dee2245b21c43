//! Preprocessed text to tokens. Line markers are followed, so that every token's span speaks of the file the user wrote;
//! `#pragma pack` is kept, the `#define`s that `cc -E -dD` leaves in its output are collected for [`crate::realign`].

use base::{Diagnostic, FileId, Id, Sources, Span};
use rustc_hash::FxHashMap;

use crate::token::{Names, P, PUNCTUATORS, Tok, Token, TokenStream, decode};

/// Where the text of the files that markers name comes from.
pub(crate) enum Originals<'a> {
    /// From the lexed text itself: its lines are laid out as the markers say.
    InPlace,
    /// From these readings of the real files (of a `.c` file that went through the preprocessor).
    Read(&'a dyn Fn(&str) -> Option<Vec<u8>>),
}

/// A macro seen in the text: is it function-like?
pub(crate) type Macros = FxHashMap<Vec<u8>, bool>;

struct File {
    name: String,
    /// Text by line number minus one, where lines are collected in place.
    lines: Vec<String>,
}

/// A bogus `# 4000000000 "x"` must not make us allocate that many lines.
const MAX_GAP: usize = 100_000;

struct Lexer<'a> {
    text: &'a [u8],
    pos: usize,
    names: &'a mut Names,
    files: Vec<File>,
    file: usize,
    line: u32,
    line_start: usize,
    /// UTF-8 continuation bytes before `pos` on this line: they take no column.
    wide: u32,
    utf8: bool,
    collect_lines: bool,
    tokens: Vec<Token>,
    packs: Vec<(usize, u64)>,
    pack_stack: Vec<u64>,
    macros: Macros,
}

/// The tokens of `text`; `path` is the file's name until a marker says otherwise.
pub(crate) fn lex(
    text: Vec<u8>,
    path: &str,
    originals: &Originals<'_>,
    names: &mut Names,
    sources: &mut Sources,
) -> Result<(TokenStream, Macros), Diagnostic> {
    let utf8 = std::str::from_utf8(&text).is_ok();
    let mut lexer = Lexer {
        text: &text,
        pos: 0,
        names,
        files: vec![File { name: path.to_owned(), lines: Vec::new() }],
        file: 0,
        line: 1,
        line_start: 0,
        wide: 0,
        utf8,
        collect_lines: matches!(originals, Originals::InPlace),
        tokens: Vec::with_capacity(text.len() / 5),
        packs: Vec::new(),
        pack_stack: vec![0],
        macros: Macros::default(),
    };
    let outcome = lexer.run();
    let Lexer { files, mut tokens, packs, macros, .. } = lexer;
    let ids: Vec<FileId> = files
        .into_iter()
        .map(|file| {
            sources.intern(&file.name, || match originals {
                Originals::InPlace => Some(file.lines.join("\n")),
                Originals::Read(read) => read(&file.name).map(|bytes| decode(&bytes)),
            })
        })
        .collect();
    let real = |span: Span| Span { file: ids[span.file.index()], ..span };
    outcome.map_err(|mut error| {
        error.span = error.span.map(real);
        error
    })?;
    for token in &mut tokens {
        token.span = real(token.span);
    }
    Ok((TokenStream { text, tokens, packs }, macros))
}

fn is_name_start(b: u8) -> bool {
    b.is_ascii_alphabetic() || b == b'_' || b == b'$' || b >= 0x80
}

fn is_name_char(b: u8) -> bool {
    is_name_start(b) || b.is_ascii_digit()
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.pos + ahead).copied().unwrap_or(0)
    }

    fn col(&self) -> u32 {
        (self.pos - self.line_start) as u32 + 1 - self.wide
    }

    fn here(&self, len: usize) -> Span {
        let col = self.col();
        Span {
            file: FileId::new(self.file),
            line: self.line,
            col,
            end_line: self.line,
            end_col: col.saturating_add(len as u32),
        }
    }

    fn newline(&mut self) {
        self.pos += 1;
        self.line = self.line.saturating_add(1);
        self.line_start = self.pos;
        self.wide = 0;
        self.collect_line();
    }

    /// Remember the text of the line that starts here as line `self.line` of the current file.
    fn collect_line(&mut self) {
        if !self.collect_lines || self.pos >= self.text.len() {
            return;
        }
        let rest = &self.text[self.pos..];
        let end = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
        let lines = &mut self.files[self.file].lines;
        let index = self.line.saturating_sub(1) as usize;
        if index > lines.len() + MAX_GAP {
            return;
        }
        if lines.len() <= index {
            lines.resize(index + 1, String::new());
        }
        // Code after a marker that repeats a line number continues that line; the first text seen stands.
        if lines[index].trim().is_empty() {
            lines[index] = decode(&rest[..end]);
        }
    }

    fn run(&mut self) -> Result<(), Diagnostic> {
        self.collect_line();
        let mut at_line_start = true;
        while self.pos < self.text.len() {
            let b = self.text[self.pos];
            match b {
                b'\n' => {
                    self.newline();
                    at_line_start = true;
                    continue;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {
                    self.pos += 1;
                    continue;
                }
                b'\\' if self.peek(1) == b'\n' => {
                    self.pos += 1;
                    self.newline();
                    continue;
                }
                b'\\' if self.peek(1) == b'\r' && self.peek(2) == b'\n' => {
                    self.pos += 2;
                    self.newline();
                    continue;
                }
                b'/' if self.peek(1) == b'/' => {
                    while self.pos < self.text.len() && self.text[self.pos] != b'\n' {
                        self.skip_byte();
                    }
                    continue;
                }
                b'/' if self.peek(1) == b'*' => {
                    self.block_comment()?;
                    continue;
                }
                b'#' if at_line_start => {
                    self.directive()?;
                    continue;
                }
                _ => {}
            }
            at_line_start = false;
            self.token(b)?;
        }
        let end = self.here(0);
        self.tokens.push(Token { tok: Tok::Eof, start: self.text.len() as u32, len: 0, span: end });
        Ok(())
    }

    /// One byte of a comment or literal, counting columns in characters.
    fn skip_byte(&mut self) {
        if self.utf8 && self.text[self.pos] & 0xc0 == 0x80 {
            self.wide += 1;
        }
        self.pos += 1;
    }

    fn block_comment(&mut self) -> Result<(), Diagnostic> {
        let start = self.here(2);
        self.pos += 2;
        loop {
            if self.pos >= self.text.len() {
                return Err(Diagnostic::error(start, "unterminated comment").with_help("close it with */"));
            }
            match self.text[self.pos] {
                b'*' if self.peek(1) == b'/' => {
                    self.pos += 2;
                    return Ok(());
                }
                b'\n' => self.newline(),
                _ => self.skip_byte(),
            }
        }
    }

    fn push(&mut self, tok: Tok, len: usize) {
        let span = self.here(len);
        self.tokens.push(Token { tok, start: self.pos as u32, len: len as u32, span });
        self.pos += len;
    }

    fn token(&mut self, b: u8) -> Result<(), Diagnostic> {
        if is_name_start(b) {
            if let Some(prefix) = self.literal_prefix() {
                return self.quoted(prefix);
            }
            let len = self.text[self.pos..].iter().take_while(|&&b| is_name_char(b)).count();
            let text = &self.text[self.pos..self.pos + len];
            let name = self.names.intern(text);
            let wide = if self.utf8 { text.iter().filter(|&&b| b & 0xc0 == 0x80).count() } else { 0 };
            self.push(Tok::Name(name), len);
            self.wide += wide as u32;
            return Ok(());
        }
        if b.is_ascii_digit() || (b == b'.' && self.peek(1).is_ascii_digit()) {
            let mut len = 1;
            loop {
                let c = self.peek(len);
                let exponent_sign = matches!(c, b'+' | b'-') && matches!(self.peek(len - 1), b'e' | b'E' | b'p' | b'P');
                if !(is_name_char(c) || c == b'.' || exponent_sign) {
                    break;
                }
                len += 1;
            }
            self.push(Tok::Number, len);
            return Ok(());
        }
        if b == b'\'' || b == b'"' {
            return self.quoted(0);
        }
        // Digraphs are the only punctuators with a second spelling.
        for (digraph, p) in [("<:", P::LBracket), (":>", P::RBracket), ("<%", P::LBrace), ("%>", P::RBrace)] {
            if self.text[self.pos..].starts_with(digraph.as_bytes()) {
                self.push(Tok::Punct(p), 2);
                return Ok(());
            }
        }
        for &(spelling, p) in PUNCTUATORS {
            if self.text[self.pos..].starts_with(spelling.as_bytes()) {
                self.push(Tok::Punct(p), spelling.len());
                return Ok(());
            }
        }
        let shown = match b {
            0 => "a NUL byte".to_owned(),
            0x20..0x7f => format!("'{}'", char::from(b)),
            _ => format!("byte 0x{b:02x}"),
        };
        let help = if b == b'#' { "directives must start their line" } else { "is this a C source file?" };
        Err(Diagnostic::error(self.here(1), format!("unexpected {shown} in program text")).with_help(help))
    }

    /// Length of `L`, `u`, `U`, `u8` in front of a quote.
    fn literal_prefix(&self) -> Option<usize> {
        match (self.peek(0), self.peek(1), self.peek(2)) {
            (b'L' | b'u' | b'U', b'"' | b'\'', _) => Some(1),
            (b'u', b'8', b'"') => Some(2),
            _ => None,
        }
    }

    fn quoted(&mut self, prefix: usize) -> Result<(), Diagnostic> {
        let quote = self.peek(prefix);
        let mut len = prefix + 1;
        let mut wide = 0;
        loop {
            match self.peek(len) {
                b'\n' | 0 if self.pos + len >= self.text.len() || self.peek(len) == b'\n' => {
                    let what = if quote == b'"' { "string literal" } else { "character constant" };
                    return Err(Diagnostic::error(self.here(1), format!("unterminated {what}"))
                        .with_help(format!("close it with {} on the same line", char::from(quote))));
                }
                b'\\' if self.peek(len + 1) != b'\n' => len += 2,
                c if c == quote => break,
                c => {
                    wide += u32::from(self.utf8 && c & 0xc0 == 0x80);
                    len += 1;
                }
            }
        }
        self.push(if quote == b'"' { Tok::Str } else { Tok::Char }, len + 1);
        self.wide += wide;
        Ok(())
    }

    /// A line that starts with `#`.
    fn directive(&mut self) -> Result<(), Diagnostic> {
        let rest = &self.text[self.pos..];
        let len = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
        let line = &rest[..len];
        let words = line[1..].trim_ascii();
        let word_len = words.iter().take_while(|&&b| is_name_char(b)).count();
        let (word, arguments) = (&words[..word_len], words[word_len..].trim_ascii());
        match word {
            b"line" => return self.marker(arguments, len),
            _ if word.first().is_some_and(u8::is_ascii_digit) => return self.marker(words, len),
            b"pragma" => self.pragma(arguments),
            b"define" => {
                let name: Vec<u8> = arguments.iter().copied().take_while(|&b| is_name_char(b)).collect();
                let function_like = arguments.get(name.len()) == Some(&b'(');
                self.macros.insert(name, function_like);
            }
            b"" | b"undef" | b"ident" | b"sccs" | b"warning" => {}
            _ => {
                let name = decode(word);
                return Err(Diagnostic::error(
                    self.here(len),
                    format!("preprocessor directive '#{name}' in preprocessed text"),
                )
                .with_help("files named .i are taken as already preprocessed; name it .c to have it preprocessed"));
            }
        }
        self.pos += len;
        Ok(())
    }

    /// `12 "file.c" 1 3`: the *next* line is line 12 of file.c.
    fn marker(&mut self, arguments: &[u8], len: usize) -> Result<(), Diagnostic> {
        let digits = arguments.iter().take_while(|b| b.is_ascii_digit()).count();
        let number = std::str::from_utf8(&arguments[..digits]).ok().and_then(|d| d.parse::<u32>().ok());
        let Some(number) = number else {
            return Err(
                Diagnostic::error(self.here(len), "malformed line marker").with_help("expected: # LINE \"FILE\"")
            );
        };
        let rest = arguments[digits..].trim_ascii_start();
        if rest.first() == Some(&b'"') {
            let end = rest[1..].iter().position(|&b| b == b'"').map_or(rest.len(), |i| i + 1);
            let name = decode(&rest[1..end]).replace("\\\\", "\\");
            self.file = match self.files.iter().position(|f| f.name == name) {
                Some(known) => known,
                None => {
                    self.files.push(File { name, lines: Vec::new() });
                    self.files.len() - 1
                }
            };
        }
        self.pos += len;
        if self.pos < self.text.len() {
            self.line = number.saturating_sub(1);
            self.newline();
        }
        Ok(())
    }

    /// `pack(4)`, `pack()`, `pack(push)`, `pack(push, 1)`, `pack(pop)`; other pragmas do not concern us.
    fn pragma(&mut self, arguments: &[u8]) {
        let text = decode(arguments);
        let Some(inner) = text.strip_prefix("pack").map(str::trim).and_then(|t| t.strip_prefix('(')) else {
            return;
        };
        let inner = inner.split(')').next().unwrap_or("");
        let mut current = self.pack_stack.last().copied().unwrap_or(0);
        let mut limit = None;
        for word in inner.split(',').map(str::trim) {
            match word {
                "push" => self.pack_stack.push(current),
                "pop" => {
                    if self.pack_stack.len() > 1 {
                        self.pack_stack.pop();
                    }
                    current = self.pack_stack.last().copied().unwrap_or(0);
                }
                "" => limit = Some(0),
                _ => limit = word.parse().ok().or(limit),
            }
        }
        if let (Some(limit), Some(top)) = (limit, self.pack_stack.last_mut()) {
            *top = limit;
            current = limit;
        } else if let Some(top) = self.pack_stack.last() {
            current = *top;
        }
        self.packs.push((self.tokens.len(), current));
    }
}
