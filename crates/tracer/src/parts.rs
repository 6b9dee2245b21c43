//! Interpolants as lists of small formulas, and how they are pulled back over an edge.
//!
//! The interpolant of a node is the conjunction of its *parts*, formulas over the program's variables that all hold in the
//! node's state. It may replace the state because it says all that the tree below needs: every execution from a state that
//! satisfies it is safe, or comes to a loop head in a state that the tree covers. Each part names what it is needed for by
//! *tags*: safety, or a fact that a loop head wants to see again. When a head gives up a fact its tag dies, and so
//! do parts that served nothing else.
//!
//! Over an edge a part is replaced by something that implies its weakest liberal precondition and still holds in the state
//! before: the part itself where the guard does not matter (asked from the solver, one question each at most), the
//! implication otherwise; the substituted part for an assignment; the part without the variable for a havoc, by quantifier
//! elimination. Where a part grows too large, the constants of the state that imply it take its place.

use crate::ask::{Ask, Model, holds};
use crate::limits::parts::{MAX_PART, MAX_PARTS};
use cfa::{Loc, Op, Program};
use encode::State;
use encode::eliminate::eliminate;
use encode::state::evaluate_term;
use engine::{Cx, Stop};
use indexmap::IndexMap;
use smallvec::SmallVec;
use term::normal::conjuncts;
use term::{Store, Term, substitute, walk};

/// What a part is needed for.
pub(crate) type Tag = u32;
/// That no target is reached. Never dies.
pub(crate) const SAFETY: Tag = 0;
pub(crate) type Tags = SmallVec<[Tag; 2]>;

/// Which tags are alive.
#[derive(Default)]
pub(crate) struct Tagged {
    dead: Vec<bool>,
}

impl Tagged {
    pub(crate) fn fresh(&mut self) -> Tag {
        if self.dead.is_empty() {
            self.dead.push(false);
        }
        self.dead.push(false);
        (self.dead.len() - 1) as Tag
    }

    pub(crate) fn kill(&mut self, tag: Tag) {
        self.dead[tag as usize] = true;
    }

    pub(crate) fn is_alive(&self, tag: Tag) -> bool {
        tag == SAFETY || !self.dead[tag as usize]
    }

    pub(crate) fn is_needed(&self, tags: &Tags) -> bool {
        tags.iter().any(|tag| self.is_alive(*tag))
    }
}

/// A conjunction of tagged formulas.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parts {
    parts: IndexMap<Term, Tags>,
}

impl Parts {
    /// Adds the conjuncts of `formula`.
    pub(crate) fn add(&mut self, terms: &Store, formula: Term, tags: &Tags) {
        for part in conjuncts(terms, formula) {
            if terms.as_bool_const(part) == Some(true) {
                continue;
            }
            let known = self.parts.entry(part).or_default();
            for tag in tags {
                if let Err(place) = known.binary_search(tag) {
                    known.insert(place, *tag);
                }
            }
        }
    }

    pub(crate) fn add_all(&mut self, terms: &Store, other: &Parts) {
        for (part, tags) in &other.parts {
            self.add(terms, *part, tags);
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (Term, &Tags)> {
        self.parts.iter().map(|(part, tags)| (*part, tags))
    }

    pub(crate) fn is_too_large(&self) -> bool {
        self.parts.len() > MAX_PARTS
    }

    /// The parts that are still needed.
    pub(crate) fn needed(&self, tagged: &Tagged) -> Parts {
        Parts {
            parts: self.parts.iter().filter(|(_, tags)| tagged.is_needed(tags)).map(|(p, t)| (*p, t.clone())).collect(),
        }
    }

    /// The conjunction of what is needed.
    pub(crate) fn formula(&self, terms: &mut Store, tagged: &Tagged) -> Term {
        let needed: Vec<Term> = self.iter().filter(|(_, tags)| tagged.is_needed(tags)).map(|(part, _)| part).collect();
        terms.and_all(&needed)
    }
}

/// The state in which an edge starts.
pub(crate) struct Before<'a> {
    pub(crate) program: &'a Program,
    pub(crate) state: &'a State,
    /// The path condition.
    pub(crate) path: &'a [Term],
    pub(crate) model: Option<&'a Model>,
}

/// A location that was reached.
pub(crate) struct Arrival<'a> {
    pub(crate) loc: Loc,
    pub(crate) state: &'a State,
    /// From where on the path condition is that of the state.
    pub(crate) start: usize,
    pub(crate) model: Option<&'a Model>,
}

impl<'a> Arrival<'a> {
    pub(crate) fn before<'b>(&self, program: &'b Program, path: &'b [Term]) -> Before<'b>
    where
        'a: 'b,
    {
        Before { program, state: self.state, path: &path[self.start..], model: self.model }
    }
}

impl Before<'_> {
    /// Whether the condition holds in the state. `false`: no, or not known.
    pub(crate) fn entails(&self, ask: &mut Ask, cx: &mut Cx, condition: Term) -> Result<bool, Stop> {
        let value = evaluate_term(self.program, &mut cx.terms, self.state, condition);
        self.holds(ask, cx, value)
    }

    /// [`Before::entails`] for a condition over the symbols of the state.
    fn holds(&self, ask: &mut Ask, cx: &mut Cx, value: Term) -> Result<bool, Stop> {
        if let Some(known) = cx.terms.as_bool_const(value) {
            return Ok(known);
        }
        if self.model.is_some_and(|model| holds(&cx.terms, model, value) == Some(false)) {
            return Ok(false);
        }
        let wrong = cx.terms.not(value);
        ask.refuted(cx, self.path, &[wrong])
    }

    /// Whether all the parts hold in the state.
    pub(crate) fn entails_all(&self, ask: &mut Ask, cx: &mut Cx, parts: &[Term]) -> Result<Result<(), usize>, Stop> {
        let mut open = Vec::new();
        for (i, part) in parts.iter().enumerate() {
            let value = evaluate_term(self.program, &mut cx.terms, self.state, *part);
            match cx.terms.as_bool_const(value) {
                Some(true) => continue,
                Some(false) => return Ok(Err(i)),
                None => {}
            }
            if self.model.is_some_and(|model| holds(&cx.terms, model, value) == Some(false)) {
                return Ok(Err(i));
            }
            open.push((i, value));
        }
        for (i, value) in open {
            let wrong = cx.terms.not(value);
            if !ask.refuted(cx, self.path, &[wrong])? {
                return Ok(Err(i));
            }
        }
        Ok(Ok(()))
    }

    /// The parts before the edge; `None` if one cannot be expressed.
    pub(crate) fn pull(&self, ask: &mut Ask, cx: &mut Cx, op: &Op, parts: &Parts) -> Result<Option<Parts>, Stop> {
        let mut pulled = Parts::default();
        match op {
            Op::Assume(guard) => {
                let taken = evaluate_term(self.program, &mut cx.terms, self.state, *guard);
                let certain = cx.terms.as_bool_const(taken) == Some(true);
                for (part, tags) in parts.iter() {
                    let before = if certain || self.entails(ask, cx, part)? {
                        part
                    } else {
                        let wrong = cx.terms.not(part);
                        if ask.refuted(cx, &[], &[*guard, wrong])? {
                            continue;
                        }
                        cx.terms.implies(*guard, part)
                    };
                    if !self.put(cx, &mut pulled, before, tags) {
                        return Ok(None);
                    }
                }
            }
            Op::Assign(pairs) => {
                let map: Vec<(Term, Term)> = pairs.iter().map(|(v, t)| (self.program.term(*v), *t)).collect();
                for (part, tags) in parts.iter() {
                    let symbols = ask.symbols(&cx.terms, part);
                    let changed = map.iter().any(|(v, _)| symbols.binary_search(v).is_ok());
                    let before = if changed { substitute(&mut cx.terms, part, &map) } else { part };
                    if !self.put(cx, &mut pulled, before, tags) {
                        return Ok(None);
                    }
                }
            }
            Op::Havoc { vars, .. } => {
                let vars: Vec<Term> = vars.iter().map(|v| self.program.term(*v)).collect();
                for (part, tags) in parts.iter() {
                    let symbols = ask.symbols(&cx.terms, part);
                    let mut before = part;
                    if vars.iter().any(|v| symbols.binary_search(v).is_ok()) {
                        let Some(general) = for_all(self.program, &mut cx.terms, &vars, part) else { return Ok(None) };
                        before = general;
                    }
                    if !self.put(cx, &mut pulled, before, tags) {
                        return Ok(None);
                    }
                }
            }
            _ => unreachable!("engines work on flat programs: {op:?}"),
        }
        Ok((!pulled.is_too_large()).then_some(pulled))
    }

    /// Adds a part that holds in the state, or constants that imply it if it is large. Says whether that was possible.
    fn put(&self, cx: &mut Cx, parts: &mut Parts, part: Term, tags: &Tags) -> bool {
        if walk::dag_size_within(&cx.terms, part, MAX_PART).is_some() {
            parts.add(&cx.terms, part, tags);
            return true;
        }
        let mut constants = Vec::new();
        for symbol in term::free_vars(&cx.terms, &[part]) {
            let Some(var) = self.program.var_of(symbol) else { return false };
            let value = self.state.term(&mut cx.terms, var);
            if cx.terms.is_const(value) {
                constants.push((symbol, value));
            }
        }
        let rest = substitute(&mut cx.terms, part, &constants);
        if walk::dag_size_within(&cx.terms, rest, MAX_PART).is_none() {
            return false;
        }
        for (symbol, value) in constants {
            let equal = cx.terms.eq(symbol, value);
            parts.add(&cx.terms, equal, tags);
        }
        parts.add(&cx.terms, rest, tags);
        true
    }
}

/// `∀ vars. formula` over the program's variables, if it can be expressed.
pub(crate) fn for_all(program: &Program, terms: &mut Store, vars: &[Term], formula: Term) -> Option<Term> {
    let wrong = term::normal::negate(terms, formula);
    let some = eliminate(terms, wrong, vars);
    let free = term::free_vars(terms, &[some]);
    let expressible = free.iter().all(|t| program.var_of(*t).is_some() && !vars.contains(t));
    expressible.then(|| term::normal::negate(terms, some))
}
