//! Translation phases 2 and 3 (C11 5.1.1.2): bytes to preprocessing tokens.
//!
//! Spliced lines are joined when a file is loaded ([`join_lines`]), so that no token ever contains a backslash-newline; the
//! scanner counts the joints as it passes them and so knows the line and column of every token. It never refuses a byte: what
//! is no token is `Other`, an error only where it reaches the program (a skipped group may hold any prose).

use std::rc::Rc;

use base::{FileId, Id, Span};

use crate::token::{Name, Names, P, Tok};

/// Where the user wrote a token, line markers followed; the file is a number of [`super::places::Places`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct At {
    pub(super) file: u32,
    pub(super) line: u32,
    pub(super) col: u32,
    pub(super) width: u32,
}

impl At {
    /// The span, its file still a number of [`super::places::Places`].
    pub(super) fn span(self) -> Span {
        let end_col = self.col.saturating_add(self.width);
        Span { file: FileId::new(self.file as usize), line: self.line, col: self.col, end_line: self.line, end_col }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// What the parser knows; names by spelling, [`Tok::Eof`] also for the end of a directive or of an argument.
    Tok(Tok),
    /// `#` and `##`.
    Hash,
    Paste,
    /// `<stdio.h>` where a header's name is expected.
    Header,
    /// The number of a parameter, in the body of a macro.
    Param(u32),
    /// The text of a `_Pragma`, on its way to the output.
    Pragma,
    /// No token: whether there was space before the token that it stands for, if it stands for one (see `expand`).
    Padding(Option<bool>),
    /// A stray character, or an unterminated literal.
    Other,
}

/// Facts about a token, as bits.
pub(super) mod flag {
    /// White space precedes it.
    pub(in super::super) const SPACE: u8 = 1;
    /// It is the first of its line.
    pub(in super::super) const FIRST: u8 = 2;
    /// A name that was met inside its own expansion: never expanded again.
    pub(in super::super) const PAINTED: u8 = 4;
    /// `##` follows it.
    pub(in super::super) const PASTE_LEFT: u8 = 8;
    /// `#` precedes it.
    pub(in super::super) const STRINGIFY: u8 = 16;
}

/// A preprocessing token; its text is `len` bytes from `start` of the one text that all files are loaded into.
#[derive(Clone, Copy, Debug)]
pub(super) struct PpToken {
    pub(super) kind: Kind,
    pub(super) flags: u8,
    pub(super) start: u32,
    pub(super) len: u32,
    pub(super) at: At,
    /// Its `__LINE__`: where the outermost macro is used that it came out of.
    pub(super) line: u32,
}

impl PpToken {
    /// The token of a macro's body where the macro is used.
    pub(super) fn used_at(&self, of: &PpToken) -> PpToken {
        PpToken { at: of.at, line: of.line, ..*self }
    }

    pub(super) fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    pub(super) fn is(&self, p: P) -> bool {
        self.kind == Kind::Tok(Tok::Punct(p))
    }

    pub(super) fn is_end(&self) -> bool {
        self.kind == Kind::Tok(Tok::Eof)
    }

    pub(super) fn is_padding(&self) -> bool {
        matches!(self.kind, Kind::Padding(_))
    }

    pub(super) fn name(&self) -> Option<Name> {
        match self.kind {
            Kind::Tok(Tok::Name(name)) => Some(name),
            _ => None,
        }
    }

    pub(super) fn range(&self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }

    /// Nothing, in place of this token.
    pub(super) fn padding(&self) -> PpToken {
        PpToken { kind: Kind::Padding(Some(self.has(flag::SPACE))), flags: 0, ..*self }
    }
}

/// The text without its spliced lines, and where in it they were joined. gcc joins also where blanks follow the backslash.
pub(super) fn join_lines(text: &[u8]) -> Option<(Vec<u8>, Vec<u32>)> {
    let blank = |b: &u8| matches!(b, b' ' | b'\t' | b'\r' | 0x0b | 0x0c);
    let joint = |at: usize| {
        let blanks = text[at + 1..].iter().take_while(|b| blank(b)).count();
        (text.get(at + 1 + blanks) == Some(&b'\n')).then_some(at + 2 + blanks)
    };
    let mut joined = Vec::new();
    let mut joints = Vec::new();
    let (mut kept, mut at) = (0, 0);
    while let Some(found) = text[at..].iter().position(|&b| b == b'\\') {
        at += found;
        match joint(at) {
            Some(after) => {
                joined.extend_from_slice(&text[kept..at]);
                joints.push(joined.len() as u32);
                (kept, at) = (after, after);
            }
            None => at += 1,
        }
    }
    joined.extend_from_slice(&text[kept..]);
    (!joints.is_empty()).then_some((joined, joints))
}

/// What a scanner is to mind besides the bytes.
#[derive(Clone, Copy, Default)]
pub(super) struct Mode {
    /// The end of the line is the end.
    pub(super) in_directive: bool,
    /// `<` begins the name of a header.
    pub(super) angled: bool,
}

/// Reads one loaded file.
#[derive(Clone)]
pub(super) struct Scanner {
    /// Where the file starts in the text.
    base: usize,
    pos: usize,
    end: usize,
    joints: Rc<[u32]>,
    next_joint: usize,
    /// The line in the real file, and what to add to it for the line that markers claim.
    line: u32,
    shift: i64,
    file: u32,
    /// The column of byte `col_pos`; they lag behind `pos`, each byte is counted once.
    col: u32,
    col_pos: usize,
    /// Some characters have several bytes (UTF-8).
    wide: bool,
    first: bool,
    /// C90 without extensions: `//*` is an operator and a comment. (Elsewhere gcc refuses `//` there.)
    pub(super) divides: bool,
    /// The comments that began with `@` and were passed since somebody last took them: each a scanner of what is inside.
    pub(super) annotations: Vec<Scanner>,
}

/// A comment that does not end.
pub(super) struct Unterminated(pub(super) At);

impl Scanner {
    /// Reads `text[from..to]`, whose joints are relative to `from`, as the file number `file`.
    pub(super) fn new(from: usize, to: usize, joints: Rc<[u32]>, wide: bool, file: u32) -> Scanner {
        Scanner {
            base: from,
            pos: from,
            end: to,
            joints,
            next_joint: 0,
            line: 1,
            shift: 0,
            file,
            col: 1,
            col_pos: from,
            wide,
            first: true,
            divides: false,
            annotations: Vec::new(),
        }
    }

    pub(super) fn file(&self) -> u32 {
        self.file
    }

    /// The real line we are on.
    pub(super) fn real_line(&self) -> u32 {
        self.line
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.pos >= self.end
    }

    /// What is not read yet.
    pub(super) fn rest<'t>(&self, all: &'t [u8]) -> &'t [u8] {
        &all[self.pos.min(self.end)..self.end]
    }

    /// The next token starts at byte `pos` of the text, which is not before the last one.
    pub(super) fn go_on_at(&mut self, pos: u32) {
        self.pos = pos as usize;
    }

    /// From the next line on, we are in line `line` of `file`.
    pub(super) fn relocate(&mut self, file: u32, line: u32) {
        self.file = file;
        self.shift = i64::from(line) - i64::from(self.line) - 1;
    }

    /// Counts the joints up to here.
    fn catch_up(&mut self) {
        while let Some(&joint) = self.joints.get(self.next_joint)
            && self.base + joint as usize <= self.pos
        {
            self.line = self.line.saturating_add(1);
            self.col = 1;
            self.col_pos = self.base + joint as usize;
            self.next_joint += 1;
        }
    }

    /// The place of the token that starts here.
    pub(super) fn here(&mut self, text: &[u8], width: usize) -> At {
        self.catch_up();
        let passed = &text[self.col_pos..self.pos];
        let count = if self.wide { passed.iter().filter(|&&b| b & 0xc0 != 0x80).count() } else { passed.len() };
        self.col = self.col.saturating_add(count as u32);
        self.col_pos = self.pos;
        let line = (i64::from(self.line) + self.shift).clamp(0, i64::from(u32::MAX)) as u32;
        At { file: self.file, line, col: self.col, width: width as u32 }
    }

    fn newline(&mut self) {
        self.catch_up();
        self.pos += 1;
        self.line = self.line.saturating_add(1);
        self.col = 1;
        self.col_pos = self.pos;
    }

    /// The next token.
    pub(super) fn token(&mut self, all: &[u8], names: &mut Names, mode: Mode) -> Result<PpToken, Unterminated> {
        let text = &all[..self.end];
        let mut flags = self.space(text, mode.in_directive)?;
        if self.first {
            flags |= flag::FIRST;
        }
        let at_end = self.pos >= self.end || text[self.pos] == b'\n';
        let (kind, len) = if at_end {
            (Kind::Tok(Tok::Eof), 0)
        } else {
            self.first = false;
            token_at(&text[self.pos..], names, mode.angled)
        };
        let mut at = self.here(text, len);
        if self.wide && len > 0 {
            at.width = text[self.pos..self.pos + len].iter().filter(|&&b| b & 0xc0 != 0x80).count() as u32;
        }
        let start = self.pos as u32;
        self.pos += len;
        Ok(PpToken { kind, flags, start, len: len as u32, at, line: at.line })
    }

    /// Skips white space and comments; in a directive up to the end of the line. Gives [`flag::SPACE`] or nothing.
    fn space(&mut self, text: &[u8], in_directive: bool) -> Result<u8, Unterminated> {
        let mut space = 0;
        while let Some(&b) = text.get(self.pos) {
            match b {
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.pos += 1,
                b'\n' if in_directive => break,
                b'\n' => {
                    self.newline();
                    self.first = true;
                    space = 0;
                    continue;
                }
                b'/' if self.divides && text[self.pos..].starts_with(b"//*") => break,
                b'/' if text.get(self.pos + 1) == Some(&b'/') => {
                    let inside = self.annotation(text);
                    self.pos += line_len(&text[self.pos..]);
                    self.keep(inside, self.pos);
                }
                b'/' if text.get(self.pos + 1) == Some(&b'*') => {
                    let inside = self.annotation(text);
                    self.block_comment(text)?;
                    self.keep(inside, self.pos - 2);
                }
                _ => break,
            }
            space = flag::SPACE;
        }
        Ok(space)
    }

    /// What is in the comment that starts here, if it begins with `@`; where it ends is not known yet.
    fn annotation(&mut self, text: &[u8]) -> Option<Scanner> {
        (text.get(self.pos + 2) == Some(&b'@')).then(|| {
            self.here(text, 0);
            Scanner { pos: self.pos + 3, annotations: Vec::new(), ..self.clone() }
        })
    }

    fn keep(&mut self, inside: Option<Scanner>, end: usize) {
        self.annotations.extend(inside.map(|inside| Scanner { end, ..inside }));
    }

    fn block_comment(&mut self, text: &[u8]) -> Result<(), Unterminated> {
        let start = self.here(text, 2);
        self.pos += 2;
        loop {
            match text.get(self.pos) {
                None => return Err(Unterminated(start)),
                Some(b'*') if text.get(self.pos + 1) == Some(&b'/') => {
                    self.pos += 2;
                    return Ok(());
                }
                Some(b'\n') => self.newline(),
                Some(_) => self.pos += 1,
            }
        }
    }

    /// Goes on to the next line, past comments that reach into further ones, and past quotes that hide them.
    pub(super) fn skip_line(&mut self, all: &[u8]) -> Result<(), Unterminated> {
        let text = &all[..self.end];
        while let Some(&b) = text.get(self.pos) {
            match b {
                b'\n' => {
                    self.newline();
                    break;
                }
                b'/' if text.get(self.pos + 1) == Some(&b'/') => self.pos += line_len(&text[self.pos..]),
                b'/' if text.get(self.pos + 1) == Some(&b'*') => self.block_comment(text)?,
                b'"' | b'\'' => self.pos += quoted(&text[self.pos..], 0).1,
                _ => self.pos += 1,
            }
        }
        self.first = true;
        Ok(())
    }

    /// What is left of the line, as it stands.
    pub(super) fn rest_of_line<'t>(&mut self, all: &'t [u8]) -> &'t [u8] {
        let rest = &all[self.pos..self.end];
        let len = line_len(rest);
        self.pos += len;
        &rest[..len]
    }
}

/// `??(` is `[`, before anything else is looked at. Columns are those of the text behind that.
pub(super) fn replace_trigraphs(text: &mut Vec<u8>) {
    let (mut from, mut to) = (0, 0);
    while from < text.len() {
        let meant = match text[from..] {
            [b'?', b'?', third, ..] => b"=/'()!<>-".iter().position(|&b| b == third).map(|i| b"#\\^[]|{}~"[i]),
            _ => None,
        };
        text[to] = meant.unwrap_or(text[from]);
        from += if meant.is_some() { 3 } else { 1 };
        to += 1;
    }
    text.truncate(to);
}

fn line_len(rest: &[u8]) -> usize {
    rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len())
}

pub(super) fn is_name_start(b: u8) -> bool {
    b.is_ascii_alphabetic() || b == b'_' || b == b'$' || b >= 0x80
}

fn is_name_char(b: u8) -> bool {
    is_name_start(b) || b.is_ascii_digit()
}

/// The token at the start of `rest`, which is not empty and starts with no white space.
pub(super) fn token_at(rest: &[u8], names: &mut Names, angled: bool) -> (Kind, usize) {
    let byte = |at: usize| rest.get(at).copied().unwrap_or(0);
    let first = rest[0];
    if is_name_start(first) {
        let prefix = match (first, byte(1), byte(2)) {
            (b'L' | b'u' | b'U', b'"' | b'\'', _) => 1,
            (b'u', b'8', b'"' | b'\'') => 2,
            _ => 0,
        };
        if prefix > 0 {
            return quoted(rest, prefix);
        }
        return name(rest, names);
    }
    if universal(rest).is_some() {
        return name(rest, names);
    }
    if first.is_ascii_digit() || (first == b'.' && byte(1).is_ascii_digit()) {
        let mut len = 1;
        loop {
            let c = byte(len);
            let exponent_sign = matches!(c, b'+' | b'-') && matches!(byte(len - 1), b'e' | b'E' | b'p' | b'P');
            // C23: `1'000`.
            let separator = c == b'\'' && byte(len + 1).is_ascii_alphanumeric();
            if !(is_name_char(c) || c == b'.' || exponent_sign || separator) {
                return (Kind::Tok(Tok::Number), len);
            }
            len += 1;
        }
    }
    match first {
        b'"' | b'\'' => return quoted(rest, 0),
        b'#' if byte(1) == b'#' => return (Kind::Paste, 2),
        b'#' => return (Kind::Hash, 1),
        b'%' if rest.starts_with(b"%:%:") => return (Kind::Paste, 4),
        b'%' if byte(1) == b':' => return (Kind::Hash, 2),
        b'<' if angled => {
            let end = rest[..line_len(rest)].iter().position(|&b| b == b'>');
            if let Some(end) = end {
                return (Kind::Header, end + 1);
            }
        }
        _ => {}
    }
    match punctuator(first, byte(1), byte(2)) {
        Some((p, len)) => (Kind::Tok(Tok::Punct(p)), len),
        None => (Kind::Other, 1),
    }
}

/// A name, with its universal character names as the characters that they name: `\u00e4` is `ä`.
fn name(rest: &[u8], names: &mut Names) -> (Kind, usize) {
    let plain = |from: usize| rest[from..].iter().take_while(|&&b| is_name_char(b)).count();
    let mut len = plain(0);
    if universal(&rest[len..]).is_none() {
        return (Kind::Tok(Tok::Name(names.spelling(&rest[..len]))), len);
    }
    let mut spelling = rest[..len].to_vec();
    while let Some((c, digits)) = universal(&rest[len..]) {
        spelling.extend(c.encode_utf8(&mut [0; 4]).bytes());
        len += digits;
        let more = plain(len);
        spelling.extend(&rest[len..len + more]);
        len += more;
    }
    (Kind::Tok(Tok::Name(names.spelling(&spelling))), len)
}

/// The character that `\uXXXX` or `\UXXXXXXXX` at the start of `rest` names, and how long that is. None of ASCII has such a name.
fn universal(rest: &[u8]) -> Option<(char, usize)> {
    let digits = match rest {
        [b'\\', b'u', ..] => 4,
        [b'\\', b'U', ..] => 8,
        _ => return None,
    };
    let text = rest.get(2..2 + digits).filter(|text| text.iter().all(u8::is_ascii_hexdigit))?;
    let code = u32::from_str_radix(std::str::from_utf8(text).ok()?, 16).ok()?;
    char::from_u32(code).filter(|c| !c.is_ascii()).map(|c| (c, 2 + digits))
}

/// A literal whose quote is at `prefix`; to the end of the line if it does not end before.
fn quoted(rest: &[u8], prefix: usize) -> (Kind, usize) {
    let quote = rest[prefix];
    let mut len = prefix + 1;
    loop {
        match rest.get(len) {
            None | Some(b'\n') => return (Kind::Other, len),
            Some(b'\\') if rest.get(len + 1).is_some_and(|&b| b != b'\n') => len += 2,
            Some(&b) if b == quote => break,
            Some(_) => len += 1,
        }
    }
    (Kind::Tok(if quote == b'"' { Tok::Str } else { Tok::Char }), len + 1)
}

/// The longest punctuator that starts with these bytes, and its length. Digraphs are second spellings.
fn punctuator(a: u8, b: u8, c: u8) -> Option<(P, usize)> {
    Some(match (a, b, c) {
        (b'<', b'<', b'=') => (P::ShlAssign, 3),
        (b'>', b'>', b'=') => (P::ShrAssign, 3),
        (b'.', b'.', b'.') => (P::Ellipsis, 3),
        (b'-', b'>', _) => (P::Arrow, 2),
        (b'+', b'+', _) => (P::Inc, 2),
        (b'-', b'-', _) => (P::Dec, 2),
        (b'<', b'<', _) => (P::Shl, 2),
        (b'>', b'>', _) => (P::Shr, 2),
        (b'<', b'=', _) => (P::Le, 2),
        (b'>', b'=', _) => (P::Ge, 2),
        (b'=', b'=', _) => (P::EqEq, 2),
        (b'!', b'=', _) => (P::Ne, 2),
        (b'&', b'&', _) => (P::AndAnd, 2),
        (b'|', b'|', _) => (P::OrOr, 2),
        (b'*', b'=', _) => (P::MulAssign, 2),
        (b'/', b'=', _) => (P::DivAssign, 2),
        (b'%', b'=', _) => (P::RemAssign, 2),
        (b'+', b'=', _) => (P::AddAssign, 2),
        (b'-', b'=', _) => (P::SubAssign, 2),
        (b'&', b'=', _) => (P::AndAssign, 2),
        (b'^', b'=', _) => (P::XorAssign, 2),
        (b'|', b'=', _) => (P::OrAssign, 2),
        (b'<', b':', _) => (P::LBracket, 2),
        (b':', b'>', _) => (P::RBracket, 2),
        (b'<', b'%', _) => (P::LBrace, 2),
        (b'%', b'>', _) => (P::RBrace, 2),
        (b'(', ..) => (P::LParen, 1),
        (b')', ..) => (P::RParen, 1),
        (b'[', ..) => (P::LBracket, 1),
        (b']', ..) => (P::RBracket, 1),
        (b'{', ..) => (P::LBrace, 1),
        (b'}', ..) => (P::RBrace, 1),
        (b'.', ..) => (P::Dot, 1),
        (b'&', ..) => (P::And, 1),
        (b'*', ..) => (P::Star, 1),
        (b'+', ..) => (P::Plus, 1),
        (b'-', ..) => (P::Minus, 1),
        (b'~', ..) => (P::Tilde, 1),
        (b'!', ..) => (P::Not, 1),
        (b'/', ..) => (P::Slash, 1),
        (b'%', ..) => (P::Percent, 1),
        (b'<', ..) => (P::Lt, 1),
        (b'>', ..) => (P::Gt, 1),
        (b'^', ..) => (P::Caret, 1),
        (b'|', ..) => (P::Or, 1),
        (b'?', ..) => (P::Question, 1),
        (b':', ..) => (P::Colon, 1),
        (b';', ..) => (P::Semi, 1),
        (b'=', ..) => (P::Assign, 1),
        (b',', ..) => (P::Comma, 1),
        _ => return None,
    })
}
