//! Bitwuzla in this process.
//!
//! Asserting only notes the fact down. A check brings the library's stack in line with ours, keeping the longest common
//! part, and then asks. So a failure, of whatever kind, loses nothing: the library's solver is dropped and the next check
//! builds another.

use crate::limits::backend::MAX_TRANSLATED;
use bitwuzla::{Kind, Options, Outcome, Reason};
use term::{ArraySort, ArrayValue, Bits, FloatValue, Scalar, Sort, Store, Term, Value};

use super::translate::Translation;
use crate::frames::{Frames, Step};
use crate::solver::{Answer, Limits, Quantified, Renewable, Solver, Stats, Why};

/// How the library is set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitwuzlaSettings {
    /// Fixed by default, so that runs repeat.
    pub seed: u32,
    /// Rewriting of the whole formula before each solving.
    pub preprocessing: bool,
    /// Bring sums and products into one form first: identities between products need it, other questions take longer.
    pub normalisation: bool,
    pub formats: FloatFormats,
}

/// Which float formats may be solved for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatFormats {
    /// Those that the tests compare with native arithmetic: binary16, 32, 64 and 128, and the x87 format.
    Tested,
    /// Also the others, which the library calls experimental. For tests.
    Any,
}

impl Default for BitwuzlaSettings {
    fn default() -> BitwuzlaSettings {
        BitwuzlaSettings { seed: 42, preprocessing: true, normalisation: false, formats: FloatFormats::Tested }
    }
}

/// How the last check ended, as far as values and cores are concerned.
enum Last {
    Nothing,
    Sat,
    Unsat(Vec<Term>),
}

/// See the module.
pub struct BitwuzlaSolver {
    options: Options,
    formats: FloatFormats,
    /// Declared before `translation`: the solver must go before its terms.
    solver: Option<bitwuzla::Solver>,
    translation: Option<Translation>,
    wanted: Frames,
    /// What `solver` holds.
    reached: Frames,
    limits: Limits,
    last: Last,
    checks: u64,
    solvers: u64,
}

impl BitwuzlaSolver {
    pub fn new(settings: &BitwuzlaSettings) -> BitwuzlaSolver {
        let options = Options {
            models: true,
            failed_assumptions: true,
            unsat_cores: false,
            seed: settings.seed,
            preprocessing: settings.preprocessing,
            normalisation: settings.normalisation,
        };
        BitwuzlaSolver {
            options,
            formats: settings.formats,
            solver: None,
            translation: None,
            wanted: Frames::default(),
            reached: Frames::default(),
            limits: Limits::default(),
            last: Last::Nothing,
            checks: 0,
            solvers: 0,
        }
    }

    fn translation(&mut self) -> Result<&mut Translation, Why> {
        if self.translation.is_none() {
            self.translation = Some(Translation::new(self.formats)?);
        }
        Ok(self.translation.as_mut().expect("just made"))
    }

    /// Makes the library's solver hold exactly the facts of `wanted`.
    fn catch_up(&mut self, store: &Store) -> Result<(), Why> {
        let steps = match (&self.solver, self.reached.steps_to(&self.wanted)) {
            (Some(_), Some(steps)) => steps,
            _ => {
                let options = self.options.clone();
                let translation = self.translation()?;
                self.solver = Some(bitwuzla::Solver::new(&translation.terms, &options)?);
                self.solvers += 1;
                self.reached.clear();
                self.reached.steps_to(&self.wanted).expect("from nothing to anything")
            }
        };
        let solver = self.solver.as_mut().expect("made above");
        let translation = self.translation.as_mut().expect("made with the solver");
        for step in steps {
            match step {
                Step::Push => solver.push()?,
                Step::Pop => solver.pop(1)?,
                Step::Assert(fact) => {
                    let fact = translation.term(store, fact)?;
                    solver.assert(&translation.terms, fact)?;
                }
            }
            self.reached.play(step);
        }
        Ok(())
    }

    fn ask(&mut self, store: &Store, assumptions: &[Term]) -> Result<Answer, Why> {
        self.catch_up(store)?;
        let translation = self.translation.as_mut().expect("caught up");
        let translated =
            assumptions.iter().map(|&term| translation.term(store, term)).collect::<Result<Vec<_>, _>>()?;
        let solver = self.solver.as_mut().expect("caught up");
        solver.limit(self.limits.cancel.clone(), self.limits.time);
        match solver.check(&translation.terms, &translated)? {
            Outcome::Sat => Ok(Answer::Sat),
            Outcome::Unsat => Ok(Answer::Unsat),
            Outcome::Unknown(Reason::Cancelled) => Err(Why::Cancelled),
            Outcome::Unknown(Reason::DeadlinePassed) => Err(Why::Timeout),
            Outcome::Unknown(Reason::GaveUp(reason)) => Err(Why::GaveUp(format!("Bitwuzla: {reason}"))),
        }
    }

    fn check_wanted(&mut self, store: &Store, assumptions: &[Term]) -> Result<Answer, Why> {
        let answer = self.ask(store, assumptions);
        match &answer {
            Ok(Answer::Sat) => self.last = Last::Sat,
            Ok(Answer::Unsat) => self.last = Last::Unsat(assumptions.to_vec()),
            // In doubt the next check starts afresh: interrupted solvers are rare, and this leaves nothing to trust.
            Err(_) => self.solver = None,
        }
        answer
    }

    fn read(&mut self, store: &Store, term: Term) -> Result<Value, Why> {
        let (Some(solver), Some(translation)) = (&mut self.solver, &mut self.translation) else {
            return Err(Why::NotAvailable);
        };
        let translated = translation.term(store, term)?;
        let value = solver.value(&mut translation.terms, translated)?;
        decode(&mut translation.terms, store.sort(term), value)
    }
}

impl Solver for BitwuzlaSolver {
    super::notes_what_is_wanted!();

    fn value(&mut self, store: &Store, term: Term) -> Result<Value, Why> {
        match self.last {
            Last::Sat => self.read(store, term),
            _ => Err(Why::NotAvailable),
        }
    }

    fn core(&mut self) -> Result<Vec<Term>, Why> {
        let (Last::Unsat(assumptions), Some(solver), Some(translation)) =
            (&self.last, &mut self.solver, &mut self.translation)
        else {
            return Err(Why::NotAvailable);
        };
        let mut core = Vec::new();
        for &assumption in assumptions {
            // Translated in the check, so the store is not needed: the memo answers.
            let translated = translation.known(assumption).ok_or(Why::NotAvailable)?;
            if solver.is_failed_assumption(&translation.terms, translated)? {
                core.push(assumption);
            }
        }
        Ok(core)
    }

    fn stats(&self, into: &mut Stats) {
        into.add("bitwuzla.checks", self.checks);
        into.add("bitwuzla.solvers", self.solvers);
    }
}

impl Renewable for BitwuzlaSolver {
    fn renew(&mut self) {
        self.last = Last::Nothing;
        self.solver = None;
        if self.translation.as_ref().is_some_and(|translation| translation.terms.len() > MAX_TRANSLATED) {
            self.translation = None;
        }
    }
}

impl Quantified for BitwuzlaSolver {}

/// A Bitwuzla value term as one of our values.
fn decode(terms: &mut bitwuzla::Terms, sort: Sort, term: bitwuzla::Term) -> Result<Value, Why> {
    let unreadable = |text: &str| Why::Failed(format!("unreadable value {text}"));
    match sort {
        Sort::Bool => Ok(Value::Bool(terms.read_bool(term)?)),
        Sort::Bv(width) => {
            let digits = terms.read_bv(term)?;
            Ok(Value::Bv(Bits::parse(&digits, 2, width).ok_or_else(|| unreadable(&digits))?))
        }
        Sort::Float(format) => {
            let digits = terms.read_fp(term)?;
            let bits = Bits::parse(&digits, 2, format.width()).ok_or_else(|| unreadable(&digits))?;
            Ok(Value::Float(FloatValue::from_bits(format, &bits)))
        }
        Sort::Array(array) => decode_array(terms, array, term),
    }
}

/// A chain of stores over a constant array; the outermost store of an index wins.
fn decode_array(terms: &mut bitwuzla::Terms, sort: ArraySort, array: bitwuzla::Term) -> Result<Value, Why> {
    let scalar = |scalar: Scalar| Sort::from(scalar);
    let mut stores = Vec::new();
    let mut current = array;
    let default = loop {
        let children = terms.children(current)?;
        match (terms.kind(current)?, children.as_slice()) {
            (Some(Kind::Store), [below, index, element]) => {
                let index = decode(terms, scalar(sort.index), *index)?;
                stores.push((index, decode(terms, scalar(sort.elem), *element)?));
                current = *below;
            }
            (Some(Kind::ConstArray), [element]) => break decode(terms, scalar(sort.elem), *element)?,
            _ => return Err(Why::Failed(format!("unreadable array value {}", terms.show(array)?))),
        }
    };
    let mut value = ArrayValue::new(sort, default);
    for (index, element) in stores.into_iter().rev() {
        value.set(index, element);
    }
    Ok(Value::Array(value.into()))
}
