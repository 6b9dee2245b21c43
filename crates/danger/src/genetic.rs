//! The genetic back end: a population of whole danger invariants, tuples of choices S, predicates D and rankings R.
//!
//! Fitness is measured on counterexamples: states at the entry or at a head, from which the tuple's own choices are followed
//! to the next head by the interpreter. Each counterexample asks two things, whether the way is right (property) and
//! whether the ranking decreases (ranking). Parents are chosen so that they answer different ones: their children may answer
//! all. A tuple that does is proved by the solver, which returns further counterexamples of each kind (ranking, property,
//! full) if it fails; its choices also go to the symbolic back end, which finds predicates and rankings for them by itself.

use crate::facts::{AtHeads, literals, proved};
use crate::rank::{Family, families, smaller};
use crate::runs::one_piece;
use crate::segments::{Comes, Decides, Segment, segments};
use crate::strategy::{Setting, Strategy};
use cfa::interp::Random;
use cfa::{Loc, Program, Var};
use engine::{Cx, Danger, Stop};
use flow::wto::Wto;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use term::eval::OrZero;
use term::{Evaluator, Store, Term, Value};

/// A tuple: indices into what there is to choose from.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Tuple {
    choices: Vec<usize>,
    facts: BTreeMap<Loc, Vec<usize>>,
    ranking: Vec<usize>,
}

/// A state at a head, or at the entry.
type Counterexample = (Option<Loc>, BTreeMap<Var, Value>);

/// What a tuple comes to in a counterexample.
pub(crate) enum Piece {
    Head(Loc, BTreeMap<Var, Value>),
    Error,
    Elsewhere,
}

const POPULATION: usize = 48;
const MOST_FACTS: usize = 3;
const MOST_RANKS: usize = 3;
/// Of a hundred.
const MUTATION: u64 = 25;
const MOST_COUNTEREXAMPLES: usize = 120;
const QUESTION_TIME: Duration = Duration::from_millis(500);
const SEED: u64 = 4;

pub(crate) struct Genetic<'a> {
    setting: &'a Setting<'a>,
    /// What predicates are made of, at each head.
    literals: AtHeads,
    families: Vec<Family>,
    population: Vec<Tuple>,
    counterexamples: Vec<Counterexample>,
    random: Random,
    /// What was handed on already.
    proposed: BTreeSet<Vec<usize>>,
    refuted: BTreeSet<Tuple>,
}

/// What a generation brought.
pub(crate) enum Outcome {
    Proved(Danger),
    /// These choices answer all counterexamples.
    Proposed(Strategy),
    Nothing,
}

impl<'a> Genetic<'a> {
    pub(crate) fn new(setting: &'a Setting<'a>, cx: &mut Cx) -> Genetic<'a> {
        let Setting { program, wto, live, atoms, .. } = setting;
        let literals: AtHeads = wto.heads().map(|h| (h, literals(program, &mut cx.terms, atoms, &live[h]))).collect();
        let families = families(program, &mut cx.terms, wto, atoms);
        let mut genetic = Genetic {
            setting,
            literals,
            families,
            population: Vec::new(),
            counterexamples: vec![(None, BTreeMap::new())],
            random: Random::new(SEED),
            proposed: BTreeSet::new(),
            refuted: BTreeSet::new(),
        };
        genetic.population = (0..POPULATION).map(|_| genetic.random_tuple()).collect();
        genetic
    }

    fn below(&mut self, n: usize) -> usize {
        (self.random.next_u64() % n.max(1) as u64) as usize
    }

    /// Small indices are more likely: the promising choices come first.
    fn promising(&mut self, n: usize) -> usize {
        let a = self.below(n);
        let b = self.below(n);
        a.min(b)
    }

    fn random_tuple(&mut self) -> Tuple {
        let sizes: Vec<usize> = self.setting.choices.slots.iter().map(|(_, values)| values.len()).collect();
        let choices = sizes.into_iter().map(|n| self.promising(n)).collect();
        let pools: Vec<(Loc, usize)> = self.literals.iter().map(|(h, l)| (*h, l.len())).collect();
        let facts = pools.into_iter().map(|(head, n)| (head, self.random_indices(n, MOST_FACTS))).collect();
        let ranking = self.random_indices(self.families.len(), MOST_RANKS);
        Tuple { choices, facts, ranking }
    }

    fn random_indices(&mut self, n: usize, most: usize) -> Vec<usize> {
        let count = if n == 0 { 0 } else { self.below(most + 1) };
        (0..count).map(|_| self.promising(n)).collect()
    }

    /// One generation.
    pub(crate) fn generation(&mut self, cx: &mut Cx) -> Result<Outcome, Stop> {
        let mut solved: Vec<(usize, Vec<bool>)> = Vec::new();
        for i in 0..self.population.len() {
            cx.budget.check()?;
            let tuple = self.population[i].clone();
            let answers = self.answers(cx, &tuple);
            if answers.iter().all(|a| *a) && !self.refuted.contains(&tuple) {
                let strategy = self.setting.choices.strategy(&tuple.choices);
                if let Some(danger) = self.verify(cx, &tuple, &strategy)? {
                    return Ok(Outcome::Proved(danger));
                }
                self.refuted.insert(tuple.clone());
                if self.proposed.insert(tuple.choices.clone()) {
                    return Ok(Outcome::Proposed(strategy));
                }
            }
            solved.push((i, answers));
        }
        self.breed(&mut solved);
        Ok(Outcome::Nothing)
    }

    /// The next population: the best stay, the others are children of different parents.
    fn breed(&mut self, solved: &mut [(usize, Vec<bool>)]) {
        let count = |answers: &[bool]| answers.iter().filter(|a| **a).count();
        solved.sort_by_key(|(i, answers)| (std::cmp::Reverse(count(answers)), *i));
        let mut next: Vec<Tuple> = Vec::new();
        for (i, _) in solved.iter().take(POPULATION / 6) {
            if !next.contains(&self.population[*i]) {
                next.push(self.population[*i].clone());
            }
        }
        for _ in 0..POPULATION / 8 {
            let fresh = self.random_tuple();
            next.push(fresh);
        }
        while next.len() < POPULATION {
            let first = self.promising(solved.len() / 2 + 1);
            // The partner that answers most of what the first one does not, among a few.
            let mut partner = self.below(solved.len());
            let gain = |p: usize| solved[p].1.iter().zip(&solved[first].1).filter(|(a, b)| **a && !**b).count();
            for _ in 0..4 {
                let other = self.below(solved.len());
                if gain(other) > gain(partner) {
                    partner = other;
                }
            }
            let (a, b) = (self.population[solved[first].0].clone(), self.population[solved[partner].0].clone());
            let mut child = self.crossed(&a, &b);
            if self.below(100) < MUTATION as usize {
                self.mutate(&mut child);
            }
            if next.contains(&child) {
                self.mutate(&mut child);
            }
            next.push(child);
        }
        self.population = next;
    }

    fn crossed(&mut self, a: &Tuple, b: &Tuple) -> Tuple {
        let choices = a.choices.iter().zip(&b.choices).map(|(x, y)| if self.below(2) == 0 { *x } else { *y }).collect();
        let mut facts = BTreeMap::new();
        for (head, mine) in &a.facts {
            facts.insert(*head, if self.below(2) == 0 { mine.clone() } else { b.facts[head].clone() });
        }
        let ranking = if self.below(2) == 0 { a.ranking.clone() } else { b.ranking.clone() };
        Tuple { choices, facts, ranking }
    }

    /// One component becomes another.
    fn mutate(&mut self, tuple: &mut Tuple) {
        let fresh = self.random_tuple();
        match self.below(3) {
            0 if !tuple.choices.is_empty() => {
                let slot = self.below(tuple.choices.len());
                tuple.choices[slot] = fresh.choices[slot];
            }
            1 if !tuple.facts.is_empty() => {
                let which = self.below(tuple.facts.len());
                if let Some((head, facts)) = fresh.facts.into_iter().nth(which) {
                    tuple.facts.insert(head, facts);
                }
            }
            _ => tuple.ranking = fresh.ranking,
        }
    }

    /// For each counterexample: whether the way is right, and whether the ranking decreases.
    fn answers(&mut self, cx: &mut Cx, tuple: &Tuple) -> Vec<bool> {
        let strategy = self.setting.choices.strategy(&tuple.choices);
        let followed = strategy.follow(self.setting.program, &cx.terms);
        let mut answers = Vec::with_capacity(2 * self.counterexamples.len());
        for (at, state) in &self.counterexamples {
            if let Some(head) = at
                && !self.holds(&cx.terms, tuple, *head, state)
            {
                answers.extend([true, true]);
                continue;
            }
            let (right, decreases) = match one_piece(&followed, &self.setting.wto, &self.setting.live, *at, state) {
                Piece::Error => (true, true),
                Piece::Elsewhere => (false, false),
                Piece::Head(next, after) => {
                    let inside = self.holds(&cx.terms, tuple, next, &after);
                    let decreases = at.is_none_or(|head| {
                        let (before, after) =
                            (self.rank(&cx.terms, tuple, head, state), self.rank(&cx.terms, tuple, next, &after));
                        after < before
                    });
                    (inside, decreases)
                }
            };
            answers.extend([right, decreases]);
        }
        answers
    }

    fn holds(&self, terms: &Store, tuple: &Tuple, head: Loc, state: &BTreeMap<Var, Value>) -> bool {
        let values = self.assignment(state);
        let mut evaluator = Evaluator::new(OrZero(&values));
        tuple.facts[&head].iter().all(|i| evaluator.eval(terms, self.literals[&head][*i]) == Ok(Value::Bool(true)))
    }

    fn rank(&self, terms: &Store, tuple: &Tuple, head: Loc, state: &BTreeMap<Var, Value>) -> Vec<u128> {
        let values = self.assignment(state);
        let mut evaluator = Evaluator::new(OrZero(&values));
        let component = |i: &usize| match self.families[*i].get(&head).map(|t| evaluator.eval(terms, *t)) {
            Some(Ok(Value::Bv(bits))) => bits.to_u128().unwrap_or(u128::MAX),
            _ => 0,
        };
        tuple.ranking.iter().map(component).collect()
    }

    fn assignment(&self, state: &BTreeMap<Var, Value>) -> BTreeMap<Term, Value> {
        state.iter().map(|(v, value)| (self.setting.program.term(*v), value.clone())).collect()
    }

    /// Proves the tuple; on failure there are more counterexamples, up to one of each kind.
    fn verify(&mut self, cx: &mut Cx, tuple: &Tuple, strategy: &Strategy) -> Result<Option<Danger>, Stop> {
        let followed = strategy.follow(self.setting.program, &cx.terms);
        let wto = Wto::new(followed.main());
        let known = proved(&followed, &wto, cx)?;
        let budget = cx.budget.clone();
        let pieces = segments(&followed, &mut cx.terms, &wto, Decides::We, &budget)?;
        let mut predicates = BTreeMap::new();
        for (head, facts) in &tuple.facts {
            let mut all: Vec<Term> = facts.iter().map(|i| self.literals[head][*i]).collect();
            all.extend(known.get(head).into_iter().flatten());
            predicates.insert(*head, cx.terms.and_all(&all));
        }
        let tuple_at = |head: Loc, terms: &mut Store| -> Vec<Term> {
            tuple
                .ranking
                .iter()
                .map(|i| self.families[*i].get(&head).copied().unwrap_or_else(|| terms.bv(0, 1)))
                .collect()
        };
        let mut found = Vec::new();
        let mut solver = cx.solver()?;
        for ranking in [true, false] {
            for piece in &pieces {
                let bad = if ranking {
                    let (Comes::ToHead, Some(from)) = (piece.comes, piece.from) else { continue };
                    let before = tuple_at(from, &mut cx.terms);
                    let after = tuple_at(piece.to, &mut cx.terms);
                    let after: Vec<Term> =
                        after.into_iter().map(|t| piece.after(&followed, &mut cx.terms, t)).collect();
                    let less = smaller(&mut cx.terms, &after, &before);
                    cx.terms.not(less)
                } else {
                    wrong(&followed, &mut cx.terms, piece, &predicates)
                };
                let before = piece.from.map_or(cx.terms.tt(), |head| predicates[&head]);
                let asked = [before, piece.guard, bad];
                match cx.try_sat(solver.as_mut(), &asked, QUESTION_TIME)? {
                    Some(false) => {}
                    None => return Ok(None),
                    Some(true) => {
                        let model = smt::Model::read(solver.as_mut(), &cx.terms, &asked)?;
                        let state = model
                            .iter()
                            .filter_map(|(t, value)| Some((self.setting.program.var_of(t)?, value.clone())))
                            .collect();
                        found.push((piece.from, state));
                        break;
                    }
                }
            }
        }
        if found.is_empty() {
            let ranking = self.setting.wto.heads().map(|h| (h, tuple_at(h, &mut cx.terms))).collect();
            return Ok(Some(Danger {
                initial: strategy.initial(&cx.terms),
                invariant: predicates,
                ranking,
                choice: strategy.choices(),
            }));
        }
        for counterexample in found {
            if self.counterexamples.len() < MOST_COUNTEREXAMPLES && !self.counterexamples.contains(&counterexample) {
                self.counterexamples.push(counterexample);
            }
        }
        Ok(None)
    }
}

/// Where a piece does not lead where it should.
fn wrong(program: &Program, terms: &mut Store, piece: &Segment, predicates: &BTreeMap<Loc, Term>) -> Term {
    match piece.comes {
        Comes::ToError => terms.ff(),
        Comes::ToHead => {
            let inside = piece.after(program, terms, predicates[&piece.to]);
            terms.not(inside)
        }
        Comes::ToEnd | Comes::Beyond | Comes::Stuck => terms.tt(),
    }
}
