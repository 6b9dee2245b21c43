//! `printf`, byte for byte as glibc does it.
//!
//! Decimal digits of floats are computed exactly with big integers and rounded once, half to even.

use super::memory::Fault;
use cfa::DataModel;
use num_bigint::BigUint;
use num_integer::Integer;
use term::{FloatValue, Format};

/// Where the arguments are: a row of 16-byte slots, and memory for strings.
pub(super) trait Arguments {
    fn slot(&mut self) -> Result<[u8; 16], Fault>;
    /// Bytes up to a zero byte, at most so many.
    fn string(&mut self, address: u64, most: usize) -> Result<Vec<u8>, Fault>;
    /// Wide characters up to a zero, at most so many.
    fn wide_string(&mut self, address: u64, most: usize) -> Result<Vec<u32>, Fault>;
    fn store_count(&mut self, address: u64, bytes: u64, count: u64) -> Result<(), Fault>;
}

#[derive(Clone, Copy, Default)]
struct Flags {
    left: bool,
    plus: bool,
    space: bool,
    zero: bool,
    alternative: bool,
}

#[derive(Clone, Copy)]
struct Spec {
    flags: Flags,
    width: usize,
    precision: Option<usize>,
}

/// Widths and precisions beyond this are not honoured: they are mistakes.
const WIDEST: i64 = 1 << 20;

/// A floating conversion of a format string.
#[derive(Clone, Copy, Debug)]
pub struct FloatText {
    /// `f`, `e`, `g`, `a` or a capital of them.
    pub conversion: u8,
    pub left: bool,
    pub plus: bool,
    pub space: bool,
    pub alternative: bool,
    pub zero: bool,
    pub width: usize,
    pub precision: Option<usize>,
}

impl FloatText {
    /// The text of a double or an extended double.
    pub fn of(self, value: FloatValue) -> Option<Vec<u8>> {
        struct Nothing;
        impl Arguments for Nothing {
            fn slot(&mut self) -> Result<[u8; 16], Fault> {
                Err(Fault::Bounds)
            }
            fn string(&mut self, _: u64, _: usize) -> Result<Vec<u8>, Fault> {
                Err(Fault::Bounds)
            }
            fn wide_string(&mut self, _: u64, _: usize) -> Result<Vec<u32>, Fault> {
                Err(Fault::Bounds)
            }
            fn store_count(&mut self, _: u64, _: u64, _: u64) -> Result<(), Fault> {
                Err(Fault::Bounds)
            }
        }
        let FloatText { conversion, left, plus, space, alternative, zero, width, precision } = self;
        let spec = Spec { flags: Flags { left, plus, space, zero, alternative }, width, precision };
        let slot = value.to_bits().to_u128()?.to_le_bytes();
        let float = match value.format() {
            Format::F64 => Float::from_double(&slot),
            Format::X87 => Float::from_x87(&slot),
            _ => return None,
        };
        let mut printer = Printer { args: &mut Nothing, model: DataModel::Lp64, out: Vec::new() };
        printer.float(conversion, spec, float);
        Some(printer.out)
    }
}

/// What is printed; and the first invalid access among the arguments, at which printing stops.
pub(super) fn format(template: &[u8], args: &mut dyn Arguments, model: DataModel) -> (Vec<u8>, Option<Fault>) {
    let mut printer = Printer { args, model, out: Vec::new() };
    let fault = printer.run(template).err();
    (printer.out, fault)
}

struct Printer<'a> {
    args: &'a mut dyn Arguments,
    model: DataModel,
    out: Vec<u8>,
}

impl Printer<'_> {
    fn run(&mut self, template: &[u8]) -> Result<(), Fault> {
        let mut rest = template;
        while let Some((&byte, tail)) = rest.split_first() {
            rest = tail;
            if byte != b'%' {
                self.out.push(byte);
                continue;
            }
            let start = rest;
            match self.directive(&mut rest)? {
                true => {}
                // Not a directive: as it stands.
                false => {
                    self.out.push(b'%');
                    rest = start;
                }
            }
        }
        Ok(())
    }

    /// What follows a `%`; false when it is no directive.
    fn directive(&mut self, rest: &mut &[u8]) -> Result<bool, Fault> {
        let mut flags = Flags::default();
        while let Some((&byte, tail)) = rest.split_first() {
            match byte {
                b'-' => flags.left = true,
                b'+' => flags.plus = true,
                b' ' => flags.space = true,
                b'0' => flags.zero = true,
                b'#' => flags.alternative = true,
                b'\'' => {}
                _ => break,
            }
            *rest = tail;
        }
        let mut width = self.number(rest)?.unwrap_or(0);
        if width < 0 {
            flags.left = true;
            width = -width;
        }
        let mut precision = None;
        if let Some((b'.', tail)) = rest.split_first() {
            *rest = tail;
            // A negative precision counts as none.
            precision = usize::try_from(self.number(rest)?.unwrap_or(0)).ok();
        }
        let spec = Spec { flags, width: width as usize, precision };
        let length: &[u8] = [&b"hh"[..], b"ll", b"h", b"l", b"j", b"z", b"t", b"L", b"q"]
            .into_iter()
            .find(|length| rest.starts_with(length))
            .unwrap_or(b"");
        *rest = &rest[length.len()..];
        let Some((&conversion, tail)) = rest.split_first() else { return Ok(false) };
        *rest = tail;
        self.convert(conversion, length, spec)
    }

    /// Digits, or `*` for an `int` argument.
    fn number(&mut self, rest: &mut &[u8]) -> Result<Option<i64>, Fault> {
        if let Some((b'*', tail)) = rest.split_first() {
            *rest = tail;
            let slot = self.args.slot()?;
            let number = i32::from_le_bytes(slot[..4].try_into().expect("four bytes")) as i64;
            return Ok(Some(number.clamp(-WIDEST, WIDEST)));
        }
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = rest[..digits].iter().fold(0i64, |n, byte| (n * 10 + (byte - b'0') as i64).min(WIDEST));
        *rest = &rest[digits..];
        Ok((digits > 0).then_some(number))
    }

    /// Bytes of an integer argument with that length modifier.
    fn integer_bytes(&self, length: &[u8]) -> usize {
        let long = if self.model == DataModel::Lp64 { 8 } else { 4 };
        match length {
            b"hh" => 1,
            b"h" => 2,
            b"l" | b"z" | b"t" => long,
            b"ll" | b"j" | b"L" | b"q" => 8,
            _ => 4,
        }
    }

    fn pointer(&mut self) -> Result<u64, Fault> {
        let slot = self.args.slot()?;
        let word = u64::from_le_bytes(slot[..8].try_into().expect("eight bytes"));
        Ok(if self.model == DataModel::Lp64 { word } else { word as u32 as u64 })
    }

    fn unsigned(&mut self, length: &[u8]) -> Result<u64, Fault> {
        let bytes = self.integer_bytes(length);
        let slot = self.args.slot()?;
        Ok(slot[..bytes].iter().rev().fold(0, |word, byte| word << 8 | *byte as u64))
    }

    fn convert(&mut self, conversion: u8, length: &[u8], spec: Spec) -> Result<bool, Fault> {
        match conversion {
            b'd' | b'i' => {
                let shift = 64 - 8 * self.integer_bytes(length) as u32;
                let number = ((self.unsigned(length)? << shift) as i64) >> shift;
                let sign = sign_text(number < 0, spec.flags);
                self.integer(spec, sign, number.unsigned_abs().to_string());
            }
            b'u' => {
                let number = self.unsigned(length)?;
                self.integer(spec, "", number.to_string());
            }
            b'x' | b'X' => {
                let number = self.unsigned(length)?;
                let (digits, prefix) =
                    if conversion == b'x' { (format!("{number:x}"), "0x") } else { (format!("{number:X}"), "0X") };
                let prefix = if spec.flags.alternative && number != 0 { prefix } else { "" };
                self.integer(spec, prefix, digits);
            }
            b'o' => {
                let number = self.unsigned(length)?;
                let mut digits = format!("{number:o}");
                let enough = spec.precision.is_some_and(|precision| precision > digits.len());
                if spec.flags.alternative && !enough && (number != 0 || spec.precision == Some(0)) {
                    if number == 0 {
                        digits.clear();
                    }
                    digits.insert(0, '0');
                    let spec = Spec { precision: spec.precision.map(|precision| precision.max(1)), ..spec };
                    self.integer(spec, "", digits);
                } else {
                    self.integer(spec, "", digits);
                }
            }
            b'c' => {
                let byte = self.args.slot()?[0];
                self.pad(spec, &[byte]);
            }
            b's' => {
                let address = self.pointer()?;
                let most = spec.precision.unwrap_or(usize::MAX);
                let text = match address {
                    // glibc prints a null string like this, or nothing where it does not fit.
                    0 if most >= 6 => b"(null)".to_vec(),
                    0 => Vec::new(),
                    // In the "C" locale a wide character is a byte of ASCII, or nothing that can be printed.
                    _ if length == b"l" => self.args.wide_string(address, most)?.iter().map(|c| *c as u8).collect(),
                    _ => self.args.string(address, most)?,
                };
                self.pad(spec, &text);
            }
            b'p' => match self.pointer()? {
                0 => self.pad(spec, b"(nil)"),
                address => self.integer(spec, "0x", format!("{address:x}")),
            },
            b'n' => {
                let address = self.pointer()?;
                let (bytes, count) = (self.integer_bytes(length) as u64, self.out.len() as u64);
                self.args.store_count(address, bytes, count)?;
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                let slot = self.args.slot()?;
                let float = if length == b"L" { Float::from_x87(&slot) } else { Float::from_double(&slot) };
                self.float(conversion, spec, float);
            }
            b'%' => self.out.push(b'%'),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Sign or prefix, zeros up to the precision, digits; the width filled with zeros only without precision.
    fn integer(&mut self, spec: Spec, prefix: &str, digits: String) {
        let digits = if digits == "0" && spec.precision == Some(0) { String::new() } else { digits };
        let least = spec.precision.unwrap_or(1);
        let mut zeros = least.saturating_sub(digits.len());
        if spec.flags.zero && !spec.flags.left && spec.precision.is_none() {
            zeros = zeros.max(spec.width.saturating_sub(prefix.len() + digits.len()));
        }
        let text = format!("{prefix}{}{digits}", "0".repeat(zeros));
        self.pad(spec, text.as_bytes());
    }

    /// The text in its field, filled with spaces.
    fn pad(&mut self, spec: Spec, text: &[u8]) {
        let fill = spec.width.saturating_sub(text.len());
        if !spec.flags.left {
            self.out.resize(self.out.len() + fill, b' ');
        }
        self.out.extend_from_slice(text);
        if spec.flags.left {
            self.out.resize(self.out.len() + fill, b' ');
        }
    }

    fn float(&mut self, conversion: u8, spec: Spec, float: Float) {
        let upper = conversion.is_ascii_uppercase();
        let sign = sign_text(float.negative, spec.flags);
        let (prefix, body) = match float.class {
            Class::Finite { significand, exponent } => {
                let number = Number { significand: significand.into(), exponent };
                match conversion.to_ascii_lowercase() {
                    b'a' => ("0x", float.hexadecimal(spec)),
                    b'f' => ("", number.fixed(spec.precision.unwrap_or(6), spec.flags.alternative)),
                    b'e' => ("", number.scientific(spec.precision.unwrap_or(6), spec.flags.alternative)),
                    _ => ("", number.general(spec.precision.unwrap_or(6), spec.flags.alternative)),
                }
            }
            // Never filled with zeros.
            Class::Infinite | Class::Nan => {
                let word = if float.class == Class::Nan { "nan" } else { "inf" };
                let text = format!("{sign}{word}");
                let text = if upper { text.to_uppercase() } else { text };
                return self.pad(spec, text.as_bytes());
            }
        };
        let mut zeros = 0;
        if spec.flags.zero && !spec.flags.left {
            zeros = spec.width.saturating_sub(sign.len() + prefix.len() + body.len());
        }
        let text = format!("{sign}{prefix}{}{body}", "0".repeat(zeros));
        let text = if upper { text.to_uppercase() } else { text };
        self.pad(spec, text.as_bytes());
    }
}

fn sign_text(negative: bool, flags: Flags) -> &'static str {
    match (negative, flags.plus, flags.space) {
        (true, _, _) => "-",
        (_, true, _) => "+",
        (_, _, true) => " ",
        _ => "",
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    Nan,
    Infinite,
    /// `significand * 2^exponent`.
    Finite {
        significand: u64,
        exponent: i64,
    },
}

/// A double or an extended double taken apart.
#[derive(Clone, Copy, Debug)]
struct Float {
    negative: bool,
    class: Class,
    extended: bool,
}

impl Float {
    fn from_double(slot: &[u8; 16]) -> Float {
        let bits = u64::from_le_bytes(slot[..8].try_into().expect("eight bytes"));
        let (biased, fraction) = (bits >> 52 & 0x7ff, bits & ((1 << 52) - 1));
        let class = match biased {
            0x7ff if fraction == 0 => Class::Infinite,
            0x7ff => Class::Nan,
            0 => Class::Finite { significand: fraction, exponent: -1074 },
            _ => Class::Finite { significand: fraction | 1 << 52, exponent: biased as i64 - 1075 },
        };
        Float { negative: bits >> 63 == 1, class, extended: false }
    }

    fn from_x87(slot: &[u8; 16]) -> Float {
        let significand = u64::from_le_bytes(slot[..8].try_into().expect("eight bytes"));
        let top = u16::from_le_bytes([slot[8], slot[9]]);
        let class = match top & 0x7fff {
            0x7fff if significand << 1 == 0 => Class::Infinite,
            0x7fff => Class::Nan,
            biased => Class::Finite { significand, exponent: biased.max(1) as i64 - 16383 - 63 },
        };
        Float { negative: top >> 15 == 1, class, extended: true }
    }

    /// Digits and exponent of `%a`, after the `0x`: glibc shows one leading bit of a double, four of an extended double.
    fn hexadecimal(self, spec: Spec) -> String {
        let Class::Finite { significand, exponent } = self.class else { unreachable!("finite only") };
        let digits = if self.extended { 15 } else { 13 };
        let mut exponent = if significand == 0 { 0 } else { exponent + 4 * digits as i64 };
        let mut value = significand as u128;
        if let Some(precision) = spec.precision.filter(|precision| *precision < digits) {
            let cut = 4 * (digits - precision) as u32;
            let (kept, tail, half) = (value >> cut, value & ((1 << cut) - 1), 1u128 << (cut - 1));
            let up = tail > half || tail == half && kept & 1 == 1;
            value = (kept + up as u128) << cut;
            if self.extended && value >> 64 != 0 {
                value >>= 4;
                exponent += 4;
            }
        }
        let leading = value >> (4 * digits);
        let mut fraction = format!("{:0digits$x}", value & ((1 << (4 * digits)) - 1));
        match spec.precision {
            Some(precision) if precision <= digits => fraction.truncate(precision),
            Some(precision) => fraction.push_str(&"0".repeat(precision - digits)),
            None => fraction.truncate(fraction.trim_end_matches('0').len()),
        }
        let dot = if fraction.is_empty() && !spec.flags.alternative { "" } else { "." };
        format!("{leading:x}{dot}{fraction}p{exponent:+}")
    }
}

/// `significand * 2^exponent`.
struct Number {
    significand: BigUint,
    exponent: i64,
}

impl Number {
    /// The number times `10^power`, rounded to an integer.
    fn scaled(&self, power: i64) -> BigUint {
        let ten = BigUint::from(10u32).pow(power.unsigned_abs() as u32);
        let mut numerator = self.significand.clone();
        let mut denominator = BigUint::from(1u32);
        if power >= 0 {
            numerator *= ten;
        } else {
            denominator *= ten;
        }
        if self.exponent >= 0 {
            numerator <<= self.exponent as u64;
        } else {
            denominator <<= self.exponent.unsigned_abs();
        }
        let (quotient, rest) = numerator.div_rem(&denominator);
        let twice = rest << 1u32;
        let up = twice > denominator || twice == denominator && quotient.is_odd();
        quotient + up as u32
    }

    fn fixed(&self, precision: usize, dot: bool) -> String {
        let mut digits = self.scaled(precision as i64).to_string();
        if digits.len() <= precision {
            digits.insert_str(0, &"0".repeat(precision + 1 - digits.len()));
        }
        if precision > 0 {
            digits.insert(digits.len() - precision, '.');
        } else if dot {
            digits.push('.');
        }
        digits
    }

    /// So many significant digits (at least one), and the decimal exponent of the first.
    fn significant(&self, count: usize) -> (String, i64) {
        if self.significand.bits() == 0 {
            return ("0".repeat(count), 0);
        }
        // Off by one at most.
        let log2 = self.significand.bits() as i64 + self.exponent - 1;
        let mut exponent = (log2 as f64 * std::f64::consts::LOG10_2).floor() as i64;
        loop {
            let digits = self.scaled(count as i64 - 1 - exponent).to_string();
            match digits.len() {
                n if n > count => exponent += 1,
                n if n < count => exponent -= 1,
                _ => return (digits, exponent),
            }
        }
    }

    fn scientific(&self, precision: usize, dot: bool) -> String {
        let (digits, exponent) = self.significant(precision + 1);
        exponential(&digits, exponent, dot)
    }

    fn general(&self, precision: usize, keep_zeros: bool) -> String {
        let precision = precision.max(1);
        let (digits, exponent) = self.significant(precision);
        if exponent < -4 || exponent >= precision as i64 {
            let digits = if keep_zeros { &digits } else { digits.trim_end_matches('0') };
            return exponential(if digits.is_empty() { "0" } else { digits }, exponent, keep_zeros);
        }
        let text = self.fixed((precision as i64 - 1 - exponent) as usize, keep_zeros);
        if keep_zeros || !text.contains('.') {
            return text;
        }
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}

/// `d.ddde±xx`.
fn exponential(digits: &str, exponent: i64, dot: bool) -> String {
    let (first, rest) = digits.split_at(1);
    let dot = if rest.is_empty() && !dot { "" } else { "." };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{first}{dot}{rest}e{sign}{:02}", exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;

    struct List(VecDeque<[u8; 16]>);

    impl Arguments for List {
        fn slot(&mut self) -> Result<[u8; 16], Fault> {
            self.0.pop_front().ok_or(Fault::Bounds)
        }

        fn string(&mut self, address: u64, most: usize) -> Result<Vec<u8>, Fault> {
            let text = format!("string{address}");
            Ok(text.into_bytes().into_iter().take(most).collect())
        }

        fn wide_string(&mut self, address: u64, most: usize) -> Result<Vec<u32>, Fault> {
            Ok(self.string(address, most)?.into_iter().map(u32::from).collect())
        }

        fn store_count(&mut self, _: u64, _: u64, _: u64) -> Result<(), Fault> {
            Err(Fault::Null)
        }
    }

    fn slot(bytes: &[u8]) -> [u8; 16] {
        // What lies beyond the argument must not matter.
        let mut slot = [0xcd; 16];
        slot[..bytes.len()].copy_from_slice(bytes);
        slot
    }

    fn printed(template: &str, args: &[[u8; 16]]) -> String {
        let (out, fault) = format(template.as_bytes(), &mut List(args.iter().copied().collect()), DataModel::Lp64);
        assert_eq!(fault, None, "{template}");
        String::from_utf8(out).expect("ascii")
    }

    fn int(template: &str, n: i32) -> String {
        printed(template, &[slot(&n.to_le_bytes())])
    }

    fn long(template: &str, n: i64) -> String {
        printed(template, &[slot(&n.to_le_bytes())])
    }

    fn double(template: &str, x: f64) -> String {
        printed(template, &[slot(&x.to_le_bytes())])
    }

    // The expected texts are glibc's.

    #[test]
    fn integers() {
        assert_eq!(int("%d|", -5), "-5|");
        assert_eq!(int("%5d|", -5), "   -5|");
        assert_eq!(int("%-5d|", -5), "-5   |");
        assert_eq!(int("%05d|", -5), "-0005|");
        assert_eq!(int("%+d|", 5), "+5|");
        assert_eq!(int("% d|", 5), " 5|");
        assert_eq!(int("%.3d|", 5), "005|");
        assert_eq!(int("%6.3d|", -5), "  -005|");
        assert_eq!(int("%06.3d|", -5), "  -005|");
        assert_eq!(int("%.0d|", 0), "|");
        assert_eq!(int("%u|", -1), "4294967295|");
        assert_eq!(int("%x %%|", 255), "ff %|");
        assert_eq!(int("%#x|", 255), "0xff|");
        assert_eq!(int("%#08X|", 255), "0X0000FF|");
        assert_eq!(int("%#x|", 0), "0|");
        assert_eq!(int("%o|", 8), "10|");
        assert_eq!(int("%#o|", 8), "010|");
        assert_eq!(int("%#o|", 0), "0|");
        assert_eq!(int("%#.0o|", 0), "0|");
        assert_eq!(int("%hhd|", 511), "-1|");
        assert_eq!(int("%hu|", -1), "65535|");
        assert_eq!(int("%c|", 'x' as i32), "x|");
        assert_eq!(int("%3c|", 'x' as i32), "  x|");
        assert_eq!(long("%ld|", i64::MIN), "-9223372036854775808|");
        assert_eq!(long("%lld|", -1), "-1|");
        assert_eq!(long("%lu|", -1), "18446744073709551615|");
        assert_eq!(long("%zx|", -1), "ffffffffffffffff|");
        assert_eq!(long("%p|", 0), "(nil)|");
        assert_eq!(long("%p|", 4096), "0x1000|");
        assert_eq!(
            printed("%*d|%.*d|", &[slot(&[5, 0, 0, 0]), slot(&[7, 0, 0, 0]), slot(&[3, 0, 0, 0]), slot(&[7, 0, 0, 0])]),
            "    7|007|"
        );
        assert_eq!(printed("%y|%", &[]), "%y|%");
    }

    #[test]
    fn strings() {
        assert_eq!(long("%s|", 7), "string7|");
        assert_eq!(long("%10s|", 7), "   string7|");
        assert_eq!(long("%-10s|", 7), "string7   |");
        assert_eq!(long("%.3s|", 7), "str|");
        assert_eq!(long("%s|", 0), "(null)|");
    }

    #[test]
    fn floats() {
        assert_eq!(double("%f|", 1.5), "1.500000|");
        assert_eq!(double("%.2f|", 0.125), "0.12|");
        assert_eq!(double("%.0f|", 2.5), "2|");
        assert_eq!(double("%#.0f|", 3.5), "4.|");
        assert_eq!(double("%f|", 1e22), "10000000000000000000000.000000|");
        assert_eq!(double("%.20f|", 0.1), "0.10000000000000000555|");
        assert_eq!(double("%e|", 0.0), "0.000000e+00|");
        assert_eq!(double("%e|", 12345.678), "1.234568e+04|");
        assert_eq!(double("%.0e|", 9.6), "1e+01|");
        assert_eq!(double("%e|", 5e-324), "4.940656e-324|");
        assert_eq!(double("%g|", 100000.0), "100000|");
        assert_eq!(double("%g|", 1000000.0), "1e+06|");
        assert_eq!(double("%g|", 0.0001), "0.0001|");
        assert_eq!(double("%g|", 0.00001), "1e-05|");
        assert_eq!(double("%g|", 0.0), "0|");
        assert_eq!(double("%#g|", 1.0), "1.00000|");
        assert_eq!(double("%.3g|", 999.6), "1e+03|");
        assert_eq!(double("%10.3f|", -1.0), "    -1.000|");
        assert_eq!(double("%-10.3f|", -1.0), "-1.000    |");
        assert_eq!(double("%010.3f|", -1.0), "-00001.000|");
        assert_eq!(double("%+.1f|", 2.0), "+2.0|");
        assert_eq!(double("%f|", f64::INFINITY), "inf|");
        assert_eq!(double("%05F|", f64::NEG_INFINITY), " -INF|");
        assert_eq!(double("%E|", 1e100), "1.000000E+100|");
        assert_eq!(double("%a|", 1.0), "0x1p+0|");
        assert_eq!(double("%a|", 0.1), "0x1.999999999999ap-4|");
        assert_eq!(double("%.2a|", 0.1), "0x1.9ap-4|");
        assert_eq!(double("%A|", -0.0), "-0X0P+0|");
        assert_eq!(double("%a|", 5e-324), "0x0.0000000000001p-1022|");
        // 1.5 and 0.1 as extended doubles.
        let one_and_half = slot(&[0, 0, 0, 0, 0, 0, 0, 0xc0, 0xff, 0x3f]);
        assert_eq!(printed("%Lf %La|", &[one_and_half, one_and_half]), "1.500000 0xcp-3|");
        let tenth = slot(&[0xcd, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xfb, 0x3f]);
        assert_eq!(printed("%.25Lf|", &[tenth]), "0.1000000000000000000013553|");
        assert_eq!(printed("%Lg|", &[tenth]), "0.1|");
    }
}
