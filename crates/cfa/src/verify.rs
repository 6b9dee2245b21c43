//! The invariants of programs, checked: run after every transformation.
//!
//! Every program:
//!  1. Ids are in range: the entry function, locations, variables, terms, frames, files of spans.
//!  2. Each variable is its own term variable of the recorded sort; the object tables `$size` and `$live` have theirs.
//!  3. Frame 0 is the root, without caller; every other frame has a caller with a smaller number.
//!  4. A function's exit and every location that is not plain have no outgoing edges; the entry function's exit is plain
//!     or ends the program by returning.
//!  5. Every plain location that control can reach, the exit apart, has an outgoing edge.
//!  6. Assumed terms are booleans; assigned terms have the sort of their variable; no variable is written twice by one edge.
//!  7. Terms mention variables of the program only, and no uninterpreted functions.
//!
//! Function form:
//!  8. Terms have no quantifiers; the object tables are only selected from, and written by no assignment.
//!  9. A local variable is used in its own function only; parameters are distinct locals; a result is local or global.
//! 10. Addresses, sizes and lengths are pointer-wide; `Load` and `Store` move as many bytes as the value's sort has.
//! 11. A call passes one argument of the right sort for each parameter; it takes a result only where there is one, of its
//!     sort; nobody calls the entry function.
//!
//! Flat form:
//! 12. There is one function, and its edges only assume, assign and havoc.

use crate::program::*;
use base::{Id, Span};
use std::fmt;
use term::{Format, Op as TermOp, Sort, Term, postorder};

/// One broken invariant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    pub place: Place,
    pub message: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Program,
    Variable(Var),
    Frame(Frame),
    Function(Func),
    Location(Func, Loc),
    Edge(Func, Edge),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Place::Program => write!(f, "program: ")?,
            Place::Variable(v) => write!(f, "variable {v}: ")?,
            Place::Frame(k) => write!(f, "frame {k}: ")?,
            Place::Function(func) => write!(f, "function {func}: ")?,
            Place::Location(func, loc) => write!(f, "{func} {loc}: ")?,
            Place::Edge(func, edge) => write!(f, "{func} {edge}: ")?,
        }
        f.write_str(&self.message)
    }
}

/// Which form a program is meant to have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    Function,
    Flat,
}

/// All broken invariants of a program meant to have that form; empty when it is sound.
pub fn verify(program: &Program, form: Form) -> Vec<Problem> {
    let mut verifier =
        Verifier { program, form, problems: Vec::new(), place: Place::Program, seen: vec![0; program.terms.len()] };
    verifier.program();
    verifier.problems
}

/// Panics with the list of problems, if any. For tests and debug assertions after transformations.
pub fn assert_sound(program: &Program, form: Form) {
    let problems = verify(program, form);
    let list: Vec<String> = problems.iter().take(20).map(ToString::to_string).collect();
    assert!(problems.is_empty(), "{} broken invariants:\n{}", problems.len(), list.join("\n"));
}

struct Verifier<'p> {
    program: &'p Program,
    form: Form,
    problems: Vec<Problem>,
    place: Place,
    /// For each term the last function (plus one) whose edges were seen to use it: looked into once per function.
    seen: Vec<u32>,
}

impl Verifier<'_> {
    fn problem(&mut self, message: impl Into<String>) {
        self.problems.push(Problem { place: self.place, message: message.into() });
    }

    fn check(&mut self, holds: bool, message: &str) {
        if !holds {
            self.problem(message);
        }
    }

    fn program(&mut self) {
        let program = self.program;
        self.variables();
        self.frames();
        self.place = Place::Program;
        if let Form::Flat = self.form {
            self.check(program.functions.len() == 1, "a flat program has one function");
        }
        if program.functions.get(program.entry).is_none() {
            return self.problem(format!("the entry {} is no function", program.entry));
        }
        for (id, function) in program.functions.iter() {
            self.function(id, function);
        }
    }

    fn variables(&mut self) {
        let program = self.program;
        let objects = program.machine.object_sort();
        let tables = [(program.size, program.machine.pointer_sort()), (program.live, Sort::Bool)];
        for (v, elem) in tables {
            self.place = Place::Variable(v);
            let expected = Sort::array(objects, elem);
            let found = program.vars.get(v).map(|info| info.sort);
            self.check(found == Some(expected), "an object table has the wrong sort");
        }
        for (v, info) in program.vars.iter() {
            self.place = Place::Variable(v);
            if info.term.index() >= program.terms.len() || !program.terms.is_var(info.term) {
                self.problem("its term is not a variable of the store");
                continue;
            }
            self.check(program.terms.sort(info.term) == info.sort, "its term has another sort");
            self.check(program.var_of(info.term) == Some(v), "its term belongs to another variable");
            if let (VarKind::Local(func), Form::Function) = (info.kind, self.form) {
                self.check(program.functions.get(func).is_some(), "local of a function that does not exist");
            }
            if let Some(source) = &info.source {
                self.check(program.frames.get(source.frame).is_some(), "its frame does not exist");
                self.span(source.span);
            }
        }
    }

    fn frames(&mut self) {
        let program = self.program;
        self.place = Place::Program;
        self.check(!program.frames.is_empty(), "there is no root frame");
        for (k, frame) in program.frames.iter() {
            self.place = Place::Frame(k);
            match frame.caller {
                None => self.check(k == Frame::ROOT, "only the root frame has no caller"),
                Some(caller) => self.check(caller < k, "its caller is not an earlier frame"),
            }
            self.span(frame.call_span);
        }
        self.place = Place::Program;
        for ((caller, _), frame) in &program.joined {
            let known = [caller, frame].into_iter().all(|k| program.frames.get(*k).is_some());
            self.check(known, "a call leads between frames that do not exist");
        }
    }

    fn span(&mut self, span: Span) {
        let known = span.is_nowhere() || self.program.sources.file(span.file).is_some();
        self.check(known, "a span speaks of a file that does not exist");
    }

    fn function(&mut self, id: Func, function: &Function) {
        self.place = Place::Function(id);
        self.span(function.span);
        self.signature(id, function);
        for (what, loc) in [("entry", function.entry), ("exit", function.exit)] {
            if function.locs.get(loc).is_none() {
                self.problem(format!("its {what} {loc} is no location"));
                return;
            }
        }
        let program_entry = id == self.program.entry;
        let exit_kind = &function.locs[function.exit].kind;
        let exit_fits = match exit_kind {
            LocKind::Plain => true,
            LocKind::End(EndKind::Return) => program_entry,
            _ => false,
        };
        self.check(exit_fits, "its exit is neither plain nor the return of the entry function");
        for (loc, location) in function.locs.iter() {
            self.place = Place::Location(id, loc);
            self.check(self.program.frames.get(location.frame).is_some(), "its frame does not exist");
            self.span(location.span);
            if let Some(span) = location.loop_span {
                self.span(span);
            }
        }
        let mut ends_in_range = true;
        for (e, edge) in function.edges.iter() {
            self.place = Place::Edge(id, e);
            if function.locs.get(edge.from).is_none() || function.locs.get(edge.to).is_none() {
                self.problem(format!("{} -> {}: no such location", edge.from, edge.to));
                ends_in_range = false;
                continue;
            }
            let kind = &function.locs[edge.from].kind;
            self.check(edge.from != function.exit, "leaves the exit");
            self.check(*kind == LocKind::Plain, "leaves a location where execution ends");
            self.span(edge.span);
            self.op(id, &edge.op);
        }
        if ends_in_range {
            self.dead_ends(id, function);
        }
    }

    fn signature(&mut self, id: Func, function: &Function) {
        let vars = &self.program.vars;
        for (i, &v) in function.params.iter().enumerate() {
            match vars.get(v) {
                None => self.problem(format!("parameter {v} does not exist")),
                Some(info) => {
                    self.check(
                        self.form == Form::Flat || info.kind == VarKind::Local(id),
                        "a parameter is not its local",
                    );
                    self.check(!function.params[..i].contains(&v), "two parameters are one variable");
                }
            }
        }
        if let Some(v) = function.result {
            let fits = vars.get(v).is_some_and(|info| match info.kind {
                VarKind::Local(f) => f == id || self.form == Form::Flat,
                VarKind::Global => true,
                VarKind::Memory => false,
            });
            self.check(fits, "its result is neither its local nor global");
        }
    }

    fn dead_ends(&mut self, id: Func, function: &Function) {
        let successors = function.successors();
        let mut reached = vec![false; function.locs.len()];
        let mut work = vec![function.entry];
        reached[function.entry.index()] = true;
        while let Some(loc) = work.pop() {
            if successors[loc].is_empty() && loc != function.exit && function.locs[loc].kind == LocKind::Plain {
                self.place = Place::Location(id, loc);
                self.problem("execution gets here and has nowhere to go");
            }
            for &e in &successors[loc] {
                let to = function.edges[e].to;
                if !std::mem::replace(&mut reached[to.index()], true) {
                    work.push(to);
                }
            }
        }
    }

    fn op(&mut self, func: Func, op: &Op) {
        let terms_known = op.terms().iter().all(|t| t.index() < self.program.terms.len());
        let vars_known = op.written().iter().all(|v| self.program.vars.get(*v).is_some());
        if !terms_known || !vars_known {
            return self.problem("mentions a term or a variable that does not exist");
        }
        if let Form::Flat = self.form {
            self.check(op.is_flat(), "not an operation of flat form");
        }
        for t in op.terms() {
            self.term(func, t);
        }
        let written = op.written();
        for (i, &v) in written.iter().enumerate() {
            if written[..i].contains(&v) {
                self.problem(format!("writes '{}' twice", self.program.name(v)));
            }
            self.local_use(func, v);
            if let Form::Function = self.form {
                let table = v == self.program.size || v == self.program.live;
                self.check(!table, "writes an object table");
            }
        }
        self.sorts(op);
    }

    /// Sorts of the parts of an operation.
    fn sorts(&mut self, op: &Op) {
        let program = self.program;
        let sort = |t: Term| program.terms.sort(t);
        let pointer = program.machine.pointer_sort();
        let var_sort = |v: Var| program.vars[v].sort;
        match op {
            Op::Assume(condition) => self.check(sort(*condition) == Sort::Bool, "assumes a term that is not a boolean"),
            Op::Assign(pairs) => {
                for (v, t) in pairs {
                    if sort(*t) != var_sort(*v) {
                        let name = program.name(*v);
                        self.problem(format!("assigns a {:?} to '{name}', a {:?}", sort(*t), var_sort(*v)));
                    }
                }
            }
            Op::Havoc { .. } => {}
            Op::Load { dst, addr, bytes } => {
                self.check(sort(*addr) == pointer, "the address is not pointer-wide");
                self.check(storage_fits(var_sort(*dst), *bytes), "loads a number of bytes that its sort does not have");
            }
            Op::Store { addr, value, bytes } => {
                self.check(sort(*addr) == pointer, "the address is not pointer-wide");
                self.check(storage_fits(sort(*value), *bytes), "stores a number of bytes that its sort does not have");
            }
            Op::Alloc { dst, size, .. } => {
                self.check(var_sort(*dst) == pointer, "the address is not pointer-wide");
                self.check(sort(*size) == pointer, "the size is not pointer-wide");
            }
            Op::Free { addr } | Op::Dead { addr } => {
                self.check(sort(*addr) == pointer, "the address is not pointer-wide")
            }
            Op::Copy { dst, src, len } => {
                let fits = [dst, src, len].iter().all(|t| sort(**t) == pointer);
                self.check(fits, "an address or the length is not pointer-wide");
            }
            Op::Fill { dst, value, len } => {
                let fits = [dst, len].iter().all(|t| sort(**t) == pointer);
                self.check(fits, "the address or the length is not pointer-wide");
                let has_byte = sort(*value).bv_width().is_some_and(|width| width >= 8);
                self.check(has_byte, "fills with a value that has no low byte");
            }
            Op::Call { callee, args, dst } => self.call(*callee, args, *dst),
            Op::Print { format, args, dst, .. } => {
                let fits = [format, args].iter().all(|t| sort(**t) == pointer);
                self.check(fits, "an address is not pointer-wide");
                let counts = dst.is_none_or(|v| var_sort(v).bv_width().is_some());
                self.check(counts, "the number of printed characters is not a bit-vector");
            }
            Op::Escape { addrs, .. } => {
                let fits = addrs.iter().all(|t| sort(*t) == pointer);
                self.check(fits, "an address is not pointer-wide");
            }
            Op::Disturb { .. } => {}
        }
    }

    fn call(&mut self, callee: Func, args: &[Term], dst: Option<Var>) {
        let program = self.program;
        let Some(target) = program.functions.get(callee) else {
            return self.problem(format!("calls {callee}, which does not exist"));
        };
        self.check(callee != program.entry, "calls the entry function");
        if args.len() != target.params.len() {
            let (given, wanted) = (args.len(), target.params.len());
            self.problem(format!("calls '{}' with {given} arguments instead of {wanted}", target.name));
        }
        for (t, v) in args.iter().zip(&target.params) {
            let wanted = program.vars.get(*v).map(|info| info.sort);
            self.check(wanted == Some(program.terms.sort(*t)), "passes an argument of the wrong sort");
        }
        if let Some(v) = dst {
            match target.result.and_then(|r| program.vars.get(r)) {
                None => self.problem(format!("takes a result of '{}', which has none", target.name)),
                Some(info) => self.check(info.sort == program.vars[v].sort, "takes a result of another sort"),
            }
        }
    }

    /// A local variable may be used in its function only.
    fn local_use(&mut self, func: Func, v: Var) {
        if let (VarKind::Local(home), Form::Function) = (self.program.vars[v].kind, self.form)
            && home != func
        {
            self.problem(format!("uses '{}', a local of {home}", self.program.name(v)));
        }
    }

    /// What a term may mention; each term is looked into once per function.
    fn term(&mut self, func: Func, root: Term) {
        let program = self.program;
        let mark = func.index() as u32 + 1;
        let tables = [program.term(program.size), program.term(program.live)];
        let guarded = self.form == Form::Function;
        if guarded && tables.contains(&root) {
            self.problem("uses an object table otherwise than by selecting from it");
        }
        if self.seen[root.index()] == mark {
            return;
        }
        let mut bound: Vec<Term> = Vec::new();
        for t in postorder(&program.terms, &[root]) {
            if let Some((vars, _)) = program.terms.quantifier(t) {
                bound.extend_from_slice(vars);
            }
        }
        for t in postorder(&program.terms, &[root]) {
            if std::mem::replace(&mut self.seen[t.index()], mark) == mark {
                continue;
            }
            match program.terms.op(t) {
                TermOp::Var(_) => match program.var_of(t) {
                    Some(v) => self.local_use(func, v),
                    None if bound.contains(&t) => {}
                    None => {
                        let name = program.terms.symbol_name(t).unwrap_or_default().to_owned();
                        self.problem(format!("mentions '{name}', which is no variable of the program"));
                    }
                },
                TermOp::Apply(_) => self.problem("applies an uninterpreted function"),
                TermOp::Forall | TermOp::Exists if guarded => self.problem("a quantifier in function form"),
                op => {
                    let args = program.terms.args(t);
                    let checked = if op == TermOp::Select { &args[1..] } else { args };
                    if guarded && checked.iter().any(|arg| tables.contains(arg)) {
                        self.problem("uses an object table otherwise than by selecting from it");
                    }
                }
            }
        }
    }
}

/// Whether a value of that sort takes so many bytes in memory.
pub fn storage_fits(sort: Sort, bytes: u32) -> bool {
    match sort {
        Sort::Bv(width) => bytes > 0 && bytes.checked_mul(8) == Some(width),
        // The x87 format has ten bytes of value; the ABIs pad it to twelve or sixteen.
        Sort::Float(Format::X87) => matches!(bytes, 10 | 12 | 16),
        Sort::Float(format) => bytes.checked_mul(8) == Some(format.width()),
        Sort::Bool | Sort::Array(_) => false,
    }
}
