//! An engine that lies is caught: whatever it claims about a program of which the opposite holds, no checked answer comes of
//! it.

use cfa::{Loc, LocKind, Program};
use cfront::types::DataModel;
use engine::{Board, Budget, Cx, Danger, DeepTrace, Evidence, Proof, Question, Task, Trace, Verdict};
use std::collections::BTreeMap;
use std::time::Duration;
use term::Term;
use transform::Aim;
use transform::contract::{self, Calls};
use transform::inline::Recursion;
use transform::pipeline::{Prepared, Settings, prepare};
use validate::Answer;
use validate::judge::{Definedness, Said, judge};

const UNSAFE: &str = "extern void reach_error(void); extern unsigned __VERIFIER_nondet_uint(void);
    int main(void) { unsigned n = __VERIFIER_nondet_uint(), i = 0; while (i < n) i += 2; if (i != n) reach_error(); }";
const SAFE: &str = "extern void reach_error(void); extern unsigned __VERIFIER_nondet_uint(void);
    int main(void) { unsigned n = __VERIFIER_nondet_uint(), i = 0; while (i < n) i++; if (i != n) reach_error(); }";
const ENDLESS: &str = "extern int __VERIFIER_nondet_int(void);
    int main(void) { int n = __VERIFIER_nondet_int(); while (n < 10) n = n < 0 ? 0 : n; }";

struct Asked {
    lowered: Program,
    prepared: Prepared,
    task: Task,
}

fn asked(text: &str, question: Question) -> Asked {
    let unit =
        cfront::load_text(text, &cfront::Options::new(DataModel::Lp64)).unwrap_or_else(|f| panic!("{}", f.render()));
    let lowered = lower::lower(&unit, &lower::Options::default()).expect("a program");
    let mut settings = Settings::new(if question == Question::Reach { Aim::Targets } else { Aim::InfiniteRuns });
    if question == Question::AlwaysEnds {
        settings.inline.calls = Recursion::Chain;
    }
    let prepared = prepare(&lowered, &settings);
    let task = Task { question, ..Task::new(prepared.program.clone()) };
    Asked { lowered, prepared, task }
}

impl Asked {
    fn judged(&self, lie: impl Fn(&mut Cx, &Program) -> Verdict) -> Answer {
        let budget = Budget::new(Duration::from_secs(10), u64::MAX);
        let mut cx = Cx::new(&self.task, budget.clone(), Board::new(), smt::SolverSettings::default());
        let verdict = lie(&mut cx, &self.task.program);
        let definedness = Definedness::Followed;
        let said = Said { prepared: &self.prepared, task: &self.task, engine: "liar", budget: &budget, definedness };
        judge(&self.lowered, said, verdict, &mut cx)
    }

    fn refuses(&self, what: &str, lie: impl Fn(&mut Cx, &Program) -> Verdict) {
        let answer = self.judged(lie);
        assert!(matches!(answer, Answer::Unknown(_) | Answer::Pending(_)), "{what}: {answer}");
    }
}

fn heads(program: &Program) -> Vec<Loc> {
    flow::wto::Wto::new(program.main()).heads().collect()
}

fn error(program: &Program) -> Loc {
    let is_error = |loc: &Loc| matches!(program.main().locs[*loc].kind, LocKind::Error(_));
    program.main().locs.ids().find(is_error).expect("an error location")
}

fn everywhere(program: &Program, formula: Term) -> BTreeMap<Loc, Term> {
    heads(program).into_iter().map(|head| (head, formula)).collect()
}

#[test]
fn a_bug_is_not_proved_away() {
    let asked = asked(UNSAFE, Question::Reach);
    for k in [1, 2, 50] {
        asked.refuses("no invariants", |_, _| Verdict::Safe(Proof::Invariants { at: BTreeMap::new(), k }));
        asked.refuses("false everywhere", |cx, program| {
            let never = cx.terms.bool(false);
            Verdict::Safe(Proof::Invariants { at: everywhere(program, never), k })
        });
    }
    for bound in [0, 1, 2, 100, u64::MAX] {
        asked.refuses("explored", |_, _| Verdict::Safe(Proof::Exhausted { bound, explored: 1 }));
    }
}

#[test]
fn no_run_is_made_up() {
    let asked = asked(SAFE, Question::Reach);
    let trace = |program: &Program| Trace { target: error(program), inputs: Vec::new(), initial: BTreeMap::new() };
    asked.refuses("a trace", |_, program| Verdict::Unsafe(Evidence::Trace(trace(program))));
    for steps in [1, 1 << 20, u64::MAX] {
        asked.refuses("a deep trace", |_, program| {
            Verdict::Unsafe(Evidence::Deep(DeepTrace { trace: trace(program), repeats: Vec::new(), steps }))
        });
    }
    asked.refuses("no danger invariant", |_, _| Verdict::Unsafe(Evidence::Danger(Danger::default())));
    asked.refuses("a danger invariant", |cx, program| {
        let always = cx.terms.bool(true);
        let ranking = heads(program).into_iter().map(|head| (head, vec![cx.terms.bv(0, 32)])).collect();
        Verdict::Unsafe(Evidence::Danger(Danger {
            invariant: everywhere(program, always),
            ranking,
            ..Danger::default()
        }))
    });
}

const COUNTED: &str = "extern void reach_error(void); extern unsigned __VERIFIER_nondet_uint(void);
    int main(void) { unsigned n = __VERIFIER_nondet_uint(), c = 0;
      for (unsigned i = 0; i < n; i++) { unsigned x = __VERIFIER_nondet_uint(); if (x == 7) c++; else if (x == 9) c = 0; }
      if (n == 5 && c == 3) reach_error(); }";

/// The number of an input, and how many times it is given.
type Again = (usize, u64);

/// A run with its inputs in the order that they are asked for.
fn deep(program: &Program, values: &[u128], repeats: &[Again]) -> Verdict {
    let is_input = |e: &&cfa::EdgeInfo| matches!(e.op, cfa::Op::Havoc { .. });
    let edges = program.main().edges.iter().filter(|(_, e)| is_input(e)).map(|(id, _)| id).collect::<Vec<_>>();
    let [first, again] = edges[..] else { panic!("two inputs") };
    let value = |value: &u128| vec![term::Value::Bv(term::Bits::new(*value, 32))];
    let inputs = values.iter().enumerate().map(|(i, v)| (if i == 0 { first } else { again }, value(v))).collect();
    let trace = Trace { target: error(program), inputs, initial: BTreeMap::new() };
    let repeats = repeats.iter().map(|(from, times)| cfa::evidence::Repeat { from: *from, len: 1, times: *times });
    Verdict::Unsafe(Evidence::Deep(DeepTrace { trace, repeats: repeats.collect(), steps: 100 }))
}

#[test]
fn mutated_runs_are_refused() {
    let asked = asked(COUNTED, Question::Reach);
    let right: [(&[u128], &[Again]); 3] =
        [(&[5, 7, 7, 7, 1, 1], &[]), (&[5, 9, 7, 1], &[(2, 3)]), (&[5, 7], &[(1, 3)])];
    for (values, repeats) in right {
        let answer = asked.judged(|_, program| deep(program, values, repeats));
        assert!(matches!(answer, Answer::False(_)), "{values:?}: {answer}");
    }
    let wrong: [(&str, &[u128], &[Again]); 9] = [
        ("an input changed", &[5, 7, 7, 8, 1, 1], &[]),
        ("the first one changed", &[6, 7, 7, 7, 1, 1], &[]),
        ("cut off", &[5, 7, 7], &[]),
        ("one too many", &[5, 7, 7, 7, 7, 1], &[]),
        ("in another order", &[5, 7, 7, 7, 9, 1], &[]),
        ("repeated too often", &[5, 9, 7, 1], &[(2, 4)]),
        ("repeated too rarely", &[5, 9, 7, 1], &[(2, 2)]),
        ("another one repeated", &[5, 9, 7, 1], &[(3, 3)]),
        ("nothing", &[], &[]),
    ];
    for (what, values, repeats) in wrong {
        asked.refuses(what, |_, program| deep(program, values, repeats));
    }
}

#[test]
fn ends_are_not_made_up() {
    let always = asked(ENDLESS, Question::AlwaysEnds);
    always
        .refuses("no ranking", |_, _| Verdict::Safe(Proof::Ranking { at: BTreeMap::new(), ranking: BTreeMap::new() }));
    always.refuses("a ranking that does not decrease", |cx, program| {
        let always = cx.terms.bool(true);
        let ranking = heads(program).into_iter().map(|head| (head, vec![cx.terms.bv(7, 32)])).collect();
        Verdict::Safe(Proof::Ranking { at: everywhere(program, always), ranking })
    });
    // What says that nothing bad is reached does not say that anything ends.
    always.refuses("invariants", |cx, program| {
        let always = cx.terms.bool(true);
        Verdict::Safe(Proof::Invariants { at: everywhere(program, always), k: 1 })
    });
    for bound in [0, 1, 40] {
        always.refuses("unwound", |_, _| Verdict::Safe(Proof::Exhausted { bound, explored: 3 }));
    }
    let reach = asked(UNSAFE, Question::Reach);
    reach.refuses("a ranking, where errors are asked for", |cx, program| {
        let (always, i) = (cx.terms.bool(true), program.vars.ids().find(|v| program.name(*v) == "main::i"));
        let left = cx.terms.bvnot(program.term(i.expect("a variable")));
        let ranking = heads(program).into_iter().map(|head| (head, vec![left])).collect();
        Verdict::Safe(Proof::Ranking { at: everywhere(program, always), ranking })
    });
    let never = asked(SAFE, Question::NeverEnds);
    never.refuses("a recurrence set of all states", |cx, program| {
        let always = cx.terms.bool(true);
        Verdict::Unsafe(Evidence::Endless(Danger { invariant: everywhere(program, always), ..Danger::default() }))
    });
}

/// The honest ones get through the same door.
#[test]
fn the_truth_is_believed() {
    let asked = asked(SAFE, Question::Reach);
    let answer = asked.judged(|cx, program| {
        let var = |name: &str| program.vars.ids().find(|v| program.name(*v) == name).expect("a variable");
        let bound = cx.terms.ule(program.term(var("main::i")), program.term(var("main::n")));
        Verdict::Safe(Proof::Invariants { at: everywhere(program, bound), k: 1 })
    });
    assert!(matches!(answer, Answer::True(_)), "{answer}");
    // An error ends an execution like anything else.
    let ends = "extern void reach_error(void); extern unsigned char __VERIFIER_nondet_uchar(void);
        int main(void) { unsigned n = __VERIFIER_nondet_uchar() & 7; for (unsigned i = 0; i < n; i++) ; reach_error(); }";
    let unwound = |bound| {
        self::asked(ends, Question::AlwaysEnds).judged(|_, _| Verdict::Safe(Proof::Exhausted { bound, explored: 9 }))
    };
    assert!(matches!(unwound(8), Answer::True(_)), "{}", unwound(8));
    assert!(!matches!(unwound(7), Answer::True(_)), "{}", unwound(7));
}

/// Only of a program without inputs, memory and several errors it is known what a compiled run has to show.
#[test]
fn runs_that_nobody_has_made_are_of_programs_with_one_execution() {
    let body = "extern void reach_error(void); extern unsigned __VERIFIER_nondet_uint(void);\n int main(void) {";
    let lowered = |rest: &str| asked(&format!("{body} unsigned i = 0; {rest} }}"), Question::Reach).lowered;
    let unseen = |rest: &str| validate::execution::unseen(&lowered(rest));
    assert!(unseen("while (i != 7) i++; if (i == 7) reach_error();").is_some());
    for rest in [
        "i = __VERIFIER_nondet_uint(); if (i == 7) reach_error();",
        "unsigned j; if (i == j) reach_error();",
        "unsigned *p = &i; ++*p; if (i == 1) reach_error();",
        "if (i == 7) reach_error(); i++; if (i == 8) reach_error();",
        "i++;",
    ] {
        assert!(unseen(rest).is_none(), "{rest}");
    }
}

const RECURSIVE: &str = "extern void reach_error(void); extern unsigned __VERIFIER_nondet_uint(void); unsigned calls;
    unsigned thrice(unsigned n) { calls++; if (n == 0) return 0; return thrice(n - 1) + 3; }
    int main(void) { unsigned n = __VERIFIER_nondet_uint(); if (n > 1000) return 0;
      unsigned t = thrice(n); if (t != 3 * n || calls != n + 1) reach_error(); }";

/// Whether the program is proved by a contract of its only recursive function: what holds before and after, where `N` is the
/// argument, `R` the result, `B` the counter before, and `C` after.
fn proved_by(text: &str, before: &[&str], after: &[&str], calls: Calls) -> bool {
    let mut lowered = asked(text, Question::Reach).lowered;
    let mut contracts = contract::empty_contracts(&mut lowered).expect("recursion");
    let [only] = &mut contracts[..] else { panic!("one function") };
    let (now, then) = only.globals[0];
    let named = [('N', only.params[0]), ('R', only.result.expect("a result")), ('B', then), ('C', now)];
    let named = named.map(|(letter, var)| (letter, cfa::text::print_term(&lowered.terms, lowered.term(var))));
    let mut formula = |text: &&str| {
        let whole = named.iter().fold((*text).to_owned(), |text, (letter, name)| text.replace(*letter, name));
        cfa::text::parse_term(&mut lowered.terms, &whole).unwrap_or_else(|e| panic!("{e}: {whole}"))
    };
    (only.before, only.after) = (before.iter().map(&mut formula).collect(), after.iter().map(&mut formula).collect());
    let whole = contract::with_contracts(&lowered, &contracts, calls).program;
    let prepared = prepare(&whole, &Settings::new(Aim::Targets));
    let task = Task::new(prepared.program.clone());
    let asked = Asked { lowered: whole, prepared, task };
    // Without loops no invariant is needed: what there is to prove are the contracts.
    let answer = asked.judged(|_, _| Verdict::Safe(Proof::Invariants { at: BTreeMap::new(), k: 1 }));
    matches!(answer, Answer::True(_))
}

#[test]
fn mutated_contracts_are_refused() {
    let small = "(bvule N 1000:32)";
    let thrice = "(= R (bvmul 3:32 N))";
    let counted = "(= C (bvadd B (bvadd N 1:32)))";
    let wrong: [(&str, &[&str], &[&str]); 11] = [
        ("nothing is claimed", &[], &[]),
        ("one part is dropped", &[small], &[thrice]),
        ("the other one is", &[small], &[counted]),
        ("weakened", &[small], &[thrice, "(bvule B C)"]),
        ("shifted by one", &[small], &[thrice, "(= C (bvadd B N))"]),
        ("the base case is forgotten", &[small], &["(= R (bvmul 3:32 (bvadd N 1:32)))", counted]),
        ("the step is forgotten", &[small], &["(= R 0:32)", counted]),
        ("false after", &[small], &["false"]),
        ("false before", &["false"], &[thrice, counted]),
        ("too strong before", &["(bvule N 999:32)"], &[thrice, counted]),
        ("what the recursive call breaks", &["(= N 1000:32)"], &[thrice, counted]),
    ];
    for calls in [Calls::Recursive, Calls::All, Calls::Every] {
        assert!(proved_by(RECURSIVE, &[small], &[thrice, counted], calls), "{calls:?}");
        for (what, before, after) in wrong {
            // That the first call keeps the condition is asked only where contracts are to make sense to others.
            let is_own_business = calls == Calls::Recursive && what == "too strong before";
            assert_eq!(proved_by(RECURSIVE, before, after, calls), is_own_business, "{what} {calls:?}");
        }
        // The right contract, and code that does not keep it.
        for (right, mutant) in [("calls++", "calls += 2"), ("return 0", "return 1"), ("n - 1", "n - 2")] {
            let program = RECURSIVE.replace(right, mutant);
            assert!(!proved_by(&program, &[small], &[thrice, counted], calls), "{mutant} {calls:?}");
        }
    }
}

#[test]
fn mutated_fills_and_copies_are_refused() {
    let program = |fill: &str, copied: &str, asked: &str| {
        format!(
            "extern void reach_error(void); extern unsigned long __VERIFIER_nondet_ulong(void);
             void *memset(void *, int, unsigned long); void *memcpy(void *, const void *, unsigned long);
             unsigned char a[100], b[100];
             int main(void) {{ unsigned long n = __VERIFIER_nondet_ulong(), i = __VERIFIER_nondet_ulong();
               if (n > 90 || i >= 100) return 0;
               memset(a, 5, 100); {fill}; {copied}; if ({asked}) reach_error(); }}"
        )
    };
    let proved = |text: &str| {
        let answer =
            asked(text, Question::Reach).judged(|_, _| Verdict::Safe(Proof::Invariants { at: BTreeMap::new(), k: 1 }));
        matches!(answer, Answer::True(_))
    };
    let (fill, copied, question) =
        ("memset(a + 2, 7, n)", "memcpy(b + 3, a, n + 2)", "i >= 5 && i < n + 5 && b[i] != 7");
    assert!(proved(&program(fill, copied, question)));
    assert!(proved(&program(fill, copied, "i > n + 4 && b[i] != 0")));
    for (what, fill, copied, question) in [
        ("nothing filled", "", copied, question),
        ("filled too late", "memset(a + 3, 7, n)", copied, question),
        ("filled too early", "memset(a + 1, 7, n)", copied, question),
        ("another byte", "memset(a + 2, 6, n)", copied, question),
        ("one byte less", "memset(a + 2, 7, n - (n > 0))", copied, question),
        ("nothing copied", fill, "", question),
        ("one byte less is copied", fill, "memcpy(b + 3, a, n + 1)", question),
        ("from elsewhere", fill, "memcpy(b + 3, a + 1, n + 2)", question),
        ("to elsewhere", fill, "memcpy(b + 2, a, n + 2)", question),
        ("the other way round", fill, "memcpy(a, b, n + 2)", question),
        ("one cell before", fill, copied, "i >= 4 && i < n + 5 && b[i] != 7"),
        ("one cell behind", fill, copied, "i >= 5 && i <= n + 5 && b[i] != 7"),
        ("what is not copied is kept", fill, copied, "i >= n + 4 && b[i] != 0"),
    ] {
        assert!(!proved(&program(fill, copied, question)), "{what}");
    }
}
