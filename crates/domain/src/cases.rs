//! Abstract states by cases: the ranges of the variables that control a program are kept apart.
//!
//! State machines compare what they are about with constants. A range forgets what belongs together: state 3 with flag 0,
//! state 5 with flag 1. Here the constants that a variable is compared with, and those that it is set to, cut its numbers into
//! *classes*, and each location has an abstract state for each combination of classes that comes there, joined and widened
//! by itself. Where this becomes too much, the variable with the most classes is left out, and everything starts anew.

use crate::env::Env;
use crate::fixpoint::{facts, thresholds};
use crate::limits::cases::{MAX_CLASSES, MAX_CUTS, MAX_NOTES, MAX_SPLITS, MORE_STEPS, MORE_STEPS_OF_BOUNDS};
use crate::limits::fixpoint::PATIENCE;
use crate::range::{Range, to_signed};
use crate::relation::{compared, offset};
use base::Table;
use cfa::{Loc, LocKind, Op as EdgeOp, Program, Var};
use flow::wto::Wto;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use term::{Op, Sort, Store, Term};

/// The classes of control variables, as far as each has one.
type Key = Vec<(Var, usize)>;

/// What is known at each location, case by case.
pub struct Cases {
    at: States,
    live: Table<Loc, Vec<Var>>,
}

type States = Table<Loc, BTreeMap<Key, Case>>;

#[derive(Clone)]
struct Case {
    env: Rc<Env>,
    visits: u32,
}

/// The cases, if they exclude every target. `go_on` is asked now and then; the analysis is given up when it says no.
pub fn excluding_targets(program: &Program, wto: &Wto, go_on: &mut dyn FnMut() -> bool) -> Option<Cases> {
    let all = cuts(program);
    let live = flow::live(program, |loc| wto.reaches(loc));
    let (set, computed) = assigned(program);
    // Variables that are set to constants control state machines. Where they do not suffice: all that are computed, and
    // what is computed is split.
    for (followed, splits) in [(&set, false), (&computed, true)] {
        let mut cuts = all.clone();
        cuts.retain(|var, _| followed.contains(var));
        let ignored = BTreeSet::new();
        let mut analysis =
            Analysis { program, wto, cuts, splits, live: live.clone(), ignored, only_bounds: false, steps: 0 };
        while !analysis.cuts.is_empty() {
            match analysis.run(go_on) {
                Ok(found) => {
                    let at = analysis.smaller(found, go_on);
                    return Some(Cases { at, live });
                }
                Err(Failure::TooMany(var)) => analysis.cuts.remove(&var),
                Err(Failure::Open) => break,
            };
        }
    }
    None
}

/// The variables that are set to a constant somewhere, and those that are assigned anything.
fn assigned(program: &Program) -> (BTreeSet<Var>, BTreeSet<Var>) {
    let terms = &program.terms;
    let is_constant = |t: Term| terms.as_bv_const(t).is_some() || terms.as_bool_const(t).is_some();
    let (mut set, mut computed) = (BTreeSet::new(), BTreeSet::new());
    for edge in program.main().edges.values() {
        let EdgeOp::Assign(pairs) = &edge.op else { continue };
        for (var, t) in pairs {
            computed.insert(*var);
            let branches = if terms.op(*t) == Op::Ite { &terms.args(*t)[1..] } else { std::slice::from_ref(t) };
            if branches.iter().any(|t| is_constant(*t)) {
                set.insert(*var);
            }
        }
    }
    (set, computed)
}

/// One run after the other, each time with less to follow.
struct Analysis<'a> {
    program: &'a Program,
    wto: &'a Wto,
    cuts: BTreeMap<Var, Vec<i64>>,
    /// Whether what is assigned is split into classes.
    splits: bool,
    live: Table<Loc, Vec<Var>>,
    /// Variables that nothing is noted about.
    ignored: BTreeSet<Var>,
    /// Whether neither congruences nor differences are noted.
    only_bounds: bool,
    /// Steps of all runs.
    steps: u64,
}

impl Analysis<'_> {
    fn run(&mut self, go_on: &mut dyn FnMut() -> bool) -> Result<States, Failure> {
        let mut search = Search {
            analysis: self,
            thresholds: thresholds(self.program),
            at: Table::filled(BTreeMap::new(), self.program.main().locs.len()),
            todo: BTreeSet::new(),
            classes: BTreeMap::new(),
            notes: 0,
            steps: 0,
        };
        let result = search.run(go_on);
        let Search { at, steps, .. } = search;
        self.steps += steps;
        result.map(|()| at)
    }

    /// The same with bounds alone if they suffice, and with as few variables as possible: cases are fewer, easier to read and to
    /// prove again. By halves, those that have no classes first.
    fn smaller(&mut self, mut found: States, go_on: &mut dyn FnMut() -> bool) -> States {
        self.only_bounds = true;
        match self.run(go_on) {
            Ok(simpler) => found = simpler,
            Err(_) => self.only_bounds = false,
        }
        let known = found.iter().flat_map(|(_, cases)| cases.values()).flat_map(|case| case.env.variables());
        let mut followed: Vec<Var> = known.collect::<BTreeSet<Var>>().into_iter().collect();
        followed.sort_by_key(|var| self.cuts.contains_key(var));
        let mut size = followed.len();
        let more = if self.only_bounds { MORE_STEPS_OF_BOUNDS } else { MORE_STEPS };
        let end = more.0 * self.steps + more.1;
        while size > 0 {
            let mut start = 0;
            while start < followed.len() && self.steps < end {
                let part: Vec<Var> = followed[start..].iter().take(size).copied().collect();
                self.ignored.extend(&part);
                match self.run(go_on) {
                    Ok(fewer) => {
                        found = fewer;
                        followed.retain(|var| !part.contains(var));
                    }
                    Err(_) => {
                        part.iter().for_each(|var| {
                            self.ignored.remove(var);
                        });
                        start += size;
                    }
                }
            }
            size /= 2;
        }
        found
    }
}

/// For each variable that is compared with constants: where its classes begin, as signed numbers.
fn cuts(program: &Program) -> BTreeMap<Var, Vec<i64>> {
    let terms = &program.terms;
    let constant = |t: Term| {
        let bits = terms.as_bv_const(t).filter(|bits| bits.width() <= 64)?;
        i64::try_from(bits.to_i128()?).ok()
    };
    let mut compared: BTreeMap<Var, BTreeSet<i64>> = BTreeMap::new();
    let roots: Vec<Term> = program.main().edges.values().flat_map(|edge| edge.op.terms()).collect();
    for t in term::walk::postorder(terms, &roots) {
        if !matches!(terms.op(t), Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle) {
            continue;
        }
        let (a, b) = (terms.arg(t, 0), terms.arg(t, 1));
        for (mut side, other) in [(a, b), (b, a)] {
            while let Op::ZeroExtend(_) | Op::SignExtend(_) = terms.op(side) {
                side = terms.arg(side, 0);
            }
            if let (Some(value), Some((var, plus))) = (constant(other), offset(program, side)) {
                let width = terms.width(side);
                let value = to_signed((value as u64).wrapping_sub(plus) & (u64::MAX >> (64 - width)), width);
                compared.entry(var).or_default().extend([value, value.saturating_add(1), 0]);
            }
        }
    }
    for edge in program.main().edges.values() {
        if let EdgeOp::Assign(pairs) = &edge.op {
            for (var, t) in pairs {
                if let (Some(value), Some(cuts)) = (constant(*t), compared.get_mut(var)) {
                    cuts.extend([value, value.saturating_add(1)]);
                }
            }
        }
    }
    compared.retain(|_, cuts| cuts.len() <= MAX_CUTS);
    let mut cuts: BTreeMap<Var, Vec<i64>> =
        compared.into_iter().map(|(var, cuts)| (var, cuts.into_iter().collect())).collect();
    // Booleans have two values anyway.
    cuts.extend(program.vars.iter().filter(|(_, info)| info.sort == Sort::Bool).map(|(var, _)| (var, Vec::new())));
    cuts
}

enum Failure {
    TooMany(Var),
    /// A target is not excluded, or time is up.
    Open,
}

struct Search<'a> {
    analysis: &'a Analysis<'a>,
    thresholds: BTreeMap<u32, Vec<u64>>,
    at: States,
    /// Cases that have changed, by position in the order: loops are finished before what follows them.
    todo: BTreeSet<(u32, Key)>,
    /// The classes met.
    classes: BTreeMap<Var, BTreeSet<usize>>,
    notes: usize,
    steps: u64,
}

impl Search<'_> {
    fn run(&mut self, go_on: &mut dyn FnMut() -> bool) -> Result<(), Failure> {
        let main = self.analysis.program.main();
        let successors = main.successors();
        let any =
            if self.analysis.only_bounds { Env::only_bounds() } else { Env::any(compared(self.analysis.program)) };
        self.arrive(main.entry, any)?;
        while let Some((position, key)) = self.todo.pop_first() {
            if !go_on() {
                return Err(Failure::Open);
            }
            self.steps += 1;
            let loc = self.analysis.wto.loc_at(position);
            let env = self.at[loc][&key].env.clone();
            for edge in &successors[loc] {
                let edge = &main.edges[*edge];
                for after in self.after(&env, &edge.op, MAX_SPLITS) {
                    self.arrive(edge.to, after)?;
                }
            }
        }
        Ok(())
    }

    /// The states after an edge, apart for each branch of conditional values.
    fn after(&self, env: &Env, op: &EdgeOp, splits: u32) -> Vec<Env> {
        let terms = &self.analysis.program.terms;
        if let EdgeOp::Assign(pairs) = op
            && splits > 0
            && let Some((_, value)) = pairs.iter().find(|(_, value)| terms.op(*value) == Op::Ite)
        {
            let condition = terms.arg(*value, 0);
            let mut out = Vec::new();
            for (wanted, branch) in [(true, 1), (false, 2)] {
                let Some(env) = env.filtered(self.analysis.program, condition, wanted) else { continue };
                let chosen = |t: Term| match terms.op(t) == Op::Ite && terms.arg(t, 0) == condition {
                    true => terms.arg(t, branch),
                    false => t,
                };
                let pairs = pairs.iter().map(|(var, value)| (*var, chosen(*value))).collect();
                out.extend(self.after(&env, &EdgeOp::Assign(pairs), splits - 1));
            }
            return out;
        }
        let mut out: Vec<Env> = env.after(self.analysis.program, op).into_iter().collect();
        if let EdgeOp::Assign(pairs) = op
            && self.analysis.splits
        {
            for (var, _) in pairs {
                out = out.into_iter().flat_map(|env| self.by_class(env, *var)).collect();
            }
        }
        out
    }

    /// The states apart for each class of the variable, if there are a few.
    fn by_class(&self, env: Env, var: Var) -> Vec<Env> {
        let (Some(cuts), Some(range)) = (self.analysis.cuts.get(&var), env.range(var).copied()) else {
            return vec![env];
        };
        let inside: Vec<i64> = cuts.iter().copied().filter(|cut| range.slo < *cut && *cut <= range.shi).collect();
        if inside.is_empty() || inside.len() > MAX_CLASSES || self.analysis.ignored.contains(&var) {
            return vec![env];
        }
        let starts = std::iter::once(range.slo).chain(inside.iter().copied());
        let ends = inside.iter().map(|cut| cut - 1).chain([range.shi]);
        starts.zip(ends).filter_map(|(lo, hi)| env.restricted(var, &Range::signed(lo, hi, range.width)?)).collect()
    }

    fn arrive(&mut self, loc: Loc, mut env: Env) -> Result<(), Failure> {
        let kind = &self.analysis.program.main().locs[loc].kind;
        if kind.is_target() {
            return Err(Failure::Open);
        }
        if matches!(kind, LocKind::End(_)) {
            return Ok(());
        }
        env.forget_all(&self.analysis.ignored);
        let key = self.key(loc, &env);
        match self.at[loc].get_mut(&key) {
            Some(case) if case.env.includes(&env) => return Ok(()),
            Some(case) => {
                case.visits += 1;
                let thresholds = |width: u32| self.thresholds.get(&width).cloned().unwrap_or_default();
                let widens = self.analysis.wto.is_head(loc) && case.visits > PATIENCE;
                case.env = Rc::new(if widens { case.env.widen(&env, &thresholds) } else { case.env.join(&env) });
            }
            None => {
                self.notes += 1 + env.ranges().count();
                for (var, class) in &key {
                    self.classes.entry(*var).or_default().insert(*class);
                }
                self.at[loc].insert(key.clone(), Case { env: Rc::new(env), visits: 0 });
            }
        }
        if self.notes > MAX_NOTES {
            let most = self.classes.iter().max_by_key(|(_, classes)| classes.len());
            return Err(most.map_or(Failure::Open, |(var, _)| Failure::TooMany(*var)));
        }
        self.todo.insert((self.analysis.wto.position(loc), key));
        Ok(())
    }

    fn key(&self, loc: Loc, env: &Env) -> Key {
        let class = |var: Var| {
            let cuts = self.analysis.cuts.get(&var)?;
            if let Some(truth) = env.bool(var) {
                return Some(usize::from(truth));
            }
            let range = env.range(var)?;
            let class = cuts.partition_point(|cut| *cut <= range.slo);
            (cuts.partition_point(|cut| *cut <= range.shi) == class).then_some(class)
        };
        self.analysis.live[loc].iter().filter_map(|var| Some((*var, class(*var)?))).collect()
    }
}

impl Cases {
    /// How many there are at `loc`.
    pub fn count(&self, loc: Loc) -> usize {
        self.at[loc].len()
    }

    /// What is known at `loc`: one of the cases, written variable by variable so that what several cases have in common
    /// stands there once.
    pub fn formula(&self, program: &Program, terms: &mut Store, loc: Loc) -> Term {
        let mut cases: Vec<BTreeMap<Term, Term>> = Vec::new();
        for case in self.at[loc].values() {
            let mut by_variable = BTreeMap::new();
            for fact in facts(program, terms, &case.env) {
                let free = term::free_vars(terms, &[fact]);
                if free.iter().all(|t| program.var_of(*t).is_some_and(|var| self.live[loc].contains(&var))) {
                    let known = by_variable.entry(free[0]).or_insert(fact);
                    *known = terms.and(*known, fact);
                }
            }
            cases.push(by_variable);
        }
        let variables: BTreeSet<Term> = cases.iter().flat_map(|case| case.keys().copied()).collect();
        let variables: Vec<Term> = variables.into_iter().collect();
        one_of(terms, &variables, &cases.iter().collect::<Vec<_>>())
    }
}

/// That one of the cases holds: for each thing to say of the first variable, one of those in which it is said.
fn one_of(terms: &mut Store, variables: &[Term], cases: &[&BTreeMap<Term, Term>]) -> Term {
    let Some((first, rest)) = variables.split_first() else { return terms.bool(!cases.is_empty()) };
    let mut by_fact: BTreeMap<Term, Vec<&BTreeMap<Term, Term>>> = BTreeMap::new();
    for case in cases {
        let fact = case.get(first).copied().unwrap_or_else(|| terms.bool(true));
        by_fact.entry(fact).or_default().push(case);
    }
    // Facts after which the same is left to say go together.
    let mut by_rest: BTreeMap<Term, Vec<Term>> = BTreeMap::new();
    for (fact, cases) in by_fact {
        by_rest.entry(one_of(terms, rest, &cases)).or_default().push(fact);
    }
    let mut ways = Vec::new();
    for (rest, facts) in by_rest {
        let fact = terms.or_all(&facts);
        ways.push(terms.and(fact, rest));
    }
    terms.or_all(&ways)
}
