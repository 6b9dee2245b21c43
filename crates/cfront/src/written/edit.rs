//! What is changed in the text of a file for a compiler: by token numbers, so that everything else keeps its place.

use crate::hir::{FuncId, Unit};
use crate::parse::contract::is_clause_name;
use crate::parse::link::{FILE_LOCAL, Removal, exported_name, removal};
use crate::token::{Names, P, Tok, TokenStream, kw};
use crate::types::Type;
use crate::{Linking, written::Hooks};
use base::{Sources, Span};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The name of the program's `main`, where it starts elsewhere.
const USERS_MAIN: &str = "foldback_users_main";

const NEVER_INLINED: &str = " __attribute__((noinline)) ";

/// What is changed in one file.
#[derive(Default)]
pub(super) struct Edits {
    /// In front of the file.
    pub(super) start: String,
    /// In the place of tokens.
    pub(super) instead: BTreeMap<usize, String>,
    /// Behind tokens.
    pub(super) behind: BTreeMap<usize, String>,
    /// Behind the file.
    pub(super) end: String,
    /// There were clauses of contracts.
    pub(super) lacks_clauses: bool,
}

/// The names of the form in which goto-cc exports `static` ones that any file mentions.
pub(super) fn exported_names(streams: &[TokenStream], names: &Names) -> BTreeSet<String> {
    let tokens = streams.iter().flat_map(|stream| &stream.tokens);
    let texts = tokens.filter_map(|token| match token.tok {
        Tok::Name(name) => Some(names.text(name)),
        _ => None,
    });
    texts.filter(|text| text.starts_with(FILE_LOCAL)).map(str::to_owned).collect()
}

/// A file before it is changed.
#[derive(Clone, Copy)]
pub(super) struct File<'a> {
    pub(super) stream: &'a TokenStream,
    pub(super) names: &'a Names,
    pub(super) sources: &'a Sources,
}

/// A definition of a function at file level: the numbers of its first token, of its name, and of its body's braces.
#[derive(Clone, Copy)]
struct Definition {
    start: usize,
    name: usize,
    opens: usize,
    closes: usize,
}

impl<'a> File<'a> {
    /// All that is to be changed. `linking`: how the file is linked; `exported`: see [`exported_names`].
    pub(super) fn edits(
        &self,
        unit: &Unit,
        linking: Option<&Linking>,
        exported: &BTreeSet<String>,
        hooks: &Hooks<'_>,
    ) -> Edits {
        let mut edits = Edits { start: hooks.start.to_owned(), ..Edits::default() };
        if self.stream.is_c90 {
            let numbers = self.stream.tokens.iter().enumerate().filter(|(_, token)| token.tok == Tok::Number);
            let typed = numbers.filter_map(|(at, token)| {
                let text = crate::token::decode(self.stream.bytes(token));
                Some((at, crate::literal::from_c90(&text, unit.types.model())?))
            });
            edits.instead.extend(typed);
        }
        let definitions = self.definitions();
        let is_hooked = |d: &&Definition| hooks.functions.iter().any(|f| Some(f.as_str()) == self.name(d.name));
        for definition in definitions.iter().filter(is_hooked) {
            edits.behind.insert(definition.opens, hooks.entry.to_owned());
            // A hook tells its caller by the return address.
            match definition.name.checked_sub(1) {
                Some(before) => *edits.behind.entry(before).or_default() += NEVER_INLINED,
                None => edits.start += NEVER_INLINED,
            }
        }
        self.write_quantifiers(&mut edits);
        self.drop_clauses(&mut edits);
        self.drop_redeclarations(&mut edits);
        for definition in &definitions {
            let name = self.name(definition.name).unwrap_or_default();
            let removed = linking.and_then(|linking| removal(linking, self.file_of(definition.name), name));
            match removed {
                Some(Removal::Named(_) | Removal::Other) => self.remove(definition, exported, &mut edits),
                None => {
                    self.export(definition.start, definition.name, exported, &mut edits);
                    self.agree(definition, &mut edits);
                }
            }
        }
        self.export_variables(exported, &mut edits);
        self.give(hooks, &mut edits);
        if let Some(begin) = hooks.begin {
            self.rename("main", USERS_MAIN, &mut edits);
            let entry = unit.func(begin.function);
            let is_entry = |d: &&Definition| entry.is_some_and(|id| self.is_at(d.name, unit, unit.funcs[id].span));
            if let (Some(definition), Some(id)) = (definitions.iter().find(is_entry), entry) {
                edits.end += &self.begin(unit, id, definition, begin.arguments);
            }
        }
        edits
    }

    pub(super) fn is(&self, index: usize, p: P) -> bool {
        self.stream.tokens.get(index).is_some_and(|token| token.tok == Tok::Punct(p))
    }

    /// The name that a token is, keywords by their usual spelling.
    pub(super) fn name(&self, index: usize) -> Option<&'a str> {
        match self.stream.tokens.get(index)?.tok {
            Tok::Name(name) => Some(self.names.text(self.names.meaning(name))),
            _ => None,
        }
    }

    fn is_keyword(&self, index: usize, keyword: crate::token::Name) -> bool {
        matches!(self.stream.tokens.get(index).map(|token| token.tok), Some(Tok::Name(name)) if self.names.meaning(name) == keyword)
    }

    fn file_of(&self, index: usize) -> Option<&'a str> {
        self.sources.file(self.stream.tokens.get(index)?.span.file).map(|file| file.name.as_str())
    }

    fn is_at(&self, index: usize, unit: &Unit, span: Span) -> bool {
        let own = self.stream.tokens[index].span;
        let file = unit.sources.file(span.file).map(|file| file.name.as_str());
        (own.line, own.col) == (span.line, span.col) && self.file_of(index) == file
    }

    /// Behind the bracket that closes the one at `index`.
    pub(super) fn closed(&self, index: usize, open: P, close: P) -> usize {
        let mut depth = 0_usize;
        for at in index..self.stream.tokens.len() {
            if self.is(at, open) {
                depth += 1;
            } else if self.is(at, close) {
                depth = depth.saturating_sub(1);
            }
            if depth == 0 {
                return at + 1;
            }
        }
        self.stream.tokens.len()
    }

    /// The functions defined at file level: `name ( … )` and then, behind attributes, clauses or the declarations of
    /// old-style parameters, a brace.
    fn definitions(&self) -> Vec<Definition> {
        let count = self.stream.tokens.len();
        let (mut out, mut start, mut index) = (Vec::new(), 0, 0);
        while index < count {
            if self.is(index, P::LBrace) {
                index = self.closed(index, P::LBrace, P::RBrace);
                // `struct s { … } f(void)` goes on.
                if self.opens_parameters(index).is_none() {
                    start = index;
                }
                continue;
            }
            if self.is(index, P::Semi) {
                start = index + 1;
            }
            if let Some(opens) = self.opens_parameters(index) {
                match self.body_behind(opens) {
                    Some(brace) => {
                        let closes = self.closed(brace, P::LBrace, P::RBrace) - 1;
                        out.push(Definition { start, name: index, opens: brace, closes });
                        index = closes + 1;
                        start = index;
                    }
                    None => index = self.closed(opens, P::LParen, P::RParen),
                }
                continue;
            }
            index += 1;
        }
        out
    }

    /// The bracket behind a name that may be a function's; `(name)(…)` is a declarator too.
    fn opens_parameters(&self, index: usize) -> Option<usize> {
        let Tok::Name(name) = self.stream.tokens.get(index)?.tok else { return None };
        if self.names.meaning(name).is_keyword() || is_clause_name(self.names.text(name)) {
            return None;
        }
        (index + 1..self.stream.tokens.len()).find(|at| !self.is(*at, P::RParen)).filter(|at| self.is(*at, P::LParen))
    }

    /// The brace that opens the body behind parameters that open at `opens`, if it is a definition.
    fn body_behind(&self, opens: usize) -> Option<usize> {
        let mut at = self.closed(opens, P::LParen, P::RParen);
        loop {
            if self.is(at, P::LParen) || self.is(at, P::LBracket) {
                let (open, close) =
                    if self.is(at, P::LParen) { (P::LParen, P::RParen) } else { (P::LBracket, P::RBracket) };
                at = self.closed(at, open, close);
            } else if self.is(at, P::RParen) {
                at += 1;
            } else if self.is_keyword(at, kw::ATTRIBUTE) || self.is_keyword(at, kw::ASM) || self.is_clause(at) {
                at = self.closed(at + 1, P::LParen, P::RParen);
            } else {
                break;
            }
        }
        if [P::Semi, P::Comma, P::Assign].iter().any(|p| self.is(at, *p)) {
            return None;
        }
        let brace = (at..self.stream.tokens.len()).find(|index| self.is(*index, P::LBrace))?;
        (brace == at || self.is(brace - 1, P::Semi)).then_some(brace)
    }

    fn is_clause(&self, index: usize) -> bool {
        self.name(index).is_some_and(is_clause_name) && self.is(index + 1, P::LParen)
    }

    fn drop_clauses(&self, edits: &mut Edits) {
        for index in (0..self.stream.tokens.len()).filter(|index| self.is_clause(*index)) {
            edits.lacks_clauses = true;
            for dropped in index..self.closed(index + 1, P::LParen, P::RParen) {
                edits.instead.insert(dropped, String::new());
                edits.behind.remove(&dropped);
            }
        }
    }

    /// Of prototypes that differ in qualifiers of what parameters point to, which goto-cc lets pass, only the first is for a compiler.
    fn drop_redeclarations(&self, edits: &mut Edits) {
        let mut first: BTreeMap<&str, Range<usize>> = BTreeMap::new();
        let mut index = 0;
        while index < self.stream.tokens.len() {
            if self.is(index, P::LBrace) {
                index = self.closed(index, P::LBrace, P::RBrace);
                continue;
            }
            if let (Some(name), Some(opens)) = (self.name(index), self.opens_parameters(index)) {
                let closes = self.closed(opens, P::LParen, P::RParen);
                if opens == index + 1 && self.is(closes, P::Semi) {
                    let parameters = opens + 1..closes - 1;
                    let before = first.entry(name).or_insert_with(|| parameters.clone()).clone();
                    if self.is_requalified(before, parameters) {
                        for dropped in self.start_of_declaration(index)..=closes {
                            edits.instead.insert(dropped, String::new());
                        }
                    }
                }
                index = closes;
                continue;
            }
            index += 1;
        }
    }

    /// Whether two lists of parameters differ in their qualifiers, and besides at most in names.
    fn is_requalified(&self, a: Range<usize>, b: Range<usize>) -> bool {
        let is_qualifier =
            |at: &usize| [kw::CONST, kw::VOLATILE, kw::RESTRICT].iter().any(|k| self.is_keyword(*at, *k));
        let qualifiers = |range: Range<usize>| range.filter(is_qualifier).count();
        let parameters = |range: Range<usize>| -> Vec<Vec<&[u8]>> {
            let tokens: Vec<usize> = range.filter(|at| !is_qualifier(at)).collect();
            let text = |at: &usize| self.stream.bytes(&self.stream.tokens[*at]);
            tokens.split(|at| self.is(*at, P::Comma)).map(|one| one.iter().map(text).collect()).collect()
        };
        if qualifiers(a.clone()) == qualifiers(b.clone()) {
            return false;
        }
        let (a, b) = (parameters(a), parameters(b));
        let is_name = |token: &[u8]| token.first().is_some_and(|c| c.is_ascii_alphabetic() || *c == b'_');
        let is_alike = |(a, b): (&Vec<&[u8]>, &Vec<&[u8]>)| match a.len().cmp(&b.len()) {
            Ordering::Equal => a == b,
            Ordering::Less => b.len() == a.len() + 1 && b.starts_with(a) && is_name(b[a.len()]),
            Ordering::Greater => a.len() == b.len() + 1 && a.starts_with(b) && is_name(a[b.len()]),
        };
        a.len() == b.len() && a.iter().zip(&b).all(is_alike)
    }

    fn rename(&self, from: &str, to: &str, edits: &mut Edits) {
        for index in (0..self.stream.tokens.len()).filter(|index| self.name(*index) == Some(from)) {
            edits.instead.insert(index, to.to_owned());
        }
    }

    /// A definition becomes a declaration of what another file defines, or the harness.
    fn remove(&self, definition: &Definition, exported: &BTreeSet<String>, edits: &mut Edits) {
        let name = self.name(definition.name).unwrap_or_default();
        self.make_external(name, edits);
        for dropped in definition.opens..=definition.closes {
            edits.instead.insert(dropped, String::new());
            edits.behind.remove(&dropped);
        }
        edits.instead.insert(definition.opens, ";".into());
        let other = self.file_of(definition.name).and_then(|file| exported_name(file, name));
        if let Some(other) = other.filter(|other| exported.contains(other)) {
            self.rename(name, &other, edits);
        }
    }

    /// Declarations of a function lose `static`, all of them: prototypes say it too.
    fn make_external(&self, name: &str, edits: &mut Edits) {
        for index in self.outer_names(name) {
            let start = self.start_of_declaration(index);
            let is_static = |at: &usize| self.is_keyword(*at, kw::STATIC) || self.is_keyword(*at, kw::INLINE);
            for dropped in (start..index).filter(is_static) {
                edits.instead.insert(dropped, String::new());
            }
        }
    }

    /// A function that is defined as `static` and was declared otherwise before is not, as far as we are concerned.
    fn agree(&self, definition: &Definition, edits: &mut Edits) {
        let is_static = |start: usize, name: usize| (start..name).any(|index| self.is_keyword(index, kw::STATIC));
        if !is_static(definition.start, definition.name) {
            return;
        }
        let name = self.name(definition.name).unwrap_or_default();
        let first = self.outer_names(name).into_iter().find(|index| self.is(index + 1, P::LParen));
        if first.is_some_and(|first| !is_static(self.start_of_declaration(first), first)) {
            self.make_external(name, edits);
        }
    }

    /// Where a name stands at file level.
    fn outer_names(&self, name: &str) -> Vec<usize> {
        let (mut out, mut index) = (Vec::new(), 0);
        while index < self.stream.tokens.len() {
            if self.is(index, P::LBrace) {
                index = self.closed(index, P::LBrace, P::RBrace);
                continue;
            }
            if self.name(index) == Some(name) {
                out.push(index);
            }
            index += 1;
        }
        out
    }

    /// The first token of the declaration that a token at file level is in.
    fn start_of_declaration(&self, index: usize) -> usize {
        let ends = |at: &usize| self.is(*at, P::Semi) || self.is(*at, P::RBrace);
        (0..index).rev().find(ends).map_or(0, |at| at + 1)
    }

    /// Another name for what is `static` here and wanted elsewhere.
    fn export(&self, start: usize, name: usize, exported: &BTreeSet<String>, edits: &mut Edits) {
        let is_static = (start..name).any(|index| self.is_keyword(index, kw::STATIC));
        let text = self.name(name).unwrap_or_default();
        let other = self.file_of(name).and_then(|file| exported_name(file, text));
        if let Some(other) = other.filter(|other| is_static && exported.contains(other)) {
            edits.end += &format!("extern __typeof__({text}) {other} __attribute__((alias(\"{text}\"))); ");
        }
    }

    fn export_variables(&self, exported: &BTreeSet<String>, edits: &mut Edits) {
        if exported.is_empty() {
            return;
        }
        let mut done = BTreeSet::new();
        let mut index = 0;
        while index < self.stream.tokens.len() {
            if self.is(index, P::LBrace) {
                index = self.closed(index, P::LBrace, P::RBrace);
                continue;
            }
            if self.is(index, P::LParen) {
                index = self.closed(index, P::LParen, P::RParen);
                continue;
            }
            let ends = [P::Semi, P::Assign, P::Comma, P::LBracket].iter().any(|p| self.is(index + 1, *p));
            if let Some(name) = self.name(index).filter(|_| ends)
                && done.insert(name)
            {
                self.export(self.start_of_declaration(index), index, exported, edits);
            }
            index += 1;
        }
    }

    /// Local variables get their first contents from a function: a second declarator calls it.
    fn give(&self, hooks: &Hooks<'_>, edits: &mut Edits) {
        for (number, place) in hooks.given.iter().enumerate() {
            let is_it = |index: &usize| {
                let span = self.stream.tokens[*index].span;
                (span.line, span.col) == (place.line, place.col)
                    && self.name(*index) == Some(place.name.as_str())
                    && self.file_of(*index) == Some(place.file.as_str())
                    && !(*index > 0 && [kw::STRUCT, kw::UNION, kw::ENUM].iter().any(|k| self.is_keyword(index - 1, *k)))
            };
            let Some(name) = (0..self.stream.tokens.len()).find(is_it) else { continue };
            let begins = |at: &usize| [P::Semi, P::LBrace, P::RBrace, P::LParen].iter().any(|p| self.is(*at, *p));
            let start = (0..name).rev().find(begins).map_or(0, |at| at + 1);
            // What is in a register has no address.
            if (start..name).any(|index| self.is_keyword(index, kw::REGISTER)) {
                continue;
            }
            let Some(last) = self.end_of_declarator(name) else { continue };
            let (text, give) = (&place.name, hooks.give);
            edits.behind.insert(
                last,
                format!(", *foldback_given_{number} = (void *){give}({number}, (void *)&{text}, sizeof({text})) "),
            );
        }
    }

    /// The last token of the declarator whose name this is, if nothing but another one or the end follows.
    fn end_of_declarator(&self, name: usize) -> Option<usize> {
        let mut at = name + 1;
        loop {
            if self.is(at, P::LParen) || self.is_keyword(at, kw::ATTRIBUTE) || self.is_keyword(at, kw::ASM) {
                at = self.closed(at + usize::from(!self.is(at, P::LParen)), P::LParen, P::RParen);
            } else if self.is(at, P::LBracket) {
                at = self.closed(at, P::LBracket, P::RBracket);
            } else if self.is(at, P::RParen) {
                at += 1;
            } else {
                break;
            }
        }
        (self.is(at, P::Semi) || self.is(at, P::Comma)).then(|| at - 1)
    }

    /// The `main` that makes the arguments of the function and calls it.
    fn begin(&self, unit: &Unit, id: FuncId, definition: &Definition, arguments: &str) -> String {
        let declarations: Vec<String> = unit.funcs[id]
            .params
            .iter()
            .map(|param| {
                let var = &unit.vars[*param];
                let name = (definition.name..definition.opens).find(|index| self.is_at(*index, unit, var.span));
                let written = name.and_then(|name| self.parameter(definition, name));
                match written.filter(|_| !matches!(unit.types[var.ty], Type::VaList)) {
                    Some(text) => format!("{text}; "),
                    None => format!("{}; ", unit.types.declare(var.ty, &var.name)),
                }
            })
            .collect();
        let names: Vec<&str> = unit.funcs[id].params.iter().map(|param| unit.vars[*param].name.as_str()).collect();
        let function = self.name(definition.name).unwrap_or_default();
        let function = if function == "main" { USERS_MAIN } else { function };
        format!("int main(void) {{ {}{arguments} {function}({}); return 0; }}", declarations.concat(), names.join(", "))
    }

    /// Whether a parameter's name is the last token of its declaration.
    fn is_plain_end(&self, name: usize) -> bool {
        self.is(name + 1, P::Comma) || self.is(name + 1, P::RParen)
    }

    /// A parameter as it is written; an array is a pointer to its elements.
    fn parameter(&self, definition: &Definition, name: usize) -> Option<String> {
        let ends = |at: &usize| self.is(*at, P::Comma) || self.is(*at, P::LParen);
        let before = (definition.name..name).rev().find(ends)?;
        // Parentheses inside of the declarator.
        if self.is(before, P::LParen) && before != definition.name + 1 {
            return None;
        }
        let start = before + 1;
        let word = |index: usize| String::from_utf8_lossy(self.stream.bytes(&self.stream.tokens[index])).into_owned();
        let mut words: Vec<String> = (start..name).map(word).collect();
        let mut end = name + 1;
        if self.is(end, P::LBracket) {
            words.push(format!("(*{})", word(name)));
            end = self.closed(end, P::LBracket, P::RBracket);
        } else {
            words.push(word(name));
        }
        while self.is(end, P::LBracket) {
            let closed = self.closed(end, P::LBracket, P::RBracket);
            words.extend((end..closed).map(word));
            end = closed;
        }
        self.is_plain_end(end - 1).then(|| words.join(" "))
    }
}
