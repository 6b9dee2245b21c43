//! A target was reached that the program does not reach: which loop head gave up too much, and what it has to keep.
//!
//! The path is run from the exact state at the last head, then from the one before, and so on. The first head from whose
//! exact state it is infeasible is to blame. The conditions that contradict the exact state, written over the variables at the
//! head, are excluded from now on: their negation is the interpolant that the head keeps. It is the weakest one along this
//! path, and made of as few conditions as a linear number of questions finds; a single one if possible, the nearest to the
//! target.

use crate::explore::Explorer;
use crate::limits::parts::MAX_EXCLUDED;
use crate::parts::for_all;
use encode::State;
use encode::post::step;
use engine::{Cx, Stop};
use term::{Term, walk};

/// The rest of the path to the target, from a head on.
#[derive(Default)]
struct Rest {
    /// Its conditions over the symbols of the exact state, and over the program's variables at the head.
    conditions: Vec<(Term, Term)>,
    inputs: Vec<Term>,
}

impl Explorer {
    /// Refines one head of the current path, which ends at a target. Says whether there was one.
    pub(crate) fn refine(&mut self, cx: &mut Cx) -> Result<bool, Stop> {
        let heads: Vec<usize> = (0..self.stack.len())
            .rev()
            .filter(|i| self.stack[*i].head.as_ref().is_some_and(|h| h.facts.is_some()))
            .collect();
        for index in heads {
            let head = self.stack[index].head.as_ref().expect("a loop head");
            let range = head.exact_path;
            let rest = self.rest(cx, index);
            let path = self.path[range.0..range.1].to_vec();
            let exact: Vec<Term> = rest.conditions.iter().map(|(exact, _)| *exact).collect();
            let Some(core) = self.ask.core(cx, &path, &exact)? else { continue };
            let needed = self.smallest(cx, &path, &rest, &core)?;
            if let Some(keep) = self.interpolant(cx, &rest, &needed) {
                let loc = self.stack[index].loc;
                self.pool.entry(loc).or_default().insert(keep);
                self.restart(cx, index, &[keep], false)?;
                return Ok(true);
            }
            let keep = self.contradicting_facts(cx, index, &rest)?;
            self.restart(cx, index, &keep, keep.is_empty())?;
            return Ok(true);
        }
        Ok(false)
    }

    /// The path from the head at `index` of the stack to the target, without the abstractions on it.
    fn rest(&self, cx: &mut Cx, index: usize) -> Rest {
        let program = &self.program;
        let frame = &self.stack[index];
        let mut exact = frame.head.as_ref().expect("a loop head").exact.clone();
        let mut general = State::arbitrary(program);
        let mut rest = Rest::default();
        for edge in &self.edges[frame.edges..] {
            let op = &program.main().edges[*edge].op;
            let Some(after) = step(program, &mut cx.terms, &general, op) else { break };
            let never = cx.terms.ff();
            if let cfa::Op::Havoc { vars, .. } = op {
                // The same symbols on both sides.
                for (var, input) in vars.iter().zip(&after.inputs) {
                    exact.set(*var, encode::Value::of(&cx.terms, *input));
                }
            } else {
                match step(program, &mut cx.terms, &exact, op) {
                    Some(taken) => {
                        rest.conditions.push((taken.condition, after.condition));
                        exact = taken.state;
                    }
                    None => {
                        rest.conditions.push((never, after.condition));
                        break;
                    }
                }
            }
            rest.inputs.extend(after.inputs.iter());
            general = after.state;
        }
        rest.conditions.retain(|(exact, _)| cx.terms.as_bool_const(*exact) != Some(true));
        rest
    }

    /// Few conditions that contradict the exact state, by position.
    fn smallest(&mut self, cx: &mut Cx, path: &[Term], rest: &Rest, core: &[Term]) -> Result<Vec<usize>, Stop> {
        let mut needed: Vec<usize> =
            (0..rest.conditions.len()).filter(|i| core.contains(&rest.conditions[*i].0)).collect();
        for &i in needed.iter().rev() {
            if self.ask.refuted(cx, path, &[rest.conditions[i].0])? {
                return Ok(vec![i]);
            }
        }
        let mut at = 0;
        while at < needed.len() && needed.len() > 1 {
            let mut fewer = needed.clone();
            fewer.remove(at);
            let question: Vec<Term> = fewer.iter().map(|i| rest.conditions[*i].0).collect();
            if self.ask.refuted(cx, path, &question)? {
                needed = fewer;
            } else {
                at += 1;
            }
        }
        Ok(needed)
    }

    /// That not all of the conditions hold, over the program's variables.
    fn interpolant(&mut self, cx: &mut Cx, rest: &Rest, needed: &[usize]) -> Option<Term> {
        let conditions: Vec<Term> = needed.iter().map(|i| rest.conditions[*i].1).collect();
        let together = cx.terms.and_all(&conditions);
        let excluded = cx.terms.not(together);
        let excluded = for_all(&self.program, &mut cx.terms, &rest.inputs, excluded)?;
        walk::dag_size_within(&cx.terms, excluded, MAX_EXCLUDED).map(|_| excluded)
    }

    /// The facts of the exact state that exclude the rest of the path; none if they do not.
    fn contradicting_facts(&mut self, cx: &mut Cx, index: usize, rest: &Rest) -> Result<Vec<Term>, Stop> {
        let known = self.exact_facts(cx, index);
        let general: Vec<Term> = rest.conditions.iter().map(|(_, general)| *general).collect();
        let Some(core) = self.ask.core(cx, &known, &general)? else { return Ok(Vec::new()) };
        Ok(known.into_iter().filter(|fact| core.contains(fact)).collect())
    }
}
