//! The store: every distinct term once, under a dense id.
//!
//! Nodes are never removed, arguments always have smaller ids than the term that uses them, and ids stay valid in a clone
//! of the store. So a side table indexed by term is a plain vector, and ascending id order is a topological order.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use base::table::Id;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHasher};

use crate::bits::Bits;
use crate::float::FloatValue;
use crate::op::{BitsId, FloatId, Func, Op, Symbol};
use crate::rewrite;
use crate::sort::Sort;
use crate::value::Value;
use base::index::{Address, Index};

base::id!(
    /// A term of one [`Store`] (or of its clones). Equal ids of one store are equal terms.
    Term,
    "t"
);

/// Kept small, with up to three arguments in place: looking a term up should touch one line of memory.
#[derive(Clone, Copy)]
struct Node {
    op: Op,
    /// The arguments; of longer lists, where they start in the pool.
    args: [Term; INLINE],
    count: u16,
    /// Index into the table of sorts.
    sort: u16,
    /// What building this gives: itself when it is in normal form, its normal form when that was worth remembering,
    /// [`UNKNOWN`] when it is raw.
    normal: Term,
}

/// Only applications and quantifiers have more arguments.
const INLINE: usize = 3;

impl Node {
    #[inline]
    fn args<'a>(&'a self, pool: &'a [Term]) -> &'a [Term] {
        let count = self.count as usize;
        if count <= INLINE { &self.args[..count] } else { &pool[self.args[0].index()..][..count] }
    }
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
    /// Argument lists longer than [`INLINE`].
    pool: Vec<Term>,
    ids: Index<Term>,
    sorts: IndexSet<Sort, FxBuildHasher>,
    /// The values of the bit-vector constants, each once.
    bits: Vec<Bits>,
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
/// Index of the truth values' sort.
const BOOL: u16 = 0;
/// No term: the normal form is not known.
pub(crate) const UNKNOWN: Term = Term(u32::MAX);

/// An application to look for, hashed once.
pub(crate) struct Key<'a> {
    pub(crate) op: Op,
    pub(crate) args: &'a [Term],
    address: Address,
}

/// Literals of close values lie close together: counters run through them.
#[inline]
fn address_of_bits(bits: &Bits) -> Address {
    let mut hasher = FxHasher::default();
    bits.hash(&mut hasher);
    Address::new(hasher.finish(), bits.low_word())
}

/// Terms over arguments lie close to where the youngest of them was made.
#[inline]
fn address_of(op: Op, args: &[Term], bits: &[Bits]) -> Address {
    if let Op::BvConst(id) = op {
        return address_of_bits(&bits[id.index()]);
    }
    let mut hasher = FxHasher::default();
    op.hash(&mut hasher);
    let mut youngest = 0;
    for arg in args {
        hasher.write_u32(arg.0);
        youngest = youngest.max(arg.0);
    }
    let hash = hasher.finish();
    Address::new(hash, if args.is_empty() { hash as u32 } else { youngest })
}

/// What the store knows of an application.
#[derive(Clone, Copy)]
pub(crate) enum Known {
    Normal(Term),
    /// It is there as a raw term.
    Raw,
    /// It was not there when there were so many terms.
    Nothing {
        terms: usize,
    },
}

fn assert_printable(name: &str) {
    assert!(!name.contains(['|', '\\']) && !name.starts_with('?'), "no SMT-LIB symbol can be named {name:?}");
}

impl Store {
    pub fn new() -> Store {
        let mut store = Store {
            nodes: Vec::new(),
            pool: Vec::new(),
            ids: Index::default(),
            sorts: IndexSet::default(),
            bits: Vec::new(),
            floats: IndexSet::default(),
            symbols: Vec::new(),
            symbol_ids: FxHashMap::default(),
            funcs: Vec::new(),
            func_ids: FxHashMap::default(),
            fresh: 0,
            depth: 0,
        };
        assert_eq!(store.leaf(Op::False, Sort::Bool), FALSE);
        assert_eq!(store.leaf(Op::True, Sort::Bool), TRUE);
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
        self.nodes[t.index()].args(&self.pool)
    }

    /// The `index`-th argument.
    #[inline]
    pub fn arg(&self, t: Term, index: usize) -> Term {
        self.args(t)[index]
    }

    #[inline]
    pub fn sort(&self, t: Term) -> Sort {
        self.sorts[self.nodes[t.index()].sort as usize]
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

    fn sort_index(&mut self, sort: Sort, args: &[Term]) -> u16 {
        // Most often an argument has it.
        let shared = args.iter().map(|arg| self.nodes[arg.index()].sort);
        for index in shared.chain([BOOL]) {
            if self.sorts.get_index(index as usize) == Some(&sort) {
                return index;
            }
        }
        let index = match self.sorts.get_index_of(&sort) {
            Some(index) => index,
            None => self.sorts.insert_full(sort).0,
        };
        u16::try_from(index).expect("at most 65536 sorts")
    }

    /// Adds a term that is not there yet.
    fn insert(&mut self, key: &Key<'_>, sort: Sort, normal: Option<Term>) -> Term {
        assert!(self.nodes.len() < UNKNOWN.index(), "term store is full");
        let term = Term(self.nodes.len() as u32);
        let count = u16::try_from(key.args.len()).expect("at most 65535 arguments");
        let mut args = [FALSE; INLINE];
        if key.args.len() <= INLINE {
            args[..key.args.len()].copy_from_slice(key.args);
        } else {
            args[0] = Term(u32::try_from(self.pool.len()).expect("argument pool is full"));
            self.pool.extend_from_slice(key.args);
        }
        let sort = self.sort_index(sort, key.args);
        let normal = normal.unwrap_or(term);
        self.nodes.push(Node { op: key.op, args, count, sort, normal });
        let (nodes, pool, bits) = (&self.nodes, &self.pool, &self.bits);
        self.ids.insert(key.address, term, |term| {
            let node = &nodes[term.index()];
            address_of(node.op, node.args(pool), bits)
        });
        term
    }

    #[inline]
    pub(crate) fn key<'a>(&self, op: Op, args: &'a [Term]) -> Key<'a> {
        Key { op, args, address: address_of(op, args, &self.bits) }
    }

    #[inline]
    fn find(&self, key: &Key<'_>) -> Option<Term> {
        self.ids.find(key.address, |term| {
            let node = &self.nodes[term.index()];
            node.op == key.op && node.args(&self.pool) == key.args
        })
    }

    /// A constant or variable of a known sort.
    fn leaf(&mut self, op: Op, sort: Sort) -> Term {
        let key = self.key(op, &[]);
        self.find(&key).unwrap_or_else(|| self.insert(&key, sort, None))
    }

    /// Interns a term as it stands: sort-checked, but not normalised. For tests of the rewriter; everything else builds
    /// with [`Store::mk`] or the named methods.
    pub fn mk_raw(&mut self, op: Op, args: &[Term]) -> Term {
        let key = self.key(op, args);
        self.find(&key).unwrap_or_else(|| {
            let sort = self.check(op, args);
            self.insert(&key, sort, Some(UNKNOWN))
        })
    }

    /// What is known of an application.
    #[inline]
    pub(crate) fn look_up(&self, key: &Key<'_>) -> Known {
        match self.find(key).map(|raw| self.nodes[raw.index()].normal) {
            None => Known::Nothing { terms: self.nodes.len() },
            Some(UNKNOWN) => Known::Raw,
            Some(normal) => Known::Normal(normal),
        }
    }

    /// Interns an application that no rule rewrites, given what was known of it before the rules were tried.
    #[inline]
    pub(crate) fn mk_normal(&mut self, key: &Key<'_>, known: Known) -> Term {
        // Where there is no new term, there is still not this one.
        let absent = matches!(known, Known::Nothing { terms } if terms == self.nodes.len());
        match if absent { None } else { self.find(key) } {
            Some(term) => {
                self.nodes[term.index()].normal = term;
                term
            }
            None => {
                let sort = self.check(key.op, key.args);
                self.insert(key, sort, None)
            }
        }
    }

    /// Remembers what an application was rewritten to.
    pub(crate) fn remember(&mut self, key: &Key<'_>, normal: Term) {
        match self.find(key) {
            Some(raw) => self.nodes[raw.index()].normal = normal,
            None => {
                let sort = self.sort(normal);
                self.insert(key, sort, Some(normal));
            }
        }
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
        let address = address_of_bits(&bits);
        let known = self.ids.find(address, |term| match self.nodes[term.index()].op {
            Op::BvConst(id) => self.bits[id.index()] == bits,
            _ => false,
        });
        known.unwrap_or_else(|| {
            let op = Op::BvConst(BitsId::new(self.bits.len()));
            self.bits.push(bits);
            self.insert(&Key { op, args: &[], address }, sort, None)
        })
    }

    pub fn float(&mut self, value: FloatValue) -> Term {
        let sort = Sort::Float(value.format());
        let op = Op::FloatConst(FloatId::new(self.floats.insert_full(value).0));
        self.leaf(op, sort)
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
        self.leaf(op, sort)
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
        self.find(&self.key(Op::Var(symbol), &[]))
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
