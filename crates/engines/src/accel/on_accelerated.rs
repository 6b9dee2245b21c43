//! Any engine on the accelerated program: what it answers there is an answer about the program itself.
//!
//! Only accelerators that are plain edges are added (no quantifier, nothing undefined), so that the engine need not know of
//! them. The loops are still there: invariants of the accelerated program are invariants of the program, loops that were
//! unwound completely there are so here, and a counterexample is expanded into one without accelerators.

use accelerate::{Accelerated, Settings, accelerate};
use engine::{Board, Cx, Engine, Evidence, Explored, Proof, Stop, Task, Verdict, Why};
use std::collections::BTreeMap;

pub struct OnAccelerated {
    name: &'static str,
    inner: Box<dyn Engine>,
}

impl OnAccelerated {
    /// The engine `inner` on the accelerated program, under a name of its own.
    pub fn new(name: &'static str, inner: impl Engine + 'static) -> OnAccelerated {
        OnAccelerated { name, inner: Box::new(inner) }
    }

    fn search(&mut self, task: &Task, cx: &mut Cx) -> Result<Verdict, Stop> {
        let settings = Settings { only_plain: true, ..Settings::default() };
        let accelerated = accelerate(&task.program, &settings, &cx.solvers, &cx.budget)?;
        let fast = Task::new(accelerated.program.clone());
        let mut inner = Cx::new(&fast, cx.budget.clone(), Board::new(), cx.solvers.clone());
        let verdict = self.inner.run(&fast, &mut inner);
        Ok(translated(verdict, &accelerated, &inner, cx))
    }
}

impl Engine for OnAccelerated {
    fn name(&self) -> &'static str {
        self.name
    }

    fn run(&mut self, task: &Task, cx: &mut Cx) -> Verdict {
        self.search(task, cx).unwrap_or_else(|stop| Verdict::Unknown(stop.into()))
    }
}

/// The verdict about the accelerated program as one about the program itself.
fn translated(verdict: Verdict, accelerated: &Accelerated, inner: &Cx, cx: &mut Cx) -> Verdict {
    match verdict {
        Verdict::Safe(Proof::Invariants { at, k }) => {
            let mut own = BTreeMap::new();
            for (loc, formula) in at {
                // What speaks of the accelerators' own variables is not understood here.
                let text = term::smtlib::print_term(&inner.terms, formula);
                let Ok(formula) = term::smtlib::parse_term(&mut cx.terms, &text) else {
                    return Verdict::Unknown(Why::GaveUp("an invariant speaks of numbers of iterations".into()));
                };
                own.insert(loc, formula);
            }
            Verdict::Safe(Proof::Invariants { at: own, k })
        }
        Verdict::Unsafe(Evidence::Trace(trace)) => {
            let steps = trace.inputs.len() as u64;
            Verdict::Unsafe(accelerated.expand(trace, steps))
        }
        Verdict::Safe(Proof::Exhausted { .. }) | Verdict::Unknown(_) => verdict,
        // The decisions were made on the automaton with accelerators.
        Verdict::Safe(Proof::Explored(Explored { paths, .. })) => {
            Verdict::Safe(Proof::Exhausted { bound: 0, explored: paths })
        }
        _ => Verdict::Unknown(Why::GaveUp("evidence that cannot be told without accelerators".into())),
    }
}
