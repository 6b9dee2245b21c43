//! Formatted output into strings, one step after the other.

use std::fmt::Write as _;

use super::{character, string};

/// Texts that are longer are put by a loop.
const LONGEST_TEXT: usize = 12;

/// One conversion of a format.
struct Conversion {
    /// In the order left, plus, space, alternative, zero.
    flags: [bool; 5],
    width: Count,
    precision: Count,
    /// As in the model: -2 char, -1 short, 0 int, 1 long, 2 long long.
    size: i32,
    is_long_double: bool,
    letter: u8,
}

/// A width or a precision.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Count {
    None,
    Number(u32),
    /// What an argument says.
    Argument,
}

enum Step {
    Text(Vec<u8>),
    Conversion(Conversion),
}

/// The steps of a format; nothing where it is for the model.
fn steps(format: &str) -> Option<Vec<Step>> {
    let mut bytes = format.bytes().peekable();
    let mut out: Vec<Step> = Vec::new();
    while let Some(byte) = bytes.next() {
        let is_text = byte != b'%' || bytes.next_if_eq(&b'%').is_some();
        match out.last_mut() {
            Some(Step::Text(text)) if is_text => text.push(byte),
            _ if is_text => out.push(Step::Text(vec![byte])),
            _ => out.push(Step::Conversion(conversion(&mut bytes)?)),
        }
    }
    Some(out)
}

fn conversion(bytes: &mut std::iter::Peekable<std::str::Bytes<'_>>) -> Option<Conversion> {
    let mut flags = [false; 5];
    while let Some(flag) = bytes.peek().and_then(|byte| b"-+ #0".iter().position(|flag| flag == byte)) {
        flags[flag] = true;
        bytes.next();
    }
    let width = count(bytes)?;
    let precision = match bytes.next_if_eq(&b'.') {
        None => Count::None,
        Some(_) => match count(bytes)? {
            Count::None => Count::Number(0),
            count => count,
        },
    };
    let (mut size, mut is_long_double) = (0, false);
    while let Some(letter) = bytes.next_if(|b| b"hlqjztZL".contains(b)) {
        match letter {
            b'h' => size -= 1,
            b'l' => size += 1,
            b'z' | b't' | b'Z' => size = 1,
            _ => size = 2,
        }
        is_long_double |= letter == b'L';
    }
    let letter = bytes.next()?;
    let is_known = match letter {
        b'c' | b's' => size == 0,
        _ => b"diuxXopeEfFgGaA".contains(&letter),
    };
    is_known.then_some(Conversion { flags, width, precision, size, is_long_double, letter })
}

/// A width or a precision that the model can add up, or nothing.
fn count(bytes: &mut std::iter::Peekable<std::str::Bytes<'_>>) -> Option<Count> {
    if bytes.next_if_eq(&b'*').is_some() {
        return Some(Count::Argument);
    }
    let mut found = Count::None;
    while let Some(digit) = bytes.next_if(u8::is_ascii_digit) {
        let before = if let Count::Number(number) = found { number } else { 0 };
        let number = before.checked_mul(10)?.checked_add(u32::from(digit - b'0'))?;
        i32::try_from(number).ok()?;
        found = Count::Number(number);
    }
    Some(found)
}

/// The function for a format, as C: it stores as many characters as there is room for, all if it is not told a size.
pub(super) fn function(name: &str, has_size: bool, format: &str) -> Option<String> {
    let mut parameters = vec!["char *out".to_owned()];
    let mut body = String::from("  struct __foldback_sink sink;\n  sink.out = out;\n  sink.at = 0;\n");
    if has_size {
        parameters.push("size_t size".to_owned());
        body.push_str("  sink.room = size > 0 ? size - 1 : 0;\n");
    } else {
        body.push_str("  sink.room = ~(size_t)0;\n");
    }
    for (number, step) in steps(format)?.iter().enumerate() {
        match step {
            Step::Text(text) => put_text(text, &mut body),
            Step::Conversion(conversion) => put(conversion, number, &mut parameters, &mut body),
        }
    }
    body.push_str("  int length = (int)sink.at;\n");
    body.push_str(match has_size {
        true => "  if (size > 0)\n    out[(size_t)length < size ? (size_t)length : size - 1] = 0;\n",
        false => "  out[length] = 0;\n",
    });
    let parameters = parameters.join(", ");
    Some(format!("int {name}({parameters}) {{\n{body}  return length;\n}}\n"))
}

fn put_text(text: &[u8], body: &mut String) {
    if text.len() > LONGEST_TEXT {
        let _ = writeln!(body, "  __foldback_put_text(&sink, {}, {});", string(text), text.len());
        return;
    }
    for byte in text {
        let _ = writeln!(body, "  __foldback_put(&sink, {});", character(*byte));
    }
}

fn put(conversion: &Conversion, number: usize, parameters: &mut Vec<String>, body: &mut String) {
    let Conversion { flags, width, precision, size, is_long_double, letter } = conversion;
    let mut parameter = |ty: &str| {
        let name = format!("argument{}", parameters.len());
        parameters.push(format!("{ty} {name}"));
        name
    };
    let spec = format!("spec{number}");
    let _ = writeln!(body, "  struct __foldback_spec {spec};");
    for (member, is_set) in ["left", "plus", "space", "alternative", "zero"].iter().zip(flags) {
        let _ = writeln!(body, "  {spec}.{member} = {};", u8::from(*is_set));
    }
    let mut value = |count: &Count, none: &str| match count {
        Count::None => none.to_owned(),
        Count::Number(number) => number.to_string(),
        Count::Argument => parameter("int"),
    };
    let _ = writeln!(body, "  {spec}.width = {};", value(width, "0"));
    if *width == Count::Argument {
        let negative = format!("{{\n    {spec}.left = 1;\n    {spec}.width = -{spec}.width;\n  }}");
        let _ = writeln!(body, "  if ({spec}.width < 0) {negative}");
    }
    let _ = writeln!(body, "  {spec}.precision = {};", value(precision, "-1"));
    if *precision == Count::Argument {
        let _ = writeln!(body, "  if ({spec}.precision < 0)\n    {spec}.precision = -1;");
    }
    let _ = match letter {
        b'c' => writeln!(body, "  __foldback_put_character(&sink, &{spec}, {});", parameter("int")),
        b's' => writeln!(body, "  __foldback_put_string(&sink, &{spec}, {}, 0);", parameter("const char *")),
        b'p' => {
            let width = format!("{spec}.width > 18 ? {spec}.width : 18");
            parameter("void *");
            writeln!(body, "  __foldback_put_unknown(&sink, 3, {width});")
        }
        b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => {
            let is_signed = b"di".contains(letter);
            let (ty, kept) = match (is_signed, size) {
                (true, 2..) => ("long long", ""),
                (true, 1) => ("long", ""),
                (true, 0) => ("int", ""),
                (true, -1) => ("int", "(short)"),
                (true, _) => ("int", "(signed char)"),
                (false, 2..) => ("unsigned long long", ""),
                (false, 1) => ("unsigned long", ""),
                (false, 0) => ("unsigned", ""),
                (false, -1) => ("unsigned", "(unsigned short)"),
                (false, _) => ("unsigned", "(unsigned char)"),
            };
            let value = format!("(unsigned long long){kept}{}", parameter(ty));
            writeln!(body, "  __foldback_put_integer(&sink, &{spec}, {}, {value});", character(*letter))
        }
        _ => {
            let (put, ty) = if *is_long_double { ("long_float", "long double") } else { ("float", "double") };
            writeln!(body, "  __foldback_put_{put}(&sink, &{spec}, {}, {});", character(*letter), parameter(ty))
        }
    };
}
