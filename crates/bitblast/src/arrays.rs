//! Arrays, away: reads looked up in writes, reads of variables as variables (Ackermann), equality at all indices in sight.

use crate::circuit::Lit;
use crate::{Blaster, MAX_CLAUSES, Refused, words};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use term::{Op, Scalar, Sort, Term};

type Index = Vec<Lit>;

#[derive(Default)]
pub(crate) struct Arrays {
    /// Reads that were looked up.
    found: FxHashMap<(Term, Index), Vec<Lit>>,
    /// Of each array variable: where it was read, and what was there.
    reads: FxHashMap<Term, Vec<(Index, Vec<Lit>)>>,
    /// All indices in sight, in order of appearance, and which they are.
    indices: Vec<Index>,
    seen: FxHashSet<Index>,
    /// Comparisons: the two arrays, whether they are equal, and an index where they differ if they are not.
    comparisons: Vec<(Term, Term, Lit, Index)>,
}

impl Arrays {
    /// Whether no array was met.
    pub(crate) fn is_empty(&self) -> bool {
        self.indices.is_empty()
    }

    pub(crate) fn mention(&mut self, index: Index) {
        if self.seen.insert(index.clone()) {
            self.indices.push(index);
        }
    }
}

impl Blaster<'_> {
    /// What an array holds at an index. Without recursion: chains of writes are long.
    pub(crate) fn read(&mut self, array: Term, index: &Index) -> Result<Vec<Lit>, Refused> {
        self.arrays.mention(index.clone());
        let mut stack = vec![array];
        while let Some(&top) = stack.last() {
            let key = (top, index.clone());
            if self.arrays.found.contains_key(&key) {
                stack.pop();
                continue;
            }
            let terms = self.terms;
            let inner: &[Term] = match terms.op(top) {
                Op::Store => &terms.args(top)[..1],
                Op::Ite => &terms.args(top)[1..],
                _ => &[],
            };
            let open = inner.iter().find(|a| !self.arrays.found.contains_key(&(**a, index.clone())));
            if let Some(open) = open {
                stack.push(*open);
                continue;
            }
            let of = |blaster: &Self, a: Term| blaster.arrays.found[&(a, index.clone())].clone();
            let value = match (terms.op(top), terms.args(top)) {
                (Op::Store, [before, at, written]) => {
                    let (at, written) = (self.known[at].clone(), self.scalar(*written)?);
                    let here = words::eq(&mut self.circuit, &at, index);
                    let otherwise = of(self, *before);
                    words::ite(&mut self.circuit, here, &written, &otherwise)
                }
                (Op::Ite, [condition, a, b]) => {
                    let condition = self.known[condition][0];
                    let (a, b) = (of(self, *a), of(self, *b));
                    words::ite(&mut self.circuit, condition, &a, &b)
                }
                (Op::ConstArray(_), [value]) => self.scalar(*value)?,
                (Op::Var(_), _) => self.read_variable(top, index)?,
                (op, _) => return Err(Refused::Operator(op.facts().name)),
            };
            self.arrays.found.insert(key, value);
            stack.pop();
            if self.circuit.cnf.len() > MAX_CLAUSES {
                return Err(Refused::TooLarge);
            }
        }
        Ok(self.arrays.found[&(array, index.clone())].clone())
    }

    fn scalar(&self, t: Term) -> Result<Vec<Lit>, Refused> {
        self.known.get(&t).cloned().ok_or(Refused::Operator(self.terms.op(t).facts().name))
    }

    /// Anything, but at equal indices the same.
    fn read_variable(&mut self, array: Term, index: &Index) -> Result<Vec<Lit>, Refused> {
        let Sort::Array(sort) = self.terms.sort(array) else { unreachable!("an array") };
        let width = match sort.elem {
            Scalar::Bool => 1,
            Scalar::Bv(width) => width,
            Scalar::Float(_) => return Err(Refused::Operator("an array of floats")),
        };
        let value: Vec<Lit> = (0..width).map(|_| self.circuit.fresh()).collect();
        let mut reads = self.arrays.reads.remove(&array).unwrap_or_default();
        for (other, there) in &reads {
            let same = words::eq(&mut self.circuit, index, other);
            if same == Lit::FALSE {
                continue;
            }
            for (&a, &b) in value.iter().zip(there) {
                self.circuit.require(&[!same, !a, b]);
                self.circuit.require(&[!same, a, !b]);
            }
        }
        reads.push((index.clone(), value.clone()));
        self.arrays.reads.insert(array, reads);
        Ok(value)
    }

    /// Whether two arrays are equal; what that means is said by [`Blaster::compare_arrays`].
    pub(crate) fn arrays_are_equal(&mut self, a: Term, b: Term) -> Lit {
        let Sort::Array(sort) = self.terms.sort(a) else { unreachable!("an array") };
        let width = match sort.index {
            Scalar::Bool => 1,
            Scalar::Bv(width) => width,
            Scalar::Float(format) => format.width(),
        };
        let differ: Index = (0..width).map(|_| self.circuit.fresh()).collect();
        self.arrays.mention(differ.clone());
        let equal = self.circuit.fresh();
        self.arrays.comparisons.push((a, b, equal, differ));
        equal
    }

    /// Arrays that are the same value everywhere differ from others where nobody looks, too: where such are compared, an
    /// index is looked at that is none of those in sight. There is one if words have more values than there are indices
    /// in sight; else all values are looked at.
    fn mention_elsewhere(&mut self) {
        let is_same_everywhere = |t: &Term| matches!(self.terms.op(*t), Op::ConstArray(_));
        let speaks_of_such = |(a, b, ..): &&(Term, Term, Lit, Index)| {
            term::postorder(self.terms, &[*a, *b]).iter().any(is_same_everywhere)
        };
        let compared = self.arrays.comparisons.iter().filter(speaks_of_such);
        let widths: BTreeSet<usize> = compared.map(|(.., differ)| differ.len()).collect();
        for width in widths {
            let in_sight: Vec<Index> =
                self.arrays.indices.iter().filter(|index| index.len() == width).cloned().collect();
            match 1usize.checked_shl(width as u32) {
                Some(values) if values <= in_sight.len() => {
                    let constant = |n: usize| (0..width).map(|bit| Lit::constant(n >> bit & 1 == 1)).collect();
                    (0..values).for_each(|n| self.arrays.mention(constant(n)));
                }
                _ => {
                    let elsewhere: Index = (0..width).map(|_| self.circuit.fresh()).collect();
                    for index in &in_sight {
                        let same = words::eq(&mut self.circuit, &elsewhere, index);
                        self.circuit.require(&[!same]);
                    }
                    self.arrays.mention(elsewhere);
                }
            }
        }
    }

    /// Once all indices are in sight: equal arrays hold the same at each of them, others differ at their own.
    pub(crate) fn compare_arrays(&mut self) -> Result<(), Refused> {
        self.mention_elsewhere();
        for (a, b, equal, differ) in std::mem::take(&mut self.arrays.comparisons) {
            let indices: Vec<Index> =
                self.arrays.indices.iter().filter(|index| index.len() == differ.len()).cloned().collect();
            for index in indices {
                let (x, y) = (self.read(a, &index)?, self.read(b, &index)?);
                let same = words::eq(&mut self.circuit, &x, &y);
                self.circuit.require(&[!equal, same]);
                if index == differ {
                    self.circuit.require(&[equal, !same]);
                }
            }
        }
        Ok(())
    }
}
