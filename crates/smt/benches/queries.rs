//! Tiny incremental queries: figures for `docs/`.
//!
//! A query is what symbolic execution asks at a branch: some facts about a few 32-bit variables, then push, one more
//! fact, check, pop. Facts are comparisons with constants and between variables; in the second workload also of sums.
//! Times are by the clock: on a busy machine look at the fastest.

use divan::Bencher;
use divan::counter::ItemsCount;
use smt::{Answer, Backend, BitwuzlaSettings, Solver, SolverSettings, Z3Settings, open};
use term::random::Rng;
use term::{Sort, Store};

fn main() {
    divan::main();
}

#[derive(Clone, Copy, Debug)]
enum Workload {
    Comparisons,
    Sums,
}

/// How many of the queries are satisfiable.
fn ask(solver: &mut dyn Solver, workload: Workload, count: usize) -> usize {
    let mut store = Store::new();
    let mut rng = Rng::new(3);
    let vars: Vec<_> = (0..4).map(|n| store.var(&format!("x{n}"), Sort::Bv(32))).collect();
    let mut sat = 0;
    for n in 0..count {
        if n % 50 == 0 {
            // Another path: other facts.
            if n > 0 {
                solver.pop();
            }
            solver.push();
            for pair in vars.windows(2) {
                let bound = store.bv(u128::from(rng.next_u64() >> 40), 32);
                let below = store.ult(pair[0], bound);
                solver.assert(&store, below);
                if let Workload::Sums = workload {
                    let sum = store.add(pair[0], bound);
                    let ordered = store.ult(pair[1], sum);
                    solver.assert(&store, ordered);
                }
            }
        }
        let (a, b) = (*rng.pick(&vars), *rng.pick(&vars));
        let constant = store.bv(u128::from(rng.next_u64() >> 39), 32);
        let left = match workload {
            Workload::Comparisons if rng.chance(2) => constant,
            Workload::Comparisons => a,
            Workload::Sums => store.add(a, constant),
        };
        let condition = match rng.below(3) {
            0 => store.ult(left, b),
            1 => store.ult(b, left),
            _ => store.eq(left, b),
        };
        solver.push();
        solver.assert(&store, condition);
        sat += usize::from(solver.check(&store, &[]).expect("an answer") == Answer::Sat);
        solver.pop();
    }
    sat
}

/// Few enough that a sample is short, enough that solvers are renewed.
const QUERIES: usize = 500;

fn run(bencher: Bencher<'_, '_>, settings: &SolverSettings, workload: Workload) {
    // Where Z3 is absent there is nothing to measure.
    if open(settings).is_err() {
        return;
    }
    bencher
        .counter(ItemsCount::new(QUERIES))
        .with_inputs(|| open(settings).expect("opened before"))
        .bench_local_refs(|solver| ask(solver.as_mut(), workload, QUERIES));
}

fn bare() -> SolverSettings {
    SolverSettings { renew_after: None, cached_models: None, ..SolverSettings::default() }
}

const WORKLOADS: [Workload; 2] = [Workload::Comparisons, Workload::Sums];

/// What engines use.
#[divan::bench(args = WORKLOADS)]
fn default_stack(bencher: Bencher<'_, '_>, workload: Workload) {
    run(bencher, &SolverSettings::default(), workload);
}

#[divan::bench(args = WORKLOADS)]
fn differences(bencher: Bencher<'_, '_>, workload: Workload) {
    run(bencher, &SolverSettings { differences: true, ..SolverSettings::default() }, workload);
}

#[divan::bench(args = WORKLOADS)]
fn models_checked(bencher: Bencher<'_, '_>, workload: Workload) {
    run(bencher, &SolverSettings { model_check: true, ..SolverSettings::default() }, workload);
}

/// Bitwuzla without layers but the renewal after so much garbage.
#[divan::bench(args = [20, 50, 200])]
fn renewed(bencher: Bencher<'_, '_>, garbage: usize) {
    run(bencher, &SolverSettings { renew_after: Some(garbage), ..bare() }, Workload::Comparisons);
}

#[divan::bench(args = WORKLOADS)]
fn without_preprocessing(bencher: Bencher<'_, '_>, workload: Workload) {
    let backend = Backend::Bitwuzla(BitwuzlaSettings { preprocessing: false, ..BitwuzlaSettings::default() });
    run(bencher, &SolverSettings { backend, renew_after: Some(50), ..bare() }, workload);
}

#[divan::bench(args = WORKLOADS)]
fn z3(bencher: Bencher<'_, '_>, workload: Workload) {
    run(bencher, &SolverSettings { backend: Backend::Z3(Z3Settings::default()), ..bare() }, workload);
}
