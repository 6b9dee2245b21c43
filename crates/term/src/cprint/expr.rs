//! C integer expressions with their type and precedence.

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};

/// Binding strength of an expression's outermost operator.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Level(u8);

impl Level {
    pub(super) const CHOICE: Level = Level(3);
    pub(super) const OR: Level = Level(4);
    pub(super) const AND: Level = Level(5);
    pub(super) const BIT_OR: Level = Level(6);
    pub(super) const BIT_XOR: Level = Level(7);
    pub(super) const BIT_AND: Level = Level(8);
    pub(super) const EQ: Level = Level(9);
    pub(super) const ORDER: Level = Level(10);
    pub(super) const SHIFT: Level = Level(11);
    pub(super) const ADD: Level = Level(12);
    pub(super) const MUL: Level = Level(13);
    pub(super) const UNARY: Level = Level(14);
    pub(super) const PRIMARY: Level = Level(15);

    pub(super) fn next(self) -> Level {
        Level(self.0 + 1)
    }
}

/// A C integer type: 8, 16, 32, 64 or 128 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CInt {
    pub(super) signed: bool,
    pub(super) width: u32,
}

impl CInt {
    pub(super) const INT: CInt = CInt { signed: true, width: 32 };

    /// The type of at least `bits` bits in which arithmetic is done: `int` or wider.
    pub(super) fn at_least(signed: bool, bits: u32) -> Option<CInt> {
        let width = [32, 64, 128].into_iter().find(|&width| width >= bits)?;
        Some(CInt { signed, width })
    }

    /// The type of exactly that width.
    pub(super) fn exactly(signed: bool, width: u32) -> Option<CInt> {
        matches!(width, 8 | 16 | 32 | 64 | 128).then_some(CInt { signed, width })
    }

    pub(super) fn name(self) -> &'static str {
        match (self.signed, self.width) {
            (true, 8) => "signed char",
            (false, 8) => "unsigned char",
            (true, 16) => "short",
            (false, 16) => "unsigned short",
            (true, 32) => "int",
            (false, 32) => "unsigned int",
            (true, 64) => "long long",
            (false, 64) => "unsigned long long",
            (true, _) => "__int128",
            (false, _) => "unsigned __int128",
        }
    }

    /// After integer promotion.
    pub(super) fn promoted(self) -> CInt {
        if self.width < 32 { CInt::INT } else { self }
    }

    /// The type in which C combines two operands.
    pub(super) fn common(self, other: CInt) -> CInt {
        let (a, b) = (self.promoted(), other.promoted());
        if a.signed == b.signed || a.width != b.width {
            return if a.width >= b.width { a } else { b };
        }
        CInt { signed: false, width: a.width }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub(super) text: String,
    pub(super) level: Level,
    pub(super) ty: CInt,
    /// The value, if the expression is a literal.
    pub(super) literal: Option<BigInt>,
}

impl Expr {
    pub(super) fn new(text: impl Into<String>, level: Level, ty: CInt) -> Expr {
        Expr { text: text.into(), level, ty, literal: None }
    }

    /// An expression of value 0 or 1.
    pub(super) fn truth(text: impl Into<String>, level: Level) -> Expr {
        Expr::new(text, level, CInt::INT)
    }

    /// The text, in parentheses if it binds less than `level`.
    pub(super) fn at_least(&self, level: Level) -> String {
        if self.level >= level { self.text.clone() } else { format!("({})", self.text) }
    }

    /// Converted to the type, unless it has it. Literals change their suffix instead.
    pub(super) fn cast(&self, ty: CInt) -> Expr {
        if self.ty == ty {
            return self.clone();
        }
        if let Some(value) = &self.literal
            && ty.width >= 32
            && (ty.signed || !value.is_negative())
            && let Some(literal) = Expr::typed_literal(value, ty)
        {
            return literal;
        }
        Expr::new(format!("({}){}", ty.name(), self.at_least(Level::UNARY)), Level::UNARY, ty)
    }

    /// A number in the smallest type of `int`, `unsigned int`, `long long`, … that holds it.
    pub(super) fn number(value: &BigInt) -> Option<Expr> {
        let types = [(true, 32), (false, 32), (true, 64), (false, 64), (true, 128), (false, 128)];
        types.into_iter().find_map(|(signed, width)| Expr::typed_literal(value, CInt { signed, width }))
    }

    /// A number as a literal of that type, if it fits.
    fn typed_literal(value: &BigInt, ty: CInt) -> Option<Expr> {
        let one = BigInt::from(1);
        let (min, max) = match ty.signed {
            true => (-(&one << (ty.width - 1)), (&one << (ty.width - 1)) - 1),
            false => (BigInt::ZERO, (&one << ty.width) - 1),
        };
        if *value < min || *value > max {
            return None;
        }
        let suffix = match (ty.signed, ty.width) {
            (true, 32) => "",
            (false, 32) => "u",
            (true, 64) => "ll",
            (false, 64) => "ull",
            _ => return wide_literal(value, ty),
        };
        let (text, level) = if *value == min && ty.signed {
            // The magnitude alone does not fit.
            (format!("-{}{suffix} - 1", &max), Level::ADD)
        } else {
            let level = if value.is_negative() { Level::UNARY } else { Level::PRIMARY };
            (format!("{value}{suffix}"), level)
        };
        Some(Expr { literal: Some(value.clone()), ..Expr::new(text, level, ty) })
    }

    /// `left op right`, both binding at least as strongly as the operator needs.
    pub(super) fn binary(left: &Expr, op: &str, right: &Expr, level: Level, ty: CInt) -> Expr {
        // Operators whose precedence people forget get parentheses around anything compound.
        let strict = level < Level::EQ || level == Level::SHIFT;
        let (l, r) = if strict { (Level::UNARY, Level::UNARY) } else { (level, level.next()) };
        Expr::new(format!("{} {op} {}", left.at_least(l), right.at_least(r)), level, ty)
    }

    /// `cond ? a : b`
    pub(super) fn choice(cond: Expr, a: Expr, b: Expr) -> Option<Expr> {
        let ty = a.ty.common(b.ty);
        let text = format!("{} ? {} : {}", cond.at_least(Level::OR), a.at_least(Level::OR), b.at_least(Level::OR));
        Some(Expr::new(text, Level::CHOICE, ty))
    }
}

/// C has no literals of 128 bits: compose two halves.
fn wide_literal(value: &BigInt, ty: CInt) -> Option<Expr> {
    let modulus = BigInt::from(1) << 128u32;
    let bits = if value.is_negative() { value + modulus } else { value.clone() };
    let bits = bits.to_u128()?;
    let (high, low) = ((bits >> 64) as u64, bits as u64);
    let unsigned = format!("((unsigned __int128){high}ull << 64 | {low}ull)");
    let text = if ty.signed { format!("(__int128){unsigned}") } else { unsigned };
    let level = if ty.signed { Level::UNARY } else { Level::PRIMARY };
    Some(Expr { literal: Some(value.clone()), ..Expr::new(text, level, ty) })
}
