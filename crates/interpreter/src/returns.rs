//! Ends of functions: what is assigned last is assigned to the result, and the way to the return is not taken in steps.
//!
//! A function's code ends in few places, to which jumps lead, mostly by `t := a + b`, `result := t`. Where a jump leads to a
//! return, the return takes its place; where the last value is only passed on, it is computed where it has to be. Nothing else can
//! see the difference: variables of an activation end with it.

use super::code::{Code, Instr, Reg};
use rustc_hash::FxHashSet;

impl Code {
    /// Improves the code from `start` on, which is a function's.
    pub(super) fn shorten_returns(&mut self, start: usize) {
        let code = &mut self.instrs[start..];
        for pc in 1..code.len() {
            if let (Instr::Mov(to, from), Instr::Return(n)) = (code[pc - 1], code[pc]) {
                code[pc - 1] = Instr::MovReturn(n, to, from);
            }
        }
        for pc in 0..code.len() {
            let Instr::Jump(n, to) = code[pc] else { continue };
            let merged = match code[to as usize - start] {
                Instr::Return(more) => n.checked_add(more).map(Instr::Return),
                Instr::MovReturn(more, to, from) => n.checked_add(more).map(|n| Instr::MovReturn(n, to, from)),
                _ => None,
            };
            code[pc] = merged.unwrap_or(code[pc]);
        }
        let targets: FxHashSet<u32> = code.iter_mut().filter_map(|instr| instr.target().copied()).collect();
        for pc in (1..code.len()).rev() {
            let Instr::MovReturn(n, to, from) = code[pc] else { continue };
            // Others come here from elsewhere, with the value where it was.
            if targets.contains(&((start + pc) as u32)) {
                continue;
            }
            let last = &mut code[pc - 1];
            if let Instr::Mov(between, first) = *last
                && between == from
            {
                *last = Instr::MovReturn(n, to, first);
            } else if let Some(dst) = last.computed()
                && *dst == from
            {
                *dst = to;
                code[pc] = Instr::Return(n);
            }
        }
    }
}

impl Instr {
    /// Where an instruction that reads words, or memory, and does nothing else leaves its result.
    fn computed(&mut self) -> Option<&mut Reg> {
        match self {
            Instr::GetGlobal(dst, _)
            | Instr::Not(_, dst, _)
            | Instr::Neg(_, dst, _)
            | Instr::Add(_, dst, ..)
            | Instr::Add32(dst, ..)
            | Instr::Add64(dst, ..)
            | Instr::Sub(_, dst, ..)
            | Instr::Mul(_, dst, ..)
            | Instr::And(dst, ..)
            | Instr::Or(dst, ..)
            | Instr::Xor(dst, ..)
            | Instr::Extract { dst, .. }
            | Instr::SignExtend { dst, .. }
            | Instr::SignExtend32(dst, _)
            | Instr::Eq(dst, ..)
            | Instr::Ult(dst, ..)
            | Instr::Slt(_, dst, ..)
            | Instr::Load1(_, dst, _)
            | Instr::Load4(_, dst, _)
            | Instr::Load8(_, dst, _)
            | Instr::Load1Scale(_, _, dst, ..)
            | Instr::Load4Scale(_, _, dst, ..)
            | Instr::Load8Scale(_, _, dst, ..)
            | Instr::Load1Scale32(_, _, dst, ..)
            | Instr::Load4Scale32(_, _, dst, ..)
            | Instr::Load8Scale32(_, _, dst, ..) => Some(dst),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shortened(instrs: &[Instr]) -> Vec<Instr> {
        let mut code = Code { instrs: instrs.to_vec(), ..Code::default() };
        code.shorten_returns(0);
        code.instrs
    }

    #[test]
    fn a_result_is_computed_in_its_place() {
        let code = shortened(&[Instr::Add32(2, 3, 4), Instr::Mov(0, 2), Instr::Return(5)]);
        assert_eq!(code[..2], [Instr::Add32(0, 3, 4), Instr::Return(5)]);
        let code = shortened(&[Instr::Mov(2, 3), Instr::Mov(0, 2), Instr::Return(5)]);
        assert_eq!(code[0], Instr::MovReturn(5, 0, 3));
    }

    #[test]
    fn a_value_that_others_bring_stays_where_it_is() {
        let branch = Instr::BranchEq(1, 5, 6, 2);
        let code = shortened(&[branch, Instr::Add32(2, 3, 4), Instr::Mov(0, 2), Instr::Return(5)]);
        assert_eq!(code[..3], [branch, Instr::Add32(2, 3, 4), Instr::MovReturn(5, 0, 2)]);
        // A store has no result, and a value of another register is none of its own.
        let store = Instr::Store4(0, 2, 3);
        for before in [store, Instr::Add32(7, 3, 4)] {
            let code = shortened(&[before, Instr::Mov(0, 2), Instr::Return(5)]);
            assert_eq!(code[..2], [before, Instr::MovReturn(5, 0, 2)]);
        }
    }

    #[test]
    fn jumps_to_returns_count_both_steps() {
        let code =
            shortened(&[Instr::Jump(2, 2), Instr::Stop(0, base::Id::new(0), base::Id::new(0)), Instr::Return(3)]);
        assert_eq!(code[0], Instr::Return(5));
        let many = Instr::Jump(u16::MAX, 1);
        assert_eq!(shortened(&[many, Instr::Return(1)])[0], many);
    }
}
