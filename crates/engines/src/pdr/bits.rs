//! Literals are bits of the program's variables and the comparisons of the program, questions go to a SAT solver: the
//! form in which the method is strongest (Bradley 2011), for programs whose steps are circuits of moderate size. State machines
//! are.
//!
//! Each cut point has a solver that holds the circuit of all ways from there, what is known there, and the lemmas, each under
//! the literal of its frame. A state is widened to a cube in two steps: along the gates that its value comes from, then by
//! what the solver needs to see that the cube leads on. The first ends at comparisons (`x < 7`, `x == y`), which say more in
//! one literal than the bits of `x` ([`comparisons`](super::comparisons)); but where `x` is compared with many constants, `x == 7` ends at the bits,
//! of which a lemma may need a part.

use super::comparisons::Comparisons;
use super::{Found, Literals, Reached, Settings, Step, Theory};
use crate::limits::pdr::{BETWEEN_CHECKS, MAX_APART, MAX_COMPARISONS};
use batsat::{BasicCallbacks, Solver, SolverInterface, SolverOpts, lbool};
use bitblast::{Gate, Gates, Lit};
use cfa::{Loc, Program, Var};
use encode::Segment;
use engine::{Budget, Cx, Stop};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::Model;
use smt::choices::Choices;
use std::cell::Cell;
use std::collections::BTreeMap;
use term::{Op, Sort, Store, Term, Value};

/// What a literal speaks of.
#[derive(Clone, Copy)]
enum Place {
    Bit(Var, u32),
    /// A formula over the program's variables.
    Comparison(Term),
}

/// A bit of a variable, or a comparison: set or not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Bit(u32);

impl Bit {
    fn new(place: usize, set: bool) -> Bit {
        Bit(2 * u32::try_from(place).expect("a program has fewer bits") + u32::from(set))
    }

    /// Its place among the bits of all variables and the comparisons.
    fn place(self) -> usize {
        (self.0 / 2) as usize
    }

    fn is_set(self) -> bool {
        self.0 % 2 == 1
    }
}

pub(super) struct Bits<'t> {
    program: &'t Program,
    /// The bits of all variables that have some, then the comparisons.
    places: Vec<Place>,
    cuts: BTreeMap<Loc, Cut>,
}

/// The circuit of all ways from a cut point.
struct Cut {
    solver: Solver<BasicCallbacks>,
    gates: Vec<Gate>,
    /// The variables of the circuit with their bits: the program's, and inputs.
    inputs: Vec<(Term, Vec<Lit>)>,
    /// Each place in the state before.
    before: Vec<batsat::Lit>,
    /// Which of the circuit's variables are places, by their number, and whether it is the variable itself or its negation.
    place_of: Vec<Option<(usize, bool)>>,
    ways: Vec<CircuitWay>,
    frames: Vec<batsat::Lit>,
    /// Inputs that are no bits of the state.
    free: Vec<Lit>,
}

struct CircuitWay {
    condition: Lit,
    /// Each place in the state afterwards.
    after: Vec<Lit>,
}

impl<'t> Bits<'t> {
    /// Nothing where a step is no circuit, or not one to be made.
    pub(super) fn new(
        settings: &Settings,
        program: &'t Program,
        segments: &BTreeMap<Loc, Segment>,
        known: &BTreeMap<Loc, Term>,
        cx: &mut Cx,
    ) -> Result<Option<Bits<'t>>, Stop> {
        if settings.literals == Literals::Words {
            return Ok(None);
        }
        let mut places = Vec::new();
        let mut vars = Vec::new();
        for (var, info) in program.vars.iter() {
            let width = match info.sort {
                Sort::Bool => 1,
                Sort::Bv(width) => width,
                _ => continue,
            };
            vars.push(info.term);
            places.extend((0..width).map(|bit| Place::Bit(var, bit)));
        }
        let mut steps = Vec::new();
        for (_, way) in segments.values().flat_map(|segment| &segment.ways) {
            steps.push(way.condition);
            steps.extend(vars.iter().map(|t| way.after(program, &mut cx.terms, *t)));
        }
        if speaks_of_arrays(&cx.terms, &steps)
            || settings.literals == Literals::Fitting && has_products(&cx.terms, &steps)
        {
            return Ok(None);
        }
        let ways: usize = segments.values().map(|segment| segment.ways.len()).sum();
        let mut choices = Choices::new(MAX_APART);
        let most = MAX_COMPARISONS / ways.max(1);
        let comparisons = Comparisons::new(program, segments, most, &mut choices, &mut cx.terms);
        let Comparisons { literals: comparisons, complements } = comparisons;
        // The places that are comparisons begin here.
        let first = places.len();
        places.extend(comparisons.iter().map(|t| Place::Comparison(*t)));
        let state = [vars, comparisons].concat();
        let negated: Vec<usize> = complements.iter().map(|(place, _)| first + place).collect();
        let mut cuts = BTreeMap::new();
        for (at, segment) in segments {
            cx.budget.check()?;
            let mut roots = vec![known.get(at).copied().unwrap_or_else(|| cx.terms.tt())];
            roots.extend(&state);
            roots.extend(complements.iter().map(|(_, t)| *t));
            for (_, way) in &segment.ways {
                roots.push(choices.apart(&mut cx.terms, way.condition));
                for t in &state {
                    let after = way.after(program, &mut cx.terms, *t);
                    roots.push(choices.apart(&mut cx.terms, after));
                }
            }
            let narrow = known.get(at).map_or_else(FxHashMap::default, |known| widths(program, &cx.terms, *known));
            let Ok(gates) = bitblast::gates(&cx.terms, &roots, &narrow, settings.max_clauses) else { return Ok(None) };
            cuts.insert(*at, Cut::new(gates, state.len(), &negated, &cx.budget));
        }
        Ok(Some(Bits { program, places, cuts }))
    }
}

fn speaks_of_arrays(terms: &Store, roots: &[Term]) -> bool {
    term::walk::postorder(terms, roots).into_iter().any(|t| matches!(terms.sort(t), Sort::Array(_)))
}

/// Whether there is multiplication or division, whose circuits a SAT solver gets lost in.
fn has_products(terms: &Store, roots: &[Term]) -> bool {
    let is_product = |t: Term| match terms.op(t) {
        Op::BvMul => terms.args(t).iter().all(|factor| terms.as_bv_const(*factor).is_none()),
        op => matches!(op, Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem),
    };
    term::walk::postorder(terms, roots).into_iter().any(is_product)
}

/// Of variables that are known to be small: how many bits they have.
fn widths(program: &Program, terms: &Store, known: Term) -> FxHashMap<Term, u32> {
    let mut bounds: FxHashMap<Term, (bool, Option<u32>)> = FxHashMap::default();
    for fact in term::normal::conjuncts(terms, known) {
        let (Op::BvUle | Op::BvSle | Op::BvUlt | Op::BvSlt, &[a, b]) = (terms.op(fact), terms.args(fact)) else {
            continue;
        };
        let is_signed = matches!(terms.op(fact), Op::BvSle | Op::BvSlt);
        let is_positive = |t: Term| terms.as_bv_const(t).is_some_and(|value| !value.is_negative());
        if program.var_of(a).is_some() && is_positive(b) {
            let value = terms.as_bv_const(b).expect("a constant");
            let bound = bounds.entry(a).or_default();
            bound.0 |= !is_signed;
            let bits = value.width() - value.leading_zeros();
            bound.1 = Some(bound.1.map_or(bits, |known| known.min(bits)));
        } else if program.var_of(b).is_some() && is_signed && is_positive(a) {
            bounds.entry(b).or_default().0 = true;
        }
    }
    let small =
        bounds.into_iter().filter_map(|(var, (not_negative, bits))| Some((var, bits.filter(|_| not_negative)?)));
    small.collect()
}

impl Cut {
    /// The roots of the circuit: what is known, the state, the negations of some places, and of each way the condition and the
    /// state afterwards.
    fn new(circuit: Gates, state: usize, negated: &[usize], budget: &Budget) -> Cut {
        let Gates { bits, cnf, gates, inputs } = circuit;
        let mut callbacks = BasicCallbacks::new();
        let budget = budget.clone();
        let asked = Cell::new(0u32);
        callbacks.set_stop(move || {
            asked.set(asked.get().wrapping_add(1));
            asked.get().is_multiple_of(BETWEEN_CHECKS) && budget.check().is_err()
        });
        let mut solver = Solver::new(SolverOpts::default(), callbacks);
        let steps = 1 + state + negated.len();
        let before = bits[1..1 + state].concat();
        let mut place_of = vec![None; gates.len() + 1];
        // Bits come before comparisons: what is both is a bit.
        for (place, lit) in before.iter().enumerate().filter(|(_, lit)| lit.number().is_some()) {
            place_of[number(*lit)].get_or_insert((place, lit.number() > Some(0)));
        }
        for (place, bits) in negated.iter().zip(&bits[1 + state..steps]).filter(|(_, bits)| bits[0].number().is_some())
        {
            place_of[number(bits[0])].get_or_insert((*place, bits[0].number() < Some(0)));
        }
        for _ in &gates {
            solver.new_var_default();
        }
        for clause in cnf.clauses() {
            let mut clause: Vec<batsat::Lit> = clause.iter().map(|number| of_number(*number)).collect();
            solver.add_clause_reuse(&mut clause);
        }
        let always = batsat::Lit::new(solver.new_var_default(), true);
        solver.add_clause_reuse(&mut vec![always]);
        let in_solver = |lit: Lit| match lit.number() {
            Some(number) => of_number(number),
            None if lit == Lit::TRUE => always,
            None => !always,
        };
        solver.add_clause_reuse(&mut vec![in_solver(bits[0][0])]);
        let before = before.into_iter().map(in_solver).collect();
        let ways = bits[steps..].chunks_exact(1 + state);
        let ways = ways.map(|bits| CircuitWay { condition: bits[0][0], after: bits[1..].concat() }).collect();
        let all = inputs.iter().flat_map(|(_, bits)| bits.iter().copied());
        let free = all.filter(|lit| place_of[number(*lit)].is_none()).collect();
        Cut { solver, gates, inputs, before, place_of, ways, frames: Vec::new(), free }
    }

    /// What has to be true for the step to lead into its cube, with the literal that wants it.
    fn goals<'a>(&'a self, step: &'a Step<'_, Bit>) -> impl Iterator<Item = (Option<Bit>, Lit)> + 'a {
        let way = &self.ways[step.way];
        let after =
            step.cube.iter().map(|literal| (Some(*literal), signed(way.after[literal.place()], literal.is_set())));
        std::iter::once((None, way.condition)).chain(after)
    }

    /// The literal in the state before.
    fn before(&self, literal: Bit) -> batsat::Lit {
        let lit = self.before[literal.place()];
        if literal.is_set() { lit } else { !lit }
    }

    /// A literal under which one of the others is true.
    fn demand(&mut self, clause: impl IntoIterator<Item = batsat::Lit>) -> batsat::Lit {
        let under = batsat::Lit::new(self.solver.new_var(lbool::UNDEF, false), true);
        let mut clause: Vec<batsat::Lit> = clause.into_iter().chain([!under]).collect();
        self.solver.add_clause_reuse(&mut clause);
        under
    }

    /// A demand that nobody makes any more.
    fn forget(&mut self, demand: batsat::Lit) {
        self.solver.add_clause_reuse(&mut vec![!demand]);
    }

    fn solve(&mut self, assumptions: &[batsat::Lit], cx: &Cx) -> Result<bool, Stop> {
        cx.budget.check()?;
        match self.solver.solve_limited(assumptions) {
            answer if answer == lbool::TRUE => Ok(true),
            answer if answer == lbool::FALSE => Ok(false),
            _ => Err(cx.budget.check().err().unwrap_or(Stop::Timeout)),
        }
    }

    /// Whether the last answer, that it cannot be, rests on the assumption.
    fn was_needed(&self, assumption: batsat::Lit) -> bool {
        self.solver.unsat_core_contains_var(assumption.var())
    }

    /// In the model of the last answer.
    fn value(&self, lit: Lit) -> bool {
        lit.number().map_or(lit == Lit::TRUE, |number| self.solver.value_lit(of_number(number)) == lbool::TRUE)
    }

    /// Bits of the state from which the values of the goals follow, with those of the inputs.
    fn justify(&self, goals: impl Iterator<Item = Lit>) -> Vec<Bit> {
        let mut cube = Vec::new();
        let mut seen: FxHashSet<usize> = FxHashSet::default();
        let mut work: Vec<Lit> = goals.collect();
        while let Some(lit) = work.pop() {
            if lit.number().is_none() || !seen.insert(number(lit)) {
                continue;
            }
            let variable = number(lit);
            let set = self.value(signed(lit, lit.number() > Some(0)));
            if let Some((place, is_itself)) = self.place_of[variable] {
                cube.push(Bit::new(place, set == is_itself));
                continue;
            }
            match self.gates[variable - 1] {
                Gate::Free => {}
                Gate::And(a, b) if set => work.extend([a, b]),
                // One that is false suffices: one that is needed anyhow, or that is closer to the inputs.
                Gate::And(a, b) => {
                    let deciding = [a, b].into_iter().filter(|lit| !self.value(*lit));
                    let cost = |lit: &Lit| if seen.contains(&number(*lit)) { 0 } else { number(*lit) };
                    work.extend(deciding.min_by_key(cost));
                }
                Gate::Xor(a, b) => work.extend([a, b]),
                Gate::Ite(condition, a, b) => work.extend([condition, if self.value(condition) { a } else { b }]),
                Gate::Majority(a, b, c) => {
                    work.extend([a, b, c].into_iter().filter(|lit| self.value(*lit) == set).take(2))
                }
            }
        }
        cube.sort_unstable();
        cube
    }

    /// The values of the circuit's variables.
    fn model(&self, terms: &Store) -> Model {
        let mut model = Model::default();
        for (var, bits) in &self.inputs {
            let bits: Vec<bool> = bits.iter().map(|bit| self.value(*bit)).collect();
            let is_bool = terms.sort(*var) == Sort::Bool;
            model.set(*var, if is_bool { Value::Bool(bits[0]) } else { Value::Bv(word(&bits)) });
        }
        model
    }
}

impl Theory for Bits<'_> {
    type Literal = Bit;

    fn reaches(&mut self, step: &Step<'_, Bit>, cx: &mut Cx) -> Result<Reached<Bit>, Stop> {
        let cut = self.cuts.get_mut(&step.from).expect("ways start at cut points");
        if let Some((literal, _)) = cut.goals(step).find(|(_, lit)| *lit == Lit::FALSE) {
            return Ok(Reached::No(literal.into_iter().collect()));
        }
        let goals: Vec<(Option<Bit>, batsat::Lit)> =
            cut.goals(step).filter_map(|(literal, lit)| Some((literal, of_number(lit.number()?)))).collect();
        let mut assumptions: Vec<batsat::Lit> = cut.frames.iter().skip(step.frame).copied().collect();
        assumptions.extend(goals.iter().map(|(_, lit)| *lit));
        let elsewhere = step.elsewhere.then(|| {
            let outside: Vec<batsat::Lit> = step.cube.iter().map(|literal| !cut.before(*literal)).collect();
            cut.demand(outside)
        });
        assumptions.extend(elsewhere);
        let answer = cut.solve(&assumptions, cx)?;
        let reached = if answer {
            Reached::Yes
        } else {
            let needed = goals.iter().filter(|(_, lit)| cut.was_needed(*lit));
            Reached::No(needed.filter_map(|(literal, _)| *literal).collect())
        };
        if let Some(demand) = elsewhere {
            cut.forget(demand);
        }
        Ok(reached)
    }

    fn predecessor(&mut self, step: &Step<'_, Bit>, cx: &mut Cx) -> Result<Option<Found<Bit>>, Stop> {
        let cut = self.cuts.get_mut(&step.from).expect("ways start at cut points");
        let model = cut.model(&cx.terms);
        let mut cube = cut.justify(cut.goals(step).map(|(_, lit)| lit));
        // What of it the solver needs to see that no state of it, with these inputs, goes elsewhere.
        let inputs: Vec<batsat::Lit> =
            cut.free.iter().filter_map(|lit| Some(of_number(signed(*lit, cut.value(*lit)).number()?))).collect();
        let missed: Vec<batsat::Lit> = cut.goals(step).filter_map(|(_, lit)| Some(!of_number(lit.number()?))).collect();
        let missed = cut.demand(missed);
        let mut assumptions = vec![missed];
        assumptions.extend(inputs);
        assumptions.extend(cube.iter().map(|literal| cut.before(*literal)));
        if !cut.solve(&assumptions, cx)? {
            cube.retain(|literal| cut.was_needed(cut.before(*literal)));
        }
        cut.forget(missed);
        Ok(Some(Found { cube, model }))
    }

    fn exclude(&mut self, at: Loc, frame: usize, cube: &[Bit], _: &mut Cx) {
        let cut = self.cuts.get_mut(&at).expect("lemmas are at cut points");
        while cut.frames.len() <= frame {
            cut.frames.push(batsat::Lit::new(cut.solver.new_var(lbool::UNDEF, false), true));
        }
        let mut clause: Vec<batsat::Lit> = cube.iter().map(|literal| !cut.before(*literal)).collect();
        clause.push(!cut.frames[frame]);
        cut.solver.add_clause_reuse(&mut clause);
    }

    /// Of each variable that occurs, what its bits are.
    fn formula(&self, cube: &[Bit], terms: &mut Store) -> Term {
        let mut words: BTreeMap<Var, Vec<(u32, bool)>> = BTreeMap::new();
        let mut facts = Vec::new();
        for literal in cube {
            match self.places[literal.place()] {
                Place::Bit(var, bit) => words.entry(var).or_default().push((bit, literal.is_set())),
                Place::Comparison(t) => facts.push(if literal.is_set() { t } else { terms.not(t) }),
            }
        }
        for (var, bits) in words {
            let info = &self.program.vars[var];
            let Sort::Bv(width) = info.sort else {
                facts.push(if bits[0].1 { info.term } else { terms.not(info.term) });
                continue;
            };
            // Runs of adjacent bits, each one comparison.
            for run in bits.chunk_by(|a, b| b.0 == a.0 + 1) {
                let (low, high) = (run[0].0, run[run.len() - 1].0);
                let set: Vec<bool> = run.iter().map(|(_, set)| *set).collect();
                let value = terms.bv_bits(word(&set));
                let part = if run.len() == width as usize { info.term } else { terms.extract(info.term, high, low) };
                facts.push(terms.eq(part, value));
            }
        }
        terms.and_all(&facts)
    }
}

/// The literal, or its negation.
fn signed(lit: Lit, set: bool) -> Lit {
    if set { lit } else { !lit }
}

/// The number of the circuit's variable; zero for a constant.
fn number(lit: Lit) -> usize {
    lit.number().map_or(0, |number| number.unsigned_abs() as usize)
}

/// The solver's variables are the circuit's, from zero on.
fn of_number(number: i32) -> batsat::Lit {
    batsat::Lit::new(batsat::Var::unsafe_from_idx(number.unsigned_abs() - 1), number > 0)
}

/// The number whose bits these are, from the lowest on.
fn word(bits: &[bool]) -> term::Bits {
    let digits: String = bits.iter().rev().map(|set| if *set { '1' } else { '0' }).collect();
    let width = u32::try_from(bits.len()).expect("widths are small");
    term::Bits::parse(&digits, 2, width).expect("binary digits")
}
