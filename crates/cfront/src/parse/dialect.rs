//! The languages of other verifiers, as far as they are more than functions: CBMC's types and quantifiers,
//! and its functions that take arguments of any type. (Contracts: `contract`.) What remains are functions without body, whose prototypes
//! are here (users seldom declare them) and whose meaning is in `lower`.

use base::Span;

use crate::hir::{Builtin, Expr, ExprKind, Storage};
use crate::token::{P, Tok};
use crate::types::{FloatKind, IntKind, Ty};

use super::declarator::Naming;
use super::scope::Entity;
use super::typed::expr;
use super::{Parser, Res};

/// In the notation of `prototypes`.
#[rustfmt::skip]
pub(super) const FUNCTIONS: &[(&str, &str)] = &[
    ("__CPROVER_assume", "vb"), ("__CPROVER_assert", "vbc"), ("__CPROVER_precondition", "vbc"),
    ("__CPROVER_postcondition", "vbc"), ("__CPROVER_cover", "vb"),
    ("__CPROVER_r_ok", "bpz"), ("__CPROVER_w_ok", "bpz"), ("__CPROVER_rw_ok", "bpz"),
    ("__CPROVER_havoc_object", "vp"), ("__CPROVER_havoc_slice", "vpz"),
    ("__CPROVER_OBJECT_SIZE", "zp"), ("__CPROVER_POINTER_OFFSET", "sp"), ("__CPROVER_POINTER_OBJECT", "zp"),
    ("__CPROVER_same_object", "bpp"), ("__CPROVER_DYNAMIC_OBJECT", "bp"), ("__CPROVER_LIVE_OBJECT", "bp"),
    ("__CPROVER_allocate", "pzb"), ("__CPROVER_deallocate", "vp"),
    ("__CPROVER_atomic_begin", "v"), ("__CPROVER_atomic_end", "v"), ("__CPROVER_fence", "vc."),
    ("__CPROVER_printf", "vc."), ("__CPROVER_input", "vc."), ("__CPROVER_output", "vc."),
    ("__ESBMC_assume", "vb"), ("__ESBMC_assert", "vbc"), ("__ESBMC_atomic_begin", "v"), ("__ESBMC_atomic_end", "v"),
    ("__ESBMC_POINTER_OBJECT", "zp"), ("__ESBMC_POINTER_OFFSET", "sp"), ("__ESBMC_same_object", "bpp"),
    ("klee_make_symbolic", "vpzc"), ("klee_assume", "vU"), ("klee_assert", "vi"), ("klee_range", "iiic"),
    ("klee_int", "ic"), ("klee_silent_exit", "vi"), ("klee_prefer_cex", "vpU"), ("klee_report_error", "vcicc"),
    ("klee_warning", "vc"), ("klee_warning_once", "vc"), ("klee_print_expr", "vc."), ("klee_open_merge", "v"),
    ("klee_close_merge", "v"), ("klee_stack_trace", "v"),
    ("nondet_bool", "b"), ("nondet_char", "1"), ("nondet_schar", "2"), ("nondet_uchar", "3"), ("nondet_short", "4"),
    ("nondet_ushort", "5"), ("nondet_int", "i"), ("nondet_uint", "u"), ("nondet_long", "l"), ("nondet_ulong", "U"),
    ("nondet_longlong", "L"), ("nondet_ulonglong", "6"), ("nondet_float", "f"), ("nondet_double", "d"),
    ("nondet_size_t", "z"), ("nondet_pointer", "p"),
];

/// CBMC's classifications of floats, by name without the suffix of the type.
const FLOAT_TESTS: [(&str, Builtin); 5] = [
    ("isnan", Builtin::IsNan),
    ("isinf", Builtin::IsInf),
    ("isfinite", Builtin::IsFinite),
    ("isnormal", Builtin::IsNormal),
    ("sign", Builtin::SignBit),
];

/// What CBMC names differ from functions in: their arguments have any type, or the arguments are no expressions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    Quantifier(Builtin),
    /// A test of a float of the type.
    FloatTest(Builtin, FloatKind),
    Overflow(Builtin),
    OverflowMinus,
    Infinity(FloatKind),
    Equal,
    /// A function of a pointer and a size, the size that of what the pointer is for when it is left out.
    Access,
    /// A predicate of contracts, on pointers.
    Predicate(Builtin),
    Unsupported,
}

fn form(name: &str) -> Option<Form> {
    let short = name.strip_prefix("__CPROVER_")?;
    Some(match short {
        "forall" => Form::Quantifier(Builtin::Forall),
        "exists" => Form::Quantifier(Builtin::Exists),
        "overflow_plus" => Form::Overflow(Builtin::AddOverflowP),
        "overflow_minus" => Form::Overflow(Builtin::SubOverflowP),
        "overflow_mult" => Form::Overflow(Builtin::MulOverflowP),
        "overflow_unary_minus" => Form::OverflowMinus,
        "inff" => Form::Infinity(FloatKind::Float),
        "inf" => Form::Infinity(FloatKind::Double),
        "infl" => Form::Infinity(FloatKind::LongDouble),
        "equal" => Form::Equal,
        "r_ok" | "w_ok" | "rw_ok" => Form::Access,
        "array_copy" | "array_set" | "array_replace" | "array_equal" | "set_must" | "set_may" | "get_must"
        | "get_may" | "clear_must" | "clear_may" | "cleanup" | "overflow_shl" | "obeys_contract" => Form::Unsupported,
        "is_fresh" => Form::Predicate(Builtin::IsFresh),
        "pointer_equals" => Form::Predicate(Builtin::PointerEquals),
        "pointer_in_range_dfcc" => Form::Predicate(Builtin::PointerInRange),
        _ => {
            let kinds = [("f", FloatKind::Float), ("d", FloatKind::Double), ("ld", FloatKind::LongDouble)];
            kinds.into_iter().find_map(|(suffix, kind)| {
                let stem = short.strip_suffix(suffix)?;
                let (_, test) = FLOAT_TESTS.iter().find(|(known, _)| *known == stem)?;
                Some(Form::FloatTest(*test, kind))
            })?
        }
    })
}

impl Parser {
    /// CBMC's types, as typedefs.
    pub(super) fn declare_dialect_types(&mut self) {
        let (size, difference) = (self.types.size_t(), self.types.ptrdiff_t());
        let (truth, int) = (self.types.intern(crate::types::Type::Bool), self.types.int());
        // The bits are read with the specifiers; until then it is only known to be a type.
        for (name, ty) in
            [("__CPROVER_bool", truth), ("__CPROVER_size_t", size), ("__CPROVER_ssize_t", difference), (BITVECTOR, int)]
        {
            let name = self.names.intern(name.as_bytes());
            self.scopes.declare(name, Entity::Typedef(ty), Span::nowhere());
        }
    }

    /// Is it a name whose use is not a function call (or not just one)?
    pub(super) fn is_dialect_form(&self, name: &str) -> bool {
        let follows = if name.ends_with("_forall") || name.ends_with("_exists") { P::LBrace } else { P::LParen };
        form(name).is_some() && self.at(follows)
    }

    /// A use of such a name, which was taken.
    pub(super) fn dialect_form(&mut self, name: &str, start: Span) -> Res<Expr> {
        let Some(form) = form(name) else { return self.fail(start, format!("'{name}' is not known")) };
        if let Form::Quantifier(which) = form {
            return self.nested(|p| p.quantifier(which, start));
        }
        self.expect(P::LParen)?;
        let args = self.arguments()?;
        let span = self.since(start);
        let (int, truth) = (self.types.int(), self.types.intern(crate::types::Type::Bool));
        match form {
            Form::Quantifier(_) | Form::Unsupported => Ok(self.unsupported(name.to_owned(), int, span)),
            Form::FloatTest(test, kind) => {
                let [value] = self.exactly(args, span)?;
                let ty = self.types.float(kind);
                let value = self.convert_for(value, ty, "in argument")?;
                Ok(self.builtin_node(test, vec![value], int, span))
            }
            Form::Infinity(kind) => {
                let [] = self.exactly(args, span)?;
                let ty = self.types.float(kind);
                Ok(expr(ExprKind::Float(crate::float::infinity(kind)), ty, span))
            }
            Form::Equal => {
                let [a, b] = self.exactly(args, span)?;
                self.binary(crate::hir::BinaryOp::Eq, a, b, span)
            }
            Form::Overflow(which) => {
                let [a, b] = self.exactly(args, span)?;
                let (a, b) = (self.integer(a)?, self.integer(b)?);
                let (a, b) = self.usual_conversions(a, b);
                let zero = self.int_node(0, a.ty, span);
                Ok(self.builtin_node(which, vec![a, b, zero], truth, span))
            }
            Form::OverflowMinus => {
                let [a] = self.exactly(args, span)?;
                let a = self.integer(a)?;
                let a = self.promote(a);
                let zero = self.int_node(0, a.ty, span);
                Ok(self.builtin_node(Builtin::SubOverflowP, vec![zero.clone(), a, zero], truth, span))
            }
            Form::Predicate(which) => {
                let pointers = if which == Builtin::PointerInRange { 3 } else { 2 };
                let args = if which == Builtin::IsFresh {
                    let [pointer, size] = self.exactly(args, span)?;
                    let size_t = self.types.size_t();
                    vec![self.pointer_operand(pointer)?, self.convert_for(size, size_t, "in argument")?]
                } else if args.len() == pointers {
                    args.into_iter().map(|arg| self.pointer_operand(arg)).collect::<Res<Vec<Expr>>>()?
                } else {
                    return self.fail(span, format!("{name} takes {pointers} pointers"));
                };
                Ok(expr(ExprKind::Builtin(which, args), truth, span))
            }
            Form::Access => {
                let mut args = args;
                if let [pointer] = &args[..] {
                    let pointer = self.rvalue(pointer.clone());
                    let size = self.types.pointee(pointer.ty).and_then(|to| self.types.size_of(to)).unwrap_or(1);
                    let size_t = self.types.size_t();
                    args.push(self.int_node(size.max(1).into(), size_t, span));
                }
                self.call_library(name, args, span)
            }
        }
    }

    fn integer(&mut self, e: Expr) -> Res<Expr> {
        let e = self.rvalue(e);
        if self.types.is_integer(e.ty) || matches!(e.kind, ExprKind::Unsupported(_)) {
            return Ok(e);
        }
        self.fail(e.span, "an integer is expected")
    }

    fn pointer_operand(&mut self, e: Expr) -> Res<Expr> {
        let e = self.rvalue(e);
        if self.types.is_pointer(e.ty) || matches!(e.kind, ExprKind::Unsupported(_)) {
            return Ok(e);
        }
        self.fail(e.span, "a pointer is expected")
    }

    /// `{ type name; condition }`.
    fn quantifier(&mut self, which: Builtin, start: Span) -> Res<Expr> {
        if self.func.is_none() {
            return self.fail(start, "a quantifier is allowed only inside a function");
        }
        self.expect(P::LBrace)?;
        if !self.declaration_starts() {
            return self.fail(self.span(), "a quantifier starts with the declaration of its variable");
        }
        self.scopes.open();
        let specifiers = self.specifiers()?;
        let mut vars = Vec::new();
        loop {
            let declarator = self.declarator(specifiers.ty, Naming::Required)?;
            let Some((name, span)) = declarator.name else {
                return self.fail(specifiers.span, "a quantified variable needs a name");
            };
            let ty = declarator.ty;
            if !self.types.is_integer(ty) {
                return self.fail(span, "quantified variables are integers");
            }
            let text = self.text_of(name);
            let var = self.new_var(text, ty, Storage::Local, span);
            self.scopes.declare(name, Entity::Var(var, ty), span);
            vars.push((var, span));
            self.quantified.push(var);
            if !self.accept(P::Comma) {
                break;
            }
        }
        self.expect(P::Semi)?;
        let body = self.nested(Parser::expression)?;
        let mut body = self.condition(body)?;
        self.accept(P::Semi);
        self.expect(P::RBrace)?;
        self.scopes.close();
        self.quantified.truncate(self.quantified.len() - vars.len());
        let (span, int) = (self.since(start), self.types.int());
        for (var, at) in vars.into_iter().rev() {
            let place = self.var_node(var, at);
            let value = self.rvalue(place);
            body = expr(ExprKind::Builtin(which, vec![value, body]), int, span);
        }
        Ok(body)
    }

    /// `==>`, which stands for two tokens of C that never follow one another.
    pub(super) fn at_implication(&self) -> bool {
        let [first, second] = [self.pos, self.pos + 1].map(|i| self.stream.tokens.get(i));
        let (Some(first), Some(second)) = (first, second) else { return false };
        first.tok == Tok::Punct(P::EqEq) && second.tok == Tok::Punct(P::Gt)
    }

    /// `left ==> right`, the left side read: to the right of it are further implications.
    pub(super) fn implication(&mut self, left: Expr, start: Span) -> Res<Expr> {
        self.chained()?;
        self.advance();
        self.advance();
        let right = self.nested(|p| {
            let start = p.span();
            let right = p.binary_expression(0)?;
            if p.at_implication() { p.implication(right, start) } else { Ok(right) }
        })?;
        let span = self.since(start);
        let not = self.unary(crate::hir::UnaryOp::Not, left, span)?;
        self.logical(false, not, right, span)
    }

    /// The bits of `__CPROVER_bitvector[bits]`, the name taken: the type with its signedness to come.
    pub(super) fn bitvector(&mut self) -> Res<IntKind> {
        let start = self.last_span();
        self.expect(P::LBracket)?;
        let bits = self.constant_expression("a number of bits")?;
        self.expect(P::RBracket)?;
        let kinds = [IntKind::SChar, IntKind::Short, IntKind::Int, IntKind::LongLong, IntKind::Int128];
        match kinds.into_iter().zip([8, 16, 32, 64, 128]).find(|(_, width)| i128::from(*width) == bits) {
            Some((kind, _)) => Ok(kind),
            None => self
                .fail(self.since(start), format!("{BITVECTOR} of {bits} bits: only 8, 16, 32, 64 and 128 are known")),
        }
    }
}

/// Labels of statements that CBMC runs in a thread of their own.
pub(super) const ASYNC: &str = "__CPROVER_ASYNC_";
pub(super) const BITVECTOR: &str = "__CPROVER_bitvector";

/// The letters of prototypes that only these need.
pub(super) fn letter(parser: &mut Parser, letter: char) -> Option<Ty> {
    let kind = match letter {
        'b' => return Some(parser.types.intern(crate::types::Type::Bool)),
        's' => return Some(parser.types.ptrdiff_t()),
        '1' => IntKind::Char,
        '2' => IntKind::SChar,
        '3' => IntKind::UChar,
        '4' => IntKind::Short,
        '5' => IntKind::UShort,
        '6' => IntKind::ULongLong,
        _ => return None,
    };
    Some(parser.types.int_kind(kind))
}
