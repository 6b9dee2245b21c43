//! ACSL (ANSI/ISO C Specification Language, Baudin et al.): contracts, loop annotations and assertions in comments, to the same
//! clauses that `contract` makes of CBMC's.
//!
//! Integers of ACSL are mathematical. Every number that is computed here has an interval (`interval`) that its value lies in, by the types of
//! what it is made of, and is computed in a type with room for all of it, so that nothing ever wraps around; what would need more than 128 bits is
//! refused. A quantified `integer` gets a type with room for the bounds that its formula writes: outside of them the formula is settled.
//! In `a && b` and `a ==> b`, what `a` says of quantified variables narrows their intervals in `b`, which is evaluated only where `a` holds.
//!
//! What is not understood is an error at its place, never passed over: so is an annotation that stands where none is read.

mod builtin;
mod formula;
mod interval;
mod memory;
mod number;
mod quantifier;
mod term;
mod value;

use base::{Diagnostic, Span};

use crate::hir::{Assigned, AssignedTarget, Contract, Expr, LoopContract, Stmt, StmtKind, StringLit, VarId};
use crate::token::{P, Tok};

use self::interval::Interval;
use self::value::Value;
use super::contract::Clause;
use super::typed::{expr, is_lvalue};
use super::{Parser, Res};

/// Where an annotation is being read: what it may name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Context {
    Requires,
    Ensures,
    /// Inside of a function: an assertion.
    Statement,
    Loop,
}

/// The annotation being read.
pub(super) struct Reading {
    context: Context,
    /// What is known of quantified variables where the formula being read is evaluated.
    known: Vec<(VarId, Interval)>,
    /// How many quantifiers are around.
    quantifiers: u32,
    /// It is read only to learn the bounds of variables, and will be read again.
    is_rehearsal: bool,
    /// How often it spoke of the present state by name so far.
    presents: usize,
}

/// The name of the type of mathematical integers.
const INTEGER: &str = "integer";

impl Parser {
    fn reading(&mut self) -> Option<&mut Reading> {
        self.acsl.as_mut()
    }

    fn context(&self) -> Option<Context> {
        self.acsl.as_ref().map(|reading| reading.context)
    }

    fn is_rehearsal(&self) -> bool {
        self.acsl.as_ref().is_some_and(|reading| reading.is_rehearsal)
    }

    /// The annotations in front of the next token that nobody has read. They count as read.
    pub(super) fn annotations_here(&mut self) -> Vec<usize> {
        let all = &mut self.stream.annotations;
        let first = all.partition_point(|annotation| annotation.before < self.pos);
        let here = (first..all.len()).take_while(|&index| all[index].before == self.pos);
        let here: Vec<usize> = here.collect();
        let unread: Vec<usize> = here.into_iter().filter(|&index| !all[index].is_read).collect();
        unread.iter().for_each(|&index| all[index].is_read = true);
        unread
    }

    /// Annotations that nobody has read are mistakes.
    pub(super) fn check_annotations(&mut self) {
        let unread = self.stream.annotations.iter().filter(|annotation| !annotation.is_read);
        let spans: Vec<Span> = unread.filter_map(|annotation| Some(annotation.tokens.first()?.span)).collect();
        for span in spans {
            self.error(span, "an ACSL annotation where none is read");
        }
    }

    pub(super) fn refuse_annotations(&mut self, annotations: &[usize], what: &str) -> Res<()> {
        let Some(&first) = annotations.first() else { return Ok(()) };
        let span = self.stream.annotations[first].tokens[0].span;
        self.fail(span, format!("this ACSL annotation stands in front of what is no {what}"))
    }

    /// Reads the tokens of an annotation, all of them.
    fn within<T>(&mut self, annotation: usize, context: Context, read: impl FnOnce(&mut Parser) -> Res<T>) -> Res<T> {
        let own = std::mem::take(&mut self.stream.annotations[annotation].tokens);
        let tokens = std::mem::replace(&mut self.stream.tokens, own);
        let outer = (std::mem::replace(&mut self.pos, 0), std::mem::replace(&mut self.operators, 0));
        let reading = Reading { context, known: Vec::new(), quantifiers: 0, is_rehearsal: false, presents: 0 };
        let around = self.acsl.replace(reading);
        let result = self.nested(read);
        self.acsl = around;
        (self.pos, self.operators) = outer;
        self.stream.annotations[annotation].tokens = std::mem::replace(&mut self.stream.tokens, tokens);
        result
    }

    pub(super) fn annotation_span(&self, annotation: usize) -> Span {
        self.stream.annotations[annotation].tokens[0].span
    }

    /// The word that starts the annotation.
    fn first_word(&self, annotation: usize) -> String {
        match self.stream.annotations[annotation].tokens[0].tok {
            Tok::Name(name) => self.text_of(name),
            _ => String::new(),
        }
    }

    /// The keyword here, taken.
    fn keyword(&mut self) -> Res<(String, Span)> {
        let span = self.span();
        let Tok::Name(name) = self.peek() else {
            let found = self.describe_token();
            return self.fail(span, format!("expected a keyword of ACSL, found {found}"));
        };
        self.advance();
        Ok((self.text_of(name), span))
    }

    fn unknown_keyword<T>(&mut self, word: &str, span: Span, of: &str) -> Res<T> {
        self.fail(span, format!("'{word}' in the ACSL annotation of {of} is not known here"))
    }

    fn in_context(&mut self, context: Context) {
        if let Some(reading) = &mut self.acsl {
            reading.context = context;
        }
    }

    /// `name: formula;`, where the name says nothing.
    fn whole_formula(&mut self) -> Res<Expr> {
        if self.peek_identifier().is_some() && self.peek_at(1) == Tok::Punct(P::Colon) {
            self.advance();
            self.advance();
        }
        let found = self.formula()?;
        let found = self.as_truth(found)?;
        self.expect(P::Semi)?;
        Ok(found.e)
    }

    /// The clauses of a function.
    pub(super) fn acsl_contract(&mut self, annotation: usize, contract: &mut Contract) -> Res<()> {
        self.within(annotation, Context::Requires, |p| {
            while p.peek() != Tok::Eof {
                let (word, span) = p.keyword()?;
                match word.as_str() {
                    "requires" => {
                        p.in_context(Context::Requires);
                        let condition = p.whole_formula()?;
                        contract.requires.push(condition);
                    }
                    "ensures" => {
                        p.in_context(Context::Ensures);
                        let history = std::mem::take(&mut contract.history);
                        p.clause = Some(Clause::after(history, contract.result));
                        let condition = p.whole_formula();
                        contract.history = p.clause.take().map_or_else(Vec::new, Clause::into_history);
                        contract.ensures.push(condition?);
                    }
                    "assigns" => {
                        p.in_context(Context::Requires);
                        contract.may_write_anything = false;
                        let targets = p.acsl_targets()?;
                        contract.assigns.extend(targets);
                    }
                    _ => return p.unknown_keyword(&word, span, "a function"),
                }
            }
            Ok(())
        })
    }

    /// `\nothing;`, or places separated by commas.
    fn acsl_targets(&mut self) -> Res<Vec<Assigned>> {
        let mut found = Vec::new();
        loop {
            let start = self.span();
            match self.formula()? {
                Value::Nothing => {}
                Value::Cells(cells) => {
                    let (pointer, bytes) = self.bytes_of(cells, start)?;
                    let target = AssignedTarget::Upto(pointer, bytes);
                    found.push(Assigned { condition: None, target, span: self.since(start) });
                }
                Value::C(place) if is_lvalue(&place) => {
                    let target = AssignedTarget::Place(place);
                    found.push(Assigned { condition: None, target, span: self.since(start) });
                }
                _ => return self.fail(self.since(start), "what is assigned is a place, or several: p[0 .. n-1]"),
            }
            if !self.accept(P::Comma) {
                break;
            }
        }
        self.expect(P::Semi)?;
        Ok(found)
    }

    /// Annotations in front of a statement: assertions become statements, those of a loop wait for it.
    pub(super) fn statement_annotations(&mut self, out: &mut Vec<Stmt>) -> Res<()> {
        for annotation in self.annotations_here() {
            match self.first_word(annotation).as_str() {
                "loop" => self.of_next_loop.push(annotation),
                "assert" | "check" => {
                    let assertion = self.acsl_assertion(annotation)?;
                    out.push(assertion);
                }
                other => {
                    let span = self.annotation_span(annotation);
                    return self.unknown_keyword(other, span, "a statement");
                }
            }
        }
        Ok(())
    }

    fn acsl_assertion(&mut self, annotation: usize) -> Res<Stmt> {
        self.within(annotation, Context::Statement, |p| {
            let start = p.span();
            p.advance();
            let first = p.pos;
            let condition = p.whole_formula()?;
            let text = p.text_between(first, p.pos.saturating_sub(1));
            let span = p.since(start);
            if p.peek() != Tok::Eof {
                return p.fail(p.span(), "one assertion to an annotation");
            }
            let units: Vec<u32> = text.bytes().map(u32::from).chain([0]).collect();
            let elem = p.types.char();
            let ty = p.types.array(elem, crate::types::Len::Const(units.len() as u64));
            let string = p.new_string(StringLit { elem, units });
            let text = expr(crate::hir::ExprKind::Str(string), ty, span);
            let call = p.call_library("__CPROVER_assert", vec![condition, text], span)?;
            Ok(Stmt { kind: StmtKind::Expr(call), span })
        })
    }

    /// The tokens from one on up to another, as text.
    fn text_between(&self, first: usize, end: usize) -> String {
        let mut text = String::new();
        let mut last: Option<u32> = None;
        for token in &self.stream.tokens[first..end] {
            if last.is_some_and(|last| last != token.start) {
                text.push(' ');
            }
            text.push_str(&crate::token::decode(self.stream.bytes(token)));
            last = Some(token.start + token.len);
        }
        text
    }

    /// What annotations say of the loop whose head was read.
    pub(super) fn acsl_loop(&mut self, annotation: usize, contract: &mut LoopContract) -> Res<()> {
        self.within(annotation, Context::Loop, |p| {
            while p.peek() != Tok::Eof {
                let (loop_word, span) = p.keyword()?;
                if loop_word != "loop" {
                    return p.unknown_keyword(&loop_word, span, "a loop");
                }
                let (word, span) = p.keyword()?;
                let history = std::mem::take(&mut contract.history);
                p.clause = Some(Clause::at_loop(history));
                match word.as_str() {
                    "invariant" => {
                        let condition = p.whole_formula()?;
                        contract.invariants.push(condition);
                    }
                    "variant" => {
                        let value = p.formula()?;
                        let measure = p.as_integer(value)?;
                        p.expect(P::Semi)?;
                        contract.decreases.push(measure.e);
                        contract.is_variant = true;
                    }
                    // Which variables a loop writes is found without help; nobody assumes what is said here.
                    "assigns" => {
                        p.acsl_targets()?;
                        let message =
                            "loop assigns is neither checked nor used: what the loop writes is found without it";
                        p.notes.push(Diagnostic::note(Some(span), message));
                    }
                    _ => return p.unknown_keyword(&word, span, "a loop"),
                }
                contract.history = p.clause.take().map_or_else(Vec::new, Clause::into_history);
            }
            if contract.is_variant && contract.decreases.len() > 1 {
                let span = contract.decreases[1].span;
                return p.fail(span, "a loop has one variant");
            }
            Ok(())
        })
    }
}
