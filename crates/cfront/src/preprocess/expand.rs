//! Macro expansion, after gcc's cpplib (libcpp/macro.cc describes it), which the differential tests compare with.
//!
//! A macro being expanded is a [`Context`]: its tokens, read before the file goes on. While the context lasts the macro is
//! disabled, and its name, wherever it is met then, is *painted*: it is never expanded again (C11 6.10.3.4). A context ends when
//! something is read beyond its last token, so a call may begin inside an expansion and end behind it.
//!
//! Padding tokens stand where tokens were taken away; they carry the white space that `#` has to know about.

use std::rc::Rc;

use crate::token::P;

use super::define::{Function, Meaning};
use super::scan::flag;
use super::*;

/// Arguments inside arguments: each level is a level of the stack.
const MAX_DEPTH: usize = 5_000;

pub(super) struct Context {
    tokens: Vec<PpToken>,
    next: usize,
    /// Disabled as long as this lasts.
    of: Option<Rc<Macro>>,
}

/// An argument of a macro call.
#[derive(Default)]
struct Argument {
    tokens: Vec<PpToken>,
    expanded: Option<Vec<PpToken>>,
    string: Option<PpToken>,
    /// A variadic argument with not even a comma before it: `, ##` takes its comma away.
    omitted: bool,
}

impl Preprocessor<'_> {
    /// The next token after expansion; padding included.
    pub(super) fn next(&mut self) -> Res<PpToken> {
        loop {
            let mut token = match self.contexts.last_mut() {
                None => self.file_token()?,
                Some(context) => match context.tokens.get(context.next).copied() {
                    Some(token) => {
                        context.next += 1;
                        if token.has(flag::PASTE_LEFT) {
                            self.paste_all(token)?;
                            if self.in_directive {
                                continue;
                            }
                            return Ok(token.padding());
                        }
                        token
                    }
                    None => {
                        let last = context.tokens.last().copied().unwrap_or(end_of_everything());
                        self.pop_context();
                        if self.in_directive {
                            continue;
                        }
                        return Ok(separator(&last));
                    }
                },
            };
            let Some(name) = token.name() else { return Ok(token) };
            if self.language == Language::Preprocessed || token.has(flag::PAINTED) {
                return Ok(token);
            }
            let Some(found) = self.macro_named(name) else { return Ok(token) };
            if found.disabled.get() {
                token.flags |= flag::PAINTED;
                return Ok(token);
            }
            if self.no_expansion {
                return Ok(token);
            }
            let found = Rc::clone(found);
            if !self.enter_macro(&found, token)? {
                return Ok(token);
            }
            if !self.in_directive {
                return Ok(token.padding());
            }
        }
    }

    /// The next token that is one.
    pub(super) fn next_real(&mut self) -> Res<PpToken> {
        loop {
            let token = self.next()?;
            if !token.is_padding() {
                return Ok(token);
            }
        }
    }

    /// Puts the expansion of a macro in the way, if it is to be expanded here.
    fn enter_macro(&mut self, found: &Rc<Macro>, token: PpToken) -> Res<bool> {
        self.angled = false;
        let tokens = match &found.meaning {
            Meaning::Builtin(builtin) => return self.builtin(*builtin, token),
            Meaning::Object(body) => body.iter().map(|t| t.used_at(&token)).collect(),
            Meaning::Function(function) => {
                self.no_expansion = true;
                self.collecting = Collecting::Bracket;
                let arguments = self.arguments(found, function, token);
                self.collecting = Collecting::Nothing;
                self.no_expansion = false;
                match arguments? {
                    Some(arguments) => self.substitute(function, arguments, token)?,
                    None => return Ok(false),
                }
            }
        };
        self.count(tokens.len(), token)?;
        found.disabled.set(true);
        self.contexts.push(Context { tokens, next: 0, of: Some(Rc::clone(found)) });
        Ok(true)
    }

    /// Keeps account of expanded tokens.
    fn count(&mut self, tokens: usize, of: PpToken) -> Res<()> {
        self.expansions += tokens + 1;
        if self.expansions <= MAX_EXPANDED {
            return Ok(());
        }
        let message = format!("macros make more than {MAX_EXPANDED} tokens of this file");
        self.fail(of.at, message, "does a macro multiply itself?")
    }

    /// Puts a token in the way.
    pub(super) fn push_token(&mut self, token: PpToken) {
        self.contexts.push(Context { tokens: vec![token], next: 0, of: None });
    }

    pub(super) fn leave_expansions(&mut self) {
        while !self.contexts.is_empty() {
            self.pop_context();
        }
    }

    fn pop_context(&mut self) {
        if let Some(Context { of: Some(done), .. }) = self.contexts.pop() {
            done.disabled.set(false);
        }
    }

    /// Gives the token back that was read last.
    fn back_up(&mut self, token: PpToken) {
        match self.contexts.last_mut() {
            Some(context) => context.next -= 1,
            None => self.ahead = Some(token),
        }
    }

    /// The arguments of a call; `None` where no `(` follows the name.
    fn arguments(&mut self, found: &Rc<Macro>, function: &Function, of: PpToken) -> Res<Option<Vec<Argument>>> {
        let mut padding: Option<PpToken> = None;
        let token = loop {
            let token = self.next()?;
            if !token.is_padding() {
                break token;
            }
            let replaces = match padding.map(|padding| padding.kind) {
                None | Some(Kind::Padding(None)) => true,
                Some(Kind::Padding(Some(false))) => token.kind == Kind::Padding(None),
                _ => false,
            };
            if replaces {
                padding = Some(token);
            }
        };
        if token.is(P::LParen) {
            self.collecting = Collecting::Arguments;
            return self.collect(found, function, of).map(Some);
        }
        // The end of a file or directive is met again by itself, the end of an argument is a token of its context.
        if !token.is_end() || !self.contexts.is_empty() {
            self.back_up(token);
            if let Some(padding) = padding {
                self.push_token(padding);
            }
        }
        Ok(None)
    }

    /// The arguments, after `(`.
    fn collect(&mut self, found: &Rc<Macro>, function: &Function, of: PpToken) -> Res<Vec<Argument>> {
        let mut arguments: Vec<Argument> = Vec::new();
        let mut current: Vec<PpToken> = Vec::new();
        let mut depth = 0;
        loop {
            let token = self.next()?;
            let is_last = function.variadic && arguments.len() + 1 == function.params;
            let ends = match token.kind {
                Kind::Padding(_) if current.is_empty() => continue,
                Kind::Tok(Tok::Eof) => {
                    let name = self.names.text(found.name);
                    let message = format!("unterminated argument list of the macro '{name}'");
                    return self.fail(of.at, message, "close it with ')'");
                }
                Kind::Tok(Tok::Punct(P::RParen)) => depth == 0,
                Kind::Tok(Tok::Punct(P::Comma)) => depth == 0 && !is_last,
                _ => false,
            };
            if !ends {
                depth += i32::from(token.is(P::LParen)) - i32::from(token.is(P::RParen));
                self.count(0, of)?;
                current.push(token);
                continue;
            }
            while current.last().is_some_and(PpToken::is_padding) {
                current.pop();
            }
            arguments.push(Argument { tokens: std::mem::take(&mut current), ..Argument::default() });
            if token.is(P::RParen) {
                break;
            }
        }
        let only_empty = arguments.len() == 1 && arguments[0].tokens.is_empty();
        let given = if function.params == 0 && only_empty { 0 } else { arguments.len() };
        if given > function.params || given + usize::from(function.variadic) < function.params {
            return self.wrong_count(found, function, given, of);
        }
        arguments.resize_with(function.params, Argument::default);
        if let Some(last) = arguments.last_mut().filter(|_| function.variadic) {
            last.omitted = given < function.params || (given == 1 && only_empty);
        }
        Ok(arguments)
    }

    fn wrong_count<T>(&self, found: &Rc<Macro>, function: &Function, given: usize, of: PpToken) -> Res<T> {
        let (name, wanted) = (self.names.text(found.name), function.params - usize::from(function.variadic));
        let least = if function.variadic { "at least " } else { "" };
        let s = if wanted == 1 { "" } else { "s" };
        let message = format!("the macro '{name}' takes {least}{wanted} argument{s}, {given} given");
        let mut all = self.chained(Diagnostic::error(of.at.span(), message));
        all.insert(1, Diagnostic::note(Some(found.at.span()), "it is defined here"));
        Err(all)
    }

    /// The body of a macro with its arguments in place (6.10.3.1 to 6.10.3.3).
    fn substitute(&mut self, function: &Function, arguments: Vec<Argument>, of: PpToken) -> Res<Vec<PpToken>> {
        let mut arguments = arguments;
        let pasted = |index: usize| index > 0 && function.body[index - 1].has(flag::PASTE_LEFT);
        // All that are used expanded are expanded now, in order, also those that __VA_OPT__ drops: `__COUNTER__` counts.
        for (index, token) in function.body.iter().enumerate() {
            if let Kind::Param(param) = token.kind
                && !token.has(flag::STRINGIFY | flag::PASTE_LEFT)
                && !pasted(index)
            {
                self.expand_argument(&mut arguments[param as usize])?;
            }
        }
        let mut substitution =
            Substitution { arguments, of, out: Vec::with_capacity(function.body.len()), optional: None };
        for (index, &token) in function.body.iter().enumerate() {
            let pasted = pasted(index);
            if function.variadic && self.optional(&mut substitution, token, pasted, index)? {
                continue;
            }
            match token.kind {
                Kind::Param(param) => {
                    self.replace(&mut substitution, function, token, param as usize, index, pasted)?;
                    self.count(0, of)?;
                }
                _ => substitution.out.push(token.used_at(&of)),
            }
            // What an argument grew to counts before it is copied again.
            if substitution.out.len() > MAX_EXPANDED {
                self.count(substitution.out.len(), of)?;
            }
        }
        Ok(substitution.out)
    }

    /// Follows `__VA_OPT__( … )`: true for its own tokens, and for those between its brackets if there are no variable
    /// arguments. These vanish.
    fn optional(&mut self, s: &mut Substitution, token: PpToken, pasted: bool, index: usize) -> Res<bool> {
        let Some(state) = &mut s.optional else {
            if token.name() != Some(self.known.va_opt) {
                return Ok(false);
            }
            if index > 0 && !pasted {
                s.out.push(token.padding().used_at(&s.of));
            }
            let (start, stringify) = (s.out.len(), token.has(flag::STRINGIFY));
            s.optional = Some(Optional { start, depth: 0, stringify, included: false });
            return Ok(true);
        };
        if state.depth == 0 {
            // The opening bracket.
            let last = s.arguments.len() - 1;
            self.expand_argument(&mut s.arguments[last])?;
            state.depth = 1;
            state.included = s.arguments[last].expanded.iter().flatten().any(|token| !token.is_padding());
            return Ok(true);
        }
        state.depth += i32::from(token.is(P::LParen)) - i32::from(token.is(P::RParen));
        if state.depth > 0 {
            return Ok(!state.included);
        }
        let (start, stringify) = (state.start, state.stringify);
        s.optional = None;
        if stringify {
            let tokens = self.paste_pending(s.out.split_off(start))?;
            let mut string = self.stringify(&tokens, s.of)?;
            string.flags |= token.flags & flag::PASTE_LEFT;
            s.out.push(string);
        } else if token.has(flag::PASTE_LEFT) {
            while s.out.len() > start && s.out.last().is_some_and(|last| last.kind == Kind::Padding(None)) {
                s.out.pop();
            }
            if let Some(last) = s.out.last_mut().filter(|last| !last.is_padding()) {
                last.flags |= flag::PASTE_LEFT;
            }
        } else {
            s.out.push(separator(&s.of));
        }
        Ok(true)
    }

    /// Puts an argument in the place of its parameter.
    fn replace(
        &mut self,
        s: &mut Substitution,
        function: &Function,
        token: PpToken,
        param: usize,
        index: usize,
        pasted: bool,
    ) -> Res<()> {
        let paste_left = token.has(flag::PASTE_LEFT);
        // The token whose paste flag becomes that of the parameter.
        let mut flagged: Option<usize> = None;
        let tokens: Vec<PpToken> = if token.has(flag::STRINGIFY) {
            let string = match s.arguments[param].string {
                Some(string) => string,
                None => self.stringify(&s.arguments[param].tokens, s.of)?,
            };
            s.arguments[param].string = Some(string);
            vec![string]
        } else if paste_left {
            s.arguments[param].tokens.clone()
        } else if pasted {
            let argument = &s.arguments[param];
            let tokens = argument.tokens.clone();
            if let Some(last) = s.out.last() {
                if last.is(P::Comma) && function.variadic && param + 1 == function.params {
                    if argument.omitted {
                        s.out.pop();
                    } else {
                        flagged = Some(s.out.len() - 1);
                    }
                } else if tokens.is_empty() && !s.starts_optional() {
                    flagged = Some(s.out.len() - 1);
                }
            }
            tokens
        } else {
            self.expand_argument(&mut s.arguments[param])?;
            let mut tokens = s.arguments[param].expanded.clone().unwrap_or_default();
            if s.starts_optional() {
                let leading = tokens.iter().take_while(|token| token.is_padding()).count();
                tokens.drain(..leading);
            }
            tokens
        };
        self.count(tokens.len(), s.of)?;
        if !self.in_directive && index > 0 && !pasted && !s.starts_optional() {
            s.out.push(token.padding().used_at(&s.of));
        }
        if !tokens.is_empty() {
            // From here on they are part of the expansion; their places stay their own.
            s.out.extend(tokens.into_iter().map(|token| PpToken { line: s.of.line, ..token }));
            if paste_left {
                flagged = Some(s.out.len() - 1);
            }
        }
        if !self.in_directive && !paste_left {
            s.out.push(separator(&s.of));
        }
        if let Some(flagged) = flagged.map(|index| &mut s.out[index]) {
            flagged.flags = (flagged.flags & !flag::PASTE_LEFT) | (token.flags & flag::PASTE_LEFT);
        }
        Ok(())
    }

    /// Expands an argument as if it were all there is (6.10.3.1).
    fn expand_argument(&mut self, argument: &mut Argument) -> Res<()> {
        if argument.expanded.is_some() {
            return Ok(());
        }
        let mut expanded = Vec::new();
        if let Some(&first) = argument.tokens.first() {
            if self.depth >= MAX_DEPTH {
                let message = format!("macro calls nested more than {MAX_DEPTH} deep in arguments");
                return self.fail(first.at, message, "take the expression apart");
            }
            let end = PpToken { kind: Kind::Tok(Tok::Eof), flags: 0, len: 0, ..first };
            let tokens = argument.tokens.iter().copied().chain([end]).collect();
            self.contexts.push(Context { tokens, next: 0, of: None });
            self.depth += 1;
            loop {
                let token = self.next()?;
                if token.is_end() {
                    break;
                }
                self.count(0, token)?;
                expanded.push(token);
            }
            self.depth -= 1;
            self.pop_context();
        }
        argument.expanded = Some(expanded);
        Ok(())
    }

    /// Tokens after expansion, as if they were all there is.
    pub(super) fn expanded(&mut self, tokens: &[PpToken]) -> Res<Vec<PpToken>> {
        let mut argument = Argument { tokens: tokens.to_vec(), ..Argument::default() };
        if self.language == Language::C {
            self.expand_argument(&mut argument)?;
        }
        Ok(argument.expanded.unwrap_or(argument.tokens))
    }

    /// The spelling of an argument as a string literal (6.10.3.2).
    fn stringify(&mut self, tokens: &[PpToken], of: PpToken) -> Res<PpToken> {
        let mut text = vec![b'"'];
        // Whether the token that a padding stands for has space before it; None: no such token seen.
        let mut source: Option<bool> = None;
        let mut backslashes = 0;
        for token in tokens {
            if let Kind::Padding(padding) = token.kind {
                if source.is_none() || (source == Some(false) && padding.is_none()) {
                    source = padding;
                }
                continue;
            }
            if text.len() > 1 && source.unwrap_or(token.has(flag::SPACE)) {
                text.push(b' ');
            }
            source = None;
            let spelled = self.spelled(token);
            match token.kind {
                Kind::Tok(Tok::Str | Tok::Char) => {
                    for &b in spelled {
                        if matches!(b, b'\\' | b'"') {
                            text.push(b'\\');
                        }
                        text.push(b);
                    }
                }
                _ => text.extend_from_slice(spelled),
            }
            backslashes = if spelled == b"\\" { backslashes + 1 } else { 0 };
        }
        if backslashes % 2 == 1 {
            text.pop();
        }
        text.push(b'"');
        self.made(Kind::Tok(Tok::Str), &text, PpToken { flags: 0, ..of })
    }

    /// Pastes a token with what follows it in its context, and puts the result in the way.
    fn paste_all(&mut self, first: PpToken) -> Res<()> {
        let mut pasted = first;
        while let Some(context) = self.contexts.last_mut() {
            let Some(&right) = context.tokens.get(context.next) else { break };
            context.next += 1;
            if !right.is_padding() {
                pasted = self.paste(pasted, right)?;
            }
            if !right.has(flag::PASTE_LEFT) {
                break;
            }
        }
        pasted.flags &= !flag::PASTE_LEFT;
        self.count(1, first)?;
        self.push_token(pasted);
        Ok(())
    }

    /// Pastes what in a list is still to be pasted.
    fn paste_pending(&mut self, tokens: Vec<PpToken>) -> Res<Vec<PpToken>> {
        let mut out: Vec<PpToken> = Vec::with_capacity(tokens.len());
        for token in tokens {
            match out.last().copied().filter(|last| last.has(flag::PASTE_LEFT)) {
                Some(left) if !token.is_padding() => {
                    let pasted = self.paste(left, token)?;
                    out.pop();
                    out.push(PpToken { flags: pasted.flags | (token.flags & flag::PASTE_LEFT), ..pasted });
                }
                _ => out.push(token),
            }
        }
        Ok(out)
    }

    /// `left ## right` (6.10.3.3).
    fn paste(&mut self, left: PpToken, right: PpToken) -> Res<PpToken> {
        let mut text = self.spelled(&left).to_vec();
        text.extend_from_slice(self.spelled(&right));
        let (kind, len) = match text.is_empty() {
            true => (Kind::Other, 0),
            false => scan::token_at(&text, self.names, false),
        };
        let is_comment = text.starts_with(b"//") || text.starts_with(b"/*");
        if len != text.len() || is_comment {
            let message = format!("pasting {} and {} does not give a token", self.shown(&left), self.shown(&right));
            return self.fail(left.at, message, "'##' must join two tokens into one");
        }
        let pasted = self.made(kind, &text, left)?;
        Ok(PpToken { flags: left.flags & flag::SPACE, ..pasted })
    }
}

/// Where an expansion ends, so that what follows does not touch it.
fn separator(of: &PpToken) -> PpToken {
    PpToken { kind: Kind::Padding(None), flags: 0, start: 0, len: 0, ..*of }
}

/// A macro body on its way to having its arguments.
struct Substitution {
    arguments: Vec<Argument>,
    /// The name in the call.
    of: PpToken,
    out: Vec<PpToken>,
    optional: Option<Optional>,
}

/// Inside `__VA_OPT__`.
struct Optional {
    /// Where in the output its tokens start.
    start: usize,
    depth: i32,
    stringify: bool,
    included: bool,
}

impl Substitution {
    /// Are we at the start of `__VA_OPT__`, with something before it?
    fn starts_optional(&self) -> bool {
        self.optional.as_ref().is_some_and(|optional| optional.start > 0 && optional.start == self.out.len())
    }
}
