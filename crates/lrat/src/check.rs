//! Following the hints.

use crate::{Cnf, Error, Reader, Step, Why};
use std::collections::HashMap;
use std::ops::Range;

/// What a proof took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checked {
    /// Clauses that the proof added, up to the empty one.
    pub steps: u64,
    /// Hints that were followed.
    pub hints: u64,
}

/// Whether the proof shows that the clauses cannot all be true. What comes after the empty clause is not read.
pub fn check(cnf: &Cnf, proof: &[u8]) -> Result<Checked, Error> {
    let mut checker = Checker::new(cnf);
    let mut reader = Reader::new(proof);
    let mut step = Step::default();
    let mut done = Checked { steps: 0, hints: 0 };
    if cnf.clauses().any(<[i32]>::is_empty) {
        return Ok(done);
    }
    while reader.read(&mut step)? {
        let Some(id) = step.id else {
            checker.delete(&step.hints)?;
            continue;
        };
        done.steps += 1;
        done.hints += checker.add(id, &step.literals, &step.hints).map_err(|why| Error::Step { id, why })?;
        if step.literals.is_empty() {
            return Ok(done);
        }
    }
    Err(Error::NoEmptyClause)
}

struct Checker {
    /// The literals of all clauses that were ever there.
    literals: Vec<i32>,
    /// Where those of the clauses that are there are. Never iterated over.
    clauses: HashMap<u64, Range<usize>>,
    /// The largest number of a clause so far.
    last: u64,
    /// For each variable: 1 if it is true, -1 if it is false, 0 if it is neither.
    values: Vec<i8>,
    /// The variables that have values.
    trail: Vec<i32>,
}

impl Checker {
    /// Clauses are numbered from 1 on.
    fn new(cnf: &Cnf) -> Checker {
        let values = vec![0; cnf.variables() as usize + 1];
        let mut checker = Checker { literals: Vec::new(), clauses: HashMap::new(), last: 0, values, trail: Vec::new() };
        cnf.clauses().for_each(|clause| checker.keep(checker.last + 1, clause));
        checker
    }

    fn keep(&mut self, id: u64, clause: &[i32]) {
        let start = self.literals.len();
        self.literals.extend_from_slice(clause);
        self.clauses.insert(id, start..self.literals.len());
        self.last = id;
    }

    fn delete(&mut self, ids: &[u64]) -> Result<(), Error> {
        for &id in ids {
            self.clauses.remove(&id).ok_or(Error::Step { id: self.last, why: Why::NoSuchClause(id) })?;
        }
        Ok(())
    }

    /// Adds a clause if it follows; says how many hints that took.
    fn add(&mut self, id: u64, clause: &[i32], hints: &[u64]) -> Result<u64, Why> {
        if id <= self.last {
            return Err(Why::NumberNotNew);
        }
        let followed = self.assume_false(clause).and_then(|()| self.follow(hints));
        self.trail.drain(..).for_each(|variable| self.values[variable as usize] = 0);
        let followed = followed?;
        self.keep(id, clause);
        Ok(followed)
    }

    fn assume_false(&mut self, clause: &[i32]) -> Result<(), Why> {
        for &literal in clause {
            if literal.unsigned_abs() as usize >= self.values.len() {
                return Err(Why::UnknownVariable(literal));
            }
            match self.value(literal) {
                1 => return Err(Why::Tautology),
                0 => self.set(-literal),
                // It is there twice.
                _ => {}
            }
        }
        Ok(())
    }

    fn follow(&mut self, hints: &[u64]) -> Result<u64, Why> {
        for (i, &hint) in hints.iter().enumerate() {
            let range = self.clauses.get(&hint).ok_or(Why::NoSuchClause(hint))?.clone();
            let mut left = None;
            for &literal in &self.literals[range] {
                match self.value(literal) {
                    -1 => {}
                    0 if left.is_none_or(|other| other == literal) => left = Some(literal),
                    _ => return Err(Why::HintNotUnit(hint)),
                }
            }
            match left {
                Some(literal) => self.set(literal),
                None => return Ok(i as u64 + 1),
            }
        }
        Err(Why::NoConflict)
    }

    fn value(&self, literal: i32) -> i8 {
        let value = self.values[literal.unsigned_abs() as usize];
        if literal < 0 { -value } else { value }
    }

    fn set(&mut self, literal: i32) {
        self.values[literal.unsigned_abs() as usize] = if literal < 0 { -1 } else { 1 };
        self.trail.push(literal.abs());
    }
}
