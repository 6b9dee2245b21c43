//! Values as a C programmer writes them.

use term::{RoundingMode, Value};

pub fn show(value: &Value, signed: bool) -> String {
    match value {
        Value::Bool(b) => u8::from(*b).to_string(),
        Value::Bv(bits) if signed => bits.to_bigint().to_string(),
        Value::Bv(bits) => bits.to_biguint().to_string(),
        Value::Float(x) => match x.to_f64() {
            Some(number) => format!("{number:?}"),
            None => x
                .convert(term::Format::F64, RoundingMode::NearestEven)
                .to_f64()
                .map_or_else(|| format!("{x:?}"), |number| format!("{number:?}")),
        },
        Value::Array(_) => "(an array)".to_owned(),
    }
}

/// A character as a literal where it can be read, else as a number.
pub(crate) fn character(byte: u8, signed: bool) -> String {
    match byte {
        b' '..=b'~' | b'\n' | b'\t' => format!("'{}'", escaped(byte, '\'')),
        _ if signed => byte.cast_signed().to_string(),
        _ => byte.to_string(),
    }
}

/// A byte inside of a literal that ends with `quote`.
pub(crate) fn escaped(byte: u8, quote: char) -> String {
    match byte {
        b'\n' => "\\n".to_owned(),
        b'\t' => "\\t".to_owned(),
        b'\r' => "\\r".to_owned(),
        b'\\' => "\\\\".to_owned(),
        b' '..=b'~' if char::from(byte) == quote => format!("\\{quote}"),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => format!("\\{byte:03o}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_literals() {
        assert_eq!(character(b'x', true), "'x'");
        assert_eq!(character(b'\'', true), "'\\''");
        assert_eq!(character(0xff, true), "-1");
        assert_eq!(character(0, false), "0");
        assert_eq!(escaped(0xff, '"'), "\\377");
    }
}
