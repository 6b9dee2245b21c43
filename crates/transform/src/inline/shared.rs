//! One copy of a function for all of its calls at the same depth.
//!
//! Recursive descent has as many chains of calls as its input has shapes: exponentially many copies, though few are ever
//! active. Activations of one depth come one after the other, so they can take turns in one copy: a call notes where it comes from,
//! sets the parameters and jumps to the entry, and at the exit an edge for each call leads back to it. Copies then are as many as
//! functions and depths. Such a copy is to its calls what the body of a loop is to its iterations: its locals and what it allocates
//! are treated as those of a loop, and nothing here ends their lives but what lowering wrote.
//!
//! *Depth* is the number of functions of the same component (of mutual recursion) that are active. An activation can have no other above
//! it with the same function and depth, so whoever enters a copy finds it unused. Functions without recursion have depth 0; the
//! large ones among them are shared, too.

use super::{Inliner, Pending, TOO_LARGE};
use crate::limits::shared::{DEPTH, MIN_EDGES, VARIANTS};
use cfa::{EdgeInfo, Frame, Func, Loc, Location, Op, Var, VarKind};
use rustc_hash::FxHashMap;
use term::{Sort, Term};

/// The copies, by function and depth.
#[derive(Default)]
pub(super) struct SharedCopies(FxHashMap<(Func, usize), Vec<SharedCopy>>);

#[derive(Clone)]
struct SharedCopy {
    /// The arguments that all of its calls know; none where they differ too much.
    known: Vec<Option<Term>>,
    frame: Frame,
    start: Loc,
    end: Loc,
    params: Vec<Var>,
    result: Option<Var>,
    /// Which of the calls it is executed for.
    site: Var,
    calls: u32,
}

/// The calls of a copy are numbered by so many bits.
const SITE_BITS: u32 = 32;

impl Inliner<'_> {
    pub(super) fn is_shared(&self, call: &Pending) -> bool {
        // What is known of a function without recursion makes it small.
        let is_large =
            || self.functions[call.callee].edges.len() >= MIN_EDGES && call.known.iter().all(Option::is_none);
        self.calls.is_recursive(call.callee) || is_large()
    }

    /// Leads the call to the copy for its depth, and from there back.
    pub(super) fn share(&mut self, call: Pending) {
        let key = (call.callee, self.depth(&call));
        let copies = self.shared.0.entry(key).or_default();
        let is_known = |copy: &SharedCopy| copy.known == call.known;
        let is_general = |copy: &SharedCopy| copy.known.is_empty();
        let found = copies.iter().position(is_known).or_else(|| copies.iter().position(is_general));
        let nothing_known = call.known.iter().all(Option::is_none) || copies.len() >= VARIANTS;
        let number = match found {
            Some(number) => number,
            None => match self.shared_copy(&call, key.1, nothing_known) {
                Ok(copy) => {
                    let copies = self.shared.0.entry(key).or_default();
                    copies.push(copy);
                    copies.len() - 1
                }
                Err(why) => return self.bound(call, why),
            },
        };
        let copy = &mut self.shared.0.get_mut(&key).expect("just found")[number];
        copy.calls += 1;
        let copy = copy.clone();
        self.join(call, copy);
    }

    /// How many functions of the callee's component are active when it is called.
    fn depth(&self, call: &Pending) -> usize {
        let callers = std::iter::successors(Some(call.frame), |k| self.program.frames[*k].caller);
        callers.filter(|k| self.calls.mutually_recursive(self.frame_function[*k], call.callee)).count()
    }

    /// A new copy; the reason if there is no room for one.
    fn shared_copy(&mut self, call: &Pending, depth: usize, nothing_known: bool) -> Result<SharedCopy, String> {
        let known = if nothing_known { Vec::new() } else { call.known.clone() };
        let variant = self.variants.of(&mut self.program, &mut self.functions, call.callee, &known);
        let edges = self.edges.len() + variant.edges.len();
        if self.calls.is_recursive(call.callee) {
            let room = *self.without_recursion.get_or_insert(self.edges.len()) + self.settings.room;
            if edges > room || depth > DEPTH.min(self.settings.depth) {
                let recursion = self.recursion(call.callee);
                return Err(format!("recursion of {recursion} deeper than {depth}: {TOO_LARGE}"));
            }
        }
        if edges > self.settings.edges {
            return Err("program too large after inlining".to_owned());
        }
        let frame = self.frame_of(call);
        let (start, end) = self.copy(call.callee, frame, &variant);
        let callee = &self.functions[call.callee];
        let params = callee.params.iter().map(|v| self.copier.var(*v)).collect();
        let result = callee.result.map(|v| self.copier.var(v));
        let name = format!("{}::$site", callee.name);
        let site = self.program.add_var(&name, Sort::Bv(SITE_BITS), VarKind::Local(call.callee), None);
        Ok(SharedCopy { known, frame, start, end, params, result, site, calls: 0 })
    }

    /// Edges from the call to the copy and back; `copy.calls` is the number of the call.
    fn join(&mut self, call: Pending, copy: SharedCopy) {
        if copy.calls > 1 {
            self.program.joined.insert((call.frame, call.site), copy.frame);
        }
        let number = self.program.terms.bv(u128::from(copy.calls), SITE_BITS);
        let site = self.program.term(copy.site);
        let is_here = self.program.terms.eq(site, number);
        let mut assigned: Vec<(Var, Term)> = copy.params.into_iter().zip(call.args).collect();
        assigned.push((copy.site, number));
        let returns = self.locs.push(Location { frame: copy.frame, ..Location::plain(call.span) });
        self.origins.locs.push(None);
        let result = call.dst.zip(copy.result).map(|(dst, v)| (dst, self.program.term(v)));
        let edge = |from, to, op| EdgeInfo { from, to, op, span: call.span, site: Some(call.site) };
        self.edges.push(edge(call.from, copy.start, Op::Assign(assigned)));
        self.edges.push(edge(copy.end, returns, Op::Assume(is_here)));
        self.edges.push(edge(returns, call.to, Op::Assign(result.into_iter().collect())));
    }
}
