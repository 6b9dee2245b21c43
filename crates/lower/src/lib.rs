//! From the typed C tree to automata in function form.
//!
//! [`lower`] takes a linked program and gives the automata of all functions that can be called from its entry function,
//! plus a generated `$start` that sets up static memory. Properties become branches to error locations; what is not
//! modelled becomes an `Unsupported` location where execution would get to it.
//!
//! Choices that C leaves open: operands and initialisers are evaluated from left to right, arguments as `call` says, the place of an
//! assignment before its value; see `arith` for arithmetic, `options` for the environment, `leak` for `valid-memtrack`.
//! `volatile` and `_Atomic` objects are ordinary ones: there is one thread, and memory changes only by the program.
//!
//! The files: `stmt`, `jump`, `longjmp` (control), `expr`, `cond`, `assign`, `arith` (values), `place`, `init` (memory), `call`,
//! `clause`, `past`, `replace`, `enforce` (contracts of the user), `claim` (those of a witness), `varargs`, `model`, `contract`, `errno`, `heap`, `unknown`, `builtin`
//! (functions), `dialect`, `quantifier` (other verifiers' languages),
//! `checks`, `constant`, `leak` (properties), `start`, `environment`, `interposed`, `function`, `compact` (the frame), `reach`, `effects`, `text` (facts about the
//! tree), `library`, `names` (the C library).

mod address;
mod again;
mod alias;
mod arguments;
mod arith;
mod asm;
mod assign;
mod bases;
mod builtin;
mod bytes;
mod call;
mod callback;
mod checks;
mod claim;
mod clause;
mod compact;
mod cond;
mod constant;
mod context;
mod contract;
pub mod dialect;
mod effects;
mod enforce;
mod environment;
mod errno;
mod expr;
mod formats;
mod fresh;
mod function;
mod heap;
mod holders;
mod init;
mod interposed;
mod items;
mod jump;
mod leak;
pub mod library;
mod literal;
mod longjmp;
mod loops;
mod model;
mod moment;
pub mod names;
mod nowhere;
mod null;
mod options;
mod order;
mod overlap;
mod past;
mod place;
mod predicate;
mod promise;
mod quantifier;
mod reach;
mod replace;
mod scalars;
mod sign;
mod start;
mod stmt;
mod temporary;
mod text;
mod unknown;
mod valid;
mod varargs;
mod variants;
mod watch;
mod zeroed;

/// The name (an [`cfa::Origin::Extern`]) of what an operation gives that C does not define.
pub const UNDEFINED: &str = "an undefined operation";

pub use context::is_too_wide;
pub use heap::{is_too_large, largest};
pub use options::{
    Allocation, Contracts, ExternEffects, Files, MainArguments, Options, Places, Unchecked, UninitGlobals,
};

use base::{Diagnostic, Span};
use cfa::{LocKind, Machine, Program};
use cfront::hir::Unit;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

use context::{FunctionState, Lowering, reserve};

/// The variable of the library's models that holds the rounding mode.
/// The variable that holds the address of the heap object that is watched for leaks.
pub const WATCHED: &str = "$watched";

const ROUNDING: &str = "__foldback_rounding";

/// Lowers the program that starts at `options.entry`. Models of library functions must be part of the unit by now (see
/// [`library::needed`]). Fails only where there is nothing to lower: no entry function, one whose arguments
/// cannot be made up, or an object too large to address.
pub fn lower(unit: &Unit, options: &Options) -> Result<Program, Vec<Diagnostic>> {
    lower_and_list(unit, options).map(|(program, _)| program)
}

/// Also says which properties there is something to check for, in what can be executed: a check that cannot fail, because its
/// operands are constants or its branch is never taken, leaves no trace in the program.
pub fn lower_and_list(unit: &Unit, options: &Options) -> Result<(Program, BTreeSet<cfa::Property>), Vec<Diagnostic>> {
    if options.unchecked == Unchecked::AllEnd {
        return lower_defined(unit, options);
    }
    // Trees may be deep.
    cfront::with_big_stack(|| {
        let mut lowering = lower_here(unit, options, false)?;
        // Whether there is anything outside of the program is known only now.
        if lowering.meets_outside && options.extern_effects == ExternEffects::Any && lowering.hides_from_outside() {
            lowering = lower_here(unit, options, true)?;
        }
        Ok((lowering.program, lowering.checked))
    })
}

/// The program whose executions end where they use memory in a way that is undefined: as where that is an error, and the user
/// asks for other ones only.
fn lower_defined(unit: &Unit, options: &Options) -> Result<(Program, BTreeSet<cfa::Property>), Vec<Diagnostic>> {
    let memory = [cfa::Property::ValidDeref, cfa::Property::ValidFree];
    let added: Vec<cfa::Property> = memory.into_iter().filter(|property| !options.checks(*property)).collect();
    let properties = options.properties.iter().chain(&added).copied().collect();
    let options = Options { properties, unchecked: Unchecked::Ends, ..options.clone() };
    let (mut program, mut checked) = lower_and_list(unit, &options)?;
    for location in program.functions.values_mut().flat_map(|function| function.locs.values_mut()) {
        if let LocKind::Error(violation) = &location.kind
            && added.contains(&violation.property)
        {
            location.kind = LocKind::BoundHit(format!("undefined behaviour: {}", violation.message));
        }
    }
    checked.retain(|property| !added.contains(property));
    program.ends_at_undefined = true;
    Ok((program, checked))
}

/// Why a program cannot start at a function, if no arguments can be made up for it.
pub fn start_problem(unit: &Unit, entry: cfront::hir::FuncId) -> Option<String> {
    environment::check(unit, entry).err()?.into_iter().next().map(|problem| problem.message)
}

/// A name that was given must not stand for several functions: each file may have one of its own.
fn refuse_ambiguous(unit: &Unit, name: &str) -> Result<(), Vec<Diagnostic>> {
    let named = || unit.funcs.values().filter(|func| func.name == name && func.body.is_some());
    if named().any(|func| !func.internal) {
        return Ok(());
    }
    let Some(first) = named().next() else { return Ok(()) };
    match named().find(|func| func.span != first.span) {
        Some(other) => {
            let message =
                format!("several functions are called '{name}': another one is at {}", unit.sources.place(other.span));
            Err(vec![
                Diagnostic::error(first.span, message)
                    .with_help("give only the files that belong to the one that is meant"),
            ])
        }
        None => Ok(()),
    }
}

fn lower_here<'u>(
    unit: &'u Unit,
    options: &'u Options,
    outside_points_in: bool,
) -> Result<Lowering<'u>, Vec<Diagnostic>> {
    let entry = unit.func(&options.entry).filter(|f| unit.funcs[*f].body.is_some()).ok_or_else(|| {
        let message = format!("the program does not define the function '{}'", options.entry);
        vec![Diagnostic::global(message).with_help("give the function to start at with --entry")]
    })?;
    let contracts = &options.contracts;
    for name in std::iter::once(&options.entry).chain(&contracts.used) {
        refuse_ambiguous(unit, name)?;
    }
    if let Some(name) = contracts.missing(unit) {
        let message = format!("no function '{name}' has a contract");
        return Err(vec![Diagnostic::global(message).with_help("contracts: __CPROVER_requires, ensures, assigns")]);
    }
    let largest_argument = match Lowering::contract_problem(unit, entry) {
        _ if !contracts.check => environment::check(unit, entry)?,
        Some(problem) => return Err(vec![problem]),
        None => 0,
    };
    let mut reach = {
        let outside = options.extern_effects == options::ExternEffects::Any;
        reach::Reach::from(unit, &reach::roots(unit, entry), Some(contracts), outside)
    };
    if !contracts.check {
        for function in environment::added_functions(unit) {
            reach.funcs.insert(function);
            reach.address_taken.insert(function);
        }
    }
    dialect::check(unit, &reach)?;
    let largest = reach.largest.max(largest_argument).max(options.room);
    let data_model = match unit.types.model() {
        cfront::types::DataModel::Ilp32 => cfa::DataModel::Ilp32,
        cfront::types::DataModel::Lp64 => cfa::DataModel::Lp64,
    };
    let wide = || (data_model == cfa::DataModel::Ilp32 && largest <= heap::largest(data_model)).then(Machine::wide);
    let machine = Machine::fitting(data_model, largest).or_else(wide).ok_or_else(|| {
        let message = format!("an object of {largest} bytes is too large for pointers of this data model");
        vec![Diagnostic::global(message)]
    })?;
    let mut program = Program::new(machine, unit.sources.clone());
    program.notes.extend(unit.notes.iter().cloned());
    let start = reserve(&mut program.functions, "$start", Span::nowhere());
    program.entry = start;
    let exit_code = program.add_var("$exit_code", term::Sort::Bv(32), cfa::VarKind::Global, None);
    let ret = unit.funcs[entry].ty;
    let mut lowering = Lowering {
        unit,
        options,
        homes: vec![None; unit.vars.len()],
        footprints: BTreeMap::new(),
        unset: BTreeSet::new(),
        home_of: FxHashMap::default(),
        strings: BTreeMap::new(),
        function_objects: BTreeMap::new(),
        generated_strings: BTreeMap::new(),
        funcs: BTreeMap::new(),
        queue: Vec::new(),
        noted: BTreeSet::new(),
        probes: 0,
        checked: BTreeSet::new(),
        shapes: FxHashMap::default(),
        heap: None,
        bases: None,
        watched: None,
        returned: None,
        exit_code,
        tables: BTreeMap::new(),
        last_calls: BTreeMap::new(),
        arguments: None,
        moments: Vec::new(),
        main_name: None,
        guarded: BTreeSet::new(),
        under_errors: alias::under_errors(unit, options),
        constants: Vec::new(),
        puns_truth: false,
        always_null: BTreeSet::new(),
        watchable: BTreeSet::new(),
        watched_constant: None,
        jumping: None,
        holders: holders::Holders::default(),
        literals: literal::Literals::default(),
        alike: Vec::new(),
        punned_sizes: BTreeSet::default(),
        punned_records: BTreeSet::default(),
        copies_blindly: false,
        lists_tell_pointers: false,
        has_temporaries: false,
        rounding: reach.vars.iter().copied().find(|v| unit.vars[*v].name == ROUNDING),
        sense: None,
        unsettled: Vec::new(),
        readable: Vec::new(),
        changed: BTreeSet::new(),
        meets_outside: false,
        outside_points_in,
        fun: FunctionState::new(None, start, "$start", ret, unit.funcs[entry].span),
        program,
        reach,
    };
    lowering.run(entry);
    Ok(lowering)
}

impl Lowering<'_> {
    fn run(&mut self, entry: cfront::hir::FuncId) {
        if self.options.contracts.check {
            self.changed = self.changed_variables();
        }
        self.make_check_variables();
        self.find_jumps();
        for id in self.reach.vars.clone() {
            self.make_home(id);
        }
        for id in self.reach.strings.clone() {
            self.string_address(id);
        }
        for id in self.reach.address_taken.clone() {
            self.function_address(id);
        }
        if self.options.main_arguments == MainArguments::None && self.unit.funcs[entry].params.len() > 1 {
            self.generated_string(b"program");
            self.main_name = self.generated_strings.values().next().copied();
        }
        if self.looked_at_argv(entry).is_some() {
            self.prepare_arguments();
        }
        self.prepare_moments();
        self.find_constants();
        self.find_readable(entry);
        self.find_holders();
        self.find_bases();
        self.find_literals();
        self.find_alike();
        self.find_punned();
        self.find_temporaries();
        self.find_always_null();
        self.find_unset();
        self.function_for((entry, None));
        for id in reach::roots(self.unit, entry) {
            self.function_for((id, None));
        }
        if let Some(handlers) = self.exit_handlers() {
            self.function_for(handlers);
        }
        self.request_clause_functions(entry);
        self.build_queue();
        self.build_start(entry);
    }
}
