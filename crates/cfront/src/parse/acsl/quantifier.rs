//! Quantifiers. A quantified `integer` gets a type with room for the bounds that its formula writes, so the formula is read several times:
//! to learn the bounds, and then with the types.

use base::Span;

use crate::hir::{Builtin, ExprKind, Storage, VarId};
use crate::token::{Name, P, Tok};
use crate::types::{IntKind, Ty};

use super::super::scope::Entity;
use super::super::typed::expr;
use super::super::{Parser, Res};
use super::INTEGER;
use super::interval::Interval;
use super::value::{Truth, Value};

/// So many quantifiers inside of one another: each is read several times.
const MOST_QUANTIFIERS: u32 = 4;
/// So often the bounds of variables are computed from those of others.
const MOST_ROUNDS: usize = 3;
/// A quantified integer while its bounds are looked for.
const REHEARSED: Interval = Interval { low: -(1 << 100), high: 1 << 100 };

impl Parser {
    /// `\forall integer i, j; formula`, the first word taken.
    pub(super) fn acsl_quantifier(&mut self, which: Builtin, start: Span) -> Res<Value> {
        let around = self.acsl.as_ref().map_or(0, |reading| reading.quantifiers);
        if around == MOST_QUANTIFIERS {
            return self.fail(start, format!("more than {MOST_QUANTIFIERS} quantifiers inside of one another"));
        }
        if let Some(reading) = self.reading() {
            reading.quantifiers += 1;
        }
        let result = self.nested(|p| p.quantified_formula(which, start));
        if let Some(reading) = self.reading() {
            reading.quantifiers = around;
        }
        result
    }

    fn quantified_formula(&mut self, which: Builtin, start: Span) -> Res<Value> {
        let mut names = Vec::new();
        loop {
            let ty = self.binder_type()?;
            loop {
                let (name, span) = self.identifier("a variable")?;
                names.push((name, span, ty));
                if !self.at(P::Comma)
                    || self.peek_at(2) != Tok::Punct(P::Comma) && self.peek_at(2) != Tok::Punct(P::Semi)
                {
                    break;
                }
                self.advance();
            }
            if !self.accept(P::Comma) {
                break;
            }
        }
        self.expect(P::Semi)?;
        let body = self.pos;
        let mut kinds: Vec<Ty> = Vec::new();
        if names.iter().any(|(_, _, ty)| ty.is_none()) {
            // Read to learn the bounds of integers, which may be other ones, and then with types that have room for them. What is not
            // settled lies inside of all bounds at once, so those of one may be computed with those of another.
            let mut domains = vec![REHEARSED; names.len()];
            for _ in 0..names.len().min(MOST_ROUNDS) {
                domains = self.rehearsed(which, &names, &domains)?;
                self.pos = body;
            }
            for ((name, span, ty), domain) in names.iter().zip(domains) {
                kinds.push(match ty {
                    Some(ty) => *ty,
                    None if domain.low == REHEARSED.low || domain.high == REHEARSED.high => {
                        let (text, link) = (self.text_of(*name), if which == Builtin::Forall { "==>" } else { "&&" });
                        let message = format!("the integer '{text}' needs bounds: low <= {text} < high {link} ...");
                        return self.fail(*span, message);
                    }
                    None => self.types.int_kind(domain.kind()),
                });
            }
        } else {
            kinds.extend(names.iter().filter_map(|(_, _, ty)| *ty));
        }
        let (vars, truth) = self.with_variables(&names, &kinds, &[])?;
        let (span, int) = (self.since(start), self.types.int());
        let mut e = truth.e;
        for (var, (_, at, _)) in vars.into_iter().zip(&names).rev() {
            let place = self.var_node(var, *at);
            let value = self.rvalue(place);
            e = expr(ExprKind::Builtin(which, vec![value, e]), int, span);
        }
        Ok(Value::Truth(Truth::plain(e)))
    }

    /// Where the variables lie if the formula is not settled by them, given where they lie anyway.
    fn rehearsed(
        &mut self,
        which: Builtin,
        names: &[(Name, Span, Option<Ty>)],
        domains: &[Interval],
    ) -> Res<Vec<Interval>> {
        let widest = self.types.int_kind(IntKind::Int128);
        let types: Vec<Ty> = names.iter().map(|(_, _, ty)| ty.unwrap_or(widest)).collect();
        let errors = self.errors.len();
        let was = self.acsl.as_mut().map(|reading| std::mem::replace(&mut reading.is_rehearsal, true));
        let read = self.with_variables(names, &types, domains);
        if let Some(reading) = self.reading() {
            reading.is_rehearsal = was.unwrap_or(false);
        }
        let (vars, truth) = read?;
        self.errors.truncate(errors);
        let facts = if which == Builtin::Forall { &truth.fails } else { &truth.holds };
        let domain = |(&var, &domain): (&VarId, &Interval)| {
            facts.iter().filter(|(known, _)| *known == var).fold(domain, |all, (_, fact)| all.meet(*fact))
        };
        Ok(vars.iter().zip(domains).map(domain).collect())
    }

    /// A type of C, or none for `integer`.
    fn binder_type(&mut self) -> Res<Option<Ty>> {
        if let Some(name) = self.peek_identifier()
            && self.names.text(name) == INTEGER
            && !self.names_type(name)
        {
            self.advance();
            return Ok(None);
        }
        let span = self.span();
        if !self.type_starts_at(0) {
            return self.fail(span, "a quantifier starts with 'integer' or a type of C, and its variables");
        }
        let ty = self.specifiers()?.ty;
        if !self.types.is_integer(ty) {
            return self.fail(span, "quantified variables are integers");
        }
        Ok(Some(ty.unqualified()))
    }

    /// Reads the formula with its variables in these types; while it is rehearsed, integers lie in these domains.
    fn with_variables(
        &mut self,
        names: &[(Name, Span, Option<Ty>)],
        types: &[Ty],
        domains: &[Interval],
    ) -> Res<(Vec<VarId>, Truth)> {
        self.scopes.open();
        let outer = self.quantified.len();
        let mut facts = Vec::new();
        for (index, (&(name, span, given), &ty)) in names.iter().zip(types).enumerate() {
            let text = self.text_of(name);
            let var = self.new_var(text, ty, Storage::Local, span);
            self.scopes.declare(name, Entity::Var(var, ty), span);
            self.quantified.push(var);
            if given.is_none() {
                facts.extend(domains.get(index).map(|domain| (var, *domain)));
            }
        }
        let read = self.knowing(&facts, |p| {
            let formula = p.formula()?;
            p.as_truth(formula)
        });
        let vars = self.quantified.split_off(outer);
        self.scopes.close();
        Ok((vars, read?))
    }
}
