//! Macros that no `#define` can express: `__LINE__`, `__COUNTER__`, `__has_include`, `_Pragma` and the like.

use std::cell::Cell;
use std::rc::Rc;

use crate::hir::{DATE, TIME, TIMESTAMP};
use crate::token::P;

use super::define::Meaning;
use super::scan::flag;
use super::*;

/// What C17, gcc's default, asks for and gcc defines even with `-undef`.
pub(super) const STANDARD: &str = "\
#define __STDC__ 1
#define __STDC_VERSION__ 201710L
#define __STDC_HOSTED__ 1
#define __STDC_UTF_16__ 1
#define __STDC_UTF_32__ 1
";

/// What gcc 12 has, in order; for `__has_attribute` and `__has_builtin`. Not those of particular processors.
const ATTRIBUTES: &str = include_str!("attributes.txt");
const BUILTINS: &str = include_str!("builtins.txt");

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Builtin {
    Line,
    File,
    BaseFile,
    IncludeLevel,
    Counter,
    /// When the file is compiled or was changed, which nobody knows: this stands for it (`Unit::has_moments`).
    Moment(&'static str),
    HasInclude {
        next: bool,
    },
    HasAttribute {
        standard: bool,
    },
    HasFunction,
    Pragma,
}

const BUILTIN_MACROS: &[(&str, Builtin)] = &[
    ("__LINE__", Builtin::Line),
    ("__FILE__", Builtin::File),
    ("__BASE_FILE__", Builtin::BaseFile),
    ("__INCLUDE_LEVEL__", Builtin::IncludeLevel),
    ("__COUNTER__", Builtin::Counter),
    ("__DATE__", Builtin::Moment(DATE)),
    ("__TIME__", Builtin::Moment(TIME)),
    ("__TIMESTAMP__", Builtin::Moment(TIMESTAMP)),
    ("__has_include", Builtin::HasInclude { next: false }),
    ("__has_include_next", Builtin::HasInclude { next: true }),
    ("__has_attribute", Builtin::HasAttribute { standard: false }),
    ("__has_c_attribute", Builtin::HasAttribute { standard: true }),
    ("__has_cpp_attribute", Builtin::HasAttribute { standard: true }),
    ("__has_builtin", Builtin::HasFunction),
    ("_Pragma", Builtin::Pragma),
];

/// Names that mean something to the preprocessor itself.
pub(super) struct Known {
    pub(super) defined: Name,
    pub(super) va_args: Name,
    pub(super) va_opt: Name,
    has_include: Name,
    has_include_next: Name,
}

impl Known {
    pub(super) fn new(names: &mut Names) -> Known {
        let mut name = |text: &str| names.spelling(text.as_bytes());
        Known {
            defined: name("defined"),
            va_args: name("__VA_ARGS__"),
            va_opt: name("__VA_OPT__"),
            has_include: name("__has_include"),
            has_include_next: name("__has_include_next"),
        }
    }

    /// Names that cannot be defined.
    pub(super) fn is_reserved(&self, name: Name) -> bool {
        [self.defined, self.has_include, self.has_include_next].contains(&name)
    }
}

impl Preprocessor<'_> {
    pub(super) fn define_builtins(&mut self) {
        for &(text, builtin) in BUILTIN_MACROS {
            let name = self.names.spelling(text.as_bytes());
            let meaning = Meaning::Builtin(builtin);
            let at = end_of_everything().at;
            self.set_macro(name, Some(Rc::new(Macro { name, at, meaning, disabled: Cell::new(false) })));
        }
    }

    /// Puts the value of a builtin in the way; false where it means nothing.
    pub(super) fn builtin(&mut self, builtin: Builtin, token: PpToken) -> Res<bool> {
        let number = |value: u64| (Tok::Number, value.to_string());
        let (tok, text) = match builtin {
            Builtin::Line => number(token.line.into()),
            Builtin::Counter => {
                self.counter += 1;
                number(u64::from(self.counter) - 1)
            }
            Builtin::IncludeLevel => number(self.files.len() as u64 - 1),
            Builtin::File => (Tok::Str, quote(self.places.name(token.at.file))),
            Builtin::BaseFile => (Tok::Str, quote(self.files.first().map_or("", |file| &file.role.name))),
            Builtin::Moment(text) => {
                self.has_moments = true;
                (Tok::Str, quote(text))
            }
            Builtin::HasInclude { next } => {
                if !self.in_directive {
                    let message = format!("{} outside of a preprocessing directive", self.shown(&token));
                    return self.fail(token.at, message, "it can be asked in #if and #elif only");
                }
                number(self.ask_include(token, next)?.into())
            }
            Builtin::HasAttribute { standard } => number(self.ask_attribute(token, standard)?),
            Builtin::HasFunction => {
                let name = self.bracketed_name(token)?;
                number(is_listed(BUILTINS, &name).into())
            }
            // A directive is no place for another.
            Builtin::Pragma if self.in_directive => return Ok(false),
            Builtin::Pragma => {
                let text = self.pragma_operand(token)?;
                let pragma = self.made(Kind::Pragma, &text, PpToken { flags: 0, ..token })?;
                self.push_token(pragma);
                return Ok(true);
            }
        };
        let value = self.made(Kind::Tok(tok), text.as_bytes(), PpToken { flags: 0, ..token })?;
        self.push_token(value);
        Ok(true)
    }

    fn expect(&mut self, p: P, of: PpToken) -> Res<()> {
        let token = self.next_real()?;
        if token.is(p) {
            return Ok(());
        }
        let message = format!("expected '{}' after {}, found {}", p.text(), self.shown(&of), self.shown(&token));
        self.fail(token.at, message, format!("write {}(…)", decode(self.spelled(&of))))
    }

    fn ask_include(&mut self, of: PpToken, next: bool) -> Res<bool> {
        self.angled = true;
        let bracket = self.expect(P::LParen, of);
        let name = bracket.and_then(|()| self.header_name(of));
        self.angled = false;
        let name = name?;
        self.expect(P::RParen, of)?;
        Ok(self.has_include(&name, next))
    }

    /// `"x.h"` or `<x.h>`, which macros may have made.
    pub(super) fn header_name(&mut self, of: PpToken) -> Res<Vec<u8>> {
        let first = self.next_real()?;
        self.angled = false;
        match first.kind {
            Kind::Header | Kind::Tok(Tok::Str) => return Ok(self.spelled(&first).to_vec()),
            _ if first.is(P::Lt) => {}
            _ => {
                let message =
                    format!("expected \"FILE\" or <FILE> after {}, found {}", self.shown(&of), self.shown(&first));
                return self.fail(first.at, message, "give the name of a header");
            }
        }
        let mut name = vec![b'<'];
        loop {
            let token = self.next_real()?;
            if token.is_end() {
                return self.fail(first.at, "the name of a header has no '>'", "write <FILE>");
            }
            if token.is(P::Gt) {
                name.push(b'>');
                return Ok(name);
            }
            if token.has(flag::SPACE) {
                name.push(b' ');
            }
            name.extend_from_slice(self.spelled(&token));
        }
    }

    /// `(NAME)`.
    fn bracketed_name(&mut self, of: PpToken) -> Res<String> {
        self.expect(P::LParen, of)?;
        let token = self.next_real()?;
        if token.name().is_none() {
            let message = format!("expected a name after {}, found {}", self.shown(&of), self.shown(&token));
            return self.fail(token.at, message, "ask for one name");
        }
        self.expect(P::RParen, of)?;
        Ok(decode(self.spelled(&token)))
    }

    /// `(NAME)` or `(SCOPE::NAME)`: 0, 1, or for attributes of the standard when they came.
    fn ask_attribute(&mut self, of: PpToken, standard: bool) -> Res<u64> {
        self.expect(P::LParen, of)?;
        let mut parts = Vec::new();
        loop {
            let token = self.next_real()?;
            match token.kind {
                Kind::Tok(Tok::Name(_)) => parts.push(decode(self.spelled(&token))),
                Kind::Tok(Tok::Punct(P::Colon)) if !parts.is_empty() => {}
                Kind::Tok(Tok::Punct(P::RParen)) if !parts.is_empty() => break,
                _ => {
                    let message =
                        format!("expected an attribute after {}, found {}", self.shown(&of), self.shown(&token));
                    return self.fail(token.at, message, "ask for one name");
                }
            }
        }
        let bare = |name: &str| {
            let inner = name.strip_prefix("__").and_then(|name| name.strip_suffix("__"));
            inner.filter(|inner| !inner.is_empty()).unwrap_or(name).to_owned()
        };
        let names: Vec<String> = parts.iter().map(|name| bare(name)).collect();
        Ok(match names.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            [name] if standard => match name {
                "deprecated" | "fallthrough" | "maybe_unused" => 201_904,
                "nodiscard" => 202_003,
                _ => 0,
            },
            [name] | ["gnu", name] => is_listed(ATTRIBUTES, name).into(),
            _ => 0,
        })
    }

    /// The text between the quotes of `_Pragma("…")`.
    fn pragma_operand(&mut self, of: PpToken) -> Res<Vec<u8>> {
        self.expect(P::LParen, of)?;
        let string = self.next_real()?;
        if string.kind != Kind::Tok(Tok::Str) {
            let message = format!("_Pragma takes a string in brackets, found {}", self.shown(&string));
            return self.fail(string.at, message, "write _Pragma(\"…\")");
        }
        let text = unquote(self.spelled(&string));
        self.expect(P::RParen, of)?;
        Ok(text)
    }
}

/// What stands in a string literal, `\\` and `\"` resolved.
pub(super) fn unquote(literal: &[u8]) -> Vec<u8> {
    let (_, body) = crate::literal::split(literal);
    let mut text = Vec::with_capacity(body.len());
    let mut bytes = body.iter().copied().peekable();
    while let Some(b) = bytes.next() {
        let escaped = b == b'\\' && bytes.peek().is_some_and(|next| matches!(next, b'\\' | b'"'));
        text.push(if escaped { bytes.next().unwrap_or(b) } else { b });
    }
    text
}

fn quote(text: &str) -> String {
    // A file may be called so: what stands behind the end of the line is no text of the program's.
    let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\r', "\\r");
    format!("\"{text}\"")
}

fn is_listed(list: &str, name: &str) -> bool {
    list.lines().any(|line| line == name)
}
