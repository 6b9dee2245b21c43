//! Local value numbering: what straight code has computed stays known as long as its operands do not change, so that
//! `a[i]` and `a[i + 1]` on the edges of one chain share their addresses.
//!
//! Only results in temporaries are known, and no temporary is given out twice before everything is forgotten: operands
//! change only where a variable is written.

use super::code::{Instr, Reg};

/// So many temporaries of one chain are kept before everything is forgotten: frames stay small.
pub(super) const KEPT_WORDS: usize = 48;

#[derive(Default)]
pub(super) struct Numbering {
    /// Pure instructions, with 0 for their destination, and where their results are.
    known: Vec<(Instr, Reg)>,
}

/// What a pure instruction depends on.
enum Needs {
    Registers([Reg; 2]),
    Global(u32),
    ObjectTables(Reg),
}

impl Numbering {
    pub(super) fn get(&self, instr: Instr) -> Option<Reg> {
        self.known.iter().find(|(known, _)| *known == instr).map(|(_, reg)| *reg)
    }

    /// The instruction, with 0 for its destination, has left its result in `reg`.
    pub(super) fn add(&mut self, instr: Instr, reg: Reg) {
        if needs(&instr).is_some() {
            self.known.push((instr, reg));
        }
    }

    pub(super) fn forget_all(&mut self) {
        self.known.clear();
    }

    /// A variable's register gets another value.
    pub(super) fn forget_register(&mut self, written: Reg) {
        self.known.retain(|(instr, _)| match needs(instr) {
            Some(Needs::Registers(regs)) => !regs.contains(&written),
            Some(Needs::ObjectTables(reg)) => reg != written,
            _ => true,
        });
    }

    pub(super) fn forget_global(&mut self, written: u32) {
        self.known.retain(|(instr, _)| !matches!(needs(instr), Some(Needs::Global(global)) if global == written));
    }

    /// Objects begin or end.
    pub(super) fn forget_object_tables(&mut self) {
        self.known.retain(|(instr, _)| !matches!(needs(instr), Some(Needs::ObjectTables(_))));
    }
}

/// `None` for instructions that are not pure.
fn needs(instr: &Instr) -> Option<Needs> {
    Some(match *instr {
        Instr::GetGlobal(_, global) => Needs::Global(global),
        Instr::ObjectSize(_, a) | Instr::ObjectLive(_, a) => Needs::ObjectTables(a),
        Instr::Not(_, _, a)
        | Instr::Neg(_, _, a)
        | Instr::Extract { src: a, .. }
        | Instr::SignExtend { src: a, .. }
        | Instr::SignExtend32(_, a)
        | Instr::Convert(_, _, _, a) => Needs::Registers([a, a]),
        Instr::Add(_, _, a, b)
        | Instr::Add32(_, a, b)
        | Instr::Add64(_, a, b)
        | Instr::Sub(_, _, a, b)
        | Instr::Mul(_, _, a, b)
        | Instr::Udiv(_, _, a, b)
        | Instr::Urem(_, a, b)
        | Instr::Sdiv(_, _, a, b)
        | Instr::Srem(_, _, a, b)
        | Instr::Shl(_, _, a, b)
        | Instr::Lshr(_, _, a, b)
        | Instr::Ashr(_, _, a, b)
        | Instr::And(_, a, b)
        | Instr::Or(_, a, b)
        | Instr::Xor(_, a, b)
        | Instr::Concat(_, _, a, b)
        | Instr::Scale(_, _, _, a, b)
        | Instr::Scale32(_, _, a, b)
        | Instr::Eq(_, a, b)
        | Instr::Ult(_, a, b)
        | Instr::Ule(_, a, b)
        | Instr::Slt(_, _, a, b)
        | Instr::Sle(_, _, a, b)
        | Instr::Saddo(_, _, a, b)
        | Instr::Ssubo(_, _, a, b)
        | Instr::Umulo(_, _, a, b)
        | Instr::Smulo(_, _, a, b)
        | Instr::AddF64(_, a, b)
        | Instr::MulF64(_, a, b)
        | Instr::F64(_, _, a, b)
        | Instr::F32(_, _, a, b) => Needs::Registers([a, b]),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_forgotten_when_what_they_need_changes() {
        let (sum, global, live) = (Instr::Add32(0, 1, 2), Instr::GetGlobal(0, 2), Instr::ObjectLive(0, 5));
        let mut numbering = Numbering::default();
        for (instr, reg) in [(sum, 7), (global, 8), (live, 9)] {
            numbering.add(instr, reg);
            assert_eq!(numbering.get(instr), Some(reg));
        }
        numbering.forget_register(3);
        assert_eq!(numbering.get(sum), Some(7));
        numbering.forget_register(2);
        assert_eq!((numbering.get(sum), numbering.get(global), numbering.get(live)), (None, Some(8), Some(9)));
        numbering.forget_object_tables();
        assert_eq!((numbering.get(global), numbering.get(live)), (Some(8), None));
        numbering.forget_global(2);
        assert_eq!(numbering.get(global), None);
    }

    #[test]
    fn what_is_not_pure_is_never_known() {
        let mut numbering = Numbering::default();
        let impure = [Instr::MovIf(0, 1, 2), Instr::ArrayGet(0, 1, 2), Instr::Load(4, 0, 1), Instr::Slow(0)];
        for instr in impure {
            numbering.add(instr, 7);
            assert_eq!(numbering.get(instr), None);
        }
    }
}
