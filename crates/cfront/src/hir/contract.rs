//! Contracts of functions and of loops.

use base::Span;

use super::{Expr, VarId};

/// The contract of a function: clauses as CBMC writes them, about variables of their own that stand for its parameters, its
/// result and what was before the call.
#[derive(Clone, Debug)]
pub struct Contract {
    /// In the order of the function's parameters.
    pub params: Vec<VarId>,
    /// `__CPROVER_return_value`, unless the function returns nothing.
    pub result: Option<VarId>,
    /// Conditions.
    pub requires: Vec<Expr>,
    pub ensures: Vec<Expr>,
    /// What it may write; nothing else. Places and sizes are those before the call.
    pub assigns: Vec<Assigned>,
    /// Pointers to what it may free.
    pub frees: Vec<Expr>,
    /// `__CPROVER_old(e)`: the variable that stands for it, and `e`, a place or a value.
    pub history: Vec<(VarId, Expr)>,
    /// Quantified variables and those of the history.
    pub locals: Vec<VarId>,
    /// Only what it requires was said, and not by the program: calls cannot be replaced by it.
    pub is_precondition: bool,
    /// Nothing was said of what it writes.
    pub may_write_anything: bool,
    pub span: Span,
}

/// What a function may write, if the condition holds before the call.
#[derive(Clone, Debug)]
pub struct Assigned {
    pub condition: Option<Expr>,
    pub target: AssignedTarget,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum AssignedTarget {
    /// An lvalue.
    Place(Expr),
    /// The whole object that a pointer points into.
    Whole(Expr),
    /// From a pointer on to the end of its object.
    From(Expr),
    /// So many bytes (a `size_t`) from a pointer on.
    Upto(Expr, Expr),
}

/// The contract of a loop.
#[derive(Clone, Debug)]
pub struct LoopContract {
    /// Conditions that hold whenever the loop's condition is about to be evaluated (in a `do` loop: whenever its body starts).
    pub invariants: Vec<Expr>,
    /// Integers, of which the first to change becomes less in every iteration.
    pub decreases: Vec<Expr>,
    /// What decreases is, in addition, not negative where an iteration begins.
    pub is_variant: bool,
    /// `__CPROVER_loop_entry(e)`: the variable that stands for it, and `e`, a place or a value.
    pub history: Vec<(VarId, Expr)>,
    pub span: Span,
}
