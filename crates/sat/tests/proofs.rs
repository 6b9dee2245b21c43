//! CaDiCaL's proofs are proofs, before and after trimming.

use lrat::{Cnf, check};
use sat::{Outcome, solve, trim};

const LONG: u64 = 1 << 30;

fn never() -> bool {
    false
}

/// `holes + 1` pigeons do not fit.
fn pigeons(holes: i32) -> Cnf {
    let mut cnf = Cnf::new();
    let sits = |pigeon: i32, hole: i32| pigeon * holes + hole + 1;
    for pigeon in 0..=holes {
        cnf.add(&(0..holes).map(|hole| sits(pigeon, hole)).collect::<Vec<_>>());
    }
    for hole in 0..holes {
        for a in 0..=holes {
            (0..a).for_each(|b| cnf.add(&[-sits(a, hole), -sits(b, hole)]));
        }
    }
    cnf
}

#[test]
fn proofs_are_proofs() {
    for holes in 1..7 {
        let cnf = pigeons(holes);
        let Outcome::Unsat(proof) = solve(&cnf, &mut never, LONG).expect("solved") else { panic!("unsatisfiable") };
        let whole = check(&cnf, &proof).expect("a proof");
        let trimmed = trim(&proof, cnf.len()).expect("readable");
        let less = check(&cnf, &trimmed).expect("still a proof");
        assert!(less.steps <= whole.steps, "{holes}");
    }
}

/// Random clauses near the threshold: answers agree with the clauses, whichever they are. Units come in the middle.
#[test]
fn random_clauses() {
    let mut state = 29u64;
    let mut below = |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let (mut sat, mut unsat) = (0, 0);
    for case in 0..400 {
        let variables = 5 + below(40);
        let mut cnf = Cnf::new();
        for _ in 0..variables * 4 + below(variables) {
            let length = if below(20) == 0 { 1 } else { 3 };
            let clause: Vec<i32> =
                (0..length).map(|_| (1 + below(variables)) as i32 * if below(2) == 0 { 1 } else { -1 }).collect();
            cnf.add(&clause);
        }
        match solve(&cnf, &mut never, LONG).expect("solved") {
            Outcome::Sat(values) => {
                sat += 1;
                let holds = |l: &i32| values[l.unsigned_abs() as usize - 1] == (*l > 0);
                assert!(cnf.clauses().all(|clause| clause.iter().any(holds)), "case {case}");
            }
            Outcome::Unsat(proof) => {
                unsat += 1;
                check(&cnf, &proof).unwrap_or_else(|e| panic!("case {case}: {e}"));
                let trimmed = trim(&proof, cnf.len()).expect("readable");
                check(&cnf, &trimmed).unwrap_or_else(|e| panic!("case {case}, trimmed: {e}"));
            }
            Outcome::Stopped => panic!("nobody stopped it"),
        }
    }
    assert!(sat > 50 && unsat > 50, "{sat} {unsat}");
}

#[test]
fn it_stops_when_told() {
    let hard = pigeons(11);
    let mut asked = 0;
    let mut stop = || {
        asked += 1;
        asked > 3
    };
    assert_eq!(solve(&hard, &mut stop, LONG).expect("no error"), Outcome::Stopped);
    assert_eq!(solve(&hard, &mut never, 10_000).expect("no error"), Outcome::Stopped, "the proof is too long");
}

#[test]
fn an_empty_clause_and_no_clauses() {
    let mut cnf = Cnf::new();
    assert_eq!(solve(&cnf, &mut never, LONG).expect("solved"), Outcome::Sat(Vec::new()));
    cnf.add(&[]);
    let Outcome::Unsat(proof) = solve(&cnf, &mut never, LONG).expect("solved") else { panic!("unsatisfiable") };
    assert!(check(&cnf, &proof).is_ok() && check(&cnf, &trim(&proof, 1).expect("readable")).is_ok());
}
