//! Engine `guess` on textbook programs: the invariants of the textbook are found, printed readably, and proved again.

use cfa::Program;
use engine::{Approx, Board, Budget, Cx, Engine, Event, Evidence, FactKind, Proof, Task, Verdict};
use engines::guess::Guess;
use smt::SolverSettings;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, Instant};
use term::{CName, Store, Term};
use transform::pipeline::{Settings, prepare};

fn program(source: &str) -> Program {
    let text = format!(
        "extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);\n\
         extern short __VERIFIER_nondet_short(void); extern void abort(void); extern void reach_error(void);\n\
         void assume(int c) {{ if (!c) abort(); }}\n\
         void check(int c) {{ if (!c) reach_error(); }}\n{source}"
    );
    let input = cfront::Input::Text { name: "test.c".into(), text };
    let unit = lower::library::load(&[input], &cfront::Options::new(cfa::machine::DataModel::Lp64), "main")
        .unwrap_or_else(|failure| panic!("{}", failure.render()));
    let lowered = lower::lower(&unit, &lower::Options::default()).unwrap_or_else(|d| panic!("{d:?}"));
    prepare(&lowered, &Settings::new(transform::Aim::Targets)).program
}

struct Run {
    task: Task,
    terms: Store,
    verdict: Verdict,
    board: Board,
    notes: Vec<String>,
}

fn run(source: &str) -> Run {
    let task = Task::new(program(source), Approx::Exact);
    let board = Board::new();
    let budget = Budget::new(Duration::from_secs(20), u64::MAX);
    let mut cx = Cx::new(&task, budget, board.clone(), SolverSettings::default());
    let notes = Rc::new(RefCell::new(Vec::new()));
    let listener = notes.clone();
    cx.listen(move |event| {
        if let Event::Note(note) = event {
            listener.borrow_mut().push(note.clone());
        }
    });
    let verdict = Guess.run(&task, &mut cx);
    let notes = notes.borrow().clone();
    Run { task, terms: cx.terms, verdict, board, notes }
}

impl Run {
    /// The proof, proved again by the independent checker.
    fn proof(&mut self) -> BTreeMap<cfa::Loc, Term> {
        let Verdict::Safe(Proof::Invariants { at, k }) = &self.verdict else {
            panic!("{:?}\n{}", self.verdict, self.notes.join("\n"))
        };
        let claim = validate::recheck::Claim::Inductive { invariants: at, k: *k };
        let mut solver = smt::open(&SolverSettings::default()).expect("the solver is compiled in");
        let deadline = Instant::now() + Duration::from_secs(120);
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

    fn finds(&mut self, wanted: &[&str]) {
        let found = self.invariants();
        for text in wanted {
            assert!(found.iter().any(|f| f == text), "{text} is not among {found:#?}");
        }
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
