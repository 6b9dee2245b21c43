//! Closed forms: what variables hold after `n` iterations, as functions of what they held before (Kroening et al. 2015, section 3.1).
//!
//! Recurrences are matched first (3.1.1, equation 1): a variable that grows by `β + γ·j` in iteration `j` holds
//! `x + β·n + γ·n(n-1)/2`, where β and γ are terms over the values before the loop. A variable that is set to an
//! expression over others holds that expression one iteration earlier. What is left is guessed as a polynomial from
//! `2k + 2` runs of the path (3.1.2; see `fit`). All arithmetic is modulo the width, as the program's is: a closed form needs
//! no assumption about overflow. Every form is proved by induction with the solver; what fails has no form.

use crate::always::{COUNT, TRIANGLE, to_width, triangle};
use crate::body::Body;
use crate::fit;
use crate::prove::Prover;
use cfa::{Program, Var};
use engine::Stop;
use std::collections::{BTreeMap, BTreeSet};
use term::{Sort, Store, Substitution, Term};

/// What a variable holds after `n` iterations.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Form {
    /// `x + step·n + curve·n(n-1)/2`
    Polynomial { step: Term, curve: Term },
    /// The term over the values of the iteration before; for `n = 0` what it was.
    Previous(Term),
}

/// The closed forms of one path.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forms {
    pub of: BTreeMap<Var, Form>,
    /// Variables that change but have none.
    pub without: BTreeSet<Var>,
}

/// The iteration that values are asked for, with the sum of the numbers below it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Count {
    pub j: Term,
    sum: Term,
    /// The iteration that this one comes right after, in proofs: products with `j` are then spelled `x·before + x`.
    after: Option<Term>,
}

impl Count {
    pub(crate) fn new(terms: &mut Store, j: Term) -> Count {
        Count { j, sum: triangle(terms, j), after: None }
    }
}

impl Forms {
    /// The forms of all scalars that the path changes, each proved.
    pub(crate) fn find(
        program: &Program,
        terms: &mut Store,
        body: &Body,
        prover: &mut Prover<'_>,
    ) -> Result<Forms, Stop> {
        let scalars: Vec<Var> =
            body.updates.keys().copied().filter(|v| program.vars[*v].sort.as_array().is_none()).collect();
        let arrays: BTreeSet<Term> = body
            .updates
            .keys()
            .filter(|v| program.vars[**v].sort.as_array().is_some())
            .map(|v| program.term(*v))
            .collect();
        let mut forms = Forms { of: BTreeMap::new(), without: scalars.iter().copied().collect() };
        let j = terms.fresh("j", Sort::Bv(COUNT));
        loop {
            let mut progress = false;
            for &var in &scalars {
                if !forms.without.contains(&var) {
                    continue;
                }
                let reads = term::free_vars(terms, &[body.updates[&var]]);
                if reads.iter().any(|t| arrays.contains(t)) {
                    continue;
                }
                if let Some(form) = forms.recurrence(program, terms, body, var, &reads, j, prover)? {
                    forms.of.insert(var, form);
                    forms.without.remove(&var);
                    progress = true;
                }
            }
            if !progress {
                break;
            }
        }
        // Guesses may lean on each other: prove them together, and again without those that failed.
        let mut guesses = fit::polynomials(program, terms, body, &forms);
        while !guesses.is_empty() {
            let mut with = forms.clone();
            for (var, form) in &guesses {
                with.of.insert(*var, *form);
                with.without.remove(var);
            }
            let mut proved = Vec::new();
            for (var, form) in &guesses {
                if with.is_proved(program, terms, body, *var, j, prover)? {
                    proved.push((*var, *form));
                }
            }
            if proved.len() == guesses.len() {
                forms = with;
                break;
            }
            guesses = proved;
        }
        Ok(forms)
    }

    /// The form of one variable, if its update has the shape of equation 1 or mentions only what has a form.
    #[allow(clippy::too_many_arguments, reason = "the recurrence speaks of all of these")]
    fn recurrence(
        &self,
        program: &Program,
        terms: &mut Store,
        body: &Body,
        var: Var,
        reads: &[Term],
        j: Term,
        prover: &mut Prover<'_>,
    ) -> Result<Option<Form>, Stop> {
        let own = program.term(var);
        let update = body.updates[&var];
        let known = |t: &Term| program.var_of(*t).is_none_or(|v| v == var || !self.without.contains(&v));
        if !reads.iter().all(known) {
            return Ok(None);
        }
        if !reads.contains(&own) {
            return Ok(Some(Form::Previous(update)));
        }
        if program.vars[var].sort.bv_width().is_none() {
            return Ok(None);
        }
        let growth = terms.sub(update, own);
        let growth = term::simplify(terms, growth);
        if term::free_vars(terms, &[growth]).contains(&own) {
            return Ok(None);
        }
        // The growth in iterations 0, 1 and j: it has to change by the same amount each time.
        let (zero, one) = (terms.bv(0, COUNT), terms.bv(1, COUNT));
        let first = self.at(program, terms, growth, zero);
        let second = self.at(program, terms, growth, one);
        let curve = terms.sub(second, first);
        let curve = term::simplify(terms, curve);
        let form = Form::Polynomial { step: first, curve };
        let mut with = self.clone();
        with.of.insert(var, form);
        with.without.remove(&var);
        if with.is_proved(program, terms, body, var, j, prover)? {
            return Ok(Some(form));
        }
        Ok(None)
    }

    /// Induction (equation 4): the path takes the value after `j` iterations to the value after `j + 1`. That the form is right
    /// for none is clear from its shape.
    fn is_proved(
        &self,
        program: &Program,
        terms: &mut Store,
        body: &Body,
        var: Var,
        j: Term,
        prover: &mut Prover<'_>,
    ) -> Result<bool, Stop> {
        let reads = term::free_vars(terms, &[body.updates[&var]]);
        if reads.iter().filter_map(|t| program.var_of(*t)).any(|v| self.without.contains(&v)) {
            return Ok(false);
        }
        // The sum below j + 1 is the sum below j, and j. With that put in, the proof is about linear terms.
        let sum = terms.fresh("sum", Sort::Bv(TRIANGLE));
        let before = Count { j, sum, after: None };
        let one = terms.bv(1, COUNT);
        let wide = terms.zext_to(j, TRIANGLE);
        let after = Count { j: terms.add(j, one), sum: terms.add(sum, wide), after: Some(j) };
        let stepped = self.apply(program, terms, body.updates[&var], before);
        let claimed = self.value(program, terms, var, after);
        let last = terms.bv_signed(-1, COUNT);
        let more = terms.ne(j, last);
        let wrong = terms.ne(stepped, claimed);
        let refuted = terms.and(more, wrong);
        let refuted = term::simplify(terms, refuted);
        prover.is_unsat(terms, refuted)
    }

    /// What `var` holds after so many iterations.
    pub(crate) fn value(&self, program: &Program, terms: &mut Store, var: Var, count: Count) -> Term {
        let own = program.term(var);
        match self.of.get(&var) {
            None => own,
            Some(Form::Polynomial { step, curve }) => {
                let width = terms.width(own);
                let times = to_width(terms, count.after.unwrap_or(count.j), width);
                let mut way = terms.mul(*step, times);
                if count.after.is_some() {
                    way = terms.add(way, *step);
                }
                let sum = to_width(terms, count.sum, width);
                let bent = terms.mul(*curve, sum);
                let moved = terms.add(own, way);
                terms.add(moved, bent)
            }
            Some(Form::Previous(update)) => {
                let zero = terms.bv(0, COUNT);
                let start = terms.eq(count.j, zero);
                let before = count.before(terms);
                let later = self.apply(program, terms, *update, before);
                terms.ite(start, own, later)
            }
        }
    }

    /// A term over the values at the head, in iteration `j`.
    pub(crate) fn at(&self, program: &Program, terms: &mut Store, t: Term, j: Term) -> Term {
        let count = Count::new(terms, j);
        self.apply(program, terms, t, count)
    }

    fn apply(&self, program: &Program, terms: &mut Store, t: Term, count: Count) -> Term {
        let mut substitution = Substitution::new();
        for symbol in term::free_vars(terms, &[t]) {
            if let Some(var) = program.var_of(symbol).filter(|v| self.of.contains_key(v)) {
                let value = self.value(program, terms, var, count);
                substitution.insert(terms, symbol, value);
            }
        }
        substitution.apply(terms, t)
    }
}

impl Count {
    /// The iteration before.
    fn before(self, terms: &mut Store) -> Count {
        let one = terms.bv(1, COUNT);
        let j = self.after.unwrap_or_else(|| terms.sub(self.j, one));
        let wide = terms.zext_to(j, TRIANGLE);
        let sum = if self.sum == triangle(terms, self.j) { triangle(terms, j) } else { terms.sub(self.sum, wide) };
        Count { j, sum, after: None }
    }
}
