//! Liveness and size of objects, for the checks that ask for them.
//!
//! Checks select from `$live` and `$size` by the object number of a pointer. The pointer's class says which objects that can
//! be; every other number is the null object's, or nobody's. So a class whose objects never die is live where the number is
//! one of the class's, sizes that are all alike are a constant, a few objects get a scalar each, and only the rest needs an
//! array. Nothing is kept for classes that no check asks about.
//!
//! Of memory that only the outside has nothing is known: two arrays that nothing writes say which of it is there, and how
//! large it is.

use super::Settings;
use super::address::Sum;
use super::encode::Encoder;
use super::objects::{Lifetime, Objects};
use super::points_to::{Object, PointsTo};
use super::relevance::Loose;
use super::values::Class;
use base::Id;
use cfa::{Program, Var, VarKind};
use flow::access::{Accesses, GlobalEffects, TermVars};
use flow::callgraph::CallGraph;
use flow::graph::Graph;
use flow::liveness::Liveness;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use term::{Op, Sort, Substitution, Term};

#[derive(Clone, Debug, Default)]
pub(super) enum LiveForm {
    #[default]
    Untracked,
    /// Live iff the number is one of the class.
    Member,
    /// A truth value for each object that can die.
    PerObject(BTreeMap<Object, Var>),
    Array(Var),
}

#[derive(Clone, Debug, Default)]
pub(super) enum SizeForm {
    #[default]
    Untracked,
    /// All objects have this size.
    Uniform(u64),
    /// A variable for each object whose size is not a constant.
    PerObject(BTreeMap<Object, Var>),
    Array(Var),
}

/// Indexed by class.
#[derive(Clone, Debug, Default)]
pub(super) struct Tables {
    pub(super) live: Vec<LiveForm>,
    pub(super) size: Vec<SizeForm>,
    /// Of the outside's own memory.
    outside_live: Option<Var>,
    outside_size: Option<Var>,
}

/// Which of the outside's own memory is there.
const LIVE_OUTSIDE: &str = "$live.outside";

/// Whether the (flat) program asks for memory that only the outside has: no run can be given it.
pub fn asks_outside(program: &Program) -> bool {
    program.vars.ids().any(|var| program.name(var) == LIVE_OUTSIDE)
}

/// Which classes checks ask about. Indexed by class: (live, size).
pub(super) fn asked(points: &PointsTo<'_>, loose: &[Loose]) -> Vec<(bool, bool)> {
    let program = points.program;
    let (live, size) = (program.term(program.live), program.term(program.size));
    let mut asked = vec![(false, false); points.classes.len()];
    for &t in &points.order {
        if program.terms.op(t) != Op::Select {
            continue;
        }
        let args = program.terms.args(t);
        for (class, _) in points.pointees(args[1], loose) {
            let entry = &mut asked[class.index()];
            entry.0 |= args[0] == live;
            entry.1 |= args[0] == size;
        }
    }
    asked
}

/// An object that is allocated again while someone may still hold its old address needs a new number each time, where
/// liveness is checked: else the old pointer would come alive again.
pub(super) fn retire_old_addresses(
    points: &PointsTo<'_>,
    loose: &[Loose],
    objects: &mut Objects,
    asked: &[(bool, bool)],
) {
    let program = points.program;
    let candidates: Vec<Object> = objects
        .plans
        .iter()
        .filter(|(_, p)| p.lifetime == Lifetime::Reused && asked[p.class.index()].0)
        .map(|(o, _)| o)
        .collect();
    if candidates.is_empty() {
        return;
    }
    let kept = points.classes_in_memory();
    let mut holders: BTreeMap<Class, Vec<Var>> = BTreeMap::new();
    for (v, info) in program.vars.iter() {
        for (class, _) in points.pointees(info.term, loose) {
            holders.entry(class).or_default().push(v);
        }
    }
    let function = program.main();
    let graph = Graph::of(function);
    let effects = GlobalEffects::of(program, &CallGraph::of(program));
    let accesses = Accesses::of(program, function, &effects, &mut TermVars::of(program));
    let mut liveness = Liveness::new(&graph, &accesses);
    for o in candidates {
        let plan = &objects.plans[o];
        let before = function.edges[plan.edge].from;
        let own = program.main().edges[plan.edge].op.written();
        let escapes = kept.contains(&plan.class)
            || holders
                .get(&plan.class)
                .into_iter()
                .flatten()
                .any(|v| !own.contains(v) && liveness.range(*v).contains(&before));
        if escapes {
            let plan = &mut objects.plans[o];
            plan.lifetime = Lifetime::Many;
            if let Some(v) = plan.pinned.take() {
                objects.of_var[v.index()] = None;
            }
        }
    }
}

impl Tables {
    pub(super) fn plan(
        points: &PointsTo<'_>,
        objects: &Objects,
        asked: &[(bool, bool)],
        settings: &Settings,
        program: &mut Program,
    ) -> Tables {
        let mut tables = Tables {
            live: vec![LiveForm::Untracked; asked.len()],
            size: vec![SizeForm::Untracked; asked.len()],
            ..Tables::default()
        };
        let machine = program.machine;
        for (i, &(live, size)) in asked.iter().enumerate() {
            let class = Class::new(i);
            let members = &points.classes[class].objects;
            let Some(first) = members.first() else { continue };
            let plans = || members.iter().map(|o| &objects.plans[*o]);
            let few = plans().all(|p| p.lifetime != Lifetime::Many) && members.len() <= settings.split_tables;
            let name = &objects.plans[*first].name;
            if live {
                tables.live[i] = if plans().all(|p| !p.mortal && p.kind.is_some()) {
                    LiveForm::Member
                } else if few {
                    let mortal = members.iter().filter(|o| objects.plans[**o].mortal);
                    let var = |o: &Object| {
                        let name = format!("$live.{}", objects.plans[*o].name);
                        (*o, program.add_var(&name, Sort::Bool, VarKind::Memory, None))
                    };
                    LiveForm::PerObject(mortal.map(var).collect())
                } else {
                    let sort = Sort::array(machine.object_sort(), Sort::Bool);
                    LiveForm::Array(program.add_var(&format!("$live.{name}.."), sort, VarKind::Memory, None))
                };
            }
            if size {
                let uniform = plans().map(|p| p.size).reduce(|a, b| if a == b { a } else { None }).flatten();
                tables.size[i] = if let Some(bytes) = uniform {
                    SizeForm::Uniform(bytes)
                } else if few {
                    let unknown = members.iter().filter(|o| objects.plans[**o].size.is_none());
                    let var = |o: &Object| {
                        let name = format!("$size.{}", objects.plans[*o].name);
                        (*o, program.add_var(&name, machine.pointer_sort(), VarKind::Memory, None))
                    };
                    SizeForm::PerObject(unknown.map(var).collect())
                } else {
                    let sort = Sort::array(machine.object_sort(), machine.pointer_sort());
                    SizeForm::Array(program.add_var(&format!("$size.{name}.."), sort, VarKind::Memory, None))
                };
            }
        }
        tables
    }
}

impl Encoder<'_> {
    /// Replacements for all terms that select from the object tables.
    pub(super) fn table_lookups(&mut self, loose: &[Loose]) -> Substitution {
        let (live, size) = (self.program.term(self.program.live), self.program.term(self.program.size));
        let mut replaced = Substitution::new();
        let bare = self.points.bare_numbers();
        for i in 0..self.points.order.len() {
            let t = self.points.order[i];
            if self.points_apart(t, &bare, loose) {
                let numbers: Vec<Term> = self.program.terms.args(t).to_vec();
                let nothing = numbers.into_iter().map(|number| self.is_number(number, 0)).collect::<Vec<_>>();
                let both = self.program.terms.and_all(&nothing);
                replaced.insert(&self.program.terms, t, both);
                continue;
            }
            let terms = &self.program.terms;
            if terms.op(t) != Op::Select || (terms.arg(t, 0) != live && terms.arg(t, 0) != size) {
                continue;
            }
            let (table, index) = (terms.arg(t, 0), terms.arg(t, 1));
            let classes: BTreeSet<Class> = self.points.pointees(index, loose).into_iter().map(|(c, _)| c).collect();
            let number = self.fixed_number(index).unwrap_or(index);
            // Without any class no object has the number: null, or a number that never was an address.
            let mut to = match table == live {
                true => self.program.terms.ff(),
                false => self.program.terms.bv(0, self.program.machine.pointer_bits()),
            };
            for (n, &class) in classes.iter().rev().enumerate() {
                if table == live {
                    let own = self.live(class, number);
                    to = self.program.terms.or(own, to);
                } else {
                    let own = self.size(class, number);
                    let member = self.is_member(class, number);
                    to = if n == 0 { own } else { self.program.terms.ite(member, own, to) };
                }
            }
            let is_unknown = |class: &Class| {
                let mut members = self.points.classes[*class].objects.iter();
                members.any(|o| self.objects.plans[*o].kind.is_none())
            };
            if bare[index.index()] || classes.iter().any(is_unknown) {
                to = self.or_outside(table == live, &classes, number, to);
            }
            replaced.insert(&self.program.terms, t, to);
        }
        replaced
    }

    /// What the tables say of a number, if it is not that of an object of the classes: whatever there is outside.
    fn or_outside(&mut self, is_live: bool, classes: &BTreeSet<Class>, number: Term, own: Term) -> Term {
        let machine = self.program.machine;
        let mut is_own = self.is_number(number, 0);
        for class in classes {
            let member = self.is_member(*class, number);
            is_own = self.program.terms.or(is_own, member);
        }
        let (kept, name, to) = match is_live {
            true => (&mut self.tables.outside_live, LIVE_OUTSIDE, Sort::Bool),
            false => (&mut self.tables.outside_size, "$size.outside", machine.pointer_sort()),
        };
        let sort = Sort::array(machine.object_sort(), to);
        let array = *kept.get_or_insert_with(|| self.program.add_var(name, sort, VarKind::Memory, None));
        let array = self.program.term(array);
        let there = self.program.terms.select(array, number);
        self.program.terms.ite(is_own, own, there)
    }

    /// Whether the term compares the objects of two pointers that never point into the same one: only where neither points
    /// to an object they compare as equal.
    fn points_apart(&self, t: Term, bare: &[bool], loose: &[Loose]) -> bool {
        let (terms, machine) = (&self.program.terms, &self.program.machine);
        let is_object = |t: Term| matches!(terms.op(t), Op::Extract { hi, lo } if lo == machine.offset_bits && hi + 1 == machine.pointer_bits());
        if terms.op(t) != Op::Eq || !terms.args(t).iter().all(|a| is_object(*a)) {
            return false;
        }
        let classes = |t: Term| -> BTreeSet<Class> {
            self.points.pointees(t, loose).into_iter().map(|(class, _)| class).collect()
        };
        let (a, b) = (classes(terms.arg(t, 0)), classes(terms.arg(t, 1)));
        let is_bare = terms.args(t).iter().any(|a| bare[a.index()]);
        !is_bare && !a.is_empty() && !b.is_empty() && a.is_disjoint(&b)
    }

    /// The object number as a literal, when `index` is the number of a variable's own object.
    fn fixed_number(&mut self, index: Term) -> Option<Term> {
        let terms = &self.program.terms;
        let Op::Extract { .. } = terms.op(index) else { return None };
        let sum = Sum::of(terms, terms.arg(index, 0))?;
        let [(1, base)] = sum.atoms[..] else { return None };
        let object = self.objects.of_var[self.program.var_of(base)?.index()]?;
        // A constant that leaves the object changes the number.
        let inside = sum.constant >= 0 && self.objects.plans[object].size.is_some_and(|s| sum.constant as u64 <= s);
        let number = self.objects.plans[object].number.filter(|_| inside || sum.constant == 0)?;
        Some(self.program.terms.bv(number.into(), self.program.machine.object_bits))
    }

    /// Is it the number of an object of the class?
    pub(super) fn is_member(&mut self, class: Class, number: Term) -> Term {
        let plan = self.objects.classes[class.index()].clone();
        let mut member = self.program.terms.ff();
        for range in [plan.fixed, plan.dynamic] {
            if range.is_empty() {
                continue;
            }
            let inside = self.in_range(number, &range);
            member = self.program.terms.or(member, inside);
        }
        member
    }

    /// Whether an object has one of these numbers (at least one).
    pub(super) fn in_range(&mut self, number: Term, range: &Range<u64>) -> Term {
        let bits = self.program.machine.object_bits;
        let terms = &mut self.program.terms;
        let first = terms.bv(range.start.into(), bits);
        if range.end == range.start + 1 {
            return terms.eq(number, first);
        }
        let end = terms.bv(range.end.into(), bits);
        let (above, below) = (terms.ule(first, number), terms.ult(number, end));
        terms.and(above, below)
    }

    pub(super) fn live(&mut self, class: Class, number: Term) -> Term {
        match self.tables.live[class.index()].clone() {
            LiveForm::Untracked => unreachable!("liveness of {class} is asked for"),
            LiveForm::Member => self.is_member(class, number),
            LiveForm::Array(array) => {
                let array = self.program.term(array);
                self.program.terms.select(array, number)
            }
            LiveForm::PerObject(vars) => {
                let mut live = self.program.terms.ff();
                for (object, own) in self.numbered(class) {
                    let is = self.is_number(number, own);
                    let alive = vars.get(&object).map_or(self.program.terms.tt(), |v| self.program.term(*v));
                    let both = self.program.terms.and(is, alive);
                    live = self.program.terms.or(live, both);
                }
                live
            }
        }
    }

    pub(super) fn size(&mut self, class: Class, number: Term) -> Term {
        let bits = self.program.machine.pointer_bits();
        let zero = self.program.terms.bv(0, bits);
        match self.tables.size[class.index()].clone() {
            SizeForm::Untracked => unreachable!("size of {class} is asked for"),
            SizeForm::Uniform(bytes) => {
                let member = self.is_member(class, number);
                let bytes = self.program.terms.bv(bytes.into(), bits);
                self.program.terms.ite(member, bytes, zero)
            }
            SizeForm::Array(array) => {
                let array = self.program.term(array);
                self.program.terms.select(array, number)
            }
            SizeForm::PerObject(vars) => {
                let mut size = zero;
                for (object, own) in self.numbered(class).into_iter().rev() {
                    let is = self.is_number(number, own);
                    let bytes = match vars.get(&object) {
                        Some(v) => self.program.term(*v),
                        None => self.program.terms.bv(self.objects.plans[object].size.unwrap_or(0).into(), bits),
                    };
                    size = self.program.terms.ite(is, bytes, size);
                }
                size
            }
        }
    }

    fn numbered(&self, class: Class) -> Vec<(Object, u64)> {
        let objects = &self.points.classes[class].objects;
        objects.iter().filter_map(|o| self.objects.plans[*o].number.map(|n| (*o, n))).collect()
    }

    pub(super) fn is_number(&mut self, number: Term, k: u64) -> Term {
        let k = self.program.terms.bv(k.into(), self.program.machine.object_bits);
        self.program.terms.eq(number, k)
    }

    /// What an allocation does to the tables. `number` is the new object's.
    pub(super) fn table_birth(&mut self, object: Object, number: Term, size: Term, updates: &mut Vec<(Var, Term)>) {
        let class = self.objects.plans[object].class.index();
        let alive = self.program.terms.tt();
        let program = &mut self.program;
        let mut store = |array: Var, value: Term| {
            let old = program.term(array);
            (array, program.terms.store(old, number, value))
        };
        match &self.tables.live[class] {
            LiveForm::PerObject(vars) => updates.extend(vars.get(&object).map(|v| (*v, alive))),
            LiveForm::Array(array) => updates.push(store(*array, alive)),
            LiveForm::Untracked | LiveForm::Member => {}
        }
        match &self.tables.size[class] {
            SizeForm::PerObject(vars) => updates.extend(vars.get(&object).map(|v| (*v, size))),
            SizeForm::Array(array) => updates.push(store(*array, size)),
            SizeForm::Untracked | SizeForm::Uniform(_) => {}
        }
    }

    /// What the end of the object with this number does to the tables.
    pub(super) fn table_death(&mut self, class: Class, number: Term) -> Vec<(Var, Term)> {
        let dead = self.program.terms.ff();
        match self.tables.live[class.index()].clone() {
            LiveForm::Untracked | LiveForm::Member => Vec::new(),
            LiveForm::Array(array) => {
                let old = self.program.term(array);
                vec![(array, self.program.terms.store(old, number, dead))]
            }
            LiveForm::PerObject(vars) => {
                let mut updates = Vec::new();
                for (object, own) in self.numbered(class) {
                    if let Some(&var) = vars.get(&object) {
                        let is = self.is_number(number, own);
                        let old = self.program.term(var);
                        let new = self.program.terms.ite(is, dead, old);
                        if new != old {
                            updates.push((var, new));
                        }
                    }
                }
                updates
            }
        }
    }

    /// The arrays of the tables at the start: no object is live.
    pub(super) fn table_start(&mut self, havoc: &mut Vec<Var>, updates: &mut Vec<(Var, Term)>) {
        let machine = self.program.machine;
        for class in 0..self.tables.live.len() {
            let unknown =
                self.points.classes[Class::new(class)].objects.iter().any(|o| self.objects.plans[*o].kind.is_none());
            let live = match self.tables.live[class] {
                LiveForm::Array(array) => Some((array, self.program.terms.ff())),
                _ => None,
            };
            let size = match self.tables.size[class] {
                SizeForm::Array(array) => Some((array, self.program.terms.bv(0, machine.pointer_bits()))),
                _ => None,
            };
            for (array, initial) in live.into_iter().chain(size) {
                if unknown {
                    havoc.push(array);
                } else {
                    let initial = self.program.terms.const_array(machine.object_sort(), initial);
                    updates.push((array, initial));
                }
            }
        }
    }
}
