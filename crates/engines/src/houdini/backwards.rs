//! What the targets need, and what that needs in turn.
//!
//! Of hundreds of candidates a proof needs a dozen, and the others take as long to prove. So nothing is proved at first: candidates that fail
//! in a model are dropped, which takes milliseconds each, and those that nobody decides in a moment stay. All that is left is assumed at the
//! heads; what excludes the targets (a solver's core) is needed, and only that is proved, from what is left again, and what it followed from,
//! until nothing is needed that is not proved. Where something that is needed fails, it is dropped, and the targets are asked about
//! once more. What was shown stays shown as long as nothing is dropped that it followed from.

use super::cuts::{Check, Steps};
use super::{Excluded, Formulas, Prover, has_quantifier, smaller, with};
use crate::limits::houdini::{FEWER_PART, FEWER_TIME, IN_VAIN, SIFT_TIME};
use cfa::Loc;
use engine::{Cx, Event, Stop};
use flow::wto::Wto;
use infer::candidates::demands::Candidates;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use term::Term;

/// What is proved and excludes the targets, and which of it does at each cut; or a target that is not excluded, and the candidates
/// that nobody refuted.
type Found = Result<(Formulas, Vec<Vec<Term>>), (Loc, Formulas)>;

impl Prover<'_> {
    /// With more and more candidates.
    pub(super) fn stages(&mut self, candidates: &mut Candidates<'_>, wto: &Wto, cx: &mut Cx) -> Result<Found, Stop> {
        let program = &*self.task.program;
        // What is said of texts is small, and mostly enough where there are any.
        let texts = infer::candidates::texts::texts(program, wto, &mut cx.terms);
        let mut left = Formulas::new();
        if !texts.is_empty() {
            let texts = infer::sample::texts::not_refuted(program, texts, &mut cx.terms, &cx.budget)?;
            match self.backwards(texts, cx)? {
                Err((_, others)) => left = others,
                found => return Ok(found),
            }
        }
        // Small ones first: they are proved quickly, and their proofs are checked quickly.
        let all = with(candidates.all(&mut cx.terms), candidates.ordered(&mut cx.terms, &cx.budget)?);
        let small = smaller(&cx.terms, &all);
        let is_all = small == all;
        let mut open = match self.backwards(with(small, left), cx)? {
            Err(open) => open,
            found => return Ok(found),
        };
        if !is_all {
            open = match self.backwards(with(all, open.1), cx)? {
                Err(open) => open,
                found => return Ok(found),
            };
        }
        let left = match self.with_hard_ones(open, cx)? {
            Err((_, left)) => left,
            found => return Ok(found),
        };
        candidates.stated(&mut cx.terms);
        candidates.draw_back(&mut cx.terms, &cx.budget)?;
        match self.backwards(with(candidates.all(&mut cx.terms), left), cx)? {
            Err(open) => self.with_hard_ones(open, cx),
            found => Ok(found),
        }
    }

    /// A proof from these candidates, backwards from the targets.
    fn backwards(&mut self, candidates: Formulas, cx: &mut Cx) -> Result<Found, Stop> {
        let count = |formulas: &Formulas| formulas.values().map(Vec::len).sum::<usize>();
        cx.tell(Event::Note(format!("{} candidates at {} loop heads", count(&candidates), candidates.len())));
        let mut left = self.sifted(candidates, cx)?;
        cx.tell(Event::Note(format!("{} of them are not refuted", count(&left))));
        loop {
            let mut reasons = match self.targets_excluded(&left, cx)? {
                Ok(reasons) => reasons,
                Err(open) => {
                    let place = self.task.program.sources.place(self.task.program.main().locs[open].span);
                    cx.tell(Event::Detail(format!("they do not exclude {open}, {place}")));
                    return Ok(Err((open, left)));
                }
            };
            // The fewer there are, the less is to be proved.
            let until = cx.budget.left() - cx.budget.left() / FEWER_PART;
            for (i, used) in reasons.iter_mut().enumerate() {
                let guards: Vec<Term> = self.cuts[i].targets.iter().map(|(_, guard)| *guard).collect();
                *used = self.fewer(std::mem::take(used), None, &guards, &[], until, cx)?;
                self.targets.insert(i, used.clone());
            }
            cx.tell(Event::Note(format!(
                "{} of them exclude the targets",
                reasons.iter().map(Vec::len).sum::<usize>()
            )));
            match self.proved(&reasons, &left, cx)? {
                Ok(proven) => {
                    cx.tell(Event::Note(format!("{} of them are proved, and suffice", count(&proven))));
                    return Ok(Ok((proven, reasons)));
                }
                Err((head, failing)) => left.entry(head).or_default().retain(|c| !failing.contains(c)),
            }
        }
    }

    /// Those that fail in no model that is found in a moment.
    fn sifted(&mut self, candidates: Formulas, cx: &mut Cx) -> Result<Formulas, Stop> {
        self.oracle.patience = SIFT_TIME;
        self.sifts = true;
        let left = infer::houdini(&mut Steps { check: self, cx }, candidates);
        self.sifts = false;
        left
    }

    /// The candidates that the reasons consist of, and those that they follow from, all proved; or candidates that do not follow.
    fn proved(
        &mut self,
        reasons: &[Vec<Term>],
        left: &Formulas,
        cx: &mut Cx,
    ) -> Result<Result<Formulas, (Loc, Vec<Term>)>, Stop> {
        self.oracle.patience = self.settings.candidate_time;
        let (mut proven, mut todo) = (Formulas::new(), Formulas::new());
        let mut seen: BTreeSet<(Loc, Term)> = BTreeSet::new();
        let mut need = |todo: &mut Formulas, head: Loc, facts: &[Term]| {
            let is_candidate = |fact: &&Term| left.get(&head).is_some_and(|left| left.contains(fact));
            let new = facts.iter().filter(is_candidate).copied().filter(|fact| seen.insert((head, *fact)));
            todo.entry(head).or_default().extend(new);
        };
        for (i, used) in reasons.iter().enumerate() {
            need(&mut todo, self.cuts[i].start, used);
        }
        while let Some((head, wanted)) = todo.pop_first() {
            if wanted.is_empty() {
                continue;
            }
            for cut in 0..self.cuts.len() {
                if !self.cuts[cut].heads.contains_key(&head) {
                    continue;
                }
                let failing = self.failing(cut, head, &wanted, left, cx)?;
                let start = self.cuts[cut].start;
                if !failing.is_empty() {
                    for candidate in &failing {
                        let text = term::smtlib::print_term(&cx.terms, *candidate);
                        cx.tell(Event::Detail(format!("needed, and not kept from {start} to {head}: {text}")));
                    }
                    return Ok(Err((head, failing)));
                }
                for candidate in &wanted {
                    let used = self.reasons.get(&(cut, head, *candidate)).map_or(&[][..], Vec::as_slice);
                    need(&mut todo, start, used);
                }
            }
            proven.entry(head).or_default().extend(wanted);
        }
        for (head, formulas) in &proven {
            for formula in formulas {
                cx.publish_invariant("houdini", *head, *formula);
            }
        }
        Ok(Ok(proven))
    }

    /// Once more with candidates that were too hard, where a target is not excluded without them.
    fn with_hard_ones(&mut self, open: (Loc, Formulas), cx: &mut Cx) -> Result<Found, Stop> {
        let hard = self.hard_ones(cx);
        if hard.is_empty() {
            return Ok(Err(open));
        }
        let (_, left) = open;
        let time = std::mem::replace(&mut self.settings.candidate_time, self.settings.hard_time);
        let found = self.backwards(with(left, hard), cx);
        self.settings.candidate_time = time;
        self.open.clear();
        found
    }

    /// The smallest of those that were dropped because nobody could tell in time.
    fn hard_ones(&mut self, cx: &Cx) -> Formulas {
        let open = std::mem::take(&mut self.open);
        let mut hard: Vec<(usize, Loc, Term)> = Vec::new();
        for (head, candidates) in &open {
            hard.extend(candidates.iter().map(|t| (term::walk::dag_size(&cx.terms, &[*t]), *head, *t)));
        }
        hard.sort_unstable();
        hard.dedup();
        hard.truncate(self.settings.hard);
        let mut again = Formulas::new();
        for (_, head, candidate) in hard {
            again.entry(head).or_default().push(candidate);
        }
        again
    }

    /// For each cut the facts that exclude its targets; or a target that is not excluded.
    fn targets_excluded(&mut self, proven: &Formulas, cx: &mut Cx) -> Result<Excluded, Stop> {
        self.oracle.patience = self.settings.target_time;
        let mut reasons = Vec::new();
        for i in 0..self.cuts.len() {
            let facts = self.assumed(&self.cuts[i], proven);
            if let Some(used) = self.targets.get(&i).filter(|used| used.iter().all(|fact| facts.contains(fact))) {
                reasons.push(used.clone());
                continue;
            }
            let (targets, guards): (Vec<Loc>, Vec<Term>) = self.cuts[i].targets.iter().copied().unzip();
            match self.all_excluded(&facts, &guards, &[], cx)? {
                Ok(used) => {
                    self.targets.insert(i, used.clone());
                    reasons.push(used);
                }
                Err(open) => return Ok(Err(targets[open])),
            }
        }
        Ok(Ok(reasons))
    }

    /// What the proof uses of what is known and proved: the checker has less to prove then. Starting with what excludes the targets,
    /// and on with what that follows from. As few facts as some questions more can tell: what is used already costs nothing.
    pub(super) fn needed(
        &mut self,
        reasons: Vec<Vec<Term>>,
        proven: &Formulas,
        cx: &mut Cx,
    ) -> Result<BTreeMap<Loc, BTreeSet<Term>>, Stop> {
        let left = cx.budget.left();
        let until = left.saturating_sub(left / FEWER_PART);
        let mut needed: BTreeMap<Loc, BTreeSet<Term>> = BTreeMap::new();
        let mut todo: BTreeMap<Loc, Vec<Term>> = BTreeMap::new();
        let add = |needed: &mut BTreeMap<Loc, BTreeSet<Term>>, at: Loc, used: Vec<Term>, todo: &mut Formulas| {
            let here = needed.entry(at).or_default();
            let new: Vec<Term> = used.into_iter().filter(|fact| here.insert(*fact)).collect();
            if !new.is_empty() {
                todo.entry(at).or_default().extend(new);
            }
        };
        for (i, used) in reasons.into_iter().enumerate() {
            let start = self.cuts[i].start;
            let guards: Vec<Term> = self.cuts[i].targets.iter().map(|(_, guard)| *guard).collect();
            let used = self.fewer(used, needed.get(&start), &guards, &[], until, cx)?;
            add(&mut needed, start, used, &mut todo);
        }
        while let Some((head, wanted)) = todo.pop_first() {
            for i in 0..self.cuts.len() {
                let Some(arrival) = self.cuts[i].heads.get(&head) else { continue };
                let guard = arrival.guard;
                let start = self.cuts[i].start;
                let facts = self.assumed(&self.cuts[i], proven);
                for group in self.violations(i, head, &wanted, cx) {
                    let bad: Vec<Term> =
                        group.members.iter().map(|(_, violated)| cx.terms.and(guard, *violated)).collect();
                    let used = self.all_excluded(&facts, &bad, &group.chosen, cx)?.unwrap_or_else(|_| facts.clone());
                    let used = self.fewer(used, needed.get(&start), &bad, &group.chosen, until, cx)?;
                    add(&mut needed, start, used, &mut todo);
                }
            }
        }
        Ok(needed)
    }

    /// Facts that exclude all of these, of those that are known to: what is there already, and few others. Those about all cells are left out
    /// first. Nothing is tried any more once so much time is left only.
    fn fewer(
        &mut self,
        used: Vec<Term>,
        there: Option<&BTreeSet<Term>>,
        bad: &[Term],
        chosen: &[Term],
        until: Duration,
        cx: &mut Cx,
    ) -> Result<Vec<Term>, Stop> {
        let (there, mut more): (Vec<Term>, Vec<Term>) =
            used.into_iter().partition(|fact| there.is_some_and(|there| there.contains(fact)));
        more.sort_by_key(|fact| !has_quantifier(&cx.terms, *fact));
        let patience = std::mem::replace(&mut self.oracle.patience, FEWER_TIME);
        let mut size = more.len();
        let mut at = 0;
        let mut in_vain = 0;
        while size > 0 && in_vain < IN_VAIN && cx.budget.left() > until {
            if at >= more.len() {
                (at, size) = (0, size / 2);
                continue;
            }
            let end = more.len().min(at + size);
            let without: Vec<Term> = there.iter().chain(&more[..at]).chain(&more[end..]).copied().collect();
            let before = base::cpu::time();
            let fewer = self.all_excluded(&without, bad, chosen, cx)?;
            let took = base::cpu::time().saturating_sub(before);
            match fewer {
                // What comes before was tried in vain: it stays.
                Ok(used) => {
                    more.drain(at..end);
                    let mut place = 0..;
                    more.retain(|fact| place.next().is_some_and(|place| place < at) || used.contains(fact));
                }
                Err(_) => {
                    in_vain += u32::from(took >= FEWER_TIME);
                    at = end;
                }
            }
        }
        self.oracle.patience = patience;
        Ok([there, more].concat())
    }
}
