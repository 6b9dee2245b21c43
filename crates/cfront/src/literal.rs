//! The values of literals: integers with their types, floats, characters, strings with all escapes.

use crate::float;
use crate::types::{DataModel, FloatKind, IntKind};

/// A number token, understood.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Number {
    Int {
        value: u128,
        kind: IntKind,
    },
    Float {
        bits: u128,
        kind: FloatKind,
    },
    /// GNU imaginary constant, of an integer or a floating type.
    Imaginary {
        bits: u128,
        kind: Result<IntKind, FloatKind>,
    },
}

/// A number in C90 or in C99 and later, which differ in the types of decimal integers.
pub(crate) fn number(text: &str, model: DataModel, is_c90: bool) -> Result<Number, String> {
    // C23's separators between digits.
    let text = &text.replace('\'', "");
    let lower = text.to_ascii_lowercase();
    let hex = lower.starts_with("0x");
    let is_float = lower.contains('.') || if hex { lower.contains('p') } else { lower.contains('e') };
    match is_float && !lower.starts_with("0b") {
        true => float_number(text, &lower, hex),
        false => int_number(text, &lower, model, is_c90),
    }
}

/// A decimal integer of C90, written so that later standards give it the same type; `None` where they do anyway.
pub(crate) fn from_c90(text: &str, model: DataModel) -> Option<String> {
    let kind = |is_c90: bool| match number(text, model, is_c90) {
        Ok(Number::Int { kind, .. }) => Some(kind),
        _ => None,
    };
    let (old, new) = (kind(true)?, kind(false)?);
    let digits = text.trim_end_matches(['l', 'L']);
    let suffix = if old == IntKind::ULong { "ul" } else { "ull" };
    (old != new).then(|| format!("{digits}{suffix}"))
}

fn float_number(text: &str, lower: &str, hex: bool) -> Result<Number, String> {
    // In a hexadecimal float, digits may be letters: the suffix starts after the exponent's digits.
    let body_end = if hex {
        let p = lower.find('p').ok_or_else(|| format!("hexadecimal constant '{text}' requires an exponent"))?;
        let signed = p + 1 + usize::from(matches!(lower.as_bytes().get(p + 1), Some(b'+' | b'-')));
        signed + lower[signed..].bytes().take_while(u8::is_ascii_digit).count()
    } else {
        let mut end = 0;
        let bytes = lower.as_bytes();
        while end < bytes.len() {
            let sign = matches!(bytes[end], b'+' | b'-') && end > 0 && bytes[end - 1] == b'e';
            if !(bytes[end].is_ascii_digit() || matches!(bytes[end], b'.' | b'e') || sign) {
                break;
            }
            end += 1;
        }
        end
    };
    let (body, suffix) = lower.split_at(body_end);
    // The `i` of an imaginary constant stands before the letter for the type, or after it.
    let (suffix, imaginary) = match suffix.strip_suffix(['i', 'j']).or_else(|| suffix.strip_prefix(['i', 'j'])) {
        Some(rest) => (rest, true),
        None => (suffix, false),
    };
    let kind = match suffix {
        "" | "d" | "f64" | "f32x" => FloatKind::Double,
        "f" | "f32" => FloatKind::Float,
        "l" | "w" | "f64x" => FloatKind::LongDouble,
        "q" | "f128" => FloatKind::Float128,
        _ => return Err(format!("invalid suffix \"{suffix}\" on floating constant '{text}'")),
    };
    let bits = float::parse(body, kind).ok_or_else(|| format!("malformed floating constant '{text}'"))?;
    Ok(if imaginary { Number::Imaginary { bits, kind: Err(kind) } } else { Number::Float { bits, kind } })
}

fn int_number(text: &str, lower: &str, model: DataModel, is_c90: bool) -> Result<Number, String> {
    let (radix, digits_from) = match lower.as_bytes() {
        [b'0', b'x', ..] => (16, 2),
        [b'0', b'b', ..] => (2, 2),
        [b'0', ..] => (8, 0),
        _ => (10, 0),
    };
    let rest = &lower[digits_from..];
    let len = rest.bytes().take_while(|b| if radix == 16 { b.is_ascii_hexdigit() } else { b.is_ascii_digit() }).count();
    let (digits, suffix) = rest.split_at(len);
    let malformed = || format!("invalid integer constant '{text}'");
    if digits.is_empty() {
        return Err(malformed());
    }
    let mut value: u128 = 0;
    for digit in digits.chars() {
        let digit = digit.to_digit(radix).ok_or_else(malformed)?;
        value = value.wrapping_mul(radix.into()).wrapping_add(digit.into());
    }
    let (suffix, imaginary) = match suffix.strip_suffix(['i', 'j']).or_else(|| suffix.strip_prefix(['i', 'j'])) {
        Some(rest) => (rest, true),
        None => (suffix, false),
    };
    let (unsigned, longs) = match suffix {
        "" => (false, 0),
        "u" => (true, 0),
        "l" => (false, 1),
        "ul" | "lu" => (true, 1),
        "ll" => (false, 2),
        "ull" | "llu" => (true, 2),
        _ => return Err(format!("invalid suffix \"{suffix}\" on integer constant '{text}'")),
    };
    // 6.4.4.1: the first type of the list in which the value fits.
    const LADDER: [(IntKind, u32, bool); 6] = [
        (IntKind::Int, 0, false),
        (IntKind::UInt, 0, true),
        (IntKind::Long, 1, false),
        (IntKind::ULong, 1, true),
        (IntKind::LongLong, 2, false),
        (IntKind::ULongLong, 2, true),
    ];
    let fits = |kind: IntKind| {
        let bits = kind.width(model) - u32::from(kind.signed());
        value >> bits == 0
    };
    // C90, 6.1.3.2: decimal constants may be `unsigned long`, and so are they in gcc beside `long long`.
    let may_be_unsigned = |kind: IntKind| radix != 10 || is_c90 && kind != IntKind::UInt;
    let kind = LADDER
        .into_iter()
        .filter(|&(kind, rank, is_unsigned)| {
            rank >= longs && if unsigned { is_unsigned } else { !is_unsigned || may_be_unsigned(kind) }
        })
        .map(|(kind, ..)| kind)
        .find(|&kind| fits(kind))
        // A decimal constant is never unsigned by itself: gcc has a wider type for it, where there is one.
        .or_else(|| {
            (!unsigned && radix == 10 && model == DataModel::Lp64 && value >> 64 == 0).then_some(IntKind::Int128)
        })
        // Too large for all: gcc warns and takes the low 64 bits.
        .unwrap_or(IntKind::ULongLong);
    let value = value & (u128::MAX >> (128 - kind.width(model)));
    Ok(if imaginary { Number::Imaginary { bits: value, kind: Ok(kind) } } else { Number::Int { value, kind } })
}

/// What stands in front of the quote.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Encoding {
    Plain,
    Utf8,
    Wide,
    Utf16,
    Utf32,
}

impl Encoding {
    pub(crate) fn elem(self, model: DataModel) -> IntKind {
        match self {
            Encoding::Plain | Encoding::Utf8 => IntKind::Char,
            Encoding::Wide => model.wchar_t(),
            Encoding::Utf16 => IntKind::UShort,
            Encoding::Utf32 => IntKind::UInt,
        }
    }

    fn is_narrow(self) -> bool {
        matches!(self, Encoding::Plain | Encoding::Utf8)
    }
}

/// Encoding and the bytes between the quotes of a string or character token.
pub(crate) fn split(token: &[u8]) -> (Encoding, &[u8]) {
    let (encoding, prefix) = match token {
        [b'u', b'8', ..] => (Encoding::Utf8, 2),
        [b'L', ..] => (Encoding::Wide, 1),
        [b'u', ..] => (Encoding::Utf16, 1),
        [b'U', ..] => (Encoding::Utf32, 1),
        _ => (Encoding::Plain, 0),
    };
    (encoding, &token[prefix + 1..token.len().max(prefix + 2) - 1])
}

/// The elements of a string (or character constant) body, without terminating zero.
pub(crate) fn units(body: &[u8], encoding: Encoding) -> Result<Vec<u32>, String> {
    let mut out = Vec::with_capacity(body.len());
    let mut i = 0;
    while i < body.len() {
        if body[i] == b'\\' {
            i = escape(body, i + 1, encoding, &mut out)?;
        } else if encoding.is_narrow() || body[i] < 0x80 {
            out.push(body[i].into());
            i += 1;
        } else {
            let len = (1..=4).find(|&n| body.get(i..i + n).is_some_and(|b| std::str::from_utf8(b).is_ok()));
            match len.and_then(|n| std::str::from_utf8(&body[i..i + n]).ok()) {
                Some(text) => {
                    text.chars().for_each(|c| push_char(c, encoding, &mut out));
                    i += text.len();
                }
                // Not UTF-8: Latin-1, whose code points are Unicode's.
                None => {
                    out.push(body[i].into());
                    i += 1;
                }
            }
        }
    }
    Ok(out)
}

fn push_char(c: char, encoding: Encoding, out: &mut Vec<u32>) {
    match encoding {
        Encoding::Plain | Encoding::Utf8 => {
            let mut buffer = [0; 4];
            out.extend(c.encode_utf8(&mut buffer).bytes().map(u32::from));
        }
        Encoding::Utf16 => {
            let mut buffer = [0; 2];
            out.extend(c.encode_utf16(&mut buffer).iter().map(|&u| u32::from(u)));
        }
        Encoding::Wide | Encoding::Utf32 => out.push(c as u32),
    }
}

/// One escape sequence, `i` just after the backslash; gives where it ends.
fn escape(body: &[u8], mut i: usize, encoding: Encoding, out: &mut Vec<u32>) -> Result<usize, String> {
    let Some(&c) = body.get(i) else { return Err("stray backslash at the end of a literal".to_owned()) };
    i += 1;
    let mask = match encoding {
        Encoding::Plain | Encoding::Utf8 => 0xff,
        Encoding::Utf16 => 0xffff,
        Encoding::Wide | Encoding::Utf32 => u32::MAX,
    };
    let simple = match c {
        b'n' => 10,
        b't' => 9,
        b'r' => 13,
        b'a' => 7,
        b'b' => 8,
        b'f' => 12,
        b'v' => 11,
        b'e' | b'E' => 27,
        b'0'..=b'7' => {
            let len = body[i - 1..].iter().take(3).take_while(|b| (b'0'..=b'7').contains(b)).count();
            let value = body[i - 1..i - 1 + len].iter().fold(0u32, |v, b| v * 8 + u32::from(b - b'0'));
            i += len - 1;
            value & mask
        }
        b'x' => {
            let len = body[i..].iter().take_while(|b| b.is_ascii_hexdigit()).count();
            if len == 0 {
                return Err("\\x used with no following hex digits".to_owned());
            }
            let value = hex(&body[i..i + len]);
            i += len;
            value & mask
        }
        b'u' | b'U' => {
            let len = if c == b'u' { 4 } else { 8 };
            let digits = body.get(i..i + len).filter(|d| d.iter().all(u8::is_ascii_hexdigit));
            let Some(c) = digits.and_then(|d| char::from_u32(hex(d))) else {
                return Err("incomplete or invalid universal character name".to_owned());
            };
            push_char(c, encoding, out);
            return Ok(i + len);
        }
        // `\\`, `\'`, `\"`, `\?`; gcc takes an unknown escape as the character itself.
        other => other.into(),
    };
    out.push(simple);
    Ok(i)
}

fn hex(digits: &[u8]) -> u32 {
    digits.iter().fold(0u32, |v, &b| v.wrapping_shl(4) | char::from(b).to_digit(16).unwrap_or(0))
}

/// The value of a character constant (sign-extended into 32 bits for plain ones) and its type.
pub(crate) fn character(token: &[u8], model: DataModel) -> Result<(i64, IntKind), String> {
    let (encoding, body) = split(token);
    let units = units(body, encoding)?;
    let Some(&last) = units.last() else { return Err("empty character constant".to_owned()) };
    Ok(match encoding {
        Encoding::Plain if units.len() == 1 => (i64::from(last as u8 as i8), IntKind::Int),
        Encoding::Utf8 if units.len() == 1 => (i64::from(last as u8), IntKind::UChar),
        Encoding::Utf8 => return Err("a character constant of UTF-8 is one byte".to_owned()),
        Encoding::Plain => (i64::from(units.iter().fold(0u32, |v, &u| (v << 8) | u) as i32), IntKind::Int),
        Encoding::Wide => (i64::from(last as i32), model.wchar_t()),
        Encoding::Utf16 => (i64::from(last as u16), IntKind::UShort),
        Encoding::Utf32 => (i64::from(last), IntKind::UInt),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(text: &str, model: DataModel) -> (u128, IntKind) {
        match number(text, model, false) {
            Ok(Number::Int { value, kind }) => (value, kind),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn integer_types_follow_the_ladder() {
        use DataModel::{Ilp32, Lp64};
        assert_eq!(int("2147483647", Ilp32), (0x7fff_ffff, IntKind::Int));
        assert_eq!(int("2147483648", Ilp32), (0x8000_0000, IntKind::LongLong));
        assert_eq!(int("2147483648", Lp64), (0x8000_0000, IntKind::Long));
        assert_eq!(int("0x80000000", Lp64), (0x8000_0000, IntKind::UInt));
        assert_eq!(int("017", Lp64), (15, IntKind::Int));
        assert_eq!(int("0b101u", Lp64), (5, IntKind::UInt));
        assert_eq!(int("1LU", Ilp32), (1, IntKind::ULong));
        assert_eq!(int("0xffffffffffffffff", Ilp32), (u64::MAX.into(), IntKind::ULongLong));
        assert!(number("08", Lp64, false).is_err());
        assert!(number("1x", Lp64, false).is_err());
    }

    /// As gcc has it under `-std=gnu89`.
    #[test]
    fn decimals_of_c90_may_be_unsigned() {
        use DataModel::{Ilp32, Lp64};
        let kind = |text: &str, model: DataModel| match number(text, model, true) {
            Ok(Number::Int { kind, .. }) => kind,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(kind("2147483647", Ilp32), IntKind::Int);
        assert_eq!(kind("2147483648", Ilp32), IntKind::ULong);
        assert_eq!(kind("4294967296", Ilp32), IntKind::LongLong);
        assert_eq!(kind("2147483648", Lp64), IntKind::Long);
        assert_eq!(kind("9223372036854775808", Lp64), IntKind::ULong);
        assert_eq!(kind("9223372036854775808ll", Lp64), IntKind::ULongLong);
        assert_eq!(from_c90("2147483648l", Ilp32).as_deref(), Some("2147483648ul"));
        assert_eq!(from_c90("9223372036854775808ll", Lp64).as_deref(), Some("9223372036854775808ull"));
        assert_eq!(from_c90("2147483648", Lp64), None);
    }

    #[test]
    fn characters_and_escapes() {
        let value = |t: &str| character(t.as_bytes(), DataModel::Lp64).map(|c| c.0);
        assert_eq!(value("'a'"), Ok(97));
        assert_eq!(value("'\\377'"), Ok(-1));
        assert_eq!(value("'\\x41'"), Ok(65));
        assert_eq!(value("'ab'"), Ok(0x6162));
        assert_eq!(value("L'\\u20ac'"), Ok(0x20ac));
        assert_eq!(character(b"u8'\\xff'", DataModel::Lp64), Ok((255, IntKind::UChar)));
        assert!(value("u8'ab'").is_err() && value("u8'\u{e4}'").is_err());
        assert!(value("''").is_err());
        assert_eq!(units(b"\\101\\0b\\e", Encoding::Plain), Ok(vec![65, 0, 98, 27]));
    }
}
