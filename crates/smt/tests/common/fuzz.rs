//! Random terms, four ways: as written, simplified, evaluated, and by each solver. Shared by a test and an example.
//!
//! Solver questions are asked for many terms at once (is there one that differs?); only a failure is taken apart.

use smt::layer::CheckModel;
use smt::{Answer, BitwuzlaSettings, BitwuzlaSolver, FloatFormats, Limits, Solver, Why, Z3Process, Z3Settings};
use std::collections::BTreeMap;
use std::time::Duration;
use term::random::{Config, Generator};
use term::{Format, Sort, Store, Term, Value, eval, free_vars, rewrite, simplify, smtlib};

/// What a run has seen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) terms: u64,
    /// Evaluations of plain and simplified terms that were compared.
    pub(crate) evaluations: u64,
    /// Terms compared under all values of their variables.
    pub(crate) exhaustive: u64,
    /// Terms whose value each solver confirmed.
    pub(crate) values: BTreeMap<&'static str, u64>,
    /// Terms whose simplified form each solver confirmed to be equal.
    pub(crate) equalities: BTreeMap<&'static str, u64>,
    /// Answers of Z3 that its own model refutes. It has such bugs; Bitwuzla must not.
    pub(crate) refuted: Vec<String>,
    /// Terms left open by a solver's time limit, or by Z3 for models that we cannot read.
    pub(crate) open: BTreeMap<&'static str, u64>,
    pub(crate) failures: Vec<String>,
}

/// One kind of terms.
struct Kind {
    config: Config,
    /// How many of 40 questions are of this kind: floats take solvers long.
    share: usize,
    /// Terms that share a solver question.
    per_question: usize,
    /// Bitwuzla runs out of memory on `fp.fma` in tiny formats; that is why it is given tested formats only.
    bitwuzla: bool,
}

fn kinds() -> Vec<Kind> {
    let bits = Config { height: 3, ..Config::bit_vectors(8) };
    let narrow = Config { vars: 2, height: 3, ..Config::bit_vectors(3) };
    let tiny = Config { height: 3, vars: 2, ..Config::all_theories() };
    let arrays = Config { formats: Vec::new(), ..tiny.clone() };
    let half =
        Config { formats: vec![Format::F16], widths: vec![1, 8, 16], arrays: Vec::new(), height: 2, ..tiny.clone() };
    vec![
        Kind { config: bits, share: 17, per_question: 25, bitwuzla: true },
        Kind { config: narrow, share: 16, per_question: 25, bitwuzla: true },
        Kind { config: arrays, share: 5, per_question: 25, bitwuzla: true },
        Kind { config: half, share: 1, per_question: 5, bitwuzla: true },
        Kind { config: tiny, share: 1, per_question: 5, bitwuzla: false },
    ]
}

/// For each solver question. What takes longer is counted as open.
const TIME: Duration = Duration::from_millis(300);

/// The same for Z3, which is timed by the clock and may have to wait for its turn.
const Z3_TIME: Duration = Duration::from_secs(3);

struct Case {
    plain: Term,
    simple: Term,
}

pub(crate) struct Fuzzer {
    pub(crate) tally: Tally,
    generators: Vec<Generator>,
    /// The questions of a round: which generator, how many terms, whether Bitwuzla is asked.
    turns: Vec<(usize, usize, bool)>,
    with_z3: bool,
}

impl Fuzzer {
    pub(crate) fn new(seed: u64, with_z3: bool) -> Fuzzer {
        let (mut generators, mut turns) = (Vec::new(), Vec::new());
        for (kind, number) in kinds().into_iter().zip(0..) {
            turns.extend(vec![(generators.len(), kind.per_question, kind.bitwuzla); kind.share]);
            generators.push(Generator::new(seed.wrapping_add(number << 32), kind.config));
        }
        Fuzzer { tally: Tally::default(), generators, turns, with_z3 }
    }

    /// Another store full of terms.
    pub(crate) fn round(&mut self) {
        let mut store = Store::new();
        let mut solvers: Vec<(&'static str, Box<dyn Solver>)> = Vec::new();
        let settings = BitwuzlaSettings { formats: FloatFormats::Any, ..BitwuzlaSettings::default() };
        solvers.push(("bitwuzla", Box::new(CheckModel::over(BitwuzlaSolver::new(&settings)))));
        if self.with_z3 {
            match Z3Process::new(&Z3Settings::default()) {
                Ok(z3) => solvers.push(("z3", Box::new(CheckModel::over(z3)))),
                Err(why) => self.tally.failures.push(why.to_string()),
            }
        }
        for (name, solver) in &mut solvers {
            let time = if *name == "z3" { Z3_TIME } else { TIME };
            solver.limit(&Limits { time: Some(time), cancel: None });
        }
        for (kind, terms, bitwuzla) in self.turns.clone() {
            let cases: Vec<Case> = (0..terms).map(|_| self.case(&mut store, kind)).collect();
            let (assignment, values) = self.evaluate(&mut store, kind, &cases);
            let simplified: Vec<(Term, Term)> = cases.iter().map(|case| (case.plain, case.simple)).collect();
            for (name, solver) in &mut solvers {
                if *name == "bitwuzla" && !bitwuzla {
                    continue;
                }
                let tally = &mut self.tally;
                ask(solver.as_mut(), &mut store, &assignment, &values, name, "value", tally);
                ask(solver.as_mut(), &mut store, &[], &simplified, name, "equality", tally);
            }
        }
    }

    fn case(&mut self, store: &mut Store, kind: usize) -> Case {
        let generator = &mut self.generators[kind];
        let sort = generator.sort();
        let plain = generator.term(store, sort);
        let simple = if generator.rng.chance(2) { simplify(store, plain) } else { rewrite::rebuild(store, plain) };
        self.tally.terms += 1;
        Case { plain, simple }
    }

    /// Compares plain and simplified terms by evaluation. Returns one assignment, as equations, and the plain terms with
    /// their values under it.
    fn evaluate(&mut self, store: &mut Store, kind: usize, cases: &[Case]) -> (Vec<Term>, Vec<(Term, Term)>) {
        let plains: Vec<Term> = cases.iter().map(|case| case.plain).collect();
        let vars = free_vars(store, &plains);
        let mut assignment: BTreeMap<Term, Value> = BTreeMap::new();
        let mut valued = Vec::new();
        for last in [false, true] {
            let rng = &mut self.generators[kind].rng;
            assignment = vars.iter().map(|&var| (var, rng.value(store.sort(var)))).collect();
            for case in cases {
                self.compare(store, case, &assignment);
                if last && let Ok(value) = eval(store, case.plain, &assignment) {
                    let value = store.value(&value);
                    valued.push((case.plain, value));
                }
            }
        }
        for case in cases {
            self.compare_exhaustively(store, case);
        }
        let equations = assignment.iter().map(|(&var, value)| {
            let value = store.value(value);
            store.mk_raw(term::Op::Eq, &[var, value])
        });
        (equations.collect(), valued)
    }

    fn compare(&mut self, store: &Store, case: &Case, assignment: &BTreeMap<Term, Value>) {
        self.tally.evaluations += 1;
        // Simplification may make a term more definite, never less.
        if let Ok(value) = eval(store, case.plain, assignment)
            && !eval(store, case.simple, assignment).is_ok_and(|simple| simple.same(&value))
        {
            let (plain, simple) = (smtlib::print_term(store, case.plain), smtlib::print_term(store, case.simple));
            self.tally.failures.push(format!("evaluation of {plain}\nsimplified {simple}\nunder {assignment:?}"));
        }
    }

    /// All values of the variables, when there are at most 2^6 of them.
    fn compare_exhaustively(&mut self, store: &Store, case: &Case) {
        let vars = free_vars(store, &[case.plain]);
        let width = |var: &Term| match store.sort(*var) {
            Sort::Bool => Some(1),
            Sort::Bv(width) => Some(width),
            Sort::Float(_) | Sort::Array(_) => None,
        };
        let Some(total) = vars.iter().map(width).sum::<Option<u32>>().filter(|total| *total <= 6) else { return };
        self.tally.exhaustive += 1;
        for pattern in 0..1u128 << total {
            let mut rest = pattern;
            let assignment = vars.iter().map(|var| {
                let bits = width(var).unwrap_or(1);
                let value = match store.sort(*var) {
                    Sort::Bool => Value::Bool(rest & 1 == 1),
                    _ => Value::Bv(term::Bits::new(rest, bits)),
                };
                rest >>= bits;
                (*var, value)
            });
            self.compare(store, case, &assignment.collect());
        }
    }
}

/// Asks whether some pair differs under the conditions, and if so which.
fn ask(
    solver: &mut dyn Solver,
    store: &mut Store,
    conditions: &[Term],
    pairs: &[(Term, Term)],
    name: &'static str,
    what: &str,
    tally: &mut Tally,
) {
    let differ = |store: &mut Store, pairs: &[(Term, Term)]| {
        pairs.iter().fold(store.ff(), |any, &(a, b)| {
            let same = store.mk_raw(term::Op::Eq, &[a, b]);
            let not = store.mk_raw(term::Op::Not, &[same]);
            store.mk_raw(term::Op::Or, &[any, not])
        })
    };
    solver.push();
    for &condition in conditions {
        solver.assert(store, condition);
    }
    let mut groups = vec![pairs];
    while let Some(group) = groups.pop() {
        if group.is_empty() {
            continue;
        }
        let question = differ(store, group);
        let answer = solver.check(store, &[question]);
        match answer {
            Ok(Answer::Unsat) => {
                let counts = if what == "value" { &mut tally.values } else { &mut tally.equalities };
                *counts.entry(name).or_default() += group.len() as u64;
            }
            // Take it apart, down to one pair.
            Ok(Answer::Sat) | Err(_) if group.len() > 1 => {
                let (left, right) = group.split_at(group.len() / 2);
                groups.extend([left, right]);
            }
            Err(Why::Timeout | Why::GaveUp(_)) => *tally.open.entry(name).or_default() += 1,
            Err(Why::Contradicted(how)) if name == "z3" => tally.refuted.push(how),
            Err(Why::Failed(_)) if name == "z3" => *tally.open.entry(name).or_default() += 1,
            Ok(Answer::Sat) | Err(_) => {
                let (a, b) = group[0];
                let (a, b) = (smtlib::print_term(store, a), smtlib::print_term(store, b));
                let conditions: Vec<String> = conditions.iter().map(|c| smtlib::print_term(store, *c)).collect();
                let given = if what == "value" { conditions.join(" ") } else { String::new() };
                tally.failures.push(format!("{name}, {what}: {answer:?}\n{a}\n{b}\ngiven {given}"));
            }
        }
    }
    solver.pop();
}
