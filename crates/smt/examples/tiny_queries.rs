//! How many tiny incremental queries per second: `tiny_queries [COUNT]`, for the bare solvers and for stacks of layers.
//!
//! A query is what symbolic execution asks at a branch: some facts about a few 32-bit variables, then push, one more
//! fact, check, pop. Facts are comparisons with constants and between variables; in the second workload also of sums.

#![allow(clippy::print_stdout)]

use std::time::Instant;

use smt::{Answer, Backend, BitwuzlaSettings, Solver, SolverSettings, Z3Settings, open};
use term::random::Rng;
use term::{Sort, Store};

/// Processor time of this thread so far, in seconds: what counts on a busy machine. Linux only.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().next().and_then(|n| n.parse::<f64>().ok());
    nanoseconds.unwrap_or(f64::NAN) / 1e9
}

struct Measured {
    per_second: f64,
    per_processor_second: f64,
    sat: usize,
}

#[derive(Clone, Copy, Debug)]
enum Workload {
    Comparisons,
    Sums,
}

fn measure(solver: &mut dyn Solver, workload: Workload, count: usize) -> Measured {
    let mut store = Store::new();
    let mut rng = Rng::new(3);
    let vars: Vec<_> = (0..4).map(|n| store.var(&format!("x{n}"), Sort::Bv(32))).collect();
    let mut sat = 0;
    let (start, processor_start) = (Instant::now(), processor_seconds());
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
        match solver.check(&store, &[]) {
            Ok(answer) => sat += usize::from(answer == Answer::Sat),
            Err(why) => println!("no answer: {why}"),
        }
        solver.pop();
    }
    let (wall, processor) = (start.elapsed().as_secs_f64(), processor_seconds() - processor_start);
    Measured { per_second: count as f64 / wall, per_processor_second: count as f64 / processor, sat }
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
        // Of the processor time only our side is counted.
        ("Z3", SolverSettings { backend: z3, ..bare.clone() }),
        ("Bitwuzla, never renewed", bare.clone()),
    ];
    for (workload, (name, settings)) in
        [Workload::Comparisons, Workload::Sums].iter().flat_map(|w| stacks.iter().map(move |stack| (*w, stack)))
    {
        match open(settings) {
            Ok(mut solver) => {
                let Measured { per_second, per_processor_second, sat } = measure(solver.as_mut(), workload, count);
                println!(
                    "{workload:12?} {name:32} {per_second:8.0} queries/s, {per_processor_second:8.0} per processor second \
                     ({sat} of {count} sat)"
                );
            }
            Err(why) => println!("{name:32} {why}"),
        }
    }
}
