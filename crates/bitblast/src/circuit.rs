//! Gates, each with the clauses that say what it is.

use lrat::Cnf;
use rustc_hash::FxHashMap;
use std::ops::Not;

/// A literal as DIMACS has it, or a constant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lit(i32);

impl Lit {
    pub const TRUE: Lit = Lit(i32::MAX);
    pub const FALSE: Lit = Lit(-i32::MAX);

    pub fn constant(value: bool) -> Lit {
        if value { Lit::TRUE } else { Lit::FALSE }
    }

    /// The number in DIMACS; nothing for a constant.
    pub fn number(self) -> Option<i32> {
        (self != Lit::TRUE && self != Lit::FALSE).then_some(self.0)
    }

    fn is_negative(self) -> bool {
        self.0 < 0
    }

    fn abs(self) -> Lit {
        Lit(self.0.abs())
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(-self.0)
    }
}

/// What a variable of the clauses stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gate {
    /// A bit of an input, or of something that is said by further clauses.
    Free,
    And(Lit, Lit),
    Xor(Lit, Lit),
    /// The second where the first is true, else the third.
    Ite(Lit, Lit, Lit),
    /// At least two of three.
    Majority(Lit, Lit, Lit),
}

/// Gates so far. Equal gates are one.
#[derive(Default)]
pub(crate) struct Circuit {
    pub(crate) cnf: Cnf,
    /// By variable, from variable 1 on.
    pub(crate) gates: Vec<Gate>,
    ands: FxHashMap<(Lit, Lit), Lit>,
    xors: FxHashMap<(Lit, Lit), Lit>,
    ites: FxHashMap<(Lit, Lit, Lit), Lit>,
    majorities: FxHashMap<(Lit, Lit, Lit), Lit>,
}

impl Circuit {
    pub(crate) fn fresh(&mut self) -> Lit {
        self.gate(Gate::Free)
    }

    fn gate(&mut self, gate: Gate) -> Lit {
        self.gates.push(gate);
        Lit(i32::try_from(self.gates.len()).expect("the number of clauses is bounded"))
    }

    /// One of the literals is true.
    pub(crate) fn require(&mut self, clause: &[Lit]) {
        if !clause.contains(&Lit::TRUE) {
            let numbers: Vec<i32> = clause.iter().filter_map(|lit| lit.number()).collect();
            self.cnf.add(&numbers);
        }
    }

    pub(crate) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == Lit::FALSE || a == !b {
            return Lit::FALSE;
        }
        if b == Lit::TRUE || a == b {
            return a;
        }
        if let Some(&gate) = self.ands.get(&(a, b)) {
            return gate;
        }
        let gate = self.gate(Gate::And(a, b));
        self.require(&[!gate, a]);
        self.require(&[!gate, b]);
        self.require(&[gate, !a, !b]);
        self.ands.insert((a, b), gate);
        gate
    }

    pub(crate) fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// The signs of the arguments are the sign of the result, so that gates are made for positive ones only.
    pub(crate) fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let flipped = a.is_negative() != b.is_negative();
        let (a, b) = (a.abs().min(b.abs()), a.abs().max(b.abs()));
        let gate = if a == b {
            Lit::FALSE
        } else if b == Lit::TRUE {
            !a
        } else if let Some(&gate) = self.xors.get(&(a, b)) {
            gate
        } else {
            let gate = self.gate(Gate::Xor(a, b));
            self.require(&[!gate, a, b]);
            self.require(&[!gate, !a, !b]);
            self.require(&[gate, !a, b]);
            self.require(&[gate, a, !b]);
            self.xors.insert((a, b), gate);
            gate
        };
        if flipped { !gate } else { gate }
    }

    pub(crate) fn ite(&mut self, condition: Lit, a: Lit, b: Lit) -> Lit {
        let (condition, a, b) = if condition.is_negative() { (!condition, b, a) } else { (condition, a, b) };
        if condition == Lit::TRUE || a == b {
            return a;
        }
        if a == !b {
            return !self.xor(condition, a);
        }
        if a == Lit::TRUE || a == condition {
            return self.or(condition, b);
        }
        if a == Lit::FALSE || a == !condition {
            return self.and(!condition, b);
        }
        if b == Lit::TRUE || b == !condition {
            return self.or(!condition, a);
        }
        if b == Lit::FALSE || b == condition {
            return self.and(condition, a);
        }
        if let Some(&gate) = self.ites.get(&(condition, a, b)) {
            return gate;
        }
        let gate = self.gate(Gate::Ite(condition, a, b));
        self.require(&[!condition, !gate, a]);
        self.require(&[!condition, gate, !a]);
        self.require(&[condition, !gate, b]);
        self.require(&[condition, gate, !b]);
        self.ites.insert((condition, a, b), gate);
        gate
    }

    /// At least two of three: the carry of an adder.
    pub(crate) fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut all = [a, b, c];
        all.sort_unstable();
        for i in 0..3 {
            let (x, y, z) = (all[i], all[(i + 1) % 3], all[(i + 2) % 3]);
            if x == y {
                return x;
            }
            if x == !y {
                return z;
            }
            if x == Lit::TRUE {
                return self.or(y, z);
            }
            if x == Lit::FALSE {
                return self.and(y, z);
            }
        }
        let [a, b, c] = all;
        if let Some(&gate) = self.majorities.get(&(a, b, c)) {
            return gate;
        }
        let gate = self.gate(Gate::Majority(a, b, c));
        for (x, y) in [(a, b), (a, c), (b, c)] {
            self.require(&[gate, !x, !y]);
            self.require(&[!gate, x, y]);
        }
        self.majorities.insert((a, b, c), gate);
        gate
    }
}
