//! Abstract interpretation as an engine: intervals, congruences and equations for every loop, published for all.
//!
//! Paper 003, section 3.2, uses such intervals to constrain the inductive step. Ours follow machine arithmetic exactly
//! (signed and unsigned views, wrap-around), and variables that are changed through pointers, since in flat form memory
//! is variables. Alone it proves the tasks whose error locations it finds unreachable.

use domain::{affine, analyse};
use engine::{Cx, Engine, Proof, Stop, Task, Verdict, Why};
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
            cx.publish_invariant(task, "absint", head, known);
            at.insert(head, known);
        }
    }
    let heads: Vec<cfa::Loc> = wto.heads().collect();
    for (head, facts) in affine::equations(program, &mut cx.terms, &heads, &mut || budget.check().is_ok()) {
        for fact in facts {
            cx.publish_invariant(task, "absint", head, fact);
        }
    }
    let main = program.main();
    let reachable = main.locs.iter().find(|(loc, info)| info.kind.is_target() && analysis.at[*loc].is_some());
    Ok(match reachable {
        None => Verdict::Safe(Proof::Invariants { at, k: 1 }),
        Some((_, info)) => {
            let place = program.sources.place(info.span);
            Verdict::Unknown(Why::GaveUp(format!("intervals do not exclude {place}")))
        }
    })
}
