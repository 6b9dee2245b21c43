//! Printing, linear in the size of the DAG and with bounded nesting.
//!
//! At the top level of a script a subterm that is used twice, or lies too deep, gets a `define-fun` of its own; below a
//! quantifier, where subterms mention bound variables, it gets a `let`.

use std::borrow::Cow;
use std::fmt::Write;

use base::table::Id;
use rustc_hash::{FxHashMap, FxHashSet};

use super::names;
use crate::float::FloatValue;
use crate::op::{Func, Op};
use crate::sort::{Format, RoundingMode, Sort};
use crate::store::{Store, Term};
use crate::value::Value;
use crate::walk;

/// How to write the operators that SMT-LIB 2.6 does not have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dialect {
    /// Overflow predicates are spelled out with wider arithmetic: any solver reads that.
    #[default]
    V26,
    /// Overflow predicates have their SMT-LIB 2.7 names: reading gives back the same term.
    V27,
}

/// Expressions are cut into definitions at this nesting, so that readers need no deep stack.
const MAX_NESTING: u32 = 100;

/// Prints terms of one store into one script, remembering what the script has declared and defined so far.
#[derive(Clone, Debug, Default)]
pub struct Printer {
    dialect: Dialect,
    declared: FxHashSet<Term>,
    declared_funcs: FxHashSet<Func>,
    defined: FxHashSet<Term>,
}

/// What surrounds the text being written.
#[derive(Clone, Default)]
struct Scope {
    /// Terms named by enclosing `let`s.
    lets: FxHashSet<Term>,
    /// Variables bound by enclosing quantifiers.
    binders: FxHashSet<Term>,
    /// Terms that mention one of them: a definition made outside means something else here.
    open: FxHashSet<Term>,
}

enum Piece {
    Text(Cow<'static, str>),
    Term(Term),
}

impl Printer {
    pub fn new(dialect: Dialect) -> Printer {
        Printer { dialect, ..Printer::default() }
    }

    /// Writes the declarations and definitions that `roots` need and the script does not have yet.
    pub fn declare(&mut self, store: &Store, roots: &[Term], out: &mut String) {
        let order = reachable(store, roots, |t| self.defined.contains(&t));
        let bound = bound_vars(store, &order);
        let mut vars: Vec<Term> = order.iter().copied().filter(|t| store.is_var(*t) && !bound.contains(t)).collect();
        if !bound.is_empty() {
            // A variable bound in one place may be free in another.
            vars.extend(walk::free_vars(store, roots).into_iter().filter(|var| bound.contains(var)));
        }
        vars.sort_unstable();
        for var in vars {
            if self.declared.insert(var) {
                let name = names::encode(store.symbol_name(var).expect("a variable"));
                _ = writeln!(out, "(declare-fun {name} () {})", sort_text(store.sort(var)));
            }
        }
        for &t in &order {
            if let Op::Apply(func) = store.op(t)
                && self.declared_funcs.insert(func)
            {
                declare_func(store, func, out);
            }
        }
        let open = mentioning(store, &order, &bound);
        for t in self.shared(store, roots, &order, |t| !open.contains(&t)) {
            _ = write!(out, "(define-fun {} () {} ", name_of(t), sort_text(store.sort(t)));
            self.write_body(store, t, &Scope::default(), out);
            out.push_str(")\n");
            self.defined.insert(t);
        }
    }

    /// Writes a reference to the term: its name or its text. Call [`Printer::declare`] with it first.
    pub fn write(&self, store: &Store, t: Term, out: &mut String) {
        if self.defined.contains(&t) {
            out.push_str(&name_of(t));
        } else {
            self.write_body(store, t, &Scope::default(), out);
        }
    }

    /// Forgets declarations and definitions of terms for which `keep` is false: after a `pop` that removed them.
    pub fn retain(&mut self, mut keep: impl FnMut(Term) -> bool) {
        self.declared.retain(|&t| keep(t));
        self.defined.retain(|&t| keep(t));
    }

    /// Has this term been given a name in the script?
    pub fn is_defined(&self, t: Term) -> bool {
        self.defined.contains(&t)
    }

    /// The terms of `order` that deserve a name: compound, eligible, and used twice or nested too deeply.
    fn shared(&self, store: &Store, roots: &[Term], order: &[Term], eligible: impl Fn(Term) -> bool) -> Vec<Term> {
        let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
        for arg in order.iter().flat_map(|&t| store.args(t)).chain(roots) {
            *uses.entry(*arg).or_default() += 1;
        }
        let mut nesting: FxHashMap<Term, u32> = FxHashMap::default();
        let mut shared = Vec::new();
        for &t in order {
            let below = store.args(t).iter().filter_map(|arg| nesting.get(arg)).max().map_or(0, |n| n + 1);
            let compound = !store.args(t).is_empty();
            if compound && (uses[&t] > 1 || below >= MAX_NESTING) && eligible(t) {
                shared.push(t);
            } else {
                nesting.insert(t, below);
            }
        }
        shared
    }

    /// Writes the operator and its arguments; subterms that have a name in this scope by name.
    fn write_body(&self, store: &Store, root: Term, scope: &Scope, out: &mut String) {
        let mut stack = Vec::new();
        self.expand(store, root, scope, out, &mut stack);
        while let Some(piece) = stack.pop() {
            match piece {
                Piece::Text(text) => out.push_str(&text),
                Piece::Term(t) if self.is_named(t, scope) => out.push_str(&name_of(t)),
                Piece::Term(t) => self.expand(store, t, scope, out, &mut stack),
            }
        }
    }

    fn is_named(&self, t: Term, scope: &Scope) -> bool {
        scope.lets.contains(&t) || self.defined.contains(&t) && !scope.open.contains(&t)
    }

    /// Writes the head of a term and pushes what follows.
    fn expand(&self, store: &Store, t: Term, scope: &Scope, out: &mut String, stack: &mut Vec<Piece>) {
        if let Some(value) = store.as_value(t) {
            return write_value(&value, out);
        }
        if let Some(name) = store.symbol_name(t) {
            return out.push_str(&names::encode(name));
        }
        if store.op(t).is_quantifier() {
            return self.write_quantifier(store, t, scope, out);
        }
        let (before, between, after) = match self.dialect {
            Dialect::V26 => overflow_text(store, t),
            Dialect::V27 => None,
        }
        .unwrap_or_else(|| (head(store, t), " ".into(), ")".into()));
        out.push_str(&before);
        stack.push(Piece::Text(after));
        for (i, &arg) in store.args(t).iter().enumerate().rev() {
            stack.push(Piece::Term(arg));
            if i > 0 {
                stack.push(Piece::Text(between.clone()));
            }
        }
    }

    fn write_quantifier(&self, store: &Store, t: Term, scope: &Scope, out: &mut String) {
        let (bound, body) = store.quantifier(t).expect("a quantifier");
        _ = write!(out, "({} (", store.op(t).facts().name);
        for &var in bound {
            let name = names::encode(store.symbol_name(var).expect("a variable"));
            _ = write!(out, "({name} {})", sort_text(store.sort(var)));
        }
        out.push_str(") ");
        let own: FxHashSet<Term> = bound.iter().copied().collect();
        let order = walk::postorder(store, &[body]);
        let rebound = mentioning(store, &order, &own);
        let mut inner = Scope { binders: &scope.binders | &own, ..Scope::default() };
        inner.lets = &scope.lets - &rebound;
        inner.open = mentioning(store, &order, &inner.binders);
        self.write_scoped(store, body, inner, out);
        out.push(')');
    }

    /// Writes a term with `let`s for what is shared inside it, down to nested quantifiers.
    fn write_scoped(&self, store: &Store, root: Term, mut scope: Scope, out: &mut String) {
        // Nested quantifiers take care of themselves: what they share with this side may mean something else there.
        let inside = |t: Term| self.is_named(t, &scope) || store.op(t).is_quantifier();
        let order = reachable(store, &[root], inside);
        let shared = self.shared(store, &[root], &order, |t| t != root);
        for &t in &shared {
            _ = write!(out, "(let (({} ", name_of(t));
            self.write_body(store, t, &scope, out);
            out.push_str(")) ");
            scope.lets.insert(t);
        }
        self.write_body(store, root, &scope, out);
        out.extend(shared.iter().map(|_| ')'));
    }
}

/// Subterms of the roots without going below (or including) those where `stop` holds, arguments first.
fn reachable(store: &Store, roots: &[Term], stop: impl Fn(Term) -> bool) -> Vec<Term> {
    let mut seen = FxHashSet::default();
    let mut order = Vec::new();
    let mut stack: Vec<(Term, bool)> = roots.iter().rev().map(|&root| (root, false)).collect();
    while let Some((t, expanded)) = stack.pop() {
        if expanded {
            order.push(t);
        } else if !stop(t) && seen.insert(t) {
            stack.push((t, true));
            stack.extend(store.args(t).iter().rev().map(|&arg| (arg, false)));
        }
    }
    order
}

fn bound_vars(store: &Store, order: &[Term]) -> FxHashSet<Term> {
    order.iter().filter_map(|&t| store.quantifier(t)).flat_map(|(bound, _)| bound.iter().copied()).collect()
}

/// The terms of `order` (arguments first) in which one of the variables occurs.
fn mentioning(store: &Store, order: &[Term], vars: &FxHashSet<Term>) -> FxHashSet<Term> {
    let mut found = FxHashSet::default();
    if vars.is_empty() {
        return found;
    }
    for &t in order {
        if vars.contains(&t) || store.args(t).iter().any(|arg| found.contains(arg)) {
            found.insert(t);
        }
    }
    found
}

/// The name of a shared subterm. No variable may be named so: see [`Store::var`].
fn name_of(t: Term) -> String {
    format!("?{}", t.index())
}

fn declare_func(store: &Store, func: Func, out: &mut String) {
    let info = store.func_info(func);
    let params: Vec<String> = info.params.iter().map(|&sort| sort_text(sort)).collect();
    let name = names::encode(&info.name);
    _ = writeln!(out, "(declare-fun {name} ({}) {})", params.join(" "), sort_text(info.result));
}

/// The text up to and including the space before the first argument.
fn head(store: &Store, t: Term) -> Cow<'static, str> {
    let op = store.op(t);
    let name = op.facts().name;
    match op {
        Op::Extract { hi, lo } => format!("((_ extract {hi} {lo}) ").into(),
        Op::ZeroExtend(n) | Op::SignExtend(n) => format!("((_ {name} {n}) ").into(),
        Op::FpToFp(mode, Format { exp, sig })
        | Op::FpFromSbv(mode, Format { exp, sig })
        | Op::FpFromUbv(mode, Format { exp, sig }) => format!("((_ {name} {exp} {sig}) {} ", mode_text(mode)).into(),
        Op::FpFromBits(Format { exp, sig }) => format!("((_ {name} {exp} {sig}) ").into(),
        Op::FpToUbv(mode, width) | Op::FpToSbv(mode, width) => {
            format!("((_ {name} {width}) {} ", mode_text(mode)).into()
        }
        Op::ConstArray(_) => format!("((as const {}) ", sort_text(store.sort(t))).into(),
        Op::Apply(func) => format!("({} ", names::encode(&store.func_info(func).name)).into(),
        _ => match op.rounding_mode() {
            Some(mode) => format!("({name} {} ", mode_text(mode)).into(),
            None => format!("({name} ").into(),
        },
    }
}

/// Overflow predicates in plain SMT-LIB 2.6: text before, between and after the two arguments.
fn overflow_text(store: &Store, t: Term) -> Option<(Cow<'static, str>, Cow<'static, str>, Cow<'static, str>)> {
    let op = store.op(t);
    let width = || store.width(store.arg(t, 0));
    // The exact result in `n` more bits, against what its low bits say.
    let wide = |name: &str, extend: &str, n: u32, test: String| {
        Some((
            format!("(let ((?wide ({name} ((_ {extend} {n}) ").into(),
            format!(") ((_ {extend} {n}) ").into(),
            format!(")))) {test})").into(),
        ))
    };
    let sign_differs =
        |w: u32| format!("(distinct ((_ extract {w} {w}) ?wide) ((_ extract {} {}) ?wide))", w - 1, w - 1);
    match op {
        Op::BvSaddo => wide("bvadd", "sign_extend", 1, sign_differs(width())),
        Op::BvSsubo => wide("bvsub", "sign_extend", 1, sign_differs(width())),
        Op::BvUmulo => {
            let w = width();
            let zero = "0".repeat(w as usize);
            wide("bvmul", "zero_extend", w, format!("(distinct ((_ extract {} {w}) ?wide) #b{zero})", 2 * w - 1))
        }
        Op::BvSmulo => {
            let w = width();
            let low = format!("((_ sign_extend {w}) ((_ extract {} 0) ?wide))", w - 1);
            wide("bvmul", "sign_extend", w, format!("(distinct ?wide {low})"))
        }
        _ => None,
    }
}

fn mode_text(mode: RoundingMode) -> &'static str {
    match mode {
        RoundingMode::NearestEven => "RNE",
        RoundingMode::NearestAway => "RNA",
        RoundingMode::Up => "RTP",
        RoundingMode::Down => "RTN",
        RoundingMode::Zero => "RTZ",
    }
}

pub fn sort_text(sort: Sort) -> String {
    match sort {
        Sort::Bool => "Bool".into(),
        Sort::Bv(width) => format!("(_ BitVec {width})"),
        Sort::Float(Format { exp, sig }) => format!("(_ FloatingPoint {exp} {sig})"),
        Sort::Array(array) => format!("(Array {} {})", sort_text(array.index.into()), sort_text(array.elem.into())),
    }
}

/// A value as an SMT-LIB term.
pub fn value_text(value: &Value) -> String {
    let mut out = String::new();
    write_value(value, &mut out);
    out
}

fn write_value(value: &Value, out: &mut String) {
    match value {
        Value::Bool(b) => _ = write!(out, "{b}"),
        Value::Bv(bits) => {
            let width = bits.width() as usize;
            _ = match (width % 4, bits.to_u128()) {
                (0, Some(small)) => write!(out, "#x{small:0digits$x}", digits = width / 4),
                (_, Some(small)) => write!(out, "#b{small:0width$b}"),
                (0, None) => write!(out, "#x{:0digits$x}", bits.to_biguint(), digits = width / 4),
                (_, None) => write!(out, "#b{:0width$b}", bits.to_biguint()),
            };
        }
        Value::Float(float) => write_float(*float, out),
        Value::Array(array) => {
            out.extend(array.entries().iter().map(|_| "(store "));
            _ = write!(out, "((as const {}) ", sort_text(Sort::Array(array.sort)));
            write_value(array.default_value(), out);
            out.push(')');
            for (index, elem) in array.entries() {
                out.push(' ');
                write_value(index, out);
                out.push(' ');
                write_value(elem, out);
                out.push(')');
            }
        }
    }
}

fn write_float(float: FloatValue, out: &mut String) {
    let Format { exp, sig } = float.format();
    if float.is_nan() {
        _ = write!(out, "(_ NaN {exp} {sig})");
    } else if float.is_infinite() {
        _ = write!(out, "(_ {}oo {exp} {sig})", if float.is_negative() { '-' } else { '+' });
    } else {
        let bits = float.to_bits();
        let width = exp + sig;
        let text = |value: crate::Bits| value_text(&Value::Bv(value));
        let (sign, exponent) = (bits.extract(width - 1, width - 1), bits.extract(width - 2, sig - 1));
        _ = write!(out, "(fp {} {} {})", text(sign), text(exponent), text(bits.extract(sig - 2, 0)));
    }
}

/// One term by itself, shared subterms in `let`s.
pub fn print_term(store: &Store, t: Term) -> String {
    let mut out = String::new();
    Printer::new(Dialect::V27).write_scoped(store, t, Scope::default(), &mut out);
    out
}

/// A complete script that asks whether the conjunction of the assertions is satisfiable.
pub fn print_script(store: &Store, assertions: &[Term], dialect: Dialect) -> String {
    let mut printer = Printer::new(dialect);
    let mut out = String::from("(set-logic ALL)\n");
    printer.declare(store, assertions, &mut out);
    for &assertion in assertions {
        out.push_str("(assert ");
        printer.write(store, assertion, &mut out);
        out.push_str(")\n");
    }
    out.push_str("(check-sat)\n");
    out
}
