//! One program, one set of properties: prepared, asked about, the answer confirmed.
//!
//! What decides comes cheapest first: what simplification leaves, a moment of executions, then the engines; a recursive
//! program is unrolled a little, then its recursion is folded into contracts. Where the answer says that the program was
//! read too narrowly (offsets of pointers, behaviour after undefined behaviour), it is lowered again and asked about anew.
//! Recursion is unrolled as far as there is little of it, and further where executions leave that.

use crate::annotate;
use crate::certificates;
use crate::evidence;
use crate::limits::decide::{
    FIRST_BOUNDED, FIRST_UNROLLED, MORE_ROOM, OWN_ADDRESSES_PART, ROOMS, TELLING_APART, WORTH_PREPARING,
};
use crate::limits::evidence::FINDING;
use crate::load;
use crate::outcome::{Decision, Evidence};
use crate::quick;
use crate::recursion::{self, Folded};
use crate::replay::Replays;
use crate::request::Request;
use crate::session::Session;
use crate::termination;
use crate::unbounded;
use cfa::{Edge, Func, LocKind, Op, Origin, Program, Property};
use engine::Why;
use report::Verdict;
use std::time::Duration;
use transform::inline::{self, Recursion};
use transform::pipeline::{self, Prepared, prepare};
use validate::checks::checks;
use validate::judge::judge_simplified;
use validate::places;
use validate::{Answer, Checked, FoundProof, Pending, Violated};

/// Decides the program within `time` of CPU, counted from the start of the request.
pub(crate) fn decide(program: &Program, request: &Request, time: Option<Duration>, session: &Session<'_>) -> Decision {
    if request.subject.lowering.properties.contains(&Property::Termination) {
        return termination::decide(program, request, time, session);
    }
    let mut decision = None;
    for (i, room) in ROOMS.into_iter().enumerate() {
        if !session.may_prepare(time) {
            return decision.unwrap_or_else(|| Decision::bare(Verdict::unknown(&Why::Timeout)));
        }
        session.observer.phase("preparing");
        let started = session.used();
        let prepared = prepare(program, &preparation(request, room));
        let preparing = session.used() - started;
        session.prepared_in(preparing);
        let usual = |program: &Program, roomier: &Request| prepare(program, &preparation(roomier, inline::ROOM));
        if let (0, Some((program, roomier))) = (i, with_more_room(&prepared.program, request, usual)) {
            let decision = decide(&program, &roomier, time, session);
            // With larger objects there are fewer of them: if that was it, the usual share may do.
            let is_bound = matches!(decision.verdict, Verdict::Unknown { kind: report::Kind::BoundHit, .. });
            if !is_bound || !has_location(&prepared, transform::memory::is_out_of_numbers) {
                return decision;
            }
        }
        let is_worth_it = i + 1 < ROOMS.len() && session.left(time) > preparing * WORTH_PREPARING;
        let has_more = is_worth_it && has_location(&prepared, inline::is_cut_short);
        let about = About { program, prepared: &prepared, request, session, time, room, has_more };
        let found = about.decide(if has_more { session.until(time, 2) } else { time });
        if !has_more || !is_open(&found.verdict) {
            if let (true, Some(why)) = (is_open(&found.verdict), cut_short(&prepared)) {
                session.note(format!("note: not all executions are looked at: {why}"));
            }
            // That executions leave the smaller program says more than that there was no time for the larger one.
            let is_late = matches!(found.verdict, Verdict::Unknown { kind: report::Kind::TimeLimit, .. });
            return decision.filter(|_| is_late).unwrap_or(found);
        }
        decision = Some(found);
    }
    decision.expect("the last room has no more after it")
}

/// How programs are prepared in which recursion adds at most so many edges. Where calls shared copies first, each has its own then.
fn preparation(request: &Request, room: usize) -> pipeline::Settings {
    let usual = load::targets(&request.subject);
    let calls = if room == ROOMS[0] { usual.inline.calls } else { Recursion::Unroll };
    pipeline::Settings { inline: inline::Settings { room, calls, ..usual.inline }, ..usual }
}

/// Where recursion was cut short, for one of the calls.
fn cut_short(prepared: &Prepared) -> Option<&str> {
    prepared.program.main().locs.values().find_map(|location| match &location.kind {
        LocKind::BoundHit(why) if inline::is_cut_short(&location.kind) => Some(&why[..]),
        _ => None,
    })
}

fn has_location(prepared: &Prepared, is_such: fn(&LocKind) -> bool) -> bool {
    prepared.program.main().locs.values().any(|location| is_such(&location.kind))
}

/// Whether the program with more of its recursion may have another answer.
fn is_open(verdict: &Verdict) -> bool {
    use report::Kind::{BoundHit, GaveUp, NotChecked, TimeLimit};
    matches!(verdict, Verdict::Unknown { kind: BoundHit | GaveUp | NotChecked | TimeLimit, .. })
}

/// Why a property holds.
#[derive(Clone, Copy)]
pub(crate) enum Reason<'a> {
    Proof(&'a FoundProof),
    /// Simplification left nothing to prove.
    Simplified,
    /// Contracts stand for recursive calls, or for those of functions that are called often.
    Contracts(&'a Folded),
    /// Of the program whose object numbers do not run out.
    Unbounded,
    /// There is one execution, and it was made.
    Executed,
}

impl<'a> Reason<'a> {
    fn proof(self) -> Option<&'a FoundProof> {
        if let Reason::Proof(proof) = self { Some(proof) } else { None }
    }
}

/// A program being decided about.
pub(crate) struct About<'a> {
    /// As it was written.
    pub(crate) program: &'a Program,
    /// As engines see it.
    pub(crate) prepared: &'a Prepared,
    pub(crate) request: &'a Request,
    pub(crate) session: &'a Session<'a>,
    /// For the program, however often it is asked about.
    pub(crate) time: Option<Duration>,
    /// What recursion may add to the program as engines see it.
    pub(crate) room: usize,
    /// Whether it is asked about again with more room, should there be no answer.
    pub(crate) has_more: bool,
}

impl About<'_> {
    /// The answer for this much of the program's recursion.
    fn decide(&self, time: Option<Duration>) -> Decision {
        let About { prepared, request, session, .. } = self;
        if !has_location(prepared, LocKind::is_target) {
            return match judge_simplified(prepared, &session.budget(time)) {
                Answer::True(checked) => self.proved(Verdict::simplified(&checked), Reason::Simplified),
                other => self.concluded(other),
            };
        }
        if let Some(decision) = (request.quick && self.is_first()).then(|| quick::look(self)).flatten() {
            return decision;
        }
        self.by_engines(time)
    }

    /// Whether nobody asked about the program before.
    fn is_first(&self) -> bool {
        self.room == ROOMS[0]
    }

    fn by_engines(&self, time: Option<Duration>) -> Decision {
        let About { program, prepared, request, session, has_more, .. } = *self;
        let lowering = &request.subject.lowering;
        let checks_all = lowering.properties.contains(&Property::ValidDeref) && lowering.only_lines.is_empty();
        let has_stricter = !checks_all && lowering.unchecked == lower::Unchecked::Continues;
        let has_contracts = lowering.contracts.any();
        let plan = portfolio::Plan {
            until_undefined: has_stricter,
            until_defined: self.may_ask_where_defined(),
            until_places: self.may_fix_places(),
            until_limit: has_more,
            until_members: self.may_join_members(),
            has_contracts,
            is_harness: lowering.entry != "main" && !has_contracts,
            ..request.plan.clone()
        };
        // In the end the checks that are proved are told apart from those that are open.
        let for_engines = time.map(|time| time - (time / 40).min(TELLING_APART));
        if let Some(decision) = self.in_few_words(&plan, for_engines) {
            return decision;
        }
        let question = |time| recursion::Question { program, request, time: session.until(time, 2), session };
        if request.found_contracts
            && self.is_first()
            && let Some(folded) = question(for_engines).proof_by_contracts()
        {
            return self.proved(folded.verdict.clone(), Reason::Contracts(&folded));
        }
        let mut answered;
        if self.is_first() && recursion::concerns(program) {
            // Unrolled, recursion shows its bugs, and what is bounded; then it is folded, then unrolled further.
            let budget = session.budget(for_engines);
            let part = (budget.left() / 5).min(FIRST_UNROLLED);
            answered = session.ask(program, prepared, &plan, &budget.slice(part), "");
            if is_undecided(&answered.answer) {
                if let Some(folded) = question(self.time).proof() {
                    return self.proved(folded.verdict.clone(), Reason::Contracts(&folded));
                }
                answered = session.ask(program, prepared, &plan, &session.budget(for_engines), "");
            }
        } else if let Some(unbounded) = unbounded::concerns(prepared, &plan, &preparation(request, self.room)) {
            let proved = || {
                let time = session.until(for_engines, 2);
                let verdict = unbounded::prove(program, &unbounded, &plan, time, session)?;
                session.note("note: executions that make 2^60 objects or more are not looked at".to_owned());
                Some(self.proved(verdict, Reason::Unbounded))
            };
            if let Some(decision) = unbounded::is_settled(&unbounded).then(proved).flatten() {
                return decision;
            }
            let budget = session.budget(for_engines);
            let part = (budget.left() / 5).min(FIRST_BOUNDED);
            answered = session.ask(program, prepared, &plan, &budget.slice(part), "");
            if is_undecided(&answered.answer) {
                if let Some(decision) = proved() {
                    return decision;
                }
                answered = session.ask(program, prepared, &plan, &session.budget(for_engines), "");
            }
        } else {
            let until_no_proof = self.may_see_own_addresses();
            let first = portfolio::Plan { until_no_proof, ..plan.clone() };
            answered = session.ask(program, prepared, &first, &session.budget(for_engines), "");
            if let (true, Answer::Unknown(Why::Unsupported(_) | Why::BoundHit(_))) = (until_no_proof, &answered.answer)
            {
                if let Some(decision) = self.seeing_own_addresses(for_engines) {
                    return decision;
                }
                let rest = portfolio::Plan { only_violations: true, ..plan.clone() };
                answered = session.ask(program, prepared, &rest, &session.budget(for_engines), "");
            }
        }
        if let (Answer::Unknown(Why::MayBeUndefined), true) = (&answered.answer, plan.until_defined) {
            if let Some(decision) = self.where_defined() {
                return decision;
            }
            let plan = portfolio::Plan { until_defined: false, ..plan.clone() };
            answered = session.ask(program, prepared, &plan, &session.budget(for_engines), "");
        }
        match answered.answer {
            Answer::Unknown(why @ Why::AfterUndefined(_)) if has_stricter && session.may_prepare(self.time) => {
                let mut stricter = request.clone();
                stricter.subject.lowering.unchecked = lower::Unchecked::Ends;
                stricter.plan.only_violations = true;
                match load::lowered(&stricter.subject) {
                    Ok(program) => decide(&program, &stricter, self.time, session),
                    Err(_) => Decision::bare(Verdict::unknown(&why)),
                }
            }
            Answer::Unknown(why @ Why::AssumesPlaces(_)) if self.may_fix_places() => self.without_places(&why),
            Answer::Unknown(Why::LeavesArray(_)) if self.may_join_members() => {
                let mut whole = request.clone();
                whole.subject.whole_structs = true;
                decide(program, &whole, time, session)
            }
            Answer::Unknown(why) => {
                let why = if session.cancellation.is_cancelled() { Why::Cancelled } else { why };
                if let Why::CheckFailed(_) = why {
                    session.check_failed(&why);
                }
                let mut known = report::known(&prepared.program, &answered.facts);
                if let Some(checked) = checks(prepared, &answered.facts, &session.budget(time)) {
                    known.checks = report::checks(&prepared.flat, &checked);
                }
                Decision::bare(Verdict::unknown_but(&why, known))
            }
            other => self.concluded(other),
        }
    }

    /// A proof to be written into the program, where that is asked for: by engines whose invariants are no lists of states.
    fn in_few_words(&self, plan: &portfolio::Plan, time: Option<Duration>) -> Option<Decision> {
        let About { program, prepared, request, session, .. } = *self;
        if !request.keep.annotated || !request.quick {
            return None;
        }
        let plan = portfolio::Plan { strategy: annotate::strategy(), ..plan.clone() };
        let time = (session.left(time) / 2).min(FINDING);
        match session.ask(program, prepared, &plan, &session.budget(Some(session.used() + time)), "").answer {
            proof @ Answer::True(_) => Some(self.concluded(proof)),
            _ => None,
        }
    }

    /// What an answer comes to.
    pub(crate) fn concluded(&self, answer: Answer) -> Decision {
        match answer {
            Answer::True(checked) => {
                self.proved(Verdict::proved(&self.prepared.program, &checked), Reason::Proof(checked.evidence()))
            }
            Answer::False(checked) => self.violated(checked),
            Answer::Pending(Pending::Proof { proof, why }) if self.request.plan.accept_unchecked => {
                self.proved(Verdict::accepted(&self.prepared.program, &proof, &why), Reason::Proof(&proof))
            }
            Answer::Pending(Pending::Run(deep)) => match self.replays().deep(deep) {
                Ok((checked, native)) => self.seen(&checked, native),
                Err(why) => self.unknown(&why),
            },
            Answer::Pending(pending) => self.unknown(&pending.why()),
            Answer::Unknown(why) => self.unknown(&why),
        }
    }

    /// A violation that was checked, run once more as a compiled program.
    pub(crate) fn violated(&self, checked: Checked<Violated>) -> Decision {
        if let Violated::Run(run) = checked.evidence()
            && !run.outcome.environment.is_empty()
        {
            let pointers = run.outcome.environment.len();
            self.session.note(format!("note: {pointers} pointers that come from outside are given valid memory"));
        }
        if let Some(name) = self.recursion_by_contract(checked.evidence()) {
            return self.unfolded(name);
        }
        match self.replays().compiled(&checked) {
            Ok(native) => self.seen(&checked, native),
            Err(why @ Why::AssumesPlaces(_)) if self.may_fix_places() => self.without_places(&why),
            Err(why) => self.unknown(&why),
        }
    }

    /// The function whose contract is checked, where the violation goes through a recursive call of it, for which the contract
    /// stands: what that leaves open need not be what the function does.
    fn recursion_by_contract(&self, violated: &Violated) -> Option<&str> {
        let options = &self.request.subject.lowering;
        let is_own = |op: &Op| matches!(op, Op::Havoc { origin: Origin::Extern(name), .. } if *name == options.entry);
        let edge = |func: Func, edge: Edge| &self.program.functions[func].edges[edge].op;
        let goes_through = options.contracts.check
            && match violated {
                Violated::Run(run) => run.outcome.inputs.iter().any(|given| is_own(edge(given.func, given.edge))),
                Violated::Danger(_) => {
                    self.program.functions.values().any(|f| f.edges.values().any(|edge| is_own(&edge.op)))
                }
            };
        goes_through.then_some(&*options.entry)
    }

    /// A violation that rests on what the contract of the recursive function leaves open may be one of its body, too.
    fn unfolded(&self, name: &str) -> Decision {
        let mut unfolded = self.request.clone();
        unfolded.subject.lowering.contracts.unfolds = true;
        match load::lowered(&unfolded.subject).map(|program| decide(&program, &unfolded, self.time, self.session)) {
            Ok(decision) if decision.verdict.counterexample().is_some() => decision,
            _ => self.unknown(&Why::WeakContract(name.to_owned())),
        }
    }

    pub(crate) fn may_ask_where_defined(&self) -> bool {
        self.request.subject.lowering.unchecked != lower::Unchecked::AllEnd && self.session.may_prepare(self.time)
    }

    /// There is an error that nobody can run to, after accesses that may be undefined. Whoever proves that it is reached is asked about the
    /// program whose executions end at such accesses: what is proved to come to the error there is defined on all of the way.
    pub(crate) fn where_defined(&self) -> Option<Decision> {
        self.where_defined_within(self.session.until(self.time, 4))
    }

    /// The same until so much time is used.
    pub(crate) fn where_defined_within(&self, time: Option<Duration>) -> Option<Decision> {
        let mut defined = self.request.clone();
        defined.subject.lowering.unchecked = lower::Unchecked::AllEnd;
        defined.plan.strategy = portfolio::Strategy::named(portfolio::NEEDS_NO_RUN).ok()?;
        defined.quick = false;
        let program = load::lowered(&defined.subject).ok()?;
        let decision = decide(&program, &defined, time, self.session);
        decision.verdict.counterexample().is_some().then_some(decision)
    }

    fn may_fix_places(&self) -> bool {
        self.request.subject.lowering.places == lower::Places::Any && self.session.may_prepare(self.time)
    }

    /// A counterexample rests on where objects lie, and no run shows it. There is no proof then, but there may be a violation
    /// that does not depend on that, with the objects where the interpreter has them: one that the compiled program shows.
    fn without_places(&self, why: &Why) -> Decision {
        let mut fixed = self.request.clone();
        fixed.subject.lowering.places = lower::Places::Fixed;
        fixed.plan.only_violations = true;
        match load::lowered(&fixed.subject).map(|program| decide(&program, &fixed, self.time, self.session)) {
            Ok(decision) if decision.verdict.counterexample().is_some_and(is_shown) => decision,
            _ => self.unknown(why),
        }
    }

    /// Whether structs are taken apart at their arrays, and need not be.
    fn may_join_members(&self) -> bool {
        let is_apart = has_location(self.prepared, transform::memory::is_outside_array);
        is_apart && !self.request.subject.whole_structs && self.session.may_prepare(self.time)
    }

    fn may_see_own_addresses(&self) -> bool {
        let is_worth_it = self.may_fix_places() && !self.request.subject.sees_own_addresses;
        is_worth_it && places::are_open(self.program, &self.prepared.flat)
    }

    /// There is no proof, and parts of addresses may be anything: then so may all of the memory that points-to analysis does not tell from that of
    /// addresses, and most ways to an error rest on what no memory shows. Where the program sees our own addresses instead, all
    /// that it reads is what it wrote, or was given. Only the compiled program tells whether another machine goes the same way.
    fn seeing_own_addresses(&self, time: Option<Duration>) -> Option<Decision> {
        let mut own = self.request.clone();
        own.subject.sees_own_addresses = true;
        own.plan.only_violations = true;
        own.quick = false;
        let time = self.session.until(time, OWN_ADDRESSES_PART);
        let decision = decide(self.program, &own, time, self.session);
        decision.verdict.counterexample().is_some_and(is_shown).then_some(decision)
    }

    /// Its counterexamples as compiled programs, without a word to who watches.
    pub(crate) fn silent_replays(&self) -> Replays<'_> {
        let left = self.request.limits.cpu_time.map(|limit| self.session.left(Some(limit)));
        Replays { program: self.program, prepared: self.prepared, request: self.request, left }
    }

    fn replays(&self) -> Replays<'_> {
        self.session.observer.phase("running the counterexample");
        self.silent_replays()
    }

    pub(crate) fn seen(&self, checked: &Checked<Violated>, native: report::Native) -> Decision {
        let verdict = Verdict::violated(self.program, &self.prepared.program, checked, native);
        Decision { verdict, evidence: evidence::of_violation(self, checked.evidence()) }
    }

    pub(crate) fn proved(&self, verdict: Verdict, reason: Reason<'_>) -> Decision {
        let wanted = self.request.keep.automaton && !self.session.cancellation.is_cancelled();
        let automaton = wanted.then(|| Box::new(self.prepared.program.clone()));
        let is_checked = !matches!(&verdict, Verdict::True { proof, .. } if proof.accepted_unchecked);
        let witness = match reason {
            Reason::Contracts(folded) => evidence::with_contracts(self.request, folded, is_checked),
            _ => evidence::correctness(self.request, self.prepared, reason.proof(), is_checked),
        };
        let certificate = certificates::of_proof(self, reason);
        let annotated = annotate::of_proof(self.request, self.prepared, reason);
        Decision { verdict, evidence: Evidence { witness, certificate, annotated, automaton, ..Evidence::none() } }
    }

    pub(crate) fn unknown(&self, why: &Why) -> Decision {
        if let Why::CheckFailed(_) = why {
            self.session.check_failed(why);
        }
        Decision::bare(Verdict::unknown(why))
    }
}

/// Whether the compiled program shows it, too.
fn is_shown(found: &report::Counterexample) -> bool {
    matches!(found.native, report::Native::Confirmed { .. })
}

/// Whether another way to look at the program may have an answer.
fn is_undecided(answer: &Answer) -> bool {
    matches!(
        answer,
        Answer::Unknown(Why::Timeout | Why::GaveUp(_) | Why::BoundHit(_) | Why::Unsupported(_))
            | Answer::Pending(Pending::Proof { .. })
    )
}

/// Where pointers have too few bits for offsets: the program with more of them, if then no object is out of reach.
pub(crate) fn with_more_room(
    prepared: &Program,
    request: &Request,
    prepare: impl Fn(&Program, &Request) -> Prepared,
) -> Option<(Program, Request)> {
    if request.subject.lowering.room > 0 || !is_cramped(prepared) {
        return None;
    }
    let rooms: &[u64] = match request.subject.data_model {
        cfront::types::DataModel::Ilp32 => &[MORE_ROOM, lower::largest(cfa::DataModel::Ilp32)],
        cfront::types::DataModel::Lp64 => &[lower::largest(cfa::DataModel::Lp64) + 1],
    };
    rooms.iter().find_map(|room| {
        let mut roomier = request.clone();
        roomier.subject.lowering.room = *room;
        let program = load::lowered(&roomier.subject).ok()?;
        let prepared = prepare(&program, &roomier);
        (!is_cramped(&prepared.program)).then_some((program, roomier))
    })
}

/// Whether objects may be larger than offsets reach, or pointers that reach so far are put where they have no room.
fn is_cramped(prepared: &Program) -> bool {
    prepared
        .main()
        .locs
        .values()
        .any(|location| lower::is_too_large(&location.kind) || lower::is_too_wide(&location.kind))
}
