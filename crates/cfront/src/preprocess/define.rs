//! Macros as they are defined (C11 6.10.3): `#define` and `#undef`.
//!
//! The body is kept as it will be needed: parameters by number, `#` and `##` as flags of the tokens they concern. A second,
//! different definition takes the place of the first (gcc warns, and does the same).

use std::cell::Cell;
use std::rc::Rc;

use crate::token::{P, Tok};

use super::builtin::Builtin;
use super::scan::flag;
use super::*;

pub(super) struct Macro {
    pub(super) name: Name,
    /// Where it was defined.
    pub(super) at: At,
    pub(super) meaning: Meaning,
    /// It is being expanded: its name stays as it is.
    pub(super) disabled: Cell<bool>,
}

pub(super) enum Meaning {
    Object(Vec<PpToken>),
    Function(Function),
    Builtin(Builtin),
}

pub(super) struct Function {
    pub(super) params: usize,
    /// The last parameter takes all that is left.
    pub(super) variadic: bool,
    pub(super) body: Vec<PpToken>,
}

impl Preprocessor<'_> {
    pub(super) fn define(&mut self) -> Res<()> {
        self.forget_annotations();
        let token = self.macro_name("define")?;
        let name = token.name().unwrap_or(self.known.defined);
        let next = self.scan()?;
        let meaning = if next.is(P::LParen) && !next.has(flag::SPACE) {
            let (params, variadic) = self.parameters()?;
            let first = self.scan()?;
            let body = self.body(first, Some((&params, variadic)))?;
            Meaning::Function(Function { params: params.len(), variadic, body })
        } else {
            Meaning::Object(self.body(next, None)?)
        };
        self.refuse_annotations()?;
        self.set_macro(name, Some(Rc::new(Macro { name, at: token.at, meaning, disabled: Cell::new(false) })));
        Ok(())
    }

    pub(super) fn undefine(&mut self) -> Res<()> {
        let token = self.macro_name("undef")?;
        if let Some(name) = token.name() {
            self.set_macro(name, None);
        }
        Ok(())
    }

    /// The name that `#define`, `#ifdef` and the like must be followed by.
    pub(super) fn macro_name(&mut self, directive: &str) -> Res<PpToken> {
        let token = self.scan()?;
        let defining = matches!(directive, "define" | "undef");
        match token.name() {
            Some(name) if defining && self.known.is_reserved(name) => {
                self.fail(token.at, format!("{} cannot be a macro", self.shown(&token)), "take another name")
            }
            Some(_) => Ok(token),
            None => {
                let message = format!("#{directive} needs the name of a macro, found {}", self.shown(&token));
                self.fail(token.at, message, format!("write #{directive} NAME"))
            }
        }
    }

    /// The parameters, after `(`; whether the last one is variadic.
    fn parameters(&mut self) -> Res<(Vec<Name>, bool)> {
        let mut params: Vec<Name> = Vec::new();
        let mut token = self.scan()?;
        if token.is(P::RParen) {
            return Ok((params, false));
        }
        loop {
            let mut variadic = token.is(P::Ellipsis);
            match token.name() {
                _ if variadic => params.push(self.known.va_args),
                Some(name) if !params.contains(&name) => params.push(name),
                Some(_) => {
                    let message = format!("two parameters of a macro are called {}", self.shown(&token));
                    return self.fail(token.at, message, "rename one of them");
                }
                None => {
                    let message = format!("expected a parameter of the macro, found {}", self.shown(&token));
                    return self.fail(token.at, message, "write #define NAME(A, B) TEXT");
                }
            }
            token = self.scan()?;
            if !variadic && token.is(P::Ellipsis) {
                variadic = true;
                token = self.scan()?;
            }
            match token.kind {
                Kind::Tok(Tok::Punct(P::RParen)) => return Ok((params, variadic)),
                Kind::Tok(Tok::Punct(P::Comma)) if !variadic => token = self.scan()?,
                _ => {
                    let message =
                        format!("expected ')' after the parameters of the macro, found {}", self.shown(&token));
                    return self.fail(token.at, message, "write #define NAME(A, B) TEXT");
                }
            }
        }
    }

    /// The replacement list from `first` to the end of the line.
    fn body(&mut self, first: PpToken, function: Option<(&[Name], bool)>) -> Res<Vec<PpToken>> {
        let mut body: Vec<PpToken> = Vec::new();
        let mut token = first;
        let mut after_paste = false;
        loop {
            let numbered = token.name().zip(function).and_then(|(name, (params, _))| {
                params.iter().position(|&param| param == name).map(|index| Kind::Param(index as u32))
            });
            token.kind = numbered.unwrap_or(token.kind);
            token.flags &= flag::SPACE;
            if let Some((_, variadic)) = function
                && let Some(hash) = body.last().filter(|last| last.kind == Kind::Hash).copied()
            {
                let optional = variadic && token.name() == Some(self.known.va_opt);
                if !(matches!(token.kind, Kind::Param(_)) || optional) {
                    return self.fail(
                        hash.at,
                        "'#' is not followed by a macro parameter",
                        "it makes strings of arguments",
                    );
                }
                token.flags = flag::STRINGIFY | (hash.flags & flag::SPACE);
                body.pop();
            }
            match token.kind {
                Kind::Tok(Tok::Eof) if after_paste => {
                    return self.fail(token.at, "'##' at the end of a macro", "it joins two tokens");
                }
                Kind::Tok(Tok::Eof) => break,
                Kind::Paste => {
                    let Some(left) = body.last_mut() else {
                        return self.fail(token.at, "'##' at the start of a macro", "it joins two tokens");
                    };
                    left.flags |= flag::PASTE_LEFT;
                    after_paste = true;
                }
                _ => {
                    body.push(token);
                    after_paste = false;
                }
            }
            token = self.scan()?;
        }
        if let Some((_, true)) = function {
            self.check_optional(&body)?;
        }
        if let Some(first) = body.first_mut() {
            first.flags &= !flag::SPACE;
        }
        Ok(body)
    }

    /// `__VA_OPT__( … )` is well formed wherever it stands.
    fn check_optional(&self, body: &[PpToken]) -> Res<()> {
        let mut tokens = body.iter();
        while let Some(start) = tokens.find(|token| token.name() == Some(self.known.va_opt)) {
            let wrong = |message: &str| self.fail(start.at, message, "write __VA_OPT__(TOKENS)");
            match tokens.next() {
                Some(bracket) if bracket.is(P::LParen) && !bracket.has(flag::PASTE_LEFT) => {}
                Some(bracket) if bracket.is(P::LParen) => return wrong("'##' at the start of __VA_OPT__"),
                _ => return wrong("__VA_OPT__ without '('"),
            }
            let (mut depth, mut before) = (1, None::<&PpToken>);
            while depth > 0 {
                let Some(token) = tokens.next() else { return wrong("__VA_OPT__ without ')'") };
                if token.name() == Some(self.known.va_opt) {
                    return wrong("__VA_OPT__ inside __VA_OPT__");
                }
                depth += i32::from(token.is(P::LParen)) - i32::from(token.is(P::RParen));
                if depth == 0 && before.is_some_and(|token| token.has(flag::PASTE_LEFT)) {
                    return wrong("'##' at the end of __VA_OPT__");
                }
                before = Some(token);
            }
        }
        Ok(())
    }
}
