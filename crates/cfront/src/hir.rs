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

mod builtin;
mod contract;
mod expr;
mod stmt;

use base::{Sources, Span, Table};

use crate::types::{Ty, Types};

pub use self::builtin::Builtin;
pub use self::contract::{Assigned, AssignedTarget, Contract, LoopContract};
pub use self::expr::{BinaryOp, Chosen, ElemSize, Expr, ExprKind, Init, InitPart, Symbol, UnaryOp};
pub use self::stmt::{Asm, AsmOperand, Case, Stmt, StmtKind};

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
    /// Whether the program asks when it is compiled: then characters of string literals that say [`DATE`], [`TIME`] or [`TIMESTAMP`] are
    /// any that say such a moment.
    pub has_moments: bool,
    /// Notes worth telling the user that are no errors.
    pub notes: Vec<base::Diagnostic>,
    /// Which of the injections (`Options::injections`) found their places: expressions, then claims. For what was put before a
    /// statement, that and nothing of the statements inside of it.
    pub injected: Vec<Option<Span>>,
}

/// What stands for `__DATE__`, `__TIME__` and `__TIMESTAMP__`, which depend on when the program is compiled: no moment.
pub const DATE: &str = "Feb 30 1970";
pub const TIME: &str = "24:60:61";
pub const TIMESTAMP: &str = "Thu Feb 30 24:60:61 1970";

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
    /// Of a parameter that is declared as an array, `[static N]`: what it points to has at least so many elements.
    pub at_least: Option<u64>,
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
    /// Declared `const`: it does not read memory that may change, either.
    pub reads_nothing: bool,
    /// Parameters, counted from 1, that are declared never to be null; all pointers where there are no numbers.
    pub nonnull: Option<Vec<u32>>,
    pub returns_nonnull: bool,
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
    /// What declarations call it; the linker calls it `name` (`asm("name")`, `weakref`).
    pub written: Vec<String>,
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

impl Func {
    /// One of which nothing is known but its type.
    pub fn declared(name: String, ty: Ty, internal: bool, span: Span) -> Func {
        Func {
            name,
            ty,
            params: Vec::new(),
            locals: Vec::new(),
            body: None,
            span,
            internal,
            noreturn: false,
            pure: false,
            reads_nothing: false,
            nonnull: None,
            returns_nonnull: false,
            address_taken: false,
            kr: false,
            implicit: false,
            inline: false,
            weak: false,
            alias_of: None,
            written: Vec::new(),
            align: None,
            constructor: None,
            destructor: None,
            contract: None,
            claims: Vec::new(),
        }
    }
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
