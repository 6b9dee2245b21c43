//! Inputs of a run that are written as JSON.

use cfa::Origin;
use interpreter::{Ask, Inputs};
use serde_json::Value as Json;
use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use term::{Bits, FloatValue, RoundingMode, Sort, Value};

/// Values: a list in order, or a list for each input function.
#[derive(Clone, Debug)]
pub enum JsonInputs {
    InOrder(VecDeque<Json>),
    ByFunction(BTreeMap<String, VecDeque<Json>>),
}

impl JsonInputs {
    pub fn read(path: &Path) -> Result<JsonInputs, String> {
        let shown = path.display();
        let text = base::files::read_text(path).map_err(|e| format!("cannot read the inputs in {shown}: {e}"))?;
        let json = serde_json::from_str(&text).map_err(|e| format!("{shown} is not JSON: {e}"))?;
        JsonInputs::from_json(json).map_err(|why| format!("{shown}: {why}"))
    }

    fn from_json(json: Json) -> Result<JsonInputs, String> {
        let list = |json: Json| match json {
            Json::Array(values) => {
                if let Some(bad) = values.iter().find(|v| !is_value(v)) {
                    return Err(format!("{bad} is not a value: give a number, true, false, or a string with a number"));
                }
                Ok(values.into())
            }
            other => Err(format!("expected a list of values instead of {other}")),
        };
        match json {
            Json::Object(map) => Ok(JsonInputs::ByFunction(
                map.into_iter().map(|(name, values)| list(values).map(|v| (name, v))).collect::<Result<_, _>>()?,
            )),
            other => list(other).map(JsonInputs::InOrder),
        }
    }
}

/// Whether some sort has a value that is written like this.
fn is_value(json: &Json) -> bool {
    to_value(json, Sort::Bv(128)).or_else(|| to_value(json, Sort::Float(term::Format::F64))).is_some()
}

/// The value of sort `sort` that is written as `json`. Integers are taken modulo their width.
fn to_value(json: &Json, sort: Sort) -> Option<Value> {
    let text = match json {
        Json::Bool(b) => u8::from(*b).to_string(),
        Json::Number(n) => n.to_string(),
        Json::String(s) => s.trim().to_owned(),
        _ => return None,
    };
    match sort {
        Sort::Bool => integer(&text, 8).map(|bits| Value::Bool(!bits.is_zero())),
        Sort::Bv(width) => integer(&text, width).map(Value::Bv),
        Sort::Float(format) => match text.as_str() {
            "nan" => Some(FloatValue::nan(format)),
            "inf" | "-inf" => Some(FloatValue::infinity(format, text.starts_with('-'))),
            _ => FloatValue::parse(format, RoundingMode::NearestEven, &text),
        }
        .map(Value::Float),
        Sort::Array(_) => None,
    }
}

fn integer(text: &str, width: u32) -> Option<Bits> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let bits = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => Bits::parse(hex, 16, width)?,
        None => Bits::parse(digits, 10, width)?,
    };
    Some(if negative { bits.neg() } else { bits })
}

impl Inputs for JsonInputs {
    fn value(&mut self, ask: &Ask<'_>) -> Value {
        // Only what the environment decides counts: the rest of a list must not be used up by the model's own questions.
        let queue = match (self, ask.origin) {
            (JsonInputs::InOrder(queue), Origin::Input(_)) => Some(queue),
            (JsonInputs::ByFunction(map), Origin::Input(name) | Origin::Uninitialised(name) | Origin::Extern(name)) => {
                map.get_mut(name)
            }
            _ => None,
        };
        queue
            .and_then(VecDeque::pop_front)
            .and_then(|json| to_value(&json, ask.sort))
            .unwrap_or_else(|| Value::zero(ask.sort))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_in_json() {
        let bits = |text: &str, width| to_value(&serde_json::from_str(text).unwrap(), Sort::Bv(width));
        assert_eq!(bits("-1", 8), Some(Value::Bv(Bits::ones(8))));
        assert_eq!(bits("\"0xff\"", 32), Some(Value::Bv(Bits::new(255, 32))));
        assert_eq!(bits("true", 8), Some(Value::Bv(Bits::one(8))));
        assert_eq!(bits("[1]", 8), None);
        let float = to_value(&Json::String("-0.5".into()), Sort::Float(term::Format::F64));
        assert_eq!(float, Some(Value::Float(FloatValue::from_f64(-0.5))));
    }

    #[test]
    fn bad_files_are_refused() {
        for bad in ["3", "\"x\"", "{\"f\": 3}", "[[1]]", "[null]", "[\"one\"]"] {
            assert!(JsonInputs::from_json(serde_json::from_str(bad).unwrap()).is_err(), "{bad}");
        }
        assert!(JsonInputs::from_json(serde_json::from_str("{\"f\": [1, 2.5, \"nan\"]}").unwrap()).is_ok());
    }
}
