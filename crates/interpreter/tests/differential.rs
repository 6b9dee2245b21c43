//! The interpreter's arithmetic against the evaluator of terms, on random terms over all sorts.

use base::{Id, Sources, Span};
use cfa::{DataModel, EndKind, Func, Function, Loc, LocKind, Op, Program, Var, VarKind};
use interpreter::{Limits, Machine, Random, State, Watch, Watcher};
use rustc_hash::FxHashMap;
use std::ops::ControlFlow;
use term::{Format, Op as T, RoundingMode, Sort, Term, Value, eval};

const FORMATS: [Format; 4] = [Format::F16, Format::F32, Format::F64, Format::X87];
const WIDTHS: [u32; 11] = [1, 7, 8, 16, 32, 33, 63, 64, 65, 128, 130];

fn arrays() -> Vec<Sort> {
    vec![
        Sort::array(Sort::Bv(32), Sort::Bv(32)),
        Sort::array(Sort::Bv(8), Sort::Bool),
        Sort::array(Sort::Bv(64), Sort::Float(Format::F64)),
        Sort::array(Sort::Bv(128), Sort::Bv(8)),
    ]
}

/// Grows a pool of random terms.
struct Grower {
    random: Random,
    program: Program,
    pool: FxHashMap<Sort, Vec<Term>>,
}

impl Grower {
    fn below(&mut self, n: usize) -> usize {
        (self.random.next_u64() % n as u64) as usize
    }

    fn of<X: Copy>(&mut self, list: &[X]) -> X {
        let index = self.below(list.len());
        list[index]
    }

    /// Mostly a term made lately, sometimes a constant.
    fn pick(&mut self, sort: Sort) -> Term {
        if self.below(6) == 0 && sort.scalar().is_some() {
            let value = self.random.of_sort(sort);
            return self.program.terms.value(&value);
        }
        let len = self.pool[&sort].len();
        let index = len - 1 - self.below(len).min(self.below(len));
        self.pool[&sort][index]
    }

    fn op(&mut self) -> (T, Vec<Sort>) {
        let mode = self.of(&RoundingMode::ALL);
        let mode = if self.below(3) > 0 { RoundingMode::NearestEven } else { mode };
        let width = self.of(&WIDTHS);
        let format = self.of(&FORMATS);
        let (bv, fp) = (Sort::Bv(width), Sort::Float(format));
        let bv2 = |op: T| (op, vec![bv, bv]);
        let fp2 = |op: T| (op, vec![fp, fp]);
        match self.below(50) {
            0 => (T::Not, vec![Sort::Bool]),
            1 => (self.of(&[T::And, T::Or, T::Xor]), vec![Sort::Bool; 2]),
            2 => {
                let sort = self.of(&[bv, fp, Sort::Bool]);
                (T::Ite, vec![Sort::Bool, sort, sort])
            }
            3 => {
                let all = arrays();
                let sort = self.of(&[bv, fp, Sort::Bool, all[0], all[1], all[2], all[3]]);
                (T::Eq, vec![sort; 2])
            }
            4 => (T::BvNot, vec![bv]),
            5 => (T::BvNeg, vec![bv]),
            6 | 7 => bv2(T::BvAdd),
            8 => bv2(T::BvMul),
            9 => bv2(self.of(&[T::BvUdiv, T::BvUrem])),
            10 | 11 => bv2(self.of(&[T::BvSdiv, T::BvSrem])),
            12 | 13 => bv2(self.of(&[T::BvShl, T::BvLshr, T::BvAshr])),
            14 => bv2(self.of(&[T::BvAnd, T::BvOr, T::BvXor])),
            15 | 16 => bv2(self.of(&[T::BvUlt, T::BvUle, T::BvSlt, T::BvSle])),
            17 | 18 => bv2(self.of(&[T::BvSaddo, T::BvSsubo, T::BvUmulo, T::BvSmulo])),
            19 => (T::Extract { hi: 32 - 1, lo: 0 }, vec![Sort::Bv(self.of(&[33, 63, 64, 65, 128, 130]))]),
            20 => (T::Extract { hi: 14, lo: 7 }, vec![Sort::Bv(self.of(&[16, 32, 33, 63, 64, 65, 128, 130]))]),
            21 => {
                let (high, low) = self.of(&[(32, 1), (32, 32), (1, 32), (64, 64), (1, 64), (65, 63)]);
                (T::Concat, vec![Sort::Bv(high), Sort::Bv(low)])
            }
            22 => (T::ZeroExtend(1), vec![Sort::Bv(self.of(&[7, 32, 64]))]),
            23 => (T::SignExtend(1), vec![Sort::Bv(self.of(&[7, 32, 64]))]),
            24 => (T::SignExtend(32), vec![Sort::Bv(32)]),
            25 => (T::ZeroExtend(64), vec![Sort::Bv(64)]),
            26 => (self.of(&[T::FpNeg, T::FpAbs]), vec![fp]),
            27 | 28 => fp2(T::FpAdd(mode)),
            29 => fp2(T::FpMul(mode)),
            30 => fp2(T::FpDiv(mode)),
            31 => (T::FpFma(mode), vec![fp; 3]),
            32 => (T::FpSqrt(mode), vec![fp]),
            33 => fp2(T::FpRem),
            34 => (T::FpRoundToIntegral(mode), vec![fp]),
            35 => fp2(self.of(&[T::FpMin, T::FpMax])),
            36 | 37 => fp2(self.of(&[T::FpEq, T::FpLt, T::FpLe])),
            38 => {
                let tests = [T::FpIsNan, T::FpIsInf, T::FpIsZero, T::FpIsNormal, T::FpIsSubnormal];
                (self.of(&tests), vec![fp])
            }
            39 => (self.of(&[T::FpIsNegative, T::FpIsPositive]), vec![fp]),
            40 => (T::FpToFp(mode, self.of(&FORMATS)), vec![fp]),
            41 => (T::FpFromSbv(mode, format), vec![bv]),
            42 => (T::FpFromUbv(mode, format), vec![bv]),
            43 => (T::FpToUbv(self.of(&[mode, RoundingMode::Zero]), width), vec![fp]),
            44 => (T::FpToSbv(self.of(&[mode, RoundingMode::Zero]), width), vec![fp]),
            45 => {
                let format = self.of(&[Format::F32, Format::F64]);
                (T::FpFromBits(format), vec![Sort::Bv(format.width())])
            }
            46 | 47 => {
                let sort = self.of(&arrays()).as_array().expect("an array");
                (T::Select, vec![Sort::Array(sort), sort.index.into()])
            }
            48 => {
                let sort = self.of(&arrays()).as_array().expect("an array");
                (T::Store, vec![Sort::Array(sort), sort.index.into(), sort.elem.into()])
            }
            _ => {
                let sort = self.of(&arrays());
                (T::Ite, vec![Sort::Bool, sort, sort])
            }
        }
    }

    fn grow(&mut self) {
        let (op, sorts) = self.op();
        let args: Vec<Term> = sorts.iter().map(|sort| self.pick(*sort)).collect();
        let sorts: Vec<Sort> = args.iter().map(|t| self.program.terms.sort(*t)).collect();
        let result = op.result_sort(&sorts).unwrap_or_else(|| panic!("{op:?} {sorts:?}"));
        if let Some(pool) = self.pool.get_mut(&result) {
            pool.push(self.program.terms.mk_raw(op, &args));
        }
    }
}

struct AtEnd {
    vars: Vec<Var>,
    values: Vec<Value>,
}

impl Watcher for AtEnd {
    fn location(&mut self, state: &State<'_>, _: Func, _: Loc) -> ControlFlow<()> {
        self.values = self.vars.iter().map(|v| state.value(*v).expect("a value")).collect();
        ControlFlow::Break(())
    }
}

/// Grows terms, assigns them to fresh variables on one edge, runs, and compares.
fn round(seed: u64, flat: bool) {
    let machine = cfa::Machine::new(DataModel::Lp64);
    let mut program = Program::new(machine, Sources::new());
    let mut pool: FxHashMap<Sort, Vec<Term>> = FxHashMap::default();
    let mut sorts = vec![Sort::Bool];
    sorts.extend(WIDTHS.map(Sort::Bv));
    sorts.extend(FORMATS.map(Sort::Float));
    sorts.extend(arrays());
    let kind = |i: usize| if i.is_multiple_of(2) { VarKind::Global } else { VarKind::Local(Func::new(0)) };
    let mut inputs = Vec::new();
    for (i, sort) in sorts.iter().enumerate() {
        for k in 0..3 {
            let v = program.add_var(&format!("x{i}_{k}"), *sort, kind(i + k), None);
            inputs.push(v);
            pool.entry(*sort).or_default().push(program.term(v));
        }
    }
    let mut grower = Grower { random: Random::new(seed), program, pool };
    for _ in 0..300 {
        grower.grow();
    }
    let Grower { mut random, mut program, pool, .. } = grower;
    let mut pairs = Vec::new();
    for (i, sort) in sorts.iter().enumerate() {
        for t in pool[sort].iter().skip(3) {
            let v = program.add_var(&format!("r{i}"), *sort, kind(i), None);
            pairs.push((v, *t));
        }
    }
    let values: FxHashMap<Term, Value> =
        inputs.iter().map(|v| (program.term(*v), random.of_sort(program.vars[*v].sort))).collect();

    let mut function = Function::new("main", Span::nowhere());
    function.locs[function.exit].kind = LocKind::End(EndKind::Return);
    let middle = function.add_loc(Span::nowhere());
    let set = inputs.iter().map(|v| (*v, program.terms.value(&values[&program.term(*v)]))).collect();
    function.add_edge(function.entry, middle, Op::Assign(set), Span::nowhere());
    function.add_edge(middle, function.exit, Op::Assign(pairs.clone()), Span::nowhere());
    let exit = function.exit;
    program.functions.push(function);
    if !flat {
        // A second function makes it function form: globals live apart from locals.
        let mut other = Function::new("other", Span::nowhere());
        other.add_edge(other.entry, other.exit, Op::Assign(Vec::new()), Span::nowhere());
        program.functions.push(other);
    }
    let watch = Watch { edges: false, locations: vec![(Func::new(0), exit)] };
    let machine = Machine::watching(&program, &watch).expect("executable");
    let mut end = AtEnd { vars: pairs.iter().map(|(v, _)| *v).collect(), values: Vec::new() };
    machine.run_with(&mut random, &Limits::default(), &mut std::io::sink(), Some(&mut end));
    let mut compared = 0;
    for ((_, t), value) in pairs.iter().zip(&end.values) {
        // Where the evaluator finds no value, SMT-LIB leaves it open.
        if let Ok(expected) = eval(&program.terms, *t, &values) {
            compared += 1;
            let text = || cfa::text::print_term(&program.terms, *t);
            assert!(expected.same(value), "seed {seed}: {}\n is {value:?}, not {expected:?}", text());
        }
    }
    assert!(compared > 100, "only {compared} of {} values were compared", pairs.len());
}

#[test]
fn random_terms_have_the_values_that_the_evaluator_gives_in_flat_form() {
    for seed in 0..150 {
        round(seed, true);
    }
}

#[test]
fn random_terms_have_the_values_that_the_evaluator_gives_in_function_form() {
    for seed in 1000..1100 {
        round(seed, false);
    }
}
