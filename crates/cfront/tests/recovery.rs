//! All syntax errors of a file are told, and little else.

use cfront::types::DataModel;
use cfront::{Options, load_text};

/// The lines with errors, in order.
fn lines(text: &str) -> Vec<u32> {
    let Err(failure) = load_text(text, &Options::new(DataModel::Lp64)) else { panic!("accepted: {text}") };
    let rendered = failure.render();
    let errors = rendered.lines().filter(|line| line.contains(": error: "));
    errors.map(|line| line.split(':').nth(1).and_then(|n| n.parse().ok()).expect("a line")).collect()
}

#[test]
fn each_statement_by_itself() {
    let text = "int f(int x) {\n  int a = ;\n  a = x + 1;\n  a = (x;\n  if (a > ) { a = 1; } else a = 2;\n\
                \x20 for (a = 0; a < ; a++) { x = a; }\n  while (x) { x = x -; a++; }\n  return a\n}\n\
                int g(void) { return f(1) +; }\nint fine(void) { return g(); }\n";
    assert_eq!(lines(text), [2, 4, 5, 6, 7, 8, 10]);
}

/// What follows a missing semicolon is read.
#[test]
fn a_missing_semicolon_hides_nothing() {
    let text =
        "int f(void) {\n  int x = 5\n  int y = 6;\n  y = y + 1\n  return x + y;\n}\nint g(void) { return f() }\n";
    assert_eq!(lines(text), [2, 4, 7]);
}

#[test]
fn a_record_without_its_semicolon() {
    let text =
        "struct point {\n  int x, y;\n}\nint sum(struct point p) {\n  return p.x + ;\n}\nenum e { A }\nint a = A;\n";
    assert_eq!(lines(text), [3, 5, 7]);
}

#[test]
fn declarations_and_members() {
    let text = "struct s {\n  int a b;\n  int c;\n};\nint table[] = { 1, ; 2 };\nint g(struct s *p) { return p->c; }\n\
                typedef int;\nint h(int x { return x; }\nint k(void) { goto out; nowhere = ; out: return 0; }\nint 3;\n";
    assert_eq!(lines(text), [2, 5, 8, 9, 10]);
}

#[test]
fn at_most_twenty() {
    let text = "int f(int x) {\n".to_owned() + &"  x = ;\n".repeat(50) + "}\n";
    assert_eq!(lines(&text), (2..22).collect::<Vec<u32>>());
}

/// Text that ends in the middle, that is no C, or that is nested beyond all measure ends soon, with few words.
#[test]
fn hopeless_texts() {
    assert_eq!(lines("int f(void) {\n  int x = ;\n  if (x) {\n").len(), 2);
    assert!(lines("} } ) int ; = 3").len() < 10);
    let deep = format!("int f(void) {{ return {}1; }}\nint g(void) {{ return ; 1 +; }}\n", "(".repeat(5000));
    assert_eq!(lines(&deep).len(), 1);
    let blocks = format!("int f(void) {{ {} }}", "{ x = ; ".repeat(3000));
    assert!(lines(&blocks).len() <= 20);
}
