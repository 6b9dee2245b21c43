//! Formatted input, and output into strings, by a format that is a literal: a function of its own for each such format,
//! which does one step after the other, made before the program is lowered. The models of `scanf` and `snprintf` read
//! formats when the program runs; engines then have to find out again and again what every loop over a format comes to.
//!
//! What is unusual (`%n` in output, `%10c` in input, positions, a format that ends within a conversion) has no such function,
//! and is for the model.

mod input;
mod output;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use cfront::hir::{Expr, ExprKind, FuncId, Unit};
use cfront::walk::walk_stmt;

use crate::call::direct;
use crate::items::words;
use input::Source;

/// A function of the library that is given a format.
struct Formatter {
    name: &'static str,
    /// How many arguments stand before the format.
    before: usize,
    kind: Kind,
}

enum Kind {
    Reads(Source),
    /// Into a string; of a size that it is told?
    Writes {
        has_size: bool,
    },
}

const FORMATTERS: [Formatter; 8] = [
    Formatter { name: "scanf", before: 0, kind: Kind::Reads(Source::Input) },
    Formatter { name: "fscanf", before: 1, kind: Kind::Reads(Source::Stream) },
    Formatter { name: "sscanf", before: 1, kind: Kind::Reads(Source::Text) },
    Formatter { name: "__isoc99_scanf", before: 0, kind: Kind::Reads(Source::Input) },
    Formatter { name: "__isoc99_fscanf", before: 1, kind: Kind::Reads(Source::Stream) },
    Formatter { name: "__isoc99_sscanf", before: 1, kind: Kind::Reads(Source::Text) },
    Formatter { name: "sprintf", before: 1, kind: Kind::Writes { has_size: false } },
    Formatter { name: "snprintf", before: 2, kind: Kind::Writes { has_size: true } },
];

/// Formats that are longer have no function: its name would be twice as long.
const LONGEST: usize = 200;

/// The name of the function for a format (see `cfa::known_as`): nobody else has one that begins so.
fn name(formatter: &Formatter, format: &str) -> String {
    let mut name = format!("__foldback_{}$", formatter.name);
    for byte in format.bytes() {
        let _ = write!(name, "{byte:02x}");
    }
    name
}

/// The function for a format, as C.
fn function(formatter: &Formatter, format: &str) -> Option<String> {
    let name = name(formatter, format);
    match formatter.kind {
        Kind::Reads(source) => input::function(&name, source, format),
        Kind::Writes { has_size } => output::function(&name, has_size, format),
    }
}

/// A character as it stands in C.
fn character(byte: u8) -> String {
    format!("'\\{byte:03o}'")
}

fn string(text: &[u8]) -> String {
    let escaped: String = text.iter().map(|byte| format!("\\{byte:03o}")).collect();
    format!("\"{escaped}\"")
}

/// What the functions are written with, and what comes before those that use it.
const DECLARATIONS: [&str; 26] = [
    "int __VERIFIER_nondet_int(void);",
    "void __foldback_havoc(void *p, size_t n);",
    "void __foldback_errno_may_if(int condition);",
    "void __foldback_use(void *stream);",
    "void __foldback_use_input(void);",
    "void __foldback_unsupported(const char *what);",
    "int __foldback_scan_result(int assigned);",
    "unsigned long long __foldback_scan_more(unsigned long long taken);",
    "void __foldback_scan_store(void *target, unsigned long long value, int size);",
    "unsigned __foldback_scan_given(void *target, char conversion, int size, int width, int counts);",
    "size_t __foldback_scan_given_word(char *s, const char *set, int excludes, int width);",
    "const char *__foldback_scan_blanks(const char *s);",
    "const char *__foldback_scan_integer(const char *s, char conversion, int size, int width, int store, void *target);",
    "const char *__foldback_scan_characters(const char *s, int count, int store, char *target);",
    "const char *__foldback_scan_word(const char *s, const char *set, int excludes, int width, int store, char *target);",
    "const char *__foldback_scan_float(const char *s, int size, int width, int store, void *target);",
    "struct __foldback_sink { char *out; size_t room; size_t at; };",
    "struct __foldback_spec { int left, plus, space, alternative, zero; int width; int precision; };",
    "void __foldback_put(struct __foldback_sink *sink, char c);",
    "void __foldback_put_text(struct __foldback_sink *sink, const char *text, size_t length);",
    "void __foldback_put_integer(struct __foldback_sink *sink, const struct __foldback_spec *spec, char conversion, unsigned long long value);",
    "void __foldback_put_character(struct __foldback_sink *sink, const struct __foldback_spec *spec, int c);",
    "void __foldback_put_string(struct __foldback_sink *sink, const struct __foldback_spec *spec, const char *s, int is_wide);",
    "void __foldback_put_unknown(struct __foldback_sink *sink, int least, int most);",
    "void __foldback_put_float(struct __foldback_sink *sink, const struct __foldback_spec *spec, int conversion, double value);",
    "void __foldback_put_long_float(struct __foldback_sink *sink, const struct __foldback_spec *spec, int conversion, long double value);",
];

/// The functions for all formats that stand in the program, as C; nothing where there are none.
pub(crate) fn functions(unit: &Unit) -> Option<String> {
    let mut made = BTreeMap::new();
    for body in unit.funcs.values().filter_map(|f| f.body.as_ref()) {
        walk_stmt(body, &mut |e| {
            let ExprKind::Call { callee, args } = &e.kind else { return };
            // A function that the program defines itself is not the library's.
            let called = direct(callee).filter(|id| unit.funcs[*id].body.is_none());
            let asked = called.and_then(|id| asked_by(unit, id, |at| args.get(at)));
            if let Some((formatter, format)) = asked {
                made.entry(name(formatter, &format)).or_insert_with(|| function(formatter, &format));
            }
        });
    }
    let texts = made.into_values().flatten().collect::<Vec<_>>().join("\n");
    let mentioned: BTreeSet<&str> = words(&texts).collect();
    let declares =
        |text: &str| words(text).find(|word| word.starts_with("__")).is_some_and(|name| mentioned.contains(name));
    let declared: Vec<&str> = DECLARATIONS.into_iter().filter(|text| declares(text)).collect();
    let declared = declared.join("\n");
    (!texts.is_empty()).then(|| format!("typedef __typeof__(sizeof(0)) size_t;\n{declared}\n\n{texts}"))
}

/// The function that was made for the format of a call, and where the format is among its arguments.
pub(crate) fn function_for<'e>(
    unit: &Unit,
    called: FuncId,
    argument: impl Fn(usize) -> Option<&'e Expr>,
) -> Option<(FuncId, usize)> {
    let (formatter, format) = asked_by(unit, called, argument)?;
    Some((unit.func(&name(formatter, &format))?, formatter.before))
}

/// What formats in a call, by which literal format.
fn asked_by<'e>(
    unit: &Unit,
    called: FuncId,
    argument: impl Fn(usize) -> Option<&'e Expr>,
) -> Option<(&'static Formatter, String)> {
    let formatter = FORMATTERS.iter().find(|formatter| formatter.name == unit.funcs[called].name)?;
    Some((formatter, literal(unit, argument(formatter.before)?)?))
}

/// A string literal of plain characters that is not too long.
fn literal(unit: &Unit, e: &Expr) -> Option<String> {
    match &e.kind {
        ExprKind::Decay(inner) | ExprKind::Cast(inner) => literal(unit, inner),
        ExprKind::Str(id) => {
            let (zero, units) = unit.strings[*id].units.split_last()?;
            let is_plain = *zero == 0 && units.iter().all(|unit| matches!(*unit, 1..0x7f)) && units.len() <= LONGEST;
            let is_narrow = unit.types.size_of(unit.strings[*id].elem) == Some(1);
            // Other literals may have the moment of compilation in them, which is none that is known here.
            (is_plain && is_narrow && !unit.has_moments)
                .then(|| units.iter().filter_map(|unit| char::from_u32(*unit)).collect())
        }
        _ => None,
    }
}
