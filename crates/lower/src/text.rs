//! Expressions as C, for messages: "a[i] is out of bounds". Conversions are left out, long parts are abbreviated.

use crate::context::float_value;
use cfront::hir::{Builtin, DATE, Expr, ExprKind, Symbol, TIME, TIMESTAMP, UnaryOp, Unit};
use cfront::types::Type;

const LONGEST: usize = 60;

/// `e` as the user might have written it.
pub(crate) fn show(unit: &Unit, e: &Expr) -> String {
    let text = write(unit, e, 0);
    if text.chars().count() <= LONGEST {
        return text;
    }
    let head: String = text.chars().take(LONGEST - 3).collect();
    format!("{head}...")
}

/// Whether the text needs no parentheses as an operand: a name, a member, a cell, a number, a call.
fn is_tight(text: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || "_.[]$".contains(c);
    if text.starts_with('(') {
        return false;
    }
    let mut depth = 0;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '-' if depth == 0 && rest.peek() == Some(&'>') => drop(rest.next()),
            '(' => depth += 1,
            ')' => depth -= 1,
            _ if depth > 0 || is_plain(c) => {}
            _ => return false,
        }
    }
    true
}

/// Nesting beyond this is abbreviated: the message would be cut anyway.
const DEEPEST: u32 = 12;

fn write(unit: &Unit, e: &Expr, depth: u32) -> String {
    if depth > DEEPEST {
        return "...".to_owned();
    }
    let sub = |e: &Expr| write(unit, e, depth + 1);
    // An operand that binds weaker than a postfix or unary operator.
    let tight = |e: &Expr| {
        let text = sub(e);
        if is_tight(&text) { text } else { format!("({text})") }
    };
    match &e.kind {
        ExprKind::Int(n) => match unit.types.int_shape(e.ty) {
            Some((width, true)) if width < 128 && (n >> (width - 1)) & 1 == 1 => format!("-{}", (1u128 << width) - n),
            None if *n == 0 => "NULL".to_owned(),
            _ => n.to_string(),
        },
        ExprKind::Float(bits) => match unit.types[e.ty] {
            Type::Float(kind) => {
                let value = float_value(kind, *bits);
                value.to_f64().map_or_else(|| value.to_string(), |number| format!("{number:?}"))
            }
            _ => "...".to_owned(),
        },
        ExprKind::Address(symbol, _) => match symbol {
            Symbol::Var(v) => format!("&{}", unit.vars[*v].name),
            Symbol::Func(f) => unit.funcs[*f].name.clone(),
            Symbol::Str(_) => "\"...\"".to_owned(),
            Symbol::Label(l) => format!("&&{}", unit.labels[*l].name),
        },
        ExprKind::Var(v) => unit.vars[*v].name.clone(),
        ExprKind::CompoundLiteral(..) => format!("({}){{...}}", unit.types.show(e.ty)),
        ExprKind::Str(s) => {
            let text: String =
                unit.strings[*s].units.iter().filter_map(|u| char::from_u32(*u)).filter(|c| *c != '\0').collect();
            let macros = [(DATE, "__DATE__"), (TIME, "__TIME__"), (TIMESTAMP, "__TIMESTAMP__")];
            match macros.iter().find(|(stands, _)| unit.has_moments && text == *stands) {
                Some((_, name)) => (*name).to_owned(),
                None => format!("{text:?}"),
            }
        }
        ExprKind::Func(f) => unit.funcs[*f].name.clone(),
        ExprKind::Deref(p) => match &strip(unit, p).kind {
            ExprKind::PtrAdd { ptr, index, negative: false, .. } => format!("{}[{}]", tight(ptr), sub(index)),
            ExprKind::AddrOf(place) => sub(place),
            _ => format!("*{}", tight(p)),
        },
        ExprKind::Field(base, index) => {
            let record = unit.types.record(base.ty);
            let name = record.and_then(|r| unit.types.records[r].fields[*index as usize].name.clone());
            let arrow = match &base.kind {
                ExprKind::Deref(p) if !matches!(strip(unit, p).kind, ExprKind::PtrAdd { .. }) => Some(p),
                _ => None,
            };
            match (name, arrow) {
                (Some(name), Some(p)) => format!("{}->{name}", tight(p)),
                (Some(name), None) => format!("{}.{name}", tight(base)),
                (None, _) => sub(base),
            }
        }
        ExprKind::Load(a)
        | ExprKind::Decay(a)
        | ExprKind::FuncDecay(a)
        | ExprKind::Cast(a)
        | ExprKind::ToUnion(a, _) => sub(a),
        ExprKind::AddrOf(a) => format!("&{}", tight(a)),
        ExprKind::Unary(op, a) => {
            let op = match op {
                UnaryOp::Neg => "-",
                UnaryOp::BitNot => "~",
                UnaryOp::Not => "!",
            };
            format!("{op}{}", tight(a))
        }
        ExprKind::Binary(op, a, b) => format!("{} {} {}", tight(a), op.symbol(), tight(b)),
        ExprKind::PtrAdd { ptr, index, negative, .. } => {
            format!("{} {} {}", tight(ptr), if *negative { "-" } else { "+" }, tight(index))
        }
        ExprKind::PtrDiff { left, right, .. } => format!("{} - {}", tight(left), tight(right)),
        ExprKind::LogAnd(a, b) => format!("{} && {}", tight(a), tight(b)),
        ExprKind::LogOr(a, b) => format!("{} || {}", tight(a), tight(b)),
        ExprKind::Cond(c, a, b) => format!("{} ? {} : {}", tight(c), tight(a), tight(b)),
        ExprKind::Elvis { value, other } => format!("{} ?: {}", tight(value), tight(other)),
        ExprKind::Comma(a, b) => format!("{}, {}", sub(a), sub(b)),
        ExprKind::Assign(a, b) => format!("{} = {}", sub(a), sub(b)),
        ExprKind::AssignOp { op, place, value, .. } => format!("{} {}= {}", sub(place), op.symbol(), sub(value)),
        ExprKind::AssignPtrAdd { place, index, negative, .. } => {
            format!("{} {}= {}", sub(place), if *negative { "-" } else { "+" }, sub(index))
        }
        ExprKind::IncDec { place, decrement, postfix, .. } => {
            let op = if *decrement { "--" } else { "++" };
            if *postfix { format!("{}{op}", tight(place)) } else { format!("{op}{}", tight(place)) }
        }
        ExprKind::Call { callee, args } => {
            let args: Vec<String> = args.iter().map(sub).collect();
            format!("{}({})", tight(callee), args.join(", "))
        }
        ExprKind::StmtExpr { .. } => "({ ... })".to_owned(),
        ExprKind::VaStart(a) => format!("va_start({})", sub(a)),
        ExprKind::VaEnd(a) => format!("va_end({})", sub(a)),
        ExprKind::VaCopy(a, b) => format!("va_copy({}, {})", sub(a), sub(b)),
        ExprKind::VaArg(a) => format!("va_arg({}, {})", sub(a), unit.types.show(e.ty)),
        ExprKind::LabelAddr(l) => format!("&&{}", unit.labels[*l].name),
        ExprKind::Builtin(Builtin::Alloca, args) => {
            format!("alloca({})", args.iter().map(sub).collect::<Vec<_>>().join(", "))
        }
        ExprKind::Builtin(Builtin::ArrayLength, args) => args.iter().map(sub).collect(),
        ExprKind::Builtin(b, args) => {
            let args: Vec<String> = args.iter().map(sub).collect();
            format!("{b:?}({})", args.join(", "))
        }
        ExprKind::Unsupported(what) => what.clone(),
    }
}

/// Without conversions between pointers, which say nothing in a message.
fn strip<'a>(unit: &Unit, e: &'a Expr) -> &'a Expr {
    match &e.kind {
        ExprKind::Cast(inner) if matches!(unit.types[inner.ty], Type::Pointer(_)) => strip(unit, inner),
        _ => e,
    }
}
