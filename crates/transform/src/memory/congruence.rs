//! Sets of numbers `r + m·ℤ`: what is known of an integer, or of a pointer's offset in its object.
//!
//! The numbers are values of bit-vectors read as signed. Every power of two that divides `m` holds for the bits
//! themselves, however they are read; other factors hold only as long as no operation wraps around, so an operation that
//! may wrap keeps the power of two alone ([`Congruence::wrapped`]).

/// `m = 0` is the single number `r`; `m = 1` all numbers; otherwise `0 <= r < m`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Congruence {
    pub(super) r: i64,
    pub(super) m: u64,
}

pub(super) fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Congruence {
    pub(super) const ANY: Congruence = Congruence { r: 0, m: 1 };

    pub(super) fn exact(r: i64) -> Congruence {
        Congruence { r, m: 0 }
    }

    pub(super) fn new(r: i128, m: u128) -> Congruence {
        if m == 0 {
            return i64::try_from(r).map_or(Congruence::ANY, Congruence::exact);
        }
        // A modulus beyond 62 bits says nothing useful: its power of two is enough.
        let m = if m >> 62 != 0 { (m & m.wrapping_neg()).min(1 << 62) } else { m };
        Congruence { r: r.rem_euclid(m as i128) as i64, m: m as u64 }
    }

    pub(super) fn is_exact(self) -> bool {
        self.m == 0
    }

    pub(super) fn as_exact(self) -> Option<i64> {
        self.is_exact().then_some(self.r)
    }

    /// The least set that contains both.
    pub(super) fn join(self, other: Congruence) -> Congruence {
        let difference = self.r.abs_diff(other.r);
        Congruence::new(self.r as i128, gcd(gcd(self.m, other.m), difference) as u128)
    }

    /// The numbers known only modulo `m`.
    pub(super) fn modulo(self, m: u64) -> Congruence {
        Congruence::new(self.r as i128, gcd(self.m, m) as u128)
    }

    pub(super) fn add(self, other: Congruence) -> Congruence {
        Congruence::new(self.r as i128 + other.r as i128, gcd(self.m, other.m) as u128)
    }

    pub(super) fn neg(self) -> Congruence {
        Congruence::new(-(self.r as i128), self.m as u128)
    }

    pub(super) fn mul(self, other: Congruence) -> Congruence {
        let (r, s) = (self.r as i128, other.r as i128);
        let product = |a: u64, b: u128| (a as u128).checked_mul(b);
        let moduli =
            (product(self.m, s.unsigned_abs()), product(other.m, r.unsigned_abs()), product(self.m, other.m as u128));
        match (r.checked_mul(s), moduli) {
            (Some(r), (Some(a), Some(b), Some(c))) => Congruence::new(r, gcd128(gcd128(a, b), c)),
            _ => Congruence::ANY,
        }
    }

    /// What is left when the value was computed modulo `2^width` and may have wrapped.
    pub(super) fn wrapped(self, width: u32) -> Congruence {
        if width > 64 {
            return Congruence::ANY;
        }
        match self.as_exact() {
            Some(r) => Congruence::exact(sign_extended(r, width)),
            None => {
                let two = (self.m & self.m.wrapping_neg()) as u128;
                Congruence::new(self.r as i128, two.min(1 << width))
            }
        }
    }

    /// Bits `lo` and up.
    pub(super) fn shifted_right(self, lo: u32) -> Congruence {
        let two = self.m & self.m.wrapping_neg();
        match two.checked_shr(lo) {
            Some(m) if m > 1 => Congruence::new((self.r >> lo) as i128, m as u128),
            _ => Congruence::ANY,
        }
    }
}

fn gcd128(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The low `width` bits of `r`, read as signed.
pub(super) fn sign_extended(r: i64, width: u32) -> i64 {
    if width >= 64 {
        return r;
    }
    let shift = 64 - width;
    (r << shift) >> shift
}
