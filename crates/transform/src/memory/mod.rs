//! Memory as variables: from loads and stores in objects of bytes to arrays and scalars that engines can reason about.
//!
//! Takes the inlined program, gives it back in flat form. Four steps, one file or two each:
//! 1. `points_to` (with `relevance`, `values`, `congruence`, `cells`, `inner_arrays`, `exposure`, `world`): which objects each address may point into, at which
//!    offsets; objects that some pointer may point to alike form a *class*.
//! 2. `objects`: which allocations have one object with a fixed number, which take numbers at run time.
//! 3. `layout`: classes become *regions*; their bytes are cut into *slots*, each a scalar or an array variable.
//! 4. `encode` (with `address`, `access`, `bulk`, `tables`, `equality` with `provenance`, `parts` with `open_parts`, `held` and `damage`): edges over those variables; copies and
//!    fills of unknown length, which `bulk` makes loops of, in one step (`ranges`).
//!
//! Apart from that, for proofs: `unbounded`, the result with object numbers that do not run out.
//!
//! Invariants of the encoding:
//! - A pointer packs object number and offset as [`cfa::Machine`] says; the program's arithmetic on it is untouched.
//!   Object 0 is null. Numbers of one class are consecutive, classes have disjoint numbers, and what is computed from an
//!   address is used to access objects of its class only.
//! - All accesses of a class that can touch a slot take it whole. A slot is a float when all its accesses are of that
//!   format, else a bit-vector of its width; wider accesses concatenate slots, little-endian.
//! - An execution of the original that makes no invalid access is an execution of the result with the same values, inputs
//!   and end, and the other way round. Nothing is assumed of memory: each array starts arbitrary (statics: zero).
//!   What an invalid access does is not defined, here or in C; where memory safety is checked, the check comes first.
//! - The contents of memory that C leaves indeterminate are arbitrary: `Havoc` with origin `Uninitialised`.
//! - Running out of object numbers leads to a `BoundHit` location.
//! - Liveness and size of objects exist only where checks ask for them (`tables`).

mod access;
mod address;
mod bulk;
mod cells;
mod congruence;
mod damage;
mod encode;
mod equality;
mod exposure;
mod fills;
mod foreign;
mod guesses;
mod held;
mod inner_arrays;
mod layout;
mod literals;
mod objects;
mod open_parts;
mod parts;
mod points_to;
mod provenance;
mod ranges;
mod relevance;
mod scaled;
mod tables;
mod truth;
mod unbounded;
mod values;
mod world;

use base::Id;
use cfa::{LocKind, Program};
use guesses::Guesses;
pub use inner_arrays::is_outside_array;
use open_parts::Open;
use points_to::PointsTo;
pub(crate) use points_to::is_pointer;
pub use tables::asks_outside;
pub use unbounded::with_unbounded_objects;

/// How much the encoding may split and unroll.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Classes of at most so many objects keep separate variables for each, told apart by the number in the pointer.
    pub split_objects: usize,
    /// Classes of at most so many objects keep liveness and sizes in scalars.
    pub split_tables: usize,
    /// Copies and fills of arrays of at most so many slots need no loop.
    pub unroll: usize,
    /// So many copies and fills of unknown length need no loop: reading asks about each of them.
    pub ranges: usize,
    pub parts: SeenParts,
    /// Whether structs are taken apart at their arrays wherever that is possible. An index that leads out of its array is unsupported then, so
    /// who asks for it has to ask again without where executions have one.
    pub arrays_apart: bool,
}

/// What a program sees that looks at parts of addresses in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SeenParts {
    /// It ends as unsupported.
    Unsupported,
    /// Anything: for those who have a violation that rests on it shown by the compiled program.
    Anything,
    /// The parts of our own addresses, which no machine has: nothing is proved of such a program, and the compiled program has to show
    /// each violation.
    OwnAddresses,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            split_objects: 4,
            split_tables: 8,
            unroll: 32,
            ranges: 24,
            parts: SeenParts::Unsupported,
            arrays_apart: false,
        }
    }
}

fn out_of_numbers() -> LocKind {
    LocKind::BoundHit("more objects than there are object numbers".to_owned())
}

/// Whether executions end here because there are more objects than numbers for them.
pub fn is_out_of_numbers(kind: &LocKind) -> bool {
    *kind == out_of_numbers()
}

/// Turns the memory of an inlined program into variables. The result is in flat form.
pub fn flatten_memory(program: &Program, settings: &Settings) -> Program {
    let whole = analysed(program);
    let cost = cost(&whole);
    if cost == Cost::default() {
        let apart = if settings.arrays_apart { inner_arrays::taken_apart(&whole, true) } else { None };
        if let Some((program, guesses)) = apart {
            let points = PointsTo::analyse(&program, &guesses, &[]);
            if points.has_rest() && self::cost(&points) == cost {
                return encoded(&program, &points, settings);
            }
        }
        return encoded(program, &whole, settings);
    }
    // Where bytes are looked at that may be parts of an address, it may help to see which bytes they are.
    let filled = if cost.looks > 0 { fills::with_fills(program) } else { None };
    let mut ways = vec![(program, whole)];
    ways.extend(filled.iter().map(|program| (program, analysed(program))));
    // Or that scaled indices do not wrap around.
    let near: Vec<_> = ways
        .iter()
        .map(|(program, whole)| (*program, whole.may_wrap()))
        .filter(|(_, scaled)| !scaled.is_empty())
        .collect();
    ways.extend(
        near.into_iter()
            .map(|(program, scaled)| (program, PointsTo::analyse(program, &Guesses::of_products(scaled), &[]))),
    );
    let apart: Vec<_> =
        ways.iter().filter_map(|(_, whole)| inner_arrays::taken_apart(whole, cost.looks == 0)).collect();
    ways.extend(apart.iter().map(|(program, guesses)| (program, PointsTo::analyse(program, guesses, &[]))));
    let is_whole = |points: &PointsTo<'_>| settings.arrays_apart && !points.has_rest();
    let (program, points) =
        ways.iter().min_by_key(|(_, points)| (self::cost(points), is_whole(points))).expect("there is one");
    match settings.parts {
        SeenParts::Anything if let Some(Open { program, looks }) = open_parts::with_open_parts(points) => {
            let mut again = PointsTo::analyse(&program, &points.guesses, &looks);
            if !points.guesses.is_empty() && !again.wanted_inner.is_empty() {
                again = PointsTo::analyse(&program, &Guesses::default(), &looks);
            }
            encoded(&program, &again, settings)
        }
        _ => encoded(program, points, settings),
    }
}

fn analysed(program: &Program) -> PointsTo<'_> {
    PointsTo::analyse(program, &Guesses::default(), &[])
}

/// What it costs that addresses share cells with other things, as far as the analysis can tell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Cost {
    /// How often the program looks at parts of addresses.
    looks: usize,
    /// Loads that watch whether they read an address, and all of it.
    watched: usize,
}

fn cost(points: &PointsTo<'_>) -> Cost {
    let parts = parts::Parts::of(points, &points.loose());
    let watched = damage::Damage::of(points, &parts).load_count() + held::Held::of(points).load_count();
    Cost { looks: parts.seen.len(), watched }
}

fn encoded(program: &Program, points: &PointsTo<'_>, settings: &Settings) -> Program {
    let mut objects = objects::Objects::plan(points);
    let loose = points.loose();
    let comparisons = equality::Comparisons::of(points, &objects, &loose);
    let parts = parts::Parts::of(points, &loose);
    let mut asked = tables::asked(points, &loose);
    comparisons.mortal().for_each(|class| asked[class.index()].0 = true);
    comparisons.sized().for_each(|class| asked[class.index()].1 = true);
    tables::retire_old_addresses(points, &loose, &mut objects, &asked);
    let plain = address::plain_classes(points);
    let mut flat = program.clone();
    let regions = layout::regions(points, &mut objects, &plain, settings, &mut flat);
    objects.number(points);
    let tables = tables::Tables::plan(points, &objects, &asked, settings, &mut flat);
    let mut encoder = encode::Encoder::new(points, flat, objects, regions, tables, comparisons, *settings);
    if settings.parts != SeenParts::OwnAddresses {
        encoder.damage = damage::Damage::of(points, &parts);
        encoder.held = held::Held::of(points);
        encoder.parts = parts;
    }
    encoder.settled = truth::settled(points);
    encoder.run(&loose)
}
