//! Symbol interposition: functions of the C library that a program defines itself, and that the library's other functions then call. Streams
//! allocate their buffers, so that `printf` calls a `malloc` of the program's own; and gcc makes calls of `puts` and `putchar` of calls
//! of `printf`. Our models call none of them: a program in which both are used is unsupported.

use cfront::hir::FuncId;

use crate::context::Lowering;

/// What is defined, and who calls it.
const CALLED: [(&[&str], &[&str]); 2] = [
    (
        &["malloc", "calloc", "realloc", "free", "memalign", "aligned_alloc", "posix_memalign"],
        &[
            "printf",
            "fprintf",
            "vprintf",
            "vfprintf",
            "puts",
            "putchar",
            "putc",
            "fputs",
            "fputc",
            "fwrite",
            "perror",
            "scanf",
            "fscanf",
            "getchar",
            "getc",
            "fgetc",
            "fgets",
            "gets",
            "fread",
            "getline",
            "getdelim",
            "fopen",
            "fdopen",
            "freopen",
            "fclose",
            "popen",
            "pclose",
            "tmpfile",
            "setvbuf",
            "asprintf",
            "vasprintf",
            "strdup",
            "strndup",
            "realpath",
            "getcwd",
            "opendir",
            "closedir",
            "setenv",
            "putenv",
            "setlocale",
            "qsort",
        ],
    ),
    (&["puts", "putchar", "putc", "fputs", "fputc", "fwrite"], &["printf", "fprintf", "vprintf", "vfprintf"]),
];

impl Lowering<'_> {
    /// The end of the model where the library would call the program back.
    pub(crate) fn refuse_interposed(&mut self) {
        let is_own = |id: FuncId| {
            let func = &self.unit.funcs[id];
            func.body.is_some() && !func.internal && !self.is_library(id)
        };
        let is_librarys = |id: &&FuncId| !is_own(**id) && !self.unit.funcs[**id].internal;
        for (defined, callers) in CALLED {
            let own = self.unit.funcs.iter().find(|(id, func)| defined.contains(&&*func.name) && is_own(*id));
            let caller = self.reach.funcs.iter().filter(is_librarys).map(|id| &self.unit.funcs[*id].name);
            let caller = caller.into_iter().find(|name| callers.contains(&&***name));
            if let (Some((_, own)), Some(caller)) = (own, caller) {
                let (what, span) = (format!("{caller}, which may call the program's own {}", own.name), own.span);
                self.fun.span = span;
                self.unsupported(what);
                return;
            }
        }
    }
}
