//! The program scaled down: with its large constants made small.
//!
//! A run that ends elsewhere than it should refutes a strategy before any solver is asked. Since a deep error is out of
//! reach of runs, the same strategy is also run on the program scaled down: what leads to the error there probably does so in
//! the program itself.

use crate::limits::search::{LARGEST_MULTIPLE, SMALL};
use cfa::{Op, Program};
use std::collections::BTreeMap;
use term::subst::Substitution;
use term::{Bits, Store, Term};

/// The program with its large constants made small: their order stays, and small distances, and small multiples; of others the last two
/// bits. `None` if it has none.
pub(crate) fn scaled_down(program: &Program, terms: &mut Store) -> Option<Substitution> {
    let roots: Vec<Term> = program.main().edges.values().flat_map(|e| e.op.terms()).collect();
    let mut large: BTreeMap<i128, Vec<Term>> = BTreeMap::new();
    for t in term::walk::postorder(terms, &roots) {
        if let Some(value) = terms.as_bv_const(t).and_then(signed)
            && value.abs() > SMALL
        {
            large.entry(value.abs()).or_default().push(t);
        }
    }
    if large.is_empty() {
        return None;
    }
    let mut map = Substitution::new();
    let (mut before, mut small) = (0, SMALL);
    let mut known: Vec<(i128, i128)> = Vec::new();
    for (size, constants) in large {
        let distance = size - before;
        let gap = if before > 0 && distance <= 8 { distance } else { 12 + (distance % 4 + 4) % 4 };
        let times = |(of, to): &(i128, i128)| (size % of == 0 && size / of <= LARGEST_MULTIPLE).then(|| size / of * to);
        let multiple = known.iter().filter_map(times).find(|multiple| *multiple > small);
        // The last two bits: added to what is a multiple of four.
        let apart = (small + 12) / 4 * 4 + size % 4;
        small = if gap == distance { small + gap } else { multiple.unwrap_or(apart) };
        before = size;
        known.push((size, small));
        for t in constants {
            let width = terms.width(t);
            let negative = terms.as_bv_const(t).and_then(signed).is_some_and(|v| v < 0);
            let to = terms.bv_signed(if negative { -small } else { small }, width);
            map.insert(terms, t, to);
        }
    }
    Some(map)
}

fn signed(bits: &Bits) -> Option<i128> {
    bits.to_i128()
}

/// The program with terms replaced.
pub(crate) fn replaced(program: &Program, terms: &mut Store, map: &mut Substitution) -> Program {
    let mut changed = program.clone();
    let entry = changed.entry;
    for edge in changed.functions[entry].edges.values_mut() {
        match &mut edge.op {
            Op::Assume(c) => *c = map.apply(terms, *c),
            Op::Assign(pairs) => pairs.iter_mut().for_each(|(_, t)| *t = map.apply(terms, *t)),
            _ => {}
        }
    }
    changed.terms = terms.clone();
    changed
}
