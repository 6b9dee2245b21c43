//! Proofs that are, and every small change of them that is none.

use pac::{Error, MAX_DEGREE, Polynomial, check};

fn poly(width: u32, text: &str) -> Polynomial {
    Polynomial::read(width, text).expect("a polynomial")
}

/// `s = i²` is kept by `s += 2i + 1, i += 1`: with x1 = i, x2 = s, x3 = s', x4 = i'.
fn squares() -> (Vec<Polynomial>, Polynomial) {
    let given =
        ["1*x2 4294967295*x1*x1", "1*x3 4294967295*x2 4294967294*x1 4294967295", "1*x4 4294967295*x1 4294967295"];
    (given.map(|text| poly(32, text)).to_vec(), poly(32, "1*x3 4294967295*x4*x4"))
}

const PROOF: &str = "1 1 ; 2 1\n4 1 ; 3 4294967295*x4 4294967295*x1 4294967295\n";

#[test]
fn what_follows_is_shown() {
    let (given, shown) = squares();
    assert_eq!(check(&given, &shown, PROOF).map(|checked| checked.steps), Ok(2));
    // Modulo 2^w: 2^(w-1)·(x + x) is nothing, and so is 2^w - 1 + 1.
    for width in [1, 2, 31, 64, 128] {
        let zero = Polynomial::zero(width);
        assert!(check(&[], &zero, "\n").is_ok());
        let half = Polynomial::constant(width, 1 << (width - 1));
        let given = Polynomial::indeterminate(width, 7);
        let text = format!("1 {half} ; 1 {half}\n");
        assert!(check(std::slice::from_ref(&given), &zero, &text).is_ok(), "{width}");
    }
}

#[test]
fn mutants_are_refused() {
    let (given, shown) = squares();
    // Every digit changed to every other, every character dropped.
    let mut mutants: Vec<String> = Vec::new();
    for (i, c) in PROOF.char_indices() {
        let (before, after) = (&PROOF[..i], &PROOF[i + 1..]);
        mutants.push(format!("{before}{after}"));
        if c.is_ascii_digit() {
            mutants.extend(('0'..='9').filter(|d| *d != c).map(|d| format!("{before}{d}{after}")));
        }
    }
    mutants.push(PROOF.lines().next().expect("a line").to_owned());
    mutants.push(PROOF.lines().last().expect("a line").to_owned());
    mutants.push(String::new());
    let original: Vec<Vec<(usize, Polynomial)>> = meaning(PROOF);
    for mutant in mutants {
        // Blanks that are dropped may change nothing.
        if meaning(&mutant) != original {
            assert!(check(&given, &shown, &mutant).is_err(), "{mutant}");
        }
    }
    // Without one of the premises, or about something else.
    for i in 0..given.len() {
        let mut fewer = given.clone();
        fewer[i] = Polynomial::zero(32);
        assert_eq!(check(&fewer, &shown, PROOF), Err(Error::NotShown));
    }
    assert_eq!(check(&given, &poly(32, "1*x3 4294967295*x4"), PROOF), Err(Error::NotShown));
}

fn meaning(proof: &str) -> Vec<Vec<(usize, Polynomial)>> {
    let summand = |text: &str| {
        let (number, factor) = text.trim().split_once(' ')?;
        Some((number.parse().ok()?, Polynomial::read(32, factor).ok()?))
    };
    proof.lines().map(|line| line.split(';').filter_map(summand).collect()).collect()
}

#[test]
fn nonsense_is_an_error() {
    let (given, shown) = squares();
    for text in [
        "1",
        "x 1",
        "0 1",
        "4 1",
        "99999999999999999999999 1",
        "1 y1",
        "1 1*x",
        "1 1*x99999999999",
        "1 -1",
        "1 1**x1",
        "-1 1",
    ] {
        assert!(
            matches!(check(&given, &shown, text), Err(Error::Format { .. } | Error::NoSuchPolynomial { .. })),
            "{text}"
        );
    }
    // A step does not know itself, nor what comes later.
    assert_eq!(check(&given, &shown, "4 1\n"), Err(Error::NoSuchPolynomial { line: 1, number: 4 }));
    let high = format!("1 1{}\n", "*x1".repeat(MAX_DEGREE));
    assert!(matches!(check(&given, &shown, &high), Err(Error::TooLarge { .. })));
    assert!(matches!(
        check(&given, &shown, &format!("1 1{}\n", "*x1".repeat(MAX_DEGREE + 1))),
        Err(Error::Format { .. })
    ));
    // (x1 + ... + x200)² again and again.
    let wide: Vec<String> = (1..200).map(|x| format!("1*x{x}")).collect();
    let wide = poly(32, &wide.join(" "));
    let text: String = (1..40).map(|n| format!("{n} {wide}\n")).collect();
    assert!(matches!(check(&[wide], &shown, &text), Err(Error::TooLarge { .. })));
}

#[test]
fn polynomials_are_read_as_they_are_written() {
    for text in ["0", "1", "3*x1*x1*x9 7*x2", "340282366920938463463374607431768211455*x1"] {
        let p = poly(128, text);
        assert_eq!(poly(128, &p.to_string()), p);
    }
    assert_eq!(poly(8, "256*x1 255*x2 1*x2").to_string(), "0");
    assert_eq!(poly(8, "1*x2*x1 1*x1*x2").to_string(), "2*x1*x2");
}
