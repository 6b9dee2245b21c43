//! Random small automata, and a runner that executes flat ones: both sides of a pass must behave the same. Programs made ready for engines.
#![allow(unreachable_pub)]

use base::{Id, Sources, Span, Table};
use cfa::*;
use std::collections::BTreeMap;
use term::{Bits, Evaluator, Sort, Term, Value};
use transform::Aim;
use transform::pipeline::{Prepared, Settings, prepare};

/// A small deterministic random number generator (xorshift).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() >> 33) as usize % n
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// A program made ready for engines that look for its targets.
pub fn prepared(text: &str) -> Prepared {
    let program = parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let prepared = prepare(&program, &Settings::new(Aim::Targets));
    assert_sound(&prepared.program, Form::Flat);
    prepared
}

pub fn has_error(program: &Program) -> bool {
    program.main().locs.values().any(|l| matches!(l.kind, LocKind::Error(_)))
}

const WIDTH: u32 = 5;

/// A random flat program: any graph, also irreducible and endless ones, with complete branches.
pub fn random_program(random: &mut Random) -> Program {
    let mut program = Program::new(Machine::new(DataModel::Lp64), Sources::new());
    let var_count = 2 + random.below(4);
    let vars: Vec<Var> = (0..var_count)
        .map(|i| {
            let source = random.chance(60).then(|| SourceVar {
                name: format!("x{i}"),
                ctype: "int".into(),
                signed: true,
                pointer: false,
                span: Span::nowhere(),
                frame: Frame::ROOT,
            });
            program.add_var(&format!("x{i}"), Sort::Bv(WIDTH), VarKind::Local(Func::new(0)), source)
        })
        .collect();
    let mut f = Function::new("main", Span::nowhere());
    let n = 3 + random.below(12);
    let plain: Vec<Loc> =
        std::iter::once(f.entry).chain((1..n).map(|_| f.add_loc(Span::nowhere()))).collect::<Vec<_>>();
    let mut ends: Vec<Loc> = vec![f.exit];
    for i in 0..1 + random.below(3) {
        let l = f.add_loc(Span::nowhere());
        let message = format!("target {i}");
        f.locs[l].kind = match random.below(4) {
            0 => LocKind::BoundHit(message),
            1 => LocKind::Unsupported(message.into()),
            _ => LocKind::Error(Violation { property: Property::Assert, message }),
        };
        ends.push(l);
    }
    let pick = |random: &mut Random, i: usize| {
        if random.chance(12) {
            ends[random.below(ends.len())]
        } else if random.chance(70) && i + 1 < n {
            plain[i + 1 + random.below((n - i - 1).min(3))]
        } else {
            plain[random.below(n)]
        }
    };
    for (i, l) in plain.iter().enumerate() {
        if random.chance(15) {
            f.locs[*l].loop_span = Some(Span::nowhere());
        }
        let to = pick(random, i);
        let op = match random.below(10) {
            0..=3 => {
                let c = condition(&mut program, random, &vars);
                let other = pick(random, i);
                let not = program.terms.not(c);
                f.add_edge(*l, other, Op::Assume(not), Span::nowhere());
                Op::Assume(c)
            }
            4 => Op::Havoc { vars: vec![vars[random.below(vars.len())]], origin: Origin::Input("nondet".into()) },
            5 => Op::Assume(program.terms.tt()),
            6 if random.chance(30) => Op::Assume(condition(&mut program, random, &vars)),
            7 if vars.len() > 2 => {
                let (a, b) = (vars[0], vars[1 + random.below(vars.len() - 1)]);
                let (t, u) = (expr(&mut program, random, &vars), expr(&mut program, random, &vars));
                Op::Assign(vec![(a, t), (b, u)])
            }
            _ => {
                let v = vars[random.below(vars.len())];
                let t = if random.chance(30) { counter(&mut program, v) } else { expr(&mut program, random, &vars) };
                Op::Assign(vec![(v, t)])
            }
        };
        f.add_edge(*l, to, op, Span::nowhere());
    }
    if f.locs.get(f.exit).is_some() {
        f.locs[f.exit].kind = LocKind::End(EndKind::Return);
    }
    for e in f.edges.ids() {
        f.edges[e].site = Some((Func::new(0), e));
    }
    program.entry = program.functions.push(f);
    program
}

fn counter(program: &mut Program, v: Var) -> Term {
    let (x, one) = (program.term(v), program.terms.bv(1, WIDTH));
    program.terms.add(x, one)
}

fn expr(program: &mut Program, random: &mut Random, vars: &[Var]) -> Term {
    let leaf = |program: &mut Program, random: &mut Random| {
        if random.chance(40) {
            program.terms.bv(random.below(8) as u128, WIDTH)
        } else {
            program.term(vars[random.below(vars.len())])
        }
    };
    let (a, b) = (leaf(program, random), leaf(program, random));
    match random.below(6) {
        0 | 1 => a,
        2 => program.terms.add(a, b),
        3 => program.terms.mul(a, b),
        4 => program.terms.bvxor(a, b),
        _ => {
            let c = program.terms.ult(a, b);
            program.terms.ite(c, a, b)
        }
    }
}

fn condition(program: &mut Program, random: &mut Random, vars: &[Var]) -> Term {
    let (a, b) = (expr(program, random, vars), expr(program, random, vars));
    match random.below(4) {
        0 => program.terms.eq(a, b),
        1 => program.terms.slt(a, b),
        2 => program.terms.ule(a, b),
        _ => program.terms.ult(a, b),
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    Target(String),
    /// The end, or nowhere to go.
    Ended,
    StillRunning,
}

/// One execution of a flat program. Inputs depend only on the seed, the place in the original program, and how often
/// control was there; `visit` sees every location with the state there.
pub fn run(program: &Program, seed: u64, steps: usize, mut visit: impl FnMut(Loc, &BTreeMap<Term, Value>)) -> Outcome {
    let f = program.main();
    let successors: Table<Loc, Vec<Edge>> = f.successors();
    let random_value = |key: u64, sort: Sort| match sort {
        Sort::Bv(width) => {
            let mut random = Random(key.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
            random.next();
            Value::Bv(Bits::new(random.next() as u128, width))
        }
        other => Value::zero(other),
    };
    let mut state: BTreeMap<Term, Value> = program
        .vars
        .iter()
        .map(|(v, info)| (info.term, random_value(seed ^ (v.index() as u64) << 40, info.sort)))
        .collect();
    let mut seen: BTreeMap<(Frame, Option<(Func, Edge)>), u64> = BTreeMap::new();
    let mut at = f.entry;
    for _ in 0..steps {
        visit(at, &state);
        match &f.locs[at].kind {
            LocKind::Plain => {}
            LocKind::Error(Violation { message, .. }) | LocKind::BoundHit(message) => {
                return Outcome::Target(message.clone());
            }
            LocKind::Unsupported(what) => return Outcome::Target(what.to_string()),
            LocKind::End(_) => return Outcome::Ended,
        }
        let mut next = None;
        for e in &successors[at] {
            let mut evaluator = Evaluator::new(&state);
            let mut value = |t: Term| evaluator.eval(&program.terms, t).expect("everything has a value");
            let EdgeInfo { op, to, site, .. } = &f.edges[*e];
            let changed = match op {
                Op::Assume(c) => {
                    if value(*c) != Value::Bool(true) {
                        continue;
                    }
                    Vec::new()
                }
                Op::Assign(pairs) => pairs.iter().map(|(v, t)| (program.term(*v), value(*t))).collect(),
                Op::Havoc { vars, .. } => {
                    let count = seen.entry((f.locs[at].frame, *site)).or_default();
                    *count += 1;
                    let place = site.map_or(0, |(g, e)| g.index() as u64 * 1000 + e.index() as u64);
                    let key = seed ^ *count << 20 ^ place << 8 ^ (f.locs[at].frame.index() as u64) << 50;
                    vars.iter().map(|v| (program.term(*v), random_value(key, program.vars[*v].sort))).collect()
                }
                other => panic!("not flat: {other:?}"),
            };
            state.extend(changed);
            next = Some(*to);
            break;
        }
        match next {
            Some(to) => at = to,
            None => return Outcome::Ended,
        }
    }
    Outcome::StillRunning
}

/// Runs both programs with the same inputs; they must reach the same target, or none.
pub fn assert_same(before: &Program, after: &Program, seeds: u64, what: &str) {
    for seed in 1..=seeds {
        let a = run(before, seed * 77_777, 300, |_, _| {});
        let b = run(after, seed * 77_777, 1_500, |_, _| {});
        let same = match (&a, &b) {
            // Code that cannot reach a target may be gone, endless or not.
            (Outcome::Target(a), Outcome::Target(b)) => a == b,
            (Outcome::Target(_), _) => false,
            (_, Outcome::Target(_)) => {
                // The longer run must find it too.
                run(before, seed * 77_777, 6_000, |_, _| {}) == b
            }
            _ => true,
        };
        assert!(same, "{what}: {a:?} became {b:?} with seed {seed}\n{}\n{}", print(before), print(after));
    }
}
