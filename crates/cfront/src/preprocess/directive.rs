//! Directives (C11 6.10): which one a line is, conditional groups, line markers.

use super::include::Guard;
use super::scan::flag;
use super::*;
use crate::input;

/// An open conditional.
pub(super) struct Condition {
    pub(super) at: At,
    pub(super) word: &'static str,
    /// One of its groups was read: the others are not.
    taken: bool,
    seen_else: bool,
}

/// Is what follows a directive the next line, or something else already?
#[derive(PartialEq, Eq)]
enum Line {
    Unfinished,
    Finished,
}

impl Preprocessor<'_> {
    /// A line that starts with `#`.
    pub(super) fn directive(&mut self) -> Res<()> {
        let outer = (self.collecting, self.no_expansion);
        (self.collecting, self.no_expansion) = (Collecting::Nothing, false);
        self.in_directive = true;
        if self.obey()? == Line::Unfinished {
            self.end_line()?;
        }
        (self.collecting, self.no_expansion) = outer;
        Ok(())
    }

    /// Leaves the directive; what is left of its line means nothing.
    fn end_line(&mut self) -> Res<()> {
        self.leave_expansions();
        self.ahead = None;
        self.angled = false;
        while !self.scan()?.is_end() {}
        self.in_directive = false;
        Ok(())
    }

    fn obey(&mut self) -> Res<Line> {
        let word = self.scan()?;
        let text = match word.kind {
            Kind::Tok(Tok::Eof) => return Ok(Line::Unfinished),
            Kind::Tok(Tok::Number) => return self.marker(word),
            _ => decode(self.spelled(&word)),
        };
        if text != "ifndef" && text != "endif" {
            self.saw_other_directive(&text);
        }
        if self.language == Language::Preprocessed {
            return self.obey_preprocessed(word, &text);
        }
        match text.as_str() {
            "define" => self.define()?,
            "undef" => self.undefine()?,
            "include" | "include_next" | "import" => return self.obey_include(word, &text),
            "if" => {
                let value = self.condition(word)?;
                return self.open_condition(word, "if", value);
            }
            "ifdef" => {
                let value = self.is_defined("ifdef")?;
                return self.open_condition(word, "ifdef", value);
            }
            "ifndef" => {
                let name = self.macro_name("ifndef")?;
                let file = self.files.last_mut();
                if let Some(file) = file
                    && file.conditions.is_empty()
                    && let Some(name) = name.name()
                {
                    file.guard = match file.guard {
                        Guard::Nothing => Guard::Inside(name),
                        _ => Guard::No,
                    };
                }
                let value = name.name().is_none_or(|name| self.macro_named(name).is_none());
                return self.open_condition(word, "ifndef", value);
            }
            "elif" | "elifdef" | "elifndef" | "else" => {
                self.next_group(word, &text)?;
                // The group before was read: none of the others is.
                self.end_line()?;
                return self.skip_groups();
            }
            "endif" => self.close_condition(word)?,
            "line" => return self.line(word),
            "error" => {
                let Some(file) = self.files.last_mut() else { return Ok(Line::Unfinished) };
                let text = decode(file.scanner.rest_of_line(&self.text).trim_ascii());
                return self.fail(word.at, format!("#error {text}"), "the program asks not to be read like this");
            }
            "pragma" => self.pragma()?,
            "warning" | "ident" | "sccs" | "assert" | "unassert" => {}
            _ => {
                return self.fail(word.at, format!("unknown directive '#{text}'"), "is it misspelled?");
            }
        }
        Ok(Line::Unfinished)
    }

    /// What is left in a preprocessed file. `-dD` leaves definitions; the text is expanded already.
    fn obey_preprocessed(&mut self, word: PpToken, text: &str) -> Res<Line> {
        match text {
            "line" => return self.line(word),
            "pragma" => self.pragma()?,
            "define" | "undef" | "ident" | "sccs" | "warning" => {}
            _ => {
                let help = "files named .i are taken as already preprocessed; name it .c to have it preprocessed";
                return self.fail(word.at, format!("preprocessor directive '#{text}' in preprocessed text"), help);
            }
        }
        Ok(Line::Unfinished)
    }

    /// A file with directives outside of its first group has no guard.
    fn saw_other_directive(&mut self, text: &str) {
        let Some(file) = self.files.last_mut() else { return };
        let of_guard = text.starts_with("el") && file.conditions.len() == 1;
        if file.conditions.is_empty() || of_guard {
            file.guard = Guard::No;
        }
    }

    fn obey_include(&mut self, word: PpToken, text: &str) -> Res<Line> {
        self.angled = true;
        let name = self.header_name(word)?;
        self.end_line()?;
        self.include(word.at, &name, text == "include_next", text == "import")?;
        Ok(Line::Finished)
    }

    fn is_defined(&mut self, directive: &str) -> Res<bool> {
        let name = self.macro_name(directive)?;
        Ok(name.name().is_some_and(|name| self.macro_named(name).is_some()))
    }

    /// Reads the first group, or goes on to the one to read.
    fn open_condition(&mut self, word: PpToken, name: &'static str, value: bool) -> Res<Line> {
        if let Some(file) = self.files.last_mut() {
            file.conditions.push(Condition { at: word.at, word: name, taken: value, seen_else: false });
        }
        self.end_line()?;
        if value { Ok(Line::Finished) } else { self.skip_groups() }
    }

    /// `#elif` and `#else` have their order.
    fn next_group(&mut self, word: PpToken, text: &str) -> Res<()> {
        let Some(open) = self.files.last_mut().and_then(|file| file.conditions.last_mut()) else {
            return self.fail(word.at, format!("#{text} without #if"), "is an #endif too early?");
        };
        if open.seen_else {
            let mut all = vec![Diagnostic::note(Some(open.at.span()), "the conditional starts here")];
            all.splice(0..0, self.chained(Diagnostic::error(word.at.span(), format!("#{text} after #else"))));
            return Err(all);
        }
        open.seen_else = text == "else";
        Ok(())
    }

    fn close_condition(&mut self, word: PpToken) -> Res<()> {
        let Some(file) = self.files.last_mut().filter(|file| !file.conditions.is_empty()) else {
            return self.fail(word.at, "#endif without #if", "is there one too many?");
        };
        file.conditions.pop();
        if let (true, Guard::Inside(name)) = (file.conditions.is_empty(), file.guard) {
            file.guard = Guard::After(name);
        }
        Ok(())
    }

    /// Skips lines up to the group of the innermost conditional that is to be read, or past its `#endif`.
    fn skip_groups(&mut self) -> Res<Line> {
        let mut depth = 0;
        loop {
            self.skip_line()?;
            let Some(file) = self.files.last() else { return Ok(Line::Finished) };
            if file.scanner.is_at_end() {
                return Ok(Line::Finished);
            }
            self.in_directive = true;
            let hash = self.scan()?;
            if hash.kind != Kind::Hash || !hash.has(flag::FIRST) {
                continue;
            }
            let word = self.scan()?;
            let text = decode(self.spelled(&word));
            match text.as_str() {
                "if" | "ifdef" | "ifndef" => depth += 1,
                "endif" if depth > 0 => depth -= 1,
                "endif" => {
                    self.close_condition(word)?;
                    self.end_line()?;
                    return Ok(Line::Finished);
                }
                "else" | "elif" | "elifdef" | "elifndef" if depth == 0 => {
                    self.saw_other_directive(&text);
                    self.next_group(word, &text)?;
                    let taken = |pp: &Self| pp.files.last().and_then(|f| f.conditions.last()).is_some_and(|c| c.taken);
                    if taken(self) {
                        continue;
                    }
                    let value = match text.as_str() {
                        "else" => true,
                        "elif" => self.condition(word)?,
                        "elifdef" => self.is_defined("elifdef")?,
                        _ => !self.is_defined("elifndef")?,
                    };
                    if !value {
                        self.end_line()?;
                        continue;
                    }
                    if let Some(open) = self.files.last_mut().and_then(|file| file.conditions.last_mut()) {
                        open.taken = true;
                    }
                    self.end_line()?;
                    return Ok(Line::Finished);
                }
                _ => {}
            }
        }
    }

    fn skip_line(&mut self) -> Res<()> {
        self.in_directive = false;
        let Some(file) = self.files.last_mut() else { return Ok(()) };
        match file.scanner.skip_line(&self.text) {
            Ok(()) => Ok(()),
            Err(comment) => self.unterminated(&comment),
        }
    }

    /// `# 12 "file.c" 1 3`: the *next* line is line 12 of file.c.
    fn marker(&mut self, number: PpToken) -> Res<Line> {
        let name = self.scan()?;
        self.relocate(number, name)
    }

    /// `#line 12 "file.c"`, perhaps made by macros.
    fn line(&mut self, word: PpToken) -> Res<Line> {
        let number = self.next_real()?;
        if number.kind != Kind::Tok(Tok::Number) {
            let message = format!("#line needs a number, found {}", self.shown(&number));
            return self.fail(word.at, message, "write #line LINE \"FILE\"");
        }
        let name = self.next_real()?;
        self.relocate(number, name)
    }

    fn relocate(&mut self, number: PpToken, name: PpToken) -> Res<Line> {
        let line = std::str::from_utf8(self.spelled(&number)).ok().and_then(|digits| digits.parse::<u32>().ok());
        let named = match name.kind {
            Kind::Tok(Tok::Str) => Some(input::foreign_name(decode(&builtin::unquote(self.spelled(&name))))),
            _ => None,
        };
        let (Some(line), true) = (line, named.is_some() || name.is_end()) else {
            return self.fail(number.at, "malformed line marker", "expected: # LINE \"FILE\"");
        };
        self.end_line()?;
        let named = named.map(|name| self.places.file(&name));
        if let Some(file) = self.files.last_mut() {
            let (ends, file_number) = (file.scanner.real_line(), named.unwrap_or(file.scanner.file()));
            file.scanner.relocate(file_number, line);
            self.new_stretch(ends, file_number, line);
        }
        Ok(Line::Finished)
    }
}
