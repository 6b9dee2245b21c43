//! A counterexample's run once more, watched: what happens on the way, loop by loop.
//!
//! A loop that is left becomes one event, with what happened in it as long as that is not too much; else only the events of
//! the current iteration are kept, so that what is kept stays short however long the run is. Which of the events matter for the
//! error is decided afterwards (`dynamic_slice`).
//!
//! Of such a loop only the iteration matters in which the run ends. The run is made twice: the first time only loops are
//! followed, to see which iterations those are, and the second time the walk *hurries* through all others.

use crate::execution::is_users;
use crate::facts::FunctionFacts;
use crate::fault::{self, Fault};
use crate::memory::{self, Frame};
use crate::model::Memory;
use crate::objects::{Objects, Via};
use base::cpu::Deadline;
use base::{Id, Span};
use cfa::{Edge, Func, Loc, Op, Program, Var};
use flow::LoopId;
use interpreter::{Given, InOrder, Limit, Limits, Machine, Outcome, Owner, Recorded, Site, State, Watch, Watcher};
use std::collections::VecDeque;
use std::ops::{ControlFlow, Range};
use std::time::Duration;
use term::{Term, Value};

/// Longer runs are not walked: some tenths of a second, about what finding them takes. By the number of steps, so that a busy
/// machine shows what an idle one does.
const LONGEST: u64 = 2_000_000;
/// Whatever happens, no longer than this.
const WALK_TIME: Duration = Duration::from_secs(10);
/// At most so many events are kept of the run, or of each iteration: the last ones.
const MOST_EVENTS: usize = 20_000;
/// A loop with more events than this is known by its last iteration only.
const MOST_IN_LOOP: usize = 50_000;
/// Of longer stretches of memory it is not known what they hold.
const MOST_BYTES: u64 = 4096;

/// Something that happened in the activation with so many calls around it.
pub(crate) struct Event {
    pub(crate) depth: usize,
    pub(crate) func: Func,
    pub(crate) what: What,
}

pub(crate) enum What {
    /// An edge was executed.
    Edge(Edge, Done),
    /// A call came back.
    Return(Edge, Done),
    /// A loop went round so many times; what its variables held before and after, and all that happened in it, if that is known.
    Loop {
        id: LoopId,
        iterations: u64,
        before: Vec<Option<Value>>,
        after: Vec<Option<Value>>,
        inner: Option<Vec<Event>>,
    },
}

impl What {
    fn weight(&self) -> usize {
        match self {
            What::Loop { inner: Some(inner), .. } => 1 + inner.iter().map(|event| event.what.weight()).sum::<usize>(),
            _ => 1,
        }
    }
}

/// What an edge did.
#[derive(Default)]
pub(crate) struct Done {
    /// The user's variables that it wrote, with their new values; of a call, its result.
    pub(crate) values: Vec<(Var, Value)>,
    /// The user's variables that it read.
    pub(crate) read: Vec<(Var, Value)>,
    pub(crate) loads: Vec<Touched>,
    pub(crate) stores: Vec<Touched>,
    /// Which of the run's inputs it was given.
    pub(crate) inputs: Range<usize>,
    /// The object that it made or ended.
    pub(crate) object: Option<u64>,
}

/// Memory that was read or written.
pub(crate) struct Touched {
    pub(crate) address: u64,
    pub(crate) len: u64,
    /// What it held before and afterwards; nothing for long stretches.
    pub(crate) before: Vec<u8>,
    pub(crate) after: Vec<u8>,
    pub(crate) via: Via,
}

/// A run that was watched.
pub(crate) struct Watched<'p> {
    pub(crate) events: Vec<Event>,
    pub(crate) facts: AllFacts,
    pub(crate) objects: Objects<'p>,
    /// For each input, where the user's code asked for it.
    pub(crate) asked: Vec<Option<Vec<Site>>>,
    /// What was wrong with the memory access that the run ended at.
    pub(crate) fault: Option<Fault>,
    pub(crate) memory: Option<Memory>,
    /// So many events were dropped.
    pub(crate) dropped: usize,
}

/// The run once more; the error says why that is not possible.
pub(crate) fn watch<'p>(program: &'p Program, outcome: &'p Outcome) -> Result<Watched<'p>, String> {
    let too_many = || {
        Err(match outcome.steps {
            u64::MAX => "the steps are not shown: only the compiled program has made them".to_owned(),
            steps => format!("the steps are not shown: there are {steps}"),
        })
    };
    if outcome.steps > LONGEST {
        return too_many();
    }
    let watch = Watch { edges: true, locations: vec![outcome.location] };
    let machine =
        Machine::watching(program, &watch).map_err(|unsupported| format!("the steps are not known: {unsupported}"))?;
    let deadline = Deadline::after(WALK_TIME);
    let limits = Limits { deadline: Some(deadline), record: false, ..Limits::default() }.repeating(outcome);
    let mut last = None;
    loop {
        let mut walk = Walk::new(program, &outcome.inputs, last);
        let again = machine.run_with(&mut InOrder::replay(outcome), &limits, &mut std::io::sink(), Some(&mut walk));
        if again.ending == interpreter::Ending::Limit(Limit::Time) {
            return too_many();
        }
        if again.ending != outcome.ending || again.location != outcome.location {
            return Err("the steps are not known: the run could not be repeated".into());
        }
        if walk.last.is_some() {
            return Ok(walk.finish());
        }
        last = Some(walk.open());
    }
}

/// The iteration of a loop in which the run ends: after how many edges the loop was entered, and the iteration began.
struct LastIteration {
    entered: u64,
    began: u64,
}

/// The facts of functions that the run came to, by number.
pub(crate) type AllFacts = Vec<Option<FunctionFacts>>;

/// The run so far, or a loop.
struct Scope {
    depth: usize,
    /// Nothing for the whole run.
    of: Option<(Func, LoopId)>,
    iterations: u64,
    /// The iteration that is being made.
    now: LastIteration,
    at_entry: Vec<Option<Value>>,
    at_head: Vec<Option<Value>>,
    events: VecDeque<Event>,
    /// How many events, those in loops inside counted.
    weight: usize,
    /// Where the events of the current iteration start.
    current: usize,
    /// All iterations are there, not only the current one.
    whole: bool,
}

/// An edge whose effect is known at the next edge of the same activation.
struct Pending {
    depth: usize,
    func: Func,
    edge: Edge,
    done: Done,
}

struct Walk<'p> {
    program: &'p Program,
    /// Of the loops that the run ends in; not known in the first run.
    last: Option<Vec<LastIteration>>,
    /// Edges so far.
    edges: u64,
    facts: AllFacts,
    scopes: Vec<Scope>,
    pending: Vec<Pending>,
    dropped: usize,
    objects: Objects<'p>,
    inputs: &'p [Recorded],
    asked: Vec<Option<Vec<Site>>>,
    /// The next input.
    next: usize,
    /// The activations around the current one.
    frames: Vec<Frame>,
    fault: Option<Fault>,
    memory: Option<Memory>,
}

impl<'p> Walk<'p> {
    fn new(program: &'p Program, inputs: &'p [Recorded], last: Option<Vec<LastIteration>>) -> Walk<'p> {
        Walk {
            program,
            last,
            edges: 0,
            facts: program.functions.ids().map(|_| None).collect(),
            scopes: vec![Scope::new(0, None, 0, Vec::new())],
            pending: Vec::new(),
            dropped: 0,
            objects: Objects::new(program),
            inputs,
            asked: inputs.iter().map(|_| None).collect(),
            next: 0,
            frames: Vec::new(),
            fault: None,
            memory: None,
        }
    }

    /// The loops that the run ended in.
    fn open(self) -> Vec<LastIteration> {
        self.scopes.into_iter().filter(|scope| scope.of.is_some()).map(|scope| scope.now).collect()
    }

    /// What happens now will be forgotten: a loop with too many events goes on, or is left.
    fn is_hurrying(&self) -> bool {
        let Some(last) = &self.last else { return true };
        self.scopes
            .iter()
            .rfind(|scope| !scope.whole && scope.of.is_some())
            .is_some_and(|scope| !last.iter().any(|last| last.entered == scope.now.entered && self.edges >= last.began))
    }

    fn facts(&self, func: Func) -> &FunctionFacts {
        self.facts[func.index()].as_ref().expect("made when the function was entered")
    }

    fn add(&mut self, event: Event) {
        let scope = self.scopes.last_mut().expect("the whole run is a scope");
        scope.weight += event.what.weight();
        scope.events.push_back(event);
        if scope.whole && scope.of.is_some() && scope.weight <= MOST_IN_LOOP {
            return;
        }
        if scope.of.is_some() {
            scope.forget();
        }
        while scope.weight > MOST_EVENTS
            && let Some(event) = scope.events.pop_front()
        {
            scope.weight -= event.what.weight();
            self.dropped += 1;
        }
    }

    /// What was done in the activation at `depth`; activations inside it have ended.
    fn settle(&mut self, state: &State<'_>, depth: usize) {
        while let Some(Pending { depth: at, func, edge, mut done }) =
            self.pending.pop_if(|pending| pending.depth >= depth)
        {
            let facts = &self.facts(func).edges[edge.index()];
            // The variables of an activation that has ended are gone.
            let shown = if at > depth { &[][..] } else { &facts.shown };
            done.values = shown.iter().filter_map(|v| Some((*v, state.value(*v)?))).collect();
            for stored in done.stores.iter_mut().filter(|stored| stored.len <= MOST_BYTES) {
                stored.after = state.bytes(stored.address, stored.len).map(<[u8]>::to_vec).unwrap_or_default();
            }
            let is_call = facts.is_call;
            for touched in &done.stores {
                self.objects.wrote(touched.address, touched.len);
            }
            for touched in done.stores.iter().chain(&done.loads) {
                self.objects.accessed(touched.via);
            }
            if let Op::Alloc { dst, size, .. } = self.program.functions[func].edges[edge].op
                && let Some(address) = state.word(dst)
            {
                let size = validate::now::word(self.program, state, size).unwrap_or(0);
                self.objects.note(&state.call_path()[..at], func, edge, address, size);
                // What is there before anything is assigned.
                let after = if size <= MOST_BYTES { state.bytes(address, size) } else { None };
                let after = after.map(<[u8]>::to_vec).unwrap_or_default();
                done.stores.push(Touched { address, len: size, before: Vec::new(), after, via: None });
                done.object = Some(self.objects.split(address).0);
            }
            let what = if is_call { What::Return(edge, done) } else { What::Edge(edge, done) };
            self.add(Event { depth: at, func, what });
        }
    }

    /// Ends the innermost loop. `state` is that of its activation, if that is still there.
    fn leave(&mut self, state: Option<&State<'_>>) {
        let Some(scope) = self.scopes.pop() else { return };
        let Some((func, id)) = scope.of.filter(|_| self.last.is_some()) else { return };
        let facts = &self.facts(func).of_loop[id];
        let iterations = scope.iterations + u64::from(facts.is_do);
        if iterations == 0 || scope.whole && !is_users(self.program, facts.span) {
            scope.events.into_iter().for_each(|event| self.add(event));
            return;
        }
        let after = state.map_or(scope.at_head, |state| facts.writes.iter().map(|v| state.value(*v)).collect());
        let inner = scope.whole.then(|| scope.events.into());
        let what = What::Loop { id, iterations, before: scope.at_entry, after, inner };
        self.add(Event { depth: scope.depth, func, what });
    }

    /// The events from first to last; a loop that is not left is told by its whole iterations and the events of the last.
    fn finish(self) -> Watched<'p> {
        let mut events = Vec::new();
        for mut scope in self.scopes {
            if let Some((func, id)) = scope.of
                && scope.iterations > 0
                && let Some(facts) = &self.facts[func.index()]
                && is_users(self.program, facts.of_loop[id].span)
            {
                let (before, after) = (scope.at_entry, scope.at_head);
                let inner = scope.whole.then(|| scope.events.drain(..scope.current).collect());
                let what = What::Loop { id, iterations: scope.iterations, before, after, inner };
                events.push(Event { depth: scope.depth, func, what });
            }
            events.extend(scope.events);
        }
        let Walk { facts, objects, asked, fault, memory, dropped, .. } = Walk { scopes: Vec::new(), ..self };
        Watched { events, facts, objects, asked, fault, memory, dropped }
    }

    /// An edge out of the head of a loop: another iteration, or the first.
    fn at_head(&mut self, state: &State<'_>, depth: usize, func: Func, id: LoopId) {
        let writes = &self.facts[func.index()].as_ref().expect("the function was entered").of_loop[id].writes;
        let watched = if self.last.is_some() { &writes[..] } else { &[] };
        let now = watched.iter().map(|v| state.value(*v));
        match self.scopes.last_mut() {
            Some(scope) if scope.depth == depth && scope.of == Some((func, id)) => {
                scope.iterations += 1;
                scope.now.began = self.edges;
                scope.at_head.clear();
                scope.at_head.extend(now);
                scope.current = scope.events.len();
                if !scope.whole {
                    scope.forget();
                }
            }
            _ => self.scopes.push(Scope::new(depth, Some((func, id)), self.edges, now.collect())),
        }
    }

    /// What an edge is about to read and write, and what it will be given.
    fn about_to(&mut self, state: &State<'_>, func: Func, edge: Edge) -> Done {
        let program = self.program;
        let info = &program.functions[func].edges[edge];
        let inputs = self.given(state, func, edge);
        let facts = &self.facts(func).edges[edge.index()];
        let read = facts.read.iter().filter_map(|v| Some((*v, state.value(*v)?))).collect();
        let mut done = Done { read, inputs, ..Done::default() };
        let (read_by, written_by) = (facts.read_by, facts.written_by);
        let word = |t: Term| validate::now::word(program, state, t);
        let touch = |address: Term, len: u64, by: Option<Var>| {
            let at = word(address)?;
            let before = if len <= MOST_BYTES { state.bytes(at, len).map(<[u8]>::to_vec) } else { None };
            let before = before.unwrap_or_default();
            Some(Touched {
                address: at,
                len,
                before,
                after: Vec::new(),
                via: by.and_then(|v| Some((v, state.word(v)?))),
            })
        };
        match &info.op {
            Op::Load { addr, bytes, .. } => done.loads.extend(touch(*addr, u64::from(*bytes), read_by)),
            Op::Store { addr, bytes, .. } => done.stores.extend(touch(*addr, u64::from(*bytes), written_by)),
            Op::Copy { dst, src, len } => {
                let len = word(*len).unwrap_or(0);
                done.loads.extend(touch(*src, len, read_by));
                done.stores.extend(touch(*dst, len, written_by));
            }
            Op::Fill { dst, len, .. } => done.stores.extend(touch(*dst, word(*len).unwrap_or(0), written_by)),
            Op::Free { addr } | Op::Dead { addr } => {
                if let Some(address) = word(*addr) {
                    let number = self.objects.split(address).0;
                    let size = self.objects.get(number).map_or(0, |object| object.size).min(MOST_BYTES);
                    if let (Op::Free { .. }, Some(bytes)) = (&info.op, state.bytes(address, size)) {
                        self.objects.keep(address, bytes);
                    }
                    self.objects.note(state.call_path(), func, edge, address, 0);
                    done.object = Some(self.objects.split(address).0);
                }
            }
            Op::Disturb { .. } => {
                for recorded in &self.inputs[done.inputs.clone()] {
                    let Given::Changes(changes) = &recorded.given else { continue };
                    for change in changes {
                        let start = match &change.owner {
                            Owner::Number(number) => Some(self.objects.address_of(*number)),
                            Owner::Birth((path, site)) => self.objects.made_at(*site, path),
                        };
                        let Some(start) = start else { continue };
                        let size = self.objects.get(self.objects.split(start).0).map_or(0, |object| object.size);
                        let mut offset = change.offset;
                        let len = change.bytes.len() as u64;
                        while offset + len <= size.min(MOST_BYTES) {
                            let at = start + offset;
                            let before = state.bytes(at, len).map(<[u8]>::to_vec).unwrap_or_default();
                            done.stores.push(Touched { address: at, len, before, after: Vec::new(), via: None });
                            if change.stride == 0 {
                                break;
                            }
                            offset += change.stride;
                        }
                    }
                }
            }
            _ => {}
        }
        done
    }

    /// Notes what is to be known in the end of an edge whose event would be forgotten, if that is little.
    fn hurry(&mut self, state: &State<'_>, func: Func, edge: Edge) -> bool {
        if self.last.is_none() {
            return true;
        }
        let program = self.program;
        let facts = &self.facts(func).edges[edge.index()];
        let via = |by: Option<Var>| by.and_then(|v| Some((v, state.word(v)?)));
        let (read_via, written_via) = (via(facts.read_by), via(facts.written_by));
        match &program.functions[func].edges[edge].op {
            Op::Load { .. } => self.objects.accessed(read_via),
            Op::Store { addr, bytes, .. } => {
                if let Some(address) = validate::now::word(program, state, *addr) {
                    self.objects.wrote(address, u64::from(*bytes));
                    self.objects.accessed(written_via);
                }
            }
            Op::Assign(_) | Op::Assume(_) | Op::Havoc { .. } | Op::Call { .. } => {}
            _ => return false,
        }
        self.given(state, func, edge);
        true
    }

    /// The current activation.
    fn frame(&self, state: &State<'_>, func: Func, at: Span) -> Frame {
        let pointers = self.facts[func.index()].iter().flat_map(|facts| &facts.pointers);
        Frame { func, at, pointers: pointers.filter_map(|v| Some((*v, state.word(*v)?))).collect() }
    }

    /// The inputs that an edge is given, if what comes next is meant for it.
    fn given(&mut self, state: &State<'_>, func: Func, edge: Edge) -> Range<usize> {
        let info = &self.program.functions[func].edges[edge];
        while let Some(recorded) = self.inputs.get(self.next)
            && matches!(recorded.given, Given::Choice(_))
            && recorded.func == func
            && self.program.functions[func].edges[recorded.edge].from == info.from
        {
            self.next += 1;
        }
        let most = match &info.op {
            Op::Havoc { vars, .. } => vars.len(),
            _ => 1,
        };
        let first = self.next;
        while self.next < first + most
            && self.inputs.get(self.next).is_some_and(|recorded| (recorded.func, recorded.edge) == (func, edge))
        {
            self.asked[self.next] = Some(state.call_path().to_vec());
            self.next += 1;
        }
        first..self.next
    }
}

impl Scope {
    fn new(depth: usize, of: Option<(Func, LoopId)>, entered: u64, at_entry: Vec<Option<Value>>) -> Scope {
        Scope {
            depth,
            of,
            iterations: 0,
            now: LastIteration { entered, began: entered },
            at_head: at_entry.clone(),
            at_entry,
            events: VecDeque::new(),
            weight: 0,
            current: 0,
            whole: true,
        }
    }

    /// Keeps only the current iteration.
    fn forget(&mut self) {
        self.whole = false;
        let gone = self.events.drain(..self.current.min(self.events.len()));
        self.weight -= gone.map(|event| event.what.weight()).sum::<usize>();
        self.current = 0;
    }
}

impl Watcher for Walk<'_> {
    fn edge(&mut self, state: &State<'_>, func: Func, edge: Edge) {
        let program = self.program;
        self.edges += 1;
        let depth = state.call_path().len();
        if self.facts[func.index()].is_none() {
            self.facts[func.index()] = Some(FunctionFacts::of(program, func));
        }
        while self.scopes.last().is_some_and(|scope| scope.depth > depth) {
            self.leave(None);
        }
        self.settle(state, depth);
        let from = program.functions[func].edges[edge].from;
        while let Some(&Scope { depth: at, of: Some((owner, id)), .. }) = self.scopes.last()
            && at == depth
            && (owner != func || !self.facts(func).loops.contains(id, from))
        {
            self.leave(Some(state));
        }
        let (head, is_plain, is_call) = {
            let facts = &self.facts(func).edges[edge.index()];
            (facts.head, facts.is_plain, facts.is_call)
        };
        if let Some(id) = head {
            self.at_head(state, depth, func, id);
        }
        if self.is_hurrying() && self.hurry(state, func, edge) {
            return;
        }
        let done = self.about_to(state, func, edge);
        if is_call {
            self.add(Event { depth, func, what: What::Edge(edge, done) });
            self.pending.push(Pending { depth, func, edge, done: Done::default() });
            let at = program.functions[func].edges[edge].span;
            self.frames.truncate(depth);
            self.frames.push(self.frame(state, func, at));
        } else if !is_plain {
            self.pending.push(Pending { depth, func, edge, done });
        }
    }

    fn location(&mut self, state: &State<'_>, func: Func, loc: Loc) -> ControlFlow<()> {
        if self.last.is_none() {
            return ControlFlow::Continue(());
        }
        self.settle(state, state.call_path().len());
        self.fault = fault::fault(self.program, &self.objects, state, func, loc);
        if let Some(fault) = &self.fault {
            let at = self.program.functions[func].locs[loc].span;
            let mut frames = std::mem::take(&mut self.frames);
            frames.truncate(state.call_path().len());
            frames.push(self.frame(state, func, at));
            self.memory = memory::memory(self.program, &self.objects, state, &frames, fault);
        }
        ControlFlow::Continue(())
    }
}
