//! The arguments of the program: `argc` is at least 1, `argv` holds that many strings of any content, and then a null pointer.
//! Each string is an object of any size whose last byte is zero; other bytes may be zero, too, so that the object is at least as
//! long as the string. The first ones are made when the program starts, as many as programs commonly look at. The others are made
//! when they are looked at for the first time, which nobody can tell from the start. Whether that is the first time is
//! known as long as the program goes through them in order, back by one at most: the last two that were made are remembered, and behind
//! them nothing was looked at. A look further back is unsupported. So a loop over all arguments needs to know little of what is
//! in `argv`. A program whose `main` never looks at it pays nothing.

use cfa::{EndKind, LATER_ARGUMENT, LocKind, ObjectKind, Op, Origin, Var};
use cfront::hir::{ExprKind, FuncId, VarId};
use cfront::types::Ty;
use cfront::walk::walk_stmt;
use term::{Sort, Term};

use crate::MainArguments;
use crate::context::Lowering;
use crate::heap::too_large;
use crate::place::Memory;

/// Strings are made for so many arguments at first, the program's name among them.
const MOST: u64 = 4;
/// Linux has room for fewer: 6 MB for strings and pointers to them.
const COUNT_BITS: u32 = 21;

/// What is known of `argv` while the program runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arguments {
    /// `argc`, as wide as a pointer.
    count: Var,
    /// The address of the array.
    array: Var,
    /// The numbers of the last two strings that were made when they were looked at; 0 while there are none.
    last: Var,
    before: Var,
    /// Whether the program may look at `argv` as something else than strings: copy it as bytes, say.
    as_others: bool,
}
/// Linux passes no argument of more than 2 to this many bytes.
const SIZE_BITS: u32 = 17;

impl Lowering<'_> {
    /// The parameter `argv` of `main`, where that looks at it and does not just get none.
    pub(crate) fn looked_at_argv(&self, entry: FuncId) -> Option<VarId> {
        let main = &self.unit.funcs[entry];
        let argv = *main.params.get(1)?;
        let is_asked = main.name == "main" && self.options.main_arguments == MainArguments::Arbitrary;
        let mut found = false;
        walk_stmt(main.body.as_ref().filter(|_| is_asked)?, &mut |e| {
            found |= matches!(e.kind, ExprKind::Var(id) if id == argv);
        });
        found.then_some(argv)
    }

    pub(crate) fn prepare_arguments(&mut self) {
        let sort = self.program.machine.pointer_sort();
        let mut global = |name: &str| self.generated_global(name, sort);
        let (count, array, last, before) =
            (global("$argc"), global("$argv"), global("$argv_last"), global("$argv_before"));
        let types = &self.unit.types;
        let mut as_others = false;
        let bodies = self.reach.funcs.iter().filter_map(|id| self.unit.funcs[*id].body.as_ref());
        for body in bodies {
            walk_stmt(body, &mut |e| {
                if let ExprKind::Cast(inner) = &e.kind
                    && let Some(from) = types.pointee(inner.ty)
                {
                    as_others |= self.is_string(from) && !types.pointee(e.ty).is_some_and(|to| self.is_string(to));
                }
            });
        }
        self.arguments = Some(Arguments { count, array, last, before, as_others });
    }

    pub(crate) fn argc(&mut self, width: u32) -> Term {
        let one = self.terms().bv(1, width);
        if self.options.main_arguments == MainArguments::None {
            return one;
        }
        let message = match self.arguments {
            Some(_) => format!(
                "the program may get any arguments: argc is at least 1 and below {}, each string of argv is shorter than {} bytes",
                1 << COUNT_BITS,
                1 << SIZE_BITS
            ),
            None => "the program may get any number of arguments: argc is at least 1".to_owned(),
        };
        self.program.notes.push(base::Diagnostic::note(Some(self.fun.span), message));
        let argc = self.havoc(Sort::Bv(width), Origin::Input("argc".to_owned()));
        let enough = self.terms().sle(one, argc);
        self.require(enough, LocKind::End(EndKind::Blocked));
        if let Some(Arguments { count, last, before, .. }) = self.arguments {
            let many = self.terms().bv(1 << COUNT_BITS, width);
            let possible = self.terms().slt(argc, many);
            self.require(possible, LocKind::End(EndKind::Blocked));
            let bits = self.program.machine.pointer_bits();
            let (wide, none) = (self.terms().resize(argc, bits, false), self.word(0));
            self.emit(Op::Assign(vec![(count, wide), (last, none), (before, none)]));
        }
        argc
    }

    /// `argv` (parameter 1) or what follows it, which is not modelled.
    pub(crate) fn argv(&mut self, position: usize) -> Term {
        if position > 1 {
            return self.word(0);
        }
        match (self.options.main_arguments, self.arguments) {
            (MainArguments::None, _) => self.only_name(),
            (MainArguments::Arbitrary, Some(arguments)) => self.any_strings(arguments),
            (MainArguments::Arbitrary, None) => self.word(0),
        }
    }

    /// `{ "program", NULL }`
    fn only_name(&mut self) -> Term {
        let name = self.main_name.map(|v| self.term(v)).unwrap_or(self.word(0));
        let bytes = self.program.machine.word_bytes();
        let dst = self.temp(self.program.machine.pointer_sort());
        self.static_object(dst, 2 * u64::from(bytes), ObjectKind::Static, "argv".to_owned());
        let addr = self.term(dst);
        self.emit(Op::Store { addr, value: name, bytes });
        addr
    }

    fn any_strings(&mut self, Arguments { count, array, .. }: Arguments) -> Term {
        let bytes = self.program.machine.word_bytes();
        let (mut count, most) = (self.term(count), self.word(MOST));
        if let Some(fits) = self.arguments_fit() {
            count = self.terms().ite(fits, count, most);
        }
        let (one, scale) = (self.word(1), self.word(bytes.into()));
        let all = self.terms().add(count, one);
        let size = self.terms().mul(all, scale);
        self.emit(Op::Alloc { dst: array, size, kind: ObjectKind::Stack, name: "argv".to_owned() });
        let argv = self.term(array);
        for i in 0..MOST {
            let number = self.word(i);
            let is_given = self.terms().ult(number, count);
            let offset = self.word(i * u64::from(bytes));
            let addr = self.terms().add(argv, offset);
            self.run_if(is_given, |low| low.any_string(addr, format!("argv[{i}]")));
        }
        let last = self.terms().mul(count, scale);
        let (addr, value) = (self.terms().add(argv, last), self.word(0));
        self.emit(Op::Store { addr, value, bytes });
        argv
    }

    /// Whether pointers reach over all of `argv`; nothing where they do for as many arguments as there may be.
    fn arguments_fit(&mut self) -> Option<Term> {
        let Arguments { count, .. } = self.arguments?;
        let most = self.program.machine.object_limit() / u64::from(self.program.machine.word_bytes());
        if most > 1 << COUNT_BITS {
            return None;
        }
        let (count, most) = (self.term(count), self.word(most - 1));
        Some(self.terms().ult(count, most))
    }

    /// In front of a look at `argv`.
    pub(crate) fn require_arguments(&mut self) {
        if let Some(fits) = self.arguments_fit() {
            self.require(fits, too_large());
        }
    }

    /// A string for the element of `argv` that is there.
    fn any_string(&mut self, addr: Term, name: String) {
        let string = self.string_from_outside(name);
        let bytes = self.program.machine.word_bytes();
        self.emit(Op::Store { addr, value: string, bytes });
    }

    /// A new string of any length and contents, as the system hands them to a program.
    pub(crate) fn string_from_outside(&mut self, name: String) -> Term {
        let length = self.havoc(Sort::Bv(SIZE_BITS), Origin::Input(name.clone()));
        let (width, one) = (self.program.machine.pointer_bits(), self.word(1));
        let length = self.terms().zext_to(length, width);
        let size = self.terms().add(length, one);
        let string = self.temp(self.program.machine.pointer_sort());
        self.emit(Op::Alloc { dst: string, size, kind: ObjectKind::Stack, name });
        let string = self.term(string);
        let (end, zero) = (self.terms().add(string, length), self.terms().bv(0, 8));
        self.emit(Op::Store { addr: end, value: zero, bytes: 1 });
        string
    }

    /// Whether the type is that of an element of `argv`, or of one that is handed on.
    fn is_string(&self, ty: Ty) -> bool {
        let types = &self.unit.types;
        types.pointee(ty).is_some_and(|to| types.is_void(to) || types.size_of(to) == Some(1))
    }

    /// In front of an access to memory as something else: elements of `argv` that nobody has looked at are not there.
    pub(crate) fn refuse_arguments(&mut self, addr: Term) {
        let Some(Arguments { count, array, as_others: true, .. }) = self.arguments else { return };
        let machine = self.program.machine;
        let (array, argc, most) = (self.term(array), self.term(count), self.word(MOST));
        let (object, own) = (machine.object_of(self.terms(), addr), machine.object_of(self.terms(), array));
        let (is_other, few) = (self.terms().ne(object, own), self.terms().ule(argc, most));
        let fine = self.terms().or(is_other, few);
        let what = format!("more than {} arguments of the program, and a look at argv as bytes", MOST - 1);
        self.require(fine, LocKind::Unsupported(what.into()));
    }

    /// In front of an access to something of the type: if it is an element of `argv` that nobody has looked at, its string is made.
    pub(crate) fn look_at_argument(&mut self, memory: &Memory, ty: Ty) {
        let Some(Arguments { count, array, last, before, as_others }) = self.arguments else { return };
        let is_string = self.is_string(ty);
        if memory.known.is_some() || !is_string && !as_others {
            return;
        }
        let machine = self.program.machine;
        let addr = self.address(memory);
        if !is_string {
            return self.refuse_arguments(addr);
        }
        let addr = self.snapshot(addr);
        let array = self.term(array);
        let (object, own) = (machine.object_of(self.terms(), addr), machine.object_of(self.terms(), array));
        let is_own = self.terms().eq(object, own);
        let offset = self.offset_in_object(addr);
        let (bytes, most, argc) = (self.word(machine.word_bytes().into()), self.word(MOST), self.term(count));
        let number = self.terms().udiv(offset, bytes);
        let (is_later, is_given) = (self.terms().ule(most, number), self.terms().ult(number, argc));
        let asked = self.terms().and_all(&[is_own, is_later, is_given]);
        self.run_if(asked, |low| {
            let number = low.snapshot(number);
            let (newest, older) = (low.term(last), low.term(before));
            let (is_newest, is_older) = (low.terms().eq(number, newest), low.terms().eq(number, older));
            let is_known = low.terms().or(is_newest, is_older);
            let is_new = low.terms().not(is_known);
            low.run_if(is_new, |low| {
                let is_first = low.terms().ult(newest, number);
                let what =
                    format!("argument {MOST} of the program or a later one, looked at again after two later ones");
                low.require(is_first, LocKind::Unsupported(what.into()));
                low.any_string(addr, LATER_ARGUMENT.to_owned());
                low.emit(Op::Assign(vec![(last, number), (before, newest)]));
            });
        });
    }
}
