//! A strategy is given: does the program come to what is wanted when it is followed?
//!
//! Wanted is the error (a danger invariant: predicates, and a ranking), or that nothing ever ends (a recurrence set). The
//! effort grows: first what abstract interpretation knows, then learned candidates, then more and more peeled states.

use crate::facts::{Effort, Inference, proved};
use crate::rank::ranking;
use crate::settings::Settings;
use crate::strategy::Strategy;
use base::Table;
use cfa::{Loc, Program, Var};
use engine::{Cx, Danger, Stop};
use flow::wto::Wto;
use infer::AtHeads;
use infer::candidates::numbers::{Cell, cells};
use infer::candidates::state;
use infer::limits::sample::MOST_ROWS;
use infer::sample::states::Run;
use infer::segments::{Comes, Decides, Segment, merged};
use interpreter::Ending;
use std::collections::{BTreeMap, BTreeSet};
use term::{Store, Term, Value};

/// What the execution is to come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wanted {
    Error,
    Forever,
}

/// In this order; what lists more states than the run has seen is left out.
const EFFORTS: [Effort; 11] = [
    Effort::LEAST,
    Effort { peeled: 1, ..Effort::LEAST },
    Effort { implications: true, ..Effort::LEAST },
    Effort { peeled: 2, ..Effort::LEAST },
    Effort { peeled: 4, ..Effort::LEAST },
    Effort { peeled: 9, ..Effort::LEAST },
    Effort { peeled: 17, ..Effort::LEAST },
    Effort { peeled: 34, ..Effort::LEAST },
    Effort { peeled: 70, ..Effort::LEAST },
    Effort { implications: true, templates: true, ..Effort::LEAST },
    Effort { degree: 2, ..Effort::LEAST },
];

/// What a proof attempt needs to know.
pub(crate) struct Attempt<'a> {
    pub program: &'a Program,
    pub strategy: &'a Strategy,
    pub atoms: &'a [Term],
    pub live: &'a Table<Loc, Vec<Var>>,
    pub run: &'a Run,
    pub wanted: Wanted,
    pub settings: &'a Settings,
}

impl Attempt<'_> {
    /// A proof, if one is found.
    pub(crate) fn prove(&self, cx: &mut Cx) -> Result<Option<Danger>, Stop> {
        if self.wanted == Wanted::Forever && self.run.cycle {
            return Ok(Some(self.lasso(&mut cx.terms)));
        }
        let followed = self.strategy.follow(self.program, &cx.terms);
        let wto = Wto::new(followed.main());
        let known = proved(&followed, &wto, cx)?;
        let budget = cx.budget.clone();
        let pieces = merged(&followed, &mut cx.terms, &wto, Decides::We, &budget)?;
        let cells = cells(&followed, &mut cx.terms, &pieces, &self.run.rows);
        let mut tried: Vec<BTreeMap<Loc, Term>> = Vec::new();
        let most_rows = self.run.rows.values().map(Vec::len).max().unwrap_or(0);
        // Of a run that ended all states can be listed.
        let is_whole = matches!(self.run.ending, Ending::Error(_)) && most_rows < MOST_ROWS;
        let all = is_whole.then_some(Effort { peeled: usize::MAX, ..Effort::LEAST });
        for effort in EFFORTS.into_iter().filter(|e| e.peeled == 0 || e.peeled < most_rows).chain(all) {
            let predicates = self.predicates(cx, &followed, (&pieces, &cells), &known, effort)?;
            if tried.contains(&predicates) {
                continue;
            }
            if self.ends_well(cx, &pieces, &predicates)? {
                let ranking = match self.wanted {
                    Wanted::Forever => Some(BTreeMap::new()),
                    Wanted::Error => {
                        ranking(&followed, &wto, &pieces, &predicates, self.atoms, self.settings, cx)?.ok()
                    }
                };
                if let Some(ranking) = ranking {
                    let ff = cx.terms.ff();
                    return Ok(Some(Danger {
                        initial: self.strategy.initial(&cx.terms),
                        invariant: predicates.into_iter().filter(|(_, t)| *t != ff).collect(),
                        ranking,
                        choice: self.strategy.choices(),
                    }));
                }
                if effort.implications {
                    break;
                }
            }
            tried.push(predicates);
        }
        Ok(None)
    }

    /// The run came back to a state: those in which it was are all there is to say.
    fn lasso(&self, terms: &mut Store) -> Danger {
        let mut invariant = BTreeMap::new();
        for (head, rows) in &self.run.rows {
            let states: Vec<Term> = rows.iter().map(|row| state::state(self.program, terms, row)).collect();
            invariant.insert(*head, terms.or_all(&states));
        }
        // A choice may read what the program has not assigned yet: in the run that was zero.
        let mut initial = self.strategy.initial(terms);
        let chosen: Vec<Term> = self.strategy.chosen.values().copied().collect();
        for var in term::walk::free_vars(terms, &chosen).into_iter().filter_map(|s| self.program.var_of(s)) {
            initial.entry(var).or_insert_with(|| Value::zero(self.program.vars[var].sort));
        }
        Danger { initial, invariant, ranking: BTreeMap::new(), choice: self.strategy.choices() }
    }

    fn predicates(
        &self,
        cx: &mut Cx,
        followed: &Program,
        (pieces, cells): (&[Segment], &BTreeSet<Cell>),
        known: &AtHeads,
        effort: Effort,
    ) -> Result<BTreeMap<Loc, Term>, Stop> {
        let inference = Inference {
            program: followed,
            segments: pieces,
            proved: known,
            rows: &self.run.rows,
            cells,
            atoms: self.atoms,
            live: self.live,
            settings: self.settings,
        };
        inference.run(cx, effort)
    }

    /// Whether the execution ends only where it should.
    fn ends_well(&self, cx: &mut Cx, pieces: &[Segment], predicates: &BTreeMap<Loc, Term>) -> Result<bool, Stop> {
        let mut solver = cx.solver()?;
        for piece in pieces {
            let good = match piece.comes {
                Comes::ToHead => true,
                Comes::ToError => self.wanted == Wanted::Error,
                Comes::ToEnd | Comes::Beyond | Comes::Stuck => false,
            };
            if good {
                continue;
            }
            let before = piece.from.map_or(cx.terms.tt(), |head| predicates[&head]);
            let guard = piece.guard(&mut cx.terms);
            let bad = cx.terms.and(before, guard);
            if cx.terms.as_bool_const(bad) == Some(false) {
                continue;
            }
            if cx.try_sat(solver.as_mut(), &[bad], self.settings.attempt_time)? != Some(false) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
