//! Declaration specifiers: storage class, qualifiers, the type they name.

use base::Span;

use crate::token::{Name, P, Tok, kw};
use crate::types::{FloatKind, IntKind, Qualifiers, Ty, Type};
use crate::walk::has_effects;

use super::attribute::Attributes;
use super::scope::Entity;
use super::{Fatal, Parser, Res};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StorageClass {
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
}

#[derive(Debug)]
pub(super) struct Specifiers {
    pub(super) ty: Ty,
    pub(super) storage: Option<StorageClass>,
    pub(super) inline: bool,
    pub(super) thread_local: bool,
    pub(super) attributes: Attributes,
    /// `_Alignas`.
    pub(super) align: Option<u64>,
    /// `__auto_type`: the type comes from the initialiser.
    pub(super) auto_type: bool,
    /// A type was written (else it is C90's implicit int).
    pub(super) explicit: bool,
    /// A struct, union or enum was defined or named: `struct s;` declares something.
    pub(super) tagged: bool,
    pub(super) span: Span,
}

/// Words that are keywords since C23 only.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NewWord {
    Bool,
    Constexpr,
}

/// Can this keyword start declaration specifiers?
pub(super) fn starts_declaration(name: Name) -> bool {
    starts_type(name)
        || matches!(
            name,
            kw::TYPEDEF
                | kw::EXTERN
                | kw::STATIC
                | kw::AUTO
                | kw::REGISTER
                | kw::INLINE
                | kw::NORETURN
                | kw::THREAD_LOCAL
                | kw::ALIGNAS
                | kw::AUTO_TYPE
                | kw::ATTRIBUTE
                | kw::STATIC_ASSERT
        )
}

/// Can this keyword start a type name?
pub(super) fn starts_type(name: Name) -> bool {
    matches!(
        name,
        kw::VOID
            | kw::BOOL
            | kw::CHAR
            | kw::SHORT
            | kw::INT
            | kw::LONG
            | kw::FLOAT
            | kw::DOUBLE
            | kw::SIGNED
            | kw::UNSIGNED
            | kw::COMPLEX
            | kw::IMAGINARY
            | kw::INT128
            | kw::INT128_T
            | kw::UINT128_T
            | kw::VA_LIST
            | kw::STRUCT
            | kw::UNION
            | kw::ENUM
            | kw::TYPEOF
            | kw::TYPEOF_UNQUAL
            | kw::CONST
            | kw::VOLATILE
            | kw::RESTRICT
            | kw::ATOMIC
    )
}

/// Types of C23 and clang that are not modelled.
const UNKNOWN_TYPES: [&str; 5] = ["_BitInt", "_ExtInt", "_Decimal32", "_Decimal64", "_Decimal128"];

/// How often each arithmetic type word was seen.
#[derive(Default)]
struct Words {
    void: u32,
    bool: u32,
    char: u32,
    short: u32,
    int: u32,
    long: u32,
    float: u32,
    double: u32,
    signed: u32,
    unsigned: u32,
    complex: u32,
    int128: u32,
}

impl Words {
    fn any(&self) -> bool {
        self.count() > 0
    }

    fn count(&self) -> u32 {
        self.void
            + self.bool
            + self.char
            + self.short
            + self.int
            + self.long
            + self.float
            + self.double
            + self.signed
            + self.unsigned
            + self.complex
            + self.int128
    }

    fn slot(&mut self, name: Name) -> Option<&mut u32> {
        Some(match name {
            kw::VOID => &mut self.void,
            kw::BOOL => &mut self.bool,
            kw::CHAR => &mut self.char,
            kw::SHORT => &mut self.short,
            kw::INT => &mut self.int,
            kw::LONG => &mut self.long,
            kw::FLOAT => &mut self.float,
            kw::DOUBLE => &mut self.double,
            kw::SIGNED => &mut self.signed,
            kw::UNSIGNED => &mut self.unsigned,
            kw::COMPLEX | kw::IMAGINARY => &mut self.complex,
            kw::INT128 => &mut self.int128,
            _ => return None,
        })
    }

    /// The type these words name together, `_Complex` aside; None for a combination that is none.
    fn resolve(&self) -> Option<Type> {
        let base = (self.void, self.bool, self.char, self.short, self.long, self.float, self.double);
        let special = self.int128;
        let sign_words = self.signed + self.unsigned;
        if self.int > 1 || sign_words > 1 || self.complex > 1 {
            return None;
        }
        let unsigned = self.unsigned == 1;
        let pick = |signed: IntKind| Some(Type::Int(if unsigned { signed.to_unsigned() } else { signed }));
        let kind = match (base, special, self.int) {
            ((1, 0, 0, 0, 0, 0, 0), 0, 0) if sign_words + self.complex == 0 => return Some(Type::Void),
            ((0, 1, 0, 0, 0, 0, 0), 0, 0) if sign_words + self.complex == 0 => return Some(Type::Bool),
            ((0, 0, 0, 0, 0, 1, 0), 0, 0) if sign_words == 0 => FloatKind::Float,
            ((0, 0, 0, 0, 0, 0, 1), 0, 0) if sign_words == 0 => FloatKind::Double,
            ((0, 0, 0, 0, 1, 0, 1), 0, 0) if sign_words == 0 => FloatKind::LongDouble,
            // A bare `_Complex` is double.
            ((0, 0, 0, 0, 0, 0, 0), 0, 0) if self.complex == 1 && sign_words == 0 => FloatKind::Double,
            ((0, 0, 1, 0, 0, 0, 0), 0, 0) => {
                return Some(Type::Int(match (self.signed, self.unsigned) {
                    (1, _) => IntKind::SChar,
                    (_, 1) => IntKind::UChar,
                    _ => IntKind::Char,
                }));
            }
            ((0, 0, 0, 1, 0, 0, 0), 0, _) => return pick(IntKind::Short),
            ((0, 0, 0, 0, 0, 0, 0), 0, _) => return pick(IntKind::Int),
            ((0, 0, 0, 0, 1, 0, 0), 0, _) => return pick(IntKind::Long),
            ((0, 0, 0, 0, 2, 0, 0), 0, _) => return pick(IntKind::LongLong),
            ((0, 0, 0, 0, 0, 0, 0), 1, 0) => return pick(IntKind::Int128),
            _ => return None,
        };
        Some(Type::Float(kind))
    }
}

/// Types of their own for gcc, which are names of `float`, `double` and `long double` here.
const LIKE_FLOATS: [&str; 4] = ["_Float32", "_Float64", "_Float32x", "_Float64x"];

impl Parser {
    /// The floating type names that gcc knows without declaration. They are typedefs, because headers of the time
    /// before declare them as such.
    pub(super) fn declare_float_names(&mut self) {
        for (name, kind) in [
            ("_Float32", FloatKind::Float),
            ("_Float64", FloatKind::Double),
            ("_Float32x", FloatKind::Double),
            ("_Float64x", FloatKind::LongDouble),
            ("__float80", FloatKind::LongDouble),
            ("_Float128", FloatKind::Float128),
            ("__float128", FloatKind::Float128),
        ] {
            let name = self.names.intern(name.as_bytes());
            let ty = self.types.float(kind);
            self.scopes.declare(name, Entity::Typedef(ty), Span::nowhere());
        }
    }

    /// A word of C23's declarations that the program has no meaning of its own for.
    fn new_word(&self, name: Name) -> Option<NewWord> {
        if self.scopes.lookup(name).is_some() {
            return None;
        }
        match self.names.text(name) {
            "bool" => Some(NewWord::Bool),
            "constexpr" => Some(NewWord::Constexpr),
            _ => None,
        }
    }

    /// Is the name that of a type?
    pub(super) fn names_type(&self, name: Name) -> bool {
        matches!(self.scopes.lookup(name), Some(Entity::Typedef(..))) || self.new_word(name) == Some(NewWord::Bool)
    }

    /// Does a declaration start here? (A typedef name followed by `:` is a label.)
    pub(super) fn declaration_starts(&self) -> bool {
        match self.peek() {
            _ if self.at_attribute() => true,
            Tok::Name(kw::EXTENSION) => match self.peek_at(1) {
                Tok::Name(name) if name.is_keyword() => name == kw::EXTENSION || starts_declaration(name),
                Tok::Name(name) => self.names_type(name),
                _ => false,
            },
            Tok::Name(name) if name.is_keyword() => starts_declaration(name),
            Tok::Name(name) => {
                let starts = self.names_type(name)
                    || self.new_word(name) == Some(NewWord::Constexpr)
                    || UNKNOWN_TYPES.contains(&self.names.text(name));
                starts && self.peek_at(1) != Tok::Punct(P::Colon) && self.peek_at(1) != Tok::Punct(P::Assign)
            }
            _ => false,
        }
    }

    /// Where the members of a record or an enum are followed by a type in another line, a `;` is missing behind them: back to there.
    fn unfinished_record(&mut self, first: usize) -> Option<Fatal> {
        let tokens = &self.stream.tokens;
        let mut ends = (first + 1..self.pos).rev();
        let next = ends.find(|i| {
            let (end, next) = (&tokens[i - 1], &tokens[*i]);
            end.tok == Tok::Punct(P::RBrace) && next.span.line > end.span.end_line
        })?;
        self.pos = next;
        self.expect(P::Semi).err()
    }

    pub(super) fn specifiers(&mut self) -> Res<Specifiers> {
        let (start, first) = (self.span(), self.pos);
        let int = self.types.int();
        let mut found = Specifiers {
            ty: int,
            storage: None,
            inline: false,
            thread_local: false,
            attributes: Attributes::default(),
            align: None,
            auto_type: false,
            explicit: false,
            tagged: false,
            span: start,
        };
        let mut words = Words::default();
        let mut other: Option<Ty> = None;
        let mut bits: Option<IntKind> = None;
        let mut quals = Qualifiers::NONE;
        loop {
            if self.at_attribute() {
                let attributes = self.attributes()?;
                found.attributes.merge(attributes);
                continue;
            }
            let Tok::Name(name) = self.peek() else { break };
            let span = self.span();
            if let Some(slot) = words.slot(name) {
                *slot += 1;
                self.advance();
                continue;
            }
            match name {
                kw::TYPEDEF | kw::EXTERN | kw::STATIC | kw::AUTO | kw::REGISTER => {
                    let class = match name {
                        kw::TYPEDEF => StorageClass::Typedef,
                        kw::EXTERN => StorageClass::Extern,
                        kw::STATIC => StorageClass::Static,
                        kw::AUTO => StorageClass::Auto,
                        _ => StorageClass::Register,
                    };
                    if found.storage.is_some_and(|c| c != class) {
                        self.error(span, "multiple storage classes in declaration specifiers");
                    }
                    found.storage = Some(class);
                    self.advance();
                }
                kw::CONST => {
                    quals = quals.and(Qualifiers::CONST);
                    self.advance();
                }
                kw::VOLATILE => {
                    quals = quals.and(Qualifiers::VOLATILE);
                    self.advance();
                }
                kw::RESTRICT | kw::EXTENSION => self.advance(),
                kw::ATOMIC => {
                    self.advance();
                    quals = quals.and(Qualifiers::ATOMIC);
                    if self.at(P::LParen) {
                        self.advance();
                        let (ty, _) = self.type_name()?;
                        self.expect(P::RParen)?;
                        other = Some(ty);
                    }
                }
                kw::INLINE => {
                    found.inline = true;
                    self.advance();
                }
                kw::NORETURN => {
                    found.attributes.noreturn = true;
                    self.advance();
                }
                kw::THREAD_LOCAL => {
                    found.thread_local = true;
                    self.advance();
                }
                kw::ALIGNAS => self.alignas(&mut found)?,
                kw::STRUCT | kw::UNION if other.is_none() && !words.any() => {
                    found.tagged = true;
                    other = Some(self.nested(Parser::record_specifier)?);
                }
                kw::ENUM if other.is_none() && !words.any() => {
                    found.tagged = true;
                    other = Some(self.nested(Parser::enum_specifier)?);
                }
                kw::TYPEOF if other.is_none() && !words.any() => {
                    self.advance();
                    other = Some(self.nested(Parser::typeof_specifier)?);
                }
                kw::TYPEOF_UNQUAL if other.is_none() && !words.any() => {
                    self.advance();
                    other = Some(self.nested(Parser::typeof_specifier)?.unqualified());
                }
                kw::AUTO_TYPE if other.is_none() && !words.any() => {
                    self.advance();
                    found.auto_type = true;
                    other = Some(int);
                }
                kw::VA_LIST | kw::INT128_T | kw::UINT128_T if other.is_none() && !words.any() => {
                    self.advance();
                    let ty = match name {
                        kw::VA_LIST => Type::VaList,
                        kw::INT128_T => Type::Int(IntKind::Int128),
                        _ => Type::Int(IntKind::UInt128),
                    };
                    other = Some(self.types.intern(ty));
                }
                _ if bits.is_none() && other.is_none() && self.names.text(name) == super::dialect::BITVECTOR => {
                    self.advance();
                    bits = Some(self.bitvector()?);
                }
                _ if !name.is_keyword() && other.is_none() && bits.is_none() => match self.scopes.lookup(name) {
                    // `_Complex _Float128`: the one typedef name that may follow a type word.
                    Some(Entity::Typedef(ty))
                        if words.complex == 1 && words.count() == 1 && self.types.is_float(ty) =>
                    {
                        self.advance();
                        words.complex = 0;
                        other = Some(self.types.intern(Type::Complex(ty.unqualified())));
                    }
                    Some(Entity::Typedef(ty)) if !words.any() => {
                        self.names_like_floats |= LIKE_FLOATS.contains(&self.names.text(name));
                        self.advance();
                        other = Some(ty);
                    }
                    None if UNKNOWN_TYPES.contains(&self.names.text(name)) => {
                        let message = format!("the type '{}' is not supported", self.names.text(name));
                        return self.fail(self.span(), message);
                    }
                    None if self.new_word(name) == Some(NewWord::Bool) && !words.any() => {
                        self.advance();
                        other = Some(self.types.bool());
                    }
                    None if self.new_word(name) == Some(NewWord::Constexpr)
                        && matches!(self.peek_at(1), Tok::Name(_)) =>
                    {
                        self.advance();
                        quals = quals.and(Qualifiers::CONST);
                    }
                    _ => break,
                },
                _ => break,
            }
        }
        found.span = self.since(start);
        found.explicit = other.is_some() || words.any();
        if let Some(kind) = bits {
            if words.count() != words.signed + words.unsigned || words.count() > 1 {
                return self.fail(found.span, "two or more data types in declaration specifiers");
            }
            other = Some(self.types.int_kind(if words.unsigned == 1 { kind.to_unsigned() } else { kind }));
            words = Words::default();
        }
        let ty = match other {
            Some(_) if words.any() => {
                if let Some(after) = self.unfinished_record(first) {
                    return Err(after);
                }
                return self.fail(found.span, "two or more data types in declaration specifiers");
            }
            Some(ty) => ty,
            None => match words.resolve() {
                Some(Type::Int(IntKind::Int128 | IntKind::UInt128)) if self.model == crate::types::DataModel::Ilp32 => {
                    return self.fail(found.span, "__int128 is not supported by the ILP32 data model");
                }
                Some(ty) if words.complex == 1 => {
                    let of = self.types.intern(ty);
                    self.types.intern(Type::Complex(of))
                }
                Some(ty) => self.types.intern(ty),
                None => return self.fail(found.span, "invalid combination of type specifiers"),
            },
        };
        let attributes = found.attributes.clone();
        found.ty = self.attributed(ty, &attributes).with(quals);
        if let Some(of) = self.types.element(found.ty)
            && quals != Qualifiers::NONE
        {
            // Qualifying an array type qualifies its elements.
            let Type::Array(_, len) = self.types[found.ty] else { return Ok(found) };
            found.ty = self.types.array(of.with(quals), len);
        }
        Ok(found)
    }

    fn alignas(&mut self, found: &mut Specifiers) -> Res<()> {
        self.advance();
        self.expect(P::LParen)?;
        let span = self.span();
        let align = if self.type_starts_at(0) {
            let (ty, _) = self.type_name()?;
            self.types.align_of(ty).into()
        } else {
            self.constant_expression("an alignment")?
        };
        self.expect(P::RParen)?;
        match u64::try_from(align) {
            Ok(0) => {}
            Ok(align) if align.is_power_of_two() && align <= 1 << 28 => found.align = found.align.max(Some(align)),
            _ => self.error(span, "requested alignment is not a positive power of 2"),
        }
        Ok(())
    }

    fn typeof_specifier(&mut self) -> Res<Ty> {
        self.expect(P::LParen)?;
        let ty = if self.type_starts_at(0) {
            self.type_name_keeping_bounds()?
        } else {
            let operand = self.expression()?;
            let ty = self.type_as_written(&operand);
            if self.types.is_variably_modified(ty) && has_effects(&operand) {
                // It is evaluated, with the bounds of the type.
                let operand = self.rvalue(operand);
                self.vla_bounds.push(operand);
            }
            ty
        };
        self.expect(P::RParen)?;
        Ok(ty)
    }

    /// A type name and the assignments to the bounds of variable arrays in it.
    pub(super) fn type_name(&mut self) -> Res<(Ty, Vec<crate::hir::Expr>)> {
        let mark = self.vla_bounds.len();
        let ty = self.type_name_keeping_bounds()?;
        Ok((ty, self.vla_bounds.split_off(mark)))
    }

    fn type_name_keeping_bounds(&mut self) -> Res<Ty> {
        let start = self.span();
        let specifiers = self.specifiers()?;
        if !specifiers.explicit {
            let found = self.describe_token();
            return self.fail(start, format!("expected a type, found {found}"));
        }
        let declarator = self.declarator(specifiers.ty, super::declarator::Naming::Abstract)?;
        self.forget_parameters(&declarator);
        let align = specifiers.attributes.align.max(declarator.attributes.align);
        Ok(align.map_or(declarator.ty, |align| declarator.ty.aligned(align)))
    }

    /// An integer constant expression; `what` names it in messages.
    pub(super) fn constant_expression(&mut self, what: &str) -> Res<i128> {
        let e = self.nested(Parser::conditional)?;
        let e = self.rvalue(e);
        match self.eval_int(&e) {
            Some(value) => Ok(value),
            None => self.fail(e.span, format!("{what} must be an integer constant")),
        }
    }
}
