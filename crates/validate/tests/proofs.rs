//! Proofs by invariants and by exhaustion with something wrong in them: each is refused.

use base::Id;
use cfa::{Loc, Program};
use smt::{Answer, Limits, Solver, SolverSettings, Stats, Why};
use std::collections::BTreeMap;
use std::time::Duration;
use term::{Store, Term, Value};
use validate::recheck::{Claim, Failure, recheck};

fn program(vars: &str, body: &str) -> Program {
    let text = format!(
        "machine lp64 32 32\nvar $size [bv32 -> bv64] memory\nvar $live [bv32 -> bool] memory\n{vars}entry f0\n\n\
         function f0 \"main\" params () entry L0 exit L1\n{body}"
    );
    cfa::text::parse(&text).expect("a program")
}

/// `x = y = 0; while (x < 10) { x++; y++; } assert(y == 10);`
fn twins() -> Program {
    program(
        "var x bv32 global\nvar y bv32 global\n",
        "  L0
    e0 -> L2 assign x := 0:32, y := 0:32
  L1 end return
  L2
    e1 -> L3 assume (bvslt x 10:32)
    e2 -> L4 assume (not (bvslt x 10:32))
  L3
    e3 -> L2 assign x := (bvadd x 1:32), y := (bvadd y 1:32)
  L4
    e4 -> L5 assume (not (= y 10:32))
    e5 -> L1 assume (= y 10:32)
  L5 error unreach-call \"bad\"
",
    )
}

/// `x = y = 0; while (*) if (x < 10) { x++; y++; } assert(y <= 10);`
fn kept() -> Program {
    program(
        "var x bv32 global\nvar y bv32 global\nvar go bool global\n",
        "  L0
    e0 -> L2 assign x := 0:32, y := 0:32
  L1 end return
  L2
    e1 -> L3 havoc (go) input \"go\"
  L3
    e2 -> L4 assume go
    e3 -> L6 assume (not go)
  L4
    e4 -> L5 assume (bvslt x 10:32)
    e5 -> L2 assume (not (bvslt x 10:32))
  L5
    e6 -> L2 assign x := (bvadd x 1:32), y := (bvadd y 1:32)
  L6
    e7 -> L7 assume (bvslt 10:32 y)
    e8 -> L1 assume (not (bvslt 10:32 y))
  L7 error unreach-call \"bad\"
",
    )
}

/// `a = 0; b = 1; while (*) { t = a; a = b; b = t; } assert(a != 5)`: that only zeros and ones are swapped is found by
/// looking back two rounds: `a != 5` is 2-inductive, not 1-inductive.
fn swapped() -> Program {
    program(
        "var a bv32 global\nvar b bv32 global\nvar go bool global\n",
        "  L0
    e0 -> L2 assign a := 0:32, b := 1:32
  L1 end return
  L2
    e1 -> L3 assume (= a 5:32)
    e2 -> L4 assume (not (= a 5:32))
  L3 error unreach-call \"bad\"
  L4
    e3 -> L5 havoc (go) input \"go\"
  L5
    e4 -> L2 assign a := b, b := a
",
    )
}

/// A hundred times `if (*) s++;`, then `assert(s <= bound)`.
fn ifs(count: u32, bound: u32) -> Program {
    let mut body = String::from("  L0\n    e0 -> L2 assign s := 0:32\n  L1 end return\n");
    let mut edges = 1;
    let mut edge = |text: String| {
        edges += 1;
        format!("    e{} -> {text}\n", edges - 1)
    };
    for n in 0..count {
        let (at, inside, next) = (2 + 3 * n, 3 + 3 * n, 5 + 3 * n);
        body += &format!("  L{at}\n{}", edge(format!("L{inside} havoc (c) input \"c\"")));
        body += &format!("  L{inside}\n{}", edge(format!("L{} assume c", inside + 1)));
        body += &edge(format!("L{next} assume (not c)"));
        body += &format!("  L{}\n{}", inside + 1, edge(format!("L{next} assign s := (bvadd s 1:32)")));
    }
    let last = 2 + 3 * count;
    body += &format!("  L{last}\n{}", edge(format!("L{} assume (bvslt {bound}:32 s)", last + 1)));
    body += &edge(format!("L1 assume (not (bvslt {bound}:32 s))"));
    body += &format!("  L{} error unreach-call \"bad\"\n", last + 1);
    program("var s bv32 global\nvar c bool global\n", &body)
}

fn solver() -> Box<dyn Solver> {
    smt::open(&SolverSettings::default()).expect("a solver")
}

fn check_with(program: &Program, at: &[(usize, &str)], k: u32, solver: &mut dyn Solver) -> Result<(), Failure> {
    let mut terms = program.terms.clone();
    let mut invariants: BTreeMap<Loc, Term> = BTreeMap::new();
    for (loc, text) in at {
        invariants.insert(Loc::new(*loc), term::smtlib::parse_term(&mut terms, text).expect("a term"));
    }
    let deadline = base::cpu::Deadline::after(Duration::from_secs(60));
    recheck(program, &mut terms, Claim::Inductive { invariants: &invariants, k }, solver, deadline)
}

fn check(program: &Program, at: &[(usize, &str)], k: u32) -> Result<(), Failure> {
    check_with(program, at, k, solver().as_mut())
}

fn exhausted(program: &Program, bound: u32) -> Result<(), Failure> {
    let deadline = base::cpu::Deadline::after(Duration::from_secs(60));
    let claim = Claim::Exhausted { bound };
    recheck(program, &mut program.terms.clone(), claim, solver().as_mut(), deadline)
}

const RIGHT: &str = "(and (= x y) (bvsle x #x0000000a))";

#[test]
fn mutated_invariants_are_refused() {
    let program = kept();
    assert_eq!(check(&program, &[(2, RIGHT)], 1), Ok(()));
    let mutants = [
        ("weakened to nothing", "true"),
        ("a conjunct dropped", "(= x y)"),
        ("the other conjunct dropped", "(bvsle x #x0000000a)"),
        ("shifted up by one", "(and (= x y) (bvsle x #x0000000b))"),
        ("shifted down by one", "(and (= x y) (bvsle x #x00000009))"),
        ("strengthened", "(and (= x y) (bvsle x #x0000000a) (bvslt #x00000000 x))"),
        ("strengthened to one state", "(and (= x #x00000000) (= y #x00000000))"),
        ("strengthened to nothing", "false"),
        ("unsigned where signed is meant", "(and (= x y) (bvule x #x00000009))"),
        ("off in one variable", "(and (= x (bvadd y #x00000001)) (bvsle x #x0000000a))"),
        ("turned around", "(and (= x y) (bvsle #x0000000a x))"),
        ("true of nine rounds", "(and (= x y) (bvslt x #x00000009))"),
    ];
    for (what, mutant) in mutants {
        let verdict = check(&program, &[(2, mutant)], 1);
        assert!(verdict.as_ref().is_err_and(Failure::refutes), "{what}: {verdict:?}");
    }
}

#[test]
fn an_invariant_at_the_entry_is_not_taken_on_trust() {
    let program = twins();
    for at in [&[(0, "false"), (2, "false")][..], &[(0, "(= x #x00000003)"), (2, "false")], &[(0, "false")]] {
        let verdict = check(&program, at, 1);
        assert!(verdict.as_ref().is_err_and(Failure::refutes), "{at:?}: {verdict:?}");
    }
}

#[test]
fn an_invariant_elsewhere_is_not_taken_on_trust() {
    let program = twins();
    for (loc, text) in [(3, "false"), (4, "(= y #x0000000a)"), (4, "false")] {
        let verdict = check(&program, &[(2, "true"), (loc, text)], 1);
        assert!(verdict.as_ref().is_err_and(Failure::refutes), "{loc}: {verdict:?}");
    }
}

#[test]
fn strange_symbols_are_refused() {
    let program = twins();
    let mut terms = program.terms.clone();
    let stranger = terms.var("stranger", term::Sort::Bool);
    let invariants = BTreeMap::from([(Loc::new(2), stranger)]);
    let claim = Claim::Inductive { invariants: &invariants, k: 1 };
    let deadline = base::cpu::Deadline::after(Duration::from_secs(60));
    let verdict = recheck(&program, &mut terms, claim, solver().as_mut(), deadline);
    assert!(matches!(verdict, Err(Failure::ForeignSymbol { .. })), "{verdict:?}");
}

#[test]
fn the_depth_of_an_induction_matters() {
    let program = swapped();
    assert_eq!(check(&program, &[], 2), Ok(()));
    let verdict = check(&program, &[], 1);
    assert!(verdict.as_ref().is_err_and(Failure::refutes), "{verdict:?}");
    // Twins are inductive at no depth that small without their invariant.
    for k in [1, 2, 3, 9] {
        assert!(check(&twins(), &[], k).is_err_and(|failure| failure.refutes()), "{k}");
    }
}

#[test]
fn bounds_are_exact() {
    // The head is visited eleven times.
    assert_eq!(exhausted(&twins(), 11), Ok(()));
    assert_eq!(exhausted(&twins(), 12), Ok(()));
    for bound in [0, 1, 5, 10] {
        assert!(matches!(exhausted(&twins(), bound), Err(Failure::NotExhausted(_))), "{bound}");
    }
    assert!(matches!(exhausted(&swapped(), 20), Err(Failure::NotExhausted(_))));
}

#[test]
fn ranges_prove_without_a_solver_and_only_what_is_true() {
    assert_eq!(check_with(&ifs(1000, 1000), &[], 1, &mut Silent), Ok(()));
    // One too many: ranges do not exclude it, and the solver finds it.
    let verdict = check(&ifs(8, 7), &[], 1);
    assert!(matches!(verdict, Err(Failure::TargetReachable(_))), "{verdict:?}");
    let verdict = check_with(&ifs(8, 7), &[], 1, &mut Silent);
    assert!(matches!(verdict, Err(Failure::NoAnswer(_))), "{verdict:?}");
}

/// `x` and `y` are one of the pairs: a tree of decisions, not a list.
fn decisions(pairs: &[(u32, u32)]) -> String {
    let case = |(x, y): &(u32, u32)| format!("(and (= x #x{x:08x}) (= y #x{y:08x}))");
    let (last, others) = pairs.split_last().expect("some");
    others.iter().rfold(case(last), |tree, pair| format!("(or {} (and (not (= x #xffffffff)) {tree}))", case(pair)))
}

#[test]
fn an_invariant_by_cases_is_accepted_and_its_mutants_are_refused() {
    let right: Vec<(u32, u32)> = (0..=10).map(|n| (n, n)).collect();
    assert_eq!(check(&twins(), &[(2, &decisions(&right))], 1), Ok(()));
    for n in 0..=10 {
        let mut missing = right.clone();
        missing.remove(n);
        let mut shifted = right.clone();
        shifted[n].1 += 1;
        // Not (10, 20): nothing leads there, and it leads out.
        let more = [right.clone(), vec![((n as u32).min(9), 20)]].concat();
        for wrong in [missing, shifted, more] {
            let verdict = check(&twins(), &[(2, &decisions(&wrong))], 1);
            assert!(verdict.as_ref().is_err_and(Failure::refutes), "{wrong:?}: {verdict:?}");
        }
    }
}

/// A machine with a state, a number and the number that it started with, which anything can be: in each round, `choices` times, what
/// nobody asks about is chosen; then the state goes on, and the number with it; in state 3 it has to be 3 more than at first.
fn ring(choices: usize, step: u32) -> Program {
    let mut body = String::from(
        "  L0\n    e0 -> L2 havoc (first) input \"first\"\n  L1 end return\n  L2\n    e1 -> L3 assign at := 0:32, now := first\n",
    );
    let (mut edge, mut loc) = (2, 3);
    let mut line = |text: &str| {
        edge += 1;
        format!("    e{} -> {text}\n", edge - 1)
    };
    for _ in 0..choices {
        body += &format!("  L{loc}\n{}", line(&format!("L{} havoc (any) input \"any\"", loc + 1)));
        body += &format!("  L{}\n{}", loc + 1, line(&format!("L{} assume (bvult any 5:32)", loc + 2)));
        body += &line(&format!("L{} assume (not (bvult any 5:32))", loc + 2));
        body += &format!("  L{}\n{}", loc + 2, line(&format!("L{} assign old := any", loc + 3)));
        loc += 3;
    }
    body += &format!("  L{loc}\n{}", line(&format!("L{} assume (= at 3:32)", loc + 1)));
    body += &line(&format!("L{} assume (not (= at 3:32))", loc + 2));
    body += &format!("  L{}\n{}", loc + 1, line(&format!("L{} assume (= now (bvadd first 3:32))", loc + 3)));
    body += &line(&format!("L{} assume (not (= now (bvadd first 3:32)))", loc + 4));
    body +=
        &format!("  L{}\n{}", loc + 2, line(&format!("L3 assign at := (bvadd at 1:32), now := (bvadd now {step}:32)")));
    body += &format!("  L{}\n{}", loc + 3, line("L3 assign at := 0:32, now := first"));
    body += &format!("  L{} error unreach-call \"bad\"\n", loc + 4);
    let vars = ["first", "now", "at", "any", "old"].map(|name| format!("var {name} bv32 global\n")).concat();
    program(&vars, &body)
}

/// In each state, how much the number is more than at first: between two bounds.
fn machine_states(more: &[(u32, u32)]) -> String {
    let mut cases = String::new();
    for (at, (least, most)) in more.iter().enumerate() {
        let apart = "(bvadd now (bvneg first))";
        cases += &match least == most {
            true => format!("(and (= at #x{at:08x}) (= now (bvadd first #x{least:08x})))"),
            false => {
                format!("(and (= at #x{at:08x}) (bvsle #x{least:08x} {apart}) (bvsle {apart} #x{most:08x}))")
            }
        };
    }
    format!("(or {cases})")
}

#[test]
fn differences_by_cases_need_no_solver_and_their_mutants_are_refused() {
    let right = [(0, 0), (1, 1), (2, 2), (3, 3)];
    // Of twenty choices nobody asks about any there are a million ways, and one state.
    let verdict = check_with(&ring(20, 1), &[(3, &machine_states(&right))], 1, &mut Silent);
    assert_eq!(verdict, Ok(()));
    for n in 0..4 {
        for wrong in [(n + 1, n + 1), (n.max(1) - 1, n.max(1) - 1), (n, n + 1), (n.max(1) - 1, n)] {
            let mut mutant = right;
            mutant[n as usize] = wrong;
            // The last state may say less: an induction that begins one round earlier makes up for it.
            if mutant == right || n == 3 && wrong.0 < wrong.1 {
                continue;
            }
            let verdict = check(&ring(2, 1), &[(3, &machine_states(&mutant))], 1);
            assert!(verdict.as_ref().is_err_and(Failure::refutes), "{mutant:?}: {verdict:?}");
            let verdict = check_with(&ring(2, 1), &[(3, &machine_states(&mutant))], 1, &mut Silent);
            assert!(verdict.is_err(), "{mutant:?}: {verdict:?}");
        }
    }
    // The same invariant of a machine whose number goes on faster.
    let verdict = check(&ring(2, 2), &[(3, &machine_states(&right))], 1);
    assert!(verdict.as_ref().is_err_and(Failure::refutes), "{verdict:?}");
}

#[test]
fn a_variable_that_the_invariant_asks_about_is_not_forgotten() {
    // Nothing reads `last`, but for the invariant: the state of the round before.
    let vars = ["at", "last"].map(|name| format!("var {name} bv32 global\n")).concat();
    let body = "  L0\n    e0 -> L2 assign at := 0:32, last := 0:32\n  L1 end return\n\
        \x20 L2\n    e1 -> L3 assume (bvult at 4:32)\n    e2 -> L6 assume (not (bvult at 4:32))\n\
        \x20 L3\n    e3 -> L4 assign last := at\n\
        \x20 L4\n    e4 -> L5 assume (bvult at 3:32)\n    e5 -> L2 assume (not (bvult at 3:32))\n\
        \x20 L5\n    e6 -> L2 assign at := (bvadd at 1:32)\n\
        \x20 L6 error unreach-call \"bad\"\n";
    let machine = program(&vars, body);
    let claimed = |most: u32| format!("(and (bvult at #x00000004) (bvult last #x{most:08x}))");
    assert_eq!(check_with(&machine, &[(2, &claimed(4))], 1, &mut Silent), Ok(()));
    let verdict = check(&machine, &[(2, &claimed(3))], 1);
    assert!(verdict.as_ref().is_err_and(Failure::refutes), "{verdict:?}");
}

#[test]
fn programs_that_the_steps_do_not_ask_about_are_refused() {
    let vars = ["x", "y"].map(|name| format!("var {name} bv32 global\n")).concat();
    let at_once = program(&vars, "  L0 error unreach-call \"bad\"\n  L1 end return\n");
    assert!(check_with(&at_once, &[], 1, &mut Silent).is_err(), "the entry is a target");
    let twice = program(
        &vars,
        "  L0\n    e0 -> L2 assign x := y\n  L1 end return\n\
        \x20 L2\n    e1 -> L3 assume (= x y)\n    e2 -> L4 assume (not (= x y))\n\
        \x20 L3\n    e3 -> L2 assign x := y, x := (bvadd y 1:32)\n\
        \x20 L4 error unreach-call \"bad\"\n",
    );
    assert!(check_with(&twice, &[(2, "(= x y)")], 1, &mut Silent).is_err(), "a variable has two values");
}

#[test]
fn a_solver_without_answers_proves_nothing() {
    let verdict = check_with(&twins(), &[(2, "(and (= (bvxor x y) #x00000000) (bvsle x #x0000000a))")], 1, &mut Silent);
    assert!(matches!(verdict, Err(Failure::NoAnswer(_))), "{verdict:?}");
}

/// A solver that never answers.
struct Silent;

impl Solver for Silent {
    fn push(&mut self) {}

    fn pop(&mut self) {}

    fn assert(&mut self, _: &Store, _: Term) {}

    fn check(&mut self, _: &Store, _: &[Term]) -> Result<Answer, Why> {
        Err(Why::GaveUp("silent".into()))
    }

    fn value(&mut self, _: &Store, _: Term) -> Result<Value, Why> {
        Err(Why::NotAvailable)
    }

    fn core(&mut self) -> Result<Vec<Term>, Why> {
        Err(Why::NotAvailable)
    }

    fn limit(&mut self, _: &Limits) {}

    fn stats(&self, _: &mut Stats) {}
}

/// Says nothing to the first questions, and answers from then on.
struct Late {
    inner: Box<dyn Solver>,
    silent: u32,
}

impl Solver for Late {
    fn push(&mut self) {
        self.inner.push();
    }

    fn pop(&mut self) {
        self.inner.pop();
    }

    fn assert(&mut self, store: &Store, fact: Term) {
        self.inner.assert(store, fact);
    }

    fn check(&mut self, store: &Store, assumptions: &[Term]) -> Result<Answer, Why> {
        if self.silent > 0 {
            self.silent -= 1;
            return Err(Why::Timeout);
        }
        self.inner.check(store, assumptions)
    }

    fn value(&mut self, store: &Store, term: Term) -> Result<Value, Why> {
        self.inner.value(store, term)
    }

    fn core(&mut self) -> Result<Vec<Term>, Why> {
        self.inner.core()
    }

    fn limit(&mut self, limits: &Limits) {
        self.inner.limit(limits);
    }

    fn stats(&self, into: &mut Stats) {
        self.inner.stats(into);
    }
}

/// `f = x < 5 ? 1 : 2; if (f == 1 && x > 10) assert(x != 20); else assert(x != bad);` The first assertion is not reached along any path,
/// which ranges see path by path and not where the paths have met.
fn detour(bad: u32, is_swapped: bool) -> Program {
    let (taken, other) = ("(and (= f 1:32) (bvult 10:32 x))", "(not (and (= f 1:32) (bvult 10:32 x)))");
    let (first, second) = if is_swapped { ((7, other), (6, taken)) } else { ((6, taken), (7, other)) };
    let body = format!(
        "  L0
    e0 -> L2 havoc (x) input \"x\"
  L1 end return
  L2
    e1 -> L3 assume (bvult x 5:32)
    e2 -> L4 assume (not (bvult x 5:32))
  L3
    e3 -> L5 assign f := 1:32
  L4
    e4 -> L5 assign f := 2:32
  L5
    e5 -> L{} assume {}
    e6 -> L{} assume {}
  L6
    e7 -> L8 assume (= x 20:32)
    e8 -> L1 assume (not (= x 20:32))
  L7
    e9 -> L9 assume (and (= x {bad}:32) (= f 2:32))
    e10 -> L1 assume (not (and (= x {bad}:32) (= f 2:32)))
  L8 error unreach-call \"first\"
  L9 error unreach-call \"second\"
",
        first.0, first.1, second.0, second.1
    );
    program("var x bv32 global\nvar f bv32 global\n", &body)
}

#[test]
fn paths_that_are_kept_apart_leave_nothing_out() {
    for silent in [0, 1, 2, 3, 4, 5, 6, 8, 12] {
        let check =
            |program: &Program, at: &[(usize, &str)]| check_with(program, at, 1, &mut Late { inner: solver(), silent });
        for is_swapped in [false, true] {
            // With `f == 2` the number is 5 or more.
            assert_ne!(check(&detour(7, is_swapped), &[]), Ok(()), "{silent}");
            assert!(!matches!(check(&detour(3, is_swapped), &[]), Err(failure) if failure.refutes()), "{silent}");
        }
        for wrong in ["true", "(= x y)", "(bvsle x #x0000000a)", "(and (= x y) (bvsle x #x0000000b))"] {
            assert_ne!(check(&kept(), &[(2, wrong)]), Ok(()), "{silent} {wrong}");
        }
        assert!(!matches!(check(&kept(), &[(2, RIGHT)]), Err(failure) if failure.refutes()), "{silent}");
    }
}

#[test]
fn along_each_path_ranges_decide_what_they_do_not_where_paths_meet() {
    assert_eq!(check_with(&detour(3, false), &[], 1, &mut Silent), Ok(()));
}

/// `i = 0; while (i < 5) { a[3 * i + 1] = b[read]; i++; } assert(a[3 * x + 1] == b[3 * x + 1])` for any `x` below 5.
fn copied(written: &str, read: &str) -> Program {
    let at = "(bvadd (bvmul x 3:8) 1:8)";
    program(
        "var a [bv8 -> bv8] global\nvar b [bv8 -> bv8] global\nvar i bv8 global\nvar x bv8 global\n",
        &format!(
            "  L0
    e0 -> L2 assign i := 0:8
  L1 end return
  L2
    e1 -> L3 assume (bvult i 5:8)
    e2 -> L4 assume (not (bvult i 5:8))
  L3
    e3 -> L2 assign a := (store a {written} (select b {read})), i := (bvadd i 1:8)
  L4
    e4 -> L5 havoc (x) input \"x\"
  L5
    e5 -> L6 assume (bvult x 5:8)
    e6 -> L1 assume (not (bvult x 5:8))
  L6
    e7 -> L7 assume (not (= (select a {at}) (select b {at})))
    e8 -> L1 assume (= (select a {at}) (select b {at}))
  L7 error unreach-call \"bad\"
"
        ),
    )
}

#[test]
fn what_holds_of_all_cells_is_proved_again_however_late_the_solver_answers() {
    let index = |add: u32| format!("(bvadd (bvmul i 3:8) {add}:8)");
    let right = copied(&index(1), &index(1));
    let claimed = |end: &str| {
        let at = "(bvadd (bvmul $g #x03) #x01)";
        format!("(and (bvule i #x05) (forall (($g (_ BitVec 8))) (or {end} (= (select a {at}) (select b {at})))))")
    };
    // Where the first questions have no answer, cases are asked about: whether the cell is the one that is written.
    for silent in 0..4 {
        let late = || Late { inner: solver(), silent };
        let verdict = check_with(&right, &[(2, &claimed("(bvule i $g)"))], 1, &mut late());
        assert_eq!(verdict, Ok(()), "{silent}");
        for wrong in ["(bvult i $g)", "(bvule i (bvadd $g #x01))", "(bvule #x05 $g)", "(= i $g)"] {
            let verdict = check_with(&right, &[(2, &claimed(wrong))], 1, &mut late());
            assert!(verdict.is_err(), "{wrong} {silent}: {verdict:?}");
        }
        // The wrong cell is read, or written.
        for (written, read) in [(1, 2), (2, 1), (2, 2)] {
            let program = copied(&index(written), &index(read));
            let verdict = check_with(&program, &[(2, &claimed("(bvule i $g)"))], 1, &mut late());
            assert!(verdict.is_err(), "{written} {read} {silent}: {verdict:?}");
        }
    }
}

/// One of many variables is changed on one of two ways: where these meet it may be what it is on either.
#[test]
fn what_one_way_changes_is_not_lost_among_many_variables() {
    for changed in 0..80 {
        let vars: String = (0..80).map(|i| format!("var x{i} bv8 global\n")).collect();
        let zeros: Vec<String> = (0..80).map(|i| format!("x{i} := 0:8")).collect();
        let program = program(
            &format!("{vars}var go bool global\n"),
            &format!(
                "  L0
    e0 -> L2 assign {}
  L1 end return
  L2
    e1 -> L3 havoc (go) input \"go\"
  L3
    e2 -> L4 assume go
    e3 -> L5 assume (not go)
  L4
    e4 -> L5 assign x{changed} := 1:8
  L5
    e5 -> L6 assume (= x{changed} 1:8)
    e6 -> L1 assume (not (= x{changed} 1:8))
  L6 error unreach-call \"bad\"
",
                zeros.join(", ")
            ),
        );
        assert!(matches!(exhausted(&program, 1), Err(Failure::TargetReachable(_))), "x{changed}");
        assert!(matches!(check(&program, &[], 1), Err(Failure::TargetReachable(_))), "x{changed}");
    }
}
