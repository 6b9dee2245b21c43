//! Programs of one shape and growing length: what a verdict costs as the program grows.
//!
//! `cargo bench -p cli --bench growth` prints the table of `docs/growth.md`: CPU time of the whole command on one core, its
//! largest process, and how many times as much the longest program takes as one of a tenth of its length.
//! `-- ifs loops` measures these shapes only, `-- 1000` programs of up to 1,000 parts.

#![allow(clippy::print_stdout, reason = "it prints a table")]

use bench::local::Local;
use bench::runner::Event;
use bench::{Item, Limits, Record, Runner, Task};
use std::fmt::Write;
use std::time::Duration;

/// What a program of the shape looks like.
struct Shape {
    name: &'static str,
    property: &'static str,
    /// The program of so many parts.
    program: fn(u32) -> String,
}

const LENGTHS: [u32; 4] = [10, 100, 1_000, 10_000];

const SHAPES: [Shape; 15] = [
    Shape { name: "ifs", property: "assert", program: ifs },
    Shape { name: "funs", property: "assert", program: funs },
    Shape { name: "loops", property: "assert", program: loops },
    Shape { name: "line", property: "assert", program: line },
    Shape { name: "loops, overflow", property: "no-overflow", program: loops },
    Shape { name: "funs, overflow", property: "no-overflow", program: funs },
    Shape { name: "checks", property: "assert", program: checks },
    Shape { name: "switches", property: "assert", program: switches },
    Shape { name: "cases", property: "assert", program: cases },
    Shape { name: "chain", property: "assert", program: chain },
    Shape { name: "calls", property: "assert", program: calls },
    Shape { name: "members", property: "assert", program: members },
    Shape { name: "accesses", property: "memsafety", program: accesses },
    Shape { name: "arrays", property: "memsafety", program: arrays },
    Shape { name: "heap", property: "memsafety", program: heap },
];

/// A text for each part.
fn parts(n: u32, part: impl Fn(u32) -> String) -> String {
    (0..n).map(part).collect()
}

fn main_with(body: &str) -> String {
    format!("int main(void) {{\n{body}}}\n")
}

/// `if (input()) s++;`, n times.
fn ifs(n: u32) -> String {
    let body = parts(n, |_| "  if (__VERIFIER_nondet_int()) s++;\n".to_owned());
    main_with(&format!("  int s = 0;\n{body}  assert(s <= {n});\n"))
}

/// Functions with a loop each, and a check after each call.
fn funs(n: u32) -> String {
    let all = parts(n, |k| format!("static int f{k}(int n) {{\n  int i = 0;\n  while (i < n) i++;\n  return i;\n}}\n"));
    let calls = parts(n, |k| format!("  int r{k} = f{k}(n);\n  assert(r{k} >= 0 && r{k} <= 1000);\n"));
    let input = "  int n = __VERIFIER_nondet_int();\n  if (n < 0 || n > 1000) return 0;\n";
    all + &main_with(&format!("{input}{calls}"))
}

/// Loops in a row.
fn loops(n: u32) -> String {
    let body = parts(n, |_| "  for (int i = 0; i < 10; i++) s = __VERIFIER_nondet_int() % 5;\n".to_owned());
    main_with(&format!("  int s = 0;\n{body}  assert(s < 5);\n"))
}

/// A straight line of assignments.
fn line(n: u32) -> String {
    let body = parts(n, |k| format!("  s = s ^ (x + {k});\n"));
    main_with(&format!("  int x = __VERIFIER_nondet_int(), s = 0;\n{body}  assert(s == s);\n"))
}

/// As `ifs`, with a check after each.
fn checks(n: u32) -> String {
    let body = parts(n, |k| format!("  if (__VERIFIER_nondet_int()) s++;\n  assert(s <= {});\n", k + 1));
    main_with(&format!("  int s = 0;\n{body}"))
}

/// Small switches in a row.
fn switches(n: u32) -> String {
    let cases = "case 1: s = 1; break; case 2: s = 2; break; case 3: if (s < 3) s++; break; default: s = 0;";
    let body = parts(n, |_| format!("  switch (__VERIFIER_nondet_int()) {{ {cases} }}\n"));
    main_with(&format!("  int s = 0;\n{body}  assert(s >= 0 && s <= 3);\n"))
}

/// One switch of many cases.
fn cases(n: u32) -> String {
    let body = parts(n, |k| format!("  case {k}: s = {}; break;\n", k + 1));
    main_with(&format!(
        "  int s, x = __VERIFIER_nondet_int();\n  switch (x) {{\n{body}  default: s = 1;\n  }}\n  assert(s >= 1 && s <= {n});\n"
    ))
}

/// One chain of `else if`.
fn chain(n: u32) -> String {
    let body = parts(n, |k| format!("if (x == {}) s = {k};\n  else ", 3 * k));
    main_with(&format!("  int s, x = __VERIFIER_nondet_int();\n  {body}s = 0;\n  assert(s >= 0 && s < {n});\n"))
}

/// Functions that call the next one.
fn calls(n: u32) -> String {
    let all = parts(n, |k| match k {
        0 => "static int f0(int x) { return x; }\n".to_owned(),
        _ => format!("static int f{k}(int x) {{ if (x > 100) x = 100; return f{}(x); }}\n", k - 1),
    });
    let last = n - 1;
    all + &main_with(&format!("  int r = f{last}(__VERIFIER_nondet_int());\n  assert({n} == 1 || r <= 100);\n"))
}

/// Members of a struct behind a pointer.
fn members(n: u32) -> String {
    let body = parts(n, |k| {
        format!("  if (__VERIFIER_nondet_int()) p->a = {k}; else p->b = p->a;\n  p->c[{}] = p->a;\n", k % 4)
    });
    let head = "struct S { int a, b, c[4]; } s;\n";
    head.to_owned() + &main_with(&format!("  struct S *p = &s;\n{body}  assert(s.a >= 0 && s.a < {n});\n"))
}

/// Writes to one array.
fn accesses(n: u32) -> String {
    let body = parts(n, |k| format!("  a[(i + {k}u) % 16] = {};\n", k % 7));
    "int a[16];\n".to_owned() + &main_with(&format!("  unsigned i = __VERIFIER_nondet_int();\n{body}"))
}

/// A function with an array and a loop over it for each call.
fn arrays(n: u32) -> String {
    let all = parts(n, |k| {
        let body = "int a[4]; for (unsigned i = 0; i < 4; i++) a[i] = x + i; return a[x % 4];";
        format!("static unsigned f{k}(unsigned x) {{ {body} }}\n")
    });
    let calls = parts(n, |k| format!("  s += f{k}(x);\n"));
    all + &main_with(&format!("  unsigned x = __VERIFIER_nondet_int(), s = 0;\n{calls}  return s == 7;\n"))
}

/// Objects that are made and freed.
fn heap(n: u32) -> String {
    let body = parts(n, |k| format!("  p = malloc(sizeof *p); if (!p) return 0; *p = {k}; free(p);\n"));
    "#include <stdlib.h>\n".to_owned() + &main_with(&format!("  int *p;\n{body}"))
}

fn measured(shape: &Shape, n: u32) -> Record {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("program.c");
    let text = (shape.program)(n);
    let text = format!("#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n{text}");
    std::fs::write(&file, text).expect("a file");
    let local = Local {
        binary: env!("CARGO_BIN_EXE_foldback").into(),
        limits: Limits { cpu: Duration::from_secs(100), memory_bytes: 8 << 30 },
        arguments: Vec::new(),
        jobs: 1,
    };
    let task = Task {
        name: shape.name.to_owned(),
        files: vec![file],
        property: shape.property.to_owned(),
        expected: Some(true),
        subproperty: String::new(),
        data_model: "lp64".to_owned(),
        arguments: Vec::new(),
    };
    let mut found = None;
    let mut tell = |event: Event| {
        if let Event::Done(record) = event {
            found = Some(record);
        }
        Ok(())
    };
    local.run(&[Item { engine: "portfolio".to_owned(), task }], &mut tell).expect("a run");
    found.expect("a record")
}

/// A row of the table.
fn row(shape: &Shape, lengths: &[u32]) -> String {
    let mut row = format!("| {} |", shape.name);
    let mut seconds = Vec::new();
    for &n in lengths {
        let record = measured(shape, n);
        if record.verdict == "true" {
            write!(row, " {:.2} s, {:.0} MB |", record.cpu_seconds, record.memory_mb).expect("text");
            seconds.push(record.cpu_seconds);
        } else {
            write!(row, " {} ({:.0} s) |", record.verdict, record.cpu_seconds).expect("text");
        }
    }
    match seconds[..] {
        [.., shorter, longer] if seconds.len() == lengths.len() => row + &format!(" {:.1} |", longer / shorter),
        _ => row + " |",
    }
}

fn main() {
    let given: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let most = given.iter().find_map(|word| word.parse().ok()).unwrap_or(u32::MAX);
    let lengths: Vec<u32> = LENGTHS.into_iter().filter(|length| *length <= most).collect();
    let names: Vec<&String> = given.iter().filter(|word| word.parse::<u32>().is_err()).collect();
    let columns: Vec<String> = lengths.iter().map(u32::to_string).collect();
    println!("| shape | {} | last over the one before |", columns.join(" | "));
    println!("|---|{}---:|", "---:|".repeat(lengths.len()));
    let is_wanted = |shape: &&Shape| names.is_empty() || names.iter().any(|name| shape.name.starts_with(name.as_str()));
    for shape in SHAPES.iter().filter(is_wanted) {
        println!("{}", row(shape, &lengths));
    }
}
