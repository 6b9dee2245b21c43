//! From an execution of the accelerated program to one of the program itself.
//!
//! Only inputs have to be named: apart from them the program is deterministic. An accelerator that was taken `n` times stands
//! for the inputs of one iteration, given `n` times.

use crate::limits::expand::WRITTEN_OUT;
use crate::{Accelerated, Accelerator};
use cfa::Edge;
use cfa::evidence::{DeepTrace, Evidence, Trace};
use cfa::evidence::{Repeat, write_out};
use term::Value;

impl Accelerated {
    /// The execution of the program itself for one of the accelerated program, whose inputs are given edge by edge.
    /// `edges` is how many edges the latter took.
    pub fn expand(&self, trace: Trace, edges: u64) -> Evidence {
        let mut inputs = Vec::new();
        let mut repeats = Vec::new();
        let mut own: Vec<(Edge, Vec<Value>)> = trace.inputs;
        own.retain(|(edge, _)| self.is_input(*edge));
        let mut steps = edges;
        for (edge, values) in own {
            steps = steps.saturating_add(self.expand_one(edge, values, &mut inputs, &mut repeats));
        }
        let trace = Trace { inputs, ..trace };
        if steps <= WRITTEN_OUT {
            let inputs = write_out(&trace.inputs, &repeats);
            return Evidence::Trace(Trace { inputs, ..trace });
        }
        Evidence::Deep(DeepTrace { trace, repeats, steps })
    }

    /// Not the parts of an accelerator that only name what it computes.
    fn is_input(&self, edge: Edge) -> bool {
        self.started_by(edge).is_some() || self.accelerators.first().is_none_or(|a| edge < a.first)
    }

    fn started_by(&self, edge: Edge) -> Option<&Accelerator> {
        self.accelerators.iter().find(|a| a.first == edge)
    }

    /// Appends what one havoc stands for; returns how many edges an accelerator stands for.
    fn expand_one(
        &self,
        edge: Edge,
        values: Vec<Value>,
        inputs: &mut Vec<(Edge, Vec<Value>)>,
        repeats: &mut Vec<Repeat>,
    ) -> u64 {
        let Some(accelerator) = self.started_by(edge) else {
            inputs.push((edge, values));
            return 0;
        };
        let mut steps = accelerator.path.len() as u64;
        let mut values = values.into_iter();
        let times = values.next().and_then(|n| n.as_bits()?.to_u64()).unwrap_or(0);
        let from = inputs.len();
        let place = repeats.len();
        repeats.push(Repeat { from, len: 0, times });
        for (edge, vars) in &accelerator.inputs {
            let given: Vec<Value> = values.by_ref().take(vars.len()).collect();
            if self.is_input(*edge) {
                steps = steps.saturating_add(self.expand_one(*edge, given, inputs, repeats));
            }
        }
        repeats[place].len = inputs.len() - from;
        steps.saturating_mul(times)
    }
}
