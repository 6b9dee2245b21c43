//! The interpreter on the programs of `tests/cfa`, whose first lines say how they end.

use base::Id;
use cfa::{EndKind, Func, Loc, Program, parse};
use interpreter::{BySite, Ending, Given, InOrder, Limit, Limits, Machine, Random, State, Watch, Watcher, Zero};
use std::ops::ControlFlow;
use std::path::PathBuf;
use term::{Bits, Value};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/cfa")
}

fn load(name: &str) -> Program {
    parse(&std::fs::read_to_string(folder().join(name)).expect("readable")).expect("a program")
}

fn describe(ending: &Ending) -> String {
    match ending {
        Ending::Error(violation) => format!("error {}", violation.property.name()),
        Ending::Unsupported(_) => "unsupported".into(),
        Ending::BoundHit(_) => "bound".into(),
        Ending::End(kind) => format!("end {}", format!("{kind:?}").to_lowercase()),
        Ending::Stuck => "stuck".into(),
        Ending::Limit(limit) => format!("limit {limit:?}").to_lowercase(),
    }
}

#[test]
fn every_test_program_ends_as_it_says() {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder()).expect("exists").map(|e| e.expect("ok").path()).collect();
    files.retain(|path| path.extension().is_some_and(|ext| ext == "cfa"));
    files.sort();
    for path in files {
        let text = std::fs::read_to_string(&path).expect("readable");
        let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(&format!("; {name}: ")));
        let program = parse(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let Some(expected) = field("expect") else { continue };
        for watch in [false, true] {
            let machine =
                Machine::watching(&program, &Watch { edges: watch, locations: Vec::new() }).expect("executable");
            let mut out = Vec::new();
            let limits = Limits::steps(1_000_000);
            let outcome = machine.run_with(&mut Zero, &limits, &mut out, None);
            assert_eq!(describe(&outcome.ending), expected, "{}", path.display());
            if let Some(output) = field("output") {
                assert_eq!(format!("{:?}", String::from_utf8_lossy(&out)), output, "{}", path.display());
            }
            if let Some(exit) = field("exit") {
                let code = outcome.exit_code.as_ref().and_then(|v| v.as_bits().cloned()).expect("a number");
                assert_eq!(format!("{code:?}"), exit, "{}", path.display());
            }
            let undefined = field("undefined").map_or(0, |n| n.parse().expect("a number"));
            assert_eq!(outcome.undefined.len(), undefined, "{}: {:?}", path.display(), outcome.undefined);
        }
    }
}

#[test]
fn steps_are_counted_and_limited() {
    let program = load("count.cfa");
    let machine = Machine::new(&program).expect("executable");
    // One edge in, two per iteration, one out, one for the check.
    assert_eq!(machine.run(&mut Zero, &Limits::default()).steps, 1 + 2 * 10 + 1 + 1);
    let outcome = machine.run(&mut Zero, &Limits::steps(7));
    assert_eq!(outcome.ending, Ending::Limit(Limit::Steps));
    assert!((7..10).contains(&outcome.steps));
}

#[test]
fn inputs_come_in_order_or_by_place_and_replay() {
    let program = load("stuck.cfa");
    let machine = Machine::new(&program).expect("executable");
    let six = Value::Bv(Bits::new(6, 8));
    let outcome = machine.run(&mut InOrder::new([six.clone()]), &Limits::default());
    assert_eq!(outcome.ending, Ending::End(EndKind::Return));
    assert_eq!(outcome.inputs[0].given, Given::Value(six.clone()));

    let mut by_site = BySite::new();
    by_site.push(Vec::new(), (Func::new(0), cfa::Edge::new(0)), six);
    let outcome = machine.run(&mut by_site, &Limits::default());
    assert_eq!((outcome.ending, by_site.missing), (Ending::End(EndKind::Return), 0));

    let mut ends = 0;
    for seed in 0..100 {
        let first = machine.run(&mut Random::new(seed), &Limits::default());
        let mut replay = InOrder::replay(&first);
        let second = machine.run(&mut replay, &Limits::default());
        assert_eq!(first, second);
        assert_eq!((replay.left(), replay.mismatches), (0, 0));
        ends += (first.ending == Ending::End(EndKind::Return)) as u32;
    }
    assert!((10..90).contains(&ends), "{ends} of 100 random bytes are above 5");
}

#[test]
fn inputs_are_told_apart_by_the_calls_that_lead_to_them() {
    let text = "machine lp64 32 32\nvar r bv32 local f1\nvar a bv32 local f0\nvar b bv32 local f0\nentry f0\n\
        function f0 \"$start\" params () entry L0 exit L1\n\
        \x20 L0\n    e0 -> L2 call f1 () -> a\n  L1 end return\n\
        \x20 L2\n    e1 -> L3 call f1 () -> b\n\
        \x20 L3\n    e2 -> L1 assume (= b (bvadd a 1:32))\n    e3 -> L4 assume (not (= b (bvadd a 1:32)))\n\
        \x20 L4 error assert \"b\"\n\
        function f1 \"input\" params () result r entry L0 exit L1\n  L0\n    e0 -> L1 havoc (r) input \"nondet\"\n  L1\n";
    let program = parse(text).expect("a program");
    let (start, input) = (Func::new(0), Func::new(1));
    let mut inputs = BySite::new();
    for (call, value) in [(1, 8), (0, 7)] {
        let path = vec![(start, cfa::Edge::new(call))];
        inputs.push(path, (input, cfa::Edge::new(0)), Value::Bv(Bits::new(value, 32)));
    }
    let outcome = Machine::new(&program).expect("executable").run(&mut inputs, &Limits::default());
    assert_eq!((outcome.ending, inputs.missing), (Ending::End(EndKind::Return), 0));
}

#[test]
fn deep_recursion_is_limited_not_fatal() {
    let text = "machine lp64 32 32\nvar n bv32 local f1\nentry f0\n\
        function f0 \"$start\" params () entry L0 exit L1\n  L0\n    e0 -> L1 call f1 (0:32)\n  L1 end return\n\
        function f1 \"f\" params (n) entry L0 exit L1\n  L0\n    e0 -> L1 call f1 ((bvadd n 1:32))\n  L1\n";
    let program = parse(text).expect("a program");
    let outcome = Machine::new(&program).expect("executable").run(&mut Zero, &Limits::default());
    assert_eq!(outcome.ending, Ending::Limit(Limit::CallDepth));
    assert!(outcome.steps >= Limits::default().call_depth as u64);
    assert_eq!(outcome.call_path.len(), Limits::default().call_depth);
}

#[test]
fn object_numbers_are_reused_when_they_run_out() {
    let text = "machine ilp32 12 20\nvar p bv32 local f0\nvar i bv32 local f0\nentry f0\n\
        function f0 \"$start\" params () entry L0 exit L1\n\
        \x20 L0\n    e0 -> L2 alloc 4:32 stack \"p\" -> p\n  L1 end return\n\
        \x20 L2\n    e1 -> L3 dead p\n\
        \x20 L3\n    e2 -> L4 assign i := (bvadd i 1:32)\n\
        \x20 L4\n    e3 -> L0 assume (bvult i 10000:32)\n    e4 -> L1 assume (bvule 10000:32 i)\n";
    let program = parse(text).expect("a program");
    let outcome = Machine::new(&program).expect("executable").run(&mut Zero, &Limits::default());
    assert_eq!(outcome.ending, Ending::End(EndKind::Return));
    assert!(outcome.reused_object_numbers && outcome.undefined.is_empty());
    let leak = text.replace("dead p", "assume true");
    let program = parse(&leak).expect("a program");
    let outcome = Machine::new(&program).expect("executable").run(&mut Zero, &Limits::default());
    assert!(matches!(outcome.ending, Ending::BoundHit(_)), "{:?}", outcome.ending);
}

struct Heads {
    program_i: cfa::Var,
    seen: Vec<u64>,
    edges: usize,
    most: usize,
}

impl Watcher for Heads {
    fn edge(&mut self, _: &State<'_>, _: Func, _: cfa::Edge) {
        self.edges += 1;
    }

    fn location(&mut self, state: &State<'_>, _: Func, _: Loc) -> ControlFlow<()> {
        assert_eq!(
            state.value(self.program_i).map(|v| v.as_bits().cloned().expect("bits").to_u64()),
            Some(state.word(self.program_i))
        );
        self.seen.push(state.word(self.program_i).expect("a word"));
        if self.seen.len() < self.most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

#[test]
fn watchers_see_edges_and_states_at_locations() {
    let program = load("count.cfa");
    let i = program.vars.ids().find(|v| program.name(*v) == "i").expect("i");
    let watch = Watch { edges: true, locations: vec![(program.entry, Loc::new(1))] };
    let machine = Machine::watching(&program, &watch).expect("executable");
    let mut heads = Heads { program_i: i, seen: Vec::new(), edges: 0, most: usize::MAX };
    let limits = Limits::default();
    let outcome = machine.run_with(&mut Zero, &limits, &mut std::io::sink(), Some(&mut heads));
    assert_eq!(heads.seen, (0..=10).collect::<Vec<u64>>());
    assert_eq!(heads.edges as u64, outcome.steps);
    let mut heads = Heads { program_i: i, seen: Vec::new(), edges: 0, most: 3 };
    let outcome = machine.run_with(&mut Zero, &limits, &mut std::io::sink(), Some(&mut heads));
    assert_eq!((outcome.ending, heads.seen.len()), (Ending::Limit(Limit::Watcher), 3));
}

/// Two objects of a stack, one after the other: what the first one held is not in the second.
const OBJECTS: &str = "machine lp64 32 32\nvar &p bv64 local f0\nvar &q bv64 local f0\nvar r bv32 local f0\nentry f0\n\
    function f0 \"$start\" params () result r entry L0 exit L1\n\
    \x20 L0\n    e0 -> L2 alloc 6:64 stack \"p\" -> &p\n  L1 end return\n\
    \x20 L2\n    e1 -> L3 store 4 &p 4294967295:32\n\
    \x20 L3\n    e2 -> L4 dead &p\n\
    \x20 L4\n    e3 -> L5 alloc 8:64 stack \"q\" -> &q\n\
    \x20 L5\n    e4 -> L1 load 4 &q -> r\n";

/// Fills new objects.
struct Filled;

impl interpreter::Inputs for Filled {
    fn value(&mut self, ask: &interpreter::Ask<'_>) -> Value {
        Value::zero(ask.sort)
    }

    fn contents(&mut self, _ask: &interpreter::Ask<'_>, bytes: &mut [u8]) -> bool {
        bytes.fill(0x2a);
        true
    }
}

#[test]
fn new_objects_hold_what_the_inputs_say() {
    let program = parse(OBJECTS).expect("a program");
    let machine = Machine::new(&program).expect("executable");
    for record in [false, true] {
        let limits = Limits { record, ..Limits::default() };
        let result = |inputs: &mut dyn interpreter::Inputs| machine.run(inputs, &limits).exit_code;
        assert_eq!(result(&mut Zero), Some(Value::Bv(Bits::new(0, 32))));
        assert_eq!(result(&mut Filled), Some(Value::Bv(Bits::new(0x2a2a2a2a, 32))));
    }
    let outcome = machine.run(&mut Filled, &Limits::default());
    assert_eq!(outcome.inputs.len(), 2, "both objects were given contents");
}
