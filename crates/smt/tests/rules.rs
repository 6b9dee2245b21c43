//! Every rewrite rule of crate `term`, proved by the solvers at widths 1 to 8.
//!
//! Bitwuzla proves the rules over booleans, bit-vectors and arrays. The float rules come in tiny formats, which only Z3
//! takes; without Z3 they are left to the evaluation test of crate `term`.

use std::collections::BTreeMap;
use std::time::Duration;

use smt::{Answer, BitwuzlaSettings, BitwuzlaSolver, Limits, Solver, Why, Z3Process, Z3Settings};
use term::rewrite::instances::{Instance, instances};
use term::{Op, Sort, Store, Term, postorder, smtlib};

const PER_RULE: usize = 2;

fn has_floats(store: &Store, instance: &Instance) -> bool {
    let terms = postorder(store, &[instance.before, instance.after]);
    terms.iter().any(|&t| matches!(store.sort(t), Sort::Float(_)))
}

/// Is there a difference between some before and after? `Unknown` results are returned as errors.
fn check(solver: &mut dyn Solver, store: &mut Store, group: &[&Instance]) -> Result<Answer, Why> {
    let differ: Vec<Term> = group
        .iter()
        .map(|instance| {
            let same = store.mk_raw(Op::Eq, &[instance.before, instance.after]);
            store.mk_raw(Op::Not, &[same])
        })
        .collect();
    let any = differ.iter().fold(store.ff(), |any, &one| store.mk_raw(Op::Or, &[any, one]));
    solver.check(store, &[any])
}

/// Proves the instances, many at a time, and names the rules that are wrong.
fn prove(solver: &mut dyn Solver, store: &mut Store, instances: &[&Instance], open: &mut usize) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut groups: Vec<&[&Instance]> = instances.chunks(40).collect();
    while let Some(group) = groups.pop() {
        match (check(solver, store, group), group) {
            (Ok(Answer::Unsat), _) => {}
            (_, [first, rest @ ..]) if !rest.is_empty() => {
                let _ = first;
                let (left, right) = group.split_at(group.len() / 2);
                groups.extend([left, right]);
            }
            (Ok(Answer::Sat), [instance, ..]) => {
                let before = smtlib::print_term(store, instance.before);
                let after = smtlib::print_term(store, instance.after);
                wrong.push(format!("rule {}: {before}\n=> {after}", instance.rule));
            }
            (Err(_), _) => *open += 1,
            (_, []) => {}
        }
    }
    wrong
}

#[test]
fn the_solvers_prove_every_rule() {
    let limits = Limits { time: Some(Duration::from_secs(5)), cancel: None };
    let mut proved: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut wrong, mut open, mut total) = (Vec::new(), 0, 0);
    for width in 1..=8 {
        let mut store = Store::new();
        let all = instances(&mut store, u64::from(width) + 100, width, PER_RULE);
        let (floats, others): (Vec<&Instance>, Vec<&Instance>) =
            all.iter().partition(|instance| has_floats(&store, instance));
        let mut bitwuzla = BitwuzlaSolver::new(&BitwuzlaSettings::default());
        bitwuzla.limit(&limits);
        wrong.extend(prove(&mut bitwuzla, &mut store, &others, &mut open));
        others.iter().for_each(|instance| *proved.entry(instance.rule).or_default() += 1);
        total += others.len();
        // Float formats do not depend on the width.
        if width == 2
            && let Ok(mut z3) = Z3Process::new(&Z3Settings::default())
        {
            z3.limit(&limits);
            wrong.extend(prove(&mut z3, &mut store, &floats, &mut open));
            floats.iter().for_each(|instance| *proved.entry(instance.rule).or_default() += 1);
            total += floats.len();
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(open * 50 <= total, "{open} of {total} instances open");
    assert!(proved.len() >= 50, "only {} rules were tried", proved.len());
}
