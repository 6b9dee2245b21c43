//! From the command line to the verdict, on each program of `examples/`: as its first lines say, but without the native
//! replay, which is the C compiler's time. The figures are in `docs/measured.md`; less than 50 ms is wanted.

use divan::Bencher;
use std::process::{Command, Stdio};

fn main() {
    divan::main();
}

const EXAMPLES: &[&str] = &["abs_bug", "clamp", "count", "crackaddr", "off_by_one", "sort"];

#[divan::bench(args = EXAMPLES, sample_count = 50, sample_size = 1)]
fn verdict(bencher: Bencher<'_, '_>, name: &str) {
    let file = format!("{}/../../examples/{name}.c", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&file).expect("the example");
    let flags = text.lines().find_map(|line| line.split_once("foldback verify ")).map_or("", |(_, flags)| flags);
    // The last word is the file.
    let flags = flags.rsplit_once(' ').map_or("", |(flags, _)| flags);
    bencher.bench_local(|| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_foldback"));
        command.arg("verify").args(flags.split_whitespace()).args(["--replay", "interpreter"]).arg(&file);
        let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status().expect("a run");
        assert!(matches!(status.code(), Some(0 | 1)), "no verdict: {status}");
    });
}
