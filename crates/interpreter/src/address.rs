//! Addresses of loads and stores: sums are taken apart, so that `a[i].m` is one access with base, scaled index and offset.

use super::code::{Index, Instr, Reg};
use super::compile::{Builder, Unsupported};
use term::{Op, Sort, Term};

/// `base + scale * index + offset`, modulo the width of pointers.
struct Address {
    base: Reg,
    index: Option<Index>,
    offset: u16,
}

/// `base + scale * index`; `narrow`: the low 32 bits of the index are meant, sign-extended to 64.
#[derive(Clone, Copy)]
pub(super) struct Scaled {
    width: u8,
    pub(super) base: Term,
    pub(super) index: Term,
    scale: u16,
    narrow: bool,
}

impl Scaled {
    pub(super) fn instr(self, dst: Reg, base: Reg, index: Reg) -> Instr {
        match self.narrow {
            true => Instr::Scale32(self.scale, dst, base, index),
            false => Instr::Scale(self.width, self.scale, dst, base, index),
        }
    }
}

impl Builder<'_> {
    pub(super) fn load(&mut self, bytes: u8, address: Term, dst: Reg) -> Result<(), Unsupported> {
        if !matches!(bytes, 1 | 4 | 8) {
            let address = self.word(address)?;
            self.emit(Instr::Load(bytes, dst, address));
            return Ok(());
        }
        let Address { base, index, offset } = self.address(address)?;
        let instr = match (index, bytes) {
            (None, 1) => Instr::Load1(offset, dst, base),
            (None, 4) => Instr::Load4(offset, dst, base),
            (None, _) => Instr::Load8(offset, dst, base),
            (Some(Index { reg, scale, narrow }), bytes) => {
                let offset = offset as u8;
                match (bytes, narrow) {
                    (1, false) => Instr::Load1Scale(offset, scale, dst, base, reg),
                    (4, false) => Instr::Load4Scale(offset, scale, dst, base, reg),
                    (_, false) => Instr::Load8Scale(offset, scale, dst, base, reg),
                    (1, true) => Instr::Load1Scale32(offset, scale, dst, base, reg),
                    (4, true) => Instr::Load4Scale32(offset, scale, dst, base, reg),
                    (_, true) => Instr::Load8Scale32(offset, scale, dst, base, reg),
                }
            }
        };
        self.emit(instr);
        Ok(())
    }

    pub(super) fn store(&mut self, bytes: u8, address: Term, value: Reg) -> Result<(), Unsupported> {
        if !matches!(bytes, 1 | 4 | 8) {
            let address = self.word(address)?;
            self.emit(Instr::Store(bytes, address, value));
            return Ok(());
        }
        let Address { base, index, offset } = self.address(address)?;
        let instr = match (index, bytes) {
            (None, 1) => Instr::Store1(offset, base, value),
            (None, 4) => Instr::Store4(offset, base, value),
            (None, _) => Instr::Store8(offset, base, value),
            (Some(Index { reg, scale, narrow }), bytes) => {
                let offset = offset as u8;
                match (bytes, narrow) {
                    (1, false) => Instr::Store1Scale(offset, scale, base, reg, value),
                    (4, false) => Instr::Store4Scale(offset, scale, base, reg, value),
                    (_, false) => Instr::Store8Scale(offset, scale, base, reg, value),
                    (1, true) => Instr::Store1Scale32(offset, scale, base, reg, value),
                    (4, true) => Instr::Store4Scale32(offset, scale, base, reg, value),
                    (_, true) => Instr::Store8Scale32(offset, scale, base, reg, value),
                }
            }
        };
        self.emit(instr);
        Ok(())
    }

    /// `base + scale * index`, where a pointer is computed that way: `&a[i]`. Both are terms whose registers are known.
    pub(super) fn scaled(&self, t: Term) -> Option<Scaled> {
        let terms = &self.program.terms;
        let (Op::BvAdd, &[a, b], Sort::Bv(width @ ..=64)) = (terms.op(t), terms.args(t), terms.sort(t)) else {
            return None;
        };
        let (base, (index, scale)) = match (self.product(b), self.product(a)) {
            (Some(product), _) => (a, product),
            (None, Some(product)) => (b, product),
            _ => return None,
        };
        let (index, narrow) = self.narrowed(index);
        Some(Scaled { width: width as u8, base, index, scale, narrow })
    }

    /// Takes the sum apart: its constants, its products with constants and the rest.
    fn address(&mut self, t: Term) -> Result<Address, Unsupported> {
        let terms = &self.program.terms;
        let width = terms.width(t) as u8;
        let mut offset = 0u64;
        let (mut plain, mut scaled): (Vec<Term>, Vec<(Term, u16, bool)>) = (Vec::new(), Vec::new());
        let mut work = vec![t];
        while let Some(t) = work.pop() {
            if terms.op(t) == Op::BvAdd {
                work.extend(terms.args(t).iter().rev());
            } else if let Some(constant) = self.small_constant(t) {
                offset = offset.wrapping_add(constant);
            } else if let Some((index, scale)) = self.product(t) {
                let (index, narrow) = self.narrowed(index);
                scaled.push((index, scale, narrow));
            } else {
                match self.narrowed(t) {
                    (index, true) => scaled.push((index, 1, true)),
                    _ => plain.push(t),
                }
            }
        }
        offset &= super::value::mask(width);
        // The largest step first: the rows of a matrix before its columns.
        scaled.sort_by_key(|(_, scale, _)| std::cmp::Reverse(*scale));
        let mut index = match scaled.pop() {
            Some((t, scale, narrow)) => Some(Index { reg: self.word(t)?, scale, narrow }),
            None => None,
        };
        let mut plain = plain.into_iter();
        let mut base = match plain.next() {
            Some(t) => self.word(t)?,
            None => self.const_word(std::mem::take(&mut offset)),
        };
        for t in plain {
            let reg = self.word(t)?;
            match index {
                None => index = Some(Index { reg, scale: 1, narrow: false }),
                Some(_) => base = self.numbered(|dst| sum(width, dst, base, reg)),
            }
        }
        for (t, scale, narrow) in scaled {
            let reg = self.word(t)?;
            base = self.numbered(|dst| match narrow {
                true => Instr::Scale32(scale, dst, base, reg),
                false => Instr::Scale(width, scale, dst, base, reg),
            });
        }
        let fits = offset <= if index.is_some() { u8::MAX as u64 } else { u16::MAX as u64 };
        if !fits {
            let constant = self.const_word(std::mem::take(&mut offset));
            base = self.numbered(|dst| sum(width, dst, base, constant));
        }
        Ok(Address { base, index, offset: offset as u16 })
    }

    fn small_constant(&self, t: Term) -> Option<u64> {
        self.program.terms.as_bv_const(t)?.to_u64()
    }

    /// A product with a small constant.
    fn product(&self, t: Term) -> Option<(Term, u16)> {
        let terms = &self.program.terms;
        let (Op::BvMul, &[a, b]) = (terms.op(t), terms.args(t)) else { return None };
        let (factor, constant) = match self.small_constant(b) {
            Some(constant) => (a, constant),
            None => (b, self.small_constant(a)?),
        };
        Some((factor, u16::try_from(constant).ok()?))
    }

    /// `x`, and true, for an `x` of 32 bits that is sign-extended to 64.
    fn narrowed(&self, t: Term) -> (Term, bool) {
        let terms = &self.program.terms;
        match (terms.op(t), terms.args(t)) {
            (Op::SignExtend(32), &[x]) if terms.sort(x) == Sort::Bv(32) => (x, true),
            _ => (t, false),
        }
    }
}

pub(super) fn sum(width: u8, dst: Reg, a: Reg, b: Reg) -> Instr {
    match width {
        32 => Instr::Add32(dst, a, b),
        64 => Instr::Add64(dst, a, b),
        _ => Instr::Add(width, dst, a, b),
    }
}
