//! Pointers that stay where they were put in their object: mostly at its start.
//!
//! `p = malloc(n)` in a loop makes a new object each time, so `p` has no constant value; its offset has, as long as it is set to blocks, to null and
//! to variables like it only. What is asked of `p[i]` has the offset of `p` in it several times, and once more for pointers to somewhat before their
//! object: with a constant in its place half of it folds.
//!
//! The low bits of a variable are looked for that all its assignments agree on (constant propagation, Kildall 1973, on low bits and without regard to
//! the order of assignments). It must be set before it is read. Sums, products and selections of such values are followed.

use crate::edit::map_terms;
use crate::limits::offsets::ROUNDS;
use crate::propagate::HeadFacts;
use crate::restore::{Fate, Restore};
use base::Table;
use cfa::{Loc, Op, Program, Var};
use flow::live;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};
use term::{Bits, Op as TermOp, Sort, Store, Term};

/// What is known of low bits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Low {
    /// Nothing has been assigned so far.
    Unset,
    Is(Term),
    Varies,
}

impl Low {
    fn join(self, other: Low) -> Low {
        match (self, other) {
            (Low::Unset, known) | (known, Low::Unset) => known,
            (Low::Is(a), Low::Is(b)) if a == b => self,
            _ => Low::Varies,
        }
    }
}

/// Puts constant offsets into a flat program. `None` where there are none.
pub(crate) fn fold(program: &mut Program, heads: &BTreeSet<Loc>) -> Option<Restore> {
    let entry = program.entry;
    let start = program.main().entry;
    let unset = std::mem::take(&mut live(program, |loc| loc == start)[start]);
    let mut terms = std::mem::take(&mut program.terms);
    let Some(mut pass) = Pass::of(program, &unset, &mut terms) else {
        program.terms = terms;
        return None;
    };
    let mut done = FxHashMap::default();
    let mut rewritten = Vec::new();
    for (e, edge) in program.main().edges.iter() {
        let mut op = edge.op.clone();
        map_terms(&mut op, |t| pass.rewritten(&mut terms, t, &mut done));
        if op != edge.op {
            rewritten.push((e, op));
        }
    }
    let (used, lows) = (pass.with_sources(&terms), pass.lows);
    program.terms = terms;
    if rewritten.is_empty() {
        return None;
    }
    let bits = program.machine.offset_bits;
    let live = live(program, |loc| heads.contains(&loc));
    let mut noted = HeadFacts::new();
    for head in heads {
        for var in live[*head].iter().filter(|var| used.contains(var)) {
            if let Some(Low::Is(value)) = lows.get(var) {
                let own = program.term(*var);
                let low = program.terms.extract(own, bits - 1, 0);
                noted.entry(*head).or_default().push(program.terms.eq(low, *value));
            }
        }
    }
    let mut restore = Restore::identity(program);
    let fates: Table<Loc, Fate> = program.main().locs.ids().map(Fate::Kept).collect();
    restore.extend(program, entry, &fates, |l| noted.get(&l).map_or(&[][..], |facts| facts));
    for (e, op) in rewritten {
        program.functions[entry].edges[e].op = op;
    }
    Some(restore)
}

struct Pass<'a> {
    program: &'a Program,
    bits: u32,
    lows: BTreeMap<Var, Low>,
    /// What variables of a pointer's width are set to.
    assigned: BTreeMap<Var, Vec<Term>>,
    /// Terms that were looked at since `lows` changed.
    known: FxHashMap<Term, Low>,
    /// Variables whose offsets something was concluded from.
    used: BTreeSet<Var>,
}

impl<'a> Pass<'a> {
    /// `unset` are variables that may be read before they are set. `None` where it takes too many rounds.
    fn of(program: &'a Program, unset: &[Var], terms: &mut Store) -> Option<Pass<'a>> {
        let main = program.main();
        let pointer = program.machine.pointer_sort();
        let mut lows: BTreeMap<Var, Low> = BTreeMap::new();
        let mut assigned: BTreeMap<Var, Vec<Term>> = BTreeMap::new();
        for edge in main.edges.values() {
            match &edge.op {
                Op::Assign(pairs) => {
                    for (var, value) in pairs.iter().filter(|(var, _)| program.vars[*var].sort == pointer) {
                        lows.entry(*var).or_insert(Low::Unset);
                        assigned.entry(*var).or_default().push(*value);
                    }
                }
                op => lows.extend(op.written().iter().map(|var| (*var, Low::Varies))),
            }
        }
        lows.extend(unset.iter().map(|var| (*var, Low::Varies)));
        let (bits, known, used) = (program.machine.offset_bits, FxHashMap::default(), BTreeSet::new());
        let mut pass = Pass { program, bits, lows, assigned, known, used };
        (0..ROUNDS).any(|_| !pass.round(terms)).then_some(pass)
    }

    /// Whether some assignment says more than was known.
    fn round(&mut self, terms: &mut Store) -> bool {
        self.known.clear();
        let mut changed = false;
        let assigned = std::mem::take(&mut self.assigned);
        for (var, values) in &assigned {
            let before = self.lows[var];
            let after = values.iter().fold(before, |low, value| match low {
                Low::Varies => low,
                low => low.join(self.low(terms, *value)),
            });
            changed |= after != before;
            self.lows.insert(*var, after);
        }
        self.assigned = assigned;
        changed
    }

    /// The last bits of a term that is as wide as an offset at least.
    fn low(&mut self, terms: &mut Store, t: Term) -> Low {
        if let Some(known) = self.known.get(&t) {
            return *known;
        }
        let found = self.low_of(terms, t);
        self.known.insert(t, found);
        found
    }

    fn low_of(&mut self, terms: &mut Store, t: Term) -> Low {
        let Sort::Bv(width) = terms.sort(t) else { return Low::Varies };
        if width < self.bits {
            return Low::Varies;
        }
        if terms.is_const(t) {
            return Low::Is(terms.extract(t, self.bits - 1, 0));
        }
        if let Some(var) = self.program.var_of(t) {
            return self.lows.get(&var).copied().unwrap_or(Low::Varies);
        }
        let op = terms.op(t);
        let args: SmallVec<[Term; 3]> = terms.args(t).into();
        match op {
            TermOp::Concat => self.low(terms, args[args.len() - 1]),
            TermOp::ZeroExtend(_) | TermOp::SignExtend(_) => self.low(terms, args[0]),
            TermOp::Extract { lo: 0, .. } => self.low(terms, args[0]),
            TermOp::Ite => self.low(terms, args[1]).join(self.low(terms, args[2])),
            TermOp::BvAdd | TermOp::BvMul | TermOp::BvNeg => {
                let mut lows: SmallVec<[Term; 3]> = SmallVec::new();
                let mut is_unset = false;
                for arg in args {
                    match self.low(terms, arg) {
                        Low::Is(low) => lows.push(low),
                        Low::Unset => is_unset = true,
                        Low::Varies => return Low::Varies,
                    }
                }
                if is_unset { Low::Unset } else { Low::Is(terms.mk(op, &lows)) }
            }
            _ => Low::Varies,
        }
    }

    /// The constant that the last bits of a term are.
    fn constant(&mut self, terms: &mut Store, t: Term) -> Option<Term> {
        let Low::Is(low) = self.low(terms, t) else { return None };
        let vars = term::walk::free_vars(terms, &[t]);
        self.used.extend(vars.into_iter().filter_map(|t| self.program.var_of(t)));
        Some(low)
    }

    fn rewritten(&mut self, terms: &mut Store, t: Term, done: &mut FxHashMap<Term, Term>) -> Term {
        if let Some(new) = done.get(&t) {
            return *new;
        }
        let args: SmallVec<[Term; 3]> = terms.args(t).into();
        let new = if args.is_empty() || terms.quantifier(t).is_some() {
            t
        } else {
            let new: SmallVec<[Term; 3]> = args.iter().map(|a| self.rewritten(terms, *a, done)).collect();
            let new = if new == args { t } else { terms.mk(terms.op(t), &new) };
            self.folded(terms, new).unwrap_or(new)
        };
        done.insert(t, new);
        new
    }

    /// A part of a pointer: of its offset, or the object where a constant is added that does not lead out of it.
    fn folded(&mut self, terms: &mut Store, t: Term) -> Option<Term> {
        let TermOp::Extract { hi, lo } = terms.op(t) else { return None };
        let of = terms.arg(t, 0);
        if hi < self.bits {
            if terms.width(of) < self.bits {
                return None;
            }
            let low = self.constant(terms, of)?;
            return Some(terms.extract(low, hi, lo));
        }
        if lo != self.bits || terms.op(of) != TermOp::BvAdd {
            return None;
        }
        let &[pointer, step] = terms.args(of) else { return None };
        let step_low = terms.as_bv_const(step)?.extract(self.bits - 1, 0).to_u128()?;
        let low = self.constant(terms, pointer)?;
        let sum = terms.as_bv_const(low).and_then(Bits::to_u128)?.checked_add(step_low)?;
        if sum >> self.bits != 0 {
            return None;
        }
        let (object, moved) = (terms.extract(pointer, hi, lo), terms.extract(step, hi, lo));
        Some(terms.add(object, moved))
    }

    /// The variables that something was concluded from, with those that their offsets come from.
    fn with_sources(&self, terms: &Store) -> BTreeSet<Var> {
        let mut found = BTreeSet::new();
        let mut work: Vec<Var> = self.used.iter().copied().collect();
        let known = |var: &Var| matches!(self.lows.get(var), Some(Low::Is(_)));
        while let Some(var) = work.pop() {
            if !known(&var) || !found.insert(var) {
                continue;
            }
            let sources = term::walk::free_vars(terms, &self.assigned[&var]);
            work.extend(sources.into_iter().filter_map(|t| self.program.var_of(t)));
        }
        found
    }
}
