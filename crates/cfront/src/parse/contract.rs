//! Contracts as CBMC writes them: clauses after the declarator of a function and after the head of a loop.
//!
//! A function's clauses are read once the function is declared, in a scope of their own with variables for its parameters.
//! What a clause says of the state before (`__CPROVER_old`, `__CPROVER_loop_entry`) becomes a variable too.

use base::Span;

use crate::hir::{
    Assigned, AssignedTarget, Contract, ElemSize, Expr, ExprKind, FuncId, LoopContract, Stmt, StmtKind, Storage, VarId,
};
use crate::inject::Extent;
use crate::token::{Name, P, Tok, TokenStream};
use crate::types::{Qualifiers, Ty};
use crate::walk::walk_expr;

use super::scope::Entity;
use super::typed::is_lvalue;
use super::{FunctionState, Parser, Res};

const REQUIRES: &str = "__CPROVER_requires";
const ENSURES: &str = "__CPROVER_ensures";
const ASSIGNS: &str = "__CPROVER_assigns";
const FREES: &str = "__CPROVER_frees";
const INVARIANT: &str = "__CPROVER_loop_invariant";
const DECREASES: &str = "__CPROVER_decreases";
/// Clauses whose meaning is not known here: an error rather than a contract that says less.
const UNKNOWN: [&str; 2] = ["__CPROVER_requires_contract", "__CPROVER_ensures_contract"];

const RESULT: &str = "__CPROVER_return_value";
const OLD: &str = "__CPROVER_old";
const LOOP_ENTRY: &str = "__CPROVER_loop_entry";

/// Names that mean something inside of clauses only.
pub(super) fn is_contract_name(name: &str) -> bool {
    [RESULT, OLD, LOOP_ENTRY].contains(&name)
}

/// What the clause being read may name beside the variables in scope.
pub(super) struct Clause {
    /// The function by which the past is named, and what it was asked for so far.
    past: &'static str,
    history: Vec<(VarId, Expr)>,
    result: Option<VarId>,
}

impl Clause {
    /// Of what holds after a call.
    pub(super) fn after(history: Vec<(VarId, Expr)>, result: Option<VarId>) -> Clause {
        Clause { past: OLD, history, result }
    }

    /// Of a loop.
    pub(super) fn at_loop(history: Vec<(VarId, Expr)>) -> Clause {
        Clause { past: LOOP_ENTRY, history, result: None }
    }

    pub(super) fn into_history(self) -> Vec<(VarId, Expr)> {
        self.history
    }

    pub(super) fn result(&self) -> Option<VarId> {
        self.result
    }
}

/// Names that start a clause.
pub(crate) fn is_clause_name(name: &str) -> bool {
    [REQUIRES, ENSURES, ASSIGNS, FREES, INVARIANT, DECREASES].contains(&name) || UNKNOWN.contains(&name)
}

impl Parser {
    fn clause_name(&self) -> Option<String> {
        let text = self.names.text(self.peek_identifier()?);
        (is_clause_name(text) && self.peek_at(1) == Tok::Punct(P::LParen)).then(|| text.to_owned())
    }

    /// Passes over clauses; where they start, if there are any.
    pub(super) fn skip_clauses(&mut self) -> Res<Option<usize>> {
        let start = self.pos;
        while self.clause_name().is_some() {
            self.advance();
            self.advance();
            self.skip_balanced(P::LParen, P::RParen)?;
        }
        Ok((self.pos > start).then_some(start))
    }

    /// Reads the contract of a function, whose clauses start at `start`, or are these annotations.
    pub(super) fn function_contract(
        &mut self,
        id: FuncId,
        names: &[Option<Name>],
        start: Option<usize>,
        annotations: &[usize],
    ) -> Res<()> {
        let span = match (start, annotations.first()) {
            (None, None) => return Ok(()),
            (Some(start), None) => self.stream.tokens[start].span,
            (None, Some(&first)) => self.annotation_span(first),
            (Some(_), Some(&first)) => {
                let span = self.annotation_span(first);
                return self.fail(span, "a contract in ACSL of a function that has another one");
            }
        };
        if let Some(known) = &self.funcs[id].contract {
            let other = known.span;
            // A header that several files include.
            if !self.is_same_place(other, span) {
                let text = format!("a second contract of '{}'", self.funcs[id].name);
                self.clash(span, text, Some(other));
            }
            return Ok(());
        }
        let contract = self.read_contract(id, names, span, |p, contract| match start {
            Some(start) => p.clauses_at(start, contract),
            None => {
                // Without the clause, ACSL says nothing of what is written.
                contract.may_write_anything = true;
                annotations.iter().try_for_each(|&annotation| p.acsl_contract(annotation, contract))
            }
        })?;
        self.funcs[id].contract = contract.map(Box::new);
        Ok(())
    }

    fn clauses_at(&mut self, start: usize, contract: &mut Contract) -> Res<()> {
        let after = std::mem::replace(&mut self.pos, start);
        while let Some(clause) = self.clause_name() {
            self.function_clause(&clause, contract)?;
        }
        self.pos = after;
        Ok(())
    }

    fn read_contract(
        &mut self,
        id: FuncId,
        names: &[Option<Name>],
        span: Span,
        read: impl FnOnce(&mut Parser, &mut Contract) -> Res<()>,
    ) -> Res<Option<Contract>> {
        let Some(f) = self.types.function(self.funcs[id].ty).cloned() else { return Ok(None) };
        let state = FunctionState::new(id, self.funcs[id].name.clone(), &f, Vec::new());
        let outer = self.func.replace(state);
        self.scopes.open();
        let mut params = Vec::new();
        for (i, &ty) in f.params.iter().enumerate() {
            let name = names.get(i).copied().flatten();
            let text = name.map_or_else(|| format!("p{i}"), |name| self.text_of(name));
            let var = self.new_var(text, ty, Storage::Param, span);
            params.push(var);
            if let Some(name) = name {
                self.scopes.declare(name, Entity::Var(var, ty), span);
            }
        }
        let result = (!self.types.is_void(f.ret))
            .then(|| self.new_generated("<result>", f.ret.unqualified(), Storage::Local, span));
        let mut contract = Contract {
            params,
            result,
            requires: Vec::new(),
            ensures: Vec::new(),
            assigns: Vec::new(),
            frees: Vec::new(),
            history: Vec::new(),
            locals: Vec::new(),
            is_precondition: false,
            may_write_anything: false,
            span,
        };
        read(self, &mut contract)?;
        self.scopes.close();
        contract.locals = self.func.take().map(|state| state.locals).unwrap_or_default();
        self.func = outer;
        Ok(Some(contract))
    }

    /// Reads what is claimed from outside about a function that is being defined.
    pub(super) fn injected_claims(&mut self, id: FuncId, names: &[Option<Name>]) -> Res<()> {
        let Some(parameters) = self.types.function(self.funcs[id].ty).map(|f| f.params.len()) else { return Ok(()) };
        for index in 0..self.claims.len() {
            let (claim, clauses, used) = &mut self.claims[index];
            // The parameters of a K&R definition may be declared otherwise.
            if claim.function != self.funcs[id].name || parameters != names.len() {
                continue;
            }
            *used = true;
            let number = claim.number;
            std::mem::swap(&mut self.stream, clauses);
            let outer = self.pos;
            let span = self.stream.tokens[0].span;
            let read = self.read_contract(id, names, span, |p, contract| p.clauses_at(0, contract));
            self.pos = outer;
            std::mem::swap(&mut self.stream, &mut self.claims[index].1);
            if let Some(contract) = read? {
                self.funcs[id].claims.push((number, contract));
            }
        }
        Ok(())
    }

    /// Gives a function that is being defined the contract from outside, if there is one and it has none of its own.
    pub(super) fn injected_contract(&mut self, id: FuncId, names: &[Option<Name>]) -> Res<()> {
        let func = &self.funcs[id];
        let is_its = |given: &mut (String, TokenStream, Extent)| given.0 == func.name && func.contract.is_none();
        let Some((_, own, extent)) = self.given_contract.take_if(is_its) else { return Ok(()) };
        let outer = (std::mem::replace(&mut self.stream, own), self.pos);
        let read = self.function_contract(id, names, Some(0), &[]);
        (self.stream, self.pos) = outer;
        if let (Extent::Precondition, Some(contract)) = (extent, &mut self.funcs[id].contract) {
            contract.is_precondition = true;
            contract.may_write_anything = true;
        }
        read
    }

    fn function_clause(&mut self, clause: &str, contract: &mut Contract) -> Res<()> {
        let start = self.span();
        self.advance();
        self.expect(P::LParen)?;
        match clause {
            REQUIRES => {
                let conditions = self.conditions()?;
                contract.requires.extend(conditions);
            }
            ENSURES => {
                let history = std::mem::take(&mut contract.history);
                self.clause = Some(Clause::after(history, contract.result));
                let conditions = self.conditions();
                contract.history = self.clause.take().map_or_else(Vec::new, |clause| clause.history);
                contract.ensures.extend(conditions?);
            }
            ASSIGNS => {
                let targets = self.assigned()?;
                contract.assigns.extend(targets);
            }
            FREES => {
                while !self.at(P::RParen) {
                    let pointer = self.assignment()?;
                    let pointer = self.rvalue(pointer);
                    contract.frees.push(pointer);
                    if !self.accept(P::Comma) && !self.accept(P::Semi) {
                        break;
                    }
                }
            }
            _ => return self.unknown_clause(clause, start, "a function"),
        }
        self.expect(P::RParen)?;
        Ok(())
    }

    fn unknown_clause<T>(&mut self, clause: &str, span: Span, of: &str) -> Res<T> {
        self.fail(span, format!("'{clause}' in the contract of {of} is not known here"))
    }

    /// Conditions separated by commas.
    fn conditions(&mut self) -> Res<Vec<Expr>> {
        let mut found = Vec::new();
        loop {
            let e = self.nested(Parser::assignment)?;
            found.push(self.condition(e)?);
            if !self.accept(P::Comma) {
                return Ok(found);
            }
        }
    }

    /// What may be written: `a, b; condition: c, d`.
    fn assigned(&mut self) -> Res<Vec<Assigned>> {
        let mut found = Vec::new();
        let mut condition = None;
        while !self.at(P::RParen) {
            let start = self.span();
            if let Some(target) = self.named_target(start)? {
                found.push(Assigned { condition: condition.clone(), target, span: self.since(start) });
            } else {
                let e = self.nested(Parser::conditional)?;
                if self.accept(P::Colon) {
                    condition = Some(self.condition(e)?);
                    continue;
                }
                if !is_lvalue(&e) {
                    return self
                        .fail(e.span, "what is assigned is a place, or a target such as __CPROVER_object_whole");
                }
                let target = AssignedTarget::Place(e);
                found.push(Assigned { condition: condition.clone(), target, span: self.since(start) });
            }
            if self.accept(P::Semi) {
                condition = None;
            } else if !self.accept(P::Comma) {
                break;
            }
        }
        Ok(found)
    }

    /// `__CPROVER_object_whole(p)` and the like.
    fn named_target(&mut self, start: Span) -> Res<Option<AssignedTarget>> {
        let Some(name) = self.peek_identifier() else { return Ok(None) };
        let text = self.text_of(name);
        let Some(short) = text.strip_prefix("__CPROVER_").filter(|_| self.peek_at(1) == Tok::Punct(P::LParen)) else {
            return Ok(None);
        };
        if !matches!(short, "object_whole" | "object_from" | "object_upto" | "typed_target" | "assignable") {
            return Ok(None);
        }
        self.advance();
        self.advance();
        let first = self.nested(Parser::assignment)?;
        let target = match short {
            "typed_target" if is_lvalue(&first) => AssignedTarget::Place(first),
            "object_whole" => AssignedTarget::Whole(self.target_pointer(first)?),
            "object_from" => AssignedTarget::From(self.target_pointer(first)?),
            "object_upto" => {
                let pointer = self.target_pointer(first)?;
                self.expect(P::Comma)?;
                let size = self.nested(Parser::assignment)?;
                let size_t = self.types.size_t();
                AssignedTarget::Upto(pointer, self.convert_for(size, size_t, "in argument")?)
            }
            _ => return self.fail(start, format!("'{text}' as a target of assigns is not known here")),
        };
        self.expect(P::RParen)?;
        Ok(Some(target))
    }

    fn target_pointer(&mut self, e: Expr) -> Res<Expr> {
        let e = self.rvalue(e);
        if self.types.is_pointer(e.ty) {
            return Ok(e);
        }
        self.fail(e.span, "a pointer is expected")
    }

    /// The contract of the loop whose head was read, with the annotations in front of it; it goes in front of the loop.
    pub(super) fn loop_contract(&mut self, annotations: &[usize], out: &mut Vec<Stmt>) -> Res<()> {
        let start = self.span();
        let mut contract = LoopContract {
            invariants: Vec::new(),
            decreases: Vec::new(),
            is_variant: false,
            history: Vec::new(),
            span: start,
        };
        if let Some(&first) = annotations.first() {
            contract.span = self.annotation_span(first);
            annotations.iter().try_for_each(|&annotation| self.acsl_loop(annotation, &mut contract))?;
            let clash = self.clause_name().is_some();
            let span = contract.span;
            out.push(Stmt { kind: StmtKind::LoopContract(Box::new(contract)), span });
            return if clash {
                self.fail(span, "a loop with contracts in ACSL and in CBMC's language")
            } else {
                Ok(())
            };
        }
        let mut any = false;
        while let Some(name) = self.clause_name() {
            any = true;
            let at = self.span();
            self.advance();
            self.expect(P::LParen)?;
            let history = std::mem::take(&mut contract.history);
            self.clause = Some(Clause::at_loop(history));
            match name.as_str() {
                INVARIANT => {
                    let conditions = self.conditions()?;
                    contract.invariants.extend(conditions);
                }
                DECREASES => loop {
                    let e = self.nested(Parser::assignment)?;
                    let e = self.rvalue(e);
                    if !self.types.is_integer(e.ty) {
                        return self.fail(e.span, "what decreases is an integer");
                    }
                    contract.decreases.push(e);
                    if !self.accept(P::Comma) {
                        break;
                    }
                },
                // Which variables a loop writes is found without help.
                ASSIGNS => {
                    self.assigned()?;
                }
                _ => return self.unknown_clause(&name, at, "a loop"),
            }
            contract.history = self.clause.take().map_or_else(Vec::new, |clause| clause.history);
            self.expect(P::RParen)?;
        }
        if any {
            contract.span = self.since(start);
            out.push(Stmt { kind: StmtKind::LoopContract(Box::new(contract)), span: self.since(start) });
        }
        Ok(())
    }

    /// The result, or something of the past, the name taken.
    pub(super) fn contract_name(&mut self, name: &str, span: Span) -> Res<Expr> {
        if name == RESULT {
            return match self.clause.as_ref().and_then(|clause| clause.result) {
                Some(var) => Ok(self.var_node(var, span)),
                None => self.fail(span, format!("'{RESULT}' where there is no result")),
            };
        }
        if self.clause.as_ref().is_none_or(|clause| clause.past != name) {
            return self.fail(span, format!("'{name}' outside of a clause that may speak of the past"));
        }
        self.expect(P::LParen)?;
        let e = self.nested(Parser::assignment)?;
        self.expect(P::RParen)?;
        self.remembered(e, &name["__CPROVER_".len()..], span)
    }

    /// What `e` was in the state that the clause may speak of besides the one it is about.
    pub(super) fn remembered(&mut self, e: Expr, name: &str, span: Span) -> Res<Expr> {
        let is_place = is_lvalue(&e) && !self.types.is_scalar(e.ty) && !self.types.is_function(e.ty);
        let e = if is_place { e } else { self.rvalue(e) };
        let mut free = true;
        walk_expr(&e, &mut |part| free &= !matches!(part.kind, ExprKind::Var(id) if self.quantified.contains(&id)));
        if !free {
            return self.fail(e.span, format!("{name} of what depends on a quantified variable"));
        }
        if !self.types.is_complete(e.ty) || self.types.is_vla(e.ty) || self.types.is_void(e.ty) {
            return self.fail(e.span, format!("{name} of something without a constant size"));
        }
        let ty = self.unqualified_copy(e.ty);
        let whole = self.since(span);
        // What is asked for twice is remembered once: clauses that speak of the same past are easier to prove together.
        let known = self.clause.iter().flat_map(|clause| &clause.history).find(|(_, known)| is_same(known, &e));
        if let Some(&(var, _)) = known {
            return Ok(self.var_node(var, whole));
        }
        let var = self.new_generated(&format!("<{name}>"), ty, Storage::Local, whole);
        if is_place {
            // It is copied as a whole.
            self.var_mut(var).address_taken = true;
        }
        if let Some(clause) = &mut self.clause {
            clause.history.push((var, e));
        }
        Ok(self.var_node(var, whole))
    }

    /// The type without qualifiers, also those of an array's elements.
    fn unqualified_copy(&mut self, ty: Ty) -> Ty {
        match self.types[ty] {
            crate::types::Type::Array(of, len) => {
                let of = self.unqualified_copy(of);
                self.types.intern(crate::types::Type::Array(of, len))
            }
            _ => ty.unqualified().with(Qualifiers::NONE),
        }
    }
}

/// Whether both are the same expression: of what the past is asked for mostly. Where it cannot be told, they are not.
fn is_same(a: &Expr, b: &Expr) -> bool {
    use ExprKind::{AddrOf, Cast, Decay, Deref, Field, Int, Load, PtrAdd, Var};
    let kinds = match (&a.kind, &b.kind) {
        (Var(a), Var(b)) => a == b,
        (Int(a), Int(b)) => a == b,
        (Field(a, i), Field(b, j)) => i == j && is_same(a, b),
        (Deref(a), Deref(b)) | (Load(a), Load(b)) | (AddrOf(a), AddrOf(b)) => is_same(a, b),
        (Decay(a), Decay(b)) | (Cast(a), Cast(b)) => is_same(a, b),
        (
            PtrAdd { ptr: p, index: i, size: ElemSize::Const(m), negative: s },
            PtrAdd { ptr: q, index: j, size: ElemSize::Const(n), negative: t },
        ) => m == n && s == t && is_same(p, q) && is_same(i, j),
        _ => false,
    };
    kinds && a.ty == b.ty
}
