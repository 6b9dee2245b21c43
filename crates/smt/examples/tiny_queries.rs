//! How many tiny incremental queries per second: `tiny_queries [COUNT]`, for the bare solvers and for stacks of layers.
//!
//! A query is what symbolic execution asks at a branch: some facts about a few variables, then push, one more fact,
//! check, pop. The facts differ from query to query, so that a cache of answers finds little.

#![allow(clippy::print_stdout)]

use std::time::Instant;

use smt::{Answer, Backend, BitwuzlaSettings, Solver, SolverSettings, Z3Settings, open};
use term::random::Rng;
use term::{Sort, Store};

/// Queries per second, and how many were satisfiable.
fn measure(solver: &mut dyn Solver, count: usize) -> (f64, usize) {
    let mut store = Store::new();
    let mut rng = Rng::new(3);
    let vars: Vec<_> = (0..4).map(|n| store.var(&format!("x{n}"), Sort::Bv(32))).collect();
    let mut sat = 0;
    let start = Instant::now();
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
                let sum = store.add(pair[0], bound);
                let linked = store.eq(pair[1], sum);
                solver.assert(&store, below);
                solver.assert(&store, linked);
            }
        }
        let (a, b) = (*rng.pick(&vars), *rng.pick(&vars));
        let constant = store.bv(u128::from(rng.next_u64() >> 38), 32);
        let sum = store.add(a, constant);
        let condition = if rng.chance(2) { store.ult(sum, b) } else { store.eq(sum, b) };
        solver.push();
        solver.assert(&store, condition);
        match solver.check(&store, &[]) {
            Ok(answer) => sat += usize::from(answer == Answer::Sat),
            Err(why) => println!("no answer: {why}"),
        }
        solver.pop();
    }
    (count as f64 / start.elapsed().as_secs_f64(), sat)
}

fn main() {
    let count = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(20_000);
    let bare = SolverSettings { renew_after: None, cached_models: None, ..SolverSettings::default() };
    let z3 = Backend::Z3(Z3Settings::default());
    let quick = Backend::Bitwuzla(BitwuzlaSettings { preprocessing: false, ..BitwuzlaSettings::default() });
    let renewed = |garbage| SolverSettings { renew_after: Some(garbage), ..bare.clone() };
    let stacks = [
        ("default stack", SolverSettings::default()),
        ("default stack, slicing", SolverSettings { slicing: true, ..SolverSettings::default() }),
        ("default stack, models checked", SolverSettings { model_check: true, ..SolverSettings::default() }),
        ("renewed after 20", renewed(20)),
        ("renewed after 50", renewed(50)),
        ("renewed after 200", renewed(200)),
        ("renewed, no preprocessing", SolverSettings { backend: quick, ..renewed(50) }),
        ("Z3", SolverSettings { backend: z3, ..bare.clone() }),
        ("Bitwuzla, never renewed", bare.clone()),
    ];
    for (name, settings) in stacks {
        match open(&settings) {
            Ok(mut solver) => {
                let (rate, sat) = measure(solver.as_mut(), count);
                println!("{name:32} {rate:10.0} queries/s ({sat} of {count} sat)");
            }
            Err(why) => println!("{name:32} {why}"),
        }
    }
}
