//! Every rewrite rule, on instances at widths 1 to 8 and some larger, compared by evaluation.

use crate::common;
use std::collections::BTreeMap;

use term::Store;
use term::random::Rng;
use term::rewrite::instances::{instances, rule_names};

#[test]
fn every_rule_preserves_values() {
    let mut fired: BTreeMap<&str, usize> = BTreeMap::new();
    let mut rng = Rng::new(7);
    let mut failures = Vec::new();
    for width in [1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 64, 100, 130] {
        let mut store = Store::new();
        for instance in instances(&mut store, u64::from(width), width, 20) {
            *fired.entry(instance.rule).or_default() += 1;
            assert_eq!(store.sort(instance.before), store.sort(instance.after), "{} changes the sort", instance.rule);
            if let Some(text) = common::difference(&store, instance.before, instance.after, 150, &mut rng) {
                failures.push(format!("rule {} at width {width}:\n{text}", instance.rule));
            }
        }
    }
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures[..failures.len().min(5)].join("\n"));
    let silent: Vec<&str> =
        rule_names().into_iter().filter(|name| fired.get(name).copied().unwrap_or(0) < 20).collect();
    assert!(silent.is_empty(), "rules hardly tested: {silent:?}");
}

#[test]
fn differences_are_seen() {
    let mut store = Store::new();
    let x = store.var("x", term::Sort::Bv(8));
    let (one, limit) = (store.bv(1, 8), store.bv(200, 8));
    let next = store.add(x, one);
    let (a, b) = (store.ult(x, limit), store.ult(next, limit));
    let mut rng = Rng::new(1);
    assert!(common::difference(&store, a, b, 300, &mut rng).is_some());
    assert!(common::difference(&store, a, a, 300, &mut rng).is_none());
}
