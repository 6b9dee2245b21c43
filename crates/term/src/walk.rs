//! Structural walks without recursion, and what they measure.

use base::table::Id;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::op::Op;
use crate::store::{Store, Term};

/// The distinct subterms of the roots, arguments before the terms that use them, each once.
///
/// Quantified bodies and the bound variables themselves are included.
pub fn postorder(store: &Store, roots: &[Term]) -> Vec<Term> {
    let mut seen = FxHashSet::default();
    let mut order = Vec::new();
    let mut stack: Vec<(Term, usize)> = Vec::new();
    for &root in roots {
        if seen.insert(root) {
            stack.push((root, 0));
        }
        while let Some((term, next)) = stack.last_mut() {
            let args = store.args(*term);
            match args[*next..].iter().position(|&arg| seen.insert(arg)) {
                Some(skipped) => {
                    let arg = args[*next + skipped];
                    *next += skipped + 1;
                    stack.push((arg, 0));
                }
                None => {
                    order.push(*term);
                    stack.pop();
                }
            }
        }
    }
    order
}

/// The variables that occur free, by ascending id.
pub fn free_vars(store: &Store, roots: &[Term]) -> Vec<Term> {
    let order = postorder(store, roots);
    let mut vars: Vec<Term> = if order.iter().any(|&t| store.op(t).is_quantifier()) {
        free_under_binders(store, roots, &order)
    } else {
        order.into_iter().filter(|&t| store.is_var(t)).collect()
    };
    vars.sort_unstable();
    vars
}

/// With quantifiers a variable may be free in one place and bound in another: compute sets bottom-up.
fn free_under_binders(store: &Store, roots: &[Term], order: &[Term]) -> Vec<Term> {
    let mut free: FxHashMap<Term, Vec<Term>> = FxHashMap::default();
    for &t in order {
        let set = match store.quantifier(t) {
            Some((bound, body)) => free[&body].iter().copied().filter(|var| !bound.contains(var)).collect(),
            None if store.is_var(t) => vec![t],
            None => {
                let mut set: Vec<Term> = store.args(t).iter().flat_map(|arg| free[arg].iter().copied()).collect();
                set.sort_unstable();
                set.dedup();
                set
            }
        };
        free.insert(t, set);
    }
    let mut vars: Vec<Term> = roots.iter().flat_map(|root| free[root].iter().copied()).collect();
    vars.sort_unstable();
    vars.dedup();
    vars
}

/// Does the variable occur in the term (free or bound)? Looks only at terms that are young enough to mention it.
pub fn mentions(store: &Store, root: Term, var: Term) -> bool {
    let mut seen = FxHashSet::default();
    let mut stack = vec![root];
    while let Some(t) = stack.pop() {
        if t == var {
            return true;
        }
        stack.extend(store.args(t).iter().copied().filter(|arg| *arg >= var && seen.insert(*arg)));
    }
    false
}

/// Number of distinct subterms.
pub fn dag_size(store: &Store, roots: &[Term]) -> usize {
    postorder(store, roots).len()
}

/// Number of distinct subterms if it is at most `limit`; looks no further.
pub fn dag_size_within(store: &Store, root: Term, limit: usize) -> Option<usize> {
    let mut seen = FxHashSet::default();
    let mut stack = vec![root];
    while let Some(t) = stack.pop() {
        if seen.insert(t) {
            if seen.len() > limit {
                return None;
            }
            stack.extend(store.args(t));
        }
    }
    Some(seen.len())
}

/// Number of nodes when written as a tree; saturates.
pub fn tree_size(store: &Store, root: Term) -> u64 {
    let mut sizes: FxHashMap<Term, u64> = FxHashMap::default();
    for t in postorder(store, &[root]) {
        let size = store.args(t).iter().fold(1u64, |sum, arg| sum.saturating_add(sizes[arg]));
        sizes.insert(t, size);
    }
    sizes[&root]
}

/// Longest path from the term down to a leaf, counted in edges.
pub fn depth(store: &Store, root: Term) -> usize {
    let mut depths: FxHashMap<Term, usize> = FxHashMap::default();
    for t in postorder(store, &[root]) {
        let depth = store.args(t).iter().map(|arg| depths[arg] + 1).max().unwrap_or(0);
        depths.insert(t, depth);
    }
    depths[&root]
}

/// Uninterpreted functions that occur, by ascending id.
pub fn functions(store: &Store, roots: &[Term]) -> Vec<crate::op::Func> {
    let mut funcs: Vec<_> = postorder(store, roots)
        .into_iter()
        .filter_map(|t| if let Op::Apply(func) = store.op(t) { Some(func) } else { None })
        .collect();
    funcs.sort_unstable_by_key(|func| func.index());
    funcs.dedup();
    funcs
}
