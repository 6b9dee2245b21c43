//! The text form: what is printed reads back as the same program.

use cfa::text::{parse_term, print_term};
use cfa::{Form, Program, assert_sound, parse, print, print_annotated};
use std::path::PathBuf;
use term::{FloatValue, Format, RoundingMode, Sort, Store};

fn files() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/cfa");
    let entries = std::fs::read_dir(folder).expect("tests/cfa exists");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    files.retain(|path| path.extension().is_some_and(|ext| ext == "cfa"));
    files.sort();
    files
}

fn form(program: &Program) -> Form {
    if program.is_flat() { Form::Flat } else { Form::Function }
}

#[test]
fn every_test_program_is_sound_and_prints_and_reads_back_the_same() {
    assert!(!files().is_empty());
    for path in files() {
        let text = std::fs::read_to_string(&path).expect("readable");
        let program = parse(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert_sound(&program, form(&program));
        let printed = print(&program);
        let again = parse(&printed).unwrap_or_else(|e| panic!("{}: {e}\n{printed}", path.display()));
        assert_eq!(printed, print(&again), "{}", path.display());
        let annotated = parse(&print_annotated(&program)).expect("comments do not matter");
        assert_eq!(printed, print(&annotated), "{}", path.display());
        assert!(cfa::dot::dot(&program).starts_with("digraph"));
    }
}

#[test]
fn terms_of_every_kind_read_back_the_same() {
    let mut terms = Store::new();
    let bytes = Sort::array(Sort::Bv(64), Sort::Bv(8));
    terms.var("a b;c", Sort::Bv(8));
    terms.var("x", Sort::Bv(32));
    terms.var("true", Sort::Bool);
    terms.var("12:32", Sort::Bv(32));
    terms.var("nan:f11_53", Sort::Bv(32));
    terms.var("m", bytes);
    terms.var("d", Sort::Float(Format::F64));
    terms.var("l", Sort::Float(Format::X87));
    let texts = [
        "true",
        "|true|",
        "|a b;c|",
        "(bvadd |12:32| |nan:f11_53|)",
        "(let ?0 (bvadd x 4294967295:32) (bvmul ?0 ?0))",
        "(let ?0 (bvadd x 1:32) ?1 (bvmul ?0 ?0) (concat ?1 ?1))",
        "(extract 7 0 (zero_extend 8 (sign_extend 8 x)))",
        "(select (store m 5:64 (extract 7 0 x)) 6:64)",
        "(select (const bv64 0:8) 6:64)",
        "(fp.add RNE d (fp.neg d))",
        "(fp.to_sbv RTZ 32 (fp.fma RNA d d 0x3p-1:f11_53))",
        "(fp.to_fp RNE f8_24 d)",
        "(fp.to_fp RTP f11_53 l)",
        "(fp.from_sbv RTN f11_53 x)",
        "(fp.from_ubv RNE f15_64 x)",
        "(fp.from_bits f8_24 x)",
        "(fp.eq nan:f11_53 (fp.sqrt RNE -inf:f11_53))",
        "(fp.lt -0x0p+0:f11_53 d)",
        "(exists (var k bv32) (bvult (var k bv32) x))",
        "(apply f (bv32 [bv64 -> bv8]) bool x m)",
        "(ite (bvslt x 0:32) (bvneg x) x)",
        "340282366920938463463374607431768211456:129",
    ];
    for text in texts {
        let t = parse_term(&mut terms, text).unwrap_or_else(|e| panic!("{text}: {e}"));
        // Bound variables are variables of the store, too, so they print as bare names here.
        let printed = print_term(&terms, t);
        if !text.starts_with("(exists") {
            assert_eq!(printed, text);
        }
        assert_eq!(parse_term(&mut terms, &printed).expect("reads back"), t, "{text}");
    }
    let tenth = FloatValue::parse(Format::X87, RoundingMode::NearestEven, "0.1").expect("a number");
    let t = terms.float(tenth);
    let text = print_term(&terms, t);
    assert_eq!(parse_term(&mut terms, &text), Ok(t));
}

#[test]
fn deep_terms_print_and_read_without_overflowing_the_stack() {
    let mut terms = Store::new();
    let x = terms.var("x", Sort::Bv(32));
    let y = terms.var("y", Sort::Bv(32));
    let mut t = x;
    for _ in 0..200_000 {
        t = terms.bvxor(t, y);
        t = terms.mul(t, x);
    }
    let text = print_term(&terms, t);
    assert_eq!(parse_term(&mut terms, &text), Ok(t));
}

#[test]
fn broken_texts_are_errors_with_a_line() {
    let head = "machine lp64 32 32\nvar x bv32 global\nentry f0\nfunction f0 \"f\" params () entry L0 exit L1\n";
    let cases = [
        ("", "unexpected end"),
        ("machine vax 1 1", "unknown data model"),
        ("machine lp64 32 31", "64 bits"),
        ("machine lp64 32 32\nvar x bv0 global", "expected a sort"),
        ("machine lp64 32 32\nvar x bv8 global\nvar x bv8 global\nentry f0", "declared twice"),
        (&format!("{head}  L0\n    e0 -> L1 assume (bvult x 1:31)\n  L1\n"), "bvult"),
        (&format!("{head}  L0\n    e0 -> L1 assume (bvult x y)\n  L1\n"), "unknown variable 'y'"),
        (&format!("{head}  L0\n    e1 -> L1 assume true\n  L1\n"), "numbered"),
        (&format!("{head}  L0\n    e0 -> L1 jump\n  L1\n"), "unknown operation"),
        (&format!("{head}  L1\n"), "in order"),
        ("machine lp64 32 32\nvar x bv4000000000 global", "expected a sort"),
        (&format!("{head}  L0\n    e0 -> L1 assume (= x (zero_extend 4294967295 x))\n  L1\n"), "too wide"),
        ("machine lp64 32 32\nvar |a\\|b| bv8 global", "bar"),
        (&format!("{head}  L0\n    e0 -> L1 assume (bvult x\n"), "unexpected end"),
        (&format!("{head}  L0 error \"oops\n"), "expected a word"),
    ];
    for (text, message) in cases {
        let error = parse(text).expect_err(text).to_string();
        assert!(error.starts_with("line ") && (error.contains(message) || error.contains("unterminated")), "{error}");
    }
}

/// Texts with pieces removed, doubled or replaced are read or refused, but never crash the reader.
#[test]
fn mutated_texts_do_not_crash_the_reader() {
    let mut random = interpreter::Random::new(3);
    for path in files() {
        let text = std::fs::read_to_string(&path).expect("readable");
        let words: Vec<&str> = text.split_inclusive(char::is_whitespace).collect();
        for _ in 0..300 {
            let mut mutated = words.clone();
            for _ in 0..=random.next_u64() % 3 {
                let at = random.next_u64() as usize % mutated.len();
                let other = words[random.next_u64() as usize % words.len()];
                match random.next_u64() % 3 {
                    0 => drop(mutated.remove(at)),
                    1 => mutated.insert(at, other),
                    _ => mutated[at] = other,
                }
            }
            if let Ok(program) = parse(&mutated.concat()) {
                let sound = cfa::verify(&program, form(&program)).is_empty();
                if sound && let Ok(machine) = interpreter::Machine::new(&program) {
                    machine.run(&mut random, &interpreter::Limits::steps(1000));
                }
            }
        }
    }
}
