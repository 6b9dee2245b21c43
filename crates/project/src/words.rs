//! Command lines as text: split as a shell splits them, without its other tricks.

/// The words of a text; none where a quote is not closed.
pub(crate) fn split(text: &str) -> Option<Vec<String>> {
    let (mut words, mut word): (Vec<String>, Option<String>) = (Vec::new(), None);
    let mut quote = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('\\', None | Some('"')) => match chars.next_if(|next| quote.is_none() || "$`\"\\\n".contains(*next)) {
                // A line goes on.
                Some('\n') => {}
                Some(next) => word.get_or_insert_default().push(next),
                None => word.get_or_insert_default().push('\\'),
            },
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_as_a_shell_splits_them() {
        assert_eq!(split("a 'b c' \"d\\\"e\" f\\ g ''").expect("closed"), ["a", "b c", "d\"e", "f g", ""]);
        assert_eq!(split("a \\\n  \"x\\b\\\\\" 'y\\'").expect("closed"), ["a", "x\\b\\", "y\\"]);
        assert_eq!(split("'a"), None);
    }
}
