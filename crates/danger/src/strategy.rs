//! Strategies: what is chosen where the program leaves something open (the Skolem functions S of the paper), and the
//! program that is left when they are followed.
//!
//! With a strategy every input is a function of the state, so the program has one execution. That it surely reaches the
//! error, or surely never ends, is then a question about all executions of that program, for which there are invariants.

use crate::limits::search::{MOST_CONDITIONAL, MOST_CONDITIONS, MOST_PLAIN};
use crate::settings::Settings;
use base::Table;
use cfa::{Edge, Loc, Op, Program, Var};
use flow::wto::Wto;
use infer::candidates::program::atoms;
use std::collections::{BTreeMap, BTreeSet};
use term::{Op as TermOp, Sort, Store, Term, Value};

/// Something to choose.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Slot {
    /// What a variable holds at the entry.
    Initial(Var),
    /// What the so-manieth variable of a havoc edge gets.
    Input(Edge, usize),
}

/// A choice for every slot.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Strategy {
    pub chosen: BTreeMap<Slot, Term>,
}

impl Strategy {
    /// The choices by edge, as evidence has them.
    pub(crate) fn choices(&self) -> BTreeMap<Edge, Vec<Term>> {
        let mut choices: BTreeMap<Edge, Vec<Term>> = BTreeMap::new();
        for (slot, t) in &self.chosen {
            if let Slot::Input(edge, _) = slot {
                choices.entry(*edge).or_default().push(*t);
            }
        }
        choices
    }

    /// The initial values. Chosen among constants only.
    pub(crate) fn initial(&self, terms: &Store) -> BTreeMap<Var, Value> {
        let initial = |(slot, t): (&Slot, &Term)| match slot {
            Slot::Initial(var) => Some((*var, constant(terms, *t)?)),
            Slot::Input(..) => None,
        };
        self.chosen.iter().filter_map(initial).collect()
    }

    /// The program in which the strategy is followed. `terms` extends the program's store and knows the choices.
    pub(crate) fn follow(&self, program: &Program, terms: &Store) -> Program {
        let mut followed = program.clone();
        followed.terms = terms.clone();
        let entry = followed.entry;
        let main = &mut followed.functions[entry];
        for (edge, chosen) in self.choices() {
            let info = &mut main.edges[edge];
            let Op::Havoc { vars, .. } = &info.op else { continue };
            info.op = Op::Assign(vars.iter().copied().zip(chosen).collect());
        }
        let initial: Vec<(Var, Term)> = self
            .chosen
            .iter()
            .filter_map(|(slot, t)| if let Slot::Initial(var) = slot { Some((*var, *t)) } else { None })
            .collect();
        if !initial.is_empty() {
            let span = main.locs[main.entry].span;
            let start = main.add_loc(span);
            let old = main.entry;
            main.add_edge(start, old, Op::Assign(initial), span);
            main.entry = start;
        }
        followed
    }
}

fn constant(terms: &Store, t: Term) -> Option<Value> {
    term::eval::eval(terms, t, &()).ok()
}

/// The slots of a program with what could be chosen for each, the most promising first.
#[derive(Debug)]
pub(crate) struct Choices {
    pub slots: Vec<(Slot, Vec<Term>)>,
}

impl Choices {
    pub(crate) fn of(program: &Program, terms: &mut Store, wto: &Wto, atoms: &[Term]) -> Choices {
        let mut slots = Vec::new();
        for var in live_at_entry(program) {
            slots.push((Slot::Initial(var), plain(program, terms, var, atoms, true)));
        }
        let conditions = conditions(program, terms, atoms);
        for (edge, info) in program.main().edges.iter().filter(|(_, e)| wto.reaches(e.from)) {
            let Op::Havoc { vars, .. } = &info.op else { continue };
            let in_loop = !wto.heads_around(info.from).is_empty();
            for (i, var) in vars.iter().enumerate() {
                let mut values = plain(program, terms, *var, atoms, false);
                if in_loop {
                    let conditional = conditional(program, terms, *var, &values, &conditions);
                    values.extend(conditional);
                }
                slots.push((Slot::Input(edge, i), values));
            }
        }
        Choices { slots }
    }

    /// The strategy that takes the given choice for each slot.
    pub(crate) fn strategy(&self, indices: &[usize]) -> Strategy {
        let chosen = self.slots.iter().zip(indices).map(|((slot, values), i)| (*slot, values[*i])).collect();
        Strategy { chosen }
    }
}

/// The variables that are read before they are assigned.
fn live_at_entry(program: &Program) -> Vec<Var> {
    let entry = program.main().entry;
    flow::live(program, |loc| loc == entry)[entry].clone()
}

/// Values for a variable: what the program compares it with and the neighbours, small numbers, constants, variables.
fn plain(program: &Program, terms: &mut Store, var: Var, atoms: &[Term], constants_only: bool) -> Vec<Term> {
    let own = program.term(var);
    let Sort::Bv(width) = program.vars[var].sort else {
        return match program.vars[var].sort {
            Sort::Bool => vec![terms.tt(), terms.ff()],
            sort => vec![terms.value(&Value::zero(sort))],
        };
    };
    let (zero, one) = (terms.bv(0, width), terms.bv(1, width));
    let mut found = vec![zero, one];
    let mut compared = Vec::new();
    for atom in atoms {
        for (side, other) in [(0, 1), (1, 0)] {
            if terms.args(*atom).len() == 2 && strip(terms, terms.arg(*atom, side)) == own {
                let t = strip(terms, terms.arg(*atom, other));
                if matches!(terms.sort(t), Sort::Bv(_)) && !term::walk::mentions(terms, t, own) {
                    compared.push(terms.resize(t, width, true));
                }
            }
        }
    }
    for t in compared {
        let (more, less) = (terms.add(t, one), terms.sub(t, one));
        found.extend([t, more, less]);
    }
    found.push(terms.bv_signed(-1, width));
    let roots: Vec<Term> = program.main().edges.values().flat_map(|e| e.op.terms()).collect();
    for t in term::walk::postorder(&program.terms, &roots) {
        if terms.is_const(t) && terms.sort(t) == Sort::Bv(width) {
            found.push(t);
            found.push(terms.add(t, one));
        }
    }
    for (other, info) in program.vars.iter() {
        if other != var && info.sort == Sort::Bv(width) && info.source.is_some() {
            found.push(info.term);
        }
    }
    if constants_only {
        found.retain(|t| terms.is_const(*t));
    }
    let mut seen = BTreeSet::new();
    found.retain(|t| seen.insert(*t));
    found.truncate(MOST_PLAIN);
    found
}

/// The term below extensions.
fn strip(terms: &Store, mut t: Term) -> Term {
    while let TermOp::SignExtend(_) | TermOp::ZeroExtend(_) = terms.op(t) {
        t = terms.arg(t, 0);
    }
    t
}

/// What conditional choices may ask: the program's comparisons, and how the variables that it compares relate.
fn conditions(program: &Program, terms: &mut Store, atoms: &[Term]) -> Vec<Term> {
    let mut found = Vec::new();
    for atom in atoms {
        let [a, b] = *terms.args(*atom) else { continue };
        let both_vars = [a, b].iter().all(|t| program.var_of(strip(terms, *t)).is_some());
        if both_vars && matches!(terms.sort(a), Sort::Bv(_)) {
            found.extend([terms.slt(a, b), terms.slt(b, a), terms.eq(a, b)]);
        }
    }
    for atom in atoms {
        found.push(*atom);
    }
    let mut seen = BTreeSet::new();
    found.retain(|t| seen.insert(*t));
    found.truncate(MOST_CONDITIONS);
    found
}

fn conditional(program: &Program, terms: &mut Store, var: Var, values: &[Term], conditions: &[Term]) -> Vec<Term> {
    let own = program.term(var);
    let mut found = Vec::new();
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for i in 0..values.len().min(6) {
        pairs.extend((0..i).flat_map(|j| [(j, i), (i, j)]));
    }
    let pairs = pairs.into_iter().map(|(i, j)| (values[i], values[j]));
    for (a, b) in pairs {
        for condition in
            conditions.iter().filter(|c| !term::walk::mentions(terms, **c, own)).copied().collect::<Vec<_>>()
        {
            found.push(terms.ite(condition, a, b));
        }
    }
    found.truncate(MOST_CONDITIONAL);
    found
}

/// A program with what both searches look at.
#[derive(Debug)]
pub(crate) struct Problem<'a> {
    pub(crate) program: &'a Program,
    pub(crate) wto: Wto,
    /// The variables that matter at each head.
    pub(crate) live: Table<Loc, Vec<Var>>,
    pub(crate) atoms: Vec<Term>,
    pub(crate) choices: Choices,
    pub(crate) settings: &'a Settings,
}

impl<'a> Problem<'a> {
    pub(crate) fn new(program: &'a Program, settings: &'a Settings, terms: &mut Store) -> Problem<'a> {
        let wto = Wto::new(program.main());
        let atoms = atoms(program, terms);
        let choices = Choices::of(program, terms, &wto, &atoms);
        Problem { live: flow::live_at_heads(program, &wto), program, wto, atoms, choices, settings }
    }
}
