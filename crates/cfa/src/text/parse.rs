//! Reading the text form of programs; the grammar stands at the head of `print.rs`.

use super::lex::{Lexer, ParseError, Token, describe};
use super::sort::parse_sort;
use super::term::TermParser;
use crate::machine::{DataModel, Machine};
use crate::program::*;
use base::{Diagnostic, Id, Severity, Sources, Span, Table};
use rustc_hash::FxHashMap;
use term::{Sort, Term};

/// Reads a program. What it means is not checked here but by `verify`.
pub fn parse(text: &str) -> Result<Program, ParseError> {
    let mut parser = Parser { lexer: Lexer::new(text)?, terms: TermParser::default(), names: FxHashMap::default() };
    parser.program()
}

struct Parser {
    lexer: Lexer,
    terms: TermParser,
    /// Variables by name.
    names: FxHashMap<String, Var>,
}

type Result<T, E = ParseError> = std::result::Result<T, E>;

impl Parser {
    fn program(&mut self) -> Result<Program> {
        let machine = self.machine()?;
        let ends_at_undefined = self.lexer.accept("defined");
        let mut sources = Sources::new();
        while self.lexer.accept("file") {
            let id: base::FileId = self.lexer.id("F")?;
            let name = self.lexer.string()?;
            if sources.intern(&name, || None) != id {
                return Err(self.lexer.error("files must be different and in order"));
            }
        }
        let mut program = Program::new(machine, sources);
        program.ends_at_undefined = ends_at_undefined;
        while self.lexer.accept("note") {
            let note = self.note()?;
            program.notes.push(note);
        }
        let mut frames = Table::new();
        while self.lexer.accept("frame") {
            self.frame(&mut frames)?;
        }
        if !frames.is_empty() {
            program.frames = frames;
        }
        for v in [program.size, program.live] {
            self.names.insert(program.name(v).to_owned(), v);
        }
        while self.lexer.accept("var") {
            self.var(&mut program)?;
        }
        self.lexer.expect("entry")?;
        program.entry = self.lexer.id("f")?;
        while self.lexer.accept("function") {
            let id: Func = self.lexer.id("f")?;
            if id != program.functions.next_id() {
                return Err(self.lexer.error("functions must be in order"));
            }
            let function = self.function(&mut program)?;
            program.functions.push(function);
        }
        if self.lexer.at_end() {
            return Ok(program);
        }
        let token = self.lexer.next()?;
        Err(self.lexer.error(format!("unexpected {}", describe(&token))))
    }

    fn machine(&mut self) -> Result<Machine> {
        self.lexer.expect("machine")?;
        let data_model = match self.lexer.word()?.as_str() {
            "lp64" => DataModel::Lp64,
            "ilp32" => DataModel::Ilp32,
            other => return Err(self.lexer.error(format!("unknown data model '{other}'"))),
        };
        let (object_bits, offset_bits) = (self.lexer.number()?, self.lexer.number()?);
        let machine = Machine { data_model, object_bits, offset_bits };
        let usual = Machine::new(data_model).pointer_bits();
        let fits = object_bits > 0 && offset_bits > 0 && object_bits.checked_add(offset_bits) == Some(usual);
        let sane = fits || machine.is_wide();
        if sane { Ok(machine) } else { Err(self.lexer.error(format!("a pointer has {usual} bits"))) }
    }

    fn note(&mut self) -> Result<Diagnostic> {
        let severity = match self.lexer.word()?.as_str() {
            "error" => Severity::Error,
            "warning" => Severity::Warning,
            "note" => Severity::Note,
            other => return Err(self.lexer.error(format!("unknown severity '{other}'"))),
        };
        let message = self.lexer.string()?;
        let help = if self.lexer.accept("help") { Some(self.lexer.string()?) } else { None };
        let span = self.span("at")?;
        Ok(Diagnostic { severity, message, span, help })
    }

    fn frame(&mut self, frames: &mut Table<Frame, FrameInfo>) -> Result<()> {
        let id: Frame = self.lexer.id("k")?;
        if id != frames.next_id() {
            return Err(self.lexer.error("frames must be in order"));
        }
        let function = self.lexer.string()?;
        let caller = if self.lexer.accept("caller") { Some(self.lexer.id("k")?) } else { None };
        let site = self.site()?;
        let call_span = self.span("at")?.unwrap_or(Span::nowhere());
        frames.push(FrameInfo { caller, function, site, call_span });
        Ok(())
    }

    fn site(&mut self) -> Result<Option<(Func, Edge)>> {
        if !self.lexer.accept("site") {
            return Ok(None);
        }
        Ok(Some((self.lexer.id("f")?, self.lexer.id("e")?)))
    }

    fn in_frame(&mut self) -> Result<Frame> {
        if self.lexer.accept("frame") { self.lexer.id("k") } else { Ok(Frame::ROOT) }
    }

    /// `keyword F0:1:2-3:4`, if the keyword is next.
    fn span(&mut self, keyword: &str) -> Result<Option<Span>> {
        if !self.lexer.accept(keyword) {
            return Ok(None);
        }
        let word = self.lexer.word()?;
        if word == "nowhere" {
            return Ok(Some(Span::nowhere()));
        }
        let wrong = self.lexer.error(format!("expected a span, found '{word}'"));
        let read = || -> Option<(&str, [u32; 4])> {
            let (file, rest) = word.split_once(':')?;
            let (start, end) = rest.split_once('-')?;
            let (line, col) = start.split_once(':')?;
            let (end_line, end_col) = end.split_once(':')?;
            let number = |text: &str| text.parse::<u32>().ok();
            Some((file, [number(line)?, number(col)?, number(end_line)?, number(end_col)?]))
        };
        let (file, [line, col, end_line, end_col]) = read().ok_or(wrong)?;
        Ok(Some(Span { file: self.lexer.id_in("F", file)?, line, col, end_line, end_col }))
    }

    fn var(&mut self, program: &mut Program) -> Result<()> {
        let name = self.lexer.word()?;
        let sort = parse_sort(&mut self.lexer)?;
        let kind = match self.lexer.word()?.as_str() {
            "global" => VarKind::Global,
            "memory" => VarKind::Memory,
            "local" => VarKind::Local(self.lexer.id("f")?),
            other => return Err(self.lexer.error(format!("unknown kind of variable '{other}'"))),
        };
        let (raw, pointer) = (self.lexer.accept("raw"), self.lexer.accept("address"));
        let source = if self.lexer.accept("source") { Some(self.source_var()?) } else { None };
        if let Some(&v) = self.names.get(&name) {
            return self.object_table(program, v, sort, kind);
        }
        if name.contains(['|', '\\']) {
            return Err(self.lexer.error("a name cannot contain a bar or a backslash"));
        }
        let v = program.add_var(&name, sort, kind, source);
        (program.vars[v].raw, program.vars[v].pointer) = (raw, pointer);
        self.names.insert(name, v);
        Ok(())
    }

    /// `$size` and `$live` exist already; saying so again must agree. Every other name is new.
    fn object_table(&self, program: &Program, v: Var, sort: Sort, kind: VarKind) -> Result<()> {
        let info = &program.vars[v];
        if v != program.size && v != program.live {
            return Err(self.lexer.error(format!("variable '{}' declared twice", program.name(v))));
        }
        if info.sort != sort || info.kind != kind {
            return Err(self.lexer.error(format!("'{}' must be {:?}", program.name(v), info.sort)));
        }
        Ok(())
    }

    fn source_var(&mut self) -> Result<SourceVar> {
        Ok(SourceVar {
            name: self.lexer.string()?,
            ctype: self.lexer.string()?,
            signed: self.lexer.accept("signed"),
            pointer: self.lexer.accept("pointer"),
            frame: self.in_frame()?,
            span: self.span("at")?.unwrap_or(Span::nowhere()),
        })
    }

    fn var_name(&mut self) -> Result<Var> {
        let name = self.lexer.word()?;
        self.names.get(&name).copied().ok_or_else(|| self.lexer.error(format!("unknown variable '{name}'")))
    }

    fn var_list(&mut self) -> Result<Vec<Var>> {
        self.lexer.expect_token(Token::Open)?;
        let mut vars = Vec::new();
        while !self.lexer.accept_token(&Token::Close) {
            vars.push(self.var_name()?);
        }
        Ok(vars)
    }

    fn function(&mut self, program: &mut Program) -> Result<Function> {
        let name = self.lexer.string()?;
        self.lexer.expect("params")?;
        let params = self.var_list()?;
        let result = if self.lexer.accept("result") { Some(self.var_name()?) } else { None };
        self.lexer.expect("entry")?;
        let entry = self.lexer.id("L")?;
        self.lexer.expect("exit")?;
        let exit = self.lexer.id("L")?;
        let span = self.span("at")?.unwrap_or(Span::nowhere());
        let mut locs = Table::new();
        let mut edges: Vec<(Edge, EdgeInfo)> = Vec::new();
        while let Some(Token::Word { text, barred: false }) = self.lexer.peek() {
            if text.starts_with('L') {
                let id: Loc = self.lexer.id("L")?;
                if id != locs.next_id() {
                    return Err(self.lexer.error("locations must be in order"));
                }
                locs.push(self.location()?);
            } else if text.starts_with('e') && !locs.is_empty() {
                let id: Edge = self.lexer.id("e")?;
                let from = Loc::new(locs.len() - 1);
                edges.push((id, self.edge(program, from)?));
            } else {
                break;
            }
        }
        edges.sort_by_key(|(id, _)| *id);
        if edges.iter().enumerate().any(|(i, (id, _))| id.index() != i) {
            return Err(self.lexer.error(format!("edges of '{name}' are not numbered from e0 without gaps")));
        }
        let edges = edges.into_iter().map(|(_, edge)| edge).collect();
        Ok(Function { name, params, result, locs, edges, entry, exit, span })
    }

    fn location(&mut self) -> Result<Location> {
        let kind = if self.lexer.accept("error") {
            let name = self.lexer.word()?;
            let property = match Property::ALL.into_iter().find(|property| property.name() == name) {
                Some(property) => property,
                None if name == Property::Invariant(0).name() => Property::Invariant(self.lexer.number()?),
                None => return Err(self.lexer.error(format!("unknown property '{name}'"))),
            };
            LocKind::Error(Violation { property, message: self.lexer.string()? })
        } else if self.lexer.accept("unsupported") {
            let what = self.lexer.string()?.into();
            let named = Lacks::ALL.into_iter().find(|(_, name)| !name.is_empty() && self.lexer.accept(name));
            LocKind::Unsupported(Unmodelled { what, lacks: named.map_or(Lacks::Other, |(lacks, _)| lacks) })
        } else if self.lexer.accept("bound") {
            LocKind::BoundHit(self.lexer.string()?)
        } else if self.lexer.accept("end") {
            LocKind::End(match self.lexer.word()?.as_str() {
                "return" => EndKind::Return,
                "exit" => EndKind::Exit,
                "abort" => EndKind::Abort,
                "blocked" => EndKind::Blocked,
                other => return Err(self.lexer.error(format!("unknown kind of end '{other}'"))),
            })
        } else {
            LocKind::Plain
        };
        let loop_span = self.span("loop")?;
        let stale = if self.lexer.accept("stale") { self.var_list()? } else { Vec::new() };
        let frame = self.in_frame()?;
        let span = self.span("at")?.unwrap_or(Span::nowhere());
        Ok(Location { kind, span, loop_span, frame, stale })
    }

    fn edge(&mut self, program: &mut Program, from: Loc) -> Result<EdgeInfo> {
        self.lexer.expect("->")?;
        let to = self.lexer.id("L")?;
        let op = self.op(program)?;
        let site = self.site()?;
        let span = self.span("at")?.unwrap_or(Span::nowhere());
        Ok(EdgeInfo { from, to, op, span, site })
    }

    fn term(&mut self, program: &mut Program) -> Result<Term> {
        let (names, vars) = (&self.names, &program.vars);
        self.terms.parse(&mut self.lexer, &mut program.terms, |_, name| names.get(name).map(|v| vars[*v].term))
    }

    fn op(&mut self, program: &mut Program) -> Result<Op> {
        let keyword = self.lexer.word()?;
        Ok(match keyword.as_str() {
            "assume" => Op::Assume(self.term(program)?),
            "skip" => Op::Assign(Vec::new()),
            "assign" => self.assign(program)?,
            "havoc" => Op::Havoc { vars: self.var_list()?, origin: self.origin()? },
            "load" => {
                let bytes = self.lexer.number()?;
                let addr = self.term(program)?;
                self.lexer.expect("->")?;
                Op::Load { dst: self.var_name()?, addr, bytes }
            }
            "store" => {
                let bytes = self.lexer.number()?;
                Op::Store { bytes, addr: self.term(program)?, value: self.term(program)? }
            }
            "alloc" => {
                let size = self.term(program)?;
                let kind = self.object_kind()?;
                let name = self.lexer.string()?;
                self.lexer.expect("->")?;
                Op::Alloc { dst: self.var_name()?, size, kind, name }
            }
            "free" => Op::Free { addr: self.term(program)? },
            "dead" => Op::Dead { addr: self.term(program)? },
            "copy" => Op::Copy { dst: self.term(program)?, src: self.term(program)?, len: self.term(program)? },
            "fill" => Op::Fill { dst: self.term(program)?, value: self.term(program)?, len: self.term(program)? },
            "call" => {
                let callee = self.lexer.id("f")?;
                Op::Call { callee, args: self.list(program)?, dst: self.result()? }
            }
            "escape" => {
                let writable = match self.lexer.word()?.as_str() {
                    "writable" => true,
                    "constant" => false,
                    other => return Err(self.lexer.error(format!("escape writable or constant, not '{other}'"))),
                };
                Op::Escape { addrs: self.list(program)?, writable }
            }
            "disturb" => Op::Disturb { by: self.lexer.string()? },
            "print" | "print_error" => {
                let stream = if keyword == "print" { Stream::Output } else { Stream::Error };
                Op::Print { format: self.term(program)?, args: self.term(program)?, stream, dst: self.result()? }
            }
            other => return Err(self.lexer.error(format!("unknown operation '{other}'"))),
        })
    }

    fn list(&mut self, program: &mut Program) -> Result<Vec<Term>> {
        self.lexer.expect_token(Token::Open)?;
        let mut terms = Vec::new();
        while !self.lexer.accept_token(&Token::Close) {
            terms.push(self.term(program)?);
        }
        Ok(terms)
    }

    fn assign(&mut self, program: &mut Program) -> Result<Op> {
        let mut pairs = Vec::new();
        loop {
            let v = self.var_name()?;
            self.lexer.expect(":=")?;
            pairs.push((v, self.term(program)?));
            if !self.lexer.accept_token(&Token::Comma) {
                break;
            }
        }
        Ok(Op::Assign(pairs))
    }

    fn result(&mut self) -> Result<Option<Var>> {
        if self.lexer.accept("->") { self.var_name().map(Some) } else { Ok(None) }
    }

    fn origin(&mut self) -> Result<Origin> {
        Ok(match self.lexer.word()?.as_str() {
            "input" => Origin::Input(self.lexer.string()?),
            "uninitialised" => Origin::Uninitialised(self.lexer.string()?),
            "extern" => Origin::Extern(self.lexer.string()?),
            "internal" => Origin::Internal,
            other => return Err(self.lexer.error(format!("unknown origin '{other}'"))),
        })
    }

    fn object_kind(&mut self) -> Result<ObjectKind> {
        Ok(match self.lexer.word()?.as_str() {
            "static" => ObjectKind::Static,
            "literal" => ObjectKind::Literal,
            "function" => ObjectKind::Function,
            "callback" => ObjectKind::Callback,
            "stack" => ObjectKind::Stack,
            "heap" => ObjectKind::Heap,
            other => return Err(self.lexer.error(format!("unknown kind of object '{other}'"))),
        })
    }
}
