//! Polynomials modulo `2^w`: sums of coefficients times products of indeterminates, which are numbers.

use std::collections::BTreeMap;
use std::fmt;

/// Coefficients have at most so many bits.
pub const MAX_WIDTH: u32 = 128;
/// No polynomial has more parts.
pub const MAX_PARTS: usize = 20_000;
/// No product has more factors.
pub const MAX_DEGREE: usize = 64;

/// A polynomial has more parts or factors than are allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

/// A polynomial. Products are lists of indeterminates in order, with repetition; no coefficient is zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Polynomial {
    width: u32,
    parts: BTreeMap<Vec<u32>, u128>,
}

impl Polynomial {
    /// The polynomial zero over numbers of `width` bits, at least 1 and at most [`MAX_WIDTH`].
    pub fn zero(width: u32) -> Polynomial {
        assert!((1..=MAX_WIDTH).contains(&width), "{width} bits");
        Polynomial { width, parts: BTreeMap::new() }
    }

    pub fn constant(width: u32, value: u128) -> Polynomial {
        let mut p = Polynomial::zero(width);
        p.add_part(Vec::new(), value);
        p
    }

    pub fn indeterminate(width: u32, number: u32) -> Polynomial {
        let mut p = Polynomial::zero(width);
        p.add_part(vec![number], 1);
        p
    }

    pub fn width(&self) -> u32 {
        self.width
    }

    pub fn is_zero(&self) -> bool {
        self.parts.is_empty()
    }

    /// Products and their coefficients, in order.
    pub fn parts(&self) -> impl DoubleEndedIterator<Item = (&[u32], u128)> + ExactSizeIterator {
        self.parts.iter().map(|(product, c)| (&product[..], *c))
    }

    /// Adds a coefficient to that of a product, whose factors are in order.
    fn add_part(&mut self, product: Vec<u32>, coefficient: u128) {
        let mask = u128::MAX >> (MAX_WIDTH - self.width);
        let sum = self.parts.get(&product).copied().unwrap_or(0).wrapping_add(coefficient) & mask;
        if sum == 0 {
            self.parts.remove(&product);
        } else {
            self.parts.insert(product, sum);
        }
    }

    /// Adds `p·q`. Both have the width of this one.
    pub fn add_product(&mut self, p: &Polynomial, q: &Polynomial) -> Result<(), TooLarge> {
        assert!(p.width == self.width && q.width == self.width, "numbers of one width");
        for (a, c) in &p.parts {
            for (b, d) in &q.parts {
                let mut product = [&a[..], &b[..]].concat();
                if product.len() > MAX_DEGREE {
                    return Err(TooLarge);
                }
                product.sort_unstable();
                self.add_part(product, c.wrapping_mul(*d));
                if self.parts.len() > MAX_PARTS {
                    return Err(TooLarge);
                }
            }
        }
        Ok(())
    }

    /// Reads what [`fmt::Display`] writes: parts with blanks between them, `0` for none. Products need not be in order.
    pub fn read(width: u32, text: &str) -> Result<Polynomial, &'static str> {
        let mut p = Polynomial::zero(width);
        for part in text.split_ascii_whitespace() {
            let mut factors = part.split('*');
            let digits = factors.next().unwrap_or_default();
            if digits.is_empty() || digits.len() > 39 || !digits.bytes().all(|b| b.is_ascii_digit()) {
                return Err("a coefficient is not a number");
            }
            let coefficient: u128 = digits.parse().map_err(|_| "a coefficient is too large")?;
            let mut product = Vec::new();
            for factor in factors {
                let number =
                    factor.strip_prefix('x').filter(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
                product.push(number.and_then(|n| n.parse().ok()).ok_or("a factor is not an indeterminate")?);
                if product.len() > MAX_DEGREE {
                    return Err("a product has too many factors");
                }
            }
            product.sort_unstable();
            p.add_part(product, coefficient);
            if p.parts.len() > MAX_PARTS {
                return Err("a polynomial has too many parts");
            }
        }
        Ok(p)
    }
}

impl fmt::Display for Polynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.parts.is_empty() {
            return f.write_str("0");
        }
        for (i, (product, coefficient)) in self.parts.iter().enumerate() {
            write!(f, "{}{coefficient}", if i > 0 { " " } else { "" })?;
            product.iter().try_for_each(|x| write!(f, "*x{x}"))?;
        }
        Ok(())
    }
}
