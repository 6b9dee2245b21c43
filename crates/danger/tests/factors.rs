//! Factors of rankings that are sums of two numbers.

#[path = "../src/limits.rs"]
#[allow(dead_code)] // What only the engine uses.
mod limits;
#[path = "../src/measures.rs"]
#[allow(dead_code)]
mod measures;

use measures::decreasing;

/// The steps of McCarthy's function: (-1, -10) and (1, 11).
#[test]
fn both_steps_take_something() {
    let (a, b) = decreasing((-1, -10), (1, 11)).expect("factors");
    assert_eq!((a, b), (21, -2));
    assert_eq!(decreasing((1, 2), (2, 4)), None);
}
