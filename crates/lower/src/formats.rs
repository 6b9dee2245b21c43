//! The functions of `math.h` for float and long double, made from the text for double.
//!
//! They differ in a letter at the end of each name, in the type, and in a few constants, and stand once: in the library's
//! files for double, with words that begin with `FORMAT_` for the constants. What a format does otherwise (the bits of a
//! long double do not fit into an integer) has a file of its own.

use crate::items::{defined_name, is_identifier, split, words};
use rustc_hash::FxHashSet;

/// A format of IEEE 754, as C has it.
pub(crate) struct Format {
    /// As C and as `__foldback_unknown_X` spell it.
    name: &'static str,
    short: &'static str,
    /// What names of functions end in.
    suffix: &'static str,
    /// What the `FORMAT_` words of the text are.
    constants: &'static [(&'static str, &'static str)],
}

pub(crate) const DOUBLE: Format = Format {
    name: "double",
    short: "double",
    suffix: "",
    constants: &[
        ("FORMAT_WORD", "unsigned long long"),
        ("FORMAT_DIGITS", "53"),
        ("FORMAT_MOST", "1023"),
        ("FORMAT_LEAST", "-1022"),
        ("FORMAT_SMALLEST", "2.2250738585072014e-308"),
        ("FORMAT_EXACT", "9007199254740992ULL"),
    ],
};

pub(crate) const FLOAT: Format = Format {
    name: "float",
    short: "float",
    suffix: "f",
    constants: &[
        ("FORMAT_WORD", "unsigned int"),
        ("FORMAT_DIGITS", "24"),
        ("FORMAT_MOST", "127"),
        ("FORMAT_LEAST", "-126"),
        ("FORMAT_SMALLEST", "1.17549435e-38f"),
        ("FORMAT_EXACT", "16777216ULL"),
    ],
};

pub(crate) const LONG_DOUBLE: Format = Format {
    name: "long double",
    short: "longdouble",
    suffix: "l",
    constants: &[
        ("FORMAT_SMALLEST", "3.3621031431120935063e-4932L"),
        // Products of doubles' precision are exact; more is not needed.
        ("FORMAT_EXACT", "9007199254740992ULL"),
    ],
};

/// Builtins of the compiler that exist for each format; the others take any.
const BUILTINS: [&str; 5] =
    ["__builtin_copysign", "__builtin_fabs", "__builtin_inf", "__builtin_nan", "__builtin_signbit"];

impl Format {
    /// A text for double, for this format. Lines stay where they are.
    pub(crate) fn made_from(&self, text: &str) -> String {
        let functions = functions(text);
        let mut made = String::with_capacity(text.len() + text.len() / 16);
        let (mut rest, mut is_long) = (text, false);
        while let Some(c) = rest.chars().next() {
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
            if end == 0 {
                made.push(c);
                rest = &rest[c.len_utf8()..];
                is_long &= c == ' ';
                continue;
            }
            let (word, after) = rest.split_at(end);
            rest = after;
            match word {
                "double" if !is_long => made.push_str(self.name),
                "__foldback_unknown_double" => {
                    made.push_str("__foldback_unknown_");
                    made.push_str(self.short);
                }
                _ => match self.constants.iter().find(|(name, _)| *name == word) {
                    Some((_, value)) => made.push_str(value),
                    None => {
                        made.push_str(word);
                        if functions.contains(word) || BUILTINS.contains(&word) {
                            made.push_str(self.suffix);
                        }
                    }
                },
            }
            is_long = word == "long";
        }
        made
    }
}

/// The names that the text declares or defines and that mention a double: they have a variant for each format.
fn functions(text: &str) -> FxHashSet<&str> {
    let items = split(text).into_iter().map(|range| &text[range]);
    let of_double = items.filter(|item| words(item).any(|word| word == "double"));
    of_double.filter_map(|item| defined_name(item)).map(|(name, _)| name).filter(|n| is_identifier(n)).collect()
}
