//! Clauses, and reading them as DIMACS: comments, `p cnf VARIABLES CLAUSES`, then literals, each clause ended by 0.

use crate::Error;

/// Variables above this one are refused: the checker needs a byte for each, used or not.
pub const MAX_VARIABLE: i32 = 1 << 26;

/// Clauses one after the other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cnf {
    literals: Vec<i32>,
    /// Where each clause ends among the literals.
    ends: Vec<usize>,
    variables: i32,
}

impl Cnf {
    pub fn new() -> Cnf {
        Cnf::default()
    }

    /// Adds a clause. Literals are not zero, and of variables up to [`MAX_VARIABLE`].
    pub fn add(&mut self, clause: &[i32]) {
        for &literal in clause {
            let variable = literal.checked_abs().filter(|v| (1..=MAX_VARIABLE).contains(v)).expect("a literal");
            self.variables = self.variables.max(variable);
        }
        self.literals.extend_from_slice(clause);
        self.ends.push(self.literals.len());
    }

    pub fn clauses(&self) -> impl Iterator<Item = &[i32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.literals[start..end])
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The largest variable that occurs.
    pub fn variables(&self) -> i32 {
        self.variables
    }

    /// Reads DIMACS. The header has to tell how many clauses there are; variables may be fewer than it says.
    pub fn read(text: &[u8]) -> Result<Cnf, Error> {
        let mut cnf = Cnf::new();
        let mut header: Option<(i64, i64)> = None;
        let mut clause: Vec<i32> = Vec::new();
        let mut at = 0;
        for line in text.split(|byte| *byte == b'\n') {
            let here = at;
            at += line.len() + 1;
            let wrong = |what| Error::Dimacs { at: here, what };
            let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).peekable();
            match words.peek() {
                Some([b'c', ..]) => continue,
                Some([b'p']) => {
                    let rest: Vec<&[u8]> = words.collect();
                    let [_, b"cnf", variables, clauses] = rest[..] else {
                        return Err(wrong("not 'p cnf VARIABLES CLAUSES'"));
                    };
                    let count = |word| number(word).filter(|n| *n >= 0).ok_or(wrong("not a number"));
                    if header.replace((count(variables)?, count(clauses)?)).is_some() {
                        return Err(wrong("a second header"));
                    }
                    continue;
                }
                _ => {}
            }
            for word in words {
                let Some((variables, _)) = header else { return Err(wrong("a clause before the header")) };
                let literal = number(word).ok_or(wrong("not a literal"))?;
                match i32::try_from(literal) {
                    Ok(0) => {
                        cnf.add(&clause);
                        clause.clear();
                    }
                    Ok(small) if literal.abs() <= variables && literal.abs() <= i64::from(MAX_VARIABLE) => {
                        clause.push(small);
                    }
                    _ => return Err(wrong("a variable that is too large")),
                }
            }
        }
        let wrong = |what| Err(Error::Dimacs { at: text.len(), what });
        match header {
            None => wrong("there is no header"),
            Some(_) if !clause.is_empty() => wrong("the last clause has no end"),
            Some((_, clauses)) if usize::try_from(clauses) != Ok(cnf.len()) => {
                wrong("not as many clauses as the header says")
            }
            Some(_) => Ok(cnf),
        }
    }

    /// Writes DIMACS.
    pub fn write(&self) -> String {
        let mut text = format!("p cnf {} {}\n", self.variables, self.len());
        for clause in self.clauses() {
            clause.iter().for_each(|literal| text += &format!("{literal} "));
            text += "0\n";
        }
        text
    }
}

/// A decimal number, perhaps with a minus.
pub(crate) fn number(word: &[u8]) -> Option<i64> {
    let digits = word.strip_prefix(b"-").unwrap_or(word);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(word).ok()?.parse().ok()
}
