//! Formatted input, one step after the other.

use std::fmt::Write as _;

use super::{character, string};

/// How a function reads.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// Standard input, or a stream that it is given.
    Input,
    Stream,
    /// A text.
    Text,
}

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

/// The function for a format, as C.
pub(super) fn function(name: &str, source: Source, format: &str) -> Option<String> {
    let steps = steps(format)?;
    let counts = steps.iter().any(|step| matches!(step, Step::Conversion(conversion) if conversion.letter == b'n'));
    let mut made = Made { counts, ..Made::default() };
    match source {
        Source::Stream => made.line("__foldback_use(stream);"),
        Source::Input => made.line("__foldback_use_input();"),
        Source::Text => {}
    }
    match (source == Source::Text, counts) {
        (true, true) => made.line("const char *start = s;"),
        (true, false) => {}
        (false, true) => made.line("__foldback_errno_may_if(1);\n  unsigned long long taken = 0;"),
        (false, false) => made.line("__foldback_errno_may_if(1);"),
    }
    for step in &steps {
        match source == Source::Text {
            true => made.of_text(step),
            false => made.of_stream(step),
        }
    }
    let Made { body, assigned, targets, .. } = made;
    let before = match source {
        Source::Input => None,
        Source::Stream => Some("void *stream".to_owned()),
        Source::Text => Some("const char *s".to_owned()),
    };
    let targets = (0..targets).map(|number| format!("void *target{number}"));
    let parameters: Vec<String> = before.into_iter().chain(targets).collect();
    let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
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
    set.map_or(("0".to_owned(), 0), |(set, excludes)| (string(set.as_bytes()), u8::from(*excludes)))
}
