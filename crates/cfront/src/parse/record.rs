//! `struct`, `union` and `enum` specifiers.

use base::Span;
use rustc_hash::FxHashSet;

use crate::layout::{Member, RecordAttributes};
use crate::token::{Name, P, Tok, kw};
use crate::types::{EnumId, EnumType, IntKind, Len, Record, RecordId, Ty, Type};

use super::attribute::Attributes;
use super::declarator::Naming;
use super::recover::Within;
use super::scope::{Entity, Tag};
use super::{Fatal, Parser, Res};

impl Parser {
    pub(super) fn record_specifier(&mut self) -> Res<Ty> {
        let start = self.span();
        let is_union = self.at_keyword(kw::UNION);
        self.advance();
        let (tag, mut attributes) = self.tag_and_attributes()?;
        let id = self.record_for_tag(tag, is_union, start)?;
        let ty = self.types.intern(Type::Record(id));
        let is_complete = self.types.records[id].complete;
        if !self.opens_definition(ty, is_complete, start)? {
            return Ok(ty);
        }
        let members = self.members()?;
        let flexible = |m: &Member| matches!(self.types[m.ty], Type::Array(_, Len::Unknown));
        let last = members.len().saturating_sub(1);
        if members.iter().enumerate().any(|(i, m)| flexible(m) && (is_union || i < last)) {
            return self.fail(start, "a flexible array must be the last member of a struct");
        }
        let pack = self.stream.pack_at(self.pos);
        let more = self.attributes()?;
        attributes.merge(more);
        let wanted = RecordAttributes {
            packed: attributes.packed,
            align: attributes.last_align,
            max_member_align: pack,
            transparent: attributes.transparent_union,
        };
        if let Err(message) = self.types.lay_out(id, members, wanted) {
            return self.fail(start, message);
        }
        Ok(ty)
    }

    fn tag_name(&mut self) -> Option<(Name, Span)> {
        let name = self.peek_identifier()?;
        self.advance();
        Some((name, self.last_span()))
    }

    fn record_for_tag(&mut self, tag: Option<(Name, Span)>, is_union: bool, start: Span) -> Res<RecordId> {
        // `struct s {` and `struct s;` speak of this scope, other uses of whatever is visible.
        let here_only = self.at(P::LBrace) || self.at(P::Semi);
        if let Some((name, span)) = tag {
            let known =
                if here_only { self.scopes.lookup_tag_here(name).map(|t| t.0) } else { self.scopes.lookup_tag(name) };
            match known {
                Some(Tag::Record(id)) if self.types.records[id].is_union == is_union => return Ok(id),
                Some(_) => {
                    let text = self.text_of(name);
                    return self.fail(span, format!("'{text}' defined as the wrong kind of tag"));
                }
                None => {}
            }
        }
        let name = tag.map(|(name, _)| self.text_of(name));
        let id = self.types.records.push(Record {
            name,
            is_union,
            complete: false,
            fields: Vec::new(),
            unnamed_bits: Vec::new(),
            size: 0,
            align: 1,
            flexible: false,
            transparent: false,
        });
        if let Some((name, _)) = tag {
            self.scopes.declare_tag(name, Tag::Record(id), start);
        }
        Ok(id)
    }

    /// The members, `{` taken; `}` is taken too.
    fn members(&mut self) -> Res<Vec<Member>> {
        let mut members: Vec<Member> = Vec::new();
        let mut names = FxHashSet::default();
        while !self.accept(P::RBrace) {
            if self.accept(P::Semi) {
                continue;
            }
            if self.accept_keyword(kw::STATIC_ASSERT) {
                self.static_assertion()?;
                continue;
            }
            let begin = self.begin();
            if self.member_declaration(&mut members, &mut names).is_err() && !self.recovered(&begin, Within::Braces) {
                return Err(Fatal);
            }
        }
        Ok(members)
    }

    fn member_declaration(&mut self, members: &mut Vec<Member>, names: &mut FxHashSet<String>) -> Res<()> {
        let start = self.span();
        let specifiers = self.specifiers()?;
        if !specifiers.explicit && specifiers.ty == specifiers.ty.unqualified() {
            let found = self.describe_token();
            return self.fail(start, format!("expected a member declaration, found {found}"));
        }
        if specifiers.storage.is_some() {
            self.error(start, "storage class specified for a member");
        }
        if self.at(P::Semi) {
            self.advance();
            // An anonymous struct or union; `struct s { ... };` with a tag declares no member.
            if let Some(inner) = self.types.record(specifiers.ty)
                && self.types.records[inner].name.is_none()
            {
                let mut inner_names = Vec::new();
                self.collect_names(inner, &mut inner_names);
                for name in inner_names {
                    if !names.insert(name.clone()) {
                        self.error(start, format!("duplicate member '{name}'"));
                    }
                }
                members.push(Member {
                    name: None,
                    ty: specifiers.ty,
                    bits: None,
                    align: specifiers.align.max(specifiers.attributes.align),
                    packed: specifiers.attributes.packed,
                });
            }
            return Ok(());
        }
        loop {
            let mark = self.vla_bounds.len();
            let unnamed_bits = self.at(P::Colon);
            let declarator = if unnamed_bits { None } else { Some(self.declarator(specifiers.ty, Naming::Required)?) };
            let mut attributes = specifiers.attributes.clone();
            let (name, ty, span) = match &declarator {
                Some(d) => {
                    self.forget_parameters(d);
                    attributes.merge(d.attributes.clone());
                    let span = d.name.map_or(start, |(_, span)| span);
                    (d.name.map(|(name, _)| self.text_of(name)), d.ty, span)
                }
                None => (None, specifiers.ty, self.span()),
            };
            if !self.vla_bounds.split_off(mark).is_empty() {
                return self.fail(span, "a member of variable length (an extension of gcc) is not supported");
            }
            let bits = if self.accept(P::Colon) { Some(self.bit_width(ty, name.is_some(), span)?) } else { None };
            let more = self.attributes()?;
            attributes.merge(more);
            if let Some(name) = &name
                && !names.insert(name.clone())
            {
                self.error(span, format!("duplicate member '{name}'"));
            }
            self.check_member_type(ty, span)?;
            let align = specifiers.align.max(attributes.align);
            members.push(Member { name, ty, bits, align, packed: attributes.packed });
            if !self.accept(P::Comma) {
                break;
            }
        }
        if !self.at(P::RBrace) {
            self.expect(P::Semi)?;
        }
        Ok(())
    }

    fn collect_names(&self, record: RecordId, out: &mut Vec<String>) {
        for field in &self.types.records[record].fields {
            match (&field.name, self.types.record(field.ty)) {
                (Some(name), _) => out.push(name.clone()),
                (None, Some(inner)) => self.collect_names(inner, out),
                _ => {}
            }
        }
    }

    fn bit_width(&mut self, ty: Ty, named: bool, span: Span) -> Res<u32> {
        let width = self.constant_expression("the width of a bit-field")?;
        let Some((max, _)) = self.types.int_shape(ty) else {
            return self.fail(span, "a bit-field must have an integer type");
        };
        match u32::try_from(width) {
            Ok(0) if named => self.fail(span, "a named bit-field cannot have width zero"),
            Ok(width) if width <= max => Ok(width),
            _ => self.fail(span, "the width of the bit-field does not fit its type"),
        }
    }

    fn check_member_type(&mut self, ty: Ty, span: Span) -> Res<()> {
        let flexible = matches!(self.types[ty], Type::Array(_, Len::Unknown));
        if self.types.is_complete(ty) || flexible {
            return Ok(());
        }
        let shown = self.types.show(ty);
        self.fail(span, format!("a member cannot have type '{shown}' (incomplete or a function)"))
    }

    /// What stands between `struct`, `union` or `enum` and its braces.
    fn tag_and_attributes(&mut self) -> Res<(Option<(Name, Span)>, Attributes)> {
        let mut attributes = self.attributes()?;
        let tag = self.tag_name();
        let more = self.attributes()?;
        attributes.merge(more);
        if tag.is_none() && !self.at(P::LBrace) && !self.at(P::Colon) {
            let found = self.describe_token();
            return self.fail(self.span(), format!("expected a tag or '{{', found {found}"));
        }
        Ok((tag, attributes))
    }

    /// Whether the braces of a definition follow, which must be the first one of the type.
    fn opens_definition(&mut self, ty: Ty, is_complete: bool, start: Span) -> Res<bool> {
        if !self.accept(P::LBrace) {
            return Ok(false);
        }
        if is_complete {
            let shown = self.types.show(ty);
            return self.fail(start, format!("redefinition of '{shown}'"));
        }
        Ok(true)
    }

    pub(super) fn enum_specifier(&mut self) -> Res<Ty> {
        let start = self.span();
        self.advance();
        let (tag, mut attributes) = self.tag_and_attributes()?;
        let id = self.enum_for_tag(tag, start)?;
        let fixed = self.underlying_type()?;
        let known = &self.types.enums[id];
        let mut is_defined = known.complete;
        let truth = fixed.map_or(known.truth, |(_, truth)| truth);
        let ty = if truth { self.types.bool() } else { self.types.intern(Type::Enum(id)) };
        let known = &mut self.types.enums[id];
        if let Some((kind, truth)) = fixed {
            if known.complete && (known.underlying, known.truth) != (kind, truth) {
                let shown = self.types.show(ty);
                return self.fail(start, format!("'{shown}' has another underlying type"));
            }
            // It is complete without its constants, which may come later.
            is_defined &= !known.constants.is_empty();
            (known.underlying, known.truth, known.complete) = (kind, truth, true);
        }
        if !self.opens_definition(ty, is_defined, start)? {
            return Ok(ty);
        }
        let constants = self.enumerators(fixed.map(|(kind, _)| (kind, ty)))?;
        let more = self.attributes()?;
        attributes.merge(more);
        match fixed {
            Some((kind, _)) => self.set_enum(id, kind, constants),
            None => self.complete_enum(id, constants, attributes.packed),
        }
        Ok(ty)
    }

    /// Whether the `: type` of C23 follows. The colon of a bit-field without a name is followed by its width.
    fn at_underlying_type(&self) -> bool {
        let Tok::Name(name) = self.peek_at(1) else { return false };
        let is_type = super::spec::starts_type(name) || self.names_type(name);
        self.at(P::Colon) && is_type
    }

    /// The type behind the colon, and whether it is `bool`: then constants and values are 0 or 1, in a byte.
    fn underlying_type(&mut self) -> Res<Option<(IntKind, bool)>> {
        if !self.at_underlying_type() {
            return Ok(None);
        }
        self.advance();
        let span = self.span();
        let (ty, _) = self.type_name()?;
        match self.types[ty.unqualified()] {
            Type::Int(kind) => Ok(Some((kind, false))),
            Type::Bool => Ok(Some((IntKind::UChar, true))),
            _ => self.fail(span, "the underlying type of an enumeration must be an integer type"),
        }
    }

    fn enum_for_tag(&mut self, tag: Option<(Name, Span)>, start: Span) -> Res<EnumId> {
        let here_only = self.at(P::LBrace) || self.at(P::Semi) || self.at_underlying_type();
        if let Some((name, span)) = tag {
            let known =
                if here_only { self.scopes.lookup_tag_here(name).map(|t| t.0) } else { self.scopes.lookup_tag(name) };
            match known {
                Some(Tag::Enum(id)) => return Ok(id),
                Some(_) => {
                    let text = self.text_of(name);
                    return self.fail(span, format!("'{text}' defined as the wrong kind of tag"));
                }
                None => {}
            }
        }
        let name = tag.map(|(name, _)| self.text_of(name));
        let id = self.types.enums.push(EnumType {
            name,
            complete: false,
            underlying: IntKind::UInt,
            truth: false,
            constants: Vec::new(),
        });
        if let Some((name, _)) = tag {
            self.scopes.declare_tag(name, Tag::Enum(id), start);
        }
        Ok(id)
    }

    /// The constants, `{` taken; `}` is taken too. Where the underlying type is given, they have the type of the enumeration.
    fn enumerators(&mut self, fixed: Option<(IntKind, Ty)>) -> Res<Vec<(Name, i128, Span)>> {
        let mut constants = Vec::new();
        let mut next: i128 = 0;
        loop {
            let (name, span) = self.identifier("an enumeration constant")?;
            self.attributes()?;
            if self.accept(P::Assign) {
                next = self.constant_expression("the value of an enumeration constant")?;
            }
            if i64::try_from(next).is_err() && u64::try_from(next).is_err() {
                return self.fail(span, "the value of the enumeration constant is too large");
            }
            if self.scopes.lookup_here(name).is_some() {
                let text = self.text_of(name);
                self.error(span, format!("redeclaration of '{text}'"));
            }
            let ty = match fixed {
                Some((kind, ty))
                    if !holds(kind, next, self.model) || matches!(self.types[ty], Type::Bool) && next > 1 =>
                {
                    return self.fail(span, "the value of the enumeration constant does not fit its underlying type");
                }
                Some((_, ty)) => ty,
                None => self.constant_type(next),
            };
            self.scopes.declare(name, Entity::Constant(next, ty), span);
            constants.push((name, next, span));
            next += 1;
            let comma = self.accept(P::Comma);
            if self.accept(P::RBrace) {
                return Ok(constants);
            }
            if !comma || self.peek() == Tok::Eof {
                let found = self.describe_token();
                return self.fail(self.span(), format!("expected ',' or '}}', found {found}"));
            }
        }
    }

    /// The type of an enumeration constant while its enum is being read: int if that holds it.
    fn constant_type(&mut self, value: i128) -> Ty {
        let kind = [IntKind::Int, IntKind::UInt, IntKind::Long, IntKind::ULong, IntKind::LongLong, IntKind::ULongLong]
            .into_iter()
            .find(|&k| holds(k, value, self.model))
            .unwrap_or(IntKind::ULongLong);
        self.types.int_kind(kind)
    }

    fn complete_enum(&mut self, id: EnumId, constants: Vec<(Name, i128, Span)>, packed: bool) {
        let least = constants.iter().map(|c| c.1).min().unwrap_or(0);
        let most = constants.iter().map(|c| c.1).max().unwrap_or(0);
        let small: &[IntKind] = if packed { &[IntKind::SChar, IntKind::Short] } else { &[] };
        let usual = [IntKind::Int, IntKind::Long, IntKind::LongLong];
        let underlying = small
            .iter()
            .copied()
            .chain(usual)
            .map(|k| if least < 0 { k } else { k.to_unsigned() })
            .find(|&k| holds(k, least, self.model) && holds(k, most, self.model))
            .unwrap_or(IntKind::LongLong);
        // As gcc: constants that fit have type int, the others that of the enum.
        let (int, wide) = (self.types.int(), self.types.int_kind(underlying));
        for &(name, value, span) in &constants {
            let ty = if holds(IntKind::Int, value, self.model) { int } else { wide };
            self.scopes.declare(name, Entity::Constant(value, ty), span);
        }
        self.set_enum(id, underlying, constants);
    }

    fn set_enum(&mut self, id: EnumId, underlying: IntKind, constants: Vec<(Name, i128, Span)>) {
        let constants = constants.into_iter().map(|(name, value, _)| (self.text_of(name), value)).collect();
        let e = &mut self.types.enums[id];
        e.underlying = underlying;
        e.constants = constants;
        e.complete = true;
    }
}

fn holds(kind: IntKind, value: i128, model: crate::types::DataModel) -> bool {
    let width = kind.width(model);
    if kind.signed() {
        value >= -(1 << (width - 1)) && value < 1 << (width - 1)
    } else {
        value >= 0 && value < 1 << width
    }
}
