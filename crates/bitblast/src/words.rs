//! Arithmetic on words, lists of bits from the lowest on.

use crate::circuit::{Circuit, Lit};

pub(crate) fn sign(a: &[Lit]) -> Lit {
    *a.last().expect("words have bits")
}

pub(crate) fn zip(a: &[Lit], b: &[Lit], mut gate: impl FnMut(Lit, Lit) -> Lit) -> Vec<Lit> {
    a.iter().zip(b).map(|(a, b)| gate(*a, *b)).collect()
}

pub(crate) fn not(a: &[Lit]) -> Vec<Lit> {
    a.iter().map(|a| !*a).collect()
}

pub(crate) fn ite(c: &mut Circuit, condition: Lit, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    zip(a, b, |a, b| c.ite(condition, a, b))
}

pub(crate) fn extend(a: &[Lit], width: usize, with: Lit) -> Vec<Lit> {
    let mut wide = a.to_vec();
    wide.resize(width, with);
    wide
}

fn any(c: &mut Circuit, bits: &[Lit]) -> Lit {
    bits.iter().fold(Lit::FALSE, |found, bit| c.or(found, *bit))
}

pub(crate) fn eq(c: &mut Circuit, a: &[Lit], b: &[Lit]) -> Lit {
    a.iter().zip(b).fold(Lit::TRUE, |so_far, (a, b)| {
        let same = !c.xor(*a, *b);
        c.and(so_far, same)
    })
}

/// `a + b + carry`
pub(crate) fn add(c: &mut Circuit, a: &[Lit], b: &[Lit], mut carry: Lit) -> Vec<Lit> {
    zip(a, b, |a, b| {
        let half = c.xor(a, b);
        let sum = c.xor(half, carry);
        carry = c.majority(a, b, carry);
        sum
    })
}

/// `a - b`
fn sub(c: &mut Circuit, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    add(c, a, &not(b), Lit::TRUE)
}

pub(crate) fn neg(c: &mut Circuit, a: &[Lit]) -> Vec<Lit> {
    add(c, &vec![Lit::FALSE; a.len()], &not(a), Lit::TRUE)
}

/// `a` or `-a`
fn neg_if(c: &mut Circuit, condition: Lit, a: &[Lit]) -> Vec<Lit> {
    let negative = neg(c, a);
    ite(c, condition, &negative, a)
}

/// Shifting and adding. The factor with more constant bits says what is added.
pub(crate) fn mul(c: &mut Circuit, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let constants = |word: &[Lit]| word.iter().filter(|bit| bit.number().is_none()).count();
    let (a, b) = if constants(a) > constants(b) { (b, a) } else { (a, b) };
    let width = a.len();
    let mut product = vec![Lit::FALSE; width];
    for (shift, &bit) in b.iter().enumerate() {
        if bit == Lit::FALSE {
            continue;
        }
        let row: Vec<Lit> = a[..width - shift].iter().map(|a| c.and(*a, bit)).collect();
        let high = add(c, &product[shift..], &row, Lit::FALSE);
        product[shift..].copy_from_slice(&high);
    }
    product
}

/// Long division. By zero, all comparisons succeed: the quotient is all ones and the remainder is `a`, as SMT-LIB has it.
pub(crate) fn udivrem(c: &mut Circuit, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
    let width = a.len();
    let divisor = extend(b, width + 1, Lit::FALSE);
    let mut quotient = vec![Lit::FALSE; width];
    let mut rest = vec![Lit::FALSE; width];
    for i in (0..width).rev() {
        rest.insert(0, a[i]);
        let fits = !ult(c, &rest, &divisor);
        let less = sub(c, &rest, &divisor);
        rest = ite(c, fits, &less, &rest);
        // It is below the divisor, or as many bits as were taken in: the highest bit is zero.
        rest.pop();
        quotient[i] = fits;
    }
    (quotient, rest)
}

pub(crate) fn sdiv(c: &mut Circuit, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let (x, y) = (neg_if(c, sign(a), a), neg_if(c, sign(b), b));
    let quotient = udivrem(c, &x, &y).0;
    let differ = c.xor(sign(a), sign(b));
    neg_if(c, differ, &quotient)
}

/// The sign is that of the dividend.
pub(crate) fn srem(c: &mut Circuit, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let (x, y) = (neg_if(c, sign(a), a), neg_if(c, sign(b), b));
    let rest = udivrem(c, &x, &y).1;
    neg_if(c, sign(a), &rest)
}

/// In stages, one for each bit of the distance that matters.
pub(crate) fn shr(c: &mut Circuit, a: &[Lit], distance: &[Lit], fill: Lit) -> Vec<Lit> {
    let width = a.len();
    let mut shifted = a.to_vec();
    let mut stages = 0;
    while stages < distance.len() && (1usize << stages) < width {
        let step = 1 << stages;
        let moved = extend(&shifted[step..], width, fill);
        shifted = ite(c, distance[stages], &moved, &shifted);
        stages += 1;
    }
    let beyond = any(c, &distance[stages..]);
    ite(c, beyond, &vec![fill; width], &shifted)
}

pub(crate) fn shl(c: &mut Circuit, a: &[Lit], distance: &[Lit]) -> Vec<Lit> {
    let mirrored: Vec<Lit> = a.iter().rev().copied().collect();
    let mut shifted = shr(c, &mirrored, distance, Lit::FALSE);
    shifted.reverse();
    shifted
}

/// The highest bit that differs decides.
pub(crate) fn ult(c: &mut Circuit, a: &[Lit], b: &[Lit]) -> Lit {
    a.iter().zip(b).fold(Lit::FALSE, |below, (a, b)| {
        let differ = c.xor(*a, *b);
        c.ite(differ, *b, below)
    })
}

/// As unsigned numbers, once the signs are turned around.
pub(crate) fn slt(c: &mut Circuit, a: &[Lit], b: &[Lit]) -> Lit {
    let turned = |word: &[Lit]| {
        let mut word = word.to_vec();
        let sign = word.last_mut().expect("words have bits");
        *sign = !*sign;
        word
    };
    ult(c, &turned(a), &turned(b))
}

/// The summands have one sign and the sum has the other.
pub(crate) fn saddo(c: &mut Circuit, a: &[Lit], b: &[Lit]) -> Lit {
    let sum = add(c, a, b, Lit::FALSE);
    let (from_a, from_b) = (c.xor(sign(&sum), sign(a)), c.xor(sign(&sum), sign(b)));
    c.and(from_a, from_b)
}

/// The arguments have different signs and the difference that of the second.
pub(crate) fn ssubo(c: &mut Circuit, a: &[Lit], b: &[Lit]) -> Lit {
    let difference = sub(c, a, b);
    let (signs, from_a) = (c.xor(sign(a), sign(b)), c.xor(sign(&difference), sign(a)));
    c.and(signs, from_a)
}

/// The product in twice as many bits has some above.
pub(crate) fn umulo(c: &mut Circuit, a: &[Lit], b: &[Lit]) -> Lit {
    let width = a.len();
    let product = mul(c, &extend(a, 2 * width, Lit::FALSE), &extend(b, 2 * width, Lit::FALSE));
    any(c, &product[width..])
}

/// The product of the magnitudes is above that of the lowest number, or is it and not to be negative.
pub(crate) fn smulo(c: &mut Circuit, a: &[Lit], b: &[Lit]) -> Lit {
    let width = a.len();
    let (x, y) = (neg_if(c, sign(a), a), neg_if(c, sign(b), b));
    let product = mul(c, &extend(&x, 2 * width, Lit::FALSE), &extend(&y, 2 * width, Lit::FALSE));
    let negative = c.xor(sign(a), sign(b));
    let above = any(c, &product[width..]);
    let low = any(c, &product[..width - 1]);
    let too_low = c.or(low, !negative);
    let edge = c.and(product[width - 1], too_low);
    c.or(above, edge)
}
