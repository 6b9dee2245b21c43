//! The store: every distinct term once, under a dense id.
//!
//! Nodes are never removed, arguments always have smaller ids than the term that uses them, and ids stay valid in a clone
//! of the store. So a side table indexed by term is a plain vector, and ascending id order is a topological order.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use base::table::Id;
use hashbrown::HashTable;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHasher};

use crate::bits::Bits;
use crate::float::FloatValue;
use crate::op::{BitsId, FloatId, Func, Op, Symbol};
use crate::rewrite;
use crate::sort::Sort;
use crate::value::Value;

base::id!(
    /// A term of one [`Store`] (or of its clones). Equal ids of one store are equal terms.
    Term,
    "t"
);

#[derive(Clone, Copy)]
struct Node {
    op: Op,
    sort: Sort,
    /// Where the arguments start in the pool, and how many there are.
    first: u32,
    count: u32,
    /// Kept so that growing the table does not touch the arguments again.
    hash: u32,
    /// Made by the normalising builder, not raw: building it again gives it back without trying the rules.
    normal: bool,
}

#[derive(Clone)]
struct SymbolInfo {
    name: Arc<str>,
    sort: Sort,
}

/// The signature of an uninterpreted function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FuncInfo {
    pub name: Arc<str>,
    pub params: Vec<Sort>,
    pub result: Sort,
}

/// Owns terms and everything they mention: constants, variables, functions.
#[derive(Clone)]
pub struct Store {
    nodes: Vec<Node>,
    pool: Vec<Term>,
    ids: HashTable<Term>,
    bits: IndexSet<Bits, FxBuildHasher>,
    floats: IndexSet<FloatValue, FxBuildHasher>,
    symbols: Vec<SymbolInfo>,
    symbol_ids: FxHashMap<Arc<str>, Symbol>,
    funcs: Vec<FuncInfo>,
    func_ids: FxHashMap<Arc<str>, Func>,
    fresh: u32,
    /// Nesting of rewrites in progress; see [`rewrite::MAX_DEPTH`].
    pub(crate) depth: u32,
}

impl Default for Store {
    fn default() -> Store {
        Store::new()
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Store({} terms)", self.nodes.len())
    }
}

const FALSE: Term = Term(0);
const TRUE: Term = Term(1);

fn hash_of(op: Op, args: &[Term]) -> u32 {
    let mut hasher = FxHasher::default();
    op.hash(&mut hasher);
    for arg in args {
        hasher.write_u32(arg.0);
    }
    let hash = hasher.finish();
    (hash >> 32) as u32 ^ hash as u32
}

fn assert_printable(name: &str) {
    assert!(!name.contains(['|', '\\']) && !name.starts_with('?'), "no SMT-LIB symbol can be named {name:?}");
}

/// Spreads the kept 32 bits: the table takes its control byte from the top.
fn spread(hash: u32) -> u64 {
    (hash as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl Store {
    pub fn new() -> Store {
        let mut store = Store {
            nodes: Vec::new(),
            pool: Vec::new(),
            ids: HashTable::new(),
            bits: IndexSet::default(),
            floats: IndexSet::default(),
            symbols: Vec::new(),
            symbol_ids: FxHashMap::default(),
            funcs: Vec::new(),
            func_ids: FxHashMap::default(),
            fresh: 0,
            depth: 0,
        };
        assert_eq!(store.intern(Op::False, &[], Sort::Bool), FALSE);
        assert_eq!(store.intern(Op::True, &[], Sort::Bool), TRUE);
        store
    }

    /// Number of terms; ids are `0..len`.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        false // true and false are always there
    }

    #[inline]
    pub fn op(&self, t: Term) -> Op {
        self.nodes[t.index()].op
    }

    #[inline]
    pub fn args(&self, t: Term) -> &[Term] {
        let node = &self.nodes[t.index()];
        &self.pool[node.first as usize..(node.first + node.count) as usize]
    }

    /// The `index`-th argument.
    #[inline]
    pub fn arg(&self, t: Term, index: usize) -> Term {
        self.args(t)[index]
    }

    #[inline]
    pub fn sort(&self, t: Term) -> Sort {
        self.nodes[t.index()].sort
    }

    /// Width of a bit-vector term; panics on other sorts.
    #[inline]
    pub fn width(&self, t: Term) -> u32 {
        match self.sort(t) {
            Sort::Bv(width) => width,
            other => panic!("{t} is a {other:?}, not a bit-vector"),
        }
    }

    /// Format of a float term; panics on other sorts.
    #[inline]
    pub fn format(&self, t: Term) -> crate::sort::Format {
        match self.sort(t) {
            Sort::Float(format) => format,
            other => panic!("{t} is a {other:?}, not a float"),
        }
    }

    fn intern(&mut self, op: Op, args: &[Term], sort: Sort) -> Term {
        let hash = hash_of(op, args);
        let term = Term(self.nodes.len() as u32);
        assert!(self.nodes.len() < u32::MAX as usize, "term store is full");
        self.nodes.push(Node { op, sort, first: self.pool.len() as u32, count: args.len() as u32, hash, normal: true });
        self.pool.extend_from_slice(args);
        let nodes = &self.nodes;
        self.ids.insert_unique(spread(hash), term, |t| spread(nodes[t.index()].hash));
        term
    }

    #[inline]
    fn lookup(&self, op: Op, args: &[Term]) -> Option<Term> {
        let hash = hash_of(op, args);
        let same = |t: &Term| {
            let node = &self.nodes[t.index()];
            node.hash == hash
                && node.op == op
                && self.pool[node.first as usize..(node.first + node.count) as usize] == *args
        };
        self.ids.find(spread(hash), same).copied()
    }

    /// Interns a term as it stands: sort-checked, but not normalised. For tests of the rewriter and for its last step;
    /// everything else builds with [`Store::mk`] or the named methods.
    pub fn mk_raw(&mut self, op: Op, args: &[Term]) -> Term {
        if let Some(term) = self.lookup(op, args) {
            return term;
        }
        let sort = self.check(op, args);
        let term = self.intern(op, args, sort);
        self.nodes[term.index()].normal = false;
        term
    }

    /// The term, if the normalising builder made it before.
    #[inline]
    pub(crate) fn find_normal(&self, op: Op, args: &[Term]) -> Option<Term> {
        self.lookup(op, args).filter(|t| self.nodes[t.index()].normal)
    }

    /// Interns a term that no rule applies to.
    #[inline]
    pub(crate) fn mk_normal(&mut self, op: Op, args: &[Term]) -> Term {
        if let Some(term) = self.lookup(op, args) {
            self.nodes[term.index()].normal = true;
            return term;
        }
        let sort = self.check(op, args);
        self.intern(op, args, sort)
    }

    /// Builds and normalises. Panics when the arguments do not fit the operator: that is a bug in the caller.
    #[inline]
    pub fn mk(&mut self, op: Op, args: &[Term]) -> Term {
        rewrite::build(self, op, args)
    }

    /// The sort of `op` applied to `args`, or a panic that says what does not fit.
    pub(crate) fn check(&self, op: Op, args: &[Term]) -> Sort {
        let result = match args {
            [a] => op.result_sort(&[self.sort(*a)]),
            [a, b] => op.result_sort(&[self.sort(*a), self.sort(*b)]),
            [a, b, c] => op.result_sort(&[self.sort(*a), self.sort(*b), self.sort(*c)]),
            _ => op.result_sort(&args.iter().map(|&arg| self.sort(arg)).collect::<Vec<_>>()),
        };
        let declared = || match op {
            Op::Apply(func) => {
                let info = self.func_info(func);
                let fits = info.params.iter().copied().eq(args.iter().map(|&arg| self.sort(arg)));
                fits.then_some(info.result)
            }
            _ => None,
        };
        let bound_are_vars = !op.is_quantifier()
            || args.split_last().is_some_and(|(_, bound)| bound.iter().all(|&var| self.is_var(var)));
        match result.or_else(declared) {
            Some(sort) if bound_are_vars => sort,
            _ => {
                let sorts: Vec<Sort> = args.iter().map(|&arg| self.sort(arg)).collect();
                panic!("ill-sorted term: {op:?} applied to {sorts:?}")
            }
        }
    }

    // Constants

    #[inline]
    pub fn bool(&self, b: bool) -> Term {
        if b { TRUE } else { FALSE }
    }

    #[inline]
    pub fn tt(&self) -> Term {
        TRUE
    }

    #[inline]
    pub fn ff(&self) -> Term {
        FALSE
    }

    /// `value mod 2^width`.
    #[inline]
    pub fn bv(&mut self, value: u128, width: u32) -> Term {
        self.bv_bits(Bits::new(value, width))
    }

    /// `value mod 2^width` in two's complement.
    pub fn bv_signed(&mut self, value: i128, width: u32) -> Term {
        self.bv_bits(Bits::from_i128(value, width))
    }

    #[inline]
    pub fn bv_bits(&mut self, bits: Bits) -> Term {
        let sort = Sort::Bv(bits.width());
        let id = match self.bits.get_index_of(&bits) {
            Some(index) => index,
            None => self.bits.insert_full(bits).0,
        };
        let op = Op::BvConst(BitsId::new(id));
        self.lookup(op, &[]).unwrap_or_else(|| self.intern(op, &[], sort))
    }

    pub fn float(&mut self, value: FloatValue) -> Term {
        let sort = Sort::Float(value.format());
        let op = Op::FloatConst(FloatId::new(self.floats.insert_full(value).0));
        self.lookup(op, &[]).unwrap_or_else(|| self.intern(op, &[], sort))
    }

    /// The term that denotes a value: a literal, or for an array its default with stores.
    pub fn value(&mut self, value: &Value) -> Term {
        match value {
            Value::Bool(b) => self.bool(*b),
            Value::Bv(bits) => self.bv_bits(bits.clone()),
            Value::Float(float) => self.float(*float),
            Value::Array(array) => {
                let default = self.value(array.default_value());
                let mut term = self.mk(Op::ConstArray(array.sort.index), &[default]);
                for (index, elem) in array.entries() {
                    let (index, elem) = (self.value(index), self.value(elem));
                    term = self.mk(Op::Store, &[term, index, elem]);
                }
                term
            }
        }
    }

    #[inline]
    pub fn is_const(&self, t: Term) -> bool {
        self.op(t).is_const()
    }

    #[inline]
    pub fn as_bv_const(&self, t: Term) -> Option<&Bits> {
        match self.op(t) {
            Op::BvConst(id) => Some(&self.bits[id.index()]),
            _ => None,
        }
    }

    #[inline]
    pub fn as_bool_const(&self, t: Term) -> Option<bool> {
        match t {
            TRUE => Some(true),
            FALSE => Some(false),
            _ => None,
        }
    }

    pub fn as_float_const(&self, t: Term) -> Option<FloatValue> {
        match self.op(t) {
            Op::FloatConst(id) => Some(self.floats[id.index()]),
            _ => None,
        }
    }

    /// The value of a literal (scalars only; array constants are terms).
    pub fn as_value(&self, t: Term) -> Option<Value> {
        match self.op(t) {
            Op::True => Some(Value::Bool(true)),
            Op::False => Some(Value::Bool(false)),
            Op::BvConst(id) => Some(Value::Bv(self.bits[id.index()].clone())),
            Op::FloatConst(id) => Some(Value::Float(self.floats[id.index()])),
            _ => None,
        }
    }

    // Variables and functions

    /// The variable of that name; the same name always gives the same term. Panics if the name has another sort, or if
    /// SMT-LIB text could not hold it (it contains `|` or `\\`, or starts with `?`, which names shared subterms there).
    pub fn var(&mut self, name: &str, sort: Sort) -> Term {
        let symbol = match self.symbol_ids.get(name) {
            Some(&symbol) => symbol,
            None => {
                assert_printable(name);
                let symbol = Symbol::new(self.symbols.len());
                let name: Arc<str> = Arc::from(name);
                self.symbols.push(SymbolInfo { name: name.clone(), sort });
                self.symbol_ids.insert(name, symbol);
                symbol
            }
        };
        let known = self.symbols[symbol.index()].sort;
        assert_eq!(known, sort, "variable {name} has two sorts");
        let op = Op::Var(symbol);
        self.lookup(op, &[]).unwrap_or_else(|| self.intern(op, &[], sort))
    }

    /// A variable that did not exist before, named after the prefix.
    pub fn fresh(&mut self, prefix: &str, sort: Sort) -> Term {
        loop {
            let name = format!("{prefix}!{}", self.fresh);
            self.fresh += 1;
            if !self.symbol_ids.contains_key(name.as_str()) {
                return self.var(&name, sort);
            }
        }
    }

    /// The variable of that name, if there is one.
    pub fn find_var(&self, name: &str) -> Option<Term> {
        let symbol = *self.symbol_ids.get(name)?;
        self.lookup(Op::Var(symbol), &[])
    }

    #[inline]
    pub fn is_var(&self, t: Term) -> bool {
        matches!(self.op(t), Op::Var(_))
    }

    /// The name of a variable term.
    pub fn symbol_name(&self, t: Term) -> Option<&str> {
        match self.op(t) {
            Op::Var(symbol) => Some(&self.symbols[symbol.index()].name),
            _ => None,
        }
    }

    /// The uninterpreted function of that name. Panics if the name has another signature.
    pub fn func(&mut self, name: &str, params: &[Sort], result: Sort) -> Func {
        if let Some(&func) = self.func_ids.get(name) {
            let known = &self.funcs[func.index()];
            assert!(known.params == params && known.result == result, "function {name} has two signatures");
            return func;
        }
        assert_printable(name);
        let func = Func::new(self.funcs.len());
        let name: Arc<str> = Arc::from(name);
        self.funcs.push(FuncInfo { name: name.clone(), params: params.to_vec(), result });
        self.func_ids.insert(name, func);
        func
    }

    /// The function of that name, if there is one.
    pub fn find_func(&self, name: &str) -> Option<Func> {
        self.func_ids.get(name).copied()
    }

    pub fn func_info(&self, func: Func) -> &FuncInfo {
        &self.funcs[func.index()]
    }

    /// Bound variables and body of a quantifier.
    pub fn quantifier(&self, t: Term) -> Option<(&[Term], Term)> {
        if !self.op(t).is_quantifier() {
            return None;
        }
        let (body, bound) = self.args(t).split_last().expect("a quantifier has a body");
        Some((bound, *body))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_terms_have_equal_ids() {
        let mut t = Store::new();
        let (x, y) = (t.var("x", Sort::Bv(8)), t.var("y", Sort::Bv(8)));
        assert_eq!(t.add(x, y), t.add(y, x));
        assert_eq!(t.var("x", Sort::Bv(8)), x);
        assert_ne!(t.fresh("x", Sort::Bv(8)), x);
        let (one, two) = (t.bv(1, 8), t.bv(2, 8));
        assert_eq!(t.add(one, one), two);
    }

    #[test]
    fn ids_stay_valid_in_a_clone() {
        let mut t = Store::new();
        let x = t.var("x", Sort::Bv(8));
        let mut u = t.clone();
        assert_eq!(u.var("x", Sort::Bv(8)), x);
        let y = u.var("y", Sort::Bv(8));
        assert_eq!(u.op(u.bool(true)), Op::True);
        assert_eq!(u.symbol_name(y), Some("y"));
        assert!(t.find_var("y").is_none());
    }

    #[test]
    #[should_panic(expected = "ill-sorted")]
    fn sort_errors_panic() {
        let mut t = Store::new();
        let (x, y) = (t.var("x", Sort::Bv(8)), t.var("y", Sort::Bv(9)));
        t.add(x, y);
    }
}
