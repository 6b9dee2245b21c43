//! One automaton for the whole program: every call is replaced by a copy of its callee.
//!
//! Each copy has its own locals and its own frame (chain of calls). Calls that are no recursion come first, then copies of
//! recursive functions are made breadth-first, those with fewest detours first (`ways`), as long as they have room: what is left
//! then becomes bound-hit locations, where it hurts least. Functions that call each other from several places have exponentially many
//! copies before any of them is active twice, so it is edges that are counted, and before each copy is made. Whoever needs
//! more inlines again with more room ([`is_cut_short`]), or has calls share copies ([`Recursion::Share`]). Before a copy is made, constants among the arguments are propagated
//! through the callee, and what they make unreachable is not copied: without that, dispatch over function pointers multiplies.
//!
//! Whether every execution ends can be asked without a bound on recursion ([`Recursion::Chain`]): of the calls in an infinite
//! execution each either returns or does not. One that returns has some result; one that does not is a jump to the
//! entry of its function, from which nobody comes back. That program has no calls, and an infinite execution if the
//! original has one.

mod copy;
mod shared;
mod variant;
mod ways;

use crate::constants::Symbols;
use crate::edit::{Facts, effects};
use base::{Id, Span, Table};
use cfa::{
    Edge, EdgeInfo, Frame, FrameInfo, Func, Function, Loc, LocKind, Location, ObjectKind, Op, Program, Var, VarKind,
};
use copy::Copier;
use flow::{CallGraph, TermVars};
use rustc_hash::{FxHashMap, FxHashSet};
use shared::SharedCopies;
use std::collections::{BTreeMap, VecDeque};
use term::{Sort, Term};
use variant::{Variant, Variants};

/// What becomes of a call of a function that is active already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recursion {
    /// Another copy, up to the bounds.
    Unroll,
    /// Another copy, but where that leaves no room for all of them one for all calls of the function at the same depth (`shared`).
    Share,
    /// It returns something, or jumps back and never returns. Has an infinite execution if the original program has one,
    /// and others that it has not: good for proofs that there is none.
    Chain,
}

/// Bounds of inlining.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    pub calls: Recursion,
    /// How often a function may be active above itself.
    pub depth: usize,
    /// So many edges recursion may add to those that the program has without it.
    pub room: usize,
    /// Edges of the whole program.
    pub edges: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { calls: Recursion::Share, depth: 400, room: ROOM, edges: 400_000 }
    }
}

/// The usual room for recursion: what can be prepared in a moment.
pub const ROOM: usize = 20_000;

/// How the reason ends where recursion has no more room.
const TOO_LARGE: &str = "unrolled further, the program becomes too large";

/// Whether the location is there because recursion had no more room.
pub fn is_cut_short(kind: &LocKind) -> bool {
    matches!(kind, LocKind::BoundHit(why) if why.ends_with(TOO_LARGE))
}

/// Where the parts of the inlined program come from, in the program with functions.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    pub locs: Table<Loc, Option<(Func, Loc)>>,
    /// For copies of locals: the local. Other variables are themselves.
    pub vars: FxHashMap<Var, Var>,
}

/// A call whose callee has not been copied yet.
struct Pending {
    from: Loc,
    to: Loc,
    callee: Func,
    args: Vec<Term>,
    /// The arguments that are known.
    known: Vec<Option<Term>>,
    dst: Option<Var>,
    frame: Frame,
    site: (Func, Edge),
    span: Span,
    /// Of the chain of calls down to the callee.
    detours: usize,
}

/// The copy of a recursive function that is being executed.
#[derive(Clone)]
struct Active {
    start: Loc,
    params: Vec<Var>,
    /// Whether it was jumped to, so that it does not return.
    jumped: Var,
}

/// Inlines all calls.
pub fn inline(program: Program, settings: &Settings) -> (Program, Origins) {
    if settings.calls == Recursion::Share {
        let unrolled = inline_as(program.clone(), &Settings { calls: Recursion::Unroll, ..*settings });
        if !unrolled.0.main().locs.values().any(|l| is_cut_short(&l.kind)) {
            return unrolled;
        }
    }
    inline_as(program, settings)
}

fn inline_as(mut program: Program, settings: &Settings) -> (Program, Origins) {
    let functions = std::mem::take(&mut program.functions);
    let entry = program.entry;
    let mut inliner = Inliner::new(program, functions, settings);
    let (start, end) = inliner.root(entry);
    inliner.run();
    inliner.finish(entry, start, end)
}

struct Inliner<'s> {
    program: Program,
    functions: Table<Func, Function>,
    settings: &'s Settings,
    calls: CallGraph,
    variants: Variants,
    copier: Copier,
    locs: Table<Loc, Location>,
    edges: Table<Edge, EdgeInfo>,
    origins: Origins,
    /// The function of each frame, and the detours of its chain of calls.
    frame_function: Table<Frame, Func>,
    detours: Table<Frame, usize>,
    ways: Table<Func, FxHashSet<Edge>>,
    /// With [`Recursion::Share`].
    shared: SharedCopies,
    /// What calls that do not return jump to, with [`Recursion::Chain`].
    active: FxHashMap<Frame, Active>,
    /// The functions that write memory or change which objects there are.
    writes_memory: Table<Func, bool>,
    /// Calls to copy: first those that are no recursion (rank 0), then by detours.
    pending: BTreeMap<usize, VecDeque<Pending>>,
    /// How many edges there were before the first call of a recursive function was followed.
    without_recursion: Option<usize>,
}

impl<'s> Inliner<'s> {
    fn new(mut program: Program, functions: Table<Func, Function>, settings: &'s Settings) -> Inliner<'s> {
        // The analyses want the functions in their place.
        program.functions = functions;
        let calls = CallGraph::of(&program);
        let effects = effects(&program);
        let mut vars = TermVars::of(&program);
        let symbols = written_once(&program, &effects, &mut vars);
        let copier = Copier::new(program.functions.len());
        let ways = ways::cheapest_ways(&program, &calls);
        let writes_memory = writes_memory(&program, &calls);
        let variants = Variants::new(&program, effects, symbols, vars);
        let functions = std::mem::take(&mut program.functions);
        Inliner {
            program,
            functions,
            settings,
            calls,
            variants,
            copier,
            locs: Table::new(),
            edges: Table::new(),
            origins: Origins::default(),
            frame_function: Table::new(),
            detours: Table::new(),
            ways,
            shared: SharedCopies::default(),
            active: FxHashMap::default(),
            writes_memory,
            pending: BTreeMap::new(),
            without_recursion: None,
        }
    }

    fn root(&mut self, entry: Func) -> (Loc, Loc) {
        self.frame_function.push(entry);
        self.detours.push(0);
        let variant = self.variants.of(&mut self.program, &mut self.functions, entry, &[]);
        self.copy(entry, Frame::ROOT, &variant)
    }

    fn run(&mut self) {
        while let Some(mut first) = self.pending.first_entry() {
            let call = first.get_mut().pop_front();
            if first.get().is_empty() {
                first.remove();
            }
            if let Some(call) = call {
                self.call(call);
            }
        }
    }

    fn call(&mut self, call: Pending) {
        let settings = self.settings;
        let is_recursive = self.calls.is_recursive(call.callee);
        if settings.calls == Recursion::Share && self.is_shared(&call) {
            return self.share(call);
        }
        let depth = if is_recursive { self.active(call.frame, call.callee) } else { 0 };
        let chained = settings.calls == Recursion::Chain && is_recursive;
        if chained && depth > 0 {
            return self.chain(call);
        }
        if depth > settings.depth {
            let why = format!("recursion of {} deeper than {depth}", self.recursion(call.callee));
            return self.bound(call, why);
        }
        // What is known of the first call is not of those that jump back.
        let some_known = !chained && call.known.iter().any(Option::is_some);
        let known = if some_known { &call.known[..] } else { &[] };
        let variant = self.variants.of(&mut self.program, &mut self.functions, call.callee, known);
        let edges = self.edges.len() + variant.edges.len();
        if is_recursive && !chained {
            let room = *self.without_recursion.get_or_insert(self.edges.len()) + settings.room;
            if edges > room {
                let why = format!("recursion of {} deeper than {depth}: {TOO_LARGE}", self.recursion(call.callee));
                return self.bound(call, why);
            }
        }
        if edges > settings.edges {
            return self.bound(call, "program too large after inlining".to_owned());
        }
        let frame = self.frame_of(&call);
        let (start, end) = self.copy(call.callee, frame, &variant);
        let callee = &self.functions[call.callee];
        let params: Vec<Var> = callee.params.iter().map(|v| self.copier.var(*v)).collect();
        let result = call.dst.zip(callee.result.map(|v| self.copier.var(v)));
        let edge = |from, to, op| EdgeInfo { from, to, op, span: call.span, site: Some(call.site) };
        let mut assigned: Vec<(Var, Term)> = params.iter().copied().zip(call.args).collect();
        let mut end = end;
        if chained {
            let name = format!("{}::$jumped", callee.name);
            let jumped = self.program.add_var(&name, Sort::Bool, VarKind::Local(call.callee), None);
            let (flag, no) = (self.program.term(jumped), self.program.terms.ff());
            assigned.push((jumped, no));
            self.active.insert(frame, Active { start, params, jumped });
            let returns = self.locs.push(Location { frame, ..Location::plain(call.span) });
            self.origins.locs.push(None);
            let called = self.program.terms.not(flag);
            self.edges.push(edge(end, returns, Op::Assume(called)));
            end = returns;
        }
        self.edges.push(edge(call.from, start, Op::Assign(assigned)));
        let returned = Op::Assign(result.map(|(dst, v)| (dst, self.program.term(v))).into_iter().collect());
        self.edges.push(edge(end, call.to, returned));
    }

    fn frame_of(&mut self, call: &Pending) -> Frame {
        self.frame_function.push(call.callee);
        self.detours.push(call.detours);
        self.program.frames.push(FrameInfo {
            caller: Some(call.frame),
            function: self.functions[call.callee].name.clone(),
            site: Some(call.site),
            call_span: call.span,
        })
    }

    /// A call of a function that is active: it returns, with any effect, or it does not, and then it is a jump.
    fn chain(&mut self, call: Pending) {
        if self.writes_memory[call.callee] {
            let why = format!("recursion of '{}', which changes memory", self.functions[call.callee].name);
            return self.bound(call, why);
        }
        let mut frame = call.frame;
        while self.frame_function[frame] != call.callee {
            frame = self.program.frames[frame].caller.expect("the callee is active");
        }
        let Active { start, params, jumped } = self.active[&frame].clone();
        let edge = |to, op| EdgeInfo { from: call.from, to, op, span: call.span, site: Some(call.site) };
        let mut vars = self.variants.written(call.callee).to_vec();
        vars.extend(call.dst.filter(|v| !vars.contains(v)));
        let yes = self.program.terms.tt();
        let assigned = params.into_iter().zip(call.args).chain([(jumped, yes)]).collect();
        self.edges.push(edge(call.to, Op::Havoc { vars, origin: cfa::Origin::Internal }));
        self.edges.push(edge(start, Op::Assign(assigned)));
    }

    /// The function and those that it is mutually recursive with, for people.
    fn recursion(&self, function: Func) -> String {
        const NAMED: usize = 6;
        let name = |f: Func| format!("'{}'", self.functions[f].name);
        let others: Vec<Func> = self.calls.component(function).iter().copied().filter(|f| *f != function).collect();
        if others.is_empty() {
            return name(function);
        }
        let mut names: Vec<String> = others.iter().take(NAMED).map(|f| name(*f)).collect();
        if others.len() > NAMED {
            names.push(format!("{} more", others.len() - NAMED));
        }
        format!("{} (by way of {})", name(function), names.join(", "))
    }

    /// The call is not followed: getting there makes the answer unknown.
    fn bound(&mut self, call: Pending, why: String) {
        let place = Location { kind: LocKind::BoundHit(why), frame: call.frame, ..Location::plain(call.span) };
        let to = self.locs.push(place);
        self.origins.locs.push(None);
        let op = Op::Assume(self.program.terms.tt());
        self.edges.push(EdgeInfo { from: call.from, to, op, span: call.span, site: Some(call.site) });
    }

    /// Copies a function; its calls are pending then. Returns its entry and exit.
    fn copy(&mut self, function: Func, frame: Frame, variant: &Variant) -> (Loc, Loc) {
        let f = &self.functions[function];
        self.copier.start(&mut self.program, function, frame, &variant.vars, &mut self.origins);
        let mut number: FxHashMap<Loc, Loc> = FxHashMap::default();
        for l in &variant.locs {
            let stale = f.locs[*l].stale.iter().map(|v| self.copier.var(*v)).collect();
            let new = self.locs.push(Location { frame, stale, ..f.locs[*l].clone() });
            self.origins.locs.push(Some((function, *l)));
            number.insert(*l, new);
        }
        let mut calls = variant.calls.iter();
        for e in &variant.edges {
            let EdgeInfo { from, to, op, span, site } = &f.edges[*e];
            let (from, to) = (number[from], number[to]);
            let site = site.unwrap_or((function, *e));
            let op = self.copier.op(&mut self.program, op);
            let op = match op {
                Op::Call { callee, args, dst } => {
                    let known = calls.next().expect("one entry for each call").clone();
                    let recurs = self.calls.mutually_recursive(function, callee);
                    // Shared copies are few: all of one depth come before those of the next.
                    let is_detour =
                        recurs && (self.settings.calls == Recursion::Share || !self.ways[function].contains(e));
                    let detours = self.detours[frame] + usize::from(is_detour);
                    let rank = if self.calls.is_recursive(callee) { detours + 1 } else { 0 };
                    let call = Pending { from, to, callee, args, known, dst, frame, site, span: *span, detours };
                    self.pending.entry(rank).or_default().push_back(call);
                    continue;
                }
                Op::Print { dst, .. } => Op::Havoc { vars: dst.into_iter().collect(), origin: cfa::Origin::Internal },
                op => op,
            };
            self.edges.push(EdgeInfo { from, to, op, span: *span, site: Some(site) });
        }
        (number[&f.entry], number[&f.exit])
    }

    /// How often `callee` is active in the chain of calls.
    fn active(&self, frame: Frame, callee: Func) -> usize {
        let mut count = 0;
        let mut at = Some(frame);
        while let Some(k) = at {
            count += usize::from(self.frame_function[k] == callee);
            at = self.program.frames[k].caller;
        }
        count
    }

    fn finish(mut self, entry: Func, start: Loc, end: Loc) -> (Program, Origins) {
        let Function { name, span, .. } = &self.functions[entry];
        let (params, result) = (Vec::new(), None);
        let flat = Function {
            name: name.clone(),
            params,
            result,
            locs: self.locs,
            edges: self.edges,
            entry: start,
            exit: end,
            span: *span,
        };
        self.program.functions = Table::new();
        self.program.entry = self.program.functions.push(flat);
        for v in self.program.vars.values_mut() {
            if let VarKind::Local(_) = v.kind {
                v.kind = VarKind::Local(self.program.entry);
            }
        }
        // A callee that never returns leaves unreachable code; a location before it may be left without edges.
        let f = &mut self.program.functions[self.program.entry];
        let fates = crate::edit::compact(f, crate::edit::Aim::All, &|_| false, crate::restore::Fate::Kept);
        let mut locs = Table::filled(None, f.locs.len());
        for (old, fate) in fates.iter() {
            if let crate::restore::Fate::Kept(new) = fate {
                locs[*new] = self.origins.locs[old];
            }
        }
        self.origins.locs = locs;
        (self.program, self.origins)
    }
}

/// The functions that change memory, by themselves or by those that they call.
fn writes_memory(program: &Program, calls: &CallGraph) -> Table<Func, bool> {
    let mut found = Table::filled(false, program.functions.len());
    for component in calls.bottom_up() {
        let changes = |op: &Op| !matches!(op, Op::Call { .. } | Op::Load { .. } | Op::Print { .. }) && !op.is_flat();
        let by_itself = |f: Func| program.functions[f].edges.values().any(|e| changes(&e.op));
        let by_others = |f: Func| calls.callees(f).iter().any(|callee| found[*callee]);
        let any = component.iter().any(|f| by_itself(*f) || by_others(*f));
        component.iter().for_each(|f| found[*f] = any);
    }
    found
}

/// The globals that are written exactly once, before anything is called: constants, and addresses of functions.
fn written_once(program: &Program, effects: &flow::GlobalEffects, vars: &mut TermVars) -> Symbols {
    let mut writes = vec![0u32; program.vars.len()];
    for f in program.functions.values() {
        for e in f.edges.values() {
            e.op.written().into_iter().for_each(|v| writes[v.index()] += 1);
        }
    }
    let start = program.main();
    let facts = Facts::of(program, program.entry, effects, vars);
    let calls: Vec<Loc> = start.edges.values().filter(|e| matches!(e.op, Op::Call { .. })).map(|e| e.from).collect();
    let mut symbols = Symbols::default();
    for e in start.edges.values() {
        if !calls.iter().all(|call| facts.dom.dominates(e.to, *call)) {
            continue;
        }
        let once = |v: Var| writes[v.index()] == 1 && program.vars[v].kind == VarKind::Global;
        match &e.op {
            Op::Assign(pairs) => {
                for (v, t) in pairs {
                    if once(*v) && program.terms.is_const(*t) {
                        symbols.values.insert(*v, *t);
                    }
                }
            }
            Op::Alloc { dst, kind: ObjectKind::Function | ObjectKind::Callback, .. } if once(*dst) => {
                symbols.values.insert(*dst, program.term(*dst));
                symbols.addresses.insert(program.term(*dst));
            }
            _ => {}
        }
    }
    symbols
}
