//! How many edges per second the interpreter executes: `cargo run --release -p interpreter --example edges_per_second [FILE.cfa ...]`.
//! Files are programs in text form; it is also checked that they print and read back the same.

use interpreter::{Limits, Machine, Zero};
use std::io::Write;
use std::time::Instant;

/// A counting loop of plain variables.
const COUNT: &str = "machine lp64 32 32\nvar i bv32 global\nvar s bv32 global\nentry f0\n\
    function f0 \"main\" params () entry L0 exit L4\n\
    \x20 L0\n    e0 -> L1 assign i := 0:32, s := 0:32\n\
    \x20 L1\n    e1 -> L2 assume (bvult i 100000000:32)\n    e2 -> L4 assume (bvule 100000000:32 i)\n\
    \x20 L2\n    e3 -> L3 assign s := (bvadd s i)\n\
    \x20 L3\n    e4 -> L1 assign i := (bvadd i 1:32)\n\
    \x20 L4 end return\n";

/// The same with the counter in memory.
const MEMORY: &str = "machine lp64 32 32\nvar p bv64 local f0\nvar i bv32 local f0\nentry f0\n\
    function f0 \"$start\" params () entry L0 exit L4\n\
    \x20 L0\n    e0 -> L1 alloc 4:64 static \"i\" -> p\n\
    \x20 L1\n    e1 -> L2 load 4 p -> i\n\
    \x20 L2\n    e2 -> L3 assume (bvult i 30000000:32)\n    e3 -> L4 assume (bvule 30000000:32 i)\n\
    \x20 L3\n    e4 -> L1 store 4 p (bvadd i 1:32)\n\
    \x20 L4 end return\n";

/// Sums an array variable.
const ARRAY: &str = "machine lp64 32 32\nvar a [bv32 -> bv32] memory\nvar i bv32 global\nentry f0\n\
    function f0 \"main\" params () entry L0 exit L4\n\
    \x20 L0\n    e0 -> L1 assign i := 0:32\n\
    \x20 L1\n    e1 -> L2 assume (bvult i 10000000:32)\n    e2 -> L4 assume (bvule 10000000:32 i)\n\
    \x20 L2\n    e3 -> L3 assign a := (store a (bvand i 1023:32) (bvadd (select a (bvand i 1023:32)) i))\n\
    \x20 L3\n    e4 -> L1 assign i := (bvadd i 1:32)\n\
    \x20 L4 end return\n";

/// Calls a function.
const CALL: &str = "machine lp64 32 32\nvar n bv32 local f1\nvar r bv32 local f1\nvar i bv32 local f0\nentry f0\n\
    function f0 \"$start\" params () entry L0 exit L2\n\
    \x20 L0\n    e0 -> L1 assume (bvult i 10000000:32)\n    e1 -> L2 assume (bvule 10000000:32 i)\n\
    \x20 L1\n    e2 -> L0 call f1 (i) -> i\n\
    \x20 L2 end return\n\
    function f1 \"next\" params (n) result r entry L0 exit L1\n\
    \x20 L0\n    e0 -> L1 assign r := (bvadd n 1:32)\n  L1\n";

fn main() -> std::io::Result<()> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    if files.is_empty() {
        for (name, text) in [("counting", COUNT), ("memory", MEMORY), ("array", ARRAY), ("calls", CALL)] {
            measure(name, text)?;
        }
    }
    for file in files {
        measure(&file, &std::fs::read_to_string(&file)?)?;
    }
    Ok(())
}

fn measure(name: &str, text: &str) -> std::io::Result<()> {
    let program = cfa::parse(text).expect("a program");
    let printed = cfa::print(&program);
    assert!(printed == cfa::print(&cfa::parse(&printed).expect("reads back")), "{name} does not read back the same");
    let machine = Machine::new(&program).expect("executable");
    let start = Instant::now();
    let outcome = machine.run(&mut Zero, &Limits { record: false, ..Limits::default() });
    let seconds = start.elapsed().as_secs_f64();
    let rate = outcome.steps as f64 / seconds / 1e6;
    let mut out = std::io::stdout();
    writeln!(out, "{name:9} {:>11} edges in {seconds:.2} s: {rate:.0} million per second", outcome.steps)
}
