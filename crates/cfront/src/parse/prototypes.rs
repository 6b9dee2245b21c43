//! Types of library functions, for programs that use them undeclared (gcc knows them as built-ins) and for
//! `__builtin_memcpy` and its kin, which are calls of the library function.
//!
//! The notation: return type, then parameters, one letter each: v void, i int, u unsigned, l long, L long long,
//! U unsigned long, z size_t, f float, d double, e long double, p any pointer (as `void *`), c `char *`, `.` variadic.

use crate::types::{FloatKind, FunctionType, IntKind, Ty, Type};

use super::Parser;

#[rustfmt::skip]
const PROTOTYPES: &[(&str, &str)] = &[
    ("__builtin_setjmp", "ip"), ("__builtin_longjmp", "vpi"),
    ("abort", "v"), ("abs", "ii"), ("labs", "ll"), ("llabs", "LL"), ("exit", "vi"), ("_exit", "vi"), ("_Exit", "vi"),
    ("malloc", "pz"), ("calloc", "pzz"), ("realloc", "ppz"), ("free", "vp"), ("alloca", "pz"),
    ("aligned_alloc", "pzz"), ("memcpy", "pppz"), ("memmove", "pppz"), ("memset", "ppiz"), ("memcmp", "ippz"),
    ("memchr", "ppiz"), ("mempcpy", "pppz"), ("bcopy", "vppz"), ("bzero", "vpz"), ("bcmp", "ippz"),
    ("strlen", "zc"), ("strnlen", "zcz"), ("strcpy", "ccc"), ("strncpy", "cccz"), ("strcat", "ccc"), ("stpcpy", "ccc"),
    ("stpncpy", "cccz"), ("strncat", "cccz"), ("strcmp", "icc"), ("strncmp", "iccz"), ("strcasecmp", "icc"),
    ("strncasecmp", "iccz"), ("strchr", "cci"), ("strrchr", "cci"), ("index", "cci"), ("rindex", "cci"),
    ("strstr", "ccc"), ("strspn", "zcc"), ("strcspn", "zcc"), ("strpbrk", "ccc"), ("strdup", "cc"), ("strndup", "ccz"),
    ("printf", "ic."), ("fprintf", "ipc."), ("sprintf", "icc."), ("snprintf", "iczc."), ("scanf", "ic."),
    ("sscanf", "icc."), ("fscanf", "ipc."), ("puts", "ic"), ("putchar", "ii"), ("fputs", "icp"), ("fputc", "iip"),
    ("fwrite", "zpzzp"), ("vprintf", "icV"), ("vfprintf", "ipcV"), ("vsprintf", "iccV"), ("vsnprintf", "iczcV"),
    ("isalnum", "ii"), ("isalpha", "ii"), ("isblank", "ii"), ("iscntrl", "ii"), ("isdigit", "ii"), ("isgraph", "ii"),
    ("islower", "ii"), ("isprint", "ii"), ("ispunct", "ii"), ("isspace", "ii"), ("isupper", "ii"), ("isxdigit", "ii"),
    ("tolower", "ii"), ("toupper", "ii"), ("toascii", "ii"), ("isascii", "ii"),
    ("ffs", "ii"), ("ffsl", "il"), ("ffsll", "iL"),
    ("acos", "dd"), ("asin", "dd"), ("atan", "dd"), ("atan2", "ddd"), ("cos", "dd"), ("sin", "dd"), ("tan", "dd"),
    ("cosh", "dd"), ("sinh", "dd"), ("tanh", "dd"), ("exp", "dd"), ("exp2", "dd"), ("expm1", "dd"), ("log", "dd"),
    ("log2", "dd"), ("log10", "dd"), ("log1p", "dd"), ("logb", "dd"), ("pow", "ddd"), ("sqrt", "dd"), ("cbrt", "dd"),
    ("hypot", "ddd"), ("ceil", "dd"), ("floor", "dd"), ("trunc", "dd"), ("round", "dd"), ("rint", "dd"),
    ("nearbyint", "dd"), ("lround", "ld"), ("llround", "Ld"), ("lrint", "ld"), ("llrint", "Ld"), ("fmod", "ddd"),
    ("remainder", "ddd"), ("fmin", "ddd"), ("fmax", "ddd"), ("fdim", "ddd"), ("fma", "dddd"), ("ldexp", "ddi"),
    ("scalbn", "ddi"), ("scalbln", "ddl"), ("nextafter", "ddd"), ("ilogb", "id"), ("tgamma", "dd"), ("lgamma", "dd"),
    ("erf", "dd"), ("erfc", "dd"), ("frexp", "ddp"), ("modf", "ddp"), ("fabs", "dd"), ("copysign", "ddd"),
    // Not gcc's, but its result is never so large that it would not fit an int.
    ("__fpending", "zp"),
];

impl Parser {
    /// The type of a library function, if we know it.
    pub(super) fn library_type(&mut self, name: &str) -> Option<Ty> {
        if let Some(kind) = name.strip_prefix("__VERIFIER_nondet_") {
            let ret = self.input_type(kind)?;
            let params = Vec::new();
            return Some(self.types.intern(Type::Function(FunctionType {
                ret,
                params,
                variadic: false,
                prototyped: true,
            })));
        }
        let mut known = PROTOTYPES.iter().chain(super::dialect::FUNCTIONS);
        let text = known.find(|(known, _)| *known == name).map(|(_, text)| (*text).to_owned());
        let text = text.or_else(|| {
            // `sqrtf`, `sqrtl`: the double function with its doubles replaced.
            let (base, letter) = match name.strip_suffix('f') {
                Some(base) => (base, "f"),
                None => (name.strip_suffix('l')?, "e"),
            };
            let (_, text) = PROTOTYPES.iter().find(|(known, text)| *known == base && text.contains('d'))?;
            Some(text.replace('d', letter))
        })?;
        let mut types = Vec::new();
        let mut variadic = false;
        for letter in text.chars() {
            if letter == '.' {
                variadic = true;
            } else {
                types.push(self.letter(letter));
            }
        }
        let ret = types.remove(0);
        Some(self.types.intern(Type::Function(FunctionType { ret, params: types, variadic, prototyped: true })))
    }

    /// The type that an input function's name says.
    fn input_type(&mut self, kind: &str) -> Option<Ty> {
        let kind = match kind {
            "bool" | "_Bool" => return Some(self.types.intern(Type::Bool)),
            "char" => return Some(self.types.char()),
            "float" => return Some(self.types.float(FloatKind::Float)),
            "double" => return Some(self.types.float(FloatKind::Double)),
            "pointer" => return Some(self.letter('p')),
            "pchar" => return Some(self.letter('c')),
            "uchar" | "u8" | "unsigned_char" => IntKind::UChar,
            "short" => IntKind::Short,
            "ushort" | "u16" => IntKind::UShort,
            "uint" | "u32" | "unsigned" => IntKind::UInt,
            "long" => IntKind::Long,
            "ulong" => IntKind::ULong,
            "longlong" => IntKind::LongLong,
            "ulonglong" | "u64" => IntKind::ULongLong,
            "size_t" => self.model.size_t(),
            _ => return None,
        };
        Some(self.types.int_kind(kind))
    }

    fn letter(&mut self, letter: char) -> Ty {
        let kind = match letter {
            'i' => IntKind::Int,
            'u' => IntKind::UInt,
            'l' => IntKind::Long,
            'U' => IntKind::ULong,
            'L' => IntKind::LongLong,
            'z' => self.model.size_t(),
            'f' => return self.types.float(FloatKind::Float),
            'd' => return self.types.float(FloatKind::Double),
            'e' => return self.types.float(FloatKind::LongDouble),
            'V' => return self.types.intern(Type::VaList),
            'c' => {
                let char = self.types.char();
                return self.types.pointer(char);
            }
            'p' => {
                let void = self.types.void();
                return self.types.pointer(void);
            }
            _ => match super::dialect::letter(self, letter) {
                Some(ty) => return ty,
                None => return self.types.void(),
            },
        };
        self.types.int_kind(kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::DataModel;

    #[test]
    fn library_types_read_as_c() {
        let mut parser = Parser::new(DataModel::Lp64);
        let mut show = |name: &str| parser.library_type(name).map(|ty| parser.types.declare(ty, name));
        assert_eq!(show("malloc").as_deref(), Some("void *malloc(unsigned long)"));
        assert_eq!(show("printf").as_deref(), Some("int printf(char *, ...)"));
        assert_eq!(show("sqrtf").as_deref(), Some("float sqrtf(float)"));
        assert_eq!(show("abort").as_deref(), Some("void abort(void)"));
        assert_eq!(show("frobnicate"), None);
    }
}
