//! Formatted input by a format that is a literal: a function of its own for each such format, which does one step after
//! the other, made before the program is lowered. The model of `scanf` reads formats when the program runs; engines then
//! have to find out again and again what every loop over a format comes to.
//!
//! What is unusual (`%10c`, positions, a format that ends within a conversion) has no such function, and is for the model.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use cfront::hir::{Expr, ExprKind, FuncId, Unit};
use cfront::walk::walk_stmt;

use crate::call::direct;

/// What is read: the parameters before the format, and whether these are a text.
struct Reader {
    name: &'static str,
    /// The parameter before the format, if there is one.
    source: Option<&'static str>,
    is_text: bool,
}

impl Reader {
    /// How many arguments stand before the format.
    fn before(&self) -> usize {
        usize::from(self.source.is_some())
    }
}

const READERS: [Reader; 6] = [
    Reader { name: "scanf", source: None, is_text: false },
    Reader { name: "fscanf", source: Some("void *stream"), is_text: false },
    Reader { name: "sscanf", source: Some("const char *s"), is_text: true },
    Reader { name: "__isoc99_scanf", source: None, is_text: false },
    Reader { name: "__isoc99_fscanf", source: Some("void *stream"), is_text: false },
    Reader { name: "__isoc99_sscanf", source: Some("const char *s"), is_text: true },
];

/// Formats that are longer have no function: its name would be twice as long.
const LONGEST: usize = 200;

/// One step of a format.
#[derive(Debug, PartialEq)]
enum Step {
    Blanks,
    Character(u8),
    Conversion(Conversion),
    /// What is not modelled, in the words of the model.
    Unsupported(&'static str),
}

#[derive(Debug, PartialEq)]
struct Conversion {
    stores: bool,
    /// 0: none.
    width: u32,
    /// As in the model: -2 char, -1 short, 0 int, 1 long, 2 long long.
    size: i32,
    letter: u8,
    /// Of `%[`: with its closing bracket, and whether it says what is not read.
    set: Option<(String, bool)>,
}

/// The steps of a format; nothing where it is for the model.
fn steps(format: &str) -> Option<Vec<Step>> {
    let mut bytes = format.bytes().peekable();
    let mut out = Vec::new();
    while let Some(byte) = bytes.next() {
        match byte {
            b' ' | b'\t'..=b'\r' => {
                if out.last() != Some(&Step::Blanks) {
                    out.push(Step::Blanks);
                }
            }
            b'%' => {
                let stores = bytes.next_if_eq(&b'*').is_none();
                let mut width = 0_u32;
                while let Some(digit) = bytes.next_if(u8::is_ascii_digit) {
                    width = width.checked_mul(10)?.checked_add(u32::from(digit - b'0'))?;
                }
                let mut size = 0;
                while let Some(letter) = bytes.next_if(|b| b"hlqjLzt".contains(b)) {
                    match letter {
                        b'h' => size -= 1,
                        b'l' => size += 1,
                        b'z' | b't' => size = 1,
                        _ => size = 2,
                    }
                }
                let letter = bytes.next()?;
                let is_number = b"dixXuofeEgGaAF".contains(&letter);
                let is_plain = stores && width == 0 && size == 0;
                let set = match letter {
                    b'[' => Some(set(&mut bytes)?),
                    b'%' if !is_plain => return None,
                    b'c' if width > 1 => return None,
                    b'n' if width > 0 => return None,
                    b'%' | b'c' | b's' | b'n' => None,
                    _ if is_number && width <= i32::MAX as u32 => None,
                    _ => return None,
                };
                out.push(match &set {
                    Some((text, _)) if !has_plain_ranges(text) => {
                        Step::Unsupported("a range of characters that C leaves to the library")
                    }
                    _ if letter == b'c' && size != 0 => Step::Unsupported("a wide character in formatted input"),
                    _ if b"s[".contains(&letter) && size != 0 => Step::Unsupported("a wide string in formatted input"),
                    _ => Step::Conversion(Conversion { stores, width, size, letter, set }),
                });
            }
            0 | 0x7f.. => return None,
            _ => out.push(Step::Character(byte)),
        }
    }
    Some(out)
}

/// The set after a bracket, with its end.
fn set(bytes: &mut std::iter::Peekable<std::str::Bytes<'_>>) -> Option<(String, bool)> {
    let excludes = bytes.next_if_eq(&b'^').is_some();
    let mut set = vec![bytes.next()?];
    loop {
        let byte = bytes.next()?;
        set.push(byte);
        if byte == b']' {
            break;
        }
    }
    Some((String::from_utf8(set).ok()?, excludes))
}

/// Whether what may be a range is one that C defines; where the model is to be asked, it is not.
fn has_plain_ranges(set: &str) -> bool {
    let set = set.as_bytes();
    let is_plain = |at: usize| {
        let (start, end) = (set[at - 1], set[at + 1]);
        let begins = at < 3 || set[at - 2] != b'-';
        start.is_ascii_alphanumeric() && end.is_ascii_alphanumeric() && start <= end && begins
    };
    (1..set.len().saturating_sub(2)).filter(|at| set[*at] == b'-').all(is_plain)
}

/// The name of the function for a format (see `cfa::known_as`): nobody else has one that begins so.
fn name(reader: &Reader, format: &str) -> String {
    let mut name = format!("__foldback_{}$", reader.name);
    for byte in format.bytes() {
        let _ = write!(name, "{byte:02x}");
    }
    name
}

/// A character as it stands in C.
fn character(byte: u8) -> String {
    format!("'\\{byte:03o}'")
}

fn string(text: &str) -> String {
    let escaped: String = text.bytes().map(|byte| format!("\\{byte:03o}")).collect();
    format!("\"{escaped}\"")
}

/// The function for a format, as C.
fn function(reader: &Reader, format: &str) -> Option<String> {
    let steps = steps(format)?;
    let counts = steps.iter().any(|step| matches!(step, Step::Conversion(conversion) if conversion.letter == b'n'));
    let mut made = Made { counts, ..Made::default() };
    if reader.name.ends_with("fscanf") {
        made.line("__foldback_use(stream);");
    }
    match (reader.is_text, counts) {
        (true, true) => made.line("const char *start = s;"),
        (true, false) => {}
        (false, true) => made.line("__foldback_errno_may_if(1);\n  unsigned long long taken = 0;"),
        (false, false) => made.line("__foldback_errno_may_if(1);"),
    }
    for step in &steps {
        match reader.is_text {
            true => made.of_text(step),
            false => made.of_stream(step),
        }
    }
    let Made { body, assigned, targets, .. } = made;
    let targets = (0..targets).map(|number| format!("void *target{number}"));
    let parameters: Vec<String> = reader.source.map(str::to_owned).into_iter().chain(targets).collect();
    let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    let name = name(reader, format);
    Some(format!("int {name}({parameters}) {{\n{body}  return {assigned};\n}}\n"))
}

/// A function that is being made.
#[derive(Default)]
struct Made {
    body: String,
    /// What the function returns at this step.
    assigned: usize,
    /// Where values are stored, counts of characters among them.
    targets: usize,
    /// Whether the characters of a stream are counted, and then: whether there may be more than those in `taken`.
    counts: bool,
    more: bool,
}

impl Made {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.body, "  {text}");
    }

    /// Where the next value goes; null where it is not stored.
    fn target(&mut self, conversion: &Conversion) -> String {
        if !conversion.stores {
            return "0".to_owned();
        }
        self.targets += 1;
        format!("target{}", self.targets - 1)
    }

    fn may_fail(&mut self) {
        let assigned = self.assigned;
        self.line(&format!("if (__VERIFIER_nondet_int())\n    return __foldback_scan_result({assigned});"));
    }

    fn taken(&mut self, count: &str) {
        match self.counts {
            true => self.line(&format!("taken += {count};")),
            false => self.line(&format!("{count};")),
        }
    }

    /// One step on a stream: it may fail, and what is stored is any value of its type.
    fn of_stream(&mut self, step: &Step) {
        let conversion = match step {
            Step::Blanks => return self.more = true,
            Step::Unsupported(what) => {
                self.may_fail();
                return self.line(&format!("__foldback_unsupported(\"{what}\");"));
            }
            Step::Conversion(conversion) if conversion.letter != b'%' => conversion,
            // Where something was assigned and nobody counts, the next conversion fails as well.
            _ => {
                self.more |= !matches!(step, Step::Character(_));
                if self.counts {
                    self.taken("1");
                }
                if self.assigned == 0 || self.counts {
                    self.may_fail();
                }
                return;
            }
        };
        let Conversion { stores, width, size, letter, set } = conversion;
        if *letter == b'n' {
            if std::mem::take(&mut self.more) {
                self.line("taken = __foldback_scan_more(taken);");
            }
            if *stores {
                let target = self.target(conversion);
                self.line(&format!("__foldback_scan_store({target}, taken, {size});"));
            }
            return;
        }
        self.may_fail();
        self.more |= *letter != b'c' && (*letter != b'[' || !stores);
        if !stores {
            if self.counts {
                self.taken("1");
            }
            return;
        }
        let target = self.target(conversion);
        match letter {
            b'c' => {
                self.line(&format!("__foldback_havoc({target}, 1);"));
                if self.counts {
                    self.taken("1");
                }
            }
            b's' | b'[' => {
                let (set, excludes) = of_set(set.as_ref());
                self.taken(&format!("__foldback_scan_given_word({target}, {set}, {excludes}, {width})"));
            }
            _ => {
                let (letter, counts) = (character(*letter), u8::from(self.counts));
                self.taken(&format!("__foldback_scan_given({target}, {letter}, {size}, {width}, {counts})"));
            }
        }
        self.assigned += 1;
    }

    /// One step along a text.
    fn of_text(&mut self, step: &Step) {
        const BLANKS: &str = "s = __foldback_scan_blanks(s);";
        let assigned = self.assigned;
        let at_end = format!("if (*s == 0)\n    return {};", if assigned == 0 { -1 } else { assigned as i64 });
        let is_next = |byte: u8| format!("if (*s != {})\n    return {assigned};\n  s++;", character(byte));
        let conversion = match step {
            Step::Blanks => return self.line(BLANKS),
            Step::Unsupported(what) => return self.line(&format!("__foldback_unsupported(\"{what}\");")),
            Step::Character(byte) => {
                self.line(&at_end);
                return self.line(&is_next(*byte));
            }
            Step::Conversion(conversion) => conversion,
        };
        let Conversion { stores, width, size, letter, set } = conversion;
        if *letter == b'n' {
            if *stores {
                let target = self.target(conversion);
                self.line(&format!("__foldback_scan_store({target}, (unsigned long long)(s - start), {size});"));
            }
            return;
        }
        if !b"c[".contains(letter) {
            self.line(BLANKS);
        }
        self.line(&at_end);
        if *letter == b'%' {
            return self.line(&is_next(b'%'));
        }
        let (stored, target) = (u8::from(*stores), self.target(conversion));
        self.line(&match letter {
            b'c' => format!("s = __foldback_scan_characters(s, 1, {stored}, {target});"),
            b's' | b'[' => {
                let (set, excludes) = of_set(set.as_ref());
                format!("s = __foldback_scan_word(s, {set}, {excludes}, {width}, {stored}, {target});")
            }
            b'd' | b'i' | b'x' | b'X' | b'u' | b'o' => {
                let letter = character(*letter);
                format!("s = __foldback_scan_integer(s, {letter}, {size}, {width}, {stored}, {target});")
            }
            _ => format!("s = __foldback_scan_float(s, {size}, {width}, {stored}, {target});"),
        });
        if *letter != b'c' {
            self.line(&format!("if (s == 0)\n    return {assigned};"));
        }
        self.assigned += usize::from(*stores);
    }
}

fn of_set(set: Option<&(String, bool)>) -> (String, u8) {
    set.map_or(("0".to_owned(), 0), |(set, excludes)| (string(set), u8::from(*excludes)))
}

/// What the functions are written with.
const HEAD: &str = "typedef __typeof__(sizeof(0)) size_t;
int __VERIFIER_nondet_int(void);
void __foldback_havoc(void *p, size_t n);
void __foldback_errno_may_if(int condition);
void __foldback_use(void *stream);
void __foldback_unsupported(const char *what);
int __foldback_scan_result(int assigned);
unsigned long long __foldback_scan_more(unsigned long long taken);
void __foldback_scan_store(void *target, unsigned long long value, int size);
unsigned __foldback_scan_given(void *target, char conversion, int size, int width, int counts);
size_t __foldback_scan_given_word(char *s, const char *set, int excludes, int width);
const char *__foldback_scan_blanks(const char *s);
const char *__foldback_scan_integer(const char *s, char conversion, int size, int width, int store, void *target);
const char *__foldback_scan_characters(const char *s, int count, int store, char *target);
const char *__foldback_scan_word(const char *s, const char *set, int excludes, int width, int store, char *target);
const char *__foldback_scan_float(const char *s, int size, int width, int store, void *target);
";

/// The functions for all formats that stand in the program, as C; nothing where there are none.
pub(crate) fn functions(unit: &Unit) -> Option<String> {
    let mut made = BTreeMap::new();
    for body in unit.funcs.values().filter_map(|f| f.body.as_ref()) {
        walk_stmt(body, &mut |e| {
            let ExprKind::Call { callee, args } = &e.kind else { return };
            let read = direct(callee).and_then(|id| read_by(unit, id, |at| args.get(at)));
            if let Some((reader, format)) = read {
                made.entry(name(reader, &format)).or_insert_with(|| function(reader, &format));
            }
        });
    }
    let texts: Vec<String> = made.into_values().flatten().collect();
    (!texts.is_empty()).then(|| format!("{HEAD}\n{}", texts.join("\n")))
}

/// The function that was made for the format of a call, and where the format is among its arguments.
pub(crate) fn function_for<'e>(
    unit: &Unit,
    called: FuncId,
    argument: impl Fn(usize) -> Option<&'e Expr>,
) -> Option<(FuncId, usize)> {
    let (reader, format) = read_by(unit, called, argument)?;
    Some((unit.func(&name(reader, &format))?, reader.before()))
}

/// What reads input in a call, by which literal format.
fn read_by<'e>(
    unit: &Unit,
    called: FuncId,
    argument: impl Fn(usize) -> Option<&'e Expr>,
) -> Option<(&'static Reader, String)> {
    let reader = READERS.iter().find(|reader| reader.name == unit.funcs[called].name)?;
    Some((reader, literal(unit, argument(reader.before())?)?))
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
