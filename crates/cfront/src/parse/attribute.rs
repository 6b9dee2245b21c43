//! `__attribute__((...))`: the few that change meaning are kept, the rest is skipped.

use base::Span;

use crate::token::{Name, P, Tok, kw};
use crate::types::{FloatKind, IntKind, Ty, Type};

use super::{Parser, Res};

#[derive(Clone, Debug, Default)]
pub(super) struct Attributes {
    pub(super) packed: bool,
    pub(super) align: Option<u64>,
    pub(super) noreturn: bool,
    pub(super) transparent_union: bool,
    pub(super) gnu_inline: bool,
    pub(super) weak: bool,
    /// `mode(DI)` and the like: another width for the declared type.
    mode: Option<Mode>,
    vector_size: Option<u64>,
    /// `alias("target")`.
    pub(super) alias: Option<(Name, Span)>,
    /// Attributes that make code run where none is written (`cleanup`, `constructor`, `destructor`).
    pub(super) hidden_call: Option<(&'static str, Span)>,
}

#[derive(Clone, Copy, Debug)]
enum Mode {
    Int(u32),
    Float(FloatKind),
}

/// gcc's `__BIGGEST_ALIGNMENT__` on x86, which a bare `aligned` means.
const BIGGEST_ALIGNMENT: u64 = 16;
const MAX_ALIGNMENT: u64 = 1 << 28;

impl Attributes {
    pub(super) fn merge(&mut self, other: Attributes) {
        self.packed |= other.packed;
        self.align = self.align.max(other.align);
        self.noreturn |= other.noreturn;
        self.transparent_union |= other.transparent_union;
        self.gnu_inline |= other.gnu_inline;
        self.weak |= other.weak;
        self.mode = other.mode.or(self.mode);
        self.vector_size = other.vector_size.or(self.vector_size);
        self.alias = other.alias.or(self.alias);
        self.hidden_call = other.hidden_call.or(self.hidden_call);
    }
}

impl Parser {
    /// Any number of attribute specifiers at this point.
    pub(super) fn attributes(&mut self) -> Res<Attributes> {
        let mut found = Attributes::default();
        while self.accept_keyword(kw::ATTRIBUTE) {
            self.expect(P::LParen)?;
            self.expect(P::LParen)?;
            loop {
                if let Tok::Name(name) = self.peek() {
                    self.advance();
                    self.attribute(name, &mut found)?;
                }
                if !self.accept(P::Comma) {
                    break;
                }
            }
            self.expect(P::RParen)?;
            self.expect(P::RParen)?;
        }
        Ok(found)
    }

    fn attribute(&mut self, name: Name, found: &mut Attributes) -> Res<()> {
        let span = self.last_span();
        let text = self.text_of(name);
        let plain = text.strip_prefix("__").and_then(|t| t.strip_suffix("__")).unwrap_or(&text);
        match plain {
            "packed" => found.packed = true,
            "noreturn" | "_Noreturn" => found.noreturn = true,
            "transparent_union" => found.transparent_union = true,
            "gnu_inline" => found.gnu_inline = true,
            "weak" | "weakref" => found.weak = true,
            "aligned" | "vector_size" if self.at(P::LParen) => {
                self.advance();
                let value = self.constant_expression("an alignment or size")?;
                self.expect(P::RParen)?;
                if plain == "aligned" {
                    let align = u64::try_from(value).ok().filter(|a| a.is_power_of_two() && *a <= MAX_ALIGNMENT);
                    match align {
                        Some(align) => found.align = found.align.max(Some(align)),
                        None if value == 0 => {}
                        None => self.error(span, "requested alignment is not a positive power of 2"),
                    }
                } else {
                    match u64::try_from(value).ok().filter(|v| v.is_power_of_two() && *v <= MAX_ALIGNMENT) {
                        Some(bytes) => found.vector_size = Some(bytes),
                        None => self.error(span, "vector size is not a positive power of 2"),
                    }
                }
                return Ok(());
            }
            "aligned" => found.align = found.align.max(Some(BIGGEST_ALIGNMENT)),
            "mode" if self.at(P::LParen) => {
                if let Tok::Name(mode) = self.peek_at(1) {
                    found.mode = self.mode(mode);
                }
            }
            "alias" if self.at(P::LParen) && self.peek_at(1) == Tok::Str => {
                let token = self.stream.tokens[self.pos + 1];
                let bytes = self.stream.bytes(&token);
                let target = bytes[1..bytes.len() - 1].to_vec();
                found.alias = Some((self.names.intern(&target), span));
            }
            "cleanup" => found.hidden_call = Some(("cleanup", span)),
            "constructor" => found.hidden_call = Some(("constructor", span)),
            "destructor" => found.hidden_call = Some(("destructor", span)),
            _ => {}
        }
        if self.accept(P::LParen) {
            self.skip_balanced(P::LParen, P::RParen)?;
        }
        Ok(())
    }

    fn mode(&self, name: Name) -> Option<Mode> {
        let text = self.names.text(name);
        Some(match text.trim_matches('_') {
            "QI" | "byte" => Mode::Int(8),
            "HI" => Mode::Int(16),
            "SI" => Mode::Int(32),
            "DI" => Mode::Int(64),
            "TI" => Mode::Int(128),
            "word" | "pointer" => Mode::Int(self.model.word() as u32 * 8),
            "SF" => Mode::Float(FloatKind::Float),
            "DF" => Mode::Float(FloatKind::Double),
            "XF" => Mode::Float(FloatKind::LongDouble),
            "TF" => Mode::Float(FloatKind::Float128),
            _ => return None,
        })
    }

    /// The type as `mode` and `vector_size` change it.
    pub(super) fn attributed(&mut self, ty: Ty, attributes: &Attributes) -> Ty {
        let mut result = ty;
        match attributes.mode {
            Some(Mode::Int(width)) if self.types.is_integer(ty) => {
                let signed = self.types.int_shape(ty).is_none_or(|s| s.1);
                let kind =
                    [IntKind::SChar, IntKind::Short, IntKind::Int, IntKind::Long, IntKind::LongLong, IntKind::Int128]
                        .into_iter()
                        .find(|k| k.width(self.model) == width);
                if let Some(kind) = kind {
                    result = self.types.int_kind(if signed { kind } else { kind.to_unsigned() });
                }
            }
            Some(Mode::Float(kind)) if self.types.is_float(ty) => result = self.types.float(kind),
            _ => {}
        }
        if let Some(bytes) = attributes.vector_size
            && self.types.is_arithmetic(result)
        {
            result = self.types.intern(Type::Vector(result.unqualified(), bytes));
        }
        result.with(ty.qualifiers())
    }
}
