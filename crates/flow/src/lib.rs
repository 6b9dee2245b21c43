//! Facts computed from one automaton, without changing it: orders, dominators, loops, versions of variables, data and
//! control dependence, the call graph.
//!
//! Everything is deterministic and near-linear: automata have up to a million edges.

pub mod access;
pub mod callgraph;
pub mod control;
pub mod dom;
pub mod graph;
pub mod liveness;
pub mod loops;
pub mod paths;
pub mod ssa;
pub mod wto;

pub use access::{Accesses, GlobalEffects, TermVars};
pub use callgraph::CallGraph;
pub use control::{Controllers, control_dependence};
pub use dom::DomTree;
pub use graph::{Graph, Lists, LocSet, can_reach, can_run_forever, reachable, reverse_postorder, targets};
pub use liveness::{Liveness, live, live_at_heads, written_in};
pub use loops::{Loop, LoopId, Loops};
pub use paths::{NoPaths, count_loop_paths, loop_paths};
pub use ssa::{Def, DefInfo, Site, Ssa, Users, Versions};
