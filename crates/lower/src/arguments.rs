//! The arguments of the program: `argc` is at least 1, `argv` holds that many strings of any content, and then a null pointer.
//! Each string is an object of any size whose last byte is zero; other bytes may be zero, too, so that the object is at least as
//! long as the string. Strings are made for so many arguments as programs commonly look at. What looks at `argv` where there
//! are more is unsupported; a program whose `main` never looks at it pays nothing.

use cfa::{EndKind, LocKind, ObjectKind, Op, Origin};
use cfront::hir::{ExprKind, FuncId, VarId};
use cfront::walk::walk_stmt;
use term::{Sort, Term};

use crate::MainArguments;
use crate::context::Lowering;

/// Strings are made for so many arguments, the program's name among them.
const MOST: u64 = 4;
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

    pub(crate) fn argc(&mut self, width: u32) -> Term {
        let one = self.terms().bv(1, width);
        if self.options.main_arguments == MainArguments::None {
            return one;
        }
        let message = match self.argument_count {
            Some(_) => format!(
                "the program may get any arguments: argc is at least 1, each string of argv is shorter than {} bytes",
                1 << SIZE_BITS
            ),
            None => "the program may get any number of arguments: argc is at least 1".to_owned(),
        };
        self.program.notes.push(base::Diagnostic::note(Some(self.fun.span), message));
        let argc = self.havoc(Sort::Bv(width), Origin::Input("argc".to_owned()));
        let enough = self.terms().sle(one, argc);
        self.require(enough, LocKind::End(EndKind::Blocked));
        if let Some(count) = self.argument_count {
            let bits = self.program.machine.pointer_bits();
            let wide = self.terms().resize(argc, bits, false);
            self.assign(count, wide);
        }
        argc
    }

    /// `argv` (parameter 1) or what follows it, which is not modelled.
    pub(crate) fn argv(&mut self, position: usize) -> Term {
        if position > 1 {
            return self.word(0);
        }
        match (self.options.main_arguments, self.argument_count) {
            (MainArguments::None, _) => self.only_name(),
            (MainArguments::Arbitrary, Some(count)) => self.any_strings(count),
            (MainArguments::Arbitrary, None) => self.word(0),
        }
    }

    /// `{ "program", NULL }`
    fn only_name(&mut self) -> Term {
        let name = self.main_name.map(|v| self.term(v)).unwrap_or(self.word(0));
        let bytes = self.program.machine.pointer_bytes();
        let dst = self.temp(self.program.machine.pointer_sort());
        self.static_object(dst, 2 * u64::from(bytes), ObjectKind::Static, "argv".to_owned());
        let addr = self.term(dst);
        self.emit(Op::Store { addr, value: name, bytes });
        addr
    }

    fn any_strings(&mut self, count: cfa::Var) -> Term {
        let bytes = self.program.machine.pointer_bytes();
        let (argc, most) = (self.term(count), self.word(MOST));
        let few = self.terms().ule(argc, most);
        let count = self.terms().ite(few, argc, most);
        let (one, scale) = (self.word(1), self.word(bytes.into()));
        let all = self.terms().add(count, one);
        let size = self.terms().mul(all, scale);
        let argv = self.temp(self.program.machine.pointer_sort());
        self.emit(Op::Alloc { dst: argv, size, kind: ObjectKind::Stack, name: "argv".to_owned() });
        let argv = self.term(argv);
        for i in 0..MOST {
            let number = self.word(i);
            let is_given = self.terms().ult(number, count);
            self.run_if(is_given, |low| low.any_string(argv, i));
        }
        let last = self.terms().mul(count, scale);
        let (addr, value) = (self.terms().add(argv, last), self.word(0));
        self.emit(Op::Store { addr, value, bytes });
        argv
    }

    fn any_string(&mut self, argv: Term, number: u64) {
        let name = format!("argv[{number}]");
        let length = self.havoc(Sort::Bv(SIZE_BITS), Origin::Input(name.clone()));
        let (width, one) = (self.program.machine.pointer_bits(), self.word(1));
        let length = self.terms().zext_to(length, width);
        let size = self.terms().add(length, one);
        let string = self.temp(self.program.machine.pointer_sort());
        self.emit(Op::Alloc { dst: string, size, kind: ObjectKind::Stack, name });
        let string = self.term(string);
        let (end, zero) = (self.terms().add(string, length), self.terms().bv(0, 8));
        self.emit(Op::Store { addr: end, value: zero, bytes: 1 });
        let bytes = self.program.machine.pointer_bytes();
        let offset = self.word(number * u64::from(bytes));
        let addr = self.terms().add(argv, offset);
        self.emit(Op::Store { addr, value: string, bytes });
    }

    /// In front of a look at `argv`.
    pub(crate) fn require_strings(&mut self) {
        let Some(count) = self.argument_count else { return };
        let (argc, most) = (self.term(count), self.word(MOST));
        let few = self.terms().ule(argc, most);
        let what = format!("more than {} arguments of the program, and a look at argv", MOST - 1);
        self.require(few, LocKind::Unsupported(what.into()));
    }
}
