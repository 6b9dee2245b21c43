//! After a syntax error: the rest of the statement, member or declaration is skipped and parsing goes on behind it, so that
//! one run tells all errors of a file. Nothing that was read counts any more; what matters is that few errors follow from
//! the first. So braces stay balanced, an `else` goes with its `if`, the `;` of a `for` are no ends, and where only a `;` is
//! missing at the end of a line nothing is skipped.

use crate::hir::FuncId;
use crate::token::{P, Tok, kw};

use super::{MAX_ERRORS, Parser};

/// Where a statement, member or declaration begins, and what was going on there.
pub(super) struct Begin {
    pos: usize,
    depth: u32,
    branches: u32,
    statement_expressions: u32,
    scopes: u32,
    quantified: usize,
    outer: usize,
    function: Option<InFunction>,
}

struct InFunction {
    id: FuncId,
    switches: usize,
    loops: u32,
    breakables: u32,
}

/// What it is a part of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Within {
    File,
    /// A block, or the members of a struct: a `}` ends it.
    Braces,
}

impl Parser {
    pub(super) fn begin(&self) -> Begin {
        Begin {
            pos: self.pos,
            depth: self.depth,
            branches: self.branches,
            statement_expressions: self.statement_expressions,
            scopes: self.scopes.depth(),
            quantified: self.quantified.len(),
            outer: self.outer.len(),
            function: self.func.as_ref().map(|f| InFunction {
                id: f.id,
                switches: f.switches.len(),
                loops: f.loops,
                breakables: f.breakables,
            }),
        }
    }

    /// After an error since `begin`: goes on behind what began there. False where that makes no sense.
    pub(super) fn recovered(&mut self, begin: &Begin, within: Within) -> bool {
        // Expressions of witnesses are read from elsewhere: an error there is no error of the file.
        let is_hopeless = self.is_too_deep || !self.injections.is_empty() || self.prelude.is_some();
        if is_hopeless || self.errors.len() >= MAX_ERRORS || !self.restored(begin) {
            return false;
        }
        self.recoveries += 1;
        let is_missing_semicolon = self.missing_semicolon == Some(self.pos) && self.pos > begin.pos;
        if is_missing_semicolon && self.span().line > self.last_span().end_line && self.level(begin) == 0 {
            return true;
        }
        self.skip_rest(begin, within)
    }

    /// Everything but the place as it was. False where something else is going on than there was.
    fn restored(&mut self, begin: &Begin) -> bool {
        match (&mut self.func, &begin.function) {
            (Some(now), Some(then)) if now.id == then.id && self.outer.len() == begin.outer => {
                now.switches.truncate(then.switches);
                now.loops = then.loops;
                now.breakables = then.breakables;
            }
            (Some(_), Some(_)) | (None, Some(_)) => return false,
            (_, None) => {
                self.func = None;
                self.outer.clear();
            }
        }
        self.depth = begin.depth;
        self.branches = begin.branches;
        self.statement_expressions = begin.statement_expressions;
        self.quantified.truncate(begin.quantified);
        self.clause = None;
        self.vla_bounds.clear();
        while self.scopes.depth() > begin.scopes {
            self.scopes.close();
        }
        self.scopes.depth() == begin.scopes
    }

    /// Braces that were opened since and are open.
    fn level(&self, begin: &Begin) -> usize {
        self.stream.tokens[begin.pos..self.pos].iter().fold(0, |level: usize, token| match token.tok {
            Tok::Punct(P::LBrace) => level + 1,
            Tok::Punct(P::RBrace) => level.saturating_sub(1),
            _ => level,
        })
    }

    /// To the end of what began there; false if the file ends before.
    fn skip_rest(&mut self, begin: &Begin, within: Within) -> bool {
        let mut level = self.level(begin);
        let is_for = self.stream.tokens[begin.pos].tok == Tok::Name(kw::FOR);
        let mut parentheses = 0usize;
        for token in &self.stream.tokens[begin.pos..self.pos] {
            match token.tok {
                Tok::Punct(P::LParen) => parentheses += 1,
                Tok::Punct(P::RParen) => parentheses = parentheses.saturating_sub(1),
                _ => {}
            }
        }
        loop {
            let mut is_end = false;
            let after_brace = self.at(P::RBrace);
            match self.peek() {
                Tok::Eof => return false,
                Tok::Punct(P::LParen) => parentheses += 1,
                Tok::Punct(P::RParen) => parentheses = parentheses.saturating_sub(1),
                Tok::Punct(P::LBrace) => level += 1,
                // It closes what is around; at the level of the file there is nothing around.
                Tok::Punct(P::RBrace) if level == 0 && within == Within::Braces => return true,
                Tok::Punct(P::RBrace) => {
                    level = level.saturating_sub(1);
                    is_end = level == 0;
                }
                Tok::Punct(P::Semi) => is_end = level == 0 && !(is_for && parentheses > 0),
                _ => {}
            }
            self.advance();
            // After a type or an initialiser, more names may follow.
            let is_list = after_brace && within == Within::File && (self.at(P::Comma) || self.at(P::Assign));
            if is_end && !is_list && !self.at_keyword(kw::ELSE) {
                if after_brace {
                    self.accept(P::Semi);
                }
                return true;
            }
        }
    }
}
