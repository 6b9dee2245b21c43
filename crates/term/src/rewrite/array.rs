//! Rules for arrays.

use super::{Rule, rules};
use crate::op::Op;
use crate::store::{Store, Term};
use std::collections::BTreeMap;

pub(super) const SELECT: &[Rule] = rules![select_through_stores, select_const_array, select_of_table];
pub(super) const STORE: &[Rule] = rules![store_over_store, store_of_select, store_same_as_const];

/// Reading looks through at most so many stores.
const MAX_STORES: usize = 512;
/// A table has at least so many entries that are written: of fewer, a solver needs no help.
const MIN_ENTRIES: usize = 16;
/// Runs of a table that are told apart.
const MAX_RUNS: usize = 12;

/// store(a, i, x)[i]  ==>  x,  store(a, i, x)[j]  ==>  a[j]      i, j visibly distinct
fn select_through_stores(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let (mut array, index) = (args[0], args[1]);
    for _ in 0..MAX_STORES {
        if t.op(array) != Op::Store {
            break;
        }
        let stored = t.arg(array, 1);
        if stored == index {
            return Some(t.arg(array, 2));
        }
        if !t.are_distinct(stored, index) {
            break;
        }
        array = t.arg(array, 0);
    }
    (array != args[0]).then(|| t.select(array, index))
}

/// const(x)[i]  ==>  x
fn select_const_array(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    matches!(t.op(args[0]), Op::ConstArray(_)).then(|| t.arg(args[0], 0))
}

/// store(store(a, i, x), i, y)  ==>  store(a, i, y)
fn store_over_store(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    if t.op(args[0]) != Op::Store || t.arg(args[0], 1) != args[1] {
        return None;
    }
    Some(t.store(t.arg(args[0], 0), args[1], args[2]))
}

/// store(a, i, a[i])  ==>  a
fn store_of_select(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    (t.binary(args[2], Op::Select) == Some((args[0], args[1]))).then(|| args[0])
}

/// store(const(x), i, x)  ==>  const(x)
fn store_same_as_const(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    (matches!(t.op(args[0]), Op::ConstArray(_)) && t.arg(args[0], 0) == args[2]).then(|| args[0])
}

/// table[i]  ==>  i < b ? i + c : i < d ? e : …      a table of literals that are `i + c` or the same from one bound to the next
///
/// Tables that classify or convert characters have few such runs, and a solver that sees comparisons need not look at all entries.
fn select_of_table(t: &mut Store, _: Op, args: &[Term]) -> Option<Term> {
    let (table, index) = (args[0], args[1]);
    if t.is_const(index) {
        return None;
    }
    let entries = table_entries(t, table)?;
    // An index of few bits that is made wider has no others.
    let narrow = match t.op(index) {
        Op::ZeroExtend(_) => t.arg(index, 0),
        _ => index,
    };
    let (from, to) = (t.width(narrow), t.width(entries.default));
    if from > 64 || to > 64 {
        return None;
    }
    let runs = table_runs(&entries, ones(from), ones(to))?;
    let number = t.resize(narrow, to, false);
    let mut value = None;
    for run in runs.iter().rev() {
        let here = match run.is_rising {
            true => {
                let offset = t.bv(run.value.wrapping_sub(run.start) & ones(to), to);
                t.add(number, offset)
            }
            false => t.bv(run.value, to),
        };
        value = match value {
            None => Some((run.start, here)),
            Some((bound, above)) => {
                let bound = t.bv(bound, from);
                let is_below = t.ult(narrow, bound);
                Some((run.start, t.ite(is_below, here, above)))
            }
        };
    }
    value.map(|(_, value)| value)
}

/// The largest number of so many bits, 64 at most.
fn ones(width: u32) -> u128 {
    (1 << width) - 1
}

/// What a table of literals holds: where it was written, and elsewhere.
struct Entries {
    written: BTreeMap<u128, u128>,
    otherwise: u128,
    default: Term,
}

fn table_entries(t: &Store, table: Term) -> Option<Entries> {
    let number = |term: Term| t.as_bv_const(term)?.to_u128();
    let mut written = BTreeMap::new();
    let mut array = table;
    for _ in 0..MAX_STORES {
        match t.op(array) {
            Op::Store => {
                // The last write counts, which is seen first.
                let (index, value) = (number(t.arg(array, 1))?, number(t.arg(array, 2))?);
                written.entry(index).or_insert(value);
                array = t.arg(array, 0);
            }
            Op::ConstArray(_) if written.len() >= MIN_ENTRIES => {
                let default = t.arg(array, 0);
                return number(default).map(|otherwise| Entries { written, otherwise, default });
            }
            _ => return None,
        }
    }
    None
}

/// Values from `start` on, to where the next run starts: all the same, or each one more than the one before.
struct Run {
    start: u128,
    value: u128,
    is_rising: bool,
    length: u128,
}

/// The runs of the indices up to `last`, if they are not many. Values are numbers up to `largest`.
fn table_runs(entries: &Entries, last: u128, largest: u128) -> Option<Vec<Run>> {
    let mut runs: Vec<Run> = Vec::new();
    let mut add = |start: u128, value: u128, length: u128| {
        let fits = runs.last_mut().filter(|run| {
            let risen = value == run.value.wrapping_add(run.length) & largest && length == 1;
            match (run.length, run.is_rising) {
                (1, _) => risen || value == run.value,
                (_, is_rising) => {
                    if is_rising {
                        risen
                    } else {
                        value == run.value
                    }
                }
            }
        });
        match fits {
            Some(run) => {
                run.is_rising |= run.length == 1 && value != run.value;
                run.length += length;
            }
            None => runs.push(Run { start, value, is_rising: false, length }),
        }
        runs.len() <= MAX_RUNS
    };
    let mut next = 0;
    for (&index, &value) in entries.written.range(..=last) {
        if index > next && !add(next, entries.otherwise, index - next) || !add(index, value, 1) {
            return None;
        }
        next = index + 1;
    }
    if next <= last && !add(next, entries.otherwise, last - next + 1) {
        return None;
    }
    Some(runs)
}
