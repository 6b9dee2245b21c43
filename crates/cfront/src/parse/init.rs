//! Initialisers: braces, elided braces, designators, strings. The result is a flat list of (offset, type, value).
//!
//! Elided braces are handled by a path of frames, one per aggregate that is being filled without braces of its own;
//! designators replace the path below the innermost braces (C11 6.7.9).

use base::Span;

use crate::hir::{Chosen, Expr, ExprKind, Init, InitPart};
use crate::token::{P, Tok};
use crate::types::{BitField, Len, RecordId, Ty, Type};
use crate::walk::has_effects;

use super::fold::Value;
use super::typed::expr;
use super::{Parser, Res};

/// An initialiser may have this many parts after its ranges are written out.
const MAX_PARTS: usize = 4_000_000;

/// An aggregate being filled: the next part of it to initialise.
struct Frame {
    ty: Ty,
    offset: u64,
    next: u64,
}

/// A part of an aggregate.
struct Target {
    ty: Ty,
    offset: u64,
    bits: Option<BitField>,
}

/// `[a ... b]`: the array of the path it belongs to, how many further copies, and how far apart.
struct Range {
    depth: usize,
    extra: u64,
    stride: u64,
}

struct State {
    is_static: bool,
    parts: Vec<InitPart>,
    /// Bits from which on nothing has been written: parts from there on cannot overlap older ones.
    fresh: u64,
    unions: Vec<Chosen>,
    /// Of the elements of lists being read, the outermost first: how many parts are older.
    older: Vec<usize>,
}

impl State {
    fn new(is_static: bool) -> State {
        State { is_static, parts: Vec::new(), fresh: 0, unions: Vec::new(), older: Vec::new() }
    }

    /// Forgets what was written to these bits so far.
    fn clear(&mut self, from: u64, to: u64, range: impl Fn(&InitPart) -> (u64, u64)) {
        if from >= self.fresh {
            return;
        }
        let stays = |part: &InitPart| {
            let (start, end) = range(part);
            start < from || end > to
        };
        for count in &mut self.older {
            *count = self.parts[..*count].iter().filter(|part| stays(part)).count();
        }
        self.parts.retain(stays);
    }
}

impl Parser {
    /// What follows `=` (or a compound literal's type): the completed type, the initialiser, and the bytes that a
    /// flexible array member adds.
    pub(super) fn initializer(&mut self, ty: Ty, is_static: bool, span: Span) -> Res<(Ty, Init, u64)> {
        self.nested(|p| p.initializer_inner(ty, is_static, span))
    }

    fn initializer_inner(&mut self, ty: Ty, is_static: bool, span: Span) -> Res<(Ty, Init, u64)> {
        if !matches!(self.types[ty], Type::Array(..) | Type::Record(_) | Type::Vector(..)) {
            let value = self.scalar_initializer(ty, is_static)?;
            return Ok((ty, self.static_lanes(&value, is_static).unwrap_or(Init::Value(value)), 0));
        }
        if !self.types.is_complete(ty) && !matches!(self.types[ty], Type::Array(_, Len::Unknown)) {
            let shown = self.types.show(ty);
            return self.fail(span, format!("'{shown}' is incomplete and cannot be initialised"));
        }
        if self.types.is_vla(ty) {
            return self.fail(span, "a variable-length array cannot be initialised");
        }
        let mut state = State::new(is_static);
        if self.at(P::LBrace) {
            let count = self.braced(ty, 0, &mut state)?;
            let (ty, init, extra) = self.finished(ty, count, state);
            if self.types.size_of(ty).is_none_or(|size| size > crate::layout::max_object_size(&self.types)) {
                return self.fail(span, "the size of the array is too large");
            }
            return Ok((ty, init, extra));
        }
        let value = self.assignment()?;
        if self.types.is_array(ty) {
            return self.array_from(ty, value, state);
        }
        let value = self.convert_for(value, ty, "in initialisation")?;
        // A static struct from a compound literal: the literal's own initialiser.
        if is_static {
            return match self.literal_init(&value) {
                Some(init) => Ok((ty, init, 0)),
                None => self.fail(value.span, "the initialiser is not constant"),
            };
        }
        Ok((ty, Init::Value(value), 0))
    }

    /// A static complex object has parts.
    fn static_lanes(&self, value: &Expr, is_static: bool) -> Option<Init> {
        if is_static && self.lanes_of(value.ty).is_some() { self.literal_init(value) } else { None }
    }

    fn finished(&mut self, ty: Ty, count: u64, state: State) -> (Ty, Init, u64) {
        let ty = match self.types[ty] {
            Type::Array(of, Len::Unknown) => self.types.array(of, Len::Const(count)).with(ty.qualifiers()),
            _ => ty,
        };
        let extra = state.fresh.div_ceil(8).saturating_sub(self.types.size_of(ty).unwrap_or(0));
        (ty, Init::Parts(state.parts, state.unions), extra)
    }

    /// An array from a string, or (GNU) from a compound literal of its type.
    fn array_from(&mut self, ty: Ty, value: Expr, mut state: State) -> Res<(Ty, Init, u64)> {
        if let ExprKind::Str(id) = value.kind
            && self.takes_string(ty, &value)
        {
            let count = self.strings[id].units.len() as u64;
            let target = match self.types[ty] {
                Type::Array(of, Len::Unknown) => self.types.array(of, Len::Const(count)),
                _ => ty,
            };
            self.put(&mut state, Target { ty: target, offset: 0, bits: None }, value);
            return Ok((target, Init::Parts(state.parts, state.unions), 0));
        }
        let literal = match &value.kind {
            ExprKind::CompoundLiteral(_, init) => Some((**init).clone()),
            _ => self.literal_init(&value),
        };
        match literal {
            Some(init) if self.types.compatible(ty, value.ty) => {
                let whole = self.types.composite(ty, value.ty);
                Ok((whole, init, 0))
            }
            _ => self.fail(value.span, "an array is initialised by a list in braces or a string"),
        }
    }

    /// The initialiser of the static compound literal whose value this is.
    fn literal_init(&self, value: &Expr) -> Option<Init> {
        match &value.kind {
            ExprKind::Load(place) => self.literal_init(place),
            ExprKind::CompoundLiteral(_, init) => match &**init {
                Init::Parts(parts, _) if parts.iter().all(|p| self.is_constant_part(p)) => Some((**init).clone()),
                _ => None,
            },
            ExprKind::Var(id) if self.var(*id).generated => self.var(*id).init.clone(),
            _ => None,
        }
    }

    fn is_constant_part(&self, part: &InitPart) -> bool {
        matches!(part.value.kind, ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Address(..) | ExprKind::Str(_))
    }

    fn scalar_initializer(&mut self, ty: Ty, is_static: bool) -> Res<Expr> {
        if self.at(P::LBrace) {
            return self.nested(|p| {
                p.advance();
                if p.accept(P::RBrace) {
                    // C23: `int x = {};` is zero.
                    let zero = p.int_of(0, p.last_span());
                    return p.scalar_value(zero, ty, is_static);
                }
                let value = p.scalar_initializer(ty, is_static)?;
                while p.accept(P::Comma) && !p.at(P::RBrace) {
                    // gcc drops excess elements with a warning.
                    p.assignment()?;
                }
                p.expect(P::RBrace)?;
                Ok(value)
            });
        }
        let value = self.assignment()?;
        self.scalar_value(value, ty, is_static)
    }

    fn scalar_value(&mut self, value: Expr, ty: Ty, is_static: bool) -> Res<Expr> {
        let value = self.convert_for(value, ty, "in initialisation")?;
        if is_static { self.constant_initializer(value) } else { Ok(value) }
    }

    /// The value as a constant node; static initialisers may hold nothing else.
    pub(super) fn constant_initializer(&mut self, e: Expr) -> Res<Expr> {
        if matches!(e.kind, ExprKind::Unsupported(_))
            || self.lanes_of(e.ty).is_some() && self.literal_init(&e).is_some()
        {
            return Ok(e);
        }
        let Some(value) = self.eval(&e) else {
            return self.fail(e.span, "the initialiser is not constant");
        };
        if self.is_kept(&e) || self.kept.pointer && self.is_outside(value) {
            return Ok(self.unsupported("a static initialiser that violates what is checked", e.ty, e.span));
        }
        let kind = match value {
            Value::Int(bits) => ExprKind::Int(bits),
            Value::Float(bits) => ExprKind::Float(bits),
            Value::Address(symbol, offset) => {
                let address = ExprKind::Address(symbol, offset);
                if self.types.is_pointer(e.ty) {
                    address
                } else {
                    let void = self.types.void();
                    let pointer = self.types.pointer(void);
                    ExprKind::Cast(Box::new(expr(address, pointer, e.span)))
                }
            }
        };
        Ok(expr(kind, e.ty, e.span))
    }

    /// A list in braces for an aggregate at `offset`; gives the number of elements an array needs for it.
    fn braced(&mut self, ty: Ty, offset: u64, state: &mut State) -> Res<u64> {
        self.nested(|p| {
            let start = p.expect(P::LBrace)?;
            if let Some(size) = p.types.size_of(ty) {
                state.clear(offset * 8, (offset + size) * 8, |part| p.part_range(part));
            }
            // `char s[] = { "text" }`
            if p.peek() == Tok::Str && p.types.is_array(ty) {
                let mut after = 1;
                while p.peek_at(after) == Tok::Str {
                    after += 1;
                }
                let alone = matches!(p.peek_at(after), Tok::Punct(P::RBrace))
                    || (p.peek_at(after) == Tok::Punct(P::Comma) && p.peek_at(after + 1) == Tok::Punct(P::RBrace));
                if alone && p.is_character_array(ty) {
                    let value = p.string()?;
                    p.accept(P::Comma);
                    p.expect(P::RBrace)?;
                    return p.string_element(ty, offset, value, state);
                }
            }
            let mut path = vec![Frame { ty, offset, next: 0 }];
            let mut count = 0;
            while !p.accept(P::RBrace) {
                // Elements are trees of their own: their operators do not add up.
                let operators = p.operators;
                p.list_item(&mut path, state, &mut count, start)?;
                p.operators = operators;
                if !p.accept(P::Comma) {
                    p.expect(P::RBrace)?;
                    break;
                }
            }
            Ok(count.max(path[0].next_if_array(p)))
        })
    }

    fn string_element(&mut self, ty: Ty, offset: u64, value: Expr, state: &mut State) -> Res<u64> {
        let ExprKind::Str(id) = value.kind else { return Ok(0) };
        if !self.takes_string(ty, &value) {
            return self.fail(value.span, "the string does not fit the element type of the array");
        }
        let count = self.strings[id].units.len() as u64;
        let target = match self.types[ty] {
            Type::Array(of, Len::Unknown) => self.types.array(of, Len::Const(count)),
            _ => ty,
        };
        self.put(state, Target { ty: target, offset, bits: None }, value);
        Ok(count)
    }

    fn is_character_array(&self, ty: Ty) -> bool {
        self.types.element(ty).is_some_and(|of| self.types.is_integer(of))
    }

    /// Can an array of this type be initialised by this string literal?
    fn takes_string(&self, ty: Ty, value: &Expr) -> bool {
        let (Some(of), Some(unit)) = (self.types.element(ty), self.types.element(value.ty)) else { return false };
        self.types.is_integer(of)
            && self.types.size_of(of) == self.types.size_of(unit)
            && !matches!(self.types[of], Type::Bool | Type::Enum(_))
    }

    /// One element of a braced list, with its designators.
    fn list_item(&mut self, path: &mut Vec<Frame>, state: &mut State, count: &mut u64, start: Span) -> Res<()> {
        state.older.push(state.parts.len());
        let outcome = self.list_element(path, state, count, start);
        state.older.pop();
        outcome
    }

    fn list_element(&mut self, path: &mut Vec<Frame>, state: &mut State, count: &mut u64, start: Span) -> Res<()> {
        let mut range = None;
        let old_style = self.peek_identifier().is_some() && self.peek_at(1) == Tok::Punct(P::Colon);
        if self.at(P::Dot) || self.at(P::LBracket) || old_style {
            range = self.designators(path, state)?;
        }
        let mut value = None;
        loop {
            let Some(target) = self.next_target(path, state) else {
                // Excess elements: gcc warns and drops them.
                if value.is_none() {
                    self.skip_initializer()?;
                }
                return Ok(());
            };
            if value.is_none() && self.at(P::LBrace) {
                self.braced_target(target, state)?;
                break;
            }
            let e = match value.take() {
                Some(e) => e,
                None => self.assignment()?,
            };
            match self.types[target.ty] {
                Type::Array(..) if matches!(e.kind, ExprKind::Str(_)) && self.takes_string(target.ty, &e) => {
                    self.string_element(target.ty, target.offset, e, state)?;
                    break;
                }
                Type::Record(_) | Type::Vector(..) | Type::Complex(_) if self.types.compatible(target.ty, e.ty) => {
                    let span = e.span;
                    let e = self.convert_for(e, target.ty, "in initialisation")?;
                    if state.is_static {
                        self.splice_literal(&target, &e, span, state)?;
                    } else {
                        self.put(state, target, e);
                    }
                    break;
                }
                // An aggregate without parts has no room: an excess element.
                Type::Array(..) | Type::Record(_) | Type::Vector(..)
                    if self.part_of(target.ty, target.offset, 0).is_none() =>
                {
                    break;
                }
                Type::Complex(_) if state.is_static => {
                    let (ty, span) = (target.ty, e.span);
                    let e = self.scalar_value(e, ty, true)?;
                    self.splice_literal(&target, &e, span, state)?;
                    break;
                }
                Type::Array(..) | Type::Record(_) | Type::Vector(..) => {
                    if path.len() > 64 {
                        return self.fail(start, "initialiser nested too deeply");
                    }
                    path.push(Frame { ty: target.ty, offset: target.offset, next: 0 });
                    value = Some(e);
                }
                _ => {
                    let e = self.scalar_value(e, target.ty, state.is_static)?;
                    self.put(state, target, e);
                    break;
                }
            }
        }
        if let Some(range) = range {
            if let Some(frame) = path.get_mut(range.depth) {
                frame.next = frame.next.saturating_add(range.extra);
            }
            let from = state.older.last().copied().unwrap_or(0);
            self.repeat(state, from, range.extra, range.stride, start)?;
        }
        *count = (*count).max(path[0].next_if_array(self));
        Ok(())
    }

    fn braced_target(&mut self, target: Target, state: &mut State) -> Res<()> {
        if !matches!(self.types[target.ty], Type::Array(..) | Type::Record(_) | Type::Vector(..)) {
            let value = self.scalar_initializer(target.ty, state.is_static)?;
            if state.is_static && self.lanes_of(target.ty).is_some() {
                let span = value.span;
                return self.splice_literal(&target, &value, span, state);
            }
            self.put(state, target, value);
            return Ok(());
        }
        self.braced(target.ty, target.offset, state)?;
        Ok(())
    }

    /// A static struct member given as a compound literal: take over the literal's parts.
    fn splice_literal(&mut self, target: &Target, e: &Expr, span: Span, state: &mut State) -> Res<()> {
        match self.literal_init(e) {
            Some(Init::Parts(parts, _)) => {
                for part in parts {
                    let bits = part.bits.map(|b| BitField { offset: b.offset + target.offset * 8, ..b });
                    let inner = Target { ty: part.ty, offset: part.offset + target.offset, bits };
                    self.put(state, inner, part.value);
                }
                Ok(())
            }
            _ => self.fail(span, "the initialiser is not constant"),
        }
    }

    /// An excess element is parsed for its syntax only.
    fn skip_initializer(&mut self) -> Res<()> {
        if self.accept(P::LBrace) {
            return self.skip_balanced(P::LBrace, P::RBrace);
        }
        self.assignment()?;
        Ok(())
    }

    /// The next part to initialise; moves the path past it.
    fn next_target(&mut self, path: &mut Vec<Frame>, state: &mut State) -> Option<Target> {
        loop {
            let top = path.last_mut()?;
            if let Some(target) = self.part_of(top.ty, top.offset, top.next) {
                if let Some(record) = self.types.record(top.ty)
                    && self.types.records[record].is_union
                {
                    self.choose_member(state, top.offset, record, top.next);
                    top.next = u64::MAX;
                } else {
                    top.next += 1;
                }
                return Some(target);
            }
            if path.len() == 1 {
                return None;
            }
            path.pop();
        }
    }

    /// A union keeps the last member that was initialised.
    fn choose_member(&self, state: &mut State, offset: u64, record: RecordId, member: u64) {
        match state.unions.iter_mut().find(|u| u.offset == offset && u.record == record) {
            Some(known) if known.member == member => return,
            Some(known) => known.member = member,
            None => {
                state.unions.push(Chosen { offset, record, member });
                return;
            }
        }
        let end = offset + self.types.records[record].size;
        state.clear(offset * 8, end * 8, |part| self.part_range(part));
    }

    /// Part number `index` of an aggregate at `offset`.
    fn part_of(&self, ty: Ty, offset: u64, index: u64) -> Option<Target> {
        match self.types[ty] {
            Type::Array(of, len) => {
                let within = match len {
                    Len::Const(n) => index < n,
                    _ => index < u64::MAX,
                };
                let at = index.checked_mul(self.types.size_of(of)?)?.checked_add(offset)?;
                within.then_some(Target { ty: of, offset: at, bits: None })
            }
            Type::Vector(of, bytes) => {
                let size = self.types.size_of(of)?;
                let at = index.checked_mul(size)?;
                (at < bytes).then_some(Target { ty: of, offset: offset + at, bits: None })
            }
            Type::Record(id) => {
                let field = self.types.records[id].fields.get(usize::try_from(index).ok()?)?;
                let bits = field.bits.map(|b| BitField { offset: b.offset + offset * 8, ..b });
                Some(Target { ty: field.ty, offset: offset + field.offset, bits })
            }
            _ => None,
        }
    }

    /// `.a[2].b =`, `a:`, `[1 ... 3] =`: sets the path; gives the range, if one was named.
    fn designators(&mut self, path: &mut Vec<Frame>, state: &mut State) -> Res<Option<Range>> {
        path.truncate(1);
        let mut range = None;
        let mut first = true;
        loop {
            let span = self.span();
            let old_style = first && self.peek_identifier().is_some() && self.peek_at(1) == Tok::Punct(P::Colon);
            if !(self.at(P::Dot) || self.at(P::LBracket) || old_style) {
                break;
            }
            if !first {
                // Go into the part named so far.
                let Some(target) = self.next_target(path, state) else {
                    return self.fail(span, "designator goes into nothing");
                };
                if !matches!(self.types[target.ty], Type::Array(..) | Type::Record(_)) {
                    return self.fail(span, "designator into something that is no aggregate");
                }
                path.push(Frame { ty: target.ty, offset: target.offset, next: 0 });
            }
            first = false;
            if self.accept(P::LBracket) {
                if let Some(found) = self.array_designator(path, span)? {
                    range = Some(found);
                }
            } else {
                self.accept(P::Dot);
                let (name, span) = self.identifier("a member name")?;
                let text = self.text_of(name);
                let record = path.last().and_then(|f| self.types.record(f.ty));
                let Some(steps) = record.and_then(|r| self.find_member(r, &text)) else {
                    return self.fail(span, format!("no member '{text}' to initialise here"));
                };
                for (depth, step) in steps.into_iter().enumerate() {
                    if depth > 0
                        && let Some(target) = self.next_target(path, state)
                    {
                        path.push(Frame { ty: target.ty, offset: target.offset, next: 0 });
                    }
                    if let Some(frame) = path.last_mut() {
                        frame.next = step.into();
                    }
                }
                if old_style {
                    self.expect(P::Colon)?;
                    return Ok(None);
                }
            }
        }
        // GNU's obsolete `[3] value` has no `=`.
        self.accept(P::Assign);
        Ok(range)
    }

    fn array_designator(&mut self, path: &mut [Frame], span: Span) -> Res<Option<Range>> {
        let low = self.constant_expression("an array index in an initialiser")?;
        let high =
            if self.accept(P::Ellipsis) { self.constant_expression("an array index in an initialiser")? } else { low };
        self.expect(P::RBracket)?;
        let depth = path.len().saturating_sub(1);
        let frame = path.last_mut();
        let bound = frame.as_ref().map(|f| self.types[f.ty].clone());
        let (Some(frame), Some(Type::Array(of, len))) = (frame, bound) else {
            return self.fail(span, "array index in an initialiser of something that is no array");
        };
        let limit = match len {
            Len::Const(n) => i128::from(n),
            _ => 1 << 40,
        };
        if low < 0 || high < low || high >= limit {
            return self.fail(span, "array index in an initialiser is out of bounds");
        }
        frame.next = low as u64;
        let stride = self.types.size_of(of).unwrap_or(0);
        Ok((high > low).then_some(Range { depth, extra: (high - low) as u64, stride }))
    }

    /// Writes a range out: the parts since `from` again, `extra` times.
    fn repeat(&mut self, state: &mut State, from: usize, extra: u64, stride: u64, span: Span) -> Res<()> {
        let repeated = state.parts.len().saturating_sub(from).max(1);
        let total =
            usize::try_from(extra).unwrap_or(usize::MAX).saturating_mul(repeated).saturating_add(state.parts.len());
        if total > MAX_PARTS {
            return self.fail(span, format!("initialiser with more than {MAX_PARTS} elements"));
        }
        for part in state.parts.iter_mut().skip(from) {
            // gcc evaluates the value once: written out is the same only where it has no effects.
            if has_effects(&part.value) {
                part.value.kind = ExprKind::Unsupported("range designator with a value that has effects".to_owned());
            }
        }
        let model: Vec<InitPart> = state.parts.get(from..).unwrap_or_default().to_vec();
        for copy in 1..=extra {
            for part in &model {
                let shift = copy * stride;
                let bits = part.bits.map(|b| BitField { offset: b.offset + shift * 8, ..b });
                let target = Target { ty: part.ty, offset: part.offset + shift, bits };
                self.put(state, target, part.value.clone());
            }
        }
        Ok(())
    }

    fn part_range(&self, part: &InitPart) -> (u64, u64) {
        match part.bits {
            Some(bits) => (bits.offset, bits.offset + u64::from(bits.width)),
            None => (part.offset * 8, (part.offset + self.types.size_of(part.ty).unwrap_or(0)) * 8),
        }
    }

    fn put(&self, state: &mut State, target: Target, value: Expr) {
        let part = InitPart { offset: target.offset, bits: target.bits, ty: target.ty.unqualified(), value };
        let (from, to) = self.part_range(&part);
        state.clear(from, to, |p| self.part_range(p));
        if from < state.fresh {
            // gcc forgets the whole, others keep the rest of it.
            for older in &mut state.parts {
                let (start, end) = self.part_range(older);
                if start < to && from < end && !state.is_static && !matches!(older.value.kind, ExprKind::Str(_)) {
                    let what = "a part of what was initialised as a whole is initialised again";
                    older.value.kind = ExprKind::Unsupported(what.to_owned());
                }
            }
        }
        state.fresh = state.fresh.max(to);
        state.parts.push(part);
    }
}

impl Frame {
    /// How many elements of an array have been passed.
    fn next_if_array(&self, parser: &Parser) -> u64 {
        if parser.types.is_array(self.ty) { self.next } else { 0 }
    }
}
