//! C text cut into its top-level items, without a parser: enough for the files of our own models.

/// The top-level items: each ends at a `;` outside of brackets, or at the brace that closes a function's body.
pub(crate) fn split(text: &str) -> Vec<std::ops::Range<usize>> {
    let bytes = text.as_bytes();
    let (mut items, mut start, mut depth, mut i) = (Vec::new(), 0, 0usize, 0);
    let mut last = b' ';
    let mut is_function = false;
    while i < bytes.len() {
        match bytes[i] {
            b'/' if bytes.get(i + 1) == Some(&b'*') => {
                i = text[i..].find("*/").map_or(bytes.len(), |end| i + end + 2);
                continue;
            }
            quote @ (b'"' | b'\'') => {
                i += 1;
                while i < bytes.len() && bytes[i] != quote {
                    i += if bytes[i] == b'\\' { 2 } else { 1 };
                }
                last = quote;
            }
            b'{' => {
                if depth == 0 {
                    is_function = last == b')';
                }
                depth += 1;
                last = b'{';
            }
            b'(' | b'[' => {
                depth += 1;
                last = bytes[i];
            }
            b'}' | b')' | b']' => {
                depth = depth.saturating_sub(1);
                last = bytes[i];
                if depth == 0 && bytes[i] == b'}' && is_function {
                    items.push(start..i + 1);
                    start = i + 1;
                    is_function = false;
                }
            }
            b';' if depth == 0 => {
                items.push(start..i + 1);
                start = i + 1;
            }
            c if c.is_ascii_whitespace() => {}
            c => last = c,
        }
        i += 1;
    }
    items
}

/// Identifiers and single punctuation characters, without comments and literals.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    let bytes = text.as_bytes();
    let mut i = 0;
    std::iter::from_fn(move || {
        while i < bytes.len() {
            let (c, start) = (bytes[i], i);
            if bytes[i..].starts_with(b"/*") {
                i = text[i..].find("*/").map_or(bytes.len(), |end| i + end + 2);
            } else if c == b'"' || c == b'\'' {
                i += 1;
                while i < bytes.len() && bytes[i] != c {
                    i += if bytes[i] == b'\\' { 2 } else { 1 };
                }
                i += 1;
            } else if c.is_ascii_alphanumeric() || c == b'_' {
                let goes_on = |c: &&u8| c.is_ascii_alphanumeric() || **c == b'_';
                i += bytes[i..].iter().take_while(goes_on).count();
                return Some(&text[start..i]);
            } else {
                i += 1;
                if !c.is_ascii_whitespace() {
                    return Some(&text[start..i]);
                }
            }
        }
        None
    })
}

pub(crate) fn is_identifier(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// The name that an item declares, and whether it defines it.
pub(crate) fn defined_name(item: &str) -> Option<(&str, bool)> {
    let first = words(item).next()?;
    if first == "typedef" {
        return words(item).filter(|w| is_identifier(w)).last().map(|name| (name, false));
    }
    let mut depth = 0;
    let mut previous: Option<&str> = None;
    for (i, word) in words(item).enumerate() {
        match word {
            "(" if depth == 0 && previous.is_some_and(|p| p != "__typeof__" && is_identifier(p)) => {
                return previous.map(|name| (name, item.ends_with('}')));
            }
            "{" if depth == 0 && i >= 2 && matches!(first, "struct" | "union" | "enum") => {
                return previous.map(|name| (name, false));
            }
            "=" | ";" | "[" if depth == 0 => return previous.map(|name| (name, first != "extern")),
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 && is_identifier(word) {
            previous = Some(word);
        }
    }
    None
}
