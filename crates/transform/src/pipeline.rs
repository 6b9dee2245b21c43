//! The passes in order: from the lowered program to what engines work on, with the way back.
//!
//! ```text
//! lowered --simplify, inline--> inlined --memory--> memory --simplify--> simplified --slice, value sets--> sliced
//!                                                                  on demand: --> reducible, flattened
//!                                                    memory --numbers without end, simplify, slice--> unbounded
//! ```
//! From `memory` on loops are entered at their heads only, so that everybody can rely on it: engines and the checker.
//!
//! Counterexamples go back to the lowered program by the sites of inputs (`EdgeInfo::site`, which name edges of the lowered
//! program, and the frames). Proofs go back to the `memory` stage, the first that engines could work on, by
//! [`Restore::lift`], and are re-proved there.

use crate::inline::{self, Origins, inline};
use crate::memory::{self, flatten_memory};
use crate::propagate::Limits;
use crate::restore::Restore;
use crate::simplify::{self, simplify};
use crate::slice::{LoopPolicy, slice};
use crate::{Aim, flatten, offsets, reducible, value_sets};
use cfa::{Form, Program};

/// A point of the pipeline, for people who want to look.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    Lowered,
    Inlined,
    Memory,
    Simplified,
    Sliced,
    Reducible,
    Flattened,
    /// The sliced program with object numbers that do not run out; as it is where that cannot be had.
    Unbounded,
}

impl Stage {
    pub const ALL: [Stage; 8] = [
        Stage::Lowered,
        Stage::Inlined,
        Stage::Memory,
        Stage::Simplified,
        Stage::Sliced,
        Stage::Reducible,
        Stage::Flattened,
        Stage::Unbounded,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Stage::Lowered => "lowered",
            Stage::Inlined => "inlined",
            Stage::Memory => "memory",
            Stage::Simplified => "simplified",
            Stage::Sliced => "sliced",
            Stage::Reducible => "reducible",
            Stage::Flattened => "flattened",
            Stage::Unbounded => "unbounded",
        }
    }

    pub fn named(name: &str) -> Option<Stage> {
        Stage::ALL.into_iter().find(|s| s.name() == name)
    }
}

/// How the passes are set.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    pub aim: Aim,
    pub inline: inline::Settings,
    pub memory: memory::Settings,
    pub limits: Limits,
    pub loops: LoopPolicy,
}

impl Settings {
    /// For programs in which targets are looked for (`Aim::Targets`), or infinite runs.
    pub fn new(aim: Aim) -> Settings {
        Settings {
            aim,
            inline: inline::Settings::default(),
            memory: memory::Settings::default(),
            limits: Limits::default(),
            loops: LoopPolicy::DropBounded,
        }
    }
}

/// A program ready for engines.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// For engines: simplified, and sliced where the aim allows it.
    pub program: Program,
    /// Flat, but not simplified: where proofs are checked. Its terms are also terms of `program`'s store.
    pub flat: Program,
    /// From `program` back to `flat`.
    pub restore: Restore,
    /// From `flat`'s inlined code back to the functions.
    pub origins: Origins,
}

/// Runs the pipeline.
pub fn prepare(lowered: &Program, settings: &Settings) -> Prepared {
    let (inlined, origins) = inlined(lowered, settings);
    let flat = with_memory(&inlined, settings);
    drop(inlined);
    for_engines(flat, origins, settings)
}

/// The same program with object numbers that do not run out, where that can be had: for proofs only.
pub fn prepare_unbounded(prepared: &Prepared, settings: &Settings) -> Option<Prepared> {
    let flat = memory::with_unbounded_objects(&prepared.flat)?;
    let (flat, ()) = checked((flat, ()), Form::Flat);
    Some(for_engines(flat, prepared.origins.clone(), settings))
}

fn for_engines(flat: Program, mut origins: Origins, settings: &Settings) -> Prepared {
    let new = flat.main().locs.len().saturating_sub(origins.locs.len());
    (0..new).for_each(|_| _ = origins.locs.push(None));
    let (simple, mut restore) = checked(simplify(flat.clone(), &settings.simplify(settings.aim)), Form::Flat);
    let mut program = simple;
    if settings.aim == Aim::Targets {
        let (sliced, second) = checked(slice(program, settings.loops), Form::Flat);
        let (small, third) = checked(simplify(sliced, &settings.simplify(settings.aim)), Form::Flat);
        restore = restore.then(second, &small).then(third, &small);
        program = small;
        if let Some((small, fourth)) = narrowed(&program, settings) {
            restore = restore.then(fourth, &small);
            program = small;
        }
    }
    Prepared { program, flat, restore, origins }
}

/// With offsets of pointers where they are constant, values of variables as conditions leave them, and what becomes simpler by that.
fn narrowed(program: &Program, settings: &Settings) -> Option<(Program, Restore)> {
    let heads = value_sets::loop_heads(program);
    let mut narrowed = program.clone();
    let offsets = offsets::fold(&mut narrowed, &heads);
    let first = match (offsets, value_sets::narrow(&mut narrowed)) {
        (Some(offsets), Some(values)) => offsets.then(values, &narrowed),
        (offsets, values) => offsets.or(values)?,
    };
    let (simple, second) = checked(simplify(narrowed, &settings.simplify(settings.aim)), Form::Flat);
    let (sliced, third) = checked(slice(simple, settings.loops), Form::Flat);
    let (small, fourth) = checked(simplify(sliced, &settings.simplify(settings.aim)), Form::Flat);
    let mut restore = first.then(second, &small).then(third, &small).then(fourth, &small);
    value_sets::trust_heads_only(&mut restore, &heads, small.entry);
    Some((small, restore))
}

/// The program at one point of the pipeline.
pub fn at_stage(lowered: &Program, stage: Stage, settings: &Settings) -> Program {
    match stage {
        Stage::Lowered => lowered.clone(),
        Stage::Inlined => inlined(lowered, settings).0,
        Stage::Memory => with_memory(&inlined(lowered, settings).0, settings),
        Stage::Simplified => {
            let flat = at_stage(lowered, Stage::Memory, settings);
            checked(simplify(flat, &settings.simplify(settings.aim)), Form::Flat).0
        }
        Stage::Sliced => prepare(lowered, settings).program,
        Stage::Reducible => checked(reducible(prepare(lowered, settings).program), Form::Flat).0,
        Stage::Flattened => checked(flatten(prepare(lowered, settings).program), Form::Flat).0,
        Stage::Unbounded => {
            let prepared = prepare(lowered, settings);
            prepare_unbounded(&prepared, settings).unwrap_or(prepared).program
        }
    }
}

impl Settings {
    fn simplify(&self, aim: Aim) -> simplify::Settings {
        simplify::Settings { limits: self.limits, ..simplify::Settings::new(aim) }
    }
}

fn inlined(lowered: &Program, settings: &Settings) -> (Program, Origins) {
    let (light, _) = checked(simplify(with_sites(lowered.clone()), &settings.simplify(Aim::All)), Form::Function);
    checked(inline(light, &settings.inline), Form::Function)
}

fn with_memory(inlined: &Program, settings: &Settings) -> Program {
    checked(reducible(flatten_memory(inlined, &settings.memory)), Form::Flat).0
}

/// Every edge remembers its own number, so that it can be found again after all that follows.
fn with_sites(mut lowered: Program) -> Program {
    for (f, function) in lowered.functions.iter_mut() {
        for (e, edge) in function.edges.iter_mut() {
            edge.site = edge.site.or(Some((f, e)));
        }
    }
    lowered
}

/// In debug builds, panics when a pass broke the program.
fn checked<T>((program, record): (Program, T), form: Form) -> (Program, T) {
    if cfg!(debug_assertions) {
        cfa::assert_sound(&program, form);
    }
    (program, record)
}
