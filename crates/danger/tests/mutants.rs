//! Danger invariants with something wrong in them: each is rejected, and for the right reason.

use base::Id;
use cfa::{Edge, Loc, Op, Program, Var};
use engine::Danger;
use smt::SolverSettings;
use std::collections::BTreeMap;
use std::time::Duration;
use term::Value;
use validate::danger::{Broken, Failure, Goal, check};

/// Figure 1b: `x = 0; y = 1; while (x < 1000000) { x++; if (*) y++; } assert(x != y);`, where x may be given at the entry.
fn program() -> Program {
    let text = "machine lp64 32 32
var $size [bv32 -> bv64] memory
var $live [bv32 -> bool] memory
var x bv32 global
var y bv32 global
var more bool global
entry f0

function f0 \"main\" params () entry L0 exit L6
  L0
    e0 -> L1 assign y := 1:32
  L1
    e1 -> L2 assume (bvslt x 1000000:32)
    e2 -> L4 assume (not (bvslt x 1000000:32))
  L2
    e3 -> L3 havoc (more) input \"nondet\"
  L3
    e4 -> L1 assign x := (bvadd x 1:32), y := (ite more (bvadd y 1:32) y)
  L4
    e5 -> L5 assume (= x y)
    e6 -> L6 assume (not (= x y))
  L5 error assert \"x != y\"
  L6 end return
";
    cfa::text::parse(text).expect("a program")
}

/// The pieces of a danger invariant, as SMT-LIB.
#[derive(Clone, Copy)]
struct Written {
    initial: u128,
    invariant: &'static str,
    ranking: &'static [&'static str],
    choice: &'static str,
}

const RIGHT: Written = Written {
    initial: 0,
    invariant: "(and (= y (ite (bvslt x #x00000001) #x00000001 x)) (bvsle #x00000000 x) (bvsle x #x000f4240))",
    ranking: &["(bvsub #x000f4240 x)"],
    choice: "(bvsge x #x00000001)",
};

fn verdict(written: Written) -> Result<(), Failure> {
    let program = program();
    let mut terms = program.terms.clone();
    let mut parse = |text: &str| term::smtlib::parse_term(&mut terms, text).expect("a term");
    let head = Loc::new(1);
    let havoc: Edge = program
        .main()
        .edges
        .iter()
        .find(|(_, e)| matches!(e.op, Op::Havoc { .. }))
        .map(|(id, _)| id)
        .expect("an input");
    let x: Var = program.vars.ids().find(|v| program.name(*v) == "x").expect("x");
    let danger = Danger {
        initial: BTreeMap::from([(x, Value::Bv(term::Bits::new(written.initial, 32)))]),
        invariant: BTreeMap::from([(head, parse(written.invariant))]),
        ranking: BTreeMap::from([(head, written.ranking.iter().map(|t| parse(t)).collect())]),
        choice: BTreeMap::from([(havoc, vec![parse(written.choice)])]),
    };
    let mut solver = smt::open(&SolverSettings::default()).expect("a solver");
    let deadline = base::cpu::Deadline::after(Duration::from_secs(60));
    check(&program, &mut terms, &danger, Goal::Error, solver.as_mut(), deadline)
}

#[test]
fn the_right_one_holds() {
    assert_eq!(verdict(RIGHT), Ok(()));
}

#[test]
fn mutants_are_rejected_with_the_right_reason() {
    let mutants = [
        // Wrong D.
        (
            "too weak: exits without an error",
            Broken::WrongEnd,
            Written { invariant: "(and (bvsle #x00000000 x) (bvsle x #x000f4240))", ..RIGHT },
        ),
        (
            "wrong relation",
            Broken::Initial,
            Written { invariant: "(and (= y x) (bvsle #x00000000 x) (bvsle x #x000f4240))", ..RIGHT },
        ),
        (
            "off by one",
            Broken::Left,
            Written {
                invariant: "(and (= y (ite (bvslt x #x00000002) #x00000001 x)) (bvsle #x00000000 x) (bvslt x #x000f4240))",
                ..RIGHT
            },
        ),
        (
            "left at the end",
            Broken::Left,
            Written {
                invariant: "(and (= y (ite (bvslt x #x00000001) #x00000001 x)) (bvsle #x00000000 x) (bvslt x #x000f4240))",
                ..RIGHT
            },
        ),
        // R does not decrease.
        ("constant ranking", Broken::NotDecreasing, Written { ranking: &["#x00000005"], ..RIGHT }),
        ("growing ranking", Broken::NotDecreasing, Written { ranking: &["x"], ..RIGHT }),
        ("no ranking", Broken::NotDecreasing, Written { ranking: &[], ..RIGHT }),
        ("ranking that wraps around", Broken::NotDecreasing, Written { ranking: &["(bvsub #x0000000a x)"], ..RIGHT }),
        // S leaves D.
        ("always more", Broken::Left, Written { choice: "true", ..RIGHT }),
        ("never more", Broken::Left, Written { choice: "false", ..RIGHT }),
        ("more too late", Broken::Left, Written { choice: "(bvsge x #x00000002)", ..RIGHT }),
        // The initial state is outside.
        ("initial state outside", Broken::Initial, Written { initial: 5, ..RIGHT }),
        ("initial state beyond", Broken::Initial, Written { initial: 0xffff_ffff, ..RIGHT }),
    ];
    for (name, reason, written) in mutants {
        match verdict(written) {
            Err(Failure::Violated { broken, .. }) => assert_eq!(broken, reason, "{name}"),
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn ill_formed_ones_are_refused() {
    let foreign =
        Written { invariant: "(= y #x00000001)", choice: "(= x #x00000000)", ranking: &["(bvadd x y)"], ..RIGHT };
    assert!(verdict(foreign).is_err());
    let program = program();
    let mut terms = program.terms.clone();
    let z = terms.var("z", term::Sort::Bool);
    let danger = Danger { invariant: BTreeMap::from([(Loc::new(1), z)]), ..Danger::default() };
    let mut solver = smt::open(&SolverSettings::default()).expect("a solver");
    let result = check(
        &program,
        &mut terms,
        &danger,
        Goal::Error,
        solver.as_mut(),
        base::cpu::Deadline::after(Duration::from_secs(9)),
    );
    assert!(matches!(result, Err(Failure::IllFormed(_))), "{result:?}");
}

fn parsed(body: &str) -> Program {
    let head = "machine lp64 32 32\nvar $size [bv32 -> bv64] memory\nvar $live [bv32 -> bool] memory\n";
    cfa::text::parse(&format!("{head}{body}")).expect("a program")
}

/// `i = 0; while (i < 10) { j = 0; while (j < 5) j++; i++; }`
fn nested() -> Program {
    parsed(
        "var i bv32 global
var j bv32 global
entry f0

function f0 \"main\" params () entry L0 exit L6
  L0
    e0 -> L1 assign i := 0:32
  L1
    e1 -> L2 assume (bvult i 10:32)
    e2 -> L6 assume (not (bvult i 10:32))
  L2
    e3 -> L3 assign j := 0:32
  L3
    e4 -> L4 assume (bvult j 5:32)
    e5 -> L5 assume (not (bvult j 5:32))
  L4
    e6 -> L3 assign j := (bvadd j 1:32)
  L5
    e7 -> L1 assign i := (bvadd i 1:32)
  L6 end return
",
    )
}

/// Invariants and rankings at the outer and at the inner loop.
#[derive(Clone, Copy)]
struct Ends {
    at: [&'static str; 2],
    ranking: [&'static [&'static str]; 2],
}

const ENDS: Ends = Ends {
    at: ["(bvule i #x0000000a)", "(and (bvult i #x0000000a) (bvule j #x00000005))"],
    ranking: [&["(bvsub #x0000000a i)", "#x00000006"], &["(bvsub #x0000000a i)", "(bvsub #x00000005 j)"]],
};

fn ends(claim: Ends) -> Result<(), Failure> {
    let program = nested();
    let mut terms = program.terms.clone();
    let mut parse = |text: &str| term::smtlib::parse_term(&mut terms, text).expect("a term");
    let heads = [Loc::new(1), Loc::new(3)];
    let invariant = heads.into_iter().zip(claim.at.map(&mut parse)).collect();
    let ranking = claim.ranking.map(|tuple| tuple.iter().map(|t| parse(t)).collect::<Vec<_>>());
    let ranking = heads.into_iter().zip(ranking).collect();
    let danger = Danger { invariant, ranking, ..Danger::default() };
    let mut solver = smt::open(&SolverSettings::default()).expect("a solver");
    let deadline = base::cpu::Deadline::after(Duration::from_secs(60));
    check(&program, &mut terms, &danger, Goal::End, solver.as_mut(), deadline)
}

#[test]
fn rankings_that_do_not_decrease_are_refused() {
    assert_eq!(ends(ENDS), Ok(()));
    let [outer, inner] = ENDS.ranking;
    let mutants: [(&str, Ends); 9] = [
        ("as large at the inner loop", Ends { ranking: [&["(bvsub #x0000000a i)", "#x00000005"], inner], ..ENDS }),
        ("growing", Ends { ranking: [outer, &["(bvsub #x0000000a i)", "j"]], ..ENDS }),
        ("constant", Ends { ranking: [outer, &["(bvsub #x0000000a i)", "#x00000001"]], ..ENDS }),
        ("shifted by one", Ends { ranking: [outer, &["(bvsub #x0000000a i)", "(bvsub #x00000003 j)"]], ..ENDS }),
        ("in the other order", Ends { ranking: [outer, &["(bvsub #x00000005 j)", "(bvsub #x0000000a i)"]], ..ENDS }),
        ("a component dropped", Ends { ranking: [&["(bvsub #x0000000a i)"], &["(bvsub #x0000000a i)"]], ..ENDS }),
        ("no ranking", Ends { ranking: [&[], &[]], ..ENDS }),
        ("a conjunct dropped", Ends { at: ["(bvule i #x0000000a)", "(bvule j #x00000005)"], ..ENDS }),
        ("invariant shifted", Ends { at: ["(bvult i #x0000000a)", ENDS.at[1]], ..ENDS }),
    ];
    for (name, claim) in mutants {
        let found = ends(claim);
        assert!(matches!(found, Err(Failure::Violated { .. } | Failure::IllFormed(_))), "{name}: {found:?}");
    }
}

/// `while (x != 0) { if (!*) x--; }`
fn forever(at: &str, choice: &str, initial: u128) -> Result<(), Failure> {
    let program = parsed(
        "var x bv32 global
var stay bool global
entry f0

function f0 \"main\" params () entry L0 exit L4
  L0
    e0 -> L1 assign stay := false
  L1
    e1 -> L2 assume (not (= x 0:32))
    e2 -> L4 assume (= x 0:32)
  L2
    e3 -> L3 havoc (stay) input \"nondet\"
  L3
    e4 -> L1 assign x := (ite stay x (bvadd x 4294967295:32))
  L4 end return
",
    );
    let mut terms = program.terms.clone();
    let mut parse = |text: &str| term::smtlib::parse_term(&mut terms, text).expect("a term");
    let x: Var = program.vars.ids().find(|v| program.name(*v) == "x").expect("x");
    let havoc = program.main().edges.iter().find(|(_, e)| matches!(e.op, Op::Havoc { .. })).expect("an input").0;
    let danger = Danger {
        initial: BTreeMap::from([(x, Value::Bv(term::Bits::new(initial, 32)))]),
        invariant: BTreeMap::from([(Loc::new(1), parse(at))]),
        choice: BTreeMap::from([(havoc, vec![parse(choice)])]),
        ..Danger::default()
    };
    let mut solver = smt::open(&SolverSettings::default()).expect("a solver");
    let deadline = base::cpu::Deadline::after(Duration::from_secs(60));
    check(&program, &mut terms, &danger, Goal::Forever, solver.as_mut(), deadline)
}

#[test]
fn recurrence_sets_that_are_left_are_refused() {
    assert_eq!(forever("(not (= x #x00000000))", "true", 3), Ok(()));
    assert_eq!(forever("(= x #x00000003)", "true", 3), Ok(()));
    assert_eq!(forever("(bvugt x #x00000002)", "(= x #x00000003)", 3), Ok(()));
    // States that are listed are walked from one by one.
    let listed = "(or (= x #x00000003) (= x #x00000004))";
    assert_eq!(forever(listed, "(= x #x00000003)", 4), Ok(()));
    assert_eq!(forever("(or (= x #x00000003) (and (= x #x00000005) (= x #x00000002)))", "true", 3), Ok(()));
    for (name, at, choice, initial) in [
        ("one of those listed is left", listed, "(= x #x00000004)", 4),
        ("too weak", "true", "true", 3),
        ("shifted by one", "(bvugt x #x00000003)", "true", 3),
        ("the wrong choice", "(not (= x #x00000000))", "false", 3),
        ("a choice that comes too late", "(bvugt x #x00000002)", "(= x #x00000002)", 3),
        ("another start", "(= x #x00000003)", "true", 4),
        ("a start that ends at once", "(not (= x #x00000000))", "true", 0),
    ] {
        let found = forever(at, choice, initial);
        assert!(matches!(found, Err(Failure::Violated { .. })), "{name}: {found:?}");
    }
}

/// `i = c = a[2] = 0; while (i < 1000000) { if (i % 4 == 3) c++; a[2]++; i++; } assert(c != 250000);`
fn counting(at: &str, ranking: &str) -> Result<(), Failure> {
    let program = parsed(
        "var i bv32 global
var c bv32 global
var a [bv8 -> bv32] global
entry f0

function f0 \"main\" params () entry L0 exit L5
  L0
    e0 -> L1 assign i := 0:32, c := 0:32, a := (store a 2:8 0:32)
  L1
    e1 -> L2 assume (bvult i 1000000:32)
    e2 -> L3 assume (not (bvult i 1000000:32))
  L2
    e3 -> L1 assign i := (bvadd i 1:32), c := (ite (= (bvurem i 4:32) 3:32) (bvadd c 1:32) c), a := (store a 2:8 (bvadd (select a 2:8) 1:32))
  L3
    e4 -> L4 assume (= c 250000:32)
    e5 -> L5 assume (not (= c 250000:32))
  L4 error assert \"c != 250000\"
  L5 end return
",
    );
    let mut terms = program.terms.clone();
    let mut parse = |text: &str| term::smtlib::parse_term(&mut terms, text).expect("a term");
    let danger = Danger {
        invariant: BTreeMap::from([(Loc::new(1), parse(at))]),
        ranking: BTreeMap::from([(Loc::new(1), vec![parse(ranking)])]),
        ..Danger::default()
    };
    let mut solver = smt::open(&SolverSettings::default()).expect("a solver");
    let deadline = base::cpu::Deadline::after(Duration::from_secs(60));
    check(&program, &mut terms, &danger, Goal::Error, solver.as_mut(), deadline)
}

/// Equations are put in place of what they define, remainders and listed states are taken case by case.
#[test]
fn mutants_of_what_is_looked_at_by_cases_are_rejected() {
    let (bound, cell) = ("(bvule i #x000f4240)", "(= (select a #x02) i)");
    let quotient = "(= c (bvlshr i #x00000002))";
    let ranking = "(bvsub #x000f4240 i)";
    let listed = |state: &str| format!("(and {cell} (or (and {state}) (and {quotient} {bound})))");
    for right in [
        format!("(and {quotient} {bound})"),
        format!("(and {cell} {quotient} {bound})"),
        format!("(and {cell} (= c (bvlshr (select a #x02) #x00000002)) {bound})"),
        listed("(= i #x00000007) (= c #x00000001)"),
    ] {
        assert_eq!(counting(&right, ranking), Ok(()), "{right}");
    }
    assert_eq!(counting(&format!("(and {cell} {quotient} {bound})"), "(bvsub #x000f4240 (select a #x02))"), Ok(()));
    for (name, wrong, ranking) in [
        ("shifted by one", format!("(and (= c (bvlshr (bvadd i #x00000001) #x00000002)) {bound})"), ranking),
        ("half as often", format!("(and (= c (bvlshr i #x00000003)) {bound})"), ranking),
        ("no bound", quotient.to_owned(), ranking),
        ("the cell is ahead", format!("(and (= (select a #x02) (bvadd i #x00000001)) {quotient} {bound})"), ranking),
        ("another cell", format!("(and (= (select a #x01) i) {quotient} {bound})"), ranking),
        ("a state that is left", listed("(= i #x00000001) (= c #x00000001)"), ranking),
        ("a state that goes elsewhere", listed("(= i #x000f4240) (= c #x00000001)"), ranking),
        ("a ranking that stays", format!("(and {cell} {quotient} {bound})"), "(bvsub (select a #x02) i)"),
        ("a ranking that wraps around", format!("(and {cell} {quotient} {bound})"), "(bvsub #x000f423f i)"),
    ] {
        let found = counting(&wrong, ranking);
        assert!(matches!(found, Err(Failure::Violated { .. })), "{name}: {found:?}");
    }
}
