//! Which engine when, and for how long: strategies are data.
//!
//! A strategy is a TOML file (the default one is `strategies/default.toml`): steps that run once, and steps that are
//! repeated with growing times until the budget ends. A step may depend on what the program looks like.

use crate::features::{Feature, Features};
use crate::limits::schedule::FIRST_TURN;
use cfa::Program;
use engine::{FactKind, Question};
use engines::EngineInfo;
use serde::Deserialize;
use std::time::Duration;

/// The name of the default strategy.
pub const PORTFOLIO: &str = "portfolio";

/// What `--engine portfolio` does when nothing else is said.
pub const DEFAULT: &str = include_str!("../strategies/default.toml");

#[derive(Clone, Debug)]
pub struct Strategy {
    once: Vec<Step>,
    again: Vec<Step>,
    growth: f64,
    share: Vec<Exchange>,
}

/// What engines may tell each other.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Exchange {
    Invariants,
    Candidates,
    Bounds,
}

impl Exchange {
    const ALL: [Exchange; 3] = [Exchange::Invariants, Exchange::Candidates, Exchange::Bounds];

    fn of(fact: &FactKind) -> Exchange {
        match fact {
            FactKind::Invariant { .. } => Exchange::Invariants,
            FactKind::Candidate { .. } => Exchange::Candidates,
            FactKind::NoErrorWithin { .. } => Exchange::Bounds,
        }
    }

    fn all() -> Vec<Exchange> {
        Exchange::ALL.to_vec()
    }
}

/// Let an engine run for some CPU time; one that ran before goes on.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) engine: &'static EngineInfo,
    pub(crate) time: Duration,
    when: Vec<Feature>,
    unless: Vec<Feature>,
}

impl Step {
    pub(crate) fn fits(&self, features: &Features) -> bool {
        self.when.iter().all(|f| features.has(*f)) && !self.unless.iter().any(|f| features.has(*f))
    }

    /// Whether it fits now, or will once only violations are looked for.
    fn may_fit(&self, features: &Features) -> bool {
        self.fits(features) || self.fits(&features.clone().and(Feature::OnlyViolations))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    once: Vec<FileStep>,
    #[serde(default)]
    again: Vec<FileStep>,
    #[serde(default = "double")]
    growth: f64,
    #[serde(default = "Exchange::all")]
    share: Vec<Exchange>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileStep {
    engine: String,
    seconds: f64,
    #[serde(default)]
    when: Vec<Feature>,
    #[serde(default)]
    unless: Vec<Feature>,
}

fn double() -> f64 {
    2.0
}

impl Strategy {
    /// Reads a strategy file. The error says what is wrong and where.
    pub fn parse(text: &str) -> Result<Strategy, String> {
        let file: File = toml::from_str(text).map_err(|e| e.to_string())?;
        if !(1.0..=100.0).contains(&file.growth) {
            return Err(format!("growth is {}, not between 1 and 100", file.growth));
        }
        let strategy =
            Strategy { once: steps(file.once)?, again: steps(file.again)?, growth: file.growth, share: file.share };
        if strategy.once.is_empty() && strategy.again.is_empty() {
            return Err("the strategy has no steps".to_owned());
        }
        Ok(strategy)
    }

    /// What a name on the command line means: `portfolio`, an engine, or engines that take turns (`kind+guess`).
    pub fn named(name: &str) -> Result<Strategy, String> {
        if name == PORTFOLIO {
            return Ok(Strategy::parse(DEFAULT).expect("a test reads the default strategy"));
        }
        let step = |engine, time| Step { engine, time, when: Vec::new(), unless: Vec::new() };
        if let Some(engine) = engines::by_name(name) {
            return Ok(Strategy {
                once: vec![step(engine, Duration::MAX)],
                again: Vec::new(),
                growth: 1.0,
                share: Exchange::all(),
            });
        }
        let mut again = Vec::new();
        for part in name.split('+') {
            let Some(engine) = engines::by_name(part) else {
                let names: Vec<&str> = engines::ENGINES.iter().map(|e| e.name).collect();
                return Err(format!("unknown engine '{part}': known are {PORTFOLIO}, {}", names.join(", ")));
            };
            again.push(step(engine, FIRST_TURN));
        }
        Ok(Strategy { once: Vec::new(), again, growth: 2.0, share: Exchange::all() })
    }

    /// The engines that can be asked the question, in turns.
    pub fn answering(question: Question) -> Strategy {
        let able = engines::ENGINES.iter().filter(|engine| engine.answers.contains(&question));
        let names: Vec<&str> = able.map(|engine| engine.name).collect();
        Strategy::named(&names.join("+")).expect("names of engines")
    }

    /// Whether what one engine publishes is passed on to the others.
    pub(crate) fn shares(&self, fact: &FactKind) -> bool {
        self.share.contains(&Exchange::of(fact))
    }

    /// Whether the engine may get a turn on the program.
    pub fn asks(&self, engine: &str, program: &Program) -> bool {
        self.engines(&Features::of(program)).contains(&engine)
    }

    /// Whether the engine gets turns on some programs.
    pub fn has(&self, engine: &str) -> bool {
        self.once.iter().chain(&self.again).any(|step| step.engine.name == engine)
    }

    /// The engines that have turns at a program.
    pub(crate) fn engines(&self, features: &Features) -> Vec<&'static str> {
        self.once.iter().chain(&self.again).filter(|step| step.fits(features)).map(|step| step.engine.name).collect()
    }

    /// The turns for a program, in order, as far as they may fit it; without end if there is anything to repeat.
    pub(crate) fn turns(&self, features: &Features) -> impl Iterator<Item = Step> + use<> {
        let chosen =
            |steps: &[Step]| -> Vec<Step> { steps.iter().filter(|step| step.may_fit(features)).cloned().collect() };
        let (once, again, growth) = (chosen(&self.once), chosen(&self.again), self.growth);
        let rounds = (0..if again.is_empty() { 0 } else { i32::MAX }).flat_map(move |round| {
            // Far beyond any budget, growing further has no meaning.
            let factor = growth.powi(round.min(64)).min(1e9);
            again.clone().into_iter().map(move |step| Step { time: step.time.mul_f64(factor), ..step })
        });
        once.into_iter().chain(rounds)
    }
}

fn steps(steps: Vec<FileStep>) -> Result<Vec<Step>, String> {
    let typed = steps.into_iter().map(|step| {
        let engine = engines::by_name(&step.engine)
            .ok_or_else(|| format!("there is no engine `{}` (see `foldback engines`)", step.engine))?;
        if !(0.001..=1e6).contains(&step.seconds) {
            return Err(format!("engine {}: {} seconds make no sense", step.engine, step.seconds));
        }
        Ok(Step { engine, time: Duration::from_secs_f64(step.seconds), when: step.when, unless: step.unless })
    });
    typed.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_strategy_is_well_formed() {
        let strategy = Strategy::parse(DEFAULT).expect("well formed");
        assert!(!strategy.again.is_empty());
        for engine in engines::ENGINES {
            let used = strategy.once.iter().chain(&strategy.again).any(|step| step.engine.name == engine.name);
            assert_eq!(used, !engine.for_comparison, "{}", engine.name);
        }
    }

    /// Where all inputs come before the loops, formulas of some rounds have a turn of their own before turns are repeated.
    #[test]
    fn loops_without_inputs_are_unwound_early() {
        let strategy = Strategy::parse(DEFAULT).expect("well formed");
        let unwound = |features: &Features| -> u64 {
            let fitting = strategy.once.iter().filter(|step| step.fits(features) && step.engine.name == "bmc");
            fitting.map(|step| step.time.as_millis() as u64).sum()
        };
        let without = Features::default().and(Feature::Loops);
        assert_eq!((unwound(&without), unwound(&without.clone().and(Feature::InputInLoops))), (3_000, 0));
    }

    /// Rounds for ever are not unwound to their end: lemmas come before longer formulas, but not where rounds take inputs or end.
    #[test]
    fn endless_rounds_without_inputs_get_lemmas_early() {
        let strategy = Strategy::parse(DEFAULT).expect("well formed");
        let program = |last: &str| {
            let text = format!(
                "machine lp64 32 32\nvar $size [bv32 -> bv64] memory\nvar $live [bv32 -> bool] memory\nvar x bv8 global\nentry f0\n\n\
                 function f0 \"main\" params () entry L0 exit L3\n  L0\n    e0 -> L1 assign x := 0:8\n  L1\n    \
                 e1 -> L2 assume (= x 9:8)\n    e2 -> L1 assume (not (= x 9:8))\n{last}  L3 end return\n"
            );
            Features::of(&cfa::text::parse(&text).expect("a program"))
        };
        let first = |features: &Features| {
            let mut fitting = strategy.once.iter().filter(|step| step.fits(features));
            fitting.find(|step| ["pdr", "bmc"].contains(&step.engine.name)).map(|step| step.engine.name)
        };
        let rounds = [program("  L2 error unreach-call \"nine\"\n"), program("  L2\n    e3 -> L3 skip\n")];
        assert_eq!(rounds.map(|features| first(&features)), [Some("pdr"), Some("bmc")]);
    }

    #[test]
    fn turns_follow_the_file_and_grow() {
        let text = "growth = 3.0\n[[once]]\nengine = \"absint\"\nseconds = 1\n[[again]]\nengine = \"se\"\nseconds = 2\n\
                    [[again]]\nengine = \"bmc\"\nseconds = 1\nwhen = [\"floats\"]\n";
        let strategy = Strategy::parse(text).expect("well formed");
        let turns: Vec<_> =
            strategy.turns(&Features::default()).take(3).map(|s| (s.engine.name, s.time.as_secs())).collect();
        assert_eq!(turns, [("absint", 1), ("se", 2), ("se", 6)]);
    }

    /// That only violations are left to be found may come to light later.
    #[test]
    fn steps_that_may_fit_later_keep_their_turns() {
        let text = "[[once]]\nengine = \"absint\"\nseconds = 1\nunless = [\"only-violations\"]\n\
                    [[once]]\nengine = \"se\"\nseconds = 1\nwhen = [\"only-violations\"]\n\
                    [[once]]\nengine = \"bmc\"\nseconds = 1\nwhen = [\"only-violations\", \"floats\"]\n";
        let strategy = Strategy::parse(text).expect("well formed");
        let (before, after) = (Features::default(), Features::default().and(Feature::OnlyViolations));
        let turns: Vec<_> = strategy.turns(&before).collect();
        let fitting = |features: &Features| -> Vec<&str> {
            turns.iter().filter(|step| step.fits(features)).map(|step| step.engine.name).collect()
        };
        assert_eq!(turns.len(), 2);
        assert_eq!((fitting(&before), fitting(&after)), (vec!["absint"], vec!["se"]));
        assert_eq!(strategy.engines(&after), ["se"]);
    }

    #[test]
    fn mistakes_are_named() {
        for (text, words) in [
            ("[[once]]\nengine = \"oracle\"\nseconds = 1", "no engine `oracle`"),
            ("[[once]]\nengine = \"se\"\nseconds = -1", "-1 seconds"),
            ("[[once]]\nengine = \"se\"\nsecond = 1", "second"),
            ("growth = 0.5", "growth"),
            ("", "no steps"),
        ] {
            let error = Strategy::parse(text).expect_err(text);
            assert!(error.contains(words), "{error}");
        }
    }
}
