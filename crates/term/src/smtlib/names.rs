//! How our names of variables and functions look in SMT-LIB text, and back.
//!
//! A symbol of a theory cannot be declared again, not even when quoted, but a C program may well call a variable `select`.
//! Such names, and names that already end in `~`, get a `~` appended; reading removes it.

use std::borrow::Cow;

/// The name in SMT-LIB text: made distinct from theory symbols, quoted where needed.
pub(crate) fn encode(name: &str) -> Cow<'_, str> {
    let distinct: Cow<str> =
        if is_reserved(name) || name.ends_with('~') { format!("{name}~").into() } else { name.into() };
    if is_simple(&distinct) { distinct } else { format!("|{distinct}|").into() }
}

/// The inverse of [`encode`], on a symbol whose bars are already removed.
pub(crate) fn decode(symbol: &str) -> &str {
    symbol.strip_suffix('~').unwrap_or(symbol)
}

fn is_simple(name: &str) -> bool {
    let mut chars = name.chars();
    let symbol = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    // Symbols starting with `@` or `.` are the solver's own.
    chars.next().is_some_and(|c| symbol(c) && !c.is_ascii_digit() && c != '@' && c != '.') && chars.all(symbol)
}

/// Could a solver know this name already? Errs on the side of yes.
fn is_reserved(name: &str) -> bool {
    const PREFIXES: &[&str] = &[
        "bv", "fp.", "to_", "is_", "str.", "re.", "seq.", "set.", "bag.", "int", "ext_", "round", "as-", "Int", "Real",
    ];
    const WORDS: &[&str] = &[
        "!",
        "*",
        "+",
        "-",
        "/",
        "<",
        "<=",
        "=",
        "=>",
        ">",
        ">=",
        "Array",
        "Bool",
        "BitVec",
        "FloatingPoint",
        "Float16",
        "Float32",
        "Float64",
        "Float128",
        "NaN",
        "RNA",
        "RNE",
        "RTN",
        "RTP",
        "RTZ",
        "RoundingMode",
        "Seq",
        "Set",
        "String",
        "RegLan",
        "Unicode",
        "_",
        "abs",
        "and",
        "as",
        "assert",
        "bit0",
        "bit1",
        "bit2bool",
        "bound",
        "concat",
        "const",
        "complement",
        "default",
        "difference",
        "distinct",
        "div",
        "divisible",
        "emptyset",
        "exists",
        "exp",
        "extract",
        "false",
        "forall",
        "fp",
        "if",
        "iff",
        "implies",
        "insert",
        "intersection",
        "ite",
        "iand",
        "lambda",
        "let",
        "map",
        "match",
        "member",
        "mod",
        "model",
        "nat2bv",
        "not",
        "or",
        "par",
        "pi",
        "pow",
        "pow2",
        "real",
        "rem",
        "repeat",
        "rotate_left",
        "rotate_right",
        "select",
        "setminus",
        "sign_extend",
        "sin",
        "cos",
        "tan",
        "sqrt",
        "singleton",
        "store",
        "subset",
        "transpose",
        "true",
        "ubv_to_int",
        "sbv_to_int",
        "union",
        "update",
        "univset",
        "xor",
        "zero_extend",
        "nil",
        "cons",
        "sum",
        "card",
        "root-obj",
        "euler",
        "e",
        "sinh",
        "cosh",
        "tanh",
        "asin",
        "acos",
        "atan",
        "asinh",
        "acosh",
        "atanh",
        "List",
        "head",
        "tail",
        "Pair",
        "first",
        "second",
        "mk-pair",
        "choose",
        "assume",
        "check",
        "exit",
        "reset",
        "echo",
        "pop",
        "push",
        "BINARY",
        "DECIMAL",
        "HEXADECIMAL",
        "NUMERAL",
        "STRING",
    ];
    PREFIXES.iter().any(|prefix| name.starts_with(prefix)) || WORDS.contains(&name)
}
