//! Functions of several types or names, made from one text: those of `math.h` for float and long double from the text for
//! double, those of `wchar.h` from the text for strings of char, and functions with several names (`getc`, `fgetc`).
//!
//! Functions of float and long double differ in a letter at the end of each name, in the type, and in a few constants, for
//! which words that begin with `FORMAT_` stand. What a format does otherwise (the bits of a long double do not fit into an
//! integer) has a file of its own.

use super::items::{defined_name, is_identifier, split, words};
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
        ("FORMAT_SMALLEST", "0x1p-1022"),
        ("FORMAT_LARGE", "0x1.fffffffffffffp1022"),
        ("FORMAT_STEP", "0x1p-52"),
        ("FORMAT_STEPS", "0x1p52"),
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
        ("FORMAT_SMALLEST", "0x1p-126f"),
        ("FORMAT_EXACT", "16777216ULL"),
    ],
};

pub(crate) const LONG_DOUBLE: Format = Format {
    name: "long double",
    short: "longdouble",
    suffix: "l",
    constants: &[
        ("FORMAT_SMALLEST", "0x1p-16382L"),
        ("FORMAT_LARGE", "0x1.fffffffffffffffep16382L"),
        ("FORMAT_STEP", "0x1p-63L"),
        ("FORMAT_STEPS", "0x1p63L"),
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
        with_words(text, |word, made| match word {
            "double" if !made.trim_end_matches(' ').ends_with("long") => made.push_str(self.name),
            "__foldback_unknown_double" => made.extend(["__foldback_unknown_", self.short]),
            _ => match self.constants.iter().find(|(name, _)| *name == word) {
                Some((_, value)) => made.push_str(value),
                None => {
                    made.push_str(word);
                    if functions.contains(word) || BUILTINS.contains(&word) {
                        made.push_str(self.suffix);
                    }
                }
            },
        })
    }
}

/// The word for the type of the other kind of characters.
const OTHER: &str = "OTHER_CHAR";

/// A text for strings of `char`.
pub(crate) fn for_bytes(text: &str) -> String {
    with_words(text, |word, made| made.push_str(if word == OTHER { "wchar_t" } else { word }))
}

/// The same for those of `wchar_t`: names that begin with `str` or `stp`, after our own prefix or at once, begin with `wcs` or
/// `wcp`. Lines stay where they are.
pub(crate) fn for_wide_characters(text: &str) -> String {
    const OURS: &str = "__foldback_";
    with_words(text, |word, made| {
        let (prefix, name) = if word.starts_with(OURS) { word.split_at(OURS.len()) } else { ("", word) };
        made.push_str(prefix);
        match (name.strip_prefix("str"), name.strip_prefix("stp")) {
            (Some(rest), _) => made.extend(["wcs", rest]),
            (_, Some(rest)) => made.extend(["wcp", rest]),
            _ if word == OTHER => made.push_str("char"),
            _ if word == "char" => made.push_str("wchar_t"),
            _ => made.push_str(name),
        }
    })
}

/// The text where each item that gives a function another name, as GNU C writes it (`int getc(void *stream)
/// __attribute__((alias("fgetc")));`), is that function again under this name: what it takes from outside is then an input of
/// the function that the program calls, which a call of the other one would not be. Lines stay where they are.
pub(crate) fn with_aliases(text: &str) -> String {
    let items: Vec<&str> = split(text).into_iter().map(|range| &text[range]).collect();
    let mut made = String::with_capacity(text.len() + text.len() / 16);
    for item in &items {
        let target = aliased(item);
        let same = target.and_then(|name| items.iter().find(|item| defined_name(item) == Some((name, true))));
        let (Some(target), Some(same)) = (target, same) else {
            made.push_str(item);
            continue;
        };
        let (before, alias) = item.split_at(item.len() - declaration(item).len());
        made.push_str(before);
        let name = defined_name(item).map_or(target, |(name, _)| name);
        let same = declaration(same).replace('\n', " ");
        made += &with_words(&same, |word, made| made.push_str(if word == target { name } else { word }));
        made.extend(alias.chars().filter(|c| *c == '\n'));
    }
    made.push_str(&text[items.iter().map(|item| item.len()).sum()..]);
    made
}

/// How GNU C writes that a function is another name.
const ALIAS: &str = "__attribute__((alias(\"";

/// What an item is the other name of.
fn aliased(item: &str) -> Option<&str> {
    item.find(ALIAS).and_then(|at| item[at + ALIAS.len()..].split('"').next())
}

/// The other names that a text gives to functions, and these.
pub(crate) fn aliases(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let items = split(text).into_iter().map(|range| &text[range]);
    items.filter_map(|item| Some((defined_name(item)?.0, aliased(item)?)))
}

/// An item without the white space and the comments before it.
fn declaration(item: &str) -> &str {
    let mut rest = item.trim_start();
    while let Some(comment) = rest.strip_prefix("/*") {
        rest = comment.find("*/").map_or("", |end| comment[end + 2..].trim_start());
    }
    rest
}

/// The text with each of its words, but for those in string literals, as `replace` writes it.
fn with_words(text: &str, mut replace: impl FnMut(&str, &mut String)) -> String {
    let mut made = String::with_capacity(text.len() + text.len() / 16);
    let (mut rest, mut in_literal) = (text, false);
    while let Some(c) = rest.chars().next() {
        let word = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
        if word == 0 || in_literal {
            made.push(c);
            in_literal ^= c == '"';
            rest = &rest[c.len_utf8()..];
        } else {
            replace(&rest[..word], &mut made);
            rest = &rest[word..];
        }
    }
    made
}

/// The names that the text declares or defines and that mention a double: they have a variant for each format.
fn functions(text: &str) -> FxHashSet<&str> {
    let items = split(text).into_iter().map(|range| &text[range]);
    let of_double = items.filter(|item| words(item).any(|word| word == "double"));
    of_double.filter_map(|item| defined_name(item)).map(|(name, _)| name).filter(|n| is_identifier(n)).collect()
}
