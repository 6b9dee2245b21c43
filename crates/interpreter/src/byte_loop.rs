//! Loops over bytes, many iterations at once.
//!
//! What the C library does to strings are loops whose iterations read and write single bytes one further than the last iteration
//! did (`while ((*to = *from) != 0) { to++; from++; }`). [`Instr::Bytes`](super::code::Instr) stands at the head of such a loop, by
//! its shape and whoever wrote it, and executes iterations that certainly are complete: every access is inside of its object, every
//! test goes on, no byte is read that an earlier iteration wrote. Whatever is left (the last iteration, an access that is invalid,
//! overlapping strings, a limit on steps) is the business of the loop's own code, which follows. So nothing can be seen of it
//! but time. Which loops these are is found by `byte_paths.rs`.

use super::code::Reg;
use super::exec::Run;
use super::value::mask;

/// So many different bytes are read in an iteration at most.
pub(super) const LOADS: usize = 4;
/// So many tests on them are made.
pub(super) const TESTS: usize = 6;

/// One way through a loop, from its head to its head.
#[derive(Clone, Debug)]
pub(crate) struct ByteLoop {
    /// Edges of an iteration.
    pub(super) edges: u64,
    /// What has to hold for the next iteration, but for bytes.
    pub(super) bounds: Vec<Bound>,
    /// Addresses of the bytes that are read in the first iteration; in the next they are one further.
    pub(super) loads: Vec<Sum>,
    pub(super) store: Option<Store>,
    /// What has to hold of bytes for the next iteration.
    pub(super) tests: Vec<Test>,
    /// Registers that each iteration changes by one, with their widths.
    pub(super) counters: Vec<(Reg, u8, Step)>,
    /// Registers that hold a byte that the last iteration read.
    pub(super) kept: Vec<(Reg, usize)>,
}

/// A sum of registers and a constant, of a width.
#[derive(Clone, Debug)]
pub(crate) struct Sum {
    pub(super) regs: Vec<Reg>,
    pub(super) constant: u64,
    pub(super) width: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    Up,
    Down,
}

/// A comparison of two sums, as they are in the first iteration.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub(super) left: Sum,
    pub(super) right: Sum,
    pub(super) relation: Relation,
    /// Where the left one goes, seen from the right one; `None` if neither changes.
    pub(super) moves: Option<Step>,
}

/// How two sums compare. Of the last two, the left one goes up to the right one, if it moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Relation {
    /// Of sums that do not change.
    Equal,
    Differ,
    Less,
    LessOrEqual,
}

#[derive(Clone, Debug)]
pub(crate) struct Store {
    pub(super) address: Sum,
    pub(super) value: Operand,
    /// So many of the loads come before it.
    pub(super) loads_before: usize,
}

#[derive(Clone, Debug)]
pub(crate) enum Operand {
    /// What a load reads.
    Byte(usize),
    /// The same in all iterations.
    Fixed(Sum),
}

/// Whether a byte is, or is not, another.
#[derive(Clone, Debug)]
pub(crate) struct Test {
    pub(super) byte: usize,
    pub(super) other: Operand,
    pub(super) is_equal: bool,
}

impl Sum {
    fn value(&self, words: &[u64]) -> u64 {
        let sum = self.regs.iter().fold(self.constant, |sum, reg| sum.wrapping_add(words[*reg as usize]));
        sum & mask(self.width)
    }
}

impl Bound {
    /// How many iterations it surely allows.
    fn iterations(&self, words: &[u64]) -> u64 {
        let (left, right) = (self.left.value(words), self.right.value(words));
        let holds = match self.relation {
            Relation::Equal => left == right,
            Relation::Differ => left != right,
            Relation::Less => left < right,
            Relation::LessOrEqual => left <= right,
        };
        match (holds, self.relation, self.moves) {
            (false, ..) => 0,
            (true, _, None) => u64::MAX,
            (true, Relation::Differ, Some(Step::Down)) => left.wrapping_sub(right) & mask(self.left.width),
            (true, Relation::LessOrEqual, _) => (right - left).saturating_add(1),
            (true, ..) => right.wrapping_sub(left) & mask(self.left.width),
        }
    }
}

impl Run<'_> {
    /// Executes iterations of a loop of at most so many edges, maybe none; says how many edges that were.
    #[inline(never)]
    pub(super) fn byte_loop(&mut self, index: u32, edges: u64) -> u64 {
        let code = &self.machine.code.byte_loops[index as usize];
        let words = &self.words[self.word_base..];
        let allowed = code.bounds.iter().map(|bound| bound.iterations(words)).min();
        // Not fewer than half of what a division, which takes longer than a short string, would allow.
        let counted = edges >> (u64::BITS - (code.edges - 1).leading_zeros());
        let most = allowed.unwrap_or(u64::MAX).min(counted);
        if most == 0 {
            return 0;
        }

        let mut most = usize::try_from(most).unwrap_or(usize::MAX);
        let mut bytes: [&[u8]; LOADS] = [&[]; LOADS];
        for (place, address) in bytes.iter_mut().zip(&code.loads) {
            *place = self.memory.rest(address.value(words));
            most = most.min(place.len());
        }
        if let Some(store) = &code.store {
            let address = store.address.value(words);
            most = most.min(self.memory.rest(address).len());
            for (i, load) in code.loads.iter().enumerate() {
                let read = load.value(words);
                let is_same_object = self.memory.split(read).0 == self.memory.split(address).0;
                match address.checked_sub(read).filter(|_| is_same_object) {
                    // It reads what was written in the same iteration.
                    Some(0) if i >= store.loads_before => return 0,
                    Some(distance @ 1..) => most = most.min(distance as usize),
                    _ => {}
                }
            }
        }
        let count = complete(&code.tests, &bytes, most, words);
        if count == 0 {
            return 0;
        }

        let kept = code.kept.first().map(|_| bytes.map(|bytes| bytes.get(count - 1).copied().unwrap_or(0)));
        if let Some(store) = &code.store {
            let address = store.address.value(words);
            let written = match &store.value {
                Operand::Byte(load) => self.memory.copy(address, code.loads[*load].value(words), count as u64),
                Operand::Fixed(sum) => self.memory.fill(address, sum.value(words) as u8, count as u64),
            };
            debug_assert_eq!(written, Ok(()), "inside of the objects");
        }
        for (reg, width, step) in &code.counters {
            let word = &mut self.words[self.word_base + *reg as usize];
            *word = match step {
                Step::Up => word.wrapping_add(count as u64),
                Step::Down => word.wrapping_sub(count as u64),
            } & mask(*width);
        }
        for (reg, load) in &code.kept {
            self.words[self.word_base + *reg as usize] = kept.map_or(0, |kept| kept[*load] as u64);
        }
        count as u64 * code.edges
    }
}

/// In how many of the first iterations all tests go on. They are made block by block: one may fail early where another would have
/// to look at much.
fn complete(tests: &[Test], bytes: &[&[u8]; LOADS], most: usize, words: &[u64]) -> usize {
    if tests.is_empty() {
        return most;
    }
    let mut fixed = [0; TESTS];
    for (place, test) in fixed.iter_mut().zip(tests) {
        if let Operand::Fixed(sum) = &test.other {
            *place = sum.value(words) as u8;
        }
    }
    let (mut start, mut block) = (0, 64);
    while start < most {
        let end = most.min(start + block);
        let mut good = end;
        for (test, fixed) in tests.iter().zip(fixed) {
            let looked_at = &bytes[test.byte][start..good];
            good = start
                + match (&test.other, test.is_equal) {
                    (Operand::Fixed(_), true) => prefix(looked_at, |byte| byte == fixed),
                    (Operand::Fixed(_), false) => prefix(looked_at, |byte| byte != fixed),
                    (Operand::Byte(other), true) => {
                        common_prefix(looked_at, &bytes[*other][start..good], |a, b| a == b)
                    }
                    (Operand::Byte(other), false) => {
                        common_prefix(looked_at, &bytes[*other][start..good], |a, b| a != b)
                    }
                };
        }
        if good < end {
            return good;
        }
        (start, block) = (end, (2 * block).min(1 << 14));
    }
    most
}

/// So many bytes are compared at once: the compiler makes vector instructions of it.
const VECTOR: usize = 32;

/// How many of the first bytes satisfy a predicate.
#[inline(always)]
fn prefix(bytes: &[u8], holds: impl Fn(u8) -> bool) -> usize {
    let (vectors, _) = bytes.as_chunks::<VECTOR>();
    let good = vectors.iter().take_while(|vector| vector.iter().fold(true, |all, byte| all & holds(*byte))).count();
    let start = good * VECTOR;
    start + bytes[start..].iter().take_while(|byte| holds(**byte)).count()
}

/// How many of the first pairs of bytes satisfy a predicate.
#[inline(always)]
fn common_prefix(left: &[u8], right: &[u8], holds: impl Fn(u8, u8) -> bool) -> usize {
    let (left_vectors, _) = left.as_chunks::<VECTOR>();
    let (right_vectors, _) = right.as_chunks::<VECTOR>();
    let vectors = left_vectors.iter().zip(right_vectors);
    let good = vectors.take_while(|(a, b)| a.iter().zip(*b).fold(true, |all, (a, b)| all & holds(*a, *b))).count();
    let start = good * VECTOR;
    start + left[start..].iter().zip(&right[start..]).take_while(|(a, b)| holds(**a, **b)).count()
}
