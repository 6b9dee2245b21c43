//! Which events of a run matter for its error: dynamic slicing (Korel and Laski, 1988), backwards along what was watched.
//!
//! An event matters if it writes what is needed later, or decides whether something that matters is reached. Memory is needed
//! byte by byte. A loop that was left is one step; where not all that happened in it is known, it writes and reads what its
//! edges may. What the C library does is told at the call that the user wrote.

use crate::execution::is_users;
use crate::facts::{Effects, is_store, reads};
use crate::model::{Change, Place, Related, Step, Value as Named};
use crate::null::Trail;
use crate::objects::{Objects, Via};
use crate::walk::{AllFacts, Done, Event, Touched, Watched, What};
use base::{Id, Span};
use cfa::{Edge, Func, Loc, Op, Program, Var, VarKind};
use flow::LoopId;
use interpreter::{Ending, Outcome, Site};
use std::collections::{BTreeMap, BTreeSet};
use term::Value;

/// Longer stretches are not followed byte by byte.
const MOST_BYTES: u64 = 4096;
/// So many cells that a loop changes are shown.
const MOST_CELLS: usize = 6;

/// What a run came to, as far as it matters.
pub(crate) struct Matters {
    pub(crate) steps: Vec<Step>,
    /// What the failing condition speaks of.
    pub(crate) values: Vec<Named>,
    /// Where a function returned the null pointer that the violation goes through.
    pub(crate) null: Option<Related>,
    /// By the number of each input: whether it matters.
    inputs: BTreeSet<usize>,
    /// Edges in loops of which only the last iteration is known, and whose inputs matter.
    sites: BTreeSet<Site>,
}

impl Matters {
    pub(crate) fn input(&self, index: usize, site: Site) -> bool {
        self.inputs.contains(&index) || self.sites.contains(&site)
    }
}

/// The steps that matter, from first to last, and what goes with them.
pub(crate) fn slice(program: &Program, outcome: &Outcome, watched: &Watched<'_>) -> Matters {
    let mut slice = Slice {
        program,
        facts: &watched.facts,
        objects: &watched.objects,
        needed: BTreeSet::new(),
        bytes: BTreeSet::new(),
        memory: false,
        branches: BTreeSet::new(),
        entered: Vec::new(),
        changed: Changed::default(),
        library: BTreeMap::new(),
        focus: focus(program, outcome),
        failing: focus(program, outcome).map_or(0, |(depth, _)| depth),
        is_assertion: matches!(&outcome.ending, Ending::Error(violation)
            if matches!(violation.property, cfa::Property::UnreachCall | cfa::Property::Assert)),
        values: Vec::new(),
        inputs: BTreeSet::new(),
        sites: BTreeSet::new(),
        object: watched.fault.as_ref().and_then(|fault| fault.object),
        is_leak: watched.fault.as_ref().is_some_and(|fault| fault.is_leak),
        null: Trail::new(program),
    };
    let depth = outcome.call_path.len();
    slice.null.begin(depth, watched.fault.as_ref().and_then(|fault| fault.null));
    slice.entered = vec![true; depth + 1];
    slice.reached(depth, outcome.location.0, outcome.location.1);
    let mut steps: Vec<Step> = Vec::new();
    for event in watched.events.iter().rev() {
        slice.event(event, &mut steps);
    }
    steps.reverse();
    let Slice { mut values, inputs, sites, null, .. } = slice;
    values.reverse();
    Matters { steps, values, null: null.found(), inputs, sites }
}

/// The statement that fails: the activation and the line that it is in.
fn focus(program: &Program, outcome: &Outcome) -> Option<(usize, Span)> {
    let (func, loc) = outcome.location;
    let own = (outcome.call_path.len(), program.functions[func].locs[loc].span);
    let calls = outcome.call_path.iter().enumerate().rev();
    let calls = calls.map(|(depth, (func, edge))| (depth, program.functions[*func].edges[*edge].span));
    std::iter::once(own).chain(calls).find(|(depth, span)| *depth > 0 && is_users(program, *span))
}

struct Slice<'a> {
    program: &'a Program,
    facts: &'a AllFacts,
    objects: &'a Objects<'a>,
    /// Variables whose values are needed, with the activation they belong to (0 for those of the whole program).
    needed: BTreeSet<(usize, Var)>,
    /// Bytes of memory that are needed.
    bytes: BTreeSet<u64>,
    /// All of memory is.
    memory: bool,
    /// Branches that decide about what matters.
    branches: BTreeSet<(usize, Func, Loc)>,
    /// Whether something matters in the activation at each depth.
    entered: Vec<bool>,
    changed: Changed,
    /// What the library call at hand has written: what each byte holds in the end, and whether that matters.
    library: BTreeMap<u64, (u8, bool)>,
    focus: Option<(usize, Span)>,
    /// The activation that the failing condition is in.
    failing: usize,
    /// What fails is an assertion, rather than an operation.
    is_assertion: bool,
    values: Vec<Named>,
    inputs: BTreeSet<usize>,
    sites: BTreeSet<Site>,
    /// The object that the violation is about: where it was made and freed matters.
    object: Option<u64>,
    /// It was never freed: every branch since it was made matters.
    is_leak: bool,
    null: Trail<'a>,
}

/// What memory held before and after, and by which pointer it was written.
type Contents = (Vec<u8>, Vec<u8>, Via);

/// One run through a loop, from its entry to its exit, with the values of what it writes.
struct LoopRun<'a> {
    depth: usize,
    func: Func,
    id: LoopId,
    iterations: u64,
    before: &'a [Option<Value>],
    after: &'a [Option<Value>],
}

/// What events that matter have changed.
#[derive(Default)]
struct Changed {
    any: bool,
    vars: BTreeSet<Var>,
    /// By address and length: what it held before and after.
    cells: BTreeMap<(u64, u64), Contents>,
}

impl Changed {
    /// `self` came later.
    fn after(&mut self, earlier: Changed) {
        self.any |= earlier.any;
        self.vars.extend(earlier.vars);
        for (key, (before, after, via)) in earlier.cells {
            self.cells.entry(key).and_modify(|known| known.0 = before.clone()).or_insert((before, after, via));
        }
    }
}

impl Slice<'_> {
    fn key(&self, depth: usize, var: Var) -> (usize, Var) {
        match self.program.vars[var].kind {
            VarKind::Local(_) => (depth + 1, var),
            VarKind::Global | VarKind::Memory => (0, var),
        }
    }

    fn is_needed(&self, depth: usize, var: Var) -> bool {
        self.needed.contains(&self.key(depth, var))
    }

    fn need(&mut self, depth: usize, vars: impl IntoIterator<Item = Var>) {
        for var in vars {
            let key = self.key(depth, var);
            self.needed.insert(key);
        }
    }

    fn need_bytes(&mut self, touched: &Touched) {
        if touched.len > MOST_BYTES {
            self.memory = true;
        } else {
            self.bytes.extend((0..touched.len).map(|i| touched.address.wrapping_add(i)));
        }
    }

    fn needs_bytes(&self, touched: &Touched) -> bool {
        self.memory || self.bytes.range(touched.address..touched.address.saturating_add(touched.len)).next().is_some()
    }

    /// It matters that control came to the location.
    fn reached(&mut self, depth: usize, func: Func, loc: Loc) {
        if let Some(facts) = &self.facts[func.index()] {
            self.branches.extend(facts.controllers[loc.index()].iter().map(|branch| (depth, func, *branch)));
        }
        if self.entered.len() <= depth {
            self.entered.resize(depth + 1, false);
        }
        self.entered[depth] = true;
    }

    fn event(&mut self, event: &Event, steps: &mut Vec<Step>) {
        let (depth, func) = (event.depth, event.func);
        match &event.what {
            What::Loop { id, iterations, before, after, inner } => {
                let run = LoopRun { depth, func, id: *id, iterations: *iterations, before, after };
                match inner {
                    Some(inner) => self.known_loop(&run, inner, steps),
                    None => self.a_loop(&run, steps),
                }
            }
            What::Return(edge, done) => self.came_back(depth, func, *edge, done, steps),
            What::Edge(edge, done) => {
                let info = &self.program.functions[func].edges[*edge];
                match &info.op {
                    Op::Call { callee, args, .. } => {
                        self.called(depth, func, info, *callee, args, steps);
                        self.look(depth, info.span, done);
                    }
                    Op::Assume(_) => {
                        let is_users = self.is_leak && is_users(self.program, info.span);
                        if self.branches.remove(&(depth, func, info.from)) || is_users {
                            self.changed.any = true;
                            self.look(depth, info.span, done);
                            self.need(depth, reads(self.program, &info.op));
                            self.reached(depth, func, info.from);
                        }
                    }
                    op => self.operation(depth, func, info, op, done, steps),
                }
            }
        }
    }

    fn operation(
        &mut self,
        depth: usize,
        func: Func,
        info: &cfa::EdgeInfo,
        op: &Op,
        done: &Done,
        steps: &mut Vec<Step>,
    ) {
        let in_library = !is_users(self.program, info.span);
        let written: Vec<Var> = op.written().into_iter().filter(|v| self.is_needed(depth, *v)).collect();
        let stored: Vec<&Touched> = done.stores.iter().filter(|touched| self.needs_bytes(touched)).collect();
        if in_library {
            self.by_library(&done.stores);
        }
        let is_about = self.object.is_some() && done.object == self.object;
        if written.is_empty() && stored.is_empty() && !is_about {
            return;
        }
        self.null.wrote(depth, info);
        self.is_leak &= !(is_about && matches!(op, Op::Alloc { .. }));
        self.changed.any = true;
        self.show(depth, func, info.span, &done.values, &written, steps);
        if !in_library {
            for touched in &stored {
                self.show_stored(depth, func, info.span, op, touched, steps);
            }
        }
        for touched in stored {
            self.stored(touched);
        }
        for var in &written {
            self.needed.remove(&self.key(depth, *var));
            self.changed.vars.insert(*var);
        }
        done.loads.iter().for_each(|touched| self.need_bytes(touched));
        self.inputs.extend(done.inputs.clone());
        self.look(depth, info.span, done);
        match op {
            Op::Assign(pairs) => {
                let used: Vec<term::Term> =
                    pairs.iter().filter(|(v, _)| written.contains(v)).map(|(_, t)| *t).collect();
                let symbols = term::walk::free_vars(&self.program.terms, &used);
                let vars: Vec<Var> = symbols.into_iter().filter_map(|s| self.program.var_of(s)).collect();
                self.need(depth, vars);
            }
            _ => self.need(depth, reads(self.program, op)),
        }
        self.reached(depth, func, info.from);
    }

    /// Memory that was needed got its contents here.
    fn stored(&mut self, touched: &Touched) {
        let change = (touched.before.clone(), touched.after.clone(), touched.via);
        let mut earlier = Changed::default();
        earlier.cells.insert((touched.address, touched.len), change);
        self.changed.after(earlier);
        if touched.len <= MOST_BYTES {
            for i in 0..touched.len {
                self.bytes.remove(&touched.address.wrapping_add(i));
            }
        }
    }

    /// What the library wrote, to be told at the call. Later writes come first.
    fn by_library(&mut self, stores: &[Touched]) {
        for touched in stores {
            for (i, byte) in (0..).zip(&touched.after) {
                let at = touched.address.wrapping_add(i);
                let matters = self.memory || self.bytes.contains(&at);
                let known = self.library.entry(at).or_insert((*byte, false));
                known.1 |= matters;
            }
        }
    }

    /// The user called the library: what it wrote that matters is told here.
    fn show_library(&mut self, depth: usize, func: Func, span: Span, by: &str, steps: &mut Vec<Step>) {
        let written: Vec<(u64, u8, bool)> =
            std::mem::take(&mut self.library).into_iter().map(|(at, (byte, matters))| (at, byte, matters)).collect();
        let mut rest = &written[..];
        let mut told = Vec::new();
        while let Some((at, ..)) = rest.first() {
            let run = (0..).zip(rest).take_while(|(i, (address, ..))| at + i == *address).count();
            let bytes: Vec<u8> = rest[..run].iter().map(|(_, byte, _)| *byte).collect();
            let sizes = [8, 4, 2, 1].into_iter().filter(|size| *size <= run);
            let (named, len) = match self.objects.string(*at, &bytes) {
                Some(named) => (Some(named), run),
                None => {
                    let mut cells = sizes.filter_map(|size| Some((self.objects.cell(*at, size as u64, None)?, size)));
                    match cells.next() {
                        Some((cell, size)) => {
                            let value = self.objects.show(&cell, &bytes[..size]);
                            (Some((cell.name, value)), size)
                        }
                        None => (None, 1),
                    }
                }
            };
            if rest[..len].iter().any(|(.., matters)| *matters) {
                told.extend(named);
            }
            rest = &rest[len..];
        }
        for (name, value) in told.into_iter().rev() {
            steps.push(self.step(depth, func, span, Some(by), name, value));
        }
    }

    /// What the statement that fails reads.
    fn look(&mut self, depth: usize, span: Span, done: &Done) {
        let Some((at, statement)) = self.focus else { return };
        if at != depth {
            return;
        }
        let lines = span.line..=span.end_line.max(span.line);
        if span.file != statement.file || !lines.contains(&statement.line) {
            self.focus = None;
            return;
        }
        for touched in done.loads.iter().rev() {
            if let Some(cell) = self.objects.cell(touched.address, touched.len, touched.via) {
                let value = self.objects.show(&cell, &touched.before);
                if !cell.is_pointer() || value == "NULL" {
                    self.value(cell.name, value);
                }
            }
        }
        for (var, now) in done.read.iter().rev() {
            let Some(source) = &self.program.vars[*var].source else { continue };
            let value = self.objects.show_variable(source, now);
            if !source.pointer || value == "NULL" {
                self.value(source.name.clone(), value);
            }
        }
    }

    fn value(&mut self, name: String, value: String) {
        if self.values.iter().all(|known| known.name != name) {
            self.values.push(Named { name, value });
        }
    }

    /// A call came back: its result is what the callee's result variable held.
    fn came_back(&mut self, depth: usize, func: Func, edge: Edge, done: &Done, steps: &mut Vec<Step>) {
        self.entered.truncate(depth + 1);
        let info = &self.program.functions[func].edges[edge];
        let Op::Call { callee, dst, .. } = &info.op else { return };
        if is_users(self.program, info.span) {
            self.library.clear();
        }
        let Some(dst) = dst.filter(|dst| self.is_needed(depth, *dst)) else { return };
        let is_null = self.null.came_back(depth, info, dst, *callee);
        self.changed.any = true;
        self.changed.vars.insert(dst);
        self.show(depth, func, info.span, &done.values, &[dst], steps);
        if self.focus.is_some_and(|(at, statement)| at == depth && statement.line == info.span.line)
            && self.program.vars[dst].source.is_none()
            && let Some((_, now)) = done.values.iter().find(|(var, _)| *var == dst)
            && let Some(call) = self.program.sources.text(info.span)
        {
            let signed = self.program.functions[*callee]
                .result
                .is_none_or(|v| self.program.vars[v].source.as_ref().is_none_or(|source| source.signed));
            self.value(call, if is_null { "NULL".to_owned() } else { crate::value::show(now, signed) });
        }
        self.needed.remove(&self.key(depth, dst));
        self.need(depth + 1, self.program.functions[*callee].result);
        // That the call was made matters, whether or not anything in it is seen to.
        self.reached(depth + 1, *callee, self.program.functions[*callee].exit);
    }

    /// The beginning of an activation: what is needed of its parameters is needed of the arguments.
    fn called(
        &mut self,
        depth: usize,
        func: Func,
        info: &cfa::EdgeInfo,
        callee: Func,
        args: &[term::Term],
        steps: &mut Vec<Step>,
    ) {
        let inner = depth + 1;
        self.null.called(depth, callee, args);
        let matters = self.entered.get(inner).copied().unwrap_or(false);
        for (param, arg) in self.program.functions[callee].params.iter().zip(args) {
            if self.is_needed(inner, *param) {
                let symbols = term::walk::free_vars(&self.program.terms, &[*arg]);
                let vars: Vec<Var> = symbols.into_iter().filter_map(|s| self.program.var_of(s)).collect();
                self.need(depth, vars);
            }
        }
        if is_users(self.program, info.span) && !is_users(self.program, self.program.functions[callee].span) {
            let by = cfa::known_as(&self.program.functions[callee].name);
            self.show_library(depth, func, info.span, by, steps);
        }
        // The condition that a function of assertions is given is the caller's.
        let is_given = self.is_assertion && self.program.functions[callee].params.len() == 1;
        let is_parameter = |known: &Named| {
            let mut params = self.program.functions[callee].params.iter();
            params.any(|v| self.program.vars[*v].source.as_ref().is_some_and(|source| source.name == known.name))
        };
        if is_given && self.failing == inner && !self.values.is_empty() && self.values.iter().all(is_parameter) {
            self.values.clear();
            self.failing = depth;
            self.focus = Some((depth, info.span));
        }
        self.needed.retain(|(at, _)| *at <= depth + 1);
        self.branches.retain(|(at, ..)| *at <= depth);
        if matters {
            self.changed.any = true;
            self.entered.truncate(inner);
            self.reached(depth, func, info.from);
        }
    }

    /// A loop of which everything is known.
    fn known_loop(&mut self, run: &LoopRun<'_>, inner: &[Event], steps: &mut Vec<Step>) {
        let later = std::mem::take(&mut self.changed);
        let focus = self.focus.take();
        let mut inside = Vec::new();
        for event in inner.iter().rev() {
            self.event(event, &mut inside);
        }
        self.focus = focus.filter(|(at, _)| *at < run.depth);
        let changed = std::mem::replace(&mut self.changed, later);
        if changed.any {
            let mut changes = self.changes(run, |var| changed.vars.contains(&var));
            changes.extend(self.cell_changes(&changed));
            self.push_loop(run, changes, steps);
        }
        self.changed.after(changed);
    }

    fn a_loop(&mut self, run: &LoopRun<'_>, steps: &mut Vec<Step>) {
        let LoopRun { depth, func, id, .. } = *run;
        self.null.end();
        let Some(all) = &self.facts[func.index()] else { return };
        let facts = &all.of_loop[id];
        let effects = Effects::of(self.program, func, facts.edges.iter().copied());
        let written: BTreeSet<Var> = effects.writes.into_iter().filter(|v| self.is_needed(depth, *v)).collect();
        self.memory |= !self.bytes.is_empty() && effects.stores;
        if written.is_empty() && !(self.memory && effects.stores) {
            return;
        }
        self.changed.any = true;
        self.focus = self.focus.filter(|(at, _)| *at < depth);
        let header = all.loops.loops[id].header;
        let used = self.inside(func, &facts.edges, written);
        self.need(depth, used);
        self.reached(depth, func, header);
        let changes = self.changes(run, |var| self.is_needed(depth, var));
        self.push_loop(run, changes, steps);
    }

    fn changes(&self, run: &LoopRun<'_>, matters: impl Fn(Var) -> bool) -> Vec<Change> {
        let LoopRun { func, id, .. } = *run;
        let Some(all) = &self.facts[func.index()] else { return Vec::new() };
        let mut changes = Vec::new();
        for (var, pair) in all.of_loop[id].writes.iter().zip(run.before.iter().zip(run.after)) {
            let (Some(source), (Some(from), Some(to))) = (&self.program.vars[*var].source, pair) else { continue };
            if from != to && matters(*var) {
                let show = |value| self.objects.show_variable(source, value);
                changes.push(Change { name: source.name.clone(), from: show(from), to: show(to) });
            }
        }
        changes
    }

    /// Memory before and after a loop, as far as it has names; text as one.
    fn cell_changes(&self, changed: &Changed) -> Vec<Change> {
        let mut cells: Vec<_> = changed.cells.iter().collect();
        let mut changes = Vec::new();
        let mut addresses = Vec::new();
        while let Some(((address, len), (before, after, via))) = cells.first().copied() {
            let is_next = |(i, cell): &(usize, &(&(u64, u64), _))| *cell.0 == (address + *i as u64, 1);
            let run = cells.iter().enumerate().take_while(is_next).count();
            let text: Vec<u8> = cells[..run].iter().flat_map(|(_, (_, after, _))| after).copied().collect();
            if let Some((name, to)) = self.objects.string(*address, &text) {
                changes.push(Change { name, from: String::new(), to });
                addresses.push(*address);
                cells.drain(..run);
                continue;
            }
            if before != after
                && let Some(cell) = self.objects.cell(*address, *len, *via)
            {
                let [from, to] = [before, after].map(|bytes| self.objects.show(&cell, bytes));
                changes.push(Change { name: cell.name, from, to });
                addresses.push(*address);
            }
            cells.remove(0);
        }
        changes.truncate(MOST_CELLS);
        // One pointer may have led to several blocks.
        let names: Vec<String> = changes.iter().map(|change| change.name.clone()).collect();
        for (change, address) in changes.iter_mut().zip(addresses) {
            let is_ambiguous = names.iter().filter(|name| **name == change.name).count() > 1;
            if let Some(block) = self.objects.block_at(address).filter(|_| is_ambiguous) {
                change.name += &format!(" in {block}");
            }
        }
        changes
    }

    fn push_loop(&self, run: &LoopRun<'_>, changes: Vec<Change>, steps: &mut Vec<Step>) {
        let LoopRun { depth, func, id, iterations, .. } = *run;
        let Some(all) = &self.facts[func.index()] else { return };
        let span = all.of_loop[id].span;
        if !is_users(self.program, span) {
            return;
        }
        steps.push(Step::Loop {
            place: Place::of(&self.program.sources, span),
            function: self.program.functions[func].name.clone(),
            depth: shown_depth(depth),
            iterations,
            changes,
        });
    }

    /// What matters in a loop that matters: what its branches read, and what goes into variables that matter.
    fn inside(&mut self, func: Func, edges: &[Edge], mut matter: BTreeSet<Var>) -> BTreeSet<Var> {
        let program = self.program;
        loop {
            let before = (matter.len(), self.memory);
            for edge in edges {
                let op = &program.functions[func].edges[*edge].op;
                let of_call = match op {
                    Op::Call { callee, .. } => Effects::of(program, *callee, program.functions[*callee].edges.ids()),
                    _ => Effects::default(),
                };
                let writes = op.written().iter().chain(&of_call.writes).any(|v| matter.contains(v));
                let stores = self.memory && (is_store(op) || of_call.stores);
                if writes || stores || matches!(op, Op::Assume(_)) {
                    matter.extend(reads(program, op));
                    matter.extend(of_call.reads);
                    self.memory |= of_call.loads || matches!(op, Op::Load { .. } | Op::Copy { .. });
                    if matches!(op, Op::Havoc { .. }) {
                        self.sites.insert((func, *edge));
                    }
                    self.sites.extend(of_call.inputs);
                }
            }
            if (matter.len(), self.memory) == before {
                return matter;
            }
        }
    }

    fn show(&self, depth: usize, func: Func, span: Span, values: &[(Var, Value)], of: &[Var], steps: &mut Vec<Step>) {
        for (var, now) in values.iter().filter(|(var, _)| of.contains(var)) {
            let Some(source) = &self.program.vars[*var].source else { continue };
            let value = self.objects.show_variable(source, now);
            steps.push(self.step(depth, func, span, None, source.name.clone(), value));
        }
    }

    /// A store of the user's, by the name of what it wrote; of several parts, those that are needed.
    fn show_stored(&self, depth: usize, func: Func, span: Span, op: &Op, touched: &Touched, steps: &mut Vec<Step>) {
        if func == self.program.entry {
            return;
        }
        let by = if let Op::Disturb { by } = op { Some(by.as_str()) } else { None };
        let remark = if let Op::Alloc { .. } = op { " (uninitialised)" } else { "" };
        if let Op::Alloc { .. } = op
            && let Some((name, value)) = self.objects.string(touched.address, &touched.after)
        {
            steps.push(self.step(depth, func, span, by, name, value + remark));
            return;
        }
        let mut at = 0;
        let mut parts = Vec::new();
        while at < touched.after.len() {
            let address = touched.address + at as u64;
            let sizes = [touched.after.len(), 8, 4, 2, 1].into_iter().filter(|size| at + size <= touched.after.len());
            let mut cells =
                sizes.filter_map(|size| Some((self.objects.cell(address, size as u64, touched.via)?, size)));
            let (cell, size) = cells.next().map_or((None, 1), |(cell, size)| (Some(cell), size));
            if let Some(cell) = cell
                && self.bytes.range(address..address + size as u64).next().is_some()
            {
                let value = self.objects.show(&cell, &touched.after[at..at + size]) + remark;
                parts.push(self.step(depth, func, span, by, cell.name, value));
            }
            at += size;
        }
        parts.truncate(MOST_CELLS);
        steps.extend(parts.into_iter().rev());
    }

    fn step(&self, depth: usize, func: Func, span: Span, by: Option<&str>, name: String, value: String) -> Step {
        Step::Assign {
            place: Place::of(&self.program.sources, span),
            function: self.program.functions[func].name.clone(),
            depth: shown_depth(depth),
            by: by.map(str::to_owned),
            name,
            value,
            line: self.program.sources.line(span).map(|line| line.trim().to_owned()),
        }
    }
}

/// The generated start function is no call of the user's.
fn shown_depth(depth: usize) -> usize {
    depth.saturating_sub(1)
}
