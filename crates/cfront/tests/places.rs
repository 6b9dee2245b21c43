//! Places: line markers, columns after preprocessing, spans of statements; and what is said about unreadable input.

use std::path::PathBuf;

use cfront::hir::{Stmt, StmtKind, Unit};
use cfront::types::DataModel;
use cfront::{Failure, Input, Options, load, load_text};

fn lp64() -> Options {
    Options::new(DataModel::Lp64)
}

fn unit(text: &str) -> Unit {
    load_text(text, &lp64()).unwrap_or_else(|f| panic!("{}", f.render()))
}

/// Places of the statements of `main`, with those inside loops and branches.
fn statement_places(unit: &Unit) -> Vec<String> {
    fn walk(unit: &Unit, stmt: &Stmt, out: &mut Vec<String>) {
        match &stmt.kind {
            StmtKind::Block(stmts) => return stmts.iter().for_each(|s| walk(unit, s, out)),
            StmtKind::While { body, .. } | StmtKind::For { body, .. } | StmtKind::DoWhile { body, .. } => {
                out.push(unit.sources.place(stmt.span));
                return walk(unit, body, out);
            }
            _ => {}
        }
        out.push(unit.sources.place(stmt.span));
    }
    let main = unit.func("main").expect("main");
    let mut out = Vec::new();
    walk(unit, unit.funcs[main].body.as_ref().expect("body"), &mut out);
    out
}

#[test]
fn statements_start_at_their_first_character() {
    let unit = unit("int main(void) {\n  int x = 0, y;\n  while (x < 3)\n    x++;\n  L: y = x;\n  return y;\n}\n");
    let expected = ["2:3", "2:14", "3:3", "4:5", "5:3", "5:6", "6:3"].map(|p| format!("input.c:{p}"));
    assert_eq!(statement_places(&unit), expected);
}

#[test]
fn line_markers_name_the_users_file() {
    let text = "# 1 \"user.c\"\n# 10 \"dir/user.h\" 1\nint g;\n# 2 \"user.c\" 2\nint main(void) {\n#line 40 \"other.c\"\n  g = 1;\n}\n";
    let unit = unit(text);
    assert_eq!(statement_places(&unit), ["other.c:40:3"]);
    let g = unit.global("g").expect("g");
    assert_eq!(unit.sources.place(unit.vars[g].span), "dir/user.h:10:5");
    assert_eq!(unit.sources.line(unit.vars[g].span), Some("int g;"));
}

#[test]
fn columns_survive_macro_expansion() {
    let text = "#include <assert.h>\n#define TWICE(x) ((x) + (x))\n#define LIMIT 10\nint main(void) {\n  int   a =\tTWICE(3);   assert(a < LIMIT); a = LIMIT;\n  TWICE(a);\n  while (a<LIMIT) { a++; }\n}\n";
    let unit = unit(text);
    let expected = ["5:3", "5:25", "5:44", "6:3", "7:3", "7:21"].map(|p| format!("input.c:{p}"));
    assert_eq!(statement_places(&unit), expected);
}

fn failure(inputs: &[Input]) -> Failure {
    match load(inputs, &lp64()) {
        Ok(_) => panic!("accepted"),
        Err(failure) => failure,
    }
}

fn scratch(name: &str, bytes: &[u8]) -> Input {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes).expect("write");
    Input::Path(path)
}

#[test]
fn unreadable_input_is_explained() {
    let says = |inputs: &[Input], words: &str| {
        let text = failure(inputs).render();
        assert!(text.contains(words), "expected '{words}' in:\n{text}");
    };
    says(&[], "no input file");
    says(&[Input::Path("/nonexistent/x.c".into())], "no such file");
    says(&[Input::Path(env!("CARGO_TARGET_TMPDIR").into())], "is a directory");
    says(&[scratch("empty.c", b"")], "is empty");
    says(&[scratch("comment.c", b"/* nothing */\n")], "contains no C code");
    says(&[scratch("binary.c", b"\x7fELF\0\0\0")], "binary file");
    says(&[scratch("prose.c", b"Dear reader, this is not a program.\n")], "error");
    says(&[scratch("directive.i", b"#include <stdio.h>\nint x;\n")], "name it .c");
    says(&[scratch("include.c", b"#include \"nowhere.h\"\nint x;\n")], "not found");
    says(&[scratch("wrong.c", b"#define X y\nint main(void) { return X; }\n")], "wrong.c:2:25: error: 'y' undeclared");
    let huge = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("huge.c");
    let file = std::fs::File::create(&huge).expect("create");
    file.set_len(cfront::input::MAX_FILE_BYTES + 1).expect("sparse file");
    says(&[Input::Path(huge.clone())], "more than the 64 MB");
    std::fs::remove_file(huge).expect("remove");
}

#[test]
fn latin1_and_bom_are_read() {
    let text = b"\xef\xbb\xbf/* caf\xc3\xa9 */ char s[] = \"\xc3\xa9\";\n";
    let unit = load(&[scratch("utf8.c", text)], &lp64()).unwrap_or_else(|f| panic!("{}", f.render()));
    let s = unit.global("s").expect("s");
    assert_eq!(unit.types.size_of(unit.vars[s].ty), Some(3));
    assert_eq!(unit.vars[s].span.col, 17);
    let text = b"/* caf\xe9 */ char s[] = \"\xe9\";\n";
    let unit = load(&[scratch("latin1.c", text)], &lp64()).unwrap_or_else(|f| panic!("{}", f.render()));
    let s = unit.global("s").expect("s");
    assert_eq!(unit.types.size_of(unit.vars[s].ty), Some(2));
}

#[test]
fn deep_nesting_is_refused_not_crashed_on() {
    let n = 100_000;
    let deep = [
        format!("int x = {}1{};", "(".repeat(n), ")".repeat(n)),
        format!("int x = {}1;", "-".repeat(n).replace("--", "- -")),
        format!("int x = {}1;", "(int)".repeat(n)),
        format!("int {}x{};", "(".repeat(n), ")".repeat(n)),
        format!("int {}x;", "*(".repeat(n)),
        format!("void f(void) {}{}", "{".repeat(n), "}".repeat(n)),
        format!("void f(void) {{ {} ; }}", "if (1) ".repeat(n)),
        format!("void f(void) {{ {} ; }}", "while (1) ".repeat(n)),
        format!("int f(int x) {{ return {}1; }}", "x ? ".repeat(n)),
        format!("int f(int x) {{ return {}1; }}", "x ? 1 : ".repeat(n)),
        format!("int f(int x) {{ return {}x; }}", "x = ".repeat(n)),
        format!("int f(int x) {{ return x{}; }}", " + x".repeat(n)),
        format!("int f(int x) {{ return x{}; }}", "[0]".repeat(n)),
        format!("int f(int x) {{ {} x = 1; }}", "if (x) x = 2; else ".repeat(n)),
        format!("{}int x;{}", "struct { ".repeat(n), "} a;".repeat(n)),
        format!("int a{} = 1;", "[1]".repeat(n)),
        format!("struct {{ int a; }} x = {}1{};", "{".repeat(n), "}".repeat(n)),
        format!("int f{};", "(int ".repeat(n)),
        format!("int x = {}1;", "sizeof ".repeat(n)),
        format!("int f(void) {{ return {}1; }}", "({ ".repeat(n)),
        format!("__typeof__({} x;", "__typeof__(".repeat(n)),
    ];
    for text in deep {
        let start: String = text.chars().take(40).collect();
        match load_text(&text, &lp64()) {
            // A long chain may be fine; walking it must be too.
            Ok(unit) => drop(unit),
            Err(failure) => assert!(!failure.diagnostics.is_empty(), "{start}"),
        }
    }
}

#[test]
fn files_are_linked() {
    let part = |name: &str, text: &str| Input::Text { name: name.to_owned(), text: text.to_owned() };
    let a = part(
        "a.c",
        "extern int shared; static int own = 1; int helper(int); int main(void) { return helper(shared + own); }",
    );
    let b = part("b.c", "int shared = 3; static int own = 2; int helper(int x) { return x + own; } int tentative[];");
    let c = part("c.c", "int tentative[5];");
    let linked = load(&[a.clone(), b.clone(), c], &lp64()).unwrap_or_else(|f| panic!("{}", f.render()));
    assert_eq!(linked.funcs.iter().filter(|(_, f)| f.name == "helper").count(), 1);
    assert_eq!(linked.vars.iter().filter(|(_, v)| v.name == "own").count(), 2);
    let tentative = linked.global("tentative").expect("tentative");
    assert_eq!(linked.types.size_of(linked.vars[tentative].ty), Some(20));
    let again = part("d.c", "int helper(int x) { return x; }");
    assert!(failure(&[a, b, again]).render().contains("redefinition of 'helper'"));
}
