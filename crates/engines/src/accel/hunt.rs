//! The search for errors in the accelerated program: unwound to a bound, all paths in one formula.

use crate::limits::accel::PASSED_OVER;
use accelerate::{Accelerated, Narrow};
use cfa::{Edge, Op, Program};
use encode::post::step;
use encode::unroll::{Loops, Unroller};
use encode::{Node, State};
use engine::{Cx, Evidence, Stop, Task, Trace};
use flow::wto::Wto;
use std::collections::{BTreeMap, BTreeSet};
use term::{Store, Term, Value};

pub(super) struct Hunt<'t> {
    task: &'t Task,
    accelerated: &'t Accelerated,
    unroller: Unroller<'t>,
    /// Few places first: most models need no more, and each costs.
    solvers: Vec<Narrow>,
    errors: Vec<Node>,
}

/// A path of the unwinding that the solver's model takes.
struct Walked {
    edges: Vec<Edge>,
    inputs: Vec<(Edge, Vec<Value>)>,
    /// Under which the accelerators with undefined results were taken.
    undefined: Vec<Term>,
}

impl<'t> Hunt<'t> {
    pub(super) fn new(
        task: &'t Task,
        wto: &'t Wto,
        accelerated: &'t Accelerated,
        places: &[usize],
        cx: &Cx,
    ) -> Result<Hunt<'t>, Stop> {
        let unroller = Unroller::new(&task.program, wto, &cx.terms, Loops::Exact);
        let solvers = places.iter().map(|n| Narrow::new(cx, *n)).collect::<Result<_, _>>()?;
        Ok(Hunt { task, accelerated, unroller, solvers, errors: Vec::new() })
    }

    /// Looks for an error with at most `bound` visits of each loop head.
    pub(super) fn advance(&mut self, bound: u32, cx: &mut Cx) -> Result<Option<Evidence>, Stop> {
        let budget = cx.budget.clone();
        let round = self.unroller.advance(&mut cx.terms, bound, &budget)?;
        self.errors = round.errors;
        let mut solvers = std::mem::take(&mut self.solvers);
        let mut found = Ok(None);
        for solver in &mut solvers {
            found = self.ask(solver, cx);
            if !matches!(found, Ok(None)) || !solver.has_narrowed() {
                break;
            }
        }
        self.solvers = solvers;
        found
    }

    /// Looks for a model that reaches one of the errors.
    fn ask(&self, solver: &mut Narrow, cx: &mut Cx) -> Result<Option<Evidence>, Stop> {
        let guards: Vec<Term> = self.errors.iter().map(|n| self.unroller.nodes[*n].guard).collect();
        let mut any = cx.terms.or_all(&guards);
        for _ in 0..PASSED_OVER {
            if !solver.is_sat(cx, any)? {
                return Ok(None);
            }
            let Some(error) = self.reached(solver, cx)? else { return Ok(None) };
            let walked = self.walk(error, solver, cx)?;
            if !self.is_undefined(&walked, cx) {
                return Ok(Some(self.evidence(error, walked, solver, cx)?));
            }
            // Not this way: some undefined result on it has to be avoided.
            let together = cx.terms.and_all(&walked.undefined);
            let avoided = cx.terms.not(together);
            any = cx.terms.and(any, avoided);
        }
        Ok(None)
    }

    fn reached(&self, solver: &mut Narrow, cx: &mut Cx) -> Result<Option<Node>, Stop> {
        for &error in &self.errors {
            if solver.holds(&mut cx.terms, self.unroller.nodes[error].guard)? {
                return Ok(Some(error));
            }
        }
        Ok(None)
    }

    /// The path of the model, backwards from the error.
    fn walk(&self, error: Node, solver: &mut Narrow, cx: &mut Cx) -> Result<Walked, Stop> {
        let mut walked = Walked { edges: Vec::new(), inputs: Vec::new(), undefined: Vec::new() };
        let undefined: BTreeSet<Edge> = self.accelerated.accelerators.iter().filter_map(|a| a.undefined).collect();
        let mut node = error;
        loop {
            let mut taken = None;
            for arrival in &self.unroller.nodes[node].incoming {
                if solver.holds(&mut cx.terms, arrival.guard)? {
                    taken = Some(arrival.clone());
                    break;
                }
            }
            let Some(taken) = taken else {
                return Err(Stop::Solver("a model that takes no path".into()));
            };
            let Some((from, edge)) = taken.from else { break };
            if matches!(self.task.program.main().edges[edge].op, Op::Havoc { .. }) {
                let mut values = Vec::new();
                for input in &taken.inputs {
                    values.push(solver.value(&mut cx.terms, *input)?);
                }
                walked.inputs.push((edge, values));
            }
            if undefined.contains(&edge) {
                walked.undefined.push(taken.guard);
            }
            walked.edges.push(edge);
            node = from;
        }
        walked.edges.reverse();
        walked.inputs.reverse();
        Ok(walked)
    }

    /// Whether some condition on the path depends on an undefined value (section 3.3): found by executing just the path.
    fn is_undefined(&self, walked: &Walked, cx: &mut Cx) -> bool {
        if walked.undefined.is_empty() {
            return false;
        }
        let program: &Program = &self.task.program;
        let undefined: BTreeSet<Edge> = self.accelerated.accelerators.iter().filter_map(|a| a.undefined).collect();
        let mut state = State::arbitrary(program);
        let mut unknown: BTreeSet<Term> = BTreeSet::new();
        for edge in &walked.edges {
            let Some(step) = step(program, &mut cx.terms, &state, &program.main().edges[*edge].op) else { return true };
            if undefined.contains(edge) {
                unknown.extend(&step.inputs);
            }
            if mentions(&cx.terms, step.condition, &unknown) {
                return true;
            }
            state = step.state;
        }
        false
    }

    fn evidence(&self, error: Node, walked: Walked, solver: &mut Narrow, cx: &mut Cx) -> Result<Evidence, Stop> {
        let guard = self.unroller.nodes[error].guard;
        let mut initial: BTreeMap<_, _> = BTreeMap::new();
        // Values are asked for one by one: the narrowed arrays know their own.
        for symbol in term::postorder(&cx.terms, &[guard]) {
            if let Some(var) = self.task.program.var_of(symbol) {
                initial.insert(var, solver.value(&mut cx.terms, symbol)?);
            }
        }
        let steps = walked.edges.len() as u64;
        let trace = Trace { target: self.unroller.nodes[error].loc, inputs: walked.inputs, initial };
        Ok(self.accelerated.expand(trace, steps))
    }
}

fn mentions(terms: &Store, t: Term, symbols: &BTreeSet<Term>) -> bool {
    term::free_vars(terms, &[t]).iter().any(|v| symbols.contains(v))
}
