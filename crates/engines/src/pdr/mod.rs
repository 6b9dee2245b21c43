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

mod cube;

use crate::generalise::Generaliser;
use base::Table;
use cfa::{Edge, Loc, LocKind, Program};
use cube::{Cube, justify};
use encode::{Segment, why_unknown};
use engine::{Cx, Engine, Event, Evidence, FactKind, Proof, Stop, Task, Trace, Verdict, Why};
use flow::wto::Wto;
use smt::{Model, Solver};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use term::eval::OrZero;
use term::{Evaluator, Sort, Store, Term, Value};

#[derive(Clone, Debug)]
pub struct Settings {
    /// The last frame.
    pub max_frames: usize,
    /// Attempts to drop a literal of a lemma that may fail, one after the other, before the lemma is taken as it is. Each
    /// costs a question for every way into the cut point.
    pub max_failed_drops: usize,
    /// The part of the time for invariants that are known beforehand, in percent.
    pub analysis_percent: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { max_frames: usize::MAX, max_failed_drops: 8, analysis_percent: 5 }
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
        let mut search = Search::new(&self.settings, program, &wto, cx)?;
        if let Some(verdict) = search.before_any_loop(cx)? {
            return Ok(verdict);
        }
        if wto.is_reducible(program.main()) {
            let mut known = Generaliser::new("pdr", task, &wto, cx)?;
            known.analyse(cx.budget.left() * self.settings.analysis_percent / 100, cx)?;
            search.assume(known.windows.invariants, cx);
        }
        while search.last < self.settings.max_frames {
            search.last += 1;
            if let Some(verdict) = search.clear_last_frame(cx)? {
                return Ok(verdict);
            }
            if let Some(invariants) = search.propagate(cx)? {
                return Ok(Verdict::Safe(Proof::Invariants { at: invariants, k: 1 }));
            }
            let bound = search.last as u64;
            cx.publish("pdr", FactKind::NoErrorWithin { bound });
            cx.tell(Event::Bound(bound));
        }
        Ok(Verdict::Unknown(Why::GaveUp(format!("no invariant within {} frames", self.settings.max_frames))))
    }
}

/// A cut point with what can happen from there.
struct Cut {
    segment: Segment,
    /// Knows the lemmas here, each under the symbol of its frame.
    solver: Box<dyn Solver>,
    /// The symbols of the frames.
    frames: Vec<Term>,
    lemmas: Vec<Lemma>,
    /// What holds in all frames.
    known: Term,
}

/// That no state of the cube is reached within so many steps.
struct Lemma {
    frame: usize,
    cube: Cube,
}

/// A cube from which an error is reached, and how.
struct Obligation {
    at: Loc,
    cube: Cube,
    /// The state it was found in, with inputs that lead on from every state of the cube.
    model: Model,
    /// The way that is taken, by its place in the segment.
    way: usize,
    /// Where it leads; `None`: to a target.
    next: Option<usize>,
}

/// Whether a way leads from a frame into a cube.
enum Reached {
    Yes(Model),
    /// These literals suffice to say no.
    No(Cube),
}

/// What leads into a cube.
enum Before {
    State {
        from: Loc,
        way: usize,
        model: Model,
    },
    /// These literals suffice to exclude it.
    Nothing(Cube),
}

struct Search<'t> {
    settings: &'t Settings,
    program: &'t Program,
    successors: Table<Loc, Vec<Edge>>,
    entry: Loc,
    cuts: BTreeMap<Loc, Cut>,
    /// The ways into each location: where they start, and their place there.
    into: BTreeMap<Loc, Vec<(Loc, usize)>>,
    /// The last frame (`k` of the papers).
    last: usize,
}

impl<'t> Search<'t> {
    fn new(settings: &'t Settings, program: &'t Program, wto: &Wto, cx: &mut Cx) -> Result<Search<'t>, Stop> {
        let entry = program.main().entry;
        let successors = program.main().successors();
        let mut cuts = BTreeMap::new();
        let mut into: BTreeMap<Loc, Vec<(Loc, usize)>> = BTreeMap::new();
        for at in BTreeSet::from_iter(wto.heads().chain([entry])) {
            let segment = Segment::new(program, &mut cx.terms, wto, &successors, at, &cx.budget)?;
            for (way, (to, _)) in segment.ways.iter().enumerate() {
                into.entry(*to).or_default().push((at, way));
            }
            let cut =
                Cut { segment, solver: cx.solver()?, frames: Vec::new(), lemmas: Vec::new(), known: cx.terms.tt() };
            cuts.insert(at, cut);
        }
        Ok(Search { settings, program, successors, entry, cuts, into, last: 0 })
    }

    /// Takes inductive invariants as known.
    fn assume(&mut self, invariants: BTreeMap<Loc, Term>, cx: &Cx) {
        for (at, invariant) in invariants {
            if let Some(cut) = self.cuts.get_mut(&at) {
                cut.solver.assert(&cx.terms, invariant);
                cut.known = invariant;
            }
        }
    }

    fn targets(&self) -> Vec<(Loc, usize)> {
        let is_target = |loc: &Loc| self.program.main().locs[*loc].kind.is_target();
        self.into.iter().filter(|(to, _)| is_target(to)).flat_map(|(_, ways)| ways.iter().copied()).collect()
    }

    /// Errors that are reached without passing a loop's head.
    fn before_any_loop(&mut self, cx: &mut Cx) -> Result<Option<Verdict>, Stop> {
        let entry = self.entry;
        for (at, way) in self.targets().into_iter().filter(|(at, _)| *at == entry) {
            if let Reached::Yes(model) = self.reaches(at, way, 0, &Vec::new(), false, cx)? {
                let found = Obligation { at, cube: Vec::new(), model, way, next: None };
                return self.counterexample(&[found], 0, cx).map(Some);
            }
        }
        Ok(None)
    }

    /// Strengthens the frames until no target is reached from the last one.
    fn clear_last_frame(&mut self, cx: &mut Cx) -> Result<Option<Verdict>, Stop> {
        let entry = self.entry;
        for (at, way) in self.targets().into_iter().filter(|(at, _)| *at != entry) {
            while let Reached::Yes(model) = self.reaches(at, way, self.last, &Vec::new(), false, cx)? {
                let Some(cube) = self.predecessor(at, way, &model, &Vec::new(), cx) else {
                    return Ok(Some(no_cube()));
                };
                let found = Obligation { at, cube, model, way, next: None };
                if let Some(verdict) = self.block(found, cx)? {
                    return Ok(Some(verdict));
                }
            }
        }
        Ok(None)
    }

    /// Blocks an obligation in the last frame, with all that comes up on the way.
    fn block(&mut self, first: Obligation, cx: &mut Cx) -> Result<Option<Verdict>, Stop> {
        let mut obligations = vec![first];
        // By frame; what was found last comes first.
        let mut open = BTreeSet::from([(self.last, Reverse(0))]);
        while let Some((frame, Reverse(id))) = open.pop_first() {
            cx.budget.check()?;
            let (at, cube) = (obligations[id].at, obligations[id].cube.clone());
            if !self.is_blocked(at, frame, &cube) {
                match self.step_back(at, frame, &cube, true, cx)? {
                    Before::State { from, way, model } => {
                        let Some(cube) = self.predecessor(from, way, &model, &cube, cx) else {
                            return Ok(Some(no_cube()));
                        };
                        let before = Obligation { at: from, cube, model, way, next: Some(id) };
                        obligations.push(before);
                        if from == self.entry {
                            return self.counterexample(&obligations, obligations.len() - 1, cx).map(Some);
                        }
                        open.insert((frame, Reverse(id)));
                        open.insert((frame - 1, Reverse(obligations.len() - 1)));
                        continue;
                    }
                    Before::Nothing(core) => {
                        let cube = self.generalise(at, frame, core, cx)?;
                        self.learn(at, frame, cube, cx);
                    }
                }
            }
            if frame < self.last {
                open.insert((frame + 1, Reverse(id)));
            }
        }
        Ok(None)
    }

    fn is_blocked(&self, at: Loc, frame: usize, cube: &Cube) -> bool {
        let lemmas = &self.cuts[&at].lemmas;
        lemmas.iter().any(|lemma| lemma.frame >= frame && lemma.cube.iter().all(|literal| cube.contains(literal)))
    }

    /// What of the frame before `frame` leads into the cube.
    /// With `relative` the frame before is taken without the cube itself.
    fn step_back(&mut self, at: Loc, frame: usize, cube: &Cube, relative: bool, cx: &mut Cx) -> Result<Before, Stop> {
        let mut needed: BTreeSet<Term> = BTreeSet::new();
        for (from, way) in self.into.get(&at).cloned().unwrap_or_default() {
            match self.reaches(from, way, frame - 1, cube, relative && from == at, cx)? {
                Reached::Yes(model) => return Ok(Before::State { from, way, model }),
                Reached::No(core) => needed.extend(core),
            }
        }
        Ok(Before::Nothing(cube.iter().copied().filter(|literal| needed.contains(literal)).collect()))
    }

    /// Drops literals while the rest is still unreachable in one step from the frame before.
    fn generalise(&mut self, at: Loc, frame: usize, mut cube: Cube, cx: &mut Cx) -> Result<Cube, Stop> {
        let (mut position, mut failed) = (0, 0);
        while position < cube.len() && cube.len() > 1 && failed < self.settings.max_failed_drops {
            let mut fewer = cube.clone();
            fewer.remove(position);
            match self.step_back(at, frame, &fewer, true, cx)? {
                Before::Nothing(core) => {
                    cube = core;
                    failed = 0;
                }
                Before::State { .. } => {
                    position += 1;
                    failed += 1;
                }
            }
        }
        Ok(cube)
    }

    /// Adds the lemma that the cube is not reached within `frame` steps.
    fn learn(&mut self, at: Loc, frame: usize, cube: Cube, cx: &mut Cx) {
        let cut = self.cuts.get_mut(&at).expect("obligations are at cut points");
        cut.assert_lemma(&mut cx.terms, frame, &cube);
        cut.lemmas.retain(|old| old.frame > frame || !cube.iter().all(|literal| old.cube.contains(literal)));
        cut.lemmas.push(Lemma { frame, cube });
    }

    /// Moves lemmas to the next frame where they hold there too. Two equal frames are invariants.
    fn propagate(&mut self, cx: &mut Cx) -> Result<Option<BTreeMap<Loc, Term>>, Stop> {
        for frame in 1..=self.last {
            let cuts: Vec<Loc> = self.cuts.keys().copied().collect();
            let mut all_move = true;
            for at in cuts {
                for i in 0..self.cuts[&at].lemmas.len() {
                    let lemma = &self.cuts[&at].lemmas[i];
                    if lemma.frame != frame {
                        continue;
                    }
                    let cube = lemma.cube.clone();
                    if let Before::Nothing(_) = self.step_back(at, frame + 1, &cube, false, cx)? {
                        let cut = self.cuts.get_mut(&at).expect("a cut point");
                        cut.lemmas[i].frame = frame + 1;
                        cut.assert_lemma(&mut cx.terms, frame + 1, &cube);
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
        for (loc, cut) in self.cuts.iter().filter(|(loc, _)| **loc != self.entry) {
            let mut facts = vec![cut.known];
            for lemma in cut.lemmas.iter().filter(|lemma| lemma.frame >= frame) {
                facts.push(clause(&mut cx.terms, &lemma.cube));
            }
            at.insert(*loc, cx.terms.and_all(&facts));
        }
        at
    }

    /// Whether the way leads from a state of the frame into the cube. With `elsewhere` the state is not in the cube itself.
    fn reaches(
        &mut self,
        from: Loc,
        way: usize,
        frame: usize,
        cube: &Cube,
        elsewhere: bool,
        cx: &mut Cx,
    ) -> Result<Reached, Stop> {
        // Before the first step only the entry is reached, in any state.
        if frame == 0 && from != self.entry {
            return Ok(Reached::No(Vec::new()));
        }
        let cut = self.cuts.get_mut(&from).expect("ways start at cut points");
        let way = &cut.segment.ways[way].1;
        let mut asked = vec![way.condition];
        let mut after = Vec::new();
        for &literal in cube {
            let t = way.after(self.program, &mut cx.terms, literal);
            if cx.terms.as_bool_const(t) == Some(false) {
                return Ok(Reached::No(vec![literal]));
            }
            after.push(t);
        }
        asked.extend(after.iter().filter(|t| cx.terms.as_bool_const(**t).is_none()));
        let mut assumptions = asked.clone();
        if elsewhere {
            assumptions.push(clause(&mut cx.terms, cube));
        }
        assumptions.extend(cut.frames.iter().skip(frame));
        if cx.is_sat(cut.solver.as_mut(), &assumptions)? {
            return Ok(Reached::Yes(cut.solver.model(&cx.terms, &asked)?));
        }
        let Ok(core) = cut.solver.core() else { return Ok(Reached::No(cube.clone())) };
        let needed = cube.iter().zip(&after).filter(|(_, t)| core.contains(t)).map(|(literal, _)| *literal);
        Ok(Reached::No(needed.collect()))
    }

    /// A cube of states from which the way leads into `cube` on the model's inputs.
    fn predecessor(&self, from: Loc, way: usize, model: &Model, cube: &Cube, cx: &mut Cx) -> Option<Cube> {
        let way = &self.cuts[&from].segment.ways[way].1;
        let mut goals = vec![way.condition];
        for &literal in cube {
            goals.push(way.after(self.program, &mut cx.terms, literal));
        }
        justify(self.program, &mut cx.terms, model, &goals)
    }

    /// The execution along a chain of obligations, walked on values: cubes only say which inputs lead on.
    fn counterexample(&self, obligations: &[Obligation], first: usize, cx: &mut Cx) -> Result<Verdict, Stop> {
        let program = self.program;
        let mut state: BTreeMap<Term, Value> = BTreeMap::new();
        for (t, value) in obligations[first].model.iter().filter(|(t, _)| program.var_of(*t).is_some()) {
            state.insert(t, value.clone());
        }
        let initial = state.iter().filter_map(|(t, value)| Some((program.var_of(*t)?, value.clone()))).collect();
        let mut inputs = Vec::new();
        let mut next = Some(first);
        let mut target = self.entry;
        while let Some(id) = next {
            cx.budget.check()?;
            let step = &obligations[id];
            let segment = &self.cuts[&step.at].segment;
            let (to, way) = &segment.ways[step.way];
            let mut model = step.model.clone();
            for var in program.vars.values() {
                let value = state.get(&var.term).cloned().unwrap_or_else(|| Value::zero(var.sort));
                model.set(var.term, value);
            }
            let mut values = Evaluator::new(OrZero(model));
            let holds = |values: &mut Evaluator<OrZero<Model>>, t| values.eval(&cx.terms, t) == Ok(Value::Bool(true));
            let path =
                segment.path(program, &self.successors, *to, |guard| Ok::<_, Stop>(holds(&mut values, guard)))?;
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

impl Cut {
    fn assert_lemma(&mut self, terms: &mut Store, frame: usize, cube: &Cube) {
        while self.frames.len() <= frame {
            self.frames.push(terms.fresh("frame", Sort::Bool));
        }
        let outside = terms.not(self.frames[frame]);
        let clause = clause(terms, cube);
        let fact = terms.or(outside, clause);
        self.solver.assert(terms, fact);
    }
}

/// The states outside of the cube.
fn clause(terms: &mut Store, cube: &Cube) -> Term {
    let all = terms.and_all(cube);
    terms.not(all)
}

/// Evaluation and the solver differ about a model, in what SMT-LIB leaves open.
fn no_cube() -> Verdict {
    Verdict::Unknown(Why::GaveUp("a state of the solver's could not be evaluated".into()))
}
