//! A few lines at the end of a terminal's standard error that are written over and over, and wiped away at the end.

use std::io::{IsTerminal, Write};

/// So wide are lines where the terminal does not tell.
const WIDTH: usize = 80;

#[derive(Default, Debug)]
pub struct Live {
    rows: usize,
}

impl Live {
    /// Whether anyone would see it.
    pub fn is_visible() -> bool {
        std::io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
    }

    /// Replaces what is shown. Lines that are too long are cut: one that wraps could not be wiped.
    pub fn draw(&mut self, lines: &[String]) {
        let width = terminal_size::terminal_size_of(std::io::stderr()).map_or(WIDTH, |(width, _)| width.0.into());
        let cut = |line: &String| line.chars().take(width.saturating_sub(1)).collect::<String>();
        let shown: Vec<String> = lines.iter().map(cut).collect();
        self.write(&format!("{}{}", self.back(), shown.join("\n")));
        self.rows = shown.len();
    }

    pub fn wipe(&mut self) {
        self.write(&self.back());
        self.rows = 0;
    }

    /// To the beginning of what is shown, which it clears.
    fn back(&self) -> String {
        match self.rows {
            0 => String::new(),
            1 => "\r\x1b[J".to_owned(),
            rows => format!("\x1b[{}A\r\x1b[J", rows - 1),
        }
    }

    fn write(&self, text: &str) {
        let mut err = std::io::stderr().lock();
        // Nobody is left to see it when standard error is closed.
        let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
    }
}
