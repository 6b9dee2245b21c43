//! Expressions, and initialisers, which are made of them.

use base::Span;

use crate::types::{BitField, RecordId, Ty};

use super::{Builtin, FuncId, LabelId, Stmt, StrId, VarId};

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

/// An initialiser, resolved.
#[derive(Clone, Debug)]
pub enum Init {
    /// The whole object: a scalar or a struct value. For statics: `Int`, `Float`, `Address`, or a `Cast` of an `Address`
    /// to an integer type of the same width.
    Value(Expr),
    /// Of an array, struct or union: these parts, in the order they are evaluated and written; everything else is
    /// zero. Where two overlap (a struct value whose member is then given by a designator), the later one holds. Of each union that is begun with a member: which one.
    Parts(Vec<InitPart>, Vec<Chosen>),
}

/// The member that a union at `offset` (bytes from the start of the object) is initialised by.
#[derive(Clone, Copy, Debug)]
pub struct Chosen {
    pub offset: u64,
    pub record: RecordId,
    pub member: u64,
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
