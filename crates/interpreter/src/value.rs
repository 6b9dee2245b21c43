//! How values are kept while a program runs: small ones as a machine word, the rest as [`Value`]s, arrays of words in a
//! hash table.
//!
//! A word holds a Bool as 0 or 1, a bit-vector of up to 64 bits zero-extended, a single or double as its bits.

use rustc_hash::FxHashMap;
use std::sync::Arc;
use term::{ArraySort, ArrayValue, Bits, FloatValue, Format, Scalar, Sort, Value};

/// Whether values of the sort are kept as words.
pub(crate) fn is_word(sort: Sort) -> bool {
    match sort {
        Sort::Bool => true,
        Sort::Bv(width) => width <= 64,
        Sort::Float(format) => format == Format::F32 || format == Format::F64,
        Sort::Array(_) => false,
    }
}

/// Whether arrays of the sort are kept as tables of words. (Not with float indices: NaN has many words.)
pub(crate) fn is_word_array(sort: ArraySort) -> bool {
    !matches!(sort.index, Scalar::Float(_)) && is_word(sort.index.into()) && is_word(sort.elem.into())
}

/// The lowest `width` bits, at least one.
#[inline(always)]
pub(crate) fn mask(width: u8) -> u64 {
    u64::MAX >> (64 - width as u32)
}

/// The word's lowest `width` bits as a signed number.
#[inline(always)]
pub(crate) fn signed(word: u64, width: u8) -> i64 {
    let shift = 64 - width as u32;
    ((word << shift) as i64) >> shift
}

/// The word of a value whose sort has words.
pub(crate) fn to_word(value: &Value) -> u64 {
    match value {
        Value::Bool(b) => *b as u64,
        Value::Bv(bits) => bits.to_u128().expect("at most 64 bits") as u64,
        Value::Float(float) => float.to_bits().to_u128().expect("at most 64 bits") as u64,
        Value::Array(_) => unreachable!("arrays are not words"),
    }
}

/// The value that a word stands for.
pub(crate) fn from_word(word: u64, sort: Sort) -> Value {
    match sort {
        Sort::Bool => Value::Bool(word != 0),
        Sort::Bv(width) => Value::Bv(Bits::new(word as u128, width)),
        Sort::Float(format) => Value::Float(FloatValue::from_bits(format, &Bits::new(word as u128, format.width()))),
        Sort::Array(_) => unreachable!("arrays are not words"),
    }
}

/// A value that is not a word.
#[derive(Clone, Debug)]
pub(crate) enum Heavy {
    Value(Value),
    Words(WordArray),
}

impl Heavy {
    pub(crate) fn from_value(value: Value) -> Heavy {
        match &value {
            Value::Array(array) if is_word_array(array.sort) => Heavy::Words(WordArray::from_value(array)),
            _ => Heavy::Value(value),
        }
    }

    pub(crate) fn to_value(&self) -> Value {
        match self {
            Heavy::Value(value) => value.clone(),
            Heavy::Words(array) => array.to_value(),
        }
    }
}

/// An array of words: a default and the places that were written.
#[derive(Clone, Debug)]
pub(crate) struct WordArray {
    sort: ArraySort,
    default: u64,
    words: FxHashMap<u64, u64>,
}

impl WordArray {
    pub(crate) fn new(sort: ArraySort, default: u64) -> WordArray {
        WordArray { sort, default, words: FxHashMap::default() }
    }

    #[inline]
    pub(crate) fn get(&self, index: u64) -> u64 {
        self.words.get(&index).copied().unwrap_or(self.default)
    }

    #[inline]
    pub(crate) fn set(&mut self, index: u64, elem: u64) {
        self.words.insert(index, elem);
    }

    fn from_value(array: &ArrayValue) -> WordArray {
        let mut words = WordArray::new(array.sort, to_word(array.default_value()));
        for (index, elem) in array.entries() {
            words.set(to_word(index), to_word(elem));
        }
        words
    }

    fn to_value(&self) -> Value {
        let (index, elem) = (self.sort.index.into(), self.sort.elem.into());
        let mut array = ArrayValue::new(self.sort, from_word(self.default, elem));
        let mut written: Vec<(u64, u64)> = self.words.iter().map(|(i, e)| (*i, *e)).collect();
        written.sort_unstable();
        for (i, e) in written {
            array.set(from_word(i, index), from_word(e, elem));
        }
        Value::Array(Arc::new(array))
    }
}
