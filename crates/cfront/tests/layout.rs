//! Random structs and unions are laid out as gcc does: sizes, alignments and offsets by static assertions that gcc
//! checks, bit-fields by a program that gcc compiles and that shows which bits each one occupies.

#![allow(clippy::print_stderr)]

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

use cfront::hir::Unit;
use cfront::types::{DataModel, RecordId, Type};
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

const TYPES: &[&str] = &[
    "char",
    "short",
    "int",
    "long",
    "long long",
    "float",
    "double",
    "long double",
    "_Bool",
    "void *",
    "unsigned char",
    "enum e",
    "unaligned",
    "half",
    "wide",
    "vector",
    "_Complex float",
    "_Complex short",
    "tight",
    "_Atomic long long",
    "_Atomic double",
    "_Atomic pair",
    "_Atomic half",
    "_Atomic _Complex float",
];
/// Typedefs whose alignment is not that of their type, and types with lanes.
const TYPEDEFS: &str = "typedef unsigned unaligned __attribute__((aligned(1)));
typedef long long half __attribute__((aligned(2)));
typedef long long wide __attribute__((aligned(8)));
typedef int vector __attribute__((vector_size(16)));
typedef struct { char c; int i; } __attribute__((packed, aligned(2))) tight;
typedef struct { short x, y; } pair;
";
const BIT_TYPES: &[(&str, u64)] = &[
    ("int", 32),
    ("unsigned", 32),
    ("char", 8),
    ("unsigned short", 16),
    ("_Bool", 1),
    ("long long", 64),
    ("unsigned long long", 64),
    ("enum e", 32),
    ("unaligned", 32),
];

fn random_record(random: &mut Random, number: usize) -> String {
    let mut text = String::new();
    let pack = (random.below(6) == 0).then(|| 1 << random.below(4));
    if let Some(pack) = pack {
        let _ = writeln!(text, "#pragma pack(push, {pack})");
    }
    let keyword = if random.below(5) == 0 { "union" } else { "struct" };
    let before = ["__attribute__((packed)) ", "__attribute__((aligned(16))) "];
    let before = before.get(random.below(12) as usize).copied().unwrap_or_default();
    let _ = write!(text, "{keyword} {before}r{number} {{ ");
    for field in 0..=random.below(7) {
        match random.below(10) {
            0..4 => {
                let (ty, max) = BIT_TYPES[random.below(BIT_TYPES.len() as u64) as usize];
                match random.below(8) {
                    0 => {
                        let _ = write!(text, "{ty} : 0; ");
                    }
                    1 => {
                        let _ = write!(text, "{ty} : {}; ", 1 + random.below(max));
                    }
                    _ => {
                        let _ = write!(text, "{ty} b{field} : {}; ", 1 + random.below(max));
                    }
                }
            }
            4 => {
                let _ = write!(text, "{} f{field}[{}]; ", random.pick(TYPES), random.below(4));
            }
            5 if number > 0 => {
                let inner = random.below(number as u64);
                let _ = write!(text, "__typeof__(v{inner}) f{field}; ");
            }
            6 => {
                let align = 1 << random.below(5);
                let _ = write!(text, "{} f{field} __attribute__((aligned({align}))); ", random.pick(TYPES));
            }
            7 => {
                let (a, b) = (random.pick(TYPES), random.pick(TYPES));
                let _ = write!(text, "struct {{ {a} x{field}; {b} y{field}; }}; ");
            }
            8 => {
                let _ = write!(text, "{} f{field} __attribute__((packed)); ", random.pick(TYPES));
            }
            _ => {
                let _ = write!(text, "{} f{field}; ", random.pick(TYPES));
            }
        }
    }
    let after = if random.below(8) == 0 { " __attribute__((aligned(8)))" } else { "" };
    let _ = writeln!(text, "}}{after} v{number};");
    if pack.is_some() {
        text.push_str("#pragma pack(pop)\n");
    }
    text
}

fn record_of(unit: &Unit, number: usize) -> RecordId {
    let var = unit.global(&format!("v{number}")).expect("variable");
    unit.types.record(unit.vars[var].ty).expect("record")
}

/// Assertions about the record that gcc is to confirm, and code that shows the bits of its bit-fields.
fn describe(unit: &Unit, number: usize, asserts: &mut String, code: &mut String, expected: &mut String) {
    let record = &unit.types.records[record_of(unit, number)];
    let _ = writeln!(
        asserts,
        "_Static_assert(sizeof v{number} == {} && _Alignof(__typeof__(v{number})) == {}, \"r{number}\");",
        record.size, record.align
    );
    for field in &record.fields {
        let Some(name) = &field.name else { continue };
        match field.bits {
            None => {
                let _ = writeln!(
                    asserts,
                    "_Static_assert(__builtin_offsetof(__typeof__(v{number}), {name}) == {}, \"r{number}.{name}\");",
                    field.offset
                );
            }
            Some(bits) => {
                // All ones into the field: the bytes show where it lies.
                let value = if matches!(unit.types[field.ty], Type::Bool) { "1" } else { "-1" };
                let _ = writeln!(code, "memset(&v{number}, 0, sizeof v{number}); v{number}.{name} = {value};");
                let _ = writeln!(code, "show(\"r{number}.{name}\", &v{number}, sizeof v{number});");
                let mut bytes = vec![0u8; record.size as usize];
                for bit in bits.offset..bits.offset + u64::from(bits.width) {
                    bytes[bit as usize / 8] |= 1 << (bit % 8);
                }
                let hex: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
                let _ = writeln!(expected, "r{number}.{name} {hex}");
            }
        }
    }
}

#[test]
fn layout_is_that_of_gcc() {
    let mut random = Random(20_261_115);
    let records: Vec<String> = (0..300).map(|n| random_record(&mut random, n)).collect();
    let source = format!("enum e {{ E0, E1 }};\n{TYPEDEFS}{}", records.concat());
    for (model, flag) in [(DataModel::Ilp32, "-m32"), (DataModel::Lp64, "-m64")] {
        let unit = load_text(&source, &Options::new(model)).unwrap_or_else(|f| panic!("{}", f.render()));
        let (mut asserts, mut code, mut expected) = (String::new(), String::new(), String::new());
        for number in 0..records.len() {
            describe(&unit, number, &mut asserts, &mut code, &mut expected);
        }
        let program = format!(
            "int printf(const char *, ...); void *memset(void *, int, __SIZE_TYPE__);\n{source}\n{asserts}\n\
             static void show(const char *name, const void *p, __SIZE_TYPE__ n) {{ printf(\"%s \", name);\n\
             for (__SIZE_TYPE__ i = 0; i < n; i++) printf(\"%02x\", ((const unsigned char *)p)[i]); printf(\"\\n\"); }}\n\
             int main(void) {{ {code} return 0; }}\n"
        );
        let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        let (c, exe) = (dir.join(format!("layout{flag}.c")), dir.join(format!("layout{flag}")));
        std::fs::write(&c, program).expect("write");
        let probe = dir.join(format!("probe{flag}.c"));
        std::fs::write(&probe, "int main(void) { return 0; }").expect("write");
        let compile = |source: &PathBuf| Command::new("gcc").args(["-w", flag, "-o"]).arg(&exe).arg(source).output();
        if !compile(&probe).is_ok_and(|o| o.status.success()) {
            // Without a library to link with, the assertions can still be checked.
            let check = |file: &PathBuf| Command::new("gcc").args(["-w", flag, "-fsyntax-only"]).arg(file).output();
            if check(&probe).is_ok_and(|o| o.status.success()) {
                let output = check(&c).expect("gcc");
                assert!(output.status.success(), "{model}:\n{}", String::from_utf8_lossy(&output.stderr));
            }
            eprintln!("skipped: no gcc {flag} to link with here");
            continue;
        }
        let output = compile(&c).expect("gcc");
        assert!(output.status.success(), "{model}:\n{}", String::from_utf8_lossy(&output.stderr));
        let shown = Command::new(&exe).output().expect("run");
        let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
        for (ours, gccs) in expected.lines().zip(shown.lines()) {
            assert_eq!(ours, gccs, "{model}: {}", records[number_of(ours)]);
        }
        assert_eq!(expected.lines().count(), shown.lines().count());
    }
}

fn number_of(line: &str) -> usize {
    line[1..].split('.').next().and_then(|n| n.parse().ok()).expect("record number")
}
