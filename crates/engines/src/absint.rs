//! Abstract interpretation as an engine: intervals, congruences and equations for every loop, published for all.
//!
//! Gadelha et al. 2018, section 3.2, use such intervals to constrain the inductive step. Ours follow machine arithmetic exactly
//! (signed and unsigned views, wrap-around), and variables that are changed through pointers, since in flat form memory
//! is variables. Alone it proves the tasks whose error locations it finds unreachable: by one abstract state for each
//! location, or by one for each combination of values of the variables that control a state machine.

use domain::{affine, analyse, cases};
use engine::{Cx, Engine, Event, Proof, Stop, Task, Verdict, Why};
use flow::wto::Wto;
use std::collections::BTreeMap;

pub struct Intervals;

impl Engine for Intervals {
    fn name(&self) -> &'static str {
        "absint"
    }

    fn run(&mut self, task: &Task, cx: &mut Cx) -> Verdict {
        search(task, cx).unwrap_or_else(|stop| Verdict::Unknown(stop.into()))
    }
}

fn search(task: &Task, cx: &mut Cx) -> Result<Verdict, Stop> {
    let program = &task.program;
    let wto = Wto::new(program.main());
    let budget = cx.budget.clone();
    let Some(analysis) = analyse(program, &wto, &mut || budget.check().is_ok()) else {
        budget.check()?;
        return Err(Stop::Timeout);
    };
    let mut at = BTreeMap::new();
    for head in wto.heads() {
        let known = analysis.formula(program, &mut cx.terms, head);
        if cx.terms.as_bool_const(known) != Some(true) {
            cx.publish_invariant("absint", head, known);
            at.insert(head, known);
        }
    }
    let heads: Vec<cfa::Loc> = wto.heads().collect();
    for (head, facts) in affine::equations(program, &mut cx.terms, &heads, &mut || budget.check().is_ok()) {
        for fact in facts {
            cx.publish_invariant("absint", head, fact);
        }
    }
    let main = program.main();
    let reachable = main.locs.iter().find(|(loc, info)| info.kind.is_target() && analysis.at[*loc].is_some());
    let Some((_, reachable)) = reachable else { return Ok(Verdict::Safe(Proof::Invariants { at, k: 1 })) };
    if let Some(cases) = cases::excluding_targets(program, &wto, &mut || budget.check().is_ok()) {
        let count: usize = heads.iter().map(|head| cases.count(*head)).sum();
        cx.tell(Event::Note(format!("{count} cases at {} loop heads", heads.len())));
        let at = heads.into_iter().map(|head| (head, cases.formula(program, &mut cx.terms, head))).collect();
        return Ok(Verdict::Safe(Proof::Invariants { at, k: 1 }));
    }
    budget.check()?;
    let place = program.sources.place(reachable.span);
    Ok(Verdict::Unknown(Why::GaveUp(format!("intervals do not exclude {place}"))))
}
