//! Functions that the lowering knows by name, when the program and the library give them no body: verifier conventions,
//! ends of the program, output, and what the library's models are written with. Memory functions are in `heap`.

use cfa::{EndKind, LocKind, OPEN, Op, Origin, Property, Stream, Violation};
use cfront::hir::{Expr, ExprKind, StrId};
use cfront::types::{Ty, Type};
use cfront::walk::walk_stmt;
use term::{RoundingMode, Sort, Term};

use crate::call::{Arg, Call};
use crate::context::Lowering;
use crate::names::{self, Kind};
use crate::options::Places;
use crate::text::show;

/// The name of what decides how long formatted numbers are.
pub(crate) const FORMATTING: &str = "formatting";

impl Lowering<'_> {
    /// A call of a function without body. A struct result goes to its `result`.
    pub(crate) fn modelled(&mut self, call: Call<'_, '_>) -> Option<Term> {
        let Call { id, args, ty, e, .. } = call;
        self.note_contract(id);
        let name = self.unit.funcs[id].name.as_str();
        if let Some(kind) = name.strip_prefix("__VERIFIER_nondet_") {
            return self.input(name, kind, args, ty, e);
        }
        match name {
            "abort" | "__builtin_trap" | "__builtin_abort" | "__VERIFIER_error" => self.abort(),
            "exit" | "_exit" | "_Exit" | "quick_exit" => {
                if let Some(code) = args.first().filter(|a| self.unit.types.is_integer(a.ty)) {
                    self.set_exit_code(code.term, self.is_signed(code.ty));
                }
                if name == "exit" {
                    self.call_at_exit();
                }
                self.check_leaks(true);
                self.end(LocKind::End(EndKind::Exit));
            }
            "__assert_fail" | "__assert" | "__assert_rtn" | "__assert_perror_fail" | "_assert" | "__assert_func" => {
                let text = args.first().map(|a| self.asserted(a.expr));
                self.assertion_fails(text, e);
            }
            "assert" => {
                let arg = args.first()?;
                let ok = self.truth(arg.term);
                self.unless(ok, |low| low.assertion_fails(Some(show(low.unit, arg.expr)), e));
            }
            "__VERIFIER_assert" => {
                let arg = args.first()?;
                let ok = self.truth(arg.term);
                self.unless(ok, |low| low.call_fails(format!("__VERIFIER_assert({}) fails", show(low.unit, arg.expr))));
            }
            // TRACER's programs: the error is the argument being true.
            "_ABORT" | "_TRACER_abort" => {
                let arg = args.first()?;
                let bad = self.truth(arg.term);
                let ok = self.terms().not(bad);
                self.unless(ok, |low| {
                    low.call_fails(format!("{name} is called with {} true", show(low.unit, arg.expr)))
                });
            }
            "__VERIFIER_assume" => {
                let ok = self.truth(args.first()?.term);
                self.require(ok, LocKind::End(EndKind::Blocked));
            }
            "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end" => return self.zero(ty),
            "printf" => return self.print(args, Some(Stream::Output), ty, e),
            _ if name.starts_with("__foldback_") => return self.intrinsic(name, args, ty, e),
            _ => {
                if let Some(answer) = self.dialect(id, args, ty, e) {
                    return answer;
                }
                if let Some(answer) = self.memory_function(name, args, e) {
                    return answer;
                }
                if let Some(answer) = self.jump_function(name, args, e) {
                    return answer;
                }
                match names::kind(name) {
                    Some(Kind::Any(contract)) => return self.within(contract, name, args, ty, e),
                    // A thread starts, control goes elsewhere, or the library knows and we do not.
                    Some(_) => self.unsupported(format!("the library's {name}, which has no model")),
                    None if name.starts_with("pthread_") => self.unsupported(format!("a call of {name}")),
                    None if self.unit.funcs[id].implicit && names::is_macro(name) => {
                        self.unsupported(format!("{name}, a macro of the system's headers that is not defined here"));
                    }
                    None => return self.unknown_function(call),
                }
            }
        }
        // What went on above gives no value.
        (self.sort(ty).is_some()).then(|| self.dummy(ty))
    }

    pub(crate) fn zero(&mut self, ty: Ty) -> Option<Term> {
        self.sort(ty).is_some().then(|| self.dummy(ty))
    }

    /// Runs `otherwise` on the paths where `ok` does not hold; those must end there.
    fn unless(&mut self, ok: Term, otherwise: impl FnOnce(&mut Self)) {
        let (good, bad) = (self.fresh_loc(), self.fresh_loc());
        self.split(ok, good, bad);
        self.resume(bad);
        otherwise(self);
        self.resume(good);
    }

    /// The text that the `assert` macro passes.
    pub(crate) fn asserted(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Decay(s) | ExprKind::Cast(s) | ExprKind::Load(s) => self.asserted(s),
            ExprKind::Str(s) => self.string_text(*s),
            _ => show(self.unit, e),
        }
    }

    pub(crate) fn string_text(&self, s: StrId) -> String {
        let units = &self.unit.strings[s].units;
        units.iter().filter(|u| **u != 0).filter_map(|u| char::from_u32(*u)).collect()
    }

    pub(crate) fn assertion_fails(&mut self, text: Option<String>, e: &Expr) {
        if self.options.checks(Property::Assert) && self.is_checked_line(e.span) {
            let message = format!("assertion fails: {}", text.unwrap_or_default());
            self.end(LocKind::Error(Violation { property: Property::Assert, message }));
        } else {
            self.abort();
        }
    }

    /// An error of the kind that `unreach-call` (or `assert`) asks for.
    fn call_fails(&mut self, message: String) {
        let property = [Property::UnreachCall, Property::Assert].into_iter().find(|p| self.options.checks(*p));
        match property {
            Some(property) => self.end(LocKind::Error(Violation { property, message })),
            None => self.abort(),
        }
    }

    /// Where an input made by code of the library comes from: the library function.
    fn environment(&self, name: &str) -> String {
        match (self.fun.library_checked, self.fun.id) {
            (Some(_), Some(id)) => cfa::known_as(&self.unit.funcs[id].name).to_owned(),
            _ => name.to_owned(),
        }
    }

    /// `__VERIFIER_nondet_X()`.
    fn input(&mut self, name: &str, kind: &str, args: &[Arg<'_>], ty: Ty, e: &Expr) -> Option<Term> {
        let origin = Origin::Input(self.environment(name));
        if kind == "memory" {
            self.arbitrary_bytes(args, &origin, name, e);
            return None;
        }
        self.arbitrary(kind, ty, origin, name)
    }

    /// Any value of the type; a truth value as if it had been converted to `bool`.
    fn arbitrary(&mut self, kind: &str, ty: Ty, origin: Origin, name: &str) -> Option<Term> {
        let Some(sort) = self.sort(ty) else {
            if !self.unit.types.is_void(ty) {
                self.unsupported(format!("{name} returning {}", self.unit.types.show(ty)));
            }
            return None;
        };
        let value = self.outside_value(ty, sort, origin);
        match sort {
            Sort::Bv(width) if kind == "bool" && !matches!(self.unit.types[ty], Type::Bool) => {
                let truth = self.truth(value);
                Some(self.terms().bool_to_bv(truth, width))
            }
            _ => Some(value),
        }
    }

    /// `(pointer, count)`: that many arbitrary bytes.
    fn arbitrary_bytes(&mut self, args: &[Arg<'_>], origin: &Origin, name: &str, e: &Expr) {
        let is_number = |low: &Self, arg: &Arg<'_>| low.sort(arg.ty).and_then(Sort::bv_width).is_some();
        match args {
            [pointer, len, ..] if is_number(self, pointer) && is_number(self, len) => {
                let width = self.pointer_width();
                let start = self.terms().resize(pointer.term, width, false);
                let len = self.terms().resize(len.term, width, false);
                self.check_range(start, len, name, e);
                self.check_pointer_writable(start, e);
                self.havoc_bytes(start, len, origin);
            }
            _ => self.unsupported(format!("{name} without a pointer and a size")),
        }
    }

    /// What the models of the library are written with; see `library/README.md`.
    fn intrinsic(&mut self, name: &str, args: &[Arg<'_>], ty: Ty, e: &Expr) -> Option<Term> {
        let short = name.strip_prefix("__foldback_")?;
        if let Some(kind) = short.strip_prefix("unknown_") {
            let origin = Origin::Extern(self.environment(name));
            return self.arbitrary(kind, ty, origin, name);
        }
        let environment = self.environment(name);
        match short {
            "havoc" => self.arbitrary_bytes(args, &Origin::Input(environment), name, e),
            "any_string" => return Some(self.string_from_outside(environment)),
            "havoc_unknown" => self.arbitrary_bytes(args, &Origin::Extern(environment), name, e),
            "unsupported" => {
                let what = args.first().map(|a| self.asserted(a.expr)).unwrap_or_default();
                self.unsupported(format!("in {environment}: {what}"));
            }
            "open" => {
                let other = self.choice_of(OPEN);
                let width = self.sort(ty).and_then(Sort::bv_width)?;
                return Some(self.terms().bool_to_bv(other, width));
            }
            "runs" => {
                let width = self.sort(ty).and_then(Sort::bv_width)?;
                let runs = self.options.places == Places::Fixed;
                return Some(self.terms().bv(u128::from(runs), width));
            }
            "offset" | "room" => {
                let [pointer, ..] = args else { return None };
                let offset = self.offset_in_object(pointer.term);
                if short == "offset" {
                    return Some(offset);
                }
                let size = self.size_of_object(pointer.term);
                let (rest, none) = (self.terms().sub(size, offset), self.word(0));
                let is_inside = self.terms().ult(offset, size);
                return Some(self.terms().ite(is_inside, rest, none));
            }
            "check_read" => {
                let [pointer, len, ..] = args else { return None };
                let width = self.pointer_width();
                let len = self.terms().resize(len.term, width, false);
                self.check_range(pointer.term, len, "reading", pointer.expr);
            }
            "same_object" => {
                let [one, other, ..] = args else { return None };
                let width = self.sort(ty).and_then(Sort::bv_width)?;
                // What just runs does what the machine's library does.
                let same = match self.options.places {
                    Places::Fixed => self.terms().bool(false),
                    Places::Any => self.same_origin(one.term, other.term),
                };
                return Some(self.terms().bool_to_bv(same, width));
            }
            "print" | "print_error" => {
                let [format, list, ..] = args else { return None };
                let stream = if short == "print" { Stream::Output } else { Stream::Error };
                self.emit(Op::Print { format: format.term, args: list.term, stream, dst: None });
            }
            "putchar" | "putchar_error" => {
                let stream = if short == "putchar" { Stream::Output } else { Stream::Error };
                let format = self.generated_string(b"%c");
                let block = self.argument_block(args);
                self.emit(Op::Print { format, args: block, stream, dst: None });
            }
            "errno_if" | "errno_any_if" | "errno_may_if" | "errno_stream" => self.set_errno_where(short, args, e),
            _ => match self.mathematics(short, args) {
                Some(value) => return Some(value),
                None => self.unsupported(format!("the intrinsic {name}")),
            },
        }
        self.zero(ty)
    }

    /// The operators on floats: a name without or with the suffix of its type.
    fn mathematics(&mut self, name: &str, args: &[Arg<'_>]) -> Option<Term> {
        let x: Vec<Term> = args.iter().map(|a| a.term).collect();
        let sort = self.terms().sort(*x.first()?);
        if !matches!(sort, Sort::Float(_)) || x.iter().any(|x| self.program.terms.sort(*x) != sort) {
            return None;
        }
        let names = [Some(name), name.strip_suffix('f'), name.strip_suffix('l')];
        names.into_iter().flatten().find_map(|name| match (name, &x[..]) {
            ("sqrt", &[x]) => Some(self.rounded(false, |terms, mode| terms.fp_sqrt(mode, x))),
            ("rint", &[x]) => Some(self.rounded(false, |terms, mode| terms.fp_round_to_integral(mode, x))),
            ("floor", &[x]) => Some(self.terms().fp_round_to_integral(RoundingMode::Down, x)),
            ("ceil", &[x]) => Some(self.terms().fp_round_to_integral(RoundingMode::Up, x)),
            ("trunc", &[x]) => Some(self.terms().fp_round_to_integral(RoundingMode::Zero, x)),
            ("round", &[x]) => Some(self.terms().fp_round_to_integral(RoundingMode::NearestAway, x)),
            ("remainder", &[x, y]) => Some(self.terms().fp_rem(x, y)),
            ("fma", &[x, y, z]) => Some(self.rounded(false, |terms, mode| terms.fp_fma(mode, x, y, z))),
            _ => None,
        })
    }

    /// `fprintf` with a literal format is `printf`, to standard output or standard error or, where it does not run, to any
    /// stream. Nothing where it is not so simple.
    pub(crate) fn print_to(&mut self, args: &[Arg<'_>], ty: Ty, e: &Expr) -> Option<Option<Term>> {
        let (stream, rest) = args.split_first()?;
        let text = self.literal_format(rest.first()?.expr)?;
        if conversions(&text).iter().any(Conversion::is_for_model) {
            return None;
        }
        let standard = self.standard_stream(stream.expr);
        if standard.is_none() {
            let unit = self.unit;
            let has_body = |name| unit.func(name).filter(|f| unit.funcs[*f].body.is_some());
            let uses = has_body("__foldback_use")?;
            // What is written to memory may be read again, and so may files while a program runs.
            if self.options.places == Places::Fixed || has_body("__foldback_memory_put").is_some() {
                return None;
            }
            let void = unit.types.function(unit.funcs[uses].ty)?.ret;
            self.apply(Call { id: uses, args: &[*stream], ty: void, result: None, e });
        }
        Some(self.print(rest, standard, ty, e))
    }

    /// A stream that the program leaves as the library set it.
    fn standard_stream(&self, e: &Expr) -> Option<Stream> {
        let id = match &e.kind {
            ExprKind::Cast(inner) => return self.standard_stream(inner),
            ExprKind::Load(place) => match place.kind {
                ExprKind::Var(id) if self.is_library_var(id) && !self.unit.vars[id].address_taken => id,
                _ => return None,
            },
            _ => return None,
        };
        let stream = match self.unit.vars[id].name.as_str() {
            "stdout" => Stream::Output,
            "stderr" => Stream::Error,
            _ => return None,
        };
        // Whoever names it does so to read it.
        let (mut named, mut read) = (0, 0);
        for body in self.unit.funcs.values().filter_map(|f| f.body.as_ref()) {
            walk_stmt(body, &mut |e| match &e.kind {
                ExprKind::Var(other) => named += usize::from(*other == id),
                ExprKind::Load(place) => read += usize::from(matches!(place.kind, ExprKind::Var(other) if other == id)),
                _ => {}
            });
        }
        (named == read).then_some(stream)
    }

    /// `printf`: prints when run (to a `stream` that is known), checks its strings where memory is checked.
    pub(crate) fn print(&mut self, args: &[Arg<'_>], stream: Option<Stream>, ty: Ty, e: &Expr) -> Option<Term> {
        self.check_format(args, e);
        let (format, rest) = args.split_first()?;
        let literal = self.literal_format(format.expr);
        if literal.as_ref().is_some_and(|text| conversions(text).len() > rest.len()) {
            self.unsupported("a format that asks for more arguments than there are, which C leaves undefined");
            return self.zero(ty);
        }
        if self.options.places == Places::Fixed && literal.as_deref().is_some_and(prints_errno) {
            self.unsupported("printing the message of errno (%m)");
            return self.zero(ty);
        }
        let is_plain = |text: &String| !conversions(text).iter().any(Conversion::is_for_model);
        let Some(text) = literal.filter(is_plain) else {
            return self.print_by_model(format, rest, ty, e);
        };
        let printed = stream.map(|stream| {
            let args = self.argument_block(rest);
            let count = self.temp(Sort::Bv(32));
            self.emit(Op::Print { format: format.term, args, stream, dst: Some(count) });
            self.term(count)
        });
        // As many characters as it says, unless it fails.
        let failure = self.havoc(Sort::Bv(32), Origin::Extern("printf".to_owned()));
        let is_counted = self.options.places == Places::Fixed || self.fun.unused == Some(e.span);
        let count = match (self.printed_length(&text, rest), printed) {
            (Some(length), _) => self.terms().bv(length, 32),
            (None, Some(count)) if is_counted => count,
            _ => self.havoc(Sort::Bv(32), Origin::Extern(FORMATTING.to_owned())),
        };
        let terms = self.terms();
        let (zero, positive) = (terms.bv(0, 32), terms.bv(0x7fff_ffff, 32));
        let fails = terms.slt(failure, zero);
        let count = terms.bvand(count, positive);
        let value = terms.ite(fails, failure, count);
        self.errno_of_stream(fails, e);
        match self.sort(ty) {
            Some(Sort::Bv(width)) => Some(self.terms().resize(value, width, true)),
            _ => self.zero(ty),
        }
    }

    /// How many characters are printed, where all that is printed is known.
    fn printed_length(&self, text: &str, args: &[Arg<'_>]) -> Option<u128> {
        let mut args = args.iter();
        let (mut length, mut rest) = (0, text.bytes());
        while let Some(byte) = rest.next() {
            length += match (byte == b'%').then(|| rest.next()) {
                None | Some(Some(b'%')) => 1,
                Some(Some(b'c')) => args.next().map(|_| 1)?,
                Some(Some(b'd' | b'i')) => {
                    let value = self.program.terms.as_bv_const(args.next()?.term)?.to_i128()?;
                    (value as i32).to_string().len() as u128
                }
                _ => return None,
            };
        }
        Some(length)
    }

    /// A format that is not known here, or that stores counts: as the library's model goes through it.
    fn print_by_model(&mut self, format: &Arg<'_>, rest: &[Arg<'_>], ty: Ty, e: &Expr) -> Option<Term> {
        let unit = self.unit;
        let Some(id) = unit.func("vprintf").filter(|f| unit.funcs[*f].body.is_some()) else {
            self.unsupported("a format that is not a literal");
            return self.zero(ty);
        };
        let list = unit.types.function(unit.funcs[id].ty).and_then(|f| f.params.get(1).copied())?;
        let block = self.block_of_kinds(rest);
        let list = Arg { term: block, ty: list, expr: format.expr };
        self.apply(Call { id, args: &[*format, list], ty, result: None, e })
    }

    /// The format as a literal, when it is one.
    fn literal_format(&self, e: &Expr) -> Option<String> {
        match &e.kind {
            ExprKind::Decay(s) | ExprKind::Cast(s) => self.literal_format(s),
            ExprKind::Str(s) if self.says_moment(&self.unit.strings[*s].units) => None,
            ExprKind::Str(s) => Some(self.string_text(*s)),
            _ => None,
        }
    }

    /// Where memory is checked, the strings that a format prints must be valid strings.
    fn check_format(&mut self, args: &[Arg<'_>], e: &Expr) {
        if !self.checks_memory(e.span) {
            return;
        }
        let Some((format, rest)) = args.split_first() else { return };
        // Otherwise the model goes through it.
        let Some(text) = self.literal_format(format.expr) else { return };
        if conversions(&text).iter().any(Conversion::is_for_model) {
            return;
        }
        for (number, (conversion, arg)) in conversions(&text).iter().zip(rest).enumerate() {
            match conversion {
                Conversion::Other => {}
                Conversion::String => self.check_string(arg, None, e),
                Conversion::LimitedString(limit) => {
                    let limit = self.word(*limit);
                    self.check_string(arg, Some(limit), e);
                }
                Conversion::Count | Conversion::Unknown => {}
                Conversion::CountedString => {
                    // The argument before it is an `int`; a negative one is no limit, and no string is longer than that is as a size.
                    let width = self.pointer_width();
                    let terms = self.terms();
                    let limit = terms.resize(rest[number - 1].term, 32, true);
                    let limit = terms.resize(limit, width, true);
                    self.check_string(arg, Some(limit), e);
                }
            }
        }
    }

    /// Reads the string to its end (or limit), with the library's functions.
    pub(crate) fn check_string(&mut self, arg: &Arg<'_>, limit: Option<Term>, e: &Expr) {
        let unit = self.unit;
        let name = if limit.is_some() { "strnlen" } else { "strlen" };
        let Some(id) = unit.func(name).filter(|f| unit.funcs[*f].body.is_some()) else {
            self.unsupported(format!("printing a string, where memory is checked and {name} has no body"));
            return;
        };
        let Some(signature) = unit.types.function(unit.funcs[id].ty) else { return };
        let mut args = vec![*arg];
        if let (Some(limit), Some(ty)) = (limit, signature.params.get(1)) {
            let limit = self.as_wide_as(*ty, limit);
            args.push(Arg { term: limit, ty: *ty, expr: arg.expr });
        }
        self.apply(Call { id, args: &args, ty: signature.ret, result: None, e });
    }
}

/// Whether `%m` stands in the format.
fn prints_errno(format: &str) -> bool {
    let mut rest = format.split('%').skip(1);
    while let Some(part) = rest.next() {
        if part.is_empty() {
            // `%%`: what follows is text.
            rest.next();
        } else if part.trim_start_matches(|c: char| "-+ #'.0123456789".contains(c)).starts_with('m') {
            return true;
        }
    }
    false
}

enum Conversion {
    String,
    /// At most so many characters.
    LimitedString(u64),
    Other,
    /// `%n`.
    Count,
    /// `%.*s`: at most as many characters as the argument before it says.
    CountedString,
    /// What is not said here: positions (`%1$d`), wide strings, the flag `I`.
    Unknown,
}

impl Conversion {
    /// Is it left to the library's model, which refuses what it does not know?
    fn is_for_model(&self) -> bool {
        matches!(self, Conversion::Count | Conversion::Unknown)
    }
}

/// One entry for each argument that the format takes.
fn conversions(format: &str) -> Vec<Conversion> {
    let mut out = Vec::new();
    let mut chars = format.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '%' {
            continue;
        }
        let mut limit: Option<Option<u64>> = None;
        let mut is_wide = false;
        while let Some(&c) = chars.peek() {
            match (c, &mut limit) {
                ('*', limit) => {
                    if limit.is_some() {
                        *limit = Some(None);
                    }
                    out.push(Conversion::Other);
                }
                ('.', limit) => *limit = Some(Some(0)),
                ('0'..='9', Some(Some(n))) => {
                    *n = n.saturating_mul(10).saturating_add(u64::from(c as u32 - '0' as u32))
                }
                ('l', _) => is_wide = true,
                ('-' | '+' | ' ' | '#' | '0'..='9' | 'h' | 'j' | 'z' | 't' | 'L' | 'q' | '\'', _) => {}
                _ => break,
            }
            chars.next();
        }
        match chars.next() {
            Some('%' | 'm') | None => {}
            Some('s') if !is_wide => out.push(match limit {
                None => Conversion::String,
                Some(Some(limit)) => Conversion::LimitedString(limit),
                Some(None) => Conversion::CountedString,
            }),
            Some('n') => out.push(Conversion::Count),
            Some('d' | 'i' | 'o' | 'u' | 'x' | 'X' | 'e' | 'E' | 'f' | 'F' | 'g' | 'G' | 'a' | 'A' | 'p') => {
                out.push(Conversion::Other);
            }
            Some('c') if !is_wide => out.push(Conversion::Other),
            Some(_) => out.push(Conversion::Unknown),
        }
    }
    out
}
