//! Finds the loops of `byte_loop.rs`: walks the ways from a location back to itself, with what variables hold as sums of what they
//! held at the start.

use super::byte_loop::*;
use super::code::{Instr, Place, Reg};
use super::compile::{Builder, Unsupported};
use super::value::mask;
use base::Table;
use cfa::{Edge, Function, Loc, LocKind, Op, Var};
use term::{Op as TermOp, Sort, Term};

/// So many edges has an iteration at most, so many ways a loop, and so many edges are looked at to find them.
const EDGES: usize = 16;
const WAYS: usize = 3;
const LOOKED_AT: usize = 64;

/// What a variable holds in the midst of an iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Held {
    Linear(Linear),
    /// What a load of this iteration has read.
    Byte(usize),
    /// The difference of two of these, zero-extended.
    Difference(usize, usize),
}

/// A sum of what variables held at the start, and of a constant.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Linear {
    vars: Vec<Var>,
    constant: u64,
    width: u8,
}

/// What an iteration has done so far.
#[derive(Clone, Default)]
struct Way {
    edges: Vec<Edge>,
    vars: Vec<(Var, Held)>,
    loads: Vec<Linear>,
    store: Option<(Linear, Held, usize)>,
    bounds: Vec<(Linear, Relation, Linear)>,
    tests: Vec<(usize, Held, bool)>,
}

/// How an iteration changes a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Change {
    By(i64),
    /// It gets a byte that is read.
    Byte(usize),
}

impl Builder<'_> {
    /// Emits what executes many iterations at once, if a loop over bytes starts at a location.
    pub(super) fn byte_loops(
        &mut self,
        function: &Function,
        head: Loc,
        successors: &Table<Loc, Vec<Edge>>,
    ) -> Result<(), Unsupported> {
        if !self.object_tables || self.watch.edges {
            return Ok(());
        }
        let (mut found, mut looked_at) = (Vec::new(), 0);
        let mut work = vec![(head, Way::default())];
        while let Some((loc, way)) = work.pop() {
            if loc == head && !way.edges.is_empty() {
                found.push(way);
                continue;
            }
            let leaves = function.locs[loc].kind != LocKind::Plain
                || loc == function.exit
                || self.watched.contains(&(self.func, loc));
            if leaves || way.edges.len() == EDGES || found.len() == WAYS || looked_at > LOOKED_AT {
                continue;
            }
            let edges = &successors[loc];
            let is_plain = match edges[..] {
                [e] => {
                    !matches!(&function.edges[e].op, Op::Assume(t) if self.program.terms.as_bool_const(*t) != Some(true))
                }
                [e, f] => self.is_branch(function, e, f),
                _ => false,
            };
            for e in edges.iter().filter(|_| is_plain) {
                looked_at += 1;
                let mut next = way.clone();
                next.edges.push(*e);
                if self.follow(&function.edges[*e].op, &mut next).is_some() {
                    work.push((function.edges[*e].to, next));
                }
            }
        }
        for way in found {
            if let Some(code) = self.byte_loop(&way)? {
                let index = self.code.byte_loops.len() as u32;
                self.code.byte_loops.push(code);
                self.emit(Instr::Bytes(index));
                self.byte_heads.push(head);
            }
        }
        Ok(())
    }

    /// Executes an edge; `None` if it does something else than these loops do.
    fn follow(&self, op: &Op, way: &mut Way) -> Option<()> {
        match op {
            Op::Assume(condition) => self.condition_holds(*condition, true, way)?,
            Op::Assign(pairs) => {
                let values: Option<Vec<(Var, Held)>> =
                    pairs.iter().map(|(v, t)| Some((*v, self.held(*t, way)?))).collect();
                values?.into_iter().for_each(|(v, held)| way.set(v, held));
            }
            Op::Load { dst, addr, bytes: 1 } if self.program.vars[*dst].sort == Sort::Bv(8) => {
                let address = self.linear(*addr, way)?;
                let known = way.store.is_none().then(|| way.loads.iter().position(|load| *load == address)).flatten();
                let load = known.unwrap_or(way.loads.len());
                if known.is_none() {
                    way.loads.push(address);
                }
                way.set(*dst, Held::Byte(load));
                (way.loads.len() <= LOADS).then_some(())?;
            }
            Op::Store { addr, value, bytes: 1 } if self.program.terms.sort(*value) == Sort::Bv(8) => {
                way.store.is_none().then_some(())?;
                let value = self.held(*value, way)?;
                (!matches!(value, Held::Difference(..))).then_some(())?;
                way.store = Some((self.linear(*addr, way)?, value, way.loads.len()));
            }
            _ => return None,
        }
        Some(())
    }

    fn condition_holds(&self, condition: Term, holds: bool, way: &mut Way) -> Option<()> {
        let terms = &self.program.terms;
        if terms.as_bool_const(condition) == Some(holds) {
            return Some(());
        }
        let args = terms.args(condition);
        match (terms.op(condition), holds) {
            (TermOp::Not, _) => self.condition_holds(args[0], !holds, way),
            (TermOp::Eq, _) if matches!(terms.sort(args[0]), Sort::Bv(..=64)) => {
                match (self.held(args[0], way)?, self.held(args[1], way)?) {
                    (Held::Linear(a), Held::Linear(b)) => {
                        way.bounds.push((a, if holds { Relation::Equal } else { Relation::Differ }, b));
                    }
                    (Held::Byte(byte), other) | (other, Held::Byte(byte)) => way.tests.push((byte, other, holds)),
                    _ => return None,
                }
                Some(())
            }
            (TermOp::BvUlt, true) => self.bounded(args[0], Relation::Less, args[1], way),
            (TermOp::BvUle, true) => self.bounded(args[0], Relation::LessOrEqual, args[1], way),
            (TermOp::BvUlt, false) => self.bounded(args[1], Relation::LessOrEqual, args[0], way),
            (TermOp::BvUle, false) => self.bounded(args[1], Relation::Less, args[0], way),
            _ => None,
        }
    }

    fn bounded(&self, left: Term, relation: Relation, right: Term, way: &mut Way) -> Option<()> {
        let bound = (self.linear(left, way)?, relation, self.linear(right, way)?);
        way.bounds.push(bound);
        Some(())
    }

    fn linear(&self, t: Term, way: &Way) -> Option<Linear> {
        match self.held(t, way)? {
            Held::Linear(linear) => Some(linear),
            _ => None,
        }
    }

    fn held(&self, t: Term, way: &Way) -> Option<Held> {
        let terms = &self.program.terms;
        let Sort::Bv(width @ 1..=64) = terms.sort(t) else { return None };
        let width = width as u8;
        if let Some(constant) = terms.as_bv_const(t) {
            return Some(Held::Linear(Linear { vars: Vec::new(), constant: constant.to_u64()?, width }));
        }
        if let Some(v) = self.program.var_of(t) {
            let at_start = || Held::Linear(Linear { vars: vec![v], constant: 0, width });
            let known = way.vars.iter().find(|(known, _)| *known == v);
            return Some(known.map_or_else(at_start, |(_, held)| held.clone()));
        }
        match (terms.op(t), terms.args(t)) {
            (TermOp::BvAdd, &[a, b]) if terms.op(b) == TermOp::BvNeg => {
                let subtracted = terms.arg(b, 0);
                Some(Held::Difference(self.extended_byte(a, way)?, self.extended_byte(subtracted, way)?))
            }
            (TermOp::BvAdd, &[a, b]) => {
                let (a, b) = (self.linear(a, way)?, self.linear(b, way)?);
                let mut vars = [a.vars, b.vars].concat();
                vars.sort_unstable();
                let constant = a.constant.wrapping_add(b.constant) & mask(width);
                Some(Held::Linear(Linear { vars, constant, width }))
            }
            // The low bits of a sum are the sum of the low bits.
            (TermOp::Extract { lo: 0, .. }, &[a]) => {
                let Linear { vars, constant, .. } = self.linear(a, way)?;
                Some(Held::Linear(Linear { vars, constant: constant & mask(width), width }))
            }
            _ => None,
        }
    }

    fn extended_byte(&self, t: Term, way: &Way) -> Option<usize> {
        let terms = &self.program.terms;
        match (terms.op(t), terms.args(t)) {
            (TermOp::ZeroExtend(_), &[byte]) => match self.held(byte, way)? {
                Held::Byte(load) => Some(load),
                _ => None,
            },
            _ => None,
        }
    }

    /// The code of a way, if all it does is what these loops do.
    fn byte_loop(&mut self, way: &Way) -> Result<Option<ByteLoop>, Unsupported> {
        match self.steady(way) {
            Some((way, changes)) => self.byte_loop_code(&way, &changes).map(Some),
            None => Ok(None),
        }
    }

    /// How the way changes variables, and what else has to hold so that it changes nothing more.
    fn steady(&self, way: &Way) -> Option<(Way, Vec<(Var, Change)>)> {
        let mut way = way.clone();
        let mut changes = Vec::new();
        for (v, held) in way.vars.clone() {
            matches!(self.home(v), Some(Place::Word(_))).then_some(())?;
            changes.push(match held {
                Held::Linear(Linear { vars, constant, width }) if vars == [v] => match constant {
                    0 => continue,
                    1 => (v, Change::By(1)),
                    _ if constant == mask(width) => (v, Change::By(-1)),
                    _ => return None,
                },
                Held::Linear(_) => return None,
                Held::Byte(load) => (v, Change::Byte(load)),
                // A difference that was zero stays so while the bytes are equal.
                Held::Difference(a, b) => {
                    let Sort::Bv(width) = self.program.vars[v].sort else { return None };
                    let (start, zero) =
                        ([vec![v], Vec::new()].map(|vars| Linear { vars, constant: 0, width: width as u8 })).into();
                    way.bounds.push((start, Relation::Equal, zero));
                    way.tests.push((a, Held::Byte(b), true));
                    continue;
                }
            });
        }
        let step = |linear: &Linear| {
            linear.vars.iter().try_fold(0, |sum, v| match changes.iter().find(|(changed, _)| changed == v) {
                None => Some(sum),
                Some((_, Change::By(step))) => Some(sum + step),
                Some((_, Change::Byte(_))) => None,
            })
        };
        let is_fixed = |held: &Held| match held {
            Held::Linear(linear) => step(linear) == Some(0),
            Held::Byte(_) => true,
            Held::Difference(..) => false,
        };
        let accesses = way.loads.len() + way.store.is_some() as usize;
        let moves_on =
            way.loads.iter().chain(way.store.as_ref().map(|(address, ..)| address)).all(|a| step(a) == Some(1));
        let values = way.tests.iter().map(|(_, held, _)| held).chain(way.store.as_ref().map(|(_, value, _)| value));
        let bounded = way.bounds.iter().all(|(left, relation, right)| match (relation, step(left), step(right)) {
            (_, Some(0), Some(0)) => true,
            (Relation::Equal, ..) => false,
            (Relation::Differ, Some(a), Some(b)) => (a - b).abs() == 1,
            (_, a, b) => matches!((a, b), (Some(1), Some(0)) | (Some(0), Some(-1))),
        });
        let is_loop = accesses > 0 && moves_on && bounded && way.tests.len() <= TESTS && { values }.all(is_fixed);
        is_loop.then_some((way, changes))
    }

    fn byte_loop_code(&mut self, way: &Way, changes: &[(Var, Change)]) -> Result<ByteLoop, Unsupported> {
        let step = |linear: &Linear| -> i64 {
            let steps = changes.iter().filter_map(|(v, change)| match change {
                Change::By(step) => Some((*v, *step)),
                Change::Byte(_) => None,
            });
            steps.map(|(v, step)| linear.vars.iter().filter(|w| **w == v).count() as i64 * step).sum()
        };
        let mut bounds = Vec::new();
        for (left, relation, right) in &way.bounds {
            let moves = match step(left) - step(right) {
                0 => None,
                1 => Some(Step::Up),
                _ => Some(Step::Down),
            };
            let (left, right) = (self.sum(left)?, self.sum(right)?);
            bounds.push(Bound { left, right, relation: *relation, moves });
        }
        let loads = way.loads.iter().map(|address| self.sum(address)).collect::<Result<_, _>>()?;
        let store = match &way.store {
            Some((address, value, loads_before)) => {
                Some(Store { address: self.sum(address)?, value: self.operand(value)?, loads_before: *loads_before })
            }
            None => None,
        };
        let mut tests = Vec::new();
        for (byte, other, is_equal) in &way.tests {
            tests.push(Test { byte: *byte, other: self.operand(other)?, is_equal: *is_equal });
        }
        let (mut counters, mut kept) = (Vec::new(), Vec::new());
        for (v, change) in changes {
            let reg = self.variable(*v)?;
            match change {
                Change::By(step) => {
                    let width = self.program.vars[*v].sort.bv_width().unwrap_or(64) as u8;
                    counters.push((reg, width, if *step > 0 { Step::Up } else { Step::Down }));
                }
                Change::Byte(load) => kept.push((reg, *load)),
            }
        }
        Ok(ByteLoop { edges: way.edges.len() as u64, bounds, loads, store, tests, counters, kept })
    }

    fn operand(&mut self, held: &Held) -> Result<Operand, Unsupported> {
        Ok(match held {
            Held::Byte(load) => Operand::Byte(*load),
            Held::Linear(linear) => Operand::Fixed(self.sum(linear)?),
            Held::Difference(..) => unreachable!("not in a loop over bytes"),
        })
    }

    fn sum(&mut self, linear: &Linear) -> Result<Sum, Unsupported> {
        let regs = linear.vars.iter().map(|v| self.variable(*v)).collect::<Result<_, _>>()?;
        Ok(Sum { regs, constant: linear.constant, width: linear.width })
    }

    fn variable(&mut self, v: Var) -> Result<Reg, Unsupported> {
        self.word(self.program.term(v))
    }
}

impl Way {
    fn set(&mut self, v: Var, held: Held) {
        match self.vars.iter_mut().find(|(known, _)| *known == v) {
            Some((_, old)) => *old = held,
            None => self.vars.push((v, held)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::compile::{Watch, compile};
    use cfa::parse;

    /// How many loops over bytes are found, where `n`, `from` and `to` are of 64 bits and `c` of 8. Code comes from `L0` to `L2`.
    fn found(body: &str, edges: bool) -> usize {
        let mut text = "machine lp64 32 32\n".to_owned();
        for (name, width) in [("n", 64), ("from", 64), ("to", 64), ("c", 8)] {
            text += &format!("var {name} bv{width} local f0\n");
        }
        text += "entry f0\nfunction f0 \"main\" params () entry L0 exit L1\n";
        text += "  L0\n    e0 -> L2 assign n := 0:64\n  L1 end return\n";
        text += body;
        let program = parse(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
        compile(&program, &Watch { edges, locations: Vec::new() }).expect("executable").byte_loops.len()
    }

    /// `while (from[n] != 0) { step }`, with an address and a step.
    fn scan(address: &str, step: &str) -> String {
        format!(
            "  L2\n    e1 -> L3 load 1 {address} -> c\n  L3\n    e2 -> L4 assume (not (= c 0:8))\n    \
             e3 -> L1 assume (= c 0:8)\n  L4\n    e4 -> L2 assign {step}\n"
        )
    }

    #[test]
    fn loops_are_found_by_their_shape() {
        let strlen = scan("(bvadd from n)", "n := (bvadd n 1:64)");
        assert_eq!(found(&strlen, false), 1);
        assert_eq!(found(&scan("from", "n := (bvadd n 1:64), from := (bvadd from 1:64)"), false), 1);
        // Somebody wants to see each edge.
        assert_eq!(found(&strlen, true), 0);
    }

    #[test]
    fn other_loops_are_left_alone() {
        // Every other byte, the same byte again and again, a variable that gets something else.
        assert_eq!(found(&scan("(bvadd from n)", "n := (bvadd n 2:64)"), false), 0);
        assert_eq!(found(&scan("from", "n := (bvadd n 1:64)"), false), 0);
        assert_eq!(found(&scan("(bvadd from n)", "n := (bvadd n 1:64), to := (bvmul to 3:64)"), false), 0);
        let moving_bound = "  L2
    e1 -> L3 assume (bvult n to)
    e2 -> L1 assume (bvule to n)
  L3
    e3 -> L4 load 1 (bvadd from n) -> c
  L4
    e4 -> L2 assign n := (bvadd n 1:64), to := (bvadd to 1:64)
";
        let last_byte_is_compared = "  L2
    e1 -> L3 assume (not (= c 0:8))
    e2 -> L1 assume (= c 0:8)
  L3
    e3 -> L4 load 1 (bvadd from n) -> c
  L4
    e4 -> L2 assign n := (bvadd n 1:64)
";
        let two_stores = "  L2
    e1 -> L3 assume (bvult n 9:64)
    e2 -> L1 assume (bvule 9:64 n)
  L3
    e3 -> L4 store 1 (bvadd to n) 0:8
  L4
    e4 -> L5 store 1 (bvadd from n) 0:8
  L5
    e5 -> L2 assign n := (bvadd n 1:64)
";
        for body in [moving_bound, last_byte_is_compared, two_stores] {
            assert_eq!(found(body, false), 0, "{body}");
        }
    }
}
