//! Reading terms, with a stack machine instead of recursion.
//!
//! Enough of SMT-LIB 2.6 for our own output, solver models and the QF_ABVFP benchmarks: everything in the operator table,
//! the derived functions (`bvsub`, `bvnand`, `distinct`, `=>`, rotations …) spelled out, `let`, quantifiers, annotations.

use std::fmt;

use rustc_hash::FxHashMap;

use super::derived::{derived_bv, nth_value, rational, rounding_mode};
use super::names;
use super::sexpr::{Node, Tree};
use crate::bits::Bits;
use crate::eval;
use crate::float::FloatValue;
use crate::op::Op;
use crate::sort::{Format, RoundingMode, Sort};
use crate::store::{Store, Term};
use crate::subst;
use crate::value::{ArrayValue, Value};
use crate::walk;

/// What is wrong, and at which byte.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    pub at: usize,
    pub message: String,
}

impl ParseError {
    pub(crate) fn new(at: usize, message: impl Into<String>) -> ParseError {
        ParseError { at, message: message.into() }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}", self.at, self.message)
    }
}

impl std::error::Error for ParseError {}

/// A name introduced by `define-fun`.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) params: Vec<Term>,
    pub(crate) body: Term,
}

/// Reads text into a store; remembers definitions across calls.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    pub(crate) definitions: FxHashMap<String, Definition>,
    pub(crate) sorts: FxHashMap<String, Sort>,
}

/// One step of the machine that turns an expression into a term. Arguments wait on a separate stack of terms.
enum Step<'t> {
    Read(Node),
    /// Takes as many terms as there are argument nodes.
    Apply(Node, Head<'t>, usize),
    /// Binds the names to the terms on top of the stack.
    Bind(Vec<&'t str>),
    /// Ends the scope of so many bindings.
    Unbind(usize),
    Quantify(Op, Vec<Term>),
}

/// The function of an application.
#[derive(Clone, Copy)]
enum Head<'t> {
    Name(&'t str, Option<RoundingMode>),
    Indexed(&'t str, [u32; 2], Option<RoundingMode>),
    ConstArray(Sort),
}

impl Reader {
    pub fn new() -> Reader {
        Reader::default()
    }

    pub(crate) fn sort(&self, tree: &Tree<'_>, node: Node) -> Result<Sort, ParseError> {
        let unknown = || tree.error(node, "unknown sort");
        if let Some(name) = tree.symbol(node) {
            return match name {
                "Bool" => Ok(Sort::Bool),
                "Float16" => Ok(Sort::Float(Format::F16)),
                "Float32" => Ok(Sort::Float(Format::F32)),
                "Float64" => Ok(Sort::Float(Format::F64)),
                "Float128" => Ok(Sort::Float(Format::F128)),
                _ => self.sorts.get(name).copied().ok_or_else(unknown),
            };
        }
        let items = tree.list(node).expect("not an atom");
        let words: Vec<Option<&str>> = items.iter().map(|&item| tree.word(item)).collect();
        match words[..] {
            [Some("_"), Some("BitVec"), Some(width)] => match width.parse() {
                Ok(width) if width > 0 => Ok(Sort::Bv(width)),
                _ => Err(unknown()),
            },
            [Some("_"), Some("FloatingPoint"), Some(exp), Some(sig)] => match (exp.parse(), sig.parse()) {
                (Ok(exp), Ok(sig)) if (Format { exp, sig }).is_supported() => Ok(Sort::Float(Format { exp, sig })),
                _ => Err(tree.error(node, "unsupported float format")),
            },
            [Some("Array"), _, _] => {
                let (index, elem) = (self.sort(tree, items[1])?, self.sort(tree, items[2])?);
                match (index.scalar(), elem.scalar()) {
                    (Some(_), Some(_)) => Ok(Sort::array(index, elem)),
                    _ => Err(tree.error(node, "nested arrays are not supported")),
                }
            }
            _ => Err(unknown()),
        }
    }

    /// The bound variables of a quantifier or the parameters of a function. A name that is taken by a variable of
    /// another sort gets a fresh variable.
    pub(crate) fn sorted_vars<'t>(
        &self,
        store: &mut Store,
        tree: &Tree<'t>,
        node: Node,
    ) -> Result<Vec<(&'t str, Term)>, ParseError> {
        let pairs = tree.list(node).ok_or_else(|| tree.error(node, "expected sorted variables"))?;
        let mut vars = Vec::new();
        for &pair in pairs {
            let (name, sort) = match tree.list(pair) {
                Some(&[name, sort]) => (tree.symbol(name), self.sort(tree, sort)?),
                _ => (None, Sort::Bool),
            };
            let name = name.ok_or_else(|| tree.error(pair, "expected (name sort)"))?;
            let ours = names::decode(name);
            let free = store.find_var(ours).is_none_or(|var| store.sort(var) == sort);
            let clean = !ours.starts_with('?') && !ours.contains('\\');
            vars.push((name, if free && clean { store.var(ours, sort) } else { store.fresh("bound", sort) }));
        }
        Ok(vars)
    }

    pub(crate) fn term(&self, store: &mut Store, tree: &Tree<'_>, root: Node) -> Result<Term, ParseError> {
        let mut machine = Machine { reader: self, tree, store, scopes: FxHashMap::default(), bound: Vec::new() };
        machine.run(root)
    }
}

struct Machine<'m, 't> {
    reader: &'m Reader,
    tree: &'m Tree<'t>,
    store: &'m mut Store,
    /// Local names, innermost last.
    scopes: FxHashMap<&'t str, Vec<Term>>,
    bound: Vec<&'t str>,
}

impl<'t> Machine<'_, 't> {
    fn run(&mut self, root: Node) -> Result<Term, ParseError> {
        let mut steps = vec![Step::Read(root)];
        let mut terms: Vec<Term> = Vec::new();
        while let Some(step) = steps.pop() {
            match step {
                Step::Read(node) => match self.tree.list(node) {
                    None => terms.push(self.atom(node)?),
                    Some(items) => {
                        let items = items.to_vec();
                        self.list(node, &items, &mut steps, &mut terms)?;
                    }
                },
                Step::Apply(node, head, count) => {
                    let args = terms.split_off(terms.len() - count);
                    terms.push(self.apply(node, head, &args)?);
                }
                Step::Bind(names) => {
                    let values = terms.split_off(terms.len() - names.len());
                    for (name, value) in names.into_iter().zip(values) {
                        self.bind(name, value);
                    }
                }
                Step::Unbind(count) => {
                    for name in self.bound.split_off(self.bound.len() - count) {
                        self.scopes.get_mut(name).expect("bound before").pop();
                    }
                }
                Step::Quantify(op, mut args) => {
                    args.push(terms.pop().expect("the body"));
                    terms.push(self.store.mk(op, &args));
                }
            }
        }
        Ok(terms.pop().expect("the result"))
    }

    fn bind(&mut self, name: &'t str, value: Term) {
        self.scopes.entry(name).or_default().push(value);
        self.bound.push(name);
    }

    fn atom(&mut self, node: Node) -> Result<Term, ParseError> {
        let tree = self.tree;
        if let Some(word) = tree.word(node) {
            let number = |radix: u32, digits: &str, bits_per_digit: u32| {
                let width = digits.len() as u32 * bits_per_digit;
                let bits = if width == 0 { None } else { Bits::parse(digits, radix, width) };
                bits.ok_or_else(|| tree.error(node, "malformed literal"))
            };
            if let Some(digits) = word.strip_prefix("#x") {
                let bits = number(16, digits, 4)?;
                return Ok(self.store.bv_bits(bits));
            }
            if let Some(digits) = word.strip_prefix("#b") {
                let bits = number(2, digits, 1)?;
                return Ok(self.store.bv_bits(bits));
            }
        }
        let name = tree.symbol(node).expect("an atom");
        self.lookup(name).ok_or_else(|| tree.error(node, format!("unknown symbol {name}")))
    }

    fn lookup(&self, name: &str) -> Option<Term> {
        if let Some(&local) = self.scopes.get(name).and_then(|stack| stack.last()) {
            return Some(local);
        }
        match name {
            "true" => return Some(self.store.tt()),
            "false" => return Some(self.store.ff()),
            _ => {}
        }
        match self.reader.definitions.get(name) {
            Some(definition) if definition.params.is_empty() => Some(definition.body),
            _ => self.store.find_var(names::decode(name)),
        }
    }

    /// Schedules what a list means.
    fn list(
        &mut self,
        node: Node,
        items: &[Node],
        steps: &mut Vec<Step<'t>>,
        terms: &mut Vec<Term>,
    ) -> Result<(), ParseError> {
        let tree = self.tree;
        let Some((&first, rest)) = items.split_first() else { return Err(tree.error(node, "empty expression")) };
        match (tree.word(first), rest) {
            (Some("let"), &[bindings, body]) => {
                let pairs = tree.list(bindings).ok_or_else(|| tree.error(bindings, "expected bindings"))?;
                let mut names = Vec::new();
                let mut values = Vec::new();
                for &pair in pairs {
                    let Some(&[name, value]) = tree.list(pair) else {
                        return Err(tree.error(pair, "expected (name term)"));
                    };
                    names.push(tree.symbol(name).ok_or_else(|| tree.error(name, "expected a name"))?);
                    values.push(value);
                }
                steps.push(Step::Unbind(names.len()));
                steps.push(Step::Read(body));
                steps.push(Step::Bind(names));
                steps.extend(values.into_iter().rev().map(Step::Read));
                Ok(())
            }
            (Some(quantifier @ ("forall" | "exists")), &[vars, body]) => {
                let vars = self.reader.sorted_vars(self.store, tree, vars)?;
                let op = if quantifier == "forall" { Op::Forall } else { Op::Exists };
                steps.push(Step::Quantify(op, vars.iter().map(|&(_, var)| var).collect()));
                steps.push(Step::Unbind(vars.len()));
                steps.push(Step::Read(body));
                for (name, var) in vars {
                    self.bind(name, var);
                }
                Ok(())
            }
            (Some("!"), &[body, ..]) => {
                steps.push(Step::Read(body));
                Ok(())
            }
            (Some("_"), _) => {
                terms.push(self.indexed_constant(node, rest)?);
                Ok(())
            }
            (Some("as"), &[name, _]) => {
                steps.push(Step::Read(name));
                Ok(())
            }
            _ => {
                let (mode, args) = match rest.split_first() {
                    Some((&mode, args)) if tree.word(mode).is_some_and(|word| rounding_mode(word).is_some()) => {
                        (rounding_mode(tree.word(mode).expect("checked")), args)
                    }
                    _ => (None, rest),
                };
                let head = self.head(first, mode)?;
                if let (Head::Indexed("to_fp", [exp, sig], Some(mode)), &[literal]) = (head, args)
                    && let Some((neg, numerator, denominator)) = rational(tree, literal)
                {
                    let format = self.format(first, exp, sig)?;
                    let float = FloatValue::from_ratio(format, mode, neg, &numerator, &denominator);
                    terms.push(self.store.float(float));
                    return Ok(());
                }
                steps.push(Step::Apply(node, head, args.len()));
                steps.extend(args.iter().rev().map(|&arg| Step::Read(arg)));
                Ok(())
            }
        }
    }

    fn head(&self, node: Node, mode: Option<RoundingMode>) -> Result<Head<'t>, ParseError> {
        let tree = self.tree;
        if let Some(name) = tree.symbol(node) {
            return Ok(Head::Name(name, mode));
        }
        let items = tree.list(node).expect("not an atom");
        let words: Vec<Option<&'t str>> = items.iter().map(|&item| tree.word(item)).collect();
        match words[..] {
            [Some("_"), Some(name), ref indices @ ..] if (1..=2).contains(&indices.len()) => {
                let mut numbers = [0; 2];
                for (slot, word) in numbers.iter_mut().zip(indices) {
                    let number = word.and_then(|word| word.parse().ok());
                    *slot = number.ok_or_else(|| tree.error(node, "malformed index"))?;
                }
                Ok(Head::Indexed(name, numbers, mode))
            }
            [Some("as"), Some("const"), _] => Ok(Head::ConstArray(self.reader.sort(tree, items[2])?)),
            _ => Err(tree.error(node, "unknown function")),
        }
    }

    /// `(_ bv5 8)`, `(_ +oo 8 24)`, `(_ as-array f)` …
    fn indexed_constant(&mut self, node: Node, items: &[Node]) -> Result<Term, ParseError> {
        let tree = self.tree;
        let words: Vec<&str> = items.iter().filter_map(|&item| tree.symbol(item)).collect();
        let number = |word: &str| word.parse::<u32>().map_err(|_| tree.error(node, "malformed index"));
        match words[..] {
            ["as-array", name] => self.as_array(node, name),
            [literal, width] if literal.starts_with("bv") => {
                let width = number(width)?;
                let bits = if width == 0 { None } else { Bits::parse(&literal[2..], 10, width) };
                let bits = bits.ok_or_else(|| tree.error(node, "malformed literal"))?;
                Ok(self.store.bv_bits(bits))
            }
            [name, exp, sig] => {
                let format = self.format(node, number(exp)?, number(sig)?)?;
                let value = match name {
                    "+oo" => FloatValue::infinity(format, false),
                    "-oo" => FloatValue::infinity(format, true),
                    "+zero" => FloatValue::zero(format, false),
                    "-zero" => FloatValue::zero(format, true),
                    "NaN" => FloatValue::nan(format),
                    _ => return Err(tree.error(node, "unknown constant")),
                };
                Ok(self.store.float(value))
            }
            _ => Err(tree.error(node, "unknown constant")),
        }
    }

    fn format(&self, node: Node, exp: u32, sig: u32) -> Result<Format, ParseError> {
        let format = Format { exp, sig };
        if exp.checked_add(sig).is_some() && format.is_supported() {
            Ok(format)
        } else {
            Err(self.tree.error(node, "unsupported float format"))
        }
    }

    /// An array given by a defined function of one argument (as Z3's models do), whose body tests the argument only for
    /// equality with literals.
    fn as_array(&mut self, node: Node, name: &str) -> Result<Term, ParseError> {
        let unsupported = || self.tree.error(node, format!("cannot read array {name}"));
        let definition = self.reader.definitions.get(name).ok_or_else(unsupported)?;
        let &[param] = &definition.params[..] else { return Err(unsupported()) };
        let (index, elem) = (self.store.sort(param), self.store.sort(definition.body));
        let sort = match (index.scalar(), elem.scalar()) {
            (Some(_), Some(_)) => Sort::array(index, elem).as_array().expect("just built"),
            _ => return Err(unsupported()),
        };
        let subterms = walk::postorder(self.store, &[definition.body]);
        let tested = |t: &Term| {
            let args = self.store.args(*t);
            self.store.op(*t) == Op::Eq && args[0] == param && self.store.is_const(args[1])
        };
        let only_tests = subterms.iter().all(|t| *t == param || !self.store.args(*t).contains(&param) || tested(t));
        if !only_tests {
            return Err(unsupported());
        }
        let literals: Vec<Value> =
            subterms.iter().filter(|t| tested(t)).filter_map(|&t| self.store.as_value(self.store.arg(t, 1))).collect();
        let at = |index: &Value| {
            let assignment = std::collections::BTreeMap::from([(param, index.clone())]);
            eval::eval(self.store, definition.body, &assignment).map_err(|_| unsupported())
        };
        let other = (0..=literals.len() as u128).filter_map(|n| nth_value(index, n)).find(|v| !literals.contains(v));
        let default = match &other {
            Some(other) => at(other)?,
            None => Value::zero(elem),
        };
        let mut array = ArrayValue::new(sort, default);
        for index in literals {
            let elem = at(&index)?;
            array.set(index, elem);
        }
        Ok(self.store.value(&Value::Array(array.into())))
    }

    fn apply(&mut self, node: Node, head: Head<'t>, args: &[Term]) -> Result<Term, ParseError> {
        let result = match head {
            Head::ConstArray(sort) => match (sort.as_array(), args) {
                (Some(array), &[elem]) if self.store.sort(elem) == array.elem.into() => {
                    Some(self.store.mk(Op::ConstArray(array.index), args))
                }
                _ => None,
            },
            Head::Indexed(name, indices, mode) => self.apply_indexed(name, indices, mode, args),
            Head::Name(name, None) => match self.defined(name, args) {
                Some(term) => Some(term),
                None => self.apply_named(name, args),
            },
            Head::Name(name, Some(mode)) => self.apply_rounded(name, mode, args),
        };
        result.ok_or_else(|| {
            let sorts: Vec<Sort> = args.iter().map(|&arg| self.store.sort(arg)).collect();
            let name = match head {
                Head::Name(name, _) | Head::Indexed(name, ..) => name,
                Head::ConstArray(_) => "const",
            };
            self.tree.error(node, format!("cannot apply {name} to {sorts:?}"))
        })
    }

    /// The operator applied, if the sorts fit.
    fn checked(&mut self, op: Op, args: &[Term]) -> Option<Term> {
        let sorts: Vec<Sort> = args.iter().map(|&arg| self.store.sort(arg)).collect();
        op.result_sort(&sorts)?;
        Some(self.store.mk(op, args))
    }

    /// A binary operator over any number of arguments, from the left.
    fn chain(&mut self, op: Op, args: &[Term]) -> Option<Term> {
        let (&first, rest) = args.split_first()?;
        rest.iter().try_fold(first, |whole, &arg| self.checked(op, &[whole, arg]))
    }

    /// A comparison over any number of arguments: it holds between neighbours.
    fn chainable(&mut self, op: Op, args: &[Term], swap: bool) -> Option<Term> {
        let mut parts = Vec::new();
        for pair in args.windows(2) {
            let pair = if swap { [pair[1], pair[0]] } else { [pair[0], pair[1]] };
            parts.push(self.checked(op, &pair)?);
        }
        (args.len() >= 2).then(|| self.store.and_all(&parts))
    }

    /// A function introduced by `define-fun` or `declare-fun`.
    fn defined(&mut self, name: &str, args: &[Term]) -> Option<Term> {
        let fits = |store: &Store, params: &[Sort]| args.iter().map(|&arg| store.sort(arg)).eq(params.iter().copied());
        if let Some(Definition { params, body }) = self.reader.definitions.get(name) {
            let sorts: Vec<Sort> = params.iter().map(|&param| self.store.sort(param)).collect();
            if !fits(self.store, &sorts) {
                return None;
            }
            let map: Vec<(Term, Term)> = params.iter().copied().zip(args.iter().copied()).collect();
            return Some(subst::substitute(self.store, *body, &map));
        }
        let func = self.store.find_func(names::decode(name))?;
        fits(self.store, &self.store.func_info(func).params).then(|| self.store.apply(func, args))
    }

    fn apply_named(&mut self, name: &str, args: &[Term]) -> Option<Term> {
        let bv = |store: &Store, t: Term| store.sort(t).bv_width().is_some();
        let two_bv = |store: &Store| {
            matches!(args, &[a, b] if bv(store, a) && store.sort(a) == store.sort(b)).then(|| (args[0], args[1]))
        };
        match (name, args) {
            ("and", _) => self.chain(Op::And, args),
            ("or", _) => self.chain(Op::Or, args),
            ("xor", _) => self.chain(Op::Xor, args),
            ("bvadd", _) => self.chain(Op::BvAdd, args),
            ("bvmul", _) => self.chain(Op::BvMul, args),
            ("bvand", _) => self.chain(Op::BvAnd, args),
            ("bvor", _) => self.chain(Op::BvOr, args),
            ("bvxor", _) => self.chain(Op::BvXor, args),
            ("concat", _) => self.chain(Op::Concat, args),
            ("=", _) => self.chainable(Op::Eq, args, false),
            ("fp.eq", _) => self.chainable(Op::FpEq, args, false),
            ("fp.lt", _) => self.chainable(Op::FpLt, args, false),
            ("fp.leq", _) => self.chainable(Op::FpLe, args, false),
            ("fp.gt", _) => self.chainable(Op::FpLt, args, true),
            ("fp.geq", _) => self.chainable(Op::FpLe, args, true),
            ("=>", _) => {
                let (&last, rest) = args.split_last()?;
                rest.iter().rev().try_fold(last, |whole, &arg| {
                    let both = self.store.sort(arg).is_bool() && self.store.sort(whole).is_bool();
                    both.then(|| self.store.implies(arg, whole))
                })
            }
            ("distinct", &[first, ..]) => {
                let sort = self.store.sort(first);
                args.iter().all(|&arg| self.store.sort(arg) == sort).then(|| self.store.distinct(args))
            }
            ("fp", &[sign, exponent, fraction]) => {
                let widths = args.iter().map(|&arg| self.store.sort(arg).bv_width()).collect::<Option<Vec<_>>>()?;
                let format = Format { exp: widths[1], sig: widths[2] + 1 };
                if widths[0] != 1 || !format.is_supported() {
                    return None;
                }
                let high = self.store.concat(sign, exponent);
                let bits = self.store.concat(high, fraction);
                Some(self.store.fp_from_bits(format, bits))
            }
            ("bvcomp", _) => two_bv(self.store).map(|(a, b)| {
                let equal = self.store.eq(a, b);
                self.store.bool_to_bv(equal, 1)
            }),
            ("bvnego", &[a]) if bv(self.store, a) => Some(self.store.nego(a)),
            (_, &[_, _]) if name.starts_with("bv") => match two_bv(self.store) {
                Some((a, b)) => derived_bv(self.store, name, a, b).or_else(|| self.plain(name, args)),
                None => None,
            },
            _ => self.plain(name, args),
        }
    }

    /// An operator that the table identifies by its name alone.
    fn plain(&mut self, name: &str, args: &[Term]) -> Option<Term> {
        let &op = Op::PLAIN.iter().find(|op| op.facts().name == name)?;
        self.checked(op, args)
    }

    fn apply_rounded(&mut self, name: &str, mode: RoundingMode, args: &[Term]) -> Option<Term> {
        if name == "fp.sub" {
            let &[a, b] = args else { return None };
            let negated = self.checked(Op::FpNeg, &[b])?;
            return self.checked(Op::FpAdd(mode), &[a, negated]);
        }
        let op = Op::rounded(mode).into_iter().find(|op| op.facts().name == name)?;
        self.checked(op, args)
    }

    fn apply_indexed(
        &mut self,
        name: &str,
        [i, j]: [u32; 2],
        mode: Option<RoundingMode>,
        args: &[Term],
    ) -> Option<Term> {
        let &[a] = args else { return None };
        let sort = self.store.sort(a);
        let format =
            Some(Format { exp: i, sig: j }).filter(|format| i.checked_add(j).is_some() && format.is_supported());
        let op = match (name, mode) {
            ("extract", None) => Op::Extract { hi: i, lo: j },
            ("zero_extend", None) => Op::ZeroExtend(i),
            ("sign_extend", None) => Op::SignExtend(i),
            ("to_fp", None) => Op::FpFromBits(format?),
            ("to_fp", Some(mode)) if sort.float_format().is_some() => Op::FpToFp(mode, format?),
            ("to_fp", Some(mode)) => Op::FpFromSbv(mode, format?),
            ("to_fp_unsigned", Some(mode)) => Op::FpFromUbv(mode, format?),
            ("fp.to_ubv", Some(mode)) => Op::FpToUbv(mode, i),
            ("fp.to_sbv", Some(mode)) => Op::FpToSbv(mode, i),
            ("repeat", None) if i > 0 && sort.bv_width().is_some() => {
                return self.chain(Op::Concat, &vec![a; i as usize]);
            }
            ("rotate_left" | "rotate_right", None) => {
                let width = sort.bv_width()?;
                let by = if name == "rotate_left" { i % width } else { (width - i % width) % width };
                if by == 0 {
                    return Some(a);
                }
                let high = self.store.extract(a, width - by - 1, 0);
                let low = self.store.extract(a, width - 1, width - by);
                return Some(self.store.concat(high, low));
            }
            _ => return None,
        };
        self.checked(op, args)
    }
}
