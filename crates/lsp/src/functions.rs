//! The functions that a text defines, found without parsing it: an editor asks at every key, when a text seldom is C.
//!
//! A definition is a name with parentheses outside of all braces, followed by a body before any `;`, `=` or `,`. Comments,
//! texts and lines of the preprocessor are skipped.

/// Where a function's name stands. Lines and columns count from 0, columns in UTF-16 units as editors count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Definition {
    pub(crate) name: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl Definition {
    /// Names are ASCII, or as long in UTF-16 as in characters, but for a few scripts.
    pub(crate) fn end(&self) -> u32 {
        self.column + self.name.encode_utf16().count() as u32
    }
}

/// All that the text defines, in its order.
pub(crate) fn definitions(text: &str) -> Vec<Definition> {
    let mut found = Vec::new();
    // Braces and parentheses that are open; the last name, and the one that parentheses followed.
    let (mut braces, mut parentheses) = (0usize, 0usize);
    let mut last: Option<Definition> = None;
    let mut candidate: Option<Definition> = None;
    for token in (Tokens { rest: text, line: 0, column: 0, is_line_start: true }) {
        match token {
            Token::Name(name) if braces == 0 && parentheses == 0 => last = Some(name),
            Token::Sign('(') => {
                if let Some(name) = last.take().filter(|name| braces == 0 && parentheses == 0 && !is_extra(&name.name))
                {
                    candidate = Some(name);
                }
                parentheses += 1;
            }
            Token::Sign(')') => parentheses = parentheses.saturating_sub(1),
            Token::Sign('{') => {
                if braces == 0 {
                    // Whatever was left open before belongs to a text that is being written.
                    parentheses = 0;
                    found.extend(candidate.take());
                }
                braces += 1;
            }
            Token::Sign('}') => {
                braces = braces.saturating_sub(1);
                last = None;
            }
            Token::Sign(';' | '=' | ',') if braces == 0 && parentheses == 0 => {
                candidate = None;
                last = None;
            }
            _ => {}
        }
    }
    found
}

/// Names with parentheses that may stand between a function's parameters and its body, or before its name.
fn is_extra(name: &str) -> bool {
    matches!(name, "__attribute__" | "__attribute" | "__declspec" | "_Alignas" | "__asm__" | "asm" | "__asm" | "typeof")
        || name.starts_with("__CPROVER_")
}

enum Token {
    Name(Definition),
    Sign(char),
}

struct Tokens<'t> {
    rest: &'t str,
    line: u32,
    column: u32,
    is_line_start: bool,
}

impl Tokens<'_> {
    fn step(&mut self) -> Option<char> {
        let c = self.rest.chars().next()?;
        self.rest = &self.rest[c.len_utf8()..];
        if c == '\n' {
            self.line += 1;
            self.column = 0;
            self.is_line_start = true;
        } else {
            self.column += c.len_utf16() as u32;
            self.is_line_start &= c.is_whitespace();
        }
        Some(c)
    }

    fn skip_while(&mut self, goes_on: impl Fn(&str) -> bool) {
        while !self.rest.is_empty() && goes_on(self.rest) {
            self.step();
        }
    }

    /// To the end of the line; a backslash goes on with the next.
    fn skip_line(&mut self) {
        while let Some(c) = self.rest.chars().next() {
            match c {
                '\n' => return,
                '\\' => {
                    self.step();
                    if self.rest.starts_with('\r') {
                        self.step();
                    }
                    self.step();
                }
                _ if self.rest.starts_with("/*") => self.skip_comment(),
                _ => drop(self.step()),
            }
        }
    }

    fn skip_comment(&mut self) {
        self.skip_while(|rest| !rest.starts_with("*/"));
        self.step();
        self.step();
    }

    /// A text or a character ends at its line at the latest.
    fn skip_quoted(&mut self, quote: char) {
        while let Some(c) = self.step() {
            match c {
                '\\' => drop(self.step()),
                '\n' => return,
                c if c == quote => return,
                _ => {}
            }
        }
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            let at_line_start = self.is_line_start;
            let c = self.rest.chars().next()?;
            if self.rest.starts_with("//") || c == '#' && at_line_start {
                self.skip_line();
            } else if self.rest.starts_with("/*") {
                self.skip_comment();
            } else if c == '"' || c == '\'' {
                self.step();
                self.skip_quoted(c);
            } else if c.is_alphabetic() || c == '_' || c == '$' {
                let (whole, line, column) = (self.rest, self.line, self.column);
                let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
                self.skip_while(|rest| rest.starts_with(is_part));
                let name = whole[..whole.len() - self.rest.len()].to_owned();
                return Some(Token::Name(Definition { name, line, column }));
            } else {
                self.step();
                if !c.is_whitespace() {
                    return Some(Token::Sign(c));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        definitions(text).into_iter().map(|found| found.name).collect()
    }

    #[test]
    fn definitions_and_nothing_else() {
        let text = "#define F(x) \\\n  int g(void) { return x; }\nint declared(int);\nint table[] = { f(1) };\n\
                    struct s { int a; };\nstatic int\nfirst(int x)\n{ if (x) { return declared(x); } return 0; }\n\
                    /* int hidden(void) { } */ // int other(void) { }\nchar *text = \"int no(void) {\";\n\
                    void second(void) __attribute__((noreturn)) { for (;;) { } }\n\
                    int third(int a[static 2], int (*f)(int)) __CPROVER_requires(a != 0) { return f('{'); }\n";
        assert_eq!(names(text), ["first", "second", "third"]);
        let first = &definitions(text)[0];
        assert_eq!((first.line, first.column, first.end()), (6, 0, 5));
    }

    #[test]
    fn texts_that_are_being_written() {
        assert_eq!(names("int f(int x) { if (x \n"), ["f"]);
        assert_eq!(names("int f(int x \nint g(void) { }\n"), ["f"]);
        assert_eq!(names("char c = 'x;\nint g(void) { }\n"), ["g"]);
        assert_eq!(names("}} int g(void) { }"), ["g"]);
        assert_eq!(names(""), Vec::<String>::new());
        assert_eq!(names("/* "), Vec::<String>::new());
        assert_eq!(definitions("int /* \u{1f600} */ g(void) { }")[0].column, 13);
    }
}
