//! What the machine's headers define, ours define too: a macro that is missing would change a program silently.

#![allow(clippy::print_stderr)]

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use cfront::types::DataModel;
use cfront::{Options, load_text};

/// What is neither a value nor a plain expansion: types, code of the library's own, floats that are not read.
const LACKING: &[&str] = &[
    "CMPLXF128",
    "CMPLXF32",
    "CMPLXF32X",
    "CMPLXF64",
    "CMPLXF64X",
    "CPU_ALLOC",
    "CPU_FREE",
    "DLFO_EH_SEGMENT_TYPE",
    "DL_CALL_FCT",
    "FE_DFL_MODE",
    "FE_NOMASK_ENV",
    "GROUP_FILTER_SIZE",
    "HUGE_VAL_F128",
    "HUGE_VAL_F32",
    "HUGE_VAL_F32X",
    "HUGE_VAL_F64",
    "HUGE_VAL_F64X",
    "IP_MSFILTER_SIZE",
    "LINK_MAX",
    "M_LN2f32",
    "NL_LOCALE_NAME",
    "NR_OPEN",
    "PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP",
    "PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP",
    "PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP",
    "PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP",
    "SNANF128",
    "SNANF32",
    "SNANF32X",
    "SNANF64",
    "SNANF64X",
    "iscanonical",
    "iseqsig",
    "issignaling",
    "pthread_cleanup_pop",
    "pthread_cleanup_pop_restore_np",
    "pthread_cleanup_push",
    "pthread_cleanup_push_defer_np",
    "sigcontext_struct",
];

/// The macros that gcc has after these lines; `None` without a gcc, or a header, for this model.
fn of_gcc(flags: &[&str], text: &str) -> Option<Vec<(String, String)>> {
    let mut command = Command::new("gcc");
    command.args(flags).args(["-dM", "-E", "-x", "c", "-"]);
    let mut gcc = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    gcc.stdin.take()?.write_all(text.as_bytes()).ok()?;
    let output = gcc.wait_with_output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let macros = text.lines().filter_map(|line| line.strip_prefix("#define ")).filter_map(|line| {
        let (name, body) = line.split_once(' ')?;
        Some((name.split('(').next()?.to_owned(), body.to_owned()))
    });
    output.status.success().then(|| macros.collect())
}

fn headers() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("include");
    let mut found = Vec::new();
    for folder in ["", "sys", "arpa", "netinet"] {
        let entries = std::fs::read_dir(root.join(folder)).expect("the bundled headers");
        for entry in entries.filter_map(Result::ok).filter(|entry| entry.path().is_file()) {
            found.push(Path::new(folder).join(entry.file_name()).display().to_string());
        }
    }
    found.retain(|name| !matches!(name.as_str(), "predefined.h" | "tgmath.h"));
    found.sort();
    assert!(found.len() > 60);
    found
}

#[test]
fn macros_of_the_machines_headers_are_defined() {
    let strict = "#define __STRICT_ANSI__ 1\n#undef __STDC_VERSION__\n#define __STDC_VERSION__ 201112L\n";
    let worlds: [(&[&str], &str); 3] =
        [(&[], ""), (&["-D_GNU_SOURCE"], "#define _GNU_SOURCE 1\n"), (&["-std=c11"], strict)];
    let mut missing = Vec::new();
    for (flag, model) in [("-m64", DataModel::Lp64), ("-m32", DataModel::Ilp32)] {
        for (flags, before) in worlds {
            let flags: Vec<&str> = flags.iter().copied().chain([flag]).collect();
            for header in headers() {
                let Some(macros) = of_gcc(&flags, &format!("#include <{header}>\n")) else {
                    eprintln!("skipped: gcc {} does not read {header} here", flags.join(" "));
                    continue;
                };
                let names = macros.iter().map(|(name, _)| name.as_str());
                let public = names.filter(|name| {
                    let is_library = matches!(*name, "__GLIBC__" | "__GLIBC_MINOR__" | "__GLIBC_PREREQ" | "__WORDSIZE");
                    let is_asked = name.starts_with("__USE_") && !name.starts_with("__USE_KERNEL");
                    (is_library || is_asked || !name.starts_with('_') || *name == "_POSIX_C_SOURCE")
                        && !LACKING.contains(name)
                        && !name.ends_with("_l")
                        && !name.starts_with("sigev_")
                });
                let mut text = format!("{before}#include <{header}>\nint at_all;\n");
                for name in public {
                    text += &format!("#ifndef {name}\nint missing_{name};\n#endif\n");
                }
                let program = load_text(&text, &Options::new(model)).expect("the header is read");
                let names = program.vars.values().filter_map(|var| var.name.strip_prefix("missing_"));
                missing.extend(names.map(|name| format!("{header} {}: {name}", flags.join(" "))));
            }
        }
    }
    assert!(missing.is_empty(), "{} macros are missing:\n{}", missing.len(), missing.join("\n"));
}
