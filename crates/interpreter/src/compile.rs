//! Compiling programs: where variables live, and how locations and edges become code.

use super::code::*;
use super::expr::Computed;
use super::numbering::Numbering;
use super::value::{Heavy, is_word};
use base::{Id, Table};
use cfa::*;
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Op as TermOp, Term, Value};

/// So many variables of a function, constants and addresses of globals each have a register; there are as many for temporaries.
const VARIABLES: usize = FRAME / 2;
const CONSTANTS: usize = FRAME / 8;

/// Why a program cannot be executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported(pub String);

impl std::fmt::Display for Unsupported {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unsupported {}

/// What a watcher wants to hear of; see [`super::Watcher`].
#[derive(Clone, Default, Debug)]
pub struct Watch {
    /// Every edge.
    pub edges: bool,
    /// These locations.
    pub locations: Vec<(Func, Loc)>,
}

pub(super) struct Builder<'p> {
    pub(super) program: &'p Program,
    pub(super) code: Code,
    /// Function form: `$size` and `$live` are the object table.
    pub(super) object_tables: bool,
    pub(super) watch: &'p Watch,
    /// The locations among it.
    pub(super) watched: FxHashSet<(Func, Loc)>,
    /// For each word among the globals whether it changes only while no function but the entry function is active.
    settled_globals: Vec<bool>,
    /// A copy of the program's terms to build in, once it is needed.
    scratch: Option<term::Store>,

    /// Globals that hold constants for which functions had no register.
    const_globals: FxHashMap<u64, u32>,
    /// Globals that hold variables for which their functions had no register.
    spilled: Vec<(Func, u32)>,

    // The function at hand.
    pub(super) func: Func,
    /// Whether it has more temporaries than there are registers.
    is_too_large: bool,
    pub(super) words: Vec<u64>,
    pub(super) cells: Vec<Heavy>,
    pub(super) const_words: FxHashMap<u64, Reg>,
    pub(super) const_cells: FxHashMap<Term, Cell>,
    pub(super) temp_words: Vec<Reg>,
    pub(super) temp_cells: Vec<Cell>,
    pub(super) computed: Computed,
    pub(super) numbering: Numbering,
    /// Registers of the globals that are settled while the function is active.
    settled: Vec<(u32, Reg)>,
    /// Where each location's code starts, once it has been emitted.
    starts: Table<Loc, Option<u32>>,
    /// Heads of loops over bytes.
    pub(super) byte_heads: Vec<Loc>,
    /// Control transfers to locations that have no code yet.
    patches: Vec<(usize, Loc)>,
    /// Conditions that failed with no other edge: execution is stuck at the location.
    stuck: Vec<(usize, Loc)>,
    /// Edges executed since steps were last counted.
    pending: u16,
}

/// Compiles a whole program.
pub(super) fn compile(program: &Program, watch: &Watch) -> Result<Code, Unsupported> {
    let flat = program.is_flat();
    let mut builder = Builder {
        program,
        code: Code::default(),
        object_tables: !flat,
        watch,
        watched: watch.locations.iter().copied().collect(),
        settled_globals: Vec::new(),
        scratch: None,
        const_globals: FxHashMap::default(),
        spilled: Vec::new(),
        func: program.entry,
        is_too_large: false,
        words: Vec::new(),
        cells: Vec::new(),
        const_words: FxHashMap::default(),
        const_cells: FxHashMap::default(),
        temp_words: Vec::new(),
        temp_cells: Vec::new(),
        computed: Computed::default(),
        numbering: Numbering::default(),
        settled: Vec::new(),
        starts: Table::new(),
        byte_heads: Vec::new(),
        patches: Vec::new(),
        stuck: Vec::new(),
        pending: 0,
    };
    builder.settle(flat)?;
    for func in program.functions.ids() {
        builder.function(func)?;
    }
    builder.code.link(program.entry);
    Ok(builder.code)
}

impl Code {
    /// Tells calls about the functions that they call and are in, once these have their code.
    fn link(&mut self, entry: Func) {
        let mut starts = Vec::new();
        for function in &self.functions {
            let start = self.frames.len() as u32;
            self.frames.extend_from_slice(&function.words);
            self.settled.extend(function.settled.iter().map(|(global, reg)| (*global, start + u32::from(*reg))));
            starts.push((start, self.frames.len() as u32));
        }
        for (call, info) in self.calls.iter_mut().zip(&self.call_infos) {
            let callee = &self.functions[info.callee.index()];
            call.entry = callee.entry;
            call.frame = callee.frame;
            let caller_frame = self.functions[info.func.index()].frame;
            call.back.caller_frame = caller_frame as u16;
            call.words = starts[info.callee.index()];
            let inside = |reg: Reg| (caller_frame + u32::from(reg)) as Reg;
            for (_, to) in &mut self.arguments[call.arguments.0 as usize..call.arguments.1 as usize] {
                *to = inside(*to);
            }
            if let Some((Place::Word(from), Place::Word(to))) = info.result {
                call.back.result = (inside(from), to);
            }
            call.back.is_heavy |= !callee.cells.is_empty();
            call.needs_more = call.back.is_heavy || info.func == entry;
        }
    }
}

impl Builder<'_> {
    /// Gives every variable its home. Where there is one function only, all of them live in its activation.
    fn settle(&mut self, flat: bool) -> Result<(), Unsupported> {
        let program = self.program;
        let single = program.functions.len() == 1;
        let mut words = vec![0; program.functions.len()];
        let mut cells: Vec<Vec<Heavy>> = vec![Vec::new(); program.functions.len()];
        for (v, info) in program.vars.iter() {
            let table = v == program.size || v == program.live;
            let home = match info.kind {
                _ if table && !flat => None,
                _ if single => Some(program.entry),
                VarKind::Local(func) => Some(func),
                VarKind::Global | VarKind::Memory => None,
            };
            let home = home.filter(|func| program.functions.get(*func).is_some());
            let place = match home {
                Some(func) if is_word(info.sort) && words[func.index()] < VARIABLES => {
                    words[func.index()] += 1;
                    Some(Place::Word((words[func.index()] - 1) as Reg))
                }
                Some(func) if is_word(info.sort) => {
                    let global = self.new_global(0);
                    self.spilled.push((func, global));
                    Some(Place::GlobalWord(global))
                }
                Some(func) => {
                    let cells = &mut cells[func.index()];
                    cells.push(Heavy::from_value(Value::zero(info.sort)));
                    Some(Place::Heavy(cells.len() as Cell - 1))
                }
                None if table => None,
                None if is_word(info.sort) => Some(Place::GlobalWord(self.new_global(0))),
                None => {
                    self.code.global_cells.push(Heavy::from_value(Value::zero(info.sort)));
                    Some(Place::Heavy(GLOBAL_CELL | (self.code.global_cells.len() as Cell - 1)))
                }
            };
            self.code.homes.push(place);
        }
        self.find_settled_globals();
        self.code.functions = words
            .into_iter()
            .zip(cells)
            .map(|(words, cells)| FuncCode { words: vec![0; words], cells, ..FuncCode::default() })
            .collect();
        let mut large = self.spilled.iter().map(|(func, _)| *func).collect::<Vec<_>>();
        large.dedup();
        match large.into_iter().any(|func| is_recursive(program, func)) {
            true => Err(Unsupported(format!("a recursive function with more than {VARIABLES} variables"))),
            false => Ok(()),
        }
    }

    fn new_global(&mut self, word: u64) -> u32 {
        self.code.global_words.push(word);
        self.code.global_words.len() as u32 - 1
    }

    /// A register of the function at hand that starts with a word.
    pub(super) fn new_word(&mut self, word: u64) -> Reg {
        let reg = self.words.len();
        if reg == FRAME {
            self.is_too_large = true;
            return 0;
        }
        self.words.push(word);
        reg as Reg
    }

    /// A global that holds a constant, where the function has many.
    pub(super) fn const_global(&mut self, word: u64) -> Option<u32> {
        if self.const_words.len() < CONSTANTS || self.const_words.contains_key(&word) {
            return None;
        }
        if let Some(global) = self.const_globals.get(&word) {
            return Some(*global);
        }
        let global = self.new_global(word);
        self.const_globals.insert(word, global);
        Some(global)
    }

    /// The addresses of static objects above all: written by the entry function, which nobody calls.
    fn find_settled_globals(&mut self) {
        let program = self.program;
        let edges = |func: Func| program.functions[func].edges.values();
        let calls_entry = |op: &Op| matches!(op, Op::Call { callee, .. } if *callee == program.entry);
        let entered_once = !program.functions.ids().flat_map(edges).any(|edge| calls_entry(&edge.op));
        self.settled_globals = vec![entered_once; self.code.global_words.len()];
        for func in program.functions.ids().filter(|func| *func != program.entry) {
            for v in
                edges(func).flat_map(|edge| edge.op.written()).chain(program.functions[func].params.iter().copied())
            {
                if let Some(Place::GlobalWord(global)) = self.home(v) {
                    self.settled_globals[global as usize] = false;
                }
            }
        }
    }

    /// The register that holds the global while the function at hand is active, if it is settled then.
    pub(super) fn settled_register(&mut self, global: u32) -> Option<Reg> {
        let is_settled = self.settled_globals.get(global as usize).is_some_and(|settled| *settled);
        if self.func == self.program.entry || !is_settled || self.settled.len() >= CONSTANTS {
            return None;
        }
        if let Some((_, reg)) = self.settled.iter().find(|(known, _)| *known == global) {
            return Some(*reg);
        }
        let reg = self.new_word(0);
        self.settled.push((global, reg));
        Some(reg)
    }

    pub(super) fn home(&self, v: Var) -> Option<Place> {
        self.code.homes[v.index()]
    }

    pub(super) fn emit(&mut self, instr: Instr) {
        self.code.instrs.push(instr);
    }

    /// Emits, and says where.
    pub(super) fn emit_at(&mut self, instr: Instr) -> usize {
        self.code.instrs.push(instr);
        self.code.instrs.len() - 1
    }

    pub(super) fn here(&self) -> u32 {
        self.code.instrs.len() as u32
    }

    pub(super) fn patch_here(&mut self, at: usize) {
        let here = self.here();
        self.code.instrs[at].set_target(here);
    }

    fn function(&mut self, func: Func) -> Result<(), Unsupported> {
        let function = &self.program.functions[func];
        self.func = func;
        let frame = std::mem::take(&mut self.code.functions[func.index()]);
        (self.words, self.cells) = (frame.words, frame.cells);
        self.const_words.clear();
        self.const_cells.clear();
        self.temp_words.clear();
        self.temp_cells.clear();
        self.settled.clear();
        self.byte_heads.clear();
        self.starts = Table::filled(None, function.locs.len());
        let successors = function.successors();
        let mut arrivals: Table<Loc, u32> = Table::filled(0, function.locs.len());
        for edge in function.edges.values() {
            arrivals[edge.to] += 1;
        }
        let entry = self.here();
        self.clear_spilled();
        let mut work = vec![function.entry];
        while let Some(loc) = work.pop() {
            if self.starts[loc].is_none() {
                self.chain(function, loc, &successors, &arrivals, &mut work)?;
            }
        }
        for (at, loc) in std::mem::take(&mut self.patches) {
            let start = self.starts[loc].expect("every target was on the work list");
            self.code.instrs[at].set_target(start);
        }
        for (at, loc) in std::mem::take(&mut self.stuck) {
            self.patch_here(at);
            self.emit(Instr::Stop(0, func, loc));
        }
        if self.watch.locations.is_empty() && !self.watch.edges {
            self.code.shorten_returns(entry as usize);
        }
        if self.is_too_large {
            return Err(Unsupported("an expression that is too large to execute".into()));
        }
        let (frame, words) = self.take_frame();
        self.code.functions[func.index()] = FuncCode {
            entry,
            frame,
            words,
            cells: std::mem::take(&mut self.cells),
            settled: std::mem::take(&mut self.settled),
        };
        Ok(())
    }

    /// In function form variables that have no register start with zero, as the others.
    fn clear_spilled(&mut self) {
        if !self.object_tables || self.spilled.is_empty() {
            return;
        }
        let zero = self.const_word(0);
        let spilled = self.spilled.iter().filter(|(func, _)| *func == self.func);
        let clearing = spilled.map(|(_, global)| Instr::SetGlobal(*global, zero));
        self.code.instrs.extend(clearing);
    }

    /// How many words an activation of the function has, and those that it starts with: all but the temporaries at the end.
    fn take_frame(&mut self) -> (u32, Vec<u64>) {
        let mut words = std::mem::take(&mut self.words);
        let frame = words.len().next_multiple_of(GROUP);
        while self.temp_words.last().is_some_and(|temp| *temp as usize == words.len() - 1) {
            self.temp_words.pop();
            words.pop();
        }
        words.resize(words.len().next_multiple_of(GROUP), 0);
        (frame as u32, words)
    }

    /// Emits locations one after another as long as control has one way to go that has no code yet.
    fn chain(
        &mut self,
        function: &Function,
        mut loc: Loc,
        successors: &Table<Loc, Vec<Edge>>,
        arrivals: &Table<Loc, u32>,
        work: &mut Vec<Loc>,
    ) -> Result<(), Unsupported> {
        self.pending = 0;
        self.forget_all();
        loop {
            let is_watched = self.watched.contains(&(self.func, loc));
            let returns = loc == function.exit && self.func != self.program.entry;
            if returns && !is_watched && (self.pending > 0 || self.starts[loc].is_some()) {
                let count = self.take_pending();
                self.emit(Instr::Return(count));
                return Ok(());
            }
            if let Some(start) = self.starts[loc] {
                if let Some(out) = self.loop_test(function, loc, successors)? {
                    loc = out;
                    continue;
                }
                let count = self.take_pending();
                self.emit(Instr::Jump(count, start));
                return Ok(());
            }
            if self.pending > 0 && (arrivals[loc] > 1 || loc == function.entry || self.pending > u16::MAX / 2) {
                // Others come here, too, and have counted their own steps.
                let count = self.take_pending();
                let next = self.here() + 1;
                self.emit(Instr::Jump(count, next));
            }
            if arrivals[loc] > 1 || loc == function.entry || is_watched {
                self.forget_all();
            }
            self.starts[loc] = Some(self.here());
            if is_watched {
                if self.func == self.program.entry {
                    self.code.watched.insert(loc, self.here());
                }
                self.emit(Instr::AtLoc(self.func, loc));
            }
            if returns {
                let count = self.take_pending();
                self.emit(Instr::Return(count));
                return Ok(());
            }
            if arrivals[loc] > 1 {
                self.byte_loops(function, loc, successors)?;
            }
            let edges: &[Edge] = if function.locs[loc].kind == LocKind::Plain { &successors[loc] } else { &[] };
            loc = match *edges {
                [] => {
                    let count = self.take_pending();
                    self.emit(Instr::Stop(count, self.func, loc));
                    return Ok(());
                }
                [e] => self.only_edge(function, e)?,
                [e, f] if self.is_branch(function, e, f) => {
                    let next = self.branch(function, e, f, work)?;
                    if arrivals[loc] > 1 {
                        // The end of a loop's body may come here without having been at its head: `loop_test`.
                        self.forget_all();
                    }
                    next
                }
                _ => return self.choice(function, loc, edges, work),
            };
        }
    }

    /// At the end of a loop's body: a copy of the test at its head, which goes back into the body or falls through. `None` if
    /// `head` is no such location, is to be seen by a watcher, or executes many iterations at once.
    fn loop_test(
        &mut self,
        function: &Function,
        head: Loc,
        successors: &Table<Loc, Vec<Edge>>,
    ) -> Result<Option<Loc>, Unsupported> {
        let [e, f] = *successors[head] else { return Ok(None) };
        let (back, out) = (&function.edges[e], &function.edges[f]);
        let is_plain = function.locs[head].kind == LocKind::Plain && head != function.exit;
        let seen = self.watch.edges || self.watched.contains(&(self.func, head));
        let (Op::Assume(condition), Some(body)) = (&out.op, self.starts[back.to]) else { return Ok(None) };
        let in_bulk = self.byte_heads.contains(&head);
        if !is_plain || seen || in_bulk || !self.is_branch(function, e, f) || !self.is_small(*condition) {
            return Ok(None);
        }
        self.code.edges.push((self.here(), self.func, f));
        self.new_edge();
        let count = self.take_pending() + 1;
        let at = self.condition(*condition, count)?;
        self.code.instrs[at].set_target(body);
        // Control comes from the head, too.
        self.forget_all();
        Ok(Some(out.to))
    }

    /// Whether the term is worth a second copy of its code: a comparison of two operands, or little more.
    fn is_small(&self, condition: Term) -> bool {
        let terms = &self.program.terms;
        let mut work = vec![condition];
        let mut operators = 0;
        while let Some(t) = work.pop() {
            operators += !terms.args(t).is_empty() as usize;
            if operators > 3 {
                return false;
            }
            work.extend(terms.args(t));
        }
        true
    }

    pub(super) fn take_pending(&mut self) -> u16 {
        std::mem::take(&mut self.pending)
    }

    /// Starts an edge: notes where its code begins.
    fn start_edge(&mut self, e: Edge) {
        let here = self.here();
        self.code.edges.push((here, self.func, e));
        if self.watch.edges {
            self.emit(Instr::AtEdge(self.func, e));
        }
        self.new_edge();
    }

    fn only_edge(&mut self, function: &Function, e: Edge) -> Result<Loc, Unsupported> {
        let edge = &function.edges[e];
        self.start_edge(e);
        match &edge.op {
            Op::Assume(condition) if self.program.terms.as_bool_const(*condition) == Some(true) => {}
            Op::Assume(condition) => {
                let at = self.condition(*condition, 0)?;
                self.stuck.push((at, edge.from));
            }
            op => self.operation(e, op)?,
        }
        // A call is counted where it happens, so that endless recursion takes steps.
        self.pending += !matches!(edge.op, Op::Call { .. }) as u16;
        Ok(edge.to)
    }

    /// Whether exactly one of two edges is always enabled.
    pub(super) fn is_branch(&mut self, function: &Function, e: Edge, f: Edge) -> bool {
        match (&function.edges[e].op, &function.edges[f].op) {
            (Op::Assume(a), Op::Assume(b)) => self.complementary(*a, *b),
            _ => false,
        }
    }

    fn complementary(&mut self, a: Term, b: Term) -> bool {
        let terms = &self.program.terms;
        let (op_a, op_b) = (terms.op(a), terms.op(b));
        match (op_a, op_b) {
            (TermOp::Not, _) if terms.arg(a, 0) == b => true,
            (_, TermOp::Not) if terms.arg(b, 0) == a => true,
            // x < y, y <= x
            (TermOp::BvUlt, TermOp::BvUle)
            | (TermOp::BvUle, TermOp::BvUlt)
            | (TermOp::BvSlt, TermOp::BvSle)
            | (TermOp::BvSle, TermOp::BvSlt)
                if terms.arg(a, 0) == terms.arg(b, 1) && terms.arg(a, 1) == terms.arg(b, 0) =>
            {
                true
            }
            (TermOp::True, TermOp::False) | (TermOp::False, TermOp::True) => true,
            // Negation may have been normalised further: build it, in a copy of the terms.
            _ => {
                let scratch = self.scratch.get_or_insert_with(|| self.program.terms.clone());
                scratch.not(a) == b || scratch.not(b) == a
            }
        }
    }

    /// One comparison decides; control goes on to the first edge's target.
    fn branch(&mut self, function: &Function, e: Edge, f: Edge, work: &mut Vec<Loc>) -> Result<Loc, Unsupported> {
        let (then, otherwise) = (&function.edges[e], &function.edges[f]);
        let Op::Assume(condition) = then.op else { unreachable!("a branch assumes") };
        let here = self.here();
        self.code.edges.push((here, self.func, e));
        self.new_edge();
        let count = self.take_pending() + 1;
        let at = self.condition(condition, count)?;
        work.push(otherwise.to);
        if self.watch.edges {
            // The other side needs code of its own to announce the edge: right behind, jumped over.
            let skip = self.emit_at(Instr::Jump(0, 0));
            self.patch_here(at);
            self.forget_all();
            self.start_edge(f);
            let out = self.emit_at(Instr::Jump(0, 0));
            self.patches.push((out, otherwise.to));
            self.patch_here(skip);
            self.forget_all();
            self.start_edge(e);
        } else {
            self.patches.push((at, otherwise.to));
        }
        Ok(then.to)
    }

    /// Several edges of any kind: all conditions are computed, then one enabled edge is taken.
    fn choice(
        &mut self,
        function: &Function,
        loc: Loc,
        edges: &[Edge],
        work: &mut Vec<Loc>,
    ) -> Result<(), Unsupported> {
        let here = self.here();
        self.code.edges.push((here, self.func, edges[0]));
        self.new_edge();
        let mut conditions = Vec::new();
        for &e in edges {
            conditions.push(match &function.edges[e].op {
                Op::Assume(condition) => Some(self.word(*condition)?),
                _ => None,
            });
        }
        let index = self.code.choices.len();
        self.code.choices.push(Choice { func: self.func, loc, first: edges[0], edges: Vec::new() });
        let count = self.take_pending();
        self.emit(Instr::Choose(count, index as u32));
        for (&e, condition) in edges.iter().zip(conditions) {
            let start = self.here();
            self.code.choices[index].edges.push((condition, start));
            self.forget_all();
            self.start_edge(e);
            let edge = &function.edges[e];
            if !matches!(edge.op, Op::Assume(_)) {
                self.operation(e, &edge.op)?;
            }
            let count = !matches!(edge.op, Op::Call { .. }) as u16;
            let out = self.emit_at(Instr::Jump(count, 0));
            self.patches.push((out, edge.to));
            work.push(edge.to);
        }
        Ok(())
    }
}

/// Whether a call of the function may lead to another one.
fn is_recursive(program: &Program, func: Func) -> bool {
    let mut seen = FxHashSet::default();
    let mut work = vec![func];
    while let Some(caller) = work.pop() {
        for edge in program.functions[caller].edges.values() {
            if let Op::Call { callee, .. } = edge.op
                && seen.insert(callee)
            {
                work.push(callee);
            }
        }
    }
    seen.contains(&func)
}
