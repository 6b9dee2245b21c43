//! The stack of asserted facts, as layers and back ends note it down.

use term::Term;

/// Facts by level: level 0 is the base, each `push` opens another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Frames {
    facts: Vec<Term>,
    /// Where each level above the base starts in `facts`.
    starts: Vec<usize>,
}

impl Frames {
    pub(crate) fn facts(&self) -> &[Term] {
        &self.facts
    }

    pub(crate) fn levels(&self) -> usize {
        self.starts.len()
    }

    pub(crate) fn assert(&mut self, fact: Term) {
        self.facts.push(fact);
    }

    pub(crate) fn push(&mut self) {
        self.starts.push(self.facts.len());
    }

    pub(crate) fn pop(&mut self) {
        let start = self.starts.pop().expect("pop without push");
        self.facts.truncate(start);
    }

    pub(crate) fn clear(&mut self) {
        *self = Frames::default();
    }

    /// The steps that lead from `self` to `wanted`; `None` when the base level itself must shrink.
    ///
    /// A back end plays them on its solver and, as each succeeds, on `self`.
    pub(crate) fn steps_to(&self, wanted: &Frames) -> Option<Vec<Step>> {
        let common = self.facts.iter().zip(&wanted.facts).take_while(|(mine, theirs)| mine == theirs).count();
        let end_of = |frames: &Frames, level: usize| frames.starts.get(level).copied().unwrap_or(frames.facts.len());
        // Levels below `kept` start alike in both; what we hold of level `kept` itself must be a prefix of theirs.
        let mut kept = self.starts.iter().zip(&wanted.starts).take_while(|(a, b)| a == b && **a <= common).count();
        while end_of(self, kept) > common.min(end_of(wanted, kept)) {
            kept = kept.checked_sub(1)?;
        }
        let mut steps = vec![Step::Pop; self.levels() - kept];
        let mut position = end_of(self, kept);
        for &start in &wanted.starts[kept..] {
            steps.extend(wanted.facts[position..start].iter().map(|fact| Step::Assert(*fact)));
            steps.push(Step::Push);
            position = start;
        }
        steps.extend(wanted.facts[position..].iter().map(|fact| Step::Assert(*fact)));
        Some(steps)
    }

    pub(crate) fn play(&mut self, step: Step) {
        match step {
            Step::Push => self.push(),
            Step::Pop => self.pop(),
            Step::Assert(fact) => self.assert(fact),
        }
    }
}

/// One change of a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Push,
    Pop,
    Assert(Term),
}

#[cfg(test)]
mod tests {
    use base::Id;

    use super::*;

    /// Every pair of small stacks: the steps lead from one to the other, or the base had to shrink.
    #[test]
    fn steps_lead_from_any_stack_to_any_other() {
        let mut stacks = vec![Frames::default()];
        for _ in 0..4 {
            let longer: Vec<Frames> = stacks
                .iter()
                .flat_map(|stack| {
                    [Step::Push, Step::Assert(Term::new(1)), Step::Assert(Term::new(2))].map(|step| {
                        let mut longer = stack.clone();
                        longer.play(step);
                        longer
                    })
                })
                .collect();
            stacks.extend(longer);
        }
        for from in &stacks {
            for to in &stacks {
                let base = |frames: &Frames| frames.starts.first().copied().unwrap_or(frames.facts.len());
                let base_shrinks = !to.facts[..base(to)].starts_with(&from.facts[..base(from)]);
                match from.steps_to(to) {
                    None => assert!(base_shrinks, "{from:?} -> {to:?}"),
                    Some(steps) => {
                        let mut stack = from.clone();
                        steps.iter().for_each(|step| stack.play(*step));
                        assert_eq!(&stack, to);
                        assert!(!base_shrinks);
                    }
                }
            }
        }
    }
}
