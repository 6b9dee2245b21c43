//! C source as HTML with its comments, strings, numbers and keywords marked. For the eye only: what is not recognised
//! stays plain.

const KEYWORDS: &[&str] = &[
    "_Bool",
    "_Noreturn",
    "_Static_assert",
    "auto",
    "break",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "register",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
];

/// Marks lines one after the other: a comment may go on in the next line.
#[derive(Default)]
pub(crate) struct Highlighter {
    in_comment: bool,
}

impl Highlighter {
    pub(crate) fn line(&mut self, line: &str) -> String {
        let mut out = String::new();
        let mut rest = line;
        if !self.in_comment && rest.trim_start().starts_with('#') {
            let end = rest.find("//").or_else(|| rest.find("/*")).unwrap_or(rest.len());
            mark(&mut out, "pp", &rest[..end]);
            rest = &rest[end..];
        }
        while let Some(first) = rest.chars().next() {
            let (class, length) = self.token(rest, first);
            mark(&mut out, class, &rest[..length]);
            rest = &rest[length..];
        }
        out
    }

    /// The class of the next token, empty for none, and its length.
    fn token(&mut self, rest: &str, first: char) -> (&'static str, usize) {
        if self.in_comment || rest.starts_with("/*") {
            let from = if self.in_comment { 0 } else { 2 };
            let end = rest[from..].find("*/").map(|at| from + at + 2);
            self.in_comment = end.is_none();
            return ("cm", end.unwrap_or(rest.len()));
        }
        if rest.starts_with("//") {
            return ("cm", rest.len());
        }
        if first == '"' || first == '\'' {
            return ("st", string_length(rest, first));
        }
        if first.is_alphanumeric() || first == '_' {
            let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '.').unwrap_or(rest.len());
            if first.is_ascii_digit() {
                return ("nu", length);
            }
            let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            return (if KEYWORDS.contains(&&rest[..length]) { "kw" } else { "" }, length);
        }
        let plain = |c: char| c.is_alphanumeric() || "_\"'/".contains(c);
        let after = first.len_utf8();
        ("", rest[after..].find(plain).map_or(rest.len(), |at| after + at))
    }
}

fn string_length(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

fn mark(out: &mut String, class: &str, text: &str) {
    if class.is_empty() {
        out.push_str(&escape(text));
    } else {
        out.push_str(&format!("<span class=\"{class}\">{}</span>", escape(text)));
    }
}

/// Text as HTML, also inside of quoted attributes.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_marked_and_nothing_is_lost() {
        let mut highlighter = Highlighter::default();
        assert_eq!(
            highlighter.line("int x = 'a' + 0x1f; // <b>"),
            "<span class=\"kw\">int</span> x = <span class=\"st\">&#39;a&#39;</span> + <span class=\"nu\">0x1f</span>; \
             <span class=\"cm\">// &lt;b&gt;</span>"
        );
        assert_eq!(highlighter.line("a /* b"), "a <span class=\"cm\">/* b</span>");
        assert_eq!(highlighter.line("c */ d / e"), "<span class=\"cm\">c */</span> d / e");
        assert_eq!(
            highlighter.line("printf(\"\\\"if\");"),
            "printf(<span class=\"st\">&quot;\\&quot;if&quot;</span>);"
        );
        assert_eq!(highlighter.line("\"open"), "<span class=\"st\">&quot;open</span>");
        assert_eq!(highlighter.line("größe/übrig"), "größe/übrig");
    }
}
