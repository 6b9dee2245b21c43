//! Reading LRAT, step by step.
//!
//! Text: `ID LITERALS 0 HINTS 0` adds a clause, `ID d IDS 0` deletes clauses. Binary: `a ID LITERALS 0 HINTS 0` and `d IDS 0`,
//! where `a` and `d` are letters and numbers come in groups of seven bits, least significant first, the eighth bit set on all
//! but the last; a number `n` is written as `2n`, or `2|n| + 1` if it is negative. That is what CaDiCaL writes.

use crate::Error;
use crate::dimacs::number;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    Text,
    Binary,
}

impl Format {
    /// Steps of binary proofs begin with a letter, those of text with a digit; comments in text, with a letter of their own.
    pub fn of(proof: &[u8]) -> Format {
        if matches!(proof.first(), Some(b'a' | b'd')) { Format::Binary } else { Format::Text }
    }
}

/// One step. The reader uses it again for the next one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Step {
    /// Of an added clause; of a deletion, nothing.
    pub id: Option<u64>,
    pub literals: Vec<i32>,
    /// The clauses to look at; of a deletion, those to be deleted.
    pub hints: Vec<u64>,
}

/// Reads the steps of a proof.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    proof: &'a [u8],
    at: usize,
    format: Format,
}

impl<'a> Reader<'a> {
    pub fn new(proof: &'a [u8]) -> Reader<'a> {
        Reader { proof, at: 0, format: Format::of(proof) }
    }

    /// Reads the next step; `false` at the end.
    pub fn read(&mut self, step: &mut Step) -> Result<bool, Error> {
        step.literals.clear();
        step.hints.clear();
        match self.format {
            Format::Text => self.text_step(step),
            Format::Binary => self.binary_step(step),
        }
    }

    fn wrong<T>(&self, what: &'static str) -> Result<T, Error> {
        Err(Error::Format { at: self.at, what })
    }

    fn text_step(&mut self, step: &mut Step) -> Result<bool, Error> {
        let Some(first) = self.word() else { return Ok(false) };
        let Some(id) = number(first).and_then(|n| u64::try_from(n).ok()) else {
            return self.wrong("a step does not begin with its number");
        };
        let rest = self.at;
        if self.word() == Some(b"d") {
            step.id = None;
            return self.ids(step);
        }
        self.at = rest;
        step.id = Some(id);
        self.literals(step)?;
        self.ids(step)
    }

    fn binary_step(&mut self, step: &mut Step) -> Result<bool, Error> {
        let Some(&kind) = self.proof.get(self.at) else { return Ok(false) };
        self.at += 1;
        match kind {
            b'd' => step.id = None,
            b'a' => {
                let id = self.number()?;
                let Ok(id) = u64::try_from(id) else { return self.wrong("a negative number of a step") };
                step.id = Some(id);
                self.literals(step)?;
            }
            _ => return self.wrong("a step that is neither 'a' nor 'd'"),
        }
        self.ids(step)
    }

    /// Up to the next 0.
    fn literals(&mut self, step: &mut Step) -> Result<(), Error> {
        loop {
            match i32::try_from(self.number()?) {
                Ok(0) => return Ok(()),
                Ok(literal) if literal != i32::MIN => step.literals.push(literal),
                _ => return self.wrong("a literal that is too large"),
            }
        }
    }

    /// Up to the next 0.
    fn ids(&mut self, step: &mut Step) -> Result<bool, Error> {
        loop {
            match u64::try_from(self.number()?) {
                Ok(0) => return Ok(true),
                Ok(id) => step.hints.push(id),
                Err(_) => return self.wrong("a negative hint (RAT): such steps are not taken"),
            }
        }
    }

    fn number(&mut self) -> Result<i64, Error> {
        match self.format {
            Format::Text => match self.word() {
                None => self.wrong("the proof ends in the middle of a step"),
                Some(word) => number(word).map_or_else(|| self.wrong("not a number"), Ok),
            },
            Format::Binary => {
                let mut value: u64 = 0;
                for shift in (0..63).step_by(7) {
                    let Some(&byte) = self.proof.get(self.at) else {
                        return self.wrong("the proof ends in the middle of a step");
                    };
                    self.at += 1;
                    value |= u64::from(byte & 0x7f) << shift;
                    if byte & 0x80 == 0 {
                        let magnitude = (value >> 1) as i64;
                        return Ok(if value & 1 == 1 { -magnitude } else { magnitude });
                    }
                }
                self.wrong("a number that is too large")
            }
        }
    }

    /// The next word of a text; comments are lines that begin with `c`.
    fn word(&mut self) -> Option<&'a [u8]> {
        loop {
            let rest = &self.proof[self.at..];
            let start = self.at + rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
            let length = |end: fn(&u8) -> bool| {
                let from = &self.proof[start..];
                from.iter().position(end).unwrap_or(from.len())
            };
            if self.proof[start] == b'c' && (start == 0 || self.proof[start - 1] == b'\n') {
                self.at = start + length(|byte| *byte == b'\n');
                continue;
            }
            self.at = start + length(u8::is_ascii_whitespace);
            return Some(&self.proof[start..self.at]);
        }
    }
}
