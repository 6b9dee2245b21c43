//! Is everything there that foldback uses?

use std::process::Command;

/// One thing that was looked at. Foldback verifies without any of them.
pub struct Finding {
    pub what: &'static str,
    /// What there is, or what is missing and what for.
    pub state: Result<String, String>,
}

pub fn findings() -> [Finding; 9] {
    let protection = sandbox::protection();
    [
        Finding {
            what: "C compiler",
            state: first_line("cc", &["--version"])
                .map_err(|e| format!("{e}; install gcc to have counterexamples run as compiled programs")),
        },
        Finding { what: "32-bit compiler", state: thirty_two_bits() },
        Finding {
            what: "Z3",
            state: first_line("z3", &["--version"]).map_err(|e| format!("{e}; install z3 for second opinions")),
        },
        Finding {
            what: "Graphviz",
            state: first_line("dot", &["-V"]).map_err(|e| format!("{e}; install graphviz for `cfa --format svg`")),
        },
        Finding {
            what: "sandbox: files",
            state: protection
                .files
                .as_ref()
                .map(|version| format!("Landlock, version {version}"))
                .map_err(|why| format!("{why}; compiled programs are not run")),
        },
        Finding {
            what: "sandbox: calls",
            state: protection
                .calls
                .clone()
                .map(|()| "network, processes and signals are filtered (seccomp)".to_owned())
                .map_err(|why| format!("{why}; compiled programs are not run")),
        },
        Finding {
            what: "sandbox: spaces",
            state: match sandbox::namespaces() {
                true => Ok("namespaces of users and network".to_owned()),
                false => Err("no namespaces for us here; the other walls suffice".to_owned()),
            },
        },
        Finding { what: "processors", state: processors() },
        Finding { what: "memory", state: memory() },
    ]
}

/// The first line that a program prints, or why it did not.
fn first_line(program: &str, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(program).args(arguments).output().map_err(|e| format!("cannot run '{program}': {e}"))?;
    let text = if output.stdout.is_empty() { output.stderr } else { output.stdout };
    if !output.status.success() {
        return Err(format!("'{program}' ended with {}", output.status));
    }
    Ok(String::from_utf8_lossy(&text).lines().next().unwrap_or_default().to_owned())
}

/// What a machine without 32-bit libraries lacks.
const NO_32_BITS: &str =
    "cc -m32 does not work; install gcc-multilib: deep counterexamples of 32-bit programs (--data-model ilp32) need it";

/// Native replay under ILP32 links 32-bit programs.
fn thirty_two_bits() -> Result<String, String> {
    if validate::native::has_32_bit_libraries() { Ok("cc -m32 works".into()) } else { Err(NO_32_BITS.into()) }
}

fn processors() -> Result<String, String> {
    std::thread::available_parallelism().map(|n| n.to_string()).map_err(|e| e.to_string())
}

fn memory() -> Result<String, String> {
    let text = std::fs::read_to_string("/proc/meminfo").map_err(|e| e.to_string())?;
    let line = text.lines().find(|l| l.starts_with("MemAvailable:")).ok_or("unknown")?;
    let kilobytes: u64 = line.split_whitespace().nth(1).and_then(|n| n.parse().ok()).ok_or("unknown")?;
    Ok(format!("{:.1} GB available", kilobytes as f64 / 1e6))
}
