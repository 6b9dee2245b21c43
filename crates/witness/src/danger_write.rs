//! Danger invariants that were found, as entries that [`crate::danger`] reads back; and programs with their inputs in place.
//!
//! Both say the choices, functions of the state, as C expressions in the scope of the call of an input function.

use crate::Task;
use crate::correctness::{in_c, keyword, said_in_c};
use crate::files::{InputFile, Place, place};
use crate::metadata::{entry, location};
use crate::scope::is_nameable;
use crate::violation::closing_parenthesis;
use crate::yaml::quoted;
use base::Span;
use cfa::evidence::Danger;
use cfa::{Edge, Frame, Op, Origin, Program};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use term::cprint::CName;
use term::{Store, Term, Value};

/// The entry of a danger invariant about a flat program that was not simplified; its terms live in `terms`. The error says
/// what C cannot say.
pub fn danger_invariant(task: &Task, flat: &Program, terms: &Store, danger: &Danger) -> Result<String, String> {
    let mut left_out = false;
    let mut loops: BTreeMap<Place, String> = BTreeMap::new();
    for (head, tuple) in &danger.ranking {
        let (span, at) = keyword(&task.files, flat, *head).ok_or("a loop has no keyword in the given files")?;
        let frame = flat.main().locs[*head].frame;
        let invariant = danger.invariant.get(head).copied();
        let (text, complete) = match invariant {
            Some(invariant) => in_c(flat, terms, *head, span, invariant),
            None => continue,
        };
        left_out |= !complete;
        let mut item = String::from("    - loop:\n");
        item += &location(&at, true, &flat.frames[frame].function, 8);
        let _ = writeln!(item, "        invariant: {}", quoted(&text.unwrap_or_else(|| "1".into())));
        if !tuple.is_empty() {
            item += "        ranking:\n";
        }
        for component in tuple {
            let text = expression(flat, terms, frame, span, *component);
            let text = text.ok_or("a ranking has no C form at its loop")?;
            let _ = writeln!(item, "          - {}", quoted(&text));
        }
        if loops.insert(at, item.clone()).is_some_and(|before| before != item) {
            return Err("a loop is executed in several activations".into());
        }
    }
    let mut content = String::from("  content:\n");
    loops.values().for_each(|item| content += item);
    let mut said = BTreeMap::new();
    for (edge, chosen) in &danger.choice {
        match input(task, flat, terms, *edge, chosen)? {
            Some((at, item)) => {
                if said.insert(at, item.clone()).is_some_and(|before| before != item) {
                    return Err("an input is read in several activations".into());
                }
            }
            None => left_out = true,
        }
    }
    said.values().for_each(|item| content += item);
    for (var, value) in &danger.initial {
        match (&flat.vars[*var].source, number(value)) {
            (Some(source), Some(number)) => content += &variable(&source.name, number),
            _ => left_out = true,
        }
    }
    let description = left_out.then_some("what C cannot say at its place is left out: the rest may not suffice");
    Ok(entry(task, "danger_invariant", description, &content))
}

/// The item of a choice; nothing where it is about no place in the text.
fn input(
    task: &Task,
    flat: &Program,
    terms: &Store,
    edge: Edge,
    chosen: &[Term],
) -> Result<Option<(Option<Place>, String)>, String> {
    let info = &flat.main().edges[edge];
    let (Op::Havoc { origin, .. }, [chosen]) = (&info.op, chosen) else { return Ok(None) };
    match origin {
        Origin::Input(_) | Origin::Extern(_) => {
            let frame = flat.main().locs[info.from].frame;
            let column = closing_parenthesis(&flat.sources, info.span);
            let at = column.and_then(|c| place(&task.files, &flat.sources, info.span, info.span.end_line, c));
            let at = at.ok_or("an input is read at no place of the given files")?;
            let value = expression(flat, terms, frame, info.span, *chosen);
            let value = value.ok_or("the value of an input has no C form at its call")?;
            let function = &flat.frames[frame].function;
            let item = format!("    - input:\n{}        value: {}\n", location(&at, true, function, 8), quoted(&value));
            Ok(Some((Some(at), item)))
        }
        Origin::Uninitialised(name) => {
            let number = terms.as_value(*chosen).as_ref().and_then(number);
            Ok(number.map(|number| (None, variable(name, number))))
        }
        Origin::Internal => Ok(None),
    }
}

fn variable(name: &str, number: i128) -> String {
    format!("    - variable:\n        name: {}\n        value: {number}\n", quoted(name))
}

fn number(value: &Value) -> Option<i128> {
    match value {
        Value::Bool(b) => Some(i128::from(*b)),
        Value::Bv(bits) => bits.to_i128(),
        _ => None,
    }
}

/// A term as C has it at a place of an activation.
fn expression(flat: &Program, terms: &Store, frame: Frame, at: Span, t: Term) -> Option<String> {
    let names = |store: &Store, t: Term| {
        let var = flat.var_of(t).filter(|v| is_nameable(flat, *v, frame, at))?;
        let source = flat.vars[var].source.as_ref()?;
        Some(CName { text: source.name.clone(), signed: source.signed, width: store.sort(t).bv_width().unwrap_or(0) })
    };
    said_in_c(flat, terms, t, &names)
}

/// The files with calls of input functions replaced by what is chosen, so that the compiled program follows the choices.
/// The error says why that cannot be.
pub fn with_inputs(
    files: &[InputFile],
    flat: &Program,
    terms: &Store,
    danger: &Danger,
) -> Result<Vec<(String, String)>, String> {
    let mut edits: BTreeMap<(String, u32, u32), (u32, String)> = BTreeMap::new();
    for (edge, chosen) in &danger.choice {
        let info = &flat.main().edges[*edge];
        let (Op::Havoc { origin: Origin::Input(_), .. }, [chosen]) = (&info.op, &chosen[..]) else {
            return Err("not every input is the result of an input function".into());
        };
        let (frame, span) = (flat.main().locs[info.from].frame, info.span);
        let at = place(files, &flat.sources, span, span.line, span.col)
            .filter(|_| span.line == span.end_line && closing_parenthesis(&flat.sources, span).is_some())
            .ok_or("an input is read at no place of the given files")?;
        let value = expression(flat, terms, frame, span, *chosen);
        let value = value.ok_or("the value of an input has no C form at its call")?;
        let edit = (span.end_col, value);
        if edits.insert((at.file, at.line, at.column), edit.clone()).is_some_and(|before| before != edit) {
            return Err("an input is read in several activations".into());
        }
    }
    let mut changed = Vec::new();
    for file in files {
        let mut lines: Vec<String> = file.lines().to_vec();
        // Backwards, so that the places that are still to come stay.
        for ((_, line, from), (to, value)) in edits.iter().rev().filter(|((name, ..), _)| *name == file.name) {
            let text: Vec<char> = lines[*line as usize - 1].chars().collect();
            let (from, to) = (*from as usize - 1, *to as usize - 1);
            let part = |range: &[char]| range.iter().collect::<String>();
            let (before, call, after) = (part(&text[..from]), part(&text[from..to]), part(&text[to..]));
            lines[*line as usize - 1] = format!("{before}((__typeof__({call}))({value})){after}");
        }
        changed.push((file.name.clone(), lines.join("\n") + "\n"));
    }
    Ok(changed)
}
