//! What the machine's C library defines. Those functions are the library's own in a compiled program, whatever our model
//! of them is: a function of ours by the same name would confirm what the program never does.

use cfa::DataModel;
use object::SymbolFlags;
use object::read::{Object, ObjectSymbol};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

const LIBRARIES: [&str; 2] = ["libc.so.6", "libm.so.6"];

/// Whether programs of that data model find the function in the C library. Without a compiler, nothing is found.
pub(super) fn defines(name: &str, model: DataModel) -> bool {
    static FOUND: [OnceLock<BTreeSet<String>>; 2] = [const { OnceLock::new() }; 2];
    let index = usize::from(model == DataModel::Ilp32);
    FOUND[index].get_or_init(|| functions(model)).contains(name)
}

fn functions(model: DataModel) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for library in LIBRARIES {
        let Some(bytes) = path(library, model).and_then(|path| std::fs::read(path).ok()) else { continue };
        let Ok(file) = object::File::parse(&*bytes) else { continue };
        let symbols = file.dynamic_symbols().filter(|symbol| !symbol.is_undefined());
        let functions =
            symbols.filter(|symbol| symbol.kind() == object::SymbolKind::Text || is_chosen_at_start(symbol));
        out.extend(functions.filter_map(|symbol| symbol.name().ok().map(str::to_owned)));
    }
    out
}

/// Whether it has a variable of that name (`environ`, `optarg`).
pub(super) fn has_variable(name: &str, model: DataModel) -> bool {
    let Some(bytes) = path(LIBRARIES[0], model).and_then(|path| std::fs::read(path).ok()) else { return false };
    let Ok(file) = object::File::parse(&*bytes) else { return false };
    let mut symbols = file.dynamic_symbols().filter(|symbol| !symbol.is_undefined());
    symbols.any(|symbol| symbol.kind() == object::SymbolKind::Data && symbol.name() == Ok(name))
}

/// A function of which the library has several, for several processors (`memcpy`, `strlen`, `cos`).
fn is_chosen_at_start<'data>(symbol: &impl ObjectSymbol<'data>) -> bool {
    const KIND: u8 = 0xf;
    matches!(symbol.flags(), SymbolFlags::Elf { st_info, .. } if st_info & KIND == object::elf::STT_GNU_IFUNC)
}

/// Where the compiler takes a library from.
fn path(library: &str, model: DataModel) -> Option<PathBuf> {
    let mut command = Command::new(super::compile::compiler_program()?);
    command.arg(super::compile::width(model)).arg(format!("-print-file-name={library}"));
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let path = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    path.is_absolute().then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_is_found() {
        if path(LIBRARIES[0], DataModel::Lp64).is_none() {
            return;
        }
        for name in ["printf", "hypot", "getpid", "qsort", "memcpy", "memmove", "strlen", "cos"] {
            assert!(defines(name, DataModel::Lp64), "{name}");
        }
        assert!(!defines("__VERIFIER_nondet_int", DataModel::Lp64));
        assert!(!defines("get_sensor_value", DataModel::Lp64));
    }
}
