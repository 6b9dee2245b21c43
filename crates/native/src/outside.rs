//! Variables that no file of the program defines: the harness defines them, with what the run found in them.

use crate::harness::bits;
use crate::{Build, library};
use cfa::{ObjectKind, Op, Origin, Program, Var, VarKind};
use interpreter::{Given, Outcome, Owner, Recorded};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// No variable of an unknown size is made larger.
const MOST_BYTES: u64 = 1 << 18;

/// The name of such a variable, and its bytes, where the operation of the program's start gives one its first value.
fn variable<'p>(program: &'p Program, op: &'p Op) -> Option<(&'p str, u64)> {
    let is_named = |var: &Var, name: &str| {
        let info = &program.vars[*var];
        let source = info.source.as_ref().map(|source| source.name.trim_start_matches('&'));
        info.kind == VarKind::Global && source == Some(name)
    };
    match op {
        Op::Havoc { vars, origin: Origin::Extern(name) } => match &vars[..] {
            [var] if is_named(var, name) => {
                let bits = program.vars[*var].sort.bv_width().unwrap_or(64);
                Some((name, u64::from(bits.div_ceil(8))))
            }
            _ => None,
        },
        Op::Alloc { dst, size, kind: ObjectKind::Stack, name } if is_named(dst, name) => {
            Some((name, program.terms.as_bv_const(*size)?.to_u64()?.min(MOST_BYTES)))
        }
        _ => None,
    }
}

/// Whether what the run was given there is the first value of such a variable.
pub(super) fn is_variable(program: &Program, recorded: &Recorded) -> bool {
    let op = &program.functions[recorded.func].edges[recorded.edge].op;
    recorded.func == program.entry && variable(program, op).is_some()
}

/// What code outside put into the object before the program began.
fn changed(outcome: &Outcome, program: &Program, number: u64, bytes: &mut [u8]) {
    let changes = outcome.inputs.iter().filter(|given| given.func == program.entry);
    let changes =
        changes.filter_map(|given| if let Given::Changes(changes) = &given.given { Some(changes) } else { None });
    for change in changes.flatten().filter(|change| change.owner == Owner::Number(number)) {
        let step = usize::try_from(change.stride).ok().filter(|step| *step > 0).unwrap_or(bytes.len().max(1));
        for at in (change.offset as usize..bytes.len()).step_by(step) {
            if let Some(part) = bytes.get_mut(at..at + change.bytes.len()) {
                part.copy_from_slice(&change.bytes);
            }
        }
    }
}

/// Definitions of all of them but those that the C library has, by bytes: the harness knows no types of the program. They
/// give way to definitions of the program's.
pub(super) fn definitions(program: &Program, outcome: &Outcome, build: &Build) -> String {
    let mut contents: BTreeMap<&str, Vec<u8>> = BTreeMap::new();
    // Null is the first object, then come those of the environment, then those of the start in its order.
    let mut made = outcome.environment.len() as u64;
    for (edge, of) in program.functions[program.entry].edges.iter() {
        made += u64::from(matches!(of.op, Op::Alloc { .. }));
        let Some((name, size)) = variable(program, &of.op) else { continue };
        if library::has_variable(name, build.data_model) {
            continue;
        }
        let given = outcome.inputs.iter().find(|given| given.func == program.entry && given.edge == edge);
        let mut bytes = match given.map(|given| &given.given) {
            Some(Given::Value(value)) => bits(value).map_or(Vec::new(), |bits| bits.to_le_bytes().to_vec()),
            Some(Given::Contents(bytes)) => bytes.clone(),
            _ => Vec::new(),
        };
        bytes.resize(size as usize, 0);
        if matches!(of.op, Op::Alloc { .. }) {
            changed(outcome, program, made, &mut bytes);
        }
        contents.insert(name, bytes);
    }
    let mut text = String::new();
    for (name, bytes) in contents {
        let _ = write!(text, "__asm__(\".data\\n.weak {name}\\n.balign 16\\n{name}:\\n");
        for byte in &bytes {
            let _ = write!(text, ".byte {byte}\\n");
        }
        text += ".text\");\n";
    }
    if text.is_empty() { text } else { format!("\n/* Variables that no file defines. */\n{text}") }
}
