//! The state of a lowering: the program under construction, where each C variable lives, and the function being built.
//!
//! A function is built by walking its tree with one *current location*. Operations are appended there; jumps leave the
//! current location without a predecessor, and what is then built is dropped by `compact` unless a label revives it.

use base::{Diagnostic, Id, Span, Table};
use cfa::{
    Edge, EndKind, Func, Function, Loc, LocKind, Op, Origin, Program, Property, Scalar, Shape, SourceVar, Var, VarKind,
    Violation,
};
use cfront::hir::{FuncId, LabelId, StrId, Unit, VarId};
use cfront::types::{FloatKind, Len, Ty, Type};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use term::{Bits, FloatValue, Format, Sort, Store, Term};

use crate::holders::Holders;
use crate::longjmp::{Flight, Jumping, Landing};
use crate::options::Options;
use crate::reach::Reach;

/// Where a C variable lives.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Home {
    /// In a program variable.
    Scalar(Var),
    /// In an object, whose address this variable holds.
    Object(Var),
}

/// Something that comes to life at a declaration (or in the middle of an expression) and ends with its scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Local {
    Scalar(VarId, Var),
    /// An object: the variable that holds its address, and its size where it is constant.
    Object(Var, Option<u64>),
    /// A variable whose scope ends with a call.
    Cleanup(VarId),
}

/// A place to jump to, with the locals alive there.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) loc: Loc,
    pub(crate) live: Vec<Local>,
}

/// A `goto` whose label may not have been seen yet.
pub(crate) struct PendingGoto {
    pub(crate) from: Target,
    pub(crate) label: LabelId,
    pub(crate) span: Span,
}

/// A `switch` being built: where its cases start. Case number `i` is at `cases[i]`.
#[derive(Default)]
pub(crate) struct SwitchState {
    pub(crate) cases: BTreeMap<u32, Target>,
    pub(crate) default: Option<Target>,
}

/// The function under construction.
pub(crate) struct FunctionState {
    pub(crate) id: Option<FuncId>,
    pub(crate) func: Func,
    pub(crate) graph: Function,
    pub(crate) at: Loc,
    /// The edge that made `at`, as long as nothing else leads there.
    pub(crate) last: Option<Edge>,
    pub(crate) span: Span,
    /// The call whose result nobody asks for.
    pub(crate) unused: Option<Span>,
    pub(crate) temps: u32,
    pub(crate) live: Vec<Local>,
    /// Those of them that stay until the full expression ends (`temporary.rs`).
    pub(crate) kept: BTreeSet<Var>,
    /// What the attribute `cleanup` asks to be called when the scopes of these variables end.
    pub(crate) cleanups: BTreeMap<VarId, Box<cfront::hir::Expr>>,
    pub(crate) breaks: Vec<(Loc, usize)>,
    pub(crate) continues: Vec<(Loc, usize)>,
    pub(crate) switches: Vec<SwitchState>,
    pub(crate) labels: BTreeMap<LabelId, Target>,
    pub(crate) gotos: Vec<PendingGoto>,
    pub(crate) landings: Vec<Landing>,
    pub(crate) flights: Vec<Flight>,
    pub(crate) ret: Ty,
    /// Where a returned struct goes.
    pub(crate) result_address: Option<Var>,
    /// The argument block of a variadic function.
    pub(crate) varargs: Option<Var>,
    /// Addresses given out by each `alloca` of the function, 0 while there is none.
    pub(crate) allocas: Vec<Var>,
    /// A library function: are its memory accesses checked? `None` in the user's code, where lines decide.
    pub(crate) library_checked: Option<bool>,
    /// Parameters of `main` whose use is not modelled.
    pub(crate) unmodelled_params: Vec<VarId>,
    /// The parameter of `main` that holds the arguments of the program.
    pub(crate) argv: Option<VarId>,
    /// Where every `return` goes.
    pub(crate) leave: Loc,
}

/// Functions are lowered once, but library functions apart for calls from lines where memory is checked and from others.
pub(crate) type FuncKey = (FuncId, Option<bool>);

pub(crate) struct Lowering<'u> {
    pub(crate) unit: &'u Unit,
    pub(crate) options: &'u Options,
    pub(crate) program: Program,
    pub(crate) reach: Reach,
    pub(crate) homes: Vec<Option<Home>>,
    /// Pointers of functions that nothing ever sets.
    pub(crate) unset: BTreeSet<VarId>,
    /// What calls write, as far as someone asked.
    pub(crate) footprints: BTreeMap<cfront::hir::FuncId, std::rc::Rc<crate::order::Footprint>>,
    /// Which C variable a program variable is the home of.
    pub(crate) home_of: FxHashMap<Var, VarId>,
    pub(crate) strings: BTreeMap<StrId, Var>,
    pub(crate) function_objects: BTreeMap<FuncId, Var>,
    /// Strings that the lowering itself needs (formats of `puts`, say), by content.
    pub(crate) generated_strings: BTreeMap<Vec<u8>, Var>,
    pub(crate) funcs: BTreeMap<FuncKey, Func>,
    /// Functions called but not built yet.
    pub(crate) queue: Vec<FuncKey>,
    /// Functions without body that a note was made for.
    pub(crate) noted: std::collections::BTreeSet<String>,
    /// How many places were marked to see whether anything gets there.
    pub(crate) probes: u32,
    /// Properties that something was checked for, also where it surely holds.
    pub(crate) checked: std::collections::BTreeSet<Property>,
    pub(crate) shapes: FxHashMap<Ty, Option<Arc<Shape>>>,
    /// Which objects are heap objects: array from object number to Bool, kept only where `valid-free` asks for it.
    pub(crate) heap: Option<Var>,
    /// Where objects begin, if the program asks.
    pub(crate) bases: Option<crate::bases::Bases>,
    /// The heap object watched for leaks.
    pub(crate) watched: Option<Var>,
    /// What the entry function returns.
    pub(crate) returned: Option<Term>,
    /// The result of `main`, or the argument of `exit`.
    pub(crate) exit_code: Var,
    /// What functions without body give for equal arguments.
    pub(crate) tables: crate::again::Tables,
    pub(crate) last_calls: crate::again::LastCalls,
    /// How many arguments the program got, where it looks at them.
    pub(crate) arguments: Option<crate::arguments::Arguments>,
    /// The characters that say when the program is compiled (`moment`).
    pub(crate) moments: Vec<Vec<Var>>,
    /// The text of `argv[0]`.
    pub(crate) main_name: Option<Var>,
    /// String literals that pointers may lead to that do not say `const`, where memory is not checked.
    pub(crate) guarded: BTreeSet<cfront::hir::StrId>,
    /// Functions that an error function is another name of.
    pub(crate) under_errors: BTreeSet<cfront::hir::FuncId>,
    /// Addresses of objects that must not be written, where some pointer may lead there.
    pub(crate) constants: Vec<Term>,
    /// Memory of `_Bool`s is written as something else.
    pub(crate) puns_truth: bool,
    /// Pointers that are never set to anything but null.
    pub(crate) always_null: std::collections::BTreeSet<VarId>,
    /// The constants that writes through pointers may reach, and the variable that holds the address of the one that is watched.
    pub(crate) watchable: std::collections::BTreeSet<VarId>,
    pub(crate) watched_constant: Option<Var>,
    /// Integers that may hold addresses.
    pub(crate) holders: Holders,
    pub(crate) literals: crate::literal::Literals,
    /// Functions of the library that may have one address, and whose addresses the program takes.
    pub(crate) alike: Vec<(FuncId, FuncId)>,
    /// Sizes of numbers that the program makes of pointers in memory.
    pub(crate) punned_sizes: BTreeSet<u64>,
    /// Structs that lie where the program has addresses, too.
    pub(crate) punned_records: BTreeSet<cfront::types::RecordId>,
    /// Whether it copies memory without saying what is in it.
    pub(crate) copies_blindly: bool,
    /// Whether pointers are taken from variable arguments somewhere (`varargs.rs`).
    pub(crate) lists_tell_pointers: bool,
    /// Arrays of values are used somewhere (`temporary.rs`).
    pub(crate) has_temporaries: bool,
    /// In programs that use `longjmp`.
    pub(crate) jumping: Option<Jumping>,
    /// The rounding mode, in programs that set it.
    pub(crate) rounding: Option<VarId>,
    /// How the clause of a contract being lowered is meant.
    pub(crate) sense: Option<crate::clause::Sense>,
    /// Pointers of which the precondition being assumed may say more, and where they point until then.
    pub(crate) unsettled: Vec<(crate::nowhere::Unsettled, Term)>,
    /// What a precondition says may be read only: the addresses of such objects, or null.
    pub(crate) readable: Vec<Var>,
    /// Static variables that the program writes by name, where a contract is checked.
    pub(crate) changed: std::collections::BTreeSet<VarId>,
    /// The program calls unknown functions, or gets pointers from outside.
    pub(crate) meets_outside: bool,
    /// Pointers from outside may point to variables that other files can name: those live in objects.
    pub(crate) outside_points_in: bool,
    pub(crate) fun: FunctionState,
}

impl FunctionState {
    pub(crate) fn new(id: Option<FuncId>, func: Func, name: &str, ret: Ty, span: Span) -> FunctionState {
        let graph = Function::new(name, span);
        let (at, leave) = (graph.entry, graph.exit);
        FunctionState {
            id,
            func,
            graph,
            at,
            last: None,
            span,
            unused: None,
            temps: 0,
            live: Vec::new(),
            kept: BTreeSet::new(),
            cleanups: BTreeMap::new(),
            breaks: Vec::new(),
            continues: Vec::new(),
            switches: Vec::new(),
            labels: BTreeMap::new(),
            gotos: Vec::new(),
            landings: Vec::new(),
            flights: Vec::new(),
            ret,
            result_address: None,
            varargs: None,
            allocas: Vec::new(),
            library_checked: None,
            unmodelled_params: Vec::new(),
            argv: None,
            leave,
        }
    }
}

/// Why executions end where pointers have more bits than in C.
const WIDE: &str = "a pointer as a part of memory or as a number, where there are objects of any size (ILP32)";

/// Whether executions end here because pointers have more bits than in C.
pub fn is_too_wide(kind: &LocKind) -> bool {
    matches!(kind, LocKind::Unsupported(what) if what.what == WIDE)
}

/// The sort of a scalar C type, with pointers as wide as in C; None for everything that lives in memory only.
pub(crate) fn sort_of(unit: &Unit, ty: Ty) -> Option<Sort> {
    let types = &unit.types;
    match types[ty] {
        Type::Bool => Some(Sort::Bv(8)),
        Type::Int(_) | Type::Enum(_) => types.int_shape(ty).map(|(width, _)| Sort::Bv(width)),
        Type::Pointer(_) | Type::VaList => Some(Sort::Bv(8 * types.model().word() as u32)),
        Type::Float(kind) => Some(Sort::Float(format_of(kind))),
        _ => None,
    }
}

/// A constant as `cfront` keeps it.
pub(crate) fn float_value(kind: FloatKind, bits: u128) -> FloatValue {
    let format = format_of(kind);
    // x87 keeps the leading bit of the significand; the value's packed form does not.
    let packed = match format {
        term::Format::X87 => (bits >> 64) << 63 | bits & ((1 << 63) - 1),
        _ => bits,
    };
    FloatValue::from_bits(format, &Bits::new(packed, format.width()))
}

pub(crate) fn format_of(kind: FloatKind) -> Format {
    match kind {
        FloatKind::Float => Format::F32,
        FloatKind::Double => Format::F64,
        FloatKind::LongDouble => Format::X87,
        FloatKind::Float128 => Format::F128,
    }
}

impl<'u> Lowering<'u> {
    pub(crate) fn terms(&mut self) -> &mut Store {
        &mut self.program.terms
    }

    pub(crate) fn sort(&self, ty: Ty) -> Option<Sort> {
        match self.unit.types[ty] {
            Type::Pointer(_) | Type::VaList => Some(self.program.machine.pointer_sort()),
            _ => sort_of(self.unit, ty),
        }
    }

    /// Bits of a `size_t`: those of a pointer in C.
    pub(crate) fn size_width(&self) -> u32 {
        self.program.machine.word_bits()
    }

    /// The value of a function that is modelled or built in, as wide as its type says: sizes are counted as offsets of pointers are.
    pub(crate) fn as_wide_as(&mut self, ty: Ty, value: Term) -> Term {
        match (self.sort(ty), self.terms().sort(value)) {
            (Some(Sort::Bv(width)), Sort::Bv(_)) => self.terms().resize(value, width, false),
            _ => value,
        }
    }

    pub(crate) fn pointer_width(&self) -> u32 {
        self.program.machine.pointer_bits()
    }

    /// A pointer-wide number.
    pub(crate) fn word(&mut self, value: u64) -> Term {
        let width = self.pointer_width();
        self.terms().bv(value.into(), width)
    }

    /// Bytes that a load or store of the scalar type moves.
    pub(crate) fn storage(&self, ty: Ty) -> u32 {
        match self.unit.types[ty] {
            Type::VaList => self.program.machine.word_bytes(),
            _ => self.unit.types.size_of(ty).unwrap_or(0) as u32,
        }
    }

    pub(crate) fn is_signed(&self, ty: Ty) -> bool {
        self.unit.types.int_shape(ty).is_some_and(|(_, signed)| signed)
    }

    // Locations and edges.

    pub(crate) fn fresh_loc(&mut self) -> Loc {
        let span = self.fun.span;
        self.fun.graph.add_loc(span)
    }

    /// Continues building at `loc`.
    pub(crate) fn resume(&mut self, loc: Loc) {
        self.fun.at = loc;
        self.fun.last = None;
    }

    /// After a jump: whatever comes next is not reached from here.
    pub(crate) fn unreachable(&mut self) {
        let loc = self.fresh_loc();
        self.resume(loc);
    }

    pub(crate) fn edge(&mut self, to: Loc, op: Op) -> Edge {
        let op = if self.moves_wide_pointer(&op) {
            self.unsupported(WIDE);
            Op::Assume(self.terms().ff())
        } else {
            op
        };
        let (from, span) = (self.fun.at, self.fun.span);
        self.fun.last = None;
        self.fun.graph.add_edge(from, to, op, span)
    }

    /// Whether a pointer with more bits than in C is to be read from memory or written there, where it has no bytes.
    fn moves_wide_pointer(&self, op: &Op) -> bool {
        let machine = self.program.machine;
        let is_pointer = |sort: Sort| machine.is_wide() && sort == machine.pointer_sort();
        match op {
            Op::Load { dst, .. } => is_pointer(self.program.vars[*dst].sort),
            Op::Store { value, .. } => is_pointer(self.program.terms.sort(*value)),
            _ => false,
        }
    }

    /// The way ends as unsupported; the value that would be there is not reached.
    pub(crate) fn refuse_wide_pointer(&mut self, ty: Ty) -> Term {
        self.unsupported(WIDE);
        self.dummy(ty)
    }

    /// Appends an operation.
    pub(crate) fn emit(&mut self, op: Op) {
        let made = if let Op::Alloc { dst, kind, .. } = &op { Some((*dst, *kind)) } else { None };
        let to = self.fresh_loc();
        let edge = self.edge(to, op);
        self.fun.at = to;
        self.fun.last = Some(edge);
        if let Some((object, kind)) = made {
            self.forget_place(object, kind);
        }
    }

    /// A plain step to `to`; building goes on elsewhere.
    pub(crate) fn step_to(&mut self, to: Loc) {
        let always = self.terms().tt();
        self.edge(to, Op::Assume(always));
        self.unreachable();
    }

    /// A plain step to `to`, and building goes on there.
    pub(crate) fn continue_at(&mut self, to: Loc) {
        self.step_to(to);
        self.resume(to);
    }

    /// Two ways on, by a condition.
    pub(crate) fn split(&mut self, cond: Term, on_true: Loc, on_false: Loc) {
        match self.terms().as_bool_const(cond) {
            Some(true) => self.step_to(on_true),
            Some(false) => self.step_to(on_false),
            None => {
                let otherwise = self.terms().not(cond);
                self.edge(on_true, Op::Assume(cond));
                self.edge(on_false, Op::Assume(otherwise));
                self.unreachable();
            }
        }
    }

    /// A location of that kind, at the current span.
    pub(crate) fn marked(&mut self, kind: LocKind) -> Loc {
        self.note_check(&kind);
        let loc = self.fresh_loc();
        self.fun.graph.locs[loc].kind = kind;
        loc
    }

    /// Execution ends here, in a location of that kind.
    pub(crate) fn end(&mut self, kind: LocKind) {
        let loc = self.marked(kind);
        self.step_to(loc);
    }

    /// Goes on only where `ok` holds, and to a location of that kind otherwise.
    pub(crate) fn require(&mut self, ok: Term, otherwise: LocKind) {
        self.note_check(&otherwise);
        if self.terms().as_bool_const(ok) == Some(true) {
            return;
        }
        let bad = self.marked(otherwise);
        let good = self.fresh_loc();
        self.split(ok, good, bad);
        self.resume(good);
    }

    /// The end of the program asks about leaks, whether or not there is a heap: `watch` knows that.
    fn note_check(&mut self, kind: &LocKind) {
        if let LocKind::Error(Violation { property, .. }) = kind
            && !matches!(property, Property::ValidMemtrack | Property::ValidMemcleanup)
        {
            self.checked.insert(*property);
        }
    }

    pub(crate) fn unsupported(&mut self, what: impl Into<String>) {
        self.end(LocKind::Unsupported(what.into().into()));
    }

    /// Says once what the answer rests on.
    pub(crate) fn note_once(&mut self, what: &str, span: Span, message: impl Into<String>) {
        if self.noted.insert(what.to_owned()) {
            self.program.notes.push(Diagnostic::note(Some(span), message));
        }
    }

    pub(crate) fn abort(&mut self) {
        self.check_cleanup();
        self.end(LocKind::End(EndKind::Abort));
    }

    /// A value of the type for code that is never reached.
    pub(crate) fn dummy(&mut self, ty: Ty) -> Term {
        let sort = self.sort(ty).unwrap_or(Sort::Bv(self.pointer_width()));
        self.terms().value(&term::Value::zero(sort))
    }

    // Variables.

    pub(crate) fn term(&self, var: Var) -> Term {
        self.program.term(var)
    }

    /// A temporary of the function being built.
    pub(crate) fn temp(&mut self, sort: Sort) -> Var {
        let name = format!("{}::$t{}", self.fun.graph.name, self.fun.temps);
        self.fun.temps += 1;
        self.program.add_var(&name, sort, VarKind::Local(self.fun.func), None)
    }

    /// A variable of the lowering's own that starts as zero.
    pub(crate) fn zeroed(&mut self, sort: Sort) -> Var {
        let var = self.temp(sort);
        let zero = self.terms().value(&term::Value::zero(sort));
        self.emit(Op::Assign(vec![(var, zero)]));
        var
    }

    /// A named generated variable of the function being built.
    pub(crate) fn local(&mut self, name: &str, sort: Sort) -> Var {
        let name = format!("{}::{name}", self.fun.graph.name);
        self.program.add_var(&name, sort, VarKind::Local(self.fun.func), None)
    }

    /// The user's view of a variable.
    pub(crate) fn source_var(&self, id: VarId) -> Option<SourceVar> {
        let var = &self.unit.vars[id];
        if var.generated {
            return None;
        }
        Some(SourceVar {
            name: var.name.clone(),
            ctype: self.unit.types.show(var.ty.unqualified()),
            signed: self.is_signed(var.ty) || self.unit.types.is_float(var.ty),
            pointer: self.unit.types.is_pointer(var.ty),
            span: var.span,
            frame: cfa::Frame::new(0),
        })
    }

    /// The user's view of a variable's address: `&x` of type `T *`, signed if `T` (or its elements) are. When memory becomes
    /// variables, those are named after it.
    fn address_source(&self, id: VarId) -> Option<SourceVar> {
        let source = self.source_var(id)?;
        let types = &self.unit.types;
        let mut ty = self.unit.vars[id].ty;
        while let Type::Array(element, _) = types[ty] {
            ty = element;
        }
        Some(SourceVar {
            name: format!("&{}", source.name),
            ctype: format!("{} *", source.ctype),
            signed: self.is_signed(ty) || types.is_float(ty),
            pointer: true,
            ..source
        })
    }

    /// What values of the type are made of, as far as scalars go.
    fn shape(&mut self, ty: Ty) -> Option<Arc<Shape>> {
        if let Some(known) = self.shapes.get(&ty) {
            return known.clone();
        }
        let unit = self.unit;
        let types = &unit.types;
        let shape = match (types.record(ty), &types[ty]) {
            (Some(id), _) => {
                let fields = types.records[id].fields.iter().filter(|field| field.bits.is_none());
                let member = |field: &cfront::types::Field| {
                    Some((field.name.clone(), field.offset, self.shape(field.ty.unqualified())?))
                };
                Some(Shape::Record(fields.filter_map(member).collect()))
            }
            (None, Type::Array(of, Len::Const(count))) => {
                let stride = types.size_of(*of).unwrap_or(0);
                self.shape(of.unqualified()).map(|of| Shape::Array { stride, count: *count, of })
            }
            _ => self.sort(ty).map(|sort| {
                Shape::Scalar(Scalar {
                    bytes: self.storage(ty),
                    ctype: types.show(ty),
                    signed: self.is_signed(ty) || types.is_float(ty),
                    pointer: types.is_pointer(ty),
                    float: matches!(sort, Sort::Float(_)),
                })
            }),
        };
        let shape = shape.map(Arc::new);
        self.shapes.insert(ty, shape.clone());
        shape
    }

    /// What a pointer of that type points to, and how many bytes one of those takes.
    fn pointee_shape(&mut self, ty: Ty) -> Option<(u64, Arc<Shape>)> {
        let of = self.unit.types.pointee(ty)?;
        let size = self.unit.types.size_of(of).filter(|size| *size > 0)?;
        Some((size, self.shape(of.unqualified())?))
    }

    /// Makes the home of a variable: a plain variable where nobody can point at it, else one for its address.
    pub(crate) fn make_home(&mut self, id: VarId) -> Home {
        if let Some(home) = self.homes[id.index()] {
            return home;
        }
        let unit = self.unit;
        let var = &unit.vars[id];
        let (prefix, kind) = if var.storage.is_static() {
            let owner = var.func.filter(|_| var.storage == cfront::hir::Storage::StaticLocal);
            let prefix = owner.map(|f| format!("{}::", unit.funcs[f].name)).unwrap_or_default();
            (prefix, VarKind::Global)
        } else {
            (format!("{}::", self.fun.graph.name), VarKind::Local(self.fun.func))
        };
        let home = match self.sort(var.ty) {
            Some(sort) if !(var.address_taken || self.outside_points_in && self.is_known_outside(id)) => {
                let source = self.source_var(id);
                if let (Some(source), Some((stride, of))) = (&source, self.pointee_shape(var.ty)) {
                    let all = Arc::new(Shape::Array { stride, count: u64::MAX, of });
                    self.program.shapes.insert((source.span, format!("*{}", source.name)), all);
                }
                let v = self.program.add_var(&format!("{prefix}{}", var.name), sort, kind, source);
                self.home_of.insert(v, id);
                Home::Scalar(v)
            }
            _ => {
                let pointer = self.program.machine.pointer_sort();
                let source = self.address_source(id);
                if let (Some(source), Some(shape)) = (&source, self.shape(var.ty.unqualified())) {
                    self.program.shapes.insert((source.span, source.name.clone()), shape);
                }
                Home::Object(self.program.add_var(&format!("{prefix}&{}", var.name), pointer, kind, source))
            }
        };
        self.homes[id.index()] = Some(home);
        home
    }

    /// Gives `var` a value. A temporary that the last edge just computed is computed into `var` at once instead.
    pub(crate) fn assign(&mut self, var: Var, value: Term) {
        if let Some(edge) = self.fun.last
            && let Some(temp) = self.program.var_of(value)
            && self.program.vars[temp].source.is_none()
            && !self.home_of.contains_key(&temp)
            && self.program.vars[temp].sort == self.program.vars[var].sort
        {
            let dst = match &mut self.fun.graph.edges[edge].op {
                Op::Load { dst, .. } => Some(dst),
                Op::Call { dst: Some(dst), .. } => Some(dst),
                Op::Havoc { vars, .. } if vars.len() == 1 => Some(&mut vars[0]),
                _ => None,
            };
            if let Some(dst) = dst.filter(|dst| **dst == temp) {
                *dst = var;
                self.program.vars[var].raw |= self.program.vars[temp].raw;
                return;
            }
        }
        self.emit(Op::Assign(vec![(var, value)]));
    }

    /// A copy of `value` that later assignments do not change.
    pub(crate) fn snapshot(&mut self, value: Term) -> Term {
        let sort = self.terms().sort(value);
        let temp = self.temp(sort);
        self.emit(Op::Assign(vec![(temp, value)]));
        self.term(temp)
    }

    pub(crate) fn havoc(&mut self, sort: Sort, origin: Origin) -> Term {
        let temp = self.temp(sort);
        self.emit(Op::Havoc { vars: vec![temp], origin });
        self.term(temp)
    }

    /// Replaces the function under construction by another one and gives the old one back.
    pub(crate) fn swap_function(&mut self, next: FunctionState) -> FunctionState {
        std::mem::replace(&mut self.fun, next)
    }
}

/// Ids for functions are handed out before they are built.
pub(crate) fn reserve(functions: &mut Table<Func, Function>, name: &str, span: Span) -> Func {
    functions.push(Function::new(name, span))
}
