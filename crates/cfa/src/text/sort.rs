//! Sorts as text: `bool`, `bv32`, `f11_53` (exponent and significand bits), `[bv32 -> bv8]`.

use super::lex::{Lexer, ParseError};
use term::{Format, Scalar, Sort};

/// Bit-vectors in texts are at most this wide: anything wider is a mistake, and sums of widths cannot overflow.
pub(crate) const WIDEST: u32 = 1 << 20;

/// Appends the sort.
pub(crate) fn write_sort(out: &mut String, sort: Sort) {
    match sort {
        Sort::Bool => out.push_str("bool"),
        Sort::Bv(width) => out.push_str(&format!("bv{width}")),
        Sort::Float(format) => out.push_str(&format!("f{}_{}", format.exp, format.sig)),
        Sort::Array(array) => {
            out.push('[');
            write_sort(out, array.index.into());
            out.push_str(" -> ");
            write_sort(out, array.elem.into());
            out.push(']');
        }
    }
}

/// Reads a sort; an array is three words, the first starting with `[`.
pub(crate) fn parse_sort(lexer: &mut Lexer) -> Result<Sort, ParseError> {
    let word = lexer.word()?;
    let Some(index) = word.strip_prefix('[') else {
        return scalar(&word).map(Sort::from).ok_or_else(|| lexer.error(format!("expected a sort, found '{word}'")));
    };
    lexer.expect("->")?;
    let elem = lexer.word()?;
    match (scalar(index), elem.strip_suffix(']').and_then(scalar)) {
        (Some(index), Some(elem)) => Ok(Sort::array(index.into(), elem.into())),
        _ => Err(lexer.error(format!("expected an array sort, found '{word} -> {elem}'"))),
    }
}

fn scalar(word: &str) -> Option<Scalar> {
    if word == "bool" {
        return Some(Scalar::Bool);
    }
    if let Some(width) = word.strip_prefix("bv") {
        return width.parse().ok().filter(|width| (1..=WIDEST).contains(width)).map(Scalar::Bv);
    }
    format(word).map(Scalar::Float)
}

/// Reads `f11_53`.
pub(crate) fn format(word: &str) -> Option<Format> {
    let (exp, sig) = word.strip_prefix('f')?.split_once('_')?;
    let format = Format { exp: exp.parse().ok()?, sig: sig.parse().ok()? };
    format.is_supported().then_some(format)
}
