//! The C file that stands in for the environment: it plays the recorded inputs and tells which check failed.
//!
//! It comes in two forms. The one that a person keeps says so on standard error and exits with a code. The one that we run
//! reports over a channel, by a random word that the program cannot guess; exit codes, signals and output of the program
//! then mean nothing.

use super::{ARGC, Build, compile, is_library, outside};
use cfa::evidence::repeat;
use cfa::{Op, Origin, Program, Property};
use cfront::written::Declared;
use interpreter::{Given, Outcome, Recorded};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use term::Value;

/// The exit code by which a kept harness reports.
pub(super) const REACHED: i32 = 77;
/// Its exit code when the memory that the run needs cannot be had.
const NO_MEMORY: i32 = 78;

/// How the harness reports.
#[derive(Clone, Copy)]
pub(super) enum Channel<'a> {
    /// To a person.
    Shown,
    /// To us, by this word.
    Token(&'a str),
}

/// What hooks in the program's text call when the function that they are in is entered.
pub(super) fn hook(token: &str) -> String {
    format!("foldback_reached_{token}")
}

/// Checks that are functions without body: the first argument must be true.
const CHECKS: [&str; 3] = ["__VERIFIER_assert", "assert", "klee_assert"];
/// Those that do not end the execution where they are not what is checked.
const ASSERTIONS: [&str; 4] =
    ["__CPROVER_assert", "__CPROVER_precondition", "__CPROVER_postcondition", "__ESBMC_assert"];
/// The error is the first argument being true.
const ABORTS: [&str; 2] = ["_ABORT", "_TRACER_abort"];
/// There is no execution where the first argument is not true.
const ASSUMPTIONS: [&str; 4] = ["__VERIFIER_assume", "__CPROVER_assume", "__ESBMC_assume", "klee_assume"];
/// They do nothing.
const NOTHING: [&str; 18] = [
    "__VERIFIER_atomic_begin",
    "__VERIFIER_atomic_end",
    "__CPROVER_atomic_begin",
    "__CPROVER_atomic_end",
    "__CPROVER_cover",
    "__CPROVER_fence",
    "__CPROVER_input",
    "__CPROVER_output",
    "__CPROVER_printf",
    "__ESBMC_atomic_begin",
    "__ESBMC_atomic_end",
    "klee_prefer_cex",
    "klee_warning",
    "klee_warning_once",
    "klee_print_expr",
    "klee_open_merge",
    "klee_close_merge",
    "klee_stack_trace",
];
/// What a compiled program cannot answer.
pub(super) const UNTOLD: [&str; 16] = [
    "__CPROVER_OBJECT_SIZE",
    "__CPROVER_POINTER_OFFSET",
    "__CPROVER_POINTER_OBJECT",
    "__CPROVER_same_object",
    "__CPROVER_DYNAMIC_OBJECT",
    "__CPROVER_LIVE_OBJECT",
    "__CPROVER_havoc_object",
    "__CPROVER_havoc_slice",
    "__CPROVER_allocate",
    "__CPROVER_deallocate",
    "__ESBMC_POINTER_OBJECT",
    "__ESBMC_POINTER_OFFSET",
    "__ESBMC_same_object",
    "klee_make_symbolic",
    "klee_report_error",
    "klee_silent_exit",
];
/// Whether memory may be accessed: what the sanitizer of addresses knows.
pub(super) const ACCESSIBLE: [&str; 3] = ["__CPROVER_r_ok", "__CPROVER_w_ok", "__CPROVER_rw_ok"];
pub(super) const ACCESS: &str = r#"
extern void *__asan_region_is_poisoned(void *, __SIZE_TYPE__);
HIDDEN static _Bool foldback_accessible(void *start, __SIZE_TYPE__ size) {
  return size == 0 || start && !__asan_region_is_poisoned(start, size);
}
HIDDEN _Bool __CPROVER_r_ok(void *start, __SIZE_TYPE__ size) { return foldback_accessible(start, size); }
HIDDEN _Bool __CPROVER_w_ok(void *start, __SIZE_TYPE__ size) { return foldback_accessible(start, size); }
HIDDEN _Bool __CPROVER_rw_ok(void *start, __SIZE_TYPE__ size) { return foldback_accessible(start, size); }
"#;
/// CBMC's types, in front of each file.
pub(super) const TYPES: &str = "typedef _Bool __CPROVER_bool; typedef __typeof__(sizeof 0) __CPROVER_size_t; \
                                typedef __typeof__((char *)0 - (char *)0) __CPROVER_ssize_t;";

/// The harness for a run that the interpreter has made. `declared` are the user's functions without body.
pub(super) fn write(
    program: &Program,
    outcome: &Outcome,
    property: Property,
    build: &Build,
    declared: &[Declared],
    channel: Channel<'_>,
) -> String {
    let queues = queues(program, outcome, build);
    let mut text = preamble(channel, property);
    let reached = match channel {
        Channel::Shown => "foldback_reached()".to_owned(),
        Channel::Token(token) => format!("{}(__builtin_return_address(0))", hook(token)),
    };
    let _ = writeln!(text, "\n/* The error: {}. */", property.name());
    let mut defined: Vec<&str> = Vec::new();
    for name in &build.error_functions {
        let reached = if property == Property::UnreachCall { format!("{reached};") } else { String::new() };
        let _ = writeln!(text, "__attribute__((weak)) HIDDEN void {name}(void) {{ {reached} }}");
        defined.push(name);
    }
    if let (Property::UnreachCall, Channel::Shown) = (property, channel) {
        let _ = writeln!(text, "void HIDDEN __cyg_profile_func_enter(void *function, void *site) {{\n  (void)site;");
        for name in &build.error_functions {
            let _ = writeln!(text, "  if (function == (void *){name}) foldback_reached();");
        }
        text += "}\nvoid HIDDEN __cyg_profile_func_exit(void *function, void *site) { (void)function; (void)site; }\n";
    }
    let on_assert = if property == Property::Assert { reached.as_str() } else { "_exit(1)" };
    let _ = writeln!(
        text,
        "HIDDEN void __assert_fail(const char *e, const char *f, unsigned l, const char *g) {{\n  (void)e; (void)f; (void)l; (void)g;\n  {on_assert};\n}}"
    );
    let first = |name: &str| {
        let found = declared.iter().find(|found| found.name == name).and_then(|found| found.first.clone());
        found.unwrap_or_else(|| "int".into())
    };
    let is_reach = matches!(property, Property::UnreachCall | Property::Assert);
    let fails = if is_reach { reached.as_str() } else { "_exit(1)" };
    let asserted = if property == Property::Assert { reached.as_str() } else { "(void)0" };
    let functions = CHECKS.map(|name| (name, "!", fails)).into_iter();
    let functions = functions.chain(ASSERTIONS.map(|name| (name, "!", asserted)));
    let functions =
        functions.chain(ABORTS.map(|name| (name, "", fails))).chain(ASSUMPTIONS.map(|name| (name, "!", "_exit(0)")));
    for (name, not, then) in functions {
        let _ = writeln!(text, "__attribute__((weak)) HIDDEN void {name}({} c) {{ if ({not}c) {then}; }}", first(name));
        defined.push(name);
    }
    for name in NOTHING {
        let _ = writeln!(text, "__attribute__((weak)) HIDDEN void {name}(void) {{}}");
        defined.push(name);
    }
    text += &environment(&outcome.environment, channel);
    text += &outside::definitions(program, outcome, build);
    text += "\n/* The inputs, in the order of their calls. */\n";
    let result =
        |name: &str| declared.iter().find(|found| found.name == name).and_then(|found| found.result.as_deref());
    if queues.keys().any(|name| STREAMS.iter().any(|(known, ..)| known == name)) {
        text += END;
    }
    for (name, values) in queues.iter().filter(|(name, _)| !defined.contains(&name.as_str())) {
        text += &if name == MEMORY { memory_function(values) } else { input_function(name, values, result(name)) };
    }
    for (suffix, _) in KINDS {
        let name = format!("__VERIFIER_nondet_{suffix}");
        if !queues.contains_key(&name) {
            text += &input_function(&name, &[], None);
        }
    }
    let is_new = |found: &&Declared| {
        let name = found.name.as_str();
        let is_known = known_type(name).is_some() || name == MEMORY || ACCESSIBLE.contains(&name);
        !defined.contains(&name) && !queues.contains_key(name) && !is_known
    };
    for found in
        declared.iter().filter(is_new).filter(|found| !is_library(&found.name, build) && !is_reserved(&found.name))
    {
        text += &stub(found);
    }
    text
}

/// Names that the compiler or its libraries define.
fn is_reserved(name: &str) -> bool {
    name == "main"
        || ["__builtin_", "__sync_", "__atomic_", "__asan_", "__ubsan_", "__lsan_"].iter().any(|p| name.starts_with(p))
}

/// A function that was not asked for anything.
fn stub(found: &Declared) -> String {
    let Declared { name, result, noreturn, .. } = found;
    let body = if *noreturn { "_exit(0);" } else { "" };
    match result.as_deref() {
        None => String::new(),
        Some("void") => format!("__attribute__((weak)) HIDDEN void {name}() {{ {body} }}\n"),
        Some(ctype) => format!("__attribute__((weak)) HIDDEN {ctype} {name}() {{ {body} return 0; }}\n"),
    }
}

/// What each function returns, in order.
fn queues(program: &Program, outcome: &Outcome, build: &Build) -> BTreeMap<String, repeat::Runs<Value>> {
    let entry = |recorded: &Recorded| {
        let op = &program.functions[recorded.func].edges[recorded.edge].op;
        match (op, &recorded.given) {
            (Op::Havoc { origin: Origin::Extern(name), .. }, _) if is_library(name, build) => None,
            (Op::Havoc { origin: Origin::Input(name), .. }, _) if name == ARGC => None,
            _ if outside::is_variable(program, recorded) => None,
            // Arguments are no functions.
            (Op::Havoc { origin: Origin::Input(_), .. }, _) if recorded.func == program.entry => None,
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
    repeat::runs(&outcome.inputs, &outcome.repeats, &entry)
}

/// Memory at the addresses that pointers from outside hold.
fn environment(objects: &[(u64, Vec<u8>)], channel: Channel<'_>) -> String {
    if objects.is_empty() {
        return String::new();
    }
    let missing = match channel {
        Channel::Shown => format!("_exit({NO_MEMORY})"),
        Channel::Token(token) => format!("foldback_say(\"{token} memory\\n\"), _exit(0)"),
    };
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
            "  if (mmap((void *)(__UINTPTR_TYPE__){address}ull, {size}, 3, 0x100022, -1, 0) == (void *)-1) {missing};"
        );
        for (i, byte) in contents.iter().enumerate().filter(|(_, byte)| **byte != 0) {
            let _ = writeln!(text, "  ((unsigned char *)(__UINTPTR_TYPE__){address}ull)[{i}] = {byte};");
        }
    }
    text + "}\n"
}

fn preamble(channel: Channel<'_>, property: Property) -> String {
    match channel {
        Channel::Shown => PREAMBLE.to_owned() + SHOWN,
        Channel::Token(token) => {
            let sanitizer = match property {
                _ if compile::is_leak(property) => LEAKS,
                _ if compile::is_memory(property) => ADDRESSES,
                Property::NoOverflow
                | Property::DivByZero
                | Property::UndefinedShift
                | Property::UndefinedConversion => ARITHMETIC,
                _ => "",
            };
            let text = [PREAMBLE, SAY, sanitizer].concat();
            text.replace("CHANNEL", &sandbox::Job::CHANNEL.to_string())
                .replace("REACHED", &hook(token))
                .replace("TOKEN", token)
        }
    }
}

const PREAMBLE: &str = r#"#define HIDDEN __attribute__((no_instrument_function))
extern void _exit(int);
extern __PTRDIFF_TYPE__ write(int, const void *, __SIZE_TYPE__);
"#;

const SHOWN: &str = r#"HIDDEN static void foldback_reached(void) {
  write(2, "foldback: the error is reached\n", 31);
  _exit(77);
}
"#;

/// A report is one line, the address last.
const SAY: &str = r#"static void foldback_say(const char *text) {
  __SIZE_TYPE__ length = 0;
  while (text[length]) length++;
  while (length > 0) {
    __PTRDIFF_TYPE__ written = write(CHANNEL, text, length);
    if (written <= 0) return;
    text += written;
    length -= written;
  }
}
static void foldback_number(unsigned long long number, unsigned base) {
  char digits[32];
  int at = 31;
  digits[at] = 0;
  do digits[--at] = "0123456789abcdef"[number % base]; while (number /= base);
  foldback_say(digits + at);
}
void REACHED(void *address) {
  foldback_say("TOKEN reached ");
  foldback_number((__UINTPTR_TYPE__)address, 16);
  foldback_say("\n");
  _exit(0);
}
"#;

const ADDRESSES: &str = r#"extern void __asan_set_error_report_callback(void (*)(const char *));
static void foldback_address(const char *text) {
  foldback_say("TOKEN address\n");
  foldback_say(text);
  foldback_say("\nTOKEN end\n");
  _exit(0);
}
__attribute__((constructor(101))) static void foldback_start(void) {
  __asan_set_error_report_callback(foldback_address);
}
"#;

const LEAKS: &str = r#"extern int atexit(void (*)(void));
extern int __lsan_do_recoverable_leak_check(void);
static void foldback_end(void) {
  if (__lsan_do_recoverable_leak_check()) foldback_say("TOKEN leak\n");
  _exit(0);
}
__attribute__((constructor(101))) static void foldback_start(void) {
  atexit(foldback_end);
}
"#;

const ARITHMETIC: &str = r#"extern void __ubsan_get_current_report_data(const char **, const char **, const char **, unsigned *, unsigned *,
                                            char **);
void __ubsan_on_report(void) {
  const char *kind, *message, *file;
  char *address;
  unsigned line, column;
  __ubsan_get_current_report_data(&kind, &message, &file, &line, &column, &address);
  foldback_say("TOKEN arithmetic ");
  foldback_say(kind);
  foldback_say(" ");
  foldback_say(file);
  foldback_say(" ");
  foldback_number(line, 10);
  foldback_say("\n");
  _exit(0);
}
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

fn known_type(name: &str) -> Option<&'static str> {
    let suffix = name.strip_prefix("__VERIFIER_nondet_")?;
    KINDS.iter().find(|(kind, _)| *kind == suffix).map(|(_, ctype)| *ctype)
}

/// The input function that fills memory.
const MEMORY: &str = "__VERIFIER_nondet_memory";

/// It writes the bytes one after the other, then zeros.
fn memory_function(runs: &[(Value, u64)]) -> String {
    let byte = input_function("foldback_byte", runs, None).replace("__attribute__((weak)) HIDDEN", "HIDDEN static");
    format!(
        "{byte}__attribute__((weak)) HIDDEN void {MEMORY}(void *start, __SIZE_TYPE__ size) {{\n  for (__SIZE_TYPE__ i = 0; i < \
         size; i++) ((unsigned char *)start)[i] = (unsigned char)foldback_byte();\n}}\n"
    )
}

/// Functions that give the next character of a stream, or write to one: their parameters, and what is the stream there.
const STREAMS: [(&str, &str, &str); 13] = [
    ("_IO_getc", "void *stream", "stream"),
    ("fgetc", "void *stream", "stream"),
    ("fgetc_unlocked", "void *stream", "stream"),
    ("getc", "void *stream", "stream"),
    ("getc_unlocked", "void *stream", "stream"),
    ("getchar", "", "stdin"),
    ("getchar_unlocked", "", "stdin"),
    ("fgetwc", "void *stream", "stream"),
    ("getwc", "void *stream", "stream"),
    ("getwchar", "", "stdin"),
    ("fputs", "const char *text, void *stream", "(void)text, stream"),
    ("fputs_unlocked", "const char *text, void *stream", "(void)text, stream"),
    ("puts", "", "stdout"),
];

/// Where one of them says that there is nothing more, or fails, the stream itself comes to its end; one that is only written to
/// fails by that. The library's `feof` and `ferror` look at it.
const END: &str = "__SIZE_TYPE__ fread(void *, __SIZE_TYPE__, __SIZE_TYPE__, void *);
extern void *stdin, *stdout;
HIDDEN __attribute__((unused)) static void foldback_end(void *stream) { char next; while (fread(&next, 1, 1, stream) == 1) ; }
";

/// A function that returns the values one after the other, then zeros.
fn input_function(name: &str, runs: &[(Value, u64)], declared: Option<&str>) -> String {
    // A function that nobody has declared: as wide as a register.
    let ctype = match (known_type(name).or(declared.filter(|ctype| *ctype != "void")), runs.first()) {
        (Some(ctype), _) => ctype,
        (None, Some((Value::Float(f), _))) if f.format() == term::Format::F32 => "float",
        (None, Some((Value::Float(_), _))) => "double",
        _ => "long long",
    };
    let (parameters, stream) = match STREAMS.iter().find(|(known, ..)| *known == name) {
        Some((_, parameters, stream)) => (*parameters, Some(*stream)),
        None => ("", None),
    };
    let head = format!("__attribute__((weak)) HIDDEN {ctype} {name}({parameters})");
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
    let at_end = stream.map(|stream| format!("  if ((int)value < 0) foldback_end(({stream}));\n"));
    let convert = at_end.unwrap_or_default() + &convert;
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
pub(super) fn bits(value: &Value) -> Option<u64> {
    match value {
        Value::Bool(b) => Some(u64::from(*b)),
        Value::Bv(bits) => bits.to_u64().or_else(|| bits.to_u128().map(|wide| wide as u64)),
        Value::Float(f) => f.to_bits().to_u64(),
        Value::Array(_) => None,
    }
}
