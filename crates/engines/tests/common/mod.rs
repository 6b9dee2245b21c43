//! Random small automata, the truth about them by exhaustive execution, and the check of proofs.
#![allow(dead_code, unreachable_pub)]

use base::{Id, Sources, Span};
use cfa::*;
use engine::{Board, Budget, Cx, Engine, Evidence, Proof, Task, Verdict};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::SolverSettings;
use std::time::Duration;
use term::random::Rng;
use term::{Bits, Sort, Term, Value};
use transform::Aim;
use transform::pipeline::{Settings, prepare};
use validate::explore::{Guide, walk};
use validate::recheck::{Claim, recheck};

pub const WIDTH: u32 = 3;

/// What of the language a random automaton uses.
#[derive(Clone, Copy)]
pub struct Shape {
    pub locations: usize,
    pub loops: bool,
    pub inputs: bool,
    /// Whether several edges may be taken at once.
    pub choices: bool,
}

/// A program of one function: its globals as `a b: bv8, x: bv64`, where it ends, and its locations and edges. It starts at `L0`.
pub fn task(globals: &str, exit: &str, body: &str) -> Task {
    let declared = |group: &str| {
        let (names, sort) = group.split_once(": ").expect("names and their sort");
        names.split(' ').map(|name| format!("var {name} {sort} global\n")).collect::<String>()
    };
    let globals: String = globals.split(", ").map(declared).collect();
    let text = format!(
        "machine lp64 32 32
var $size [bv32 -> bv64] memory
var $live [bv32 -> bool] memory
{globals}entry f0

function f0 \"main\" params () entry L0 exit {exit}
{body}"
    );
    Task::new(cfa::text::parse(&text).expect("a program"))
}

/// A C program as an automaton.
pub fn lowered(text: impl Into<String>, model: cfront::types::DataModel) -> Program {
    let input = cfront::Input::Text { name: "test.c".into(), text: text.into() };
    let lowering = lower::Options::default();
    let unit = lower::library::load(&[input], &cfront::Options::new(model), &lowering.entry)
        .unwrap_or_else(|failure| panic!("{}", failure.render()));
    lower::lower(&unit, &lowering).unwrap_or_else(|d| panic!("{d:?}"))
}

/// A C program as engines get it.
pub fn compiled(text: impl Into<String>, model: cfront::types::DataModel) -> Program {
    prepare(&lowered(text, model), &Settings::new(Aim::Targets)).program
}

/// What an engine gets for so long.
pub fn cx(task: &Task, time: Duration) -> Cx {
    Cx::new(task, Budget::new(time, u64::MAX), Board::new(), SolverSettings::default())
}

/// A random flat program over three-bit variables with one error location.
pub fn random_program(seed: u64, shape: Shape) -> Program {
    let mut random = Rng::new(seed);
    let mut program = Program::new(Machine::new(DataModel::Lp64), Sources::new());
    let vars: Vec<Var> = (0..2 + random.below(2))
        .map(|i| program.add_var(&format!("x{i}"), Sort::Bv(WIDTH), VarKind::Local(Func::new(0)), None))
        .collect();
    let mut f = Function::new("main", Span::nowhere());
    let mut plain = vec![f.entry];
    plain.extend((1..2 + random.below(shape.locations)).map(|_| f.add_loc(Span::nowhere())));
    let error = f.add_loc(Span::nowhere());
    f.locs[error].kind = LocKind::Error(Violation { property: Property::Assert, message: "error".into() });
    f.locs[f.exit].kind = LocKind::End(EndKind::Return);
    let n = plain.len();
    for (i, &from) in plain.iter().enumerate() {
        let target = |random: &mut Rng| match random.below(10) {
            0..=1 => error,
            2 => f.exit,
            3..=5 if shape.loops => plain[random.below(n)],
            _ if i + 1 < n => plain[i + 1 + random.below(n - i - 1)],
            _ => [error, f.exit][random.below(2)],
        };
        let to = target(&mut random);
        let other = target(&mut random);
        match random.below(10) {
            0..=3 => {
                let c = condition(&mut program, &mut random, &vars);
                let d = if shape.choices && random.chance(3) {
                    condition(&mut program, &mut random, &vars)
                } else {
                    program.terms.not(c)
                };
                f.add_edge(from, to, Op::Assume(c), Span::nowhere());
                f.add_edge(from, other, Op::Assume(d), Span::nowhere());
            }
            4 if shape.inputs => {
                let vars = vec![*random.pick(&vars)];
                f.add_edge(from, to, Op::Havoc { vars, origin: Origin::Input("nondet".into()) }, Span::nowhere());
            }
            5 => {
                let (t, u) =
                    (expression(&mut program, &mut random, &vars), expression(&mut program, &mut random, &vars));
                f.add_edge(from, to, Op::Assign(vec![(vars[0], t), (vars[1], u)]), Span::nowhere());
            }
            _ => {
                let (v, t) = (*random.pick(&vars), expression(&mut program, &mut random, &vars));
                f.add_edge(from, to, Op::Assign(vec![(v, t)]), Span::nowhere());
            }
        }
    }
    program.entry = program.functions.push(f);
    program
}

fn leaf(program: &mut Program, random: &mut Rng, vars: &[Var]) -> Term {
    match random.below(3) {
        0 => program.terms.bv(random.below(8) as u128, WIDTH),
        _ => program.term(*random.pick(vars)),
    }
}

fn expression(program: &mut Program, random: &mut Rng, vars: &[Var]) -> Term {
    let (a, b) = (leaf(program, random, vars), leaf(program, random, vars));
    match random.below(5) {
        0 => a,
        1 | 2 => program.terms.add(a, b),
        3 => program.terms.mul(a, b),
        _ => {
            let one = program.terms.bv(1, WIDTH);
            program.terms.add(a, one)
        }
    }
}

fn condition(program: &mut Program, random: &mut Rng, vars: &[Var]) -> Term {
    let (a, b) = (leaf(program, random, vars), leaf(program, random, vars));
    match random.below(4) {
        0 => program.terms.eq(a, b),
        1 => program.terms.slt(a, b),
        2 => program.terms.ne(a, b),
        _ => program.terms.ult(a, b),
    }
}

/// Whether the error is reachable, by visiting all reachable states; and the length of the shortest path to it.
pub fn exhaustive(program: &Program) -> Option<u32> {
    let main = program.main();
    let vars: Vec<Var> = program.vars.iter().filter(|(_, v)| v.sort == Sort::Bv(WIDTH)).map(|(id, _)| id).collect();
    let count = 1usize << WIDTH;
    let all = count.pow(vars.len() as u32);
    let mut states: Vec<(Loc, Vec<usize>)> =
        (0..all).map(|n| (main.entry, (0..vars.len()).map(|i| n / count.pow(i as u32) % count).collect())).collect();
    let mut seen: FxHashSet<(Loc, Vec<usize>)> = states.iter().cloned().collect();
    let successors = main.successors();
    for length in 0.. {
        if states.iter().any(|(loc, _)| main.locs[*loc].kind.is_target()) {
            return Some(length);
        }
        let mut next = Vec::new();
        for (loc, values) in states {
            let assignment: FxHashMap<Term, Value> = vars
                .iter()
                .zip(&values)
                .map(|(v, n)| (program.term(*v), Value::Bv(Bits::new(*n as u128, WIDTH))))
                .collect();
            let value = |t: Term| term::eval(&program.terms, t, &assignment).expect("a value");
            let number = |t: Term| match value(t) {
                Value::Bv(bits) => bits.to_u64().expect("small") as usize,
                other => panic!("{other:?}"),
            };
            let index = |v: &Var| vars.iter().position(|x| x == v).expect("a variable");
            for edge in &successors[loc] {
                let info = &main.edges[*edge];
                let mut after = Vec::new();
                match &info.op {
                    Op::Assume(c) if value(*c) == Value::Bool(true) => after.push(values.clone()),
                    Op::Assume(_) => {}
                    Op::Assign(pairs) => {
                        let mut new = values.clone();
                        pairs.iter().for_each(|(v, t)| new[index(v)] = number(*t));
                        after.push(new);
                    }
                    Op::Havoc { vars: havocked, .. } => {
                        for n in 0..count {
                            let mut new = values.clone();
                            new[index(&havocked[0])] = n;
                            after.push(new);
                        }
                    }
                    op => panic!("{op:?}"),
                }
                for new in after {
                    let state = (info.to, new);
                    if seen.insert(state.clone()) {
                        next.push(state);
                    }
                }
            }
        }
        if next.is_empty() {
            return None;
        }
        states = next;
    }
    None
}

/// What an engine says, after checking its evidence. Returns the verdict's name, and the length of the trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Said {
    Safe,
    Unsafe,
    Unknown,
}

pub fn ask(engine: &mut dyn Engine, program: &Program, seconds: u64) -> Said {
    ask_and_listen(engine, program, seconds).0
}

/// Also what it told of folding.
pub fn ask_and_listen(engine: &mut dyn Engine, program: &Program, seconds: u64) -> (Said, Vec<String>) {
    let task = Task::new(program.clone());
    let mut cx = cx(&task, Duration::from_secs(seconds));
    let told = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
    let sink = told.clone();
    cx.listen(move |event| {
        if let engine::Event::Folding(lines) = event {
            sink.borrow_mut().push(lines.clone());
        }
    });
    let said = match engine.run(&task, &mut cx) {
        Verdict::Unknown(_) => Said::Unknown,
        Verdict::Unsafe(Evidence::Trace(trace) | Evidence::Deep(engine::DeepTrace { trace, .. })) => {
            assert!(program.main().locs[trace.target].kind.is_target());
            Said::Unsafe
        }
        Verdict::Unsafe(other) => panic!("{other:?}"),
        Verdict::Safe(Proof::Invariants { at, k }) => {
            let mut solver = smt::open(&SolverSettings::default()).expect("a solver");
            let claim = Claim::Inductive { invariants: &at, k };
            let deadline = base::cpu::Deadline::after(Duration::from_secs(60));
            let mut terms = cx.terms.clone();
            if let Err(failure) = recheck(program, &mut terms, claim, solver.as_mut(), deadline) {
                let text: Vec<String> =
                    at.iter().map(|(l, t)| format!("{l}: {}", cfa::text::print_term(&cx.terms, *t))).collect();
                panic!("{failure}\n{}\n{}", text.join("\n"), cfa::print(program));
            }
            Said::Safe
        }
        Verdict::Safe(Proof::Exhausted { .. }) => Said::Safe,
        Verdict::Safe(Proof::Explored(tree)) => {
            let mut solver = smt::open(&SolverSettings::default()).expect("a solver");
            let deadline = base::cpu::Deadline::after(Duration::from_secs(60));
            let walked = walk(program, &mut cx.terms.clone(), Guide::Tree(&tree), solver.as_mut(), deadline);
            walked.unwrap_or_else(|failure| panic!("{failure}\n{}\n{}", tree.decisions, cfa::print(program)));
            Said::Safe
        }
        Verdict::Safe(other) => panic!("{other:?}"),
    };
    let told = told.borrow().clone();
    (said, told)
}
