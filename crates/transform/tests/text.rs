//! What the passes make of small programs, as text.

use cfa::{Form, Program, assert_sound, parse, print};
use transform::inline::{self, inline};
use transform::simplify::{Settings, simplify};
use transform::slice::{LoopPolicy, slice};
use transform::{Aim, flatten};

fn program(text: &str) -> Program {
    let program = parse(&format!("machine lp64 32 32\n{text}")).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let form = if program.is_flat() { Form::Flat } else { Form::Function };
    assert_sound(&program, form);
    program
}

/// The functions, one line for each location and edge, without spans and sites.
fn body(program: &Program) -> String {
    let text = print(program);
    let from = text.find("\nfunction").expect("has a function");
    let lines = text[from..].lines().skip(2).map(|l| l.split(" site ").next().unwrap_or(l).trim().to_owned());
    lines.collect::<Vec<_>>().join("\n")
}

fn assert_body(program: &Program, expected: &str) {
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    assert_eq!(body(program), expected.join("\n"));
}

fn simple(text: &str) -> Program {
    let (program, _) = simplify(program(text), &Settings::new(Aim::Targets));
    assert_sound(&program, Form::Flat);
    program
}

#[test]
fn temporaries_fold_into_their_use_and_dead_ends_go() {
    let p = simple(
        r#"
        var a [bv64 -> bv32] memory
        var t1 bv32 local f0
        var t2 bv32 local f0
        var i bv64 local f0 source "i" "long" signed
        var x bv32 local f0 source "x" "int" signed
        entry f0
        function f0 "main" params () entry L0 exit L6
          L0
            e0 -> L1 havoc (i) input "nondet"
          L1
            e1 -> L2 assign t1 := (select a i)
          L2
            e2 -> L3 assign t2 := (bvadd t1 1:32)
          L3
            e3 -> L4 assign x := t2
          L4
            e4 -> L5 assume (= x 0:32)
            e5 -> L6 assume (not (= x 0:32))
          L5 error assert "zero"
          L6 end return
        "#,
    );
    assert_body(
        &p,
        r#"
        L0
          e0 -> L1 havoc (i) input "nondet"
        L1
          e1 -> L2 assume (= (select a i) 4294967295:32)
        L2 error assert "zero"
        L3 end return
        "#,
    );
}

#[test]
fn constants_decide_branches_and_loop_heads_stay() {
    let (p, restore) = simplify(
        program(
            r#"
            file F0 "a.c"
            var debug bv32 local f0
            var i bv32 local f0 source "i" "int" signed
            entry f0
            function f0 "main" params () entry L0 exit L9
              L0
                e0 -> L1 assign debug := 0:32
              L1
                e1 -> L2 assign i := 0:32
              L2 loop F0:3:1-3:4
                e2 -> L3 assume (not (= debug 0:32))
                e3 -> L4 assume (= debug 0:32)
              L3 unsupported "printing"
              L4
                e4 -> L5 assume (bvult i 10:32)
                e5 -> L6 assume (not (bvult i 10:32))
              L5
                e6 -> L2 assign i := (bvadd i 1:32)
              L6
                e7 -> L7 assume (= i 10:32)
                e8 -> L8 assume (not (= i 10:32))
              L7
                e9 -> L9 skip
              L8 error assert "i"
              L9 end return
            "#,
        ),
        &Settings::new(Aim::Targets),
    );
    assert_body(
        &p,
        r#"
        L0
          e0 -> L1 assign i := 0:32
        L1 loop F0:3:1-3:4
          e1 -> L2 assume (bvult i 10:32)
          e2 -> L3 assume (and (not (bvult i 10:32)) (not (= i 10:32)))
        L2
          e3 -> L1 assign i := (bvadd i 1:32)
        L3 error assert "i"
        L4 end return
        "#,
    );
    // On the old program `debug` still exists: a proof needs to know what it is.
    let facts = &restore.facts[&(p.entry, <cfa::Loc as base::Id>::new(2))];
    let facts: Vec<String> = facts.iter().map(|t| cfa::text::print_term(&p.terms, *t)).collect();
    assert_eq!(facts, ["(= debug 0:32)"]);
}

/// A loop over `n` that computes nothing of interest, then a check of `x`.
fn idle_loop(step: &str) -> Program {
    program(&format!(
        r#"
        var n bv32 local f0
        var i bv32 local f0
        var x bv32 local f0
        var y bv32 local f0
        entry f0
        function f0 "main" params () entry L0 exit L6
          L0
            e0 -> L1 havoc (x) input "nondet"
          L1
            e1 -> L2 assign i := 0:32, y := 0:32
          L2
            e2 -> L3 assume (bvult i n)
            e3 -> L4 assume (not (bvult i n))
          L3
            e4 -> L2 assign i := {step}, y := (bvadd y x)
          L4
            e5 -> L5 assume (= x 7:32)
            e6 -> L6 assume (not (= x 7:32))
          L5 error assert "seven"
          L6 end return
        "#
    ))
}

#[test]
fn slicing_leaves_out_loops_that_certainly_end() {
    let (p, restore) = slice(idle_loop("(bvadd i 1:32)"), LoopPolicy::DropBounded);
    let (p, _) = simplify(p, &Settings::new(Aim::Targets));
    assert_body(
        &p,
        r#"
        L0
          e0 -> L1 havoc (x) input "nondet"
        L1
          e1 -> L2 assume (= x 7:32)
        L2 error assert "seven"
        L3 end return
        "#,
    );
    assert_eq!(restore.left_out.len(), 1);
}

#[test]
fn slicing_keeps_loops_that_may_not_end() {
    let (p, restore) = slice(idle_loop("(bvadd i 2:32)"), LoopPolicy::DropBounded);
    assert!(restore.left_out.is_empty());
    let (p, _) = simplify(p, &Settings::new(Aim::Targets));
    assert_body(
        &p,
        r#"
        L0
          e0 -> L1 havoc (x) input "nondet"
        L1
          e1 -> L2 assign i := 0:32
        L2
          e2 -> L3 assume (bvult i n)
          e3 -> L4 assume (and (not (bvult i n)) (= x 7:32))
        L3
          e4 -> L2 assign i := (bvadd i 2:32)
        L4 error assert "seven"
        L5 end return
        "#,
    );
    let (p, restore) = slice(idle_loop("(bvadd i 2:32)"), LoopPolicy::AssumeEnd);
    assert_eq!(restore.left_out.len(), 1);
    assert!(flow::Loops::of(&flow::Graph::of(p.main())).is_empty());
}

const FACTORIAL: &str = r#"
    var n bv32 local f1 source "n" "int" signed
    var r bv32 local f1
    var out bv32 local f0
    entry f0
    function f0 "$start" params () entry L0 exit L1
      L0
        e0 -> L2 call f1 (ARG) -> out
      L1 end return
      L2
        e1 -> L3 assume (= out 24:32)
        e2 -> L1 assume (not (= out 24:32))
      L3 error assert "24"
    function f1 "fac" params (n) result r entry L0 exit L1
      L0
        e0 -> L2 assume (bvsle n 1:32)
        e1 -> L3 assume (not (bvsle n 1:32))
      L1
      L2
        e2 -> L1 assign r := 1:32
      L3
        e3 -> L4 call f1 ((bvadd n 4294967295:32)) -> r
      L4
        e4 -> L1 assign r := (bvmul n r)
"#;

#[test]
fn known_arguments_bound_recursion() {
    let (p, origins) = inline(program(&FACTORIAL.replace("ARG", "4:32")), &inline::Settings::default());
    assert_sound(&p, Form::Flat);
    assert_eq!(p.frames.len(), 5);
    assert_eq!(p.main().locs.values().filter(|l| matches!(l.kind, cfa::LocKind::BoundHit(_))).count(), 0);
    assert_eq!(origins.locs.len(), p.main().locs.len());
    let (p, _) = simplify(p, &Settings::new(Aim::Targets));
    assert_body(&p, "L0\n e0 -> L2 skip\n L1 end return\n L2 error assert \"24\"");
}

#[test]
fn unknown_recursion_ends_in_a_bound_hit() {
    let settings = inline::Settings { depth: 2, ..inline::Settings::default() };
    let text = FACTORIAL.replace("ARG", "m").replace("entry f0", "var m bv32 global\n entry f0");
    let (p, _) = inline(program(&text), &settings);
    assert_sound(&p, Form::Flat);
    let hits: Vec<&cfa::Location> =
        p.main().locs.values().filter(|l| matches!(l.kind, cfa::LocKind::BoundHit(_))).collect();
    assert_eq!(hits.len(), 1);
    // $start, and three activations of fac.
    assert_eq!(p.frames.len(), 4);
    let mut depth = 0;
    let mut frame = Some(hits[0].frame);
    while let Some(k) = frame {
        depth += 1;
        frame = p.frames[k].caller;
    }
    assert_eq!(depth, 4);
}

const DESCENT: &str = r#"
    var m bv32 global
    var n bv32 local f1 source "n" "int" signed
    var k bv32 local f2 source "k" "int" signed
    entry f0
    function f0 "$start" params () entry L0 exit L1
      L0
        e0 -> L1 call f1 (m)
      L1 end return
    function f1 "sum" params (n) entry L0 exit L1
      L0
        e0 -> L1 assume (bvsle n 1:32)
        e1 -> L2 assume (not (bvsle n 1:32))
      L1
      L2
        e2 -> L3 call f3 ()
      L3
        e3 -> L4 call f2 ((bvadd n 4294967295:32))
      L4
        e4 -> L1 call f2 ((bvadd n 4294967294:32))
    function f2 "product" params (k) entry L0 exit L1
      L0
        e0 -> L2 call f1 (k)
      L1
      L2
        e1 -> L1 call f1 (k)
    function f3 "blank" params () entry L0 exit L1
      L0
        e0 -> L1 havoc (m) input "nondet"
      L1
"#;

#[test]
fn recursion_has_so_much_room() {
    let with_room = |room| {
        let settings = inline::Settings { room, calls: inline::Recursion::Unroll, ..inline::Settings::default() };
        let (p, _) = inline(program(DESCENT), &settings);
        assert_sound(&p, Form::Flat);
        p
    };
    let (little, more) = (with_room(200), with_room(2_000));
    for (p, room) in [(&little, 200), (&more, 2_000)] {
        // The last copy that was made may call what is no recursion.
        let is_cut = |e: &cfa::EdgeInfo| matches!(p.main().locs[e.to].kind, cfa::LocKind::BoundHit(_));
        let edges = p.main().edges.values().filter(|e| !is_cut(e)).count();
        assert!(room / 4 < edges && edges < room + 50, "{edges} edges for {room}");
        let reasons = p.main().locs.values().filter_map(|l| match &l.kind {
            cfa::LocKind::BoundHit(why) => Some((inline::is_cut_short(&l.kind), why)),
            _ => None,
        });
        for (is_cut_short, why) in reasons {
            assert!(is_cut_short && why.contains("'sum'") && why.contains("'product'"), "{why}");
        }
        let count = |name: &str| p.frames.values().filter(|frame| frame.function == name).count();
        assert_eq!(count("blank"), count("sum"));
    }
}

/// Of each function one for each depth, so that the program grows with the depth and not with the chains of calls.
#[test]
fn calls_share_copies_where_there_is_no_room_for_all() {
    let (p, origins) = inline(program(DESCENT), &inline::Settings::default());
    assert_sound(&p, Form::Flat);
    assert_eq!(origins.locs.len(), p.main().locs.len());
    let count = |name: &str| p.frames.values().filter(|frame| frame.function == name).count();
    assert!(count("sum") > 10, "{} copies of sum", count("sum"));
    // Every second depth is that of the other.
    assert!((count("sum") - 1..=count("sum")).contains(&count("product")));
    assert_eq!(count("blank"), count("sum"));
    // All but the first have two calls.
    assert_eq!(p.joined.len(), count("sum") + count("product") - 1);
    assert!(p.main().locs.values().any(|l| inline::is_cut_short(&l.kind)));
}

#[test]
fn a_nest_of_loops_becomes_one_loop_and_invariants_come_back() {
    let (mut p, restore) = flatten(program(
        r#"
        var i bv8 local f0
        var j bv8 local f0
        entry f0
        function f0 "main" params () entry L0 exit L6
          L0
            e0 -> L1 assign i := 0:8
          L1
            e1 -> L2 assume (bvult i 5:8)
            e2 -> L6 assume (not (bvult i 5:8))
          L2
            e3 -> L3 assign j := 0:8
          L3
            e4 -> L4 assume (bvult j i)
            e5 -> L5 assume (not (bvult j i))
          L4
            e6 -> L3 assign j := (bvadd j 1:8)
          L5
            e7 -> L1 assign i := (bvadd i 1:8)
          L6 end return
        "#,
    ));
    assert_sound(&p, Form::Flat);
    let loops = flow::Loops::of(&flow::Graph::of(p.main()));
    assert_eq!(loops.len(), 1);
    let head = loops.loops.values().next().expect("one").header;
    // At the common head: i <= 5, and j <= i in the inner loop.
    let text = "(and (bvule i 5:8) (or (= $loop 0:1) (bvule j i)))";
    let invariant = cfa::text::parse_term(&mut p.terms, text).expect("a term");
    let lifted = restore.lift(&mut p, &[(head, invariant)].into_iter().collect());
    let lifted: Vec<String> =
        lifted.iter().map(|(l, t)| format!("{l}: {}", cfa::text::print_term(&p.terms, *t))).collect();
    assert_eq!(lifted, ["L1: (bvule i 5:8)", "L3: (and (bvule i 5:8) (bvule j i))"]);
}
