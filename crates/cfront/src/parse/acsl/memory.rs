//! What ACSL says of memory: places in a row, `\valid`, `\valid_read`, `\separated`.

use base::Span;

use crate::hir::{BinaryOp, Builtin, Expr, ExprKind};
use crate::token::P;

use super::super::typed::expr;
use super::super::{Parser, Res};
use super::interval::Interval;
use super::value::{Cells, Integer, Value};

impl Parser {
    /// `pointer + number` or a row of addresses.
    pub(super) fn pointer_sum(&mut self, base: Value, index: Value, negative: bool, span: Span) -> Res<Value> {
        let Value::C(base) = base else { return self.fail(span, "a pointer or an array is expected") };
        let pointer = self.decay_to_access(base);
        if !self.types.is_pointer(pointer.ty) {
            return self.fail(span, "a pointer or an array is expected");
        }
        match index {
            Value::Range(low, high) if !negative => Ok(Value::Addresses(Cells { pointer, low, high })),
            Value::C(e) if self.types.is_pointer(e.ty) || self.types.is_array(e.ty) => {
                self.fail(span, "the difference of pointers in ACSL is not known here")
            }
            index => {
                let index = self.as_integer(index)?;
                let index = self.as_index(index, span)?;
                Ok(Value::C(self.pointer_add(pointer, index, negative, span)?))
            }
        }
    }

    /// The number as C counts elements.
    fn as_index(&mut self, index: Integer, span: Span) -> Res<Expr> {
        let width = self.model.word() as u32 * 8;
        let fits = Interval::of_type(width, true).is_some_and(|all| all.has(index.range));
        let is_natural = Interval::of_type(width, false).is_some_and(|all| all.has(index.range));
        let ty = match (fits, is_natural) {
            (true, _) => self.types.ptrdiff_t(),
            (false, true) => self.types.size_t(),
            (false, false) if self.is_rehearsal() => self.types.ptrdiff_t(),
            _ => return self.fail(span, "this index may need more bits than a pointer has"),
        };
        Ok(self.cast(index.e, ty))
    }

    /// What addresses lead to.
    pub(super) fn pointed_to(&mut self, address: Value, span: Span) -> Res<Value> {
        match address {
            Value::Addresses(cells) => Ok(Value::Cells(cells)),
            Value::C(pointer) => {
                let pointer = self.decay_to_access(pointer);
                let is_void = self.types.pointee(pointer.ty).is_some_and(|to| self.types.is_void(to));
                if is_void {
                    return self.fail(span, "a void pointer leads to nothing in particular: cast it");
                }
                Ok(Value::C(self.deref(pointer, span)?))
            }
            _ => self.fail(span, "'*' needs a pointer"),
        }
    }

    /// Where places in a row begin, and how many bytes they have: none if the last one is before the first. What is more than any object has
    /// is more than any object has here too.
    pub(super) fn bytes_of(&mut self, cells: Cells, span: Span) -> Res<(Expr, Expr)> {
        let Cells { pointer, low, high } = cells;
        let to = self.types.pointee(pointer.ty);
        let Some(size) = to.and_then(|to| self.types.size_of(to)).filter(|size| *size > 0) else {
            return self.fail(span, "how large one element is is not known");
        };
        let count = self.count(&low, &high, span)?;
        let start = match low.range.constant() {
            Some(0) => pointer,
            _ => {
                // Only then is the address that of the element, and none that wraps around.
                let address = low.range.mul(Interval::only(size.into()));
                let is_near = Interval::of_type(self.model.word() as u32 * 8, true)
                    .zip(address)
                    .is_some_and(|(all, own)| all.has(own));
                if !is_near && !self.is_rehearsal() {
                    return self.fail(span, "the first of these elements may be further away than addresses go");
                }
                let low = self.as_index(low, span)?;
                self.pointer_add(pointer, low, false, span)?
            }
        };
        let size_t = self.types.size_t();
        let zero = self.size_node(0, span);
        let above = |p: &mut Parser, limit: i128| {
            let limit = p.constant(limit, span);
            let kind = count.range.hull(limit.range).kind();
            let (count, limit) = (p.in_kind(count.e.clone(), kind), p.in_kind(limit.e, kind));
            p.binary(BinaryOp::Gt, count, limit, span)
        };
        let most = (i128::from(self.model.word()) * 8 - 1).clamp(1, 63) as u32;
        let most = ((1i128 << most) - 1) / i128::from(size);
        let number = self.cast(count.e.clone(), size_t);
        let one = self.size_node(size, span);
        let mut bytes = self.binary(BinaryOp::Mul, number, one, span)?;
        let choice = |condition: Expr, then: Expr, other: Expr| {
            expr(ExprKind::Cond(Box::new(condition), Box::new(then), Box::new(other)), size_t, span)
        };
        if count.range.high > most {
            let too_many = above(self, most)?;
            let all = self.int_node(-1, size_t, span);
            bytes = choice(too_many, all, bytes);
        }
        if count.range.low < 0 {
            let some = above(self, 0)?;
            bytes = choice(some, bytes, zero);
        }
        Ok((start, bytes))
    }

    /// `high - low + 1`, as simple as it can be said.
    fn count(&mut self, low: &Integer, high: &Integer, span: Span) -> Res<Integer> {
        if let (Some(first), Some((of, constant))) = (low.range.constant(), high.as_sum())
            && let Some(more) = constant.checked_add(1).and_then(|more| more.checked_sub(first))
        {
            let of = of.clone();
            if more == 0 {
                return Ok(of);
            }
            let more = self.constant(more, span);
            return self.exactly_computed(BinaryOp::Add, of, more, span);
        }
        let difference = self.exactly_computed(BinaryOp::Sub, high.clone(), low.clone(), span)?;
        let one = self.constant(1, span);
        self.exactly_computed(BinaryOp::Add, difference, one, span)
    }

    /// The addresses that a predicate speaks of.
    fn addresses(&mut self) -> Res<(Expr, Expr)> {
        let start = self.span();
        let cells = match self.nested(Parser::formula)? {
            Value::Addresses(cells) => cells,
            Value::C(pointer) => {
                let pointer = self.rvalue(pointer);
                if !self.types.is_pointer(pointer.ty) {
                    return self.fail(self.since(start), "a pointer, or several, is expected");
                }
                let zero = self.constant(0, start);
                Cells { pointer, low: zero.clone(), high: zero }
            }
            _ => return self.fail(self.since(start), "a pointer, or several, is expected"),
        };
        // An array whose address is kept somewhere.
        if let ExprKind::Decay(array) = &cells.pointer.kind {
            self.mark_address(&array.clone());
        }
        self.bytes_of(cells, self.since(start))
    }

    /// `(addresses, addresses, ...)`.
    fn address_list(&mut self) -> Res<Vec<(Expr, Expr)>> {
        self.expect(P::LParen)?;
        let mut all = vec![self.addresses()?];
        while self.accept(P::Comma) {
            all.push(self.addresses()?);
        }
        self.expect(P::RParen)?;
        Ok(all)
    }

    /// All of the predicates on memory, one for each list of arguments; none if there are no lists.
    fn memory_predicates(&mut self, which: Builtin, lists: Vec<Vec<Expr>>, start: Span) -> Res<Option<Value>> {
        let (truth, span) = (self.types.bool(), self.since(start));
        let mut all = None;
        for args in lists {
            let one = expr(ExprKind::Builtin(which, args), truth, span);
            all = Some(match all {
                None => one,
                Some(before) => self.logical(true, before, one, span)?,
            });
        }
        Ok(all.map(Value::truth))
    }

    /// `\valid(addresses, ...)`, the name taken.
    pub(super) fn validity(&mut self, which: Builtin, start: Span) -> Res<Value> {
        let lists = self.address_list()?.into_iter().map(|(pointer, bytes)| vec![pointer, bytes]).collect();
        match self.memory_predicates(which, lists, start)? {
            Some(all) => Ok(all),
            None => self.fail(start, "a pointer is expected"),
        }
    }

    /// `\separated(addresses, addresses, ...)`, the name taken: each from each.
    pub(super) fn separation(&mut self, start: Span) -> Res<Value> {
        let all = self.address_list()?;
        let mut pairs = Vec::new();
        for (i, (p, n)) in all.iter().enumerate() {
            pairs.extend(all[i + 1..].iter().map(|(q, m)| vec![p.clone(), n.clone(), q.clone(), m.clone()]));
        }
        match self.memory_predicates(Builtin::Separated, pairs, start)? {
            Some(holds) => Ok(holds),
            None => self.fail(start, "what is separated is at least two"),
        }
    }
}
