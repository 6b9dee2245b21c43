//! Built-in functions: what they do with their operands, and which memory they read and write.

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
    /// `(n)`: the length of a variable array, an integer of any type; `size_t` out. C wants it greater than zero.
    ArrayLength,
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
