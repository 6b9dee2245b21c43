//! What the caller decides: which properties become error locations, and how the environment behaves.

use base::source::{SourceFile, Sources};
use cfa::Property;
use cfront::hir::{FuncId, Unit};

/// Settings of one lowering. `Options::default()` checks `unreach-call` under the usual assumptions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// What becomes error locations. `Termination` needs none and is accepted.
    pub properties: Vec<Property>,
    /// Calling one of these violates `unreach-call`, whether it has a body or not.
    pub error_functions: Vec<String>,
    /// Calling number `i` of these violates `Property::Invariant(i)`, whatever else is checked.
    pub invariant_functions: Vec<String>,
    /// When not empty, memory accesses and assertions are checked only on these lines (file name as in the sources, or a suffix of its path).
    pub only_lines: Vec<(String, u32)>,
    pub unchecked: Unchecked,
    /// Whether another question of the same run is about divisions by zero: for this one they end the execution.
    pub asks_divisions_apart: bool,
    /// Where memory is checked: whether an index beyond an array member is out of bounds, inside of the object or not.
    pub subobject_bounds: bool,
    /// Left shifts are undefined as C11 says, also where gcc defines them: `-1 << 1`, `1 << 31`.
    pub strict_shifts: bool,
    pub allocation: Allocation,
    pub uninit_globals: UninitGlobals,
    pub extern_effects: ExternEffects,
    pub main_arguments: MainArguments,
    pub places: Places,
    pub files: Files,
    /// Objects of so many bytes are to be reached, at the cost of how many there can be. Those of all sizes that ILP32 has room for
    /// (`largest`) are reached by pointers that no memory holds.
    pub room: u64,
    /// Where the program starts.
    pub entry: String,
    pub contracts: Contracts,
}

/// What is done with contracts of functions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Contracts {
    /// The entry function's is checked: it starts in any state that it requires, and recursive calls are replaced by it.
    pub check: bool,
    /// Instead, they go on with its body: what is shown in this way does not rest on what the contract leaves open.
    pub unfolds: bool,
    /// Calls of these functions are replaced by their contracts.
    pub used: Vec<String>,
    /// Calls of all other functions that have contracts are, too.
    pub use_all: bool,
    /// Invariants of loops are asserted although `assert` is not checked: what engines prove of them may help.
    pub with_invariants: bool,
    /// Nothing is asked of the program but where it gets to: errors stand before and behind each call that is replaced, as
    /// `Property::Invariant` of an even number and the next odd one, named by the function; and calls of the entry by itself
    /// never return.
    pub probes: bool,
}

impl Contracts {
    pub fn any(&self) -> bool {
        self.check || self.use_all || !self.used.is_empty()
    }

    pub(crate) fn replaces(&self, unit: &Unit, id: FuncId) -> bool {
        let func = &unit.funcs[id];
        func.contract.is_some() && (self.use_all || self.used.contains(&func.name))
    }

    /// The name of a function whose contract is asked for and not there.
    pub(crate) fn missing(&self, unit: &Unit) -> Option<&str> {
        let has = |name: &&String| unit.funcs.values().any(|f| f.name == **name && f.contract.is_some());
        self.used.iter().find(|name| !has(name)).map(String::as_str)
    }
}

/// What comes of an invalid access on a line that is not checked, where memory is checked on others; and of one through a
/// null pointer, where memory is not checked at all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unchecked {
    /// The execution goes on, in some way. What is proved holds however it does.
    Continues,
    /// It is given up: a violation that is found comes before anything undefined.
    Ends,
    /// So is every other that accesses memory in a way that is undefined, or frees what is not to be freed, whether that is checked or
    /// not. For executions that nobody can run: that they come to an error says then that they are defined.
    AllEnd,
}

/// Whether `malloc` and its like may return NULL. (`alloca` never does.)
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Allocation {
    Succeeds,
    MayFail,
}

/// Globals without initialiser: zero as C says, or inputs of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UninitGlobals {
    Zero,
    Nondet,
}

/// What a function without body and without model does to memory. Its result is arbitrary in any case. Where it is not `Any`,
/// pointers from outside of the program point to memory that nothing in the program overlaps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExternEffects {
    /// Nothing.
    Pure,
    /// What its pointer arguments point at becomes arbitrary, unless it is `const`. Further objects, reachable only
    /// through pointers stored in those, keep their contents, as do globals it was not given. It calls nothing back. What
    /// competition tasks assume.
    Arguments,
    /// What C allows: everything that it can know of may become arbitrary, and may be what pointers from outside point to.
    /// That is, globals that are not `static`, what its arguments point at, and what can be reached from there. Through
    /// pointers to `const` nothing is changed, and nothing is freed. Functions of the program are called back if it was given
    /// their addresses.
    Any,
}

/// What `main(argc, argv)` gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MainArguments {
    /// Any `argc >= 1`, and that many strings in `argv`.
    Arbitrary,
    /// `argc == 1` and `argv == { "program", NULL }`, as when run without arguments.
    None,
}

/// What a program learns that asks where objects lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Places {
    /// Anything that may be so.
    Any,
    /// It ends as unsupported: who executes the program cannot choose for the machine.
    Fixed,
}

/// What a program finds in files that it opens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Files {
    /// Inputs.
    Inputs,
    /// What it has written itself: there are no other files.
    Own,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            properties: vec![Property::UnreachCall],
            error_functions: vec!["reach_error".to_owned(), "__VERIFIER_error".to_owned()],
            invariant_functions: Vec::new(),
            only_lines: Vec::new(),
            unchecked: Unchecked::Continues,
            asks_divisions_apart: false,
            subobject_bounds: false,
            strict_shifts: false,
            allocation: Allocation::Succeeds,
            uninit_globals: UninitGlobals::Zero,
            extern_effects: ExternEffects::Any,
            main_arguments: MainArguments::Arbitrary,
            places: Places::Any,
            files: Files::Inputs,
            room: 0,
            entry: "main".to_owned(),
            contracts: Contracts::default(),
        }
    }
}

impl Options {
    /// What a call of the function violates by itself.
    pub(crate) fn violated_by_calling(&self, function: &str) -> Option<Property> {
        let is_it = |name: &String| name == function;
        if let Some(number) = self.invariant_functions.iter().position(is_it) {
            return Some(Property::Invariant(u32::try_from(number).ok()?));
        }
        let is_error = self.checks(Property::UnreachCall) && self.error_functions.iter().any(is_it);
        is_error.then_some(Property::UnreachCall)
    }

    /// Whether a file that `only_lines` names is one of the sources.
    pub(crate) fn is_file(named: &str, source: &str) -> bool {
        let is_suffix = |long: &str, short: &str| long.strip_suffix(short).is_some_and(|head| head.ends_with('/'));
        named == source || is_suffix(source, named) || is_suffix(named, source)
    }

    /// A line of `only_lines` that the sources do not have: what is wrong with it.
    pub fn missing_line(&self, sources: &Sources) -> Option<String> {
        self.only_lines.iter().find_map(|(named, line)| {
            let files: Vec<&SourceFile> =
                sources.files().values().filter(|f| Options::is_file(named, &f.name)).collect();
            // The text of a file that a line marker names may not be known.
            let has_line = |file: &&SourceFile| file.lines.is_empty() || file.lines.len() >= *line as usize;
            match files.iter().map(|file| file.lines.len()).max() {
                None => Some(format!("no file '{named}' is part of the program")),
                Some(lines) if !files.iter().any(has_line) => {
                    Some(format!("'{named}' has no line {line}: it ends with line {lines}"))
                }
                Some(_) => None,
            }
        })
    }

    pub(crate) fn checks(&self, property: Property) -> bool {
        self.properties.contains(&property)
    }
}
