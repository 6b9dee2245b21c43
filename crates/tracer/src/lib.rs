//! Unbounded symbolic execution with interpolation (Jaffar et al. 2011), and the iterative deepening that it is compared with.
//!
//! [`Tracer`] explores the symbolic execution tree depth first, abstracts at loop heads and refines the abstraction where it
//! reaches an error that the program does not. [`IterativeDeepening`] unwinds loops to a growing bound and tries the
//! interpolants it finds as invariants. Both are one [`explore::Explorer`] in different modes.

mod ask;
mod explore;
mod facts;
mod heads;
mod limits;
mod parts;
mod refine;
mod shape;
mod statistics;
mod table;
mod tree;

pub use statistics::Statistics;

use engine::{Cx, Engine, Event, Evidence, Proof, Stop, Task, Verdict, Why};
use explore::{Explorer, Mode, Outcome};
use flow::wto::Wto;
use shape::Shape;
use std::rc::Rc;

/// What is added to the paper's method.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Intervals, congruences and affine equations are known at loop heads.
    pub analyses: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { analyses: true }
    }
}

/// The method of the paper.
#[derive(Default)]
pub struct Tracer {
    settings: Settings,
    explorer: Option<Explorer>,
}

impl Tracer {
    pub fn new(settings: Settings) -> Tracer {
        Tracer { settings, explorer: None }
    }

    /// What was counted so far.
    pub fn statistics(&self) -> Statistics {
        self.explorer.as_ref().map(statistics).unwrap_or_default()
    }

    /// The tree explored so far, for Graphviz; `None` if it is too large to be read.
    pub fn dot(&self, terms: &term::Store) -> Option<String> {
        let explorer = self.explorer.as_ref()?;
        explorer.tree.dot(&explorer.program, terms)
    }

    fn search(&mut self, task: &Task, cx: &mut Cx) -> Result<Verdict, Stop> {
        let explorer = match &mut self.explorer {
            Some(explorer) => explorer,
            None => {
                let wto = Rc::new(Wto::new(task.program.main()));
                let shape = Rc::new(Shape::new(&task.program, &wto, &self.settings, cx)?);
                self.explorer.insert(Explorer::new(task, Mode::Unbounded, wto, shape, cx)?)
            }
        };
        let outcome = explorer.run(cx)?;
        Ok(verdict(explorer, outcome, cx))
    }
}

impl Engine for Tracer {
    fn name(&self) -> &'static str {
        "tracer"
    }

    fn run(&mut self, task: &Task, cx: &mut Cx) -> Verdict {
        let verdict = self.search(task, cx).unwrap_or_else(|stop| Verdict::Unknown(stop.into()));
        tell(cx, self.statistics());
        verdict
    }
}

/// The baseline: bounded exploration, whose interpolants are tried as invariants, with a growing bound.
#[derive(Default)]
pub struct IterativeDeepening {
    settings: Settings,
    phase: Option<Phase>,
    before: Statistics,
}

/// Exploration to a depth, or the attempt to prove with what was learnt by it.
struct Phase {
    depth: u32,
    explorer: Explorer,
    wto: Rc<Wto>,
    shape: Rc<Shape>,
}

impl IterativeDeepening {
    pub fn new(settings: Settings) -> IterativeDeepening {
        IterativeDeepening { settings, phase: None, before: Statistics::default() }
    }

    /// What was counted so far, in all rounds together.
    pub fn statistics(&self) -> Statistics {
        let now = self.phase.as_ref().map(|phase| statistics(&phase.explorer)).unwrap_or_default();
        self.before.plus(&now)
    }

    fn search(&mut self, task: &Task, cx: &mut Cx) -> Result<Verdict, Stop> {
        if self.phase.is_none() {
            let wto = Rc::new(Wto::new(task.program.main()));
            let shape = Rc::new(Shape::new(&task.program, &wto, &self.settings, cx)?);
            let explorer = Explorer::new(task, Mode::Bounded(1), wto.clone(), shape.clone(), cx)?;
            self.phase = Some(Phase { depth: 1, explorer, wto, shape });
        }
        loop {
            let phase = self.phase.as_mut().expect("begun");
            let outcome = phase.explorer.run(cx)?;
            let (mode, depth) = match (&phase.explorer.mode, outcome) {
                (Mode::Bounded(depth), Outcome::Complete { limited: true }) => {
                    cx.tell(Event::Bound(u64::from(*depth)));
                    (Mode::Candidates(std::mem::take(&mut phase.explorer.learnt)), *depth)
                }
                (Mode::Candidates(_), Outcome::NotProved) => (Mode::Bounded(phase.depth + 1), phase.depth + 1),
                (_, outcome) => return Ok(verdict(&mut phase.explorer, outcome, cx)),
            };
            let next = Explorer::new(task, mode, phase.wto.clone(), phase.shape.clone(), cx)?;
            self.before = self.before.plus(&statistics(&phase.explorer));
            phase.explorer = next;
            phase.depth = depth;
        }
    }
}

impl Engine for IterativeDeepening {
    fn name(&self) -> &'static str {
        "tracer:search=deepening"
    }

    fn run(&mut self, task: &Task, cx: &mut Cx) -> Verdict {
        let verdict = self.search(task, cx).unwrap_or_else(|stop| Verdict::Unknown(stop.into()));
        tell(cx, self.statistics());
        verdict
    }
}

fn statistics(explorer: &Explorer) -> Statistics {
    Statistics { asked: explorer.ask.asked, ..explorer.statistics }
}

fn tell(cx: &mut Cx, counted: Statistics) {
    cx.tell(Event::Note(counted.to_string()));
}

fn verdict(explorer: &mut Explorer, outcome: Outcome, cx: &mut Cx) -> Verdict {
    match outcome {
        Outcome::Unsafe(trace) => Verdict::Unsafe(Evidence::Trace(trace)),
        Outcome::NotProved => Verdict::Unknown(Why::GaveUp("the candidates do not prove it".to_owned())),
        Outcome::GaveUp(what) => Verdict::Unknown(Why::GaveUp(what)),
        Outcome::Complete { .. } => match (&explorer.unknown, explorer.invariants(cx)) {
            (Some(why), _) => Verdict::Unknown(why.clone()),
            (None, Some(at)) => Verdict::Safe(Proof::Invariants { at, k: 1 }),
            (None, None) => Verdict::Unknown(Why::GaveUp("the proof has no formula at some loop".to_owned())),
        },
    }
}
