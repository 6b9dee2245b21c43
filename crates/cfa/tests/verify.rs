//! The verifier: each invariant broken once, each time noticed at the right place.

use base::{FileId, Id, Sources, Span};
use cfa::verify::Place;
use cfa::*;
use term::{Format, Sort, Term};

fn edge(func: usize, e: usize) -> Place {
    Place::Edge(Func::new(func), Edge::new(e))
}

/// A small sound program in function form: `$start` (f0) calls `f` (f1), which loads and stores.
fn sound() -> Program {
    let text = "machine lp64 32 32\nfile F0 \"a.c\"\n\
        var g bv32 global\n\
        var p bv64 local f0\nvar r bv32 local f0\n\
        var n bv32 local f1\nvar q bv64 local f1\nvar s bv32 local f1\nvar l f15_64 local f1\n\
        entry f0\n\
        function f0 \"$start\" params () entry L0 exit L1\n\
        \x20 L0\n    e0 -> L2 alloc 4:64 static \"x\" -> p\n\
        \x20 L1 end return\n\
        \x20 L2\n    e1 -> L3 call f1 (g p) -> r\n\
        \x20 L3\n    e2 -> L1 assume (= r 0:32)\n    e3 -> L4 assume (not (= r 0:32))\n\
        \x20 L4 error assert \"r\"\n\
        function f1 \"f\" params (n q) result s entry L0 exit L1\n\
        \x20 L0\n    e0 -> L2 assign s := (bvadd n g)\n\
        \x20 L1\n\
        \x20 L2\n    e1 -> L3 store 4 q s\n\
        \x20 L3\n    e2 -> L4 load 4 q -> s\n\
        \x20 L4\n    e3 -> L5 assume (select $live (extract 63 32 q))\n\
        \x20 L5\n    e4 -> L6 copy q q 0:64\n\
        \x20 L6\n    e5 -> L7 fill q 0:32 4:64\n\
        \x20 L7\n    e6 -> L8 print q q -> s\n\
        \x20 L8\n    e7 -> L9 free q\n\
        \x20 L9\n    e8 -> L1 havoc (s n) internal\n";
    let program = parse(text).expect("a program");
    assert_eq!(verify(&program, Form::Function), []);
    program
}

fn var(program: &Program, name: &str) -> Var {
    program.vars.ids().find(|v| program.name(*v) == name).expect("a variable")
}

fn bv(program: &mut Program, value: u128, width: u32) -> Term {
    program.terms.bv(value, width)
}

/// Breaks the program and expects the first problem at that place, with that message.
fn expect(place: Place, message: &str, break_it: impl FnOnce(&mut Program)) {
    let mut program = sound();
    break_it(&mut program);
    let problems = verify(&program, Form::Function);
    let found = problems.iter().any(|problem| problem.place == place && problem.to_string().contains(message));
    assert!(found, "expected '{message}' at {place:?}, found {problems:#?}");
}

fn set_op(program: &mut Program, func: usize, e: usize, op: Op) {
    program.functions[Func::new(func)].edges[Edge::new(e)].op = op;
}

#[test]
fn ids_are_in_range() {
    expect(Place::Program, "is no function", |p| p.entry = Func::new(7));
    expect(Place::Function(Func::new(1)), "entry", |p| p.functions[Func::new(1)].entry = Loc::new(99));
    expect(Place::Function(Func::new(1)), "exit", |p| p.functions[Func::new(1)].exit = Loc::new(99));
    expect(edge(1, 0), "no such location", |p| p.functions[Func::new(1)].edges[Edge::new(0)].to = Loc::new(99));
    expect(edge(1, 0), "does not exist", |p| set_op(p, 1, 0, Op::Assume(Term::new(1_000_000))));
    expect(edge(1, 0), "does not exist", |p| {
        let t = p.terms.tt();
        set_op(p, 1, 0, Op::Assign(vec![(Var::new(77), t)]));
    });
    expect(edge(0, 1), "calls f9", |p| set_op(p, 0, 1, Op::Call { callee: Func::new(9), args: vec![], dst: None }));
    let nowhere_file = Span { file: FileId::new(5), line: 1, col: 1, end_line: 1, end_col: 1 };
    expect(edge(1, 0), "file", |p| p.functions[Func::new(1)].edges[Edge::new(0)].span = nowhere_file);
    let loc = Loc::new(0);
    expect(Place::Location(Func::new(1), loc), "frame", |p| {
        p.functions[Func::new(1)].locs[loc].frame = Frame::new(3);
    });
}

#[test]
fn variables_are_their_terms() {
    expect(Place::Variable(Var::new(2)), "another sort", |p| p.vars[Var::new(2)].sort = Sort::Bv(8));
    expect(Place::Variable(Var::new(2)), "not a variable", |p| {
        let t = p.terms.tt();
        p.vars[Var::new(2)].term = t;
    });
    expect(Place::Variable(Var::new(2)), "another variable", |p| {
        p.vars[Var::new(2)].term = p.vars[Var::new(4)].term;
    });
    expect(Place::Variable(Var::new(0)), "object table", |p| p.vars[Var::new(0)].sort = Sort::Bool);
    expect(Place::Variable(Var::new(3)), "function that does not exist", |p| {
        p.vars[Var::new(3)].kind = VarKind::Local(Func::new(9));
    });
}

#[test]
fn frames_form_a_tree() {
    let frame = |caller| FrameInfo { caller, function: "f".into(), site: None, call_span: Span::nowhere() };
    expect(Place::Frame(Frame::new(1)), "no caller", |p| {
        p.frames.push(frame(None));
    });
    expect(Place::Frame(Frame::new(1)), "earlier", |p| {
        p.frames.push(frame(Some(Frame::new(1))));
    });
}

#[test]
fn ends_have_no_outgoing_edges() {
    let (exit, error) = (Loc::new(1), Loc::new(4));
    expect(edge(1, 9), "leaves the exit", |p| {
        let t = p.terms.tt();
        p.functions[Func::new(1)].add_edge(exit, exit, Op::Assume(t), Span::nowhere());
    });
    expect(edge(0, 4), "where execution ends", |p| {
        let t = p.terms.tt();
        p.functions[Func::new(0)].add_edge(error, exit, Op::Assume(t), Span::nowhere());
    });
    expect(Place::Function(Func::new(1)), "its exit is neither", |p| {
        p.functions[Func::new(1)].locs[exit].kind = LocKind::End(EndKind::Return);
    });
}

#[test]
fn control_has_somewhere_to_go() {
    expect(Place::Location(Func::new(1), Loc::new(10)), "nowhere to go", |p| {
        let function = &mut p.functions[Func::new(1)];
        let end = function.add_loc(Span::nowhere());
        function.edges[Edge::new(8)].to = end;
    });
    // A dead end that nothing reaches does no harm.
    let mut program = sound();
    program.functions[Func::new(1)].add_loc(Span::nowhere());
    assert_eq!(verify(&program, Form::Function), []);
}

#[test]
fn assumptions_and_assignments_are_well_sorted() {
    expect(edge(1, 0), "not a boolean", |p| {
        let t = bv(p, 0, 32);
        set_op(p, 1, 0, Op::Assume(t));
    });
    expect(edge(1, 0), "assigns a bv31", |p| {
        let (v, t) = (var(p, "s"), bv(p, 0, 31));
        set_op(p, 1, 0, Op::Assign(vec![(v, t)]));
    });
    expect(edge(1, 0), "writes 's' twice", |p| {
        let (v, t) = (var(p, "s"), bv(p, 0, 32));
        set_op(p, 1, 0, Op::Assign(vec![(v, t), (v, t)]));
    });
    expect(edge(1, 0), "writes 's' twice", |p| {
        let v = var(p, "s");
        set_op(p, 1, 0, Op::Havoc { vars: vec![v, v], origin: Origin::Internal });
    });
}

#[test]
fn terms_mention_what_the_program_has() {
    expect(edge(1, 0), "'stranger', which is no variable", |p| {
        let t = p.terms.var("stranger", Sort::Bool);
        set_op(p, 1, 0, Op::Assume(t));
    });
    expect(edge(1, 0), "uninterpreted", |p| {
        let f = p.terms.func("f", &[], Sort::Bool);
        let t = p.terms.apply(f, &[]);
        set_op(p, 1, 0, Op::Assume(t));
    });
    let quantified = |p: &mut Program| {
        let k = p.terms.var("k", Sort::Bv(32));
        let n = p.term(var(p, "n"));
        let body = p.terms.ule(k, n);
        let t = p.terms.exists(&[k], body);
        set_op(p, 1, 0, Op::Assume(t));
    };
    expect(edge(1, 0), "quantifier", quantified);
}

#[test]
fn object_tables_are_only_selected_from() {
    expect(edge(1, 0), "otherwise than by selecting", |p| {
        let live = p.term(p.live);
        let zero = bv(p, 0, 32);
        let t = p.terms.tt();
        let stored = p.terms.store(live, zero, t);
        let t = p.terms.eq(stored, live);
        set_op(p, 1, 0, Op::Assume(t));
    });
    expect(edge(1, 0), "writes an object table", |p| {
        let (live, term) = (p.live, p.term(p.live));
        set_op(p, 1, 0, Op::Assign(vec![(live, term)]));
    });
}

#[test]
fn locals_stay_in_their_function() {
    expect(edge(1, 0), "a local of f0", |p| {
        let (s, r) = (var(p, "s"), p.term(var(p, "r")));
        set_op(p, 1, 0, Op::Assign(vec![(s, r)]));
    });
    expect(edge(1, 0), "a local of f0", |p| {
        let (r, s) = (var(p, "r"), p.term(var(p, "s")));
        set_op(p, 1, 0, Op::Assign(vec![(r, s)]));
    });
    expect(Place::Function(Func::new(1)), "not its local", |p| {
        let g = var(p, "g");
        p.functions[Func::new(1)].params[0] = g;
    });
    expect(Place::Function(Func::new(1)), "two parameters", |p| {
        let n = var(p, "n");
        p.functions[Func::new(1)].params[1] = n;
    });
    expect(Place::Function(Func::new(1)), "its result", |p| {
        let r = var(p, "r");
        p.functions[Func::new(1)].result = Some(r);
    });
}

#[test]
fn memory_operations_are_well_sorted() {
    let narrow = |p: &mut Program| bv(p, 0, 32);
    expect(edge(1, 2), "address", |p| {
        let (dst, addr) = (var(p, "s"), narrow(p));
        set_op(p, 1, 2, Op::Load { dst, addr, bytes: 4 });
    });
    expect(edge(1, 2), "number of bytes", |p| {
        let (dst, addr) = (var(p, "s"), p.term(var(p, "q")));
        set_op(p, 1, 2, Op::Load { dst, addr, bytes: 8 });
    });
    expect(edge(1, 1), "address", |p| {
        let addr = narrow(p);
        set_op(p, 1, 1, Op::Store { addr, value: addr, bytes: 4 });
    });
    expect(edge(1, 1), "number of bytes", |p| {
        let (addr, value) = (p.term(var(p, "q")), p.term(var(p, "l")));
        set_op(p, 1, 1, Op::Store { addr, value, bytes: 8 });
    });
    expect(edge(0, 0), "address", |p| {
        let (dst, size) = (var(p, "r"), bv(p, 4, 64));
        set_op(p, 0, 0, Op::Alloc { dst, size, kind: ObjectKind::Heap, name: String::new() });
    });
    expect(edge(0, 0), "size", |p| {
        let (dst, size) = (var(p, "p"), narrow(p));
        set_op(p, 0, 0, Op::Alloc { dst, size, kind: ObjectKind::Heap, name: String::new() });
    });
    expect(edge(1, 7), "address", |p| {
        let addr = narrow(p);
        set_op(p, 1, 7, Op::Free { addr });
    });
    expect(edge(1, 7), "address", |p| {
        let addr = narrow(p);
        set_op(p, 1, 7, Op::Dead { addr });
    });
    expect(edge(1, 4), "length", |p| {
        let (q, len) = (p.term(var(p, "q")), narrow(p));
        set_op(p, 1, 4, Op::Copy { dst: q, src: q, len });
    });
    expect(edge(1, 5), "low byte", |p| {
        let (dst, value, len) = (p.term(var(p, "q")), bv(p, 0, 7), bv(p, 4, 64));
        set_op(p, 1, 5, Op::Fill { dst, value, len });
    });
    expect(edge(1, 6), "address", |p| {
        let (args, format) = (p.term(var(p, "q")), narrow(p));
        set_op(p, 1, 6, Op::Print { format, args, stream: cfa::Stream::Output, dst: None });
    });
    for bytes in [10, 12, 16] {
        assert!(cfa::verify::storage_fits(Sort::Float(Format::X87), bytes));
    }
    assert!(!cfa::verify::storage_fits(Sort::Bool, 1));
}

#[test]
fn calls_fit_their_function() {
    let f = Func::new(1);
    expect(edge(0, 1), "0 arguments instead of 2", |p| {
        set_op(p, 0, 1, Op::Call { callee: f, args: vec![], dst: None });
    });
    expect(edge(0, 1), "argument of the wrong sort", |p| {
        let (g, t) = (p.term(var(p, "g")), p.term(var(p, "r")));
        set_op(p, 0, 1, Op::Call { callee: f, args: vec![g, t], dst: None });
    });
    expect(edge(0, 1), "another sort", |p| {
        let (g, t, dst) = (p.term(var(p, "g")), p.term(var(p, "p")), var(p, "p"));
        set_op(p, 0, 1, Op::Call { callee: f, args: vec![g, t], dst: Some(dst) });
    });
    expect(edge(0, 1), "which has none", |p| p.functions[f].result = None);
    expect(edge(1, 0), "calls the entry function", |p| {
        set_op(p, 1, 0, Op::Call { callee: Func::new(0), args: vec![], dst: None });
    });
}

#[test]
fn flat_form_is_flat() {
    let problems = verify(&sound(), Form::Flat);
    assert!(problems.iter().any(|p| p.to_string().contains("has one function")));
    assert!(problems.iter().any(|p| p.to_string().contains("not an operation of flat form")));
    let mut program = Program::new(Machine::new(DataModel::Lp64), Sources::new());
    let mut main = Function::new("main", Span::nowhere());
    let live = program.live;
    let term = program.term(live);
    // In flat form the object tables are variables like others.
    main.add_edge(main.entry, main.exit, Op::Assign(vec![(live, term)]), Span::nowhere());
    program.functions.push(main);
    assert_eq!(verify(&program, Form::Flat), []);
}
