//! How a program is compiled with its harness, and run: the commands, for our own use and for people.

use super::{Build, harness};
use cfa::{DataModel, Program, Property};
use interpreter::Outcome;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs of more steps are optimised.
const LONG_RUN: u64 = 1 << 22;

/// Whether the program is optimised: several times as fast, and in no time where the compiler sees what a loop comes to. Not
/// where accesses are checked: an optimiser removes those whose results nobody uses.
pub(super) fn is_optimised(property: Property, steps: u64) -> bool {
    steps > LONG_RUN && !is_memory(property)
}

/// The C compiler, with its path.
pub(super) fn compiler_program() -> Option<PathBuf> {
    let name = std::env::var_os("CC").filter(|name| !name.is_empty()).unwrap_or_else(|| "cc".into());
    if Path::new(&name).components().count() > 1 {
        return std::path::absolute(&name).ok();
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).filter(|dir| dir.is_absolute()).map(|dir| dir.join(&name)).find(|file| file.is_file())
}

/// Whether 32-bit programs can be linked.
pub fn has_32_bit_libraries() -> bool {
    let Some(compiler) = compiler_program() else { return false };
    let name = Command::new(compiler).args(["-m32", "-print-file-name=crt1.o"]).output();
    name.is_ok_and(|o| Path::new(String::from_utf8_lossy(&o.stdout).trim()).is_absolute())
}

/// The flag of a data model.
pub(super) fn width(model: DataModel) -> &'static str {
    match model {
        DataModel::Ilp32 => "-m32",
        DataModel::Lp64 => "-m64",
    }
}

/// The semantics that foldback assumes, and the sanitizer of the property.
pub(super) fn arguments(property: Property, model: DataModel, is_optimised: bool) -> Vec<String> {
    let is_memory = is_memory(property);
    let optimisation = if is_optimised { "-O3" } else { "-O0" };
    let mut out: Vec<&str> = vec![
        optimisation,
        "-w",
        "-fno-strict-aliasing",
        "-ffp-contract=off",
        "-fno-builtin",
        "-fcommon",
        "-std=gnu17",
        // Symbols that nobody defines may stay so: a run that needs them crashes, and confirms nothing.
        "-Wl,--unresolved-symbols=ignore-all",
        "-no-pie",
        width(model),
    ];
    if model == DataModel::Ilp32 {
        out.extend(["-msse2", "-mfpmath=sse"]);
    }
    if property != Property::NoOverflow {
        out.push("-fwrapv");
    }
    match property {
        _ if is_memory => out.push("-fsanitize=address"),
        Property::NoOverflow => out.extend(["-fsanitize=signed-integer-overflow,shift", "-fno-sanitize-recover=all"]),
        Property::DivByZero => out.extend(["-fsanitize=integer-divide-by-zero", "-fno-sanitize-recover=all"]),
        Property::UndefinedConversion => out.extend(["-fsanitize=float-cast-overflow", "-fno-sanitize-recover=all"]),
        Property::UndefinedShift => out.extend(["-fsanitize=shift-exponent", "-fno-sanitize-recover=all"]),
        _ => {}
    }
    out.into_iter().map(str::to_owned).collect()
}

/// For our own run: lines for addresses.
pub(super) const LINES: &str = "-g1";

/// In front of a file that is not to be optimised, whatever the arguments say.
pub(super) const PLAIN: &str = "#pragma GCC optimize (\"O0\")\n";

/// Where it is optimised: calls that stay calls and are not merged with others, so that a return address names the call.
pub(super) const TRACEABLE: [&str; 4] =
    ["-fno-optimize-sibling-calls", "-fno-crossjumping", "-fno-tree-tail-merge", "-fno-ipa-icf"];

pub(super) fn is_memory(property: Property) -> bool {
    is_leak(property) || matches!(property, Property::ValidDeref | Property::ValidFree)
}

/// Whether a compiled program can show a violation of the property: by itself, or with a sanitizer of gcc.
pub(super) fn is_seen(property: Property) -> bool {
    use Property::{Conversion, Float, PointerOverflow, UnsignedOverflow};
    !matches!(property, Conversion | Float | PointerOverflow | UnsignedOverflow)
}

/// Why no compiled program shows it.
pub(super) fn unseen(property: Property) -> String {
    let none = format!("no sanitizer of the C compiler looks for {}", property.name());
    match property {
        Property::Conversion => format!("{none}, but for floats that do not fit (undefined-conversion)"),
        _ => none,
    }
}

pub(super) fn is_leak(property: Property) -> bool {
    matches!(property, Property::ValidMemtrack | Property::ValidMemcleanup)
}

/// What sanitizers are told. Reports come through the harness, and their addresses are looked up by us.
pub(super) fn environment(property: Property) -> Vec<(OsString, OsString)> {
    let leaks = u8::from(is_leak(property));
    let address = format!("detect_leaks={leaks}:exitcode=0:symbolize=0:disable_coredump=0:allocator_may_return_null=1");
    vec![("ASAN_OPTIONS".into(), address.into()), ("UBSAN_OPTIONS".into(), "halt_on_error=1".into())]
}

/// The same as a person does it: with the original files and a harness that exits with a code.
pub(super) fn shown(
    program: &Program,
    outcome: &Outcome,
    property: Property,
    build: &Build,
    file: &Path,
) -> (String, String) {
    let mut compile = Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()));
    compile.args(arguments(property, build.data_model, is_optimised(property, outcome.steps)));
    match property {
        Property::UnreachCall => drop(compile.arg("-finstrument-functions")),
        _ if is_memory(property) => drop(compile.arg("-g")),
        _ => {}
    }
    compile.args(&build.flags);
    compile.args(build.includes.iter().map(|dir| format!("-I{}", dir.display())));
    compile.args(build.defines.iter().map(|define| format!("-D{define}")));
    compile.args(&build.files).arg(file).args(["-o", "./counterexample", "-lm"]);
    let mut run = Command::new("./counterexample");
    let leaks = u8::from(is_leak(property));
    run.env("ASAN_OPTIONS", format!("detect_leaks={leaks}:exitcode={}", harness::REACHED));
    run.env("UBSAN_OPTIONS", format!("exitcode={}:halt_on_error=1", harness::REACHED));
    run.args(super::program_arguments(program, outcome));
    (in_shell(&compile), in_shell(&run))
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
