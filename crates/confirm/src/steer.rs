//! Running the program with the inputs that a witness names: `\result == c` at the calls of input functions, in order. Cheap
//! however long the run is; where the witness says less than that, the engines have to find the rest.

use cfa::Origin;
use interpreter::{Ask, Inputs};
use std::collections::VecDeque;
use term::{Bits, FloatValue, RoundingMode, Sort, Value};
use witness::inject::NamedInput;

/// Hands out the values in the order of the segments, each at its call; zero elsewhere.
#[derive(Clone, Debug)]
pub struct Steer {
    left: VecDeque<NamedInput>,
}

impl Steer {
    pub fn new(named: &[NamedInput]) -> Steer {
        Steer { left: named.iter().cloned().collect() }
    }

    /// Whether the next value is for this call.
    fn is_next(&self, ask: &Ask<'_>) -> bool {
        let span = ask.program.functions[ask.func].edges[ask.edge].span;
        let (Some(next), Some(file)) = (self.left.front(), ask.program.sources.file(span.file)) else { return false };
        next.lines.iter().any(|(name, line)| *line == span.end_line && *name == file.name)
            && next.column.is_none_or(|column| column + 1 == span.end_col)
    }
}

impl Inputs for Steer {
    fn value(&mut self, ask: &Ask<'_>) -> Value {
        let is_asked = matches!(ask.origin, Origin::Input(_) | Origin::Extern(_));
        let given = (is_asked && self.is_next(ask)).then(|| self.left.pop_front()).flatten();
        given.and_then(|named| constant(&named.value, ask.sort)).unwrap_or_else(|| Value::zero(ask.sort))
    }
}

/// A C constant as a value.
fn constant(text: &str, sort: Sort) -> Option<Value> {
    let text = text.trim();
    let bare = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).map_or(text, str::trim);
    match sort {
        Sort::Float(format) => {
            let number: f64 = bare.trim_end_matches(['f', 'F', 'l', 'L']).parse().ok()?;
            Some(Value::Float(FloatValue::from_f64(number).convert(format, RoundingMode::NearestEven)))
        }
        Sort::Bool => integer(bare, 64).map(|bits| Value::Bool(!bits.is_zero())),
        Sort::Bv(width) => integer(bare, width).map(Value::Bv),
        Sort::Array(_) => None,
    }
}

/// `-3`, `0x10U`, `-9223372036854775807LL - 1`
fn integer(text: &str, width: u32) -> Option<Bits> {
    if let Some((most, one)) = text.rsplit_once('-').filter(|(most, _)| !most.trim().is_empty()) {
        return Some(integer(most.trim(), width)?.sub(&integer(one.trim(), width)?));
    }
    if let Some(rest) = text.strip_prefix('-') {
        return Some(integer(rest.trim_start(), width)?.neg());
    }
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(hex) => Bits::parse(hex.trim_end_matches(['u', 'U', 'l', 'L']), 16, width),
        None => Bits::parse(text.trim_end_matches(['u', 'U', 'l', 'L']), 10, width),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants() {
        let bits = |n: i64| Some(Value::Bv(Bits::new(n as u64 as u128, 64)));
        for (text, n) in [("-3", -3), ("0x10U", 16), ("42", 42), ("(7)", 7), ("(-9223372036854775807LL - 1)", i64::MIN)]
        {
            assert_eq!(constant(text, Sort::Bv(64)), bits(n), "{text}");
        }
        assert_eq!(constant("x", Sort::Bv(8)), None);
        assert_eq!(constant("-5e-1", Sort::Float(term::Format::F64)), Some(Value::Float(FloatValue::from_f64(-0.5))));
        assert_eq!(constant("0.5f", Sort::Float(term::Format::F64)), Some(Value::Float(FloatValue::from_f64(0.5))));
    }
}
