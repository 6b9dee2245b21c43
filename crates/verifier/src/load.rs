//! From files to programs: front end, library models, lowering, tail calls as loops, and which passes prepare a program for
//! engines.

use crate::near;
use crate::precondition::{Kind, Parameter, Pointee};
use crate::request::Subject;
use base::Span;
use cfa::{Program, Property};
use cfront::Input;
use cfront::hir::{ExprKind, FuncId, Storage, Unit, VarId};
use cfront::inject::Injections;
use cfront::walk::walk_stmt;
use std::collections::BTreeSet;
use transform::memory::{self, SeenParts};
use transform::{Aim, pipeline};

/// Why a request cannot be worked on: the user's input or the machine. For the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadInput {
    Message(String),
    /// What is wrong with the program, with places and source lines, as compilers say it.
    Diagnostics(String),
}

impl std::fmt::Display for BadInput {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BadInput::Message(message) => write!(f, "error: {message}"),
            BadInput::Diagnostics(text) => f.write_str(text),
        }
    }
}

impl From<String> for BadInput {
    fn from(message: String) -> BadInput {
        BadInput::Message(message)
    }
}

/// The program in function form.
pub fn lowered(subject: &Subject) -> Result<Program, BadInput> {
    lowered_and_listed(subject).map(|(program, _)| program)
}

/// And the properties that there is something to check for.
pub(crate) fn lowered_and_listed(subject: &Subject) -> Result<(Program, BTreeSet<Property>), BadInput> {
    read(subject, &subject.front.injections).map(|read| (read.program, read.checked))
}

/// The program in function form with expressions put into it, and which of them found their places (`Unit::injected`).
pub fn with_injections(subject: &Subject, injections: &Injections) -> Result<(Program, Vec<Option<Span>>), BadInput> {
    read(subject, injections).map(|read| (read.program, read.injected))
}

struct Read {
    program: Program,
    checked: BTreeSet<Property>,
    injected: Vec<Option<Span>>,
}

fn parsed(subject: &Subject, injections: &Injections) -> Result<Unit, BadInput> {
    let inputs: Vec<Input> = subject.files.iter().cloned().map(Input::Path).collect();
    let checks = |property| subject.lowering.properties.contains(&property);
    let options = cfront::Options {
        kept: cfront::Kept {
            overflow: checks(Property::NoOverflow),
            wraparound: checks(Property::UnsignedOverflow),
            shift: checks(Property::UndefinedShift),
            conversion: checks(Property::Conversion) || checks(Property::UndefinedConversion),
            float: checks(Property::Float),
            pointer: checks(Property::PointerOverflow),
        },
        include_dirs: subject.includes.clone(),
        defines: subject.defines.clone(),
        injections: injections.clone(),
        model: subject.data_model,
        ..subject.front.clone()
    };
    let lowering = &subject.lowering;
    lower::library::load_with_files(&inputs, &options, &lowering.entry, lowering.files)
        .map_err(|failure| BadInput::Diagnostics(failure.render()))
}

fn read(subject: &Subject, injections: &Injections) -> Result<Read, BadInput> {
    let unit = parsed(subject, injections)?;
    if let Some(wrong) = subject.lowering.missing_line(&unit.sources) {
        return Err(BadInput::Message(format!("--only-lines: {wrong}")));
    }
    let lowered = cfront::with_big_stack(|| lower::lower_and_list(&unit, &subject.lowering));
    let (program, checked) = lowered.map_err(|diagnostics| {
        let messages: Vec<String> = diagnostics.iter().map(|d| d.render(&unit.sources)).collect();
        let defined = |name: &str| unit.func(name).is_some_and(|id| unit.funcs[id].body.is_some());
        let entry = &subject.lowering.entry;
        let is_users = |f: &&cfront::hir::Func| {
            let file = unit.sources.file(f.span.file);
            f.body.is_some() && file.is_some_and(|file| !file.name.starts_with(lower::library::FOLDER))
        };
        let functions = unit.funcs.values().filter(is_users).map(|f| f.name.as_str());
        let hint = if defined(entry) { String::new() } else { hint(entry, functions.collect()) };
        BadInput::Diagnostics(messages.join("\n").trim_end().to_owned() + &hint)
    })?;
    Ok(Read { program: transform::fold_tail_calls(program), checked, injected: unit.injected })
}

/// The parameters of the entry function, where it is defined, takes no further arguments and has no contract.
pub(crate) fn parameters(subject: &Subject) -> Option<Vec<Parameter>> {
    let unit = parsed(subject, &Injections::default()).ok()?;
    parameters_of(&unit, unit.func(&subject.lowering.entry)?)
}

fn parameters_of(unit: &Unit, id: FuncId) -> Option<Vec<Parameter>> {
    let (func, types) = (&unit.funcs[id], &unit.types);
    if func.body.is_none() || func.contract.is_some() || types.function(func.ty).is_none_or(|f| f.variadic) {
        return None;
    }
    let parameter = |var: &VarId| {
        let var = &unit.vars[*var];
        let kind = match (types.pointee(var.ty), types.int_shape(var.ty)) {
            (Some(to), _) if types.is_void(to) => Kind::Pointer { to: Pointee::Bytes },
            (Some(to), _) if types.size_of(to).is_some_and(|size| size > 0) && !types.is_function(to) => {
                let is_character = types.is_integer(to) && types.size_of(to) == Some(1);
                Kind::Pointer { to: if is_character { Pointee::Character } else { Pointee::Object } }
            }
            (_, Some((bits, signed))) => Kind::Number { bits, signed },
            _ => Kind::Other,
        };
        Parameter { name: var.name.clone(), kind }
    };
    Some(func.params.iter().map(parameter).collect())
}

/// A function of the program that may get a contract.
pub(crate) struct Described {
    pub(crate) name: String,
    pub(crate) parameters: Vec<Parameter>,
    /// Whether the number that it returns has a sign.
    pub(crate) is_signed: bool,
    /// What it may write, at most, as far as a contract can say it: targets of an `assigns` clause.
    pub(crate) targets: Vec<String>,
}

/// The user's functions that `parameters` knows and the entry function may call, callees before callers; it is among them
/// unless it is `main`. Functions that share their name are left out.
pub(crate) fn functions(subject: &Subject) -> Vec<Described> {
    let Ok(unit) = parsed(subject, &Injections::default()) else { return Vec::new() };
    let Some(entry) = unit.func(&subject.lowering.entry) else { return Vec::new() };
    let mut found = Vec::new();
    for (id, vars) in bottom_up(&unit, entry) {
        let func = &unit.funcs[id];
        let file = unit.sources.file(func.span.file);
        let is_users = file.is_some_and(|file| !file.name.starts_with(lower::library::FOLDER));
        let is_only = unit.funcs.values().filter(|f| f.name == func.name && f.body.is_some()).count() == 1;
        let Some(parameters) = parameters_of(&unit, id).filter(|_| is_users && is_only && func.name != "main") else {
            continue;
        };
        let types = &unit.types;
        let is_written = |var: &&VarId| types.pointee(unit.vars[**var].ty).is_some_and(|to| !to.is_const());
        let pointers = func.params.iter().filter(is_written).map(|var| whole(&unit.vars[*var].name));
        let globals = vars.iter().map(|var| &unit.vars[*var]).map(|var| match types.is_array(var.ty) {
            true => whole(&var.name),
            false => var.name.clone(),
        });
        let returned = types.function(func.ty).and_then(|f| types.int_shape(f.ret));
        found.push(Described {
            name: func.name.clone(),
            is_signed: returned.is_some_and(|(_, signed)| signed),
            targets: pointers.chain(globals).collect(),
            parameters,
        });
    }
    found
}

fn whole(pointer: &str) -> String {
    format!("__CPROVER_object_whole({pointer})")
}

/// The functions that a function may call, and it itself, callees first; of each the variables of the program that it and its
/// callees mention and may write. What is called through a pointer counts as called by who names it.
fn bottom_up(unit: &Unit, entry: FuncId) -> Vec<(FuncId, BTreeSet<VarId>)> {
    let mut found: Vec<(FuncId, BTreeSet<VarId>)> = Vec::new();
    let mut met = BTreeSet::from([entry]);
    // With the callees that are not looked at yet.
    let mut open = vec![(entry, mentioned(unit, entry))];
    while let Some((id, (callees, vars))) = open.last_mut() {
        match callees.pop_last() {
            Some(callee) if met.insert(callee) => open.push((callee, mentioned(unit, callee))),
            // One that is still open is recursion: it has what is found of both in the end.
            Some(callee) => vars.extend(found.iter().find(|(id, _)| *id == callee).into_iter().flat_map(|(_, v)| v)),
            None => {
                let (id, vars) = (*id, std::mem::take(vars));
                open.pop();
                if let Some((_, (_, outer))) = open.last_mut() {
                    outer.extend(&vars);
                }
                found.push((id, vars));
            }
        }
    }
    found
}

fn mentioned(unit: &Unit, id: FuncId) -> (BTreeSet<FuncId>, BTreeSet<VarId>) {
    let (mut callees, mut vars) = (BTreeSet::new(), BTreeSet::new());
    let Some(body) = &unit.funcs[id].body else { return (callees, vars) };
    walk_stmt(body, &mut |e| match e.kind {
        ExprKind::Func(callee) => _ = callees.insert(callee),
        ExprKind::Var(var) => {
            let found = &unit.vars[var];
            let of = unit.types.element(found.ty).unwrap_or(found.ty);
            let is_named = matches!(found.storage, Storage::Extern | Storage::Static) && !found.generated;
            if is_named && !found.ty.is_const() && !of.is_const() {
                vars.insert(var);
            }
        }
        _ => {}
    });
    (callees, vars)
}

/// Where to start instead: at a function of nearly that name, or at one of those that there are.
fn hint(entry: &str, functions: Vec<&str>) -> String {
    const SHOWN: usize = 5;
    let near = near::hint(entry, functions.iter().copied());
    if !near.is_empty() || functions.is_empty() {
        return near;
    }
    let more = if functions.len() > SHOWN { ", ..." } else { "" };
    let names: Vec<String> = functions.iter().take(SHOWN).map(|name| format!("--entry {name}")).collect();
    format!("\n  help: for example {}{more}", names.join(", "))
}

/// How programs are prepared to look for targets: where nobody fixes where objects lie, what is seen of addresses is anything.
/// Structs are taken apart at their arrays unless executions are known to lead out of these.
pub(crate) fn targets(subject: &Subject) -> pipeline::Settings {
    let parts = match subject.lowering.places {
        _ if subject.sees_own_addresses => SeenParts::OwnAddresses,
        lower::Places::Any => SeenParts::Anything,
        lower::Places::Fixed => SeenParts::Unsupported,
    };
    let usual = pipeline::Settings::new(Aim::Targets);
    let arrays_apart = !subject.whole_structs;
    pipeline::Settings { memory: memory::Settings { parts, arrays_apart, ..usual.memory }, ..usual }
}

/// How programs are prepared: toward the targets, or so that infinite runs stay where termination is asked for.
pub fn passes(properties: &[Property]) -> pipeline::Settings {
    let termination = properties.contains(&Property::Termination);
    pipeline::Settings::new(if termination { Aim::InfiniteRuns } else { Aim::Targets })
}
