//! Differences of variables: for chosen pairs, the range of `x - y` as a machine number.
//!
//! Ranges alone forget that two counters move together. A difference is kept only for pairs that the program itself
//! compares, and only where both are live, so there are few. Machine differences are exact for assignments `x := y + c` however they wrap; a comparison
//! `x < y` says something about the difference only where ranges show that it does not wrap.

use crate::limits::relation::MAX_PAIRS;
use crate::range::Range;
use base::Table;
use cfa::{Loc, Op as EdgeOp, Program, Var};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use term::{Op, Store, Term};

/// Two variables of one width, the first with the smaller id.
pub type Pair = (Var, Var);

/// Pairs of variables that some condition of the program compares, up to constants and extensions; the first ones.
pub fn compared(program: &Program) -> Rc<[Pair]> {
    pairs_compared(program, MAX_PAIRS).into_iter().collect()
}

/// At each location, the pairs of live variables that some condition of the program compares.
pub fn compared_at(program: &Program, live: &Table<Loc, BTreeSet<Var>>) -> Table<Loc, Rc<[Pair]>> {
    let mut partners: BTreeMap<Var, BTreeSet<Var>> = BTreeMap::new();
    for (x, y) in pairs_compared(program, usize::MAX) {
        partners.entry(x).or_default().insert(y);
    }
    let at = |live: &BTreeSet<Var>| -> Rc<[Pair]> {
        let mut pairs = Vec::new();
        for x in live {
            let Some(partners) = partners.get(x) else { continue };
            // One variable may be compared with all others, and few of them live.
            let (fewer, more) = if partners.len() < live.len() { (partners, live) } else { (live, partners) };
            let both = fewer.iter().filter(|y| more.contains(y));
            pairs.extend(both.map(|y| (*x, *y)).take(MAX_PAIRS - pairs.len()));
            if pairs.len() == MAX_PAIRS {
                break;
            }
        }
        pairs.into()
    };
    live.values().map(at).collect()
}

fn pairs_compared(program: &Program, most: usize) -> BTreeSet<Pair> {
    let terms = &program.terms;
    let mut pairs: BTreeSet<Pair> = BTreeSet::new();
    let conditions: Vec<Term> = program
        .main()
        .edges
        .values()
        .filter(|e| matches!(e.op, EdgeOp::Assume(_)))
        .flat_map(|e| e.op.terms())
        .collect();
    for t in term::walk::postorder(terms, &conditions) {
        let comparison = matches!(terms.op(t), Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle);
        if !comparison || pairs.len() >= most {
            continue;
        }
        let (mut a, mut b) = (terms.arg(t, 0), terms.arg(t, 1));
        while let (Op::ZeroExtend(_) | Op::SignExtend(_), true) = (terms.op(a), terms.op(a) == terms.op(b)) {
            (a, b) = (terms.arg(a, 0), terms.arg(b, 0));
        }
        if let (Some((x, _)), Some((y, _))) = (offset(program, a), offset(program, b))
            && x != y
            && terms.sort(a) == terms.sort(b)
        {
            pairs.insert((x.min(y), x.max(y)));
        }
    }
    pairs
}

/// `t` as a variable of at most 64 bits plus a constant.
pub fn offset(program: &Program, t: Term) -> Option<(Var, u64)> {
    let terms: &Store = &program.terms;
    let constant = |t: Term| terms.as_bv_const(t).and_then(term::Bits::to_u64);
    terms.sort(t).bv_width().filter(|w| *w <= 64)?;
    match terms.op(t) {
        Op::Var(_) => Some((program.var_of(t)?, 0)),
        Op::BvAdd => {
            let (a, b) = (terms.arg(t, 0), terms.arg(t, 1));
            match (constant(a), constant(b)) {
                (Some(c), None) => Some((program.var_of(b)?, c)),
                (None, Some(c)) => Some((program.var_of(a)?, c)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The known differences, first variable minus second. Pairs without entry: what the ranges say.
#[derive(Clone, PartialEq, Debug)]
pub struct Differences {
    pairs: Rc<[Pair]>,
    known: BTreeMap<Pair, Range>,
}

impl Differences {
    pub fn none(pairs: Rc<[Pair]>) -> Differences {
        Differences { pairs, known: BTreeMap::new() }
    }

    pub fn pairs(&self) -> Rc<[Pair]> {
        self.pairs.clone()
    }

    /// The pairs that are followed from now on, at least those that something is known about.
    pub fn follow(&mut self, pairs: &Rc<[Pair]>) {
        self.pairs = pairs.clone();
    }

    /// Forgets the pairs of which one is not among `vars`.
    pub fn keep(&mut self, vars: &BTreeSet<Var>) {
        self.known.retain(|(x, y), _| vars.contains(x) && vars.contains(y));
    }

    pub fn known(&self) -> impl Iterator<Item = (Pair, &Range)> {
        self.known.iter().map(|(pair, range)| (*pair, range))
    }

    /// Whether the difference of the two is followed.
    pub fn follows(&self, x: Var, y: Var) -> bool {
        self.pairs.binary_search(&(x.min(y), x.max(y))).is_ok()
    }

    /// What is known of `x - y` beyond their ranges.
    pub fn get(&self, x: Var, y: Var) -> Option<Range> {
        if x < y { self.known.get(&(x, y)).copied() } else { self.known.get(&(y, x)).map(Range::neg) }
    }

    /// Sets what is known of `x - y`, for a pair that is followed.
    pub fn set(&mut self, x: Var, y: Var, difference: Range) {
        let (pair, difference) = if x < y { ((x, y), difference) } else { ((y, x), difference.neg()) };
        if difference.is_full() {
            self.known.remove(&pair);
        } else {
            self.known.insert(pair, difference);
        }
    }

    pub fn forget_all(&mut self, vars: &BTreeSet<Var>) {
        self.known.retain(|(x, y), _| !vars.contains(x) && !vars.contains(y));
    }

    pub fn forget(&mut self, var: Var) {
        self.known.retain(|pair, _| pair.0 != var && pair.1 != var);
    }
}
