//! The truth by another way: the program, compiled by the machine's C compiler and run on all inputs. It shares nothing with
//! us, so a mistake in the front end, in lowering or in the interpreter shows, and what the machine does (where memory
//! lies, in which order arguments are evaluated, what outside code may do with a pointer) must be among what we allow.

use crate::generate::Source;
use std::path::Path;
use std::process::{Command, Output};

/// What the compiled program does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Compiled {
    /// With these inputs it reaches the error.
    Reaches(String),
    /// It does not, whatever the inputs.
    Never,
    /// Too many inputs, or there is no compiler.
    Unclear,
}

const DRIVER: &str = include_str!("driver.c");
/// As `driver.c` says.
const REACHED: i32 = 10;
const NEVER: i32 = 11;

/// The semantics that we assume; the program is one function of the driver, which sees how it ends.
const FLAGS: [&str; 12] = [
    "-m32",
    "-msse2",
    "-mfpmath=sse",
    "-O1",
    "-w",
    "-std=gnu17",
    "-fwrapv",
    "-fno-strict-aliasing",
    "-ffp-contract=off",
    "-fno-builtin",
    "-Dmain=fuzz_program",
    "-Dabort=fuzz_abort",
];

/// Compiles the program in `folder`, and runs it. The program is one that we wrote: it needs no walls, and the driver watches
/// the time.
pub fn run(source: &Source, folder: &Path) -> Compiled {
    let Some(output) = compile_and_run(source, folder, None) else { return Compiled::Unclear };
    match output.status.code() {
        Some(REACHED) => Compiled::Reaches(String::from_utf8_lossy(&output.stdout).into_owned()),
        Some(NEVER) => Compiled::Never,
        _ => Compiled::Unclear,
    }
}

/// What the program notes ([`generate::Line::Note`](crate::generate::Line)) when run once with inputs by chance, if it comes there.
pub fn noted(source: &Source, folder: &Path, chance: u64) -> Option<u32> {
    let output = compile_and_run(source, folder, Some(chance % 1_000_000))?;
    String::from_utf8(output.stdout).ok()?.parse().ok()
}

fn compile_and_run(source: &Source, folder: &Path, chance: Option<u64>) -> Option<Output> {
    let compiler = std::env::var_os("CC").filter(|name| !name.is_empty()).unwrap_or_else(|| "cc".into());
    let compile = |arguments: &[&str]| {
        let status = Command::new(&compiler).args(arguments).current_dir(folder).output().ok()?.status;
        status.success().then_some(())
    };
    if !folder.join("driver.o").exists() {
        std::fs::write(folder.join("driver.c"), DRIVER).ok()?;
        compile(&["-m32", "-O1", "-w", "-c", "driver.c"])?;
    }
    std::fs::write(folder.join("compiled.c"), source.text() + &reset(source)).ok()?;
    compile(&[&FLAGS[..], &["-c", "compiled.c"]].concat())?;
    compile(&["-m32", "compiled.o", "driver.o", "-o", "compiled", "-lm"])?;
    Command::new(folder.join("compiled")).args(chance.map(|number| number.to_string())).output().ok()
}

/// Globals as they are at the start.
fn reset(source: &Source) -> String {
    let big = if source.text().contains("int big[") { " __builtin_memset(big, 0, sizeof big);" } else { "" };
    format!("void fuzz_reset(void) {{ g = 0; h = 0;{big} }}\n")
}
