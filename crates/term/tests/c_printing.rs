//! C text: readable in the simple cases; in all cases of the same value when compiled and run, without undefined
//! behaviour (the compiler's sanitizer watches).

#![allow(clippy::print_stdout)] // a test that cannot run says so

use std::collections::BTreeMap;
use std::fmt::Write;
use std::process::Command;

use term::random::{Config, Generator, Rng};
use term::rewrite::rebuild;
use term::{CName, Format, RoundingMode, Sort, Store, Term, Value, eval, free_vars, print_c};

/// Names ending in an even digit are signed.
fn name(store: &Store, t: Term) -> Option<CName> {
    let text = store.symbol_name(t)?.to_owned();
    let signed = text.ends_with(['0', '2', 'i', 'j', 'n']);
    Some(CName { text, signed, width: store.sort(t).bv_width().unwrap_or(0) })
}

fn check(expected: &str, make: impl Fn(&mut Store) -> Term) {
    let mut store = Store::new();
    let term = make(&mut store);
    assert_eq!(print_c(&store, term, &name).as_deref(), Some(expected));
}

#[test]
fn simple_terms_read_like_the_program() {
    let int = Sort::Bv(32);
    check("i <= n", |t| {
        let (i, n) = (t.var("i", int), t.var("n", int));
        t.sle(i, n)
    });
    check("i >= 0 && i < 10", |t| {
        let (i, zero, ten) = (t.var("i", int), t.bv(0, 32), t.bv(10, 32));
        let (low, high) = (t.sge(i, zero), t.slt(i, ten));
        t.and(low, high)
    });
    check("i == -5", |t| {
        let (i, c) = (t.var("i", int), t.bv_signed(-5, 32));
        t.eq(i, c)
    });
    check("n == i + 1u", |t| {
        let (i, n, one) = (t.var("i", int), t.var("n", int), t.bv(1, 32));
        let sum = t.add(i, one);
        t.eq(sum, n)
    });
    check("x + y <= 7", |t| {
        let (x, y) = (t.var("x", Sort::Bv(8)), t.var("y", Sort::Bv(8)));
        let (x, y, c) = (t.zext_to(x, 32), t.zext_to(y, 32), t.bv(7, 32));
        let sum = t.add(x, y);
        t.mk_raw(term::Op::BvSle, &[sum, c])
    });
    check("u % 3 != 0", |t| {
        let (u, c, zero) = (t.var("u", int), t.bv(3, 32), t.bv(0, 32));
        let rest = t.urem(u, c);
        t.ne(rest, zero)
    });
    check("(u & 1) == 1", |t| {
        let (u, one) = (t.var("u", int), t.bv(1, 32));
        let bit = t.bvand(u, one);
        t.eq(bit, one)
    });
    check("(long long)i + j > 2147483647 || (long long)i + j < -2147483647 - 1", |t| {
        let (i, j) = (t.var("i", int), t.var("j", int));
        t.saddo(i, j)
    });
    check("d + 1.5 < (double)i", |t| {
        let (d, i) = (t.var("d", Sort::Float(Format::F64)), t.var("i", int));
        let (c, mode) = (t.float_from_f64(1.5), RoundingMode::NearestEven);
        let (sum, i) = (t.fp_add(mode, d, c), t.fp_from_sbv(mode, Format::F64, i));
        t.fp_lt(sum, i)
    });
}

#[test]
fn what_c_cannot_say_has_no_text() {
    let mut t = Store::new();
    let a = t.var("a", Sort::array(Sort::Bv(32), Sort::Bv(8)));
    let i = t.var("i", Sort::Bv(32));
    let read = t.select(a, i);
    assert_eq!(print_c(&t, read, &name), None);
    let as_memory = |store: &Store, u: Term| {
        if u == read { Some(CName { text: "a[i]".into(), signed: false, width: 8 }) } else { name(store, u) }
    };
    assert_eq!(print_c(&t, read, &as_memory).as_deref(), Some("a[i]"));
    let wide = t.var("w", Sort::Bv(300));
    let zero = t.bv(0, 300);
    let test = t.slt(wide, zero);
    assert_eq!(print_c(&t, test, &name), None);
}

fn c_type(store: &Store, var: Term) -> &'static str {
    let signed = name(store, var).unwrap().signed;
    match (store.sort(var), signed) {
        (Sort::Bv(8), true) => "signed char",
        (Sort::Bv(8), false) => "unsigned char",
        (Sort::Bv(16), true) => "short",
        (Sort::Bv(16), false) => "unsigned short",
        (Sort::Bv(32), true) => "int",
        (Sort::Bv(32), false) => "unsigned int",
        (Sort::Bv(64), true) => "long long",
        (Sort::Bv(64), false) => "unsigned long long",
        (Sort::Bool, _) => "_Bool",
        (Sort::Float(Format::F32), _) => "float",
        (Sort::Float(Format::F64), _) => "double",
        (sort, _) => panic!("no C type for {sort:?}"),
    }
}

/// A C expression for the value.
fn c_value(value: &Value) -> String {
    match value {
        Value::Bool(b) => format!("{}", u8::from(*b)),
        Value::Bv(bits) => format!("{}ull", bits.to_u64().unwrap()),
        Value::Float(float) if float.is_nan() => "__builtin_nan(\"\")".into(),
        Value::Float(float) if float.is_infinite() => {
            format!("{}__builtin_inf()", if float.is_negative() { "-" } else { "" })
        }
        Value::Float(float) => format!("{float}"),
        Value::Array(_) => unreachable!(),
    }
}

#[test]
fn compiled_text_has_the_value_of_the_term() {
    if Command::new("cc").arg("--version").output().is_err() {
        println!("skipped: no C compiler");
        return;
    }
    let config = Config {
        widths: vec![8, 16, 32, 64],
        formats: vec![Format::F32, Format::F64],
        height: 4,
        vars: 3,
        unspecified: true,
        ..Config::bit_vectors(1)
    };
    let mut generator = Generator::new(11, config);
    let mut rng = Rng::new(12);
    let mut store = Store::new();
    let mut code = String::from("#include <stdio.h>\n");
    let mut calls = String::new();
    let mut expected: Vec<(Value, Term)> = Vec::new();
    for n in 0..3000 {
        let sort = if generator.rng.chance(3) { Sort::Bv(32) } else { Sort::Bool };
        let raw = generator.term(&mut store, sort);
        let t = if generator.rng.chance(2) { raw } else { rebuild(&mut store, raw) };
        let vars = free_vars(&store, &[t]);
        let Some(text) = printable(&store, t) else { continue };
        let params: Vec<String> =
            vars.iter().map(|&v| format!("{} {}", c_type(&store, v), store.symbol_name(v).unwrap())).collect();
        let mask = store.sort(t).bv_width().map_or(1, |w| u64::MAX >> (64 - w));
        _ = writeln!(
            code,
            "unsigned long long f{n}({}) {{ return (unsigned long long)({text}) & {mask}ull; }}",
            if params.is_empty() { "void".into() } else { params.join(", ") }
        );
        for _ in 0..5 {
            let assignment: BTreeMap<Term, Value> = vars.iter().map(|&v| (v, rng.value(store.sort(v)))).collect();
            let Ok(value) = eval(&store, t, &assignment) else { continue };
            let args: Vec<String> = vars.iter().map(|v| c_value(&assignment[v])).collect();
            _ = writeln!(calls, "  printf(\"%llu\\n\", f{n}({}));", args.join(", "));
            expected.push((value, t));
        }
    }
    assert!(expected.len() > 2000, "only {} cases", expected.len());
    _ = write!(code, "int main(void) {{\n{calls}  return 0;\n}}\n");
    let dir = std::env::temp_dir().join(format!("term-c-printing-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let (source, binary) = (dir.join("t.c"), dir.join("t"));
    std::fs::write(&source, &code).unwrap();
    let flags = ["-O0", "-w", "-fsanitize=undefined", "-fno-sanitize-recover=undefined", "-o"];
    let compiled = Command::new("cc").args(flags).arg(&binary).arg(&source).output().unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let run = Command::new(&binary).output().unwrap();
    let output = String::from_utf8(run.stdout).unwrap();
    let lines: Vec<&str> = output.lines().collect();
    assert!(run.status.success(), "after {} lines: {}", lines.len(), String::from_utf8_lossy(&run.stderr));
    assert_eq!(lines.len(), expected.len());
    for (line, (value, t)) in lines.iter().zip(&expected) {
        let value = match value {
            Value::Bool(b) => u64::from(*b),
            Value::Bv(bits) => bits.to_u64().unwrap(),
            _ => unreachable!(),
        };
        assert_eq!(
            *line,
            value.to_string(),
            "{:?}\nfor {}",
            printable(&store, *t),
            term::smtlib::print_term(&store, *t)
        );
    }
    std::fs::remove_dir_all(&dir).unwrap();
}

/// Terms within 64 bits only: the harness passes values as `unsigned long long`.
fn printable(store: &Store, t: Term) -> Option<String> {
    let fits =
        free_vars(store, &[t]).iter().all(|&v| !matches!(store.sort(v), Sort::Bv(w) if ![8, 16, 32, 64].contains(&w)));
    if !fits {
        return None;
    }
    print_c(store, t, &name)
}
