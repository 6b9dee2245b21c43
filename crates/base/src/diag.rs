//! Messages to the user about a place in their source: what, where, what to do.

use crate::source::{Sources, Span};
use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    Error,
    Warning,
    Note,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        })
    }
}

/// One message. `help` says what the user can do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    pub severity: Severity,
    pub message: String,
    pub span: Option<Span>,
    pub help: Option<String>,
}

impl Diagnostic {
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Error, message: message.into(), span: Some(span), help: None }
    }

    /// An error about no particular place (a missing file, say).
    pub fn global(message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Error, message: message.into(), span: None, help: None }
    }

    pub fn note(span: Option<Span>, message: impl Into<String>) -> Self {
        Diagnostic { severity: Severity::Note, message: message.into(), span, help: None }
    }

    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The message as the terminal shows it: place, message, source line, caret, help.
    pub fn render(&self, sources: &Sources) -> String {
        let mut out = match self.span {
            Some(span) => format!("{}: {}: {}", sources.place(span), self.severity, self.message),
            None => format!("{}: {}", self.severity, self.message),
        };
        if let Some(span) = self.span
            && let Some(line) = sources.line(span)
        {
            let shown: String = line.chars().take(200).map(|c| if c == '\t' { ' ' } else { c }).collect();
            out.push_str(&format!("\n  {shown}"));
            let col = (span.col as usize).saturating_sub(1);
            if col <= shown.chars().count() {
                let width = if span.end_line == span.line { span.end_col.saturating_sub(span.col).max(1) } else { 1 };
                out.push_str(&format!("\n  {}{}", " ".repeat(col), "^".repeat((width as usize).min(80))));
            }
        }
        if let Some(help) = &self.help {
            out.push_str(&format!("\n  help: {help}"));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_shows_place_line_and_caret() {
        let mut sources = Sources::new();
        let file = sources.intern("a.c", || Some("int x;\nint y = z;\n".into()));
        let span = Span { file, line: 2, col: 9, end_line: 2, end_col: 10 };
        let text = Diagnostic::error(span, "unknown name 'z'").with_help("declare it first").render(&sources);
        assert_eq!(text, "a.c:2:9: error: unknown name 'z'\n  int y = z;\n          ^\n  help: declare it first");
    }
}
