//! Tokens of the text form: words, strings, parentheses and commas; `;` starts a comment that ends with the line.
//!
//! A name that is not a plain word stands between bars: `|operator <|`. Bars, quotes and backslashes inside bars or
//! strings are escaped by a backslash, newlines as `\n`.

use std::fmt::Write;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    /// A plain word, or a name between bars.
    Word {
        text: String,
        barred: bool,
    },
    Str(String),
    Open,
    Close,
    Comma,
}

/// What is wrong with a text, and in which line (counted from 1).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    pub line: usize,
    pub message: String,
}

impl std::fmt::Display for ParseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ParseError {}

/// Whether `name` can stand without bars.
fn is_plain(name: &str) -> bool {
    let like_number = name.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    let like_literal = ["true", "false"].contains(&name) || name.starts_with("nan:") || name.starts_with("inf:");
    !name.is_empty()
        && !like_number
        && !like_literal
        && !name.starts_with('?')
        && name.chars().all(|c| c.is_alphanumeric() || "~!@$%^&*_-+=<>.?/:#[]".contains(c))
}

/// Appends a name, between bars where needed.
pub(crate) fn write_name(out: &mut String, name: &str) {
    if is_plain(name) {
        out.push_str(name);
    } else {
        write_quoted(out, name, '|');
    }
}

pub(crate) fn write_string(out: &mut String, text: &str) {
    write_quoted(out, text, '"');
}

fn write_quoted(out: &mut String, text: &str, quote: char) {
    out.push(quote);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\\' => out.push_str("\\\\"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out.push(quote);
}

/// A cursor over the tokens of a text.
pub(crate) struct Lexer {
    tokens: Vec<(Token, usize)>,
    next: usize,
}

impl Lexer {
    pub(crate) fn new(text: &str) -> Result<Lexer, ParseError> {
        let mut tokens = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let number = index + 1;
            let fail = |message: &str| ParseError { line: number, message: message.to_owned() };
            let mut chars = line.chars().peekable();
            while let Some(&c) = chars.peek() {
                let token = match c {
                    ';' => break,
                    c if c.is_whitespace() => {
                        chars.next();
                        continue;
                    }
                    '(' | ')' | ',' => {
                        chars.next();
                        match c {
                            '(' => Token::Open,
                            ')' => Token::Close,
                            _ => Token::Comma,
                        }
                    }
                    '"' | '|' => {
                        chars.next();
                        let mut text = String::new();
                        loop {
                            match chars.next().ok_or_else(|| fail("unterminated string or name"))? {
                                '\\' => match chars.next().ok_or_else(|| fail("unterminated escape"))? {
                                    'n' => text.push('\n'),
                                    'r' => text.push('\r'),
                                    other => text.push(other),
                                },
                                end if end == c => break,
                                other => text.push(other),
                            }
                        }
                        if c == '"' { Token::Str(text) } else { Token::Word { text, barred: true } }
                    }
                    _ => {
                        let mut text = String::new();
                        while let Some(&c) = chars.peek() {
                            if c.is_whitespace() || "();,\"|".contains(c) {
                                break;
                            }
                            text.push(c);
                            chars.next();
                        }
                        Token::Word { text, barred: false }
                    }
                };
                tokens.push((token, number));
            }
        }
        Ok(Lexer { tokens, next: 0 })
    }

    pub(crate) fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next).map(|(token, _)| token)
    }

    pub(crate) fn next(&mut self) -> Result<Token, ParseError> {
        let token = self.peek().cloned().ok_or_else(|| self.error("unexpected end of the text"))?;
        self.next += 1;
        Ok(token)
    }

    pub(crate) fn at_end(&self) -> bool {
        self.next >= self.tokens.len()
    }

    /// An error at the token last taken.
    pub(crate) fn error(&self, message: impl Into<String>) -> ParseError {
        let last = self.tokens.len().saturating_sub(1);
        let line = self.tokens.get(self.next.saturating_sub(1).min(last)).map_or(1, |(_, line)| *line);
        ParseError { line, message: message.into() }
    }

    /// Takes the next token if it is the unbarred word `word`.
    pub(crate) fn accept(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Word { text, barred: false }) if text == word);
        self.next += found as usize;
        found
    }

    pub(crate) fn accept_token(&mut self, token: &Token) -> bool {
        let found = self.peek() == Some(token);
        self.next += found as usize;
        found
    }

    pub(crate) fn expect(&mut self, word: &str) -> Result<(), ParseError> {
        if self.accept(word) {
            return Ok(());
        }
        let found = self.next()?;
        Err(self.error(format!("expected '{word}', found {}", describe(&found))))
    }

    pub(crate) fn expect_token(&mut self, token: Token) -> Result<(), ParseError> {
        let found = self.next()?;
        if found == token {
            return Ok(());
        }
        Err(self.error(format!("expected {}, found {}", describe(&token), describe(&found))))
    }

    /// The next token as a word, barred or not.
    pub(crate) fn word(&mut self) -> Result<String, ParseError> {
        match self.next()? {
            Token::Word { text, .. } => Ok(text),
            other => Err(self.error(format!("expected a word, found {}", describe(&other)))),
        }
    }

    pub(crate) fn string(&mut self) -> Result<String, ParseError> {
        match self.next()? {
            Token::Str(text) => Ok(text),
            other => Err(self.error(format!("expected a string, found {}", describe(&other)))),
        }
    }

    /// The next word as a number.
    pub(crate) fn number(&mut self) -> Result<u32, ParseError> {
        let word = self.word()?;
        word.parse().map_err(|_| self.error(format!("expected a number, found '{word}'")))
    }

    /// The next word as an id with that prefix: `L12`.
    pub(crate) fn id<I: base::Id>(&mut self, prefix: &str) -> Result<I, ParseError> {
        let word = self.word()?;
        self.id_in::<I>(prefix, &word)
    }

    pub(crate) fn id_in<I: base::Id>(&self, prefix: &str, word: &str) -> Result<I, ParseError> {
        let index = word.strip_prefix(prefix).and_then(|digits| digits.parse::<u32>().ok());
        match index {
            Some(index) if index < u32::MAX => Ok(I::new(index as usize)),
            _ => Err(self.error(format!("expected {prefix}<number>, found '{word}'"))),
        }
    }
}

pub(crate) fn describe(token: &Token) -> String {
    let mut out = String::new();
    match token {
        Token::Word { text, .. } => write!(out, "'{text}'").expect("writing to a string"),
        Token::Str(text) => write_string(&mut out, text),
        Token::Open => out.push_str("'('"),
        Token::Close => out.push_str("')'"),
        Token::Comma => out.push_str("','"),
    }
    out
}
