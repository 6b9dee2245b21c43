//! A proof without the steps that it does not need, and without clauses that nobody asks for any more.

use lrat::{Error, Reader, Step};
use std::collections::{HashMap, HashSet};

/// The steps that lead to the empty clause, in text; clauses are deleted after their last use. Steps are numbered on from
/// those of the `given` clauses.
pub fn trim(proof: &[u8], given: usize) -> Result<Vec<u8>, Error> {
    let mut steps: Vec<Step> = Vec::new();
    let (mut reader, mut step) = (Reader::new(proof), Step::default());
    while reader.read(&mut step)? {
        if step.id.is_some() {
            let is_end = step.literals.is_empty();
            steps.push(step.clone());
            if is_end {
                break;
            }
        }
    }
    // Backwards: what the empty clause needs, and for each clause who needs it last.
    let mut last_user: HashMap<u64, u64> = HashMap::new();
    let mut needed: HashSet<u64> = steps.last().and_then(|end| end.id).into_iter().collect();
    for step in steps.iter().rev() {
        let Some(id) = step.id.filter(|id| needed.contains(id)) else { continue };
        for hint in &step.hints {
            needed.insert(*hint);
            last_user.entry(*hint).or_insert(id);
        }
    }
    let mut new: HashMap<u64, u64> = HashMap::new();
    let mut next = given as u64;
    let mut text = String::new();
    for step in &steps {
        let Some(id) = step.id.filter(|id| needed.contains(id)) else { continue };
        next += 1;
        new.insert(id, next);
        text += &format!("{next} ");
        step.literals.iter().for_each(|literal| text += &format!("{literal} "));
        text += "0 ";
        let number = |hint: &u64| new.get(hint).copied().unwrap_or(*hint);
        step.hints.iter().for_each(|hint| text += &format!("{} ", number(hint)));
        text += "0\n";
        let mut over: Vec<u64> =
            step.hints.iter().filter(|hint| last_user.get(hint) == Some(&id)).map(number).collect();
        over.sort_unstable();
        over.dedup();
        if !over.is_empty() && !step.literals.is_empty() {
            text += &format!("{next} d ");
            over.iter().for_each(|hint| text += &format!("{hint} "));
            text += "0\n";
        }
    }
    Ok(text.into_bytes())
}
