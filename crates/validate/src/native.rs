//! Running a counterexample for real: the user's source, compiled by the machine's C compiler and linked with a harness that
//! hands out the recorded inputs and reports the violation.
//!
//! The harness is a C file that a person can keep and run. It defines the input functions (`__VERIFIER_nondet_*` and
//! functions without body) weakly, so that a program's own definitions win. A call of the error function is seen on
//! entry of the function (`-finstrument-functions`), whatever its body does. Memory errors and overflows are seen by the
//! sanitizer of the checked property, and only by that one.
//!
//! What cannot be controlled from outside: values of uninitialised variables, and the order in which the compiler
//! evaluates several inputs in one expression. A run that depends on those may go elsewhere; it is then not refuted.
//! What the C library computes (`sin`) is left to the library: where our model only approximates it, the run counts if the
//! compiled program makes it too, and not otherwise.

use cfa::interp::{Ending, Given, Outcome, Recorded, repeat};
use cfa::{DataModel, Op, Origin, Program, Property, Violation};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use term::Value;

/// How the user's program is compiled.
#[derive(Clone, Debug)]
pub struct Build {
    pub files: Vec<PathBuf>,
    pub includes: Vec<PathBuf>,
    pub defines: Vec<String>,
    pub data_model: DataModel,
    /// The functions whose call is the error, for unreach-call.
    pub error_functions: Vec<String>,
    /// Whether the C library has the named function, or the name stands for instructions of the processor.
    pub library: fn(&str) -> bool,
    /// Whether a harness may define the function to give its inputs: not what the C library has, unless an input is all that
    /// a call of it gives.
    pub is_given: fn(&str) -> bool,
}

/// What came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Native {
    /// The violation happened.
    Confirmed,
    /// The program ran and did not show it.
    Missed(String),
    /// It depends on what the C library computes, and the library does not do what the model allows it to.
    NotTheLibrary(String),
    /// It could not be tried: why.
    Unavailable(String),
}

/// The exit code by which the harness reports.
const REACHED: i32 = 77;
/// The exit code when the memory that the run needs cannot be had.
const NO_MEMORY: i32 = 78;

/// The harness for a run that the interpreter has made, to be written to `file`.
pub fn harness(program: &Program, outcome: &Outcome, property: Property, build: &Build, file: &Path) -> String {
    let error_functions = &build.error_functions;
    let entry = |recorded: &Recorded| {
        let op = &program.functions[recorded.func].edges[recorded.edge].op;
        match (op, &recorded.given) {
            (Op::Havoc { origin: Origin::Extern(name), .. }, _) if (build.library)(name) => None,
            (Op::Havoc { origin: Origin::Input(name), .. }, _) if name == ARGC => None,
            (Op::Havoc { origin: Origin::Input(name) | Origin::Extern(name), .. }, _) if !(build.is_given)(name) => {
                None
            }
            // What is no name in C is no function: that a pointer from outside is not null, say.
            (Op::Havoc { origin: Origin::Input(name) | Origin::Extern(name), .. }, Given::Value(value))
                if name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$') =>
            {
                Some((name.clone(), value.clone()))
            }
            _ => None,
        }
    };
    let queues: BTreeMap<String, repeat::Runs<Value>> = repeat::runs(&outcome.inputs, &outcome.repeats, &entry);
    let binary = Path::new("./counterexample");
    let (compile, run) =
        (compiler(property, build, outcome.steps, file, binary), runner(program, outcome, property, binary));
    let mut text = format!(
        "/* Reproduces a violation that foldback found. Compile it with the program, and run that; exit code {REACHED} says \
         that the violation was seen:\n\n     {}\n     {}\n*/\n{PREAMBLE}",
        in_shell(&compile),
        in_shell(&run)
    );
    let _ = writeln!(text, "\n/* The error: {}. */", property.name());
    for name in error_functions {
        let _ = writeln!(text, "__attribute__((weak)) HIDDEN void {name}(void) {{ foldback_reached(); }}");
    }
    if property == Property::UnreachCall {
        let _ = writeln!(text, "void HIDDEN __cyg_profile_func_enter(void *function, void *site) {{\n  (void)site;");
        for name in error_functions {
            let _ = writeln!(text, "  if (function == (void *){name}) foldback_reached();");
        }
        text += "}\nvoid HIDDEN __cyg_profile_func_exit(void *function, void *site) { (void)function; (void)site; }\n";
    }
    let on_assert = if property == Property::Assert { "foldback_reached()" } else { "_exit(1)" };
    let _ = writeln!(
        text,
        "HIDDEN void __assert_fail(const char *e, const char *f, unsigned l, const char *g) {{\n  (void)e; (void)f; (void)l; (void)g;\n  {on_assert};\n}}"
    );
    text += &environment(&outcome.environment);
    text += "\n/* The inputs, in the order of their calls. */\n";
    for (name, values) in &queues {
        text += &if name == MEMORY { memory_function(values) } else { input_function(name, values) };
    }
    for kind in KINDS.iter().filter(|(suffix, _)| !queues.contains_key(&format!("__VERIFIER_nondet_{suffix}"))) {
        text += &input_function(&format!("__VERIFIER_nondet_{}", kind.0), &[]);
    }
    text
}

/// Memory at the addresses that pointers from outside hold.
fn environment(objects: &[(u64, Vec<u8>)]) -> String {
    if objects.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "\n/* Memory that pointers from outside point to. */\n\
         extern void *mmap(void *, __SIZE_TYPE__, int, int, int, long);\n\
         __attribute__((constructor)) HIDDEN static void foldback_environment(void) {\n  \
         /* readable, writable; private, anonymous, nowhere else */\n",
    );
    for (address, contents) in objects {
        let size = contents.len();
        let _ = writeln!(
            text,
            "  if (mmap((void *)(__UINTPTR_TYPE__){address}ull, {size}, 3, 0x100022, -1, 0) == (void *)-1) _exit({NO_MEMORY});"
        );
        for (i, byte) in contents.iter().enumerate().filter(|(_, byte)| **byte != 0) {
            let _ = writeln!(text, "  ((unsigned char *)(__UINTPTR_TYPE__){address}ull)[{i}] = {byte};");
        }
    }
    text + "}\n"
}

const PREAMBLE: &str = r#"#define HIDDEN __attribute__((no_instrument_function))
extern void _exit(int);
extern __PTRDIFF_TYPE__ write(int, const void *, __SIZE_TYPE__);
HIDDEN static void foldback_reached(void) {
  write(2, "foldback: the error is reached\n", 31);
  _exit(77);
}
__attribute__((weak)) HIDDEN void __VERIFIER_assume(int c) { if (!c) _exit(0); }
__attribute__((weak)) HIDDEN void _ABORT(int c) { if (c) foldback_reached(); }
__attribute__((weak)) HIDDEN void _TRACER_abort(int c) { if (c) foldback_reached(); }
__attribute__((weak)) HIDDEN void __VERIFIER_atomic_begin(void) {}
__attribute__((weak)) HIDDEN void __VERIFIER_atomic_end(void) {}
"#;

/// Input functions by the end of their names, with their C types.
const KINDS: &[(&str, &str)] = &[
    ("bool", "_Bool"),
    ("char", "char"),
    ("double", "double"),
    ("float", "float"),
    ("int", "int"),
    ("loff_t", "long long"),
    ("long", "long"),
    ("longlong", "long long"),
    ("pchar", "char *"),
    ("pointer", "void *"),
    ("pthread_t", "unsigned long"),
    ("sector_t", "unsigned long"),
    ("short", "short"),
    ("size_t", "__SIZE_TYPE__"),
    ("u8", "unsigned char"),
    ("u16", "unsigned short"),
    ("u32", "unsigned int"),
    ("u64", "unsigned long long"),
    ("uchar", "unsigned char"),
    ("uint", "unsigned int"),
    ("ulong", "unsigned long"),
    ("ulonglong", "unsigned long long"),
    ("unsigned", "unsigned int"),
    ("ushort", "unsigned short"),
];

/// The input function that fills memory.
const MEMORY: &str = "__VERIFIER_nondet_memory";

/// It writes the bytes one after the other, then zeros.
fn memory_function(runs: &[(Value, u64)]) -> String {
    let byte = input_function("foldback_byte", runs).replace("__attribute__((weak)) HIDDEN", "HIDDEN static");
    format!(
        "{byte}__attribute__((weak)) HIDDEN void {MEMORY}(void *start, __SIZE_TYPE__ size) {{\n  for (__SIZE_TYPE__ i = 0; i < \
         size; i++) ((unsigned char *)start)[i] = (unsigned char)foldback_byte();\n}}\n"
    )
}

/// A function that returns the values one after the other, then zeros.
fn input_function(name: &str, runs: &[(Value, u64)]) -> String {
    let suffix = name.strip_prefix("__VERIFIER_nondet_");
    let known = suffix.and_then(|s| KINDS.iter().find(|(kind, _)| *kind == s)).map(|(_, ctype)| *ctype);
    // A function without body: as wide as a register.
    let ctype = match (known, runs.first()) {
        (Some(ctype), _) => ctype,
        (None, Some((Value::Float(f), _))) if f.format() == term::Format::F32 => "float",
        (None, Some((Value::Float(_), _))) => "double",
        _ => "long long",
    };
    let head = format!("__attribute__((weak)) HIDDEN {ctype} {name}()");
    if runs.is_empty() {
        return format!("{head} {{ return 0; }}\n");
    }
    let texts: Vec<String> = runs.iter().map(|(v, _)| bits(v).map_or("0".into(), |b| format!("{b:#x}ull"))).collect();
    let convert = match ctype {
        "float" | "double" => format!(
            "  union {{ unsigned {} bits; {ctype} value; }} u;\n  u.bits = value;\n  return u.value;\n",
            if ctype == "float" { "int" } else { "long long" }
        ),
        _ if ctype.ends_with('*') => format!("  return ({ctype})(__SIZE_TYPE__)value;\n"),
        _ => format!("  return ({ctype})value;\n"),
    };
    let count = runs.len();
    let values = texts.join(", ");
    if runs.iter().all(|(_, times)| *times == 1) {
        return format!(
            "{head} {{\n  static const unsigned long long values[] = {{{values}}};\n  static unsigned long at;\n  \
             unsigned long long value;\n  if (at >= {count}) return 0;\n  value = values[at++];\n{convert}}}\n"
        );
    }
    let times: Vec<String> = runs.iter().map(|(_, times)| format!("{times}ull")).collect();
    format!(
        "{head} {{\n  static const unsigned long long values[] = {{{values}}}, times[] = {{{}}};\n  static unsigned long \
         at;\n  static unsigned long long given;\n  unsigned long long value;\n  if (at >= {count}) return 0;\n  value = \
         values[at];\n  if (++given >= times[at]) {{ at++; given = 0; }}\n{convert}}}\n",
        times.join(", ")
    )
}

/// A value's bits, when they fit a register.
fn bits(value: &Value) -> Option<u64> {
    match value {
        Value::Bool(b) => Some(u64::from(*b)),
        Value::Bv(bits) => bits.to_u64().or_else(|| bits.to_u128().map(|wide| wide as u64)),
        Value::Float(f) => f.to_bits().to_u64(),
        Value::Array(_) => None,
    }
}

/// Compiles and runs it, within `time`.
pub fn confirm(program: &Program, outcome: &Outcome, property: Property, build: &Build, time: Duration) -> Native {
    let folder = std::env::temp_dir().join(format!("foldback-replay-{}", std::process::id()));
    if let Err(error) = std::fs::create_dir_all(&folder) {
        return Native::Unavailable(format!("{}: {error}", folder.display()));
    }
    let result = compile_and_run(program, outcome, property, build, &folder, Instant::now() + time);
    // A folder left behind in the temporary directory is no reason to fail.
    let _ = std::fs::remove_dir_all(&folder);
    let approximated = approximated(program, outcome, build);
    match (result, approximated) {
        (Native::Missed(how) | Native::Unavailable(how), Some(name)) if !MAY_FAIL.contains(&name) => {
            // Helpers of the models are nobody's names.
            let name = if name.starts_with("__foldback_") { "a function of the C library" } else { name };
            Native::NotTheLibrary(format!(
                "{how}; the counterexample assumes what {name} returns, which is not modelled"
            ))
        }
        (result, _) => match (excused(result, program, outcome, property, build), approximated) {
            (Native::Missed(how), Some(name)) => {
                Native::NotTheLibrary(format!("{how}: {name} does not return what the counterexample assumes"))
            }
            (result, _) => result,
        },
    }
}

/// Functions that print: C lets them fail, so that whatever their models return can happen.
const MAY_FAIL: [&str; 10] =
    ["printf", "fprintf", "vprintf", "vfprintf", "puts", "putchar", "fputs", "fputc", "putc", "fflush"];

/// A function of the library whose result the run assumes without having computed it.
pub fn approximated<'p>(program: &'p Program, outcome: &Outcome, build: &Build) -> Option<&'p str> {
    let mut names =
        outcome.inputs.iter().filter_map(|recorded| match &program.functions[recorded.func].edges[recorded.edge].op {
            Op::Havoc { origin: Origin::Extern(name), .. } if (build.library)(name) => Some(name.as_str()),
            _ => None,
        });
    let first = names.next()?;
    Some(std::iter::once(first).chain(names).find(|name| !MAY_FAIL.contains(name)).unwrap_or(first))
}

/// Whether the program takes from the library what is not modelled.
pub fn computes_in_library(program: &Program, build: &Build) -> bool {
    let edges = program.functions.values().flat_map(|function| function.edges.values());
    edges.into_iter().any(|edge| match &edge.op {
        Op::Havoc { origin: Origin::Extern(name), .. } => (build.library)(name) && !MAY_FAIL.contains(&name.as_str()),
        _ => false,
    })
}

/// Whether a run must not be believed without having been run by the library itself.
pub fn needs_library(program: &Program, outcome: &Outcome, build: &Build) -> bool {
    approximated(program, outcome, build).is_some_and(|name| !MAY_FAIL.contains(&name))
}

/// A run that was missed, where that proves nothing.
fn excused(result: Native, program: &Program, outcome: &Outcome, property: Property, build: &Build) -> Native {
    match result {
        Native::Missed(how) if is_uncontrolled(program, outcome, build) => {
            Native::Unavailable(format!("{how}, but the run depends on values that cannot be set from outside"))
        }
        Native::Missed(how) if property == Property::NoOverflow => {
            Native::Unavailable(format!("{how}: compilers leave out operations whose results they do not need"))
        }
        // Overruns inside an object, leaks that something still points to: sanitizers do not see all there is.
        Native::Missed(how) if !matches!(property, Property::UnreachCall | Property::Assert) => {
            Native::Unavailable(format!("{how}: the sanitizer did not see the violation"))
        }
        other => other,
    }
}

/// Compiles and runs a program that takes no inputs, of a run that nobody has made.
pub fn walk(program: &Program, violation: &Violation, build: &Build, time: Duration) -> Native {
    let expected = Outcome {
        ending: Ending::Error(violation.clone()),
        location: (program.entry, program.main().entry),
        call_path: Vec::new(),
        steps: u64::MAX,
        exit_code: None,
        inputs: Vec::new(),
        repeats: Vec::new(),
        initial: Vec::new(),
        environment: Vec::new(),
        undefined: Vec::new(),
        reused_object_numbers: false,
    };
    confirm(program, &expected, violation.property, build, time)
}

/// Whether the run was given something that a harness cannot give.
fn is_uncontrolled(program: &Program, outcome: &Outcome, build: &Build) -> bool {
    outcome.inputs.iter().any(|recorded| {
        let op = &program.functions[recorded.func].edges[recorded.edge].op;
        let wide = matches!(&recorded.given, Given::Value(Value::Bv(bits)) if bits.width() > 64);
        wide || !matches!(op, Op::Havoc { origin: Origin::Input(name), .. } if (build.is_given)(name))
    }) || arguments_given(program, outcome).is_none()
}

/// More arguments are not given to a program.
const MAX_ARGUMENTS: u64 = 10_000;

/// Arguments after the program's name; `None`: too many.
fn arguments_given(program: &Program, outcome: &Outcome) -> Option<usize> {
    let argc = outcome.inputs.iter().find_map(|recorded| {
        match (&program.functions[recorded.func].edges[recorded.edge].op, &recorded.given) {
            (Op::Havoc { origin: Origin::Input(name), .. }, Given::Value(value)) if name == ARGC => bits(value),
            _ => None,
        }
    });
    argc.map_or(Some(0), |argc| (1..=MAX_ARGUMENTS).contains(&argc).then(|| argc as usize - 1))
}

/// The name of the input that `main`'s first parameter is.
const ARGC: &str = "argc";

fn compile_and_run(
    program: &Program,
    outcome: &Outcome,
    property: Property,
    build: &Build,
    folder: &Path,
    deadline: Instant,
) -> Native {
    let (source, binary) = (folder.join("harness.c"), folder.join("program"));
    if let Err(error) = std::fs::write(&source, harness(program, outcome, property, build, &source)) {
        return Native::Unavailable(format!("{}: {error}", source.display()));
    }
    let mut compiler = compiler(property, build, outcome.steps, &source, &binary);
    compiler.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    match finish(compiler, deadline) {
        Err(why) => return Native::Unavailable(format!("the C compiler: {why}")),
        Ok((Some(0), _)) => {}
        Ok((_, messages)) => {
            let first = messages.lines().find(|l| l.contains("error")).unwrap_or("it failed").to_owned();
            return Native::Unavailable(format!("the C compiler: {first}"));
        }
    }
    let mut run = runner(program, outcome, property, &binary);
    run.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    base::process::unlimited_stack(&mut run);
    match finish(run, deadline) {
        Err(why) => Native::Unavailable(format!("the compiled program: {why}")),
        Ok((Some(code), _)) if code == REACHED => Native::Confirmed,
        Ok((Some(code), _)) if code == NO_MEMORY => {
            Native::Unavailable("no memory at the addresses that the run's pointers hold".into())
        }
        // Killed by a signal: that is how an invalid access shows when no sanitizer gets in between.
        Ok((None, _)) if matches!(property, Property::ValidDeref | Property::ValidFree) => Native::Confirmed,
        Ok((code, _)) => {
            let ended = code.map_or_else(|| "was killed".into(), |c| format!("ended with exit code {c}"));
            Native::Missed(format!("the compiled program {ended}"))
        }
    }
}

/// How the program is compiled with the harness.
fn compiler(property: Property, build: &Build, steps: u64, harness: &Path, binary: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()));
    command.args(arguments(property, build, steps)).args(&build.files).arg(harness).arg("-o").arg(binary).arg("-lm");
    command
}

/// How it is run.
fn runner(program: &Program, outcome: &Outcome, property: Property, binary: &Path) -> Command {
    let mut command = Command::new(binary);
    let leaks = u8::from(matches!(property, Property::ValidMemtrack | Property::ValidMemcleanup));
    command.env("ASAN_OPTIONS", format!("detect_leaks={leaks}:exitcode={REACHED}"));
    command.env("UBSAN_OPTIONS", format!("exitcode={REACHED}:halt_on_error=1"));
    command.args(std::iter::repeat_n("argument", arguments_given(program, outcome).unwrap_or(0)));
    command
}

/// A command as a shell takes it, inside a comment of C.
fn in_shell(command: &Command) -> String {
    let quoted = |word: &OsStr| {
        let word = word.to_string_lossy();
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+,:@%".contains(c);
        let is_plain = !word.is_empty() && word.chars().all(is_plain);
        if is_plain { word.into_owned() } else { format!("'{}'", word.replace('\'', r"'\''").replace("*/", "*''/")) }
    };
    let set = command.get_envs().filter_map(|(name, value)| Some(format!("{}={}", name.to_str()?, quoted(value?))));
    let words = std::iter::once(command.get_program()).chain(command.get_args()).map(quoted);
    set.chain(words).collect::<Vec<_>>().join(" ")
}

/// Runs of more steps are compiled with some optimisation: it makes them several times as fast. Not where accesses are
/// checked: an optimiser removes those whose results nobody uses.
const LONG_RUN: u64 = 1 << 28;

/// The semantics that foldback assumes, and the sanitizer of the property.
fn arguments(property: Property, build: &Build, steps: u64) -> Vec<String> {
    let is_memory = matches!(
        property,
        Property::ValidDeref | Property::ValidFree | Property::ValidMemtrack | Property::ValidMemcleanup
    );
    let optimisation = if steps > LONG_RUN && !is_memory { "-O1" } else { "-O0" };
    let mut out: Vec<String> =
        [optimisation, "-w", "-fno-strict-aliasing", "-ffp-contract=off", "-fno-builtin", "-fcommon", "-std=gnu11"]
            .map(str::to_owned)
            .into();
    // Symbols that nobody defines may stay so: a run that needs them crashes, and confirms nothing.
    out.push("-Wl,--unresolved-symbols=ignore-all".into());
    out.push("-no-pie".into());
    match build.data_model {
        DataModel::Ilp32 => out.extend(["-m32", "-msse2", "-mfpmath=sse"].map(str::to_owned)),
        DataModel::Lp64 => out.push("-m64".into()),
    }
    match property {
        Property::UnreachCall => out.extend(["-fwrapv", "-finstrument-functions"].map(str::to_owned)),
        Property::ValidDeref | Property::ValidFree | Property::ValidMemtrack | Property::ValidMemcleanup => {
            out.extend(["-fwrapv", "-fsanitize=address", "-g"].map(str::to_owned));
        }
        Property::NoOverflow => {
            out.extend(["-fsanitize=signed-integer-overflow,shift", "-fno-sanitize-recover=all"].map(str::to_owned));
        }
        Property::DivByZero => {
            out.extend(
                ["-fwrapv", "-fsanitize=integer-divide-by-zero", "-fno-sanitize-recover=all"].map(str::to_owned),
            );
        }
        Property::Assert | Property::Termination => out.push("-fwrapv".into()),
    }
    out.extend(build.includes.iter().map(|dir| format!("-I{}", dir.display())));
    out.extend(build.defines.iter().map(|define| format!("-D{define}")));
    out
}

/// Runs a command to its end or to the deadline; its exit code (none: killed by a signal) and what it wrote to standard
/// error.
fn finish(mut command: Command, deadline: Instant) -> Result<(Option<i32>, String), String> {
    base::process::die_with_us(&mut command);
    let mut child = command.spawn().map_err(|e| e.to_string())?;
    let stderr = child.stderr.take();
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(stderr) = stderr {
            // Enough for a message; a program that writes without end is stopped by the deadline.
            let _ = stderr.take(1 << 20).read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    });
    let mut pause = Duration::from_millis(1);
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if Instant::now() >= deadline => {
                let _ = child.kill();
                let _ = child.wait();
                return Err("it takes too long".into());
            }
            Ok(None) => {
                std::thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(20));
            }
            Err(error) => return Err(error.to_string()),
        }
    };
    Ok((status.code(), reader.join().unwrap_or_default()))
}
