//! The programs of Chalupa and Strejček 2021: figures 1, 2 and 3, decided as section 4.5 tells, and by the same course of events.

use crate::common::{Said, ask, ask_and_listen};
use engines::bse::BackwardExecution;
use engines::bself::{LoopFolding, Settings};
use std::time::Instant;

/// `x = 0; i = 0; while (i < n) { ++i; ++x; assert(x == i); }`
const FIGURE_1: &str = "machine lp64 32 32
var x bv32 global
var i bv32 global
var n bv32 global
entry f0
function f0 \"main\" params () entry L0 exit L5
  L0
    e0 -> L1 assign x := 0:32, i := 0:32
  L1
    e1 -> L2 assume (bvslt i n)
    e2 -> L5 assume (not (bvslt i n))
  L2
    e3 -> L3 assign x := (bvadd x 1:32), i := (bvadd i 1:32)
  L3
    e4 -> L1 assume (= x i)
    e5 -> L4 assume (not (= x i))
  L4 error assert \"x == i\"
  L5 end return
";

/// `x = 0; i = 0; while (i < n) { ++i; ++x; } assert(x == i);`
const FIGURE_2: &str = "machine lp64 32 32
var x bv32 global
var i bv32 global
var n bv32 global
entry f0
function f0 \"main\" params () entry L0 exit L5
  L0
    e0 -> L1 assign x := 0:32, i := 0:32
  L1
    e1 -> L2 assume (bvslt i n)
    e2 -> L3 assume (not (bvslt i n))
  L2
    e3 -> L1 assign x := (bvadd x 1:32), i := (bvadd i 1:32)
  L3
    e4 -> L5 assume (= x i)
    e5 -> L4 assume (not (= x i))
  L4 error assert \"x == i\"
  L5 end return
";

/// `i = 0; assume(x == 1); while (i < 1000000) { if (i == 5) --x; ++x; ++i; } assert(x == i);`
const FIGURE_3_LEFT: &str = "machine lp64 32 32
var x bv32 global
var i bv32 global
entry f0
function f0 \"main\" params () entry L0 exit L9
  L0
    e0 -> L1 assign i := 0:32
  L1
    e1 -> L2 assume (= x 1:32)
  L2
    e2 -> L3 assume (bvslt i 1000000:32)
    e3 -> L7 assume (not (bvslt i 1000000:32))
  L3
    e4 -> L4 assume (= i 5:32)
    e5 -> L5 assume (not (= i 5:32))
  L4
    e6 -> L5 assign x := (bvadd x 4294967295:32)
  L5
    e7 -> L6 assign x := (bvadd x 1:32)
  L6
    e8 -> L2 assign i := (bvadd i 1:32)
  L7
    e9 -> L9 assume (= x i)
    e10 -> L8 assume (not (= x i))
  L8 error assert \"x == i\"
  L9 end return
";

/// `n = 1000000; x = 0; i = 0; while (i < n) ++i; while (x < n) ++x; assert(x == i);`
const FIGURE_3_MIDDLE: &str = "machine lp64 32 32
var x bv32 global
var i bv32 global
var n bv32 global
entry f0
function f0 \"main\" params () entry L0 exit L7
  L0
    e0 -> L1 assign n := 1000000:32, x := 0:32, i := 0:32
  L1
    e1 -> L2 assume (bvslt i n)
    e2 -> L3 assume (not (bvslt i n))
  L2
    e3 -> L1 assign i := (bvadd i 1:32)
  L3
    e4 -> L4 assume (bvslt x n)
    e5 -> L5 assume (not (bvslt x n))
  L4
    e6 -> L3 assign x := (bvadd x 1:32)
  L5
    e7 -> L7 assume (= x i)
    e8 -> L6 assume (not (= x i))
  L6 error assert \"x == i\"
  L7 end return
";

fn program(text: &str) -> cfa::Program {
    cfa::parse(text).expect("a program")
}

/// `assume(x >= 0 && x <= y && y <= n); while (x < n) { ++x; if (x > y) ++y; } assert(y == n);`, with numbers of 8 bits: at 32
/// the run is the same, and the solver takes seconds for its comparisons.
const FIGURE_3_RIGHT: &str = "machine lp64 32 32
var x bv8 global
var y bv8 global
var n bv8 global
entry f0
function f0 \"main\" params () entry L0 exit L7
  L0
    e0 -> L1 assume (and (bvsle 0:8 x) (and (bvsle x y) (bvsle y n)))
  L1
    e1 -> L2 assume (bvslt x n)
    e2 -> L5 assume (not (bvslt x n))
  L2
    e3 -> L3 assign x := (bvadd x 1:8)
  L3
    e4 -> L4 assume (bvslt y x)
    e5 -> L1 assume (not (bvslt y x))
  L4
    e6 -> L1 assign y := (bvadd y 1:8)
  L5
    e7 -> L7 assume (= y n)
    e8 -> L6 assume (not (= y n))
  L6 error assert \"y == n\"
  L7 end return
";

/// As in the paper: κ as given, nothing beyond it.
fn as_in_the_paper(kappa: Option<u32>) -> LoopFolding {
    LoopFolding { settings: Settings { kappa, extras: false, ..Settings::default() } }
}

/// Titles of what was told, without the formulas.
fn titles(told: &[String]) -> Vec<String> {
    told.iter().map(|lines| lines.lines().next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn figure_1_needs_no_folding() {
    assert_eq!(ask(&mut BackwardExecution::default(), &program(FIGURE_1), 10), Said::Safe);
    let (said, told) = ask_and_listen(&mut as_in_the_paper(None), &program(FIGURE_1), 10);
    assert_eq!(said, Said::Safe);
    assert!(told.is_empty(), "{told:?}");
}

#[test]
fn figure_2_is_folded_by_the_first_candidate() {
    let mut bse = BackwardExecution::default();
    bse.settings.max_length = 40;
    bse.settings.invariants = false;
    assert_eq!(ask(&mut bse, &program(FIGURE_2), 10), Said::Unknown);
    let (said, told) = ask_and_listen(&mut as_in_the_paper(None), &program(FIGURE_2), 10);
    assert_eq!(said, Said::Safe, "{told:#?}");
    assert_eq!(titles(&told).iter().filter(|t| t.trim() == "candidate").count(), 1, "{told:#?}");
    assert!(told.iter().any(|lines| lines.starts_with("invariant") && lines.contains("x == i")), "{told:#?}");
}

#[test]
fn figure_3_left_is_extended_twice() {
    let (said, told) = ask_and_listen(&mut as_in_the_paper(None), &program(FIGURE_3_LEFT), 10);
    assert_eq!(said, Said::Safe, "{told:#?}");
    let story = told.join("\n");
    let found = told.last().expect("something was told");
    assert!(found.starts_with("invariant"), "{story}");
    // (1000000 <= i && x == i) || (6 <= i && x == i) || (i == x - 1 && i <= 5), as it is printed.
    assert!(found.contains("x == i && x > 5") || found.contains("x == i && i > 5"), "{story}");
    assert!(found.contains("x == i + 1u") && (found.contains("x < 7") || found.contains("i < 6")), "{story}");
}

#[test]
fn figure_3_middle_needs_a_failed_inner_folding_first() {
    let (said, told) = ask_and_listen(&mut as_in_the_paper(Some(1)), &program(FIGURE_3_MIDDLE), 10);
    assert_eq!(said, Said::Safe, "{told:#?}");
    let titles = titles(&told);
    // The first candidate of the second loop fails because the loop before it does not fold …
    let failed =
        titles.iter().position(|t| t.starts_with("not shown to be an invariant")).expect("a failed inner folding");
    assert!(titles[..failed].iter().any(|t| t.starts_with("  fold")), "{titles:#?}");
    // … then the candidate is extended, and the loop before it folds.
    let inner = titles.iter().position(|t| t.starts_with("  invariant")).expect("an inner invariant");
    assert!(titles[failed..inner].iter().any(|t| t.starts_with("extend along path")), "{titles:#?}");
    assert!(titles.last().expect("told").starts_with("invariant"), "{titles:#?}");
}

#[test]
fn figure_3_right_merges_candidates_of_different_paths() {
    let (said, told) = ask_and_listen(&mut as_in_the_paper(Some(1)), &program(FIGURE_3_RIGHT), 10);
    assert_eq!(said, Said::Safe, "{told:#?}");
    let titles = titles(&told);
    let merged = titles.iter().position(|t| t == "initial candidate, from earlier ones").expect("a merge");
    // Nothing folds before: neither the first candidate nor the two that extend it are invariants.
    assert!(titles[..merged].iter().all(|t| !t.starts_with("invariant")), "{titles:#?}");
    assert!(titles[..merged].iter().filter(|t| *t == "candidate").count() == 3, "{titles:#?}");
    // Two more visits of the head on different paths, and on both what was merged becomes an invariant.
    assert_eq!(titles[merged..].iter().filter(|t| *t == "initial candidate, from earlier ones").count(), 2);
    assert_eq!(titles[merged..].iter().filter(|t| *t == "invariant").count(), 2, "{titles:#?}");
}

#[test]
fn with_everything_on_each_takes_less_than_a_second() {
    for (name, text) in [
        ("figure 1", FIGURE_1),
        ("figure 2", FIGURE_2),
        ("figure 3, left", FIGURE_3_LEFT),
        ("figure 3, middle", FIGURE_3_MIDDLE),
        ("figure 3, right", FIGURE_3_RIGHT),
    ] {
        let started = engine::budget::cpu_time();
        let wall = Instant::now();
        assert_eq!(ask(&mut LoopFolding::default(), &program(text), 10), Said::Safe, "{name}");
        // Tests share the process, so the clock on the wall may say less than the CPU's.
        let taken = (engine::budget::cpu_time() - started).min(wall.elapsed());
        assert!(taken.as_millis() < 1000, "{name} took {taken:?}");
    }
}
