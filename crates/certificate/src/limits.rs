//! What is read of a certificate, which may come from an enemy, and how much work it is to make one.

/// Refused beyond: nothing in a certificate makes its reader use more memory or time than these allow.
pub(crate) mod read {
    /// Bytes of a manifest.
    pub(crate) const MAX_MANIFEST: u64 = 16 << 20;

    /// Bytes of a compressed file.
    pub(crate) const MAX_FILE: u64 = 1 << 30;

    /// Bytes of a formula.
    pub(crate) const MAX_FORMULA: usize = 1 << 20;

    /// No number in a formula may make a term wider than this.
    pub(crate) const MAX_WIDTH: f64 = (1 << 20) as f64;

    /// Bounds of unwinding.
    pub(crate) const MAX_BOUND: u32 = 1 << 16;

    /// Decisions on the paths of an exploration.
    pub(crate) const MAX_DECISIONS: usize = 1 << 20;

    /// Conditions: more files than anybody looks at.
    pub(crate) const MAX_CONDITIONS: usize = 4096;

    /// Lemmas in a file.
    pub(crate) const MAX_LEMMAS: usize = 10_000;

    /// Bytes of such a file.
    pub(crate) const MAX_LEMMA_TEXT: u64 = 64 << 20;

    /// A product that would have more parts when it is multiplied out is not.
    pub(crate) const MAX_EXPANDED: usize = 400;

    /// Parts that are multiplied and kept for the polynomial of one term: the term may be written by an enemy.
    pub(crate) const MAX_WORK: usize = 1_000_000;
}

/// Given up beyond, where a certificate is made.
pub(crate) mod make {
    use std::time::Duration;

    /// Bytes of a proof.
    pub(crate) const MAX_PROOF: u64 = 1 << 30;

    /// Bytes of a certificate, compressed.
    pub(crate) const MAX_FILES: usize = 1 << 30;

    /// Conditions without products get so long before algebra is tried.
    pub(crate) const FIRST_MOMENT: Duration = Duration::from_secs(1);
}

/// The search for lemmas of algebra.
pub(crate) mod lemmas {
    /// Models that are looked at: each shows which lemmas are missing.
    pub(crate) const MAX_ROUNDS: usize = 200;

    /// Lemmas of one round: each makes the next question larger.
    pub(crate) const MAX_NEW: usize = 20;

    /// Parts of a polynomial.
    pub(crate) const MAX_PARTS: usize = 1_000;

    /// Pairs of rules that are combined: each may make further ones.
    pub(crate) const MAX_PAIRS: usize = 80;

    /// Proofs while looking are not kept: this many bytes are plenty.
    pub(crate) const MAX_KEPT: u64 = 1 << 28;

    /// Rules that come back reduced, and reduce others, for one that is added.
    pub(crate) const MAX_REDUCED: u32 = 400;
}
