//! Abstract states against all concrete ones: two variables of four bits, every state, random assignments, inputs,
//! conditions and joins.

use base::Sources;
use cfa::{DataModel, Machine, Op, Origin, Program, Var, VarKind};
use domain::Env;
use std::collections::{BTreeMap, BTreeSet};
use term::random::Rng;
use term::{Bits, Evaluator, Sort, Term, Value};

const WIDTH: u32 = 4;

/// The states that executions can be in.
type States = BTreeSet<(u128, u128)>;

struct World {
    program: Program,
    x: Var,
    y: Var,
    random: Rng,
}

impl World {
    fn value(&mut self, depth: usize) -> Term {
        let terms = &mut self.program.terms;
        let leaf = [self.program.vars[self.x].term, self.program.vars[self.y].term];
        if depth == 0 || self.random.chance(3) {
            return match self.random.below(3) {
                2 => terms.bv(self.random.below(16) as u128, WIDTH),
                i => leaf[i],
            };
        }
        let (a, b) = (self.value(depth - 1), self.value(depth - 1));
        let constant = self.program.terms.bv(self.random.below(16) as u128, WIDTH);
        let terms = &mut self.program.terms;
        match self.random.below(9) {
            0..=2 => terms.add(a, constant),
            3 => terms.add(a, b),
            4 => terms.sub(a, b),
            5 => terms.mul(a, b),
            6 => terms.bvand(a, constant),
            7 => terms.urem(a, b),
            _ => {
                let condition = self.condition(depth - 1);
                self.program.terms.ite(condition, a, b)
            }
        }
    }

    fn condition(&mut self, depth: usize) -> Term {
        if depth > 0 && self.random.chance(3) {
            let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
            let terms = &mut self.program.terms;
            return if self.random.chance(2) { terms.and(a, b) } else { terms.or(a, b) };
        }
        let (a, b) = (self.value(depth), self.value(depth));
        let terms = &mut self.program.terms;
        let atom = match self.random.below(5) {
            0 => terms.eq(a, b),
            1 => terms.ult(a, b),
            2 => terms.ule(a, b),
            3 => terms.slt(a, b),
            _ => terms.sle(a, b),
        };
        if self.random.chance(2) { atom } else { self.program.terms.not(atom) }
    }

    fn op(&mut self) -> Op {
        match self.random.below(8) {
            0 => {
                Op::Havoc { vars: vec![if self.random.chance(2) { self.x } else { self.y }], origin: Origin::Internal }
            }
            1..=3 => Op::Assume(self.condition(2)),
            4 => {
                let (a, b) = (self.value(2), self.value(2));
                Op::Assign(vec![(self.x, a), (self.y, b)])
            }
            _ => {
                let t = self.value(2);
                Op::Assign(vec![(if self.random.chance(2) { self.x } else { self.y }, t)])
            }
        }
    }

    fn eval(&self, t: Term, (x, y): (u128, u128)) -> Value {
        let values: BTreeMap<Term, Value> = BTreeMap::from([
            (self.program.vars[self.x].term, Value::Bv(Bits::new(x, WIDTH))),
            (self.program.vars[self.y].term, Value::Bv(Bits::new(y, WIDTH))),
        ]);
        Evaluator::new(&values).eval(&self.program.terms, t).expect("every variable has a value")
    }

    fn after(&self, states: &States, op: &Op) -> States {
        let number = |value: Value| match value {
            Value::Bv(bits) => bits.to_u128().expect("four bits"),
            other => panic!("{other:?}"),
        };
        let mut out = States::new();
        for &state in states {
            match op {
                Op::Assume(condition) => {
                    out.extend((self.eval(*condition, state) == Value::Bool(true)).then_some(state))
                }
                Op::Assign(pairs) => {
                    let mut next = state;
                    for (var, t) in pairs.iter() {
                        let value = number(self.eval(*t, state));
                        if *var == self.x { next.0 = value } else { next.1 = value }
                    }
                    out.insert(next);
                }
                Op::Havoc { vars, .. } => {
                    for value in 0..1 << WIDTH {
                        out.insert(if vars[0] == self.x { (value, state.1) } else { (state.0, value) });
                    }
                }
                other => panic!("{other:?}"),
            }
        }
        out
    }

    fn contains(&self, env: &Env, (x, y): (u128, u128)) -> bool {
        let value = |var: Var| if var == self.x { x as u64 } else { y as u64 };
        let mask = (1 << WIDTH) - 1;
        env.ranges().all(|(var, range)| range.contains(value(var)))
            && env.differences().all(|((a, b), range)| range.contains(value(a).wrapping_sub(value(b)) & mask))
    }
}

#[test]
fn abstract_states_include_all_concrete_ones() {
    let mut program = Program::new(Machine::new(DataModel::Ilp32), Sources::default());
    let kind = VarKind::Global;
    let x = program.add_var("x", Sort::Bv(WIDTH), kind, None);
    let y = program.add_var("y", Sort::Bv(WIDTH), kind, None);
    let mut world = World { program, x, y, random: Rng::new(5) };
    let (mut exact, mut known) = (0, 0);
    for _ in 0..1500 {
        let everything: States = (0..1 << WIDTH).flat_map(|x| (0..1 << WIDTH).map(move |y| (x, y))).collect();
        let mut env = Env::any([(x, y)].into());
        let mut states = everything.clone();
        let mut earlier = (env.clone(), states.clone());
        for step in 0..5 {
            let op = world.op();
            let next = world.after(&states, &op);
            let Some(after) = env.after(&world.program, &op) else {
                assert!(next.is_empty(), "{env:?} --{op:?}-> nothing, but {next:?}");
                break;
            };
            (env, states) = (after, next);
            if step == 3 {
                env =
                    if world.random.chance(2) { env.join(&earlier.0) } else { earlier.0.widen(&env, &|_| vec![3, 9]) };
                states.extend(&earlier.1);
                assert!(env.includes(&earlier.0), "{env:?} {earlier:?}");
            }
            if step == 1 {
                earlier = (env.clone(), states.clone());
            }
            for state in &states {
                assert!(world.contains(&env, *state), "{state:?} is not in {env:?} after {op:?}");
            }
            known += usize::from(env.differences().next().is_some());
            exact += usize::from(everything.iter().filter(|s| world.contains(&env, **s)).count() == states.len());
        }
    }
    assert!(known > 500 && exact > 500, "differences in {known} states, {exact} exact");
}
