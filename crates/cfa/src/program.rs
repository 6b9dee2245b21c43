//! Programs as automata: variables, locations, edges with operations on terms.
//!
//! Expressions are terms of the store that the program owns; a program variable is a term variable with a [`VarInfo`].
//! Invariants of every program are listed in `verify.rs`, which checks them after each transformation.

use crate::layout::MemoryPart;
use crate::machine::Machine;
use crate::shape::Shape;
use base::{Id, Sources, Span, Table};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use term::{Sort, Store, Term};

base::id!(
    /// A program variable.
    Var,
    "v"
);
base::id!(
    /// A function.
    Func,
    "f"
);
base::id!(
    /// A control location of one function.
    Loc,
    "L"
);
base::id!(
    /// An edge of one function.
    Edge,
    "e"
);
base::id!(
    /// A chain of calls from the entry function to the code at hand. `Frame` 0 is the entry function itself.
    Frame,
    "k"
);

impl Frame {
    /// The frame of the entry function.
    pub const ROOT: Frame = Frame(0);
}

/// A whole program.
#[derive(Clone, Debug)]
pub struct Program {
    pub terms: Store,
    pub machine: Machine,
    pub vars: Table<Var, VarInfo>,
    pub functions: Table<Func, Function>,
    /// Where execution starts: a generated function that sets up globals and then calls `main`.
    pub entry: Func,
    /// Call chains that flat code was inlined from; only the root in function form.
    pub frames: Table<Frame, FrameInfo>,
    /// Calls that lead into a frame that another call made (flat form), by the caller's frame and the call: where calls share a copy
    /// of their callee. Not part of the text form.
    pub joined: BTreeMap<(Frame, (Func, Edge)), Frame>,
    /// Size in bytes of each object: array from object number to pointer-wide number. Written by `Alloc` (function form).
    pub size: Var,
    /// Which objects are live: array from object number to Bool. Written by `Alloc`, `Free`, `Dead`.
    pub live: Var,
    /// What memory variables hold (flat form), for those that belong to the objects of one allocation.
    pub layout: BTreeMap<Var, MemoryPart>,
    /// Arrays of memory behind pointers from outside (flat form), indexed by such a pointer: which bytes behind it they hold.
    pub outside: BTreeMap<Var, MemoryPart>,
    /// Objects that have a fixed number (flat form), where anything gets out of the program: where they were made.
    pub births: BTreeMap<u64, Birth>,
    /// The numbers of the objects that memory variables hold parts of, likewise.
    pub owners: BTreeMap<Var, u64>,
    /// By place and name of a variable's address (`&x`) in the source: what is there; of a pointer (`*p`): the elements that it
    /// points to by its type. Not part of the text form.
    pub shapes: BTreeMap<(Span, String), Arc<Shape>>,
    /// Memory variables that are parts of the user's structs and arrays (flat form): `s.x`, `a[3]`. Only names for people: to
    /// everything else these have no source. Not part of the text form.
    pub members: BTreeMap<Var, SourceVar>,
    /// Arrays that hold the user's variables of which each cell is something else (flat form), by the address: `&s`. For
    /// [`Program::cell`]. Not part of the text form.
    pub cells: BTreeMap<Var, SourceVar>,
    /// Whether executions end before they access memory in a way that is undefined, or free what is not theirs: each access that the
    /// program makes by itself is checked before (function form). What code outside does is not.
    pub ends_at_undefined: bool,
    /// Assumptions made for the user (functions without body, say), shown with every verdict.
    pub notes: Vec<base::Diagnostic>,
    pub sources: Sources,
    by_term: FxHashMap<Term, Var>,
    /// The last suffix that `add_var` gave to a name.
    last_suffix: FxHashMap<String, u32>,
}

/// Where an object was made: the chain of calls, outermost first, and the edge, as edges of the function-form program.
pub type Birth = (Vec<(Func, Edge)>, (Func, Edge));

/// What is known of a variable beyond its sort.
#[derive(Clone, PartialEq, Debug)]
pub struct VarInfo {
    /// The variable as a term. Its symbol is unique in the program.
    pub term: Term,
    pub sort: Sort,
    pub kind: VarKind,
    /// The variable as the user wrote it, when they did.
    pub source: Option<SourceVar>,
    /// What is loaded into it is read as bytes, whatever was stored there: it may be a part of an address. So may what is stored from it, if
    /// code outside has made it up, and what lies at first in the object whose address it is. A pointer from outside may be the same as others then.
    pub raw: bool,
    /// It holds what C calls a pointer, although it is no variable of the source: the result of a call.
    pub pointer: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VarKind {
    /// Lives as long as the program.
    Global,
    /// One for each activation of its function (function form), of its frame (flat form).
    Local(Func),
    /// A memory region, or a part of the object tables (flat form: an array or a promoted cell).
    Memory,
}

/// The user's name and C type of a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceVar {
    pub name: String,
    /// The C type as text: `unsigned int`, `struct node *`.
    pub ctype: String,
    pub signed: bool,
    /// Pointers matter to points-to analysis, and are left out of witnesses.
    pub pointer: bool,
    /// Where it was declared.
    pub span: Span,
    /// The chain of calls to the activation it belongs to (flat form).
    pub frame: Frame,
}

/// One function: a graph of locations and edges. Control enters at `entry` and returns by reaching `exit`.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    /// Assigned by the caller.
    pub params: Vec<Var>,
    /// Read by the caller after `exit`.
    pub result: Option<Var>,
    pub locs: Table<Loc, Location>,
    pub edges: Table<Edge, EdgeInfo>,
    pub entry: Loc,
    pub exit: Loc,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Location {
    pub kind: LocKind,
    /// The statement that starts here.
    pub span: Span,
    /// On the head of a loop of the source: where its keyword (`for`, `while`, `do`) stands.
    pub loop_span: Option<Span>,
    pub frame: Frame,
    /// On the head of a loop of the source: the user's variables that are not what the user thinks, in order. A write that
    /// nothing rested on was taken away, and what they held before has come here in its place.
    pub stale: Vec<Var>,
}

/// What a location means. All but `Plain` end the execution: they have no outgoing edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LocKind {
    Plain,
    /// The property is violated.
    Error(Violation),
    /// What happens next is not modelled: an execution that gets here makes the answer `unknown`.
    Unsupported(Unmodelled),
    /// A bound of the model (recursion depth, object numbers, offset bits) is exceeded here: the answer is `unknown`.
    BoundHit(String),
    /// The program ends.
    End(EndKind),
}

/// What is not modelled, for people, and what the model lacks there, for whoever decides what follows from it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unmodelled {
    pub what: Cow<'static, str>,
    pub lacks: Lacks,
}

/// What would have to be known of the machine for an execution to go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lacks {
    /// Where objects lie: the program looks at a part of an address.
    AddressParts,
    /// Where objects lie: the program compares the addresses of different ones.
    AddressOrder,
    /// Nothing: the program is seen with structs taken apart at their arrays, and an index leads out of one to another member.
    OtherMembers,
    /// Anything else.
    Other,
}

impl Lacks {
    /// With their names in the text form; the last one has none.
    pub const ALL: [(Lacks, &'static str); 4] = [
        (Lacks::AddressParts, "address-parts"),
        (Lacks::AddressOrder, "address-order"),
        (Lacks::OtherMembers, "other-members"),
        (Lacks::Other, ""),
    ];
}

impl From<String> for Unmodelled {
    fn from(what: String) -> Unmodelled {
        Unmodelled { what: what.into(), lacks: Lacks::Other }
    }
}

impl From<&'static str> for Unmodelled {
    fn from(what: &'static str) -> Unmodelled {
        Unmodelled { what: what.into(), lacks: Lacks::Other }
    }
}

impl fmt::Display for Unmodelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndKind {
    /// `main` returned.
    Return,
    /// `exit` and its like.
    Exit,
    /// `abort` and its like; also a failed assertion when assertions are not what is checked.
    Abort,
    /// `__VERIFIER_assume(0)`: no execution, and no infinite one either.
    Blocked,
}

/// A property violated at an error location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    pub property: Property,
    /// For people: "array index out of bounds: `a[i]`".
    pub message: String,
}

/// The checkable properties; memory safety is named by its parts, as verdicts do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Property {
    UnreachCall,
    Assert,
    ValidDeref,
    ValidFree,
    ValidMemtrack,
    ValidMemcleanup,
    NoOverflow,
    DivByZero,
    /// A shift by a negative distance, or by the width of the type or more.
    UndefinedShift,
    /// Pointer arithmetic that leaves the object, beyond its end.
    PointerOverflow,
    /// Unsigned arithmetic that wraps around, which C defines.
    UnsignedOverflow,
    /// A number that the type it is converted to cannot hold.
    Conversion,
    /// A float that the integer type it is converted to cannot hold, which C leaves undefined.
    UndefinedConversion,
    /// Arithmetic on ordinary floats that gives infinity or no number.
    Float,
    Termination,
    /// A condition that was put into the program, by its number: an invariant of a witness. Nobody asks for it by name.
    Invariant(u32),
}

impl Property {
    /// What can be asked for.
    pub const ALL: [Property; 15] = [
        Property::UnreachCall,
        Property::Assert,
        Property::ValidDeref,
        Property::ValidFree,
        Property::ValidMemtrack,
        Property::ValidMemcleanup,
        Property::NoOverflow,
        Property::DivByZero,
        Property::UndefinedShift,
        Property::PointerOverflow,
        Property::UnsignedOverflow,
        Property::Conversion,
        Property::UndefinedConversion,
        Property::Float,
        Property::Termination,
    ];

    /// The name inside `false(...)`.
    pub fn name(self) -> &'static str {
        match self {
            Property::UnreachCall => "unreach-call",
            Property::Assert => "assert",
            Property::ValidDeref => "valid-deref",
            Property::ValidFree => "valid-free",
            Property::ValidMemtrack => "valid-memtrack",
            Property::ValidMemcleanup => "valid-memcleanup",
            Property::NoOverflow => "no-overflow",
            Property::DivByZero => "div-by-zero",
            Property::UndefinedShift => "undefined-shift",
            Property::PointerOverflow => "pointer-overflow",
            Property::UnsignedOverflow => "unsigned-overflow",
            Property::Conversion => "conversion",
            Property::UndefinedConversion => "undefined-conversion",
            Property::Float => "float",
            Property::Termination => "termination",
            Property::Invariant(_) => "invariant",
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct EdgeInfo {
    pub from: Loc,
    pub to: Loc,
    pub op: Op,
    pub span: Span,
    /// The edge of the function-form program that this one was made from (flat form). With the frame of `from` it names
    /// one place in one chain of calls: replay finds the values of inputs by it.
    pub site: Option<(Func, Edge)>,
}

/// Where a program's output goes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stream {
    Output,
    Error,
}

impl Stream {
    /// The operation that prints to it.
    pub(crate) fn keyword(self) -> &'static str {
        match self {
            Stream::Output => "print",
            Stream::Error => "print_error",
        }
    }
}

/// What happens on an edge. The terms of one operation all speak of the state before it.
#[derive(Clone, PartialEq, Debug)]
pub enum Op {
    /// Passes only where the condition holds; changes nothing. `true` is the plain step.
    Assume(Term),
    /// Parallel assignment; each variable at most once.
    Assign(Vec<(Var, Term)>),
    /// The variables get arbitrary values.
    Havoc { vars: Vec<Var>, origin: Origin },

    // Function form only, from here on.
    /// `dst := bytes of memory at addr`: `dst` is a bit-vector of `8 * bytes` bits, or a float of that storage size.
    Load { dst: Var, addr: Term, bytes: u32 },
    /// Writes `value` at `addr`, with the layout of `Load`.
    Store { addr: Term, value: Term, bytes: u32 },
    /// A new object of `size` bytes; `dst` gets the address of its first byte. Updates the object tables.
    Alloc { dst: Var, size: Term, kind: ObjectKind, name: String },
    /// Ends the life of the object at `addr` (its first byte, checked before): `free`.
    Free { addr: Term },
    /// Ends the life of a stack object: its scope is left.
    Dead { addr: Term },
    /// Copies `len` bytes as if by way of a buffer (`memmove`; struct assignment).
    Copy { dst: Term, src: Term, len: Term },
    /// Sets `len` bytes to the low byte of `value` (`memset`).
    Fill { dst: Term, value: Term, len: Term },
    /// Calls `callee`: parameters assigned, body run, result assigned.
    Call { callee: Func, args: Vec<Term>, dst: Option<Var> },
    /// `printf` to standard output: `format` points at the format string, `args` at the argument block (see `lower`).
    /// Prints when run; has no effect on the state otherwise. `dst` gets the number of characters, which only runs know.
    Print { format: Term, args: Term, stream: Stream, dst: Option<Var> },
    /// Code outside of the program gets to know these addresses, and so everything that can be reached from them. It changes
    /// what is there only if that is `writable`.
    Escape { addrs: Vec<Term>, writable: bool },
    /// The named code outside of the program runs: it may change every object that it knows of.
    Disturb { by: String },
}

/// Why a value is arbitrary. Replay needs to know where to put the values.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// A call of the named input function, `__VERIFIER_nondet_int` say.
    Input(String),
    /// A local without initialiser, or a global under `--uninit-globals nondet`; its name.
    Uninitialised(String),
    /// The result or the effect of a function without body.
    Extern(String),
    /// An artefact of the encoding: not an input, any value will do as long as later assumptions hold.
    Internal,
}

/// The name (an [`Origin::Extern`]) of what follows from where objects lie: nobody can choose it, a compiled run decides.
pub const PLACES: &str = "where objects lie";

/// Why executions end (a [`LocKind::BoundHit`]) that read a `_Bool` of which compilers make different numbers, also of one and the same.
pub const OTHER_TRUTH: &str = "undefined behaviour: a _Bool that is neither 0 nor 1";

/// The name (an [`Origin::Extern`]) of choices that C leaves to the compiler.
pub const ORDER: &str = "in which order operands are evaluated";

/// The name of the origin of what functions of the C library may do either way. False is the way of our model when it just runs,
/// and each way is one that C allows.
pub const OPEN: &str = "what functions of the C library do where C leaves it open";

/// The name of the origin of what functions that only read memory give for the same arguments once more. False: the same. Whether another
/// result is possible is not known where the function has no body: no run shows it.
pub const AGAIN: &str = "that a function declared pure gives another result for the same arguments";

/// Whether an origin of that name is a choice with a usual way, which is false.
pub fn has_usual_way(name: &str) -> bool {
    name == OPEN || name == AGAIN
}

/// The name of the objects for arguments of the program that are made when it looks at them, not when it starts (`argv[1]`).
pub const LATER_ARGUMENT: &str = "argv[..]";

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObjectKind {
    /// Globals, string literals: zero at first, never dead.
    Static,
    /// The same, for string literals that the program must not write, where no check says so.
    Literal,
    /// A function: size 0, never dead, not readable.
    Function,
    /// A function whose execution has effects: if its address gets out of the program, it may be called from there.
    Callback,
    /// Locals and `alloca`: arbitrary at first, dead at the end of their scope.
    Stack,
    /// `malloc`: arbitrary at first, dead when freed.
    Heap,
}

/// One activation in a chain of calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FrameInfo {
    /// The caller's frame; `None` for the root.
    pub caller: Option<Frame>,
    pub function: String,
    /// The call edge in the caller's function *of the function-form program*, and that function: names the call site.
    pub site: Option<(Func, Edge)>,
    pub call_span: Span,
}

/// The name by which users know a function. One that was made from a function of the library for one use of it is named
/// `__foldback_NAME$USE`.
pub fn known_as(function: &str) -> &str {
    let made = function.strip_prefix("__foldback_").and_then(|rest| rest.split_once('$'));
    made.map_or(function, |(name, _)| name)
}

impl Program {
    /// A program with its object tables and an empty root frame; `entry` must be set to a function that is added.
    pub fn new(machine: Machine, sources: Sources) -> Program {
        let mut terms = Store::new();
        let mut vars: Table<Var, VarInfo> = Table::new();
        let mut by_term = FxHashMap::default();
        let mut table = |name: &str, elem: Sort| {
            let sort = Sort::array(machine.object_sort(), elem);
            let term = terms.var(name, sort);
            let var =
                vars.push(VarInfo { term, sort, kind: VarKind::Memory, source: None, raw: false, pointer: false });
            by_term.insert(term, var);
            var
        };
        let size = table("$size", machine.pointer_sort());
        let live = table("$live", Sort::Bool);
        let mut frames = Table::new();
        frames.push(FrameInfo { caller: None, function: "main".into(), site: None, call_span: Span::nowhere() });
        Program {
            terms,
            machine,
            vars,
            functions: Table::new(),
            entry: Func::new(0),
            frames,
            size,
            live,
            joined: BTreeMap::new(),
            layout: BTreeMap::new(),
            outside: BTreeMap::new(),
            births: BTreeMap::new(),
            owners: BTreeMap::new(),
            shapes: BTreeMap::new(),
            members: BTreeMap::new(),
            cells: BTreeMap::new(),
            ends_at_undefined: false,
            notes: Vec::new(),
            sources,
            by_term,
            last_suffix: FxHashMap::default(),
        }
    }

    /// Adds a variable. `name` is made unique in the program by a suffix `#2`, `#3`, … where it is taken. Characters that
    /// symbols of SMT-LIB cannot have (names of string literals contain them) become `/`.
    pub fn add_var(&mut self, name: &str, sort: Sort, kind: VarKind, source: Option<SourceVar>) -> Var {
        let name = name.replace(['|', '\\'], "/");
        let mut unique = name.clone();
        if self.terms.find_var(&unique).is_some() {
            // All suffixes up to the last one given are taken.
            let last = self.last_suffix.entry(name.clone()).or_insert(1);
            while self.terms.find_var(&unique).is_some() {
                *last += 1;
                unique = format!("{name}#{last}");
            }
        }
        let term = self.terms.var(&unique, sort);
        let var = self.vars.push(VarInfo { term, sort, kind, source, raw: false, pointer: false });
        self.by_term.insert(term, var);
        var
    }

    /// The program variable that term `t` is, if it is one.
    pub fn var_of(&self, t: Term) -> Option<Var> {
        self.by_term.get(&t).copied()
    }

    /// The variable, or the part of one that it holds, as the user writes it.
    pub fn source_of(&self, v: Var) -> Option<&SourceVar> {
        self.vars[v].source.as_ref().or_else(|| self.members.get(&v))
    }

    /// The variable's term.
    pub fn term(&self, v: Var) -> Term {
        self.vars[v].term
    }

    /// What the user calls a cell, `select(array, constant)`, of an array that holds one of their structs: `s.x`. Only for people.
    pub fn cell(&self, terms: &Store, t: Term) -> Option<SourceVar> {
        if terms.op(t) != term::Op::Select {
            return None;
        }
        let var = self.var_of(terms.arg(t, 0))?;
        let (address, part) = (self.cells.get(&var)?, self.layout.get(&var)?);
        let index = terms.as_bv_const(terms.arg(t, 1))?.to_u64()?;
        let step = if part.by_offset { 1 } else { part.stride };
        let offset = index.checked_mul(step)?.checked_add(part.offset)?;
        self.part_at(address, offset, part.bytes, matches!(terms.sort(t), Sort::Float(_)))
    }

    /// The user's view of a part of a variable, given that of its address.
    pub fn part_at(&self, address: &SourceVar, offset: u64, bytes: u32, float: bool) -> Option<SourceVar> {
        let shape = self.shapes.get(&(address.span, address.name.clone()))?;
        let (path, scalar) = shape.at(offset, bytes, float)?;
        Some(SourceVar {
            name: format!("{}{path}", address.name.strip_prefix('&')?),
            ctype: scalar.ctype.clone(),
            signed: scalar.signed,
            pointer: scalar.pointer,
            ..*address
        })
    }

    /// The variable's unique name.
    pub fn name(&self, v: Var) -> &str {
        self.terms.symbol_name(self.vars[v].term).expect("a variable's term is a variable")
    }

    pub fn main(&self) -> &Function {
        &self.functions[self.entry]
    }

    pub fn function_named(&self, name: &str) -> Option<Func> {
        self.functions.iter().find(|(_, f)| f.name == name).map(|(id, _)| id)
    }

    /// The same with error locations as ends like others, for the question whether executions end.
    pub fn with_errors_as_ends(&self) -> Program {
        let mut changed = self.clone();
        for function in changed.functions.values_mut() {
            for location in function.locs.values_mut() {
                if matches!(location.kind, LocKind::Error(_)) {
                    location.kind = LocKind::End(EndKind::Abort);
                }
            }
        }
        changed
    }

    /// Whether engines can work on it: one function, and only assumptions, assignments and havoc.
    pub fn is_flat(&self) -> bool {
        let flat = |f: &Function| f.edges.values().all(|e| e.op.is_flat());
        self.functions.len() == 1 && self.functions.get(self.entry).is_some_and(flat)
    }
}

impl Function {
    /// A function with an entry and an exit location.
    pub fn new(name: impl Into<String>, span: Span) -> Function {
        let mut locs = Table::new();
        let entry = locs.push(Location::plain(span));
        let exit = locs.push(Location::plain(span));
        Function { name: name.into(), params: Vec::new(), result: None, locs, edges: Table::new(), entry, exit, span }
    }

    pub fn add_loc(&mut self, span: Span) -> Loc {
        self.locs.push(Location::plain(span))
    }

    pub fn add_edge(&mut self, from: Loc, to: Loc, op: Op, span: Span) -> Edge {
        self.edges.push(EdgeInfo { from, to, op, span, site: None })
    }

    /// The outgoing edges of every location, in the order they were added.
    pub fn successors(&self) -> Table<Loc, Vec<Edge>> {
        let mut out = Table::filled(Vec::new(), self.locs.len());
        for (id, e) in self.edges.iter() {
            out[e.from].push(id);
        }
        out
    }

    /// The incoming edges of every location.
    pub fn predecessors(&self) -> Table<Loc, Vec<Edge>> {
        let mut out = Table::filled(Vec::new(), self.locs.len());
        for (id, e) in self.edges.iter() {
            out[e.to].push(id);
        }
        out
    }
}

impl Location {
    pub fn plain(span: Span) -> Location {
        Location { kind: LocKind::Plain, span, loop_span: None, frame: Frame::new(0), stale: Vec::new() }
    }
}

impl LocKind {
    /// Locations that slicing and searches aim at: dropping one of these would be a wrong `true`.
    pub fn is_target(&self) -> bool {
        matches!(self, LocKind::Error(_) | LocKind::Unsupported(_) | LocKind::BoundHit(_))
    }
}

/// Visits of the variables that an operation writes and of the terms that it reads: to look at them, and to change them.
macro_rules! visits {
    ($written:ident, $terms:ident, $iter:ident $(, $mutable:tt)?) => {
        /// Each variable that the operation writes (memory and the object tables aside).
        pub fn $written(&$($mutable)? self, mut visit: impl FnMut(&$($mutable)? Var)) {
            match self {
                Op::Assign(pairs) => pairs.$iter().for_each(|(v, _)| visit(v)),
                Op::Havoc { vars, .. } => vars.$iter().for_each(visit),
                Op::Load { dst, .. } | Op::Alloc { dst, .. } => visit(dst),
                Op::Call { dst, .. } | Op::Print { dst, .. } => dst.$iter().for_each(visit),
                Op::Assume(_)
                | Op::Store { .. }
                | Op::Free { .. }
                | Op::Dead { .. }
                | Op::Copy { .. }
                | Op::Fill { .. }
                | Op::Escape { .. }
                | Op::Disturb { .. } => {}
            }
        }

        /// Each term that the operation reads.
        pub fn $terms(&$($mutable)? self, mut visit: impl FnMut(&$($mutable)? Term)) {
            match self {
                Op::Assume(c) => visit(c),
                Op::Assign(pairs) => pairs.$iter().for_each(|(_, t)| visit(t)),
                Op::Havoc { .. } | Op::Disturb { .. } => {}
                Op::Load { addr, .. } | Op::Free { addr } | Op::Dead { addr } => visit(addr),
                Op::Store { addr, value, .. } => [addr, value].into_iter().for_each(visit),
                Op::Alloc { size, .. } => visit(size),
                Op::Copy { dst, src, len } => [dst, src, len].into_iter().for_each(visit),
                Op::Fill { dst, value, len } => [dst, value, len].into_iter().for_each(visit),
                Op::Call { args, .. } | Op::Escape { addrs: args, .. } => args.$iter().for_each(visit),
                Op::Print { format, args, .. } => [format, args].into_iter().for_each(visit),
            }
        }
    };
}

impl Op {
    pub fn is_flat(&self) -> bool {
        matches!(self, Op::Assume(_) | Op::Assign(_) | Op::Havoc { .. })
    }

    /// Whether it stands for something that follows from where objects lie ([`PLACES`]).
    pub fn depends_on_places(&self) -> bool {
        matches!(self, Op::Havoc { origin: Origin::Extern(name), .. } if name == PLACES)
    }

    /// The variables that the operation may change (memory and the object tables aside).
    pub fn written(&self) -> Vec<Var> {
        let mut found = Vec::new();
        self.for_written(|var| found.push(*var));
        found
    }

    /// The terms that the operation reads.
    pub fn terms(&self) -> Vec<Term> {
        let mut found = Vec::new();
        self.for_terms(|term| found.push(*term));
        found
    }

    visits!(for_written, for_terms, iter);
    visits!(for_written_mut, for_terms_mut, iter_mut, mut);
}
