//! Where nondeterministic values come from: a queue per place, a list in order, or a seeded generator.

use super::State;
use base::Id;
use cfa::{Birth, Edge, Frame, Func, Origin, Program, Var};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, VecDeque};
use term::{Bits, FloatValue, Format, Sort, Value};

/// A place in the function-form program: an edge of a function.
pub type Site = (Func, Edge);

/// A question for a value, with where it comes from.
#[derive(Clone, Copy)]
pub struct Ask<'a> {
    pub program: &'a Program,
    /// The edge being executed.
    pub func: Func,
    pub edge: Edge,
    /// The variable that gets the value; `None` for other values (results of invalid loads).
    pub var: Option<Var>,
    pub sort: Sort,
    pub origin: &'a Origin,
    /// The object whose first contents are asked for.
    pub object: Option<u64>,
    pub(crate) stack: &'a [Site],
    /// The run's state, for values that a variable gets.
    pub(crate) state: Option<&'a State<'a>>,
}

impl Ask<'_> {
    /// What a parameter of the function being executed holds, counted from 0 (function form).
    pub fn parameter(&self, position: usize) -> Option<Value> {
        let param = *self.program.functions[self.func].params.get(position)?;
        self.state?.value(param)
    }

    /// The string at an address, without its end (function form).
    pub fn string(&self, address: u64) -> Option<Vec<u8>> {
        self.state?.memory.c_string(address, usize::MAX).ok().map(<[u8]>::to_vec)
    }

    /// The edge in the function-form program: in flat form, the one that this edge was made from.
    pub fn site(&self) -> Site {
        self.program.functions[self.func].edges[self.edge].site.unwrap_or((self.func, self.edge))
    }

    /// The chain of call edges that led here, outermost first, as edges of the function-form program.
    pub fn call_path(&self) -> Vec<Site> {
        if !self.stack.is_empty() {
            return self.stack.to_vec();
        }
        let function = &self.program.functions[self.func];
        frame_path(self.program, function.locs[function.edges[self.edge].from].frame)
    }
}

/// The call edges from the root to a frame of a flat program, outermost first.
pub fn frame_path(program: &Program, mut frame: Frame) -> Vec<Site> {
    let mut path = Vec::new();
    while let Some(info) = program.frames.get(frame) {
        path.extend(info.site);
        match info.caller {
            Some(caller) => frame = caller,
            None => break,
        }
    }
    path.reverse();
    path
}

/// Resolves nondeterminism.
pub trait Inputs {
    /// The value of a havocked variable, or of an invalid load.
    fn value(&mut self, ask: &Ask<'_>) -> Value;

    /// Whether [`Inputs::value`] is zero for every uninitialised variable, and new objects stay zero, so that neither need be asked.
    fn leaves_blank(&self) -> bool {
        false
    }

    /// What a variable holds before the program starts (flat form; in function form everything is assigned first).
    fn initial(&mut self, _var: Var, sort: Sort) -> Value {
        Value::zero(sort)
    }

    /// Contents of a new stack or heap object, zero at first; says whether any were given.
    fn contents(&mut self, _ask: &Ask<'_>, _bytes: &mut [u8]) -> bool {
        false
    }

    /// What the environment's memory holds where the edge reads it, so far into the object, if that is known only now. Asked at
    /// each load from there.
    fn found(&mut self, _ask: &Ask<'_>, _offset: u64) -> Option<Value> {
        None
    }

    /// Which of `count` enabled edges to take.
    fn choose(&mut self, _count: usize) -> usize {
        0
    }

    /// The object that this number in a pointer from outside stands for, if it is one of the program.
    fn meant(&self, _number: u64) -> Option<Birth> {
        None
    }

    /// What code outside of the program changes in its memory.
    fn changes(&mut self, _ask: &Ask<'_>) -> Vec<Change> {
        Vec::new()
    }
}

/// Bytes of an object that change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    pub owner: Owner,
    pub offset: u64,
    /// Not 0: again and again so far apart, to the object's end.
    pub stride: u64,
    pub bytes: Vec<u8>,
}

/// An object, by its number in this run or by where it was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Owner {
    Number(u64),
    Birth(Birth),
}

/// All zero.
#[derive(Clone, Copy, Default, Debug)]
pub struct Zero;

impl Inputs for Zero {
    fn leaves_blank(&self) -> bool {
        true
    }

    fn value(&mut self, ask: &Ask<'_>) -> Value {
        Value::zero(ask.sort)
    }
}

/// One thing that was given to a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Given {
    Value(Value),
    /// Contents of a new object.
    Contents(Vec<u8>),
    /// Which of the enabled edges was taken.
    Choice(usize),
    /// What code outside of the program changed.
    Changes(Vec<Change>),
}

/// Things given in the order they are asked for, then zeros. Replays what a run recorded.
#[derive(Clone, Default, Debug)]
pub struct InOrder {
    queue: VecDeque<Given>,
    initial: FxHashMap<Var, Value>,
    /// What the first objects hold, those of the environment.
    environment: Vec<Vec<u8>>,
    /// How often what was asked for was not what came next: a zero was given instead.
    pub mismatches: usize,
}

impl InOrder {
    pub fn new(values: impl IntoIterator<Item = Value>) -> InOrder {
        InOrder { queue: values.into_iter().map(Given::Value).collect(), ..InOrder::default() }
    }

    /// What a run was given, once more; to be used with [`super::Limits::repeating`].
    pub fn replay(outcome: &super::Outcome) -> InOrder {
        InOrder {
            queue: outcome.inputs.iter().map(|recorded| recorded.given.clone()).collect(),
            initial: outcome.initial.iter().cloned().collect(),
            environment: outcome.environment.iter().map(|(_, contents)| contents.clone()).collect(),
            mismatches: 0,
        }
    }

    /// How many things were not asked for.
    pub fn left(&self) -> usize {
        self.queue.len()
    }
}

impl Inputs for InOrder {
    fn value(&mut self, ask: &Ask<'_>) -> Value {
        match self.queue.pop_front() {
            Some(Given::Value(value)) if value.sort() == ask.sort => value,
            _ => {
                self.mismatches += 1;
                Value::zero(ask.sort)
            }
        }
    }

    fn initial(&mut self, var: Var, sort: Sort) -> Value {
        self.initial.get(&var).filter(|value| value.sort() == sort).cloned().unwrap_or_else(|| Value::zero(sort))
    }

    fn contents(&mut self, ask: &Ask<'_>, bytes: &mut [u8]) -> bool {
        let of_environment = ask.object.and_then(|number| self.environment.get(number.checked_sub(1)? as usize));
        if let Some(given) = of_environment.filter(|given| given.len() == bytes.len()) {
            bytes.copy_from_slice(given);
            return true;
        }
        // Nothing is recorded where nothing was given, so the next thing may be meant for somebody else.
        let Some(Given::Contents(given)) = self.queue.front() else { return false };
        if given.len() != bytes.len() {
            return false;
        }
        bytes.copy_from_slice(given);
        self.queue.pop_front();
        true
    }

    fn choose(&mut self, count: usize) -> usize {
        match self.queue.pop_front() {
            Some(Given::Choice(choice)) if choice < count => choice,
            _ => {
                self.mismatches += 1;
                0
            }
        }
    }

    fn changes(&mut self, _: &Ask<'_>) -> Vec<Change> {
        // Nothing is recorded where nothing changed.
        match self.queue.pop_front() {
            Some(Given::Changes(changes)) => changes,
            Some(other) => {
                self.queue.push_front(other);
                Vec::new()
            }
            None => Vec::new(),
        }
    }
}

/// A place and the chain of calls that led there.
type Called = (Vec<Site>, Site);

/// A queue of values for each place in each chain of calls: replays counterexamples of the flat program on the
/// function-form one (and the other way round).
#[derive(Clone, Default, Debug)]
pub struct BySite {
    /// Each value with how often it comes.
    queues: FxHashMap<Called, VecDeque<(Value, u64)>>,
    contents: FxHashMap<Called, VecDeque<Vec<u8>>>,
    initial: FxHashMap<Var, Value>,
    births: BTreeMap<u64, Birth>,
    changes: FxHashMap<Called, VecDeque<Vec<Change>>>,
    /// Where calls share copies of their callees: the frame of each call, by its caller's, and the path that stands for the frame.
    next: BTreeMap<(Frame, Site), Frame>,
    paths: Vec<Vec<Site>>,
    /// How often there was no value left for a place: those got zeros.
    pub missing: usize,
}

impl BySite {
    pub fn new() -> BySite {
        BySite::default()
    }

    /// Says which calls of the flat program share a copy of their callee: values for it are taken by all of them, in the order in
    /// which they run. Comes before all values.
    pub fn set_frames(&mut self, flat: &Program) {
        if flat.joined.is_empty() {
            return;
        }
        for (k, info) in flat.frames.iter() {
            if let Some(call) = info.caller.zip(info.site) {
                self.next.entry(call).or_insert(k);
            }
            self.paths.push(frame_path(flat, k));
        }
        self.next.extend(&flat.joined);
    }

    /// The place, with the path that stands for all that lead to the same copy. Where the flat program does not go, nobody has a
    /// value.
    fn called(&self, path: Vec<Site>, site: Site) -> Called {
        if self.next.is_empty() {
            return (path, site);
        }
        let frame = path.iter().try_fold(Frame::ROOT, |frame, call| self.next.get(&(frame, *call)).copied());
        (frame.map_or(path, |frame| self.paths[frame.index()].clone()), site)
    }

    /// Appends a value to the queue of a place.
    pub fn push(&mut self, call_path: Vec<Site>, site: Site, value: Value) {
        self.push_run(call_path, site, value, 1);
    }

    /// Appends a value that comes `times` times in a row.
    pub fn push_run(&mut self, call_path: Vec<Site>, site: Site, value: Value, times: u64) {
        if times > 0 {
            let called = self.called(call_path, site);
            self.queues.entry(called).or_default().push_back((value, times));
        }
    }

    /// Appends first contents of an object to the queue of an allocation; missing bytes are zero.
    pub fn push_contents(&mut self, call_path: Vec<Site>, site: Site, bytes: Vec<u8>) {
        let called = self.called(call_path, site);
        self.contents.entry(called).or_default().push_back(bytes);
    }

    /// Says which objects numbers in pointers from outside stand for.
    pub fn set_births(&mut self, births: BTreeMap<u64, Birth>) {
        self.births = births;
    }

    /// Appends what code outside of the program changes when it runs at a place.
    pub fn push_changes(&mut self, call_path: Vec<Site>, site: Site, changes: Vec<Change>) {
        let called = self.called(call_path, site);
        self.changes.entry(called).or_default().push_back(changes);
    }

    /// Sets what a variable holds at the start.
    pub fn set_initial(&mut self, var: Var, value: Value) {
        self.initial.insert(var, value);
    }
}

fn next_of_runs(queue: &mut VecDeque<(Value, u64)>) -> Option<Value> {
    let (value, times) = queue.front_mut()?;
    if *times > 1 {
        *times -= 1;
        return Some(value.clone());
    }
    queue.pop_front().map(|(value, _)| value)
}

impl Inputs for BySite {
    fn value(&mut self, ask: &Ask<'_>) -> Value {
        let called = self.called(ask.call_path(), ask.site());
        let queue = self.queues.get_mut(&called);
        match queue.and_then(next_of_runs) {
            Some(value) if value.sort() == ask.sort => value,
            _ => {
                self.missing += 1;
                // A variable that is not initialised and nowhere changed has its value from the start.
                let start = ask.var.filter(|_| matches!(ask.origin, Origin::Uninitialised(_)));
                start.map_or_else(|| Value::zero(ask.sort), |var| self.initial(var, ask.sort))
            }
        }
    }

    fn initial(&mut self, var: Var, sort: Sort) -> Value {
        self.initial.get(&var).filter(|value| value.sort() == sort).cloned().unwrap_or_else(|| Value::zero(sort))
    }

    /// The flat program reads anything through a number that it knows no object for: so the trace has a value.
    fn found(&mut self, ask: &Ask<'_>, _: u64) -> Option<Value> {
        let called = self.called(ask.call_path(), ask.site());
        let queue = self.queues.get_mut(&called);
        queue.and_then(next_of_runs).filter(|value| value.sort() == ask.sort)
    }

    fn contents(&mut self, ask: &Ask<'_>, bytes: &mut [u8]) -> bool {
        if self.contents.is_empty() {
            return false;
        }
        let called = self.called(ask.call_path(), ask.site());
        let queue = self.contents.get_mut(&called);
        let Some(given) = queue.and_then(VecDeque::pop_front) else { return false };
        let most = given.len().min(bytes.len());
        bytes[..most].copy_from_slice(&given[..most]);
        true
    }

    fn meant(&self, number: u64) -> Option<Birth> {
        self.births.get(&number).cloned()
    }

    fn changes(&mut self, ask: &Ask<'_>) -> Vec<Change> {
        let called = self.called(ask.call_path(), ask.site());
        let queue = self.changes.get_mut(&called);
        queue.and_then(VecDeque::pop_front).unwrap_or_default()
    }
}

/// Seeded pseudo-random values with a bias to those where programs change their behaviour: around zero, the extremes,
/// powers of two, and values given before.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
    recent: VecDeque<u128>,
}

/// Random contents are given to so many first bytes of an object; the rest is zero.
const RANDOM_BYTES: usize = 1 << 16;

impl Random {
    pub fn new(seed: u64) -> Random {
        Random { state: seed ^ 0x5851_f42d_4c95_7f2d, recent: VecDeque::new() }
    }

    /// SplitMix64.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        ((self.next_u64() as u128 * bound as u128) >> 64) as u64
    }

    /// A bit-vector value, biased.
    pub fn bits(&mut self, width: u32) -> u128 {
        let wide = (self.next_u64() as u128) << 64 | self.next_u64() as u128;
        let mask = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
        let small = self.below(16) as u128;
        let value = match self.below(16) {
            0 | 1 => 0,
            2 => 1,
            3..=5 => small,
            6 => small.wrapping_neg(),
            7 => (mask >> 1).wrapping_add(small).wrapping_sub(7),
            8 => mask.wrapping_sub(small),
            9 => {
                let power = 1u128 << self.below(width.min(128) as u64);
                power.wrapping_add(small % 3).wrapping_sub(1)
            }
            10 if !self.recent.is_empty() => {
                let index = self.below(self.recent.len() as u64) as usize;
                self.recent[index].wrapping_add(small % 3).wrapping_sub(1)
            }
            // So many random low bits: every order of magnitude is equally likely.
            11..=13 => wide & (1u128 << self.below(width.min(127) as u64 + 1)).wrapping_sub(1),
            _ => wide,
        };
        if self.recent.len() == 8 {
            self.recent.pop_front();
        }
        self.recent.push_back(value & mask);
        value & mask
    }

    fn float(&mut self, format: Format) -> FloatValue {
        let small = self.below(64) as i64 - 32;
        match self.below(12) {
            0 => FloatValue::zero(format, small < 0),
            1 => FloatValue::one(format),
            2 | 3 => FloatValue::from_integer(format, term::RoundingMode::NearestEven, &small.into()),
            4 => FloatValue::infinity(format, small < 0),
            5 => FloatValue::nan(format),
            6 => FloatValue::largest(format, small < 0),
            7 | 8 => {
                // A fraction of a moderate number.
                let (numerator, denominator) = (self.below(1 << 20), 1 + self.below(1 << 10));
                let nearest = term::RoundingMode::NearestEven;
                FloatValue::from_ratio(format, nearest, small < 0, &numerator.into(), &denominator.into())
            }
            _ => {
                let wide = (self.next_u64() as u128) << 64 | self.next_u64() as u128;
                FloatValue::from_bits(format, &Bits::new(wide, format.width()))
            }
        }
    }

    /// A value of any sort; arrays are constant.
    pub fn of_sort(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.next_u64() >> 63 == 1),
            Sort::Bv(width) => Value::Bv(Bits::new(self.bits(width), width)),
            Sort::Float(format) => Value::Float(self.float(format)),
            Sort::Array(array) => {
                let elem = self.of_sort(array.elem.into());
                Value::Array(std::sync::Arc::new(term::ArrayValue::new(array, elem)))
            }
        }
    }
}

impl Inputs for Random {
    fn value(&mut self, ask: &Ask<'_>) -> Value {
        self.of_sort(ask.sort)
    }

    fn initial(&mut self, _: Var, sort: Sort) -> Value {
        self.of_sort(sort)
    }

    fn contents(&mut self, _: &Ask<'_>, bytes: &mut [u8]) -> bool {
        let most = bytes.len().min(RANDOM_BYTES);
        for chunk in bytes[..most].chunks_mut(8) {
            let random = self.next_u64().to_le_bytes();
            chunk.copy_from_slice(&random[..chunk.len()]);
        }
        most > 0
    }

    fn choose(&mut self, count: usize) -> usize {
        self.below(count as u64) as usize
    }
}
