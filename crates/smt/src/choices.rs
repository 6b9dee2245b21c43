//! Comparisons of choices as choices between comparisons: `(p ? a : b) < c` is `p ? a < c : b < c`.
//!
//! What is copied and compared, and never computed with, is then a formula over comparisons of what was there at the start, in which
//! no word is left to be followed bit by bit.
//!
//! Counters are compared with constants, and one number is added: `x + 1 < 5` is `x < 4` or `x` is the greatest number.

use crate::limits::choices::MAX_DEPTH;
use rustc_hash::FxHashMap;
use term::{Bits, Op, Store, Term};

/// Formulas in which comparisons of choices between variables and constants have been taken apart.
pub struct Choices {
    apart: FxHashMap<Term, Term>,
    inward: FxHashMap<Applied, Term>,
    kinds: FxHashMap<Term, Kind>,
    /// Comparisons that may still be taken apart.
    left: usize,
}

/// An operator, what it is applied to, and the constant that is its second argument.
type Applied = (Op, Term, Option<Term>);

/// What a term chooses between.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// Variables, what is promoted of them, and constants.
    Copied,
    /// Sums of a variable and a constant as well.
    Counted,
    Computed,
}

impl Choices {
    /// No more than so many comparisons are taken apart; the others stay as they are.
    pub fn new(most: usize) -> Choices {
        Choices { apart: FxHashMap::default(), inward: FxHashMap::default(), kinds: FxHashMap::default(), left: most }
    }

    /// An equal term.
    pub fn apart(&mut self, terms: &mut Store, root: Term) -> Term {
        for t in term::walk::postorder(terms, &[root]) {
            if self.apart.contains_key(&t) {
                continue;
            }
            let args: Vec<Term> = terms.args(t).iter().map(|arg| self.apart[arg]).collect();
            let op = terms.op(t);
            let one = match args[..] {
                [a] if is_part(op) => self.inward(terms, (op, a, None), MAX_DEPTH),
                [a, by] if op == Op::BvAdd && terms.is_const(by) => self.inward(terms, (op, a, Some(by)), MAX_DEPTH),
                [a, b] if is_comparison(terms, t) && self.is_simple(terms, a, b) => {
                    self.compare(terms, op, a, b, MAX_DEPTH)
                }
                _ if args == terms.args(t) => t,
                _ => terms.mk(op, &args),
            };
            self.apart.insert(t, one);
            self.apart.insert(one, one);
        }
        self.apart[&root]
    }

    /// What is applied to a choice is applied to what is chosen: integer promotions go away.
    fn inward(&mut self, terms: &mut Store, (op, t, constant): Applied, depth: u32) -> Term {
        if let Some(known) = self.inward.get(&(op, t, constant)) {
            return *known;
        }
        let inside = if terms.op(t) == Op::Ite && depth > 0 && self.kind(terms, t) < Kind::Computed {
            let [condition, a, b] = *terms.args(t) else { unreachable!("a choice has three arguments") };
            let a = self.inward(terms, (op, a, constant), depth - 1);
            let b = self.inward(terms, (op, b, constant), depth - 1);
            terms.ite(condition, a, b)
        } else {
            let args: Vec<Term> = std::iter::once(t).chain(constant).collect();
            terms.mk(op, &args)
        };
        self.inward.insert((op, t, constant), inside);
        inside
    }

    fn compare(&mut self, terms: &mut Store, op: Op, a: Term, b: Term, depth: u32) -> Term {
        let plain = terms.mk(op, &[a, b]);
        if let Some(known) = self.apart.get(&plain) {
            return *known;
        }
        let parts = taken_apart(terms, a, b).filter(|_| depth > 0 && self.left > 0 && !terms.is_const(plain));
        let Some((condition, [left, right])) = parts else { return counted(terms, plain) };
        self.left -= 1;
        let left = self.compare(terms, op, left.0, left.1, depth - 1);
        let right = self.compare(terms, op, right.0, right.1, depth - 1);
        let apart = terms.ite(condition, left, right);
        self.apart.insert(plain, apart);
        apart
    }

    /// Whether comparing the two says nothing new: neither is computed, and sums are compared with constants.
    fn is_simple(&mut self, terms: &Store, a: Term, b: Term) -> bool {
        let most = if terms.is_const(a) || terms.is_const(b) { Kind::Counted } else { Kind::Copied };
        self.kind(terms, a) <= most && self.kind(terms, b) <= most
    }

    fn kind(&mut self, terms: &Store, root: Term) -> Kind {
        let mut work = vec![root];
        while let Some(&t) = work.last() {
            if self.kinds.contains_key(&t) {
                work.pop();
                continue;
            }
            let args = terms.args(t);
            let known = match terms.op(t) {
                Op::Ite => {
                    let open = args[1..].iter().find(|part| !self.kinds.contains_key(part));
                    if let Some(open) = open {
                        work.push(*open);
                        continue;
                    }
                    self.kinds[&args[1]].max(self.kinds[&args[2]])
                }
                Op::ZeroExtend(_) | Op::SignExtend(_) if terms.is_var(args[0]) => Kind::Copied,
                Op::BvAdd if summed(terms, t).is_some() => Kind::Counted,
                _ if terms.is_var(t) || terms.is_const(t) => Kind::Copied,
                _ => Kind::Computed,
            };
            self.kinds.insert(t, known);
        }
        self.kinds[&root]
    }
}

/// A variable and the constant that is added to it.
fn summed(terms: &Store, t: Term) -> Option<(Term, &Bits)> {
    let &[x, by] = terms.args(t) else { return None };
    (terms.op(t) == Op::BvAdd && terms.is_var(x)).then_some((x, terms.as_bv_const(by)?))
}

/// A comparison of a sum with a constant by comparisons of the variable: the numbers from `low` to `high` have moved, and may
/// be two ranges now.
fn counted(terms: &mut Store, t: Term) -> Term {
    let op = terms.op(t);
    if !matches!(op, Op::BvUlt | Op::BvSlt) {
        return t;
    }
    let (a, b) = (terms.arg(t, 0), terms.arg(t, 1));
    let is_signed = op == Op::BvSlt;
    let width = terms.width(a);
    let one = Bits::new(1, width);
    let (least, greatest) = match is_signed {
        true => (Bits::min_signed(width), Bits::max_signed(width)),
        false => (Bits::zero(width), Bits::ones(width)),
    };
    let (x, by, low, high) = match (summed(terms, a), terms.as_bv_const(b), summed(terms, b), terms.as_bv_const(a)) {
        (Some((x, by)), Some(bound), ..) => (x, by.clone(), least, bound.sub(&one)),
        (.., Some((x, by)), Some(bound)) => (x, by.clone(), bound.add(&one), greatest),
        _ => return t,
    };
    let is_above = |low: &Bits, high: &Bits| if is_signed { high.slt(low) } else { high.ult(low) };
    if is_above(&low, &high) {
        return t;
    }
    let (low, high) = (low.sub(&by), high.sub(&by));
    let is_two = is_above(&low, &high);
    let (low, high) = (terms.bv_bits(low), terms.bv_bits(high));
    let (above, below) = match is_signed {
        true => (terms.sle(low, x), terms.sle(x, high)),
        false => (terms.ule(low, x), terms.ule(x, high)),
    };
    if is_two { terms.or(above, below) } else { terms.and(above, below) }
}

fn is_part(op: Op) -> bool {
    matches!(op, Op::Extract { .. } | Op::ZeroExtend(_) | Op::SignExtend(_))
}

/// Whether numbers are compared.
pub fn is_comparison(terms: &Store, t: Term) -> bool {
    let is_one = matches!(terms.op(t), Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle);
    is_one && terms.sort(terms.arg(t, 0)).bv_width().is_some()
}

/// Of two terms that are compared and of which one is a choice: its condition, and what is compared in both cases.
pub fn taken_apart(terms: &Store, a: Term, b: Term) -> Option<(Term, [(Term, Term); 2])> {
    let is_choice = |t: Term| terms.op(t) == Op::Ite;
    if !is_choice(a) && !is_choice(b) {
        return None;
    }
    // The later one first: what it is made of was there before.
    let is_first = is_choice(a) && (!is_choice(b) || a > b);
    let choice = terms.args(if is_first { a } else { b });
    Some((choice[0], [choice[1], choice[2]].map(|part| if is_first { (part, b) } else { (a, part) })))
}
