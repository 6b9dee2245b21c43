//! A counterexample's run once more, watched: what happens on the way, loop by loop.
//!
//! Inside a loop only the events of the current iteration are kept, and a loop that is left becomes one event: what is kept
//! stays short however long the run is. Which of the events matter for the error is decided afterwards (`dynamic_slice`).

use crate::dynamic_slice;
use crate::execution::is_users;
use crate::facts::FunctionFacts;
use crate::model::Step;
use base::Id;
use base::cpu::Deadline;
use cfa::{Edge, Func, Loc, Program, Var};
use flow::LoopId;
use interpreter::{InOrder, Limit, Limits, Machine, Outcome, State, Watch, Watcher};
use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::time::Duration;
use term::Value;

/// Longer runs are not walked: two seconds or so. By the number of steps, so that a busy machine shows what an idle one does.
const LONGEST: u64 = 25_000_000;
/// Whatever happens, no longer than this.
const WALK_TIME: Duration = Duration::from_secs(10);
/// At most so many events are kept of each iteration: the last ones.
const MOST_EVENTS: usize = 20_000;

/// Something that happened in the activation with so many calls around it.
pub(crate) struct Event {
    pub(crate) depth: usize,
    pub(crate) func: Func,
    pub(crate) what: What,
}

pub(crate) enum What {
    /// An edge was executed; what the user's variables that it wrote hold then.
    Edge(Edge, Vec<(Var, Value)>),
    /// A call came back.
    Return(Edge, Vec<(Var, Value)>),
    /// A loop went round so many times; what its variables held before and after.
    Loop { id: LoopId, iterations: u64, before: Vec<Option<Value>>, after: Vec<Option<Value>> },
}

/// The steps of a run that matter, and why some are missing.
pub(crate) fn steps(program: &Program, outcome: &Outcome) -> (Vec<Step>, Option<String>) {
    let too_many = || (Vec::new(), Some(format!("the steps are not shown: there are {}", outcome.steps)));
    if outcome.steps > LONGEST {
        return too_many();
    }
    let watch = Watch { edges: true, locations: vec![outcome.location] };
    let machine = match Machine::watching(program, &watch) {
        Ok(machine) => machine,
        Err(unsupported) => return (Vec::new(), Some(format!("the steps are not known: {unsupported}"))),
    };
    let mut inputs = InOrder::replay(outcome);
    let mut walk = Walk::new(program);
    let deadline = Deadline::after(WALK_TIME);
    let limits = Limits { deadline: Some(deadline), record: false, ..Limits::default() };
    let again = machine.run_with(&mut inputs, &limits, &mut std::io::sink(), Some(&mut walk));
    if again.ending == interpreter::Ending::Limit(Limit::Time) {
        return too_many();
    }
    if again.ending != outcome.ending || again.location != outcome.location {
        return (Vec::new(), Some("the steps are not known: the run could not be repeated".into()));
    }
    let dropped = walk.dropped;
    let (events, facts) = walk.finish();
    let steps = dynamic_slice::steps(program, outcome, &events, &facts);
    (steps, (dropped > 0).then(|| format!("what happened {dropped} events and more before the end was dropped")))
}

/// The facts of functions that the run came to, by number.
pub(crate) type AllFacts = Vec<Option<FunctionFacts>>;

/// The run so far, or an iteration of a loop.
struct Scope {
    depth: usize,
    /// Nothing for the whole run.
    of: Option<(Func, LoopId)>,
    iterations: u64,
    at_entry: Vec<Option<Value>>,
    at_head: Vec<Option<Value>>,
    events: VecDeque<Event>,
}

/// An edge whose effect is known at the next edge of the same activation.
struct Pending {
    depth: usize,
    func: Func,
    edge: Edge,
}

struct Walk<'p> {
    program: &'p Program,
    facts: AllFacts,
    scopes: Vec<Scope>,
    pending: Vec<Pending>,
    dropped: usize,
}

impl<'p> Walk<'p> {
    fn new(program: &'p Program) -> Walk<'p> {
        let run = Scope {
            depth: 0,
            of: None,
            iterations: 0,
            at_entry: Vec::new(),
            at_head: Vec::new(),
            events: VecDeque::new(),
        };
        let facts = program.functions.ids().map(|_| None).collect();
        Walk { program, facts, scopes: vec![run], pending: Vec::new(), dropped: 0 }
    }

    fn facts(&self, func: Func) -> &FunctionFacts {
        self.facts[func.index()].as_ref().expect("made when the function was entered")
    }

    fn add(&mut self, event: Event) {
        let events = &mut self.scopes.last_mut().expect("the whole run is a scope").events;
        if events.len() == MOST_EVENTS {
            events.pop_front();
            self.dropped += 1;
        }
        events.push_back(event);
    }

    /// What was done in the activation at `depth`; activations inside it have ended.
    fn settle(&mut self, state: &State<'_>, depth: usize) {
        while let Some(Pending { depth: at, func, edge }) = self.pending.pop_if(|pending| pending.depth >= depth) {
            let facts = &self.facts(func).edges[edge.index()];
            // The variables of an activation that has ended are gone.
            let shown = if at > depth { &[][..] } else { &facts.shown };
            let values = shown.iter().filter_map(|v| Some((*v, state.value(*v)?))).collect();
            let what = if facts.is_call { What::Return(edge, values) } else { What::Edge(edge, values) };
            self.add(Event { depth: at, func, what });
        }
    }

    /// Ends the innermost loop. `state` is that of its activation, if that is still there.
    fn leave(&mut self, state: Option<&State<'_>>) {
        let Some(scope) = self.scopes.pop() else { return };
        let Some((func, id)) = scope.of else { return };
        let facts = &self.facts(func).of_loop[id];
        let iterations = scope.iterations + u64::from(facts.is_do);
        if iterations == 0 || !is_users(self.program, facts.span) {
            scope.events.into_iter().for_each(|event| self.add(event));
            return;
        }
        let after = state.map_or(scope.at_head, |state| facts.writes.iter().map(|v| state.value(*v)).collect());
        let what = What::Loop { id, iterations, before: scope.at_entry, after };
        self.add(Event { depth: scope.depth, func, what });
    }

    /// The events from first to last; a loop that is not left is told by its whole iterations and the events of the last.
    fn finish(self) -> (Vec<Event>, AllFacts) {
        let mut events = Vec::new();
        for scope in self.scopes {
            if let Some((func, id)) = scope.of
                && scope.iterations > 0
                && let Some(facts) = &self.facts[func.index()]
                && is_users(self.program, facts.of_loop[id].span)
            {
                let (before, after) = (scope.at_entry, scope.at_head);
                let what = What::Loop { id, iterations: scope.iterations, before, after };
                events.push(Event { depth: scope.depth, func, what });
            }
            events.extend(scope.events);
        }
        (events, self.facts)
    }

    /// An edge out of the head of a loop: another iteration, or the first.
    fn at_head(&mut self, state: &State<'_>, depth: usize, func: Func, id: LoopId) {
        let writes = &self.facts[func.index()].as_ref().expect("the function was entered").of_loop[id].writes;
        let now = writes.iter().map(|v| state.value(*v));
        match self.scopes.last_mut() {
            Some(scope) if scope.depth == depth && scope.of == Some((func, id)) => {
                scope.iterations += 1;
                scope.at_head.clear();
                scope.at_head.extend(now);
                scope.events.clear();
            }
            _ => {
                let at_entry: Vec<Option<Value>> = now.collect();
                self.scopes.push(Scope {
                    depth,
                    of: Some((func, id)),
                    iterations: 0,
                    at_head: at_entry.clone(),
                    at_entry,
                    events: VecDeque::new(),
                });
            }
        }
    }
}

impl Watcher for Walk<'_> {
    fn edge(&mut self, state: &State<'_>, func: Func, edge: Edge) {
        let program = self.program;
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
        if is_call {
            self.add(Event { depth, func, what: What::Edge(edge, Vec::new()) });
        }
        if !is_plain {
            self.pending.push(Pending { depth, func, edge });
        }
    }

    fn location(&mut self, state: &State<'_>, _: Func, _: Loc) -> ControlFlow<()> {
        self.settle(state, state.call_path().len());
        ControlFlow::Continue(())
    }
}
