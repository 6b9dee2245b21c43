//! Executing code: what happens between runs of plain instructions, which are done by `fast.rs`.
//!
//! Limits, choices and invalid accesses are dealt with here, what edges do beyond computing words in `effects.rs`.

use super::code::*;
use super::inputs::Site;
use super::pointers::Pointers;
use super::value::{Heavy, from_word, to_word};
use super::world::World;
use super::{
    Ending, Given, Inputs, Limit, Limits, Machine, Outcome, Output, Recorded, Start, State, Undefined, Watcher,
};
use base::Id;
use cfa::{Edge, Func, Loc, LocKind, Var};
use rustc_hash::FxHashSet;
use std::sync::atomic::Ordering;
use term::{Op as TermOp, Sort, Value, semantics};

/// What others may see of the run, by its fields: who gives inputs is not borrowed, and can be asked with it.
macro_rules! state_of {
    ($run:expr, $steps:expr) => {
        State {
            machine: $run.machine,
            words: &$run.words[$run.word_base..],
            cells: &$run.cells[$run.cell_base..],
            globals: &$run.globals,
            global_cells: &$run.global_cells,
            memory: &$run.memory,
            stack: &$run.stack,
            steps: $steps,
        }
    };
}

pub(super) use state_of;

/// Clock and cancellation are looked at once in so many steps.
const CHECK_EVERY: u64 = 1 << 18;

/// A run in progress.
pub(super) struct Run<'r> {
    pub(super) machine: &'r Machine<'r>,
    pub(super) inputs: &'r mut dyn Inputs,
    pub(super) limits: &'r Limits,
    pub(super) out: &'r mut dyn Output,
    /// The register files of all activations, one behind another, and room for more: at least a [`WINDOW`].
    pub(super) words: Vec<u64>,
    pub(super) cells: Vec<Heavy>,
    pub(super) globals: Vec<u64>,
    pub(super) global_cells: Vec<Heavy>,
    /// Where the current activation's registers start.
    pub(super) word_base: usize,
    pub(super) cell_base: usize,
    /// The words that activations of the functions start with.
    pub(super) frames: Vec<u64>,
    /// The calls that are active, outermost first, and room for more.
    pub(super) calls: Vec<Back>,
    /// How many there are.
    pub(super) depth: usize,
    /// Where the heavy cells of callers start, for each activation that has any.
    pub(super) cell_bases: Vec<usize>,
    /// The places of the active calls, up to date outside of `fast.rs`.
    pub(super) stack: Vec<(Func, Edge)>,
    /// So many of them are up to date in it.
    pub(super) kept_sites: usize,
    pub(super) memory: super::memory::Memory,
    initial: Vec<(Var, Value)>,
    pub(super) recorded: Vec<Recorded>,
    pub(super) undefined: Vec<Undefined>,
    /// Where an access was that ends the run.
    pub(super) faulted: Option<Site>,
    pub(super) environment: Vec<(u64, Vec<u8>)>,
    /// Addresses in it that were read.
    pub(super) found: FxHashSet<u64>,
    /// Where pointers came from, if that is of interest.
    pub(super) pointers: Option<Pointers>,
    /// What the outside knows, where anything gets there.
    pub(super) world: Option<World>,
    /// Whether uninitialised variables are zero and nobody wants to know.
    pub(super) is_blank: bool,
    /// Whether new objects are zero, too, and nobody wants to know of them.
    pub(super) makes_blank: bool,
    /// The first instruction.
    start: usize,
    /// Edges executed, up to the last control transfer.
    pub(super) steps: u64,
    /// The number of edges at which limits have to be looked at.
    pub(super) check: u64,
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
        let mut words = machine.spare.lock().map(|mut spare| std::mem::take(&mut *spare)).unwrap_or_default();
        let frame = entry.frame as usize;
        if words.len() < frame + WINDOW {
            words = vec![0; frame + WINDOW];
        }
        words[..entry.words.len()].copy_from_slice(&entry.words);
        words[entry.words.len()..frame].fill(0);
        let world = World::new(program);
        let is_blank = inputs.leaves_blank() && !limits.record && limits.environment == 0;
        Run {
            machine,
            inputs,
            limits,
            out,
            words,
            cells: entry.cells.clone(),
            globals: code.global_words.clone(),
            global_cells: code.global_cells.clone(),
            word_base: 0,
            cell_base: 0,
            frames: code.frames.clone(),
            calls: Vec::new(),
            depth: 0,
            cell_bases: Vec::new(),
            stack: Vec::new(),
            kept_sites: 0,
            memory: super::memory::Memory::new(program.machine, limits.memory),
            initial: Vec::new(),
            recorded: Vec::new(),
            undefined: Vec::new(),
            faulted: None,
            environment: Vec::new(),
            found: FxHashSet::default(),
            pointers: (limits.environment > 0).then(|| Pointers::new(program)),
            makes_blank: is_blank && world.is_none(),
            world,
            is_blank,
            start: entry.entry as usize,
            steps: 0,
            check: limits.steps.min(CHECK_EVERY),
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

    fn state(&self) -> State<'_> {
        state_of!(self, self.steps)
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
        if (self.recorded.len() * size_of::<Recorded>()) as u64 > self.limits.memory {
            return Some(Limit::Memory);
        }
        let late = self.limits.deadline.is_some_and(|deadline| deadline.is_over());
        late.then_some(Limit::Time)
    }

    fn finish(self, ending: Ending, at: (Func, Loc)) -> Outcome {
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
        if let Ok(mut spare) = self.machine.spare.lock() {
            *spare = self.words;
        }
        Outcome {
            ending,
            location: at,
            call_path: self.stack,
            steps: self.steps,
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
            LocKind::Unsupported(what) => Ending::Unsupported(what.to_string()),
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
        let traced = self.pointers.is_some();
        let mut pc = self.start;
        loop {
            if let Some(site) = self.faulted {
                let at = self.source_of(site);
                return self.finish(Ending::Limit(Limit::Fault), at);
            }
            pc = if traced { self.fast::<true>(pc) } else { self.fast::<false>(pc) };
            self.update_stack();
            let instr = code.instrs[pc];
            if let Some(edges) = instr.edges() {
                let steps = self.steps + edges as u64;
                if steps >= self.check {
                    if let Some(limit) = self.exceeded(steps) {
                        self.steps = steps;
                        let at = self.source_of(self.here(pc));
                        return self.finish(Ending::Limit(limit), at);
                    }
                    self.check = self.next_check(steps);
                }
            }
            match instr {
                Instr::Slow(index) => self.slow(&code.slow[index as usize]),
                Instr::Action(index)
                | Instr::Uninitialised(_, index)
                | Instr::Alloc { action: index, .. }
                | Instr::End { action: index, .. }
                | Instr::Copy { action: index, .. } => {
                    let action = &code.actions[index as usize];
                    if let Err(ending) = self.effect(action) {
                        let at = self.source_of((action.func, action.edge));
                        return self.finish(ending, at);
                    }
                }
                Instr::Choose(n, index) => {
                    self.steps += n as u64;
                    let choice = &code.choices[index as usize];
                    let mut ways =
                        choice.edges.iter().filter(|(condition, _)| condition.is_none_or(|c| self.word(c) != 0));
                    pc = match (ways.next(), ways.count()) {
                        (None, _) => return self.finish(Ending::Stuck, (choice.func, choice.loc)),
                        (Some((_, way)), 0) => *way,
                        (Some(_), more) => self.choose(choice, 1 + more),
                    } as usize;
                    continue;
                }
                Instr::Call(n, index) if self.is_too_deep(index) => {
                    self.steps += n as u64;
                    let call = &code.call_infos[index as usize];
                    let at = self.source_of((call.func, call.edge));
                    return self.finish(Ending::Limit(Limit::CallDepth), at);
                }
                Instr::Stop(n, func, loc) => {
                    self.steps += n as u64;
                    let ending = self.ending_at(func, loc);
                    return self.finish(ending, (func, loc));
                }
                Instr::AtEdge(func, edge) => {
                    if let Some(watcher) = watcher.as_deref_mut() {
                        watcher.edge(&self.state(), func, edge);
                    }
                }
                Instr::AtLoc(func, loc) => {
                    if let Some(watcher) = watcher.as_deref_mut()
                        && watcher.location(&self.state(), func, loc).is_break()
                    {
                        return self.finish(Ending::Limit(Limit::Watcher), (func, loc));
                    }
                }
                _ if instr.edges().is_some() => continue,
                _ => self.access(instr, pc),
            }
            pc += 1;
        }
    }

    /// A load or store that is invalid, or to be noted.
    fn access(&mut self, instr: Instr, pc: usize) {
        let Access { bytes, moved, base, offset, index } = instr.access();
        let steps = index.map_or(0, |Index { reg, scale, narrow }| {
            let index = if narrow { self.word(reg) as i32 as u64 } else { self.word(reg) };
            index.wrapping_mul(scale as u64)
        });
        let address = self.word(base).wrapping_add(steps).wrapping_add(offset as u64) & self.memory.address_mask();
        match moved {
            Moved::To(dst) => {
                let word = match self.memory.load(address, bytes as u64) {
                    Ok(word) => {
                        let found = self.find(self.here(pc), address, Sort::Bv(8 * bytes as u32));
                        let word = found.as_ref().map_or(word, to_word);
                        self.note_loaded(pc, address, word);
                        word
                    }
                    Err(fault) => {
                        let site = self.here(pc);
                        self.note_access(site, fault, address);
                        to_word(&self.arbitrary(site, Sort::Bv(8 * bytes as u32)))
                    }
                };
                self.set_word(dst, word);
            }
            Moved::From(src) => {
                if let Err(fault) = self.memory.store(address, bytes as u64, self.word(src)) {
                    self.note_access(self.here(pc), fault, address);
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
