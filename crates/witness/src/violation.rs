//! Violation witnesses: one `function_return` for every call of an input function, then the target.

use crate::Task;
use crate::files::{Place, place};
use crate::metadata::{entry, location};
use crate::yaml::quoted;
use base::{Sources, Span};
use cfa::{Edge, EdgeInfo, Loc, Op, Origin, Program, Property};
use interpreter::{Given, Outcome};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use term::{Bits, FloatValue, Format, RoundingMode, Value};

/// A witness of a violating run of the lowered program; `target` is the statement in the user's code where it ends. The
/// error says why there is none.
pub fn violation(
    task: &Task,
    program: &Program,
    outcome: &Outcome,
    property: Property,
    target: Span,
    function: &str,
) -> Result<String, String> {
    let mut returns = Returns::default();
    for recorded in &outcome.inputs {
        let edge = &program.functions[recorded.func].edges[recorded.edge];
        let function = &program.functions[recorded.func].name;
        returns.add(task, program, edge, &recorded.given, function);
    }
    returns.write(task, program, property, target, function)
}

/// A witness of a run that is too long to be written down: its first inputs in the flat program, and its target.
pub fn beginning(
    task: &Task,
    flat: &Program,
    inputs: &[(Edge, Vec<Value>)],
    property: Property,
    target: Loc,
) -> Result<String, String> {
    let mut returns = Returns::default();
    for (edge, values) in inputs {
        let edge = &flat.main().edges[*edge];
        let function = &flat.frames[flat.main().locs[edge.from].frame].function;
        if let [value] = &values[..] {
            returns.add(task, flat, edge, &Given::Value(value.clone()), function);
        }
    }
    let target = &flat.main().locs[target];
    returns.write(task, flat, property, target.span, &flat.frames[target.frame].function)
}

/// What the calls of input functions returned, in their order.
#[derive(Default, PartialEq, Eq)]
pub(crate) struct Returns {
    /// Place, value, function.
    pub(crate) waypoints: Vec<(Place, String, String)>,
    /// Every visit of a place takes one waypoint: where one visit has none, no visit may have one.
    pub(crate) silent: BTreeSet<Place>,
}

impl Returns {
    pub(crate) fn add(&mut self, task: &Task, program: &Program, edge: &EdgeInfo, given: &Given, function: &str) {
        let Some((name, at)) = input_call(task, program, edge) else { return };
        match constant(given, name) {
            Some(value) => self.waypoints.push((at, value, function.to_owned())),
            None => {
                self.silent.insert(at);
            }
        }
    }

    /// A segment for each, with the action.
    pub(crate) fn segments(&self, action: &str) -> String {
        let mut content = String::new();
        for (at, value, function) in self.waypoints.iter().filter(|(at, ..)| !self.silent.contains(at)) {
            content += "    - segment:\n        - waypoint:\n            type: function_return\n";
            let constraint = quoted(&format!("\\result == {value}"));
            let _ = writeln!(
                content,
                "            action: {action}\n            constraint:\n              value: {constraint}"
            );
            content += "              format: ext_c_expression\n";
            content += &location(at, true, function, 12);
        }
        content
    }

    fn write(
        &self,
        task: &Task,
        program: &Program,
        property: Property,
        target: Span,
        function: &str,
    ) -> Result<String, String> {
        let target = place(&task.files, &program.sources, target, target.line, target.col)
            .ok_or("the violation is at no place of the given files")?;
        let mut content = String::from("  content:\n") + &self.segments("follow");
        content += "    - segment:\n        - waypoint:\n            type: target\n            action: follow\n";
        // What violates other properties may be the middle of a full expression, whose start is then what counts.
        content += &location(&target, property == Property::UnreachCall, function, 12);
        let description = (!self.silent.is_empty()).then_some("some inputs have no C constant and are left out");
        Ok(entry(task, "violation_sequence", description, &content))
    }
}

/// The call of an input function that a value was given for: its name and its closing parenthesis.
fn input_call<'p>(task: &Task, program: &Program, edge: &'p EdgeInfo) -> Option<(&'p str, Place)> {
    let Op::Havoc { origin: Origin::Input(name), .. } = &edge.op else { return None };
    let span = edge.span;
    let column = closing_parenthesis(&program.sources, span)?;
    Some((name, place(&task.files, &program.sources, span, span.end_line, column)?))
}

/// The column of the parenthesis that ends the span; nothing where macros hide it.
pub(crate) fn closing_parenthesis(sources: &Sources, span: Span) -> Option<u32> {
    let last = Span { line: span.end_line, ..span };
    let column = span.end_col.checked_sub(1)?;
    let c = sources.line(last)?.chars().nth(column.checked_sub(1)? as usize)?;
    (c == ')').then_some(column)
}

/// The value as a C constant of the type that the input function returns.
fn constant(given: &Given, name: &str) -> Option<String> {
    let kind = name.strip_prefix("__VERIFIER_nondet_")?;
    if matches!(kind, "pointer" | "pchar" | "memory") {
        return None;
    }
    let Given::Value(value) = given else { return None };
    match value {
        Value::Bool(b) => Some(u8::from(*b).to_string()),
        Value::Bv(bits) if kind == "bool" => Some(u8::from(!bits.is_zero()).to_string()),
        Value::Bv(bits) => integer(bits, is_signed(kind)),
        Value::Float(x) => double(x).filter(|x| x.is_finite()).map(|x| format!("{x:?}")),
        Value::Array(_) => None,
    }
}

/// The same number as a double, if it is one.
fn double(x: &FloatValue) -> Option<f64> {
    let fits = matches!(x.format(), Format::F32 | Format::F64);
    x.convert(Format::F64, RoundingMode::NearestEven).to_f64().filter(|_| fits)
}

fn is_signed(kind: &str) -> bool {
    !(kind.starts_with('u') || matches!(kind, "size_t" | "sector_t" | "pthread_t"))
}

/// C has no negative constants, and none beyond 64 bits.
fn integer(bits: &Bits, signed: bool) -> Option<String> {
    let number = if signed { bits.to_bigint() } else { bits.to_biguint().into() };
    if let Ok(small) = i64::try_from(&number) {
        return Some(match small {
            i64::MIN => "(-9223372036854775807LL - 1)".to_owned(),
            small if i32::try_from(small).is_ok() => small.to_string(),
            small => format!("{small}LL"),
        });
    }
    u64::try_from(&number).ok().map(|large| format!("{large}ULL"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants() {
        let text = |n: u128, width, kind: &str| {
            constant(&Given::Value(Value::Bv(Bits::new(n, width))), &format!("__VERIFIER_nondet_{kind}"))
        };
        assert_eq!(text(0xffff_ffff, 32, "int").as_deref(), Some("-1"));
        assert_eq!(text(0xffff_ffff, 32, "uint").as_deref(), Some("4294967295LL"));
        assert_eq!(text(0xff, 8, "bool").as_deref(), Some("1"));
        assert_eq!(text(1 << 63, 64, "long").as_deref(), Some("(-9223372036854775807LL - 1)"));
        assert_eq!(text(1 << 63, 64, "ulong").as_deref(), Some("9223372036854775808ULL"));
        assert_eq!(text(5, 64, "pointer"), None);
        let half = FloatValue::from_f64(0.5).convert(Format::F32, RoundingMode::NearestEven);
        assert_eq!(constant(&Given::Value(Value::Float(half)), "__VERIFIER_nondet_float").as_deref(), Some("0.5"));
    }
}
