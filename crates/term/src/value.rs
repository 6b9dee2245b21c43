//! Concrete values of terms.

use std::sync::Arc;

use base::SharedMap;

use crate::bits::Bits;
use crate::float::FloatValue;
use crate::sort::{ArraySort, Scalar, Sort};

/// A value of some sort. Equality is identity of values (all NaNs are one value, the two zeros differ).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    Bool(bool),
    Bv(Bits),
    Float(FloatValue),
    Array(Arc<ArrayValue>),
}

/// A total map that differs from its default in finitely many places. No entry holds the default, so structural
/// equality is extensional equality unless the entries cover a whole finite index sort (see [`ArrayValue::same`]).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ArrayValue {
    pub sort: ArraySort,
    default: Value,
    /// Persistent: a store makes a new array in logarithmic time, sharing the rest.
    entries: SharedMap<Value, Value>,
}

impl ArrayValue {
    pub fn new(sort: ArraySort, default: Value) -> ArrayValue {
        ArrayValue { sort, default, entries: SharedMap::default() }
    }

    pub fn default_value(&self) -> &Value {
        &self.default
    }

    /// The places that differ from the default, in index order.
    pub fn entries(&self) -> &SharedMap<Value, Value> {
        &self.entries
    }

    pub fn get(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }

    pub fn set(&mut self, index: Value, elem: Value) {
        if elem == self.default {
            self.entries.remove(&index);
        } else {
            self.entries.insert(index, elem);
        }
    }

    /// Extensional equality: also right when the entries cover the index sort and the default is never read.
    pub fn same(&self, other: &ArrayValue) -> bool {
        if self.default == other.default {
            return self.entries == other.entries;
        }
        // Different defaults: equal only if together the entries leave no index to a default in both.
        let covered: std::collections::BTreeSet<&Value> = self.entries.keys().chain(other.entries.keys()).collect();
        domain_size(self.sort.index) == Some(covered.len() as u128)
            && covered.into_iter().all(|index| self.get(index) == other.get(index))
    }
}

/// How many values a scalar sort has, when that fits.
fn domain_size(sort: Scalar) -> Option<u128> {
    let bits = match sort {
        Scalar::Bool => 1,
        Scalar::Bv(width) => width,
        Scalar::Float(format) => {
            // Every packed pattern, minus the NaN patterns, plus the one NaN.
            let patterns = 1u128.checked_shl(format.width())?;
            return Some(patterns - ((1 << format.sig) - 2) + 1);
        }
    };
    1u128.checked_shl(bits)
}

impl Value {
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Bv(bits) => Sort::Bv(bits.width()),
            Value::Float(float) => Sort::Float(float.format()),
            Value::Array(array) => Sort::Array(array.sort),
        }
    }

    /// False, zero, plus zero, or the array of those.
    pub fn zero(sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Bv(width) => Value::Bv(Bits::zero(width)),
            Sort::Float(format) => Value::Float(FloatValue::zero(format, false)),
            Sort::Array(array) => Value::Array(Arc::new(ArrayValue::new(array, Value::zero(array.elem.into())))),
        }
    }

    pub fn as_bool(&self) -> Option<bool> {
        if let Value::Bool(b) = self { Some(*b) } else { None }
    }

    pub fn as_bits(&self) -> Option<&Bits> {
        if let Value::Bv(bits) = self { Some(bits) } else { None }
    }

    pub fn as_float(&self) -> Option<FloatValue> {
        if let Value::Float(float) = self { Some(*float) } else { None }
    }

    pub fn as_array(&self) -> Option<&ArrayValue> {
        if let Value::Array(array) = self { Some(array) } else { None }
    }

    /// Equality of values, extensional on arrays.
    pub fn same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Array(a), Value::Array(b)) => a.same(b),
            _ => self == other,
        }
    }
}

impl From<bool> for Value {
    fn from(b: bool) -> Value {
        Value::Bool(b)
    }
}

impl From<Bits> for Value {
    fn from(bits: Bits) -> Value {
        Value::Bv(bits)
    }
}

impl From<FloatValue> for Value {
    fn from(float: FloatValue) -> Value {
        Value::Float(float)
    }
}
