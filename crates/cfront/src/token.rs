//! Tokens and names. Names are interned by spelling; keywords are the names with the smallest ids. GNU's alternative
//! spellings (`__const__`, `__inline`) are names of their own for the preprocessor, and the keyword for the parser.

use base::Span;
use rustc_hash::FxHashMap;

/// An interned identifier or keyword.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Name(pub(crate) u32);

macro_rules! keywords {
    ($($id:ident $spelling:literal $(| $alt:literal)*;)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum KeywordIndex { $($id,)* COUNT }
        /// The keywords as names.
        #[allow(dead_code)]
        pub(crate) mod kw {
            use super::{KeywordIndex, Name};
            $(pub(crate) const $id: Name = Name(KeywordIndex::$id as u32);)*
        }
        const KEYWORDS: &[(&str, &[&str])] = &[$(($spelling, &[$($alt),*])),*];
    };
}

keywords! {
    AUTO "auto"; BREAK "break"; CASE "case"; CHAR "char"; CONST "const" | "__const" | "__const__";
    CONTINUE "continue"; DEFAULT "default"; DO "do"; DOUBLE "double"; ELSE "else"; ENUM "enum";
    EXTERN "extern"; FLOAT "float"; FOR "for"; GOTO "goto"; IF "if"; INLINE "inline" | "__inline" | "__inline__";
    INT "int"; LONG "long"; REGISTER "register"; RESTRICT "restrict" | "__restrict" | "__restrict__"; RETURN "return";
    SHORT "short"; SIGNED "signed" | "__signed" | "__signed__"; SIZEOF "sizeof"; STATIC "static"; STRUCT "struct";
    SWITCH "switch"; TYPEDEF "typedef"; UNION "union"; UNSIGNED "unsigned"; VOID "void";
    VOLATILE "volatile" | "__volatile" | "__volatile__"; WHILE "while"; ALIGNAS "_Alignas";
    ALIGNOF "_Alignof"; GNU_ALIGNOF "__alignof" | "__alignof__"; ATOMIC "_Atomic"; BOOL "_Bool";
    COMPLEX "_Complex" | "__complex" | "__complex__"; GENERIC "_Generic"; IMAGINARY "_Imaginary"; NORETURN "_Noreturn";
    STATIC_ASSERT "_Static_assert"; THREAD_LOCAL "_Thread_local" | "__thread"; ASM "asm" | "__asm" | "__asm__";
    TYPEOF "typeof" | "__typeof" | "__typeof__"; TYPEOF_UNQUAL "typeof_unqual" | "__typeof_unqual__"; AUTO_TYPE "__auto_type"; ATTRIBUTE "__attribute__" | "__attribute";
    EXTENSION "__extension__"; LABEL "__label__"; REAL "__real__" | "__real"; IMAG "__imag__" | "__imag";
    INT128 "__int128"; INT128_T "__int128_t"; UINT128_T "__uint128_t";
    VA_LIST "__builtin_va_list"; VA_ARG "__builtin_va_arg"; OFFSETOF "__builtin_offsetof";
    CHOOSE_EXPR "__builtin_choose_expr"; CONVERT_VECTOR "__builtin_convertvector"; TYPES_COMPATIBLE "__builtin_types_compatible_p";
}

impl Name {
    pub(crate) fn is_keyword(self) -> bool {
        self.0 < KeywordIndex::COUNT as u32
    }
}

/// All names of a program.
pub(crate) struct Names {
    ids: FxHashMap<Box<[u8]>, Name>,
    texts: Vec<String>,
    /// The keyword that a name is another spelling of, or the name itself.
    meanings: Vec<Name>,
}

impl Names {
    pub(crate) fn new() -> Names {
        let mut names = Names { ids: FxHashMap::default(), texts: Vec::new(), meanings: Vec::new() };
        for (spelling, _) in KEYWORDS {
            names.spelling(spelling.as_bytes());
        }
        for (index, (_, alternatives)) in KEYWORDS.iter().enumerate() {
            for text in *alternatives {
                let alternative = names.spelling(text.as_bytes());
                names.meanings[alternative.0 as usize] = Name(index as u32);
            }
        }
        names
    }

    /// The name as written: what the preprocessor goes by.
    pub(crate) fn spelling(&mut self, text: &[u8]) -> Name {
        if let Some(&name) = self.ids.get(text) {
            return name;
        }
        let name = Name(self.texts.len() as u32);
        self.ids.insert(text.into(), name);
        self.texts.push(decode(text));
        self.meanings.push(name);
        name
    }

    /// The name as meant: `__const__` is `const`.
    pub(crate) fn meaning(&self, spelling: Name) -> Name {
        self.meanings[spelling.0 as usize]
    }

    /// The name that a text means.
    pub(crate) fn intern(&mut self, text: &[u8]) -> Name {
        let spelling = self.spelling(text);
        self.meaning(spelling)
    }

    pub(crate) fn text(&self, name: Name) -> &str {
        &self.texts[name.0 as usize]
    }
}

/// Text for humans: UTF-8 where it is, else Latin-1.
pub(crate) fn decode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&b| char::from(b)).collect(),
    }
}

macro_rules! punctuators {
    ($($id:ident $spelling:literal),* $(,)?) => {
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum P { $($id),* }
        impl P {
            pub(crate) fn text(self) -> &'static str {
                match self { $(P::$id => $spelling),* }
            }
        }
    };
}

punctuators! {
    ShlAssign "<<=", ShrAssign ">>=", Ellipsis "...",
    Arrow "->", Inc "++", Dec "--", Shl "<<", Shr ">>", Le "<=", Ge ">=", EqEq "==", Ne "!=", AndAnd "&&", OrOr "||",
    MulAssign "*=", DivAssign "/=", RemAssign "%=", AddAssign "+=", SubAssign "-=", AndAssign "&=", XorAssign "^=",
    OrAssign "|=", LParen "(", RParen ")", LBracket "[", RBracket "]", LBrace "{", RBrace "}", Dot ".", And "&",
    Star "*", Plus "+", Minus "-", Tilde "~", Not "!", Slash "/", Percent "%", Lt "<", Gt ">", Caret "^", Or "|",
    Question "?", Colon ":", Semi ";", Assign "=", Comma ",",
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tok {
    Name(Name),
    /// A number, its text unexamined.
    Number,
    /// A character constant / string literal, prefix and quotes included.
    Char,
    Str,
    Punct(P),
    Eof,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) tok: Tok,
    /// Where its text lies in the lexed buffer.
    pub(crate) start: u32,
    pub(crate) len: u32,
    pub(crate) span: Span,
}

/// The tokens of one file and the text they came from.
pub(crate) struct TokenStream {
    pub(crate) text: Vec<u8>,
    pub(crate) tokens: Vec<Token>,
    /// `#pragma pack`: from token number `.0` on, members are aligned to at most `.1` bytes (0: no limit).
    pub(crate) packs: Vec<(usize, u64)>,
    /// `#pragma weak`: names that are declared weak, wherever that stands, and what each is another name of.
    pub(crate) weak: Vec<(String, Option<String>)>,
    /// Lines on which accesses to memory are not to be checked.
    pub(crate) unchecked: Vec<Span>,
    /// What the preprocessor has to say about them.
    pub(crate) notes: Vec<base::Diagnostic>,
    /// The text says when it is compiled.
    pub(crate) has_moments: bool,
    /// Annotations (ACSL), in order.
    pub(crate) annotations: Vec<Annotation>,
    /// It is C90.
    pub(crate) is_c90: bool,
}

/// What a comment that begins with `@` says.
pub(crate) struct Annotation {
    /// The number of the token that it stands in front of.
    pub(crate) before: usize,
    /// Up to an end of their own; names may begin with a backslash.
    pub(crate) tokens: Vec<Token>,
    /// Somebody has read it.
    pub(crate) is_read: bool,
}

impl TokenStream {
    pub(crate) fn bytes(&self, token: &Token) -> &[u8] {
        &self.text[token.start as usize..(token.start + token.len) as usize]
    }

    /// The `#pragma pack` limit in force at token number `index`.
    pub(crate) fn pack_at(&self, index: usize) -> Option<u64> {
        let n = self.packs.partition_point(|&(at, _)| at <= index);
        n.checked_sub(1).map(|i| self.packs[i].1).filter(|&limit| limit != 0)
    }
}
