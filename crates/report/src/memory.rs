//! Memory where a run ends: the objects around the wrong access, what they hold and what points to them, so that it can be
//! told and drawn.

use crate::fault::Fault;
use crate::model::{Memory, MemoryCell, MemoryObject};
use crate::objects::{Object, Objects, is_char, text};
use base::Span;
use base::source::SourceFile;
use cfa::shape::{Scalar, Shape};
use cfa::{Func, ObjectKind, Program, Var};
use interpreter::State;
use std::collections::BTreeMap;

/// More objects than this are counted only.
const MOST_OBJECTS: usize = 8;
/// More parts of an object than this are not shown.
const MOST_CELLS: usize = 6;
/// Nor more characters than this of a text.
const LONGEST_TEXT: u64 = 40;

/// An activation: where control is in it, and what its pointer variables hold.
pub(crate) struct Frame {
    pub(crate) func: Func,
    pub(crate) at: Span,
    pub(crate) pointers: Vec<(Var, u64)>,
}

/// What there is around a fault; nothing where no pointer and no block plays a part. `frames` are from the outermost to the
/// innermost.
pub(crate) fn memory(
    program: &Program,
    objects: &Objects<'_>,
    state: &State<'_>,
    frames: &[Frame],
    fault: &Fault,
) -> Option<Memory> {
    let mut all: BTreeMap<u64, Vec<Found>> = BTreeMap::new();
    for (number, object) in objects.iter().filter(|(_, object)| is_shown(objects, object)) {
        all.insert(number, contents(objects, state, number, object));
    }
    let pointers = variables(program, frames);
    let known = |address: u64| Some(objects.split(address).0).filter(|number| all.contains_key(number));
    // From the object in question, or from what the failing function has in hand, along pointers in both directions.
    let innermost = frames.iter().rev().find(|frame| !frame.pointers.is_empty());
    let mut chosen: Vec<u64> = match fault.object {
        Some(number) => vec![number],
        None => innermost.iter().flat_map(|frame| frame.pointers.iter()).filter_map(|(_, to)| known(*to)).collect(),
    };
    chosen.retain(|number| all.contains_key(number));
    chosen.sort_unstable();
    chosen.dedup();
    let mut next = 0;
    while next < chosen.len() {
        let at = chosen[next];
        next += 1;
        let leads = |from: u64, to: u64| all[&from].iter().any(|found| found.to.and_then(known) == Some(to));
        for other in all.keys().filter(|other| leads(at, **other) || leads(**other, at)) {
            if !chosen.contains(other) {
                chosen.push(*other);
            }
        }
    }
    let more = chosen.len().saturating_sub(MOST_OBJECTS);
    chosen.truncate(MOST_OBJECTS);
    chosen.sort_unstable();

    let index = |address: u64| chosen.iter().position(|number| *number == objects.split(address).0);
    let cell = |name: String, value: String, to: Option<u64>| {
        let target = to.and_then(index);
        let value = target.and_then(|_| Some(target_name(objects, to?))).unwrap_or(value);
        MemoryCell { name, value, to: target }
    };
    let pointers: Vec<MemoryCell> = pointers
        .into_iter()
        .map(|(name, to)| cell(name, String::new(), Some(to)))
        .filter(|pointer| pointer.to.is_some())
        .collect();
    let object = |number: &u64| {
        let object = objects.get(*number)?;
        Some(MemoryObject {
            name: objects.name(object)?,
            bytes: object.size,
            allocated: objects.birth(object).filter(|_| object.kind == ObjectKind::Heap),
            is_live: object.ended.is_none(),
            ended: object.ended.clone().flatten(),
            is_wrong: fault.object == Some(*number),
            cells: all[number].iter().map(|found| cell(found.name.clone(), found.value.clone(), found.to)).collect(),
        })
    };
    let shown = chosen.iter().map(object).collect::<Option<Vec<MemoryObject>>>()?;
    let is_telling = !pointers.is_empty() || shown.iter().any(|object| object.allocated.is_some());
    is_telling.then_some(Memory { pointers, objects: shown, more })
}

/// Blocks and the user's variables; not functions, string literals and what is ours.
fn is_shown(objects: &Objects<'_>, object: &Object) -> bool {
    match object.kind {
        ObjectKind::Heap => objects.birth(object).is_some(),
        ObjectKind::Stack | ObjectKind::Static | ObjectKind::Literal => objects.variable(object).is_some(),
        ObjectKind::Function | ObjectKind::Callback => false,
    }
}

/// A part of an object.
struct Found {
    name: String,
    value: String,
    /// The address that it holds.
    to: Option<u64>,
}

fn contents(objects: &Objects<'_>, state: &State<'_>, number: u64, object: &Object) -> Vec<Found> {
    let Some(shape) = objects.shape(object) else { return Vec::new() };
    let start = objects.address_of(number);
    // Of a block that was freed, what it held then.
    let Some(all) = object.last.as_deref().or_else(|| state.bytes(start, object.size)) else { return Vec::new() };
    let mut parts = Vec::new();
    parts_of(shape, 0, object.size, String::new(), &mut parts);
    // Of a single element, its index says nothing.
    let is_single = matches!(**shape, Shape::Array { stride, count: u64::MAX, .. } if stride >= object.size);
    let found = |(path, offset, part): &(String, u64, Part<'_>)| {
        let path = if is_single { path.trim_start_matches("[0]") } else { path };
        let name = path.strip_prefix('.').unwrap_or(path).to_owned();
        let bytes = |len: u64| all.get(*offset as usize..(*offset + len) as usize);
        let set = |len: u64| bytes(len).filter(|_| object.is_written(*offset, len));
        let (value, to) = match part {
            Part::Text(len) => {
                let end = (1..=*len).take_while(|end| object.is_written(*offset, *end)).last().unwrap_or(0);
                (bytes(end).filter(|bytes| !bytes.is_empty()).map(text), None)
            }
            Part::Scalar(scalar) => {
                let bytes = set(u64::from(scalar.bytes));
                let to = bytes.filter(|bytes| scalar.pointer && bytes.len() <= 8);
                let to = to.map(|bytes| bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)));
                (bytes.map(|bytes| objects.show_scalar(scalar, bytes)), to)
            }
        };
        Found { name, value: value.unwrap_or_else(|| "not set".to_owned()), to }
    };
    parts.iter().map(found).collect()
}

enum Part<'s> {
    Scalar(&'s Scalar),
    /// So many characters.
    Text(u64),
}

impl Part<'_> {
    fn bytes(&self) -> u64 {
        match self {
            Part::Scalar(scalar) => u64::from(scalar.bytes),
            Part::Text(len) => *len,
        }
    }
}

/// The first parts of so many bytes of a shape, in order, with how C gets to them; of members that share a place, the first.
fn parts_of<'s>(shape: &'s Shape, start: u64, size: u64, path: String, out: &mut Vec<(String, u64, Part<'s>)>) {
    let is_free = out.last().is_none_or(|(_, last, part)| start >= last + part.bytes());
    if out.len() >= MOST_CELLS || start >= size {
        return;
    }
    match shape {
        Shape::Scalar(scalar) => {
            if start + u64::from(scalar.bytes) <= size && is_free {
                out.push((path, start, Part::Scalar(scalar)));
            }
        }
        Shape::Record(members) => {
            for (name, offset, member) in members {
                let path = name.as_ref().map_or_else(|| path.clone(), |name| format!("{path}.{name}"));
                parts_of(member, start + offset, size, path, out);
            }
        }
        Shape::Array { stride, count, of } => {
            let most = (size - start).checked_div(*stride).unwrap_or(0).min(*count);
            if matches!(&**of, Shape::Scalar(scalar) if is_char(&scalar.ctype)) {
                if is_free {
                    out.push((path, start, Part::Text(most.min(LONGEST_TEXT))));
                }
                return;
            }
            for index in 0..most.min(MOST_CELLS as u64) {
                parts_of(of, start + index * stride, size, format!("{path}[{index}]"), out);
            }
        }
    }
}

/// What an address in an object is called.
fn target_name(objects: &Objects<'_>, address: u64) -> String {
    let (number, offset) = objects.split(address);
    let name = objects.get(number).and_then(|object| objects.name(object)).unwrap_or_default();
    match offset {
        0 => name,
        1.. => format!("{name}, byte {offset}"),
        _ => format!("{} before {name}", -offset),
    }
}

/// The pointer variables that are in scope, innermost first.
fn variables(program: &Program, frames: &[Frame]) -> Vec<(String, u64)> {
    let mut found: Vec<(String, u64)> = Vec::new();
    let innermost = frames.iter().rev().find(|frame| crate::execution::is_users(program, frame.at));
    for frame in frames.iter().rev() {
        for (var, value) in &frame.pointers {
            let Some(source) = &program.vars[*var].source else { continue };
            let is_global = !program.name(*var).contains("::");
            let is_here = innermost.is_some_and(|innermost| innermost.func == frame.func);
            let file = program.sources.file(source.span.file);
            if !is_global && !file.is_some_and(|file| in_scope(file, source.span, frame.at)) {
                continue;
            }
            let name = match is_global || is_here {
                true => source.name.clone(),
                false => format!("{} in {}", source.name, program.functions[frame.func].name),
            };
            if !found.iter().any(|(known, _)| *known == name) {
                found.push((name, *value));
            }
        }
    }
    found
}

/// Whether what is declared at a place can be named at another one: no brace that closes its block stands between them, nor
/// the end of the loop whose head declares it. In doubt it cannot.
fn in_scope(file: &SourceFile, declared: Span, at: Span) -> bool {
    if declared.file != at.file || (at.line, at.col) < (declared.line, declared.col) {
        return false;
    }
    let (mut braces, mut parentheses, mut in_comment) = (0_i32, 0_i32, false);
    let mut in_head = false;
    let lines = file.lines.iter().enumerate().skip(declared.line as usize - 1);
    for (number, line) in lines.take((at.line - declared.line) as usize + 1) {
        let mut rest: &[u8] = line.as_bytes();
        let end = if number + 1 == at.line as usize { at.col as usize - 1 } else { rest.len() };
        rest = &rest[..end.min(rest.len())];
        let mut i = if number + 1 == declared.line as usize { declared.col as usize - 1 } else { 0 };
        while i < rest.len() {
            let next = rest.get(i + 1);
            match rest[i] {
                b'*' if in_comment && next == Some(&b'/') => in_comment = false,
                _ if in_comment => {}
                b'/' if next == Some(&b'/') => break,
                b'/' if next == Some(&b'*') => in_comment = true,
                quote @ (b'"' | b'\'') => {
                    i += 1;
                    while i < rest.len() && rest[i] != quote {
                        i += if rest[i] == b'\\' { 2 } else { 1 };
                    }
                }
                b'{' => braces += 1,
                b'}' => {
                    braces -= 1;
                    if braces < 0 || in_head && braces == 0 {
                        return false;
                    }
                }
                b'(' => parentheses += 1,
                b')' => {
                    parentheses -= 1;
                    // It was declared in the head of a loop, or of a function.
                    if parentheses < 0 {
                        (parentheses, in_head) = (0, true);
                    }
                }
                b';' if in_head && braces == 0 && parentheses == 0 => return false,
                _ => {}
            }
            i += 1;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `@` is the declaration, `!` the place.
    fn is_in_scope(text: &str) -> bool {
        let place = |mark: char| {
            let (line, text) = text.lines().enumerate().find(|(_, line)| line.contains(mark)).expect("a mark");
            let column = text.find(mark).expect("a mark");
            Span { line: line as u32 + 1, col: column as u32 + 1, ..Span::nowhere() }
        };
        let file = SourceFile { name: String::new(), lines: text.lines().map(str::to_owned).collect() };
        in_scope(&file, place('@'), place('!'))
    }

    #[test]
    fn scopes_end_with_their_blocks() {
        assert!(is_in_scope("{ int @p;\n f(\")}\"); // }\n { x; }\n ! }"));
        assert!(!is_in_scope("{ { int @p;\n } ! }"));
        assert!(!is_in_scope("{ !\n int @p; }"));
        assert!(is_in_scope("for (int *@p = f(); p; p++) {\n if (x) { y; }\n ! }"));
        assert!(!is_in_scope("for (int *@p = f(); p; p++) {\n y; }\n !"));
        assert!(!is_in_scope("for (int *@p = f(); p; p++)\n y;\n !"));
        assert!(is_in_scope("for (int *@p = f(); p; p++)\n !"));
        assert!(is_in_scope("int f(int *@p) { while (x) { y; }\n ! }"));
        assert!(!is_in_scope("int f(int *@p) { while (x) { y; }\n }\n int g() { ! }"));
    }
}
