//! The programs of Fig. 1 and example 5 of Jaffar et al. 2011, decided by the course of events that the paper tells; diamonds; and
//! random automata whose truth is known.

#[path = "../../engines/tests/common/mod.rs"]
mod common;

use common::{Said, Shape, ask, exhaustive, random_program};
use tracer::{IterativeDeepening, Settings, Statistics, Tracer};

/// `x = 0; while (x < n) x++; if (x < 0) error();`
const FIGURE_1A: &str = "machine lp64 32 32
var x bv32 global
var n bv32 global
entry f0
function f0 \"main\" params () entry L0 exit L5
  L0
    e0 -> L1 assign x := 0:32
  L1
    e1 -> L2 assume (bvslt x n)
    e2 -> L3 assume (not (bvslt x n))
  L2
    e3 -> L1 assign x := (bvadd x 1:32)
  L3
    e4 -> L4 assume (bvslt x 0:32)
    e5 -> L5 assume (not (bvslt x 0:32))
  L4 error assert \"x < 0\"
  L5 end return
";

/// `lock = 0; new = old + 1; while (new != old) { lock = 1; old = new; if (*) { lock = 0; new++; } } if (lock == 0) error();`
const FIGURE_1B: &str = "machine lp64 32 32
var lock bv32 global
var new bv32 global
var old bv32 global
var choice bv32 global
entry f0
function f0 \"main\" params () entry L0 exit L8
  L0
    e0 -> L1 assign lock := 0:32, new := (bvadd old 1:32)
  L1
    e1 -> L2 assume (not (= new old))
    e2 -> L6 assume (= new old)
  L2
    e3 -> L3 assign lock := 1:32, old := new
  L3
    e4 -> L4 havoc (choice) input \"nondet\"
  L4
    e5 -> L1 assume (= choice 0:32)
    e6 -> L5 assume (not (= choice 0:32))
  L5
    e7 -> L1 assign lock := 0:32, new := (bvadd new 1:32)
  L6
    e8 -> L7 assume (= lock 0:32)
    e9 -> L8 assume (not (= lock 0:32))
  L7 error assert \"lock == 0\"
  L8 end return
";

/// `x = 0; y = 0; z = 1; while (*) { if (*) skip; else { x++; y++; } foo(); x = x - y; } if (CONDITION) error();`
const FIGURE_1C: &str = "machine lp64 32 32
var x bv32 global
var y bv32 global
var z bv32 global
var choice bv32 global
entry f0
function f0 \"main\" params () entry L0 exit L9
  L0
    e0 -> L1 assign x := 0:32, y := 0:32, z := 1:32
  L1
    e1 -> L2 havoc (choice) input \"nondet\"
  L2
    e2 -> L3 assume (not (= choice 0:32))
    e3 -> L7 assume (= choice 0:32)
  L3
    e4 -> L4 havoc (choice) input \"nondet\"
  L4
    e5 -> L6 assume (not (= choice 0:32))
    e6 -> L5 assume (= choice 0:32)
  L5
    e7 -> L6 assign x := (bvadd x 1:32), y := (bvadd y 1:32)
  L6
    e8 -> L1 assign x := (bvadd x (bvneg y))
  L7
    e9 -> L8 assume CONDITION
    e10 -> L9 assume (not CONDITION)
  L8 error assert \"z\"
  L9 end return
";

/// `assume(y >= 0); x = 0; while (x < 10000) { y++; x++; } if (y + x < 10000) error();`, where executions in which `y` would
/// overflow are left out: the paper computes with unbounded numbers.
const FIGURE_1D: &str = "machine lp64 32 32
var x bv32 global
var y bv32 global
entry f0
function f0 \"main\" params () entry L0 exit L7
  L0
    e0 -> L1 assume (and (bvsle 0:32 y) (bvslt y 2000000000:32))
  L1
    e1 -> L2 assign x := 0:32
  L2
    e2 -> L3 assume (bvslt x 10000:32)
    e3 -> L5 assume (not (bvslt x 10000:32))
  L3
    e4 -> L4 assign y := (bvadd y 1:32), x := (bvadd x 1:32)
  L4
    e5 -> L2 assume (bvslt y 2000000000:32)
  L5
    e6 -> L6 assume (bvslt (bvadd y x) 10000:32)
    e7 -> L7 assume (not (bvslt (bvadd y x) 10000:32))
  L6 error assert \"y + x < 10000\"
  L7 end return
";

fn program(text: &str) -> cfa::Program {
    let program = cfa::text::parse(text).unwrap_or_else(|e| panic!("{e}"));
    cfa::verify::assert_sound(&program, cfa::verify::Form::Flat);
    program
}

/// Without what the paper does not have.
const PAPER: Settings = Settings { analyses: false };

/// Proves the program as the paper does, with the proof checked, and says how.
fn proved(text: &str) -> Statistics {
    let mut tracer = Tracer::new(PAPER);
    assert_eq!(ask(&mut tracer, &program(text), 10), Said::Safe);
    tracer.statistics()
}

#[test]
fn figure_1a_needs_no_restart() {
    let how = proved(FIGURE_1A);
    assert_eq!(how.restarts, 0, "{how}");
    assert_eq!(how.by_ancestor, 2, "the path around, before and after giving up x = 0: {how}");
}

#[test]
fn figure_1b_restarts_once_and_unrolls_one_path_only() {
    let how = proved(FIGURE_1B);
    assert_eq!(how.restarts, 1, "{how}");
    assert!(how.heads >= 2, "the path that ends in old = new is unrolled: {how}");
    assert!(how.by_ancestor >= 1, "the path that ends in new = old + 1 returns to the first head: {how}");
}

#[test]
fn iterative_deepening_does_not_end_on_figure_1b() {
    assert_eq!(ask(&mut IterativeDeepening::new(PAPER), &program(FIGURE_1B), 2), Said::Unknown);
}

#[test]
fn affine_equations_prove_figure_1b_without_restart() {
    let mut tracer = Tracer::default();
    assert_eq!(ask(&mut tracer, &program(FIGURE_1B), 10), Said::Safe);
    assert_eq!(tracer.statistics().restarts, 0, "{}", tracer.statistics());
}

#[test]
fn iterative_deepening_proves_figure_1a() {
    assert_eq!(ask(&mut IterativeDeepening::default(), &program(FIGURE_1A), 10), Said::Safe);
}

#[test]
fn figure_1c_keeps_what_is_invariant_on_all_paths() {
    let how = proved(&FIGURE_1C.replace("CONDITION", "(not (= z 1:32))"));
    assert_eq!(how.restarts, 0, "{how}");
    // With `y = 0` after `x = x - y` both are zero at the head, and neither is in between: they are kept all the same.
    let resets = FIGURE_1C.replace("x := (bvadd x (bvneg y))", "x := (bvadd x (bvneg y)), y := 0:32");
    let how = proved(&resets.replace("CONDITION", "(not (= x 0:32))"));
    assert_eq!(how.restarts, 0, "{how}");
}

/// The paper takes `x = 0` for an invariant of Fig. 1(c) in example 3. It is one of the first round only: in the second, `y`
/// is 2 when it is subtracted from 1.
#[test]
fn figure_1c_has_an_error_where_x_is_not_zero() {
    let program = program(&FIGURE_1C.replace("CONDITION", "(not (= x 0:32))"));
    assert_eq!(ask(&mut Tracer::default(), &program, 10), Said::Unsafe);
    assert_eq!(ask(&mut IterativeDeepening::default(), &program, 10), Said::Unsafe);
}

#[test]
fn figure_1d_is_not_unwound() {
    let how = proved(FIGURE_1D);
    assert!(how.nodes < 100, "{how}");
}

/// `x = 0; if (c1) y = 1; if (c2) y = 2; ... if (x != 0) error();`, each condition an input.
fn diamonds(length: usize) -> String {
    let mut text =
        String::from("machine lp64 32 32\nvar x bv32 global\nvar y bv32 global\nvar c bv32 global\nentry f0\n");
    let end = 1 + 3 * length;
    text += &format!(
        "function f0 \"main\" params () entry L0 exit L{}\n  L0\n    e0 -> L1 assign x := 0:32, y := 0:32\n",
        end + 2
    );
    let mut edge = 1;
    for i in 0..length {
        let at = 1 + 3 * i;
        text += &format!("  L{at}\n    e{edge} -> L{} havoc (c) input \"nondet\"\n", at + 1);
        text += &format!(
            "  L{}\n    e{} -> L{} assume (= c 0:32)\n    e{} -> L{} assume (not (= c 0:32))\n",
            at + 1,
            edge + 1,
            at + 3,
            edge + 2,
            at + 2
        );
        text += &format!("  L{}\n    e{} -> L{} assign y := (bvadd y {i}:32)\n", at + 2, edge + 3, at + 3);
        edge += 4;
    }
    text += &format!(
        "  L{end}\n    e{edge} -> L{} assume (not (= x 0:32))\n    e{} -> L{} assume (= x 0:32)\n",
        end + 1,
        edge + 1,
        end + 2
    );
    text += &format!("  L{} error assert \"x\"\n  L{} end return\n", end + 1, end + 2);
    text
}

#[test]
fn diamonds_take_linearly_many_nodes() {
    let (short, long) = (proved(&diamonds(15)).nodes, proved(&diamonds(60)).nodes);
    assert!(long <= 4 * short + 16, "15 diamonds: {short} nodes, 60 diamonds: {long} nodes");
    assert!(long <= 6 * 60, "{long}");
}

#[test]
fn random_automata_are_decided_as_exhaustive_execution_does() {
    let (mut decided, mut all) = (0, 0);
    for seed in 0..400 {
        let shape = Shape { locations: 12, loops: seed % 4 != 0, inputs: seed % 3 != 0, choices: seed % 5 == 0 };
        let program = random_program(seed, shape);
        if !flow::wto::Wto::new(program.main()).is_reducible(program.main()) {
            // The checker of proofs does not know these.
            continue;
        }
        all += 2;
        let truth = if exhaustive(&program).is_some() { Said::Unsafe } else { Said::Safe };
        for engine in [&mut Tracer::default() as &mut dyn engine::Engine, &mut IterativeDeepening::default()] {
            let said = ask(engine, &program, 1);
            assert!(
                said == truth || said == Said::Unknown,
                "{} on seed {seed}: {said:?}, not {truth:?}",
                engine.name()
            );
            decided += u32::from(said == truth);
        }
    }
    assert!(decided * 100 > all * 90, "{decided} of {all}");
}
