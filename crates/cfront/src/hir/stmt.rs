//! Statements. Labels and cases are markers of their own in front of what they lead to.

use base::Span;

use super::{Expr, Init, LabelId, LoopContract, VarId};

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
