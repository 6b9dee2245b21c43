//! Random constant expressions have the same types and values here and in gcc: both compile the same file, whose
//! tables hold the values (as bits) and the names of the types.

#![allow(clippy::print_stderr)]

use std::path::PathBuf;
use std::process::Command;

use cfront::hir::{ExprKind, Init, Symbol, Unit};
use cfront::types::DataModel;
use cfront::{Options, load_text};

/// A small generator of our own: the same sequence on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.below(items.len() as u64) as usize]
    }
}

const INTS: &[&str] = &[
    "0",
    "1",
    "-1",
    "7",
    "'a'",
    "'\\377'",
    "255",
    "65535",
    "2147483647",
    "2147483648",
    "4294967295",
    "0x80000000",
    "3u",
    "0xffffffffu",
    "5l",
    "-9l",
    "12ul",
    "6ll",
    "9223372036854775807",
    "1ull",
    "0xffffffffffffffff",
    "E1",
    "EN",
    "EBIG",
    "sizeof(int)",
    "L'x'",
    "u'x'",
];
const FLOATS: &[&str] = &["0.0", "1.5", "-2.25", "1e10", "0.1f", "3.0f", "-1e-3", "0x1.8p3", "1e300", "2.5L", "1e40"];
const CASTS: &[&str] = &[
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "_Bool",
    "enum e",
];

/// An integer expression without division by zero or shifts out of range.
fn integer(random: &mut Random, depth: u32) -> String {
    if depth == 0 || random.below(6) == 0 {
        return random.pick(INTS).to_owned();
    }
    match random.below(12) {
        0..=3 => {
            let op = random.pick(&["+", "-", "*", "&", "|", "^"]);
            format!("({} {op} {})", integer(random, depth - 1), integer(random, depth - 1))
        }
        4 => {
            let op = random.pick(&["/", "%"]);
            format!("({} {op} ({} | 1))", integer(random, depth - 1), integer(random, depth - 1))
        }
        5 => {
            let op = random.pick(&["<<", ">>"]);
            format!("({} {op} {})", integer(random, depth - 1), random.below(31))
        }
        6 => {
            let op = random.pick(&["==", "!=", "<", "<=", ">", ">=", "&&", "||"]);
            format!("({} {op} {})", integer(random, depth - 1), integer(random, depth - 1))
        }
        7 => {
            let op = random.pick(&["==", "!=", "<", "<=", ">", ">="]);
            format!("({} {op} {})", floating(random, depth - 1), floating(random, depth - 1))
        }
        8 => format!("{}({})", random.pick(&["-", "~", "!", "+"]), integer(random, depth - 1)),
        9 => format!("({})({})", random.pick(CASTS), integer(random, depth - 1)),
        10 => format!("({})({})", random.pick(CASTS), floating(random, depth - 1)),
        _ => {
            let (c, a, b) = (integer(random, depth - 1), integer(random, depth - 1), integer(random, depth - 1));
            format!("({c} ? {a} : {b})")
        }
    }
}

fn floating(random: &mut Random, depth: u32) -> String {
    if depth == 0 || random.below(4) == 0 {
        return random.pick(FLOATS).to_owned();
    }
    match random.below(5) {
        0 | 1 => {
            let op = random.pick(&["+", "-", "*", "/"]);
            format!("({} {op} {})", floating(random, depth - 1), floating(random, depth - 1))
        }
        2 => format!("({})({})", random.pick(&["float", "double", "long double"]), integer(random, depth - 1)),
        3 => format!("({})({})", random.pick(&["float", "double", "long double"]), floating(random, depth - 1)),
        _ => format!("({} + {})", integer(random, depth - 1), floating(random, depth - 1)),
    }
}

/// The constants of table `name`: integers, floats (bits) and strings.
fn table(unit: &Unit, name: &str) -> Vec<(u64, String)> {
    let var = &unit.vars[unit.global(name).expect("table")];
    let Some(Init::Parts(parts, _)) = &var.init else { panic!("{name} has no parts") };
    parts
        .iter()
        .map(|part| match &part.value.kind {
            ExprKind::Int(bits) | ExprKind::Float(bits) => (part.offset, format!("{bits:x}")),
            ExprKind::Address(Symbol::Str(id), 0) => {
                let units = &unit.strings[*id].units;
                (part.offset, units.iter().take_while(|&&u| u != 0).map(|&u| u as u8 as char).collect())
            }
            other => panic!("{name}: {other:?}"),
        })
        .collect()
}

#[test]
fn constants_fold_as_in_gcc() {
    let mut random = Random(4711);
    let ints: Vec<String> = (0..600).map(|_| integer(&mut random, 4)).collect();
    let floats: Vec<String> = (0..300).map(|_| floating(&mut random, 4)).collect();
    let kinds = [
        "_Bool",
        "char",
        "signed char",
        "unsigned char",
        "short",
        "unsigned short",
        "int",
        "unsigned",
        "long",
        "unsigned long",
        "long long",
        "unsigned long long",
        "float",
        "double",
        "long double",
    ];
    let cases: String = kinds.iter().map(|k| format!(", {k}: \"{k}\"")).collect();
    let name_of = |e: &String| format!("_Generic(({e}){cases}),\n");
    let source = format!(
        "enum e {{ E0, E1 }}; enum n {{ EN = -2 }}; enum b {{ EBIG = 0x100000000 }};\n\
         unsigned long long values[] = {{ {} }};\ndouble numbers[] = {{ {} }};\n\
         const char *int_types[] = {{ {} }};\nconst char *float_types[] = {{ {} }};\n",
        ints.iter().map(|e| format!("(unsigned long long)({e}),\n")).collect::<String>(),
        floats.iter().map(|e| format!("{e},\n")).collect::<String>(),
        ints.iter().map(name_of).collect::<String>(),
        floats.iter().map(name_of).collect::<String>(),
    );
    let show = "int printf(const char *, ...); int main(void) {\n\
         for (int i = 0; i < sizeof values / sizeof *values; i++) printf(\"%llx\\n%s\\n\", values[i], int_types[i]);\n\
         for (int i = 0; i < sizeof numbers / sizeof *numbers; i++) { union { double d; unsigned long long u; } u = {numbers[i]};\n\
         printf(\"%llx\\n%s\\n\", u.d == u.d ? u.u : 0x7ff8000000000000, float_types[i]); } }\n";
    for (model, flags) in
        [(DataModel::Ilp32, ["-m32", "-msse2", "-mfpmath=sse"]), (DataModel::Lp64, ["-m64", "-O0", "-w"])]
    {
        let unit = load_text(&source, &Options::new(model)).unwrap_or_else(|f| panic!("{}", f.render()));
        let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        let (c, exe) = (dir.join(format!("fold{}.c", flags[0])), dir.join(format!("fold{}", flags[0])));
        let compile = |text: &str| {
            std::fs::write(&c, text).expect("write");
            Command::new("gcc").args(["-std=gnu17", "-w"]).args(flags).arg("-o").arg(&exe).arg(&c).output()
        };
        if !compile("int main(void) { return 0; }").is_ok_and(|o| o.status.success()) {
            eprintln!("skipped: no gcc {} here", flags[0]);
            continue;
        }
        let output = compile(&format!("{source}{show}")).expect("gcc");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let output = Command::new(&exe).output().expect("run");
        let shown = String::from_utf8_lossy(&output.stdout).into_owned();
        let gccs: Vec<&str> = shown.lines().collect();
        let mut complaints = Vec::new();
        let mut at = 0;
        for (expressions, values, types) in [(&ints, "values", "int_types"), (&floats, "numbers", "float_types")] {
            let (values, types) = (table(&unit, values), table(&unit, types));
            assert_eq!(values.len(), expressions.len());
            for ((e, (_, value)), (_, ty)) in expressions.iter().zip(values).zip(types) {
                let value = if value == "fff8000000000000" { "7ff8000000000000".to_owned() } else { value };
                if gccs[at] != value || gccs[at + 1] != ty {
                    complaints.push(format!("{model}: {e}\n  ours {value} {ty}, gcc {} {}", gccs[at], gccs[at + 1]));
                }
                at += 2;
            }
        }
        assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    }
}
