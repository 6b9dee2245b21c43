//! Runs of the interpreter on the flat program: inputs worth trying, and a run that ended at an error as a counterexample.

use crate::limits::sample::{LONGEST_TEXT, SCALES};
use cfa::evidence::Trace;
use cfa::{Op, Program, Var};
use interpreter::{Ask, Given, Inputs, Outcome, Random};
use std::collections::BTreeSet;
use std::sync::Arc;
use term::{ArraySort, ArrayValue, Bits, Sort, Value};

/// What no program looks for.
const LETTER: u128 = b'a' as u128;

/// The inputs of a run as a trace. `None` where a choice between enabled edges was made: traces cannot say which.
pub fn trace_of(program: &Program, outcome: &Outcome) -> Option<Trace> {
    let mut inputs: Vec<(cfa::Edge, Vec<Value>)> = Vec::new();
    for recorded in &outcome.inputs {
        let Given::Value(value) = &recorded.given else { return None };
        let Op::Havoc { vars, .. } = &program.main().edges[recorded.edge].op else { return None };
        match inputs.last_mut() {
            Some((edge, values)) if *edge == recorded.edge && values.len() < vars.len() => values.push(value.clone()),
            _ => inputs.push((recorded.edge, vec![value.clone()])),
        }
    }
    Some(Trace { target: outcome.location.1, inputs, initial: outcome.initial.iter().cloned().collect() })
}

/// Inputs of one run: mostly of one order of magnitude, now and then negative, near a constant of the program, or anything.
pub struct Guesses<'a> {
    random: Random,
    scale: u64,
    constants: &'a [u64],
}

impl<'a> Guesses<'a> {
    /// After so many runs every order of magnitude had its turn.
    pub const KINDS: u64 = SCALES.len() as u64;

    pub fn new(run: u64, constants: &'a [u64]) -> Guesses<'a> {
        Guesses { random: Random::new(run), scale: SCALES[(run % Self::KINDS) as usize], constants }
    }

    pub fn bits(&mut self, width: u32) -> u128 {
        let dice = self.random.next_u64();
        if self.scale == 0 {
            return self.random.bits(width);
        }
        let mask = u128::MAX >> (128 - width.min(128));
        let small = u128::from((dice >> 8) % (self.scale + 1));
        let value = match dice % 16 {
            0 => small.wrapping_neg(),
            1 if !self.constants.is_empty() => {
                let constant = self.constants[(dice >> 8) as usize % self.constants.len()];
                u128::from(constant).wrapping_add(u128::from((dice >> 40) % 3)).wrapping_sub(1)
            }
            2 if self.scale > 200 => return self.random.bits(width),
            _ => small,
        };
        value & mask
    }

    pub fn of_sort(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Bv(width) => Value::Bv(Bits::new(self.bits(width), width)),
            Sort::Array(array) => self.array(array),
            other => self.random.of_sort(other),
        }
    }

    /// One value everywhere, and others in a few cells; or a text of values that the program compares with, up to some place. So words
    /// end, quotes are closed and blanks follow each other, which random bytes never do, and what is as far away as the end of a large
    /// array is reached by one letter after the other.
    fn array(&mut self, sort: ArraySort) -> Value {
        let (Sort::Bv(index), Sort::Bv(width)) = (Sort::from(sort.index), Sort::from(sort.elem)) else {
            return self.random.of_sort(Sort::Array(sort));
        };
        let value = |word: u128, width: u32| Value::Bv(Bits::new(word & (u128::MAX >> (128 - width.min(128))), width));
        let dice = self.random.next_u64();
        let fill = match dice % 4 {
            0 => self.bits(width),
            1 => self.random.bits(width),
            2 => self.known(width),
            _ => LETTER,
        };
        let mut array = ArrayValue::new(sort, value(fill, width));
        match (dice >> 8) % 4 {
            0 => {}
            1 => {
                for _ in 0..=(dice >> 16) % 3 {
                    let (place, word) = (self.bits(index), self.known(width));
                    array.set(value(place, index), value(word, width));
                }
            }
            _ => {
                for place in 0..(dice >> 16) % LONGEST_TEXT {
                    let word = self.known(width);
                    array.set(value(u128::from(place), index), value(word, width));
                }
            }
        }
        Value::Array(Arc::new(array))
    }

    /// A constant of the program that is no wider, or, as often, a letter.
    fn known(&mut self, width: u32) -> u128 {
        let dice = self.random.next_u64() as usize;
        let known = self.constants.get(dice % (2 * self.constants.len() + 1)).map(|constant| u128::from(*constant));
        known.filter(|constant| width >= 64 || constant >> width == 0).unwrap_or(LETTER)
    }
}

impl Inputs for Guesses<'_> {
    fn value(&mut self, ask: &Ask<'_>) -> Value {
        self.of_sort(ask.sort)
    }

    fn initial(&mut self, _: Var, sort: Sort) -> Value {
        self.of_sort(sort)
    }

    fn choose(&mut self, count: usize) -> usize {
        (self.random.next_u64() % count as u64) as usize
    }
}

/// The constants of the program: inputs near them take other branches.
pub fn constants(program: &Program) -> Vec<u64> {
    let edges = program.functions.values().flat_map(|f| f.edges.values());
    let roots: Vec<term::Term> = edges.flat_map(|e| e.op.terms()).collect();
    let found: BTreeSet<u64> = term::walk::postorder(&program.terms, &roots)
        .into_iter()
        .filter_map(|t| program.terms.as_bv_const(t)?.to_u64())
        .collect();
    found.into_iter().collect()
}
