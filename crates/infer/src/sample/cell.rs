//! Programs that follow single cells of arrays instead of the arrays.

use cfa::{Program, Var};
use std::sync::Arc;
use term::Term;

/// The cells of arrays that a program follows instead of them: invariants say what is in them once loops
/// have come past their indices.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The program with the arrays: data comes from there.
    pub original: Arc<Program>,
    pub ghosts: Vec<Ghost>,
    pub contents: Vec<Content>,
}

/// A value of the variable `of`, chosen beforehand.
#[derive(Clone, Copy, Debug)]
pub struct Ghost {
    pub of: Var,
    pub var: Var,
}

/// The variable that is the array's cell at an index, which speaks of ghosts.
#[derive(Clone, Copy, Debug)]
pub struct Content {
    pub array: Var,
    pub at: Term,
    pub var: Var,
}

impl Cell {
    pub fn is_content(&self, var: Var) -> bool {
        self.contents.iter().any(|content| content.var == var)
    }

    pub fn is_ghost(&self, var: Var) -> bool {
        self.ghosts.iter().any(|ghost| ghost.var == var)
    }

    /// Whether a state of the original tells the variable's value.
    pub fn shows(&self, var: Var) -> bool {
        self.original.vars.get(var).is_some() || self.is_ghost(var) || self.is_content(var)
    }
}
