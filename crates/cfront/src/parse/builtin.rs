//! `__builtin_*`, `__sync_*`, `__atomic_*`.

use base::Span;

use crate::float;
use crate::hir::{Builtin, ElemSize, Expr, ExprKind, Symbol, UnaryOp};
use crate::token::{Name, P, Tok, kw};
use crate::types::{FloatKind, IntKind, Ty, Type};
use crate::walk::has_effects;

use super::fold::Value;
use super::scope::Entity;
use super::typed::{expr, is_lvalue};
use super::{Parser, Res};

/// Is this the name of a builtin function? (`__builtin_` is a prefix of the compiler; `__atomic_add_unless` is a function
/// of Linux.)
pub(super) fn is_builtin_name(name: &str) -> bool {
    name.starts_with("__builtin_") || super::atomic::is_atomic_builtin(name)
}

/// Builtins that count bits, by name without the `l`/`ll` suffix.
const BIT_BUILTINS: &[(&str, Builtin, bool)] = &[
    // name, builtin, signed operand
    ("clz", Builtin::Clz, false),
    ("ctz", Builtin::Ctz, false),
    ("clrsb", Builtin::Clrsb, true),
    ("popcount", Builtin::Popcount, false),
    ("parity", Builtin::Parity, false),
    ("ffs", Builtin::Ffs, true),
];

const FLOAT_TESTS: &[(&str, Builtin)] = &[
    ("isnan", Builtin::IsNan),
    ("isinf", Builtin::IsInf),
    ("isinf_sign", Builtin::IsInfSign),
    ("isfinite", Builtin::IsFinite),
    ("finite", Builtin::IsFinite),
    ("isnormal", Builtin::IsNormal),
    ("signbit", Builtin::SignBit),
];

const FLOAT_COMPARISONS: &[(&str, Builtin)] = &[
    ("isgreater", Builtin::IsGreater),
    ("isgreaterequal", Builtin::IsGreaterEqual),
    ("isless", Builtin::IsLess),
    ("islessequal", Builtin::IsLessEqual),
    ("islessgreater", Builtin::IsLessGreater),
    ("isunordered", Builtin::IsUnordered),
];

/// Fortified functions: name, and which arguments the plain function does not take.
const FORTIFIED: &[(&str, &[usize])] = &[
    ("memcpy", &[3]),
    ("memmove", &[3]),
    ("mempcpy", &[3]),
    ("memset", &[3]),
    ("strcpy", &[2]),
    ("stpcpy", &[2]),
    ("strncpy", &[3]),
    ("strcat", &[2]),
    ("strncat", &[3]),
    ("sprintf", &[1, 2]),
    ("snprintf", &[2, 3]),
    ("vsprintf", &[1, 2]),
    ("vsnprintf", &[2, 3]),
    ("printf", &[0]),
    ("fprintf", &[1]),
];

/// A place in a known object: the bytes of the object, where the member that it names ends, and where it is.
struct Behind {
    whole: u64,
    part: Option<u64>,
    at: u64,
}

/// A pointer that is moved, and not the address of an element of an array, which is written with `&`.
fn is_sum(pointer: &Expr, is_address: bool) -> bool {
    match &pointer.kind {
        ExprKind::Cast(inner) => is_sum(inner, false),
        ExprKind::PtrAdd { ptr, .. } => match &ptr.kind {
            // Of a row of an array gcc sees no more than that.
            ExprKind::Decay(array) => !is_address || matches!(array.kind, ExprKind::Deref(_)),
            _ => true,
        },
        _ => false,
    }
}

impl Parser {
    /// A use of a builtin function, its name taken.
    pub(super) fn builtin(&mut self, name: &str, start: Span) -> Res<Expr> {
        if !self.accept(P::LParen) {
            // Its address, perhaps: then it is the library function.
            let plain = name.strip_prefix("__builtin_").unwrap_or(name).to_owned();
            return Ok(match self.library_type(&plain) {
                Some(_) => self.library_function(&plain, start),
                None => {
                    let int = self.types.int();
                    self.unsupported(format!("builtin '{name}' without a call"), int, start)
                }
            });
        }
        let is_address = self.at(P::And) && self.peek_at(1) != Tok::Punct(P::Star);
        let args = self.arguments()?;
        let span = self.since(start);
        if matches!(name, "__builtin_object_size" | "__builtin_dynamic_object_size") {
            return self.object_size(args, is_address, span);
        }
        let found = if let Some(rest) = name.strip_prefix("__builtin_") {
            self.plain_builtin(rest, args, span)?
        } else if let Some(rest) = name.strip_prefix("__sync_") {
            self.sync_builtin(rest, args, span)?
        } else {
            self.atomic_builtin(name.strip_prefix("__atomic_").unwrap_or(name), args, span)?
        };
        Ok(match found {
            Some(e) => e,
            None => {
                let int = self.types.int();
                self.unsupported(format!("builtin '{name}'"), int, span)
            }
        })
    }

    /// `is_address`: the pointer is written with `&`.
    fn object_size(&mut self, args: Vec<Expr>, is_address: bool, span: Span) -> Res<Expr> {
        let [pointer, kind] = self.exactly(args, span)?;
        let (pointer, kind) = (self.rvalue(pointer), self.rvalue(kind));
        let size_t = self.types.size_t();
        let wanted = match kind.kind {
            ExprKind::Int(wanted @ 0..=3) => wanted,
            _ => return self.fail(kind.span, "the last argument must be a constant from 0 to 3"),
        };
        Ok(match self.bytes_behind(&pointer) {
            Some(_) if wanted & 1 == 1 && is_sum(&pointer, is_address) => {
                self.unsupported("what gcc knows of the part that a sum points into", size_t, span)
            }
            Some(Behind { whole, part, at }) => {
                let end = if wanted & 1 == 1 { part } else { Some(whole) };
                match end {
                    Some(end) => self.int_node(i128::from(end.saturating_sub(at)), size_t, span),
                    None => self.unsupported("the size of the last array of a struct", size_t, span),
                }
            }
            // Without optimisation gcc knows no more.
            None => self.builtin_node(Builtin::ObjectSize, vec![pointer, kind], size_t, span),
        })
    }

    fn library_function(&mut self, name: &str, span: Span) -> Expr {
        let interned = self.names.intern(name.as_bytes());
        match self.scopes.lookup(interned) {
            Some(Entity::Func(id, ty)) => expr(ExprKind::Func(id), ty, span),
            _ => self.implicit_function(interned, span),
        }
    }

    pub(super) fn call_library(&mut self, name: &str, args: Vec<Expr>, span: Span) -> Res<Expr> {
        let callee = self.library_function(name, span);
        let callee = self.function_value(callee);
        self.call_with(callee, args, span)
    }

    pub(super) fn exactly<const N: usize>(&mut self, args: Vec<Expr>, span: Span) -> Res<[Expr; N]> {
        let given = args.len();
        match args.try_into() {
            Ok(array) => Ok(array),
            Err(_) => self.fail(span, format!("this builtin takes {N} arguments, {given} given")),
        }
    }

    /// The first argument, and the others.
    fn first_of(&mut self, args: Vec<Expr>, span: Span) -> Res<(Expr, Vec<Expr>)> {
        let mut args = args.into_iter();
        match args.next() {
            Some(first) => Ok((first, args.collect())),
            None => self.fail(span, "too few arguments"),
        }
    }

    /// `e`, after the effects of the others: from right to left, as gcc evaluates arguments.
    pub(super) fn after(&mut self, others: Vec<Expr>, e: Expr) -> Expr {
        let void = self.types.void();
        others.into_iter().filter(has_effects).fold(e, |e, other| {
            let (ty, span) = (e.ty, e.span);
            let other = self.rvalue(other);
            let other = self.cast(other, void);
            expr(ExprKind::Comma(Box::new(other), Box::new(e)), ty, span)
        })
    }

    pub(super) fn builtin_node(&self, which: Builtin, args: Vec<Expr>, ty: Ty, span: Span) -> Expr {
        let node = expr(ExprKind::Builtin(which, args), ty, span);
        match self.eval(&node).and_then(Self::node) {
            Some(kind) => expr(kind, ty, span),
            None => node,
        }
    }

    fn plain_builtin(&mut self, name: &str, args: Vec<Expr>, span: Span) -> Res<Option<Expr>> {
        let int = self.types.int();
        let void = self.types.void();
        let void_pointer = self.types.pointer(void);
        Ok(Some(match name {
            "expect" | "expect_with_probability" => {
                let (value, others) = self.first_of(args, span)?;
                let long = self.types.int_kind(IntKind::Long);
                let value = self.convert_for(value, long, "in argument")?;
                // gcc forgets the others where the first one is a constant.
                if self.eval(&value).is_some() && others.iter().any(has_effects) {
                    return Ok(Some(self.unsupported(
                        "effects that depend on how gcc folds '__builtin_expect'",
                        long,
                        span,
                    )));
                }
                self.after(others, value)
            }
            "constant_p" => {
                let [value] = self.exactly(args, span)?;
                let constant = match self.eval(&value) {
                    Some(Value::Int(_) | Value::Float(_)) => true,
                    Some(Value::Address(symbol, _)) => matches!(symbol, Symbol::Str(_)),
                    None => matches!(value.kind, ExprKind::Str(_)),
                };
                self.int_of(constant.into(), span)
            }
            "va_start" | "stdarg_start" => {
                if self.func.as_ref().is_none_or(|f| !f.variadic) {
                    self.error(span, "'va_start' used in a function with fixed arguments");
                }
                let Some(list) = args.into_iter().next() else { return self.fail(span, "too few arguments") };
                let list = self.va_list(list)?;
                expr(ExprKind::VaStart(Box::new(list)), void, span)
            }
            "va_end" => {
                let [list] = self.exactly(args, span)?;
                let list = self.va_list(list)?;
                expr(ExprKind::VaEnd(Box::new(list)), void, span)
            }
            "va_copy" => {
                let [to, from] = self.exactly(args, span)?;
                let (to, from) = (self.va_list(to)?, self.va_list(from)?);
                expr(ExprKind::VaCopy(Box::new(to), Box::new(from)), void, span)
            }
            // Not the library's: their buffer is another, and what comes back is always 1.
            "setjmp" | "longjmp" => return self.call_library(&format!("__builtin_{name}"), args, span).map(Some),
            "unreachable" => self.builtin_node(Builtin::Unreachable, Vec::new(), void, span),
            "trap" => self.builtin_node(Builtin::Trap, Vec::new(), void, span),
            "alloca" | "alloca_with_align" | "alloca_with_align_and_max" => {
                let Some(size) = args.into_iter().next() else { return self.fail(span, "too few arguments") };
                let size_t = self.types.size_t();
                let size = self.convert_for(size, size_t, "in argument")?;
                self.builtin_node(Builtin::Alloca, vec![size], void_pointer, span)
            }
            "prefetch" => {
                let (address, others) = self.first_of(args, span)?;
                let address = self.rvalue(address);
                let address = self.cast(address, void);
                self.after(others, address)
            }
            "assume_aligned" => {
                let (value, others) = self.first_of(args, span)?;
                let value = self.convert_for(value, void_pointer, "in argument")?;
                self.after(others, value)
            }
            "speculation_safe_value" | "launder" | "extract_return_addr" | "frob_return_addr" => {
                let (value, others) = self.first_of(args, span)?;
                let value = self.rvalue(value);
                self.after(others, value)
            }
            "frame_address" | "return_address" => {
                let [level] = self.exactly(args, span)?;
                let level = self.rvalue(level);
                let which = if name == "frame_address" { Builtin::FrameAddress } else { Builtin::ReturnAddress };
                self.builtin_node(which, vec![level], void_pointer, span)
            }
            "bswap16" | "bswap32" | "bswap64" | "bswap128" => {
                let [value] = self.exactly(args, span)?;
                let kind = match name {
                    "bswap16" => IntKind::UShort,
                    "bswap32" => IntKind::UInt,
                    "bswap64" if self.model == crate::types::DataModel::Lp64 => IntKind::ULong,
                    "bswap64" => IntKind::ULongLong,
                    _ => IntKind::UInt128,
                };
                let ty = self.types.int_kind(kind);
                let value = self.convert_for(value, ty, "in argument")?;
                self.builtin_node(Builtin::Bswap, vec![value], ty, span)
            }
            "shuffle" => self.shuffle(args, span)?,
            "shufflevector" => self.shuffle_constant(args, span)?,
            "complex" => {
                let [real, imaginary] = self.exactly(args, span)?;
                let (real, imaginary) = (self.rvalue(real), self.rvalue(imaginary));
                if !self.types.is_float(real.ty) || real.ty != imaginary.ty {
                    return self.fail(span, "two floating values of the same type are expected");
                }
                let ty = self.types.intern(Type::Complex(real.ty));
                self.of_lanes(ty, vec![real, imaginary], span)
            }
            "creal" | "crealf" | "creall" | "cimag" | "cimagf" | "cimagl" | "conj" | "conjf" | "conjl" => {
                let [value] = self.exactly(args, span)?;
                let kind = match name.as_bytes().last() {
                    Some(b'f') => FloatKind::Float,
                    Some(b'l') if !matches!(name, "creal") => FloatKind::LongDouble,
                    _ => FloatKind::Double,
                };
                let of = self.types.float(kind);
                let ty = self.types.intern(Type::Complex(of));
                let value = self.convert_for(value, ty, "in argument")?;
                if name.starts_with("conj") {
                    self.unary(UnaryOp::BitNot, value, span)?
                } else {
                    let part = self.part(value, name.starts_with("cimag"), span)?;
                    self.rvalue(part)
                }
            }
            "fpclassify" => {
                let [a, b, c, d, e, x] = self.exactly(args, span)?;
                let mut converted = Vec::new();
                for class in [a, b, c, d, e] {
                    converted.push(self.convert_for(class, int, "in argument")?);
                }
                converted.push(self.floating(x)?);
                self.builtin_node(Builtin::FpClassify, converted, int, span)
            }
            _ => return self.named_builtin(name, args, span),
        }))
    }

    /// Families of builtins found in tables, then library functions.
    fn named_builtin(&mut self, name: &str, args: Vec<Expr>, span: Span) -> Res<Option<Expr>> {
        let int = self.types.int();
        if let Some((which, kind)) = bit_builtin(name) {
            let [value] = self.exactly(args, span)?;
            let ty = self.types.int_kind(kind);
            let value = self.convert_for(value, ty, "in argument")?;
            return Ok(Some(self.builtin_node(which, vec![value], int, span)));
        }
        if let Some(e) = self.overflow_builtin(name, &args, span)? {
            return Ok(Some(e));
        }
        if let Some(e) = self.float_constant(name, &args, span) {
            return Ok(Some(e));
        }
        let base = name.strip_suffix(['f', 'l']).unwrap_or(name);
        let test = FLOAT_TESTS.iter().find(|(known, _)| *known == name || (*known == base && *known != "isinf_sign"));
        if let Some((known, which)) = test {
            let [value] = self.exactly(args, span)?;
            let mut value = self.floating(value)?;
            // `isnanf`, `signbitl` take their own type; the bare names are generic.
            if name.len() == known.len() + 1 {
                let kind = if name.ends_with('f') { FloatKind::Float } else { FloatKind::LongDouble };
                let ty = self.types.float(kind);
                value = self.cast(value, ty);
            }
            return Ok(Some(self.builtin_node(*which, vec![value], int, span)));
        }
        if let Some((_, which)) = FLOAT_COMPARISONS.iter().find(|(known, _)| *known == name) {
            let [a, b] = self.exactly(args, span)?;
            let (a, b) = (self.rvalue(a), self.rvalue(b));
            if !self.types.is_arithmetic(a.ty) || !self.types.is_arithmetic(b.ty) {
                return self.fail(span, "floating values expected");
            }
            let (mut a, mut b) = self.usual_conversions(a, b);
            if self.types.is_integer(a.ty) {
                let double = self.types.float(FloatKind::Double);
                (a, b) = (self.cast(a, double), self.cast(b, double));
            }
            return Ok(Some(self.builtin_node(*which, vec![a, b], int, span)));
        }
        if let Some(kind) = suffix_kind(name, "fabs") {
            let [value] = self.exactly(args, span)?;
            let ty = self.types.float(kind);
            let value = self.convert_for(value, ty, "in argument")?;
            return Ok(Some(self.builtin_node(Builtin::Fabs, vec![value], ty, span)));
        }
        if let Some(kind) = suffix_kind(name, "copysign") {
            let [value, sign] = self.exactly(args, span)?;
            let ty = self.types.float(kind);
            let value = self.convert_for(value, ty, "in argument")?;
            let sign = self.convert_for(sign, ty, "in argument")?;
            return Ok(Some(self.builtin_node(Builtin::CopySign, vec![value, sign], ty, span)));
        }
        if let Some(plain) = name.strip_prefix("__").and_then(|n| n.strip_suffix("_chk"))
            && let Some((_, dropped)) = FORTIFIED.iter().find(|(known, _)| *known == plain)
        {
            let (left, kept): (Vec<_>, Vec<_>) = args.into_iter().enumerate().partition(|(i, _)| dropped.contains(i));
            let call = self.call_library(plain, kept.into_iter().map(|(_, arg)| arg).collect(), span)?;
            return Ok(Some(self.after(left.into_iter().map(|(_, arg)| arg).collect(), call)));
        }
        if self.library_type(name).is_some() {
            return self.call_library(name, args, span).map(Some);
        }
        Ok(None)
    }

    /// What a pointer that names its object points at, as gcc knows it while parsing.
    fn bytes_behind(&self, pointer: &Expr) -> Option<Behind> {
        match &pointer.kind {
            ExprKind::AddrOf(place) | ExprKind::Decay(place) => self.bytes_at(place),
            ExprKind::Cast(inner) if self.types.is_pointer(inner.ty) => self.bytes_behind(inner),
            ExprKind::PtrAdd { ptr, index, size: ElemSize::Const(size), negative: false } => {
                let behind = self.bytes_behind(ptr)?;
                let step = u64::try_from(self.eval_int(index)?).ok()?.checked_mul(*size)?;
                Some(Behind { at: behind.at.checked_add(step)?, ..behind })
            }
            _ => None,
        }
    }

    fn bytes_at(&self, place: &Expr) -> Option<Behind> {
        match &place.kind {
            ExprKind::Var(id) if self.var(*id).defined => {
                let whole = self.types.size_of(place.ty)? + self.var(*id).extra_size;
                Some(Behind { whole, part: Some(whole), at: 0 })
            }
            ExprKind::Str(_) => {
                let whole = self.types.size_of(place.ty)?;
                Some(Behind { whole, part: Some(whole), at: 0 })
            }
            ExprKind::Deref(pointer) => self.bytes_behind(pointer),
            ExprKind::Field(base, index) => {
                let behind = self.bytes_at(base)?;
                let record = &self.types.records[self.types.record(base.ty)?];
                let field = record.fields.get(*index as usize)?;
                let at = behind.at + field.offset;
                // gcc lets the last array of a struct reach to the end of the object, or not.
                let is_tail = self.types.is_array(field.ty) && *index as usize + 1 == record.fields.len();
                let part = if is_tail { None } else { self.types.size_of(field.ty).map(|size| at + size) };
                Some(Behind { part, at, ..behind })
            }
            _ => None,
        }
    }

    /// A value of floating type, integers converted to double.
    fn floating(&mut self, e: Expr) -> Res<Expr> {
        let e = self.rvalue(e);
        if self.types.is_float(e.ty) || matches!(e.kind, ExprKind::Unsupported(_)) {
            return Ok(e);
        }
        let double = self.types.float(FloatKind::Double);
        self.convert_for(e, double, "in argument")
    }

    fn float_constant(&mut self, name: &str, args: &[Expr], span: Span) -> Option<Expr> {
        let infinite = suffix_kind(name, "inf").or_else(|| suffix_kind(name, "huge_val"));
        if let Some(kind) = infinite
            && args.is_empty()
        {
            let ty = self.types.float(kind);
            return Some(expr(ExprKind::Float(float::infinity(kind)), ty, span));
        }
        let kind = suffix_kind(name, "nan").or_else(|| suffix_kind(name, "nans"))?;
        // Only the empty tag gives the plain NaN.
        let empty = matches!(args, [Expr { kind: ExprKind::Str(id), .. }] if self.strings[*id].units == [0]);
        let ty = self.types.float(kind);
        Some(if empty {
            expr(ExprKind::Float(float::nan(kind)), ty, span)
        } else {
            self.unsupported("NaN with a payload", ty, span)
        })
    }

    /// `add_overflow(a, b, &r)`, `sadd_overflow`, `umulll_overflow`, `add_overflow_p`.
    fn overflow_builtin(&mut self, name: &str, args: &[Expr], span: Span) -> Res<Option<Expr>> {
        let (stem, predicate) = match (name.strip_suffix("_overflow"), name.strip_suffix("_overflow_p")) {
            (Some(stem), _) => (stem, false),
            (None, Some(stem)) => (stem, true),
            _ => return Ok(None),
        };
        const OPERATIONS: [(&str, Builtin, Builtin); 3] = [
            ("add", Builtin::AddOverflow, Builtin::AddOverflowP),
            ("sub", Builtin::SubOverflow, Builtin::SubOverflowP),
            ("mul", Builtin::MulOverflow, Builtin::MulOverflowP),
        ];
        let Some((operation, store, test)) = OPERATIONS.into_iter().find(|(op, ..)| stem.contains(op)) else {
            return Ok(None);
        };
        let operand = match stem.split_once(operation) {
            Some(("", "")) => None,
            Some((sign @ ("s" | "u"), length)) => {
                let kind = match length {
                    "" => IntKind::Int,
                    "l" => IntKind::Long,
                    "ll" => IntKind::LongLong,
                    _ => return Ok(None),
                };
                Some(if sign == "u" { kind.to_unsigned() } else { kind })
            }
            _ => return Ok(None),
        };
        let [a, b, c] = self.exactly(args.to_vec(), span)?;
        let mut values = Vec::new();
        for value in [a, b] {
            let value = self.rvalue(value);
            if !self.types.is_integer(value.ty) {
                return self.fail(value.span, "integer expected");
            }
            values.push(match operand {
                Some(kind) => {
                    let ty = self.types.int_kind(kind);
                    self.cast(value, ty)
                }
                None => value,
            });
        }
        let mut last = self.rvalue(c);
        // The result has as many bits as the bit-field has.
        if let (true, Some((width, signed))) = (predicate, self.bit_field_of(&last)) {
            let ty = self.types.int_kind(IntKind::Bits { width: width as u8, signed });
            last = self.cast(last, ty);
        }
        let valid = if predicate {
            self.types.is_integer(last.ty)
        } else {
            self.types.pointee(last.ty).is_some_and(|to| self.types.is_integer(to))
        };
        if !valid {
            return self.fail(last.span, "wrong type for the result of an overflow builtin");
        }
        values.push(last);
        let bool = self.types.bool();
        Ok(Some(self.builtin_node(if predicate { test } else { store }, values, bool, span)))
    }

    fn va_list(&mut self, e: Expr) -> Res<Expr> {
        // A parameter of type `va_list *` is dereferenced by the user; what arrives here is the list itself.
        if !matches!(self.types[e.ty], Type::VaList) || !is_lvalue(&e) {
            return self.fail(e.span, "a va_list is expected here");
        }
        Ok(e)
    }

    /// The forms whose arguments are not all expressions, keyword taken.
    pub(super) fn special_form(&mut self, name: Name, start: Span) -> Res<Expr> {
        self.expect(P::LParen)?;
        match name {
            kw::VA_ARG => {
                let list = self.assignment()?;
                let list = self.va_list(list)?;
                self.expect(P::Comma)?;
                let (ty, bounds) = self.type_name()?;
                self.expect(P::RParen)?;
                let span = self.since(start);
                let value = expr(ExprKind::VaArg(Box::new(list)), ty.unqualified(), span);
                Ok(self.after_bounds(bounds, value))
            }
            kw::OFFSETOF => self.offset_of(start),
            kw::CONVERT_VECTOR => self.convert_vector(start),
            kw::CHOOSE_EXPR => {
                let choice = self.constant_expression("the first argument")?;
                self.expect(P::Comma)?;
                let first = self.assignment()?;
                self.expect(P::Comma)?;
                let second = self.assignment()?;
                self.expect(P::RParen)?;
                Ok(if choice != 0 { first } else { second })
            }
            _ => {
                let (a, _) = self.type_name()?;
                self.expect(P::Comma)?;
                let (b, _) = self.type_name()?;
                self.expect(P::RParen)?;
                let same = self.types.compatible(a, b);
                Ok(self.int_of(same.into(), self.since(start)))
            }
        }
    }

    fn offset_of(&mut self, start: Span) -> Res<Expr> {
        let (ty, _) = self.type_name()?;
        self.expect(P::Comma)?;
        let void = self.types.void();
        let pointer = self.types.pointer(void);
        let to_record = self.types.pointer(ty);
        let null = self.int_node(0, pointer, start);
        let null = self.cast(null, to_record);
        let mut place = expr(ExprKind::Deref(Box::new(null)), ty, start);
        let mut first = true;
        loop {
            if first || self.at(P::Dot) || self.at(P::Arrow) {
                // `a->b` is `a[0].b` (gcc).
                if self.accept(P::Arrow) {
                    let base = self.decay_to_access(place);
                    place = self.deref(base, start)?;
                } else {
                    self.accept(P::Dot);
                }
                let (name, at) = self.identifier("a member name")?;
                let text = self.text_of(name);
                let record = self.types.record(place.ty);
                let Some(path) = record.and_then(|r| self.find_member(r, &text)) else {
                    return self.fail(at, format!("no member '{text}' here"));
                };
                place = path.into_iter().fold(place, |e, index| self.field(e, index, at));
            } else if self.accept(P::LBracket) {
                let index = self.nested(Parser::expression)?;
                let index = self.rvalue(index);
                self.expect(P::RBracket)?;
                let at = self.since(start);
                let base = self.decay_to_access(place);
                let sum = self.pointer_add(base, index, false, at)?;
                place = self.deref(sum, at)?;
            } else {
                break;
            }
            first = false;
        }
        self.expect(P::RParen)?;
        let span = self.since(start);
        if self.is_bit_field(&place) {
            return self.fail(span, "'offsetof' of a bit-field");
        }
        let address_ty = self.types.pointer(place.ty);
        let address = expr(ExprKind::AddrOf(Box::new(place)), address_ty, span);
        let size_t = self.types.size_t();
        let value = self.cast(address, size_t);
        Ok(match self.eval(&value) {
            Some(Value::Int(bits)) => expr(ExprKind::Int(bits), size_t, span),
            // A variable index: the address computed from the null pointer is the offset.
            _ => value,
        })
    }
}

/// `clz`, `clzl`, `popcountll`: which, and the operand's type.
fn bit_builtin(name: &str) -> Option<(Builtin, IntKind)> {
    let &(stem, which, signed) = BIT_BUILTINS.iter().find(|(stem, ..)| name.starts_with(stem))?;
    let kind = match &name[stem.len()..] {
        "" => IntKind::Int,
        "l" => IntKind::Long,
        "ll" => IntKind::LongLong,
        _ => return None,
    };
    Some((which, if signed { kind } else { kind.to_unsigned() }))
}

/// `fabs`, `fabsf`, `fabsl`, `fabsf128`.
fn suffix_kind(name: &str, stem: &str) -> Option<FloatKind> {
    Some(match name.strip_prefix(stem)? {
        "" | "f64" | "f32x" => FloatKind::Double,
        "f" | "f32" => FloatKind::Float,
        "l" | "f64x" => FloatKind::LongDouble,
        "q" | "f128" => FloatKind::Float128,
        _ => return None,
    })
}
