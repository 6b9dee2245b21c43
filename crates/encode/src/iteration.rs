//! One iteration of a loop as formulas: all its paths merged into one, and each path by itself.
//!
//! A state that starts an iteration is arbitrary, so formulas here speak of program variables (before) and of the
//! symbols of inputs and of choices between edges. Whoever asks a solver about them means *for some value* of those.

use crate::eliminate::{eliminate, without};
use crate::post::step;
use crate::pre::inputs_in;
use crate::state::{State, evaluate_term};
use crate::unroll::{join_guards, make_disjoint};
use cfa::{Edge, Loc, Program};
use flow::{Graph, LoopId, Loops, loop_paths};
use rustc_hash::FxHashMap;
use term::subst::Substitution;
use term::{Store, Term};

/// What a way through the loop demands and does.
#[derive(Clone, Debug)]
pub struct Way {
    pub condition: Term,
    pub after: State,
}

/// One iteration of a loop without inner loops.
#[derive(Debug)]
pub struct Iteration {
    pub head: Loc,
    /// All paths back to the head, merged; `None` if there is none.
    pub back: Option<Way>,
    /// The paths one by one, if they are few.
    pub paths: Option<Vec<Way>>,
    /// From where no further iteration is finished: the loop can be left, other than to a target, or control ends in it.
    /// (Slicing cuts off what leads to no target, so often the loop is not seen to be left at all.)
    pub last: Term,
    /// Edges that enter the loop.
    pub entries: Vec<Edge>,
    /// Locations of the loop.
    pub body: Vec<Loc>,
}

impl Iteration {
    /// `None` for a loop with loops inside, or that can be entered past its head.
    pub fn new(
        program: &Program,
        terms: &mut Store,
        graph: &Graph,
        loops: &Loops,
        id: LoopId,
        max_paths: u64,
    ) -> Option<Iteration> {
        let this = &loops.loops[id];
        if !this.is_reducible() || loops.children(Some(id)).next().is_some() {
            return None;
        }
        let mut arrivals: FxHashMap<Loc, Vec<(Term, State)>> = FxHashMap::default();
        let mut back: Vec<(Term, State)> = Vec::new();
        let mut exits = Vec::new();
        arrivals.insert(this.header, vec![(terms.tt(), State::arbitrary(program))]);
        for loc in &this.body {
            let Some(here) = arrivals.remove(loc) else { continue };
            let (guard, state) = merge(terms, here);
            let mut steps = Vec::new();
            for &edge in graph.succs(*loc) {
                if let Some(step) = step(program, terms, &state, &program.main().edges[edge].op) {
                    steps.push((edge, step));
                }
            }
            make_disjoint(terms, &mut steps);
            for (edge, step) in steps {
                let to = graph.to(edge);
                let guard = terms.and(guard, step.condition);
                if to == this.header {
                    back.push((guard, step.state));
                } else if loops.contains(id, to) {
                    arrivals.entry(to).or_default().push((guard, step.state));
                } else if !program.main().locs[to].kind.is_target() {
                    exits.push(guard);
                }
            }
        }
        let back = (!back.is_empty()).then(|| {
            let (condition, after) = merge(terms, back);
            Way { condition, after }
        });
        let exit = terms.or_all(&exits);
        let exit = over_program_variables(program, terms, exit);
        let goes_on = back.as_ref().map_or(terms.ff(), |way| way.condition);
        let goes_on = over_program_variables(program, terms, goes_on);
        let ends = terms.not(goes_on);
        let last = terms.or(exit, ends);
        let paths = loop_paths(graph, loops, id, max_paths).ok();
        let paths = paths.map(|paths| paths.iter().filter_map(|path| along(program, terms, path)).collect());
        Some(Iteration { head: this.header, back, paths, last, entries: this.entries.clone(), body: this.body.clone() })
    }

    /// The ways around the loop: its paths, or one merged way where they are too many.
    pub fn ways(&self) -> Vec<&Way> {
        match &self.paths {
            Some(paths) => paths.iter().collect(),
            None => self.back.iter().collect(),
        }
    }

    /// κ of the paper: `2·|LoopPaths| − 1`.
    pub fn kappa(&self) -> u32 {
        (2 * self.ways().len() as u32).saturating_sub(1)
    }
}

impl Way {
    /// The value of a formula after going this way.
    pub fn after(&self, program: &Program, terms: &mut Store, formula: Term) -> Term {
        evaluate_term(program, terms, &self.after, formula)
    }

    /// The states from which this way leads into `states`. Inputs that cannot be eliminated stay, under fresh names.
    pub fn pre(&self, program: &Program, terms: &mut Store, states: Term) -> Term {
        let after = self.after(program, terms, states);
        let all = terms.and(self.condition, after);
        let inputs = inputs_in(program, terms, all);
        let all = eliminate(terms, all, &inputs);
        renamed_apart(program, terms, all)
    }
}

/// The formula with every input under a new name, so that it means *some* value apart from all other occurrences.
pub fn renamed_apart(program: &Program, terms: &mut Store, formula: Term) -> Term {
    let mut names = Substitution::new();
    for input in inputs_in(program, terms, formula) {
        let fresh = terms.fresh("in", terms.sort(input));
        names.insert(terms, input, fresh);
    }
    names.apply(terms, formula)
}

/// `∃ inputs. formula` over program variables only, or something that it implies where inputs cannot be eliminated.
pub fn over_program_variables(program: &Program, terms: &mut Store, formula: Term) -> Term {
    let inputs = inputs_in(program, terms, formula);
    let formula = eliminate(terms, formula, &inputs);
    let left = inputs_in(program, terms, formula);
    if left.is_empty() { formula } else { without(terms, formula, &left) }
}

fn along(program: &Program, terms: &mut Store, path: &[Edge]) -> Option<Way> {
    let mut way = Way { condition: terms.tt(), after: State::arbitrary(program) };
    for edge in path {
        let step = step(program, terms, &way.after, &program.main().edges[*edge].op)?;
        way.condition = terms.and(way.condition, step.condition);
        way.after = step.state;
    }
    (terms.as_bool_const(way.condition) != Some(false)).then_some(way)
}

pub(crate) fn merge(terms: &mut Store, arrivals: Vec<(Term, State)>) -> (Term, State) {
    let guards = arrivals.iter().map(|(guard, _)| *guard).collect();
    let mut arrivals = arrivals.into_iter();
    let (_, mut merged) = arrivals.next().expect("something arrives");
    for (guard, mut state) in arrivals {
        state.merge(terms, guard, &merged);
        merged = state;
    }
    (join_guards(terms, guards), merged)
}
