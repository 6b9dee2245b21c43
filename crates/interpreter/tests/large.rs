//! Functions with more variables and constants than there are registers: the others live among the globals.

use cfa::{EndKind, Program, parse};
use interpreter::{Ending, Limits, Machine, Zero};
use std::fmt::Write;

/// More than any function has registers for.
const VARIABLES: u32 = 20_000;

/// `f1` adds a different number in each of many variables, and to the result a variable that it writes only afterwards, which is
/// zero in each activation. `$start` calls it twice and is at an error unless both results are the sum.
fn program(recursive: bool) -> Program {
    let mut text = String::from("machine lp64 32 32\nvar a bv32 local f0\nvar b bv32 local f0\nvar p bv32 local f1\n");
    text += "var r bv32 local f1\n";
    for i in 0..VARIABLES {
        writeln!(text, "var v{i} bv32 local f1").unwrap();
    }
    text += "var late bv32 local f1\nentry f0\nfunction f0 \"$start\" params () entry L0 exit L1\n";
    let sum = (0..VARIABLES).map(|i| 3 * i + 1).fold(7, u32::wrapping_add);
    write!(
        text,
        "  L0\n    e0 -> L2 call f1 (7:32) -> a\n  L1 end return\n  L2\n    e1 -> L3 call f1 (7:32) -> b\n  L3\n    \
         e2 -> L4 assume (= a {sum}:32)\n    e3 -> L5 assume (not (= a {sum}:32))\n  L4\n    e4 -> L1 assume (= b {sum}:32)\n    \
         e5 -> L5 assume (not (= b {sum}:32))\n  L5 error assert \"sum\"\n\
         function f1 \"many\" params (p) result r entry L0 exit L1\n  L0\n    e0 -> L2 assign v0 := (bvadd p 1:32)\n  L1\n"
    )
    .unwrap();
    for i in 1..VARIABLES {
        let (from, to) = (i + 1, i + 2);
        let term = format!("(bvadd v{} {}:32)", i - 1, 3 * i + 1);
        writeln!(text, "  L{from}\n    e{i} -> L{to} assign v{i} := {term}").unwrap();
    }
    let (last, at) = (VARIABLES - 1, VARIABLES + 1);
    let (e, f) = (VARIABLES, VARIABLES + 1);
    writeln!(text, "  L{at}\n    e{e} -> L{} assign r := (bvadd late v{last})", at + 1).unwrap();
    let end = if recursive { "call f1 (p) -> late".to_owned() } else { "assign late := 5:32".to_owned() };
    writeln!(text, "  L{}\n    e{f} -> L1 {end}", at + 1).unwrap();
    parse(&text).expect("a program")
}

#[test]
fn functions_may_have_more_variables_than_registers() {
    let program = program(false);
    let outcome = Machine::new(&program).expect("executable").run(&mut Zero, &Limits::default());
    assert_eq!(outcome.ending, Ending::End(EndKind::Return));
}

#[test]
fn recursive_functions_may_not() {
    let program = program(true);
    let Err(unsupported) = Machine::new(&program) else { panic!("activations would share variables") };
    assert!(unsupported.0.contains("recursive"), "{unsupported}");
}
