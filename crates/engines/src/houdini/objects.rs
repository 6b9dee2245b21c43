//! What holds of every object, or of every two, of a program whose objects have no bound (`transform::memory`).
//!
//! There is a set of objects that are of interest: those that live, where the program asks for it, else those that were made so
//! far. Candidates are sentences of a few forms about the objects of the set, the variables that point to objects, and the arrays
//! that hold a field of each object:
//!
//! - a pointer is null, or points to the start of an object of the set; so does a field of every object of the set;
//! - no field points to where a variable points, and no two objects point to the same one (each is owned once: who frees one
//!   leaves no pointer to it);
//! - a field points to an older object, or a newer one, and none of the set is between the two; the set ends where a variable
//!   points. So a list that was made in order, and is freed in order, has nothing left in the end;
//! - a second field of where the first points, points back;
//! - an object has as many bytes as a number of the program says (`sizes.rs`);
//! - what a target demands of an object that a variable points to, of every object of the set.
//!
//! A candidate is a formula about up to two objects, the variables [`Objects::chosen`]: it is claimed of all. What is proved is
//! proved of the chosen ones, from instances at the places where arrays are read and written. A model that refutes one
//! candidate mostly refutes many: all that fail in it are dropped (Houdini).

use super::cuts::{Arrival, Check, Cut, Steps};
use super::{Formulas, Settings};
use crate::limits::houdini::{IN_VAIN, SIFT_TIME};
use cfa::{Loc, Op, Program, Var};
use encode::Oracle;
use encode::state::evaluate_term;
use engine::{Cx, Event, Stop};
use flow::wto::Wto;
use std::collections::{BTreeMap, BTreeSet};
use term::normal::conjuncts;
use term::{Op as TermOp, Sort, Store, Term, Value, walk};

pub(super) struct Objects<'a> {
    pub(super) program: &'a Program,
    settings: Settings,
    /// Objects that stand for all.
    chosen: [Term; 2],
    /// What is known without them: at heads, and where it is assumed.
    known: Formulas,
    entry: Loc,
}

/// What there is to speak about.
struct Vocabulary {
    /// Where numbers of objects come from, and the first one.
    counters: Vec<(Var, Option<Term>)>,
    /// Numbers that the program compares with: where those of a class end.
    limits: Vec<Term>,
    /// Which objects live, or are on the heap.
    tables: Vec<Var>,
    sets: Vec<Set>,
    /// A pointer for each object.
    fields: Vec<Var>,
    pointers: Vec<Var>,
}

/// Objects of interest.
#[derive(Clone)]
enum Set {
    Table(Var),
    /// Those that have got a number so far, and those that have a fixed one.
    Made {
        first: Term,
        counter: Var,
        fixed: Vec<Term>,
    },
}

/// Candidates by how much they ask for: those of a later stage are tried where the earlier ones do not suffice.
type Stages = [Vec<Term>; 3];
/// Where pointers point, and what is there.
const VALID: usize = 0;
/// Who points where.
const OWNED: usize = 1;
/// Which objects are older.
const ORDERED: usize = 2;

/// The candidates that are inductive together, and exclude all targets.
pub(super) fn prove(
    mut objects: Objects<'_>,
    cuts: &[Cut],
    candidates: BTreeMap<Loc, Stages>,
    oracle: &mut Oracle,
    cx: &mut Cx,
) -> Result<Option<BTreeMap<Loc, Term>>, Stop> {
    let count = |formulas: &Formulas| formulas.values().map(Vec::len).sum::<usize>();
    for stage in [VALID, OWNED, ORDERED] {
        // What was dropped before may rest on what is new.
        let mut new = Formulas::new();
        for (head, stages) in &candidates {
            let known = objects.known.get(head);
            let is_open = |t: &&Term| !known.is_some_and(|known| known.contains(t));
            new.insert(*head, stages[..=stage].iter().flatten().filter(is_open).copied().collect());
        }
        cx.tell(Event::Note(format!("{} candidates about objects", count(&new))));
        let mut about = About { objects: &objects, cuts, oracle, sifts: true };
        let left = infer::houdini(&mut Steps { check: &mut about, cx }, new)?;
        cx.tell(Event::Note(format!("{} of them are not refuted", count(&left))));
        if let Some(needed) = objects.needed(cuts, left.clone(), oracle, cx)? {
            let closed = |(head, facts): (Loc, BTreeSet<Term>)| (head, objects.closed(&mut cx.terms, &facts));
            return Ok(Some(needed.into_iter().map(closed).collect()));
        }
        if stage == ORDERED {
            break;
        }
        let mut about = About { objects: &objects, cuts, oracle, sifts: false };
        let proven = infer::houdini(&mut Steps { check: &mut about, cx }, left)?;
        cx.tell(Event::Note(format!("{} of them are inductive", count(&proven))));
        for (head, facts) in proven {
            objects.known.entry(head).or_default().extend(facts);
        }
    }
    Ok(None)
}

/// Questions about objects.
struct About<'a, 'p> {
    objects: &'a Objects<'p>,
    cuts: &'a [Cut],
    oracle: &'a mut Oracle,
    /// Whether only those fail that fail in a model that is soon found.
    sifts: bool,
}

impl Check for About<'_, '_> {
    fn cuts(&self) -> &[Cut] {
        self.cuts
    }

    fn failing(
        &mut self,
        cut: usize,
        head: Loc,
        wanted: &[Term],
        candidates: &Formulas,
        cx: &mut Cx,
    ) -> Result<Vec<Term>, Stop> {
        let cut = &self.cuts[cut];
        let facts = self.objects.assumed(cut, candidates);
        self.objects.failing(&cut.heads[&head], &facts, wanted, self.oracle, self.sifts, cx)
    }
}

impl<'a> Objects<'a> {
    /// `None` if objects have a bound.
    pub(super) fn new(
        program: &'a Program,
        known: Formulas,
        settings: Settings,
        terms: &mut Store,
    ) -> Option<Objects<'a>> {
        let sort = program.machine.object_sort();
        let chosen = [terms.fresh("object", sort), terms.fresh("object", sort)];
        let entry = program.main().entry;
        program.machine.is_unbounded().then_some(Objects { program, settings, chosen, known, entry })
    }

    /// The formulas as invariants: what is claimed of the chosen objects holds of all.
    fn closed(&self, terms: &mut Store, formulas: &BTreeSet<Term>) -> Term {
        let mut parts = Vec::new();
        for bound in [&[][..], &self.chosen[..1], &self.chosen[..]] {
            for &formula in formulas.iter().filter(|f| self.bound(terms, **f) == bound).collect::<Vec<_>>() {
                parts.push(if bound.is_empty() { formula } else { terms.forall(bound, formula) });
            }
        }
        terms.and_all(&parts)
    }

    /// Of how many objects the formula speaks.
    fn bound(&self, terms: &Store, formula: Term) -> &[Term] {
        let free = walk::free_vars(terms, &[formula]);
        match (free.contains(&self.chosen[0]), free.contains(&self.chosen[1])) {
            (_, true) => &self.chosen,
            (true, false) => &self.chosen[..1],
            (false, false) => &[],
        }
    }

    /// What may hold at the heads. `preconditions` are what targets want of single objects.
    pub(super) fn candidates(&self, wto: &Wto, preconditions: &Formulas, terms: &mut Store) -> BTreeMap<Loc, Stages> {
        let words = self.vocabulary(terms);
        let live = flow::live_at_heads(self.program, wto);
        let mut found = BTreeMap::new();
        for head in wto.heads() {
            let mut here = Stages::default();
            let pointers: Vec<Var> = words.pointers.iter().copied().filter(|v| live[head].contains(v)).collect();
            self.about_tables(&words, terms, &mut here);
            for &p in &pointers {
                self.about_pointer(&words, p, terms, &mut here);
            }
            for set in &words.sets {
                for &field in &words.fields {
                    self.about_field(&words, set, field, &pointers, terms, &mut here);
                }
                for precondition in preconditions.values().flatten() {
                    self.of_precondition(&words, set, *precondition, terms, &mut here);
                }
            }
            let counters: Vec<Var> = words.counters.iter().map(|(counter, _)| *counter).collect();
            here[VALID].extend(self.about_sizes(&counters, &pointers, &live[head], terms));
            let mut seen = BTreeSet::new();
            for stage in &mut here {
                stage.retain(|t| terms.as_bool_const(*t).is_none() && seen.insert(*t));
                stage.truncate(self.settings.about_objects);
            }
            found.insert(head, here);
        }
        found
    }

    fn vocabulary(&self, terms: &mut Store) -> Vocabulary {
        let (program, machine) = (self.program, self.program.machine);
        let main = program.main();
        let roots: Vec<Term> = main.edges.values().flat_map(|e| e.op.terms()).collect();
        let parts = walk::postorder(terms, &roots);
        let known: BTreeSet<Term> = parts.iter().copied().collect();
        let is_used = |var: &Var| known.contains(&program.term(*var));
        let used: Vec<Var> = program.vars.ids().filter(is_used).collect();
        let of_sort = |sort: Sort| used.iter().copied().filter(move |v| program.vars[*v].sort == sort);
        let (number, pointer) = (machine.object_sort(), machine.pointer_sort());
        let assigned =
            || main.edges.values().filter_map(|e| if let Op::Assign(pairs) = &e.op { Some(pairs) } else { None });
        let mut counters = Vec::new();
        for counter in of_sort(number) {
            let own = program.term(counter);
            let values = || assigned().flatten().filter(|(var, _)| *var == counter).map(|(_, value)| *value);
            if values().any(|value| terms.op(value) == TermOp::BvAdd && terms.args(value).contains(&own)) {
                counters.push((counter, values().find(|value| terms.is_const(*value))));
            }
        }
        let tables: Vec<Var> = of_sort(Sort::array(number, Sort::Bool)).collect();
        let ends = |table: &Var| {
            let stores =
                assigned().flatten().filter(|(var, _)| var == table).flat_map(|(_, v)| walk::postorder(terms, &[*v]));
            stores
                .into_iter()
                .any(|t| terms.op(t) == TermOp::Store && terms.as_bool_const(terms.arg(t, 2)) == Some(false))
        };
        let mut sets: Vec<Set> = tables.iter().copied().filter(ends).map(Set::Table).collect();
        if sets.is_empty() {
            let is_access = |t: &&Term| matches!(terms.op(**t), TermOp::Select | TermOp::Store);
            let places = parts.iter().filter(is_access).map(|t| terms.arg(*t, 1));
            let mut fixed: Vec<Term> = places.filter(|at| terms.is_const(*at) && terms.sort(*at) == number).collect();
            fixed.sort_unstable();
            fixed.dedup();
            let made = |(counter, first): &(Var, Option<Term>)| {
                Some(Set::Made { first: (*first)?, counter: *counter, fixed: fixed.clone() })
            };
            sets = counters.iter().filter_map(made).collect();
        }
        let compared = parts.iter().filter(|t| terms.op(**t) == TermOp::Eq).flat_map(|t| terms.args(*t)).copied();
        let mut limits: Vec<Term> = compared.filter(|t| terms.is_const(*t) && terms.sort(*t) == number).collect();
        limits.sort_unstable();
        limits.dedup();
        Vocabulary {
            counters,
            limits,
            sets,
            fields: of_sort(Sort::array(number, pointer)).collect(),
            pointers: of_sort(pointer).collect(),
            tables,
        }
    }

    fn contains(&self, set: &Set, number: Term, terms: &mut Store) -> Term {
        match set {
            Set::Table(table) => terms.select(self.program.term(*table), number),
            Set::Made { first, counter, fixed } => {
                let (from, to) = (terms.ule(*first, number), terms.ult(number, self.program.term(*counter)));
                let mut found = terms.and(from, to);
                for &other in fixed {
                    let is_other = terms.eq(number, other);
                    found = terms.or(found, is_other);
                }
                found
            }
        }
    }

    pub(super) fn null(&self, terms: &mut Store) -> Term {
        terms.bv(0, self.program.machine.pointer_bits())
    }

    fn at_start(&self, pointer: Term, terms: &mut Store) -> Term {
        let offset = terms.extract(pointer, self.program.machine.offset_bits - 1, 0);
        let zero = terms.bv(0, self.program.machine.offset_bits);
        terms.eq(offset, zero)
    }

    pub(super) fn object_of(&self, pointer: Term, terms: &mut Store) -> Term {
        self.program.machine.object_of(terms, pointer)
    }

    /// Objects that live were made, and so on.
    fn about_tables(&self, words: &Vocabulary, terms: &mut Store, found: &mut Stages) {
        let found = &mut found[VALID];
        let o = self.chosen[0];
        let none = terms.bv(0, terms.width(o));
        for &table in &words.tables {
            let table = self.program.term(table);
            let is_in = terms.select(table, o);
            let never = terms.select(table, none);
            found.push(terms.not(never));
            for &(counter, _) in &words.counters {
                let made = terms.ult(o, self.program.term(counter));
                found.push(terms.implies(is_in, made));
            }
            for &other in &words.tables {
                let there = terms.select(self.program.term(other), o);
                found.push(terms.implies(is_in, there));
            }
        }
        for (counter, first) in &words.counters {
            let counter = self.program.term(*counter);
            found.extend(first.map(|first| terms.ule(first, counter)));
            found.extend(words.limits.iter().map(|limit| terms.ule(counter, *limit)).collect::<Vec<_>>());
        }
    }

    fn about_pointer(&self, words: &Vocabulary, p: Var, terms: &mut Store, found: &mut Stages) {
        let [found, _, ordered] = found;
        let (p, null, o) = (self.program.term(p), self.null(terms), self.chosen[0]);
        let (is_null, number) = (terms.eq(p, null), self.object_of(p, terms));
        found.push(self.at_start(p, terms));
        found.push(terms.not(is_null));
        for &(counter, _) in &words.counters {
            found.push(terms.ult(number, self.program.term(counter)));
        }
        for set in &words.sets {
            let is_in = self.contains(set, number, terms);
            found.push(is_in);
            found.push(terms.or(is_null, is_in));
            let chosen = self.contains(set, o, terms);
            let (last, first) = (terms.ule(o, number), terms.ule(number, o));
            let there_is_one = terms.not(is_null);
            for claim in [last, first, there_is_one] {
                ordered.push(terms.implies(chosen, claim));
            }
        }
    }

    fn about_field(
        &self,
        words: &Vocabulary,
        set: &Set,
        field: Var,
        pointers: &[Var],
        terms: &mut Store,
        found: &mut Stages,
    ) {
        let [found, owned, ordered] = found;
        let [o, other] = self.chosen;
        let (array, null) = (self.program.term(field), self.null(terms));
        let (is_in, other_is_in) = (self.contains(set, o, terms), self.contains(set, other, terms));
        let next = terms.select(array, o);
        let (number, ends) = (self.object_of(next, terms), terms.eq(next, null));
        let (older, newer) = (terms.ult(number, o), terms.ult(o, number));
        let starts = self.at_start(next, terms);
        found.push(terms.implies(is_in, starts));
        for others in &words.sets {
            let is_other = self.contains(others, number, terms);
            let claim = terms.or(ends, is_other);
            found.extend([is_other, claim].map(|claim| terms.implies(is_in, claim)));
        }
        let claims = [terms.or(ends, older), terms.or(ends, newer)];
        ordered.extend(claims.map(|claim| terms.implies(is_in, claim)));
        for &(counter, _) in &words.counters {
            let made = terms.ult(number, self.program.term(counter));
            found.push(terms.implies(is_in, made));
        }
        for &p in pointers {
            let p = self.program.term(p);
            let (is_null, meets) = (terms.eq(p, null), terms.eq(next, p));
            let apart = terms.not(meets);
            let apart = terms.or(is_null, apart);
            owned.push(terms.implies(is_in, apart));
            let at = self.object_of(p, terms);
            let there = terms.select(array, at);
            found.push(terms.eq(there, null));
        }
        let zero = terms.bv(0, self.program.machine.offset_bits);
        let own = terms.concat(o, zero);
        for &back in words.fields.iter().filter(|back| **back != field) {
            let back = terms.select(self.program.term(back), number);
            let returns = terms.eq(back, own);
            let claim = terms.or(ends, returns);
            found.push(terms.implies(is_in, claim));
        }
        // Two objects.
        let both = terms.and(is_in, other_is_in);
        let next_of_other = terms.select(array, other);
        let (meet, same) = (terms.eq(next, next_of_other), terms.eq(o, other));
        let apart = terms.not(meet);
        let owned_once = terms.or_all(&[apart, ends, same]);
        owned.push(terms.implies(both, owned_once));
        let (lower, higher) = (terms.ult(other, o), terms.ult(o, other));
        let (none_below, none_above) = (terms.ule(other, number), terms.ule(number, other));
        let goes_on = terms.not(ends);
        let none_above = terms.and(goes_on, none_above);
        for (side, claim) in [(lower, none_below), (higher, none_above)] {
            let claim = terms.implies(side, claim);
            ordered.push(terms.implies(both, claim));
        }
    }

    /// What is wanted of where a variable points, for every object.
    fn of_precondition(
        &self,
        words: &Vocabulary,
        set: &Set,
        precondition: Term,
        terms: &mut Store,
        found: &mut Stages,
    ) {
        let o = self.chosen[0];
        let zero = terms.bv(0, self.program.machine.offset_bits);
        let start = terms.concat(o, zero);
        for &p in &words.pointers {
            let p = self.program.term(p);
            if !walk::mentions(terms, precondition, p) {
                continue;
            }
            let wanted = term::substitute(terms, precondition, &[(p, start)]);
            let is_read = |t: &Term| terms.op(*t) == TermOp::Select && terms.arg(*t, 1) == o;
            if walk::postorder(terms, &[wanted]).iter().any(is_read) {
                let is_in = self.contains(set, o, terms);
                found[VALID].push(terms.implies(is_in, wanted));
            }
        }
    }

    fn assumed(&self, cut: &Cut, formulas: &Formulas) -> Vec<Term> {
        super::assumed(self.entry, cut, &self.known, formulas)
    }

    /// The candidates that do not follow where a cut ends.
    fn failing(
        &self,
        arrival: &Arrival,
        facts: &[Term],
        wanted: &[Term],
        oracle: &mut Oracle,
        sifts: bool,
        cx: &mut Cx,
    ) -> Result<Vec<Term>, Stop> {
        let goals: Vec<Term> =
            wanted.iter().map(|c| evaluate_term(self.program, &mut cx.terms, &arrival.state, *c)).collect();
        let names: Vec<Term> = goals.iter().map(|_| cx.terms.fresh("goal", Sort::Bool)).collect();
        let mut roots = goals.clone();
        roots.push(arrival.guard);
        let mut asked: Vec<Term> =
            self.instances(facts, &roots, cx).into_iter().map(|(_, instance)| instance).collect();
        asked.push(arrival.guard);
        for (name, goal) in names.iter().zip(&goals) {
            asked.push(cx.terms.eq(*name, *goal));
        }
        let mut open: Vec<usize> = (0..wanted.len()).collect();
        let mut failing = Vec::new();
        oracle.patience = if sifts { SIFT_TIME } else { self.settings.target_time };
        let (mut parts, mut in_vain) = (Vec::new(), 0);
        loop {
            if open.is_empty() {
                match parts.pop() {
                    Some(part) => open = part,
                    None => break,
                }
            }
            let held: Vec<Term> = open.iter().map(|i| names[*i]).collect();
            let all = cx.terms.and_all(&held);
            let violated = cx.terms.not(all);
            asked.push(violated);
            let answer = self.ask(&asked, oracle, cx)?.0;
            asked.pop();
            match answer {
                Some(false) => open.clear(),
                // Too much at once: what fails is looked for in parts, and what nobody decides soon stays.
                None if sifts => {
                    in_vain += 1;
                    let rest = open.split_off(open.len() / 2);
                    if in_vain >= IN_VAIN || open.is_empty() {
                        break;
                    }
                    parts.push(rest);
                }
                Some(true) => {
                    let model = oracle.model(cx, &held)?;
                    let fails = |i: &usize| model.get(names[*i]) == Some(&Value::Bool(false));
                    let lost: Vec<usize> = open.iter().copied().filter(fails).collect();
                    open.retain(|i| !lost.contains(i));
                    failing.extend(lost.iter().map(|i| wanted[*i]));
                    if lost.is_empty() {
                        failing.extend(open.drain(..).map(|i| wanted[i]));
                    }
                }
                None => {
                    // Too much at once: those that are hard are dropped.
                    oracle.patience = self.settings.candidate_time;
                    for i in open.drain(..) {
                        let not = cx.terms.not(names[i]);
                        asked.push(not);
                        if self.ask(&asked, oracle, cx)?.0 != Some(false) {
                            failing.push(wanted[i]);
                        }
                        asked.pop();
                    }
                }
            }
        }
        Ok(failing)
    }

    /// What the facts say of the objects at which the roots read and write, and of the chosen ones; with the fact that says it.
    fn instances(&self, facts: &[Term], roots: &[Term], cx: &mut Cx) -> Vec<(Term, Term)> {
        let terms = &mut cx.terms;
        let sort = self.program.machine.object_sort();
        let mut places: Vec<Term> = self.chosen.to_vec();
        for t in walk::postorder(terms, roots) {
            if matches!(terms.op(t), TermOp::Select | TermOp::Store) && terms.sort(terms.arg(t, 1)) == sort {
                places.push(terms.arg(t, 1));
            }
        }
        let mut seen = BTreeSet::new();
        places.retain(|t| seen.insert(*t));
        places.truncate(self.settings.places);
        let mut near = places.clone();
        near.sort_by_key(|t| walk::dag_size(terms, &[*t]));
        near.truncate(self.settings.pairs);
        let mut found = Vec::new();
        for &fact in facts {
            match self.bound(terms, fact).len() {
                0 => found.push((fact, fact)),
                1 => {
                    for &place in &places {
                        found.push((fact, term::substitute(terms, fact, &[(self.chosen[0], place)])));
                    }
                }
                _ => {
                    for (&one, &other) in near.iter().flat_map(|one| near.iter().map(move |other| (one, other))) {
                        let pair = [(self.chosen[0], one), (self.chosen[1], other)];
                        found.push((fact, term::substitute(terms, fact, &pair)));
                    }
                }
            }
        }
        found.retain(|(_, instance)| terms.as_bool_const(*instance) != Some(true));
        found
    }

    /// The facts whose instances exclude it, if they do.
    fn refutation(
        &self,
        facts: &[Term],
        bad: &[Term],
        oracle: &mut Oracle,
        cx: &mut Cx,
    ) -> Result<Option<BTreeSet<Term>>, Stop> {
        let instances = self.instances(facts, bad, cx);
        let mut asked: Vec<Term> = instances.iter().map(|(_, instance)| *instance).collect();
        asked.extend(bad.iter().flat_map(|b| conjuncts(&cx.terms, *b)));
        let (answer, asked) = self.ask(&asked, oracle, cx)?;
        if answer != Some(false) {
            return Ok(None);
        }
        let used = match oracle.core() {
            Some(core) => {
                let is_used = |((_, _), asked): &(&(Term, Term), &Term)| core.contains(asked);
                instances.iter().zip(&asked).filter(is_used).map(|((fact, _), _)| *fact).collect()
            }
            None => facts.iter().copied().collect(),
        };
        Ok(Some(used))
    }

    /// Whether the conjunction has a model, and as what it was asked: numbers of objects need few bits.
    fn ask(&self, conjunction: &[Term], oracle: &mut Oracle, cx: &mut Cx) -> Result<(Option<bool>, Vec<Term>), Stop> {
        let bits = self.program.machine.object_bits;
        let narrow = smt::object_numbers::narrowed(&mut cx.terms, conjunction, bits);
        let asked = narrow.unwrap_or_else(|| conjunction.to_vec());
        Ok((oracle.sat(cx, &asked)?, asked))
    }

    /// What the proof uses, if there is one: what excludes the targets, and what that follows from, backwards. Of the candidates only those are proved that
    /// are needed; where one of these fails it is dropped, and the targets are asked about again.
    fn needed(
        &self,
        cuts: &[Cut],
        mut left: Formulas,
        oracle: &mut Oracle,
        cx: &mut Cx,
    ) -> Result<Option<BTreeMap<Loc, BTreeSet<Term>>>, Stop> {
        oracle.patience = self.settings.target_time;
        let mut shown = Shown::new();
        loop {
            match self.attempt(cuts, &left, &mut shown, oracle, cx)? {
                Attempt::Proved(needed) => return Ok(Some(needed)),
                Attempt::Open(target) => {
                    let place = self.program.sources.place(self.program.main().locs[target].span);
                    cx.tell(Event::Note(format!("what holds of objects does not exclude that {place} is reached")));
                    return Ok(None);
                }
                Attempt::Fails(head, candidate) => {
                    let text = term::smtlib::print_term(&cx.terms, candidate);
                    cx.tell(Event::Detail(format!("needed at {head}, and not kept: {text}")));
                    left.entry(head).or_default().retain(|other| *other != candidate);
                }
            }
        }
    }

    fn attempt(
        &self,
        cuts: &[Cut],
        left: &Formulas,
        shown: &mut Shown,
        oracle: &mut Oracle,
        cx: &mut Cx,
    ) -> Result<Attempt, Stop> {
        let mut needed: BTreeMap<Loc, BTreeSet<Term>> = BTreeMap::new();
        let mut todo: Vec<(Loc, Term)> = Vec::new();
        let mut add = |at: Loc, used: &BTreeSet<Term>, todo: &mut Vec<(Loc, Term)>| {
            let here = needed.entry(at).or_default();
            todo.extend(used.iter().filter(|fact| here.insert(**fact)).map(|fact| (at, *fact)));
        };
        for (i, cut) in cuts.iter().enumerate() {
            let facts = self.assumed(cut, left);
            for (target, guard) in &cut.targets {
                let Some(used) = self.shown(shown, (i, *guard), &facts, &[*guard], oracle, cx)? else {
                    return Ok(Attempt::Open(*target));
                };
                add(cut.start, &used, &mut todo);
            }
        }
        while let Some((head, fact)) = todo.pop() {
            for (i, cut) in cuts.iter().enumerate() {
                let Some(arrival) = cut.heads.get(&head) else { continue };
                let goal = evaluate_term(self.program, &mut cx.terms, &arrival.state, fact);
                let not = cx.terms.not(goal);
                if cx.terms.as_bool_const(not) == Some(false) {
                    continue;
                }
                let facts = self.assumed(cut, left);
                let bad = cx.terms.and(arrival.guard, not);
                match self.shown(shown, (i, bad), &facts, &[arrival.guard, not], oracle, cx)? {
                    Some(used) => add(cut.start, &used, &mut todo),
                    None if left.get(&head).is_some_and(|left| left.contains(&fact)) => {
                        return Ok(Attempt::Fails(head, fact));
                    }
                    // It was proved from more.
                    None => add(cut.start, &facts.into_iter().collect(), &mut todo),
                }
            }
        }
        Ok(Attempt::Proved(needed))
    }

    /// The facts that exclude it, if they do; what was shown before stays so as long as there is all that it follows from.
    fn shown(
        &self,
        shown: &mut Shown,
        what: (usize, Term),
        facts: &[Term],
        bad: &[Term],
        oracle: &mut Oracle,
        cx: &mut Cx,
    ) -> Result<Option<BTreeSet<Term>>, Stop> {
        if let Some(used) = shown.get(&what).filter(|used| used.iter().all(|fact| facts.contains(fact))) {
            return Ok(Some(used.clone()));
        }
        let used = self.refutation(facts, bad, oracle, cx)?;
        shown.extend(used.iter().map(|used| (what, used.clone())));
        Ok(used)
    }
}

/// From which facts something follows at a cut.
type Shown = BTreeMap<(usize, Term), BTreeSet<Term>>;

enum Attempt {
    Proved(BTreeMap<Loc, BTreeSet<Term>>),
    /// A target that is not excluded.
    Open(Loc),
    /// A candidate that is needed, and does not follow.
    Fails(Loc, Term),
}
