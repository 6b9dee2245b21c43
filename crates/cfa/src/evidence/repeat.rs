//! Inputs that are given many times over: a run through a loop of a million iterations is written down in a line.

use std::collections::BTreeMap;

/// `len` inputs from number `from` on are given `times` times in a row. In a list, outer repetitions come before those inside
/// them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Repeat {
    pub from: usize,
    pub len: usize,
    pub times: u64,
}

/// The inputs with all repetitions written out.
pub fn write_out<T: Clone>(inputs: &[T], repeats: &[Repeat]) -> Vec<T> {
    let mut out = Vec::new();
    for (part, times) in parts(inputs, repeats, 0, inputs.len()) {
        match part {
            Part::Once(item) => out.push(item.clone()),
            Part::Again { from, to, inner } => {
                let inner: Vec<Repeat> = inner.iter().map(|r| Repeat { from: r.from - from, ..*r }).collect();
                let once = write_out(&inputs[from..to], &inner);
                (0..times).for_each(|_| out.extend_from_slice(&once));
            }
        }
    }
    out
}

/// Values in order, equal neighbours together: each value with how often it comes.
pub type Runs<V> = Vec<(V, u64)>;

/// Sequences that do not repeat a single value are written out up to so many entries.
const LONGEST: usize = 1 << 20;

/// The sequence of values for each key, as runs.
pub fn runs<T, K: Ord + Clone, V: Clone + PartialEq>(
    inputs: &[T],
    repeats: &[Repeat],
    entry: &impl Fn(&T) -> Option<(K, V)>,
) -> BTreeMap<K, Runs<V>> {
    let mut out: BTreeMap<K, Runs<V>> = BTreeMap::new();
    for (part, times) in parts(inputs, repeats, 0, inputs.len()) {
        match part {
            Part::Once(item) => {
                if let Some((key, value)) = entry(item) {
                    append(out.entry(key).or_default(), value, 1);
                }
            }
            Part::Again { from, to, inner } => {
                let inner: Vec<Repeat> = inner.iter().map(|r| Repeat { from: r.from - from, ..*r }).collect();
                for (key, once) in runs(&inputs[from..to], &inner, entry) {
                    let all = out.entry(key).or_default();
                    if let [(value, count)] = &once[..] {
                        append(all, value.clone(), count.saturating_mul(times));
                        continue;
                    }
                    for _ in 0..times {
                        if all.len() > LONGEST {
                            break;
                        }
                        once.iter().for_each(|(value, count)| append(all, value.clone(), *count));
                    }
                }
            }
        }
    }
    out
}

fn append<V: PartialEq>(runs: &mut Runs<V>, value: V, times: u64) {
    match runs.last_mut() {
        Some((last, count)) if *last == value => *count = count.saturating_add(times),
        _ => runs.push((value, times)),
    }
}

enum Part<'a, T> {
    Once(&'a T),
    Again { from: usize, to: usize, inner: &'a [Repeat] },
}

/// The inputs `at .. end` in order: single ones, and outermost repetitions with how often.
fn parts<'a, T>(inputs: &'a [T], repeats: &'a [Repeat], mut at: usize, end: usize) -> Vec<(Part<'a, T>, u64)> {
    let mut out = Vec::new();
    let mut rest = repeats;
    while let Some((first, later)) = rest.split_first() {
        rest = later;
        if first.len == 0 || first.from < at {
            continue;
        }
        let to = first.from + first.len;
        out.extend(inputs[at..first.from].iter().map(|item| (Part::Once(item), 1)));
        let inside = later.iter().take_while(|r| r.from + r.len <= to && r.from < to).count();
        out.push((Part::Again { from: first.from, to, inner: &later[..inside] }, first.times));
        at = to;
    }
    out.extend(inputs[at..end].iter().map(|item| (Part::Once(item), 1)));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn repeat(from: usize, len: usize, times: u64) -> Repeat {
        Repeat { from, len, times }
    }

    #[test]
    fn repetitions_are_written_out() {
        assert_eq!(write_out(&[1, 2, 3], &[]), [1, 2, 3]);
        assert_eq!(write_out(&[1, 2, 3], &[repeat(1, 1, 3)]), [1, 2, 2, 2, 3]);
        assert_eq!(write_out(&[1, 2, 3], &[repeat(0, 2, 2), repeat(1, 1, 3)]), [1, 2, 2, 2, 1, 2, 2, 2, 3]);
        assert_eq!(write_out(&[1, 2], &[repeat(0, 0, 9), repeat(0, 1, 2), repeat(1, 1, 2)]), [1, 1, 2, 2]);
    }

    #[test]
    fn runs_stay_short() {
        let entry = |(key, value): &(char, u32)| Some((*key, *value));
        let inputs = [('a', 1), ('a', 2), ('b', 7), ('a', 2)];
        let all = runs(&inputs, &[repeat(1, 2, 1_000_000_000)], &entry);
        assert_eq!(all[&'a'], [(1, 1), (2, 1_000_000_001)]);
        assert_eq!(all[&'b'], [(7, 1_000_000_000)]);
        let nested = runs(&inputs, &[repeat(0, 4, 3), repeat(1, 2, 5)], &entry);
        assert_eq!(nested[&'b'], [(7, 15)]);
        assert_eq!(nested[&'a'], [(1, 1), (2, 6), (1, 1), (2, 6), (1, 1), (2, 6)]);
    }
}
