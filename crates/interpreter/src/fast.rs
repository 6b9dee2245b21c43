//! The instructions that programs spend their time in: words, memory, branches, calls.
//!
//! Whatever else there is (inputs, printing, invalid accesses, limits) ends this loop, with nothing done, and is the business
//! of `exec.rs`. So it has few variables, which stay in registers of the machine: the code from the next instruction on (not its
//! number: fetching is then one comparison and one addition), the words of the activation, how many steps are left. Activations are
//! as long as registers have names ([`WINDOW`]), so that no register needs a check; entering and leaving functions is part of the
//! loop, for where an activation starts is what everything after it waits for.

use super::code::*;
use super::exec::Run;
use super::value::{Heavy, mask, signed};

impl Run<'_> {
    /// Executes from an instruction on up to one that needs more, and says which. `TRACED`: loads do, for what they read is
    /// noted.
    #[inline(never)]
    pub(super) fn fast<const TRACED: bool>(&mut self, pc: usize) -> usize {
        let code = &self.machine.code;
        let instrs = code.instrs.as_slice();
        let address_mask = self.memory.address_mask();
        // Fewer steps than these may be counted here.
        let all = self.check as i64 - self.steps as i64;
        let mut left = all;
        let mut is_over = false;
        // The activation at hand: where its words start, and how many calls led to it.
        let (mut base, mut depth) = (self.word_base, self.depth);
        macro_rules! window {
            () => {
                self.words[base..].first_chunk_mut::<WINDOW>().expect("room for more")
            };
        }
        // Where the words of activations may end.
        let mut room = self.words.len() - WINDOW;
        let mut regs = window!();
        // From the next instruction on.
        let mut rest = &instrs[pc..];

        macro_rules! reg {
            ($r:expr) => {
                regs[$r as usize]
            };
        }
        // Counts steps at a control transfer, which is not made when limits have to be looked at.
        macro_rules! count {
            ($n:expr) => {{
                left -= $n as i64;
                if left <= 0 {
                    is_over = true;
                    break;
                }
            }};
        }
        macro_rules! branch {
            ($n:expr, $holds:expr, $to:expr) => {{
                count!($n);
                if !$holds {
                    rest = &instrs[$to as usize..];
                }
            }};
        }
        macro_rules! load {
            ($bytes:literal, $d:expr, $address:expr) => {
                match self.memory.read::<$bytes>($address & address_mask) {
                    Some(word) if !TRACED => reg!($d) = word,
                    _ => break,
                }
            };
        }
        macro_rules! store {
            ($bytes:literal, $address:expr, $value:expr) => {
                if self.memory.write::<$bytes>($address & address_mask, $value).is_none() {
                    break;
                }
            };
        }
        macro_rules! cell {
            ($cell:expr) => {
                match $cell & GLOBAL_CELL {
                    0 => &mut self.cells[self.cell_base + $cell as usize],
                    _ => &mut self.global_cells[($cell & !GLOBAL_CELL) as usize],
                }
            };
        }
        // `base + scale * index + offset`
        macro_rules! scaled {
            ($offset:expr, $scale:expr, $base:expr, $index:expr) => {
                reg!($base).wrapping_add(($index).wrapping_mul($scale as u64)).wrapping_add($offset as u64)
            };
        }
        macro_rules! narrow {
            ($index:expr) => {
                reg!($index) as i32 as u64
            };
        }

        macro_rules! leave {
            () => {{
                depth -= 1;
                self.kept_sites = self.kept_sites.min(depth);
                let back = self.calls[depth];
                let middle = base;
                base -= back.caller_frame as usize;
                regs = window!();
                // Where there is no result, a word to itself.
                reg!(back.result.1) = reg!(back.result.0);
                if back.is_heavy {
                    self.word_base = middle;
                    self.leave_cells(back.call, base);
                    regs = window!();
                }
                rest = &instrs[back.to as usize..];
            }};
        }

        while let Some((instr, behind)) = rest.split_first() {
            rest = behind;
            match *instr {
                Instr::Mov(d, a) => reg!(d) = reg!(a),
                Instr::GetGlobal(d, g) => reg!(d) = self.globals[g as usize],
                Instr::SetGlobal(g, a) => self.globals[g as usize] = reg!(a),
                Instr::AddGlobal32(g, a) => {
                    let word = &mut self.globals[g as usize];
                    *word = (*word as u32).wrapping_add(reg!(a) as u32) as u64;
                }
                Instr::MovIf(d, c, a) => {
                    if reg!(c) != 0 {
                        reg!(d) = reg!(a);
                    }
                }

                Instr::Not(w, d, a) => reg!(d) = !reg!(a) & mask(w),
                Instr::Neg(w, d, a) => reg!(d) = reg!(a).wrapping_neg() & mask(w),
                Instr::Add(w, d, a, b) => reg!(d) = reg!(a).wrapping_add(reg!(b)) & mask(w),
                Instr::Add32(d, a, b) => reg!(d) = (reg!(a) as u32).wrapping_add(reg!(b) as u32) as u64,
                Instr::Add64(d, a, b) => reg!(d) = reg!(a).wrapping_add(reg!(b)),
                Instr::Sub(w, d, a, b) => reg!(d) = reg!(a).wrapping_sub(reg!(b)) & mask(w),
                Instr::Mul(w, d, a, b) => reg!(d) = reg!(a).wrapping_mul(reg!(b)) & mask(w),
                Instr::Udiv(w, d, a, b) => reg!(d) = reg!(a).checked_div(reg!(b)).unwrap_or(mask(w)),
                Instr::Urem(d, a, b) => reg!(d) = reg!(a).checked_rem(reg!(b)).unwrap_or(reg!(a)),
                Instr::Sdiv(w, d, a, b) => reg!(d) = sdiv(signed(reg!(a), w), signed(reg!(b), w)) & mask(w),
                Instr::Srem(w, d, a, b) => reg!(d) = srem(signed(reg!(a), w), signed(reg!(b), w)) & mask(w),
                Instr::Shl(w, d, a, b) => {
                    let n = reg!(b);
                    reg!(d) = if n < w as u64 { reg!(a) << n & mask(w) } else { 0 };
                }
                Instr::Lshr(w, d, a, b) => {
                    let n = reg!(b);
                    reg!(d) = if n < w as u64 { reg!(a) >> n } else { 0 };
                }
                Instr::Ashr(w, d, a, b) => {
                    let n = reg!(b).min(w as u64 - 1);
                    reg!(d) = (signed(reg!(a), w) >> n) as u64 & mask(w);
                }
                Instr::And(d, a, b) => reg!(d) = reg!(a) & reg!(b),
                Instr::Or(d, a, b) => reg!(d) = reg!(a) | reg!(b),
                Instr::Xor(d, a, b) => reg!(d) = reg!(a) ^ reg!(b),
                Instr::Concat(w, d, a, b) => reg!(d) = reg!(a) << w | reg!(b),
                Instr::Extract { lo, width, dst, src } => reg!(dst) = reg!(src) >> lo & mask(width),
                Instr::SignExtend { from, to, dst, src } => reg!(dst) = signed(reg!(src), from) as u64 & mask(to),
                Instr::SignExtend32(d, a) => reg!(d) = narrow!(a),
                Instr::Scale(w, scale, d, a, i) => reg!(d) = scaled!(0, scale, a, reg!(i)) & mask(w),
                Instr::Scale32(scale, d, a, i) => reg!(d) = scaled!(0, scale, a, narrow!(i)),
                Instr::Eq(d, a, b) => reg!(d) = (reg!(a) == reg!(b)) as u64,
                Instr::Ult(d, a, b) => reg!(d) = (reg!(a) < reg!(b)) as u64,
                Instr::Ule(d, a, b) => reg!(d) = (reg!(a) <= reg!(b)) as u64,
                Instr::Slt(w, d, a, b) => reg!(d) = (signed(reg!(a), w) < signed(reg!(b), w)) as u64,
                Instr::Sle(w, d, a, b) => reg!(d) = (signed(reg!(a), w) <= signed(reg!(b), w)) as u64,
                Instr::Saddo(w, d, a, b) => {
                    let sum = signed(reg!(a), w) as i128 + signed(reg!(b), w) as i128;
                    reg!(d) = !fits_signed(sum, w) as u64;
                }
                Instr::Ssubo(w, d, a, b) => {
                    let difference = signed(reg!(a), w) as i128 - signed(reg!(b), w) as i128;
                    reg!(d) = !fits_signed(difference, w) as u64;
                }
                Instr::Umulo(w, d, a, b) => {
                    let product = reg!(a) as u128 * reg!(b) as u128;
                    reg!(d) = (product > mask(w) as u128) as u64;
                }
                Instr::Smulo(w, d, a, b) => {
                    let product = signed(reg!(a), w) as i128 * signed(reg!(b), w) as i128;
                    reg!(d) = !fits_signed(product, w) as u64;
                }

                Instr::AddF64(d, a, b) => reg!(d) = super::float::double(FloatOp::Add, reg!(a), reg!(b)),
                Instr::MulF64(d, a, b) => reg!(d) = super::float::double(FloatOp::Mul, reg!(a), reg!(b)),
                Instr::F64(op, d, a, b) => reg!(d) = super::float::double(op, reg!(a), reg!(b)),
                Instr::F32(op, d, a, b) => reg!(d) = super::float::single(op, reg!(a), reg!(b)),
                Instr::Convert(conversion, w, d, a) => reg!(d) = super::float::convert(conversion, w, reg!(a)),

                Instr::ArrayGet(d, cell, i) => {
                    let index = reg!(i);
                    let Heavy::Words(array) = cell!(cell) else { unreachable!("an array of words") };
                    reg!(d) = array.get(index);
                }
                Instr::ArraySet(cell, i, e) => {
                    let (index, elem) = (reg!(i), reg!(e));
                    let Heavy::Words(array) = cell!(cell) else { unreachable!("an array of words") };
                    array.set(index, elem);
                }

                Instr::ObjectSize(d, a) => reg!(d) = self.memory.size(reg!(a)),
                Instr::ObjectLive(d, a) => reg!(d) = self.memory.live(reg!(a)) as u64,
                Instr::Load(bytes, d, a) => match self.memory.load(reg!(a), bytes as u64) {
                    Ok(word) if !TRACED => reg!(d) = word,
                    _ => break,
                },
                Instr::Store(bytes, a, v) => {
                    if self.memory.store(reg!(a), bytes as u64, reg!(v)).is_err() {
                        break;
                    }
                }
                Instr::Load1(offset, d, a) => load!(1, d, reg!(a).wrapping_add(offset as u64)),
                Instr::Load4(offset, d, a) => load!(4, d, reg!(a).wrapping_add(offset as u64)),
                Instr::Load8(offset, d, a) => load!(8, d, reg!(a).wrapping_add(offset as u64)),
                Instr::Store1(offset, a, v) => store!(1, reg!(a).wrapping_add(offset as u64), reg!(v)),
                Instr::Store4(offset, a, v) => store!(4, reg!(a).wrapping_add(offset as u64), reg!(v)),
                Instr::Store8(offset, a, v) => store!(8, reg!(a).wrapping_add(offset as u64), reg!(v)),
                Instr::Load1Scale(offset, scale, d, a, i) => load!(1, d, scaled!(offset, scale, a, reg!(i))),
                Instr::Load4Scale(offset, scale, d, a, i) => load!(4, d, scaled!(offset, scale, a, reg!(i))),
                Instr::Load8Scale(offset, scale, d, a, i) => load!(8, d, scaled!(offset, scale, a, reg!(i))),
                Instr::Load1Scale32(offset, scale, d, a, i) => load!(1, d, scaled!(offset, scale, a, narrow!(i))),
                Instr::Load4Scale32(offset, scale, d, a, i) => load!(4, d, scaled!(offset, scale, a, narrow!(i))),
                Instr::Load8Scale32(offset, scale, d, a, i) => load!(8, d, scaled!(offset, scale, a, narrow!(i))),
                Instr::Store1Scale(offset, scale, a, i, v) => {
                    store!(1, scaled!(offset, scale, a, reg!(i)), reg!(v));
                }
                Instr::Store4Scale(offset, scale, a, i, v) => {
                    store!(4, scaled!(offset, scale, a, reg!(i)), reg!(v));
                }
                Instr::Store8Scale(offset, scale, a, i, v) => {
                    store!(8, scaled!(offset, scale, a, reg!(i)), reg!(v));
                }
                Instr::Store1Scale32(offset, scale, a, i, v) => {
                    store!(1, scaled!(offset, scale, a, narrow!(i)), reg!(v));
                }
                Instr::Store4Scale32(offset, scale, a, i, v) => {
                    store!(4, scaled!(offset, scale, a, narrow!(i)), reg!(v));
                }
                Instr::Store8Scale32(offset, scale, a, i, v) => {
                    store!(8, scaled!(offset, scale, a, narrow!(i)), reg!(v));
                }

                Instr::Jump(n, to) => {
                    count!(n);
                    rest = &instrs[to as usize..];
                }
                Instr::Branch(n, c, to) => branch!(n, reg!(c) != 0, to),
                Instr::BranchEq(n, a, b, to) => branch!(n, reg!(a) == reg!(b), to),
                Instr::BranchNe(n, a, b, to) => branch!(n, reg!(a) != reg!(b), to),
                Instr::BranchUlt(n, a, b, to) => branch!(n, reg!(a) < reg!(b), to),
                Instr::BranchUle(n, a, b, to) => branch!(n, reg!(a) <= reg!(b), to),
                Instr::BranchSlt(w, n, a, b, to) => branch!(n, signed(reg!(a), w) < signed(reg!(b), w), to),
                Instr::BranchSle(w, n, a, b, to) => branch!(n, signed(reg!(a), w) <= signed(reg!(b), w), to),
                Instr::BranchSlt32(n, a, b, to) => branch!(n, (reg!(a) as i32) < reg!(b) as i32, to),
                Instr::BranchSle32(n, a, b, to) => branch!(n, reg!(a) as i32 <= reg!(b) as i32, to),
                Instr::Call(n, index) => {
                    count!(n);
                    let call = &code.calls[index as usize];
                    let middle = base + call.back.caller_frame as usize;
                    let top = middle + call.frame as usize;
                    let is_plain = depth < self.calls.len() && top <= room && !call.needs_more;
                    if !is_plain {
                        (self.word_base, self.depth) = (base, depth);
                        if !self.prepare(index) {
                            left += n as i64;
                            break;
                        }
                        room = self.words.len() - WINDOW;
                        regs = window!();
                    }
                    let words = &self.frames[call.words.0 as usize..call.words.1 as usize];
                    let (new, _) = regs[call.back.caller_frame as usize..].as_chunks_mut::<GROUP>();
                    for (to, from) in new.iter_mut().zip(words.as_chunks::<GROUP>().0) {
                        *to = *from;
                    }
                    for (from, to) in &code.arguments[call.arguments.0 as usize..call.arguments.1 as usize] {
                        reg!(*to) = reg!(*from);
                    }
                    self.calls[depth] = call.back;
                    depth += 1;
                    base = middle;
                    regs = window!();
                    rest = &instrs[call.entry as usize..];
                }
                Instr::Return(n) => {
                    count!(n);
                    leave!();
                }
                Instr::MovReturn(n, d, a) => {
                    count!(n);
                    reg!(d) = reg!(a);
                    leave!();
                }
                Instr::Bytes(index) => {
                    if !TRACED {
                        self.word_base = base;
                        left -= self.byte_loop(index, (left - 1).max(0) as u64) as i64;
                        regs = window!();
                    }
                }
                Instr::Uninitialised(d, _) if self.is_blank => reg!(d) = 0,
                Instr::Alloc { heap, dst, size, .. } if self.makes_blank => {
                    let Ok(number) = self.memory.alloc(reg!(size), heap) else { break };
                    reg!(dst) = self.memory.address(number);
                }
                Instr::End { freed, addr, .. } => {
                    let address = reg!(addr);
                    let is_plain = !freed || address != 0 && self.memory.may_be_freed(address);
                    if !is_plain || self.memory.end(address).is_err() {
                        break;
                    }
                }
                Instr::Copy { dst, src, len, .. } => {
                    if self.memory.copy(reg!(dst), reg!(src), reg!(len)).is_err() {
                        break;
                    }
                }
                Instr::Uninitialised(..)
                | Instr::Alloc { .. }
                | Instr::Slow(_)
                | Instr::Action(_)
                | Instr::Choose(..)
                | Instr::Stop(..)
                | Instr::AtEdge(..)
                | Instr::AtLoc(..) => break,
            }
        }
        (self.word_base, self.depth) = (base, depth);
        let pc = instrs.len() - rest.len() - 1;
        if is_over {
            // What is not made is not counted. (Told from the instruction, the loop need not keep what was left before.)
            left += instrs[pc].edges().map_or(0, i64::from);
        }
        self.steps += (all - left) as u64;
        pc
    }
}

fn fits_signed(x: i128, width: u8) -> bool {
    let half = 1i128 << (width - 1);
    -half <= x && x < half
}

/// SMT-LIB's signed division on sign-extended numbers: by zero, 1 for negative dividends and -1 otherwise.
#[inline]
fn sdiv(a: i64, b: i64) -> u64 {
    match b {
        0 if a < 0 => 1,
        0 => u64::MAX,
        _ => a.wrapping_div(b) as u64,
    }
}

#[inline]
fn srem(a: i64, b: i64) -> u64 {
    if b == 0 { a as u64 } else { a.wrapping_rem(b) as u64 }
}
