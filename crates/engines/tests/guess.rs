//! Engine `guess` on textbook programs: the invariants of the textbook are found, printed readably, and proved again.

use crate::common::{compiled, cx};
use cfa::Program;
use engine::{Engine, Event, Evidence, Proof, Task, Verdict};
use engines::guess::Guess;
use smt::SolverSettings;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;
use term::{CName, Store, Term};

fn program(source: &str) -> Program {
    let text = format!(
        "extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);\n\
         extern short __VERIFIER_nondet_short(void); extern void abort(void); extern void reach_error(void);\n\
         void assume(int c) {{ if (!c) abort(); }}\n\
         void check(int c) {{ if (!c) reach_error(); }}\n{source}"
    );
    compiled(text, cfront::types::DataModel::Lp64)
}

struct Run {
    task: Task,
    terms: Store,
    verdict: Verdict,
    notes: Vec<String>,
}

fn run(source: &str) -> Run {
    let task = Task::new(program(source));
    let mut cx = cx(&task, Duration::from_secs(20));
    let notes = Rc::new(RefCell::new(Vec::new()));
    let listener = notes.clone();
    cx.listen(move |event| {
        if let Event::Note(note) | Event::Detail(note) = event {
            listener.borrow_mut().push(note.clone());
        }
    });
    let verdict = Guess::default().run(&task, &mut cx);
    let notes = notes.borrow().clone();
    Run { task, terms: cx.terms, verdict, notes }
}

impl Run {
    /// The proof, proved again by the independent checker.
    fn proof(&mut self) -> BTreeMap<cfa::Loc, Term> {
        let Verdict::Safe(Proof::Invariants { at, k }) = &self.verdict else {
            panic!("{:?}\n{}", self.verdict, self.notes.join("\n"))
        };
        let claim = validate::recheck::Claim::Inductive { invariants: at, k: *k };
        let mut solver = smt::open(&SolverSettings::default().normalising()).expect("the solver is compiled in");
        let deadline = base::cpu::Deadline::after(Duration::from_secs(120));
        validate::recheck::recheck(&self.task.program, &mut self.terms, claim, solver.as_mut(), deadline)
            .unwrap_or_else(|failure| panic!("{failure}\n{}", self.notes.join("\n")));
        at.clone()
    }

    /// The conjuncts of all invariants, as C text.
    fn invariants(&mut self) -> Vec<String> {
        let at = self.proof();
        let program = self.task.program.clone();
        let names = |_: &Store, t: Term| -> Option<CName> {
            let info = &program.vars[program.var_of(t)?];
            let source = info.source.as_ref()?;
            Some(CName { text: source.name.clone(), signed: source.signed, width: info.sort.bv_width()? })
        };
        let mut texts = Vec::new();
        for formula in at.values() {
            for conjunct in term::normal::conjuncts(&self.terms, *formula) {
                texts.extend(term::print_c(&self.terms, conjunct, &names));
            }
        }
        texts
    }

    /// Compared without the casts, suffixes and parentheses that keep the C text from overflowing, and without the order of
    /// summands.
    fn finds(&mut self, wanted: &[&str]) {
        let noise = ["(unsigned long long)", "(unsigned int)", "(long long)", "ull", "(", ")"];
        let plain = |text: &str| {
            let text = noise.iter().fold(text.to_owned(), |text, noise| text.replace(noise, ""));
            let sides = text.split(" == ").map(|side| {
                let mut summands: Vec<&str> = side.split(" + ").collect();
                summands.sort_unstable();
                summands.join(" + ")
            });
            sides.collect::<Vec<_>>().join(" == ")
        };
        let found: Vec<String> = self.invariants().iter().map(|text| plain(text)).collect();
        for text in wanted {
            assert!(found.contains(&plain(text)), "{text} is not among {found:#?}");
        }
    }
}

#[test]
fn bounds_that_no_run_shows_come_from_how_loops_drift() {
    // However large `z` was, `x` stays below it; what runs see of `x` is small.
    run("int main() { int z = __VERIFIER_nondet_int(), x = 0;
         while (z > 0) { check(x < 2147483647); x = x + 1; z = z - 1; } }")
    .proof();
}

#[test]
fn cohen_divides_by_doubling() {
    run("int main() { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); assume(x >= 0 && y >= 1);
         long long q = 0, r = x, a, b;
         while (r >= y) {
             a = 1; b = y;
             while (r >= 2 * b) { a = 2 * a; b = 2 * b; }
             r = r - b; q = q + a;
         }
         check(x == q * y + r); }")
    .finds(&["x == r + q * y", "b == a * y"]);
}

#[test]
fn cohen_prints_cubes() {
    run("int main() { short k = __VERIFIER_nondet_short(); long long n = 0, x = 0, y = 1, z = 6;
         while (n <= k) { n = n + 1; x = x + y; y = y + z; z = z + 6; }
         check(x == n * n * n); check(y * z - 18 * x - 12 * y + 2 * z - 6 == 0); }")
    .finds(&["z == n * 6 + 6", "y == n * 3 + n * n * 3 + 1", "x == n * n * n"]);
}

/// No random key is the one with seven times this value, and without it `b` is always 0.
#[test]
fn the_solver_chooses_inputs_that_runs_miss() {
    run("int main() { unsigned n = __VERIFIER_nondet_uint(), key = __VERIFIER_nondet_uint(), b = 0, i = 0, x;
         if (key * 7u == 8641969u) b = 1;
         x = b;
         while (i < n) { i++; x += 2u + b; }
         check(x == b + i * (2u + b)); }")
    .finds(&["x == b + (i * 2 + b * i)"]);
}

#[test]
fn manna_divides_by_counting() {
    run("int main() { int x1 = __VERIFIER_nondet_int(), x2 = __VERIFIER_nondet_int(); assume(x1 >= 0 && x2 != 0);
         int y1 = 0, y2 = 0, y3 = x1;
         while (y3 != 0) {
             if (y2 + 1 == x2) { y1 = y1 + 1; y2 = 0; y3 = y3 - 1; } else { y2 = y2 + 1; y3 = y3 - 1; }
         }
         check(y1 * x2 + y2 == x1); }")
    .finds(&["x1 == y2 + y3 + x2 * y1"]);
}

#[test]
fn fermat_factors_by_two_squares() {
    run("int main() { int A = __VERIFIER_nondet_int(), R = __VERIFIER_nondet_int();
         assume(((long long)R - 1) * ((long long)R - 1) < A); assume(A % 2 == 1);
         long long u = (long long)2 * R + 1, v = 1, r = (long long)R * R - A;
         while (r != 0) {
             if (r > 0) { r = r - v; v = v + 2; } else { r = r + u; u = u + 2; }
         }
         check((long long)4 * A == u * u - v * v - 2 * u + 2 * v); }")
    .finds(&["u * u + v * 2 == u * 2 + A * 4 + v * v + r * 4"]);
}

#[test]
fn extended_gcd_keeps_its_combinations() {
    run("int main() { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); assume(x >= 1 && y >= 1);
         long long a = x, b = y, p = 1, q = 0, r = 0, s = 1;
         while (a != b) {
             if (a > b) { a = a - b; p = p - q; r = r - s; } else { b = b - a; q = q - p; s = s - r; }
         }
         check(p * x + r * y == a); check(q * x + s * y == b); check(p * s - q * r == 1); }")
    .finds(&["a == p * x + r * y", "b == q * x + s * y", "p * s == q * r + 1"]);
}

#[test]
fn knuth_searches_divisors_without_dividing() {
    run("int main() { int n = __VERIFIER_nondet_int(), a = __VERIFIER_nondet_int(); int s = __VERIFIER_nondet_int();
         assume(n > 2 && a > 2);
         long long d = a, N = n, t;
         long long r = N % d, k = N % (d - 2), q = 4 * (N / (d - 2) - N / d);
         while (s >= d && r != 0) {
             if (2 * r - k + q < 0) { t = r; r = 2 * r - k + q + d + 2; k = t; q = q + 4; d = d + 2; }
             else if (2 * r - k + q < d + 2) { t = r; r = 2 * r - k + q; k = t; d = d + 2; }
             else if (2 * r - k + q < 2 * d + 4) { t = r; r = 2 * r - k + q - d - 2; k = t; q = q - 4; d = d + 2; }
             else { t = r; r = 2 * r - k + q - 2 * d - 4; k = t; q = q - 8; d = d + 2; }
         }
         check(d * d * q - 4 * r * d + 4 * k * d - 2 * q * d + 8 * r == 8 * N); }")
    .finds(&[]);
}

#[test]
fn sums_of_powers() {
    let sums = [
        ("y", "2 * x == y * y + y", "x * 2 == y + y * y"),
        ("y * y", "6 * x == 2 * y * y * y + 3 * y * y + y", "x * 6 == y + y * y * y * 2 + y * y * 3"),
        (
            "y * y * y",
            "4 * x == y * y * y * y + 2 * y * y * y + y * y",
            "x * 4 == y * y + y * y * y * 2 + y * y * y * y",
        ),
        ("y * y * y * y", "30 * x == 6 * y * y * y * y * y + 15 * y * y * y * y + 10 * y * y * y - y", ""),
        (
            "y * y * y * y * y",
            "12 * x == 2 * y * y * y * y * y * y + 6 * y * y * y * y * y + 5 * y * y * y * y - y * y",
            "",
        ),
    ];
    for (power, goal, wanted) in sums {
        let mut run = run(&format!(
            "int main() {{ int k = __VERIFIER_nondet_int(); long long x = 0, y = 0, c = 0;
             while (c < k) {{ c = c + 1; y = y + 1; x = x + {power}; }}
             check({goal}); }}"
        ));
        let wanted: Vec<&str> = [wanted].into_iter().filter(|w| !w.is_empty()).collect();
        run.finds(&wanted);
    }
}

#[test]
fn product_by_halving_both_factors() {
    run("int main() { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); assume(y >= 1);
         long long a = x, b = y, p = 1, q = 0;
         while (a != 0 && b != 0) {
             if (a % 2 == 0 && b % 2 == 0) { a = a / 2; b = b / 2; p = 4 * p; }
             else if (a % 2 == 1 && b % 2 == 0) { a = a - 1; q = q + b * p; }
             else if (a % 2 == 0 && b % 2 == 1) { b = b - 1; q = q + a * p; }
             else { a = a - 1; b = b - 1; q = q + (a + b + 1) * p; }
         }
         check(q == (long long)x * y); }")
    .finds(&[]);
}

#[test]
fn product_by_halving_one_factor() {
    run("int main() { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(); assume(b >= 1);
         long long x = a, y = b, z = 0;
         while (y != 0) {
             if (y % 2 == 1) { z = z + x; y = y - 1; }
             x = 2 * x; y = y / 2;
         }
         check(z == (long long)a * b); }")
    .finds(&["a * b == z + x * y"]);
}

#[test]
fn what_holds_only_without_overflow_is_not_proved() {
    // 6x = 2y³ + 3y² + y holds modulo 2^32 as long as y does; the division by 6 does not.
    let run = run("int main() { unsigned k = __VERIFIER_nondet_uint(), x = 0, y = 0;
         while (y < k) { y = y + 1; x = x + y * y; }
         check(x == (2 * y * y * y + 3 * y * y + y) / 6); }");
    assert!(!matches!(run.verdict, Verdict::Safe(_)), "{:?}", run.verdict);
}

#[test]
fn errors_are_found_by_running() {
    let run = run("int main() { int n = __VERIFIER_nondet_int(); assume(n >= 0 && n <= 100); int i = 0, s = 0;
         while (i < n) { i = i + 1; s = s + i; }
         check(2 * s != 156 * 0 + n * (n + 1) || n != 12); }");
    assert!(matches!(run.verdict, Verdict::Unsafe(Evidence::Trace(_))), "{:?}", run.verdict);
}
