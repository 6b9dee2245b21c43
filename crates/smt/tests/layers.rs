//! The layers: each must answer as the bare solver does, and do its one thing.

use std::cell::Cell;
use std::fs;
use std::rc::Rc;
use std::time::Duration;

use smt::layer::{Arguments, Cache, CheckModel, CrossCheck, Deadline, Log, Refute, Renew, Timing};
use smt::{
    Answer, BitwuzlaSettings, BitwuzlaSolver, Limits, Solver, SolverSettings, Stats, Why, Z3Process, Z3Settings, open,
};
use term::random::{Config, Generator, Rng};
use term::{Sort, Store, Term, Value, eval};

const ALL: Arguments =
    Arguments { algebra: true, numbering: true, differences: true, linear: true, small_factors: true };

fn bitwuzla() -> BitwuzlaSolver {
    BitwuzlaSolver::new(&BitwuzlaSettings::default())
}

fn stats(solver: &dyn Solver) -> Stats {
    let mut stats = Stats::default();
    solver.stats(&mut stats);
    stats
}

/// Every layer by itself, and some stacks.
fn stacks() -> Vec<(&'static str, Box<dyn Solver>)> {
    let everything =
        SolverSettings { differences: true, model_check: true, cross_check: None, ..SolverSettings::default() };
    vec![
        ("timing", Box::new(Timing::over(bitwuzla()))),
        ("renew", Box::new(Renew::over(bitwuzla(), 3))),
        ("check model", Box::new(CheckModel::over(bitwuzla()))),
        ("cache", Box::new(Cache::over(bitwuzla(), 3))),
        ("refute", Box::new(Refute::over(bitwuzla(), ALL))),
        ("refute over cache", Box::new(Refute::over(Cache::over(bitwuzla(), 3), ALL))),
        ("deadline", Box::new(Deadline::over(bitwuzla(), base::cpu::Deadline::after(Duration::from_secs(600))))),
        ("cross-check", Box::new(CrossCheck::over(bitwuzla(), Cache::over(bitwuzla(), 2)))),
        ("default", open(&SolverSettings::default()).unwrap()),
        ("everything", open(&everything).unwrap()),
    ]
}

/// After a check: models satisfy what was asked, and cores contradict.
fn examine(name: &str, solver: &mut dyn Solver, store: &Store, facts: &[Term], assumptions: &[Term], answer: Answer) {
    let asked: Vec<Term> = facts.iter().chain(assumptions).copied().collect();
    match answer {
        Answer::Sat => {
            let model = solver.model(store, &asked).unwrap();
            for &fact in &asked {
                assert_eq!(eval(store, fact, &model), Ok(Value::Bool(true)), "{name}: {model:?}");
                assert_eq!(solver.value(store, fact), Ok(Value::Bool(true)), "{name}");
            }
            assert_eq!(solver.core(), Err(Why::NotAvailable), "{name}");
        }
        Answer::Unsat => {
            let core = solver.core().unwrap();
            assert!(core.iter().all(|term| assumptions.contains(term)), "{name}: {core:?}");
            let mut fresh = bitwuzla();
            facts.iter().for_each(|&fact| fresh.assert(store, fact));
            assert_eq!(fresh.check(store, &core), Ok(Answer::Unsat), "{name}: the core does not contradict");
        }
    }
}

#[test]
fn every_stack_answers_as_the_bare_solver() {
    let mut store = Store::new();
    let config = Config { functions: true, vars: 2, height: 2, ..Config::bit_vectors(4) };
    let mut generator = Generator::new(5, config);
    let pool: Vec<Term> = (0..40).map(|_| generator.formula(&mut store)).collect();
    let mut rng = Rng::new(6);
    let mut stacks = stacks();
    // The facts by level.
    let mut levels: Vec<Vec<Term>> = vec![Vec::new()];
    let mut answers = [0; 2];
    for _ in 0..150 {
        match rng.below(6) {
            0 => {
                levels.push(Vec::new());
                stacks.iter_mut().for_each(|(_, solver)| solver.push());
            }
            1 if levels.len() > 1 => {
                levels.pop();
                stacks.iter_mut().for_each(|(_, solver)| solver.pop());
            }
            2 if levels.len() > 1 => {
                let fact = *rng.pick(&pool);
                levels.last_mut().unwrap().push(fact);
                stacks.iter_mut().for_each(|(_, solver)| solver.assert(&store, fact));
            }
            _ => {
                let facts = levels.concat();
                let assumptions: Vec<Term> = (0..rng.below(4)).map(|_| *rng.pick(&pool)).collect();
                let mut bare = bitwuzla();
                facts.iter().for_each(|&fact| bare.assert(&store, fact));
                let expected = bare.check(&store, &assumptions).unwrap();
                answers[expected as usize] += 1;
                for (name, solver) in &mut stacks {
                    assert_eq!(solver.check(&store, &assumptions), Ok(expected), "{name}");
                    examine(name, solver.as_mut(), &store, &facts, &assumptions, expected);
                }
            }
        }
    }
    assert!(answers.iter().all(|count| *count >= 10), "one-sided test: {answers:?}");
}

/// Answers whatever it was told to.
struct Liar {
    answer: Rc<Cell<Answer>>,
}

impl Solver for Liar {
    fn push(&mut self) {}

    fn pop(&mut self) {}

    fn assert(&mut self, _: &Store, _: Term) {}

    fn check(&mut self, _: &Store, _: &[Term]) -> Result<Answer, Why> {
        Ok(self.answer.get())
    }

    fn value(&mut self, store: &Store, term: Term) -> Result<Value, Why> {
        Ok(Value::zero(store.sort(term)))
    }

    fn core(&mut self) -> Result<Vec<Term>, Why> {
        Ok(Vec::new())
    }

    fn limit(&mut self, _: &Limits) {}

    fn stats(&self, _: &mut Stats) {}
}

#[test]
fn a_wrong_model_is_refuted() {
    let mut store = Store::new();
    let (x, five) = (store.var("x", Sort::Bv(8)), store.bv(5, 8));
    let (is_five, is_small) = (store.eq(x, five), store.ult(x, five));
    let mut solver = CheckModel::over(Liar { answer: Rc::new(Cell::new(Answer::Sat)) });
    assert_eq!(solver.check(&store, &[is_small]), Ok(Answer::Sat));
    assert!(matches!(solver.check(&store, &[is_five]), Err(Why::Contradicted(_))));
    solver.assert(&store, is_five);
    assert!(matches!(solver.check(&store, &[]), Err(Why::Contradicted(_))));
}

#[test]
fn a_wrong_answer_is_contradicted() {
    let store = Store::new();
    let answer = Rc::new(Cell::new(Answer::Unsat));
    let mut solver = CrossCheck::over(Liar { answer: Rc::clone(&answer) }, bitwuzla());
    assert!(matches!(solver.check(&store, &[]), Err(Why::Contradicted(_))));
    answer.set(Answer::Sat);
    assert_eq!(solver.check(&store, &[]), Ok(Answer::Sat));
    assert!(matches!(solver.check(&store, &[store.ff()]), Err(Why::Contradicted(_))));
}

#[test]
fn no_answer_stays_no_answer_through_every_layer() {
    let mut store = Store::new();
    // A format that the back end refuses.
    let odd = store.var("odd", Sort::Float(term::Format { exp: 6, sig: 9 }));
    let is_nan = store.fp_is_nan(odd);
    for (name, mut solver) in stacks() {
        assert!(matches!(solver.check(&store, &[is_nan]), Err(Why::Unsupported(_))), "{name}");
        assert_eq!(solver.value(&store, odd), Err(Why::NotAvailable), "{name}");
        assert_eq!(solver.core(), Err(Why::NotAvailable), "{name}");
    }
}

#[test]
fn the_cache_answers_from_models_and_from_contradictions() {
    let mut store = Store::new();
    let x = store.var("x", Sort::Bv(8));
    let bounds: Vec<Term> = (1..20).map(|n| store.bv(10 * n, 8)).collect();
    let mut solver = Cache::over(bitwuzla(), 4);
    let nine = store.bv(9, 8);
    let small = store.ult(x, nine);
    assert_eq!(solver.check(&store, &[small]), Ok(Answer::Sat));
    for bound in bounds {
        let below = store.ult(x, bound);
        assert_eq!(solver.check(&store, &[small, below]), Ok(Answer::Sat), "by the first model");
    }
    assert_eq!(stats(&solver).get("bitwuzla.checks"), 1);

    let y = store.var("y", Sort::Bv(8));
    let large = store.uge(x, nine);
    let other = store.ult(y, nine);
    for _ in 0..3 {
        assert_eq!(solver.check(&store, &[small, other, large]), Ok(Answer::Unsat));
        assert_eq!(solver.core(), Ok(vec![small, large]));
    }
    // The same set, split otherwise.
    solver.push();
    solver.assert(&store, large);
    assert_eq!(solver.check(&store, &[other, small]), Ok(Answer::Unsat));
    assert_eq!(solver.core(), Ok(vec![small]));
    assert_eq!(stats(&solver).get("bitwuzla.checks"), 2);
}

#[test]
fn what_an_argument_refutes_is_not_asked() {
    let mut store = Store::new();
    let (x, y) = (store.var("x", Sort::Bv(64)), store.var("y", Sort::Bv(64)));
    let (less, more) = (store.slt(x, y), store.slt(y, x));
    let (xy, yx_sum) = (store.mul(x, y), store.add(x, y));
    let (squared, parts) = (store.mul(yx_sum, yx_sum), [store.mul(x, x), store.mul(y, y), xy, xy]);
    let sum = parts[1..].iter().fold(parts[0], |sum, part| store.add(sum, *part));
    let differ = store.ne(squared, sum);
    let mut solver = Refute::over(bitwuzla(), ALL);
    assert_eq!(solver.check(&store, &[less, more]), Ok(Answer::Unsat), "by differences");
    assert_eq!(solver.check(&store, &[differ]), Ok(Answer::Unsat), "by polynomials");
    assert_eq!(solver.core(), Ok(vec![differ]));
    assert_eq!(stats(&solver).get("bitwuzla.checks"), 0);
    assert_eq!(solver.check(&store, &[less]), Ok(Answer::Sat));
    assert_eq!(stats(&solver).get("refute.settled"), 2);
}

#[test]
fn after_the_deadline_nothing_is_asked() {
    let store = Store::new();
    let mut solver = Deadline::over(bitwuzla(), base::cpu::Deadline::after(Duration::ZERO));
    assert_eq!(solver.check(&store, &[]), Err(Why::Timeout));
    assert_eq!(stats(&solver).get("bitwuzla.checks"), 0);
}

#[test]
fn renewal_keeps_the_facts() {
    let mut store = Store::new();
    let (x, five) = (store.var("x", Sort::Bv(8)), store.bv(5, 8));
    let is_five = store.eq(x, five);
    let mut solver = Renew::over(bitwuzla(), 10);
    solver.assert(&store, is_five);
    for n in 0..100u32 {
        let bound = store.bv(n.into(), 8);
        let below = store.ult(x, bound);
        let expected = if n > 5 { Answer::Sat } else { Answer::Unsat };
        assert_eq!(solver.check(&store, &[below]), Ok(expected));
    }
    assert!(stats(&solver).get("bitwuzla.solvers") >= 10);
}

#[test]
fn the_log_can_be_replayed() {
    let directory = std::env::temp_dir().join(format!("foldback-smt-log-{}", std::process::id()));
    let mut store = Store::new();
    let (x, y) = (store.var("x", Sort::Bv(8)), store.var("y", Sort::Bv(8)));
    let sum = store.add(x, y);
    let (less, not_less) = (store.ult(sum, x), store.uge(sum, x));
    let mut solver = Log::over(bitwuzla(), &directory).unwrap();
    solver.assert(&store, less);
    let first = solver.check(&store, &[]);
    solver.push();
    let second = solver.check(&store, &[not_less]);
    solver.pop();
    assert_eq!((first, second), (Ok(Answer::Sat), Ok(Answer::Unsat)));
    drop(solver);
    let text = fs::read_to_string(directory.join("solver-0001.smt2")).unwrap();
    fs::remove_dir_all(&directory).unwrap();

    // Our own parser reads it, and a solver gives the answers noted in it.
    let commands = term::smtlib::parse_script(&mut Store::new(), &text).unwrap();
    assert_eq!(commands.iter().filter(|command| **command == term::smtlib::Command::CheckSat).count(), 2);
    let comments: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("; ")).collect();
    assert!(comments[0].starts_with("sat,") && comments[1].starts_with("unsat,"), "{text}");
    if Z3Process::new(&Z3Settings::default()).is_ok() {
        let mut child = std::process::Command::new("z3")
            .arg("-in")
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        std::io::Write::write_all(child.stdin.as_mut().unwrap(), text.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "sat\nunsat");
    }
}
