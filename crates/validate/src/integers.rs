//! The checker's questions over the integers, for Z3's arithmetic: sizes and offsets are sums of 64 bits, for which
//! bit-blasting takes minutes and linear arithmetic no time.
//!
//! Every bit-vector of up to 64 bits is the integer that its bits count; a sum is less some number of turns around; parts of a
//! number, shifts, quotients and remainders by constants are quotients and remainders. Memory is an array of integers. What
//! is left is anything within its range, and a formula that is not understood is true or false. So each assignment of the
//! bit-vectors gives one of the integers: what is contradictory over the integers is contradictory, and nothing else is
//! concluded.

use crate::limits::questions::{MOST_PARTS, MOST_TERMS};
use rustc_hash::FxHashMap;
use std::fmt::Write;
use term::{ArraySort, Op, Sort, Store, Term};

const WIDEST: u32 = 64;

/// The conjunction as a script for Z3, without the question; `None` where it is too large.
pub(crate) fn script(terms: &Store, conjunction: &[Term]) -> Option<String> {
    let mut writer =
        Writer { terms, names: FxHashMap::default(), sums: FxHashMap::default(), fresh: 0, text: String::new() };
    for &fact in conjunction {
        writer.write(fact)?;
        let name = &writer.names[&fact].text;
        let _ = writeln!(writer.text, "(assert {name})");
    }
    Some(writer.text)
}

/// What stands for a term, and, where that is an integer, its range.
#[derive(Clone)]
struct Name {
    text: String,
    low: i128,
    high: i128,
}

/// Multiples of numbers, and a constant.
#[derive(Clone, Default)]
struct Sum {
    parts: Vec<(Term, i128)>,
    constant: i128,
}

struct Writer<'a> {
    terms: &'a Store,
    names: FxHashMap<Term, Name>,
    sums: FxHashMap<Term, Sum>,
    fresh: u32,
    text: String,
}

impl Writer<'_> {
    /// Names a term, what it needs before it.
    fn write(&mut self, root: Term) -> Option<()> {
        let mut stack = vec![(root, false)];
        while let Some((t, is_ready)) = stack.pop() {
            if self.names.contains_key(&t) {
                continue;
            }
            if self.names.len() > MOST_TERMS {
                return None;
            }
            if is_ready {
                let name = self.named(t)?;
                self.names.insert(t, name);
            } else {
                stack.push((t, true));
                let needed = self.needed(t)?;
                stack.extend(needed.into_iter().map(|part| (part, false)));
            }
        }
        Some(())
    }

    fn constant(&self, t: Term) -> Option<i128> {
        self.terms.as_bv_const(t).and_then(|bits| bits.to_u64()).map(i128::from)
    }

    fn is_number(&self, t: Term) -> bool {
        matches!(self.terms.sort(t), Sort::Bv(1..=WIDEST))
    }

    /// Whether a term is looked into. What is not has any value of its sort.
    fn is_understood(&self, t: Term) -> bool {
        let args = self.terms.args(t);
        let numbers = || args.iter().all(|arg| self.is_number(*arg));
        match self.terms.op(t) {
            Op::True | Op::False | Op::Not | Op::And | Op::Or | Op::Xor => true,
            Op::BvConst(_) => self.is_number(t),
            Op::Eq => self.terms.sort(args[0]) == Sort::Bool || numbers(),
            Op::Ite => match self.terms.sort(t) {
                Sort::Bool => true,
                Sort::Array(sort) => is_memory(sort),
                _ => self.is_number(t),
            },
            Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle | Op::BvSaddo | Op::BvSsubo => numbers(),
            Op::BvAdd | Op::BvNeg | Op::BvNot | Op::BvAnd | Op::BvOr => self.is_number(t),
            Op::ZeroExtend(_) | Op::SignExtend(_) | Op::Concat => self.is_number(t),
            Op::Extract { .. } => numbers(),
            Op::BvMul => self.is_number(t) && args.iter().any(|arg| self.constant(*arg).is_some()),
            Op::BvShl | Op::BvLshr | Op::BvAshr => self.is_number(t) && self.constant(args[1]).is_some(),
            Op::BvUdiv | Op::BvUrem => self.is_number(t),
            Op::Select => matches!(self.terms.sort(args[0]), Sort::Array(sort) if is_memory(sort)),
            Op::Store | Op::ConstArray(_) => matches!(self.terms.sort(t), Sort::Array(sort) if is_memory(sort)),
            _ => false,
        }
    }

    /// What has to have a name before the term.
    fn needed(&mut self, t: Term) -> Option<Vec<Term>> {
        if !self.is_understood(t) {
            return Some(Vec::new());
        }
        if !self.is_sum(t) {
            return Some(self.terms.args(t).to_vec());
        }
        let sum = self.sum(t)?;
        Some(sum.parts.iter().map(|part| part.0).collect())
    }

    fn is_sum(&self, t: Term) -> bool {
        matches!(self.terms.op(t), Op::BvAdd | Op::BvNeg | Op::BvNot | Op::BvMul | Op::BvShl) && self.is_understood(t)
    }

    /// The parts of a sum; those of its sums, unless they are many.
    fn sum(&mut self, t: Term) -> Option<Sum> {
        let mut stack = vec![(t, false)];
        while let Some((t, is_ready)) = stack.pop() {
            if self.sums.contains_key(&t) {
                continue;
            }
            let args: Vec<Term> = self.terms.args(t).to_vec();
            if is_ready {
                let sum = self.added(t, &args)?;
                self.sums.insert(t, sum);
            } else {
                stack.push((t, true));
                stack.extend(args.into_iter().filter(|arg| self.is_sum(*arg)).map(|arg| (arg, false)));
            }
        }
        self.sums.get(&t).cloned()
    }

    fn added(&self, t: Term, args: &[Term]) -> Option<Sum> {
        let size = size(self.terms.width(t));
        // As small as can be, so that a difference is one.
        let small = |factor: i128| {
            let factor = factor.rem_euclid(size);
            if factor > size / 2 { factor - size } else { factor }
        };
        let mut result = Sum::default();
        let mut add = |t: Term, factor: i128| -> Option<()> {
            let single = match self.constant(t) {
                Some(constant) => Sum { parts: Vec::new(), constant },
                None => Sum { parts: vec![(t, 1)], constant: 0 },
            };
            let of = self.sums.get(&t).filter(|sum| sum.parts.len() <= MOST_PARTS).unwrap_or(&single);
            for &(part, times) in &of.parts {
                let more = times.checked_mul(factor)?;
                match result.parts.iter_mut().find(|(other, _)| *other == part) {
                    Some((_, times)) => *times = small(times.checked_add(more)?),
                    None => result.parts.push((part, small(more))),
                }
            }
            result.constant = small(result.constant.checked_add(of.constant.checked_mul(factor)?)?);
            Some(())
        };
        match (self.terms.op(t), args) {
            (Op::BvAdd, _) => args.iter().try_for_each(|arg| add(*arg, 1))?,
            (Op::BvNeg, &[a]) => add(a, -1)?,
            (Op::BvNot, &[a]) => {
                add(a, -1)?;
                result.constant = small(result.constant - 1);
            }
            (Op::BvMul, &[a, b]) => match (self.constant(a), self.constant(b)) {
                (Some(by), _) => add(b, small(by))?,
                (_, by) => add(a, small(by?))?,
            },
            (Op::BvShl, &[a, by]) => {
                let by = self.constant(by)?;
                add(a, if by < i128::from(WIDEST) { small(1 << by) } else { 0 })?;
            }
            _ => return None,
        }
        result.parts.retain(|part| part.1 != 0);
        Some(result)
    }

    /// A name for what the expression says.
    fn define(&mut self, sort: &str, expression: &str, low: i128, high: i128) -> Name {
        let text = self.new_name();
        let _ = writeln!(self.text, "(define-fun {text} () {sort} {expression})");
        Name { text, low, high }
    }

    fn new_name(&mut self) -> String {
        self.fresh += 1;
        format!("n{}", self.fresh)
    }

    /// An integer between the two.
    fn between(&mut self, low: i128, high: i128) -> Name {
        let text = self.new_name();
        let (from, to) = (literal(low), literal(high));
        let _ = writeln!(self.text, "(declare-const {text} Int)\n(assert (<= {from} {text} {to}))");
        Name { text, low, high }
    }

    fn truth(&mut self, expression: &str) -> Name {
        self.define("Bool", expression, 0, 0)
    }

    /// A name for a term whose parts have names.
    fn named(&mut self, t: Term) -> Option<Name> {
        if !self.is_understood(t) {
            return Some(self.anything(t));
        }
        if self.is_sum(t) {
            return Some(self.turned(t).unwrap_or_else(|| self.anything(t)));
        }
        let terms = self.terms;
        let ids: Vec<Term> = terms.args(t).to_vec();
        let args: Vec<Name> = ids.iter().map(|arg| self.names[arg].clone()).collect();
        let (op, texts) = (terms.op(t), args.iter().map(|arg| arg.text.as_str()).collect::<Vec<_>>());
        let all = texts.join(" ");
        Some(match (op, &args[..]) {
            (Op::True, _) => self.truth("true"),
            (Op::False, _) => self.truth("false"),
            (Op::Not, _) => self.truth(&format!("(not {all})")),
            (Op::And, _) => self.truth(&format!("(and {all})")),
            (Op::Or, _) => self.truth(&format!("(or {all})")),
            (Op::Xor, _) => self.truth(&format!("(xor {all})")),
            (Op::Eq, _) => self.truth(&format!("(= {all})")),
            (Op::BvUlt, _) => self.truth(&format!("(< {all})")),
            (Op::BvUle, _) => self.truth(&format!("(<= {all})")),
            (Op::BvSlt | Op::BvSle | Op::BvSaddo | Op::BvSsubo, [a, b]) => {
                let half = size(terms.width(ids[0])) / 2;
                let (a, b) = (signed(a, half), signed(b, half));
                let outside = |sign: &str| {
                    let sum = format!("({sign} {a} {b})");
                    format!("(or (< {sum} {}) (>= {sum} {half}))", literal(-half))
                };
                self.truth(&match op {
                    Op::BvSlt => format!("(< {a} {b})"),
                    Op::BvSle => format!("(<= {a} {b})"),
                    Op::BvSaddo => outside("+"),
                    _ => outside("-"),
                })
            }
            (Op::Ite, [_, yes, no]) => match terms.sort(t) {
                Sort::Bool => self.truth(&format!("(ite {all})")),
                Sort::Array(_) => self.define(MEMORY, &format!("(ite {all})"), 0, 0),
                _ => self.define("Int", &format!("(ite {all})"), yes.low.min(no.low), yes.high.max(no.high)),
            },
            (Op::BvConst(_), _) => {
                let value = self.constant(t)?;
                Name { text: literal(value), low: value, high: value }
            }
            (Op::ZeroExtend(_), [a]) => a.clone(),
            (Op::SignExtend(_), [a]) => {
                let own = size(terms.width(ids[0]));
                let add = size(terms.width(t)) - own;
                if a.high < own / 2 {
                    return Some(a.clone());
                }
                let text = format!("(ite (< {all} {}) {all} (+ {all} {add}))", own / 2);
                self.define("Int", &text, a.low, a.high + add)
            }
            (Op::Concat, [a, b]) => {
                let above = size(terms.width(ids[1]));
                let text = format!("(+ (* {above} {}) {})", a.text, b.text);
                self.define("Int", &text, above * a.low + b.low, above * a.high + b.high)
            }
            (Op::Extract { hi, lo }, [a]) => {
                let a = self.quotient(a, 1 << lo);
                self.remainder(&a, 1 << (hi - lo + 1))
            }
            (Op::BvLshr, [a, by]) if by.low < i128::from(terms.width(t)) => self.quotient(a, 1 << by.low),
            (Op::BvLshr, _) => Name { text: "0".into(), low: 0, high: 0 },
            (Op::BvAshr, [a, by]) => {
                let all = size(terms.width(t));
                let by = 1_i128 << by.low.min(i128::from(terms.width(t)) - 1);
                let a = a.text.as_str();
                let text = format!("(ite (< {a} {}) (div {a} {by}) (+ (div (- {a} {all}) {by}) {all}))", all / 2);
                self.define("Int", &text, 0, all - 1)
            }
            (Op::BvUdiv, [a, by]) if by.low == by.high && by.low > 0 => self.quotient(a, by.low),
            (Op::BvUrem, [a, by]) if by.low == by.high && by.low > 0 => self.remainder(a, by.low),
            (Op::BvUdiv | Op::BvUrem, [a, by]) => {
                let some = self.anything(t);
                let (is_zero, some_text) = (format!("(= {} 0)", by.text), some.text.as_str());
                let _ = writeln!(self.text, "(assert (or {is_zero} (<= {some_text} {})))", a.text);
                if op == Op::BvUrem {
                    let _ = writeln!(self.text, "(assert (or {is_zero} (< {some_text} {})))", by.text);
                }
                some
            }
            (Op::BvAnd, [a, b]) => self.masked(t, a, b),
            (Op::BvOr, [a, b]) => {
                let some = self.between(a.low.max(b.low), ones(a.high.max(b.high)));
                let (some_text, a, b) = (some.text.as_str(), &a.text, &b.text);
                let _ = writeln!(self.text, "(assert (<= {a} {some_text}))\n(assert (<= {b} {some_text} (+ {a} {b})))");
                some
            }
            (Op::Select, _) => {
                let last = size(terms.width(t)) - 1;
                let name = self.define("Int", &format!("(select {all})"), 0, last);
                let _ = writeln!(self.text, "(assert (<= 0 {} {last}))", name.text);
                name
            }
            (Op::Store, _) => self.define(MEMORY, &format!("(store {all})"), 0, 0),
            (Op::ConstArray(_), _) => self.define(MEMORY, &format!("((as const {MEMORY}) {all})"), 0, 0),
            _ => self.anything(t),
        })
    }

    /// Any value of the term's sort.
    fn anything(&mut self, t: Term) -> Name {
        let sort = match self.terms.sort(t) {
            Sort::Bv(width @ 1..=WIDEST) => return self.between(0, size(width) - 1),
            Sort::Array(sort) if is_memory(sort) => MEMORY,
            // Of other sorts, nothing that is asked about needs the name.
            _ => "Bool",
        };
        let text = self.new_name();
        let _ = writeln!(self.text, "(declare-const {text} {sort})");
        Name { text, low: 0, high: 0 }
    }

    fn quotient(&mut self, a: &Name, by: i128) -> Name {
        if by == 1 {
            return a.clone();
        }
        if a.high < by {
            return Name { text: "0".into(), low: 0, high: 0 };
        }
        self.define("Int", &format!("(div {} {by})", a.text), a.low / by, a.high / by)
    }

    fn remainder(&mut self, a: &Name, by: i128) -> Name {
        if a.high < by {
            return a.clone();
        }
        self.define("Int", &format!("(mod {} {by})", a.text), 0, by - 1)
    }

    /// Masks of the last bits, and of all but the last.
    fn masked(&mut self, t: Term, a: &Name, b: &Name) -> Name {
        let of = |a: &Name, b: &Name| (a.low == a.high).then(|| (a.low, b.clone()));
        let all = size(self.terms.width(t)) - 1;
        match of(a, b).or_else(|| of(b, a)) {
            Some((mask, of)) if mask & (mask + 1) == 0 => self.remainder(&of, mask + 1),
            Some((mask, of)) if (all - mask) & (all - mask + 1) == 0 => {
                let rest = self.remainder(&of, all - mask + 1);
                self.define("Int", &format!("(- {} {})", of.text, rest.text), 0, of.high)
            }
            _ => {
                let some = self.between(0, a.high.min(b.high));
                // The sum is that of what both have and of what one has, which is no more than all ones.
                let either = ones(a.high.max(b.high));
                let (some_text, a, b) = (some.text.as_str(), &a.text, &b.text);
                let _ = writeln!(self.text, "(assert (<= {some_text} {a}))\n(assert (<= {some_text} {b}))");
                let _ = writeln!(self.text, "(assert (<= (+ {a} {b}) (+ {some_text} {either})))");
                some
            }
        }
    }

    /// A sum, which may wrap around.
    fn turned(&mut self, t: Term) -> Option<Name> {
        let size = size(self.terms.width(t));
        let sum = self.sum(t)?;
        let (mut low, mut high) = (sum.constant, sum.constant);
        let mut text = format!("(+ {}", literal(sum.constant));
        for (part, times) in &sum.parts {
            let name = &self.names[part];
            let (a, b) = (name.low.checked_mul(*times)?, name.high.checked_mul(*times)?);
            low = low.checked_add(a.min(b))?;
            high = high.checked_add(a.max(b))?;
            let _ = write!(text, " (* {} {})", literal(*times), name.text);
        }
        text.push_str(" 0)");
        let (first, last) = (low.div_euclid(size), high.div_euclid(size));
        if first == last {
            let back = literal(first.checked_mul(-size)?);
            return Some(self.define("Int", &format!("(+ {text} {back})"), low - first * size, high - first * size));
        }
        if first + 1 == last {
            // Z3 decides between two equations sooner than on a number of turns: 3.5 instead of 10 s for a contract of coreJSON.
            let turned = self.between(0, size - 1);
            let equal = |turns: i128| {
                let back = literal(turns.checked_mul(-size)?);
                Some(format!("(= {} (+ {text} {back}))", turned.text))
            };
            let (one, other) = (equal(first)?, equal(last)?);
            let _ = writeln!(self.text, "(assert (or {one} {other}))");
            return Some(turned);
        }
        let turns = self.between(first, last);
        let name = self.define("Int", &format!("(- {text} (* {size} {}))", turns.text), 0, size - 1);
        let _ = writeln!(self.text, "(assert (<= 0 {} {}))", name.text, size - 1);
        Some(name)
    }
}

const MEMORY: &str = "(Array Int Int)";

fn is_memory(sort: ArraySort) -> bool {
    [sort.index, sort.elem].into_iter().all(|part| matches!(Sort::from(part), Sort::Bv(1..=WIDEST)))
}

fn size(width: u32) -> i128 {
    1 << width
}

/// The largest number of as many bits as this one has.
fn ones(value: i128) -> i128 {
    let bits = i128::BITS - value.leading_zeros();
    (1 << bits) - 1
}

fn literal(value: i128) -> String {
    if value < 0 { format!("(- {})", value.unsigned_abs()) } else { value.to_string() }
}

/// The number that the bits mean where the first is a sign.
fn signed(name: &Name, half: i128) -> String {
    let text = &name.text;
    if name.high < half {
        text.clone()
    } else if name.low >= half {
        format!("(- {text} {})", 2 * half)
    } else {
        format!("(ite (< {text} {half}) {text} (- {text} {}))", 2 * half)
    }
}

#[cfg(test)]
#[allow(clippy::print_stderr)]
mod tests {
    use super::*;
    use smt::{Answer, Limits, Z3Scripts, Z3Settings};
    use term::eval::eval;
    use term::random::Rng;
    use term::{Bits, Value};

    const WIDTH: u32 = 3;

    /// A number of `width` bits, with every operation that is looked into.
    fn number(rng: &mut Rng, terms: &mut Store, vars: &[Term], width: u32, depth: u32) -> Term {
        let constant = |rng: &mut Rng, terms: &mut Store| terms.bv(rng.below(1 << width) as u128, width);
        if depth == 0 {
            let var = vars[rng.below(vars.len())];
            return if rng.chance(4) { constant(rng, terms) } else { terms.resize(var, width, false) };
        }
        let a = number(rng, terms, vars, width, depth - 1);
        match rng.below(15) {
            0..=3 => {
                let b = number(rng, terms, vars, width, depth - 1);
                terms.mk(Op::BvAdd, &[a, b])
            }
            4 => terms.mk(Op::BvNeg, &[a]),
            5 => terms.mk(Op::BvNot, &[a]),
            6 => {
                let b = number(rng, terms, vars, 1, depth - 1);
                let c = terms.mk(Op::Concat, &[b, a]);
                let lo = rng.below(2) as u32;
                terms.mk(Op::Extract { hi: lo + width - 1, lo }, &[c])
            }
            7 if width > 1 => {
                let b = number(rng, terms, vars, width - 1, depth - 1);
                terms.mk(if rng.chance(2) { Op::SignExtend(1) } else { Op::ZeroExtend(1) }, &[b])
            }
            8..=11 => {
                let by = if rng.chance(3) { number(rng, terms, vars, width, 0) } else { constant(rng, terms) };
                let ops = [Op::BvMul, Op::BvShl, Op::BvLshr, Op::BvAshr, Op::BvUdiv, Op::BvUrem, Op::BvAnd, Op::BvOr];
                let op = *rng.pick(&ops);
                terms.mk(op, &[a, by])
            }
            12 => {
                let memory = terms.var(&format!("memory{width}"), Sort::array(Sort::Bv(width), Sort::Bv(width)));
                let b = number(rng, terms, vars, width, depth - 1);
                let written = terms.mk(Op::Store, &[memory, a, b]);
                let at = number(rng, terms, vars, width, 0);
                terms.mk(Op::Select, &[written, at])
            }
            _ => {
                let b = number(rng, terms, vars, width, depth - 1);
                let condition = comparison(rng, terms, vars, 0);
                terms.mk(Op::Ite, &[condition, a, b])
            }
        }
    }

    fn comparison(rng: &mut Rng, terms: &mut Store, vars: &[Term], depth: u32) -> Term {
        let (a, b) = (number(rng, terms, vars, WIDTH, depth), number(rng, terms, vars, WIDTH, depth));
        let op = *rng.pick(&[Op::Eq, Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle, Op::BvSaddo, Op::BvSsubo]);
        let fact = terms.mk(op, &[a, b]);
        if rng.chance(3) { terms.not(fact) } else { fact }
    }

    /// What is refuted holds for no values; and without memory and products, which are anything, most that holds for none is.
    #[test]
    fn what_is_refuted_holds_for_no_values() {
        let settings = Z3Settings::default();
        if settings.version().is_err() {
            eprintln!("skipped: there is no z3");
            return;
        }
        let mut z3 = Z3Scripts::new(&settings);
        let mut rng = Rng::new(29);
        let (mut refuted, mut contradictory) = (0, 0);
        for _ in 0..400 {
            let mut terms = Store::new();
            let vars = ["x", "y"].map(|name| terms.var(name, Sort::Bv(WIDTH)));
            let facts: Vec<Term> = (0..2 + rng.below(3)).map(|_| comparison(&mut rng, &mut terms, &vars, 2)).collect();
            let script = script(&terms, &facts).expect("small");
            let answer = z3.check(&script, &Limits::default()).expect("an answer");
            let has_memory = term::walk::postorder(&terms, &facts).iter().any(|t| terms.op(*t) == Op::Select);
            let holds = |n: u128| {
                let value = |i: usize| Value::Bv(Bits::new(n >> (3 * i) & 7, WIDTH));
                let values: FxHashMap<Term, Value> = (0..2).map(|i| (vars[i], value(i))).collect();
                facts.iter().all(|fact| eval(&terms, *fact, &values) == Ok(Value::Bool(true)))
            };
            let can_hold = if has_memory {
                let mut solver = smt::open(&smt::SolverSettings::default()).expect("Bitwuzla");
                solver.check(&terms, &facts) == Ok(Answer::Sat)
            } else {
                (0..64).any(holds)
            };
            contradictory += u32::from(!can_hold);
            refuted += u32::from(answer == Answer::Unsat);
            assert!(answer == Answer::Sat || !can_hold, "{script}");
        }
        // A test that refutes nothing passes too.
        assert!(refuted > contradictory / 2, "{refuted} of {contradictory}");
    }

    fn answer(settings: &Z3Settings, terms: &Store, facts: &[Term]) -> Result<Answer, smt::Why> {
        let script = script(terms, facts).expect("small");
        Z3Scripts::new(settings).check(&script, &Limits::default())
    }

    #[test]
    fn sizes_and_offsets_are_refuted() {
        let settings = Z3Settings::default();
        if settings.version().is_err() {
            eprintln!("skipped: there is no z3");
            return;
        }
        let mut terms = Store::new();
        let [offset, size, length] = ["offset", "size", "length"].map(|name| terms.var(name, Sort::Bv(64)));
        let inside = terms.mk(Op::BvUle, &[offset, size]);
        let minus = terms.mk(Op::BvNeg, &[offset]);
        let rest = terms.mk(Op::BvAdd, &[size, minus]);
        let fits = terms.mk(Op::BvUle, &[length, rest]);
        let end = terms.mk(Op::BvAdd, &[offset, length]);
        let beyond = terms.mk(Op::BvUlt, &[size, end]);
        let ask = |facts: &[Term]| answer(&settings, &terms, facts);
        assert_eq!(ask(&[inside, fits, beyond]), Ok(Answer::Unsat));
        // Without the first the difference wraps around.
        assert_eq!(ask(&[fits, beyond]), Ok(Answer::Sat));
    }

    /// How C code has conditions as numbers, all of which are to hold.
    #[test]
    fn conditions_as_bits_are_understood() {
        let settings = Z3Settings::default();
        if settings.version().is_err() {
            eprintln!("skipped: there is no z3");
            return;
        }
        let mut terms = Store::new();
        let conditions = ["p", "q"].map(|name| terms.var(name, Sort::Bool));
        let [zero, one] = [0, 1].map(|n| terms.bv(n, 32));
        let bits = conditions.map(|condition| terms.ite(condition, one, zero));
        let not = conditions.map(|condition| terms.not(condition));
        let (both, either) = (terms.mk(Op::BvAnd, &bits), terms.mk(Op::BvOr, &bits));
        let (none, some) = (terms.eq(both, zero), terms.eq(either, one));
        let ask = |facts: &[Term]| answer(&settings, &terms, facts);
        assert_eq!(ask(&[conditions[0], conditions[1], none]), Ok(Answer::Unsat));
        assert_eq!(ask(&[conditions[0], not[1], none]), Ok(Answer::Sat));
        assert_eq!(ask(&[not[0], not[1], some]), Ok(Answer::Unsat));
        assert_eq!(ask(&[not[0], conditions[1], some]), Ok(Answer::Sat));
    }
}
