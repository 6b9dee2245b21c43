//! Property-directed reachability (Bradley 2011; on software Cimatti and Griggio 2012; on control-flow graphs Lange et al.
//! 2018): frames `F_0 ⊆ F_1 ⊆ … ⊆ F_k` of lemmas at each cut point, each frame an over-approximation of what so many
//! steps reach.
//!
//! A step goes from cut point to cut point ([`Segment`]), so that all paths between two of them are one question. From a
//! state in `F_k` that leads to an error the search goes backwards: an *obligation* is a cube at a cut point that must be
//! shown unreachable within some number of steps. Either a predecessor in the frame before is found, which becomes an
//! obligation itself, down to the entry (a counterexample), or there is none: then the cube is blocked by a lemma, its
//! negation, after all literals are dropped that the solver did not need. Lemmas move up as far as they are inductive; two
//! frames that are equal are an invariant.
//!
//! What literals are is a [`Theory`]: bits of the program's variables and a SAT solver ([`bits`]) where the program is a
//! circuit, else comparisons and an SMT solver ([`words`]).

mod bits;
mod comparisons;
mod justify;
mod words;

use crate::generalise::Generaliser;
use base::Table;
use bits::Bits;
use cfa::{Edge, Loc, LocKind, Program};
use encode::{Segment, why_unknown};
use engine::{Cx, Engine, Event, Evidence, FactKind, Proof, Stop, Task, Trace, Verdict, Why};
use flow::wto::Wto;
use rustc_hash::FxHashMap;
use smt::Model;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;
use term::eval::OrZero;
use term::{Evaluator, Store, Term, Value};
use words::Words;

/// What cubes are made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Literals {
    /// Bits where steps are circuits without products, else words.
    Fitting,
    /// Bits where steps are circuits.
    Bits,
    Words,
}

/// What is done to make a lemma stronger. All of it costs questions, each about every way into the cut point.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Attempts to drop a literal that may fail, one after the other, before the lemma is taken as it is.
    pub max_failed_drops: usize,
    /// States in the way of a shorter lemma that are tried to be excluded themselves (counterexamples to generalisation).
    pub max_counterexamples: usize,
    /// Whether literals that lemmas needed least so far are dropped first.
    pub by_need: bool,
    /// Whether it is tried in later frames at once.
    pub to_later_frames: bool,
}

#[derive(Clone, Debug)]
pub struct Settings {
    pub literals: Literals,
    /// The last frame.
    pub max_frames: usize,
    /// For lemmas, where a SAT solver answers.
    pub bits: Effort,
    /// And where an SMT solver does, whose answers take longer.
    pub words: Effort,
    /// The part of the time for invariants that are known beforehand, in percent.
    pub analysis_percent: u32,
    /// A circuit of more clauses at a cut point is not made.
    pub max_clauses: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            literals: Literals::Fitting,
            max_frames: usize::MAX,
            bits: Effort { max_failed_drops: usize::MAX, max_counterexamples: 3, by_need: true, to_later_frames: true },
            words: Effort { max_failed_drops: 8, max_counterexamples: 0, by_need: false, to_later_frames: false },
            analysis_percent: 5,
            max_clauses: 1_000_000,
        }
    }
}

#[derive(Default)]
pub struct Pdr {
    pub settings: Settings,
}

impl Engine for Pdr {
    fn name(&self) -> &'static str {
        "pdr"
    }

    fn run(&mut self, task: &Task, cx: &mut Cx) -> Verdict {
        self.search(task, cx).unwrap_or_else(|stop| Verdict::Unknown(stop.into()))
    }
}

impl Pdr {
    fn search(&self, task: &Task, cx: &mut Cx) -> Result<Verdict, Stop> {
        let program = &task.program;
        let wto = Wto::new(program.main());
        let graph = Graph::new(program, &wto, cx)?;
        let mut known = BTreeMap::new();
        if wto.is_reducible(program.main()) {
            let mut facts = Generaliser::new("pdr", task, &wto, cx)?;
            facts.analyse(cx.budget.left() * self.settings.analysis_percent / 100, cx)?;
            known = facts.windows.invariants;
        }
        if let Some(bits) = Bits::new(&self.settings, program, &graph.segments, &known, cx)? {
            return Search::new(program, &graph, known, bits, self.settings.bits).run(self.settings.max_frames, cx);
        }
        let words = Words::new(program, &graph.segments, &known, cx)?;
        Search::new(program, &graph, known, words, self.settings.words).run(self.settings.max_frames, cx)
    }
}

/// A conjunction of literals, without repetitions, in ascending order.
type Cube<L> = Vec<L>;

/// What cubes are made of, and who answers questions about them.
trait Theory {
    type Literal: Copy + Ord + Hash;

    /// Whether a step leads into a cube.
    fn reaches(&mut self, step: &Step<'_, Self::Literal>, cx: &mut Cx) -> Result<Reached<Self::Literal>, Stop>;

    /// After [`Reached::Yes`], and before anything else is asked: the state that was found, and a cube around it from which
    /// the step leads into its cube on the same inputs. Nothing where the solver and evaluation differ.
    fn predecessor(
        &mut self,
        step: &Step<'_, Self::Literal>,
        cx: &mut Cx,
    ) -> Result<Option<Found<Self::Literal>>, Stop>;

    /// Adds the lemma that the cube is not reached within `frame` steps.
    fn exclude(&mut self, at: Loc, frame: usize, cube: &[Self::Literal], cx: &mut Cx);

    /// The cube as a formula.
    fn formula(&self, cube: &[Self::Literal], terms: &mut Store) -> Term;
}

/// One way from a cut point, started in a state of a frame.
struct Step<'a, L> {
    from: Loc,
    /// By its place in the segment.
    way: usize,
    frame: usize,
    /// Where it is to lead.
    cube: &'a [L],
    /// It does not start in the cube itself.
    elsewhere: bool,
}

/// Whether a step leads from a frame into a cube.
enum Reached<L> {
    Yes,
    /// These literals suffice to say no.
    No(Cube<L>),
}

/// A state that leads on.
struct Found<L> {
    cube: Cube<L>,
    /// The state, with the inputs that lead on from every state of the cube.
    model: Model,
}

/// Cut points and the ways between them.
struct Graph {
    entry: Loc,
    successors: Table<Loc, Vec<Edge>>,
    segments: BTreeMap<Loc, Segment>,
    /// The ways into each location: where they start, and their place there.
    into: BTreeMap<Loc, Vec<(Loc, usize)>>,
}

impl Graph {
    fn new(program: &Program, wto: &Wto, cx: &mut Cx) -> Result<Graph, Stop> {
        let entry = program.main().entry;
        let successors = program.main().successors();
        let mut segments = BTreeMap::new();
        let mut into: BTreeMap<Loc, Vec<(Loc, usize)>> = BTreeMap::new();
        for at in BTreeSet::from_iter(wto.heads().chain([entry])) {
            let segment = Segment::new(program, &mut cx.terms, wto, &successors, at, &cx.budget)?;
            for (way, (to, _)) in segment.ways.iter().enumerate() {
                into.entry(*to).or_default().push((at, way));
            }
            segments.insert(at, segment);
        }
        Ok(Graph { entry, successors, segments, into })
    }

    fn into(&self, at: Loc) -> &[(Loc, usize)] {
        self.into.get(&at).map_or(&[], |ways| ways)
    }
}

/// That no state of the cube is reached within so many steps.
struct Lemma<L> {
    frame: usize,
    cube: Cube<L>,
}

/// A cube from which an error is reached, and how.
struct Obligation<L> {
    at: Loc,
    found: Found<L>,
    /// The way that is taken, by its place in the segment.
    way: usize,
    /// Where it leads; `None`: to a target.
    next: Option<usize>,
}

/// What leads into a cube.
enum Before<L> {
    /// A state there, by this way.
    State { from: Loc, way: usize },
    /// These literals suffice to exclude it.
    Nothing(Cube<L>),
}

struct Search<'t, T: Theory> {
    program: &'t Program,
    graph: &'t Graph,
    /// What holds in all frames.
    known: BTreeMap<Loc, Term>,
    theory: T,
    effort: Effort,
    lemmas: BTreeMap<Loc, Vec<Lemma<T::Literal>>>,
    /// How often a literal was needed in a lemma.
    needed: FxHashMap<T::Literal, u32>,
    /// The last frame (`k` of the papers).
    last: usize,
}

impl<'t, T: Theory> Search<'t, T> {
    fn new(
        program: &'t Program,
        graph: &'t Graph,
        known: BTreeMap<Loc, Term>,
        theory: T,
        effort: Effort,
    ) -> Search<'t, T> {
        let lemmas = graph.segments.keys().map(|at| (*at, Vec::new())).collect();
        let needed = FxHashMap::default();
        Search { program, graph, known, theory, effort, lemmas, needed, last: 0 }
    }

    fn run(&mut self, max_frames: usize, cx: &mut Cx) -> Result<Verdict, Stop> {
        if let Some(verdict) = self.before_any_loop(cx)? {
            return Ok(verdict);
        }
        while self.last < max_frames {
            self.last += 1;
            if let Some(verdict) = self.clear_last_frame(cx)? {
                return Ok(verdict);
            }
            if let Some(invariants) = self.propagate(cx)? {
                return Ok(Verdict::Safe(Proof::Invariants { at: invariants, k: 1 }));
            }
            let bound = self.last as u64;
            cx.publish("pdr", FactKind::NoErrorWithin { bound });
            cx.tell(Event::Bound(bound));
        }
        Ok(Verdict::Unknown(Why::GaveUp(format!("no invariant within {max_frames} frames"))))
    }

    fn targets(&self) -> Vec<(Loc, usize)> {
        let is_target = |loc: &Loc| self.program.main().locs[*loc].kind.is_target();
        self.graph.into.iter().filter(|(to, _)| is_target(to)).flat_map(|(_, ways)| ways.iter().copied()).collect()
    }

    /// Errors that are reached without passing a loop's head.
    fn before_any_loop(&mut self, cx: &mut Cx) -> Result<Option<Verdict>, Stop> {
        let entry = self.graph.entry;
        for (from, way) in self.targets().into_iter().filter(|(from, _)| *from == entry) {
            let step = Step { from, way, frame: 0, cube: &[], elsewhere: false };
            if let Reached::Yes = self.theory.reaches(&step, cx)? {
                let Some(found) = self.theory.predecessor(&step, cx)? else { return Ok(Some(no_cube())) };
                return self.counterexample(&[Obligation { at: from, found, way, next: None }], 0, cx).map(Some);
            }
        }
        Ok(None)
    }

    /// Strengthens the frames until no target is reached from the last one.
    fn clear_last_frame(&mut self, cx: &mut Cx) -> Result<Option<Verdict>, Stop> {
        let entry = self.graph.entry;
        for (from, way) in self.targets().into_iter().filter(|(from, _)| *from != entry) {
            let step = Step { from, way, frame: self.last, cube: &[], elsewhere: false };
            while let Reached::Yes = self.theory.reaches(&step, cx)? {
                let Some(found) = self.theory.predecessor(&step, cx)? else { return Ok(Some(no_cube())) };
                if let Some(verdict) = self.block(Obligation { at: from, found, way, next: None }, cx)? {
                    return Ok(Some(verdict));
                }
            }
        }
        Ok(None)
    }

    /// Blocks an obligation in the last frame, with all that comes up on the way.
    fn block(&mut self, first: Obligation<T::Literal>, cx: &mut Cx) -> Result<Option<Verdict>, Stop> {
        let mut obligations = vec![first];
        // By frame; what was found last comes first.
        let mut open = BTreeSet::from([(self.last, Reverse(0))]);
        while let Some((mut frame, Reverse(id))) = open.pop_first() {
            cx.budget.check()?;
            let (at, cube) = (obligations[id].at, obligations[id].found.cube.clone());
            if !self.is_blocked(at, frame, &cube) {
                match self.step_back(at, frame, &cube, true, cx)? {
                    Before::State { from, way } => {
                        let step = Step { from, way, frame: frame - 1, cube: &cube, elsewhere: from == at };
                        let Some(found) = self.theory.predecessor(&step, cx)? else { return Ok(Some(no_cube())) };
                        obligations.push(Obligation { at: from, found, way, next: Some(id) });
                        if from == self.graph.entry {
                            return self.counterexample(&obligations, obligations.len() - 1, cx).map(Some);
                        }
                        open.insert((frame, Reverse(id)));
                        open.insert((frame - 1, Reverse(obligations.len() - 1)));
                        continue;
                    }
                    Before::Nothing(core) => {
                        let cube = self.generalise(at, frame, core, self.effort.max_counterexamples, cx)?;
                        frame = self.learn(at, frame, cube, cx)?;
                    }
                }
            }
            if frame < self.last {
                open.insert((frame + 1, Reverse(id)));
            }
        }
        Ok(None)
    }

    fn is_blocked(&self, at: Loc, frame: usize, cube: &[T::Literal]) -> bool {
        let subsumes = |lemma: &Lemma<T::Literal>| is_part(&lemma.cube, cube);
        self.lemmas[&at].iter().any(|lemma| lemma.frame >= frame && subsumes(lemma))
    }

    /// What of the frame before `frame` leads into the cube.
    /// With `relative` the frame before is taken without the cube itself.
    fn step_back(
        &mut self,
        at: Loc,
        frame: usize,
        cube: &[T::Literal],
        relative: bool,
        cx: &mut Cx,
    ) -> Result<Before<T::Literal>, Stop> {
        let mut needed: BTreeSet<T::Literal> = BTreeSet::new();
        for &(from, way) in self.graph.into(at) {
            // Before the first step only the entry is reached, in any state.
            if frame == 1 && from != self.graph.entry {
                continue;
            }
            let step = Step { from, way, frame: frame - 1, cube, elsewhere: relative && from == at };
            match self.theory.reaches(&step, cx)? {
                Reached::Yes => return Ok(Before::State { from, way }),
                Reached::No(core) => needed.extend(core),
            }
        }
        Ok(Before::Nothing(needed.into_iter().collect()))
    }

    /// Drops literals while the rest is still unreachable in one step from the frame before.
    fn generalise(
        &mut self,
        at: Loc,
        frame: usize,
        mut cube: Cube<T::Literal>,
        counterexamples: usize,
        cx: &mut Cx,
    ) -> Result<Cube<T::Literal>, Stop> {
        let mut order = cube.clone();
        if self.effort.by_need {
            order.sort_by_key(|literal| self.needed.get(literal).copied().unwrap_or(0));
        }
        let mut failed = 0;
        for literal in order {
            if cube.len() == 1 || failed >= self.effort.max_failed_drops {
                break;
            }
            let Ok(place) = cube.binary_search(&literal) else { continue };
            let mut fewer = cube.clone();
            fewer.remove(place);
            match self.shorter(at, frame, &fewer, counterexamples, cx)? {
                Some(core) => {
                    cube = core;
                    failed = 0;
                }
                None => failed += 1,
            }
        }
        Ok(cube)
    }

    /// What of the cube suffices, if it is unreachable in one step from the frame before. A state that speaks against it is
    /// excluded by a lemma of its own where it can be: a counterexample to generalisation (Hassan, Bradley, Somenzi 2013).
    fn shorter(
        &mut self,
        at: Loc,
        frame: usize,
        cube: &[T::Literal],
        counterexamples: usize,
        cx: &mut Cx,
    ) -> Result<Option<Cube<T::Literal>>, Stop> {
        for _ in 0..=counterexamples {
            let (from, way) = match self.step_back(at, frame, cube, true, cx)? {
                Before::Nothing(core) => return Ok(Some(core)),
                Before::State { from, way } => (from, way),
            };
            if counterexamples == 0 || frame < 2 || from == self.graph.entry {
                return Ok(None);
            }
            let step = Step { from, way, frame: frame - 1, cube, elsewhere: from == at };
            let Some(found) = self.theory.predecessor(&step, cx)? else { return Ok(None) };
            let Before::Nothing(core) = self.step_back(from, frame - 1, &found.cube, true, cx)? else {
                return Ok(None);
            };
            let core = self.generalise(from, frame - 1, core, 0, cx)?;
            self.learn(from, frame - 1, core, cx)?;
        }
        Ok(None)
    }

    /// Adds the lemma that the cube is not reached within `frame` steps, or as many more as hold too: within how many.
    fn learn(&mut self, at: Loc, mut frame: usize, mut cube: Cube<T::Literal>, cx: &mut Cx) -> Result<usize, Stop> {
        while self.effort.to_later_frames && frame < self.last {
            let Before::Nothing(core) = self.step_back(at, frame + 1, &cube, true, cx)? else { break };
            (frame, cube) = (frame + 1, core);
        }
        for literal in &cube {
            *self.needed.entry(*literal).or_default() += 1;
        }
        self.theory.exclude(at, frame, &cube, cx);
        let lemmas = self.lemmas.get_mut(&at).expect("obligations are at cut points");
        lemmas.retain(|old| old.frame > frame || !is_part(&cube, &old.cube));
        lemmas.push(Lemma { frame, cube });
        Ok(frame)
    }

    /// Moves lemmas to the next frame where they hold there too. Two equal frames are invariants.
    fn propagate(&mut self, cx: &mut Cx) -> Result<Option<BTreeMap<Loc, Term>>, Stop> {
        for frame in 1..=self.last {
            let mut all_move = true;
            for &at in self.graph.segments.keys() {
                for i in 0..self.lemmas[&at].len() {
                    let lemma = &self.lemmas[&at][i];
                    if lemma.frame != frame {
                        continue;
                    }
                    let cube = lemma.cube.clone();
                    if let Before::Nothing(_) = self.step_back(at, frame + 1, &cube, false, cx)? {
                        self.lemmas.get_mut(&at).expect("a cut point")[i].frame = frame + 1;
                        self.theory.exclude(at, frame + 1, &cube, cx);
                    } else {
                        all_move = false;
                    }
                }
            }
            if all_move {
                return Ok(Some(self.invariants(frame + 1, cx)));
            }
        }
        Ok(None)
    }

    /// What the frame says of each cut point but the entry.
    fn invariants(&self, frame: usize, cx: &mut Cx) -> BTreeMap<Loc, Term> {
        let mut at = BTreeMap::new();
        for (loc, lemmas) in self.lemmas.iter().filter(|(loc, _)| **loc != self.graph.entry) {
            let mut facts: Vec<Term> = self.known.get(loc).copied().into_iter().collect();
            for lemma in lemmas.iter().filter(|lemma| lemma.frame >= frame) {
                let cube = self.theory.formula(&lemma.cube, &mut cx.terms);
                facts.push(cx.terms.not(cube));
            }
            at.insert(*loc, cx.terms.and_all(&facts));
        }
        at
    }

    /// The execution along a chain of obligations, walked on values: cubes only say which inputs lead on.
    fn counterexample(
        &self,
        obligations: &[Obligation<T::Literal>],
        first: usize,
        cx: &mut Cx,
    ) -> Result<Verdict, Stop> {
        let program = self.program;
        let mut state: BTreeMap<Term, Value> = BTreeMap::new();
        for (t, value) in obligations[first].found.model.iter().filter(|(t, _)| program.var_of(*t).is_some()) {
            state.insert(t, value.clone());
        }
        let initial = state.iter().filter_map(|(t, value)| Some((program.var_of(*t)?, value.clone()))).collect();
        let mut inputs = Vec::new();
        let mut next = Some(first);
        let mut target = self.graph.entry;
        while let Some(id) = next {
            cx.budget.check()?;
            let step = &obligations[id];
            let segment = &self.graph.segments[&step.at];
            let (to, way) = &segment.ways[step.way];
            let mut model = step.found.model.clone();
            for var in program.vars.values() {
                let value = state.get(&var.term).cloned().unwrap_or_else(|| Value::zero(var.sort));
                model.set(var.term, value);
            }
            let mut values = Evaluator::new(OrZero(model));
            let holds = |values: &mut Evaluator<OrZero<Model>>, t| values.eval(&cx.terms, t) == Ok(Value::Bool(true));
            let path =
                segment.path(program, &self.graph.successors, *to, |guard| Ok::<_, Stop>(holds(&mut values, guard)))?;
            let Some(path) = path else { return Ok(no_cube()) };
            for (edge, symbols) in path.into_iter().filter(|(_, symbols)| !symbols.is_empty()) {
                let given: Result<Vec<Value>, _> = symbols.iter().map(|s| values.eval(&cx.terms, *s)).collect();
                let Ok(given) = given else { return Ok(no_cube()) };
                inputs.push((edge, given));
            }
            let mut after = BTreeMap::new();
            for (var, info) in program.vars.iter() {
                let t = way.after.term(&mut cx.terms, var);
                let Ok(value) = values.eval(&cx.terms, t) else { return Ok(no_cube()) };
                after.insert(info.term, value);
            }
            (state, next, target) = (after, step.next, *to);
        }
        Ok(match program.main().locs[target].kind {
            LocKind::Error(_) => Verdict::Unsafe(Evidence::Trace(Trace { target, inputs, initial })),
            _ => Verdict::Unknown(why_unknown(program, target)),
        })
    }
}

/// Whether all of the literals are among the others.
fn is_part<L: Ord>(few: &[L], many: &[L]) -> bool {
    few.len() <= many.len() && few.iter().all(|literal| many.binary_search(literal).is_ok())
}

/// Evaluation and the solver differ about a model, in what SMT-LIB leaves open.
fn no_cube() -> Verdict {
    Verdict::Unknown(Why::GaveUp("a state of the solver's could not be evaluated".into()))
}
