//! The typed tree ("HIR") that this crate produces: C with nothing implicit left.
//!
//! * Lvalues and values are apart. An *lvalue* expression (`Var`, `Str`, `Deref`, `Field` of an lvalue,
//!   `CompoundLiteral`, `Func`) names a place; [`ExprKind::Load`] reads it, `Decay` turns an array place into a pointer
//!   to its first element, `FuncDecay` a function into its address. Its `ty` is the declared (possibly qualified) type;
//!   values have unqualified types.
//! * Every conversion is a [`ExprKind::Cast`]: the operands of an arithmetic operator have the same type as each other,
//!   and arguments, assigned and returned values the type of their destination.
//! * A condition (of `if`, loops, `&&`, `||`, `!`, `?:`) is a value of any scalar type: true iff it is not equal to zero.
//! * `a[i]` is `Deref(PtrAdd(..))`, `p->f` is `Field(Deref(p))`; `sizeof`, `offsetof`, enum constants and other integer
//!   constants are `Int`.
//! * A variable-length array type names generated variables ([`crate::types::Len::Vla`]) that hold its bounds. The
//!   assignment to them is ordinary code: an `Expr` statement in front of the declaration, or the left of a `Comma`.
//! * What is valid C but not modelled is an `Unsupported` node at its place.
//!
//! Several files may be linked into one [`Unit`]. A reference's `ty` is the type its file declared; [`Var::ty`] and
//! [`Func::ty`] are those of the definition. They can differ when the files disagree.

use base::{Sources, Span, Table};

use crate::types::{BitField, Ty, Types};

/// The name of the variables that compound literals are.
pub const COMPOUND_LITERAL: &str = "<literal>";

base::id!(
    /// A variable: global, local, parameter, static local, or the object of a compound literal.
    VarId,
    "v"
);
base::id!(
    /// A function, defined or only declared.
    FuncId,
    "f"
);
base::id!(
    /// A string literal.
    StrId,
    "s"
);
base::id!(
    /// A `goto` label of some function.
    LabelId,
    "l"
);

/// A whole program: all files, linked.
#[derive(Debug)]
pub struct Unit {
    pub types: Types,
    pub vars: Table<VarId, Var>,
    pub funcs: Table<FuncId, Func>,
    pub strings: Table<StrId, StringLit>,
    pub labels: Table<LabelId, Label>,
    pub sources: Sources,
    /// Things outside functions that are not modelled (`asm("...")` at top level, for instance): what and where.
    /// They belong to the program as a whole.
    pub unsupported: Vec<(String, Span)>,
    /// Lines on which the program says that accesses to memory are not to be checked.
    pub unchecked: Vec<Span>,
    /// Notes worth telling the user that are no errors.
    pub notes: Vec<base::Diagnostic>,
    /// Which of the injections (`Options::injections`) found their places: expressions, then claims.
    pub injected: Vec<bool>,
}

impl Unit {
    /// The function with external linkage (or, failing that, the first static one) called `name`.
    pub fn func(&self, name: &str) -> Option<FuncId> {
        let named = || self.funcs.iter().filter(|(_, f)| f.name == name);
        named().find(|(_, f)| !f.internal).or_else(|| named().next()).map(|(id, _)| id)
    }

    /// The file-scope variable called `name`, external ones first.
    pub fn global(&self, name: &str) -> Option<VarId> {
        let named = || self.vars.iter().filter(|(_, v)| v.name == name);
        named()
            .find(|(_, v)| v.storage == Storage::Extern)
            .or_else(|| named().find(|(_, v)| v.storage == Storage::Static))
            .map(|(id, _)| id)
    }
}

/// Where a variable lives and who sees it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Storage {
    /// File scope (or `extern` in a block), visible to all files.
    Extern,
    /// File scope, `static`; also a compound literal at file scope.
    Static,
    /// `static` in a function.
    StaticLocal,
    Local,
    Param,
}

impl Storage {
    /// Does the object live as long as the program (and so start as its initialiser or zero)?
    pub fn is_static(self) -> bool {
        matches!(self, Storage::Extern | Storage::Static | Storage::StaticLocal)
    }
}

#[derive(Clone, Debug)]
pub struct Var {
    /// As the user wrote it; generated variables have names in angle brackets (`<vla>`, `<literal>`).
    pub name: String,
    pub ty: Ty,
    pub storage: Storage,
    /// The name at its declaration (the definition where there is one).
    pub span: Span,
    /// The function it belongs to, for all but file-scope variables.
    pub func: Option<FuncId>,
    /// `&x` (or `&x.f`, `&x[i]`) is taken, or `x` is an array that decays other than to be indexed at once. Never false
    /// when a pointer to the variable can exist.
    pub address_taken: bool,
    /// Static storage only: the initialiser; constants only (see [`Init`]). None with `defined` means all zero.
    pub init: Option<Init>,
    /// False only for `extern` variables that no file defines.
    pub defined: bool,
    pub thread_local: bool,
    /// Made by the front end: bounds of variable arrays, compound literals.
    pub generated: bool,
    /// Larger alignment asked for by `_Alignas` or an attribute.
    pub align: Option<u64>,
    /// Bytes beyond the size of `ty`: those of an initialised flexible array member.
    pub extra_size: u64,
    /// Declared weak: where no file defines it, its address may be null.
    pub weak: bool,
    /// Used by a nested function: the static pointer that holds its address from its declaration on.
    pub captured: Option<VarId>,
}

#[derive(Clone, Debug)]
pub struct Func {
    pub name: String,
    /// The type of the definition, else of the declarations merged. Always [`crate::types::Type::Function`].
    pub ty: Ty,
    /// Parameters of the definition, in order (empty without a body). For a K&R definition a parameter's type may be
    /// narrower than what callers pass: they pass the promoted type.
    pub params: Vec<VarId>,
    /// All locals in declaration order, generated ones too; static locals and parameters not.
    pub locals: Vec<VarId>,
    /// Always a `Block`. None: only declared.
    pub body: Option<Stmt>,
    /// The name at its declaration (the definition where there is one).
    pub span: Span,
    /// `static`.
    pub internal: bool,
    /// `_Noreturn` or the attribute.
    pub noreturn: bool,
    /// Declared `pure` or `const`: it changes nothing.
    pub pure: bool,
    /// Its address is used other than to call it.
    pub address_taken: bool,
    /// Defined in K&R style.
    pub kr: bool,
    /// Declared only by calling it.
    pub implicit: bool,
    /// Defined `inline` without `static`: a compiler may want another definition to call.
    pub inline: bool,
    /// Declared weak: where no file defines it, its address may be null.
    pub weak: bool,
    /// Another name of this function: they have one address.
    pub alias_of: Option<FuncId>,
    /// Larger alignment of its code asked for by an attribute.
    pub align: Option<u64>,
    /// Called before `main`, or after it, in the order of these priorities.
    pub constructor: Option<u16>,
    pub destructor: Option<u16>,
    /// What its declaration or definition says it needs and does.
    pub contract: Option<Box<Contract>>,
    /// What a witness says of it (`Injections::claims`): the numbers of invariants, and contracts that change nothing.
    pub claims: Vec<(u32, Contract)>,
}

/// The contract of a function: clauses as CBMC writes them, about variables of their own that stand for its parameters, its
/// result and what was before the call.
#[derive(Clone, Debug)]
pub struct Contract {
    /// In the order of the function's parameters.
    pub params: Vec<VarId>,
    /// `__CPROVER_return_value`, unless the function returns nothing.
    pub result: Option<VarId>,
    /// Conditions.
    pub requires: Vec<Expr>,
    pub ensures: Vec<Expr>,
    /// What it may write; nothing else. Places and sizes are those before the call.
    pub assigns: Vec<Assigned>,
    /// Pointers to what it may free.
    pub frees: Vec<Expr>,
    /// `__CPROVER_old(e)`: the variable that stands for it, and `e`, a place or a value.
    pub history: Vec<(VarId, Expr)>,
    /// Quantified variables and those of the history.
    pub locals: Vec<VarId>,
    /// Only what it requires was said, and not by the program: calls cannot be replaced by it.
    pub is_precondition: bool,
    /// Nothing was said of what it writes.
    pub may_write_anything: bool,
    pub span: Span,
}

/// What a function may write, if the condition holds before the call.
#[derive(Clone, Debug)]
pub struct Assigned {
    pub condition: Option<Expr>,
    pub target: AssignedTarget,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum AssignedTarget {
    /// An lvalue.
    Place(Expr),
    /// The whole object that a pointer points into.
    Whole(Expr),
    /// From a pointer on to the end of its object.
    From(Expr),
    /// So many bytes (a `size_t`) from a pointer on.
    Upto(Expr, Expr),
}

/// The contract of a loop.
#[derive(Clone, Debug)]
pub struct LoopContract {
    /// Conditions that hold whenever the loop's condition is about to be evaluated (in a `do` loop: whenever its body starts).
    pub invariants: Vec<Expr>,
    /// Integers, of which the first to change becomes less in every iteration.
    pub decreases: Vec<Expr>,
    /// What decreases is, in addition, not negative where an iteration begins.
    pub is_variant: bool,
    /// `__CPROVER_loop_entry(e)`: the variable that stands for it, and `e`, a place or a value.
    pub history: Vec<(VarId, Expr)>,
    pub span: Span,
}

/// A string literal as an array, its terminating zero included.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct StringLit {
    /// `char`, `wchar_t`'s type, `unsigned short` (u"") or `unsigned int` (U"").
    pub elem: Ty,
    /// The elements; for `char`, byte values.
    pub units: Vec<u32>,
}

#[derive(Clone, Debug)]
pub struct Label {
    pub name: String,
    pub func: FuncId,
    pub span: Span,
    /// `&&label` is taken: a computed goto of the function may jump here.
    pub address_taken: bool,
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: Ty,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// On the promoted type.
    Neg,
    BitNot,
    /// `!`: operand any scalar, result `int` 0 or 1.
    Not,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    BitAnd,
    BitOr,
    BitXor,
    /// The operands of shifts have each their own promoted type; the result has the left one's.
    Shl,
    Shr,
    /// Comparisons: both operands have the same arithmetic type or are both pointers; the result is `int`.
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl BinaryOp {
    /// As it is written in C.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitOr => "|",
            BinaryOp::BitXor => "^",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
        }
    }

    pub fn is_comparison(self) -> bool {
        matches!(self, BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge)
    }

    pub fn is_shift(self) -> bool {
        matches!(self, BinaryOp::Shl | BinaryOp::Shr)
    }
}

/// Size of the elements a pointer steps over.
#[derive(Clone, Debug)]
pub enum ElemSize {
    Const(u64),
    /// Rows of a variable-length array: a `size_t` value.
    Dynamic(Box<Expr>),
}

/// What a constant address is based on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Symbol {
    Var(VarId),
    Func(FuncId),
    Str(StrId),
    Label(LabelId),
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    /// Integer constant: the bits of the value, truncated to the width of `ty` and zero-extended. Also of pointer type
    /// (null, or a constant cast to a pointer).
    Int(u128),
    /// Floating constant: the bits in the format of `ty` (x87's 80 bits for `long double`).
    Float(u128),
    /// Constant address `symbol + offset bytes`, of pointer type. Appears in static initialisers only.
    Address(Symbol, i64),

    // Lvalues.
    Var(VarId),
    /// An array of characters that lives as long as the program.
    Str(StrId),
    Func(FuncId),
    Deref(Box<Expr>),
    /// Member number `.1` (index into the record's `fields`) of a struct/union lvalue, or of a struct *value* (the
    /// result of a call, say): then this is a value too.
    Field(Box<Expr>, u32),
    /// Evaluating it initialises the variable anew; then it is that variable's lvalue. (At file scope, compound literals
    /// are just `Var`s with static storage.)
    CompoundLiteral(VarId, Box<Init>),

    // Lvalue to value.
    Load(Box<Expr>),
    /// Address of an lvalue, never a bit-field.
    AddrOf(Box<Expr>),
    /// Array lvalue to pointer to its first element. The operand may also be a `Field` of a struct value (an array
    /// inside a returned struct), whose storage is temporary.
    Decay(Box<Expr>),
    FuncDecay(Box<Expr>),

    // Operators on values.
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `ptr + index * size`, or minus. `index` is of type ptrdiff_t or size_t (its signedness was kept).
    PtrAdd {
        ptr: Box<Expr>,
        index: Box<Expr>,
        size: ElemSize,
        negative: bool,
    },
    /// `(left - right) / size` of type ptrdiff_t.
    PtrDiff {
        left: Box<Expr>,
        right: Box<Expr>,
        size: ElemSize,
    },
    /// Any conversion of a value to `ty`: integer, float, pointer, to `_Bool` (compare with zero), to `void` (discard).
    /// Struct to the same struct is no conversion and never appears.
    Cast(Box<Expr>),
    /// GNU cast to union: the union whose member number `.1` has this value.
    ToUnion(Box<Expr>, u32),
    LogAnd(Box<Expr>, Box<Expr>),
    LogOr(Box<Expr>, Box<Expr>),
    /// `c ? a : b`, both of type `ty` (possibly void).
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `value ?: other`: `value` is evaluated once, tested, and then converted to `ty`; `other` has type `ty`.
    Elvis {
        value: Box<Expr>,
        other: Box<Expr>,
    },
    Comma(Box<Expr>, Box<Expr>),

    // Effects. Their value is that of the lvalue afterwards (of its unqualified type).
    /// Place, value of the place's type. Struct assignment too. A bit-field place truncates the value to its width.
    Assign(Box<Expr>, Box<Expr>),
    /// `place op= value`: evaluate the place once; load it, cast to `compute`, apply `op` with `value` (which has
    /// type `compute`, or for shifts its own promoted type), cast back, store.
    AssignOp {
        op: BinaryOp,
        place: Box<Expr>,
        value: Box<Expr>,
        compute: Ty,
    },
    /// `pointer += index` or `-=`; as for `PtrAdd`.
    AssignPtrAdd {
        place: Box<Expr>,
        index: Box<Expr>,
        size: ElemSize,
        negative: bool,
    },
    /// `++`/`--` on an arithmetic or pointer place; `size` is the step in bytes of a pointer.
    IncDec {
        place: Box<Expr>,
        decrement: bool,
        postfix: bool,
        size: Option<ElemSize>,
    },
    /// `callee` is a value of type pointer to function (usually `FuncDecay(Func)`). Arguments are converted to the
    /// parameter types; beyond them, and for functions without prototype, the default promotions were applied.
    Call {
        callee: Box<Expr>,
        args: Vec<Expr>,
    },
    /// GNU statement expression: run the statements, the value is that of `result` (its scope is the block).
    StmtExpr {
        body: Vec<Stmt>,
        result: Option<Box<Expr>>,
    },
    /// The operand of these is an lvalue of type [`crate::types::Type::VaList`].
    VaStart(Box<Expr>),
    VaEnd(Box<Expr>),
    /// Destination, source.
    VaCopy(Box<Expr>, Box<Expr>),
    /// Next argument as a value of type `ty`.
    VaArg(Box<Expr>),
    /// `&&label`, of type `void *`.
    LabelAddr(LabelId),
    Builtin(Builtin, Vec<Expr>),
    /// Valid C that is not modelled; says what. Reaching it makes the program's behaviour unknown.
    Unsupported(String),
}

/// Built-in functions with a meaning of their own. (Those that behave as a library function, `__builtin_memcpy`,
/// `__builtin_strlen`, ..., are calls of that function; constants such as `__builtin_inf()` and
/// `__builtin_constant_p` are folded.) Operands have the types stated; the result has type `Expr::ty`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Builtin {
    /// `(a, b, p)`: store `a op b`, computed exactly, wrapped into `*p`; the result (`_Bool`) tells whether it did not fit.
    /// `a` and `b` are of any integer types, unconverted; `p` points to an integer.
    AddOverflow,
    SubOverflow,
    MulOverflow,
    /// `(a, b, c)`: would it overflow the type of `c`? (`c` is a value used for its type only.)
    AddOverflowP,
    SubOverflowP,
    MulOverflowP,
    Unreachable,
    Trap,
    /// On an unsigned integer of the result's type.
    Bswap,
    /// Unsigned integer of 32 or 64 bits in, `int` out; undefined for zero.
    Clz,
    Ctz,
    /// Number of leading redundant sign bits of a signed integer; `int` out.
    Clrsb,
    Popcount,
    Parity,
    /// 1 + index of the lowest set bit, 0 for zero.
    Ffs,
    /// `(size)`: bytes on the stack, freed on return from the function.
    Alloca,
    /// Classification of one floating value of its own type; `int` out (0 or not 0; `IsInfSign` gives -1, 0, 1).
    IsNan,
    IsInf,
    IsInfSign,
    IsFinite,
    IsNormal,
    SignBit,
    /// `(nan, infinite, normal, subnormal, zero, x)`: five ints and a floating value.
    FpClassify,
    /// Quiet comparisons of two floating values of the same type; `int` out.
    IsGreater,
    IsGreaterEqual,
    IsLess,
    IsLessEqual,
    IsLessGreater,
    IsUnordered,
    /// Floating value in and out, of type `ty`.
    Fabs,
    CopySign,
    /// Full barrier (`__sync_synchronize`, `__atomic_thread_fence`): no effect on one thread.
    Fence,
    /// `(p, v)`: `old = *p; *p = old op v;` gives `old`. `v` has the pointee's type (ptrdiff_t bytes for pointers).
    FetchAdd,
    FetchSub,
    FetchAnd,
    FetchOr,
    FetchXor,
    FetchNand,
    /// The same, giving the new value.
    AddFetch,
    SubFetch,
    AndFetch,
    OrFetch,
    XorFetch,
    NandFetch,
    /// `(p, old, new)`: if `*p == old` store `new`; gives whether it did (`_Bool`).
    SyncBoolCompareSwap,
    /// The same, giving the value `*p` had.
    SyncValCompareSwap,
    /// `(p, v)`: `old = *p; *p = v;` gives `old`.
    AtomicExchange,
    /// `(p)`: gives `*p`.
    AtomicLoad,
    /// `(p, v)`: `*p = v`, void.
    AtomicStore,
    /// `(p, q, v)`: if `*p == *q` store `v` to `*p`, else store `*p` to `*q`; gives `_Bool`.
    AtomicCompareExchange,
    /// `(p)`: `*p = 0` as the byte, void / `(p)`: sets the byte to 1 and gives whether it was set.
    AtomicClear,
    AtomicTestAndSet,
    /// `(p, type)` of `__builtin_object_size`: what is known; `(size_t)-1` (types 0, 1) or 0 (2, 3) is always allowed.
    ObjectSize,
    /// Address of the current frame / return address: `(level)`, an arbitrary pointer.
    FrameAddress,
    ReturnAddress,
    /// `(i, condition)`, where `i` is the value of a variable of the quantifier's own: does it hold for all (for some) values
    /// of the variable's type?
    Forall,
    Exists,
    /// Predicates of contracts, `_Bool` out. `(p, n)`: `p` points to an object of `n` bytes that nothing else points into.
    IsFresh,
    /// `(p, q)`: the same pointer.
    PointerEquals,
    /// `(low, p, high)`: all three point into one object, in this order.
    PointerInRange,
    /// Predicates of ACSL, `_Bool` out. `(p, n)`: `n` bytes from `p` on, if it is not none of them, may be read and written.
    IsValid,
    /// The same for reading.
    IsReadable,
    /// `(p, n, q, m)`: none of the `n` bytes from `p` on is among the `m` bytes from `q` on.
    Separated,
}

impl Builtin {
    /// Which of its arguments point to what it writes.
    pub fn written(self) -> &'static [usize] {
        use Builtin as B;
        match self {
            B::AddOverflow | B::SubOverflow | B::MulOverflow => &[2],
            B::AtomicCompareExchange => &[0, 1],
            B::FetchAdd
            | B::FetchSub
            | B::FetchAnd
            | B::FetchOr
            | B::FetchXor
            | B::FetchNand
            | B::AddFetch
            | B::SubFetch
            | B::AndFetch
            | B::OrFetch
            | B::XorFetch
            | B::NandFetch
            | B::SyncBoolCompareSwap
            | B::SyncValCompareSwap
            | B::AtomicExchange
            | B::AtomicStore
            | B::AtomicClear
            | B::AtomicTestAndSet => &[0],
            _ => &[],
        }
    }

    /// Which of its arguments point to what it reads.
    pub fn read(self) -> &'static [usize] {
        match self {
            Builtin::AddOverflow | Builtin::SubOverflow | Builtin::MulOverflow => &[],
            Builtin::AtomicLoad => &[0],
            _ => self.written(),
        }
    }
}

/// An initialiser, resolved.
#[derive(Clone, Debug)]
pub enum Init {
    /// The whole object: a scalar or a struct value. For statics: `Int`, `Float`, `Address`, or a `Cast` of an `Address`
    /// to an integer type of the same width.
    Value(Expr),
    /// Of an array, struct or union: these parts, in the order they are evaluated and written; everything else is
    /// zero. Where two overlap (a struct value whose member is then given by a designator), the later one holds.
    Parts(Vec<InitPart>),
}

#[derive(Clone, Debug)]
pub struct InitPart {
    /// Bytes from the start of the object.
    pub offset: u64,
    /// Set for bit-fields: bits from the start of the *object* (not of the inner record).
    pub bits: Option<BitField>,
    /// The type of the part: a scalar, a record (then `value` is a struct value), or an array of characters (then `value`
    /// is the lvalue `Str`; as many of its elements as fit are copied, the rest of the array is zero).
    pub ty: Ty,
    /// Value of type `ty`; for statics as restricted in [`Init::Value`].
    pub value: Expr,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    /// From the first character of the statement (for loops: of the keyword) to its end, closing brace or semicolon
    /// included. Labels are statements of their own in front of it.
    pub span: Span,
}

/// One `case` of a switch; values are in the (promoted) type of the controlling expression, as mathematical integers.
#[derive(Clone, Debug)]
pub struct Case {
    pub low: i128,
    /// Equal to `low` unless a GNU case range.
    pub high: i128,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct AsmOperand {
    pub name: Option<String>,
    pub constraint: String,
    /// Outputs: an lvalue. Inputs: a value, or an lvalue when the constraint allows memory only ("m").
    pub expr: Expr,
}

#[derive(Clone, Debug)]
pub struct Asm {
    pub template: String,
    pub volatile: bool,
    pub outputs: Vec<AsmOperand>,
    pub inputs: Vec<AsmOperand>,
    pub clobbers: Vec<String>,
    pub labels: Vec<LabelId>,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Empty,
    Expr(Expr),
    /// A scope: variables declared directly in it live until its end.
    Block(Vec<Stmt>),
    /// A local (never static) comes to life. Without initialiser its value is arbitrary. One per declarator: the first has
    /// the whole declaration's span, the others start at their declarator. `size` is set for variable-length arrays: bytes,
    /// a `size_t` value. `cleanup` is evaluated whenever the scope is left after this.
    Decl {
        var: VarId,
        init: Option<Init>,
        size: Option<Box<Expr>>,
        cleanup: Option<Box<Expr>>,
    },
    If {
        cond: Expr,
        then: Box<Stmt>,
        other: Option<Box<Stmt>>,
    },
    While {
        cond: Expr,
        body: Box<Stmt>,
    },
    DoWhile {
        body: Box<Stmt>,
        cond: Expr,
    },
    /// `init` is `Expr`, `Decl`s or nothing; its scope is the loop. No condition means true.
    For {
        init: Vec<Stmt>,
        cond: Option<Expr>,
        step: Option<Expr>,
        body: Box<Stmt>,
    },
    /// `cond` has its promoted integer type. `cases` lists the `Case(i)` markers of the body; they do not overlap.
    Switch {
        cond: Expr,
        cases: Vec<Case>,
        has_default: bool,
        body: Box<Stmt>,
    },
    /// Marker: case number i of the innermost enclosing switch starts here.
    Case(u32),
    /// Marker: the default of the innermost enclosing switch.
    Default,
    /// Marker: target of `goto`.
    Label(LabelId),
    Goto(LabelId),
    /// GNU `goto *e`: any label of the function whose address is taken.
    GotoComputed(Expr),
    Break,
    Continue,
    /// The value has the function's return type. None in void functions (and in old C in others: then arbitrary).
    Return(Option<Expr>),
    Asm(Box<Asm>),
    /// Stands in front of the loop that it is about.
    LoopContract(Box<LoopContract>),
    /// The values of these expressions, here and now, are kept in the variables until the end of the block.
    Remember(Vec<(VarId, Expr)>),
    Unsupported(String),
}
