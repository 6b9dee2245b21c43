//! Executing code: the instruction loop.
//!
//! Word instructions are done here; everything rare is delegated to `effects.rs`.

use super::code::*;
use super::pointers::Pointers;
use super::value::{Heavy, from_word, mask, signed, to_word};
use super::world::World;
use super::{
    Ending, Given, Inputs, Limit, Limits, Machine, Outcome, Output, Recorded, Start, State, Undefined, Watcher,
};
use base::Id;
use cfa::{Edge, Func, Loc, LocKind, Var};
use std::sync::atomic::Ordering;
use term::{Op as TermOp, Sort, Value, semantics};

/// Clock and cancellation are looked at once in so many steps.
const CHECK_EVERY: u64 = 1 << 18;

/// One activation below the current one.
#[derive(Clone, Copy, Debug)]
struct Return {
    pc: usize,
    words: usize,
    word_top: usize,
    cells: usize,
    call: u32,
}

/// A run in progress.
pub(super) struct Run<'r> {
    pub(super) machine: &'r Machine<'r>,
    pub(super) inputs: &'r mut dyn Inputs,
    pub(super) limits: &'r Limits,
    pub(super) out: &'r mut dyn Output,
    /// The register files of all activations, one behind another, and room for more. While instructions are executed it is
    /// theirs, see [`Run::run`].
    pub(super) words: Vec<u64>,
    pub(super) cells: Vec<Heavy>,
    pub(super) globals: Vec<u64>,
    pub(super) global_cells: Vec<Heavy>,
    /// Where the current activation's registers start.
    pub(super) word_base: usize,
    pub(super) cell_base: usize,
    /// Where its words end.
    pub(super) word_top: usize,
    returns: Vec<Return>,
    pub(super) stack: Vec<(Func, Edge)>,
    pub(super) memory: super::memory::Memory,
    initial: Vec<(Var, Value)>,
    pub(super) recorded: Vec<Recorded>,
    pub(super) undefined: Vec<Undefined>,
    pub(super) environment: Vec<(u64, Vec<u8>)>,
    /// Where pointers came from, if that is of interest.
    pub(super) pointers: Option<Pointers>,
    /// What the outside knows, where anything gets there.
    pub(super) world: Option<World>,
    /// The first instruction.
    start: usize,
}

impl<'r> Run<'r> {
    pub(super) fn new(
        machine: &'r Machine<'r>,
        inputs: &'r mut dyn Inputs,
        limits: &'r Limits,
        out: &'r mut dyn Output,
    ) -> Run<'r> {
        let mut run = Run::empty(machine, inputs, limits, out);
        let program = machine.program;
        run.make_environment();
        if program.is_flat() {
            for (v, info) in program.vars.iter() {
                if let Some(place) = machine.code.homes[v.index()] {
                    let value = run.inputs.initial(v, info.sort);
                    if limits.record {
                        run.initial.push((v, value.clone()));
                    }
                    run.write(place, value);
                }
            }
        }
        run
    }

    /// In the middle of a flat program, with these words in variables, and zero in all others.
    pub(super) fn resumed(
        machine: &'r Machine<'r>,
        start: &Start<'_>,
        inputs: &'r mut dyn Inputs,
        limits: &'r Limits,
        out: &'r mut dyn Output,
    ) -> Run<'r> {
        let mut run = Run::empty(machine, inputs, limits, out);
        run.start = *machine.code.watched.get(&start.location).expect("a watched location") as usize;
        for (v, word) in start.variables.iter().zip(start.words) {
            match machine.code.homes[v.index()] {
                Some(Place::Word(reg)) => run.set_word(reg, *word),
                Some(Place::GlobalWord(global)) => run.globals[global as usize] = *word,
                other => unreachable!("not a word: {other:?}"),
            }
        }
        run
    }

    fn empty(
        machine: &'r Machine<'r>,
        inputs: &'r mut dyn Inputs,
        limits: &'r Limits,
        out: &'r mut dyn Output,
    ) -> Run<'r> {
        let code = &machine.code;
        let program = machine.program;
        let entry = &code.functions[program.entry.index()];
        Run {
            machine,
            inputs,
            limits,
            out,
            words: entry.words.clone(),
            cells: entry.cells.clone(),
            globals: vec![0; code.global_words],
            global_cells: code.global_cells.clone(),
            word_base: 0,
            cell_base: 0,
            word_top: entry.words.len(),
            returns: Vec::new(),
            stack: Vec::new(),
            memory: super::memory::Memory::new(program.machine, limits.memory),
            initial: Vec::new(),
            recorded: Vec::new(),
            undefined: Vec::new(),
            environment: Vec::new(),
            pointers: (limits.environment > 0).then(|| Pointers::new(program)),
            world: World::new(program),
            start: entry.entry as usize,
        }
    }

    // Places

    pub(super) fn cell(&self, cell: Cell) -> &Heavy {
        match cell & GLOBAL_CELL {
            0 => &self.cells[self.cell_base + cell as usize],
            _ => &self.global_cells[(cell & !GLOBAL_CELL) as usize],
        }
    }

    pub(super) fn cell_mut(&mut self, cell: Cell) -> &mut Heavy {
        match cell & GLOBAL_CELL {
            0 => &mut self.cells[self.cell_base + cell as usize],
            _ => &mut self.global_cells[(cell & !GLOBAL_CELL) as usize],
        }
    }

    pub(super) fn word(&self, reg: Reg) -> u64 {
        self.words[self.word_base + reg as usize]
    }

    pub(super) fn set_word(&mut self, reg: Reg, word: u64) {
        self.words[self.word_base + reg as usize] = word;
    }

    pub(super) fn read(&self, place: Place, sort: Sort) -> Value {
        match place {
            Place::Word(reg) => from_word(self.word(reg), sort),
            Place::GlobalWord(global) => from_word(self.globals[global as usize], sort),
            Place::Heavy(cell) => self.cell(cell).to_value(),
        }
    }

    pub(super) fn write(&mut self, place: Place, value: Value) {
        match place {
            Place::Word(reg) => self.set_word(reg, to_word(&value)),
            Place::GlobalWord(global) => self.globals[global as usize] = to_word(&value),
            Place::Heavy(cell) => *self.cell_mut(cell) = Heavy::from_value(value),
        }
    }

    fn state(&self, steps: u64) -> State<'_> {
        State {
            machine: self.machine,
            words: &self.words[self.word_base..self.word_top],
            cells: &self.cells[self.cell_base..],
            globals: &self.globals,
            global_cells: &self.global_cells,
            memory: &self.memory,
            stack: &self.stack,
            steps,
        }
    }

    /// The next point at which steps, clock and cancellation must be looked at.
    fn next_check(&self, steps: u64) -> u64 {
        self.limits.steps.min(steps.saturating_add(CHECK_EVERY))
    }

    fn exceeded(&self, steps: u64) -> Option<Limit> {
        if steps >= self.limits.steps {
            return Some(Limit::Steps);
        }
        if self.limits.cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(Limit::Cancelled);
        }
        let late = self.limits.deadline.is_some_and(|deadline| deadline.is_over());
        late.then_some(Limit::Time)
    }

    fn finish(self, ending: Ending, at: (Func, Loc), steps: u64) -> Outcome {
        let program = self.machine.program;
        // The entry function's activation is the bottom one.
        let exit_code = program.main().result.and_then(|v| {
            let sort = program.vars[v].sort;
            match self.machine.code.homes[v.index()]? {
                Place::Word(reg) => Some(from_word(self.words[reg as usize], sort)),
                Place::GlobalWord(global) => Some(from_word(self.globals[global as usize], sort)),
                Place::Heavy(cell) if cell & GLOBAL_CELL == 0 => Some(self.cells[cell as usize].to_value()),
                Place::Heavy(cell) => Some(self.cell(cell).to_value()),
            }
        });
        Outcome {
            ending,
            location: at,
            call_path: self.stack,
            steps,
            exit_code,
            inputs: self.recorded,
            repeats: Vec::new(),
            initial: self.initial,
            environment: self.environment,
            undefined: self.undefined,
            reused_object_numbers: self.memory.reused_numbers,
        }
    }

    fn ending_at(&self, func: Func, loc: Loc) -> Ending {
        let function = &self.machine.program.functions[func];
        match &function.locs[loc].kind {
            LocKind::Error(violation) => Ending::Error(violation.clone()),
            LocKind::Unsupported(what) => Ending::Unsupported(what.clone()),
            LocKind::BoundHit(what) => Ending::BoundHit(what.clone()),
            LocKind::End(kind) => Ending::End(*kind),
            LocKind::Plain if func == self.machine.program.entry && loc == function.exit => {
                Ending::End(cfa::EndKind::Return)
            }
            LocKind::Plain => Ending::Stuck,
        }
    }

    pub(super) fn here(&self, pc: usize) -> (Func, Edge) {
        self.machine.code.edge_at(pc).unwrap_or((self.machine.program.entry, Edge::new(0)))
    }

    fn source_of(&self, (func, edge): (Func, Edge)) -> (Func, Loc) {
        (func, self.machine.program.functions[func].edges[edge].from)
    }

    pub(super) fn run(mut self, mut watcher: Option<&mut dyn Watcher>) -> Outcome {
        let machine = self.machine;
        let code = &machine.code;
        let instrs = code.instrs.as_slice();
        let mut pc = self.start;
        let mut steps = 0u64;
        let mut check = self.next_check(0);
        let address_mask = mask(machine.program.machine.pointer_bits() as u8);
        let traces_pointers = self.pointers.is_some();
        // Registers are taken out of `self`, so that the compiler keeps track of them without looking there.
        let mut words = std::mem::take(&mut self.words);
        let mut regs = &mut words[self.word_base..self.word_top];

        macro_rules! reg {
            ($r:expr) => {
                regs[$r as usize]
            };
        }
        // Gives the registers back for what needs all of `self`.
        macro_rules! outside {
            ($does:expr) => {{
                self.words = words;
                let result = $does;
                words = std::mem::take(&mut self.words);
                regs = &mut words[self.word_base..self.word_top];
                result
            }};
        }
        macro_rules! finish {
            ($ending:expr, $at:expr) => {{
                self.words = words;
                return self.finish($ending, $at, steps);
            }};
        }
        macro_rules! count {
            ($n:expr) => {
                steps += $n as u64;
                if steps >= check {
                    if let Some(limit) = self.exceeded(steps) {
                        let at = self.source_of(self.here(pc - 1));
                        finish!(Ending::Limit(limit), at);
                    }
                    check = self.next_check(steps);
                }
            };
        }
        macro_rules! load {
            ($bytes:literal, $d:expr, $address:expr) => {{
                let address = $address & address_mask;
                match self.memory.read::<$bytes>(address) {
                    Some(word) => {
                        if traces_pointers {
                            self.note_loaded(pc - 1, address, word);
                        }
                        reg!($d) = word;
                    }
                    None => reg!($d) = outside!(self.invalid_load(pc - 1, address, $bytes)),
                }
            }};
        }
        macro_rules! store {
            ($bytes:literal, $address:expr, $value:expr) => {{
                let address = $address & address_mask;
                if self.memory.write::<$bytes>(address, $value).is_none() {
                    self.note_access(self.here(pc - 1), self.memory.fault(address), address);
                }
            }};
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
        macro_rules! branch {
            ($n:expr, $holds:expr, $to:expr) => {{
                let holds = $holds;
                count!($n);
                if !holds {
                    pc = $to as usize;
                }
            }};
        }

        loop {
            let instr = instrs[pc];
            pc += 1;
            match instr {
                Instr::Mov(d, a) => reg!(d) = reg!(a),
                Instr::GetGlobal(d, g) => reg!(d) = self.globals[g as usize],
                Instr::SetGlobal(g, a) => self.globals[g as usize] = reg!(a),
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
                Instr::Scale32(w, scale, d, a, i) => reg!(d) = scaled!(0, scale, a, narrow!(i)) & mask(w),
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
                    let Heavy::Words(array) = self.cell(cell) else { unreachable!("an array of words") };
                    reg!(d) = array.get(index);
                }
                Instr::ArraySet(cell, i, e) => {
                    let (index, elem) = (reg!(i), reg!(e));
                    let Heavy::Words(array) = self.cell_mut(cell) else { unreachable!("an array of words") };
                    array.set(index, elem);
                }
                Instr::Slow(index) => outside!(self.slow(&code.slow[index as usize])),

                Instr::ObjectSize(d, a) => reg!(d) = self.memory.size(reg!(a)),
                Instr::ObjectLive(d, a) => reg!(d) = self.memory.live(reg!(a)) as u64,
                Instr::Load(bytes, d, a) => match self.memory.load(reg!(a), bytes as u64) {
                    Ok(word) => {
                        if traces_pointers {
                            self.note_loaded(pc - 1, reg!(a), word);
                        }
                        reg!(d) = word;
                    }
                    Err(_) => {
                        let address = reg!(a);
                        reg!(d) = outside!(self.invalid_load(pc - 1, address, bytes));
                    }
                },
                Instr::Store(bytes, a, v) => {
                    if let Err(fault) = self.memory.store(reg!(a), bytes as u64, reg!(v)) {
                        self.note_access(self.here(pc - 1), fault, reg!(a));
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
                Instr::Action(index) => {
                    let action = &code.actions[index as usize];
                    if let Err(ending) = outside!(self.effect(action)) {
                        let at = self.source_of((action.func, action.edge));
                        finish!(ending, at);
                    }
                }

                Instr::Jump(n, to) => {
                    count!(n);
                    pc = to as usize;
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
                Instr::Choose(n, index) => {
                    count!(n);
                    let choice = &code.choices[index as usize];
                    let mut ways = choice.edges.iter().filter(|(condition, _)| condition.is_none_or(|c| reg!(c) != 0));
                    pc = match (ways.next(), ways.count()) {
                        (None, _) => finish!(Ending::Stuck, (choice.func, choice.loc)),
                        (Some((_, way)), 0) => *way,
                        (Some(_), more) => outside!(self.choose(choice, 1 + more)),
                    } as usize;
                }
                Instr::Call(n, index) => {
                    count!(n);
                    let call = &code.calls[index as usize];
                    let callee = &code.functions[call.callee.index()];
                    let (top, new_top) = (self.word_top, self.word_top + callee.words.len());
                    if self.returns.len() >= self.limits.call_depth || 8 * new_top as u64 > self.limits.memory {
                        let at = self.source_of((call.func, call.edge));
                        finish!(Ending::Limit(Limit::CallDepth), at);
                    }
                    if new_top > words.len() {
                        words.resize(2 * new_top, 0);
                    }
                    let (below, above) = words.split_at_mut(top);
                    let (old, new) = (&below[self.word_base..], &mut above[..callee.words.len()]);
                    new.copy_from_slice(&callee.words);
                    for (global, reg) in &callee.settled {
                        new[*reg as usize] = self.globals[*global as usize];
                    }
                    for (from, to) in &call.words {
                        new[*to as usize] = old[*from as usize];
                    }
                    self.enter(index, pc, new_top);
                    regs = &mut words[top..new_top];
                    pc = callee.entry as usize;
                }
                Instr::Return(n) => {
                    count!(n);
                    pc = outside!(self.leave());
                }
                Instr::Stop(n, func, loc) => {
                    steps += n as u64;
                    let ending = self.ending_at(func, loc);
                    finish!(ending, (func, loc));
                }
                Instr::AtEdge(func, edge) => {
                    if let Some(watcher) = watcher.as_deref_mut() {
                        outside!(watcher.edge(&self.state(steps), func, edge));
                    }
                }
                Instr::AtLoc(func, loc) => {
                    if let Some(watcher) = watcher.as_deref_mut()
                        && outside!(watcher.location(&self.state(steps), func, loc)).is_break()
                    {
                        finish!(Ending::Limit(Limit::Watcher), (func, loc));
                    }
                }
            }
        }
    }

    /// What an invalid load reads.
    #[cold]
    fn invalid_load(&mut self, pc: usize, address: u64, bytes: u8) -> u64 {
        let site = self.here(pc);
        self.note_access(site, self.memory.fault(address), address);
        to_word(&self.arbitrary(site, Sort::Bv(8 * bytes as u32)))
    }

    fn note_loaded(&mut self, pc: usize, address: u64, word: u64) {
        let (func, edge) = self.here(pc);
        if let Some(pointers) = &mut self.pointers {
            pointers.loaded(&self.machine.program.functions[func].edges[edge].op, address, word);
        }
    }

    /// Has the inputs pick one of several enabled edges.
    fn choose(&mut self, choice: &Choice, count: usize) -> u32 {
        let chosen = self.inputs.choose(count).min(count - 1);
        self.record((choice.func, choice.first), None, Given::Choice(chosen));
        let enabled = choice.edges.iter().filter(|(condition, _)| condition.is_none_or(|c| self.word(c) != 0));
        enabled.map(|(_, way)| *way).nth(chosen).expect("fewer than are enabled")
    }

    /// A new activation for a call, whose words stand behind those of the caller; the rest of its parameters is set.
    #[inline]
    fn enter(&mut self, index: u32, pc: usize, new_top: usize) {
        let code = &self.machine.code;
        let call = &code.calls[index as usize];
        let cells = self.cells.len();
        let frame = &code.functions[call.callee.index()].cells;
        if !frame.is_empty() {
            self.cells.extend_from_slice(frame);
            for (from, to) in &call.cells {
                self.cells[cells + *to as usize] = self.cell(*from).clone();
            }
        }
        let (words, word_top) = (self.word_base, self.word_top);
        self.returns.push(Return { pc, words, word_top, cells: self.cell_base, call: index });
        self.stack.push((call.func, call.edge));
        (self.word_base, self.word_top, self.cell_base) = (self.word_top, new_top, cells);
    }

    /// Ends the current activation; its result goes to the caller. Returns where to go on.
    fn leave(&mut self) -> usize {
        let code = &self.machine.code;
        let back = self.returns.pop().expect("only called functions return");
        self.stack.pop();
        let call = &code.calls[back.call as usize];
        enum Result {
            Word(u64),
            Heavy(Heavy),
        }
        let result = match (call.dst, code.functions[call.callee.index()].result) {
            (Some(_), Some(Place::Word(reg))) => Some(Result::Word(self.word(reg))),
            (Some(_), Some(Place::GlobalWord(global))) => Some(Result::Word(self.globals[global as usize])),
            (Some(_), Some(Place::Heavy(cell))) => Some(Result::Heavy(self.cell(cell).clone())),
            _ => None,
        };
        self.cells.truncate(self.cell_base);
        (self.word_base, self.word_top, self.cell_base) = (back.words, back.word_top, back.cells);
        match (call.dst, result) {
            (Some(Place::Word(reg)), Some(Result::Word(word))) => self.set_word(reg, word),
            (Some(Place::GlobalWord(global)), Some(Result::Word(word))) => self.globals[global as usize] = word,
            (Some(Place::Heavy(cell)), Some(Result::Heavy(heavy))) => *self.cell_mut(cell) = heavy,
            _ => {}
        }
        back.pc
    }

    fn slow(&mut self, slow: &Slow) {
        match slow {
            Slow::Apply { op, args, dst, sort } => {
                let values: Vec<Value> = args.iter().map(|(place, sort)| self.read(*place, *sort)).collect();
                let value = semantics::apply(*op, &values).unwrap_or_else(|| unspecified(*op, &values, *sort));
                self.write(*dst, value);
            }
            Slow::Copy { dst, src } => {
                let heavy = self.cell(*src).clone();
                *self.cell_mut(*dst) = heavy;
            }
            Slow::Reset { dst, sort, elem } => {
                let elem = self.read(*elem, sort.elem.into());
                let array = Value::Array(std::sync::Arc::new(term::ArrayValue::new(*sort, elem)));
                *self.cell_mut(*dst) = Heavy::from_value(array);
            }
            Slow::Set { array, sort, index, elem } => {
                let (index, elem) = (self.read(*index, sort.index.into()), self.read(*elem, sort.elem.into()));
                if let Heavy::Value(Value::Array(array)) = self.cell_mut(*array) {
                    std::sync::Arc::make_mut(array).set(index, elem);
                }
            }
            Slow::Get { dst, array, sort, index } => {
                let index = self.read(*index, sort.index.into());
                if let Heavy::Value(Value::Array(array)) = self.cell(*array) {
                    let elem = array.get(&index).clone();
                    self.write(*dst, elem);
                }
            }
        }
    }
}

/// A value where SMT-LIB leaves it open: what x86 gives for conversions out of range, the first of two zeros.
fn unspecified(op: TermOp, args: &[Value], sort: Sort) -> Value {
    match (op, sort) {
        (TermOp::FpMin | TermOp::FpMax, _) => args[0].clone(),
        (_, Sort::Bv(width)) => Value::Bv(term::Bits::min_signed(width)),
        _ => Value::zero(sort),
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
