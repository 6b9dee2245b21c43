//! Terms as text: prefix notation with SMT-LIB's operator names.
//!
//! Three things are shorter than in SMT-LIB. Literals are `42:32` (a bit-vector of 32 bits), `0x3p-1:f11_53`, `true`.
//! Indices come first among the arguments: `(extract 7 0 x)`, `(fp.add RNE x y)`. Subterms that occur more than once are
//! named first: `(let ?0 (bvadd x y) (bvmul ?0 ?0))`. A variable that the program does not have is `(var name sort)`.
//! Reading builds terms as they stand, without normalising, so that printing and reading are inverse to each other.

use super::lex::{Lexer, ParseError, Token, describe, write_name};
use super::sort::{WIDEST, format, parse_sort, write_sort};
use rustc_hash::FxHashMap;
use term::{Bits, FloatValue, Op, RoundingMode, Scalar, Sort, Store, Term, postorder};

/// Which variables stand as bare names: those of the program.
pub(crate) trait Names {
    fn is_known(&self, t: Term) -> bool;
}

/// All variables of a store are known.
impl Names for Store {
    fn is_known(&self, t: Term) -> bool {
        self.is_var(t)
    }
}

/// A term with all variables of the store as bare names.
pub fn print_term(terms: &Store, t: Term) -> String {
    let mut out = String::new();
    write_term(&mut out, terms, terms, t);
    out
}

/// Reads a term; bare names are variables that the store has.
pub fn parse_term(terms: &mut Store, text: &str) -> Result<Term, ParseError> {
    let mut lexer = Lexer::new(text)?;
    let t = TermParser::default().parse(&mut lexer, terms, |terms, name| terms.find_var(name))?;
    if lexer.at_end() { Ok(t) } else { Err(lexer.error("text after the end of the term")) }
}

const MODES: [(RoundingMode, &str); 5] = [
    (RoundingMode::NearestEven, "RNE"),
    (RoundingMode::NearestAway, "RNA"),
    (RoundingMode::Up, "RTP"),
    (RoundingMode::Down, "RTN"),
    (RoundingMode::Zero, "RTZ"),
];

fn mode_name(mode: RoundingMode) -> &'static str {
    MODES.iter().find(|(m, _)| *m == mode).expect("all modes listed").1
}

/// What remains to be written; last first.
enum Piece {
    Term(Term),
    /// As itself even where it has a name.
    Definition(Term),
    Text(&'static str),
    Binding(usize),
}

/// Appends the term.
pub(crate) fn write_term(out: &mut String, terms: &Store, names: &dyn Names, t: Term) {
    let order = postorder(terms, &[t]);
    let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
    for &node in &order {
        for &arg in terms.args(node) {
            *uses.entry(arg).or_insert(0) += 1;
        }
    }
    let mut shared: FxHashMap<Term, usize> = FxHashMap::default();
    let mut pieces = Vec::new();
    for &node in &order {
        if uses.get(&node).is_some_and(|n| *n > 1) && !terms.args(node).is_empty() {
            let index = shared.len();
            shared.insert(node, index);
            pieces.extend([Piece::Binding(index), Piece::Definition(node), Piece::Text(" ")]);
        }
    }
    let has_bindings = !pieces.is_empty();
    if has_bindings {
        out.push_str("(let ");
        pieces.push(Piece::Term(t));
        pieces.push(Piece::Text(")"));
    } else {
        pieces.push(Piece::Term(t));
    }
    pieces.reverse();
    while let Some(piece) = pieces.pop() {
        match piece {
            Piece::Text(text) => out.push_str(text),
            Piece::Binding(index) => out.push_str(&format!("?{index} ")),
            Piece::Term(t) if shared.contains_key(&t) => out.push_str(&format!("?{}", shared[&t])),
            Piece::Term(t) | Piece::Definition(t) => {
                if terms.args(t).is_empty() {
                    write_leaf(out, terms, names, t);
                } else {
                    out.push('(');
                    write_head(out, terms, t);
                    pieces.push(Piece::Text(")"));
                    for &arg in terms.args(t).iter().rev() {
                        pieces.push(Piece::Term(arg));
                        pieces.push(Piece::Text(" "));
                    }
                }
            }
        }
    }
}

fn write_leaf(out: &mut String, terms: &Store, names: &dyn Names, t: Term) {
    if let Some(bits) = terms.as_bv_const(t) {
        out.push_str(&format!("{bits}:{}", bits.width()));
    } else if let Some(float) = terms.as_float_const(t) {
        out.push_str(&format!("{float}:"));
        write_sort(out, terms.sort(t));
    } else if let Some(name) = terms.symbol_name(t) {
        if names.is_known(t) {
            write_name(out, name);
        } else {
            out.push_str("(var ");
            write_name(out, name);
            out.push(' ');
            write_sort(out, terms.sort(t));
            out.push(')');
        }
    } else if terms.args(t).is_empty() && matches!(terms.op(t), Op::Apply(_)) {
        out.push('(');
        write_head(out, terms, t);
        out.push(')');
    } else {
        out.push_str(terms.op(t).facts().name);
    }
}

/// The operator and its indices.
fn write_head(out: &mut String, terms: &Store, t: Term) {
    let op = terms.op(t);
    match op {
        Op::Extract { hi, lo } => out.push_str(&format!("extract {hi} {lo}")),
        Op::ZeroExtend(n) | Op::SignExtend(n) => out.push_str(&format!("{} {n}", op.facts().name)),
        Op::FpToFp(mode, _) => conversion(out, "fp.to_fp", Some(mode), terms.sort(t)),
        Op::FpFromSbv(mode, _) => conversion(out, "fp.from_sbv", Some(mode), terms.sort(t)),
        Op::FpFromUbv(mode, _) => conversion(out, "fp.from_ubv", Some(mode), terms.sort(t)),
        Op::FpFromBits(_) => conversion(out, "fp.from_bits", None, terms.sort(t)),
        Op::FpToUbv(mode, width) | Op::FpToSbv(mode, width) => {
            out.push_str(&format!("{} {} {width}", op.facts().name, mode_name(mode)));
        }
        Op::ConstArray(index) => {
            out.push_str("const ");
            write_sort(out, index.into());
        }
        Op::Apply(func) => {
            let info = terms.func_info(func);
            out.push_str("apply ");
            write_name(out, &info.name);
            out.push_str(" (");
            for (i, sort) in info.params.iter().enumerate() {
                out.push_str(if i > 0 { " " } else { "" });
                write_sort(out, *sort);
            }
            out.push_str(") ");
            write_sort(out, info.result);
        }
        _ => {
            out.push_str(op.facts().name);
            if let Some(mode) = op.rounding_mode() {
                out.push(' ');
                out.push_str(mode_name(mode));
            }
        }
    }
}

fn conversion(out: &mut String, name: &str, mode: Option<RoundingMode>, sort: Sort) {
    out.push_str(name);
    out.push(' ');
    if let Some(mode) = mode {
        out.push_str(mode_name(mode));
        out.push(' ');
    }
    write_sort(out, sort);
}

/// Reads terms. The names of shared subterms live as long as one term.
#[derive(Default)]
pub(crate) struct TermParser {
    plain: FxHashMap<&'static str, Op>,
    shared: FxHashMap<String, Term>,
}

/// An application or a `let` whose arguments are being read.
enum Open {
    Apply { op: Op, args: Vec<Term> },
    Let { name: Option<String>, body: Option<Term> },
}

impl TermParser {
    pub(crate) fn parse(
        &mut self,
        lexer: &mut Lexer,
        terms: &mut Store,
        find: impl Fn(&Store, &str) -> Option<Term>,
    ) -> Result<Term, ParseError> {
        if self.plain.is_empty() {
            self.plain = Op::PLAIN.iter().map(|op| (op.facts().name, *op)).collect();
        }
        self.shared.clear();
        let mut open: Vec<Open> = Vec::new();
        loop {
            // A `let` that waits for a definition reads the name first, unless its body comes now.
            if let Some(Open::Let { name: name @ None, body: None }) = open.last_mut()
                && let Some(Token::Word { text, barred: false }) = lexer.peek()
                && text.starts_with('?')
                && !self.shared.contains_key(text)
            {
                *name = Some(lexer.word()?);
            }
            let mut done = match lexer.next()? {
                Token::Word { text, barred } => self.leaf(lexer, terms, &find, text, barred)?,
                Token::Open => match self.head(lexer, terms)? {
                    Head::Done(t) => t,
                    Head::Open(new) => {
                        open.push(new);
                        if !matches!(lexer.peek(), Some(Token::Close)) {
                            continue;
                        }
                        lexer.next()?;
                        close(lexer, terms, open.pop().expect("just pushed"))?
                    }
                },
                other => return Err(lexer.error(format!("expected a term, found {}", describe(&other)))),
            };
            // Hand the finished term to what waits for it; that may finish in turn.
            loop {
                match open.last_mut() {
                    None => return Ok(done),
                    Some(Open::Apply { args, .. }) => args.push(done),
                    Some(Open::Let { name, body }) => match name.take() {
                        Some(name) => {
                            self.shared.insert(name, done);
                        }
                        None => *body = Some(done),
                    },
                }
                if !lexer.accept_token(&Token::Close) {
                    break;
                }
                done = close(lexer, terms, open.pop().expect("not empty"))?;
            }
        }
    }

    fn leaf(
        &self,
        lexer: &Lexer,
        terms: &mut Store,
        find: &impl Fn(&Store, &str) -> Option<Term>,
        text: String,
        barred: bool,
    ) -> Result<Term, ParseError> {
        let unknown = || lexer.error(format!("unknown variable '{text}'"));
        if barred {
            return find(terms, &text).ok_or_else(unknown);
        }
        if let Some(&t) = self.shared.get(&text) {
            return Ok(t);
        }
        match text.as_str() {
            "true" => return Ok(terms.tt()),
            "false" => return Ok(terms.ff()),
            _ => {}
        }
        if let Some(t) = literal(terms, &text) {
            return Ok(t);
        }
        find(terms, &text).ok_or_else(unknown)
    }

    /// After an opening parenthesis: the operator with its indices, or a complete `(var …)`.
    fn head(&self, lexer: &mut Lexer, terms: &mut Store) -> Result<Head, ParseError> {
        let word = lexer.word()?;
        let op = match word.as_str() {
            "let" => return Ok(Head::Open(Open::Let { name: None, body: None })),
            "var" => {
                let name = lexer.word()?;
                let sort = parse_sort(lexer)?;
                lexer.expect_token(Token::Close)?;
                if name.contains(['|', '\\']) {
                    return Err(lexer.error("a name cannot contain a bar or a backslash"));
                }
                if let Some(t) = terms.find_var(&name)
                    && terms.sort(t) != sort
                {
                    return Err(lexer.error(format!("variable '{name}' has another sort")));
                }
                return Ok(Head::Done(terms.var(&name, sort)));
            }
            "extract" => Op::Extract { hi: lexer.number()?, lo: lexer.number()? },
            "zero_extend" => Op::ZeroExtend(width(lexer)?),
            "sign_extend" => Op::SignExtend(width(lexer)?),
            "fp.to_fp" => Op::FpToFp(mode(lexer)?, format_of(lexer)?),
            "fp.from_sbv" => Op::FpFromSbv(mode(lexer)?, format_of(lexer)?),
            "fp.from_ubv" => Op::FpFromUbv(mode(lexer)?, format_of(lexer)?),
            "fp.from_bits" => Op::FpFromBits(format_of(lexer)?),
            "fp.to_ubv" => Op::FpToUbv(mode(lexer)?, width(lexer)?),
            "fp.to_sbv" => Op::FpToSbv(mode(lexer)?, width(lexer)?),
            "const" => {
                let sort = parse_sort(lexer)?;
                let index: Scalar = sort.scalar().ok_or_else(|| lexer.error("an array cannot index an array"))?;
                Op::ConstArray(index)
            }
            "forall" => Op::Forall,
            "exists" => Op::Exists,
            "apply" => {
                let name = lexer.word()?;
                lexer.expect_token(Token::Open)?;
                let mut params = Vec::new();
                while !lexer.accept_token(&Token::Close) {
                    params.push(parse_sort(lexer)?);
                }
                let result = parse_sort(lexer)?;
                if let Some(func) = terms.find_func(&name) {
                    let known = terms.func_info(func);
                    if known.params != params || known.result != result {
                        return Err(lexer.error(format!("function '{name}' has another signature")));
                    }
                }
                Op::Apply(terms.func(&name, &params, result))
            }
            name => match self.plain.get(name) {
                Some(op) => *op,
                None => {
                    let rounded = Op::rounded(RoundingMode::NearestEven).iter().position(|op| op.facts().name == name);
                    let Some(index) = rounded else {
                        return Err(lexer.error(format!("unknown operator '{name}'")));
                    };
                    Op::rounded(mode(lexer)?)[index]
                }
            },
        };
        Ok(Head::Open(Open::Apply { op, args: Vec::new() }))
    }
}

enum Head {
    Done(Term),
    Open(Open),
}

fn close(lexer: &Lexer, terms: &mut Store, open: Open) -> Result<Term, ParseError> {
    match open {
        Open::Let { body: Some(body), name: None } => Ok(body),
        Open::Let { .. } => Err(lexer.error("a 'let' without body")),
        Open::Apply { op, args } => build(lexer, terms, op, &args),
    }
}

/// The application, or what is wrong with its sorts.
fn build(lexer: &Lexer, terms: &mut Store, op: Op, args: &[Term]) -> Result<Term, ParseError> {
    let sorts: Vec<Sort> = args.iter().map(|&t| terms.sort(t)).collect();
    if sorts.iter().any(|sort| sort.bv_width().is_some_and(|width| width > WIDEST)) {
        return Err(lexer.error("a bit-vector that is too wide"));
    }
    let fits = match op {
        Op::Apply(func) => terms.func_info(func).params == sorts,
        _ => op.result_sort(&sorts).is_some(),
    };
    let binders_are_vars =
        !op.is_quantifier() || args.split_last().is_some_and(|(_, bound)| bound.iter().all(|&v| terms.is_var(v)));
    if !fits || !binders_are_vars {
        return Err(lexer.error(format!("'{}' does not take arguments of sorts {sorts:?}", op.facts().name)));
    }
    Ok(terms.mk_raw(op, args))
}

fn width(lexer: &mut Lexer) -> Result<u32, ParseError> {
    let width = lexer.number()?;
    if width <= WIDEST { Ok(width) } else { Err(lexer.error("a bit-vector that is too wide")) }
}

fn mode(lexer: &mut Lexer) -> Result<RoundingMode, ParseError> {
    let word = lexer.word()?;
    let found = MODES.iter().find(|(_, name)| *name == word);
    found.map(|(mode, _)| *mode).ok_or_else(|| lexer.error(format!("expected a rounding mode, found '{word}'")))
}

fn format_of(lexer: &mut Lexer) -> Result<term::Format, ParseError> {
    let word = lexer.word()?;
    format(&word).ok_or_else(|| lexer.error(format!("expected a float format, found '{word}'")))
}

/// `42:32`, `-1:32`, `0x3p-1:f11_53`, `nan:f8_24`.
fn literal(terms: &mut Store, text: &str) -> Option<Term> {
    let (value, kind) = text.rsplit_once(':')?;
    if let Some(format) = format(kind) {
        let float = match value {
            "nan" => FloatValue::nan(format),
            "inf" => FloatValue::infinity(format, false),
            "-inf" => FloatValue::infinity(format, true),
            _ => FloatValue::parse(format, RoundingMode::NearestEven, value)?,
        };
        return Some(terms.float(float));
    }
    let width: u32 = kind.parse().ok().filter(|width| (1..=WIDEST).contains(width))?;
    let (negative, digits) = match value.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, value),
    };
    let (radix, digits) = digits.strip_prefix("0x").map_or((10, digits), |digits| (16, digits));
    let bits = Bits::parse(digits, radix, width)?;
    Some(terms.bv_bits(if negative { bits.neg() } else { bits }))
}
