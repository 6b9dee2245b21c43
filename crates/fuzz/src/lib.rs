//! Hunting wrong answers.
//!
//! [`generate`] writes small random C programs with few inputs, [`truth`] runs each on all of them in the interpreter,
//! [`compiled`] does so by the machine's C compiler, and [`hunt`] asks every engine. Whoever disagrees, and an engine whose answer
//! fails its check, is a bug of ours; the program is made smaller before it is shown.

pub mod compiled;
pub mod generate;
pub mod hunt;
pub mod shrink;
pub mod truth;

/// A small deterministic generator of numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        // Neighbouring seeds should not give similar programs.
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1);
        for _ in 0..4 {
            random.below(2);
        }
        random
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T {
        items[self.below(items.len())]
    }
}
