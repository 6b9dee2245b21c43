//! The preprocessor as users meet it: where headers are found, which place a token has, what is said about mistakes, and
//! that nothing makes it crash or run away. What it makes of a program is compared with gcc in `src/preprocess/differential.rs`.

use std::path::{Path, PathBuf};
use std::time::Instant;

use cfront::hir::Unit;
use cfront::types::DataModel;
use cfront::{Input, Options, load, load_text};

fn lp64() -> Options {
    Options::new(DataModel::Lp64)
}

/// What is said about a text that is refused.
fn complaint(text: &str) -> String {
    match load_text(text, &lp64()) {
        Ok(_) => panic!("accepted: {text}"),
        Err(failure) => failure.render(),
    }
}

fn says(text: &str, words: &str) {
    let said = complaint(text);
    assert!(said.contains(words), "expected '{words}' in:\n{said}");
}

/// Files in a folder of their own; gives the folder.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("preprocess-{name}"));
    for (file, text) in files {
        let path = folder.join(file);
        std::fs::create_dir_all(path.parent().expect("folder")).expect("create folder");
        std::fs::write(path, text).expect("write");
    }
    folder
}

fn read(path: PathBuf, options: &Options) -> Unit {
    load(&[Input::Path(path)], options).unwrap_or_else(|f| panic!("{}", f.render()))
}

#[test]
fn mistakes_are_explained_where_they_are() {
    says("#include <nowhere.h>\nint x;\n", "input.c:1:2: error: header 'nowhere.h' not found");
    let instructions = "#ifdef __SSE2__\n#include <emmintrin.h>\n#endif\nint x;\n";
    says(instructions, "-U with the macro that the program asks for them by (-U__SSE2__, say)");
    says("int y;\n#include <nowhere.h>\n", "not found\n  #include <nowhere.h>\n   ^^^^^^^");
    says("int y; // ...\nint z = 'ab\n;", "\n  int z = 'ab\n");
    says("#define A(x) x\nint x = A(1, 2);\n", "input.c:2:9: error: the macro 'A' takes 1 argument, 2 given");
    says("#define A(x) x\nint x = A(1, 2);\n", "input.c:1:9: note: it is defined here");
    says("#define A(x, ...) x\nint x = A;\n#define B(x, y, ...) x\nint y = B(1);\n", "at least 2 arguments, 1 given");
    says("#define A(x) x\nint x = A(1;\n", "input.c:2:9: error: unterminated argument list of the macro 'A'");
    says("#define P(a, b) a ## b\nint x = P(+, 1);\n", "pasting '+' and '1' does not give a token");
    says("#define A ## b\nint x;\n", "'##' at the start of a macro");
    says("#define A(x) b ##\nint x;\n", "'##' at the end of a macro");
    says("#define A(x) #b\nint x;\n", "'#' is not followed by a macro parameter");
    says("#define A(x, x) x\nint x;\n", "two parameters of a macro are called 'x'");
    says("#define A(x\nint x;\n", "expected ')' after the parameters of the macro");
    says("#define 3\nint x;\n", "#define needs the name of a macro, found '3'");
    says("#define defined 1\nint x;\n", "'defined' cannot be a macro");
    says("int a;\n#if 1\nint x;\n", "input.c:2:2: error: unterminated #if");
    says("#else\nint x;\n", "#else without #if");
    says("#endif\nint x;\n", "#endif without #if");
    says("#if 0\n#else\n#else\n#endif\nint x;\n", "#else after #else");
    says("#if\nint x;\n#endif\n", "'if' without a condition");
    says("#if 1 / 0\nint x;\n#endif\n", "input.c:1:7: error: division by zero in a condition");
    says("#if (1\nint x;\n#endif\n", "missing ')' in the condition");
    says("#if FEATURE(3)\nint x;\n#endif\n", "expected an operator in the condition, found '('");
    says("#if 1.0\nint x;\n#endif\n", "is no integer");
    says("#if \"s\"\nint x;\n#endif\n", "expected a value in the condition");
    says("#ifdef\nint x;\n#endif\n", "#ifdef needs the name of a macro");
    says("int x;\n  #error out of order\n", "input.c:2:4: error: #error out of order");
    says("#frobnicate\nint x;\n", "unknown directive '#frobnicate'");
    says("#line x\nint x;\n", "#line needs a number");
    says("int x; /* no end\n", "input.c:1:8: error: unterminated comment");
    says("char *s = \"no end;\n", "input.c:1:11: error: unterminated string literal");
    says("#define S \"no end\nchar *s = S;\n", "error: unterminated string literal");
    says("int x = 1 # 2;\n", "unexpected '#' in program text");
    says("int x = `1`;\n", "unexpected '`' in program text");
}

#[test]
fn a_message_names_the_chain_of_inclusions() {
    let files = [("main.c", "int x;\n#include \"a.h\"\n"), ("a.h", "\n\n#include \"b.h\"\n"), ("b.h", "#error here\n")];
    let folder = folder("chain", &files);
    let failure = load(&[Input::Path(folder.join("main.c"))], &lp64()).map(|_| ()).expect_err("an error");
    let said = failure.render();
    let places = ["b.h:1:2: error: #error here", "a.h:3:2: note: included", "main.c:2:2: note: included"];
    let found: Vec<Option<usize>> = places.iter().map(|place| said.find(place)).collect();
    assert!(found.iter().all(Option::is_some) && found.is_sorted(), "{said}");
}

#[test]
fn headers_are_found_in_order() {
    let files = [
        (
            "src/main.c",
            "#include \"own.h\"\n#include <other.h>\n#include <stdbool.h>\nint r[OWN * 100 + OTHER * 10 + LAST];\nbool b;\n",
        ),
        ("src/own.h", "#define OWN 1\n"),
        ("src/other.h", "#error beside is for quotes\n"),
        ("one/own.h", "#error behind\n"),
        ("one/other.h", "#pragma once\n#define OTHER 2\n#include_next <other.h>\n#include <other.h>\n"),
        ("two/other.h", "#ifndef LAST\n#define LAST 3\n#endif\n#include OTHERS\n#include OTHERS\n"),
        ("two/guarded.h", "#ifndef G\n#define G\nint once;\n#endif\n"),
    ];
    let folder = folder("order", &files);
    let mut options = lp64();
    options.include_dirs = vec![folder.join("one"), folder.join("two")];
    options.defines = vec!["OTHERS=<guarded.h>".to_owned()];
    let unit = read(folder.join("src/main.c"), &options);
    let size = |name: &str| unit.types.size_of(unit.vars[unit.global(name).expect(name)].ty);
    assert_eq!(size("r"), Some(4 * 123));
    assert_eq!(size("b"), Some(1));
    assert_eq!(size("once"), Some(4));
}

#[test]
fn tokens_have_their_places() {
    let text = "#define TWO(a, b) a b\n#define SEMI ;\nTWO(int first\n   ,  = 1) SEMI int \\\n second; TWO(int, third) SEMI\n/* é */ int fourth;\n";
    let unit = load_text(text, &lp64()).unwrap_or_else(|f| panic!("{}", f.render()));
    let place = |name: &str| unit.sources.place(unit.vars[unit.global(name).expect(name)].span);
    assert_eq!(place("first"), "input.c:3:9");
    assert_eq!(place("second"), "input.c:5:2");
    assert_eq!(place("third"), "input.c:5:19");
    assert_eq!(place("fourth"), "input.c:6:13");
    let second = unit.vars[unit.global("second").expect("second")].span;
    assert_eq!(unit.sources.line(second), Some(" second; TWO(int, third) SEMI"));
}

#[test]
fn pragmas_of_all_forms_pack() {
    let text = "#define N 1\n#pragma pack(push, N)\nstruct a { char c; int i; } a;\n_Pragma(\"pack(pop)\") struct b { char c; int i; } b;\n#define PACKED(n, what) _Pragma(\"pack(2)\") what\nPACKED(2, struct c { char c; int i; } c;)\n";
    let unit = load_text(text, &lp64()).unwrap_or_else(|f| panic!("{}", f.render()));
    let size = |name: &str| unit.types.size_of(unit.vars[unit.global(name).expect(name)].ty);
    assert_eq!((size("a"), size("b"), size("c")), (Some(5), Some(8), Some(6)));
}

#[test]
fn definitions_from_the_command_line_are_for_files() {
    let folder = folder("defines", &[("main.c", "int x[N + ONE + F(1)];\n")]);
    let mut options = lp64();
    options.defines = vec!["N=3".to_owned(), "ONE".to_owned(), "F(x)=(x)".to_owned()];
    let unit = read(folder.join("main.c"), &options);
    assert_eq!(unit.types.size_of(unit.vars[unit.global("x").expect("x")].ty), Some(20));
    assert!(load_text("int N;", &options).is_ok());
    options.defines = vec!["3=4".to_owned()];
    let failure = load(&[Input::Path(folder.join("main.c"))], &options).map(|_| ()).expect_err("an error");
    assert!(failure.render().starts_with("<command-line>:1:9: error:"), "{}", failure.render());
}

#[test]
fn nothing_runs_away() {
    let start = Instant::now();
    let doubling = |last: &str| {
        let lines: String = (0..60).map(|i| format!("#define D{i} D{n} D{n}\n", n = i + 1)).collect();
        format!("{lines}#define D60 {last}\nint x;\nD0\n")
    };
    says(&doubling("int y;"), "does a macro multiply itself?");
    says(&doubling(""), "does a macro multiply itself?");
    let calls: String = (0..60).map(|i| format!("#define D{i}(x) D{n}(x x)\n", n = i + 1)).collect();
    says(&format!("{calls}#define D60(x)\nint x;\nD0(1)\n"), "does a macro multiply itself?");
    let strings =
        format!("#define S(x) #x\n#define T(x) S(x)\nchar *s = {}\"\\\"\"{};\n", "T(".repeat(40), ")".repeat(40));
    says(&strings, "more than");
    says(&format!("#define I(x) x\nint x = {}1{};\n", "I(".repeat(100_000), ")".repeat(100_000)), "input.c:2:");
    says(&format!("#if {}1{}\nint x;\n#endif\n", "(".repeat(100_000), ")".repeat(100_000)), "nested more than");
    says(&format!("#if {}1\nint x;\n#endif\n", "!".repeat(100_000)), "nested more than");
    let files = [
        ("main.c", "#include \"main.c\"\n"),
        ("two.c", "#include \"two.h\"\n"),
        ("two.h", "#include \"two.h\"\n#include \"two.h\"\n"),
    ];
    let folder = folder("recursion", &files);
    for main in ["main.c", "two.c"] {
        let failure = load(&[Input::Path(folder.join(main))], &lp64()).map(|_| ()).expect_err("an error");
        assert!(failure.render().contains("nested more than 200 deep"), "{}", failure.render());
    }
    // Long but harmless.
    let long = format!("#define A(...) __VA_ARGS__\nint x[] = {{ A({} 1) }};\n", "1,\n".repeat(200_000));
    assert!(load_text(&long, &lp64()).is_ok());
    let nested = "#if 0\n".repeat(100_000) + &"#endif\n".repeat(100_000) + "int x;\n";
    assert!(load_text(&nested, &lp64()).is_ok());
    let one_line = format!("#define X x\nint x;\nvoid f(void) {{ {} }}\n", "X = X + 1; ".repeat(200_000));
    assert!(load_text(&one_line, &lp64()).is_ok());
    assert!(start.elapsed().as_secs() < 120, "{:?}", start.elapsed());
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n.max(1) as u64) as usize
    }
}

/// Any bytes are read or refused, in any place.
#[test]
fn mutilated_macros_do_not_crash_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/macros");
    let names = ["standard.c", "gnu.c", "nasty.c", "conditions.c"];
    let texts: Vec<Vec<u8>> = names.iter().map(|name| std::fs::read(folder.join(name)).expect("test file")).collect();
    let rounds = std::env::var("FOLDBACK_FUZZ_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(600);
    let mut random = Random(1);
    let pieces: [&[u8]; 16] = [
        b"#",
        b"##",
        b"(",
        b")",
        b",",
        b"\\\n",
        b"\"",
        b"'",
        b"/*",
        b"*/",
        b"\n",
        b"\xe9",
        b"__VA_OPT__(",
        b"#if ",
        b"#endif\n",
        b"_Pragma(",
    ];
    for round in 0..rounds {
        let mut text = texts[random.below(texts.len())].clone();
        for _ in 0..=random.below(6) {
            let at = random.below(text.len());
            match random.below(4) {
                0 => drop(text.splice(at..(at + random.below(30)).min(text.len()), [])),
                1 => text[at] = 1 + random.below(255) as u8,
                _ => drop(text.splice(at..at, pieces[random.below(pieces.len())].iter().copied())),
            }
        }
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutilated.c");
        std::fs::write(&path, &text).expect("write");
        let outcome = std::panic::catch_unwind(|| load(&[Input::Path(path.clone())], &lp64()).map(|_| ()));
        match outcome {
            Ok(Ok(())) => {}
            Ok(Err(failure)) => assert!(!failure.render().is_empty()),
            Err(_) => panic!("round {round} (kept in {})", path.display()),
        }
    }
}
