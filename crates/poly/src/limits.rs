//! How large polynomials and ideals may become: completion makes exponentially large ones of small ones.

/// Intervals of terms.
pub(crate) mod bounds {
    /// Terms are looked into so deep: it is asked often, and has to be quick.
    pub(crate) const MAX_DEPTH: u32 = 12;
}

/// Systems of equations.
pub(crate) mod equations {
    /// Polynomials with more parts are given up.
    pub(crate) const MAX_PARTS: usize = 400;

    /// So are those of a higher degree.
    pub(crate) const MAX_DEGREE: u32 = 64;

    /// Differences of multiples that are tried as further rules: each may make further ones.
    pub(crate) const MAX_COMBINATIONS: usize = 12;
}

/// Ideals.
pub(crate) mod ideal {
    /// Larger polynomials are not reduced further.
    pub(crate) const MAX_PARTS: usize = 2000;

    /// More rules are not added: each is compared with all others.
    pub(crate) const MAX_RULES: usize = 120;
}

/// Terms as polynomials.
pub(crate) mod normal {
    /// Products that would have more parts are not multiplied out.
    pub(crate) const MAX_PARTS: usize = 400;

    /// Nor are those of a higher degree.
    pub(crate) const MAX_DEGREE: u32 = 40;
}

/// Relations in data.
pub(crate) mod relations {
    /// Coefficients beyond this are an accident of too little data.
    pub(crate) const MAX_COEFFICIENT: i128 = 1 << 20;
}
