//! Contradictions between sums in formulas with many cases: a SAT solver chooses, the simplex refutes (lazy SMT; de Moura, Rueß and Sorea,
//! CADE 2002; the simplex's reasons as in Dutertre and de Moura, CAV 2006).
//!
//! What [`super::Search`] makes of comparisons and sums, cases of inequations over integers, becomes a formula of bounds `Σ parts ≤ k`. The
//! SAT solver says which of them hold; those by which the formula is true (not all that it happened to choose) are put to the simplex.
//! Where they contradict each other, the few that do make a clause, and so on until nothing is left to choose. A variable that could only
//! have a fraction as its value is at most the integer below or at least the one above. Reads of one array at the same place are the same.
//!
//! As for the search without learning, anything else is a variable with any value: what is refuted is contradictory.

use super::ranges::Row;
use super::simplex::{Parts, Solved, Tableau};
use super::{Goal, Search, State, Step, Sum, WIDEST, is_comparison};
use crate::backend::{BitwuzlaSettings, BitwuzlaSolver};
use crate::limits::lazy::{MAX_BRANCHES, MAX_NODES, MAX_PIVOTS, MAX_READS, MAX_ROUNDS, MAX_VARIABLES, REASONS};
use crate::solver::{Answer, Limits, Solver};
use base::cpu::Deadline;
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Op, Sort, Store, Term, Value, walk};

/// Some of the facts that contradict each other, if that is seen here. `None` says nothing.
pub fn contradiction(terms: &Store, facts: &[Term], limits: &Limits) -> Option<Vec<Term>> {
    let mut formula = Formula::new(terms);
    let mut literals = Vec::with_capacity(facts.len());
    for fact in facts {
        literals.push(formula.truth(*fact)?);
    }
    formula.reads(facts)?;
    formula.definitions()?;
    let deadline = limits.time.map(Deadline::after);
    let mut choices = Choices::new(formula, limits);
    for _ in 0..MAX_ROUNDS {
        if limits.is_cancelled() || deadline.is_some_and(|deadline| deadline.is_over()) {
            return None;
        }
        match choices.next(&literals)? {
            Chosen::Nothing(core) => {
                return Some(facts.iter().zip(&literals).filter(|(_, l)| core.contains(l)).map(|(f, _)| *f).collect());
            }
            Chosen::Bounds(bounds) => choices.refute(&bounds)?,
        }
    }
    None
}

/// A node of the formula, counted from one; negative where it does not hold.
type Literal = i32;

const TRUE: Literal = 1;

/// What a bound is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Of {
    Variable(usize),
    Row(usize),
}

enum Node {
    True,
    /// Anything that is not looked into.
    Open,
    AtMost(Of, i128),
    All(Vec<Literal>),
}

/// The question over integers.
struct Formula<'a> {
    search: Search<'a>,
    state: State,
    /// Parts come before what they are parts of.
    nodes: Vec<Node>,
    of_terms: FxHashMap<Term, Literal>,
    conjunctions: FxHashMap<Vec<Literal>, Literal>,
    bounds: FxHashMap<(Of, i128), Literal>,
    rows: Vec<Parts>,
    numbers: FxHashMap<Parts, usize>,
    /// What holds of variables whatever the facts are, by variable.
    definitions: FxHashMap<usize, Vec<Literal>>,
}

impl<'a> Formula<'a> {
    fn new(terms: &'a Store) -> Formula<'a> {
        let search = Search { most_variables: MAX_VARIABLES, ..Search::new(terms) };
        Formula {
            search,
            state: State::default(),
            nodes: vec![Node::True],
            of_terms: FxHashMap::default(),
            conjunctions: FxHashMap::default(),
            bounds: FxHashMap::default(),
            rows: Vec::new(),
            numbers: FxHashMap::default(),
            definitions: FxHashMap::default(),
        }
    }

    fn node(&mut self, node: Node) -> Option<Literal> {
        self.nodes.push(node);
        (self.nodes.len() <= MAX_NODES).then_some(self.nodes.len() as Literal)
    }

    fn all(&mut self, mut parts: Vec<Literal>) -> Option<Literal> {
        parts.retain(|part| *part != TRUE);
        parts.sort_unstable();
        parts.dedup();
        if parts.iter().any(|part| *part == -TRUE || parts.binary_search(&-part).is_ok()) {
            return Some(-TRUE);
        }
        match parts[..] {
            [] => return Some(TRUE),
            [one] => return Some(one),
            _ => {}
        }
        if let Some(known) = self.conjunctions.get(&parts) {
            return Some(*known);
        }
        let literal = self.node(Node::All(parts.clone()))?;
        self.conjunctions.insert(parts, literal);
        Some(literal)
    }

    fn any(&mut self, parts: Vec<Literal>) -> Option<Literal> {
        self.all(parts.into_iter().map(|part| -part).collect()).map(|none| -none)
    }

    fn at_most(&mut self, of: Of, most: i128) -> Option<Literal> {
        if let Some(known) = self.bounds.get(&(of, most)) {
            return Some(*known);
        }
        let literal = self.node(Node::AtMost(of, most))?;
        self.bounds.insert((of, most), literal);
        Some(literal)
    }

    fn at_most_zero(&mut self, sum: &Sum) -> Option<Literal> {
        self.search.introduce(&mut self.state);
        let (low, high) = self.state.system.extent(sum)?;
        if high <= 0 || low > 0 {
            return Some(if high <= 0 { TRUE } else { -TRUE });
        }
        let row = Row::at_most_zero(sum)?;
        let of = match row.parts[..] {
            [(variable, 1)] => Of::Variable(variable),
            _ => {
                let next = self.rows.len();
                let number = *self.numbers.entry(row.parts.clone()).or_insert(next);
                if number == next {
                    self.rows.push(row.parts);
                }
                Of::Row(number)
            }
        };
        match (row.low, row.high) {
            (None, Some(most)) => self.at_most(of, most),
            (Some(least), None) => self.at_most(of, least.checked_sub(1)?).map(|below| -below),
            _ => None,
        }
    }

    fn zero(&mut self, sum: &Sum) -> Option<Literal> {
        let negative = Sum::default().minus(sum)?;
        let (a, b) = (self.at_most_zero(sum)?, self.at_most_zero(&negative)?);
        self.all(vec![a, b])
    }

    fn goal(&mut self, goal: &Goal) -> Option<Literal> {
        if let Goal::Formula(term, truth) = goal {
            let literal = self.truth(*term)?;
            return Some(if *truth { literal } else { -literal });
        }
        let cases = self.search.cases(&mut self.state, goal)?;
        self.one_of(cases)
    }

    fn one_of(&mut self, cases: Vec<Vec<Step>>) -> Option<Literal> {
        let mut ways = Vec::with_capacity(cases.len());
        for case in cases {
            let mut steps = Vec::with_capacity(case.len());
            for step in &case {
                steps.push(match step {
                    Step::Goal(goal) => self.goal(goal)?,
                    Step::AtMostZero(sum) => self.at_most_zero(sum)?,
                    Step::Zero(sum) => self.zero(sum)?,
                });
            }
            ways.push(self.all(steps)?);
        }
        self.any(ways)
    }

    /// The formula, without recursion through connectives: they may be deep.
    fn truth(&mut self, root: Term) -> Option<Literal> {
        let terms = self.search.terms;
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.of_terms.contains_key(&t) {
                stack.pop();
                continue;
            }
            let args = if is_connective(terms, t) { terms.args(t) } else { &[] };
            let open = stack.len();
            stack.extend(args.iter().filter(|arg| !self.of_terms.contains_key(arg)));
            if stack.len() == open {
                let literal = self.computed(t)?;
                self.of_terms.insert(t, literal);
            }
        }
        Some(self.of_terms[&root])
    }

    fn computed(&mut self, t: Term) -> Option<Literal> {
        let terms = self.search.terms;
        if !is_connective(terms, t) {
            if !is_comparison(terms, t) {
                return self.node(Node::Open);
            }
            let cases = self.search.formula(&mut self.state, t, true)?;
            return self.one_of(cases);
        }
        let args: Vec<Literal> = terms.args(t).iter().map(|arg| self.of_terms[arg]).collect();
        match (terms.op(t), &args[..]) {
            (Op::True, _) => Some(TRUE),
            (Op::False, _) => Some(-TRUE),
            (Op::Not, &[a]) => Some(-a),
            (Op::And, _) => self.all(args),
            (Op::Or, _) => self.any(args),
            (Op::Xor, &[a, b]) => self.choice(a, -b, b),
            (Op::Eq, &[a, b]) => self.choice(a, b, -b),
            (_, &[a, b, c]) => self.choice(a, b, c),
            _ => self.node(Node::Open),
        }
    }

    fn choice(&mut self, condition: Literal, yes: Literal, no: Literal) -> Option<Literal> {
        let (yes, no) = (self.any(vec![-condition, yes])?, self.any(vec![condition, no])?);
        self.all(vec![yes, no])
    }

    /// What one array holds at one place is the same however the place is written.
    fn reads(&mut self, facts: &[Term]) -> Option<()> {
        let terms = self.search.terms;
        let is_number = |t: Term| matches!(terms.sort(t), Sort::Bv(1..=WIDEST));
        let all = walk::postorder(terms, facts);
        let is_read = |t: &Term| terms.op(*t) == Op::Select && is_number(*t) && is_number(terms.arg(*t, 1));
        let reads: Vec<Term> = all.into_iter().filter(is_read).take(MAX_READS).collect();
        for (i, &a) in reads.iter().enumerate() {
            for &b in reads[..i].iter().filter(|b| terms.arg(**b, 0) == terms.arg(a, 0)) {
                let mut differences = Vec::with_capacity(2);
                for (a, b) in [(terms.arg(a, 1), terms.arg(b, 1)), (a, b)] {
                    let difference = self.search.value(a)?.minus(&self.search.value(b)?)?;
                    differences.push(self.zero(&difference)?);
                }
                let same = self.any(vec![-differences[0], differences[1]])?;
                // Where only one of them matters, it can be anything.
                let read = self.search.value(a)?;
                self.define(&read, same);
            }
        }
        Some(())
    }

    /// What is known of the variables.
    fn definitions(&mut self) -> Option<()> {
        loop {
            self.search.introduce(&mut self.state);
            let Some(goal) = self.state.pending.pop() else { return Some(()) };
            let known = self.goal(&goal)?;
            match goal {
                // Quotient and remainder are told by one equation.
                Goal::Turned { sum, size: 0, .. } => self.define(&sum, known),
                Goal::Turned { variable, .. }
                | Goal::Chosen { variable, .. }
                | Goal::Bit { variable, .. }
                | Goal::Extended { variable, .. } => self.define(&Sum::variable(variable), known),
                Goal::Formula(..) | Goal::NotZero(_) | Goal::SignedLess { .. } => return None,
            }
        }
    }

    fn define(&mut self, sum: &Sum, known: Literal) {
        for (variable, _) in &sum.parts {
            self.definitions.entry(*variable).or_default().push(known);
        }
    }

    /// The variables that a bound is about.
    fn variables(&self, of: Of) -> Vec<usize> {
        match of {
            Of::Variable(variable) => vec![variable],
            Of::Row(row) => self.rows[row].iter().map(|part| part.0).collect(),
        }
    }
}

fn is_connective(terms: &Store, t: Term) -> bool {
    match terms.op(t) {
        Op::True | Op::False | Op::Not | Op::And | Op::Or | Op::Xor => true,
        Op::Eq => terms.sort(terms.arg(t, 0)) == Sort::Bool,
        Op::Ite => terms.sort(t) == Sort::Bool,
        _ => false,
    }
}

/// An end of a range, if there is one, and why it is there.
type End = (Option<i128>, Literal);

/// What the SAT solver chose.
enum Chosen {
    /// These literals cannot all hold.
    Nothing(Vec<Literal>),
    /// By these the formula is true.
    Bounds(Vec<Literal>),
}

/// The formula as the SAT solver has it, and the simplex.
struct Choices<'a> {
    formula: Formula<'a>,
    /// Terms of its own: a variable for each bound.
    store: Store,
    terms: Vec<Term>,
    solver: BitwuzlaSolver,
    tableau: Tableau,
    pivots: u32,
    /// Bounds that are no part of the formula, by which fractions were excluded.
    branches: Vec<Literal>,
}

impl<'a> Choices<'a> {
    fn new(formula: Formula<'a>, limits: &Limits) -> Choices<'a> {
        let settings = BitwuzlaSettings { preprocessing: false, ..BitwuzlaSettings::default() };
        let mut solver = BitwuzlaSolver::new(&settings);
        solver.limit(limits);
        let tableau = Tableau::new(formula.search.variables.len(), formula.rows.clone());
        let (store, terms, branches) = (Store::new(), Vec::new(), Vec::new());
        let mut choices = Choices { formula, store, terms, solver, tableau, pivots: MAX_PIVOTS, branches };
        choices.name();
        let mut known: Vec<Literal> = choices.formula.definitions.values().flatten().copied().collect();
        known.sort_unstable();
        known.dedup();
        known.iter().for_each(|literal| choices.hold(&[*literal]));
        // What is at most this is at most more.
        let mut bounds: Vec<((Of, i128), Literal)> = choices.formula.bounds.iter().map(|(k, l)| (*k, *l)).collect();
        bounds.sort_unstable();
        for pair in bounds.windows(2).filter(|pair| pair[0].0.0 == pair[1].0.0) {
            choices.hold(&[-pair[0].1, pair[1].1]);
        }
        choices
    }

    /// Terms for nodes that have none yet.
    fn name(&mut self) {
        for index in self.terms.len()..self.formula.nodes.len() {
            let term = match &self.formula.nodes[index] {
                Node::True => self.store.bool(true),
                Node::Open | Node::AtMost(..) => self.store.var(&format!("n{index}"), Sort::Bool),
                Node::All(parts) => {
                    let parts: Vec<Term> = parts.clone().into_iter().map(|part| self.term(part)).collect();
                    self.store.and_all(&parts)
                }
            };
            self.terms.push(term);
        }
    }

    fn term(&mut self, literal: Literal) -> Term {
        let term = self.terms[literal.unsigned_abs() as usize - 1];
        if literal > 0 { term } else { self.store.not(term) }
    }

    /// One of these holds.
    fn hold(&mut self, clause: &[Literal]) {
        let parts: Vec<Term> = clause.iter().map(|literal| self.term(*literal)).collect();
        let clause = self.store.or_all(&parts);
        self.solver.assert(&self.store, clause);
    }

    /// A choice by which all of these hold.
    fn next(&mut self, literals: &[Literal]) -> Option<Chosen> {
        let assumptions: Vec<Term> = literals.iter().map(|literal| self.term(*literal)).collect();
        if self.solver.check(&self.store, &assumptions).ok()? == Answer::Unsat {
            let core = self.solver.core().ok()?;
            let held = literals.iter().zip(&assumptions).filter(|(_, term)| core.contains(term));
            return Some(Chosen::Nothing(held.map(|(literal, _)| *literal).collect()));
        }
        let mut holds: Vec<bool> = Vec::with_capacity(self.formula.nodes.len());
        for (index, node) in self.formula.nodes.iter().enumerate() {
            let value = match node {
                Node::True => true,
                Node::Open | Node::AtMost(..) => {
                    self.solver.value(&self.store, self.terms[index]).ok()? == Value::Bool(true)
                }
                Node::All(parts) => parts.iter().all(|part| is_chosen(&holds, *part)),
            };
            holds.push(value);
        }
        Some(Chosen::Bounds(self.reasons(&holds, literals)))
    }

    /// Bounds that make the formula true, and what they say of their variables: where one of several parts is enough, one that is needed
    /// already, or the first. What variables stand for that nobody needs does not matter.
    fn reasons(&self, holds: &[bool], literals: &[Literal]) -> Vec<Literal> {
        let mut needed: FxHashSet<Literal> = FxHashSet::default();
        let mut bounds = Vec::new();
        let branches = self.branches.iter().map(|branch| if is_chosen(holds, *branch) { *branch } else { -*branch });
        let mut stack: Vec<Literal> = branches.chain(literals.iter().copied()).collect();
        let mut variables: FxHashSet<usize> = FxHashSet::default();
        while let Some(literal) = stack.pop() {
            if !needed.insert(literal) {
                continue;
            }
            match &self.formula.nodes[literal.unsigned_abs() as usize - 1] {
                Node::True | Node::Open => {}
                Node::AtMost(of, _) => {
                    bounds.push(literal);
                    for variable in self.formula.variables(*of) {
                        if variables.insert(variable) {
                            stack.extend(self.formula.definitions.get(&variable).into_iter().flatten());
                        }
                    }
                }
                Node::All(parts) if literal > 0 => stack.extend(parts),
                Node::All(parts) => {
                    let mut failing = parts.iter().map(|part| -part).filter(|part| is_chosen(holds, *part));
                    let first = failing.next();
                    let known = first.into_iter().chain(failing).find(|part| needed.contains(part));
                    stack.extend(known.or(first));
                }
            }
        }
        bounds
    }

    /// Excludes the choice of these bounds. `None` where that fails: there may be a model.
    fn refute(&mut self, bounds: &[Literal]) -> Option<()> {
        let ranges = &self.formula.state.system.ranges;
        let count = self.tableau.low.len();
        let mut ends: Vec<[End; 2]> = vec![[(None, TRUE); 2]; count];
        for (variable, (low, high)) in ranges.iter().enumerate() {
            ends[variable] = [(Some(*low), TRUE), (Some(*high), TRUE)];
        }
        for &literal in bounds {
            let Node::AtMost(of, most) = self.formula.nodes[literal.unsigned_abs() as usize - 1] else { continue };
            let variable = match of {
                Of::Variable(variable) => variable,
                Of::Row(row) => ranges.len() + row,
            };
            let [low, high] = &mut ends[variable];
            if literal > 0 && high.0.is_none_or(|high| most < high) {
                *high = (Some(most), literal);
            } else if literal < 0 && low.0.is_none_or(|low| most >= low) {
                *low = (Some(most.checked_add(1)?), literal);
            }
        }
        // Several contradictions at once, each about other bounds.
        for found in 0..REASONS {
            let empty = |[low, high]: &[End; 2]| low.0.zip(high.0).is_some_and(|(low, high)| low > high);
            let used: Vec<(usize, bool)> = if let Some(variable) = ends.iter().position(empty) {
                vec![(variable, true), (variable, false)]
            } else {
                for (variable, [low, high]) in ends.iter().enumerate() {
                    (self.tableau.low[variable], self.tableau.high[variable]) = (low.0, high.0);
                }
                match self.tableau.solve(&mut self.pivots)? {
                    Solved::Impossible(used) => used,
                    Solved::Possible(_) if found > 0 => break,
                    Solved::Possible(fractions) => return self.branch(*fractions.first()?),
                }
            };
            let ranges = &self.formula.state.system.ranges;
            let mut clause = Vec::with_capacity(used.len());
            for (variable, is_low) in used {
                let end = &mut ends[variable][usize::from(!is_low)];
                if end.1 != TRUE {
                    clause.push(-end.1);
                    let range = ranges.get(variable).map(|range| if is_low { range.0 } else { range.1 });
                    *end = (range, TRUE);
                }
            }
            self.hold(&clause);
            if clause.is_empty() {
                break;
            }
        }
        Some(())
    }

    /// A variable is at most the integer below this fraction, or at least the one above.
    fn branch(&mut self, (variable, value, divisor): (usize, i128, i128)) -> Option<()> {
        if self.branches.len() >= MAX_BRANCHES {
            return None;
        }
        let below = self.formula.at_most(Of::Variable(variable), value.div_euclid(divisor))?;
        self.name();
        self.branches.push(below);
        Some(())
    }
}

fn is_chosen(holds: &[bool], literal: Literal) -> bool {
    holds[literal.unsigned_abs() as usize - 1] == (literal > 0)
}
