//! State machines: what ranges confuse and cases keep apart, and what is no longer followed because nobody needs it.

use cfa::{Loc, Program};
use domain::{analyse, cases};
use flow::wto::Wto;

/// State 0 goes to 1 and sets the flag, 1 goes to 2, 2 goes back to 0 and takes the flag away. `noise` goes through the
/// constants that it is compared with and does not matter. The error is `WRONG`.
fn machine(wrong: &str) -> Program {
    let text = format!(
        "machine lp64 32 32
file F0 \"m.c\"
var state bv32 global source \"state\" \"int\" signed at F0:1:1-1:2
var flag bv32 global source \"flag\" \"int\" signed at F0:1:1-1:2
var noise bv32 global source \"noise\" \"int\" signed at F0:1:1-1:2
entry f0
function f0 \"main\" params () entry L0 exit L7 at F0:1:1-9:2
  L0
    e0 -> L1 assign state := 0:32, flag := 0:32, noise := 0:32
  L1 loop F0:3:5-3:10 at F0:3:5-6:6
    e1 -> L2 assume (= state 0:32)
    e2 -> L3 assume (= state 1:32)
    e3 -> L4 assume (= state 2:32)
    e4 -> L8 assume {wrong}
    e5 -> L7 assume (not (bvult state 3:32))
  L2
    e6 -> L5 assign state := 1:32, flag := 1:32
  L3
    e7 -> L5 assign state := 2:32
  L4
    e8 -> L5 assign state := 0:32, flag := 0:32
  L5
    e9 -> L6 assume (= noise 7:32)
    e10 -> L1 assign noise := 7:32
  L6
    e11 -> L1 assign noise := 0:32
  L7 end return
  L8 error assert \"never\" at F0:7:5-7:20
"
    );
    cfa::parse(&text).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn what_belongs_together_stays_together() {
    let program = machine("(and (= state 2:32) (= flag 0:32))");
    let wto = Wto::new(program.main());
    let error: Loc = base::Id::new(8);
    let ranges = analyse(&program, &wto, &mut || true).expect("it ends");
    assert!(ranges.at[error].is_some(), "ranges alone were to confuse the states");
    let cases = cases::excluding_targets(&program, &wto, &mut || true).expect("cases exclude the error");
    // The three states with their flags; nothing is said of noise.
    let head = wto.heads().next().expect("a loop");
    assert_eq!(cases.count(head), 3);
    let mut terms = program.terms.clone();
    let known = cases.formula(&program, &mut terms, head);
    let noise = program.terms.clone().var("noise", term::Sort::Bv(32));
    assert!(!term::free_vars(&terms, &[known]).contains(&noise), "{}", term::smtlib::print_term(&terms, known));
}

#[test]
fn an_error_that_is_reached_is_not_excluded() {
    let program = machine("(and (= state 2:32) (= flag 1:32))");
    let wto = Wto::new(program.main());
    assert!(cases::excluding_targets(&program, &wto, &mut || true).is_none());
}
