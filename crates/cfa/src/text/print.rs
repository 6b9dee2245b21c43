//! Programs as text.
//!
//! ```text
//! program  = "machine" ("lp64" | "ilp32") objectbits offsetbits ["defined"]
//!            { "file" FILE "name" }
//!            { "note" severity "message" [ "help" "text" ] [ "at" span ] }
//!            { "frame" FRAME "function" ["caller" FRAME] ["site" FUNC EDGE] ["at" span] }
//!            { "var" name sort ("global" | "memory" | "local" FUNC) ["raw"] [ source ] }
//!            "entry" FUNC
//!            { function }
//! source   = "source" "name" "C type" ["signed"] ["pointer"] ["frame" FRAME] ["at" span]
//! function = "function" FUNC "name" "params" "(" {name} ")" ["result" name] "entry" LOC "exit" LOC ["at" span]
//!            { location { edge } }
//! location = LOC [ "error" property "message" | "unsupported" "what" [lacks] | "bound" "what"
//!                | "end" ("return" | "exit" | "abort" | "blocked") ] ["loop" span]
//!                ["stale" "(" {name} ")"] ["frame" FRAME] ["at" span]
//! edge     = EDGE "->" LOC op ["site" FUNC EDGE] ["at" span]
//! op       = "assume" term | "skip" | "assign" name ":=" term { "," name ":=" term }
//!          | "havoc" "(" {name} ")" ("input" "name" | "uninitialised" "name" | "extern" "name" | "internal")
//!          | "load" bytes address "->" name | "store" bytes address value
//!          | "alloc" size ("static" | "function" | "stack" | "heap") "name" "->" name
//!          | "free" address | "dead" address | "copy" dst src len | "fill" dst value len
//!          | "call" FUNC "(" {term} ")" ["->" name] | "print" format args ["->" name]
//! span     = FILE ":" line ":" column "-" line ":" column
//! ```
//! Ids are `F0` (files), `k0` (frames), `f0` (functions), `L0` (locations), `e0` (edges); terms are described in `term.rs`.
//! Edges stand under the location they leave. The object tables `$size` and `$live` are the first two variables.
//! Comments run from `;` to the end of the line.

use super::lex::{write_name, write_string};
use super::sort::write_sort;
use super::term::{Names, write_term};
use crate::machine::DataModel;
use crate::program::*;
use base::{Severity, Span};
use std::fmt::Write;
use term::Term;

impl Names for Program {
    fn is_known(&self, t: Term) -> bool {
        self.var_of(t).is_some()
    }
}

/// The whole program as text that `parse` reads back exactly.
pub fn print(program: &Program) -> String {
    Printer { program, out: String::new(), annotated: false }.run()
}

/// The same with source lines and names of called functions as comments, for people.
pub fn print_annotated(program: &Program) -> String {
    Printer { program, out: String::new(), annotated: true }.run()
}

struct Printer<'p> {
    program: &'p Program,
    out: String,
    annotated: bool,
}

impl Printer<'_> {
    fn run(mut self) -> String {
        let program = self.program;
        let machine = program.machine;
        let model = match machine.data_model {
            DataModel::Lp64 => "lp64",
            DataModel::Ilp32 => "ilp32",
        };
        let defined = if program.ends_at_undefined { " defined" } else { "" };
        self.text(&format!("machine {model} {} {}{defined}\n", machine.object_bits, machine.offset_bits));
        for (id, file) in program.sources.files().iter() {
            self.text(&format!("file {id} "));
            write_string(&mut self.out, &file.name);
            self.text("\n");
        }
        for note in &program.notes {
            self.note(note);
        }
        for (id, frame) in program.frames.iter() {
            self.frame(id, frame);
        }
        for v in program.vars.ids() {
            self.var(v);
        }
        self.text(&format!("entry {}\n", program.entry));
        for (id, function) in program.functions.iter() {
            self.function(id, function);
        }
        self.out
    }

    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn name(&mut self, v: Var) {
        write_name(&mut self.out, self.program.name(v));
    }

    fn string(&mut self, keyword: &str, text: &str) {
        self.text(keyword);
        write_string(&mut self.out, text);
    }

    fn term(&mut self, t: Term) {
        self.out.push(' ');
        write_term(&mut self.out, &self.program.terms, self.program, t);
    }

    fn span(&mut self, keyword: &str, span: Span) {
        if !span.is_nowhere() {
            let Span { file, line, col, end_line, end_col } = span;
            write!(self.out, " {keyword} {file}:{line}:{col}-{end_line}:{end_col}").expect("writing to a string");
        }
    }

    fn note(&mut self, note: &base::Diagnostic) {
        let severity = match note.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        self.string(&format!("note {severity} "), &note.message);
        if let Some(help) = &note.help {
            self.string(" help ", help);
        }
        if let Some(span) = note.span {
            self.span("at", span);
        }
        self.text("\n");
    }

    fn site(&mut self, site: Option<(Func, Edge)>) {
        if let Some((func, edge)) = site {
            self.text(&format!(" site {func} {edge}"));
        }
    }

    fn frame(&mut self, id: Frame, frame: &FrameInfo) {
        self.string(&format!("frame {id} "), &frame.function);
        if let Some(caller) = frame.caller {
            self.text(&format!(" caller {caller}"));
        }
        self.site(frame.site);
        self.span("at", frame.call_span);
        self.text("\n");
    }

    fn in_frame(&mut self, frame: Frame) {
        if frame != Frame::ROOT {
            self.text(&format!(" frame {frame}"));
        }
    }

    fn var(&mut self, v: Var) {
        let info = &self.program.vars[v];
        self.text("var ");
        self.name(v);
        self.text(" ");
        write_sort(&mut self.out, info.sort);
        match info.kind {
            VarKind::Global => self.text(" global"),
            VarKind::Memory => self.text(" memory"),
            VarKind::Local(func) => self.text(&format!(" local {func}")),
        }
        self.text(if info.raw { " raw" } else { "" });
        self.text(if info.pointer { " address" } else { "" });
        if let Some(source) = &info.source {
            self.string(" source ", &source.name);
            self.string(" ", &source.ctype);
            self.text(if source.signed { " signed" } else { "" });
            self.text(if source.pointer { " pointer" } else { "" });
            self.in_frame(source.frame);
            self.span("at", source.span);
        }
        self.text("\n");
    }

    fn names(&mut self, vars: &[Var]) {
        for (i, v) in vars.iter().enumerate() {
            self.text(if i > 0 { " " } else { "" });
            self.name(*v);
        }
    }

    fn function(&mut self, id: Func, function: &Function) {
        self.string(&format!("\nfunction {id} "), &function.name);
        self.text(" params (");
        self.names(&function.params);
        self.text(")");
        if let Some(v) = function.result {
            self.text(" result ");
            self.name(v);
        }
        self.text(&format!(" entry {} exit {}", function.entry, function.exit));
        self.span("at", function.span);
        self.text("\n");
        let successors = function.successors();
        // Where the shown source line does not change, it is not repeated.
        let mut shown = None;
        for (loc, location) in function.locs.iter() {
            self.source_line(location.span, &mut shown);
            self.location(loc, location);
            for &e in &successors[loc] {
                self.edge(e, &function.edges[e]);
            }
        }
    }

    fn source_line(&mut self, span: Span, shown: &mut Option<(base::FileId, u32)>) {
        if !self.annotated || *shown == Some((span.file, span.line)) {
            return;
        }
        let sources = &self.program.sources;
        if let (Some(line), Some(file)) = (sources.line(span), sources.file(span.file)) {
            *shown = Some((span.file, span.line));
            let comment = format!("  ; {}:{}: {}\n", file.name, span.line, line.trim());
            self.text(&comment);
        }
    }

    fn location(&mut self, loc: Loc, location: &Location) {
        self.text(&format!("  {loc}"));
        match &location.kind {
            LocKind::Plain => {}
            LocKind::Error(violation) => {
                let property = match violation.property {
                    Property::Invariant(number) => format!("{} {number}", violation.property.name()),
                    property => property.name().to_owned(),
                };
                self.string(&format!(" error {property} "), &violation.message)
            }
            LocKind::Unsupported(Unmodelled { what, lacks }) => {
                self.string(" unsupported ", what);
                for (_, name) in Lacks::ALL.iter().filter(|(known, name)| known == lacks && !name.is_empty()) {
                    self.text(&format!(" {name}"));
                }
            }
            LocKind::BoundHit(what) => self.string(" bound ", what),
            LocKind::End(kind) => self.text(match kind {
                EndKind::Return => " end return",
                EndKind::Exit => " end exit",
                EndKind::Abort => " end abort",
                EndKind::Blocked => " end blocked",
            }),
        }
        if let Some(span) = location.loop_span {
            let nowhere = if span.is_nowhere() { " loop nowhere" } else { "" };
            self.text(nowhere);
            self.span("loop", span);
        }
        if !location.stale.is_empty() {
            self.text(" stale (");
            self.names(&location.stale);
            self.text(")");
        }
        self.in_frame(location.frame);
        self.span("at", location.span);
        self.text("\n");
    }

    fn edge(&mut self, id: Edge, edge: &EdgeInfo) {
        self.text(&format!("    {id} -> {} ", edge.to));
        self.op(&edge.op);
        self.site(edge.site);
        self.span("at", edge.span);
        if self.annotated
            && let Op::Call { callee, .. } = edge.op
            && let Some(callee) = self.program.functions.get(callee)
        {
            self.text(&format!(" ; {}", callee.name));
        }
        self.text("\n");
    }

    fn op(&mut self, op: &Op) {
        match op {
            Op::Assume(condition) => {
                self.text("assume");
                self.term(*condition);
            }
            Op::Assign(pairs) if pairs.is_empty() => self.text("skip"),
            Op::Assign(pairs) => {
                self.text("assign");
                for (i, (v, t)) in pairs.iter().enumerate() {
                    self.text(if i > 0 { ", " } else { " " });
                    self.name(*v);
                    self.text(" :=");
                    self.term(*t);
                }
            }
            Op::Havoc { vars, origin } => {
                self.text("havoc (");
                self.names(vars);
                self.text(")");
                match origin {
                    Origin::Input(name) => self.string(" input ", name),
                    Origin::Uninitialised(name) => self.string(" uninitialised ", name),
                    Origin::Extern(name) => self.string(" extern ", name),
                    Origin::Internal => self.text(" internal"),
                }
            }
            Op::Load { dst, addr, bytes } => {
                self.words(&format!("load {bytes}"), &[*addr]);
                self.result(Some(*dst));
            }
            Op::Store { addr, value, bytes } => self.words(&format!("store {bytes}"), &[*addr, *value]),
            Op::Alloc { dst, size, kind, name } => {
                self.words("alloc", &[*size]);
                self.text(match kind {
                    ObjectKind::Static => " static",
                    ObjectKind::Literal => " literal",
                    ObjectKind::Function => " function",
                    ObjectKind::Callback => " callback",
                    ObjectKind::Stack => " stack",
                    ObjectKind::Heap => " heap",
                });
                self.string(" ", name);
                self.result(Some(*dst));
            }
            Op::Free { addr } => self.words("free", &[*addr]),
            Op::Dead { addr } => self.words("dead", &[*addr]),
            Op::Copy { dst, src, len } => self.words("copy", &[*dst, *src, *len]),
            Op::Fill { dst, value, len } => self.words("fill", &[*dst, *value, *len]),
            Op::Call { callee, args, dst } => {
                self.text(&format!("call {callee} ("));
                for (i, t) in args.iter().enumerate() {
                    self.text(if i > 0 { " " } else { "" });
                    write_term(&mut self.out, &self.program.terms, self.program, *t);
                }
                self.text(")");
                self.result(*dst);
            }
            Op::Print { format, args, stream, dst } => {
                self.words(stream.keyword(), &[*format, *args]);
                self.result(*dst);
            }
            Op::Escape { addrs, writable } => {
                self.text(if *writable { "escape writable (" } else { "escape constant (" });
                for (i, t) in addrs.iter().enumerate() {
                    self.text(if i > 0 { " " } else { "" });
                    write_term(&mut self.out, &self.program.terms, self.program, *t);
                }
                self.text(")");
            }
            Op::Disturb { by } => {
                self.text("disturb");
                self.string(" ", by);
            }
        }
    }

    fn words(&mut self, keyword: &str, terms: &[Term]) {
        self.text(keyword);
        for t in terms {
            self.term(*t);
        }
    }

    fn result(&mut self, dst: Option<Var>) {
        if let Some(v) = dst {
            self.text(" -> ");
            self.name(v);
        }
    }
}
