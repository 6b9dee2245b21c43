//! The register code that programs are compiled to before they run.
//!
//! Each activation of a function has two register files: words (variables, then constants, then temporaries) and heavy
//! cells for everything that is not a word. Globals live in files of their own. Straight chains of edges become straight
//! code; two edges with complementary assumptions become one compare-and-branch. Instructions that transfer control carry
//! how many edges were executed since the last such instruction, which is how steps are counted. What C programs do most
//! (arithmetic on `int`, accesses to `a[i].m`) has instructions of its own: dispatching costs more than the work.

use super::byte_loop::ByteLoop;
use super::value::Heavy;
use cfa::{Edge, Func, Loc, Origin, Stream, Var};
use rustc_hash::FxHashMap;
use term::{ArraySort, Op as TermOp, Sort};

/// A word register of the current activation.
pub(crate) type Reg = u16;
/// So many words there are behind the first one of every activation, although frames are smaller: any register is inside, which
/// need not be checked.
pub(crate) const WINDOW: usize = 1 << 16;
/// So many words a frame has at most: a function that is called has its own in the window of its caller, too.
pub(crate) const FRAME: usize = WINDOW / 2;
/// A heavy cell: of the current activation, or global when the top bit is set.
pub(crate) type Cell = u32;
pub(crate) const GLOBAL_CELL: u32 = 1 << 31;

/// Where a variable lives, or a computed value stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    Word(Reg),
    GlobalWord(u32),
    Heavy(Cell),
}

/// What to do next. `u8` fields are widths in bits, `u16` fields that are no registers count edges; destinations come first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Instr {
    Mov(Reg, Reg),
    GetGlobal(Reg, u32),
    SetGlobal(u32, Reg),
    /// `global := global + word`, of 32 bits.
    AddGlobal32(u32, Reg),
    /// `dst := src` if the condition holds.
    MovIf(Reg, Reg, Reg),

    Not(u8, Reg, Reg),
    Neg(u8, Reg, Reg),
    Add(u8, Reg, Reg, Reg),
    Add32(Reg, Reg, Reg),
    Add64(Reg, Reg, Reg),
    Sub(u8, Reg, Reg, Reg),
    Mul(u8, Reg, Reg, Reg),
    Udiv(u8, Reg, Reg, Reg),
    Urem(Reg, Reg, Reg),
    Sdiv(u8, Reg, Reg, Reg),
    Srem(u8, Reg, Reg, Reg),
    Shl(u8, Reg, Reg, Reg),
    Lshr(u8, Reg, Reg, Reg),
    Ashr(u8, Reg, Reg, Reg),
    And(Reg, Reg, Reg),
    Or(Reg, Reg, Reg),
    Xor(Reg, Reg, Reg),
    /// The width is that of the low part.
    Concat(u8, Reg, Reg, Reg),
    Extract {
        lo: u8,
        width: u8,
        dst: Reg,
        src: Reg,
    },
    SignExtend {
        from: u8,
        to: u8,
        dst: Reg,
        src: Reg,
    },
    /// From 32 to 64 bits.
    SignExtend32(Reg, Reg),
    /// `base + scale * index`, of a width.
    Scale(u8, u16, Reg, Reg, Reg),
    /// The same, of 64 bits, with the sign-extended low 32 bits of the index.
    Scale32(u16, Reg, Reg, Reg),
    Eq(Reg, Reg, Reg),
    Ult(Reg, Reg, Reg),
    Ule(Reg, Reg, Reg),
    Slt(u8, Reg, Reg, Reg),
    Sle(u8, Reg, Reg, Reg),
    Saddo(u8, Reg, Reg, Reg),
    Ssubo(u8, Reg, Reg, Reg),
    Umulo(u8, Reg, Reg, Reg),
    Smulo(u8, Reg, Reg, Reg),

    AddF64(Reg, Reg, Reg),
    MulF64(Reg, Reg, Reg),
    F64(FloatOp, Reg, Reg, Reg),
    F32(FloatOp, Reg, Reg, Reg),
    Convert(Conversion, u8, Reg, Reg),

    /// `dst := cell[index]`, for arrays of words.
    ArrayGet(Reg, Cell, Reg),
    /// `cell[index] := elem`.
    ArraySet(Cell, Reg, Reg),
    /// An operator on values that are not words, or a rare one: see [`Code::slow`].
    Slow(u32),

    /// `$size` and `$live` of an object number.
    ObjectSize(Reg, Reg),
    ObjectLive(Reg, Reg),
    /// Number of bytes; destination, address.
    Load(u8, Reg, Reg),
    /// Number of bytes; address, value.
    Store(u8, Reg, Reg),
    /// One, four or eight bytes at `base + offset`: offset; destination, base.
    Load1(u16, Reg, Reg),
    Load4(u16, Reg, Reg),
    Load8(u16, Reg, Reg),
    /// Offset; base, value.
    Store1(u16, Reg, Reg),
    Store4(u16, Reg, Reg),
    Store8(u16, Reg, Reg),
    /// At `base + scale * index + offset`: offset, scale; destination, base, index.
    Load1Scale(u8, u16, Reg, Reg, Reg),
    Load4Scale(u8, u16, Reg, Reg, Reg),
    Load8Scale(u8, u16, Reg, Reg, Reg),
    /// Offset, scale; base, index, value.
    Store1Scale(u8, u16, Reg, Reg, Reg),
    Store4Scale(u8, u16, Reg, Reg, Reg),
    Store8Scale(u8, u16, Reg, Reg, Reg),
    /// With the sign-extended low 32 bits of the index.
    Load1Scale32(u8, u16, Reg, Reg, Reg),
    Load4Scale32(u8, u16, Reg, Reg, Reg),
    Load8Scale32(u8, u16, Reg, Reg, Reg),
    Store1Scale32(u8, u16, Reg, Reg, Reg),
    Store4Scale32(u8, u16, Reg, Reg, Reg),
    Store8Scale32(u8, u16, Reg, Reg, Reg),
    /// See [`Code::actions`].
    Action(u32),
    /// An action that gives a register the value of an uninitialised variable.
    Uninitialised(Reg, u32),
    /// Actions on objects, with the registers that they are about: address and size of a new one, and whether it may be freed; the
    /// address of one that ends, and whether it is freed; the ends and the number of bytes of a copy.
    Alloc {
        heap: bool,
        dst: Reg,
        size: Reg,
        action: u32,
    },
    End {
        freed: bool,
        addr: Reg,
        action: u32,
    },
    Copy {
        dst: Reg,
        src: Reg,
        len: Reg,
        action: u32,
    },

    Jump(u16, u32),
    /// Falls through when the register is not zero, else jumps.
    Branch(u16, Reg, u32),
    /// Fall through when the comparison holds.
    BranchEq(u16, Reg, Reg, u32),
    BranchNe(u16, Reg, Reg, u32),
    BranchUlt(u16, Reg, Reg, u32),
    BranchUle(u16, Reg, Reg, u32),
    BranchSlt(u8, u16, Reg, Reg, u32),
    BranchSle(u8, u16, Reg, Reg, u32),
    BranchSlt32(u16, Reg, Reg, u32),
    BranchSle32(u16, Reg, Reg, u32),
    /// Takes one of the enabled edges: see [`Code::choices`].
    Choose(u16, u32),
    Call(u16, u32),
    Return(u16),
    /// The function's last assignment, and the return behind it.
    MovReturn(u16, Reg, Reg),
    /// Executes iterations of the loop that starts here: see [`Code::byte_loops`].
    Bytes(u32),
    /// Execution ends at a location.
    Stop(u16, Func, Loc),

    /// An edge is about to be executed (only in code made for watching edges).
    AtEdge(Func, Edge),
    /// Control is at a watched location.
    AtLoc(Func, Loc),
}

/// Fetching instructions is much of the work: they stay small.
const _: () = assert!(size_of::<Instr>() == 12);

impl Instr {
    /// Where a control transfer goes.
    pub(crate) fn target(&mut self) -> Option<&mut u32> {
        match self {
            Instr::Jump(_, to)
            | Instr::Branch(_, _, to)
            | Instr::BranchEq(_, _, _, to)
            | Instr::BranchNe(_, _, _, to)
            | Instr::BranchUlt(_, _, _, to)
            | Instr::BranchUle(_, _, _, to)
            | Instr::BranchSlt(_, _, _, _, to)
            | Instr::BranchSle(_, _, _, _, to)
            | Instr::BranchSlt32(_, _, _, to)
            | Instr::BranchSle32(_, _, _, to) => Some(to),
            _ => None,
        }
    }

    /// Sets where a control transfer goes.
    pub(crate) fn set_target(&mut self, target: u32) {
        *self.target().expect("a control transfer") = target;
    }
}

impl Instr {
    /// How many edges a control transfer counts, at which limits are looked at.
    pub(crate) fn edges(self) -> Option<u16> {
        match self {
            Instr::Jump(n, _)
            | Instr::Branch(n, ..)
            | Instr::BranchEq(n, ..)
            | Instr::BranchNe(n, ..)
            | Instr::BranchUlt(n, ..)
            | Instr::BranchUle(n, ..)
            | Instr::BranchSlt(_, n, ..)
            | Instr::BranchSle(_, n, ..)
            | Instr::BranchSlt32(n, ..)
            | Instr::BranchSle32(n, ..)
            | Instr::Choose(n, _)
            | Instr::Call(n, _)
            | Instr::Return(n)
            | Instr::MovReturn(n, ..) => Some(n),
            _ => None,
        }
    }

    /// What a load or store accesses.
    pub(crate) fn access(self) -> Access {
        let at = |bytes, moved, base, offset| Access { bytes, moved, base, offset, index: None };
        let scaled = |access, reg, scale, narrow| Access { index: Some(Index { reg, scale, narrow }), ..access };
        match self {
            Instr::Load(bytes, dst, base) => at(bytes, Moved::To(dst), base, 0),
            Instr::Store(bytes, base, src) => at(bytes, Moved::From(src), base, 0),
            Instr::Load1(offset, dst, base) => at(1, Moved::To(dst), base, offset),
            Instr::Store1(offset, base, src) => at(1, Moved::From(src), base, offset),
            Instr::Load4(offset, dst, base) => at(4, Moved::To(dst), base, offset),
            Instr::Store4(offset, base, src) => at(4, Moved::From(src), base, offset),
            Instr::Load8(offset, dst, base) => at(8, Moved::To(dst), base, offset),
            Instr::Store8(offset, base, src) => at(8, Moved::From(src), base, offset),
            Instr::Load1Scale(offset, scale, dst, base, index) => {
                scaled(at(1, Moved::To(dst), base, offset as u16), index, scale, false)
            }
            Instr::Store1Scale(offset, scale, base, index, src) => {
                scaled(at(1, Moved::From(src), base, offset as u16), index, scale, false)
            }
            Instr::Load1Scale32(offset, scale, dst, base, index) => {
                scaled(at(1, Moved::To(dst), base, offset as u16), index, scale, true)
            }
            Instr::Store1Scale32(offset, scale, base, index, src) => {
                scaled(at(1, Moved::From(src), base, offset as u16), index, scale, true)
            }
            Instr::Load4Scale(offset, scale, dst, base, index) => {
                scaled(at(4, Moved::To(dst), base, offset as u16), index, scale, false)
            }
            Instr::Store4Scale(offset, scale, base, index, src) => {
                scaled(at(4, Moved::From(src), base, offset as u16), index, scale, false)
            }
            Instr::Load4Scale32(offset, scale, dst, base, index) => {
                scaled(at(4, Moved::To(dst), base, offset as u16), index, scale, true)
            }
            Instr::Store4Scale32(offset, scale, base, index, src) => {
                scaled(at(4, Moved::From(src), base, offset as u16), index, scale, true)
            }
            Instr::Load8Scale(offset, scale, dst, base, index) => {
                scaled(at(8, Moved::To(dst), base, offset as u16), index, scale, false)
            }
            Instr::Store8Scale(offset, scale, base, index, src) => {
                scaled(at(8, Moved::From(src), base, offset as u16), index, scale, false)
            }
            Instr::Load8Scale32(offset, scale, dst, base, index) => {
                scaled(at(8, Moved::To(dst), base, offset as u16), index, scale, true)
            }
            Instr::Store8Scale32(offset, scale, base, index, src) => {
                scaled(at(8, Moved::From(src), base, offset as u16), index, scale, true)
            }
            other => unreachable!("{other:?} accesses no memory"),
        }
    }
}

/// An access to the bytes at `base + scale * index + offset`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    pub(crate) bytes: u8,
    pub(crate) moved: Moved,
    pub(crate) base: Reg,
    pub(crate) offset: u16,
    pub(crate) index: Option<Index>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Index {
    pub(crate) reg: Reg,
    pub(crate) scale: u16,
    /// Its low 32 bits are meant, sign-extended.
    pub(crate) narrow: bool,
}

/// The register that is loaded, or stored.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Moved {
    To(Reg),
    From(Reg),
}

/// Operations on native floats. Tests give 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FloatOp {
    Add,
    Mul,
    Div,
    Sqrt,
    Neg,
    Abs,
    Eq,
    Lt,
    Le,
    /// Identity: one NaN, two zeros.
    Same,
    IsNan,
    IsInf,
    IsZero,
    IsNormal,
    IsSubnormal,
    IsNegative,
    IsPositive,
    RoundEven,
    RoundAway,
    RoundUp,
    RoundDown,
    RoundZero,
}

/// Between words; integers are of the width in the instruction, rounding is to nearest even, to integers toward zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Conversion {
    F32ToF64,
    F64ToF32,
    SignedToF64,
    UnsignedToF64,
    SignedToF32,
    UnsignedToF32,
    F64ToSigned,
    F64ToUnsigned,
    F32ToSigned,
    F32ToUnsigned,
}

/// An operation on values of any sort.
#[derive(Clone, Debug)]
pub(crate) enum Slow {
    Apply {
        op: TermOp,
        args: Vec<(Place, Sort)>,
        dst: Place,
        sort: Sort,
    },
    Copy {
        dst: Cell,
        src: Cell,
    },
    /// All places of the array hold `elem`.
    Reset {
        dst: Cell,
        sort: ArraySort,
        elem: Place,
    },
    /// In place, for arrays that are not of words.
    Set {
        array: Cell,
        sort: ArraySort,
        index: Place,
        elem: Place,
    },
    Get {
        dst: Place,
        array: Cell,
        sort: ArraySort,
        index: Place,
    },
}

/// An operation with an effect beyond registers; `func` and `edge` say which.
#[derive(Clone, Debug)]
pub(crate) struct Action {
    pub(crate) func: Func,
    pub(crate) edge: Edge,
    pub(crate) what: Effect,
}

#[derive(Clone, Debug)]
pub(crate) enum Effect {
    Havoc {
        places: Vec<(Var, Sort, Place)>,
        origin: Origin,
    },
    /// Of values that are not words of up to eight bytes.
    Load {
        bytes: u32,
        addr: Reg,
        dst: Place,
        sort: Sort,
    },
    Store {
        bytes: u32,
        addr: Reg,
        value: Place,
        sort: Sort,
    },
    /// The address goes to a register. `arbitrary`: the contents are an input. `heap`: it may be freed.
    Alloc {
        dst: Reg,
        size: Reg,
        arbitrary: bool,
        heap: bool,
    },
    End {
        addr: Reg,
        freed: bool,
    },
    Copy {
        dst: Reg,
        src: Reg,
        len: Reg,
    },
    Fill {
        dst: Reg,
        value: Place,
        sort: Sort,
        len: Reg,
    },
    Escape {
        addrs: Vec<Reg>,
    },
    Disturb,
    /// The number of printed bytes goes to a register.
    Print {
        format: Reg,
        args: Reg,
        stream: Stream,
        count: Option<(Reg, u8)>,
    },
}

/// A location with outgoing edges that are not a plain branch: for each edge its condition (`None`: always) and code.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub(crate) func: Func,
    pub(crate) loc: Loc,
    /// The first of them: stands for the choice where it is recorded.
    pub(crate) first: Edge,
    pub(crate) edges: Vec<(Option<Reg>, u32)>,
}

/// What entering and leaving a function by a call needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallSite {
    /// Where the callee's code starts.
    pub(crate) entry: u32,
    /// How many words an activation of the callee has.
    pub(crate) frame: u32,
    pub(crate) back: Back,
    /// Where the words that the callee starts with are in [`Code::frames`].
    pub(crate) words: (u32, u32),
    /// Where the arguments are in [`Code::arguments`].
    pub(crate) arguments: (u32, u32),
    /// Whether it is heavy, or the entry function makes the call, so that entering takes more than words.
    pub(crate) needs_more: bool,
}

/// What leaving a function needs, which is kept with the active calls.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Back {
    /// The number of the call.
    pub(crate) call: u32,
    /// Where the caller goes on.
    pub(crate) to: u32,
    /// How many words an activation of the caller has.
    pub(crate) caller_frame: u16,
    /// The word that the call results in, from its register in the callee (as the caller numbers it) to the caller's.
    pub(crate) result: (Reg, Reg),
    /// Whether heavy cells are involved, or a result that is not just a word: see [`Code::call_infos`].
    pub(crate) is_heavy: bool,
}

/// What else there is to know about a call.
#[derive(Clone, Debug)]
pub(crate) struct CallInfo {
    pub(crate) func: Func,
    pub(crate) edge: Edge,
    pub(crate) callee: Func,
    /// Argument in the caller, parameter in the callee.
    pub(crate) cells: Vec<(Cell, Cell)>,
    /// The result in the callee, and where the caller wants it.
    pub(crate) result: Option<(Place, Place)>,
}

/// Words of frames are copied in groups of so many, which the machine does at once.
pub(crate) const GROUP: usize = 4;

/// The frame that an activation starts with, and where its code is.
#[derive(Clone, Debug, Default)]
pub(crate) struct FuncCode {
    pub(crate) entry: u32,
    /// How many words an activation has.
    pub(crate) frame: u32,
    /// What the first of them start with. Those behind are temporaries, which are written before they are read.
    pub(crate) words: Vec<u64>,
    pub(crate) cells: Vec<Heavy>,
    /// Globals that do not change while the function is active, and the registers that hold them then.
    pub(crate) settled: Vec<(u32, Reg)>,
}

/// A compiled program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    pub(crate) instrs: Vec<Instr>,
    pub(crate) functions: Vec<FuncCode>,
    pub(crate) slow: Vec<Slow>,
    pub(crate) actions: Vec<Action>,
    pub(crate) choices: Vec<Choice>,
    pub(crate) calls: Vec<CallSite>,
    /// For each of the calls.
    pub(crate) call_infos: Vec<CallInfo>,
    /// Words that are passed: from a register of the caller to one of the callee, as the caller numbers it (its frame is behind).
    pub(crate) arguments: Vec<(Reg, Reg)>,
    /// The words that activations of the functions start with, one function behind another.
    pub(crate) frames: Vec<u64>,
    /// Globals that change only while no called function is active, and where frames hold them.
    pub(crate) settled: Vec<(u32, u32)>,
    pub(crate) byte_loops: Vec<ByteLoop>,
    /// Which edge the code from some instruction on belongs to; ascending.
    pub(crate) edges: Vec<(u32, Func, Edge)>,
    /// Where each variable lives; `None` for the object tables in function form.
    pub(crate) homes: Vec<Option<Place>>,
    /// The words that globals start with.
    pub(crate) global_words: Vec<u64>,
    pub(crate) global_cells: Vec<Heavy>,
    /// Where the code of the watched locations of the entry function starts.
    pub(crate) watched: FxHashMap<Loc, u32>,
}

impl Code {
    /// The edge whose code an instruction belongs to.
    pub(crate) fn edge_at(&self, pc: usize) -> Option<(Func, Edge)> {
        let index = self.edges.partition_point(|(start, _, _)| *start as usize <= pc);
        self.edges.get(index.checked_sub(1)?).map(|(_, func, edge)| (*func, *edge))
    }
}
