//! The circuits against evaluation, and the clauses against the solvers, on random terms as they were written.
//!
//! The seeds are fixed and printed with what fails. `BITBLAST_TERMS=1000000` makes it a million terms of each test, and
//! `BITBLAST_AFTER=200000` leaves out the first of them, so that many terms can be tried in parts.

use bitblast::{Blasted, Refused, blast};
use lrat::Cnf;
use sat::Outcome;
use smt::{Answer, Backend, Limits, Solver, SolverSettings, Why, Z3Settings};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::ops::Range;
use std::time::Duration;
use term::random::{Config, Generator, Rng};
use term::{ArraySort, Format, Op, Scalar, Sort, Store, Term, Value, eval};

/// The numbers of the terms to try.
fn terms_to_try(usually: u64) -> Range<u64> {
    let given = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let after = given("BITBLAST_AFTER").unwrap_or(0);
    after..after + given("BITBLAST_TERMS").unwrap_or(usually)
}

/// Propagates units through the clauses, once and in order: gates come after what they depend on. Whether all are true.
fn holds(blasted: &Blasted, values: &BTreeMap<Term, Value>) -> bool {
    let mut known: Vec<Option<bool>> = vec![None; blasted.cnf.variables() as usize + 1];
    for (t, bits) in &blasted.inputs {
        for (i, bit) in bits.iter().enumerate() {
            let value = match &values[t] {
                Value::Bool(value) => *value,
                Value::Bv(value) => value.bit(i as u32),
                other => panic!("{other:?}"),
            };
            let number = bit.number().expect("inputs are variables");
            assert!(number > 0);
            // Inputs that no clause mentions are beyond the largest variable.
            if let Some(place) = known.get_mut(number as usize) {
                *place = Some(value);
            }
        }
    }
    for clause in blasted.cnf.clauses() {
        let value = |l: &i32| known[l.unsigned_abs() as usize].map(|value| value == (*l > 0));
        if clause.iter().any(|l| value(l) == Some(true)) {
            continue;
        }
        let open: Vec<i32> = clause.iter().copied().filter(|l| value(l).is_none()).collect();
        match open[..] {
            [] => return false,
            [one] => known[one.unsigned_abs() as usize] = Some(one > 0),
            _ => panic!("a gate that its inputs do not determine"),
        }
    }
    true
}

fn random_values(rng: &mut Rng, store: &Store, t: Term) -> BTreeMap<Term, Value> {
    term::free_vars(store, &[t]).into_iter().map(|var| (var, rng.value(store.sort(var)))).collect()
}

#[test]
fn circuits_compute_what_evaluation_does() {
    const SEED: u64 = 2_900;
    let configs = [
        Config { height: 3, ..Config::bit_vectors(9) },
        Config { height: 2, widths: vec![16, 32, 33, 64], ..Config::bit_vectors(1) },
        Config { height: 5, ..Config::bit_vectors(4) },
    ];
    for round in terms_to_try(3_000) {
        let seed = SEED + round;
        let mut generator = Generator::new(seed, configs[round as usize % configs.len()].clone());
        let mut store = Store::new();
        let sort = generator.sort();
        let t = generator.term(&mut store, sort);
        let values = random_values(&mut generator.rng, &store, t);
        let value = eval(&store, t, &values).expect("bit-vectors have values");
        let constant = store.value(&value);
        let equal = store.mk_raw(Op::Eq, &[t, constant]);
        let differ = store.mk_raw(Op::Not, &[equal]);
        let shown = || term::smtlib::print_term(&store, t);
        let blasted = blast(&store, equal).expect("no floats");
        assert!(holds(&blasted, &values), "seed {seed}: {} is not {value:?} for {values:?}", shown());
        let blasted = blast(&store, differ).expect("no floats");
        assert!(!holds(&blasted, &values), "seed {seed}: {} is not only {value:?} for {values:?}", shown());
    }
}

/// Every operator on every pair of values, at small widths.
#[test]
fn every_operator_on_all_values() {
    use Op::*;
    for width in 1..=4u32 {
        let mut store = term::Store::new();
        let (x, y) = (store.var("x", Sort::Bv(width)), store.var("y", Sort::Bv(width)));
        let binary = [
            BvAdd, BvMul, BvUdiv, BvUrem, BvSdiv, BvSrem, BvShl, BvLshr, BvAshr, BvAnd, BvOr, BvXor, Concat, Eq, BvUlt,
            BvUle, BvSlt, BvSle, BvSaddo, BvSsubo, BvUmulo, BvSmulo,
        ];
        let unary = [BvNot, BvNeg, ZeroExtend(3), SignExtend(3), Extract { hi: width - 1, lo: width / 2 }];
        let mut all: Vec<Term> = binary.iter().map(|op| store.mk_raw(*op, &[x, y])).collect();
        all.extend(unary.iter().map(|op| store.mk_raw(*op, &[x])));
        for t in all {
            for point in 0..1u128 << (2 * width) {
                let value = |n: u128| Value::Bv(term::Bits::new(n, width));
                let values = BTreeMap::from([(x, value(point)), (y, value(point >> width))]);
                let result = eval(&store, t, &values).expect("a value");
                let constant = store.value(&result);
                let equal = store.mk_raw(Eq, &[t, constant]);
                let blasted = blast(&store, equal).expect("no floats");
                assert!(holds(&blasted, &values), "{:?} {values:?}", store.op(t));
                let differ = store.mk_raw(Not, &[equal]);
                let blasted = blast(&store, differ).expect("no floats");
                assert!(!holds(&blasted, &values), "{:?} {values:?}", store.op(t));
            }
        }
    }
}

/// Values that make all clauses true; where there are none, the proof of it is checked.
fn solved(cnf: &Cnf) -> Option<Vec<bool>> {
    match sat::solve(cnf, &mut || false, 1 << 30).expect("solved") {
        Outcome::Sat(values) => Some(values),
        Outcome::Unsat(proof) => {
            lrat::check(cnf, &proof).expect("a proof");
            None
        }
        Outcome::Stopped => panic!("nobody stopped it"),
    }
}

fn is_satisfiable(cnf: &Cnf) -> bool {
    solved(cnf).is_some()
}

fn with_arrays() -> Config {
    let arrays = vec![(Sort::Bv(2), Sort::Bv(4)), (Sort::Bv(8), Sort::Bv(3)), (Sort::Bv(3), Sort::Bool)];
    Config { widths: vec![1, 2, 3, 4, 8], arrays, height: 4, ..Config::bit_vectors(8) }
}

/// The variables have these values.
fn fixed(store: &mut Store, values: &BTreeMap<Term, Value>) -> Term {
    let mut all = store.tt();
    for (var, value) in values {
        let constant = store.value(value);
        let equal = store.mk_raw(Op::Eq, &[*var, constant]);
        all = store.mk_raw(Op::And, &[all, equal]);
    }
    all
}

#[test]
fn what_is_true_of_arrays_has_clauses_that_can_be_true() {
    const SEED: u64 = 29_000;
    for round in terms_to_try(400) {
        let seed = SEED + round;
        let mut generator = Generator::new(seed, with_arrays());
        let mut store = Store::new();
        let t = generator.formula(&mut store);
        let values = random_values(&mut generator.rng, &store, t);
        let Ok(Value::Bool(truth)) = eval(&store, t, &values) else { panic!("seed {seed}: no value") };
        let known = fixed(&mut store, &values);
        let negated = store.mk_raw(Op::Not, &[t]);
        let (right, wrong) = if truth { (t, negated) } else { (negated, t) };
        let right = store.mk_raw(Op::And, &[known, right]);
        let wrong = store.mk_raw(Op::And, &[known, wrong]);
        let shown = || term::smtlib::print_term(&store, t);
        let right = blast(&store, right).expect("no floats");
        assert!(is_satisfiable(&right.cnf), "seed {seed}: {} is {truth} for {values:?}", shown());
        let wrong = blast(&store, wrong).expect("no floats");
        assert!(!is_satisfiable(&wrong.cnf), "seed {seed}: {} is only {truth} for {values:?}", shown());
    }
}

/// Random formulas hardly ever depend on it: what an array has at equal indices is the same, neither less nor more.
#[test]
fn reads_at_equal_indices_are_equal() {
    let mut store = Store::new();
    let a = store.var("a", Sort::array(Sort::Bv(3), Sort::Bv(2)));
    let (i, j) = (store.var("i", Sort::Bv(3)), store.var("j", Sort::Bv(3)));
    let (at_i, at_j) = (store.mk_raw(Op::Select, &[a, i]), store.mk_raw(Op::Select, &[a, j]));
    let same = store.mk_raw(Op::Eq, &[i, j]);
    let differ = store.mk_raw(Op::Not, &[same]);
    // Whichever is read first may be the one that is less.
    let not_above = store.mk_raw(Op::BvUle, &[at_i, at_j]);
    let more = store.mk_raw(Op::Not, &[not_above]);
    let less = store.mk_raw(Op::BvUlt, &[at_i, at_j]);
    for compared in [less, more] {
        for (indices, possible) in [(same, false), (differ, true)] {
            let formula = store.mk_raw(Op::And, &[indices, compared]);
            let blasted = blast(&store, formula).expect("no floats");
            assert_eq!(is_satisfiable(&blasted.cnf), possible);
        }
    }
}

/// One value everywhere but at some indices is another everywhere only if these are all indices.
#[test]
fn constant_arrays_differ_where_nobody_looks() {
    for width in [1, 2, 3, 32] {
        let mut store = Store::new();
        let everywhere = Op::ConstArray(Scalar::Bv(width));
        let (x, y) = (store.var("x", Sort::Bv(4)), store.var("y", Sort::Bv(4)));
        let mut changed = store.mk_raw(everywhere, &[x]);
        let other = store.mk_raw(everywhere, &[y]);
        let same = store.mk_raw(Op::Eq, &[x, y]);
        let differ = store.mk_raw(Op::Not, &[same]);
        for indices in 0..=4 {
            let equal = store.mk_raw(Op::Eq, &[changed, other]);
            let formula = store.mk_raw(Op::And, &[equal, differ]);
            let blasted = blast(&store, formula).expect("no floats");
            assert_eq!(is_satisfiable(&blasted.cnf), indices >= 1u64 << width, "{indices} indices of {width} bits");
            let index = store.var(&format!("i{indices}"), Sort::Bv(width));
            changed = store.mk_raw(Op::Store, &[changed, index, y]);
        }
    }
}

/// A question about a term, and whether its clauses can all be true.
struct Question {
    seed: u64,
    asked: Term,
    possible: bool,
}

/// The term with other variables or values, and nothing else changed.
fn with_variables(store: &mut Store, t: Term, mut other: impl FnMut(&mut Store, Term) -> Term) -> Term {
    let mut copies: BTreeMap<Term, Term> = BTreeMap::new();
    for part in term::walk::postorder(store, &[t]) {
        let copy = if store.is_var(part) {
            other(store, part)
        } else {
            let args: Vec<Term> = store.args(part).iter().map(|arg| copies[arg]).collect();
            store.mk_raw(store.op(part), &args)
        };
        copies.insert(part, copy);
    }
    copies[&t]
}

/// The term with variables of its own, so that many can be asked about at once.
fn apart(store: &mut Store, t: Term, place: usize) -> Term {
    with_variables(store, t, |store, var| {
        let name = format!("{}.{place}", store.symbol_name(var).expect("a variable"));
        store.var(&name, store.sort(var))
    })
}

/// Values of the variables that make all clauses true.
fn model(store: &Store, blasted: &Blasted, values: &[bool]) -> BTreeMap<Term, Value> {
    let bit = |lit: &bitblast::Lit| {
        let number = lit.number().expect("inputs are variables");
        values.get(number as usize - 1).is_some_and(|value| *value)
    };
    let value = |(t, bits): &(Term, Vec<bitblast::Lit>)| match store.sort(*t) {
        Sort::Bool => (*t, Value::Bool(bit(&bits[0]))),
        _ => {
            let number = bits.iter().rev().fold(0, |number, lit| number << 1 | u128::from(bit(lit)));
            (*t, Value::Bv(term::Bits::new(number, bits.len() as u32)))
        }
    };
    blasted.inputs.iter().map(value).collect()
}

/// A random term: its clauses agree with evaluation at random points, and what solvers are then to be asked about it.
/// Most terms are small, so that there can be many; one in 64 is larger.
fn question(store: &mut Store, seed: u64) -> Question {
    let wide = |height| Config { height, widths: vec![16, 32, 33, 64], ..Config::bit_vectors(1) };
    let (config, points) = match seed % 16 {
        0..=4 => (Config { height: 3, ..Config::bit_vectors(4) }, 8),
        5..=8 => (Config { height: 2, ..Config::bit_vectors(9) }, 8),
        9..=12 => (wide(1), 1),
        13 | 14 => (wide(2), 1),
        _ => (Config { height: 3, ..with_arrays() }, 1),
    };
    let is_wide = matches!(seed % 16, 9..=14);
    let config = Config { height: config.height + u32::from(seed % 1024 < 16), ..config };
    let has_arrays = !config.arrays.is_empty();
    let mut generator = Generator::new(seed, config);
    let t = generator.formula(store);
    let blasted = blast(store, t).expect("no floats");
    let mut possible = false;
    for _ in 0..points {
        let values = random_values(&mut generator.rng, store, t);
        let Ok(Value::Bool(truth)) = eval(store, t, &values) else { panic!("seed {seed}: no value") };
        let said = if has_arrays {
            let known = fixed(store, &values);
            let there = store.mk_raw(Op::And, &[known, t]);
            is_satisfiable(&blast(store, there).expect("no floats").cnf)
        } else {
            holds(&blasted, &values)
        };
        let shown = |store: &Store| term::smtlib::print_term(store, t);
        assert_eq!(said, truth, "seed {seed}: the clauses, and {} for {values:?}", shown(store));
        possible |= truth;
        if is_wide {
            // Solvers would take long to find values of 64 bits for themselves.
            let asked = with_variables(store, t, |store, var| store.value(&values[&var]));
            return Question { seed, asked, possible };
        }
    }
    possible = possible || solved_as_evaluated(store, t, &blasted, has_arrays);
    Question { seed, asked: t, possible }
}

/// Whether the clauses can all be true; without arrays, values that make them so are evaluated.
fn solved_as_evaluated(store: &Store, t: Term, blasted: &Blasted, has_arrays: bool) -> bool {
    let Some(bits) = solved(&blasted.cnf) else { return false };
    if !has_arrays {
        let values = model(store, blasted, &bits);
        let shown = || term::smtlib::print_term(store, t);
        assert_eq!(eval(store, t, &values).ok(), Some(Value::Bool(true)), "{} for {values:?}", shown());
    }
    true
}

fn compares_constant_arrays(store: &Store, t: Term) -> bool {
    let parts = term::walk::postorder(store, &[t]);
    let is_comparison =
        |part: &Term| store.op(*part) == Op::Eq && matches!(store.sort(store.arg(*part, 0)), Sort::Array(_));
    parts.iter().any(is_comparison) && parts.iter().any(|part| matches!(store.op(*part), Op::ConstArray(_)))
}

/// A solver, and how its answers compare with the clauses.
struct Compared {
    settings: SolverSettings,
    solver: Box<dyn Solver>,
    /// The terms about which it says the same.
    agreed: Vec<u64>,
    /// How often its model is none.
    refuted: u64,
}

impl Compared {
    /// None if the solver is not installed.
    fn with(settings: &SolverSettings) -> Option<Compared> {
        let solver = smt::open(settings).ok()?;
        Some(Compared { settings: settings.clone(), solver, agreed: Vec::new(), refuted: 0 })
    }

    /// Compares many answers at once; where that does not work out, those that Bitwuzla gives up are left out first; else
    /// fewer are compared, in the end one.
    fn compare(&mut self, store: &mut Store, questions: &[&Question]) {
        if let [question] = questions {
            return self.compare_one(store, question);
        }
        if self.agrees_at_once(store, questions) {
            return self.agreed.extend(questions.iter().map(|question| question.seed));
        }
        let (hard, easy): (Vec<&Question>, Vec<&Question>) =
            questions.iter().partition(|question| compares_constant_arrays(store, question.asked));
        if hard.is_empty() || easy.is_empty() {
            let (some, others) = questions.split_at(questions.len() / 2);
            self.compare(store, some);
            self.compare(store, others);
        } else {
            self.compare(store, &easy);
            hard.into_iter().for_each(|question| self.compare_one(store, question));
        }
    }

    /// Whether the solver says the same as the clauses about all of them: what can be true can so together, for no two
    /// have a variable in common; of what cannot be true, nothing can.
    fn agrees_at_once(&mut self, store: &mut Store, questions: &[&Question]) -> bool {
        let (mut together, mut any) = (store.tt(), store.ff());
        for (place, question) in questions.iter().enumerate() {
            let own = apart(store, question.asked, place);
            if question.possible {
                together = store.mk_raw(Op::And, &[together, own]);
            } else {
                any = store.mk_raw(Op::Or, &[any, own]);
            }
        }
        self.solver.limit(&seconds(10));
        let answers = [(together, Answer::Sat), (any, Answer::Unsat)];
        answers.into_iter().all(|(asked, expected)| self.solver.check(store, &[asked]) == Ok(expected))
    }

    /// Models are evaluated: one in which the formula is not true is no answer.
    fn compare_one(&mut self, store: &Store, Question { seed, asked, possible }: &Question) {
        let careful = SolverSettings { model_check: true, ..self.settings.clone() };
        let mut solver = smt::open(&careful).expect("it was there before");
        solver.limit(&seconds(2));
        match solver.check(store, &[*asked]) {
            Ok(answer) => {
                let shown = || term::smtlib::print_term(store, *asked);
                assert_eq!(answer == Answer::Sat, *possible, "seed {seed}: a solver, and the clauses: {}", shown());
                self.agreed.push(*seed);
            }
            Err(why) => self.refuted += u64::from(matches!(why, Why::Contradicted(_))),
        }
    }
}

fn seconds(count: u64) -> Limits {
    Limits { time: Some(Duration::from_secs(count)), cancel: None }
}

/// Bitwuzla and Z3, as far as they are installed. No layer answers for them.
fn solvers() -> Vec<Compared> {
    let plain = SolverSettings {
        algebra: false,
        linear: false,
        small_factors: false,
        numbering: false,
        cached_models: None,
        ..SolverSettings::default()
    };
    let z3 = SolverSettings { backend: Backend::Z3(Z3Settings::default()), ..plain.clone() };
    [plain, z3].iter().filter_map(Compared::with).collect()
}

/// What became of random terms.
#[derive(Default)]
struct Counts {
    all: usize,
    possible: usize,
    /// Both solvers say what the clauses say.
    agreed: usize,
    refuted: u64,
}

/// Asks the solvers about random terms, so many at once. After `kept` terms solvers and store begin anew: they only grow.
fn compared(rounds: Range<u64>, at_once: usize, kept: usize, question: fn(&mut Store, u64) -> Question) -> Counts {
    let mut counts = Counts::default();
    let rounds: Vec<u64> = rounds.collect();
    for kept in rounds.chunks(kept) {
        let mut store = Store::new();
        let mut solvers = solvers();
        for rounds in kept.chunks(at_once) {
            let batch: Vec<Question> = rounds.iter().map(|round| question(&mut store, *round)).collect();
            counts.possible += batch.iter().filter(|question| question.possible).count();
            let batch: Vec<&Question> = batch.iter().collect();
            solvers.iter_mut().for_each(|solver| solver.compare(&mut store, &batch));
        }
        let mut agreed: BTreeMap<u64, usize> = BTreeMap::new();
        solvers.iter().flat_map(|solver| &solver.agreed).for_each(|seed| *agreed.entry(*seed).or_default() += 1);
        counts.agreed += agreed.values().filter(|count| **count == solvers.len()).count();
        counts.refuted += solvers.iter().map(|solver| solver.refuted).sum::<u64>();
        counts.all += kept.len();
    }
    let Counts { all, possible, agreed, refuted } = counts;
    let told = format!("{all} terms: {possible} can be true; solvers agree on {agreed}; {refuted} models are none");
    assert!(possible > all / 10 && possible < all - all / 10, "{told}");
    // Bitwuzla compares no constant arrays, and Z3 has models of such over few indices that are none.
    assert!(agreed > all - all / 50, "{told}");
    writeln!(std::io::stderr(), "{told}").expect("standard error");
    counts
}

/// Random terms: whether their clauses can be true, by evaluation, by Bitwuzla and by Z3.
#[test]
fn clauses_evaluation_and_solvers_agree() {
    // It takes longer to ask Z3 than to answer, but hundreds at once are harder than one after the other.
    compared(terms_to_try(1_200), 64, 1024, |store, round| question(store, 300_000 + round));
}

/// Random terms at random points: the value by the circuit, by evaluation, by Bitwuzla and by Z3.
#[test]
fn circuits_evaluation_and_solvers_have_the_same_values() {
    let counts = compared(terms_to_try(2_000), 512, 4096, |store, round| value_question(store, 3_000_000 + round));
    assert_eq!(counts.agreed, counts.all);
}

/// A random term and its value at a random point: the circuit has it there. That it is the value, or that it is not, is
/// what solvers are to be asked.
fn value_question(store: &mut Store, seed: u64) -> Question {
    let wide = |height| Config { height, widths: vec![16, 32, 33, 64], ..Config::bit_vectors(1) };
    let config = match seed % 8 {
        0..=2 => Config { height: 3, ..Config::bit_vectors(4) },
        3..=5 => Config { height: 2, ..Config::bit_vectors(9) },
        _ => wide(1),
    };
    let config = Config { height: config.height + u32::from(seed % 64 < 8), ..config };
    let mut generator = Generator::new(seed, config);
    let sort = generator.sort();
    let t = generator.term(store, sort);
    let values = random_values(&mut generator.rng, store, t);
    let value = eval(store, t, &values).expect("bit-vectors have values");
    let constant = store.value(&value);
    let equal = store.mk_raw(Op::Eq, &[t, constant]);
    let shown = |store: &Store| term::smtlib::print_term(store, t);
    let blasted = blast(store, equal).expect("no floats");
    assert!(holds(&blasted, &values), "seed {seed}: {} is not {value:?} for {values:?}", shown(store));
    let there = with_variables(store, equal, |store, var| store.value(&values[&var]));
    let possible = generator.rng.chance(2);
    let asked = if possible { there } else { store.mk_raw(Op::Not, &[there]) };
    Question { seed, asked, possible }
}

#[test]
fn what_has_no_circuit_is_refused_by_name() {
    let mut store = Store::new();
    let float = Sort::Float(Format { exp: 8, sig: 24 });
    let (x, y) = (store.var("x", float), store.var("y", float));
    let less = store.mk_raw(Op::FpLt, &[x, y]);
    assert!(matches!(blast(&store, less), Err(Refused::Operator(_))));
    let index = store.var("i", Sort::Bv(8));
    let p = store.var("p", Sort::Bool);
    let all = store.mk_raw(Op::Forall, &[index, p]);
    assert_eq!(blast(&store, all).unwrap_err(), Refused::Operator("forall"));
    let func = store.func("f", &[Sort::Bv(8)], Sort::Bool);
    let applied = store.mk_raw(Op::Apply(func), &[index]);
    assert_eq!(blast(&store, applied).unwrap_err(), Refused::Operator("apply"));
    let floats = Sort::Array(ArraySort { index: Scalar::Bv(8), elem: Scalar::Float(Format { exp: 8, sig: 24 }) });
    let (a, b) = (store.var("a", floats), store.var("b", floats));
    let equal = store.mk_raw(Op::Eq, &[a, b]);
    assert!(matches!(blast(&store, equal), Err(Refused::Operator(_))));
    let (wide, other) = (store.var("w", Sort::Bv(4_000)), store.var("v", Sort::Bv(4_000)));
    let product = store.mk_raw(Op::BvMul, &[wide, other]);
    let formula = store.mk_raw(Op::Eq, &[product, wide]);
    assert_eq!(blast(&store, formula).unwrap_err(), Refused::TooLarge);
}
