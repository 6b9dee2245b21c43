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
    cells: usize,
    call: u32,
}

/// A run in progress.
pub(super) struct Run<'r> {
    pub(super) machine: &'r Machine<'r>,
    pub(super) inputs: &'r mut dyn Inputs,
    pub(super) limits: &'r Limits,
    pub(super) out: &'r mut dyn Output,
    pub(super) words: Vec<u64>,
    pub(super) cells: Vec<Heavy>,
    pub(super) globals: Vec<u64>,
    pub(super) global_cells: Vec<Heavy>,
    /// Where the current activation's registers start.
    pub(super) word_base: usize,
    pub(super) cell_base: usize,
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
            words: &self.words[self.word_base..],
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
        let mut base = 0usize;
        let mut steps = 0u64;
        let mut check = self.next_check(0);

        macro_rules! reg {
            ($r:expr) => {
                self.words[base + $r as usize]
            };
        }
        // Counts steps at a control transfer; looks at limits now and then.
        macro_rules! count {
            ($n:expr) => {
                steps += $n as u64;
                if steps >= check {
                    if let Some(limit) = self.exceeded(steps) {
                        let at = self.source_of(self.here(pc - 1));
                        return self.finish(Ending::Limit(limit), at, steps);
                    }
                    check = self.next_check(steps);
                }
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
                Instr::Slow(index) => self.slow(&code.slow[index as usize]),

                Instr::ObjectSize(d, a) => reg!(d) = self.memory.size(reg!(a)),
                Instr::ObjectLive(d, a) => reg!(d) = self.memory.live(reg!(a)) as u64,
                Instr::Load(bytes, d, a) => match self.memory.load(reg!(a), bytes as u64) {
                    Ok(word) => {
                        if self.pointers.is_some() {
                            self.note_loaded(pc - 1, reg!(a), word);
                        }
                        reg!(d) = word;
                    }
                    Err(fault) => {
                        let site = self.here(pc - 1);
                        self.note_access(site, fault, reg!(a));
                        let sort = Sort::Bv(8 * bytes as u32);
                        reg!(d) = to_word(&self.arbitrary(site, sort));
                    }
                },
                Instr::Store(bytes, a, v) => {
                    if let Err(fault) = self.memory.store(reg!(a), bytes as u64, reg!(v)) {
                        self.note_access(self.here(pc - 1), fault, reg!(a));
                    }
                }
                Instr::Action(index) => {
                    let action = &code.actions[index as usize];
                    if let Err(ending) = self.effect(action) {
                        let at = self.source_of((action.func, action.edge));
                        return self.finish(ending, at, steps);
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
                Instr::Choose(n, index) => {
                    count!(n);
                    let choice = &code.choices[index as usize];
                    let mut ways = choice.edges.iter().filter(|(condition, _)| condition.is_none_or(|c| reg!(c) != 0));
                    pc = match (ways.next(), ways.count()) {
                        (None, _) => return self.finish(Ending::Stuck, (choice.func, choice.loc), steps),
                        (Some((_, way)), 0) => *way,
                        (Some(_), more) => self.choose(choice, 1 + more),
                    } as usize;
                }
                Instr::Call(n, index) => {
                    count!(n);
                    if let Err(ending) = self.enter(index, pc) {
                        let call = &code.calls[index as usize];
                        let at = self.source_of((call.func, call.edge));
                        return self.finish(ending, at, steps);
                    }
                    base = self.word_base;
                    pc = code.functions[code.calls[index as usize].callee.index()].entry as usize;
                }
                Instr::Return(n) => {
                    count!(n);
                    pc = self.leave();
                    base = self.word_base;
                }
                Instr::Stop(n, func, loc) => {
                    steps += n as u64;
                    let ending = self.ending_at(func, loc);
                    return self.finish(ending, (func, loc), steps);
                }
                Instr::AtEdge(func, edge) => {
                    if let Some(watcher) = watcher.as_deref_mut() {
                        watcher.edge(&self.state(steps), func, edge);
                    }
                }
                Instr::AtLoc(func, loc) => {
                    if let Some(watcher) = watcher.as_deref_mut()
                        && watcher.location(&self.state(steps), func, loc).is_break()
                    {
                        return self.finish(Ending::Limit(Limit::Watcher), (func, loc), steps);
                    }
                }
            }
        }
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

    /// A new activation for a call, its parameters set.
    fn enter(&mut self, index: u32, pc: usize) -> Result<(), Ending> {
        let code = &self.machine.code;
        let call = &code.calls[index as usize];
        let frame = &code.functions[call.callee.index()];
        let frame_bytes = 8 * (self.words.len() + frame.words.len()) as u64;
        if self.returns.len() >= self.limits.call_depth || frame_bytes > self.limits.memory {
            return Err(Ending::Limit(Limit::CallDepth));
        }
        let (words, cells) = (self.words.len(), self.cells.len());
        self.words.extend_from_slice(&frame.words);
        self.cells.extend_from_slice(&frame.cells);
        for (from, to) in &call.moves {
            match (*from, *to) {
                (Place::Word(src), Place::Word(dst)) => {
                    self.words[words + dst as usize] = self.words[self.word_base + src as usize];
                }
                (Place::Heavy(src), Place::Heavy(dst)) => self.cells[cells + dst as usize] = self.cell(src).clone(),
                other => unreachable!("argument and parameter differ in kind: {other:?}"),
            }
        }
        self.returns.push(Return { pc, words: self.word_base, cells: self.cell_base, call: index });
        self.stack.push((call.func, call.edge));
        (self.word_base, self.cell_base) = (words, cells);
        Ok(())
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
        self.words.truncate(self.word_base);
        self.cells.truncate(self.cell_base);
        (self.word_base, self.cell_base) = (back.words, back.cells);
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
