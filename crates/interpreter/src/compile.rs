//! Compiling programs: where variables live, and how locations and edges become code.

use super::code::*;
use super::expr::Computed;
use super::numbering::Numbering;
use super::value::{Heavy, is_word};
use base::{Id, Table};
use cfa::*;
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Op as TermOp, Sort, Term, Value};

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
    watch: &'p Watch,
    /// The locations among it.
    watched: FxHashSet<(Func, Loc)>,
    /// For each word among the globals whether it changes only while no function but the entry function is active.
    settled_globals: Vec<bool>,
    /// A copy of the program's terms to build in, once it is needed.
    scratch: Option<term::Store>,

    // The function at hand.
    func: Func,
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
        func: program.entry,
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
        patches: Vec::new(),
        stuck: Vec::new(),
        pending: 0,
    };
    builder.settle(flat);
    for func in program.functions.ids() {
        builder.function(func)?;
    }
    for call in &mut builder.code.calls {
        call.entry = builder.code.functions[call.callee.index()].entry;
    }
    Ok(builder.code)
}

impl Builder<'_> {
    /// Gives every variable its home. Where there is one function only, all of them live in its activation.
    fn settle(&mut self, flat: bool) {
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
                Some(func) if is_word(info.sort) => {
                    words[func.index()] += 1;
                    Some(Place::Word(words[func.index()] - 1))
                }
                Some(func) => {
                    let cells = &mut cells[func.index()];
                    cells.push(Heavy::from_value(Value::zero(info.sort)));
                    Some(Place::Heavy(cells.len() as Cell - 1))
                }
                None if table => None,
                None if is_word(info.sort) => {
                    self.code.global_words += 1;
                    Some(Place::GlobalWord(self.code.global_words as u32 - 1))
                }
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
            .map(|(words, cells)| FuncCode { words: vec![0; words as usize], cells, ..FuncCode::default() })
            .collect();
    }

    /// The addresses of static objects above all: written by the entry function, which nobody calls.
    fn find_settled_globals(&mut self) {
        let program = self.program;
        let edges = |func: Func| program.functions[func].edges.values();
        let calls_entry = |op: &Op| matches!(op, Op::Call { callee, .. } if *callee == program.entry);
        let entered_once = !program.functions.ids().flat_map(edges).any(|edge| calls_entry(&edge.op));
        self.settled_globals = vec![entered_once; self.code.global_words];
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
        if self.func == self.program.entry || !self.settled_globals[global as usize] {
            return None;
        }
        if let Some((_, reg)) = self.settled.iter().find(|(known, _)| *known == global) {
            return Some(*reg);
        }
        let reg = self.words.len() as Reg;
        self.words.push(0);
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

    fn here(&self) -> u32 {
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
        self.starts = Table::filled(None, function.locs.len());
        let successors = function.successors();
        let mut arrivals: Table<Loc, u32> = Table::filled(0, function.locs.len());
        for edge in function.edges.values() {
            arrivals[edge.to] += 1;
        }
        let entry = self.here();
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
        self.code.functions[func.index()] = FuncCode {
            entry,
            words: std::mem::take(&mut self.words),
            cells: std::mem::take(&mut self.cells),
            settled: std::mem::take(&mut self.settled),
        };
        Ok(())
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
    /// `head` is no such location, or is to be seen by a watcher.
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
        if !is_plain || seen || !self.is_branch(function, e, f) || !self.is_small(*condition) {
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

    fn take_pending(&mut self) -> u16 {
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
    fn is_branch(&mut self, function: &Function, e: Edge, f: Edge) -> bool {
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

    /// Emits a branch that falls through when the condition holds; returns where, to set its target.
    fn condition(&mut self, condition: Term, count: u16) -> Result<usize, Unsupported> {
        let terms = &self.program.terms;
        let (op, args) = (terms.op(condition), terms.args(condition).to_vec());
        let plain = |t: Term| matches!(terms.sort(t), Sort::Bool | Sort::Bv(1..=64));
        let instr = match op {
            TermOp::Eq if plain(args[0]) => Instr::BranchEq(count, self.word(args[0])?, self.word(args[1])?, 0),
            TermOp::Not if terms.op(args[0]) == TermOp::Eq && plain(terms.arg(args[0], 0)) => {
                let (a, b) = (terms.arg(args[0], 0), terms.arg(args[0], 1));
                Instr::BranchNe(count, self.word(a)?, self.word(b)?, 0)
            }
            TermOp::BvUlt if plain(args[0]) => Instr::BranchUlt(count, self.word(args[0])?, self.word(args[1])?, 0),
            TermOp::BvUle if plain(args[0]) => Instr::BranchUle(count, self.word(args[0])?, self.word(args[1])?, 0),
            TermOp::BvSlt if plain(args[0]) => match terms.width(args[0]) as u8 {
                32 => Instr::BranchSlt32(count, self.word(args[0])?, self.word(args[1])?, 0),
                width => Instr::BranchSlt(width, count, self.word(args[0])?, self.word(args[1])?, 0),
            },
            TermOp::BvSle if plain(args[0]) => match terms.width(args[0]) as u8 {
                32 => Instr::BranchSle32(count, self.word(args[0])?, self.word(args[1])?, 0),
                width => Instr::BranchSle(width, count, self.word(args[0])?, self.word(args[1])?, 0),
            },
            _ => Instr::Branch(count, self.word(condition)?, 0),
        };
        Ok(self.emit_at(instr))
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

    fn action(&mut self, edge: Edge, what: Effect) {
        let index = self.new_action(edge, what);
        self.emit(Instr::Action(index));
    }

    fn new_action(&mut self, edge: Edge, what: Effect) -> u32 {
        self.code.actions.push(Action { func: self.func, edge, what });
        self.code.actions.len() as u32 - 1
    }

    /// Runs `make` with a register for a variable's new value, and stores it if the variable is global.
    fn write_word(
        &mut self,
        v: Var,
        make: impl FnOnce(&mut Self, Reg) -> Result<(), Unsupported>,
    ) -> Result<(), Unsupported> {
        match self.home(v) {
            Some(Place::Word(reg)) => make(self, reg)?,
            Some(Place::GlobalWord(global)) => {
                let temp = self.temp_word();
                make(self, temp)?;
                self.emit(Instr::SetGlobal(global, temp));
            }
            _ => return Err(Unsupported(format!("'{}' cannot be written here", self.program.name(v)))),
        }
        Ok(())
    }

    /// Everything but `Assume`.
    fn operation(&mut self, e: Edge, op: &Op) -> Result<(), Unsupported> {
        self.effect(e, op)?;
        for v in op.written() {
            match self.home(v) {
                Some(Place::Word(reg)) => self.numbering.forget_register(reg),
                Some(Place::GlobalWord(global)) => self.numbering.forget_global(global),
                _ => {}
            }
        }
        match op {
            Op::Call { .. } => self.forget_all(),
            Op::Alloc { .. } | Op::Free { .. } | Op::Dead { .. } => self.numbering.forget_object_tables(),
            _ => {}
        }
        Ok(())
    }

    fn effect(&mut self, e: Edge, op: &Op) -> Result<(), Unsupported> {
        let program = self.program;
        match op {
            Op::Assume(_) => unreachable!("conditions are compiled by their location"),
            Op::Assign(pairs) => self.assign(pairs)?,
            Op::Havoc { vars, origin } => {
                let mut places = Vec::new();
                for &v in vars {
                    let missing = || Unsupported(format!("'{}' cannot be written", program.name(v)));
                    places.push((v, program.vars[v].sort, self.home(v).ok_or_else(missing)?));
                }
                let only = match places[..] {
                    [(_, _, Place::Word(reg))] if matches!(origin, Origin::Uninitialised(_)) => Some(reg),
                    _ => None,
                };
                let index = self.new_action(e, Effect::Havoc { places, origin: origin.clone() });
                self.emit(only.map_or(Instr::Action(index), |reg| Instr::Uninitialised(reg, index)));
            }
            Op::Load { dst, addr, bytes } => {
                let sort = program.vars[*dst].sort;
                if is_word(sort) {
                    self.write_word(*dst, |builder, reg| builder.load(*bytes as u8, *addr, reg))?;
                } else {
                    let addr = self.word(*addr)?;
                    let missing = || Unsupported(format!("'{}' cannot be written", program.name(*dst)));
                    let dst = self.home(*dst).ok_or_else(missing)?;
                    self.action(e, Effect::Load { bytes: *bytes, addr, dst, sort });
                }
            }
            Op::Store { addr, value, bytes } => {
                let sort = program.terms.sort(*value);
                match self.place(*value)? {
                    Place::Word(value) => self.store(*bytes as u8, *addr, value)?,
                    value => {
                        let addr = self.word(*addr)?;
                        self.action(e, Effect::Store { bytes: *bytes, addr, value, sort });
                    }
                }
            }
            Op::Alloc { dst, size, kind, .. } => {
                let size = self.word(*size)?;
                let arbitrary = matches!(kind, ObjectKind::Stack | ObjectKind::Heap);
                self.write_word(*dst, |builder, dst| {
                    builder.action(e, Effect::Alloc { dst, size, arbitrary });
                    Ok(())
                })?;
            }
            Op::Free { addr } | Op::Dead { addr } => {
                let addr = self.word(*addr)?;
                self.action(e, Effect::End { addr, freed: matches!(op, Op::Free { .. }) });
            }
            Op::Copy { dst, src, len } => {
                let (dst, src, len) = (self.word(*dst)?, self.word(*src)?, self.word(*len)?);
                self.action(e, Effect::Copy { dst, src, len });
            }
            Op::Fill { dst, value, len } => {
                let sort = program.terms.sort(*value);
                let (dst, value, len) = (self.word(*dst)?, self.place(*value)?, self.word(*len)?);
                self.action(e, Effect::Fill { dst, value, sort, len });
            }
            Op::Call { callee, args, dst } => self.call(e, *callee, args, *dst)?,
            Op::Escape { addrs, .. } => {
                let addrs = addrs.iter().map(|t| self.word(*t)).collect::<Result<Vec<_>, _>>()?;
                self.action(e, Effect::Escape { addrs });
            }
            Op::Disturb { .. } => self.action(e, Effect::Disturb),
            Op::Print { format, args, stream, dst } => {
                let (format, args, stream) = (self.word(*format)?, self.word(*args)?, *stream);
                match dst {
                    None => self.action(e, Effect::Print { format, args, stream, count: None }),
                    Some(v) => {
                        let width = program.vars[*v].sort.bv_width().unwrap_or(64).min(64) as u8;
                        self.write_word(*v, |builder, reg| {
                            builder.action(e, Effect::Print { format, args, stream, count: Some((reg, width)) });
                            Ok(())
                        })?;
                    }
                }
            }
        }
        Ok(())
    }

    fn call(&mut self, e: Edge, callee: Func, args: &[Term], dst: Option<Var>) -> Result<(), Unsupported> {
        let (mut words, mut cells) = (Vec::new(), Vec::new());
        for (&t, &param) in args.iter().zip(&self.program.functions[callee].params) {
            let value = self.place(t)?;
            match (value, self.home(param)) {
                (Place::Word(src), Some(Place::Word(dst))) => words.push((src, dst)),
                (Place::Heavy(src), Some(Place::Heavy(dst))) => cells.push((src, dst)),
                _ => return Err(Unsupported("a parameter that is not of the called function".into())),
            }
        }
        let result = self.program.functions[callee].result.and_then(|v| self.home(v));
        let result = result.zip(dst.and_then(|v| self.home(v)));
        let index = self.code.calls.len() as u32;
        self.code.calls.push(CallSite { func: self.func, edge: e, callee, entry: 0, words, cells, result });
        let count = self.take_pending() + 1;
        self.emit(Instr::Call(count, index));
        Ok(())
    }

    /// Parallel assignment: all values are computed before any variable changes.
    fn assign(&mut self, pairs: &[(Var, Term)]) -> Result<(), Unsupported> {
        let program = self.program;
        if let [(v, t)] = pairs
            && let Some(Place::Word(reg)) = self.home(*v)
        {
            return self.word_into(*t, reg);
        }
        let homes: Vec<Option<Place>> = pairs.iter().map(|(v, _)| self.home(*v)).collect();
        let is_array = |v: Var| matches!(program.vars[v].sort, Sort::Array(_));
        let mut values = Vec::new();
        for (v, t) in pairs {
            if is_array(*v) {
                self.prepare_array(*t)?;
                values.push(None);
            } else {
                values.push(Some(self.place(*t)?));
            }
        }
        // Values that stand in a variable which is assigned, too, move away first; so do arrays made from others.
        for (i, (v, t)) in pairs.iter().enumerate() {
            match values[i] {
                Some(Place::Word(reg)) if homes.contains(&Some(Place::Word(reg))) && homes[i] != values[i] => {
                    let temp = self.temp_word();
                    self.emit(Instr::Mov(temp, reg));
                    values[i] = Some(Place::Word(temp));
                }
                Some(Place::Heavy(src)) if homes.contains(&values[i]) && homes[i] != values[i] => {
                    let dst = self.temp_cell();
                    self.slow(Slow::Copy { dst, src });
                    values[i] = Some(Place::Heavy(dst));
                }
                None if self.array_leaves(*t).iter().any(|leaf| program.var_of(*leaf) != Some(*v)) => {
                    let cell = self.temp_cell();
                    self.build_array(*t, cell)?;
                    values[i] = Some(Place::Heavy(cell));
                }
                _ => {}
            }
        }
        // Arrays that change in place come first: their indices and elements may stand in variables assigned below.
        for (i, (_, t)) in pairs.iter().enumerate() {
            if let (Some(Place::Heavy(cell)), None) = (homes[i], values[i]) {
                self.build_array(*t, cell)?;
                values[i] = homes[i];
            }
        }
        for (i, (v, _)) in pairs.iter().enumerate() {
            match (homes[i], values[i]) {
                (Some(Place::Word(dst)), Some(Place::Word(src))) if dst != src => self.emit(Instr::Mov(dst, src)),
                (Some(Place::GlobalWord(dst)), Some(Place::Word(src))) => self.emit(Instr::SetGlobal(dst, src)),
                (Some(Place::Heavy(dst)), Some(Place::Heavy(src))) if dst != src => {
                    self.slow(Slow::Copy { dst, src });
                }
                (Some(home), Some(value)) if home == value => {}
                _ => return Err(Unsupported(format!("'{}' cannot be assigned", program.name(*v)))),
            }
        }
        Ok(())
    }
}
