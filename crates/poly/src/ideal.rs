//! Consequences of equalities: what is a combination of polynomials that are known to be zero.
//!
//! `Z/2^w` is no field, but its ideals are principal, and reduction works as usual with one addition (strong reduction):
//! a rule with leading term `c·m` removes `d·n` where `m` divides `n` and `c` has at most as many factors 2 as `d`.
//! Reduction to zero is a proof. Not reducing to zero means nothing: completion is cut off early.

use crate::limits::ideal::{MAX_PARTS, MAX_RULES};
use crate::{Atom, Monomial, Poly};
use term::Term;
use term::bits::inverse_of_odd;

/// A set of polynomials that are zero, used as rewrite rules from their leading terms to the rest.
#[derive(Clone, Debug)]
pub struct Ideal<A: Atom = Term> {
    width: u32,
    rules: Vec<Poly<A>>,
}

impl<A: Atom> Ideal<A> {
    pub fn new(width: u32) -> Ideal<A> {
        Ideal { width, rules: Vec::new() }
    }

    pub fn width(&self) -> u32 {
        self.width
    }

    pub fn rules(&self) -> &[Poly<A>] {
        &self.rules
    }

    /// What is left of `p` when no rule applies to any of its terms.
    pub fn reduce(&self, p: &Poly<A>) -> Poly<A> {
        let mut rest = p.clone();
        let mut done = Poly::zero(self.width);
        while let Some((m, d)) = rest.leading().map(|(m, d)| (m.clone(), d)) {
            let step = self.rules.iter().find_map(|rule| {
                let (lead, c) = rule.leading()?;
                if c.trailing_zeros() > d.trailing_zeros() {
                    return None;
                }
                Some((rule, m.divide(lead)?, quotient(self.signed(d), c)))
            });
            match step {
                Some((rule, by, factor)) if rest.len() < MAX_PARTS => {
                    rest.add_multiple(factor.wrapping_neg(), &by, rule);
                }
                _ => {
                    done.add_part(m.clone(), d);
                    rest.add_part(m, d.wrapping_neg());
                }
            }
        }
        done
    }

    /// A coefficient as the signed number it stands for: its quotients by powers of two then stay small, where those of
    /// the unsigned number would bring high bits that no rule removes.
    fn signed(&self, c: u128) -> i128 {
        ((c << (128 - self.width)) as i128) >> (128 - self.width)
    }

    /// Whether `p` is zero wherever the rules are. `false` means unknown.
    pub fn contains(&self, p: &Poly<A>) -> bool {
        self.reduce(p).is_zero()
    }

    /// Whether the rules exclude each other: a constant is zero.
    pub fn is_contradictory(&self) -> bool {
        self.rules.iter().any(|r| r.as_constant().is_some_and(|c| c != 0))
    }

    /// Adds that `p` is zero. Rules that the new one reduces are reduced.
    pub fn add(&mut self, p: &Poly<A>) {
        let mut pending = vec![p.clone()];
        let mut budget = 4 * MAX_RULES;
        while let Some(p) = pending.pop() {
            let mut p = self.reduce(&p);
            if p.is_zero() || p.len() > MAX_PARTS || budget == 0 || self.rules.len() >= MAX_RULES {
                continue;
            }
            budget -= 1;
            make_lead_power_of_two(&mut p);
            let (lead, c) = p.leading().map(|(m, c)| (m.clone(), c)).expect("it is not zero");
            // A rule whose lead the new one removes is taken out and comes back reduced.
            let (gone, kept): (Vec<Poly<A>>, Vec<Poly<A>>) =
                std::mem::take(&mut self.rules).into_iter().partition(|rule| {
                    rule.leading()
                        .is_some_and(|(m, d)| m.divide(&lead).is_some() && c.trailing_zeros() <= d.trailing_zeros())
                });
            self.rules = kept;
            pending.extend(gone);
            let at = self.rules.partition_point(|r| r.leading().map(|(m, _)| m) < Some(&lead));
            self.rules.insert(at, p);
        }
    }

    /// Adds consequences that cancel leading terms (Buchberger's S-polynomials), for so many pairs and up to a degree.
    pub fn complete(&mut self, mut pairs: usize, degree: u32) {
        let mut seen = 0;
        while seen < self.rules.len() {
            let before = self.rules.clone();
            for i in 0..seen {
                if pairs == 0 {
                    return;
                }
                let (Some(a), Some(b)) = (before.get(i), before.get(seen)) else { break };
                let (Some((ma, ca)), Some((mb, cb))) = (a.leading(), b.leading()) else { break };
                let lcm = ma.lcm(mb);
                if lcm.degree() > degree || lcm.degree() == ma.degree() + mb.degree() {
                    continue;
                }
                pairs -= 1;
                let top = ca.trailing_zeros().max(cb.trailing_zeros());
                if top > 126 {
                    continue;
                }
                let mut s = Poly::zero(self.width);
                let by = |m: &Monomial<A>| lcm.divide(m).expect("a common multiple");
                s.add_multiple(quotient(1i128 << top, ca), &by(ma), a);
                s.add_multiple(quotient(1i128 << top, cb).wrapping_neg(), &by(mb), b);
                let s = self.reduce(&s);
                if !s.is_zero() {
                    self.add(&s);
                }
            }
            // The list may have changed: start over when it did, pairs are bounded anyway.
            seen = if self.rules == before { seen + 1 } else { 0 };
        }
    }
}

/// `q` with `q·c = d` modulo any power of two; `c` has at most as many factors 2 as `d`.
fn quotient(d: i128, c: u128) -> u128 {
    let u = c.trailing_zeros();
    ((d >> u) as u128).wrapping_mul(inverse_of_odd(c >> u))
}

/// Multiplies by a unit so that the leading coefficient is a power of two.
fn make_lead_power_of_two<A: Atom>(p: &mut Poly<A>) {
    if let Some((_, c)) = p.leading() {
        *p = p.scale(inverse_of_odd(c >> c.trailing_zeros()));
    }
}
