//! Sorts: booleans, bit-vectors, IEEE floats, and arrays between those.
//!
//! A sort is a small `Copy` value that needs no store to be understood. Arrays do not nest, and there is no sort of
//! rounding modes: the mode is an index of the operator.

use std::fmt;

/// An IEEE-754 binary format. `sig` counts the hidden bit, as SMT-LIB does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Format {
    pub exp: u32,
    pub sig: u32,
}

impl Format {
    pub const F16: Format = Format { exp: 5, sig: 11 };
    pub const F32: Format = Format { exp: 8, sig: 24 };
    pub const F64: Format = Format { exp: 11, sig: 53 };
    pub const F128: Format = Format { exp: 15, sig: 113 };
    /// The x87 extended format; its explicit integer bit is not part of the value, so it packs into 79 bits here.
    pub const X87: Format = Format { exp: 15, sig: 64 };

    /// Bits of the packed form: sign, exponent, significand without the hidden bit.
    pub const fn width(self) -> u32 {
        self.exp + self.sig
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "f{}_{}", self.exp, self.sig)
    }
}

/// The five IEEE rounding directions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RoundingMode {
    NearestEven,
    NearestAway,
    Up,
    Down,
    Zero,
}

impl RoundingMode {
    pub const ALL: [RoundingMode; 5] = [
        RoundingMode::NearestEven,
        RoundingMode::NearestAway,
        RoundingMode::Up,
        RoundingMode::Down,
        RoundingMode::Zero,
    ];
}

/// A sort that can index an array or be stored in one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scalar {
    Bool,
    Bv(u32),
    Float(Format),
}

/// Total maps from `index` to `elem`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArraySort {
    pub index: Scalar,
    pub elem: Scalar,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sort {
    Bool,
    Bv(u32),
    Float(Format),
    Array(ArraySort),
}

impl Sort {
    /// The array sort; panics when an argument is itself an array.
    pub fn array(index: Sort, elem: Sort) -> Sort {
        let scalar = |sort: Sort| sort.scalar().unwrap_or_else(|| panic!("arrays do not nest: {sort:?}"));
        Sort::Array(ArraySort { index: scalar(index), elem: scalar(elem) })
    }

    pub fn scalar(self) -> Option<Scalar> {
        match self {
            Sort::Bool => Some(Scalar::Bool),
            Sort::Bv(width) => Some(Scalar::Bv(width)),
            Sort::Float(format) => Some(Scalar::Float(format)),
            Sort::Array(_) => None,
        }
    }

    pub fn is_bool(self) -> bool {
        self == Sort::Bool
    }

    pub fn bv_width(self) -> Option<u32> {
        if let Sort::Bv(width) = self { Some(width) } else { None }
    }

    pub fn float_format(self) -> Option<Format> {
        if let Sort::Float(format) = self { Some(format) } else { None }
    }

    pub fn as_array(self) -> Option<ArraySort> {
        if let Sort::Array(array) = self { Some(array) } else { None }
    }
}

impl From<Scalar> for Sort {
    fn from(scalar: Scalar) -> Sort {
        match scalar {
            Scalar::Bool => Sort::Bool,
            Scalar::Bv(width) => Sort::Bv(width),
            Scalar::Float(format) => Sort::Float(format),
        }
    }
}

impl fmt::Debug for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => write!(f, "bool"),
            Sort::Bv(width) => write!(f, "bv{width}"),
            Sort::Float(format) => write!(f, "{format:?}"),
            Sort::Array(array) => write!(f, "{array:?}"),
        }
    }
}

impl fmt::Debug for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Sort::from(*self).fmt(f)
    }
}

impl fmt::Debug for ArraySort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{:?} -> {:?}]", self.index, self.elem)
    }
}
