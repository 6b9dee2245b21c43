//! Programs as graphs for Graphviz: one cluster per function, locations as nodes, operations as edge labels.

use crate::program::*;
use crate::text::print_term;
use std::fmt::Write;
use term::Term;

/// The program in the DOT language.
pub fn dot(program: &Program) -> String {
    let mut out = String::from(
        "digraph program {\n  node [shape=box, fontname=\"monospace\", fontsize=10];\n  edge [fontname=\"monospace\", fontsize=9];\n",
    );
    for (id, function) in program.functions.iter() {
        writeln!(out, "  subgraph cluster_{id} {{\n    label=\"{}\";", escape(&function.name)).expect("to a string");
        for (loc, location) in function.locs.iter() {
            node(&mut out, program, id, function, loc, location);
        }
        for edge in function.edges.values() {
            let label = escape(&shorten(&operation(program, &edge.op)));
            writeln!(out, "    {id}_{} -> {id}_{} [label=\"{label}\"];", edge.from, edge.to).expect("to a string");
        }
        out.push_str("  }\n");
    }
    out.push_str("}\n");
    out
}

fn node(out: &mut String, program: &Program, func: Func, function: &Function, loc: Loc, location: &Location) {
    let mut label = loc.to_string();
    let mut style = "";
    match &location.kind {
        LocKind::Plain => {}
        LocKind::Error(violation) => {
            label += &format!("\n{}: {}", violation.property.name(), violation.message);
            style = ", style=filled, fillcolor=\"#f4a6a6\"";
        }
        LocKind::Unsupported(what) => {
            label += &format!("\nunsupported: {what}");
            style = ", style=filled, fillcolor=\"#f4d9a6\"";
        }
        LocKind::BoundHit(what) => {
            label += &format!("\nbound hit: {what}");
            style = ", style=filled, fillcolor=\"#f4d9a6\"";
        }
        LocKind::End(kind) => {
            label += &format!("\nend: {kind:?}");
            style = ", style=filled, fillcolor=\"#d0d0d0\"";
        }
    }
    if loc == function.entry {
        label += "\nentry";
    } else if loc == function.exit {
        label += "\nexit";
    }
    if location.loop_span.is_some() {
        label += "\nloop";
        style = ", style=filled, fillcolor=\"#c5dbf2\"";
    }
    if !location.span.is_nowhere() {
        label += &format!("\n{}", program.sources.place(location.span));
        if let Some(line) = program.sources.line(location.span) {
            label += &format!("\n{}", shorten(line.trim()));
        }
    }
    writeln!(out, "    {func}_{loc} [label=\"{}\"{style}];", escape(&label)).expect("to a string");
}

/// The operation in short.
pub fn operation(program: &Program, op: &Op) -> String {
    let t = |t: &Term| print_term(&program.terms, *t);
    let name = |v: &Var| program.name(*v).to_owned();
    let result = |dst: &Option<Var>| dst.as_ref().map(|v| format!("{} := ", name(v))).unwrap_or_default();
    let list = |terms: &[Term]| terms.iter().map(t).collect::<Vec<_>>().join(", ");
    match op {
        Op::Assume(condition) => format!("[{}]", t(condition)),
        Op::Assign(pairs) => {
            pairs.iter().map(|(v, value)| format!("{} := {}", name(v), t(value))).collect::<Vec<_>>().join("\n")
        }
        Op::Havoc { vars, origin } => {
            let why = match origin {
                Origin::Input(name) => format!(" ({name})"),
                Origin::Uninitialised(_) => " (uninitialised)".to_owned(),
                Origin::Extern(name) => format!(" (extern {name})"),
                Origin::Internal => String::new(),
            };
            format!("havoc {}{why}", vars.iter().map(name).collect::<Vec<_>>().join(", "))
        }
        Op::Load { dst, addr, bytes } => format!("{} := load {bytes} at {}", name(dst), t(addr)),
        Op::Store { addr, value, bytes } => format!("store {bytes} at {} := {}", t(addr), t(value)),
        Op::Alloc { dst, size, kind, .. } => format!("{} := alloc {kind:?} {}", name(dst), t(size)),
        Op::Free { addr } => format!("free {}", t(addr)),
        Op::Dead { addr } => format!("dead {}", t(addr)),
        Op::Copy { dst, src, len } => format!("copy {} <- {} len {}", t(dst), t(src), t(len)),
        Op::Fill { dst, value, len } => format!("fill {} := {} len {}", t(dst), t(value), t(len)),
        Op::Call { callee, args, dst } => {
            let callee = program.functions.get(*callee).map_or("?", |f| f.name.as_str());
            format!("{}{callee}({})", result(dst), list(args))
        }
        Op::Print { format, args, stream, dst } => {
            format!("{}{}({}, {})", result(dst), stream.keyword(), t(format), t(args))
        }
        Op::Escape { addrs, .. } => format!("escape {}", list(addrs)),
        Op::Disturb { by } => format!("disturb by {by}"),
    }
}

/// Labels longer than this make a graph unreadable; the text form has everything.
const LABEL_CHARS: usize = 160;

/// The text, cut where it is too long for a label.
pub fn shorten(text: &str) -> String {
    if text.chars().count() <= LABEL_CHARS {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(LABEL_CHARS).collect();
    short.push('…');
    short
}

/// As it stands between quotes.
pub fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
