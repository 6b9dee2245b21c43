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
