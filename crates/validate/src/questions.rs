//! Asking whether a formula has a model: by ranges, by the ring, by the solver.

use crate::limits::questions::{FIRST_MOMENT, IN_HALVES, LARGE, MANY_DEMANDS, MOST_APART, MOST_EQUALITIES};
use crate::recheck::Failure;
use crate::shown::Shown;
use crate::{bounds, factor_cases, range_allocation, read_over_write, ring};
use base::cpu::Deadline;
use rustc_hash::FxHashSet;
use smt::choices::Choices;
use smt::{Answer, Solver, object_numbers, quantifier_instances};
use std::collections::BTreeSet;
use std::time::Duration;
use term::{Op, Store, Term};

pub(crate) struct Questions<'a> {
    solver: &'a mut dyn Solver,
    deadline: Deadline,
    /// Whether the ring decided the last question about products: then it is asked first.
    ring_first: bool,
    /// What is still to be refuted.
    open: Vec<Open>,
    /// Where objects have no bound: the bits of their numbers.
    number_bits: Option<u32>,
}

/// A question that waits to be asked together with others.
struct Open {
    /// As it was asked.
    asked: Term,
    bad: Term,
    /// Without what it says of all cells: refuting that is enough, and most questions are not about cells.
    plain: Term,
    /// What it means if it is not refuted.
    failure: Failure,
}

impl<'a> Questions<'a> {
    pub(crate) fn new(solver: &'a mut dyn Solver, deadline: Deadline) -> Questions<'a> {
        Questions { solver, deadline, ring_first: true, open: Vec::new(), number_bits: None }
    }

    /// About states of such a program.
    pub(crate) fn about(self, program: &cfa::Program) -> Questions<'a> {
        let number_bits = program.machine.is_unbounded().then_some(program.machine.object_bits);
        Questions { number_bits, ..self }
    }

    /// `bad`, which is no constant, has to be refuted, else `failure`: now if that is quickly done or takes more than a
    /// solver, else by [`Questions::settle`].
    pub(crate) fn refute(
        &mut self,
        terms: &mut Store,
        shown: &mut Shown,
        asked: Term,
        failure: Failure,
    ) -> Result<(), Failure> {
        let facts = term::normal::conjuncts(terms, asked);
        if shown.is_refuted(asked) || bounds::contradict(terms, &facts) {
            return Ok(());
        }
        let bad = read_over_write::looked_up(terms, asked);
        let bad = comparisons_apart(terms, bad);
        if self.deadline.is_over() {
            return Err(Failure::NoAnswer("time limit".into()));
        }
        let (of_all, plain): (Vec<Term>, Vec<Term>) =
            term::normal::conjuncts(terms, bad).into_iter().partition(|fact| is_quantified(terms, *fact));
        if ring::concerns(terms, bad) || of_all.iter().any(|fact| terms.op(*fact) != Op::Forall) {
            self.refute_alone(terms, bad, failure)?;
            shown.refuted(asked);
            return Ok(());
        }
        let plain = if of_all.is_empty() { bad } else { terms.and_all(&plain) };
        self.open.push(Open { asked, bad, plain, failure });
        Ok(())
    }

    /// What is open does not matter any more.
    pub(crate) fn forget(&mut self) {
        self.open.clear();
    }

    /// Refutes what is open, as much at once as is not large: questions about a program have most in common. Where that is too
    /// much, one half and then the other. What was too hard for a group takes it a part of the time only in each half: else the halves of
    /// halves use up what single questions need.
    pub(crate) fn settle(&mut self, terms: &mut Store, shown: &mut Shown) -> Result<(), Failure> {
        let all = self.grouped(terms).into_iter();
        let mut groups: Vec<(Vec<Open>, Duration)> = all.map(|group| (group, Duration::MAX)).collect();
        while let Some((mut group, most)) = groups.pop() {
            if group.len() > 1 {
                let parts: Vec<Term> = group.iter().map(|open| open.plain).collect();
                let any = terms.or_all(&parts);
                let any = self.with_few_bits(terms, any).unwrap_or(any);
                let left = self.deadline.left();
                // What is left out may be needed: that is to be found out soon.
                let is_less = group.iter().any(|open| open.plain != open.bad);
                let time = if is_less { (FIRST_MOMENT * 2).min(left / 8) } else { (left / 4).min(most) };
                self.solver.limit(&smt::Limits { time: Some(time), cancel: None });
                if self.solver.check(terms, &[any]) == Ok(Answer::Unsat) {
                    group.iter().for_each(|open| shown.refuted(open.asked));
                    continue;
                }
                let rest = group.split_off(group.len() / 2);
                let most = time / IN_HALVES;
                groups.extend([(rest, most), (group, most)]);
            } else if let Some(Open { asked, bad, plain, failure }) = group.pop() {
                if shown.is_refuted(asked) {
                    continue;
                }
                if plain == bad
                    && let Some(halves) = halves(terms, bad)
                {
                    let time = (self.deadline.left() / 4).min(most);
                    self.solver.limit(&smt::Limits { time: Some(time), cancel: None });
                    match self.solver.check(terms, &[bad]) {
                        Ok(Answer::Unsat) => shown.refuted(asked),
                        Ok(Answer::Sat) => return Err(failure),
                        Err(_) if self.deadline.is_over() => return Err(Failure::NoAnswer("time limit".into())),
                        Err(_) => groups.extend(halves.map(|half| {
                            let open = Open { asked: half, bad: half, plain: half, failure: failure.clone() };
                            (vec![open], time / IN_HALVES)
                        })),
                    }
                    continue;
                }
                if plain != bad {
                    let few_bits = self.with_few_bits(terms, plain).unwrap_or(plain);
                    let moment = FIRST_MOMENT.min(self.deadline.left() / 8);
                    self.solver.limit(&smt::Limits { time: Some(moment), cancel: None });
                    if self.solver.check(terms, &[few_bits]) == Ok(Answer::Unsat) {
                        shown.refuted(asked);
                        continue;
                    }
                }
                self.refute_alone(terms, bad, failure)?;
                shown.refuted(asked);
            }
        }
        Ok(())
    }

    /// What is open, in groups whose terms together are not more than [`LARGE`], or are one question; the last comes first.
    fn grouped(&mut self, terms: &Store) -> Vec<Vec<Open>> {
        let mut groups: Vec<Vec<Open>> = Vec::new();
        let mut together: FxHashSet<Term> = FxHashSet::default();
        for question in self.open.drain(..).rev() {
            let parts = term::walk::postorder(terms, &[question.plain]);
            let more = parts.iter().filter(|t| !together.contains(t)).count();
            match groups.last_mut() {
                Some(group) if together.len() + more <= LARGE => group.push(question),
                _ => {
                    together.clear();
                    groups.push(vec![question]);
                }
            }
            together.extend(parts);
        }
        groups
    }

    /// The names of questions that are not refuted: all are asked at once, and where that fails in halves, so that one that is
    /// hard, or has a model, does not keep the others from being refuted.
    pub(crate) fn open_among<N: Ord + Copy>(&mut self, terms: &mut Store, questions: Vec<(Term, N)>) -> BTreeSet<N> {
        let mut open = BTreeSet::new();
        let mut groups = vec![questions];
        while let Some(mut group) = groups.pop() {
            // One question of a name that stays open is enough.
            group.retain(|(_, name)| !open.contains(name));
            let is_refuted = |(bad, _): &(Term, N)| {
                terms.as_bool_const(*bad) == Some(false)
                    || bounds::contradict(terms, &term::normal::conjuncts(terms, *bad))
            };
            group.retain(|question| !is_refuted(question));
            if group.is_empty() {
                continue;
            }
            let parts: Vec<Term> = group.iter().map(|(bad, _)| read_over_write::looked_up(terms, *bad)).collect();
            let any = terms.or_all(&parts);
            let left = self.deadline.left();
            self.solver.limit(&smt::Limits { time: Some(left / 8), cancel: None });
            if !left.is_zero() && self.solver.check(terms, &[any]) == Ok(Answer::Unsat) {
                continue;
            }
            if left.is_zero() || group.len() == 1 {
                open.extend(group.into_iter().map(|(_, name)| name));
            } else {
                let rest = group.split_off(group.len() / 2);
                groups.extend([rest, group]);
            }
        }
        open
    }

    /// Refutes `bad` by itself; `failure` if it is satisfiable.
    fn refute_alone(&mut self, terms: &mut Store, bad: Term, failure: Failure) -> Result<(), Failure> {
        if self.deadline.is_over() {
            return Err(Failure::NoAnswer("time limit".into()));
        }
        // Refuting what is weaker and easier is enough.
        if self.refuted_at_witnesses(terms, bad) {
            return Ok(());
        }
        let instances = quantifier_instances::instantiated(terms, bad);
        let instances = instances.map(|plain| read_over_write::looked_up(terms, plain));
        let narrow = range_allocation::narrowed(terms, instances.unwrap_or(bad));
        let few_bits = self.with_few_bits(terms, instances.unwrap_or(bad));
        let easier: Vec<Term> = few_bits.into_iter().chain(narrow).chain(instances).collect();
        if !ring::concerns(terms, bad) {
            self.solver.limit(&smt::Limits::default());
            return self.ask(terms, &easier, bad, failure);
        }
        if self.refuted_by_factors(terms, instances.unwrap_or(bad)) {
            return Ok(());
        }
        // Products: sometimes cases and the ring decide at once, sometimes the solver does, and neither of them can tell.
        let mut moment = FIRST_MOMENT;
        loop {
            for is_ring in [self.ring_first, !self.ring_first] {
                if self.deadline.is_over() {
                    return Err(Failure::NoAnswer("time limit".into()));
                }
                self.solver.limit(&smt::Limits { time: Some(moment), cancel: None });
                let decided = if is_ring {
                    let until = Deadline::after(moment.min(self.deadline.left()));
                    self.refuted_by_ring(terms, bad, until).then_some(Ok(()))
                } else {
                    match self.ask(terms, &easier, bad, failure.clone()) {
                        Err(Failure::NoAnswer(_)) => None,
                        answer => Some(answer),
                    }
                };
                if let Some(answer) = decided {
                    self.ring_first = is_ring;
                    return answer;
                }
            }
            moment *= 2;
        }
    }

    /// Whether the fewest instances of what is quantified refute the question, in a moment: by themselves, or where the value of which
    /// something fails is one of the program's numbers that it is compared with, and where it is not. Where they are one, so are
    /// products and sums of them, which a solver would have to find out bit by bit.
    fn refuted_at_witnesses(&mut self, terms: &mut Store, bad: Term) -> bool {
        let Some(plain) = quantifier_instances::instantiated_at_witnesses(terms, bad) else { return false };
        let own = term::walk::free_vars(terms, &[bad]);
        let plain = read_over_write::looked_up(terms, plain);
        let mut cases = vec![(plain, MOST_EQUALITIES)];
        let moment = FIRST_MOMENT.min(self.deadline.left() / 8);
        while let Some((case, more)) = cases.pop() {
            if bounds::contradict(terms, &term::normal::conjuncts(terms, case)) {
                continue;
            }
            self.solver.limit(&smt::Limits { time: Some(moment.min(self.deadline.left())), cancel: None });
            match self.solver.check(terms, &[case]) {
                Ok(Answer::Unsat) => continue,
                Ok(Answer::Sat) => return false,
                Err(_) => {}
            }
            let Some((x, y)) = compared_with(terms, case, &own).filter(|_| more > 0) else { return false };
            // Either they are equal, and one stands for both, or they are not.
            let equal = terms.eq(x, y);
            let different = terms.not(equal);
            let different = terms.and(case, different);
            let one = term::substitute(terms, case, &[(x, y)]);
            cases.extend([(different, more - 1), (one, more - 1)]);
        }
        true
    }

    /// What has a model if the formula does, with numbers of objects in as few bits as they need.
    fn with_few_bits(&self, terms: &mut Store, formula: Term) -> Option<Term> {
        object_numbers::narrowed(terms, &[formula], self.number_bits?).map(|narrow| narrow[0])
    }

    /// Asks the solver about what follows from `bad`, then about `bad` itself.
    fn ask(&mut self, terms: &Store, easier: &[Term], bad: Term, failure: Failure) -> Result<(), Failure> {
        for easier in easier {
            if self.solver.check(terms, &[*easier]) == Ok(Answer::Unsat) {
                return Ok(());
            }
        }
        match self.solver.check(terms, &[bad]) {
            Ok(Answer::Unsat) => Ok(()),
            Ok(Answer::Sat) => Err(failure),
            Err(why) => Err(Failure::NoAnswer(why.to_string())),
        }
    }

    /// Whether each value of a factor that has few is refuted, a moment each.
    fn refuted_by_factors(&mut self, terms: &mut Store, bad: Term) -> bool {
        let (solver, deadline) = (&mut *self.solver, self.deadline);
        factor_cases::refuted(terms, &[bad], &mut |terms, case| {
            solver.limit(&smt::Limits { time: Some((FIRST_MOMENT * 2).min(deadline.left())), cancel: None });
            solver.check(terms, &[case]) == Ok(Answer::Unsat)
        })
    }

    fn refuted_by_ring(&mut self, terms: &mut Store, bad: Term, deadline: Deadline) -> bool {
        let solver = &mut *self.solver;
        let mut ask = |terms: &Store, facts: &[Term]| {
            if deadline.is_over() {
                return None;
            }
            solver.check(terms, facts).ok().map(|a| a == Answer::Sat)
        };
        ring::refutes(terms, bad, &mut ask, deadline)
    }
}

/// The two cases of a question that demands many things at once, all lemmas of an invariant: that one of the first half fails, or one of the
/// second. What fails is known then in more detail, and both are easier. Nothing where there are few.
fn halves(terms: &mut Store, bad: Term) -> Option<[Term; 2]> {
    let mut facts = term::normal::conjuncts(terms, bad);
    let demanded = |fact: &Term| match terms.op(*fact) {
        Op::Not => term::normal::conjuncts(terms, terms.arg(*fact, 0)),
        _ => Vec::new(),
    };
    let (at, demands) = facts.iter().map(demanded).enumerate().max_by_key(|(_, demands)| demands.len())?;
    if demands.len() < MANY_DEMANDS {
        return None;
    }
    facts.remove(at);
    let (first, second) = demands.split_at(demands.len() / 2);
    Some([first, second].map(|demands| {
        let all = terms.and_all(demands);
        let violated = terms.not(all);
        terms.and_all(&[&facts[..], &[violated]].concat())
    }))
}

/// An equal formula whose comparisons are between variables and constants, as far as choices between these were compared: a solver need
/// not follow what is passed on bit by bit.
fn comparisons_apart(terms: &mut Store, formula: Term) -> Term {
    if is_quantified(terms, formula) { formula } else { Choices::new(MOST_APART).apart(terms, formula) }
}

fn is_quantified(terms: &Store, t: Term) -> bool {
    term::walk::postorder(terms, &[t]).into_iter().any(|t| terms.op(t).is_quantifier())
}

/// A variable of the formula that is not among `own`, and one of those that it is compared with, if nobody says already that they differ.
fn compared_with(terms: &mut Store, formula: Term, own: &[Term]) -> Option<(Term, Term)> {
    let is_var = |t: &Term| matches!(terms.op(*t), Op::Var(_));
    let facts = term::normal::conjuncts(terms, formula);
    let mut pairs = Vec::new();
    for t in term::walk::postorder(terms, &[formula]) {
        if matches!(terms.op(t), Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle) {
            let (a, b) = (terms.arg(t, 0), terms.arg(t, 1));
            let found = [(a, b), (b, a)].into_iter().find(|(x, y)| !own.contains(x) && own.contains(y));
            pairs.extend(found.filter(|(x, y)| is_var(x) && is_var(y)));
        }
    }
    pairs.into_iter().find(|(x, y)| {
        let equal = terms.eq(*x, *y);
        let different = terms.not(equal);
        !facts.contains(&different)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::{Evaluator, Sort, Value};

    /// One of the two cases holds where the question does, and nowhere else; and there are none of few demands.
    #[test]
    fn halves_are_the_whole() {
        const VARS: usize = MANY_DEMANDS / 2;
        let mut terms = Store::new();
        let vars: Vec<Term> = (0..VARS).map(|i| terms.var(&format!("p{i}"), Sort::Bool)).collect();
        let mut demands = Vec::new();
        for (i, p) in vars.iter().enumerate() {
            let next = terms.not(vars[(i + 1) % VARS]);
            demands.extend([terms.or(*p, next), terms.implies(*p, vars[(i + 3) % VARS])]);
        }
        let question = |terms: &mut Store, demands: &[Term]| {
            let all = terms.and_all(demands);
            let violated = terms.not(all);
            terms.and(vars[0], violated)
        };
        let few = question(&mut terms, &demands[..MANY_DEMANDS / 2]);
        assert_eq!(halves(&mut terms, few), None);
        let bad = question(&mut terms, &demands);
        let [first, second] = halves(&mut terms, bad).expect("there are many");
        assert!(bad != first && bad != second);
        let mut differ = 0;
        for bits in 0..1u32 << VARS {
            let state: std::collections::BTreeMap<Term, Value> =
                vars.iter().enumerate().map(|(i, p)| (*p, Value::Bool(bits >> i & 1 == 1))).collect();
            let mut values = Evaluator::new(&state);
            let mut holds = |t: Term| values.eval(&terms, t) == Ok(Value::Bool(true));
            assert_eq!(holds(bad), holds(first) || holds(second));
            differ += u32::from(holds(first) != holds(second));
        }
        assert!(differ > 0);
    }
}
