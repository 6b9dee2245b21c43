//! Parallel substitution of terms for variables (or for any subterms), rebuilt through the normalising builder.
//!
//! A [`Substitution`] keeps its memo, so that many terms under one map share work. Under quantifiers the bound variables
//! are not replaced, and they are renamed when a replacement would be captured.

use rustc_hash::FxHashMap;

use crate::op::Op;
use crate::store::{Store, Term};
use crate::walk;

/// A map from terms (usually variables) to replacements of the same sort, with the results computed so far.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    memo: FxHashMap<Term, Term>,
    replaced: Vec<(Term, Term)>,
}

impl Substitution {
    pub fn new() -> Substitution {
        Substitution::default()
    }

    /// Adds a replacement. Earlier results are forgotten, since they may mention `from`.
    pub fn insert(&mut self, store: &Store, from: Term, to: Term) {
        assert_eq!(store.sort(from), store.sort(to), "substituting {from} by a term of another sort");
        if self.memo.len() > self.replaced.len() {
            self.memo = self.replaced.iter().copied().collect();
        }
        if self.memo.insert(from, to).is_some() {
            self.replaced.retain(|&(old, _)| old != from);
        }
        self.replaced.push((from, to));
    }

    pub fn is_empty(&self) -> bool {
        self.replaced.is_empty()
    }

    /// The replacements, in order of insertion.
    pub fn replacements(&self) -> &[(Term, Term)] {
        &self.replaced
    }

    /// The term with all replacements made at once.
    pub fn apply(&mut self, store: &mut Store, root: Term) -> Term {
        if self.replaced.is_empty() {
            return root;
        }
        if let Some(&done) = self.memo.get(&root) {
            return done;
        }
        // (term, arguments pushed?)
        let mut stack = vec![(root, false)];
        let mut args = Vec::new();
        while let Some((term, expanded)) = stack.pop() {
            if self.memo.contains_key(&term) {
                continue;
            }
            if store.op(term).is_quantifier() {
                let result = self.under_binder(store, term);
                self.memo.insert(term, result);
                continue;
            }
            if !expanded {
                stack.push((term, true));
                let pending = store.args(term).iter().filter(|arg| !self.memo.contains_key(arg));
                stack.extend(pending.map(|&arg| (arg, false)));
                continue;
            }
            args.clear();
            args.extend(store.args(term).iter().map(|arg| self.memo[arg]));
            let result = if args == store.args(term) { term } else { store.mk(store.op(term), &args) };
            self.memo.insert(term, result);
        }
        self.memo[&root]
    }

    /// A quantifier: replaces only what is free in it, renaming bound variables that a replacement mentions.
    fn under_binder(&self, store: &mut Store, quantified: Term) -> Term {
        let (bound, body) = store.quantifier(quantified).expect("called on a quantifier");
        let mut bound = bound.to_vec();
        let free = walk::free_vars(store, &[quantified]);
        // Replacements that touch the body: of its free variables, and of compound terms without bound variables.
        let live: Vec<(Term, Term)> = self
            .replaced
            .iter()
            .copied()
            .filter(|&(from, _)| {
                if store.is_var(from) {
                    free.binary_search(&from).is_ok()
                } else {
                    walk::free_vars(store, &[from]).iter().all(|var| !bound.contains(var))
                }
            })
            .collect();
        if live.is_empty() {
            return quantified;
        }
        let images: Vec<Term> = live.iter().map(|&(_, to)| to).collect();
        let captured = walk::free_vars(store, &images);
        let mut inner = Substitution::new();
        for (from, to) in live {
            inner.insert(store, from, to);
        }
        for var in &mut bound {
            if captured.binary_search(var).is_ok() {
                let name = store.symbol_name(*var).expect("bound variables are variables").to_owned();
                let renamed = store.fresh(&name, store.sort(*var));
                inner.insert(store, *var, renamed);
                *var = renamed;
            }
        }
        let body = inner.apply(store, body);
        bound.push(body);
        store.mk(store.op(quantified), &bound)
    }
}

/// `root` with each key of the map replaced by its value, all at once.
pub fn substitute(store: &mut Store, root: Term, map: &[(Term, Term)]) -> Term {
    let mut substitution = Substitution::new();
    for &(from, to) in map {
        substitution.insert(store, from, to);
    }
    substitution.apply(store, root)
}

/// Rebuilds a term bottom up with `make`, which gets each operator with its rebuilt arguments. Leaves stay.
pub(crate) fn rebuild_with(
    store: &mut Store,
    root: Term,
    mut make: impl FnMut(&mut Store, Op, &[Term]) -> Term,
) -> Term {
    let mut memo: FxHashMap<Term, Term> = FxHashMap::default();
    let mut args = Vec::new();
    for t in walk::postorder(store, &[root]) {
        let result = if store.args(t).is_empty() {
            t
        } else {
            args.clear();
            args.extend(store.args(t).iter().map(|arg| memo[arg]));
            make(store, store.op(t), &args)
        };
        memo.insert(t, result);
    }
    memo[&root]
}
