//! C types, interned: equal types have equal ids, and a `Ty` carries its qualifiers beside the id.
//!
//! The low bits of a [`Ty`] are the qualifiers (const, volatile, _Atomic) and the alignment that an `aligned` attribute
//! gave a typedef, the rest indexes [`Types`]; looking a type up ignores them. So `types[ty]` never meets a "qualified"
//! wrapper, while `const char *` and `char *` stay distinct.
//! Sizes and alignments are those of gcc on x86 for the two data models.

use base::Table;
use rustc_hash::FxHashMap;
use std::fmt;
use std::ops::Index;

use crate::hir::VarId;

base::id!(
    /// A struct or union type.
    RecordId,
    "R"
);
base::id!(
    /// An enumerated type.
    EnumId,
    "E"
);

/// int/long/pointer of 32 bits, or long/pointer of 64; `long long` has 64 in both.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DataModel {
    Ilp32,
    Lp64,
}

impl DataModel {
    /// Bytes of a pointer, of `long`, of `size_t`.
    pub fn word(self) -> u64 {
        match self {
            DataModel::Ilp32 => 4,
            DataModel::Lp64 => 8,
        }
    }

    pub fn size_t(self) -> IntKind {
        match self {
            DataModel::Ilp32 => IntKind::UInt,
            DataModel::Lp64 => IntKind::ULong,
        }
    }

    pub fn ptrdiff_t(self) -> IntKind {
        match self {
            DataModel::Ilp32 => IntKind::Int,
            DataModel::Lp64 => IntKind::Long,
        }
    }

    pub fn wchar_t(self) -> IntKind {
        match self {
            DataModel::Ilp32 => IntKind::Long,
            DataModel::Lp64 => IntKind::Int,
        }
    }
}

impl fmt::Display for DataModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        })
    }
}

/// A type with its qualifiers. Equality includes the qualifiers; see [`Ty::unqualified`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ty(u32);

/// Qualifiers and alignment together.
const QUALIFIER_BITS: u32 = 8;
const CONST: u32 = 1;
const VOLATILE: u32 = 2;
const ATOMIC: u32 = 4;
const QUALIFIERS: u32 = 7;
/// The alignment is kept as its logarithm plus one; zero is that of the type itself.
const ALIGN_SHIFT: u32 = 3;
const ALIGN: u32 = 31 << ALIGN_SHIFT;

/// A set of type qualifiers. (`restrict` is accepted and dropped: it never changes what a program does.)
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Qualifiers(u32);

impl Qualifiers {
    pub const NONE: Qualifiers = Qualifiers(0);
    pub const CONST: Qualifiers = Qualifiers(CONST);
    pub const VOLATILE: Qualifiers = Qualifiers(VOLATILE);
    pub const ATOMIC: Qualifiers = Qualifiers(ATOMIC);

    #[must_use]
    pub fn and(self, other: Qualifiers) -> Qualifiers {
        Qualifiers(self.0 | other.0)
    }

    pub fn contains(self, other: Qualifiers) -> bool {
        self.0 & other.0 == other.0
    }
}

impl Ty {
    fn index(self) -> usize {
        (self.0 >> QUALIFIER_BITS) as usize
    }

    /// Without qualifiers, and with the alignment of the type itself: the type of a value.
    #[must_use]
    pub fn unqualified(self) -> Ty {
        Ty(self.0 & !((1 << QUALIFIER_BITS) - 1))
    }

    pub fn qualifiers(self) -> Qualifiers {
        Qualifiers(self.0 & QUALIFIERS)
    }

    /// The alignment that an `aligned` attribute gave the type, more or less than its own.
    pub fn asked_align(self) -> Option<u64> {
        match (self.0 & ALIGN) >> ALIGN_SHIFT {
            0 => None,
            n => Some(1 << (n - 1)),
        }
    }

    /// The type, aligned to this power of two.
    #[must_use]
    pub(crate) fn aligned(self, align: u64) -> Ty {
        Ty(self.0 & !ALIGN | (align.trailing_zeros() + 1) << ALIGN_SHIFT)
    }

    #[must_use]
    pub fn with(self, qualifiers: Qualifiers) -> Ty {
        Ty(self.0 | qualifiers.0)
    }

    pub fn is_const(self) -> bool {
        self.0 & CONST != 0
    }

    pub fn is_volatile(self) -> bool {
        self.0 & VOLATILE != 0
    }

    pub fn is_atomic(self) -> bool {
        self.0 & ATOMIC != 0
    }

    #[must_use]
    pub(crate) fn without_atomic(self) -> Ty {
        Ty(self.0 & !ATOMIC)
    }
}

impl fmt::Debug for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "T{}", self.index())?;
        for (bit, mark) in [(CONST, "c"), (VOLATILE, "v"), (ATOMIC, "a")] {
            if self.0 & bit != 0 {
                f.write_str(mark)?;
            }
        }
        Ok(())
    }
}

/// The integer types other than `_Bool` and enums. `char` is signed but distinct from `signed char`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IntKind {
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
    /// What gcc gives a bit-field wider than `int` when it is read: an integer of exactly that many bits.
    Bits {
        width: u8,
        signed: bool,
    },
}

impl IntKind {
    pub fn signed(self) -> bool {
        match self {
            IntKind::Char
            | IntKind::SChar
            | IntKind::Short
            | IntKind::Int
            | IntKind::Long
            | IntKind::LongLong
            | IntKind::Int128 => true,
            IntKind::Bits { signed, .. } => signed,
            _ => false,
        }
    }

    /// Number of value bits including the sign.
    pub fn width(self, model: DataModel) -> u32 {
        match self {
            IntKind::Char | IntKind::SChar | IntKind::UChar => 8,
            IntKind::Short | IntKind::UShort => 16,
            IntKind::Int | IntKind::UInt => 32,
            IntKind::Long | IntKind::ULong => model.word() as u32 * 8,
            IntKind::LongLong | IntKind::ULongLong => 64,
            IntKind::Int128 | IntKind::UInt128 => 128,
            IntKind::Bits { width, .. } => width.into(),
        }
    }

    /// The order of conversion ranks (6.3.1.1), in which a wide bit-field stands below the standard types of its width.
    pub(crate) fn rank(self, model: DataModel) -> u32 {
        let tie = match self {
            IntKind::Bits { .. } => 0,
            IntKind::Long | IntKind::ULong => 2,
            IntKind::LongLong | IntKind::ULongLong => 3,
            _ => 1,
        };
        self.width(model) * 4 + tie
    }

    pub(crate) fn to_unsigned(self) -> IntKind {
        match self {
            IntKind::Char | IntKind::SChar => IntKind::UChar,
            IntKind::Short => IntKind::UShort,
            IntKind::Int => IntKind::UInt,
            IntKind::Long => IntKind::ULong,
            IntKind::LongLong => IntKind::ULongLong,
            IntKind::Int128 => IntKind::UInt128,
            IntKind::Bits { width, .. } => IntKind::Bits { width, signed: false },
            unsigned => unsigned,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            IntKind::Char => "char",
            IntKind::SChar => "signed char",
            IntKind::UChar => "unsigned char",
            IntKind::Short => "short",
            IntKind::UShort => "unsigned short",
            IntKind::Int => "int",
            IntKind::UInt => "unsigned int",
            IntKind::Long => "long",
            IntKind::ULong => "unsigned long",
            IntKind::LongLong => "long long",
            IntKind::ULongLong => "unsigned long long",
            IntKind::Int128 => "__int128",
            IntKind::UInt128 => "unsigned __int128",
            IntKind::Bits { signed: true, .. } => "signed bit-field",
            IntKind::Bits { signed: false, .. } => "unsigned bit-field",
        }
    }
}

/// `float` and `double` are IEEE binary32/64, `long double` is x87's 80-bit format, `__float128` is IEEE binary128.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FloatKind {
    Float,
    Double,
    LongDouble,
    Float128,
}

impl FloatKind {
    pub fn name(self) -> &'static str {
        match self {
            FloatKind::Float => "float",
            FloatKind::Double => "double",
            FloatKind::LongDouble => "long double",
            FloatKind::Float128 => "__float128",
        }
    }

    /// Bytes in memory; the value of a `long double` occupies the first ten of them.
    pub fn size(self, model: DataModel) -> u64 {
        match (self, model) {
            (FloatKind::Float, _) => 4,
            (FloatKind::Double, _) => 8,
            (FloatKind::LongDouble, DataModel::Ilp32) => 12,
            (FloatKind::LongDouble | FloatKind::Float128, _) => 16,
        }
    }
}

/// Number of elements of an array type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Len {
    Const(u64),
    /// `int a[]`: not (yet) known. As the last member of a struct: a flexible array member.
    Unknown,
    /// Variable length: this generated local of type `size_t` holds the number of elements. Code before the first use
    /// of the type assigns it (see [`crate::hir`]).
    Vla(VarId),
    /// `[*]`, or a variable bound in a prototype that is no definition.
    Star,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunctionType {
    pub ret: Ty,
    /// Parameter types after adjustment (arrays and functions are pointers), unqualified.
    pub params: Vec<Ty>,
    pub variadic: bool,
    /// False for `int f()` and for K&R definitions: calls apply the default promotions and may pass anything.
    pub prototyped: bool,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    Void,
    Bool,
    Int(IntKind),
    Float(FloatKind),
    /// `_Complex`: two numbers of an arithmetic type, the real part first. Operations on it are written out.
    Complex(Ty),
    Pointer(Ty),
    Array(Ty, Len),
    Function(FunctionType),
    Record(RecordId),
    Enum(EnumId),
    /// `__builtin_va_list`: opaque, copied by value. (On LP64 the ABI makes it an array of one struct, so a callee's
    /// `va_arg` advances the caller's list there; C11 7.16 leaves the caller's list indeterminate, so whoever uses it
    /// after a call is unsupported.)
    VaList,
    /// GNU vector types (`__attribute__((vector_size))`): element type and bytes. Operations are written out.
    Vector(Ty, u64),
}

/// Where a bit-field lies, counted in bits from the start of its record (little endian: bit 0 is the low bit of byte 0).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BitField {
    pub offset: u64,
    pub width: u32,
}

#[derive(Clone, Debug)]
pub struct Field {
    /// None for an anonymous struct/union member (unnamed bit-fields are not fields at all).
    pub name: Option<String>,
    /// For a bit-field: the declared type (`int`, `unsigned char`, `_Bool`, an enum, ...), which gives its signedness.
    pub ty: Ty,
    /// Bytes from the start of the record; for a bit-field: the byte its first bit lies in.
    pub offset: u64,
    pub bits: Option<BitField>,
}

/// A struct or union.
#[derive(Clone, Debug)]
pub struct Record {
    /// The tag, if any.
    pub name: Option<String>,
    pub is_union: bool,
    /// False until the member list has been read; then `fields`, `size` and `align` are final.
    pub complete: bool,
    pub fields: Vec<Field>,
    /// Bit-fields without a name, which initialisers pass over.
    pub unnamed_bits: Vec<BitField>,
    pub size: u64,
    pub align: u64,
    /// The last member is an array of unknown (or zero) length: the object may be longer than `size`.
    pub flexible: bool,
    /// `__attribute__((transparent_union))`: as a parameter, takes an argument of any member's type.
    pub transparent: bool,
}

#[derive(Clone, Debug)]
pub struct EnumType {
    pub name: Option<String>,
    pub complete: bool,
    /// The compatible integer type as gcc chooses it: `unsigned int` unless a value is negative, wider if needed.
    pub underlying: IntKind,
    /// Declared with `bool` as its underlying type, which is its type then.
    pub truth: bool,
    /// The constants in order, for printing.
    pub constants: Vec<(String, i128)>,
}

/// All types of a program.
#[derive(Clone, Debug)]
pub struct Types {
    model: DataModel,
    types: Vec<Type>,
    ids: FxHashMap<Type, u32>,
    pub records: Table<RecordId, Record>,
    pub enums: Table<EnumId, EnumType>,
}

impl Index<Ty> for Types {
    type Output = Type;
    fn index(&self, ty: Ty) -> &Type {
        &self.types[ty.index()]
    }
}

impl Types {
    pub fn new(model: DataModel) -> Types {
        Types { model, types: Vec::new(), ids: FxHashMap::default(), records: Table::new(), enums: Table::new() }
    }

    pub fn model(&self) -> DataModel {
        self.model
    }

    pub fn intern(&mut self, ty: Type) -> Ty {
        if let Some(&id) = self.ids.get(&ty) {
            return Ty(id << QUALIFIER_BITS);
        }
        let id = self.types.len() as u32;
        self.types.push(ty.clone());
        self.ids.insert(ty, id);
        Ty(id << QUALIFIER_BITS)
    }

    pub fn void(&mut self) -> Ty {
        self.intern(Type::Void)
    }

    pub fn bool(&mut self) -> Ty {
        self.intern(Type::Bool)
    }

    pub fn int_kind(&mut self, kind: IntKind) -> Ty {
        self.intern(Type::Int(kind))
    }

    pub fn int(&mut self) -> Ty {
        self.int_kind(IntKind::Int)
    }

    pub fn char(&mut self) -> Ty {
        self.int_kind(IntKind::Char)
    }

    pub fn size_t(&mut self) -> Ty {
        self.int_kind(self.model.size_t())
    }

    pub fn ptrdiff_t(&mut self) -> Ty {
        self.int_kind(self.model.ptrdiff_t())
    }

    pub fn float(&mut self, kind: FloatKind) -> Ty {
        self.intern(Type::Float(kind))
    }

    pub fn pointer(&mut self, to: Ty) -> Ty {
        self.intern(Type::Pointer(to))
    }

    pub fn array(&mut self, of: Ty, len: Len) -> Ty {
        self.intern(Type::Array(of, len))
    }

    pub fn is_void(&self, ty: Ty) -> bool {
        matches!(self[ty], Type::Void)
    }

    /// `_Bool`, integers, enums.
    pub fn is_integer(&self, ty: Ty) -> bool {
        matches!(self[ty], Type::Bool | Type::Int(_) | Type::Enum(_))
    }

    pub fn is_float(&self, ty: Ty) -> bool {
        matches!(self[ty], Type::Float(_))
    }

    pub fn is_complex(&self, ty: Ty) -> bool {
        matches!(self[ty], Type::Complex(_))
    }

    pub fn is_arithmetic(&self, ty: Ty) -> bool {
        self.is_integer(ty) || self.is_float(ty) || self.is_complex(ty)
    }

    pub fn is_pointer(&self, ty: Ty) -> bool {
        matches!(self[ty], Type::Pointer(_))
    }

    pub fn is_scalar(&self, ty: Ty) -> bool {
        self.is_arithmetic(ty) || self.is_pointer(ty)
    }

    pub fn is_array(&self, ty: Ty) -> bool {
        matches!(self[ty], Type::Array(..))
    }

    pub fn is_function(&self, ty: Ty) -> bool {
        matches!(self[ty], Type::Function(_))
    }

    pub fn is_record(&self, ty: Ty) -> bool {
        matches!(self[ty], Type::Record(_))
    }

    /// What a pointer points to.
    pub fn pointee(&self, ty: Ty) -> Option<Ty> {
        match self[ty] {
            Type::Pointer(to) => Some(to),
            _ => None,
        }
    }

    /// The element type of an array.
    pub fn element(&self, ty: Ty) -> Option<Ty> {
        match self[ty] {
            Type::Array(of, _) => Some(of),
            _ => None,
        }
    }

    pub fn record(&self, ty: Ty) -> Option<RecordId> {
        match self[ty] {
            Type::Record(id) => Some(id),
            _ => None,
        }
    }

    pub fn function(&self, ty: Ty) -> Option<&FunctionType> {
        match &self[ty] {
            Type::Function(f) => Some(f),
            _ => None,
        }
    }

    /// The function type behind a pointer to function.
    pub fn called(&self, ty: Ty) -> Option<&FunctionType> {
        self.function(self.pointee(ty)?)
    }

    /// Width and signedness of an integer type (`_Bool` is one unsigned bit, an enum is its underlying type).
    pub fn int_shape(&self, ty: Ty) -> Option<(u32, bool)> {
        match self[ty] {
            Type::Bool => Some((1, false)),
            _ => self.int_kind_of(ty).map(|k| (k.width(self.model), k.signed())),
        }
    }

    /// The integer kind of an integer or enum type; None for `_Bool` and everything else.
    pub fn int_kind_of(&self, ty: Ty) -> Option<IntKind> {
        match self[ty] {
            Type::Int(kind) => Some(kind),
            Type::Enum(id) => Some(self.enums[id].underlying),
            _ => None,
        }
    }

    pub fn float_kind_of(&self, ty: Ty) -> Option<FloatKind> {
        match self[ty] {
            Type::Float(kind) => Some(kind),
            _ => None,
        }
    }

    /// Is the type one whose objects have a size (constant or variable)?
    pub fn is_complete(&self, ty: Ty) -> bool {
        match self[ty] {
            Type::Void | Type::Function(_) => false,
            Type::Array(of, len) => !matches!(len, Len::Unknown) && self.is_complete(of),
            Type::Record(id) => self.records[id].complete,
            Type::Enum(id) => self.enums[id].complete,
            _ => true,
        }
    }

    /// Does the size of the type, or of what it points to, depend on a run-time value?
    pub fn is_variably_modified(&self, ty: Ty) -> bool {
        match &self[ty] {
            Type::Array(of, len) => matches!(len, Len::Vla(_) | Len::Star) || self.is_variably_modified(*of),
            Type::Pointer(to) => self.is_variably_modified(*to),
            Type::Function(f) => self.is_variably_modified(f.ret),
            _ => false,
        }
    }

    /// Is the object's own size a run-time value?
    pub fn is_vla(&self, ty: Ty) -> bool {
        match self[ty] {
            Type::Array(of, len) => matches!(len, Len::Vla(_) | Len::Star) || self.is_vla(of),
            _ => false,
        }
    }
}
