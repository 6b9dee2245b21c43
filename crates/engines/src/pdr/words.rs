//! Literals are comparisons of the program's variables, questions go to an SMT solver: for programs with arrays, floats and
//! wide arithmetic.

use super::justify::justify;
use super::{Found, Reached, Step, Theory};
use cfa::{Loc, Program};
use encode::Segment;
use encode::iteration::Way;
use engine::{Cx, Stop};
use smt::Solver;
use std::collections::BTreeMap;
use term::{Sort, Store, Term};

pub(super) struct Words<'t> {
    program: &'t Program,
    segments: &'t BTreeMap<Loc, Segment>,
    cuts: BTreeMap<Loc, Cut>,
}

struct Cut {
    /// Knows the lemmas here, each under the symbol of its frame.
    solver: Box<dyn Solver>,
    /// The symbols of the frames.
    frames: Vec<Term>,
}

impl<'t> Words<'t> {
    pub(super) fn new(
        program: &'t Program,
        segments: &'t BTreeMap<Loc, Segment>,
        known: &BTreeMap<Loc, Term>,
        cx: &Cx,
    ) -> Result<Words<'t>, Stop> {
        let mut cuts = BTreeMap::new();
        for at in segments.keys() {
            let mut solver = cx.solver()?;
            if let Some(known) = known.get(at) {
                solver.assert(&cx.terms, *known);
            }
            cuts.insert(*at, Cut { solver, frames: Vec::new() });
        }
        Ok(Words { program, segments, cuts })
    }

    fn way(&self, step: &Step<'_, Term>) -> &'t Way {
        &self.segments[&step.from].ways[step.way].1
    }

    /// What has to be true for the step to lead into its cube: the way's condition, then literal by literal.
    fn goals(&self, step: &Step<'_, Term>, terms: &mut Store) -> Vec<Term> {
        let way = self.way(step);
        let after = step.cube.iter().map(|literal| way.after(self.program, terms, *literal));
        std::iter::once(way.condition).chain(after.collect::<Vec<_>>()).collect()
    }
}

impl Theory for Words<'_> {
    type Literal = Term;

    fn reaches(&mut self, step: &Step<'_, Term>, cx: &mut Cx) -> Result<Reached<Term>, Stop> {
        let goals = self.goals(step, &mut cx.terms);
        let after = step.cube.iter().zip(&goals[1..]);
        if let Some((literal, _)) = after.clone().find(|(_, t)| cx.terms.as_bool_const(**t) == Some(false)) {
            return Ok(Reached::No(vec![*literal]));
        }
        let mut assumptions: Vec<Term> =
            goals.iter().copied().filter(|t| cx.terms.as_bool_const(*t) != Some(true)).collect();
        if step.elsewhere {
            let cube = cx.terms.and_all(step.cube);
            assumptions.push(cx.terms.not(cube));
        }
        let cut = self.cuts.get_mut(&step.from).expect("ways start at cut points");
        assumptions.extend(cut.frames.iter().skip(step.frame));
        if cx.is_sat(cut.solver.as_mut(), &assumptions)? {
            return Ok(Reached::Yes);
        }
        let Ok(core) = cut.solver.core() else { return Ok(Reached::No(step.cube.to_vec())) };
        Ok(Reached::No(after.filter(|(_, t)| core.contains(t)).map(|(literal, _)| *literal).collect()))
    }

    fn predecessor(&mut self, step: &Step<'_, Term>, cx: &mut Cx) -> Result<Option<Found<Term>>, Stop> {
        let goals = self.goals(step, &mut cx.terms);
        let cut = self.cuts.get_mut(&step.from).expect("ways start at cut points");
        let model = cut.solver.model(&cx.terms, &goals)?;
        let cube = justify(self.program, &mut cx.terms, &model, &goals);
        Ok(cube.map(|cube| Found { cube, model }))
    }

    fn exclude(&mut self, at: Loc, frame: usize, cube: &[Term], cx: &mut Cx) {
        let cut = self.cuts.get_mut(&at).expect("lemmas are at cut points");
        while cut.frames.len() <= frame {
            cut.frames.push(cx.terms.fresh("frame", Sort::Bool));
        }
        let outside = cx.terms.not(cut.frames[frame]);
        let cube = cx.terms.and_all(cube);
        let clause = cx.terms.not(cube);
        let fact = cx.terms.or(outside, clause);
        cut.solver.assert(&cx.terms, fact);
    }

    fn formula(&self, cube: &[Term], terms: &mut Store) -> Term {
        terms.and_all(cube)
    }
}
