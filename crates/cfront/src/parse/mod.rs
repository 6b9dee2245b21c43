//! Parsing and type checking in one pass: typedefs, `typeof`, `sizeof` and array bounds need types while parsing, so
//! the grammar's functions return typed expressions straight away, built by [`typed`], folded by [`fold`].
//!
//! A syntax error ends what is being read (`Err(Fatal)`), up to the statement, member or declaration that it is in; the message is
//! in `errors` by then, and parsing goes on behind (`recover`). Type errors that leave the syntax intact are only noted there.

mod acsl;
mod asm;
mod atomic;
mod attribute;
mod builtin;
pub(crate) mod contract;
mod decl;
mod declarator;
mod dialect;
mod expr;
mod fold;
mod function;
mod init;
mod inject;
mod lanes;
pub(crate) mod link;
mod nested;
mod operator;
mod primary;
mod prototypes;
mod record;
mod recover;
mod scope;
mod spec;
mod stmt;
mod typed;

use base::{Diagnostic, Sources, Span, Table};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Kept;
use crate::Linking;
use crate::hir::{Expr, Func, FuncId, Label, LabelId, Storage, StrId, StringLit, Symbol, Unit, Var, VarId};
use crate::inject::{Claim, Extent, GIVEN, Given, Injections, PRELUDE, Ready, tokens as inject_tokens};
use crate::token::{Name, Names, P, Tok, Token, TokenStream};
use crate::types::{DataModel, FunctionType, Ty, Types};

use self::recover::Within;
use self::scope::Scopes;

/// Parsing cannot go on here; the message has been recorded.
pub(crate) struct Fatal;

pub(crate) type Res<T> = Result<T, Fatal>;

/// How deep expressions, statements, declarators and initialisers may nest. (Clang's limit for brackets is 256.)
const MAX_NESTING: u32 = 1_000;
/// How many operators one statement may chain (`a + a + ...`), how many `else if`s may enclose a statement: either
/// becomes a tree this deep.
const MAX_CHAIN: u32 = 10_000;
const MAX_ERRORS: usize = 20;

/// What the parser knows about the function it is in.
struct FunctionState {
    id: FuncId,
    name: String,
    ret: Ty,
    variadic: bool,
    locals: Vec<VarId>,
    /// Labels by name; local ones (`__label__`) shadow.
    labels: FxHashMap<Name, Vec<LabelUse>>,
    switches: Vec<stmt::SwitchState>,
    /// How many loops, and loops or switches, enclose us.
    loops: u32,
    breakables: u32,
    /// `__func__`, made on first use.
    func_name: Option<VarId>,
    /// Values that annotations want kept from where it begins.
    from_start: Vec<(VarId, Expr)>,
}

impl FunctionState {
    /// Where its body, or its contract, begins.
    fn new(id: FuncId, name: String, ty: &FunctionType, locals: Vec<VarId>) -> FunctionState {
        FunctionState {
            id,
            name,
            ret: ty.ret,
            variadic: ty.variadic,
            locals,
            labels: FxHashMap::default(),
            switches: Vec::new(),
            loops: 0,
            breakables: 0,
            func_name: None,
            from_start: Vec::new(),
        }
    }
}

#[derive(Clone, Copy)]
struct LabelUse {
    id: LabelId,
    defined: bool,
}

pub(crate) struct Parser {
    model: DataModel,
    /// Constant expressions that are not folded.
    pub(crate) kept: Kept,
    pub(crate) names: Names,
    types: Types,
    vars: Vec<Var>,
    funcs: Table<FuncId, Func>,
    strings: Table<StrId, StringLit>,
    string_ids: FxHashMap<StringLit, StrId>,
    labels: Table<LabelId, Label>,
    unsupported: Vec<(String, Span)>,
    /// Lines on which accesses to memory are not to be checked.
    unchecked: Vec<Span>,
    notes: Vec<Diagnostic>,
    pub(crate) errors: Vec<Diagnostic>,
    /// How often parsing went on after a syntax error; where a `;` was missed last; whether something is nested too deeply.
    recoveries: u32,
    missing_semicolon: Option<usize>,
    is_too_deep: bool,

    stream: TokenStream,
    pos: usize,
    depth: u32,
    /// Chained operators of the current statement or initialiser element; `else if`s around the current statement.
    operators: u32,
    branches: u32,
    /// How many `({ ... })` we are in: their statements are part of an expression.
    statement_expressions: u32,
    /// How many compound literals were met in functions.
    compound_literals: u32,
    scopes: Scopes,
    func: Option<FunctionState>,
    /// The functions around the nested one being read, the innermost last; those that have nested ones using their locals.
    outer: Vec<FunctionState>,
    captured_from: Vec<(FuncId, Span)>,
    /// Assignments to the bounds of variable-length array types met since somebody last took them.
    vla_bounds: Vec<Expr>,

    /// The variables of the quantifiers around us, and what a contract's clause being read may name.
    quantified: Vec<VarId>,
    clause: Option<contract::Clause>,
    /// The annotation being read, and those that wait for the function or the loop in front of which they stand.
    acsl: Option<acsl::Reading>,
    of_next_function: Vec<usize>,
    of_next_loop: Vec<usize>,
    /// Symbols with external linkage, over all files.
    externals: FxHashMap<Name, Symbol>,
    /// Symbols of the current file with internal linkage.
    internals: FxHashMap<Name, Symbol>,
    /// Names of the current file that the linker knows by another one.
    symbol_names: FxHashMap<Name, Name>,
    /// Functions of the current file that only calls have declared so far.
    called_only: FxHashSet<Name>,
    /// Functions declared with `alias("target")`.
    aliases: Vec<(FuncId, Name, Span)>,
    /// Variables declared with `alias("target")`: second names of the target.
    second_names: FxHashMap<VarId, Name>,
    /// Whether the declarator that is read has an array with `static` in its brackets.
    has_static_bound: bool,
    has_moments: bool,
    /// Variables declared `register`: their address cannot be taken.
    registers: FxHashSet<VarId>,
    /// Which definitions of the current file count, and names of those that did not.
    pub(crate) linking: Linking,
    removed: FxHashSet<String>,
    /// Whether the current file is a stub, and the functions that such files define: they count instead of others.
    pub(crate) is_stub: bool,
    of_stubs: FxHashSet<FuncId>,
    /// What the current file has defined so far.
    defined_here: FxHashSet<Symbol>,
    /// Definitions that another one may replace (`inline` without `static`).
    replaceable: Vec<FuncId>,
    /// A type that is one of its own for gcc and here a name of another one (`_Float64`) was named.
    names_like_floats: bool,
    /// Functions whose definition is weak: another one counts instead.
    weak_definitions: Vec<FuncId>,
    /// The same for variables; which of them this file and those before define, with a value or without, and which this
    /// file declares weak.
    weak_variables: FxHashSet<VarId>,
    vars_here: FxHashSet<VarId>,
    vars_elsewhere: FxHashSet<VarId>,
    weak_here: FxHashSet<Symbol>,
    /// Definitions of this file that count so far, and whether instead of a weak one of another file.
    counts_here: FxHashMap<Symbol, bool>,
    /// Second definitions that this file may still declare weak: symbol, name, place, place of the first.
    second_here: Vec<(Symbol, Name, Span, Span)>,
    /// The tokens of inline definitions without `static`.
    inline_texts: FxHashMap<FuncId, Vec<Box<[u8]>>>,

    /// What is put into the program from outside.
    injections: Vec<Ready>,
    /// Clauses from outside, for the function of that name.
    given_contract: Option<(String, TokenStream, Extent)>,
    /// Claims about functions, and whether the functions were met.
    claims: Vec<(Claim, TokenStream, bool)>,
    prelude: Option<TokenStream>,
    /// The names of the files by number.
    file_names: Vec<String>,
}

impl Parser {
    pub(crate) fn new(model: DataModel) -> Parser {
        Parser {
            model,
            kept: Kept::default(),
            names: Names::new(),
            types: Types::new(model),
            vars: Vec::new(),
            funcs: Table::new(),
            strings: Table::new(),
            string_ids: FxHashMap::default(),
            labels: Table::new(),
            unsupported: Vec::new(),
            notes: Vec::new(),
            errors: Vec::new(),
            recoveries: 0,
            missing_semicolon: None,
            is_too_deep: false,
            stream: TokenStream {
                has_moments: false,
                text: Vec::new(),
                tokens: Vec::new(),
                packs: Vec::new(),
                weak: Vec::new(),
                unchecked: Vec::new(),
                notes: Vec::new(),
                annotations: Vec::new(),
                is_c90: false,
            },
            unchecked: Vec::new(),
            pos: 0,
            depth: 0,
            operators: 0,
            branches: 0,
            statement_expressions: 0,
            compound_literals: 0,
            scopes: Scopes::new(),
            func: None,
            outer: Vec::new(),
            captured_from: Vec::new(),
            vla_bounds: Vec::new(),
            quantified: Vec::new(),
            clause: None,
            acsl: None,
            of_next_function: Vec::new(),
            of_next_loop: Vec::new(),
            externals: FxHashMap::default(),
            internals: FxHashMap::default(),
            symbol_names: FxHashMap::default(),
            called_only: FxHashSet::default(),
            aliases: Vec::new(),
            second_names: FxHashMap::default(),
            registers: FxHashSet::default(),
            linking: Linking::default(),
            removed: FxHashSet::default(),
            is_stub: false,
            of_stubs: FxHashSet::default(),
            defined_here: FxHashSet::default(),
            replaceable: Vec::new(),
            names_like_floats: false,
            weak_definitions: Vec::new(),
            weak_variables: FxHashSet::default(),
            vars_here: FxHashSet::default(),
            vars_elsewhere: FxHashSet::default(),
            has_static_bound: false,
            has_moments: false,
            weak_here: FxHashSet::default(),
            counts_here: FxHashMap::default(),
            second_here: Vec::new(),
            inline_texts: FxHashMap::default(),
            injections: Vec::new(),
            given_contract: None,
            claims: Vec::new(),
            prelude: None,
            file_names: Vec::new(),
        }
    }

    /// Reads one file into the program.
    pub(crate) fn file(&mut self, stream: TokenStream, sources: &Sources) {
        self.file_names = sources.files().values().map(|file| file.name.clone()).collect();
        self.notes.extend(stream.notes.iter().cloned());
        self.unchecked.extend(&stream.unchecked);
        self.has_moments |= stream.has_moments;
        self.depth = 0;
        self.branches = 0;
        self.statement_expressions = 0;
        self.scopes = Scopes::new();
        self.internals.clear();
        self.symbol_names.clear();
        self.called_only.clear();
        self.defined_here.clear();
        self.weak_here.clear();
        self.counts_here.clear();
        self.vars_elsewhere.extend(self.vars_here.drain());
        self.declare_float_names();
        self.declare_dialect_types();
        if let Some(prelude) = self.prelude.take() {
            let prelude = self.declarations(prelude);
            self.prelude = Some(prelude);
        }
        self.declarations(stream);
        self.refuse_second_definitions();
    }

    /// Reads a stream to its end, and gives it back.
    fn declarations(&mut self, stream: TokenStream) -> TokenStream {
        let outer = std::mem::replace(&mut self.stream, stream);
        self.pos = 0;
        while self.peek() != Tok::Eof && self.errors.len() < MAX_ERRORS {
            let begin = self.begin();
            self.of_next_function = self.annotations_here();
            let read = self.external_declaration().and_then(|()| {
                let unread = std::mem::take(&mut self.of_next_function);
                self.refuse_annotations(&unread, "function")
            });
            if read.is_err() && !self.recovered(&begin, Within::File) {
                break;
            }
        }
        if self.errors.is_empty() {
            self.check_annotations();
        }
        std::mem::replace(&mut self.stream, outer)
    }

    /// Makes what is put into the program from outside ready.
    pub(crate) fn prepare_injections(
        &mut self,
        given: &Injections,
        sources: &mut Sources,
    ) -> Result<(), Vec<Diagnostic>> {
        if !given.prelude.is_empty() {
            self.prelude = Some(inject_tokens(&given.prelude, PRELUDE, &mut self.names, sources)?);
        }
        if let Some(Given { function, clauses, extent }) = &given.contract {
            let clauses = inject_tokens(clauses, GIVEN, &mut self.names, sources)?;
            self.given_contract = Some((function.clone(), clauses, *extent));
        }
        for claim in &given.claims {
            let clauses = inject_tokens(&claim.clauses, &claim.title, &mut self.names, sources)?;
            self.claims.push((claim.clone(), clauses, false));
        }
        for injection in &given.expressions {
            self.injections.push(Ready::new(injection, &mut self.names, sources)?);
        }
        Ok(())
    }

    pub(crate) fn finish(mut self, sources: Sources) -> Result<Unit, (Vec<Diagnostic>, Sources)> {
        if self.errors.is_empty() {
            self.resolve_aliases();
            self.complete_tentative_arrays();
            self.refuse_functions_of_the_start();
            self.check_captures();
        }
        if !self.errors.is_empty() {
            self.errors.truncate(MAX_ERRORS);
            return Err((self.errors, sources));
        }
        Ok(Unit {
            types: self.types,
            vars: self.vars.into_iter().collect(),
            funcs: self.funcs,
            strings: self.strings,
            labels: self.labels,
            sources,
            unsupported: self.unsupported,
            unchecked: self.unchecked,
            notes: self.notes,
            has_moments: self.has_moments,
            injected: self
                .injections
                .iter()
                .map(|ready| ready.used.then(|| ready.before.map_or(Span::nowhere(), |(span, _)| span)))
                .chain(self.claims.iter().map(|(_, _, used)| used.then(Span::nowhere)))
                .collect(),
        })
    }

    // The cursor.

    fn token(&self) -> &Token {
        &self.stream.tokens[self.pos]
    }

    fn peek(&self) -> Tok {
        self.stream.tokens[self.pos].tok
    }

    fn peek_at(&self, ahead: usize) -> Tok {
        self.stream.tokens.get(self.pos + ahead).map_or(Tok::Eof, |t| t.tok)
    }

    fn span(&self) -> Span {
        self.token().span
    }

    /// The span of the token just taken.
    fn last_span(&self) -> Span {
        self.stream.tokens[self.pos.saturating_sub(1)].span
    }

    /// From `start` to the token just taken.
    fn since(&self, start: Span) -> Span {
        start.to(self.last_span())
    }

    fn advance(&mut self) {
        if self.pos + 1 < self.stream.tokens.len() {
            self.pos += 1;
        }
    }

    fn at(&self, p: P) -> bool {
        self.peek() == Tok::Punct(p)
    }

    fn at_keyword(&self, keyword: Name) -> bool {
        self.peek() == Tok::Name(keyword)
    }

    fn accept(&mut self, p: P) -> bool {
        let found = self.at(p);
        if found {
            self.advance();
        }
        found
    }

    fn accept_keyword(&mut self, keyword: Name) -> bool {
        let found = self.at_keyword(keyword);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, p: P) -> Res<Span> {
        if self.at(p) {
            self.advance();
            return Ok(self.last_span());
        }
        if p == P::Semi {
            self.missing_semicolon = Some(self.pos);
        }
        // A missing `;` or `)` is best shown right after what precedes it.
        let found = self.describe_token();
        let last = self.last_span();
        let after =
            Span { line: last.end_line, col: last.end_col, end_line: last.end_line, end_col: last.end_col, ..last };
        let place = if matches!(p, P::Semi | P::RParen | P::RBracket) && self.pos > 0 { after } else { self.span() };
        self.fail(place, format!("expected '{}', found {found}", p.text()))
    }

    fn expect_keyword(&mut self, keyword: Name) -> Res<()> {
        if self.accept_keyword(keyword) {
            return Ok(());
        }
        let found = self.describe_token();
        let wanted = self.names.text(keyword).to_owned();
        self.fail(self.span(), format!("expected '{wanted}', found {found}"))
    }

    /// An identifier that is no keyword.
    fn identifier(&mut self, what: &str) -> Res<(Name, Span)> {
        match self.peek() {
            Tok::Name(name) if !name.is_keyword() => {
                self.advance();
                Ok((name, self.last_span()))
            }
            _ => {
                let found = self.describe_token();
                self.fail(self.span(), format!("expected {what}, found {found}"))
            }
        }
    }

    fn peek_identifier(&self) -> Option<Name> {
        match self.peek() {
            Tok::Name(name) if !name.is_keyword() => Some(name),
            _ => None,
        }
    }

    fn text_of(&self, name: Name) -> String {
        self.names.text(name).to_owned()
    }

    fn describe_token(&self) -> String {
        let token = self.token();
        match token.tok {
            Tok::Eof => "end of file".to_owned(),
            _ => {
                let text = crate::token::decode(self.stream.bytes(token));
                let short: String = text.chars().take(40).collect();
                format!("'{short}'")
            }
        }
    }

    // Errors.

    /// Records an error that does not keep us from parsing on.
    fn error(&mut self, span: Span, message: impl Into<String>) {
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(Diagnostic::error(span, message));
        }
    }

    fn fail<T>(&mut self, span: Span, message: impl Into<String>) -> Res<T> {
        self.errors.push(Diagnostic::error(span, message));
        Err(Fatal)
    }

    /// Runs `f` one nesting level deeper, refusing to go too deep.
    fn nested<T>(&mut self, f: impl FnOnce(&mut Parser) -> Res<T>) -> Res<T> {
        self.depth += 1;
        if self.depth > MAX_NESTING {
            self.is_too_deep = true;
            self.errors.push(
                Diagnostic::error(self.span(), format!("nested deeper than {MAX_NESTING} levels"))
                    .with_help("split the expression or statement"),
            );
            return Err(Fatal);
        }
        let result = f(self);
        self.depth -= 1;
        result
    }

    /// Counts one more operator of the statement.
    fn chained(&mut self) -> Res<()> {
        self.operators += 1;
        if self.operators > MAX_CHAIN {
            self.is_too_deep = true;
            return self.fail(self.span(), format!("more than {MAX_CHAIN} operators in one expression"));
        }
        Ok(())
    }

    /// Skips to the bracket that closes the one just taken.
    fn skip_balanced(&mut self, open: P, close: P) -> Res<()> {
        let start = self.last_span();
        let mut level = 1;
        loop {
            match self.peek() {
                Tok::Eof => return self.fail(start, format!("unclosed '{}'", open.text())),
                Tok::Punct(p) if p == open => level += 1,
                Tok::Punct(p) if p == close => level -= 1,
                _ => {}
            }
            self.advance();
            if level == 0 {
                return Ok(());
            }
        }
    }

    // Tables.

    fn new_var(&mut self, name: String, ty: Ty, storage: Storage, span: Span) -> VarId {
        let id = base::Id::new(self.vars.len());
        self.vars.push(Var {
            name,
            ty,
            storage,
            span,
            func: self.func.as_ref().map(|f| f.id),
            address_taken: false,
            init: None,
            defined: true,
            thread_local: false,
            generated: false,
            align: None,
            extra_size: 0,
            weak: false,
            at_least: None,
            captured: None,
        });
        if storage == Storage::Local
            && let Some(func) = &mut self.func
        {
            func.locals.push(id);
        }
        id
    }

    /// A variable of our own making.
    fn new_generated(&mut self, name: &str, ty: Ty, storage: Storage, span: Span) -> VarId {
        let id = self.new_var(name.to_owned(), ty, storage, span);
        self.var_mut(id).generated = true;
        id
    }

    fn var(&self, id: VarId) -> &Var {
        &self.vars[base::Id::index(id)]
    }

    fn var_mut(&mut self, id: VarId) -> &mut Var {
        &mut self.vars[base::Id::index(id)]
    }

    fn new_string(&mut self, literal: StringLit) -> StrId {
        if let Some(&id) = self.string_ids.get(&literal) {
            return id;
        }
        let id = self.strings.push(literal.clone());
        self.string_ids.insert(literal, id);
        id
    }
}
