//! `__attribute__((...))` and `[[...]]`. What changes the meaning of a program is kept; what changes it and is not
//! modelled makes the program unsupported by name; what changes nothing is in a list. Names that gcc does not know are
//! ignored with a note, as gcc ignores them with a warning.

use base::Span;

use crate::token::{Name, P, Tok, kw};
use crate::types::{FloatKind, IntKind, Ty, Type};

use super::{Parser, Res};

/// What the attributes of one declaration say.
#[derive(Clone, Debug, Default)]
pub(super) struct Attributes {
    pub(super) packed: bool,
    /// The strictest `aligned`, which objects and members have.
    pub(super) align: Option<u64>,
    /// The last one, which records have.
    pub(super) last_align: Option<u64>,
    pub(super) noreturn: bool,
    /// `pure` or `const`.
    pub(super) pure: bool,
    /// `const`.
    pub(super) reads_nothing: bool,
    /// `nonnull`: the numbers of parameters, or none for all.
    pub(super) nonnull: Option<Vec<u32>>,
    pub(super) returns_nonnull: bool,
    pub(super) transparent_union: bool,
    pub(super) gnu_inline: bool,
    pub(super) weak: bool,
    /// `mode(DI)` and the like: another width for the declared type.
    mode: Option<Mode>,
    vector_size: Option<u64>,
    /// `alias("target")`.
    pub(super) alias: Option<(Name, Span)>,
    /// `weakref`: the declared name is another one for the target of `alias`, which need not exist.
    pub(super) weakref: bool,
    /// `cleanup(f)`: what is called when the variable's scope ends.
    pub(super) cleanup: Option<(Name, Span)>,
    /// Priorities of `constructor` and `destructor`: called before `main` and after it.
    pub(super) constructor: Option<u16>,
    pub(super) destructor: Option<u16>,
}

#[derive(Clone, Copy, Debug)]
enum Mode {
    Int(u32),
    Float(FloatKind),
    Complex(FloatKind),
}

/// gcc's `__BIGGEST_ALIGNMENT__` on x86, which a bare `aligned` means.
const BIGGEST_ALIGNMENT: u64 = 16;
const MAX_ALIGNMENT: u64 = 1 << 28;
/// Of a `constructor` that names no priority: after all that do.
const LAST_PRIORITY: u16 = u16::MAX;

/// Attributes that do not change what a program does under the assumptions made everywhere here (one thread, no
/// optimisation, no calling conventions): hints, warnings, visibility, placement that the program cannot see.
#[rustfmt::skip]
const HARMLESS: &[&str] = &[
    // Functions.
    "access", "alloc_align", "alloc_size", "always_inline", "artificial", "assume_aligned", "cold", "copy",
    "counted_by", "deprecated", "error", "externally_visible", "fd_arg", "fd_arg_read", "fd_arg_write", "flatten",
    "format", "format_arg", "hot", "leaf", "malloc", "no_icf", "no_instrument_function",
    "no_profile_instrument_function", "no_reorder", "no_sanitize", "no_sanitize_address", "no_sanitize_coverage",
    "no_sanitize_thread", "no_sanitize_undefined", "no_address_safety_analysis", "no_split_stack", "no_stack_limit",
    "no_stack_protector", "noclone", "noinline", "noipa", "noplt", "nothrow", "null_terminated_string_arg",
    "optimize", "patchable_function_entry", "returns_twice", "sentinel", "simd",
    "stack_protect", "symver", "tainted_args", "target", "target_clones", "type generic", "unavailable", "used",
    "retain", "visibility", "warn_unused_result", "warning", "zero_call_used_regs", "transaction_callable",
    "transaction_may_cancel_outer", "transaction_pure", "transaction_safe", "transaction_unsafe", "dllexport",
    "dllimport", "selectany", "no_dangling",
    // Calling conventions and code generation of x86.
    "cdecl", "cf_check", "fastcall", "fentry_name", "fentry_section", "force_align_arg_pointer", "function_return",
    "hotpatch", "indirect_branch", "indirect_return", "ms_abi", "ms_hook_prologue", "no_caller_saved_registers",
    "no_callee_saved_registers", "nocf_check", "nodirect_extern_access", "pascal", "regparm", "sseregparm", "stdcall",
    "sysv_abi", "thiscall", "vectorcall",
    // Variables and members.
    "common", "nocommon", "nonstring", "shared", "tls_model", "uninitialized", "warn_if_not_aligned",
    "strict_flex_array",
    // Types, labels, statements.
    "bounded", "designated_init", "enum_extensibility", "fallthrough", "flag_enum", "gcc_struct", "may_alias",
    "maybe_unused", "musttail", "nodiscard", "reproducible", "unsequenced", "unused", "noescape",
    // Of clang and of checkers.
    "annotate", "assert_capability", "acquire_capability", "analyzer_noreturn", "availability", "btf_decl_tag",
    "btf_type_tag", "capability", "cf_audited_transfer", "diagnose_if", "disable_tail_calls", "guarded_by",
    "internal_linkage", "minsize", "no_builtin", "nodebug", "not_tail_called", "opencl_unroll_hint", "optnone",
    "preferred_name", "release_capability", "requires_capability", "speculative_load_hardening",
    "xray_always_instrument", "xray_never_instrument", "noderef", "safe", "force", "bitwise", "context",
];

/// Attributes that change layout, linkage or code, and are not modelled.
const REFUSED: &[&str] = &[
    "enable_if",
    "ext_vector_type",
    "hardbool",
    "ifunc",
    "interrupt",
    "matrix_type",
    "ms_struct",
    "naked",
    "neon_vector_type",
    "noinit",
    "overloadable",
    "persistent",
    "scalar_storage_order",
    "swiftcall",
];

/// Sections whose contents run: tables of functions that are called at the start or the end.
const TABLES: &[&str] = &[".init_array", ".preinit_array", ".fini_array", ".ctors", ".dtors", ".init", ".fini"];

/// All parameters that either names; no number means all.
pub(super) fn merge_nonnull(known: &mut Option<Vec<u32>>, other: Option<&[u32]>) {
    let Some(other) = other else { return };
    match known {
        Some(numbers) if numbers.is_empty() || other.is_empty() => numbers.clear(),
        Some(numbers) => numbers.extend(other),
        None => *known = Some(other.to_vec()),
    }
}

impl Attributes {
    fn aligned(&mut self, align: u64) {
        self.align = self.align.max(Some(align));
        self.last_align = Some(align);
    }

    /// All that either says.
    pub(super) fn merge_nonnull(&mut self, other: Option<&[u32]>) {
        merge_nonnull(&mut self.nonnull, other);
    }

    /// What is said of a function: it may stand between the `*` of what the function returns and its name, too.
    pub(super) fn merge_function(&mut self, other: &Attributes) {
        self.noreturn |= other.noreturn;
        self.pure |= other.pure;
        self.reads_nothing |= other.reads_nothing;
        self.merge_nonnull(other.nonnull.as_deref());
        self.returns_nonnull |= other.returns_nonnull;
        self.weak |= other.weak;
    }

    pub(super) fn merge(&mut self, other: Attributes) {
        self.merge_function(&other);
        self.packed |= other.packed;
        self.align = self.align.max(other.align);
        self.last_align = other.last_align.or(self.last_align);
        self.transparent_union |= other.transparent_union;
        self.gnu_inline |= other.gnu_inline;
        self.mode = other.mode.or(self.mode);
        self.vector_size = other.vector_size.or(self.vector_size);
        self.alias = other.alias.or(self.alias);
        self.weakref |= other.weakref;
        self.cleanup = other.cleanup.or(self.cleanup);
        self.constructor = other.constructor.or(self.constructor);
        self.destructor = other.destructor.or(self.destructor);
    }
}

impl Parser {
    /// Does `__attribute__` or `[[` stand here?
    pub(super) fn at_attribute(&self) -> bool {
        self.at_keyword(kw::ATTRIBUTE) || self.at(P::LBracket) && self.peek_at(1) == Tok::Punct(P::LBracket)
    }

    /// Any number of attribute specifiers at this point.
    pub(super) fn attributes(&mut self) -> Res<Attributes> {
        let mut found = Attributes::default();
        while self.at_attribute() {
            let (open, close) = if self.at(P::LBracket) { (P::LBracket, P::RBracket) } else { (P::LParen, P::RParen) };
            self.accept_keyword(kw::ATTRIBUTE);
            self.expect(open)?;
            self.expect(open)?;
            loop {
                if let Tok::Name(mut name) = self.peek() {
                    self.advance();
                    // `gnu::packed`
                    if self.at(P::Colon) && self.peek_at(1) == Tok::Punct(P::Colon) {
                        self.advance();
                        self.advance();
                        let Tok::Name(inner) = self.peek() else { return self.fail(self.span(), "expected a name") };
                        self.advance();
                        name = inner;
                    }
                    self.attribute(name, &mut found)?;
                }
                if !self.accept(P::Comma) {
                    break;
                }
            }
            self.expect(close)?;
            self.expect(close)?;
        }
        Ok(found)
    }

    fn attribute(&mut self, name: Name, found: &mut Attributes) -> Res<()> {
        let span = self.last_span();
        let text = self.text_of(name);
        let plain = text.strip_prefix("__").and_then(|t| t.strip_suffix("__")).unwrap_or(&text);
        match plain {
            "packed" => found.packed = true,
            "noreturn" | "_Noreturn" => found.noreturn = true,
            "pure" | "const" => {
                found.pure = true;
                found.reads_nothing |= plain == "const";
            }
            "returns_nonnull" => found.returns_nonnull = true,
            "nonnull" => {
                let mut numbers = Vec::new();
                if self.accept(P::LParen) {
                    while !self.accept(P::RParen) {
                        let number = self.constant_expression("the number of a parameter")?;
                        numbers.extend(u32::try_from(number));
                        if !self.accept(P::Comma) {
                            self.expect(P::RParen)?;
                            break;
                        }
                    }
                    // `nonnull()` names none.
                    if numbers.is_empty() {
                        return Ok(());
                    }
                }
                found.merge_nonnull(Some(&numbers));
                return Ok(());
            }
            "transparent_union" => found.transparent_union = true,
            "gnu_inline" => found.gnu_inline = true,
            "weak" => found.weak = true,
            "weakref" | "alias" => {
                found.weakref |= plain == "weakref";
                if self.at(P::LParen) && self.peek_at(1) == Tok::Str {
                    self.advance();
                    let target = self.asm_string()?;
                    self.expect(P::RParen)?;
                    found.alias = Some((self.names.intern(target.as_bytes()), span));
                    return Ok(());
                }
            }
            "aligned" | "vector_size" if self.at(P::LParen) => {
                self.advance();
                let value = self.constant_expression("an alignment or size")?;
                self.expect(P::RParen)?;
                if plain == "aligned" {
                    let align = u64::try_from(value).ok().filter(|a| a.is_power_of_two() && *a <= MAX_ALIGNMENT);
                    match align {
                        Some(align) => found.aligned(align),
                        None if value == 0 => {}
                        None => self.error(span, "requested alignment is not a positive power of 2"),
                    }
                } else {
                    match u64::try_from(value).ok().filter(|v| *v > 0 && *v <= MAX_ALIGNMENT) {
                        Some(bytes) => found.vector_size = Some(bytes),
                        None => self.error(span, "vector size is not a positive number of bytes"),
                    }
                }
                return Ok(());
            }
            "aligned" => found.aligned(BIGGEST_ALIGNMENT),
            "mode" if self.at(P::LParen) => {
                if let Tok::Name(mode) = self.peek_at(1) {
                    found.mode = self.mode(mode);
                    if found.mode.is_none() {
                        let text = self.text_of(mode);
                        self.unsupported.push((format!("attribute 'mode({text})'"), span));
                    }
                }
            }
            "cleanup" if self.at(P::LParen) => {
                if let Tok::Name(function) = self.peek_at(1) {
                    found.cleanup = Some((function, span));
                }
            }
            "constructor" | "destructor" => {
                let mut priority = LAST_PRIORITY;
                if self.accept(P::LParen) {
                    let value = self.constant_expression("a priority")?;
                    self.expect(P::RParen)?;
                    priority = u16::try_from(value).unwrap_or(LAST_PRIORITY);
                }
                let slot = if plain == "constructor" { &mut found.constructor } else { &mut found.destructor };
                *slot = Some(priority);
                return Ok(());
            }
            "section" if self.at(P::LParen) && self.peek_at(1) == Tok::Str => {
                self.advance();
                let section = self.asm_string()?;
                self.expect(P::RParen)?;
                // `.init_array.00101`; but `.init.text` is a section of Linux like any other.
                let name = section.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('.');
                if TABLES.contains(&name) {
                    self.unsupported.push((format!("section '{section}'"), span));
                }
                return Ok(());
            }
            _ if REFUSED.contains(&plain) => self.unsupported.push((format!("attribute '{plain}'"), span)),
            _ if HARMLESS.contains(&plain) => {}
            // As gcc: a warning.
            _ => {
                let message = format!("attribute '{plain}' is not known and ignored, as gcc does");
                self.notes.push(base::Diagnostic::note(Some(span), message));
            }
        }
        if self.accept(P::LParen) {
            self.skip_balanced(P::LParen, P::RParen)?;
        }
        Ok(())
    }

    fn mode(&self, name: Name) -> Option<Mode> {
        let text = self.names.text(name);
        Some(match text.trim_matches('_') {
            "QI" | "byte" => Mode::Int(8),
            "HI" => Mode::Int(16),
            "SI" => Mode::Int(32),
            "DI" => Mode::Int(64),
            "TI" => Mode::Int(128),
            "word" | "pointer" | "unwind_word" => Mode::Int(self.model.word() as u32 * 8),
            "SF" => Mode::Float(FloatKind::Float),
            "DF" => Mode::Float(FloatKind::Double),
            "XF" => Mode::Float(FloatKind::LongDouble),
            "TF" => Mode::Float(FloatKind::Float128),
            "SC" => Mode::Complex(FloatKind::Float),
            "DC" => Mode::Complex(FloatKind::Double),
            "XC" => Mode::Complex(FloatKind::LongDouble),
            "TC" => Mode::Complex(FloatKind::Float128),
            _ => return None,
        })
    }

    /// `vector_size` speaks of the number that a declaration is about in the end: of what a pointer points to, a function
    /// returns or an array is made of.
    fn vector_type(&mut self, ty: Ty, bytes: u64) -> Ty {
        match self.types[ty].clone() {
            Type::Pointer(to) => {
                let to = self.vector_type(to, bytes);
                self.types.pointer(to).with(ty.qualifiers())
            }
            Type::Array(of, len) => {
                let of = self.vector_type(of, bytes);
                self.types.array(of, len)
            }
            Type::Function(mut f) => {
                f.ret = self.vector_type(f.ret, bytes);
                self.types.intern(Type::Function(f))
            }
            _ if self.types.is_integer(ty) || self.types.is_float(ty) => {
                self.types.intern(Type::Vector(ty.unqualified(), bytes)).with(ty.qualifiers())
            }
            _ => ty,
        }
    }

    /// The type as `mode` and `vector_size` change it.
    pub(super) fn attributed(&mut self, ty: Ty, attributes: &Attributes) -> Ty {
        let mut result = ty;
        match attributes.mode {
            Some(Mode::Int(width)) if self.types.is_integer(ty) => {
                let signed = self.types.int_shape(ty).is_none_or(|s| s.1);
                let kind =
                    [IntKind::SChar, IntKind::Short, IntKind::Int, IntKind::Long, IntKind::LongLong, IntKind::Int128]
                        .into_iter()
                        .find(|k| k.width(self.model) == width);
                if let Some(kind) = kind {
                    result = self.types.int_kind(if signed { kind } else { kind.to_unsigned() });
                }
            }
            Some(Mode::Float(kind)) if self.types.is_float(ty) => result = self.types.float(kind),
            Some(Mode::Complex(kind)) if self.types.is_complex(ty) => {
                let of = self.types.float(kind);
                result = self.types.intern(Type::Complex(of));
            }
            _ => {}
        }
        if let Some(bytes) = attributes.vector_size {
            result = self.vector_type(result, bytes);
        }
        result.with(ty.qualifiers())
    }
}
